// Of a launch that waits: the models under which it need not end, for what is said of it beside a
// verdict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "checker/check.hpp"

namespace headway::cli {

// Of a launch that is looked at beside a verdict.
checker::CheckOptions weak_limits(const StopSigns& stop);

// Under each of the models, weakly fair. Large programs are left unknown.
std::vector<checker::Verdict> weak_verdicts(const lang::Program& program,
                                            const std::vector<models::ModelPtr>& models,
                                            const StopSigns& stop);

// The names of those under which a program need not end, weakly fair; nothing where one is not
// decided.
std::optional<std::string> failing_models(const lang::Program& program,
                                          const std::vector<models::ModelPtr>& models,
                                          const StopSigns& stop);

}  // namespace headway::cli
