#include "kernel/ir/id_ranges.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

namespace headway::kernel {
namespace {

class Ranges {
 public:
  explicit Ranges(const Function& function) : function_(function) {
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.code) {
        if (i.result != kNone) made_[i.result] = &i;
      }
    }
  }

  // What a comparison gives for all threads alike, if it does.
  std::optional<bool> decided(const Instruction& i) const {
    if (!is_order(i.op)) return {};
    const int bits = function_.values[i.operands[0]].type.bits;
    const auto a = range(i.operands[0], 0), b = range(i.operands[1], 0);
    if (!a || !b) return {};
    // Of numbers that have no sign, orders with and without one are the same.
    const bool is_signed = class_of(i.op) == OpClass::signed_order;
    if (is_signed && std::max(a->high, b->high) >> (bits - 1) != 0) return {};
    const auto less = [](const Range& x, const Range& y) -> std::optional<bool> {
      if (x.high < y.low) return true;
      if (x.low >= y.high) return false;
      return {};
    };
    const auto no = [](std::optional<bool> truth) {
      return truth ? std::optional<bool>(!*truth) : truth;
    };
    switch (as_comparison(i.op)) {
      case ComparisonOp::ult:
      case ComparisonOp::slt:
        return less(*a, *b);
      case ComparisonOp::uge:
      case ComparisonOp::sge:
        return no(less(*a, *b));
      case ComparisonOp::ugt:
      case ComparisonOp::sgt:
        return less(*b, *a);
      case ComparisonOp::ule:
      case ComparisonOp::sle:
        return no(less(*b, *a));
      case ComparisonOp::eq:
      case ComparisonOp::ne:
        return {};
    }
    return {};
  }

 private:
  struct Range {
    std::uint64_t low = 0, high = 0;
  };

  // Of numbers without a sign.
  std::optional<Range> range(ValueId id, int depth) const {
    const Value& value = function_.values[id];
    if (!value.type.is_integer() || depth > 8) return {};
    if (value.kind == Value::Kind::constant) return Range{value.bits, value.bits};
    const auto found = made_.find(id);
    if (value.kind != Value::Kind::instruction || found == made_.end()) return {};
    const Instruction& i = *found->second;
    if (i.op == Op::zext) return range(i.operands[0], depth + 1);
    if (i.op == Op::builtin && i.builtin == Builtin::thread_id) {
      const std::uint32_t size = function_.group_size[i.dimension];
      return size > 0 ? std::optional<Range>({0, size - 1}) : std::nullopt;
    }
    if (i.op != Op::add && i.op != Op::mul) return {};
    const auto a = range(i.operands[0], depth + 1), b = range(i.operands[1], depth + 1);
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    if (!a || !b || a->high > most || b->high > most) return {};
    const Range result = i.op == Op::add ? Range{a->low + b->low, a->high + b->high}
                                         : Range{a->low * b->low, a->high * b->high};
    const int bits = value.type.bits;
    if (bits < 64 && result.high >> bits != 0) return {};  // it may wrap around
    return result;
  }

  const Function& function_;
  std::unordered_map<ValueId, const Instruction*> made_;
};

}  // namespace

void fold_id_ranges(Function& function) {
  std::unordered_map<ValueId, bool> decided;
  const Ranges ranges(function);
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (const auto truth = ranges.decided(i)) decided[i.result] = *truth;
    }
  }
  if (decided.empty()) return;
  ValueId constants[2];
  for (std::uint64_t truth : {0, 1}) {
    constants[truth] = static_cast<ValueId>(function.values.size());
    function.values.push_back({Value::Kind::constant, Type::integer(1), truth, kNone, {}});
  }
  for (Block& block : function.blocks) {
    for (Instruction& i : block.code) {
      for (ValueId& operand : i.operands) {
        if (const auto found = decided.find(operand); found != decided.end()) {
          operand = constants[found->second ? 1 : 0];
        }
      }
    }
  }
}

}  // namespace headway::kernel
