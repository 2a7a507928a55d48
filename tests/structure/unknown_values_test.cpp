// What is not known of a program has a value of its own: code that gives it a meaning puts no other
// in its place.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "base/file.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace {

// The code of a line that calls value_or(), with why what it takes is right.
const std::map<std::string, std::string>& reasons() {
  static const std::map<std::string, std::string> all = {
      {"static_cast<int>(column.value_or(0))});", "a place without a column is a place"},
      {"code = assembled(text, path, version.value_or(SPV_ENV_UNIVERSAL_1_6));",
       "texts that name no version may be of any"},
      {"return {{Type::integer(1), given().value_or(value ? 1 : 0) != 0 ? 1U : 0U}};",
       "the default of a specialization constant, which is a premise"},
      {"result.matrix_stride = decoration(type, member, "
       "spv::Decoration::MatrixStride).value_or(0);",
       "0 is that columns follow each other"},
      {"high = in_model(term).value_or(high);", "a bound that holds without a model"},
      {"high = std::min(middle, in_model(term).value_or(middle));",
       "a bound that holds without a model"},
      {"made.place = world.launch_place.value_or(i.place);", "a place"},
      {"give(i, result.value_or(Cell::undefined()));", "what is undefined is said to be"},
      {"for (LLVMValueRef callee : code.callees) all = sum(all, of(callee).inlined.value_or(0));",
       "calls of one that is being looked at are recursive, and stay"},
      {"for (const auto& size : options_.launch.block) threads *= size.value_or(1);",
       "whether a workgroup surely has one thread"},
      {"group *= options_.launch.block[d].value_or(1);", "looked at where sizes are known"},
      {"all *= options_.launch.grid[d].value_or(1);", "looked at where sizes are known"}};
  return all;
}

}  // namespace

TEST_CASE("structure/unknown_values: value_or() stands where there is a reason for it") {
  std::set<std::string> found;
  for (const char* folder : {"src/kernel/ir", "src/kernel/llvm", "src/kernel/machine",
                             "src/kernel/spirv", "src/verify/encoding"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(headway::testing::source_dir() / folder)) {
      if (!entry.is_regular_file()) continue;
      std::istringstream lines(headway::read_file(entry.path()));
      for (std::string line; std::getline(lines, line);) {
        if (line.find("value_or(") == std::string::npos) continue;
        line.erase(0, line.find_first_not_of(' '));
        INFO(entry.path().string(), ": ", line);
        CHECK(reasons().count(line) == 1);
        found.insert(line);
      }
    }
  }
  for (const auto& reason : reasons()) {
    INFO(reason.first, ": ", reason.second);
    CHECK(found.count(reason.first) == 1);
  }
}
