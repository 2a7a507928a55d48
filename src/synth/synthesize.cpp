#include "synth/synthesize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "base/parallel.hpp"
#include "base/text/key.hpp"
#include "lang/axb/source.hpp"
#include "models/scoped.hpp"
#include "synth/checkpoint.hpp"
#include "synth/explicit/explicit_engine.hpp"
#include "synth/explicit/lockstep_engine.hpp"
#include "synth/sat/lockstep_engine.hpp"
#include "synth/sat/sat_engine.hpp"
#include "synth/space/symmetry.hpp"

namespace headway::synth {
namespace {

using checker::Verdict;

struct NumberedCube {
  std::size_t number;  // among all cubes of the request
  const Bounds* bounds;
  Cube cube;
  std::size_t weight = 1;  // each test found counts so often
};

// Whether a request is for the number of all tests of flat launches, where a test is one in
// whatever order its threads are.
bool counts_orders(const Request& request, bool count_only) {
  return count_only && request.filters.empty() && request.minimal_for.empty() &&
         request.distinguished.empty() && request.symmetric == Symmetric::none &&
         std::none_of(request.bounds.begin(), request.bounds.end(), [](const Bounds& bounds) {
           return bounds.placement || !bounds.lanes.empty();
         });
}

// How many orders the lengths of threads have.
std::size_t orders(Shape shape) {
  std::sort(shape.begin(), shape.end());
  std::size_t count = 1;
  while (std::next_permutation(shape.begin(), shape.end())) ++count;
  return count;
}

// The cubes of this run's part. To count, those are enough whose threads are sorted by length: for
// each other order there are as many tests.
std::vector<NumberedCube> cubes_of(const Request& request, bool count_only) {
  std::vector<NumberedCube> result;
  const bool sorted = counts_orders(request, count_only);
  std::size_t number = 0;
  for (const Bounds& bounds : request.bounds) {
    for (Cube& cube : cubes(bounds, request.cube_programs)) {
      const bool mine = number % static_cast<std::size_t>(request.shards) ==
                        static_cast<std::size_t>(request.shard);
      if (mine && (!sorted || std::is_sorted(cube.shape.begin(), cube.shape.end()))) {
        const std::size_t weight = sorted ? orders(cube.shape) : 1;
        result.push_back({number, &bounds, std::move(cube), weight});
      }
      ++number;
    }
  }
  return result;
}

// Sorts the tests of one cube, which lie one after another.
void sort_codes(std::vector<axb::Instruction>& codes, const Shape& shape) {
  const auto length = static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), 0));
  const auto code = [&](std::size_t index) {
    return std::span<const axb::Instruction>(codes.data() + index * length, length);
  };
  std::vector<std::size_t> order(codes.size() / length);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return comes_before(shape, code(a), shape, code(b));
  });
  std::vector<axb::Instruction> sorted;
  sorted.reserve(codes.size());
  for (const std::size_t index : order) {
    sorted.insert(sorted.end(), code(index).begin(), code(index).end());
  }
  codes = std::move(sorted);
}

// What one core needs.
class Worker {
 public:
  Worker(const Request& request, const RunOptions& options)
      : request_(request), options_(options), minimality_(request.minimal_for) {
    for (const Filter& filter : request.filters) filter_models_.push_back(filter.model);
  }

  // False when it was stopped: `stop` is watched all the time, `halt` whenever a test is found.
  bool search(const NumberedCube& cube, const std::atomic<bool>& stop,
              const std::atomic<bool>& halt, Checkpoint::Cube& result) {
    if (engine_ == nullptr || bounds_ != cube.bounds) {
      engine_ = make_engine(options_.engine, *cube.bounds, request_.requirements);
      bounds_ = cube.bounds;
    }
    const bool complete = engine_->enumerate(
        cube.cube,
        [&](const Instructions& code) {
          if (halt) return false;
          if (!wanted(cube, code)) return true;
          result.count += cube.weight;
          if (!options_.count_only) {
            result.codes.insert(result.codes.end(), code.begin(), code.end());
          }
          return true;
        },
        stop);
    if (complete) sort_codes(result.codes, cube.cube.shape);
    return complete;
  }

 private:
  bool wanted(const NumberedCube& cube, const Instructions& code) {
    const bool any_size = request_.max_lts_states == 0 && request_.max_actions == 0;
    if (request_.symmetric != Symmetric::none &&
        !comes_first(*cube.bounds, cube.cube.shape, code, request_.symmetric)) {
      return false;
    }
    const bool no_verdicts =
        request_.filters.empty() && request_.minimal_for.empty() && request_.distinguished.empty();
    if (any_size && no_verdicts) return true;
    const axb::Code test = to_code(*cube.bounds, cube.cube.shape, code);
    if (!any_size && !small_enough(test)) return false;
    if (!request_.filters.empty()) {
      const checker::CheckResult checked = checker_.check(*axb::make_program(test), filter_models_);
      for (std::size_t f = 0; f < request_.filters.size(); ++f) {
        const Filter& filter = request_.filters[f];
        const Verdict expected = filter.passes ? Verdict::pass : Verdict::fail;
        if (checked.verdicts[f].of(filter.fairness) != expected) return false;
      }
    }
    if (!request_.distinguished.empty()) {
      const auto verdicts =
          checker_.check(*axb::make_program(test), request_.distinguished).verdicts;
      if (verdicts.front() == verdicts.back()) return false;
    }
    return request_.minimal_for.empty() || minimality_.is_minimal(test);
  }

  bool small_enough(const axb::Code& test) {
    const auto program = axb::make_program(test);
    const std::size_t most =
        request_.max_lts_states > 0 ? request_.max_lts_states : checker::kDefaultMaxStates;
    if (!analysis_.explore(*program, {false, most, {}})) return false;
    return request_.max_actions == 0 || analysis_.transitions() <= request_.max_actions;
  }

  const Request& request_;
  const RunOptions& options_;
  const Bounds* bounds_ = nullptr;
  std::unique_ptr<Engine> engine_;
  std::vector<models::ModelPtr> filter_models_;
  checker::Checker checker_;
  checker::Analysis analysis_;
  Minimality minimality_;
};

class Run {
 public:
  Run(const Request& request, const RunOptions& options,
      const std::function<void(const Batch&)>& deliver)
      : request_(request),
        options_(options),
        deliver_(deliver),
        cubes_(cubes_of(request, options.count_only)) {
    if (!options.checkpoint.empty()) {
      const std::string key = request.key() + (!options.count_only            ? "tests"
                                               : counts_orders(request, true) ? "orders"
                                                                              : "count");
      checkpoint_.emplace(options.checkpoint, key);
    }
  }

  RunResult go() {
    const CoreLimit limit(options_.jobs);
    parallel_for(static_cast<std::size_t>(options_.jobs), [this](std::size_t) { work(); });
    if (failure_) std::rethrow_exception(failure_);
    result_.complete = delivered_ == cubes_.size() && !limit_reached_;
    return result_;
  }

 private:
  // Cubes are begun in order, so that few finished ones wait for an earlier one.
  void work() {
    Worker worker(request_, options_);
    for (;;) {
      if (options_.stop != nullptr && *options_.stop) stop_ = true;
      const std::size_t index = next_.fetch_add(1);
      if (stop_ || index >= cubes_.size()) return;
      try {
        finish(index, worker);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        stop_ = true;
      }
    }
  }

  void finish(std::size_t index, Worker& worker) {
    Checkpoint::Cube found;
    bool known = false;
    if (checkpoint_) {
      const auto earlier = checkpoint_->finished().find(cubes_[index].number);
      known = earlier != checkpoint_->finished().end();
      if (known) found = earlier->second;
    }
    const std::atomic<bool>& stop = options_.stop != nullptr ? *options_.stop : stop_;
    if (!known && !worker.search(cubes_[index], stop, stop_, found)) {
      stop_ = true;
      return;
    }
    const std::lock_guard lock(mutex_);
    if (checkpoint_ && !known) checkpoint_->add(cubes_[index].number, found);
    waiting_.emplace(index, std::move(found));
    while (!waiting_.empty() && waiting_.begin()->first == delivered_) {
      hand_over(cubes_[delivered_], waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      ++delivered_;
    }
    if (options_.progress != nullptr) {
      options_.progress->note(fmt::format("{} tests", result_.tests));
      options_.progress->advance();
    }
  }

  void hand_over(const NumberedCube& cube, Checkpoint::Cube& found) {
    const std::size_t room = options_.limit - result_.tests;
    const std::size_t count = std::min(room, found.count);
    if (found.count > room || limit_reached_) limit_reached_ = true;
    result_.tests += count;
    if (result_.tests == options_.limit && delivered_ + 1 < cubes_.size()) limit_reached_ = true;
    if (limit_reached_) stop_ = true;
    if (count == 0 || options_.count_only) return;
    found.codes.resize(count * static_cast<std::size_t>(cube.bounds->instructions));
    deliver_({cube.bounds, &cube.cube.shape, std::move(found.codes)});
  }

  const Request& request_;
  const RunOptions& options_;
  const std::function<void(const Batch&)>& deliver_;
  const std::vector<NumberedCube> cubes_;
  std::optional<Checkpoint> checkpoint_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;  // guards what follows
  std::map<std::size_t, Checkpoint::Cube> waiting_;
  std::size_t delivered_ = 0;
  bool limit_reached_ = false;
  RunResult result_;
  std::exception_ptr failure_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(EngineKind kind, const Bounds& bounds,
                                    const Requirements& requirements) {
  const bool use_sat = kind == EngineKind::sat ||
                       (kind == EngineKind::automatic && !ExplicitEngine::applies(bounds));
  if (!bounds.lanes.empty()) {
    if (kind == EngineKind::sat) return std::make_unique<sat::LockstepEngine>(bounds, requirements);
    return std::make_unique<LockstepEngine>(bounds, requirements);
  }
  if (use_sat) return std::make_unique<sat::SatEngine>(bounds, requirements);
  return std::make_unique<ExplicitEngine>(bounds, requirements);
}

std::string Request::key() const {
  Key key;
  key.list(bounds, [&](const Bounds& b) {
    key.numbers(b.threads, b.instructions, b.locations, b.values);
    if (!b.placement && b.lanes.empty()) return;
    key.texts((b.lanes.empty() ? "" : "lockstep ") + b.topology().placement());
    key.numbers(b.barriers.workgroup, b.barriers.subgroup, b.barriers.ended_count,
                b.barriers.structured);
  });
  if (symmetric != Symmetric::none) key.numbers(symmetric);
  for (const models::ModelPtr& model : distinguished) key.texts(models::rule_key(*model));
  key.numbers(requirements.effective_stores);
  key.list(filters, [&](const Filter& filter) {
    key.numbers(filter.passes, filter.fairness).texts(models::rule_key(*filter.model));
  });
  key.numbers(max_lts_states, max_actions);
  key.list(minimal_for,
           [&](const models::ModelPtr& model) { key.texts(models::rule_key(*model)); });
  key.texts(fmt::format("{}", cube_programs)).numbers(shard, shards);
  return key.text();
}

std::size_t cube_count(const Request& request, bool count_only) {
  return cubes_of(request, count_only).size();
}

RunResult synthesize(const Request& request, const RunOptions& options,
                     const std::function<void(const Batch&)>& deliver) {
  for (const Bounds& bounds : request.bounds) validate(bounds);
  return Run(request, options, deliver).go();
}

}  // namespace headway::synth
