#include "report/table.hpp"

#include <doctest/doctest.h>

#include <random>

#include "support/errors.hpp"

using namespace headway::report;
using headway::testing::contains;
using headway::testing::error_of;

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

TEST_CASE("report/table: CSV fields are quoted where they need it") {
  CHECK(csv_line({"a", "b c", ""}) == "a,b c,\n");
  CHECK(csv_line({""}) == "\n");
  CHECK(csv_line({"a,b", "say \"no\"", "two\nlines", "return\r"}) ==
        "\"a,b\",\"say \"\"no\"\"\",\"two\nlines\",\"return\r\"\n");
  CHECK(csv_line({"OBE-k(j=1,k=2)"}) == "\"OBE-k(j=1,k=2)\"\n");
}

TEST_CASE("report/table: CSV is read line by line") {
  CHECK(parse_csv("", "f").empty());
  CHECK(parse_csv("a,b\nc,d\n", "f") == Lines{{"a", "b"}, {"c", "d"}});
  CHECK(parse_csv("a,b\r\nc,d", "f") == Lines{{"a", "b"}, {"c", "d"}});
  CHECK(parse_csv("\n,\n", "f") == Lines{{""}, {"", ""}});
  CHECK(parse_csv("\"a,\"\"b\"\"\r\nc\",d", "f") == Lines{{"a,\"b\"\r\nc", "d"}});
  CHECK(parse_csv("\"\"", "f") == Lines{{""}});
  CHECK(parse_csv("\"\"\"\"", "f") == Lines{{"\""}});
  CHECK(parse_csv("a \"b,c\" d", "f") == Lines{{"a b,c d"}});
}

TEST_CASE("report/table: a quote that does not end is shown where it starts") {
  for (const char* text : {"a,b\nc,\"d\n", "a\nx,\"", "a\n\"\",\"b\"\""}) {
    const auto error = error_of([&] { parse_csv(text, "f.csv"); });
    REQUIRE(error);
    CHECK(error->where().file == "f.csv");
    CHECK(error->where().line == 2);
    CHECK(error->where().column == (text[2] == '"' ? 4 : 3));
    CHECK(contains(error->what(), "a quote that does not end"));
  }
}

TEST_CASE("report/table: what is written as CSV is read back") {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    Lines lines;
    std::string text;
    for (unsigned count = random() % 4; count > 0; --count) {
      std::vector<std::string> fields(1 + random() % 4);
      for (std::string& field : fields) {
        for (unsigned length = random() % 5; length > 0; --length) {
          field += std::string_view("a,\"\r\n \xc3")[random() % 7];
        }
      }
      text += csv_line(fields);
      lines.push_back(std::move(fields));
    }
    REQUIRE(parse_csv(text, "f") == lines);
  }
}
