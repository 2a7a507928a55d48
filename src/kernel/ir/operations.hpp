// The operations of kernel IR, and questions about them, answered by their rows in operations.def.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace headway::kernel {

enum class Op : std::uint8_t {
#define MEMORY(name, of, operands, reads, writes) name,
#include "kernel/ir/operations.def"
};

enum class OpClass : std::uint8_t {
  arithmetic,      // of integers, defined for all operands
  division,        // of integers, by something that must not be zero
  shift,           // of integers, by less than their width
  equality,        // of integers or pointers
  unsigned_order,  // the same
  signed_order,    // the same
  real,            // arithmetic of reals
  real_comparison,
  resizing,          // of integers to another width
  real_conversion,   // from reals, to reals, or both
  reinterpretation,  // of the same bits as something else
  value,             // what else gives a value and does nothing
  plain,             // one value of memory, read or written
  atomic,            // the same, atomically
  bulk,              // so many bytes of memory, written
  lifetime,          // of a local object
  asynchronous,      // goes on beside the thread, or has it wait for what does
  fence,
  meeting,     // threads come together
  claim,       // is to hold, or is taken for granted
  annotation,  // of GPUVerify's vocabulary
  call,        // of something that is not here
  end,         // of a block
};

// The number of an operand that is an address; NOWHERE where there is none.
inline constexpr int kNowhere = -1;

struct OpRow {
  std::string_view name;
  OpClass of;
  std::string_view operands;
  int reads, writes;
};

inline constexpr OpRow kOperations[] = {
#define NOWHERE kNowhere
#define MEMORY(name, of, operands, reads, writes) {#name, OpClass::of, operands, reads, writes},
#include "kernel/ir/operations.def"
#undef NOWHERE
};

constexpr const OpRow& row_of(Op op) { return kOperations[static_cast<std::size_t>(op)]; }
constexpr OpClass class_of(Op op) { return row_of(op).of; }
constexpr std::string_view name_of(Op op) { return row_of(op).name; }

// Whether an instruction of the operation may have so many operands.
constexpr bool takes(Op op, std::size_t count) {
  std::size_t least = 0, most = 0;
  std::string_view rest = row_of(op).operands;
  while (!rest.empty()) {
    const std::size_t blank = rest.find(' ');
    const std::string_view one = rest.substr(0, blank);
    if (one.ends_with("...")) return count >= least;
    if (!one.ends_with('?')) ++least;
    ++most;
    rest = blank == std::string_view::npos ? std::string_view() : rest.substr(blank + 1);
  }
  return count >= least && count <= most;
}

template <class... Classes>
constexpr bool is_one_of(Op op, Classes... classes) {
  return ((class_of(op) == classes) || ...);
}

constexpr bool is_division(Op op) { return class_of(op) == OpClass::division; }
constexpr bool is_shift(Op op) { return class_of(op) == OpClass::shift; }
constexpr bool is_order(Op op) {
  return is_one_of(op, OpClass::unsigned_order, OpClass::signed_order);
}
// The order with signs for one without.
constexpr Op with_sign(Op op) {
  return op == Op::ult   ? Op::slt
         : op == Op::ule ? Op::sle
         : op == Op::ugt ? Op::sgt
         : op == Op::uge ? Op::sge
                         : op;
}
constexpr bool is_comparison(Op op) { return is_order(op) || class_of(op) == OpClass::equality; }
// Of integers of one width (of comparisons: or of pointers), of which each has two.
constexpr bool is_binary(Op op) {
  return is_comparison(op) || is_one_of(op, OpClass::arithmetic, OpClass::division, OpClass::shift);
}
constexpr bool is_conversion(Op op) {
  return is_one_of(op, OpClass::resizing, OpClass::real_conversion, OpClass::reinterpretation);
}
// Whether all that it does is to give its result.
constexpr bool is_value(Op op) {
  return is_binary(op) || is_conversion(op) ||
         is_one_of(op, OpClass::real, OpClass::real_comparison, OpClass::value);
}

constexpr bool is_atomic(Op op) { return class_of(op) == OpClass::atomic; }
// Whether one value at an address is read or written.
constexpr bool is_access(Op op) { return is_one_of(op, OpClass::plain, OpClass::atomic); }
// Whether bytes of memory are read or written before it is over.
constexpr bool is_memory(Op op) { return is_access(op) || class_of(op) == OpClass::bulk; }
constexpr bool reads_memory(Op op) { return row_of(op).reads != kNowhere; }
constexpr bool writes_memory(Op op) { return row_of(op).writes != kNowhere; }

// Whether threads wait for each other there.
constexpr bool meets(Op op) { return class_of(op) == OpClass::meeting; }
constexpr bool is_barrier(Op op) {
  return op == Op::barrier || op == Op::barrier_reduce || op == Op::numbered_barrier;
}
constexpr bool is_end(Op op) { return class_of(op) == OpClass::end; }

// Operations of one kind, as an enum of their own: a `switch` over it has no `default:`, so that
// the compiler names what it leaves out. as_integer(op) and so on need an operation of the kind.
#define MEMORY(name, of, operands, reads, writes)
#define INTEGER(name, of, operands) name = static_cast<std::uint8_t>(Op::name),
enum class IntegerOp : std::uint8_t {
#include "kernel/ir/operations.def"
};
#define MEMORY(name, of, operands, reads, writes)
#define COMPARISON(name, of, operands) name = static_cast<std::uint8_t>(Op::name),
enum class ComparisonOp : std::uint8_t {
#include "kernel/ir/operations.def"
};
#define MEMORY(name, of, operands, reads, writes)
#define REAL(name, of, operands) name = static_cast<std::uint8_t>(Op::name),
enum class RealOp : std::uint8_t {
#include "kernel/ir/operations.def"
};
#define MEMORY(name, of, operands, reads, writes)
#define CONVERSION(name, of, operands) name = static_cast<std::uint8_t>(Op::name),
enum class ConversionOp : std::uint8_t {
#include "kernel/ir/operations.def"
};
#define MEMORY(name, of, operands, reads, writes)
#define VALUE(name, of, operands) name = static_cast<std::uint8_t>(Op::name),
enum class ValueOp : std::uint8_t {
#include "kernel/ir/operations.def"
};
#define MEMORY(name, of, operands, reads, writes)
#define ACCESS(name, of, operands, reads, writes) name = static_cast<std::uint8_t>(Op::name),
enum class AccessOp : std::uint8_t {
#include "kernel/ir/operations.def"
};
#define MEMORY(name, of, operands, reads, writes)
#define END(name, of, operands) name = static_cast<std::uint8_t>(Op::name),
enum class EndOp : std::uint8_t {
#include "kernel/ir/operations.def"
};

constexpr IntegerOp as_integer(Op op) {
  assert(is_one_of(op, OpClass::arithmetic, OpClass::division, OpClass::shift));
  return static_cast<IntegerOp>(op);
}
constexpr ComparisonOp as_comparison(Op op) {
  assert(is_comparison(op));
  return static_cast<ComparisonOp>(op);
}
constexpr RealOp as_real(Op op) {
  assert(class_of(op) == OpClass::real);
  return static_cast<RealOp>(op);
}
constexpr ConversionOp as_conversion(Op op) {
  assert(is_conversion(op));
  return static_cast<ConversionOp>(op);
}
constexpr ValueOp as_value(Op op) {
  assert(class_of(op) == OpClass::value);
  return static_cast<ValueOp>(op);
}
constexpr AccessOp as_access(Op op) {
  assert(is_access(op));
  return static_cast<AccessOp>(op);
}
constexpr EndOp as_end(Op op) {
  assert(is_end(op));
  return static_cast<EndOp>(op);
}

}  // namespace headway::kernel
