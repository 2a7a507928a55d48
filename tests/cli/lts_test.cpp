// headway lts, from outside.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::check_refused;
using headway::testing::CommandOptions;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::in;
using headway::testing::source_dir;
using headway::testing::TemporaryFolder;
using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

namespace {

CommandResult lts(const Arguments& arguments, const CommandOptions& options = in(source_dir())) {
  Arguments all = {"lts"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return headway::testing::headway(all, options);
}

const std::string kMutex = "litmus/spin-mutex.litmus";

int marked(const std::string& text) {
  int count = 0;
  const Json json = Json::parse(text);
  for (const Json& state : json["states"]) count += state["on_fair_cycle"].get<bool>() ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("cli/lts: the default is .aut without a model") {
  const CommandResult result = lts({kMutex});
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  CHECK(result.out.starts_with("des (0, 10, 8)\n(0, \"STEP !0\", 1)\n"));
  CHECK(lts({kMutex, "--format", "aut", "--view", "steps"}).out == result.out);
  CHECK(lts({kMutex, "-m", "HSA"}).out.starts_with("des (0, 10, 8)\n(0, \"STEP !0 !{0}\", 1)\n"));
}

TEST_CASE("cli/lts: labels may say the instruction") {
  const CommandResult mutex = lts({kMutex, "--labels", "instruction", "-m", "HSA"});
  CHECK(mutex.out.starts_with("des (0, 10, 8)\n(0, \"STEP !0 !AXB(m, 1, 0, true, 1) !{0}\", 1)\n"));
  CHECK(contains(mutex.out, "!AXB(m, 0, END, true, 0)"));
  CHECK(contains(lts({kMutex, "--labels", "instruction", "--view", "events"}).out,
                 "\"STEP !1 !AXB(m, 1, 0, true, 1)\""));
  CHECK(contains(lts({"litmus/idioms/cas-lock.litmus", "-n", "2", "--labels", "instruction"}).out,
                 "\"STEP !0 !while (cas("));
}

TEST_CASE("cli/lts: automata and formulas are of a model and of plain launches") {
  CHECK(lts({kMutex, "-m", "OBE", "--format", "hoa"}).out.starts_with("HOA: v1\n"));
  CHECK(contains(lts({kMutex, "-m", "OBE", "--format", "mcl", "-f", "strong"}).out, "nu X . ("));
  check_refused(lts({kMutex, "--format", "hoa"}), "--format hoa goes with --model");
  check_refused(lts({kMutex, "-m", "OBE", "--format", "mcl", "--view", "events"}),
                "expected no --view events");
  check_refused(lts({"litmus/scoped/mp-groupid.litmus", "-m", "OBE", "--format", "hoa"}),
                "is for workgroups of one thread without fair choices");
}

TEST_CASE("cli/lts: the reduced event view of the spin mutex has the published size") {
  const std::map<std::string, std::string> headings = {
      {"HSA", "des (0, 24, 17)"},       {"models/events/hsa.yaml", "des (0, 24, 17)"},
      {"OBE", "des (0, 34, 23)"},       {"models/events/obe.yaml", "des (0, 34, 23)"},
      {"HSA+OBE", "des (0, 28, 19)"},   {"models/events/hsa_obe.yaml", "des (0, 28, 19)"},
      {"LOBE", "des (0, 29, 20)"},      {"models/events/lobe.yaml", "des (0, 29, 20)"},
      {"unfair", "des (0, 24, 17)"},    {"models/events/unfair.yaml", "des (0, 24, 17)"},
      {"fair", "des (0, 24, 17)"},      {"models/events/fair.yaml", "des (0, 24, 17)"},
      {"OBE-k(k=0)", "des (0, 34, 23)"}};
  for (const auto& expected : headings) {
    const std::string& model = expected.first;
    const CommandResult result =
        lts({kMutex, "--model", model, "--view", "events", "--reduce", "--format", "aut"});
    CAPTURE(model);
    CHECK(result.status == 0);
    CHECK(result.out.starts_with(expected.second + "\n"));
    CHECK(contains(result.out, "\"ALLDONE\""));
    CHECK(contains(result.out, "\"exit\""));
    CHECK(contains(result.out, "\"TERMINATE !0\""));
  }
}

TEST_CASE("cli/lts: JSON marks the states on fair cycles of the chosen fairness") {
  const std::string philosophers = "litmus/philosophers-livelock.litmus";
  const auto json = [&](const std::string& fairness) {
    return lts({philosophers, "-m", "fair", "-f", fairness, "--format", "json"}).out;
  };
  CHECK(marked(json("weak")) > 0);
  CHECK(marked(json("strong")) == 0);
  CHECK(lts({philosophers, "-m", "fair", "--format", "json"}).out == json("weak"));
  const Json without = Json::parse(lts({philosophers, "--format", "json"}).out);
  CHECK_FALSE(without["states"][0].contains("on_fair_cycle"));
  CHECK_FALSE(without["states"][0].contains("fair"));
  CHECK(without["transitions"][0]["label"] == "STEP !0");
}

TEST_CASE("cli/lts: DOT shows fair cycles in red") {
  const std::string text = lts({kMutex, "--model", "HSA", "--format", "dot"}).out;
  CHECK(text.starts_with("digraph lts {\n"));
  CHECK(text.ends_with("}\n"));
  CHECK(contains(text, "color=red, fontcolor=red"));
  CHECK_FALSE(contains(lts({kMutex, "--model", "OBE", "--format", "dot"}).out, "red"));
}

TEST_CASE("cli/lts: Graphviz draws every view where it is there") {
  if (headway::testing::run_program({"sh", "-c", "command -v dot"}, {}).status != 0) return;
  for (const Arguments& more :
       {Arguments{}, Arguments{"-m", "HSA"}, Arguments{"-m", "LOBE", "--view", "events"},
        Arguments{"-m", "models/events/obe.yaml", "--reduce"}}) {
    Arguments arguments = {kMutex, "--format", "dot"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    CommandOptions options;
    options.input = lts(arguments).out;
    const CommandResult drawn = headway::testing::run_program({"dot", "-Tsvg"}, options);
    CHECK(drawn.status == 0);
    CHECK(drawn.err.empty());
    CHECK(contains(drawn.out, "</svg>"));
  }
}

TEST_CASE("cli/lts: standard input and files of models") {
  CommandOptions options;
  options.input = "locations m;\nthread 0 { m = 1; }\n";
  CHECK(lts({"-"}, options).out == "des (0, 1, 2)\n(0, \"STEP !0\", 1)\n");
  const TemporaryFolder folder;
  const auto mine = folder.write("mine.yaml", "name: mine\nparams: {k: 0}\nfair: lowest(k, alive)");
  CHECK(lts({"-", "-m", mine.string()}, options).out == "des (0, 1, 2)\n(0, \"STEP !0 !{}\", 1)\n");
  CHECK(lts({"-", "-m", mine.string() + "(k=1)"}, options).out ==
        "des (0, 1, 2)\n(0, \"STEP !0 !{0}\", 1)\n");
  const CommandResult limited = lts({"-", "--max-states", "1"}, options);
  CHECK(limited.status == 3);
  CHECK(limited.err == "<stdin>: more than 1 states; a higher --max-states may do\n");
}

TEST_CASE("cli/lts: a limit writes nothing and makes the status 3") {
  for (const char* view : {"steps", "events"}) {
    for (const char* model : {"HSA", "models/events/hsa.yaml"}) {
      const CommandResult result = lts({kMutex, "--view", view, "-m", model, "--max-states", "5"});
      CHECK(result.status == 3);
      CHECK(result.out.empty());
      CHECK(result.err == kMutex + ": more than 5 states; a higher --max-states may do\n");
    }
  }
  CHECK(lts({kMutex, "--max-states", "8"}).status == 0);
  CHECK(lts({kMutex, "--max-states", "7"}).status == 3);
}

TEST_CASE("cli/lts: what is wrong is refused with status 2") {
  check_refused(lts({}), "TEST");
  check_refused(lts({kMutex, "-m", "HSB"}), "unknown model 'HSB'");
  check_refused(lts({kMutex, "-m", "none.yaml"}), "none.yaml: cannot open");
  check_refused(lts({kMutex, "--format", "svg"}), "--format");
  check_refused(lts({kMutex, "--view", "states"}), "--view");
  check_refused(lts({kMutex, "-f", "both"}), "--fairness");
  check_refused(lts({kMutex, "--max-states", "-1"}), "--max-states");
  check_refused(lts({"litmus/none.litmus"}), "litmus/none.litmus: cannot open");
  check_refused(lts({"README.md"}), "README.md:1:1: ");
}
