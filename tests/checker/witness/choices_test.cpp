// Witnesses of programs that make fair choices, against the replay of all closed walks that are
// shorter.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "checker/explain.hpp"
#include "models/library.hpp"
#include "support/program_walk.hpp"

namespace headway::testing {
namespace {

using checker::Explanation;
using checker::Lasso;
using checker::Moment;
using checker::Verdict;
using models::Fairness;

const std::vector<std::string> kPrograms = {
    // A lock taken by an operation that may fail.
    "idiom t\nN = 2;\nshared bool lock;\nthreads {\n"
    "  while (fair weak_cas(lock, 0, 1) == 0);\n  store(lock, 0); }",
    // It does not end while the other alternatives come back.
    "idiom t\nN = 2;\nshared int(0..3) x;\n"
    "thread 0 { while (load(x) != 3) { int(0..1) r = fair choose(0..1); store(x, r); } }\n"
    "thread 1 { while (load(x) != 3); }",
    // One alternative leads out, so the choice cannot be made again and again.
    "idiom t\nN = 2;\nshared bool x;\n"
    "threads { while (fair choose(0..1) == 0); while (load(x) == 0); }",
    "idiom t\nN = 2;\nshared bool x;\nthread 0 { while (load(x) == 0) { int(0..2) r = fair "
    "choose(0..2); } }\n"
    "thread 1 { while (fair weak_cas(x, 1, 0) == 0); }"};

// How many closed walks of fewer than `length` steps, from any moment there is, are fair; gives up
// when `budget` steps have been tried.
std::optional<int> shorter_cycles(const lang::Program& program, const models::Model& model,
                                  std::size_t length, long budget) {
  std::vector<Moment> moments = {checker::first_moment(program, model)};
  std::vector<std::vector<lang::Step>> stems(1);
  const auto each_step = [&](const Moment& moment, const auto& visit) {
    for (const int thread : program.running(moment.state.data())) {
      for (int choice = 0; choice < program.choices(moment.state.data(), thread); ++choice) {
        visit(lang::Step(thread, choice));
      }
    }
  };
  for (std::size_t m = 0; m < moments.size(); ++m) {
    const Moment moment = moments[m];
    each_step(moment, [&](lang::Step step) {
      const Moment next = checker::after(program, model, moment, step);
      if (std::find(moments.begin(), moments.end(), next) != moments.end()) return;
      moments.push_back(next);
      stems.push_back(stems[m]);
      stems.back().push_back(step);
    });
  }
  int found = 0;
  Lasso lasso;
  std::function<void(const Moment&, const Moment&)> extend = [&](const Moment& start,
                                                                 const Moment& here) {
    if (!lasso.cycle.empty() && here == start &&
        !checker::replay(program, model, Fairness::weak, lasso).objection) {
      ++found;
    }
    if (lasso.cycle.size() + 1 >= length) return;
    each_step(here, [&](lang::Step step) {
      if (--budget < 0) return;
      lasso.cycle.push_back(step);
      extend(start, checker::after(program, model, here, step));
      lasso.cycle.pop_back();
    });
  };
  for (std::size_t m = 0; m < moments.size(); ++m) {
    lasso = {stems[m], {}};
    extend(moments[m], moments[m]);
  }
  return budget < 0 ? std::nullopt : std::optional(found);
}

}  // namespace

TEST_CASE("checker/witness/choices: weak witnesses are smallest among all closed walks") {
  int compared = 0;
  std::size_t longest = 0;
  for (const std::string& text : kPrograms) {
    const ProgramWalk walk(text);
    for (const char* name : {"unfair", "HSA", "OBE", "fair"}) {
      const models::ModelPtr model = models::Library().named(name);
      const Explanation found = checker::explain(walk.program(), *model, Fairness::weak);
      if (found.verdict != Verdict::fail) continue;
      CAPTURE(text);
      CAPTURE(name);
      REQUIRE(found.witness->smallest);
      const std::size_t length = found.witness->lasso.cycle.size();
      const auto shorter = shorter_cycles(walk.program(), *model, length, 400'000);
      if (!shorter) continue;
      CHECK(*shorter == 0);
      ++compared;
      longest = std::max(longest, length);
    }
  }
  CHECK(compared > 8);
  CHECK(longest > 2);
}

TEST_CASE("checker/witness/choices: where the search gives up a fair cycle is found all the same") {
  const ProgramWalk walk(
      "idiom t\nN = 2;\nshared int(0..3) x;\n"
      "threads { while (load(x) != 3) { int(0..2) r = fair choose(0..2); store(x, r); } }");
  const models::ModelPtr model = models::Library().named("fair");
  for (const Fairness fairness : models::kFairnesses) {
    const Explanation found = checker::explain(walk.program(), *model, fairness);
    REQUIRE(found.verdict == Verdict::fail);
    CHECK_FALSE(found.replay.objection);
    CHECK(found.witness->smallest == (fairness == Fairness::strong));
    CHECK(found.witness->lasso.cycle.size() < 400);
  }
}

}  // namespace headway::testing
