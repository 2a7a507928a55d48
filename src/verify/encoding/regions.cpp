#include "verify/encoding/regions.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

namespace headway::verify {

using kernel::Instruction;
using kernel::kNone;
using kernel::Op;
using kernel::Value;
using kernel::ValueId;

Touch touch_of(const Instruction& i) {
  const kernel::OpRow& row = kernel::row_of(i.op);
  return {row.reads == 0, row.writes == 0, kernel::is_atomic(i.op)};
}

namespace {

class Finder {
 public:
  Finder(const kernel::Module& module, const kernel::Function& function, Kept kept)
      : module_(module), function_(function), kept_(kept) {}

  Regions find() {
    result_.all.push_back({"null", kernel::Space::global, nullptr, false, false});
    result_.all.push_back({"unknown memory", kernel::Space::global, nullptr, false, false});
    for (std::size_t i = 0; i < module_.objects.size(); ++i) {
      add_object(static_cast<kernel::ObjectId>(i), module_.objects[i]);
    }
    for (std::size_t i = 0; i < function_.locals.size(); ++i) {
      add_object(kernel::kFirstLocal + static_cast<kernel::ObjectId>(i), function_.locals[i]);
    }
    for (const kernel::Parameter& p : function_.parameters) {
      arguments_.push_back(static_cast<int>(result_.all.size()));
      result_.all.push_back({p.name, p.space, nullptr, p.by_value > 0, false});
    }
    result_.of_value.resize(function_.values.size());
    definitions_.assign(function_.values.size(), nullptr);
    for (const kernel::Block& block : function_.blocks) {
      for (const Instruction& i : block.code) {
        if (i.result != kNone) definitions_[i.result] = &i;
      }
    }
    for (ValueId v = 0; v < function_.values.size(); ++v) start(v);
    settle();
    // What was never stored is any pointer.
    for (ValueId v = 0; v < function_.values.size(); ++v) {
      std::set<int>& to = result_.of_value[v];
      if (to.empty() && function_.value(v).type.is_pointer()) to.insert(kUnknownRegion);
    }
    settle();
    for (const kernel::Block& block : function_.blocks) {
      for (const Instruction& i : block.code) {
        if (!touch_of(i).writes) continue;
        for (const int r : result_.of_value[i.operands[0]]) {
          result_.all[static_cast<std::size_t>(r)].written = true;
          if (r == kUnknownRegion) result_.unknown_written = true;
        }
      }
    }
    find_null_tests();
    return std::move(result_);
  }

 private:
  // Arguments that the kernel itself takes for pointers that may be null.
  void find_null_tests() {
    const auto is_null = [&](ValueId id) {
      const Value& v = function_.value(id);
      return v.kind == Value::Kind::constant && v.type.is_pointer() && v.bits == 0;
    };
    for (const kernel::Block& block : function_.blocks) {
      for (const Instruction& i : block.code) {
        if (i.op != Op::eq && i.op != Op::ne) continue;
        for (const std::size_t k : {0U, 1U}) {
          if (!is_null(i.operands[k])) continue;
          for (const int r : result_.of_value[i.operands[1 - k]]) {
            Region& region = result_.all[static_cast<std::size_t>(r)];
            region.may_be_null = r > kUnknownRegion && region.object == nullptr && !region.by_value;
          }
        }
      }
    }
  }

  void settle() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const kernel::Block& block : function_.blocks) {
        for (const Instruction& i : block.code) {
          if (kept_ == Kept::as_stored) changed = keep(i) || changed;
          if (i.result == kNone || !function_.value(i.result).type.is_pointer()) continue;
          const std::size_t before = result_.of_value[i.result].size();
          flow(i);
          changed = changed || result_.of_value[i.result].size() != before;
        }
      }
    }
  }

  void add_object(kernel::ObjectId id, const kernel::Object& object) {
    objects_[id] = static_cast<int>(result_.all.size());
    result_.all.push_back({object.name, object.space, &object, false, false});
  }

  void start(ValueId id) {
    const Value& v = function_.value(id);
    if (!v.type.is_pointer()) return;
    std::set<int>& to = result_.of_value[id];
    switch (v.kind) {
      case Value::Kind::constant:
        to.insert(v.bits == 0 ? kNullRegion : kUnknownRegion);
        break;
      case Value::Kind::undefined:
        to.insert(kUnknownRegion);
        break;
      case Value::Kind::address:
        to.insert(objects_.at(v.object));
        break;
      case Value::Kind::argument:
        to.insert(arguments_.at(v.bits));
        break;
      case Value::Kind::instruction:
        break;
    }
  }

  void flow(const Instruction& i) {
    std::set<int>& to = result_.of_value[i.result];
    const auto from = [&](ValueId v) {
      to.insert(result_.of_value[v].begin(), result_.of_value[v].end());
    };
    if (i.op == Op::offset) return from(i.operands[0]);
    if (i.op == Op::select) {
      from(i.operands[1]);
      return from(i.operands[2]);
    }
    if (i.op == Op::phi) {
      for (const ValueId v : i.operands) from(v);
      return;
    }
    const std::optional<int> field = i.op == Op::load ? field_of(i) : std::nullopt;
    if (field) {
      to.insert(*field);
    } else if (i.op == Op::load && kept_ == Kept::as_stored) {
      for (const int r : result_.of_value[i.operands[0]]) {
        if (!is_own(r)) to.insert(kUnknownRegion);
        if (is_own(r)) to.insert(contents_[r].begin(), contents_[r].end());
      }
    } else {
      to.insert(kUnknownRegion);
    }
  }

  bool is_own(int region) const {
    return result_.all[static_cast<std::size_t>(region)].space == kernel::Space::local;
  }

  // Pointers that an instruction leaves in memory of a thread's own; whether some are new.
  bool keep(const Instruction& i) {
    const bool copies = i.op == Op::copy;
    const bool stores = i.op == Op::store && function_.value(i.operands[1]).type.is_pointer();
    if (!copies && !stores) return false;
    std::set<int> more;
    for (const int from : result_.of_value[i.operands[1]]) {
      if (stores) more.insert(from);
      if (copies && is_own(from)) more.insert(contents_[from].begin(), contents_[from].end());
    }
    bool changed = false;
    for (const int r : result_.of_value[i.operands[0]]) {
      if (!is_own(r)) continue;
      std::set<int>& all = contents_[r];
      const std::size_t before = all.size();
      all.insert(more.begin(), more.end());
      changed = changed || all.size() != before;
    }
    return changed;
  }

  // A pointer in an argument passed by value, at a place that is known, is a buffer of its own.
  std::optional<int> field_of(const Instruction& load) {
    ValueId at = load.operands[0];
    std::uint64_t offset = 0;
    for (;;) {
      const Value& v = function_.value(at);
      if (v.kind == Value::Kind::argument) {
        if (function_.parameters[v.bits].by_value == 0) return std::nullopt;
        if (written_by_value(v.bits)) return std::nullopt;
        const auto [field, added] =
            fields_.try_emplace({v.bits, offset}, static_cast<int>(result_.all.size()));
        if (added) {
          result_.all.push_back({fmt::format("{}+{}", function_.parameters[v.bits].name, offset),
                                 kernel::Space::global, nullptr, false, false});
        }
        return field->second;
      }
      if (v.kind != Value::Kind::instruction) return std::nullopt;
      const Instruction* by = definitions_[at];
      if (by == nullptr || by->op != Op::offset) return std::nullopt;
      const Value& more = function_.value(by->operands[1]);
      if (more.kind != Value::Kind::constant) return std::nullopt;
      offset += more.bits;
      at = by->operands[0];
    }
  }

  // Whether anything is written at an address that comes from this argument: without regard to
  // where that may be.
  bool written_by_value(std::uint64_t parameter) {
    for (const kernel::Block& block : function_.blocks) {
      for (const Instruction& i : block.code) {
        if (!touch_of(i).writes) continue;
        ValueId at = i.operands[0];
        for (;;) {
          const Value& v = function_.value(at);
          if (v.kind == Value::Kind::argument && v.bits == parameter) return true;
          if (v.kind != Value::Kind::instruction) break;
          const Instruction* by = definitions_[at];
          if (by == nullptr) return true;
          if (by->op == Op::offset) {
            at = by->operands[0];
            continue;
          }
          if (by->op == Op::phi || by->op == Op::select) return true;
          break;
        }
      }
    }
    return false;
  }

  const kernel::Module& module_;
  const kernel::Function& function_;
  const Kept kept_;
  std::map<int, std::set<int>> contents_;  // of regions of a thread's own
  Regions result_;
  std::map<kernel::ObjectId, int> objects_;
  std::vector<int> arguments_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, int> fields_;
  std::vector<const Instruction*> definitions_;
};

}  // namespace

Regions regions_of(const kernel::Module& module, const kernel::Function& function, Kept kept) {
  return Finder(module, function, kept).find();
}

}  // namespace headway::verify
