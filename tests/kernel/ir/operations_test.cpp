// What the rows of operations.def say of each operation, and that IR is held to them.
#include "kernel/ir/operations.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>

#include "kernel/ir/builder.hpp"
#include "kernel/ir/well_formed.hpp"
#include "support/errors.hpp"

using namespace headway::kernel;
using headway::testing::contains;

namespace {

std::set<std::string> names(bool (*holds)(Op)) {
  std::set<std::string> result;
  for (std::size_t k = 0; k < std::size(kOperations); ++k) {
    const Op op = static_cast<Op>(k);
    if (holds(op)) result.emplace(name_of(op));
  }
  return result;
}

using Names = std::set<std::string>;

// `ret` behind an instruction with so many operands.
std::string objection_to(Op op, std::size_t operands) {
  Function made;
  Builder builder(made);
  builder.at(builder.block());
  Instruction one;
  one.op = op;
  one.operands.assign(operands, builder.integer(64, 1));
  const bool ends = is_end(op);
  builder.emit(one);
  if (!ends) {
    Instruction over;
    over.op = Op::ret;
    builder.emit(over);
  }
  return objection({}, made).value_or("");
}

}  // namespace

TEST_CASE("kernel/ir/operations: a row has its operation's name and number") {
  CHECK(name_of(Op::add) == "add");
  CHECK(name_of(Op::atomic_compare) == "atomic_compare");
  CHECK(name_of(Op::unreachable) == "unreachable");
  CHECK(std::size(kOperations) == static_cast<std::size_t>(Op::unreachable) + 1);
  CHECK(names([](Op) { return true; }).size() == std::size(kOperations));
}

TEST_CASE("kernel/ir/operations: addresses are among the operands") {
  for (const OpRow& row : kOperations) {
    CAPTURE(row.name);
    const Op op = static_cast<Op>(&row - kOperations);
    for (const int address : {row.reads, row.writes}) {
      if (address != kNowhere) CHECK_FALSE(takes(op, static_cast<std::size_t>(address)));
    }
    const bool copies = op == Op::thread_copy || op == Op::async_copy || op == Op::wait_events;
    CHECK((row.reads == kNowhere && row.writes == kNowhere) == !(is_memory(op) || copies));
  }
}

TEST_CASE("kernel/ir/operations: each is of one kind, and kinds are these") {
  CHECK(names(meets) == Names{"barrier", "numbered_barrier", "barrier_reduce", "subgroup",
                              "async_copy", "wait_events"});
  CHECK(names(is_barrier) == Names{"barrier", "numbered_barrier", "barrier_reduce"});
  CHECK(names(is_end) == Names{"jump", "branch", "choose", "ret", "trap", "unreachable"});
  CHECK(names(is_division) == Names{"udiv", "sdiv", "urem", "srem"});
  CHECK(names(is_atomic) ==
        Names{"atomic_load", "atomic_store", "atomic_update", "atomic_compare"});
  CHECK(names(reads_memory) == Names{"load", "atomic_load", "atomic_update", "atomic_compare",
                                     "copy", "async_copy", "wait_events", "thread_copy"});
  CHECK(names(writes_memory) == Names{"store", "atomic_store", "atomic_update", "atomic_compare",
                                      "copy", "fill", "async_copy", "thread_copy"});
  for (const OpRow& row : kOperations) {
    CAPTURE(row.name);
    const Op op = static_cast<Op>(&row - kOperations);
    const int kinds = is_value(op) + is_memory(op) + meets(op) + is_end(op) +
                      is_one_of(op, OpClass::lifetime, OpClass::asynchronous, OpClass::fence,
                                OpClass::claim, OpClass::annotation, OpClass::call);
    CHECK(kinds == 1);
  }
}

TEST_CASE("kernel/ir/operations: an instruction has the operands of its row") {
  for (const auto& [operation, counts] :
       std::map<Op, std::set<std::size_t>>{{Op::add, {2}},
                                           {Op::fneg, {1}},
                                           {Op::store, {2}},
                                           {Op::atomic_compare, {3}},
                                           {Op::copy, {3}},
                                           {Op::async_copy, {5}},
                                           {Op::thread_copy, {3, 4}},
                                           {Op::commit_copies, {0}},
                                           {Op::wait_copies, {1}},
                                           {Op::barrier, {0, 1}},
                                           {Op::numbered_barrier, {1, 2}},
                                           {Op::barrier_reduce, {1, 2}},
                                           {Op::jump, {0}},
                                           {Op::ret, {0, 1}},
                                           {Op::claim, {1, 2, 3, 4, 5, 6}},
                                           {Op::external, {0, 1, 2, 3, 4, 5, 6}}}) {
    const Op op = operation;  // clang 14 captures no binding
    for (std::size_t count = 0; count <= 6; ++count) {
      CAPTURE(name_of(op));
      CAPTURE(count);
      CHECK(takes(op, count) == counts.contains(count));
      CHECK(contains(objection_to(op, count), "operands") == !counts.contains(count));
    }
  }
}

TEST_CASE(
    "kernel/ir/operations: kinds that are an enum of their own hold what their classes hold") {
  // By rows: which operations stand in INTEGER and so on.
  std::map<std::string, Names> rows;
#define MEMORY(name, of, operands, reads, writes)
#define INTEGER(name, of, operands) rows["integer"].insert(#name);
#define COMPARISON(name, of, operands) rows["comparison"].insert(#name);
#define REAL(name, of, operands) rows["real"].insert(#name);
#define CONVERSION(name, of, operands) rows["conversion"].insert(#name);
#define VALUE(name, of, operands) rows["value"].insert(#name);
#define ACCESS(name, of, operands, reads, writes) rows["access"].insert(#name);
#define END(name, of, operands) rows["end"].insert(#name);
#include "kernel/ir/operations.def"
  CHECK(rows["integer"] == names([](Op op) {
          return is_one_of(op, OpClass::arithmetic, OpClass::division, OpClass::shift);
        }));
  CHECK(rows["comparison"] == names(is_comparison));
  CHECK(rows["real"] == names([](Op op) { return class_of(op) == OpClass::real; }));
  CHECK(rows["conversion"] == names(is_conversion));
  CHECK(rows["value"] == names([](Op op) { return class_of(op) == OpClass::value; }));
  CHECK(rows["access"] == names(is_access));
  CHECK(rows["end"] == names(is_end));
  CHECK(static_cast<Op>(as_conversion(Op::bitcast)) == Op::bitcast);
}
