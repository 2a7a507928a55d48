#include "lang/parser.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lang/formats.hpp"
#include "lang/idiom/code.hpp"
#include "lang/idiom/parser.hpp"
#include "lang/scanner.hpp"

namespace headway::lang {
namespace {

bool is_thread_heading(const Token& token) {
  constexpr std::string_view heading = "THREAD";
  return token.kind == Token::Kind::word && token.text.starts_with(heading) &&
         Token{Token::Kind::word, token.text.substr(heading.size())}.is_number();
}

Format format_at(const Scanner& scanner) {
  if (idiom::begins_program(scanner.peek())) return Format::idiom;
  return is_thread_heading(scanner.peek()) ? Format::published : Format::litmus;
}

std::vector<Test> parse_idiom(Scanner& scanner, std::string_view text, const std::string& file,
                              const std::optional<Sizes>& sizes) {
  const idiom::Syntax syntax = idiom::parse(scanner, text, file);
  Sizes wanted;
  if (!syntax.threads) {
    wanted.fewest = wanted.most = idiom::thread_count(syntax);
  } else {
    wanted = sizes.value_or(Sizes{syntax.threads->first, syntax.threads->second});
  }
  std::vector<Test> tests;
  for (int threads = wanted.fewest; threads <= wanted.most; ++threads) {
    Test& test = tests.emplace_back();
    test.name = syntax.name;
    if (!test.name.empty() && syntax.threads) test.name += fmt::format("-{}", threads);
    test.comment = syntax.comment;
    test.program = std::make_shared<const idiom::Code>(idiom::compile(syntax, threads));
    idiom::Expected expected = idiom::expected(syntax, threads);
    test.expectations = std::move(expected.expectations);
    test.expects_error = expected.error;
  }
  return tests;
}

}  // namespace

Format format_of(std::string_view text) { return format_at(Scanner(text, {})); }

Test parse(std::string_view text, const std::string& file) {
  std::vector<Test> tests = parse_all(text, file);
  if (tests.size() > 1) {
    throw Error({file, 0, 0},
                fmt::format("a family of {} tests, of {} to {} threads; expected one "
                            "test, as with --threads {}",
                            tests.size(), tests.front().thread_count(), tests.back().thread_count(),
                            tests.front().thread_count()));
  }
  return std::move(tests.front());
}

std::vector<Test> parse_all(std::string_view text, const std::string& file,
                            const std::optional<Sizes>& sizes) {
  Scanner scanner(text, file);
  if (scanner.peek().kind == Token::Kind::end) {
    scanner.fail(scanner.peek(), "the file is empty; expected a litmus test");
  }
  const Format format = format_at(scanner);
  std::vector<Test> tests;
  if (format == Format::idiom) {
    tests = parse_idiom(scanner, text, file, sizes);
  } else {
    tests.push_back(format == Format::published ? parse_published(scanner) : parse_litmus(scanner));
  }
  const int only = tests.front().thread_count();
  if (sizes && tests.size() == 1 && (only < sizes->fewest || only > sizes->most)) {
    throw Error({file, 0, 0},
                fmt::format("this test has {} thread{} and no other size; expected a family, "
                            "'N = 2..4;'",
                            only, only == 1 ? "" : "s"));
  }
  return tests;
}

void derive_values(Test& test) {
  test.values = 2;
  const auto use = [&](int value) { test.values = std::max(test.values, value + 1); };
  for (const Location& location : test.locations) use(location.initial);
  for (const Thread& thread : test.threads) {
    for (const Instruction& i : thread.instructions) use(i.check_value), use(i.exchange_value);
  }
}

}  // namespace headway::lang
