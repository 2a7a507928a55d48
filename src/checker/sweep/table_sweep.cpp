// The sweep of the states of a PackedProgram, which is one of step tables.

#include <algorithm>

#include "checker/sweep/closed_part.hpp"
#include "checker/sweep/demands.hpp"
#include "checker/sweep/driver.hpp"
#include "checker/sweep/sweep.hpp"
#include "checker/sweep/table_space.hpp"

namespace headway::checker {
namespace {

// What all cores share that sweep the states of a PackedProgram.
struct TableShared : SweepShared {
  TableShared(const PackedProgram& program, std::span<const models::ModelPtr> models,
              const SweepOptions& options)
      : SweepShared(models.size(), options),
        program(program),
        demands(program, models, options.signs, budget) {}

  const PackedProgram& program;
  Demands demands;
};

// One core's share of the work: explores the layers of a bucket and judges their components.
template <int Words, bool Symmetric>
class TableWorker {
 public:
  using State = PackedState<Words>;

  using LocalRow = typename TableSpace<Words, Symmetric>::LocalRow;
  using Outcome = typename TableSpace<Words, Symmetric>::Outcome;

  TableWorker(TableShared& shared, const SpaceTables<Words>& tables, Frontier<State>& frontier)
      : shared_(shared),
        account_(shared),
        space_(tables),
        sender_(frontier),
        closed_(space_, arrived_.states, components_),
        may_fail_(shared.program.may_fail()),
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
      const LocalRow& local = space_.local(cursor, own);
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

  void report() { account_.report(bytes()); }

 private:
  // A step out of a layer.
  struct Way {
    State next;
    std::uint64_t hash;  // of the next layer less that of this one
    std::uint16_t climb;
    std::uint8_t slot;
    std::uint16_t variable;
    bool changes;  // the variable
  };
  // The slots whose steps use a variable, and those whose steps change it.
  struct Conflicts {
    ThreadSet::Bits users = 0;
    ThreadSet::Bits changers = 0;
  };

  // Visits a state for the first time.
  void expand(std::uint32_t node) {
    expanded_ = node;
    spinning_ = {};
    leads_inside_ = false;
    if (shared_.ruling.stopped()) return;
    if (!account_.count_state([this] { return bytes(); })) return;
    if (may_fail_ && space_.any_failed(arrived_.states[node])) return shared_.ruling.go_wrong();
    transitions_ += look(node);
    send(node);
  }

  // Notes which threads of a state spin in place, whether a step leads to another state of the
  // layer, and what steps lead out of it. Returns how many different steps there are.
  std::uint32_t look(std::uint32_t node) {
    const State state = arrived_.states[node];
    const TableSpace space = space_;  // here, so that the compiler knows it does not change
    ThreadSet::Bits fresh = 0, ended = 0, spinning = 0;
    std::uint32_t moving = 0, transitions = 0;
    std::uint64_t hash = 0;
    Way* way = ways_;
    if constexpr (!Symmetric) std::fill(conflicts_.begin(), conflicts_.end(), Conflicts{});
    for (int slot = 0; slot < space.threads(); ++slot) {
      const std::uint64_t own = space.code(state, slot);
      const LocalRow& local = space.local(slot, own);
      hash += local.hash;
      fresh |= ThreadSet::Bits{local.fresh} << slot;
      ended |= ThreadSet::Bits{local.ended} << slot;
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
      spinning |= ThreadSet::Bits{outcome.spins} << slot;
      if constexpr (!Symmetric) {
        Conflicts& conflicts = conflicts_[local.variable_number];
        conflicts.users |= ThreadSet::Bits{1} << slot;
        conflicts.changers |= ThreadSet::Bits{outcome.value != 0} << slot;
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
    const ThreadSet::Bits dependent = way.changes ? conflicts.users : conflicts.changers;
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

  // Memory that it holds.
  std::size_t bytes() const { return arrived_.bytes() + components_.bytes() + closed_.bytes(); }

  ThreadSet spinning_at(const State& state) const {
    ThreadSet spinning;
    for (int slot = 0; slot < space_.threads(); ++slot) {
      const std::uint64_t own = space_.code(state, slot);
      const LocalRow& local = space_.local(slot, own);
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
      const LocalRow& local = space_.local(slot, space_.code(state, slot));
      if (steps_from_[space_.index(local)]) stepping |= ThreadSet::single(slot);
    }
    return stepping;
  }

  // Notes the local states that steps from a member start from which stay in its component.
  void note_inner_steps(std::uint32_t member) {
    const State& state = arrived_.states[member];
    for (int slot = 0; slot < space_.threads(); ++slot) {
      const std::uint64_t own = space_.code(state, slot);
      const LocalRow& local = space_.local(slot, own);
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
         closed_.exists(members, stages, demand, [&] { return account_.may_go_on(bytes()); }))) {
      ruling.fail(model, Fairness::strong);
    }
    if (!ruling.open(model)) shared_.demands.forget(model);
  }

  // The fair sets of the open models by model, without symmetry. Kept for a while, as states with
  // the same history come one soon after the other.
  const ThreadSet* fair_sets(const Stages& stages) {
    const std::size_t place = stages.hash() % kCached;
    ThreadSet* fair = cached_fair_.data() + place * shared_.models;
    if (cached_[place] == stages) return fair;
    cached_[place] = stages;
    for (const std::size_t m : open_models_) fair[m] = shared_.demands.only(m, stages);
    return fair;
  }

  TableShared& shared_;
  SweepAccount account_;
  const TableSpace<Words, Symmetric> space_;
  typename Frontier<State>::Sender sender_;
  SleepingStates<State> arrived_;  // and found on the way; numbered for components_
  SccSearch components_;
  ClosedPart<Words, Symmetric> closed_;
  std::size_t height_ = 0;
  std::size_t transitions_ = 0;
  const bool may_fail_;

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

// The layers of a PackedProgram, for drive().
template <int Words, bool Symmetric>
class TableLayers {
 public:
  using State = PackedState<Words>;

  TableLayers(const PackedProgram& program, const SpaceTables<Words>& tables)
      : program_(program), space_(tables) {}

  State initial() const {
    State state{};
    std::copy(program_.initial().begin(), program_.initial().end(), state.words);
    return state;
  }
  std::uint64_t layer_hash(const State& state) const { return space_.layer_hash(state); }
  std::size_t height(const State&) const { return 0; }  // of the initial state, which is all asked
  std::size_t heights() const { return static_cast<std::size_t>(program_.highest()) + 1; }
  const std::vector<int>& climbs() const { return program_.climbs(); }

 private:
  const PackedProgram& program_;
  const TableSpace<Words, Symmetric> space_;
};

template <int Words>
SweepResult sweep_tables(TableShared& shared) {
  const auto run = [&]<bool Symmetric>() {
    using Worker = TableWorker<Words, Symmetric>;
    const SpaceTables<Words> tables(shared.program);
    return drive<Worker>(shared, TableLayers<Words, Symmetric>(shared.program, tables),
                         [&](Frontier<typename Worker::State>& frontier) {
                           return std::make_unique<Worker>(shared, tables, frontier);
                         });
  };
  return shared.program.symmetric() ? run.template operator()<true>()
                                    : run.template operator()<false>();
}

}  // namespace

SweepResult sweep(const PackedProgram& program, std::span<const models::ModelPtr> models,
                  const SweepOptions& options) {
  TableShared shared(program, models, options);
  return at_width(program.words(), [&]<int Words>() { return sweep_tables<Words>(shared); });
}

}  // namespace headway::checker
