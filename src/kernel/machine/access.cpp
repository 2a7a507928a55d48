// Accesses of memory: where they go, whether they may, what is there, and whom they race with.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/ir/idle_barriers.hpp"
#include "kernel/machine/place_name.hpp"
#include "kernel/machine/runner.hpp"

namespace headway::kernel {
namespace {

// Whether a value hangs on what memory holds at first.
bool hangs_on_memory(const smt::Context& terms, smt::Term value) {
  return std::ranges::any_of(terms.leaves(value), [&](smt::Term leaf) {
    const smt::Node& node = terms.node(leaf);
    return node.kind == smt::Kind::variable && memory_of(terms.name(node));
  });
}

}  // namespace

bool Machine::Runner::is_shared(Instance object) const {
  const ObjectInfo& info = launch_.objects[object];
  return info.thread < 0 && info.space != Space::constant &&
         (info.space != Space::host || info.shared_with_device);
}

Address Machine::Runner::address(const Cell& pointer) {
  switch (pointer.kind) {
    case Cell::Kind::pointer:
      return {pointer.object, pointer.bits, {}};
    case Cell::Kind::moving:
      require_value(pointer.term(), "an address");
      return {pointer.object, 0, pointer.term()};
    case Cell::Kind::undefined:
      fail(FaultKind::uninitialized, "an address depends on a value that was never set");
    case Cell::Kind::bits:
      if (pointer.bits < 4096 || pointer.bits > ~std::uint64_t{4096}) {
        fail(FaultKind::null, "an access by a null pointer");
      }
      fail(FaultKind::bounds, "an access by a number that is no address");
    case Cell::Kind::term:
      break;
  }
  require_value(pointer.term(), "an address");
  fail(FaultKind::unsupported, "an access by a pointer out of unknown data");
}

// Of a buffer whose size nobody gave it is no fault of the kernel that unknown data may lead beyond
// any end.
void Machine::Runner::check(const Address& to, std::uint64_t bytes, bool writes) {
  const ObjectInfo& info = launch_.objects[to.object];
  // On a device the address of a variable that each thread or workgroup has for itself is that of
  // the reader's own variable.
  const auto other_owner = [&](const ObjectInfo& of) -> const char* {
    if (of.thread >= 0) return of.thread == thread_ ? nullptr : "thread";
    if (of.workgroup < 0) return nullptr;
    return of.workgroup == launch_.places().workgroup(thread_) ? nullptr : "workgroup";
  };
  if (info.freed)
    fail(FaultKind::freed, fmt::format("an access to '{}' after it was freed", info.name));
  if ((info.space == Space::local || info.space == Space::host) &&
      state_->memory.is_dead(to.object)) {
    fail(FaultKind::freed, fmt::format("an access to '{}' outside its scope", info.name));
  }
  if (const char* owner = machine_.host_ == nullptr ? other_owner(info) : nullptr) {
    fail(FaultKind::bounds,
         fmt::format("an access to '{}' of another {}, whose address means nothing to this one",
                     info.name, owner));
  }
  if (machine_.host_ != nullptr && !copies_) {
    const HostWorld& world = *machine_.host_;
    const bool managed = world.managed.contains(to.object);
    if (info.space != Space::host && !managed && info.thread < 0) {
      fail(FaultKind::bounds,
           fmt::format("an access of the host to '{}', which is memory of the device", info.name));
    }
    if (managed || world.registered.contains(to.object)) check_beside(to, bytes, writes);
  } else if (machine_.host_ == nullptr && info.space == Space::host && !info.shared_with_device) {
    fail(FaultKind::bounds,
         fmt::format("an access of the device to '{}', which is memory of the host", info.name));
  }
  if (writes && (info.read_only || (info.space == Space::constant))) {
    fail(FaultKind::constant, fmt::format("a write to '{}', which is constant", info.name));
  }
  const std::uint64_t size = info.growing ? info.room : info.bytes;
  if (!to.moving) {
    if (to.at > size || bytes > size - to.at) {
      fail(FaultKind::bounds,
           fmt::format("{} of {} byte{} at byte {} of '{}', which has {}",
                       writes ? "a write" : "a read", bytes, bytes == 1 ? "" : "s",
                       static_cast<std::int64_t>(to.at), info.name, size));
    }
    if (info.length) check_length(info, terms_.constant(to.at, 64), bytes, writes);
    return;
  }
  const smt::Term beyond =
      bytes > size ? terms_.truth(true) : terms_.ult(terms_.constant(size - bytes, 64), *to.moving);
  if (info.growing && hangs_on_memory(terms_, *to.moving)) {
    if (feasible(beyond) == smt::Answer::unsat) return;
    machine_.trusts_data_ = true;
    if (decide(beyond)) fail(FaultKind::excluded, "data that lead beyond a buffer of no size");
    return;
  }
  fail_where(beyond, FaultKind::bounds,
             fmt::format("{} of '{}', which has {} bytes, beyond its end for some data",
                         writes ? "a write" : "a read", info.name, size));
  if (info.length) check_length(info, *to.moving, bytes, writes);
}

// Of a buffer that ends where the kernel is told that it does; `at` is known to be less than 2^63.
void Machine::Runner::check_length(const ObjectInfo& info, smt::Term at, std::uint64_t bytes,
                                   bool writes) {
  const smt::Term end = terms_.add(at, terms_.constant(bytes, 64));
  fail_where(terms_.ult(*info.length, end), FaultKind::bounds,
             fmt::format("{} of '{}' beyond its length", writes ? "a write" : "a read", info.name));
}

// Objects are taken to begin at multiples of 16 bytes, as what is allocated does.
void Machine::Runner::check_alignment(const Address& to, std::uint32_t align, bool writes) {
  if (align <= 1) return;
  const smt::Term at = to.moving ? *to.moving : terms_.constant(to.at, 64);
  const smt::Term low = terms_.urem(at, terms_.constant(align, 64));
  if (terms_.is_constant(low) && terms_.value(low) == 0) return;
  const ObjectInfo& info = launch_.objects[to.object];
  const std::string where = to.moving ? std::string("an address") : fmt::format("byte {}", to.at);
  fail_where(terms_.nonzero(low), FaultKind::alignment,
             fmt::format("a misaligned {} of '{}' at {}, which is no multiple of {}{}",
                         writes ? "write" : "read", info.name, where, align,
                         to.moving ? " for some data" : ""));
}

// Whether somebody may race with such an access, so that it has to be remembered.
bool Machine::Runner::may_race(Instance object, const Instruction& i, bool writes) const {
  return state_->order && is_shared(object) &&
         contacts_.may_race(object, is_atomic(*launch_.module, i), writes);
}

void Machine::Runner::note(Instance object, std::uint64_t at, std::uint64_t bytes,
                           const Instruction& i, bool writes, std::uint64_t same_bytes,
                           smt::Term differs) {
  if (beside_ != nullptr) {
    // Of bytes that a store changes for sure; of copies and fills that is not known.
    const bool is_store = bytes <= 8 && differs == smt::Term{1} && i.op == Op::store;
    note_beside(*beside_, object, at, bytes, i, writes, is_store ? ~same_bytes : 0);
  }
  if (!may_race(object, i, writes)) return;
  Access made;
  const Places places = launch_.places();
  made.thread = static_cast<std::uint32_t>(by_agent_ ? places.agent(thread_) : thread_);
  made.instruction = number_;
  made.writes = writes;
  made.is_atomic = is_atomic(*launch_.module, i);
  if (made.is_atomic) made.width = static_cast<std::uint8_t>(i.type.bytes());
  // Of plain accesses a scope says whether they are private; copies and fills have none.
  const bool has_scope = is_access(i.op);
  made.scope = has_scope ? i.scope : Scope::system;
  made.guard = guard_;
  const bool is_local = launch_.objects[object].space == Space::workgroup;
  // Of a write that data decide the place may hold what was there.
  if (writes && !made.is_atomic && guard_ == smt::Term{1}) {
    state_->order->overwrite(object, at, bytes);
  }
  const std::vector<Access> conflicts =
      together_ > 0 ? state_->order->conflicts(object, at, bytes, made, same_bytes)
                    : state_->order->access(object, is_local, at, bytes, made, same_bytes);
  std::vector<std::uint32_t> same;  // of the same value, if both take place
  for (Access other : conflicts) {
    const bool may_be_same =
        writes && other.writes && !made.is_atomic && !other.is_atomic && !other.mixed;
    const smt::Term when = may_be_same ? terms_.conjunction(other.guard, differs) : other.guard;
    const smt::Answer can = feasible(when);
    if (can == smt::Answer::unsat || !decide(when)) {
      if (may_be_same) same.push_back(other.number);
      continue;
    }
    const auto what = [&](const Access& of) {
      const bool copies = places.is_agent(static_cast<int>(of.thread));
      return of.writes      ? of.is_atomic ? "an atomic write"
                              : copies     ? "a write by an asynchronous copy"
                                           : "a write"
             : of.is_atomic ? "an atomic read"
             : copies       ? "a read by an asynchronous copy"
                            : "a read";
    };
    const std::string before = what(other);
    other.thread = static_cast<std::uint32_t>(places.thread_of(static_cast<int>(other.thread)));
    const ObjectInfo& info = launch_.objects[object];
    const auto member =
        bytes <= 8 ? member_name(info, *launch_.module, at, static_cast<int>(bytes)) : std::nullopt;
    const bool mixes = other.is_atomic && made.is_atomic && other.width != made.width;
    const int other_thread = static_cast<int>(other.thread);
    const Scope together = places.in_scope(Scope::subgroup, other_thread, thread_) ? Scope::subgroup
                           : places.in_scope(Scope::workgroup, other_thread, thread_)
                               ? Scope::workgroup
                               : Scope::device;
    fail_at(FaultKind::race,
            fmt::format("{} and {} of {}{}{}", before, what(made),
                        member ? fmt::format("'{}'", *member)
                               : fmt::format("'{}' at byte {}", info.name, at),
                        mixes ? fmt::format(", of {} and {} bytes", other.width, made.width) : "",
                        idle_barrier_text(code_.function(), code_.instruction(other.instruction),
                                          code_.instruction(number_), is_local, together)),
            other,
            can == smt::Answer::unknown || (guard_ != smt::Term{1} && machine_.approximated_) ||
                (other.mixed && differs != smt::Term{1}));
  }
  // Not where a part of what it wrote is gone.
  std::erase_if(same, [&](std::uint32_t number) {
    return std::ranges::any_of(
        conflicts, [&](const Access& other) { return other.mixed && other.number == number; });
  });
  if (together_ > 0) {
    noted_.push_back({object, is_local, at, bytes, made, same_bytes, std::move(same)});
  } else {
    state_->order->keep_written(object, at, bytes, same);
  }
}

// Which bytes a write leaves as they are, whatever unknown data are: bit i for byte i.
std::uint64_t Machine::Runner::same_bytes(const Cell& before, const Cell& after, int bytes) {
  const std::uint64_t all = low_bits(~std::uint64_t{0}, bytes);
  if (before == after) return all;
  const auto is_number = [](const Cell& cell) {
    return cell.is_bits() || cell.kind == Cell::Kind::term;
  };
  if (!is_number(before) || !is_number(after)) return 0;
  std::uint64_t result = 0;
  for (int b = 0; b < bytes; ++b) {
    const auto at = static_cast<std::uint64_t>(b);
    const bool same = byte_of({0, bytes, before}, at) == byte_of({0, bytes, after}, at);
    result |= std::uint64_t{same} << b;
  }
  return result;
}

// When a write changes what is there.
smt::Term Machine::Runner::difference(const Cell& before, const Cell& after, int bytes) {
  const auto is_number = [](const Cell& cell) {
    return cell.is_bits() || cell.kind == Cell::Kind::term;
  };
  if (machine_.options_.count_benign || !is_number(before) || !is_number(after) ||
      (before.is_bits() && after.is_bits())) {
    return terms_.truth(true);
  }
  return terms_.negation(terms_.equal(term(before, bytes * 8), term(after, bytes * 8)));
}

// ---- Cells

Cell Machine::Runner::joined(const std::vector<Cell>& bytes) {
  std::uint64_t value = 0;
  bool known = true;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i].kind == Cell::Kind::undefined) return Cell::undefined();
    known = known && bytes[i].is_bits();
    if (bytes[i].is_bits()) value |= bytes[i].bits << (8 * i);
  }
  if (known) return Cell::of(value);
  const int width = static_cast<int>(bytes.size()) * 8;
  smt::Term sum = terms_.constant(0, width);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const smt::Term wide = terms_.zext(term(bytes[i], 8), width);
    sum = terms_.bit_or(sum, terms_.shl(wide, terms_.constant(8 * i, width)));
  }
  return simplified(sum);
}

Cell Machine::Runner::byte_of(const Memory::Piece& piece, std::uint64_t at) {
  const auto shift = static_cast<int>(at - piece.at) * 8;
  switch (piece.cell.kind) {
    case Cell::Kind::bits:
      return Cell::of(piece.cell.bits >> shift & 0xff);
    case Cell::Kind::undefined:
      return piece.cell;
    case Cell::Kind::term:
      // A cell is as wide as its entry, but for odd widths, which fill theirs with zeros.
      if (terms_.width(piece.cell.term()) <= shift) return Cell::of(0);
      return simplified(terms_.extract(piece.cell.term(), shift,
                                       std::min(8, terms_.width(piece.cell.term()) - shift)));
    default:
      break;
  }
  fail(FaultKind::unsupported, "a part of an address in memory");
}

// What is there when nothing was written.
Cell Machine::Runner::initial_cell(Instance object, std::uint64_t at, int bytes) {
  const ObjectInfo& info = launch_.objects[object];
  switch (info.fill) {
    case Fill::zero:
      return Cell::of(0);
    case Fill::bytes: {
      std::uint64_t value = 0;
      for (int i = 0; i < bytes; ++i) {
        const std::uint64_t place = at + static_cast<unsigned>(i);
        if (place < info.initial->size()) {
          value |= std::uint64_t{(*info.initial)[place]} << (8 * i);
        }
      }
      return Cell::of(value);
    }
    case Fill::nothing:
      if (bytes == 1) {
        const smt::Term byte = terms_.variable(fmt::format("?{}.{}[{}]", info.name, object, at), 8);
        unwritten_.emplace(byte.id, object);
        return Cell::of(byte);
      }
      break;
    case Fill::unknown: {
      const auto unit = static_cast<unsigned>(info.unit);
      if (at % unit == 0 && bytes == info.unit) {
        const std::string name = fmt::format("{}[{}]", info.name, at / unit);
        if (info.range) {
          return simplified(
              terms_.variable(name, bytes * 8, info.range->first, info.range->second));
        }
        return Cell::of(terms_.variable(name, bytes * 8));
      }
      if (bytes == 1) {
        const Cell whole = initial_cell(object, at / unit * unit, info.unit);
        const Memory::Piece piece{at / unit * unit, info.unit, whole};
        return byte_of(piece, at);
      }
      break;
    }
  }
  std::vector<Cell> all;
  all.reserve(static_cast<std::size_t>(bytes));
  for (int i = 0; i < bytes; ++i)
    all.push_back(initial_cell(object, at + static_cast<unsigned>(i), 1));
  return joined(all);
}

Cell Machine::Runner::read(Instance object, std::uint64_t at, int bytes) {
  const Cell* exact = state_->memory.exact(object, at, bytes);
  if (exact != nullptr) return *exact;
  const std::vector<Memory::Piece> pieces =
      state_->memory.pieces(object, at, static_cast<std::uint64_t>(bytes));
  if (pieces.empty()) return initial_cell(object, at, bytes);
  std::vector<Cell> all;
  std::size_t next = 0;
  for (std::uint64_t place = at; place < at + static_cast<unsigned>(bytes); ++place) {
    while (next < pieces.size() &&
           pieces[next].at + static_cast<unsigned>(pieces[next].bytes) <= place)
      ++next;
    const bool covered = next < pieces.size() && pieces[next].at <= place;
    all.push_back(covered ? byte_of(pieces[next], place) : initial_cell(object, place, 1));
  }
  return joined(all);
}

void Machine::Runner::put(Instance object, std::uint64_t at, int bytes, const Cell& cell) {
  if (undo_ != nullptr) {
    undo_->push_back({object, at, static_cast<std::uint64_t>(bytes),
                      state_->memory.pieces(object, at, static_cast<std::uint64_t>(bytes))});
  }
  const Cell* before = state_->memory.exact(object, at, bytes);
  const bool is_own = launch_.objects[object].thread >= 0;
  if (!is_own && (before == nullptr || *before != cell)) ++changes_;
  state_->memory.write(object, at, bytes, cell);
}

void Machine::Runner::drop(Instance object, std::uint64_t at, std::uint64_t bytes) {
  std::vector<Memory::Piece> before = state_->memory.pieces(object, at, bytes);
  if (before.empty()) return;
  if (launch_.objects[object].thread < 0) ++changes_;
  state_->memory.erase(object, at, bytes);
  if (undo_ != nullptr) undo_->push_back({object, at, bytes, std::move(before)});
}

// Splits what reaches over either end of a range into bytes.
void Machine::Runner::isolate(Instance object, std::uint64_t at, std::uint64_t bytes) {
  for (const Memory::Piece& piece : state_->memory.pieces(object, at, bytes)) {
    const std::uint64_t end = piece.at + static_cast<unsigned>(piece.bytes);
    if (piece.at >= at && end <= at + bytes) continue;
    std::vector<Cell> parts;
    for (std::uint64_t place = piece.at; place < end; ++place)
      parts.push_back(byte_of(piece, place));
    if (undo_ != nullptr) {
      undo_->push_back({object, piece.at, static_cast<std::uint64_t>(piece.bytes), {piece}});
    }
    state_->memory.erase(object, piece.at, 1);
    for (std::uint64_t place = piece.at; place < end; ++place) {
      state_->memory.write(object, place, 1, parts[place - piece.at]);
    }
  }
}

void Machine::Runner::write(Instance object, std::uint64_t at, int bytes, const Cell& cell) {
  const bool over_page =
      at / Memory::kPage != (at + static_cast<unsigned>(bytes) - 1) / Memory::kPage;
  if (state_->memory.exact(object, at, bytes) == nullptr) {
    isolate(object, at, static_cast<std::uint64_t>(bytes));
    if (over_page && bytes > 1 && !cell.is_pointer()) {
      const Memory::Piece whole{at, bytes, cell};
      for (int i = 0; i < bytes; ++i) {
        const std::uint64_t place = at + static_cast<unsigned>(i);
        put(object, place, 1, cell.kind == Cell::Kind::undefined ? cell : byte_of(whole, place));
      }
      return;
    }
  }
  put(object, at, bytes, cell);
}

// ---- Instructions

// Where an address depends on unknown data: each place that it may be, with what makes it that one.
void Machine::Runner::at_each_place(const Address& to, int bytes,
                                    const std::function<void(std::uint64_t)>& act) {
  if (!to.moving) return act(to.at);
  const ObjectInfo& info = launch_.objects[to.object];
  const auto step = static_cast<std::uint64_t>(bytes);
  const std::uint64_t places = info.growing ? 0 : info.bytes / step;
  const smt::Term aligned =
      terms_.equal(terms_.urem(*to.moving, terms_.constant(step, 64)), terms_.constant(0, 64));
  const bool few =
      places > 0 && places <= 64 && feasible(terms_.negation(aligned)) == smt::Answer::unsat;
  if (!few) {
    if (together_ > 0) throw Apart();
    return act(concrete(Cell::of(*to.moving), 64, "an address"));
  }
  const smt::Term guard = guard_;
  for (std::uint64_t p = 0; p < places; ++p) {
    guard_ = terms_.conjunction(guard, terms_.equal(*to.moving, terms_.constant(p * step, 64)));
    if (terms_.is_false(guard_)) continue;
    act(p * step);
  }
  guard_ = guard;
}

void Machine::Runner::access(const Instruction& i) {
  const Address to = address(reg(i.operands[0]));
  const int bytes = i.type.bytes();
  const bool writes = i.op != Op::load && i.op != Op::atomic_load;
  check(to, static_cast<std::uint64_t>(bytes), writes);
  check_alignment(to, i.align, writes);
  if (i.op != Op::load && i.op != Op::store) {
    const std::uint64_t at = to.moving ? concrete(Cell::of(*to.moving), 64, "an address") : to.at;
    return atomic(i, to.object, at);
  }
  if (!code_.is_needed(number_)) {
    // Where it goes need not be decided for nobody.
    if (to.moving && beside_ == nullptr && !may_race(to.object, i, writes)) return;
    const smt::Term guard = guard_;
    at_each_place(to, bytes, [&](std::uint64_t at) {
      note(to.object, at, static_cast<std::uint64_t>(bytes), i, writes);
    });
    guard_ = guard;
    return;
  }
  const bool is_volatile = i.is_volatile && launch_.module->volatile_is_atomic;
  if (i.op == Op::load) {
    if (snapshot_.block != kNone && is_shared(to.object)) snapshot_.loads.insert(number_);
    std::optional<Cell> result;
    const smt::Term guard = guard_;
    at_each_place(to, bytes, [&](std::uint64_t at) {
      note(to.object, at, static_cast<std::uint64_t>(bytes), i, false);
      if (is_volatile && state_->order && is_shared(to.object)) {
        state_->order->load(to.object, at, thread_, Order::relaxed, Scope::system);
      }
      Cell cell = read(to.object, at, bytes);
      if (cell.is_bits()) cell.bits = low_bits(cell.bits, i.type.bits);
      if (cell.kind == Cell::Kind::term && terms_.width(cell.term()) > i.type.bits) {
        cell = simplified(terms_.extract(cell.term(), 0, i.type.bits));
      }
      if (!result) {
        result = cell;
      } else {
        const smt::Term here = terms_.equal(*to.moving, terms_.constant(at, 64));
        result = chosen(here, cell, *result, i.type.bits);
      }
    });
    guard_ = guard;
    give(i, result.value_or(Cell::undefined()));
    return;
  }
  Cell value = reg(i.operands[1]);
  require_lanes(value, to.object);
  if (!i.is_further_part) require_result(to.object, value);
  // What is in memory is whole bytes.
  if (value.kind == Cell::Kind::term && terms_.width(value.term()) < bytes * 8) {
    value = simplified(terms_.zext(value.term(), bytes * 8));
  }
  const smt::Term guard = guard_;
  const bool is_seen = state_->order && is_shared(to.object);
  at_each_place(to, bytes, [&](std::uint64_t at) {
    const bool is_choice = to.moving && guard_ != guard;
    const Cell before = is_seen || is_choice ? read(to.object, at, bytes) : Cell();
    if (is_seen) {
      note(to.object, at, static_cast<std::uint64_t>(bytes), i, true,
           same_bytes(before, value, bytes), difference(before, value, bytes));
    }
    if (is_volatile && state_->order && is_shared(to.object)) {
      state_->order->store(to.object, at, thread_, Order::relaxed, Scope::system, false);
    }
    Cell after = value;
    if (is_choice) {
      after = chosen(terms_.equal(*to.moving, terms_.constant(at, 64)), value, before, bytes * 8);
    }
    write(to.object, at, bytes, after);
  });
  guard_ = guard;
}

void Machine::Runner::atomic(const Instruction& i, Instance object, std::uint64_t at) {
  const int bytes = i.type.bytes();
  if (at % static_cast<unsigned>(bytes) != 0) {
    fail(FaultKind::alignment, "an atomic access that is not aligned");
  }
  const bool shared = is_shared(object);
  const Cell old = i.op == Op::atomic_store ? Cell::undefined() : read(object, at, bytes);
  bool writes = i.op != Op::atomic_load;
  Cell value = old;
  switch (as_access(i.op)) {
    case AccessOp::atomic_store:
      value = reg(i.operands[1]);
      break;
    case AccessOp::atomic_update:
      value = updated_cell(i.update, i.type, old, reg(i.operands[1]));
      break;
    case AccessOp::atomic_compare: {
      const Cell expected = reg(i.operands[1]);
      if (old.kind == Cell::Kind::undefined || expected.kind == Cell::Kind::undefined) {
        fail(FaultKind::uninitialized, "a compare-and-swap with a value that was never set");
      }
      const Cell equal = integer(Op::eq, i.type, old, expected);
      if (equal.kind == Cell::Kind::term) require_value(equal.term(), "a compare-and-swap");
      if (equal.is_bits() ? equal.bits != 0 : decide(terms_.nonzero(equal.term()))) {
        value = reg(i.operands[2]);
      } else {
        writes = false;
      }
      break;
    }
    case AccessOp::atomic_load:
      break;
    case AccessOp::load:
    case AccessOp::store:
      assert(false);
  }
  if (writes) {
    require_lanes(value, object);
    require_result(object, value);
  }
  note(object, at, static_cast<std::uint64_t>(bytes), i, writes);
  if (state_->order && shared) {
    const Order order = !writes && i.otherwise ? *i.otherwise : i.order;
    const bool is_local = launch_.objects[object].space == Space::workgroup;
    const int memory = !launch_.module->atomics_by_space ? i.memory : is_local ? 1 : 2;
    if (i.op != Op::atomic_store) {
      state_->order->load(object, at, thread_, order, i.scope, memory);
    }
    if (writes) {
      state_->order->store(object, at, thread_, order, i.scope, i.op != Op::atomic_store, memory);
    }
  }
  if (writes) write(object, at, bytes, value);
  give(i, old);
}

// The access that a ready thread would make, without making it.
std::optional<Machine::Touch> Machine::Runner::touch(const MachineState& state, int thread) {
  const ThreadState& local = *state.threads[static_cast<std::size_t>(thread)];
  if (local.status != Status::ready) return {};
  const Instruction& i = code_.at(local.block, local.index);
  if (meets(i.op)) return {};
  const ValueId pointer = i.operands[0];
  const Value& value = function_.values[pointer];
  Cell cell = Cell::undefined();
  if (value.kind == Value::Kind::address) {
    cell = Cell::pointer(launch_.instance(value.object, thread), value.bits);
  } else if (value.kind == Value::Kind::argument) {
    cell = launch_.argument(static_cast<std::uint32_t>(value.bits), thread);
  } else if (value.kind == Value::Kind::instruction) {
    const std::vector<ValueId>& live = code_.live(local.block, local.index);
    const auto found = std::lower_bound(live.begin(), live.end(), pointer);
    cell = local.live[static_cast<std::size_t>(found - live.begin())];
  }
  Touch result;
  result.bytes = i.type.bytes();
  result.effect = code_.effect(code_.number(local.block, local.index));
  if (cell.kind == Cell::Kind::pointer) {
    result.object = cell.object;
    result.at = cell.bits;
  }
  return result;
}

}  // namespace headway::kernel
