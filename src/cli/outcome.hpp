// How a command ended, and the exit status that says so.
#pragma once

#include <functional>

#include "cli/console.hpp"

namespace headway::cli {

// What happened to a command. Of several things the exit status tells the gravest: an interruption,
// which leaves everything else unfinished; then bad input, which leaves out what could not be read;
// then what goes wrong, whatever else is open; then a limit, which leaves verdicts open; then a
// verdict that is not as it should be, which may be for want of another one. They may be noted in
// any order. What a command does not let count it does not
// note.
class Outcome {
 public:
  // An expectation or a row of a table was not met.
  Outcome& unmet() { return raise(End::unmet); }
  // A program goes wrong, for certain.
  Outcome& wrong() { return raise(End::wrong); }
  // A limit stopped a decision.
  Outcome& limit() { return raise(End::limit); }
  // Usage or input.
  Outcome& bad_input() { return raise(End::bad_input); }
  // A signal, as by Ctrl-C; what was decided by then is printed.
  Outcome& interrupted() { return raise(End::interrupted); }

  // All that happened to a part of it.
  Outcome& also(const Outcome& part) { return raise(part.end_); }

  // Runs `action`. What it throws becomes a message and counts.
  void guard(const std::function<void()>& action);

  int status() const {
    switch (end_) {
      case End::fine:
        break;
      case End::unmet:
      case End::wrong:
        return 1;
      case End::limit:
        return 3;
      case End::bad_input:
        return 2;
      case End::interrupted:
        return 128 + Interrupt::signal();
    }
    return 0;
  }

 private:
  // The gravest last.
  enum class End { fine, unmet, limit, wrong, bad_input, interrupted };

  Outcome& raise(End end) {
    if (end > end_) end_ = end;
    return *this;
  }

  End end_ = End::fine;
};

}  // namespace headway::cli
