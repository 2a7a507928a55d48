#include "lang/parser.hpp"

#include <algorithm>

#include "lang/formats.hpp"
#include "lang/scanner.hpp"

namespace headway::lang {
namespace {

bool is_thread_heading(const Token& token) {
  constexpr std::string_view heading = "THREAD";
  return token.kind == Token::Kind::word && token.text.starts_with(heading) &&
         Token{Token::Kind::word, token.text.substr(heading.size())}.is_number();
}

Format format_at(const Scanner& scanner) {
  return is_thread_heading(scanner.peek()) ? Format::published : Format::litmus;
}

}  // namespace

Format format_of(std::string_view text) { return format_at(Scanner(text, {})); }

Test parse(std::string_view text, const std::string& file) {
  Scanner scanner(text, file);
  if (scanner.peek().kind == Token::Kind::end) {
    scanner.fail(scanner.peek(), "the file is empty; expected a litmus test");
  }
  return format_at(scanner) == Format::published ? parse_published(scanner) : parse_litmus(scanner);
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
