// Which language and format a text is in; tests/lang has a file for each of them.
#include "languages/languages.hpp"

#include <doctest/doctest.h>

#include "lang/axb/source.hpp"
#include "lang/idiom/source.hpp"
#include "support/axb.hpp"
#include "support/errors.hpp"

using headway::Scanner;
using headway::lang::parse;
using headway::lang::Test;
using headway::testing::axb_code;
using headway::testing::contains;
using headway::testing::error_of;

namespace {

// "idiom", "litmus" or "published".
std::string format_of(std::string_view text) {
  const auto& language = headway::lang::standard_languages().of(Scanner(text, "f").peek());
  if (&language == &headway::lang::idiom::language()) return "idiom";
  CHECK(&language == &headway::lang::axb::language());
  return headway::lang::axb::is_published(text) ? "published" : "litmus";
}

}  // namespace

TEST_CASE("languages/languages: the first word tells the format") {
  const Test litmus = parse("locations x; thread 0 { x = 1; }", "f");
  const Test published = parse("THREAD0\natomic_store(0,1)\n", "f");
  const auto threads = axb_code(litmus).threads;
  CHECK(threads == axb_code(published).threads);
  CHECK(axb_code(parse("\xef\xbb\xbf// THREAD0\nlocations x; thread 0 { x = 1; }", "f")).threads ==
        threads);
  CHECK(axb_code(parse("\xef\xbb\xbf/* litmus */ THREAD0 atomic_store(0,1)", "f")).threads ==
        threads);
}

TEST_CASE("languages/languages: the format of a text, test or not") {
  CHECK(format_of("// THREAD0\nlocations x; thread 0 { x = 1; }") == "litmus");
  CHECK(format_of("// litmus\n THREAD0 what follows does not matter") == "published");
  CHECK(format_of("") == "litmus");
  CHECK(format_of("idiom what follows does not matter") == "idiom");
  CHECK(error_of([] { format_of(std::string_view("a\0b", 3)); }));
}

namespace {

// A language of one text, "nothing", which is a thread that stores something.
class Toy final : public headway::lang::Language {
 public:
  std::string_view name() const override { return "toy"; }
  bool begins(const headway::Token& first) const override { return first.is("nothing"); }
  std::vector<Test> parse(Scanner& scanner, std::string_view, const std::string&,
                          const std::optional<headway::lang::Sizes>&) const override {
    scanner.expect("nothing");
    return {headway::lang::parse("locations x; thread 0 { x = 1; }", "toy")};
  }
};

}  // namespace

TEST_CASE("languages/languages: a language that is added is asked first") {
  const Toy toy;
  const auto languages = headway::lang::standard_languages().with(toy);
  CHECK(parse("nothing", "f", languages).instruction_count() == 1);
  CHECK(error_of([] { parse("nothing", "f"); }));
  for (const char* text : {"locations x; thread 0 { x = 1; }", "THREAD0\natomic_store(0,1)\n",
                           "idiom a shared bool x; thread 0 { store(x, 1); }"}) {
    CHECK(parse(text, "f", languages) == parse(text, "f"));
  }
}

TEST_CASE("languages/languages: words that only begin like a heading are not one") {
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

TEST_CASE("languages/languages: a text without a word is empty") {
  const std::pair<const char*, const char*> texts[] = {{"", "f:1:1"},
                                                       {"\n\n", "f:3:1"},
                                                       {" \t\r\n", "f:2:1"},
                                                       {"\xef\xbb\xbf", "f:1:4"},
                                                       {"// only a comment", "f:1:18"},
                                                       {"/* only\na comment */", "f:2:13"}};
  for (const auto& row : texts) {
    const auto& text = row.first;
    const auto& where = row.second;
    CAPTURE(std::string(text));
    const auto error = error_of([text = text] { parse(text, "f"); });
    REQUIRE(error);
    CHECK(error->where().to_string() == where);
    CHECK(contains(error->what(), "the file is empty"));
  }
}

TEST_CASE("languages/languages: a NUL byte is refused in either format") {
  for (const std::string text : {"locations x;\nthr@ead 0 { x = 1; }", "THREAD0\natom@ic_store"}) {
    std::string with_nul = text;
    with_nul[with_nul.find('@')] = '\0';
    const auto error = error_of([&] { parse(with_nul, "f"); });
    REQUIRE(error);
    CHECK(error->where().line == 2);
    CHECK(contains(error->what(), "a NUL byte"));
  }
}
