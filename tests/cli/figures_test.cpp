// The figures of the paper from suites and devices, and results of other hosts, from outside.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "base/file.hpp"
#include "base/text/csv.hpp"
#include "campaign/results.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::in;
using headway::testing::source_dir;
using headway::testing::suite;
using headway::testing::TemporaryFolder;
using Arguments = std::vector<std::string>;
using Rows = std::vector<std::vector<std::string>>;

namespace {

const std::string kTests = "tests/data/published/tests";
const std::string kDevices = "tests/data/published/devices";
const std::string kFingerprint = "litmus/suite/fingerprint";

CommandResult run_here(const Arguments& arguments) {
  return headway::testing::headway(arguments, in(source_dir()));
}

Rows rows_of(const Arguments& arguments) {
  Arguments all = {"conform"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.insert(all.end(), {"--suite", kTests, "--format", "csv"});
  const CommandResult result = run_here(all);
  CAPTURE(result.err);
  CHECK(result.status == 0);
  Rows rows = headway::parse_csv(result.out, "out");
  rows.erase(rows.begin());
  while (!rows.empty() && rows.back().size() < 2) rows.pop_back();
  return rows;
}

// The tests of a published table that hung in some run and in every run under the mapping in
// column `column`.
std::pair<int, int> hung_in(const std::string& path, std::size_t column) {
  int hung = 0, always = 0;
  for (const auto& row : headway::parse_csv(headway::read_file(source_dir() / path), path)) {
    if (row.size() <= column || !row[column].starts_with("F")) continue;
    if (row[0].starts_with("Total")) continue;
    ++hung;
    const std::size_t slash = row[column].find('/');
    if (slash == std::string::npos) continue;
    const int hangs = std::stoi(row[column].substr(3)),
              runs = std::stoi(row[column].substr(slash + 1));
    always += hangs == runs;
  }
  return {hung, always};
}

}  // namespace

TEST_CASE("cli/figures: devices by mapping are what the tables of the paper say") {
  int lines = 0, some = 0;
  for (const std::string device : {"g77", "a620", "a12"}) {
    const Rows rows = rows_of({kDevices + "/2t_3i/" + device + ".csv", "--table", "mappings"});
    REQUIRE(rows.size() >= 3);
    for (std::size_t m = 0; m < 3; ++m) {
      CAPTURE(device);
      const auto [hung, always] = hung_in(kDevices + "/2t_3i/" + device + ".csv", m + 1);
      CHECK(rows[m][0] == device);
      CHECK(rows[m][3] == "all");
      CHECK(rows[m][4] == "176");
      CHECK(rows[m][5] == std::to_string(hung));
      CHECK(rows[m][6] == std::to_string(always));
      CHECK(std::stoi(rows[m][6]) + std::stoi(rows[m][7]) + std::stoi(rows[m][8]) == hung);
      ++lines;
      some += hung > 0;
    }
  }
  CHECK(lines == 9);
  CHECK(some > 2);
}

TEST_CASE("cli/figures: of one reading its conformance tests alone are counted") {
  const Rows readings = rows_of({kDevices, "--table", "readings"});
  for (const std::string reading : {"HSA:strong", "OBE:weak"}) {
    std::size_t seen = 0;
    for (const auto& row : rows_of({kDevices, "--table", "mappings", "--reading", reading})) {
      CHECK(row[3] == reading);
      const auto whole = std::find_if(readings.begin(), readings.end(), [&](const auto& other) {
        return other[0] == row[0] && other[1] == reading;
      });
      REQUIRE(whole != readings.end());
      CHECK(std::stoi(row[4]) <= std::stoi((*whole)[3]));
      CHECK(std::stoi(row[5]) <= std::stoi((*whole)[5]));
      ++seen;
    }
    CHECK(seen > 11);
  }
  const Rows all = rows_of({kDevices, "--table", "mappings", "--reading", "each"});
  const Rows weak = rows_of({kDevices, "--table", "mappings", "--reading", "OBE:weak"});
  CHECK(all.size() == 11 * weak.size());
  for (const auto& row : weak) CHECK(std::find(all.begin(), all.end(), row) != all.end());
  const CommandResult wrong = run_here(
      {"conform", kDevices, "--suite", kTests, "--table", "mappings", "--reading", "OBE:wek"});
  CHECK(wrong.status == 2);
  CHECK(contains(wrong.err, "--reading OBE:wek: expected unfair, HSA:weak, HSA:strong, OBE:weak"));
  CHECK(run_here({"conform", kDevices, "--suite", kTests, "--reading", "OBE:weak"}).status == 2);
}

TEST_CASE("cli/figures: tests between two models are those attributed to the second") {
  const Rows rows = rows_of({kDevices, "--between", "LOBE", "fair"});
  REQUIRE(rows.size() == 12);
  for (const auto& row : rows) CHECK(row[2] == "43");  // 37 weak and 6 strong tests of fair
  CHECK(rows.back()[0] == "any");
  const Rows weak = rows_of({kDevices, "--between", "LOBE:weak", "fair:weak"});
  CHECK(weak.back()[2] == "37");
  const CommandResult people =
      run_here({"conform", kDevices, "--suite", kTests, "--between", "LOBE", "fair"});
  const int quiet = std::stoi(rows.back()[3]) - std::stoi(rows.back()[4]);
  CHECK(contains(people.out, std::to_string(quiet) + " of them ran and never hung on any device"));
  CHECK(run_here({"conform", kDevices, "--suite", kTests, "--between", "LOBE", "far"}).status == 2);
}

TEST_CASE("cli/figures: pairs of devices share out the tests that both ran") {
  const Rows rows = rows_of({kDevices, "--table", "compare"});
  CHECK(rows.size() == 11 * 10 / 2);
  bool differ = false;
  for (const auto& row : rows) {
    const int both = std::stoi(row[4]), first = std::stoi(row[5]), second = std::stoi(row[6]),
              none = std::stoi(row[7]);
    CHECK(both + first + second + none == std::stoi(row[3]));
    differ = differ || (first > 0 && second > 0);
  }
  CHECK(differ);
}

TEST_CASE("cli/figures: shares are percentages of the counts, and charts are pictures") {
  const Arguments published = {"classify", kTests, "--attribution", "published"};
  Arguments shares = published, page = published;
  shares.insert(shares.end(), {"--table", "shares", "--format", "csv"});
  page.insert(page.end(), {"--format", "html"});
  const auto rows = headway::parse_csv(suite(shares, in(source_dir())).out, "out");
  CHECK(rows.at(1) == Arguments{"weak", "HSA", "43", "47.8", "43", "47.8"});
  CHECK(rows.at(8) == Arguments{"strong", "fair", "6", "6.4", "94", "100.0"});
  const std::string html = suite(page, in(source_dir())).out;
  CHECK(contains(html, "<svg"));
  CHECK(contains(html, "<title>HSA: 47.8</title>"));
  CHECK_FALSE(contains(html, "http:"));
  CHECK(contains(suite({"classify", kTests, "--format", "html"}, in(source_dir())).out,
                 "other conformance tests"));
  CHECK(contains(run_here({"conform", kDevices, "--suite", kTests, "--format", "html"}).out,
                 "in every run"));
}

TEST_CASE("cli/figures: runs of Amber and of other hosts become results") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "r.json").string();
  const std::string log = folder
                              .write("log",
                                     "Summary of Failures:\n"
                                     "  x/fingerprint-2-2t_2i-producer-consumer-increasing.amber\n"
                                     "\nSummary: 4 pass, 1 fail\n\nSummary: 5 pass, 0 fail\n")
                              .string();
  const Arguments import = {"import",    log,           "--suite",  kFingerprint,
                            "-t",        "amber",       "--device", "a620",
                            "--mapping", "round-robin", "--vendor", "Qualcomm",
                            "--system",  "Android 11",  "-o",       out};
  CHECK(run_here(import).err == "10 runs of 5 of 5 tests written to " + out + "\n");
  const auto results = headway::campaign::read_results(out);
  CHECK(results.iterations == 2);
  CHECK(results.complete());
  const CommandResult json = run_here({"conform", out, "--format", "json"});
  const auto device = nlohmann::json::parse(json.out).at("devices").at(0);
  CHECK(device.at("device") == "a620 (amber)");
  CHECK(device.at("details").at("vendor") == "Qualcomm");
  CHECK(device.at("details").at("system") == "Android 11");
  CHECK(device.at("hung") == 1);

  folder.write("lines",
               "# a host of mine\nfingerprint-5-3t_3i-lobe.weak timed-out\n\n"
               "fingerprint-5-3t_3i-lobe.weak terminated 1.5\n");
  const auto lines = [&](const std::string& name) {
    return run_here({"import", (folder.path() / name).string(), "--suite", kFingerprint, "-t",
                     "metal", "--device", "a12", "-o", out});
  };
  CHECK(lines("lines").status == 0);
  const auto metal = headway::campaign::read_results(out);
  REQUIRE(metal.runs.size() == 1);
  CHECK(metal.runs[0].runs.size() == 2);
  CHECK(metal.runs[0].runs[1].milliseconds == 1.5);
  CHECK_FALSE(metal.complete());

  for (const auto& [text, part] : std::initializer_list<std::pair<const char*, const char*>>{
           {"nobody terminated\n", ":1: no test of litmus/suite/fingerprint is called 'nobody'"},
           {"fingerprint-5-3t_3i-lobe.weak perhaps\n", ":1: expected a test and terminated"},
           {"fingerprint-5-3t_3i-lobe.weak terminated soon\n", "expected milliseconds"},
           {"\n", "no run"}}) {
    folder.write("bad", text);
    const CommandResult bad = lines("bad");
    CHECK(bad.status == 2);
    CHECK(contains(bad.err, part));
  }
  for (const auto& [text, part] : std::initializer_list<std::pair<const char*, const char*>>{
           {"Summary: 3 pass, 0 fail\n", "expected the 5 tests of"},
           {"Summary of Failures:\n  nobody.amber\nSummary: 4 pass, 1 fail\n", "'nobody'"},
           {"Summary: 4 pass, 1 fail\n", "4 passed and 1 failed of which 0 are named"},
           {"nothing\n", "as Amber ends"}}) {
    folder.write("log", text);
    const CommandResult bad = run_here(import);
    CHECK(bad.status == 2);
    CHECK(contains(bad.err, part));
  }
}

TEST_CASE("cli/figures: presets fill in what is not given") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "r.json").string();
  const std::string test = "litmus/producer-consumer-increasing.litmus";
  CHECK(run_here({"run", test, "-t", "cpp", "--preset", "cpu-oversubscribed", "--iterations", "1",
                  "--timeout", "60s", "--mapping", "chunked", "-o", out})
            .status == 0);
  const auto cpu = headway::campaign::read_results(out);
  CHECK(cpu.instances ==
        std::max(1, static_cast<int>(8 * std::thread::hardware_concurrency()) / 2));
  CHECK(cpu.iterations == 1);
  CHECK(cpu.mappings == Arguments{"chunked"});
  const std::string other = (folder.path() / "s.json").string();
  CHECK(run_here({"run", test, "-t", "cpp", "--preset", "oopsla2021", "--instances", "2",
                  "--iterations", "1", "-o", other})
            .status == 0);
  const auto paper = headway::campaign::read_results(other);
  CHECK(paper.timeout == 5000);
  CHECK(paper.mappings == Arguments{"plain", "round-robin", "chunked"});
}
