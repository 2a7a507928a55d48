#include "synth/space/well_formed.hpp"

#include <algorithm>

#include "base/bits/group_set.hpp"
#include "checker/lts/components.hpp"
#include "checker/lts/explore.hpp"
#include "lang/axb/lockstep.hpp"
#include "lang/axb/program.hpp"
#include "lang/axb/source.hpp"

namespace headway::synth {
namespace {

using axb::Instruction;
using checker::Lts;
using checker::StateId;

// What the executions of a test do with each of its instructions.
struct Use {
  bool taken = false;      // the comparison was true
  bool not_taken = false;  // and false
  bool changes = false;    // it changed memory
};

bool all_can_terminate(const lang::Program& program, const Lts& lts) {
  const ThreadSet all = ThreadSet::first(program.threads());
  // Backwards from the states where everything has terminated.
  std::vector<std::vector<StateId>> predecessors(lts.states());
  std::vector<StateId> queue;
  std::vector<bool> seen(lts.states());
  for (StateId state = 0; state < lts.states(); ++state) {
    const auto transitions = lts.from(state);
    if (program.terminated(lts.words(state)) == all) {
      seen[state] = true;
      queue.push_back(state);
    }
    for (const auto& transition : transitions) predecessors[transition.target].push_back(state);
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (StateId from : predecessors[queue[head]]) {
      if (!seen[from]) queue.push_back(from);
      seen[from] = true;
    }
  }
  return queue.size() == lts.states();
}

std::vector<std::vector<Use>> uses(const axb::Code& test, const axb::AxbProgram& program,
                                   const Lts& lts) {
  std::vector<std::vector<Use>> result;
  for (const axb::Thread& thread : test.threads) result.emplace_back(thread.instructions.size());
  for (StateId state = 0; state < lts.states(); ++state) {
    for (const auto& transition : lts.from(state)) {
      const int thread = transition.step.thread;
      const auto pc = program.pc(lts.words(state), thread);
      const Instruction& i = test.threads[thread].instructions[pc];
      if (i.is_barrier()) continue;
      const int old = program.value(lts.words(state), i.location);
      Use& use = result[thread][pc];
      (old == i.check_value ? use.taken : use.not_taken) = true;
      if (i.exchanges && old != i.exchange_value) use.changes = true;
    }
  }
  return result;
}

// Of subgroups in lockstep each lane executes an instruction.
std::vector<std::vector<Use>> uses(const axb::Code& test, const axb::LockstepProgram& program,
                                   const Lts& lts) {
  std::vector<std::vector<Use>> result;
  for (const axb::Thread& thread : test.threads) result.emplace_back(thread.instructions.size());
  for (StateId state = 0; state < lts.states(); ++state) {
    const lang::Word* const words = lts.words(state);
    for (const auto& transition : lts.from(state)) {
      const int thread = transition.step.thread;
      const axb::Lanes lanes = program.lanes(words, thread);
      if (lanes.is_choosing()) continue;
      const Instruction& i = test.threads[thread].instructions[lanes.place()];
      if (i.is_barrier()) continue;
      const int old = i.is_access() ? program.value(words, i.location) : 0;
      const ThreadSet jumping = axb::jumping(i, lanes.active, old);
      Use& use = result[thread][lanes.place()];
      if (!jumping.empty()) use.taken = true;
      if (jumping != lanes.active) use.not_taken = true;
      if (i.exchanges && old != i.exchange_value) use.changes = true;
    }
  }
  return result;
}

bool influences(const axb::Code& test) {
  // Which threads branch on each location, and which use it at all; in lockstep, by lane.
  std::vector<ThreadSet> branching(test.locations.size());
  std::vector<ThreadSet> using_it(test.locations.size());
  const auto threads_of = [&](int t) {
    const int first = first_lane(test, t);
    return ThreadSet::first(first + test.threads[t].lanes) - ThreadSet::first(first);
  };
  // Whether some thread of `self` has no other one among `threads`.
  const auto lonely = [](ThreadSet self, ThreadSet threads) {
    for (const int t : self) {
      if ((threads - ThreadSet::single(t)).empty()) return true;
    }
    return false;
  };
  const auto for_all = [&](auto visit) {
    for (int t = 0; t < test.thread_count(); ++t) {
      for (int i = 0; i < test.threads[t].length(); ++i) {
        const Instruction& instruction = test.threads[t].instructions[i];
        if (!instruction.is_access()) continue;
        visit(threads_of(t), instruction, instruction.jump == i + 1);
      }
    }
  };
  for_all([&](ThreadSet self, const Instruction& i, bool store) {
    using_it[i.location] |= self;
    if (!store) branching[i.location] |= self;
  });
  bool all = true;
  for_all([&](ThreadSet self, const Instruction& i, bool store) {
    if (i.exchanges && lonely(self, branching[i.location])) all = false;
    if (!store && lonely(self, using_it[i.location])) all = false;
  });
  return all;
}

bool barriers_matter(const axb::Code& test) {
  const Topology launch = test.topology();
  for (int t = 0; t < test.thread_count(); ++t) {
    for (const Instruction& i : test.threads[t].instructions) {
      if (!i.is_barrier()) continue;
      const auto threads = [&](Level level) { return group_around(launch, level, t); };
      const ThreadSet group = threads(level_of(i.barrier));
      if (group.size() < 2) return false;
      if (i.barrier == Instruction::Barrier::subgroup && group == threads(Level::workgroup)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

std::string to_string(Constraint constraint) {
  switch (constraint) {
    case Constraint::possible_termination:
      return "possible termination";
    case Constraint::non_termination_cycle:
      return "non-termination cycle";
    case Constraint::all_branches_possible:
      return "all branches possible";
    case Constraint::meaningful_comparisons:
      return "meaningful comparisons";
    case Constraint::inter_thread_influence:
      return "inter-thread influence";
    case Constraint::effective_stores:
      return "effective stores";
    case Constraint::meaningful_barriers:
      return "meaningful barriers";
  }
  return {};
}

std::vector<Constraint> violated_constraints(const axb::Code& test) {
  const auto program = axb::make_program(test);
  checker::Explorer explorer;
  checker::ExploreOptions options;
  options.track_started = false;
  const Lts* lts = explorer.explore(*program, options);
  if (lts == nullptr) throw Error("too many states to say whether this is a litmus test");

  std::vector<Constraint> violated;
  const auto require = [&](bool holds, Constraint constraint) {
    if (!holds) violated.push_back(constraint);
  };
  require(all_can_terminate(*program, *lts), Constraint::possible_termination);
  checker::Components components;
  components.compute(*lts);
  require(components.size() > 0, Constraint::non_termination_cycle);

  const auto* lockstep = dynamic_cast<const axb::LockstepProgram*>(program.get());
  const auto used = lockstep != nullptr
                        ? uses(test, *lockstep, *lts)
                        : uses(test, dynamic_cast<const axb::AxbProgram&>(*program), *lts);
  bool branches = true, meaningful = true, effective = true;
  for (int t = 0; t < test.thread_count(); ++t) {
    for (int i = 0; i < test.threads[t].length(); ++i) {
      const Instruction& instruction = test.threads[t].instructions[i];
      if (instruction.is_barrier()) continue;
      const Use& use = used[t][i];
      const bool store = instruction.jump == i + 1;
      if (store && instruction.is_access()) {
        meaningful = meaningful && instruction.exchanges && instruction.check_value == 0;
      } else {
        meaningful = meaningful && !store;
        branches = branches && use.taken && use.not_taken;
      }
      if (instruction.exchanges) effective = effective && use.changes;
    }
  }
  require(branches, Constraint::all_branches_possible);
  require(meaningful, Constraint::meaningful_comparisons);
  require(influences(test), Constraint::inter_thread_influence);
  require(effective, Constraint::effective_stores);
  require(barriers_matter(test), Constraint::meaningful_barriers);
  return violated;
}

}  // namespace headway::synth
