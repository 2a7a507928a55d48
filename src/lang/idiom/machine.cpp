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

// The number of low .. high that differs from `value` by a multiple of their count.
std::int64_t wrapped(std::int64_t value, std::int64_t low, std::int64_t high) {
  const std::int64_t count = high - low + 1;
  const std::int64_t behind = (value % count - low % count) % count;
  return low + (behind < 0 ? behind + count : behind);
}

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
    case FailureKind::dimension:
      return "an index out of bounds";
    case FailureKind::register_range:
    case FailureKind::variable_range:
      return "a value out of range";
    case FailureKind::absent:
      return "a lane that takes no part";
    case FailureKind::rendezvous:
      return "not all threads of the subgroup come by";
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
  if (failure.kind == FailureKind::dimension) {
    return fmt::format("index {} is out of bounds; expected 0 to {}", failure.value,
                       failure.place - 1);
  }
  if (failure.kind == FailureKind::absent) {
    return fmt::format("lane {} takes no part in this operation of its subgroup", failure.value);
  }
  if (failure.kind == FailureKind::rendezvous) {
    return fmt::format(
        "not all threads of the subgroup come to {}(...), and nobody says what it "
        "does then where threads are independent",
        idiom::to_string(code.operations[failure.place]));
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

bool is_stop(InstructionKind kind) {
  switch (kind) {
    case InstructionKind::access:
    case InstructionKind::head:
    case InstructionKind::end:
    case InstructionKind::await:
    case InstructionKind::arrive:
    case InstructionKind::wait:
    case InstructionKind::pass:
    case InstructionKind::choice:
    case InstructionKind::meet:
    case InstructionKind::gather:
    case InstructionKind::receive:
      return true;
    case InstructionKind::assign:
    case InstructionKind::branch:
    case InstructionKind::jump:
    case InstructionKind::assertion:
    case InstructionKind::assumption:
      break;
  }
  return false;
}

// The first failure counts; what is computed behind it does not matter.
std::int64_t Machine::value(int node, const ThreadState& local, Failure& failure,
                            const Memory* memory) const {
  const Node& n = thread_.nodes[node];
  switch (n.kind) {
    case Node::Kind::number:
      return n.number;
    case Node::Kind::reg:
      return local.registers[n.number];
    case Node::Kind::conditional:
      return value(value(n.a, local, failure, memory) != 0 ? n.b : n.c, local, failure, memory);
    case Node::Kind::load: {
      const int from = cell(static_cast<int>(n.number),
                            n.a < 0 ? 0 : value(n.a, local, failure, memory), failure);
      return from < 0 ? 0 : memory->value(from);
    }
    case Node::Kind::element:
    case Node::Kind::bounded: {
      const std::int64_t index = value(n.a, local, failure, memory);
      if (failure.kind != FailureKind::none) return 0;
      if (index < 0 || index >= n.count) {
        failure = {FailureKind::dimension, index, n.count};
        return 0;
      }
      if (n.kind == Node::Kind::bounded) return index;
      return local.registers[static_cast<std::size_t>(n.number + index)];
    }
    case Node::Kind::unary:
    case Node::Kind::binary:
      break;
  }
  const std::int64_t a = value(n.a, local, failure, memory);
  if (n.op == Operator::logical_and && a == 0) return 0;
  if (n.op == Operator::logical_or && a != 0) return 1;
  const std::int64_t b = n.kind == Node::Kind::binary ? value(n.b, local, failure, memory) : 0;
  std::int64_t result = 0;
  const FailureKind kind = apply(n.op, a, b, result);
  if (failure.kind == FailureKind::none) failure.kind = kind;
  return result;
}

// Of an element of a variable; -1 where something has failed.
int Machine::cell(int variable, std::int64_t index, Failure& failure) const {
  const SharedVariable& shared = code_.variables[variable];
  if (failure.kind == FailureKind::none && (index < 0 || index >= shared.size)) {
    failure = {FailureKind::index, index, variable};
  }
  if (failure.kind != FailureKind::none) return -1;
  const int instance = shared.per_workgroup ? thread_.workgroup : 0;
  return shared.first_cell + instance * shared.size + static_cast<int>(index);
}

bool Machine::holds(const ThreadState& local, const Memory& memory, Failure& failure) const {
  const Instruction& in = thread_.instructions[local.at];
  assert(in.kind == InstructionKind::await);
  const bool holds = value(in.value, local, failure, &memory) != 0;
  failure.source = in.source;
  return holds || failure.kind != FailureKind::none;
}

bool Machine::set(ThreadState& local, int reg, std::int64_t value, Failure& failure) const {
  if (failure.kind != FailureKind::none) return false;
  const RegisterRange& range = thread_.registers[reg];
  if (range.wraps) value = wrapped(value, range.low, range.high);
  if (value < range.low || value > range.high) {
    failure = {FailureKind::register_range, value, reg};
    return false;
  }
  local.registers[reg] = static_cast<int>(value);
  return true;
}

void Machine::assign(ThreadState& local, const Instruction& in, Failure& failure) const {
  const std::int64_t index = in.index >= 0 ? value(in.index, local, failure) : 0;
  if (failure.kind == FailureKind::none && in.index >= 0 && (index < 0 || index >= in.count)) {
    failure = {FailureKind::dimension, index, in.count};
  }
  const std::int64_t assigned = value(in.value, local, failure);
  set(local, in.target + static_cast<int>(index), assigned, failure);
}

void Machine::compute(ThreadState& local, Failure& failure) const {
  const Instruction& in = thread_.instructions[local.at];
  assert(!is_stop(in.kind));
  int next = local.at + 1;
  switch (in.kind) {
    case InstructionKind::assign:
      assign(local, in, failure);
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
    case InstructionKind::assumption:
      if (value(in.value, local, failure) == 0) next = ThreadState::kOver;
      break;
    default:
      break;
  }
  if (failure.kind == FailureKind::none) {
    local.at = next;
  } else {
    failure.source = in.source;
  }
}

void Machine::forget(ThreadState& local) const {
  const std::uint32_t live = local.at < 0 ? 0 : thread_.live[local.at];
  for (std::size_t r = 0; r < thread_.registers.size(); ++r) {
    if ((live >> r & 1) == 0) local.registers[r] = thread_.registers[r].low;
  }
}

// Computes from instruction local.at on to where the thread stands next.
void Machine::run(ThreadState& local, Failure& failure) const {
  std::vector<bool> passed;  // by instruction; empty until there is a loop or label to pass
  while (failure.kind == FailureKind::none && local.at != ThreadState::kOver) {
    const InstructionKind kind = thread_.instructions[local.at].kind;
    if (kind == InstructionKind::head) {
      if (passed.empty()) passed.resize(thread_.instructions.size());
      if (passed[local.at]) break;
      passed[local.at] = true;
      ++local.at;
    } else if (is_stop(kind)) {
      break;
    } else {
      compute(local, failure);
    }
  }
  if (failure.kind != FailureKind::none) local.at = ThreadState::kFailed;
  forget(local);
}

ThreadState Machine::before() const {
  // Of a thread that has no access its first instruction is where it stands.
  assert(thread_.instructions.front().kind == InstructionKind::head);
  ThreadState local;
  for (std::size_t r = 0; r < thread_.registers.size(); ++r) {
    const RegisterRange& range = thread_.registers[r];
    local.registers[r] = range.low <= 0 && range.high >= 0 ? 0 : range.low;
  }
  forget(local);
  return local;
}

ThreadState Machine::start() const {
  const ThreadState first = before();
  ThreadState local = first;
  Failure failure;
  run(local, failure);
  return local.at < 0 || ended(local) ? first : local;
}

Access Machine::access(const ThreadState& local) const {
  assert(local.at != ThreadState::kFailed && !ended(local));
  Access result;
  const Instruction& in = thread_.instructions[local.at];
  if (in.kind != InstructionKind::access) return result;
  const std::int64_t index = in.index >= 0 ? value(in.index, local, result.failure) : 0;
  result.cell = cell(in.variable, index, result.failure);
  result.failure.source = in.source;
  return result;
}

int Machine::choices(const ThreadState& local, const Access& access, int old) const {
  const Instruction& in = thread_.instructions[local.at];
  if (in.kind == InstructionKind::choice) return in.count;
  if (in.kind != InstructionKind::access || in.access != AccessKind::weak_cas) return 1;
  // It can fail for no reason only where there is none.
  Failure failure = access.failure;
  const bool equal = value(in.value, local, failure) == old;
  return failure.kind == FailureKind::none && equal ? 2 : 1;
}

Failure Machine::judge(const Memory& memory) const {
  Failure failure;
  const ThreadState nothing;
  for (const Instruction& in : thread_.instructions) {
    if (in.kind != InstructionKind::assertion) continue;
    if (value(in.value, nothing, failure, &memory) == 0 && failure.kind == FailureKind::none) {
      failure.kind = FailureKind::assertion;
    }
    failure.source = in.source;
    if (failure.kind != FailureKind::none) break;
  }
  return failure;
}

std::optional<int> Machine::perform(ThreadState& local, const Access& access, int old,
                                    Failure& failure, int choice) const {
  assert(local.at != ThreadState::kFailed && !ended(local));
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
      case AccessKind::weak_cas:
        if (old == operand && choice == 0) written = second;
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
    const bool succeeds = written.has_value();
    if (written && variable.wraps) written = wrapped(*written, variable.low, variable.high);
    if (written && failure.kind == FailureKind::none &&
        (*written < variable.low || *written > variable.high)) {
      failure = {FailureKind::variable_range, *written, in.variable};
    }
    const int result = in.access == AccessKind::weak_cas ? succeeds : old;
    if (in.target >= 0) set(local, in.target, result, failure);
  }
  if (in.kind == InstructionKind::choice)
    set(local, in.target, std::int64_t{in.low} + choice, failure);
  if (in.kind == InstructionKind::meet) bring(local, in, failure);
  failure.source = in.source;
  if (in.kind != InstructionKind::head) ++local.at;
  if (!written || failure.kind != FailureKind::none) return std::nullopt;
  return static_cast<int>(*written);
}

void Machine::bring(ThreadState& local, const Instruction& in, Failure& failure) const {
  const std::int64_t operand = in.value >= 0 ? value(in.value, local, failure) : 0;
  if (in.from >= 0) {
    const std::int64_t lane = value(in.second, local, failure);
    const RegisterRange& lanes = thread_.registers[in.from];
    if (failure.kind == FailureKind::none && (lane < lanes.low || lane > lanes.high)) {
      failure = {FailureKind::absent, lane};
    }
    set(local, in.from, lane, failure);
  }
  set(local, in.target, operand, failure);
}

std::optional<int> Machine::step(ThreadState& local, const Access& access, int old,
                                 Failure& failure, int choice) const {
  const InstructionKind kind = thread_.instructions[local.at].kind;
  const bool arrives = kind == InstructionKind::arrive || kind == InstructionKind::meet;
  const std::optional<int> written = perform(local, access, old, failure, choice);
  if (arrives && failure.kind == FailureKind::none) return std::nullopt;
  run(local, failure);
  return failure.kind == FailureKind::none ? written : std::nullopt;
}

}  // namespace headway::lang::idiom
