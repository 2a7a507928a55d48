// Silent steps of programs in the idiom language: how far they can be taken, and that nothing that
// is to be found gets lost. tests/checker/scopes_agreement_test.cpp holds verdicts against the
// oracle.
#include <doctest/doctest.h>

#include "checker/check.hpp"
#include "support/models.hpp"
#include "support/program_walk.hpp"

namespace headway::testing {
namespace {

using checker::Verdict;
using lang::Silent;

// The states of a program behind its first ones: those that `silent` leaves of it.
std::string settled(const std::string& text, Silent silent, int thread = 0) {
  const ProgramWalk walk(text);
  const lang::Program& program = walk.program();
  std::vector<lang::Word> state(static_cast<std::size_t>(program.words()));
  program.initial(state.data());
  program.settle(state.data(), ThreadSet::first(program.threads()), silent);
  return program.describe_thread(state.data(), thread);
}

std::vector<models::ModelPtr> models_called(const std::vector<std::string>& names) {
  std::vector<models::ModelPtr> result;
  for (const std::string& name : names) result.push_back(models::Library().find(name));
  return result;
}

checker::CheckResult check_text(const std::string& text,
                                const std::vector<models::ModelPtr>& models, bool silent = true) {
  const ProgramWalk walk(text);
  checker::CheckOptions options;
  options.small = 1;
  options.reductions.silent_steps = silent;
  return checker::Checker().check(walk.program(), models, options);
}

const std::string kTwo = "idiom t\n1 workgroup of 2 threads; shared int(0..9) x;\n";

}  // namespace

TEST_CASE("checker/silent_steps: threads go on to where others can tell") {
  const std::string meeting = kTwo + "threads { barrier(workgroup);\nstore(x, 1); }";
  CHECK(settled(meeting, Silent::none) == "barrier(workgroup);");
  CHECK(settled(meeting, Silent::passes) == "barrier(workgroup);");
  CHECK(settled(meeting, Silent::arrivals) == "store(x, 1);");
  const std::string ending = kTwo + "threads { barrier(workgroup); }";
  CHECK(settled(ending, Silent::arrivals) == "passes barrier(workgroup);");
  CHECK(settled(ending, Silent::ends) == "END");
  // What it goes on to may be blocked, or go wrong.
  CHECK(settled(kTwo + "threads { barrier(workgroup);\nawait(load(x) == 0); }", Silent::ends) ==
        "passes barrier(workgroup);");
  CHECK(settled(kTwo + "threads { barrier(workgroup);\nassert(false); }", Silent::ends) ==
        "passes barrier(workgroup);");
  // All would have ended, and then the final block is judged.
  CHECK(settled(kTwo + "threads { barrier(workgroup); } final { assert(load(x) == 1); }",
                Silent::ends) == "passes barrier(workgroup);");
  CHECK(settled(kTwo + "threads { if (lid == 0) barrier(workgroup);\n}", Silent::ends) ==
        "waits at barrier(workgroup); (line 3) for thread 1");
}

TEST_CASE("checker/silent_steps: a loop of nothing but barriers takes its steps") {
  const std::string loop = kTwo + "threads { while (true) barrier(workgroup); }";
  CHECK(settled(loop, Silent::ends) == "barrier(workgroup);");
  const auto result = check_text(loop, models_called({"fair"}));
  CHECK(result.verdicts.front().strong == Verdict::fail);
  const std::string with_access =
      kTwo + "threads { while (true) { barrier(workgroup);\nstore(x, 1); } }";
  CHECK(settled(with_access, Silent::ends) == "store(x, 1);");
}

TEST_CASE("checker/silent_steps: a leader and its workgroup have a fraction of the states") {
  const std::string leaders =
      "idiom t\n2 workgroups of 8 threads; shared bool lock;\n"
      "threads { if (lid == 0) while (exch(lock, 1) == 1);\n barrier(workgroup);\n"
      " barrier(workgroup);\n if (lid == 0) store(lock, 0); }";
  const auto models = models_called({"CUDA", "HSA", "SYCL-parallel", "fair", "lockstep"});
  const auto with = check_text(leaders, models), without = check_text(leaders, models, false);
  CHECK(with.verdicts == without.verdicts);
  CHECK(with.states * 20 < without.states);
  CHECK(with.swept->silent_steps);
  CHECK_FALSE(without.swept->silent_steps);
}

TEST_CASE("checker/silent_steps: threads that wait for each other at two barriers fail") {
  const std::string crossed =
      kTwo + "threads { if (lid == 0) barrier(workgroup); else barrier(workgroup); }";
  for (const checker::ModelVerdict& verdict :
       check_text(crossed, models_called({"unfair", "CUDA", "HSA", "fair"})).verdicts) {
    CHECK(verdict.weak == Verdict::fail);
    CHECK(verdict.strong == Verdict::fail);
  }
  // The barriers of two subgroups are not in each other's way.
  const std::string apart =
      "idiom t\n1 workgroup of 4 threads, subgroups of 2;\n"
      "threads { if (sid == 0) barrier(subgroup); else barrier(subgroup); barrier(workgroup); }";
  for (const checker::ModelVerdict& verdict :
       check_text(apart, models_called({"unfair", "CUDA", "HSA", "fair"})).verdicts) {
    CHECK(verdict.weak == Verdict::pass);
  }
}

TEST_CASE("checker/silent_steps: what goes wrong is found where all models fail before") {
  // The loop fails at once, and thread 3 goes wrong behind a barrier of its own.
  const std::string wrong =
      "idiom t\n2 workgroups of 2 threads; shared int(0..1) x;\n"
      "threads { if (gid == 0) while (load(x) == 0);\n barrier(workgroup);\n"
      " if (tid == 3) assert(false); }";
  const auto result = check_text(wrong, models_called({"unfair", "HSA"}));
  CHECK(result.error);
  CHECK(result.verdicts.front().weak == Verdict::error);
}

}  // namespace headway::testing
