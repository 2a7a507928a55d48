// Division, shifts, and bits. Division and remainder by a constant take sums apart as far as the
// ranges of their terms allow, and by powers of two they are shifts and masks.
#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>

#include "smt/term.hpp"

namespace headway::smt {

namespace {

// sum = by * quotient + remainder over the integers, with the remainder in 0 to by - 1, as far as
// bounds show it.
struct Division {
  bool known = false;
  Context::Sum quotient, remainder;
};

Division divided(const Context& c, const Context::Sum& sum, std::uint64_t by) {
  Division d;
  d.quotient.width = d.remainder.width = sum.width;
  const Bounds all = unsigned_bounds(c, sum);
  if (all.low < 0 || all.high > static_cast<__int128>(mask_of(sum.width))) return d;
  if (by > static_cast<std::uint64_t>(INT64_MAX)) return d;
  const auto b = static_cast<std::int64_t>(by);
  for (const auto& [t, f] : sum.parts) {
    const std::int64_t factor = as_signed(f, sum.width);
    if (factor % b == 0) {
      d.quotient.parts.emplace_back(t, static_cast<std::uint64_t>(factor / b));
    } else {
      d.remainder.parts.emplace_back(t, f);
    }
  }
  // The constant goes to the remainder as far as it brings that to 0 or above.
  const Bounds rest = unsigned_bounds(c, d.remainder);
  const std::int64_t k = as_signed(sum.constant, sum.width);
  __int128 times = (rest.low + k) / b;
  if ((rest.low + k) % b < 0) --times;
  if (times > INT64_MAX / 2 || times < INT64_MIN / 2) return d;
  d.quotient.constant = static_cast<std::uint64_t>(static_cast<std::int64_t>(times));
  d.remainder.constant = static_cast<std::uint64_t>(static_cast<std::int64_t>(k - times * b));
  const Bounds now = unsigned_bounds(c, d.remainder);
  d.known = now.low >= 0 && now.high < b;
  return d;
}

}  // namespace

Term Context::udiv(Term a, Term b) {
  const int w = width(a);
  if (!is_constant(b)) return make(Kind::udiv, w, {a, b});
  const std::uint64_t by = value(b);
  if (by == 0) return constant(mask_of(w), w);
  if (by == 1) return a;
  if (is_constant(a)) return constant(value(a) / by, w);
  if (const Division d = divided(*this, sum_of(a), by); d.known) return term_of(d.quotient);
  if (is_power_of_two(by)) return lshr(a, constant(static_cast<std::uint64_t>(log2_of(by)), w));
  return make(Kind::udiv, w, {a, b});
}

Term Context::urem(Term a, Term b) {
  const int w = width(a);
  if (is_constant(a, 0)) return a;
  if (!is_constant(b)) return make(Kind::urem, w, {a, b});
  const std::uint64_t by = value(b);
  if (by == 0) return a;
  if (by == 1) return constant(0, w);
  if (is_constant(a)) return constant(value(a) % by, w);
  if (node(a).range.high < by) return a;
  if (const Division d = divided(*this, sum_of(a), by); d.known) return term_of(d.remainder);
  if (!is_power_of_two(by)) return make(Kind::urem, w, {a, b});
  // Modulo a power of two, factors count modulo it.
  Sum sum = sum_of(a);
  sum.constant &= by - 1;
  for (auto& [t, f] : sum.parts) f &= by - 1;
  const Term less = term_of(sum);
  if (is_constant(less)) return constant(value(less) & (by - 1), w);
  if (node(less).range.high < by) return less;
  if (less != a) {
    if (const Division d = divided(*this, sum_of(less), by); d.known) return term_of(d.remainder);
  }
  return make(Kind::bit_and, w, {less, constant(by - 1, w)});
}

Term Context::sdiv(Term a, Term b) {
  const int w = width(a);
  const Range x = node(a).range, y = node(b).range;
  if (x.signed_low >= 0 && y.signed_low > 0) return udiv(a, b);
  if (is_constant(a) && is_constant(b) && value(b) != 0) {
    const std::int64_t s = as_signed(value(a), w), t = as_signed(value(b), w);
    return t == -1 ? neg(a) : constant(static_cast<std::uint64_t>(s / t), w);
  }
  return make(Kind::sdiv, w, {a, b});
}

Term Context::srem(Term a, Term b) {
  const int w = width(a);
  const Range x = node(a).range, y = node(b).range;
  if (x.signed_low >= 0 && y.signed_low > 0) return urem(a, b);
  if (is_constant(a) && is_constant(b) && value(b) != 0) {
    const std::int64_t s = as_signed(value(a), w), t = as_signed(value(b), w);
    return t == -1 ? constant(0, w) : constant(static_cast<std::uint64_t>(s % t), w);
  }
  return make(Kind::srem, w, {a, b});
}

Term Context::shl(Term a, Term b) {
  const int w = width(a);
  if (is_constant(b)) {
    if (value(b) >= static_cast<std::uint64_t>(w)) return constant(0, w);
    return scale(a, std::uint64_t{1} << value(b));
  }
  if (is_constant(a, 0)) return a;
  return make(Kind::shl, w, {a, b});
}

Term Context::lshr(Term a, Term b) {
  const int w = width(a);
  if (!is_constant(b)) return make(Kind::lshr, w, {a, b});
  const std::uint64_t by = value(b);
  if (by == 0) return a;
  if (by >= static_cast<std::uint64_t>(w)) return constant(0, w);
  if (is_constant(a)) return constant(value(a) >> by, w);
  if ((node(a).range.high >> by) == 0) return constant(0, w);
  const Node& n = node(a);
  if (n.kind == Kind::lshr && is_constant(n.args[1])) {
    return lshr(n.args[0], constant(value(n.args[1]) + by, w));
  }
  if (const Division d = divided(*this, sum_of(a), std::uint64_t{1} << by); d.known) {
    return term_of(d.quotient);
  }
  return make(Kind::lshr, w, {a, b});
}

Term Context::ashr(Term a, Term b) {
  const int w = width(a);
  if (node(a).range.signed_low >= 0) return lshr(a, b);
  if (is_constant(a) && is_constant(b)) {
    const std::uint64_t by = std::min<std::uint64_t>(value(b), static_cast<std::uint64_t>(w - 1));
    return constant(static_cast<std::uint64_t>(as_signed(value(a), w) >> by), w);
  }
  if (is_constant(b, 0)) return a;
  return make(Kind::ashr, w, {a, b});
}

namespace {

// The boolean that a number says, if it is 1 or 0 as that is true or false.
std::optional<Term> boolean_of(Context& c, Term t) {
  const Node& n = c.node(t);
  if (n.kind != Kind::ite || n.width == 0) return std::nullopt;
  if (c.is_constant(n.args[1], 1) && c.is_constant(n.args[2], 0)) return n.args[0];
  if (c.is_constant(n.args[1], 0) && c.is_constant(n.args[2], 1)) return c.negation(n.args[0]);
  return std::nullopt;
}

}  // namespace

Term Context::bit_and(Term a, Term b) {
  const int w = width(a);
  if (w == 0) return conjunction(a, b);
  if (a == b) return a;
  if (is_constant(a)) std::swap(a, b);
  if (is_constant(b)) {
    const std::uint64_t m = value(b), all = mask_of(w);
    if (is_constant(a)) return constant(value(a) & m, w);
    if (m == 0) return b;
    if (m == all) return a;
    if (is_power_of_two(m + 1)) return urem(a, constant(m + 1, w));
    // All bits from some bit on: what remains when the lower ones are taken away.
    const std::uint64_t low = ~m & all;
    if (is_power_of_two(low + 1)) return sub(a, urem(a, constant(low + 1, w)));
    if (const Node& n = node(a); n.kind == Kind::bit_and && is_constant(n.args[1])) {
      return bit_and(n.args[0], constant(value(n.args[1]) & m, w));
    }
    return make(Kind::bit_and, w, {a, b});
  }
  const auto one = boolean_of(*this, a), other = boolean_of(*this, b);
  if (one && other) return bits_of(conjunction(*one, *other), w);
  if (b < a) std::swap(a, b);
  return make(Kind::bit_and, w, {a, b});
}

namespace {

// So many bits at the bottom are 0, as far as factors show.
int zeros_below(const Context& c, Term t) {
  const Node& n = c.node(t);
  std::uint64_t all = n.value;
  if (n.kind == Kind::linear) {
    for (const std::uint64_t f : n.factors) all |= f;
  } else if (n.kind == Kind::shl && c.is_constant(n.args[1])) {
    return static_cast<int>(std::min<std::uint64_t>(c.value(n.args[1]), 64));
  } else if (n.kind == Kind::ite) {
    return std::min(zeros_below(c, n.args[1]), zeros_below(c, n.args[2]));
  } else if (n.kind != Kind::constant) {
    return 0;
  }
  return all == 0 ? 64 : std::countr_zero(all);
}

bool apart(const Context& c, Term high, Term low) {
  const int zeros = zeros_below(c, high);
  return zeros >= 64 || c.node(low).range.high < (std::uint64_t{1} << zeros);
}

}  // namespace

Term Context::bit_or(Term a, Term b) {
  const int w = width(a);
  if (w == 0) return disjunction(a, b);
  if (a == b) return a;
  if (is_constant(a)) std::swap(a, b);
  if (is_constant(b, 0)) return a;
  if (is_constant(b, mask_of(w))) return b;
  if (is_constant(a) && is_constant(b)) return constant(value(a) | value(b), w);
  const auto one = boolean_of(*this, a), other = boolean_of(*this, b);
  if (one && other) return bits_of(disjunction(*one, *other), w);
  if (apart(*this, a, b) || apart(*this, b, a)) return add(a, b);
  if (b < a) std::swap(a, b);
  return make(Kind::bit_or, w, {a, b});
}

Term Context::bit_xor(Term a, Term b) {
  const int w = width(a);
  if (w == 0) return differ(a, b);
  if (a == b) return constant(0, w);
  if (is_constant(a)) std::swap(a, b);
  if (is_constant(b, 0)) return a;
  if (is_constant(b, mask_of(w))) return sub(b, a);
  if (is_constant(a) && is_constant(b)) return constant(value(a) ^ value(b), w);
  if (apart(*this, a, b) || apart(*this, b, a)) return add(a, b);
  if (b < a) std::swap(a, b);
  return make(Kind::bit_xor, w, {a, b});
}

Term Context::extract(Term a, int low, int w) {
  const Node& n = node(a);
  assert(low + w <= n.width);
  if (low == 0 && w == n.width) return a;
  if (n.kind == Kind::constant) return constant(n.value >> low, w);
  if (low > 0 && n.range.high < (std::uint64_t{1} << low)) return constant(0, w);
  switch (n.kind) {
    case Kind::zext:
    case Kind::sext: {
      const int inner = width(n.args[0]);
      if (low + w <= inner) return extract(n.args[0], low, w);
      if (low == 0) return n.kind == Kind::zext ? zext(n.args[0], w) : sext(n.args[0], w);
      if (low >= inner && n.kind == Kind::zext) return constant(0, w);
      break;
    }
    case Kind::extract:
      return extract(n.args[0], low + static_cast<int>(n.value), w);
    case Kind::ite:
      if (is_constant(n.args[1]) || is_constant(n.args[2])) {
        return ite(n.args[0], extract(n.args[1], low, w), extract(n.args[2], low, w));
      }
      break;
    case Kind::linear:
      if (low == 0) {
        Sum sum;
        sum.width = w;
        sum.constant = n.value;
        for (std::size_t i = 0; i < n.args.size(); ++i) {
          sum.parts.emplace_back(extract(n.args[i], 0, w), n.factors[i]);
        }
        return term_of(sum);
      }
      break;
    case Kind::product:
      if (low == 0) return mul(extract(n.args[0], 0, w), extract(n.args[1], 0, w));
      break;
    case Kind::bit_and:
      if (low == 0) return bit_and(extract(n.args[0], 0, w), extract(n.args[1], 0, w));
      break;
    default:
      break;
  }
  return make(Kind::extract, w, {a}, static_cast<std::uint64_t>(low));
}

Term Context::zext(Term a, int w) {
  if (width(a) == 0) return bits_of(a, w);
  const Node& n = node(a);
  if (n.width == w) return a;
  if (n.kind == Kind::constant) return constant(n.value, w);
  if (n.kind == Kind::zext) return zext(n.args[0], w);
  if (n.kind == Kind::ite && (is_constant(n.args[1]) || is_constant(n.args[2]))) {
    return ite(n.args[0], zext(n.args[1], w), zext(n.args[2], w));
  }
  if (n.kind == Kind::linear) {
    const Sum sum = sum_of(a);
    const Bounds b = unsigned_bounds(*this, sum);
    if (b.low >= 0 && b.high <= static_cast<__int128>(mask_of(n.width))) {
      Sum wide;
      wide.width = w;
      wide.constant = static_cast<std::uint64_t>(as_signed(sum.constant, n.width));
      for (const auto& [t, f] : sum.parts) {
        wide.parts.emplace_back(zext(t, w), static_cast<std::uint64_t>(as_signed(f, n.width)));
      }
      return term_of(wide);
    }
  }
  return make(Kind::zext, w, {a});
}

Term Context::sext(Term a, int w) {
  if (width(a) == 0) return ite(a, constant(mask_of(w), w), constant(0, w));
  const Node& n = node(a);
  if (n.width == w) return a;
  if (n.kind == Kind::constant) {
    return constant(static_cast<std::uint64_t>(as_signed(n.value, n.width)), w);
  }
  if (n.range.signed_low >= 0) return zext(a, w);
  if (n.kind == Kind::sext) return sext(n.args[0], w);
  if (n.kind == Kind::ite && (is_constant(n.args[1]) || is_constant(n.args[2]))) {
    return ite(n.args[0], sext(n.args[1], w), sext(n.args[2], w));
  }
  if (n.kind == Kind::linear) {
    const Sum sum = sum_of(a);
    const Bounds b = signed_bounds(*this, sum), u = unsigned_bounds(*this, sum);
    const __int128 half = static_cast<__int128>(1) << (n.width - 1);
    const bool by_signed = b.low >= -half && b.high < half;
    if (by_signed || (u.low >= -half && u.high < half)) {
      Sum wide;
      wide.width = w;
      wide.constant = static_cast<std::uint64_t>(as_signed(sum.constant, n.width));
      for (const auto& [t, f] : sum.parts) {
        wide.parts.emplace_back(by_signed ? sext(t, w) : zext(t, w),
                                static_cast<std::uint64_t>(as_signed(f, n.width)));
      }
      return term_of(wide);
    }
  }
  return make(Kind::sext, w, {a});
}

Term Context::resize(Term a, int w) {
  const int now = width(a);
  if (w == 0) return now == 0 ? a : equal(extract(a, 0, 1), constant(1, 1));
  if (now == w) return a;
  return now < w ? zext(a, w) : extract(a, 0, w);
}

}  // namespace headway::smt
