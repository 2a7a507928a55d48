// Launches as programs, for the checker: a step is one access whose order matters, an arrival at a
// barrier or the way past it, with what the thread does alone behind it. States are numbers of
// parts, which are kept once. Safe to share between cores, one of which runs at a time.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernel/machine/explore.hpp"
#include "kernel/machine/state_key.hpp"
#include "lang/program.hpp"

namespace headway::kernel {

// Lines of the source files of a module, for people.
class SourceText {
 public:
  SourceText(const Module& module, const std::string& folder);
  // Without white space around it; empty when unknown.
  std::string line(const Place& place) const;

 private:
  std::vector<std::vector<std::string>> lines_;
};

// What a launch needs to run; all parts belong together.
struct Runnable {
  std::shared_ptr<const Module> module;
  Launch launch;
  std::unique_ptr<Code> code;
  std::unique_ptr<smt::Context> terms;
  std::unique_ptr<smt::Solver> solver;
  std::unique_ptr<Machine> machine;
  std::shared_ptr<const SourceText> text;
};
// `spins` as of Code.
std::unique_ptr<Runnable> make_runnable(std::shared_ptr<const Module> module, Launch launch,
                                        std::unique_ptr<smt::Context> terms,
                                        const std::vector<std::uint32_t>& spins,
                                        const MachineOptions& options,
                                        std::shared_ptr<const SourceText> text);

// "reads flag[0] = 1": what the step of a thread does, by the states around it.
std::string describe_effect(const Runnable& of, const MachineState& before,
                            const MachineState& after, int thread);
// "reads flag[0]": what an access did, by the registers behind it.
std::string describe_access(const Runnable& of, std::uint32_t instruction,
                            const std::vector<Cell>& registers);
std::string describe_shared(const Runnable& of, const MachineState& state);
std::string describe_place(const Runnable& of, const MachineState& state, int thread);

class KernelProgram : public lang::Program {
 public:
  // Of at most 64 threads. Its machine takes steps at barriers.
  explicit KernelProgram(std::unique_ptr<Runnable> of);

  void initial(lang::Word* state) const override;
  ThreadSet terminated(const lang::Word* state) const override;
  ThreadSet blocked(const lang::Word* state) const override;
  ThreadSet failed(const lang::Word* state) const override;
  int choices(const lang::Word* state, int thread) const override;
  bool step(const lang::Word* state, lang::Step step, lang::Word* next) const override;
  lang::StepText describe_step(const lang::Word* state, lang::Step step) const override;
  std::string describe_memory(const lang::Word* state) const override;
  std::string describe_thread(const lang::Word* state, int thread) const override;

 private:
  using Words = std::vector<lang::Word>;

  std::uint32_t local(const lang::Word* state, int thread) const;
  ThreadSet with(const lang::Word* state, Status status) const;
  Words encoded(MachineState& state) const;
  MachineState decoded(const lang::Word* state) const;
  const std::vector<Words>& outcomes(const lang::Word* state, int thread) const;
  void compute_outcomes(const lang::Word* state, int thread) const;
  bool is_alone(const lang::Word* state, int thread) const;

  std::unique_ptr<Runnable> of_;
  mutable std::mutex mutex_;
  mutable Numbers<ThreadState> locals_;
  mutable std::vector<Status> statuses_;  // by local
  mutable std::vector<bool> failures_;
  mutable Numbers<Page> pages_;
  struct Rest {  // of a state: memory and what is known of unknown data
    std::vector<std::uint64_t> key;
    Memory memory;
    std::vector<smt::Term> path;
    std::uint32_t unknowns = 0;
  };
  mutable std::unordered_map<std::vector<std::uint64_t>, std::uint32_t, VectorHash> rest_numbers_;
  mutable std::vector<std::unique_ptr<Rest>> rests_;
  // A step that is nobody else's business depends on the thread's local state and on the rest, and
  // changes these alone: by thread, from both numbers to those of its outcomes.
  using Parts = std::pair<std::uint32_t, std::uint32_t>;
  mutable std::vector<std::unordered_map<std::uint64_t, std::vector<Parts>>> known_steps_;
  // The outcomes that were asked for last.
  mutable std::vector<lang::Word> last_state_;
  mutable int last_thread_ = -1;
  mutable std::vector<Words> last_outcomes_;
  Words initial_;
};

// An execution that goes wrong, step by step, with nothing beside it; or, without steps, a launch
// that ends whatever is scheduled.
class TraceProgram : public lang::Program {
 public:
  struct Moment {
    int thread = 0;
    lang::StepText text;
    std::string memory;
  };
  // `launch` has at most 64 threads.
  TraceProgram(const Topology& launch, std::vector<Moment> moments, std::string end_memory);

  void initial(lang::Word* state) const override { state[0] = state[1] = 0; }
  ThreadSet terminated(const lang::Word* state) const override;
  ThreadSet blocked(const lang::Word* state) const override;
  ThreadSet failed(const lang::Word* state) const override;
  bool step(const lang::Word* state, lang::Step step, lang::Word* next) const override;
  lang::StepText describe_step(const lang::Word* state, lang::Step step) const override;
  std::string describe_memory(const lang::Word* state) const override;
  std::string describe_thread(const lang::Word* state, int thread) const override;

 private:
  std::vector<Moment> moments_;
  std::string end_memory_;
};

}  // namespace headway::kernel
