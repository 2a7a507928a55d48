// Asynchronous copies of a thread: what is copied may be touched by nobody, the thread itself
// included, before it has waited for the copy, and by others behind a barrier that follows.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/texts.hpp"

using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

constexpr const char* kCopyAssembly = R"(
__device__ unsigned at(void* p) { return (unsigned)__cvta_generic_to_shared(p); }
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(at(to)), "l"(from) : "memory")
#define COPY_SOME(to, from, n) asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"(at(to)), "l"(from), "r"(n) : "memory")
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group %0;" :: "n"(n) : "memory")
#define WAIT_ALL asm volatile("cp.async.wait_all;" ::: "memory")
)";

constexpr const char* kCopyPipeline = R"(
#include <cuda_pipeline.h>
#define COPY(to, from) __pipeline_memcpy_async(to, from, 4)
#define COPY_SOME(to, from, n) __pipeline_memcpy_async(to, from, 4, 4 - (n))
#define COMMIT __pipeline_commit()
#define WAIT(n) __pipeline_wait_prior(n)
#define WAIT_ALL __pipeline_commit(); __pipeline_wait_prior(0)
)";

std::string copying(const char* spelling, const std::string& body) {
  return fmt::format(
      "{}\n#define t threadIdx.x\n__global__ void k(int* in, int* out) {{\n  __shared__ int s[8];\n"
      "{}\n}}\n",
      spelling, body);
}

CommandResult copied(const std::string& command, const std::string& text,
                     const std::string& block = "4") {
  const TemporaryFolder folder;
  std::vector<std::string> arguments = {command, folder.write("a.cu", text).string()};
  arguments.insert(arguments.end(), {"--grid", "1", "--block", block, "--format", "csv"});
  if (command == "check") arguments.insert(arguments.end(), {"--models", "fair"});
  return headway::testing::headway(arguments);
}

void copies(const std::string& body, const std::string& block = "4") {
  for (const char* spelling : {kCopyAssembly, kCopyPipeline}) {
    const std::string text = copying(spelling, body);
    CAPTURE(text);
    const CommandResult checked = copied("check", text, block);
    CAPTURE(checked.err);
    CHECK(contains(checked.out, ",fair,weak,pass"));
    const CommandResult proved = copied("verify", text, block);
    CAPTURE(proved.out);
    CAPTURE(proved.err);
    for (const char* property : {"race", "divergence", "termination"}) {
      CHECK(contains(proved.out, fmt::format(",{},verified", property)));
    }
  }
}

void copy_races(const std::string& body, const std::string& block = "4") {
  for (const char* spelling : {kCopyAssembly, kCopyPipeline}) {
    const std::string text = copying(spelling, body);
    CAPTURE(text);
    const CommandResult checked = copied("check", text, block);
    CAPTURE(checked.err);
    CHECK(contains(checked.out, ",fair,weak,error"));
    CHECK(contains(headway::testing::unfolded(checked.err), "by an asynchronous copy"));
    const CommandResult proved = copied("verify", text, block);
    CAPTURE(proved.out);
    CHECK(contains(proved.out, ",race,violated"));
  }
}

}  // namespace

TEST_CASE("kernel/ptx/copies: a copy is over when its thread has waited for it") {
  copies("  COPY(&s[t], &in[t]); WAIT_ALL; out[t] = s[t];");
  copies("  COPY(&s[t], &in[t]); COMMIT; WAIT(0); __syncthreads(); out[t] = s[3 - t];");
  copies(
      "  COPY(&s[t], &in[t]); COPY(&s[t + 4], &in[t + 4]); WAIT_ALL; __syncthreads();\n"
      "  out[t] = s[3 - t] + s[7 - t];");
  copy_races("  COPY(&s[t], &in[t]); out[t] = s[t];");
  copy_races("  COPY(&s[t], &in[t]); WAIT(0); out[t] = s[t];");  // it is in no group
  copy_races("  COMMIT; COPY(&s[t], &in[t]); WAIT(0); out[t] = s[t];");
  copy_races("  COPY(&s[t], &in[t]); WAIT_ALL; out[t] = s[3 - t];");
  copy_races("  COPY(&s[t], &in[t]); __syncthreads(); out[t] = s[3 - t]; WAIT_ALL;");
  copy_races("  COPY(&s[t], &in[t]); __syncthreads(); WAIT_ALL; out[t] = s[3 - t];");
  copy_races("  COPY(&s[t], &in[t]); in[t] = 1; WAIT_ALL;");
  copy_races("  COPY(&s[t], &in[t]); s[t] = 1; WAIT_ALL;");
  copy_races("  COPY(&s[t], &in[t]); COPY(&s[t], &in[t]); WAIT_ALL;");
  copies("  COPY(&s[t], &in[t]); WAIT_ALL; COPY(&s[t], &in[t]); WAIT_ALL;");
  copies("  s[t] = 1; __syncthreads(); COPY(&s[3 - t], &in[t]); WAIT_ALL;");
  copy_races("  s[t] = 1; COPY(&s[3 - t], &in[t]); WAIT_ALL;");
  copy_races("  COPY(&s[0], &in[0]); out[0] = s[0]; WAIT_ALL;", "1");
  copies("  COPY(&s[0], &in[0]); WAIT_ALL; out[0] = s[0];", "1");
}

TEST_CASE("kernel/ptx/copies: groups are waited for from the oldest on") {
  const std::string two = "  COPY(&s[t], &in[t]); COMMIT; COPY(&s[t + 4], &in[t + 4]); COMMIT;\n";
  copies(two + "  WAIT(1); out[t] = s[t]; WAIT(0); out[t] += s[t + 4];");
  copy_races(two + "  WAIT(1); out[t] = s[t + 4]; WAIT(0);");
  copy_races(two + "  WAIT(2); out[t] = s[t]; WAIT(0);");
  // Two stages: while one is read, the next one is on its way.
  const auto stages = [](int left) {
    return fmt::format(
        "  COPY(&s[t], &in[t]); COMMIT;\n"
        "  for (int i = 0; i < 4; ++i) {{\n"
        "    if (i < 3) COPY(&s[(i + 1) % 2 * 4 + t], &in[t + (i + 1) * 4]);\n"
        "    COMMIT; WAIT({}); __syncthreads();\n"
        "    out[t + i * 4] = s[i % 2 * 4 + 3 - t];\n"
        "    __syncthreads();\n"
        "  }}",
        left);
  };
  copies(stages(1));
  copies(stages(0));
  copy_races(stages(2));
}

TEST_CASE("kernel/ptx/copies: what is not copied is zero") {
  copies("  COPY_SOME(&s[t], &in[t], 2); WAIT_ALL; assert((s[t] & ~0xffff) == 0); out[t] = s[t];");
  copies("  COPY_SOME(&s[t], &in[t], 0); WAIT_ALL; assert(s[t] == 0); in[t] = s[t];");
  copy_races("  COPY_SOME(&s[t], &in[t], 2); WAIT_ALL; if (t == 0) in[1] = 0;");
}

TEST_CASE("kernel/ptx/copies: the copy of a tile in a loop is proved for all sizes") {
  for (const char* spelling : {kCopyAssembly, kCopyPipeline}) {
    const auto text = [&](const char* wait) {
      return fmt::format(
          "{}\n__global__ void k(int* in, int* out, int rows) {{\n  extern __shared__ int s[];\n"
          "  for (int r = 0; r < rows; ++r) {{\n"
          "    COPY(&s[threadIdx.x], &in[r * blockDim.x + threadIdx.x]);\n    {}\n"
          "    if (blockIdx.x == 0) out[r * blockDim.x + threadIdx.x] = s[threadIdx.x];\n  "
          "}}\n}}\n",
          spelling, wait);
    };
    const auto proofs = [](const std::string& of) {
      const TemporaryFolder folder;
      return headway::testing::headway({"verify", folder.write("a.cu", of).string(), "--block",
                                        "32", "--format", "csv", "--assume", "rows < 100"});
    };
    const CommandResult right = proofs(text("WAIT_ALL;"));
    CAPTURE(right.err);
    CHECK(contains(right.out, ",race,verified"));
    CHECK(!contains(proofs(text("")).out, ",race,verified"));
  }
}
