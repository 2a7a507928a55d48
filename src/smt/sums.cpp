// Sums, and what ranges say of them. All reasons are over the integers: a sum's value modulo 2^w is
// its integer value where the bounds say that this is in range.
#include <algorithm>
#include <bit>
#include <cassert>
#include <map>
#include <numeric>

#include "smt/term.hpp"

namespace headway::smt {

namespace {

// Bounds of more than this are of no use, and sums of them must not overflow.
constexpr __int128 kFar = static_cast<__int128>(1) << 110;

Bounds widened(Bounds b) {
  if (b.low < -kFar) b.low = -kFar;
  if (b.high > kFar) b.high = kFar;
  return b;
}

void add_part(Bounds& b, std::int64_t factor, __int128 low, __int128 high) {
  const bool huge = factor > (std::int64_t{1} << 44) || factor < -(std::int64_t{1} << 44);
  if (huge && (high - low) > (static_cast<__int128>(1) << 64)) {
    b = {-kFar, kFar};
    return;
  }
  const __int128 one = factor * low, other = factor * high;
  b.low += std::min(one, other);
  b.high += std::max(one, other);
  b = widened(b);
}

Bounds unsigned_part(const Context& c, Term t) {
  return {c.node(t).range.low, c.node(t).range.high};
}

// Of l - r over the integers; factors are not taken modulo anything.
Bounds difference_bounds(const Context& context, const Context::Sum& l, const Context::Sum& r) {
  std::map<Term, std::int64_t> parts;
  Bounds b;
  constexpr std::int64_t most = std::int64_t{1} << 60;
  for (const auto& [sum, sign] : {std::pair{&l, 1}, std::pair{&r, -1}}) {
    const std::int64_t c = as_signed(sum->constant, sum->width);
    b.low += static_cast<__int128>(sign) * c;
    b.high = b.low;
    for (const auto& [t, f] : sum->parts) {
      const std::int64_t factor = as_signed(f, sum->width);
      if (factor > most || factor < -most) return {-kFar, kFar};
      parts[t] += sign * factor;
    }
  }
  for (const auto& [t, f] : parts) {
    const Bounds part = unsigned_part(context, t);
    add_part(b, f, part.low, part.high);
  }
  return b;
}

}  // namespace

Bounds unsigned_bounds(const Context& context, const Context::Sum& sum) {
  Bounds b;
  b.low = b.high = as_signed(sum.constant, sum.width);
  for (const auto& [t, factor] : sum.parts) {
    const Bounds part = unsigned_part(context, t);
    add_part(b, as_signed(factor, sum.width), part.low, part.high);
  }
  return b;
}

Bounds signed_bounds(const Context& context, const Context::Sum& sum) {
  Bounds b;
  b.low = b.high = as_signed(sum.constant, sum.width);
  for (const auto& [t, factor] : sum.parts) {
    const Range r = context.node(t).range;
    add_part(b, as_signed(factor, sum.width), r.signed_low, r.signed_high);
  }
  return b;
}

Context::Sum Context::sum_of(Term t) const {
  const Node& n = node(t);
  Sum sum;
  sum.width = n.width;
  if (n.kind == Kind::constant) {
    sum.constant = n.value;
  } else if (n.kind == Kind::linear) {
    sum.constant = n.value;
    for (std::size_t i = 0; i < n.args.size(); ++i) {
      sum.parts.emplace_back(n.args[i], n.factors[i]);
    }
  } else {
    sum.parts.emplace_back(t, 1);
  }
  return sum;
}

Term Context::term_of(const Sum& given) {
  // Parts may be sums themselves, after something was put in for them.
  std::map<Term, std::uint64_t> parts;
  std::uint64_t total = given.constant;
  for (const auto& [t, factor] : given.parts) {
    const Node& n = node(t);
    if (n.kind == Kind::constant) {
      total += factor * n.value;
    } else if (n.kind == Kind::linear) {
      total += factor * n.value;
      for (std::size_t i = 0; i < n.args.size(); ++i) parts[n.args[i]] += factor * n.factors[i];
    } else {
      parts[t] += factor;
    }
  }
  const std::uint64_t mask = mask_of(given.width);
  Node n;
  n.kind = Kind::linear;
  n.width = given.width;
  n.value = total & mask;
  for (const auto& [t, factor] : parts) {
    if ((factor & mask) == 0) continue;
    n.args.push_back(t);
    n.factors.push_back(factor & mask);
  }
  if (n.args.empty()) return constant(n.value, n.width);
  if (n.args.size() == 1 && n.factors[0] == 1 && n.value == 0) return n.args[0];
  return intern(std::move(n));
}

Term Context::add(Term a, Term b) {
  assert(width(a) == width(b));
  if (is_constant(a, 0)) return b;
  if (is_constant(b, 0)) return a;
  Sum sum = sum_of(a);
  const Sum other = sum_of(b);
  sum.parts.insert(sum.parts.end(), other.parts.begin(), other.parts.end());
  sum.constant += other.constant;
  return term_of(sum);
}

Term Context::sub(Term a, Term b) {
  if (a == b) return constant(0, width(a));
  return add(a, neg(b));
}

Term Context::scale(Term a, std::uint64_t factor) {
  Sum sum = sum_of(a);
  sum.constant *= factor;
  for (auto& [t, f] : sum.parts) f *= factor;
  return term_of(sum);
}

Term Context::mul(Term a, Term b) {
  assert(width(a) == width(b));
  if (is_constant(a)) return scale(b, value(a));
  if (is_constant(b)) return scale(a, value(b));
  const Sum l = sum_of(a), r = sum_of(b);
  // Few parts: multiplied out, so that equal products cancel.
  if (l.parts.size() * r.parts.size() <= 9 &&
      (l.parts.size() > 1 || r.parts.size() > 1 || l.constant != 0 || r.constant != 0 ||
       l.parts[0].second != 1 || r.parts[0].second != 1)) {
    Sum sum;
    sum.width = l.width;
    sum.constant = l.constant * r.constant;
    for (const auto& [s, f] : l.parts) {
      sum.parts.emplace_back(s, f * r.constant);
      for (const auto& [t, g] : r.parts) sum.parts.emplace_back(mul(s, t), f * g);
    }
    for (const auto& [t, g] : r.parts) sum.parts.emplace_back(t, g * l.constant);
    return term_of(sum);
  }
  if (b < a) std::swap(a, b);
  return make(Kind::product, width(a), {a, b});
}

// With the difference d = sum of f_i t_i + c: d = 0 modulo 2^w. Where the bounds of d leave 0 as
// the only multiple of 2^w, it is d = 0 over the integers: factors may be divided by what they have
// in common, and where the small parts cannot make up for one unit of the large ones, both are 0.
Term Context::split_equal(const Sum& d) {
  if (d.parts.empty()) return truth((d.constant & mask_of(d.width)) == 0);
  const int w = d.width;
  const Bounds ub = unsigned_bounds(*this, d), sb = signed_bounds(*this, d);
  const __int128 whole = static_cast<__int128>(1) << w;
  const auto in_reach = [whole](const Bounds& b) { return b.low > -whole && b.high < whole; };
  const bool use_signed = !in_reach(ub) && in_reach(sb);
  const Bounds b = use_signed ? sb : ub;
  if (in_reach(b)) {
    if (b.low > 0 || b.high < 0) return truth(false);
    std::int64_t common = 0;
    for (const auto& [t, f] : d.parts) common = std::gcd(common, as_signed(f, w));
    const std::int64_t c = as_signed(d.constant, w);
    if (common != 0 && c % common != 0) return truth(false);
    if (common > 1) {
      Sum less;
      less.width = w;
      less.constant = static_cast<std::uint64_t>(c / common);
      for (const auto& [t, f] : d.parts) {
        less.parts.emplace_back(t, static_cast<std::uint64_t>(as_signed(f, w) / common));
      }
      return split_equal(less);
    }
    std::vector<std::pair<std::uint64_t, std::size_t>> order;
    for (std::size_t i = 0; i < d.parts.size(); ++i) {
      const std::int64_t f = as_signed(d.parts[i].second, w);
      order.emplace_back(static_cast<std::uint64_t>(f < 0 ? -f : f), i);
    }
    std::sort(order.rbegin(), order.rend());
    std::uint64_t unit = 0;
    for (std::size_t many = 1; many < order.size(); ++many) {
      unit = std::gcd(unit, order[many - 1].first);
      Sum large, small;
      large.width = small.width = w;
      for (std::size_t i = 0; i < order.size(); ++i) {
        (i < many ? large : small).parts.push_back(d.parts[order[i].second]);
      }
      // The constant goes where it leaves the small ones least room.
      const std::int64_t rest = c % static_cast<std::int64_t>(unit);
      for (const std::int64_t r : {rest, rest > 0 ? rest - static_cast<std::int64_t>(unit)
                                                  : rest + static_cast<std::int64_t>(unit)}) {
        small.constant = static_cast<std::uint64_t>(r);
        large.constant = static_cast<std::uint64_t>(c - r);
        const Bounds s = use_signed ? signed_bounds(*this, small) : unsigned_bounds(*this, small);
        const Bounds l = use_signed ? signed_bounds(*this, large) : unsigned_bounds(*this, large);
        if (!in_reach(l) || !in_reach(s)) continue;
        const auto u = static_cast<__int128>(unit);
        if (s.low > -u && s.high < u) {
          const Term one = split_equal(large);
          if (is_false(one)) return one;
          return conjunction(one, split_equal(small));
        }
        if (r == 0) break;
      }
    }
  } else {
    // Modulo 2^w a common power of two can go, with as many bits at the top.
    std::uint64_t all = 0;
    for (const auto& [t, f] : d.parts) all |= f;
    const int k = std::countr_zero(all);
    if (k > 0 && k < w) {
      if ((d.constant & mask_of(k)) != 0) return truth(false);
      Sum less;
      less.width = w - k;
      less.constant = (d.constant >> k) & mask_of(w - k);
      for (const auto& [t, f] : d.parts) {
        less.parts.emplace_back(extract(t, 0, w - k), (f >> k) & mask_of(w - k));
      }
      return split_equal(sum_of(term_of(less)));
    }
  }
  // Those with positive factors on one side, the others on the other.
  Sum left, right;
  left.width = right.width = w;
  for (const auto& [t, f] : d.parts) {
    if (as_signed(f, w) < 0) {
      right.parts.emplace_back(t, std::uint64_t{0} - f);
    } else {
      left.parts.emplace_back(t, f);
    }
  }
  right.constant = std::uint64_t{0} - d.constant;
  const Term one = term_of(left), other = term_of(right);
  if (is_constant(one) && is_constant(other)) return truth(value(one) == value(other));
  // What is left may have a form that equal() makes narrower.
  const auto extended = [this](Term t) {
    return node(t).kind == Kind::zext || node(t).kind == Kind::sext;
  };
  if (extended(one) && extended(other) && node(one).kind == node(other).kind &&
      width(node(one).args[0]) == width(node(other).args[0])) {
    return equal(node(one).args[0], node(other).args[0]);
  }
  if ((extended(one) && is_constant(other)) || (is_constant(one) && extended(other))) {
    return equal(one, other);
  }
  return make(Kind::equal, 0,
              one < other ? std::vector<Term>{one, other} : std::vector<Term>{other, one});
}

Term Context::equal(Term a, Term b) {
  if (a == b) return truth(true);
  if (width(a) == 0) {
    if (is_true(a)) return b;
    if (is_true(b)) return a;
    if (is_false(a)) return negation(b);
    if (is_false(b)) return negation(a);
    if (node(a).kind == Kind::negation) return negation(equal(node(a).args[0], b));
    if (node(b).kind == Kind::negation) return negation(equal(a, node(b).args[0]));
    if (b < a) std::swap(a, b);
    return make(Kind::equal, 0, {a, b});
  }
  assert(width(a) == width(b));
  if (is_constant(a)) std::swap(a, b);
  if (is_constant(b)) {
    const Node& n = node(a);
    const std::uint64_t v = value(b);
    if (v < n.range.low || v > n.range.high) return truth(false);
    if (n.kind == Kind::ite && (is_constant(n.args[1]) || is_constant(n.args[2]))) {
      return ite(n.args[0], equal(n.args[1], b), equal(n.args[2], b));
    }
    if (n.kind == Kind::zext) {
      return equal(n.args[0], constant(v, width(n.args[0])));  // v is in its range
    }
    // Whatever the sign, the lower bits decide.
    if (n.kind == Kind::srem && v == 0 && is_constant(n.args[1]) &&
        is_power_of_two(value(n.args[1]))) {
      return equal(urem(n.args[0], n.args[1]), b);
    }
    if (n.kind == Kind::sext) {
      const int small = width(n.args[0]);
      if (as_signed(v & mask_of(small), small) != as_signed(v, n.width)) return truth(false);
      return equal(n.args[0], constant(v, small));
    }
  }
  if (node(a).kind == node(b).kind && (node(a).kind == Kind::zext || node(a).kind == Kind::sext) &&
      width(node(a).args[0]) == width(node(b).args[0])) {
    return equal(node(a).args[0], node(b).args[0]);
  }
  return split_equal(sum_of(sub(a, b)));
}

Term Context::ult(Term a, Term b) {
  if (a == b) return truth(false);
  const int w = width(a);
  const Range x = node(a).range, y = node(b).range;
  if (x.high < y.low) return truth(true);
  if (x.low >= y.high) return truth(false);
  if (is_constant(b, 1)) return equal(a, constant(0, w));
  if (is_constant(a, 0)) return negation(equal(b, a));
  const Node &n = node(a), &m = node(b);
  if (n.kind == Kind::zext && m.kind == Kind::zext && width(n.args[0]) == width(m.args[0])) {
    return ult(n.args[0], m.args[0]);
  }
  if (n.kind == Kind::zext && m.kind == Kind::constant && m.value <= mask_of(width(n.args[0]))) {
    return ult(n.args[0], constant(m.value, width(n.args[0])));
  }
  if (m.kind == Kind::zext && n.kind == Kind::constant && n.value <= mask_of(width(m.args[0]))) {
    return ult(constant(n.value, width(m.args[0])), m.args[0]);
  }
  // Both without wrapping: their difference decides.
  const Sum l = sum_of(a), r = sum_of(b);
  const auto exact = [this](const Sum& s) {
    const Bounds bounds = unsigned_bounds(*this, s);
    return bounds.low >= 0 && bounds.high <= static_cast<__int128>(mask_of(s.width));
  };
  if ((l.parts.size() > 1 || r.parts.size() > 1) && exact(l) && exact(r)) {
    const Bounds bounds = difference_bounds(*this, l, r);
    if (bounds.high < 0) return truth(true);
    if (bounds.low >= 0) return truth(false);
  }
  return make(Kind::ult, 0, {a, b});
}

Term Context::slt(Term a, Term b) {
  if (a == b) return truth(false);
  const Range x = node(a).range, y = node(b).range;
  if (x.signed_high < y.signed_low) return truth(true);
  if (x.signed_low >= y.signed_high) return truth(false);
  // Of numbers that are not negative the order is the same.
  if (x.signed_low >= 0 && y.signed_low >= 0) return ult(a, b);
  const Node &n = node(a), &m = node(b);
  if (n.kind == Kind::sext && m.kind == Kind::sext && width(n.args[0]) == width(m.args[0])) {
    return slt(n.args[0], m.args[0]);
  }
  if (n.kind == Kind::sext && m.kind == Kind::constant) {
    const int small = width(n.args[0]);
    if (as_signed(m.value & mask_of(small), small) == as_signed(m.value, m.width)) {
      return slt(n.args[0], constant(m.value, small));
    }
  }
  if (m.kind == Kind::sext && n.kind == Kind::constant) {
    const int small = width(m.args[0]);
    if (as_signed(n.value & mask_of(small), small) == as_signed(n.value, n.width)) {
      return slt(constant(n.value, small), m.args[0]);
    }
  }
  return make(Kind::slt, 0, {a, b});
}

}  // namespace headway::smt
