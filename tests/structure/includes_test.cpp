// Rules about the sources that a machine can hold. docs/architecture.md gives their reasons. That
// every header compiles alone is a target of its own, headway_headers in tests/CMakeLists.txt.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include "base/file.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;
using headway::testing::source_dir;

namespace {

// From the lowest floor to the highest. A file includes its own floor and those below it.
const std::vector<std::string> kFloors = {"base",  "lang", "models",   "checker", "synth",
                                          "suite", "emit", "campaign", "report",  "cli"};

// Who may include a third-party library, by how its headers begin. JSON is a report's format, and
// that of what is kept for a later run: proofs of synthesis, streams of tests, verdicts of suites,
// results of campaigns. The SAT solver searches for tests, and for the fewest that tell models
// apart.
const std::map<std::string, std::vector<std::string>> kOwners = {
    {"CLI/", {"cli/"}},
    {"yaml-cpp/", {"models/"}},
    {"nlohmann/", {"report/", "campaign/", "suite/", "synth/sat/"}},
    {"cadical", {"synth/sat/", "suite/fingerprint"}},
    {"CL/", {"campaign/opencl_host"}},
    {"vulkan/", {"campaign/vulkan_host"}}};

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

// What a line of a source file includes.
std::optional<Include> include_of(const std::string& line, int number) {
  constexpr std::string_view directive = "#include ";
  if (!line.starts_with(directive)) return std::nullopt;
  const std::size_t open = directive.size();
  const std::size_t close = line.find_first_of("\">", open + 1);
  return Include{line.substr(open + 1, close - open - 1), line.at(open) == '"', number};
}

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
      std::istringstream text(headway::read_file(entry.path()));
      for (std::string line; std::getline(text, line);) {
        ++file.lines;
        if (const auto include = include_of(line, file.lines)) file.includes.push_back(*include);
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

TEST_CASE("structure/includes: third-party libraries are used by their owners only") {
  std::map<std::string, int> uses;
  for (const SourceFile& file : sources()) {
    for (const Include& include : file.includes) {
      for (const auto& [library, owners] : kOwners) {
        if (!include.path.starts_with(library)) continue;
        CAPTURE(place(file, include));
        CHECK(std::any_of(owners.begin(), owners.end(),
                          [&](const std::string& owner) { return file.name.starts_with(owner); }));
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
