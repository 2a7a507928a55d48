#include "lang/idiom/thread_compiler.hpp"

#include <fmt/format.h>

#include <cassert>
#include <map>

#include "lang/idiom/expression_compiler.hpp"
#include "lang/idiom/limits.hpp"
#include "lang/idiom/liveness.hpp"

namespace headway::lang::idiom {
namespace {

using ExpressionKind = Expression::Kind;
using InstructionKind = Instruction::Kind;
using StatementKind = Statement::Kind;

// One thread block for one thread.
class ThreadCompiler : private ExpressionCompiler {
 public:
  ThreadCompiler(const Syntax& syntax, const Constants& constants, const Code& code, int id)
      : ExpressionCompiler(syntax, constants, code, id), functions_(syntax.functions.size()) {}

  ThreadCode run(const Block& block, bool at_once = false) {
    at_once_ = at_once;
    thread_.workgroup = id(Id::gid);
    for (const Register& r : block.registers) declare(r, {});
    thread_.visible = static_cast<int>(thread_.registers.size());
    emit(InstructionKind::head);
    body(block);
    emit(InstructionKind::end);
    find_live(thread_);
    return std::move(thread_);
  }

 private:
  // The places that break and continue jump to, when they are known.
  struct Loop {
    std::vector<int> breaks, continues;
  };
  // The block that is being compiled, or the function.
  struct Frame {
    const Block* block = nullptr;
    int result = -1;                         // the register that holds what is returned
    std::vector<int> labels;                 // where they stand
    std::vector<std::pair<int, int>> jumps;  // and labels
    std::vector<int> returns;
    std::vector<Loop> loops;
    std::vector<std::vector<int>> cases;  // of the switches around, where they stand
  };

  void body(const Block& block) {
    frame_.block = &block;
    frame_.labels.assign(block.labels.size(), -1);
    statements(block.body);
    point(frame_.returns, here());
    for (const auto& [jump, label] : frame_.jumps) {
      // The parser has refused a jump to a label that stands nowhere.
      assert(frame_.labels[label] >= 0);
      thread_.instructions[jump].target = frame_.labels[label];
    }
  }

  // Functions ---------------------------------------------------------------------------------
  //
  // Calls are replaced by what they call. As no function is called while it is being performed,
  // each has one set of registers, and its arguments are set when all of them are known.

  int call(const Expression& e) override {
    const Function& function = syntax_.functions[e.index];
    if (here() > kMaxInstructions) {
      syntax_.fail(e.offset, fmt::format("more than {} instructions in a thread, with those of the "
                                         "functions that it calls",
                                         kMaxInstructions));
    }
    std::vector<int> arguments;
    for (const Expression& operand : e.operands) arguments.push_back(pure(operand));
    const int source = source_;
    std::vector<Array> outer_arrays = std::move(arrays_);
    arrays_ = registers_of(e.index);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      emit(InstructionKind::assign, arguments[i], arrays_[i].first);
    }
    Frame outer = std::move(frame_);
    frame_ = {};
    if (function.range) {
      const auto [low, high] = constants_.range(*function.range);
      frame_.result = temporary(low, high, e.offset);
      emit(InstructionKind::assign, number(low <= 0 && high >= 0 ? 0 : low), frame_.result);
    }
    // What the rest of the statement still needs.
    const std::uint32_t outer_kept = kept_, taken = taken_;
    kept_ = taken;
    body(function.block);
    const int result = frame_.result;
    frame_ = std::move(outer);
    arrays_ = std::move(outer_arrays);
    kept_ = outer_kept;
    taken_ = taken;
    source_ = source;
    return result;
  }

  const std::vector<Array>& registers_of(int function) {
    std::vector<Array>& arrays = functions_[function];
    const Function& called = syntax_.functions[function];
    if (!arrays.empty() || called.block.registers.empty()) return arrays;
    arrays_.clear();
    for (const Register& r : called.block.registers) declare(r, called.name + ".");
    return arrays = arrays_;
  }

  // Statements --------------------------------------------------------------------------------

  void statements(const std::vector<Statement>& list) {
    for (const Statement& statement : list) compile(statement);
  }

  std::size_t begin_loop(int head) {
    thread_.loops.push_back({head, head, head});
    return thread_.loops.size() - 1;
  }

  void set_source(const Statement& statement) {
    source_ = static_cast<int>(thread_.sources.size());
    thread_.sources.push_back(statement.source);
    taken_ = kept_;
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
        if (s.expression->kind == ExpressionKind::call) {
          call(*s.expression);
        } else if (s.expression->kind == ExpressionKind::subgroup) {
          pure(*s.expression);
        } else {
          access(*s.expression, -1);
        }
        return;
      case StatementKind::assertion:
        emit(InstructionKind::assertion, pure(*s.expression));
        return;
      case StatementKind::assumption:
        emit(InstructionKind::assumption, pure(*s.expression));
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
        const std::size_t loop = begin_loop(head);
        frame_.loops.emplace_back();
        std::vector<int> out;
        if (s.expression) out = unless(*s.expression);
        statements(s.body);
        thread_.loops[loop].next = here();
        point(frame_.loops.back().continues, here());
        statements(s.otherwise);
        source_ = own_source;
        emit(InstructionKind::jump, -1, head);
        thread_.loops[loop].end = here();
        point(out, here());
        point(frame_.loops.back().breaks, here());
        frame_.loops.pop_back();
        return;
      }
      case StatementKind::do_loop: {
        const int head = emit(InstructionKind::head);
        const std::size_t loop = begin_loop(head);
        frame_.loops.emplace_back();
        statements(s.body);
        thread_.loops[loop].next = here();
        point(frame_.loops.back().continues, here());
        source_ = own_source;
        taken_ = kept_;
        const std::vector<int> out = unless(*s.expression);
        emit(InstructionKind::jump, -1, head);
        thread_.loops[loop].end = here();
        point(out, here());
        point(frame_.loops.back().breaks, here());
        frame_.loops.pop_back();
        return;
      }
      case StatementKind::break_:
        assert(!frame_.loops.empty());
        frame_.loops.back().breaks.push_back(emit(InstructionKind::jump));
        return;
      case StatementKind::continue_:
        assert(!frame_.loops.empty());
        frame_.loops.back().continues.push_back(emit(InstructionKind::jump));
        return;
      case StatementKind::return_:
        if (s.expression) emit(InstructionKind::assign, pure(*s.expression), frame_.result);
        frame_.returns.push_back(emit(InstructionKind::jump));
        return;
      case StatementKind::label:
        frame_.labels[s.index] = emit(InstructionKind::head);
        return;
      case StatementKind::jump:
        frame_.jumps.emplace_back(emit(InstructionKind::jump), s.index);
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
      case StatementKind::fence: {
        Instruction& in = thread_.instructions[emit(InstructionKind::jump, -1, here() + 1)];
        in.is_fence = true;
        in.strength = s.strength;
        return;
      }
      case StatementKind::switch_:
        return choose_case(s);
      case StatementKind::case_:
      case StatementKind::default_:
        frame_.cases.back().push_back(here());
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
    frame_.loops.emplace_back();
    frame_.cases.emplace_back();
    statements(s.body);
    for (std::size_t c = 0; c < jumps.size(); ++c) {
      const int jump = static_cast<int>(c) == otherwise ? last : jumps[c];
      thread_.instructions[jump].target = frame_.cases.back()[c];
    }
    if (otherwise < 0) thread_.instructions[last].target = here();
    point(frame_.loops.back().breaks, here());
    frame_.cases.pop_back();
    const std::vector<int> continues = std::move(frame_.loops.back().continues);
    frame_.loops.pop_back();
    // The parser has seen to a loop around it.
    if (!continues.empty()) {
      auto& around = frame_.loops.back().continues;
      around.insert(around.end(), continues.begin(), continues.end());
    }
  }

  void require_zero(const Statement& s) {
    const RegisterRange& range = thread_.registers[arrays_[s.index].first];
    if (range.low <= 0 && range.high >= 0) return;
    const std::string& name = frame_.block->registers[s.index].name;
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
                               frame_.block->registers[s.index].name, array.size, s.values.size()));
    }
    if (s.values.empty()) require_zero(s);
    for (int i = 0; i < array.size; ++i) {
      element_ = frame_.block->registers[s.index].columns ? Element{i / array.row, i % array.row}
                                                          : Element{i, 0};
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

  Frame frame_;
  std::vector<std::vector<Array>> functions_;  // their registers, of those that have been called
  std::uint32_t kept_ = 0;  // registers of the compiler's own that callers of this function hold
};

}  // namespace

ThreadCode compile_thread(const Syntax& syntax, const Constants& constants, const Code& code,
                          const Block& block, int id) {
  return ThreadCompiler(syntax, constants, code, id).run(block);
}

ThreadCode compile_final(const Syntax& syntax, const Constants& constants, const Code& code,
                         const Block& block) {
  return ThreadCompiler(syntax, constants, code, 0).run(block, true);
}

}  // namespace headway::lang::idiom
