// cvc5 over the integers. The only user of cvc5. The translation is exact: a bit-vector is the
// number that it is without sign, and what may wrap is taken modulo 2^width; where ranges show that
// it does not wrap nothing is written, and that makes most questions linear. Operations on single
// bits are not translated: the answer is `unknown`.
//
// In its linear form products of variables are numbers of their own, of which it is known how they
// compare where they have a factor in common (Laws), and what is not translated is any number. What
// cannot be under these laws cannot be; a model counts where it is one of the bit-vectors, too.
#ifdef HEADWAY_CVC5_MODULE
#include <cvc5/cvc5.h>

#include <algorithm>
#include <map>
#include <set>

#include "smt/solver.hpp"

namespace headway::smt {

namespace {

using Expr = cvc5::Term;

struct Untranslated {};

// Products of integers and a natural number f: x < y implies x * f + f <= y * f, with equality
// where y is x + 1. Quotients and remainders are unique for that reason, and so are the digits of
// numbers of mixed radix; little else is known of a product.
class Laws {
 public:
  enum class Role { number, quotient };
  void add(const Expr& factor, const Expr& number, const Expr& product, Role role) {
    auto& all = of_[factor];
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const Product& other) { return other.number == number; });
    if (!known && all.size() < kMost) all.push_back({number, product, role, false});
  }
  // A number that only counts as part of a sum.
  void leave_out(const Expr& factor, const Expr& number) {
    for (Product& one : of_[factor]) one.part = one.part || one.number == number;
  }

  // `ends`: constants that numbers may be compared with.
  void assert_all(cvc5::Solver& solver, const std::set<std::uint64_t>& ends) const {
    using cvc5::Kind;
    for (const auto& [factor, all] : of_) {
      for (const Product& x : all) {
        for (const std::uint64_t end : ends) {
          const Expr most = solver.mkInteger(std::to_string(end));
          solver.assertFormula(solver.mkTerm(
              Kind::IMPLIES,
              {solver.mkTerm(Kind::LEQ, {x.number, most}),
               solver.mkTerm(Kind::LEQ, {x.product, solver.mkTerm(Kind::MULT, {most, factor})})}));
        }
        for (const Product& y : all) {
          if (x.number != y.number && !x.part && !y.part) compare(solver, factor, x, y);
        }
      }
    }
  }

 private:
  static constexpr std::size_t kMost = 32;
  struct Product {
    Expr number, product;  // the number, and what it is times the factor
    Role role = Role::number;
    bool part = false;
  };

  static void compare(cvc5::Solver& solver, const Expr& factor, const Product& x,
                      const Product& y) {
    using cvc5::Kind;
    const auto law = [&](Kind relation, const Expr& less, Kind then, const Expr& product) {
      const Expr premise = solver.mkTerm(relation, {less, y.number});
      const Expr conclusion = solver.mkTerm(then, {product, y.product});
      solver.assertFormula(solver.mkTerm(Kind::IMPLIES, {premise, conclusion}));
    };
    const Expr one = solver.mkInteger(1);
    const Expr next = solver.mkTerm(Kind::ADD, {x.number, one});
    const Expr product = solver.mkTerm(Kind::ADD, {x.product, factor});
    if (x.number < y.number) law(Kind::EQUAL, x.number, Kind::EQUAL, x.product);
    law(Kind::LEQ, next, Kind::LEQ, product);
    if (x.role != Role::quotient || y.role != Role::quotient) return;
    const Expr second = solver.mkTerm(Kind::ADD, {next, one});
    law(Kind::EQUAL, next, Kind::EQUAL, product);
    law(Kind::LEQ, second, Kind::LEQ, solver.mkTerm(Kind::ADD, {product, factor}));
  }

  std::map<Expr, std::vector<Product>> of_;
};

class Cvc5Solver final : public Solver {
 public:
  Cvc5Solver(Context& context, bool linear) : terms_(context), linear_(linear) {}

  Answer check(const std::vector<Term>& terms, std::chrono::milliseconds limit) override {
    model_ = Model();
    cvc5::Solver solver;
    solver_ = &solver;
    known_.clear();
    leaves_.clear();
    approximate_.clear();
    functions_.clear();
    laws_ = Laws();
    products_.clear();
    divisions_.clear();
    try {
      solver.setOption("produce-models", "true");
      solver.setOption("tlimit-per", std::to_string(std::max<std::int64_t>(limit.count(), 1)));
      solver.setLogic(linear_ ? "QF_UFLIA" : "QF_UFNIA");
      for (const Term t : terms) solver.assertFormula(translate(t));
      for (const Term leaf : leaves_) assert_range(leaf);
      laws_.assert_all(solver, upper_ends());
      const cvc5::Result result = solver.checkSat();
      if (result.isUnsat()) return Answer::unsat;
      if (!result.isSat()) return Answer::unknown;
      for (const Term leaf : leaves_) set_value(leaf);
      // A model counts where it is one of the bit-vectors.
      const bool holds = std::all_of(terms.begin(), terms.end(),
                                     [this](Term t) { return model_.holds(terms_, t); });
      if (holds) return Answer::sat;
      model_ = Model();
      if (!linear_) return Answer::unknown;
      for (const Term leaf : leaves_) set_value(leaf);
      for (const Term t : approximate_) set_value(t);
      return Answer::unknown;
    } catch (const Untranslated&) {
      return Answer::unknown;
    } catch (const std::exception&) {
      return Answer::unknown;
    }
  }

  const Model& model() const override { return model_; }

 private:
  // The largest values of variables that have one of their own, as arguments with a bound.
  std::set<std::uint64_t> upper_ends() const {
    std::set<std::uint64_t> ends;
    for (const Term leaf : leaves_) {
      const Node& n = terms_.node(leaf);
      if (n.kind != Kind::variable || n.width == 0 || n.range.high == mask_of(n.width)) continue;
      if (ends.size() < 8) ends.insert(n.range.high);
    }
    return ends;
  }

  void set_value(Term t) {
    const Expr value = solver_->getValue(known_.at(t.id));
    model_.set(t, terms_.width(t) > 0       ? std::stoull(value.getIntegerValue())
                  : value.getBooleanValue() ? 1U
                                            : 0U);
  }

  Expr number(std::int64_t value) { return solver_->mkInteger(value); }
  Expr power(int exponent) {
    if (exponent >= 64) return solver_->mkInteger("18446744073709551616");
    return natural(std::uint64_t{1} << exponent);
  }
  Expr natural(std::uint64_t value) { return solver_->mkInteger(std::to_string(value)); }

  void assert_range(Term leaf) {
    const Node& n = terms_.node(leaf);
    if (n.width == 0) return;
    const Expr x = known_.at(leaf.id);
    const std::uint64_t low = n.kind == Kind::variable ? n.range.low : 0;
    const std::uint64_t high = n.kind == Kind::variable ? n.range.high : mask_of(n.width);
    solver_->assertFormula(solver_->mkTerm(cvc5::Kind::GEQ, {x, natural(low)}));
    solver_->assertFormula(solver_->mkTerm(cvc5::Kind::LEQ, {x, natural(high)}));
  }

  Expr translate(Term t) {
    std::vector<std::uint32_t> stack{t.id};
    while (!stack.empty()) {
      const std::uint32_t at = stack.back();
      if (known_.contains(at)) {
        stack.pop_back();
        continue;
      }
      const Node& n = terms_.node(Term{at});
      bool ready = true;
      for (const Term a : n.args) {
        if (!known_.contains(a.id)) {
          stack.push_back(a.id);
          ready = false;
        }
      }
      if (!ready) continue;
      stack.pop_back();
      known_.emplace(at, build(Term{at}, n));
    }
    return known_.at(t.id);
  }

  // As a number with a sign, of a bit-vector with this term.
  Expr with_sign(Term t) {
    const Node& n = terms_.node(t);
    const Expr x = known_.at(t.id);
    const std::uint64_t half = std::uint64_t{1} << (n.width - 1);
    if (n.range.high < half) return x;
    const Expr negative = solver_->mkTerm(cvc5::Kind::SUB, {x, power(n.width)});
    if (n.range.low >= half) return negative;
    return solver_->mkTerm(cvc5::Kind::ITE,
                           {solver_->mkTerm(cvc5::Kind::LT, {x, natural(half)}), x, negative});
  }

  Expr wrapped(const Expr& x, const Bounds& bounds, int width) {
    const __int128 whole = static_cast<__int128>(1) << width;
    if (bounds.low >= 0 && bounds.high < whole) return x;
    return solver_->mkTerm(cvc5::Kind::INTS_MODULUS, {x, power(width)});
  }

  // A number between two ends, of which nothing else is known.
  Expr some(std::uint64_t low, std::uint64_t high) {
    const Expr x = solver_->mkConst(solver_->getIntegerSort());
    solver_->assertFormula(solver_->mkTerm(cvc5::Kind::GEQ, {x, natural(low)}));
    solver_->assertFormula(solver_->mkTerm(cvc5::Kind::LEQ, {x, natural(high)}));
    return x;
  }

  // x * y over the integers.
  Expr multiplied(const Expr& x, const Expr& y, Laws::Role role = Laws::Role::number) {
    if (!linear_) return solver_->mkTerm(cvc5::Kind::MULT, {x, y});
    const auto key = std::minmax(x, y);
    const auto [at, added] = products_.try_emplace({key.first, key.second});
    if (added) {
      at->second = solver_->mkConst(solver_->getIntegerSort());
      const Expr& product = at->second;
      for (const auto& [one, other] : {std::pair(x, y), std::pair(y, x)}) {
        const Expr none = solver_->mkTerm(cvc5::Kind::EQUAL, {one, number(0)});
        const Expr zero = solver_->mkTerm(cvc5::Kind::EQUAL, {product, number(0)});
        const Expr no_less = solver_->mkTerm(cvc5::Kind::GEQ, {product, other});
        solver_->assertFormula(solver_->mkTerm(cvc5::Kind::ITE, {none, zero, no_less}));
        laws_.add(other, one, product, role);
      }
    }
    return at->second;
  }

  // Of a sum with several products that have a factor in common, what that factor is multiplied by.
  void note_common_factors(const Node& n) {
    std::map<Term, std::vector<std::pair<Term, std::int64_t>>> by_factor;
    std::map<Term, std::int64_t> alone;
    for (std::size_t i = 0; i < n.args.size(); ++i) {
      const std::int64_t f = as_signed(n.factors[i], n.width);
      alone[n.args[i]] = f;
      const Node& part = terms_.node(n.args[i]);
      if (part.kind != Kind::product) continue;
      by_factor[part.args[0]].emplace_back(part.args[1], f);
      if (part.args[0] != part.args[1]) by_factor[part.args[1]].emplace_back(part.args[0], f);
    }
    for (const auto& [factor, parts] : by_factor) {
      const auto itself = alone.find(factor);
      if (parts.size() + (itself != alone.end() ? 1 : 0) < 2) continue;
      const Expr& common = known_.at(factor.id);
      std::vector<Expr> numbers{number(0)}, products{number(0)};
      const auto take = [&](std::int64_t f, const Expr& x, const Expr& product) {
        numbers.push_back(solver_->mkTerm(cvc5::Kind::MULT, {number(f), x}));
        products.push_back(solver_->mkTerm(cvc5::Kind::MULT, {number(f), product}));
      };
      for (const auto& [part, f] : parts) {
        const Expr& x = known_.at(part.id);
        take(f, x, multiplied(x, common));
        laws_.leave_out(common, x);
      }
      if (itself != alone.end()) take(itself->second, number(1), common);
      laws_.add(common, solver_->mkTerm(cvc5::Kind::ADD, numbers),
                solver_->mkTerm(cvc5::Kind::ADD, products), Laws::Role::number);
    }
  }

  // Quotient and remainder by a number that is not 0: x = q * d + r and r < d.
  std::pair<Expr, Expr> divided(const Expr& x, Term divisor) {
    const Expr& d = known_.at(divisor.id);
    const auto [at, added] = divisions_.try_emplace({x, d});
    if (!added) return at->second;
    const Expr q = some(0, ~std::uint64_t{0}), r = some(0, ~std::uint64_t{0});
    at->second = {q, r};
    // By a multiple of a number: by laws about that number.
    const Node& n = terms_.node(divisor);
    Expr whole = d;
    const Bounds bounds = unsigned_bounds(terms_, terms_.sum_of(divisor));
    const bool exact = bounds.low >= 0 && bounds.high <= static_cast<__int128>(mask_of(n.width));
    if (n.kind == Kind::linear && n.args.size() == 1 && n.value == 0 && exact) {
      const Expr f = natural(n.factors[0]);
      whole = solver_->mkTerm(cvc5::Kind::MULT,
                              {f, multiplied(q, known_.at(n.args[0].id), Laws::Role::quotient)});
    } else {
      whole = multiplied(q, d, Laws::Role::quotient);
    }
    const Expr is = solver_->mkTerm(
        cvc5::Kind::AND,
        {solver_->mkTerm(cvc5::Kind::EQUAL, {x, solver_->mkTerm(cvc5::Kind::ADD, {whole, r})}),
         solver_->mkTerm(cvc5::Kind::LT, {r, d})});
    const Expr none = solver_->mkTerm(cvc5::Kind::EQUAL, {d, number(0)});
    solver_->assertFormula(solver_->mkTerm(cvc5::Kind::OR, {none, is}));
    return at->second;
  }

  Expr build(Term t, const Node& n) {
    std::vector<Expr> a;
    for (const Term arg : n.args) a.push_back(known_.at(arg.id));
    switch (n.kind) {
      case Kind::constant:
        return n.width == 0 ? solver_->mkBoolean(n.value != 0) : natural(n.value);
      case Kind::variable:
        leaves_.push_back(t);
        return solver_->mkConst(
            n.width == 0 ? solver_->getBooleanSort() : solver_->getIntegerSort(), terms_.name(n));
      case Kind::apply: {
        leaves_.push_back(t);
        std::string key = terms_.name(n) + ':' + std::to_string(n.width);
        std::vector<cvc5::Sort> domain;
        for (const Term arg : n.args) {
          key += '.' + std::to_string(terms_.width(arg));
          domain.push_back(terms_.width(arg) == 0 ? solver_->getBooleanSort()
                                                  : solver_->getIntegerSort());
        }
        const cvc5::Sort range =
            n.width == 0 ? solver_->getBooleanSort() : solver_->getIntegerSort();
        auto at = functions_.find(key);
        if (at == functions_.end()) {
          at = functions_
                   .emplace(
                       key,
                       solver_->mkConst(
                           domain.empty() ? range : solver_->mkFunctionSort(domain, range), key))
                   .first;
        }
        if (a.empty()) return at->second;
        a.insert(a.begin(), at->second);
        return solver_->mkTerm(cvc5::Kind::APPLY_UF, a);
      }
      case Kind::negation:
        return solver_->mkTerm(cvc5::Kind::NOT, a);
      case Kind::conjunction:
        return solver_->mkTerm(cvc5::Kind::AND, a);
      case Kind::disjunction:
        return solver_->mkTerm(cvc5::Kind::OR, a);
      case Kind::ite:
        return solver_->mkTerm(cvc5::Kind::ITE, a);
      case Kind::equal:
        return solver_->mkTerm(cvc5::Kind::EQUAL, a);
      case Kind::ult:
        return solver_->mkTerm(cvc5::Kind::LT, a);
      case Kind::slt:
        return solver_->mkTerm(cvc5::Kind::LT, {with_sign(n.args[0]), with_sign(n.args[1])});
      case Kind::linear: {
        if (linear_) note_common_factors(n);
        std::vector<Expr> parts{number(as_signed(n.value, n.width))};
        for (std::size_t i = 0; i < a.size(); ++i) {
          const std::int64_t f = as_signed(n.factors[i], n.width);
          parts.push_back(f == 1 ? a[i] : solver_->mkTerm(cvc5::Kind::MULT, {number(f), a[i]}));
        }
        return wrapped(solver_->mkTerm(cvc5::Kind::ADD, parts),
                       unsigned_bounds(terms_, terms_.sum_of(t)), n.width);
      }
      case Kind::product: {
        approximate_.push_back(t);
        const Range x = terms_.node(n.args[0]).range, y = terms_.node(n.args[1]).range;
        const unsigned __int128 top = static_cast<unsigned __int128>(x.high) * y.high;
        const bool fits = top <= mask_of(n.width);
        const Expr product = multiplied(a[0], a[1]);
        if (linear_ && top <= ~std::uint64_t{0}) {
          solver_->assertFormula(solver_->mkTerm(
              cvc5::Kind::LEQ, {product, natural(static_cast<std::uint64_t>(top))}));
        }
        return fits ? product
                    : solver_->mkTerm(cvc5::Kind::INTS_MODULUS, {product, power(n.width)});
      }
      case Kind::udiv:
      case Kind::urem: {
        const bool division = n.kind == Kind::udiv;
        Expr result;
        if (linear_ && !terms_.is_constant(n.args[1])) {
          approximate_.push_back(t);
          const auto [quotient, remainder] = divided(a[0], n.args[1]);
          result = division ? quotient : remainder;
        } else {
          result =
              solver_->mkTerm(division ? cvc5::Kind::INTS_DIVISION : cvc5::Kind::INTS_MODULUS, a);
        }
        if (terms_.node(n.args[1]).range.low > 0) return result;
        return solver_->mkTerm(cvc5::Kind::ITE,
                               {solver_->mkTerm(cvc5::Kind::EQUAL, {a[1], number(0)}),
                                division ? natural(mask_of(n.width)) : a[0], result});
      }
      case Kind::sdiv:
      case Kind::srem: {
        // Towards zero, and with the sign of what is divided.
        const std::uint64_t half = std::uint64_t{1} << (n.width - 1);
        if (!terms_.is_constant(n.args[1])) break;
        const std::uint64_t by = terms_.value(n.args[1]);
        if (by == 0 || by >= half) break;
        const auto kind =
            n.kind == Kind::sdiv ? cvc5::Kind::INTS_DIVISION : cvc5::Kind::INTS_MODULUS;
        const Expr x = with_sign(n.args[0]);
        const Expr is_negative = solver_->mkTerm(cvc5::Kind::LT, {x, number(0)});
        const Expr size = solver_->mkTerm(
            kind, {solver_->mkTerm(cvc5::Kind::ITE,
                                   {is_negative, solver_->mkTerm(cvc5::Kind::NEG, {x}), x}),
                   natural(by)});
        const Expr wrapped_around = solver_->mkTerm(
            cvc5::Kind::ITE, {solver_->mkTerm(cvc5::Kind::EQUAL, {size, number(0)}), size,
                              solver_->mkTerm(cvc5::Kind::SUB, {power(n.width), size})});
        return solver_->mkTerm(cvc5::Kind::ITE, {is_negative, wrapped_around, size});
      }
      case Kind::lshr:
        if (!terms_.is_constant(n.args[1])) break;
        return solver_->mkTerm(cvc5::Kind::INTS_DIVISION,
                               {a[0], power(static_cast<int>(terms_.value(n.args[1])))});
      case Kind::bit_and:
        if (!terms_.is_constant(n.args[1]) || !is_power_of_two(terms_.value(n.args[1]) + 1)) break;
        return solver_->mkTerm(cvc5::Kind::INTS_MODULUS,
                               {a[0], natural(terms_.value(n.args[1]) + 1)});
      case Kind::extract: {
        Expr x = a[0];
        if (n.value > 0) {
          x = solver_->mkTerm(cvc5::Kind::INTS_DIVISION, {x, power(static_cast<int>(n.value))});
        }
        const std::uint64_t high = terms_.node(n.args[0]).range.high >> n.value;
        if (high <= mask_of(n.width)) return x;
        return solver_->mkTerm(cvc5::Kind::INTS_MODULUS, {x, power(n.width)});
      }
      case Kind::concat:
        return solver_->mkTerm(
            cvc5::Kind::ADD,
            {solver_->mkTerm(cvc5::Kind::MULT, {power(terms_.width(n.args[1])), a[0]}), a[1]});
      case Kind::zext:
        return a[0];
      case Kind::sext: {
        const Expr s = with_sign(n.args[0]);
        return solver_->mkTerm(cvc5::Kind::ITE,
                               {solver_->mkTerm(cvc5::Kind::LT, {s, number(0)}),
                                solver_->mkTerm(cvc5::Kind::ADD, {s, power(n.width)}), s});
      }
      default:
        break;
    }
    if (linear_ && n.width > 0) {
      approximate_.push_back(t);
      return some(n.range.low, n.range.high);
    }
    throw Untranslated{};
  }

  Context& terms_;
  const bool linear_;
  cvc5::Solver* solver_ = nullptr;
  std::map<std::uint32_t, Expr> known_;
  std::vector<Term> leaves_;
  std::vector<Term> approximate_;  // of which less is known than there is
  std::map<std::string, Expr> functions_;
  Laws laws_;
  std::map<std::pair<Expr, Expr>, Expr> products_;
  std::map<std::pair<Expr, Expr>, std::pair<Expr, Expr>> divisions_;
  Model model_;
};

}  // namespace

}  // namespace headway::smt

// What cvc5_module.cpp looks for.
extern "C" __attribute__((visibility("default"))) headway::smt::Solver* headway_make_cvc5(
    headway::smt::Context* context, bool linear) {
  return new headway::smt::Cvc5Solver(*context, linear);
}
#endif
