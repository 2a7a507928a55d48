// Data that make sure of what a solver takes for possible, as it knows nothing of some functions:
// reals, bits that are counted. They are tried one after the other, with what the functions give.
#include <algorithm>
#include <limits>
#include <random>

#include "kernel/machine/runner.hpp"

namespace headway::kernel {
namespace {

constexpr int kTries = 64;

// Small numbers, and reals of 32 and 64 bits: 1, -1, 2, 0.5.
constexpr std::uint64_t kLikely[] = {0,
                                     1,
                                     2,
                                     3,
                                     5,
                                     8,
                                     std::numeric_limits<std::uint64_t>::max(),
                                     0x3f800000,
                                     0xbf800000,
                                     0x40000000,
                                     0x3f000000,
                                     0x3ff0000000000000,
                                     0xbff0000000000000,
                                     0x4000000000000000,
                                     0x3fe0000000000000};

}  // namespace

Cell Machine::Runner::applied(const std::string& name, int bits, std::vector<smt::Term> operands,
                              const Computed& by) {
  machine_.approximated_ = true;
  machine_.functions_.try_emplace(name, by);
  return Cell::of(terms_.apply(name, bits, std::move(operands)));
}

// Whether facts with these leaves, in rising order, are true of given data.
bool Machine::holds(const std::vector<smt::Term>& facts, const std::vector<smt::Term>& leaves,
                    const std::function<std::uint64_t(smt::Term)>& data) const {
  smt::Model model;
  for (const smt::Term leaf : leaves) {
    const smt::Node node = terms_.node(leaf);
    if (node.kind == smt::Kind::variable) {
      model.set(leaf, std::clamp(data(leaf), node.range.low, node.range.high));
      continue;
    }
    const auto function = functions_.find(terms_.name(node));
    if (function == functions_.end()) return false;
    std::vector<std::uint64_t> operands;
    for (const smt::Term operand : node.args) operands.push_back(model.value(terms_, operand));
    const auto result = function->second(operands);
    if (!result) return false;
    model.set(leaf, *result & smt::mask_of(node.width));
  }
  return std::ranges::all_of(facts, [&](smt::Term fact) { return model.holds(terms_, fact); });
}

bool Machine::doubts(const std::vector<smt::Term>& facts) const {
  if (!approximated_) return false;
  std::vector<smt::Term> leaves;
  for (const smt::Term fact : facts) {
    if (terms_.is_true(fact)) continue;
    const std::vector<smt::Term> more = terms_.leaves(fact);
    leaves.insert(leaves.end(), more.begin(), more.end());
  }
  if (leaves.empty()) return false;
  // An application comes behind what its operands are.
  std::sort(leaves.begin(), leaves.end(), [](smt::Term a, smt::Term b) { return a.id < b.id; });
  leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
  const auto found = [&](smt::Term leaf) -> std::optional<std::uint64_t> {
    if (solver_ == nullptr) return {};
    const auto& values = solver_->model().values();
    const auto value = values.find(leaf.id);
    return value == values.end() ? std::nullopt : std::optional(value->second);
  };
  const auto first = [&](smt::Term leaf) {
    const auto value = found(leaf);
    return value ? *value : terms_.node(leaf).range.low;
  };
  if (holds(facts, leaves, first)) return false;
  std::minstd_rand random;  // the same each time
  for (int i = 0; i < kTries; ++i) {
    if (holds(facts, leaves, [&](smt::Term leaf) {
          const smt::Range range = terms_.node(leaf).range;
          const std::uint64_t mask = smt::mask_of(terms_.node(leaf).width);
          const std::uint64_t choice = random();
          if (const auto value = found(leaf); value && random() % 2 == 0) return *value;
          if (range.high - range.low < 64) {
            return range.low + choice % (range.high - range.low + 1);
          }
          return kLikely[choice % std::size(kLikely)] & mask;
        })) {
      return false;
    }
  }
  return true;
}

}  // namespace headway::kernel
