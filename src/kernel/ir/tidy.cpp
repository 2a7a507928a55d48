#include "kernel/ir/tidy.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/graph/dominators.hpp"
#include "kernel/ir/arithmetic.hpp"
#include "kernel/ir/scopes.hpp"

namespace headway::kernel {
namespace {

std::vector<BlockId> control_order(const Function& function) {
  std::vector<std::vector<BlockId>> after;
  after.reserve(function.blocks.size());
  for (const Block& block : function.blocks) after.push_back(block.end().targets);
  std::vector<BlockId> order = postorder(0, after);
  std::reverse(order.begin(), order.end());
  return order;
}

// One scalar of a local object.
struct Slot {
  ObjectId object = kNone;
  std::uint64_t at = 0;
  Type type;
};

class Promotion {
 public:
  Promotion(Function& function, Unwritten unwritten)
      : function_(function),
        unwritten_(unwritten),
        refused_(locals_accessed_outside_scope(function)) {}

  bool run() {
    do {
      find_slots();
      if (slots_.empty() || slots_.size() * function_.blocks.size() > kMost) return false;
      find_live();
    } while (unwritten_ == Unwritten::stays_memory && refuse_unwritten());
    for (BlockId b = 0; b < function_.blocks.size(); ++b) rewrite(b);
    fill_phis();
    drop_idle_phis();
    apply();
    return true;
  }

 private:
  static constexpr std::size_t kMost = 40'000'000;

  static std::uint64_t key(ObjectId object, std::uint64_t at) {
    return std::uint64_t{object} << 32 | at;
  }
  bool is_candidate(ObjectId object) const {
    return object != kNone && object >= kFirstLocal && !refused_[object - kFirstLocal] &&
           function_.locals[object - kFirstLocal].space == Space::local;
  }
  ObjectId object_of(ValueId id) const {
    const Value& value = function_.values[id];
    return value.kind == Value::Kind::address ? value.object : kNone;
  }
  std::optional<std::size_t> slot_of(const Instruction& i) const {
    if (i.op != Op::load && i.op != Op::store) return {};
    const Value& value = function_.values[i.operands[0]];
    if (value.kind != Value::Kind::address || !is_candidate(value.object)) return {};
    return slot_numbers_.at(key(value.object, value.bits));
  }

  void find_slots() {
    slots_.clear();
    slot_numbers_.clear();
    of_object_.clear();
    std::map<std::pair<ObjectId, std::uint64_t>, Type> places;
    const auto refuse = [&](ObjectId object) {
      if (object != kNone && object >= kFirstLocal) refused_[object - kFirstLocal] = true;
    };
    for (const Block& block : function_.blocks) {
      for (const Instruction& i : block.code) {
        const bool accesses = (i.op == Op::load || i.op == Op::store) && !i.is_volatile;
        for (std::size_t o = 0; o < i.operands.size(); ++o) {
          const ObjectId object = object_of(i.operands[o]);
          if (object == kNone) continue;
          const std::uint64_t at = function_.values[i.operands[o]].bits;
          const bool is_mark = (i.op == Op::begin_lifetime || i.op == Op::end_lifetime) && at == 0;
          if (is_mark) continue;
          if (!accesses || o > 0 || at >= (std::uint64_t{1} << 31)) {
            refuse(object);
            continue;
          }
          const auto [found, is_new] = places.try_emplace({object, at}, i.type);
          if (!is_new && !(found->second == i.type)) refuse(object);
        }
      }
    }
    // Places that overlap others, or lie beyond the end, stay memory.
    for (auto i = places.begin(); i != places.end(); ++i) {
      const auto& [object, at] = i->first;
      if (object < kFirstLocal) continue;
      const std::uint64_t end = at + static_cast<unsigned>(i->second.bytes());
      if (end > function_.locals[object - kFirstLocal].bytes) refuse(object);
      const auto next = std::next(i);
      if (next != places.end() && next->first.first == object && next->first.second < end) {
        refuse(object);
      }
    }
    for (const auto& [place, type] : places) {
      if (!is_candidate(place.first)) continue;
      slot_numbers_[key(place.first, place.second)] = slots_.size();
      of_object_[place.first].push_back(slots_.size());
      slots_.push_back({place.first, place.second, type});
    }
  }

  // Which slots are needed at the start of a block.
  void find_live() {
    const std::size_t blocks = function_.blocks.size();
    const std::size_t count = slots_.size();
    std::vector<std::vector<bool>> kills(blocks, std::vector<bool>(count, false));
    live_in_.assign(blocks, std::vector<bool>(count, false));
    before_.assign(blocks, {});
    for (BlockId b = 0; b < blocks; ++b) {
      for (const Instruction& i : function_.blocks[b].code) {
        if (const auto slot = slot_of(i)) {
          if (i.op == Op::load && !kills[b][*slot]) live_in_[b][*slot] = true;
          if (i.op == Op::store) kills[b][*slot] = true;
        } else if (i.op == Op::begin_lifetime) {
          for (const std::size_t one : slots_in(i)) kills[b][one] = true;
        }
      }
      for (const BlockId next : function_.blocks[b].end().targets) {
        auto& all = before_[next];
        if (std::find(all.begin(), all.end(), b) == all.end()) all.push_back(b);
      }
    }
    bool changes = true;
    while (changes) {
      changes = false;
      for (BlockId b = static_cast<BlockId>(blocks); b-- > 0;) {
        for (const BlockId next : function_.blocks[b].end().targets) {
          for (std::size_t s = 0; s < count; ++s) {
            if (!live_in_[next][s] || kills[b][s] || live_in_[b][s]) continue;
            live_in_[b][s] = true;
            changes = true;
          }
        }
      }
    }
  }

  // Refuses objects that may be read before they are written; whether there are such.
  bool refuse_unwritten() {
    std::vector<bool> needed = live_in_.front();
    for (const Block& block : function_.blocks) {
      std::vector<bool> live(slots_.size(), false);
      const auto add = [&](const std::vector<bool>& more) {
        for (std::size_t s = 0; s < more.size(); ++s) live[s] = live[s] || more[s];
      };
      for (const BlockId next : block.end().targets) add(live_in_[next]);
      for (auto i = block.code.rbegin(); i != block.code.rend(); ++i) {
        if (const auto slot = slot_of(*i)) {
          live[*slot] = i->op == Op::load;
        } else if (i->op == Op::begin_lifetime) {
          for (const std::size_t one : slots_in(*i)) {
            needed[one] = needed[one] || live[one];
            live[one] = false;
          }
        }
      }
    }
    bool found = false;
    for (std::size_t s = 0; s < slots_.size(); ++s) {
      if (!needed[s]) continue;
      refused_[slots_[s].object - kFirstLocal] = true;
      found = true;
    }
    return found;
  }

  const std::vector<std::size_t>& slots_in(const Instruction& mark) const {
    static const std::vector<std::size_t> none;
    const auto found = of_object_.find(object_of(mark.operands[0]));
    return found == of_object_.end() ? none : found->second;
  }

  ValueId made(Value value) {
    function_.values.push_back(std::move(value));
    return static_cast<ValueId>(function_.values.size() - 1);
  }
  ValueId undefined(std::size_t slot) {
    const Object& object = function_.locals[slots_[slot].object - kFirstLocal];
    return made({Value::Kind::undefined, slots_[slot].type, 0, kNone, object.name});
  }

  void rewrite(BlockId b) {
    std::unordered_map<std::size_t, ValueId> now;
    const std::vector<BlockId>& before = before_[b];
    for (std::size_t s = 0; s < slots_.size(); ++s) {
      if (!live_in_[b][s]) continue;
      if (before.empty()) {
        now[s] = undefined(s);
      } else if (before.size() == 1 && before[0] < b) {
        now[s] = out_[before[0]].at(s);
      } else {
        const Object& object = function_.locals[slots_[s].object - kFirstLocal];
        const ValueId joined =
            made({Value::Kind::instruction, slots_[s].type, 0, kNone, object.name});
        phis_.push_back({b, s, joined, {}, false});
        now[s] = joined;
      }
    }
    std::vector<Instruction> kept;
    for (Instruction& i : function_.blocks[b].code) {
      const auto slot = slot_of(i);
      if (slot && i.op == Op::store) {
        now[*slot] = i.operands[1];
      } else if (slot) {
        replaced_[i.result] = now.at(*slot);
      } else if ((i.op == Op::begin_lifetime || i.op == Op::end_lifetime) &&
                 is_candidate(object_of(i.operands[0]))) {
        if (i.op == Op::begin_lifetime) {
          for (const std::size_t one : slots_in(i)) now[one] = undefined(one);
        }
      } else {
        kept.push_back(std::move(i));
      }
    }
    function_.blocks[b].code = std::move(kept);
    // What the blocks behind need.
    std::unordered_map<std::size_t, ValueId> out;
    for (const BlockId next : function_.blocks[b].end().targets) {
      for (std::size_t s = 0; s < slots_.size(); ++s) {
        if (live_in_[next][s]) out[s] = now.at(s);
      }
    }
    if (out_.size() < function_.blocks.size()) out_.resize(function_.blocks.size());
    out_[b] = std::move(out);
  }

  void fill_phis() {
    for (Phi& phi : phis_) {
      for (const BlockId from : before_[phi.block]) phi.operands.push_back(out_[from].at(phi.slot));
    }
  }

  ValueId resolved(ValueId id) {
    ValueId last = id;
    for (auto found = replaced_.find(last); found != replaced_.end();
         found = replaced_.find(last)) {
      last = found->second;
    }
    while (id != last) {
      ValueId& next = replaced_.at(id);
      id = next;
      next = last;
    }
    return last;
  }

  // A phi of one value and itself is that value.
  void drop_idle_phis() {
    bool changes = true;
    while (changes) {
      changes = false;
      for (Phi& phi : phis_) {
        if (phi.dropped) continue;
        ValueId only = kNone;
        bool several = false;
        for (ValueId& operand : phi.operands) {
          operand = resolved(operand);
          if (operand == phi.result || operand == only) continue;
          several = several || only != kNone;
          only = operand;
        }
        if (several || only == kNone) continue;
        replaced_[phi.result] = only;
        phi.dropped = true;
        changes = true;
      }
    }
  }

  void apply() {
    for (const Phi& phi : phis_) {
      if (phi.dropped) continue;
      Instruction made_phi;
      made_phi.op = Op::phi;
      made_phi.type = slots_[phi.slot].type;
      made_phi.result = phi.result;
      made_phi.targets = before_[phi.block];
      made_phi.operands = phi.operands;
      std::vector<Instruction>& code = function_.blocks[phi.block].code;
      code.insert(code.begin(), std::move(made_phi));
    }
    for (Block& block : function_.blocks) {
      for (Instruction& i : block.code) {
        for (ValueId& operand : i.operands) operand = resolved(operand);
      }
    }
  }

  struct Phi {
    BlockId block;
    std::size_t slot;
    ValueId result;
    std::vector<ValueId> operands;
    bool dropped;
  };

  Function& function_;
  Unwritten unwritten_;
  std::vector<bool> refused_;  // locals that stay memory
  std::vector<Slot> slots_;
  std::unordered_map<std::uint64_t, std::size_t> slot_numbers_;
  std::unordered_map<ObjectId, std::vector<std::size_t>> of_object_;
  std::vector<std::vector<bool>> live_in_;
  std::vector<std::vector<BlockId>> before_;
  std::vector<std::unordered_map<std::size_t, ValueId>> out_;
  std::vector<Phi> phis_;
  std::unordered_map<ValueId, ValueId> replaced_;
};

class Folding {
 public:
  explicit Folding(Function& function) : function_(function) {}

  void run() {
    for (bool again = true; again;) {
      again = false;
      for (Block& block : function_.blocks) again = fold(block) || again;
      if (again) order_blocks(function_);
    }
    for (Block& block : function_.blocks) {
      for (Instruction& i : block.code) {
        for (ValueId& operand : i.operands) operand = resolved(operand);
      }
    }
  }

 private:
  ValueId resolved(ValueId id) const {
    for (auto found = replaced_.find(id); found != replaced_.end(); found = replaced_.find(id)) {
      id = found->second;
    }
    return id;
  }
  std::optional<std::uint64_t> known(ValueId id) const {
    const Value& value = function_.values[id];
    if (value.kind != Value::Kind::constant || !value.type.is_integer()) return {};
    return value.bits;
  }
  ValueId constant(Type type, std::uint64_t bits) {
    function_.values.push_back({Value::Kind::constant, type, bits, kNone, {}});
    return static_cast<ValueId>(function_.values.size() - 1);
  }

  // What an instruction gives, where it is another value.
  std::optional<ValueId> result_of(const Instruction& i) {
    if (i.op == Op::phi) {
      ValueId only = kNone;
      for (const ValueId operand : i.operands) {
        if (operand == i.result || operand == only) continue;
        const bool same = only != kNone && known(only) && known(only) == known(operand);
        if (only != kNone && !same) return {};
        only = operand;
      }
      if (only == kNone) return {};
      return only;
    }
    if (i.op == Op::select) {
      if (const auto condition = known(i.operands[0])) return i.operands[*condition != 0 ? 1 : 2];
      return {};
    }
    if (!i.type.is_integer() || i.operands.empty()) return {};
    const auto a = known(i.operands[0]);
    if (is_binary(i.op) && a) {
      const auto b = known(i.operands[1]);
      if (!b) return {};
      const int bits = function_.values[i.operands[0]].type.bits;
      if (const auto result = integer_result(i.op, bits, *a, *b)) return constant(i.type, *result);
      return {};
    }
    if (class_of(i.op) == OpClass::resizing && a) {
      const Type from = function_.values[i.operands[0]].type;
      if (const auto result = converted(i.op, from, i.type, *a)) return constant(i.type, *result);
    }
    return {};
  }

  // Whether something more is known now.
  bool fold(Block& block) {
    bool again = false;
    const auto self = static_cast<BlockId>(&block - function_.blocks.data());
    std::vector<Instruction> kept;
    for (Instruction& i : block.code) {
      for (ValueId& operand : i.operands) operand = resolved(operand);
      if (i.result != kNone) {
        if (const auto other = result_of(i)) {
          replaced_[i.result] = *other;
          again = true;
          continue;
        }
      }
      kept.push_back(std::move(i));
    }
    block.code = std::move(kept);
    Instruction& end = block.code.back();
    if (end.op != Op::branch && end.op != Op::choose) return again;
    const auto which = known(end.operands[0]);
    if (!which) return again;
    BlockId target = end.targets[0];
    if (end.op == Op::branch) {
      target = end.targets[*which != 0 ? 0 : 1];
    } else {
      const auto found = std::find(end.cases.begin(), end.cases.end(), *which);
      if (found != end.cases.end()) {
        target = end.targets[static_cast<std::size_t>(found - end.cases.begin()) + 1];
      }
    }
    for (const BlockId other : end.targets) {
      if (other != target) leave(other, self);
    }
    end.op = Op::jump;
    end.operands.clear();
    end.cases.clear();
    end.targets = {target};
    return true;
  }

  // A block is no longer reached from another one.
  void leave(BlockId block, BlockId from) {
    for (Instruction& i : function_.blocks[block].code) {
      if (i.op != Op::phi) break;
      const auto found = std::find(i.targets.begin(), i.targets.end(), from);
      if (found == i.targets.end()) continue;
      i.operands.erase(i.operands.begin() + (found - i.targets.begin()));
      i.targets.erase(found);
    }
  }

  Function& function_;
  std::unordered_map<ValueId, ValueId> replaced_;
};

}  // namespace

void order_blocks(Function& function) {
  if (function.blocks.empty()) return;
  const std::vector<BlockId> order = control_order(function);
  std::vector<BlockId> renamed(function.blocks.size(), kNone);
  for (std::size_t i = 0; i < order.size(); ++i) renamed[order[i]] = static_cast<BlockId>(i);
  std::vector<Block> blocks;
  blocks.reserve(order.size());
  for (const BlockId old : order) blocks.push_back(std::move(function.blocks[old]));
  for (Block& block : blocks) {
    for (BlockId& head : block.loops) head = renamed[head];
    std::erase(block.loops, kNone);  // that nothing comes to
    for (Instruction& i : block.code) {
      if (i.op != Op::phi) {
        for (BlockId& target : i.targets) target = renamed[target];
        continue;
      }
      std::size_t kept = 0;
      for (std::size_t o = 0; o < i.targets.size(); ++o) {
        const BlockId from = renamed[i.targets[o]];
        if (from == kNone) continue;
        i.targets[kept] = from;
        i.operands[kept++] = i.operands[o];
      }
      i.targets.resize(kept);
      i.operands.resize(kept);
    }
  }
  function.blocks = std::move(blocks);
}

void fold_constants(Function& function) {
  if (!function.blocks.empty()) Folding(function).run();
}

void drop_unused_locals(Function& function) {
  std::vector<bool> used(function.locals.size());
  const auto local_of = [&](const Value& value) -> std::optional<std::size_t> {
    const bool is_local = value.kind == Value::Kind::address && value.object >= kFirstLocal;
    if (!is_local) return {};
    return value.object - kFirstLocal;
  };
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      for (const ValueId operand : i.operands) {
        if (const auto local = local_of(function.values[operand])) used[*local] = true;
      }
    }
  }
  for (const Object& object : function.locals) {
    for (const Object::Pointer& pointer : object.pointers) {
      if (pointer.object >= kFirstLocal) used[pointer.object - kFirstLocal] = true;
    }
  }
  std::vector<ObjectId> renamed(used.size(), kNone);
  std::vector<Object> kept;
  for (std::size_t local = 0; local < used.size(); ++local) {
    if (!used[local]) continue;
    renamed[local] = kFirstLocal + static_cast<ObjectId>(kept.size());
    kept.push_back(std::move(function.locals[local]));
  }
  for (Object& object : kept) {
    for (Object::Pointer& pointer : object.pointers) {
      if (pointer.object >= kFirstLocal) pointer.object = renamed[pointer.object - kFirstLocal];
    }
  }
  for (Value& value : function.values) {
    const auto local = local_of(value);
    if (!local) continue;
    value.object = renamed[*local];
    if (value.object == kNone) value = {Value::Kind::undefined, value.type, 0, kNone, value.name};
  }
  function.locals = std::move(kept);
}

bool promote_locals(Function& function, Unwritten unwritten) {
  return !function.blocks.empty() && Promotion(function, unwritten).run();
}

bool fold_addresses(Function& function) {
  std::unordered_map<ValueId, ValueId> replaced;
  for (Block& block : function.blocks) {
    std::erase_if(block.code, [&](Instruction& i) {
      for (ValueId& operand : i.operands) {
        if (const auto found = replaced.find(operand); found != replaced.end()) {
          operand = found->second;
        }
      }
      if (i.op != Op::offset) return false;
      const Value base = function.values[i.operands[0]];
      const Value& by = function.values[i.operands[1]];
      if (base.kind != Value::Kind::address || by.kind != Value::Kind::constant) return false;
      replaced[i.result] = static_cast<ValueId>(function.values.size());
      function.values.push_back({base.kind, base.type, base.bits + by.bits, base.object, {}});
      return true;
    });
  }
  // Phis name values of blocks that come later.
  for (Block& block : function.blocks) {
    for (Instruction& i : block.code) {
      for (ValueId& operand : i.operands) {
        if (const auto found = replaced.find(operand); found != replaced.end()) {
          operand = found->second;
        }
      }
    }
  }
  return !replaced.empty();
}

}  // namespace headway::kernel
