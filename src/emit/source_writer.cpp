#include "emit/source_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "emit/helpers.hpp"
#include "emit/operators.hpp"
#include "emit/text.hpp"
#include "emit/uniformity.hpp"
#include "emit/values.hpp"
#include "lang/idiom/limits.hpp"

namespace headway::emit {
namespace {

using lang::idiom::AccessKind;
using lang::idiom::Block;
using lang::idiom::Element;
using lang::idiom::Expression;
using lang::idiom::Function;
using lang::idiom::Operator;
using lang::idiom::Range;
using lang::idiom::SharedVariable;
using lang::idiom::Statement;
using ExpressionKind = Expression::Kind;
using StatementKind = Statement::Kind;

// Every access of an expression becomes a statement of its own, from left to right, so that no
// language's order of evaluation matters and a fence stands behind each.
class SourceWriter : ValueWriter {
 public:
  SourceWriter(const SourceProgram& program, const Dialect& dialect, const Block& block,
               const Function* function)
      : ValueWriter(dialect), program_(program), block_(block), function_(function) {
    std::set<std::string> names;
    for (std::size_t r = 0; r < block.registers.size(); ++r) {
      const std::string name = identifier("r_", block.registers[r].name, static_cast<int>(r));
      registers_.push_back(names.insert(name).second ? name : fmt::format("r_{}", r));
    }
  }

  // The registers and the statements.
  std::string body() {
    for (std::size_t r = 0; r < registers_.size(); ++r) declare(r);
    const std::size_t parameters = function_ != nullptr ? function_->parameters : 0;
    for (std::size_t p = 0; p < parameters; ++p) {
      set(static_cast<int>(p), registers_[p], {parameter_name(p), true, false});
    }
    const std::string declarations = std::move(out_);
    out_.clear();
    statements(block_.body);
    const bool returns = !block_.body.empty() && block_.body.back().kind == StatementKind::return_;
    if (function_ != nullptr && function_->range && !returns) {
      line("return " + default_value() + ";");
    }
    std::string temporaries;
    // A goto must not lead past a declaration with a value.
    for (const std::string& name : block_.labels.empty() ? std::set<std::string>() : named_) {
      temporaries += indented(1, write(dialect_.reg, name));
    }
    return declarations + temporaries + out_;
  }

  std::string parameter_name(std::size_t p) const {
    return identifier("p_", block_.registers[p].name, static_cast<int>(p));
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(fmt::format("{} cannot be exported: {}", program_.kernel.name, why));
  }

  // Text ------------------------------------------------------------------------------------------

  void line(const std::string& text) { out_ += indented(depth_, text); }
  void open(const std::string& text) {
    line(text);
    ++depth_;
  }
  void close(const std::string& text = "}") {
    --depth_;
    line(text);
  }
  std::string id(std::string_view name) const { return write(dialect_.id, name); }

  // A new name; `kind` says what for.
  std::string fresh(const std::string& kind) { return fmt::format("{}_{}", kind, ++names_); }

  // Keeps a value that something else may change.
  Value keep(const std::string& text) {
    const std::string name = fresh("t");
    named_.insert(name);
    line(block_.labels.empty() ? write(dialect_.temporary, name, text)
                               : fmt::format("{} = {};", name, text));
    return {name, true, false};
  }
  // A variable that is 0 at first.
  std::string flag(const std::string& kind) {
    std::string name = fresh(kind);
    named_.insert(name);
    line(block_.labels.empty() ? write(dialect_.reg, name)
                               : fmt::format("{} = {};", name, literal(0)));
    return name;
  }
  void raise(const std::string& flag) { line(fmt::format("{} = {};", flag, literal(1))); }

  // Registers -------------------------------------------------------------------------------------

  int row_of(std::size_t r) const {
    const auto& declared = block_.registers[r];
    return declared.columns ? program_.constants.sizes(declared, lang::idiom::kMaxRegisters).second
                            : 1;
  }
  int size_of(std::size_t r) const {
    const auto& declared = block_.registers[r];
    return declared.size ? program_.constants.sizes(declared, lang::idiom::kMaxRegisters).first : 0;
  }

  void declare(std::size_t r) {
    const auto [low, high] = program_.constants.range(block_.registers[r].range);
    if (const int size = size_of(r); size > 0) {
      line(write(dialect_.array, registers_[r], size));
      return;
    }
    line(write(dialect_.reg, registers_[r]));
    if (low > 0 || high < 0) line(fmt::format("{} = {};", registers_[r], literal(low)));
  }

  void set(int index, const std::string& target, const Value& value) {
    line(fmt::format("{} = {};", target, wrapped(block_.registers[index].range, value)));
  }
  std::string wrapped(const Range& range, const Value& value) const {
    if (!range.wraps) return number(value);
    const auto [low, high] = program_.constants.range(range);
    return fmt::format("wrapped({}, {}, {})", number(value), literal(low),
                       literal(std::int64_t{high} - low + 1));
  }
  std::string default_value() const {
    const auto [low, high] = program_.constants.range(*function_->range);
    return literal(low <= 0 && high >= 0 ? 0 : low);
  }

  // Statements ------------------------------------------------------------------------------------

  void statements(const std::vector<Statement>& list) {
    for (const Statement& statement : list) this->statement(statement);
  }

  void statement(const Statement& s) {
    if (s.kind == StatementKind::block) return statements(s.body);
    if (!s.source.text.empty() && s.kind != StatementKind::fill) {
      line("// " + printable(s.source.text));
    }
    switch (s.kind) {
      case StatementKind::assign: {
        const Value value = evaluate(*s.expression);
        const std::string& name = registers_[s.index];
        return set(s.index, s.indices.empty() ? name : element(s.index, s.indices), value);
      }
      case StatementKind::fill:
        return fill(s);
      case StatementKind::evaluate:
        if (s.expression->kind == ExpressionKind::call) {
          call(*s.expression);
        } else if (s.expression->kind == ExpressionKind::subgroup) {
          operate(*s.expression, false);
        } else {
          access(*s.expression, false);
        }
        return;
      case StatementKind::assertion: {
        const Value value = evaluate(*s.expression);
        return line(write(dialect_.unless, truth(value), dialect_.violated));
      }
      case StatementKind::branch: {
        const Value value = evaluate(*s.expression);
        open(fmt::format("if ({}) {{", truth(value)));
        statements(s.body);
        if (!s.otherwise.empty()) {
          close("} else {");
          ++depth_;
          statements(s.otherwise);
        }
        return close();
      }
      case StatementKind::loop:
      case StatementKind::do_loop:
        return loop(s);
      case StatementKind::break_:
        return leave(around_.back());
      case StatementKind::continue_:
        return line("continue;");
      case StatementKind::return_:
        if (s.expression) {
          const Value value = evaluate(*s.expression);
          return line(fmt::format("return {};", wrapped(*function_->range, value)));
        }
        return line(function_ != nullptr && function_->range ? "return " + default_value() + ";"
                                                             : "return;");
      case StatementKind::label:
        return line(identifier("L_", block_.labels[s.index], s.index) + ":;");
      case StatementKind::jump:
        return line("goto " + identifier("L_", block_.labels[s.index], s.index) + ";");
      case StatementKind::await:
        return await(s);
      case StatementKind::barrier:
        return barrier(s.index);
      case StatementKind::fence:  // each access is as strong there
        return line("// " + printable(s.source.text));
      case StatementKind::switch_:
        return choose_case(s);
      default:
        refuse(fmt::format("'{}' has no counterpart on devices", s.source.text));
    }
  }

  void fill(const Statement& s) {
    const int size = size_of(s.index), row = row_of(s.index);
    line("// " + printable(s.source.text));
    for (int i = 0; i < size; ++i) {
      element_ = block_.registers[s.index].columns ? Element{i / row, i % row} : Element{i, 0};
      const Value value =
          s.values.empty() ? literal_value(0) : evaluate(s.values[s.listed ? i : 0]);
      set(s.index, fmt::format("{}[{}]", registers_[s.index], i), value);
    }
  }

  // Behind `again` are the third part of a for and the condition of a do: in front of all rounds
  // but the first, so that a continue is one in the target, too.
  void loop(const Statement& s) {
    const bool tests_late = s.kind == StatementKind::do_loop;
    const bool steps = tests_late || !s.otherwise.empty();
    const int number = begin_loop(steps, has_meeting(s, program_.syntax));
    if (steps) {
      open(fmt::format("if ({} != {}) {{", loops_[number].again, literal(0)));
      if (tests_late) leave_unless(*s.expression, number);
      statements(s.otherwise);
      close();
      raise(loops_[number].again);
    }
    if (!tests_late && s.expression) leave_unless(*s.expression, number);
    statements(s.body);
    end_loop(number);
  }

  struct Loop {
    std::string again, left;  // flags, where there are any
  };

  int begin_loop(bool again, bool meets) {
    Loop& loop = loops_.emplace_back();
    if (again) loop.again = flag("again");
    if (dialect_.leaves_loops) loop.left = flag("left");
    open(std::string(dialect_.loop));
    const int number = static_cast<int>(loops_.size()) - 1;
    around_.push_back(number);
    // Threads that meet in a loop come to the end of it together, and none may give up before.
    if (!dialect_.watch.empty() && !meets) line(std::string(dialect_.watch));
    return number;
  }
  void end_loop(int number) {
    around_.pop_back();
    close();
    const std::string& left = loops_[number].left;
    if (left.empty()) return;
    open(fmt::format("if ({} == {}) {{", left, literal(0)));
    line("cut_short = true;");
    give_up();
    close();
  }
  void give_up() {
    line(function_ != nullptr && function_->range ? "return " + default_value() + ";" : "return;");
  }
  void leave_unless(const Expression& condition, int number) {
    const Value value = evaluate(condition);
    open(fmt::format("if (!({})) {{", truth(value)));
    leave(number);
    close();
  }
  void leave(int loop) {
    if (loop >= 0 && !loops_[loop].left.empty()) raise(loops_[loop].left);
    line("break;");
  }

  void await(const Statement& s) {
    const int number = begin_loop(false, false);
    const Value value = evaluate(*s.expression);
    open(fmt::format("if ({}) {{", truth(value)));
    leave(number);
    close();
    end_loop(number);
  }

  void barrier(int index) {
    const BarrierUse& use = program_.kernel.groups->barriers[index];
    const std::string_view format =
        use.scope == BarrierUse::Scope::subgroup        ? dialect_.subgroup_barrier
        : use.scope == BarrierUse::Scope::grid          ? dialect_.grid_barrier
        : use.uniform || dialect_.named_barrier.empty() ? dialect_.workgroup_barrier
                                                        : dialect_.named_barrier;
    if (use.scope == BarrierUse::Scope::subgroup) together();
    line(write(format, index, named_number(index)));
  }
  // The place of a barrier among those of workgroups that have a number in the target, from 1.
  int named_number(int index) const {
    const auto& barriers = program_.kernel.groups->barriers;
    return 1 + static_cast<int>(std::count_if(barriers.begin(), barriers.begin() + index,
                                              [](const BarrierUse& use) {
                                                return use.scope == BarrierUse::Scope::workgroup &&
                                                       !use.uniform && use.places > 0;
                                              }));
  }

  void choose_case(const Statement& s) {
    const Value value = evaluate(*s.expression);
    open(write(dialect_.choice, number(value)));
    around_.push_back(-1);
    std::vector<std::string> labels;
    bool has_default = false, is_open = false;
    for (std::size_t i = 0; i < s.body.size(); ++i) {
      const Statement& inside = s.body[i];
      if (inside.kind == StatementKind::case_ || inside.kind == StatementKind::default_) {
        if (is_open) end_case(s.body[i - 1]);
        is_open = false;
        const bool named = inside.kind == StatementKind::case_;
        has_default = has_default || !named;
        labels.push_back(named ? write(dialect_.case_label,
                                       literal(program_.constants.value(*inside.expression)))
                               : std::string(dialect_.default_label));
        continue;
      }
      // What stands in front of the first case is never performed.
      if (labels.empty() && !is_open) continue;
      if (!is_open) begin_case(labels);
      is_open = true;
      statement(inside);
    }
    if (!is_open && !labels.empty()) {
      begin_case(labels);
      is_open = true;
    }
    if (is_open) {
      line("break;");
      close();
    }
    if (!has_default) {
      labels = {std::string(dialect_.default_label)};
      begin_case(labels);
      line("break;");
      close();
    }
    around_.pop_back();
    close();
  }
  void begin_case(std::vector<std::string>& labels) {
    open(
        write(dialect_.cases_begin, fmt::format("{}", fmt::join(labels, dialect_.case_separator))));
    labels.clear();
  }
  void end_case(const Statement& last) {
    const bool leaves = last.kind == StatementKind::break_ ||
                        last.kind == StatementKind::continue_ ||
                        last.kind == StatementKind::return_ || last.kind == StatementKind::jump;
    close();
    if (!leaves) line("// falls through");
  }

  // Expressions -----------------------------------------------------------------------------------

  Value evaluate(const Expression& e) {
    switch (e.kind) {
      case ExpressionKind::number:
      case ExpressionKind::constant:
      case ExpressionKind::thread_count:
      case ExpressionKind::size:
      case ExpressionKind::row:
      case ExpressionKind::column:
        return literal_value(program_.constants.value(e, element_));
      case ExpressionKind::thread_id:
        return {id("tid"), true, false};
      case ExpressionKind::id:
        return {id(to_string(e.id)), true, false};
      case ExpressionKind::reg:
        return {e.operands.empty() ? registers_[e.index] : element(e.index, e.operands), true,
                false};
      case ExpressionKind::access:
        return access(e, true);
      case ExpressionKind::call:
        return call(e);
      case ExpressionKind::subgroup:
        return operate(e, true);
      case ExpressionKind::unary: {
        const Value a = evaluate(e.operands[0]);
        if (e.op == Operator::logical_not) return {fmt::format("!({})", truth(a)), true, true};
        return {fmt::format("{}{}", sign(e.op), part(a)), false, false};
      }
      case ExpressionKind::binary:
        return binary(e);
      case ExpressionKind::conditional: {
        const Value a = evaluate(e.operands[0]);
        const Value b = evaluate(e.operands[1]);
        const Value c = evaluate(e.operands[2]);
        return {write(dialect_.select, truth(a), part(b), part(c)), false, false};
      }
      default:
        break;
    }
    refuse("an expression of it has no counterpart on devices");
  }

  Value binary(const Expression& e) {
    const bool shortcut = e.op == Operator::logical_and || e.op == Operator::logical_or;
    const Value a = evaluate(e.operands[0]);
    if (shortcut && has_access(e.operands[1])) return short_circuit(e, a);
    const Value b = evaluate(e.operands[1]);
    if (shortcut) {
      return {fmt::format("({}) {} ({})", truth(a), sign(e.op), truth(b)), false, true};
    }
    if (is_truth(e.op)) {
      return {fmt::format("{} {} {}", part(a), sign(e.op), part(b)), false, true};
    }
    if (e.op == Operator::remainder) {
      return {write(dialect_.remainder, part(a), part(b)), false, false};
    }
    const bool shifts = e.op == Operator::shift_left || e.op == Operator::shift_right;
    const std::string right = shifts ? write(dialect_.shift_count, part(b)) : part(b);
    return {fmt::format("{} {} {}", part(a), sign(e.op), right), false, false};
  }

  // The accesses of the right side happen only when the left one has not decided.
  Value short_circuit(const Expression& e, const Value& a) {
    const std::string result = flag("both");
    const bool is_and = e.op == Operator::logical_and;
    open(is_and ? fmt::format("if ({}) {{", truth(a)) : fmt::format("if (!({})) {{", truth(a)));
    const Value b = evaluate(e.operands[1]);
    line(fmt::format("{} = {};", result, write(dialect_.select, truth(b), literal(1), literal(0))));
    if (!is_and) {
      close("} else {");
      ++depth_;
      raise(result);
    }
    close();
    return {result, true, false};
  }

  std::string element(int index, const std::vector<Expression>& indices) {
    const Value first = evaluate(indices[0]);
    if (indices.size() == 1) return fmt::format("{}[{}]", registers_[index], number(first));
    const Value second = evaluate(indices[1]);
    return fmt::format("{}[{} * {} + {}]", registers_[index], part(first), literal(row_of(index)),
                       part(second));
  }

  Value call(const Expression& e) {
    const Function& function = program_.syntax.functions[e.index];
    std::string arguments(dialect_.arguments);
    std::vector<Value> values;
    for (const Expression& operand : e.operands) values.push_back(evaluate(operand));
    for (const Value& value : values) arguments += (arguments.empty() ? "" : ", ") + number(value);
    const std::string text =
        fmt::format("{}({})", identifier("f_", function.name, e.index), arguments);
    Value result = function.range ? keep(text) : (line(text + ";"), Value{});
    if (dialect_.leaves_loops) {
      open("if (cut_short) {");
      give_up();
      close();
    }
    return result;
  }

  // Of a subgroup of one thread it gives what the thread brings.
  Value operate(const Expression& e, bool is_used) {
    std::vector<Value> values;
    for (const Expression& operand : e.operands) values.push_back(evaluate(operand));
    const bool asks = values.size() == 2;  // a lane for its value
    if (program_.kernel.groups->topology.subgroup_threads() == 1) {
      if (values.empty()) return literal_value(1);
      return asks ? values[0] : Value{truth(values[0]), false, true};
    }
    std::string arguments(dialect_.arguments);
    for (const Value& value : values) {
      arguments += (arguments.empty() ? "" : ", ") + (asks ? number(value) : truth(value));
    }
    together();
    const auto which = program_.syntax.operations[e.index];
    const std::string text = fmt::format("subgroup_{}({})", to_string(which), arguments);
    return is_used ? keep(text) : (line(text + ";"), Value{});
  }
  void together() {
    if (!dialect_.together.empty()) line(std::string(dialect_.together));
  }

  // Accesses --------------------------------------------------------------------------------------

  Value access(const Expression& e, bool is_used) {
    const SharedVariable& variable = program_.code.variables[e.index];
    std::vector<Value> operands;
    for (const Expression& operand : e.operands) operands.push_back(evaluate(operand));
    std::size_t next = e.has_column ? 2 : e.indexed ? 1 : 0;
    std::string where = program_.locations[e.index];
    if (next == 1) where += " + " + word(&e.operands[0], operands[0]);
    if (next == 2) {
      const std::string place = fmt::format("{} * {} + {}", part(operands[0]),
                                            literal(variable.columns), part(operands[1]));
      where += " + " + write(dialect_.to_word, place);
    }
    const bool of_group = variable.per_workgroup;
    const std::string cell = write(of_group ? dialect_.group_cell : dialect_.cell, where);
    const auto operand = [&](bool is_put) {
      const Expression* expression = &e.operands[next];
      const Value& value = operands[next++];
      if (!is_put || !variable.wraps) return word(expression, value);
      return write(dialect_.to_word, wrapped(program_.syntax.variables[e.index].range, value));
    };
    const auto compare = [&](std::string_view own, std::string_view of_groups) {
      const std::string old = operand(false);
      const std::string value = operand(true);
      const bool apart = of_group && !of_groups.empty();
      return std::pair(write(apart ? of_groups : own, cell, old, value, where), old);
    };
    if (e.access == AccessKind::store) {
      line(write(dialect_.store, cell, operand(true)));
      fence();
      return {};
    }
    std::string found;
    if (e.access == AccessKind::weak_cas) {
      std::string succeeded;
      if (dialect_.weak_compare.empty()) {
        line("// strong: there is no weak one");
        const auto [text, old] = compare(dialect_.compare_exchange, dialect_.group_compare);
        succeeded = fmt::format("{} == {}", text, old);
      } else {
        succeeded = compare(dialect_.weak_compare, {}).first;
      }
      found = write(dialect_.select, succeeded, literal(1), literal(0));
    } else if (e.access == AccessKind::cas) {
      found = compare(dialect_.compare_exchange, dialect_.group_compare).first;
    } else if (e.access == AccessKind::load) {
      found = load(program_.kernel, dialect_, cell, of_group);
    } else {
      const std::string_view format = operation(dialect_, e.access);
      if (format.empty()) {
        refuse(fmt::format("{} has no counterpart on devices", to_string(e.access)));
      }
      found = write(format, cell, operand(true));
    }
    if (is_used && e.access != AccessKind::weak_cas) found = write(dialect_.to_signed, found);
    Value result =
        is_used || e.access == AccessKind::weak_cas ? keep(found) : (line(found + ";"), Value{});
    fence();
    return result;
  }
  void fence() {
    if (!dialect_.fence.empty()) line(std::string(dialect_.fence));
  }
  const SourceProgram& program_;
  const Block& block_;
  const Function* function_;
  std::vector<std::string> registers_;
  std::set<std::string> named_;  // what was declared besides
  std::vector<Loop> loops_;
  std::vector<int> around_;  // what a break leaves: the number of a loop, -1 of a switch
  Element element_;          // whose initial value is evaluated
  std::string out_;
  int depth_ = 1;
  int names_ = 0;
};

}  // namespace

std::string write_function(const SourceProgram& program, const Dialect& dialect,
                           std::size_t index) {
  const Function& function = program.syntax.functions[index];
  SourceWriter writer(program, dialect, function.block, &function);
  std::string parameters(dialect.parameters);
  for (std::size_t p = 0; p < function.parameters; ++p) {
    parameters +=
        (parameters.empty() ? "" : ", ") + write(dialect.parameter, writer.parameter_name(p));
  }
  return write(function.range ? dialect.function_value : dialect.function_void,
               identifier("f_", function.name, static_cast<int>(index)), parameters) +
         "\n" + writer.body() + "}\n";
}

std::string write_block(const SourceProgram& program, const Dialect& dialect, std::size_t index) {
  SourceWriter writer(program, dialect, program.syntax.blocks[index], nullptr);
  return write(dialect.function_void, fmt::format("block_{}", index), dialect.parameters) + "\n" +
         writer.body() + "}\n";
}

std::string write_final(const SourceProgram& program, const Dialect& dialect) {
  return SourceWriter(program, dialect, *program.syntax.final, nullptr).body();
}

}  // namespace headway::emit
