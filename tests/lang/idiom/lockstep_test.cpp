// Subgroups in lockstep, their operations, and assumptions.
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

// The statements, of a subgroup of so many threads.
std::string subgroup_text(int threads, const std::string& statements, bool lockstep = true) {
  return fmt::format(
      "idiom t\n1 workgroup of {} threads;\nexecution: {};\n"
      "shared int(0..9) x, y[4];\nthreads {{\n{}\n}}\n",
      threads, lockstep ? "lockstep" : "independent", statements);
}

// Each thread puts what `expression` gives it into its element.
std::string results_text(const std::string& expression, int threads, bool lockstep) {
  return subgroup_text(threads, "int(0..9) r = " + expression + ";\nstore(y[lane], r);\n",
                       lockstep);
}

// What is in memory at the end of all executions, which is the same.
std::string result_of(const std::string& text) {
  ProgramWalk walk(text);
  const ThreadSet all = ThreadSet::first(walk.program().threads());
  while (walk.terminated() != all && walk.failed().empty()) {
    REQUIRE(!walk.running().empty());
    walk.step(walk.running().max());
  }
  return walk.failed().empty() ? walk.memory() : "failed";
}

// "line:column: message", the lines counted from the first statement.
std::string lockstep_complaint(int threads, const std::string& statements) {
  return complaint_of([&] { lang::parse(subgroup_text(threads, statements), "f"); }, 5);
}

}  // namespace

TEST_CASE("lang/idiom/lockstep: all lanes take a step together, in the order of their ids") {
  ProgramWalk walk(subgroup_text(3, "int(0..9) r = fetch_add(x, lane + 1);\nstore(y[lane], r);"));
  CHECK(walk.program().threads() == 1);
  CHECK(walk.step() ==
        "lane 0: reads x = 0, writes x = 1, then r=0; lane 1: reads x = 1, writes x = 3, then r=1; "
        "lane 2: reads x = 3, writes x = 6, then r=3");
  walk.step();
  CHECK(walk.memory() == "x=6 y={0,1,3,0}");
  CHECK(walk.at() == "END");
}

TEST_CASE("lang/idiom/lockstep: who parts comes together at the post-dominator") {
  // One side is at the point already: nobody chooses.
  ProgramWalk one(subgroup_text(3, "if (lane == 1) store(x, 1);\nstore(x, 2);"));
  CHECK(one.choices() == 1);
  CHECK(one.at() == "lane 1: store(x, 1);, lanes 0 2 wait at line 7");
  CHECK(one.step() == "lane 1: writes x = 1");
  CHECK(one.at() == "store(x, 2);");
  // Both have something to do: one is chosen, and the other one waits.
  ProgramWalk two(subgroup_text(3, "if (lane == 1) store(x, 1); else store(x, 3);\nstore(x, 2);"));
  CHECK(two.choices() == 2);
  CHECK(two.step({0, 1}) == "chooses the side of lanes 0 2");
  CHECK(two.at() == "lanes 0 2: store(x, 3);, lane 1 waits at line 6");
  two.step();
  CHECK(two.at() == "lane 1: store(x, 1);, lanes 0 2 wait at line 7");
  two.step();
  CHECK(two.at() == "store(x, 2);");
}

TEST_CASE("lang/idiom/lockstep: a loop runs until the last lane has left it") {
  ProgramWalk walk(
      subgroup_text(3, "for (int(0..9) i = 0; i < lane; i++) fetch_add(x, 1);\nstore(x, lane);"));
  CHECK(walk.at() == "lanes 1 2: fetch_add(x, 1); [lanes 1 2: i=0], lane 0 waits at line 7");
  walk.step();
  CHECK(walk.at() == "lane 2: fetch_add(x, 1); [lane 2: i=1], lanes 0 1 wait at line 7");
  walk.step();
  CHECK(walk.at() == "store(x, lane);");
  // However often it goes round, who waits is in no more states.
  CHECK(count_transitions(subgroup_text(2, "while (lane == 0 || load(x) == 0);\nstore(x, 1);"))
            .states <= 4);
}

TEST_CASE("lang/idiom/lockstep: nothing comes together at the end") {
  // Whichever side is first, the other one has yet to end.
  const std::string text = subgroup_text(2, "if (lane == 0) barrier(workgroup or ended);");
  ProgramWalk walk(text);
  CHECK(walk.choices() == 2);
  walk.step({0, 1});
  CHECK(walk.at() == "lane 0: barrier(workgroup or ended);");
  walk.step();
  walk.step();
  CHECK(walk.at() == "END");
  CHECK(count_transitions(text).stuck == 1);
  CHECK(count_transitions(subgroup_text(2, "if (lane == 0) barrier(subgroup);")).stuck == 0);
}

TEST_CASE("lang/idiom/lockstep: an await is passed when the conditions of all lanes hold") {
  const std::string text =
      "idiom t\n2 workgroups of 2 threads;\nexecution: lockstep;\nshared bool x[2];\n"
      "threads {\n if (gid == 0) await(load(x[lane]) == 1); else store(x[lane], 1);\n}\n";
  ProgramWalk walk(text);
  CHECK(walk.blocked() == ThreadSet::single(0));
  walk.step(1);
  CHECK(walk.running() == ThreadSet::single(0));
  CHECK(walk.step(0) == "lanes 0 1: passes");
}

TEST_CASE("lang/idiom/lockstep: choices of the lanes are made together") {
  const std::string text = subgroup_text(2, "int(0..2) r = choose(0..2);\nstore(y[lane], r);");
  CHECK(ProgramWalk(text).choices() == 9);
  ProgramWalk walk(text);
  CHECK(walk.step({0, 5}).starts_with("lane 0: chooses"));
  // The second one may fail for no reason only where the first one has.
  CHECK(ProgramWalk(subgroup_text(2, "weak_cas(x, 0, 1);")).choices() == 3);
  CHECK(lockstep_complaint(13, "weak_cas(x, 0, 1);") ==
        "1:1: 13 lanes that choose in lockstep, each one of 2, choose in more than 4096 ways; "
        "expected fewer lanes or fewer numbers");
}

TEST_CASE("lang/idiom/lockstep: a subgroup has one program") {
  const std::string text =
      "idiom t\n1 workgroup of 2 threads;\nexecution: lockstep;\n"
      "shared bool x;\nthread 0 { store(x, 1); }\nthread 1 { load(x); }\n";
  CHECK(complaint_of([&] { lang::parse(text, "f"); }) ==
        "6:1: a second program for the subgroup of threads 0 to 1, which runs in lockstep; "
        "expected one for all of them, with 'if (lane == 0)' in it");
  CHECK(complaint_of([&] { lang::parse("execution: fast;\nthreads { }", "f"); }) ==
        "1:12: expected 'lockstep' or 'independent', as the threads of a subgroup run, found "
        "'fast'");
}

TEST_CASE("lang/idiom/lockstep: an assertion of one lane is that of the subgroup") {
  ProgramWalk walk(subgroup_text(2, "load(x);\nassert(lane == 0);"));
  CHECK(walk.step() ==
        "lane 0: reads x = 0; lane 1: reads x = 0, ERROR in line 7, assert(lane == 0): the "
        "assertion does not hold");
  CHECK(walk.failed() == ThreadSet::single(0));
}

// Operations -------------------------------------------------------------------------------------

TEST_CASE("lang/idiom/lockstep: operations give the same in lockstep and to independent threads") {
  for (const bool lockstep : {true, false}) {
    const auto result = [&](const std::string& expression) {
      return result_of(results_text(expression, 3, lockstep));
    };
    CHECK(result("all(lane < 3)") == "x=0 y={1,1,1,0}");
    CHECK(result("all(lane)") == "x=0 y={0,0,0,0}");
    CHECK(result("any(lane == 2)") == "x=0 y={1,1,1,0}");
    CHECK(result("any(lane > 2)") == "x=0 y={0,0,0,0}");
    CHECK(result("ballot(lane != 1)") == "x=0 y={5,5,5,0}");
    CHECK(result("elect()") == "x=0 y={1,0,0,0}");
    CHECK(result("broadcast(lane, 2)") == "x=0 y={2,2,2,0}");
    CHECK(result("shuffle(lane, (lane + 1) % 3)") == "x=0 y={1,2,0,0}");
    CHECK(result("1 + ballot(lane != 1) * any(1)") == "x=0 y={6,6,6,0}");
    CHECK(result("shuffle(lane, lane + 1)") == "failed");
  }
}

TEST_CASE("lang/idiom/lockstep: operations in lockstep are over the active lanes") {
  const std::string parted =
      "if (lane > 0) { int(0..9) r = elect(); store(y[lane], 1 + r); }\nload(x);";
  CHECK(result_of(subgroup_text(3, parted)) == "x=0 y={0,2,1,0}");
  ProgramWalk absent(
      subgroup_text(3, "if (lane > 0) { int(0..2) r = broadcast(lane, 0); }\nload(x);"));
  CHECK(absent.step() == "lane 1: ERROR: lane 0 takes no part in this operation of its subgroup");
}

TEST_CASE("lang/idiom/lockstep: independent threads meet at an operation") {
  ProgramWalk walk(results_text("any(lane == 2)", 3, false));
  CHECK(walk.step(2) == "comes by");
  CHECK(walk.at(2) == "waits at int(0..9) r = any(lane == 2); (line 6) for threads 0-1");
  CHECK(walk.blocked() == ThreadSet::single(2));
  walk.step(0);
  CHECK(walk.at(2) == "waits at int(0..9) r = any(lane == 2); (line 6) for thread 1");
  walk.step(1);
  CHECK(walk.running() == ThreadSet::first(3));
  CHECK(walk.step(1) == "goes on, then r=1");
}

TEST_CASE("lang/idiom/lockstep: threads that do not come to an operation go wrong") {
  const std::string message =
      "ERROR: not all threads of the subgroup come to any(...), and nobody says what it does then "
      "where threads are independent";
  ProgramWalk ends(subgroup_text(2, "if (lane == 0) any(1); else load(x);", false));
  ends.step(0);
  CHECK(ends.step(1) == "reads x = 0, " + message);
  CHECK(ends.failed() == ThreadSet::single(1));
  ProgramWalk other(subgroup_text(2, "if (lane == 0) any(1); else all(1);", false));
  other.step(1);
  CHECK(other.step(0).find("not all threads of the subgroup come to all(...)") !=
        std::string::npos);
  ProgramWalk barrier(subgroup_text(2, "if (lane == 0) any(1); else barrier(workgroup);", false));
  barrier.step(1);
  CHECK(barrier.step(0) == "comes by, " + message);
  // Who has ended before is not waited for.
  ProgramWalk before(subgroup_text(2, "if (lane == 0) any(1); else load(x);", false));
  before.step(1);
  before.step(0);
  CHECK(before.running() == ThreadSet::single(0));
}

TEST_CASE("lang/idiom/lockstep: words of operations are names, too") {
  const std::string text =
      "idiom t\n1 workgroup of 2 threads;\nshared int(0..9) x, any, elect;\n"
      "int(0..9) all(int(0..9) a) { return a + 1; }\n"
      "threads {\n bool ballot = 1, assume = 1;\n store(x, all(ballot));\n store(any, "
      "assume);\n}\n";
  CHECK(result_of(text) == "x=2 any=1 elect=0");
}

TEST_CASE("lang/idiom/lockstep: mistakes in operations are reported at their places") {
  CHECK(lockstep_complaint(2, "bool r = broadcast(lane, lane);") ==
        "1:26: expected a number, a constant or N, found 'lane'");
  CHECK(lockstep_complaint(2, "bool r = broadcast(lane, 2);") ==
        "1:26: the lane that is asked is 2 where N = 2; expected 0 to 1");
  CHECK(lockstep_complaint(2, "bool r = shuffle(lane + 1, 0);") ==
        "1:23: what values this has is said nowhere; expected a register, an access, a constant or "
        "a comparison");
  CHECK(lockstep_complaint(16, "bool r = ballot(1);") ==
        "1:6: a ballot of subgroups of 16 threads; expected at most 15");
  CHECK(lockstep_complaint(2, "await(any(1));") ==
        "1:7: 'any' is a step of its own; expected loads and what is computed of them");
}

// Assumptions ------------------------------------------------------------------------------------

TEST_CASE("lang/idiom/lockstep: behind a false assumption an execution is over") {
  const std::string body =
      "int(0..2) r = choose(0..2);\nassume(r != 1);\nassert(r != 1);\n"
      "if (r == 1) while (true);\nstore(x, r);";
  for (const bool lockstep : {true, false}) {
    const std::string text = subgroup_text(2, body, lockstep);
    const TransitionCounts counts = count_transitions(text);
    CHECK(counts.failed == 0);
    CHECK(counts.stuck == 0);
    ProgramWalk walk(text);
    CHECK(walk.step({0, 1}).find("what is assumed does not hold") != std::string::npos);
    CHECK(walk.terminated() == ThreadSet::first(walk.program().threads()));
    CHECK(walk.running().empty());
  }
  // What holds at the end is not asked then.
  const std::string text =
      "idiom t\nN = 2;\nshared bool x;\nthreads { bool r = choose(0..1); "
      "assume(r == 1); store(x, r); }\nfinal { assert(load(x) == 1); }\n";
  CHECK(count_transitions(text).failed == 0);
}

TEST_CASE("lang/idiom/lockstep: who waits says at which line and for whom") {
  ProgramWalk walk(
      "idiom t\n1 workgroup of 4 threads, subgroups of 2;\nexecution: lockstep;\n"
      "shared bool x;\nthreads {\n"
      "if (sid == 0) { if (lane == 1) return; barrier(workgroup); }\n"
      "else if (lane == 0) barrier(workgroup, other);\n}\n");
  walk.step(0);
  // Lane 1 of the other subgroup has nothing to do, and so has ended.
  CHECK(walk.at(0) ==
        "lane 0: waits at barrier(workgroup); (line 6) for threads 1, 3, which have ended, and for "
        "thread 2");
  walk.step(1);
  CHECK(walk.at(1) ==
        "lane 0: waits at barrier(workgroup, other); (line 7) for threads 1, 3, which have ended, "
        "and for thread 0, which waits at another barrier");
}

TEST_CASE("lang/idiom/lockstep: lanes that wait behind a branch are not active") {
  ProgramWalk walk(subgroup_text(2, "if (lane == 0) barrier(workgroup or ended);\nstore(x, 1);"));
  walk.step();
  CHECK(walk.at() ==
        "lane 0: waits at barrier(workgroup or ended); (line 6) for thread 1, which is not active, "
        "lane 1 waits at line 7");
}

TEST_CASE("lang/idiom/lockstep: an await that does not hold waits, one that does is only next") {
  ProgramWalk walk(
      "idiom t\n2 workgroups of 2 threads;\nexecution: lockstep;\nshared bool x;\nthreads {\n"
      "if (gid == 0) await(load(x)); else store(x, 1);\n}\n");
  CHECK(walk.at(0) == "waits at await(load(x)); (line 6)");
  walk.step(1);
  CHECK(walk.at(0) == "await(load(x));");
}
