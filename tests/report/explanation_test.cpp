#include "report/explanation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "lang/axb/program.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/axb.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/texts.hpp"

using namespace headway;
using checker::Verdict;
using lang::Test;
using models::Fairness;
using models::ModelPtr;
using testing::contains;
using testing::litmus;
using testing::without_colors;
using Json = nlohmann::json;

namespace {

struct Texts {
  std::string plain, colored, json;
  checker::Explanation explanation;
};

Texts explain(const Test& test, const lang::Program& program, const ModelPtr& model,
              Fairness fairness, const checker::CheckOptions& options = {}) {
  Texts result;
  result.explanation = checker::explain(program, *model, fairness, options);
  const report::Explained explained{test.name, "file.litmus", program,
                                    *model,    fairness,      result.explanation};
  result.plain = report::explanation_text(explained, {});
  result.colored = report::explanation_text(explained, {true});
  result.json = report::explanation_json(explained);
  return result;
}

Texts explain(const Test& test, const std::string& model, Fairness fairness,
              const checker::CheckOptions& options = {}) {
  return explain(test, lang::axb::AxbProgram(testing::axb_code(test)),
                 models::Library().named(model), fairness, options);
}

ModelPtr event_model(const std::string& name, const std::string& initial,
                     const std::string& on_step) {
  const testing::TemporaryFolder folder;
  const auto path =
      folder.write(name + ".yaml", "name: " + name + "\ninitial: " + initial +
                                       "\non_step: " + on_step + "\non_terminate: F - {tid}\n");
  return models::Library().find(path.string());
}

std::vector<Test> all_tests() {
  std::vector<Test> tests = testing::published_tests();
  for (const auto& entry : std::filesystem::directory_iterator(testing::source_dir() / "litmus")) {
    if (entry.path().extension() == ".litmus") tests.push_back(litmus(entry.path().stem()));
  }
  return tests;
}

std::vector<ModelPtr> all_models() {
  std::vector<ModelPtr> models = models::Library().all();
  models.push_back(event_model("others", "all", "alive - {tid}"));
  models.push_back(event_model("toggling", "{}", "(F - {tid}) | ({tid} - F)"));
  return models;
}

std::vector<int> members(ThreadSet set) {
  std::vector<int> result;
  for (int thread : set) result.push_back(thread);
  return result;
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> result;
  for (const auto& [key, value] : object.items()) result.push_back(key);
  return result;  // sorted
}

using Keys = std::vector<std::string>;

}  // namespace

TEST_CASE("report/explanation: a weak witness in words") {
  CHECK(explain(litmus("spin-mutex"), "HSA", Fairness::weak).plain ==
        "spin-mutex under HSA, weakly fair: fail, there is a fair execution that never ends\n"
        "HSA: F = lowest(ready)\n"
        "\n"
        "stem, once\n"
        "step  thread  line  statement                 effect                     memory after  F "
        "before\n"
        "1     1       14    while (Exch(m, 1) == 1);  reads m = 0, writes m = 1  m=1           "
        "{0}\n"
        "\n"
        "cycle, for ever\n"
        "step  thread  line  statement                 effect                     memory after  F "
        "before\n"
        "1     0       9     while (Exch(m, 1) == 1);  reads m = 1, writes m = 1  m=1           "
        "{0}\n"
        "\n"
        "why this is weakly fair\n"
        "thread 0  steps in the cycle\n"
        "thread 1  is not guaranteed before step 1 of the cycle, where F = {0}: it has started\n"
        "\n"
        "Thread 1 is starved: never scheduled again, while thread 0 loops for ever.\n");
}

TEST_CASE("report/explanation: a strong witness shows its closed set") {
  // Thread 0 steps again and again, and nothing that is guaranteed to it leads out.
  const std::string text = explain(litmus("spin-mutex"), "HSA", Fairness::strong).plain;
  CHECK(contains(text, "strongly fair: fail"));
  CHECK(
      contains(text,
               "\nthe closed set: 1 state, no guaranteed step leaves it\n"
               "state  memory  F    guaranteed steps  threads\n"
               "1      m=1     {0}  thread 0 to 1     0: while (Exch(m, 1) == 1);   1: m = 0;\n"));
  CHECK(contains(text,
                 "thread 0  takes every step that it is guaranteed in the cycle\n"
                 "thread 1  is nowhere guaranteed in the cycle: it has started\n"));
}

TEST_CASE("report/explanation: threads that have not started are not scheduled at all") {
  const std::string text = explain(litmus("barrier-of-two"), "LOBE", Fairness::strong).plain;
  CHECK(contains(text, "thread 1  is nowhere guaranteed in the cycle: it has not started\n"));
  CHECK(contains(text, "Thread 1 is starved: never scheduled at all, while thread 0 loops"));
}

TEST_CASE("report/explanation: a livelock starves nobody") {
  const std::string text = explain(litmus("philosophers-livelock"), "fair", Fairness::weak).plain;
  CHECK(contains(text, "stem: none, the cycle starts at once\n\ncycle, for ever\nstep"));
  CHECK(contains(text,
                 "A livelock: threads 0 and 1 keep stepping for ever and none of them "
                 "terminates.\n"));
  const Test alone = lang::parse("locations m;\nthread 0 { while (Load(m) == 0); }\n", "alone");
  CHECK(contains(explain(alone, "fair", Fairness::weak).plain,
                 "Thread 0 loops for ever on its own.\n"));
}

TEST_CASE("report/explanation: a pass in words") {
  const std::string text = explain(litmus("philosophers-livelock"), "fair", Fairness::strong).plain;
  CHECK(contains(text, "strongly fair: pass, every fair execution terminates\nfair: F = alive\n"));
  CHECK(contains(text, "why no cycle can go on for ever\ncycle 1: 9 states, threads 0 and 1 step"));
  CHECK(contains(text, "  7 states without such a step are looked at again without the others\n"));
  CHECK(contains(text, "cycle 4 (round 2): 5 states, threads 0 and 1 step in it\n"));
  CHECK(contains(text, "  1 state without such a step is looked at again without the others\n"));
  CHECK(contains(explain(litmus("spin-mutex"), "OBE", Fairness::weak).plain,
                 "cycle 1: 1 state, thread 1 steps in it\n"
                 "  at   m=1   0: m = 0;   1: while (Exch(m, 1) == 1);\n"
                 "  thread 0 is guaranteed all along (F = {0, 1} here) and must step, which leaves "
                 "the cycle: m = 0;\n"));
  const Test straight = lang::parse("locations m;\nthread 0 { m = 1; }\n", "straight");
  for (Fairness fairness : models::kFairnesses) {
    CHECK(contains(explain(straight, "unfair", fairness).plain,
                   "\nThe test has no cycle: every execution terminates, fair or not.\n"));
  }
}

TEST_CASE("report/explanation: what is unknown is said and no more") {
  const Texts texts = explain(litmus("spin-mutex"), "OBE", Fairness::weak, {3, nullptr});
  CHECK(texts.plain == "spin-mutex under OBE, weakly fair: unknown\n");
  CHECK(texts.colored == "spin-mutex under OBE, weakly fair: \033[33munknown\033[0m\n");
  const Json json = Json::parse(texts.json);
  CHECK(json["verdict"] == "unknown");
  CHECK_FALSE(json.contains("witness"));
  CHECK_FALSE(json.contains("broken_cycles"));
}

TEST_CASE("report/explanation: colours change nothing but the colours") {
  for (const char* test : {"spin-mutex", "philosophers-livelock", "middle-thread"}) {
    for (const ModelPtr& model : all_models()) {
      for (Fairness fairness : models::kFairnesses) {
        const Test parsed = litmus(test);
        const Texts texts =
            explain(parsed, lang::axb::AxbProgram(testing::axb_code(parsed)), model, fairness);
        CHECK(without_colors(texts.colored) == texts.plain);
        CHECK(texts.colored != texts.plain);
        CHECK_FALSE(contains(texts.plain, "\033"));
      }
    }
  }
}

// The JSON alone is enough to replay a witness and to check each of its sentences.
TEST_CASE("report/explanation: the JSON of a failing verdict holds its witness") {
  int compared = 0, closed_sets = 0;
  for (const Test& test : all_tests()) {
    const lang::axb::AxbProgram program(testing::axb_code(test));
    for (const ModelPtr& model : all_models()) {
      for (Fairness fairness : models::kFairnesses) {
        const auto explanation = checker::explain(program, *model, fairness);
        if (explanation.verdict == Verdict::pass) continue;
        const Json json = Json::parse(report::explanation_json(
            {test.name, "file.litmus", program, *model, fairness, explanation}));
        CAPTURE(test.name);
        CAPTURE(model->name());
        CAPTURE(to_string(fairness));
        REQUIRE(keys(json) == Keys{"definition", "fairness", "file", "model", "states", "test",
                                   "verdict", "witness"});
        REQUIRE(json["test"] == test.name);
        REQUIRE(json["file"] == "file.litmus");
        REQUIRE(json["model"] == model->name());
        REQUIRE(json["definition"] == model->definition());
        REQUIRE(json["fairness"] == to_string(fairness));
        REQUIRE(json["verdict"] == "fail");
        REQUIRE(json["states"] == explanation.states);
        const Json& witness = json["witness"];
        Keys expected = {"cycle", "smallest", "starved", "stem", "summary", "threads"};
        if (fairness == Fairness::strong) expected.insert(expected.begin(), "closed_set");
        REQUIRE(keys(witness) == expected);
        checker::Lasso lasso;
        for (const Json& step : witness["stem"]) {
          lasso.stem.push_back(step["thread"].get<int>());
        }
        for (const Json& step : witness["cycle"]) {
          lasso.cycle.push_back(step["thread"].get<int>());
        }
        const checker::Replay replay = checker::replay(program, *model, fairness, lasso);
        REQUIRE_FALSE(replay.objection);
        std::vector<Json> steps(witness["stem"].begin(), witness["stem"].end());
        steps.insert(steps.end(), witness["cycle"].begin(), witness["cycle"].end());
        for (std::size_t i = 0; i < steps.size(); ++i) {
          const checker::Moment& before = replay.moments[i];
          const auto text =
              program.describe_step(before.state.data(), steps[i]["thread"].get<int>());
          REQUIRE(steps[i] == Json{{"thread", steps[i]["thread"]},
                                   {"line", text.line},
                                   {"statement", text.statement},
                                   {"effect", text.effect},
                                   {"memory_after",
                                    program.describe_memory(replay.moments[i + 1].state.data())},
                                   {"fair_before", members(before.selected.threads)}});
        }
        REQUIRE(witness["threads"].size() == static_cast<std::size_t>(test.thread_count()));
        std::vector<int> starved;
        for (int thread = 0; thread < test.thread_count(); ++thread) {
          REQUIRE(witness["threads"][thread]["thread"] == thread);
          const std::string why = witness["threads"][thread]["why_fair"];
          REQUIRE_FALSE(why.empty());
          const bool steps_in_cycle =
              std::count(lasso.cycle.begin(), lasso.cycle.end(), thread) > 0;
          const bool terminated = replay.moments.back().history.terminated.contains(thread);
          REQUIRE((why == "has terminated") == terminated);
          if (!steps_in_cycle && !terminated) {
            starved.push_back(thread);
            const bool started = replay.moments.back().history.started.contains(thread);
            REQUIRE(why.ends_with(started ? ": it has started" : ": it has not started"));
          }
        }
        REQUIRE(witness["starved"] == starved);
        REQUIRE(witness["smallest"] == true);
        REQUIRE_FALSE(witness["summary"].get<std::string>().empty());
        ++compared;
        if (fairness == Fairness::weak) continue;
        // Each state of the closed set once.
        REQUIRE(witness["closed_set"].size() == explanation.witness->states.size());
        for (const Json& state : witness["closed_set"]) {
          REQUIRE(keys(state) == Keys{"fair", "memory", "terminated", "threads"});
        }
        closed_sets += witness["closed_set"].size() > 1 ? 1 : 0;
      }
    }
  }
  CHECK(compared > 1000);
  CHECK(closed_sets > 100);
}

TEST_CASE("report/explanation: a state of a closed set is shown once however often it is passed") {
  // Both threads wait for what nobody writes: the cycle passes its only state twice.
  const Test test = lang::parse(
      "locations m;\nthread 0 { while (Load(m) == 0); }\nthread 1 { while (Load(m) == 0); }\n",
      "waiting");
  const Texts texts = explain(test, "fair", Fairness::strong);
  CHECK(contains(texts.plain, "the closed set: 1 state,"));
  CHECK(contains(texts.plain, "thread 0 to 1, thread 1 to 1"));
  CHECK(Json::parse(texts.json)["witness"]["closed_set"].size() == 1);
  // Where F is remembered, a state is that of the program and F.
  const ModelPtr others = event_model("others", "all", "alive - {tid}");
  const std::string text =
      explain(test, lang::axb::AxbProgram(testing::axb_code(test)), others, Fairness::strong).plain;
  CHECK(contains(text, "the closed set: 2 states,"));
  CHECK(contains(text, "{1}  thread 1 to 2"));
  CHECK(contains(text, "{0}  thread 0 to 1"));
}

TEST_CASE("report/explanation: the JSON of a passing verdict holds every broken cycle") {
  int compared = 0;
  for (const Test& test : all_tests()) {
    const lang::axb::AxbProgram program(testing::axb_code(test));
    for (const ModelPtr& model : all_models()) {
      for (Fairness fairness : models::kFairnesses) {
        const auto explanation = checker::explain(program, *model, fairness);
        if (explanation.verdict == Verdict::fail) continue;
        const Json json = Json::parse(report::explanation_json(
            {test.name, "file.litmus", program, *model, fairness, explanation}));
        REQUIRE(keys(json) == Keys{"broken_cycles", "definition", "fairness", "file", "model",
                                   "states", "test", "verdict"});
        REQUIRE(json["verdict"] == "pass");
        const auto& broken = explanation.broken;
        REQUIRE(json["broken_cycles"].size() == broken.size());
        for (std::size_t b = 0; b < broken.size(); ++b) {
          const Json& cycle = json["broken_cycles"][b];
          REQUIRE(keys(cycle) ==
                  Keys{"at", "breakers", "remaining", "round", "states", "steps", "way_out"});
          REQUIRE(cycle["round"] == broken[b].round);
          REQUIRE(cycle["states"] == broken[b].states);
          REQUIRE(cycle["steps"] == members(broken[b].steps));
          REQUIRE(cycle["breakers"] == members(broken[b].breakers.threads));
          REQUIRE(cycle["remaining"] == broken[b].remaining);
          REQUIRE(cycle["at"]["fair"] == members(broken[b].example.from.selected.threads));
          REQUIRE(cycle["at"]["threads"].size() == static_cast<std::size_t>(test.thread_count()));
          const int thread = cycle["way_out"]["thread"];
          REQUIRE(thread == broken[b].example.thread);
          REQUIRE(cycle["way_out"]["statement"] == cycle["at"]["threads"][thread]);
          ++compared;
        }
      }
    }
  }
  CHECK(compared > 1000);
}

TEST_CASE("report/explanation: long texts are cut and JSON is not") {
  // One thread passes through many states before it waits, with another waiting all along.
  std::string source = "values 200;\nlocations m, n;\nthread 0 {\n";
  for (int i = 0; i < 150; ++i) source += "m = " + std::to_string(i) + ";\n";
  source += "while (Load(n) == 0);\n}\nthread 1 { while (Load(n) == 0); }\n";
  const Test stem = lang::parse(source, "stem");
  const Texts texts = explain(stem, "HSA", Fairness::strong);
  CHECK(contains(texts.plain, "... 50 more\n"));
  CHECK(Json::parse(texts.json)["witness"]["stem"].size() == 150);

  // Many separate cycles: thread 1 waits before each step of thread 0.
  std::string finishing = "values 200;\nlocations m, n;\nthread 0 {\n";
  for (int i = 0; i < 30; ++i) finishing += "m = " + std::to_string(i) + ";\n";
  finishing += "n = 1;\n}\nthread 1 { while (Load(n) == 0); }\n";
  const Texts passes = explain(lang::parse(finishing, "finishing"), "HSA", Fairness::weak);
  CHECK(passes.explanation.broken.size() == 31);
  CHECK(contains(passes.plain, "cycle 10: "));
  CHECK_FALSE(contains(passes.plain, "cycle 11: "));
  CHECK(contains(passes.plain, "... and 21 cycles more\n"));
  CHECK(Json::parse(passes.json)["broken_cycles"].size() == 31);
}

TEST_CASE("report/explanation: JSON takes names of any bytes") {
  Test test = litmus("spin-mutex");
  test.name = "\xff \"odd\"";
  const Json json = Json::parse(explain(test, "HSA", Fairness::weak).json);
  CHECK(json["test"] == "\xef\xbf\xbd \"odd\"");
}
