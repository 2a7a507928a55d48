#include "lang/idiom/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cassert>
#include <limits>

namespace headway::lang::idiom {
namespace {

using InstructionKind = Instruction::Kind;
using FailureKind = Failure::Kind;
constexpr int kMostShifted = 62;

}  // namespace

std::string to_string(FailureKind kind) {
  switch (kind) {
    case FailureKind::assertion:
      return "the assertion does not hold";
    case FailureKind::division:
      return "a division by zero";
    case FailureKind::shift:
      return fmt::format("a shift by less than 0 or more than {}", kMostShifted);
    case FailureKind::overflow:
      return "a number that takes more than 64 bits";
    case FailureKind::index:
      return "an index out of bounds";
    case FailureKind::register_range:
    case FailureKind::variable_range:
      return "a value out of range";
    case FailureKind::none:
      break;
  }
  return {};
}

std::string to_string(const Failure& failure, const Code& code, const ThreadCode& thread) {
  if (failure.kind == FailureKind::index) {
    const SharedVariable& variable = code.variables[failure.place];
    return fmt::format("index {} is out of bounds: {} has {} elements", failure.value,
                       variable.name, variable.size);
  }
  if (failure.kind == FailureKind::variable_range) {
    const SharedVariable& variable = code.variables[failure.place];
    return fmt::format("{} would become {}, out of its range {}..{}", variable.name, failure.value,
                       variable.low, variable.high);
  }
  if (failure.kind == FailureKind::register_range) {
    const RegisterRange& range = thread.registers[failure.place];
    return fmt::format("{} would become {}, out of its range {}..{}", range.name, failure.value,
                       range.low, range.high);
  }
  return to_string(failure.kind);
}

FailureKind apply(Operator op, std::int64_t a, std::int64_t b, std::int64_t& result) {
  using Limits = std::numeric_limits<std::int64_t>;
  const auto checked = [](bool overflows) {
    return overflows ? FailureKind::overflow : FailureKind::none;
  };
  switch (op) {
    case Operator::negate:
      return checked(__builtin_sub_overflow(std::int64_t{0}, a, &result));
    case Operator::add:
      return checked(__builtin_add_overflow(a, b, &result));
    case Operator::subtract:
      return checked(__builtin_sub_overflow(a, b, &result));
    case Operator::multiply:
      return checked(__builtin_mul_overflow(a, b, &result));
    case Operator::divide:
    case Operator::remainder:
      if (b == 0) return FailureKind::division;
      if (a == Limits::min() && b == -1) return FailureKind::overflow;
      result = op == Operator::divide ? a / b : a % b;
      return FailureKind::none;
    case Operator::shift_left:
      if (b < 0 || b > kMostShifted) return FailureKind::shift;
      return checked(__builtin_mul_overflow(a, std::int64_t{1} << b, &result));
    case Operator::shift_right:
      if (b < 0 || b > kMostShifted) return FailureKind::shift;
      result = a >> b;
      return FailureKind::none;
    case Operator::complement:
      result = ~a;
      return FailureKind::none;
    case Operator::logical_not:
      result = a == 0;
      return FailureKind::none;
    case Operator::less:
      result = a < b;
      return FailureKind::none;
    case Operator::less_equal:
      result = a <= b;
      return FailureKind::none;
    case Operator::greater:
      result = a > b;
      return FailureKind::none;
    case Operator::greater_equal:
      result = a >= b;
      return FailureKind::none;
    case Operator::equal:
      result = a == b;
      return FailureKind::none;
    case Operator::not_equal:
      result = a != b;
      return FailureKind::none;
    case Operator::bit_and:
      result = a & b;
      return FailureKind::none;
    case Operator::bit_xor:
      result = a ^ b;
      return FailureKind::none;
    case Operator::bit_or:
      result = a | b;
      return FailureKind::none;
    case Operator::logical_and:
      result = a != 0 && b != 0;
      return FailureKind::none;
    case Operator::logical_or:
      result = a != 0 || b != 0;
      return FailureKind::none;
  }
  return FailureKind::none;
}

// The first failure counts; what is computed behind it does not matter.
std::int64_t Machine::value(int node, const Local& local, Failure& failure) const {
  const Node& n = thread_.nodes[node];
  switch (n.kind) {
    case Node::Kind::number:
      return n.number;
    case Node::Kind::reg:
      return local.registers[n.number];
    case Node::Kind::conditional:
      return value(value(n.a, local, failure) != 0 ? n.b : n.c, local, failure);
    case Node::Kind::unary:
    case Node::Kind::binary:
      break;
  }
  const std::int64_t a = value(n.a, local, failure);
  if (n.op == Operator::logical_and && a == 0) return 0;
  if (n.op == Operator::logical_or && a != 0) return 1;
  const std::int64_t b = n.kind == Node::Kind::binary ? value(n.b, local, failure) : 0;
  std::int64_t result = 0;
  const FailureKind kind = apply(n.op, a, b, result);
  if (failure.kind == FailureKind::none) failure.kind = kind;
  return result;
}

bool Machine::set(Local& local, int reg, std::int64_t value, Failure& failure) const {
  if (failure.kind != FailureKind::none) return false;
  const RegisterRange& range = thread_.registers[reg];
  if (value < range.low || value > range.high) {
    failure = {FailureKind::register_range, value, reg};
    return false;
  }
  local.registers[reg] = static_cast<int>(value);
  return true;
}

// Computes from instruction local.at on to where the thread stands next.
void Machine::run(Local& local, Failure& failure) const {
  std::vector<bool> passed;  // by instruction; empty until there is a loop or label to pass
  for (bool stands = failure.kind != FailureKind::none; !stands;) {
    const Instruction& in = thread_.instructions[local.at];
    int next = local.at + 1;
    switch (in.kind) {
      case InstructionKind::assign:
        set(local, in.target, value(in.value, local, failure), failure);
        break;
      case InstructionKind::branch:
        if (value(in.value, local, failure) == 0) next = in.target;
        break;
      case InstructionKind::jump:
        next = in.target;
        break;
      case InstructionKind::assertion:
        if (value(in.value, local, failure) == 0 && failure.kind == FailureKind::none) {
          failure.kind = FailureKind::assertion;
        }
        break;
      case InstructionKind::head:
        if (passed.empty()) passed.resize(thread_.instructions.size());
        stands = passed[local.at];
        passed[local.at] = true;
        break;
      case InstructionKind::access:
      case InstructionKind::end:
        stands = true;
        break;
    }
    if (failure.kind != FailureKind::none) {
      failure.source = in.source;
      stands = true;
    }
    if (!stands) local.at = next;
  }
  const bool failed = failure.kind != FailureKind::none;
  assert(failed || thread_.instructions[local.at].kind == InstructionKind::access ||
         thread_.instructions[local.at].kind == InstructionKind::head || ended(local));
  if (failed) local.at = Local::kFailed;
  const std::uint32_t live = failed ? 0 : thread_.live[local.at];
  for (std::size_t r = 0; r < thread_.registers.size(); ++r) {
    if ((live >> r & 1) == 0) local.registers[r] = thread_.registers[r].low;
  }
}

Local Machine::start() const {
  // Of a thread that has no access its first instruction is where it stands.
  assert(thread_.instructions.front().kind == InstructionKind::head);
  Local local;
  for (std::size_t r = 0; r < thread_.registers.size(); ++r) {
    const RegisterRange& range = thread_.registers[r];
    local.registers[r] = range.low <= 0 && range.high >= 0 ? 0 : range.low;
    if ((thread_.live.front() >> r & 1) == 0) local.registers[r] = range.low;
  }
  const Local first = local;
  Failure failure;
  run(local, failure);
  return failure.kind != FailureKind::none || ended(local) ? first : local;
}

Access Machine::access(const Local& local) const {
  assert(local.at != Local::kFailed && !ended(local));
  Access result;
  const Instruction& in = thread_.instructions[local.at];
  if (in.kind != InstructionKind::access) return result;
  const SharedVariable& variable = code_.variables[in.variable];
  std::int64_t index = 0;
  if (in.index >= 0) index = value(in.index, local, result.failure);
  if (result.failure.kind == FailureKind::none && (index < 0 || index >= variable.size)) {
    result.failure = {FailureKind::index, index, in.variable};
  }
  result.failure.source = in.source;
  if (result.failure.kind != FailureKind::none) return result;
  result.cell = variable.first_cell + static_cast<int>(index);
  return result;
}

std::optional<int> Machine::step(Local& local, const Access& access, int old,
                                 Failure& failure) const {
  assert(local.at != Local::kFailed && !ended(local));
  failure = access.failure;
  const Instruction& in = thread_.instructions[local.at];
  std::optional<std::int64_t> written;
  if (in.kind == InstructionKind::access && failure.kind == FailureKind::none) {
    const SharedVariable& variable = code_.variables[in.variable];
    assert(code_.variable_of[access.cell] == in.variable);
    assert(variable.low <= old && old <= variable.high);
    const std::int64_t operand = in.value >= 0 ? value(in.value, local, failure) : 0;
    const std::int64_t second = in.second >= 0 ? value(in.second, local, failure) : 0;
    const auto compute = [&](Operator op) {
      std::int64_t result = 0;
      const FailureKind kind = apply(op, old, operand, result);
      if (failure.kind == FailureKind::none) failure.kind = kind;
      return result;
    };
    switch (in.access) {
      case AccessKind::load:
        break;
      case AccessKind::store:
      case AccessKind::exch:
        written = operand;
        break;
      case AccessKind::cas:
        if (old == operand) written = second;
        break;
      case AccessKind::fetch_add:
        written = compute(Operator::add);
        break;
      case AccessKind::fetch_sub:
        written = compute(Operator::subtract);
        break;
      case AccessKind::fetch_min:
        written = std::min<std::int64_t>(old, operand);
        break;
      case AccessKind::fetch_max:
        written = std::max<std::int64_t>(old, operand);
        break;
      case AccessKind::fetch_and:
        written = compute(Operator::bit_and);
        break;
      case AccessKind::fetch_or:
        written = compute(Operator::bit_or);
        break;
      case AccessKind::fetch_xor:
        written = compute(Operator::bit_xor);
        break;
    }
    if (written && failure.kind == FailureKind::none &&
        (*written < variable.low || *written > variable.high)) {
      failure = {FailureKind::variable_range, *written, in.variable};
    }
    if (in.target >= 0) set(local, in.target, old, failure);
    failure.source = in.source;
    ++local.at;
  }
  run(local, failure);
  if (!written || failure.kind != FailureKind::none) return std::nullopt;
  return static_cast<int>(*written);
}

}  // namespace headway::lang::idiom
