// Splits PTX into tokens. Comments and blanks are skipped. Linear in the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headway::kernel::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    word,         // "ld", "%r1", "$0", "WARP_SZ"
    dotted,       // ".acquire", ".L1::no_allocate"
    number,       // "12", "0x1fU", "0f3F800000", "1.5"
    quoted,       // "text", without the quotes
    punctuation,  // one character
    end
  };
  Kind kind = Kind::end;
  std::string_view text;
  int line = 1;

  bool is(std::string_view what) const {
    return kind != Kind::end && kind != Kind::quoted && text == what;
  }
  std::string shown() const;  // for messages: "';'", "the end"
};

class Lexer {
 public:
  // `text` must outlive the lexer. Throws an Error at a place in `file` for what is no token.
  Lexer(std::string_view text, std::string file);

  const Token& peek() const { return token_; }
  Token next();
  // Takes the next token if it is `what`.
  bool accept(std::string_view what);
  [[noreturn]] void fail(const Token& at, const std::string& message) const;

 private:
  void skip_blanks();
  void scan();
  void take(Token::Kind kind, std::size_t end);

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  int line_ = 1;
  Token token_;
};

}  // namespace headway::kernel::ptx
