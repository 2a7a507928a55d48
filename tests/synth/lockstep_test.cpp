// Synthesis where subgroups run in lockstep.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "lang/axb/canonical.hpp"
#include "lang/axb/source.hpp"
#include "models/library.hpp"
#include "support/budget.hpp"
#include "support/files.hpp"
#include "synth/distinguish.hpp"
#include "synth/explicit/explicit_engine.hpp"
#include "synth/explicit/lockstep_engine.hpp"
#include "synth/sat/lockstep_engine.hpp"
#include "synth/space/well_formed.hpp"
#include "synth/synthesize.hpp"

using namespace headway;
using synth::Bounds;
using synth::Constraint;
using synth::Instructions;

namespace {

Bounds in_lockstep(const std::vector<std::vector<int>>& sizes, int instructions,
                   Bounds::Barriers barriers = {}) {
  Bounds bounds;
  bounds.instructions = instructions;
  bounds.barriers = barriers;
  synth::place(bounds, Topology::placed(sizes), true);
  return bounds;
}

std::multiset<std::string> keys(synth::Engine& engine, const Bounds& bounds) {
  std::multiset<std::string> result;
  const std::atomic<bool> stop{false};
  for (const synth::Cube& cube : synth::cubes(bounds)) {
    CHECK(engine.enumerate(
        cube,
        [&](const Instructions& code) {
          result.insert(lang::axb::code_key(synth::to_code(bounds, cube.shape, code)));
          return true;
        },
        stop));
  }
  return result;
}

// Every program of a shape, one after another, judged by the definition.
void add_by_definition(const Bounds& bounds, const synth::Requirements& requirements,
                       const synth::Shape& shape, Instructions& code, int thread, int index,
                       std::multiset<std::string>& result) {
  if (thread == bounds.threads) {
    const lang::axb::Code test = synth::to_code(bounds, shape, code);
    const auto violated = synth::violated_constraints(test);
    const bool holds = std::all_of(violated.begin(), violated.end(), [&](Constraint constraint) {
      return constraint == Constraint::effective_stores && !requirements.effective_stores;
    });
    const bool fits = !bounds.barriers.structured || is_structured(test);
    if (holds && fits) result.insert(lang::axb::code_key(test));
    return;
  }
  const int length = shape[static_cast<std::size_t>(thread)];
  for (const auto& choice : synth::instruction_choices(bounds, thread, length, index)) {
    code.push_back(choice);
    if (synth::is_canonical(code)) {
      const bool last = index + 1 == length;
      add_by_definition(bounds, requirements, shape, code, last ? thread + 1 : thread,
                        last ? 0 : index + 1, result);
    }
    code.pop_back();
  }
}

std::multiset<std::string> by_definition(const Bounds& bounds,
                                         const synth::Requirements& requirements) {
  std::multiset<std::string> result;
  for (const synth::Shape& shape : synth::shapes(bounds)) {
    Instructions code;
    add_by_definition(bounds, requirements, shape, code, 0, 0, result);
  }
  return result;
}

std::size_t count(const synth::Request& request, synth::EngineKind engine) {
  synth::RunOptions options;
  options.engine = engine;
  options.count_only = true;
  return synth::synthesize(request, options, [](const synth::Batch&) {}).tests;
}

}  // namespace

TEST_CASE("synth/lockstep: both engines find what the definition says") {
  const Bounds::Barriers workgroup{.workgroup = true};
  const Bounds::Barriers ended{.workgroup = true, .ended_count = true};
  const Bounds::Barriers structured{.workgroup = true, .structured = true};
  struct Case {
    std::vector<std::vector<int>> sizes;
    int instructions;
    Bounds::Barriers barriers;
    bool effective = false;
    int locations = 2;
    int values = 2;
  };
  for (const Case& each :
       {Case{{{2}, {1}}, 3, {}}, Case{{{1}, {2}}, 3, {}}, Case{{{2}}, 3, {}, false, 1},
        Case{{{2}, {2}}, 2, {}, true}, Case{{{3}}, 3, {}, false, 1}, Case{{{2, 1}}, 3, workgroup},
        Case{{{2, 1}}, 3, ended}, Case{{{2, 2}}, 3, structured},
        Case{{{2}, {1}}, 2, {}, false, 2, 3}, Case{{{2, 1}, {1}}, 3, ended, true},
        Case{{{2}, {1}}, 3, {}, true}}) {
    if (testing::kShare > 1 && each.instructions > 2) continue;
    Bounds bounds = in_lockstep(each.sizes, each.instructions, each.barriers);
    bounds.locations = each.locations;
    bounds.values = each.values;
    const synth::Requirements requirements{.effective_stores = each.effective};
    const auto wanted = by_definition(bounds, requirements);
    CAPTURE(bounds.topology().placement());
    synth::LockstepEngine grown(bounds, requirements);
    synth::sat::LockstepEngine proposed(bounds, requirements);
    CHECK(keys(grown, bounds) == wanted);
    CHECK(keys(proposed, bounds) == wanted);
  }
}

TEST_CASE("synth/lockstep: both engines find the same of more instructions") {
  const Bounds::Barriers ended{.workgroup = true, .ended_count = true};
  std::vector<Bounds> all = {in_lockstep({{2}, {1}}, 4), in_lockstep({{2, 1}}, 4, ended),
                             in_lockstep({{3}, {1}}, 4)};
  // Takes longer than the others together.
  if (testing::is_campaign()) all.push_back(in_lockstep({{2}}, 4));
  for (Bounds& bounds : all) {
    bounds.locations = 1;
    if (testing::kShare > 1 || (&bounds == &all.back() && !testing::is_campaign())) {
      bounds.instructions = 3;
    }
    CAPTURE(bounds.topology().placement());
    synth::LockstepEngine grown(bounds, {});
    synth::sat::LockstepEngine proposed(bounds, {});
    CHECK(keys(grown, bounds) == keys(proposed, bounds));
  }
}

TEST_CASE("synth/lockstep: subgroups of one lane are independent threads") {
  const Bounds::Barriers workgroup{.workgroup = true, .ended_count = true};
  for (Bounds bounds : {in_lockstep({{1}, {1}}, 3), in_lockstep({{1, 1}}, 4, workgroup)}) {
    if (bounds.barriers.any()) bounds.locations = 1;
    Bounds independent = bounds;
    independent.lanes.clear();
    synth::LockstepEngine lanes(bounds, {});
    synth::sat::LockstepEngine proposed(bounds, {});
    synth::ExplicitEngine threads(independent, {});
    CHECK(keys(lanes, bounds) == keys(threads, independent));
    if (testing::kShare == 1) CHECK(keys(proposed, bounds) == keys(threads, independent));
  }
}

TEST_CASE("synth/lockstep: so many tests there are, and so many are minimal") {
  synth::Request request;
  request.bounds = {in_lockstep({{2}, {1}}, 3)};
  CHECK(count(request, synth::EngineKind::automatic) == 319);
  CHECK(count(request, synth::EngineKind::sat) == 319);
  request.minimal_for = models::Library().standard(request.bounds.front().topology());
  const std::size_t minimal = count(request, synth::EngineKind::automatic);
  CHECK(minimal == count(request, synth::EngineKind::sat));
  CHECK(minimal > 0);
  CHECK(minimal < 319);
}

TEST_CASE("synth/lockstep: subgroups change places that have equally many lanes") {
  const auto with = [](const std::vector<std::vector<int>>& sizes, synth::Symmetric symmetric) {
    synth::Request request;
    request.bounds = {in_lockstep(sizes, 3)};
    request.symmetric = symmetric;
    return count(request, synth::EngineKind::automatic);
  };
  CHECK(with({{2}, {1}}, synth::Symmetric::all) == with({{2}, {1}}, synth::Symmetric::none));
  const std::size_t all = with({{2}, {2}}, synth::Symmetric::none);
  CHECK(with({{2}, {2}}, synth::Symmetric::all) * 2 == all);
}

// A lane stays in a minimal test only if a verdict depends on it, so the tests in which no subgroup
// has two are those of independent threads.
TEST_CASE("synth/lockstep: a minimal test loses a verdict with each lane") {
  synth::Request request;
  request.bounds = {in_lockstep({{2}, {1}}, 3)};
  request.minimal_for = models::Library().standard(request.bounds.front().topology());
  synth::Minimality minimality(request.minimal_for);
  std::size_t tests = 0;
  synth::synthesize(request, {}, [&](const synth::Batch& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto code = synth::to_code(*batch.bounds, *batch.shape, batch.code(i));
      const auto verdicts = minimality.verdicts(code);
      ++tests;
      for (const synth::Reduction& step : synth::reductions(code)) {
        CHECK(minimality.verdicts(synth::apply(code, step)) != verdicts);
        if (step.kind != synth::ReductionKind::remove_lane) continue;
        CHECK(synth::describe(code, step).starts_with("remove lane"));
        CHECK(!synth::apply(code, step).in_lockstep());
      }
    }
  });
  CHECK(tests > 0);
}

TEST_CASE("synth/lockstep: a run goes on from its checkpoint with the same tests") {
  const testing::TemporaryFolder folder;
  synth::Request request;
  request.bounds = {in_lockstep({{2, 1}}, 3, {.workgroup = true})};
  synth::RunOptions options;
  options.checkpoint = folder.path() / "checkpoint";
  const auto run = [&] {
    std::vector<std::string> found;
    synth::synthesize(request, options, [&](const synth::Batch& batch) {
      for (std::size_t i = 0; i < batch.size(); ++i) {
        found.push_back(
            lang::axb::code_key(synth::to_code(*batch.bounds, *batch.shape, batch.code(i))));
      }
    });
    return found;
  };
  const std::vector<std::string> first = run();
  CHECK(first.size() == 319);
  CHECK(run() == first);
}

TEST_CASE("synth/lockstep: models are told apart in lockstep, or not") {
  models::Library library;
  const synth::Filter passes{library.find("OBE"), models::Fairness::weak, true};
  const synth::Filter fails{library.find("HSA"), models::Fairness::weak, false};
  synth::Maxima maxima;
  maxima.placements = {Topology::placed({{2}, {1}})};
  maxima.instructions = 3;
  maxima.lockstep = true;
  const auto found = synth::distinguish({passes, fails}, maxima, {});
  REQUIRE(found.test);
  CHECK(found.test->in_lockstep());
  maxima.placements = {Topology::placed({{2}})};
  CHECK(!synth::distinguish({passes, fails}, maxima, {}).test);
}

TEST_CASE("synth/lockstep: what bounds have no place for is refused") {
  Bounds bounds = in_lockstep({{1}, {1}}, 3);
  CHECK_THROWS_WITH(synth::validate(bounds),
                    "no subgroup of 1|1 has two threads that could run in lockstep; expected a "
                    "placement where one has, such as 2|1");
  CHECK_THROWS_WITH(
      synth::validate(in_lockstep({{9}, {1}}, 3)),
      "number of threads of a subgroup in lockstep 9 is out of range; expected 1 to 8");
  CHECK_THROWS_WITH(synth::validate(in_lockstep({{2}, {1}}, 3, {.workgroup = true})),
                    "no workgroup has two subgroups in 2 workgroups of subgroups of 2|1 threads in "
                    "lockstep; expected a placement where one has, or no barriers of workgroups");
  CHECK_THROWS_WITH(synth::validate(in_lockstep({{2, 1}}, 3, {.subgroup = true})),
                    "the threads of a subgroup in lockstep are together already; expected no "
                    "barriers of subgroups beside --lockstep");
}
