// Where output goes: results to standard output, messages to standard error, colour only to
// terminals; and the signals that end a command.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "base/error.hpp"
#include "report/table.hpp"

namespace headway::cli {

// Colours when standard output is a terminal that has them and NO_COLOR is not set.
report::Style output_style();
// The same, with the width of the terminal, or where that is none with that of the longest lines.
report::Style fitting_style();

// Writes to standard output.
void print(const std::string& text);
// Flushes standard output; false, with errno set, when something could not be written.
bool flush_output();

// Writes a message to standard error, with the picture of the offending line.
void complain(const Error& error);
void complain(const std::string& message);

// Takes SIGINT (Ctrl-C), SIGTERM and SIGHUP from now on, those of them that are not ignored. To be
// called before there is a second thread, as they are kept from all threads but one. A signal ends
// the process with the status 128 + its number: at once where no Interrupt lives, and where it is
// the second one, a fifth of a second behind the first or later. Children and temporary folders do
// not outlive it.
void watch_signals();

// While it lives, a signal ends the command in a second, in which it may end itself.
class Interrupt {
 public:
  // For a command that has something to say of what it has by then, or nothing. It may be where
  // nobody looks at the flag, as in a solver: where it has not come to its end in time, `tell` is
  // called, in another thread, to print while the rest still runs; then the process ends.
  explicit Interrupt(std::function<void()> tell = [] { complain("interrupted"); });
  // For a command that looks at the flag often and needs what time it needs, to write what it has.
  enum class Patience { without_limit };
  explicit Interrupt(Patience patience);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // The command prints now itself. Does not return where `tell` was called already.
  void tells() const;

  // True once a signal has come.
  static const std::atomic<bool>& flag();
  // Which one; SIGINT where none has.
  static int signal();
};

}  // namespace headway::cli
