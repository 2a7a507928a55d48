// The options that several commands have: their names, what they accept and what they say of
// themselves. What a variable holds is the default, and `description` is said instead of the
// usual text where one is given.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "checker/check.hpp"
#include "emit/emit.hpp"
#include "emit/options.hpp"
#include "lang/subgroup_reading.hpp"

namespace headway::cli {

using Choices = std::vector<std::string>;

// What to read: TEST is one test, PATH a suite or, for devices, also a single test.
void add_test_path(CLI::App& command, std::string& path);
void add_test_paths(CLI::App& command, std::vector<std::string>& paths);
void add_suite_path(CLI::App& command, std::string& path);
void add_test_or_suite_path(CLI::App& command, std::string& path);

// One of a few words. The usual description lists them.
CLI::Option* add_choice_option(CLI::App& command, const std::string& name, std::string& value,
                               const Choices& choices, const std::string& description = {});
void add_format_option(CLI::App& command, std::string& format,
                       const Choices& choices = {"table", "csv", "json"},
                       const std::string& description = {});
void add_fairness_option(CLI::App& command, std::string& fairness,
                         const Choices& choices = {"weak", "strong"},
                         const std::string& description = {});
// Readings of subgroups, several with commas between them.
void add_subgroups_option(CLI::App& command, std::vector<std::string>& readings);
std::vector<lang::SubgroupReading> parse_readings(const std::vector<std::string>& names);
// Those of exploration, each with an option that switches it off.
void add_reduction_options(CLI::App& command, checker::Reductions& reductions);
void add_engine_option(CLI::App& command, std::string& engine);

// Models by name or path, each with its own -m.
void add_models_option(CLI::App& command, std::vector<std::string>& models,
                       const std::string& description = {});
CLI::Option* add_model_option(CLI::App& command, std::string& model,
                              const std::string& description = {});
// Readings, as MODEL:weak; `name` is --pass or --fail.
void add_readings_option(CLI::App& command, const std::string& name,
                         std::vector<std::string>& readings, const std::string& description);

// A whole number from `least` to `most`.
CLI::Option* add_number_option(CLI::App& command, const std::string& name, int& value, int least,
                               int most, const std::string& description);
// Which member of a family, and which members.
void add_threads_option(CLI::App& command, std::optional<int>& threads);
void add_sizes_option(CLI::App& command, std::string& sizes, const std::string& description);

void add_jobs_option(CLI::App& command, int& jobs, const std::string& description = {});
// Takes "3s", "500ms" and "2min" where seconds are asked for.
CLI::Validator as_seconds();
// Seconds, a number above 0.
void add_timeout_option(CLI::App& command, double& seconds, const std::string& description);
// What may decide a test that a limit left open: `advice` (lang::Test), or a higher limit.
std::string what_may_help(Limit limit, const std::string& advice);
void add_max_states_option(CLI::App& command, std::size_t& max_states,
                           const std::string& description = {});
// The two above, for commands that decide suites.
void add_suite_limits(CLI::App& command, int& jobs, std::size_t& max_states);

CLI::Option* add_out_option(CLI::App& command, std::string& out, const std::string& description);
void add_title_option(CLI::App& command, std::string& title);

// What programs for devices are made of.
void add_target_option(CLI::App& command, std::string& target, const Choices& choices,
                       const std::string& description = {});
void add_mapping_option(CLI::App& command, std::string& mapping);
void add_mappings_option(CLI::App& command, std::vector<std::string>& mappings);
void add_instances_option(CLI::App& command, int& instances, const std::string& description);

// How tests are written as programs.
struct EmissionArguments {
  std::string loads = "relaxed";
  std::string await = "refuse";
  bool cooperative = false;

  // Throws headway::Error for what the target has not.
  emit::Options options(emit::Target target) const;
};
void add_emission_options(CLI::App& command, EmissionArguments& arguments);

}  // namespace headway::cli
