#include "verify/size_uses.hpp"

#include <algorithm>
#include <vector>

namespace headway::verify {

namespace {

using kernel::Instruction;
using kernel::Op;
using kernel::OpClass;

constexpr int kMostFactors = 6;  // more are as many; a counter that multiplies itself ends there

}  // namespace

SizeUses size_uses(const kernel::Function& function) {
  SizeUses result;
  std::vector<int> factors(function.values.size(), 0);
  // A kernel that could not be read has none.
  for (std::size_t p = 0; p < function.arguments.size(); ++p) {
    if (function.parameters[p].type.is_integer()) factors[function.arguments[p]] = 1;
  }
  const auto most = [&](const Instruction& i) {
    int all = 0;
    for (const kernel::ValueId operand : i.operands) all = std::max(all, factors[operand]);
    return all;
  };
  const auto of = [&](const Instruction& i) {
    if (i.op == Op::phi) return std::max(1, most(i));
    if (i.op == Op::mul) return factors[i.operands[0]] + factors[i.operands[1]];
    if (is_one_of(i.op, OpClass::arithmetic, OpClass::division, OpClass::shift,
                  OpClass::resizing) ||
        i.op == Op::select) {
      return most(i);
    }
    return 0;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const kernel::Block& block : function.blocks) {
      for (const Instruction& i : block.code) {
        if (i.result == kernel::kNone || !i.type.is_integer()) continue;
        const int now = std::min(kMostFactors, of(i));
        if (now <= factors[i.result]) continue;
        factors[i.result] = now;
        result.factors = std::max(result.factors, now);
        changed = true;
      }
    }
  }
  // An argument is a divisor as it is, or in another width.
  std::vector<kernel::ValueId> same(function.values.size());
  for (kernel::ValueId v = 0; v < same.size(); ++v) same[v] = v;
  for (const kernel::Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      result.multiplies = result.multiplies || (i.op == Op::mul && most(i) > 0);
      if (kernel::class_of(i.op) == OpClass::resizing) same[i.result] = same[i.operands[0]];
      if (!kernel::is_division(i.op)) continue;
      const auto at = std::ranges::find(function.arguments, same[i.operands[1]]);
      if (at != function.arguments.end()) {
        result.divisors.insert(static_cast<std::size_t>(at - function.arguments.begin()));
      }
    }
  }
  return result;
}

std::int64_t plain_size(int factors) {
  std::int64_t size = 4096;
  const auto is_too_large = [factors](std::int64_t of) {
    std::int64_t product = 1;
    for (int k = 0; k < factors; ++k) {
      product *= of;
      if (product >= std::int64_t{1} << 31) return true;
    }
    return false;
  };
  while (is_too_large(size)) size /= 2;
  return size;
}

}  // namespace headway::verify
