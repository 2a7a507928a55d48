// Copies and fills of memory.
#include <fmt/format.h>

#include <algorithm>

#include "kernel/machine/runner.hpp"

namespace headway::kernel {

void Machine::Runner::copy(const Instruction& i) {
  const std::uint64_t bytes = concrete(reg(i.operands[2]), 64, "the size of a copy");
  if (bytes > 0) {
    check_alignment(address(reg(i.operands[1])), i.align_from, false);
    check_alignment(address(reg(i.operands[0])), i.align, true);
  }
  transfer(i, reg(i.operands[0]), reg(i.operands[1]), bytes);
}

void Machine::Runner::transfer(const Instruction& i, const Cell& to_pointer,
                               const Cell& from_pointer, std::uint64_t bytes) {
  if (bytes == 0) return;
  const auto place = [&](const Cell& pointer) {
    const Address to = address(pointer);
    return Address{
        to.object, to.moving ? concrete(Cell::of(*to.moving), 64, "an address") : to.at, {}};
  };
  const Address to = place(to_pointer);
  const Address from = place(from_pointer);
  check(from, bytes, false);
  check(to, bytes, true);
  note(from.object, from.at, bytes, i, false);
  note(to.object, to.at, bytes, i, true);
  std::vector<Memory::Piece> pieces;
  isolate(from.object, from.at, bytes);
  const std::vector<Memory::Piece> there = state_->memory.pieces(from.object, from.at, bytes);
  std::uint64_t at = from.at;
  const ObjectInfo& source = launch_.objects[from.object];
  const ObjectInfo& target = launch_.objects[to.object];
  const bool same_nothing =
      source.fill == target.fill && (source.fill == Fill::nothing || source.fill == Fill::zero);
  const auto fill_up = [&](std::uint64_t end) {
    while (at < end && !same_nothing) {
      // As wide as an aligned cell of the source may be.
      const int unit = source.fill == Fill::nothing   ? 1
                       : source.fill == Fill::unknown ? source.unit
                                                      : 4;
      const bool whole =
          at % static_cast<unsigned>(unit) == 0 && at + static_cast<unsigned>(unit) <= end;
      const int width = whole ? unit : 1;
      pieces.push_back({at, width, initial_cell(from.object, at, width)});
      at += static_cast<unsigned>(width);
    }
    at = end;
  };
  for (const Memory::Piece& piece : there) {
    fill_up(piece.at);
    pieces.push_back(piece);
    at = piece.at + static_cast<unsigned>(piece.bytes);
  }
  fill_up(from.at + bytes);
  isolate(to.object, to.at, bytes);
  drop(to.object, to.at, bytes);
  // Of a struct some parts may never have been set, but not all of them.
  const bool has_nothing = std::all_of(pieces.begin(), pieces.end(), [&](const auto& piece) {
    return piece.cell.kind == Cell::Kind::term && comes_from_nothing(piece.cell.term());
  });
  if (has_nothing && !pieces.empty()) require_result(to.object, pieces.front().cell);
  for (const Memory::Piece& piece : pieces) {
    require_lanes(piece.cell, to.object);
    write(to.object, to.at + (piece.at - from.at), piece.bytes, piece.cell);
  }
}

void Machine::Runner::asynchronous(const Instruction& i) {
  if (together_ > 0) throw Apart();
  if (i.op == Op::thread_copy) return thread_copy(i);
  if (i.op == Op::commit_copies) {
    if (state_->order) state_->order->commit_copies(thread_);
    return;
  }
  const std::uint64_t latest = concrete(reg(i.operands[0]), 64, "how many groups of copies go on");
  if (latest > kMostCopyGroups) {
    fail(FaultKind::unsupported, fmt::format("a wait for all but {} groups of copies", latest));
  }
  if (state_->order) state_->order->wait_copies(thread_, latest);
}

// Takes place at once: nobody may see the difference, as that would be a race.
void Machine::Runner::thread_copy(const Instruction& i) {
  const std::uint64_t bytes = concrete(reg(i.operands[2]), 64, "the size of a copy");
  const std::uint64_t copied =
      i.operands.size() > 3 ? concrete(reg(i.operands[3]), 64, "the size of a copy") : bytes;
  if (copied > bytes) fail(FaultKind::unsupported, "a copy of more bytes than it writes");
  if (bytes == 0) return;
  const Cell to = reg(i.operands[0]);
  check_alignment(address(to), i.align, true);
  if (copied > 0) check_alignment(address(reg(i.operands[1])), i.align_from, false);
  const std::size_t from = state_->order ? state_->order->begin_copy(thread_) : 0;
  by_agent_ = true;
  transfer(i, to, reg(i.operands[1]), copied);
  fill_memory(i, moved(to, Cell::of(copied)), Cell::of(0), bytes - copied);
  by_agent_ = false;
  if (state_->order) state_->order->end_copy(thread_, from);
}

// What each thread of a workgroup gives to what all of them do.
void Machine::Runner::require_same(const std::vector<int>& threads,
                                   const std::vector<Cell>& given) {
  for (std::size_t t = 1; t < threads.size(); ++t) {
    if (given[t] == given.front()) continue;
    thread_ = threads[t];
    Access other;
    other.thread = static_cast<std::uint32_t>(threads.front());
    other.instruction = number_;
    fail_at(FaultKind::divergence, "threads of a workgroup give different arguments to a copy",
            other, false);
  }
}

// By one of the threads, nobody knows which: it comes behind what all of them come behind.
void Machine::Runner::group_copy(const std::vector<int>& threads, const Instruction& at) {
  std::vector<Cell> arguments;
  for (std::size_t operand = 0; operand < at.operands.size(); ++operand) {
    std::vector<Cell> given;
    given.reserve(threads.size());
    for (const int t : threads) given.push_back(operand_of(t, at, operand));
    require_same(threads, given);
    arguments.push_back(given.front());
  }
  thread_ = threads.front();
  const std::uint64_t elements = concrete(arguments[2], 64, "the size of a copy");
  const std::uint64_t stride = concrete(arguments[3], 64, "the stride of a copy");
  std::uint64_t event = concrete(arguments[4], 64, "the event of a copy");
  const bool is_new = event == 0;
  std::size_t from = 0;
  if (state_->order) {
    if (is_new) event = state_->order->new_event(thread_);
    from = state_->order->begin_copy(threads);
  } else if (is_new) {
    event = 1;
  }
  by_agent_ = true;
  const std::uint64_t each = at.kind == 0 ? elements : 1;
  for (std::uint64_t element = 0; element < elements; element += each) {
    const auto place = [&](std::size_t operand, bool strided) {
      return moved(arguments[operand], Cell::of((strided ? element * stride : element) * at.bytes));
    };
    transfer(at, place(0, at.kind == 2), place(1, at.kind == 1), each * at.bytes);
  }
  by_agent_ = false;
  if (state_->order) state_->order->end_copy(thread_, from, event);
  for (const int t : threads) {
    release(t, at.result == kNone ? std::optional<Cell>() : Cell::of(event));
  }
}

void Machine::Runner::wait_events(const std::vector<int>& threads, const Instruction& at) {
  std::vector<Cell> counts;
  counts.reserve(threads.size());
  for (const int t : threads) counts.push_back(operand_of(t, at, 0));
  require_same(threads, counts);
  thread_ = threads.front();
  const std::uint64_t count = concrete(counts.front(), 64, "the number of events");
  constexpr std::uint64_t bytes = 8;
  for (std::uint64_t event = 0; event < count; ++event) {
    std::vector<Cell> given;
    for (const int t : threads) {
      const Address to = address(moved(operand_of(t, at, 1), Cell::of(event * bytes)));
      thread_ = t;
      check(to, bytes, false);
      given.push_back(to.moving ? Cell::undefined() : read(to.object, to.at, bytes));
    }
    require_same(threads, given);
    thread_ = threads.front();
    if (!given.front().is_bits()) fail(FaultKind::unsupported, "an event that is not known");
    if (state_->order) state_->order->wait_copies(threads, given.front().bits);
  }
  for (const int t : threads) release(t, {});
}

void Machine::Runner::fill(const Instruction& i) {
  const std::uint64_t bytes = concrete(reg(i.operands[2]), 64, "the size of a fill");
  fill_memory(i, reg(i.operands[0]), reg(i.operands[1]), bytes);
}

void Machine::Runner::fill_memory(const Instruction& i, const Cell& pointer,
                                  const Cell& given_value, std::uint64_t bytes) {
  if (bytes == 0) return;
  const Address given = address(pointer);
  const Address to{given.object,
                   given.moving ? concrete(Cell::of(*given.moving), 64, "an address") : given.at,
                   {}};
  const Cell value = given_value.is_bits() ? Cell::of(given_value.bits & 0xff) : given_value;
  check(to, bytes, true);
  note(to.object, to.at, bytes, i, true);
  isolate(to.object, to.at, bytes);
  drop(to.object, to.at, bytes);
  if (launch_.objects[to.object].fill == Fill::zero && value == Cell::of(0)) return;
  if (bytes > (std::uint64_t{1} << 22)) fail(FaultKind::limit, "a fill of more than 4 MiB");
  std::uint64_t at = to.at;
  const std::uint64_t end = to.at + bytes;
  while (at < end) {
    const int width = value.is_bits() && at % 4 == 0 && at + 4 <= end ? 4 : 1;
    const std::uint64_t byte = value.bits & 0xff;
    write(to.object, at, width,
          width == 4        ? Cell::of(byte * 0x01010101U)
          : value.is_bits() ? Cell::of(byte)
                            : value);
    at += static_cast<unsigned>(width);
  }
}

}  // namespace headway::kernel
