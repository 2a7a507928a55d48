// The headers that are precompiled (src/CMakeLists.txt) are there in every source, whether it
// includes them or not, so that no compiler says that an #include of one is missing. This does: a
// file that uses a name of such a header includes it, or includes a file of ours that does.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.hpp"
#include "support/files.hpp"
#include "support/sources.hpp"

namespace fs = std::filesystem;
using headway::testing::code_of;
using headway::testing::is_word;
using headway::testing::source_dir;

namespace {

// The names of namespaces std and fmt that each header has, as far as sources are likely to use
// them. Those of <atomic> stand for all that begin so.
const std::map<std::string, std::vector<std::string>> kNames = {
    {"algorithm",
     {"adjacent_find", "all_of",      "any_of",      "binary_search", "clamp",
      "copy",          "copy_if",     "copy_n",      "count",         "count_if",
      "equal",         "equal_range", "fill",        "fill_n",        "find",
      "find_first_of", "find_if",     "find_if_not", "for_each",      "generate",
      "includes",      "is_sorted",   "lower_bound", "max",           "max_element",
      "merge",         "min",         "min_element", "minmax",        "minmax_element",
      "mismatch",      "nth_element", "none_of",     "partial_sort",  "partition",
      "remove",        "remove_if",   "replace",     "reverse",       "rotate",
      "search",        "set_union",   "shuffle",     "sort",          "stable_sort",
      "swap_ranges",   "transform",   "unique",      "upper_bound",   "next_permutation",
      "push_heap",     "pop_heap",    "make_heap",   "is_permutation"}},
    {"atomic", {"atomic", "memory_order"}},
    {"chrono", {"chrono"}},
    {"filesystem", {"filesystem"}},
    {"functional",
     {"function", "hash", "less", "greater", "plus", "ref", "cref", "invoke", "not_fn"}},
    {"map", {"map", "multimap"}},
    {"memory", {"unique_ptr", "shared_ptr", "weak_ptr", "make_unique", "make_shared"}},
    {"mutex", {"mutex", "lock_guard", "unique_lock", "scoped_lock", "once_flag", "call_once"}},
    {"optional", {"optional", "nullopt", "make_optional"}},
    {"set", {"set", "multiset"}},
    {"span", {"span"}},
    {"sstream", {"istringstream", "ostringstream", "stringstream"}},
    {"string", {"string", "to_string", "getline", "stoi", "stol", "stoul", "stoull", "stod"}},
    {"unordered_map", {"unordered_map", "unordered_multimap"}},
    {"vector", {"vector"}},
    {"fmt/format.h", {"format", "format_to", "memory_buffer", "runtime"}}};

// The header of `name`, as in std::name; "" for one that no precompiled header has.
std::string header_of(std::string_view space, const std::string& name) {
  static const std::map<std::string, std::string> known = [] {
    std::map<std::string, std::string> result;
    for (const auto& [header, names] : kNames) {
      const std::string prefix = header.starts_with("fmt/") ? "fmt::" : "std::";
      for (const std::string& each : names) result.emplace(prefix + each, header);
    }
    return result;
  }();
  for (const char* beginning : {"atomic", "memory_order"}) {
    if (space == "std::" && name.starts_with(beginning)) return "atomic";
  }
  const auto found = known.find(std::string(space) + name);
  return found == known.end() ? "" : found->second;
}

struct File {
  std::set<std::string> includes;           // as they are written
  std::map<std::string, std::string> uses;  // a header -> a name of it
};

std::string word_at(const std::string& code, std::size_t begin) {
  const auto end =
      std::find_if_not(code.begin() + static_cast<std::ptrdiff_t>(begin), code.end(), is_word);
  return {code.begin() + static_cast<std::ptrdiff_t>(begin), end};
}

File read(const std::string& text) {
  File file;
  for (const auto& include : headway::testing::includes_of(text))
    file.includes.insert(include.path);
  const std::string code = code_of(text);
  for (const std::string_view space : {std::string_view("std::"), std::string_view("fmt::")}) {
    for (std::size_t at = code.find(space); at != std::string::npos;
         at = code.find(space, at + 1)) {
      const std::string name = word_at(code, at + space.size());
      const std::string header = header_of(space, name);
      if (!header.empty()) file.uses.emplace(header, std::string(space) + name);
    }
  }
  return file;
}

// By path from the root of the sources.
const std::map<std::string, File>& files() {
  static const std::map<std::string, File> all = [] {
    std::map<std::string, File> result;
    for (const char* folder : {"src", "tests", "bench"}) {
      for (const auto& entry : fs::recursive_directory_iterator(source_dir() / folder)) {
        const std::string name = entry.path().lexically_relative(source_dir()).generic_string();
        const bool ours =
            !name.starts_with("tests/data/") && name.find("/headers/") == std::string::npos;
        const std::string extension = entry.path().extension();
        if (!ours || (extension != ".hpp" && extension != ".cpp")) continue;
        result.emplace(name, read(headway::read_file(entry.path())));
      }
    }
    return result;
  }();
  return all;
}

// What `name` includes, by whatever way through our own files.
std::set<std::string> reach(const std::string& name) {
  std::set<std::string> result;
  std::vector<std::string> open = {name};
  std::set<std::string> seen = {name};
  while (!open.empty()) {
    const File& file = files().at(open.back());
    open.pop_back();
    for (const std::string& include : file.includes) {
      result.insert(include);
      for (const char* folder : {"src/", "tests/", "bench/", "include/"}) {
        const std::string path = folder + include;
        if (files().count(path) > 0 && seen.insert(path).second) open.push_back(path);
      }
    }
  }
  return result;
}

}  // namespace

TEST_CASE("structure/standard_headers: a file includes the precompiled headers that it uses") {
  CHECK(files().size() > 600);
  for (const auto& entry : files()) {
    const std::set<std::string> includes = reach(entry.first);
    for (const auto& [header, use] : entry.second.uses) {
      const std::string place = entry.first + ": <" + header + "> for " + use;
      CAPTURE(place);
      CHECK(includes.count(header) == 1);
    }
  }
}

TEST_CASE("structure/standard_headers: each header that is precompiled has its names here") {
  const std::string lists = headway::read_file(source_dir() / "src/CMakeLists.txt");
  const std::size_t begin = lists.find("set(HEADWAY_HEADERS");
  REQUIRE(begin != std::string::npos);
  const std::string list = lists.substr(begin, lists.find(')', begin) - begin);
  std::set<std::string> precompiled;
  for (std::size_t at = list.find('<'); at != std::string::npos; at = list.find('<', at + 1)) {
    precompiled.insert(list.substr(at + 1, list.find('>', at) - at - 1));
  }
  std::set<std::string> known;
  for (const auto& entry : kNames) known.insert(entry.first);
  CHECK(precompiled == known);
}

TEST_CASE("structure/standard_headers: comments and quotes use nothing") {
  const File file = read(
      "#include <map>\nint a;  // std::vector\nauto b = \"\\\"std::set\"; auto c = "
      "R\"x(std::span)\")x\";\n"
      "std::sort(d);\n");
  CHECK(file.includes == std::set<std::string>{"map"});
  CHECK(file.uses == std::map<std::string, std::string>{{"algorithm", "std::sort"}});
}
