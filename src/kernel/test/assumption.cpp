#include "kernel/test/assumption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "base/error.hpp"
#include "base/text/suggestion.hpp"

namespace headway::kernel {
namespace {

struct Sign {
  std::string_view text;
  int strength;
};
// Those of two characters first.
constexpr std::array<Sign, 18> kSigns = {{{"||", 1},
                                          {"&&", 2},
                                          {"==", 6},
                                          {"!=", 6},
                                          {"<=", 7},
                                          {">=", 7},
                                          {"<<", 8},
                                          {">>", 8},
                                          {"|", 3},
                                          {"^", 4},
                                          {"&", 5},
                                          {"<", 7},
                                          {">", 7},
                                          {"+", 9},
                                          {"-", 9},
                                          {"*", 10},
                                          {"/", 10},
                                          {"%", 10}}};

class FormulaReader {
 public:
  FormulaReader(const Named& named, const Formula& of, smt::Context& terms)
      : named_(named), of_(of), terms_(terms) {}

  smt::Term read() {
    const smt::Term result = expression(1);
    blanks();
    if (at_ < of_.text.size()) fail("expected an operator or the end of it");
    return result;
  }

 private:
  static constexpr int kDeepest = 64;

  [[noreturn]] void fail(const std::string& what) const {
    SourcePosition where = of_.where;
    if (where.column > 0) where.column += static_cast<int>(at_);
    throw Error(where, what, of_.text);
  }
  void blanks() {
    while (at_ < of_.text.size() && (of_.text[at_] == ' ' || of_.text[at_] == '\t')) ++at_;
  }
  std::string_view rest() {
    blanks();
    return std::string_view(of_.text).substr(at_);
  }
  bool accept(std::string_view what) {
    if (!rest().starts_with(what)) return false;
    at_ += what.size();
    return true;
  }
  smt::Term number(std::uint64_t value) { return terms_.constant(value, 64); }
  smt::Term truth(smt::Term boolean) { return terms_.bits_of(boolean, 64); }

  // Of operators that bind at least so tightly.
  smt::Term expression(int strength) {
    smt::Term left = operand();
    for (;;) {
      const std::string_view text = rest();
      const auto sign = std::find_if(kSigns.begin(), kSigns.end(),
                                     [&](const Sign& one) { return text.starts_with(one.text); });
      if (sign == kSigns.end() || sign->strength < strength) return left;
      at_ += sign->text.size();
      left = joined(sign->text, left, expression(sign->strength + 1));
    }
  }

  smt::Term joined(std::string_view sign, smt::Term a, smt::Term b) {
    if (sign == "||") return truth(terms_.disjunction(terms_.nonzero(a), terms_.nonzero(b)));
    if (sign == "&&") return truth(terms_.conjunction(terms_.nonzero(a), terms_.nonzero(b)));
    if (sign == "==") return truth(terms_.equal(a, b));
    if (sign == "!=") return truth(terms_.differ(a, b));
    if (sign == "<") return truth(terms_.slt(a, b));
    if (sign == ">") return truth(terms_.slt(b, a));
    if (sign == "<=") return truth(terms_.sle(a, b));
    if (sign == ">=") return truth(terms_.sle(b, a));
    if (sign == "|") return terms_.bit_or(a, b);
    if (sign == "^") return terms_.bit_xor(a, b);
    if (sign == "&") return terms_.bit_and(a, b);
    if (sign == "+") return terms_.add(a, b);
    if (sign == "-") return terms_.sub(a, b);
    if (sign == "*") return terms_.mul(a, b);
    // Where C does not say what comes out, neither does a condition.
    const bool shifts = sign == "<<" || sign == ">>";
    if (!terms_.is_constant(b) || (shifts ? terms_.value(b) > 63 : terms_.value(b) == 0)) {
      fail(shifts ? "a shift by something else than 0 to 63"
                  : "a division by something else than a number");
    }
    if (sign == "<<") return terms_.shl(a, b);
    if (sign == ">>") return terms_.ashr(a, b);
    return sign == "/" ? terms_.sdiv(a, b) : terms_.srem(a, b);
  }

  smt::Term operand() {
    if (++depth_ > kDeepest) fail("it is nested too deeply");
    const smt::Term result = plain_operand();
    --depth_;
    return result;
  }

  smt::Term plain_operand() {
    if (accept("!")) return truth(terms_.negation(terms_.nonzero(operand())));
    if (accept("-")) return terms_.neg(operand());
    if (accept("~")) return terms_.sub(terms_.neg(operand()), number(1));
    if (accept("(")) {
      const smt::Term inner = expression(1);
      if (!accept(")")) fail("expected ')'");
      return inner;
    }
    const std::string_view text = rest();
    std::size_t length = 0;
    while (length < text.size() && (std::isalnum(static_cast<unsigned char>(text[length])) != 0 ||
                                    text[length] == '_' || text[length] == '.')) {
      ++length;
    }
    const std::string_view word = text.substr(0, length);
    if (word.empty()) fail("expected a number, an argument or a size such as gridDim.x");
    if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) return literal(word);
    return name(word);
  }

  smt::Term literal(std::string_view word) {
    const bool is_hex = word.starts_with("0x") || word.starts_with("0X");
    const std::string_view digits = is_hex ? word.substr(2) : word;
    std::uint64_t value = 0;
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hex ? 16 : 10);
    const bool whole = problem == std::errc() && end == digits.data() + digits.size();
    if (!whole || value > (~std::uint64_t{0} >> 1)) fail("expected an integer");
    at_ += word.size();
    return number(value);
  }

  smt::Term name(std::string_view word) {
    std::vector<std::string> known;
    const auto& parameters = named_.function->parameters;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const Parameter& parameter = parameters[p];
      if (!parameter.type.is_integer()) continue;
      known.push_back(parameter.name);
      if (parameter.name != word) continue;
      at_ += word.size();
      const smt::Term value = named_.argument(p);
      const int bits = parameter.type.bits;
      if (bits == 1) return terms_.zext(value, 64);  // true is 1
      return bits == 64 ? value : terms_.sext(value, 64);
    }
    for (int d = 0; d < 3; ++d) {
      const char letter = "xyz"[d];
      const auto of = static_cast<std::size_t>(d);
      for (const auto& [size, value] :
           {std::pair("gridDim", named_.grid[of]), std::pair("blockDim", named_.block[of])}) {
        known.push_back(fmt::format("{}.{}", size, letter));
        if (known.back() != word) continue;
        at_ += word.size();
        return value;
      }
    }
    fail(fmt::format("'{}' is no integer argument of '{}' and no size of the launch{}", word,
                     named_.function->name, did_you_mean(std::string(word), known)));
  }

  const Named& named_;
  const Formula& of_;
  smt::Context& terms_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::string condition_within(const std::string& name, std::int64_t least, std::int64_t most) {
  return fmt::format("{0} >= {1} && {0} <= {2}", name, least, most);
}

smt::Term condition_on(const Named& named, const Assumption& assumption, smt::Context& terms) {
  return terms.nonzero(FormulaReader(named, assumption, terms).read());
}

smt::Term number_on(const Named& named, const Formula& formula, smt::Context& terms) {
  return FormulaReader(named, formula, terms).read();
}

smt::Term condition_on(const Launch& launch, const Assumption& assumption, smt::Context& terms) {
  Named named;
  named.function = launch.function;
  named.argument = [&](std::size_t p) {
    const Cell& given = launch.arguments[p];
    const int bits = launch.function->parameters[p].type.bits;
    return given.is_bits() ? terms.constant(given.bits, bits) : given.term();
  };
  for (std::size_t d = 0; d < 3; ++d) {
    named.grid[d] = terms.constant(launch.grid[d], 64);
    named.block[d] = terms.constant(launch.block[d], 64);
  }
  return condition_on(named, assumption, terms);
}

}  // namespace headway::kernel
