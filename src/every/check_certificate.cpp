#include "every/check_certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "every/objection.hpp"

namespace headway::every {
namespace {

using lang::idiom::Code;
using lang::idiom::ThreadState;
using Claim = Certificate::Claim;
using Newcomer = Certificate::Newcomer;

// Of a special that is fresh or has ended, in nodes; a step that ends a thread.
constexpr int kFreshMark = -3, kEndMark = -1;

// Passes -----------------------------------------------------------------------------------------

// A certificate that holds of every N: its nodes hold whatever can happen, and the rounds drop, of
// the steps between them, all that could be taken for ever.
class PassCheck {
 public:
  PassCheck(const Certificate& certificate, const Uniform& family)
      : c_(certificate), family_(family) {}

  void run() {
    read_lists();
    check_nodes();
    if (c_.claim == Claim::safe) return;
    check_escapes();
    for (const Step& step : all_) {
      if (!promised_elsewhere(step) && !escapes(step)) left_.push_back(step);
    }
    for (const Round& round : c_.rounds) replay(round);
    require(left_.empty(), "{} steps are left that may go on for ever", left_.size());
  }

 private:
  using Key = std::vector<int>;
  struct Step {
    int from, to, place, next;
  };
  struct Next {
    int place, memory;
  };

  int nodes() const { return static_cast<int>(c_.nodes.size()); }
  bool is_place(int p) const { return p >= 0 && p < static_cast<int>(c_.places.size()); }
  bool in_crowd(int place) const { return c_.places[place][0] >= family_.specials(); }

  Key key_of(int kind, const ThreadState& local) const {
    const auto& registers = family_.code.threads[family_.thread_of[kind]].registers;
    Key key = {kind, local.at};
    for (std::size_t r = 0; r < registers.size(); ++r) key.push_back(local.registers[r]);
    return key;
  }

  void read_lists() {
    for (std::size_t p = 0; p < c_.places.size(); ++p) {
      const Key& place = c_.places[p];
      require(place.size() >= 2 && place[0] >= 0 && place[0] < family_.kinds(),
              "place {} is of no kind", p);
      const auto& code = family_.code.threads[family_.thread_of[place[0]]];
      const int end = static_cast<int>(code.instructions.size()) - 1;
      require(place[1] >= 0 && place[1] < end && place.size() == 2 + code.registers.size() &&
                  lang::idiom::is_stop(code.instructions[place[1]].kind),
              "place {} is nowhere in the program", p);
      require(places_.emplace(place, static_cast<int>(p)).second, "place {} comes twice", p);
    }
    for (std::size_t m = 0; m < c_.memories.size(); ++m) {
      require(c_.memories[m].size() == family_.code.initial.size(), "memory {} has other cells", m);
      for (std::size_t cell = 0; cell < c_.memories[m].size(); ++cell) {
        const auto& variable = family_.code.variables[family_.code.variable_of[cell]];
        require(variable.low <= c_.memories[m][cell] && c_.memories[m][cell] <= variable.high,
                "memory {} holds a value out of range", m);
      }
      memories_.emplace(c_.memories[m], static_cast<int>(m));
    }
  }

  int cap(int place) const {
    return static_cast<std::size_t>(place) < c_.caps.size() ? c_.caps[place] : 0;
  }
  bool may_stand(const AbstractNode& node, int place) const {
    return static_cast<std::size_t>(place) < node.may.size() && node.may[place];
  }
  static int count(const AbstractNode& node, int place) {
    for (const auto& [at, count] : node.counts) {
      if (at == place) return count;
    }
    return 0;
  }

  Key key_of(const AbstractNode& node) const {
    Key key = {node.memory};
    key.insert(key.end(), node.specials.begin(), node.specials.end());
    for (const auto& [place, count] : node.counts) {
      key.push_back(place);
      key.push_back(count);
    }
    return key;
  }

  void check_node(int n) const {
    const AbstractNode& node = c_.nodes[n];
    require(node.memory >= 0 && node.memory < static_cast<int>(c_.memories.size()) &&
                node.specials.size() == static_cast<std::size_t>(family_.specials()),
            "node {} has no memory or other threads", n);
    for (int s = 0; s < family_.specials(); ++s) {
      const int at = node.specials[s];
      require(at == kFreshMark || at == kEndMark || (is_place(at) && c_.places[at][0] == s),
              "thread {} is nowhere at node {}", s, n);
    }
    int before = -1;
    for (const auto& [place, count] : node.counts) {
      require(
          place > before && is_place(place) && in_crowd(place) && count > 0 && count <= cap(place),
          "node {} counts {} threads at {}", n, count, place);
      before = place;
    }
    for (std::size_t p = 0; p < node.may.size(); ++p) {
      const int place = static_cast<int>(p);
      require(!node.may[p] || (is_place(place) && in_crowd(place) && cap(place) == 0),
              "node {} may have threads at {}, which is counted", n, p);
    }
  }

  // What the step of a thread leads to; a memory or a place that is not listed is -2.
  Next step(int place, int memory) {
    const auto [entry, is_new] = steps_.emplace(std::pair{place, memory}, Next{-2, -2});
    if (!is_new) return entry->second;
    const Key& at = c_.places[place];
    ThreadState local;
    local.at = at[1];
    std::copy(at.begin() + 2, at.end(), local.registers.begin());
    std::vector<int> content = c_.memories[memory];
    const StepEnd end = take_step(family_.code, family_.thread_of[at[0]], local, content);
    require(end != StepEnd::fails, "place {} goes wrong with memory {}", place, memory);
    const auto to = memories_.find(content);
    if (to != memories_.end()) entry->second.memory = to->second;
    if (end == StepEnd::ends) {
      entry->second.place = kEndMark;
    } else if (const auto next = places_.find(key_of(at[0], local)); next != places_.end()) {
      entry->second.place = next->second;
    }
    return entry->second;
  }

  int start(int kind) const {
    const auto found = places_.find(key_of(kind, start_of(family_.code, family_.thread_of[kind])));
    require(found != places_.end(), "the start of {} is missing", family_.name(kind));
    return found->second;
  }

  // The node that `node` leads to must be there, and have everybody who may stand somewhere.
  int there(int from, const AbstractNode& node, int arrives) const {
    const auto found = numbers_.find(key_of(node));
    require(found != numbers_.end(), "a step leads from node {} to none", from);
    const AbstractNode& to = c_.nodes[found->second];
    for (std::size_t p = 0; p < node.may.size(); ++p) {
      require(!node.may[p] || may_stand(to, static_cast<int>(p)),
              "node {} forgets who may stand at {}", found->second, p);
    }
    require(arrives < 0 || may_stand(to, arrives), "node {} misses who comes to {}", found->second,
            arrives);
    return found->second;
  }

  void check_nodes() {
    require(nodes() > 0, "there are no nodes");
    for (int n = 0; n < nodes(); ++n) {
      check_node(n);
      require(numbers_.emplace(key_of(c_.nodes[n]), n).second, "node {} comes twice", n);
    }
    AbstractNode initial;
    const auto memory = memories_.find(family_.code.initial);
    require(memory != memories_.end(), "the initial memory is missing");
    initial.memory = memory->second;
    initial.specials.assign(static_cast<std::size_t>(family_.specials()), kFreshMark);
    require(numbers_.count(key_of(initial)) > 0, "the initial node is missing");
    for (int n = 0; n < nodes(); ++n) {
      for (int s = 0; s < family_.specials(); ++s) step_special(n, s);
      for (int kind = family_.specials(); kind < family_.kinds(); ++kind) {
        step_crowd(n, start(kind), true);
      }
      for (const auto& [place, count] : c_.nodes[n].counts) step_crowd(n, place, false);
      for (std::size_t p = 0; p < c_.nodes[n].may.size(); ++p) {
        if (c_.nodes[n].may[p]) step_crowd(n, static_cast<int>(p), false);
      }
    }
  }

  Next known_step(int n, int place) {
    const Next next = step(place, c_.nodes[n].memory);
    require(next.place != -2 && next.memory != -2, "a step of node {} leads to nothing listed", n);
    return next;
  }

  void step_special(int n, int s) {
    AbstractNode node = c_.nodes[n];
    const int at = node.specials[s];
    if (at == kEndMark) return;
    const int place = at == kFreshMark ? start(s) : at;
    const Next next = known_step(n, place);
    node.memory = next.memory;
    node.specials[s] = next.place;
    const int to = there(n, node, -1);
    if (at != kFreshMark && next.place != kEndMark) all_.push_back({n, to, place, next.place});
  }

  void step_crowd(int n, int place, bool starts) {
    const Next next = known_step(n, place);
    // What is left there: one less, unless there were more than are counted.
    std::vector<int> left = {count(c_.nodes[n], place)};
    if (!starts && cap(place) > 0) {
      if (left[0] < cap(place)) left.pop_back();
      left.push_back(count(c_.nodes[n], place) - 1);
    }
    for (const int remaining : left) {
      std::map<int, int> counts(c_.nodes[n].counts.begin(), c_.nodes[n].counts.end());
      counts[place] = remaining;
      int arrives = -1;
      if (next.place >= 0) {
        if (cap(next.place) == 0) arrives = next.place;
        counts[next.place] = std::min(cap(next.place), counts[next.place] + 1);
      }
      // A thread that stays is not one less.
      if (!starts && next.place == place) counts[place] = count(c_.nodes[n], place);
      AbstractNode node = c_.nodes[n];
      node.memory = next.memory;
      node.counts.clear();
      for (const auto& [at, number] : counts) {
        if (number > 0) node.counts.emplace_back(at, number);
      }
      const int to = there(n, node, arrives);
      if (!starts && next.place != kEndMark) all_.push_back({n, to, place, next.place});
    }
  }

  // What models say --------------------------------------------------------------------------

  Promise promise() const { return c_.reading.promise; }
  // By ids: low specials, the crowd, top specials.
  int height(int kind) const {
    return kind >= family_.specials() ? family_.low : kind < family_.low ? kind : kind + 1;
  }
  int first_alive(const AbstractNode& node) const {
    int s = 0;
    while (s < family_.low && node.specials[s] == kEndMark) ++s;
    return s < family_.low ? s : -1;
  }

  // Somebody who has not started is promised a step, so that the layer is left.
  bool promised_elsewhere(const Step& step) const {
    const AbstractNode& node = c_.nodes[step.from];
    const int first = first_alive(node);
    for (int s = 0; s < family_.specials(); ++s) {
      if (node.specials[s] != kFreshMark) continue;
      if (promise() == Promise::fair) return true;
      if ((promise() == Promise::hsa || promise() == Promise::hsa_obe) && s == first) return true;
      if (promise() != Promise::lobe) continue;
      if (height(c_.places[step.place][0]) > height(s)) return true;
      for (int other = 0; other < family_.specials(); ++other) {
        if (node.specials[other] != kFreshMark && height(other) > height(s)) return true;
      }
    }
    return false;
  }

  bool goes_on(const AbstractNode& node, int place) const {
    const int kind = c_.places[place][0];
    if (promise() == Promise::unfair) return false;
    if (promise() == Promise::hsa) return first_alive(node) == kind;
    return kind < family_.specials() || count(node, place) > 0;
  }

  void check_escapes() {
    for (std::size_t e = 0; e < c_.escapes.size(); ++e) check_escape(static_cast<int>(e));
    for (const Escape& escape : c_.escapes) at_[control(escape)].push_back(&escape);
  }

  Key control(const Escape& escape) const {
    Key key = escape.specials;
    key.push_back(escape.memory);
    return key;
  }

  void check_escape(int e) {
    const Escape& escape = c_.escapes[e];
    Escape next = escape;
    require(is_place(escape.mover) && escape.memory >= 0 &&
                escape.memory < static_cast<int>(c_.memories.size()) &&
                escape.specials.size() == static_cast<std::size_t>(family_.specials()),
            "escape {} says nothing", e);
    const Next step = this->step(escape.mover, escape.memory);
    if (in_crowd(escape.mover)) {
      const auto at = std::find(next.crowd.begin(), next.crowd.end(), escape.mover);
      require(at != next.crowd.end(), "nobody takes the step of escape {}", e);
      next.crowd.erase(at);
      next.crowd.push_back(step.place);
    } else {
      int& at = next.specials[c_.places[escape.mover][0]];
      require(at == escape.mover, "nobody takes the step of escape {}", e);
      at = step.place;
    }
    if (step.place == kEndMark) return;
    next.memory = step.memory;
    std::sort(next.crowd.begin(), next.crowd.end());
    bool found = false;
    for (const Escape& other : c_.escapes) {
      found = found || (other.distance < escape.distance && control(other) == control(next) &&
                        std::is_sorted(other.crowd.begin(), other.crowd.end()) &&
                        std::includes(next.crowd.begin(), next.crowd.end(), other.crowd.begin(),
                                      other.crowd.end()));
    }
    require(found, "escape {} leads to none that is nearer", e);
  }

  bool ends_alone(int place, int memory) {
    const std::size_t most = c_.places.size() * c_.memories.size();
    for (std::size_t steps = 0; place >= 0 && memory >= 0 && steps <= most; ++steps) {
      const Next next = step(place, memory);
      place = next.place;
      memory = next.memory;
    }
    return place == kEndMark;
  }

  // Strong readings: whether promised steps lead out of the layer.
  bool escapes(const Step& step) {
    if (c_.reading.fairness == Fairness::weak || promise() == Promise::unfair) return false;
    const AbstractNode& node = c_.nodes[step.from];
    if (promise() == Promise::hsa) {
      if (const int s = first_alive(node); s >= 0) return ends_alone(node.specials[s], node.memory);
      bool all = true;
      for (int p = 0; p < static_cast<int>(c_.places.size()) && all; ++p) {
        const int kind = c_.places[p][0];
        const bool stands = kind < family_.specials() ? node.specials[kind] == p
                                                      : count(node, p) > 0 || may_stand(node, p);
        all = !stands || ends_alone(p, node.memory);
      }
      return all;
    }
    Key key = node.specials;
    key.push_back(node.memory);
    const auto found = at_.find(key);
    if (found == at_.end()) return false;
    return std::any_of(found->second.begin(), found->second.end(), [&](const Escape* escape) {
      return std::all_of(escape->crowd.begin(), escape->crowd.end(), [&](int place) {
        const auto needed = std::count(escape->crowd.begin(), escape->crowd.end(), place);
        const int stand = count(node, place);
        return needed <= (stand == 0 && place == step.place ? 1 : stand);
      });
    });
  }

  void replay(const Round& round) {
    require(round.ranks.size() == c_.nodes.size(), "a round ranks other nodes");
    const auto drop = [&](const auto& goes) {
      left_.erase(std::remove_if(left_.begin(), left_.end(), goes), left_.end());
    };
    for (const Step& step : left_) {
      require(round.ranks[step.to] <= round.ranks[step.from], "a rank grows from node {} to {}",
              step.from, step.to);
    }
    drop([&](const Step& step) { return round.ranks[step.to] < round.ranks[step.from]; });
    const auto place_rank = [&](const Step& step, int place) {
      const auto places = round.place_ranks.find(round.ranks[step.from]);
      require(places != round.place_ranks.end() && places->second.count(place) > 0,
              "place {} has no rank at node {}", place, step.from);
      return places->second.at(place);
    };
    drop([&](const Step& step) {
      if (!in_crowd(step.place)) return false;
      const auto from = place_rank(step, step.place), to = place_rank(step, step.next);
      require(to <= from, "a rank grows from place {} to {}", step.place, step.next);
      return to < from;
    });
    std::set<std::pair<std::uint32_t, int>> moving;
    for (const Step& step : left_) moving.emplace(round.ranks[step.from], step.place);
    std::set<int> dropped;
    for (const auto& [node, place] : round.owed) {
      require(node < c_.nodes.size() && is_place(place) && stands(node, place) &&
                  goes_on(c_.nodes[node], place),
              "nobody is owed a step at place {} of node {}", place, node);
      require(moving.count({round.ranks[node], place}) == 0, "steps are taken from place {}",
              place);
      dropped.insert(static_cast<int>(node));
    }
    drop([&](const Step& step) {
      return dropped.count(step.from) > 0 || dropped.count(step.to) > 0;
    });
  }

  bool stands(std::uint32_t node, int place) const {
    const int kind = c_.places[place][0];
    return kind < family_.specials() ? c_.nodes[node].specials[kind] == place
                                     : count(c_.nodes[node], place) > 0;
  }

  const Certificate& c_;
  const Uniform& family_;
  std::map<Key, int> places_, memories_, numbers_;
  std::map<std::pair<int, int>, Next> steps_;
  std::map<Key, std::vector<const Escape*>> at_;
  std::vector<Step> all_, left_;
};

// Fails and errors -------------------------------------------------------------------------------

// An execution of so many threads, and what models promise there.
class Run {
 public:
  Run(const Family& family, int n)
      : code_(lang::idiom::compile(family.syntax, n)),
        started_(n),
        ended_(n),
        memory_(code_.initial) {
    for (int t = 0; t < n; ++t) locals_.push_back(start_of(code_, t));
  }

  StepEnd step(int thread) {
    require(thread >= 0 && thread < threads() && !ended_[thread], "thread {} cannot step", thread);
    started_[thread] = true;
    const StepEnd end = take_step(code_, thread, locals_[thread], memory_);
    ended_[thread] = end == StepEnd::ends;
    return end;
  }

  bool promised(Promise promise, int thread) const {
    if (ended_[thread]) return false;
    const bool first =
        std::all_of(ended_.begin(), ended_.begin() + thread, [](bool e) { return e; });
    const auto above = started_.begin() + thread;
    switch (promise) {
      case Promise::unfair:
        return false;
      case Promise::hsa:
        return first;
      case Promise::obe:
        return started_[thread];
      case Promise::hsa_obe:
        return started_[thread] || first;
      case Promise::lobe:
        return std::find(above, started_.end(), true) != started_.end();
      case Promise::fair:
        break;
    }
    return true;
  }

  int threads() const { return static_cast<int>(locals_.size()); }
  // What tells states apart.
  std::vector<int> state() const {
    std::vector<int> state = memory_;
    for (const ThreadState& local : locals_) {
      state.push_back(local.at);
      state.insert(state.end(), local.registers.begin(), local.registers.end());
    }
    state.insert(state.end(), started_.begin(), started_.end());
    state.insert(state.end(), ended_.begin(), ended_.end());
    return state;
  }
  // Whether a thread that has not started, run alone, comes to its end and leaves memory as it is.
  bool comes_and_goes(int thread) const {
    Run run = *this;
    std::set<std::vector<int>> seen;
    while (!run.ended_[thread] && seen.insert(run.state()).second) {
      if (run.step(thread) == StepEnd::fails) return false;
    }
    return run.ended_[thread] && run.memory_ == memory_;
  }

 private:
  Code code_;
  std::vector<bool> started_, ended_;
  std::vector<int> memory_;
  std::vector<ThreadState> locals_;
};

void check_newcomer(const Certificate& c, const Family& family) {
  if (c.newcomer == Newcomer::none) return;
  const Promise promise = c.reading.promise;
  const bool error = c.claim == Claim::error;
  if (c.newcomer == Newcomer::idle && !error && !family.has_top()) {
    require(promise != Promise::fair, "a newcomer that does not start is promised something");
    if (!family.grows) check_same_run_of_more(c, family);
    return;
  }
  require(family.uniform.has_value(), "the family is not uniform");
  const Uniform& uniform = *family.uniform;
  if (c.newcomer == Newcomer::idle) {
    // The top specials move up. Who looks at ids sees nothing of it while none of them has started.
    const int below = c.n - uniform.top;
    const auto is_below = [&](int thread) { return thread < below; };
    const bool unseen = std::all_of(c.stem.begin(), c.stem.end(), is_below) &&
                        std::all_of(c.cycle.begin(), c.cycle.end(), is_below);
    require(error || promise == Promise::unfair || promise == Promise::obe ||
                (unseen && promise != Promise::fair),
            "ids move, and the model looks at them");
    return;
  }
  require(!error && promise != Promise::lobe, "a newcomer that has started makes promises");
  const Run run(family, uniform.specials() + uniform.classes);
  for (int kind = uniform.specials(); kind < uniform.kinds(); ++kind) {
    require(run.comes_and_goes(uniform.thread_of[kind]), "{} changes memory", uniform.name(kind));
  }
}

void check_run(const Certificate& c, const Family& family) {
  require(c.n >= family.smallest && c.n <= kMaxThreads, "there are not {} threads", c.n);
  check_newcomer(c, family);
  Run run(family, c.n);
  for (std::size_t i = 0; i < c.stem.size(); ++i) {
    const bool fails = run.step(c.stem[i]) == StepEnd::fails;
    const bool last = c.claim == Claim::error && i + 1 == c.stem.size();
    require(fails == last, "step {} goes wrong, or the last one does not", i);
  }
  if (c.claim == Claim::error) return require(!c.stem.empty(), "nothing goes wrong");
  require(!c.cycle.empty(), "there is no cycle");
  const std::vector<int> begin = run.state();
  std::map<std::vector<int>, std::set<int>> taken, promised;
  for (const int thread : c.cycle) {
    std::set<int>& here = promised[run.state()];
    for (int t = 0; t < c.n; ++t) {
      if (run.promised(c.reading.promise, t)) here.insert(t);
    }
    taken[run.state()].insert(thread);
    require(run.step(thread) != StepEnd::fails, "a step of the cycle goes wrong");
  }
  require(run.state() == begin, "the cycle does not come back to where it began");
  for (int t = 0; t < c.n; ++t) {
    const bool steps = std::find(c.cycle.begin(), c.cycle.end(), t) != c.cycle.end();
    bool always = true;
    for (const auto& [state, owed] : promised) {
      const bool owes = owed.count(t) > 0;
      always = always && owes;
      require(c.reading.fairness == Fairness::weak || !owes || taken[state].count(t) > 0,
              "thread {} is owed a step that is never taken", t);
    }
    require(!always || steps, "thread {} is owed a step and takes none", t);
  }
}

}  // namespace

std::optional<std::string> objection_to(const Certificate& certificate) {
  return objection_to(certificate, {certificate.reading});
}

std::optional<std::string> objection_to(const Certificate& certificate,
                                        const std::vector<Reading>& readings) {
  const Family family = read_family(certificate.program, "the program of the certificate");
  try {
    if (certificate.claim != Claim::safe && certificate.claim != Claim::pass) {
      check_run(certificate, family);
    } else if (certificate.row) {
      check_row(certificate, family, readings);
    } else if (certificate.counted) {
      check_counted(certificate, family, readings);
    } else {
      require(family.uniform.has_value(), "the family is not uniform");
      for (const Reading reading : readings) {
        Certificate claimed = certificate;
        claimed.reading = reading;
        PassCheck(claimed, *family.uniform).run();
      }
    }
  } catch (const Objection& objection) {
    return objection.text;
  } catch (const Unsupported& unsupported) {
    return unsupported.text;
  } catch (const Error& error) {
    return error.what();
  } catch (const std::overflow_error& error) {
    return error.what();
  }
  return std::nullopt;
}

}  // namespace headway::every
