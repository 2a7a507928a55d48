#include "suite/surviving.hpp"

#include <algorithm>

#include "suite/suite_order.hpp"

namespace headway::suite {
namespace {

using checker::Verdict;
using models::Reading;

// Of `readings` those that none of the others implies; of equal ones the first.
std::vector<Reading> strongest(const std::vector<Reading>& readings, const SuiteOrder& order) {
  std::vector<Reading> result;
  for (std::size_t r = 0; r < readings.size(); ++r) {
    bool implied = false;
    for (std::size_t other = 0; other < readings.size() && !implied; ++other) {
      implied = order.below(readings[r], readings[other]) ||
                (other < r && order.equal(readings[r], readings[other]));
    }
    if (!implied) result.push_back(readings[r]);
  }
  return result;
}

}  // namespace

std::vector<models::ModelPtr> claims_about(const models::Library& library,
                                           std::span<const lang::Test> tests) {
  const auto some = [&](Level level) {
    const bool has = std::any_of(tests.begin(), tests.end(), [&](const lang::Test& test) {
      return test.source->launch().has(level);
    });
    return has ? 2 : 1;
  };
  return library.standard(
      Topology(some(Level::workgroup), some(Level::subgroup), some(Level::thread)));
}

std::vector<std::vector<std::string>> surviving(const VerdictMatrix& matrix,
                                                std::span<const lang::Test> tests,
                                                std::span<const Machine> machines) {
  const SuiteOrder order(matrix.models(), tests);
  // By machine and signature: whether a test with these verdicts never ends there.
  std::vector<std::vector<bool>> hangs(machines.size(),
                                       std::vector<bool>(matrix.signatures().size()));
  for (std::size_t t = 0; t < tests.size(); ++t) {
    const auto program = lang::make_program(tests[t]);
    for (std::size_t m = 0; m < machines.size(); ++m) {
      std::vector<bool>& of_machine = hangs[m];
      if (!of_machine[matrix.signature_of(t)] && never_ends(*program, machines[m])) {
        of_machine[matrix.signature_of(t)] = true;
      }
    }
  }
  std::vector<std::vector<std::string>> result;
  for (const std::vector<bool>& of_machine : hangs) {
    std::vector<Reading> left;
    for (const Reading& reading : order.readings()) {
      bool refuted = false;
      for (std::size_t s = 0; s < of_machine.size() && !refuted; ++s) {
        const auto& verdicts = matrix.signatures()[s];
        refuted = of_machine[s] && verdicts[reading.model].of(reading.fairness) == Verdict::pass;
      }
      if (!refuted) left.push_back(reading);
    }
    std::vector<std::string>& names = result.emplace_back();
    for (const Reading& reading : strongest(left, order)) names.push_back(order.name(reading));
  }
  return result;
}

}  // namespace headway::suite
