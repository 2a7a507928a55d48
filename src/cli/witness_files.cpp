#include "cli/witness_files.hpp"

#include <tbb/parallel_for.h>

#include <atomic>
#include <cctype>
#include <map>
#include <set>

#include "base/file.hpp"
#include "lang/axb_program.hpp"
#include "report/explanation.hpp"

namespace headway::cli {
namespace {

std::string safe_name(const std::string& name) {
  std::string result;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view("-+._=()").find(c) != std::string_view::npos;
    result += plain ? c : '_';
  }
  return result.starts_with('.') ? "_" + result : result;
}

// A name of its own for each test, the same in every run over the same tests.
std::vector<std::string> distinct_names(const std::vector<WitnessSource>& tests) {
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (const WitnessSource& source : tests) {
    const std::string base = safe_name(source.checked->name);
    std::string name = base;
    for (int number = 2; !taken.insert(name).second; ++number) {
      name = base + "-" + std::to_string(number);
    }
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

std::size_t write_witnesses(const std::vector<WitnessSource>& tests,
                            const std::vector<models::ModelPtr>& models,
                            const report::VerdictColumns& columns, const WitnessOptions& options) {
  const std::vector<std::string> names = distinct_names(tests);
  std::atomic<std::size_t> written{0};
  tbb::parallel_for(std::size_t{0}, tests.size(), [&](std::size_t t) {
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
        const std::string file = names[t] + "." + safe_name(models[m]->name()) + "." +
                                 to_string(fairness) + (options.json ? ".json" : ".txt");
        write_file(options.folder / file, options.json ? report::explanation_json(explained)
                                                       : report::explanation_text(explained, {}));
        ++written;
      }
    }
  });
  return written;
}

}  // namespace headway::cli
