#include "base/text/scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text/names.hpp"
#include "base/text/words.hpp"

namespace headway {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";

// Whether two characters are one token, as "==", "<<" and "+=" are.
bool is_pair(char first, char second) {
  constexpr std::string_view assigning = "=!<>+-*/%&|^", doubled = "+-&|.<>";
  if (second == '=') return assigning.find(first) != std::string_view::npos;
  return first == second && doubled.find(first) != std::string_view::npos;
}

bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }

}  // namespace

bool Token::is_number() const {
  return kind == Kind::word && std::all_of(text.begin(), text.end(),
                                           [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool Token::is_identifier() const {
  return kind == Kind::word && !std::isdigit(static_cast<unsigned char>(text.front()));
}

std::string shown(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end of the file";
  std::string text = shortened(token.text);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = '.';
  }
  return "'" + text + "'";
}

Scanner::Scanner(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  if (const std::size_t nul = text_.find('\0'); nul != std::string_view::npos) {
    fail(nul, "a NUL byte; expected a text file");
  }
  if (text_.starts_with("\xef\xbb\xbf")) cursor_ = 3;  // a byte order mark
  for (std::size_t at = cursor_;;) {
    while (at < text_.size() && is_blank(text_[at])) ++at;
    if (!text_.substr(at).starts_with("//")) break;
    std::string_view line = line_around(text_, at);
    line = line.substr(line.find("//") + 2);
    const std::size_t last = line.find_last_not_of(kBlanks);
    leading_comment_.emplace_back(line.substr(0, last == std::string_view::npos ? 0 : last + 1));
    at = std::min(text_.find('\n', at), text_.size());
  }
  scan();
}

std::size_t Scanner::skip_blanks(std::size_t at) const {
  while (at < text_.size()) {
    const std::string_view rest = text_.substr(at, 2);
    if (is_blank(rest[0])) {
      ++at;
    } else if (rest == "//") {
      at = std::min(text_.find('\n', at), text_.size());
    } else if (rest == "/*") {
      const std::size_t close = text_.find("*/", at + 2);
      if (close == std::string_view::npos) fail(at, "a comment that does not end; expected '*/'");
      at = close + 2;
    } else {
      break;
    }
  }
  return at;
}

void Scanner::scan() {
  const std::size_t at = skip_blanks(cursor_);
  const std::string_view blanks = text_.substr(cursor_, at - cursor_);
  line_ += static_cast<int>(std::count(blanks.begin(), blanks.end(), '\n'));
  if (const std::size_t last = blanks.rfind('\n'); last != std::string_view::npos) {
    line_start_ = cursor_ + last + 1;
  }
  const auto take = [&](Token::Kind kind, std::size_t length) {
    token_ = {kind, text_.substr(at, length), at, line_, line_start_};
    cursor_ = at + length;
  };
  if (at >= text_.size()) return take(Token::Kind::end, 0);
  if (is_word_character(text_[at])) {
    std::size_t end = at;
    while (end < text_.size() && is_word_character(text_[end])) ++end;
    return take(Token::Kind::word, end - at);
  }
  if (text_[at] == '"') {
    const std::size_t close = text_.find_first_of("\"\n", at + 1);
    if (close == std::string_view::npos || text_[close] == '\n') {
      fail(at, "a quoted text that does not end on its line; expected '\"'");
    }
    token_ = {Token::Kind::text, text_.substr(at + 1, close - at - 1), at, line_, line_start_};
    cursor_ = close + 1;
    return;
  }
  const bool two = at + 1 < text_.size() && is_pair(text_[at], text_[at + 1]);
  take(Token::Kind::punctuation, two ? 2 : 1);
}

Token Scanner::next() {
  const Token taken = token_;
  last_end_ = cursor_;
  scan();
  return taken;
}

bool Scanner::accept(std::string_view what) {
  if (!token_.is(what)) return false;
  next();
  return true;
}

Token Scanner::expect(std::string_view what, const std::string& reason) {
  if (!token_.is(what)) {
    const std::string message = fmt::format("expected '{}', found {}{}{}", what, shown(token_),
                                            reason.empty() ? "" : ": ", reason);
    // A semicolon is missing behind what stands before, often at the end of another line.
    if (what == ";" && last_end_ > 0) fail(last_end_, message);
    fail(token_, message);
  }
  return next();
}

int Scanner::integer(const std::string& role, int low, int high) {
  const Token token = token_;
  if (!token.is_number()) {
    fail(token, fmt::format("expected {}, a number from {} to {}, found {}", role, low, high,
                            shown(token)));
  }
  int number = high + 1;
  if (token.text.size() <= 9) number = std::stoi(std::string(token.text));
  if (number < low || number > high) {
    fail(token,
         fmt::format("{} {} is out of range; expected {} to {}", role, shown(token), low, high));
  }
  next();
  return number;
}

Token Scanner::name(const std::string& role, std::string_view also) {
  if (token_.kind == Token::Kind::text && !token_.text.empty()) {
    if (printable(token_.text) != token_.text) {
      fail(token_, fmt::format("expected {} without control characters and in UTF-8", role));
    }
    return next();
  }
  const std::size_t begin = token_.offset;
  std::size_t end = begin;
  while (end < text_.size() &&
         (is_word_character(text_[end]) || also.find(text_[end]) != std::string_view::npos)) {
    ++end;
  }
  if (end == begin || token_.kind == Token::Kind::text) {
    fail(token_, fmt::format("expected {}, found {}", role, shown(token_)));
  }
  cursor_ = end;
  last_end_ = end;
  const Token token{Token::Kind::word, text_.substr(begin, end - begin), begin, line_, line_start_};
  scan();
  return token;
}

void Scanner::fail(const Token& token, const std::string& message) const {
  fail(token.offset, message);
}

void Scanner::fail(std::size_t offset, const std::string& message) const {
  throw error_at(file_, text_, offset, message);
}

SourcePosition Scanner::position(const Token& token) const {
  return {file_, token.line, static_cast<int>(token.offset - token.line_start + 1)};
}

std::string_view Scanner::line(const Token& token) const {
  constexpr std::size_t longest = 1000;
  if (token.offset - token.line_start >= longest) return {};
  const std::string_view line = text_.substr(token.line_start, longest);
  return line.substr(0, line.find('\n'));
}

std::string Scanner::excerpt(std::size_t begin, std::size_t end) const {
  constexpr std::size_t longest = 200;
  std::string result;
  for (std::size_t at = begin; at < end && result.size() < longest;) {
    const std::size_t past = skip_blanks(at);
    if (past > at) result += ' ';
    at = past;
    if (at < end) result += text_[at++];
  }
  return result;
}

}  // namespace headway
