// Comparisons, of models and of suites, and synthesis.
#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/parallel.hpp"
#include "base/text/names.hpp"
#include "lang/axb/source.hpp"
#include "library/access.hpp"
#include "suite/diff.hpp"
#include "synth/synthesize.hpp"

namespace headway::api {
namespace {

// A flag that becomes true soon after a cancellation or a deadline, and when its owner says so.
class StopFlag {
 public:
  explicit StopFlag(const Limits& limits) : options_(options_of(limits)) {
    watch_ = std::thread([this] {
      std::unique_lock lock(mutex_);
      while (!over_ && options_.signs().seen() == Limit::none) {
        changed_.wait_for(lock, std::chrono::milliseconds(10));
      }
      if (!over_) flag_ = true;
    });
  }
  ~StopFlag() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    watch_.join();
  }
  StopFlag(const StopFlag&) = delete;
  StopFlag& operator=(const StopFlag&) = delete;

  std::atomic<bool>& flag() { return flag_; }
  Limit seen() const { return options_.signs().seen(); }

 private:
  checker::CheckOptions options_;
  std::atomic<bool> flag_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread watch_;
};

suite::Suite suite_of(const std::vector<Test>& tests) {
  suite::Suite suite;
  std::vector<std::string> names;
  names.reserve(tests.size());
  for (const Test& test : tests) names.push_back(test.name());
  names = distinct_names(std::move(names));
  for (std::size_t t = 0; t < tests.size(); ++t) {
    suite.tests.push_back(Access::of(tests[t]));
    suite.tests.back().name = names[t];
    suite.file_of.push_back(0);
  }
  suite.files = {"<tests>"};
  return suite;
}

std::string kind_name(suite::Difference::Kind kind) {
  switch (kind) {
    case suite::Difference::Kind::only_a:
      return "only_a";
    case suite::Difference::Kind::only_b:
      return "only_b";
    case suite::Difference::Kind::changed:
      return "changed";
    case suite::Difference::Kind::expectations:
      break;
  }
  return "expectations";
}

}  // namespace

Relation compare(const Model& a, const Model& b, int threads) {
  return translated([&] {
    if (threads < 1 || threads > models::kMaxOrderThreads) {
      throw headway::Error(
          fmt::format("expected 1 to {} threads, found {}", models::kMaxOrderThreads, threads));
    }
    const models::ModelOrder order({Access::of(a), Access::of(b)}, threads,
                                   models::Scope::recurring);
    return static_cast<Relation>(order.relation(0, 1));
  });
}

Comparison compare(const std::vector<Test>& a, const std::vector<Test>& b,
                   const std::vector<Model>& models, const Limits& limits) {
  return translated([&] {
    const CoreLimit cores(limits.jobs);
    StopFlag stop(limits);
    const std::vector<models::ModelPtr> asked = models_of(models);
    const suite::Suite suite_a = suite_of(a), suite_b = suite_of(b);
    const suite::DecideOptions options{
        std::min(limits.max_states, checker::kHighestMaxStates), &stop.flag(), nullptr, {}};
    const suite::VerdictMatrix matrix_a = suite::decide(suite_a.tests, asked, options);
    const suite::VerdictMatrix matrix_b = suite::decide(suite_b.tests, asked, options);
    const suite::SuiteDiff found = suite::diff(suite_a, matrix_a, suite_b, matrix_b);
    Comparison result;
    result.in_both = found.in_both;
    result.complete = matrix_a.undecided() + matrix_b.undecided() == 0;
    for (const suite::Difference& each : found.differences) {
      Difference difference;
      difference.kind = kind_name(each.kind);
      if (each.a) difference.a = suite_a.tests[*each.a].name;
      if (each.b) difference.b = suite_b.tests[*each.b].name;
      difference.changes = each.expectations;
      for (const suite::Change& change : each.verdicts) {
        difference.changes.push_back(fmt::format("{} {} -> {}", reading_name(change.reading, asked),
                                                 checker::to_string(change.a),
                                                 checker::to_string(change.b)));
      }
      result.differences.push_back(std::move(difference));
    }
    return result;
  });
}

SynthesisResult synthesize(const SynthesisRequest& request,
                           const std::function<bool(const Test&)>& found, const Limits& limits) {
  return translated([&] {
    if (request.shard < 1 || request.shard > request.shards) {
      throw headway::Error(
          fmt::format("expected a shard from 1 to {}, found {}", request.shards, request.shard));
    }
    synth::Request wanted;
    wanted.bounds = {{request.threads, request.instructions, request.locations, request.values}};
    for (const Model& model : request.minimal_for) wanted.minimal_for.push_back(Access::of(model));
    for (const Filter& filter : request.filters) {
      wanted.filters.push_back(
          {Access::of(filter.model),
           filter.fairness == Fairness::weak ? models::Fairness::weak : models::Fairness::strong,
           filter.passes});
    }
    wanted.shard = request.shard - 1;
    wanted.shards = request.shards;
    StopFlag stop(limits);
    synth::RunOptions options;
    options.jobs = cores_for(limits.jobs);
    options.stop = &stop.flag();
    SynthesisResult result;
    bool enough = false;
    const synth::RunResult run = synth::synthesize(wanted, options, [&](const synth::Batch& batch) {
      for (std::size_t i = 0; i < batch.size() && !enough; ++i) {
        lang::Test test =
            lang::axb::make_test(synth::to_code(*batch.bounds, *batch.shape, batch.code(i)));
        test.name = name_of(*batch.bounds, test);
        ++result.tests;
        enough = !found(Access::wrap(std::move(test)));
      }
      if (enough) stop.flag() = true;
    });
    result.complete = run.complete && !enough;
    if (!result.complete && !enough) result.stopped_by = stop_of(stop.seen());
    return result;
  });
}

}  // namespace headway::api
