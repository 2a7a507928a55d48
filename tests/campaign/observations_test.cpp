#include "campaign/observations.hpp"

#include <doctest/doctest.h>

#include "campaign/results.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using namespace headway;
using campaign::Collection;
using campaign::DeviceObservations;
using campaign::Observation;
using campaign::Results;
using campaign::RunOutcome;
using testing::contains;
using testing::error_of;
using testing::TemporaryFolder;

namespace {

suite::Suite some_tests(std::size_t count = 4) {
  suite::Suite suite;
  suite.path = "some";
  const auto& all = testing::published_tests();
  suite.tests.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t t = 0; t < count; ++t) suite.tests[t].name = "s_" + std::to_string(t);
  return suite;
}

// Two of the tests under two mappings, each with the same runs.
Results results(const suite::Suite& suite, const std::vector<RunOutcome>& outcomes,
                const std::string& started = "2026-01-01T00:00:00.000Z") {
  Results results;
  results.version = "0";
  results.started = started;
  results.device = {"gpu", "driver", "vulkan", {}};
  results.suite = suite.path;
  results.tests = campaign::identify(suite);
  results.tests.resize(2);
  results.mappings = {"plain", "chunked"};
  results.iterations = 100;
  for (const std::size_t test : {0, 1}) {
    for (const std::size_t mapping : {0, 1}) {
      campaign::TestRuns runs{test, mapping, {}};
      for (const RunOutcome outcome : outcomes) runs.runs.push_back({outcome, 1, {}});
      results.runs.push_back(runs);
    }
  }
  return results;
}

std::string write(const TemporaryFolder& folder, const std::string& name, const Results& results) {
  const std::string path = folder.path() / name;
  campaign::write_results(path, results);
  return path;
}

}  // namespace

TEST_CASE("campaign/observations: tables of one device are joined across folders") {
  const suite::Suite suite = some_tests();
  const TemporaryFolder folder;
  folder.write("s/gpu.csv",
               "Test,No saturation Result,Round Robin Saturation,Chunking,Else,All Passed\n"
               "0,P,F (3/20),P,F,F\n1,P,P,F (20/20),P,F\n\nTotal failures:,0,1,1,1,2\n");
  folder.write("t/gpu.csv", "Name,none,rounds,chunks\ns_2,F (1/1),P,P\nnone,P,P,P\n");
  folder.write("s/other.csv", "Name,none\ns_2,P\n");
  std::vector<Error> errors;
  const auto files = campaign::find_results({folder.path()}, errors);
  CHECK(errors.empty());
  REQUIRE(files.size() == 3);
  Collection collection(suite);
  for (const std::string& file : files) collection.add(file);

  const std::vector<DeviceObservations> devices = collection.devices();
  REQUIRE(devices.size() == 2);
  CHECK(devices[0].device == "gpu");
  CHECK(devices[1].device == "other");
  CHECK(devices[0].mappings == std::vector<std::string>{"plain", "round-robin", "chunked", "Else"});
  const auto seen = [&](std::size_t test, std::size_t mapping) {
    const auto found = devices[0].seen.find({test, mapping});
    return found == devices[0].seen.end() ? "nothing" : found->second.to_string();
  };
  CHECK(seen(0, 0) == "P");
  CHECK(seen(0, 1) == "F (3/20)");
  CHECK(seen(0, 3) == "F");
  CHECK(seen(1, 2) == "F (20/20)");
  CHECK(seen(2, 0) == "F (1/1)");
  CHECK(seen(2, 3) == "nothing");
  CHECK(seen(3, 0) == "nothing");
  REQUIRE(collection.notes().size() == 1);
  CHECK(contains(collection.notes()[0], "t/gpu.csv: 1 row is about no test of some"));
}

TEST_CASE("campaign/observations: whether every run hung") {
  CHECK(Observation{true, 20, 20, 0, 0}.always() == true);
  CHECK(Observation{true, 20, 3, 0, 0}.always() == false);
  CHECK(Observation{false, {}, {}, 0, 0}.always() == false);
  CHECK(Observation{true, {}, {}, 0, 0}.always() == std::nullopt);
}

TEST_CASE("campaign/observations: a table that is wrong is refused with its place") {
  const suite::Suite suite = some_tests();
  const TemporaryFolder folder;
  const std::pair<std::string, std::string> tables[] = {
      {"", "t.csv:1: expected a heading"},
      {"Test\n", "t.csv:1: expected a heading"},
      {"Test,plain\ns_0,maybe\n", "t.csv:2: expected P or F (3/20), found 'maybe'"},
      {"Test,plain\ns_0,F (3/)\n", "t.csv:2: expected P or F (3/20), found 'F (3/)'"},
      {"Test,plain\ns_0,F (0/20)\n", "t.csv:2: expected P or F (3/20), found 'F (0/20)'"},
      {"Test,plain\ns_0,F (21/20)\n", "t.csv:2: expected P or F (3/20), found 'F (21/20)'"},
      {"Test,plain,chunked\ns_0,P\n", "t.csv:2: expected 3 fields, found 2"},
      {"Test,plain\ns_0,P\ns_0,P\n", "t.csv:3: a second row about s_0"},
      {"Test,plain\nelse,P\n", "t.csv: no row is about a test of the suite"}};
  for (const auto& [content, message] : tables) {
    const std::string path = folder.write("t.csv", content);
    Collection collection(suite);
    const auto error = error_of([&] { collection.add(path); });
    REQUIRE(error);
    CHECK(contains(error->diagnostic(), message));
    CHECK(collection.devices().empty());
  }
  Collection collection(suite);
  collection.add(folder.write("a/t.csv", "Test,plain\ns_0,P\ns_1,P\n"));
  const std::string again = folder.write("b/t.csv", "Test,plain\ns_2,P\ns_1,P\n");
  const auto error = error_of([&] { collection.add(again); });
  REQUIRE(error);
  CHECK(contains(error->diagnostic(), "b/t.csv: another table of t has a row about s_1 too"));
  CHECK(collection.devices()[0].seen.size() == 2);
}

TEST_CASE("campaign/observations: what ends no run says nothing, a lost device is a hang") {
  const suite::Suite suite = some_tests();
  const TemporaryFolder folder;
  Collection collection(suite);
  collection.add(
      write(folder, "a.json",
            results(suite, {RunOutcome::terminated, RunOutcome::timed_out, RunOutcome::crashed,
                            RunOutcome::device_lost, RunOutcome::error})));
  const auto devices = collection.devices();
  REQUIRE(devices.size() == 1);
  CHECK(devices[0].device == "gpu (vulkan)");
  CHECK(devices[0].seen.size() == 4);
  CHECK(devices[0].seen.at({1, 1}) == Observation{true, 3, 2, 1, 2});
  REQUIRE(collection.notes().size() == 1);
  CHECK(contains(collection.notes()[0], "a.json: 8 runs crashed or did not come about"));
}

TEST_CASE("campaign/observations: a test that only crashed was not seen") {
  const suite::Suite suite = some_tests();
  const TemporaryFolder folder;
  Collection collection(suite);
  collection.add(write(folder, "a.json", results(suite, {RunOutcome::crashed})));
  const Observation seen = collection.devices()[0].seen.at({0, 0});
  CHECK_FALSE(seen.valid());
  CHECK_FALSE(seen.hung);
  CHECK(seen.to_string().empty());
}

TEST_CASE("campaign/observations: campaigns on one device add up, each once") {
  const suite::Suite suite = some_tests();
  const TemporaryFolder folder;
  Collection collection(suite);
  const Results first = results(suite, {RunOutcome::terminated, RunOutcome::timed_out});
  collection.add(write(folder, "a.json", first));
  collection.add(write(folder, "b.json", results(suite, {RunOutcome::terminated}, "later")));
  CHECK(collection.devices()[0].seen.at({0, 0}) == Observation{true, 3, 1, 0, 0});

  Results less = first;  // an earlier state of the first
  less.runs.pop_back();
  const std::string path = write(folder, "c.json", less);
  const auto error = error_of([&] { collection.add(path); });
  REQUIRE(error);
  CHECK(contains(error->diagnostic(), "a.json has results of; expected each once"));
  CHECK(collection.devices()[0].seen.at({0, 0}) == Observation{true, 3, 1, 0, 0});
}

TEST_CASE("campaign/observations: what is unfinished is used, and says so") {
  const suite::Suite suite = some_tests();
  const TemporaryFolder folder;
  Results less = results(suite, {RunOutcome::terminated});
  less.runs.pop_back();
  Collection collection(suite);
  collection.add(write(folder, "a.json", less));
  CHECK(collection.devices()[0].seen.size() == 3);
  REQUIRE(collection.notes().size() == 1);
  CHECK(contains(collection.notes()[0], "a.json: unfinished: 3 of 4 results are there"));
}

TEST_CASE("campaign/observations: devices are told apart by target and driver") {
  const suite::Suite suite = some_tests();
  const TemporaryFolder folder;
  Collection collection(suite);
  const auto add = [&](const std::string& driver, const std::string& target) {
    Results other = results(suite, {RunOutcome::terminated});
    other.device.driver = driver;
    other.device.target = target;
    collection.add(write(folder, driver + target + ".json", other));
  };
  add("1", "vulkan");
  add("2", "vulkan");
  add("1", "opencl");
  collection.add(folder.write("gpu.csv", "Test,plain\ns_0,P\n"));
  std::vector<std::string> names;
  for (const DeviceObservations& device : collection.devices()) names.push_back(device.device);
  CHECK(names ==
        std::vector<std::string>{"gpu (vulkan, 1)", "gpu (vulkan, 2)", "gpu (opencl)", "gpu"});
}

TEST_CASE("campaign/observations: results of another suite and other files are refused") {
  const TemporaryFolder folder;
  const std::string path = write(folder, "a.json", results(some_tests(), {RunOutcome::terminated}));
  suite::Suite other = some_tests();
  other.tests.erase(other.tests.begin());
  Collection collection(other);
  const auto refusal = [&](const std::string& file) {
    const auto error = error_of([&] { collection.add(file); });
    return error ? error->diagnostic() : std::string();
  };
  CHECK(contains(refusal(path), "a.json: results of another suite than some: the program of s_0"));
  CHECK(contains(refusal(folder.write("b.json", "[1]")), "b.json: not a results file"));
  CHECK(contains(refusal(folder.write("c.csv", "{}")), "c.csv: not a results file"));
  CHECK(contains(refusal(folder.path() / "none.csv"), "cannot open"));
  CHECK(collection.devices().empty());
}

TEST_CASE("campaign/observations: verdicts that are kept are no results") {
  const TemporaryFolder folder;
  folder.write("verdicts.json", "{}");
  folder.write("s.jsonl.verdicts.json", "{}");
  folder.write("readme.txt", "");
  std::vector<Error> errors;
  CHECK(campaign::find_results({folder.path()}, errors).empty());
  REQUIRE(errors.size() == 1);
  CHECK(contains(errors[0].diagnostic(), "no results in this folder"));
  folder.write("x/a.json", "");
  errors.clear();
  CHECK(campaign::find_results({folder.path(), "b"}, errors) ==
        std::vector<std::string>{folder.path() / "x" / "a.json", "b"});
  CHECK(errors.empty());
}
