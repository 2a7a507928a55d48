#include "cli/check_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "cli/console.hpp"
#include "consistency/models.hpp"
#include "report/memory.hpp"

namespace headway::cli {
namespace fs = std::filesystem;

namespace {

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

void print_tables(std::vector<report::MemoryAnswer> answers) {
  std::vector<report::MemoryAnswer> of_ends, of_conditions;
  for (report::MemoryAnswer& answer : answers) {
    (answer.progress.empty() ? of_conditions : of_ends).push_back(std::move(answer));
  }
  if (!of_conditions.empty()) print(report::memory_table(of_conditions).to_string(output_style()));
  if (of_ends.empty()) return;
  if (!of_conditions.empty()) print("\n");
  print(report::termination_table(of_ends).to_string(output_style()));
  for (const report::MemoryAnswer& answer : of_ends) {
    const std::string asked = fmt::format("{} under {}", answer.program.name, answer.model);
    if (answer.outcomes.error) {
      complain(fmt::format("{}: {} goes wrong: {}", answer.file, asked, answer.outcomes.fault));
    } else if (is_open(answer)) {
      complain(fmt::format("{}: {} is unknown: {}", answer.file, asked, reason(answer)));
    }
  }
}

void print_answers(std::vector<report::MemoryAnswer> answers, const std::string& format) {
  if (format == "json") {
    print(report::memory_json(answers));
  } else if (format == "csv") {
    print(report::memory_csv(answers));
  } else if (format == "herd") {
    print(report::memory_herd(answers));
  } else {
    print_tables(std::move(answers));
  }
}

}  // namespace

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

  struct Question {
    std::string file;
    consistency::Program program;
    const consistency::cat::Model* model;
    const std::vector<models::ModelPtr>* progress;  // that are asked about it
    double seconds;                                 // for each of both questions; 0: any
    bool in_herds_format;
  };
  std::vector<Error> errors = arguments.tests.errors;
  std::vector<Question> questions;
  const auto read = [&](const fs::path& file) {
    KernelArguments kernels = arguments.kernels;
    kernels.stop = StopSigns(&interrupt.flag(), std::nullopt);
    kernels.seconds = seconds_for(file, kernels, arguments.timeout);
    const MemoryTest test = read_memory_test(file, arguments.languages, arguments.sizes, kernels);
    const bool expects = std::ranges::any_of(test.members, [](const lang::Test& member) {
      return member.expects_error || !member.expectations.empty();
    });
    if (expects) {
      complain(
          fmt::format("note: {}: what it expects is of `headway check` without --memory, and "
                      "is not looked at",
                      test.file));
    }
    auto own = asked;
    if (own.empty()) own.push_back(named(memory_of(test)));
    const bool herds = test.in_herds_format();
    const bool as_usual = arguments.progress.empty() && !herds;
    const auto* progress = as_usual ? &arguments.usual : &arguments.progress;
    for (const auto* model : own) {
      try {
        for (consistency::Program& program : programs_of(test, *model, errors)) {
          questions.push_back(
              {test.file, std::move(program), model, progress, kernels.seconds, herds});
        }
      } catch (const Error& error) {
        // Other models have answers all the same.
        if (errors.empty() || errors.back().what() != std::string(error.what())) {
          errors.push_back(error);
        }
      }
    }
  };
  for (const fs::path& file : arguments.tests.files) {
    try {
      read(file);
    } catch (const Error& error) {
      errors.push_back(error);
    }
  }

  std::vector<std::optional<report::MemoryAnswer>> found(questions.size());
  std::mutex mutex;  // of errors
  Progress progress("tests", questions.size());
  parallel_for(questions.size(), [&](std::size_t q) {
    if (interrupt.flag()) return;
    const Question& question = questions[q];
    consistency::OutcomeOptions options;
    options.signs = signs_within(question.seconds);
    // One error says all there is to say of a program.
    options.until_broken = !question.in_herds_format;
    try {
      found[q] =
          report::MemoryAnswer{question.file, question.program, question.model->name(),
                               consistency::outcomes(question.program, *question.model, options)};
      for (const models::ModelPtr& progress_model : *question.progress) {
        found[q]->progress.push_back(progress_model->name());
      }
      if (!question.progress->empty()) {
        found[q]->termination = consistency::termination(question.program, *question.model,
                                                         *question.progress, options);
      }
    } catch (const Error& error) {
      const std::lock_guard lock(mutex);
      errors.push_back(error.where().file.empty() ? Error({question.file, 0, 0}, error.what())
                                                  : error);
    }
    progress.advance();
  });

  std::vector<report::MemoryAnswer> answers;
  Outcome outcome;
  for (std::size_t q = 0; q < found.size(); ++q) {
    if (!found[q]) continue;
    if (is_open(*found[q])) outcome.limit();
    // Of tests in herd's format conditions say what is asked.
    const consistency::Outcomes& of = found[q]->outcomes;
    if (!questions[q].in_herds_format && (of.error || !of.flagged.empty())) outcome.wrong();
    const bool any = of.positive + of.negative > 0 || of.error || !of.flagged.empty();
    if (questions[q].in_herds_format && !any && of.cut.empty()) {
      complain(fmt::format(
          "note: {}: under {} no execution of '{}' comes to its end: its condition is about none",
          found[q]->file, found[q]->model, found[q]->program.name));
    }
    if (questions[q].in_herds_format && !of.cut.empty() && of.decides(found[q]->program)) {
      complain(fmt::format(
          "note: {}: under {} not all executions of '{}' were looked at, so that there may be "
          "other states and races: {}",
          found[q]->file, found[q]->model, found[q]->program.name, of.cut));
    }
    answers.push_back(std::move(*found[q]));
  }
  print_answers(std::move(answers), arguments.format);
  for (const Error& error : errors) complain(error);
  if (!errors.empty()) outcome.bad_input();
  if (interrupt.flag()) outcome.interrupted();
  return outcome;
}

}  // namespace headway::cli
