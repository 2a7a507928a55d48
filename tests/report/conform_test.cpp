#include "report/conform.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/text/csv.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/errors.hpp"

using namespace headway;
using report::ConformReport;
using report::MappingNames;
using testing::contains;
using Json = nlohmann::json;

namespace {

// A lock, which OBE guarantees to terminate, and two ways to wait for a flag: HSA guarantees that
// the thread with the higher id may wait.
struct Conformed {
  Conformed() {
    suite.path = "s<&>";
    suite.files = {"s"};
    suite.file_of.assign(3, 0);
    const std::string spin = "while (Exch(m, 1) == 1); m = 0;";
    add("lock", "locations m;\nthread 0 { " + spin + " }\nthread 1 { " + spin + " }\n");
    add("up", "locations f;\nthread 0 { f = 1; }\nthread 1 { while (Load(f) == 0); }\n");
    add("down", "locations f;\nthread 0 { while (Load(f) == 0); }\nthread 1 { f = 1; }\n");
    matrix = suite::decide(suite.tests, models);
  }
  void add(const std::string& name, const std::string& text) {
    suite.tests.push_back(lang::parse(text, name));
    suite.tests.back().name = name;
  }
  ConformReport report(std::vector<campaign::DeviceObservations> devices) const {
    ConformReport report{suite, matrix, order(), std::move(devices), {}, {"a <note>"}};
    for (const auto& device : report.devices) {
      report.results.push_back(campaign::conformance(device, matrix, order()));
    }
    return report;
  }
  const suite::SuiteOrder& order() const {
    static const suite::SuiteOrder result(models, suite.tests);
    return result;
  }

  std::vector<models::ModelPtr> models = [] {
    const models::Library library;
    return std::vector<models::ModelPtr>{library.named("HSA"), library.named("OBE")};
  }();
  suite::Suite suite;
  suite::VerdictMatrix matrix{{}};
};

const Conformed& conformed() {
  static const Conformed all;
  return all;
}

// The lock hung now and then, the flag from above always, and not much was seen of the other
// device.
ConformReport two_devices() {
  return conformed().report({{"<gpu>",
                              "1",
                              {"plain", "chunked", "pairs"},
                              {{{0, 0}, {false, 20, 0, 0, 0}},
                               {{0, 1}, {true, 20, 3, 0, 0}},
                               {{1, 0}, {false, 20, 0, 0, 0}},
                               {{2, 0}, {true, 20, 20, 20, 0}},
                               {{2, 2}, {true, {}, {}, 0, 0}}}},
                             {"other", "", {"plain"}, {{{1, 0}, {false, {}, {}, 0, 0}}}}});
}

}  // namespace

TEST_CASE("report/conform: devices and the strongest models that they do not refute") {
  CHECK(report::device_table(two_devices()).to_string({}) ==
        "device  tests  hung  runs         strongest models not refuted\n"
        "<gpu>   3      2     at least 80  HSA:strong (1 of 1 test)\n"
        "other   1      0     ?            HSA:strong (1 of 1 test), OBE:strong (0 of 1 test)\n");
}

TEST_CASE("report/conform: devices by models, with counts and mappings") {
  CHECK(report::refutation_matrix(two_devices()).to_string({}) ==
        "refuted  HSA           OBE\n"
        "         weak  strong  weak  strong\n"
        "<gpu>    -     -       1 C~  1 C~\n"
        "other    -     -       ?     ?\n");
  CHECK(contains(report::legend(two_devices()), "  P  plain\n  C  chunked\n  1  pairs\n"));
}

TEST_CASE("report/conform: a line a reading, for people and as CSV") {
  const ConformReport report = two_devices();
  CHECK(report::reading_table(report, MappingNames::letters).to_string({}) ==
        "device  reading     result       tests  held  refuting  always  mappings  runs\n"
        "<gpu>   HSA:weak    not refuted  1      1     0         0                 20\n"
        "<gpu>   HSA:strong  not refuted  1      1     0         0                 20\n"
        "<gpu>   OBE:weak    refuted      1      0     1         0       C         40\n"
        "<gpu>   OBE:strong  refuted      1      0     1         0       C         40\n"
        "other   HSA:weak    not refuted  1      1     0         0                 ?\n"
        "other   HSA:strong  not refuted  1      1     0         0                 ?\n"
        "other   OBE:weak    not tested   0      0     0         0                 0\n"
        "other   OBE:strong  not tested   0      0     0         0                 0\n");
  const auto lines = parse_csv(report::reading_table(report, MappingNames::full).to_csv(), "t");
  REQUIRE(lines.size() == 9);
  CHECK(lines[3] == std::vector<std::string>{"<gpu>", "OBE:weak", "refuted", "1", "0", "1", "0",
                                             "chunked", "40"});
}

TEST_CASE("report/conform: a line a test that hung, and what it refutes") {
  CHECK(report::hung_table(two_devices()).to_string({}) ==
        "device  test  mapping  hung  runs  refutes\n"
        "<gpu>   lock  chunked  3     20    OBE:weak OBE:strong\n"
        "<gpu>   down  plain    20    20\n"
        "<gpu>   down  pairs    ?     ?\n");
}

TEST_CASE("report/conform: JSON says it all") {
  const Json json = Json::parse(report::conform_json(two_devices()));
  CHECK(json["suite"] == "s<&>");
  CHECK(json["tests"] == 3);
  CHECK(json["notes"] == Json{"a <note>"});
  REQUIRE(json["devices"].size() == 2);
  const Json& gpu = json["devices"][0];
  CHECK(gpu["hung"] == 2);
  CHECK(gpu["runs"] == 80);
  CHECK(gpu["all_runs_known"] == false);
  CHECK(gpu["strongest_not_refuted"] == Json::parse(R"([["HSA:strong"]])"));
  CHECK(gpu["readings"][2] == Json::parse(R"({
    "reading": "OBE:weak", "model": "OBE", "fairness": "weak", "result": "refuted",
    "tests": 1, "held": 0, "refuting": 1, "always": 0, "always_unknown": 0, "runs": 40,
    "all_runs_known": true, "determinism": "nondeterministic", "only_device_lost": false,
    "mappings": [
      {"mapping": "plain", "tests": 1, "held": 1, "refuting": 0, "always": 0, "always_unknown": 0,
       "runs": 20, "all_runs_known": true},
      {"mapping": "chunked", "tests": 1, "held": 0, "refuting": 1, "always": 0,
       "always_unknown": 0, "runs": 20, "all_runs_known": true},
      {"mapping": "pairs", "tests": 0, "held": 0, "refuting": 0, "always": 0, "always_unknown": 0,
       "runs": 0, "all_runs_known": true}],
    "refuting_tests": [{"test": "lock", "hangs": [
      {"mapping": "chunked", "hung": 3, "runs": 20, "device_lost": 0}]}]})"));
  CHECK(json["devices"][1]["readings"][2]["result"] == "not tested");
}

TEST_CASE("report/conform: the page is whole, and names cannot break it") {
  const std::string page = report::conform_html(two_devices());
  CHECK(page.starts_with("<!doctype html>"));
  CHECK(contains(page, "</html>"));
  CHECK_FALSE(contains(page, "{{"));
  CHECK_FALSE(contains(page, "<script"));
  CHECK_FALSE(contains(page, "<gpu>"));
  CHECK(contains(page, "&lt;gpu>"));
  CHECK(contains(page, "s&lt;&amp;>"));
  CHECK(contains(page, "a &lt;note>"));
  CHECK(contains(page, ">1 C~</td>"));
  CHECK_FALSE(contains(page, "http://"));
  CHECK_FALSE(contains(page, "https://"));
}

TEST_CASE("report/conform: nothing says that a device has a model") {
  const ConformReport report = two_devices();
  for (const std::string& text :
       {report::device_table(report).to_string({}), report::conform_json(report),
        report::reading_table(report, MappingNames::full).to_string({})}) {
    for (const char* word : {"confirm", "conforms", "satisf", "implements"}) {
      CHECK_FALSE(contains(text, word));
    }
  }
}
