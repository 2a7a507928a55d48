#include "checker/residency.hpp"

#include <fmt/format.h>

namespace headway::checker {
namespace {

// An unknown verdict in front of the first pass hides which model is the first.
Needed first_pass(const std::vector<ModelVerdict>& verdicts, Fairness fairness) {
  for (std::size_t k = 0; k < verdicts.size(); ++k) {
    const Verdict verdict = verdicts[k].of(fairness);
    if (verdict != Verdict::fail) return {verdict, static_cast<int>(k)};
  }
  return {Verdict::fail, 0};
}

}  // namespace

std::vector<models::ModelPtr> residency_ladder(const models::Library& library,
                                               const Topology& launch) {
  std::vector<models::ModelPtr> ladder;
  for (int k = 0; k <= launch.workgroups(); ++k) {
    ladder.push_back(library.named(fmt::format("OBE-k(k={})", k)));
  }
  return ladder;
}

Residency find_residency(Checker& checker, const lang::Program& program,
                         std::span<const models::ModelPtr> ladder, const CheckOptions& options) {
  Residency residency;
  residency.threads = program.threads();
  const Topology& launch = program.topology();
  if (!launch.is_flat()) residency.workgroups = launch.workgroups();
  residency.result = checker.check(program, ladder, options);
  residency.weak = first_pass(residency.result.verdicts, Fairness::weak);
  residency.strong = first_pass(residency.result.verdicts, Fairness::strong);
  return residency;
}

}  // namespace headway::checker
