// What a proof leaves open, decided by all executions of the launch, where that is stated and
// small.
#pragma once

#include <chrono>
#include <map>

#include "verify/report.hpp"
#include "verify/whole_launch.hpp"

namespace headway::verify {

// What may go into looking at a whole launch.
inline constexpr std::chrono::milliseconds kWholeLimit{10000};

bool is_open(const std::pair<const Property, Finding>& one);

// What a proof left open, by all executions of the launch; whether they verify any of it.
bool decide_by(const WholeLaunch& launch, const Options& options,
               std::map<Property, Finding>& worst);

// What a proof about two threads does not follow, so that nothing of the report is decided.
Report decided_by_launch(Report report, const kernel::Module& module,
                         const kernel::Function& function, const Options& options,
                         std::chrono::steady_clock::time_point end);

}  // namespace headway::verify
