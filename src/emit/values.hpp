// Numbers and conditions in the words of a target.
#pragma once

#include <cstdint>
#include <string>

#include "emit/kernel.hpp"
#include "emit/text.hpp"
#include "lang/idiom/syntax.hpp"

namespace headway::emit {

// An expression of the target without side effects.
struct Value {
  std::string text;
  bool whole = false;  // needs no parentheses inside another one
  bool truth = false;  // is a condition, not a number
};

class ValueWriter {
 public:
  // The dialect must outlive this.
  explicit ValueWriter(const Dialect& dialect) : dialect_(dialect) {}

 protected:
  std::string literal(std::int64_t value) const {
    return value < 0 ? "-" + write(dialect_.signed_number, -value)
                     : write(dialect_.signed_number, value);
  }
  Value literal_value(std::int64_t value) const { return {literal(value), value >= 0, false}; }
  std::string number(const Value& value) const {
    return value.truth ? write(dialect_.select, value.text, literal(1), literal(0)) : value.text;
  }
  std::string part(const Value& value) const {
    return value.whole && !value.truth ? value.text : "(" + number(value) + ")";
  }
  std::string truth(const Value& value) const {
    return value.truth ? value.text : fmt::format("{} != {}", part(value), literal(0));
  }
  // Where the expression is a number, that as a word of memory.
  std::string word(const lang::idiom::Expression* literal, const Value& value) const {
    if (literal != nullptr && literal->kind == lang::idiom::Expression::Kind::number) {
      return write(dialect_.number, literal->number);
    }
    return write(dialect_.to_word, number(value));
  }

  const Dialect& dialect_;
};

}  // namespace headway::emit
