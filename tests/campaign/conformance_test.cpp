#include "campaign/conformance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "base/file.hpp"
#include "base/text/csv.hpp"
#include "models/library.hpp"
#include "support/files.hpp"
#include "support/synthesized.hpp"

using namespace headway;
using campaign::conformance;
using campaign::DeviceObservations;
using campaign::DeviceResult;
using campaign::Observation;
using campaign::ReadingResult;
using checker::Verdict;
using models::Reading;

namespace {

// What is known of the published devices, and what follows from it.
struct Published {
  Published() {
    suite.path = "published";
    suite.tests = testing::published_tests();
    matrix = suite::decide(suite.tests, models::Library().standard());
    campaign::Collection collection(suite);
    std::vector<Error> errors;
    const auto folder = testing::source_dir() / "tests/data/published/devices";
    for (const auto& file : campaign::find_results({folder}, errors)) collection.add(file);
    devices = collection.devices();
    for (const auto& device : devices) results.push_back(conformance(device, matrix, order()));
  }

  const suite::SuiteOrder& order() const {
    static const suite::SuiteOrder result(models::Library().standard(), testing::published_tests());
    return result;
  }
  const ReadingResult& of(std::size_t device, const std::string& reading) const {
    const auto& all = order().readings();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Reading& candidate) {
      return order().name(candidate) == reading;
    });
    REQUIRE(found != all.end());
    return results[device].readings[static_cast<std::size_t>(found - all.begin())];
  }

  suite::Suite suite;
  suite::VerdictMatrix matrix{{}};
  std::vector<DeviceObservations> devices;
  std::vector<DeviceResult> results;
};

const Published& published() {
  static const Published all;
  return all;
}

std::set<std::string> names(const std::vector<std::vector<Reading>>& groups,
                            const suite::SuiteOrder& order) {
  std::set<std::string> result;
  for (const auto& group : groups) {
    for (const Reading& reading : group) result.insert(order.name(reading));
  }
  return result;
}

}  // namespace

TEST_CASE("campaign/conformance: weak HSA and weak OBE are refuted on no published device") {
  REQUIRE(published().results.size() == 11);
  for (std::size_t d = 0; d < published().results.size(); ++d) {
    CAPTURE(published().devices[d].device);
    for (const char* reading : {"HSA:weak", "OBE:weak"}) {
      CHECK(published().of(d, reading).tested());
      CHECK_FALSE(published().of(d, reading).refuted());
    }
    // Tests of two threads cannot refute weak LOBE where they do not refute weak HSA+OBE.
    CHECK_FALSE(published().of(d, "LOBE:weak").refuted());
    CHECK(published().of(d, "fair:strong").refuted());
  }
}

TEST_CASE(
    "campaign/conformance: what refutes is what a count from the published tables alone says") {
  std::map<std::pair<std::string, std::string>, bool> passes;  // test and reading
  for (const auto& verdict : testing::published_verdicts()) {
    passes[{verdict.test, verdict.model + ":" + to_string(verdict.fairness)}] = verdict.passes;
  }
  // By device and reading: the tests that hung under some placement, and those that did in all
  // runs.
  std::map<std::pair<std::string, std::string>, std::set<std::string>> refuting, always;
  std::set<std::string> devices;
  for (const char* bound : {"2t_2i", "2t_3i"}) {
    const auto folder = testing::source_dir() / "tests/data/published/devices" / bound;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string device = entry.path().stem();
      devices.insert(device);
      for (const auto& row : parse_csv(read_file(entry.path()), "f")) {
        if (row.front().empty() || !std::isdigit(row.front().front())) continue;
        const std::string test = std::string(bound) + "_" + row.front();
        for (std::size_t p = 1; p + 1 < row.size(); ++p) {
          int hung = 0, runs = 0;
          if (std::sscanf(row[p].c_str(), "F (%d/%d)", &hung, &runs) != 2) continue;
          for (const auto& [key, pass] : passes) {
            if (key.first != test || !pass) continue;
            refuting[{device, key.second}].insert(test);
            if (hung == runs) always[{device, key.second}].insert(test);
          }
        }
      }
    }
  }
  REQUIRE(devices.size() == 11);
  std::size_t compared = 0;
  for (std::size_t d = 0; d < published().devices.size(); ++d) {
    const std::string& device = published().devices[d].device;
    for (const ReadingResult& result : published().results[d].readings) {
      const std::string reading = published().order().name(result.reading);
      if (reading == "unfair") continue;  // not among the published verdicts
      CAPTURE(device);
      CAPTURE(reading);
      std::set<std::string> tests;
      for (const std::size_t test : result.refuting) {
        tests.insert(published().suite.tests[test].name);
      }
      CHECK(tests == refuting[{device, reading}]);
      CHECK(result.all.refuting == tests.size());
      CHECK(result.all.always == always[{device, reading}].size());
      CHECK(result.all.unclear == 0);
      ++compared;
    }
  }
  CHECK(compared == 110);
}

TEST_CASE("campaign/conformance: the strongest models that published devices do not refute") {
  std::map<std::string, std::set<std::string>> found;
  for (std::size_t d = 0; d < published().devices.size(); ++d) {
    found[published().devices[d].device] =
        names(published().results[d].strongest, published().order());
  }
  const std::set<std::string> strong = {"HSA+OBE:strong", "LOBE:strong"};
  const std::set<std::string> weak = {"HSA+OBE:weak", "LOBE:weak"};
  CHECK(found["a12"] == strong);
  CHECK(found["a14"] == strong);
  CHECK(found["rtx4k-warp-simt"] == strong);
  CHECK(found["rtx4k-cooperative"] == std::set<std::string>{"fair:weak"});
  CHECK(found["rtx4k-warp-independent"] == std::set<std::string>{"fair:weak"});
  for (const char* device : {"a620", "g77", "gf940m", "hd620", "rtx4k", "tx1"}) {
    CHECK(found[device] == weak);
  }
}

TEST_CASE("campaign/conformance: weak LOBE is refuted by a made-up campaign under round-robin") {
  // Tests of three threads tell weak LOBE from weak HSA+OBE.
  const auto& tests = testing::synthesized_tests(3, 4);
  const auto models = models::Library().standard();
  const auto matrix = suite::decide(tests, models);
  const suite::SuiteOrder order(models, tests);
  const Reading lobe{4, models::Fairness::weak}, hsa_obe{3, models::Fairness::weak};
  REQUIRE(order.name(lobe) == "LOBE:weak");
  REQUIRE(order.name(hsa_obe) == "HSA+OBE:weak");
  DeviceObservations device{"gpu", "", {"plain", "round-robin"}, {}};
  std::size_t witness = tests.size();
  for (std::size_t t = 0; t < tests.size(); ++t) {
    device.seen[{t, 0}] = {false, 20, 0, 0, 0};
    device.seen[{t, 1}] = {false, 20, 0, 0, 0};
    if (matrix.verdict(t, lobe) == Verdict::pass && matrix.verdict(t, hsa_obe) == Verdict::fail) {
      witness = t;
    }
  }
  REQUIRE(witness < tests.size());
  const DeviceResult before = conformance(device, matrix, order);
  CHECK(names(before.strongest, order) == std::set<std::string>{"fair:strong"});
  CHECK(before.hung == 0);
  CHECK(before.runs == 40 * tests.size());

  device.seen[{witness, 1}] = {true, 20, 3, 3, 0};
  const DeviceResult after = conformance(device, matrix, order);
  for (const ReadingResult& result : after.readings) {
    CAPTURE(order.name(result.reading));
    CHECK(result.refuted() == (matrix.verdict(witness, result.reading) == Verdict::pass));
    if (!result.refuted()) continue;
    CHECK(result.refuting == std::vector<std::size_t>{witness});
    CHECK(result.by_mapping[0].refuting == 0);
    CHECK(result.by_mapping[1].refuting == 1);
    CHECK(result.determinism() == campaign::Determinism::sometimes);
    CHECK(result.only_lost);
  }
  CHECK(names(after.strongest, order).contains("HSA+OBE:weak"));
  CHECK_FALSE(names(after.strongest, order).contains("LOBE:weak"));
}

TEST_CASE("campaign/conformance: refutation goes upwards in the order of the models") {
  // Hence the strongest models that are not refuted have above them refuted ones only.
  std::mt19937 random(7);
  const auto& order = published().order();
  const auto& matrix = published().matrix;
  for (int round = 0; round < 300; ++round) {
    DeviceObservations device{"gpu", "", {"a", "b"}, {}};
    for (int hangs = 0; hangs < round % 5; ++hangs) {
      device.seen[{random() % matrix.tests(), random() % 2}] = {true, 3, 1 + random() % 3, 0, 0};
    }
    const DeviceResult result = conformance(device, matrix, order);
    const auto& all = result.readings;
    for (const ReadingResult& a : all) {
      for (const ReadingResult& b : all) {
        if (a.refuted() && order.at_most(a.reading, b.reading)) CHECK(b.refuted());
      }
      // In `strongest` exactly when nothing strictly above is not refuted.
      const bool maximal =
          !a.refuted() && std::none_of(all.begin(), all.end(), [&](const ReadingResult& b) {
            return !b.refuted() && order.below(a.reading, b.reading);
          });
      CHECK(names(result.strongest, order).contains(order.name(a.reading)) == maximal);
    }
  }
}

TEST_CASE("campaign/conformance: what was not seen neither holds nor refutes") {
  const auto& order = published().order();
  DeviceObservations device{"gpu", "", {"plain"}, {}};
  device.seen[{0, 0}] = {false, 0, 0, 0, 5};  // crashed only
  device.seen[{1, 0}] = {false, {}, {}, 0, 0};
  const DeviceResult result = conformance(device, published().matrix, order);
  CHECK(result.tests == 1);
  CHECK(result.runs == 0);
  CHECK_FALSE(result.all_runs_known);
  for (const ReadingResult& reading : result.readings) {
    const bool passes = published().matrix.verdict(1, reading.reading) == Verdict::pass;
    CHECK(reading.all.tests == (passes ? 1 : 0));
    CHECK(reading.all.held() == reading.all.tests);
    CHECK_FALSE(reading.refuted());
  }
}

TEST_CASE("campaign/conformance: a test with an unknown verdict refutes nothing") {
  suite::DecideOptions options;
  options.max_states = 1;
  const auto matrix = suite::decide(published().suite.tests, models::Library().standard(), options);
  DeviceObservations device{"gpu", "", {"plain"}, {}};
  for (std::size_t t = 0; t < matrix.tests(); ++t) device.seen[{t, 0}] = {true, 1, 1, 0, 0};
  for (const auto& reading : conformance(device, matrix, published().order()).readings) {
    CHECK_FALSE(reading.tested());
  }
}
