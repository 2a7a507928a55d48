#include "kernel/machine/explore.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <unordered_map>

#include "kernel/machine/state_key.hpp"
#include "kernel/machine/walk.hpp"

namespace headway::kernel {

// Pages, each with its object and place, then an end that is no object's, then facts, and the last
// word. So the key is that of one memory and path.
void append_shared(std::vector<std::uint64_t>& key, MachineState& state, Numbers<Page>& pages) {
  for (Instance object = 0; object < state.memory.objects(); ++object) {
    const std::vector<Memory::PagePtr>& all = state.memory.pages(object);
    for (std::size_t page = 0; page < all.size(); ++page) {
      if (!all[page] || all[page]->entries.empty()) continue;
      const std::uint32_t number = pages.of(all[page]);
      state.memory.set_page(object, page, pages.at(number));
      key.push_back(std::uint64_t{object} << 32 | number);
      key.push_back(page);
    }
  }
  key.push_back(~std::uint64_t{0});
  for (const smt::Term fact : state.path) key.push_back(fact.id);
  key.push_back(state.unknowns);
}

std::vector<std::uint64_t> StateKeys::key(MachineState& state, std::vector<int>& from) {
  std::vector<std::uint64_t> result;
  std::vector<bool> alive;
  for (ThreadStatePtr& local : state.threads) {
    const std::uint32_t number = locals_.of(local);
    local = locals_.at(number);
    result.push_back(number);
    alive.push_back(local->status != Status::ended);
  }
  if (state.order) state.order->normalize(alive);
  from.clear();
  if (symmetry_) from = symmetry_->sort(state, result);
  append_shared(result, state, pages_);
  if (state.order) {
    std::vector<std::uint64_t> order;
    state.order->append_key(order);
    result.push_back(orders_.try_emplace(std::move(order), orders_.size()).first->second);
  }
  return result;
}

namespace {

class Explorer {
 public:
  Explorer(Machine& machine, const ExploreOptions& options)
      : machine_(machine),
        options_(options),
        keys_(options.reduce
                  ? std::optional<Symmetry>(std::in_place, machine.code(), machine.launch())
                  : std::nullopt) {}

  Exploration run();

 private:
  struct Node {
    std::uint32_t parent = kNone;
    std::uint32_t instruction = 0;
    int thread = -1;
    Script script;
    std::vector<int> from;  // which thread has come to each place behind the step; none: all stay
    std::vector<std::uint32_t> successors;
    // More than its successors may come of it: not visited, or all have ended, or a step failed.
    bool open = true;
  };

  // The number of the state, and whether it is new.
  std::pair<std::uint32_t, bool> add(MachineState state, std::uint32_t parent, int thread,
                                     std::uint32_t instruction, const Script& script);
  bool is_settled() const;
  bool is_over();
  void expand(std::uint32_t id);
  // Takes all transitions of a thread; whether one led to a state that was known.
  bool take(const MachineState& state, std::uint32_t id, int thread);
  bool is_ample(const MachineState& state, int thread) const;
  // The way to a node, and what the threads there were called at the start.
  std::pair<std::vector<TraceStep>, std::vector<int>> way_to(std::uint32_t id) const;
  Script start_of(std::uint32_t id) const;
  void note_standoff(std::uint32_t id, const std::vector<int>& enabled);
  void found(const Fault& fault, std::uint32_t at, int thread, std::uint32_t instruction,
             const Script& script);
  bool finds_cycle() const;
  std::optional<std::uint32_t> finds_trap() const;
  std::uint32_t number(const MachineState& state, int thread) const {
    const ThreadState& local = *state.threads[static_cast<std::size_t>(thread)];
    return machine_.code().number(local.block, local.index);
  }

  Machine& machine_;
  const ExploreOptions& options_;
  Exploration result_;
  StateKeys keys_;
  std::unordered_map<std::vector<std::uint64_t>, std::uint32_t, VectorHash> numbers_;
  std::vector<Node> nodes_;
  std::deque<std::pair<std::uint32_t, MachineState>> waiting_;
  std::vector<int> staying_;  // threads whose steps from the state at hand lead back to it
  bool failed_ = false;       // a step from the state at hand
  bool excluded_ = false, any_end_ = false;  // some execution
  std::size_t looks_ = 0;                    // at states that may be standoffs
  std::size_t bytes_ = 0;
  // Roughly what a state takes that waits to be visited: its lists of objects and threads, and what
  // is known of their order.
  std::size_t waiting_bytes_ = 0;
};

std::pair<std::vector<TraceStep>, std::vector<int>> Explorer::way_to(std::uint32_t id) const {
  std::vector<std::uint32_t> way;
  for (std::uint32_t node = id; node != kNone; node = nodes_[node].parent) way.push_back(node);
  std::vector<int> names(static_cast<std::size_t>(machine_.launch().threads()));
  std::iota(names.begin(), names.end(), 0);
  std::vector<TraceStep> trace;
  for (std::size_t i = way.size(); i-- > 0;) {
    const Node& node = nodes_[way[i]];
    if (node.parent != kNone) {
      trace.push_back(
          {names[static_cast<std::size_t>(node.thread)], node.instruction, node.script});
    }
    if (node.from.empty()) continue;
    std::vector<int> moved;
    for (const int thread : node.from) moved.push_back(names[static_cast<std::size_t>(thread)]);
    names = std::move(moved);
  }
  return {std::move(trace), std::move(names)};
}

Script Explorer::start_of(std::uint32_t id) const {
  while (nodes_[id].parent != kNone) id = nodes_[id].parent;
  return nodes_[id].script;
}

void Explorer::note_standoff(std::uint32_t id, const std::vector<int>& enabled) {
  constexpr std::size_t most = 64, most_looks = 4096;
  if (staying_.empty() || staying_.size() == enabled.size()) return;
  if (result_.standoffs.size() >= most || ++looks_ > most_looks) return;
  // By the names at the start, as threads of different subgroups may have changed places.
  auto [trace, names] = way_to(id);
  const auto name = [&names = names](int of) { return names[static_cast<std::size_t>(of)]; };
  const Launch& launch = machine_.launch();
  const auto is_stuck = [&](int thread) {
    return std::any_of(staying_.begin(), staying_.end(), [&](int other) {
      return other == thread || launch.subgroup_of(name(other)) == launch.subgroup_of(name(thread));
    });
  };
  if (!std::all_of(enabled.begin(), enabled.end(), is_stuck)) return;
  Standoff made{std::move(trace), start_of(id), {}};
  for (const int thread : staying_) made.waiting.push_back(name(thread));
  result_.standoffs.push_back(std::move(made));
}

void Explorer::found(const Fault& fault, std::uint32_t at, int thread, std::uint32_t instruction,
                     const Script& script) {
  if (fault.kind == FaultKind::excluded) {
    excluded_ = true;
    return;
  }
  if (fault.kind == FaultKind::limit && options_.stop.seen() != Limit::none) {
    result_.limit = options_.stop.seen();
    return;
  }
  if (fault.kind == FaultKind::unsupported || fault.kind == FaultKind::limit) {
    if (!result_.obstacle) result_.obstacle = fault;
    return;
  }
  for (FoundFault& known : result_.faults) {
    if (known.fault.kind != fault.kind) continue;
    if (!known.fault.possible || fault.possible) return;
    known = {};  // what is certain says more
    known.fault = fault;
  }
  auto [trace, names] = way_to(at);
  const auto name = [&names = names](int of) {
    return of < 0 ? of : names[static_cast<std::size_t>(of)];
  };
  FoundFault made{fault, std::move(trace), at == kNone ? script : start_of(at)};
  if (thread >= 0) made.trace.push_back({name(thread), instruction, script});
  made.fault.thread = name(fault.thread);
  made.fault.other_thread = name(fault.other_thread);
  for (FoundFault& known : result_.faults) {
    if (known.fault.kind == fault.kind) {
      known = std::move(made);
      return;
    }
  }
  result_.faults.push_back(std::move(made));
}

std::pair<std::uint32_t, bool> Explorer::add(MachineState state, std::uint32_t parent, int thread,
                                             std::uint32_t instruction, const Script& script) {
  std::vector<int> from;
  std::vector<std::uint64_t> key = keys_.key(state, from);
  bytes_ += key.size() * 8 + 160;
  const auto [entry, is_new] = numbers_.try_emplace(std::move(key), nodes_.size());
  if (is_new) {
    nodes_.push_back({parent, instruction, thread, script, std::move(from), {}, true});
    bytes_ += waiting_bytes_;
    waiting_.emplace_back(entry->second, std::move(state));
  }
  return {entry->second, is_new};
}

bool Explorer::take(const MachineState& state, std::uint32_t id, int thread) {
  bool known = false;
  Script script;
  do {
    MachineState next = state;
    const std::uint32_t at = number(state, thread);
    machine_.step(next, thread, script);
    ++result_.steps;
    if (next.fault) {
      failed_ = true;
      found(*next.fault, id, thread, at, script);
      continue;
    }
    const auto [to, is_new] = add(std::move(next), id, thread, at, script);
    nodes_[id].successors.push_back(to);
    known = known || !is_new;
    if (to == id) staying_.push_back(thread);
  } while (!is_settled() && script.advance());
  return known;
}

bool overlap(const Machine::Touch& a, const Machine::Touch& b) {
  const auto ends_before = [](const Machine::Touch& x, const Machine::Touch& y) {
    return x.at < y.at && y.at - x.at >= static_cast<std::uint64_t>(x.bytes);
  };
  return a.object == b.object && !ends_before(a, b) && !ends_before(b, a);
}

// Whether nobody else will do anything before this thread's step that its order with the step
// would matter for.
bool Explorer::is_ample(const MachineState& state, int thread) const {
  // Up to its next park a thread is alone.
  if (state.threads[static_cast<std::size_t>(thread)]->status == Status::released) return true;
  const auto touch = machine_.touch(state, thread);
  if (!touch || touch->object == kNone) return false;
  const Launch& launch = machine_.launch();
  const Code& code = machine_.code();
  const int group = thread / launch.group_threads();
  for (int other = 0; other < launch.threads(); ++other) {
    const ThreadState& local = *state.threads[static_cast<std::size_t>(other)];
    if (other == thread || local.status == Status::ended) continue;
    const bool together = other / launch.group_threads() == group;
    const std::uint32_t here = code.number(local.block, local.index);
    for (const std::uint32_t ahead : code.ahead(here, together)) {
      if (commute(code.effect(ahead), touch->effect)) continue;
      // Of where it is, and does not come again, the place is known, and not the object alone.
      if (ahead == here && !code.comes_again(here, together)) {
        if (const auto next = machine_.touch(state, other);
            next && next->object != kNone && next->bytes > 0 && touch->bytes > 0) {
          if (overlap(*touch, *next)) return false;
          continue;
        }
      }
      const Bases& bases = code.bases(code.instruction(ahead).operands[0]);
      if (bases.any) return false;
      for (const std::uint32_t parameter : bases.parameters) {
        const Cell argument = launch.argument(parameter, other);
        if (!argument.is_pointer() || argument.object == touch->object) return false;
      }
      for (const ObjectId object : bases.objects) {
        if (launch.instance(object, other) == touch->object) return false;
      }
    }
  }
  return true;
}

// Whether there is no need to go on.
bool Explorer::is_settled() const {
  if (!machine_.spins().empty()) return true;
  return !options_.all_faults && !result_.faults.empty() && !result_.faults.front().fault.possible;
}

// Whether a limit is reached, which stays so.
bool Explorer::is_over() {
  if (result_.limit != Limit::none) return true;
  if (nodes_.size() >= options_.max_states) result_.limit = Limit::states;
  if (bytes_ >= options_.max_memory) result_.limit = Limit::memory;
  if (result_.limit == Limit::none) result_.limit = options_.stop.seen();
  return result_.limit != Limit::none;
}

void Explorer::expand(std::uint32_t id) {
  const MachineState state = std::move(waiting_.front().second);
  waiting_.pop_front();
  bytes_ -= waiting_bytes_;
  const int threads = machine_.launch().threads();
  std::vector<int> enabled;
  for (int t = 0; t < threads; ++t) {
    const Status status = state.threads[static_cast<std::size_t>(t)]->status;
    if (status == Status::ready || status == Status::released) enabled.push_back(t);
  }
  if (enabled.empty()) {
    any_end_ = true;
    if (const auto fault = standstill(machine_, state)) {
      found(*fault, id, -1, 0, {});
    } else if (options_.keep_ends) {
      result_.ends.push_back(state);
    }
    return;
  }
  staying_.clear();
  failed_ = false;
  int ample = -1;
  if (options_.reduce && enabled.size() > 1) {
    for (const int t : enabled) {
      if (is_ample(state, t)) {
        ample = t;
        break;
      }
    }
  }
  const bool alone = ample >= 0 && !take(state, id, ample);
  for (const int t : enabled) {
    if (alone) break;
    if (is_over()) return;  // a launch may have more threads than there is memory for states
    if (t != ample) take(state, id, t);
  }
  nodes_[id].open = failed_;
  if (!alone) note_standoff(id, enabled);
}

// Whether there is a cycle, by taking away what nothing leads to.
bool Explorer::finds_cycle() const {
  std::vector<std::uint32_t> into(nodes_.size());
  for (const Node& node : nodes_) {
    for (const std::uint32_t to : node.successors) ++into[to];
  }
  std::vector<std::uint32_t> free;
  for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
    if (into[id] == 0) free.push_back(id);
  }
  std::size_t gone = 0;
  while (!free.empty()) {
    const std::uint32_t id = free.back();
    free.pop_back();
    ++gone;
    for (const std::uint32_t to : nodes_[id].successors) {
      if (--into[to] == 0) free.push_back(to);
    }
  }
  return gone < nodes_.size();
}

// A state that is not before an open one. Leaving out steps that others cannot affect does
// not hide ends: what is left leads to all of them (P. Godefroid, LNCS 1032, on persistent sets).
std::optional<std::uint32_t> Explorer::finds_trap() const {
  std::vector<std::vector<std::uint32_t>> before(nodes_.size());
  std::vector<bool> leads_out(nodes_.size());
  std::vector<std::uint32_t> open;
  for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
    for (const std::uint32_t to : nodes_[id].successors) before[to].push_back(id);
    leads_out[id] = nodes_[id].open;
    if (nodes_[id].open) open.push_back(id);
  }
  while (!open.empty()) {
    const std::uint32_t id = open.back();
    open.pop_back();
    for (const std::uint32_t from : before[id]) {
      if (!leads_out[from]) open.push_back(from);
      leads_out[from] = true;
    }
  }
  // Where all that threads do changes nothing it shows what they wait for.
  std::optional<std::uint32_t> first;
  for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
    if (leads_out[id]) continue;
    const auto& next = nodes_[id].successors;
    if (std::all_of(next.begin(), next.end(), [id](std::uint32_t to) { return to == id; })) {
      return id;
    }
    if (!first) first = id;
  }
  return first;
}

Exploration Explorer::run() {
  const Launch& launch = machine_.launch();
  const auto threads = static_cast<std::size_t>(launch.threads());
  waiting_bytes_ =
      launch.objects.size() * 48 + threads * (160 + (machine_.options().races ? threads * 4 : 0));
  // Unknown data may have a launch begin in so many ways that none would be followed: what is found
  // is then found by a shortest way from the first ones: few, as one may take long.
  constexpr std::size_t most_at_once = 16;
  std::size_t at_once = 1;
  Script script;
  bool begins = true;
  do {
    for (std::size_t n = 0; begins && n < at_once; ++n) {
      MachineState state = machine_.initial(script);
      if (state.fault) {
        found(*state.fault, kNone, -1, 0, script);
      } else {
        add(std::move(state), kNone, -1, 0, script);
      }
      begins = script.advance();
      if (is_over()) break;
    }
    for (std::size_t n = 0; !waiting_.empty() && (!begins || n < at_once); ++n) {
      if (is_settled() || is_over()) break;
      expand(waiting_.front().first);
    }
    at_once = std::min(2 * at_once, most_at_once);
  } while ((begins || !waiting_.empty()) && !is_settled() && !is_over());
  result_.states = nodes_.size();
  result_.spins = machine_.spins();
  result_.complete = !begins && waiting_.empty() && !result_.obstacle && result_.spins.empty() &&
                     result_.limit == Limit::none;
  result_.has_cycle = finds_cycle();
  result_.all_excluded =
      result_.complete && excluded_ && !any_end_ && !result_.has_cycle && result_.faults.empty();
  if (result_.has_cycle && result_.faults.empty() && result_.spins.empty()) {
    if (const auto trap = finds_trap()) result_.trap = {way_to(*trap).first, start_of(*trap)};
  }
  return std::move(result_);
}

}  // namespace

namespace {

class Coverage : public Watcher {
 public:
  explicit Coverage(Machine& machine)
      : machine_(machine), reached_(machine.code().function().blocks.size()) {
    if (!reached_.empty()) reached_.front() = true;
    machine_.show(this);
  }
  ~Coverage() override { machine_.show(nullptr); }
  Coverage(const Coverage&) = delete;
  Coverage& operator=(const Coverage&) = delete;

  void done(int, std::uint32_t, const std::vector<Cell>&) override {}
  void went(int, BlockId, BlockId to) override {
    if (to < reached_.size()) reached_[to] = true;
  }
  const std::vector<bool>& reached() const { return reached_; }

 private:
  Machine& machine_;
  std::vector<bool> reached_;
};

}  // namespace

Exploration explore(Machine& machine, const ExploreOptions& options) {
  if (!options.coverage) return Explorer(machine, options).run();
  const Coverage coverage(machine);
  Exploration result = Explorer(machine, options).run();
  result.reached = coverage.reached();
  return result;
}

}  // namespace headway::kernel
