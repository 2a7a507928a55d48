#include "synth/space/well_formed.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "languages/languages.hpp"
#include "support/axb.hpp"
#include "support/files.hpp"

using namespace headway;
using synth::Constraint;

namespace {

std::vector<Constraint> violated(const std::string& threads) {
  return synth::violated_constraints(
      testing::axb_code(lang::parse("locations m, f;" + threads, "test")));
}

bool violates(const std::string& threads, Constraint constraint) {
  const auto all = violated(threads);
  return std::find(all.begin(), all.end(), constraint) != all.end();
}

}  // namespace

TEST_CASE("synth/space/well_formed: every published test is a litmus test") {
  int without_effect = 0;
  for (const lang::Test& test : testing::published_tests()) {
    CAPTURE(test.name);
    auto constraints = synth::violated_constraints(testing::axb_code(test));
    without_effect += static_cast<int>(std::erase(constraints, Constraint::effective_stores));
    CHECK(constraints.empty());
  }
  // 176 and 162 for two threads and three instructions.
  CHECK(without_effect == 14);
}

TEST_CASE("synth/space/well_formed: each constraint is seen violated alone or with its company") {
  // A deadlock: both threads wait for a flag that nobody raises.
  CHECK(violates("thread 0 { while (Load(m) == 0); } thread 1 { while (Load(m) == 0); }",
                 Constraint::possible_termination));
  CHECK(violates("thread 0 { m = 1; } thread 1 { if (Load(m) == 0) goto END; f = 1; }",
                 Constraint::non_termination_cycle));
  CHECK(violates("thread 0 { m = 1; } thread 1 { while (Load(m) == 0); while (Load(m) == 0); }",
                 Constraint::all_branches_possible));
  CHECK(violates("thread 0 { AXB(m, 1, 1, true, 1); } thread 1 { while (Load(m) == 0); }",
                 Constraint::meaningful_comparisons));
  CHECK(violates("thread 0 { m = 1; f = 1; } thread 1 { while (Load(m) == 0); }",
                 Constraint::inter_thread_influence));
  CHECK(violates("thread 0 { m = 0; m = 1; } thread 1 { while (Load(m) == 0); }",
                 Constraint::effective_stores));
  CHECK(violated("thread 0 { m = 1; } thread 1 { while (Load(m) == 0); }").empty());
}
