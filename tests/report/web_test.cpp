#include "report/web.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "campaign/results.hpp"
#include "emit/emit.hpp"
#include "emit/lower.hpp"
#include "models/library.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using namespace headway;
using testing::contains;
using Json = nlohmann::json;

namespace {

struct Written {
  Written() {
    suite.path = "published";
    suite.tests = testing::published_tests();
    const auto models = models::Library().standard();
    const auto matrix = suite::decide(suite.tests, models);
    const suite::SuiteOrder order(models, suite.tests);
    for (const auto& file : report::web_files({"A title", "1.2.3", suite, matrix, order})) {
      files[file.name] = file.content;
    }
    document = Json::parse(files.at("suite.json"));
  }
  suite::Suite suite;
  std::map<std::string, std::string> files;
  Json document;
};

const Written& written() {
  static const Written all;
  return all;
}

std::string text_of(const Json& lines) {
  std::string text;
  for (const std::size_t line : lines) {
    text += written().document["lines"][line].get<std::string>() + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("report/web: every file that the page loads is there") {
  const auto& files = written().files;
  REQUIRE(files.contains("index.html"));
  for (const auto& file : files) {
    const auto& name = file.first;
    const auto& content = file.second;
    CAPTURE(name);
    CHECK_FALSE(content.empty());
    if (name == "index.html" || name == "suite.json") continue;
    bool used = false;
    for (const auto& [other, text] : files)
      used = used || contains(text, "\"" + name + "\"") || contains(text, "\"./" + name + "\"");
    CHECK(used);
  }
  CHECK(contains(files.at("index.html"), "default-src 'none'"));
}

TEST_CASE("report/web: shaders are those of headway export, under every mapping") {
  const Json& tests = written().document["tests"];
  REQUIRE(tests.size() == written().suite.tests.size());
  for (std::size_t t = 0; t < tests.size(); ++t) {
    for (std::size_t m = 0; m < std::size(emit::kMappings); ++m) {
      CHECK(written().document["mappings"][m] == to_string(emit::kMappings[m]));
      const auto kernel = emit::lower(written().suite.tests[t], emit::kMappings[m], 1);
      REQUIRE(text_of(tests[t]["shaders"][m]) == emit::emit_webgpu(kernel));
    }
  }
}

TEST_CASE("report/web: conformance tests are those that pass by the tables") {
  const Json& readings = written().document["readings"];
  std::map<std::string, std::size_t> numbers;  // of tests
  for (const Json& test : written().document["tests"]) {
    numbers.emplace(test["name"], numbers.size());
  }
  std::size_t compared = 0;
  for (const auto& verdict : testing::published_verdicts()) {
    for (const Json& reading : readings) {
      if (reading["name"] != verdict.model + ":" + to_string(verdict.fairness)) continue;
      const Json& tests = reading["tests"];
      const bool is_there =
          std::find(tests.begin(), tests.end(), numbers.at(verdict.test)) != tests.end();
      REQUIRE(is_there == verdict.passes);
      ++compared;
    }
  }
  CHECK(compared == testing::published_verdicts().size());
}

TEST_CASE("report/web: a reading names those above it, and the first that is equal to it") {
  const Json& readings = written().document["readings"];
  for (std::size_t r = 0; r < readings.size(); ++r) {
    const std::size_t first = readings[r]["equal_to"];
    CHECK(first <= r);
    CHECK(readings[first]["tests"] == readings[r]["tests"]);
    for (const std::size_t above : readings[r]["above"]) {
      const Json &more = readings[above]["tests"], &fewer = readings[r]["tests"];
      CHECK(more.size() >= fewer.size());
      CHECK(std::includes(more.begin(), more.end(), fewer.begin(), fewer.end()));
    }
  }
}

TEST_CASE("report/web: tests are named as in results") {
  const auto identities = campaign::identify(written().suite);
  const Json& document = written().document;
  CHECK(document["programs"] == campaign::suite_hash(identities));
  for (std::size_t t = 0; t < identities.size(); ++t) {
    CHECK(document["tests"][t]["name"] == identities[t].name);
    CHECK(document["tests"][t]["program"] == identities[t].program);
  }
}

TEST_CASE("report/web: a suite takes little room") {
  CHECK(written().files.at("suite.json").size() < 2000 * written().suite.tests.size());
}
