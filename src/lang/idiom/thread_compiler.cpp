#include "lang/idiom/thread_compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>

#include "lang/idiom/limits.hpp"

namespace headway::lang::idiom {
namespace {

using ExpressionKind = Expression::Kind;
using InstructionKind = Instruction::Kind;
using StatementKind = Statement::Kind;

bool has_access(const Expression& expression) {
  return expression.kind == ExpressionKind::access || expression.kind == ExpressionKind::choice ||
         std::any_of(expression.operands.begin(), expression.operands.end(), has_access);
}

// One thread block for one thread.
class ThreadCompiler {
 public:
  ThreadCompiler(const Syntax& syntax, const Constants& constants, const Code& code,
                 const Block& block, int id)
      : syntax_(syntax), constants_(constants), code_(code), block_(block), id_(id) {}

  ThreadCode run(bool at_once = false) {
    at_once_ = at_once;
    thread_.workgroup = id(Id::gid);
    for (const Register& r : block_.registers) declare(r);
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
  // The registers behind a name.
  struct Array {
    int first = 0;
    int size = 1, row = 1;
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
  // An array is as many registers as it has elements.
  void declare(const Register& r) {
    const auto [low, high] = constants_.range(r.range);
    Array& array = arrays_.emplace_back();
    array.first = static_cast<int>(thread_.registers.size());
    if (!r.size) {
      thread_.registers.push_back({r.name, low, high, r.range.wraps});
    } else {
      std::tie(array.size, array.row) = constants_.sizes(r, kMaxRegisters);
    }
    for (int i = 0; i < array.size && r.size; ++i) {
      const std::string index = !r.columns ? fmt::format("[{}]", i)
                                           : fmt::format("[{}][{}]", i / array.row, i % array.row);
      thread_.registers.push_back({r.name + index, low, high, r.range.wraps});
    }
    if (thread_.registers.size() > kMaxRegisters) {
      syntax_.fail(r.offset, fmt::format("more than {} registers in a thread", kMaxRegisters));
    }
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
      case StatementKind::fill:
        return fill(s);
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
        at_once_ = true;
        emit(InstructionKind::await, pure(*s.expression));
        at_once_ = false;
        return;
      case StatementKind::barrier:
        for (const auto kind :
             {InstructionKind::arrive, InstructionKind::wait, InstructionKind::pass}) {
          thread_.instructions[emit(kind)].barrier = s.index;
        }
        return;
      case StatementKind::switch_:
        return choose_case(s);
      case StatementKind::case_:
      case StatementKind::default_:
        cases_.back().push_back(here());
        return;
      case StatementKind::block:
        return;
    }
  }

  // Comparisons with one case after another, and then the body, which they jump into.
  void choose_case(const Statement& s) {
    const int value = pure(*s.expression);
    std::map<std::int64_t, std::size_t> known;
    std::vector<int> jumps;
    int otherwise = -1;  // of `jumps`
    for (const Statement& label : s.body) {
      if (label.kind == StatementKind::default_) otherwise = static_cast<int>(jumps.size());
      if (label.kind == StatementKind::default_) jumps.push_back(-1);
      if (label.kind != StatementKind::case_) continue;
      const std::int64_t number = constants_.value(*label.expression);
      if (!known.emplace(number, label.offset).second) {
        syntax_.fail(label.offset,
                     fmt::format("a second case {} where N = {}", number, constants_.n()));
      }
      Node differs;
      differs.kind = Node::Kind::binary;
      differs.op = Operator::not_equal;
      differs.a = value;
      differs.b = this->number(number);
      jumps.push_back(emit(InstructionKind::branch, add(differs)));
    }
    const int last = emit(InstructionKind::jump);
    loops_.emplace_back();
    cases_.emplace_back();
    statements(s.body);
    for (std::size_t c = 0; c < jumps.size(); ++c) {
      const int jump = static_cast<int>(c) == otherwise ? last : jumps[c];
      thread_.instructions[jump].target = cases_.back()[c];
    }
    if (otherwise < 0) thread_.instructions[last].target = here();
    point(loops_.back().breaks, here());
    cases_.pop_back();
    const std::vector<int> continues = std::move(loops_.back().continues);
    loops_.pop_back();
    // The parser has seen to a loop around it.
    if (!continues.empty()) {
      auto& around = loops_.back().continues;
      around.insert(around.end(), continues.begin(), continues.end());
    }
  }

  void require_zero(const Statement& s) {
    const RegisterRange& range = thread_.registers[arrays_[s.index].first];
    if (range.low <= 0 && range.high >= 0) return;
    const std::string& name = block_.registers[s.index].name;
    syntax_.fail(s.offset, fmt::format("register '{}' holds {} to {} and so cannot start at 0; "
                                       "expected '{} = ...'",
                                       name, range.low, range.high, name));
  }

  void fill(const Statement& s) {
    const Array& array = arrays_[s.index];
    const bool listed = s.listed;
    if (listed && static_cast<int>(s.values.size()) != array.size) {
      syntax_.fail(s.offset,
                   fmt::format("{} has {} elements, and {} values are listed",
                               block_.registers[s.index].name, array.size, s.values.size()));
    }
    if (s.values.empty()) require_zero(s);
    for (int i = 0; i < array.size; ++i) {
      element_ =
          block_.registers[s.index].columns ? Element{i / array.row, i % array.row} : Element{i, 0};
      const int value = s.values.empty() ? number(0) : pure(s.values[listed ? i : 0]);
      emit(InstructionKind::assign, value, array.first + i);
    }
  }

  void assign(const Statement& s) {
    const Array& array = arrays_[s.index];
    if (s.sets_default) require_zero(s);
    if (!s.indices.empty()) {
      const int value = pure(*s.expression);
      const int index = flat_index(s.indices, array.size, array.row);
      Instruction& in = thread_.instructions[emit(InstructionKind::assign, value, array.first)];
      in.index = index;
      in.count = array.size;
    } else if (s.expression->kind == ExpressionKind::access) {
      access(*s.expression, array.first);
    } else if (s.expression->kind == ExpressionKind::choice) {
      choice(*s.expression, array.first);
    } else {
      emit(InstructionKind::assign, pure(*s.expression), array.first);
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

  // A load in the condition of an await, where all of them are one step.
  int load(const Expression& e) {
    assert(e.access == AccessKind::load);
    Node node;
    node.kind = Node::Kind::load;
    node.number = e.index;
    if (e.indexed) {
      const SharedVariable& variable = code_.variables[e.index];
      node.a = flat_index(e.operands, variable.size, variable.columns);
    }
    return add(node);
  }

  // The place in an array of one or two dimensions; of two, each index has bounds of its own.
  int flat_index(const std::vector<Expression>& indices, int size, int row) {
    if (indices.size() == 1) return pure(indices[0]);
    std::vector<int> nodes;
    for (const Expression& index : indices) nodes.push_back(pure(index));
    return flat_index(nodes, size, row);
  }
  int flat_index(const std::vector<int>& nodes, int size, int row) {
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

  void choice(const Expression& e, int target) {
    const auto [low, high] = constants_.range({e.operands[0], e.operands[1]});
    Instruction& in = thread_.instructions[emit(InstructionKind::choice, -1, target)];
    in.low = low;
    in.count = high - low + 1;
    in.fair = e.fair;
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
    thread_.instructions.push_back(instruction);
  }

  // Liveness ----------------------------------------------------------------------------------

  std::uint32_t uses(int node) const {
    if (node < 0) return 0;
    const Node& n = thread_.nodes[node];
    if (n.kind == Node::Kind::reg) return std::uint32_t{1} << n.number;
    assert(n.a < node && n.b < node && n.c < node);
    std::uint32_t elements = 0;
    for (int i = 0; n.kind == Node::Kind::element && i < n.count; ++i) {
      elements |= std::uint32_t{1} << (n.number + i);
    }
    return elements | uses(n.a) | uses(n.b) | uses(n.c);
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
        // Of an array only one element is set, nobody knows which.
        const bool element = in.kind == InstructionKind::assign && in.index >= 0;
        const bool sets = in.kind == InstructionKind::assign ||
                          in.kind == InstructionKind::access || in.kind == InstructionKind::choice;
        if (sets && !element && in.target >= 0) live &= ~(std::uint32_t{1} << in.target);
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
  std::vector<Array> arrays_;            // by register of the block
  std::vector<std::vector<int>> cases_;  // of the switches around, where they stand
  Element element_;                      // whose initial value this is
  bool at_once_ = false;                 // whether all loads are one access here
};

}  // namespace

ThreadCode compile_thread(const Syntax& syntax, const Constants& constants, const Code& code,
                          const Block& block, int id) {
  return ThreadCompiler(syntax, constants, code, block, id).run();
}

ThreadCode compile_final(const Syntax& syntax, const Constants& constants, const Code& code,
                         const Block& block) {
  return ThreadCompiler(syntax, constants, code, block, 0).run(true);
}

}  // namespace headway::lang::idiom
