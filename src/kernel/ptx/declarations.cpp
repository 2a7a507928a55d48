#include "kernel/ptx/declarations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/ptx/literal.hpp"
#include "kernel/ptx/syntax.hpp"

namespace headway::kernel::ptx {
namespace {

constexpr std::uint64_t kMostAlign = 1024;
constexpr std::uint64_t kAddressBytes = 8;

void expect(Lexer& lexer, std::string_view what, std::string_view where) {
  if (lexer.accept(what)) return;
  lexer.fail(lexer.peek(),
             fmt::format("expected '{}' {}, found {}", what, where, lexer.peek().shown()));
}

std::optional<Space> space_named(std::string_view word) {
  if (word == ".shared") return Space::workgroup;
  if (word == ".global") return Space::global;
  if (word == ".const") return Space::constant;
  if (word == ".local") return Space::local;
  return {};
}

// What stands between the space and the names: alignment and type, in any order.
Variable parse_type(Lexer& lexer) {
  Variable made;
  std::optional<Type> type;
  std::uint64_t parts = 1, align = 0;
  while (lexer.peek().kind == Token::Kind::dotted) {
    const Token word = lexer.next();
    if (word.text == ".align") {
      align = take_integer(lexer, "an alignment", 1, kMostAlign);
      if (!std::has_single_bit(align)) lexer.fail(word, "expected an alignment of a power of two");
    } else if (word.text == ".ptr") {
      // Where a parameter points to: it is seen from how it is used. The alignment is that of what
      // it points to.
      if (lexer.peek().kind == Token::Kind::dotted && space_named(lexer.peek().text)) lexer.next();
      if (lexer.accept(".align")) take_integer(lexer, "an alignment", 1, kMostAlign);
    } else if (word.text == ".attribute") {
      expect(lexer, "(", "behind '.attribute'");
      expect(lexer, ".managed", "behind '.attribute('");
      expect(lexer, ")", "behind '.managed'");
    } else if (word.text == ".v2" || word.text == ".v4") {
      parts = word.text == ".v2" ? 2 : 4;
    } else if (const auto named = type_named(word.text.substr(1)); named && named->bits > 1) {
      type = named;
    } else {
      lexer.fail(word, fmt::format("variables of {} are not modelled; expected a type, as .b32",
                                   word.shown()));
    }
  }
  if (!type) {
    lexer.fail(lexer.peek(),
               fmt::format("expected the type of a variable, found {}", lexer.peek().shown()));
  }
  made.type = *type;
  made.elements = parts;
  const std::uint64_t natural = parts * static_cast<std::uint64_t>(type->bytes());
  made.align = static_cast<int>(align > 0 ? align : natural);
  return made;
}

class Initializer {
 public:
  Initializer(Lexer& lexer, Variable& of) : lexer_(lexer), of_(of) {
    of_.initial.resize(of_.bytes());
  }

  void parse() {
    if (!lexer_.accept("{")) return element();
    do {
      if (lexer_.peek().is("{")) {
        lexer_.fail(lexer_.peek(), "braces within an initializer are not modelled");
      }
      element();
    } while (lexer_.accept(","));
    expect(lexer_, "}", "at the end of an initializer");
  }

 private:
  void element() {
    const Token first = lexer_.next();
    const auto bytes = static_cast<std::uint64_t>(of_.type.bytes());
    if (at_ + bytes > of_.initial.size()) {
      lexer_.fail(
          first, fmt::format("more than the {} bytes that '{}' has", of_.initial.size(), of_.name));
    }
    if (first.kind == Token::Kind::word) return place(first);
    const bool negative = first.is("-");
    const Operand value = literal(lexer_, negative ? lexer_.next() : first, negative);
    std::uint64_t bits = value.bits;
    if (value.kind == Operand::Kind::real && of_.type.bits == 32) {
      bits = from_double(std::bit_cast<double>(bits), 32);
    } else if (of_.type.is_real() == (value.kind == Operand::Kind::integer)) {
      lexer_.fail(first, fmt::format("expected {}, found {}",
                                     of_.type.is_real() ? "a real" : "an integer", first.shown()));
    }
    for (std::uint64_t i = 0; i < bytes; ++i) {
      of_.initial[at_ + i] = static_cast<std::uint8_t>(bits >> (8 * i));
    }
    at_ += bytes;
  }

  // An address, as "name", "name+4" or "generic(name)".
  void place(const Token& first) {
    if (static_cast<std::uint64_t>(of_.type.bytes()) != kAddressBytes) {
      lexer_.fail(first, "an address in less than 64 bits is not modelled");
    }
    Token name = first;
    const bool generic = first.is("generic");
    if (generic) {
      expect(lexer_, "(", "behind 'generic'");
      name = lexer_.next();
      expect(lexer_, ")", "behind a name");
    }
    Variable::Address made;
    made.at = at_;
    made.name = std::string(name.text);
    if (lexer_.accept("+")) {
      made.offset = take_integer(lexer_, "a number of bytes", 0, kMostBytes);
    }
    of_.addresses.push_back(std::move(made));
    at_ += kAddressBytes;
  }

  Lexer& lexer_;
  Variable& of_;
  std::uint64_t at_ = 0;
};

Variable declarator(Lexer& lexer, Variable made) {
  const Token name = lexer.next();
  if (name.kind != Token::Kind::word) {
    lexer.fail(name, fmt::format("expected the name of a variable, found {}", name.shown()));
  }
  made.name = std::string(name.text);
  made.line = name.line;
  while (lexer.accept("[")) {
    made.is_array = true;
    if (lexer.accept("]")) {
      made.elements = 0;
      continue;
    }
    const std::uint64_t count = take_integer(lexer, "how many elements there are, ", 0, kMostBytes);
    made.elements = std::min(made.elements * count, 2 * kMostBytes);
    expect(lexer, "]", "behind a number of elements");
  }
  if (made.bytes() > kMostBytes) lexer.fail(name, "a variable above 1 GiB");
  return made;
}

}  // namespace

bool begins_variables(std::string_view word) { return word == ".param" || space_named(word); }

std::vector<Variable> parse_variables(Lexer& lexer, const Token& space, bool is_external) {
  std::vector<Variable> all;
  Variable common = parse_type(lexer);
  common.space = space_named(space.text);
  common.is_external = is_external;
  do {
    all.push_back(declarator(lexer, common));
    if (lexer.accept("=")) Initializer(lexer, all.back()).parse();
  } while (lexer.accept(","));
  expect(lexer, ";", "behind a variable");
  return all;
}

Variable parse_parameter(Lexer& lexer) {
  expect(lexer, ".param", "of a parameter");
  return declarator(lexer, parse_type(lexer));
}

void skip_pragma(Lexer& lexer) {
  do {
    const Token text = lexer.next();
    if (text.kind != Token::Kind::quoted) {
      lexer.fail(text, fmt::format("expected a text behind '.pragma', found {}", text.shown()));
    }
  } while (lexer.accept(","));
  expect(lexer, ";", "behind '.pragma'");
}

}  // namespace headway::kernel::ptx
