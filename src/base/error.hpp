// Errors in what a user gave us, with the place and a picture of it.
// A broken invariant of our own is an assert, never an Error; a limit reached is a verdict.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace headway {

// A place in a text. Lines and columns count from 1, columns in bytes; 0 means "no such part".
struct SourcePosition {
  std::string file;
  int line = 0;
  int column = 0;

  // "file:line:column", without the parts that are not known.
  std::string to_string() const;
};

class Error : public std::runtime_error {
 public:
  // Of a message of more than 1,600 bytes, which quotes what is very long, the middle is left out.
  explicit Error(const std::string& message);

  // `source_line` is the text of the line `where` points into; only a window of it is kept. There
  // is no picture without it.
  Error(SourcePosition where, const std::string& message, std::string_view source_line = {});

  const SourcePosition& where() const { return where_; }

  // "file:line:column: message", and under it the offending line with a caret when it is known.
  // No newline at the end.
  std::string diagnostic() const;

 private:
  SourcePosition where_;
  std::string excerpt_;  // the picture: line, newline, caret
};

// The line of `text` that holds byte `offset`, without its newline.
std::string_view line_around(std::string_view text, std::size_t offset);

// An Error about the byte at `offset` of `text`, the content of `file`.
Error error_at(const std::string& file, std::string_view text, std::size_t offset,
               const std::string& message);

}  // namespace headway
