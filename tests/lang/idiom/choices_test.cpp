// Threads that choose: choose and weak_cas.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/errors.hpp"
#include "support/program_walk.hpp"

using namespace headway;
using testing::complaint_of;
using testing::count_transitions;
using testing::ProgramWalk;
using testing::TransitionCounts;

namespace {

// Those statements in thread 0, with some memory.
std::string chooser(const std::string& statements) {
  return "shared int(0..3) x, y;\nthread 0 {\n" + statements + "\n}\n";
}

// "line:column: message", the lines counted from the first statement.
std::string choice_complaint(const std::string& statements) {
  return complaint_of([&] { lang::parse(chooser(statements), "f"); }, 2);
}

}  // namespace

TEST_CASE("lang/idiom/choices: a choice is a step with an alternative for each number") {
  const std::string text = chooser("int(0..5) r = choose(1..3);\nstore(x, r);");
  for (const int chosen : {0, 1, 2}) {
    ProgramWalk walk(text);
    CHECK(walk.choices() == 3);
    CHECK(!walk.chooses_fairly());
    CHECK(walk.step({0, chosen}) == fmt::format("chooses {}, then r={}", chosen + 1, chosen + 1));
    CHECK(walk.choices() == 1);
    walk.step();
    CHECK(walk.memory() == fmt::format("x={} y=0", chosen + 1));
    CHECK(walk.at() == "END");
  }
  // In front of it; with each number; at the end with each.
  CHECK(count_transitions(text) == TransitionCounts{7, 6, 0, 0, 3});
  CHECK(ProgramWalk(chooser("bool r = choose(0..0); store(x, r);")).choices() == 1);
}

TEST_CASE("lang/idiom/choices: a choice stands wherever an access may") {
  ProgramWalk loop(chooser("while (choose(0..1));"));
  CHECK(loop.step({0, 1}) == "chooses 1");
  CHECK(loop.at() == "while (choose(0..1));");
  CHECK(loop.step({0, 0}) == "chooses 0");
  CHECK(loop.at() == "END");
  ProgramWalk sum(chooser("store(x, load(y) + choose(0..2));"));
  CHECK(sum.choices() == 1);
  CHECK(sum.step() == "reads y = 0");
  CHECK(sum.choices() == 3);
  CHECK(sum.step({0, 2}) == "chooses 2");
  CHECK(sum.step() == "writes x = 2");
  ProgramWalk wrong(chooser("bool r = choose(0..2); store(x, r);"));
  CHECK(wrong.step({0, 2}) == "chooses 2, ERROR: r would become 2, out of its range 0..1");
}

TEST_CASE("lang/idiom/choices: a weak cas may fail where a cas would not") {
  const std::string text = chooser("bool r = weak_cas(x, 0, 2);\nstore(y, r + 1);");
  ProgramWalk works(text), fails(text);
  CHECK(works.choices() == 2);
  CHECK(works.step({0, 0}) == "reads x = 0, writes x = 2, then r=1");
  CHECK(fails.step({0, 1}) == "reads x = 0, fails spuriously, then r=0");
  works.step();
  fails.step();
  CHECK(works.memory() == "x=2 y=2");
  CHECK(fails.memory() == "x=0 y=1");
  // In front of it; after either; at the end of either.
  CHECK(count_transitions(text) == TransitionCounts{5, 4, 0, 0, 2});
  // Where another value is in the way it fails, and that is no choice.
  ProgramWalk other(chooser("bool r = weak_cas(x, 1, 2); store(y, r);"));
  CHECK(other.choices() == 1);
  CHECK(other.step() == "reads x = 0, then r=0");
  // Its value is a truth value, whatever the variable holds.
  CHECK(count_transitions("shared int(5..7) x = 5;\nthread 0 { while (!weak_cas(x, 5, 7)); }") ==
        TransitionCounts{2, 2, 0, 0, 1});
}

TEST_CASE("lang/idiom/choices: a choice is fair where it says so") {
  ProgramWalk fair(
      chooser("while (!fair weak_cas(x, 0, 1)); bool r = fair choose(0..1); "
              "r = choose(0..1); fair weak_cas(y, 0, r);"));
  CHECK(fair.chooses_fairly());
  fair.step({0, 1});
  CHECK(fair.chooses_fairly());
  fair.step({0, 0});
  CHECK(fair.chooses_fairly());
  fair.step({0, 1});
  CHECK(!fair.chooses_fairly());
  fair.step({0, 1});
  CHECK(fair.chooses_fairly());
  CHECK(fair.program().may_choose_fairly());
  const ProgramWalk unfair(chooser("weak_cas(x, 0, 1);"));
  CHECK(unfair.program().may_choose());
  CHECK(!unfair.program().may_choose_fairly());
  CHECK(!unfair.program().step_tables());
  CHECK(unfair.program().why_no_tables() == "its threads have several transitions");
  CHECK(!ProgramWalk(chooser("cas(x, 0, 1);")).program().may_choose());
}

TEST_CASE("lang/idiom/choices: what is wrong with a choice is told with its place") {
  CHECK(choice_complaint("int(0..3) r = choose(2);") ==
        "1:23: expected '..', found ')': 'choose(0..2)' is one of the numbers from 0 to 2");
  CHECK(choice_complaint("int(0..3) r = choose(2..1);") ==
        "1:25: the highest value is 1 where N = 1; expected 2 to 60002");
  CHECK(choice_complaint("int(0..3) r; r = choose(0..r);") ==
        "1:28: expected a number, a constant or N, found 'r'");
  CHECK(choice_complaint("await(choose(0..1));") ==
        "1:7: a choice is a step of its own; expected none here");
  CHECK(choice_complaint("bool r = load(x) ? choose(0..1) : 0;") ==
        "1:20: an access behind '?' or ':'; expected an if statement");
  CHECK(choice_complaint("choose(0..1);") ==
        "1:1: expected a statement, found 'choose', which is declared nowhere");
  CHECK(choice_complaint("bool r = fair load(x);") ==
        "1:10: unknown name 'fair'; expected a register declared in front of it, a constant, an "
        "access such as 'load(x)', N or tid");
}

TEST_CASE("lang/idiom/choices: a cas that is taken for a truth value is warned of") {
  const auto warnings = [](const std::string& statements) {
    std::string places;
    for (const Error& warning : lang::parse(chooser(statements), "f").warnings) {
      if (std::string(warning.what()).ends_with("is never used")) continue;
      places += fmt::format("{}:{} ", warning.where().line - 2, warning.where().column);
    }
    return places;
  };
  CHECK(warnings("if (cas(x, 0, 1)) return;") == "1:5 ");
  CHECK(warnings("while (!cas(x, 0, 1)\n  && load(y) || cas(y, 0, 1));") == "1:9 2:17 ");
  CHECK(warnings("do ; while (cas(x, 1, 0));\nfor (; cas(x, 1, 0);) ;\nassert(cas(x, 0, 1));") ==
        "1:13 2:8 3:8 ");
  // Until it has found 0 the old value says that it has failed.
  CHECK(warnings("while (cas(x, 0, 1)); do ; while (cas(x, 0, 1)); for (; cas(x, 0, 1);) ;") == "");
  CHECK(warnings("if (cas(x, 0, 1) == 0) return; if (weak_cas(x, 0, 1)) return; cas(x, 0, 1);"
                 "int(0..3) r = cas(x, 0, 1); switch (cas(x, 0, 1)) { case 0: ; }") == "");
}
