// Runs the threads of a launch. A thread runs until it parks: before an access that others may meet
// in either order, at a barrier, at an operation of its subgroup, or at its end; what is between is
// nobody else's business, as long as there is no race, which is an error. Unknown data are terms; a
// branch on them is a choice among what a solver does not exclude. Not safe to share between cores.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "kernel/machine/code.hpp"
#include "kernel/machine/happens_before.hpp"
#include "kernel/machine/launch.hpp"
#include "kernel/machine/memory.hpp"
#include "smt/solver.hpp"

namespace headway::kernel {

struct HostWorld;  // machine/host.hpp
struct Beside;     // machine/streams.hpp

enum class FaultKind : std::uint8_t {
  race,
  divergence,
  assertion,
  bounds,
  null,
  alignment,
  freed,
  uninitialized,
  constant,
  division,
  loop,         // that never ends and waits for nobody
  excluded,     // by an assumption: no execution at all
  unsupported,  // no error of the program: the machine cannot go on
  limit,
};

struct Fault {
  FaultKind kind = FaultKind::assertion;
  int thread = -1;
  std::uint32_t instruction = 0;
  // Of a race, or of threads at different barriers.
  int other_thread = -1;
  std::uint32_t other_instruction = 0;
  std::string detail;
  // That it takes place depends on what was approximated: functions of reals, time-outs.
  bool possible = false;
  int absent_lane = -1;   // the one whose value is used, and that took no part in a shuffle
  bool of_tile = false;   // something hangs on memory of a workgroup that nobody has written
  bool of_shift = false;  // something hangs on a shift by too many bits
};

enum class Status : std::uint8_t {
  ready,     // before an instruction that parks
  waiting,   // at a barrier or an operation of its subgroup, for others
  released,  // those others have come
  ended,
};

// A thread that has parked.
struct ThreadState {
  BlockId block = 0;
  std::uint32_t index = 0;
  Status status = Status::ready;
  std::vector<Cell> live;  // as Code::live; of one released, what the operation gave comes last
  mutable std::uint32_t number = 0;  // that it got last (state_key.hpp)
  friend bool operator==(const ThreadState& a, const ThreadState& b) {
    return a.block == b.block && a.index == b.index && a.status == b.status && a.live == b.live;
  }
  std::size_t hash() const;
};
using ThreadStatePtr = std::shared_ptr<const ThreadState>;

struct MachineState {
  std::vector<ThreadStatePtr> threads;
  Memory memory;
  std::optional<HappensBefore> order;  // where races are looked for
  std::vector<smt::Term> path;         // what is known of unknown data; sorted
  std::uint32_t unknowns = 0;          // values made up so far
  std::optional<Fault> fault;
};

// Which way a run goes where unknown data decide: alternatives in their order.
struct Script {
  struct Choice {
    std::uint32_t taken = 0, of = 1;
  };
  std::vector<Choice> choices;
  // To the next run; false when there is none.
  bool advance();
};

struct MachineOptions {
  bool races = true;
  bool count_benign = false;  // writes of the same value race, too
  // Every atomic access releases and acquires, for all threads: to see whether that is what a race
  // is about.
  bool strong_atomics = false;
  // Of kernels: no more is computed than what errors and waiting depend on (needed.hpp).
  bool sliced = false;
  // What is written to memory that outlives the launch has to be set.
  bool results = false;
  bool steps_at_barriers = false;          // arriving and passing are steps, as progress sees them
  std::uint64_t local_steps = 20'000'000;  // instructions between two parks
  std::chrono::milliseconds query{2000};
  StopSigns stop;  // looked at in long steps and before questions; a stop is FaultKind::limit
  // What is known of unknown data from before the launch.
  std::vector<smt::Term> path;
  std::uint32_t unknowns = 0;
  const Beside* beside = nullptr;  // what runs at the same time, if anything may
};

// Who looks on while threads run, and sees each instruction with the registers behind it.
struct Watcher {
  virtual ~Watcher() = default;
  virtual void done(int thread, std::uint32_t instruction, const std::vector<Cell>& registers) = 0;
  // Of blocks that follow each other.
  virtual void went(int thread, BlockId from, BlockId to) = 0;
};

// The operand that names threads, of an operation of a subgroup or a barrier that has one.
std::optional<std::size_t> mask_operand(const Instruction& at);

// Whether threads meet there by what their masks name, at whichever place each of them waits.
bool meets_by_mask(const Module& module, const Instruction& i);

class Machine {
 public:
  // All must outlive the machine. `launch` has been expanded.
  Machine(const Code& code, const Launch& launch, smt::Context& terms, smt::Solver* solver,
          const MachineOptions& options);
  ~Machine();

  const Code& code() const { return code_; }
  const Launch& launch() const { return launch_; }
  const MachineOptions& options() const { return options_; }

  // From now on this is host code, whose calls are those of `world`.
  void run_as_host(HostWorld* world) { host_ = world; }

  // Of what runs from now on; null for nobody.
  void show(Watcher* watcher) { watcher_ = watcher; }

  // All threads at their first park, unless there is a fault.
  MachineState initial(Script& script);
  // The step of a thread that is ready or released. A state with a fault stays as it is: threads
  // may stand nowhere there. A step that was taken before may have one, too, as time runs out.
  void step(MachineState& state, int thread, Script& script);
  // The access that a ready thread would make: object, place, width; nothing where it is not known.
  struct Touch {
    Instance object = kNone;
    std::uint64_t at = 0;
    int bytes = 0;
    Effect effect = Effect::writes;
  };
  std::optional<Touch> touch(const MachineState& state, int thread) const;

  // A plain load that a thread repeats for ever: to be made a place that parks.
  const std::vector<std::uint32_t>& spins() const { return spins_; }
  // Whether a solver gave no answer, or a function of reals was taken for any.
  bool approximated() const { return approximated_; }
  // Whether it is not sure that data make all of them true, as they are about something that was
  // approximated, and no data were found by trying.
  bool doubts(const std::vector<smt::Term>& facts) const;
  // Whether data were taken to lead nowhere beyond a buffer whose size nobody gave.
  bool trusts_data() const { return trusts_data_; }

 private:
  class Runner;
  friend class Runner;
  // What a function of terms that the solver takes for any gives for given operands.
  using Computed = std::function<std::optional<std::uint64_t>(const std::vector<std::uint64_t>&)>;
  bool holds(const std::vector<smt::Term>& facts, const std::vector<smt::Term>& leaves,
             const std::function<std::uint64_t(smt::Term)>& data) const;

  const Code& code_;
  const Launch& launch_;
  smt::Context& terms_;
  smt::Solver* solver_;
  MachineOptions options_;
  std::vector<std::uint32_t> spins_;
  bool approximated_ = false;
  std::map<std::string, Computed, std::less<>> functions_;
  bool trusts_data_ = false;
  // What has been asked of the solver.
  std::map<std::vector<std::uint64_t>, smt::Answer> answers_;
  HostWorld* host_ = nullptr;
  Watcher* watcher_ = nullptr;
  std::unique_ptr<Runner> runner_;
};

}  // namespace headway::kernel
