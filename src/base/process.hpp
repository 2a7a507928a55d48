// A child process that is never left behind: it leads a process group that is killed as a whole,
// and it dies with us. Its standard output is read line by line.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace headway {

class Process {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Event {
    line,         // there is one
    ended,        // standard output is closed, and the process gone or about to go
    timed_out,    // neither by the deadline
    interrupted,  // `interrupted` became true
  };

  // Starts a program, which is looked for in PATH. Throws headway::Error when it cannot be started.
  explicit Process(const std::vector<std::string>& command);
  // Kills what still runs.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Waits for the next line, which is left in line().
  Event wait(Clock::time_point deadline, const std::atomic<bool>* interrupted = nullptr);
  const std::string& line() const { return line_; }

  // Kills the process and its group. Throws headway::Error when it does not go within 30 seconds,
  // as happens to processes that a driver holds.
  void kill();
  // Waits for the end of a process whose wait() said `ended`, and kills it when it lingers. Returns
  // its exit status, 128 + n when signal n ended it.
  int status();
  // The end of what it has written to standard error, 4 KiB at most, without line ends around it.
  std::string complaint();

 private:
  void read_errors();

  pid_t id_ = -1;
  int output_ = -1;
  int errors_ = -1;
  int status_ = 0;
  std::string read_;  // of standard output, behind line_
  std::string line_;
  std::string complaint_;
};

struct Finished {
  int status = 0;  // as of Process::status(); -1 when it was killed at the limit
  bool interrupted = false;
  std::string output;
  std::string complaint;
};

// Runs a program to its end, or to the end of `limit`.
Finished run_process(const std::vector<std::string>& command, std::chrono::milliseconds limit,
                     const std::atomic<bool>* interrupted = nullptr);

// The path of a program in PATH; empty when there is none.
std::string find_program(const std::string& name);

}  // namespace headway
