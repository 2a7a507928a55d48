#include "cli/witness_files.hpp"

#include <atomic>
#include <cctype>
#include <map>
#include <set>

#include "base/file.hpp"
#include "base/parallel.hpp"
#include "lang/axb_program.hpp"
#include "report/explanation.hpp"

namespace headway::cli {
namespace {

constexpr std::size_t kLongest = 100;  // of a name as a part of a file name

// `name` with only letters, digits and what is in `also`.
std::string safe_name(const std::string& name, std::string_view also) {
  std::string result;
  for (const char c : name.substr(0, kLongest)) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || also.find(c) != std::string_view::npos;
    result += plain ? c : '_';
  }
  return result.starts_with('.') ? "_" + result : result;
}

// Of equal names all but the first with a number behind them, the same in every run.
std::vector<std::string> distinct(const std::vector<std::string>& names) {
  std::set<std::string> taken;
  std::vector<std::string> result;
  for (const std::string& base : names) {
    std::string name = base;
    for (int number = 2; !taken.insert(name).second; ++number) {
      name = base + "-" + std::to_string(number);
    }
    result.push_back(std::move(name));
  }
  return result;
}

}  // namespace

std::size_t write_witnesses(const std::vector<WitnessSource>& tests,
                            const std::vector<models::ModelPtr>& models,
                            const report::VerdictColumns& columns, const WitnessOptions& options) {
  // Only the part that names the test holds a '.', so that two files never have the same name.
  std::vector<std::string> test_names, model_names;
  for (const WitnessSource& source : tests) {
    test_names.push_back(safe_name(source.checked->name, "-+_=()."));
  }
  for (const auto& model : models) model_names.push_back(safe_name(model->name(), "-+_=()"));
  test_names = distinct(test_names);
  model_names = distinct(model_names);
  std::atomic<std::size_t> written{0};
  parallel_for(tests.size(), [&](std::size_t t) {
    const lang::AxbProgram program(*tests[t].test);
    for (std::size_t m = 0; m < models.size(); ++m) {
      for (const lang::Fairness fairness : columns.fairnesses) {
        const bool fails =
            tests[t].checked->result.verdicts[m].of(fairness) == checker::Verdict::fail;
        if (!fails || (options.check.stop != nullptr && *options.check.stop)) continue;
        const checker::Explanation explanation =
            checker::explain(program, *models[m], fairness, options.check);
        if (explanation.verdict != checker::Verdict::fail) continue;  // interrupted
        const report::Explained explained{tests[t].checked->name,
                                          tests[t].checked->file,
                                          program,
                                          *models[m],
                                          fairness,
                                          explanation};
        const std::string file = test_names[t] + "." + model_names[m] + "." + to_string(fairness) +
                                 (options.json ? ".json" : ".txt");
        write_file(options.folder / file, options.json ? report::explanation_json(explained)
                                                       : report::explanation_text(explained, {}));
        ++written;
      }
    }
  });
  return written;
}

}  // namespace headway::cli
