#include "base/progress.hpp"

#include <unistd.h>

#include <cstdio>

namespace headway {
namespace {

using namespace std::chrono_literals;

std::string duration(double seconds) {
  char text[32];
  if (seconds < 100) {
    std::snprintf(text, sizeof text, "%.0f s", seconds);
  } else {
    std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
  }
  return text;
}

}  // namespace

Progress::Progress(std::string what, std::size_t total)
    : what_(std::move(what)),
      total_(total),
      shown_(::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      next_(start_ + 1s) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::advance(std::size_t count) {
  const std::size_t done = done_.fetch_add(count, std::memory_order_relaxed) + count;
  if (!shown_) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  const Clock::time_point now = Clock::now();
  if (!lock || now < next_) return;
  next_ = now + 100ms;
  draw(done, now);
}

void Progress::note(std::string text) {
  const std::lock_guard lock(mutex_);
  note_ = std::move(text);
}

void Progress::draw(std::size_t done, Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string line = std::to_string(done);
  if (total_ > 0) {
    constexpr std::size_t width = 30;
    const std::size_t filled = done * width / total_;
    line = "[" + std::string(filled, '#') + std::string(width - filled, ' ') + "] " + line +
           " of " + std::to_string(total_);
  }
  line += " " + what_ + ", ";
  if (total_ == 0 && seconds > 0) {
    char rate[32];
    std::snprintf(rate, sizeof rate, "%.2g a second, ", static_cast<double>(done) / seconds);
    line += rate;
  }
  line += (note_.empty() ? "" : note_ + ", ") + duration(seconds);
  if (total_ > 0 && done > 0) {
    line += ", about " +
            duration(seconds / static_cast<double>(done) * static_cast<double>(total_ - done)) +
            " left";
  }
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace headway
