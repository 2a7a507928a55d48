// Small programs that tell readings of subgroups apart, and what becomes of each under every
// reading: the table of docs/reference/machines.md.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "checker/endings.hpp"
#include "checker/explain.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/errors.hpp"

namespace headway::readings_test {
namespace {

using lang::SubgroupReading;

// The readings in the order of the columns below.
constexpr SubgroupReading kColumns[] = {
    SubgroupReading::its, SubgroupReading::spec, SubgroupReading::sso,
    SubgroupReading::scf, SubgroupReading::sm,   SubgroupReading::cm,
    SubgroupReading::mr,  SubgroupReading::lock, SubgroupReading::cfg};

std::unique_ptr<lang::Program> program_of(const lang::SourcePtr& source) {
  return source->make_program();
}

lang::SourcePtr read(const std::string& text, SubgroupReading reading) {
  const lang::Test test = lang::parse("idiom t\n" + text, "f");
  return test.source->in_reading(reading);
}

checker::CheckResult decide(const lang::Program& program, const std::string& model) {
  static const models::Library library;
  const std::vector<models::ModelPtr> asked = {library.named(model)};
  return checker::Checker().check(program, asked);
}

// Whether it ends without a promise for threads (E), with one alone (F), or not: as threads wait
// for ever (S) or somebody goes on for ever (H). "?" where that is unknown, "!" where it goes
// wrong.
char termination(const std::string& text, SubgroupReading reading) {
  const lang::SourcePtr source = read(text, reading);
  const auto program = program_of(source);
  const auto none = decide(*program, "thread=unfair");
  const auto fair = decide(*program, "fair");
  if (none.error) return '!';
  if (none.verdicts[0].weak == checker::Verdict::pass) return 'E';
  if (fair.verdicts[0].weak == checker::Verdict::pass) return 'F';
  if (fair.verdicts[0].weak != checker::Verdict::fail) return '?';
  static const models::Library library;
  const auto why = checker::explain(*program, *library.named("fair"), models::Fairness::weak);
  return why.witness->lasso.cycle.empty() ? 'S' : 'H';
}

bool goes_wrong(const std::string& text, SubgroupReading reading, const std::string& end) {
  const lang::SourcePtr source =
      read(text + fmt::format("final {{ assert({}); }}\n", end), reading);
  const auto program = program_of(source);
  const auto result = decide(*program, "fair");
  CHECK((result.complete || result.error));
  return result.error.has_value();
}

// Whether what is said of the end holds always (a), sometimes (s) or never (n).
char outcome(const std::string& text, SubgroupReading reading, const std::string& end) {
  const bool may_not = goes_wrong(text, reading, end);
  const bool may = goes_wrong(text, reading, fmt::format("!({})", end));
  return may && may_not ? 's' : may ? 'a' : 'n';
}

struct Row {
  const char* name;
  const char* text;
  const char* end;  // what is asked of the memory at the end; null: whether it ends
  const char* expected;
};

// What each of a pair of threads does.
std::string pair(const std::string& statements) {
  return "1 workgroup of 2 threads;\nshared bool x, y[2], f, taken, out[2];\nshared int(0..2) "
         "turn;\nthreads {\n" +
         statements + "\n}\n";
}

void check(const Row& row, const std::string& text) {
  std::string found;
  for (const SubgroupReading reading : kColumns) {
    CAPTURE(std::string(row.name));
    CAPTURE(std::string(to_string(reading)));
    found += row.end != nullptr ? outcome(text, reading, row.end) : termination(text, reading);
  }
  CAPTURE(std::string(row.name));
  CHECK(found == row.expected);
}

constexpr Row kPairs[] = {
    // its, spec, sso, scf, sm, cm, mr, lock, cfg
    {"sm_ww", "store(y[lane], 0); store(y[1 - lane], 1);", "load(y[0]) && load(y[1])", "ssssaaaaa"},
    {"sm_rw", "bool r = load(x); store(x, 1); store(out[lane], r);",
     "!load(out[0]) && !load(out[1])", "ssssaaaaa"},
    {"sm_wr", "store(y[lane], 1); bool r = load(y[1 - lane]); store(out[lane], r);",
     "load(out[0]) && load(out[1])", "ssssaaaaa"},
    {"scf_ww", "store(y[lane], 0); if (lane == 0) store(y[1], 1); else store(y[0], 1);",
     "load(y[0]) && load(y[1])", "sssaaaaaa"},
    {"scf_rw",
     "bool r = load(x); if (lane == 0) store(x, 1); else store(x, 1); store(out[lane], r);",
     "!load(out[0]) && !load(out[1])", "sssaaaaaa"},
    {"scf_wr",
     "store(y[lane], 1); bool r; if (lane == 0) r = load(y[1]); else r = load(y[0]); "
     "store(out[lane], r);",
     "load(out[0]) && load(out[1])", "sssaaaaaa"},
    {"sso_ww",
     "store(y[lane], 0); if (lane == 0) { any(1); store(y[1], 1); } else { any(1); store(y[0], 1); "
     "}",
     "load(y[0]) && load(y[1])", "asaaaaaaa"},
    {"sso_rw",
     "bool r = load(x); if (lane == 0) { any(1); store(x, 1); } else { any(1); store(x, 1); } "
     "store(out[lane], r);",
     "!load(out[0]) && !load(out[1])", "asaaaaaaa"},
    {"sso_wr",
     "store(y[lane], 1); bool r; if (lane == 0) { any(1); r = load(y[1]); } else { any(1); r = "
     "load(y[0]); } store(out[lane], r);",
     "load(out[0]) && load(out[1])", "asaaaaaaa"},
    {"speculate", "bool c = load(x); if (!c) { any(1); store(x, 1); } store(out[lane], c);",
     "!load(out[0]) && !load(out[1])", "asaaaaaaa"},
    {"tool-spinlock",
     "bool done, all_done; do { if (!done) { if (exch(x, 1) == 0) { store(x, 0); done = 1; } } "
     "all_done = all(done); } while (!all_done);",
     nullptr, "EEEEEEEEE"},
    {"lock-behind", "while (exch(x, 1)); store(x, 0);", nullptr, "FFFHHHHHH"},
    {"lock-done", "bool done; while (!done) { if (exch(x, 1) == 0) { store(x, 0); done = 1; } }",
     nullptr, "FFFEEEEEE"},
    {"two-sides", "if (lane == 0) store(f, 1); else while (!load(f));", nullptr, "FFFFFFHHH"},
    {"producer-if, then consumer-if",
     "if (lane == 0) store(f, 1); if (lane == 1) while (!load(f));", nullptr, "FFFEEEEEE"},
    {"consumer-if first, winner publishes behind the loop",
     "bool lost = exch(taken, 1); if (lost) while (!load(f)); if (!lost) store(f, 1);", nullptr,
     "FFFHHHHHH"},
    {"chain, store and break inside of the loop",
     "while (true) { if (load(turn) == lane) { store(turn, lane + 1); break; } }", nullptr,
     "FFFFFFHHH"},
    {"chain, store behind the loop", "while (load(turn) != lane); store(turn, lane + 1);", nullptr,
     "FFFHHHHHH"},
    {"open and close on each side",
     "if (lane == 0) { while (exch(x, 1)); store(x, 0); } else { while (exch(x, 1)); store(x, 0); "
     "}",
     nullptr, "FFFFFFEEE"},
    {"open on each side, close where they meet",
     "if (lane == 0) { while (exch(x, 1)); } else { while (exch(x, 1)); } store(x, 0);", nullptr,
     "FFFHHHHHH"},
    {"barrier as loop", "fetch_add(turn, 1); while (load(turn) != 2);", nullptr, "FFFEEEEEE"},
    {"vote behind a wait for who votes",
     "if (lane == 0) { while (!load(f)); } any(1); store(f, 1);", nullptr, "HHHHHHHHH"},
    {"disagree-sm", "store(y[lane], 1); if (!load(y[1 - lane])) while (true);", nullptr,
     "HHHHEEEEE"},
    {"disagree-scf",
     "store(y[lane], 1); bool r; if (lane == 0) r = load(y[1]); else r = load(y[0]); if (!r) while "
     "(true);",
     nullptr, "HHHEEEEEE"},
    {"disagree-sso",
     "store(y[lane], 1); bool r; if (lane == 0) { any(1); r = load(y[1]); } else { any(1); r = "
     "load(y[0]); } if (!r) while (true);",
     nullptr, "EHEEEEEEE"},
};

}  // namespace

TEST_CASE("checker/readings: what becomes of two threads under each reading is as published") {
  for (const Row& row : kPairs) check(row, pair(row.text));
}

TEST_CASE("checker/readings: only accesses of all threads by one step leave no room for others") {
  const std::string groups =
      "1 workgroup of 4 threads, subgroups of 2;\nshared bool x, out[4];\nthreads {\n"
      "store(x, lane); bool r = load(x);\n";
  check({"cm_wr", "", "load(out[0]) == load(out[1]) && load(out[2]) == load(out[3])", "sssssaaaa"},
        groups + "store(out[tid], r); }\n");
  check({"disagree-2sg", "", nullptr, "HHHHHEEEE"},
        groups + "int(0..3) both = ballot(r); if (both != 0 && both != 3) while (true); }\n");
}

TEST_CASE("checker/readings: who votes together in a loop that threads leave in turn") {
  check({"tool-dynamic-loop", "",
         "load(b[0]) == 7 && load(b[1]) == 3 && load(b[2]) == 1 && load(last[0]) == 7 && "
         "load(last[1]) == 7 && load(last[2]) == 7",
         "naaaaaaaa"},
        "1 workgroup of 3 threads;\nshared int(0..7) b[3], last[3];\nthreads {\n"
        "int(0..3) i; int(0..7) m; do { m = ballot(1); store(b[i], m); i++; } while (i < 3 - lane);"
        "m = ballot(1); store(last[lane], m);\n}\n");
  const std::string waterfall =
      "1 workgroup of 3 threads;\nshared int(0..7) b[3];\nthreads {\nint(0..7) m; bool it;\n"
      "while (true) { it = !any(lane % 2 == 0); if (lane % 2 == it) { m = ballot(1); break; } }\n"
      "store(b[lane], m);\n}\n";
  CHECK(termination(waterfall, SubgroupReading::its) == 'S');
  for (const SubgroupReading reading : kColumns) {
    if (reading == SubgroupReading::its) continue;
    CAPTURE(std::string(to_string(reading)));
    CHECK(outcome(waterfall, reading, "load(b[0]) == 5 && load(b[1]) == 2 && load(b[2]) == 5") ==
          (reading == SubgroupReading::cfg ? 'n' : 'a'));
  }
}

TEST_CASE("checker/readings: a guess may come true out of thin air") {
  const std::string text = pair("bool r = load(x); if (any(r)) store(x, 1);");
  CHECK(outcome(text, SubgroupReading::symb, "load(x)") == 's');
  CHECK(outcome(text, SubgroupReading::sso, "load(x)") == 'n');
  CHECK(outcome(text, SubgroupReading::spec, "load(x)") == 'n');
}

// A thread may go round a loop, without a vote, as often as it likes while another one stands
// still.
TEST_CASE("checker/readings: rounds that nobody counts make no verdict wrong") {
  const std::string lock =
      "bool done; while (!done) { if (exch(x, 1) == 0) { any(1); store(x, 0); done = 1; } }";
  CHECK(termination(pair(lock), SubgroupReading::sso) == 'F');
  const std::string late =
      "if (lane == 0) { while (!load(f)) { if (load(taken)) any(1); } } else { while (!load(x)) { "
      "if "
      "(load(taken)) any(1); } }";
  CHECK(termination(pair(late), SubgroupReading::sso) == 'H');
  const lang::SourcePtr source = read(pair(lock), SubgroupReading::sso);
  const auto program = program_of(source);
  CHECK(decide(*program, "fair").open.empty());
  CHECK(program->wider() != nullptr);
}

TEST_CASE("checker/readings: an execution whose guess does not come true is left out") {
  const std::string text = pair("bool r = any(0); store(x, r);");
  const lang::SourcePtr source = read(text, SubgroupReading::symb);
  const auto program = program_of(source);
  const auto endings = checker::endings_of(*program, {});
  REQUIRE(endings);
  CHECK(endings->dropped);
  CHECK(endings->real);
  CHECK_FALSE(endings->beyond);
  CHECK(outcome(text, SubgroupReading::symb, "!load(x)") == 'a');
}

TEST_CASE("checker/readings: what a reading cannot have is refused with its place") {
  const auto complaint = [](const std::string& statements, SubgroupReading reading) {
    return testing::complaint_of([&] { read(pair(statements), reading); }, 5);
  };
  CHECK(complaint("if (lane == 0) barrier(workgroup);", SubgroupReading::cm) ==
        "1:16: not modelled with --subgroups cm: 'barrier(workgroup);', and no text says how it "
        "meets the dynamic blocks around it");
  CHECK(complaint("while (load(x));", SubgroupReading::symb) ==
        "1:1: not modelled with --subgroups symb: 'while (load(x));', as what is guessed in it has "
        "no end; expected no loop");
  CHECK(complaint("L: goto L;", SubgroupReading::scf) ==
        "1:4: not modelled with --subgroups scf: 'goto L;', which is not structured enough for "
        "dynamic blocks; expected a loop");
  CHECK(complaint("if (lane == 0) barrier(workgroup);", SubgroupReading::lock) == "no error");
  CHECK(complaint("await(load(x));", SubgroupReading::its) == "no error");
}

}  // namespace headway::readings_test
