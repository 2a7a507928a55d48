#include "kernel/ir/local_copies.hpp"

#include <map>
#include <optional>
#include <utility>

namespace headway::kernel {
namespace {

// A byte range of a local object or of an argument passed by value.
struct Range {
  ObjectId object = kNone;   // of a local one
  ValueId argument = kNone;  // else
  std::uint64_t at = 0, bytes = 0;
};

class Splitting {
 public:
  explicit Splitting(Function& function) : function_(function) {}

  void run() {
    split_.assign(function_.locals.size(), true);
    for (ValueId v = 0; v < function_.values.size(); ++v) {
      const Value& value = function_.values[v];
      const bool by_value =
          value.kind == Value::Kind::argument && function_.parameters[value.bits].by_value > 0;
      if (by_value) arguments_[v] = {v, 0};
    }
    bool any = false;
    for (const Block& block : function_.blocks) {
      for (const Instruction& i : block.code) {
        any = any || i.op == Op::copy || i.op == Op::fill;
        if (i.op == Op::offset) follow(i);
      }
    }
    if (!any) return;
    do {
      again_ = false;
      parts_.clear();
      for_each([&](const Instruction& i) { look_at(i); });
      // A part of one end is one of the other.
      for (bool grown = true; grown;) {
        grown = false;
        for_each([&](const Instruction& i) { grown = pass_on(i) || grown; });
      }
      refuse_overlaps();
    } while (again_);
    for (Block& block : function_.blocks) rewrite(block);
  }

 private:
  template <typename F>
  void for_each(F act) {
    for (const Block& block : function_.blocks) {
      for (const Instruction& i : block.code) act(i);
    }
  }

  // Arguments passed by value, a constant number of bytes further.
  void follow(const Instruction& i) {
    const auto base = arguments_.find(i.operands[0]);
    const Value& by = function_.values[i.operands[1]];
    if (base == arguments_.end() || by.kind != Value::Kind::constant) return;
    arguments_[i.result] = {base->second.first, base->second.second + by.bits};
  }

  bool is_local(ObjectId object) const {
    return object != kNone && object >= kFirstLocal &&
           function_.locals[object - kFirstLocal].space == Space::local;
  }
  ObjectId object_of(ValueId id) const {
    const Value& value = function_.values[id];
    return value.kind == Value::Kind::address && is_local(value.object) ? value.object : kNone;
  }
  bool splits(ObjectId object) const { return object != kNone && split_[object - kFirstLocal]; }
  void refuse(ObjectId object) {
    if (!splits(object)) return;
    split_[object - kFirstLocal] = false;
    again_ = true;
  }
  std::optional<std::uint64_t> known(ValueId id) const {
    const Value& value = function_.values[id];
    if (value.kind != Value::Kind::constant) return {};
    return value.bits;
  }

  // The range of an operand of a copy or fill, if it is one that can be split.
  std::optional<Range> range(const Instruction& i, std::size_t operand) const {
    const auto bytes = known(i.operands[2]);
    if (!bytes || i.is_volatile) return {};
    const ValueId id = i.operands[operand];
    if (const ObjectId object = object_of(id); splits(object)) {
      const std::uint64_t at = function_.values[id].bits;
      const std::uint64_t size = function_.locals[object - kFirstLocal].bytes;
      if (at > size || *bytes > size - at) return {};
      return Range{object, kNone, at, *bytes};
    }
    const auto argument = arguments_.find(id);
    if (operand != 1 || argument == arguments_.end()) return {};
    const auto [base, at] = argument->second;
    const std::uint64_t size = function_.parameters[function_.values[base].bits].by_value;
    if (at > size || *bytes > size - at) return {};
    return Range{kNone, id, 0, *bytes};
  }
  bool can_split(const Instruction& i) const {
    if (!range(i, 0)) return false;
    return i.op == Op::fill ? known(i.operands[1]) == 0U : range(i, 1).has_value();
  }

  void look_at(const Instruction& i) {
    const bool accesses = (i.op == Op::load || i.op == Op::store) && !i.is_volatile;
    for (std::size_t o = 0; o < i.operands.size(); ++o) {
      const ObjectId object = object_of(i.operands[o]);
      if (!splits(object)) continue;
      const std::uint64_t at = function_.values[i.operands[o]].bits;
      if (i.op == Op::begin_lifetime || i.op == Op::end_lifetime) {
        if (at != 0) refuse(object);
      } else if (i.op == Op::copy || i.op == Op::fill) {
        if (!can_split(i)) refuse(object);
      } else if (accesses && o == 0) {
        add_part(object, at, i.type);
      } else {
        refuse(object);
      }
    }
  }

  bool add_part(ObjectId object, std::uint64_t at, Type type) {
    const auto [found, is_new] = parts_[object].try_emplace(at, type);
    if (!is_new && !(found->second == type)) refuse(object);
    return is_new;
  }

  bool pass_on(const Instruction& i) {
    if (i.op != Op::copy || !can_split(i)) return false;
    bool grown = false;
    const Range ends[2] = {*range(i, 0), *range(i, 1)};
    for (int from = 0; from < 2; ++from) {
      const Range& source = ends[from];
      const Range& target = ends[1 - from];
      if (source.object == kNone || target.object == kNone) continue;
      const std::map<std::uint64_t, Type> parts = parts_[source.object];
      for (const auto& [at, type] : parts) {
        if (!inside(source, at, type)) continue;
        grown = add_part(target.object, target.at + (at - source.at), type) || grown;
      }
    }
    return grown && !again_;
  }

  static bool inside(const Range& range, std::uint64_t at, Type type) {
    const auto bytes = static_cast<std::uint64_t>(type.bytes());
    return at >= range.at && at + bytes <= range.at + range.bytes;
  }

  // Parts that overlap each other, lie beyond the end, or are partly in a range.
  void refuse_overlaps() {
    for (const auto& [object, parts] : parts_) {
      std::uint64_t end = 0;
      for (const auto& [at, type] : parts) {
        if (at < end) refuse(object);
        end = at + static_cast<std::uint64_t>(type.bytes());
      }
      if (end > function_.locals[object - kFirstLocal].bytes) refuse(object);
    }
    for_each([&](const Instruction& i) {
      if ((i.op != Op::copy && i.op != Op::fill) || !can_split(i)) return;
      for (std::size_t o = 0; o < (i.op == Op::copy ? 2 : 1); ++o) {
        const auto one = range(i, o);
        if (!one || one->object == kNone) continue;
        for (const auto& [at, type] : parts_[one->object]) {
          const bool meets =
              at < one->at + one->bytes && at + static_cast<std::uint64_t>(type.bytes()) > one->at;
          if (meets && !inside(*one, at, type)) refuse(one->object);
        }
      }
    });
  }

  ValueId add(Value value) {
    function_.values.push_back(std::move(value));
    return static_cast<ValueId>(function_.values.size() - 1);
  }
  ValueId place(const Range& range, std::uint64_t at, const Instruction& like,
                std::vector<Instruction>& code) {
    if (range.object != kNone) {
      return add({Value::Kind::address, Type::pointer(), range.at + at, range.object, {}});
    }
    if (at == 0) return range.argument;
    Instruction moved;
    moved.op = Op::offset;
    moved.type = Type::pointer();
    moved.place = like.place;
    moved.operands = {range.argument,
                      add({Value::Kind::constant, Type::integer(64), at, kNone, {}})};
    moved.result = add({Value::Kind::instruction, Type::pointer(), 0, kNone, {}});
    code.push_back(moved);
    return moved.result;
  }

  void rewrite(Block& block) {
    std::vector<Instruction> code;
    for (Instruction& i : block.code) {
      if ((i.op != Op::copy && i.op != Op::fill) || !can_split(i)) {
        code.push_back(std::move(i));
        continue;
      }
      const Range to = *range(i, 0);
      std::vector<std::pair<std::uint64_t, ValueId>> values;
      for (const auto& [at, type] : parts_[to.object]) {
        if (!inside(to, at, type)) continue;
        if (i.op == Op::fill) {
          values.emplace_back(at - to.at, add({Value::Kind::constant, type, 0, kNone, {}}));
          continue;
        }
        Instruction load;
        load.op = Op::load;
        load.type = type;
        load.place = i.place;
        load.align = align_at(i.align_from, at - to.at);
        load.operands = {place(*range(i, 1), at - to.at, i, code)};
        load.result = add({Value::Kind::instruction, type, 0, kNone, {}});
        values.emplace_back(at - to.at, load.result);
        code.push_back(std::move(load));
      }
      for (const auto& [at, value] : values) {
        Instruction store;
        store.op = Op::store;
        store.type = function_.values[value].type;
        store.place = i.place;
        store.align = align_at(i.align, at);
        store.operands = {place(to, at, i, code), value};
        code.push_back(std::move(store));
      }
    }
    block.code = std::move(code);
  }

  Function& function_;
  std::vector<bool> split_;  // local objects whose copies are split
  // Values that point into arguments passed by value: which argument, and how far in.
  std::map<ValueId, std::pair<ValueId, std::uint64_t>> arguments_;
  std::map<ObjectId, std::map<std::uint64_t, Type>> parts_;
  bool again_ = false;
};

}  // namespace

void split_local_copies(Function& function) {
  if (!function.blocks.empty()) Splitting(function).run();
}

}  // namespace headway::kernel
