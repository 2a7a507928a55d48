// Litmus files in herd's format: what is read, and what is refused with its place.
#include "consistency/litmus/parse.hpp"

#include <doctest/doctest.h>

#include "support/errors.hpp"

using namespace headway;
using consistency::Program;
using consistency::litmus::is_litmus;
using consistency::litmus::parse;

namespace {

std::string complaint(const std::string& text) {
  return testing::complaint_of([&] { parse("f", text); });
}

constexpr const char* kPtx =
    "PTX name\n\"what it is\nabout\"\n{\nx=3; P1:r1=2;\n}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
    " st.weak x, 1 | ld.weak r0, x ;\nexists (P1:r0 == 1 /\\ 1:r1 = 2)\n";

}  // namespace

TEST_CASE("consistency/litmus/parse: a test of PTX has places, tags, registers and a condition") {
  REQUIRE(is_litmus(kPtx));
  const Program program = parse("f", kPtx);
  CHECK(program.name == "name");
  CHECK(program.comment == "what it is\nabout");
  REQUIRE(program.threads.size() == 2);
  CHECK(program.threads[1].place == std::vector<int>{0, 1});
  CHECK(program.locations[0].initial == 3);
  CHECK(program.threads[1].registers == std::vector<std::string>{"r0", "r1"});
  CHECK(program.threads[1].initial == std::vector<consistency::Number>{0, 2});
  CHECK(program.threads[0].code[0].tags == consistency::Tags{"WEAK", "GEN"});
  CHECK(program.condition_text == "exists (P1:r0 == 1 /\\ 1:r1 = 2)");
}

TEST_CASE("consistency/litmus/parse: what stands in a comment ends no cell") {
  const std::string head = "PTX t\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n";
  const std::string rest = " | ld.weak r0, x ;\nexists (1:r0=1)";
  for (const char* cell : {" st.weak x, 1 (* a | b; *)", " st.weak x, 1 /* | */", " /* ; */",
                           " st.weak x, 1 // to the end | of the line ;\n"}) {
    const Program program = parse("f", head + cell + rest);
    INFO(std::string(cell));
    REQUIRE(program.threads.size() == 2);
    CHECK(program.threads[1].code.size() == 1);
  }
  CHECK(complaint(head + " st.weak x, 1 // | ld.weak r0, x ;\nexists (x=1)") ==
        "4:2: expected '|' or ';' behind each cell, found 'st'");
}

TEST_CASE("consistency/litmus/parse: what is no litmus test is told from one") {
  CHECK_FALSE(is_litmus("locations x;"));
  CHECK_FALSE(is_litmus("litmus C"));
  CHECK_FALSE(is_litmus(""));
  CHECK_FALSE(is_litmus("C"));
  CHECK(is_litmus("(* a comment *)\nC MP\n{}\n"));
}

TEST_CASE("consistency/litmus/parse: what is wrong or not read is refused with its place") {
  CHECK(complaint("C t\n{ x = ; }\n") == "2:7: expected a number, found ';'");
  CHECK(complaint("C t\n{}\nP1 (int* x) {}\nexists (x=1)") == "3:1: expected 'P0', found 'P1'");
  CHECK(complaint("C t\n{}\nP0 (int* x) { x = 1; }\nexists (x=1)") ==
        "3:15: 'x' is a pointer; expected '*x'");
  CHECK(complaint("C t\n{}\nP0 (int* x) { *x = a; }\nexists (x=1)") ==
        "3:20: nothing is called 'a' here");
  CHECK(complaint("C t\n{}\nP0 (int* x) { for (;;) {} }\nexists (x=1)") ==
        "3:15: 'for' is not read here; expected an operation of <stdatomic.h>");
  CHECK(complaint("C t\n{}\nP0 (int* x) { *x = 1; }\nexists (y=1)") ==
        "4:9: there is no location 'y'");
  CHECK(complaint("C t\n{}\nP0 (int* x) { *x = 1; }\nexists (1:r=1)") ==
        "4:9: there is no such thread");
  CHECK(complaint("C t\n{}\nP0 (int* x) { *x = 1; \n") == "4:1: expected '}', found the end");
  CHECK(complaint("PTX t\n{ x=0; }\n P0@cta 0,gpu 0 ;\n ld.relaxed r0, x ;\nexists (0:r0=1)") ==
        "4:2: expected an order and a scope, as in 'relaxed.gpu'");
  CHECK(complaint("PTX t\n{ x=0; }\n P0@cta 0,gpu 0 ;\n mbarrier.init x ;\nexists (x=1)") ==
        "4:2: 'mbarrier.init' is not read here; expected ld, st, atom, red, fence, bar.cta.sync, "
        "mov, add, sub, mul, goto or a branch, beq to bge");
  CHECK(complaint("PTX t\n{ x=0; }\n P0@cta 0,gpu 0 ;\n goto L ;\nexists (x=1)") ==
        "4:7: there is no label 'L'");
  CHECK(complaint("PTX t\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n st.weak x, 1 ;\n") ==
        "4:15: expected 2 cells in this row, found 1");
}
