#include "kernel/llvm/host_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "kernel/ir/arithmetic.hpp"

namespace headway::kernel::llvm {
namespace {

constexpr std::uint64_t kLowHalf = 0xffffffff;
constexpr std::size_t kLongestText = 100;

bool has_bits(LLVMValueRef value, unsigned bits) {
  LLVMTypeRef type = api().TypeOf(value);
  return api().GetTypeKind(type) == LLVMIntegerTypeKind && api().GetIntTypeWidth(type) == bits;
}

bool is_literal(LLVMValueRef value) { return api().IsAConstantInt(value) != nullptr; }

// As a signed number.
std::optional<std::int64_t> number_in(LLVMValueRef value) {
  if (!is_literal(value)) return {};
  const unsigned bits = api().GetIntTypeWidth(api().TypeOf(value));
  if (bits > 64) return {};
  return sign_extended(api().ConstIntGetZExtValue(value), static_cast<int>(bits));
}

// The opcode of what is computed; nothing for arguments, constants and globals.
std::optional<LLVMOpcode> computed_by(LLVMValueRef value) {
  if (api().IsAInstruction(value) == nullptr) return {};
  return api().GetInstructionOpcode(value);
}

LLVMValueRef host_operand(LLVMValueRef value, unsigned k) { return api().GetOperand(value, k); }

// Texts of words of 32 bits, in numbers of 64 that are never beyond their ends.
class HostTexts {
 public:
  explicit HostTexts(const std::vector<LLVMValueRef>& arguments) : arguments_(arguments) {}

  // The value as a signed number; nothing where it is not known.
  std::optional<std::string> with_sign(LLVMValueRef value, int depth = 0) const {
    if (depth > kDeepest || !has_bits(value, 32)) return {};
    if (const auto number = number_in(value)) return fmt::format("{}", *number);
    if (const auto at = std::ranges::find(arguments_, value); at != arguments_.end()) {
      return fmt::format("{{{}}}", at - arguments_.begin());
    }
    const auto op = computed_by(value);
    if (!op) return {};
    const auto by_number = [&] { return number_in(host_operand(value, 1)); };
    switch (*op) {
      case LLVMAdd:
      case LLVMSub:
      case LLVMMul:
        if (api().GetNSW(value) == 0) return {};
        return joined(*op, with_sign(host_operand(value, 0), depth + 1),
                      with_sign(host_operand(value, 1), depth + 1));
      case LLVMSDiv:
        if (const auto by = by_number(); by && *by != 0 && *by != -1) {
          return joined(*op, with_sign(host_operand(value, 0), depth + 1), fmt::format("{}", *by));
        }
        return {};
      case LLVMAShr:
        if (const auto by = by_number(); by && *by >= 0 && *by < 32) {
          return joined(*op, with_sign(host_operand(value, 0), depth + 1), fmt::format("{}", *by));
        }
        return {};
      case LLVMUDiv:
      case LLVMLShr: {
        // Without a sign, and smaller than half of all by what it is divided by.
        const auto by = by_number();
        if (!by || *by < 1 || (*op == LLVMUDiv ? *by < 2 : *by > 31)) return {};
        return joined(*op, without_sign(host_operand(value, 0), depth + 1), fmt::format("{}", *by));
      }
      case LLVMShl: {
        const auto by = by_number();
        if (api().GetNSW(value) == 0 || !by || *by < 0 || *by > 30) return {};
        return joined(LLVMMul, with_sign(host_operand(value, 0), depth + 1),
                      fmt::format("{}", std::int64_t{1} << *by));
      }
      case LLVMTrunc: {
        LLVMValueRef wide = host_operand(value, 0);
        const auto inner = computed_by(wide);
        if (inner && (*inner == LLVMSExt || *inner == LLVMZExt)) {
          return with_sign(host_operand(wide, 0), depth + 1);
        }
        return {};
      }
      default:  // not known
        return {};
    }
  }

 private:
  static constexpr int kDeepest = 8;

  std::optional<std::string> without_sign(LLVMValueRef value, int depth) const {
    if (is_literal(value)) return fmt::format("{}", api().ConstIntGetZExtValue(value));
    const auto op = computed_by(value);
    const bool wraps = op && (*op == LLVMAdd || *op == LLVMSub || *op == LLVMMul);
    if (op && (*op == LLVMUDiv || *op == LLVMLShr)) return with_sign(value, depth);
    std::optional<std::string> signed_text;
    if (wraps && api().GetNSW(value) == 0) {
      signed_text = joined(*op, with_sign(host_operand(value, 0), depth + 1),
                           with_sign(host_operand(value, 1), depth + 1));
    } else {
      signed_text = with_sign(value, depth);
    }
    if (!signed_text) return {};
    return fmt::format("({} & {})", *signed_text, kLowHalf);
  }

  static std::optional<std::string> joined(LLVMOpcode op, const std::optional<std::string>& a,
                                           const std::optional<std::string>& b) {
    if (!a || !b) return {};
    const char* sign = op == LLVMAdd                      ? "+"
                       : op == LLVMSub                    ? "-"
                       : op == LLVMMul                    ? "*"
                       : op == LLVMAShr || op == LLVMLShr ? ">>"
                                                          : "/";
    std::string text = fmt::format("({} {} {})", *a, sign, *b);
    if (text.size() > kLongestText) return {};
    return text;
  }

  const std::vector<LLVMValueRef>& arguments_;
};

// Half of a word of 64 bits: a number, or a value of 32 bits.
struct HostHalf {
  std::uint32_t number = 0;
  LLVMValueRef value = nullptr;
  bool is_zero() const { return value == nullptr && number == 0; }
};

// The low half and the high one, of words that are put together of two.
std::optional<std::array<HostHalf, 2>> host_halves(LLVMValueRef word, int depth = 0) {
  if (depth > 4) return {};
  if (is_literal(word)) {
    const std::uint64_t bits = api().ConstIntGetZExtValue(word);
    return std::array<HostHalf, 2>{HostHalf{static_cast<std::uint32_t>(bits & kLowHalf)},
                                   HostHalf{static_cast<std::uint32_t>(bits >> 32)}};
  }
  const auto op = computed_by(word);
  if (!op) return {};
  if (*op == LLVMZExt && has_bits(host_operand(word, 0), 32)) {
    return std::array<HostHalf, 2>{HostHalf{0, host_operand(word, 0)}, HostHalf{}};
  }
  if (*op == LLVMShl && number_in(host_operand(word, 1)) == 32) {
    const auto shifted = host_halves(host_operand(word, 0), depth + 1);
    if (!shifted) return {};
    return std::array<HostHalf, 2>{HostHalf{}, (*shifted)[0]};
  }
  // Of something wider.
  if (*op == LLVMAnd && is_literal(host_operand(word, 1)) &&
      api().ConstIntGetZExtValue(host_operand(word, 1)) <= kLowHalf) {
    return std::array<HostHalf, 2>{HostHalf{0, word}, HostHalf{}};
  }
  if (*op != LLVMOr && *op != LLVMAdd) return {};
  const auto a = host_halves(host_operand(word, 0), depth + 1),
             b = host_halves(host_operand(word, 1), depth + 1);
  if (!a || !b) return {};
  std::array<HostHalf, 2> result;
  for (std::size_t k = 0; k < 2; ++k) {
    if (!(*a)[k].is_zero() && !(*b)[k].is_zero()) return {};
    result[k] = (*a)[k].is_zero() ? (*b)[k] : (*a)[k];
  }
  return result;
}

HostSize host_size(const HostHalf& half, const HostTexts& texts) {
  if (half.value == nullptr) return {half.number, {}};
  if (is_literal(half.value)) {
    return {static_cast<std::uint32_t>(api().ConstIntGetZExtValue(half.value)), {}};
  }
  const auto text = texts.with_sign(half.value);
  return {{}, text && text->find('{') != std::string::npos ? *text : std::string()};
}

// Whether a loop goes on where `value` compares so with `number`.
struct LoopBound {
  LLVMIntPredicate goes_on;
  LLVMValueRef value;
  std::int64_t number;
};

std::optional<LoopBound> loop_bound(LLVMBasicBlockRef latch, LLVMBasicBlockRef header) {
  LLVMValueRef end = api().GetBasicBlockTerminator(latch);
  if (computed_by(end) != LLVMBr || api().IsConditional(end) == 0) return {};
  LLVMValueRef compare = api().GetCondition(end);
  if (computed_by(compare) != LLVMICmp) return {};
  const auto number = number_in(host_operand(compare, 1));
  if (!number) return {};
  LLVMIntPredicate predicate = api().GetICmpPredicate(compare);
  if (api().GetSuccessor(end, 0) != header) {
    if (api().GetSuccessor(end, 1) != header) return {};
    // Those that are opposites of what counted_range() knows.
    switch (predicate) {
      case LLVMIntEQ:
        predicate = LLVMIntNE;
        break;
      case LLVMIntUGE:
        predicate = LLVMIntULT;
        break;
      case LLVMIntULE:
        predicate = LLVMIntUGT;
        break;
      case LLVMIntSGE:
        predicate = LLVMIntSLT;
        break;
      case LLVMIntSLE:
        predicate = LLVMIntSGT;
        break;
      default:
        return {};
    }
  }
  return LoopBound{predicate, host_operand(compare, 0), *number};
}

// Of a counter from `first` that is more by `step` > 0, or less by as much, in each round, in a
// loop that ends with its rounds. Both ends are small, so that nothing wraps around.
std::optional<HostRange> counted_range(std::int64_t first, std::int64_t step,
                                       const LoopBound& bound, LLVMValueRef counter,
                                       LLVMValueRef next) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() / 2;
  if (std::abs(first) > most || std::abs(step) > most || std::abs(bound.number) > most) return {};
  if (bound.value != counter && bound.value != next) return {};
  // The last value of what is compared with which the loop goes on.
  std::int64_t last = 0;
  const bool is_natural = first >= 0 && bound.number >= 0;
  switch (bound.goes_on) {
    case LLVMIntNE:
      // It is met exactly.
      if ((bound.number - first) % step != 0 || (bound.number - first) / step < 0) return {};
      if (bound.value == next && bound.number == first) return {};
      last = bound.number - step;
      break;
    case LLVMIntULT:
      if (!is_natural || step < 0) return {};
      last = bound.number - 1;
      break;
    case LLVMIntSLT:
      if (step < 0) return {};
      last = bound.number - 1;
      break;
    case LLVMIntUGT:
      // Below zero it would be large.
      if (!is_natural || step != -1 || first == 0) return {};
      last = bound.number + 1;
      break;
    case LLVMIntSGT:
      if (step > 0) return {};
      last = bound.number + 1;
      break;
    default:  // others are written so
      return {};
  }
  // What is compared is the counter itself: it goes one step beyond.
  const std::int64_t end = bound.value == counter ? last + step : last;
  return HostRange{std::min(first, end), std::max(first, end)};
}

}  // namespace

std::array<HostSize, 3> host_sizes(LLVMValueRef xy, LLVMValueRef z,
                                   const std::vector<LLVMValueRef>& arguments) {
  const HostTexts texts(arguments);
  std::array<HostSize, 3> result;
  if (const auto parts = host_halves(xy)) {
    for (std::size_t d = 0; d < 2; ++d) result[d] = host_size((*parts)[d], texts);
  }
  if (has_bits(z, 32)) result[2] = host_size(HostHalf{0, z}, texts);
  return result;
}

std::optional<HostRange> host_range(LLVMValueRef value) {
  if (!has_bits(value, 32) && !has_bits(value, 64)) return {};
  if (const auto number = number_in(value)) return HostRange{*number, *number};
  if (computed_by(value) != LLVMPHI || api().CountIncoming(value) != 2) return {};
  LLVMBasicBlockRef header = api().GetInstructionParent(value);
  for (unsigned k = 0; k < 2; ++k) {
    const auto first = number_in(api().GetIncomingValue(value, k));
    LLVMValueRef next = api().GetIncomingValue(value, 1 - k);
    if (!first || computed_by(next) != LLVMAdd || host_operand(next, 0) != value) continue;
    const auto step = number_in(host_operand(next, 1));
    if (!step || *step == 0) continue;
    const auto bound = loop_bound(api().GetIncomingBlock(value, 1 - k), header);
    if (bound) return counted_range(*first, *step, *bound, value, next);
  }
  return {};
}

}  // namespace headway::kernel::llvm
