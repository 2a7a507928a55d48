#include "verify/wrapping.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace headway::verify {

using kernel::Op;
using smt::Term;

namespace {

using Wide = __int128;

// Over the integers. Products are within 2^128 without sign, and within 2^126 with sign.
template <typename Number>
Number exact(Op op, Number a, Number b) {
  return op == Op::add ? a + b : op == Op::sub ? a - b : a * b;
}

Wide least(bool with_sign, int width) {
  return with_sign ? -(static_cast<Wide>(1) << (width - 1)) : 0;
}
Wide most(bool with_sign, int width) {
  return (static_cast<Wide>(1) << (with_sign ? width - 1 : width)) - 1;
}

class Fits {
 public:
  Fits(smt::Context& context, bool with_sign, int width)
      : c_(context), with_sign_(with_sign), width_(width) {}

  Term of(Op op, Term a, Term b) {
    assert(may_wrap(op));
    if (op == Op::add) {
      const Term sum = c_.add(a, b);
      if (!with_sign_) return c_.ule(a, sum);
      return c_.disjunction(c_.differ(negative(a), negative(b)),
                            c_.equal(negative(a), negative(sum)));
    }
    if (op == Op::sub) {
      if (!with_sign_) return c_.ule(b, a);
      return c_.disjunction(c_.equal(negative(a), negative(b)),
                            c_.equal(negative(a), negative(c_.sub(a, b))));
    }
    if (op == Op::mul) return product(a, b);
    if (op == Op::shl) return shift(a, b);
    const Term cut = c_.resize(a, width_);
    const int all = c_.width(a);
    return c_.equal(with_sign_ ? c_.sext(cut, all) : c_.zext(cut, all), a);
  }

 private:
  std::uint64_t half() const { return std::uint64_t{1} << (width_ - 1); }
  Term number(std::uint64_t value) { return c_.constant(value, width_); }
  Term negative(Term t) { return c_.ule(number(half()), t); }

  // Whether a * b is at most that, of numbers without sign.
  Term within(Term a, Term b, std::uint64_t top) {
    if (width_ <= 32) {
      return c_.ule(c_.mul(c_.zext(a, 64), c_.zext(b, 64)), c_.constant(top, 64));
    }
    if (c_.is_constant(a)) std::swap(a, b);
    if (c_.is_constant(b)) {
      const std::uint64_t by = c_.value(b);
      return by == 0 ? c_.truth(true) : c_.ule(a, number(top / by));
    }
    const Term all = c_.mul(a, b);
    return c_.disjunction(c_.equal(a, number(0)),
                          c_.conjunction(c_.equal(c_.udiv(all, a), b), c_.ule(all, number(top))));
  }

  Term product(Term a, Term b) {
    if (!with_sign_) return within(a, b, smt::mask_of(width_));
    const Term x = negative(a), y = negative(b);
    const auto both = [&](Term left, Term right, Term size) {
      return c_.conjunction({left, right, size});
    };
    return c_.disjunction({both(c_.negation(x), c_.negation(y), within(a, b, half() - 1)),
                           both(x, c_.negation(y), within(c_.neg(a), b, half())),
                           both(c_.negation(x), y, within(a, c_.neg(b), half())),
                           both(x, y, within(c_.neg(a), c_.neg(b), half() - 1))});
  }

  Term shift(Term a, Term b) {
    const auto bits = static_cast<std::uint64_t>(width_);
    if (c_.is_constant(b)) {
      const std::uint64_t by = c_.value(b);
      if (by >= bits) return c_.truth(true);
      if (!with_sign_) return c_.ule(a, number(smt::mask_of(width_) >> by));
      return c_.disjunction(c_.ule(a, number((half() - 1) >> by)),
                            c_.ule(number(0 - (half() >> by)), a));
    }
    const Term moved = c_.shl(a, b);
    return c_.disjunction(c_.ule(number(bits), b),
                          c_.equal(with_sign_ ? c_.ashr(moved, b) : c_.lshr(moved, b), a));
  }

  smt::Context& c_;
  bool with_sign_;
  int width_;
};

// By the ends of what operands are.
bool always_fits(Op op, bool with_sign, int width, const smt::Range& a, const smt::Range& b) {
  const auto ends = [with_sign](const smt::Range& r) {
    return with_sign ? std::pair<Wide, Wide>(r.signed_low, r.signed_high)
                     : std::pair<Wide, Wide>(r.low, r.high);
  };
  const auto [a_low, a_high] = ends(a);
  const auto [b_low, b_high] = ends(b);
  const Wide low = least(with_sign, width), high = most(with_sign, width);
  if (op == Op::trunc) return a_low >= low && a_high <= high;
  // Of products without sign, so that they stay within 2^126.
  const Wide far = static_cast<Wide>(1) << 63;
  if (op == Op::shl || (op == Op::mul && (a_high >= far || b_high >= far))) return false;
  const Wide all[] = {exact(op, a_low, b_low), exact(op, a_low, b_high), exact(op, a_high, b_low),
                      exact(op, a_high, b_high)};
  return *std::min_element(all, all + 4) >= low && *std::max_element(all, all + 4) <= high;
}

// Numbers that are of one kind, and what uses say of them.
class Kinds {
 public:
  explicit Kinds(const kernel::Function& function) : f_(function), parent_(function.values.size()) {
    std::iota(parent_.begin(), parent_.end(), 0U);
    said_.assign(parent_.size(), 0);
  }

  Signs signs() {
    for (const kernel::Block& block : f_.blocks) {
      for (const kernel::Instruction& i : block.code) see(i);
    }
    Signs result;
    for (kernel::ValueId id = 0; id < parent_.size(); ++id) result.group.push_back(root(id));
    for (const std::uint8_t said : said_) result.of.push_back(static_cast<Signs::Kind>(said));
    return result;
  }

 private:
  static constexpr std::uint8_t kWith = 1, kWithout = 2;  // both: Signs::Kind::open

  std::uint32_t root(std::uint32_t id) {
    while (parent_[id] != id) id = parent_[id] = parent_[parent_[id]];
    return id;
  }
  // Constants have no kind.
  bool counts(kernel::ValueId id) const {
    return id != kernel::kNone && f_.value(id).kind != kernel::Value::Kind::constant;
  }
  void say(kernel::ValueId id, std::uint8_t kind) {
    if (counts(id)) said_[root(id)] |= kind;
  }
  void join(kernel::ValueId a, kernel::ValueId b) {
    if (!counts(a) || !counts(b) || root(a) == root(b)) return;
    said_[root(b)] |= said_[root(a)];
    parent_[root(a)] = root(b);
  }

  void see(const kernel::Instruction& i) {
    using kernel::Math;
    const auto operand = [&](std::size_t k) { return i.operands[k]; };
    const auto all_with = [&](kernel::ValueId other) {
      for (const kernel::ValueId id : i.operands) join(id, other);
    };
    if (i.op == Op::add || i.op == Op::sub || i.op == Op::mul || i.op == Op::phi) {
      return all_with(i.result);
    }
    if (i.op == Op::select) {
      join(operand(1), i.result);
      return join(operand(2), i.result);
    }
    if (kernel::is_division(i.op)) {
      all_with(i.result);
      return say(i.result, i.op == Op::udiv || i.op == Op::urem ? kWithout : kWith);
    }
    if (kernel::is_shift(i.op)) {
      join(operand(0), i.result);
      if (i.op != Op::shl) say(i.result, i.op == Op::lshr ? kWithout : kWith);
      return;
    }
    if (i.op == Op::zext || i.op == Op::uint_to_real) return say(operand(0), kWithout);
    if (i.op == Op::sext || i.op == Op::sint_to_real) return say(operand(0), kWith);
    if (i.op == Op::math) {
      const bool with = i.math == Math::smin || i.math == Math::smax;
      if (!with && i.math != Math::umin && i.math != Math::umax) return;
      all_with(i.result);
      return say(i.result, with ? kWith : kWithout);
    }
    if (!kernel::is_comparison(i.op)) return;
    join(operand(0), operand(1));
    if (!kernel::is_order(i.op)) return;
    const bool with = kernel::class_of(i.op) == kernel::OpClass::signed_order;
    for (const kernel::ValueId id : i.operands) say(id, with ? kWith : kWithout);
  }

  const kernel::Function& f_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint8_t> said_;
};

}  // namespace

Signs signs_of(const kernel::Function& function) { return Kinds(function).signs(); }

bool may_wrap(Op op) {
  return op == Op::add || op == Op::sub || op == Op::mul || op == Op::shl || op == Op::trunc;
}

bool wraps(Op op, bool with_sign, int bits, int width, std::uint64_t a, std::uint64_t b) {
  if (op == Op::shl && b >= static_cast<std::uint64_t>(bits)) return false;
  const Wide low = least(with_sign, width), high = most(with_sign, width);
  const Wide x = with_sign ? Wide{smt::as_signed(a, bits)} : Wide{a};
  if (op == Op::trunc) return x < low || x > high;
  if (op == Op::sub && !with_sign) return a < b;
  // What is shifted by so many bits is multiplied by a number without sign.
  if (op == Op::shl) b = std::uint64_t{1} << b;
  if (!with_sign) {
    return exact<unsigned __int128>(op, a, b) > static_cast<unsigned __int128>(high);
  }
  const Wide made = exact(op, x, op == Op::shl ? Wide{b} : Wide{smt::as_signed(b, bits)});
  return made < low || made > high;
}

bool may_have_wrapped(const Signs& signs, const kernel::Instruction& i, int bits, std::uint64_t a,
                      std::uint64_t b) {
  const Signs::Kind kind = signs.kind(i.result);
  return (kind != Signs::Kind::without && wraps(i.op, true, bits, i.type.bits, a, b)) ||
         (kind != Signs::Kind::with && wraps(i.op, false, bits, i.type.bits, a, b));
}

Term fits(smt::Context& context, Op op, bool with_sign, int width, Term a, Term b) {
  const smt::Range of_b = op == Op::trunc ? smt::Range() : context.node(b).range;
  if (always_fits(op, with_sign, width, context.node(a).range, of_b)) return context.truth(true);
  return Fits(context, with_sign, width).of(op, a, b);
}

}  // namespace headway::verify
