// What a register or a cell of memory holds while a kernel runs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/ir/instruction.hpp"
#include "smt/term.hpp"

namespace headway::kernel {

// The number of an object of a launch: of a buffer, a variable, a local variable of one thread.
using Instance = std::uint32_t;

struct Cell {
  enum class Kind : std::uint8_t {
    bits,       // an integer or real, zero-extended
    undefined,  // nothing that may be looked at
    term,       // depends on unknown data
    pointer,    // into `object`, `bits` bytes from its start
    moving,     // into `object`; where is a term of 64 bits
  };
  Kind kind = Kind::bits;
  Instance object = kNone;
  std::uint64_t bits = 0;  // of a term its id

  static Cell of(std::uint64_t bits) { return {Kind::bits, kNone, bits}; }
  static Cell of(smt::Term term) { return {Kind::term, kNone, term.id}; }
  static Cell undefined() { return {Kind::undefined, kNone, 0}; }
  static Cell pointer(Instance object, std::uint64_t offset) {
    return {Kind::pointer, object, offset};
  }
  static Cell moving(Instance object, smt::Term offset) {
    return {Kind::moving, object, offset.id};
  }

  bool is_bits() const { return kind == Kind::bits; }
  bool is_pointer() const { return kind == Kind::pointer || kind == Kind::moving; }
  smt::Term term() const { return {static_cast<std::uint32_t>(bits)}; }
  friend bool operator==(const Cell&, const Cell&) = default;
};

constexpr std::size_t mixed(std::size_t hash, std::uint64_t more) {
  // Mixing as in splitmix64 (Steele, Lea and Flood, OOPSLA 2014).
  std::uint64_t x = hash + 0x9e3779b97f4a7c15 + more;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}
constexpr std::size_t mixed(std::size_t hash, const Cell& cell) {
  return mixed(mixed(hash, cell.bits),
               std::uint64_t{cell.object} << 8 | static_cast<std::uint64_t>(cell.kind));
}

}  // namespace headway::kernel
