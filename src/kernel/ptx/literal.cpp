#include "kernel/ptx/literal.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <string>

#include "base/text/names.hpp"

namespace headway::kernel::ptx {
namespace {

constexpr auto kNoNumber =
    "a number that cannot be read: '{}'; expected one like 12, 0x1f or 0f3F800000";

std::optional<std::uint64_t> digits(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

}  // namespace

std::optional<std::uint64_t> integer_of(std::string_view text) {
  if (text.ends_with('U')) text.remove_suffix(1);
  if (text.starts_with("0x") || text.starts_with("0X")) return digits(text.substr(2), 16);
  if (text.starts_with("0b") || text.starts_with("0B")) return digits(text.substr(2), 2);
  if (text.size() > 1 && text.front() == '0') return digits(text.substr(1), 8);
  return digits(text, 10);
}

Operand literal(const Lexer& lexer, const Token& token, bool negative) {
  Operand made;
  const std::string_view text = token.text;
  const auto bad = [&] { lexer.fail(token, fmt::format(kNoNumber, printable(text))); };
  if (token.kind != Token::Kind::number) bad();
  const bool is_single = text.starts_with("0f") || text.starts_with("0F");
  if (is_single || text.starts_with("0d") || text.starts_with("0D")) {
    made.kind = is_single ? Operand::Kind::single : Operand::Kind::real;
    const auto bits = digits(text.substr(2), 16);
    if (!bits || text.size() != (is_single ? 10U : 18U)) bad();
    made.bits = *bits ^ (negative ? std::uint64_t{1} << (is_single ? 31 : 63) : 0);
    return made;
  }
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (!is_hex && text.find_first_of(".eE") != std::string_view::npos) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) bad();
    made.kind = Operand::Kind::real;
    made.bits = std::bit_cast<std::uint64_t>(negative ? -value : value);
    return made;
  }
  const auto value = integer_of(text);
  if (!value) bad();
  made.bits = negative ? 0 - *value : *value;
  return made;
}

std::uint64_t take_integer(Lexer& lexer, std::string_view what, std::uint64_t least,
                           std::uint64_t most) {
  const Token token = lexer.next();
  const auto value =
      token.kind == Token::Kind::number ? integer_of(token.text) : std::optional<std::uint64_t>();
  if (!value || *value < least || *value > most) {
    lexer.fail(token, fmt::format("expected {} from {} to {}, found {}", what, least, most,
                                  token.shown()));
  }
  return *value;
}

}  // namespace headway::kernel::ptx
