#include "cli/witness_files.hpp"

#include <atomic>

#include "base/file.hpp"
#include "base/parallel.hpp"
#include "base/text/names.hpp"
#include "report/explanation.hpp"

namespace headway::cli {
std::size_t write_witnesses(const std::vector<WitnessSource>& tests,
                            const std::vector<models::Fairness>& fairnesses,
                            const WitnessOptions& options) {
  // Only the part that names the test holds a '.', so that two files never have the same name.
  std::vector<std::string> test_names;
  test_names.reserve(tests.size());
  for (const WitnessSource& source : tests) {
    test_names.push_back(safe_name(source.checked->name, "-+_=()."));
  }
  test_names = distinct_names(test_names);
  std::atomic<std::size_t> written{0};
  parallel_for(tests.size(), [&](std::size_t t) {
    const auto made = lang::make_program(*tests[t].test);
    const lang::Program& program = *made;
    const std::vector<models::ModelPtr>& models = *tests[t].models;
    std::vector<std::string> model_names;
    model_names.reserve(models.size());
    for (const auto& model : models) model_names.push_back(safe_name(model->name(), "-+_=()"));
    model_names = distinct_names(model_names);
    for (std::size_t m = 0; m < models.size(); ++m) {
      for (const models::Fairness fairness : fairnesses) {
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
