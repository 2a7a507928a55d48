#include "kernel/ptx/pointers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernel/ir/builder.hpp"
#include "kernel/ptx/instructions.hpp"

namespace headway::kernel::ptx {
namespace {

struct Fact {
  enum class Kind { open, number, address };
  Kind kind = Kind::open;
  Addresses of = Addresses::generic;  // of an address; never `global`
  friend bool operator==(const Fact&, const Fact&) = default;
};

constexpr Fact kNumber = {Fact::Kind::number, Addresses::generic};

Fact address_fact(Addresses of) {
  return {Fact::Kind::address, of == Addresses::global ? Addresses::generic : of};
}

const char* name_of(Addresses of) {
  switch (of) {
    case Addresses::generic:
    case Addresses::global:
      return "global memory";
    case Addresses::shared:
      return "shared memory";
    case Addresses::local:
      return "local memory";
    case Addresses::constant:
      return "constant memory";
  }
  return "";
}

// What values are, as far as it follows. Facts are never taken back, so that it ends; each is told
// to the instructions around once.
class Facts {
 public:
  Facts(const Function& function, const AddressSpaces& spaces, Place& at)
      : function_(function),
        spaces_(spaces),
        at_(at),
        facts_(function.values.size()),
        definitions_(function.values.size()),
        uses_(function.values.size()) {
    for (const Block& block : function_.blocks) {
      for (const Instruction& i : block.code) {
        if (i.result != kNone) definitions_[i.result] = &i;
        for (const ValueId operand : i.operands) uses_[operand].push_back(&i);
      }
    }
  }

  void find() {
    for (ValueId v = 0; v < function_.values.size(); ++v) begin(v);
    for (const Block& block : function_.blocks) {
      for (const Instruction& i : block.code) {
        if (i.op == Op::int_to_pointer) set(i.operands[0], address_fact(spaces_.at(i.result)), i);
        if (i.op == Op::pointer_to_int) set(i.result, address_fact(spaces_.at(i.result)), i);
      }
    }
    // A sum of two values of which nothing is known: the one that comes from a parameter or from
    // memory may be an address.
    do {
      drain();
    } while (decide_sums());
  }

  const Fact& operator[](ValueId value) const { return facts_[value]; }
  bool is_address(ValueId value) const { return facts_[value].kind == Fact::Kind::address; }
  // A constant, or what is undefined: it goes with anything.
  bool is_neutral(ValueId value) const {
    const Value::Kind kind = function_.value(value).kind;
    return kind == Value::Kind::constant || kind == Value::Kind::undefined;
  }

 private:
  static bool is_wide(Type type) {
    return type.is_integer() && (type.bits == 32 || type.bits == 64);
  }
  bool is_resizing(const Instruction& i) const {
    return (i.op == Op::zext || i.op == Op::trunc) && is_wide(i.type) &&
           is_wide(function_.value(i.operands[0]).type);
  }

  void begin(ValueId v) {
    const Value& value = function_.value(v);
    if (is_neutral(v) || value.type.is_pointer()) return;
    const Instruction* i = definitions_[v];
    const bool may_be =
        is_wide(value.type) &&
        (value.kind == Value::Kind::argument ||
         (i != nullptr &&
          (is_resizing(*i) || i->op == Op::pointer_to_int || i->op == Op::add || i->op == Op::sub ||
           i->op == Op::phi || i->op == Op::select || is_source(v))));
    if (!may_be) set(v, kNumber, {});
  }

  // Whether it comes from where nothing is known of it.
  bool is_source(ValueId v) const {
    const Value& value = function_.value(v);
    if (!value.type.is_integer() || value.type.bits != 64) return false;
    if (value.kind == Value::Kind::argument) return true;
    const Instruction* i = definitions_[v];
    return i != nullptr && (i->op == Op::load || i->op == Op::atomic_load);
  }

  void set(ValueId v, Fact fact, const Instruction& by) {
    if (is_neutral(v)) return;
    Fact& known = facts_[v];
    if (known == fact) return;
    const bool is_address = fact.kind == Fact::Kind::address;
    if (known.kind == Fact::Kind::open) {
      if (is_address && function_.value(v).type.bits == 32 && fact.of != Addresses::shared) {
        refuse(by, fmt::format("an address of {} in 32 bits", name_of(fact.of)));
      }
      known = fact;
      changed_.push_back(v);
      return;
    }
    if (is_address && known.kind == Fact::Kind::address) {
      refuse(by, fmt::format("an address of {}, and of {}", name_of(known.of), name_of(fact.of)));
    }
    refuse(by, "a number that is an address, and another number, too");
  }

  [[noreturn]] void refuse(const Instruction& by, const std::string& why) const {
    if (by.place.line > 0) at_ = by.place;
    throw Refused(why);
  }

  void drain() {
    while (!changed_.empty()) {
      const ValueId v = changed_.back();
      changed_.pop_back();
      if (definitions_[v] != nullptr) follow(*definitions_[v]);
      for (const Instruction* use : uses_[v]) follow(*use);
    }
  }

  void follow(const Instruction& i) {
    if (i.op == Op::phi) return follow_equal(i, 0);
    if (i.op == Op::select) return follow_equal(i, 1);
    if (i.op == Op::add) return follow_sum(i);
    if (i.op == Op::sub) return follow_difference(i);
    if (is_resizing(i)) return follow_resizing(i);
  }

  // Operands from `first` on and the result are all the same.
  void follow_equal(const Instruction& i, std::size_t first) {
    Fact fact = facts_[i.result];
    for (std::size_t o = first; o < i.operands.size() && fact.kind == Fact::Kind::open; ++o) {
      if (!is_neutral(i.operands[o])) fact = facts_[i.operands[o]];
    }
    if (fact.kind == Fact::Kind::open) return;
    set(i.result, fact, i);
    for (std::size_t o = first; o < i.operands.size(); ++o) set(i.operands[o], fact, i);
  }

  bool is_number(ValueId v) const { return is_neutral(v) || facts_[v].kind == Fact::Kind::number; }

  void follow_sum(const Instruction& i) {
    const ValueId sum = i.result;
    for (const auto& [a, b] :
         {std::pair(i.operands[0], i.operands[1]), std::pair(i.operands[1], i.operands[0])}) {
      if (is_address(a)) {
        if (is_address(b)) refuse(i, "a sum of two addresses");
        set(sum, facts_[a], i);
        set(b, kNumber, i);
      } else if (is_number(a)) {
        if (is_address(sum)) set(b, facts_[sum], i);
        if (facts_[sum].kind == Fact::Kind::number) set(b, kNumber, i);
        if (is_number(b)) set(sum, kNumber, i);
      }
    }
  }

  void follow_difference(const Instruction& i) {
    const ValueId a = i.operands[0], b = i.operands[1], difference = i.result;
    if (is_address(b)) {
      set(a, facts_[b], i);
      set(difference, kNumber, i);
      if (is_neutral(a)) refuse(i, "a number less an address");
      return;
    }
    if (is_address(difference)) {
      if (is_neutral(a)) refuse(i, "an address that is a difference of numbers");
      set(a, facts_[difference], i);
      set(b, kNumber, i);
    }
    if (is_number(b)) {
      if (is_address(a)) set(difference, facts_[a], i);
      if (is_number(a)) set(difference, kNumber, i);
      if (facts_[difference].kind == Fact::Kind::number) set(a, kNumber, i);
    } else if (is_address(a) && facts_[difference].kind == Fact::Kind::number) {
      set(b, facts_[a], i);
    }
  }

  // An address of shared memory has 32 bits, with zeros above them.
  void follow_resizing(const Instruction& i) {
    const ValueId from = i.operands[0];
    if (is_address(from)) {
      const bool stays = facts_[from].of == Addresses::shared;
      set(i.result, stays ? facts_[from] : kNumber, i);
    } else if (is_address(i.result)) {
      if (facts_[i.result].of != Addresses::shared) {
        refuse(i, fmt::format("an address of {} in 32 bits", name_of(facts_[i.result].of)));
      }
      set(from, facts_[i.result], i);
    } else if (is_number(from)) {
      set(i.result, kNumber, i);
    }
  }

  // Whether one has become clear.
  bool decide_sums() {
    std::vector<const Instruction*> sums;
    for (const Block& block : function_.blocks) {
      for (const Instruction& i : block.code) {
        const bool open = i.op == Op::add && is_address(i.result) && !is_address(i.operands[0]) &&
                          !is_address(i.operands[1]);
        if (open) sums.push_back(&i);
      }
    }
    if (sums.empty()) return false;
    const std::vector<bool> may_be = from_sources();
    bool any = false;
    for (const Instruction* i : sums) {
      const bool a = may_be[i->operands[0]], b = may_be[i->operands[1]];
      if (a == b) continue;
      set(i->operands[a ? 0 : 1], facts_[i->result], *i);
      any = true;
    }
    if (!any) {
      refuse(*sums.front(),
             "an address that is a sum of two numbers, of which either may be the address");
    }
    return true;
  }

  std::vector<bool> from_sources() const {
    std::vector<bool> result(function_.values.size());
    std::vector<ValueId> next;
    const auto add = [&](ValueId v) {
      if (result[v] || facts_[v].kind != Fact::Kind::open) return;
      result[v] = true;
      next.push_back(v);
    };
    for (ValueId v = 0; v < function_.values.size(); ++v) {
      if (is_source(v)) add(v);
    }
    while (!next.empty()) {
      const ValueId v = next.back();
      next.pop_back();
      for (const Instruction* use : uses_[v]) {
        if (use->result != kNone) add(use->result);
      }
    }
    return result;
  }

  const Function& function_;
  const AddressSpaces& spaces_;
  Place& at_;
  std::vector<Fact> facts_;
  std::vector<const Instruction*> definitions_;
  std::vector<std::vector<const Instruction*>> uses_;
  std::vector<ValueId> changed_;
};

// Writes instructions again, with pointers where addresses are.
class Rewriting {
 public:
  Rewriting(Function& function, const Facts& facts, const AddressSpaces& spaces, Place& at)
      : function_(function), facts_(facts), spaces_(spaces), builder_(function), at_(at) {}

  // Gives the pointers that have to be of global memory.
  std::vector<std::pair<ValueId, Place>> run() {
    std::vector<std::pair<ValueId, Place>> global;
    const auto values = static_cast<ValueId>(function_.values.size());
    instead_.assign(values, kNone);
    for (ValueId v = 0; v < values; ++v) {
      if (!facts_.is_address(v)) continue;
      Value& value = function_.values[v];
      value.type = Type::pointer();
      if (value.kind == Value::Kind::argument) function_.parameters[value.bits].type = value.type;
    }
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
      std::vector<Instruction> code;
      code.swap(function_.blocks[b].code);
      builder_.at(b);
      for (Instruction& i : code) {
        builder_.at(i.place);
        at_ = i.place;
        if (i.op == Op::int_to_pointer && spaces_.at(i.result) == Addresses::global) {
          global.emplace_back(i.result, i.place);
        }
        rewrite(i);
      }
    }
    for (Block& block : function_.blocks) {
      for (Instruction& i : block.code) {
        for (ValueId& operand : i.operands) operand = resolved(operand);
      }
    }
    for (auto& [pointer, place] : global) pointer = resolved(pointer);
    return global;
  }

 private:
  bool is_old(ValueId v) const { return v < instead_.size(); }
  bool is_address(ValueId v) const { return is_old(v) && facts_.is_address(v); }
  ValueId resolved(ValueId v) const {
    while (is_old(v) && instead_[v] != kNone) v = instead_[v];
    return v;
  }

  ValueId pointer(ValueId v, Addresses of) {
    if (!facts_.is_neutral(v)) return resolved(v);
    const Value value = function_.value(v);
    if (value.kind == Value::Kind::undefined) return builder_.undefined(Type::pointer());
    if (of != Addresses::generic) {
      throw Refused(fmt::format("a number that is known, as an address of {}", name_of(of)));
    }
    return builder_.constant(Type::pointer(), value.bits);
  }

  ValueId number(ValueId v) {
    if (!is_address(v)) return v;
    if (facts_[v].of != Addresses::generic) {
      throw Refused(fmt::format("an address of {} as a number", name_of(facts_[v].of)));
    }
    return builder_.operation(Op::pointer_to_int, Type::integer(64), {resolved(v)});
  }

  void moved(const Instruction& i, ValueId base, ValueId by, bool back) {
    const ValueId from = pointer(base, facts_[i.result].of);
    ValueId bytes = builder_.resize(by, 64, true);
    if (back) bytes = builder_.binary(Op::sub, builder_.integer(64, 0), bytes);
    instead_[i.result] = builder_.offset(from, bytes);
  }

  void rewrite(Instruction& i) {
    const bool gives_address = i.result != kNone && is_address(i.result);
    if (i.op == Op::int_to_pointer) {
      instead_[i.result] = pointer(i.operands[0], address_fact(spaces_.at(i.result)).of);
      return;
    }
    if (i.op == Op::pointer_to_int || (gives_address && (i.op == Op::zext || i.op == Op::trunc))) {
      instead_[i.result] = i.operands[0];
      return;
    }
    if (gives_address && i.op == Op::add) {
      const bool is_first = is_address(i.operands[0]);
      return moved(i, i.operands[is_first ? 0 : 1], i.operands[is_first ? 1 : 0], false);
    }
    if (gives_address && i.op == Op::sub) return moved(i, i.operands[0], i.operands[1], true);
    if (i.op == Op::sub && is_address(i.operands[0]) && is_address(i.operands[1])) {
      return difference(i);
    }
    if (gives_address) return given(i);
    const bool stores = i.op == Op::store || i.op == Op::atomic_store;
    if (stores && is_address(i.operands[1]) && facts_[i.operands[1]].of == Addresses::generic) {
      i.type = Type::pointer();
      builder_.emit(std::move(i));
      return;
    }
    if (is_comparison(i.op) && compared(i)) return;
    for (ValueId& operand : i.operands) operand = number(operand);
    builder_.emit(std::move(i));
  }

  // A phi, a choice, or what memory holds.
  void given(Instruction& i) {
    const Addresses of = facts_[i.result].of;
    if (i.op != Op::phi && i.op != Op::select && of != Addresses::generic) {
      throw Refused(fmt::format("an address of {} that is read from memory", name_of(of)));
    }
    i.type = Type::pointer();
    if (i.op == Op::phi || i.op == Op::select) {
      for (std::size_t o = i.op == Op::phi ? 0 : 1; o < i.operands.size(); ++o) {
        i.operands[o] = pointer(i.operands[o], of);
      }
    }
    builder_.emit(std::move(i));
  }

  // Of two addresses of one kind: it is the same, whatever the numbers are.
  void difference(Instruction& i) {
    for (ValueId& operand : i.operands) {
      const int bits = i.type.bits;
      operand = builder_.resize(
          builder_.operation(Op::pointer_to_int, Type::integer(64), {resolved(operand)}), bits,
          false);
    }
    builder_.emit(std::move(i));
  }

  bool compared(Instruction& i) {
    const bool is_signed = i.op == Op::slt || i.op == Op::sle || i.op == Op::sgt || i.op == Op::sge;
    if (is_signed) return false;
    const ValueId a = i.operands[0], b = i.operands[1];
    const bool both = is_address(a) && is_address(b);
    const bool with_constant =
        (is_address(a) && facts_.is_neutral(b)) || (is_address(b) && facts_.is_neutral(a));
    if (!both && !with_constant) return false;
    const Addresses of = facts_[is_address(a) ? a : b].of;
    if (both && facts_[a].of != facts_[b].of) {
      throw Refused("a comparison of addresses of two kinds of memory");
    }
    i.operands = {pointer(a, of), pointer(b, of)};
    builder_.emit(std::move(i));
    return true;
  }

  Function& function_;
  const Facts& facts_;
  const AddressSpaces& spaces_;
  Builder builder_;
  Place& at_;
  std::vector<ValueId> instead_;
};

// Behind Rewriting: what a pointer begins with, and how far from there it is, where that is known.
class Roots {
 public:
  explicit Roots(const Function& function)
      : function_(function), definitions_(function.values.size()) {
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.code) {
        if (i.op == Op::offset) definitions_[i.result] = &i;
      }
    }
  }

  struct Root {
    ValueId value = kNone;
    std::optional<std::uint64_t> at = 0;
  };
  Root of(ValueId pointer) const {
    Root result = {pointer, 0};
    while (const Instruction* i = definitions_[result.value]) {
      const Value& by = function_.value(i->operands[1]);
      if (by.kind != Value::Kind::constant) result.at.reset();
      if (result.at) *result.at += by.bits;
      result.value = i->operands[0];
    }
    return result;
  }

 private:
  const Function& function_;
  std::vector<const Instruction*> definitions_;
};

// Where in parameters that are passed by value there are pointers.
void mark_pointers(Function& function, const Roots& roots) {
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (i.op != Op::load || !i.type.is_pointer()) continue;
      const Roots::Root root = roots.of(i.operands[0]);
      const Value& value = function.value(root.value);
      if (value.kind != Value::Kind::argument) continue;
      Parameter& parameter = function.parameters[value.bits];
      if (parameter.by_value == 0) continue;
      if (!root.at) throw Refused("a pointer in a parameter, at a place that is not known");
      std::vector<std::uint64_t>& all = parameter.pointers;
      const auto place = std::lower_bound(all.begin(), all.end(), *root.at);
      if (place == all.end() || *place != *root.at) all.insert(place, *root.at);
    }
  }
}

// Instructions that name global memory with the address of a variable that is elsewhere.
void check_global(const Module& module, const Function& function, const Roots& roots,
                  const std::vector<std::pair<ValueId, Place>>& global, Place& at) {
  for (const auto& [pointer, place] : global) {
    const Value& root = function.value(roots.of(pointer).value);
    if (root.kind != Value::Kind::address) continue;
    if (module.object(function, root.object).space == Space::global) continue;
    at = place;
    throw Refused("an address that is not one of global memory");
  }
}

}  // namespace

Addresses addresses_of(Space space) {
  switch (space) {
    case Space::workgroup:
      return Addresses::shared;
    case Space::local:
      return Addresses::local;
    case Space::constant:
      return Addresses::constant;
    case Space::global:
    case Space::host:
      break;
  }
  return Addresses::global;
}

void find_pointers(const Module& module, Function& function, const AddressSpaces& spaces,
                   Place& at) {
  Facts facts(function, spaces, at);
  facts.find();
  const auto global = Rewriting(function, facts, spaces, at).run();
  const Roots roots(function);
  mark_pointers(function, roots);
  check_global(module, function, roots, global, at);
}

}  // namespace headway::kernel::ptx
