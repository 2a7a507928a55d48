#include "lang/idiom/parser.hpp"

#include <fmt/format.h>

#include <map>

#include "lang/expectation.hpp"
#include "lang/idiom/expression_parser.hpp"

namespace headway::lang::idiom {
namespace {

using Kind = Expression::Kind;
using StatementKind = Statement::Kind;

class Parser : private ExpressionParser {
 public:
  Parser(Scanner& scanner, std::string_view text, const std::string& file)
      : ExpressionParser(scanner) {
    syntax_.text = text;
    syntax_.file = file;
  }

  Syntax run() {
    syntax_.comment = scanner_.leading_comment();
    if (scanner_.accept("idiom")) {
      syntax_.name = scanner_.name("a name for the program", kNameCharacters).text;
    }
    if (scanner_.peek().is("N")) thread_count();
    for (;;) {
      if (scanner_.peek().is("const")) {
        constant();
      } else if (scanner_.peek().is("shared")) {
        shared();
      } else {
        break;
      }
    }
    while (scanner_.peek().is("thread") || scanner_.peek().is("threads")) block();
    if (syntax_.blocks.empty()) {
      refuse("'N = 2..4;', 'const K = 3;', 'shared int(0..N) x;' or 'threads {'");
    }
    while (scanner_.peek().is("expect")) expectations();
    if (scanner_.peek().kind != Token::Kind::end) {
      refuse("'threads 0..N-1 {', 'expect {' or the end of the file");
    }
    return std::move(syntax_);
  }

 private:
  // Declarations ------------------------------------------------------------------------------

  void thread_count() {
    scanner_.next();
    scanner_.expect("=", "'N = 2..4;' says how many threads there are");
    syntax_.threads_begin = scanner_.peek().offset;
    const int fewest = scanner_.integer("number of threads", 1, kMaxThreads);
    int most = fewest;
    if (scanner_.accept("..")) most = scanner_.integer("number of threads", fewest, kMaxThreads);
    syntax_.threads_end = scanner_.last_end();
    syntax_.threads = {fewest, most};
    scanner_.expect(";");
  }

  Token new_name(const std::string& role) {
    const Token name = scanner_.next();
    if (!name.is_identifier() || is_reserved(name)) {
      scanner_.fail(name, fmt::format("expected the name of {}, found {}", role, shown(name)));
    }
    const bool known = find(syntax_.constants, name) >= 0 || find(syntax_.variables, name) >= 0 ||
                       registers_.count(name.text) > 0;
    if (known) scanner_.fail(name, fmt::format("{} is declared twice", shown(name)));
    return name;
  }

  void constant() {
    scanner_.next();
    if (scanner_.peek().is("int")) scanner_.next();  // as in C
    do {
      const Token name = new_name("a constant");
      limit(syntax_.constants.size(), kMaxConstants, "constants", name);
      scanner_.expect("=");
      Expression value = constant_expression();
      syntax_.constants.push_back({std::string(name.text), std::move(value)});
    } while (scanner_.accept(","));
    scanner_.expect(";");
  }

  // "int(0..N)" or "bool"
  Range range() {
    const Token type = scanner_.next();
    Range result;
    result.low.offset = result.high.offset = type.offset;
    if (type.is("bool")) {
      result.high.number = 1;
      return result;
    }
    if (!type.is("int")) {
      scanner_.fail(type,
                    fmt::format("expected a type, 'int(0..N)' or 'bool', found {}", shown(type)));
    }
    scanner_.expect("(", "an int says which values it holds, 'int(0..N)'");
    result.low = constant_expression();
    scanner_.expect("..", "an int says which values it holds, 'int(0..N)'");
    result.high = constant_expression();
    scanner_.expect(")");
    return result;
  }

  void shared() {
    scanner_.next();
    const Range type = range();
    do {
      const Token name = new_name("a shared variable");
      limit(syntax_.variables.size(), kMaxVariables, "shared variables", name);
      Variable variable{std::string(name.text), type, std::nullopt, {}, false, name.offset};
      if (scanner_.accept("[")) {
        variable.size = constant_expression();
        scanner_.expect("]");
      }
      if (scanner_.accept("=")) {
        if (variable.size && scanner_.accept("{")) {
          do {
            limit(variable.initial.size(), kMaxCells, "values", scanner_.peek());
            variable.initial.push_back(constant_expression());
          } while (scanner_.accept(","));
          scanner_.expect("}");
          variable.listed = true;
        } else {
          variable.initial.push_back(constant_expression());
        }
      }
      syntax_.variables.push_back(std::move(variable));
    } while (scanner_.accept(","));
    scanner_.expect(";");
  }

  // Blocks ------------------------------------------------------------------------------------

  void block() {
    const Token keyword = scanner_.next();
    limit(syntax_.blocks.size(), kMaxThreads, "blocks", keyword);
    block_ = {};
    block_.offset = keyword.offset;
    if (keyword.is("threads") && (scanner_.peek().is("{") || scanner_.peek().is(":"))) {
      block_.all = true;
    } else {
      block_.first = constant_expression();
      block_.last = block_.first;
      if (keyword.is("threads")) {
        scanner_.expect("..", "'threads 1..N-1' names a range, 'thread 1' one thread");
        block_.last = constant_expression();
      }
    }
    scanner_.accept(":");
    open_ = scanner_.expect("{");
    registers_.clear();
    labels_.clear();
    jumps_.clear();
    statements_ = 0;
    block_.body = statements();
    for (const Token& label : jumps_) {
      if (!labels_.find(label.text)->second.defined) {
        scanner_.fail(label, fmt::format("unknown label {}; expected END or a label of this "
                                         "thread block",
                                         shown(label)));
      }
    }
    registers_.clear();
    syntax_.blocks.push_back(std::move(block_));
  }

  // Up to and with the closing brace. Registers declared in between are forgotten.
  std::vector<Statement> statements() {
    const auto outside = registers_;
    std::vector<Statement> list;
    while (!scanner_.accept("}")) {
      const Token token = scanner_.peek();
      if (token.kind == Token::Kind::end || token.is("thread") || token.is("threads") ||
          token.is("expect") || token.is("shared")) {
        scanner_.fail(open_,
                      fmt::format("this '{{' does not end; expected '}}' before {}", shown(token)));
      }
      statement(list);
    }
    registers_ = outside;
    return list;
  }

  std::vector<Statement> body() {
    std::vector<Statement> list;
    if (scanner_.peek().is("int") || scanner_.peek().is("bool")) {
      refuse("a statement or '{'");
    }
    statement(list);
    return list;
  }

  void finish(Statement& statement, const Token& first) {
    statement.offset = first.offset;
    statement.source = {first.line, scanner_.excerpt(first.offset, scanner_.last_end())};
  }

  // Most statements are one entry of the list; a declaration is one a register.
  void statement(std::vector<Statement>& list) {
    const Token first = scanner_.peek();
    if (++statements_ > kMaxStatements) {
      scanner_.fail(first, fmt::format("more than {} statements in a thread", kMaxStatements));
    }
    const Nesting nesting(*this, first);
    if (first.is("int") || first.is("bool")) {
      declaration(list);
      scanner_.expect(";");
      return;
    }
    Statement result;
    if (scanner_.accept("{")) {
      const Token outer = open_;
      open_ = first;
      result.body = statements();
      open_ = outer;
    } else if (scanner_.accept(";")) {
      return;
    } else if (first.is("if")) {
      branch(result);
    } else if (first.is("while")) {
      while_loop(result);
    } else if (first.is("do")) {
      do_loop(result);
    } else if (first.is("for")) {
      return for_loop(list);
    } else if (first.is("break") || first.is("continue")) {
      scanner_.next();
      if (loops_ == 0) {
        scanner_.fail(first, fmt::format("{} stands in no loop", shown(first)));
      }
      result.kind = first.is("break") ? StatementKind::break_ : StatementKind::continue_;
      end_of(result, first);
    } else if (first.is("return")) {
      scanner_.next();
      result.kind = StatementKind::return_;
      end_of(result, first);
    } else if (first.is("goto")) {
      jump(result);
    } else if (first.is("assert")) {
      scanner_.next();
      scanner_.expect("(");
      result.kind = StatementKind::assertion;
      result.expression = expression();
      scanner_.expect(")");
      end_of(result, first);
    } else if (simple(list)) {
      scanner_.expect(";");
      finish(list.back(), first);
      return;
    } else {
      label(result);
    }
    list.push_back(std::move(result));
  }

  void end_of(Statement& statement, const Token& first) {
    scanner_.expect(";");
    finish(statement, first);
  }

  void declaration(std::vector<Statement>& list) {
    const Token first = scanner_.peek();
    const Range type = range();
    do {
      const Token name = new_name("a register");
      limit(block_.registers.size(), kMaxRegisters, "registers in a thread", name);
      Statement result;
      result.kind = StatementKind::assign;
      result.index = static_cast<int>(block_.registers.size());
      result.sets_default = !scanner_.accept("=");
      result.expression = result.sets_default ? Expression{} : expression();
      result.expression->offset = name.offset;
      block_.registers.push_back({std::string(name.text), type, name.offset});
      registers_.emplace(name.text, result.index);
      finish(result, first);
      result.source.text += ";";
      list.push_back(std::move(result));
    } while (scanner_.accept(","));
  }

  // An assignment or an access, without what ends it; false when there is neither.
  bool simple(std::vector<Statement>& list) {
    const Token first = scanner_.peek();
    Statement result;
    const bool prefix = first.is("++") || first.is("--");
    if (access_kind(first)) {
      result.kind = StatementKind::evaluate;
      result.expression = expression();
      if (result.expression->kind != Kind::access) {
        scanner_.fail(first,
                      "the value of this expression is not used; expected a statement that "
                      "is one access, an assignment or an assert");
      }
    } else {
      if (prefix) scanner_.next();
      const Token name = scanner_.peek();
      if (!name.is_identifier()) {
        refuse(prefix ? "a register" : "a statement");
      }
      const auto found = registers_.find(name.text);
      if (found == registers_.end()) {
        if (find(syntax_.variables, name) >= 0) {
          scanner_.fail(name, fmt::format("{} is shared; expected 'store({}, value);' or another "
                                          "access, each of which is a step",
                                          shown(name), name.text));
        }
        if (prefix) refuse("a register");
        return false;
      }
      scanner_.next();
      result.kind = StatementKind::assign;
      result.index = found->second;
      result.expression = prefix ? changed(found->second, first) : assigned(found->second);
    }
    finish(result, first);
    list.push_back(std::move(result));
    return true;
  }

  Expression register_expression(int index, const Token& where) const {
    Expression result;
    result.kind = Kind::reg;
    result.index = index;
    result.offset = where.offset;
    return result;
  }

  // r++ and r--
  Expression changed(int index, const Token& sign) const {
    Expression one;
    one.number = 1;
    return combine(sign.is("++") ? Operator::add : Operator::subtract,
                   register_expression(index, sign), std::move(one), sign);
  }

  // What follows the register of an assignment.
  Expression assigned(int index) {
    const Token sign = scanner_.peek();
    if (sign.is("++") || sign.is("--")) return changed(index, scanner_.next());
    if (scanner_.accept("=")) return expression();
    if (sign.text.size() == 2 && sign.text[1] == '=') {
      if (const auto op = assignment_operator(sign.text.substr(0, 1))) {
        scanner_.next();
        return combine(*op, register_expression(index, sign), expression(), sign);
      }
    }
    refuse("'=', '+=' or '++'");
  }

  void branch(Statement& result) {
    const Token first = scanner_.next();
    result.kind = StatementKind::branch;
    scanner_.expect("(");
    result.expression = expression();
    scanner_.expect(")");
    finish(result, first);
    result.body = body();
    if (scanner_.accept("else")) result.otherwise = body();
  }

  void loop_body(Statement& result) {
    ++loops_;
    result.body = body();
    --loops_;
  }

  void while_loop(Statement& result) {
    const Token first = scanner_.next();
    result.kind = StatementKind::loop;
    scanner_.expect("(");
    result.expression = expression();
    scanner_.expect(")");
    const bool empty = scanner_.peek().is(";");
    if (!empty) finish(result, first);
    loop_body(result);
    if (empty) finish(result, first);
  }

  void do_loop(Statement& result) {
    const Token first = scanner_.next();
    result.kind = StatementKind::do_loop;
    loop_body(result);
    const Token last = scanner_.expect("while", "a do loop ends with 'while (...);'");
    scanner_.expect("(");
    result.expression = expression();
    scanner_.expect(")");
    scanner_.expect(";");
    finish(result, last);
    result.offset = first.offset;
  }

  // The first part of a for is a statement of its own, in a block around the loop.
  void for_loop(std::vector<Statement>& list) {
    const Token first = scanner_.next();
    const auto outside = registers_;
    Statement around, loop;
    loop.kind = StatementKind::loop;
    scanner_.expect("(");
    if (scanner_.peek().is("int") || scanner_.peek().is("bool")) {
      declaration(around.body);
    } else if (!scanner_.peek().is(";") && !simple(around.body)) {
      refuse("an assignment or ';'");
    }
    scanner_.expect(";");
    if (!scanner_.peek().is(";")) loop.expression = expression();
    scanner_.expect(";");
    if (!scanner_.peek().is(")") && !simple(loop.otherwise)) refuse("an assignment or ')'");
    scanner_.expect(")");
    finish(loop, first);
    loop_body(loop);
    registers_ = outside;
    around.offset = first.offset;
    around.body.push_back(std::move(loop));
    list.push_back(std::move(around));
  }

  struct Label {
    int index = 0;
    bool defined = false;
  };

  int label_index(const Token& name) {
    const auto [entry, is_new] =
        labels_.try_emplace(name.text, Label{static_cast<int>(block_.labels.size())});
    if (is_new) {
      limit(block_.labels.size(), kMaxLabels, "labels in a thread", name);
      block_.labels.emplace_back(name.text);
    }
    return entry->second.index;
  }

  void jump(Statement& result) {
    const Token first = scanner_.next();
    const Token name = scanner_.next();
    if (name.is("END")) {
      result.kind = StatementKind::return_;
      return end_of(result, first);
    }
    if (!name.is_identifier() || is_reserved(name)) {
      scanner_.fail(name, fmt::format("expected a label or END, found {}", shown(name)));
    }
    result.kind = StatementKind::jump;
    result.index = label_index(name);
    jumps_.push_back(name);
    end_of(result, first);
  }

  void label(Statement& result) {
    const Token name = scanner_.next();
    if (name.is("else")) scanner_.fail(name, "'else' without an if in front of it");
    if (is_reserved(name) || !scanner_.accept(":")) {
      scanner_.fail(name, fmt::format("expected a statement, found {}{}", shown(name),
                                      is_reserved(name) ? "" : ", which is declared nowhere"));
    }
    result.kind = StatementKind::label;
    result.index = label_index(name);
    Label& label = labels_.find(name.text)->second;
    if (label.defined) {
      scanner_.fail(name, fmt::format("label {} is defined twice in this block", shown(name)));
    }
    label.defined = true;
    finish(result, name);
  }

  // Expectations ------------------------------------------------------------------------------

  void expectations() {
    const Token keyword = scanner_.next();
    ExpectationBlock result;
    result.offset = keyword.offset;
    if (scanner_.accept("(")) {
      result.condition = constant_expression();
      scanner_.expect(")");
    }
    parse_expectations(scanner_, result.expectations, &result.error);
    syntax_.expectations.push_back(std::move(result));
  }

  Block block_;                                            // the one being read
  Token open_;                                             // the brace that was opened last
  std::map<std::string_view, Label, std::less<>> labels_;  // of the block
  std::vector<Token> jumps_;                               // labels that the block jumps to
  int statements_ = 0;                                     // of the block
  int loops_ = 0;
};

}  // namespace

bool begins_program(const Token& first) {
  return first.is("idiom") || first.is("N") || first.is("shared") || first.is("const") ||
         first.is("threads");
}

Syntax parse(Scanner& scanner, std::string_view text, const std::string& file) {
  return Parser(scanner, text, file).run();
}

}  // namespace headway::lang::idiom
