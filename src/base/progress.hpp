// A line on a terminal that says how far a long run has come. Nothing is drawn in the first
// second, nor when standard error is not a terminal. Safe to call from several threads.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>

namespace headway {

class Progress {
 public:
  // `what` names the things that are counted, "tests"; `total` is 0 when it is not known.
  Progress(std::string what, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(std::size_t count = 1);
  // A few words to show behind the count from now on: "1204 tests".
  void note(std::string text);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(std::size_t done, Clock::time_point now);

  const std::string what_;
  const std::size_t total_;
  const bool shown_;
  const Clock::time_point start_;
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;
  Clock::time_point next_;  // when to draw again
  bool drawn_ = false;
  std::string note_;
};

}  // namespace headway
