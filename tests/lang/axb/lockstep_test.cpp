// Tests of AXB instructions whose subgroups run in lockstep.
#include "lang/axb/lockstep.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "checker/check.hpp"
#include "lang/axb/source.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/budget.hpp"
#include "support/random_tests.hpp"

using namespace headway;
namespace axb = lang::axb;

namespace {

const std::string kFirstWins =
    "litmus first-wins\n"
    "\n"
    "locations m, x;\n"
    "\n"
    "workgroup 0 {\n"
    "  subgroup 0 {\n"
    "    threads 0..2 {\n"
    "      L0: if (Exch(m, 1) == 1) goto END;\n"
    "      if (lane == 2) goto L0;\n"
    "      x = 1;\n"
    "      barrier(workgroup or ended);\n"
    "    }\n"
    "  }\n"
    "  subgroup 1 {\n"
    "    thread 3 {\n"
    "      while (Load(x) == 0);\n"
    "      barrier(workgroup or ended);\n"
    "    }\n"
    "  }\n"
    "}\n"
    "\n"
    "workgroup 1 {\n"
    "  subgroup 2 {\n"
    "    threads 4..5 {\n"
    "      m = 0;\n"
    "    }\n"
    "  }\n"
    "}\n";

std::string mistake(const std::string& text) {
  try {
    lang::parse(text, "f.litmus");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string weak_verdicts(const std::string& text, const std::string& models) {
  const lang::Test test = lang::parse(text, "f");
  std::string verdicts;
  for (const auto& verdict :
       checker::Checker()
           .check(*lang::make_program(test), models::Library().find_all(models))
           .verdicts) {
    verdicts += (verdicts.empty() ? "" : " ") + to_string(verdict.weak);
  }
  return verdicts;
}

// A random program of so many workgroups of so many subgroups of so many lanes.
axb::Code random_code(testing::Random& random, int workgroups, int subgroups, int lanes) {
  axb::Code code;
  code.locations = {{"x", 0}, {"y", 0}};
  code.values = 2 + testing::below(random, 2);
  code.ended_count = testing::once_in(random, 2);
  const auto byte = [&](int bound) {
    return static_cast<std::uint8_t>(testing::below(random, bound));
  };
  for (int t = 0; t < workgroups * subgroups; ++t) {
    axb::Thread& thread = code.threads.emplace_back();
    thread.lanes = lanes;
    const int length = 1 + testing::below(random, 4);
    for (int index = 0; index < length; ++index) {
      axb::Instruction& i = thread.instructions.emplace_back();
      if (testing::once_in(random, 6)) {
        i = axb::barrier_at(index, testing::once_in(random, 4)
                                       ? axb::Instruction::Barrier::subgroup
                                       : axb::Instruction::Barrier::workgroup);
        continue;
      }
      do i.jump = byte(length + 1);
      while (i.jump == index + 1);
      if (testing::once_in(random, 5)) {
        i.asks_lane = true;
        i.check_value = byte(lanes);
        continue;
      }
      i.location = byte(2);
      i.exchanges = testing::once_in(random, 2);
      if (i.exchanges) i.exchange_value = byte(code.values);
      i.check_value = byte(code.values);
      if (!testing::once_in(random, 3)) continue;
      i = {i.location, 0, static_cast<std::uint8_t>(index + 1), true, byte(code.values)};
    }
  }
  axb::place(code, Topology(workgroups, subgroups, 1));
  if (!code.has_barriers()) code.ended_count = false;
  return code;
}

// The same in the idiom language. What asks for the lane reads a location that is always 0, as it
// is a step, too.
std::string as_idiom_text(const axb::Code& code, int workgroups, int subgroups, int lanes) {
  std::string text = fmt::format(
      "idiom same\n{} workgroups of {} threads, subgroups of {};\nexecution: lockstep;\n"
      "shared int(0..{}) x, y;\nshared bool never;\n",
      workgroups, subgroups * lanes, lanes, code.values - 1);
  const auto target = [](int jump, int length) {
    return jump == length ? std::string("END") : fmt::format("I{}", jump);
  };
  int first = 0;
  for (const axb::Thread& thread : code.threads) {
    text += fmt::format("threads {}..{} {{\n", first, first + lanes - 1);
    first += lanes;
    for (int index = 0; index < thread.length(); ++index) {
      const axb::Instruction& i = thread.instructions[index];
      text += fmt::format("  I{}: ", index);
      const std::string where = i.location == 0 ? "x" : "y";
      if (i.is_barrier()) {
        text += fmt::format("barrier({}{}, of_{});\n", to_string(level_of(i.barrier)),
                            code.ended_count ? " or ended" : "", to_string(level_of(i.barrier)));
      } else if (i.asks_lane) {
        text += fmt::format("if (load(never) + lane == {}) goto {};\n", i.check_value,
                            target(i.jump, thread.length()));
      } else if (axb::is_store(i, index)) {
        text += fmt::format("store({}, {});\n", where, i.exchange_value);
      } else {
        const std::string read = i.exchanges ? fmt::format("exch({}, {})", where, i.exchange_value)
                                             : fmt::format("load({})", where);
        text += fmt::format("if ({} == {}) goto {};\n", read, i.check_value,
                            target(i.jump, thread.length()));
      }
    }
    text += "}\n";
  }
  return text;
}

}  // namespace

TEST_CASE("lang/axb/lockstep: the text of a test in lockstep is read as it is written") {
  const lang::Test test = lang::parse(kFirstWins, "f");
  const axb::Code* code = axb::find_placed_code(test);
  REQUIRE(code != nullptr);
  CHECK(code->in_lockstep());
  CHECK(code->topology().placement() == "3,1|2");
  CHECK(code->topology().to_string() == "2 workgroups of subgroups of 3,1|2 threads in lockstep");
  CHECK(axb::first_lane(*code, 2) == 4);
  CHECK(axb::find_code(test) == nullptr);
  CHECK(lang::print(test) == kFirstWins);
  CHECK(lang::parse(lang::print(test), "f") == test);
  // Without groups each subgroup is a workgroup of its own.
  const lang::Test flat =
      lang::parse("locations x; threads 0..1 { x = 1; } thread 2 { x = 0; }", "f");
  CHECK(axb::find_placed_code(flat)->topology().placement() == "2|1");
  const lang::Test alone = lang::parse("locations x; thread 0 { x = 1; } thread 1 { x = 0; }", "f");
  CHECK(lang::program_key(flat) != lang::program_key(alone));
}

TEST_CASE("lang/axb/lockstep: what is wrong is said with its place") {
  CHECK(mistake("locations x; threads 1..2 { x = 1; }")
            .find("threads are numbered 0, 1, 2, ... in order") != std::string::npos);
  CHECK(mistake("locations x; threads 0..0 { x = 1; }").find("last thread of the subgroup") !=
        std::string::npos);
  CHECK(mistake("locations x; threads 0 { x = 1; }").find("'thread 0' one thread") !=
        std::string::npos);
  CHECK(mistake("locations x; thread 0 { L: if (lane == 0) goto L; }")
            .find("a thread of its own has no lanes") != std::string::npos);
  CHECK(mistake("locations x; threads 0..1 { L: if (lane == 2) goto L; }").find("lane") !=
        std::string::npos);
  CHECK(mistake("locations x; workgroup 0 { threads 0..1 { x = 1; } threads 2..3 { x = 1; } }")
            .find("the threads of a subgroup in lockstep have one program") != std::string::npos);
  CHECK(mistake("locations x; workgroup 0 { threads 0..1 { x = 1; } } "
                "workgroup 1 { thread 2 { x = 1; } thread 3 { x = 0; } }")
            .find("the threads of this group take steps one by one") != std::string::npos);
}

TEST_CASE("lang/axb/lockstep: a lock that a subgroup takes lane by lane hangs") {
  const std::string lock = "  while (Exch(m, 1) == 1);\n  m = 0;\n}\n";
  CHECK(weak_verdicts("locations m; threads 0..1 {" + lock, "fair") == "fail");
  CHECK(weak_verdicts("locations m; thread 0 {" + lock + "thread 1 {" + lock, "fair;OBE") ==
        "pass pass");
  // Released by the lane that has it, before the others try again.
  CHECK(weak_verdicts("locations m; threads 0..1 { L0: if (Exch(m, 1) == 1) goto L0; m = 0; }",
                      "fair") == "fail");
  CHECK(weak_verdicts("locations m, z; threads 0..1 { L0: if (Exch(m, 1) == 1) goto L3; m = 0;"
                      " if (Load(z) == 0) goto END; L3: if (Load(z) == 0) goto L0; }",
                      "fair") == "fail");
  CHECK(weak_verdicts("locations m; threads 0..1 { L0: if (lane == 1) goto END; "
                      "while (Load(m) == 0); } thread 2 { m = 1; }",
                      "HSA;OBE") == "fail fail");
}

TEST_CASE("lang/axb/lockstep: subgroups do what the idiom language says of the same program") {
  testing::Random random(37);  // NOLINT(cert-msc32-c,cert-msc51-cpp)
  constexpr int shapes[][3] = {{1, 1, 2}, {2, 1, 2}, {1, 2, 2}, {1, 1, 3}, {2, 1, 3}, {1, 1, 4}};
  int passes = 0, fails = 0, with_choices = 0;
  const int programs = testing::budget(3000 / testing::kShare);
  models::Library library;
  for (int n = 0; n < programs; ++n) {
    const auto& shape = shapes[static_cast<std::size_t>(n) % std::size(shapes)];
    const axb::Code code = random_code(random, shape[0], shape[1], shape[2]);
    const std::string text = as_idiom_text(code, shape[0], shape[1], shape[2]);
    const lang::Test ours = axb::make_test(code, "ours");
    const auto program = lang::make_program(ours);
    const auto other = lang::make_program(lang::parse(text, "f"));
    REQUIRE(program->threads() == other->threads());
    const auto all = library.standard(program->topology());
    const auto found = checker::Checker().check(*program, all).verdicts;
    checker::CheckOptions sweeping;
    sweeping.small = 1;
    CAPTURE(lang::print(ours));
    CHECK(found == checker::Checker().check(*other, all).verdicts);
    CHECK(found == checker::Checker().check(*program, all, sweeping).verdicts);
    CHECK(lang::parse(lang::print(ours), "f").source->equals(*ours.source));
    for (const auto& verdict : found) {
      (verdict.weak == checker::Verdict::pass ? passes : fails) += 1;
    }
    std::vector<lang::Word> state(static_cast<std::size_t>(program->words()));
    program->initial(state.data());
    with_choices += program->may_choose() ? 1 : 0;
  }
  CHECK(passes > programs);
  CHECK(fails > programs);
  CHECK(with_choices == programs);
}

TEST_CASE("lang/axb/lockstep: lanes that part meet where all ways to the end lead") {
  const auto flow = [](const std::string& body) {
    const lang::Test test = lang::parse("locations x; threads 0..1 {" + body + "}", "f");
    const axb::Code& code = *axb::find_placed_code(test);
    const auto& instructions = code.threads.front().instructions;
    const axb::Flow found(instructions, false);
    std::string points;
    for (int i = 0; i < static_cast<int>(instructions.size()); ++i) {
      points += fmt::format("{} ", found.point(i));
    }
    return points;
  };
  CHECK(flow("if (Load(x) == 0) goto L; x = 1; L: x = 0;") == "2 2 -1 ");
  CHECK(flow("if (Load(x) == 0) goto END; x = 1; x = 0;") == "-1 2 -1 ");
  CHECK(flow("while (Load(x) == 0); x = 1;") == "1 -1 ");
  // What never comes to the end leads past everything.
  CHECK(flow("if (Load(x) == 0) goto L; x = 1; if (Load(x) == 0) goto M; "
             "L: AXB(x, 0, L, true, 1); M: x = 0;") == "4 2 4 4 -1 ");
  CHECK(flow("if (Load(x) == 0) goto L; L: if (lane == 0) goto END; x = 1; M: if (lane == 0) goto "
             "M;") == "1 -1 3 -1 ");
}
