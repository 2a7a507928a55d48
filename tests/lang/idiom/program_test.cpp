// What programs of the idiom language do, step by step.
#include "lang/idiom/program.hpp"

#include <doctest/doctest.h>

#include "languages/languages.hpp"

using namespace headway;
using lang::Word;

namespace {

// Runs a program by hand.
class Run {
 public:
  explicit Run(const std::string& text)
      : test_(lang::parse(text, "f")), program_(lang::make_program(test_)), state_(words()) {
    program_->initial(state_.data());
  }

  std::size_t words() const { return static_cast<std::size_t>(program_->words()); }
  // What the step does, as a person reads it.
  std::string step(int thread = 0) {
    const std::string effect = program_->describe_step(state_.data(), thread).effect;
    std::vector<Word> next(words());
    const bool ended = program_->step(state_.data(), thread, next.data());
    state_.swap(next);
    CHECK(ended == terminated(thread));
    return effect;
  }
  bool terminated(int thread = 0) const {
    return program_->terminated(state_.data()).contains(thread);
  }
  bool failed(int thread = 0) const { return program_->failed(state_.data()).contains(thread); }
  bool runs(int thread = 0) const { return program_->running(state_.data()).contains(thread); }
  std::string at(int thread = 0) const { return program_->describe_thread(state_.data(), thread); }
  std::string memory() const { return program_->describe_memory(state_.data()); }
  int line(int thread = 0) const { return program_->describe_step(state_.data(), thread).line; }

 private:
  lang::Test test_;
  std::unique_ptr<lang::Program> program_;
  std::vector<Word> state_;
};

// The same with `statements` in thread 0.
Run run(const std::string& statements) {
  return Run("shared int(-2..5) x = 1, a[3] = {3, 4, 5};\nthread 0 {\n" + statements + "\n}\n");
}

}  // namespace

TEST_CASE("lang/idiom/program: each access reads the old value and writes the new one") {
  const auto effect = [](const std::string& access) { return run(access + ";").step(); };
  CHECK(effect("load(x)") == "reads x = 1");
  CHECK(effect("store(x, 3)") == "writes x = 3");
  CHECK(effect("exch(x, 3)") == "reads x = 1, writes x = 3");
  CHECK(effect("cas(x, 1, 4)") == "reads x = 1, writes x = 4");
  CHECK(effect("cas(x, 0, 4)") == "reads x = 1");
  CHECK(effect("fetch_add(x, 4)") == "reads x = 1, writes x = 5");
  CHECK(effect("fetch_sub(x, 3)") == "reads x = 1, writes x = -2");
  CHECK(effect("fetch_min(x, -1)") == "reads x = 1, writes x = -1");
  CHECK(effect("fetch_min(x, 2)") == "reads x = 1, writes x = 1");
  CHECK(effect("fetch_max(x, 2)") == "reads x = 1, writes x = 2");
  CHECK(effect("fetch_and(x, 4)") == "reads x = 1, writes x = 0");
  CHECK(effect("fetch_or(x, 4)") == "reads x = 1, writes x = 5");
  CHECK(effect("fetch_xor(x, 5)") == "reads x = 1, writes x = 4");
  CHECK(effect("load(a[1 + 1])") == "reads a[2] = 5");
}

TEST_CASE("lang/idiom/program: operators are those of C") {
  const auto value = [](const std::string& expression) {
    Run run("shared int(-100..100) x;\nthread 0 { store(x, " + expression + "); }");
    run.step();
    return run.memory();
  };
  CHECK(value("2 + 3 * 4 - 1") == "x=13");
  CHECK(value("-7 / 2") == "x=-3");
  CHECK(value("-7 % 3") == "x=-1");
  CHECK(value("1 << 3 >> 1") == "x=4");
  CHECK(value("~5 & 15 | 64 ^ 3") == "x=75");
  CHECK(value("!3 + !0") == "x=1");
  CHECK(value("3 > 2 == 1") == "x=1");
  CHECK(value("1 < 2 && 2 <= 2 && 3 != 3 || 5 >= 5") == "x=1");
  CHECK(value("0 && 1 / 0") == "x=0");
  CHECK(value("1 || 1 / 0") == "x=1");
  CHECK(value("0 ? 1 / 0 : 7") == "x=7");
  CHECK(value("1 ? 2 : 0 ? 3 : 4") == "x=2");
  CHECK(value("10 - 4 - 3") == "x=3");
  CHECK(value("tid * 10 + N") == "x=1");
  CHECK(value("true + false") == "x=1");
}

TEST_CASE("lang/idiom/program: a step goes up to the next access") {
  Run ticket = run("int(0..9) r = load(x); r = r + 1; r *= 2; store(x, r);");
  CHECK(ticket.at() == "int(0..9) r = load(x);");
  CHECK(ticket.step() == "reads x = 1, then r=4");
  CHECK(ticket.at() == "store(x, r); [r=4]");
  CHECK(ticket.step() == "writes x = 4");
  CHECK(ticket.at() == "END");
  Run both = run("assert(load(x) + load(a[0]) == 4); store(x, 0);");
  CHECK(both.step() == "reads x = 1");
  CHECK(both.step() == "reads a[0] = 3");
  CHECK(both.at() == "store(x, 0);");
}

TEST_CASE("lang/idiom/program: the right side of a logical operator may not be read") {
  Run either = run("if (load(x) == 0 && load(a[0]) == 3) store(x, 2);");
  CHECK(either.step() == "reads x = 1");
  CHECK(either.terminated());
  Run value = run("bool r = load(x) || load(a[0]); store(x, r);");
  CHECK(value.step() == "reads x = 1, then r=1");
  Run negated = run("while (!(load(x) == 0 || load(a[0]) == 9));");
  CHECK(negated.step() == "reads x = 1");
  CHECK(negated.step() == "reads a[0] = 3");
  CHECK(negated.step() == "reads x = 1");
}

TEST_CASE("lang/idiom/program: loops without an access take a step each time round") {
  Run counting = run("int(0..3) i; for (i = 0; i < 2; i++); store(x, i);");
  CHECK(counting.step() == "computes, then i=2");  // the first round belongs to no step
  CHECK(counting.step() == "computes");
  CHECK(counting.step() == "writes x = 2");
  CHECK(counting.terminated());
  Run forever = run("for (;;);");
  for (int i = 0; i < 3; ++i) {
    forever.step();
    CHECK(!forever.terminated());
    CHECK(!forever.failed());
  }
  Run jumping = run("L: goto L;");
  jumping.step();
  CHECK(!jumping.terminated());
  Run nothing = run("int(0..1) r = 1;");
  CHECK(!nothing.terminated());
  CHECK(nothing.step() == "computes");
  CHECK(nothing.terminated());
}

TEST_CASE("lang/idiom/program: break, continue, return and goto lead where they do in C") {
  Run loop =
      run("int(0..5) i;\nfor (i = 0; i < 5; i++) {\n"
          "if (load(x) == i) continue;\nif (i == 2) break;\nstore(a[i], 0);\n}\nstore(x, i);");
  CHECK(loop.step() == "reads x = 1");
  CHECK(loop.step() == "writes a[0] = 0, then i=1");
  CHECK(loop.step() == "reads x = 1, then i=2");
  CHECK(loop.step() == "reads x = 1");
  CHECK(loop.step() == "writes x = 2");
  CHECK(loop.terminated());
  Run again =
      run("do { if (load(x)) continue; store(x, 5); } while (load(a[0]) == 4); store(x, 0);");
  CHECK(again.step() == "reads x = 1");
  CHECK(again.step() == "reads a[0] = 3");
  CHECK(again.step() == "writes x = 0");
  Run ends = run("load(x); return; store(x, 0);");
  ends.step();
  CHECK(ends.terminated());
  Run jumps = run("goto IN; while (load(x)) { store(x, 5); IN: store(x, 4); }");
  CHECK(jumps.step() == "writes x = 4");
  CHECK(jumps.step() == "reads x = 4");
  CHECK(jumps.step() == "writes x = 5");
  Run end = run("load(x); goto END; store(x, 0);");
  end.step();
  CHECK(end.terminated());
}

TEST_CASE("lang/idiom/program: what goes wrong says what and where, and stays") {
  const auto effect = [](const std::string& statement) {
    Run wrong = run(statement);
    const std::string text = wrong.step();
    CHECK(wrong.failed());
    CHECK(!wrong.terminated());
    CHECK(wrong.at() == "ERROR");
    CHECK(!wrong.runs());
    return text;
  };
  CHECK(effect("store(x, 6);") == "ERROR: x would become 6, out of its range -2..5");
  CHECK(effect("fetch_sub(x, 4);") ==
        "reads x = 1, ERROR: x would become -3, out of its range -2..5");
  CHECK(effect("load(a[3]);") == "ERROR: index 3 is out of bounds: a has 3 elements");
  CHECK(effect("load(a[-1]);") == "ERROR: index -1 is out of bounds: a has 3 elements");
  CHECK(effect("bool r = load(a[0]);") ==
        "reads a[0] = 3, ERROR: r would become 3, out of its range 0..1");
  CHECK(effect("assert(load(x) == 2);") == "reads x = 1, ERROR: the assertion does not hold");
  CHECK(effect("load(x);\nassert(0);") ==
        "reads x = 1, ERROR in line 4, assert(0): the assertion does not hold");
  CHECK(effect("store(x, 1 / 0);") == "ERROR: a division by zero");
  CHECK(effect("store(x, 1 << 63);") == "ERROR: a shift by less than 0 or more than 62");
  CHECK(effect("store(x, 999999999 * 999999999 * 999999999);") ==
        "ERROR: a number that takes more than 64 bits");
  CHECK(effect("assert(false);") ==
        "computes, ERROR in line 3, assert(false): the assertion does not hold");
}

TEST_CASE("lang/idiom/program: a register that does not matter any more splits no states") {
  Run run("shared int(0..3) x;\nthreads 0..1 { int(0..3) r = load(x); store(x, r); load(x); }");
  CHECK(run.step() == "reads x = 0, then r=0");
  CHECK(run.at() == "store(x, r); [r=0]");
  run.step();
  CHECK(run.at() == "load(x);");
}

TEST_CASE("lang/idiom/program: states are packed by the declared ranges") {
  const auto words = [](const std::string& text) {
    const lang::Test test = lang::parse(text, "f");
    return lang::make_program(test)->words();
  };
  // Two threads with 2 bits of history, 2 bits each for where they stand, and 20 cells of 3 bits.
  CHECK(words("shared int(-3..4) x[19]; threads 0..1 { load(x[0]); }") == 1);
  CHECK(words("shared int(-3..4) x[20]; threads 0..1 { load(x[0]); }") == 2);
  CHECK(words("shared int(7..7) x[250] = 7; threads 0..1 { load(x[0]); }") == 1);
}

TEST_CASE("lang/idiom/program: threads that run the same code have equal tables") {
  const auto tables = [](const std::string& text) {
    const lang::Test test = lang::parse(text, "f");
    return lang::make_program(test)->step_tables();
  };
  const auto same = tables(
      "shared int(0..3) x; threads 0..2 { int(0..3) r = fetch_add(x, 1); while (load(x) != r); }");
  REQUIRE(same);
  CHECK(same->threads[0] == same->threads[1]);
  CHECK(same->threads[0] == same->threads[2]);
  CHECK(same->threads[0].may_fail);
  const auto other =
      tables("shared int(0..3) x; threads 0..1 { if (tid == load(x)) store(x, 1); }");
  REQUIRE(other);
  CHECK(!(other->threads[0] == other->threads[1]));
  CHECK(!other->threads[0].may_fail);
  CHECK(other->variables[0].values == 2);  // nobody ever writes more than 1
}
