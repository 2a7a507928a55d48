#include "suite/matrix.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "base/parallel.hpp"

namespace headway::suite {

using checker::Verdict;

std::string to_string(const Signature& signature) {
  constexpr std::string_view letters = "pf?e";  // in the order of Verdict
  std::string text;
  for (const auto& verdict : signature) {
    for (models::Fairness fairness : models::kFairnesses) {
      text += letters[static_cast<std::size_t>(verdict.of(fairness))];
    }
  }
  return text;
}

bool is_decided(const Signature& signature) {
  return std::none_of(signature.begin(), signature.end(), [](const auto& verdict) {
    return verdict.weak == Verdict::unknown || verdict.strong == Verdict::unknown;
  });
}

void VerdictMatrix::add(const Signature& verdicts) {
  assert(verdicts.size() == models_.size());  // so that equal texts are equal signatures
  const auto next = static_cast<std::uint32_t>(signatures_.size());
  const auto [entry, is_new] = number_.try_emplace(to_string(verdicts), next);
  if (is_new) signatures_.push_back(verdicts);
  signature_of_.push_back(entry->second);
}

std::size_t VerdictMatrix::undecided() const {
  std::vector<bool> open;
  for (const Signature& signature : signatures_) open.push_back(!is_decided(signature));
  return static_cast<std::size_t>(std::count_if(signature_of_.begin(), signature_of_.end(),
                                                [&](std::uint32_t s) { return open[s]; }));
}

VerdictMatrix decide_some(std::span<const lang::Test> tests, std::span<const std::size_t> which,
                          std::vector<models::ModelPtr> models, const DecideOptions& options) {
  VerdictMatrix matrix(std::move(models));
  PerCore<checker::Checker> checkers;
  // A block at a time, so that no more than a block of verdict vectors is kept.
  constexpr std::size_t block_size = 1 << 14;
  std::vector<Signature> block;
  for (std::size_t first = 0; first < which.size(); first += block_size) {
    block.assign(std::min(block_size, which.size() - first), Signature(matrix.models().size()));
    parallel_for(block.size(), [&](std::size_t index) {
      if (options.stop != nullptr && *options.stop) return;
      const auto program = lang::make_program(tests[which[first + index]]);
      const checker::CheckOptions check{options.max_states, options.stop};
      block[index] = checkers.local().check(*program, matrix.models(), check).verdicts;
      if (options.progress != nullptr) options.progress->advance();
    });
    for (const Signature& verdicts : block) matrix.add(verdicts);
  }
  return matrix;
}

VerdictMatrix decide(std::span<const lang::Test> tests, std::vector<models::ModelPtr> models,
                     const DecideOptions& options) {
  std::vector<std::size_t> all(tests.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return decide_some(tests, all, std::move(models), options);
}

}  // namespace headway::suite
