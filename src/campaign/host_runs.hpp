// The loop that the hosts of OpenCL and Vulkan share.
#pragma once

#include <chrono>

#include "campaign/hosts.hpp"
#include "emit/kernel.hpp"

namespace headway::campaign {

// Makes the runs of a job. `launch()` resets the memory, runs all workgroups and returns how many
// threads came to their ends; more than there are when an assertion was violated, or when a driver
// has cut threads short, and then assertions say nothing.
template <class Launch>
void make_runs(const HostJob& job, const HostEvents& events, const Launch& launch) {
  using Clock = std::chrono::steady_clock;
  for (int r = 0; r < job.runs; ++r) {
    const Clock::time_point start = Clock::now();
    for (;;) {
      const std::uint32_t finished = launch();
      const auto all = static_cast<std::uint32_t>(job.workgroups * job.workgroup_size);
      if (finished == all) break;
      if ((finished & emit::kCutShort) != 0) {
        events.cut_short(static_cast<int>(all - finished % emit::kCutShort));
        continue;
      }
      if (finished > all) throw Error("an assertion of the test does not hold");
      events.cut_short(static_cast<int>(all - finished));
    }
    events.run(std::chrono::duration<double>(Clock::now() - start).count());
  }
}

}  // namespace headway::campaign
