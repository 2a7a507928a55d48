#include "report/table.hpp"

#include <doctest/doctest.h>

using namespace headway::report;

namespace {

using Lines = std::vector<std::vector<std::string>>;

TextTable table(const Lines& lines) {
  TextTable result;
  for (const auto& line : lines) {
    std::vector<Cell> cells;
    for (const std::string& text : line) cells.push_back({text, Color::none});
    result.add_row(std::move(cells));
  }
  return result;
}

}  // namespace

TEST_CASE("report/table: columns are two apart and the last one is not padded") {
  CHECK(table({{"a", "bb", "c"}, {"aaa", "b", "cccc"}}).to_string({}) ==
        "a    bb  c\n"
        "aaa  b   cccc\n");
  CHECK(table({}).to_string({}).empty());
  CHECK(table({{"one"}}).to_string({}) == "one\n");
  CHECK(table({{"", "x"}, {"aa", "y"}}).to_string({}) == "    x\naa  y\n");
}

TEST_CASE("report/table: no line ends in blanks") {
  CHECK(table({{"a", ""}, {"", ""}, {}, {"long", "b"}}).to_string({}) == "a\n\n\nlong  b\n");
  // Rows of different lengths share their columns.
  CHECK(table({{"a"}, {"b", "c"}, {"dddd", "e", "f"}}).to_string({}) ==
        "a\n"
        "b     c\n"
        "dddd  e  f\n");
}

TEST_CASE("report/table: a character takes one place however many bytes it has") {
  CHECK(table({{"\xc3\xa4\xe2\x86\x92", "x"}, {"abc", "y"}}).to_string({}) ==
        "\xc3\xa4\xe2\x86\x92   x\n"
        "abc  y\n");
}

TEST_CASE("report/table: colours only where they are wanted and outside the padding") {
  TextTable colored;
  colored.add_row({{"a", Color::dim}, {"b", Color::none}});
  colored.add_row({{"pass", Color::green}, {"", Color::red}, {"end", Color::bold}});
  CHECK(colored.to_string({false}) ==
        "a     b\n"
        "pass     end\n");
  CHECK(colored.to_string({true}) ==
        "\033[2ma\033[0m     b\n"
        "\033[32mpass\033[0m     \033[1mend\033[0m\n");
}

TEST_CASE("report/table: every colour has a sequence and an end") {
  const std::vector<std::pair<Color, std::string>> sequences = {{Color::green, "\033[32m"},
                                                                {Color::red, "\033[31m"},
                                                                {Color::yellow, "\033[33m"},
                                                                {Color::dim, "\033[2m"},
                                                                {Color::bold, "\033[1m"}};
  for (const auto& [color, sequence] : sequences) {
    CHECK(paint("text", color, {true}) == sequence + "text\033[0m");
    CHECK(paint("text", color, {false}) == "text");
    CHECK(paint("", color, {true}).empty());
  }
  CHECK(paint("text", Color::none, {true}) == "text");
}

TEST_CASE("report/table: where lines have a width the widest columns give way") {
  const Lines lines = {{"a", "one two three four", "b"}, {"c", "d", "e"}};
  CHECK(table(lines).to_string({.width = 24}) == table(lines).to_string({}));
  const auto blanks = [](std::size_t count) { return std::string(count, ' '); };
  CHECK(table(lines).to_string({.width = 20}) ==
        "a  one two three" + blanks(3) + "b\n" + "   four\n" + "c  d" + blanks(15) + "e\n");
  // No column becomes narrower than one can read, whatever the width.
  CHECK(table(lines).to_string({.width = 1}) ==
        "a  one two" + blanks(7) + "b\n" + "   three four\n" + "c  d" + blanks(13) + "e\n");
  CHECK(table({{"abcdefghijklmnopq rs"}}).to_string({.width = 12}) == "abcdefghijkl\nmnopq rs\n");
  // A blank at the end of a line is not carried over.
  CHECK(table({{"abcdefghijkl mnop"}}).to_string({.width = 12}) == "abcdefghijkl\nmnop\n");
}

TEST_CASE("report/table: each line of a cell is painted by itself") {
  TextTable colored;
  colored.add_row({{"one two three", Color::red}});
  CHECK(colored.to_string({.color = true, .width = 12}) ==
        "\033[31mone two\033[0m\n\033[31mthree\033[0m\n");
}

TEST_CASE("report/table: a line that is too long goes on further in") {
  CHECK(folded("short\n\n  lines\n", 10) == "short\n\n  lines\n");
  CHECK(folded("no end", 10) == "no end");
  CHECK(folded("one two three four\nfive", 12) == "one two\n    three\n    four\nfive");
  CHECK(folded("  one two three\n", 12) == "  one two\n      three\n");
  // A word that is longer than a line is cut.
  CHECK(folded("abcdefghijkl", 8) == "abcdefgh\n    ijkl");
  // Of characters, not of bytes.
  CHECK(folded("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 4) == "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4");
}
