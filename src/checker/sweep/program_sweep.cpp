// Sweeps the states of any program, by its steps alone. Layers are what a history and a height
// (lang::Program::height) have in common: both only grow along an execution, so that a component
// lies in one layer.
#include <algorithm>

#include "checker/lts/fair_sets.hpp"
#include "checker/sweep/component_lts.hpp"
#include "checker/sweep/component_threads.hpp"
#include "checker/sweep/driver.hpp"
#include "checker/sweep/packed_state.hpp"
#include "checker/sweep/sleep_sets.hpp"
#include "checker/sweep/sweep.hpp"
#include "lang/program.hpp"
#include "models/scoped.hpp"

namespace headway::checker {
namespace {

// What all cores share that sweep the states of a program.
struct ProgramShared : SweepShared {
  ProgramShared(const lang::Program& program, const StateForm& form,
                std::span<const models::ModelPtr> models, const SweepOptions& options)
      : SweepShared(models.size(), options), program(program), form(form), asked(models) {}

  const lang::Program& program;
  const StateForm form;
  const std::span<const models::ModelPtr> asked;
};

// The groups of threads at a level, with all of their threads.
ThreadSet groups_around(const Topology& topology, Level level, ThreadSet threads) {
  if (topology.group_threads(level) == 1) return threads;
  ThreadSet result;
  for (ThreadSet rest = threads; !rest.empty(); rest -= result) {
    result |= group_around(topology, level, rest.min());
  }
  return result;
}

// Takes the silent steps in a state.
void settle(const lang::Program& program, const StateForm& form, lang::Word* state) {
  if (form.silent == lang::Silent::none) return;
  const Topology& topology = program.topology();
  ThreadSet awake = ThreadSet::first(program.threads());
  if (form.awake) {
    assert(form.started);
    const ThreadSet started = lang::Program::noted(state, program.threads());
    awake = groups_around(topology, *form.awake, started);
  }
  const ThreadSet stepped = program.settle(state, awake, form.silent);
  if (form.started) {
    lang::Program::note(state, groups_around(topology, *form.started, stepped));
  }
}

// The layers of a program, for drive(). A height is the number of threads that have started, of
// those that have ended, and the program's own, which is scaled down when it is large. With
// symmetry these numbers are all that a layer is, as threads change places along an execution.
template <int Words>
class ProgramLayers {
 public:
  using State = PackedState<Words>;

  struct Layer {
    ThreadSet started, ended;
    std::size_t own = 0;  // height that the program says

    std::size_t height() const {
      return static_cast<std::size_t>(started.size()) + static_cast<std::size_t>(ended.size()) +
             own;
    }
    std::uint64_t hash() const {
      return mix(mix(started.bits() + 1) ^ mix(ended.bits() * 0x9e3779b97f4a7c15ULL + own));
    }
    friend bool operator==(const Layer&, const Layer&) = default;
  };

  ProgramLayers(const lang::Program& program, const StateForm& form)
      : program_(program),
        form_(form),
        highest_(static_cast<std::size_t>(program.highest())),
        own_heights_(std::min(highest_, kMostOwnHeights)) {
    const auto threads = static_cast<std::size_t>(program.threads());
    heights_ = (form.started ? 2 : 1) * threads + own_heights_ + 1;
    // A step starts at most one group and ends at most one thread, or all, and silent steps some
    // more.
    const bool groups = form.started && program.topology().group_threads(*form.started) > 1;
    const bool more = groups || program.may_end_others() || form.silent != lang::Silent::none;
    const std::size_t most = more ? heights_ : own_heights_ + 3;
    for (std::size_t climb = 1; climb < std::min(heights_, most); ++climb) {
      climbs_.push_back(static_cast<int>(climb));
    }
  }

  Layer layer(const State& state) const {
    const int threads = program_.threads();
    Layer layer;
    if (form_.started) layer.started = lang::Program::noted(state.words, threads);
    layer.ended = program_.terminated(state.words);
    if (form_.symmetry != nullptr) {
      layer.started = ThreadSet::first(layer.started.size());
      layer.ended = ThreadSet::first(layer.ended.size());
    }
    if (own_heights_ > 0) {
      const auto own = static_cast<std::size_t>(program_.height(state.words));
      assert(own <= highest_);
      layer.own = own * own_heights_ / highest_;
    }
    return layer;
  }

  State initial() const {
    State state{};
    program_.initial(state.words);
    settle(program_, form_, state.words);
    return state;
  }
  std::uint64_t layer_hash(const State& state) const { return layer(state).hash(); }
  std::size_t height(const State& state) const { return layer(state).height(); }
  std::size_t heights() const { return heights_; }
  const std::vector<int>& climbs() const { return climbs_; }
  // Whether no two heights of the program are taken for one.
  bool exact() const { return own_heights_ == highest_; }

 private:
  // More would not make layers smaller that matter, and there is something to do for each.
  static constexpr std::size_t kMostOwnHeights = 1024;

  const lang::Program& program_;
  const StateForm form_;
  const std::size_t highest_;      // that the program says
  const std::size_t own_heights_;  // scaled
  std::size_t heights_ = 1;
  std::vector<int> climbs_;
};

// One core's share of the work: explores the layers of a bucket and judges their components.
template <int Words>
class ProgramWorker {
 public:
  using State = PackedState<Words>;
  using Layers = ProgramLayers<Words>;

  ProgramWorker(ProgramShared& shared, const Layers& layers, Frontier<State>& frontier)
      : shared_(shared),
        program_(shared.program),
        layers_(layers),
        account_(shared),
        sender_(frontier),
        sleep_(shared.program, shared.form, shared.options.sleep_sets, layers.exact()) {}

  typename Frontier<State>::Sender& sender() { return sender_; }
  std::size_t transitions() const { return transitions_; }
  void report() { account_.report(bytes()); }

  template <class Senders>
  void explore(std::size_t height, std::size_t bucket, const Senders& senders) {
    height_ = height;
    sender_.receive(height, bucket, senders, arrived_);
    components_.clear(arrived_.states.size());
    spins_.assign(arrived_.states.size(), false);
    looked_at_ = SccSearch::kNone;
    for (std::uint32_t node = 0; node < arrived_.states.size(); ++node) {
      if (components_.visited(node)) continue;
      if (!components_.visit(node, *this) || shared_.ruling.stopped()) return;
    }
    report();
  }

  // For SccSearch. The cursor is the step to take next: 2^16 times its thread, and its choice.
  std::uint32_t next(std::uint32_t node, int& cursor) {
    if (cursor == 0) enter(arrived_.states[node]);
    if (shared_.ruling.stopped()) return SccSearch::kNone;  // and component() ends the search
    look(node);
    for (; cursor >> 16 < program_.threads(); cursor = ((cursor >> 16) + 1) << 16) {
      const int thread = cursor >> 16;
      if (!sleep_.steppers().contains(thread)) continue;
      if (sleep_.asleep(thread) && sleep_.leaves(thread)) continue;
      const int choices = program_.choices(looked_.words, thread);
      while ((cursor & 0xffff) < choices) {
        const Step step(thread, cursor & 0xffff);
        ++cursor;  // a thread has fewer than 2^16 choices
        const std::uint32_t inside = take(node, step);
        if (inside != SccSearch::kNone) return inside;
      }
    }
    return SccSearch::kNone;
  }

  bool component(std::span<const std::uint32_t> members) {
    if (shared_.ruling.stopped()) return false;
    if (members.size() > 1 || spins_[members.front()]) judge(members);
    return !shared_.ruling.stopped();
  }

 private:
  // Visits a state for the first time.
  void enter(const State& state) {
    if (shared_.ruling.stopped() || !account_.count_state([this] { return bytes(); })) return;
    if (program_.may_fail() && !program_.failed(state.words).empty()) {
      return shared_.ruling.go_wrong();
    }
    if (!program_.may_block()) return;
    const bool stuck =
        program_.running(state.words).empty() && !program_.blocked(state.words).empty();
    if (stuck || program_.jammed(state.words)) {
      for (std::size_t m = 0; m < shared_.models; ++m) {
        for (const Fairness fairness : models::kFairnesses) shared_.ruling.fail(m, fairness);
      }
    }
  }

  // The sorted state after a step, and where its threads are then.
  State after(const State& state, Step step, Places* places = nullptr) const {
    State next{};
    program_.step(state.words, step, next.words);
    if (shared_.form.started) {
      lang::Program::note(next.words,
                          group_around(program_.topology(), *shared_.form.started, step.thread));
    }
    settle(program_, shared_.form, next.words);
    if (shared_.form.symmetry != nullptr) shared_.form.symmetry->sort(next.words, places);
    return next;
  }

  // Makes a node the one whose steps are taken.
  void look(std::uint32_t node) {
    if (looked_at_ == node) return;
    looked_at_ = node;
    looked_ = arrived_.states[node];
    sleep_.look(looked_.words, program_.running(looked_.words), arrived_.asleep[node]);
  }

  // Takes a step of the node looked at. Gives the node it leads to, if that is another one of the
  // layer; what lies in another layer is sent there, unless the thread is asleep.
  std::uint32_t take(std::uint32_t node, Step step) {
    Places places{};
    const State next = after(looked_, step, sleep_.used() ? &places : nullptr);
    ++transitions_;
    if (send(next, step.thread, places)) return SccSearch::kNone;
    const std::size_t known = arrived_.states.size();
    const std::uint32_t target = arrived_.states.find_or_add(next);
    if (target == known) {
      arrived_.asleep.emplace_back();
      spins_.push_back(false);
    }
    if (target == node) {
      spins_[node] = true;
      return SccSearch::kNone;
    }
    if (!arrived_.asleep[target].empty()) wake(target);
    return target;
  }

  // Sends on what a step of a thread leads to, if that lies in another layer.
  bool send(const State& next, int thread, const Places& places) {
    const auto layer = layers_.layer(next);
    const std::size_t height = layer.height();
    assert(height >= height_);
    if (height == height_) return false;
    if (!sleep_.asleep(thread)) {
      sender_.lane(height).send(layer.hash(), next, sleep_.behind(thread, places));
    }
    return true;
  }

  // Nothing sleeps in a node to which a step inside of the layer leads. If it has been visited, or
  // is being visited, what it leads to is sent again.
  void wake(std::uint32_t node) {
    arrived_.asleep[node] = {};
    looked_at_ = SccSearch::kNone;
    if (!components_.visited(node)) return;
    look(node);
    for (const int thread : sleep_.steppers()) {
      const int choices = program_.choices(looked_.words, thread);
      for (int choice = 0; choice < choices; ++choice) {
        Places places{};
        const State next = after(looked_, {thread, choice}, &places);
        ++transitions_;
        send(next, thread, places);
      }
    }
  }

  History history(const State& state) const {
    History history;
    if (shared_.form.started) {
      history.started = lang::Program::noted(state.words, program_.threads());
    }
    history.terminated = program_.terminated(state.words);
    if (program_.may_block()) history.blocked = program_.blocked(state.words);
    return history;
  }

  // Of those that run, the threads whose choice is fair.
  ThreadSet fair_choices(const State& state, ThreadSet running) const {
    ThreadSet result;
    if (!program_.may_choose_fairly()) return result;
    for (const int thread : running) {
      if (program_.choices(state.words, thread) > 1 &&
          program_.chooses_fairly(state.words, thread)) {
        result |= ThreadSet::single(thread);
      }
    }
    return result;
  }

  // Finds out under which models a component that has a step is a fair cycle.
  void judge(std::span<const std::uint32_t> members) {
    open_models_.clear();
    for (std::size_t m = 0; m < shared_.models; ++m) {
      if (shared_.ruling.open(m)) open_models_.push_back(m);
    }
    if (open_models_.empty()) return;
    const bool symmetric = shared_.form.symmetry != nullptr;
    if (members.size() == 1 && !symmetric) return judge_state(arrived_.states[members.front()]);
    const Lts& lts = lts_of(members);
    if (!cycles_.prepare(lts, shared_.options.signs)) return stop();
    if (symmetric && !threads_.follow(lts, cycles_.components(), places_,
                                      [&] { return account_.may_go_on(bytes()); })) {
      return;
    }
    for (const std::size_t m : open_models_) {
      fair_.annotate(lts, *shared_.asked[m]);
      for (const Fairness fairness : models::kFairnesses) {
        if (!shared_.ruling.open(m, fairness)) continue;
        FairCycles::Answer answer = FairCycles::Answer::no;
        if (fairness == Fairness::strong) {
          answer = cycles_.strong(fair_);
        } else if (!symmetric) {
          answer = cycles_.weak(fair_);
        } else if (threads_.weak(lts, cycles_.components(), fair_)) {
          answer = FairCycles::Answer::yes;
        }
        if (answer == FairCycles::Answer::stopped) return stop();
        if (answer == FairCycles::Answer::yes) shared_.ruling.fail(m, fairness);
      }
    }
    account_.may_go_on(bytes());
  }

  // The same of a single state: whoever is owed a step there has to have one that stays.
  void judge_state(const State& state) {
    const History own = history(state);
    const ThreadSet ready = own.ready(program_.threads());
    const ThreadSet fairly = fair_choices(state, ready);
    ThreadSet staying;
    for (const int thread : ready) {
      int stay = 0;
      const int choices = program_.choices(state.words, thread);
      for (int choice = 0; choice < choices; ++choice) {
        stay += after(state, {thread, choice}) == state ? 1 : 0;
      }
      const bool may_stay = fairly.contains(thread) ? stay == choices : stay > 0;
      if (may_stay) staying |= ThreadSet::single(thread);
    }
    if (staying.empty()) return;  // a fair choice that does not stay for ever
    const Topology& topology = program_.topology();
    for (const std::size_t m : open_models_) {
      const models::Model& model = *shared_.asked[m];
      const GroupSet selected = models::selection(model, topology, own);
      refuse_terminated(model, topology, own, selected);
      const GroupSet owed = models::owed(topology, own, selected);
      if (!meet(topology, staying, owed)) continue;
      for (const Fairness fairness : models::kFairnesses) shared_.ruling.fail(m, fairness);
    }
  }

  void stop() { shared_.ruling.stop_at(shared_.options.signs.seen()); }

  // The component with all steps from its members.
  const Lts& lts_of(std::span<const std::uint32_t> members) {
    place_.resize(arrived_.states.size());
    for (std::size_t i = 0; i < members.size(); ++i) place_[members[i]] = static_cast<StateId>(i);
    lts_.begin(program_.topology());
    places_.clear();
    for (const std::uint32_t member : members) {
      const State& state = arrived_.states[member];
      const History own = history(state);
      const ThreadSet ready = own.ready(program_.threads());
      lts_.add_state(own, fair_choices(state, ready));
      for (const int thread : ready) {
        for (int choice = 0; choice < program_.choices(state.words, thread); ++choice) {
          const Step step(thread, choice);
          if (shared_.form.symmetry == nullptr) {
            lts_.add_step(place_of(after(state, step), members.front()), step);
          } else {
            const State next = after(state, step, &places_.emplace_back());
            lts_.add_step(place_of(next, members.front()), step);
          }
        }
      }
    }
    return lts_.finish();
  }

  // The number of a state in the component of `member`; kNoState when it is not there.
  StateId place_of(const State& state, std::uint32_t member) const {
    const std::uint32_t node = arrived_.states.find(state);
    if (node == StateSet<State>::kNone || !components_.together(node, member)) return kNoState;
    return place_[node];
  }

  // Memory that it holds, about.
  std::size_t bytes() const {
    return arrived_.bytes() + components_.bytes() + lts_.bytes() + spins_.capacity() / 8 +
           place_.capacity() * sizeof(StateId) + places_.capacity() * sizeof(Places) +
           threads_.bytes();
  }

  ProgramShared& shared_;
  const lang::Program& program_;
  const Layers& layers_;
  SweepAccount account_;
  typename Frontier<State>::Sender sender_;
  SleepingStates<State> arrived_;  // and found on the way; numbered for components_
  SccSearch components_;
  std::vector<bool> spins_;  // whether a node has a step to itself
  std::size_t height_ = 0;
  std::size_t transitions_ = 0;
  SleepSets sleep_;
  std::uint32_t looked_at_ = SccSearch::kNone;  // whose steps are taken
  State looked_;                                // which sleep_ knows
  // Of judge().
  std::vector<std::size_t> open_models_;
  ComponentLts lts_;
  std::vector<StateId> place_;  // of a node in lts_
  FairCycles cycles_;
  FairSets fair_;
  std::vector<Places> places_;  // with symmetry: by transition of lts_
  ComponentThreads threads_;
};

template <int Words>
SweepResult sweep_program(ProgramShared& shared) {
  using Worker = ProgramWorker<Words>;
  const ProgramLayers<Words> layers(shared.program, shared.form);
  return drive<Worker>(shared, layers, [&](Frontier<typename Worker::State>& frontier) {
    return std::make_unique<Worker>(shared, layers, frontier);
  });
}

}  // namespace

SweepResult sweep(const lang::Program& program, const StateForm& form,
                  std::span<const models::ModelPtr> models, const SweepOptions& options) {
  StateForm used = form;
  if (form.symmetry != nullptr && !form.symmetry->exists()) used.symmetry = nullptr;
  ProgramShared shared(program, used, models, options);
  return at_width(program.words(), [&]<int Words>() { return sweep_program<Words>(shared); });
}

int program_heights(const lang::Program& program, bool track_started) {
  StateForm form;
  if (!track_started) form.started.reset();
  return static_cast<int>(ProgramLayers<1>(program, form).heights());
}

}  // namespace headway::checker
