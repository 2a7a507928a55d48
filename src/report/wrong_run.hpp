// How a program goes wrong, in words: a shortest execution to the step that fails.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "checker/witness/wrong_run.hpp"
#include "report/table.hpp"

namespace headway::report {

using checker::WrongRun;

// "step 3, thread 1, line 7, assert(load(x) == 1); reads x = 0, ERROR: ...", or that limits hide
// it.
std::string wrong_run_summary(const WrongRun& run);

// The last steps as a table for people; empty without steps.
std::string wrong_run_text(const WrongRun& run, Style style);

// An array with an object a step.
nlohmann::ordered_json wrong_run_json(const WrongRun& run);

}  // namespace headway::report
