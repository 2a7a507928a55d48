#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>

#include "lang/expectation.hpp"
#include "lang/idiom/code.hpp"
#include "lang/idiom/limits.hpp"
#include "lang/idiom/machine.hpp"

namespace headway::lang::idiom {
namespace {

using ExpressionKind = Expression::Kind;
using InstructionKind = Instruction::Kind;
using StatementKind = Statement::Kind;

// Expressions over numbers, constants and N.
class Constants {
 public:
  Constants(const Syntax& syntax, int threads) : syntax_(syntax), threads_(threads) {
    for (const Constant& constant : syntax.constants) values_.push_back(value(constant.value));
  }

  std::int64_t value(const Expression& e) const {
    switch (e.kind) {
      case ExpressionKind::constant:
        // A constant names only those in front of it.
        assert(static_cast<std::size_t>(e.index) < values_.size());
        return values_[e.index];
      case ExpressionKind::thread_count:
        return threads_;
      case ExpressionKind::unary:
      case ExpressionKind::binary:
      case ExpressionKind::conditional:
        break;
      default:
        assert(e.kind == ExpressionKind::number);  // the parser has refused all others here
        return e.number;
    }
    if (e.kind == ExpressionKind::conditional) {
      return value(e.operands[value(e.operands[0]) != 0 ? 1 : 2]);
    }
    const std::int64_t a = value(e.operands[0]);
    if (e.op == Operator::logical_and && a == 0) return 0;
    if (e.op == Operator::logical_or && a != 0) return 1;
    const std::int64_t b = e.kind == ExpressionKind::binary ? value(e.operands[1]) : 0;
    std::int64_t result = 0;
    const Failure::Kind failure = apply(e.op, a, b, result);
    if (failure != Failure::Kind::none) {
      syntax_.fail(e.offset, fmt::format("{}, where N = {}", to_string(failure), threads_));
    }
    return result;
  }

  // In low .. high; `role` names it in the message.
  int bounded(const Expression& e, const std::string& role, std::int64_t low,
              std::int64_t high) const {
    const std::int64_t result = value(e);
    if (result < low || result > high) {
      syntax_.fail(e.offset, fmt::format("{} is {} where N = {}; expected {} to {}", role, result,
                                         threads_, low, high));
    }
    return static_cast<int>(result);
  }

  std::pair<int, int> range(const Range& range) const {
    const int low = bounded(range.low, "the lowest value", -kMaxValue, kMaxValue);
    const int high = bounded(range.high, "the highest value", low,
                             std::min<std::int64_t>(kMaxValue, low + kMaxRange - 1));
    return {low, high};
  }

 private:
  const Syntax& syntax_;
  const int threads_;
  std::vector<std::int64_t> values_;
};

// One thread block for one thread.
class ThreadCompiler {
 public:
  ThreadCompiler(const Syntax& syntax, const Constants& constants, const Code& code,
                 const Block& block, int id)
      : syntax_(syntax), constants_(constants), code_(code), block_(block), id_(id) {}

  ThreadCode run() {
    for (const Register& r : block_.registers) {
      const auto [low, high] = constants_.range(r.range);
      thread_.registers.push_back({r.name, low, high});
    }
    thread_.visible = static_cast<int>(thread_.registers.size());
    labels_.assign(block_.labels.size(), -1);
    emit(InstructionKind::head);
    statements(block_.body);
    for (const int end : returns_) thread_.instructions[end].target = here();
    emit(InstructionKind::end);
    for (const auto& [jump, label] : jumps_) {
      assert(labels_[label] >= 0);  // the parser has refused a jump to a label that stands nowhere
      thread_.instructions[jump].target = labels_[label];
    }
    find_live();
    return std::move(thread_);
  }

 private:
  // The places that break and continue jump to, when they are known.
  struct Loop {
    std::vector<int> breaks, continues;
  };

  int here() const { return static_cast<int>(thread_.instructions.size()); }

  int emit(InstructionKind kind, int value = -1, int target = -1) {
    Instruction instruction;
    instruction.kind = kind;
    instruction.value = value;
    instruction.target = target;
    instruction.source = source_;
    thread_.instructions.push_back(instruction);
    return here() - 1;
  }
  void point(const std::vector<int>& jumps, int target) {
    for (const int jump : jumps) thread_.instructions[jump].target = target;
  }

  // Statements --------------------------------------------------------------------------------

  void statements(const std::vector<Statement>& list) {
    for (const Statement& statement : list) compile(statement);
  }

  void set_source(const Statement& statement) {
    source_ = static_cast<int>(thread_.sources.size());
    thread_.sources.push_back(statement.source);
    taken_ = 0;
  }

  void compile(const Statement& s) {
    if (s.kind == StatementKind::block) return statements(s.body);
    set_source(s);
    const int own_source = source_;
    switch (s.kind) {
      case StatementKind::assign:
        return assign(s);
      case StatementKind::evaluate:
        access(*s.expression, -1);
        return;
      case StatementKind::assertion:
        emit(InstructionKind::assertion, pure(*s.expression));
        return;
      case StatementKind::branch: {
        const std::vector<int> otherwise = unless(*s.expression);
        statements(s.body);
        if (s.otherwise.empty()) {
          point(otherwise, here());
          return;
        }
        const int end = emit(InstructionKind::jump);
        point(otherwise, here());
        statements(s.otherwise);
        thread_.instructions[end].target = here();
        return;
      }
      case StatementKind::loop: {
        const int head = emit(InstructionKind::head);
        loops_.emplace_back();
        std::vector<int> out;
        if (s.expression) out = unless(*s.expression);
        statements(s.body);
        point(loops_.back().continues, here());
        statements(s.otherwise);
        source_ = own_source;
        emit(InstructionKind::jump, -1, head);
        point(out, here());
        point(loops_.back().breaks, here());
        loops_.pop_back();
        return;
      }
      case StatementKind::do_loop: {
        const int head = emit(InstructionKind::head);
        loops_.emplace_back();
        statements(s.body);
        point(loops_.back().continues, here());
        source_ = own_source;
        taken_ = 0;
        const std::vector<int> out = unless(*s.expression);
        emit(InstructionKind::jump, -1, head);
        point(out, here());
        point(loops_.back().breaks, here());
        loops_.pop_back();
        return;
      }
      case StatementKind::break_:
        assert(!loops_.empty());
        loops_.back().breaks.push_back(emit(InstructionKind::jump));
        return;
      case StatementKind::continue_:
        assert(!loops_.empty());
        loops_.back().continues.push_back(emit(InstructionKind::jump));
        return;
      case StatementKind::return_:
        returns_.push_back(emit(InstructionKind::jump));
        return;
      case StatementKind::label:
        labels_[s.index] = emit(InstructionKind::head);
        return;
      case StatementKind::jump:
        jumps_.emplace_back(emit(InstructionKind::jump), s.index);
        return;
      case StatementKind::block:
        return;
    }
  }

  void assign(const Statement& s) {
    const RegisterRange& range = thread_.registers[s.index];
    if (s.sets_default && (range.low > 0 || range.high < 0)) {
      syntax_.fail(s.expression->offset,
                   fmt::format("register '{}' holds {} to {} and so cannot start at 0; expected "
                               "'{} = ...'",
                               range.name, range.low, range.high, range.name));
    }
    if (s.expression->kind == ExpressionKind::access) {
      access(*s.expression, s.index);
    } else {
      emit(InstructionKind::assign, pure(*s.expression), s.index);
    }
  }

  // Expressions -------------------------------------------------------------------------------

  int add(Node node) {
    thread_.nodes.push_back(node);
    return static_cast<int>(thread_.nodes.size()) - 1;
  }
  int number(std::int64_t value) {
    Node node;
    node.number = value;
    return add(node);
  }
  int register_node(int reg) {
    Node node;
    node.kind = Node::Kind::reg;
    node.number = reg;
    return add(node);
  }

  // A register of the compiler's own. What one statement needs, the next may use again.
  int temporary(int low, int high, std::size_t offset) {
    for (std::size_t r = static_cast<std::size_t>(thread_.visible); r < thread_.registers.size();
         ++r) {
      const RegisterRange& range = thread_.registers[r];
      if ((taken_ >> r & 1) != 0 || range.low != low || range.high != high) continue;
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

  // The expression with its accesses performed, from left to right, by instructions that are
  // emitted here; what is left of it is a node.
  int pure(const Expression& e) {
    switch (e.kind) {
      case ExpressionKind::number:
        return number(e.number);
      case ExpressionKind::constant:
      case ExpressionKind::thread_count:
        return number(constants_.value(e));
      case ExpressionKind::thread_id:
        return number(id_);
      case ExpressionKind::reg:
        return register_node(e.index);
      case ExpressionKind::access: {
        const SharedVariable& variable = code_.variables[e.index];
        const int result = temporary(variable.low, variable.high, e.offset);
        access(e, result);
        return register_node(result);
      }
      default:
        break;
    }
    const bool shortcut = e.op == Operator::logical_and || e.op == Operator::logical_or;
    if (e.kind == ExpressionKind::binary && shortcut && has_access(e.operands[1])) {
      return short_circuit(e);
    }
    Node node;
    node.kind = e.kind == ExpressionKind::unary    ? Node::Kind::unary
                : e.kind == ExpressionKind::binary ? Node::Kind::binary
                                                   : Node::Kind::conditional;
    node.op = e.op;
    node.a = pure(e.operands[0]);
    if (e.operands.size() > 1) node.b = pure(e.operands[1]);
    if (e.operands.size() > 2) node.c = pure(e.operands[2]);
    return add(node);
  }

  // a && b, where the accesses of b happen only when a holds.
  int short_circuit(const Expression& e) {
    const int result = temporary(0, 1, e.offset);
    const std::vector<int> fails = unless(e);
    emit(InstructionKind::assign, number(1), result);
    const int end = emit(InstructionKind::jump);
    point(fails, here());
    emit(InstructionKind::assign, number(0), result);
    thread_.instructions[end].target = here();
    return register_node(result);
  }

  // Goes on behind here when the expression holds; the jumps returned are taken when it does not.
  std::vector<int> unless(const Expression& e) {
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
    return {emit(InstructionKind::branch, value)};
  }

  void access(const Expression& e, int target) {
    std::vector<int> operands;
    for (const Expression& operand : e.operands) operands.push_back(pure(operand));
    std::size_t next = 0;
    Instruction instruction;
    instruction.kind = InstructionKind::access;
    instruction.access = e.access;
    instruction.variable = e.index;
    if (e.indexed) instruction.index = operands[next++];
    if (next < operands.size()) instruction.value = operands[next++];
    if (next < operands.size()) instruction.second = operands[next++];
    assert(next == operands.size());
    assert((instruction.index >= 0) == code_.variables[e.index].is_array);
    instruction.target = target;
    instruction.source = source_;
    thread_.instructions.push_back(instruction);
  }

  // Liveness ----------------------------------------------------------------------------------

  std::uint32_t uses(int node) const {
    if (node < 0) return 0;
    const Node& n = thread_.nodes[node];
    if (n.kind == Node::Kind::reg) return std::uint32_t{1} << n.number;
    assert(n.a < node && n.b < node && n.c < node);
    return uses(n.a) | uses(n.b) | uses(n.c);
  }

  // Backwards until nothing changes: a register is live in front of an instruction that uses it,
  // and in front of one that does not set it and behind which it is live.
  void find_live() {
    static_assert(kMaxRegisters <= 32, "a register is a bit of ThreadCode::live");
    const auto& code = thread_.instructions;
    assert(code.back().kind == InstructionKind::end);
    thread_.live.assign(code.size(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (int i = static_cast<int>(code.size()) - 1; i >= 0; --i) {
        const Instruction& in = code[i];
        std::uint32_t live = 0;
        const bool falls = in.kind != InstructionKind::jump && in.kind != InstructionKind::end;
        if (falls) live |= thread_.live[i + 1];
        if (in.kind == InstructionKind::jump || in.kind == InstructionKind::branch) {
          assert(0 <= in.target && in.target < static_cast<int>(code.size()));
          live |= thread_.live[in.target];
        }
        const bool sets = in.kind == InstructionKind::assign || in.kind == InstructionKind::access;
        if (sets && in.target >= 0) live &= ~(std::uint32_t{1} << in.target);
        live |= uses(in.value) | uses(in.second) | uses(in.index);
        assert((thread_.live[i] & ~live) == 0);  // sets only grow, so this ends
        changed = changed || live != thread_.live[i];
        thread_.live[i] = live;
      }
    }
  }

  const Syntax& syntax_;
  const Constants& constants_;
  const Code& code_;
  const Block& block_;
  const int id_;
  ThreadCode thread_;
  int source_ = -1;
  std::uint32_t taken_ = 0;                 // registers of the compiler's own in this statement
  std::vector<int> labels_;                 // where they stand
  std::vector<std::pair<int, int>> jumps_;  // and labels
  std::vector<int> returns_;
  std::vector<Loop> loops_;
};

void declare_variables(const Syntax& syntax, const Constants& constants, Code& code) {
  for (const Variable& variable : syntax.variables) {
    SharedVariable& shared = code.variables.emplace_back();
    shared.name = variable.name;
    std::tie(shared.low, shared.high) = constants.range(variable.range);
    shared.is_array = variable.size.has_value();
    shared.first_cell = static_cast<int>(code.initial.size());
    if (variable.size) {
      shared.size = constants.bounded(*variable.size, "the size of " + variable.name, 1, kMaxCells);
    }
    if (shared.first_cell + shared.size > kMaxCells) {
      syntax.fail(variable.offset, fmt::format("more than {} shared cells", kMaxCells));
    }
    if (variable.listed && static_cast<int>(variable.initial.size()) != shared.size) {
      syntax.fail(variable.offset,
                  fmt::format("{} has {} elements, and {} values are listed", variable.name,
                              shared.size, variable.initial.size()));
    }
    if (variable.initial.empty() && (shared.low > 0 || shared.high < 0)) {
      syntax.fail(variable.offset,
                  fmt::format("{} holds {} to {} and so cannot start at 0; expected '{} = ...'",
                              variable.name, shared.low, shared.high, variable.name));
    }
    for (int i = 0; i < shared.size; ++i) {
      const std::size_t which = variable.listed ? static_cast<std::size_t>(i) : 0;
      code.initial.push_back(variable.initial.empty()
                                 ? 0
                                 : constants.bounded(variable.initial[which],
                                                     "the initial value of " + variable.name,
                                                     shared.low, shared.high));
      code.variable_of.push_back(static_cast<int>(code.variables.size()) - 1);
    }
  }
}

// The block of each thread.
std::vector<const Block*> assign_blocks(const Syntax& syntax, const Constants& constants,
                                        int threads) {
  std::vector<const Block*> blocks(static_cast<std::size_t>(threads), nullptr);
  for (const Block& block : syntax.blocks) {
    std::int64_t first = 0, last = threads - 1;
    if (!block.all) {
      first = constants.value(block.first);
      last = constants.value(block.last);
      if (first <= last && (first < 0 || last >= threads)) {
        syntax.fail(block.offset, fmt::format("this block is for thread {}, where N = {}; expected "
                                              "threads from 0 to {}",
                                              first < 0 ? first : last, threads, threads - 1));
      }
    }
    for (std::int64_t t = first; t <= last; ++t) {
      if (blocks[t] != nullptr) {
        syntax.fail(block.offset,
                    fmt::format("thread {} has two programs where N = {}", t, threads));
      }
      blocks[t] = &block;
    }
  }
  for (int t = 0; t < threads; ++t) {
    if (blocks[t] == nullptr) {
      syntax.fail(syntax.blocks.front().offset,
                  fmt::format("thread {} has no program where N = {}", t, threads));
    }
  }
  return blocks;
}

bool depends_on_n(const Expression& e) {
  return e.kind == ExpressionKind::thread_count || e.kind == ExpressionKind::constant ||
         std::any_of(e.operands.begin(), e.operands.end(), depends_on_n);
}

}  // namespace

int thread_count(const Syntax& syntax) {
  int count = 0;
  for (const Block& block : syntax.blocks) {
    if (block.all || depends_on_n(block.first) || depends_on_n(block.last)) {
      syntax.fail(
          block.offset,
          "how many threads there are is said nowhere; expected 'N = 2..4;' in front of the "
          "declarations");
    }
    const Constants constants(syntax, 1);
    count =
        std::max(count, constants.bounded(block.last, "the last thread", 0, kMaxThreads - 1) + 1);
  }
  return count;
}

Code compile(const Syntax& syntax, int threads) {
  const Constants constants(syntax, threads);
  Code code;
  declare_variables(syntax, constants, code);
  int id = 0;
  for (const Block* block : assign_blocks(syntax, constants, threads)) {
    code.threads.push_back(ThreadCompiler(syntax, constants, code, *block, id++).run());
  }
  code.source = syntax.text;
  code.sized = syntax.threads.has_value();
  if (syntax.threads) {
    code.source.replace(syntax.threads_begin, syntax.threads_end - syntax.threads_begin,
                        std::to_string(threads));
  }
  return code;
}

Expected expected(const Syntax& syntax, int threads) {
  const Constants constants(syntax, threads);
  Expected result;
  for (const ExpectationBlock& block : syntax.expectations) {
    if (block.condition && constants.value(*block.condition) == 0) continue;
    result.error = result.error || block.error;
    for (const Expectation& expectation : block.expectations) {
      for (const Expectation& other : result.expectations) {
        if (!overlap(expectation, other)) continue;
        throw Error(expectation.where,
                    fmt::format("a second expectation for model '{}' where N = {}",
                                expectation.model, threads),
                    expectation.source_line);
      }
      result.expectations.push_back(expectation);
    }
  }
  if (result.error && !result.expectations.empty()) {
    throw Error(result.expectations.front().where,
                fmt::format("an error is expected where N = {}, so no verdict can be", threads),
                result.expectations.front().source_line);
  }
  return result;
}

int Code::accesses() const {
  int count = 0;
  for (const ThreadCode& thread : threads) {
    count += static_cast<int>(
        std::count_if(thread.instructions.begin(), thread.instructions.end(),
                      [](const auto& in) { return in.kind == Instruction::Kind::access; }));
  }
  return count;
}

std::string Code::cell_name(int cell) const {
  const SharedVariable& variable = variables[variable_of[cell]];
  if (!variable.is_array) return variable.name;
  return fmt::format("{}[{}]", variable.name, cell - variable.first_cell);
}

std::string code_key(const Code& code) {
  std::string key = "idiom";
  const auto put = [&](auto... numbers) {
    ((key += ' ', key += std::to_string(static_cast<std::int64_t>(numbers))), ...);
  };
  for (const SharedVariable& v : code.variables) put(v.low, v.high, v.first_cell, v.size);
  for (const int value : code.initial) put(value);
  for (const ThreadCode& thread : code.threads) {
    put(-1, thread.registers.size());
    for (const RegisterRange& r : thread.registers) put(r.low, r.high);
    put(thread.nodes.size());
    for (const Node& n : thread.nodes) put(n.kind, n.op, n.a, n.b, n.c, n.number);
    put(thread.instructions.size());
    for (const Instruction& i : thread.instructions) {
      put(i.kind, i.access, i.value, i.second, i.index, i.variable, i.target);
    }
  }
  return key;
}

}  // namespace headway::lang::idiom
