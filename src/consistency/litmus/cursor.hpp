// A place in a litmus file that moves on: blanks and comments are skipped, words and marks taken.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "consistency/program.hpp"

namespace headway::consistency::litmus {

class Cursor {
 public:
  // Of text[begin, end) of the file `path`, which must outlive this.
  Cursor(const std::string& path, std::string_view text, std::size_t begin, std::size_t end)
      : path_(&path), text_(text), at_(begin), end_(end) {}
  Cursor(const std::string& path, std::string_view text) : Cursor(path, text, 0, text.size()) {}

  std::size_t offset() {
    skip_blanks();
    return at_;
  }
  bool at_end() { return offset() == end_; }
  // "line" counts from 1.
  int line();
  std::string_view between(std::size_t begin, std::size_t end) const {
    return text_.substr(begin, end - begin);
  }
  const std::string& path() const { return *path_; }
  std::string_view text() const { return text_; }
  std::size_t end() const { return end_; }

  bool is(std::string_view mark);
  bool take(std::string_view mark);
  void require(std::string_view mark);
  // The next word of letters, digits, '_' and the characters in `also`, which begins with no digit;
  // empty if there is none.
  std::string_view peek_word(std::string_view also = {});
  std::string word(const char* what, std::string_view also = {});
  bool take_word(std::string_view what, std::string_view also = {});
  std::optional<Number> take_number();
  Number number(const char* what);
  // Up to the end of the line.
  std::string rest_of_line();

  [[noreturn]] void fail(const std::string& message) { fail_at(offset(), message); }
  [[noreturn]] void fail_at(std::size_t offset, const std::string& message) const;
  [[noreturn]] void expected(const std::string& what);

 private:
  void skip_blanks();

  const std::string* path_;
  std::string_view text_;
  std::size_t at_, end_;
};

}  // namespace headway::consistency::litmus
