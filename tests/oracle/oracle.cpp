#include "oracle/oracle.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "lang/axb/source.hpp"

namespace headway::oracle {

// Sets and groups ------------------------------------------------------------------------------

Threads unite(Threads a, const Threads& b) {
  a.insert(b.begin(), b.end());
  return a;
}

Threads intersect(const Threads& a, const Threads& b) {
  Threads result;
  for (int t : a) {
    if (b.count(t) > 0) result.insert(t);
  }
  return result;
}

Threads without(const Threads& a, const Threads& b) {
  Threads result;
  for (int t : a) {
    if (b.count(t) == 0) result.insert(t);
  }
  return result;
}

Threads lowest(const Threads& set) {
  if (set.empty()) return {};
  return {*set.begin()};
}

Threads upto(const Threads& set) {
  Threads result;
  if (set.empty()) return result;
  for (int t = 0; t <= *set.rbegin(); ++t) result.insert(t);
  return result;
}

Launch::Launch(const std::vector<std::vector<int>>& each)
    : workgroups(static_cast<int>(each.size())), subgroups(0), subgroup_threads(0), sizes(each) {
  for (const std::vector<int>& workgroup : each) {
    subgroups = std::max(subgroups, static_cast<int>(workgroup.size()));
    for (const int size : workgroup) subgroup_threads = std::max(subgroup_threads, size);
  }
}

int Launch::threads() const {
  if (sizes.empty()) return workgroups * subgroups * subgroup_threads;
  int count = 0;
  for (const std::vector<int>& workgroup : sizes) {
    for (const int size : workgroup) count += size;
  }
  return count;
}

int Launch::children(Level level) const {
  if (level == Level::workgroup) return workgroups;
  return level == Level::subgroup ? subgroups : subgroup_threads;
}

std::vector<Level> Launch::consulted() const {
  std::vector<Level> result;
  for (const Level level : kLevels) {
    if (children(level) > 1) result.push_back(level);
  }
  return result;
}

namespace {

// The id, among its siblings, of the group of `thread` at the level.
int id_at(const Launch& launch, Level level, int thread) {
  if (!launch.sizes.empty()) {
    for (int w = 0;; ++w) {
      for (int s = 0; s < static_cast<int>(launch.sizes[w].size()); ++s) {
        const int size = launch.sizes[w][s];
        if (thread < size) {
          return level == Level::workgroup ? w : level == Level::subgroup ? s : thread;
        }
        thread -= size;
      }
    }
  }
  const int subgroup = thread / launch.subgroup_threads;  // numbered through the launch
  if (level == Level::workgroup) return subgroup / launch.subgroups;
  return level == Level::subgroup ? subgroup % launch.subgroups : thread % launch.subgroup_threads;
}

}  // namespace

Group group_of_thread(const Launch& launch, int thread) {
  Group result;
  for (const Level level : launch.consulted()) result.push_back(id_at(launch, level, thread));
  return result;
}

Groups all_groups(const Launch& launch) {
  Groups result;
  for (int t = 0; t < launch.threads(); ++t) {
    for (Group group = group_of_thread(launch, t);; group.pop_back()) {
      result.insert(group);
      if (group.empty()) break;
    }
  }
  return result;
}

bool holds(const Group& group, const Launch& launch, int thread) {
  auto id = group.begin();
  for (const Level level : kLevels) {
    if (launch.children(level) == 1 || id == group.end()) continue;
    if (*id++ != id_at(launch, level, thread)) return false;
  }
  return true;
}

namespace {

Group child_of(Group group, int id) {
  group.push_back(id);
  return group;
}

// The history of the children of `group`, given that of all threads.
History history_of_children(const Launch& launch, const Group& group, const History& threads) {
  History result;
  const Level level = launch.consulted()[group.size()];
  for (int t = 0; t < threads.threads; ++t) {
    if (!holds(group, launch, t)) continue;
    result.threads = std::max(result.threads, id_at(launch, level, t) + 1);
  }
  const Threads ready = threads.ready();
  for (int id = 0; id < result.threads; ++id) {
    const Group child = child_of(group, id);
    bool any_started = false, all_terminated = true, any_ready = false;
    for (int t = 0; t < threads.threads; ++t) {
      if (!holds(child, launch, t)) continue;
      any_started = any_started || threads.started.count(t) > 0;
      all_terminated = all_terminated && threads.terminated.count(t) > 0;
      any_ready = any_ready || ready.count(t) > 0;
    }
    if (any_started) result.started.insert(id);
    if (all_terminated) result.terminated.insert(id);
    if (!all_terminated && !any_ready) result.blocked.insert(id);
  }
  return result;
}

}  // namespace

// Models -----------------------------------------------------------------------------------------

Threads History::all() const {
  Threads result;
  for (int t = 0; t < threads; ++t) result.insert(t);
  return result;
}

Threads History::alive() const { return without(all(), terminated); }

Threads History::ready() const { return without(alive(), blocked); }

std::optional<Form>& ScopedModel::at(Level level) {
  if (level == Level::workgroup) return workgroup;
  return level == Level::subgroup ? subgroup : thread;
}

const std::optional<Form>& ScopedModel::at(Level level) const {
  if (level == Level::workgroup) return workgroup;
  return level == Level::subgroup ? subgroup : thread;
}

ScopedModel scoped(const Model& workgroup, const Model& subgroup, const Model& thread) {
  ScopedModel result;
  result.name =
      "workgroup=" + workgroup.name + ",subgroup=" + subgroup.name + ",thread=" + thread.name;
  result.workgroup = workgroup.form;
  result.subgroup = subgroup.form;
  result.thread = thread.form;
  return result;
}

std::vector<Model> set_models() {
  const SetForm unfair = [](const History&) { return Threads{}; };
  const SetForm hsa = [](const History& h) { return lowest(h.ready()); };
  const SetForm obe = [](const History& h) { return intersect(h.started, h.alive()); };
  const SetForm hsa_obe = [](const History& h) {
    return intersect(unite(h.started, lowest(h.ready())), h.alive());
  };
  const SetForm lobe = [](const History& h) { return intersect(upto(h.started), h.alive()); };
  const SetForm fair = [](const History& h) { return h.alive(); };
  return {{"unfair", unfair},   {"HSA", hsa},   {"OBE", obe},
          {"HSA+OBE", hsa_obe}, {"LOBE", lobe}, {"fair", fair}};
}

std::vector<Model> event_models() {
  const auto none = [](const History&) { return Threads{}; };
  const auto all = [](const History& h) { return h.all(); };
  const auto first = [](const History& h) { return lowest(h.ready()); };
  const auto keep = [](const Threads& f, int, const History&) { return f; };
  const auto add = [](const Threads& f, int tid, const History&) { return unite(f, {tid}); };
  const auto remove = [](const Threads& f, int tid, const History&) { return without(f, {tid}); };

  const EventForm unfair = {none, keep, keep};
  // Every step may change who is ready.
  const auto foremost = [](const Threads&, int, const History& h) { return lowest(h.ready()); };
  const EventForm hsa = {first, foremost, foremost};
  const EventForm obe = {none, add, remove};
  const auto started_or_foremost = [](const Threads& f, int, const History& h) {
    return unite(without(intersect(f, h.started), h.terminated), lowest(h.ready()));
  };
  const EventForm hsa_obe = {first,
                             [=](const Threads& f, int tid, const History& h) {
                               return started_or_foremost(unite(f, {tid}), tid, h);
                             },
                             started_or_foremost};
  const EventForm lobe = {none,
                          [](const Threads& f, int tid, const History& h) {
                            return unite(f, without(upto({tid}), h.terminated));
                          },
                          remove};
  const EventForm fair = {all, keep, remove};
  return {{"unfair", unfair},   {"HSA", hsa},   {"OBE", obe},
          {"HSA+OBE", hsa_obe}, {"LOBE", lobe}, {"fair", fair}};
}

// The transition system --------------------------------------------------------------------------

namespace {

// F of a group as it first is, and after a step of a child.
Threads first_selected(const Form& form, const History& history) {
  if (const auto* set = std::get_if<SetForm>(&form)) return (*set)(history);
  return std::get<EventForm>(form).initial(history);
}

Threads selected_after_step(const Form& form, const Threads& before, int child,
                            const History& after, const std::optional<Instruction>& instruction) {
  const auto& events = std::get<EventForm>(form);
  const bool terminates = after.terminated.count(child) > 0;
  History stepped = after;
  stepped.terminated.erase(child);
  if (events.on_instruction && !instruction) throw std::logic_error("there are no instructions");
  const Threads result = events.on_instruction
                             ? events.on_instruction(before, child, stepped, *instruction)
                             : events.on_step(before, child, stepped);
  return terminates ? events.on_terminate(result, child, after) : result;
}

// Fills in what each thread can do. The history knows who has ended before.
void classify(const Behaviour& program, State& state, int stepped) {
  const int threads = program.launch.threads();
  for (int t = 0; t < threads; ++t) {
    const Status status = program.status(state.pcs, state.memory, t);
    if (status == Status::running) state.running.insert(t);
    if (status == Status::blocked) state.blocked.insert(t);
    if (status == Status::failed) state.failed.insert(t);
    const bool was_ended = state.history.terminated.count(t) > 0;
    const bool is_over = status == Status::ended || status == Status::failed;
    if (was_ended ? status != Status::ended : is_over && t != stepped) {
      throw std::logic_error("a thread ends or fails, or ends no more, without a step of its own");
    }
    if (status == Status::ended) state.history.terminated.insert(t);
  }
  if (!state.failed.empty()) state.running.clear();
  state.history.blocked = without(state.history.alive(), state.running);
}

// Fills in F of each group that has several children. `before` is the state before the step of
// `stepped`; none of both at first.
void select_children(const Lts& lts, const ScopedModel& model, State& state, const State* before,
                     int stepped, const std::optional<Instruction>& instruction) {
  static const Form fair = SetForm([](const History& h) { return h.alive(); });
  const Launch& launch = lts.launch;
  const std::vector<Level> levels = launch.consulted();
  for (const Group& group : lts.groups) {
    if (group.size() == levels.size()) continue;  // a thread
    const std::optional<Form>& named = model.at(levels[group.size()]);
    const History history = history_of_children(launch, group, state.history);
    // An only child is guaranteed where its parent is.
    const Form& form = named && history.threads > 1 ? *named : fair;
    Threads& selected = state.selected[group];
    if (before == nullptr || std::holds_alternative<SetForm>(form)) {
      selected = first_selected(form, history);
    } else if (holds(group, launch, stepped)) {
      const int child = group_of_thread(launch, stepped)[group.size()];
      selected = selected_after_step(form, before->selected.at(group), child, history, instruction);
    } else {
      selected = before->selected.at(group);
    }
    if (!intersect(selected, history.terminated).empty()) {
      throw std::logic_error(model.name + " guarantees a terminated thread");
    }
  }
}

// "The grid is guaranteed, in every state; any other group is guaranteed when its parent is and the
// model selects it."
void add_obligations(const Lts& lts, State& state) {
  state.guaranteed.insert(Group{});
  for (const Group& group : lts.groups) {  // parents come before their children
    if (group.empty()) continue;
    const Group parent(group.begin(), group.end() - 1);
    const bool is_selected = state.selected.at(parent).count(group.back()) > 0;
    if (state.guaranteed.count(parent) > 0 && is_selected) state.guaranteed.insert(group);
  }
  for (const Group& group : state.guaranteed) {
    const bool is_ready = std::any_of(state.running.begin(), state.running.end(),
                                      [&](int t) { return holds(group, lts.launch, t); });
    if (is_ready) state.owed.insert(group);
  }
}

State initial_state(const Lts& lts, const Behaviour& program, const ScopedModel& model) {
  State state;
  state.pcs = program.pcs;
  state.memory = program.memory;
  state.history.threads = program.launch.threads();
  classify(program, state, /*stepped=*/-1);
  select_children(lts, model, state, nullptr, /*stepped=*/-1, std::nullopt);
  return state;
}

State state_after(const Lts& lts, const Behaviour& program, const ScopedModel& model,
                  const State& state, int thread, int choice) {
  State next;
  next.pcs = state.pcs;
  next.memory = state.memory;
  next.history = state.history;
  program.step(next.pcs, next.memory, thread, choice);
  next.history.started.insert(thread);
  classify(program, next, thread);
  std::optional<Instruction> instruction;
  if (program.instruction) instruction = program.instruction(state.pcs, thread);
  select_children(lts, model, next, &state, thread, instruction);
  return next;
}

}  // namespace

Behaviour one_step_behaviour(
    const Launch& launch, std::vector<int> pcs, std::vector<int> memory,
    std::function<Status(const std::vector<int>& pcs, int thread)> status,
    std::function<void(std::vector<int>& pcs, std::vector<int>& memory, int thread)> step) {
  using Numbers = Behaviour::Numbers;
  Behaviour program;
  program.launch = launch;
  program.pcs = std::move(pcs);
  program.memory = std::move(memory);
  program.status = [status = std::move(status)](const Numbers& places, const Numbers&, int thread) {
    return status(places, thread);
  };
  program.choices = [](const Numbers&, const Numbers&, int) { return 1; };
  program.step = [step = std::move(step)](Numbers& places, Numbers& cells, int thread, int) {
    step(places, cells, thread);
  };
  return program;
}

namespace {

// Whether all threads of the group around `thread` wait at its barrier of a kind, those that have
// ended counting where they do. Behind the program counters stands what threads do at barriers: 1
// waits, 2 has been let through.
using Barrier = lang::axb::Instruction::Barrier;
bool may_pass(const lang::axb::Code& code, const Launch& launch, const std::vector<int>& pcs,
              Barrier barrier, int thread) {
  const int threads = static_cast<int>(code.threads.size());
  for (int t = 0; t < threads; ++t) {
    bool together = id_at(launch, Level::workgroup, t) == id_at(launch, Level::workgroup, thread);
    if (barrier == Barrier::subgroup) {
      together =
          together && id_at(launch, Level::subgroup, t) == id_at(launch, Level::subgroup, thread);
    }
    if (!together) continue;
    const auto& instructions = code.threads[t].instructions;
    const bool ended = pcs[t] == static_cast<int>(instructions.size());
    if (ended && code.ended_count) continue;
    if (ended || pcs[threads + t] != 1 || instructions[pcs[t]].barrier != barrier) return false;
  }
  return true;
}

// Everybody who may pass a barrier has been let through.
void let_through(const lang::axb::Code& code, const Launch& launch, std::vector<int>& pcs) {
  const int threads = static_cast<int>(code.threads.size());
  const std::vector<int> now = pcs;
  for (int t = 0; t < threads; ++t) {
    if (now[threads + t] != 1) continue;
    if (may_pass(code, launch, now, code.threads[t].instructions[now[t]].barrier, t)) {
      pcs[threads + t] = 2;
    }
  }
}

Launch launch_of(const lang::axb::Code& code) {
  const int threads = static_cast<int>(code.threads.size());
  return code.placement ? Launch(code.placement->sizes()) : Launch(threads);
}

}  // namespace

Behaviour behaviour(const lang::Test& test) {
  const lang::axb::Code* found = lang::axb::find_placed_code(test);
  if (found == nullptr) throw std::logic_error("this oracle is for AXB tests only");
  const lang::axb::Code& code = *found;
  const Launch launch = launch_of(code);
  const std::size_t threads = code.threads.size();
  Behaviour program;
  program.launch = launch;
  program.pcs.assign(2 * threads, 0);
  for (const lang::axb::Location& location : code.locations) {
    program.memory.push_back(location.initial);
  }
  program.status = [&code, threads](const std::vector<int>& pcs, const std::vector<int>&,
                                    int thread) {
    const auto length = static_cast<int>(code.threads[thread].instructions.size());
    if (pcs[thread] == length) return Status::ended;
    return pcs[threads + thread] == 1 ? Status::blocked : Status::running;
  };
  program.choices = [](const std::vector<int>&, const std::vector<int>&, int) { return 1; };
  program.step = [&code, launch, threads](std::vector<int>& pcs, std::vector<int>& memory,
                                          int thread, int) {
    int& pc = pcs[thread];
    int& at_barrier = pcs[threads + thread];
    const lang::axb::Instruction& axb = code.threads[thread].instructions[pc];
    if (axb.barrier != Barrier::none && at_barrier == 0) {
      at_barrier = 1;
    } else if (axb.barrier != Barrier::none) {
      at_barrier = 0;
      ++pc;
    } else {
      const int old = memory[axb.location];
      if (axb.exchanges) memory[axb.location] = axb.exchange_value;
      pc = old == axb.check_value ? axb.jump : pc + 1;
    }
    let_through(code, launch, pcs);
  };
  if (code.has_barriers()) return program;
  program.instruction = [&code](const std::vector<int>& pcs, int thread) {
    const lang::axb::Instruction& axb = code.threads[thread].instructions[pcs[thread]];
    return Instruction{axb.exchanges, axb.jump == pcs[thread] + 1, axb.jump <= pcs[thread]};
  };
  return program;
}

std::optional<Lts> explore(const lang::Test& test, const ScopedModel& model,
                           std::size_t max_states) {
  return explore(behaviour(test), model, max_states);
}

std::optional<Lts> explore(const Behaviour& program, const ScopedModel& model,
                           std::size_t max_states) {
  Lts lts;
  lts.launch = program.launch;
  lts.groups = all_groups(lts.launch);
  std::map<State, int> numbers;
  const auto number = [&](const State& state) {
    const auto [entry, is_new] = numbers.emplace(state, static_cast<int>(numbers.size()));
    if (is_new) {
      lts.states.push_back(state);
      add_obligations(lts, lts.states.back());
    }
    return entry->second;
  };
  number(initial_state(lts, program, model));
  for (std::size_t from = 0; from < lts.states.size(); ++from) {
    if (lts.states.size() > max_states) return std::nullopt;
    const State source = lts.states[from];
    for (int t : source.running) {
      const int choices = program.choices(source.pcs, source.memory, t);
      if (choices < 1) throw std::logic_error("a running thread has no transition");
      const bool is_fair = program.fair_choice && program.fair_choice(source.pcs, source.memory, t);
      for (int choice = 0; choice < choices; ++choice) {
        const int to = number(state_after(lts, program, model, source, t, choice));
        lts.transitions.push_back({static_cast<int>(from), t, choice, to, is_fair});
      }
    }
  }
  return lts;
}

}  // namespace headway::oracle
