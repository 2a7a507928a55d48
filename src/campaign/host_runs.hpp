// The loop that the hosts of OpenCL and Vulkan share.
#pragma once

#include <chrono>

#include "campaign/hosts.hpp"

namespace headway::campaign {

// Makes the runs of a job. `launch()` resets the memory, runs all workgroups and returns how many
// of them came to their ends.
template <class Launch>
void make_runs(const HostJob& job, const HostEvents& events, const Launch& launch) {
  using Clock = std::chrono::steady_clock;
  for (int r = 0; r < job.runs; ++r) {
    const Clock::time_point start = Clock::now();
    for (;;) {
      const int finished = static_cast<int>(launch());
      if (finished == job.workgroups) break;
      events.cut_short(job.workgroups - finished);
    }
    events.run(std::chrono::duration<double>(Clock::now() - start).count());
  }
}

}  // namespace headway::campaign
