// The texts of the idiom language: what is accepted, and what is said about what is not.
#include <doctest/doctest.h>

#include "lang/axb/source.hpp"
#include "lang/idiom/source.hpp"
#include "languages/languages.hpp"
#include "support/errors.hpp"

using namespace headway;
using lang::Sizes;
using lang::Test;
using testing::complaint_of;
using testing::contains;
using testing::error_of;

namespace {

std::vector<Test> parse(const std::string& text, const std::optional<Sizes>& sizes = {}) {
  return lang::parse_all(text, "f", sizes);
}

const lang::Language& language_of(std::string_view text) {
  return lang::standard_languages().of(Scanner(text, "f").peek());
}

// "line:column: message" of the one error in a text.
std::string complaint(const std::string& text, const std::optional<Sizes>& sizes = {}) {
  return complaint_of([&] { parse(text, sizes); });
}

// The same for a statement of thread 0, whose column counts from 1.
std::string in_thread(const std::string& statement) {
  return complaint("shared int(0..3) x, a[2];\nthread 0 {\n" + statement + "\n}\n");
}

}  // namespace

TEST_CASE("lang/idiom/parser: the first word tells the language") {
  for (const char* text :
       {"idiom a thread 0 { }", "N = 2; threads { }", "shared bool x; thread 0 {}",
        "const A = 1; thread 0 { }", "threads 0..1 { }"}) {
    CAPTURE(text);
    CHECK(&language_of(text) == &lang::idiom::language());
    CHECK(lang::idiom::find_code(parse(text).front()));
    CHECK(lang::axb::find_code(parse(text).front()) == nullptr);
  }
  CHECK(&language_of("locations m;") == &lang::axb::language());
}

TEST_CASE("lang/idiom/parser: a family has a test for every size, named after it") {
  const std::string text =
      "// One.\n// Two.\nidiom spin\nN = 2..4;\nshared bool x;\nthreads { load(x); }\n";
  const std::vector<Test> tests = parse(text);
  REQUIRE(tests.size() == 3);
  CHECK(tests[0].name == "spin-2");
  CHECK(tests[2].name == "spin-4");
  CHECK(tests[2].thread_count() == 4);
  CHECK(tests[2].instruction_count() == 4);
  CHECK(tests[2].comment == std::vector<std::string>{" One.", " Two."});
  CHECK(parse(text, Sizes{6, 7}).front().name == "spin-6");
  CHECK(parse("idiom fixed threads 0..2 { }").front().name == "fixed");
  CHECK(parse("idiom fixed threads 0..2 { }").front().thread_count() == 3);
  CHECK(contains(complaint("threads 0..2 { }", Sizes{4, 5}), "has 3 threads and no other size"));
  CHECK(contains(error_of([&] { lang::parse(text, "f"); })->what(), "--threads 2"));
}

TEST_CASE("lang/idiom/parser: what is printed is the member of the family and nothing else") {
  const std::string text =
      "idiom spin\nN = 2..4;  // sizes\nshared bool x;\nthreads { load(x); }\n";
  for (const Test& test : parse(text)) {
    const std::string printed = lang::print(test);
    const Test again = lang::parse(printed, "printed");
    CHECK(again == test);
    CHECK(again.name == test.name);
    CHECK(lang::print(again) == printed);
  }
}

TEST_CASE("lang/idiom/parser: expectations hold for the sizes they name") {
  const std::string text =
      "idiom e N = 2..3; shared bool x; threads { load(x); }\n"
      "expect { pass OBE:weak; } expect (N >= 3) { fail HSA; } expect (N == 2) { pass HSA; }";
  const std::vector<Test> tests = parse(text);
  REQUIRE(tests[0].expectations.size() == 2);
  CHECK(tests[0].expectations[1].passes);
  REQUIRE(tests[1].expectations.size() == 2);
  CHECK(!tests[1].expectations[1].passes);
  CHECK(parse("threads 0..0 { } expect { error; }").front().expects_error);
  CHECK(contains(complaint("threads 0..0 { } expect { pass OBE; } expect { fail OBE; }"),
                 "a second expectation for model 'OBE' where N = 1"));
  CHECK(
      contains(complaint("threads 0..0 { } expect { error; pass OBE; }"), "an error is expected"));
}

TEST_CASE("lang/idiom/parser: declarations that are wrong are told with their place") {
  CHECK(complaint("shared int x; thread 0 { }") ==
        "1:12: expected '(', found 'x': an int says which values it holds, 'int(0..N)'");
  CHECK(complaint("shared int(3..1) x; thread 0 { }") ==
        "1:15: the highest value is 1 where N = 1; expected 3 to 60003");
  CHECK(complaint("shared int(1..2) x; thread 0 { }") ==
        "1:18: x holds 1 to 2 and so cannot start at 0; expected 'x = ...'");
  CHECK(complaint("shared bool x = 2; thread 0 { }") ==
        "1:17: the initial value of x is 2 where N = 1; expected 0 to 1");
  CHECK(complaint("shared bool x[2] = {1}; thread 0 { }") ==
        "1:13: x has 2 elements, and 1 values are listed");
  CHECK(complaint("shared bool x[0]; thread 0 { }") ==
        "1:15: the size of x is 0 where N = 1; expected 1 to 250");
  CHECK(complaint("shared bool x, x; thread 0 { }") == "1:16: 'x' is declared twice");
  CHECK(complaint("shared bool N; thread 0 { }") ==
        "1:13: expected the name of a shared variable, found 'N'");
  CHECK(complaint("const A = 1 / 0; thread 0 { }") == "1:13: a division by zero, where N = 1");
  CHECK(complaint("const A = tid; thread 0 { }") ==
        "1:11: expected a number, a constant or N, found 'tid'");
  CHECK(complaint("shared bool x;") ==
        "1:15: expected 'N = 2..4;', 'const K = 3;', 'shared int(0..N) x;' or 'threads {', found "
        "the end of the file");
  CHECK(complaint("N = 4..2; threads { }") ==
        "1:8: number of threads '2' is out of range; expected 4 to 64");
}

TEST_CASE("lang/idiom/parser: every thread has one program") {
  CHECK(complaint("N = 3; thread 0 { } threads 2..N-1 { }") ==
        "1:8: thread 1 has no program where N = 3");
  CHECK(complaint("N = 2..3; threads 0..1 { } threads 1..N-1 { }") ==
        "1:28: thread 1 has two programs where N = 2");
  CHECK(complaint("N = 2; threads { } thread 2 { }") ==
        "1:20: this block is for thread 2, where N = 2; expected threads from 0 to 1");
  CHECK(complaint("threads { }") ==
        "1:1: how many threads there are is said nowhere; expected 'N = 2..4;' in front of the "
        "declarations");
  CHECK(parse("N = 2; thread 0 { } thread 1 { } threads 2..N-1 { }").size() == 1);
}

TEST_CASE("lang/idiom/parser: statements that are wrong are told with their place") {
  CHECK(in_thread("x = 1;") ==
        "3:1: 'x' is shared; expected 'store(x, value);' or another access, each of which is a "
        "step");
  CHECK(in_thread("if (x == 1) return;") ==
        "3:5: 'x' is shared; expected 'load(x)' or another access, each of which is a step");
  CHECK(in_thread("y = 1;") == "3:1: expected a statement, found 'y', which is declared nowhere");
  CHECK(in_thread("int(0..1) r = y;") ==
        "3:15: unknown name 'y'; expected a register declared in front of it, a constant, an "
        "access such as 'load(x)', N or tid");
  CHECK(in_thread("int(1..2) r;") ==
        "3:11: register 'r' holds 1 to 2 and so cannot start at 0; expected 'r = ...'");
  CHECK(in_thread("load(x) + 1;") ==
        "3:1: the value of this expression is not used; expected a statement that is one access, "
        "an assignment or an assert");
  CHECK(in_thread("load(a);") == "3:7: expected '[', found ')': a is an array");
  CHECK(in_thread("load(x[1]);") == "3:7: 'x' is not an array");
  CHECK(in_thread("load(x, 1);") ==
        "3:9: expected an order (plain, relaxed, acquire, release, acq_rel, seq_cst) or a scope "
        "behind it (subgroup, workgroup, device, system), found '1'");
  CHECK(in_thread("cas(x, 1);") ==
        "3:9: expected ',', found ')': cas takes the old value and the new one");
  CHECK(in_thread("store(y, 1);") == "3:7: expected the name of a shared variable, found 'y'");
  CHECK(in_thread("break;") == "3:1: 'break' stands in no loop");
  CHECK(in_thread("goto L;") ==
        "3:6: unknown label 'L'; expected END or a label of this thread block");
  CHECK(in_thread("L: L: ;") == "3:4: label 'L' is defined twice in this block");
  CHECK(in_thread("do load(x);") ==
        "4:1: expected 'while', found '}': a do loop ends with 'while (...);'");
  CHECK(in_thread("assert(1 ? load(x) : 0);") ==
        "3:12: an access behind '?' or ':'; expected an if statement");
  CHECK(in_thread("else ;") == "3:1: 'else' without an if in front of it");
  CHECK(in_thread("{ { load(x);") ==
        "3:1: this '{' does not end; expected '}' before the end of the file");
  CHECK(in_thread("if (1) int(0..1) r;") == "3:8: expected a statement or '{', found 'int'");
  CHECK(in_thread("{ int(0..1) r; } r = 1;") ==
        "3:18: expected a statement, found 'r', which is declared nowhere");
  CHECK(in_thread("int(0..1) r; int(0..1) r;") == "3:24: 'r' is declared twice");
}

TEST_CASE("lang/idiom/parser: deep and long texts end in a message") {
  const auto times = [](int count, const std::string& text) {
    std::string result;
    for (int i = 0; i < count; ++i) result += text;
    return result;
  };
  CHECK(contains(in_thread("assert(" + times(5000, "(") + "1"), "levels inside each other"));
  CHECK(contains(in_thread("assert(" + times(5000, "!") + "1);"), "levels inside each other"));
  CHECK(contains(in_thread("assert(1" + times(5000, " + 1") + ");"), "more than 64 operators"));
  CHECK(contains(in_thread(times(5000, "if (1) ") + ";"), "levels inside each other"));
  CHECK(contains(in_thread(times(5000, "load(x);")), "more than 1000 statements"));
  CHECK(contains(in_thread(times(100, "{int(0..1) r;}")), "more than 32 registers"));
  CHECK(contains(complaint("shared bool x[251]; thread 0 { }"), "expected 1 to 250"));
  CHECK(contains(complaint("shared bool x[250], y; thread 0 { }"), "more than 250 shared cells"));
}

TEST_CASE("lang/idiom/parser: programs are equal by their key whatever their names are") {
  const auto key = [](const std::string& text) {
    return lang::idiom::code_key(*lang::idiom::find_code(parse(text).front()));
  };
  const std::string text =
      "shared int(0..2) x; thread 0 { int(0..1) r = load(x); assert(r != 1); }";
  CHECK(key(text) ==
        key("idiom n shared int(0..2) y;\nthread 0 { int(0..1) s = load(y); assert(s != 1); }"));
  CHECK(key(text) !=
        key("shared int(0..2) x; thread 0 { int(0..1) r = load(x); assert(r != 0); }"));
  CHECK(key(text) !=
        key("shared int(0..3) x; thread 0 { int(0..1) r = load(x); assert(r != 1); }"));
}
