// Solvers agree with each other and with evaluation, and end when their time is over.
#include "smt/solver.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "base/process.hpp"
#include "support/solvers.hpp"

namespace headway {
namespace {

using smt::Answer;
using smt::Context;
using smt::Engine;
using smt::Term;
using std::chrono::milliseconds;

constexpr Engine kEngines[] = {Engine::z3, Engine::z3_tactic, Engine::cvc5, Engine::cvc5_linear};

TEST_CASE("smt/solver: a strided index has its residue, over bits and over integers") {
  for (const Engine engine : kEngines) {
    Context c;
    const auto solver = smt::make_solver(c, engine);
    if (solver == nullptr) continue;
    const Term v = c.variable("v", 32, 0, 100000), e = c.variable("e", 32, 0, 63);
    const Term residue = c.urem(v, c.constant(48, 32));
    const Term next = c.urem(c.add(v, c.constant(48, 32)), c.constant(48, 32));
    CHECK(solver->check({c.equal(residue, e), c.differ(next, e)}, milliseconds(20000)) ==
          Answer::unsat);
    CHECK(solver->check({c.equal(residue, e), c.ult(c.constant(7, 32), e)}, milliseconds(20000)) ==
          Answer::sat);
    CHECK(solver->model().holds(c, c.ult(c.constant(7, 32), e)));
  }
}

TEST_CASE("smt/solver: ranges of variables are known to solvers") {
  for (const Engine engine : kEngines) {
    Context c;
    const auto solver = smt::make_solver(c, engine);
    if (solver == nullptr) continue;
    const Term v = c.variable("v", 32, 3, 5), w = c.variable("w", 32, 6, 9);
    const Term x = c.variable("x", 32);
    CHECK(solver->check({c.equal(v, x), c.equal(w, x)}, milliseconds(5000)) == Answer::unsat);
  }
}

TEST_CASE("smt/solver: a function has one value for one operand") {
  for (const Engine engine : kEngines) {
    Context c;
    const auto solver = smt::make_solver(c, engine);
    if (solver == nullptr) continue;
    const Term x = c.variable("x", 32), y = c.variable("y", 32);
    const Term f = c.apply("f", 32, {x}), g = c.apply("f", 32, {y});
    CHECK(solver->check({c.equal(x, y), c.differ(f, g)}, milliseconds(5000)) == Answer::unsat);
    CHECK(solver->check({c.differ(x, y), c.differ(f, g)}, milliseconds(5000)) == Answer::sat);
  }
}

// Sizes that are variables: b of a block, g of a grid.
struct Launch {
  Context c;
  Term b = c.variable("b", 32, 1, 1024), g = c.variable("g", 32, 1, 65535);
  Term id(const std::string& n) {
    const Term group = c.variable("group" + n, 32), thread = c.variable("thread" + n, 32);
    facts.push_back(c.ult(group, g));
    facts.push_back(c.ult(thread, b));
    return c.add(c.mul(group, b), thread);
  }
  std::vector<Term> facts;

  Answer ask(const std::vector<Term>& more) {
    std::vector<Term> all = facts;
    all.insert(all.end(), more.begin(), more.end());
    const auto solver = smt::make_solver(c, Engine::cvc5_linear);
    return solver->check(all, milliseconds(20000));
  }
};

TEST_CASE("smt/solver: digits of a number of mixed radix are its own, whatever the radix") {
  if (!testing::has_cvc5()) return;
  Launch l;
  Context& c = l.c;
  const Term one = l.id("1"), other = l.id("2");
  const auto named = [&](const char* name) { return c.variable(name, 32); };
  CHECK(l.ask({c.equal(one, other), c.differ(named("thread1"), named("thread2"))}) ==
        Answer::unsat);
  CHECK(l.ask({c.equal(one, other), c.differ(named("group1"), named("group2"))}) == Answer::unsat);
  CHECK(l.ask({c.ule(c.mul(l.b, l.g), one)}) == Answer::unsat);
  CHECK(l.ask({c.equal(one, other), c.equal(named("group1"), named("group2"))}) != Answer::unsat);
}

TEST_CASE("smt/solver: a stride of variables keeps the residue, if nothing wraps around") {
  if (!testing::has_cvc5()) return;
  Launch l;
  Context& c = l.c;
  const Term start = l.id("1"), stride = c.mul(l.b, l.g), i = c.variable("i", 32);
  const auto residue = [&](Term t) { return c.urem(c.sub(t, start), stride); };
  const Term zero = c.constant(0, 32);
  const std::vector<Term> round{c.ule(start, i), c.equal(residue(i), zero),
                                c.differ(residue(c.add(i, stride)), zero)};
  CHECK(l.ask(round) != Answer::unsat);
  l.facts.push_back(c.ult(i, c.constant(0x80000000, 32)));
  CHECK(l.ask(round) == Answer::unsat);
}

TEST_CASE("smt/solver: what the laws of products exclude is false for all small numbers") {
  std::mt19937 random(7);
  const auto pick = [&random](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  int excluded = 0;
  for (int round = 0; round < 300; ++round) {
    Context c;
    const auto solver = smt::make_solver(c, Engine::cvc5_linear);
    if (solver == nullptr) return;
    constexpr int kBits = 4;
    const Term x = c.variable("x", kBits), y = c.variable("y", kBits), z = c.variable("z", kBits);
    std::vector<Term> terms{x, y, z, c.constant(pick(16), kBits)};
    for (int k = 0; k < 6; ++k) {
      const Term a = terms[pick(static_cast<std::uint32_t>(terms.size()))],
                 b = terms[pick(static_cast<std::uint32_t>(terms.size()))];
      switch (pick(6)) {
        case 0:
        case 1:
          terms.push_back(c.mul(a, b));
          break;
        case 2:
          terms.push_back(c.urem(a, b));
          break;
        case 3:
          terms.push_back(c.udiv(a, b));
          break;
        case 4:
          terms.push_back(c.sub(a, b));
          break;
        default:
          terms.push_back(c.add(a, b));
          break;
      }
    }
    std::vector<Term> question;
    for (int k = 0; k < 4; ++k) {
      const Term a = terms[3 + pick(7)], b = terms[pick(10)];
      question.push_back(pick(2) == 0 ? c.ult(a, b) : c.equal(a, b));
    }
    if (solver->check(question, milliseconds(2000)) != Answer::unsat) continue;
    ++excluded;
    for (std::uint32_t n = 0; n < 1U << (3 * kBits); ++n) {
      smt::Model model;
      model.set(x, n & 15);
      model.set(y, n >> 4 & 15);
      model.set(z, n >> 8);
      bool all = true;
      for (const Term t : question) all = all && model.holds(c, t);
      CHECK_FALSE(all);
    }
  }
  CHECK(excluded > 100);
}

TEST_CASE("smt/solver: signed division is towards zero, over bits and over integers") {
  for (const Engine engine : kEngines) {
    Context c;
    const auto solver = smt::make_solver(c, engine);
    if (solver == nullptr) continue;
    for (const std::int64_t x : {-8, -7, -1, 0, 1, 7, 8}) {
      for (const std::int64_t by : {1, 3, 4}) {
        const auto number = [&](std::int64_t v) {
          return c.constant(static_cast<std::uint64_t>(v), 8);
        };
        const Term v = c.variable("v", 8), is = c.equal(v, number(x));
        const Term right = c.conjunction(c.equal(c.sdiv(v, number(by)), number(x / by)),
                                         c.equal(c.srem(v, number(by)), number(x % by)));
        CHECK(solver->check({is, c.negation(right)}, milliseconds(5000)) == Answer::unsat);
        CHECK(solver->check({is, right}, milliseconds(5000)) == Answer::sat);
      }
    }
  }
}

TEST_CASE("smt/solver: a limit is an answer, in time") {
  Context c;
  const auto solver = smt::make_solver(c, Engine::z3);
  const Term x = c.variable("x", 64), y = c.variable("y", 64);
  const Term hard = c.equal(c.mul(x, y), c.constant(0x7fffffffffffffe7ULL, 64));
  const Term apart =
      c.conjunction({c.ult(c.constant(1, 64), x), c.ult(x, c.constant(1ULL << 33, 64)),
                     c.ult(c.constant(1, 64), y), c.ult(y, c.constant(1ULL << 33, 64))});
  const auto start = std::chrono::steady_clock::now();
  const Answer answer = solver->check({hard, apart}, milliseconds(300));
  const auto took = std::chrono::steady_clock::now() - start;
  CHECK(answer != Answer::sat);  // it is a prime
  CHECK(took < std::chrono::seconds(20));
}

TEST_CASE("smt/solver: a solver that was asked keeps no thread that starting processes waits for") {
  const auto ask = [](const std::atomic<bool>& over) {
    while (!over) {
      Context c;
      const auto solver = smt::make_solver(c, Engine::z3);
      const Term x = c.variable("x", 32);
      CHECK(solver->check({c.ult(x, c.constant(5, 32))}, milliseconds(5000)) == Answer::sat);
      for (int i = 0; i < 5; ++i)
        CHECK(run_process({"true"}, std::chrono::seconds(60), nullptr).status == 0);
    }
  };
  std::atomic<bool> over = false;
  std::thread one([&] { ask(over); }), two([&] { ask(over); });
  std::this_thread::sleep_for(milliseconds(300));
  over = true;
  one.join(), two.join();
}

TEST_CASE("smt/solver: only facts about the goal are chosen") {
  Context c;
  const Term x = c.variable("x", 32), y = c.variable("y", 32), z = c.variable("z", 32);
  const std::vector<Term> facts = {c.ult(x, y), c.ult(z, c.constant(3, 32)),
                                   c.ult(y, c.constant(9, 32))};
  CHECK(smt::relevant(c, facts, {c.ult(x, c.constant(5, 32))}).size() == 2);
}

TEST_CASE("smt/solver: a question as SMT-LIB names all that it needs") {
  Context c;
  const Term x = c.variable("x", 32, 0, 63);
  const std::string text =
      smt::smtlib(c, {c.equal(c.apply("f", 32, {x}), c.constant(3, 32))}, "why");
  CHECK(text.find("; why") == 0);
  CHECK(text.find("(declare-fun |x| () (_ BitVec 32))") != std::string::npos);
  CHECK(text.find("(declare-fun |f.32:32| ((_ BitVec 32)) (_ BitVec 32))") != std::string::npos);
  CHECK(text.find("(assert (bvule |x| (_ bv63 32)))") != std::string::npos);
}

}  // namespace
}  // namespace headway
