// Whether threads of a subgroup wait for each other in a way that lockstep makes endless: a thread
// repeats a loop until another one of its subgroup writes what it waits for, and that one has to
// wait until the loop is left. Lockstep is that of docs/reference/idiom-language.md: threads that
// part at a branch come together at its immediate post-dominator, and one side of it runs first.
#pragma once

#include <optional>
#include <string>

#include "kernel/machine/explore.hpp"

namespace headway::kernel {

struct SubgroupWait {
  std::uint32_t loop = 0;     // the instruction by which a thread waits
  std::uint32_t release = 0;  // that of another one of its subgroup, which ends the wait
  // The other thread has left the loop; else it is on another side of a branch, which may be the
  // second one to run.
  bool behind = false;
};

// Nothing where an execution in lockstep does not come here, or can go on from here. The machine's
// watcher is gone afterwards.
std::optional<SubgroupWait> subgroup_wait(Machine& machine, const Standoff& standoff);

// What to say of it at the loop.
std::string wait_text(const Code& code, const SubgroupWait& wait);

}  // namespace headway::kernel
