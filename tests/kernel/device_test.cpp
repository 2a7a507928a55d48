// Calls of CUDA give in kernels what an NVIDIA device gave for them: tests/data/device/h100.tsv has
// their operands and results, which tests/kernel/device/builtins.py took from one.
// HEADWAY_DEVICE_RESULTS=FILE looks at a file of more of them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "kernel/clang/compile.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"

namespace {

using namespace headway::kernel;
using Words = std::vector<std::uint64_t>;

struct DeviceRow {
  std::string types, call;
  std::vector<Words> operands;  // of each case
  Words results;
};

Words hex_words(const std::string& text) {
  Words words;
  std::istringstream in(text);
  for (std::uint64_t word = 0; in >> std::hex >> word;) words.push_back(word);
  return words;
}

std::vector<DeviceRow> device_rows(const std::filesystem::path& file) {
  std::vector<DeviceRow> rows;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream parts(line);
    std::string types, call, operands, result;
    for (std::string* part : {&types, &call, &operands, &result}) std::getline(parts, *part, '\t');
    if (rows.empty() || rows.back().types != types || rows.back().call != call)
      rows.push_back({types, call, {}, {}});
    rows.back().operands.push_back(hex_words(operands));
    REQUIRE(rows.back().operands.back().size() == types.size());
    rows.back().results.push_back(hex_words(result).at(0));
  }
  return rows;
}

std::string type_named(char letter) {
  static const std::map<char, const char*> types = {
      {'i', "int"},    {'u', "unsigned"},       {'m', "long long"},
      {'f', "float"},  {'d', "double"},         {'l', "unsigned long long"},
      {'h', "__half"}, {'b', "__nv_bfloat16"},  {'H', "__half2"},
      {'s', "short"},  {'t', "unsigned short"}, {'B', "__nv_bfloat162"},
      {'o', "bool"}};
  return types.at(letter);
}

std::string table_of(const std::string& name, const Words& words) {
  return fmt::format("static __constant__ const unsigned long long {}[] = {{{:#x}}};\n", name,
                     fmt::join(words, ", "));
}

// Claims of all cases of a row that they are as on the device: all<i>; of one: is<i>; and that it
// is not: not<i>.
std::string claims_of(const DeviceRow& row, std::size_t number) {
  Words operands;
  for (const Words& one : row.operands) operands.insert(operands.end(), one.begin(), one.end());
  std::string text = table_of(fmt::format("in{}", number), operands) +
                     table_of(fmt::format("out{}", number), row.results);
  std::string body = "LOCALS ";
  for (std::size_t k = 0; k < row.types.size(); ++k) {
    body += fmt::format("{0} {1} = from<{0}>(in{2}[{3} * c + {4}]); ", type_named(row.types[k]),
                        "xyzw"[k], number, row.types.size(), k);
  }
  const std::string result = fmt::format("out{}[c]", number);
  const auto kernel = [&](const char* name, const char* relation) {
    text +=
        fmt::format("extern \"C\" __global__ void {}{}(int c) {{ {}assert(bits({}) {} {}); }}\n",
                    name, number, body, row.call, relation, result);
  };
  kernel("is", "==");
  kernel("not", "!=");
  text += fmt::format(
      "extern \"C\" __global__ void all{}() {{ for (int c = 0; c < {}; ++c) {{ {}assert(bits({}) "
      "== "
      "{}); }} }}\n",
      number, row.operands.size(), body, row.call, result);
  return text;
}

bool claim_fails(const std::shared_ptr<const Module>& module, const Function& function,
                 std::optional<std::size_t> number) {
  LaunchSpec spec;
  spec.grid = Size3{1, 1, 1};
  spec.block = Size3{1, 1, 1};
  if (number) spec.arguments["c"].integer = static_cast<std::int64_t>(*number);
  const Exploration found = analyse(module, function, spec, nullptr, {}).exploration;
  CHECK((found.complete || !found.faults.empty()));
  return !found.faults.empty();
}

struct Count {
  std::size_t computed = 0, unknown = 0;
};

// Some rows at a time, as all that a module has is there in each launch.
Count compare(const std::vector<DeviceRow>& rows) {
  std::string text = "#include \"builtins.h\"\n";
  for (std::size_t i = 0; i < rows.size(); ++i) text += claims_of(rows[i], i);
  const headway::testing::TemporaryFolder folder;
  Compiler& compiler = headway::testing::shared_compiler();
  CompileOptions compile;
  compile.flags = {"-I" + (headway::testing::source_dir() / "tests/kernel/device").string()};
  const auto module =
      read_kernels(folder.write("all.cu", text), Side::device, compile, compiler).module;
  std::map<std::string, const Function*> functions;
  for (const Function& function : module->functions) functions[function.name] = &function;
  const auto fails = [&](const char* name, std::size_t i, std::optional<std::size_t> number) {
    return claim_fails(module, *functions.at(fmt::format("{}{}", name, i)), number);
  };
  Count count;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const DeviceRow& row = rows[i];
    INFO(row.types, " ", row.call);
    CHECK(functions.at(fmt::format("all{}", i))->unsupported == "");
    if (!fails("all", i, {})) {
      count.computed += row.operands.size();
      continue;
    }
    for (std::size_t c = 0; c < row.operands.size(); ++c) {
      if (!fails("is", i, c)) {
        ++count.computed;
        continue;
      }
      INFO("of ", fmt::format("{:x}", fmt::join(row.operands[c], " ")), " is ",
           fmt::format("{:x}", row.results[c]));
      CHECK(fails("not", i, c));  // what headway does not compute may be anything: both claims fail
      ++count.unknown;
    }
  }
  return count;
}

}  // namespace

TEST_CASE("kernel/device: calls give what a device gave for them") {
  const char* other = std::getenv("HEADWAY_DEVICE_RESULTS");
  const std::vector<DeviceRow> rows =
      device_rows(other == nullptr ? headway::testing::source_dir() / "tests/data/device/h100.tsv"
                                   : std::filesystem::path(other));
  REQUIRE(rows.size() > 0);
  Count all;
  constexpr std::size_t kAtATime = 80;
  for (std::size_t from = 0; from < rows.size(); from += kAtATime) {
    const std::size_t to = std::min(from + kAtATime, rows.size());
    const Count count = compare({rows.begin() + static_cast<std::ptrdiff_t>(from),
                                 rows.begin() + static_cast<std::ptrdiff_t>(to)});
    all.computed += count.computed;
    all.unknown += count.unknown;
  }
  MESSAGE(all.computed, " computed, ", all.unknown, " unknown");
  CHECK(all.computed > 4 * all.unknown);
}
