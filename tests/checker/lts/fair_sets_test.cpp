// Models that remember F: their product with the transition system, and that it changes nothing
// when what they remember follows from the history.
#include <doctest/doctest.h>

#include <map>

#include "base/file.hpp"
#include "checker/check.hpp"
#include "lang/axb/program.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/axb.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using namespace headway;
using checker::Explorer;
using checker::FairProduct;
using checker::Lts;
using checker::StateId;
using checker::Verdict;
using lang::Test;
using models::ModelPtr;

namespace {

std::map<std::string, ModelPtr> event_models() {
  const std::map<std::string, std::string> files = {{"unfair", "unfair"}, {"HSA", "hsa"},
                                                    {"OBE", "obe"},       {"HSA+OBE", "hsa_obe"},
                                                    {"LOBE", "lobe"},     {"fair", "fair"}};
  models::Library library;
  std::map<std::string, ModelPtr> result;
  for (const auto& [name, file] : files) {
    result[name] =
        library.find((testing::source_dir() / "models/events" / (file + ".yaml")).string());
  }
  return result;
}

ModelPtr event_model(const std::string& initial, const std::string& on_step) {
  const testing::TemporaryFolder folder;
  const auto path = folder.write("m.yaml", "name: m\ninitial: \"" + initial + "\"\non_step: \"" +
                                               on_step + "\"\non_terminate: F - {tid}\n");
  return models::Library().find(path.string());
}

std::vector<Test> tests() {
  std::vector<Test> result = testing::published_tests();
  for (const auto& entry : std::filesystem::directory_iterator(testing::source_dir() / "litmus")) {
    if (entry.path().extension() != ".litmus") continue;
    result.push_back(lang::parse(read_file(entry.path()), entry.path().string()));
  }
  return result;
}

}  // namespace

TEST_CASE("checker/lts/fair_sets: event forms give all published verdicts") {
  std::map<std::string, const Test*> by_name;
  for (const Test& test : testing::published_tests()) by_name[test.name] = &test;
  const auto models = event_models();
  checker::Checker checker;
  std::map<std::pair<std::string, std::string>, checker::ModelVerdict> verdicts;
  for (const auto& [name, test] : by_name) {
    const lang::axb::AxbProgram program(testing::axb_code(*test));
    for (const auto& [model_name, model] : models) {
      REQUIRE_FALSE(model->history_determined());
      verdicts[{name, model_name}] = checker.check(program, {&model, 1}).verdicts.front();
    }
  }
  int compared = 0;
  for (const testing::PublishedVerdict& row : testing::published_verdicts()) {
    CAPTURE(row.test);
    CAPTURE(row.model);
    const Verdict verdict = verdicts.at({row.test, row.model}).of(row.fairness);
    CHECK(verdict == (row.passes ? Verdict::pass : Verdict::fail));
    ++compared;
  }
  CHECK(compared == 184 * 5 * 2);
}

// The product of an event form with a transition system that knows who has started has the same
// states: F adds nothing to them.
TEST_CASE(
    "checker/lts/fair_sets: where F follows from the history the product is the system itself") {
  const auto events = event_models();
  Explorer explorer;
  for (const Test& test : tests()) {
    const lang::axb::AxbProgram program(testing::axb_code(test));
    const Lts& lts = *explorer.explore(program, {});
    for (const ModelPtr& set : models::Library().standard()) {
      FairProduct product;
      REQUIRE(product.build(program, lts, *events.at(set->name()), 1'000'000));
      const Lts& same = product.lts();
      CAPTURE(test.name);
      CAPTURE(set->name());
      REQUIRE(same.states() == lts.states());
      REQUIRE(same.transitions() == lts.transitions());
      REQUIRE(same.threads() == lts.threads());
      // Both are numbered breadth first.
      for (StateId state = 0; state < lts.states(); ++state) {
        REQUIRE(same.history(state) == lts.history(state));
        REQUIRE(product.fair_sets().fair(same, state).threads ==
                set->fair(lts.threads(), lts.history(state)));
        for (int thread = 0; thread < lts.threads(); ++thread) {
          REQUIRE(same.successor(state, thread) == lts.successor(state, thread));
        }
        for (int word = 0; word < program.words(); ++word) {
          REQUIRE(same.words(state)[word] == lts.words(state)[word]);
        }
      }
    }
  }
}

TEST_CASE(
    "checker/lts/fair_sets: every step of the product is a step of the model and the program") {
  Explorer explorer;
  std::size_t larger = 0;
  const ModelPtr models[] = {event_model("all", "alive - {tid}"),
                             event_model("{}", "(F - {tid}) | ({tid} - F)"),
                             event_model("{0}", "(started | {tid + 1}) & alive - F"),
                             event_model("{}", "if loops then F - {tid} else F | {tid}")};
  for (const Test& test : tests()) {
    const lang::axb::AxbProgram program(testing::axb_code(test));
    for (const ModelPtr& model : models) {
      checker::ExploreOptions options;
      options.track_started = model->looks_at_started();
      const Lts& lts = *explorer.explore(program, options);
      FairProduct product;
      REQUIRE(product.build(program, lts, *model, 1'000'000));
      const Lts& whole = product.lts();
      const auto fair = [&](StateId state) {
        return product.fair_sets().fair(whole, state).threads;
      };
      REQUIRE(fair(0) == model->initial(lts.threads()));
      std::map<std::pair<std::vector<lang::Word>, ThreadSet>, int> seen;
      for (StateId state = 0; state < whole.states(); ++state) {
        const std::vector<lang::Word> words(whole.words(state),
                                            whole.words(state) + program.words());
        REQUIRE(++seen[std::pair(words, fair(state))] == 1);
        for (int thread = 0; thread < lts.threads(); ++thread) {
          const StateId target = whole.successor(state, thread);
          REQUIRE((target == checker::kNoState) ==
                  !whole.history(state).alive(lts.threads()).contains(thread));
          if (target == checker::kNoState) continue;
          std::vector<lang::Word> next(words.size());
          const bool terminates = program.step(words.data(), thread, next.data());
          if (options.track_started) lang::Program::note(next.data(), ThreadSet::single(thread));
          REQUIRE(std::vector<lang::Word>(whole.words(target),
                                          whole.words(target) + program.words()) == next);
          const models::Event event{thread, terminates,
                                    program.next_instruction(words.data(), thread)};
          REQUIRE(fair(target) ==
                  model->next(lts.threads(), fair(state), event, whole.history(target)));
          REQUIRE(whole.history(target).terminated == program.terminated(next.data()));
        }
      }
      larger += whole.states() > lts.states() ? 1 : 0;
    }
  }
  CHECK(larger > 100);
}

TEST_CASE("checker/lts/fair_sets: a product beyond the limit is not built") {
  const Test test = testing::published_tests().front();
  const lang::axb::AxbProgram program(testing::axb_code(test));
  Explorer explorer;
  const Lts& lts = *explorer.explore(program, {});
  const ModelPtr model = event_model("{}", "(F - {tid}) | ({tid} - F)");
  FairProduct product;
  REQUIRE(product.build(program, lts, *model, 1000));
  const std::size_t states = product.lts().states();
  REQUIRE(states > lts.states());
  CHECK(product.build(program, lts, *model, states));
  CHECK_FALSE(product.build(program, lts, *model, states - 1));
  // What was left of it is forgotten.
  REQUIRE(product.build(program, lts, *model, 1000));
  CHECK(product.lts().states() == states);

  checker::Checker checker;
  const ModelPtr both[] = {model, models::Library().named("OBE")};
  const auto limited = checker.check(program, both, {states - 1, nullptr});
  CHECK(limited.states == lts.states());
  CHECK_FALSE(limited.complete);
  CHECK(limited.verdicts[0].weak == Verdict::unknown);
  CHECK(limited.verdicts[0].strong == Verdict::unknown);
  CHECK(limited.verdicts[1].weak != Verdict::unknown);
}

namespace {

// Gives F whoever has terminated.
class GuaranteesTheDead final : public models::Model {
 public:
  explicit GuaranteesTheDead(bool remembers) : Model("dead", "", ""), remembers_(remembers) {}
  bool history_determined() const override { return !remembers_; }
  ThreadSet fair(const headway::Topology&, const models::History& history) const override {
    return history.terminated;
  }

 private:
  bool remembers_;
};

}  // namespace

TEST_CASE("checker/lts/fair_sets: a model must not guarantee anything to a terminated thread") {
  const Test test = testing::published_tests().front();
  const lang::axb::AxbProgram program(testing::axb_code(test));
  checker::Checker checker;
  for (const bool remembers : {false, true}) {
    const ModelPtr model = std::make_shared<GuaranteesTheDead>(remembers);
    const auto error = testing::error_of([&] { checker.check(program, {&model, 1}); });
    REQUIRE(error);
    CHECK(testing::contains(error->what(), "model dead gives F = {"));
    CHECK(
        testing::contains(error->what(), "have terminated; expected only threads that are alive"));
  }
}
