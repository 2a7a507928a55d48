// Conditions on the arguments of a launch, by option and by directive.
#include <doctest/doctest.h>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

// out has four elements, so that n decides whether it is left.
CommandResult checked(const std::string& directive, std::vector<std::string> more = {}) {
  const TemporaryFolder folder;
  const auto file =
      folder.write("a.cu", "// headway: kernel f grid 2 block 2 buffer out=4 " + directive +
                               "\n__global__ void f(int* out, int n, unsigned step, float real) {\n"
                               "  int i = blockIdx.x * 2 + threadIdx.x;\n"
                               "  if (i < n) out[i * (step - 1)] = i;\n}\n");
  more.insert(more.begin(), {"--format", "csv", "-m", "fair", file.string()});
  return headway::testing::check(more);
}

}  // namespace

TEST_CASE("kernel/test/assumption: what is assumed leaves out arguments, and nothing else") {
  CHECK(contains(checked("").out, "error"));
  CHECK(contains(checked("assume step == 2").out, "pass"));
  CHECK(contains(checked("", {"--assume", "step == 2"}).out, "pass"));
  CHECK(contains(checked("assume step <= 2 && step > 0 && n <= 1").out, "pass"));
  CHECK(contains(checked("assume step == 3").out, "error"));
  CHECK(contains(checked("assume step == 3 && n <= 2").out, "pass"));
  CHECK(contains(checked("assume step == 3", {"--assume", "n <= 2"}).out, "pass"));
  CHECK(contains(checked("assume step == 3 && n <= 2 || step == 4").out, "error"));
}

TEST_CASE("kernel/test/assumption: operators are those of C, with 64 bits and signs") {
  const std::string two = "step == 2";
  for (const char* holds :
       {"n == -1 || n != -1", "(7 - 9) / 2 == -1", "-7 % 4 == -3", "1 << 2 == 4", "-8 >> 1 == -4",
        "2 + 3 * 4 == 14", "(6 & 3 | 8) == 10", "(6 ^ 3) == 5", "~0 == -1", "!0", "!(1 > 2)",
        "0x10 == 16", "gridDim.x == 2 && blockDim.x == 2 && gridDim.z == 1",
        "4000000000 * 4 == 16000000000", "1 | 0 == 1"}) {
    CAPTURE(holds);
    CHECK(contains(checked("assume step == 2 && (" + std::string(holds) + ")").out, "pass"));
  }
  for (const char* fails : {"n > n", "1 == 2", "gridDim.x == 3", "n > 5 && n < 5", "n * 0 == 1"}) {
    CAPTURE(fails);
    const CommandResult result = checked("assume " + std::string(fails));
    CHECK(result.status == 2);
    CHECK(contains(result.err, "holds for none of the arguments"));
  }
}

TEST_CASE("kernel/test/assumption: what is no condition is refused at its place") {
  const auto refused = [](const std::string& text) {
    const CommandResult result = checked("", {"--assume", text});
    CHECK(result.status == 2);
    return result.err;
  };
  CHECK(contains(refused("m > 0"), "'m' is no integer argument of 'f' and no size of the launch"));
  CHECK(contains(refused("setp > 0"), "did you mean 'step'"));
  CHECK(contains(refused("real > 0"), "'real' is no integer argument"));
  CHECK(contains(refused("threadIdx.x < n"), "'threadIdx.x' is no integer"));
  CHECK(contains(refused("n >"), "expected a number"));
  CHECK(contains(refused("(n > 0"), "expected ')'"));
  CHECK(contains(refused("n > 0 n"), "expected an operator"));
  CHECK(contains(refused("n / step == 1"), "a division by something else than a number"));
  CHECK(contains(refused("1 << 64 == 0"), "a shift"));
  CHECK(contains(refused("n > 99999999999999999999"), "expected an integer"));
  CHECK(contains(refused(std::string(200, '(') + "n"), "nested too deeply"));
  const CommandResult placed = checked("assume n > k");
  CHECK(placed.status == 2);
  CHECK(contains(placed.err, "a.cu:1:61:"));
}
