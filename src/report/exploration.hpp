// How a test was explored: what was left out, how many states it took, how fast.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "checker/check.hpp"

namespace headway::report {

// Several lines for people, the first of them `name`, without a newline at the end.
std::string exploration_text(const std::string& name, const checker::CheckResult& result);

// An object: `engine`, and of a sweep what checker::Swept holds.
nlohmann::ordered_json exploration_json(const checker::CheckResult& result);

// "threads 0-3 and 4-7", or "subgroups 0-1" in lockstep, when symmetry took those of each part for
// the same; empty without.
std::string symmetry_text(const checker::CheckResult& result);

// "states", "memory", "time", "interrupt" or "none".
std::string to_string(Limit limit);

}  // namespace headway::report
