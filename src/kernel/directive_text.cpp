#include "kernel/directive_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text/names.hpp"

namespace headway::kernel {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

DirectiveText::DirectiveText(std::string_view text, SourcePosition where, std::string_view line)
    : text_(text), where_(std::move(where)), line_(line) {
  while (!text_.empty() && is_blank(text_.back())) text_.remove_suffix(1);
  skip_blanks();
}

SourcePosition DirectiveText::place(std::size_t at) const {
  SourcePosition place = where_;
  if (place.line > 0) place.column += static_cast<int>(at);
  return place;
}

void DirectiveText::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

bool DirectiveText::starts_with_letter() const {
  return !at_end() && is_of_word(text_[at_]) && (text_[at_] < '0' || text_[at_] > '9');
}

bool DirectiveText::accept(char what) {
  if (at_end() || text_[at_] != what) return false;
  ++at_;
  skip_blanks();
  return true;
}

void DirectiveText::expect(char what) {
  if (!accept(what)) fail(fmt::format("expected '{}'", what));
}

void DirectiveText::expect_end() const {
  if (!at_end()) fail("expected the end");
}

std::size_t DirectiveText::word_end(std::string_view also) const {
  std::size_t end = at_;
  while (end < text_.size() &&
         (is_of_word(text_[end]) || also.find(text_[end]) != std::string_view::npos)) {
    ++end;
  }
  return end;
}

bool DirectiveText::accept_word(std::string_view what) {
  const std::size_t end = word_end("");
  if (text_.substr(at_, end - at_) != what) return false;
  at_ = end;
  last_word_ = what;
  skip_blanks();
  return true;
}

std::string DirectiveText::word(std::string_view also) {
  const std::size_t end = word_end(also);
  std::string taken(text_.substr(at_, end - at_));
  at_ = end;
  skip_blanks();
  return taken;
}

std::string DirectiveText::until(char what) {
  const std::size_t end = text_.find(what, at_);
  if (end == std::string_view::npos) fail(fmt::format("expected a '{}' behind this", what));
  std::string taken(text_.substr(at_, end - at_));
  at_ = end;
  return taken;
}

std::string DirectiveText::until_blank() { return until_any_of(" \t"); }

std::string DirectiveText::kernel_name() {
  const std::size_t begin = at_;
  std::size_t end = at_;
  int open = 0;
  for (; end < text_.size(); ++end) {
    const char c = text_[end];
    if (open == 0 && (c == ' ' || c == '\t')) break;
    if (c == '<') ++open;
    if (c == '>') --open;
  }
  if (open > 0) refuse_at(begin, "the name of a kernel with '<' and without its '>'");
  std::string taken(text_.substr(begin, end - begin));
  at_ = end;
  skip_blanks();
  return taken;
}

std::string DirectiveText::until_any_of(std::string_view ends) {
  const std::size_t end = std::min(text_.find_first_of(ends, at_), text_.size());
  std::string taken(text_.substr(at_, end - at_));
  at_ = end;
  skip_blanks();
  return taken;
}

std::string DirectiveText::rest() {
  std::string taken(text_.substr(at_));
  at_ = text_.size();
  return taken;
}

std::uint64_t DirectiveText::integer(const std::string& role, std::uint64_t low,
                                     std::uint64_t high) {
  const std::size_t begin = at_;
  std::uint64_t value = 0;
  const auto [end, problem] =
      std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
  const auto after = static_cast<std::size_t>(end - text_.data());
  const bool is_number =
      end != text_.data() + at_ && (after == text_.size() || !is_of_word(text_[after]));
  if (!is_number) fail(fmt::format("expected {}", role));
  if (problem != std::errc() || value < low || value > high) {
    fail_at(begin, fmt::format("expected {} from {} to {}", role, low, high));
  }
  at_ = after;
  skip_blanks();
  return value;
}

void DirectiveText::fail(const std::string& message) const { fail_at(at_, message); }

void DirectiveText::fail_at(std::size_t at, const std::string& message) const {
  constexpr std::size_t most_shown = 20;
  const std::string_view found = text_.substr(std::min(at, text_.size()));
  const std::string shown =
      found.empty() ? "the end" : fmt::format("'{}'", shortened(found, most_shown));
  refuse_at(at, fmt::format("{}, found {}", message, shown));
}

void DirectiveText::refuse_at(std::size_t at, const std::string& message) const {
  throw Error(place(at), message, line_);
}

}  // namespace headway::kernel
