#include "campaign/conformance.hpp"

#include <algorithm>

namespace headway::campaign {
namespace {

using checker::Verdict;
using models::Reading;

// All that was seen of one test.
struct Seen {
  std::size_t test;
  std::vector<std::pair<std::size_t, const Observation*>> by_mapping;
  bool hung = false;
  bool always = false;
  bool unclear = false;
};

std::vector<Seen> by_test(const DeviceObservations& device) {
  std::vector<Seen> tests;
  for (const auto& [place, observation] : device.seen) {
    const auto [test, mapping] = place;
    if (!observation.valid()) continue;
    if (tests.empty() || tests.back().test != test) tests.push_back({test, {}, {}, {}, {}});
    Seen& seen = tests.back();
    seen.by_mapping.emplace_back(mapping, &observation);
    if (!observation.hung) continue;
    seen.hung = true;
    seen.always = seen.always || observation.always().value_or(false);
    seen.unclear = seen.unclear || !observation.always();
  }
  for (Seen& seen : tests) seen.unclear = seen.unclear && !seen.always;
  return tests;
}

void add_runs(std::uint64_t& runs, bool& all_known, const Observation& observation) {
  runs += observation.runs.value_or(0);
  all_known = all_known && observation.runs;
}

ReadingResult result_of(const Reading& reading, const std::vector<Seen>& tests,
                        std::size_t mappings, const suite::VerdictMatrix& matrix) {
  ReadingResult result{reading, {}, std::vector<Tally>(mappings), {}, true};
  for (const Seen& seen : tests) {
    if (matrix.verdict(seen.test, reading) != Verdict::pass) continue;
    ++result.all.tests;
    if (seen.hung) {
      ++result.all.refuting;
      result.refuting.push_back(seen.test);
      if (seen.always) ++result.all.always;
      if (seen.unclear) ++result.all.unclear;
    }
    for (const auto& [mapping, observation] : seen.by_mapping) {
      Tally& tally = result.by_mapping[mapping];
      ++tally.tests;
      add_runs(tally.runs, tally.all_runs_known, *observation);
      add_runs(result.all.runs, result.all.all_runs_known, *observation);
      if (!observation->hung) continue;
      ++tally.refuting;
      const std::optional<bool> always = observation->always();
      if (!always) ++tally.unclear;
      if (always.value_or(false)) ++tally.always;
      result.only_lost =
          result.only_lost && observation->hangs && observation->lost == *observation->hangs;
    }
  }
  result.only_lost = result.only_lost && result.refuted();
  return result;
}

// Each reading that is not refuted has all of its conformance tests held, and so have the readings
// below it: what a stronger reading does not refute a weaker one does not either.
std::vector<std::vector<Reading>> strongest(const std::vector<ReadingResult>& results,
                                            const suite::SuiteOrder& order) {
  std::vector<std::vector<Reading>> groups;
  for (const ReadingResult& result : results) {
    if (result.refuted()) continue;
    const bool topped = std::any_of(results.begin(), results.end(), [&](const auto& other) {
      return !other.refuted() && order.below(result.reading, other.reading);
    });
    if (topped) continue;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& readings) {
      return order.equal(readings.front(), result.reading);
    });
    if (group == groups.end()) {
      groups.push_back({result.reading});
    } else {
      group->push_back(result.reading);
    }
  }
  return groups;
}

}  // namespace

Determinism ReadingResult::determinism() const {
  if (all.always > 0) return Determinism::always;
  return all.unclear > 0 ? Determinism::unknown : Determinism::sometimes;
}

DeviceResult conformance(const DeviceObservations& device, const suite::VerdictMatrix& matrix,
                         const suite::SuiteOrder& order) {
  DeviceResult result;
  const std::vector<Seen> tests = by_test(device);
  result.tests = tests.size();
  for (const Seen& seen : tests) {
    if (seen.hung) ++result.hung;
    for (const auto& [mapping, observation] : seen.by_mapping) {
      add_runs(result.runs, result.all_runs_known, *observation);
    }
  }
  for (const Reading& reading : order.readings()) {
    result.readings.push_back(result_of(reading, tests, device.mappings.size(), matrix));
  }
  result.strongest = strongest(result.readings, order);
  return result;
}

}  // namespace headway::campaign
