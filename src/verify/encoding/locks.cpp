#include "verify/encoding/locks.hpp"

#include <algorithm>

namespace headway::verify {

using kernel::Instruction;
using kernel::Op;
using kernel::Order;
using kernel::Scope;
using kernel::Update;
using kernel::Value;
using kernel::ValueId;

namespace {

struct Use {
  bool fits = true;
  std::vector<BlockId> plain, atomic;
  int last_plain = -1, first_atomic = -1;
  std::vector<const Instruction*> accesses;  // atomic ones
};

// What is written if anything is.
ValueId written(const Instruction& i) { return i.operands[i.op == Op::atomic_compare ? 2 : 1]; }

bool is_constant(const kernel::Function& function, ValueId id, std::uint64_t bits) {
  const Value& v = function.value(id);
  return v.kind == Value::Kind::constant && v.bits == bits;
}

Scope scope_of(const Region& region, bool one_group) {
  return region.of_group() || one_group ? Scope::workgroup : Scope::device;
}

// A store that comes again after the lock has been taken is none that comes before.
bool in_one_loop(const Flow& flow, const Use& use) {
  for (const BlockId p : use.plain) {
    for (int l = flow.loop[p]; l != kNoLoop; l = flow.loops[static_cast<std::size_t>(l)].parent) {
      if (std::any_of(use.atomic.begin(), use.atomic.end(),
                      [&](BlockId a) { return flow.in_loop(a, l); })) {
        return true;
      }
    }
  }
  return false;
}

// Whether some write takes, and some gives back or, of a lock for once, none can.
bool is_spin(const kernel::Function& function, Lock& lock, const Use& use) {
  bool takes = false, frees = false, once = true;
  for (const Instruction* i : use.accesses) {
    if (only_reads(function, *i)) continue;
    const bool updates = i->op == Op::atomic_update;
    if (updates && i->update != Update::exchange && i->update != Update::bit_or &&
        i->update != Update::bit_and) {
      return false;
    }
    const Value& v = function.value(written(*i));
    const bool zero = is_constant(function, written(*i), 0);
    const bool known = v.kind == Value::Kind::constant && !zero;
    takes = takes || may_take(function, lock, *i);
    frees = frees || zero;
    once = once && (known || (updates && i->update == Update::bit_or) ||
                    (i->op == Op::atomic_compare && is_constant(function, i->operands[1], 0)));
  }
  lock.once = takes && once && !frees;
  return lock.once || (takes && frees);
}

// Of a ticket lock: where the numbers are drawn that are compared to what is read.
int numbers_of(const kernel::Function& function, const Regions& regions, int region,
               const std::map<int, std::uint64_t>& tickets) {
  std::vector<int> read(function.values.size(), -1), drawn(function.values.size(), -1);
  for (const kernel::Block& b : function.blocks) {
    for (const Instruction& i : b.code) {
      if (!touch_of(i).atomic || i.result == kernel::kNone) continue;
      const int r = *regions.of_value[i.operands[0]].begin();
      if (only_reads(function, i)) {
        read[i.result] = r;
      } else if (i.op == Op::atomic_update && tickets.contains(r)) {
        drawn[i.result] = r;
      }
    }
  }
  for (const kernel::Block& b : function.blocks) {
    for (const Instruction& i : b.code) {
      if (i.op != Op::eq && i.op != Op::ne) continue;
      for (const std::size_t k : {0U, 1U}) {
        if (read[i.operands[k]] == region && drawn[i.operands[1 - k]] >= 0) {
          return drawn[i.operands[1 - k]];
        }
      }
    }
  }
  return -1;
}

// Each write is of the next number.
bool is_turn(const kernel::Function& function, const Regions& regions, const Lock& lock,
             const Use& use) {
  if (lock.numbers < 0 || lock.numbers == lock.region) return false;
  const auto of_group = [&](int r) { return regions.all[static_cast<std::size_t>(r)].of_group(); };
  if (of_group(lock.numbers) != of_group(lock.region)) return false;
  return std::all_of(use.accesses.begin(), use.accesses.end(), [&](const Instruction* i) {
    if (only_reads(function, *i) || i->op == Op::atomic_store) return true;
    return i->op == Op::atomic_update &&
           (i->update == Update::exchange ||
            (i->update == Update::add && is_constant(function, i->operands[1], lock.step)));
  });
}

}  // namespace

bool only_reads(const kernel::Function& function, const Instruction& i) {
  if (i.op == Op::atomic_load) return true;
  return i.op == Op::atomic_update &&
         (i.update == Update::add || i.update == Update::sub || i.update == Update::bit_or ||
          i.update == Update::bit_xor) &&
         is_constant(function, i.operands[1], 0);
}

bool may_take(const kernel::Function& function, const Lock& lock, const Instruction& i) {
  if (lock.is_turn()) return only_reads(function, i) && i.result != kernel::kNone;
  if (i.op != Op::atomic_compare && i.op != Op::atomic_update) return false;
  return !only_reads(function, i) && !is_constant(function, written(i), 0);
}

std::vector<Lock> locks_of(const kernel::Function& function, const Flow& flow,
                           const Regions& regions, bool one_group,
                           const std::map<int, std::uint64_t>& tickets) {
  if (regions.unknown_written) return {};
  std::map<int, Use> uses;
  std::vector<const Instruction*> fences;
  int place = 0;
  for (const BlockId b : flow.order) {
    for (const Instruction& i : function.blocks[b].code) {
      ++place;
      if (i.op == Op::fence) fences.push_back(&i);
      const Touch touch = touch_of(i);
      if (!touch.writes && !touch.atomic) continue;
      const std::set<int>& to = regions.of_value[i.operands[0]];
      for (const int r : to) {
        Use& use = uses[r];
        if (!touch.atomic) {
          use.fits = use.fits && i.op == Op::store;
          use.plain.push_back(b);
          use.last_plain = place;
          continue;
        }
        const Region& region = regions.all[static_cast<std::size_t>(r)];
        use.fits = use.fits && to.size() == 1 && i.type.is_integer() && i.type.bits >= 8 &&
                   i.scope >= scope_of(region, one_group);
        if (use.first_atomic < 0) use.first_atomic = place;
        use.atomic.push_back(b);
        use.accesses.push_back(&i);
      }
    }
  }
  std::vector<Lock> result;
  for (const auto& [r, use] : uses) {
    const Region& region = regions.all[static_cast<std::size_t>(r)];
    if (r <= kUnknownRegion || !region.shared() || !use.fits || use.accesses.empty()) continue;
    if (use.last_plain > use.first_atomic || in_one_loop(flow, use)) continue;
    Lock lock;
    lock.region = r;
    lock.bytes = use.accesses.front()->type.bytes();
    lock.scope = scope_of(region, one_group);
    for (const Instruction* i : fences) {
      if (i->scope >= lock.scope) lock.memory &= i->memory;
    }
    bool one_width = true;
    for (const Instruction* i : use.accesses) {
      one_width = one_width && i->type.bytes() == lock.bytes;
      if (i->order != Order::relaxed) lock.memory &= i->memory;
    }
    if (!one_width) continue;
    if (is_spin(function, lock, use)) {
      result.push_back(lock);
      continue;
    }
    lock.numbers = numbers_of(function, regions, r, tickets);
    if (lock.is_turn()) lock.step = tickets.at(lock.numbers);
    if (is_turn(function, regions, lock, use)) result.push_back(lock);
  }
  return result;
}

}  // namespace headway::verify
