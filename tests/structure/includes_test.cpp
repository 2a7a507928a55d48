// Rules about the sources that a machine can hold. docs/architecture.md gives their reasons. That
// every header compiles alone is a target of its own, headway_headers in tests/CMakeLists.txt.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "base/file.hpp"
#include "support/files.hpp"
#include "support/sources.hpp"

namespace fs = std::filesystem;
using headway::testing::Include;
using headway::testing::includes_of;
using headway::testing::source_dir;

namespace {

// From the lowest floor to the highest. A file includes its own floor and those below it.
const std::vector<std::string> kFloors = {
    "base",  "smt",   "models", "lang", "consistency", "kernel", "verify", "languages", "checker",
    "every", "synth", "suite",  "emit", "campaign",    "report", "engine", "library",   "cli"};

// Who may include a third-party library, by how its headers begin: every library that there is has
// a line here. JSON is a report's format, and that of what is kept for a later run: proofs of
// synthesis, streams of tests, verdicts of suites, results of campaigns, certificates. The SAT
// solver searches for tests, and for the fewest that tell models apart. Boost is its graphs, above
// all: histories are one, and so is an LTS. TBB is what runs on several cores; programs choose how
// many.
const std::vector<std::string> kEverybody = {""};
const std::map<std::string, std::vector<std::string>> kOwners = {
    {"CL/", {"campaign/opencl_host"}},
    {"CLI/", {"cli/"}},
    {"cvc5/", {"smt/cvc5_solver"}},
    {"isl/", {"verify/affine/isl_sets"}},
    {"z3", {"smt/z3_solver"}},
    {"cadical", {"synth/sat/", "suite/set_cover", "consistency/repair/"}},
    {"fmt/", kEverybody},  // GCC 12 has no <format>
    {"nlohmann/",
     {"report/", "engine/", "campaign/", "suite/", "synth/sat/", "every/certificate",
      "kernel/clang/flags", "verify/output", "verify/kept"}},
    {"headway/", {"library/"}},
    {"llvm-c/", {"kernel/llvm/"}},
    {"spirv-tools/", {"kernel/spirv/"}},
    {"spirv/", {"kernel/spirv/"}},
    {"tbb/", {"base/parallel"}},
    {"vulkan/", {"campaign/vulkan_host"}},
    {"yaml-cpp/", {"models/yaml/yaml_cpp"}}};

// Headers of the operating system, which are nobody's library.
const std::vector<std::string> kSystem = {"cxxabi.h", "dlfcn.h", "fcntl.h", "malloc.h",
                                          "poll.h",   "sys/",    "unistd.h"};

struct SourceFile {
  std::string name;   // "lang/test.hpp"
  std::string floor;  // "lang"
  int lines = 0;
  bool once = false;  // has "#pragma once"
  std::vector<Include> includes;
};

const std::vector<SourceFile>& sources() {
  static const std::vector<SourceFile> all = [] {
    std::vector<SourceFile> result;
    for (const auto& entry : fs::recursive_directory_iterator(source_dir() / "src")) {
      const std::string extension = entry.path().extension();
      if (extension != ".hpp" && extension != ".cpp") continue;
      SourceFile file;
      const fs::path relative = entry.path().lexically_relative(source_dir() / "src");
      file.name = relative.string();
      file.floor = relative.begin()->string();
      const std::string text = headway::read_file(entry.path());
      file.includes = includes_of(text);
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        ++file.lines;
        file.once = file.once || line == "#pragma once";
      }
      result.push_back(std::move(file));
    }
    return result;
  }();
  return all;
}

// The height of a floor, -1 when there is none of that name.
int height(const std::string& floor) {
  const auto found = std::find(kFloors.begin(), kFloors.end(), floor);
  return found == kFloors.end() ? -1 : static_cast<int>(found - kFloors.begin());
}

bool begins_with_any(const std::string& text, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const std::string& beginning) { return text.starts_with(beginning); });
}

std::string place(const SourceFile& file, const Include& include) {
  return "src/" + file.name + ":" + std::to_string(include.line) + ": " + include.path;
}

// Parts of the sources, folders or units, with the parts that each includes and a place where.
using Graph = std::map<std::string, std::map<std::string, std::string>>;

// The graph of the parts that `part_of` makes of the sources.
Graph graph_of(std::string (*part_of)(const fs::path&)) {
  Graph graph;
  for (const SourceFile& file : sources()) {
    const std::string part = part_of(file.name);
    for (const Include& include : file.includes) {
      const std::string other = part_of(include.path);
      if (include.quoted && other != part) graph[part].emplace(other, place(file, include));
    }
  }
  return graph;
}

// The includes along a way from `part` back to itself, one a line; nothing when there is none.
std::string way_back(const Graph& graph, const std::string& part) {
  std::map<std::string, std::string> way = {{part, ""}};  // to the parts that were reached
  std::vector<std::string> open = {part};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto found = graph.find(open[i]);
    if (found == graph.end()) continue;
    for (const auto& [next, where] : found->second) {
      if (next == part) return way[open[i]] + where + "\n";
      if (way.emplace(next, way[open[i]] + where + "\n").second) open.push_back(next);
    }
  }
  return {};
}

void check_acyclic(const Graph& graph) {
  for (const auto& entry : graph) {
    const auto& part = entry.first;
    CAPTURE(part);
    CHECK(way_back(graph, part) == "");
  }
}

// "lang/idiom" of "lang/idiom/code.hpp"
std::string folder_of(const fs::path& path) { return path.parent_path().string(); }

// A header with the file of the same name: "lang/idiom/code" of "lang/idiom/code.hpp"
std::string unit_of(const fs::path& path) { return fs::path(path).replace_extension().string(); }

}  // namespace

TEST_CASE("structure/includes: every source file stands on a floor") {
  CHECK(sources().size() > 40);
  for (const SourceFile& file : sources()) {
    CAPTURE(file.name);
    CHECK(height(file.floor) >= 0);
  }
}

TEST_CASE("structure/includes: includes run downward only") {
  for (const SourceFile& file : sources()) {
    for (const Include& include : file.includes) {
      if (!include.quoted) continue;
      CAPTURE(place(file, include));
      const int below = height(include.path.substr(0, include.path.find('/')));
      CHECK(below >= 0);
      CHECK(below <= height(file.floor));
      CHECK(fs::exists(source_dir() / "src" / include.path));
    }
  }
}

// Models say what is fair, and know of no programs; all that a test knows of them is what fairness
// is called, and what they may see of an instruction.
TEST_CASE("structure/includes: lang takes nothing of models but words") {
  for (const SourceFile& file : sources()) {
    if (file.floor != "lang") continue;
    for (const Include& include : file.includes) {
      if (!include.path.starts_with("models/")) continue;
      CAPTURE(place(file, include));
      const bool words =
          include.path == "models/fairness.hpp" || include.path == "models/instruction.hpp";
      CHECK(words);
    }
  }
}

TEST_CASE("structure/includes: no two folders include each other, over whatever way") {
  const Graph folders = graph_of(folder_of);
  CHECK(folders.size() > 10);
  check_acyclic(folders);
}

TEST_CASE("structure/includes: no two units include each other, over whatever way") {
  Graph units = graph_of(unit_of);
  CHECK(units.size() > 100);
  check_acyclic(units);
}

TEST_CASE("structure/includes: a cycle is found") {
  Graph graph = {{"a", {{"b", "a includes b"}, {"d", "a includes d"}}},
                 {"b", {{"c", "b includes c"}}},
                 {"c", {{"d", "c includes d"}}}};
  CHECK(way_back(graph, "a").empty());
  graph["c"]["b"] = "c includes b";
  CHECK(way_back(graph, "a").empty());  // leads into a cycle and is not on it
  CHECK(way_back(graph, "b") == "b includes c\nc includes b\n");
  CHECK(way_back(graph, "c") == "c includes b\nb includes c\n");
}

TEST_CASE("structure/includes: files of the project are included with quotes and others without") {
  for (const SourceFile& file : sources()) {
    for (const Include& include : file.includes) {
      CAPTURE(place(file, include));
      CHECK(include.quoted == fs::exists(source_dir() / "src" / include.path));
    }
  }
}

// So the header is read alone wherever the source is, see tests/CMakeLists.txt.
TEST_CASE("structure/includes: a source includes its own header first, and headers are read once") {
  std::set<std::string> names;
  for (const SourceFile& file : sources()) names.insert(file.name);
  int pairs = 0;
  for (const SourceFile& file : sources()) {
    CAPTURE(file.name);
    if (file.name.ends_with(".hpp")) {
      CHECK(file.once);
      continue;
    }
    const std::string header = unit_of(file.name) + ".hpp";
    if (!names.contains(header)) continue;
    REQUIRE(!file.includes.empty());
    CHECK(file.includes.front().path == header);
    ++pairs;
  }
  CHECK(pairs > 100);
}

TEST_CASE("structure/includes: third-party libraries are used by their owners only") {
  std::set<std::string> used;
  for (const SourceFile& file : sources()) {
    for (const Include& include : file.includes) {
      const bool is_standard = include.path.find_first_of("./") == std::string::npos;
      if (include.quoted || is_standard || begins_with_any(include.path, kSystem)) continue;
      CAPTURE(place(file, include));
      const auto row = std::find_if(kOwners.begin(), kOwners.end(), [&](const auto& row) {
        return include.path.starts_with(row.first);
      });
      REQUIRE(row != kOwners.end());  // or a library is missing in the table above
      CHECK(begins_with_any(file.name, row->second));
      used.insert(row->first);
    }
  }
  CHECK(used.size() == kOwners.size());  // or the table above is out of date
}

TEST_CASE("structure/includes: no file is longer than a reader likes") {
  for (const SourceFile& file : sources()) {
    CAPTURE(file.name);
    CHECK(file.lines <= (file.name.ends_with(".hpp") ? 250 : 600));
  }
}
