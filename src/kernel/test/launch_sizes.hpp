// How many threads a launch has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernel/machine/launch.hpp"

namespace headway::kernel {

// Of a workgroup where nobody says more.
inline constexpr std::uint32_t kFew = 4;

// As a person says it.
struct LaunchSizes {
  std::optional<Size3> grid, block;
  std::optional<int> subgroup;
  std::uint64_t workgroup_bytes = 0;
  bool as_usual = true;  // where no size of workgroups is said: as Function::usual has it
};

// How the function is usually launched, where that is known and possible, and `said` has no size of
// workgroups. A grid that is said is another one for the same workgroups.
std::optional<UsualLaunch> usual_launch(const Function& function, const LaunchSizes& said);

// Sets the grid, the workgroups, the subgroups and what is there of workgroup memory that launches
// size (0: not known), and adds to `notes` what nobody said. Throws headway::Error for sizes that
// the function or its language excludes.
void set_sizes(Launch& launch, const LaunchSizes& said, std::vector<std::string>& notes);

}  // namespace headway::kernel
