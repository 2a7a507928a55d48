// Copies and fills of memory.
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
