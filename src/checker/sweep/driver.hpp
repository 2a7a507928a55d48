// The part of a sweep that does not depend on what a state is: takes height after height, gives the
// buckets of each to the cores, and keeps count.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <memory>

#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "checker/sweep/frontier.hpp"
#include "checker/sweep/options.hpp"
#include "checker/sweep/ruling.hpp"

namespace headway::checker {

// What all cores share.
struct SweepShared {
  SweepShared(std::size_t models, const SweepOptions& options)
      : options(options), models(models), ruling(models, options), budget(options.max_memory) {}

  const SweepOptions& options;
  const std::size_t models;
  Ruling ruling;
  MemoryBudget budget;
  std::atomic<std::size_t> states{0};

  // The answer, once all is over; the counts of transitions and heights are the driver's.
  SweepResult result() const {
    SweepResult result;
    result.gone_wrong = ruling.gone_wrong();
    result.stopped_by = result.gone_wrong ? Limit::none : ruling.limit();
    result.memory = budget.peak();
    result.states = states;
    for (std::size_t m = 0; m < models; ++m) {
      result.verdicts.push_back(
          {ruling.verdict(m, Fairness::weak), ruling.verdict(m, Fairness::strong)});
    }
    return result;
  }
};

// One core's account of states and memory, which ends the sweep at a limit.
class SweepAccount {
 public:
  explicit SweepAccount(SweepShared& shared)
      : shared_(shared), check_at_(shared.options.max_states < 65'536 ? 1 : 1024) {}

  // Counts a state; now and then looks at the limits, when `bytes()` says what memory is held.
  // False when one is reached: the state then does not count.
  template <class Bytes>
  bool count_state(const Bytes& bytes) {
    ++unreported_;
    if (++unchecked_ < check_at_) return true;
    unchecked_ = 0;
    Limit limit = shared_.options.signs.seen();
    if (shared_.budget.exceeded()) limit = Limit::memory;
    if (shared_.states + unreported_ > shared_.options.max_states) limit = Limit::states;
    if (limit != Limit::none) {
      shared_.ruling.stop_at(limit);
      --unreported_;
    }
    report(bytes());
    return limit == Limit::none;
  }

  // Adds what was counted to the shared numbers.
  void report(std::size_t bytes) {
    shared_.states += unreported_;
    if (shared_.options.progress != nullptr) shared_.options.progress->advance(unreported_);
    unreported_ = 0;
    hold(bytes);
  }

  // False when memory or time is up.
  bool may_go_on(std::size_t bytes) {
    hold(bytes);
    Limit limit = shared_.options.signs.seen();
    if (shared_.budget.exceeded()) limit = Limit::memory;
    if (limit != Limit::none) shared_.ruling.stop_at(limit);
    return !shared_.ruling.stopped();
  }

 private:
  void hold(std::size_t bytes) {
    if (bytes > bytes_) shared_.budget.take(bytes - bytes_);
    if (bytes < bytes_) shared_.budget.give_back(bytes_ - bytes);
    bytes_ = bytes;
  }

  SweepShared& shared_;
  const std::size_t check_at_;  // limits, after so many states
  std::size_t unchecked_ = 0;   // states
  std::size_t unreported_ = 0;
  std::size_t bytes_ = 0;  // reported last
};

// Calls decide<Words>() with the smallest width that there is for so many words.
template <class Decide>
SweepResult at_width(int words, const Decide& decide) {
  assert(words <= kMaxSweepWords);
  if (words <= 1) return decide.template operator()<1>();
  if (words <= 2) return decide.template operator()<2>();
  if (words <= 4) return decide.template operator()<4>();
  if (words <= 8) return decide.template operator()<8>();
  if (words <= 16) return decide.template operator()<16>();
  return decide.template operator()<kMaxSweepWords>();
}

// A `Worker`, of which each core has one that `make()` makes for a frontier, provides
//   State                                 what a state is
//   Frontier<State>::Sender& sender()
//   std::size_t transitions() const       that it has computed
//   void explore(height, bucket, senders) visits a bucket, judges its components, sends on
//   void report()                         its account
// and `Layers` says of the states: State initial(), layer_hash(state), heights(), and by how much a
// step from `height` may climb: climbs(height), of which all are sent to.
template <class Worker, class Layers, class Make>
SweepResult drive(SweepShared& shared, const Layers& layers, const Make& make) {
  using State = typename Worker::State;
  const std::size_t heights = layers.heights();
  Frontier<State> frontier(heights, shared.budget);

  const std::size_t cores = usable_cores();
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<typename Frontier<State>::Sender*> senders;
  const auto add_worker = [&] {
    workers.push_back(make(frontier));
    senders.push_back(&workers.back()->sender());
  };
  add_worker();

  const auto layer_hash = [&](const State& state) { return layers.layer_hash(state); };
  const State initial = layers.initial();
  const std::size_t lowest = layers.height(initial);
  frontier.open(lowest, 1);
  senders.front()->lane(lowest).send(layer_hash(initial), initial, {});

  std::size_t swept = 0;   // heights
  std::size_t before = 0;  // states of lower heights
  for (std::size_t height = lowest; height < heights && !shared.ruling.stopped(); ++height) {
    if (!frontier.is_open(height)) continue;
    ++swept;
    // As many states as the last height had are a fair guess of what is to come.
    const std::size_t last = shared.states - before;
    before = shared.states;
    frontier.widen(height, 4 * last, senders, layer_hash);
    for (const int climb : layers.climbs()) {
      if (height + climb < heights) frontier.open(height + climb, 4 * last);
    }
    if (shared.options.progress != nullptr) {
      shared.options.progress->note(fmt::format("height {} of {}", height, heights - 1));
    }
    const std::size_t buckets = frontier.buckets(height);
    if (buckets == 1 || cores == 1) {
      for (std::size_t b = 0; b < buckets && !shared.ruling.stopped(); ++b) {
        workers.front()->explore(height, b, senders);
      }
    } else {
      while (workers.size() < cores) add_worker();
      std::atomic<std::size_t> next_bucket{0};
      // A core that waits here must not start on another test.
      isolate([&] {
        parallel_for(cores, [&](std::size_t core) {
          for (;;) {
            const std::size_t b = next_bucket++;
            if (b >= buckets || shared.ruling.stopped()) return;
            workers[core]->explore(height, b, senders);
          }
        });
      });
    }
    for (auto* sender : senders) sender->close(height);
    frontier.close(height);
  }
  std::size_t transitions = 0;
  for (const auto& worker : workers) {
    worker->report();
    transitions += worker->transitions();
  }
  SweepResult result = shared.result();
  result.heights = static_cast<int>(swept);
  result.transitions = transitions;
  return result;
}

}  // namespace headway::checker
