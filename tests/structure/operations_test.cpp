// What an operation of kernel IR is stands in operations.def: nobody else knows their order.
#include <doctest/doctest.h>

#include <regex>
#include <sstream>
#include <string>
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

}  // namespace

TEST_CASE("structure/operations: no operation is compared by its place in the table") {
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
