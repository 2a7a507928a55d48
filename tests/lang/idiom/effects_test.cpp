// What programs of the idiom language say of their steps, held against all steps that they have.
#include "lang/effects.hpp"

#include <doctest/doctest.h>

#include <set>

#include "support/files.hpp"
#include "support/program_walk.hpp"

namespace headway::testing {
namespace {

using lang::Effects;
using lang::Program;
using lang::SaysEffects;
using lang::Step;
using Words = std::vector<lang::Word>;

// How often what was seen.
struct Seen {
  int states = 0, independent = 0, dependent = 0, climbing = 0, staying = 0;
};

// Looks at every state of a program, at most so many.
class EffectsHold {
 public:
  EffectsHold(const Program& program, std::size_t most)
      : program_(program), says_(dynamic_cast<const SaysEffects&>(program)) {
    Words initial(static_cast<std::size_t>(program.words()));
    program.initial(initial.data());
    std::set<Words> known = {initial};
    std::vector<Words> open = {initial};
    while (!open.empty() && known.size() < most) {
      const Words state = open.back();
      open.pop_back();
      ++seen.states;
      const ThreadSet running = program.running(state.data());
      for (const int one : running) {
        for_choices(state, one, [&](const Words& next) {
          look_at_height(state, one, next);
          if (known.insert(next).second) open.push_back(next);
        });
        for (const int other : running) {
          if (one < other) look_at_pair(state, one, other);
        }
      }
    }
  }

  Seen seen;

 private:
  Words step(const Words& state, Step step) const {
    Words next(state.size());
    program_.step(state.data(), step, next.data());
    return next;
  }
  bool failed(const Words& state) const { return !program_.failed(state.data()).empty(); }

  template <class Visit>
  void for_choices(const Words& state, int thread, const Visit& visit) const {
    const int choices = program_.choices(state.data(), thread);
    for (int choice = 0; choice < choices; ++choice) visit(step(state, {thread, choice}));
  }

  void look_at_height(const Words& state, int thread, const Words& next) {
    const int before = program_.height(state.data()), after = program_.height(next.data());
    CHECK(after >= before);
    CHECK(after <= program_.highest());
    const bool climbs = says_.effects(state.data(), thread).climbs;
    if (climbs) CHECK(after > before);
    ++(climbs ? seen.climbing : seen.staying);
  }

  // Whoever steps first, the other one has the same steps as before, and both lead to one state.
  void look_at_pair(const Words& state, int one, int other) {
    const Effects own = says_.effects(state.data(), one);
    const Effects others = says_.effects(state.data(), other);
    CHECK(own.independent_of(others) == others.independent_of(own));
    if (!own.independent_of(others)) {
      ++seen.dependent;
      return;
    }
    ++seen.independent;
    for (int i = 0; i < program_.choices(state.data(), one); ++i) {
      const Words after_one = step(state, {one, i});
      if (failed(after_one)) continue;
      REQUIRE(program_.running(after_one.data()).contains(other));
      CHECK(program_.choices(after_one.data(), other) == program_.choices(state.data(), other));
      for (int j = 0; j < program_.choices(state.data(), other); ++j) {
        const Words after_other = step(state, {other, j});
        if (failed(after_other)) continue;
        const Words a = step(after_one, {other, j}), b = step(after_other, {one, i});
        CHECK((a == b || (failed(a) && failed(b))));
      }
    }
  }

  const Program& program_;
  const SaysEffects& says_;
};

Seen held(const std::string& text) {
  CAPTURE(text);
  const ProgramWalk walk(text);
  return EffectsHold(walk.program(), 3000).seen;
}

Effects effects_of(const std::string& text, int thread, const std::vector<Step>& before = {}) {
  const lang::Test test = lang::parse(text, "f");
  const auto program = lang::make_program(test);
  Words state(static_cast<std::size_t>(program->words())), next = state;
  program->initial(state.data());
  for (const Step step : before) {
    program->step(state.data(), step, next.data());
    state.swap(next);
  }
  return dynamic_cast<const SaysEffects&>(*program).effects(state.data(), thread);
}

const std::string kPair =
    "idiom t\n2 workgroups of 1 threads; shared int(0..3) x, y; shared int(0..1) f[4];\n";

}  // namespace

TEST_CASE("lang/idiom/effects: a step touches the cell of its access") {
  const Effects store = effects_of(kPair + "threads { store(y, 1); }", 0);
  CHECK(store.first == 1);
  CHECK(store.count == 1);
  CHECK(store.changes);
  CHECK(store.climbs);
  const Effects element = effects_of(kPair + "threads { int(0..1) r = load(f[tid + 1]); }", 1);
  CHECK(element.first == 4);
  CHECK_FALSE(element.changes);
  // Out of bounds: the step fails.
  CHECK(effects_of(kPair + "threads { int(0..1) r = load(f[tid + 4]); }", 1).count == 0);
}

TEST_CASE("lang/idiom/effects: who waits touches what it looks at") {
  const Effects two =
      effects_of(kPair + "threads { await(load(y) == 0 && load(f[tid]) == 0); }", 0);
  CHECK(two.first == 1);
  CHECK(two.count == 5);
  CHECK_FALSE(two.changes);
  const std::string own = "idiom t\n2 workgroups of 2 threads; workgroup int(0..1) w;\n";
  CHECK(effects_of(own + "threads { await(load(w) == 0); }", 3).first == 1);
}

TEST_CASE("lang/idiom/effects: steps of a loop do not climb, and those out of it do") {
  const std::string loop = kPair + "threads { while (load(x) == 1); store(y, 1); }";
  CHECK_FALSE(effects_of(loop, 0).climbs);
  CHECK(effects_of(loop, 0, {0}).climbs);
  // A loop that only thread 1 has.
  const std::string one = kPair + "threads { store(x, 1); while (tid == 1); store(y, 1); }";
  CHECK(effects_of(one, 0).climbs);
}

TEST_CASE("lang/idiom/effects: programs whose threads decide over others say nothing") {
  const auto known = [](const std::string& text) {
    const ProgramWalk walk(text);
    return dynamic_cast<const SaysEffects&>(walk.program()).effects_known();
  };
  CHECK(known(kPair + "threads { store(x, 1); }"));
  CHECK_FALSE(known(kPair + "threads { assume(load(x) == 1); }"));
  CHECK_FALSE(
      known("idiom t\n1 workgroup of 2 threads; shared bool x;\n"
            "threads { if (all(load(x) == 0)) store(x, 1); }"));
}

TEST_CASE("lang/idiom/effects: independent steps can be taken in either order") {
  const std::string head = "idiom t\n2 workgroups of 2 threads;\n";
  const std::string texts[] = {
      head +
          "shared int(0..3) x[4], n; workgroup int(0..2) w;\n"
          "threads { store(x[tid], 1); barrier(workgroup); fetch_add(w, 1); "
          "await(load(w) == 2 && load(n) == 0); int(0..3) r = load(x[3 - tid]); }",
      head +
          "shared bool lock, a; shared int(0..4) n;\n"
          "threads { if (lid == 0) while (exch(lock, 1) == 1); barrier(workgroup); "
          "fetch_add(n, 1); barrier(workgroup); if (lid == 0) store(lock, 0); else store(a, 1); }",
      head +
          "shared int(0..2) x, y; shared bool z[4];\n"
          "threads { bool r = weak_cas(x, 0, 1); if (r) store(y, lid); else store(z[tid], 1); "
          "int(0..2) c = choose(0..2); if (c == gid) fetch_add(y, 1); }",
      head +
          "shared int(0..1) x[4];\n"
          "threads { store(x[tid], 1); } final { assert(load(x[0]) == 0); }",
      head +
          "shared int(0..1) x[4];\n"
          "threads { int(0..3) i; for (i = 0; i <= lid; i++) { store(x[tid], 1); "
          "barrier(workgroup or ended); } assert(load(x[(tid + 2) % 4]) == 1); }"};
  Seen all;
  for (const std::string& text : texts) {
    const Seen seen = held(text);
    all.states += seen.states;
    all.independent += seen.independent;
    all.dependent += seen.dependent;
    all.climbing += seen.climbing;
    all.staying += seen.staying;
  }
  CHECK(all.states > 1000);
  CHECK(all.independent > 1000);
  CHECK(all.dependent > 100);
  CHECK(all.climbing > 1000);
  CHECK(all.staying > 100);
}

}  // namespace headway::testing
