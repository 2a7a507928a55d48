// What a register holds where control comes together.
#include "kernel/ptx/registers.hpp"

#include <doctest/doctest.h>

#include "kernel/ir/well_formed.hpp"

using namespace headway::kernel;
using namespace headway::kernel::ptx;

TEST_CASE("kernel/ptx/registers: what is written in a loop comes round to its head") {
  Function function;
  Builder builder(function);
  const std::vector<Register> registers = {{"i", Type::integer(32)}, {"n", Type::integer(32)}};
  Registers held(builder, registers);
  const BlockId entry = builder.block();
  const BlockId head = builder.block();
  const BlockId behind = builder.block();
  builder.at(entry);
  const ValueId zero = builder.integer(32, 0);
  held.write(0, zero);
  held.edge(entry, head);
  held.open(head);
  builder.jump(head);
  builder.at(head);
  const ValueId seen = held.read(0);
  CHECK(held.read(0) == seen);
  CHECK(function.value(held.read(1)).kind == Value::Kind::instruction);
  const ValueId next = builder.operation(Op::add, Type::integer(32), {seen, held.read(0)});
  held.write(0, next);
  held.edge(head, head);
  held.edge(head, behind);
  builder.branch(builder.operation(Op::eq, Type::integer(1), {next, zero}), behind, head);
  builder.at(behind);
  CHECK(held.read(0) == next);
  held.finish();
  builder.operation(Op::ret, {}, {});
  REQUIRE(function.blocks[head].code.size() >= 2);
  bool found = false;
  for (const Instruction& i : function.blocks[head].code) {
    if (i.result != seen) continue;
    found = true;
    CHECK(i.op == Op::phi);
    CHECK(i.targets == std::vector<BlockId>{entry, head});
    CHECK(i.operands == std::vector<ValueId>{zero, next});
  }
  CHECK(found);
  CHECK(!objection(Module{}, function));
}

TEST_CASE("kernel/ptx/registers: a block to which no other way comes has the value of the one") {
  Function function;
  Builder builder(function);
  Registers held(builder, {{"i", Type::integer(32)}});
  const BlockId entry = builder.block();
  const BlockId next = builder.block();
  builder.at(entry);
  const ValueId seven = builder.integer(32, 7);
  held.write(0, seven);
  held.open(next);
  held.edge(entry, next);
  builder.jump(next);
  builder.at(next);
  held.closed(next);
  CHECK(held.read(0) == seven);
}
