#include "lang/idiom/constants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/bits/thread_set.hpp"
#include "lang/idiom/limits.hpp"
#include "lang/idiom/machine.hpp"

namespace headway::lang::idiom {

using Kind = Expression::Kind;

// The parser sees to it that a launch names only constants in front of it, and that no constant in
// front of it names a size of it.
Constants::Constants(const Syntax& syntax, int n) : syntax_(syntax), n_(n), topology_(n) {
  for (std::size_t i = 0; i <= syntax.constants.size(); ++i) {
    if (syntax.launch && syntax.launch->constants == i) launch(*syntax.launch);
    if (i < syntax.constants.size()) values_.push_back(value(syntax.constants[i].value));
  }
}

void Constants::launch(const Launch& launch) {
  const int workgroups = bounded(launch.workgroups, "the number of workgroups", 1, kMaxThreads);
  const int size = bounded(launch.threads, "the size of a workgroup", 1, kMaxThreads);
  const int subgroup =
      launch.subgroup ? bounded(*launch.subgroup, "the size of a subgroup", 1, size) : size;
  if (size % subgroup != 0) {
    syntax_.fail(launch.subgroup->offset,
                 fmt::format("subgroups of {} do not divide workgroups of {} where N = {}",
                             subgroup, size, n_));
  }
  if (workgroups * size > kMaxThreads) {
    syntax_.fail(launch.offset, fmt::format("this launch has {} threads where N = {}; expected at "
                                            "most {}",
                                            workgroups * size, n_, kMaxThreads));
  }
  topology_ = Topology(workgroups, size / subgroup, subgroup);
}

int Constants::size(Size size) const {
  switch (size) {
    case Size::workgroups:
      return topology_.workgroups();
    case Size::workgroup_size:
      return topology_.subgroups() * topology_.subgroup_threads();
    case Size::subgroup_size:
      return topology_.subgroup_threads();
    case Size::threads:
      break;
  }
  return topology_.threads();
}

std::int64_t Constants::value(const Expression& e, Element element) const {
  switch (e.kind) {
    case Kind::constant:
      // A constant names only those in front of it.
      assert(static_cast<std::size_t>(e.index) < values_.size());
      return values_[e.index];
    case Kind::thread_count:
      return n_;
    case Kind::size:
      return size(e.size);
    case Kind::row:
      return element.row;
    case Kind::column:
      return element.column;
    case Kind::unary:
    case Kind::binary:
    case Kind::conditional:
      break;
    default:
      assert(e.kind == Kind::number);  // the parser has refused all others here
      return e.number;
  }
  if (e.kind == Kind::conditional) {
    return value(e.operands[value(e.operands[0], element) != 0 ? 1 : 2], element);
  }
  const std::int64_t a = value(e.operands[0], element);
  if (e.op == Operator::logical_and && a == 0) return 0;
  if (e.op == Operator::logical_or && a != 0) return 1;
  const std::int64_t b = e.kind == Kind::binary ? value(e.operands[1], element) : 0;
  std::int64_t result = 0;
  const Failure::Kind failure = apply(e.op, a, b, result);
  if (failure != Failure::Kind::none) {
    syntax_.fail(e.offset, fmt::format("{}, where N = {}", to_string(failure), n_));
  }
  return result;
}

int Constants::bounded(const Expression& e, const std::string& role, std::int64_t low,
                       std::int64_t high, Element element) const {
  const std::int64_t result = value(e, element);
  if (result < low || result > high) {
    syntax_.fail(e.offset, fmt::format("{} is {} where N = {}; expected {} to {}", role, result, n_,
                                       low, high));
  }
  return static_cast<int>(result);
}

std::pair<int, int> Constants::range(const Range& range) const {
  const int low = bounded(range.low, "the lowest value", -kMaxValue, kMaxValue);
  const int high = bounded(range.high, "the highest value", low,
                           std::min<std::int64_t>(kMaxValue, low + kMaxRange));
  return {low, high};
}

}  // namespace headway::lang::idiom
