// Sleep sets of programs that say what their steps touch: every state is found, by fewer steps.
// tests/checker/scopes_agreement_test.cpp holds verdicts against the oracle.
#include <doctest/doctest.h>

#include "checker/check.hpp"
#include "support/models.hpp"
#include "support/program_walk.hpp"

namespace headway::testing {
namespace {

checker::CheckResult swept(const std::string& text, const std::string& model, bool sleep_sets,
                           bool symmetry) {
  const ProgramWalk walk(text);
  checker::CheckOptions options;
  options.small = 1;
  options.reductions.sleep_sets = sleep_sets;
  options.reductions.symmetry = symmetry;
  options.reductions.early_stop = false;
  return checker::Checker().check(walk.program(), std::vector{models::Library().find(model)},
                                  options);
}

struct Gain {
  std::size_t states = 0, steps = 0, steps_without = 0;
};

Gain gain(const std::string& text, const std::string& model, bool symmetry = true) {
  CAPTURE(text);
  const auto with = swept(text, model, true, symmetry);
  const auto without = swept(text, model, false, symmetry);
  CHECK(with.verdicts == without.verdicts);
  REQUIRE(with.swept);
  CHECK(with.swept->states == without.swept->states);
  return {with.swept->states, with.swept->transitions, without.swept->transitions};
}

const std::string kApart =
    "idiom t\n4 workgroups of 2 threads; shared bool f[8];\n"
    "threads { store(f[tid], 1); store(f[tid], 0); }";

}  // namespace

TEST_CASE("checker/sleep_sets: steps that touch different things are taken in one order") {
  // A state is left by the first step of each thread alone that does not sleep: as many steps as
  // there are states, but for the first one.
  const Gain apart = gain(kApart, "unfair", false);
  CHECK(apart.steps + 1 == apart.states);
  CHECK(apart.steps_without > 4 * apart.states);
}

TEST_CASE("checker/sleep_sets: threads sleep wherever symmetry puts them") {
  const std::string same =
      "idiom t\n4 workgroups of 2 threads; shared int(0..8) x; workgroup int(0..2) w;\n"
      "threads { fetch_add(w, 1); if (lid == 0) while (load(w) < 2); fetch_add(x, 1); }";
  for (const char* model : {"unfair", "OBE", "HSA", "fair"}) {
    CAPTURE(model);
    const Gain found = gain(same, model);
    CHECK(found.steps < found.steps_without);
  }
}

TEST_CASE("checker/sleep_sets: what follows a loop is found whatever slept before it") {
  // Thread 0 goes round a loop of two steps, which others leave to it.
  const std::string loops =
      "idiom t\n3 workgroups of 2 threads; shared bool f[6], stop, a, b;\n"
      "threads { if (tid == 0) do { store(a, 1); store(a, 0); } while (load(stop) == 0); "
      "else { store(f[tid], 1); if (tid == 5) store(stop, 1); } store(b, 1); }";
  for (const bool symmetry : {true, false}) {
    // Whoever is woken takes its steps again.
    const Gain found = gain(loops, "OBE", symmetry);
    CHECK(found.steps != found.steps_without);
  }
}

TEST_CASE("checker/sleep_sets: programs that say nothing are swept without") {
  const std::string assumes =
      "idiom t\n2 workgroups of 2 threads; shared bool f[4];\n"
      "threads { store(f[tid], 1); assume(load(f[tid]) == 1); }";
  const Gain found = gain(assumes, "unfair", false);
  CHECK(found.steps == found.steps_without);
}

TEST_CASE("checker/sleep_sets: what goes wrong at the end of one order is found") {
  const std::string last =
      "idiom t\n2 workgroups of 2 threads; shared bool f[4]; shared int(0..4) n;\n"
      "threads { store(f[tid], 1); fetch_add(n, 1); } final { assert(load(n) < 4); }";
  for (const bool symmetry : {true, false}) {
    for (const bool sleep_sets : {true, false}) {
      const auto result = swept(last, "OBE", sleep_sets, symmetry);
      CHECK(result.verdicts.front().weak == checker::Verdict::error);
    }
  }
}

}  // namespace headway::testing
