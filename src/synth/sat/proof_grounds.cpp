#include "synth/sat/proof_grounds.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace headway::synth::sat {
namespace {

using axb::Instruction;

constexpr std::size_t kMaxReachedStates = 20'000'000;

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> result;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    if (end > 0) result.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return result;
}

// -1 for anything but a small number
int number(std::string_view text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value <= 1'000'000 ? value : -1;
}

// A condition such as "jump=2", "exchange" or "branch"; -1 if it is none, else whether it holds.
int satisfies(const Instruction& i, int index, std::string_view condition) {
  if (condition == "barrier=workgroup") return i.barrier == Instruction::Barrier::workgroup;
  if (condition == "barrier=subgroup") return i.barrier == Instruction::Barrier::subgroup;
  if (i.barrier != Instruction::Barrier::none) {
    // Nothing else is true of one; whether there is such a condition is asked of another.
    return satisfies({}, index, condition) < 0 ? -1 : 0;
  }
  if (condition == "branch") return i.jump != index + 1;
  if (condition == "exchange") return i.exchanges;
  if (condition == "exchange=none") return !i.exchanges;
  const std::size_t equals = condition.find('=');
  if (equals == std::string_view::npos) return -1;
  const std::string_view field = condition.substr(0, equals);
  const int value = number(condition.substr(equals + 1));
  if (value < 0) return -1;
  if (field == "location") return i.location == value;
  if (field == "check") return i.check_value == value;
  if (field == "jump") return i.jump == value;
  if (field == "exchange") return i.exchanges && i.exchange_value == value;
  return -1;
}

}  // namespace

// All instructions that constraint 4 allows. There is no need for more locations than
// instructions: numbered by first use, none comes later.
GroundChecker::GroundChecker(const Bounds& bounds, const Shape& shape,
                             const Requirements& requirements)
    : bounds_(bounds), shape_(shape), requirements_(requirements) {
  bounds_.locations = std::min(bounds.locations, bounds.instructions);
  for (int thread = 0; thread < static_cast<int>(shape.size()); ++thread) {
    first_.push_back(static_cast<int>(places_.size()));
    for (int index = 0; index < shape[thread]; ++index) {
      Place place{thread, index, shape[thread], {}};
      const int combinations =
          bounds_.locations * bounds_.values * (shape[thread] + 1) * (bounds_.values + 1);
      for (int rest = 0; rest < combinations; ++rest) {
        int digits = rest;
        const auto digit = [&](int base) {
          const int value = digits % base;
          digits /= base;
          return static_cast<std::uint8_t>(value);
        };
        Instruction i;
        i.location = digit(bounds_.locations);
        i.check_value = digit(bounds_.values);
        i.jump = digit(shape[thread] + 1);
        const std::uint8_t exchange = digit(bounds_.values + 1);
        i.exchanges = exchange > 0;
        if (i.exchanges) i.exchange_value = exchange - 1;
        const bool store = i.jump == index + 1;
        if (store && (i.check_value != 0 || !i.exchanges)) continue;
        place.choices.push_back(i);
      }
      // A group of two threads or more; of a subgroup not all of its workgroup.
      const auto size = [&](Instruction::Barrier barrier) {
        const auto group = together(thread, barrier);
        return std::count(group.begin(), group.end(), true);
      };
      using Barrier = Instruction::Barrier;
      const auto of_subgroup = size(Barrier::subgroup), of_workgroup = size(Barrier::workgroup);
      if (bounds_.barriers.subgroup && of_subgroup > 1 && of_subgroup < of_workgroup) {
        place.choices.push_back(axb::barrier_at(index, Barrier::subgroup));
      }
      if (bounds_.barriers.workgroup && of_workgroup > 1) {
        place.choices.push_back(axb::barrier_at(index, Barrier::workgroup));
      }
      places_.push_back(std::move(place));
    }
  }
}

// The threads of the subgroup or workgroup of a thread.
std::vector<bool> GroundChecker::together(int thread, Instruction::Barrier barrier) const {
  std::vector<bool> result(shape_.size());
  if (!bounds_.placement) {
    result[thread] = true;
    return result;
  }
  int first = 0;
  for (const std::vector<int>& workgroup : bounds_.placement->sizes()) {
    int end = first;
    for (const int size : workgroup) {
      if (barrier == Instruction::Barrier::subgroup && thread >= end && thread < end + size) {
        std::fill(result.begin() + end, result.begin() + end + size, true);
        return result;
      }
      end += size;
    }
    if (thread < end) {
      std::fill(result.begin() + first, result.begin() + end, true);
      return result;
    }
    first = end;
  }
  return result;
}

// Whoever waits where all of the group wait, or have ended where that counts, need wait no more.
void GroundChecker::let_through(Standing& standing) const {
  const Standing before = standing;
  const int threads = bounds_.threads;
  for (int t = 0; t < threads; ++t) {
    const At waits = before.at[t];
    if (waits != At::waits_in_subgroup && waits != At::waits_in_workgroup) continue;
    const auto group =
        together(t, waits == At::waits_in_subgroup ? Instruction::Barrier::subgroup
                                                   : Instruction::Barrier::workgroup);
    bool all = true;
    for (int other = 0; other < threads; ++other) {
      const bool ended = before.pcs[other] == shape_[other];
      const bool there = ended ? bounds_.barriers.ended_count : before.at[other] == waits;
      all = all && (!group[other] || there);
    }
    if (all) standing.at[t] = At::let_through;
  }
}

GroundChecker::Standing GroundChecker::after(const Standing& standing, int thread,
                                             const Instruction& i) const {
  Standing next = standing;
  if (standing.at[thread] == At::let_through) {
    next.at[thread] = At::runs;
    ++next.pcs[thread];
  } else if (i.barrier == Instruction::Barrier::subgroup) {
    next.at[thread] = At::waits_in_subgroup;
  } else if (i.barrier == Instruction::Barrier::workgroup) {
    next.at[thread] = At::waits_in_workgroup;
  } else {
    int& memory = next.memory[i.location];
    next.pcs[thread] = memory == i.check_value ? i.jump : standing.pcs[thread] + 1;
    if (i.exchanges) memory = i.exchange_value;
  }
  let_through(next);
  return next;
}

bool GroundChecker::define(std::string_view line) {
  const auto parts = words(line);
  if (parts.size() < 4 || (parts[1] != "choice" && parts[1] != "term")) return false;
  const int variable = number(parts[0]);
  const int place = number(parts[2]);
  if (variable < 1 || place < 0 || place >= static_cast<int>(places_.size())) return false;
  if (is_defined(variable)) return false;
  Meaning meaning{place, {}};
  for (const Instruction& i : places_[place].choices) {
    bool all = true;
    for (std::size_t word = 3; word < parts.size(); ++word) {
      const int satisfied = satisfies(i, places_[place].index, parts[word]);
      if (satisfied < 0) return false;
      all = all && satisfied == 1;
    }
    meaning.choices.push_back(all);
  }
  if (meanings_.size() <= static_cast<std::size_t>(variable)) meanings_.resize(variable + 1);
  meanings_[variable] = std::move(meaning);
  return true;
}

bool GroundChecker::is_defined(int variable) const {
  return variable > 0 && variable < static_cast<int>(meanings_.size()) &&
         meanings_[variable].place >= 0;
}

void GroundChecker::exclude(const std::vector<int>& clause) {
  std::vector<std::vector<bool>> in;
  for (const Place& place : places_) in.emplace_back(place.choices.size(), true);
  for (const int literal : clause) {
    const Meaning& meaning = meanings_[std::abs(literal)];
    for (std::size_t choice = 0; choice < meaning.choices.size(); ++choice) {
      if (meaning.choices[choice] == (literal > 0)) in[meaning.place][choice] = false;
    }
  }
  left_.assign(places_.size(), {});
  for (std::size_t place = 0; place < places_.size(); ++place) {
    for (std::size_t choice = 0; choice < in[place].size(); ++choice) {
      if (in[place][choice]) left_[place].push_back(places_[place].choices[choice]);
    }
  }
}

bool GroundChecker::excludes_exactly(const std::vector<int>& clause, const Instructions& program) {
  exclude(clause);
  if (program.size() != left_.size()) return false;
  for (std::size_t place = 0; place < left_.size(); ++place) {
    if (left_[place].size() != 1 || left_[place].front() != program[place]) return false;
  }
  return true;
}

bool GroundChecker::holds(std::string_view ground, const std::vector<int>& clause) {
  const auto parts = words(ground);
  if (parts.empty() || parts.size() > 2) return false;
  const std::string_view what = parts[0];
  const int place = parts.size() == 2 ? number(parts[1]) : -1;
  const bool about_a_place = what != "stuck" && what != "no-cycle";
  if (about_a_place != (parts.size() == 2)) return false;
  if (about_a_place && (place < 0 || place >= static_cast<int>(places_.size()))) return false;

  exclude(clause);
  if (what == "choice") return left_[place].empty();
  if (what == "numbering") return numbering(place);
  if (what == "influence") return influence(place);
  if (what == "no-change" && !requirements_.effective_stores) return false;
  if (what == "never-taken" || what == "always-taken" || what == "no-change") {
    return never(what, place);
  }
  if (what == "stuck") return explore("", -1) && stuck();
  if (what == "no-cycle") return explore("", -1) && acyclic();
  return false;
}

// All instructions left at the place use one location, and none before uses the one before it.
bool GroundChecker::numbering(int place) const {
  if (left_[place].empty()) return true;
  const int location = left_[place].front().location;
  if (location == 0) return false;
  for (const Instruction& i : left_[place]) {
    if (i.is_barrier() || i.location != location) return false;
  }
  for (int earlier = 0; earlier < place; ++earlier) {
    for (const Instruction& i : left_[earlier]) {
      if (!i.is_barrier() && i.location == location - 1) return false;
    }
  }
  return true;
}

bool GroundChecker::influence(int place) const {
  const auto other_threads_have = [&](int location, bool branch) {
    for (std::size_t other = 0; other < places_.size(); ++other) {
      if (places_[other].thread == places_[place].thread) continue;
      for (const Instruction& i : left_[other]) {
        if (i.is_barrier()) continue;
        const bool is_branch = i.jump != places_[other].index + 1;
        if (i.location == location && (is_branch || !branch)) return true;
      }
    }
    return false;
  };
  return std::all_of(left_[place].begin(), left_[place].end(), [&](const Instruction& i) {
    const bool is_branch = i.jump != places_[place].index + 1;
    return (i.exchanges && !other_threads_have(i.location, true)) ||
           (is_branch && !other_threads_have(i.location, false));
  });
}

// The constraint must be about every instruction that is left at the place.
bool GroundChecker::never(std::string_view event, int place) {
  for (const Instruction& i : left_[place]) {
    const bool is_branch = i.jump != places_[place].index + 1;
    if (event == "no-change" ? !i.exchanges : !is_branch) return false;
  }
  return explore(event, place);
}

// Explores the states that any of the excluded programs can reach, and more: each step may be that
// of another of them. So what is not seen here happens in none of them.
bool GroundChecker::explore(std::string_view event, int place) {
  const int threads = bounds_.threads;
  constexpr std::uint64_t standings = 4;
  const auto number = [&](const Standing& standing) {
    std::uint64_t result = 0;
    for (int t = 0; t < threads; ++t) {
      result = result * (shape_[t] + 1) + standing.pcs[t];
      result = result * standings + static_cast<std::uint64_t>(standing.at[t]);
    }
    for (const int value : standing.memory) result = result * bounds_.values + value;
    return result;
  };
  ended_.clear();
  next_.clear();
  const Standing initial{std::vector<int>(threads), std::vector<At>(threads, At::runs),
                         std::vector<int>(bounds_.locations)};
  std::unordered_map<std::uint64_t, int> number_of{{number(initial), 0}};
  std::vector<Standing> states{initial};
  for (std::size_t at = 0; at < states.size(); ++at) {
    if (states.size() > kMaxReachedStates) throw Error("too many states to check the proof");
    const Standing state = states[at];
    ended_.push_back(state.pcs == shape_);
    next_.emplace_back(threads);
    for (int t = 0; t < threads; ++t) {
      if (state.pcs[t] == shape_[t]) continue;
      const bool passes = state.at[t] == At::let_through;
      if (!passes && state.at[t] != At::runs) continue;
      const int here = first_[t] + state.pcs[t];
      std::vector<int>& next = next_[at][t];
      for (const Instruction& i : left_[here]) {
        if (passes && !i.is_barrier()) continue;
        const Standing to = after(state, t, i);
        if (!i.is_barrier() && here == place) {
          const bool taken = state.memory[i.location] == i.check_value;
          if (event == "never-taken" && taken) return false;
          if (event == "always-taken" && !taken) return false;
          if (event == "no-change" && to.memory != state.memory) return false;
        }
        const auto [found, is_new] = number_of.emplace(number(to), static_cast<int>(states.size()));
        if (is_new) states.push_back(to);
        if (std::find(next.begin(), next.end(), found->second) == next.end()) {
          next.push_back(found->second);
        }
      }
    }
  }
  return true;
}

// Whether every excluded program can get where it cannot terminate. From a state that does not
// reach termination here no excluded program terminates. A program surely gets to such a state
// from a state in which, for some thread, all successors are of that kind: whatever the program
// is, the step of that thread leads to one of them.
bool GroundChecker::stuck() const {
  const std::size_t states = next_.size();
  struct Edge {
    int from, thread;
  };
  std::vector<std::vector<Edge>> before(states);
  std::vector<std::vector<std::size_t>> open(states);  // successors not yet known to be lost
  for (std::size_t state = 0; state < states; ++state) {
    for (std::size_t t = 0; t < next_[state].size(); ++t) {
      open[state].push_back(next_[state][t].size());
      for (const int to : next_[state][t]) {
        before[to].push_back({static_cast<int>(state), static_cast<int>(t)});
      }
    }
  }
  std::vector<bool> may_end = ended_;
  std::vector<int> queue;
  for (std::size_t state = 0; state < states; ++state) {
    if (ended_[state]) queue.push_back(static_cast<int>(state));
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const auto& [from, thread] : before[queue[head]]) {
      if (!may_end[from]) queue.push_back(from);
      may_end[from] = true;
    }
  }
  std::vector<bool> lost(states);
  queue.clear();
  for (std::size_t state = 0; state < states; ++state) {
    lost[state] = !may_end[state];
    if (lost[state]) queue.push_back(static_cast<int>(state));
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const auto& [from, thread] : before[queue[head]]) {
      if (--open[from][thread] > 0 || lost[from]) continue;
      lost[from] = true;
      queue.push_back(from);
    }
  }
  return lost[0];
}

// Depth first; a cycle closes at a state that is still on the way.
bool GroundChecker::acyclic() const {
  enum : char { unseen, on_the_way, done };
  std::vector<char> mark(next_.size(), unseen);
  std::vector<std::pair<int, bool>> stack{{0, false}};
  while (!stack.empty()) {
    const auto [state, leaving] = stack.back();
    stack.pop_back();
    if (leaving) {
      mark[state] = done;
      continue;
    }
    if (mark[state] != unseen) continue;
    mark[state] = on_the_way;
    stack.emplace_back(state, true);
    for (const auto& successors : next_[state]) {
      for (const int to : successors) {
        if (mark[to] == on_the_way) return false;
        if (mark[to] == unseen) stack.emplace_back(to, false);
      }
    }
  }
  return true;
}

}  // namespace headway::synth::sat
