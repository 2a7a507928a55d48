#include "synth/distinguish.hpp"

#include <algorithm>

#include "lang/axb_program.hpp"
#include "lang/canonical.hpp"

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

}  // namespace

std::vector<Bounds> sizes(const Maxima& maxima) {
  std::vector<Bounds> result;
  for (int instructions = 2; instructions <= maxima.instructions; ++instructions) {
    for (int threads = 2; threads <= std::min(maxima.threads, instructions); ++threads) {
      result.push_back({threads, instructions, maxima.locations, maxima.values});
    }
  }
  return result;
}

bool contradictory(const std::vector<Filter>& filters, int threads) {
  if (threads > models::kMaxOrderThreads) return false;
  std::vector<models::ModelPtr> all;
  for (const Filter& filter : filters) all.push_back(filter.model);
  const models::ModelOrder order(all, threads, models::Scope::recurring);
  for (std::size_t p = 0; p < filters.size(); ++p) {
    for (std::size_t f = 0; f < filters.size(); ++f) {
      if (!filters[p].passes || filters[f].passes) continue;
      if (order.at_most(Reading{p, filters[p].fairness}, Reading{f, filters[f].fairness})) {
        return true;
      }
    }
  }
  return false;
}

Distinguished distinguish(const std::vector<Filter>& filters, const Maxima& maxima,
                          const RunOptions& options) {
  Distinguished result;
  RunOptions first_only = options;
  first_only.limit = 1;
  first_only.count_only = false;
  for (const Bounds& bounds : sizes(maxima)) {
    if (!contradictory(filters, bounds.threads)) {
      const RunResult run = synthesize(
          request_for(bounds, filters), first_only,
          [&](const Batch& batch) { result.test = to_test(bounds, *batch.shape, batch.code(0)); });
      result.bounds = bounds;
      if (result.test) return result;
      if (!run.complete) {
        result.complete = false;
        return result;
      }
    }
    ++result.searched;
  }
  return result;
}

PairTable distinguish_all(const std::vector<models::ModelPtr>& models, const Maxima& maxima,
                          const RunOptions& options) {
  PairTable table;
  table.models = models;
  std::vector<models::ModelOrder> orders;  // from two threads up
  for (int threads = 2; threads <= maxima.threads; ++threads) {
    orders.emplace_back(models, threads, models::Scope::recurring);
  }
  std::size_t open = 0;
  std::vector<Reading> readings;  // a model that guarantees nothing has one, not two
  for (std::size_t m = 0; m < models.size(); ++m) {
    const Reading weak{m, lang::Fairness::weak}, strong{m, lang::Fairness::strong};
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
      const bool ruled_out = std::all_of(orders.begin(), orders.end(), [&](const auto& order) {
        return order.at_most(passes, fails);
      });
      table.entries.push_back({passes, fails, std::nullopt, ruled_out});
      open += ruled_out ? 0 : 1;
    }
  }
  checker::Checker checker;
  RunOptions all = options;
  all.count_only = false;
  std::atomic<bool> stop{false};
  for (const Bounds& bounds : sizes(maxima)) {
    if (open == 0) break;
    const auto examine = [&](const Batch& batch) {
      for (std::size_t i = 0; i < batch.size() && open > 0; ++i) {
        const lang::Test test = to_test(bounds, *batch.shape, batch.code(i));
        const auto verdicts = checker.check(lang::AxbProgram(test), models).verdicts;
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
