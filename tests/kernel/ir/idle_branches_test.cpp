// Branches that decide nothing, and those that do.
#include "kernel/ir/idle_branches.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>

#include "kernel/ir/builder.hpp"
#include "kernel/ir/well_formed.hpp"

using namespace headway::kernel;

namespace {

constexpr Type kNumber = Type::integer(32);

// A loop that waits until memory holds something other than 0, counts its rounds, and takes another
// way from some of them on.
struct Waiting {
  Function function;
  Builder builder{function};
  BlockId entry = builder.block(), head = builder.block(), slow = builder.block(),
          latch = builder.block(), behind = builder.block();
  ValueId flag, rounds;

  Waiting() {
    const Parameter parameter{.name = "flag", .type = Type::pointer()};
    flag = builder.argument(parameter.type, 0, parameter.name);
    function.parameters.push_back(parameter);
    function.arguments.push_back(flag);
    builder.at(entry);
    const ValueId zero = builder.integer(32, 0);
    rounds = builder.forward(kNumber);
    builder.jump(head);
    builder.at(head);
    const ValueId next = builder.binary(Op::add, rounds, builder.integer(32, 1));
    builder.branch(builder.binary(Op::ult, rounds, builder.integer(32, 16)), latch, slow);
    builder.at(slow);
    builder.binary(Op::mul, rounds, rounds);
    builder.jump(latch);
    builder.at(latch);
    const ValueId seen = builder.load(flag, kNumber, true);
    builder.branch(builder.binary(Op::eq, seen, zero), head, behind);
    builder.phi(head, rounds, {{entry, zero}, {latch, next}});
  }

  void end() {
    builder.at(behind);
    builder.operation(Op::ret, {}, {});
    REQUIRE(!objection(Module{}, function));
    drop_idle_branches(function);
    REQUIRE(!objection(Module{}, function));
  }

  std::ptrdiff_t count(Op op) const {
    std::ptrdiff_t found = 0;
    for (const Block& block : function.blocks)
      found += std::ranges::count(block.code, op, &Instruction::op);
    return found;
  }
};

}  // namespace

TEST_CASE("kernel/ir/idle_branches: what only counts is dropped, and the loop stays") {
  Waiting waiting;
  waiting.end();
  CHECK(waiting.count(Op::branch) == 1);
  CHECK(waiting.count(Op::load) == 1);
  CHECK(waiting.count(Op::phi) == 0);
  CHECK(waiting.count(Op::add) == 0);
  CHECK(waiting.count(Op::mul) == 0);
}

TEST_CASE("kernel/ir/idle_branches: a branch stays on one side of which memory is written") {
  Waiting waiting;
  waiting.function.blocks[waiting.slow].code.pop_back();
  waiting.builder.at(waiting.slow);
  waiting.builder.store(waiting.flag, waiting.builder.integer(32, 2));
  waiting.builder.jump(waiting.latch);
  waiting.end();
  CHECK(waiting.count(Op::branch) == 2);
  CHECK(waiting.count(Op::phi) == 1);
}

TEST_CASE("kernel/ir/idle_branches: a branch stays that decides what is read behind it") {
  Waiting waiting;
  waiting.builder.at(waiting.behind);
  waiting.builder.store(waiting.flag, waiting.rounds);
  waiting.end();
  CHECK(waiting.count(Op::phi) == 1);
  CHECK(waiting.count(Op::add) == 1);
  CHECK(waiting.count(Op::branch) == 1);
}

TEST_CASE("kernel/ir/idle_branches: a loop that only counts stays, as it may have no end") {
  Function function;
  Builder builder(function);
  const BlockId entry = builder.block(), head = builder.block(), behind = builder.block();
  builder.at(entry);
  const ValueId bound = builder.operation(Op::unknown, kNumber, {});
  const ValueId zero = builder.integer(32, 0);
  const ValueId i = builder.forward(kNumber);
  builder.jump(head);
  builder.at(head);
  const ValueId next = builder.binary(Op::add, i, builder.integer(32, 2));
  builder.branch(builder.binary(Op::ne, next, bound), head, behind);
  builder.phi(head, i, {{entry, zero}, {head, next}});
  builder.at(behind);
  builder.operation(Op::ret, {}, {});
  drop_idle_branches(function);
  REQUIRE(!objection(Module{}, function));
  CHECK(function.blocks.size() == 3);
  CHECK(function.blocks[1].end().op == Op::branch);
}
