#include "kernel/ir/held_pointers.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "kernel/ir/bases.hpp"
#include "kernel/ir/operations.hpp"

namespace headway::kernel {
namespace {

struct Spot {
  std::uint64_t parameter = 0, at = 0;
  bool of_elements = false;  // plus what is no constant
};

// Of addresses that are a parameter, or so many bytes behind one.
std::vector<std::optional<Spot>> spots_of(const Function& function) {
  std::vector<std::optional<Spot>> result(function.values.size());
  for (ValueId v = 0; v < function.values.size(); ++v) {
    const Value& value = function.values[v];
    if (value.kind == Value::Kind::argument && value.type.is_pointer())
      result[v] = Spot{value.bits, 0};
  }
  for (bool more = true; std::exchange(more, false);) {
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.code) {
        if (i.op != Op::offset || result[i.result] || !result[i.operands[0]]) continue;
        const Value& bytes = function.value(i.operands[1]);
        result[i.result] = result[i.operands[0]];
        if (bytes.kind == Value::Kind::constant) {
          result[i.result]->at += bytes.bits;
        } else {
          result[i.result]->of_elements = true;
        }
        more = true;
      }
    }
  }
  return result;
}

// Of each pointer that is read from memory, whether it only leads somewhere: what is compared, or
// kept, may be null.
std::vector<bool> only_lead(const Function& function) {
  std::vector<bool> result(function.values.size(), true);
  for (bool more = true; std::exchange(more, false);) {
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.code) {
        for (std::size_t k = 0; k < i.operands.size(); ++k) {
          const OpRow& row = row_of(i.op);
          const bool is_address =
              static_cast<int>(k) == row.reads || static_cast<int>(k) == row.writes;
          const bool leads = is_address || (i.op == Op::offset && k == 0 && result[i.result]);
          if (leads || !result[i.operands[k]]) continue;
          result[i.operands[k]] = false;
          more = true;
        }
      }
    }
  }
  return result;
}

// Whether an access of so many bytes, at a place, may be to what is eight bytes at another one.
bool overlap(const Spot& written, std::uint64_t bytes, std::uint64_t at) {
  return written.at < at + 8 && at < written.at + bytes;
}

}  // namespace

std::vector<HeldPointers> held_pointers(const Function& function) {
  const std::vector<std::optional<Spot>> spots = spots_of(function);
  const std::vector<Bases> bases = find_bases(function);
  const std::vector<bool> leads = only_lead(function);
  std::vector<HeldPointers> result(function.parameters.size());
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (i.op != Op::load || !i.type.is_pointer() || !spots[i.operands[0]]) continue;
      const Spot& spot = *spots[i.operands[0]];
      HeldPointers& held = result[spot.parameter];
      held.at.push_back(spot.at);
      held.of_elements = held.of_elements || spot.of_elements;
      // Others may write it.
      held.is_open = held.is_open || i.is_volatile || !leads[i.result];
    }
  }
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      const int to = row_of(i.op).writes;
      if (to == kNowhere) continue;
      const ValueId address = i.operands[static_cast<std::size_t>(to)];
      for (const std::uint32_t parameter : bases[address].parameters) {
        HeldPointers& held = result[parameter];
        const auto& spot = spots[address];
        const std::uint64_t bytes = i.type.is_pointer() ? 8 : static_cast<unsigned>(i.type.bytes());
        held.is_open = held.is_open || !spot || !is_access(i.op) ||
                       spot->of_elements != held.of_elements ||
                       std::ranges::any_of(
                           held.at, [&](std::uint64_t at) { return overlap(*spot, bytes, at); });
      }
    }
  }
  for (HeldPointers& held : result) {
    if (held.is_open) held.at.clear();
    std::ranges::sort(held.at);
    held.at.erase(std::unique(held.at.begin(), held.at.end()), held.at.end());
  }
  return result;
}

}  // namespace headway::kernel
