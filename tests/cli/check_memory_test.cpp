// headway check of programs under memory models, from outside.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::in;
using headway::testing::source_dir;
using Json = nlohmann::json;

namespace {

CommandResult asked(const std::vector<std::string>& arguments) {
  return headway::testing::headway(arguments, in(source_dir()));
}

// Verdicts by test and model, weakly fair.
using Verdicts = std::map<std::pair<std::string, std::string>, std::string>;

}  // namespace

TEST_CASE("cli/check --memory sc: idioms have the verdicts of the checker") {
  // With two threads; of three the graphs of some take minutes.
  Verdicts expected;
  const std::vector<std::string> names = {"cas-lock",
                                          "chained-scan",
                                          "chained-scan-acquired",
                                          "counter-barrier",
                                          "decoupled-fallback",
                                          "decoupled-look-back",
                                          "exchange-lock",
                                          "mcs-lock",
                                          "decoupled-look-back-acquired",
                                          "reader-writer-lock",
                                          "producer-consumer-down",
                                          "producer-consumer-two-way",
                                          "sequence-lock",
                                          "producer-consumer-up",
                                          "ticket-lock",
                                          "ttas-lock"};
  std::vector<std::string> files;
  for (const std::string& name : names) files.push_back("litmus/idioms/" + name + ".litmus");
  std::vector<std::string> by_checker = {"check", "--threads", "2",   "--fairness",
                                         "weak",  "--format",  "json"};
  std::vector<std::string> by_graphs = {"check", "--threads", "2",   "--memory",
                                        "sc",    "--format",  "json"};
  by_checker.insert(by_checker.end(), files.begin(), files.end());
  by_graphs.insert(by_graphs.end(), files.begin(), files.end());
  for (const Json& test : Json::parse(asked(by_checker).out)) {
    for (const Json& one : test.at("verdicts")) {
      expected[{test.at("test"), one.at("model")}] = one.at("verdict");
    }
  }
  const CommandResult graphs = asked(by_graphs);
  CHECK(graphs.status == 0);
  std::size_t compared = 0;
  for (const Json& test : Json::parse(graphs.out)) {
    for (const Json& one : test.at("progress")) {
      const auto key = std::pair<std::string, std::string>(test.at("test"), one.at("model"));
      CAPTURE(key.first);
      CAPTURE(key.second);
      REQUIRE(expected.contains(key));
      CHECK(one.at("verdict") == expected.at(key));
      ++compared;
    }
  }
  CHECK(compared == 6 * names.size());
}

TEST_CASE("cli/check --memory: exit status 1 where a program goes wrong or races") {
  const CommandResult races = asked({"check", "examples/memory/unlock.litmus", "--memory", "rc11"});
  CHECK(races.status == 1);
  CHECK(contains(races.out, "race"));
  const CommandResult wrong =
      asked({"check", "litmus/idioms/ticket-lock.litmus", "--threads", "2", "--memory", "rc11"});
  CHECK(wrong.status == 1);
  CHECK(contains(wrong.err,
                 "ticket-lock-2 under rc11 goes wrong: line 12, "
                 "assert(exch(busy, 1) == 0);: the assertion does not hold"));
  const CommandResult axb = asked({"check", "litmus/spin-mutex.litmus", "--memory", "rc11"});
  CHECK(axb.status == 2);
  CHECK(contains(axb.err, "no program of the idiom language"));
  const CommandResult sizes =
      asked({"check", "examples/memory/lock.litmus", "--memory", "rc11", "--threads", "2"});
  CHECK(sizes.status == 2);
}
