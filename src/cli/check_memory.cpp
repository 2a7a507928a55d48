#include "cli/check_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>

#include "base/file.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "cli/console.hpp"
#include "cli/each_path.hpp"
#include "cli/inputs.hpp"
#include "consistency/litmus/parse.hpp"
#include "consistency/models.hpp"
#include "report/memory.hpp"
#include "suite/suite.hpp"

namespace headway::cli {
namespace fs = std::filesystem;

namespace {

struct Read {
  std::string file;
  consistency::Program program;
  std::vector<const consistency::cat::Model*> models;  // that are asked about it
};

// Whether something that was asked has no answer.
bool is_open(const report::MemoryAnswer& answer) {
  if (answer.progress.empty()) return !answer.outcomes.decides(answer.program);
  for (std::size_t m = 0; m < answer.progress.size(); ++m) {
    if (report::termination_verdict(answer, m) == "unknown") return true;
  }
  return false;
}
std::string reason(const report::MemoryAnswer& answer) {
  return answer.termination.cut.empty() ? answer.outcomes.cut : answer.termination.cut;
}

}  // namespace

bool is_memory_test(const fs::path& file) {
  std::error_code none;
  const bool is_input = file == "-" || file == kStandardInput;
  const bool may_be = file.extension() == ".litmus" || file.extension() == ".txt";
  if (!is_input && !(may_be && fs::is_regular_file(file, none))) return false;
  try {
    // As standard input by name it is kept for whoever reads it next.
    return consistency::litmus::is_litmus(read_file(file == "-" ? fs::path(kStandardInput) : file));
  } catch (const Error&) {
    return false;  // whoever reads it next says why
  }
}

Found find_memory_tests(const std::vector<std::string>& paths) {
  Found found;
  found.files = suite::find_tests(paths, found.errors);
  return found;
}

std::vector<fs::path> take_memory_tests(std::vector<fs::path>& files) {
  const auto begin = std::stable_partition(
      files.begin(), files.end(), [](const fs::path& file) { return !is_memory_test(file); });
  std::vector<fs::path> taken(std::make_move_iterator(begin), std::make_move_iterator(files.end()));
  files.erase(begin, files.end());
  return taken;
}

MemoryTest read_memory_test(const fs::path& file) {
  MemoryTest test{shown_path(file.string()), read_file(file)};
  if (!consistency::litmus::is_litmus(test.text)) {
    throw Error({test.name, 0, 0},
                "no litmus test of C, PTX, VULKAN or OPENCL; expected one in the format of herd "
                "(docs/reference/memory.md)");
  }
  return test;
}

StopSigns signs_within(double seconds) {
  StopSigns signs(&Interrupt::flag(), std::nullopt);
  if (seconds > 0) signs = signs.within(seconds);
  return signs;
}

std::vector<models::ModelPtr> memory_progress(models::Library& library,
                                              const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::vector<models::ModelPtr> progress = find_models(library, names);
  for (const models::ModelPtr& model : progress) {
    if (model->history_determined()) continue;
    throw Error(
        fmt::format("model {} remembers what it promised; expected one that is a function of who "
                    "has started and ended",
                    model->name()));
  }
  return progress;
}

Outcome check_memory(const MemoryArguments& arguments) {
  const CoreLimit cores(arguments.jobs);
  const Interrupt interrupt;
  std::map<std::string, consistency::cat::Model> models;
  const auto named = [&](const std::string& name) {
    auto known = models.find(name);
    if (known == models.end()) known = models.emplace(name, consistency::find_model(name)).first;
    return static_cast<const consistency::cat::Model*>(&known->second);
  };
  std::vector<const consistency::cat::Model*> asked;
  asked.reserve(arguments.models.size());
  for (const std::string& name : arguments.models) asked.push_back(named(name));

  std::vector<Error> errors = arguments.tests.errors;
  std::vector<Read> tests;
  for (const fs::path& file : arguments.tests.files) {
    try {
      const auto [name, text] = read_memory_test(file);
      consistency::Program program = consistency::litmus::parse(name, text);
      auto own = asked;
      if (own.empty()) own.push_back(named(consistency::model_of(program)));
      tests.push_back({name, std::move(program), std::move(own)});
    } catch (const Error& error) {
      errors.push_back(error);
    }
  }

  struct Question {
    const Read* test;
    const consistency::cat::Model* model;
  };
  std::vector<Question> questions;
  for (const Read& test : tests) {
    for (const auto* model : test.models) questions.push_back({&test, model});
  }
  std::vector<std::optional<report::MemoryAnswer>> found(questions.size());
  std::mutex mutex;  // of errors
  Progress progress("tests", questions.size());
  parallel_for(questions.size(), [&](std::size_t q) {
    if (interrupt.flag()) return;
    const auto& [test, model] = questions[q];
    consistency::OutcomeOptions options;
    options.signs = signs_within(arguments.timeout);
    try {
      found[q] = report::MemoryAnswer{test->file, test->program, model->name(),
                                      consistency::outcomes(test->program, *model, options)};
      for (const models::ModelPtr& progress_model : arguments.progress) {
        found[q]->progress.push_back(progress_model->name());
      }
      if (!arguments.progress.empty()) {
        found[q]->termination =
            consistency::termination(test->program, *model, arguments.progress, options);
      }
    } catch (const Error& error) {
      const std::lock_guard lock(mutex);
      errors.push_back(error.where().file.empty() ? Error({test->file, 0, 0}, error.what())
                                                  : error);
    }
    progress.advance();
  });

  std::vector<report::MemoryAnswer> answers;
  Outcome outcome;
  for (auto& answer : found) {
    if (!answer) continue;
    if (is_open(*answer)) outcome.limit();
    answers.push_back(std::move(*answer));
  }
  if (arguments.format == "json") {
    print(report::memory_json(answers));
  } else if (arguments.format == "csv") {
    print(report::memory_csv(answers));
  } else if (arguments.format == "herd") {
    print(report::memory_herd(answers));
  } else if (!answers.empty() && !arguments.progress.empty()) {
    print(report::termination_table(answers).to_string(output_style()));
    for (const report::MemoryAnswer& answer : answers) {
      if (is_open(answer)) complain(fmt::format("{}: unknown: {}", answer.file, reason(answer)));
    }
  } else if (!answers.empty()) {
    print(report::memory_table(answers).to_string(output_style()));
  }
  for (const Error& error : errors) complain(error);
  if (!errors.empty()) outcome.bad_input();
  if (interrupt.flag()) outcome.interrupted();
  return outcome;
}

}  // namespace headway::cli
