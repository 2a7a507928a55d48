// What becomes of one launch, whatever is scheduled: whether it goes wrong, and how; whether it
// ends under every model because nobody waits; or else a program for the checker to decide.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernel/machine/explore.hpp"
#include "kernel/machine/lockstep.hpp"
#include "kernel/test/launch_spec.hpp"
#include "kernel/test/program.hpp"

namespace headway::kernel {

struct AnalysisOptions {
  ExploreOptions explore;
  bool count_benign = false;
};

struct Analysis {
  Exploration exploration;
  std::vector<std::string> notes;    // defaults of the launch
  std::string open;                  // what was not decided beside the verdict; or empty
  std::vector<std::uint32_t> spins;  // plain loads by which threads wait
  // Of workgroups of a size that nobody gave: whether something goes wrong that may be for want of
  // threads.
  bool lacks_threads = false;
  bool lacks_tile = false;  // which of these is a branch or an address by what none has written
  std::optional<SubgroupWait> wait;  // that lockstep makes endless
  bool is_proved = false;            // to end, though not all of it has been looked at
  std::shared_ptr<Runnable> run;     // with races; to follow traces and name places
  // Ends under every model.
  bool terminates() const {
    return exploration.complete && exploration.faults.empty() && !exploration.has_cycle;
  }
};

Analysis analyse(const std::shared_ptr<const Module>& module, const Function& function,
                 const LaunchSpec& spec, const std::shared_ptr<const SourceText>& text,
                 const AnalysisOptions& options);

// The program for the checker: of a launch that waits, of the trace of a fault, or of one that
// ends. Throws lang::Undecided where there is none.
std::unique_ptr<lang::Program> checker_program(const Analysis& analysis, const LaunchSpec& spec);

// What decides whether the launch ends, as a program of the idiom language (slice/slice.hpp),
// called `name`. Throws lang::Undecided where there is none: of launches that go wrong, and where
// slice::make_slice() does.
std::string slice_of(const Analysis& analysis, const LaunchSpec& spec, const std::string& name,
                     const std::string& comment, const ExploreOptions& options);

// The state that a trace leads to. Its fault may be that there was no time to follow the trace.
MachineState state_behind(const Runnable& run, const Script& start,
                          const std::vector<TraceStep>& trace);

// The moments of the trace of a fault.
std::vector<TraceProgram::Moment> moments(const Analysis& analysis, const FoundFault& fault,
                                          std::string& end_memory);

// Lines with an atomic access, a barrier, an operation of a subgroup or an assertion to which no
// thread comes, in a launch of which all has been seen and nothing goes wrong: nothing is said of
// what happens there.
std::vector<int> unreached_lines(const Analysis& analysis);

// What may decide a launch that takes too long: values for integers that it does not give, as
// options, "--arg n=8"; a proof for all data, where they are unknown. Empty where it gives all.
std::string advice(const Analysis& analysis);

std::string_view to_string(FaultKind kind);
// What is said of a fault in workgroups of a size that nobody gave.
std::string not_asked_for(int threads);
// "race: line 8 (thread 3) and line 11 (thread 0): a read and a write of ..."
std::string fault_text(const Runnable& run, const Fault& fault);

}  // namespace headway::kernel
