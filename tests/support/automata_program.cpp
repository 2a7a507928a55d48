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

// Which barriers lead from one to the next and back, with nothing else between them.
std::vector<bool> recurring(const LocalStates& thread) {
  std::vector<bool> result(thread.size(), false);
  for (std::size_t l = 0; l < thread.size(); ++l) {
    std::size_t at = l;
    for (std::size_t steps = 0; steps < thread.size() && !result[l]; ++steps) {
      if (thread[at].kind != Kind::barrier) break;
      at = static_cast<std::size_t>(thread[at].outcomes.front().next);
      result[l] = at == l;
    }
  }
  return result;
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
  for (const LocalStates& thread : automata_.threads) recurs_.push_back(recurring(thread));
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
  open_barriers(next);
  return at(next, step.thread).kind == Kind::end;
}

void AutomataProgram::open_barriers(Word* state) const {
  if (stages_.empty()) return;
  std::vector<Standing> standing;
  for (int t = 0; t < threads(); ++t) {
    standing.push_back({static_cast<int>(places_[t].get(state)), stage(state, t)});
  }
  for (const int t : let_pass(automata_, standing)) set_stage(state, t, BarrierStage::passing);
}

lang::Program::Barriers AutomataProgram::barriers() const {
  Barriers result;
  result.alone = true;
  for (const Barrier& barrier : automata_.barriers) {
    int size = threads();
    if (barrier.level == oracle::Level::workgroup)
      size = topology().group_threads(Level::workgroup);
    if (barrier.level == oracle::Level::subgroup) size = topology().group_threads(Level::subgroup);
    result.widest = std::max(result.widest, size);
  }
  for (const LocalStates& thread : automata_.threads) {
    for (const LocalState& local : thread) {
      result.alone = result.alone && local.kind != Kind::await;
    }
  }
  return result;
}

ThreadSet AutomataProgram::settle(Word* state, ThreadSet threads, lang::Silent silent) const {
  ThreadSet stepped;
  // One thread after the other, from the last one on.
  for (bool changes = true; changes;) {
    changes = false;
    for (int t = this->threads() - 1; t >= 0 && !changes; --t) {
      changes = threads.contains(t) && take_silent_step(state, t, silent);
      if (changes) stepped |= ThreadSet::single(t);
    }
  }
  return stepped;
}

bool AutomataProgram::take_silent_step(Word* state, int thread, lang::Silent silent) const {
  const LocalState& local = at(state, thread);
  if (local.kind != Kind::barrier) return false;
  const LocalState& next = automata_.threads[thread][local.outcomes.front().next];
  const bool runs = next.kind == Kind::end ? silent == lang::Silent::ends
                                           : next.kind != Kind::fail && next.kind != Kind::await;
  const BarrierStage reached = stage(state, thread);
  const bool taken = reached == BarrierStage::passing
                         ? runs
                         : reached == BarrierStage::arriving && silent >= lang::Silent::arrivals &&
                               !recurs_[thread][places_[thread].get(state)];
  if (!taken) return false;
  std::vector<Word> from(state, state + words());
  step(from.data(), thread, state);
  return true;
}

bool AutomataProgram::jammed(const Word* state) const {
  const auto size_of = [&](int barrier) {
    const auto level = automata_.barriers[barrier].level;
    return !level                               ? threads()
           : *level == oracle::Level::workgroup ? topology().group_threads(Level::workgroup)
                                                : topology().group_threads(Level::subgroup);
  };
  const auto waits = [&](int t) {
    return at(state, t).kind == Kind::barrier && stage(state, t) == BarrierStage::waiting;
  };
  for (int t = 0; t < threads(); ++t) {
    for (int u = 0; u < threads(); ++u) {
      if (!waits(t)) continue;
      const int own = at(state, t).barrier;
      if (t / size_of(own) != u / size_of(own)) continue;
      const LocalState& other = at(state, u);
      if (other.kind == Kind::end && !automata_.barriers[own].counts_ended) return true;
      if (waits(u) && other.barrier != own &&
          t / size_of(other.barrier) == u / size_of(other.barrier)) {
        return true;
      }
    }
  }
  return false;
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

lang::Effects AutomataProgram::effects(const Word* state, int thread) const {
  const LocalState& local = at(state, thread);
  const bool arrives =
      local.kind == Kind::barrier && stage(state, thread) == BarrierStage::arriving;
  lang::Effects result;
  if (local.kind != Kind::barrier) {
    result.first = local.variable;
    result.count = 1;
    result.changes = std::any_of(local.outcomes.begin(), local.outcomes.end(),
                                 [](const Outcome& outcome) { return outcome.value != kKeep; });
  }
  if (heights_.empty() || arrives) return result;
  const std::vector<int>& heights = heights_[thread];
  const int own = heights[places_[thread].get(state)];
  result.climbs = std::all_of(local.outcomes.begin(), local.outcomes.end(),
                              [&](const Outcome& outcome) { return heights[outcome.next] > own; });
  return result;
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
