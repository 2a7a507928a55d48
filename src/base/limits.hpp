// What may end a computation before its time: bounds on states, memory and time, and a wish to
// stop. A limit that is reached is an answer, never an error.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace headway {

enum class Limit { none, states, memory, time, interrupt };

// Bytes of memory that this process may still take: what the machine has available, or less where
// its control group (cgroup v1 or v2) or `ulimit -v` allows less. A large number where the system
// does not say.
std::size_t available_memory();

// A deadline and a wish to stop, in one question that is cheap enough to be asked often.
class StopSigns {
 public:
  using Clock = std::chrono::steady_clock;

  StopSigns() = default;
  StopSigns(const std::atomic<bool>* stop, std::optional<Clock::time_point> deadline)
      : stop_(stop), deadline_(deadline) {}

  // The same wish to stop, and so many seconds from now on.
  StopSigns within(double seconds) const { return {stop_, after(seconds)}; }
  static Clock::time_point after(double seconds) {
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  Limit seen() const {
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) return Limit::interrupt;
    if (deadline_ && Clock::now() >= *deadline_) return Limit::time;
    return Limit::none;
  }

  const std::atomic<bool>* stop() const { return stop_; }
  const std::optional<Clock::time_point>& deadline() const { return deadline_; }

 private:
  const std::atomic<bool>* stop_ = nullptr;
  std::optional<Clock::time_point> deadline_;
};

// Memory taken against a limit. Safe to share between cores.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t limit) : limit_(limit) {}
  // Both keep the books only; exceeded() is for the caller to ask now and then.
  void take(std::size_t bytes) {
    const std::size_t now = taken_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::size_t peak = peak_.load(std::memory_order_relaxed);
    while (now > peak && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
  }
  void give_back(std::size_t bytes) { taken_.fetch_sub(bytes, std::memory_order_relaxed); }
  bool exceeded() const { return peak_.load(std::memory_order_relaxed) > limit_; }
  std::size_t peak() const { return peak_.load(std::memory_order_relaxed); }

 private:
  const std::size_t limit_;
  std::atomic<std::size_t> taken_{0};
  std::atomic<std::size_t> peak_{0};
};

}  // namespace headway
