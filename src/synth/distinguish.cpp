#include "synth/distinguish.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "lang/axb/source.hpp"
#include "synth/explicit/explicit_engine.hpp"
#include "synth/sat/directed.hpp"

namespace headway::synth {
namespace {

using models::Reading;

// A request for the tests of one size.
Request request_for(const Bounds& bounds, const std::vector<Filter>& filters) {
  Request request;
  request.bounds = {bounds};
  request.filters = filters;
  return request;
}

// Whether to search rather than enumerate. Up to five instructions the explicit engine enumerates
// everything in seconds, which no search beats when there is nothing to find.
bool is_searched(EngineKind engine, const Bounds& bounds) {
  constexpr int most_enumerated = 5;
  if (!bounds.lanes.empty()) return false;  // which programs of independent threads alone are
  if (engine != EngineKind::automatic) return engine == EngineKind::sat;
  return bounds.instructions > most_enumerated || !ExplicitEngine::applies(bounds);
}

// Whether no test of these bounds can satisfy all of `filters`, as is seen without a search.
bool is_impossible(const std::vector<Filter>& filters, const Bounds& bounds) {
  return bounds.barriers.any() ? ruled_out_by_order(filters, bounds.topology(), true)
                               : contradictory(filters, bounds.topology());
}

sat::DirectedOptions directed_options(const RunOptions& options,
                                      const std::vector<sat::Place>& places) {
  sat::DirectedOptions result;
  result.stop = options.stop;
  if (options.progress != nullptr) {
    result.report = [&options, total = places.size(),
                     instructions = places.back().bounds.instructions](std::size_t empty) {
      options.progress->note(fmt::format("{} of {} shapes with {} instructions have none", empty,
                                         total, instructions));
      options.progress->advance();
    };
  }
  return result;
}

struct Answer {
  std::optional<axb::Code> test;
  bool complete = true;
};

// A test of one size that satisfies all of `filters`.
Answer search_size(const Bounds& bounds, const std::vector<Filter>& filters,
                   const RunOptions& options) {
  Answer answer;
  if (is_searched(options.engine, bounds)) {
    std::vector<sat::Place> places;
    for (Shape& shape : shapes(bounds)) places.push_back({bounds, std::move(shape)});
    const sat::Directed found = sat::search(places, filters, directed_options(options, places));
    answer.complete = found.complete;
    if (found.match) {
      answer.test = to_code(bounds, places[found.match->place].shape, found.match->code);
    }
    return answer;
  }
  RunOptions first_only = options;
  first_only.limit = 1;
  first_only.count_only = false;
  first_only.progress = nullptr;
  const RunResult run = synthesize(
      request_for(bounds, filters), first_only,
      [&](const Batch& batch) { answer.test = to_code(bounds, *batch.shape, batch.code(0)); });
  answer.complete = run.complete || answer.test;
  return answer;
}

}  // namespace

std::vector<Bounds> sizes(const Maxima& maxima) {
  std::vector<Bounds> result;
  for (int instructions = 2; instructions <= maxima.instructions; ++instructions) {
    for (const Topology& launch : maxima.placements) {
      Bounds bounds{launch.threads(), instructions, maxima.locations, maxima.values};
      place(bounds, launch, maxima.lockstep);
      bounds.barriers = maxima.barriers;
      if (bounds.threads <= instructions) result.push_back(with_possible_barriers(bounds));
    }
    if (!maxima.placements.empty()) continue;
    for (int threads = 2; threads <= std::min(maxima.threads, instructions); ++threads) {
      result.push_back({threads, instructions, maxima.locations, maxima.values});
    }
  }
  return result;
}

Distinguished distinguish(const std::vector<Filter>& filters, const Maxima& maxima,
                          const RunOptions& options, bool any) {
  Distinguished result;
  const CoreLimit limit(options.jobs);
  std::vector<sat::Place> places;
  for (const Bounds& bounds : sizes(maxima)) {
    validate(bounds);
    if (is_impossible(filters, bounds)) {
      ++result.searched;
      continue;
    }
    result.bounds = bounds;
    if (any) {
      for (Shape& shape : shapes(bounds)) places.push_back({bounds, std::move(shape)});
      continue;
    }
    const Answer answer = search_size(bounds, filters, options);
    result.test = answer.test;
    result.complete = answer.complete;
    if (result.test || !result.complete) return result;
    ++result.searched;
  }
  if (places.empty()) return result;
  const sat::Directed found = sat::search(places, filters, directed_options(options, places));
  result.complete = found.complete;
  if (found.match) {
    const auto& [bounds, shape] = places[found.match->place];
    result.bounds = bounds;
    result.test = to_code(bounds, shape, found.match->code);
  }
  return result;
}

std::vector<Topology> launches(const Maxima& maxima) {
  std::vector<Topology> result;
  for (const Topology& launch : maxima.placements) {
    Bounds bounds;
    place(bounds, launch, maxima.lockstep);
    result.push_back(bounds.topology());
  }
  if (!result.empty()) return result;
  for (int threads = 2; threads <= maxima.threads; ++threads) result.emplace_back(threads);
  return result;
}

PairTable distinguish_all(const std::vector<models::ModelPtr>& models, const Maxima& maxima,
                          const RunOptions& options) {
  PairTable table;
  table.models = models;
  std::vector<models::ModelOrder> orders;  // from two threads up
  bool all_ordered = true;
  for (const Topology& launch : launches(maxima)) {
    const bool meets = maxima.barriers.any();
    const bool ordered = launch.threads() <= models::kMaxOrderThreads &&
                         models::ModelOrder::in_limits(models, launch.threads(), meets);
    if (ordered) orders.emplace_back(models, launch, models::Scope::recurring, meets);
    all_ordered = all_ordered && ordered;
  }
  std::size_t open = 0;
  std::vector<Reading> readings;  // a model that guarantees nothing has one, not two
  for (std::size_t m = 0; m < models.size(); ++m) {
    const Reading weak{m, models::Fairness::weak}, strong{m, models::Fairness::strong};
    const bool same = std::all_of(orders.begin(), orders.end(),
                                  [&](const auto& order) { return order.equal(weak, strong); });
    readings.push_back(weak);
    if (!same) readings.push_back(strong);
  }
  for (std::size_t a = 0; a < readings.size(); ++a) {
    for (std::size_t b = 0; b < readings.size(); ++b) {
      const Reading passes = readings[a];
      const Reading fails = readings[b];
      if (a == b) continue;
      const bool ruled_out =
          all_ordered && std::all_of(orders.begin(), orders.end(), [&](const auto& order) {
            return order.at_most(passes, fails);
          });
      table.entries.push_back({passes, fails, std::nullopt, ruled_out});
      open += ruled_out ? 0 : 1;
    }
  }
  checker::Checker checker;
  const CoreLimit limit(options.jobs);
  RunOptions all = options;
  all.count_only = false;
  for (const Bounds& bounds : sizes(maxima)) {
    if (open == 0) break;
    if (is_searched(options.engine, bounds)) {
      for (PairTable::Entry& entry : table.entries) {
        const std::vector<Filter> filters = {
            {models[entry.passes.model], entry.passes.fairness, true},
            {models[entry.fails.model], entry.fails.fairness, false}};
        if (entry.test || is_impossible(filters, bounds)) continue;
        const Answer answer = search_size(bounds, filters, options);
        entry.test = answer.test;
        open -= entry.test ? 1 : 0;
        table.complete = table.complete && answer.complete;
      }
      if (!table.complete) break;
      continue;
    }
    const auto examine = [&](const Batch& batch) {
      for (std::size_t i = 0; i < batch.size() && open > 0; ++i) {
        const axb::Code test = to_code(bounds, *batch.shape, batch.code(i));
        const auto verdicts = checker.check(*axb::make_program(test), models).verdicts;
        for (PairTable::Entry& entry : table.entries) {
          if (entry.test || entry.ruled_out) continue;
          const bool tells =
              verdicts[entry.passes.model].of(entry.passes.fairness) == checker::Verdict::pass &&
              verdicts[entry.fails.model].of(entry.fails.fairness) == checker::Verdict::fail;
          if (!tells) continue;
          entry.test = test;
          --open;
        }
      }
    };
    if (!synthesize(request_for(bounds, {}), all, examine).complete) {
      table.complete = false;
      break;
    }
  }
  return table;
}

}  // namespace headway::synth
