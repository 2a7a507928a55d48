// Functions: calls are what stands in the function, in the place of the call.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lang/idiom/limits.hpp"
#include "support/errors.hpp"
#include "support/program_walk.hpp"

using namespace headway;
using testing::complaint_of;
using testing::contains;
using testing::count_transitions;
using testing::ProgramWalk;

namespace {

// What x holds when the only thread has run those statements to the end.
std::string x_after(const std::string& functions, const std::string& statements) {
  ProgramWalk walk("shared int(-99..99) x;\n" + functions + "\nthread 0 {\n" + statements + "\n}");
  for (int i = 0; i < 200 && !walk.running().empty(); ++i) walk.step();
  CHECK(walk.failed().empty());
  return walk.memory();
}

// "line:column: message"; the functions begin in line 2.
std::string function_complaint(const std::string& functions, const std::string& statements = {}) {
  const std::string text = "shared bool x;\n" + functions + "\nthreads 0..0 { " + statements + " }";
  return complaint_of([&] { lang::parse(text, "f"); });
}

}  // namespace

TEST_CASE("lang/idiom/functions: a call has the value that the function returns") {
  const std::string twice = "int(0..99) twice(int(0..49) a) { return a + a; }";
  CHECK(x_after(twice, "store(x, twice(4));") == "x=8");
  CHECK(x_after(twice, "store(x, twice(twice(3)) + twice(1) * 10 - twice(0));") == "x=32");
  CHECK(x_after(twice, "int(0..9) a = 3; a = twice(a) - a; store(x, a);") == "x=3");
  const std::string most =
      "int(0..9) most(int(0..9) a, int(0..9) b) { if (a > b) return a; return b; }\n"
      "int(0..9) of_three(int(0..9) a, int(0..9) b, int(0..9) c) {\n"
      "  return most(a, most(b, c));\n}";
  CHECK(x_after(most, "store(x, of_three(3, 7, 5));") == "x=7");
  CHECK(x_after(most, "store(x, most(most(1, 2), most(9, 3)) * 10 + of_three(4, 2, 1));") ==
        "x=94");
  // A loop in a function begins anew with each call, and so do its registers.
  const std::string sum =
      "int(0..99) sum(int(0..9) n) {\n  int(0..99) s;\n"
      "  for (int(0..10) i = 1; i <= n; i++) s += i;\n  return s;\n}";
  CHECK(x_after(sum, "store(x, sum(4) + sum(3));") == "x=16");
  // Without a return it gives 0, or the lowest value that there is.
  CHECK(x_after("int(-1..3) f() { }", "store(x, f());") == "x=0");
  CHECK(x_after("int(2..3) f() { }", "store(x, f());") == "x=2");
}

TEST_CASE("lang/idiom/functions: a call performs the accesses of the function") {
  const std::string lock =
      "void lock() { while (exch(busy, 1) == 1); }\nvoid unlock() { store(busy, 0); }\n"
      "int(0..9) add(int(0..9) v) { int(0..9) r = load(n); store(n, r + v); return r; }\n";
  const std::string called = "shared bool busy; shared int(0..9) n;\n" + lock +
                             "threads 0..1 { lock(); add(tid + 1); unlock(); }";
  const std::string written =
      "shared bool busy; shared int(0..9) n;\n"
      "threads 0..1 { while (exch(busy, 1) == 1); int(0..9) r = load(n); store(n, r + tid + 1); "
      "store(busy, 0); }";
  CHECK(count_transitions(called) == count_transitions(written));
  ProgramWalk walk(called);
  CHECK(walk.at(0) == "while (exch(busy, 1) == 1);");
  CHECK(walk.step(0) == "reads busy = 0, writes busy = 1, then add.v=1");
  CHECK(walk.at(0) == "int(0..9) r = load(n); [add.v=1]");
  CHECK(walk.step(0) == "reads n = 0, then add.v=1 add.r=0");
  // What the rest of an expression needs is kept across a call.
  CHECK(x_after("int(0..9) f(int(0..9) a) { store(x, a); return load(x) + load(x); }",
                "store(x, 5); store(x, load(x) * 10 + f(2) + load(x));") == "x=56");
  // The right side of && is called only where the left one holds.
  CHECK(
      x_after("bool f() { fetch_add(x, 1); return 1; }",
              "if (load(x) == 1 && f()) store(x, 50); if (load(x) == 0 && f()) fetch_add(x, 2);") ==
      "x=3");
}

TEST_CASE("lang/idiom/functions: labels, barriers and arguments are those of the function") {
  CHECK(x_after("int(0..9) f(int(0..9) a) { L: if (a < 5) { a++; goto L; } return a; }",
                "store(x, f(1) * 10 + f(7)); L: ;") == "x=57");
  // A barrier in a function is one statement, wherever it is called from.
  ProgramWalk meet(
      "idiom f 1 workgroup of 2 threads;\nvoid meet() { barrier(workgroup); }\n"
      "threads { if (lid == 0) { meet(); } else { meet(); } }");
  meet.step(0);
  CHECK(meet.blocked() == ThreadSet::single(0));
  meet.step(1);
  CHECK(meet.blocked().empty());
  // An argument that does not fit goes wrong where the call stands.
  ProgramWalk wrong(
      "shared int(0..9) x;\nbool f(bool a) { return !a; }\n"
      "thread 0 {\n  store(x, f(load(x) + 2));\n}");
  CHECK(wrong.step() == "reads x = 0, ERROR: f.a would become 2, out of its range 0..1");
}

TEST_CASE("lang/idiom/functions: what is wrong with a function is told with its place") {
  CHECK(function_complaint("int(0..9) f() { return f(); }") ==
        "2:24: 'f' calls itself; expected a loop");
  CHECK(function_complaint("void f() { f(); }") == "2:12: 'f' calls itself; expected a loop");
  CHECK(function_complaint("void f() { g(); } void g() { }") ==
        "2:12: expected a statement, found 'g', which is declared nowhere");
  CHECK(function_complaint("void f() { }", "bool r = f();") ==
        "3:25: 'f' has no value; expected a function that has one, or 'f(...);' as a statement");
  CHECK(function_complaint("void f() { }\nvoid g(bool a) { }", "g(f());") ==
        "4:18: 'f' has no value; expected a function that has one, or 'f(...);' as a statement");
  CHECK(function_complaint("void f() { return 1; }") == "2:18: expected ';', found '1'");
  CHECK(function_complaint("bool f() { return; }") == "2:18: expected a value, found ';'");
  CHECK(function_complaint("bool f(bool a, bool b) { }", "f(1);") ==
        "3:19: expected ',', found ')': f takes 2 values");
  CHECK(function_complaint("bool f(bool a) { }", "f(1, 2);") ==
        "3:19: expected ')', found ',': f takes 1 value");
  CHECK(function_complaint("bool f(bool a) { }", "f(1) + 1;") ==
        "3:16: the value of this expression is not used; expected a statement that is one access, "
        "an assignment or an assert");
  CHECK(function_complaint("int f() { }") ==
        "2:5: expected '(', found 'f': an int says which values it holds, 'int(0..N)'");
  CHECK(function_complaint("wrap bool f() { }") ==
        "2:11: what a function gives does not wrap; expected a type without 'wrap'");
  CHECK(function_complaint("void f() { goto END; }") ==
        "2:17: END is the end of a thread; expected 'return' in a function");
  CHECK(function_complaint("void f(bool x) { }") == "2:13: 'x' is declared twice");
  CHECK(function_complaint("void f() { } void f() { }") == "2:19: 'f' is declared twice");
  CHECK(function_complaint("bool f() { }", "await(f());") ==
        "3:22: a call here; expected loads and what is computed of them");
  CHECK(function_complaint("bool f() { }", "bool r = 1 ? f() : 0;") ==
        "3:29: an access behind '?' or ':'; expected an if statement");
}

TEST_CASE("lang/idiom/functions: what calls grow into has a limit") {
  std::string functions = "void f0() { load(x); load(x); }\n";
  for (int i = 1; i < 40; ++i) {
    functions += fmt::format("void f{}() {{ f{}(); f{}(); }}\n", i, i - 1, i - 1);
  }
  CHECK(contains(function_complaint(functions, "f39();"),
                 "more than 20000 instructions in a thread, with those of the functions"));
  CHECK(function_complaint(functions, "f3();") == "no error");
  CHECK(
      contains(function_complaint("void f() { bool a[20]; } void g() { bool a[20]; }", "f(); g();"),
               "more than 32 registers in a thread"));
}
