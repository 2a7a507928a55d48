// What the emitted programs share, those that a user compiles and starts: their arguments, what
// they print, and their exit statuses.
#pragma once

#include <string>
#include <vector>

#include "emit/kernel.hpp"

namespace headway::emit {

// How to compile and start a program, as lines of its comment; `unit` says what a workgroup is.
std::vector<std::string> program_usage(const std::string& command, const std::string& unit);

// Constants behind those of the kernel: kWorkgroups, kInitial, and where there are groups kThreads.
std::string program_constants(const Kernel& kernel);

// main(), which calls `void describe()` once, prints "device:" and "driver:" there if it has any
// to name, then "runs:", then a line a run: `void reset()` and, on the clock, `bool run(Seconds)`.
std::string program_main(const Kernel& kernel);

}  // namespace headway::emit
