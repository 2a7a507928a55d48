#include "base/text/scanner.hpp"

#include <doctest/doctest.h>

#include "support/errors.hpp"

using headway::Error;
using headway::Scanner;
using headway::shown;
using headway::Token;
using headway::testing::contains;
using headway::testing::error_of;

namespace {

std::vector<std::string> tokens_of(std::string_view text) {
  Scanner scanner(text, "f");
  std::vector<std::string> tokens;
  while (scanner.peek().kind != Token::Kind::end) tokens.emplace_back(scanner.next().text);
  return tokens;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("base/text/scanner: words and punctuation need no blanks between them") {
  CHECK(tokens_of("while(Exch(m_1,10)==1);") ==
        Texts{"while", "(", "Exch", "(", "m_1", ",", "10", ")", "==", "1", ")", ";"});
  CHECK(tokens_of("a!=b<=c>=d++--+=-=&&||e") ==
        Texts{"a", "!=", "b", "<=", "c", ">=", "d", "++", "--", "+=", "-=", "&&", "||", "e"});
  CHECK(tokens_of("===") == Texts{"==", "="});
  CHECK(tokens_of(" \t\r\n\f\v").empty());
}

TEST_CASE("base/text/scanner: comments are blanks") {
  CHECK(tokens_of("a // b\nc /* d\n e */ f/**/g //") == Texts{"a", "c", "f", "g"});
  CHECK(tokens_of("/*/ a */ b") == Texts{"b"});
  CHECK(tokens_of("a / b * c") == Texts{"a", "/", "b", "*", "c"});
  const auto error = error_of([] { tokens_of("a\n /* b"); });
  REQUIRE(error);
  CHECK(error->where().to_string() == "f:2:2");
  CHECK(contains(error->what(), "expected '*/'"));
}

TEST_CASE("base/text/scanner: a quoted text is one token that is nothing else") {
  Scanner scanner("\"a // b\" \"while\"", "f");
  CHECK(scanner.peek().kind == Token::Kind::text);
  CHECK(scanner.next().text == "a // b");
  CHECK_FALSE(scanner.peek().is("while"));
  CHECK_FALSE(scanner.accept("while"));
  for (const char* open : {"x \"never ends", "x \"ends\non the next line\""}) {
    const auto error = error_of([&] { tokens_of(open); });
    REQUIRE(error);
    CHECK(error->where().to_string() == "f:1:3");
  }
}

TEST_CASE("base/text/scanner: tokens know where they stand") {
  const std::string text =
      "\xef\xbb\xbf"
      "a\r\n  bc /*\n*/ d";
  Scanner scanner(text, "f");
  Token token = scanner.next();
  CHECK(token.text == "a");
  CHECK(scanner.position(token).to_string() == "f:1:4");  // a byte order mark is three bytes
  token = scanner.next();
  CHECK(scanner.position(token).to_string() == "f:2:3");
  CHECK(scanner.line(token) == "  bc /*");
  CHECK(scanner.last_end() == text.find("bc") + 2);
  token = scanner.next();
  CHECK(scanner.position(token).to_string() == "f:3:4");
  CHECK(scanner.peek().kind == Token::Kind::end);
  CHECK(scanner.position(scanner.peek()).to_string() == "f:3:5");
}

TEST_CASE("base/text/scanner: positions agree with those of errors") {
  const std::string text = "a+b /* \n */ \"t\" \n\n== 12 // x\n ;x";
  Scanner scanner(text, "f");
  for (;;) {
    const Token token = scanner.peek();
    const auto error = error_of([&] { scanner.fail(token, "here"); });
    REQUIRE(error);
    CHECK(error->where().to_string() == scanner.position(token).to_string());
    CHECK(headway::line_around(text, token.offset) == scanner.line(token));
    if (token.kind == Token::Kind::end) break;
    scanner.next();
  }
}

TEST_CASE("base/text/scanner: the line of a token far to the right is not kept") {
  const std::string text = std::string(999, ' ') + "a b" + std::string(5000, ' ');
  Scanner scanner(text, "f");
  Token token = scanner.next();
  CHECK(scanner.line(token).size() == 1000);
  token = scanner.next();
  CHECK(scanner.line(token).empty());
  CHECK(scanner.position(token).to_string() == "f:1:1002");
}

TEST_CASE("base/text/scanner: names take more than words do") {
  Scanner scanner("HSA+OBE a-b.c:weak + \"a b\" // c", "f");
  CHECK(scanner.name("a name", "+-.").text == "HSA+OBE");
  CHECK(scanner.name("a name", "+-.").text == "a-b.c");
  CHECK(scanner.accept(":"));
  CHECK(scanner.accept("weak"));
  CHECK(scanner.name("a name", "+-.").text == "+");
  CHECK(scanner.name("a name", "+-.").text == "a b");
  const auto error = error_of([&] { scanner.name("a name", "+-."); });
  REQUIRE(error);
  CHECK(std::string(error->what()) == "expected a name, found the end of the file");
}

// The scanner looks one token ahead, and a name may end inside that token.
TEST_CASE("base/text/scanner: a name may end in the middle of what was a token") {
  Scanner scanner("a+= b", "f");
  CHECK(scanner.name("a name", "+").text == "a+");
  CHECK(scanner.next().text == "=");
  CHECK(scanner.next().text == "b");
}

TEST_CASE("base/text/scanner: integers keep to their range however many digits they have") {
  for (const char* good : {"0", "7", "007", "255"}) {
    Scanner scanner(good, "f");
    CHECK(scanner.integer("value", 0, 255) == std::stoi(good));
  }
  for (const char* bad : {"256", "4294967296", "18446744073709551616", "99999999999999999999999"}) {
    Scanner scanner(bad, "f");
    const auto error = error_of([&] { scanner.integer("value", 0, 255); });
    REQUIRE(error);
    CHECK(contains(error->what(), "out of range; expected 0 to 255"));
  }
  for (const char* bad : {"x", "1x", "-1", "", "\"1\"", "0x1"}) {
    Scanner scanner(bad, "f");
    const auto error = error_of([&] { scanner.integer("value", 0, 255); });
    REQUIRE(error);
    CHECK(contains(error->what(), "expected value, a number from 0 to 255, found "));
  }
}

TEST_CASE("base/text/scanner: a NUL byte is refused at once") {
  const std::string_view text("a\n\0b", 4);
  const auto error = error_of([&] { Scanner scanner(text, "f"); });
  REQUIRE(error);
  CHECK(error->where().to_string() == "f:2:1");
  CHECK(contains(error->what(), "a NUL byte"));
}

TEST_CASE("base/text/scanner: messages quote no more than the beginning of a token") {
  const std::string text(10'000, 'x');
  CHECK(shown(Scanner(text, "f").peek()) == "'" + std::string(40, 'x') + "...'");
  CHECK(shown(Scanner("\"a\tb\"", "f").peek()) == "'a.b'");
  CHECK(shown(Scanner("", "f").peek()) == "the end of the file");
}

TEST_CASE("base/text/scanner: excerpts drop comments and fold blanks") {
  const std::string text = "while (Load(m) /* what? */ ==\n\t 0) // until\n ;";
  Scanner scanner(text, "f");
  CHECK(scanner.excerpt(0, text.size()) == "while (Load(m) == 0) ;");
  const std::string wide = "a" + std::string(1000, 'b');
  CHECK(Scanner(wide, "f").excerpt(0, wide.size()).size() == 200);
}

TEST_CASE("base/text/scanner: the comment in front of the first token is kept") {
  Scanner scanner(
      "\xef\xbb\xbf// one\r\n\n  // two  \n//\n/* not this */ // nor this\na // nor that", "f");
  CHECK(scanner.leading_comment() == Texts{" one", " two", ""});
  CHECK(scanner.next().text == "a");
}
