// What is known of a function before it runs: which instructions park a thread, which values are
// live there, where branches come together again, and what the code ahead of a place may access.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernel/ir/bases.hpp"
#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// How an atomic access goes together with others of one place.
enum class Effect : std::uint8_t { reads, writes, adds, ands, ors, xors, minima, maxima };
// Whether the order of the two makes no difference to anybody.
bool commute(Effect a, Effect b);

class Code {
 public:
  // All that a function computes, or no more than what errors and waiting depend on (needed.hpp),
  // without or with results that may come from what nobody has set. Host code has one thread, which
  // parks nowhere.
  enum class Kind : std::uint8_t { whole, sliced, results, host };
  // Both must outlive the code. `spins` are plain loads that park a thread, too.
  Code(const Module& module, const Function& function, const std::vector<std::uint32_t>& spins = {},
       Kind kind = Kind::whole);

  const Module& module() const { return module_; }
  const Function& function() const { return function_; }
  const Instruction& at(BlockId block, std::uint32_t index) const {
    return function_.blocks[block].code[index];
  }
  // Instructions are numbered through.
  std::uint32_t number(BlockId block, std::uint32_t index) const { return first_[block] + index; }
  const Instruction& instruction(std::uint32_t number) const;

  // Whether what an instruction gives, or writes, is computed. Where not, a load or store takes
  // place all the same, and who else may be there counts.
  bool is_needed(std::uint32_t number) const { return needed_[number]; }

  // Whether a thread stops before the instruction and lets others go on: accesses that others may
  // meet in either order, barriers, and operations of a subgroup.
  bool parks(BlockId block, std::uint32_t index) const { return parks(number(block, index)); }
  bool parks(std::uint32_t number) const { return parks_[number]; }
  // Values that the code from there on needs, of instructions alone; of places where threads park.
  const std::vector<ValueId>& live(BlockId block, std::uint32_t index) const;
  // Values of instructions that a block needs from before it, and its phis.
  const std::vector<ValueId>& live_into(BlockId block) const { return live_into_[block]; }
  // The block where both ways of a branch come together; kNone where they do not.
  BlockId joins(BlockId block) const { return joins_[block]; }

  // Of a pointer, and of all of them.
  const Bases& bases(ValueId pointer) const { return bases_[pointer]; }
  const std::vector<Bases>& bases() const { return bases_; }
  // Whether a pointer goes to what each thread has for itself.
  bool is_private(ValueId pointer) const;
  // Of an instruction that parks and accesses memory.
  Effect effect(std::uint32_t number) const { return effects_.at(number); }
  // Instructions that park and access memory which may be reached from a place that parks, itself
  // included; `before_barrier` those without a barrier of the workgroup on the way.
  const std::vector<std::uint32_t>& ahead(std::uint32_t number, bool before_barrier) const {
    return (before_barrier ? ahead_before_barrier_ : ahead_).at(number);
  }
  // Whether a thread that is at a place which parks may come there again; `before_barrier` without
  // a barrier of the workgroup on the way.
  bool comes_again(std::uint32_t number, bool before_barrier) const {
    return (before_barrier ? again_before_barrier_ : again_).contains(number);
  }
  // Built-in values that the code from a place that parks may ask for.
  const std::vector<std::uint32_t>& builtins_ahead(std::uint32_t number) const {
    return builtins_ahead_.at(number);
  }
  // Whether OpenCL's barriers and fences order one kind of memory alone somewhere.
  bool splits_memory() const { return splits_memory_; }
  // Whether all atomic accesses and fences have the scope of the device, or more.
  bool has_wide_scopes() const { return has_wide_scopes_; }
  bool copies_beside() const { return copies_beside_; }  // threads have copies beside them
  Scope plain_scope() const { return plain_scope_; }     // the narrowest of plain accesses

 private:
  void find_parks(const std::vector<std::uint32_t>& spins);
  void find_live();
  void find_joins();
  using Reachable = std::map<std::uint32_t, std::vector<std::uint32_t>>;
  Reachable reachable(const std::vector<bool>& marked, bool stops,
                      std::set<std::uint32_t>& again) const;
  void find_ahead();
  Effect effect_of(const Instruction& instruction, const std::vector<bool>& used,
                   bool has_acquire_fence) const;

  const Module& module_;
  const Function& function_;
  std::vector<std::uint32_t> first_;
  std::vector<bool> parks_, needed_;  // by number
  std::map<std::uint32_t, std::vector<ValueId>> live_;
  std::vector<std::vector<ValueId>> live_into_;
  std::vector<BlockId> joins_;
  std::vector<Bases> bases_;
  std::map<std::uint32_t, Effect> effects_;
  Reachable ahead_, ahead_before_barrier_, builtins_ahead_;
  std::set<std::uint32_t> again_, again_before_barrier_;
  bool splits_memory_ = false;
  bool has_wide_scopes_ = true;
  bool copies_beside_ = false;
  Scope plain_scope_ = Scope::system;
};

// Why the machine cannot run a function, and where; empty where it can.
struct Refusal {
  Place place;
  std::string reason;
};
std::vector<Refusal> refusals(const Function& function, bool is_host);

}  // namespace headway::kernel
