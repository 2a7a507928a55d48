#include "checker/behaviour.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "checker/labelled_graph.hpp"
#include "lang/axb/program.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/axb.hpp"
#include "support/files.hpp"
#include "support/random_tests.hpp"
#include "support/synthesized.hpp"

using namespace headway;
using checker::Behaviour;
using lang::Test;
using models::ModelPtr;

namespace {

Behaviour behaviour_of(const Test& test) {
  checker::BehaviourFinder finder;
  const auto found = finder.find(lang::axb::AxbProgram(testing::axb_code(test)));
  REQUIRE(found);
  return *found;
}

// Whether two tests are bisimilar, by walking through both at once: they are deterministic, so it
// is enough that the same threads are alive wherever the same steps lead.
bool bisimilar(const Test& a, const Test& b) {
  const lang::axb::AxbProgram left(testing::axb_code(a)), right(testing::axb_code(b));
  if (left.threads() != right.threads()) return false;
  using State = std::vector<lang::Word>;
  using Pair = std::pair<State, State>;
  Pair start{State(left.words()), State(right.words())};
  left.initial(start.first.data());
  right.initial(start.second.data());
  std::set<Pair> seen = {start};
  std::vector<Pair> open = {start};
  while (!open.empty()) {
    const Pair pair = open.back();
    open.pop_back();
    const ThreadSet ended = left.terminated(pair.first.data());
    if (ended != right.terminated(pair.second.data())) return false;
    for (int thread : ThreadSet::first(left.threads()) - ended) {
      Pair next{State(left.words()), State(right.words())};
      left.step(pair.first.data(), thread, next.first.data());
      right.step(pair.second.data(), thread, next.second.data());
      if (seen.insert(next).second) open.push_back(next);
    }
  }
  return true;
}

std::size_t states_of(const Behaviour& behaviour) { return behaviour[1]; }

// Models of every kind: functions of the history, families, by events, and with a memory of their
// own that no history tells.
std::vector<ModelPtr> all_kinds_of_models() {
  models::Library library;
  std::vector<ModelPtr> models = library.all();
  for (const auto& entry :
       std::filesystem::directory_iterator(testing::source_dir() / "models/events")) {
    models.push_back(library.find(entry.path().string()));
  }
  const testing::TemporaryFolder folder;
  const std::string next =
      "lowest(from({tid + 1}) & alive) | lowest(1 - count(from({tid + 1}) & alive), alive)";
  models.push_back(
      library.find(folder
                       .write("round.yaml", "name: round\ninitial: lowest(all)\non_step: \"" +
                                                next + "\"\non_terminate: \"" + next + "\"\n")
                       .string()));
  models.push_back(library.find(folder
                                    .write("last.yaml",
                                           "name: last\ninitial: {}\non_step: \"{tid}\"\n"
                                           "on_terminate: \"F - {tid}\"\n")
                                    .string()));
  models.push_back(library.find(
      folder.write("odd.yaml", "name: odd\nfair: \"highest(alive) | (alive - started)\"\n")
          .string()));
  return models;
}

}  // namespace

TEST_CASE("checker/behaviour: it is equal exactly for bisimilar tests") {
  std::vector<Test> tests = testing::published_tests();
  const auto& three = testing::synthesized_tests(3, 3);
  tests.insert(tests.end(), three.begin(), three.end());
  std::vector<Behaviour> behaviours;
  for (const Test& test : tests) behaviours.push_back(behaviour_of(test));
  int equal = 0;
  for (std::size_t a = 0; a < tests.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const bool same = behaviours[a] == behaviours[b];
      if (same != bisimilar(tests[a], tests[b])) {
        CAPTURE(tests[a].name);
        CAPTURE(tests[b].name);
        CHECK(same == bisimilar(tests[a], tests[b]));
      }
      equal += same ? 1 : 0;
    }
  }
  CHECK(equal > 30);
}

TEST_CASE("checker/behaviour: it is as small as the reduced transition system") {
  testing::Random random(7);
  for (int round = 0; round < 400; ++round) {
    const Test test = testing::random_test(random);
    const lang::axb::AxbProgram program(testing::axb_code(test));
    checker::CheckOptions options;
    options.max_states = 2000;
    checker::BehaviourFinder finder;
    const auto behaviour = finder.find(program, options);
    const auto graph = checker::step_view(program, nullptr, models::Fairness::weak, options);
    REQUIRE(behaviour.has_value() == graph.has_value());
    if (!behaviour) continue;
    CHECK(states_of(*behaviour) == checker::reduce(*graph).nodes.size());
  }
}

TEST_CASE("checker/behaviour: names of locations do not matter, the order of threads does") {
  testing::Random random(11);
  for (const Test& test : testing::synthesized_tests(2, 3)) {
    CHECK(behaviour_of(test) == behaviour_of(testing::with_shuffled_locations(test, random)));
  }
  const Test up =
      lang::parse("locations f; thread 0 { f = 1; } thread 1 { while (Load(f) == 0); }", "up");
  lang::axb::Code code = testing::axb_code(up);
  std::swap(code.threads[0], code.threads[1]);
  const Test down = lang::axb::make_test(code);
  CHECK(behaviour_of(up) != behaviour_of(down));
}

TEST_CASE("checker/behaviour: what no model can see makes no difference") {
  // Waiting by loads or by exchanges that change nothing, with other values in memory.
  const Test loads =
      lang::parse("locations f; thread 0 { f = 1; } thread 1 { while (Load(f) == 0); }", "l");
  const Test exchanges =
      lang::parse("locations f; thread 0 { f = 7; } thread 1 { while (Exch(f, 0) == 0); }", "e");
  CHECK(behaviour_of(loads) == behaviour_of(exchanges));
  // Thread 0, one step longer, is seen.
  const Test longer = lang::parse(
      "locations f; thread 0 { f = 0; f = 1; } thread 1 { while (Load(f) == 0); }", "o");
  CHECK(behaviour_of(loads) != behaviour_of(longer));
  // 2 threads, 3 states, of which the first is the initial one; and where the threads lead from
  // each: thread 0 on and thread 1 nowhere else; thread 1 to the end; nobody.
  CHECK(behaviour_of(loads) == Behaviour{2, 3, 1, 2, 0, 1, 0, 0, 3, 0, 0, 0});
}

TEST_CASE("checker/behaviour: that a thread has failed is seen") {
  // Both loop for ever, but the first goes wrong before.
  const std::string declared = "idiom i\nN = 2..2;\nshared bool x;\n";
  const Test fails =
      lang::parse(declared + "threads { assert(load(x) == 1); while (true); }\n", "fails");
  const Test loops =
      lang::parse(declared + "threads { bool r = load(x); while (true); }\n", "loops");
  checker::BehaviourFinder finder;
  CHECK(*finder.find(*lang::make_program(fails)) != *finder.find(*lang::make_program(loops)));
  const auto graph = [](const Test& test) {
    return checker::reduce(
        *checker::step_view(*lang::make_program(test), nullptr, models::Fairness::weak, {}));
  };
  CHECK(graph(fails).edges != graph(loops).edges);
}

TEST_CASE("checker/behaviour: tests with one behaviour have equal verdicts under all models") {
  const std::vector<ModelPtr> models = all_kinds_of_models();
  CHECK(models.size() >= 17);
  checker::Checker checker;
  checker::BehaviourFinder finder;
  for (const auto& [threads, instructions] : {std::pair(2, 4), std::pair(3, 4)}) {
    std::map<Behaviour, std::vector<const Test*>> groups;
    for (const Test& test : testing::synthesized_tests(threads, instructions)) {
      groups[finder.find(lang::axb::AxbProgram(testing::axb_code(test))).value()].push_back(&test);
    }
    std::size_t compared = 0;
    for (const auto& group : groups) {
      const auto& tests = group.second;
      if (tests.size() == 1) continue;
      const auto first =
          checker.check(lang::axb::AxbProgram(testing::axb_code(*tests[0])), models).verdicts;
      for (std::size_t t = 1; t < tests.size(); ++t) {
        CAPTURE(tests[t]->name);
        CHECK(checker.check(lang::axb::AxbProgram(testing::axb_code(*tests[t])), models).verdicts ==
              first);
        ++compared;
      }
    }
    CHECK(compared > 200);
  }
}

TEST_CASE("checker/behaviour: a limit and a stop end it without an answer") {
  checker::BehaviourFinder finder;
  const lang::axb::AxbProgram program(testing::axb_code(testing::published_tests()[0]));
  checker::CheckOptions small;
  small.max_states = 3;
  CHECK_FALSE(finder.find(program, small));
  CHECK(finder.find(program));
}
