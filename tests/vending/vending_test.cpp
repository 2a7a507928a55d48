// A language that headway does not know, registered at one place (main.cpp): whatever headway does
// with programs it does with those of this language.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "support/command.hpp"
#include "support/files.hpp"

using headway::testing::CommandResult;
using headway::testing::run_program;
using headway::testing::TemporaryFolder;
using Json = nlohmann::json;

namespace {

CommandResult vending(std::vector<std::string> arguments, const std::string& input = {}) {
  arguments.insert(arguments.begin(), HEADWAY_VENDING);
  headway::testing::CommandOptions options;
  options.input = input;
  return run_program(arguments, options);
}

// A customer waits for a cup; the machine waits for a coin and may give it back instead.
const std::string kCoffee = R"(// A machine that now and then gives the coin back.
machine "coffee"
counters coins = 0, cups = 0;
thread { coins += 1; await cups; cups -= 1; }
thread { await coins; coins -= 1; choose { cups += 1; } or { coins += 1; again; } }
expect { fail fair; }
)";

// Nobody puts a coin in.
const std::string kStuck =
    "machine \"stuck\"\ncounters coins = 0;\nthread { await coins; }\nthread { coins += 1; coins "
    "-= 1; }\n";

const std::string kHandshake =
    "machine \"handshake\"\ncounters a = 0, b = 0;\n"
    "thread { a += 1; await b; }\nthread { await a; b += 1; }\n";

// One thread too many takes a coin.
const std::string kGreedy =
    "machine \"greedy\"\ncounters coins = 1;\nthread { await coins; coins -= 1; }\n"
    "thread { await coins; coins -= 1; }\n";

// So many customers, and a machine that serves each or gives the coin back, up to so many states.
std::string crowd(int customers) {
  std::string text = "machine \"crowd\"\ncounters coins = 0, cups = 0;\n";
  for (int c = 0; c < customers; ++c) text += "thread { coins += 1; await cups; }\n";
  return text +
         "thread { await coins; coins -= 1; choose { cups += 1; } or { coins += 1; again; } }\n";
}

}  // namespace

TEST_CASE("vending/vending: check decides, and compares with expectations") {
  const CommandResult coffee = vending({"check", "--format", "csv", "-"}, kCoffee);
  CHECK(coffee.status == 0);
  CHECK(coffee.out.find("coffee,fair,weak,fail\ncoffee,fair,strong,fail\n") != std::string::npos);
  const CommandResult shake = vending({"check", "--format", "csv", "-"}, kHandshake);
  CHECK(shake.status == 0);
  CHECK(shake.out.find("fail") == std::string::npos);  // an await hands the guarantee on
  CHECK(shake.out.find("handshake,unfair,weak,pass") != std::string::npos);
  const CommandResult unmet = vending({"check", "-"}, kHandshake + "expect { fail fair; }\n");
  CHECK(unmet.status == 1);
  CHECK(unmet.err.find("expected fair:weak to fail") != std::string::npos);
}

TEST_CASE("vending/vending: a file that is wrong is told with its place") {
  const CommandResult result = vending({"check", "-"}, "machine \"x\"\ncounters a = 9;\n");
  CHECK(result.status == 2);
  CHECK(result.err.find("<stdin>:2:14") != std::string::npos);
}

TEST_CASE("vending/vending: what goes wrong is an error with a shortest execution") {
  const CommandResult result = vending({"check", "-"}, kGreedy);
  CHECK(result.status == 1);
  CHECK(result.err.find("greedy goes wrong: step 4, thread 1") != std::string::npos);
  const CommandResult why =
      vending({"explain", "--model", "fair", "--format", "json", "-"}, kGreedy);
  CHECK(Json::parse(why.out)["error"].size() == 4);
}

TEST_CASE("vending/vending: explain says who waits where everything stops") {
  const CommandResult result = vending({"explain", "--model", "fair", "-"}, kStuck);
  CHECK(result.status == 0);
  CHECK(result.out.find("an execution that gets stuck") != std::string::npos);
  CHECK(result.out.find("waits: await coins;") != std::string::npos);
  CHECK(result.out.find("Thread 0 waits for ever") != std::string::npos);
  const Json json =
      Json::parse(vending({"explain", "--model", "fair", "--format", "json", "-"}, kStuck).out);
  CHECK(json["witness"]["stuck"]["waiting"] == Json::array({0}));
  CHECK(json["witness"]["stem"].size() == 2);
}

TEST_CASE("vending/vending: explain shows the choices of a cycle that goes on for ever") {
  const Json json =
      Json::parse(vending({"explain", "--model", "fair", "--format", "json", "-"}, kCoffee).out);
  REQUIRE(json["verdict"] == "fail");
  bool chosen = false;
  for (const Json& step : json["witness"]["cycle"]) {
    chosen = chosen || (step.contains("choice") && step["choice"] == 1);
  }
  CHECK(chosen);
  const CommandResult passes = vending({"explain", "--model", "fair", "-"}, kHandshake);
  CHECK(passes.out.find("every execution terminates, fair or not") != std::string::npos);
}

TEST_CASE("vending/vending: lts writes its transition system, and reduces it") {
  const CommandResult aut = vending({"lts", "-"}, kCoffee);
  CHECK(aut.status == 0);
  CHECK(aut.out.starts_with("des (0, "));
  const CommandResult json = vending({"lts", "--format", "json", "--model", "fair", "-"}, kCoffee);
  CHECK(Json::parse(json.out)["states"].size() > 5);
  const CommandResult events =
      vending({"lts", "--view", "events", "--reduce", "--model", "OBE", "-"}, kCoffee);
  CHECK(events.status == 0);
  CHECK(events.out.find("TERMINATE !0") != std::string::npos);
}

TEST_CASE("vending/vending: residency counts its threads") {
  const CommandResult result = vending({"residency", "--format", "csv", "-"}, kHandshake);
  CHECK(result.status == 0);
  CHECK(result.out.find("weak") != std::string::npos);
}

TEST_CASE("vending/vending: a report shows its tests and their verdicts") {
  const TemporaryFolder folder;
  folder.write("coffee.litmus", kCoffee);
  folder.write("handshake.litmus", kHandshake);
  const auto page = (folder.path() / "page.html").string();
  const CommandResult result = vending({"report", folder.path().string(), "-o", page});
  CHECK(result.status == 0);
  CHECK(result.err.find("2 tests written") != std::string::npos);
  const std::string html = headway::read_file(page, 100'000'000);
  CHECK(html.find("await coins; coins -= 1;") != std::string::npos);
}

TEST_CASE("vending/vending: limits stop it, and what is decided does not depend on the way") {
  const std::string large = crowd(7);
  const CommandResult stopped = vending({"check", "--max-states", "100", "-"}, large);
  CHECK(stopped.status == 3);
  CHECK(stopped.err.find("unknown") != std::string::npos);
  const CommandResult swept =
      vending({"check", "--format", "csv", "--stats", "--no-early-stop", "-"}, large);
  CHECK(swept.status == 0);
  CHECK(swept.err.find("none, as its language has no step tables") != std::string::npos);
  const CommandResult whole = vending({"check", "--format", "csv", "--no-layers", "-"}, large);
  CHECK(whole.out == swept.out);
  CHECK(whole.out.find("unknown") == std::string::npos);
}

TEST_CASE("vending/vending: what is for other languages says so") {
  const CommandResult reduced = vending({"reduce", "-"}, kCoffee);
  CHECK(reduced.status == 2);
  CHECK(reduced.err.find("coffee is a program of the vending language") != std::string::npos);
  const TemporaryFolder folder;
  folder.write("coffee.litmus", kCoffee);
  const CommandResult exported = vending(
      {"export", folder.path().string(), "-t", "cpp", "-o", (folder.path() / "out").string()});
  CHECK(exported.status == 2);
  CHECK(exported.err.find("written in the vending language") != std::string::npos);
}
