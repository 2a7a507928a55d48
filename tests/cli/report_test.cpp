// headway report, from outside; tests/e2e opens what it writes.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/flags.hpp"

using headway::read_file;
using headway::testing::CommandOptions;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::kDown;
using headway::testing::kUp;
using headway::testing::source_dir;
using headway::testing::TemporaryFolder;
using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

namespace {

CommandResult report(const Arguments& arguments, const CommandOptions& options = {}) {
  Arguments all = {"report"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return headway::testing::headway(all, options);
}

CommandResult report_here(const Arguments& arguments) {
  CommandOptions options;
  options.folder = source_dir();
  return report(arguments, options);
}

Json document(const std::string& page) {
  const std::string open = "id=\"data\">";
  const std::size_t begin = page.find(open) + open.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

}  // namespace

TEST_CASE("cli/report: a folder becomes one file") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "report.html").string();
  const std::string suite = "tests/data/published/tests/2t_2i";
  const CommandResult result = report_here({suite, "-o", out});
  CHECK(result.status == 0);
  CHECK(result.out.empty());
  CHECK(result.err == "8 tests written to " + out + "\n");
  const Json page = document(read_file(out));
  CHECK(page["title"] == suite);
  CHECK(page["tests"]["name"].size() == 8);
  CHECK(page["problems"].empty());
}

TEST_CASE("cli/report: standard input and standard output") {
  CommandOptions options;
  options.input = kUp;
  const CommandResult result = report({"-", "-o", "-", "--title", "mine"}, options);
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  CHECK(result.out.starts_with("<!doctype html>"));
  CHECK(document(result.out)["title"] == "mine");
}

TEST_CASE("cli/report: models of one's own") {
  const CommandResult result = report_here(
      {"litmus/spin-mutex.litmus", "-o", "-", "-m", "OBE", "-m", "models/events/lobe.yaml"});
  CHECK(result.status == 0);
  const Json page = document(result.out);
  CHECK(page["models"].size() == 2);
  CHECK(page["models"][1]["name"] == "LOBE-events");
  // The engine has to be told of what does not come with it.
  CHECK(page["files"].size() == 1);
  CHECK(page["files"]["models/events/lobe.yaml"] ==
        read_file(source_dir() / "models/events/lobe.yaml"));
}

TEST_CASE("cli/report: a program that goes wrong comes with the steps to that") {
  CommandOptions options;
  options.input =
      "shared bool x; thread 0 { assert(load(x) == 0); } thread 1 { store(x, 1); load(x); }";
  const CommandResult result = report({"-", "-o", "-", "-m", "OBE", "-m", "HSA"}, options);
  const Json page = document(result.out);
  REQUIRE(page["runs"].size() == 1);
  CHECK(page["runs"][0]["wrong"] == true);
  CHECK(page["runs"][0]["steps"].size() == 2);
  CHECK(contains(page["runs"][0]["summary"].get<std::string>(), "ERROR"));
  CHECK(page["shown"]["0"].size() == 4);
  for (const Json& view : page["views"]) {
    CHECK(view["verdict"] == "error");
    CHECK(view["run"] == 0);
  }
}

TEST_CASE("cli/report: the engine is a file, none, or the one that is installed") {
  const TemporaryFolder folder;
  const std::string module = folder.write("e.wasm.gz", "\x1f\x8bmodule").string();
  CommandOptions options;
  options.input = kUp;
  const auto carries = [&](const std::string& engine) {
    const CommandResult result = report({"-", "-o", "-", "--engine", engine}, options);
    CHECK(result.status == 0);
    return !contains(result.out, "id=\"engine\"></script>");
  };
  CHECK(carries(module));
  CHECK_FALSE(carries("none"));
  const std::string other = folder.write("e.wasm", "module").string();
  const CommandResult refused = report({"-", "-o", "-", "--engine", other}, options);
  CHECK(refused.status == 2);
  CHECK(contains(refused.err, other + ": expected headway_engine.wasm.gz"));
  CHECK(report({"-", "-o", "-", "--engine", "nowhere.gz"}, options).status == 2);
}

TEST_CASE("cli/report: an empty stream is a suite without tests") {
  const TemporaryFolder folder;
  const std::string empty = folder.write("empty.jsonl", "").string();
  const CommandResult result = report({empty, "-o", "-"});
  CHECK(result.status == 0);
  CHECK(document(result.out)["tests"]["name"].empty());
}

TEST_CASE("cli/report: a suite that cannot be read leaves no page") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "report.html").string();
  for (const std::string& path : {(folder.path() / "nowhere").string(), folder.path().string()}) {
    const CommandResult result = report({path, "-o", out});
    CHECK(result.status == 2);
    CHECK(contains(result.err, path + ": "));
    CHECK_FALSE(std::filesystem::exists(out));
  }
}

TEST_CASE("cli/report: a file that cannot be read is named, on the page too") {
  const TemporaryFolder folder;
  folder.write("a.litmus", kUp);
  folder.write("bad.litmus", "locations f; thread 0 { f = ; }\n");
  const CommandResult result = report({folder.path().string(), "-o", "-"});
  CHECK(result.status == 2);
  CHECK(contains(result.err, "bad.litmus:1:29: "));
  const Json page = document(result.out);
  CHECK(page["tests"]["name"] == Json{"a"});
  REQUIRE(page["problems"].size() == 1);
  CHECK(contains(page["problems"][0].get<std::string>(), "bad.litmus:1:29: "));
}

TEST_CASE("cli/report: two tests with one name are told apart") {
  const TemporaryFolder folder;
  folder.write("a.litmus", "litmus same\n" + kUp);
  folder.write("b.litmus", "litmus same\n" + kDown);
  const CommandResult result = report({folder.path().string(), "-o", "-"});
  CHECK(result.status == 0);
  CHECK(contains(result.err, "same"));
  CHECK(document(result.out)["tests"]["name"] == Json{"same", "same-2"});
}

TEST_CASE("cli/report: a limit leaves verdicts unknown, and says so") {
  const CommandResult result = report_here({"litmus/idioms", "-o", "-", "--max-states", "10"});
  CHECK(result.status == 3);
  const Json page = document(result.out);
  CHECK(page["problems"].size() == 1);
  CHECK(contains(page["signatures"].dump(), "???????????"));
}

TEST_CASE("cli/report: results of devices, by the names of tests or what follows the folder's") {
  const TemporaryFolder folder;
  folder.write("t/s_0.litmus", kUp);
  folder.write("t/other.litmus", kDown);
  const std::string table =
      folder
          .write("s/gpu.csv",
                 "Test,plain,\"chunked, 2\",All Passed\n0,P,F (3/20),F\nother,P,P,P\n"
                 "7,P,P,P\nTotal failures:,0,1,1\n")
          .string();
  const CommandResult result =
      report({(folder.path() / "t").string(), "-o", "-", "--devices", table});
  CHECK(result.status == 0);
  CHECK(contains(result.err, "gpu.csv: 1 row is about no test of "));
  const Json page = document(result.out);
  REQUIRE(page["devices"].size() == 1);
  CHECK(page["tests"]["name"] == Json{"other", "s_0"});
  CHECK(page["devices"][0] == Json::parse(R"({"name": "gpu", "placements": [["plain", "chunked"]],
                                              "results": {"0": [0, 0, 0], "1": [0, 0, 1]}})"));
}

TEST_CASE("cli/report: what is no table of a device is refused with its place") {
  const TemporaryFolder folder;
  const std::string test = folder.write("s_0.litmus", kUp).string();
  const std::pair<std::string, std::string> tables[] = {
      {"", "t.csv:1: expected a heading"},
      {"Test\n", "t.csv:1: expected a heading"},
      {"Test,plain\ns_0,maybe\n", "t.csv:2: expected P or F (3/20), found 'maybe'"},
      {"Test,plain\ns_0,F (3/)\n", "t.csv:2: expected P or F (3/20), found 'F (3/)'"},
      {"Test,plain,chunked\ns_0,P\n", "t.csv:2: expected 3 fields, found 2"},
      {"Test,plain\nelse,P\n", "t.csv: no row is about a test of the suite"}};
  for (const auto& [content, message] : tables) {
    const std::string table = folder.write("t.csv", content).string();
    const CommandResult result = report({test, "-o", "-", "--devices", table});
    CAPTURE(result.err);
    CHECK(result.status == 2);
    CHECK(contains(result.err, message));
    CHECK(document(result.out)["devices"].empty());
  }
}

TEST_CASE("cli/report: a page that cannot be written") {
  const TemporaryFolder folder;
  const CommandResult result =
      report_here({"litmus", "-o", (folder.write("file", "") / "report.html").string()});
  CHECK(result.status == 2);
  CHECK(contains(result.err, "file"));
}

TEST_CASE("cli/report: usage") {
  CHECK(report({"litmus"}).status == 2);
  const CommandResult help = report({"--help"});
  CHECK(help.status == 0);
  CHECK(contains(help.out, "headway report litmus -o report.html"));
}

TEST_CASE("cli/report: a kernel with its lines, its verdicts and an execution") {
  const TemporaryFolder folder;
  const auto kernel = folder.write("lock.cu",
                                   "// headway: kernel count grid 2 block 1 buffer lock=1:zero\n"
                                   "__global__ void count(int* lock, int* counter) {\n"
                                   "  while (atomicCAS(lock, 0, 1) != 0) {}\n"
                                   "  __threadfence();\n"
                                   "  *counter += 1;\n"
                                   "  __threadfence();\n"
                                   "  atomicExch(lock, 0);\n"
                                   "}\n");
  const CommandResult result = report({kernel.string(), "-o", "-"});
  REQUIRE(result.status == 0);
  const Json page = document(result.out);
  CHECK(page["tests"]["name"] == Json({"count"}));
  const auto& texts = page["texts"];
  const auto has = [&](const std::string& text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
  };
  CHECK(has("  while (atomicCAS(lock, 0, 1) != 0) {}"));
  CHECK(has("while (atomicCAS(lock, 0, 1) != 0) {}"));  // as the statement of a step
  CHECK(has("reads lock = 0, writes 1"));
  CHECK(page["shown"].size() == 1);
}

TEST_CASE("cli/report: two launches of a kernel are two tests, by their arguments too") {
  const TemporaryFolder folder;
  const auto kernel =
      folder.write("wait.cu",
                   "// headway: kernel wait grid 2 block 1 buffer flag=1:zero arg n=0\n"
                   "// headway: kernel wait grid 2 block 1 buffer flag=1:zero arg n=1\n"
                   "__global__ void wait(int* flag, int n) {\n"
                   "  if (blockIdx.x == 0) atomicExch(flag, 1);\n"
                   "  else while (n == 1 && atomicAdd(flag, 0) == 0) {}\n"
                   "}\n");
  const CommandResult result = report({kernel.string(), "-m", "OBE", "-o", "-"});
  REQUIRE(result.status == 0);
  const Json page = document(result.out);
  CHECK(page["tests"]["name"] == Json({"wait", "wait-2"}));
  CHECK(page["tests"]["signature"][0] != page["tests"]["signature"][1]);
}

TEST_CASE("cli/report: a folder of tests and of kernels shows both, by names of their own") {
  const TemporaryFolder folder;
  const std::string kernel =
      "// headway: kernel set grid 2 block 1\n"
      "__global__ void set(int* flag) { atomicExch(flag, 1); }\n";
  folder.write("a.cu", kernel);
  folder.write("b.cu", kernel);
  folder.write("set.litmus", "litmus set\nlocations f;\nthread 0 { f = 1; }\n");
  const CommandResult result = report({folder.path().string(), "-m", "OBE", "-o", "-"});
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  CHECK(document(result.out)["tests"]["name"] == Json({"set", "a.cu: set", "b.cu: set"}));
}
