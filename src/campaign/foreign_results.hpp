// Runs that other programs made of exported tests, read from what these print: Amber's summary, and
// a line a run for everybody else (docs/reference/devices.md).
#pragma once

#include <string>
#include <vector>

#include "campaign/results.hpp"

namespace headway::campaign {

// Runs by test, in the order of the file.
struct ForeignRun {
  std::size_t test = 0;  // of the suite
  Run run;
};

// What Amber printed about scripts of the suite, whose names are those of the tests: each summary
// is one run of all of them, in which those that it names have failed. Throws headway::Error with
// the place of what is not understood, and where the counts are not those of the suite.
std::vector<ForeignRun> read_amber_log(const std::string& text, const std::string& file,
                                       const suite::Suite& suite, double timeout);

// Lines "TEST OUTCOME" or "TEST OUTCOME MILLISECONDS"; outcomes as in results files, with a dash
// for a blank: timed-out. Empty lines and those that begin with # are left out.
std::vector<ForeignRun> read_run_lines(const std::string& text, const std::string& file,
                                       const suite::Suite& suite, double timeout);

}  // namespace headway::campaign
