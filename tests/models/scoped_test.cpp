#include "models/scoped.hpp"

#include <doctest/doctest.h>

#include <set>

#include "models/library.hpp"
#include "models/order.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

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
