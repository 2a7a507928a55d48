#include "kernel/machine/code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <set>

#include "base/graph/dominators.hpp"
#include "kernel/ir/control_flow.hpp"
#include "kernel/machine/needed.hpp"

namespace headway::kernel {

bool commute(Effect a, Effect b) { return a == b && a != Effect::writes; }

Code::Code(const Module& module, const Function& function, const std::vector<std::uint32_t>& spins,
           Kind kind)
    : module_(module), function_(function), bases_(find_bases(function)) {
  std::uint32_t count = 0;
  for (const Block& block : function.blocks) {
    first_.push_back(count);
    count += static_cast<std::uint32_t>(block.code.size());
  }
  parks_.resize(count);
  switch (kind) {
    case Kind::whole:
    case Kind::host:
      needed_.assign(count, true);
      break;
    case Kind::sliced:
      needed_ = needed_instructions(function, bases_);
      break;
    case Kind::results:
      needed_ = needed_instructions(function, bases_, doubtful_results(module, function, bases_));
      break;
  }
  if (kind != Kind::host) find_parks(spins);
  find_live();
  find_joins();
  find_ahead();
}

const Instruction& Code::instruction(std::uint32_t number) const {
  const auto next = std::upper_bound(first_.begin(), first_.end(), number);
  const auto block = static_cast<BlockId>(next - first_.begin() - 1);
  return at(block, number - first_[block]);
}

const std::vector<ValueId>& Code::live(BlockId block, std::uint32_t index) const {
  return live_.at(number(block, index));
}

bool Code::is_private(ValueId pointer) const {
  const Bases& of = bases_[pointer];
  if (of.any) return false;
  const auto is_local = [&](ObjectId id) {
    return module_.object(function_, id).space == Space::local;
  };
  const auto by_value = [&](std::uint32_t p) { return function_.parameters[p].by_value > 0; };
  return std::all_of(of.objects.begin(), of.objects.end(), is_local) &&
         std::all_of(of.parameters.begin(), of.parameters.end(), by_value);
}

Effect Code::effect_of(const Instruction& i, const std::vector<bool>& used,
                       bool has_acquire_fence) const {
  if (i.op == Op::load || i.op == Op::atomic_load) return Effect::reads;
  // The result of an update tells who was first, and so does what is acquired.
  const bool tells =
      i.op != Op::atomic_update || used[i.result] || acquires(i.order) || has_acquire_fence;
  if (tells) return Effect::writes;
  switch (i.update) {
    case Update::add:
    case Update::sub:
      return Effect::adds;
    case Update::bit_and:
      return Effect::ands;
    case Update::bit_or:
      return Effect::ors;
    case Update::bit_xor:
      return Effect::xors;
    case Update::smin:
      return Effect::minima;
    case Update::smax:
      return Effect::maxima;
    // Unsigned ones with signed ones would not commute; sums of reals depend on the order.
    case Update::umin:
    case Update::umax:
    case Update::exchange:
    case Update::bit_nand:
    case Update::wrap_inc:
    case Update::wrap_dec:
    case Update::mul:
    case Update::fadd:
    case Update::fsub:
    case Update::fmin:
    case Update::fmax:
    case Update::fmul:
      return Effect::writes;
  }
  std::abort();  // there are no others
}

void Code::find_parks(const std::vector<std::uint32_t>& spins) {
  std::vector<bool> used(function_.values.size());
  bool has_acquire_fence = false;
  for (BlockId b = 0; b < function_.blocks.size(); ++b) {
    const std::vector<Instruction>& code = function_.blocks[b].code;
    for (std::uint32_t i = 0; i < code.size(); ++i) {
      for (const ValueId operand : asked(code[i], number(b, i))) used[operand] = true;
      has_acquire_fence = has_acquire_fence || (code[i].op == Op::fence && acquires(code[i].order));
    }
  }
  for (BlockId b = 0; b < function_.blocks.size(); ++b) {
    const std::vector<Instruction>& code = function_.blocks[b].code;
    for (std::uint32_t i = 0; i < code.size(); ++i) {
      const Instruction& instruction = code[i];
      const std::uint32_t id = number(b, i);
      const bool plain = instruction.op == Op::load || instruction.op == Op::store;
      const bool touches = (is_atomic(instruction.op) || (plain && instruction.is_volatile) ||
                            std::find(spins.begin(), spins.end(), id) != spins.end()) &&
                           !is_private(instruction.operands[0]);
      if (touches) {
        effects_[id] = effect_of(instruction, used, has_acquire_fence);
      }
      copies_beside_ =
          copies_beside_ || instruction.op == Op::thread_copy || instruction.op == Op::async_copy;
      parks_[id] = touches || meets(instruction.op);
      const bool orders_by_access =
          is_atomic(instruction.op) &&
          (instruction.order != Order::relaxed ||
           (instruction.otherwise && *instruction.otherwise != Order::relaxed));
      const bool orders =
          is_barrier(instruction.op) || instruction.op == Op::fence || orders_by_access;
      splits_memory_ = splits_memory_ || (orders && instruction.memory != 3) ||
                       (orders_by_access && module_.atomics_by_space);
      const bool is_narrow = plain && instruction.scope < Scope::device;
      if (is_narrow && !is_private(instruction.operands[0])) {
        plain_scope_ = std::min(plain_scope_, instruction.scope);
      }
      const bool has_scope = instruction.op == Op::fence || is_atomic(instruction.op) ||
                             (plain && instruction.is_volatile);
      has_wide_scopes_ = has_wide_scopes_ && (!has_scope || instruction.scope >= Scope::device);
    }
  }
}

void Code::find_live() {
  const auto next = successors(function_);
  std::vector<std::set<ValueId>> live_in(function_.blocks.size());
  const auto is_register = [&](ValueId id) {
    return function_.values[id].kind == Value::Kind::instruction;
  };
  // Into `live`, what is needed before an instruction when `live` is needed behind it.
  const auto before = [&](BlockId b, std::uint32_t index, std::set<ValueId>& live) {
    const Instruction& i = at(b, index);
    if (i.result != kNone) live.erase(i.result);
    if (i.op == Op::phi) return;
    for (const ValueId operand : asked(i, is_needed(number(b, index)))) {
      if (is_register(operand)) live.insert(operand);
    }
  };
  const auto live_out = [&](BlockId b) {
    std::set<ValueId> live;
    for (const BlockId to : next[b]) {
      live.insert(live_in[to].begin(), live_in[to].end());
      for (const Instruction& i : function_.blocks[to].code) {
        if (i.op != Op::phi) break;
        live.erase(i.result);
      }
    }
    for (const BlockId to : next[b]) {
      const std::vector<Instruction>& code = function_.blocks[to].code;
      for (std::uint32_t n = 0; code[n].op == Op::phi; ++n) {
        const Instruction& i = code[n];
        for (std::size_t k = 0; is_needed(number(to, n)) && k < i.targets.size(); ++k) {
          if (i.targets[k] == b && is_register(i.operands[k])) live.insert(i.operands[k]);
        }
      }
    }
    return live;
  };
  bool changes = true;
  while (changes) {
    changes = false;
    for (BlockId b = static_cast<BlockId>(function_.blocks.size()); b-- > 0;) {
      std::set<ValueId> live = live_out(b);
      const std::vector<Instruction>& code = function_.blocks[b].code;
      for (auto i = static_cast<std::uint32_t>(code.size()); i-- > 0;) before(b, i, live);
      // Phis are taken with the edge that leads here.
      if (live != live_in[b]) {
        live_in[b] = std::move(live);
        changes = true;
      }
    }
  }
  for (BlockId b = 0; b < function_.blocks.size(); ++b) {
    std::set<ValueId> needed = live_in[b];
    for (const Instruction& i : function_.blocks[b].code) {
      if (i.op == Op::phi) needed.insert(i.result);
    }
    live_into_.emplace_back(needed.begin(), needed.end());
    std::set<ValueId> live = live_out(b);
    const std::vector<Instruction>& code = function_.blocks[b].code;
    for (auto i = static_cast<std::uint32_t>(code.size()); i-- > 0;) {
      before(b, i, live);
      if (parks(b, i)) live_[number(b, i)] = {live.begin(), live.end()};
    }
  }
}

// Closest post-dominators: dominators backwards from a node behind all ends. Blocks without a way
// to an end have none.
void Code::find_joins() {
  const auto next = successors(function_);
  const std::size_t count = function_.blocks.size();
  const auto end = static_cast<BlockId>(count);
  std::vector<std::vector<BlockId>> before(count + 1);
  for (BlockId b = 0; b < end; ++b) {
    for (const BlockId to : next[b]) before[to].push_back(b);
    if (next[b].empty()) before[end].push_back(b);
  }
  joins_ = closest_dominators(end, before);
  joins_.pop_back();
  for (BlockId& join : joins_) {
    if (join == end || join == kNotReached) join = kNone;
  }
}

// From each place that parks, the marked instructions that may be reached, itself included; with
// `stops` those without a barrier of the workgroup on the way. `again` are those that may be
// reached from behind themselves.
Code::Reachable Code::reachable(const std::vector<bool>& marked, bool stops,
                                std::set<std::uint32_t>& again) const {
  const auto next = successors(function_);
  const std::size_t count = function_.blocks.size();
  std::vector<std::set<std::uint32_t>> in(count);
  const auto through = [&](BlockId b, std::uint32_t from, std::set<std::uint32_t> behind) {
    const std::vector<Instruction>& code = function_.blocks[b].code;
    for (auto i = static_cast<std::uint32_t>(code.size()); i-- > from;) {
      const bool meets = (code[i].op == Op::barrier && code[i].scope >= Scope::workgroup) ||
                         code[i].op == Op::barrier_reduce;
      if (stops && meets) behind.clear();
      if (marked[number(b, i)]) behind.insert(number(b, i));
    }
    return behind;
  };
  const auto out = [&](BlockId b) {
    std::set<std::uint32_t> all;
    for (const BlockId to : next[b]) all.insert(in[to].begin(), in[to].end());
    return all;
  };
  bool changes = true;
  while (changes) {
    changes = false;
    for (BlockId b = static_cast<BlockId>(count); b-- > 0;) {
      std::set<std::uint32_t> all = through(b, 0, out(b));
      if (all != in[b]) {
        in[b] = std::move(all);
        changes = true;
      }
    }
  }
  Reachable result;
  for (BlockId b = 0; b < count; ++b) {
    for (std::uint32_t i = 0; i < function_.blocks[b].code.size(); ++i) {
      if (!parks(b, i)) continue;
      const std::set<std::uint32_t> all = through(b, i, out(b));
      result[number(b, i)] = {all.begin(), all.end()};
      if (through(b, i + 1, out(b)).contains(number(b, i))) again.insert(number(b, i));
    }
  }
  return result;
}

void Code::find_ahead() {
  std::vector<bool> touches(parks_.size());
  for (const auto& [number, effect] : effects_) touches[number] = true;
  ahead_ = reachable(touches, false, again_);
  ahead_before_barrier_ = reachable(touches, true, again_before_barrier_);
  std::vector<bool> builtins(parks_.size());
  for (BlockId b = 0; b < function_.blocks.size(); ++b) {
    const std::vector<Instruction>& code = function_.blocks[b].code;
    for (std::uint32_t i = 0; i < code.size(); ++i) {
      builtins[number(b, i)] = code[i].op == Op::builtin && is_needed(number(b, i));
    }
  }
  std::set<std::uint32_t> unasked;
  builtins_ahead_ = reachable(builtins, false, unasked);
}

std::vector<Refusal> refusals(const Function& function, bool is_host) {
  if (!function.unsupported.empty()) return {{function.place, function.unsupported}};
  std::vector<Refusal> result;
  const auto refuse = [&](const Instruction& instruction, std::string reason) {
    result.push_back({instruction.place, std::move(reason)});
  };
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (i.op == Op::external && !is_host) {
        refuse(i, fmt::format("a call of '{}', of which nothing is known", i.name));
      }
      if (i.op == Op::builtin && i.builtin == Builtin::active_mask) {
        refuse(i,
               "the mask of active threads, which may be any that names the thread itself; "
               "expected one that the program computes, as by a ballot in front of the branch");
      }
    }
  }
  return result;
}

}  // namespace headway::kernel
