// What was seen of a launch while all of its executions ran: the values of registers and cells,
// which cells each access touches, and which ways branches go. Of an exploration that has seen all
// this says what can be.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernel/machine/machine.hpp"

namespace headway::kernel::slice {

// Numbers that were seen, as signed ones; of one bit 0 and 1.
struct Seen {
  std::int64_t low = 0, high = 0;
  bool any = false;
  bool other = false;  // something that is no number: unknown data, a pointer, nothing at all

  void add(std::int64_t value);
  void add(const Cell& cell, int bits);
  void add(const Seen& more);
};

// Memory that has one name in the source: each workgroup or thread may have its own.
struct Section {
  enum class Owner : std::uint8_t { launch, workgroup, thread };
  std::string name;
  Owner owner = Owner::launch;
  std::vector<Instance> instances;
};
struct CellName {
  std::uint32_t section = 0;
  std::uint64_t at = 0;
  friend auto operator<=>(const CellName&, const CellName&) = default;
};

// Of one access in the code.
struct Touched {
  std::set<CellName> cells;
  int bytes = 0;
  bool other = false;  // goes somewhere that has no name
};

class Observed : public Watcher {
 public:
  Observed(const Code& code, const Launch& launch);

  void done(int thread, std::uint32_t instruction, const std::vector<Cell>& registers) override;
  void went(int, BlockId from, BlockId to) override { edges_.emplace(from, to); }

  const std::vector<Section>& sections() const { return sections_; }
  const Seen& value(ValueId id) const { return values_[id]; }
  // Null for an access that was never made.
  const Touched* touched(std::uint32_t instruction) const;
  // What a cell ever held, as far as it was accessed.
  const Seen& cell(const CellName& name) const { return cells_.at(name); }
  // What it holds at first; nothing where that is no number.
  std::optional<std::int64_t> initial(const CellName& name, int bytes) const;
  bool takes(BlockId from, BlockId to) const { return edges_.contains({from, to}); }
  // Whether all threads of the subgroup were named whenever threads came by.
  bool names_all(std::uint32_t instruction) const { return !names_few_.contains(instruction); }

 private:
  void name_sections();
  void add_section(std::string name, Section::Owner owner, std::vector<Instance> instances);
  void access(const Instruction& i, std::uint32_t number, const std::vector<Cell>& registers);
  void mask(const Instruction& i, std::uint32_t number, int thread,
            const std::vector<Cell>& registers);

  const Code& code_;
  const Launch& launch_;
  std::vector<Section> sections_;
  std::map<Instance, std::uint32_t> section_of_;
  std::vector<Seen> values_;
  std::map<std::uint32_t, Touched> touched_;
  std::map<CellName, Seen> cells_;
  std::set<std::pair<BlockId, BlockId>> edges_;
  std::set<std::uint32_t> names_few_;
};

}  // namespace headway::kernel::slice
