#include "verify/observed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "kernel/ir/arithmetic.hpp"
#include "smt/solver.hpp"
#include "verify/trial_memory.hpp"
#include "verify/trials.hpp"

namespace headway::verify {

namespace {

using Clock = std::chrono::steady_clock;
using kernel::kNone;

constexpr int kShare = 60;                    // of the time for a kernel
constexpr std::size_t kMostEvents = 4000;     // of a thread
constexpr std::size_t kMostRounds = 6;        // of a loop, and its last one
constexpr std::size_t kMostKeptAccesses = 4;  // of a site, the last ones

// What a thread has done.
struct Event {
  enum class Kind : std::uint8_t { head, leaves, access, barrier } kind = Kind::head;
  int loop = kNoLoop;
  bool enters = false;             // comes to the head from outside
  std::vector<TrialValue> values;  // of the head's variables, by LoopState::carried
  int site = -1, region = 0;
  std::uint64_t offset = 0;
  TrialValue value;
  bool clears = false;  // a barrier of all memory
};

// The rounds of a loop, from where it is entered to where it is left: events.
struct Visit {
  std::vector<std::size_t> rounds;
  std::size_t end = 0;
};
// A loop, and the rounds of loops around it, the outermost first.
using Key = std::vector<std::size_t>;

struct Trace {
  bool whole = true;
  std::vector<Event> events;
  std::map<Key, Visit> visits;
};

class Observer final : public Watcher {
 public:
  Observer(const kernel::Module& module, const kernel::Function& function, const Flow& flow,
           smt::Context& context, Encoding& encoding, Clock::time_point until,
           const std::function<void(std::size_t)>& refuted)
      : f_(function),
        flow_(flow),
        c_(context),
        encoding_(encoding),
        regions_(regions_of(module, function)),
        until_(until),
        refuted_(refuted) {
    for (const kernel::Block& block : f_.blocks) {
      for (const kernel::Instruction& i : block.code) sites_.emplace(&i, 2 * sites_.size());
    }
  }

  void begins(const TrialLaunch& launch) override {
    traces_.clear();
    const std::size_t of_group = group_threads(launch), groups = launch.groups.size();
    // Of the first workgroup some at each end, of others the first ones and the last.
    for (std::size_t g = 0; g < groups && g < 3; ++g) {
      const std::size_t first = g * of_group;
      for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{5},
                                  of_group / 2, of_group - 1}) {
        if (k < of_group && (g == 0 || k < 2 || k == of_group - 1)) traces_[first + k];
      }
    }
  }

  void jumps(std::size_t thread, BlockId from, BlockId to,
             const std::vector<TrialValue>& registers) override {
    Trace* const trace = trace_of(thread);
    if (trace == nullptr) return;
    for (int l = flow_.loop[from]; l != kNoLoop && !flow_.in_loop(to, l); l = parent(l)) {
      Event left;
      left.kind = Event::Kind::leaves;
      left.loop = l;
      trace->events.push_back(std::move(left));
    }
    const int l = flow_.loop[to];
    if (l == kNoLoop || loop(l).head != to) return;
    Event here;
    here.loop = l;
    here.enters = !flow_.in_loop(from, l);
    for (const Carried& one : encoding_.loops[index(l)].carried) {
      here.values.push_back(carried(one, registers));
    }
    trace->events.push_back(std::move(here));
  }

  void accesses(std::size_t thread, const kernel::Instruction& by, int region, std::uint64_t offset,
                TrialValue value) override {
    Trace* const trace = trace_of(thread);
    if (trace == nullptr) return;
    Event here;
    here.kind = Event::Kind::access;
    here.site = static_cast<int>(sites_.at(&by));
    here.region = region;
    here.offset = offset;
    // Pointers are other numbers in a run.
    here.value = value;
    if (by.op == kernel::Op::store && f_.value(by.operands[1]).type.is_pointer()) {
      here.value.known = false;
    }
    trace->events.push_back(std::move(here));
  }

  void passes(std::size_t thread, const kernel::Instruction& barrier) override {
    Trace* const trace = trace_of(thread);
    if (trace == nullptr) return;
    Event here;
    here.kind = Event::Kind::barrier;
    here.clears = barrier.memory == 3 &&
                  (barrier.op != kernel::Op::barrier || barrier.scope != kernel::Scope::subgroup);
    trace->events.push_back(std::move(here));
  }

  void ends(const TrialLaunch& launch, const TrialResult& result) override {
    // Of what all threads did that end, and where all that is claimed holds. Races do not matter:
    // the encoding lets reads give any value.
    const bool counts = result.complete && std::all_of(result.faults.begin(), result.faults.end(),
                                                       [](const TrialFault& fault) {
                                                         return fault.property == Property::race;
                                                       });
    if (!counts) return;
    for (auto& [thread, trace] : traces_) find_visits(trace);
    for (const auto& [first, one] : traces_) {
      for (const auto& [second, other] : traces_) {
        if (first == second || !one.whole || !other.whole) continue;
        look_at(launch, {first, second}, {&one, &other});
        if (Clock::now() >= until_) return;
      }
    }
  }

 private:
  using Pair = std::array<const Trace*, 2>;
  using Threads = std::array<std::size_t, 2>;

  static std::size_t group_threads(const TrialLaunch& launch) {
    return std::size_t{launch.block[0]} * launch.block[1] * launch.block[2];
  }
  static std::size_t index(int l) { return static_cast<std::size_t>(l); }
  const Loop& loop(int l) const { return flow_.loops[index(l)]; }
  int parent(int l) const { return loop(l).parent; }

  Trace* trace_of(std::size_t thread) {
    const auto at = traces_.find(thread);
    if (at == traces_.end() || !at->second.whole) return nullptr;
    if (at->second.events.size() >= kMostEvents) {
      at->second.whole = false;
      return nullptr;
    }
    return &at->second;
  }

  // As the encoding has it: of pointers to one region their offset in it.
  TrialValue carried(const Carried& one, const std::vector<TrialValue>& registers) const {
    if (one.value == kNone || one.hold >= 0 || one.selects) return {0, false};
    const TrialValue held = registers[one.value];
    if (!one.pointer) return held;
    const std::set<int>& to = regions_.of_value[one.value];
    const bool known = held.known && to.size() == 1 && *to.begin() > kUnknownRegion &&
                       (held.bits >> TrialMemory::kShift) != 0;
    return {TrialMemory::offset(held.bits), known};
  }

  void find_visits(Trace& trace) const {
    std::map<int, std::size_t> round;
    std::map<int, Visit*> open;
    for (std::size_t k = 0; k < trace.events.size(); ++k) {
      const Event& e = trace.events[k];
      if (e.kind == Event::Kind::leaves) {
        if (open.contains(e.loop)) open[e.loop]->end = k;
        continue;
      }
      if (e.kind != Event::Kind::head) continue;
      if (!e.enters && !open.contains(e.loop)) {  // the first block is a head
        trace.whole = false;
        return;
      }
      if (e.enters) {
        round[e.loop] = 0;
        open[e.loop] = &trace.visits[key_of(e.loop, round)];
      } else {
        ++round[e.loop];
      }
      open[e.loop]->rounds.push_back(k);
      open[e.loop]->end = trace.events.size();
    }
  }

  Key key_of(int l, const std::map<int, std::size_t>& round) const {
    Key key;
    for (int outer = parent(l); outer != kNoLoop; outer = parent(outer)) {
      key.push_back(round.at(outer));
    }
    key.push_back(index(l));
    std::reverse(key.begin(), key.end());
    return key;
  }

  void look_at(const TrialLaunch& launch, const Threads& threads, const Pair& traces) {
    for (const auto& [key, mine] : traces[0]->visits) {
      const auto others = traces[1]->visits.find(key);
      if (others == traces[1]->visits.end()) continue;
      const std::size_t rounds = std::max(mine.rounds.size(), others->second.rounds.size());
      for (std::size_t k = 0; k < rounds; ++k) {
        if (k >= kMostRounds && k + 1 < rounds) continue;
        if (Clock::now() >= until_) return;
        State state(*this, launch, threads, traces, key, k);
        state.judge();
      }
    }
  }

  // One state at the head of a loop.
  class State {
   public:
    State(Observer& all, const TrialLaunch& launch, const Threads& threads, const Pair& traces,
          const Key& key, std::size_t round)
        : all_(all),
          c_(all.c_),
          launch_(launch),
          threads_(threads),
          traces_(traces),
          key_(key),
          loop_(static_cast<int>(key[0])),
          state_(all.encoding_.loops[key[0]]) {
      for (std::size_t t = 0; t < 2; ++t) {
        const Visit& visit = traces[t]->visits.at(key);
        active_[t] = round < visit.rounds.size();
        begin_[t] = visit.rounds[0];
        // Of whoever has left everything up to there counts.
        end_[t] = active_[t] ? visit.rounds[round] : visit.end;
        head_[t] = &traces[t]->events[visit.rounds[std::min(round, visit.rounds.size() - 1)]];
      }
    }

    void judge() {
      set_launch();
      set_loop(state_, {head_[0], head_[1]}, {active_[0], active_[1]});
      set_others();
      if (contradictory_) return;
      set_kept();
      // Nothing was chosen of what is logged in loops; then one access at each site.
      decide({});
      for (const Site& site : state_.sites) {
        std::size_t seen = 0;
        for (std::size_t k = end_[0]; k-- > begin_[0] && seen < kMostKeptAccesses;) {
          const Event& e = traces_[0]->events[k];
          if (e.kind == Event::Kind::barrier) break;  // may have cleared it
          if (e.kind != Event::Kind::access || e.site != site.site || e.region != site.region) {
            continue;
          }
          ++seen;
          std::map<Term, std::optional<std::uint64_t>> chosen;
          chosen[site.occurred] = 1;
          chosen[site.offset] = e.offset;
          if (site.value) {
            chosen[*site.value] = std::nullopt;
            if (e.value.known) {
              chosen[*site.value] = e.value.bits & smt::mask_of(c_.width(*site.value));
            }
          }
          decide(chosen);
        }
      }
    }

   private:
    void set(Term leaf, std::uint64_t value) {
      const smt::Node& n = c_.node(leaf);
      if (n.kind == smt::Kind::constant) {
        contradictory_ = contradictory_ || n.value != value;
        return;
      }
      const auto [at, added] = known_.try_emplace(leaf, value);
      contradictory_ = contradictory_ || (!added && at->second != value);
    }

    void set_launch() {
      const std::size_t of_group = group_threads(launch_);
      const auto parts = [](std::size_t n, const Size& size) {
        return std::array<std::uint64_t, 3>{n % size[0], n / size[0] % size[1],
                                            n / size[0] / size[1]};
      };
      for (std::size_t t = 0; t < 2; ++t) {
        const auto mine = parts(threads_[t] % of_group, launch_.block);
        const auto group = parts(launch_.groups[threads_[t] / of_group], launch_.grid);
        for (std::size_t d = 0; d < 3; ++d) {
          set(all_.encoding_.thread_id[t][d], mine[d]);
          set(all_.encoding_.group_id[t][d], group[d]);
        }
      }
      same_group_ = threads_[0] / of_group == threads_[1] / of_group;
      for (std::size_t d = 0; d < 3; ++d) {
        set(all_.encoding_.sizes[d], launch_.block[d]);
        set(all_.encoding_.groups[d], launch_.grid[d]);
      }
      for (const auto& [name, term] : all_.encoding_.arguments) {
        for (std::size_t p = 0; p < all_.f_.parameters.size(); ++p) {
          const kernel::Parameter& one = all_.f_.parameters[p];
          if (one.name != name || one.type.is_pointer()) continue;
          set(term, kernel::low_bits(launch_.arguments[p], one.type.bits));
        }
      }
    }

    // The variables of a head, of threads that are in the loop or have left it.
    void set_loop(const LoopState& loop, const std::array<const Event*, 2>& heads,
                  const std::array<bool, 2>& active) {
      for (std::size_t t = 0; t < 2; ++t) {
        if (heads[t] == nullptr) continue;
        set(loop.active_own[t], active[t] ? 1 : 0);
        for (std::size_t k = 0; k < loop.carried.size(); ++k) {
          const TrialValue& value = heads[t]->values[k];
          if (value.known) {
            const int width = c_.width(loop.carried[k].own[t]);
            set(loop.carried[k].own[t],
                width == 0 ? value.bits & 1 : value.bits & smt::mask_of(width));
          }
        }
      }
      for (const Site& site : loop.sites) set(site.occurred, 0);
      if (heads[0] == nullptr || heads[1] == nullptr || !active[0] || !active[1]) return;
      // What is the same in both threads is so by what the encoding assumes.
      for (std::size_t k = 0; k < loop.carried.size(); ++k) {
        const Uniform uniform = loop.carried[k].uniform;
        if (uniform == Uniform::no || (uniform == Uniform::group && !same_group_)) continue;
        const TrialValue &one = heads[0]->values[k], &other = heads[1]->values[k];
        if (one.known && other.known && one.bits != other.bits) contradictory_ = true;
      }
    }

    // Loops around this one are in the round at hand; those beside them have been left.
    void set_others() {
      for (const LoopState& other : all_.encoding_.loops) {
        if (other.unrolled || other.loop == loop_ || other.carried.empty()) continue;
        std::size_t depth = 0;  // of loops around both
        for (int l = all_.parent(other.loop); l != kNoLoop; l = all_.parent(l)) ++depth;
        const bool around = all_.flow_.in_loop(all_.loop(loop_).head, other.loop);
        const int outer = all_.parent(other.loop);
        if (depth >= key_.size()) continue;
        if (!around && outer != kNoLoop && !all_.flow_.in_loop(all_.loop(loop_).head, outer)) {
          continue;
        }
        Key key(key_.begin(), key_.begin() + static_cast<std::ptrdiff_t>(depth) + 1);
        key[0] = index(other.loop);
        std::array<const Event*, 2> heads{nullptr, nullptr};
        for (std::size_t t = 0; t < 2; ++t) {
          const auto visit = traces_[t]->visits.find(key);
          if (visit == traces_[t]->visits.end()) continue;
          const auto& rounds = visit->second.rounds;
          if (around) {
            heads[t] = &traces_[t]->events[rounds.at(key_[depth + 1])];
          } else if (visit->second.end <= begin_[t]) {
            heads[t] = &traces_[t]->events[rounds.back()];
          }
        }
        if (around) {
          set_loop(other, heads, {true, true});
          continue;
        }
        // Whether one that has left counts as there depends on the other one: not known.
        for (std::size_t t = 0; t < 2; ++t) {
          if (heads[t] == nullptr) continue;
          for (std::size_t k = 0; k < other.carried.size(); ++k) {
            const TrialValue& value = heads[t]->values[k];
            const int width = c_.width(other.carried[k].own[t]);
            if (value.known && width > 0) {
              set(other.carried[k].own[t], value.bits & smt::mask_of(width));
            }
          }
        }
        if (heads[0] == nullptr) continue;
        for (const Site& site : other.sites) set(site.occurred, 0);
      }
    }

    // What was logged before the loop is still there, unless a barrier has cleared it.
    void set_kept() {
      bool any = false, all = true;
      for (std::size_t k = begin_[0]; k < end_[0]; ++k) {
        const Event& e = traces_[0]->events[k];
        if (e.kind != Event::Kind::barrier) continue;
        any = true;
        all = all && e.clears;
      }
      if (any && (!all || !same_group_)) return;
      kept_prefix_ = fmt::format("loop{}.kept!", loop_);
      kept_ = !any;
    }

    // Of the leaves of a claim, with what is chosen; nothing where one is not known.
    bool fill(smt::Model& model, Term claim,
              const std::map<Term, std::optional<std::uint64_t>>& chosen) {
      std::vector<Term> leaves = c_.leaves(claim);
      std::sort(leaves.begin(), leaves.end());  // arguments come before what is made of them
      for (const Term leaf : leaves) {
        const auto value = value_of(model, leaf, chosen);
        if (!value) return false;
        model.set(leaf, *value);
      }
      return true;
    }

    std::optional<std::uint64_t> value_of(
        const smt::Model& model, Term leaf,
        const std::map<Term, std::optional<std::uint64_t>>& chosen) {
      if (const auto at = chosen.find(leaf); at != chosen.end()) return at->second;
      if (const auto at = known_.find(leaf); at != known_.end()) return at->second;
      const smt::Node& n = c_.node(leaf);
      const std::string& name = c_.name(n);
      if (n.kind == smt::Kind::variable) {
        if (!kept_prefix_.empty() && name.starts_with(kept_prefix_)) return kept_ ? 1 : 0;
        return {};
      }
      // Memory that is never written.
      const std::string prefix = "memory ";
      if (!name.starts_with(prefix) || n.args.size() != 1 || n.width % 8 != 0 ||
          name.find(' ', prefix.size()) != std::string::npos) {
        return {};
      }
      return content(std::atoi(name.c_str() + prefix.size()), model.value(c_, n.args[0]),
                     n.width / 8);
    }

    std::optional<std::uint64_t> content(int region, std::uint64_t at, int bytes) const {
      if (region <= kUnknownRegion) return {};
      const kernel::Object* object = all_.regions_.all[index(region)].object;
      std::uint64_t value = 0;
      for (int b = bytes; b-- > 0;) {
        const std::uint64_t place = at + static_cast<std::uint64_t>(b);
        std::uint64_t byte = 0;
        if (object != nullptr && object->read_only && object->initial) {
          byte = place < object->initial->size() ? (*object->initial)[place] : 0;
        } else {
          byte = launch_.content(region, place);
        }
        value = value << 8 | byte;
      }
      return value;
    }

    void decide(const std::map<Term, std::optional<std::uint64_t>>& chosen) {
      auto& candidates = all_.encoding_.conditions.candidates;
      smt::Model model;
      for (std::size_t k = 0; k < candidates.size(); ++k) {
        Candidate& one = candidates[k];
        if (!one.alive || one.user || one.loop != loop_) continue;
        const smt::Node& head = c_.node(one.head);
        const bool parts = head.kind == smt::Kind::conjunction;
        for (const Term part : parts ? head.args : std::vector<Term>{one.head}) {
          if (!fill(model, part, chosen) || model.holds(c_, part)) continue;
          one.alive = false;
          all_.refuted_(k);
          break;
        }
      }
    }

    Observer& all_;
    smt::Context& c_;
    const TrialLaunch& launch_;
    const Threads& threads_;
    const Pair& traces_;
    const Key& key_;
    const int loop_;
    const LoopState& state_;
    std::array<bool, 2> active_{};
    std::array<std::size_t, 2> begin_{}, end_{};  // events of the loop
    std::array<const Event*, 2> head_{};
    std::map<Term, std::uint64_t> known_;
    bool contradictory_ = false, same_group_ = false, kept_ = false;
    std::string kept_prefix_;
  };

  const kernel::Function& f_;
  const Flow& flow_;
  smt::Context& c_;
  Encoding& encoding_;
  const Regions regions_;
  Clock::time_point until_;
  const std::function<void(std::size_t)>& refuted_;
  std::map<const kernel::Instruction*, std::size_t> sites_;
  std::map<std::size_t, Trace> traces_;
};

}  // namespace

void refute_by_runs(const kernel::Module& module, const kernel::Function& function,
                    const Flow& flow, const Options& options, smt::Context& context,
                    Encoding& encoding, Clock::time_point until,
                    const std::function<void(std::size_t candidate)>& refuted) {
  // Threads of a subgroup do not step together in runs; and with views, and where equal reads are
  // equal, the encoding has no states behind a race.
  if (options.lockstep || options.equal_reads || encoding.views || flow.loops.empty()) return;
  const std::chrono::milliseconds share = options.kernel_limit / kShare;
  Observer observer(module, function, flow, context, encoding,
                    std::min(until, Clock::now() + share), refuted);
  watch_launches(module, function, options, encoding.learned.equal, observer, share);
}

}  // namespace headway::verify
