// Barriers with phases, as cuda::barrier and as mbarrier of PTX: both have the same verdicts.
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

constexpr const char* kPhaseClass = R"(
#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;
typedef Barrier::arrival_token Token;
__device__ void begin(Barrier* b, int n) { init(b, n); }
__device__ Token arrive(Barrier* b) { return b->arrive(); }
__device__ void wait(Barrier* b, Token t) { b->wait(cuda::std::move(t)); }
__device__ void wait_parity(Barrier* b, int p) { while (!b->try_wait_parity(p)) {} }
)";

constexpr const char* kPhaseAssembly = R"(
typedef unsigned long long Barrier, Token;
__device__ unsigned at(void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void begin(Barrier* b, int n) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at(b)), "r"(n) : "memory");
}
__device__ Token arrive(Barrier* b) {
  Token t;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(at(b)) : "memory");
  return t;
}
__device__ void wait(Barrier* b, Token t) {
  asm volatile("{ .reg .pred p;\nW: mbarrier.test_wait.acquire.cta.shared.b64 p, [%0], %1;\n"
               "@!p bra W; }" :: "r"(at(b)), "l"(t) : "memory");
}
__device__ void wait_parity(Barrier* b, int p) {
  asm volatile("{ .reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@p bra D;\nbra W;\nD: }" :: "r"(at(b)), "r"(p) : "memory");
}
)";

CommandResult phased(const std::string& command, const char* spelling, const std::string& body,
                     int threads) {
  const TemporaryFolder folder;
  const std::string text = fmt::format(
      "{}\n#define t threadIdx.x\n__global__ void k(int* out) {{\n"
      "  __shared__ Barrier b, c;\n  __shared__ int s[4];\n  (void)c;\n{}\n}}\n",
      spelling, body);
  std::vector<std::string> arguments = {command, folder.write("a.cu", text).string()};
  arguments.insert(arguments.end(),
                   {"--grid", "1", "--block", std::to_string(threads), "--format", "csv"});
  if (command == "check") arguments.insert(arguments.end(), {"--models", "fair"});
  return headway::testing::headway(arguments);
}

void phases_pass(const std::string& body, int threads = 2) {
  for (const char* spelling : {kPhaseClass, kPhaseAssembly}) {
    CAPTURE(body);
    CAPTURE(spelling);
    const CommandResult checked = phased("check", spelling, body, threads);
    CAPTURE(checked.err);
    CHECK(contains(checked.out, ",fair,weak,pass"));
    const CommandResult proved = phased("verify", spelling, body, threads);
    CAPTURE(proved.out);
    CHECK(contains(proved.out, ",race,verified"));
  }
}

void phases_fail(const std::string& body, const std::string& verdict, const std::string& said,
                 int threads = 2) {
  for (const char* spelling : {kPhaseClass, kPhaseAssembly}) {
    CAPTURE(body);
    CAPTURE(spelling);
    const CommandResult checked = phased("check", spelling, body, threads);
    CAPTURE(checked.out);
    CAPTURE(checked.err);
    CHECK(contains(checked.out, ",fair,weak," + verdict));
    CHECK(contains(headway::testing::unfolded(checked.err), said));
    const CommandResult proved = phased("verify", spelling, body, threads);
    CAPTURE(proved.out);
    CHECK(!contains(proved.out, ",race,verified"));
  }
}

std::string begun(int count) {
  return fmt::format("  if (t == 0) begin(&b, {});\n  __syncthreads();\n", count);
}

constexpr const char* kPhaseMeet =
    "  s[t] = t; wait(&b, arrive(&b)); out[t] = s[blockDim.x - 1 - t];";

}  // namespace

TEST_CASE("kernel/ptx/phases: who waits sees what was written before each arrival") {
  phases_pass(begun(2) + kPhaseMeet);
  phases_pass(begun(3) + kPhaseMeet, 3);
  phases_fail(begun(1) + kPhaseMeet, "error", "race");
  phases_fail(begun(2) + "  Token w = arrive(&b); s[t] = t; wait(&b, w); out[t] = s[1 - t];",
              "error", "race");
  phases_fail(begun(2) + "  s[t] = t; arrive(&b); out[t] = s[1 - t];", "error", "race");
}

TEST_CASE("kernel/ptx/phases: who waits for one that does not come waits for ever") {
  for (const char* spelling : {kPhaseClass, kPhaseAssembly}) {
    const CommandResult checked = phased("check", spelling, begun(3) + kPhaseMeet, 2);
    CAPTURE(checked.err);
    CHECK(contains(checked.out, ",fair,weak,fail"));
  }
}

TEST_CASE("kernel/ptx/phases: a barrier is initialized before it is used") {
  phases_fail(kPhaseMeet, "error", "never written");
  phases_fail(std::string("  if (t == 0) begin(&b, 2);\n") + kPhaseMeet, "error", "");
}

TEST_CASE("kernel/ptx/phases: phases are told apart by their parity") {
  const auto rounds = [](const char* parity) {
    return begun(2) +
           fmt::format(
               "  for (int i = 0; i < 3; ++i) {{ s[t] = i; arrive(&b); wait_parity(&b, {});\n"
               "    out[t] = s[1 - t]; __syncthreads(); }}",
               parity);
  };
  phases_pass(rounds("i & 1"));
  phases_fail(rounds("(i + 1) & 1"), "error", "race");
  // Full and empty: one thread fills a place that another one empties.
  const auto handed = [](const char* first) {
    return "  if (t == 0) { begin(&b, 1); begin(&c, 1); }\n  __syncthreads();\n" +
           fmt::format(
               "  for (int i = 0; i < 3; ++i) {{\n"
               "    if (t == 0) {{ wait_parity(&c, {}); s[0] = i; arrive(&b); }}\n"
               "    else {{ wait_parity(&b, i & 1); out[i] = s[0]; arrive(&c); }} }}",
               first);
  };
  phases_pass(handed("(i + 1) & 1"));
  for (const char* spelling : {kPhaseClass, kPhaseAssembly}) {
    CHECK(contains(phased("check", spelling, handed("i & 1"), 2).out, ",fair,weak,fail"));
  }
}

TEST_CASE("kernel/ptx/phases: one thread may arrive for several") {
  const std::string spelling = std::string(kPhaseAssembly) + R"(
__device__ Token arrive_for(Barrier* b) {
  Token w;
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], 2;" : "=l"(w) : "r"(at(b)) : "memory");
  return w;
}
)";
  const std::string meet =
      "  s[t] = t; wait(&b, t == 0 ? arrive_for(&b) : arrive(&b)); out[t] = s[blockDim.x - 1 - t];";
  const CommandResult right = phased("check", spelling.c_str(), begun(3) + meet, 2);
  CAPTURE(right.err);
  CHECK(contains(right.out, ",fair,weak,pass"));
  CHECK(contains(phased("check", spelling.c_str(), begun(4) + meet, 2).out, ",fair,weak,fail"));
}
