#include "every/parametric.hpp"

#include <fmt/format.h>

#include "lang/idiom/thread_compiler.hpp"

namespace headway::every {
namespace {

using lang::idiom::Block;
using lang::idiom::Expression;
using lang::idiom::Operator;
using lang::idiom::Statement;
using lang::idiom::Syntax;

[[noreturn]] void refuse(const Syntax& syntax, std::size_t offset, const std::string& message) {
  throw error_at(syntax.file, syntax.text, offset, message);
}

ParametricRange range_of(const Syntax& syntax, const lang::idiom::Range& range) {
  ParametricRange result{in_n(syntax, range.low), in_n(syntax, range.high), range.wraps};
  if (range.wraps && !(result.low.fixed() && result.high.fixed())) {
    refuse(syntax, range.high.offset, "what wraps depends on N here; expected a fixed range");
  }
  return result;
}

// N and ids become registers; named constants, what they stand for.
class Rewriter {
 public:
  Rewriter(const Syntax& syntax, const Block& block)
      : syntax_(syntax), n_(static_cast<int>(block.registers.size())) {}

  void rewrite(Block& block) const {
    for (const char* name : {"N", "tid"}) {
      lang::idiom::Register& added = block.registers.emplace_back();
      added.name = name;
      added.range.low.number = 0;
      added.range.high.number = kMaxThreads;
    }
    for (Statement& s : block.body) rewrite(s);
  }

 private:
  void rewrite(Statement& s) const {
    if (s.kind == Statement::Kind::case_) {
      if (!in_n(syntax_, *s.expression).fixed()) {
        refuse(syntax_, s.offset, "a case that depends on N; expected 'if'");
      }
      return;
    }
    if (s.expression) rewrite(*s.expression);
    for (Expression& e : s.indices) rewrite(e);
    for (Expression& e : s.values) rewrite(e);
    for (Statement& inner : s.body) rewrite(inner);
    for (Statement& inner : s.otherwise) rewrite(inner);
  }

  void rewrite(Expression& e) const {
    using Kind = Expression::Kind;
    if (e.kind == Kind::constant) {
      const Expression value = syntax_.constants[e.index].value;
      e = value;
    }
    // There are N workgroups of one thread.
    const bool of_grid =
        e.size == lang::idiom::Size::workgroups || e.size == lang::idiom::Size::threads;
    if (e.kind == Kind::thread_count) become_register(e, n_);
    if (e.kind == Kind::thread_id) become_register(e, n_ + 1);
    if (e.kind == Kind::size) of_grid ? become_register(e, n_) : become_number(e, 1);
    if (e.kind == Kind::id) {
      e.id == lang::idiom::Id::gid ? become_register(e, n_ + 1) : become_number(e, 0);
    }
    for (Expression& operand : e.operands) rewrite(operand);
  }

  static void become_register(Expression& e, int index) {
    e.kind = Expression::Kind::reg;
    e.index = index;
    e.operands.clear();
  }

  static void become_number(Expression& e, std::int64_t number) {
    e.kind = Expression::Kind::number;
    e.number = number;
    e.operands.clear();
  }

  const Syntax& syntax_;
  const int n_;
};

}  // namespace

InN in_n(const Syntax& syntax, const Expression& e) {
  using Kind = Expression::Kind;
  switch (e.kind) {
    case Kind::number:
      return {e.number, 0};
    case Kind::thread_count:
      return {0, 1};
    case Kind::size:
      if (e.size == lang::idiom::Size::workgroups || e.size == lang::idiom::Size::threads) {
        return {0, 1};
      }
      return {1, 0};
    case Kind::constant:
      return in_n(syntax, syntax.constants[e.index].value);
    case Kind::unary:
      if (e.op == Operator::negate) {
        const InN a = in_n(syntax, e.operands[0]);
        return {-a.constant, -a.by_n};
      }
      break;
    case Kind::binary: {
      const InN a = in_n(syntax, e.operands[0]), b = in_n(syntax, e.operands[1]);
      if (e.op == Operator::add) return {a.constant + b.constant, a.by_n + b.by_n};
      if (e.op == Operator::subtract) return {a.constant - b.constant, a.by_n - b.by_n};
      if (e.op == Operator::multiply && a.fixed()) {
        return {a.constant * b.constant, a.constant * b.by_n};
      }
      if (e.op == Operator::multiply && b.fixed()) {
        return {a.constant * b.constant, b.constant * a.by_n};
      }
      std::int64_t value = 0;
      if (a.fixed() && b.fixed() &&
          lang::idiom::apply(e.op, a.constant, b.constant, value) ==
              lang::idiom::Failure::Kind::none) {
        return {value, 0};
      }
      break;
    }
    default:
      break;
  }
  refuse(syntax, e.offset, "expected a number plus a multiple of N");
}

Parametric read_parametric(const Family& family) {
  Parametric result;
  result.syntax = family.syntax;
  result.smallest = family.smallest * family.group;
  const Syntax& syntax = result.syntax;
  if (!syntax.functions.empty()) {
    refuse(syntax, syntax.functions.front().block.offset,
           "a function; proofs where N or ids matter need programs without");
  }
  for (const auto& declared : syntax.variables) {
    ParametricVariable& variable = result.variables.emplace_back();
    variable.name = declared.name;
    if (declared.per_workgroup) {
      refuse(syntax, declared.offset, "each workgroup has its own " + declared.name);
    }
    if (declared.columns) {
      refuse(syntax, declared.offset, "an array of two dimensions; expected one of one");
    }
    variable.range = range_of(syntax, declared.range);
    variable.is_array = declared.size.has_value();
    variable.size = variable.is_array ? in_n(syntax, *declared.size) : InN{1, 0};
    if (declared.listed && !variable.size.fixed()) {
      refuse(syntax, declared.offset,
             "the values of " + declared.name + " are listed, and its size depends on N");
    }
    for (const Expression& value : declared.initial) {
      variable.initial.push_back(in_n(syntax, value));
    }
    if (variable.initial.empty()) variable.initial.push_back({0, 0});
    const Linear n = Linear::symbol(0);
    const Facts known = {n + -family.smallest};
    for (const InN& value : variable.initial) {
      if (!implies(known, value.at(n) - variable.range.low.at(n)) ||
          !implies(known, variable.range.high.at(n) - value.at(n))) {
        refuse(syntax, declared.offset, "an initial value that depends on N: " + declared.name);
      }
    }
  }
  return result;
}

ParametricProgram program_of(const Parametric& family, const Block& block, std::optional<int> id) {
  ParametricProgram result;
  result.block = &block;
  result.id = id;
  for (const auto& declared : block.registers) {
    if (declared.size) {
      refuse(family.syntax, declared.offset,
             "an array of registers; proofs where N or ids matter need single ones");
    }
    result.registers.push_back(range_of(family.syntax, declared.range));
  }
  result.n_register = static_cast<int>(block.registers.size());
  result.id_register = result.n_register + 1;
  Block rewritten = block;
  Rewriter(family.syntax, block).rewrite(rewritten);
  // What the compiler says of variables is only their names and places here.
  const int n = family.smallest;
  const lang::idiom::Constants constants(family.syntax, n);
  lang::idiom::Code code = lang::idiom::compile(family.syntax, n);
  result.code = lang::idiom::compile_thread(family.syntax, constants, code, rewritten, 0);
  return result;
}

}  // namespace headway::every
