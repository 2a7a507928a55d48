// Launches that never end. The launch that a file describes may come to a state from which no
// execution ends, whatever is scheduled, or a thread to a loop that it leaves under no
// circumstances: then it need not end under any progress model. What else waits,
// Options::not_ending decides; in lockstep, threads of a subgroup may hold each other up. Only
// where nothing is guessed: arguments, and what threads wait for, have to be given by the file or
// the command line.
#pragma once

#include <optional>

#include "verify/whole_launch.hpp"

namespace headway::verify {

// Nothing where the launch may end, or hangs on unknown data.
std::optional<TrialFault> find_hang(const WholeLaunch& launch, const Options& options,
                                    const StopSigns& stop);

}  // namespace headway::verify
