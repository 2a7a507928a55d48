// Memory of workgroups and threads, arrays, numbers that wrap, and what memory holds at the end;
// and the statements and numbers that come with them.
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

// "line:column: message"
std::string memory_complaint(const std::string& text) {
  return complaint_of([&] { lang::parse(text, "f"); });
}

// What memory holds when the only thread has run those statements to the end.
std::string memory_after(const std::string& statements,
                         const std::string& memory = "shared int(-9..99) x;") {
  ProgramWalk walk(memory + "\nthread 0 {\n" + statements + "\n}");
  for (int i = 0; i < 100 && !walk.running().empty(); ++i) walk.step();
  CHECK(walk.failed().empty());
  return walk.memory();
}

// What the first step of those statements does.
std::string memory_effect(const std::string& memory, const std::string& statements) {
  return ProgramWalk(memory + "\nthread 0 {\n" + statements + "\n}").step();
}

}  // namespace

TEST_CASE("lang/idiom/memory: each workgroup has memory of its own") {
  ProgramWalk walk(
      "idiom f 2 workgroups of 2 threads;\nworkgroup int(0..9) x = 1, a[2] = i;\n"
      "shared int(0..9) all;\n"
      "threads { fetch_add(x, gid + 1); store(a[lid], 9 - lid); fetch_add(all, 1); }");
  CHECK(walk.memory() == "x@0=1 x@1=1 a@0={0,1} a@1={0,1} all=0");
  CHECK(walk.step(3) == "reads x@1 = 1, writes x@1 = 3");
  CHECK(walk.step(3) == "writes a@1[1] = 8");
  CHECK(walk.step(0) == "reads x@0 = 1, writes x@0 = 2");
  CHECK(walk.step(3) == "reads all = 0, writes all = 1");
  CHECK(walk.memory() == "x@0=2 x@1=3 a@0={0,1} a@1={0,8} all=1");
  // In the condition of an await, too.
  ProgramWalk waits(
      "N = 2; workgroup bool x; threads { if (tid == 0) store(x, 1); await(load(x)); }");
  waits.step(0);
  CHECK(waits.running() == ThreadSet::single(0));
  CHECK(waits.blocked() == ThreadSet::single(1));
  // A workgroup alone has no number.
  CHECK(ProgramWalk("N = 1; workgroup bool x; threads { load(x); }").memory() == "x=0");
  CHECK(memory_complaint("N = 2..4; workgroup bool x[100]; threads { load(x[0]); }") ==
        "1:26: more than 250 shared cells");
}

TEST_CASE("lang/idiom/memory: a thread has arrays of its own, whose elements take no step") {
  CHECK(memory_after("private int(0..99) a[3] = {4, 5, 6};\nint(0..3) r = 2;\n"
                     "a[r]++; a[r - 1] = a[0] + 1; a[0] += a[2]; store(x, a[0] * 10 - a[1]);",
                     "shared int(0..999) x;") == "x=105");
  CHECK(memory_after("int(0..9) a[4] = 9 - i; store(x, a[0] * 10 + a[3]);") == "x=96");
  CHECK(memory_after("int(0..9) i = 7; int(0..9) a[2] = i; store(x, a[1]);") == "x=7");
  CHECK(memory_after("bool a[2]; a[1] = load(x) == 0; a[0] = choose(0..0); store(x, a[1]);") ==
        "x=1");
  CHECK(memory_after("int(0..9) a[2][3] = 3 * i + j; a[1][0] = 9; "
                     "store(x, a[0][2] + 10 * a[1][0] - a[1][2]);",
                     "shared int(0..99) x;") == "x=87");
}

TEST_CASE("lang/idiom/memory: an index out of the bounds of an array goes wrong") {
  const std::string x = "shared int(0..9) x, m[2][3];";
  CHECK(memory_effect(x, "int(0..3) r = load(x); bool a[2]; a[r + 2] = 1;") ==
        "reads x = 0, ERROR in line 3, a[r + 2] = 1: index 2 is out of bounds; expected 0 to 1");
  CHECK(memory_effect(x, "int(0..3) r = load(x); bool a[2]; r = a[r - 1];") ==
        "reads x = 0, ERROR in line 3, r = a[r - 1]: index -1 is out of bounds; expected 0 to 1");
  CHECK(memory_effect(x, "store(m[0][3], 1);") ==
        "ERROR: index 3 is out of bounds; expected 0 to 2");
  CHECK(memory_effect(x, "store(m[2][0], 1);") ==
        "ERROR: index 2 is out of bounds; expected 0 to 1");
  CHECK(memory_effect(x, "store(m[1][-1], 1);") ==
        "ERROR: index -1 is out of bounds; expected 0 to 2");
}

TEST_CASE("lang/idiom/memory: shared arrays have up to two dimensions") {
  ProgramWalk walk(
      "N = 2; shared int(0..9) m[2][N + 1] = 3 * i + j, l[2][2] = {1, 2, 3, 4};\n"
      "threads { store(m[1][tid], 9); load(l[tid][0]); }");
  CHECK(walk.memory() == "m={{0,1,2},{3,4,5}} l={{1,2},{3,4}}");
  CHECK(walk.step(1) == "writes m[1][1] = 9");
  CHECK(walk.step(1) == "reads l[1][0] = 3");
  CHECK(walk.memory() == "m={{0,1,2},{3,9,5}} l={{1,2},{3,4}}");
  CHECK(memory_complaint("shared bool m[20][20]; thread 0 { }") ==
        "1:19: the size of m is 20 where N = 1; expected 1 to 12");
  CHECK(memory_complaint("shared bool m[2][2]; thread 0 { load(m[0]); }") ==
        "1:42: expected '[', found ')': m is an array of two dimensions");
  CHECK(memory_complaint("shared bool m[2][2]; thread 0 { load(m[0][1][1]); }") ==
        "1:45: 'm' is not an array of more dimensions");
  CHECK(memory_complaint("shared bool m[2][2] = {0, 1}; thread 0 { }") ==
        "1:13: m has 4 elements, and 2 values are listed");
}

TEST_CASE("lang/idiom/memory: an initial value may depend on the place of the element") {
  CHECK(ProgramWalk("shared int(-9..9) a[4] = 3 - 2 * i; thread 0 { }").memory() ==
        "a={3,1,-1,-3}");
  CHECK(ProgramWalk("const i = 7; shared int(0..9) a[2] = i; thread 0 { }").memory() == "a={7,7}");
  CHECK(memory_complaint("shared int(0..9) x = i; thread 0 { }") ==
        "1:22: expected a number, a constant or N, found 'i'");
  CHECK(memory_complaint("shared int(0..9) a[2] = j; thread 0 { }") ==
        "1:25: expected a number, a constant or N, found 'j'");
  CHECK(memory_complaint("shared bool a[3] = i; thread 0 { }") ==
        "1:20: the initial value of a is 2 where N = 1; expected 0 to 1");
  CHECK(memory_complaint("threads 0..0 { int(0..3) a[3] = {1, 2}; }") ==
        "1:26: a has 3 elements, and 2 values are listed");
  CHECK(memory_complaint("threads 0..0 { int(1..3) a[3]; }") ==
        "1:26: register 'a' holds 1 to 3 and so cannot start at 0; expected 'a = ...'");
  CHECK(memory_complaint("shared bool x; thread 0 { bool a[3] = load(x); }") ==
        "1:39: an access in the value of an array; expected a register that holds its value");
  CHECK(memory_complaint("shared bool x; thread 0 { bool a[3]; a[load(x)] = 1; }") ==
        "1:40: an access in the index of a register; expected a register that holds its value");
  CHECK(memory_complaint("threads 0..0 { bool a[3]; a = 1; }") ==
        "1:29: expected '[', found '=': a is an array");
  CHECK(memory_complaint("threads 0..0 { bool a[33]; }") ==
        "1:23: the size of a is 33 where N = 1; expected 1 to 32");
  CHECK(memory_complaint("threads 0..0 { bool a[20], b[20]; }") ==
        "1:28: more than 32 registers in a thread");
}

TEST_CASE("lang/idiom/memory: elements of a register array matter as long as one may be read") {
  // The one that is not read any more is as it was, so there is one state, not three, in the end.
  CHECK(count_transitions("shared int(0..2) x; thread 0 { int(0..2) a[2]; a[0] = choose(0..2); "
                          "load(x); a[1] = 1; load(x); }") == TransitionCounts{4, 5, 0, 0, 1});
  CHECK(count_transitions("shared int(0..2) x; thread 0 { int(0..2) a[2]; a[0] = choose(0..2); "
                          "load(x); a[1] = 1; store(x, a[0]); }") ==
        TransitionCounts{10, 9, 0, 0, 3});
}

TEST_CASE("lang/idiom/memory: numbers that wrap stay in their range") {
  const auto value = [](const std::string& type, const std::string& statement) {
    return memory_after(statement, "shared wrap " + type + " x;");
  };
  CHECK(value("int(0..255)", "store(x, 256);") == "x=0");
  CHECK(value("int(0..255)", "store(x, -1);") == "x=255");
  CHECK(value("int(0..255)", "fetch_sub(x, 3);") == "x=253");
  CHECK(value("int(-128..127)", "store(x, 127); fetch_add(x, 1);") == "x=-128");
  CHECK(value("int(-128..127)", "store(x, -129);") == "x=127");
  CHECK(value("int(-2..0)", "store(x, 4);") == "x=-2");
  CHECK(value("bool", "store(x, 3);") == "x=1");
  CHECK(value("int(0..9)", "cas(x, 0, 12);") == "x=2");
  CHECK(
      memory_after("wrap int(0..3) r = 3; r++; store(x, r); r -= 2; store(x, load(x) * 10 + r);") ==
      "x=2");
  CHECK(memory_after("wrap int(-1..1) a[2] = {2, -2}; store(x, a[0] * 10 + a[1]);") == "x=-9");
  // All values, against the definition.
  for (int low = -3; low <= 3; ++low) {
    for (int high = low; high <= 3; ++high) {
      if (low > 0 || high < 0) continue;
      for (int number = -9; number <= 9; ++number) {
        int wrapped = number;
        while (wrapped < low) wrapped += high - low + 1;
        while (wrapped > high) wrapped -= high - low + 1;
        CHECK(value(fmt::format("int({}..{})", low, high), fmt::format("store(x, {});", number)) ==
              fmt::format("x={}", wrapped));
      }
    }
  }
  CHECK(memory_complaint("shared wrap bool x = 2; thread 0 { }") ==
        "1:22: the initial value of x is 2 where N = 1; expected 0 to 1");
}

TEST_CASE("lang/idiom/memory: numbers may be hexadecimal") {
  CHECK(memory_after("store(x, 0x1F + 0Xa);") == "x=41");
  CHECK(memory_complaint("const K = 0x; thread 0 { }") ==
        "1:11: expected a hexadecimal number from 0 to 0x3b9ac9ff, found '0x'");
  CHECK(memory_complaint("const K = 0xg; thread 0 { }") ==
        "1:11: expected a hexadecimal number from 0 to 0x3b9ac9ff, found '0xg'");
  CHECK(memory_complaint("const K = 0xffffffffffffffffff; thread 0 { }") ==
        "1:11: expected a hexadecimal number from 0 to 0x3b9ac9ff, found '0xffffffffffffffffff'");
}

TEST_CASE("lang/idiom/memory: a switch goes on at its case, and falls through as in C") {
  const auto after = [](int value) {
    return memory_after(
        fmt::format("int(0..9) r = {}, s;\n"
                    "switch (r + load(x)) {{\n"
                    "  case 1: s = 1; break;\n"
                    "  case 1 + 1: s = 2;\n"
                    "  case 3: s += 3; break;\n"
                    "  default: s = 7;\n"
                    "  case 5: s++;\n"
                    "}}\nstore(x, s);",
                    value));
  };
  CHECK(after(1) == "x=1");
  CHECK(after(2) == "x=5");
  CHECK(after(3) == "x=3");
  CHECK(after(4) == "x=8");
  CHECK(after(5) == "x=1");
  CHECK(after(9) == "x=8");
  CHECK(memory_after("switch (3) { case 1: store(x, 1); }") == "x=0");
  CHECK(memory_after("switch (3) { }") == "x=0");
  // continue belongs to the loop around it, break to the switch.
  CHECK(memory_after("int(0..9) i, s;\nfor (i = 0; i < 5; i++) {\n"
                     "  switch (i) { case 1: continue; case 2: break; default: s++; }\n  s++;\n}\n"
                     "store(x, s);") == "x=7");
  CHECK(
      memory_after("int(0..9) s;\nswitch (1) { case 1: switch (2) { case 2: s++; break; } s++; }\n"
                   "store(x, s);") == "x=2");
  const auto complaint = [](const std::string& statement) {
    return memory_complaint("threads 0..0 {\n" + statement + "\n}");
  };
  CHECK(complaint("switch (1) { case 1: ; case 2 - 1: ; }") == "2:24: a second case 1 where N = 1");
  CHECK(complaint("switch (1) { default: ; default: ; }") ==
        "2:1: a switch with more than one default");
  CHECK(complaint("switch (1) { case 1: continue; }") == "2:22: 'continue' stands in no loop");
  CHECK(complaint("switch (1) { if (1) case 1: ; }") ==
        "2:21: expected a statement, found 'case', which is declared nowhere");
  CHECK(complaint("int(0..1) r; switch (1) { case r: ; }") ==
        "2:32: expected a number, a constant or N, found 'r'");
}

TEST_CASE("lang/idiom/memory: the final block looks at memory when all threads have ended") {
  const std::string text =
      "N = 2;\nshared int(0..2) x;\nthreads { int(0..1) r = load(x); store(x, r + 1); }\n"
      "final { assert(load(x) >= 1); assert(load(x) == 2); }\n";
  ProgramWalk lost(text);
  lost.step(0);
  lost.step(1);
  CHECK(lost.step(1) == "writes x = 1");
  CHECK(lost.terminated() == ThreadSet::single(1));
  // It is the last thread that goes wrong.
  CHECK(lost.step(0) ==
        "writes x = 1, ERROR in line 4, assert(load(x) == 2) at the end: the assertion does not "
        "hold");
  CHECK(lost.failed() == ThreadSet::single(0));
  CHECK(lost.terminated() == ThreadSet::single(1));
  CHECK(lost.running().empty());
  ProgramWalk fine(text);
  for (const int thread : {0, 0, 1, 1}) fine.step(thread);
  CHECK(fine.failed().empty());
  CHECK(fine.terminated() == ThreadSet::first(2));
  // By thread where it stands: LL, SL, LS, SS, and E and L/S with what the other read. Two states
  // are the last of a lost update, one by each thread.
  CHECK(count_transitions(text).failed == 2);
  CHECK(count_transitions(text).finished == 1);
  const ProgramWalk walk(text);
  CHECK(!walk.program().step_tables());
  CHECK(walk.program().why_no_tables() == "it says what memory holds at the end");
  ProgramWalk index("shared bool a[2]; thread 0 { load(a[0]); } final { assert(load(a[2])); }");
  CHECK(index.step() ==
        "reads a[0] = 0, ERROR in line 1, assert(load(a[2])) at the end: index 2 is out of bounds: "
        "a has 2 elements");
  const auto complaint = [](const std::string& block) {
    return memory_complaint("shared bool x; workgroup bool w;\nthreads 0..1 { }\nfinal " + block);
  };
  CHECK(complaint("{ }") ==
        "3:9: expected 'assert', found '}': a final block holds 'assert(...);' "
        "alone");
  CHECK(complaint("{ store(x, 1); }") ==
        "3:9: expected 'assert', found 'store': a final block holds 'assert(...);' alone");
  CHECK(complaint("{ assert(exch(x, 1)); }") == "3:16: expected a load, found 'exch'");
  CHECK(complaint("{ assert(tid == 0); }") ==
        "3:16: expected a value that memory alone decides, found 'tid'");
  CHECK(complaint("{ assert(load(w)); }") ==
        "3:21: each workgroup has a 'w' of its own; expected a shared variable");
}

TEST_CASE("lang/idiom/memory: programs with other memory have other keys") {
  std::set<std::string> keys;
  int count = 0;
  for (const char* text :
       {"N = 2; shared bool x; threads { load(x); }",
        "N = 2; workgroup bool x; threads { load(x); }",
        "N = 2; shared wrap bool x; threads { load(x); }",
        "N = 2; shared bool x; threads { load(x); } final { assert(load(x)); }",
        "N = 2; shared bool x; threads { load(x); } final { assert(!load(x)); }",
        "N = 2; shared bool x; threads { bool r = weak_cas(x, 0, 1); }",
        "N = 2; shared bool x; threads { bool r = fair weak_cas(x, 0, 1); }",
        "N = 2; shared bool x; threads { bool r = choose(0..1); store(x, r); }",
        "N = 2; shared bool x; threads { bool r = fair choose(0..1); store(x, r); }",
        "N = 2; shared bool x; threads { bool r = choose(0..0); store(x, r); }",
        "N = 2; shared bool x; threads { bool r[2]; store(x, r[tid]); }",
        "N = 2; shared bool x; threads { wrap bool r[2]; store(x, r[tid]); }"}) {
    keys.insert(lang::program_key(lang::parse(text, "f")));
    ++count;
  }
  CHECK(static_cast<int>(keys.size()) == count);
}
