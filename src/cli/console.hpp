// Where output goes: results to standard output, messages to standard error, colour only to
// terminals; and the user's Ctrl-C.
#pragma once

#include <atomic>
#include <string>

#include "base/error.hpp"
#include "report/table.hpp"

namespace headway::cli {

// Colours when standard output is a terminal that has them and NO_COLOR is not set.
report::Style output_style();
// The same, with the width of the terminal; there is none where standard output is something else.
report::Style fitting_style();

// Writes to standard output.
void print(const std::string& text);
// Flushes standard output; false, with errno set, when something could not be written.
bool flush_output();

// Writes a message to standard error, with the picture of the offending line.
void complain(const Error& error);
void complain(const std::string& message);

// Catches Ctrl-C (SIGINT) and SIGTERM while it lives; a second one ends the process at once.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  // True once a signal has come.
  static const std::atomic<bool>& flag();
};

}  // namespace headway::cli
