// Rules about the sources that a machine can hold. docs/architecture.md gives their reasons. That
// every header compiles alone is a target of its own, headway_headers in tests/CMakeLists.txt.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <regex>
#include <sstream>

#include "base/file.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;
using headway::testing::source_dir;

namespace {

// From the lowest floor to the highest. A file includes its own floor and those below it.
const std::vector<std::string> kFloors = {"base",  "lang", "models",   "checker", "synth",
                                          "suite", "emit", "campaign", "report",  "cli"};

// Third-party libraries that belong to one floor, by how their headers begin.
// JSON has two owners: what people and programs read of results, and the proofs of synthesis.
const std::map<std::string, std::set<std::string>> kOwners = {{"CLI/", {"cli"}},
                                                              {"yaml-cpp/", {"models"}},
                                                              {"cadical", {"synth"}},
                                                              {"nlohmann/", {"report", "synth"}}};

struct Include {
  std::string path;
  bool quoted;  // with "", not with <>
  int line;
};

struct SourceFile {
  std::string name;   // "lang/test.hpp"
  std::string floor;  // "lang"
  int lines = 0;
  std::vector<Include> includes;
};

const std::vector<SourceFile>& sources() {
  static const std::vector<SourceFile> all = [] {
    static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+))");
    std::vector<SourceFile> result;
    for (const auto& entry : fs::recursive_directory_iterator(source_dir() / "src")) {
      const std::string extension = entry.path().extension();
      if (extension != ".hpp" && extension != ".cpp") continue;
      SourceFile file;
      const fs::path relative = entry.path().lexically_relative(source_dir() / "src");
      file.name = relative.string();
      file.floor = relative.begin()->string();
      std::istringstream text(headway::read_file(entry.path()));
      for (std::string line; std::getline(text, line);) {
        ++file.lines;
        std::smatch match;
        if (std::regex_search(line, match, include)) {
          file.includes.push_back({match[2], match[1] == "\"", file.lines});
        }
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

std::string place(const SourceFile& file, const Include& include) {
  return "src/" + file.name + ":" + std::to_string(include.line) + ": " + include.path;
}

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

TEST_CASE("structure/includes: files of the project are included with quotes and others without") {
  for (const SourceFile& file : sources()) {
    for (const Include& include : file.includes) {
      CAPTURE(place(file, include));
      CHECK(include.quoted == fs::exists(source_dir() / "src" / include.path));
    }
  }
}

TEST_CASE("structure/includes: a third-party library has one owner") {
  std::map<std::string, int> uses;
  for (const SourceFile& file : sources()) {
    for (const Include& include : file.includes) {
      for (const auto& [library, owners] : kOwners) {
        if (!include.path.starts_with(library)) continue;
        CAPTURE(place(file, include));
        CHECK(owners.contains(file.floor));
        ++uses[library];
      }
    }
  }
  CHECK(uses.size() == kOwners.size());  // or the table above is out of date
}

TEST_CASE("structure/includes: no file is longer than a reader likes") {
  for (const SourceFile& file : sources()) {
    CAPTURE(file.name);
    CHECK(file.lines <= (file.name.ends_with(".hpp") ? 250 : 600));
  }
}
