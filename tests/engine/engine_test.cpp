// The engine against the command line: what it answers is what headway prints.
#include "engine/engine.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "base/file.hpp"
#include "base/parallel.hpp"
#include "support/budget.hpp"
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
  const headway::CoreLimit one_core(1);  // with several it is chance how far a limit lets them come
  for (const char* folder : {"litmus", "litmus/idioms", "litmus/scoped"}) {
    std::set<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(source_dir() / folder)) {
      if (entry.path().extension() != ".litmus") continue;
      files.insert(std::string(folder) + "/" + entry.path().filename().string());
    }
    int number = 0;
    for (const std::string& file : files) {
      if (number++ % headway::testing::kShare != 0) continue;
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
  for (const std::string name : {"ttas-lock", "counter-barrier", "chained-scan"}) {
    const std::string file = "litmus/idioms/" + name + ".litmus";
    same({"check", "--threads", "any", "--format", "json", "-m", "OBE", file},
         {{"command", "check"},
          {"file", file},
          {"text", content(file)},
          {"models", {"OBE"}},
          {"threads", "any"}});
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
          "request: expected check, explain, lts, residency, compare, models, show as "
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

TEST_CASE("engine/engine: what a page shows has the way of the witness in it") {
  const Json answer = ask(
      {{"command", "show"}, {"text", content("litmus/spin-mutex.litmus")}, {"models", {"HSA"}}});
  const Json shown = Json::parse(answer["output"].get<std::string>());
  CHECK(shown["verdict"] == "fail");
  CHECK(shown["graph"]["states"].size() == 8);
  CHECK(shown["run"]["steps"][0][0] == 1);
  CHECK(shown["run"]["steps"][1][0] == 0);
  CHECK(shown["run"]["stem"] == 1);
  REQUIRE(shown["path"].size() == 3);
  CHECK(shown["path"][1] == shown["path"][2]);
  CHECK(shown["reading"]["sets"] == Json{{shown["path"][1]}});
  CHECK(shown["run"]["summary"] ==
        "Thread 1 is starved: never scheduled again, while thread 0 loops for ever.");
  CHECK(shown["reasons"].is_null());
}

TEST_CASE("engine/engine: of a pass a page shows why each cycle is left, and where") {
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "litmus")) {
    if (entry.path().extension() != ".litmus") continue;
    CAPTURE(entry.path().string());
    for (const std::string model : {"OBE", "LOBE"}) {
      for (const std::string fairness : {"weak", "strong"}) {
        const Json request = {{"text", headway::read_file(entry.path())},
                              {"models", {model}},
                              {"fairness", fairness}};
        Json asked = request;
        asked["command"] = "show";
        const Json shown = Json::parse(ask(asked)["output"].get<std::string>());
        asked["command"] = "explain";
        const Json explained = Json::parse(ask(asked)["output"].get<std::string>());
        REQUIRE(shown["verdict"] == explained["verdict"]);
        if (shown["verdict"] != "pass") continue;
        const Json& broken = explained["broken_cycles"];
        const Json& reasons = shown["reasons"];
        REQUIRE(reasons["cycles"].size() + reasons["more"].get<std::size_t>() == broken.size());
        for (std::size_t c = 0; c < reasons["cycles"].size(); ++c) {
          const Json& reason = reasons["cycles"][c];
          const std::string sentence = reason[0];
          CHECK(sentence.find(broken[c]["way_out"]["statement"].get<std::string>()) !=
                std::string::npos);
          REQUIRE(reason[1].is_number());
          const Json& state = shown["graph"]["states"][reason[1].get<std::size_t>()];
          CHECK(shown["texts"][state[0].get<std::size_t>()] == broken[c]["at"]["memory"]);
        }
      }
    }
  }
}

TEST_CASE("engine/engine: places tell statements of one line apart, and say who has started") {
  const Json answer =
      ask({{"command", "show"},
           {"models", {"OBE"}},
           {"text",
            "locations m; thread 0 { while (Exch(m, 1) == 1); m = 0; }\nthread 1 {\n"
            "while (Exch(m, 1) == 1);\nm = 0; }"}});
  const Json shown = Json::parse(answer["output"].get<std::string>());
  std::set<std::string> places;
  for (const Json& state : shown["graph"]["states"]) {
    for (const Json& place : state[2]) places.insert(place.dump());
  }
  CHECK(places == std::set<std::string>{"\"1a\"", "\"1b\"", "3", "4", "0"});
  CHECK(shown["reading"]["started"][0] == 0);
  Json asked = {
      {"command", "show"}, {"models", {"mine"}}, {"text", content("litmus/spin-mutex.litmus")}};
  asked["files"] = {{"m.yaml", "name: mine\nfair: lowest(ready)\n"}};
  const Json own = Json::parse(ask(asked)["output"].get<std::string>());
  CHECK(own["verdict"] == "fail");
  CHECK_FALSE(own["reading"].contains("started"));
}
