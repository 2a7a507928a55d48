// Ends what another library computes when its time is over. z3's own timeouts leave threads behind,
// for which fork() waits: forever when two threads fork at once (z3 4.8.12); isl has none.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace headway {

// One thread looks after all questions of one owner, as most take less time than a thread takes to
// begin. begin() and end() are the owner's.
class Watchdog {
 public:
  // `interrupt` is called from that thread, again and again until end(): one that comes before the
  // library listens is lost.
  explicit Watchdog(std::function<void()> interrupt) : interrupt_(std::move(interrupt)) {}
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void begin(std::chrono::milliseconds limit);
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  void watch();

  std::function<void()> interrupt_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<Clock::time_point> deadline_;  // of the question that is open
  Clock::time_point sleeps_until_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace headway
