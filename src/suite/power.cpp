#include "suite/power.hpp"

#include <algorithm>
#include <iterator>

#include "lang/axb/source.hpp"
#include "suite/classification.hpp"
#include "suite/matrix.hpp"
#include "suite/set_cover.hpp"
#include "suite/surviving.hpp"
#include "synth/synthesize.hpp"

namespace headway::suite {
namespace {

bool stopped(const PowerOptions& options) { return options.stop != nullptr && *options.stop; }

// The spaces in which tests are looked for, the smallest first: a workgroup of two threads, and two
// workgroups of which one has two; of each as many instructions as it takes.
std::vector<synth::Bounds> spaces(int instructions) {
  std::vector<synth::Bounds> result;
  for (const auto& sizes :
       std::vector<std::vector<std::vector<int>>>{{{2}}, {{2}, {1}}, {{1}, {2}}}) {
    synth::Bounds bounds;
    bounds.placement = Topology::placed(sizes);
    bounds.threads = bounds.placement->threads();
    bounds.instructions = instructions;
    bounds.barriers.workgroup = true;
    if (bounds.threads <= instructions) result.push_back(bounds);
  }
  return result;
}

// Looks for a test that kills each mutant that no test kills.
void find_missing(Mutants& mutants, const PowerOptions& options, Power& power) {
  std::size_t open = 0;
  for (const auto& killers : power.killers) open += killers.empty() ? 1 : 0;
  const auto examine = [&](const synth::Batch& batch) {
    for (std::size_t i = 0; i < batch.size() && open > 0 && !stopped(options); ++i) {
      const lang::Test test =
          lang::axb::make_test(synth::to_code(*batch.bounds, *batch.shape, batch.code(i)));
      const auto killed = mutants.killed_by(test);
      if (!killed) continue;
      for (std::size_t m = 0; m < killed->size(); ++m) {
        if (!(*killed)[m] || !power.killers[m].empty() || power.missing[m]) continue;
        power.missing[m] = test;
        --open;
      }
    }
  };
  for (int instructions = 2; instructions <= options.search; ++instructions) {
    for (const synth::Bounds& bounds : spaces(instructions)) {
      if (open == 0) return;
      synth::Request request;
      request.bounds = {bounds};
      synth::RunOptions run;
      run.stop = options.stop;
      power.complete = synth::synthesize(request, run, examine).complete && !stopped(options);
      if (!power.complete) return;
    }
  }
}

// The fewest tests that kill what all kill, small ones first.
void find_fewest(std::span<const lang::Test> tests, const PowerOptions& options, Power& power) {
  std::vector<std::size_t> order;
  std::vector<std::size_t> killed;
  for (std::size_t m = 0; m < power.killers.size(); ++m) {
    if (!power.killers[m].empty()) killed.push_back(m);
    order.insert(order.end(), power.killers[m].begin(), power.killers[m].end());
  }
  std::sort(order.begin(), order.end());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return smaller(tests[a], tests[b]); });
  std::vector<std::vector<bool>> sets(order.size(), std::vector<bool>(killed.size()));
  for (std::size_t k = 0; k < killed.size(); ++k) {
    for (const std::size_t test : power.killers[killed[k]]) {
      const auto at = std::find(order.begin(), order.end(), test) - order.begin();
      sets[static_cast<std::size_t>(at)][k] = true;
    }
  }
  // Of tests that kill the same the smallest is enough.
  std::vector<std::vector<bool>> distinct;
  std::vector<std::size_t> of_set;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    if (std::find(distinct.begin(), distinct.end(), sets[s]) != distinct.end()) continue;
    distinct.push_back(sets[s]);
    of_set.push_back(order[s]);
  }
  const SetCover cover = fewest_sets(distinct, killed.size(), options.stop);
  power.complete = cover.complete;
  for (const std::size_t set : cover.chosen) power.fewest.push_back(of_set[set]);
}

}  // namespace

namespace {

// Runs all tests on the machines among the mutants.
void find_surviving(const models::Library& library, std::span<const lang::Test> tests,
                    const PowerOptions& options, Power& power) {
  DecideOptions decide_options;
  decide_options.stop = options.stop;
  const VerdictMatrix matrix = decide(tests, claims_about(library, tests), decide_options);
  power.complete = !stopped(options);
  if (!power.complete) return;
  std::vector<Machine> machines;
  for (const Mutant& mutant : power.mutants) {
    if (mutant.kind == Mutant::Kind::scheduler) machines.push_back(mutant.machine);
  }
  auto claims = surviving(matrix, tests, machines);
  power.surviving.resize(power.mutants.size() - machines.size());  // schedulers come last
  std::move(claims.begin(), claims.end(), std::back_inserter(power.surviving));
}

}  // namespace

std::size_t Power::killed() const {
  return static_cast<std::size_t>(std::count_if(killers.begin(), killers.end(),
                                                [](const auto& tests) { return !tests.empty(); }));
}

std::size_t Power::killable() const {
  return killed() +
         static_cast<std::size_t>(std::count_if(missing.begin(), missing.end(),
                                                [](const auto& test) { return test.has_value(); }));
}

Power power(const models::Library& library, const models::ModelPtr& claim,
            models::Fairness fairness, std::span<const lang::Test> tests,
            const PowerOptions& options) {
  Mutants mutants(library, claim, fairness);
  Power result;
  result.mutants = mutants.all();
  result.killers.resize(result.mutants.size());
  result.missing.resize(result.mutants.size());
  for (std::size_t t = 0; t < tests.size(); ++t) {
    if (stopped(options)) {
      result.complete = false;
      return result;
    }
    if (const auto killed = mutants.killed_by(tests[t])) {
      ++result.passing;
      for (std::size_t m = 0; m < killed->size(); ++m) {
        if ((*killed)[m]) result.killers[m].push_back(t);
      }
    }
    if (options.progress != nullptr) options.progress->advance();
  }
  find_surviving(library, tests, options, result);
  if (!result.complete) return result;
  find_fewest(tests, options, result);
  if (result.complete && options.search > 0) find_missing(mutants, options, result);
  return result;
}

}  // namespace headway::suite
