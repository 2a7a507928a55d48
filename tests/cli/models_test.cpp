// headway models, from outside.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/file.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/texts.hpp"

using headway::read_file;
using headway::testing::check_refused;
using headway::testing::CommandOptions;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::in;
using headway::testing::lines_of;
using headway::testing::source_dir;
using headway::testing::TemporaryFolder;
using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

namespace {

CommandResult models(const Arguments& arguments, const CommandOptions& options = {}) {
  Arguments all = {"models"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return headway::testing::headway(all, options);
}

}  // namespace

TEST_CASE("cli/models: list shows all built-in models in order") {
  const CommandResult result = models({"list"});
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  const auto lines = lines_of(result.out);
  const std::vector<std::string> names = {"unfair", "HSA",  "OBE",        "HSA+OBE",
                                          "LOBE",   "fair", "HSA-k(k=2)", "OBE-k(k=2)"};
  REQUIRE(lines.size() > 1 + names.size());
  CHECK(lines[0].starts_with("model "));
  for (std::size_t l = 0; l < names.size(); ++l) CHECK(lines[l + 1].starts_with(names[l] + " "));
  CHECK(contains(lines[3], "  started & alive  "));
  CHECK(lines[3].ends_with("  occupancy-bound execution, every thread that has started"));
}

TEST_CASE("cli/models: show prints a model file that can be read again") {
  const TemporaryFolder folder;
  const std::map<std::string, std::string> files = {
      {"unfair", "unfair"}, {"HSA", "hsa"},   {"OBE", "obe"},     {"HSA+OBE", "hsa_obe"},
      {"LOBE", "lobe"},     {"fair", "fair"}, {"HSA-k", "hsa-k"}, {"OBE-k", "obe-k"}};
  for (const auto& [name, file] : files) {
    const std::string content = read_file(source_dir() / "models" / (file + ".yaml"));
    const CommandResult result = models({"show", name});
    CHECK(result.status == 0);
    const bool family = name.ends_with("-k");
    CHECK(result.out == "# " + name + (family ? "(k=2)" : "") + "\n" + content);
    // A model file has a name of its own, so the copy gets another.
    std::string copy = result.out;
    copy.replace(copy.find("name: "), 6, "name: my-");
    const auto path = folder.write(file + ".yaml", copy);
    const CommandResult again = models({"show", path.string()});
    CHECK(again.status == 0);
    CHECK(again.out == "# my-" + name + (family ? "(k=2)" : "") + "\n" + copy);
  }
  CHECK(models({"show", "OBE-k(k=3)"}).out.starts_with("# OBE-k(k=3)\nname: OBE-k\n"));
  // A model for each level becomes a file that says the same.
  const std::string levels = models({"show", "workgroup=OBE-k(k=3),thread=unfair"}).out;
  CHECK(contains(levels, "# thread: F = {}\n"));
  const auto scoped = folder.write("scoped.yaml", levels);
  const CommandResult compared = models({"compare", "--launch", "2x2", scoped.string(),
                                         "workgroup=OBE-k(k=3),thread=unfair", "--format", "json"});
  CHECK(compared.status == 0);
  CHECK(contains(compared.out, "\"equal\""));
  const auto path = folder.write("bare.yaml", "name: bare\nfair: alive");
  CHECK(models({"show", path.string()}).out == "# bare\nname: bare\nfair: alive\n");
  CHECK(models({"show", (source_dir() / "models/events/obe.yaml").string()})
            .out.starts_with("# OBE-events\nname: OBE-events\n"));
}

TEST_CASE("cli/models: what is wrong is refused with status 2") {
  check_refused(models({}), "expected a command behind 'headway models': list, show or compare");
  check_refused(models({"show"}), "MODEL");
  check_refused(models({"show", "obee"}), "unknown model 'obee'; expected unfair, HSA, OBE");
  CHECK(models({"show", "obe"}).out == models({"show", "OBE"}).out);
  check_refused(models({"show", "OBE-k(j=1)"}), "model OBE-k has no parameter 'j'");
  check_refused(models({"show", "OBE-k(k=1"}), "expected ')'");
  check_refused(models({"show", "nowhere/x.yaml"}), "nowhere/x.yaml: cannot open");
  check_refused(models({"compare", "HSA", "nothing"}), "unknown model 'nothing'");
  check_refused(models({"compare", "--threads", "0"}), "--threads");
  check_refused(models({"compare", "--threads", "11"}), "--threads");
  check_refused(models({"compare", "--threads", "two"}), "--threads");
  check_refused(models({"compare", "--histories", "some"}), "--histories");
  check_refused(models({"compare", "--format", "csv"}), "--format");
  check_refused(models({"compare", "--model", "HSA"}), "--model");
  check_refused(models({"compare", "--memory", "sc"}), "compares two memory models");
  check_refused(models({"compare", "--memory", "sc", "tso", "--threads", "2"}), "--threads");
  check_refused(models({"compare", "--memory", "ptx", "vulkan"}), "expected --language");
  check_refused(models({"compare", "--memory", "sc", "tsoo"}), "unknown memory model 'tsoo'");
  check_refused(models({"frobnicate"}), "unknown command 'frobnicate' behind 'headway models'");
  const TemporaryFolder folder;
  const auto wrong = folder.write("wrong.yaml", "name: wrong\nfair: \"started + alive\"\n");
  check_refused(models({"compare", "HSA", wrong.string()}),
                wrong.string() +
                    ":2:16: expected '|', '&', '-' or the end of the expression, found '+'\n"
                    "  fair: \"started + alive\"\n"
                    "                 ^\n");
}

TEST_CASE("cli/models: compare of memory models finds a test, as JSON too") {
  const CommandResult result =
      models({"compare", "--memory", "sc", "ptx6", "-k", "3", "--format", "json"});
  CHECK(result.status == 0);
  const auto json = nlohmann::json::parse(result.out);
  CHECK(json.at("only_first").is_null());
  CHECK(json.at("only_second").at("statements") == 3);
  CHECK(json.at("language") == "PTX");
}

TEST_CASE("cli/models: compare takes the standard models and three threads") {
  const CommandResult result = models({"compare"});
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  CHECK(result.out.starts_with("order of the models for 3 threads, over the histories that recur"));
  CHECK(contains(result.out, "\nHSA+OBE  >       >    >    =        <     <\n"));
  CHECK(models({"compare", "-n", "3"}).out == result.out);
  const Json json = Json::parse(models({"compare", "--format", "json"}).out);
  CHECK(json["models"] == Json{"unfair", "HSA", "OBE", "HSA+OBE", "LOBE", "fair"});
  CHECK(json["threads"] == 3);
  CHECK(json["histories"] == "recurring");
  CHECK_FALSE(json.contains("tests"));
}

TEST_CASE("cli/models: compare takes names and parameters and files") {
  const TemporaryFolder folder;
  const auto mine = folder.write("mine.yaml", "name: mine\nparams: {k: 1}\nfair: lowest(k, ready)");
  const CommandResult result =
      models({"compare", "HSA", mine.string(), mine.string() + "(k=2)", "HSA-k", "HSA", "--threads",
              "4", "--histories", "all", "--format", "json"});
  CHECK(result.status == 0);
  const Json json = Json::parse(result.out);
  // A model that is named twice is compared once.
  CHECK(json["models"] == Json{"HSA", "mine(k=1)", "mine(k=2)", "HSA-k(k=2)"});
  CHECK(json["threads"] == 4);
  CHECK(json["histories"] == "all");
  std::map<std::pair<std::string, std::string>, std::string> relations;
  for (const Json& relation : json["relations"]) {
    relations[{relation["first"], relation["second"]}] = relation["relation"];
  }
  CHECK(relations[{"HSA", "mine(k=1)"}] == "equal");
  CHECK(relations[{"HSA", "mine(k=2)"}] == "below");
  CHECK(relations[{"mine(k=2)", "HSA-k(k=2)"}] == "equal");
}

TEST_CASE("cli/models: event forms are equal to set forms") {
  const Json json =
      Json::parse(models({"compare", "unfair", "HSA", "OBE", "HSA+OBE", "LOBE", "fair",
                          "models/events/unfair.yaml", "models/events/hsa.yaml",
                          "models/events/obe.yaml", "models/events/hsa_obe.yaml",
                          "models/events/lobe.yaml", "models/events/fair.yaml", "--format", "json"},
                         in(source_dir()))
                      .out);
  int equal = 0;
  for (const Json& relation : json["relations"]) {
    const std::string first = relation["first"], second = relation["second"];
    CHECK((relation["relation"] == "equal") == (second == first + "-events"));
    equal += relation["relation"] == "equal" ? 1 : 0;
  }
  CHECK(equal == 6);
}

TEST_CASE("cli/models: a suite shows smallest tests that tell models apart") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "litmus");
  for (const std::string& file : headway::testing::litmus_files()) {
    std::filesystem::copy_file(source_dir() / file, folder.path() / file);
  }
  const CommandResult result = models(
      {"compare", "--threads", "3", "--suite", "litmus", "--format", "json"}, in(folder.path()));
  CHECK(result.status == 0);
  const Json json = Json::parse(result.out);
  const Json checked = Json::parse(
      headway::testing::headway({"check", "litmus", "--format", "json"}, in(folder.path())).out);
  // The size of each test, and its verdicts by model and fairness.
  std::map<std::string, std::pair<int, int>> size;
  std::map<std::string, std::map<std::pair<std::string, std::string>, bool>> passes;
  for (const Json& test : checked) {
    size[test["test"]] = {test["threads"], test["instructions"]};
    for (const Json& verdict : test["verdicts"]) {
      passes[test["test"]][{verdict["model"], verdict["fairness"]}] = verdict["verdict"] == "pass";
    }
  }
  std::map<std::tuple<std::string, std::string, std::string>, std::string> found;
  for (const Json& test : json["tests"]) {
    CHECK(test["file"] == "litmus/" + test["test"].get<std::string>() + ".litmus");
    CHECK(found.emplace(std::tuple(test["passes"], test["fails"], test["fairness"]), test["test"])
              .second);
  }
  int pairs = 0;
  for (const Json& a : json["models"]) {
    for (const Json& b : json["models"]) {
      for (const std::string fairness : {"weak", "strong"}) {
        std::set<std::pair<int, int>> sizes;  // of all tests that tell a and b apart
        for (const auto& [test, verdicts] : passes) {
          if (verdicts.at({a, fairness}) && !verdicts.at({b, fairness})) sizes.insert(size[test]);
        }
        const auto shown = found.find({a, b, fairness});
        CHECK((shown == found.end()) == sizes.empty());
        if (shown == found.end()) continue;
        ++pairs;
        CHECK(passes[shown->second].at({a, fairness}));
        CHECK_FALSE(passes[shown->second].at({b, fairness}));
        CHECK(size[shown->second] == *sizes.begin());
      }
    }
  }
  CHECK(pairs == static_cast<int>(found.size()));
  CHECK(pairs > 20);
  CHECK(contains(models({"compare", "--suite", "litmus", "HSA+OBE", "LOBE"}, in(folder.path())).out,
                 "LOBE:weak    HSA+OBE:weak    middle-thread\n"));
}

TEST_CASE("cli/models: bad tests of a suite are shown and the others used") {
  const TemporaryFolder folder;
  folder.write("a.litmus", "locations m;\nthread 0 { m = 1; }\nthread 1 { while (Load(m) == 0); }");
  folder.write("b.litmus", "locations m;\nthread 0 { m = 2 }\n");
  const CommandResult result = models({"compare", "HSA", "OBE", "--suite", folder.path().string()});
  CHECK(result.status == 2);
  CHECK(contains(result.out, "HSA:weak    OBE:weak    a\n"));
  CHECK(contains(result.err, "b.litmus:2:"));
  const CommandResult missing = models({"compare", "--suite", (folder.path() / "none").string()});
  CHECK(missing.status == 2);
  CHECK(contains(missing.out, "No test of the suite tells these models apart."));
  CHECK(contains(missing.err, "none: cannot open"));
}

TEST_CASE("cli/models: Graphviz draws the diagram where it is there") {
  for (const Arguments& more : {Arguments{}, Arguments{"HSA-k(k=3)", "OBE-k", "HSA"}}) {
    Arguments arguments = {"compare", "--format", "dot"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult dot = models(arguments);
    CHECK(dot.status == 0);
    CHECK(dot.out.starts_with("digraph models {\n"));
    CHECK(dot.out.ends_with("}\n"));
    CommandOptions options;
    options.input = dot.out;
    if (headway::testing::run_program({"sh", "-c", "command -v dot"}, {}).status != 0) continue;
    const CommandResult drawn = headway::testing::run_program({"dot", "-Tsvg"}, options);
    CHECK(drawn.status == 0);
    CHECK(drawn.err.empty());
    CHECK(contains(drawn.out, "</svg>"));
  }
}

TEST_CASE("cli/models: memory models are listed with what they are written after, and shown") {
  const CommandResult listed = models({"list"});
  const CommandResult shown = models({"show", "--memory", "rc11"});
  CHECK(shown.status == 0);
  CHECK(shown.out == read_file(source_dir() / "models/memory/rc11.cat"));
  for (const char* name : {"c11", "opencl", "ptx", "ptx6", "rc11", "sc", "tso", "vulkan"}) {
    CHECK(contains(listed.out, std::string("\n") + name + " "));
  }
  CHECK(contains(listed.out,
                 "Lahav, Vafeiadis, Kang, Hur, Dreyer, \"Repairing sequential consistency in "
                 "C/C++11\", PLDI 2017, section 3\n"));
  check_refused(models({"show", "--memory", "OBE"}), "unknown memory model 'OBE'; expected c11");
}
