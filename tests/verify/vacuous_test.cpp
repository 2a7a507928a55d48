// Verdicts that would be about nothing: of one thread, of what is assumed, of sizes that no launch
// has, and of loops that wait for ever.
#include <doctest/doctest.h>

#include <map>

#include "base/text/csv.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

struct Asked {
  std::map<std::string, std::string> verdicts, details;  // by property
  int status = 0;
  std::string err;
};

Asked asked(const std::string& kernel, std::vector<std::string> more) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.cu", "#include <assert.h>\n" + kernel + "\n");
  more.insert(more.begin(), {"verify", file.string(), "--format", "csv"});
  const CommandResult result = headway::testing::headway(more);
  Asked answer{{}, {}, result.status, result.err};
  for (const auto& row : headway::parse_csv(result.out, "csv")) {
    answer.verdicts[row.at(2)] = row.at(3);
    answer.details[row.at(2)] = row.at(5);
  }
  return answer;
}

std::string verdict(const std::string& kernel, std::vector<std::string> more,
                    const std::string& property) {
  return asked(kernel, std::move(more)).verdicts[property];
}

}  // namespace

TEST_CASE("verify/vacuous: a launch of one thread has claims, too") {
  const std::string far = "__global__ void k(int n) { assert(n != 70707); }";
  CHECK(verdict(far, {"--block", "1", "--grid", "1"}, "assertion") == "violated");
  const std::string right =
      "__global__ void k(int* a, int n) { a[0] = n; a[0] = n + 1; "
      "__syncthreads(); assert(threadIdx.x == 0); }";
  for (const char* property : {"assertion", "race", "divergence"}) {
    CHECK(verdict(right, {"--block", "1", "--grid", "1"}, property) == "verified");
  }
  // Where sizes are open it is one launch of many.
  const std::string alone =
      "__global__ void k(int n) "
      "{ if (gridDim.x * blockDim.x == 1) assert(n != 70707); }";
  CHECK(verdict(alone, {"--block", "any,1,1", "--grid", "any,1,1"}, "assertion") == "violated");
  CHECK(verdict(alone, {"--block", "any,1,1", "--grid", "2"}, "assertion") == "verified");
  CHECK(verdict("__global__ void k() { __shared__ int s[4]; if (blockDim.x < 2) s[4] = 1; }",
                {"--block", "any,1,1", "--grid", "1", "--bounds"}, "bounds") == "violated");
  CHECK(verdict(
            "__global__ void k(int n) { if (gridDim.x * blockDim.x == 1 && n == 70707) __trap(); }",
            {"--block", "any,1,1", "--grid", "any,1,1"}, "assertion") == "violated");
}

TEST_CASE("verify/vacuous: what is required late is assumed from there on") {
  const auto with = [](const std::string& before, const std::string& property) {
    return verdict("__global__ void k(int* a, int n) { int i = threadIdx.x; " + before +
                       " __requires(n == 1); a[i * n] = i; }",
                   {"--block", "2", "--grid", "1"}, property);
  };
  for (const char* property : {"race", "assertion"}) {
    CHECK(with("", property) == "verified");
    CHECK(with("if (i > 0) a[9] = 2;", property) == "verified");
  }
  CHECK(with("if (n > 0) a[7] = i;", "race") == "violated");
  // What a function requires that is called has to hold there.
  CHECK(verdict("__device__ int half(int n) { __requires(n >= 0); return n / 2; }"
                "__global__ void k(int* a, int n) { if (n > -3) a[threadIdx.x] = half(n); }",
                {"--block", "2", "--grid", "1"}, "assertion") == "violated");
}

TEST_CASE("verify/vacuous: nothing is verified behind what never holds") {
  const auto of = [](const std::string& body, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--block", "2", "--grid", "1"});
    return asked("__global__ void k(int* a, int n) {" + body + "}", more);
  };
  const Asked none = of("__requires(n > 4); __requires(n < 4); a[0] = threadIdx.x;");
  CHECK(none.verdicts.at("race") == "unknown");
  CHECK(contains(none.details.at("race"), "holds in no execution"));
  CHECK(none.status == 3);
  CHECK(of("if (n > 4) { __assume(n < 3); a[0] = threadIdx.x; }").verdicts.at("race") == "unknown");
  CHECK(of("a[0] = threadIdx.x;", {"--assume", "n > 4", "--assume", "n < 3"}).status == 2);
  // Where some execution comes there and fulfils it, and where none comes there.
  CHECK(of("__requires(n > 4); __assume(n < 9); if (n == 20) a[0] = threadIdx.x;")
            .verdicts.at("race") == "verified");
  CHECK(of("__requires(n > 4); if (n < 3) { __assume(n > 4); a[0] = threadIdx.x; }")
            .verdicts.at("race") == "verified");
}

TEST_CASE("verify/vacuous: sizes are those that a kernel may be launched with") {
  const std::string small =
      "__global__ __launch_bounds__(2) void k(int* a) "
      "{ if (threadIdx.x > 1) a[0] = threadIdx.x; }";
  CHECK(verdict(small, {"--grid", "1"}, "race") == "verified");
  CHECK(verdict(small, {"--grid", "1", "--block", "any,1,1"}, "race") == "verified");
  const Asked none = asked(small, {"--grid", "1", "--block", "4"});
  CHECK(none.verdicts.at("race") == "unsupported");
  CHECK(contains(none.details.at("race"), "__launch_bounds__"));
}

TEST_CASE("verify/vacuous: a loop that is not shown to end is a row, and a status") {
  const Asked waits =
      asked("__global__ void k(int* a) { while (a[0] == 0); }", {"--block", "1", "--grid", "1"});
  CHECK(waits.verdicts.at("termination") == "unknown");
  CHECK(contains(waits.details.at("termination"), "line 2"));
  CHECK(waits.status == 3);
  const Asked ends = asked("__global__ void k(int* a) { for (int i = 0; i < 9; ++i) a[i] = 1; }",
                           {"--block", "1", "--grid", "1"});
  CHECK(ends.verdicts.at("termination") == "verified");
  CHECK(ends.status == 0);
}
