// Integers that nobody gives: what range they are taken from, and that it is said.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

// Asserts that `claim` holds of n.
std::string claiming(const std::string& claim, const std::string& before = "") {
  return before + "#include <assert.h>\n__global__ void k(int n) { assert(" + claim + "); }\n";
}

int status(const std::string& text, std::vector<std::string> options = {}) {
  const TemporaryFolder folder;
  options.insert(options.begin(), "check");
  options.push_back(folder.write("k.cu", text).string());
  return headway::testing::headway(options).status;
}

}  // namespace

TEST_CASE("kernel/default_ranges: an integer that is not given is small, and not negative") {
  CHECK(status(claiming("n >= 0 && n <= 8")) == 0);
  CHECK(status(claiming("n != 0")) == 1);
  CHECK(status(claiming("n != 8")) == 1);
  // As large as the launch has threads, within bounds.
  CHECK(status(claiming("n <= 12"), {"--grid", "3"}) == 0);
  CHECK(status(claiming("n != 12"), {"--grid", "3"}) == 1);
  CHECK(status(claiming("n <= 64"), {"--block", "128"}) == 0);
}

TEST_CASE("kernel/default_ranges: what is said of integers counts, also that they are unknown") {
  CHECK(status(claiming("n != 100"), {"--arg", "n=100"}) == 1);
  CHECK(status(claiming("n != -7"), {"--arg", "n=unknown"}) == 1);
  CHECK(status(claiming("n != -7"), {"--assume", "n < 0"}) == 1);
  CHECK(status(claiming("n != 100", "// headway: kernel k assume n > 50\n")) == 1);
  CHECK(status(claiming("n != 100", "// headway: kernel k arg n=unknown(50..100)\n")) == 1);
  CHECK(status("#include <assert.h>\n__global__ void k(int n) {\n"
               "  __requires(n > 50);\n  assert(n != 100);\n}\n") == 1);
}

TEST_CASE("kernel/default_ranges: the answer, a note and JSON say what range it is about") {
  const TemporaryFolder folder;
  const std::string file =
      folder
          .write("k.cu",
                 "__global__ void k(const float* in, float* out, int n, float s) {\n"
                 "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                 "  if (i < n) out[i] = s * in[i];\n"
                 "}\n")
          .string();
  const auto table = headway::testing::check({file});
  CHECK(table.status == 0);
  CHECK(table.out.starts_with("k ends as CUDA promises, for n = unknown(0..8)\n"));
  CHECK(contains(table.err, "out: unknown data, s: unknown, n = unknown(0..8) (defaults"));
  CHECK(contains(headway::testing::check({"--format", "json", file}).out, "\"n = unknown(0..8)\""));
  const auto given = headway::testing::check({"--arg", "n=8", file});
  CHECK(given.out.starts_with("k ends as CUDA promises\n"));
}

TEST_CASE("kernel/default_ranges: loops to a bound that nobody gives end") {
  const std::string loop =
      "__global__ void f(const float* x, float* y, int n) {\n"
      "  float s = 0;\n"
      "  for (int i = threadIdx.x; i < n; i += blockDim.x) s += x[i];\n"
      "  y[blockIdx.x * blockDim.x + threadIdx.x] = s;\n"
      "}\n";
  CHECK(status(loop) == 0);
}

TEST_CASE("kernel/default_ranges: beyond a limit, values are asked for, or a proof") {
  const TemporaryFolder folder;
  const std::string file =
      folder
          .write("k.cu",
                 "__global__ void k(const int* in, int* out, int n) {\n"
                 "  for (int i = 0; i < n; ++i) atomicAdd(&out[in[i] & 7], 1);\n"
                 "}\n")
          .string();
  const auto open = headway::testing::check({"--max-states", "300", file});
  CHECK(open.status == 3);
  CHECK(contains(
      open.err,
      "; --arg n=8, a smaller launch (--grid, --block), data (--buffer), or headway verify, may"));
  for (const char* command : {"explain", "slice"}) {
    std::vector<std::string> words = {command, "--max-states", "300", file};
    if (command == std::string("explain")) words.insert(words.end(), {"-m", "CUDA"});
    const auto other = headway::testing::headway(words);
    CAPTURE(command);
    CHECK(other.status == 3);
    CHECK(contains(other.err, "may decide it"));
  }
}

TEST_CASE("kernel/default_ranges: the directive of a note, in the file, says what the note does") {
  const TemporaryFolder folder;
  const std::string kernel = "__global__ void k(int* p, int n) { if (n > 8) *p = n; }\n";
  const auto check = [&](const std::string& text) {
    return headway::testing::headway({"check", folder.write("k.cu", text).string()});
  };
  const auto directive_in = [](const std::string& note) {
    const std::size_t begin = note.find("'// headway:") + 1;
    return note.substr(begin, note.find('\'', begin) - begin) + "\n";
  };
  const std::string first = directive_in(check(kernel).err);
  CHECK(first == "// headway: kernel k grid 2 block 4 arg n=unknown(0..8)\n");
  CHECK_FALSE(contains(check(first + kernel).err, "to say so or otherwise"));
  // Of what it says already, nothing again.
  const std::string half = "// headway: grid 3 block 2\n";
  const std::string second = directive_in(check(half + kernel).err);
  CHECK(second == "// headway: arg n=unknown(0..8)\n");
}
