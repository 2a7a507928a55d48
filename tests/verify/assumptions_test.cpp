// What is assumed of arguments and sizes, by option and by directive, holds for proofs and runs.
#include <doctest/doctest.h>

#include <sstream>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/solvers.hpp"

using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

// Neighbours write one place, unless `step` is 1 or `wide`; all of them do if `step` is 0.
CommandResult verified(const std::string& directive, std::vector<std::string> more = {}) {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "a.cu", "// headway: kernel f grid 2 block 8 " + directive +
                  "\n__global__ void f(int* out, int step, bool wide, unsigned n) {\n"
                  "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "  if (wide) out[i] = 1; else if (i < n) out[i / step] = threadIdx.x;\n}\n");
  more.insert(more.begin(), {"verify", file.string()});
  return headway::testing::headway(more);
}

// Of races, in the table.
bool property_is(const CommandResult& result, const std::string& verdict) {
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    if (contains(line, "  race  ")) return contains(line, "  " + verdict);
  }
  return false;
}
bool is_verified(const CommandResult& result) { return property_is(result, "verified"); }
bool is_violated(const CommandResult& result) { return property_is(result, "violated"); }

}  // namespace

TEST_CASE("verify/assumptions: what is assumed leaves out arguments, and nothing else") {
  CHECK(is_violated(verified("")));
  CHECK(is_verified(verified("assume step == 1")));
  CHECK(is_verified(verified("", {"--assume", "step == 1"})));
  CHECK(is_verified(verified("assume wide == 1")));
  CHECK(is_violated(verified("assume wide == 0")));
  CHECK(is_violated(verified("assume step > 1")));
  CHECK(is_verified(verified("assume step > 0 && step < 2")));
  CHECK(is_verified(verified("assume n == 0")));
  CHECK(is_verified(verified("assume step > 0 && n >= 0 && n <= 1")));
  CHECK(is_violated(verified("assume n == 2 && step == 2")));
  CHECK(is_verified(verified("assume step >= 1", {"--assume", "step <= 1"})));
}

TEST_CASE("verify/assumptions: the output names what is assumed") {
  CHECK(contains(verified("assume step == 1").out, "assumed: f: step == 1 at line 1"));
  CHECK(contains(verified("", {"--assume", "step == 1"}).out, "assumed: f: step == 1\n"));
}

TEST_CASE("verify/assumptions: sizes that are open have what is assumed of them") {
  if (!headway::testing::has_cvc5()) return;  // z3 does not decide products of sizes
  const auto open = [](const std::string& condition) {
    return verified("", {"--block", "any", "--grid", "any", "--assume", condition});
  };
  CHECK(is_verified(open("step == 1 && gridDim.x * blockDim.x <= 65536")));
  CHECK_FALSE(is_verified(open("step == 1")));  // ids wrap around in the largest grids
  CHECK(is_verified(open("gridDim.x * blockDim.x == 1")));
}

TEST_CASE("verify/assumptions: what is no condition of this kernel has its place") {
  const CommandResult wrong = verified("assume k > 1");
  CHECK(wrong.status == 2);
  CHECK(contains(wrong.err, "a.cu:1:"));
  CHECK(contains(wrong.err, "'k' is no integer argument"));
  const CommandResult none = verified("assume 1 > 2");
  CHECK(none.status == 2);
  CHECK(contains(none.err, "holds for none of the arguments"));
}
