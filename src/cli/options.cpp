#include "cli/options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "checker/check.hpp"
#include "cli/mistakes.hpp"
#include "emit/launch.hpp"
#include "lang/test.hpp"

namespace headway::cli {
namespace {

const std::string kModel = "A model by name (OBE, 'OBE-k(k=3)') or the path of a model file";
const std::string kMapping =
    "Which workgroup is which thread of which instance: plain, round-robin, chunked or hybrid";
const Choices kMappings = {"plain", "round-robin", "chunked", "hybrid"};

const std::string& either(const std::string& description, const std::string& usual) {
  return description.empty() ? usual : description;
}

// The default is part of the help, where there is one.
CLI::Option* add_text(CLI::App& command, const std::string& name, std::string& value,
                      const std::string& description) {
  CLI::Option* option = command.add_option(name, value, description);
  if (!value.empty()) option->capture_default_str();
  return option;
}

}  // namespace

void add_test_path(CLI::App& command, std::string& path) {
  command.add_option("TEST", path, "A test file, or - for standard input")->required();
}

void add_test_paths(CLI::App& command, std::vector<std::string>& paths) {
  command.add_option("TEST", paths, "Test or kernel files, or - for standard input")->required();
}

void add_suite_path(CLI::App& command, std::string& path) {
  command
      .add_option("PATH", path,
                  "A folder of tests, a file of documents (.jsonl, .yaml), a test, or - for "
                  "standard input")
      ->required();
}

void add_test_or_suite_path(CLI::App& command, std::string& path) {
  command.add_option("PATH", path, "A test or a suite: a file, a folder, or - for standard input")
      ->required();
}

CLI::Option* add_choice_option(CLI::App& command, const std::string& name, std::string& value,
                               const Choices& choices, const std::string& description) {
  return add_text(command, name, value, either(description, listed(choices)))
      ->check(one_of(choices));
}

void add_format_option(CLI::App& command, std::string& format, const Choices& choices,
                       const std::string& description) {
  add_choice_option(command, "--format", format, choices, description);
}

void add_subgroups_option(CLI::App& command, std::vector<std::string>& readings) {
  std::string names;
  for (const lang::ReadingRules& rules : lang::subgroup_readings()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", rules.name);
  }
  command
      .add_option("--subgroups", readings,
                  fmt::format("How the threads of a subgroup run, whatever the text says: {}; "
                              "several with commas between them, or repeated, a row each",
                              names))
      ->delimiter(',');
}

std::vector<lang::SubgroupReading> parse_readings(const std::vector<std::string>& names) {
  std::vector<lang::SubgroupReading> readings;
  readings.reserve(names.size());
  for (const std::string& name : names) readings.push_back(lang::subgroup_reading_named(name));
  return readings;
}

void add_reduction_options(CLI::App& command, checker::Reductions& reductions) {
  const auto off = [&command](const char* name, bool& reduction, const char* description) {
    command
        .add_flag_callback(
            name, [&reduction] { reduction = false; }, description)
        ->group("Reductions (verdicts are the same without)");
  };
  off("--no-symmetry", reductions.symmetry, "Tell threads apart that run the same code");
  off("--no-layers", reductions.layers,
      "Build the whole transition system in memory, also of a large test");
  off("--no-sleep-sets", reductions.sleep_sets,
      "Take every order of steps that do not affect each other");
  off("--no-silent-steps", reductions.silent_steps,
      "Take steps at barriers that nobody can tell like any other step");
  off("--full-history", reductions.history,
      "Tell states apart by which threads have started, also when no model looks at it");
  off("--no-early-stop", reductions.early_stop,
      "Explore a large test to the end, also when all verdicts are known");
}

void add_fairness_option(CLI::App& command, std::string& fairness, const Choices& choices,
                         const std::string& description) {
  add_choice_option(command, "-f,--fairness", fairness, choices, description);
}

void add_engine_option(CLI::App& command, std::string& engine) {
  add_choice_option(command, "--engine", engine, {"auto", "explicit", "sat"});
}

void add_models_option(CLI::App& command, std::vector<std::string>& models,
                       const std::string& description) {
  command.add_option("-m,--model,--models", models,
                     either(description, kModel + "; may be repeated [all six standard models]"));
}

CLI::Option* add_model_option(CLI::App& command, std::string& model,
                              const std::string& description) {
  return add_text(command, "-m,--model", model, either(description, kModel));
}

void add_readings_option(CLI::App& command, const std::string& name,
                         std::vector<std::string>& readings, const std::string& description) {
  command.add_option(name, readings, description);
}

CLI::Option* add_number_option(CLI::App& command, const std::string& name, int& value, int least,
                               int most, const std::string& description) {
  return command.add_option(name, value, description)
      ->check(CLI::Range(least, most))
      ->capture_default_str();
}

void add_threads_option(CLI::App& command, std::optional<int>& threads) {
  command.add_option("-n,--threads", threads, "The number of threads of a family's member")
      ->check(CLI::Range(1, kMaxThreads));
}

void add_sizes_option(CLI::App& command, std::string& sizes, const std::string& description) {
  add_text(command, "-n,--threads", sizes, description);
}

void add_jobs_option(CLI::App& command, int& jobs, const std::string& description) {
  command.add_option("-j,--jobs", jobs, either(description, "Cores to use [all]"))
      ->check(CLI::Range(1, 1024));
}

CLI::Validator as_seconds() {
  return CLI::Validator(
      [](std::string& text) {
        // "ms" before "s", which it ends in.
        for (const auto& [unit, seconds] : {std::pair("min", 60.0), {"ms", 0.001}, {"s", 1.0}}) {
          const std::string ending = unit;
          double value = 0;
          if (!text.ends_with(ending)) continue;
          if (CLI::detail::lexical_cast(text.substr(0, text.size() - ending.size()), value)) {
            text = fmt::format("{}", value * seconds);
          }
          break;
        }
        return std::string();
      },
      "");
}

void add_timeout_option(CLI::App& command, double& seconds, const std::string& description) {
  command.add_option("--timeout", seconds, description)
      ->check([](const std::string& text) {
        double value = 0;
        const bool number = CLI::detail::lexical_cast(text, value);
        return number && std::isfinite(value) && value > 0
                   ? std::string()
                   : fmt::format("expected seconds, a number above 0 such as 30 or 30s, found '{}'",
                                 text);
      })
      // The latest comes first.
      ->transform(as_seconds());
}

std::string what_may_help(Limit limit, const std::string& advice) {
  if (!advice.empty()) return advice;
  if (limit == Limit::time) return "a higher --timeout";
  return limit == Limit::memory ? "a higher --max-memory" : "a higher --max-states";
}

void add_max_states_option(CLI::App& command, std::size_t& max_states,
                           const std::string& description) {
  command.add_option("--max-states", max_states, either(description, "States to explore"))
      ->check(CLI::Range(std::size_t{1}, checker::kHighestMaxStates))
      ->capture_default_str();
}

void add_suite_limits(CLI::App& command, int& jobs, std::size_t& max_states) {
  add_jobs_option(command, jobs, "Tests to decide at a time [one a core]");
  add_max_states_option(command, max_states, "States to explore of each test");
}

CLI::Option* add_out_option(CLI::App& command, std::string& out, const std::string& description) {
  return add_text(command, "-o,--out", out, description)->check([](const std::string& value) {
    return value.empty() ? "expected a name, found ''" : std::string();
  });
}

void add_title_option(CLI::App& command, std::string& title) {
  add_text(command, "--title", title, "What the page is called [PATH]");
}

void add_target_option(CLI::App& command, std::string& target, const Choices& choices,
                       const std::string& description) {
  add_choice_option(command, "-t,--target", target, choices, description)->required();
}

void add_mapping_option(CLI::App& command, std::string& mapping) {
  add_choice_option(command, "--mapping", mapping, kMappings, kMapping);
}

void add_mappings_option(CLI::App& command, std::vector<std::string>& mappings) {
  command.add_option("--mapping", mappings, kMapping + "; or several, by commas")
      ->delimiter(',')
      ->check(one_of(kMappings))
      ->capture_default_str();
}

void add_instances_option(CLI::App& command, int& instances, const std::string& description) {
  add_number_option(command, "--instances", instances, 1, emit::kMaxWorkgroups, description);
}

emit::Options EmissionArguments::options(emit::Target target) const {
  if (cooperative && target != emit::Target::cuda) {
    throw Error("--cooperative is for the target cuda, which alone has such launches");
  }
  return {emit::parse_loads(loads), cooperative, await == "spin"};
}

void add_emission_options(CLI::App& command, EmissionArguments& arguments) {
  add_choice_option(command, "--loads", arguments.loads, {"relaxed", "rmw"},
                    "How threads look at memory: relaxed atomic loads, or read-modify-writes that "
                    "change nothing");
  add_choice_option(command, "--await", arguments.await, {"refuse", "spin"},
                    "An await(e): refuse it, or write it as a loop, which needs another promise");
  command.add_flag("--cooperative", arguments.cooperative,
                   "CUDA: a cooperative launch, which barrier(grid) needs");
}

}  // namespace headway::cli
