#include "languages/languages.hpp"

#include <fmt/format.h>

#include <cassert>

#include "lang/axb/source.hpp"
#include "lang/idiom/source.hpp"

namespace headway::lang {

const Languages& standard_languages() {
  static const Languages languages({&idiom::language(), &axb::language()});
  return languages;
}

const Language& Languages::of(const Token& first) const {
  assert(!languages_.empty());
  for (const Language* language : languages_) {
    if (language->begins(first)) return *language;
  }
  return *languages_.back();
}

Languages Languages::with(const Language& language) const {
  Languages more = *this;
  more.languages_.insert(more.languages_.begin(), &language);
  return more;
}

Test parse(std::string_view text, const std::string& file, const Languages& languages) {
  std::vector<Test> tests = parse_all(text, file, {}, languages);
  if (tests.size() > 1) {
    const auto size = [](const Test& test) {
      return test.source->sized() ? test.source->size() : test.thread_count();
    };
    throw Error({file, 0, 0}, fmt::format("a family of {} tests, of {} to {} threads; expected one "
                                          "test, as with --threads {}",
                                          tests.size(), tests.front().thread_count(),
                                          tests.back().thread_count(), size(tests.front())));
  }
  return std::move(tests.front());
}

std::vector<Test> parse_all(std::string_view text, const std::string& file,
                            const std::optional<Sizes>& sizes, const Languages& languages) {
  Scanner scanner(text, file);
  if (scanner.peek().kind == Token::Kind::end) {
    scanner.fail(scanner.peek(), "the file is empty; expected a litmus test");
  }
  std::vector<Test> tests = languages.of(scanner.peek()).parse(scanner, text, file, sizes);
  const Source& first = *tests.front().source;
  const int only = first.sized() ? first.size() : first.threads();
  if (sizes && tests.size() == 1 && !sizes->numbers().contains(only)) {
    throw Error({file, 0, 0},
                fmt::format("this test has {} thread{} and no other size; expected a family, "
                            "'N = 2..4;'",
                            only, only == 1 ? "" : "s"));
  }
  return tests;
}

}  // namespace headway::lang
