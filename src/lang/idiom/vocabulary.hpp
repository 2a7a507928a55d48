// The words of the idiom language (docs/reference/idiom-language.md): its operators, accesses and
// operations, and what it calls groups, orders and scopes.
#pragma once

#include <cstdint>
#include <string_view>

namespace headway::lang::idiom {

enum class Operator : std::uint8_t {
  negate,
  complement,
  logical_not,  // unary
  multiply,
  divide,
  remainder,
  add,
  subtract,
  shift_left,
  shift_right,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  bit_and,
  bit_xor,
  bit_or,
  logical_and,
  logical_or
};

enum class AccessKind : std::uint8_t {
  load,
  store,
  exch,
  cas,
  fetch_add,
  fetch_sub,
  fetch_min,
  fetch_max,
  fetch_and,
  fetch_or,
  fetch_xor,
  weak_cas
};

// How much an access or a fence orders (ISO C11, 7.17.3), and for whose threads. Memory models that
// are weaker than sequential consistency look at it.
enum class MemoryOrder : std::uint8_t { plain, relaxed, acquire, release, acq_rel, seq_cst };
enum class MemoryScope : std::uint8_t { subgroup, workgroup, device, system };
struct Strength {
  MemoryOrder order = MemoryOrder::relaxed;
  MemoryScope scope = MemoryScope::device;

  friend bool operator==(const Strength&, const Strength&) = default;
};

// "acq_rel", "workgroup"
std::string_view to_string(MemoryOrder order);
std::string_view to_string(MemoryScope scope);

// "fetch_add"
std::string_view to_string(AccessKind kind);
// The ids of a thread besides that in the grid: of its workgroup, in it, of its subgroup there, in
// that.
enum class Id : std::uint8_t { gid, lid, sid, lane };
// Numbers of a launch: workgroups, threads of a workgroup and of a subgroup, threads.
enum class Size : std::uint8_t { workgroups, workgroup_size, subgroup_size, threads };
// Whose threads meet at a barrier.
enum class Scope : std::uint8_t { subgroup, workgroup, grid };

enum class SubgroupOperation : std::uint8_t { all, any, ballot, broadcast, shuffle, elect };

// "SUBGROUP_SIZE", "lane", "workgroup", "ballot"
std::string_view to_string(Size size);
std::string_view to_string(Id id);
std::string_view to_string(Scope scope);
std::string_view to_string(SubgroupOperation operation);

// How many values follow the variable: none for load, two for both cas, one for the others.
int operands_of(AccessKind kind);
// What is in the parentheses.
int operands_of(SubgroupOperation operation);

}  // namespace headway::lang::idiom
