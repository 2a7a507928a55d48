#include "consistency/graphs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "consistency/models.hpp"
#include "consistency/spinning.hpp"

namespace headway::consistency {
namespace {

using cat::Stage;

constexpr std::size_t kMostValues = 40;  // of a location
constexpr std::size_t kMostPartial = 5;  // writes of a location whose order may be partial
constexpr std::size_t kMostTotal = 16;   // and where it is total
constexpr std::size_t kAskEvery = 256;   // candidates, whether to stop

// All partial orders of `count` things as relations between 0 .. count-1.
std::vector<Relation> partial_orders(std::size_t count) {
  std::vector<Relation> result;
  const int n = static_cast<int>(count);
  // Each pair is in order, in the other, or in none; what is transitive stays.
  const std::function<void(Relation, int, int)> go = [&](Relation order, int a, int b) {
    if (a == n) {
      if (order.closure() == order && order.irreflexive()) result.push_back(order);
      return;
    }
    const int next_a = b + 1 < n ? a : a + 1;
    const int next_b = b + 1 < n ? b + 1 : a + 2;
    if (b >= n) return go(order, n, n);
    go(order, next_a, next_b);
    Relation forth = order;
    forth.add(a, b);
    go(forth, next_a, next_b);
    Relation back = order;
    back.add(b, a);
    go(back, next_a, next_b);
  };
  go(Relation(n), 0, 1);
  return result;
}

// What locations hold at first, and, where a model may have values that are their own reason,
// constants that the program writes behind conditions.
Values first_values(const Program& program, const cat::Model& model) {
  Values values;
  for (const auto& location : program.locations) values.push_back({location.initial});
  if (forbids_thin_air(model)) return values;
  for (const Thread& thread : program.threads) {
    for (const Instruction& i : thread.code) {
      const bool writes_value = i.kind == Instruction::Kind::store ||
                                i.kind == Instruction::Kind::exchange ||
                                i.kind == Instruction::Kind::compare_exchange;
      if (!writes_value || i.value.kind != Term::Kind::constant) continue;
      for (int k = 0; k < i.elements; ++k) {
        values[static_cast<std::size_t>(i.location + k)].insert(i.value.number);
      }
    }
  }
  return values;
}

}  // namespace

Graphs::Graphs(const Program& program, const cat::Model& model, const GraphOptions& options)
    : program_(program), model_(model), options_(options) {
  find_values();
}

// The values that locations may hold, and with them what each thread can do. A value that is not
// its own reason comes at the end of a chain of writes, each of which needs values of those before
// it to be come to. After as many rounds as there can be writes nothing new comes.
void Graphs::find_values() {
  const std::set<int> left = left_by_spinning(program_);
  Values values = first_values(program_, model_);
  for (std::size_t round = 0;; ++round) {
    traces_.clear();
    std::size_t writes = 0;
    Values next = values;
    for (const Thread& thread : program_.threads) {
      traces_.push_back(traces_of(thread, program_, values, left, options_.traces));
      const Traces& found = traces_.back();
      writes += found.most_writes;
      if (!found.cut.empty()) cut_ = found.cut;
      for (std::size_t l = 0; l < next.size(); ++l) {
        next[l].insert(found.written[l].begin(), found.written[l].end());
      }
    }
    if (round >= writes || next == values) return;
    for (const auto& of_location : next) {
      if (of_location.size() <= kMostValues) continue;
      cut_ = fmt::format("a location may hold more than {} values", kMostValues);
      return;
    }
    values = std::move(next);
  }
}

bool Graphs::stop() {
  if (stopped_) return true;
  if (std::max(candidates_, begun_) >= options_.candidates) {
    cut_ = fmt::format("{} candidate executions were tried", options_.candidates);
    stopped_ = true;
  } else if (++asked_ % kAskEvery == 0 && options_.signs.seen() != Limit::none) {
    cut_ = options_.signs.seen() == Limit::time ? "the time is over" : "interrupted";
    stopped_ = true;
  }
  return stopped_;
}

void Graphs::of(const std::vector<const Trace*>& chosen, const Found& found) {
  // Cheaper than to put an execution together: whether all that is read is written.
  if (stop() || !reads_are_written(chosen)) return;
  const Execution execution(program_, chosen);
  if (!barriers_are_met(execution)) return;
  cat::Evaluation evaluation(model_, execution.size());
  execution.tell(evaluation);
  if (!evaluation.advance(Stage::events)) return;
  found_ = &found;
  Relation reads_from(execution.size());
  choose_writes(execution, evaluation, reads_from, 0);
}

bool Graphs::reads_are_written(const std::vector<const Trace*>& chosen) const {
  std::vector<std::set<Number>> written;
  for (const auto& location : program_.locations) written.push_back({location.initial});
  for (const Trace* trace : chosen) {
    for (const LocalEvent& event : trace->events) {
      if (event.writes) written[static_cast<std::size_t>(event.location)].insert(event.written);
    }
  }
  return std::all_of(chosen.begin(), chosen.end(), [&](const Trace* trace) {
    return std::all_of(trace->events.begin(), trace->events.end(), [&](const LocalEvent& event) {
      return !event.reads || written[static_cast<std::size_t>(event.location)].contains(event.read);
    });
  });
}

// Whether all threads of a block come to each of its barriers equally often; who waits for
// another one for ever has no final state.
bool Graphs::barriers_are_met(const Execution& execution) const {
  std::map<std::pair<Number, int>, int> arrivals;  // by barrier and thread
  for (const Event& event : execution.events()) {
    if (event.thread < 0 || event.of->of->kind != Instruction::Kind::barrier) continue;
    if (!event.of->of->leaves) ++arrivals[{event.of->barrier_id, event.thread}];
  }
  for (const auto& [at, count] : arrivals) {
    const Thread& one = program_.threads[static_cast<std::size_t>(at.second)];
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      if (!same_place(one, program_.threads[t], kBlockLevels)) continue;
      const auto other = arrivals.find({at.first, static_cast<int>(t)});
      if (other == arrivals.end() || other->second != count) return false;
    }
  }
  return true;
}

bool Graphs::choose_writes(const Execution& execution, cat::Evaluation& evaluation,
                           Relation& reads_from, std::size_t read) {
  if (stop()) return false;
  if (read == execution.reads().size()) {
    execution.tell_reads_from(evaluation, reads_from);
    if (!evaluation.advance(Stage::reads_from)) {
      ++candidates_;
      return true;
    }
    Relation coherence(execution.size());
    return choose_orders(execution, evaluation, reads_from, coherence, 0);
  }
  const int reader = execution.reads()[read];
  const Event& event = execution.events()[static_cast<std::size_t>(reader)];
  for (const int writer : execution.writes()[static_cast<std::size_t>(event.location)]) {
    if (execution.events()[static_cast<std::size_t>(writer)].written != event.read) continue;
    if (writer == reader) continue;
    reads_from.add(writer, reader);
    execution.tell_reads_from(evaluation, reads_from);
    ++begun_;
    const bool goes_on = !evaluation.may_hold(Stage::reads_from) ||
                         choose_writes(execution, evaluation, reads_from, read + 1);
    reads_from.remove(writer, reader);
    if (!goes_on) return false;
  }
  return true;
}

const std::vector<Relation>& Graphs::orders_of(std::size_t count) {
  auto& known = orders_[count];
  if (known.empty()) known = partial_orders(count);
  return known;
}

// Whether what is there of the coherence order may become that of an execution that is allowed.
bool Graphs::may_be(const Execution& execution, cat::Evaluation& evaluation,
                    const Relation& reads_from, const Relation& coherence) {
  ++begun_;
  execution.tell_coherence(evaluation, reads_from, coherence, Relation(execution.size()));
  return evaluation.may_hold(Stage::coherence);
}

bool Graphs::choose_orders(const Execution& execution, cat::Evaluation& evaluation,
                           const Relation& reads_from, const Relation& coherence,
                           std::size_t location) {
  if (stop()) return false;
  if (location == execution.writes().size()) {
    return choose_fences(execution, evaluation, reads_from, coherence);
  }
  const std::vector<int>& writes = execution.writes()[location];
  const bool is_total =
      !program_.partial_coherence || std::all_of(writes.begin() + 1, writes.end(), [&](int a) {
        return std::all_of(writes.begin() + 1, writes.end(),
                           [&](int b) { return a == b || execution.ordered_writes().has(a, b); });
      });
  const std::size_t most = is_total ? kMostTotal : kMostPartial;
  if (writes.size() - 1 > most) {
    cut_ = fmt::format("more than {} writes of {} can be ordered in too many ways", most,
                       program_.locations[location].name);
    return true;
  }
  if (!is_total) return choose_partial(execution, evaluation, reads_from, coherence, location);
  Relation next = coherence;
  for (std::size_t a = 1; a < writes.size(); ++a) next.add(writes[0], writes[a]);
  return choose_next(execution, evaluation, reads_from, next, location,
                     {writes.begin() + 1, writes.end()});
}

// Which of the writes that are left comes first.
bool Graphs::choose_next(const Execution& execution, cat::Evaluation& evaluation,
                         const Relation& reads_from, const Relation& coherence,
                         std::size_t location, std::vector<int> rest) {
  if (stop()) return false;
  if (rest.size() < 2) {
    return choose_orders(execution, evaluation, reads_from, coherence, location + 1);
  }
  for (std::size_t i = 0; i < rest.size(); ++i) {
    std::vector<int> others = rest;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    Relation next = coherence;
    for (const int other : others) next.add(rest[i], other);
    if (!may_be(execution, evaluation, reads_from, next)) continue;
    if (!choose_next(execution, evaluation, reads_from, next, location, std::move(others))) {
      return false;
    }
  }
  return true;
}

bool Graphs::choose_partial(const Execution& execution, cat::Evaluation& evaluation,
                            const Relation& reads_from, const Relation& coherence,
                            std::size_t location) {
  const std::vector<int>& writes = execution.writes()[location];
  for (const Relation& order : orders_of(writes.size() - 1)) {
    Relation next = coherence;
    for (std::size_t a = 1; a < writes.size(); ++a) {
      next.add(writes[0], writes[a]);
      for (std::size_t b = 1; b < writes.size(); ++b) {
        if (order.has(static_cast<int>(a) - 1, static_cast<int>(b) - 1)) {
          next.add(writes[a], writes[b]);
        }
      }
    }
    const bool orders_all = std::all_of(writes.begin(), writes.end(), [&](int a) {
      return std::all_of(writes.begin(), writes.end(), [&](int b) {
        return !execution.ordered_writes().has(a, b) || next.has(a, b) || next.has(b, a);
      });
    });
    if (!orders_all || !may_be(execution, evaluation, reads_from, next)) continue;
    if (!choose_orders(execution, evaluation, reads_from, next, location + 1)) return false;
  }
  return true;
}

// All orders of fences of sequential consistency, of which only those of one scope count.
bool Graphs::choose_fences(const Execution& execution, cat::Evaluation& evaluation,
                           const Relation& reads_from, const Relation& coherence) {
  std::vector<int> line = execution.ordered_fences();
  std::vector<Relation> seen;
  do {
    Relation fences(execution.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
      for (std::size_t j = i + 1; j < line.size(); ++j) {
        if (execution.same_scope().has(line[i], line[j])) fences.add(line[i], line[j]);
      }
    }
    if (std::find(seen.begin(), seen.end(), fences) != seen.end()) continue;
    seen.push_back(fences);
    ++candidates_;
    execution.tell_coherence(evaluation, reads_from, coherence, fences);
    if (!evaluation.advance(Stage::coherence)) continue;
    // Another order of the fences makes no other execution.
    return (*found_)(execution, evaluation, reads_from, coherence);
  } while (std::next_permutation(line.begin(), line.end()));
  return true;
}

}  // namespace headway::consistency
