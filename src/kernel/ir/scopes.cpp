#include "kernel/ir/scopes.hpp"

#include <algorithm>

#include "kernel/ir/bases.hpp"

namespace headway::kernel {
namespace {

using Locals = std::vector<bool>;

class Scopes {
 public:
  explicit Scopes(const Function& function)
      : function_(function), scoped_(locals_with_scopes(function)), bases_(find_bases(function)) {
    escaped_.assign(scoped_.size(), false);
    for (const Block& block : function_.blocks) {
      for (const Instruction& i : block.code) escape(i);
    }
  }

  // Calls `act` with each access that may be to a variable outside its scope, and the number of
  // that.
  template <typename Act>
  void find(const Act& act) {
    const std::vector<Locals> closed = closed_at_blocks();
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
      Locals now = closed[b];
      for (const Instruction& i : function_.blocks[b].code) {
        for (const int address : {row_of(i.op).reads, row_of(i.op).writes}) {
          if (address == kNowhere) continue;
          const ValueId pointer = i.operands[static_cast<std::size_t>(address)];
          for (std::size_t l = 0; l < now.size(); ++l) {
            if (now[l] && may_go_to(pointer, l)) act(i, l);
          }
        }
        pass(i, now);
      }
    }
  }

 private:
  // Which may be outside their scopes where a block begins.
  std::vector<Locals> closed_at_blocks() const {
    std::vector<Locals> closed(function_.blocks.size(), Locals(scoped_.size(), false));
    closed.front() = scoped_;
    for (bool changes = true; changes;) {
      changes = false;
      for (BlockId b = 0; b < function_.blocks.size(); ++b) {
        Locals now = closed[b];
        for (const Instruction& i : function_.blocks[b].code) pass(i, now);
        for (const BlockId next : function_.blocks[b].end().targets) {
          for (std::size_t l = 0; l < now.size(); ++l) {
            if (!now[l] || closed[next][l]) continue;
            closed[next][l] = true;
            changes = true;
          }
        }
      }
    }
    return closed;
  }

  void pass(const Instruction& i, Locals& closed) const {
    if (class_of(i.op) != OpClass::lifetime) return;
    const std::vector<ObjectId>& objects = bases_[i.operands[0]].objects;
    if (i.op == Op::begin_lifetime && objects.size() != 1) return;
    for (const ObjectId object : objects) {
      if (object < kFirstLocal) continue;
      const std::size_t local = object - kFirstLocal;
      closed[local] = i.op == Op::end_lifetime && scoped_[local];
    }
  }

  // Whether pointers that come from anywhere may go to a variable: its address is stored, or goes
  // where nobody looks.
  void escape(const Instruction& i) {
    if (is_value(i.op) || class_of(i.op) == OpClass::lifetime) return;
    const OpRow& row = row_of(i.op);
    for (std::size_t o = 0; o < i.operands.size(); ++o) {
      const int at = static_cast<int>(o);
      if (at == row.reads || at == row.writes) continue;
      for (const ObjectId object : bases_[i.operands[o]].objects) {
        if (object >= kFirstLocal) escaped_[object - kFirstLocal] = true;
      }
    }
  }

  bool may_go_to(ValueId pointer, std::size_t local) const {
    const Bases& of = bases_[pointer];
    const ObjectId object = kFirstLocal + static_cast<ObjectId>(local);
    return std::ranges::binary_search(of.objects, object) || (of.any && escaped_[local]);
  }

  const Function& function_;
  const Locals scoped_;
  const std::vector<Bases> bases_;
  Locals escaped_;
};

bool has_scopes(const Function& function) {
  const std::vector<bool> scoped = locals_with_scopes(function);
  return std::ranges::find(scoped, true) != scoped.end();
}

}  // namespace

std::vector<bool> locals_with_scopes(const Function& function) {
  std::vector<bool> result(function.locals.size(), false);
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (i.op != Op::end_lifetime) continue;
      const Value& address = function.values[i.operands[0]];
      if (address.kind == Value::Kind::address && address.object >= kFirstLocal)
        result[address.object - kFirstLocal] = true;
    }
  }
  return result;
}

std::optional<OutsideScope> access_outside_scope(const Function& function) {
  std::optional<OutsideScope> result;
  if (!has_scopes(function)) return result;
  Scopes(function).find([&](const Instruction& i, std::size_t local) {
    if (!result) result = OutsideScope{i.place, function.locals[local].name};
  });
  return result;
}

std::vector<bool> locals_accessed_outside_scope(const Function& function) {
  std::vector<bool> result(function.locals.size(), false);
  if (!has_scopes(function)) return result;
  Scopes(function).find([&](const Instruction&, std::size_t local) { result[local] = true; });
  return result;
}

}  // namespace headway::kernel
