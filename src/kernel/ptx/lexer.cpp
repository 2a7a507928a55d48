#include "kernel/ptx/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text/names.hpp"

namespace headway::kernel::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool begins_word(char c) { return is_letter(c) || c == '_' || c == '%' || c == '$'; }
bool is_of_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }

}  // namespace

std::string Token::shown() const {
  return kind == Kind::end ? "the end" : fmt::format("'{}'", printable(text));
}

Lexer::Lexer(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  scan();
}

Token Lexer::next() {
  const Token taken = token_;
  scan();
  return taken;
}

bool Lexer::accept(std::string_view what) {
  if (!token_.is(what)) return false;
  scan();
  return true;
}

void Lexer::fail(const Token& at, const std::string& message) const {
  throw Error({file_, at.line, 0}, message);
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) {
        fail({Token::Kind::end, {}, line_}, "a comment that does not end; expected '*/'");
      }
      line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                           text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      at_ = end + 2;
    } else if (rest.front() == '\n' || rest.front() == ' ' || rest.front() == '\t' ||
               rest.front() == '\r') {
      if (rest.front() == '\n') ++line_;
      ++at_;
    } else {
      return;
    }
  }
}

void Lexer::take(Token::Kind kind, std::size_t end) {
  token_ = {kind, text_.substr(at_, end - at_), line_};
  at_ = end;
}

void Lexer::scan() {
  skip_blanks();
  if (at_ >= text_.size()) return take(Token::Kind::end, at_);
  const auto run = [&](std::size_t from) {
    while (from < text_.size() && is_of_word(text_[from])) ++from;
    return from;
  };
  const char first = text_[at_];
  if (is_digit(first)) {
    std::size_t end = run(at_);
    // "1.5" and "1.5e-3", and no member of a number.
    if (end + 1 < text_.size() && text_[end] == '.' && is_digit(text_[end + 1])) end = run(end + 1);
    const bool has_exponent =
        (text_[end - 1] == 'e' || text_[end - 1] == 'E') && !text_.substr(at_).starts_with("0x") &&
        !text_.substr(at_).starts_with("0f") && !text_.substr(at_).starts_with("0d");
    if (has_exponent && end < text_.size() && (text_[end] == '-' || text_[end] == '+')) {
      end = run(end + 1);
    }
    return take(Token::Kind::number, end);
  }
  if (begins_word(first)) return take(Token::Kind::word, run(at_ + 1));
  if (first == '.') {
    std::size_t end = run(at_ + 1);
    while (text_.substr(end).starts_with("::")) end = run(end + 2);
    if (end > at_ + 1) return take(Token::Kind::dotted, end);
  }
  if (first == '"') {
    const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
    if (end == std::string_view::npos || text_[end] == '\n') {
      fail({Token::Kind::punctuation, text_.substr(at_, 1), line_},
           "a text that does not end on its line; expected '\"'");
    }
    token_ = {Token::Kind::quoted, text_.substr(at_ + 1, end - at_ - 1), line_};
    at_ = end + 1;
    return;
  }
  constexpr std::string_view known = ",;[]{}():+-!|@<>=";
  if (known.find(first) == std::string_view::npos) {
    fail({Token::Kind::punctuation, text_.substr(at_, 1), line_},
         fmt::format("'{}' begins nothing of PTX", printable(text_.substr(at_, 1))));
  }
  take(Token::Kind::punctuation, at_ + 1);
}

}  // namespace headway::kernel::ptx
