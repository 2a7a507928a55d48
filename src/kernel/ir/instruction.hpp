// The instructions of kernel IR (ir.hpp): what there is, and what each one needs. Operands are
// named a, b, c in their order, where they have no better name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernel/ir/operations.hpp"

namespace headway::kernel {

struct Type {
  enum class Kind : std::uint8_t { none, integer, real, pointer };
  Kind kind = Kind::none;
  std::uint8_t bits = 0;  // integer: 1 to 64; real: 16, 32 or 64; pointer: 64

  static constexpr Type integer(int bits) {
    return {Kind::integer, static_cast<std::uint8_t>(bits)};
  }
  static constexpr Type real(int bits) { return {Kind::real, static_cast<std::uint8_t>(bits)}; }
  static constexpr Type pointer() { return {Kind::pointer, 64}; }
  // In memory.
  constexpr int bytes() const { return (bits + 7) / 8; }
  constexpr bool is_integer() const { return kind == Kind::integer; }
  constexpr bool is_real() const { return kind == Kind::real; }
  constexpr bool is_pointer() const { return kind == Kind::pointer; }
  friend bool operator==(const Type&, const Type&) = default;
};

// The number of a value in Function::values.
using ValueId = std::uint32_t;
using BlockId = std::uint32_t;
using ObjectId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffff;

enum class Space : std::uint8_t {
  global,     // of the device: variables of the module, buffers
  workgroup,  // one for each workgroup: CUDA's __shared__, OpenCL's __local
  constant,   // written by the host alone
  local,      // one for each thread, and a new one each time that its function is called
  host,       // variables of a host program
};

// clang-format off
enum class Compare : std::uint8_t {
  never, oeq, ogt, oge, olt, ole, one, ordered, unordered, ueq, ugt, uge, ult, ule, une, always
};

// Whose threads see the effect of an access, or meet at a barrier.
enum class Scope : std::uint8_t { thread, subgroup, workgroup, device, system };
enum class Order : std::uint8_t { relaxed, acquire, release, acquire_release, seq_cst };
inline bool acquires(Order o) { return o == Order::acquire || o >= Order::acquire_release; }
inline bool releases(Order o) { return o >= Order::release; }
enum class Update : std::uint8_t {
  exchange, add, sub, bit_and, bit_or, bit_xor, bit_nand, smin, smax, umin, umax,
  wrap_inc,  // old >= b ? 0 : old + 1
  wrap_dec,  // old == 0 or old > b ? b : old - 1
  mul,       // of reductions alone, as fmul
  fadd, fsub, fmin, fmax, fmul
};
enum class Builtin : std::uint8_t {
  thread_id, group_id, group_size, groups,  // of a dimension
  cooperative,  // whether all workgroups of the launch may meet
  lane, subgroup_id, subgroup_size, subgroups, active_mask
};
// Functions of reals have the names of <cmath>; those of integers say so.
enum class Math : std::uint8_t {
  sqrt, rsqrt, cbrt, exp, exp2, exp10, expm1, log, log2, log10, log1p, sin, cos, tan, asin, acos,
  atan, sinh, cosh, tanh, asinh, acosh, atanh, erf, erfc, tgamma, lgamma, fabs, floor, ceil, trunc,
  round, rint, pow, atan2, fmod, remainder, hypot, fmin, fmax, fdim, copysign, ldexp, fma,
  // Rounded toward zero, up or down, where what has no mode is rounded to the nearest.
  add_rz, add_ru, add_rd, sub_rz, sub_ru, sub_rd, mul_rz, mul_ru, mul_rd, div_rz, div_ru, div_rd,
  sqrt_rz, sqrt_ru, sqrt_rd, fma_rz, fma_ru, fma_rd,
  is_nan, is_inf, is_finite, sign_bit,  // -> an integer
  popcount, leading_zeros, trailing_zeros, reverse_bits, swap_bytes,  // of integers
  smin, smax, umin, umax, abs, mul_high_s, mul_high_u,
  funnel_left, funnel_right,  // of a:b by c
  sadd_sat, uadd_sat, ssub_sat, usub_sat,
  opaque,  // its value is unknown, but a function of its operands
};
enum class Subgroup : std::uint8_t {
  // Operands end with the mask of threads that take part, 64 bits, or have none.
  shuffle, shuffle_up, shuffle_down, shuffle_xor,  // value, lane or distance, width
  ballot, all, any, all_equal,                     // value
  elect,                                           // none
  broadcast_first,                                 // value
  reduce, inclusive_scan, exclusive_scan,          // value; `update` says the operation
  match_any,                                       // value
  count,                                           // value, of one bit -> for how many it is 1
};
constexpr bool is_shuffle(Subgroup operation) {
  return operation == Subgroup::shuffle || operation == Subgroup::shuffle_up ||
         operation == Subgroup::shuffle_down || operation == Subgroup::shuffle_xor;
}
constexpr bool is_scan(Subgroup operation) {
  return operation == Subgroup::inclusive_scan || operation == Subgroup::exclusive_scan;
}
enum class Claim : std::uint8_t {
  assertion,           // holds, or it is an error
  assumption,          // executions in which it does not hold are not looked at
  precondition,        // __requires: an assumption from there on
  postcondition,       // __ensures that could not be made an assertion at the end
  invariant,           // of the loop at whose head it stands
  global_invariant, function_invariant,
  barrier_invariant,   // at the barrier that follows; operands 1...: threads it is used for
  within,              // of the access that follows: an index is within the array that it names
  shown,               // somebody sees the operand, of any type: it has been set
};
// Whether it says something of a thread where it stands, and nothing of loops, barriers or functions.
constexpr bool is_of_thread(Claim claim) {
  return claim == Claim::assertion || claim == Claim::assumption || claim == Claim::within ||
         claim == Claim::shown;
}
// GPUVerify's vocabulary, as far as it gives values. Sections of memory are named by an address.
enum class Annotation : std::uint8_t {
  other,                               // a, in the other thread
  enabled, same_group,                 // -> one bit
  read, write, atomic,                 // a has been accessed so since the last barrier -> one bit
  read_offset, write_offset, atomic_offset,  // where, in bytes
  pointer_offset, pointer_base,        // of a
  old,                                 // a at the start of the function
  returned,                            // the value returned
};

// clang-format on

struct Place {
  int file = -1;  // of Module::files; -1: unknown
  int line = 0;   // 0: unknown
  int column = 0;
};

inline constexpr std::uint8_t kOfBitField = 1;  // a shift that is part of taking or setting bits

// What is not used by an operation keeps its default.
struct Instruction {
  Op op = Op::trap;
  ValueId result = kNone;
  std::vector<ValueId> operands;
  Place place;
  Type type;  // of the result, or of what is stored

  bool is_volatile = false;
  // Of real_to_sint and real_to_uint: what the type does not have becomes the nearest that it has.
  bool saturates = false;
  // Of operations and barriers of a subgroup: threads that never come by are not waited for, and do
  // not count (SPIR-V's non-uniform ones).
  bool partial = false;
  bool late = false;  // and these may go on for a while before they end
  // Of a numbered barrier: the thread counts there and goes on; those of a subgroup come by one
  // instruction.
  bool arrives = false, aligned = false;
  bool inlined = false;  // of a claim: it stands in a function that is called
  // Of a store: of a part, but the first one, of a vector or struct that is written as a whole.
  bool is_further_part = false;
  Order order = Order::seq_cst;
  // Of plain loads and stores too: with whose accesses they can be ordered at all. Scope::thread
  // with nobody else's, Scope::workgroup where other workgroups need not see them.
  Scope scope = Scope::system;
  std::optional<Order> otherwise;  // of atomic_compare that writes nothing; none: `order`
  union {
    // Of a shift: kOfBitField. Of a barrier: memory that a fence orders on one side of it alone, in
    // front of it the low two bits, behind it the next two.
    std::uint8_t kind = 0;
    Compare compare;
    Update update;
    Builtin builtin;
    Math math;
    Claim claim;
    Annotation annotation;
    Space space;
  };
  Subgroup subgroup = Subgroup::elect;
  // Of Subgroup::reduce: so many lanes, a power of two, are reduced by themselves; 0: all.
  std::uint8_t cluster = 0;
  std::uint8_t dimension = 0;
  std::uint8_t memory = 3;  // that atomics, fences and barriers order: bit 0 workgroup, 1 global
  std::uint64_t bytes = 0;
  // Of accesses and copies: of which number of bytes the address has to be a multiple; of a copy
  // also that of what is read.
  std::uint32_t align = 1, align_from = 1;
  std::vector<BlockId> targets;      // of phi: the blocks that it is reached from
  std::vector<std::uint64_t> cases;  // of choose
  std::string name;                  // of an external function or kernel; the text of a claim
};

// The operand that is the address of what is read or written; kNone: no memory is.
inline ValueId read_address(const Instruction& i) {
  const int operand = row_of(i.op).reads;
  return operand == kNowhere ? kNone : i.operands[static_cast<std::size_t>(operand)];
}
inline ValueId written_address(const Instruction& i) {
  const int operand = row_of(i.op).writes;
  return operand == kNowhere ? kNone : i.operands[static_cast<std::size_t>(operand)];
}

}  // namespace headway::kernel
