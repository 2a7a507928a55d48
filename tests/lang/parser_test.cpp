// Which of the two formats a text is in; tests/lang has a file for each of them.
#include "lang/parser.hpp"

#include <doctest/doctest.h>

#include "support/errors.hpp"

using headway::lang::Format;
using headway::lang::format_of;
using headway::lang::parse;
using headway::lang::Test;
using headway::testing::contains;
using headway::testing::error_of;

TEST_CASE("lang/parser: the first word tells the format") {
  const Test litmus = parse("locations x; thread 0 { x = 1; }", "f");
  const Test published = parse("THREAD0\natomic_store(0,1)\n", "f");
  CHECK(litmus.threads == published.threads);
  CHECK(parse("\xef\xbb\xbf// THREAD0\nlocations x; thread 0 { x = 1; }", "f").threads ==
        litmus.threads);
  CHECK(parse("\xef\xbb\xbf/* litmus */ THREAD0 atomic_store(0,1)", "f").threads == litmus.threads);
}

TEST_CASE("lang/parser: the format of a text, test or not") {
  CHECK(format_of("// THREAD0\nlocations x; thread 0 { x = 1; }") == Format::litmus);
  CHECK(format_of("// litmus\n THREAD0 what follows does not matter") == Format::published);
  CHECK(format_of("") == Format::litmus);
  CHECK(error_of([] { format_of(std::string_view("a\0b", 3)); }));
}

TEST_CASE("lang/parser: words that only begin like a heading are not one") {
  for (const char* text : {"THREADS", "THREAD0x", "thread 0 { }", "\"THREAD0\""}) {
    CAPTURE(std::string(text));
    const auto error = error_of([&] { parse(text, "f"); });
    REQUIRE(error);
    CHECK(contains(error->what(), "expected 'locations', found '"));
  }
  // Another number makes it one, with a message that knows the format.
  for (const char* text : {"THREAD", "THREAD1\natomic_store(0,1)", "THREAD99999999999"}) {
    const auto error = error_of([&] { parse(text, "f"); });
    REQUIRE(error);
    CHECK(contains(error->what(), "expected 'THREAD0', found 'THREAD"));
  }
}

TEST_CASE("lang/parser: a text without a word is empty") {
  const std::pair<const char*, const char*> texts[] = {{"", "f:1:1"},
                                                       {"\n\n", "f:3:1"},
                                                       {" \t\r\n", "f:2:1"},
                                                       {"\xef\xbb\xbf", "f:1:4"},
                                                       {"// only a comment", "f:1:18"},
                                                       {"/* only\na comment */", "f:2:13"}};
  for (const auto& [text, where] : texts) {
    CAPTURE(std::string(text));
    const auto error = error_of([text = text] { parse(text, "f"); });
    REQUIRE(error);
    CHECK(error->where().to_string() == where);
    CHECK(contains(error->what(), "the file is empty"));
  }
}

TEST_CASE("lang/parser: a NUL byte is refused in either format") {
  for (const std::string text : {"locations x;\nthr@ead 0 { x = 1; }", "THREAD0\natom@ic_store"}) {
    std::string with_nul = text;
    with_nul[with_nul.find('@')] = '\0';
    const auto error = error_of([&] { parse(with_nul, "f"); });
    REQUIRE(error);
    CHECK(error->where().line == 2);
    CHECK(contains(error->what(), "a NUL byte"));
  }
}
