// The document inside the page; tests/e2e opens the page itself.
#include "report/html.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file.hpp"
#include "lang/axb/canonical.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "report/page.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using namespace headway;
using testing::contains;
using Json = nlohmann::json;

namespace {

const std::string kUp =
    "// up\nlocations f;\n\nthread 0 { f = 1; }\nthread 1 {\n  while (Load(f) == 0);\n}\n";
const std::string kPublished = "THREAD0\natomic_store(0,1)\n\nTHREAD1\natomic_chk_branch(0,0,0)\n";

struct Case {
  suite::Suite suite;
  std::vector<std::string> sources;
  std::vector<models::ModelPtr> models = models::Library().standard();
  std::vector<report::DeviceTable> devices;
  std::vector<std::string> problems;
  std::string title = "a title";
  std::string engine;

  void add(const std::string& name, const std::string& text, bool has_source = true) {
    suite.tests.push_back(lang::parse(text, "f"));
    suite.tests.back().name = name;
    suite.files.push_back(name + ".litmus");
    suite.file_of.push_back(static_cast<std::uint32_t>(suite.files.size() - 1));
    sources.push_back(has_source ? text : "");
  }

  std::string html() const {
    const suite::VerdictMatrix verdicts = suite::decide(suite.tests, models);
    return report::html_report({title,
                                "1.2.3",
                                suite,
                                verdicts,
                                suite::Idioms(),
                                sources,
                                devices,
                                problems,
                                {{"mine.yaml", "name: mine\n"}},
                                engine});
  }

  Json document() const {
    const std::string page = html();
    const std::string open = "<script type=\"application/json\" id=\"data\">";
    const std::size_t begin = page.find(open) + open.size();
    return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  }
};

std::vector<std::string> texts(const Json& document, const Json& numbers) {
  std::vector<std::string> result;
  for (const Json& number : numbers) result.push_back(document["texts"][number.get<std::size_t>()]);
  return result;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("report/html: a litmus file is shown as it was written") {
  Case c;
  c.add("up", kUp);
  const Json document = c.document();
  CHECK(document["tests"]["name"] == Json{"up"});
  CHECK(texts(document, document["tests"]["lines"][0]) ==
        std::vector<std::string>{"// up", "locations f;", "", "thread 0 { f = 1; }", "thread 1 {",
                                 "  while (Load(f) == 0);", "}"});
  CHECK(document["tests"]["threads"][0] == 2);
  CHECK(document["tests"]["instructions"][0] == 2);
}

TEST_CASE("report/html: other tests are shown in the litmus format") {
  for (const bool has_source : {false, true}) {
    Case c;
    c.add("a \"name\"\nthat no test could have", kPublished, has_source);
    const Json document = c.document();
    CHECK(texts(document, document["tests"]["lines"][0]) ==
          std::vector<std::string>{"locations x;", "", "thread 0 {", "  x = 1;", "}", "",
                                   "thread 1 {", "  while (Load(x) == 0);", "}"});
    // What is recorded is about these lines.
    const Json& run = document["runs"][0];
    CHECK(run["steps"][0][1] == 8);
  }
}

TEST_CASE("report/html: identity, idiom and verdicts of a test") {
  Case c;
  c.add("other name", kUp);
  c.add("spin", "locations a, b; thread 0 { while (Load(b) == 0); } thread 1 { b = 1; a = 1; }");
  const Json document = c.document();
  const auto identity = fmt::format("{:016x}", lang::identity(c.suite.tests[0]));
  CHECK(document["tests"]["identity"][0] == identity);
  CHECK(document["idioms"][document["tests"]["idiom"][0].get<std::size_t>()] ==
        "producer-consumer-increasing");
  CHECK(document["tests"]["idiom"][1] == -1);
  CHECK(document["readings"].size() == 11);  // unfair has one
  CHECK(document["signatures"][document["tests"]["signature"][0].get<std::size_t>()] ==
        "fppffpppppp");
}

TEST_CASE("report/html: a reading of every model, one where the fairness makes no difference") {
  models::Library library;
  Case c;
  c.models = {library.find("unfair"), library.find("OBE-k"),
              library.find((testing::source_dir() / "models/events/unfair.yaml").string())};
  c.add("up", kUp);
  const Json document = c.document();
  CHECK(document["readings"] == Json::parse("[[0,0],[1,0],[1,1],[2,0]]"));
  CHECK(document["models"][0]["silent"] == true);
  CHECK(document["models"][1]["silent"] == false);
  CHECK(document["signatures"] == Json{"fppf"});
}

TEST_CASE("report/html: orders for the numbers of threads that there are") {
  Case c;
  c.add("up", kUp);
  c.add("three", "locations f; thread 0 { f = 1; } thread 1 { f = 1; } thread 2 { f = 0; }");
  std::string many = "locations f;";
  for (int t = 0; t < 7; ++t) many += fmt::format(" thread {} {{ f = 1; }}", t);
  c.add("seven", many);
  const Json document = c.document();
  const auto keys = [](const Json& object) {
    std::vector<std::string> result;
    for (const auto& entry : object.items()) result.push_back(entry.key());
    return result;
  };
  CHECK(keys(document["orders"]) == std::vector<std::string>{"2", "3", "7"});
  // With two threads LOBE is HSA+OBE; with three it is above it.
  CHECK(document["orders"]["2"]["nodes"].size() == 9);
  CHECK(document["orders"]["3"]["nodes"].size() == 11);
}

TEST_CASE("report/html: tables of one device are one device") {
  Case c;
  c.add("up", kUp);
  c.add("down", kPublished);
  c.devices = {{"gpu", {"plain", "chunked"}, {{0, {"P", "F (3/20)"}}}},
               {"gpu", {"plain"}, {{1, {"P"}}}},
               {"cpu", {"plain"}, {{1, {"F"}}}}};
  const Json document = c.document();
  CHECK(document["outcomes"] == Json{"P", "F (3/20)", "F"});
  CHECK(document["devices"].size() == 2);
  CHECK(document["devices"][0] == Json::parse(R"({"name": "gpu",
      "placements": [["plain", "chunked"], ["plain"]], "results": {"0": [0, 0, 1], "1": [1, 0]}})"));
  CHECK(document["devices"][1]["results"] == Json::parse(R"({"1": [0, 2]})"));
}

TEST_CASE("report/html: an empty suite has a page") {
  const Json document = Case().document();
  CHECK(document["tests"]["name"].empty());
  CHECK(document["signatures"].empty());
  CHECK(document["orders"].size() == 1);
}

TEST_CASE("report/html: whatever a name holds, the page keeps its elements") {
  const std::string hostile = "</script><!-- <script>{{data}} \xe2\x80\xa8 \xff &amp; </title>";
  Case plain;
  plain.add("up", kUp);
  Case c;
  c.title = hostile;
  c.problems = {hostile};
  c.add(hostile, "// " + hostile + "\n" + kUp);
  c.devices = {{hostile, {hostile}, {{0, {hostile}}}}};
  const std::string page = c.html();
  for (const char* tag : {"<script", "</script", "<!--", "</title", "<style", "</style"}) {
    CAPTURE(std::string(tag));
    CHECK(count(page, tag) == count(plain.html(), tag));
  }
  const Json document = c.document();
  const std::string replaced =
      "</script><!-- <script>{{data}} \xe2\x80\xa8 \xef\xbf\xbd &amp; </title>";
  CHECK(document["title"] == replaced);
  CHECK(document["tests"]["name"][0] == replaced);
  CHECK(texts(document, document["tests"]["lines"][0])[0] == "// " + replaced);
}

TEST_CASE("report/html: the files in the program are those in src/report/page") {
  const std::filesystem::path root = testing::source_dir();
  std::set<std::string> embedded;
  for (const auto& file : report::embedded_page()) {
    const auto& name = file.name;
    const auto& content = file.content;
    if (std::filesystem::path(name).is_absolute()) continue;
    CAPTURE(std::string(name));
    embedded.emplace(name);
    CHECK(content == read_file(root / name));
  }
  std::set<std::string> on_disk;
  for (const auto& entry : std::filesystem::directory_iterator(root / "src/report/page")) {
    on_disk.insert(entry.path().lexically_relative(root).string());
  }
  CHECK(embedded == on_disk);
}

TEST_CASE("report/html: one file that needs no other, with the licence of what is in it") {
  Case c;
  c.add("up", kUp);
  const std::string page = c.html();
  CHECK(page.size() < 500'000);
  CHECK(page.starts_with("<!doctype html>"));
  CHECK(contains(page, "default-src 'none'"));
  CHECK(contains(page, "Permission is hereby granted, free of charge"));
  CHECK(contains(page, "content=\"headway 1.2.3\""));
  CHECK_FALSE(contains(page, "{{"));
  for (const char* reference : {"<link rel=\"stylesheet\"", "<script src", "@import", "url(http"}) {
    CHECK_FALSE(contains(page, reference));
  }
  // No part of the page may end the element that it stands in.
  for (const auto& file : report::embedded_page()) {
    const auto& name = file.name;
    const auto& content = file.content;
    CAPTURE(std::string(name));
    if (name.ends_with(".html")) continue;
    CHECK_FALSE(contains(content, "</script"));
    CHECK_FALSE(contains(content, "</style"));
    CHECK_FALSE(contains(content, "<!--"));
  }
}

TEST_CASE("report/html: programs with groups come with their launch, its order and witnesses") {
  Case c;
  c.add("up", kUp);
  c.add("groups",
        "idiom groups\n2 workgroups of 2 threads;\nshared bool x;\nthreads {\n"
        "  barrier(workgroup);\n  if (gid == 1) store(x, 1); else while (load(x) == 0);\n}\n");
  const Json document = c.document();
  CHECK_FALSE(document["programs"].contains("0"));
  const Json& program = document["programs"]["1"];
  CHECK(program["launch"] == "2 workgroups of 2 threads, which may wait");
  CHECK(document["shapes"][program["launch"].get<std::string>()].contains("nodes"));
  // A witness for each reading that fails, and reasons for each that passes.
  const std::string signature =
      document["signatures"][document["tests"]["signature"][1].get<int>()];
  CHECK(signature.find('f') != std::string::npos);
  CHECK(signature.find('p') != std::string::npos);
  const Json& numbers = document["shown"]["1"];
  REQUIRE(numbers.size() == signature.size());
  std::set<std::size_t> graphs;
  for (std::size_t r = 0; r < signature.size(); ++r) {
    const Json& view = document["views"][numbers[r].get<std::size_t>()];
    CHECK(view["verdict"] == (signature[r] == 'f' ? "fail" : "pass"));
    CHECK(view.contains("run") == (signature[r] == 'f'));
    CHECK(view.contains("reasons") == (signature[r] == 'p'));
    const Json& graph = document["graphs"][view["graph"].get<std::size_t>()];
    graphs.insert(view["graph"].get<std::size_t>());
    CHECK(view["reading"]["fair"].size() == graph["states"].size());
    CHECK(view["reading"]["owed"].size() == graph["states"].size());
    if (signature[r] == 'p') continue;
    const Json& run = document["runs"][view["run"].get<std::size_t>()];
    CHECK(run["leaf"] == "thread");
    CHECK(run["steps"].size() > run["stem"].get<std::size_t>());
    const Json& last = run["steps"].back();
    CHECK(last[1] == 6);
    CHECK(texts(document, {last[2], last[3], last[4]}) ==
          std::vector<std::string>{"while (load(x) == 0);", "reads x = 0", "x=0"});
    CHECK(run["groups"][0][0] == "workgroup 0");
    CHECK(contains(run["summary"].get<std::string>(), "for ever"));
    CHECK_FALSE(view["reading"]["sets"].empty());
    // The way of the witness is in the graph.
    const Json& path = view["path"];
    REQUIRE(path.size() == run["steps"].size() + 1);
    CHECK(path.back() == path[run["stem"].get<std::size_t>()]);
    for (std::size_t i = 0; i < run["steps"].size(); ++i) {
      const bool is_there =
          std::any_of(graph["edges"].begin(), graph["edges"].end(), [&](const Json& edge) {
            return edge[0] == path[i] && edge[1] == run["steps"][i][0] && edge[2] == path[i + 1] &&
                   edge[3] == run["steps"][i][3];
          });
      CHECK(is_there);
    }
  }
  // Readings share what does not depend on them.
  CHECK(graphs.size() < signature.size());
}

TEST_CASE("report/html: a stuck program comes with who waits for whom") {
  Case c;
  c.add("stuck",
        "idiom stuck\n1 workgroup of 2 threads;\n"
        "threads { if (lid == 0) barrier(workgroup); }\n");
  const Json document = c.document();
  const Json& run = document["runs"][0];
  CHECK(run["steps"].size() == run["stem"]);
  CHECK(run["groups"] ==
        Json::parse(R"([["thread 0", "waits at barrier(workgroup); (line 3) for thread 1, which )"
                    R"(has ended"], ["thread 1", "has terminated"]])"));
  // One and the same under all models.
  CHECK(document["runs"].size() == 1);
  CHECK(document["shown"]["0"].size() == document["readings"].size());
}

TEST_CASE("report/html: with an engine nothing is recorded that it could be asked") {
  Case c;
  c.add("up", kUp);
  c.engine = std::string("\x1f\x8b\0<", 4);
  const std::string page = c.html();
  CHECK(contains(page, "id=\"engine\">H4sAPA==</script>"));
  const Json document = c.document();
  CHECK(document["shown"].empty());
  CHECK(document["graphs"].empty());
  CHECK(document["files"] == Json{{"mine.yaml", "name: mine\n"}});
}

TEST_CASE(
    "report/html: without one the smallest tests are recorded, as many as there is room for") {
  Case c;
  // All of them different, and the largest first.
  for (int n = 256; n > 0; --n) {
    std::string text = "locations a, b;";
    for (int t = 0; t < 2; ++t) {
      text += fmt::format(" thread {} {{", t);
      for (int i = 0; i < 8; ++i) text += fmt::format(" {} = {};", "ab"[(i + t) % 2], n >> i & 1);
      text += fmt::format(" while (Load(a) == {}); }}", t);
    }
    if (n == 256) text.insert(text.size() - 1, "a = 1; ");
    c.add(fmt::format("t{}", n), text);
  }
  const std::string page = c.html();
  CHECK(page.size() < 3'000'000);
  const Json document = c.document();
  const Json& shown = document["shown"];
  CHECK(shown.size() > 5);
  CHECK(shown.size() < 256);
  CHECK(shown.contains("1"));
  CHECK_FALSE(shown.contains("0"));
}
