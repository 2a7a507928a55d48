#include "kernel/machine/lockstep.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headway::kernel {
namespace {

constexpr std::size_t kMostBlocks = 10'000;  // that a thread is followed through
constexpr int kMostSteps = 64;               // after which a write has to come

// The blocks that a thread has come through.
struct Way {
  struct Entry {
    BlockId block = 0;
    std::uint32_t steps = 0;  // that it had taken
  };
  std::vector<Entry> entries = {{}};
  std::uint32_t steps = 0;
};

class Ways : public Watcher {
 public:
  Ways(const Code& code, int threads) : code_(code), of_(static_cast<std::size_t>(threads)) {}

  void done(int thread, std::uint32_t instruction, const std::vector<Cell>&) override {
    if (code_.parks(instruction)) ++of_[static_cast<std::size_t>(thread)].steps;
  }
  void went(int thread, BlockId from, BlockId to) override {
    Way& way = of_[static_cast<std::size_t>(thread)];
    // Where both ways of a branch are taken together there is no way to tell.
    if (way.entries.back().block != from || way.entries.size() >= kMostBlocks) broken_ = true;
    if (!broken_) way.entries.push_back({to, way.steps});
  }

  const Way& of(int thread) const { return of_[static_cast<std::size_t>(thread)]; }
  bool broken() const { return broken_; }
  std::size_t longest() const {
    std::size_t result = 0;
    for (const Way& way : of_) result = std::max(result, way.entries.size());
    return result;
  }

 private:
  const Code& code_;
  std::vector<Way> of_;
  bool broken_ = false;
};

// How two threads of a subgroup stand to each other where it runs in lockstep.
enum class Standing {
  together,     // they have not parted; one of them may be ahead
  first_waits,  // where their ways come together, for the second one
  second_waits,
  first_side,  // on two sides of a branch, and only the first has gone on there since
  second_side,
  either_side,
  impossible,
};

Standing standing(const Code& code, const Way& a, const Way& b) {
  std::size_t i = 0, j = 0;
  for (;;) {
    while (i < a.entries.size() && j < b.entries.size() &&
           a.entries[i].block == b.entries[j].block) {
      ++i;
      ++j;
    }
    if (i == a.entries.size() || j == b.entries.size()) return Standing::together;
    const BlockId join = code.joins(a.entries[i - 1].block);
    const auto find = [&](const Way& way, std::size_t from) {
      while (from < way.entries.size() && way.entries[from].block != join) ++from;
      return from;
    };
    const std::size_t a_join = find(a, i);
    const std::size_t b_join = find(b, j);
    const bool a_there = a_join < a.entries.size();
    const bool b_there = b_join < b.entries.size();
    if (a_there && b_there) {
      i = a_join;
      j = b_join;
      continue;
    }
    // Who is there has to wait, so that it has taken no step since.
    const auto waits = [](const Way& way, std::size_t at) {
      return way.entries[at].steps == way.steps;
    };
    if (a_there) return waits(a, a_join) ? Standing::first_waits : Standing::impossible;
    if (b_there) return waits(b, b_join) ? Standing::second_waits : Standing::impossible;
    const bool a_stepped = a.entries[i].steps < a.steps;
    const bool b_stepped = b.entries[j].steps < b.steps;
    if (a_stepped && b_stepped) return Standing::impossible;
    return a_stepped   ? Standing::first_side
           : b_stepped ? Standing::second_side
                       : Standing::either_side;
  }
}

class Judge {
 public:
  Judge(Machine& machine, const Standoff& standoff)
      : machine_(machine),
        waiting_(standoff.waiting),
        ways_(machine.code(), machine.launch().threads()) {
    machine_.show(&ways_);
    Script start = standoff.start;
    state_ = machine_.initial(start);
    for (const TraceStep& step : standoff.trace) {
      Script script = step.script;
      machine_.step(state_, step.thread, script);
    }
  }
  ~Judge() { machine_.show(nullptr); }
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  std::optional<SubgroupWait> find() {
    if (state_.fault) return {};
    // Those that wait go round until nobody has come further.
    const std::size_t longest = ways_.longest();
    for (const int thread : waiting_) {
      const Way& way = ways_.of(thread);
      const ThreadStatePtr at = state_.threads[static_cast<std::size_t>(thread)];
      MachineState state = state_;
      while (way.entries.size() <= longest) {
        const std::size_t before = way.entries.size();
        if (!step(state, thread) || way.entries.size() == before) return {};
        if (!(*state.threads[static_cast<std::size_t>(thread)] == *at)) return {};
      }
    }
    machine_.show(nullptr);
    if (ways_.broken()) return {};
    const int threads = machine_.launch().threads();
    for (int a = 0; a < threads; ++a) {
      for (int b = a + 1; b < threads; ++b) {
        if (!are_mates(a, b)) continue;
        if (standing_of(a, b) == Standing::impossible) return {};
      }
    }
    std::optional<SubgroupWait> result;
    for (int other = 0; other < threads; ++other) {
      const Status status = state_.threads[static_cast<std::size_t>(other)]->status;
      if (status != Status::ready && status != Status::released) continue;
      if (is_waiting(other)) continue;
      const std::optional<SubgroupWait> wait = wait_behind(other);
      if (!wait) return {};
      if (!result && wait->release != kNone) result = wait;
    }
    return result;
  }

 private:
  bool are_mates(int a, int b) const {
    const Launch& launch = machine_.launch();
    return a != b && launch.subgroup_of(a) == launch.subgroup_of(b);
  }
  bool is_waiting(int thread) const {
    return std::find(waiting_.begin(), waiting_.end(), thread) != waiting_.end();
  }
  Standing standing_of(int a, int b) const {
    return standing(machine_.code(), ways_.of(a), ways_.of(b));
  }
  // Whether that could be done without a choice.
  bool step(MachineState& state, int thread) {
    Script script;
    machine_.step(state, thread, script);
    const bool chose = std::any_of(script.choices.begin(), script.choices.end(),
                                   [](const Script::Choice& choice) { return choice.of > 1; });
    return !chose && !state.fault;
  }
  // Whether the step of a thread leads it to where it is.
  bool stays(const MachineState& state, int thread) {
    MachineState next = state;
    const bool took = step(next, thread);
    const auto at = static_cast<std::size_t>(thread);
    return took && *next.threads[at] == *state.threads[at];
  }

  // What holds up a thread that could go on: a loop of its subgroup that others are in. The write
  // is kNone where the thread's next steps do not end that loop.
  std::optional<SubgroupWait> wait_behind(int other) {
    std::optional<SubgroupWait> result;
    for (const int thread : waiting_) {
      if (!are_mates(thread, other)) continue;
      const Standing how = standing_of(other, thread);
      const bool behind = how == Standing::first_waits;
      if (!behind && how != Standing::second_side && how != Standing::either_side) continue;
      bool is_held = false;  // who waits in the loop has to be able to do so
      for (int mate = 0; mate < machine_.launch().threads(); ++mate) {
        is_held = is_held ||
                  (are_mates(thread, mate) && standing_of(thread, mate) == Standing::first_waits);
      }
      if (is_held) continue;
      if (!result) result = SubgroupWait{0, kNone, behind};
      const auto release = release_of(thread, other);
      if (!release) continue;
      const ThreadState& at = *state_.threads[static_cast<std::size_t>(thread)];
      return SubgroupWait{machine_.code().number(at.block, at.index), *release, behind};
    }
    return result;
  }

  // The instruction of `other` behind which `thread` waits no more.
  std::optional<std::uint32_t> release_of(int thread, int other) {
    MachineState state = state_;
    for (int i = 0; i < kMostSteps; ++i) {
      const ThreadState& at = *state.threads[static_cast<std::size_t>(other)];
      if (at.status != Status::ready && at.status != Status::released) return {};
      const std::uint32_t instruction = machine_.code().number(at.block, at.index);
      if (!step(state, other)) return {};
      if (!stays(state, thread)) return instruction;
    }
    return {};
  }

  Machine& machine_;
  const std::vector<int>& waiting_;
  Ways ways_;
  MachineState state_;
};

}  // namespace

std::optional<SubgroupWait> subgroup_wait(Machine& machine, const Standoff& standoff) {
  return Judge(machine, standoff).find();
}

std::string wait_text(const Code& code, const SubgroupWait& wait) {
  const int line = code.instruction(wait.release).place.line;
  if (wait.behind) {
    return fmt::format(
        "a loop waits for line {} of another thread of its subgroup, which in lockstep comes there "
        "only when all have left the loop; expected a loop that goes round behind that line",
        line);
  }
  return fmt::format(
      "a loop waits for line {} of another thread of its subgroup, on another side of a branch; in "
      "lockstep one side ends before the other begins, and this one may be first",
      line);
}

}  // namespace headway::kernel
