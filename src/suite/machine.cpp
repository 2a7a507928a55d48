#include "suite/machine.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/bits/group_set.hpp"

namespace headway::suite {
namespace {

using Choice = Machine::Choice;
using Resident = Machine::Resident;

struct Words {
  std::string_view name, text;
};

Words words_of(Choice choice) {
  switch (choice) {
    case Choice::turns:
      return {"turns", "in turns"};
    case Choice::lowest:
      return {"lowest", "the lowest first"};
    case Choice::same:
      return {"same", "one until it blocks or ends"};
    case Choice::highest_last:
      return {"highest-last", "the highest when no other can step"};
  }
  return {};
}

Words words_of_workgroups(const Machine& machine) {
  switch (machine.resident) {
    case Resident::all:
      return words_of(machine.of_workgroups);
    case Resident::one_from_below:
      return {"one-from-below", "to their ends, from 0 up"};
    case Resident::one_from_above:
      return {"one-from-above", "to their ends, from the highest down"};
  }
  return {};
}

// One of `able`, not empty, among `count` siblings: `last` stepped before, -1 at first.
int choose(Choice choice, ThreadSet able, int count, int last) {
  switch (choice) {
    case Choice::turns:
      for (int next = last + 1; next < count; ++next) {
        if (able.contains(next)) return next;
      }
      return able.min();
    case Choice::lowest:
      return able.min();
    case Choice::same:
      return last >= 0 && able.contains(last) ? last : choose(Choice::turns, able, count, last);
    case Choice::highest_last: {
      const ThreadSet others = able - ThreadSet::single(count - 1);
      return choose(Choice::turns, others.empty() ? able : others, count, last);
    }
  }
  return able.min();
}

// The same, but for `forgotten` ones, of which the lowest steps when no other can.
int choose(Choice choice, ThreadSet able, int count, int last, ThreadSet forgotten) {
  const ThreadSet known = able - forgotten;
  return known.empty() ? able.min() : choose(choice, known, count, last);
}

// What a machine remembers of an execution.
struct Memory {
  int last_workgroup = -1;
  std::vector<int> last_thread;  // by workgroup
  ThreadSet workgroups;          // that it has forgotten
  ThreadSet threads;

  friend auto operator<=>(const Memory& a, const Memory& b) { return a.key() <=> b.key(); }

 private:
  std::tuple<int, const std::vector<int>&, std::uint64_t, std::uint64_t> key() const {
    return {last_workgroup, last_thread, workgroups.bits(), threads.bits()};
  }
};

// The threads of a group, counted from its first one.
ThreadSet counted_inside(ThreadSet threads, ThreadSet group) {
  return ThreadSet::of_bits((threads & group).bits() >> group.min());
}

class Run {
 public:
  Run(const lang::Program& program, const Machine& machine)
      : program_(program),
        machine_(machine),
        launch_(program.topology()),
        state_(static_cast<std::size_t>(program.words())),
        next_(state_) {
    program.initial(state_.data());
    memory_.last_thread.resize(static_cast<std::size_t>(launch_.groups(Level::workgroup)), -1);
  }

  bool never_ends() {
    std::set<std::pair<std::vector<lang::Word>, Memory>> seen;
    for (;;) {
      if (alive().empty()) return false;
      if (!seen.emplace(state_, memory_).second) return true;
      const std::optional<int> thread = next_thread();
      if (!thread) return true;
      step(*thread);
    }
  }

 private:
  ThreadSet alive() const {
    return ThreadSet::first(launch_.threads()) - program_.terminated(state_.data());
  }

  // Whom the machine would let step, were he not blocked.
  ThreadSet admitted() const {
    ThreadSet admitted = alive();
    if (machine_.resident != Resident::all) {
      const int thread =
          machine_.resident == Resident::one_from_below ? admitted.min() : admitted.max();
      admitted &= group_around(launch_, Level::workgroup, thread);
    }
    if (!machine_.one_subgroup) return admitted;
    ThreadSet result;
    for (const int workgroup : groups_at(launch_, Level::workgroup, admitted)) {
      const ThreadSet inside = admitted & threads_of(launch_, Level::workgroup, workgroup);
      result |= inside & group_around(launch_, Level::subgroup, inside.min());
    }
    return result;
  }

  std::optional<int> next_thread() {
    const ThreadSet able = admitted() & program_.running(state_.data());
    if (able.empty()) return std::nullopt;
    const int workgroup =
        choose(machine_.of_workgroups, groups_at(launch_, Level::workgroup, able),
               launch_.groups(Level::workgroup), memory_.last_workgroup, memory_.workgroups);
    const ThreadSet group = threads_of(launch_, Level::workgroup, workgroup);
    int& last = memory_.last_thread[static_cast<std::size_t>(workgroup)];
    last = choose(machine_.of_threads, counted_inside(able, group), group.size(), last,
                  counted_inside(memory_.threads, group));
    memory_.last_workgroup = workgroup;
    return group.min() + last;
  }

  void step(int thread) {
    program_.step(state_.data(), thread, next_.data());
    memory_.threads -= ThreadSet::single(thread);
    memory_.workgroups -= groups_at(launch_, Level::workgroup, ThreadSet::single(thread));
    if (machine_.forgets && program_.may_block()) {
      const ThreadSet let_through =
          program_.blocked(state_.data()) - program_.blocked(next_.data());
      if (!let_through.empty()) forget(let_through | ThreadSet::single(thread));
    }
    std::swap(state_, next_);
  }

  void forget(ThreadSet threads) {
    if (machine_.forgets == Level::thread) {
      memory_.threads |= threads;
    } else {
      memory_.workgroups |= groups_at(launch_, Level::workgroup, threads);
    }
  }

  const lang::Program& program_;
  const Machine& machine_;
  const Topology launch_;
  std::vector<lang::Word> state_, next_;
  Memory memory_;
};

}  // namespace

std::string Machine::name() const {
  return fmt::format("{}/{}{}{}", words_of_workgroups(*this).name, words_of(of_threads).name,
                     one_subgroup ? "/one-subgroup" : "",
                     forgets ? fmt::format("/forgets-{}s", headway::to_string(*forgets)) : "");
}

std::string Machine::text() const {
  return fmt::format("workgroups {}; threads {}{}{}", words_of_workgroups(*this).text,
                     words_of(of_threads).text,
                     one_subgroup ? "; one subgroup of a workgroup, to its end" : "",
                     forgets ? fmt::format("; {}s that a barrier lets through when no other can",
                                           headway::to_string(*forgets))
                             : "");
}

std::vector<Machine> machines() {
  std::vector<Machine> result;
  constexpr Choice choices[] = {Choice::turns, Choice::lowest, Choice::same, Choice::highest_last};
  for (const Choice workgroups : choices) {
    for (const Choice threads : choices) {
      result.push_back({.of_workgroups = workgroups, .of_threads = threads});
    }
  }
  for (const Resident resident : {Resident::one_from_below, Resident::one_from_above}) {
    for (const Choice threads : choices) {
      result.push_back({.resident = resident, .of_threads = threads});
    }
  }
  result.push_back({.one_subgroup = true});
  result.push_back({.forgets = Level::thread});
  result.push_back({.forgets = Level::workgroup});
  return result;
}

bool never_ends(const lang::Program& program, const Machine& machine) {
  return Run(program, machine).never_ends();
}

}  // namespace headway::suite
