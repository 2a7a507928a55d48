// What compilers put around a program is taken away again, and nothing else. The modules in
// tests/data/shaders are what tint (of Chromium's Dawn) and naga 30.1 made of programs of ours.
#include "kernel/ir/guards.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "kernel/ir/builder.hpp"
#include "kernel/ir/tidy.hpp"
#include "kernel/ir/well_formed.hpp"
#include "kernel/test/sources.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using namespace headway::kernel;
using headway::testing::check_here;
using headway::testing::contains;

namespace {

constexpr Type kWord = Type::integer(32);

// A loop that counts a number of 64 bits, in two halves, from `start` down by `step`, and ends when
// it is 0 or else when an unknown bit says so. Its blocks: before, head, body, end.
Function counting_loop(std::uint64_t start, std::uint64_t step, std::uint64_t wraps_at) {
  Function made;
  Builder builder(made);
  const BlockId before = builder.block(), head = builder.block(), body = builder.block(),
                end = builder.block();
  builder.at(before);
  builder.jump(head);
  builder.at(head);
  const ValueId low = builder.forward(kWord), high = builder.forward(kWord);
  const ValueId is_low = builder.binary(Op::eq, low, builder.integer(32, 0));
  const ValueId is_high = builder.binary(Op::eq, high, builder.integer(32, 0));
  builder.branch(builder.binary(Op::bit_and, is_low, is_high), end, body);
  builder.at(body);
  const ValueId next_low = builder.binary(Op::sub, low, builder.integer(32, step));
  const ValueId wraps = builder.binary(Op::eq, next_low, builder.integer(32, wraps_at));
  const ValueId carry = builder.select(wraps, builder.integer(32, 1), builder.integer(32, 0));
  const ValueId next_high = builder.binary(Op::sub, high, carry);
  builder.branch(builder.operation(Op::unknown, Type::integer(1), {}), end, head);
  builder.phi(head, low, {{before, builder.integer(32, start)}, {body, next_low}});
  builder.phi(head, high, {{before, builder.integer(32, start)}, {body, next_high}});
  builder.at(end);
  Instruction over;
  over.op = Op::ret;
  builder.emit(over);
  return made;
}

std::size_t size_of(const Function& function) {
  std::size_t result = 0;
  for (const Block& block : function.blocks) result += block.code.size();
  return result;
}

int loops_unbounded(Function function) {
  REQUIRE(!objection({}, function));
  drop_loop_guards(function);
  CHECK(!objection({}, function));
  return function.unbounded_loops;
}

std::string shader(const std::string& name) { return "tests/data/shaders/" + name; }

}  // namespace

TEST_CASE(
    "kernel/ir/guards: a loop of 2^64 rounds has no end, and what counts differently has one") {
  CHECK(loops_unbounded(counting_loop(0xffffffff, 1, 0xffffffff)) == 1);
  CHECK(loops_unbounded(counting_loop(0xfffffffe, 1, 0xffffffff)) == 0);
  CHECK(loops_unbounded(counting_loop(0xffffffff, 3, 0xffffffff)) == 0);
  CHECK(loops_unbounded(counting_loop(0xffffffff, 1, 7)) == 0);
}

TEST_CASE("kernel/ir/guards: counters that only count are dropped, and what can go wrong is not") {
  Function function = counting_loop(0xffffffff, 1, 0xffffffff);
  const std::size_t before = size_of(function);
  drop_unused(function);
  CHECK(size_of(function) == before);  // the test needs them
  drop_loop_guards(function);
  fold_constants(function);
  drop_unused(function);
  CHECK(!objection({}, function));
  CHECK(size_of(function) == 5);  // jump, jump, unknown, branch, return

  Function division;
  Builder builder(division);
  builder.at(builder.block());
  const ValueId x = builder.operation(Op::unknown, kWord, {});
  builder.binary(Op::udiv, builder.integer(32, 8), x);
  builder.binary(Op::udiv, x, builder.integer(32, 8));
  builder.binary(Op::shl, builder.integer(32, 1), x);
  Instruction over;
  over.op = Op::ret;
  builder.emit(over);
  drop_unused(division);
  CHECK(size_of(division) == 4);  // unknown, division by it, shift by it, return
}

TEST_CASE("kernel/ir/guards: a spin lock as tint and naga compile it has the verdicts of a lock") {
  if (!reads_shaders()) return;
  for (const char* name : {"spin-lock-tint.spvasm", "spin-lock-naga.spv"}) {
    CAPTURE(name);
    const auto result =
        check_here({"--format", "csv", "-m", "OBE", "-m", "HSA", "-f", "weak", shader(name)});
    CHECK(contains(result.out, "OBE,weak,pass"));
    CHECK(contains(result.out, "HSA,weak,fail"));
    CHECK(contains(result.err, "ends 1 loop after 2^64 - 1 rounds"));
    CHECK(contains(result.err, "of its disassembly") == std::string(name).ends_with(".spv"));
  }
}

TEST_CASE("kernel/ir/guards: an index that tint keeps within a buffer is where it says") {
  if (!reads_shaders()) return;
  // The buffers are as long as they need to be, and a length that is asked for may be less.
  const auto right = check_here({"--format", "csv", "-m", "fair", shader("shift-tint.spvasm")});
  CHECK(contains(right.out, "fair,weak,pass"));
  const auto broken =
      check_here({"--format", "csv", "-m", "fair", shader("shift-broken-tint.spvasm")});
  CHECK(contains(broken.out, "fair,weak,error"));
  CHECK(contains(broken.err, "race"));
  const auto free = check_here({"--format", "csv", "-m", "fair", shader("fill-tint.spvasm")});
  CHECK(contains(free.out, "fair,weak,pass"));
  // Where the length is given, threads beyond the end meet in the last element.
  const auto given = check_here({"--format", "csv", "-m", "fair", "--buffer",
                                 "data_block_tint_explicit_layout=4", shader("fill-tint.spvasm")});
  CHECK(contains(given.out, "fair,weak,error"));
  CHECK(contains(given.err, "race"));
}

TEST_CASE("kernel/ir/guards: a module without lines is shown by its disassembly") {
  if (!reads_shaders()) return;
  const auto result =
      headway::testing::headway({"explain", "-m", "HSA", shader("spin-lock-naga.spv")},
                                headway::testing::in(headway::testing::source_dir()));
  CHECK(contains(result.out, "OpAtomicExchange"));
}

TEST_CASE(
    "kernel/ir/guards: what tint keeps within a buffer is proved free of races for all sizes") {
  if (!reads_shaders()) return;
  const auto verify = [](const std::string& name) {
    return headway::testing::headway({"verify", "--format", "csv", shader(name)},
                                     headway::testing::in(headway::testing::source_dir()));
  };
  CHECK(contains(verify("shift-tint.spvasm").out, "race,verified"));
  CHECK(contains(verify("fill-tint.spvasm").out, "race,verified"));
  CHECK(contains(verify("shift-broken-tint.spvasm").out, "race,violated"));
}
