#include "suite/fingerprint.hpp"

#include <algorithm>
#include <cadical.hpp>
#include <cassert>
#include <map>
#include <memory>

#include "suite/classification.hpp"

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

// Whether `size` candidates separate all of `pairs`, and which. Variable c + 1 is "candidate c is
// chosen". Each pair is a clause; that no more than `size` are chosen is said by a sequential
// counter (Sinz, 2005): s(c, n) holds when at least n of the candidates 0 .. c are chosen.
class Cover : private CaDiCaL::Terminator {
 public:
  Cover(const std::vector<Candidate>& candidates, std::size_t pairs, std::size_t size,
        const std::atomic<bool>* stop)
      : stop_(stop), solver_(std::make_unique<CaDiCaL::Solver>()) {
    solver_->set("quiet", 1);
    solver_->connect_terminator(this);
    for (std::size_t p = 0; p < pairs; ++p) {
      for (std::size_t c = 0; c < candidates.size(); ++c) {
        if (candidates[c].separates[p]) solver_->add(chosen(c));
      }
      solver_->add(0);
    }
    const auto count = static_cast<int>(candidates.size());
    const auto at_least = [&](std::size_t c, std::size_t n) {
      return count + 1 + static_cast<int>(c * size + n - 1);
    };
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      if (size == 0) clause({-chosen(c)});
      for (std::size_t n = 1; n <= size; ++n) {
        if (n == 1) clause({-chosen(c), at_least(c, 1)});
        if (c == 0) continue;
        clause({-at_least(c - 1, n), at_least(c, n)});
        if (n > 1) clause({-chosen(c), -at_least(c - 1, n - 1), at_least(c, n)});
        if (n == size) clause({-chosen(c), -at_least(c - 1, n)});
      }
    }
  }
  ~Cover() override { solver_->disconnect_terminator(); }
  Cover(const Cover&) = delete;
  Cover& operator=(const Cover&) = delete;

  enum class Answer { yes, no, stopped };
  // With at least the candidates in `fixed` chosen.
  Answer exists(const std::vector<std::size_t>& fixed) {
    if (terminate()) return Answer::stopped;  // the solver only looks when it takes long
    for (const std::size_t c : fixed) solver_->assume(chosen(c));
    const int answer = solver_->solve();
    return answer == 10 ? Answer::yes : answer == 20 ? Answer::no : Answer::stopped;
  }

 private:
  static int chosen(std::size_t candidate) { return static_cast<int>(candidate) + 1; }
  void clause(std::initializer_list<int> literals) {
    for (const int literal : literals) solver_->add(literal);
    solver_->add(0);
  }
  bool terminate() override { return stop_ != nullptr && *stop_; }

  const std::atomic<bool>* stop_;
  std::unique_ptr<CaDiCaL::Solver> solver_;
};

}  // namespace

// A hitting set: every pair needs one of the tests that separate it. Sizes are tried from 0 up, so
// that the solver has refuted every smaller one when it says yes. Then candidates are added in the
// order of preference as long as a set of that size holds them all; that makes the choice
// independent of the solver.
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
  for (std::size_t size = 0;; ++size) {
    Cover cover(all, result.separated.size(), size, stop);
    const Cover::Answer answer = cover.exists({});
    result.complete = answer != Cover::Answer::stopped;
    if (answer == Cover::Answer::no) continue;
    std::vector<std::size_t> fixed;
    for (std::size_t c = 0; c < all.size() && fixed.size() < size && result.complete; ++c) {
      fixed.push_back(c);
      const Cover::Answer with = cover.exists(fixed);
      if (with != Cover::Answer::yes) fixed.pop_back();
      result.complete = with != Cover::Answer::stopped;
    }
    for (const std::size_t c : fixed) result.tests.push_back(all[c].test);
    if (!result.complete) result.tests.clear();
    return result;
  }
}

}  // namespace headway::suite
