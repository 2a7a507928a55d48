// z3 on bit-vectors. The only user of z3, whose library is loaded at the first question, so that
// commands that ask none start without it. It ignores its own time limit now and then, so a thread
// that watches the clock interrupts it.
#include <fmt/format.h>
#include <z3.h>

#include <algorithm>
#include <optional>

#include "base/allocator.hpp"
#include "base/error.hpp"
#include "base/shared_library.hpp"
#include "base/watchdog.hpp"
#include "smt/solver.hpp"

namespace headway::smt {

namespace {

// What a context takes when it is made, two tables above all.
constexpr std::size_t kContextBytes = 20 << 20;

// clang-format off
#define HEADWAY_Z3_FUNCTIONS(F)                                                                    \
  F(del_config) F(del_context) F(get_bool_value) F(get_numeral_uint64) F(interrupt) F(mk_and)      \
  F(mk_app) F(mk_bool_sort) F(mk_bv_sort) F(mk_bvadd) F(mk_bvand) F(mk_bvashr) F(mk_bvlshr)        \
  F(mk_bvmul) F(mk_bvneg) F(mk_bvor) F(mk_bvsdiv) F(mk_bvshl) F(mk_bvslt) F(mk_bvsrem)             \
  F(mk_bvsub) F(mk_bvudiv) F(mk_bvuge) F(mk_bvule) F(mk_bvult) F(mk_bvurem) F(mk_bvxor)            \
  F(mk_concat) F(mk_config) F(mk_const) F(mk_context) F(mk_eq) F(mk_extract) F(mk_false)           \
  F(mk_func_decl) F(mk_ite) F(mk_not) F(mk_or) F(mk_sign_ext) F(mk_simple_solver)                  \
  F(mk_solver_from_tactic) F(mk_string_symbol) F(mk_tactic) F(mk_true) F(mk_unsigned_int64)        \
  F(mk_zero_ext) F(model_dec_ref) F(model_eval) F(model_inc_ref) F(set_error_handler)              \
  F(solver_assert) F(solver_check) F(solver_dec_ref) F(solver_get_model) F(solver_inc_ref)         \
  F(tactic_and_then) F(tactic_inc_ref)
// clang-format on

// `z3().mk_config` is Z3_mk_config.
struct Z3 {
// NOLINTNEXTLINE(bugprone-macro-parentheses): what it declares has this name
#define HEADWAY_Z3_MEMBER(name) decltype(&Z3_##name) name = nullptr;
  HEADWAY_Z3_FUNCTIONS(HEADWAY_Z3_MEMBER)
#undef HEADWAY_Z3_MEMBER
};

Z3 load_z3() {
  const SharedLibrary library({"libz3.so.4"},
                              "proofs need z3, whose library was not found (Debian: libz3-4)");
  const auto find = [&](const char* name) {
    void* found = library.find(name);
    if (found == nullptr)
      throw Error(fmt::format("libz3 has no {}; expected z3 4.8 or later", name));
    return found;
  };
  Z3 result;
#define HEADWAY_Z3_LOAD(name) \
  result.name = reinterpret_cast<decltype(result.name)>(find("Z3_" #name));
  HEADWAY_Z3_FUNCTIONS(HEADWAY_Z3_LOAD)
#undef HEADWAY_Z3_LOAD
  return result;
}

const Z3& z3() {
  static const Z3 loaded = load_z3();
  return loaded;
}

void ignore_error(Z3_context, Z3_error_code) {}

class Z3Solver final : public Solver {
 public:
  Z3Solver(Context& context, bool tactic) : terms_(context), tactic_(tactic) {
    z3();  // which may not be there
  }
  ~Z3Solver() override {
    watchdog_.reset();
    if (z3_ != nullptr) z3().del_context(z3_);
  }
  Z3Solver(const Z3Solver&) = delete;
  Z3Solver& operator=(const Z3Solver&) = delete;

  Answer check(const std::vector<Term>& terms, std::chrono::milliseconds limit) override {
    model_ = Model();
    if (z3_ == nullptr) start();
    Z3_solver solver = make();
    z3().solver_inc_ref(z3_, solver);
    std::vector<Term> leaves;
    for (const Term t : terms) {
      for (const Term leaf : terms_.leaves(t)) leaves.push_back(leaf);
      z3().solver_assert(z3_, solver, translate(t));
    }
    std::sort(leaves.begin(), leaves.end());
    leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
    for (const Term leaf : leaves) assert_range(solver, leaf);
    Z3_lbool result = Z3_L_UNDEF;
    {
      watchdog_->begin(limit);
      result = z3().solver_check(z3_, solver);
      watchdog_->end();
    }
    Answer answer = result == Z3_L_FALSE  ? Answer::unsat
                    : result == Z3_L_TRUE ? Answer::sat
                                          : Answer::unknown;
    if (answer == Answer::sat && !read_model(solver, leaves)) answer = Answer::unknown;
    z3().solver_dec_ref(z3_, solver);
    return answer;
  }

  const Model& model() const override { return model_; }

 private:
  // A context takes milliseconds and megabytes, and many solvers are never asked.
  void start() {
    prepare_memory(kContextBytes);
    Z3_config config = z3().mk_config();
    z3_ = z3().mk_context(config);
    z3().del_config(config);
    z3().set_error_handler(z3_, ignore_error);
    watchdog_.emplace([this] { z3().interrupt(z3_); });
  }

  Z3_solver make() {
    if (!tactic_) return z3().mk_simple_solver(z3_);
    const auto step = [this](const char* name) { return z3().mk_tactic(z3_, name); };
    Z3_tactic all = nullptr;
    for (const char* name : {"simplify", "propagate-values", "solve-eqs", "elim-uncnstr",
                             "reduce-bv-size", "simplify", "smt"}) {
      Z3_tactic next = step(name);
      if (next == nullptr) continue;  // another version of z3
      z3().tactic_inc_ref(z3_, next);
      all = all == nullptr ? next : z3().tactic_and_then(z3_, all, next);
      z3().tactic_inc_ref(z3_, all);
    }
    return z3().mk_solver_from_tactic(z3_, all);
  }

  Z3_sort sort(int width) {
    return width == 0 ? z3().mk_bool_sort(z3_) : z3().mk_bv_sort(z3_, static_cast<unsigned>(width));
  }
  Z3_ast number(std::uint64_t value, int width) {
    return z3().mk_unsigned_int64(z3_, value, sort(width));
  }

  Z3_ast translate(Term t) {
    std::vector<std::uint32_t> stack{t.id};
    while (!stack.empty()) {
      const std::uint32_t at = stack.back();
      if (at < asts_.size() && asts_[at] != nullptr) {
        stack.pop_back();
        continue;
      }
      const Node& n = terms_.node(Term{at});
      bool ready = true;
      for (const Term a : n.args) {
        if (a.id >= asts_.size() || asts_[a.id] == nullptr) {
          stack.push_back(a.id);
          ready = false;
        }
      }
      if (!ready) continue;
      stack.pop_back();
      if (asts_.size() <= at) asts_.resize(terms_.size(), nullptr);
      asts_[at] = build(n);
    }
    return asts_[t.id];
  }

  Z3_ast build(const Node& n) {
    std::vector<Z3_ast> a;
    for (const Term t : n.args) a.push_back(asts_[t.id]);
    const auto count = static_cast<unsigned>(a.size());
    switch (n.kind) {
      case Kind::constant:
        if (n.width == 0) return n.value != 0 ? z3().mk_true(z3_) : z3().mk_false(z3_);
        return number(n.value, n.width);
      case Kind::variable:
        return z3().mk_const(z3_, z3().mk_string_symbol(z3_, terms_.name(n).c_str()),
                             sort(n.width));
      case Kind::apply: {
        std::vector<Z3_sort> domain;
        std::string name = terms_.name(n);
        for (const Term t : n.args) {
          domain.push_back(sort(terms_.width(t)));
          name += '.' + std::to_string(terms_.width(t));
        }
        name += ':' + std::to_string(n.width);
        const Z3_func_decl f = z3().mk_func_decl(z3_, z3().mk_string_symbol(z3_, name.c_str()),
                                                 count, domain.data(), sort(n.width));
        return z3().mk_app(z3_, f, count, a.data());
      }
      case Kind::negation:
        return z3().mk_not(z3_, a[0]);
      case Kind::conjunction:
        return z3().mk_and(z3_, count, a.data());
      case Kind::disjunction:
        return z3().mk_or(z3_, count, a.data());
      case Kind::ite:
        return z3().mk_ite(z3_, a[0], a[1], a[2]);
      case Kind::equal:
        return z3().mk_eq(z3_, a[0], a[1]);
      case Kind::ult:
        return z3().mk_bvult(z3_, a[0], a[1]);
      case Kind::slt:
        return z3().mk_bvslt(z3_, a[0], a[1]);
      case Kind::linear: {
        Z3_ast sum = n.value != 0 ? number(n.value, n.width) : nullptr;
        for (std::size_t i = 0; i < a.size(); ++i) {
          Z3_ast part = a[i];
          const std::uint64_t f = n.factors[i];
          const bool negative = f == mask_of(n.width);
          if (f != 1 && !negative) part = z3().mk_bvmul(z3_, number(f, n.width), part);
          if (negative) {
            sum = sum == nullptr ? z3().mk_bvneg(z3_, part) : z3().mk_bvsub(z3_, sum, part);
          } else {
            sum = sum == nullptr ? part : z3().mk_bvadd(z3_, sum, part);
          }
        }
        return sum;
      }
      case Kind::product:
        return z3().mk_bvmul(z3_, a[0], a[1]);
      case Kind::udiv:
        return z3().mk_bvudiv(z3_, a[0], a[1]);
      case Kind::urem:
        return z3().mk_bvurem(z3_, a[0], a[1]);
      case Kind::sdiv:
        return z3().mk_bvsdiv(z3_, a[0], a[1]);
      case Kind::srem:
        return z3().mk_bvsrem(z3_, a[0], a[1]);
      case Kind::shl:
        return z3().mk_bvshl(z3_, a[0], a[1]);
      case Kind::lshr:
        return z3().mk_bvlshr(z3_, a[0], a[1]);
      case Kind::ashr:
        return z3().mk_bvashr(z3_, a[0], a[1]);
      case Kind::bit_and:
        return z3().mk_bvand(z3_, a[0], a[1]);
      case Kind::bit_or:
        return z3().mk_bvor(z3_, a[0], a[1]);
      case Kind::bit_xor:
        return z3().mk_bvxor(z3_, a[0], a[1]);
      case Kind::extract: {
        const auto low = static_cast<unsigned>(n.value);
        return z3().mk_extract(z3_, low + static_cast<unsigned>(n.width) - 1, low, a[0]);
      }
      case Kind::concat:
        return z3().mk_concat(z3_, a[0], a[1]);
      case Kind::zext:
      case Kind::sext: {
        const auto more = static_cast<unsigned>(n.width - terms_.width(n.args[0]));
        return n.kind == Kind::zext ? z3().mk_zero_ext(z3_, more, a[0])
                                    : z3().mk_sign_ext(z3_, more, a[0]);
      }
    }
    return nullptr;
  }

  void assert_range(Z3_solver solver, Term leaf) {
    const Node& n = terms_.node(leaf);
    if (n.width == 0 || n.kind != Kind::variable) return;
    if (n.range.low > 0) {
      z3().solver_assert(z3_, solver,
                         z3().mk_bvuge(z3_, translate(leaf), number(n.range.low, n.width)));
    }
    if (n.range.high < mask_of(n.width)) {
      z3().solver_assert(z3_, solver,
                         z3().mk_bvule(z3_, translate(leaf), number(n.range.high, n.width)));
    }
  }

  bool read_model(Z3_solver solver, const std::vector<Term>& leaves) {
    Z3_model m = z3().solver_get_model(z3_, solver);
    if (m == nullptr) return false;
    z3().model_inc_ref(z3_, m);
    bool complete = true;
    for (const Term leaf : leaves) {
      Z3_ast value = nullptr;
      if (!z3().model_eval(z3_, m, translate(leaf), true, &value)) {
        complete = false;
        continue;
      }
      std::uint64_t number = 0;
      if (terms_.width(leaf) == 0) {
        model_.set(leaf, z3().get_bool_value(z3_, value) == Z3_L_TRUE ? 1 : 0);
      } else if (z3().get_numeral_uint64(z3_, value, &number)) {
        model_.set(leaf, number);
      } else {
        complete = false;
      }
    }
    z3().model_dec_ref(z3_, m);
    return complete;
  }

  Context& terms_;
  bool tactic_;
  Z3_context z3_ = nullptr;
  std::optional<Watchdog> watchdog_;
  std::vector<Z3_ast> asts_;
  Model model_;
};

}  // namespace

std::unique_ptr<Solver> make_z3(Context& context, bool tactic) {
  return std::make_unique<Z3Solver>(context, tactic);
}

}  // namespace headway::smt
