#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "kernel/ir/arithmetic.hpp"
#include "verify/encoding/encoder_state.hpp"

namespace headway::verify {

using kernel::kNone;
using kernel::OpClass;
using kernel::Space;

// ---- Reading

// What a cell of private memory holds.
Term Encoder::held(int region, std::uint64_t offset, std::uint64_t bytes, int thread) {
  if (const auto at = cells_.find({region, offset, bytes}); at != cells_.end()) {
    return at->second.value[thread];
  }
  const int w = static_cast<int>(bytes) * 8;
  const Region& known = regions_.all[static_cast<std::size_t>(region)];
  if (known.by_value && !touched(region, offset, bytes)) {
    return c_.apply(fmt::format("memory {}", region), w, {c_.constant(offset, 64)});
  }
  return c_.fresh("held", w);
}

// Whether something may have been written there.
bool Encoder::touched(int region, std::uint64_t offset, std::uint64_t bytes) const {
  return private_written_.contains(region) ||
         std::any_of(cells_.begin(), cells_.end(), [&](const auto& other) {
           const auto& [r, from, size] = other.first;
           return r == region && from < offset + bytes && offset < from + size;
         });
}

// The cells of a small object, if they are so many bytes each and all of it: then an index that is
// not known names one of them.
std::vector<const std::pair<const Encoder::CellKey, Encoder::Cell>*> Encoder::whole(
    int region, std::uint64_t bytes) const {
  constexpr std::size_t most = 16;
  const Region& r = regions_.all[static_cast<std::size_t>(region)];
  std::vector<const std::pair<const CellKey, Cell>*> all;
  if (r.space != Space::local || r.object == nullptr || private_written_.contains(region))
    return {};
  for (const auto& cell : cells_) {
    if (std::get<0>(cell.first) != region) continue;
    const bool fits = std::get<2>(cell.first) == bytes && std::get<1>(cell.first) % bytes == 0;
    if (!fits || all.size() == most) return {};
    all.push_back(&cell);
  }
  if (all.size() * bytes != r.object->bytes) return {};
  return all;
}

// Where a pointer points to that was stored there.
std::optional<Quantity> Encoder::kept_pointer(const Target& target, int thread) {
  if (c_.is_constant(target.offset)) {
    const auto at = cells_.find({target.region, c_.value(target.offset), 8});
    if (at == cells_.end() || at->second.pointer[thread].empty()) return {};
    return Quantity{{}, at->second.pointer[thread]};
  }
  std::vector<std::pair<Term, Quantity>> choices;
  for (const auto* cell : whole(target.region, 8)) {
    if (cell->second.pointer[thread].empty()) return {};
    choices.emplace_back(c_.equal(target.offset, c_.constant(std::get<1>(cell->first), 64)),
                         Quantity{{}, cell->second.pointer[thread]});
  }
  if (choices.empty()) return {};
  return merged(choices);
}

Term Encoder::loaded(const Instruction& i, int thread, const Target& target) {
  const auto bytes = static_cast<std::uint64_t>(i.type.bytes());
  const int w = static_cast<int>(bytes) * 8;
  const Region& region = regions_.all[static_cast<std::size_t>(target.region)];
  if (target.region == kNullRegion || i.is_volatile) return c_.fresh("read", w);
  const bool own = region.space == Space::local || region.by_value;
  if (own && (region.written || region.space == Space::local)) {
    if (!c_.is_constant(target.offset)) {
      Term value = c_.fresh("held", w);
      for (const auto* cell : whole(target.region, bytes)) {
        const Term is_it = c_.equal(target.offset, c_.constant(std::get<1>(cell->first), 64));
        value = c_.ite(is_it, cell->second.value[thread], value);
      }
      return value;
    }
    return held(target.region, c_.value(target.offset), bytes, thread);
  }
  if (target.region == kUnknownRegion) return c_.fresh("read", w);
  if (regions_.constant(target.region) && !region.of_group()) {
    const kernel::Object* object = region.object;
    if (object != nullptr && object->read_only && object->initial && object->pointers.empty() &&
        c_.is_constant(target.offset) &&
        c_.value(target.offset) + bytes <= object->initial->size()) {
      std::uint64_t value = 0;
      for (std::uint64_t b = bytes; b-- > 0;) {
        value = value << 8 | (*object->initial)[c_.value(target.offset) + b];
      }
      return c_.constant(value, w);
    }
    return c_.apply(fmt::format("memory {}", target.region), w, {target.offset});
  }
  if (viewed_.contains(target.region)) return view(target.region, target.offset, w, thread);
  if (!options_.equal_reads) return c_.fresh("read", w);
  // The same place in the same version: the same value, for threads that are there together.
  const Term same =
      c_.apply(fmt::format("memory {} version {}", target.region, version_[target.region]), w,
               {target.offset});
  Term together = live(thread);
  if (region.of_group() && thread == 1) together = c_.conjunction(together, same_group_);
  return c_.ite(together, same, c_.fresh("read", w));
}

Quantity Encoder::load(const Instruction& i, int thread) {
  if (f_.value(i.result).type.is_pointer()) {
    if (kept_ == Kept::as_stored) {
      const std::vector<Target> from = targets(i.operands[0], thread);
      if (from.size() == 1) {
        if (const auto pointer = kept_pointer(from.front(), thread)) return *pointer;
      }
      for (const Target& t : from) {
        const Region& r = regions_.all[static_cast<std::size_t>(t.region)];
        if (r.space == Space::local && !r.by_value) throw Strayed();
      }
    }
    const std::set<int>& to = regions_.of_value[i.result];
    const int region = to.size() == 1 ? *to.begin() : kUnknownRegion;
    if (region == kUnknownRegion) return {{}, {{c_.truth(true), region, c_.fresh("read", 64)}}};
    return {{}, {{c_.truth(true), region, c_.constant(0, 64)}}};
  }
  std::optional<Term> result;
  for (const Target& t : targets(i.operands[0], thread)) {
    const Term here = loaded(i, thread, t);
    result = result ? c_.ite(t.condition, here, *result) : here;
  }
  return number(c_.resize(*result, width(i.result)));
}

// ---- Writing

void Encoder::store_private(const Target& target, std::uint64_t bytes, std::optional<Term> value,
                            const std::vector<Target>& pointer, int thread, Term when) {
  const int region = target.region;
  if (c_.is_constant(target.offset) && !value && bytes > 0) {
    // Nothing is known of what was written, and all the rest stays.
    const std::uint64_t from = c_.value(target.offset);
    std::erase_if(cells_, [&](const auto& other) {
      const auto& [r, at, size] = other.first;
      return r == region && at < from + bytes && from < at + size;
    });
    private_written_.insert(region);
    return;
  }
  if (!c_.is_constant(target.offset) || !value || bytes > 8) {
    std::erase_if(cells_, [region](const auto& cell) { return std::get<0>(cell.first) == region; });
    private_written_.insert(region);
    return;
  }
  const std::uint64_t offset = c_.value(target.offset);
  const CellKey key{region, offset, bytes};
  if (!cells_.contains(key)) {
    const bool is_new = !touched(region, offset, bytes);
    const Cell cell{
        {held(region, offset, bytes, 0), held(region, offset, bytes, 1)}, {}, {is_new, is_new}};
    const std::size_t before = cells_.size();
    std::erase_if(cells_, [&](const auto& other) {
      const auto& [r, from, size] = other.first;
      return r == region && from < offset + bytes && offset < from + size;
    });
    if (cells_.size() != before) private_written_.insert(region);
    cells_[key] = cell;
  }
  Cell& cell = cells_[key];
  cell.value[thread] = c_.ite(when, *value, cell.value[thread]);
  // Whoever did not come by and wrote nothing before has nothing there that may be read.
  std::vector<Target>& now = cell.pointer[thread];
  if (pointer.empty() || c_.is_true(when) || cell.untouched[thread]) {
    now = pointer;
  } else if (!now.empty()) {
    now = merged({{when, Quantity{{}, pointer}}, {c_.negation(when), Quantity{{}, now}}}).targets;
  }
  cell.untouched[thread] = false;
}

// After a write that may have gone anywhere.
void Encoder::forget_private() {
  cells_.clear();
  for (std::size_t r = 0; r < regions_.all.size(); ++r)
    private_written_.insert(static_cast<int>(r));
}

// ---- Logs

// Whether accesses of a region can be part of a race at all.
bool Encoder::matters(int region) const {
  const Region& r = regions_.all[static_cast<std::size_t>(region)];
  if (region == kNullRegion || !r.shared()) return false;
  if (region == kUnknownRegion) {
    if (regions_.unknown_written) return true;
    for (const Region& other : regions_.all) {
      if (other.written && other.shared()) return true;
    }
    return false;
  }
  return !regions_.constant(region);
}

// Of one address of an instruction: the first thread's access goes to the log, the second one's is
// checked. `part` tells the addresses of one instruction apart.
void Encoder::log_access(const Instruction& i, ValueId pointer, Access like, const Term* bytes,
                         std::optional<ValueId> value, int part) {
  like.site = 2 * site_ + part;
  like.place = i.place;
  like.made_by = &i;
  for (int t = 0; t < 2; ++t) {
    const Term alive = live(t);
    if (bytes != nullptr) like.bytes = bytes[t];
    if (value) {
      const Term v = bits(*value, t);
      like.value = c_.width(v) == 0 ? c_.bits_of(v, 8) : v;
    }
    for (const Target& target : targets(pointer, t)) {
      const Region& region = regions_.all[static_cast<std::size_t>(target.region)];
      const Term reached = c_.conjunction(reached_[t][at_], target.condition);
      const bool own = region.space == Space::local || region.by_value;
      if (target.region == kUnknownRegion && like.kind != AccessKind::read) forget_private();
      if (own && like.kind != AccessKind::read) {
        const bool known = c_.is_constant(like.bytes);
        const std::uint64_t size = known ? c_.value(like.bytes) : 0;
        std::optional<Term> kept = like.value;
        if (!known || size > 8) kept.reset();
        if (kept) kept = c_.resize(*kept, static_cast<int>(size) * 8);
        if (like.kind == AccessKind::atomic) kept.reset();
        std::vector<Target> pointer;
        if (i.op == Op::store && f_.value(i.operands[1]).type.is_pointer()) {
          pointer = targets(i.operands[1], t);
        }
        store_private(target, size, kept, pointer, t, reached);
      }
      if (t == 0 && !open_.empty()) note_extent(like, target, alive);
      if (options_.bounds && t == 0) {
        check_bounds(like, target, alive);
        check_alignment(like, target, alive);
      }
      const bool writes =
          like.kind != AccessKind::read && (!touch_of(i).atomic || like.atomic_writes);
      if (writes && region.is_constant() && t == 0) {
        check(Property::constant, c_.negation(c_.conjunction(alive, target.condition)), like.place,
              fmt::format("a write to {}, which is constant", region.name));
      }
      if (!matters(target.region)) continue;
      Access one = like;
      one.region = target.region;
      one.offset = target.offset;
      one.when = c_.conjunction(alive, target.condition);
      if (one.async) one.event = event_[t];
      if (!one.async) one.locks = held_at(one.region, t);
      if (!is_lock(one.region)) see_access(t, reached);
      if (i.op == Op::store) see_store(one, t);
      if (t == 1) {
        check_access(one);
        continue;
      }
      check_own(one);
      if (!c_.is_false(one.when)) log_.push_back(one);
      for (const int l : open_) {
        for (Site& site : result_.loops[static_cast<std::size_t>(l)].sites) {
          if (site.site == one.site && site.region == one.region) site.now.push_back(one);
        }
      }
    }
  }
}

// What a copy takes from one object of a thread's own to another one: cells that it takes whole.
void Encoder::copy_private(const Instruction& i) {
  const auto place = [&](ValueId pointer) -> std::optional<std::pair<int, std::uint64_t>> {
    const std::vector<Target> one = targets(pointer, 0), other = targets(pointer, 1);
    if (one.size() != 1 || other.size() != 1 || one[0].region != other[0].region) return {};
    const Region& region = regions_.all[static_cast<std::size_t>(one[0].region)];
    if (region.space != Space::local && !region.by_value) return {};
    if (!c_.is_constant(one[0].offset) || one[0].offset != other[0].offset) return {};
    return {{one[0].region, c_.value(one[0].offset)}};
  };
  const Term length = c_.resize(bits(i.operands[2], 0), 64);
  const auto to = place(i.operands[0]), from = place(i.operands[1]);
  copied_.clear();
  if (!to || !from || !c_.is_constant(length)) return;
  for (const auto& [key, cell] : cells_) {
    const auto& [region, at, bytes] = key;
    if (region != from->first || at < from->second ||
        at + bytes > from->second + c_.value(length)) {
      continue;
    }
    Cell made;
    for (int t = 0; t < 2; ++t) {
      made.value[t] =
          c_.ite(reached_[t][at_], cell.value[t], c_.fresh("held", static_cast<int>(bytes) * 8));
      const std::uint64_t at_target = to->second + (at - from->second);
      if (c_.is_true(reached_[t][at_]) || !touched(to->first, at_target, bytes)) {
        made.pointer[t] = cell.pointer[t];
      }
    }
    copied_.emplace_back(CellKey{to->first, to->second + (at - from->second), bytes}, made);
  }
}

void Encoder::access(const Instruction& i) {
  const std::size_t before = log_.size();
  const Touch touch = touch_of(i);
  Access like;
  like.kind = touch.atomic   ? AccessKind::atomic
              : touch.writes ? AccessKind::write
                             : AccessKind::read;
  like.bytes = c_.constant(static_cast<std::uint64_t>(i.type.bytes()), 64);
  like.align = touch.atomic ? static_cast<std::uint32_t>(i.type.bytes()) : i.align;
  if (touch.atomic) {
    result_.has_atomics = true;
    like.atomic_writes = touch.writes;
    like.scope = i.scope;
  } else if (i.op == Op::load || i.op == Op::store) {
    like.scope = i.scope;
  }
  if (class_of(i.op) == OpClass::bulk) {
    const Term length[2] = {c_.resize(bits(i.operands[2], 0), 64),
                            c_.resize(bits(i.operands[2], 1), 64)};
    if (i.op == Op::copy) {
      copy_private(i);
      like.kind = AccessKind::read;
      like.align = i.align_from;
      log_access(i, i.operands[1], like, length, std::nullopt, 0);
      like.kind = AccessKind::write;
      like.align = i.align;
      log_access(i, i.operands[0], like, length, std::nullopt, 1);
      for (const auto& [key, cell] : copied_) cells_[key] = cell;
    } else {
      log_access(i, i.operands[0], like, length, std::nullopt, 0);
    }
  } else {
    const auto stored = i.op == Op::store ? std::optional(i.operands[1]) : std::nullopt;
    log_access(i, i.operands[0], like, nullptr, stored, 0);
  }
  lock_accessed(i);
  // Threads of a subgroup do one thing at a time, together.
  for (std::size_t k = before; result_.lockstep && k < log_.size(); ++k) {
    log_[k].when = c_.conjunction(log_[k].when, c_.negation(result_.same_subgroup));
  }
  if (touch.writes) {
    barrier_claims_.clear();
    for (const int r : regions_.of_value[i.operands[0]]) {
      if (!viewed_.contains(r) || i.op != Op::store) version_[r] = ++next_version_;
      if (r != kUnknownRegion) continue;
      for (auto& [region, version] : version_) version = ++next_version_;
    }
  }
}

Term Encoder::overlap(const Access& first, const Access& second) {
  const Term difference = c_.sub(second.offset, first.offset);
  if (c_.is_constant(first.bytes) && c_.is_constant(second.bytes)) {
    // Both start at multiples of one power of two, from each other: at the same place or apart.
    const smt::Context::Sum sum = c_.sum_of(difference);
    std::uint64_t all = sum.constant;
    for (const auto& [t, f] : sum.parts) all |= f;
    const std::uint64_t unit = all == 0 ? 0 : std::uint64_t{1} << std::countr_zero(all);
    if (unit == 0 || (c_.value(first.bytes) <= unit && c_.value(second.bytes) <= unit)) {
      return c_.equal(difference, c_.constant(0, 64));
    }
  }
  return c_.disjunction(c_.ult(difference, first.bytes), c_.ult(c_.neg(difference), second.bytes));
}

// Both at once are a race.
Term Encoder::conflict(const Access& first, const Access& second) {
  const Term no = c_.truth(false);
  const auto reads = [](const Access& a) {
    return a.kind == AccessKind::read || (a.kind == AccessKind::atomic && !a.atomic_writes);
  };
  if (reads(first) && reads(second)) return no;
  std::vector<Term> parts{first.when, second.when};
  // One copy, whoever of a workgroup comes to it.
  if (first.async && second.async && first.site / 2 == second.site / 2 && first.summary_of < 0) {
    parts.push_back(c_.negation(same_group_));
  }
  if (first.kind == AccessKind::atomic && second.kind == AccessKind::atomic) {
    // Who is not in the scope sees a plain access.
    const kernel::Scope scope = std::min(first.scope, second.scope);
    // Those of two widths are atomic to nobody, and in OpenCL those of two scopes.
    const bool apart = module_.atomics_by_space && first.scope != second.scope;
    const Term mixed = apart ? c_.truth(true) : c_.differ(first.bytes, second.bytes);
    if (scope >= kernel::Scope::device) {
      if (c_.is_false(mixed)) return no;
      parts.push_back(mixed);
    }
    if (scope == kernel::Scope::workgroup) {
      parts.push_back(c_.disjunction(mixed, c_.negation(same_group_)));
    }
    if (scope == kernel::Scope::subgroup) {
      parts.push_back(c_.disjunction(mixed, c_.negation(same_subgroup())));
    }
  }
  const Region& region = regions_.all[static_cast<std::size_t>(first.region)];
  if (first.region == second.region) {
    if (region.of_group()) parts.push_back(same_group_);
    if (first.region != kUnknownRegion) parts.push_back(overlap(first, second));
  } else {
    const int known = first.region == kUnknownRegion ? second.region : first.region;
    const bool one_unknown = first.region == kUnknownRegion || second.region == kUnknownRegion;
    if (!one_unknown) return no;
    // Unknown pointers are generic: they may be into memory of the workgroup, too.
    const Region& other = regions_.all[static_cast<std::size_t>(known)];
    if (other.of_group()) parts.push_back(same_group_);
  }
  if (!options_.benign_count && first.kind == AccessKind::write &&
      second.kind == AccessKind::write && first.value && second.value &&
      first.region == second.region && first.bytes == second.bytes &&
      c_.width(*first.value) == c_.width(*second.value)) {
    parts.push_back(c_.negation(c_.conjunction(c_.equal(first.offset, second.offset),
                                               c_.equal(*first.value, *second.value))));
  }
  // A lock orders no accesses that other workgroups need not see.
  const bool is_narrow = std::min(first.scope, second.scope) < kernel::Scope::device;
  const Term held = excluded(first, second);
  parts.push_back(c_.negation(is_narrow ? c_.conjunction(same_group_, held) : held));
  return c_.conjunction(parts);
}

std::string Encoder::describe(const Access& a) const {
  const char* kind = a.kind == AccessKind::read    ? "read"
                     : a.kind == AccessKind::write ? "write"
                                                   : "atomic access";
  const Region& region = regions_.all[static_cast<std::size_t>(a.region)];
  return fmt::format("{} of {}{}", kind, region.name.empty() ? "memory" : region.name,
                     a.summary_of >= 0 ? " in an earlier round" : "");
}

void Encoder::check_access(const Access& second) {
  if (c_.is_false(second.when)) return;
  for (const Access& first : log_) {
    const Term race = conflict(first, second);
    if (c_.is_false(race)) continue;
    check(Property::race, c_.negation(race), second.place,
          fmt::format("{} races with {} at line {}", describe(second), describe(first),
                      first.place.line),
          first.place, &first, &second);
  }
}

// ---- Barriers

void Encoder::clear(Term when, bool of_group, bool global) {
  for (Access& a : log_) {
    if (a.async) continue;
    const Region& region = regions_.all[static_cast<std::size_t>(a.region)];
    if (region.of_group() ? of_group : global) {
      // What other workgroups do to global memory is not ordered by a barrier of this one.
      set_apart(a, region.of_group() ? when : c_.conjunction(when, same_group_));
    }
  }
  std::erase_if(log_, [this](const Access& a) { return c_.is_false(a.when); });
  for (auto& [region, version] : version_) version = ++next_version_;
}

// Whether a barrier with a number is one of all threads of a workgroup.
bool Encoder::is_of_all(const Instruction& i) const {
  if (i.arrives || f_.value(i.operands[0]).kind != kernel::Value::Kind::address) return false;
  if (i.operands.size() < 2) return true;
  std::uint64_t threads = 1;
  for (const auto& size : options_.launch.block) {
    if (!size) return false;
    threads *= *size;
  }
  const kernel::Value& count = f_.value(i.operands[1]);
  return count.kind == kernel::Value::Kind::constant && count.bits == threads &&
         threads % options_.launch.subgroup == 0;
}

void Encoder::barrier(const Instruction& i) {
  // Who meets at one may hang on all others, so all are to be such.
  for (const BlockId b : flow_.order) {
    if (i.op != Op::numbered_barrier) break;
    for (const Instruction& other : f_.blocks[b].code) {
      if (other.op == Op::numbered_barrier && !is_of_all(other)) {
        throw Unsupported{"a barrier for some threads of a workgroup", other.place};
      }
    }
  }
  if (i.scope != kernel::Scope::workgroup || i.op != Op::barrier) barrier_claims_.clear();
  const Term one = live(0), other = live(1);
  const bool reduces = i.op == Op::barrier_reduce;
  if (i.scope == kernel::Scope::subgroup && !reduces) {
    // Whoever is there together is ordered by it; it clears nothing between others.
    const Term together = meet(i, "barrier");
    for (Access& a : log_) {
      if (a.region == kUnknownRegion || a.async) continue;
      const bool of_group = regions_.all[static_cast<std::size_t>(a.region)].of_group();
      if ((i.memory & (of_group ? 1 : 2)) == 0) continue;
      set_apart(a, together);
    }
    for (auto& [region, version] : version_) version = ++next_version_;
    return;
  }
  const bool grid = i.scope == kernel::Scope::device && !reduces;
  const Term uniform = c_.equal(one, other);
  check(Property::divergence, grid ? uniform : c_.implies(same_group_, uniform), i.place,
        grid ? "not all threads of the grid come to this barrier together"
             : "not all threads of a workgroup come to this barrier together");
  if (reduces) {
    // All threads of the workgroup get the same, but of a scan.
    using kernel::Subgroup;
    if (i.subgroup == Subgroup::shuffle) {
      const Term same = c_.equal(bits(i.operands[1], 0), bits(i.operands[1], 1));
      check(Property::divergence, c_.implies(c_.conjunction({same_group_, one, other}), same),
            i.place, "threads of a workgroup may name different threads to this broadcast");
    }
    Term given[2] = {fresh("reduced", i.result), fresh("reduced", i.result)};
    if (!kernel::is_scan(i.subgroup)) given[1] = c_.ite(same_group_, given[0], given[1]);
    for (int t = 0; t < 2; ++t) {
      values_[t][i.result] = number(given[t]);
      const Term mine = c_.nonzero(bits(i.operands[0], t)), is = c_.nonzero(given[t]);
      if (i.subgroup == Subgroup::all) assume(c_.implies(c_.conjunction(live(t), is), mine));
      if (i.subgroup == Subgroup::any || i.subgroup == Subgroup::count) {
        assume(c_.implies(c_.conjunction(live(t), mine), is));
      }
    }
    clear(one, (i.memory & 1) != 0, (i.memory & 2) != 0);
    return;
  }
  if (grid) {
    for (Access& a : log_) {
      if (!a.async) set_apart(a, one);
    }
    std::erase_if(log_, [this](const Access& a) { return c_.is_false(a.when); });
    for (auto& [region, version] : version_) version = ++next_version_;
    return;
  }
  clear(one, (i.memory & 1) != 0, (i.memory & 2) != 0);
  use_barrier_invariants();
}

}  // namespace headway::verify
