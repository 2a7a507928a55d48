#include "kernel/ptx/body_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/ptx/declarations.hpp"
#include "kernel/ptx/literal.hpp"
#include "kernel/ptx/syntax.hpp"

namespace headway::kernel::ptx {

BodyParser::BodyParser(Lexer& lexer, std::vector<Register> before)
    : lexer_(lexer), is_of_module_(false) {
  scopes_.emplace_back();
  for (Register& one : before) declare(std::move(one), lexer_.peek());
}

BodyParser::BodyParser(Lexer& lexer, std::vector<Variable> variables)
    : lexer_(lexer), is_of_module_(true) {
  scopes_.emplace_back();
  for (Variable& one : variables) declare(std::move(one), lexer_.peek());
}

Text BodyParser::parse_all() {
  while (lexer_.peek().kind != Token::Kind::end) {
    if (scopes_.size() == 1 && lexer_.peek().is("}")) {
      lexer_.fail(lexer_.peek(), "'}' without a brace that it closes");
    }
    statement();
  }
  if (scopes_.size() > 1) lexer_.fail(lexer_.peek(), "braces that are not closed; expected '}'");
  close_scope();
  return std::move(result_);
}

Text BodyParser::parse_function() {
  while (scopes_.size() > 1 || !lexer_.peek().is("}")) {
    if (lexer_.peek().kind == Token::Kind::end) {
      lexer_.fail(lexer_.peek(), "the file ends within a function; expected '}'");
    }
    statement();
  }
  lexer_.next();
  close_scope();
  return std::move(result_);
}

void BodyParser::statement() {
  const Token first = lexer_.peek();
  if (lexer_.accept(";")) return;
  if (lexer_.accept("{")) {
    if (scopes_.size() >= static_cast<std::size_t>(kMostBraces)) {
      lexer_.fail(first, fmt::format("more than {} braces within each other", kMostBraces));
    }
    scopes_.emplace_back();
    return;
  }
  if (lexer_.accept("}")) return close_scope();
  if (first.kind == Token::Kind::dotted) return directive(lexer_.next());
  Statement made;
  made.line = first.line;
  made.source = source_;
  if (lexer_.accept("@")) made.guard = guard();
  const Token name = lexer_.next();
  if (name.kind != Token::Kind::word) {
    lexer_.fail(name, fmt::format("expected an instruction, found {}", name.shown()));
  }
  if (!made.guard && lexer_.accept(":")) return label(name);
  made.words.emplace_back(name.text);
  while (lexer_.peek().kind == Token::Kind::dotted) {
    made.words.emplace_back(lexer_.next().text.substr(1));
  }
  operands(made);
  result_.statements.push_back(std::move(made));
}

void BodyParser::operands(Statement& made) {
  if (!lexer_.accept(";")) {
    do {
      made.operands.push_back(operand(made.operands.size()));
    } while (lexer_.accept(","));
    if (!lexer_.accept(";")) {
      lexer_.fail(lexer_.peek(),
                  fmt::format("expected ',' or ';' behind an operand of '{}', found {}",
                              made.instruction(), lexer_.peek().shown()));
    }
  }
  for (const std::size_t number : std::exchange(names_, {})) {
    scopes_.back().wanted.push_back({result_.statements.size(), number});
  }
}

Guard BodyParser::guard() {
  Guard made;
  made.negated = lexer_.accept("!");
  const Token name = lexer_.next();
  const auto found = find(name.text);
  if (!found || result_.registers[*found].type.bits != 1) {
    lexer_.fail(name, fmt::format("expected a predicate behind '@', found {}", name.shown()));
  }
  made.reg = *found;
  return made;
}

void BodyParser::label(const Token& name) {
  const auto number = static_cast<std::uint32_t>(result_.labels.size());
  if (!scopes_.back().labels.emplace(std::string(name.text), number).second) {
    lexer_.fail(name, fmt::format("two labels {}", name.shown()));
  }
  result_.labels.emplace_back(name.text);
  Statement made;
  made.line = name.line;
  made.source = source_;
  made.label = number;
  result_.statements.push_back(std::move(made));
}

void BodyParser::directive(const Token& name) {
  if (name.text == ".reg") return registers();
  if (!is_of_module_) {
    lexer_.fail(name, fmt::format("the directive {} is not modelled; expected '.reg' or an "
                                  "instruction",
                                  name.shown()));
  }
  if (name.text == ".loc") return location();
  if (name.text == ".pragma") return skip_pragma(lexer_);
  // Lists for calls and jumps by numbers, which are refused where they stand.
  for (const char* list : {".callprototype", ".calltargets", ".branchtargets"}) {
    if (name.text == list) return skip_list();
  }
  if (!begins_variables(name.text)) {
    lexer_.fail(name, fmt::format("the directive {} is not modelled; expected one of registers or "
                                  "variables, '.loc', '.pragma' or an instruction",
                                  name.shown()));
  }
  for (Variable& one : parse_variables(lexer_, name)) declare(std::move(one), name);
}

void BodyParser::skip_list() {
  while (!lexer_.accept(";")) {
    if (lexer_.peek().kind == Token::Kind::end) {
      lexer_.fail(lexer_.peek(), "the file ends within a directive; expected ';'");
    }
    lexer_.next();
  }
}

// ".loc 1 12 3", with ", function_name $L__info_string0, inlined_at 1 20 5" behind it: that line is
// of a function whose call stands at the other one, which may have come there by a call, too.
void BodyParser::location() {
  constexpr std::uint64_t most = 0x7fffffff;
  const auto read = [&] {
    Location made;
    made.file = static_cast<int>(take_integer(lexer_, "the number of a file", 0, most));
    made.line = static_cast<int>(take_integer(lexer_, "a line", 0, most));
    made.column = static_cast<int>(take_integer(lexer_, "a column", 0, most));
    return made;
  };
  const Location made = read();
  std::optional<Location> caller;
  while (lexer_.accept(",")) {
    const Token what = lexer_.next();
    if (what.is("function_name")) {
      lexer_.next();
      if (lexer_.accept("+")) take_integer(lexer_, "a place in a section", 0, most);
    } else if (what.is("inlined_at")) {
      caller = read();
    } else {
      lexer_.fail(what,
                  fmt::format("expected 'function_name' or 'inlined_at', found {}", what.shown()));
    }
  }
  // Line 0 is of code that a compiler adds: it belongs to what is around it.
  if (made.line == 0) return;
  callers_.erase(made);
  if (caller) callers_[made] = *caller;
  source_ = in_own_file(made);
}

// The line in the file that the function itself is in: of what is inlined from elsewhere, that of
// the call.
Location BodyParser::in_own_file(const Location& inner) const {
  std::vector<Location> way = {inner};
  for (auto next = callers_.find(inner); next != callers_.end();
       next = callers_.find(next->second)) {
    way.push_back(next->second);
    if (way.size() > callers_.size() + 1) return inner;  // a circle
  }
  const int own = way.back().file;
  return *std::ranges::find_if(way, [&](const Location& one) { return one.file == own; });
}

// ".reg .b32 r<4>, s;"
void BodyParser::registers() {
  const Token word = lexer_.next();
  const auto type =
      word.kind == Token::Kind::dotted ? type_named(word.text.substr(1)) : std::optional<Type>();
  if (!type) {
    lexer_.fail(word, fmt::format("expected a type of registers, as .b32 or .pred, found {}",
                                  word.shown()));
  }
  do {
    const Token one = lexer_.next();
    if (one.kind != Token::Kind::word) {
      lexer_.fail(one, fmt::format("expected the name of a register, found {}", one.shown()));
    }
    if (!lexer_.accept("<")) {
      declare(Register{std::string(one.text), *type}, one);
      continue;
    }
    const Token count = lexer_.next();
    const auto many =
        count.kind == Token::Kind::number ? integer_of(count.text) : std::optional<std::uint64_t>();
    if (!many || *many > kMostRegisters || !lexer_.accept(">")) {
      lexer_.fail(count, fmt::format("expected how many registers there are, up to {}, and '>'",
                                     kMostRegisters));
    }
    for (std::uint64_t i = 0; i < *many; ++i) {
      declare(Register{fmt::format("{}{}", one.text, i), *type}, one);
    }
  } while (lexer_.accept(","));
  if (!lexer_.accept(";")) {
    lexer_.fail(lexer_.peek(), fmt::format("expected ',' or ';' behind a register, found {}",
                                           lexer_.peek().shown()));
  }
}

void BodyParser::declare(Register made, const Token& at) {
  if (result_.registers.size() >= kMostRegisters) {
    lexer_.fail(at, fmt::format("more than {} registers", kMostRegisters));
  }
  const auto number = static_cast<std::uint32_t>(result_.registers.size());
  if (!scopes_.back().registers.emplace(made.name, number).second) {
    lexer_.fail(at, fmt::format("two registers '{}'", made.name));
  }
  result_.registers.push_back(std::move(made));
}

void BodyParser::declare(Variable made, const Token& at) {
  const auto number = static_cast<std::uint32_t>(result_.variables.size());
  if (!scopes_.back().variables.emplace(made.name, number).second) {
    lexer_.fail(at, fmt::format("two variables '{}'", made.name));
  }
  result_.variables.push_back(std::move(made));
}

std::optional<std::uint32_t> BodyParser::find(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->registers.find(name);
    if (found != scope->registers.end()) return found->second;
  }
  return {};
}

std::optional<std::uint32_t> BodyParser::find_variable(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->variables.find(name);
    if (found != scope->variables.end()) return found->second;
  }
  return {};
}

// Labels that are here are what was wanted; the others may be further out.
void BodyParser::close_scope() {
  const Braces closed = std::move(scopes_.back());
  scopes_.pop_back();
  for (const Wanted& one : closed.wanted) {
    Operand& operand = result_.statements[one.statement].operands[one.operand];
    const auto found = closed.labels.find(operand.name);
    if (found != closed.labels.end()) {
      operand.kind = Operand::Kind::label;
      operand.number = found->second;
    } else if (!scopes_.empty()) {
      scopes_.back().wanted.push_back(one);
    }
  }
}

Operand BodyParser::operand(std::size_t number) {
  if (lexer_.accept("(")) return list(number);
  Operand made = simple(number);
  const bool is_place = made.kind == Operand::Kind::name || made.kind == Operand::Kind::variable;
  if (is_of_module_ && is_place && lexer_.accept("+")) {
    made.bits = take_integer(lexer_, "a number of bytes", 0, ~std::uint64_t{0});
  }
  if (!lexer_.accept("|")) return made;
  Operand both;
  both.kind = Operand::Kind::pair;
  both.parts.push_back(std::move(made));
  both.parts.push_back(simple(number));
  return both;
}

Operand BodyParser::simple(std::size_t number) {
  const Token first = lexer_.next();
  if (first.is("[")) return address(number);
  if (first.is("{")) return vector(number);
  if (first.is("!")) return negated();
  if (first.is("-")) return literal(lexer_, lexer_.next(), true);
  if (first.kind == Token::Kind::number) return literal(lexer_, first, false);
  if (first.kind != Token::Kind::word) {
    lexer_.fail(first, fmt::format("expected an operand, found {}", first.shown()));
  }
  return named(first, number);
}

Operand BodyParser::negated() {
  const Token name = lexer_.next();
  const auto found = find(name.text);
  if (!found || result_.registers[*found].type.bits != 1) {
    lexer_.fail(name, fmt::format("expected a predicate behind '!', found {}", name.shown()));
  }
  Operand made;
  made.kind = Operand::Kind::reg;
  made.number = *found;
  made.negated = true;
  return made;
}

Operand BodyParser::vector(std::size_t number) {
  Operand made;
  made.kind = Operand::Kind::vector;
  do {
    if (lexer_.peek().is("{") || lexer_.peek().is("[")) {
      lexer_.fail(lexer_.peek(), "expected a register in a vector");
    }
    made.parts.push_back(simple(number));
  } while (lexer_.accept(","));
  if (!lexer_.accept("}")) {
    lexer_.fail(lexer_.peek(),
                fmt::format("expected ',' or '}}' in a vector, found {}", lexer_.peek().shown()));
  }
  return made;
}

// Behind '(': what a call takes or gives.
Operand BodyParser::list(std::size_t number) {
  Operand made;
  made.kind = Operand::Kind::list;
  if (lexer_.accept(")")) return made;
  do {
    if (lexer_.peek().is("{") || lexer_.peek().is("[")) {
      lexer_.fail(lexer_.peek(), "expected a name in a list");
    }
    made.parts.push_back(simple(number));
  } while (lexer_.accept(","));
  if (!lexer_.accept(")")) {
    lexer_.fail(lexer_.peek(),
                fmt::format("expected ',' or ')' in a list, found {}", lexer_.peek().shown()));
  }
  return made;
}

Operand BodyParser::named(const Token& first, std::size_t number) {
  Operand made;
  made.name = std::string(first.text);
  if (first.text == "_") {
    made.kind = Operand::Kind::sink;
  } else if (const auto found = find(first.text)) {
    made.kind = Operand::Kind::reg;
    made.number = *found;
  } else if (const auto variable = find_variable(first.text)) {
    made.kind = Operand::Kind::variable;
    made.number = *variable;
  } else if (first.text.starts_with('%') || first.text == "WARP_SZ") {
    made.kind = Operand::Kind::special;
    if (lexer_.peek().kind == Token::Kind::dotted) made.name += lexer_.next().text;
  } else {
    made.kind = Operand::Kind::name;
    names_.push_back(number);
  }
  return made;
}

// Behind '['. What stands behind a comma there is kept, for who knows it.
Operand BodyParser::address(std::size_t number) {
  Operand made;
  made.kind = Operand::Kind::address;
  made.parts.push_back(simple(number));
  for (;;) {
    const bool adds = lexer_.accept("+");
    if (!adds && !lexer_.peek().is("-")) break;
    const Operand by = simple(number);
    if (by.kind == Operand::Kind::integer) {
      made.bits += by.bits;
    } else if (by.kind == Operand::Kind::reg && made.parts.size() == 1) {
      made.parts.push_back(by);
    } else {
      lexer_.fail(lexer_.peek(), "expected a number behind '+' in an address");
    }
  }
  // Of a texture: where in it.
  if (is_of_module_ && lexer_.accept(",")) {
    made.kind = Operand::Kind::list;
    made.parts.push_back(simple(number));
  }
  if (!lexer_.accept("]")) {
    lexer_.fail(lexer_.peek(),
                fmt::format("expected '+' or ']' in an address, found {}", lexer_.peek().shown()));
  }
  return made;
}

}  // namespace headway::kernel::ptx
