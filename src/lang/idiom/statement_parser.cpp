#include "lang/idiom/statement_parser.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace headway::lang::idiom {

using Kind = Expression::Kind;
using StatementKind = Statement::Kind;

Token StatementParser::new_name(const std::string& role) {
  const Token name = scanner_.next();
  if (!name.is_identifier() || is_reserved(name)) {
    scanner_.fail(name, fmt::format("expected the name of {}, found {}", role, shown(name)));
  }
  const bool known = find(syntax_.constants, name) >= 0 || find(syntax_.variables, name) >= 0 ||
                     find(syntax_.functions, name) >= 0 || registers_.count(name.text) > 0;
  if (known) scanner_.fail(name, fmt::format("{} is declared twice", shown(name)));
  return name;
}

// "int(0..N)" or "bool"
Range StatementParser::range() {
  Range result;
  result.wraps = begins("wrap", {"int", "bool"});
  if (result.wraps) scanner_.next();
  const Token type = scanner_.next();
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

void StatementParser::statements_of(Block& block) {
  block_ = std::move(block);
  open_ = scanner_.expect("{");
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
  dimensions_.clear();
  block = std::move(block_);
}

void StatementParser::function() {
  Function function;
  if (!scanner_.accept("void")) function.range = range();
  const Token name = new_name("a function");
  limit(syntax_.functions.size(), kMaxFunctions, "functions", name);
  if (function.range && function.range->wraps) {
    scanner_.fail(name, "what a function gives does not wrap; expected a type without 'wrap'");
  }
  function.name = name.text;
  scanner_.expect("(", "behind the name of a function come its parameters");
  while (!scanner_.peek().is(")")) {
    if (function.parameters > 0) scanner_.expect(",");
    const Range type = range();
    const Token parameter = new_name("a parameter");
    limit(function.parameters, kMaxRegisters, "registers in a thread", parameter);
    registers_.emplace(parameter.text, static_cast<int>(function.parameters++));
    dimensions_.push_back(0);
    function.block.registers.push_back(
        {std::string(parameter.text), type, {}, {}, parameter.offset});
  }
  scanner_.expect(")");
  function_ = name.text;
  gives_value_ = function.range.has_value();
  statements_of(function.block);
  function_ = {};
  syntax_.functions.push_back(std::move(function));
}

void StatementParser::assertions_of(Block& block) {
  scanner_.expect("{");
  at_once_ = true;
  has_thread_ = false;
  do {
    limit(block.body.size(), kMaxStatements, "statements", scanner_.peek());
    const Token first = scanner_.expect("assert", "a final block holds 'assert(...);' alone");
    Statement& statement = block.body.emplace_back();
    statement.kind = StatementKind::assertion;
    condition(statement);
    end_of(statement, first);
  } while (!scanner_.accept("}"));
  at_once_ = false;
  has_thread_ = true;
}

// Up to and with the closing brace. Registers declared in between are forgotten.
std::vector<Statement> StatementParser::statements() {
  const auto outside = registers_;
  std::vector<Statement> list;
  while (!scanner_.accept("}")) {
    const Token token = scanner_.peek();
    if (token.kind == Token::Kind::end || token.is("thread") || token.is("threads") ||
        token.is("expect") || token.is("shared")) {
      scanner_.fail(open_,
                    fmt::format("this '{{' does not end; expected '}}' before {}", shown(token)));
    }
    const bool declares = begins_declaration();
    const auto before = registers_;
    const auto loops = std::pair(loops_, breakable_);
    const int switches = switches_;
    const Token open = open_;
    try {
      statement(list);
    } catch (const Error& error) {
      // What is declared by a statement that is wrong is unknown further on.
      const std::string message = error.what();
      const bool follows = std::any_of(lost_.begin(), lost_.end(), [&](std::string_view name) {
        return message.find(fmt::format("'{}'", name)) != std::string::npos;
      });
      if (!follows) errors_.push_back(error);
      if (errors_.size() == kMaxErrors) throw SeveralErrors(std::exchange(errors_, {}));
      std::tie(loops_, breakable_) = loops;
      switches_ = switches;
      open_ = open;
      if (!declares) registers_ = before;
      if (!lacks_semicolon(error, scanner_.peek())) go_on(declares);
    }
  }
  registers_ = outside;
  return list;
}

// To the statement behind one that is wrong, with the blocks that it has begun.
void StatementParser::go_on(bool declares) {
  for (int depth = 0;;) {
    const Token token = scanner_.peek();
    if (token.kind == Token::Kind::end || token.is("thread") || token.is("threads") ||
        token.is("expect") || token.is("shared") || (depth == 0 && token.is("}"))) {
      return;
    }
    scanner_.next();
    if (declares && token.is_identifier() && !is_reserved(token)) lost_.push_back(token.text);
    if (token.is("{")) ++depth;
    if (token.is("}")) --depth;
    const bool over = token.is(";") || (token.is("}") && !scanner_.peek().is("else"));
    if (depth == 0 && over) return;
  }
}

std::vector<Statement> StatementParser::body() {
  std::vector<Statement> list;
  if (begins_declaration()) refuse("a statement or '{'");
  // A case belongs to a switch, and nothing else.
  const int switches = switches_;
  switches_ = 0;
  statement(list);
  switches_ = switches;
  return list;
}

void StatementParser::finish(Statement& statement, const Token& first) {
  statement.offset = first.offset;
  statement.source = {first.line, scanner_.excerpt(first.offset, scanner_.last_end())};
}

// Most statements are one entry of the list; a declaration is one a register.
void StatementParser::statement(std::vector<Statement>& list) {
  const Token first = scanner_.peek();
  if (++statements_ > kMaxStatements) {
    scanner_.fail(first, fmt::format("more than {} statements in a thread", kMaxStatements));
  }
  const Nesting nesting(*this, first);
  if (begins_declaration()) {
    declaration(list);
    scanner_.expect(";");
    return;
  }
  Statement result;
  if (scanner_.accept("{")) {
    const Token outer = open_;
    const int switches = switches_;
    open_ = first;
    switches_ = 0;
    result.body = statements();
    open_ = outer;
    switches_ = switches;
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
  } else if (keyword_statement(result)) {
    // complete
  } else if (simple(list)) {
    scanner_.expect(";");
    finish(list.back(), first);
    return;
  } else {
    label(result);
  }
  list.push_back(std::move(result));
}

// The statements that begin with a word of their own and hold no others.
bool StatementParser::keyword_statement(Statement& result) {
  const Token first = scanner_.peek();
  if (first.is("break") || first.is("continue")) {
    scanner_.next();
    if ((first.is("break") ? breakable_ : loops_) == 0) {
      scanner_.fail(first, fmt::format("{} stands in no loop", shown(first)));
    }
    result.kind = first.is("break") ? StatementKind::break_ : StatementKind::continue_;
    end_of(result, first);
  } else if (first.is("return")) {
    scanner_.next();
    result.kind = StatementKind::return_;
    if (!function_.empty() && gives_value_) result.expression = expression();
    end_of(result, first);
  } else if (first.is("goto")) {
    jump(result);
  } else if (first.is("assert") || (calls("assume") && find(syntax_.functions, first) < 0)) {
    scanner_.next();
    result.kind = first.is("assert") ? StatementKind::assertion : StatementKind::assumption;
    condition(result);
    end_of(result, first);
  } else if (calls("switch")) {
    switch_statement(result);
  } else if (switches_ > 0 && (first.is("case") || first.is("default"))) {
    case_label(result);
  } else if (calls("await")) {
    await(result);
  } else if (calls("barrier")) {
    barrier(result);
  } else if (calls("fence") && find(syntax_.functions, first) < 0) {
    fence(result);
  } else {
    return false;
  }
  return true;
}

void StatementParser::condition(Statement& statement) {
  scanner_.expect("(");
  statement.expression = expression();
  scanner_.expect(")");
  if (statement.kind == StatementKind::loop || statement.kind == StatementKind::do_loop) {
    check_loop_condition(*statement.expression);
  } else if (statement.kind != StatementKind::switch_) {
    check_condition(*statement.expression);
  }
}

// Cases stand in the outermost list of its body.
void StatementParser::switch_statement(Statement& result) {
  const Token first = scanner_.next();
  result.kind = StatementKind::switch_;
  condition(result);
  finish(result, first);
  const Token outer = open_;
  open_ = scanner_.expect("{");
  const int switches = switches_;
  switches_ = 1;
  ++breakable_;
  result.body = statements();
  --breakable_;
  switches_ = switches;
  open_ = outer;
  const auto defaults = std::count_if(
      result.body.begin(), result.body.end(),
      [](const Statement& statement) { return statement.kind == StatementKind::default_; });
  if (defaults > 1) scanner_.fail(first, "a switch with more than one default");
}

void StatementParser::case_label(Statement& result) {
  const Token first = scanner_.next();
  result.kind = first.is("case") ? StatementKind::case_ : StatementKind::default_;
  if (first.is("case")) result.expression = constant_expression();
  scanner_.expect(":");
  finish(result, first);
}

void StatementParser::end_of(Statement& statement, const Token& first) {
  scanner_.expect(";");
  finish(statement, first);
}

bool StatementParser::begins_declaration() const {
  return scanner_.peek().is("int") || scanner_.peek().is("bool") ||
         begins("wrap", {"int", "bool"}) || begins("private", {"int", "bool", "wrap"});
}

void StatementParser::declaration(std::vector<Statement>& list) {
  const Token first = scanner_.peek();
  if (begins("private", {"int", "bool", "wrap"})) scanner_.next();
  const Range type = range();
  do {
    const Token name = new_name("a register");
    limit(block_.registers.size(), kMaxRegisters, "registers in a thread", name);
    Statement result;
    result.index = static_cast<int>(block_.registers.size());
    Register declared{std::string(name.text), type, {}, {}, name.offset};
    const std::size_t dimensions = sizes(declared.size, declared.columns);
    result.sets_default = !scanner_.accept("=");
    if (dimensions > 0) {
      result.kind = StatementKind::fill;
      if (!result.sets_default) {
        result.listed = array_values(dimensions, kMaxRegisters, false, result.values);
      }
    } else {
      result.kind = StatementKind::assign;
      result.expression = result.sets_default ? Expression{} : expression();
      result.expression->offset = name.offset;
    }
    dimensions_.push_back(dimensions);
    block_.registers.push_back(std::move(declared));
    registers_.emplace(name.text, result.index);
    finish(result, first);
    result.offset = name.offset;
    result.source.text += ";";
    list.push_back(std::move(result));
  } while (scanner_.accept(","));
}

// An assignment or an access, without what ends it; false when there is neither.
bool StatementParser::simple(std::vector<Statement>& list) {
  const Token first = scanner_.peek();
  Statement result;
  const bool prefix = first.is("++") || first.is("--");
  const bool called =
      registers_.count(first.text) == 0 &&
      (find(syntax_.functions, first) >= 0 || (!function_.empty() && calls(function_)));
  const bool operates =
      registers_.count(first.text) == 0 && subgroup_operation(first) && calls(first.text);
  if (called || operates || access_kind(first) || begins("fair", {"weak_cas"})) {
    result.kind = StatementKind::evaluate;
    value_ignored_ = called;
    result.expression = expression();
    const bool fits = result.expression->kind == Kind::access ||
                      (called && result.expression->kind == Kind::call) ||
                      (operates && result.expression->kind == Kind::subgroup);
    if (!fits) {
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
    Expression target;
    target.kind = Kind::reg;
    target.index = found->second;
    target.offset = name.offset;
    target.operands = indices(dimensions_[target.index], name, true);
    result.kind = StatementKind::assign;
    result.index = target.index;
    result.expression = prefix ? changed(target, first) : assigned(target);
    result.indices = std::move(target.operands);
  }
  finish(result, first);
  list.push_back(std::move(result));
  return true;
}

// r++ and r--
Expression StatementParser::changed(const Expression& target, const Token& sign) const {
  Expression one, old = target;
  one.number = 1;
  old.offset = sign.offset;
  return combine(sign.is("++") ? Operator::add : Operator::subtract, std::move(old), std::move(one),
                 sign);
}

// What follows the register of an assignment.
Expression StatementParser::assigned(const Expression& target) {
  const Token sign = scanner_.peek();
  if (sign.is("++") || sign.is("--")) return changed(target, scanner_.next());
  if (scanner_.accept("=")) return expression();
  if (sign.text.size() == 2 && sign.text[1] == '=') {
    if (const auto op = assignment_operator(sign.text.substr(0, 1))) {
      scanner_.next();
      Expression old = target;
      old.offset = sign.offset;
      return combine(*op, std::move(old), expression(), sign);
    }
  }
  refuse("'=', '+=' or '++'");
}

void StatementParser::branch(Statement& result) {
  const Token first = scanner_.next();
  result.kind = StatementKind::branch;
  condition(result);
  finish(result, first);
  result.body = body();
  if (scanner_.accept("else")) result.otherwise = body();
}

void StatementParser::loop_body(Statement& result) {
  ++loops_;
  ++breakable_;
  result.body = body();
  --breakable_;
  --loops_;
}

void StatementParser::while_loop(Statement& result) {
  const Token first = scanner_.next();
  result.kind = StatementKind::loop;
  condition(result);
  const bool empty = scanner_.peek().is(";");
  if (!empty) finish(result, first);
  loop_body(result);
  if (empty) finish(result, first);
}

void StatementParser::do_loop(Statement& result) {
  const Token first = scanner_.next();
  result.kind = StatementKind::do_loop;
  loop_body(result);
  const Token last = scanner_.expect("while", "a do loop ends with 'while (...);'");
  condition(result);
  scanner_.expect(";");
  finish(result, last);
  result.offset = first.offset;
}

// The first part of a for is a statement of its own, in a block around the loop.
void StatementParser::for_loop(std::vector<Statement>& list) {
  const Token first = scanner_.next();
  const auto outside = registers_;
  Statement around, loop;
  loop.kind = StatementKind::loop;
  scanner_.expect("(");
  if (begins_declaration()) {
    declaration(around.body);
  } else if (!scanner_.peek().is(";") && !simple(around.body)) {
    refuse("an assignment or ';'");
  }
  scanner_.expect(";");
  if (!scanner_.peek().is(";")) {
    loop.expression = expression();
    check_loop_condition(*loop.expression);
  }
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

int StatementParser::label_index(const Token& name) {
  const auto [entry, is_new] =
      labels_.try_emplace(name.text, Label{static_cast<int>(block_.labels.size())});
  if (is_new) {
    limit(block_.labels.size(), kMaxLabels, "labels in a thread", name);
    block_.labels.emplace_back(name.text);
  }
  return entry->second.index;
}

void StatementParser::jump(Statement& result) {
  const Token first = scanner_.next();
  const Token name = scanner_.next();
  if (name.is("END")) {
    if (!function_.empty()) {
      scanner_.fail(name, "END is the end of a thread; expected 'return' in a function");
    }
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

void StatementParser::label(Statement& result) {
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

}  // namespace headway::lang::idiom
