#include "synth/sat/directed.hpp"

#include <algorithm>
#include <mutex>

#include "base/parallel.hpp"
#include "synth/sat/shape_search.hpp"

namespace headway::synth::sat {
namespace {

constexpr std::uint64_t kFirstEffort = 64;  // programs to look at in the first round

struct Task {
  std::unique_ptr<ShapeSearch> search;  // none before its first turn, nor once it is empty
  bool empty = false;
  std::optional<Instructions> code;
};

}  // namespace

Directed search(const std::vector<Place>& places, const std::vector<Filter>& filters,
                const DirectedOptions& options) {
  static const std::atomic<bool> never{false};
  const std::atomic<bool>& stop = options.stop != nullptr ? *options.stop : never;
  std::vector<Task> tasks(places.size());
  std::vector<std::size_t> open(places.size());
  for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
  std::atomic<std::size_t> first_match{places.size()};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  std::mutex mutex;  // guards failure and reports
  std::size_t empty = 0;

  const auto take_turn = [&](std::size_t index, std::uint64_t effort) {
    if (stop || failed || index > first_match) return;
    const auto& [bounds, shape] = places[index];
    Task& task = tasks[index];
    if (!task.search) {
      task.search = std::make_unique<ShapeSearch>(bounds, shape, Requirements{}, filters);
    }
    const Found found = [&](const Instructions& code) {
      task.code = code;
      return false;
    };
    task.empty = task.search->advance(effort, found, stop);
    if (task.code) {
      std::size_t first = first_match;
      while (index < first && !first_match.compare_exchange_weak(first, index)) {
      }
    }
    if (task.empty) task.search.reset();
    const std::lock_guard lock(mutex);
    empty += task.empty ? 1 : 0;
    if (options.report) options.report(empty);
  };

  for (std::uint64_t effort = kFirstEffort; !open.empty(); effort *= 2) {
    parallel_for(open.size(), [&](std::size_t i) {
      try {
        take_turn(open[i], effort);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        failed = true;
      }
    });
    if (failure) std::rethrow_exception(failure);
    if (first_match < places.size()) {
      return {Directed::Match{first_match, *tasks[first_match].code}, true};
    }
    if (stop) return {std::nullopt, false};
    std::erase_if(open, [&](std::size_t index) { return tasks[index].empty; });
  }
  return {};
}

}  // namespace headway::synth::sat
