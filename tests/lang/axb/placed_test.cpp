// Programs of AXB instructions whose threads are placed into groups and meet at barriers.
#include "support/placed.hpp"

#include <doctest/doctest.h>

#include <string>

#include "checker/check.hpp"
#include "lang/axb/source.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "oracle/oracle.hpp"
#include "support/budget.hpp"
#include "synth/synthesize.hpp"

using namespace headway;
namespace axb = lang::axb;
using models::Fairness;

namespace {

const axb::Code& code_of(const lang::Test& test) {
  const axb::Code* code = axb::find_placed_code(test);
  REQUIRE(code != nullptr);
  return *code;
}

std::string message(const std::string& text) {
  try {
    lang::parse(text, "f.litmus");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// The verdicts of models, weak and strong, "pass fail".
std::string verdicts(const lang::Test& test, const std::string& models) {
  const auto program = lang::make_program(test);
  std::string text;
  for (const auto& verdict :
       checker::Checker().check(*program, models::Library().find_all(models)).verdicts) {
    text += (text.empty() ? "" : " ") + to_string(verdict.weak) + " " + to_string(verdict.strong);
  }
  return text;
}

const std::string kMeeting =
    "litmus meeting\n"
    "\n"
    "locations x;\n"
    "\n"
    "workgroup 0 {\n"
    "  subgroup 0 {\n"
    "    thread 0 {\n"
    "      barrier(subgroup or ended);\n"
    "      while (Load(x) == 0);\n"
    "    }\n"
    "    thread 1 {\n"
    "      barrier(subgroup or ended);\n"
    "      x = 1;\n"
    "    }\n"
    "  }\n"
    "  subgroup 1 {\n"
    "    thread 2 {\n"
    "      L0: barrier(workgroup or ended);\n"
    "      if (Load(x) == 1) goto L0;\n"
    "    }\n"
    "  }\n"
    "}\n"
    "workgroup 1 {\n"
    "  subgroup 2 {\n"
    "    thread 3 {\n"
    "      x = 0;\n"
    "    }\n"
    "  }\n"
    "}\n";

}  // namespace

TEST_CASE("lang/axb/placed: the text of a placed test is read as it is written") {
  const lang::Test test = lang::parse(kMeeting, "f");
  const axb::Code& code = code_of(test);
  REQUIRE(code.placement);
  CHECK(code.placement->placement() == "2,1|1");
  CHECK(code.ended_count);
  CHECK(lang::print(test).find("\nworkgroup 1 {\n") != std::string::npos);
  CHECK(lang::parse(lang::print(test), "f") == test);
  CHECK(lang::print(lang::parse(lang::print(test), "f")) == lang::print(test));
  CHECK(axb::find_code(test) == nullptr);
}

TEST_CASE("lang/axb/placed: groups of one thread are a flat test") {
  const lang::Test flat =
      lang::parse("locations x; thread 0 { x = 1; } thread 1 { while (Load(x) == 0); }", "f");
  const lang::Test placed = lang::parse(
      "locations x; workgroup 0 { thread 0 { x = 1; } } "
      "workgroup 1 { thread 1 { while (Load(x) == 0); } }",
      "f");
  CHECK(flat == placed);
  CHECK(lang::program_key(flat) == lang::program_key(placed));
  const lang::Test together = lang::parse(
      "locations x; workgroup 0 { thread 0 { x = 1; } thread 1 { while (Load(x) == 0); } }", "f");
  CHECK(lang::program_key(flat) != lang::program_key(together));
  CHECK(verdicts(flat, "unfair;workgroup=OBE;fair") == "fail fail fail fail pass pass");
  CHECK(verdicts(together, "thread=unfair;workgroup=unfair;thread=OBE") ==
        "fail fail pass pass fail fail");
}

TEST_CASE("lang/axb/placed: what is wrong is said with its place") {
  CHECK(message("locations x; workgroup 0 { thread 0 { x = 1; } } workgroup 2 { }")
            .find("workgroups are numbered 0, 1, 2, ... in order, through the whole launch") !=
        std::string::npos);
  CHECK(message("locations x; workgroup 0 { }").find("a workgroup has at least one thread") !=
        std::string::npos);
  CHECK(message("locations x; workgroup 0 { thread 0 { x = 1; } } thread 1 { x = 0; }") != "");
  CHECK(message("locations x; workgroup 0 { subgroup 0 { thread 0 { x = 1; } } } "
                "workgroup 1 { thread 1 { x = 1; } }")
            .find("expected 'subgroup'") != std::string::npos);
  CHECK(message("locations x; thread 0 { barrier(grid); }")
            .find("expected 'workgroup' or 'subgroup', found 'grid'") != std::string::npos);
  CHECK(message("locations x; workgroup 0 { thread 0 { barrier(workgroup); x = 1; } thread 1 { "
                "barrier(workgroup or ended); x = 1; } }")
            .find("this one differs from those above") != std::string::npos);
  // What is wrong in a barrier is no other block, and what was meant is said.
  CHECK(message("locations x; workgroup 0 { thread 0 { x = 1; barier(workgroup); } thread 1 { x = "
                "0; } }") == "unknown word 'barier'; did you mean 'barrier'?");
  CHECK(message("locations x; workgroup 0 { thread 0 { while (load(x) == 0); } }") ==
        "unknown word 'load'; did you mean 'Load'?");
  // Words of groups are names of locations still.
  CHECK(message("locations barrier; thread 0 { barrier = 1; }") == "");
}

TEST_CASE("lang/axb/placed: a barrier that some thread does not come to is stuck") {
  const auto test = [](const char* barrier, const char* second) {
    return lang::parse(std::string("locations x; workgroup 0 { thread 0 { ") + barrier +
                           " } thread 1 { " + second + " } }",
                       "f");
  };
  CHECK(verdicts(test("barrier(workgroup);", "x = 1;"), "fair") == "fail fail");
  CHECK(verdicts(test("barrier(workgroup or ended);", "x = 1;"), "thread=unfair") == "pass pass");
  CHECK(verdicts(test("barrier(workgroup);", "barrier(workgroup);"), "thread=unfair") ==
        "pass pass");
  CHECK(verdicts(test("barrier(workgroup); while (Load(x) == 0);", "barrier(workgroup); x = 1;"),
                 "thread=OBE;thread=HSA") == "pass pass fail fail");
}

// Every litmus test of small placements, and one in so many of larger ones.
TEST_CASE("lang/axb/placed: the checker and the oracle agree under all pairs of models") {
  struct Case {
    std::vector<std::vector<int>> sizes;
    int instructions;
    synth::Bounds::Barriers barriers;
    std::size_t every;
  };
  const synth::Bounds::Barriers workgroup{.workgroup = true};
  const synth::Bounds::Barriers both{.workgroup = true, .subgroup = true};
  const synth::Bounds::Barriers ended{.workgroup = true, .subgroup = true, .ended_count = true};
  std::size_t chosen = 0, tests = 0, with_barriers = 0, passes = 0, fails = 0;
  for (const Case& each :
       {Case{{{2}, {1}}, 3, {}, 1}, Case{{{1}, {2}}, 3, {}, 1}, Case{{{2}, {1}}, 4, workgroup, 197},
        Case{{{2}}, 4, workgroup, 1}, Case{{{3}}, 4, {.workgroup = true, .ended_count = true}, 189},
        Case{{{2, 1}}, 4, both, 201}, Case{{{2, 1}, {1}}, 4, ended, 61},
        Case{{{1, 1}, {1}}, 4, workgroup, 301}}) {
    synth::Request request;
    const synth::Bounds bounds = testing::placed(each.sizes, each.instructions, each.barriers);
    request.bounds = {bounds};
    const Topology launch = bounds.topology();
    const auto models = models::Library().standard(launch);
    std::vector<oracle::ScopedModel> by_words(1);
    for (const Level level : kLevels) {
      if (level != Level::workgroup && !launch.has(level)) continue;
      std::vector<oracle::ScopedModel> longer;
      for (const auto& outer : by_words) {
        for (const oracle::Model& model : oracle::set_models()) {
          longer.push_back(outer);
          longer.back().at(static_cast<oracle::Level>(level)) = model.form;
        }
      }
      by_words = std::move(longer);
    }
    REQUIRE(by_words.size() == models.size());
    std::size_t number = 0;
    synth::synthesize(request, {}, [&](const synth::Batch& batch) {
      for (std::size_t i = 0; i < batch.size(); ++i) {
        const axb::Code code = synth::to_code(*batch.bounds, *batch.shape, batch.code(i));
        const bool meets = code.has_barriers();
        // Of tests of two threads those without barriers are as flat ones are.
        if (each.every == 1 ? bounds.threads == 2 && !meets
                            : number++ % (meets ? each.every / 8 : each.every) != 0) {
          continue;
        }
        if (chosen++ % testing::kShare != 0) continue;
        const lang::Test test = axb::make_test(code);
        const auto program = lang::make_program(test);
        const auto found = checker::Checker().check(*program, models).verdicts;
        // Large programs are swept layer by layer; these are, too, where nothing counts as small.
        checker::CheckOptions sweeping;
        sweeping.small = 1;
        CHECK(checker::Checker().check(*program, models, sweeping).verdicts == found);
        ++tests;
        with_barriers += meets ? 1 : 0;
        for (std::size_t m = 0; m < models.size(); ++m) {
          if (models.size() > 36 && (m + number) % 7 != 0) continue;
          const auto lts = oracle::explore(test, by_words[m]);
          REQUIRE(lts);
          for (const Fairness fairness : models::kFairnesses) {
            const bool expected = oracle::passes(*lts, fairness);
            (expected ? passes : fails) += 1;
            if ((found[m].of(fairness) == checker::Verdict::pass) == expected) continue;
            CAPTURE(lang::print(test));
            CAPTURE(models[m]->name());
            CHECK((found[m].of(fairness) == checker::Verdict::pass) == expected);
          }
        }
      }
    });
  }
  CHECK(tests > 200 / testing::kShare);
  CHECK(with_barriers > 30 / testing::kShare);
  CHECK(passes > 1000 / testing::kShare);
  CHECK(fails > 1000 / testing::kShare);
}
