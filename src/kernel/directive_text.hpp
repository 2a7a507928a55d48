// The text of one directive or option, read from left to right; blanks between its parts do not
// count. Errors have the place in the file that the text is of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace headway::kernel {

class DirectiveText {
 public:
  // `where` is the place of the first byte, `line` the whole line; both views must outlive this.
  DirectiveText(std::string_view text, SourcePosition where, std::string_view line);

  std::size_t at() const { return at_; }
  bool at_end() const { return at_ == text_.size(); }
  std::string_view line() const { return line_; }
  SourcePosition place(std::size_t at) const;

  bool starts_with(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  bool starts_with_letter() const;
  // Takes a character that is there.
  bool accept(char what);
  void expect(char what);
  void expect_end() const;
  // Takes a word that is there as a whole.
  bool accept_word(std::string_view what);
  // The word that accept_word() took last.
  const std::string& last_word() const { return last_word_; }
  // Takes letters, digits, '_' and the characters in `also`; nothing where there are none.
  std::string word(std::string_view also);
  // Takes what stands before the next `what`, which must come, or before the next blank.
  std::string until(char what);
  std::string until_blank();
  // The same, where blanks between '<' and '>' are of the name: "fill<float, 64>".
  std::string kernel_name();
  // Takes what stands before the next of these characters, or before the end.
  std::string until_any_of(std::string_view ends);
  std::string rest();
  // Takes an integer in low..high; `role` names it in messages.
  std::uint64_t integer(const std::string& role, std::uint64_t low, std::uint64_t high);

  // Throw an Error here, or at another byte, with what was found there.
  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void fail_at(std::size_t at, const std::string& message) const;
  // The same, where it says nothing what was found.
  [[noreturn]] void refuse_at(std::size_t at, const std::string& message) const;

 private:
  void skip_blanks();
  std::size_t word_end(std::string_view also) const;

  std::string_view text_;
  SourcePosition where_;
  std::string_view line_;
  std::size_t at_ = 0;
  std::string last_word_;
};

}  // namespace headway::kernel
