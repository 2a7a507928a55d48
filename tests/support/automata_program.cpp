#include "support/automata_program.hpp"

#include <algorithm>

#include "base/graph/scc_search.hpp"

namespace headway::testing {

using lang::Step;
using lang::StepText;
using lang::Word;
using Kind = LocalState::Kind;

namespace {

// How many loops of its code lie behind each local state: the length of a longest path to its
// component, so that it never falls.
std::vector<int> heights_of(const LocalStates& thread) {
  std::vector<std::vector<std::uint32_t>> successors(thread.size());
  for (std::size_t l = 0; l < thread.size(); ++l) {
    for (const Outcome& outcome : thread[l].outcomes) {
      successors[l].push_back(static_cast<std::uint32_t>(outcome.next));
    }
  }
  const StrongComponents components = strong_components(successors);
  std::vector<int> of_component(components.count, 0);
  for (std::uint32_t c = components.count; c-- > 0;) {
    for (std::size_t l = 0; l < thread.size(); ++l) {
      if (components.of[l] != c) continue;
      for (const std::uint32_t next : successors[l]) {
        int& height = of_component[components.of[next]];
        if (components.of[next] != c) height = std::max(height, of_component[c] + 1);
      }
    }
  }
  std::vector<int> heights;
  for (const std::uint32_t c : components.of) heights.push_back(of_component[c]);
  return heights;
}

Topology topology_of_automata(const Automata& automata) {
  const oracle::Launch launch = launch_of(automata);
  return {launch.workgroups, launch.subgroups, launch.subgroup_threads};
}

}  // namespace

AutomataProgram::AutomataProgram(Automata automata, int padding, bool heights)
    : Program(topology_of_automata(automata),
              {.block = true, .choose = true, .choose_fairly = true, .fail = true}, 1),
      automata_(std::move(automata)) {
  FieldAllotter fields(threads());
  for (const LocalStates& thread : automata_.threads) {
    places_.push_back(fields.allot(thread.size() - 1));
    if (!heights) continue;
    heights_.push_back(heights_of(thread));
    highest_ += *std::max_element(heights_.back().begin(), heights_.back().end());
  }
  if (!automata_.barriers.empty()) {
    for (int t = 0; t < threads(); ++t) {
      stages_.push_back(fields.allot(static_cast<std::uint64_t>(BarrierStage::passing)));
    }
  }
  for (int p = 0; p < padding; ++p) fields.allot(~std::uint64_t{0});
  for (std::size_t v = 0; v < automata_.initial.size(); ++v) {
    variables_.push_back(fields.allot(static_cast<std::uint64_t>(automata_.values - 1)));
  }
  set_words(fields.words());
}

void AutomataProgram::initial(Word* state) const {
  std::fill(state, state + words(), 0);
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    variables_[v].set(state, static_cast<Word>(automata_.initial[v]));
  }
}

template <class Holds>
ThreadSet AutomataProgram::those(const Word* state, const Holds& holds) const {
  ThreadSet threads;
  for (int t = 0; t < this->threads(); ++t) {
    if (holds(at(state, t), t)) threads |= ThreadSet::single(t);
  }
  return threads;
}

ThreadSet AutomataProgram::terminated(const Word* state) const {
  return those(state, [](const LocalState& local, int) { return local.kind == Kind::end; });
}

ThreadSet AutomataProgram::blocked(const Word* state) const {
  return those(state, [&](const LocalState& local, int thread) {
    if (local.kind == Kind::barrier) return stage(state, thread) == BarrierStage::waiting;
    return local.kind == Kind::await && !local.accepts[variables_[local.variable].get(state)];
  });
}

ThreadSet AutomataProgram::failed(const Word* state) const {
  return those(state, [](const LocalState& local, int) { return local.kind == Kind::fail; });
}

int AutomataProgram::choices(const Word* state, int thread) const {
  const LocalState& local = at(state, thread);
  return local.kind == Kind::choose ? static_cast<int>(local.outcomes.size()) : 1;
}

bool AutomataProgram::chooses_fairly(const Word* state, int thread) const {
  const LocalState& local = at(state, thread);
  return local.kind == Kind::choose && local.fair;
}

void AutomataProgram::set_stage(Word* state, int thread, BarrierStage reached) const {
  stages_[thread].set(state, static_cast<Word>(reached));
}

bool AutomataProgram::step(const Word* state, Step step, Word* next) const {
  std::copy(state, state + words(), next);
  const LocalState& local = at(state, step.thread);
  if (local.kind == Kind::barrier && stage(state, step.thread) == BarrierStage::arriving) {
    set_stage(next, step.thread, BarrierStage::waiting);
  } else {
    const Field& variable = variables_[local.variable];
    const Outcome& outcome =
        local.outcomes[local.kind == Kind::modify ? variable.get(state) : step.choice];
    if (outcome.value != kKeep) variable.set(next, static_cast<Word>(outcome.value));
    places_[step.thread].set(next, static_cast<Word>(outcome.next));
    if (local.kind == Kind::barrier) set_stage(next, step.thread, BarrierStage::arriving);
  }
  if (!stages_.empty()) {
    std::vector<Standing> standing;
    for (int t = 0; t < threads(); ++t) {
      standing.push_back({static_cast<int>(places_[t].get(next)), stage(next, t)});
    }
    for (const int t : let_pass(automata_, standing)) set_stage(next, t, BarrierStage::passing);
  }
  return at(next, step.thread).kind == Kind::end;
}

std::optional<lang::Interchangeable> AutomataProgram::interchangeable() const {
  lang::Interchangeable result;
  for (std::size_t t = 0; t < automata_.threads.size(); ++t) {
    std::size_t first = 0;
    while (automata_.threads[first] != automata_.threads[t]) ++first;
    result.kind.push_back(static_cast<int>(first));
    result.of_thread.push_back({places_[t]});
    if (!stages_.empty()) result.of_thread.back().push_back(stages_[t]);
  }
  return result;
}

int AutomataProgram::height(const Word* state) const {
  int height = 0;
  for (std::size_t t = 0; t < heights_.size(); ++t) height += heights_[t][places_[t].get(state)];
  return height;
}

StepText AutomataProgram::describe_step(const Word* state, Step step) const {
  return {0, describe_thread(state, step.thread), std::to_string(step.choice)};
}

std::string AutomataProgram::describe_memory(const Word* state) const {
  std::string text;
  for (const Field& variable : variables_) text += std::to_string(variable.get(state)) + " ";
  return text;
}

std::string AutomataProgram::describe_thread(const Word* state, int thread) const {
  const std::string place = std::to_string(places_[thread].get(state));
  switch (stage(state, thread)) {
    case BarrierStage::arriving:
      break;
    case BarrierStage::waiting:
      return place + " waiting";
    case BarrierStage::passing:
      return place + " passing";
  }
  return place;
}

}  // namespace headway::testing
