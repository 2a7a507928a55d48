#include "kernel/ir/guards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernel/ir/premises.hpp"

namespace headway::kernel {
namespace {

constexpr std::uint64_t kAllOnes = 0xffffffff;

// What gives a value, and what values are constant.
class Definitions {
 public:
  explicit Definitions(const Function& function) : function_(function) {
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
      for (const Instruction& i : function.blocks[b].code) {
        if (i.result != kNone) of_[i.result] = {&i, b};
      }
    }
  }
  const Instruction* of(ValueId id) const {
    const auto found = of_.find(id);
    return found == of_.end() ? nullptr : found->second.first;
  }
  BlockId block(ValueId id) const { return of_.at(id).second; }
  bool is(ValueId id, std::uint64_t bits) const {
    const Value& value = function_.values[id];
    return value.kind == Value::Kind::constant && value.type.is_integer() && value.bits == bits;
  }
  // The other operand of an instruction one of whose operands is that constant.
  std::optional<ValueId> beside(ValueId id, Op op, std::uint64_t bits) const {
    const Instruction* made = of(id);
    if (made == nullptr || made->op != op) return {};
    if (is(made->operands[1], bits)) return made->operands[0];
    if (is(made->operands[0], bits)) return made->operands[1];
    return {};
  }
  // x of x - 1, which may be written as x + all ones.
  std::optional<ValueId> before_decrement(ValueId id) const {
    if (const auto x = beside(id, Op::add, kAllOnes)) return x;
    const Instruction* made = of(id);
    if (made == nullptr || made->op != Op::sub || !is(made->operands[1], 1)) return {};
    return made->operands[0];
  }
  Type type(ValueId id) const { return function_.values[id].type; }

 private:
  const Function& function_;
  std::unordered_map<ValueId, std::pair<const Instruction*, BlockId>> of_;
};

// Whether two phis of one block are the halves of a number of 64 bits that starts with all ones and
// loses one each time that the block is entered again.
bool counts_down(const Definitions& all, ValueId low, ValueId high) {
  const Instruction* lows = all.of(low);
  const Instruction* highs = all.of(high);
  if (lows == nullptr || highs == nullptr || lows->op != Op::phi || highs->op != Op::phi ||
      all.block(low) != all.block(high) || !(lows->type == Type::integer(32)) ||
      !(highs->type == Type::integer(32))) {
    return false;
  }
  bool starts = false, goes_on = false;
  for (std::size_t i = 0; i < lows->operands.size(); ++i) {
    const auto from = std::find(highs->targets.begin(), highs->targets.end(), lows->targets[i]);
    if (from == highs->targets.end()) return false;
    const ValueId next_low = lows->operands[i];
    const ValueId next_high =
        highs->operands[static_cast<std::size_t>(from - highs->targets.begin())];
    if (all.is(next_low, kAllOnes) && all.is(next_high, kAllOnes)) {
      starts = true;
      continue;
    }
    if (all.before_decrement(next_low) != low) return false;
    const Instruction* taken = all.of(next_high);
    if (taken == nullptr || taken->op != Op::sub || taken->operands[0] != high) return false;
    // The carry: 1 where the low half was 0, which is where it becomes all ones.
    const Instruction* carry = all.of(taken->operands[1]);
    if (carry == nullptr) return false;
    const bool chosen =
        carry->op == Op::select && all.is(carry->operands[1], 1) && all.is(carry->operands[2], 0);
    if (!chosen && carry->op != Op::zext) return false;
    const ValueId wraps = carry->operands[0];
    if (!all.type(wraps).is_integer() || all.type(wraps).bits != 1) return false;
    if (all.beside(wraps, Op::eq, kAllOnes) != next_low && all.beside(wraps, Op::eq, 0) != low) {
      return false;
    }
    goes_on = true;
  }
  return starts && goes_on;
}

void replace(Function& function, const std::unordered_map<ValueId, ValueId>& by) {
  for (Block& block : function.blocks) {
    for (Instruction& i : block.code) {
      for (ValueId& operand : i.operands) {
        for (auto to = by.find(operand); to != by.end(); to = by.find(operand)) {
          operand = to->second;
        }
      }
    }
  }
}

}  // namespace

bool only_gives(const Function& function, const Instruction& i) {
  if (i.result == kNone || !is_value(i.op)) return false;
  // These go wrong for some operands.
  const bool is_shift = class_of(i.op) == OpClass::shift;
  if (is_division(i.op) || is_shift) {
    const Value& by = function.values[i.operands[1]];
    if (by.kind != Value::Kind::constant) return false;
    if (is_shift) return by.bits < static_cast<unsigned>(i.type.bits);
    return by.bits != 0 && i.op != Op::sdiv && i.op != Op::srem;
  }
  return true;
}

void drop_loop_guards(Function& function) {
  const Definitions all(function);
  std::vector<ValueId> never;
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (i.op != Op::bit_and || i.type.bits != 1) continue;
      const auto a = all.beside(i.operands[0], Op::eq, 0);
      const auto b = all.beside(i.operands[1], Op::eq, 0);
      if (a && b && (counts_down(all, *a, *b) || counts_down(all, *b, *a))) {
        never.push_back(i.result);
      }
    }
  }
  if (never.empty()) return;
  function.unbounded_loops = static_cast<int>(never.size());
  std::unordered_map<ValueId, ValueId> by;
  function.values.push_back({Value::Kind::constant, Type::integer(1), 0, kNone, {}});
  for (const ValueId id : never) by[id] = static_cast<ValueId>(function.values.size() - 1);
  replace(function, by);
}

namespace {

// Who uses values for what.
class Uses {
 public:
  Uses(const Function& function, const Definitions& all) : function_(function), all_(all) {
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.code) {
        for (const ValueId operand : i.operands) by_[operand].push_back(&i);
      }
    }
  }
  // Whether a number does nothing but say which element of what a parameter points to is meant.
  bool only_index(ValueId value, std::uint32_t parameter) const {
    const auto users = by_.find(value);
    if (users == by_.end()) return true;
    return std::all_of(users->second.begin(), users->second.end(), [&](const Instruction* i) {
      if (i->op == Op::zext || i->op == Op::sext || i->op == Op::add || i->op == Op::mul ||
          i->op == Op::shl) {
        return only_index(i->result, parameter);
      }
      return i->op == Op::offset && i->operands[0] != value && root(i->operands[0]) == parameter;
    });
  }

 private:
  std::optional<std::uint32_t> root(ValueId pointer) const {
    const Value& value = function_.values[pointer];
    if (value.kind == Value::Kind::argument) return static_cast<std::uint32_t>(value.bits);
    const Instruction* made = all_.of(pointer);
    if (made == nullptr || made->op != Op::offset) return {};
    return root(made->operands[0]);
  }

  const Function& function_;
  const Definitions& all_;
  std::unordered_map<ValueId, std::vector<const Instruction*>> by_;
};

}  // namespace

void drop_index_guards(Function& function, const std::set<std::string>& sized) {
  const Definitions all(function);
  const Uses uses(function, all);
  // The length of a buffer that may be as long as it needs to be, of length - 1.
  const auto length_of = [&](ValueId id) -> std::optional<ValueId> {
    const auto length = all.before_decrement(id);
    if (!length || function.values[*length].kind != Value::Kind::argument) return {};
    const Parameter& parameter = function.parameters[function.values[*length].bits];
    if (parameter.length_of == kNone) return {};
    const Parameter& buffer = function.parameters[parameter.length_of];
    if (buffer.bytes != 0 || sized.contains(buffer.name) || sized.contains(parameter.name)) {
      return {};
    }
    return length;
  };
  struct Guard {
    ValueId index, length;
  };
  std::unordered_map<ValueId, Guard> guards;  // by what they give
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (i.op != Op::math || i.math != Math::umin) continue;
      for (const std::size_t last : {0, 1}) {
        const auto length = length_of(i.operands[last]);
        if (!length) continue;
        const std::uint32_t buffer = function.parameters[function.values[*length].bits].length_of;
        if (!uses.only_index(i.result, buffer)) continue;
        guards[i.result] = {i.operands[1 - last], *length};
        add_premise(function,
                    fmt::format("'{}' is as long as the indices need that are kept within it",
                                function.parameters[buffer].name));
      }
    }
  }
  if (guards.empty()) return;
  // Lengths that are looked at in another way: only those decide more than where accesses go.
  std::set<ValueId> watched;
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (guards.contains(i.result)) continue;
      for (const ValueId operand : i.operands) {
        const bool decrement = i.result != kNone && all.before_decrement(i.result) == operand;
        if (!decrement) watched.insert(operand);
        if (const auto length = length_of(operand)) watched.insert(*length);
      }
    }
  }
  std::unordered_map<ValueId, ValueId> by;
  for (Block& block : function.blocks) {
    std::vector<Instruction> kept;
    for (Instruction& i : block.code) {
      const auto guard = guards.find(i.result);
      if (guard == guards.end()) {
        kept.push_back(std::move(i));
        continue;
      }
      const auto [index, length] = guard->second;
      by[i.result] = index;
      if (!watched.contains(length)) continue;
      Instruction within;
      within.op = Op::ult;
      within.type = Type::integer(1);
      within.operands = {index, length};
      within.place = i.place;
      function.values.push_back({Value::Kind::instruction, within.type, 0, kNone, {}});
      within.result = static_cast<ValueId>(function.values.size() - 1);
      Instruction fits;
      fits.op = Op::claim;
      fits.claim = Claim::assumption;
      fits.operands = {within.result};
      fits.place = i.place;
      kept.push_back(std::move(within));
      kept.push_back(std::move(fits));
    }
    block.code = std::move(kept);
  }
  replace(function, by);
}

void drop_unused(Function& function) {
  std::unordered_map<ValueId, const Instruction*> idle;  // not needed so far
  std::vector<ValueId> needed;
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (only_gives(function, i)) {
        idle[i.result] = &i;
      } else {
        needed.insert(needed.end(), i.operands.begin(), i.operands.end());
      }
    }
  }
  while (!needed.empty()) {
    const auto found = idle.find(needed.back());
    needed.pop_back();
    if (found == idle.end()) continue;
    const Instruction& i = *found->second;
    idle.erase(found);
    needed.insert(needed.end(), i.operands.begin(), i.operands.end());
  }
  if (idle.empty()) return;
  for (Block& block : function.blocks) {
    std::erase_if(block.code, [&](const Instruction& i) {
      return i.result != kNone && idle.contains(i.result);
    });
  }
}

}  // namespace headway::kernel
