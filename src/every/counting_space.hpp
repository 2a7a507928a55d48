// What steps of threads do that are counted where N is a symbol (docs/internals/every-n.md, method
// C).
#pragma once

#include <string>
#include <vector>

#include "every/counted_graph.hpp"
#include "every/symbolic_machine.hpp"

namespace headway::every {

class CountingSpace : public CountedSteps {
 public:
  // Throws headway::Error or Unsupported for a family that is none for this. Additions to a counter
  // whose content stays at most `largest_number` are no shares.
  CountingSpace(const Family& family, int largest_number);

  int kinds() const { return static_cast<int>(programs_.size()); }
  int specials() const { return specials_; }
  int smallest() const { return family_.smallest; }
  int counters() const { return static_cast<int>(counters_.size()); }
  const std::string& counter_name(int counter) const {
    return family_.variables[counters_[counter]].name;
  }
  const Parametric& family() const { return family_; }
  const ParametricProgram& program(int kind) const { return programs_[kind]; }
  // Where a thread stands.
  lang::SourceLine line(const CountedPlace& place) const {
    return machines_[place.kind].line_at(place.at);
  }
  CountedPlace fresh(int kind) const override;
  CountedMemory initial() const override;
  std::vector<Effect> effects(const std::vector<std::pair<const CountedPlace*, Count>>& places,
                              std::size_t mover, const CountedMemory& memory) const override;
  CountedPlace after(CountedPlace place, const std::vector<int>& changed) const override;

 private:
  struct World;

  bool is_counter(int variable) const { return counter_of_[variable] >= 0; }
  void take(const World& world, int variable, const SymbolicMachine::Index& index,
            std::vector<Effect>& effects) const;
  void write(const World& world, const Facts& facts, int counter, const Linear& value,
             Effect& effect, Linear& now) const;
  Content content_of(const World& world, const Facts& facts, const Linear& value,
                     const std::vector<Linear>& counters) const;

  Parametric family_;
  int specials_ = 0;
  int largest_number_ = 0;
  std::vector<ParametricProgram> programs_;  // by kind
  std::vector<SymbolicMachine> machines_;
  std::vector<CountedPlace> fresh_;
  std::vector<int> counter_of_, cell_of_;  // by variable
  std::vector<int> counters_;              // variables
};

}  // namespace headway::every
