// Mutants of a promise, and which tests of a suite kill them.
#include "suite/power.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <set>

#include "checker/lts/fair_sets.hpp"
#include "lang/axb/source.hpp"
#include "languages/languages.hpp"
#include "models/scoped.hpp"
#include "suite/set_cover.hpp"
#include "suite/surviving.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/placed.hpp"
#include "synth/synthesize.hpp"

using namespace headway;
using models::Fairness;
using suite::Machine;
using suite::Rule;
using Choice = Machine::Choice;
using Resident = Machine::Resident;

namespace {

std::vector<lang::Test> tests_of(const std::vector<std::vector<int>>& sizes, int instructions,
                                 bool barriers = false, bool minimal = false) {
  synth::Request request;
  request.bounds = {testing::placed(sizes, instructions, {.workgroup = barriers})};
  if (minimal) {
    request.minimal_for = models::Library().standard(request.bounds.front().topology());
  }
  std::vector<lang::Test> tests;
  synth::synthesize(request, {}, [&](const synth::Batch& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      tests.push_back(
          lang::axb::make_test(synth::to_code(*batch.bounds, *batch.shape, batch.code(i)),
                               "test " + std::to_string(tests.size())));
    }
  });
  return tests;
}

// The names of the mutants of a claim that some test kills.
std::set<std::string> killed(const std::string& claim, Fairness fairness,
                             const std::vector<lang::Test>& tests) {
  models::Library library;
  suite::PowerOptions options;
  options.search = 0;
  const suite::Power power = suite::power(library, library.find(claim), fairness, tests, options);
  std::set<std::string> result;
  for (std::size_t m = 0; m < power.mutants.size(); ++m) {
    if (!power.killers[m].empty()) result.insert(power.mutants[m].name);
  }
  return result;
}

lang::Test parse(const std::string& text) { return lang::parse(text, "f"); }

}  // namespace

TEST_CASE("suite/power: without a mistake obligations are those of the checker") {
  models::Library library;
  for (const Topology& launch : {Topology(3), Topology(2, 1, 2), Topology::placed({{2}, {1}}),
                                 Topology::placed({{2, 1}}), Topology::placed({{1, 1}, {2}})}) {
    const int threads = launch.threads();
    for (const models::ModelPtr& model : library.standard(launch)) {
      for (int started = 0; started < 1 << threads; ++started) {
        for (int ended = 0; ended < 1 << threads; ++ended) {
          for (int blocked = 0; blocked < 1 << threads; ++blocked) {
            if ((ended & ~started) != 0 || (ended & blocked) != 0) continue;
            const auto set = [](int bits) {
              return ThreadSet::of_bits(static_cast<std::uint64_t>(bits));
            };
            const models::History history{set(started), set(ended), set(blocked)};
            const GroupSet expected = checker::owed_groups(
                launch, history,
                models::guaranteed(launch, models::selection(*model, launch, history)));
            if (suite::obligations(*model, launch, history, Rule::as_defined) == expected) continue;
            CAPTURE(model->name());
            CAPTURE(launch.placement());
            CHECK(suite::obligations(*model, launch, history, Rule::as_defined) == expected);
          }
        }
      }
    }
  }
}

// As the design of scoped tests has it: flat tests kill no mistake in joining levels but one, and a
// workgroup of two beside one of one the first four by three instructions.
TEST_CASE("suite/power: mistakes in joining levels need threads in groups") {
  const std::set<std::string> rules = {"threads-alone",       "one-list",     "started-when-all",
                                       "started-while-alive", "lowest-alive", "only-children"};
  const auto of_rules = [&](const std::set<std::string>& names) {
    std::set<std::string> result;
    std::set_intersection(names.begin(), names.end(), rules.begin(), rules.end(),
                          std::inserter(result, result.end()));
    return result;
  };
  std::set<std::string> flat, scoped;
  for (const char* claim :
       {"workgroup=OBE,thread=fair", "workgroup=OBE,thread=OBE", "workgroup=OBE,thread=unfair",
        "workgroup=HSA,thread=HSA", "workgroup=LOBE,thread=LOBE",
        "workgroup=HSA+OBE,thread=HSA+OBE", "workgroup=fair,thread=unfair"}) {
    for (const Fairness fairness : models::kFairnesses) {
      for (const auto& sizes : {std::vector<std::vector<int>>{{1}, {1}}, {{1}, {1}, {1}}}) {
        for (const auto& name : of_rules(killed(claim, fairness, tests_of(sizes, 3)))) {
          flat.insert(name);
        }
      }
      for (const auto& sizes : {std::vector<std::vector<int>>{{2}, {1}}, {{1}, {2}}}) {
        for (const auto& name : of_rules(killed(claim, fairness, tests_of(sizes, 3)))) {
          scoped.insert(name);
        }
      }
    }
  }
  CHECK(flat == std::set<std::string>{"started-while-alive"});
  CHECK(std::includes(scoped.begin(), scoped.end(), flat.begin(), flat.end()));
  for (const char* rule : {"threads-alone", "one-list", "started-when-all"}) {
    CAPTURE(rule);
    CHECK(scoped.contains(rule));
  }
  // Who waits at a barrier hands the place of the lowest on.
  const lang::Test waits = parse(
      "locations x; workgroup 0 { thread 0 { barrier(workgroup); } "
      "thread 1 { x = 1; barrier(workgroup); } "
      "thread 2 { while (Load(x) == 0); barrier(workgroup); } }");
  CHECK(killed("thread=HSA", Fairness::weak, {waits}).contains("lowest-alive"));
  // A level with an only child is not asked.
  const lang::Test together =
      parse("locations x; workgroup 0 { thread 0 { x = 1; } thread 1 { while (Load(x) == 0); } }");
  CHECK(
      killed("workgroup=unfair,thread=fair", Fairness::weak, {together}).contains("only-children"));
  CHECK(!killed("workgroup=OBE,thread=fair", Fairness::weak, {waits}).contains("ended"));
  const lang::Test ended = parse(
      "locations x; workgroup 0 { thread 0 { barrier(workgroup or ended); } thread 1 { x = 1; } }");
  CHECK(killed("thread=unfair", Fairness::weak, {ended}).contains("ended"));
}

TEST_CASE("suite/power: a test kills a weaker model if it passes here and fails there") {
  models::Library library;
  const std::vector<lang::Test> tests = tests_of({{2}, {1}}, 3);
  for (const char* claim : {"workgroup=OBE,thread=fair", "workgroup=LOBE,thread=HSA"}) {
    for (const Fairness fairness : models::kFairnesses) {
      suite::Mutants mutants(library, library.find(claim), fairness);
      std::size_t kills = 0;
      for (const lang::Test& test : tests) {
        const auto program = lang::make_program(test);
        const auto passes = [&](const models::ModelPtr& model, Fairness reading) {
          return checker::Checker().check(*program, {&model, 1}).verdicts.front().of(reading) ==
                 checker::Verdict::pass;
        };
        const auto killed = mutants.killed_by(test);
        CHECK(killed.has_value() == passes(library.find(claim), fairness));
        if (!killed) continue;
        for (std::size_t m = 0; m < killed->size(); ++m) {
          const suite::Mutant& mutant = mutants.all()[m];
          if (mutant.kind != suite::Mutant::Kind::level) continue;
          CHECK((*killed)[m] == !passes(mutant.model, mutant.fairness));
          kills += (*killed)[m] ? 1 : 0;
        }
      }
      CHECK(kills > 0);
    }
  }
}

TEST_CASE("suite/power: a test with barriers kills what they do wrong") {
  const std::set<std::string> mistakes = {"ended", "passes", "dropped"};
  const auto of_barriers = [&](const char* claim, const char* text) {
    std::set<std::string> result;
    for (const std::string& name : killed(claim, Fairness::weak, {parse(text)})) {
      if (mistakes.contains(name)) result.insert(name);
    }
    return result;
  };
  using Names = std::set<std::string>;
  // That thread 1 steps is owed once the barrier has seen it begin.
  const char* const begins =
      "locations x; workgroup 0 { thread 0 { barrier(workgroup); while (Load(x) == 0); } "
      "thread 1 { barrier(workgroup); x = 1; } }";
  CHECK(of_barriers("thread=OBE", begins) == Names{"passes", "dropped"});
  CHECK(of_barriers("thread=fair", begins) == Names{"dropped"});
  CHECK(of_barriers("thread=unfair", begins) == Names{});  // does not pass there
  CHECK(of_barriers("thread=unfair",
                    "locations x; workgroup 0 { thread 0 { barrier(workgroup or ended); } "
                    "thread 1 { barrier(workgroup or ended); } }") == Names{});
  CHECK(of_barriers("thread=unfair",
                    "locations x; workgroup 0 { thread 0 { barrier(workgroup); } "
                    "thread 1 { barrier(workgroup); } }") == Names{"dropped"});
  CHECK(of_barriers("OBE", "locations x; thread 0 { x = 1; }") == Names{});
}

TEST_CASE("suite/machine: machines that choose in one way run a test as one would by hand") {
  const auto ends = [](const lang::Test& test, const Machine& machine) {
    return !suite::never_ends(*lang::make_program(test), machine);
  };
  const auto chooses = [](Choice workgroups, Choice threads, Resident resident = Resident::all) {
    return Machine{.resident = resident, .of_workgroups = workgroups, .of_threads = threads};
  };
  const lang::Test upwards =
      parse("locations x; thread 0 { while (Load(x) == 0); } thread 1 { x = 1; }");
  CHECK(ends(upwards, chooses(Choice::turns, Choice::turns)));
  for (const Choice choice : {Choice::lowest, Choice::same, Choice::highest_last}) {
    CHECK(!ends(upwards, chooses(choice, Choice::turns)));
  }
  CHECK(!ends(upwards, chooses(Choice::turns, Choice::turns, Resident::one_from_below)));
  CHECK(ends(upwards, chooses(Choice::turns, Choice::turns, Resident::one_from_above)));
  const lang::Test inside = parse(
      "locations x; workgroup 0 { thread 0 { barrier(workgroup); while (Load(x) == 0); } "
      "thread 1 { barrier(workgroup); x = 1; } } workgroup 1 { thread 2 { x = 1; } }");
  CHECK(ends(inside, chooses(Choice::turns, Choice::turns)));
  CHECK(!ends(inside, chooses(Choice::lowest, Choice::lowest, Resident::one_from_below)));
  CHECK(ends(inside, chooses(Choice::lowest, Choice::turns, Resident::one_from_below)));
  CHECK(ends(inside, chooses(Choice::lowest, Choice::lowest, Resident::one_from_above)));
  CHECK(!ends(inside, {.resident = Resident::one_from_below, .forgets = Level::thread}));
  CHECK(ends(inside, {.forgets = Level::workgroup}));
  const lang::Test between = parse(
      "locations x; workgroup 0 { thread 0 { barrier(workgroup); x = 1; } "
      "thread 1 { barrier(workgroup); } } workgroup 1 { thread 2 { while (Load(x) == 0); } }");
  CHECK(ends(between, {.forgets = Level::thread}));
  CHECK(!ends(between, {.forgets = Level::workgroup}));
  // One subgroup of a workgroup comes to its barrier, and no other ever does.
  const lang::Test subgroups = parse(
      "locations x; workgroup 0 { subgroup 0 { thread 0 { barrier(workgroup); } } "
      "subgroup 1 { thread 1 { barrier(workgroup); } } }");
  CHECK(ends(subgroups, {}));
  CHECK(!ends(subgroups, {.one_subgroup = true}));
  // Nobody comes to the barrier of who waits there.
  const lang::Test stuck =
      parse("locations x; workgroup 0 { thread 0 { barrier(workgroup); } thread 1 { x = 1; } }");
  CHECK(!ends(stuck, chooses(Choice::turns, Choice::turns)));
}

// As the design of scoped tests has it, of the minimal tests of up to four instructions.
TEST_CASE("suite/surviving: the promises that are left of a machine are those that it keeps") {
  models::Library library;
  std::vector<lang::Test> tests;
  const auto add = [&](const std::vector<std::vector<int>>& sizes, int instructions) {
    const bool may_meet = Topology::placed(sizes).has(Level::thread);
    for (lang::Test& test : tests_of(sizes, instructions, may_meet, true)) {
      tests.push_back(std::move(test));
    }
  };
  for (const int instructions : {2, 3, 4}) add({{2}}, instructions);
  for (const auto& sizes :
       std::vector<std::vector<std::vector<int>>>{{{2}, {1}}, {{1}, {2}}, {{1}, {1}, {1}}, {{3}}}) {
    add(sizes, 3);
  }
  for (const auto& sizes : std::vector<std::vector<std::vector<int>>>{{{2}, {1}}, {{1}, {2}}}) {
    add(sizes, 4);
  }
  const auto matrix = suite::decide(tests, suite::claims_about(library, tests));
  const auto left_of = [&](const Machine& machine) {
    const auto claims = suite::surviving(matrix, tests, {&machine, 1}).front();
    return std::set<std::string>(claims.begin(), claims.end());
  };
  CHECK(left_of({}).contains("workgroup=fair:weak"));
  CHECK(left_of({.of_threads = Choice::lowest}).contains("thread=HSA:weak"));
  CHECK(left_of({.of_threads = Choice::same}).contains("thread=unfair:weak"));
  CHECK(left_of({.resident = Resident::one_from_below}).contains("workgroup=LOBE:weak"));
  CHECK(left_of({.resident = Resident::one_from_above}).contains("workgroup=OBE:weak"));
  // A barrier after which it has forgotten who began costs a machine what OBE promises.
  CHECK(left_of({.forgets = Level::thread}).contains("thread=HSA:weak"));
}

TEST_CASE("suite/power: what a suite lacks is found, and the fewest tests kill as many as all") {
  models::Library library;
  const models::ModelPtr claim = library.find("workgroup=OBE,thread=fair");
  const std::vector<lang::Test> flat = tests_of({{1}, {1}}, 3);
  const suite::Power power = suite::power(library, claim, Fairness::weak, flat, {});
  CHECK(power.killed() > 0);
  CHECK(power.killed() < power.killable());
  std::set<std::size_t> by_fewest;
  for (std::size_t m = 0; m < power.mutants.size(); ++m) {
    const bool some = std::any_of(power.fewest.begin(), power.fewest.end(), [&](std::size_t test) {
      const auto& killers = power.killers[m];
      return std::find(killers.begin(), killers.end(), test) != killers.end();
    });
    CHECK(some == !power.killers[m].empty());
    if (!power.missing[m]) continue;
    CHECK(power.killers[m].empty());
    suite::Mutants mutants(library, claim, Fairness::weak);
    const auto killed = mutants.killed_by(*power.missing[m]);
    REQUIRE(killed);
    CHECK((*killed)[m]);
  }
}

TEST_CASE("suite/power: the fewest sets are those that trying all finds") {
  for (unsigned seed = 1; seed < 200; ++seed) {
    unsigned state = seed * 2654435761U;
    const auto next = [&] { return (state = state * 1664525U + 1013904223U) >> 16; };
    constexpr std::size_t sets = 6, elements = 5;
    std::vector<std::vector<bool>> all(sets, std::vector<bool>(elements));
    for (auto& set : all) {
      for (std::size_t e = 0; e < elements; ++e) set[e] = next() % 3 == 0;
    }
    const auto covers = [&](unsigned chosen) {
      for (std::size_t e = 0; e < elements; ++e) {
        bool in = false;
        for (std::size_t s = 0; s < sets; ++s) in = in || ((chosen >> s & 1) != 0 && all[s][e]);
        if (!in) return false;
      }
      return true;
    };
    if (!covers((1U << sets) - 1)) continue;
    std::size_t fewest = sets;
    for (unsigned chosen = 0; chosen < 1U << sets; ++chosen) {
      if (covers(chosen)) {
        fewest = std::min(fewest, static_cast<std::size_t>(std::popcount(chosen)));
      }
    }
    const suite::SetCover cover = suite::fewest_sets(all, elements);
    CHECK(cover.chosen.size() == fewest);
    unsigned chosen = 0;
    for (const std::size_t s : cover.chosen) chosen |= 1U << s;
    CHECK(covers(chosen));
  }
}

TEST_CASE("suite/power: a claim that remembers is refused") {
  models::Library library;
  const models::ModelPtr remembers =
      library.find((testing::source_dir() / "models/events/obe.yaml").string());
  REQUIRE(!remembers->history_determined());
  CHECK(testing::complaint_of([&] { suite::Mutants(library, remembers, Fairness::weak); }) ==
        fmt::format("0:0: model {} remembers what it promised; expected one that is a function of "
                    "who has started, ended and waits",
                    remembers->name()));
}
