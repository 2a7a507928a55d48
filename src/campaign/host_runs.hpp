// The loop that the hosts of OpenCL and Vulkan share.
#pragma once

#include <fmt/format.h>

#include <chrono>

#include "campaign/hosts.hpp"
#include "emit/kernel.hpp"

namespace headway::campaign {

[[noreturn]] inline void throw_misplaced(const HostJob& job, const std::string& what) {
  throw Error(fmt::format("{}; expected subgroups of {} {} threads, {} in a workgroup", what,
                          job.subgroups.fill ? "exactly" : "at least", job.subgroups.size,
                          job.workgroup_size / job.subgroups.size));
}

// Makes the runs of a job. `launch(n)` resets the memory, runs all workgroups and returns the
// count, which begins with n, of threads that came to their ends. It is larger when an assertion
// was violated, and when a driver has cut threads short; then assertions say nothing.
template <class Launch>
void make_runs(const HostJob& job, const HostEvents& events, const Launch& launch) {
  using Clock = std::chrono::steady_clock;
  if (job.subgroups.size > 0 && (launch(emit::kProbe) & emit::kMisplaced) != 0) {
    throw_misplaced(job, "the subgroups of the device are not those of the test");
  }
  for (int r = 0; r < job.runs; ++r) {
    const Clock::time_point start = Clock::now();
    for (;;) {
      const std::uint32_t finished = launch(0U);
      const auto all = static_cast<std::uint32_t>(job.workgroups * job.workgroup_size);
      if (finished == all) break;
      if ((finished & emit::kCutShort) != 0) {
        events.cut_short(static_cast<int>(all - finished % emit::kCutShort));
        continue;
      }
      if (job.subgroups.size > 0 && (finished & emit::kMisplaced) != 0) {
        throw Error(
            "threads of a subgroup that come to an operation together do not take part in it "
            "together on this device");
      }
      if (finished > all) throw Error("an assertion of the test does not hold");
      events.cut_short(static_cast<int>(all - finished));
    }
    events.run(std::chrono::duration<double>(Clock::now() - start).count());
  }
}

}  // namespace headway::campaign
