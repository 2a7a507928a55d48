// Silent steps of programs in the idiom language: how far they can be taken, and that nothing that
// is to be found gets lost. tests/checker/scopes_agreement_test.cpp holds verdicts against the
// oracle.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>

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

// A random block of barriers, accesses, branches and loops that count.
std::string random_block(std::mt19937& random, int depth) {
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  std::string text = "{ ";
  for (int statements = 1 + below(3); statements > 0; --statements) {
    const int number = below(2), rounds = 1 + below(3);
    switch (below(depth == 0 ? 6 : 10)) {
      case 0:
      case 1:
        text += "barrier(workgroup); ";
        break;
      case 2:
        text += "barrier(grid); ";
        break;
      case 3:
        text += "barrier(workgroup or ended); ";
        break;
      case 4:
        text += fmt::format("store(x, {}); ", number);
        break;
      case 5:
        text += fmt::format("while (load(x) != {}); ", number);
        break;
      case 6:
        text += "if (lid == 0) " + random_block(random, depth - 1);
        break;
      case 7:
        text += fmt::format("if (load(x) == {}) ", number) + random_block(random, depth - 1);
        break;
      default:
        text +=
            fmt::format("for (int(0..3) i{0} = 0; i{0} < {1}; i{0} = i{0} + 1) ", depth, rounds) +
            random_block(random, depth - 1);
    }
  }
  return text + "} ";
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

TEST_CASE("checker/silent_steps: a loop of barriers that counts is left behind") {
  const auto loop = [](const std::string& condition) {
    return kTwo + "threads { int(0..9) i; while (" + condition +
           ") { barrier(workgroup); i = i + 1; }\nstore(x, 1); }";
  };
  CHECK(settled(loop("i < 9"), Silent::arrivals) == "store(x, 1);");
  CHECK(settled(loop("i < 9"), Silent::passes).starts_with("barrier(workgroup);"));
  CHECK(settled(loop("true || i < 9"), Silent::arrivals).starts_with("barrier(workgroup);") ==
        false);
  const std::string turns =
      kTwo + "threads { bool i; while (true) { barrier(workgroup); i = !i; } }";
  CHECK(settled(turns, Silent::ends) == "barrier(workgroup); [i=0]");
  // Rounds of a leader's work between barriers, in which the others come back to them by
  // themselves.
  const std::string rounds =
      "idiom t\n2 workgroups of 8 threads; shared bool lock;\n"
      "threads { for (int(0..2) i = 0; i < 2; i = i + 1) {\n"
      " if (lid == 0) while (exch(lock, 1) == 1);\n barrier(workgroup);\n"
      " if (lid == 0) store(lock, 0);\n barrier(workgroup); } }";
  const auto models = models_called({"CUDA", "HSA", "SYCL-parallel", "fair", "lockstep"});
  const auto with = check_text(rounds, models), without = check_text(rounds, models, false);
  CHECK(with.verdicts == without.verdicts);
  CHECK(with.states * 20 < without.states);
}

TEST_CASE(
    "checker/silent_steps: random programs of barriers and loops have the verdicts they had") {
  const auto models = models_called({"unfair", "CUDA", "HSA", "SYCL-parallel", "fair", "lockstep"});
  std::mt19937 random(14);
  int passes = 0, fails = 0, shrunk = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string text =
        "idiom t\n2 workgroups of 2 threads; shared bool x;\nthreads " + random_block(random, 2);
    CAPTURE(text);
    const auto with = check_text(text, models), without = check_text(text, models, false);
    REQUIRE(with.verdicts == without.verdicts);
    const Verdict fair = with.verdicts[4].strong;
    passes += fair == Verdict::pass ? 1 : 0;
    fails += fair == Verdict::fail ? 1 : 0;
    shrunk += with.states < without.states ? 1 : 0;
  }
  CHECK(passes > 50);
  CHECK(fails > 50);
  CHECK(shrunk > 200);
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
