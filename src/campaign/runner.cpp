#include "campaign/runner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <set>

#include "base/file.hpp"
#include "base/process.hpp"
#include "emit/lower.hpp"

namespace headway::campaign {
namespace {

// How the emitted programs and `headway host` end.
constexpr int kDone = 0;
constexpr int kFailed = 2;
constexpr int kDeviceLost = 3;

Run problem(RunOutcome outcome, const std::string& message) { return {outcome, 0, message}; }

// "run 3: terminated in 0.001234 s": the milliseconds; nothing for any other line.
std::optional<double> milliseconds_of(const std::string& line) {
  const std::string_view phrase = ": terminated in ";
  const std::size_t found = line.find(phrase);
  if (!line.starts_with("run ") || found == std::string::npos) return std::nullopt;
  const char* number = line.c_str() + found + phrase.size();
  char* end = nullptr;
  const double seconds = std::strtod(number, &end);
  if (end == number || !(seconds >= 0)) return std::nullopt;
  return seconds * 1000;
}

constexpr std::string_view kFolderName = "headway-run-";

}  // namespace

Runner::Runner(emit::Target target, const FoundDevice& device, RunOptions options)
    : target_(target),
      device_(device),
      options_(std::move(options)),
      folder_(std::filesystem::temp_directory_path(), kFolderName) {}

std::optional<Run> Runner::compile(const Command& command) const {
  // What a compiler that is ended leaves behind goes with our folder.
  Command inside = {"env", "TMPDIR=" + folder_.path().string()};
  inside.insert(inside.end(), command.begin(), command.end());
  const Finished finished = run_process(inside, options_.preparation, options_.interrupted);
  if (finished.status == kDone) return std::nullopt;
  const std::string why =
      finished.status < 0 ? "did not end in time" : fmt::format("exit status {}", finished.status);
  return problem(RunOutcome::error,
                 fmt::format("{}: {}\n{}{}", command[0], why, finished.output, finished.complaint));
}

Runner::Command Runner::host(const emit::Kernel& kernel, const std::string& file, int runs) const {
  Command command = {options_.headway,
                     "host",
                     to_string(target_),
                     "--kernel",
                     file,
                     "--device",
                     std::to_string(device_.index),
                     "--workgroups",
                     std::to_string(kernel.launch.workgroups()),
                     "--workgroup-size",
                     std::to_string(kernel.threads() / kernel.launch.workgroups()),
                     "--instances",
                     std::to_string(kernel.launch.instances),
                     "--initial",
                     fmt::format("{}", fmt::join(kernel.initial, ",")),
                     "--runs",
                     std::to_string(runs)};
  if (!kernel.groups || !kernel.groups->needs_subgroups()) return command;
  using Kind = emit::OperationUse::Kind;
  const emit::Groups& groups = *kernel.groups;
  command.insert(command.end(),
                 {"--subgroup-size", std::to_string(groups.topology.subgroup_threads())});
  if (groups.fill_subgroups() || target_ == emit::Target::opencl) {
    command.emplace_back("--subgroups-fill");
  }
  if (groups.operates(Kind::all) || groups.operates(Kind::any)) command.emplace_back("--votes");
  if (groups.operates(Kind::shuffle)) command.emplace_back("--shuffles");
  return command;
}

Runner::Prepared Runner::prepare(const emit::Kernel& kernel) const {
  const std::string source = (folder_.path() / ("litmus" + extension(target_))).string();
  const std::string compiled = (folder_.path() / "litmus").string();
  write_file(source, emit::emit(kernel, target_));
  Prepared prepared;
  // The programs need no time limit of their own.
  switch (target_) {
    case emit::Target::cpp:
      prepared.failure =
          compile({cpp_compiler(), "-std=c++20", "-O2", "-pthread", source, "-o", compiled});
      prepared.command = [=](int runs) { return Command{compiled, std::to_string(runs), "0"}; };
      break;
    case emit::Target::cuda:
      prepared.failure = compile({cuda_compiler(), "-std=c++17", "-O2", source, "-o", compiled});
      prepared.command = [=, index = device_.index](int runs) {
        return Command{
            "env",    "CUDA_DEVICE_ORDER=PCI_BUS_ID", fmt::format("CUDA_VISIBLE_DEVICES={}", index),
            compiled, std::to_string(runs),           "0"};
      };
      break;
    case emit::Target::vulkan:
      // Subgroups came with Vulkan 1.1.
      prepared.failure =
          compile({glsl_compiler(), "-V", "--target-env",
                   kernel.groups && kernel.groups->needs_subgroups() ? "vulkan1.1" : "vulkan1.0",
                   source, "-o", compiled});
      prepared.command = [=, this](int runs) { return host(kernel, compiled, runs); };
      break;
    default:
      prepared.command = [=, this](int runs) { return host(kernel, source, runs); };
      break;
  }
  return prepared;
}

bool Runner::run_child(const Prepared& prepared, std::vector<Run>& runs) const {
  using Clock = Process::Clock;
  const auto wanted = static_cast<std::size_t>(options_.iterations);
  Process child(prepared.command(options_.iterations - static_cast<int>(runs.size())));
  bool ready = false;
  long cuts = 0;  // launches of the run that the driver cut short
  Clock::time_point start = Clock::now();
  const auto since_start = [&] {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  while (runs.size() < wanted) {
    const auto limit = ready ? Clock::duration(options_.timeout) : options_.preparation;
    switch (child.wait(start + limit, options_.interrupted)) {
      case Process::Event::line:
        if (const auto milliseconds = milliseconds_of(child.line())) {
          runs.push_back({RunOutcome::terminated, *milliseconds, ""});
        } else if (child.line().starts_with("runs: ")) {
          ready = true;
        } else {
          if (child.line().find(": cut short") != std::string::npos) ++cuts;
          continue;
        }
        start = Clock::now();
        cuts = 0;
        continue;
      case Process::Event::interrupted:
        return false;
      case Process::Event::timed_out: {
        const double milliseconds = since_start();
        child.kill();
        if (!ready) {
          runs.push_back(problem(RunOutcome::error, "was not ready to run in time"));
          return false;
        }
        runs.push_back(
            {RunOutcome::timed_out, milliseconds,
             cuts == 0 ? ""
                       : fmt::format("cut short by the driver, again and again: {} times", cuts)});
        return true;
      }
      case Process::Event::ended:
        break;
    }
    const int status = child.status();
    const double milliseconds = since_start();
    if (status == kFailed || status == kDone || status == 127 || !ready) {
      std::string why = child.complaint();
      if (why.empty()) why = fmt::format("ended early, exit status {}", status);
      runs.push_back({RunOutcome::error, milliseconds, why});
      return false;
    }
    runs.push_back({status == kDeviceLost ? RunOutcome::device_lost : RunOutcome::crashed,
                    milliseconds, child.complaint()});
    return true;
  }
  return false;
}

std::optional<std::vector<Run>> Runner::run(const lang::Test& test, emit::Mapping mapping) {
  const emit::Kernel kernel = emit::lower(test, mapping, options_.instances, options_.emission);
  const Prepared prepared = prepare(kernel);
  if (interrupted()) return std::nullopt;
  if (prepared.failure) return std::vector<Run>{*prepared.failure};
  std::vector<Run> runs;
  while (run_child(prepared, runs)) {
    if (runs.size() == static_cast<std::size_t>(options_.iterations)) break;
  }
  if (interrupted()) return std::nullopt;
  return runs;
}

Results begin_results(const suite::Suite& suite, const FoundDevice& device,
                      const std::vector<emit::Mapping>& mappings, const RunOptions& options) {
  Results results;
  results.version = HEADWAY_VERSION;
  results.started = utc_now();
  results.device = device.device;
  results.suite = suite.path;
  results.tests = identify(suite);
  for (const emit::Mapping mapping : mappings) results.mappings.push_back(to_string(mapping));
  results.instances = options.instances;
  results.iterations = options.iterations;
  results.timeout = static_cast<double>(options.timeout.count());
  results.written = describe(options.emission);
  return results;
}

void run_campaign(Runner& runner, const suite::Suite& suite, Results& results,
                  const RunOptions& options, const std::function<void(const TestRuns&)>& finished) {
  std::set<std::pair<std::size_t, std::size_t>> done;
  for (const TestRuns& runs : results.runs) done.emplace(runs.mapping, runs.test);
  for (std::size_t m = 0; m < results.mappings.size(); ++m) {
    const emit::Mapping mapping = emit::parse_mapping(results.mappings[m]);
    for (std::size_t t = 0; t < suite.tests.size(); ++t) {
      if (done.contains({m, t})) continue;
      if (options.interrupted != nullptr && *options.interrupted) return;
      auto runs = runner.run(suite.tests[t], mapping);
      if (!runs) return;
      results.runs.push_back({t, m, std::move(*runs)});
      finished(results.runs.back());
    }
  }
}

}  // namespace headway::campaign
