// headway run: a suite on a device.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "base/progress.hpp"
#include "campaign/runner.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/runnable.hpp"
#include "emit/lower.hpp"

namespace headway::cli {
namespace {

constexpr std::size_t kStatesBeforeRun = 1'000'000;  // for whether a test goes wrong

struct RunArguments : TestArguments {
  using TestArguments::TestArguments;
  std::string path;
  std::string target;
  std::string device;
  std::vector<std::string> mappings = {"plain"};
  int instances = 64;
  int iterations = 20;
  std::string timeout = "5s";
  std::string preset;  // what the options are that are not given
  std::string out;
  std::string format = "table";
  EmissionArguments emission;
  bool force = false;  // run what goes wrong, too
};

// "5s", "500ms", "2min"; a bare number is seconds. Throws headway::Error.
std::chrono::milliseconds parse_duration(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string unit = end;
  const double factor = unit == "ms" ? 1 : unit == "min" ? 60'000 : 1000;
  const double milliseconds = number * factor;
  const bool known = unit.empty() || unit == "s" || unit == "ms" || unit == "min";
  constexpr double most = 24 * 3'600'000.0;
  if (end == text.c_str() || !known || !(milliseconds >= 1) || milliseconds > most) {
    throw Error("--timeout " + text + ": expected a time from 1ms to 24 hours, as 5s, 500ms, 2min");
  }
  return std::chrono::milliseconds(static_cast<long>(milliseconds));
}

enum class Ending { passed, hung, failed };

Ending ending_of(const std::vector<campaign::Run>& runs) {
  Ending ending = Ending::passed;
  for (const campaign::Run& run : runs) {
    if (is_hang(run.outcome)) return Ending::hung;
    if (run.outcome != campaign::RunOutcome::terminated) ending = Ending::failed;
  }
  return ending;
}

struct Tally {
  std::size_t passed = 0;
  std::size_t hung = 0;
  std::size_t failed = 0;

  explicit Tally(const std::vector<campaign::TestRuns>& all) {
    for (const campaign::TestRuns& runs : all) add(runs);
  }
  void add(const campaign::TestRuns& runs) {
    switch (ending_of(runs.runs)) {
      case Ending::passed:
        ++passed;
        break;
      case Ending::hung:
        ++hung;
        break;
      case Ending::failed:
        ++failed;
        break;
    }
  }
  std::string text() const {
    return fmt::format("{} passed, {} hung{}", passed, hung,
                       failed > 0 ? fmt::format(", {} could not be run", failed) : "");
  }
};

long count(const std::vector<campaign::Run>& runs, campaign::RunOutcome outcome) {
  return std::count_if(runs.begin(), runs.end(),
                       [&](const campaign::Run& run) { return run.outcome == outcome; });
}

report::Cell cell(const std::vector<campaign::Run>& runs) {
  switch (ending_of(runs)) {
    case Ending::passed:
      return {"pass", report::Color::green};
    case Ending::failed:
      return {"error", report::Color::yellow};
    case Ending::hung:
      break;
  }
  const long hangs =
      count(runs, campaign::RunOutcome::timed_out) + count(runs, campaign::RunOutcome::device_lost);
  return {fmt::format("hang {}/{}", hangs, runs.size()), report::Color::red};
}

std::string as_table(const campaign::Results& results) {
  std::vector<std::vector<report::Cell>> rows(
      results.tests.size(), std::vector<report::Cell>(results.mappings.size() + 1));
  for (std::size_t t = 0; t < rows.size(); ++t) rows[t][0] = {results.tests[t].name};
  for (const campaign::TestRuns& runs : results.runs) {
    rows[runs.test][runs.mapping + 1] = cell(runs.runs);
  }
  report::TextTable table;
  std::vector<report::Cell> heading = {{"test"}};
  for (const std::string& mapping : results.mappings) heading.push_back({mapping});
  table.add_row(std::move(heading));
  for (auto& row : rows) table.add_row(std::move(row));
  return table.to_string(output_style());
}

std::string as_csv(const campaign::Results& results) {
  report::TextTable table;
  table.add_row({{"test"},
                 {"mapping"},
                 {"terminated"},
                 {"timed_out"},
                 {"device_lost"},
                 {"crashed"},
                 {"error"}});
  for (const campaign::TestRuns& runs : results.runs) {
    std::vector<report::Cell> row = {{results.tests[runs.test].name},
                                     {results.mappings[runs.mapping]}};
    for (const campaign::RunOutcome outcome :
         {campaign::RunOutcome::terminated, campaign::RunOutcome::timed_out,
          campaign::RunOutcome::device_lost, campaign::RunOutcome::crashed,
          campaign::RunOutcome::error}) {
      row.push_back({std::to_string(count(runs.runs, outcome))});
    }
    table.add_row(std::move(row));
  }
  return table.to_csv();
}

std::vector<emit::Mapping> parse_mappings(const std::vector<std::string>& names) {
  std::vector<emit::Mapping> mappings;
  for (const std::string& name : names) {
    const emit::Mapping mapping = emit::parse_mapping(name);
    if (std::find(mappings.begin(), mappings.end(), mapping) == mappings.end()) {
      mappings.push_back(mapping);
    }
  }
  return mappings;
}

// Throws when some test has more workgroups than a launch of so many instances can have.
void require_room(const suite::Suite& suite, const std::vector<emit::Mapping>& mappings,
                  int instances) {
  for (const lang::Test& test : suite.tests) {
    for (const emit::Mapping mapping : mappings) {
      try {
        emit::launch_of(test, mapping, instances);
      } catch (const Error& error) {
        throw Error(test.name + ": " + error.what());
      }
    }
  }
}

// Those tests of a suite that can be put on the target and, unless they are forced, do not go
// wrong.
suite::Suite runnable(suite::Suite suite, const RunArguments& arguments, emit::Target target,
                      const std::vector<emit::Mapping>& mappings, Outcome& outcome) {
  const emit::Options options = arguments.emission.options(target);
  const auto write = [&](const lang::Test& test) {
    for (const emit::Mapping mapping : mappings) {
      emit::emit(emit::lower(test, mapping, arguments.instances, options), target);
    }
  };
  suite = without_refused(std::move(suite), not_expressible(write), outcome);
  if (arguments.force) return suite;
  const auto wrong = [](const lang::Test& test) -> std::optional<std::string> {
    const auto why = goes_wrong(test, kStatesBeforeRun);
    if (!why) return std::nullopt;
    return *why + ", and --force runs it all the same";
  };
  return without_refused(std::move(suite), wrong, outcome);
}

// The campaign at `path` to go on with, or else a new one. What could not be run then may be now.
campaign::Results resume(const std::string& path, campaign::Results wanted) {
  if (!std::filesystem::exists(path)) return wanted;
  campaign::Results there = campaign::read_results(path);
  if (const auto difference = campaign::difference(there, wanted)) {
    throw Error({path, 0, 0}, "holds results of another campaign: " + *difference +
                                  "; remove it, or name another file");
  }
  const auto failed = [](const campaign::TestRuns& runs) {
    return ending_of(runs.runs) == Ending::failed;
  };
  there.runs.erase(std::remove_if(there.runs.begin(), there.runs.end(), failed), there.runs.end());
  return there;
}

// Says what went wrong with the tests that could not be run.
void complain_of_problems(const campaign::Results& results) {
  for (const campaign::TestRuns& runs : results.runs) {
    for (const campaign::Run& run : runs.runs) {
      if (run.outcome == campaign::RunOutcome::terminated || is_hang(run.outcome)) continue;
      complain(fmt::format("{}, {}: {}{}{}", results.tests[runs.test].name,
                           results.mappings[runs.mapping], to_string(run.outcome),
                           run.message.empty() ? "" : ": ", run.message));
      break;
    }
  }
}

// How the paper ran its suites: as many instances as 65,535 workgroups have room for, 20 runs of at
// most 5 s, with CUDA 20 s, under its three mappings; and the same idea for a CPU: eight times as
// many threads as it has cores. What was given on the command line stands.
void apply_preset(RunArguments& arguments, const CLI::App& command, int workgroups) {
  const auto given = [&](const char* option) { return command.count(option) > 0; };
  const bool cpu = arguments.preset == "cpu-oversubscribed";
  const int room = cpu ? 8 * static_cast<int>(std::thread::hardware_concurrency()) : 65'535;
  if (!given("--instances")) arguments.instances = std::max(1, room / std::max(1, workgroups));
  if (!given("--iterations")) arguments.iterations = 20;
  if (!given("--timeout")) arguments.timeout = arguments.target == "cuda" ? "20s" : "5s";
  if (!given("--mapping")) arguments.mappings = {"plain", "round-robin", "chunked"};
}

// The most workgroups that an instance of a test has.
int workgroups_of(const suite::Suite& suite) {
  int most = 1;
  for (const lang::Test& test : suite.tests) {
    most = std::max(most, emit::launch_of(test, emit::Mapping::plain, 1).groups);
  }
  return most;
}

Outcome run(RunArguments arguments, const CLI::App& command) {
  std::vector<Error> errors;
  suite::Suite suite = suite::load_suite(arguments.path, errors, nullptr, arguments.languages);
  for (const Error& error : errors) complain(error);
  if (!errors.empty()) return Outcome().bad_input();  // half a suite is another suite
  if (suite.tests.empty()) throw Error(arguments.path + ": no test to run");
  if (!arguments.preset.empty()) apply_preset(arguments, command, workgroups_of(suite));
  campaign::RunOptions options;
  require_folder_of(arguments.out);
  options.headway = own_path();
  options.instances = arguments.instances;
  options.iterations = arguments.iterations;
  options.timeout = parse_duration(arguments.timeout);
  const auto mappings = parse_mappings(arguments.mappings);
  const auto target = *std::find_if(
      std::begin(campaign::kRunTargets), std::end(campaign::kRunTargets),
      [&](const emit::Target candidate) { return to_string(candidate) == arguments.target; });
  options.emission = arguments.emission.options(target);
  require_room(suite, mappings, arguments.instances);
  const Interrupt interrupt(Interrupt::Patience::without_limit);
  Outcome outcome;
  suite = runnable(std::move(suite), arguments, target, mappings, outcome);
  if (interrupt.flag()) return outcome.interrupted();
  const campaign::FoundDevice device =
      choose_device(campaign::find_devices(target, options.headway), arguments.device);
  campaign::Results results =
      resume(arguments.out, campaign::begin_results(suite, device, mappings, options));
  const std::size_t before = results.runs.size();
  const std::size_t all = results.tests.size() * results.mappings.size();
  if (before > 0) {
    complain(fmt::format("{}: {} of {} done already", arguments.out, before, all));
  }
  campaign::write_results(arguments.out, results);  // a file that cannot be is no late surprise
  options.interrupted = &interrupt.flag();
  Tally tally(results.runs);
  {
    campaign::Runner runner(target, device, options);
    Progress progress("tests", all);
    progress.note(tally.text());
    progress.advance(before);
    campaign::run_campaign(runner, suite, results, options, [&](const campaign::TestRuns& runs) {
      campaign::write_results(arguments.out, results);
      tally.add(runs);
      progress.note(tally.text());
      progress.advance();
    });
  }
  print(arguments.format == "json"  ? campaign::print_results(results)
        : arguments.format == "csv" ? as_csv(results)
                                    : as_table(results));
  complain_of_problems(results);
  complain(fmt::format("{} on {}: {}; written to {}", arguments.target, results.device.name,
                       tally.text(), arguments.out));
  if (tally.failed > 0) outcome.bad_input();
  if (interrupt.flag()) outcome.interrupted();
  return outcome;
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<RunArguments>(context);
  CLI::App* command = app.add_subcommand("run", "Run a suite on a device");
  add_test_or_suite_path(*command, arguments->path);
  add_target_option(*command, arguments->target, {"cpp", "opencl", "vulkan", "cuda"});
  command->add_option("--device", arguments->device,
                      "A part of the name of the device [the first GPU, or else the first]");
  add_mappings_option(*command, arguments->mappings);
  add_instances_option(*command, arguments->instances,
                       "Instances of a test in one launch; the plain mapping has one");
  add_number_option(*command, "--iterations", arguments->iterations, 1, campaign::kMaxIterations,
                    "Runs of a test under a mapping");
  command
      ->add_option("--timeout", arguments->timeout,
                   "What a run may take before it is killed and counts as hung: 5s, 500ms, 2min")
      ->capture_default_str();
  add_choice_option(*command, "--preset", arguments->preset, {"oopsla2021", "cpu-oversubscribed"},
                    "oopsla2021: instances, runs, mappings and time limits of the paper; "
                    "cpu-oversubscribed: eight threads a core. Other options override it");
  add_emission_options(*command, arguments->emission);
  command->add_flag("--force", arguments->force,
                    "Run programs that go wrong, too, which may do anything");
  add_out_option(*command, arguments->out, "The file of results; one that is there is gone on with")
      ->required();
  add_format_option(*command, arguments->format, {"table", "csv", "json"},
                    "Of what is printed: table, csv or json");
  command->footer(
      "The file is written after every test, so that nothing is lost when this ends early.\n"
      "Example: which models does this CPU's OpenCL refute?\n"
      "  headway run litmus/suite/fingerprint -t opencl --mapping plain,chunked -o results.json");
  command->callback(
      [arguments, command, &context] { context.outcome = run(*arguments, *command); });
}

}  // namespace headway::cli
