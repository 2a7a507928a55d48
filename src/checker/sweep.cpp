#include "checker/sweep.hpp"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "checker/closed_part.hpp"
#include "checker/demands.hpp"
#include "checker/frontier.hpp"
#include "checker/ruling.hpp"
#include "checker/scc_search.hpp"
#include "checker/space.hpp"

namespace headway::checker {
namespace {

// What all cores share.
struct Shared {
  const PackedProgram& program;
  const SweepOptions& options;
  std::size_t models;
  Ruling ruling;
  MemoryBudget budget;
  Demands demands;
  std::atomic<std::size_t> states{0};
};

// One core's share of the work: explores the layers of a bucket and judges their components.
template <int Words, bool Symmetric>
class Worker {
 public:
  using State = PackedState<Words>;

  using Local = typename Space<Words, Symmetric>::Local;
  using Outcome = typename Space<Words, Symmetric>::Outcome;

  Worker(Shared& shared, const SpaceTables<Words>& tables, Frontier<State>& frontier)
      : shared_(shared),
        space_(tables),
        sender_(frontier),
        closed_(space_, arrived_.states, components_),
        may_fail_(shared.program.may_fail()),
        check_at_(shared.options.max_states < 65'536 ? 1 : 1024),
        lanes_(static_cast<std::size_t>(
            shared.program.climbs().empty() ? 0 : shared.program.climbs().back() + 1)),
        conflicts_(static_cast<std::size_t>(shared.program.variables())),
        cached_(kCached, Stages{ThreadSet::single(0), ThreadSet::single(0)}),
        cached_fair_(kCached * shared.models) {}

  typename Frontier<State>::Sender& sender() { return sender_; }
  std::size_t transitions() const { return transitions_; }

  template <class Senders>
  void explore(std::size_t height, std::size_t bucket, const Senders& senders) {
    height_ = height;
    sender_.receive(height, bucket, senders, arrived_);
    components_.clear(arrived_.states.size());
    for (const int climb : shared_.program.climbs()) {
      if (height + climb <= static_cast<std::size_t>(shared_.program.highest())) {
        lanes_[climb] = sender_.lane(height + climb);
      }
    }
    open_models_.clear();
    for (std::size_t m = 0; m < shared_.models; ++m) {
      if (shared_.ruling.open(m)) open_models_.push_back(m);
    }
    for (std::uint32_t node = 0; node < arrived_.states.size(); ++node) {
      if (components_.visited(node)) continue;
      expand(node);
      if (!leads_inside_) {
        components_.complete(node);
        if (!spinning_.empty()) judge({&node, 1}, stages_, spinning_);
      } else if (!components_.visit(node, *this)) {
        return;
      }
      if (shared_.ruling.stopped()) return;
    }
    report();
  }

  // For SccSearch.
  std::uint32_t next(std::uint32_t node, int& cursor) {
    if (cursor == 0 && node != expanded_) expand(node);
    if (shared_.ruling.stopped()) return SccSearch::kNone;  // and component() ends the search
    for (; cursor < space_.threads(); ++cursor) {
      const State& state = arrived_.states[node];
      const std::uint64_t own = space_.code(state, cursor);
      const Local& local = space_.local(cursor, own);
      if (local.ended != 0 || space_.has_equal_next(state, cursor, own)) continue;
      const Outcome& outcome = space_.outcome(state, local);
      if (outcome.moves == 0) continue;
      return reach_inside(space_.step(state, cursor++, own, local, outcome));
    }
    return SccSearch::kNone;
  }

  bool component(std::span<const std::uint32_t> members) {
    if (shared_.ruling.stopped()) return false;
    const ThreadSet stepping =
        members.size() == 1 ? spinning_at(arrived_.states[members.front()]) : stepping_in(members);
    if (!stepping.empty())
      judge(members, space_.stages(arrived_.states[members.front()]), stepping);
    return !shared_.ruling.stopped();
  }

  // Adds what it has counted to the shared numbers.
  void report() {
    shared_.states += unreported_;
    if (shared_.options.progress != nullptr) shared_.options.progress->advance(unreported_);
    unreported_ = 0;
    keep_books();
  }

 private:
  // A step out of a layer.
  struct Way {
    State next;
    std::uint64_t hash;  // of the next layer less that of this one
    std::uint16_t climb;
    std::uint8_t slot;
    std::uint8_t variable;
    bool changes;  // the variable
  };
  // The slots whose steps use a variable, and those whose steps change it.
  struct Conflicts {
    std::uint32_t users = 0;
    std::uint32_t changers = 0;
  };

  // Visits a state for the first time.
  void expand(std::uint32_t node) {
    expanded_ = node;
    spinning_ = {};
    leads_inside_ = false;
    if (shared_.ruling.stopped()) return;
    ++unreported_;
    if (++unchecked_ >= check_at_ && !check_limits()) return;
    if (may_fail_ && space_.any_failed(arrived_.states[node])) return shared_.ruling.go_wrong();
    transitions_ += look(node);
    send(node);
  }

  // Notes which threads of a state spin in place, whether a step leads to another state of the
  // layer, and what steps lead out of it. Returns how many different steps there are.
  std::uint32_t look(std::uint32_t node) {
    const State state = arrived_.states[node];
    const Space space = space_;  // here, so that the compiler knows it does not change
    std::uint32_t fresh = 0, ended = 0, spinning = 0, moving = 0, transitions = 0;
    std::uint64_t hash = 0;
    Way* way = ways_;
    if constexpr (!Symmetric) std::fill(conflicts_.begin(), conflicts_.end(), Conflicts{});
    for (int slot = 0; slot < space.threads(); ++slot) {
      const std::uint64_t own = space.code(state, slot);
      const Local& local = space.local(slot, own);
      hash += local.hash;
      fresh |= std::uint32_t{local.fresh} << slot;
      ended |= std::uint32_t{local.ended} << slot;
      if (space.has_equal_next(state, slot, own)) continue;
      const Outcome& outcome = space.outcome(state, local);
      transitions += 1U - local.ended;
      moving |= outcome.moves;
      if constexpr (Symmetric) {
        if (outcome.spins != 0) spinning |= space.group(state, slot, own).bits();
        if (outcome.climb == 0) continue;
      }
      // What follows has no branch, as nobody could foretell it.
      *way = {space.step(state, slot, own, local, outcome),
              outcome.hash,
              outcome.climb,
              static_cast<std::uint8_t>(slot),
              local.variable_number,
              outcome.value != 0};
      way += outcome.climb > 0 ? 1 : 0;
      spinning |= std::uint32_t{outcome.spins} << slot;
      if constexpr (!Symmetric) {
        Conflicts& conflicts = conflicts_[local.variable_number];
        conflicts.users |= std::uint32_t{1} << slot;
        conflicts.changers |= std::uint32_t{outcome.value != 0} << slot;
      }
    }
    stages_ = {ThreadSet::of_bits(fresh), ThreadSet::of_bits(ended)};
    spinning_ = ThreadSet::of_bits(spinning);
    leads_inside_ = moving != 0;
    layer_hash_ = hash;
    last_way_ = way;
    return transitions;
  }

  // Sends on what the steps out of the layer of the state looked at last lead to.
  void send(std::uint32_t node) {
    const ThreadSet asleep = arrived_.asleep[node];
    for (const Way* way = ways_; way != last_way_; ++way) {
      if (asleep.contains(way->slot)) continue;
      lanes_[way->climb].send(layer_hash_ + way->hash, way->next, asleep_after(*way, asleep));
    }
  }

  // The sleep set that a state gets by one way out of another.
  ThreadSet asleep_after(const Way& way, ThreadSet before) const {
    if (Symmetric || !shared_.options.sleep_sets) return {};
    const Conflicts& conflicts = conflicts_[way.variable];
    const std::uint32_t dependent = way.changes ? conflicts.users : conflicts.changers;
    return (before | ThreadSet::first(way.slot)) - ThreadSet::of_bits(dependent) -
           ThreadSet::single(way.slot);
  }

  // The number of a state that a step inside the layer leads to. Nothing sleeps there.
  std::uint32_t reach_inside(const State& state) {
    const std::size_t known = arrived_.states.size();
    const std::uint32_t node = arrived_.states.find_or_add(state);
    if (node == known) {
      arrived_.asleep.emplace_back();
    } else if (!arrived_.asleep[node].empty()) {
      arrived_.asleep[node] = {};
      if (components_.visited(node)) {
        look(node);
        send(node);
      }
    }
    return node;
  }

  void keep_books() {
    const std::size_t bytes = arrived_.bytes() + components_.bytes() + closed_.bytes();
    if (bytes > bytes_) shared_.budget.take(bytes - bytes_);
    if (bytes < bytes_) shared_.budget.give_back(bytes_ - bytes);
    bytes_ = bytes;
  }

  // Stops everything when memory or time is up.
  bool may_go_on() {
    keep_books();
    Limit limit = shared_.options.signs.seen();
    if (shared_.budget.exceeded()) limit = Limit::memory;
    if (limit != Limit::none) shared_.ruling.stop_at(limit);
    return !shared_.ruling.stopped();
  }

  // False when a limit is reached; the last state then does not count.
  bool check_limits() {
    unchecked_ = 0;
    Limit limit = shared_.options.signs.seen();
    if (shared_.budget.exceeded()) limit = Limit::memory;
    if (shared_.states + unreported_ > shared_.options.max_states) limit = Limit::states;
    if (limit != Limit::none) {
      shared_.ruling.stop_at(limit);
      --unreported_;
    }
    report();
    return limit == Limit::none;
  }

  ThreadSet spinning_at(const State& state) const {
    ThreadSet spinning;
    for (int slot = 0; slot < space_.threads(); ++slot) {
      const std::uint64_t own = space_.code(state, slot);
      const Local& local = space_.local(slot, own);
      if (local.ended != 0 || space_.has_equal_next(state, slot, own)) continue;
      if (space_.outcome(state, local).spins != 0) {
        spinning |= space_.group(state, slot, own);
      }
    }
    return spinning;
  }

  // The threads that step in a component, as slots of its first member's state: those whose local
  // state there is one that threads of their kind take steps of the component from (symmetry, 2).
  ThreadSet stepping_in(std::span<const std::uint32_t> members) {
    steps_from_.assign(shared_.program.locals().size(), false);
    for (const std::uint32_t member : members) note_inner_steps(member);
    ThreadSet stepping;
    const State& state = arrived_.states[members.front()];
    for (int slot = 0; slot < space_.threads(); ++slot) {
      const Local& local = space_.local(slot, space_.code(state, slot));
      if (steps_from_[space_.index(local)]) stepping |= ThreadSet::single(slot);
    }
    return stepping;
  }

  // Notes the local states that steps from a member start from which stay in its component.
  void note_inner_steps(std::uint32_t member) {
    const State& state = arrived_.states[member];
    for (int slot = 0; slot < space_.threads(); ++slot) {
      const std::uint64_t own = space_.code(state, slot);
      const Local& local = space_.local(slot, own);
      if (local.ended != 0 || steps_from_[space_.index(local)]) continue;
      const Outcome& outcome = space_.outcome(state, local);
      if (outcome.climb > 0) continue;
      steps_from_[space_.index(local)] =
          outcome.spins != 0 ||
          components_.together(member,
                               arrived_.states.find(space_.step(state, slot, own, local, outcome)));
    }
  }

  // Which models a component is a fair cycle under. `stepping` are the threads that step in it, as
  // slots of the first member's state.
  void judge(std::span<const std::uint32_t> members, const Stages& stages, ThreadSet stepping) {
    if (open_models_.empty()) return;
    if constexpr (Symmetric) {
      const Demands::Entry* entry = shared_.demands.of(stages, recent_);
      if (entry == nullptr) return shared_.ruling.stop_at(shared_.options.signs.seen());
      const ThreadSet served = first_running(shared_.program, stages, stepping);
      for (const std::size_t m : open_models_) {
        for (const ThreadSet demand : (*entry)[m]) {
          if (served.includes(demand)) serve(m, members, stages, demand);
        }
      }
    } else {
      const ThreadSet* fair = fair_sets(stages);
      for (const std::size_t m : open_models_) {
        if (stepping.includes(fair[m])) serve(m, members, stages, fair[m]);
      }
    }
  }

  // A component that is weakly fair under a model that has this demand. A single state in which
  // the demanded threads spin is strongly fair too, and so is any cycle when nothing is demanded.
  void serve(std::size_t model, std::span<const std::uint32_t> members, const Stages& stages,
             ThreadSet demand) {
    Ruling& ruling = shared_.ruling;
    ruling.fail(model, Fairness::weak);
    if (ruling.open(model, Fairness::strong) &&
        (demand.empty() || members.size() == 1 ||
         closed_.exists(members, stages, demand, [&] { return may_go_on(); }))) {
      ruling.fail(model, Fairness::strong);
    }
    if (!ruling.open(model)) shared_.demands.forget(model);
  }

  // The fair sets of the open models by model, without symmetry. Kept for a while, as states with
  // the same history come one soon after the other.
  const ThreadSet* fair_sets(const Stages& stages) {
    const std::uint64_t key = std::uint64_t{stages.fresh.bits()} << 32 | stages.ended.bits();
    const std::size_t place = mix(key) % kCached;
    ThreadSet* fair = cached_fair_.data() + place * shared_.models;
    if (cached_[place] == stages) return fair;
    cached_[place] = stages;
    for (const std::size_t m : open_models_) fair[m] = shared_.demands.only(m, stages);
    return fair;
  }

  Shared& shared_;
  const Space<Words, Symmetric> space_;
  typename Frontier<State>::Sender sender_;
  SleepingStates<State> arrived_;  // and found on the way; numbered for components_
  SccSearch components_;
  ClosedPart<Words, Symmetric> closed_;
  std::size_t height_ = 0;
  std::size_t transitions_ = 0;
  const bool may_fail_;
  const std::size_t check_at_;  // limits, after so many states
  std::size_t unchecked_ = 0;   // states
  std::size_t unreported_ = 0;
  std::size_t bytes_ = 0;  // reported last

  std::vector<typename Frontier<State>::Sender::Lane> lanes_;  // by climb
  std::vector<std::size_t> open_models_;                       // when the bucket was begun

  std::uint32_t expanded_ = SccSearch::kNone;  // last
  // Of the state looked at last.
  Stages stages_;
  ThreadSet spinning_;
  bool leads_inside_ = false;
  std::uint64_t layer_hash_ = 0;
  Way ways_[kMaxThreads + 1];
  const Way* last_way_ = ways_;
  std::vector<Conflicts> conflicts_;  // by variable

  Demands::Recent recent_;
  std::vector<bool> steps_from_;  // of stepping_in(), by local state of a kind
  // Of fair_sets(). No stages have a thread that is both fresh and ended.
  static constexpr std::size_t kCached = 4096;
  std::vector<Stages> cached_;
  std::vector<ThreadSet> cached_fair_;
};

template <int Words, bool Symmetric>
SweepResult run(Shared& shared) {
  using State = PackedState<Words>;
  using OneWorker = Worker<Words, Symmetric>;
  const PackedProgram& program = shared.program;
  const SpaceTables<Words> tables(program);
  const auto heights = static_cast<std::size_t>(program.highest()) + 1;
  Frontier<State> frontier(heights, shared.budget);

  const auto cores = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  std::vector<std::unique_ptr<OneWorker>> workers;
  std::vector<typename Frontier<State>::Sender*> senders;
  const auto add_worker = [&] {
    workers.push_back(std::make_unique<OneWorker>(shared, tables, frontier));
    senders.push_back(&workers.back()->sender());
  };
  add_worker();

  const Space<Words, Symmetric> space(tables);
  const auto layer_hash = [&](const State& state) { return space.layer_hash(state); };
  State initial;
  std::copy_n(program.initial(), Words, initial.words);
  frontier.open(0, 1);
  senders.front()->lane(0).send(layer_hash(initial), initial, {});

  SweepResult result;
  std::size_t before = 0;  // states of lower heights
  for (std::size_t height = 0; height < heights && !shared.ruling.stopped(); ++height) {
    if (!frontier.is_open(height)) continue;
    ++result.heights;
    // As many states as the last height had are a fair guess of what is to come.
    const std::size_t last = shared.states - before;
    before = shared.states;
    frontier.widen(height, 4 * last, senders, layer_hash);
    for (const int climb : program.climbs()) {
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
      tbb::this_task_arena::isolate([&] {
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
  for (const auto& worker : workers) {
    worker->report();
    result.transitions += worker->transitions();
  }
  result.states = shared.states;
  return result;
}

}  // namespace

SweepResult sweep(const PackedProgram& program, std::span<const models::ModelPtr> models,
                  const SweepOptions& options) {
  std::vector<const models::Model*> plain;
  for (const auto& model : models) plain.push_back(model.get());
  Shared shared{program,
                options,
                models.size(),
                Ruling(models.size(), options),
                MemoryBudget(options.max_memory),
                Demands(program, plain, options.signs, shared.budget)};
  const auto dispatch = [&]<int Words>() {
    return program.symmetric() ? run<Words, true>(shared) : run<Words, false>(shared);
  };
  SweepResult result = program.words() == 1   ? dispatch.template operator()<1>()
                       : program.words() == 2 ? dispatch.template operator()<2>()
                                              : dispatch.template operator()<4>();
  result.gone_wrong = shared.ruling.gone_wrong();
  result.stopped_by = result.gone_wrong ? Limit::none : shared.ruling.limit();
  result.memory = shared.budget.peak();
  for (std::size_t m = 0; m < models.size(); ++m) {
    result.verdicts.push_back(
        {shared.ruling.verdict(m, Fairness::weak), shared.ruling.verdict(m, Fairness::strong)});
  }
  return result;
}

}  // namespace headway::checker
