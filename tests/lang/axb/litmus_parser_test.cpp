// Headway's own format, docs/reference/litmus-format.md.
#include <doctest/doctest.h>

#include "lang/axb/printer.hpp"
#include "languages/languages.hpp"
#include "support/axb.hpp"
#include "support/errors.hpp"
#include "support/refusals.hpp"
#include "support/texts.hpp"

using namespace headway::lang;
using namespace headway::lang::axb;
using headway::Error;
using headway::kMaxThreads;
using headway::testing::axb_code;
using headway::testing::contains;
using headway::testing::error_of;
using headway::testing::expect_refusals;
using headway::testing::Refusal;
using headway::testing::repeated;

namespace {

// The instructions of a thread of `statements` over m, f and g = 2.
std::vector<Instruction> instructions_of(const std::string& statements) {
  return axb_code(parse("locations m, f, g = 2; thread 0 {" + statements + "}", "f"))
      .threads.at(0)
      .instructions;
}

using Instructions = std::vector<Instruction>;

// Statements of a thread that are refused. Its first statement stands at 2:1.
void expect_refused_statements(std::vector<Refusal> refusals) {
  for (Refusal& refusal : refusals) {
    refusal.text = "locations m, f; thread 0 {\n" + refusal.text + "\n}\n";
  }
  expect_refusals(refusals);
}

// Parses `text`, a long one: a parser that is not linear would not end in the time a test has.
std::optional<Error> quick_error_of(const std::string& text) {
  const auto error = error_of([&] { parse(text, "f"); });
  return error;
}

constexpr int kTenMillion = 10'000'000;

}  // namespace

// What is read --------------------------------------------------------------------------------

TEST_CASE("lang/axb/litmus_parser: every statement is the AXB it stands for") {
  CHECK(instructions_of("m = 1;") == Instructions{{0, 0, 1, true, 1}});
  CHECK(instructions_of("Store(f, 3);") == Instructions{{1, 0, 1, true, 3}});
  CHECK(instructions_of("Exch(f, 3);") == Instructions{{1, 0, 1, true, 3}});
  CHECK(instructions_of("while (Load(m) == 2);") == Instructions{{0, 2, 0, false, 0}});
  CHECK(instructions_of("while (Exch(m, 1) == 2);") == Instructions{{0, 2, 0, true, 1}});
  CHECK(instructions_of("if (Load(m) == 2) goto END;") == Instructions{{0, 2, 1, false, 0}});
  CHECK(instructions_of("if (Exch(m, 1) == 2) goto END;") == Instructions{{0, 2, 1, true, 1}});
  CHECK(instructions_of("AXB(g, 1, 0, true, 3);") == Instructions{{2, 1, 0, true, 3}});
  CHECK(instructions_of("AXB(g, 1, END, false, -);") == Instructions{{2, 1, 1, false, 0}});
  // What is not exchanged has no value.
  CHECK(instructions_of("AXB(g, 1, 0, false, 3);") == Instructions{{2, 1, 0, false, 0}});
}

TEST_CASE("lang/axb/litmus_parser: a loop jumps to itself wherever it stands") {
  CHECK(instructions_of("m = 1; m = 0; while (Load(f) == 0);").at(2) ==
        Instruction{1, 0, 2, false, 0});
}

TEST_CASE(
    "lang/axb/litmus_parser: labels lead back and on and to the next statement and to the end") {
  const Instructions code = instructions_of(
      "A: B: m = 1;"
      "if (Load(m) == 0) goto A;"
      "if (Load(m) == 0) goto B;"
      "if (Load(m) == 0) goto NEXT;"
      "NEXT: if (Load(m) == 0) goto LAST;"
      "if (Load(m) == 0) goto END;"
      "AXB(m, 0, B, false, -);"
      "AXB(m, 0, LAST, true, 1);"
      "m: f = 1;"  // labels and locations have names of their own
      "if (Load(m) == 0) goto m;"
      "LAST:");
  const int targets[] = {1, 0, 0, 4, 10, 10, 0, 10, 9, 8};
  REQUIRE(code.size() == 10);
  for (std::size_t i = 0; i < code.size(); ++i) CHECK(code[i].jump == targets[i]);
}

TEST_CASE("lang/axb/litmus_parser: each thread has labels of its own") {
  const Test test = parse(
      "locations m; thread 0 { m = 1; L: while (Load(m) == 0); if (Load(m) == 1) goto L; }"
      "thread 1 { L: if (Load(m) == 1) goto L; }",
      "f");
  CHECK(axb_code(test).threads[0].instructions[2].jump == 1);
  CHECK(axb_code(test).threads[1].instructions[0].jump == 0);
}

TEST_CASE("lang/axb/litmus_parser: raw targets are indices up to the length") {
  const Instructions code = instructions_of("AXB(m, 0, 2, false, -); AXB(m, 0, 1, false, -);");
  CHECK(code[0].jump == 2);
  CHECK(code[1].jump == 1);
}

TEST_CASE("lang/axb/litmus_parser: declarations") {
  const Test test = parse(
      "litmus two-locks.v1+x_2\nvalues 7;\nlocations m, lock_2 = 5,\n _f = 0;\n"
      "thread 0 { m = 1; }",
      "f");
  CHECK(test.name == "two-locks.v1+x_2");
  CHECK(axb_code(test).values == 7);
  CHECK(axb_code(test).locations == std::vector<Location>{{"m", 0}, {"lock_2", 5}, {"_f", 0}});
  CHECK(parse("litmus \"two words; // {\" locations m; thread 0 { m = 1; }", "f").name ==
        "two words; // {");
  // Only what stands where a keyword is expected is one.
  CHECK(parse("litmus litmus locations m; thread 0 { m = 1; }", "f").name == "litmus");
  CHECK(parse("litmus 7 locations m; thread 0 { m = 1; }", "f").name == "7");
  CHECK(parse("locations m; thread 0 { m = 1; }", "f").name.empty());
}

TEST_CASE("lang/axb/litmus_parser: without a declaration values cover what is used") {
  const auto values = [](const std::string& initial, const std::string& statement) {
    return axb_code(parse("locations m = " + initial + "; thread 0 {" + statement + "}", "f"))
        .values;
  };
  CHECK(values("0", "m = 0;") == 2);
  CHECK(values("0", "m = 1;") == 2);
  CHECK(values("4", "m = 1;") == 5);
  CHECK(values("0", "m = 2;") == 3);
  CHECK(values("0", "while (Load(m) == 3);") == 4);
  CHECK(values("0", "while (Exch(m, 255) == 3);") == 256);
}

TEST_CASE("lang/axb/litmus_parser: expectations are about a model under one fairness or both") {
  const Test test = parse(
      "locations m;\nthread 0 { m = 1; }\nexpect {\n"
      "  pass HSA+OBE, OBE-k( k = 3 ):weak, fair :strong;\n"
      "  fail unfair, fair:weak, m.2(a=-1,b=07);\n"
      "  pass x;\n}\n",
      "f");
  std::string read;
  for (const Expectation& expectation : test.expectations) {
    read += (expectation.passes ? "+" : "-") + expectation.model;
    if (expectation.fairness) read += ":" + to_string(*expectation.fairness);
    read += " ";
  }
  CHECK(read == "+HSA+OBE +OBE-k(k=3):weak +fair:strong -unfair -fair:weak -m.2(a=-1,b=7) +x ");
  CHECK(test.expectations[0].where.to_string() == "f:4:8");
  CHECK(test.expectations[1].where.to_string() == "f:4:17");
  CHECK(test.expectations[1].source_line == "  pass HSA+OBE, OBE-k( k = 3 ):weak, fair :strong;");
  CHECK(test.expectations[3].where.to_string() == "f:5:8");
  CHECK(parse("locations m; thread 0 { m = 1; } expect { }", "f").expectations.empty());
}

TEST_CASE("lang/axb/litmus_parser: statements remember how and where they were written") {
  const Test test = parse(
      "locations m;\nthread 0 {\n  A: m = 1; m  =  0;\n  if (Load(m) /* ? */ == 0)\n    goto A;\n}",
      "f");
  const auto& sources = axb_code(test).threads[0].sources;
  REQUIRE(sources.size() == 3);
  CHECK(sources[0].line == 3);
  CHECK(sources[0].text == "m = 1;");
  CHECK(sources[1].text == "m = 0;");
  CHECK(sources[2].line == 4);
  CHECK(sources[2].text == "if (Load(m) == 0) goto A;");
}

TEST_CASE("lang/axb/litmus_parser: the leading line comments are the comment of the test") {
  const std::string rest = "locations m; // no\nthread 0 { /* no */ m = 1; } // no\n";
  CHECK(parse("// one\n//two \n\n//\n" + rest, "f").comment ==
        std::vector<std::string>{" one", "two", ""});
  CHECK(parse("/* block */ " + rest, "f").comment.empty());
  CHECK(parse("litmus a // late\n" + rest, "f").comment.empty());
}

TEST_CASE("lang/axb/litmus_parser: line ends and a byte order mark make no difference") {
  const std::string text =
      "// comment\nlitmus a\nlocations m;\n\nthread 0 {\n  A: m = 1;\n"
      "  if (Load(m) == 0) goto A; // why\n}\nexpect {\n  pass OBE;\n}\n";
  std::string crlf;
  for (char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const Test test = parse(text, "f");
  CHECK(parse(crlf, "f") == test);
  CHECK(parse("\xef\xbb\xbf" + crlf, "f") == test);
  CHECK(axb_code(parse(crlf, "f")).threads[0].sources[1].line == 7);
  CHECK(axb_code(parse(crlf, "f")).threads[0].sources[1].text ==
        axb_code(test).threads[0].sources[1].text);
}

TEST_CASE("lang/axb/litmus_parser: the limits themselves are allowed") {
  std::string text = "values 256; locations m";
  for (int l = 1; l < kMaxLocations; ++l) text += ", x" + std::to_string(l) + " = 255";
  text += ";";
  for (int t = 0; t < kMaxThreads; ++t) {
    text += "thread " + std::to_string(t) + " {" + repeated(kMaxInstructions - 1, "x63 = 255;") +
            "AXB(m, 255, 250, true, 255);}";
  }
  text += "expect { pass m0";
  for (std::size_t e = 1; e < kMaxExpectations; ++e) text += ", m" + std::to_string(e);
  text += "; }";
  const Test test = parse(text, "f");
  CHECK(test.thread_count() == kMaxThreads);
  CHECK(test.instruction_count() == kMaxThreads * kMaxInstructions);
  CHECK(axb_code(test).locations.size() == kMaxLocations);
  CHECK(axb_code(test).values == kMaxValues);
  CHECK(test.expectations.size() == kMaxExpectations);
  CHECK(axb_code(test).threads[31].instructions[249] == Instruction{0, 255, 250, true, 255});
  CHECK(axb_code(parse("values 2; locations m; thread 0 { m = 1; }", "f")).values == 2);
}

// What is refused -----------------------------------------------------------------------------

TEST_CASE("lang/axb/litmus_parser: declarations that are refused") {
  std::string locations = "locations m0";
  for (int l = 1; l <= kMaxLocations; ++l) locations += ",\nm" + std::to_string(l);
  expect_refusals({
      {"hello", "1:1", "expected 'locations', found 'hello': a test starts with"},
      {"{\"test\": 1}", "1:1", "this looks like tests as JSON lines"},
      {"#include <stdio.h>\n", "1:1", "this looks like C, C++ or GLSL"},
      {"@compute @workgroup_size(4)\nfn main() {}", "1:1",
       "this looks like a shader in WGSL, which has to be a file whose name ends in .wgsl"},
      {"litmus\n", "2:1", "expected a name for the test, found the end of the file"},
      {"litmus \"\" locations m;", "1:8", "expected a name for the test"},
      {"litmus ; locations m;", "1:8", "expected a name for the test, found ';'"},
      {"litmus a b", "1:10", "expected 'locations', found 'b'"},
      {"litmus a\nthread 0 { }", "2:1", "the locations come before the threads"},
      {"litmus \"a\nb\"", "1:8", "a quoted text that does not end on its line"},
      {"values 1; locations m;", "1:8", "number of values '1' is out of range; expected 2 to 256"},
      {"values 257; locations m;", "1:8", "number of values '257' is out of range"},
      {"values x; locations m;", "1:8", "expected number of values, a number from 2 to 256"},
      {"values 3 locations m;", "1:9", "expected ';', found 'locations'"},
      {"locations ;", "1:11", "expected the name of a location, found ';'"},
      {"locations 1m;", "1:11", "expected the name of a location, found '1m'"},
      {"locations \"m\";", "1:11", "expected the name of a location"},
      {"locations m, while;", "1:14", "expected the name of a location, found 'while'"},
      {"locations m, END;", "1:14", "expected the name of a location, found 'END'"},
      {"locations m,\n  f,\n  m;", "3:3", "location 'm' is declared twice"},
      {"locations m f;", "1:12", "expected ';', found 'f'"},
      {"locations m = 256;", "1:15", "value '256' is out of range; expected 0 to 255"},
      {"values 3;\nlocations m = 3;", "2:15", "value '3' is out of range; expected 0 to 2"},
      {"locations m = x;", "1:15", "expected value, a number from 0 to 255, found 'x'"},
      {locations + ";", "65:1", "more than 64 locations"},
      {"locations m;\n", "2:1", "expected 'thread 0 {', found the end of the file"},
      {"locations m;\nexpect { pass fair; }", "2:1", "a test has at least one thread"},
      {"locations m; # comment", "1:14", "expected 'thread 0 {', found '#'"},
  });
}

TEST_CASE("lang/axb/litmus_parser: threads that are refused") {
  std::string threads = "locations m;";
  for (int t = 0; t <= kMaxThreads; ++t) {
    threads += "\nthread " + std::to_string(t) + " { m = 1; }";
  }
  const std::string heading = "locations m;\n";
  expect_refusals({
      {heading + "thread 0 { }", "2:1", "thread 0 is empty; expected a statement"},
      {heading + "thread 0 { L: }", "2:1", "thread 0 is empty"},
      {heading + "thread 0 { m = 1; }\nthread 1 { }", "3:1", "thread 1 is empty"},
      {heading + "thread 1 { m = 1; }", "2:8", "expected '0', found '1': threads are numbered"},
      {heading + "thread 0 { m = 1; }\nthread 0 { m = 1; }", "3:8", "expected '1', found '0'"},
      {heading + "thread { m = 1; }", "2:8", "expected '0', found '{'"},
      {heading + "thread 0 m = 1;", "2:10", "expected '{', found 'm'"},
      {heading + "thread 0 {\nm = 1;\n", "2:10", "the block of thread 0 does not end"},
      {heading + "thread 0 { m = 1;\nthread 1 { m = 1; }", "2:10", "before 'thread'"},
      {heading + "thread 0 { m = 1;\nexpect { }", "2:10", "before 'expect'"},
      {heading + "thread 0 { m = 1; } }", "2:21", "expected 'thread 1 {', 'expect {' or the end"},
      {heading + "thread 0 { m = 1; }\nm = 1;", "3:1", "found 'm'"},
      {heading + "thread 0 { m = 1; }\nexpect { }\nthread 1 { m = 1; }", "4:1", "found 'thread'"},
      {heading + "thread 0 {\n" + repeated(kMaxInstructions + 1, "m = 1;\n") + "}", "253:1",
       "more than 250 instructions in a thread"},
      {threads, "66:1", "more than 64 threads"},
      {heading + "thread 0 { m = 1; /* }\n", "2:19", "a comment that does not end"},
  });
}

TEST_CASE("lang/axb/litmus_parser: statements that are refused") {
  expect_refused_statements({
      {"print m;", "2:1", "unknown statement 'print'; expected 'm = 1;', 'while"},
      {"; m = 1;", "2:1", "unknown statement ';'"},
      {"\"m\" = 1;", "2:1", "unknown statement 'm'"},
      {"1 = m;", "2:1", "unknown statement '1'"},
      {"m 1;", "2:3", "expected '=', found '1'"},
      {"m = 1", "2:6", "expected ';', found '}'"},
      {"m = 256;", "2:5", "value '256' is out of range; expected 0 to 255"},
      {"m = 99999999999;", "2:5", "value '99999999999' is out of range"},
      {"m = -1;", "2:5", "expected a constant, found '-'"},
      {"z = 1;", "2:1", "unknown location 'z'"},
      {"Store(z, 1);", "2:7", "unknown location 'z'"},
      {"Store(\"m\", 1);", "2:7", "unknown location 'm'"},
      {"Store(m);", "2:8", "expected ',', found ')'"},
      {"Store m = 1;", "2:7", "expected '(', found 'm'"},
      {"Exch(m, f);", "2:9", "expected value, a number from 0 to 255, found 'f'"},
      {"Exch(m, 1)", "2:11", "expected ';', found '}'"},
      {"if (Load(m) == 0) goto L;", "2:24", "unknown label 'L'; expected END or a label"},
      {"if (Load(m) == 0) goto l;\nL: m = 1;", "2:24", "unknown label 'l'"},
      {"if (Load(m) == 0) goto 1;", "2:24", "expected a label or END, found '1'"},
      {"if (Load(m) == 0) goto ;", "2:24", "expected a label or END, found ';'"},
      {"if (Load(m) == 0) goto \"L\"; L: m = 1;", "2:24", "expected a label or END, found 'L'"},
      {"L: m = 1;\nL: m = 0;", "3:1", "label 'L' is defined twice in this thread"},
      {"L: m = 1;\nL:", "3:1", "label 'L' is defined twice"},
      {"END: m = 1;", "2:1", "unknown statement 'END'"},
      {"1: m = 1;", "2:1", "unknown statement '1'"},
      {"while (Load(z) == 0);", "2:13", "unknown location 'z'"},
      {"while (Load(m) = 0);", "2:16", "expected '==', found '='"},
      {"while (Load(m));", "2:15", "expected '==', found ')'"},
      {"while (Load(m) == 0;", "2:20", "expected ')', found ';'"},
      {"while Load(m) == 0;", "2:7", "expected '(', found 'Load'"},
      {"while (Load m == 0);", "2:13", "expected '(', found 'm'"},
      {"while (Load(m) == 256);", "2:19", "value '256' is out of range"},
      {"while (Exch(m) == 0);", "2:14", "expected ',', found ')'"},
      {"while (Store(m, 1) == 0);", "2:8", "expected 'Load(m)' or 'Exch(m, value)'"},
      {"expect { }", "1:26", "does not end"},
  });
}

// Each of these is a habit from C that would hide more than one atomic step.
TEST_CASE(
    "lang/axb/litmus_parser: what is more than one AXB instruction is refused with the reason") {
  expect_refused_statements({
      {"while (Load(m) != 0);", "2:16", "expected '==', found '!=': an AXB instruction jumps when"},
      {"while (Load(m) <= 1);", "2:16", "expected '==', found '<='"},
      {"if (Load(m) != 0) goto END;", "2:13", "expected '==', found '!='"},
      {"while (Load(m) == 0) m = 1;", "2:21",
       "a while statement is one instruction and has no body"},
      {"while (Load(m) == 0) { m = 1; }", "2:21", "expected ';', found '{': the body of a loop"},
      {"while (Load(m) == 0) {}", "2:21", "has no body"},
      {"if (Load(m) == 0) m = 1;", "2:19", "expected 'goto', found 'm': only a jump can depend"},
      {"if (Load(m) == 0) { goto END; }", "2:19", "expected 'goto', found '{'"},
      {"if (Load(m) == 0) goto END; else goto END;", "2:29", "'else' is not one AXB instruction"},
      {"goto END;", "2:1", "a goto of its own reads no memory"},
      {"L: goto L;", "2:4", "a goto of its own reads no memory"},
      {"Load(m);", "2:1", "a load whose value is not compared has no effect"},
      {"m = f;", "2:5", "expected a constant, found 'f': a store writes a constant"},
      {"m = Load(f);", "2:5", "what an exchange or a load reads can only be compared"},
      {"m = Exch(f, 1);", "2:5", "expected a constant, found 'Exch'"},
      {"int r = Load(m);", "2:1", "'int' is not one AXB instruction"},
      {"r0 = Load(m);", "2:1", "unknown location 'r0'"},
      {"m++;", "2:2", "expected '=', found '++': a statement that computes from what it reads"},
      {"m += 1;", "2:3", "expected '=', found '+='"},
      {"m == 1;", "2:3", "expected '=', found '=='"},
      {"m = 1 + 1;", "2:7", "expected ';', found '+': a store writes a constant"},
      {"m = 0, f = 0;", "2:6", "expected ';', found ','"},
      {"while (Load(m) == 0 && Load(f) == 0);", "2:21", "one instruction makes one comparison"},
      {"while (Load(m) == 0 || Load(f) == 0);", "2:21", "one instruction makes one comparison"},
      {"while (Load(m) == Load(f));", "2:19", "expected a constant, found 'Load': one instruction"},
      {"while (0 == Load(m));", "2:8", "expected 'Load(m)' or 'Exch(m, value)', found '0'"},
      {"while (m == 0);", "2:8", "found 'm': an access says what it does"},
      {"while (true);", "2:8", "a loop that reads no memory is not an AXB instruction"},
      {"while (1);", "2:8", "a loop that reads no memory"},
      {"if (1) goto END;", "2:5", "a branch that reads no memory"},
      {"for (;;) m = 1;", "2:1", "'for' is not one AXB instruction"},
      {"do { m = 1; } while (Load(m) == 0);", "2:1", "'do' is not one AXB instruction"},
      {"return;", "2:1", "'return' is not one AXB instruction"},
      {"break;", "2:1", "'break' is not one AXB instruction"},
      {"{ m = 1; }", "2:1", "unknown statement '{'"},
  });
}

TEST_CASE("lang/axb/litmus_parser: raw instructions that are refused") {
  expect_refused_statements({
      {"AXB m;", "2:5", "expected '(', found 'm'"},
      {"AXB(0, 0, 0, true, 1);", "2:5", "unknown location '0'"},
      {"AXB(m, x, 0, true, 1);", "2:8", "expected value, a number"},
      {"AXB(m, 0, 2, true, 1);", "2:11",
       "target '2' is out of range; the thread has 1 instructions"},
      {"AXB(m, 0, 4294967296, true, 1);", "2:11", "target '4294967296' is out of range"},
      {"AXB(m, 0, L, true, 1);", "2:11", "unknown label 'L'"},
      {"AXB(m, 0, -1, true, 1);", "2:11",
       "expected an instruction index, a label or END, found '-'"},
      {"AXB(m, 0, \"END\", true, 1);", "2:11", "expected an instruction index"},
      {"AXB(m, 0, 0, 1, 1);", "2:14", "expected true or false"},
      {"AXB(m, 0, 0, true, -);", "2:20", "expected value, a number from 0 to 255, found '-'"},
      {"AXB(m, 0, 0, true);", "2:18", "expected ',', found ')'"},
      {"AXB(m, 0, 0, false, x);", "2:21", "expected value"},
      {"AXB(m, 0, 0, true, 1)", "2:22", "expected ';', found '}'"},
  });
}

TEST_CASE("lang/axb/litmus_parser: values keep to those that are declared") {
  const std::string heading = "values 2; locations m; thread 0 {\n";
  expect_refusals({
      {heading + "m = 2; }", "2:5", "value '2' is out of range; expected 0 to 1"},
      {heading + "while (Load(m) == 2); }", "2:19", "expected 0 to 1"},
      {heading + "while (Exch(m, 2) == 0); }", "2:16", "expected 0 to 1"},
      {heading + "AXB(m, 2, 0, true, 1); }", "2:8", "expected 0 to 1"},
      {heading + "AXB(m, 0, 0, false, 2); }", "2:21", "expected 0 to 1"},
  });
}

TEST_CASE("lang/axb/litmus_parser: expectations that are refused") {
  const std::string program = "locations m; thread 0 { m = 1; }\n";
  std::string many = "expect { pass";
  for (std::size_t e = 0; e <= kMaxExpectations; ++e) {
    many += (e > 0 ? ",\nm" : "\nm") + std::to_string(e);
  }
  expect_refusals({
      {program + "expect { pass fair;", "2:8", "the expect block does not end"},
      {program + "expect pass fair;", "2:8", "expected '{', found 'pass'"},
      {program + "expect { fair; }", "2:10", "expected 'pass MODEL, ...;'"},
      {program + "expect { pass; }", "2:14", "expected the name of a model, found ';'"},
      {program + "expect { pass \"fair\"; }", "2:15", "expected the name of a model, found 'fair'"},
      {program + "expect { pass fair }", "2:19", "expected ';', found '}'"},
      {program + "expect { pass fair OBE; }", "2:19", "expected ';', found 'OBE'"},
      {program + "expect { pass fair:both; }", "2:20", "expected weak or strong, found 'both'"},
      {program + "expect { pass fair, fair; }", "2:21", "a second expectation for model 'fair'"},
      {program + "expect { pass fair;\nfail fair:weak; }", "3:6", "a second expectation"},
      {program + "expect { pass fair:weak, fair:strong, fair; }", "2:39", "a second expectation"},
      {program + "expect { pass a(k=1), a( k = 01 ); }", "2:23", "a second expectation"},
      {program + "expect { pass OBE-k(; }", "2:21", "expected the name of a parameter, found ';'"},
      {program + "expect { pass OBE-k(); }", "2:21", "expected the name of a parameter, found ')'"},
      {program + "expect { pass OBE-k(3); }", "2:21", "expected the name of a parameter"},
      {program + "expect { pass OBE-k(k); }", "2:22", "expected '=', found ')'"},
      {program + "expect { pass OBE-k(k=x); }", "2:23", "expected parameter value, a number"},
      {program + "expect { pass OBE-k(k=9999999); }", "2:23", "is out of range"},
      {program + "expect { pass OBE-k(k=3; }", "2:24", "expected ')', found ';'"},
      {program + "expect { }\nexpect { }", "3:1", "the end of the file, found 'expect'"},
      {program + many + "; }", "1003:1", "more than 1000 expectations"},
  });
}

TEST_CASE("lang/axb/litmus_parser: a refusal shows its line") {
  const auto error =
      error_of([] { parse("locations m;\nthread 0 {\n\twhile (Load(m) != 0);\n}", "a.litmus"); });
  REQUIRE(error);
  CHECK(error->diagnostic() ==
        "a.litmus:3:17: expected '==', found '!=': an AXB instruction jumps when what it read "
        "equals a constant\n"
        "   while (Load(m) != 0);\n"
        "                  ^");
}

// Size ----------------------------------------------------------------------------------------

TEST_CASE("lang/axb/litmus_parser: a line of ten megabytes takes little time and a short message") {
  const std::string word(kTenMillion, 'w');
  const std::string blanks(kTenMillion, ' ');
  const std::string wide[] = {
      word,
      "locations m; thread 0 { " + word + " = 1; }",
      "locations m; thread 0 { m = " + std::string(kTenMillion, '7') + "; }",
      "locations m; thread 0 { m = 1; } " + blanks + " !",
      "locations m; thread 0 { if (Load(m) == 0) goto " + word + "; }",
      "locations " + word + "; thread 0 { while (" + word + " == 0); }",
      "locations " + word + ", " + word + ";",
      "locations m; thread 0 { m = 1; } expect { pass " + word + "(x); }",
      "locations m; thread 0 { m = 1; } expect { pass " + word + ", " + word + "; }",
      "/*" + word,
      "//" + word,
      "\"" + word,
      repeated(kTenMillion / 2, "/-"),
      std::string(kTenMillion, '"'),
      blanks,
      blanks + '\0',
  };
  for (const std::string& text : wide) {
    CAPTURE(text.substr(0, 60));
    const auto error = quick_error_of(text);
    REQUIRE(error);
    CHECK(error->diagnostic().size() < 1000);
  }
}

TEST_CASE("lang/axb/litmus_parser: many lines take little time") {
  CHECK_FALSE(quick_error_of(repeated(500'000, "// a comment\n") + repeated(500'000, "\n") +
                             "locations m; thread 0 { m = 1; }"));
  // Whatever looks at lines must not look at this one again for every expectation.
  std::string text = "locations m; thread 0 { m = 1; }\nexpect {" + std::string(kTenMillion, ' ');
  for (std::size_t e = 0; e < kMaxExpectations; ++e) text += "pass m" + std::to_string(e) + ";";
  CHECK_FALSE(quick_error_of(text + std::string(kTenMillion, ' ') + "}"));
  const Test test = parse(text + "}", "f");
  CHECK(test.expectations.back().source_line.empty());
  CHECK(test.expectations.back().where.line == 2);
  CHECK(test.expectations.back().where.column > kTenMillion);
}
