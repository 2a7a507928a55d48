#include "smt/term.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

namespace headway::smt {

int log2_of(std::uint64_t power) { return std::countr_zero(power); }

namespace {

std::size_t hash_of(const Node& n) {
  std::size_t h = static_cast<std::size_t>(n.kind) * 0x9e3779b97f4a7c15ULL + n.width;
  const auto mix = [&h](std::uint64_t x) {
    h ^= x + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
    h *= 0xff51afd7ed558ccdULL;
  };
  mix(n.value);
  mix(n.name);
  for (const Term t : n.args) mix(t.id);
  for (const std::uint64_t f : n.factors) mix(f);
  return h;
}

bool same(const Node& a, const Node& b) {
  return a.kind == b.kind && a.width == b.width && a.value == b.value && a.name == b.name &&
         a.args == b.args && a.factors == b.factors;
}

Range full_range(int width) {
  const std::uint64_t top = mask_of(width);
  return {0, top, as_signed(std::uint64_t{1} << (width - 1), width),
          static_cast<std::int64_t>(top >> 1)};
}

// Each half of a range says something of the other.
void settle(Range& r, int width) {
  const std::uint64_t half = std::uint64_t{1} << (width - 1);
  if (r.high < half || r.low >= half) {
    r.signed_low = std::max(r.signed_low, as_signed(r.low, width));
    r.signed_high = std::min(r.signed_high, as_signed(r.high, width));
  }
  if (r.signed_low >= 0 || r.signed_high < 0) {
    r.low = std::max(r.low, static_cast<std::uint64_t>(r.signed_low) & mask_of(width));
    r.high = std::min(r.high, static_cast<std::uint64_t>(r.signed_high) & mask_of(width));
  }
}

}  // namespace

Context::Context() {
  names_.emplace_back();
  for (const std::uint64_t value : {0U, 1U}) {
    Node n;
    n.value = value;
    intern(std::move(n));
  }
}

std::uint32_t Context::name_of(std::string_view name) {
  const auto [at, added] =
      name_ids_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
  if (added) names_.emplace_back(name);
  return at->second;
}

Term Context::intern(Node n) {
  const std::size_t h = hash_of(n);
  const auto [first, last] = table_.equal_range(h);
  for (auto at = first; at != last; ++at) {
    if (same(nodes_[at->second], n)) return Term{at->second};
  }
  if (n.width > 0 && n.kind != Kind::variable) find_range(n);
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(std::move(n));
  table_.emplace(h, id);
  return Term{id};
}

Term Context::make(Kind kind, int width, std::vector<Term> args, std::uint64_t value) {
  Node n;
  n.kind = kind;
  n.width = width;
  n.args = std::move(args);
  n.value = value;
  return intern(std::move(n));
}

Term Context::constant(std::uint64_t value, int width) {
  if (width == 0) return truth((value & 1) != 0);
  return make(Kind::constant, width, {}, value & mask_of(width));
}

Term Context::variable(std::string_view name, int width) {
  return width == 0 ? variable(name, 0, 0, 1) : variable(name, width, 0, mask_of(width));
}

Term Context::variable(std::string_view name, int width, std::uint64_t low, std::uint64_t high) {
  if (const auto at = variables_.find(std::string(name)); at != variables_.end()) {
    return Term{at->second};
  }
  if (width > 0 && low == high) return constant(low, width);
  Node n;
  n.kind = Kind::variable;
  n.width = width;
  n.name = name_of(name);
  if (width > 0) {
    n.range = full_range(width);
    n.range.low = low;
    n.range.high = high;
    settle(n.range, width);
  }
  const Term t = intern(std::move(n));
  variables_.emplace(std::string(name), t.id);
  return t;
}

Term Context::fresh(std::string_view hint, int width) {
  for (;;) {
    std::string name = fmt::format("{}!{}", hint, next_fresh_++);
    if (!variables_.contains(name)) return variable(name, width);
  }
}

Term Context::apply(std::string_view function, int width, std::vector<Term> args) {
  Node n;
  n.kind = Kind::apply;
  n.width = width;
  n.name = name_of(function);
  n.args = std::move(args);
  return intern(std::move(n));
}

Term Context::negation(Term a) {
  const Node& n = node(a);
  if (n.kind == Kind::constant) return truth(n.value == 0);
  if (n.kind == Kind::negation) return n.args[0];
  return make(Kind::negation, 0, {a});
}

namespace {

// Larger ones stay in parts, so that a chain costs no square of its length.
constexpr std::size_t kFlatten = 48;

}  // namespace

Term Context::conjunction(const std::vector<Term>& args) {
  std::vector<Term> flat;
  for (const Term t : args) {
    const Node& n = node(t);
    if (n.kind == Kind::conjunction && n.args.size() + flat.size() <= kFlatten) {
      flat.insert(flat.end(), n.args.begin(), n.args.end());
    } else {
      flat.push_back(t);
    }
  }
  std::sort(flat.begin(), flat.end());
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  std::erase(flat, truth(true));
  const auto has = [&flat](Term t) { return std::binary_search(flat.begin(), flat.end(), t); };
  if (has(truth(false))) return truth(false);
  std::vector<Term> kept;
  for (const Term t : flat) {
    const Node& n = node(t);
    if (n.kind == Kind::negation && has(n.args[0])) return truth(false);
    // not (a and b) beside a, b: false; beside a: not b. (a or b) beside a: nothing new; beside
    // not a: b.
    if (n.kind == Kind::negation && node(n.args[0]).kind == Kind::conjunction) {
      const auto& inner = node(n.args[0]).args;
      std::vector<Term> rest;
      for (const Term i : inner) {
        if (!has(i)) rest.push_back(i);
      }
      if (rest.size() < inner.size()) {
        if (rest.empty()) return truth(false);
        std::vector<Term> again = flat;
        std::erase(again, t);
        again.push_back(negation(conjunction(rest)));
        return conjunction(again);
      }
    }
    if (n.kind == Kind::disjunction) {
      bool implied = false;
      std::vector<Term> rest;
      for (const Term i : n.args) {
        if (has(i)) implied = true;
        const Node& m = node(i);
        const bool refuted = m.kind == Kind::negation ? has(m.args[0]) : has(negation(i));
        if (!refuted) rest.push_back(i);
      }
      if (implied) continue;
      if (rest.size() < n.args.size()) {
        std::vector<Term> again = flat;
        std::erase(again, t);
        again.push_back(disjunction(rest));
        return conjunction(again);
      }
    }
    kept.push_back(t);
  }
  if (kept.empty()) return truth(true);
  if (kept.size() == 1) return kept[0];
  return make(Kind::conjunction, 0, std::move(kept));
}

Term Context::disjunction(const std::vector<Term>& args) {
  std::vector<Term> flat;
  for (const Term t : args) {
    const Node& n = node(t);
    if (n.kind == Kind::disjunction && n.args.size() + flat.size() <= kFlatten) {
      flat.insert(flat.end(), n.args.begin(), n.args.end());
    } else {
      flat.push_back(t);
    }
  }
  std::sort(flat.begin(), flat.end());
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  std::erase(flat, truth(false));
  const auto has = [&flat](Term t) { return std::binary_search(flat.begin(), flat.end(), t); };
  if (has(truth(true))) return truth(true);
  std::vector<Term> kept;
  for (const Term t : flat) {
    const Node& n = node(t);
    if (n.kind == Kind::negation && has(n.args[0])) return truth(true);
    if (n.kind == Kind::conjunction) {
      bool implied = false;
      std::vector<Term> rest;
      for (const Term i : n.args) {
        if (has(i)) implied = true;
        const Node& m = node(i);
        const bool certain = m.kind == Kind::negation ? has(m.args[0]) : has(negation(i));
        if (!certain) rest.push_back(i);
      }
      if (implied) continue;
      if (rest.size() < n.args.size()) {
        std::vector<Term> again = flat;
        std::erase(again, t);
        again.push_back(conjunction(rest));
        return disjunction(again);
      }
    }
    kept.push_back(t);
  }
  if (kept.empty()) return truth(false);
  if (kept.size() == 1) return kept[0];
  // a and c, or b and not c, with a = b: what paths that meet again have in common.
  if (kept.size() == 2 && node(kept[0]).kind == Kind::conjunction &&
      node(kept[1]).kind == Kind::conjunction) {
    std::vector<Term> left = node(kept[0]).args, right = node(kept[1]).args, common, l, r;
    std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                          std::back_inserter(common));
    if (!common.empty()) {
      std::set_difference(left.begin(), left.end(), common.begin(), common.end(),
                          std::back_inserter(l));
      std::set_difference(right.begin(), right.end(), common.begin(), common.end(),
                          std::back_inserter(r));
      const Term one = conjunction(l), other = conjunction(r);
      if (one == negation(other)) return conjunction(common);
    }
  }
  return make(Kind::disjunction, 0, std::move(kept));
}

Term Context::ite(Term condition, Term then, Term otherwise) {
  if (is_true(condition) || then == otherwise) return then;
  if (is_false(condition)) return otherwise;
  if (node(condition).kind == Kind::negation) {
    return ite(node(condition).args[0], otherwise, then);
  }
  const int w = width(then);
  if (w == 0) {
    if (is_true(then)) return disjunction(condition, otherwise);
    if (is_false(then)) return conjunction(negation(condition), otherwise);
    if (is_true(otherwise)) return disjunction(negation(condition), then);
    if (is_false(otherwise)) return conjunction(condition, then);
  }
  if (node(then).kind == Kind::ite && node(then).args[0] == condition) then = node(then).args[1];
  if (node(otherwise).kind == Kind::ite && node(otherwise).args[0] == condition) {
    otherwise = node(otherwise).args[2];
  }
  if (then == otherwise) return then;
  return make(Kind::ite, w, {condition, then, otherwise});
}

Term Context::bits_of(Term boolean, int width) {
  if (width == 0) return boolean;
  return ite(boolean, constant(1, width), constant(0, width));
}

Term Context::nonzero(Term a) {
  return width(a) == 0 ? a : negation(equal(a, constant(0, width(a))));
}

// The range of a term where a comparison holds, or does not: that of minima, maxima and what is
// clamped.
Range Context::under(const Node& comparison, bool holds, Term t) const {
  Range r = node(t).range;
  const bool is_signed = comparison.kind == Kind::slt;
  if (!is_signed && comparison.kind != Kind::ult) return r;
  const Term l = comparison.args[0], g = comparison.args[1];
  if (t != l && t != g) return r;
  const Range other = node(t == l ? g : l).range;
  // l < g, or g <= l; never at an end of what can be written, as the other one is beyond.
  const bool is_less = (t == l) == holds;
  if (is_signed) {
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    if (is_less && (!holds || other.signed_high > least)) {
      r.signed_high = std::min(r.signed_high, other.signed_high - (holds ? 1 : 0));
    }
    if (!is_less && (!holds || other.signed_low < most)) {
      r.signed_low = std::max(r.signed_low, other.signed_low + (holds ? 1 : 0));
    }
    if (r.signed_low > r.signed_high) return node(t).range;  // never so
    if (r.signed_low >= 0) {
      r.low = std::max(r.low, static_cast<std::uint64_t>(r.signed_low));
      r.high = std::min(r.high, static_cast<std::uint64_t>(r.signed_high));
    }
  } else {
    if (is_less && (!holds || other.high > 0))
      r.high = std::min(r.high, other.high - (holds ? 1 : 0));
    if (!is_less && (!holds || other.low < ~std::uint64_t{0})) {
      r.low = std::max(r.low, other.low + (holds ? 1 : 0));
    }
    if (r.low > r.high) return node(t).range;
    const std::uint64_t half = mask_of(width(t)) >> 1;
    if (r.high <= half) {
      r.signed_low = std::max(r.signed_low, static_cast<std::int64_t>(r.low));
      r.signed_high = std::min(r.signed_high, static_cast<std::int64_t>(r.high));
    }
  }
  const bool is_empty = r.low > r.high || r.signed_low > r.signed_high;
  return is_empty ? node(t).range : r;
}

void Context::find_range(Node& n) const {
  Range r = full_range(n.width);
  const auto range = [this](Term t) { return node(t).range; };
  switch (n.kind) {
    case Kind::constant:
      r = {n.value, n.value, as_signed(n.value, n.width), as_signed(n.value, n.width)};
      break;
    case Kind::ite: {
      const Node& condition = node(n.args[0]);
      const Range a = under(condition, true, n.args[1]), b = under(condition, false, n.args[2]);
      r = {std::min(a.low, b.low), std::max(a.high, b.high), std::min(a.signed_low, b.signed_low),
           std::max(a.signed_high, b.signed_high)};
      break;
    }
    case Kind::linear: {
      Sum sum;
      sum.width = n.width;
      sum.constant = n.value;
      for (std::size_t i = 0; i < n.args.size(); ++i) {
        sum.parts.emplace_back(n.args[i], n.factors[i]);
      }
      const Bounds u = unsigned_bounds(*this, sum), s = signed_bounds(*this, sum);
      if (u.low >= 0 && u.high <= static_cast<__int128>(mask_of(n.width))) {
        r.low = static_cast<std::uint64_t>(u.low);
        r.high = static_cast<std::uint64_t>(u.high);
      }
      if (s.low >= r.signed_low && s.high <= r.signed_high) {
        r.signed_low = static_cast<std::int64_t>(s.low);
        r.signed_high = static_cast<std::int64_t>(s.high);
      } else if (u.low >= r.signed_low && u.high <= r.signed_high) {
        r.signed_low = static_cast<std::int64_t>(u.low);
        r.signed_high = static_cast<std::int64_t>(u.high);
      }
      break;
    }
    case Kind::product: {
      const Range a = range(n.args[0]), b = range(n.args[1]);
      const unsigned __int128 top = static_cast<unsigned __int128>(a.high) * b.high;
      if (top <= mask_of(n.width)) {
        r.low = a.low * b.low;
        r.high = static_cast<std::uint64_t>(top);
      }
      break;
    }
    case Kind::udiv: {
      const Range a = range(n.args[0]), b = range(n.args[1]);
      if (b.low > 0) {
        r.low = a.low / b.high;
        r.high = a.high / b.low;
      }
      break;
    }
    case Kind::urem: {
      const Range a = range(n.args[0]), b = range(n.args[1]);
      if (b.low > 0) r.high = std::min(a.high, b.high - 1);
      break;
    }
    case Kind::lshr: {
      const Range a = range(n.args[0]), b = range(n.args[1]);
      r.high = b.low >= 64 ? 0 : a.high >> b.low;
      if (b.high < static_cast<std::uint64_t>(n.width)) r.low = a.low >> b.high;
      break;
    }
    case Kind::bit_and:
      r.high = std::min(range(n.args[0]).high, range(n.args[1]).high);
      break;
    case Kind::bit_or:
    case Kind::bit_xor: {
      const std::uint64_t top = range(n.args[0]).high | range(n.args[1]).high;
      const int bits = 64 - std::countl_zero(top);
      r.high = std::min(r.high, mask_of(bits));
      break;
    }
    case Kind::zext:
      r.low = range(n.args[0]).low;
      r.high = range(n.args[0]).high;
      break;
    case Kind::sext: {
      r.signed_low = range(n.args[0]).signed_low;
      r.signed_high = range(n.args[0]).signed_high;
      break;
    }
    default:
      break;
  }
  settle(r, n.width);
  n.range = r;
}

Term Context::rebuild(const Node& n, std::vector<Term> a) {
  switch (n.kind) {
    case Kind::constant:
    case Kind::variable:
      break;
    case Kind::apply:
      return apply(names_[n.name], n.width, std::move(a));
    case Kind::negation:
      return negation(a[0]);
    case Kind::conjunction:
      return conjunction(a);
    case Kind::disjunction:
      return disjunction(a);
    case Kind::ite:
      return ite(a[0], a[1], a[2]);
    case Kind::equal:
      return equal(a[0], a[1]);
    case Kind::ult:
      return ult(a[0], a[1]);
    case Kind::slt:
      return slt(a[0], a[1]);
    case Kind::linear: {
      Term sum = constant(n.value, n.width);
      for (std::size_t i = 0; i < a.size(); ++i) sum = add(sum, scale(a[i], n.factors[i]));
      return sum;
    }
    case Kind::product:
      return mul(a[0], a[1]);
    case Kind::udiv:
      return udiv(a[0], a[1]);
    case Kind::urem:
      return urem(a[0], a[1]);
    case Kind::sdiv:
      return sdiv(a[0], a[1]);
    case Kind::srem:
      return srem(a[0], a[1]);
    case Kind::shl:
      return shl(a[0], a[1]);
    case Kind::lshr:
      return lshr(a[0], a[1]);
    case Kind::ashr:
      return ashr(a[0], a[1]);
    case Kind::bit_and:
      return bit_and(a[0], a[1]);
    case Kind::bit_or:
      return bit_or(a[0], a[1]);
    case Kind::bit_xor:
      return bit_xor(a[0], a[1]);
    case Kind::extract:
      return extract(a[0], static_cast<int>(n.value), n.width);
    case Kind::concat: {
      const int low = width(a[1]);
      return bit_or(shl(zext(a[0], n.width), constant(static_cast<std::uint64_t>(low), n.width)),
                    zext(a[1], n.width));
    }
    case Kind::zext:
      return zext(a[0], n.width);
    case Kind::sext:
      return sext(a[0], n.width);
  }
  assert(false);
  return truth(false);
}

Term Context::substitute(Term t, const Substitution& by) {
  if (by.empty()) return t;
  std::unordered_map<std::uint32_t, Term> known;
  std::vector<std::uint32_t> stack{t.id};
  while (!stack.empty()) {
    const std::uint32_t at = stack.back();
    if (known.contains(at)) {
      stack.pop_back();
      continue;
    }
    if (const auto found = by.find(at); found != by.end()) {
      known.emplace(at, found->second);
      stack.pop_back();
      continue;
    }
    const Node& n = nodes_[at];
    bool ready = true;
    for (const Term a : n.args) {
      if (!known.contains(a.id)) {
        stack.push_back(a.id);
        ready = false;
      }
    }
    if (!ready) continue;
    stack.pop_back();
    std::vector<Term> args;
    for (const Term a : n.args) args.push_back(known.at(a.id));
    known.emplace(at, args == n.args ? Term{at} : rebuild(n, std::move(args)));
  }
  return known.at(t.id);
}

std::vector<Term> Context::leaves(Term t) const {
  std::vector<Term> found;
  std::vector<bool> seen(t.id + 1, false);
  std::vector<std::uint32_t> stack{t.id};
  while (!stack.empty()) {
    const std::uint32_t at = stack.back();
    stack.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    const Node& n = nodes_[at];
    if (n.kind == Kind::variable || n.kind == Kind::apply) found.push_back(Term{at});
    for (const Term a : n.args) stack.push_back(a.id);
  }
  return found;
}

std::string Context::text(Term t, int depth) const {
  static constexpr const char* words[] = {
      "",       "",      "",      "not",    "and",     "or",     "ite",    "=",     "bvult",
      "bvslt",  "+",     "bvmul", "bvudiv", "bvurem",  "bvsdiv", "bvsrem", "bvshl", "bvlshr",
      "bvashr", "bvand", "bvor",  "bvxor",  "extract", "concat", "zext",   "sext"};
  const Node& n = node(t);
  if (n.kind == Kind::constant) {
    return n.width == 0 ? (n.value != 0 ? "true" : "false")
                        : fmt::format("{}", as_signed(n.value, n.width));
  }
  if (n.kind == Kind::variable) return names_[n.name];
  if (depth == 0) return "...";
  std::string result = "(";
  result += n.kind == Kind::apply ? names_[n.name] : words[static_cast<int>(n.kind)];
  if (n.kind == Kind::extract) result += fmt::format(":{}+{}", n.value, n.width);
  for (std::size_t i = 0; i < n.args.size(); ++i) {
    result += ' ';
    if (n.kind == Kind::linear && n.factors[i] != 1) {
      result += fmt::format("{}*", as_signed(n.factors[i], n.width));
    }
    result += text(n.args[i], depth - 1);
  }
  if (n.kind == Kind::linear && n.value != 0) {
    result += fmt::format(" {}", as_signed(n.value, n.width));
  }
  return result + ")";
}

}  // namespace headway::smt
