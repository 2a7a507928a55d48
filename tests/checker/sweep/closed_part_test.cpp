// Whether a component has a closed part, against trying all parts of it; and with symmetry against
// the states that symmetry leaves out.
#include "checker/sweep/closed_part.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "languages/languages.hpp"
#include "support/axb.hpp"
#include "support/packed_run.hpp"
#include "support/random_idioms.hpp"

using namespace headway;
using checker::ClosedPart;
using checker::PackedProgram;
using checker::SpaceTables;
using checker::Stages;
using checker::StateSet;
using checker::TableSpace;
using testing::PackedRun;

namespace {

constexpr std::size_t kMostStates = 600;
constexpr std::size_t kMostTried = 9;  // states, of which all sets are tried

bool go_on() { return true; }

// The states of a program and the components of all of them, as a sweep finds them.
template <int Words, bool Symmetric>
class Explored {
 public:
  using Space = TableSpace<Words, Symmetric>;
  using State = typename Space::State;
  using Members = std::vector<std::uint32_t>;

  explicit Explored(const PackedProgram& program) : tables_(program), space_(tables_) {
    set_.clear(16);
    State initial{};
    std::copy(program.initial().begin(), program.initial().end(), initial.words);
    set_.find_or_add(initial);
    for (std::uint32_t node = 0; node < set_.size() && set_.size() <= kMostStates; ++node) {
      for (int slot = 0; slot < space_.threads(); ++slot) reach(node, slot);
    }
    if (too_large()) return;
    search_.clear(set_.size());
    for (std::uint32_t node = 0; node < set_.size(); ++node) {
      if (!search_.visited(node)) search_.visit(node, *this);
    }
  }
  bool too_large() const { return set_.size() > kMostStates; }
  const std::vector<Members>& components() const { return components_; }
  Stages stages(const Members& members) const { return space_.stages(set_[members.front()]); }
  // The component that holds a state.
  const Members& component_of(const State& state) const {
    const std::uint32_t number = set_.find(state);
    REQUIRE(number != StateSet<State>::kNone);
    return *std::find_if(components_.begin(), components_.end(), [&](const Members& members) {
      return search_.together(members.front(), number);
    });
  }
  std::vector<std::uint64_t> words(std::uint32_t node) const {
    const State& state = set_[node];
    return {state.words, state.words + Words};
  }
  bool closed(const Members& members, ThreadSet demand) const {
    ClosedPart<Words, Symmetric> part(space_, set_, search_);
    return part.exists(members, stages(members), demand, go_on);
  }

  // For SccSearch.
  std::uint32_t next(std::uint32_t node, int& cursor) {
    while (cursor < space_.threads()) {
      const std::uint32_t target = reach(node, cursor++);
      if (target != SccSearch::kNone) return target;
    }
    return SccSearch::kNone;
  }
  bool component(std::span<const std::uint32_t> members) {
    components_.emplace_back(members.begin(), members.end());
    return true;
  }

 private:
  std::uint32_t reach(std::uint32_t node, int slot) {
    const State state = set_[node];
    const std::uint64_t own = space_.code(state, slot);
    const auto& local = space_.local(slot, own);
    if (local.ended != 0 || space_.has_equal_next(state, slot, own) || space_.any_failed(state)) {
      return SccSearch::kNone;
    }
    return set_.find_or_add(space_.step(state, slot, own, local, space_.outcome(state, local)));
  }

  SpaceTables<Words> tables_;
  Space space_;
  StateSet<State> set_;
  SccSearch search_;
  std::vector<Members> components_;
};

// The same from the program's tables alone, without symmetry even where the program has it.
class Plain {
 public:
  using State = PackedRun::State;
  using Members = std::vector<std::uint32_t>;

  explicit Plain(const PackedProgram& program)
      : run_(program), threads_(program.threads()), slots_(program.slots()) {
    number(program.initial());
    for (std::uint32_t node = 0; node < states_.size() && states_.size() <= 10 * kMostStates;
         ++node) {
      targets_.emplace_back();
      for (int slot = 0; slot < threads_; ++slot) {
        const bool ended = run_.local(states_[node], slot).stage == PackedProgram::Stage::ended;
        const bool steps = !ended && !failed(node);
        targets_[node].push_back(steps ? number(run_.after_slot(states_[node], slot))
                                       : SccSearch::kNone);
      }
    }
    if (too_large()) return;
    std::vector<std::vector<std::uint32_t>> graph = targets_;
    for (auto& targets : graph) std::erase(targets, SccSearch::kNone);
    const StrongComponents found = strong_components(graph);
    of_ = found.of;
    components_.resize(found.count);
    for (std::uint32_t node = 0; node < states_.size(); ++node) {
      components_[of_[node]].push_back(node);
    }
  }
  bool too_large() const { return states_.size() > 10 * kMostStates; }
  const std::vector<Members>& components() const { return components_; }
  const State& state(std::uint32_t node) const { return states_[node]; }
  // Whether some thread has failed. Then nothing runs any more.
  bool failed(std::uint32_t node) const {
    for (int slot = 0; slot < threads_; ++slot) {
      if (run_.local(states_[node], slot).failed) return true;
    }
    return false;
  }
  // Slots.
  ThreadSet running(std::uint32_t node) const {
    ThreadSet slots;
    if (failed(node)) return slots;
    for (int slot = 0; slot < threads_; ++slot) {
      const auto stage = run_.local(states_[node], slot).stage;
      if (stage == PackedProgram::Stage::running) slots |= ThreadSet::single(slot);
    }
    return slots;
  }

  // Whether some states of the component have no step of `fair`, slots, to any other: takes states
  // away as long as one has such a step.
  bool closed(const Members& members, ThreadSet fair) const {
    Members left = members;
    const auto leaves = [&](std::uint32_t node) {
      for (const int slot : fair) {
        if (!std::binary_search(left.begin(), left.end(), targets_[node][slot])) return true;
      }
      return false;
    };
    for (;;) {
      const auto out = std::find_if(left.begin(), left.end(), leaves);
      if (out == left.end()) return !left.empty();
      left.erase(out);
    }
  }
  // The same by trying all sets of states.
  bool closed_by_trying(const Members& members, ThreadSet fair) const {
    for (unsigned part = 1; part < 1U << members.size(); ++part) {
      const auto holds = [&](std::uint32_t node) {
        const auto place = std::find(members.begin(), members.end(), node) - members.begin();
        return static_cast<std::size_t>(place) < members.size() && (part >> place & 1) != 0;
      };
      bool closed = true;
      for (const std::uint32_t node : members) {
        if (!holds(node)) continue;
        for (const int slot : fair) closed = closed && holds(targets_[node][slot]);
      }
      if (closed) return true;
    }
    return false;
  }

  // The state with the codes of each kind in order.
  State sorted(const PackedProgram& program, std::uint32_t node) const {
    State state = states_[node];
    for (const PackedProgram::Kind& kind : program.kinds()) {
      std::vector<std::uint64_t> codes;
      for (const int slot : kind.slots()) codes.push_back(run_.code(state, slot));
      std::vector<std::uint64_t> wanted = codes;
      std::sort(wanted.begin(), wanted.end());
      for (int i = 0; i < kind.size; ++i) {
        PackedRun::flip(state, slots_[kind.first + i].field, codes[i] ^ wanted[i]);
      }
    }
    return state;
  }

 private:
  std::uint32_t number(const State& state) {
    const auto [entry, is_new] =
        numbers_.emplace(state, static_cast<std::uint32_t>(states_.size()));
    if (is_new) states_.push_back(state);
    return entry->second;
  }

  PackedRun run_;
  int threads_;
  const std::vector<PackedProgram::Slot>& slots_;
  std::map<State, std::uint32_t> numbers_;
  std::vector<State> states_;
  std::vector<std::vector<std::uint32_t>> targets_;  // by state and slot
  std::vector<std::uint32_t> of_;
  std::vector<Members> components_;
};

// All sets of some threads.
std::vector<ThreadSet> subsets(ThreadSet threads) {
  std::vector<ThreadSet> result = {ThreadSet()};
  for (const int thread : threads) {
    const std::size_t known = result.size();
    for (std::size_t i = 0; i < known; ++i) {
      result.push_back(result[i] | ThreadSet::single(thread));
    }
  }
  return result;
}

struct Tally {
  int yes = 0, no = 0, tried = 0, marked = 0, components = 0;
};

// Without symmetry a demand is the fair set itself.
template <int Words>
void compare_plain(const PackedProgram& program, const Plain& plain, Tally& tally) {
  const Explored<Words, false> explored(program);
  REQUIRE(!plain.too_large());
  if (explored.too_large()) return;
  REQUIRE(explored.components().size() == plain.components().size());
  for (const auto& members : plain.components()) {
    typename Explored<Words, false>::State state{};
    const auto& words = plain.state(members.front());
    std::copy(words.begin(), words.end(), state.words);
    const auto& same = explored.component_of(state);
    REQUIRE(same.size() == members.size());
    if (members.size() > 1) ++tally.components;
    for (const ThreadSet fair : subsets(plain.running(members.front()))) {
      const bool expected = plain.closed(members, fair);
      if (members.size() <= kMostTried) {
        REQUIRE(plain.closed_by_trying(members, fair) == expected);
        ++tally.tried;
      }
      REQUIRE(explored.closed(same, fair) == expected);
      if (members.size() > 1 && !fair.empty()) ++(expected ? tally.yes : tally.no);
    }
  }
}

// With symmetry a demand is so many threads of each kind, which is met when some set of as many
// running threads is, in a component whose states are among those of the sorted one.
template <int Words>
void compare_symmetric(const PackedProgram& program, const Plain& plain, Tally& tally) {
  const Explored<Words, true> explored(program);
  if (explored.too_large() || plain.too_large()) return;
  for (const auto& members : plain.components()) {
    typename Explored<Words, true>::State state{};
    const auto words = plain.sorted(program, members.front());
    std::copy(words.begin(), words.end(), state.words);
    const auto& sorted = explored.component_of(state);
    const Stages stages = explored.stages(sorted);
    // The counts of sets of running threads, each as the demand that it makes.
    std::map<ThreadSet, bool> demands;
    for (const ThreadSet fair : subsets(plain.running(members.front()))) {
      const ThreadSet demand = first_running(program, stages, fair);
      bool& closed = demands[demand];
      closed = closed || plain.closed(members, fair);
    }
    for (const auto& [demand, expected] : demands) {
      REQUIRE(explored.closed(sorted, demand) == expected);
      if (members.size() == 1 || demand.empty()) continue;
      ++(expected ? tally.yes : tally.no);
      // Some of a group are marked and some are not, or might be.
      tally.marked += demand == plain.running(members.front()) ? 0 : 1;
    }
    if (members.size() > 1) ++tally.components;
  }
}

void compare(const lang::Test& test, bool track_started, Tally& plain_tally,
             Tally& symmetric_tally) {
  const auto tables = lang::make_program(test)->step_tables();
  REQUIRE(tables);
  const auto without = PackedProgram::pack(*tables, {track_started, false});
  REQUIRE(without);
  const Plain plain(*without);
  if (plain.too_large()) return;
  if (without->words() == 1) {
    compare_plain<1>(*without, plain, plain_tally);
    compare_plain<8>(*without, plain, plain_tally);  // as wide states are stepped
  }
  const auto with = PackedProgram::pack(*tables, {track_started, true});
  REQUIRE(with);
  if (!with->symmetric() || with->words() > 1) return;
  const Plain same(*with);
  compare_symmetric<1>(*with, same, symmetric_tally);
}

}  // namespace

TEST_CASE("checker/sweep/closed_part: random AXB tests, against trying all parts") {
  testing::Random random(29);
  Tally plain, symmetric;
  for (int i = 0; i < 350; ++i) {
    lang::Test test = testing::random_test(random);
    lang::axb::Code code = testing::axb_code(test);
    if (code.threads.size() > 5 || code.thread_count() < 2) continue;
    for (std::size_t t = 1; t < code.threads.size(); ++t) {
      if (!testing::once_in(random, 3)) code.threads[t] = code.threads[t - 1];
    }
    testing::set_axb_code(test, std::move(code));
    compare(test, i % 2 == 0, plain, symmetric);
  }
  for (const Tally& tally : {plain, symmetric}) {
    CHECK(tally.components > 100);
    CHECK(tally.yes > 100);
    CHECK(tally.no > 100);
  }
  CHECK(plain.tried > 1000);
  CHECK(symmetric.marked > 100);
}

TEST_CASE("checker/sweep/closed_part: random idioms, against trying all parts") {
  testing::Random random(31);
  Tally plain, symmetric;
  for (int i = 0; i < 200; ++i) {
    const std::string text = testing::random_idiom(random, 2 + i % 3);
    CAPTURE(text);
    compare(lang::parse(text, "random"), i % 2 == 0, plain, symmetric);
  }
  for (const Tally& tally : {plain, symmetric}) {
    CHECK(tally.components > 50);
    CHECK(tally.yes > 50);
    CHECK(tally.no > 50);
  }
  CHECK(symmetric.marked > 50);
}

TEST_CASE("checker/sweep/closed_part: who waits for what comes and goes may miss it for ever") {
  // Three wait for a flag that the fourth sets and clears again and again. Whoever has to be
  // scheduled while the fourth has to be, too, sees the flag some time, and leaves.
  const lang::Test test = lang::parse(
      "shared bool flag;\nthreads 0..2 { while (load(flag) == 0); }\n"
      "thread 3 { for (;;) { store(flag, 1); store(flag, 0); } }",
      "f");
  const auto tables = lang::make_program(test)->step_tables();
  REQUIRE(tables);
  const auto program = PackedProgram::pack(*tables, {false, true});
  REQUIRE(program);
  REQUIRE(program->kinds().size() == 2);
  const Explored<1, true> explored(*program);
  const auto& component = explored.component_of({{program->initial().front()}});
  CHECK(component.size() == 2);
  for (int waiting = 0; waiting <= 3; ++waiting) {
    const ThreadSet waiters = ThreadSet::first(waiting);
    CHECK(explored.closed(component, waiters));
    CHECK(explored.closed(component, waiters | ThreadSet::single(3)) == (waiting == 0));
  }
}

TEST_CASE("checker/sweep/closed_part: when it is told to stop the answer is no") {
  // Five counters that go round: more than 16384 states in one component, and all is closed.
  const lang::Test test = lang::parse(
      "shared int(0..7) a, b, c, d, e;\n"
      "thread 0 { int(0..7) r; for (;;) { r = (r + 1) % 8; store(a, r); } }\n"
      "thread 1 { int(0..7) r; for (;;) { r = (r + 1) % 8; store(b, r); } }\n"
      "thread 2 { int(0..7) r; for (;;) { r = (r + 1) % 8; store(c, r); } }\n"
      "thread 3 { int(0..7) r; for (;;) { r = (r + 1) % 8; store(d, r); } }\n"
      "thread 4 { int(0..7) r; for (;;) { r = (r + 1) % 8; store(e, r); } }\n",
      "f");
  const auto tables = lang::make_program(test)->step_tables();
  REQUIRE(tables);
  const auto program = PackedProgram::pack(*tables, {false, false});
  REQUIRE(program);
  using Space = TableSpace<1, false>;
  const SpaceTables<1> laid_out(*program);
  const Space space(laid_out);
  StateSet<Space::State> set;
  set.clear(16);
  set.find_or_add({{program->initial().front()}});
  struct Graph {
    std::uint32_t next(std::uint32_t node, int& cursor) {
      if (cursor == space.threads()) return SccSearch::kNone;
      const Space::State state = set[node];
      const std::uint64_t own = space.code(state, cursor);
      const auto& local = space.local(cursor, own);
      return set.find_or_add(space.step(state, cursor++, own, local, space.outcome(state, local)));
    }
    bool component(std::span<const std::uint32_t> members) {
      if (members.size() > largest.size()) largest.assign(members.begin(), members.end());
      return true;
    }
    const Space& space;
    StateSet<Space::State>& set;
    std::vector<std::uint32_t> largest = {};
  };
  Graph graph{space, set};
  SccSearch search;
  search.clear();
  search.visit(0, graph);
  REQUIRE(graph.largest.size() > 30'000);
  ClosedPart<1, false> part(space, set, search);
  const Stages stages = space.stages(set[graph.largest.front()]);
  const ThreadSet all = ThreadSet::first(5);
  int asked = 0;
  CHECK_FALSE(part.exists(graph.largest, stages, all, [&] { return ++asked < 2; }));
  CHECK(asked == 2);
  CHECK(part.exists(graph.largest, stages, all, go_on));
}
