// Terms of booleans and bit-vectors of 1 to 64 bits, as values: a Term is a number in the Context
// that made it. Equal terms are the same number; terms are simplified and folded as they are built,
// with ranges of variables taken into account (whoever solves must assert them: `variables`).
// Sums are kept as linear forms, so that addresses cancel. Not safe to share between threads.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headway::smt {

struct Term {
  std::uint32_t id = 0;
  friend bool operator==(Term, Term) = default;
  friend auto operator<=>(Term, Term) = default;
};

enum class Kind : std::uint8_t {
  constant,  // value
  variable,  // name
  apply,     // name: an uninterpreted function of args
  negation,  // of a boolean
  conjunction,
  disjunction,
  ite,  // args[0] ? args[1] : args[2]
  equal,
  ult,
  slt,
  linear,  // value + the sum of factors[i] * args[i], modulo 2^width
  product,
  udiv,
  urem,
  sdiv,
  srem,
  shl,
  lshr,
  ashr,
  bit_and,
  bit_or,
  bit_xor,
  extract,  // `width` bits from bit `value` on
  concat,   // args[0] above args[1]
  zext,
  sext,
};

// What is known of a bit-vector's value, unsigned and signed, both ends included.
struct Range {
  std::uint64_t low = 0, high = 0;
  std::int64_t signed_low = 0, signed_high = 0;
};

struct Node {
  Kind kind = Kind::constant;
  int width = 0;  // 0: a boolean
  std::uint64_t value = 0;
  std::uint32_t name = 0;
  std::vector<Term> args;
  std::vector<std::uint64_t> factors;
  Range range;
};

// From variables to what is to stand for them.
using Substitution = std::unordered_map<std::uint32_t, Term>;

class Context {
 public:
  Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Node& node(Term t) const { return nodes_[t.id]; }
  int width(Term t) const { return nodes_[t.id].width; }
  const std::string& name(const Node& n) const { return names_[n.name]; }
  std::size_t size() const { return nodes_.size(); }

  Term truth(bool value) const { return Term{value ? 1U : 0U}; }
  Term constant(std::uint64_t value, int width);
  bool is_true(Term t) const { return t.id == 1; }
  bool is_false(Term t) const { return t.id == 0; }
  bool is_constant(Term t) const { return nodes_[t.id].kind == Kind::constant; }
  bool is_constant(Term t, std::uint64_t value) const {
    return is_constant(t) && nodes_[t.id].value == value;
  }
  std::uint64_t value(Term t) const { return nodes_[t.id].value; }

  // The variable of that name: made when first asked for. Width 0: a boolean.
  Term variable(std::string_view name, int width);
  // One with a range, unsigned and both ends included; the first range given counts.
  Term variable(std::string_view name, int width, std::uint64_t low, std::uint64_t high);
  // A variable that nobody has yet; `hint` starts its name.
  Term fresh(std::string_view hint, int width);
  Term apply(std::string_view function, int width, std::vector<Term> args);

  Term negation(Term a);
  Term conjunction(Term a, Term b) { return conjunction(std::vector<Term>{a, b}); }
  Term disjunction(Term a, Term b) { return disjunction(std::vector<Term>{a, b}); }
  Term conjunction(const std::vector<Term>& args);
  Term disjunction(const std::vector<Term>& args);
  Term implies(Term a, Term b) { return disjunction(negation(a), b); }
  Term ite(Term condition, Term then, Term otherwise);
  Term equal(Term a, Term b);  // of booleans, too
  Term differ(Term a, Term b) { return negation(equal(a, b)); }
  Term ult(Term a, Term b);
  Term ule(Term a, Term b) { return negation(ult(b, a)); }
  Term slt(Term a, Term b);
  Term sle(Term a, Term b) { return negation(slt(b, a)); }

  Term add(Term a, Term b);
  Term sub(Term a, Term b);
  Term neg(Term a) { return scale(a, ~std::uint64_t{0}); }
  Term scale(Term a, std::uint64_t factor);
  Term mul(Term a, Term b);
  // Division by zero is as in SMT-LIB.
  Term udiv(Term a, Term b);
  Term urem(Term a, Term b);
  Term sdiv(Term a, Term b);
  Term srem(Term a, Term b);
  Term shl(Term a, Term b);
  Term lshr(Term a, Term b);
  Term ashr(Term a, Term b);
  Term bit_and(Term a, Term b);
  Term bit_or(Term a, Term b);
  Term bit_xor(Term a, Term b);
  Term extract(Term a, int low, int width);
  Term zext(Term a, int width);
  Term sext(Term a, int width);
  // To the width, by cutting or by zeros.
  Term resize(Term a, int width);
  // A boolean as a bit-vector, and back.
  Term bits_of(Term boolean, int width);
  Term nonzero(Term a);

  Term substitute(Term t, const Substitution& by);
  // All variables and applications of functions that t is made of, each once.
  std::vector<Term> leaves(Term t) const;

  // t as a sum: what multiplies each term, and a constant. Terms that are not sums are one times
  // themselves.
  struct Sum {
    std::vector<std::pair<Term, std::uint64_t>> parts;  // by term
    std::uint64_t constant = 0;
    int width = 64;
  };
  Sum sum_of(Term t) const;
  Term term_of(const Sum& sum);

  // SMT-LIB 2's way to write t, without sharing: for people.
  std::string text(Term t, int depth = 12) const;

 private:
  Term intern(Node node);
  Term make(Kind kind, int width, std::vector<Term> args, std::uint64_t value = 0);
  Term split_equal(const Sum& difference);
  Range under(const Node& comparison, bool holds, Term t) const;
  void find_range(Node& node) const;
  std::uint32_t name_of(std::string_view name);
  Term rebuild(const Node& node, std::vector<Term> args);

  std::deque<Node> nodes_;
  std::unordered_multimap<std::size_t, std::uint32_t> table_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> name_ids_;
  std::unordered_map<std::string, std::uint32_t> variables_;
  std::uint32_t next_fresh_ = 0;
};

constexpr std::uint64_t mask_of(int width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}
constexpr std::int64_t as_signed(std::uint64_t value, int width) {
  return width >= 64 ? static_cast<std::int64_t>(value)
                     : static_cast<std::int64_t>(value << (64 - width)) >> (64 - width);
}
constexpr bool is_power_of_two(std::uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}
int log2_of(std::uint64_t power);

// The ends, over the integers, between which a sum is: factors as signed numbers, terms by their
// unsigned ranges, or by their signed ones.
struct Bounds {
  __int128 low = 0, high = 0;
};
Bounds unsigned_bounds(const Context& context, const Context::Sum& sum);
Bounds signed_bounds(const Context& context, const Context::Sum& sum);

}  // namespace headway::smt
