#include "models/scoped.hpp"

#include <doctest/doctest.h>

#include <set>

#include "checker/check.hpp"
#include "lang/axb/program.hpp"
#include "lang/axb/source.hpp"
#include "models/library.hpp"
#include "models/order.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/placed.hpp"
#include "synth/distinguish.hpp"
#include "synth/synthesize.hpp"

namespace headway::testing {
namespace {

using models::History;
using models::Library;
using models::ModelPtr;

ThreadSet threads(std::initializer_list<int> ids) {
  ThreadSet set;
  for (const int id : ids) set |= ThreadSet::single(id);
  return set;
}

// What a model guarantees on a launch after a history.
GroupSet guarantees(const std::string& model, const Topology& launch, const History& history) {
  return models::guaranteed(launch, models::selection(*Library().named(model), launch, history));
}

std::string message_of(const std::string& specification) {
  try {
    Library().find_all(specification);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("models/scoped: a group is guaranteed when it is selected and the one around it is") {
  const Topology launch(2, 1, 2);
  const History started{threads({3}), {}};
  CHECK(guarantees("OBE", launch, started) == GroupSet{threads({2, 3}), {}, threads({1})});
  CHECK(guarantees("workgroup=OBE,thread=OBE", launch, started) ==
        GroupSet{threads({3}), {}, threads({1})});
  CHECK(guarantees("workgroup=fair,thread=unfair", launch, started) ==
        GroupSet{{}, {}, threads({0, 1})});
  CHECK(guarantees("workgroup=unfair", launch, started).empty());
  CHECK(guarantees("CUDA-cooperative", launch, {}).empty());
  CHECK(guarantees("CUDA-cooperative", launch, started) ==
        GroupSet{threads({0, 1, 2, 3}), {}, threads({0, 1})});
}

TEST_CASE("models/scoped: levels of one child are left out") {
  // One workgroup: its model is not asked.
  CHECK(guarantees("unfair", {1, 1, 2}, {}) == GroupSet{threads({0, 1})});
  CHECK(guarantees("thread=unfair", {1, 1, 2}, {}).empty());
  // Subgroups of one thread are what threads are, under the model of subgroups.
  CHECK(guarantees("subgroup=unfair", {2, 2, 1}, {}) == GroupSet{{}, {}, threads({0, 1})});
  // A flat launch has workgroups alone.
  CHECK(guarantees("workgroup=HSA,thread=unfair", 3, {}) == GroupSet{threads({0})});
  CHECK(models::levels_not_asked(*Library().named("thread=unfair"), 3) ==
        std::vector{Level::thread});
  CHECK(models::levels_not_asked(*Library().named("CUDA"), 3).empty());
}

TEST_CASE("models/scoped: a group waits when none of its living threads can step") {
  const Topology launch(2, 1, 3);
  History history;
  history.started = threads({1, 3});
  history.terminated = threads({1});
  history.blocked = threads({0, 2, 4});
  const History workgroups = models::history_of_children(launch, Level::workgroup, 0, history);
  CHECK(workgroups == History{threads({0, 1}), {}, threads({0})});
  const History second = models::history_of_children(launch, Level::thread, 1, history);
  CHECK(second == History{threads({0}), {}, threads({1})});
  CHECK(guarantees("HSA", launch, history).workgroups == threads({1}));
}

TEST_CASE("models/scoped: several models in one text") {
  Library library;
  const auto names = [&](const std::string& text) {
    std::string all;
    for (const ModelPtr& model : library.find_all(text)) all += model->name() + "|";
    return all;
  };
  CHECK(names("OBE,HSA") == "OBE|HSA|");
  CHECK(names("OBE-k(k=3), HSA") == "OBE-k(k=3)|HSA|");
  CHECK(names("workgroup=OBE,thread=unfair;HSA") == "workgroup=OBE,thread=unfair|HSA|");
  CHECK(names("HSA; subgroup=HSA-k(k=1),thread=OBE") == "HSA|subgroup=HSA-k(k=1),thread=OBE|");
  CHECK(names("workgroup=fair") == "workgroup=fair|");
  CHECK(message_of("workgroup=OBE,HSA") ==
        "model 'workgroup=OBE,HSA': expected workgroup=, subgroup= or thread= and a model, found "
        "'HSA'; several models are parted by ';'");
  CHECK(message_of("OBE,thread=fair") ==
        "model 'OBE,thread=fair': expected workgroup=, subgroup= or thread= and a model, found "
        "'OBE'; several models are parted by ';'");
  CHECK(message_of("workgroups=OBE") ==
        "model 'workgroups=OBE': unknown level 'workgroups'; expected workgroup, subgroup or "
        "thread; did you mean 'workgroup'?");
  CHECK(message_of("thread=OBE,wg=HSA") ==
        "model 'thread=OBE,wg=HSA': unknown level 'wg'; expected workgroup, subgroup or thread");
  CHECK(names("workgroup = OBE, thread = unfair") == "workgroup=OBE,thread=unfair|");
  CHECK(message_of("thread=OBE,thread=HSA") ==
        "model 'thread=OBE,thread=HSA': level 'thread' is given twice");
  CHECK(message_of("workgroup=CUDA") ==
        "model CUDA is for all levels; expected one for a single level, such as OBE");
}

TEST_CASE("models/scoped: the rule of a model says what it guarantees at each level") {
  const auto rule = [](const std::string& model) {
    return models::rule_key(*Library().named(model));
  };
  const std::vector<std::string> models = {"OBE",
                                           "HSA",
                                           "fair",
                                           "OBE-k(k=2)",
                                           "OBE-k(k=3)",
                                           "workgroup=OBE",
                                           "thread=OBE",
                                           "workgroup=OBE-k(k=2),thread=unfair",
                                           "workgroup=OBE-k(k=3),thread=unfair",
                                           "workgroup=unfair,thread=OBE-k(k=2)"};
  std::set<std::string> rules;
  for (const std::string& model : models) CHECK(rules.insert(rule(model)).second);
  CHECK(rule("OBE") == rule("OBE"));
  // Under one name, and with the same text of its definition.
  const TemporaryFolder folder;
  const auto of_file = [&](const std::string& k) {
    const auto file =
        folder.write("m.yaml", "name: m\nscopes: {workgroup: 'OBE-k(k=" + k + ")'}\n");
    return models::rule_key(*Library().find(file.string()));
  };
  CHECK(of_file("2") != of_file("3"));
}

TEST_CASE("models/scoped: what is wrong in a file has its place") {
  const auto where = [](const std::string& content) {
    try {
      models::parse_model_file(content, "m.yaml");
    } catch (const Error& error) {
      return error.diagnostic();
    }
    return std::string("no error");
  };
  const auto begins = [&](const std::string& content, const std::string& wanted) {
    CAPTURE(where(content));
    CHECK(where(content).starts_with(wanted));
  };
  begins("name: x\nscopes: {grid: OBE}\n", "m.yaml:2:10: unknown level 'grid'; expected workgroup");
  begins("name: x\nscopes: OBE\n", "m.yaml:2:9: expected a model for each level");
  begins("name: x\nfair: alive\nscopes: {thread: OBE}\n", "m.yaml:1:1: expected 'scopes' beside");
  begins("name: x\nscopes: {thread: OBE}\n", "no error");
}

TEST_CASE("models/scoped: presets are ordered on a launch of groups as their texts are") {
  Library library;
  const std::vector<std::string> names = {"WebGPU", "lockstep", "CUDA", "SYCL-concurrent", "C++"};
  std::vector<ModelPtr> presets;
  for (const std::string& name : names) presets.push_back(library.named(name));
  const models::ModelOrder order(presets, {2, 1, 2}, models::Scope::recurring, true);
  for (std::size_t i = 0; i + 1 < names.size(); ++i) {
    CAPTURE(names[i]);
    CHECK(order.at_most(i, i + 1));
    CHECK(order.at_most(i + 1, i) == (names[i] == "SYCL-concurrent"));
  }
  // CUDA guarantees a thread that has not started, when its workgroup has.
  const auto& separation = order.separation(2, 1);
  REQUIRE(separation);
  CHECK(separation->path.size() == 1);
}

TEST_CASE("models/scoped: nobody is owed by himself what a group owes whose only one he can be") {
  Library library;
  const auto relation = [&](const std::string& a, const std::string& b, const Topology& launch,
                            bool may_block) {
    const models::ModelOrder order({library.find(a), library.find(b)}, launch,
                                   models::Scope::recurring, may_block);
    return order.relation(0, 1);
  };
  const Topology launch = Topology::placed({{2}, {1}});
  for (const bool may_block : {false, true}) {
    CAPTURE(may_block);
    // Before workgroup 0 has started nobody may go on for ever without it: it is owed a step.
    CHECK(relation("workgroup=HSA,thread=HSA", "workgroup=HSA,thread=LOBE", launch, may_block) ==
          models::Relation::below);
    CHECK(relation("thread=HSA", "thread=LOBE", launch, may_block) == models::Relation::below);
    // Where both its threads have started each of them may be the one that pays.
    CHECK(relation("thread=OBE", "thread=HSA", launch, may_block) ==
          models::Relation::incomparable);
    CHECK(relation("thread=OBE", "thread=unfair", launch, may_block) == models::Relation::above);
    // A workgroup that is not guaranteed pays nothing.
    CHECK(relation("workgroup=HSA,thread=HSA", "workgroup=unfair,thread=HSA", launch, may_block) ==
          models::Relation::above);
  }
  // Over all histories it makes a difference.
  const models::ModelOrder all({library.find("thread=HSA"), library.find("thread=LOBE")}, launch,
                               models::Scope::all);
  CHECK_FALSE(all.at_most(0, 1));
}

TEST_CASE("models/scoped: no test in groups passes under a lower reading and fails a higher one") {
  using synth::Bounds;
  Library library;
  const Bounds::Barriers meets{.workgroup = true};
  std::size_t higher = 0, tests = 0;
  for (const Bounds& bounds :
       {placed({{2}, {1}}, 4), placed({{1}, {2}}, 4), placed({{2}, {1}}, 4, meets, 1),
        placed({{3}}, 4, meets, 1), placed({{2, 1}}, 4), placed({{2}, {2}}, 4, {}, 1)}) {
    const Topology launch = bounds.topology();
    std::vector<ModelPtr> all = launch.has(Level::subgroup)
                                    ? library.find_all("subgroup=*,thread=*")
                                    : library.find_all("workgroup=*,thread=*");
    const bool may_block = bounds.barriers.workgroup;
    const models::ModelOrder order(all, launch, models::Scope::recurring, may_block);
    checker::Checker checker;
    synth::Request request;
    request.bounds = {bounds};
    std::size_t number = 0;
    synth::synthesize(request, {}, [&](const synth::Batch& batch) {
      for (std::size_t i = 0; i < batch.size(); ++i) {
        if (number++ % 7 != 0) continue;
        ++tests;
        const auto code = synth::to_code(*batch.bounds, *batch.shape, batch.code(i));
        const auto verdicts = checker.check(lang::axb::AxbProgram(code), all).verdicts;
        for (std::size_t a = 0; a < all.size(); ++a) {
          for (std::size_t b = 0; b < all.size(); ++b) {
            for (const models::Fairness fairness : models::kFairnesses) {
              const bool tells = verdicts[a].of(fairness) == checker::Verdict::pass &&
                                 verdicts[b].of(fairness) == checker::Verdict::fail;
              if (!tells) continue;
              ++higher;
              if (!order.at_most(a, b)) continue;
              FAIL_CHECK(lang::print(lang::axb::make_test(code, "t"))
                         << all[a]->name() << " " << all[b]->name());
            }
          }
        }
      }
    });
  }
  CHECK(tests > 500);
  CHECK(higher > 10000);
}

TEST_CASE("models/scoped: for some groups the order is exact: what it leaves open a test shows") {
  Library library;
  synth::Maxima maxima;
  maxima.instructions = 4;
  maxima.placements = {Topology::placed({{2}, {1}})};
  const auto table = synth::distinguish_all(library.find_all("workgroup=*,thread=*"), maxima, {});
  std::size_t shown = 0;
  for (const auto& entry : table.entries) {
    CHECK(entry.test.has_value() != entry.ruled_out);
    shown += entry.test ? 1 : 0;
  }
  CHECK(shown > 3000);
  CHECK(table.entries.size() - shown > 1000);
}

TEST_CASE("models/scoped: who waits is told from who is alive") {
  const auto fair = [](const std::string& expression, const History& history) {
    return models::instantiate(
               models::parse_model_file("name: x\nfair: \"" + expression + "\"\n", "x"))
        ->fair(3, history);
  };
  const History history{threads({0, 2}), threads({2}), threads({0})};
  CHECK(fair("ready", history) == threads({1}));
  CHECK(fair("blocked", history) == threads({0}));
  CHECK(fair("lowest(ready)", history) == threads({1}));
  CHECK(fair("if blocked then ready else alive", history) == threads({1}));
  CHECK(fair("if blocked - {0} then ready else alive", history) == threads({0, 1}));
  CHECK(fair("alive & (if {} then {0} else {1})", history) == threads({1}));
  CHECK(fair("alive & if {} then {0} else {1} | {0}", history) == threads({0, 1}));
}

}  // namespace headway::testing
