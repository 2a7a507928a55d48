// What the compiler makes of programs, read back as text.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lang/idiom/code.hpp"
#include "lang/idiom/library.hpp"
#include "lang/idiom/limits.hpp"
#include "lang/idiom/parser.hpp"
#include "lang/idiom/source.hpp"
#include "support/errors.hpp"

using namespace headway;
using namespace headway::lang::idiom;
using testing::contains;
using testing::error_of;

namespace {

Syntax parsed(const std::string& text) {
  Scanner scanner(text, "f");
  return parse(scanner, text, "f");
}

// The program of `text` for `threads` threads.
Code compiled(const std::string& text, int threads) { return compile(parsed(text), threads); }

// Two flags and a number, and those statements in every thread.
Code family(const std::string& statements, int threads = 2) {
  return compiled(
      "N = 1..9;\nshared bool x, y;\nshared int(0..9) n, a[N];\nthreads {\n" + statements + "\n}",
      threads);
}

std::string sign(Operator op) {
  constexpr const char* signs[] = {"-",  "~", "!",  "*",  "/",  "%", "+", "-", "<<", ">>", "<",
                                   "<=", ">", ">=", "==", "!=", "&", "^", "|", "&&", "||"};
  return signs[static_cast<int>(op)];
}

std::string name_of(const ThreadCode& thread, std::int64_t reg) {
  if (reg < thread.visible) return thread.registers[reg].name;
  return fmt::format("${}", reg - thread.visible);  // the compiler's own
}

// With all parentheses.
std::string text_of(const ThreadCode& thread, int node) {
  const Node& n = thread.nodes[node];
  switch (n.kind) {
    case Node::Kind::number:
      return std::to_string(n.number);
    case Node::Kind::reg:
      return name_of(thread, n.number);
    case Node::Kind::unary:
      return sign(n.op) + text_of(thread, n.a);
    case Node::Kind::binary:
      return fmt::format("({} {} {})", text_of(thread, n.a), sign(n.op), text_of(thread, n.b));
    case Node::Kind::conditional:
      return fmt::format("({} ? {} : {})", text_of(thread, n.a), text_of(thread, n.b),
                         text_of(thread, n.c));
    case Node::Kind::element:
      return fmt::format("{}..[{}]", name_of(thread, n.number), text_of(thread, n.a));
    case Node::Kind::bounded:
      return fmt::format("{} of {}", text_of(thread, n.a), n.count);
    case Node::Kind::load:
      return fmt::format("load(${}{})", n.number, n.a < 0 ? "" : "[" + text_of(thread, n.a) + "]");
  }
  return {};
}

std::string text_of(const Code& code, const ThreadCode& thread, const Instruction& in) {
  switch (in.kind) {
    case Instruction::Kind::assign:
      return name_of(thread, in.target) + " = " + text_of(thread, in.value);
    case Instruction::Kind::branch:
      return fmt::format("unless {} goto {}", text_of(thread, in.value), in.target);
    case Instruction::Kind::jump:
      return fmt::format("goto {}", in.target);
    case Instruction::Kind::assertion:
      return "assert " + text_of(thread, in.value);
    case Instruction::Kind::access: {
      std::string text = in.target >= 0 ? name_of(thread, in.target) + " = " : "";
      text += std::string(to_string(in.access)) + "(" + code.variables[in.variable].name;
      if (in.index >= 0) text += "[" + text_of(thread, in.index) + "]";
      if (in.value >= 0) text += ", " + text_of(thread, in.value);
      if (in.second >= 0) text += ", " + text_of(thread, in.second);
      return text + ")";
    }
    case Instruction::Kind::head:
      return "head";
    case Instruction::Kind::end:
      return "end";
    case Instruction::Kind::await:
      return "await " + text_of(thread, in.value);
    case Instruction::Kind::arrive:
      return fmt::format("arrive at {}", in.barrier);
    case Instruction::Kind::wait:
      return fmt::format("wait at {}", in.barrier);
    case Instruction::Kind::choice:
      return fmt::format("{} = {}choose({}..{})", name_of(thread, in.target),
                         in.fair ? "fair " : "", in.low, in.low + in.count - 1);
    case Instruction::Kind::pass:
      return fmt::format("pass {}", in.barrier);
    case Instruction::Kind::assumption:
      return "assume " + text_of(thread, in.value);
    case Instruction::Kind::meet:
      return fmt::format("{} = {} at {}", name_of(thread, in.target), text_of(thread, in.value),
                         in.operation);
    case Instruction::Kind::gather:
      return fmt::format("gather {} at {}", name_of(thread, in.target), in.operation);
    case Instruction::Kind::receive:
      return fmt::format("receive {}", name_of(thread, in.target));
  }
  return {};
}

using Lines = std::vector<std::string>;

// The instructions of a thread behind the first one, which is always a head.
Lines listing(const Code& code, int thread = 0) {
  const ThreadCode& own = code.threads[thread];
  REQUIRE(own.instructions.front().kind == Instruction::Kind::head);
  Lines lines;
  for (std::size_t i = 1; i < own.instructions.size(); ++i) {
    lines.push_back(fmt::format("{} {}", i, text_of(code, own, own.instructions[i])));
  }
  return lines;
}

// The registers that matter in front of an instruction, "r $0".
std::string live(const Code& code, std::size_t instruction) {
  const ThreadCode& own = code.threads[0];
  std::string text;
  for (std::size_t r = 0; r < own.registers.size(); ++r) {
    if ((own.live[instruction] >> r & 1) == 0) continue;
    text += (text.empty() ? "" : " ") + name_of(own, static_cast<std::int64_t>(r));
  }
  return text;
}

// "line:column message" of what is wrong when there are so many threads.
std::string complaint(const std::string& text, int threads) {
  const Syntax syntax = parsed(text);
  const auto error = error_of([&] { compile(syntax, threads); });
  if (!error) return "fine";
  return fmt::format("{}:{} {}", error->where().line, error->where().column, error->what());
}

}  // namespace

TEST_CASE("lang/idiom/compiler: accesses are taken out of expressions from left to right") {
  CHECK(listing(family("int(0..9) r = load(n) + exch(n, 2) * load(x);")) ==
        Lines{"1 $0 = load(n)", "2 $1 = exch(n, 2)", "3 $2 = load(x)", "4 r = ($0 + ($1 * $2))",
              "5 end"});
  // Operands and index of an access come before it.
  CHECK(listing(family("store(a[load(n)], load(a[load(x)]) + 1);")) ==
        Lines{"1 $0 = load(n)", "2 $2 = load(x)", "3 $1 = load(a[$2])", "4 store(a[$0], ($1 + 1))",
              "5 end"});
  CHECK(listing(family("cas(n, load(x), -load(y));")) ==
        Lines{"1 $0 = load(x)", "2 $1 = load(y)", "3 cas(n, $0, -$1)", "4 end"});
  CHECK(listing(family("assert(fetch_add(n, 1) < 5);")) ==
        Lines{"1 $0 = fetch_add(n, 1)", "2 assert ($0 < 5)", "3 end"});
  CHECK(listing(family("int(0..9) r = load(x) ? 1 : tid;")) ==
        Lines{"1 $0 = load(x)", "2 r = ($0 ? 1 : 0)", "3 end"});
}

TEST_CASE("lang/idiom/compiler: an access that is the whole value needs no other register") {
  const Code code = family("int(0..9) r = load(n);\nr = fetch_max(n, r);\nfetch_min(n, r);");
  CHECK(listing(code) ==
        Lines{"1 r = load(n)", "2 r = fetch_max(n, r)", "3 fetch_min(n, r)", "4 end"});
  CHECK(code.threads[0].registers.size() == 1);
  CHECK(code.accesses() == 6);  // of both threads
}

TEST_CASE("lang/idiom/compiler: registers of its own are used again by the next statement") {
  const Code code = family("if (load(x) == load(y)) store(n, load(n) + 1);\nwhile (load(y) == 1);");
  CHECK(listing(code) == Lines{"1 $0 = load(x)", "2 $1 = load(y)", "3 unless ($0 == $1) goto 6",
                               "4 $2 = load(n)", "5 store(n, ($2 + 1))", "6 head", "7 $0 = load(y)",
                               "8 unless ($0 == 1) goto 10", "9 goto 6", "10 end"});
  // With the ranges of the variables that they are loaded from.
  CHECK(code.threads[0].visible == 0);
  CHECK(code.threads[0].registers[0].high == 1);
  CHECK(code.threads[0].registers[2].high == 9);
}

TEST_CASE("lang/idiom/compiler: a right side with accesses is performed only when it decides") {
  CHECK(listing(family("if (load(x) && load(y)) store(n, 1);")) ==
        Lines{"1 $0 = load(x)", "2 unless $0 goto 6", "3 $1 = load(y)", "4 unless $1 goto 6",
              "5 store(n, 1)", "6 end"});
  CHECK(listing(family("if (load(x) || load(y)) store(n, 1);")) ==
        Lines{"1 $0 = load(x)", "2 unless $0 goto 4", "3 goto 6", "4 $1 = load(y)",
              "5 unless $1 goto 7", "6 store(n, 1)", "7 end"});
  CHECK(listing(family("if (!(load(x) && load(y))) store(n, 1);")) ==
        Lines{"1 $0 = load(x)", "2 unless $0 goto 6", "3 $1 = load(y)", "4 unless $1 goto 6",
              "5 goto 7", "6 store(n, 1)", "7 end"});
  CHECK(listing(family("bool r = tid || load(y);")) ==
        Lines{"1 unless 0 goto 3", "2 goto 5", "3 $1 = load(y)", "4 unless $1 goto 7", "5 $0 = 1",
              "6 goto 8", "7 $0 = 0", "8 r = $0", "9 end"});
}

TEST_CASE("lang/idiom/compiler: without accesses logical operators stay expressions") {
  CHECK(listing(family("bool r = load(x) && tid == 0;")) ==
        Lines{"1 $0 = load(x)", "2 r = ($0 && (0 == 0))", "3 end"});
  CHECK(listing(family("bool r;\nif (r || !r) load(x);")) ==
        Lines{"1 r = 0", "2 unless (r || !r) goto 4", "3 load(x)", "4 end"});
}

TEST_CASE("lang/idiom/compiler: N, tid and constants are numbers") {
  const std::string text =
      "N = 2..4;\nconst LAST = N - 1, TWICE = 2 * LAST;\nshared int(-N..TWICE) x = LAST, a[N];\n"
      "threads { int(0..N) r = tid + N + LAST; store(a[tid], TWICE); }";
  for (int threads = 2; threads <= 4; ++threads) {
    const Code code = compiled(text, threads);
    REQUIRE(code.threads.size() == static_cast<std::size_t>(threads));
    const int last = threads - 1;
    CHECK(code.variables[0].low == -threads);
    CHECK(code.variables[0].high == 2 * last);
    CHECK(code.variables[1].size == threads);
    CHECK(code.variables[1].first_cell == 1);
    CHECK(code.initial.size() == static_cast<std::size_t>(threads + 1));
    CHECK(code.initial[0] == last);
    CHECK(code.cell_name(0) == "x");
    CHECK(code.cell_name(threads) == fmt::format("a[{}]", last));
    for (int t = 0; t < threads; ++t) {
      CHECK(code.threads[t].registers[0].high == threads);
      CHECK(listing(code, t) == Lines{fmt::format("1 r = (({} + {}) + {})", t, threads, last),
                                      fmt::format("2 store(a[{}], {})", t, 2 * last), "3 end"});
    }
    CHECK(contains(code.source, fmt::format("N = {};\n", threads)));
    CHECK(code.sized);
  }
}

TEST_CASE("lang/idiom/compiler: loops begin with a head and jump back to it") {
  CHECK(listing(family("while (load(x)) store(y, 1);")) ==
        Lines{"1 head", "2 $0 = load(x)", "3 unless $0 goto 6", "4 store(y, 1)", "5 goto 1",
              "6 end"});
  CHECK(listing(family("do store(y, 1); while (load(x));")) ==
        Lines{"1 head", "2 store(y, 1)", "3 $0 = load(x)", "4 unless $0 goto 6", "5 goto 1",
              "6 end"});
  CHECK(listing(family("int(0..9) i;\nfor (i = 1; i < N; i++) store(a[i], i);")) ==
        Lines{"1 i = 0", "2 i = 1", "3 head", "4 unless (i < 2) goto 8", "5 store(a[i], i)",
              "6 i = (i + 1)", "7 goto 3", "8 end"});
  CHECK(listing(family("for (;;) load(x);")) == Lines{"1 head", "2 load(x)", "3 goto 1", "4 end"});
  CHECK(listing(family("if (load(x)) load(y); else store(y, 0);\nload(n);")) ==
        Lines{"1 $0 = load(x)", "2 unless $0 goto 5", "3 load(y)", "4 goto 6", "5 store(y, 0)",
              "6 load(n)", "7 end"});
}

TEST_CASE("lang/idiom/compiler: break and continue belong to the innermost loop") {
  // The continue of a for goes on with its third part, that of a do with its condition.
  CHECK(listing(family("int(0..9) i;\nfor (i = 0; ; i++) {\n"
                       "  if (i == 1) continue;\n  while (load(x)) break;\n  break;\n}")) ==
        Lines{"1 i = 0", "2 i = 0", "3 head", "4 unless (i == 1) goto 6", "5 goto 12", "6 head",
              "7 $0 = load(x)", "8 unless $0 goto 11", "9 goto 11", "10 goto 6", "11 goto 14",
              "12 i = (i + 1)", "13 goto 3", "14 end"});
  CHECK(listing(family("do { if (load(y)) continue; store(x, 1); } while (load(x));")) ==
        Lines{"1 head", "2 $0 = load(y)", "3 unless $0 goto 5", "4 goto 6", "5 store(x, 1)",
              "6 $0 = load(x)", "7 unless $0 goto 9", "8 goto 1", "9 end"});
}

TEST_CASE("lang/idiom/compiler: goto leads to a label, which is a head, and return to the end") {
  CHECK(listing(family("goto L;\nload(x);\nL: load(y);\nif (load(x)) goto L;\nreturn;\nload(n);\n"
                       "goto END;")) == Lines{"1 goto 3", "2 load(x)", "3 head", "4 load(y)",
                                              "5 $0 = load(x)", "6 unless $0 goto 8", "7 goto 3",
                                              "8 goto 11", "9 load(n)", "10 goto 11", "11 end"});
}

TEST_CASE("lang/idiom/compiler: a register matters where its value may still be read") {
  const Code code = family(
      "int(0..9) r = load(n), s = load(n);\n"  // 1, 2
      "store(n, r);\n"                         // 3
      "while (load(x)) r = r & 1;\n"           // 4 head, 5 load, 6 branch, 7 assign, 8 jump
      "s = 0;\nload(x);\n");                   // 9, 10, 11 end
  REQUIRE(listing(code) == Lines{"1 r = load(n)", "2 s = load(n)", "3 store(n, r)", "4 head",
                                 "5 $0 = load(x)", "6 unless $0 goto 9", "7 r = (r & 1)",
                                 "8 goto 4", "9 s = 0", "10 load(x)", "11 end"});
  CHECK(live(code, 0).empty());
  CHECK(live(code, 1).empty());
  CHECK(live(code, 2) == "r");  // s is set and never read
  CHECK(live(code, 3) == "r");
  CHECK(live(code, 4) == "r");  // by way of the loop
  CHECK(live(code, 5) == "r");
  CHECK(live(code, 6) == "r $0");
  CHECK(live(code, 7) == "r");
  CHECK(live(code, 8) == "r");
  CHECK(live(code, 9).empty());
  CHECK(live(code, 11).empty());
}

TEST_CASE("lang/idiom/compiler: index, operands and assertions read registers") {
  const Code code =
      family("int(0..9) i = 0, v = 1, w = 2;\ncas(a[i], v, w);\nassert(v ? w : i);\nload(x);");
  REQUIRE(listing(code) == Lines{"1 i = 0", "2 v = 1", "3 w = 2", "4 cas(a[i], v, w)",
                                 "5 assert (v ? w : i)", "6 load(x)", "7 end"});
  CHECK(live(code, 1).empty());
  CHECK(live(code, 2) == "i");
  CHECK(live(code, 4) == "i v w");
  CHECK(live(code, 5) == "i v w");
  CHECK(live(code, 6).empty());
  // An access sets its register only behind its operands.
  const Code both = family("int(0..9) r = 1;\nr = exch(n, r);\nstore(n, r);");
  CHECK(live(both, 2) == "r");
  CHECK(live(both, 3) == "r");
}

TEST_CASE("lang/idiom/compiler: instructions know their statement") {
  const Code code = family("while (load(x)) {\n  store(y, 1);\n}\nload(n);");
  const ThreadCode& own = code.threads[0];
  const auto line = [&](std::size_t i) { return own.sources[own.instructions[i].source].line; };
  REQUIRE(listing(code).size() == 7);
  CHECK(own.instructions[0].source == -1);
  CHECK(line(1) == 5);
  CHECK(line(4) == 6);
  CHECK(line(5) == 5);  // back to the head of the loop
  CHECK(line(6) == 8);
  CHECK(own.sources[own.instructions[2].source].text == "while (load(x))");
}

TEST_CASE("lang/idiom/compiler: what is wrong for one N is said with it and its place") {
  const std::string divided = "N = 2..4;\nshared int(0..6 / (N - 2)) x;\nthreads { load(x); }";
  CHECK(complaint(divided, 3) == "fine");
  CHECK(contains(complaint(divided, 2), "2:"));
  CHECK(contains(complaint(divided, 2), "a division by zero, where N = 2"));

  const std::string ranged = "N = 1..9;\nshared int(3..N) x = 3;\nthreads { load(x); }";
  CHECK(complaint(ranged, 3) == "fine");
  CHECK(contains(complaint(ranged, 2), "2:15 the highest value is 2 where N = 2; expected 3 to"));
  const std::string wide = "N = 1..9;\nshared int(0..N * 30001) x;\nthreads { load(x); }";
  CHECK(complaint(wide, 1) == "fine");
  CHECK(
      contains(complaint(wide, 2), "the highest value is 60002 where N = 2; expected 0 to 60000"));

  const std::string sized = "N = 1..9;\nshared bool x, a[3 - N];\nthreads { load(x); }";
  CHECK(complaint(sized, 2) == "fine");
  CHECK(contains(complaint(sized, 3), "the size of a is 0 where N = 3; expected 1 to 250"));
  const std::string many = "N = 1..9;\nshared bool x[100], y[100 * N];\nthreads { load(x[0]); }";
  CHECK(complaint(many, 1) == "fine");
  CHECK(complaint(many, 2) == "2:21 more than 250 shared cells");

  const std::string listed = "N = 1..9;\nshared bool a[N] = {0, 1};\nthreads { load(a[0]); }";
  CHECK(complaint(listed, 2) == "fine");
  CHECK(complaint(listed, 3) == "2:13 a has 3 elements, and 2 values are listed");
  const std::string initial = "N = 1..9;\nshared int(0..3) x = N;\nthreads { load(x); }";
  CHECK(complaint(initial, 3) == "fine");
  CHECK(complaint(initial, 4) == "2:22 the initial value of x is 4 where N = 4; expected 0 to 3");
  const std::string zero = "N = 1..9;\nshared int(N - 1..9) x;\nthreads { load(x); }";
  CHECK(complaint(zero, 1) == "fine");
  CHECK(contains(complaint(zero, 2), "2:22 x holds 1 to 9 and so cannot start at 0"));
  const std::string reg = "N = 1..9;\nshared bool x;\nthreads { int(N - 1..9) r; load(x); }";
  CHECK(complaint(reg, 1) == "fine");
  CHECK(contains(complaint(reg, 2), "register 'r' holds 1 to 9 and so cannot start at 0"));
}

TEST_CASE("lang/idiom/compiler: every thread has exactly one program") {
  const std::string text =
      "N = 1..9;\nshared bool x;\nthread 0 { load(x); }\nthreads 2..N - 1 { store(x, 1); }\n"
      "thread 1 { exch(x, 1); }";
  const Code code = compiled(text, 4);
  CHECK(listing(code, 0) == Lines{"1 load(x)", "2 end"});
  CHECK(listing(code, 1) == Lines{"1 exch(x, 1)", "2 end"});
  CHECK(listing(code, 2) == Lines{"1 store(x, 1)", "2 end"});
  CHECK(listing(code, 3) == Lines{"1 store(x, 1)", "2 end"});
  CHECK(complaint(text, 2) == "fine");  // 2..1 is no thread
  CHECK(complaint(text, 1) ==
        "5:1 this block is for thread 1, where N = 1; expected threads from 0 to 0");
  const std::string twice = "N = 1..9;\nshared bool x;\nthreads 0..1 { }\nthreads 1..N - 1 { }";
  CHECK(complaint(twice, 3) == "4:1 thread 1 has two programs where N = 3");
  const std::string gap = "N = 1..9;\nshared bool x;\nthread 0 { }\nthread N - 1 { }";
  CHECK(complaint(gap, 2) == "fine");
  CHECK(complaint(gap, 3) == "3:1 thread 1 has no program where N = 3");
}

TEST_CASE("lang/idiom/compiler: a thread has so many registers, with those of the compiler") {
  const auto text = [](int accesses) {
    std::string sum = "load(x)";
    for (int i = 1; i < accesses; ++i) sum += " + load(x)";
    return "shared bool x;\nthread 0 {\n  int(0..99) r = " + sum + ";\n}";
  };
  CHECK(compiled(text(kMaxRegisters - 1), 1).threads[0].registers.size() == kMaxRegisters);
  // Where the access stands that is one too many.
  const std::size_t column = 18 + 10 * (kMaxRegisters - 1);
  CHECK(contains(complaint(text(kMaxRegisters), 1),
                 fmt::format("3:{} more than 32 registers", column)));
}

TEST_CASE("lang/idiom/compiler: without an N the blocks say how many threads there are") {
  const auto count = [](const std::string& blocks) {
    return thread_count(parsed("const LAST = 3;\nshared bool x;\n" + blocks));
  };
  CHECK(count("thread 0 { load(x); }") == 1);
  CHECK(count("threads 3..5 { load(x); } threads 0..2 { load(x); }") == 6);
  CHECK(count("thread 1 + 1 { load(x); } threads 0..1 { load(x); }") == 3);
  for (const char* unclear :
       {"threads { load(x); }", "threads 0..N - 1 { load(x); }", "thread LAST { load(x); }"}) {
    const auto error = error_of([&] { count(unclear); });
    REQUIRE(error);
    CHECK(error->where().line == 3);
    CHECK(contains(error->what(), "how many threads there are is said nowhere"));
  }
}

TEST_CASE("lang/idiom/compiler: what is expected may depend on N") {
  const auto expectations = [](const std::string& blocks, int threads) {
    const Syntax syntax =
        parsed("N = 1..9;\nshared bool x;\nthreads { load(x); }\n" + blocks + "\n");
    const Expected found = headway::lang::idiom::expected(syntax, threads);
    std::string text = found.error ? "error" : "";
    for (const lang::Expectation& e : found.expectations) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", e.passes ? "pass" : "fail", e.model);
    }
    return text;
  };
  const std::string some =
      "expect { pass OBE; }\nexpect (N >= 3) { fail HSA; }\nexpect (N < 3) { pass HSA; }";
  CHECK(expectations(some, 2) == "pass OBE, pass HSA");
  CHECK(expectations(some, 3) == "pass OBE, fail HSA");
  const std::string wrong = "expect (N == 1) { error; }\nexpect (N > 1) { pass OBE; }";
  CHECK(expectations(wrong, 1) == "error");
  CHECK(expectations(wrong, 2) == "pass OBE");
  // Two that meet for one N are wrong for that one.
  const std::string both = "expect (N >= 3) { fail OBE; }\nexpect (N <= 3) { pass OBE; }";
  CHECK(expectations(both, 2) == "pass OBE");
  CHECK(expectations(both, 4) == "fail OBE");
  const auto twice = error_of([&] { expectations(both, 3); });
  REQUIRE(twice);
  CHECK(twice->where().line == 5);
  CHECK(contains(twice->what(), "a second expectation for model 'OBE' where N = 3"));
  const std::string neither = "expect (N == 2) { error; }\nexpect { pass OBE; }";
  CHECK(expectations(neither, 3) == "pass OBE");
  const auto error = error_of([&] { expectations(neither, 2); });
  REQUIRE(error);
  CHECK(error->where().line == 5);
  CHECK(contains(error->what(), "an error is expected where N = 2, so no verdict can be"));
}

TEST_CASE("lang/idiom/compiler: the key of a program is what it does") {
  const std::string one =
      "N = 2;\nshared int(0..3) count;\nthreads { int(0..3) r = load(count); store(count, r); }";
  const std::string renamed =
      "// The same.\nidiom other N = 2..3; shared int(0..3) c;\n"
      "threads { int(0..N + 1) s; s = load(c); store(c, s); }";
  CHECK(code_key(compiled(one, 2)) != code_key(compiled(renamed, 2)));  // it sets s first
  const std::string same =
      "// The same.\nidiom other N = 2..3; shared int(0..3) c;\n"
      "threads { int(0..N + 1) s = load(c); store(c, s); }";
  CHECK(code_key(compiled(one, 2)) == code_key(compiled(same, 2)));
  CHECK(code_key(compiled(one, 2)) != code_key(compiled(same, 3)));
}

TEST_CASE("lang/idiom/compiler: programs of the library are well formed") {
  for (const LibraryIdiom& idiom : library()) {
    CAPTURE(idiom.name);
    for (const int threads : {2, 3}) {
      const auto code = find_code(member(idiom, threads));
      REQUIRE(code);
      for (const ThreadCode& thread : code->threads) {
        const auto size = static_cast<int>(thread.instructions.size());
        CHECK(thread.live.size() == thread.instructions.size());
        CHECK(thread.instructions.back().kind == Instruction::Kind::end);
        for (int i = 0; i < size; ++i) {
          const Instruction& in = thread.instructions[i];
          if (in.kind != Instruction::Kind::jump && in.kind != Instruction::Kind::branch) continue;
          REQUIRE(in.target >= 0);
          REQUIRE(in.target < size);
          // Whoever goes back comes to a head, so that no computation goes round unseen.
          const bool back = in.target <= i;
          CHECK((!back || thread.instructions[in.target].kind == Instruction::Kind::head));
        }
      }
    }
  }
}

TEST_CASE("lang/idiom/compiler: independent threads wait at an operation of their subgroup") {
  const auto lines_of_body = [](const std::string& execution) {
    return listing(compiled("idiom t\n1 workgroup of 2 threads;\nexecution: " + execution +
                                ";\nshared bool x;\nthreads { bool r = any(tid); assume(r); }\n",
                            2),
                   1);
  };
  CHECK(lines_of_body("lockstep") ==
        Lines{"1 $0 = (1 != 0) at 0", "2 r = $0", "3 assume r", "4 end"});
  CHECK(lines_of_body("independent") == Lines{"1 $0 = (1 != 0) at 0", "2 gather $0 at 0",
                                              "3 receive $0", "4 r = $0", "5 assume r", "6 end"});
}
