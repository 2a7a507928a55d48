// Terms: simplification changes no value, whatever the operands; and what it is good for.
#include "smt/term.hpp"

#include <doctest/doctest.h>

#include <random>

#include "kernel/ir/arithmetic.hpp"
#include "smt/solver.hpp"

namespace headway {
namespace {

using smt::Context;
using smt::Term;

// A random term over variables, and its value by an evaluation that knows no simplification.
struct Random {
  Context c;
  std::mt19937 random{7};
  std::vector<Term> variables;
  std::vector<std::uint64_t> values;

  std::uint64_t below(std::uint64_t bound) { return random() % bound; }

  std::pair<Term, std::uint64_t> bits(int width, int depth) {
    if (depth == 0 || below(4) == 0) {
      if (below(3) == 0) {
        const std::uint64_t v =
            below(3) == 0 ? smt::mask_of(width) - below(3) : below(9) & smt::mask_of(width);
        return {c.constant(v, width), v};
      }
      const std::size_t k = below(variables.size());
      const int own = c.width(variables[k]);
      if (own == width) return {variables[k], values[k]};
      if (own < width) return {c.zext(variables[k], width), values[k]};
      return {c.extract(variables[k], 0, width), values[k] & smt::mask_of(width)};
    }
    const std::uint64_t mask = smt::mask_of(width);
    if (below(9) == 0 && width < 64) {
      const auto [t, v] = bits(width * 2 > 64 ? 64 : width * 2, depth - 1);
      const int wide = c.width(t);
      const int low = static_cast<int>(below(static_cast<std::uint64_t>(wide - width + 1)));
      return {c.extract(t, low, width), (v >> low) & mask};
    }
    if (below(9) == 0 && width >= 16) {
      const auto [t, v] = bits(width / 2, depth - 1);
      return {c.sext(t, width), static_cast<std::uint64_t>(smt::as_signed(v, width / 2)) & mask};
    }
    if (below(8) == 0) {
      const auto [condition, holds] = truth(depth - 1);
      const auto [a, x] = bits(width, depth - 1);
      const auto [b, y] = bits(width, depth - 1);
      return {c.ite(condition, a, b), holds ? x : y};
    }
    const auto [a, x] = bits(width, depth - 1);
    auto [b, y] = bits(width, depth - 1);
    using kernel::Op;
    constexpr Op ops[] = {Op::add,     Op::sub,    Op::mul,    Op::udiv, Op::urem,
                          Op::sdiv,    Op::srem,   Op::shl,    Op::lshr, Op::ashr,
                          Op::bit_and, Op::bit_or, Op::bit_xor};
    const Op op = ops[below(std::size(ops))];
    if ((op >= Op::udiv && op <= Op::srem) || (op >= Op::shl && op <= Op::ashr)) {
      y = op >= Op::shl ? below(static_cast<std::uint64_t>(width)) : 1 + below(9);
      b = c.constant(y, width);
    }
    const auto exact = kernel::integer_result(op, width, x, y);
    if (!exact) return {a, x};
    switch (op) {
      case Op::add:
        return {c.add(a, b), *exact};
      case Op::sub:
        return {c.sub(a, b), *exact};
      case Op::mul:
        return {c.mul(a, b), *exact};
      case Op::udiv:
        return {c.udiv(a, b), *exact};
      case Op::urem:
        return {c.urem(a, b), *exact};
      case Op::sdiv:
        return {c.sdiv(a, b), *exact};
      case Op::srem:
        return {c.srem(a, b), *exact};
      case Op::shl:
        return {c.shl(a, b), *exact};
      case Op::lshr:
        return {c.lshr(a, b), *exact};
      case Op::ashr:
        return {c.ashr(a, b), *exact};
      case Op::bit_and:
        return {c.bit_and(a, b), *exact};
      case Op::bit_or:
        return {c.bit_or(a, b), *exact};
      default:
        return {c.bit_xor(a, b), *exact};
    }
  }

  std::pair<Term, bool> truth(int depth) {
    if (depth > 0 && below(3) == 0) {
      const auto [a, x] = truth(depth - 1);
      const auto [b, y] = truth(depth - 1);
      switch (below(3)) {
        case 0:
          return {c.conjunction(a, c.negation(b)), x && !y};
        case 1:
          return {c.disjunction(a, b), x || y};
        default:
          return {c.equal(a, b), x == y};
      }
    }
    const int width = below(2) == 0 ? 32 : 64;
    const auto [a, x] = bits(width, depth);
    const auto [b, y] = bits(width, depth);
    switch (below(3)) {
      case 0:
        return {c.equal(a, b), x == y};
      case 1:
        return {c.ult(a, b), x < y};
      default:
        return {c.slt(a, b), smt::as_signed(x, width) < smt::as_signed(y, width)};
    }
  }
};

TEST_CASE("smt/term: simplification changes no value") {
  Random r;
  r.variables = {r.c.variable("t", 32, 0, 63), r.c.variable("b", 32, 0, 1023),
                 r.c.variable("x", 32),        r.c.variable("y", 64),
                 r.c.variable("s", 8),         r.c.variable("k", 16, 3, 9)};
  for (int round = 0; round < 20000; ++round) {
    r.values = {r.below(64),  r.below(1024),
                r.random(),   (std::uint64_t{r.random()} << 32) | r.random(),
                r.below(256), 3 + r.below(7)};
    if (round % 3 == 0) r.values[2] = r.below(5);
    if (round % 5 == 0) r.values[3] = r.below(5);
    if (round % 7 == 0) r.values[2] = 0xffffffff - r.below(5);
    const auto [t, v] = r.truth(3);
    smt::Model model;
    for (std::size_t k = 0; k < r.variables.size(); ++k) model.set(r.variables[k], r.values[k]);
    if (model.holds(r.c, t) != v) {
      FAIL("round " << round << ": " << r.c.text(t));
    }
  }
}

TEST_CASE("smt/term: the range of a minimum or a maximum is its own, and no value is outside") {
  Random r;
  r.variables = {r.c.variable("t", 32, 0, 63), r.c.variable("x", 32), r.c.variable("y", 64),
                 r.c.variable("s", 8), r.c.variable("k", 16, 3, 9)};
  for (int round = 0; round < 20000; ++round) {
    r.values = {r.below(64), r.random(), (std::uint64_t{r.random()} << 32) | r.random(),
                r.below(256), 3 + r.below(7)};
    if (round % 3 == 0) r.values[1] = 0xffffffff - r.below(5);
    const int width = r.below(2) == 0 ? 32 : 64;
    const auto [a, x] = r.bits(width, 2);
    const auto [b, y] = r.bits(width, 2);
    const bool is_signed = r.below(2) == 0, swaps = r.below(2) == 0;
    const bool less = is_signed ? smt::as_signed(x, width) < smt::as_signed(y, width) : x < y;
    const Term order = is_signed ? r.c.slt(a, b) : r.c.ult(a, b);
    const Term t = swaps ? r.c.ite(order, b, a) : r.c.ite(order, a, b);
    const std::uint64_t v = less != swaps ? x : y;
    const smt::Range range = r.c.node(t).range;
    const std::int64_t sv = smt::as_signed(v, width);
    const bool inside =
        range.low <= v && v <= range.high && range.signed_low <= sv && sv <= range.signed_high;
    if (!inside) FAIL("round " << round << ": " << r.c.text(t));
  }
  Context c;
  const Term n = c.variable("n", 32), five = c.constant(5, 32);
  CHECK(c.node(c.ite(c.ult(n, five), n, five)).range.high == 5);
  CHECK(c.node(c.ite(c.slt(n, five), five, n)).range.low == 5);
}

TEST_CASE("smt/term: addresses of different threads fall apart into their ids") {
  Context c;
  const auto id = [&](const char* name, std::uint64_t last) {
    return c.variable(name, 32, 0, last);
  };
  const Term t1 = id("t1", 63), t2 = id("t2", 63), b1 = id("b1", 1023), b2 = id("b2", 1023);
  const auto address = [&](Term b, Term t) {
    const Term index = c.add(c.mul(b, c.constant(64, 32)), t);
    return c.mul(c.sext(index, 64), c.constant(4, 64));
  };
  CHECK(c.equal(address(b1, t1), address(b2, t2)) ==
        c.conjunction(c.equal(t1, t2), c.equal(b1, b2)));
  CHECK(c.udiv(address(b1, t1), c.constant(256, 64)) == c.zext(b1, 64));
  CHECK(c.urem(address(b1, t1), c.constant(256, 64)) == c.mul(c.zext(t1, 64), c.constant(4, 64)));
  CHECK(c.is_true(c.ult(t1, c.constant(64, 32))));
}

TEST_CASE("smt/term: where paths meet again their conditions go") {
  Context c;
  const Term a = c.variable("a", 0), b = c.variable("b", 0);
  CHECK(c.disjunction(c.conjunction(a, b), c.conjunction(a, c.negation(b))) == a);
  CHECK(c.is_false(c.conjunction(c.conjunction(a, b), c.negation(a))));
}

TEST_CASE("smt/term: a signed remainder by a power of two is 0 where the lower bits are") {
  Context c;
  const Term x = c.variable("x", 8);
  for (const std::uint64_t by : {1U, 2U, 16U, 64U, 128U}) {
    const Term zero = c.equal(c.srem(x, c.constant(by, 8)), c.constant(0, 8));
    for (std::uint64_t v = 0; v < 256; ++v) {
      smt::Model model;
      model.set(x, v);
      CHECK(model.holds(c, zero) == (v % by == 0));
    }
  }
}

TEST_CASE("smt/term: conditions that are numbers join as conditions") {
  Context c;
  const Term a = c.variable("a", 0), b = c.variable("b", 0);
  const Term x = c.bits_of(a, 32), y = c.bits_of(c.negation(b), 32);
  CHECK(c.nonzero(c.bit_and(x, y)) == c.conjunction(a, c.negation(b)));
  CHECK(c.nonzero(c.bit_or(x, y)) == c.disjunction(a, c.negation(b)));
}

}  // namespace
}  // namespace headway
