// The shared cells of a program of the idiom language in the words of a state, packed by their
// declared ranges.
#pragma once

#include <vector>

#include "base/bits/field.hpp"
#include "lang/idiom/subgroup.hpp"
#include "lang/program.hpp"

namespace headway::lang::idiom {

// A register or a cell of a state.
struct PackedValue {
  Field field;
  int low = 0;
  int index = 0;  // of the register or cell

  int get(const Word* state) const { return low + static_cast<int>(field.get(state)); }
  void set(Word* state, int value) const { field.set(state, static_cast<Word>(value - low)); }
};

// By cell.
inline std::vector<PackedValue> allot_cells(const Code& code, FieldAllotter& fields) {
  std::vector<PackedValue> cells;
  cells.reserve(code.initial.size());
  for (std::size_t cell = 0; cell < code.initial.size(); ++cell) {
    const SharedVariable& variable = code.variables[code.variable_of[cell]];
    cells.push_back({fields.allot(static_cast<std::uint64_t>(variable.high) - variable.low),
                     variable.low, static_cast<int>(cell)});
  }
  return cells;
}

// The cells of a state, which are written where there is a state to write to.
class CellsView final : public WritableMemory {
 public:
  CellsView(const std::vector<PackedValue>& cells, const Word* read, Word* written = nullptr)
      : cells_(cells), read_(read), written_(written) {}

  int value(int cell) const override { return cells_[static_cast<std::size_t>(cell)].get(read_); }
  void set(int cell, int value) override {
    cells_[static_cast<std::size_t>(cell)].set(written_, value);
  }

 private:
  const std::vector<PackedValue>& cells_;
  const Word* const read_;
  Word* const written_;
};

}  // namespace headway::lang::idiom
