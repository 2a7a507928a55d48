#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "base/text/csv.hpp"
#include "campaign/results.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::campaign::RunOutcome;
using headway::testing::CommandOptions;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::source_dir;
using headway::testing::TemporaryFolder;
using Arguments = std::vector<std::string>;
using Json = nlohmann::json;

namespace {

const Arguments kPublished = {"tests/data/published/devices", "--suite",
                              "tests/data/published/tests"};

CommandResult conform(Arguments arguments) {
  arguments.insert(arguments.begin(), "conform");
  CommandOptions options;
  options.folder = source_dir();
  return headway::testing::headway(arguments, options);
}

CommandResult conform_published(const Arguments& more) {
  Arguments arguments = kPublished;
  arguments.insert(arguments.end(), more.begin(), more.end());
  return conform(arguments);
}

// A campaign over litmus/suite/fingerprint, of which the tests in `hung` hung under round-robin.
headway::campaign::Results results(const std::vector<std::size_t>& hung) {
  std::vector<headway::Error> errors;
  const headway::suite::Suite suite =
      headway::suite::load_suite((source_dir() / "litmus/suite/fingerprint").string(), errors);
  headway::campaign::Results results;
  results.version = "0";
  results.started = "2026-01-01T00:00:00.000Z";
  results.device = {"gpu", "", "vulkan", {}};
  results.suite = "litmus/suite/fingerprint";
  results.tests = headway::campaign::identify(suite);
  results.mappings = {"plain", "round-robin"};
  results.iterations = 2;
  for (std::size_t t = 0; t < suite.tests.size(); ++t) {
    const bool hangs = std::find(hung.begin(), hung.end(), t) != hung.end();
    const headway::campaign::Run fine{RunOutcome::terminated, 1, {}};
    const headway::campaign::Run bad{RunOutcome::timed_out, 5000, {}};
    results.runs.push_back({t, 0, {fine, fine}});
    results.runs.push_back({t, 1, {fine, hangs ? bad : fine}});
  }
  return results;
}

std::string write(const TemporaryFolder& folder, const std::string& name,
                  const headway::campaign::Results& results) {
  const std::string path = folder.path() / name;
  headway::campaign::write_results(path, results);
  return path;
}

}  // namespace

TEST_CASE("cli/conform: no published device refutes weak HSA or weak OBE") {
  const CommandResult result = conform_published({"--format", "csv"});
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  std::size_t weak = 0;
  for (const auto& line : headway::parse_csv(result.out, "out")) {
    REQUIRE(line.size() == 9);
    if (line[1] == "fair:strong") CHECK(line[2] == "refuted");
    if (line[1] != "HSA:weak" && line[1] != "OBE:weak") continue;
    CHECK(line[2] == "not refuted");
    CHECK(line[3] == (line[1] == "HSA:weak" ? "43" : "20"));
    ++weak;
  }
  CHECK(weak == 22);
}

TEST_CASE("cli/conform: the forms of the output agree") {
  const Json json = Json::parse(conform_published({"--format", "json"}).out);
  const auto csv = headway::parse_csv(conform_published({"--format", "csv"}).out, "out");
  const std::string table = conform_published({}).out;
  const std::string page = conform_published({"--format", "html"}).out;
  std::size_t line = 0;
  for (const Json& device : json["devices"]) {
    CHECK(contains(table, device["device"].get<std::string>()));
    CHECK(contains(page, device["device"].get<std::string>()));
    for (const Json& reading : device["readings"]) {
      ++line;
      REQUIRE(line < csv.size());
      CHECK(csv[line][0] == device["device"].get<std::string>());
      CHECK(csv[line][1] == reading["reading"].get<std::string>());
      CHECK(csv[line][2] == reading["result"].get<std::string>());
      CHECK(csv[line][5] == std::to_string(reading["refuting"].get<int>()));
      CHECK(reading["refuting_tests"].size() == reading["refuting"]);
    }
  }
  CHECK(line + 1 == csv.size());
  CHECK(json["devices"].size() == 11);
}

TEST_CASE("cli/conform: a legend is about the table above it") {
  const TemporaryFolder folder;
  const std::string one = write(folder, "one.json", results({0}));
  headway::campaign::Results other = results({1});
  other.device.name = "other";
  const std::string two = write(folder, "two.json", other);
  const std::string of_one = conform({one}).out;
  CHECK(contains(of_one, "tests: the conformance tests that ran; held: those that ended"));
  CHECK_FALSE(contains(of_one, "~: none"));
  const std::string of_two = conform({one, two}).out;
  CHECK(contains(of_two, "~: none of them hung in every run"));
  CHECK_FALSE(contains(of_two, "held: those"));
}

TEST_CASE("cli/conform: results files name their suite") {
  const TemporaryFolder folder;
  const std::string path = write(folder, "r.json", results({1}));
  const CommandResult result = conform({path, "--format", "json"});
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  const Json device = Json::parse(result.out)["devices"][0];
  CHECK(device["device"] == "gpu (vulkan)");
  CHECK(device["runs"] == 20);
  CHECK(device["hung"] == 1);
  bool refuted = false;
  for (const Json& reading : device["readings"]) {
    // The second test of the fingerprint is the one that HSA guarantees to terminate.
    CHECK((reading["result"] == "refuted") == !reading["refuting_tests"].empty());
    refuted = refuted || (reading["reading"] == "HSA:weak" && reading["result"] == "refuted");
    if (reading["result"] == "refuted") CHECK(reading["determinism"] == "nondeterministic");
  }
  CHECK(refuted);

  headway::campaign::Results other = results({});
  other.suite = "litmus";
  const CommandResult two = conform({path, write(folder, "s.json", other)});
  CHECK(two.status == 2);
  CHECK(contains(two.err, "results of 2 suites, litmus and litmus/suite/fingerprint among them"));
  other.suite = "nowhere";
  const CommandResult gone = conform({write(folder, "t.json", other)});
  CHECK(gone.status == 2);
  CHECK(contains(gone.err, "nowhere"));
}

TEST_CASE("cli/conform: a suite that holds more tests than were run will do") {
  const TemporaryFolder folder;
  const CommandResult result = conform(
      {write(folder, "r.json", results({})), "--suite", "litmus/suite", "--format", "json"});
  CHECK(result.status == 0);
  CHECK(Json::parse(result.out)["devices"][0]["tests"] == 5);
}

TEST_CASE("cli/conform: what is truncated, edited or of another suite is refused by name") {
  const TemporaryFolder folder;
  const std::string good = write(folder, "good.json", results({}));
  const std::string text = headway::read_file(good);
  const std::string half = folder.write("half.json", text.substr(0, text.size() / 2));
  std::string other = text;
  other.replace(other.find("terminated"), 10, "timed out");
  const std::string edited = folder.write("edited.json", other);
  const CommandResult result = conform({good, half, edited, "--format", "csv"});
  CHECK(result.status == 2);
  CHECK(contains(result.err, "half.json: truncated: expected a checksum at its end"));
  CHECK(contains(result.err, "edited.json: damaged or edited: its checksum is that of another"));
  CHECK(contains(result.out, "gpu (vulkan),OBE:weak,not refuted"));  // of the good one

  const CommandResult alone = conform({half});
  CHECK(alone.status == 2);
  CHECK(alone.out.empty());
  CHECK(contains(alone.err, "half.json: truncated"));
  const CommandResult foreign = conform({good, "--suite", "litmus/suite/minimal/2t_2i"});
  CHECK(foreign.status == 2);
  CHECK(foreign.out.empty());
  CHECK(contains(foreign.err, "good.json: results of another suite than "));
}

TEST_CASE("cli/conform: what cannot be read or is not there") {
  const TemporaryFolder folder;
  const std::pair<Arguments, std::string> cases[] = {
      {{"nowhere.json"}, "nowhere.json: cannot open"},
      {{folder.path()}, "no results in this folder"},
      {{"tests/data/published/devices/2t_2i"},
       "tables in the published form do not name their suite"},
      {{"README.md", "--suite", "litmus/suite/fingerprint"}, "README.md"},
      {{"tests/data/published/devices/2t_2i", "--suite", "litmus/suite/fingerprint"},
       "no row is about a test"},
      {{}, "RESULTS is required"},
      {{"x", "--format", "yaml"}, "expected table, csv, json, html, junit or sarif, found 'yaml'"}};
  for (const auto& [arguments, message] : cases) {
    const CommandResult result = conform(arguments);
    CAPTURE(result.err);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(contains(result.err, message));
  }
}

TEST_CASE("cli/conform: an unfinished campaign says so") {
  const TemporaryFolder folder;
  headway::campaign::Results partial = results({});
  partial.runs.resize(3);
  const CommandResult result = conform({write(folder, "r.json", partial)});
  CHECK(result.status == 0);
  CHECK(contains(result.err, "r.json: unfinished: 3 of 10 results are there"));
}

TEST_CASE("cli/conform: tests that hung are listed, and models chosen") {
  const TemporaryFolder folder;
  const std::string path = write(folder, "r.json", results({1, 3}));
  const auto lines = headway::parse_csv(
      conform({path, "--table", "tests", "--format", "csv", "--model", "OBE"}).out, "out");
  REQUIRE(lines.size() == 3);
  CHECK(lines[1][2] == "round-robin");
  CHECK(lines[1][3] == "1");
  CHECK(lines[1][4] == "2");
  CHECK(lines[1][5].empty());
  CHECK(lines[2][5] == "OBE:weak OBE:strong");
  CHECK(headway::parse_csv(conform({path, "--table", "devices", "--format", "csv"}).out, "out")
            .size() == 2);
}

TEST_CASE("cli/conform: results are shown in reports") {
  const TemporaryFolder folder;
  const std::string path = write(folder, "r.json", results({1}));
  CommandOptions options;
  options.folder = source_dir();
  const CommandResult result = headway::testing::headway(
      {"report", "litmus/suite/fingerprint", "-o", "-", "--devices", path}, options);
  CHECK(result.status == 0);
  CHECK(contains(result.out, "\"name\":\"gpu (vulkan)\""));
  CHECK(contains(result.out, "F (1/2)"));
}

TEST_CASE("cli/web: a folder of files, and nothing for an empty suite") {
  const TemporaryFolder folder;
  const std::string site = folder.path() / "a" / "site";
  CommandOptions options;
  options.folder = source_dir();
  const CommandResult result = headway::testing::headway(
      {"web", "litmus/suite/fingerprint", "-o", site, "--title", "Ours"}, options);
  CHECK(result.status == 0);
  CHECK(result.out.empty());
  CHECK(contains(result.err, "5 tests written to "));
  const Json document = Json::parse(headway::read_file(site + "/suite.json"));
  CHECK(document["title"] == "Ours");
  CHECK(document["path"] == "litmus/suite/fingerprint");
  CHECK(std::filesystem::exists(site + "/index.html"));

  std::filesystem::create_directory(folder.path() / "empty");
  const CommandResult none = headway::testing::headway(
      {"web", (folder.path() / "empty").string(), "-o", (folder.path() / "b").string()}, options);
  CHECK(none.status == 2);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "b"));
  CHECK(headway::testing::headway({"web", "litmus"}, options).status == 2);
}
