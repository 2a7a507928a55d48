// How the power of a suite looks.
#pragma once

#include <string>

#include "report/table.hpp"
#include "suite/power.hpp"
#include "suite/suite.hpp"

namespace headway::report {

// The score, and the fewest tests that have it.
std::string power_summary(const suite::Suite& suite, const suite::Power& power,
                          const std::string& claim);
// A line a mutant: its kind, its name, what it does, and the tests that kill it.
TextTable power_table(const suite::Suite& suite, const suite::Power& power);
// A line a scheduler: what a suite leaves of the promises.
TextTable surviving_table(const suite::Power& power);
// The tests that were found for mutants that no test of the suite kills; empty where none were.
std::string missing_tests(const suite::Power& power);
std::string power_json(const suite::Suite& suite, const suite::Power& power,
                       const std::string& claim);

}  // namespace headway::report
