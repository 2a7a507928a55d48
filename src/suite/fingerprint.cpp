#include "suite/fingerprint.hpp"

#include <algorithm>
#include <cassert>
#include <map>

#include "suite/classification.hpp"
#include "suite/set_cover.hpp"

namespace headway::suite {
namespace {

using checker::Verdict;
using models::Reading;

// A test that is a candidate, and the pairs that it separates.
struct Candidate {
  std::size_t test;
  std::vector<bool> separates;  // by number of the pair
};

bool separates(const Signature& signature, const ReadingPair& pair) {
  const Verdict a = signature[pair.first.model].of(pair.first.fairness);
  const Verdict b = signature[pair.second.model].of(pair.second.fairness);
  return a != b && a != Verdict::unknown && b != Verdict::unknown;
}

// One candidate for each set of pairs that some test separates, the smallest such test, in the
// order of preference. A suite of any length has as few as it has signatures.
std::vector<Candidate> candidates(const VerdictMatrix& matrix,
                                  const std::vector<ReadingPair>& pairs,
                                  std::span<const lang::Test> tests) {
  std::vector<std::vector<bool>> of_signature;
  for (const Signature& signature : matrix.signatures()) {
    of_signature.emplace_back();
    for (const ReadingPair& pair : pairs) of_signature.back().push_back(separates(signature, pair));
  }
  std::map<std::vector<bool>, std::size_t> smallest;  // test by what it separates
  for (std::size_t t = 0; t < matrix.tests(); ++t) {
    const auto [entry, is_new] = smallest.try_emplace(of_signature[matrix.signature_of(t)], t);
    if (!is_new && smaller(tests[t], tests[entry->second])) entry->second = t;
  }
  std::vector<Candidate> result;
  for (const auto& [what, test] : smallest) {
    if (std::find(what.begin(), what.end(), true) != what.end()) result.push_back({test, what});
  }
  std::sort(result.begin(), result.end(), [&](const Candidate& a, const Candidate& b) {
    if (smaller(tests[a.test], tests[b.test])) return true;
    return !smaller(tests[b.test], tests[a.test]) && a.test < b.test;
  });
  return result;
}

}  // namespace

// A hitting set: every pair needs one of the tests that separate it.
Fingerprint fingerprint(const VerdictMatrix& matrix, const SuiteOrder& order,
                        std::span<const lang::Test> tests, const std::atomic<bool>* stop) {
  assert(tests.size() == matrix.tests());
  Fingerprint result;
  const std::vector<Reading>& readings = order.readings();
  for (std::size_t a = 0; a < readings.size(); ++a) {
    for (std::size_t b = a + 1; b < readings.size(); ++b) {
      const ReadingPair pair{readings[a], readings[b]};
      const bool separable =
          std::any_of(matrix.signatures().begin(), matrix.signatures().end(),
                      [&](const Signature& signature) { return separates(signature, pair); });
      (separable ? result.separated : result.inseparable).push_back(pair);
    }
  }
  const std::vector<Candidate> all = candidates(matrix, result.separated, tests);
  std::vector<std::vector<bool>> sets;
  sets.reserve(all.size());
  for (const Candidate& candidate : all) sets.push_back(candidate.separates);
  const SetCover cover = fewest_sets(sets, result.separated.size(), stop);
  result.complete = cover.complete;
  for (const std::size_t chosen : cover.chosen) result.tests.push_back(all[chosen].test);
  return result;
}

}  // namespace headway::suite
