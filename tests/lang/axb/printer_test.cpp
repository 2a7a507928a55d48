#include "lang/axb/printer.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "base/file.hpp"
#include "languages/languages.hpp"
#include "support/axb.hpp"
#include "support/files.hpp"
#include "support/random_tests.hpp"

using namespace headway::lang;
using namespace headway::lang::axb;
using headway::testing::axb_code;
using headway::testing::published_tests;
using headway::testing::Random;
using headway::testing::random_test;

namespace {

// Checks that printing loses nothing, in either format.
void check_round_trip(const Test& test) {
  const std::string text = print(test);
  CAPTURE(text.substr(0, 2000));
  const Test again = parse(text, "printed");
  CHECK(again == test);
  CHECK(print(again) == text);

  const std::string published = print_published(axb_code(test));
  CAPTURE(published.substr(0, 2000));
  CHECK(axb_code(parse(published, "printed")).threads == axb_code(test).threads);
}

Test litmus_file(const std::string& name) {
  const auto path = headway::testing::source_dir() / "litmus" / (name + ".litmus");
  return parse(headway::read_file(path), path.string());
}

}  // namespace

TEST_CASE("lang/axb/printer: the published tests are read back as they were") {
  for (const Test& test : published_tests()) {
    CAPTURE(test.name);
    check_round_trip(test);
  }
}

// Apart from blank lines after the last thread.
TEST_CASE("lang/axb/printer: the published tests are printed as they were published") {
  const auto folder = headway::testing::source_dir() / "tests/data/published/tests";
  const auto without_blanks = [](const std::string& text) {
    std::string result;
    for (char c : text) {
      if (c != ' ' && c != '\n' && c != '\r') result += c;
    }
    return result;
  };
  for (const Test& test : published_tests()) {
    CAPTURE(test.name);
    const auto path = folder / test.name.substr(0, test.name.rfind('_')) / (test.name + ".txt");
    CHECK(without_blanks(print_published(axb_code(test))) ==
          without_blanks(headway::read_file(path)));
  }
}

TEST_CASE("lang/axb/printer: the litmus tests are read back as they were") {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(headway::testing::source_dir() / "litmus")) {
    if (entry.path().extension() != ".litmus") continue;
    CAPTURE(entry.path().string());
    check_round_trip(litmus_file(entry.path().stem().string()));
    ++files;
  }
  CHECK(files > 0);
}

TEST_CASE("lang/axb/printer: random tests are read back as they were") {
  Random random(20211);
  int with_labels = 0;
  for (int i = 0; i < 3000; ++i) {
    CAPTURE(i);
    const Test test = random_test(random);
    check_round_trip(test);
    if (print(test).find("goto L") != std::string::npos) ++with_labels;
  }
  CHECK(with_labels > 500);
}

TEST_CASE("lang/axb/printer: statements say what they do and raw forms what no statement can") {
  Code code;
  code.locations = {{"m", 0}};
  const auto printed = [&](const Instruction& instruction, int index = 1, int length = 4) {
    return print_statement(code, instruction, index, length);
  };
  CHECK(printed({0, 0, 2, true, 1}) == "m = 1;");
  CHECK(printed({0, 1, 1, false, 0}) == "while (Load(m) == 1);");
  CHECK(printed({0, 1, 1, true, 2}) == "while (Exch(m, 2) == 1);");
  CHECK(printed({0, 1, 0, false, 0}) == "if (Load(m) == 1) goto L0;");
  CHECK(printed({0, 1, 3, true, 2}) == "if (Exch(m, 2) == 1) goto L3;");
  CHECK(printed({0, 1, 4, false, 0}) == "if (Load(m) == 1) goto END;");
  CHECK(printed({0, 1, 2, false, 0}) == "AXB(m, 1, 2, false, 0);");
  CHECK(printed({0, 1, 2, true, 2}) == "AXB(m, 1, 2, true, 2);");
  CHECK(printed({0, 1, 4, true, 2}, 3) == "AXB(m, 1, END, true, 2);");
  // Not a jump but a store, although it is the last one and so jumps to END.
  CHECK(printed({0, 0, 4, true, 2}, 3) == "m = 2;");
}

TEST_CASE("lang/axb/printer: a test is printed in the layout of the litmus files") {
  const std::string text =
      "// Why.\n"
      "//\n"
      "litmus two\n"
      "\n"
      "values 5;\n"
      "locations m, f = 3;\n"
      "\n"
      "thread 0 {\n"
      "  m = 1;\n"
      "  L1: if (Load(f) == 0) goto L1;\n"
      "  L2: AXB(m, 1, 3, false, 0);\n"
      "  if (Exch(m, 0) == 1) goto L2;\n"
      "}\n"
      "\n"
      "thread 1 {\n"
      "  while (Exch(m, 1) == 1);\n"
      "}\n"
      "\n"
      "expect {\n"
      "  pass fair, OBE:strong;\n"
      "  fail unfair;\n"
      "  pass OBE-k(k=3):weak;\n"
      "}\n";
  // A jump to itself is a loop, which needs no label.
  std::string printed = text;
  const std::string jump = "L1: if (Load(f) == 0) goto L1;";
  printed.replace(printed.find(jump), jump.size(), "while (Load(f) == 0);");
  CHECK(print(parse(text, "f")) == printed);
  CHECK(print(parse("locations x; thread 0 { x = 1; }", "f")) ==
        "locations x;\n\nthread 0 {\n  x = 1;\n}\n");
}

TEST_CASE("lang/axb/printer: the published format writes stores and ends as the authors do") {
  const Test test = parse(
      "locations x, y; thread 0 { y = 1; if (Load(x) == 1) goto END; AXB(x, 1, END, true, 0); }",
      "f");
  CHECK(print_published(axb_code(test)) ==
        "THREAD0\n"
        "atomic_store(1,1)\n"
        "atomic_chk_branch(0,1,END)\n"
        "atomic_exch_branch(0,1,0,END)\n"
        "\n\n");
}
