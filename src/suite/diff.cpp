#include "suite/diff.hpp"

#include <fmt/format.h>

#include <map>
#include <unordered_map>

namespace headway::suite {
namespace {

using models::Reading;
using Expected = std::map<std::pair<std::string, models::Fairness>, bool>;

Expected expected(const lang::Test& test) {
  Expected result;
  for (const lang::Expectation& expectation : test.expectations) {
    for (const models::Fairness fairness : models::kFairnesses) {
      if (expectation.fairness && *expectation.fairness != fairness) continue;
      result[{expectation.model, fairness}] = expectation.passes;
    }
  }
  return result;
}

// What one suite expects to pass and the other to fail. What only one of them speaks of is no
// difference.
std::vector<std::string> contradictions(const lang::Test& a, const lang::Test& b) {
  const Expected in_b = expected(b);
  std::vector<std::string> result;
  for (const auto& [key, passes] : expected(a)) {
    const auto other = in_b.find(key);
    if (other == in_b.end() || other->second == passes) continue;
    result.push_back(fmt::format("{}:{} {}", key.first, to_string(key.second),
                                 passes ? "pass -> fail" : "fail -> pass"));
  }
  return result;
}

// The tests of a suite by program and by name; of equal programs the first.
struct Index {
  explicit Index(const Suite& suite) {
    for (std::size_t t = 0; t < suite.tests.size(); ++t) {
      keys.push_back(lang::program_key(suite.tests[t]));
      by_program.try_emplace(keys.back(), t);
      by_name.emplace(suite.tests[t].name, t);
    }
  }
  static std::optional<std::size_t> find(const std::unordered_map<std::string, std::size_t>& map,
                                         const std::string& key) {
    const auto found = map.find(key);
    return found == map.end() ? std::nullopt : std::optional(found->second);
  }

  std::vector<std::string> keys;
  std::unordered_map<std::string, std::size_t> by_program;
  std::unordered_map<std::string, std::size_t> by_name;
};

}  // namespace

SuiteDiff diff(const Suite& a, const VerdictMatrix& matrix_a, const Suite& b,
               const VerdictMatrix& matrix_b) {
  const Index index_a(a), index_b(b);
  SuiteDiff result;
  std::vector<bool> changed_b(b.tests.size());
  for (std::size_t t = 0; t < a.tests.size(); ++t) {
    const lang::Test& test = a.tests[t];
    const auto namesake = Index::find(index_b.by_name, test.name);
    if (auto same = Index::find(index_b.by_program, index_a.keys[t])) {
      // Of several copies in B the one with the same name, if there is one.
      if (namesake && index_b.keys[*namesake] == index_a.keys[t]) same = namesake;
      ++result.in_both;
      if (!namesake || index_b.keys[*namesake] != index_a.keys[t]) ++result.renamed;
      auto expectations = contradictions(test, b.tests[*same]);
      if (expectations.empty()) continue;
      result.differences.push_back(
          {Difference::Kind::expectations, t, same, {}, std::move(expectations)});
    } else if (namesake && !index_a.by_program.contains(index_b.keys[*namesake])) {
      Difference changed{Difference::Kind::changed, t, namesake, {}, {}};
      changed_b[*namesake] = true;
      for (std::size_t m = 0; m < matrix_a.models().size(); ++m) {
        for (const models::Fairness fairness : models::kFairnesses) {
          const Reading reading{m, fairness};
          const Change change{reading, matrix_a.verdict(t, reading),
                              matrix_b.verdict(*namesake, reading)};
          if (change.a != change.b) changed.verdicts.push_back(change);
        }
      }
      result.differences.push_back(std::move(changed));
    } else {
      result.differences.push_back({Difference::Kind::only_a, t, std::nullopt, {}, {}});
    }
  }
  for (std::size_t t = 0; t < b.tests.size(); ++t) {
    if (changed_b[t] || index_a.by_program.contains(index_b.keys[t])) continue;
    result.differences.push_back({Difference::Kind::only_b, std::nullopt, t, {}, {}});
  }
  return result;
}

}  // namespace headway::suite
