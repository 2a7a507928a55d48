// Engines that refute candidates: whatever runs before or beside Houdini, the same invariants
// remain.
#include "verify/refuters.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/budget.hpp"
#include "support/compiler.hpp"
#include "support/random_kernels.hpp"
#include "verify/verify.hpp"

namespace headway {
namespace {

constexpr const char* kSchedules[] = {"sbase,houdini",     "sstep,houdini",     "lu1,lu3,houdini",
                                      "houdini+sbase+lu2", "lu2,houdini+sstep", "dyn,houdini",
                                      "houdini+dyn"};

// Invariants, with what was made and held by each rule.
struct Remains {
  std::vector<std::string> invariants;
  std::size_t fell = 0, fell_in_runs = 0;
  double seconds = 0;
};

Remains remains(const kernel::Module& module, const kernel::Function& function,
                verify::Options options, const char* schedule) {
  options.schedule = verify::parse_schedule(schedule);
  options.trials = false;
  options.left_out.insert({"unroll", "affine", "cone"});
  const verify::Report report = verify::verify(module, function, options);
  Remains result{report.invariants, 0, 0, report.seconds};
  for (const verify::RuleCount& one : report.rules) {
    result.fell += static_cast<std::size_t>(one.made - one.held);
  }
  for (const verify::EngineCount& one : report.engines) {
    if (one.engine == "dyn") result.fell_in_runs += one.dropped;
  }
  return result;
}

TEST_CASE("verify/refuters: every schedule leaves the same invariants of random kernels") {
  // HEADWAY_SCHEDULES=1000: of so many.
  const int kernels = testing::wished("HEADWAY_SCHEDULES", testing::budget(10));
  std::mt19937 random(5);
  std::size_t fell = 0, fell_in_runs = 0, held = 0;
  int compared = 0;
  for (int k = 0; k < kernels; ++k) {
    const kernel::Module module = tests::random_kernel(random, {true, 3});
    verify::Options options;
    options.launch.block = {3, 1, 1};
    options.launch.grid = {2, 1, 1};
    options.kernel_limit = std::chrono::seconds(2);
    const Remains alone = remains(module, module.functions[0], options, "houdini");
    // Sets are the same where questions are answered in time.
    if (alone.seconds > 1) continue;
    options.kernel_limit = options.query_limit = std::chrono::seconds(20);
    ++compared;
    fell += alone.fell;
    held += alone.invariants.size();
    for (const char* schedule : kSchedules) {
      INFO("kernel ", k, " with ", schedule, "\n", kernel::print(module, module.functions[0]));
      const Remains with = remains(module, module.functions[0], options, schedule);
      CHECK(with.invariants == alone.invariants);
      fell_in_runs += with.fell_in_runs;
    }
  }
  MESSAGE(compared, " kernels, ", held, " candidates hold, ", fell, " do not, ", fell_in_runs,
          " of these in runs");
  CHECK(fell_in_runs > fell / 3);  // by how much depends on the time that runs have
  CHECK(compared > 3);
  CHECK(fell > 1);
  CHECK(held > 5);
}

TEST_CASE("verify/refuters: every schedule leaves the same invariants of kernels with barriers") {
  kernel::Compiler& compiler = headway::testing::shared_compiler();
  const auto module = kernel::read_kernels(HEADWAY_SOURCE_DIR "/tests/data/verify/kernels.cu",
                                           kernel::Side::device, {}, compiler)
                          .module;
  verify::Options options;
  options.launch.grid = {16, 1, 1};
  int seen = 0;
  for (const kernel::Function& f : module->functions) {
    for (const char* name : {"ok_rounds", "ok_reduce", "ok_some_rounds", "ok_nested", "ok_turns",
                             "ok_stated_rounds", "race_left", "fail_invariant"}) {
      if (f.name != name) continue;
      ++seen;
      const Remains alone = remains(*module, f, options, "houdini");
      for (std::size_t s = 0; s < std::size(kSchedules); ++s) {
        // Each schedule with some of them; campaigns ask for all pairs.
        if (!testing::is_campaign() && (s + static_cast<std::size_t>(seen)) % 6 != 0) continue;
        const std::string schedule = kSchedules[s];
        // These take long: first rounds, and runs beside the proofs, are what differs most.
        if (f.name == "ok_turns" && schedule != "lu1,lu3,houdini" && schedule != "houdini+dyn") {
          continue;
        }
        INFO(f.name, " with ", schedule);
        CHECK(remains(*module, f, options, schedule.c_str()).invariants == alone.invariants);
      }
    }
  }
  CHECK(seen == 8);
}

TEST_CASE("verify/refuters: runs refute most of what falls, and nothing that holds") {
  kernel::Compiler& compiler = headway::testing::shared_compiler();
  verify::Options options;
  options.launch.block = {16, 1, 1};
  options.launch.grid = {4, 1, 1};
  options.query_limit = std::chrono::seconds(60);
  options.kernel_limit = std::chrono::seconds(200);  // runs get a share of it
  std::size_t fell = 0, fell_in_runs = 0;
  for (const char* name : {"bitonic-sort.cu", "matrix-product.cu", "breadth-first-search.cu",
                           "scan-hillis-steele.cl", "reduce-tree.cl"}) {
    const auto module =
        kernel::read_kernels(std::string(HEADWAY_SOURCE_DIR "/litmus/kernels/") + name,
                             kernel::Side::device, {}, compiler)
            .module;
    for (const kernel::Function& f : module->functions) {
      INFO(name, ": ", f.name);
      const Remains alone = remains(*module, f, options, "houdini");
      const Remains with = remains(*module, f, options, "dyn,houdini");
      CHECK(with.invariants == alone.invariants);
      fell += alone.fell;
      fell_in_runs += with.fell_in_runs;
    }
  }
  MESSAGE(fell, " fall, ", fell_in_runs, " of these in runs");
  CHECK(fell_in_runs > fell / 2);
}

// i = 0; while (i < 10) i += 2: at the entry, in a round, and in the third round something else
// turns out to be wrong.
struct Counting {
  smt::Context c;
  smt::Term i = c.variable("i", 32);
  verify::Encoding encoding;

  smt::Term number(std::uint64_t value) { return c.constant(value, 32); }
  void add(const std::string& text, smt::Term claim) {
    verify::Candidate one;
    one.text = text;
    one.head = claim;
    one.base = c.substitute(claim, {{i.id, number(0)}});
    one.step = c.implies(c.slt(i, number(10)), c.substitute(claim, {{i.id, c.add(i, number(2))}}));
    encoding.conditions.candidates.push_back(one);
  }

  std::set<std::string> left(const verify::Refuter& refuter) {
    add("i!=0", c.differ(i, number(0)));
    add("i<3", c.slt(i, number(3)));
    add("i!=6", c.differ(i, number(6)));
    add("i!=7", c.differ(i, number(7)));
    add("0<=i", c.sle(number(0), i));
    verify::LoopState state;
    state.present[0] = c.truth(true);
    state.last_variable = c.size();
    state.at_entry[i.id] = number(0);
    state.at_step[i.id] = c.add(i, number(2));
    encoding.loops.push_back(state);
    encoding.conditions.items = {{verify::Item::Kind::base, {}, 0},
                                 {verify::Item::Kind::head, {}, 0},
                                 {verify::Item::Kind::step, {}, 0}};
    const verify::Options options;
    verify::Prover prover(c, options, verify::Prover::Clock::now() + std::chrono::seconds(60),
                          "counting");
    verify::refute_candidates(c, encoding, prover, refuter, nullptr);
    std::set<std::string> alive;
    for (const verify::Candidate& one : encoding.conditions.candidates) {
      if (one.alive) alive.insert(one.text);
    }
    return alive;
  }
};

using Names = std::set<std::string>;

TEST_CASE("verify/refuters: entries refute what does not hold there") {
  CHECK(Counting().left({verify::Refuter::Kind::base, 0}) == Names{"i<3", "i!=6", "i!=7", "0<=i"});
}

TEST_CASE("verify/refuters: rounds refute what is not kept by what is left") {
  // 5 comes before 7 as far as anybody knows, and i != 0 is kept by those that are not negative.
  const Names left = Counting().left({verify::Refuter::Kind::step, 0});
  CHECK(left.contains("0<=i"));
  CHECK_FALSE(left.contains("i<3"));
}

TEST_CASE("verify/refuters: first rounds refute what fails in them, and nothing that is true") {
  CHECK(Counting().left({verify::Refuter::Kind::rounds, 1}) ==
        Names{"i!=0", "i<3", "i!=6", "i!=7", "0<=i"});
  CHECK(Counting().left({verify::Refuter::Kind::rounds, 2}) ==
        Names{"i!=0", "i!=6", "i!=7", "0<=i"});
  CHECK(Counting().left({verify::Refuter::Kind::rounds, 3}) == Names{"i!=0", "i!=7", "0<=i"});
}

TEST_CASE("verify/refuters: a schedule ends with houdini") {
  CHECK(verify::parse_schedule("sbase,lu2,houdini+sstep").before.size() == 2);
  CHECK(verify::parse_schedule("houdini").beside.empty());
  for (const char* text : {"", "sbase", "houdini,sbase", "lu0,houdini", "lu12,houdini",
                           "lu,houdini", "houdini+", "dyn"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(verify::parse_schedule(text), Error);
  }
}

}  // namespace
}  // namespace headway
