// Packed programs, interpreted from their tables, against the programs that they were made of.
#include "checker/sweep/packed_program.hpp"

#include <doctest/doctest.h>

#include <set>

#include "lang/idiom/library.hpp"
#include "lang/idiom/program.hpp"
#include "lang/idiom/source.hpp"
#include "languages/languages.hpp"
#include "support/axb.hpp"
#include "support/packed_run.hpp"
#include "support/random_idioms.hpp"

using namespace headway;
using checker::PackedProgram;
using checker::PackOptions;
using lang::StepTables;
using lang::Word;
using testing::PackedRun;
using testing::Stage;

namespace {

using State = PackedRun::State;

// Slots, kinds and what belongs to them.
void check_kinds(const StepTables& tables, const PackedProgram& packed, bool symmetry) {
  const auto& slots = packed.slots();
  const auto& kinds = packed.kinds();
  REQUIRE(packed.threads() == static_cast<int>(tables.threads.size()));
  std::set<int> ids;
  for (const auto& slot : slots) ids.insert(slot.thread);
  REQUIRE(ids.size() == slots.size());
  for (int a = 0; a < packed.threads(); ++a) {
    const PackedProgram::Kind& kind = kinds[slots[a].kind];
    REQUIRE(kind.slots().contains(a));
    REQUIRE(slots[a].first_local == kind.first_local);
    for (int b = 0; b < packed.threads(); ++b) {
      const bool same = a == b || (symmetry && tables.threads[slots[a].thread] ==
                                                   tables.threads[slots[b].thread]);
      REQUIRE((slots[a].kind == slots[b].kind) == same);
    }
  }
  int slot = 0;
  for (const PackedProgram::Kind& kind : kinds) {
    REQUIRE(kind.first == slot);
    REQUIRE(kind.size >= 1);
    for (int i = 1; i < kind.size; ++i) {
      REQUIRE(slots[slot + i].field.mask == slots[slot].field.mask);
    }
    slot += kind.size;
  }
  REQUIRE(slot == packed.threads());
  REQUIRE(packed.symmetric() == (kinds.size() < slots.size()));
}

// PackedRun that also sees to heights: whatever way leads to a state, its height is the same, no
// step goes down, and steps of height 0 are those that stay in a component.
class Climber : public PackedRun {
 public:
  explicit Climber(const PackedProgram& packed) : PackedRun(packed), packed_(packed) {
    heights_[initial()] = 0;
    for (const int climb : packed.climbs()) REQUIRE(climb > 0);
    REQUIRE(std::is_sorted(packed.climbs().begin(), packed.climbs().end()));
  }

  State after(const State& state, int thread) {
    const int slot = slot_of(thread);
    const PackedProgram::LocalRow& from = local(state, slot);
    REQUIRE(from.stage != PackedProgram::Stage::ended);
    REQUIRE(get(state, from.variable) < from.outcomes);
    const PackedProgram::Outcome& by = outcome(state, slot);
    State next = after_slot(state, slot);
    const std::uint64_t mask = packed_.kinds()[packed_.slots()[slot].kind].component_mask;
    REQUIRE((by.climb == 0) == ((by.code & mask) == 0));
    REQUIRE((next == state) == by.changes_nothing());
    if (by.climb > 0) {
      REQUIRE(std::binary_search(packed_.climbs().begin(), packed_.climbs().end(), by.climb));
      // Fresh ones come first and the end last.
      REQUIRE(code(next, slot) > code(state, slot));
    }
    const int height = heights_.at(state) + by.climb;
    REQUIRE(height <= packed_.highest());
    REQUIRE(heights_.emplace(next, height).first->second == height);
    highest_ = std::max(highest_, height);
    return next;
  }
  int highest() const { return highest_; }

 private:
  const PackedProgram& packed_;
  std::map<State, int> heights_;
  int highest_ = 0;
};

struct Totals {
  std::size_t programs = 0, states = 0, failed = 0, symmetric = 0, fresh = 0, wide = 0,
              too_large = 0, summits = 0;
};

void compare(const lang::Program& program, std::size_t most_states, Totals& totals) {
  const auto tables = program.step_tables();
  REQUIRE(tables);
  for (const bool track_started : {true, false}) {
    std::optional<std::size_t> counted;
    for (const bool symmetry : {false, true}) {
      const auto packed = PackedProgram::pack(*tables, {track_started, symmetry});
      REQUIRE(packed);
      check_kinds(*tables, *packed, symmetry);
      REQUIRE(packed->tracks_started() == track_started);
      REQUIRE(packed->variables() == static_cast<int>(tables->variables.size()));
      REQUIRE(packed->initial().size() == static_cast<std::size_t>(packed->words()));
      REQUIRE(packed->may_fail() ==
              std::any_of(tables->threads.begin(), tables->threads.end(),
                          [](const auto& thread) { return thread.may_fail; }));
      Climber run(*packed);
      const auto states = testing::step_for_step(
          program, run, track_started, most_states,
          [&](const std::vector<Word>& words, const State& state) {
            const ThreadSet started = lang::Program::noted(words.data(), program.threads());
            for (int t = 0; t < program.threads(); ++t) {
              const bool fresh =
                  run.local(state, run.slot_of(t)).stage == PackedProgram::Stage::fresh;
              REQUIRE(fresh == (track_started && !started.contains(t)));
            }
            totals.failed += program.failed(words.data()).empty() ? 0 : 1;
          });
      if (symmetry) REQUIRE(states == counted);
      counted = states;
      ++totals.programs;
      totals.states += states.value_or(0);
      totals.too_large += states ? 0 : 1;
      totals.symmetric += packed->symmetric() ? 1 : 0;
      totals.wide += packed->words() > 1 ? 1 : 0;
      totals.summits += run.highest() == packed->highest() ? 1 : 0;
    }
  }
}

}  // namespace

TEST_CASE("checker/sweep/packed_program: random AXB tests are the same packed, step for step") {
  testing::Random random(17);
  Totals totals;
  for (int i = 0; i < 300; ++i) {
    lang::Test test = testing::random_test(random);
    if (i % 2 == 0) {  // give some threads the same code
      lang::axb::Code code = testing::axb_code(test);
      for (std::size_t t = 1; t < code.threads.size(); ++t) {
        if (testing::once_in(random, 2)) code.threads[t] = code.threads[t - 1];
      }
      testing::set_axb_code(test, std::move(code));
    }
    compare(*lang::make_program(test), 300, totals);
  }
  CHECK(totals.states > 20'000);
  CHECK(totals.symmetric > 100);
  CHECK(totals.wide > 10);
  CHECK(totals.too_large < totals.programs / 2);
  CHECK(totals.summits > 100);  // heights are no larger than they need to be
}

TEST_CASE("checker/sweep/packed_program: idioms are the same packed, step for step") {
  Totals totals;
  for (const auto& idiom : lang::idiom::library()) {
    CAPTURE(idiom.name);
    const lang::Test test = lang::idiom::member(idiom, 2);
    compare(*lang::make_program(test), 500, totals);
  }
  testing::Random random(23);
  for (int i = 0; i < 150; ++i) {
    const std::string text = testing::random_idiom(random, i % 3 == 0 ? 3 : 2);
    CAPTURE(text);
    compare(*lang::make_program(lang::parse(text, "random")), 500, totals);
  }
  CHECK(totals.states > 10'000);
  CHECK(totals.failed > 100);
  CHECK(totals.symmetric > 100);
  CHECK(totals.too_large < totals.programs / 2);
}

TEST_CASE("checker/sweep/packed_program: a thread that comes back to its start has started") {
  // while (load(x) == 0);
  StepTables tables;
  tables.variables = {{2, 0}};
  tables.threads.push_back({{{0, {{0, 0}, {1, 1}}}}, 0, false});
  const auto packed = PackedProgram::pack(tables, {true, true});
  REQUIRE(packed);
  const PackedRun run(*packed);
  const State first = run.initial();
  CHECK(run.local(first, 0).stage == PackedProgram::Stage::fresh);
  const State second = run.after_slot(first, 0);
  CHECK(run.local(second, 0).stage == PackedProgram::Stage::running);
  CHECK(run.outcome(first, 0).climb == 1);
  CHECK(run.outcome(second, 0).changes_nothing());
  CHECK(packed->highest() == 2);
  const auto untracked = PackedProgram::pack(tables, {false, true});
  REQUIRE(untracked);
  CHECK(PackedRun(*untracked).outcome(untracked->initial(), 0).changes_nothing());
  CHECK(untracked->highest() == 1);
}

TEST_CASE("checker/sweep/packed_program: more than 256 variables are kept apart") {
  // One thread sets each of 300 variables in turn, from another value each time; the other one
  // waits for each in turn.
  constexpr std::uint16_t count = 300;
  StepTables tables;
  StepTables::Thread setter, waiter;
  for (std::uint16_t v = 0; v < count; ++v) {
    const auto next = static_cast<std::uint16_t>(v + 1);
    tables.variables.push_back({3, static_cast<std::uint16_t>(v % 2)});
    setter.locals.push_back({v, {{next, 2}, {next, 2}, {v, 2}}});
    waiter.locals.push_back({v, {{v, 0}, {v, 1}, {next, 2}}});
  }
  tables.threads = {setter, waiter};
  const auto packed = PackedProgram::pack(tables, {true, true});
  REQUIRE(packed);
  CHECK(packed->variables() == count);
  CHECK(packed->kinds().size() == 2);

  std::map<std::uint16_t, std::pair<int, int>> fields;  // by number
  std::set<std::pair<int, int>> places;
  for (const PackedProgram::LocalRow& local : packed->locals()) {
    if (local.outcomes == 0) continue;
    const std::pair<int, int> place(local.variable.word, local.variable.shift);
    CHECK(fields.emplace(local.variable_number, place).first->second == place);
    places.insert(place);
  }
  CHECK(fields.size() == count);
  CHECK(places.size() == count);
  CHECK(fields.rbegin()->first == count - 1);

  // The waiter never gets ahead of the setter, and waits for the right variable.
  const PackedRun run(*packed);
  State state = run.initial();
  int set = 0, seen = 0;
  testing::Random random(1);
  while (seen < count) {
    CHECK(run.stage(state, 0) == (set == count ? Stage::ended : Stage::running));
    if (set < count && testing::once_in(random, 2)) {
      CHECK(run.local(state, run.slot_of(0)).variable_number == set);
      state = run.after(state, 0);
      ++set;
    } else {
      CHECK(run.local(state, run.slot_of(1)).variable_number == seen);
      const State next = run.after(state, 1);
      // A first step that changes nothing else is one all the same.
      if (seen < set) ++seen;
      state = next;
    }
  }
  CHECK(run.stage(state, 0) == Stage::ended);
  CHECK(run.stage(state, 1) == Stage::ended);
}

TEST_CASE("checker/sweep/packed_program: a thread with too many local states is not packed") {
  const auto chain = [](std::uint16_t length) {
    StepTables tables;
    tables.variables = {{1, 0}};
    StepTables::Thread thread;
    for (std::uint16_t l = 0; l < length; ++l) {
      thread.locals.push_back({0, {{static_cast<std::uint16_t>(l + 1), 0}}});
    }
    tables.threads = {thread};
    return tables;
  };
  CHECK(PackedProgram::pack(chain(30'000), {})->highest() == 30'000);
  // A loop of two in it makes each component take two codes, which are too many.
  StepTables looped = chain(40'000);
  looped.threads[0].locals[1].outcomes[0].next = 0;
  looped.threads[0].locals[0].variable = 1;
  looped.variables.push_back({2, 0});
  looped.threads[0].locals[0].outcomes = {{1, 0}, {2, 1}};
  CHECK(!PackedProgram::pack(looped, {}));
}
