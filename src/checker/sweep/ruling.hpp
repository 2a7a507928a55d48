// What is known of the verdicts while several cores look for fair cycles, and whether to go on.
#pragma once

#include <atomic>
#include <vector>

#include "checker/sweep/options.hpp"

namespace headway::checker {

class Ruling {
 public:
  Ruling(std::size_t models, const SweepOptions& options)
      : options_(options), open_(models * 2), failed_(models * 2) {
    for (std::size_t m = 0; m < models; ++m) {
      for (const Fairness fairness : models::kFairnesses) {
        const bool wanted = fairness == Fairness::weak ? options.weak : options.strong;
        open_[index(m, fairness)] = wanted;
        undecided_ += wanted ? 1 : 0;
      }
    }
  }

  // Whether a fair cycle is still looked for.
  bool open(std::size_t model, Fairness fairness) const { return open_[index(model, fairness)]; }
  bool open(std::size_t model) const {
    return open(model, Fairness::weak) || open(model, Fairness::strong);
  }
  // There is a fair cycle.
  void fail(std::size_t model, Fairness fairness) {
    if (!open_[index(model, fairness)].exchange(false)) return;
    failed_[index(model, fairness)] = true;
    if (--undecided_ == 0 && options_.stop_early) stop_ = true;
  }
  // The program can go wrong, which is the verdict of all.
  void go_wrong() {
    wrong_ = true;
    stop_ = true;
  }
  bool gone_wrong() const { return wrong_; }
  void stop_at(Limit limit) {
    Limit none = Limit::none;
    limit_.compare_exchange_strong(none, limit);
    stop_ = true;
  }
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }
  Limit limit() const { return limit_; }
  Verdict verdict(std::size_t model, Fairness fairness) const {
    const bool wanted = fairness == Fairness::weak ? options_.weak : options_.strong;
    if (wrong_ && wanted) return Verdict::error;
    if (failed_[index(model, fairness)]) return Verdict::fail;
    return wanted && limit_ == Limit::none ? Verdict::pass : Verdict::unknown;
  }

 private:
  static std::size_t index(std::size_t model, Fairness fairness) {
    return model * 2 + (fairness == Fairness::weak ? 0 : 1);
  }

  const SweepOptions& options_;
  std::vector<std::atomic<bool>> open_;
  std::vector<std::atomic<bool>> failed_;
  std::atomic<std::size_t> undecided_{0};
  std::atomic<bool> stop_{false};
  std::atomic<bool> wrong_{false};
  std::atomic<Limit> limit_{Limit::none};
};

}  // namespace headway::checker
