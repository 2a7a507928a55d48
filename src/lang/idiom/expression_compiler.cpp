#include "lang/idiom/expression_compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <tuple>

#include "lang/idiom/limits.hpp"

namespace headway::lang::idiom {

using ExpressionKind = Expression::Kind;
using InstructionKind = Instruction::Kind;

namespace {

// Whether the text says its value, whoever the thread is.
bool is_constant(const Expression& e) {
  switch (e.kind) {
    case ExpressionKind::number:
    case ExpressionKind::constant:
    case ExpressionKind::thread_count:
    case ExpressionKind::size:
      return true;
    case ExpressionKind::unary:
    case ExpressionKind::binary:
    case ExpressionKind::conditional:
      return std::all_of(e.operands.begin(), e.operands.end(), is_constant);
    default:
      return false;
  }
}

}  // namespace

int ExpressionCompiler::here() const { return static_cast<int>(thread_.instructions.size()); }

int ExpressionCompiler::emit(InstructionKind kind, int value, int target) {
  Instruction instruction;
  instruction.kind = kind;
  instruction.value = value;
  instruction.target = target;
  instruction.source = source_;
  thread_.instructions.push_back(instruction);
  return here() - 1;
}

void ExpressionCompiler::declare(const Register& r, const std::string& prefix) {
  const auto [low, high] = constants_.range(r.range);
  Array& array = arrays_.emplace_back();
  array.first = static_cast<int>(thread_.registers.size());
  if (!r.size) {
    thread_.registers.push_back({prefix + r.name, low, high, r.range.wraps});
  } else {
    std::tie(array.size, array.row) = constants_.sizes(r, kMaxRegisters);
  }
  for (int i = 0; i < array.size && r.size; ++i) {
    std::string name = fmt::format("{}{}", prefix, r.name);
    name +=
        !r.columns ? fmt::format("[{}]", i) : fmt::format("[{}][{}]", i / array.row, i % array.row);
    thread_.registers.push_back({std::move(name), low, high, r.range.wraps});
  }
  if (thread_.registers.size() > kMaxRegisters) {
    syntax_.fail(r.offset, fmt::format("more than {} registers in a thread", kMaxRegisters));
  }
}

void ExpressionCompiler::point(const std::vector<int>& jumps, int target) {
  for (const int jump : jumps) thread_.instructions[jump].target = target;
}

int ExpressionCompiler::add(Node node) {
  thread_.nodes.push_back(node);
  return static_cast<int>(thread_.nodes.size()) - 1;
}

int ExpressionCompiler::number(std::int64_t value) {
  Node node;
  node.number = value;
  return add(node);
}

int ExpressionCompiler::register_node(int reg) {
  Node node;
  node.kind = Node::Kind::reg;
  node.number = reg;
  return add(node);
}

int ExpressionCompiler::id(Id id) const {
  const Topology& topology = constants_.topology();
  const int subgroup = topology.subgroup_threads();
  const int workgroup = topology.subgroups() * subgroup;
  switch (id) {
    case Id::gid:
      return id_ / workgroup;
    case Id::lid:
      return id_ % workgroup;
    case Id::sid:
      return id_ % workgroup / subgroup;
    case Id::lane:
      return id_ % subgroup;
  }
  return id_;
}

int ExpressionCompiler::temporary(int low, int high, std::size_t offset) {
  for (std::size_t r = static_cast<std::size_t>(thread_.visible); r < thread_.registers.size();
       ++r) {
    const RegisterRange& range = thread_.registers[r];
    if ((taken_ >> r & 1) != 0 || range.low != low || range.high != high) continue;
    if (!range.name.empty()) continue;  // a function's
    taken_ |= std::uint32_t{1} << r;
    return static_cast<int>(r);
  }
  if (thread_.registers.size() == kMaxRegisters) {
    syntax_.fail(offset, fmt::format("more than {} registers, with one for each access inside "
                                     "an expression",
                                     kMaxRegisters));
  }
  thread_.registers.push_back({{}, low, high});
  const auto last = thread_.registers.size() - 1;
  taken_ |= std::uint32_t{1} << last;
  return static_cast<int>(last);
}

int ExpressionCompiler::pure(const Expression& e) {
  switch (e.kind) {
    case ExpressionKind::number:
      return number(e.number);
    case ExpressionKind::constant:
    case ExpressionKind::thread_count:
    case ExpressionKind::size:
      return number(constants_.value(e));
    case ExpressionKind::thread_id:
      return number(id_);
    case ExpressionKind::id:
      return number(id(e.id));
    case ExpressionKind::row:
      return number(element_.row);
    case ExpressionKind::column:
      return number(element_.column);
    case ExpressionKind::choice: {
      const auto [low, high] = constants_.range({e.operands[0], e.operands[1]});
      const int result = temporary(low, high, e.offset);
      choice(e, result);
      return register_node(result);
    }
    case ExpressionKind::reg: {
      const Array& array = arrays_[e.index];
      if (e.operands.empty()) return register_node(array.first);
      Node node;
      node.kind = Node::Kind::element;
      node.number = array.first;
      node.count = array.size;
      node.a = flat_index(e.operands, array.size, array.row);
      return add(node);
    }
    case ExpressionKind::call:
      return register_node(call(e));
    case ExpressionKind::subgroup:
      return register_node(operation(e));
    case ExpressionKind::access: {
      if (at_once_) return load(e);
      const SharedVariable& variable = code_.variables[e.index];
      const bool tells = e.access == AccessKind::weak_cas;
      const int result = temporary(tells ? 0 : variable.low, tells ? 1 : variable.high, e.offset);
      access(e, result);
      return register_node(result);
    }
    default:
      break;
  }
  const bool shortcut = e.op == Operator::logical_and || e.op == Operator::logical_or;
  const bool binary = e.kind == ExpressionKind::binary;
  if (binary && shortcut && !at_once_ && has_access(e.operands[1])) {
    return short_circuit(e);
  }
  Node node;
  node.kind = e.kind == ExpressionKind::unary ? Node::Kind::unary
              : binary                        ? Node::Kind::binary
                                              : Node::Kind::conditional;
  node.op = e.op;
  node.a = pure(e.operands[0]);
  if (e.operands.size() > 1) node.b = pure(e.operands[1]);
  if (e.operands.size() > 2) node.c = pure(e.operands[2]);
  return add(node);
}

int ExpressionCompiler::load(const Expression& e) {
  assert(e.access == AccessKind::load);
  Node node;
  node.kind = Node::Kind::load;
  node.number = e.index;
  node.strength = e.strength;
  if (e.indexed) {
    const SharedVariable& variable = code_.variables[e.index];
    node.a = flat_index(e.operands, variable.size, variable.columns);
  }
  return add(node);
}

int ExpressionCompiler::flat_index(const std::vector<Expression>& indices, int size, int row) {
  if (indices.size() == 1) return pure(indices[0]);
  std::vector<int> nodes;
  nodes.reserve(indices.size());
  for (const Expression& index : indices) nodes.push_back(pure(index));
  return flat_index(nodes, size, row);
}

int ExpressionCompiler::flat_index(const std::vector<int>& nodes, int size, int row) {
  if (nodes.size() == 1) return nodes[0];
  const auto bounded = [&](int node, int count) {
    Node result;
    result.kind = Node::Kind::bounded;
    result.a = node;
    result.count = count;
    return add(result);
  };
  const auto combined = [&](Operator op, int a, int b) {
    Node result;
    result.kind = Node::Kind::binary;
    result.op = op;
    result.a = a;
    result.b = b;
    return add(result);
  };
  const int first = combined(Operator::multiply, bounded(nodes[0], size / row), number(row));
  return combined(Operator::add, first, bounded(nodes[1], row));
}

void ExpressionCompiler::choice(const Expression& e, int target) {
  const auto [low, high] = constants_.range({e.operands[0], e.operands[1]});
  Instruction& in = thread_.instructions[emit(InstructionKind::choice, -1, target)];
  in.low = low;
  in.count = high - low + 1;
  in.fair = e.fair;
  limit_choices(in.count, e.offset);
}

void ExpressionCompiler::limit_choices(std::int64_t each, std::size_t offset) const {
  if (!code_.lockstep) return;
  const int lanes = code_.topology.subgroup_threads();
  std::int64_t together = 1;
  for (int lane = 0; lane < lanes && together <= kMaxLockstepChoices; ++lane) together *= each;
  if (together <= kMaxLockstepChoices) return;
  syntax_.fail(offset, fmt::format("{} lanes that choose in lockstep, each one of {}, choose in "
                                   "more than {} ways; expected fewer lanes or fewer numbers",
                                   lanes, each, kMaxLockstepChoices));
}

int ExpressionCompiler::operation(const Expression& e) {
  const SubgroupOperation which = syntax_.operations[e.index];
  const int lanes = code_.topology.subgroup_threads();
  std::pair<int, int> range = {0, 1};
  if (which == SubgroupOperation::ballot) {
    if (lanes > kMaxBallot) {
      syntax_.fail(e.offset, fmt::format("a ballot of subgroups of {} threads; expected at most {}",
                                         lanes, kMaxBallot));
    }
    range.second = (1 << lanes) - 1;
  }
  const bool asks = which == SubgroupOperation::broadcast || which == SubgroupOperation::shuffle;
  if (asks) range = range_of(e.operands[0]);
  int operand = e.operands.empty() ? -1 : pure(e.operands[0]);
  if (operand >= 0 && !asks) {
    Node holds;
    holds.kind = Node::Kind::binary;
    holds.op = Operator::not_equal;
    holds.a = operand;
    holds.b = number(0);
    operand = add(holds);
  }
  Instruction in;
  in.kind = InstructionKind::meet;
  in.operation = e.index;
  in.source = source_;
  in.value = operand;
  if (which == SubgroupOperation::broadcast) {
    in.second = number(constants_.bounded(e.operands[1], "the lane that is asked", 0, lanes - 1));
  } else if (asks) {
    in.second = pure(e.operands[1]);
  }
  if (asks) in.from = temporary(0, lanes - 1, e.offset);
  in.target = temporary(range.first, range.second, e.offset);
  thread_.instructions.push_back(in);
  if (code_.lockstep) return in.target;
  // Who waits has brought all that it has.
  in.value = in.second = -1;
  for (const auto kind : {InstructionKind::gather, InstructionKind::receive}) {
    in.kind = kind;
    thread_.instructions.push_back(in);
  }
  return in.target;
}

std::pair<int, int> ExpressionCompiler::range_of(const Expression& e) const {
  const auto logical = [](Operator op) {
    return op == Operator::logical_not || op == Operator::logical_and ||
           op == Operator::logical_or || (op >= Operator::less && op <= Operator::not_equal);
  };
  std::optional<std::pair<std::int64_t, std::int64_t>> range;
  switch (e.kind) {
    case ExpressionKind::number:
    case ExpressionKind::constant:
    case ExpressionKind::thread_count:
    case ExpressionKind::size:
      range.emplace(constants_.value(e), constants_.value(e));
      break;
    case ExpressionKind::thread_id:
    case ExpressionKind::id:
      range.emplace(0, code_.topology.threads() - 1);
      break;
    case ExpressionKind::reg: {
      const RegisterRange& known = thread_.registers[arrays_[e.index].first];
      range.emplace(known.low, known.high);
      break;
    }
    case ExpressionKind::access: {
      const SharedVariable& variable = code_.variables[e.index];
      const bool tells = e.access == AccessKind::weak_cas;
      range.emplace(tells ? 0 : variable.low, tells ? 1 : variable.high);
      break;
    }
    case ExpressionKind::unary:
    case ExpressionKind::binary:
      if (logical(e.op)) range.emplace(0, 1);
      break;
    default:
      break;
  }
  if (!range || range->first < -kMaxValue || range->second > kMaxValue) {
    syntax_.fail(e.offset,
                 "what values this has is said nowhere; expected a register, an access, "
                 "a constant or a comparison");
  }
  return {static_cast<int>(range->first), static_cast<int>(range->second)};
}

int ExpressionCompiler::short_circuit(const Expression& e) {
  const int result = temporary(0, 1, e.offset);
  const std::vector<int> fails = unless(e);
  emit(InstructionKind::assign, number(1), result);
  const int end = emit(InstructionKind::jump);
  point(fails, here());
  emit(InstructionKind::assign, number(0), result);
  thread_.instructions[end].target = here();
  return register_node(result);
}

std::vector<int> ExpressionCompiler::unless(const Expression& e) {
  if (has_access(e) && e.kind == ExpressionKind::binary && e.op == Operator::logical_and) {
    std::vector<int> out = unless(e.operands[0]);
    const std::vector<int> more = unless(e.operands[1]);
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }
  if (has_access(e) && e.kind == ExpressionKind::binary && e.op == Operator::logical_or) {
    const std::vector<int> next = unless(e.operands[0]);
    const int holds = emit(InstructionKind::jump);
    point(next, here());
    std::vector<int> out = unless(e.operands[1]);
    thread_.instructions[holds].target = here();
    return out;
  }
  if (has_access(e) && e.kind == ExpressionKind::unary && e.op == Operator::logical_not) {
    const std::vector<int> holds = unless(e.operands[0]);
    const int out = emit(InstructionKind::jump);
    point(holds, here());
    return {out};
  }
  const int value = pure(e);
  const int branch = emit(InstructionKind::branch, value);
  thread_.instructions[branch].fixed = is_constant(e);
  return {branch};
}

void ExpressionCompiler::access(const Expression& e, int target) {
  std::vector<int> operands;
  for (const Expression& operand : e.operands) operands.push_back(pure(operand));
  std::size_t next = e.has_column ? 2 : e.indexed ? 1 : 0;
  Instruction instruction;
  instruction.kind = InstructionKind::access;
  instruction.access = e.access;
  instruction.variable = e.index;
  if (next > 0) {
    const SharedVariable& variable = code_.variables[e.index];
    instruction.index = flat_index(
        std::vector<int>(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(next)),
        variable.size, variable.columns);
  }
  if (next < operands.size()) instruction.value = operands[next++];
  if (next < operands.size()) instruction.second = operands[next++];
  assert(next == operands.size());
  assert((instruction.index >= 0) == code_.variables[e.index].is_array);
  instruction.target = target;
  instruction.source = source_;
  instruction.fair = e.fair;
  instruction.strength = e.strength;
  if (e.access == AccessKind::weak_cas) limit_choices(2, e.offset);
  thread_.instructions.push_back(instruction);
}

}  // namespace headway::lang::idiom
