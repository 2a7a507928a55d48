#include "base/watchdog.hpp"

namespace headway {

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Watchdog::begin(std::chrono::milliseconds limit) {
  bool too_late = false;
  {
    const std::lock_guard lock(mutex_);
    deadline_ = Clock::now() + limit;
    if (!thread_.joinable()) thread_ = std::thread([this] { watch(); });
    too_late = *deadline_ < sleeps_until_;
  }
  if (too_late) wake_.notify_one();
}

void Watchdog::end() {
  const std::lock_guard lock(mutex_);
  deadline_.reset();
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    if (!deadline_) {
      // The next question comes soon, or else no more.
      wake_.wait_for(lock, std::chrono::milliseconds(50), [this] { return ends_; });
      if (deadline_ || ends_) continue;
      sleeps_until_ = Clock::time_point::max();
      wake_.wait(lock, [this] { return ends_ || deadline_; });
    } else if (Clock::now() < *deadline_) {
      sleeps_until_ = *deadline_;
      const auto until = sleeps_until_;
      wake_.wait_until(lock, until, [&] { return ends_ || (deadline_ && *deadline_ < until); });
    } else {
      interrupt_();
      wake_.wait_for(lock, std::chrono::milliseconds(20), [this] { return ends_; });
    }
  }
}

}  // namespace headway
