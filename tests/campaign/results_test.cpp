#include "campaign/results.hpp"

#include <doctest/doctest.h>

#include "base/file.hpp"
#include "lang/axb/canonical.hpp"
#include "languages/languages.hpp"
#include "support/axb.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using namespace headway;
using campaign::parse_results;
using campaign::print_results;
using campaign::Results;
using campaign::RunOutcome;
using testing::contains;
using testing::error_of;
using testing::TemporaryFolder;

namespace {

// Of three published tests under two mappings; one result is missing.
suite::Suite small_suite() {
  suite::Suite suite;
  suite.path = "small";
  suite.tests.assign(testing::published_tests().begin(), testing::published_tests().begin() + 3);
  suite.files = {"small"};
  suite.file_of.assign(3, 0);
  return suite;
}

Results unfinished() {
  Results results;
  results.version = "0.1.0";
  results.started = "2026-03-01T12:34:56.789Z";
  results.device = {"A \"GPU\" \u00b5", "driver 1.2", "vulkan", {{"cores", "8"}, {"os", "Linux"}}};
  results.suite = "small";
  results.tests = campaign::identify(small_suite());
  results.mappings = {"plain", "round-robin"};
  results.instances = 64;
  results.iterations = 3;
  results.timeout = 2500;
  const auto runs = [](RunOutcome outcome, double time) {
    return std::vector<campaign::Run>(3, {outcome, time, {}});
  };
  results.runs = {
      {0, 0, runs(RunOutcome::terminated, 0.125)},
      {1, 0, {{RunOutcome::timed_out, 2500, {}}}},
      {2, 0, {{RunOutcome::terminated, 1.001, {}}, {RunOutcome::error, 0, "no memory"}}},
      {0, 1, runs(RunOutcome::device_lost, 12)},
      {2, 1, runs(RunOutcome::crashed, 3)}};
  return results;
}

Results finished() {
  Results results = unfinished();
  results.runs.push_back({1, 1, {{RunOutcome::terminated, 7, {}}}});
  return results;
}

std::string complaint(const std::string& text) {
  const auto error = error_of([&] { parse_results(text, "r.json"); });
  return error ? error->diagnostic() : std::string();
}

// `text` with `from` replaced by `to`, and the checksum that belongs to it.
std::string forged(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  const std::size_t end = text.rfind(",\n\"checksum\"");
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a, as docs/reference/conform.md describes it
  for (std::size_t i = 0; i < end; ++i) {
    hash = (hash ^ static_cast<unsigned char>(text[i])) * 0x100000001b3ULL;
  }
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return text.substr(0, end) + ",\n\"checksum\": \"" + digits + "\"\n}\n";
}

}  // namespace

TEST_CASE("campaign/results: what is written is read again") {
  for (const Results& results : {unfinished(), finished()}) {
    CHECK(parse_results(print_results(results), "r.json") == results);
  }
  CHECK_FALSE(parse_results(print_results(unfinished()), "r.json").complete());
  CHECK(parse_results(print_results(finished()), "r.json").complete());
  CHECK(contains(print_results(unfinished()), "\"complete\": false"));

  const TemporaryFolder folder;
  const std::string path = folder.path() / "new" / "r.json";
  campaign::write_results(path, finished());
  CHECK(campaign::read_results(path) == finished());
}

TEST_CASE("campaign/results: a campaign that has just begun is a valid one") {
  Results results = unfinished();
  results.runs.clear();
  CHECK(parse_results(print_results(results), "r.json") == results);
}

TEST_CASE("campaign/results: no truncated file is read") {
  const std::string text = print_results(unfinished());
  for (std::size_t length = 0; length < text.size(); ++length) {
    CAPTURE(length);
    const std::string found = complaint(text.substr(0, length));
    CHECK((contains(found, "r.json: truncated: expected a checksum at its end") ||
           contains(found, "r.json: not a results file")));
  }
  CHECK(contains(complaint(text + "\n"), "truncated"));
}

TEST_CASE("campaign/results: no file is read of which a byte was changed") {
  const std::string text = print_results(unfinished());
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char change : {1, 32}) {
      std::string edited = text;
      edited[at] = static_cast<char>(edited[at] ^ change);
      CAPTURE(edited.substr(at < 20 ? 0 : at - 20, 40));
      CHECK_FALSE(complaint(edited).empty());
    }
  }
  std::string better = text;
  better.replace(better.find("timed out"), 9, "terminated");
  CHECK(complaint(better) == "r.json: damaged or edited: its checksum is that of another content");
}

TEST_CASE("campaign/results: what headway does not write is refused with the reason") {
  const std::string text = print_results(unfinished());
  CHECK(complaint(forged(text, "small", "large")).empty());  // the forger works
  const auto refused = [&](const std::string& from, const std::string& to,
                           const std::string& reason) {
    CAPTURE(to);
    CHECK(contains(complaint(forged(text, from, to)), reason));
  };
  refused("results\": 1", "results\": 2", "in format 2; this headway reads format 1");
  refused("\"version\"", "\"edition\"", "not as headway writes results");
  refused("\"plain\",\"round", "\"plain\",\"plain\",\"round", "two mappings plain");
  refused("[\"plain\",\"round-robin\"]", "[]", "no mapping");
  refused("\"instances\": 64", "\"instances\": 0", "0 instances; expected 1 to");
  refused("\"iterations\": 3", "\"iterations\": 2", "more runs than iterations");
  refused("\"iterations\": 3", "\"iterations\": 3000000000", "3000000000 iterations; expected");
  refused("\"timeout_ms\": 2500", "\"timeout_ms\": 0", "no such time limit");
  refused("\"ms\":0.125", "\"ms\":-1", "no such time");
  refused("\"outcome\":\"terminated\"", "\"outcome\":\"fine\"", "no outcome is called fine");
  refused("\"runs\":[{\"outcome\":\"timed out\",\"ms\":2500}]", "\"runs\":[]", "no run of");
  refused("false", "true", "it says otherwise whether it is complete");
  refused("{\"test\":\"" + unfinished().tests[1].name, "{\"test\":\"other",
          "results of no test, other");
  refused("\"mapping\":\"plain\"", "\"mapping\":\"else\"", "results under no mapping, else");
  refused("\"mapping\":\"round-robin\"", "\"mapping\":\"plain\"", "two results of");
  refused(unfinished().tests[1].program, "0123456789abcdef", "its suite has other programs");
  CHECK(contains(complaint("[]"), "not a results file"));
  CHECK(contains(complaint(""), "not a results file"));
}

TEST_CASE("campaign/results: a suite has the hash of its programs, whatever they are called") {
  auto tests = unfinished().tests;
  const std::string hash = campaign::suite_hash(tests);
  std::swap(tests[0], tests[2]);
  tests[1].name = "other";
  CHECK(campaign::suite_hash(tests) == hash);
  tests.pop_back();
  CHECK(campaign::suite_hash(tests) != hash);
}

TEST_CASE("campaign/results: results are about programs and not about names") {
  suite::Suite suite = small_suite();
  const Results results = finished();
  CHECK(campaign::locate(results, suite, "r.json") == std::vector<std::size_t>{0, 1, 2});

  // The same program under another name, at another place, with other locations.
  lang::axb::Code code = testing::axb_code(suite.tests[0]);
  for (lang::axb::Location& location : code.locations) location.name += "0";
  testing::set_axb_code(suite.tests[0], code);
  std::swap(suite.tests[0], suite.tests[2]);
  suite.tests[1].name = "renamed";
  CHECK(campaign::locate(results, suite, "r.json") == std::vector<std::size_t>{2, 1, 0});

  // Of two tests that are the program the one of that name counts, or else the first.
  suite.tests.push_back(suite.tests[0]);
  suite.tests[0].name = "twin";
  CHECK(campaign::locate(results, suite, "r.json") == std::vector<std::size_t>{2, 1, 3});
  suite.tests[3].name = "third";
  CHECK(campaign::locate(results, suite, "r.json") == std::vector<std::size_t>{2, 1, 0});

  // Another program of the same name.
  suite::Suite other = small_suite();
  other.tests[1] = testing::published_tests()[5];
  other.tests[1].name = small_suite().tests[1].name;
  const auto error = error_of([&] { campaign::locate(results, other, "r.json"); });
  REQUIRE(error);
  CHECK(error->diagnostic() == "r.json: results of another suite than small: the program of " +
                                   results.tests[1].name + " is not in it");
}

TEST_CASE("campaign/results: a campaign is gone on with only when nothing of it has changed") {
  const Results there = unfinished();
  Results wanted = finished();
  wanted.started = "later";
  CHECK_FALSE(campaign::difference(there, wanted));
  const auto differs = [&](const auto& change, const std::string& reason) {
    Results other = there;
    change(other);
    CHECK(campaign::difference(there, other).value_or("") == reason);
  };
  differs([](Results& r) { r.device.target = "opencl"; },
          "the target is vulkan there and opencl here");
  differs([](Results& r) { r.device.driver = "new"; },
          "the driver is driver 1.2 there and new here");
  differs([](Results& r) { r.tests.pop_back(); }, "the suite has other tests there than here");
  differs([](Results& r) { r.mappings.pop_back(); },
          "the mapping is plain, round-robin there and plain here");
  differs([](Results& r) { r.iterations = 20; }, "the number of iterations is 3 there and 20 here");
  differs([](Results& r) { r.instances = 1; }, "the number of instances is 64 there and 1 here");
  differs([](Results& r) { r.timeout = 1; },
          "the time limit in milliseconds is 2500 there and 1 here");
}

TEST_CASE("campaign/results: the time is that of the file system, in UTC") {
  const std::string now = campaign::utc_now();
  REQUIRE(now.size() == 24);
  CHECK(now[10] == 'T');
  CHECK(now[19] == '.');
  CHECK(now.back() == 'Z');
  CHECK(campaign::utc_now() >= now);
  CHECK(now > "2026-01-01");
}

TEST_CASE("campaign/results: mappings and targets that nobody knows are refused") {
  Results results = finished();
  results.device.target = "abacus";
  CHECK(contains(complaint(print_results(results)), "no target abacus"));
  results = finished();
  results.mappings[1] = "upside-down";
  CHECK(contains(complaint(print_results(results)), "no mapping upside-down"));
}
