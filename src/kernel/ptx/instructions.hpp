// The instructions of PTX that are read: for each its opcode, the modifiers that it may have, how
// many operands it takes, and what it means. What is not here is refused.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "kernel/ptx/syntax.hpp"

namespace headway::kernel::ptx {

// What is not understood: names the instruction.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What an instruction is about; its modifiers say the rest.
enum class Action : std::uint8_t {
  load,
  store,
  load_parameter,
  store_parameter,
  update,
  fence,
  nothing,
  barrier,
  barrier_reduce,
  begin_barrier,
  end_barrier,
  arrive,
  test_phase,
  copy,
  commit,
  wait,
  warp_barrier,
  shuffle,
  vote,
  match,
  reduce,
  active_mask,
  branch,
  call,
  ret,
  exit,
  trap,
  move,
  binary,
  carry,
  carry_product,
  divide,
  minimum,
  multiply,
  multiply_add,
  shift,
  unary,
  fuse,
  function,
  count_bits,
  find_bit,
  mask_bits,
  reciprocal,
  approximate,
  difference,
  lookup,
  permute,
  funnel,
  dot,
  product_of_24,
  is_zero,
  choose_by_sign,
  copy_sign,
  elect,
  compare,
  choose,
  convert,
  convert_address,
  extract_field,
  insert_field
};

struct Row {
  std::string_view opcode;  // its first words: "ld", "bar.sync"
  // Groups of modifiers, in any order, of which an instruction has one each; '?': one that may be
  // missing. A group is the name of one in instructions.cpp, or words with '/' between them.
  std::string_view modifiers;
  std::size_t least, most;  // operands
  Action action;
  Op op = Op::trap;  // of those that differ in nothing else
};

// Throws Refused for an opcode, a modifier or a number of operands that is not in the table.
const Row& row_of(const Statement& statement);

}  // namespace headway::kernel::ptx
