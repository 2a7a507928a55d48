#include "lang/idiom/interchangeable.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "lang/idiom/machine.hpp"

namespace headway::lang::idiom {

std::optional<std::int64_t> constant(const ThreadCode& thread, int node) {
  const Node& n = thread.nodes[node];
  if (n.kind == Node::Kind::number) return n.number;
  if (n.kind == Node::Kind::conditional) {
    const auto condition = constant(thread, n.a);
    if (!condition) return std::nullopt;
    return constant(thread, *condition != 0 ? n.b : n.c);
  }
  if (n.kind != Node::Kind::unary && n.kind != Node::Kind::binary) return std::nullopt;
  const auto a = constant(thread, n.a);
  if (!a) return std::nullopt;
  if (n.op == Operator::logical_and && *a == 0) return 0;
  if (n.op == Operator::logical_or && *a != 0) return 1;
  const auto b =
      n.kind == Node::Kind::binary ? constant(thread, n.b) : std::optional<std::int64_t>(0);
  if (!b) return std::nullopt;
  std::int64_t result = 0;
  if (apply(n.op, *a, *b, result) != Failure::Kind::none) return std::nullopt;
  return result;
}

namespace {

bool same_node(const ThreadCode& one, int a, const ThreadCode& other, int b) {
  if (a < 0 || b < 0) return a == b;
  const auto value = constant(one, a);
  if (value != constant(other, b)) return false;
  if (value) return true;
  Node x = one.nodes[a], y = other.nodes[b];
  const auto operands = [](const Node& n) { return std::array{n.a, n.b, n.c}; };
  const auto of_x = operands(x), of_y = operands(y);
  x.a = x.b = x.c = y.a = y.b = y.c = -1;
  if (!(x == y)) return false;
  for (std::size_t i = 0; i < of_x.size(); ++i) {
    if (!same_node(one, of_x[i], other, of_y[i])) return false;
  }
  return true;
}

bool same_registers(const ThreadCode& one, const ThreadCode& other) {
  return std::equal(one.registers.begin(), one.registers.end(), other.registers.begin(),
                    other.registers.end(), [](const RegisterRange& a, const RegisterRange& b) {
                      return a.low == b.low && a.high == b.high && a.wraps == b.wraps;
                    });
}

bool same_code(const ThreadCode& one, const ThreadCode& other) {
  if (one.instructions.size() != other.instructions.size() || one.live != other.live ||
      !same_registers(one, other)) {
    return false;
  }
  std::vector<bool> seen(one.instructions.size(), false);
  std::vector<int> open = {0};
  seen[0] = true;
  // The places where a thread can stand are numbered alike even where none is reached.
  for (std::size_t i = 0; i < one.instructions.size(); ++i) {
    if (one.instructions[i].kind != other.instructions[i].kind) return false;
  }
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    const Instruction& a = one.instructions[at];
    const Instruction& b = other.instructions[at];
    // A branch whose condition is known is what it leads to.
    const bool decided = a.kind == Instruction::Kind::branch && constant(one, a.value).has_value();
    const bool same = a.access == b.access && a.variable == b.variable && a.barrier == b.barrier &&
                      a.target == b.target && a.low == b.low && a.count == b.count &&
                      a.fair == b.fair && a.operation == b.operation && a.from == b.from &&
                      same_node(one, a.second, other, b.second) &&
                      same_node(one, a.index, other, b.index) &&
                      (decided || same_node(one, a.value, other, b.value));
    const std::vector<int> next = successors(one, at);
    if (!same || next != successors(other, at)) return false;
    for (const int place : next) {
      if (seen[place]) continue;
      seen[place] = true;
      open.push_back(place);
    }
  }
  return true;
}

}  // namespace

std::vector<int> successors(const ThreadCode& thread, int at) {
  const Instruction& in = thread.instructions[at];
  if (in.kind == Instruction::Kind::end) return {};
  if (in.kind == Instruction::Kind::jump) return {in.target};
  if (in.kind != Instruction::Kind::branch) return {at + 1};
  const auto condition = constant(thread, in.value);
  if (!condition) return {at + 1, in.target};
  return {*condition != 0 ? at + 1 : in.target};
}

std::vector<int> kinds_of(const Code& code) {
  // What some operations of a subgroup give depends on who is which lane.
  const bool lanes_matter =
      std::any_of(code.operations.begin(), code.operations.end(), [](SubgroupOperation operation) {
        return operation != SubgroupOperation::all && operation != SubgroupOperation::any;
      });
  const int lanes = lanes_matter ? code.topology.subgroup_threads() : 1;
  std::vector<int> kinds;
  for (int thread = 0; thread < static_cast<int>(code.threads.size()); ++thread) {
    int first = thread % lanes;
    while (!same_code(code.threads[first], code.threads[thread])) first += lanes;
    kinds.push_back(first);
  }
  return kinds;
}

}  // namespace headway::lang::idiom
