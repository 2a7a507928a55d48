// cvc5 over the integers. The only user of cvc5. The translation is exact: a bit-vector is the
// number that it is without sign, and what may wrap is taken modulo 2^width; where ranges show that
// it does not wrap nothing is written, and that makes most questions linear. Operations on single
// bits are not translated: the answer is `unknown`.
#ifdef HEADWAY_CVC5_MODULE
#include <cvc5/cvc5.h>

#include <algorithm>
#include <map>

#include "smt/solver.hpp"

namespace headway::smt {

namespace {

using Expr = cvc5::Term;

struct Untranslated {};

class Cvc5Solver final : public Solver {
 public:
  explicit Cvc5Solver(Context& context) : terms_(context) {}

  Answer check(const std::vector<Term>& terms, std::chrono::milliseconds limit) override {
    model_ = Model();
    cvc5::Solver solver;
    solver_ = &solver;
    known_.clear();
    leaves_.clear();
    functions_.clear();
    try {
      solver.setOption("produce-models", "true");
      solver.setOption("tlimit-per", std::to_string(std::max<std::int64_t>(limit.count(), 1)));
      solver.setLogic("QF_UFNIA");
      for (const Term t : terms) solver.assertFormula(translate(t));
      for (const Term leaf : leaves_) assert_range(leaf);
      const cvc5::Result result = solver.checkSat();
      if (result.isUnsat()) return Answer::unsat;
      if (!result.isSat()) return Answer::unknown;
      for (const Term leaf : leaves_) {
        const Expr value = solver.getValue(known_.at(leaf.id));
        if (terms_.width(leaf) == 0) {
          model_.set(leaf, value.getBooleanValue() ? 1 : 0);
        } else {
          model_.set(leaf, std::stoull(value.getIntegerValue()));
        }
      }
      // A model counts where it is one of the bit-vectors.
      for (const Term t : terms) {
        if (!model_.holds(terms_, t)) return Answer::unknown;
      }
      return Answer::sat;
    } catch (const Untranslated&) {
      return Answer::unknown;
    } catch (const std::exception&) {
      return Answer::unknown;
    }
  }

  const Model& model() const override { return model_; }

 private:
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
        std::vector<Expr> parts{number(as_signed(n.value, n.width))};
        for (std::size_t i = 0; i < a.size(); ++i) {
          const std::int64_t f = as_signed(n.factors[i], n.width);
          parts.push_back(f == 1 ? a[i] : solver_->mkTerm(cvc5::Kind::MULT, {number(f), a[i]}));
        }
        return wrapped(solver_->mkTerm(cvc5::Kind::ADD, parts),
                       unsigned_bounds(terms_, terms_.sum_of(t)), n.width);
      }
      case Kind::product: {
        const Range x = terms_.node(n.args[0]).range, y = terms_.node(n.args[1]).range;
        const unsigned __int128 top = static_cast<unsigned __int128>(x.high) * y.high;
        const bool fits = top <= mask_of(n.width);
        const Expr product = solver_->mkTerm(cvc5::Kind::MULT, a);
        return fits ? product
                    : solver_->mkTerm(cvc5::Kind::INTS_MODULUS, {product, power(n.width)});
      }
      case Kind::udiv:
      case Kind::urem: {
        const bool division = n.kind == Kind::udiv;
        const Expr result =
            solver_->mkTerm(division ? cvc5::Kind::INTS_DIVISION : cvc5::Kind::INTS_MODULUS, a);
        if (terms_.node(n.args[1]).range.low > 0) return result;
        return solver_->mkTerm(cvc5::Kind::ITE,
                               {solver_->mkTerm(cvc5::Kind::EQUAL, {a[1], number(0)}),
                                division ? natural(mask_of(n.width)) : a[0], result});
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
    throw Untranslated{};
  }

  Context& terms_;
  cvc5::Solver* solver_ = nullptr;
  std::map<std::uint32_t, Expr> known_;
  std::vector<Term> leaves_;
  std::map<std::string, Expr> functions_;
  Model model_;
};

}  // namespace

}  // namespace headway::smt

// What cvc5_module.cpp looks for.
extern "C" __attribute__((visibility("default"))) headway::smt::Solver* headway_make_cvc5(
    headway::smt::Context* context) {
  return new headway::smt::Cvc5Solver(*context);
}
#endif
