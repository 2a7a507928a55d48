// Barriers by their numbers: producers and consumers that meet in pairs are free of races and end,
// and what misuses a barrier does not pass. Warps have two threads here.
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

CommandResult numbered(const std::string& command, const std::string& text, int block = 4) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments = {command, folder.write("a.cu", text).string()};
  arguments.insert(arguments.end(), {"--grid", "2", "--block", std::to_string(block), "--subgroup",
                                     "2", "--format", "csv"});
  if (command == "check") arguments.insert(arguments.end(), {"--models", "fair,OBE"});
  return headway::testing::headway(arguments);
}

void meets(const std::string& text, int block = 4) {
  CAPTURE(text);
  const CommandResult checked = numbered("check", text, block);
  CAPTURE(checked.err);
  CHECK(contains(checked.out, ",fair,weak,pass"));
  CHECK(contains(checked.out, ",OBE,weak,pass"));
  const CommandResult proved = numbered("verify", text, block);
  CAPTURE(proved.out);
  CAPTURE(proved.err);
  for (const char* property : {"race", "divergence", "termination"}) {
    CHECK(contains(proved.out, fmt::format(",{},verified", property)));
  }
}

// The error, and what is said of it.
void clashes(const std::string& text, const std::string& property, const std::string& said,
             int block = 4) {
  CAPTURE(text);
  const CommandResult checked = numbered("check", text, block);
  CAPTURE(checked.err);
  CHECK(contains(checked.out, ",fair,weak,error"));
  CHECK(contains(headway::testing::unfolded(checked.err), property + ":"));
  CHECK(contains(headway::testing::unfolded(checked.err), said));
  const CommandResult proved = numbered("verify", text, block);
  CAPTURE(proved.out);
  CHECK(contains(proved.out, fmt::format(",{},violated", property)));
}

struct NumberedPipe {
  std::string empty = "bar.sync 2, 4", full = "bar.arrive 1, 4";   // of who fills the stage
  std::string gives = "bar.arrive 2, 4", waits = "bar.sync 1, 4";  // of who reads it
};

// One warp fills a stage three times for another one, which gives it back.
std::string numbered_pipe(const NumberedPipe& with) {
  return fmt::format(
      "#define PTX(text) asm volatile(text \";\" ::: \"memory\")\n"
      "__global__ void k(int* out) {{\n"
      "  __shared__ int stage[2];\n"
      "  int lane = threadIdx.x % 2;\n"
      "  for (int i = 0; i < 3; ++i) {{\n"
      "    if (threadIdx.x < 2) {{ PTX(\"{}\");\n"
      "      stage[lane] = i;\n"
      "      PTX(\"{}\"); }}\n"
      "    else {{ PTX(\"{}\");\n"
      "      PTX(\"{}\");\n"
      "      out[blockIdx.x * 2 + lane] = stage[1 - lane]; }}\n"
      "  }}\n"
      "}}\n",
      with.empty, with.full, with.gives, with.waits);
}

// Each thread reads what another one wrote in front of a barrier.
std::string numbered_exchange(const std::string& barrier, const std::string& other) {
  return fmt::format(
      "__global__ void k(int* out) {{\n"
      "  __shared__ int s[8];\n"
      "  s[threadIdx.x] = 1;\n"
      "  {};\n"
      "  out[blockIdx.x * 8 + threadIdx.x] = s[{}];\n"
      "}}\n",
      barrier, other);
}

std::string numbered_assembly(const std::string& text) {
  return fmt::format("asm volatile(\"{};\" :: \"r\"(threadIdx.x / 2) : \"memory\")", text);
}

}  // namespace

TEST_CASE("kernel/ptx/barriers: a stage that is handed over by pairs of barriers") {
  meets(numbered_pipe({}));
  meets(numbered_pipe({"barrier.sync 2, 4", "barrier.cta.arrive.aligned 1, 4",
                       "barrier.arrive 2, 4", "barrier.cta.sync 1, 4"}));
  // Whoever reads waits, too, and so does who fills.
  meets(numbered_pipe({"bar.sync 2, 4", "bar.sync 1, 4", "bar.sync 2, 4", "bar.sync 1, 4"}));
}

TEST_CASE("kernel/ptx/barriers: pairs that do not fit") {
  const std::string for_good = "threads wait for each other for good";
  clashes(numbered_pipe({.empty = "bar.sync 1, 4", .full = "bar.arrive 2, 4"}), "race", "");
  clashes(numbered_pipe({.full = "bar.arrive 3, 4"}), "divergence", for_good);
  clashes(numbered_pipe({.full = ""}), "divergence", for_good);
  clashes(numbered_pipe({.gives = ""}), "divergence", for_good);
  clashes(numbered_pipe({.waits = ""}), "race", "");
  clashes(numbered_pipe({.empty = "", .gives = ""}), "race", "");
  clashes(numbered_pipe({"bar.sync 2, 6", "bar.arrive 1, 6", "bar.arrive 2, 6", "bar.sync 1, 6"}),
          "divergence", for_good);
}

TEST_CASE("kernel/ptx/barriers: counts that do not fit are named") {
  clashes(numbered_pipe({.full = "bar.arrive 1, 6"}), "divergence", "at barrier 1");
  clashes(numbered_pipe({.waits = "bar.sync 1, 5"}), "divergence",
          "a count of 5 threads at barrier 1, which is no multiple of a subgroup's 2");
  clashes(numbered_pipe({.waits = "bar.sync 1, 2"}), "divergence", "barrier 1");
  clashes(numbered_exchange(numbered_assembly("bar.sync 1, 2"), "threadIdx.x ^ 1"), "divergence",
          "4 threads come to barrier 1, which counts 2");
  clashes(numbered_exchange("if (threadIdx.x < 2) " + numbered_assembly("bar.sync 1, 4") +
                                "; else " + numbered_assembly("bar.sync 1"),
                            "5 - threadIdx.x"),
          "divergence", "counts of", 6);
}

TEST_CASE("kernel/ptx/barriers: a barrier of all, and one of each part") {
  meets(numbered_exchange(numbered_assembly("bar.sync 15"), "3 - threadIdx.x"));
  meets(numbered_exchange(numbered_assembly("bar.sync 15, 4"), "3 - threadIdx.x"));
  meets(numbered_exchange("__barrier_sync(7)", "3 - threadIdx.x"));
  meets(numbered_exchange("__barrier_sync_count(7, 4)", "3 - threadIdx.x"));
  // Warps count in full.
  meets(numbered_exchange(numbered_assembly("bar.sync 1, 4"), "2 - threadIdx.x"), 3);
  meets(numbered_exchange("if (threadIdx.x == 2) return; " + numbered_assembly("bar.sync 1, 4"),
                          "0"));
  const std::string parts = numbered_assembly("{ .reg .u32 n; add.u32 n, %0, 3; bar.sync n, 2; }");
  meets(numbered_exchange(parts, "threadIdx.x ^ 1"));
  clashes(numbered_exchange(parts, "3 - threadIdx.x"), "race", "");
  const std::string beyond =
      numbered_assembly("{ .reg .u32 n; add.u32 n, %0, 15; bar.sync n, 2; }");
  CHECK(contains(numbered("check", numbered_exchange(beyond, "threadIdx.x ^ 1")).err, "bounds"));
  meets(numbered_exchange("if (threadIdx.x < 2) " + numbered_assembly("bar.sync 1, 4") + "; else " +
                              numbered_assembly("barrier.sync 1"),
                          "3 - threadIdx.x"));
}

TEST_CASE("kernel/ptx/barriers: __syncthreads() is barrier 0") {
  const std::string zero =
      "__syncthreads(); if (threadIdx.x < 2) " + numbered_assembly("bar.sync 0, 2");
  CHECK(contains(headway::testing::unfolded(numbered("check", numbered_exchange(zero, "0")).err),
                 "unsupported: line 4: barrier 0 by its number beside __syncthreads()"));
  const std::string one =
      "__syncthreads(); if (threadIdx.x < 2) " + numbered_assembly("bar.sync 1, 2");
  meets(numbered_exchange(one, "0"));
}

TEST_CASE("kernel/ptx/barriers: threads of a warp come to an aligned one together") {
  clashes(numbered_exchange("if (threadIdx.x % 2) " + numbered_assembly("bar.sync 1, 4") +
                                "; else " + numbered_assembly("bar.sync 1, 4"),
                            "3 - threadIdx.x"),
          "divergence", "threads of a subgroup wait at different barriers");
  meets(numbered_exchange("if (threadIdx.x % 2) " + numbered_assembly("barrier.sync 1, 4") +
                              "; else " + numbered_assembly("barrier.sync 1, 4"),
                          "3 - threadIdx.x"));
  clashes(numbered_exchange("if (threadIdx.x % 2) " + numbered_assembly("barrier.sync 1, 4") +
                                "; else " + numbered_assembly("barrier.sync 2, 4"),
                            "3 - threadIdx.x"),
          "divergence", "threads of a subgroup wait at different barriers");
}
