// That a program goes wrong, as an execution that people can follow.
#pragma once

#include <string>
#include <vector>

#include "lang/program.hpp"

namespace headway::checker {

// A shortest execution whose last step makes its thread fail. Empty when a limit kept it from being
// found.
struct ErrorTrace {
  std::vector<lang::Step> steps;
};

struct WrongRun {
  struct Step {
    int thread = 0;
    lang::StepText text;
    std::string memory;  // after it
  };
  std::string leaf = "thread";  // what a thread is called
  std::vector<Step> steps;      // none when a limit kept the execution from being found
};

// Runs the program step by step.
WrongRun wrong_run(const lang::Program& program, const ErrorTrace& trace);

}  // namespace headway::checker
