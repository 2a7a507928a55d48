#include "kernel/slice/registers.hpp"

#include <algorithm>

namespace headway::kernel::slice {

std::vector<std::pair<ValueId, ValueId>> copies(const Code& code, const Relevant& relevant,
                                                BlockId from, BlockId to) {
  std::vector<std::pair<ValueId, ValueId>> result;
  for (const Instruction& phi : code.function().blocks[to].code) {
    if (phi.op != Op::phi) break;
    if (!relevant.needed[phi.result]) continue;
    for (std::size_t i = 0; i < phi.targets.size(); ++i) {
      if (phi.targets[i] == from) result.emplace_back(phi.result, phi.operands[i]);
    }
  }
  return result;
}

namespace {

bool is_access(const Instruction& i) { return kernel::is_access(i.op) || i.op == Op::subgroup; }

class Chooser {
 public:
  Chooser(const Code& code, const Relevant& relevant, Expressions& expressions)
      : code_(code), function_(code.function()), relevant_(relevant), expressions_(expressions) {}

  void run() {
    make_phis();
    count_uses();
    for (BlockId b = 0; b < function_.blocks.size(); ++b) look_through(b);
    find_interference();
    share();
    expressions_.name_registers();
  }

 private:
  bool is_kept(BlockId b, std::uint32_t i) const { return relevant_.kept[code_.number(b, i)]; }
  bool is_value(ValueId id) const {
    return function_.values[id].kind == Value::Kind::instruction && relevant_.needed[id];
  }

  // The values that an instruction uses where it stands; those of phis are used on the way there.
  std::vector<ValueId> uses(const Instruction& i) const {
    if (i.op == Op::phi || i.op == Op::jump || i.op == Op::barrier || i.op == Op::ret) return {};
    const bool meets = i.op == Op::subgroup || i.op == Op::barrier_reduce;
    if (meets && (i.result == kNone || !relevant_.needed[i.result])) return {};
    return i.operands;
  }
  std::vector<BlockId> reached() const {
    std::vector<BlockId> result;
    std::vector<bool> seen(function_.blocks.size());
    std::vector<BlockId> work = {0};
    seen[0] = true;
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      result.push_back(b);
      for (const BlockId to : relevant_.next[b]) {
        if (!seen[to]) work.push_back(to);
        seen[to] = true;
      }
    }
    return result;
  }

  void make_phis() {
    for (const BlockId b : reached()) {
      for (const Instruction& i : function_.blocks[b].code) {
        if (i.op == Op::phi && relevant_.needed[i.result])
          expressions_.make_register(i.result, "r");
      }
    }
  }

  void make(ValueId id) {
    if (expressions_.register_of(id) < 0) expressions_.make_register(id, "r");
  }

  // How often a value would be written, if none but phis were registers.
  void count_uses() {
    users_.resize(function_.values.size());
    for (const BlockId b : reached()) {
      const std::vector<Instruction>& all = function_.blocks[b].code;
      for (std::uint32_t i = 0; i < all.size(); ++i) {
        if (!is_kept(b, i)) continue;
        for (const ValueId id : uses(all[i])) {
          if (!is_value(id)) continue;
          users_[id].push_back({b, i});
          // Once for each case.
          if (all[i].op == Op::choose) users_[id].push_back({b, i});
        }
      }
      for (const BlockId to : relevant_.next[b]) {
        for (const auto& [phi, value] : copies(code_, relevant_, b, to)) {
          if (is_value(value)) users_[value].push_back({b, static_cast<std::uint32_t>(all.size())});
        }
      }
    }
    // What the source names and uses more than once, and accesses that are used more than once.
    bool changes = true;
    while (changes) {
      changes = false;
      for (ValueId id = 0; id < users_.size(); ++id) {
        if (!is_value(id) || expressions_.register_of(id) >= 0) continue;
        const Instruction& i = expressions_.instruction(id);
        if (!i.type.is_integer()) continue;
        const std::size_t count = written(id);
        const bool named = !function_.values[id].name.empty();
        if (count < 2 || (!is_access(i) && !named && count * size(id) < 24)) continue;
        make(id);
        changes = true;
      }
    }
  }

  bool is_root(const Instruction& i) const {
    return i.result == kNone || is_access(i) || !is_value(i.result) ||
           expressions_.register_of(i.result) >= 0;
  }

  std::size_t written(ValueId id) const {
    std::size_t result = 0;
    for (const auto& [b, i] : users_[id]) {
      const std::vector<Instruction>& all = function_.blocks[b].code;
      result += i >= all.size() || is_root(all[i]) ? 1 : written(all[i].result);
    }
    return result;
  }
  std::size_t size(ValueId id) const {
    if (!is_value(id) || expressions_.register_of(id) >= 0) return 1;
    const Instruction& i = expressions_.instruction(id);
    std::size_t result = 1;
    if (i.op == Op::phi || is_access(i)) return result;
    for (const ValueId operand : i.operands) result += size(operand);
    return result;
  }

  // Accesses that an expression would hold, in the order in which they are made; `apart` where one
  // is behind a condition.
  void accesses_in(ValueId id, std::vector<ValueId>& found, bool& apart) const {
    if (!is_value(id) || expressions_.register_of(id) >= 0) return;
    const Instruction& i = expressions_.instruction(id);
    const std::size_t before = found.size();
    for (const ValueId operand : uses(i)) accesses_in(operand, found, apart);
    const bool conditional = i.op == Op::select || i.op == Op::math ||
                             (i.type.bits == 1 && (i.op == Op::bit_and || i.op == Op::bit_or));
    if (conditional && found.size() > before) apart = true;
    if (is_access(i)) found.push_back(id);
  }

  // Which accesses of a block stay where their value is used.
  void look_through(BlockId b) {
    const std::vector<Instruction>& all = function_.blocks[b].code;
    std::vector<ValueId> pending;
    const auto flush = [&] {
      for (const ValueId id : pending) make(id);
      pending.clear();
    };
    // The expressions of a statement are made behind all that is pending and not in them.
    const auto use = [&](const std::vector<ValueId>& values) {
      std::vector<ValueId> inside;
      bool apart = false;
      for (const ValueId id : values) accesses_in(id, inside, apart);
      const bool fits = !apart && inside.size() <= pending.size() &&
                        std::equal(inside.begin(), inside.end(),
                                   pending.end() - static_cast<std::ptrdiff_t>(inside.size()));
      if (!fits) {
        flush();
        return;
      }
      pending.resize(pending.size() - inside.size());
    };
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (!is_kept(b, i) || all[i].op == Op::phi) continue;
      const bool gives = all[i].result != kNone && is_value(all[i].result);
      const bool is_register = gives && expressions_.register_of(all[i].result) >= 0;
      if (is_access(all[i])) {
        // What is inside of it stays before it, and becomes part of it.
        std::vector<ValueId> inside;
        bool apart = false;
        for (const ValueId id : uses(all[i])) accesses_in(id, inside, apart);
        use(uses(all[i]));
        const bool stays = gives && !is_register && root_block(all[i].result) == b;
        if (gives && !is_register && !stays) make(all[i].result);
        if (!stays) {
          flush();
          continue;
        }
        // Those inside that are still no registers are made with it.
        for (const ValueId id : inside) {
          if (expressions_.register_of(id) < 0) pending.push_back(id);
        }
        pending.push_back(all[i].result);
      } else if (is_barrier(all[i].op)) {
        flush();
      } else if (i + 1 == all.size() || is_register || all[i].result == kNone) {
        use(uses(all[i]));
        flush();
      }
    }
    flush();
  }

  // The block of the one statement that a value ends up in; kNone where it is set on a way.
  BlockId root_block(ValueId id) const {
    const auto& all = users_[id];
    if (all.size() != 1) return kNone;
    const auto& [b, i] = all.front();
    const std::vector<Instruction>& code = function_.blocks[b].code;
    if (i >= code.size()) return kNone;
    return is_root(code[i]) ? b : root_block(code[i].result);
  }

  // The registers that an expression reads.
  void registers_in(ValueId id, std::set<ValueId>& found) const {
    if (!is_value(id)) return;
    if (expressions_.register_of(id) >= 0) {
      found.insert(id);
      return;
    }
    for (const ValueId operand : uses(expressions_.instruction(id))) registers_in(operand, found);
  }

  void find_interference() {
    const std::vector<BlockId> blocks = reached();
    live_in_.resize(function_.blocks.size());
    const auto is_register = [&](ValueId id) {
      return is_value(id) && expressions_.register_of(id) >= 0;
    };
    const auto through = [&](BlockId b, bool notes) {
      std::set<ValueId> live;
      for (const BlockId to : relevant_.next[b]) {
        live.insert(live_in_[to].begin(), live_in_[to].end());
      }
      for (const BlockId to : relevant_.next[b]) {
        for (const auto& [phi, value] : copies(code_, relevant_, b, to)) registers_in(value, live);
      }
      const std::vector<Instruction>& all = function_.blocks[b].code;
      for (std::uint32_t i = static_cast<std::uint32_t>(all.size()); i-- > 0;) {
        if (!is_kept(b, i) || all[i].op == Op::phi) continue;
        const bool sets = all[i].result != kNone && is_register(all[i].result);
        if (sets) {
          live.erase(all[i].result);
          for (const ValueId other : live) {
            if (notes) interfere(all[i].result, other);
          }
        }
        const bool inlined = all[i].result != kNone && is_value(all[i].result) && !sets;
        if (inlined) continue;  // its registers are used where it is written
        for (const ValueId id : uses(all[i])) registers_in(id, live);
      }
      std::vector<ValueId> phis;
      for (const Instruction& i : all) {
        if (i.op == Op::phi && is_register(i.result)) phis.push_back(i.result);
      }
      for (const ValueId phi : phis) {
        for (const ValueId other : live) {
          if (notes) interfere(phi, other);
        }
        for (const ValueId other : phis) {
          if (notes) interfere(phi, other);
        }
      }
      for (const ValueId phi : phis) live.erase(phi);
      return live;
    };
    bool changes = true;
    while (changes) {
      changes = false;
      for (const BlockId b : blocks) {
        std::set<ValueId> live = through(b, false);
        changes = changes || live != live_in_[b];
        live_in_[b] = std::move(live);
      }
    }
    for (const BlockId b : blocks) through(b, true);
  }
  void interfere(ValueId a, ValueId b) {
    if (a == b) return;
    apart_.insert({a, b});
    apart_.insert({b, a});
  }

  void share() {
    std::map<int, std::vector<ValueId>> members;
    for (ValueId id = 0; id < function_.values.size(); ++id) {
      if (is_value(id) && expressions_.register_of(id) >= 0) {
        members[expressions_.register_of(id)].push_back(id);
      }
    }
    const auto join = [&](ValueId a, ValueId b) {
      const int to = expressions_.register_of(a);
      const int from = expressions_.register_of(b);
      if (to == from) return;
      for (const ValueId x : members[to]) {
        for (const ValueId y : members[from]) {
          if (apart_.contains({x, y})) return;
        }
      }
      const bool gives_name = function_.values[a].name.empty() && !function_.values[b].name.empty();
      std::vector<ValueId>& kept = members[gives_name ? from : to];
      std::vector<ValueId>& gone = members[gives_name ? to : from];
      kept.insert(kept.end(), gone.begin(), gone.end());
      gone.clear();
      expressions_.join_registers(gives_name ? from : to, gives_name ? to : from);
    };
    for (const BlockId b : reached()) {
      for (const BlockId to : relevant_.next[b]) {
        for (const auto& [phi, value] : copies(code_, relevant_, b, to)) {
          if (is_value(value) && expressions_.register_of(value) >= 0) join(phi, value);
        }
      }
    }
  }

  const Code& code_;
  const Function& function_;
  const Relevant& relevant_;
  Expressions& expressions_;
  std::vector<std::vector<std::pair<BlockId, std::uint32_t>>> users_;
  std::vector<std::set<ValueId>> live_in_;
  std::set<std::pair<ValueId, ValueId>> apart_;
};

}  // namespace

void choose_registers(const Code& code, const Relevant& relevant, Expressions& expressions) {
  Chooser(code, relevant, expressions).run();
}

}  // namespace headway::kernel::slice
