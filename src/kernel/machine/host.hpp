// A CUDA program as a whole: its host code runs as the one thread of a launch of `main`, and the
// kernels that it launches are explored where it launches them. What a kernel may leave in memory
// is a choice, as unknown data are.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernel/machine/explore.hpp"
#include "kernel/machine/recurrence.hpp"

namespace headway::kernel {

// Why a launch need not end; nothing when it does. `line` is of a loop that goes on; 0: unknown.
struct NotEnding {
  std::string why;
  int line = 0;
};

struct HostOptions {
  ExploreOptions explore;
  MachineOptions machine;
  std::size_t max_paths = 100'000;
  // Whether a launch whose threads wait for each other ends, as far as the user asked; nothing
  // where that cannot be decided. Called with the launch before it runs, and where it is launched.
  std::function<std::optional<NotEnding>(const Module& device, const Launch& launch,
                                         const std::vector<std::uint32_t>& spins,
                                         const Place& launched)>
      ends;
};

// What goes wrong, and where.
struct HostFault {
  Fault fault;
  std::string kernel;  // "main" for the host
  Place place, other;
  Place launched = {};  // of a kernel, where
};

struct HostResult {
  std::vector<HostFault> faults;       // the first of each kind, what is certain before the rest
  std::optional<HostFault> obstacle;   // why not everything was seen
  std::optional<HostFault> open_loop;  // that is not shown to end
  bool complete = false;
  Limit limit = Limit::none;
  std::size_t paths = 0, states = 0;
  bool any_end = false;               // some run came to an end, and was not excluded
  std::vector<std::string> kernels;   // that were launched, in order
  std::vector<std::string> warnings;  // memory that is not freed; kernels that are not launched
  std::vector<std::string> skipped;   // what was not looked at, of runs that are right so far
  std::vector<std::string> premises;  // what the program's runs took for granted
  bool approximated = false;
  bool one_fails = false;  // where more calls could have failed in a run, that was not looked at
};

// `host` has the function main; `device` the kernels. Both must outlive the call.
HostResult run_host_program(const Module& host, const Module& device, const HostOptions& options);

// What a variable holds at first of addresses of other ones.
void write_pointers(Memory& memory, const Object& object, Instance at,
                    const std::vector<Instance>& variables);

// How many workgroups of a kernel the device of host programs runs at a time (cuda_runtime_api.h).
inline constexpr std::uint64_t kDeviceRoom = 2;
// What runs take for granted that ask about it.
inline constexpr const char* kDevice =
    "one device, of compute capability 7.0 with room for two blocks";

// What a kernel may leave behind, of a launch that runs come to by the same choices.
struct KnownLaunch {
  std::size_t choices = 0;  // so many, before it
  std::vector<MachineState> ends;
  FootprintPtr footprint;
  bool approximated = false;
};

// What a machine that runs host code needs besides: one of a run.
struct HostWorld : HostThings {
  const Module* host = nullptr;
  const Module* device = nullptr;
  const HostOptions* options = nullptr;
  HostResult* result = nullptr;
  Launch* launch = nullptr;  // that of main; objects come and go

  std::vector<Instance> device_variables;
  bool default_per_thread = false;  // stream 0 is cudaStreamPerThread
  Instance ended = kNone;           // what stands for the variables of kernels that have ended
  // A configuration that a launch is about to take.
  struct Configuration {
    Size3 grid = {1, 1, 1}, block = {1, 1, 1};
    std::uint64_t shared = 0;
    Cell stream = Cell::of(0);
    Place place;
  };
  std::vector<Configuration> configurations;
  // Of a launch by <<< >>>, whose calls clang puts elsewhere; nothing before another one.
  std::optional<Place> launch_place;
  std::vector<KnownLaunch>* known_launches = nullptr;          // the first ones of this run
  std::size_t launches = 0;                                    // of kernels, in this run
  std::map<const Function*, std::unique_ptr<Code>> functions;  // that have been called
  int depth = 0;                                               // of calls
  Recurrence* recurrence = nullptr;
  bool launched = false;  // a kernel has been
  bool failed = false;    // a call has
  // So many calls that could have succeeded, and of how many that is looked at in a run.
  std::size_t failures = 0, most_failures = 1;
  bool known = false;     // the run has come to where another one has been
  bool excluded = false;  // a kernel that runs no way
  Progressed arrived;     // at the head of a loop, last
  std::map<BlockId, Progressed> arrivals;
  std::uint64_t assumptions = 0, outcomes = 0;  // as in Progressed
  // Of the fault in a kernel that ends a run.
  std::unique_ptr<HostFault> in_kernel;
  // Of a kernel that does not end unless the host writes to memory of both: the fault, as soon as
  // the host does something else.
  std::unique_ptr<HostFault> waits_for_host;
};

}  // namespace headway::kernel
