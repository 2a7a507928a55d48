// Threads that may change places: nothing that they will still do depends on which ones they are.
// Such threads are put in an order, so that states that differ in nothing else are one (Ip and
// Dill, FMSD 1996). Which threads these are differs from state to state: an id that has been
// looked at, and is in no register any more, tells nobody apart.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/machine/machine.hpp"

namespace headway::kernel {

class Symmetry {
 public:
  // Both must outlive it.
  Symmetry(const Code& code, const Launch& launch);

  // Puts the threads of a state in order. `locals` are numbers of their states, equal for equal
  // ones, and are put in order with them. Returns which thread comes to each place; nothing where
  // all stay.
  std::vector<int> sort(MachineState& state, std::vector<std::uint64_t>& locals) const;

 private:
  bool is_anonymous(const ThreadState& local) const;

  const Code& code_;
  // Of how many threads that follow each other some may change places: all, those of a workgroup,
  // or 1 where none may.
  int together_ = 1;
  std::vector<bool> identified_;  // by place that parks
};

}  // namespace headway::kernel
