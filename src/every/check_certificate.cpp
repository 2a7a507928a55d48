#include "every/check_certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "every/certificate_form.hpp"
#include "every/counting_space.hpp"
#include "every/uniform_steps.hpp"

namespace headway::every {
namespace {

using Key = std::vector<std::int64_t>;
using Standing = std::vector<std::pair<const CountedPlace*, Count>>;
using Threads = std::vector<int>;
constexpr auto kFreshStage = CountedPlace::Stage::fresh, kRunning = CountedPlace::Stage::running,
               kEndedStage = CountedPlace::Stage::ended;

template <class... Parts>
void require(bool holds, std::string_view text, const Parts&... parts) {
  if (!holds) throw Error(fmt::format(fmt::runtime(text), parts...));
}

// Whether a model promises steps to who stands at `place`, where there are such others, and all low
// and top specials that are alive among them.
bool promised(Promise promise, const Shape& shape, const std::vector<const CountedPlace*>& there,
              const CountedPlace& place) {
  // By ids: low specials, the crowd, top specials.
  const auto height = [&](int kind) {
    return kind >= shape.specials() ? shape.low : kind < shape.low ? kind : kind + 1;
  };
  const auto is_above = [&](int kind) { return height(kind) > height(place.kind); };
  bool first = place.kind < shape.low, above = false;
  std::vector<bool> ended(static_cast<std::size_t>(shape.specials()), true);
  for (const CountedPlace* at : there) {
    if (at->stage == kEndedStage) continue;
    if (at->kind < shape.specials()) ended[at->kind] = false;
    first = first && at->kind >= place.kind;
    above = above || (at->stage == kRunning && is_above(at->kind));
  }
  for (int kind = 0; kind < shape.specials(); ++kind) {
    above = above || (ended[kind] && is_above(kind));
  }
  if (place.stage == kEndedStage || promise == Promise::unfair) return false;
  return promise == Promise::fair || (keeps_started(promise) && place.stage == kRunning) ||
         (promise == Promise::lobe ? above : promise != Promise::obe && first);
}

// An execution: a thread at each place.
struct Replay {
  const CountedSteps& steps;
  std::vector<CountedPlace> places;
  CountedMemory memory;

  // Whether a step of a thread does not go wrong.
  bool step(int thread) {
    const auto t = static_cast<std::size_t>(thread);
    require(t < places.size() && places[t].stage != kEndedStage, "thread {} cannot step", thread);
    Standing standing;
    for (const CountedPlace& place : places) standing.push_back({&place, {1, false}});
    const Effect effect = steps.effects(standing, t, memory).at(0);
    if (effect.fails) return false;
    places[t] = effect.place;
    memory = effect.memory;
    return true;
  }
  std::vector<Key> state() const {
    std::vector<Key> state = {memory.key()};
    for (const CountedPlace& place : places) state.push_back(place.key());
    return state;
  }
  // Whether the first thread, run alone, comes to its end.
  bool first_ends() {
    std::set<std::vector<Key>> seen;
    while (places[0].stage != kEndedStage && seen.insert(state()).second && step(0)) continue;
    return places[0].stage == kEndedStage;
  }
};

// Passes: a graph that is closed under steps -----------------------------------------------------

// A step inside a layer: who moves from where to where, first who takes it. In a row a node is a
// place, and 0 the thread there.
struct ListedStep {
  std::uint32_t from = 0, to = 0;
  std::vector<std::pair<int, int>> moves;
  std::vector<Change> changes;  // of registers
};

// Nodes that say how many threads stand where. Steps are followed from the beginnings, so that of
// what is listed only that there is no more is taken for granted, and checked.
class Counted {
 public:
  using Counts = std::map<int, int>;  // by place; those that are at the cap of the place: or more

  Counted(const Json& c, const Shape& shape, const CountedSteps& steps)
      : shape_(shape), steps_(steps), caps_(c.at("caps").get<std::vector<int>>()) {
    for (const Json& place : c.at("places")) numbers_.emplace(place, numbers_.size());
    for (const Json& node : c.at("nodes")) {
      counts.push_back(node.at(1));
      by_key_.emplace(std::pair{node.at(0), counted(counts.back())}, by_key_.size());
    }
    require(caps_.size() == numbers_.size() && counts.size() == by_key_.size(),
            "a place or a node comes twice, or caps are of others");
    places.resize(caps_.size());
    memories.resize(counts.size());
  }

  std::vector<Counts> counts;  // by node
  // What they are, of those that steps lead to.
  std::vector<std::optional<CountedPlace>> places;
  std::vector<std::optional<CountedMemory>> memories;  // by node

  // The steps inside layers; of all steps none goes wrong, or leads out of what is listed.
  std::vector<ListedStep> close() {
    // At first there is one of each special, and any number of each class.
    std::vector<Counts> all = {{}};
    for (int kind = 0; kind < shape_.specials() + shape_.classes; ++kind) {
      const int place = come(steps_.fresh(kind)), special = kind < shape_.specials();
      for (const Counts& counts : std::exchange(all, {})) {
        for (int count = special; count <= (special ? 1 : caps_[place]); ++count) {
          all.push_back(counts);
          if (count > 0 || caps_[place] == 0) all.back()[place] = count;
        }
      }
    }
    for (const Counts& counts : all) come(steps_.initial(), counts);
    std::vector<bool> done(counts.size());
    for (std::size_t before = 0; before < found_;) {
      before = found_;
      for (std::uint32_t n = 0; n < counts.size(); ++n) {
        if (memories[n] && !done[n]) done[n] = check_node(n);
      }
    }
    return std::move(layer_);
  }

 private:
  // Places that are not counted have a cap of 0, and a node says of them that somebody may be
  // there.
  Counts counted(const Counts& all) const {
    Counts result;
    for (const auto& [place, count] : all) {
      const int cap = caps_.at(static_cast<std::size_t>(place));
      require(cap > 0 || count == 0, "place {} is not counted", place);
      if (cap > 0) result.emplace(place, count);
    }
    return result;
  }

  int come(const CountedPlace& place) {
    const auto found = numbers_.find(place.key());
    require(found != numbers_.end(), "a thread comes to a place that is not listed");
    const bool special = place.kind < shape_.specials() && place.stage != kEndedStage;
    require(caps_[found->second] >= special, "place {} is not counted", found->second);
    found_ += !places[found->second];
    places[found->second] = place;
    return found->second;
  }

  std::uint32_t come(const CountedMemory& memory, const Counts& there) {
    const auto found = by_key_.find({memory.key(), counted(there)});
    require(found != by_key_.end(), "a step leads to a node that is not listed");
    const Counts& listed = counts[found->second];
    require(std::includes(listed.begin(), listed.end(), there.begin(), there.end()),
            "node {} forgets who may stand there", found->second);
    found_ += !memories[found->second];
    memories[found->second] = memory;
    return found->second;
  }

  // Whether it is known what all places are where somebody stands.
  bool check_node(std::uint32_t n) {
    Standing standing;
    Threads at;
    for (const auto& [place, count] : counts[n]) {
      if (!places[place]) continue;  // so far nobody comes there
      at.push_back(place);
      standing.push_back({&*places[place], {count, count == caps_[place]}});
    }
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (standing[i].first->stage == kEndedStage) continue;
      // As many as are counted, or more than that.
      const Count there = standing[i].second;
      standing[i].second = {there.least, false};
      if (there.least > 0) check_step(n, at, standing, i);
      standing[i].second = {there.least + 1, true};
      if (there.or_more) check_step(n, at, standing, i);
      standing[i].second = there;
    }
    return at.size() == counts[n].size();
  }

  void check_step(std::uint32_t n, const Threads& at, const Standing& standing, std::size_t mover) {
    for (const Effect& effect : steps_.effects(standing, mover, *memories[n])) {
      require(!effect.fails, "a step of node {} goes wrong: {}", n, effect.what);
      Counts next;
      const auto add = [&](int place, Count number) {
        int& count = next[place];
        count = static_cast<int>(std::min<std::int64_t>(caps_[place], count + number.least));
        require(!number.or_more || count == caps_[place],
                "nobody knows how many come to place {}, which is counted", place);
      };
      ListedStep step{n, 0, {{at[mover], come(effect.place)}}, {}};
      add(step.moves[0].second, {1, false});
      for (std::size_t i = 0; i < at.size(); ++i) {
        const Count stay{standing[i].second.least - (i == mover), standing[i].second.or_more};
        if (stay.least == 0 && !stay.or_more) continue;
        const int to = come(steps_.after(*standing[i].first, effect.changed));
        add(to, stay);
        if (to != at[i]) step.moves.emplace_back(at[i], to);
      }
      step.to = come(effect.memory, next);
      const bool runs = standing[mover].first->stage == kRunning;
      if (runs && effect.place.stage == kRunning) layer_.push_back(std::move(step));
    }
  }

  const Shape& shape_;
  const CountedSteps& steps_;
  std::vector<int> caps_;
  std::map<Key, int> numbers_;
  std::map<std::pair<Key, Counts>, std::uint32_t> by_key_;
  std::size_t found_ = 0;
  std::vector<ListedStep> layer_;
};

// Of a thread in a row, wherever it stands, the steps that it may take when all below have ended,
// or always. No step leads out of the places that are listed, or of what all may write.
std::vector<ListedStep> close_row(const Json& c, const PositionSpace& space,
                                  const PositionSets& sets, bool below_ended) {
  const auto stays = [&](const PositionSets& written) {
    require(!PositionSets(sets).include(written), "it is missing what a variable may hold");
  };
  const PositionSets first = space.beginning(sets.drawn, sets.roles);
  require(first.drawn == sets.drawn && first.roles == sets.roles, "a variable has another role");
  stays(first);
  std::map<Key, std::uint32_t> numbers;
  for (const Json& place : c.at("places")) numbers.emplace(place, numbers.size());
  std::set<std::uint32_t> reached;
  std::vector<PositionPlace> places;
  const auto come = [&](const PositionPlace& place) {
    const auto found = numbers.find(place.key());
    require(found != numbers.end(), "a thread comes to a place that is not listed");
    if (reached.insert(found->second).second) places.push_back(place);
    return found->second;
  };
  for (const PositionPlace& place : space.starts(sets)) come(place);
  std::vector<ListedStep> steps;
  // NOLINTNEXTLINE(modernize-loop-convert): they grow
  for (std::size_t p = 0; p < places.size(); ++p) {
    const PositionPlace from = places[p];
    for (const bool below : {false, below_ended}) {
      if (from.ended) continue;
      for (const PositionEffect& effect : space.effects(from, sets, below)) {
        require(!effect.fails, "a step goes wrong: {}", effect.what);
        stays(space.written(effect, sets));
        ListedStep step{come(from), come(effect.place), {{0, 0}}, effect.changes};
        if (below == below_ended && !effect.place.ended) steps.push_back(std::move(step));
      }
    }
  }
  return steps;
}

// Passes: rounds that leave no step --------------------------------------------------------------

// Each drops steps that no fair execution takes again and again, where somebody at a place of a
// node may owe one.
template <class Owes>
void check_rounds(const Json& rounds, std::vector<ListedStep> left, bool strong, const Owes& owes) {
  const auto drop = [&](const auto& goes) {
    left.erase(std::remove_if(left.begin(), left.end(), goes), left.end());
  };
  for (const Round& round : rounds.get<std::vector<Round>>()) {
    // Of a thread at a place of a node.
    const auto rank = [&](std::uint32_t node, int place) {
      const std::uint32_t of_node = round.ranks.at(node);
      const auto places = round.place_ranks.find(of_node);
      const bool ranked = places != round.place_ranks.end() && places->second.count(place) > 0;
      return std::pair{of_node, ranked ? places->second.at(place) : 0};
    };
    for (const ListedStep& step : left) {
      for (const auto& [from, to] : step.moves) {
        require(rank(step.to, to) <= rank(step.from, from), "a rank grows from node {} to {}",
                step.from, step.to);
      }
    }
    drop([&](const ListedStep& step) {
      const auto& [from, to] = step.moves[0];
      return rank(step.to, to) < rank(step.from, from);
    });
    drop([&](const ListedStep& step) {
      const auto found = round.measures.find(round.ranks[step.from]);
      if (found == round.measures.end()) return false;
      const auto [reg, falls] = found->second;
      const Change& change = step.changes.at(static_cast<std::size_t>(reg));
      require(falls ? change.never_grows : change.never_falls, "register {} may go back", reg);
      return falls ? change.falls : change.grows;
    });
    // Who is owed a step takes one that is left in the rank; read strongly, at the node.
    const auto where = [&](std::uint32_t node) { return strong ? node : round.ranks.at(node); };
    std::set<std::pair<std::uint32_t, int>> moving;
    for (const ListedStep& step : left) {
      for (const auto& move : step.moves) moving.emplace(where(step.from), move.first);
    }
    std::set<std::uint32_t> dropped;
    for (const auto& [node, place] : round.owed) {
      require(owes(node, place) && moving.count({where(node), place}) == 0,
              "nobody is owed a step at place {} of node {}, or takes one", place, node);
      dropped.insert(node);
    }
    drop([&](const ListedStep& step) {
      return dropped.count(step.from) > 0 || dropped.count(step.to) > 0;
    });
  }
  require(left.empty(), "{} steps are left that may go on for ever", left.size());
}

void check_row(const Json& c, const Family& family, const std::vector<Reading>& readings) {
  const PositionSpace space(family);
  const auto sets = c.at("sets").get<PositionSets>();
  const bool below = c.at("below ended");
  std::vector<ListedStep> steps = close_row(c, space, sets, below);
  for (const auto& [promise, fairness] : readings) {
    require(!below || (sets.drawn ? keeps_started(promise)
                                  : promise != Promise::unfair && promise != Promise::obe),
            "the model promises nothing to the lowest");
  }
  if (readings.empty()) return;
  check_rounds(c.at("rounds"), std::move(steps), false, [](std::uint32_t, int) { return false; });
}

void check_counted(const Json& c, const Family& family, const std::vector<Reading>& readings) {
  const bool symbolic = c.at("method") == "counts";
  require(family.shape && (symbolic || family.uniform), "the family is not uniform");
  std::unique_ptr<const CountedSteps> steps;
  if (symbolic) steps = std::make_unique<CountingSpace>(family, c.at("largest number"));
  if (!symbolic) steps = std::make_unique<UniformSteps>(*family.uniform);
  const Shape& shape = *family.shape;
  Counted graph(c, shape, *steps);
  const std::vector<ListedStep> all = graph.close();
  const auto there = [&](std::uint32_t node) {
    std::vector<const CountedPlace*> places;
    for (const auto& [place, count] : graph.counts.at(node)) {
      if (count > 0 && graph.places[place]) places.push_back(&*graph.places[place]);
    }
    return places;
  };
  for (const Reading reading : readings) {
    // By numbers a node is what a state is; symbolic ones may describe it in several ways.
    const bool strong = reading.fairness == Fairness::strong && !symbolic;
    const auto owes = [&](std::uint32_t node, int place) {
      const auto at = graph.counts.at(node).find(place);
      return at != graph.counts[node].end() && at->second > 0 && graph.places[place] &&
             promised(reading.promise, shape, there(node), *graph.places[place]);
    };
    // Whether the layer is left: as somebody who has not started is promised a step, or as
    // whoever may be the lowest alive ends alone, which is what HSA promises when read strongly.
    const auto leaves = [&](const ListedStep& step) {
      auto places = there(step.from);
      places.push_back(&*graph.places[step.moves[0].first]);
      const auto starts = [&](const CountedPlace* place) {
        return place->stage == kFreshStage && promised(reading.promise, shape, places, *place);
      };
      if (std::any_of(places.begin(), places.end(), starts)) return true;
      if (!strong || reading.promise != Promise::hsa) return false;
      const auto is_first = [&](const CountedPlace* place) {
        return promised(Promise::hsa, shape, places, *place);
      };
      const bool low = std::any_of(places.begin(), places.end(), is_first);
      const Counted::Counts& all = graph.counts[step.from];
      return std::all_of(all.begin(), all.end(), [&](const auto& at) {
        const auto& place = graph.places[at.first];
        return !place || place->stage != kRunning || (low && !is_first(&*place)) ||
               Replay{*steps, {*place}, *graph.memories[step.from]}.first_ends();
      });
    };
    std::vector<ListedStep> left = all;
    left.erase(std::remove_if(left.begin(), left.end(), leaves), left.end());
    check_rounds(c.at("rounds"), std::move(left), strong, owes);
  }
}

// Fails and errors: the steps of n threads -------------------------------------------------------

// T1 for a single execution: with N as a symbol, from n on, each of its steps has one outcome.
class SymbolicReplay {
 public:
  SymbolicReplay(const Family& family, int n)
      : family_(read_parametric(family)), world_{Linear::symbol(0), {}, {Linear::symbol(0) + -n}} {}

  void step(int id) {
    world_.id = Linear::number(id);
    const auto [entry, is_new] = threads_.try_emplace(id);
    auto& [program, local] = entry->second;
    if (is_new) program = program_for(id);
    const SymbolicMachine machine(family_.variables, program);
    if (is_new) local = only(machine.start(world_)).local;
    const int variable = machine.variable(local);
    Linear none, *cell = &none;
    if (variable >= 0) {
      const SymbolicMachine::Index index = only(machine.index(local, world_));
      require(index.within && index.value.is_number(), "an index depends on N");
      const auto [at, fresh] = cells_.try_emplace({variable, index.value.constant});
      cell = &at->second;
      const std::vector<InN>& initial = family_.variables[variable].initial;
      const auto which = static_cast<std::size_t>(initial.size() > 1 ? index.value.constant : 0);
      if (fresh) *cell = initial.at(which).at(world_.n);
    }
    const SymbolicOutcome outcome = only(machine.step(local, *cell, world_));
    require(outcome.end != StepEnd::fails, "a step goes wrong for other N");
    local = outcome.local;
    if (outcome.written) *cell = *outcome.written;
  }

  // What tells states apart, of those that are the same for no N.
  std::vector<Key> state() const {
    std::vector<Key> state;
    for (const auto& [cell, value] : cells_) state.push_back({value.constant, value.factor(0)});
    for (const auto& [id, thread] : threads_) {
      state.push_back({thread.second.at});
      for (const Linear& r : thread.second.registers) state.push_back({r.constant, r.factor(0)});
    }
    return state;
  }

 private:
  template <class Outcome>
  static Outcome only(const std::vector<Outcome>& outcomes) {
    require(outcomes.size() == 1, "what a thread does depends on N");
    return outcomes[0];
  }
  // That of a thread for every N from n on.
  ParametricProgram program_for(int id) const {
    for (const auto& block : family_.syntax.blocks) {
      const InN first = block.all ? InN() : in_n(family_.syntax, block.first);
      const InN last = block.all ? InN{-1, 1} : in_n(family_.syntax, block.last);
      if (first.fixed() && first.constant <= id && implies(world_.facts, last.at(world_.n) + -id)) {
        return program_of(family_, block, id);
      }
    }
    throw Error("a thread has another program for other N");
  }

  const Parametric family_;
  SymbolicWorld world_;
  std::map<int, std::pair<ParametricProgram, SymbolicLocal>> threads_;
  std::map<std::pair<int, std::int64_t>, Linear> cells_;
};

// Why an execution of n threads is one of more (docs/internals/every-n.md, T1 and T4).
void check_newcomer(const Json& c, const Threads& stem, const Threads& cycle, const Family& family,
                    bool error, Promise promise) {
  const bool idle = c.at("newcomer") == "idle";
  const int threads = c.at("n").get<int>() * family.group;
  const std::optional<Uniform>& uniform = family.uniform;
  require(idle || c.at("newcomer") == "restoring", "an unknown newcomer");
  require(uniform || (idle && !error), "the family is not uniform");
  if (!idle) {
    require(!error && promise != Promise::lobe, "a newcomer that has started makes promises");
    const UniformSteps steps(*uniform);
    for (int kind = uniform->specials(); kind < uniform->kinds(); ++kind) {
      Replay alone{steps, {steps.fresh(kind)}, steps.initial()};
      require(alone.first_ends() && alone.memory.key() == steps.initial().key(),
              "{} changes memory", uniform->name(kind));
    }
    return;
  }
  require(error || promise != Promise::fair, "who does not start is promised something");
  if (!uniform && !family.grows) {
    SymbolicReplay run(family, threads);
    for (const int thread : stem) run.step(thread);
    const std::vector<Key> begin = run.state();
    for (const int thread : cycle) run.step(thread);
    require(run.state() == begin, "the cycle does not come back for other N");
  }
  // Top specials move up. Who looks at ids sees nothing of it while none of them has started.
  Threads all = stem;
  all.insert(all.end(), cycle.begin(), cycle.end());
  require(error || promise == Promise::unfair || promise == Promise::obe ||
              *std::max_element(all.begin(), all.end()) < threads - (uniform ? uniform->top : 0),
          "ids move, and the model looks at them");
}

void check_run(const Json& c, const Family& family, const std::vector<Reading>& readings) {
  const int n = c.at("n");
  const Threads stem = c.at("stem"), cycle = c.at("cycle");
  const bool error = c.at("claim") == "error";
  require(error || (c.at("claim") == "fail" && readings.size() == 1), "an unknown claim");
  const int group = family.group, threads = n * group;
  require(n >= family.smallest && threads <= kMaxThreads, "there are not {} threads", threads);
  // Each thread is a kind of its own.
  Uniform all{threads, 0, 1, family.compiled(n), Threads(threads)};
  std::iota(all.thread_of.begin(), all.thread_of.end(), 0);
  const UniformSteps steps(all);
  Replay run{steps, {}, steps.initial()};
  for (int t = 0; t < threads; ++t) run.places.push_back(steps.fresh(t));
  for (std::size_t i = 0; i < stem.size(); ++i) {
    const bool wrong = error && i + 1 == stem.size();
    require(run.step(stem[i]) != wrong, "step {} goes wrong, or the last one does not", i);
  }
  require(error ? !stem.empty() : !cycle.empty(), "there is no step");
  const Promise promise = error ? Promise::unfair : readings[0].promise;
  if (c.at("newcomer") != "none") check_newcomer(c, stem, cycle, family, error, promise);
  if (error) return;
  // Nobody starts or ends in a cycle, so that what is promised stays.
  // What is promised to a workgroup is promised to its threads; to a single one, everything.
  const Promise of = group > 1 && n == 1 ? Promise::fair : promise;
  std::vector<CountedPlace> groups = run.places;
  std::vector<const CountedPlace*> there;
  for (int t = 0; t < threads; ++t) {
    groups[t].kind = t / group;
    CountedPlace::Stage& stage = groups[t].stage;
    there.push_back(&groups[t]);
    for (int u = t / group * group; u < (t / group + 1) * group; ++u) {
      if (stage == kFreshStage && groups[u].stage != kFreshStage) stage = kRunning;
    }
  }
  std::set<int> owed;
  for (int t = 0; t < threads; ++t) {
    if (promised(of, {n, 0, 1, {}}, there, groups[t])) owed.insert(t);
  }
  const std::vector<Key> begin = run.state();
  std::map<std::vector<Key>, std::set<int>> taken;
  for (const int thread : cycle) {
    taken[run.state()].insert(thread);
    require(run.step(thread), "a step of the cycle goes wrong");
  }
  require(run.state() == begin, "the cycle does not come back to where it began");
  if (readings[0].fairness == Fairness::weak) taken = {{begin, {cycle.begin(), cycle.end()}}};
  for (const auto& [state, threads] : taken) {
    require(std::includes(threads.begin(), threads.end(), owed.begin(), owed.end()),
            "somebody is owed a step that is not taken");
  }
}

}  // namespace

std::optional<std::string> objection_to(const std::string& certificate,
                                        std::vector<Reading> readings) try {
  const Json c = Json::parse(certificate);
  const Family family =
      read_family(c.at("program").get<std::string>(), "the program of the certificate");
  require(c.at("certificate") == 4, "a version that is not known");
  const bool safe = c.at("claim") == "safe";
  if (readings.empty() && c.contains("model")) {
    const std::optional<Promise> promise = promise_named(c.at("model").get<std::string>());
    const bool strong = c.at("fairness") == "strong";
    require(promise && (strong || c.at("fairness") == "weak"), "an unknown reading");
    readings = {{*promise, strong ? Fairness::strong : Fairness::weak}};
  }
  require(safe || !readings.empty() || c.at("claim") == "error", "it is about no reading");
  if (!safe && c.at("claim") != "pass") {
    check_run(c, family, readings);
  } else if (c.at("method") == "row") {
    check_row(c, family, readings);
  } else {
    check_counted(c, family, readings);
  }
  return std::nullopt;
} catch (const Json::exception& error) {
  throw Error({"", 0, 0}, fmt::format("expected a certificate; {}", error.what()));
} catch (const Unsupported& unsupported) {
  return unsupported.text;
} catch (const std::exception& error) {  // a number too large, or a place or rank that is none
  return error.what();
}

}  // namespace headway::every
