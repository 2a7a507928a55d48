#include "report/verdicts.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/text/csv.hpp"
#include "support/texts.hpp"

using namespace headway;
using checker::ModelVerdict;
using checker::Verdict;
using models::Fairness;
using report::CheckedTest;
using report::VerdictColumns;
using testing::without_colors;
using Json = nlohmann::json;

namespace {

constexpr ModelVerdict kPass{Verdict::pass, Verdict::pass};
constexpr ModelVerdict kFail{Verdict::fail, Verdict::fail};
constexpr ModelVerdict kStrong{Verdict::fail, Verdict::pass};
constexpr ModelVerdict kUnknown{Verdict::unknown, Verdict::unknown};

CheckedTest checked(const std::string& name, std::vector<ModelVerdict> verdicts) {
  CheckedTest test;
  test.name = name;
  test.file = "folder/" + name + ".litmus";
  test.threads = 2;
  test.instructions = 5;
  test.models = {"unfair", "HSA", "fair"};
  test.models.resize(verdicts.size());
  test.result.verdicts = std::move(verdicts);
  test.result.states = 12;
  test.result.transitions = 20;
  test.seconds = 0.25;
  return test;
}

const VerdictColumns kBoth = {{"unfair", "HSA", "fair"}, {Fairness::weak, Fairness::strong}};

}  // namespace

TEST_CASE("report/verdicts: one test has its models down and both readings across") {
  CheckedTest test = checked("mutex", {kFail, kStrong, kPass});
  CHECK(report::verdict_table({test}, kBoth, {}) ==
        "mutex\n"
        "2 threads, 5 instructions, 12 states\n"
        "\n"
        "model   weak  strong\n"
        "unfair  fail  fail\n"
        "HSA     fail  pass\n"
        "fair    pass  pass\n");
  test.boundary =
      checker::Boundary{{{{1, Fairness::strong}}, {{2, Fairness::weak}}},
                        {{{0, Fairness::weak}, {0, Fairness::strong}}, {{1, Fairness::weak}}}};
  CHECK(report::verdict_table({test}, kBoth, {}) ==
        "mutex\n"
        "2 threads, 5 instructions, 12 states\n"
        "\n"
        "model   weak  strong\n"
        "unfair  fail  fail\n"
        "HSA     fail  pass\n"
        "fair    pass  pass\n"
        "\n"
        "weakest that suffice   HSA:strong, fair:weak\n"
        "strongest that do not  unfair:weak = unfair:strong, HSA:weak\n");
  test.boundary = checker::Boundary{};
  test.threads = test.instructions = 1;
  test.result.states = 1;
  CHECK(report::verdict_table({test}, {{"unfair", "HSA", "fair"}, {Fairness::strong}}, {}) ==
        "mutex\n"
        "1 thread, 1 instruction, 1 state\n"
        "\n"
        "model   strong\n"
        "unfair  fail\n"
        "HSA     pass\n"
        "fair    pass\n"
        "\n"
        "weakest that suffice   none of these\n"
        "strongest that do not  none of these\n");
}

TEST_CASE("report/verdicts: who gave up before the first state names no states") {
  CheckedTest test = checked("large", {kUnknown, kUnknown, kUnknown});
  test.result.complete = false;
  test.result.states = 0;
  CHECK(report::verdict_table({test}, kBoth, {}).starts_with("large\n2 threads, 5 instructions\n"));
}

TEST_CASE("report/verdicts: a test beyond the limit says how far it came") {
  CheckedTest test = checked("large", {kUnknown, kUnknown, kUnknown});
  test.result.complete = false;
  CHECK(report::verdict_table({test}, kBoth, {}) ==
        "large\n"
        "2 threads, 5 instructions, 12 states explored before the limit\n"
        "\n"
        "model   weak     strong\n"
        "unfair  unknown  unknown\n"
        "HSA     unknown  unknown\n"
        "fair    unknown  unknown\n");
}

TEST_CASE("report/verdicts: several tests have a line each and a word for each model") {
  const std::vector<CheckedTest> tests = {checked("mutex", {kFail, kStrong, kPass}),
                                          checked("large one", {kUnknown, kUnknown, kPass})};
  CHECK(report::verdict_table(tests, kBoth, {}) ==
        "test       unfair   HSA      fair\n"
        "mutex      fail     strong   pass\n"
        "large one  unknown  unknown  pass\n"
        "\n"
        "pass: terminates under weak fairness and so under strong; strong: only under strong "
        "fairness\n");
  CHECK(report::verdict_table(tests, {kBoth.models, {Fairness::strong}}, {}) ==
        "test       unfair   HSA      fair\n"
        "mutex      fail     pass     pass\n"
        "large one  unknown  unknown  pass\n");
  CHECK(report::verdict_table(tests, {kBoth.models, {Fairness::weak}}, {}) ==
        "test       unfair   HSA      fair\n"
        "mutex      fail     fail     pass\n"
        "large one  unknown  unknown  pass\n");
  CHECK(report::verdict_table({}, {{"fair"}, {Fairness::weak}}, {}) == "test  fair\n");
}

TEST_CASE("report/verdicts: colours change nothing but the colours") {
  CheckedTest test = checked("mutex", {kFail, kStrong, kPass});
  test.boundary = checker::Boundary{};
  for (const auto& tests : {std::vector{test}, std::vector{test, test}}) {
    const std::string colored = report::verdict_table(tests, kBoth, {true});
    CHECK(without_colors(colored) == report::verdict_table(tests, kBoth, {}));
    CHECK(colored.find("\033[32mpass\033[0m") != std::string::npos);
    CHECK(colored.find("\033[31mfail\033[0m") != std::string::npos);
  }
  CHECK(report::verdict_table({test, test}, kBoth, {true}).find("\033[33mstrong\033[0m") !=
        std::string::npos);
}

TEST_CASE("report/verdicts: CSV has a line for every model and reading") {
  const std::vector<CheckedTest> tests = {checked("a,b", {kFail, kStrong, kPass}),
                                          checked("c", {kUnknown, kFail, kPass})};
  const std::string text = report::verdict_csv(tests, kBoth);
  CHECK(text.starts_with("test,model,fairness,verdict\n\"a,b\",unfair,weak,fail\n"));
  const auto lines = parse_csv(text, "f");
  REQUIRE(lines.size() == 1 + 2 * 3 * 2);
  std::size_t line = 1;
  for (const CheckedTest& test : tests) {
    for (std::size_t m = 0; m < 3; ++m) {
      for (Fairness fairness : models::kFairnesses) {
        CHECK(lines[line++] ==
              std::vector<std::string>{test.name, kBoth.models[m], to_string(fairness),
                                       to_string(test.result.verdicts[m].of(fairness))});
      }
    }
  }
  CHECK(parse_csv(report::verdict_csv(tests, {kBoth.models, {Fairness::weak}}), "f").size() ==
        1 + 2 * 3);
  CHECK(report::verdict_csv({}, kBoth) == "test,model,fairness,verdict\n");
}

TEST_CASE("report/verdicts: JSON has an object for every test") {
  CheckedTest test = checked("mutex", {kFail, kStrong, kPass});
  CheckedTest bounded = checked("\xff odd \"name\"", {kUnknown, kUnknown, kUnknown});
  bounded.result.complete = false;
  test.boundary =
      checker::Boundary{{{{1, Fairness::strong}}, {{2, Fairness::weak}}},
                        {{{0, Fairness::weak}, {0, Fairness::strong}}, {{1, Fairness::weak}}}};
  const Json json = Json::parse(report::verdict_json({test, bounded}, kBoth));
  REQUIRE(json.size() == 2);
  CHECK(json[0]["test"] == "mutex");
  CHECK(json[0]["file"] == "folder/mutex.litmus");
  CHECK(json[0]["threads"] == 2);
  CHECK(json[0]["instructions"] == 5);
  CHECK(json[0]["states"] == 12);
  CHECK(json[0]["transitions"] == 20);
  CHECK(json[0]["complete"] == true);
  CHECK(json[0]["seconds"] == 0.25);
  REQUIRE(json[0]["verdicts"].size() == 6);
  CHECK(json[0]["verdicts"][2] ==
        Json{{"model", "HSA"}, {"fairness", "weak"}, {"verdict", "fail"}});
  CHECK(json[0]["verdicts"][3] ==
        Json{{"model", "HSA"}, {"fairness", "strong"}, {"verdict", "pass"}});
  CHECK(json[0]["weakest_sufficient"] == Json{"HSA:strong", "fair:weak"});
  CHECK(json[0]["strongest_insufficient"] == Json{"unfair:weak", "unfair:strong", "HSA:weak"});
  CHECK(json[1]["complete"] == false);
  CHECK(json[1]["test"] == "\xef\xbf\xbd odd \"name\"");
  CHECK_FALSE(json[1].contains("weakest_sufficient"));
  CHECK(json[1]["verdicts"][0]["verdict"] == "unknown");
  CHECK(Json::parse(report::verdict_json({}, kBoth)) == Json::array());
}

TEST_CASE("report/verdicts: a test has no verdict under a model that it was not decided under") {
  CheckedTest one = checked("one", {kPass});
  one.models = {"CUDA"};
  one.answer = "one ends as CUDA promises";
  CheckedTest other = checked("other", {kFail});
  other.models = {"OpenCL"};
  const VerdictColumns columns{{"CUDA", "OpenCL"}, {Fairness::weak}};
  CHECK(report::verdict_table({one, other}, columns, {}) ==
        "one ends as CUDA promises\n\n"
        "test   CUDA  OpenCL\n"
        "one    pass  -\n"
        "other  -     fail\n");
  CHECK(report::verdict_csv({one, other}, columns) ==
        "test,model,fairness,verdict\none,CUDA,weak,pass\nother,OpenCL,weak,fail\n");
  const Json json = Json::parse(report::verdict_json({one, other}, columns));
  CHECK(json[0]["verdicts"].size() == 1);
  CHECK(json[0]["answer"] == "one ends as CUDA promises");
  CHECK_FALSE(json[1].contains("answer"));
}

TEST_CASE("report/verdicts: readings have names") {
  CHECK(report::reading_name({2, Fairness::weak}, kBoth.models) == "fair:weak");
  CHECK(report::reading_name({0, Fairness::strong}, kBoth.models) == "unfair:strong");
}

TEST_CASE("report/verdicts: the JSON of a launch of groups has its sizes and its execution") {
  const VerdictColumns columns{{"unfair"}, {Fairness::weak}};
  CheckedTest flat = checked("flat", {kPass});
  CheckedTest groups = checked("groups", {kPass});
  groups.threads = 12;
  groups.launch = Topology(3, 2, 2);
  CheckedTest lockstep = groups;
  lockstep.launch = Topology::in_lockstep(3, 2, 2);
  const Json json = Json::parse(report::verdict_json({flat, groups, lockstep}, columns));
  CHECK_FALSE(json[0].contains("launch"));
  for (const int test : {1, 2}) {
    CHECK(json[test]["threads"] == 12);
    CHECK(json[test]["launch"] == std::vector<int>{3, 2, 2});
  }
  CHECK(json[1]["execution"] == "independent");
  CHECK(json[2]["execution"] == "lockstep");
}
