#include "base/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/text/names.hpp"

using headway::Error;
using headway::error_at;
using headway::line_around;
using headway::printable;
using headway::SourcePosition;

namespace {

// The lines of a diagnostic.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

// The byte above the caret.
char pointed_at(const std::string& diagnostic) {
  const std::vector<std::string> lines = lines_of(diagnostic);
  REQUIRE(lines.size() == 3);
  const std::size_t caret = lines[2].find('^');
  REQUIRE(caret != std::string::npos);
  REQUIRE(caret + 1 == lines[2].size());
  return caret < lines[1].size() ? lines[1][caret] : '\0';
}

}  // namespace

TEST_CASE("base/error: a position leaves out what is not known") {
  CHECK(SourcePosition{"a.litmus", 3, 7}.to_string() == "a.litmus:3:7");
  CHECK(SourcePosition{"a.litmus", 3, 0}.to_string() == "a.litmus:3");
  CHECK(SourcePosition{"a.litmus", 0, 0}.to_string() == "a.litmus");
  CHECK(SourcePosition{"a.litmus", 0, 7}.to_string() == "a.litmus");
  CHECK(SourcePosition{}.to_string().empty());
}

TEST_CASE("base/error: a diagnostic shows place and message and line and caret") {
  const auto error = error_at("m.litmus", "first\n  second line\nthird\n", 8, "something is wrong");
  CHECK(error.where().file == "m.litmus");
  CHECK(error.where().line == 2);
  CHECK(error.where().column == 3);
  CHECK(std::string(error.what()) == "something is wrong");
  CHECK(error.diagnostic() ==
        "m.litmus:2:3: something is wrong\n"
        "    second line\n"
        "    ^");
}

TEST_CASE("base/error: without a place only the message is shown") {
  CHECK(headway::Error("no such thing").diagnostic() == "no such thing");
  CHECK(headway::Error({"a.txt", 0, 0}, "cannot open").diagnostic() == "a.txt: cannot open");
  CHECK(headway::Error({"a.csv", 7, 0}, "three fields").diagnostic() == "a.csv:7: three fields");
}

TEST_CASE("base/error: the line around an offset ends at newlines and at the ends of the text") {
  const std::string_view text = "ab\n\ncd";
  CHECK(line_around(text, 0) == "ab");
  CHECK(line_around(text, 1) == "ab");
  CHECK(line_around(text, 2) == "ab");  // the newline belongs to the line it ends
  CHECK(line_around(text, 3).empty());
  CHECK(line_around(text, 4) == "cd");
  CHECK(line_around(text, 6) == "cd");
  CHECK(line_around(text, 1000) == "cd");
  CHECK(line_around("", 0).empty());
  CHECK(line_around("\n", 1).empty());
}

TEST_CASE("base/error: every byte of a text has its own place") {
  const std::string text = "ab\n\ncde\nf";
  int line = 1;
  int column = 1;
  for (std::size_t offset = 0; offset <= text.size(); ++offset) {
    const auto error = error_at("f", text, offset, "x");
    CHECK(error.where().line == line);
    CHECK(error.where().column == column);
    const bool newline = offset < text.size() && text[offset] == '\n';
    line += newline ? 1 : 0;
    column = newline ? 1 : column + 1;
  }
  // What lies behind the end is the end.
  CHECK(error_at("f", text, 99, "x").where().to_string() == "f:4:2");
}

TEST_CASE("base/error: the caret stands under its byte at both ends of a line") {
  const std::string text = "<abc>\n";
  CHECK(pointed_at(error_at("f", text, 0, "x").diagnostic()) == '<');
  CHECK(pointed_at(error_at("f", text, 4, "x").diagnostic()) == '>');
  CHECK(pointed_at(error_at("f", text, 5, "x").diagnostic()) == '\0');  // one behind
}

TEST_CASE("base/error: of a long line only a window with the caret is shown") {
  constexpr std::size_t longest = 120;
  for (const std::size_t length : {100, 101, 250, 10'000}) {
    for (std::size_t at = 0; at < length; at += length / 50) {
      std::string line(length, '.');
      line[at] = '#';
      const auto error = error_at("f", "one\n" + line + "\nthree", 4 + at, "x");
      const std::string diagnostic = error.diagnostic();
      CAPTURE(length);
      CAPTURE(at);
      REQUIRE(pointed_at(diagnostic) == '#');
      CHECK(error.where().column == static_cast<int>(at) + 1);
      const std::vector<std::string> lines = lines_of(diagnostic);
      CHECK(lines[1].size() < longest);
      CHECK(lines[2].size() < longest);
    }
  }
}

TEST_CASE(
    "base/error: of what quotes a whole file the middle is left out, between two characters") {
  std::string name;
  for (int k = 0; k < 5000; ++k) name += "\u00e4";
  for (const std::string& lead : {std::string("found '"), std::string("we found '")}) {
    const std::string message = lead + name + "' here";
    const std::string said = error_at("f", "x", 0, message).what();
    CHECK(said == Error(message).what());
    CHECK(said.size() < 1610);
    CHECK(said.starts_with(lead));
    CHECK(said.ends_with("\u00e4' here"));
    CHECK(printable(said) == said);  // it is UTF-8
  }
  const std::string usual(1600, 'x');
  CHECK(Error(usual).what() == usual);
}

TEST_CASE("base/error: a clipped line says on which side something is missing") {
  const std::string line(1000, 'x');
  CHECK(error_at("f", line, 0, "m").diagnostic().find("\n  xxx") != std::string::npos);
  CHECK(error_at("f", line, 0, "m").diagnostic().find("xxx...\n") != std::string::npos);
  CHECK(error_at("f", line, 500, "m").diagnostic().find("\n  ...xxx") != std::string::npos);
  CHECK(error_at("f", line, 999, "m").diagnostic().find("xxx\n") != std::string::npos);
}

TEST_CASE("base/error: control bytes reach no terminal and do not move the caret") {
  const std::string text = "a\tb\x1b[31m\x7f\r#";
  const std::string diagnostic = error_at("f", text, text.find('#'), "x").diagnostic();
  CHECK(pointed_at(diagnostic) == '#');
  CHECK(std::none_of(diagnostic.begin(), diagnostic.end(),
                     [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7f; }));
  CHECK(diagnostic.find("a b.[31m..#") != std::string::npos);
}
