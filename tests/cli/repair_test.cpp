// headway repair, and headway explain of the same litmus tests, from outside.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::in;
using headway::testing::input;
using headway::testing::source_dir;
using Json = nlohmann::json;

namespace {

CommandResult ask_of(const std::vector<std::string>& arguments) {
  return headway::testing::headway(arguments, in(source_dir()));
}

}  // namespace

TEST_CASE("cli/repair: as CSV a row a choice and answer, as JSON with the executions that break") {
  const CommandResult csv = ask_of({"repair", "examples/memory/lock.litmus", "--format", "csv"});
  CHECK(csv.status == 0);
  CHECK(contains(csv.out, "order,relaxed,1,release\n"));
  CHECK(contains(csv.out, "order,acquire,1,acquire\n"));
  const CommandResult json = ask_of({"repair", "examples/memory/lock.litmus", "--format", "json"});
  CHECK(json.status == 0);
  const Json test = Json::parse(json.out).at(0);
  CHECK(test.at("as_written").at("what") == "race");
  CHECK(test.at("as_strong").is_null());
  CHECK(test.at("cut").is_null());
  const Json& weaker = test.at("answers").at(0).at("weaker");
  REQUIRE(weaker.size() == 2);
  CHECK(weaker[0].at("option") == "relaxed");
  const Json& events = weaker[0].at("breach").at("execution").at("events");
  // The initial writes, and two accesses of each thread; a read says from which event it reads.
  REQUIRE(events.size() == 6);
  CHECK(events[4].at("reads") == 1);
  CHECK(events[4].at("from") == 3);
}

TEST_CASE("cli/repair: exit status 1 where nothing is strong enough, 2 for what is no such test") {
  const CommandResult weak = ask_of({"repair", "examples/memory/lock.litmus", "--memory",
                                     "examples/memory/coherent.cat", "--format", "diff"});
  CHECK(weak.status == 1);
  CHECK(weak.out.empty());
  CHECK(contains(weak.err, "nothing is strong enough"));
  const CommandResult other = ask_of({"repair", "litmus/spin-mutex.litmus"});
  CHECK(other.status == 2);
  CHECK(contains(other.err, "has no orders and scopes to repair"));
  CHECK(ask_of({"repair", "examples/memory/lock.litmus", "--memory", "rc12"}).status == 2);
}

TEST_CASE("cli/repair: exit status 3 where something is not decided") {
  // Who adds again and again writes in its loop, and is left after a few rounds.
  const CommandResult open = headway::testing::headway(
      {"repair", "-", "-m", "fair"},
      input("C t\n{}\nP0 (atomic_int* x) { while (atomic_fetch_add_explicit(x, 1, "
            "memory_order_relaxed) != 100) {} }\nforall (true)\n"));
  CHECK(open.status == 3);
}

TEST_CASE("cli/repair: a patch changes the lines of the orders and nothing else") {
  const CommandResult diff = ask_of({"repair", "examples/memory/lock.litmus", "--format", "diff"});
  CHECK(diff.status == 0);
  CHECK(contains(diff.out, "\n@@ -7 +7 @@\n-"));
  CHECK(contains(diff.out, "memory_order_release);"));
  const CommandResult none =
      ask_of({"repair", "examples/memory/lock-release.litmus", "--format", "diff"});
  CHECK(none.status == 0);
  CHECK(none.out.empty());
}

TEST_CASE(
    "cli/repair: explain of such a test takes a memory model, and refuses what is of programs") {
  const CommandResult json =
      ask_of({"explain", "examples/memory/spin.litmus", "-m", "HSA", "--format", "json"});
  CHECK(json.status == 0);
  const Json shown = Json::parse(json.out);
  CHECK(shown.at("memory") == "opencl");
  CHECK(shown.at("model") == "HSA");
  const Json& threads = shown.at("executions").at(0).at("execution").at("threads");
  CHECK(threads == Json::array({"waits", "stops"}));
  CHECK(ask_of({"explain", "examples/memory/spin.litmus", "--threads", "3"}).status == 2);
  CHECK(ask_of({"explain", "README.md", "--memory", "rc11"}).status == 2);
  const CommandResult ends =
      ask_of({"explain", "examples/memory/spin.litmus", "-m", "OBE", "--format", "dot"});
  CHECK(ends.out.empty());
  CHECK(contains(ends.err, "there is no execution to draw"));
}
