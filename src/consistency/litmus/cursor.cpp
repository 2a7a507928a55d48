#include "consistency/litmus/cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace headway::consistency::litmus {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_of_word(char c, std::string_view also) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         also.find(c) != std::string_view::npos;
}

}  // namespace

void Cursor::skip_blanks() {
  const auto closed = [&](std::string_view open, std::string_view close) {
    if (text_.substr(at_, open.size()) != open) return false;
    const std::size_t found = text_.find(close, at_ + open.size());
    if (found == std::string_view::npos || found + close.size() > end_) {
      fail_at(at_, fmt::format("this comment never ends; expected '{}'", close));
    }
    at_ = found + close.size();
    return true;
  };
  for (;;) {
    while (at_ < end_ && is_space(text_[at_])) ++at_;
    if (at_ >= end_) {
      at_ = end_;
      return;
    }
    if (closed("(*", "*)") || closed("/*", "*/")) continue;
    if (text_.substr(at_, 2) != "//") return;
    at_ = std::min(text_.find('\n', at_), end_);
  }
}

int Cursor::line() {
  const std::size_t to = offset();
  return 1 + static_cast<int>(
                 std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
}

bool Cursor::is(std::string_view mark) {
  const std::size_t from = offset();
  return from + mark.size() <= end_ && text_.substr(from, mark.size()) == mark;
}

bool Cursor::take(std::string_view mark) {
  if (!is(mark)) return false;
  at_ += mark.size();
  return true;
}

void Cursor::require(std::string_view mark) {
  if (!take(mark)) expected(fmt::format("'{}'", mark));
}

std::string_view Cursor::peek_word(std::string_view also) {
  const std::size_t from = offset();
  if (from == end_ || is_digit(text_[from]) || !is_of_word(text_[from], also)) return {};
  std::size_t to = from;
  while (to < end_ && is_of_word(text_[to], also)) ++to;
  return between(from, to);
}

std::string Cursor::word(const char* what, std::string_view also) {
  const std::string_view found = peek_word(also);
  if (found.empty()) expected(what);
  at_ += found.size();
  return std::string(found);
}

bool Cursor::take_word(std::string_view what, std::string_view also) {
  if (peek_word(also) != what) return false;
  at_ += what.size();
  return true;
}

std::optional<Number> Cursor::take_number() {
  const std::size_t from = offset();
  const bool negative = from < end_ && text_[from] == '-';
  std::size_t to = from + (negative ? 1 : 0);
  if (to >= end_ || !is_digit(text_[to])) return std::nullopt;
  const bool hexadecimal = text_.substr(to, 2) == "0x" || text_.substr(to, 2) == "0X";
  if (hexadecimal) to += 2;
  Number value = 0;
  const auto read =
      std::from_chars(text_.data() + to, text_.data() + end_, value, hexadecimal ? 16 : 10);
  if (read.ec != std::errc()) fail_at(from, "expected a number of 64 bits");
  at_ = static_cast<std::size_t>(read.ptr - text_.data());
  return negative ? -value : value;
}

Number Cursor::number(const char* what) {
  const auto value = take_number();
  if (!value) expected(what);
  return *value;
}

std::string Cursor::rest_of_line() {
  const std::size_t to = std::min(text_.find('\n', at_), end_);
  std::string_view rest = between(at_, to);
  at_ = to;
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  while (!rest.empty() && is_space(rest.back())) rest.remove_suffix(1);
  return std::string(rest);
}

void Cursor::fail_at(std::size_t offset, const std::string& message) const {
  throw error_at(*path_, text_, offset, message);
}

void Cursor::expected(const std::string& what) {
  const std::size_t from = offset();
  std::size_t to = std::min(from + 1, end_);
  while (to < end_ && is_of_word(text_[from], {}) && is_of_word(text_[to], {})) ++to;
  fail_at(from, fmt::format("expected {}, found {}", what,
                            from == end_ ? "the end" : fmt::format("'{}'", between(from, to))));
}

}  // namespace headway::consistency::litmus
