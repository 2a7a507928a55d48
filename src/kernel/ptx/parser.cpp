#include "kernel/ptx/parser.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <functional>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/text/names.hpp"
#include "kernel/ptx/lexer.hpp"

namespace headway::kernel::ptx {
namespace {

constexpr auto kNoNumber =
    "a number that cannot be read: '{}'; expected one like 12, 0x1f or 0f3F800000";

class Parser {
 public:
  Parser(std::string_view text, const std::string& file, std::vector<Register> before)
      : lexer_(text, file) {
    scopes_.emplace_back();
    for (Register& one : before) declare(std::move(one), lexer_.peek());
  }

  Text parse() {
    while (lexer_.peek().kind != Token::Kind::end) statement();
    if (scopes_.size() > 1) {
      lexer_.fail(lexer_.peek(), "braces that are not closed; expected '}'");
    }
    close_scope();
    return std::move(result_);
  }

 private:
  // Names between two braces, and the operands that name labels which may yet come.
  struct Wanted {
    std::size_t statement, operand;
  };
  struct Braces {
    std::map<std::string, std::uint32_t, std::less<>> registers, labels;
    std::vector<Wanted> wanted;
  };

  void statement() {
    const Token first = lexer_.peek();
    if (lexer_.accept(";")) return;
    if (lexer_.accept("{")) {
      if (scopes_.size() >= static_cast<std::size_t>(kMostBraces)) {
        lexer_.fail(first, fmt::format("more than {} braces within each other", kMostBraces));
      }
      scopes_.emplace_back();
      return;
    }
    if (lexer_.accept("}")) {
      if (scopes_.size() == 1) lexer_.fail(first, "'}' without a brace that it closes");
      return close_scope();
    }
    if (first.kind == Token::Kind::dotted) return directive(lexer_.next());
    Statement made;
    made.line = first.line;
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

  void operands(Statement& made) {
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

  Guard guard() {
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

  void label(const Token& name) {
    const auto number = static_cast<std::uint32_t>(result_.labels.size());
    if (!scopes_.back().labels.emplace(std::string(name.text), number).second) {
      lexer_.fail(name, fmt::format("two labels {}", name.shown()));
    }
    result_.labels.emplace_back(name.text);
    Statement made;
    made.line = name.line;
    made.label = number;
    result_.statements.push_back(std::move(made));
  }

  // ".reg .b32 r<4>, s;" is the one that there is in assembly.
  void directive(const Token& name) {
    if (name.text != ".reg") {
      lexer_.fail(name, fmt::format("the directive {} is not modelled; expected '.reg' or an "
                                    "instruction",
                                    name.shown()));
    }
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
        declare({std::string(one.text), *type}, one);
        continue;
      }
      const Token count = lexer_.next();
      const auto many =
          count.kind == Token::Kind::number ? integer(count.text) : std::optional<std::uint64_t>();
      if (!many || *many > kMostRegisters || !lexer_.accept(">")) {
        lexer_.fail(count, fmt::format("expected how many registers there are, up to {}, and '>'",
                                       kMostRegisters));
      }
      for (std::uint64_t i = 0; i < *many; ++i) {
        declare({fmt::format("{}{}", one.text, i), *type}, one);
      }
    } while (lexer_.accept(","));
    if (!lexer_.accept(";")) {
      lexer_.fail(lexer_.peek(), fmt::format("expected ',' or ';' behind a register, found {}",
                                             lexer_.peek().shown()));
    }
  }

  void declare(Register made, const Token& at) {
    if (result_.registers.size() >= kMostRegisters) {
      lexer_.fail(at, fmt::format("more than {} registers", kMostRegisters));
    }
    const auto number = static_cast<std::uint32_t>(result_.registers.size());
    if (!scopes_.back().registers.emplace(made.name, number).second) {
      lexer_.fail(at, fmt::format("two registers '{}'", made.name));
    }
    result_.registers.push_back(std::move(made));
  }

  std::optional<std::uint32_t> find(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const auto found = scope->registers.find(name);
      if (found != scope->registers.end()) return found->second;
    }
    return {};
  }

  // Labels that are here are what was wanted; the others may be further out.
  void close_scope() {
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

  Operand operand(std::size_t number) {
    Operand made = simple(number);
    if (!lexer_.accept("|")) return made;
    Operand both;
    both.kind = Operand::Kind::pair;
    both.parts.push_back(std::move(made));
    both.parts.push_back(simple(number));
    return both;
  }

  Operand simple(std::size_t number) {
    const Token first = lexer_.next();
    if (first.is("[")) return address(number);
    if (first.is("{")) {
      Operand made;
      made.kind = Operand::Kind::vector;
      do {
        if (lexer_.peek().is("{") || lexer_.peek().is("[")) {
          lexer_.fail(lexer_.peek(), "expected a register in a vector");
        }
        made.parts.push_back(simple(number));
      } while (lexer_.accept(","));
      if (!lexer_.accept("}")) {
        lexer_.fail(lexer_.peek(), fmt::format("expected ',' or '}}' in a vector, found {}",
                                               lexer_.peek().shown()));
      }
      return made;
    }
    if (first.is("!")) {
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
    if (first.is("-")) return literal(lexer_.next(), true);
    if (first.kind == Token::Kind::number) return literal(first, false);
    if (first.kind != Token::Kind::word) {
      lexer_.fail(first, fmt::format("expected an operand, found {}", first.shown()));
    }
    return named(first, number);
  }

  Operand named(const Token& first, std::size_t number) {
    Operand made;
    made.name = std::string(first.text);
    if (first.text == "_") {
      made.kind = Operand::Kind::sink;
    } else if (const auto found = find(first.text)) {
      made.kind = Operand::Kind::reg;
      made.number = *found;
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
  Operand address(std::size_t number) {
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
    if (!lexer_.accept("]")) {
      lexer_.fail(lexer_.peek(), fmt::format("expected '+' or ']' in an address, found {}",
                                             lexer_.peek().shown()));
    }
    return made;
  }

  Operand literal(const Token& token, bool negative) {
    Operand made;
    const std::string_view text = token.text;
    const auto bad = [&] { lexer_.fail(token, fmt::format(kNoNumber, printable(text))); };
    if (token.kind != Token::Kind::number) bad();
    const bool is_single = text.starts_with("0f") || text.starts_with("0F");
    if (is_single || text.starts_with("0d") || text.starts_with("0D")) {
      made.kind = is_single ? Operand::Kind::single : Operand::Kind::real;
      const auto bits = digits(text.substr(2), 16);
      if (!bits || text.size() != (is_single ? 10U : 18U)) bad();
      made.bits = *bits ^ (negative ? std::uint64_t{1} << (is_single ? 31 : 63) : 0);
      return made;
    }
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    if (!is_hex && text.find_first_of(".eE") != std::string_view::npos) {
      double value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc() || end != text.data() + text.size()) bad();
      made.kind = Operand::Kind::real;
      made.bits = std::bit_cast<std::uint64_t>(negative ? -value : value);
      return made;
    }
    const auto value = integer(text);
    if (!value) bad();
    made.bits = negative ? 0 - *value : *value;
    return made;
  }

  static std::optional<std::uint64_t> digits(std::string_view text, int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
    return value;
  }
  static std::optional<std::uint64_t> integer(std::string_view text) {
    if (text.ends_with('U')) text.remove_suffix(1);
    if (text.starts_with("0x") || text.starts_with("0X")) return digits(text.substr(2), 16);
    if (text.starts_with("0b") || text.starts_with("0B")) return digits(text.substr(2), 2);
    if (text.size() > 1 && text.front() == '0') return digits(text.substr(1), 8);
    return digits(text, 10);
  }

  Lexer lexer_;
  Text result_;
  std::vector<Braces> scopes_;
  std::vector<std::size_t> names_;  // of the operands of the statement at hand
};

}  // namespace

std::string Statement::instruction() const { return fmt::format("{}", fmt::join(words, ".")); }

std::optional<Type> type_named(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, Type>, 15> table = {
      {{"pred", Type::integer(1)},
       {"b8", Type::integer(8)},
       {"b16", Type::integer(16)},
       {"b32", Type::integer(32)},
       {"b64", Type::integer(64)},
       {"u8", Type::integer(8)},
       {"u16", Type::integer(16)},
       {"u32", Type::integer(32)},
       {"u64", Type::integer(64)},
       {"s8", Type::integer(8)},
       {"s16", Type::integer(16)},
       {"s32", Type::integer(32)},
       {"s64", Type::integer(64)},
       {"f32", Type::real(32)},
       {"f64", Type::real(64)}}};
  for (const auto& [name, type] : table) {
    if (name == word) return type;
  }
  return {};
}

Text parse(std::string_view text, const std::string& file, std::vector<Register> before) {
  return Parser(text, file, std::move(before)).parse();
}

}  // namespace headway::kernel::ptx
