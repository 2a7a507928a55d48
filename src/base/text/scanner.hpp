// Splits a text into tokens for the parsers: words, strings and punctuation, with // and /* */
// comments skipped. Errors carry the place of the token. Linear in the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace headway {

struct Token {
  enum class Kind { word, text, punctuation, end };
  Kind kind = Kind::end;
  std::string_view text;       // for a quoted text: what is between the quotes
  std::size_t offset = 0;      // of its first byte
  int line = 0;                // where that stands, from 1
  std::size_t line_start = 0;  // offset of that line's first byte

  bool is(std::string_view what) const { return kind != Kind::text && text == what; }
  bool is_number() const;
  bool is_identifier() const;
};

class Scanner {
 public:
  // `text` must outlive the scanner. Throws for a text with a NUL byte.
  Scanner(std::string_view text, std::string file);

  const Token& peek() const { return token_; }
  Token next();
  // Takes the next token if it is `what`.
  bool accept(std::string_view what);
  // Takes the next token, which must be `what`; the message names it and, if given, the reason.
  Token expect(std::string_view what, const std::string& reason = {});
  // Takes an integer in low..high; `role` names it in messages.
  int integer(const std::string& role, int low, int high);
  // Takes a name: a quoted text, or a run of letters, digits and the characters in `also`.
  Token name(const std::string& role, std::string_view also);

  // Throws an Error at a token, or at a byte.
  [[noreturn]] void fail(const Token& token, const std::string& message) const;
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const;

  // Where a token stands, and the line it stands in; nothing of a line whose token lies so far to
  // the right that keeping a copy of it is not worthwhile. Both constant time.
  SourcePosition position(const Token& token) const;
  std::string_view line(const Token& token) const;
  // What stands between two places, comments dropped and blanks collapsed.
  std::string excerpt(std::size_t begin, std::size_t end) const;
  // The // lines in front of the first token.
  const std::vector<std::string>& leading_comment() const { return leading_comment_; }
  // Where the last taken token ended.
  std::size_t last_end() const { return last_end_; }

 private:
  std::size_t skip_blanks(std::size_t from) const;
  void scan();

  std::string_view text_;
  std::string file_;
  std::vector<std::string> leading_comment_;
  std::size_t cursor_ = 0;    // behind token_
  std::size_t last_end_ = 0;  // behind the token before token_
  int line_ = 1;              // of token_
  std::size_t line_start_ = 0;
  Token token_;
};

// How a token is shown in messages: quoted, shortened, or "the end of the file".
std::string shown(const Token& token);

}  // namespace headway
