// What an operation of kernel IR is stands in operations.def: nobody else knows their order.
#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.hpp"
#include "support/files.hpp"

namespace {

// Lines that compare an operation by its place in the list.
std::vector<std::string> orders(const std::string& text) {
  static const std::regex kOrder(
      R"((\bop\)?\s*(<|>|<=|>=)\s*(kernel::)?Op::)|(\bOp::\w+\s*(<|>|<=|>=)\s*[\w.>-]*\bop\b))");
  std::vector<std::string> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, kOrder)) result.push_back(line);
  }
  return result;
}

// The number of `switch` statements over operations, or over kinds of them, that have a `default:`.
int defaults(const std::string& text) {
  static const std::regex kOperation(R"(^\s*case (kernel::)?(Op|[A-Z]\w*Op|OpClass)::)");
  int result = 0;
  std::map<std::size_t, bool> over_operations;  // by how far the labels stand in
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == std::string::npos) continue;
    const std::string_view code = std::string_view(line).substr(indent);
    if (code.starts_with("switch (")) {
      over_operations.erase(over_operations.upper_bound(indent), over_operations.end());
    }
    if (std::regex_search(line, kOperation)) over_operations[indent] = true;
    if (code.starts_with("default:") && over_operations[indent]) ++result;
  }
  return result;
}

}  // namespace

TEST_CASE("structure/operations: none is compared by its place, and none is meant by `default:`") {
  namespace fs = std::filesystem;
  int files = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(headway::testing::source_dir() / "src")) {
    const fs::path& path = entry.path();
    if (path.extension() != ".cpp" && path.extension() != ".hpp") continue;
    ++files;
    for (const std::string& line : orders(headway::read_file(path))) {
      FAIL_CHECK(path.string(), ": ", line);
    }
    // Readers of other representations have operations of their own, and refuse what they do not
    // know.
    const std::string folder = path.parent_path().filename().string();
    if (folder == "spirv" || folder == "llvm") continue;
    CHECK_MESSAGE(defaults(headway::read_file(path)) == 0, path.string());
  }
  CHECK(files > 500);
}

TEST_CASE("structure/operations: comparisons by place are found") {
  for (const char* line : {"if (i.op >= Op::load) {", "op<Op::add", "Op::eq <= i->op && x",
                           "at.op > kernel::Op::load", "(i.op) <= Op::sge"}) {
    CAPTURE(line);
    CHECK(orders(line).size() == 1);
  }
  for (const char* line : {"i.op == Op::load", "i.op != Op::add", "std::map<Op, int>",
                           "stack.top < Op::none_of_ours"}) {
    CAPTURE(line);
    CHECK(orders(line).empty());
  }
}

TEST_CASE("structure/operations: a `default:` is found where the labels are operations") {
  CHECK(defaults("switch (i.op) {\n  case Op::add:\n    break;\n  default:\n") == 1);
  CHECK(defaults("switch (x) {\n  case kernel::OpClass::value:\n  default:\n    break;") == 1);
  CHECK(defaults("switch (x) {\n  case RealOp::fadd:\n  default:\n    break;") == 1);
  CHECK(defaults("switch (x) {\n  case Update::add:\n  default:\n    break;") == 0);
  CHECK(defaults(
            "switch (i.op) {\n  case Op::add:\n    switch (i.update) {\n      case Update::add:\n"
            "      default:\n    }\n") == 0);
  CHECK(defaults(
            "switch (a) {\n  case Op::add:\n}\nswitch (b) {\n  case Update::add:\n  default:\n") ==
        0);
}
