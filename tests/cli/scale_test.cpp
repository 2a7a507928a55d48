// headway family, and headway check of what it writes: limits, reductions, statistics.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::CommandOptions;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::TemporaryFolder;
using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

namespace {

CommandResult family(const Arguments& arguments) {
  Arguments all = {"family"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return headway::testing::headway(all);
}

CommandResult check_text(const std::string& litmus, Arguments arguments) {
  arguments.emplace_back("-");
  return headway::testing::check(arguments, headway::testing::input(litmus));
}

std::string member(const std::string& name, int threads) {
  return family({name, "--threads", std::to_string(threads)}).out;
}

}  // namespace

TEST_CASE("cli/scale: the families are listed, and a member goes where it is told") {
  const CommandResult list = family({});
  CHECK(list.status == 0);
  CHECK(contains(list.out, "spin-mutex"));
  CHECK(contains(list.out, "flag-barrier"));
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "m.litmus").string();
  CHECK(family({"spin-mutex", "-n", "3", "-o", file}).out.empty());
  CHECK(headway::read_file(file) == member("spin-mutex", 3));
}

TEST_CASE("cli/scale: a family that is none is refused, and too many threads") {
  const CommandResult unknown = family({"spinmutex"});
  CHECK(unknown.status == 2);
  CHECK(contains(unknown.err, "spin-mutex"));
  CHECK(family({"spin-mutex", "-n", "65"}).status == 2);
  CHECK(family({"spin-mutex", "-n", "1"}).status == 2);
  const TemporaryFolder folder;
  folder.write("file", "");
  CHECK(family({"spin-mutex", "-o", (folder.path() / "file/m.litmus").string()}).status == 2);
}

TEST_CASE("cli/scale: expectations of large members are met, and symmetry is said") {
  for (const char* name : {"spin-mutex", "token-ring", "increasing-chain"}) {
    CHECK(check_text(member(name, 12), {}).status == 0);
  }
  CHECK(contains(check_text(member("spin-mutex", 12), {}).out,
                 "up to symmetry: threads 0-11 run the same code"));
  CHECK_FALSE(contains(check_text(member("spin-mutex", 12), {"--no-symmetry"}).out, "symmetry"));
}

TEST_CASE("cli/scale: reductions leave the verdicts and change the statistics") {
  const std::string test = member("spin-mutex", 8);
  const std::string verdicts = check_text(test, {"--format", "csv"}).out;
  const auto statistics = [&](const Arguments& arguments) {
    Arguments all = {"--format", "json"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    Arguments csv = {"--format", "csv"};
    csv.insert(csv.end(), arguments.begin(), arguments.end());
    if (arguments.empty() || arguments.front() != "-m")
      CHECK(check_text(test, csv).out == verdicts);
    return Json::parse(check_text(test, all).out).at(0);
  };
  CHECK(statistics({}).at("exploration").at("interchangeable") ==
        Json::parse("[[0,1,2,3,4,5,6,7]]"));
  CHECK(statistics({"--no-symmetry"}).at("states") == 23802);
  CHECK(statistics({"--no-symmetry", "--no-sleep-sets"}).at("states") == 23802);
  CHECK(statistics({"--no-layers"}).at("exploration").at("engine") == "whole");
  CHECK(statistics({"--no-layers"}).at("states") == 23802);
  // fair does not ask who has started
  CHECK(statistics({"-m", "fair", "--no-layers"}).at("states") == 1280);
  CHECK(statistics({"-m", "fair", "--no-layers", "--full-history"}).at("states") == 23802);
  const CommandResult stats = check_text(test, {"--stats", "--format", "csv", "--no-symmetry"});
  CHECK(stats.out == verdicts);
  CHECK(contains(stats.err, "states       23802 of 1 word"));
}

TEST_CASE("cli/scale: limits leave what is known") {
  const std::string test = member("flag-barrier", 12);
  const CommandResult states = check_text(test, {"--format", "csv", "--max-states", "200000"});
  CHECK(states.status == 3);
  CHECK(contains(states.out, "flag-barrier-12,HSA,weak,fail\n"));
  CHECK(contains(states.out, "flag-barrier-12,fair,weak,unknown\n"));
  CHECK(contains(states.err, "a higher --max-states may decide it"));
  const CommandResult memory = check_text(test, {"--format", "json", "--max-memory", "20MB"});
  CHECK(memory.status == 3);
  CHECK(Json::parse(memory.out).at(0).at("stopped_by") == "memory");
  CHECK(contains(memory.err, "a higher --max-memory may decide it"));
  const CommandResult time = check_text(test, {"--format", "json", "--timeout", "0.3"});
  CHECK(time.status == 3);
  CHECK(Json::parse(time.out).at(0).at("stopped_by") == "time");
  CHECK(contains(time.err, "after 0.3 s; a higher --timeout may decide it"));
}

TEST_CASE("cli/scale: an interruption leaves what is known") {
  const TemporaryFolder folder;
  folder.write("barrier.litmus", member("flag-barrier", 12));
  CommandOptions options;
  options.folder = folder.path();
  const CommandResult result = headway::testing::run_program(
      {"timeout", "--foreground", "--preserve-status", "-s", "INT", "3",
       headway::testing::headway_binary().string(), "check", "--format", "csv", "barrier.litmus"},
      options);
  CHECK(result.status == 130);
  CHECK(contains(result.out, "flag-barrier-12,fair,weak,unknown\n"));
  CHECK(contains(result.err, "interrupted: 0 of 1 tests decided"));
}

TEST_CASE("cli/scale: bad limits are refused") {
  for (const Arguments& bad : {Arguments{"--max-memory", "-1"}, Arguments{"--max-memory", "0"},
                               Arguments{"--max-memory", "much"}, Arguments{"--timeout", "0"},
                               Arguments{"--timeout", "soon"}, Arguments{"--max-states", "0"}}) {
    CHECK(check_text(member("spin-mutex", 2), bad).status == 2);
  }
}
