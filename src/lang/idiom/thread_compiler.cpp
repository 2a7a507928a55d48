#include "lang/idiom/thread_compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "lang/idiom/limits.hpp"

namespace headway::lang::idiom {
namespace {

using ExpressionKind = Expression::Kind;
using InstructionKind = Instruction::Kind;
using StatementKind = Statement::Kind;

bool has_access(const Expression& expression) {
  return expression.kind == ExpressionKind::access ||
         std::any_of(expression.operands.begin(), expression.operands.end(), has_access);
}

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
      case StatementKind::await:
        awaits_ = true;
        emit(InstructionKind::await, pure(*s.expression));
        awaits_ = false;
        return;
      case StatementKind::barrier:
        for (const auto kind :
             {InstructionKind::arrive, InstructionKind::wait, InstructionKind::pass}) {
          thread_.instructions[emit(kind)].barrier = s.index;
        }
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

  int id(Id id) const {
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
      case Id::tid:
        break;
    }
    return id_;
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
      case ExpressionKind::size:
        return number(constants_.value(e));
      case ExpressionKind::id:
        return number(id(e.id));
      case ExpressionKind::reg:
        return register_node(e.index);
      case ExpressionKind::access: {
        if (awaits_) return load(e);
        const SharedVariable& variable = code_.variables[e.index];
        const int result = temporary(variable.low, variable.high, e.offset);
        access(e, result);
        return register_node(result);
      }
      default:
        break;
    }
    const bool shortcut = e.op == Operator::logical_and || e.op == Operator::logical_or;
    const bool binary = e.kind == ExpressionKind::binary;
    if (binary && shortcut && !awaits_ && has_access(e.operands[1])) {
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

  // A load in the condition of an await, where all of them are one step.
  int load(const Expression& e) {
    assert(e.access == AccessKind::load);
    Node node;
    node.kind = Node::Kind::load;
    node.number = e.index;
    if (e.indexed) node.a = pure(e.operands[0]);
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
  bool awaits_ = false;  // whether this is the condition of an await
};

}  // namespace

ThreadCode compile_thread(const Syntax& syntax, const Constants& constants, const Code& code,
                          const Block& block, int id) {
  return ThreadCompiler(syntax, constants, code, block, id).run();
}

}  // namespace headway::lang::idiom
