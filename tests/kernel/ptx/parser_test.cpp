// PTX as text: what is read of it, and what is said of a text that is none.
#include "kernel/ptx/parser.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "support/errors.hpp"

using namespace headway::kernel;
using namespace headway::kernel::ptx;
using headway::testing::contains;

namespace {

std::string error_of(std::string_view text) {
  try {
    parse(text, "a.ptx", {{"%0", Type::integer(32)}});
  } catch (const headway::Error& error) {
    return error.diagnostic();
  }
  return "none";
}

}  // namespace

TEST_CASE("kernel/ptx/parser: an instruction is its words and its operands") {
  const Text text = parse("  ld.global.L1::no_allocate.v2.b32 {%0, _}, [%1+-4]; // all of it\n", "",
                          {{"%0", Type::integer(32)}, {"%1", Type::integer(64)}});
  REQUIRE(text.statements.size() == 1);
  const Statement& load = text.statements.front();
  CHECK(load.instruction() == "ld.global.L1::no_allocate.v2.b32");
  CHECK(load.line == 1);
  REQUIRE(load.operands.size() == 2);
  CHECK(load.operands[0].kind == Operand::Kind::vector);
  REQUIRE(load.operands[0].parts.size() == 2);
  CHECK(load.operands[0].parts[0].number == 0);
  CHECK(load.operands[0].parts[1].kind == Operand::Kind::sink);
  CHECK(load.operands[1].kind == Operand::Kind::address);
  CHECK(load.operands[1].parts[0].number == 1);
  CHECK(load.operands[1].bits == static_cast<std::uint64_t>(-4));
}

TEST_CASE("kernel/ptx/parser: registers belong to the braces that they are declared in") {
  const Text text = parse(
      "{ .reg .pred p; .reg .b32 r<3>, s;\n"
      "  setp.eq.u32 p|_, r2, s;\n"
      "  { .reg .f64 r2; mov.f64 r2, 0d3FF0000000000000; }\n"
      "  @!p mov.u32 r2, %tid.x; }",
      "");
  REQUIRE(text.registers.size() == 6);
  CHECK(text.registers[0].type == Type::integer(1));
  CHECK(text.registers[3].name == "r2");
  CHECK(text.registers[5].type == Type::real(64));
  REQUIRE(text.statements.size() == 3);
  CHECK(text.statements[0].operands[0].kind == Operand::Kind::pair);
  CHECK(text.statements[0].operands[1].number == 3);
  CHECK(text.statements[1].operands[0].number == 5);
  CHECK(text.statements[1].operands[1].kind == Operand::Kind::real);
  CHECK(text.statements[2].line == 4);
  REQUIRE(text.statements[2].guard);
  CHECK(text.statements[2].guard->negated);
  CHECK(text.statements[2].operands[0].number == 3);
  CHECK(text.statements[2].operands[1].kind == Operand::Kind::special);
  CHECK(text.statements[2].operands[1].name == "%tid.x");
}

TEST_CASE("kernel/ptx/parser: a label is looked for from the inside out, and may come later") {
  const Text text = parse("A: { bra A; bra B; A: bra A; } bra A; B: bra C;", "");
  std::vector<std::uint32_t> to;
  for (const Statement& one : text.statements) {
    if (one.label) continue;
    CHECK(one.operands[0].kind ==
          (one.operands[0].name == "C" ? Operand::Kind::name : Operand::Kind::label));
    to.push_back(one.operands[0].number);
  }
  REQUIRE(text.labels == std::vector<std::string>{"A", "A", "B"});
  CHECK(to == std::vector<std::uint32_t>{1, 2, 1, 0, 0});
}

TEST_CASE("kernel/ptx/parser: numbers are decimal, hexadecimal, octal, binary or reals") {
  const auto bits = [](const std::string& number) {
    return parse("mov.b32 a, " + number + ";", "", {{"a", Type::integer(32)}})
        .statements[0]
        .operands[1]
        .bits;
  };
  CHECK(bits("12") == 12);
  CHECK(bits("-1") == ~std::uint64_t{0});
  CHECK(bits("0x1fU") == 31);
  CHECK(bits("017") == 15);
  CHECK(bits("0b101") == 5);
  CHECK(bits("0f3F800000") == 0x3f800000);
  CHECK(bits("-0f3F800000") == 0xbf800000);
  CHECK(bits("0d3FF0000000000000") == 0x3ff0000000000000);
  CHECK(bits("1.5") == 0x3ff8000000000000);
  CHECK(bits("25e-1") == 0x4004000000000000);
}

TEST_CASE("kernel/ptx/parser: what is no PTX is said with its line and what was expected") {
  const std::pair<const char*, const char*> rows[] = {
      {"mov.u32 %0, 1;\nmov.u32 %0 1;",
       "a.ptx:2: expected ',' or ';' behind an operand of "
       "'mov.u32', found '1'"},
      {"membar.gl", "a.ptx:1: expected an operand, found the end"},
      {"{ exit;", "a.ptx:1: braces that are not closed; expected '}'"},
      {"exit; }", "a.ptx:1: '}' without a brace that it closes"},
      {"/* no end", "a.ptx:1: a comment that does not end; expected '*/'"},
      {"\n\n.shared .b32 x;", "a.ptx:3: the directive '.shared' is not modelled"},
      {".reg .q32 x;", "a.ptx:1: expected a type of registers, as .b32 or .pred, found '.q32'"},
      {".reg .b32 x<99999999>;", "a.ptx:1: expected how many registers there are, up to 65536"},
      {".reg .b32 x; .reg .b32 x;", "a.ptx:1: two registers 'x'"},
      {"L: L: exit;", "a.ptx:1: two labels 'L'"},
      {"@%0 exit;", "a.ptx:1: expected a predicate behind '@', found '%0'"},
      {"mov.u32 %0, !%0;", "a.ptx:1: expected a predicate behind '!', found '%0'"},
      {"mov.u32 %0, 08;", "a.ptx:1: a number that cannot be read: '08'"},
      {"mov.f32 %0, 0f3F8;", "a.ptx:1: a number that cannot be read: '0f3F8'"},
      {"ld.u32 %0, [%0;", "a.ptx:1: expected '+' or ']' in an address, found ';'"},
      {"ld.u32 %0, [%0+x];", "a.ptx:1: expected a number behind '+' in an address"},
      {"ld.v2.u32 {%0;", "a.ptx:1: expected ',' or '}' in a vector, found ';'"},
      {"ld.u32 %0, ?;", "a.ptx:1: '?' begins nothing of PTX"},
      {"\"x\"", "a.ptx:1: expected an instruction, found 'x'"},
      {"\"x", "a.ptx:1: a text that does not end on its line"}};
  for (const auto& row : rows) {
    const std::string error = error_of(row.first);
    INFO(std::string(row.first));
    INFO(error);
    CHECK(contains(error, row.second));
  }
  CHECK(error_of("; ; // nothing\n /* here \n */ {}") == "none");
}

TEST_CASE("kernel/ptx/parser: braces within braces have an end") {
  CHECK(contains(error_of(std::string(100, '{')), "more than 64 braces within each other"));
  CHECK(error_of(std::string(63, '{') + std::string(63, '}')) == "none");
}
