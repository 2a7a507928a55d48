// Runs tests on a device. Every test runs in child processes of its own, so that a kernel that
// hangs, or a driver that crashes, ends with its process and no more: a child that has not finished
// a run by the time limit is killed, and another one goes on with the runs that are left.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/scratch_folder.hpp"
#include "campaign/devices.hpp"
#include "campaign/results.hpp"
#include "emit/emit.hpp"

namespace headway::campaign {

struct RunOptions {
  std::string headway;  // the path of headway itself, which hosts OpenCL and Vulkan
  int instances = 1;
  emit::Options emission;                   // how tests are written
  int iterations = 1;                       // runs of a test
  std::chrono::milliseconds timeout{5000};  // of a run
  std::chrono::seconds preparation{120};    // for a compiler, and for a child before its first run
  const std::atomic<bool>* interrupted = nullptr;
};

class Runner {
 public:
  Runner(emit::Target target, const FoundDevice& device, RunOptions options);

  // What became of the runs of a test, in order: fewer than `iterations` when the test could not be
  // run. Nothing after an interruption. Throws headway::Error when nothing else could be run
  // either.
  std::optional<std::vector<Run>> run(const lang::Test& test, emit::Mapping mapping);

 private:
  using Command = std::vector<std::string>;

  // The command that makes so many runs of `kernel`; a Run with what went wrong instead.
  struct Prepared {
    std::function<Command(int)> command;
    std::optional<Run> failure;
  };
  Prepared prepare(const emit::Kernel& kernel) const;
  std::optional<Run> compile(const Command& command) const;
  Command host(const emit::Kernel& kernel, const std::string& file, int runs) const;
  // Starts one child and appends what becomes of its runs. False when the test is given up.
  bool run_child(const Prepared& prepared, std::vector<Run>& runs) const;
  bool interrupted() const { return options_.interrupted != nullptr && *options_.interrupted; }

  emit::Target target_;
  FoundDevice device_;
  RunOptions options_;
  ScratchFolder folder_;
};

// Results in which nothing has been run yet.
Results begin_results(const suite::Suite& suite, const FoundDevice& device,
                      const std::vector<emit::Mapping>& mappings, const RunOptions& options);

// Runs what `results`, a campaign over `suite`, lacks, and calls `finished` after each test, when
// it is in `results`. Returns early after an interruption.
void run_campaign(Runner& runner, const suite::Suite& suite, Results& results,
                  const RunOptions& options, const std::function<void(const TestRuns&)>& finished);

}  // namespace headway::campaign
