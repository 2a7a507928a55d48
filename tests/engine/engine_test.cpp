// The engine against the command line: what it answers is what headway prints.
#include "engine/engine.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/file.hpp"
#include "support/command.hpp"
#include "support/files.hpp"

using headway::testing::CommandResult;
using headway::testing::source_dir;
using Json = nlohmann::ordered_json;

namespace {

Json ask(const Json& request) { return Json::parse(headway::engine::answer(request.dump())); }

// How long it took is for the machine to say.
std::string steady(const std::string& text) {
  static const std::regex numbers("\"(seconds|memory)\": [0-9.e+-]+");
  return std::regex_replace(text, numbers, "\"$1\": 0");
}

void same(const std::vector<std::string>& arguments, const Json& request) {
  CAPTURE(request.value("command", ""));
  CAPTURE(request.value("file", ""));
  const CommandResult expected =
      headway::testing::headway(arguments, headway::testing::in(source_dir()));
  const Json found = ask(request);
  CHECK(found["status"] == expected.status);
  CHECK(steady(found["output"]) == steady(expected.out));
}

std::string content(const std::string& file) { return headway::read_file(source_dir() / file); }

std::string first_text(const Json& answer) {
  return answer["messages"].empty() ? "" : answer["messages"][0]["text"].get<std::string>();
}

}  // namespace

TEST_CASE("engine/engine: verdicts are those of headway check, byte for byte") {
  for (const char* folder : {"litmus", "litmus/idioms", "litmus/scoped"}) {
    for (const auto& entry : std::filesystem::directory_iterator(source_dir() / folder)) {
      if (entry.path().extension() != ".litmus") continue;
      const std::string file = std::string(folder) + "/" + entry.path().filename().string();
      same({"check", "-j", "1", "--format", "json", "--max-states", "50000", file},
           {{"command", "check"}, {"file", file}, {"text", content(file)}, {"max_states", 50000}});
    }
  }
}

TEST_CASE("engine/engine: so are explanations, transition systems, residency and orders") {
  for (const std::string file : {"litmus/spin-mutex.litmus", "litmus/scoped/mp-groupid.litmus"}) {
    for (const std::string model : {"HSA", "OBE", "CUDA", "workgroup=HSA"}) {
      for (const std::string fairness : {"weak", "strong"}) {
        const Json request = {
            {"file", file}, {"text", content(file)}, {"models", {model}}, {"fairness", fairness}};
        for (const std::string command : {"explain", "lts"}) {
          Json asked = request;
          asked["command"] = command;
          same({command, "-m", model, "--fairness", fairness, "--format", "json", file}, asked);
        }
      }
    }
  }
  const std::string barrier = "litmus/idioms/counter-barrier.litmus";
  same({"residency", "--format", "json", "--threads", "2,3", barrier}, {{"command", "residency"},
                                                                        {"file", barrier},
                                                                        {"text", content(barrier)},
                                                                        {"threads", "2,3"}});
  same({"models", "compare", "--format", "json", "--launch", "2x2", "CUDA", "models/hip.yaml"},
       {{"command", "compare"},
        {"launch", "2x2"},
        {"models", {"CUDA", "models/hip.yaml"}},
        {"files", {{"models/hip.yaml", content("models/hip.yaml")}}}});
}

TEST_CASE("engine/engine: what is wrong with a text has its place") {
  const Json answer = ask({{"command", "check"}, {"text", "locations x;\nthread 0 { x = ; }\n"}});
  CHECK(answer["status"] == 2);
  REQUIRE(answer["messages"].size() == 1);
  CHECK(answer["messages"][0]["kind"] == "error");
  CHECK(answer["messages"][0]["file"] == "<stdin>");
  CHECK(answer["messages"][0]["line"] == 2);
  CHECK(answer["messages"][0]["column"] == 16);
  const Json model = ask({{"command", "models"}, {"files", {{"own.yaml", "name: m\nfare: x\n"}}}});
  CHECK(model["status"] == 2);
  CHECK(model["messages"][0]["line"] == 2);
}

TEST_CASE("engine/engine: what is wrong with a request is said") {
  const auto refused = [](const Json& request, const std::string& why) {
    const Json answer = ask(request);
    CHECK(answer["status"] == 2);
    CHECK(first_text(answer) == why);
    CHECK(answer["output"] == "");
  };
  refused(Json::array(), "request: expected an object of JSON");
  refused({{"command", "run"}},
          "request: expected check, explain, lts, residency, compare, models, system as "
          "'command', found 'run'");
  refused({{"command", "check"}, {"text", 3}}, "request: expected a text as 'text'");
  refused({{"command", "check"}, {"models", "HSA"}},
          "request: expected a list of texts as 'models'");
  refused({{"command", "check"}, {"timeout", -1}},
          "request: expected a number above 0 as 'timeout', at most 1000000000");
  refused({{"command", "explain"}, {"text", ""}}, "request: expected one model in 'models'");
  refused({{"command", "check"}, {"models", {"x.yaml"}}, {"text", "locations x;"}},
          "there is no such file; expected one of 'files'");
  CHECK(Json::parse(headway::engine::answer("{"))["status"] == 2);
}

TEST_CASE("engine/engine: limits leave verdicts unknown, and a wish to stop ends it") {
  const std::string file = "litmus/idioms/chase-lev-deque.litmus";
  Json request = {{"command", "check"}, {"file", file}, {"text", content(file)}};
  request["threads"] = "4";
  request["max_states"] = 100;
  const Json limited = ask(request);
  CHECK(limited["status"] == 3);
  CHECK(limited["messages"][0]["kind"] == "limit");
  CHECK(limited["output"].get<std::string>().find("\"unknown\"") != std::string::npos);
  request.erase("max_states");
  request["timeout"] = 0.001;
  CHECK(ask(request)["status"] == 3);
  request.erase("timeout");
  const std::atomic<bool> stop{true};
  CHECK(Json::parse(headway::engine::answer(request.dump(), &stop))["status"] == 130);
}

TEST_CASE("engine/engine: what a page draws has the way of the witness in it") {
  const Json answer = ask(
      {{"command", "system"}, {"text", content("litmus/spin-mutex.litmus")}, {"models", {"HSA"}}});
  const Json system = Json::parse(answer["output"].get<std::string>());
  CHECK(system["verdict"] == "fail");
  CHECK(system["graph"]["states"].size() == 8);
  CHECK(system["steps"] == Json({1, 0}));
  CHECK(system["stem"] == 1);
  REQUIRE(system["path"].size() == 3);
  CHECK(system["path"][1] == system["path"][2]);
  CHECK(system["summary"] ==
        "Thread 1 is starved: never scheduled again, while thread 0 loops for ever.");
}
