// Houdini on a loop by hand: i = 0; x, y, z = 1, 2, 3; while (i < 10000) { rotate x, y, z; i++ }.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "verify/prover.hpp"

namespace headway {
namespace {

using smt::Term;

struct Golden {
  smt::Context c;
  Term i = c.variable("i", 32), x = c.variable("x", 32), y = c.variable("y", 32),
       z = c.variable("z", 32);
  verify::Conditions conditions;

  Term number(std::uint64_t value) { return c.constant(value, 32); }

  void add(const std::string& text, Term claim) {
    verify::Candidate one;
    one.text = text;
    one.loop = 0;
    one.head = claim;
    one.base = c.substitute(
        claim, {{i.id, number(0)}, {x.id, number(1)}, {y.id, number(2)}, {z.id, number(3)}});
    const Term goes_on = c.slt(i, number(10000));
    one.step = c.implies(
        goes_on,
        c.substitute(claim, {{i.id, c.add(i, number(1))}, {x.id, y}, {y.id, z}, {z.id, x}}));
    conditions.candidates.push_back(one);
  }

  std::set<std::string> what_remains() {
    conditions.items = {{verify::Item::Kind::base, {}, 0},
                        {verify::Item::Kind::head, {}, 0},
                        {verify::Item::Kind::step, {}, 0}};
    verify::Options options;
    verify::Prover prover(c, options, verify::Prover::Clock::now() + std::chrono::seconds(60),
                          "golden");
    houdini(c, conditions, prover);
    std::set<std::string> alive;
    for (const verify::Candidate& one : conditions.candidates) {
      if (one.alive) alive.insert(one.text);
    }
    return alive;
  }

  void add_first() {
    add("i=0", c.equal(i, number(0)));
    add("i!=0", c.differ(i, number(0)));
    add("0<=i", c.sle(number(0), i));
    add("0<i", c.slt(number(0), i));
    add("i<10000", c.slt(i, number(10000)));
    add("i<=10000", c.sle(i, number(10000)));
    add("x!=y", c.differ(x, y));
  }
};

TEST_CASE("verify/houdini: of the golden case the bounds of i remain") {
  Golden golden;
  golden.add_first();
  CHECK(golden.what_remains() == std::set<std::string>{"0<=i", "i<=10000"});
}

TEST_CASE("verify/houdini: inequalities that need each other stay together") {
  Golden golden;
  golden.add_first();
  golden.add("x!=z", golden.c.differ(golden.x, golden.z));
  golden.add("y!=z", golden.c.differ(golden.y, golden.z));
  CHECK(golden.what_remains() == std::set<std::string>{"0<=i", "i<=10000", "x!=y", "x!=z", "y!=z"});
}

TEST_CASE("verify/houdini: the order of candidates makes no difference") {
  Golden one, other;
  one.add_first();
  other.add_first();
  std::reverse(other.conditions.candidates.begin(), other.conditions.candidates.end());
  CHECK(one.what_remains() == other.what_remains());
}

}  // namespace
}  // namespace headway
