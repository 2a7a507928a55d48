// The step tables of a program: which local states its threads can have, and what their steps do.
//
// Every cell has a set of values that it may ever hold: the initial one, and what any step writes
// that can be taken when each cell holds any value of its set. The smallest such sets are found by
// adding to them until nothing is new. They are more than what the cell really ever holds, as they
// know nothing of other cells and of time; so there may be local states that no execution reaches,
// which does no harm.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/bits/hash.hpp"
#include "lang/idiom/program.hpp"

namespace headway::lang::idiom {
namespace {

constexpr std::size_t kMaxLocals = 20'000;        // of a thread
constexpr std::size_t kMaxOutcomes = 2'000'000;   // of all threads
constexpr std::size_t kMaxTableSize = 8'000'000;  // the same, with the holes of tables

struct LocalHash {
  std::size_t operator()(const ThreadState& local) const {
    std::uint64_t hash = mix(static_cast<std::uint64_t>(local.at) + 7);
    for (const int value : local.registers) {
      hash = mix(hash ^ static_cast<std::uint32_t>(value));
    }
    return hash;
  }
};

// The local states of a thread as they are found.
struct Found {
  struct Outcome {
    int value = 0;    // read
    int next = 0;     // local state
    int written = 0;  // the value of the cell after the step
  };
  std::vector<ThreadState> locals;
  std::vector<Access> accesses;                // of each; of none where the thread has no step
  std::vector<std::vector<Outcome>> outcomes;  // of each
  std::unordered_map<ThreadState, int, LocalHash> numbers;
};

class Enumeration {
 public:
  Enumeration(const Code& code, const std::vector<Machine>& machines,
              const TableLimits& limits = {})
      : code_(code), machines_(machines), limits_(limits), found_(machines.size()) {
    for (const int value : code.initial) values_.push_back({value});
    held_.resize(values_.size());
    for (std::size_t c = 0; c < held_.size(); ++c) held_[c].insert(code.initial[c]);
  }

  bool run() {
    for (std::size_t t = 0; t < found_.size(); ++t) number(t, machines_[t].start());
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t t = 0; t < found_.size(); ++t) {
        const std::size_t most = std::min(kMaxLocals, limits_.max_locals);
        for (std::size_t l = 0; l < found_[t].locals.size() && stopped_by_ == Limit::none; ++l) {
          changed |= extend(t, l);
          if (++asked_ % 256 == 0) stopped_by_ = limits_.signs.seen();
          if (found_[t].locals.size() > most || memory() > limits_.max_memory) break;
        }
        if (stopped_by_ != Limit::none) return give_up("there was no time to find them");
        if (found_[t].locals.size() > most) {
          return give_up(fmt::format("thread {} has more than {} local states", t, most));
        }
        if (memory() > limits_.max_memory) return give_up("they would take too much memory");
        if (outcomes_ > kMaxOutcomes) {
          return give_up(fmt::format("its threads have more than {} local steps", kMaxOutcomes));
        }
      }
    }
    const std::size_t entries = table_size();
    if (entries * sizeof(StepTables::Outcome) > limits_.max_memory) {
      return give_up("they would take too much memory");
    }
    if (entries <= kMaxTableSize) return true;
    return give_up(fmt::format("its tables would have more than {} entries", kMaxTableSize));
  }

  // Why run() gave up.
  const std::string& reason() const { return reason_; }
  Limit stopped_by() const { return stopped_by_; }

  // How many outcomes tables() will have: one for every value up to the largest of a cell.
  std::size_t table_size() const {
    std::size_t size = 0;
    for (const Found& found : found_) {
      for (const Access& access : found.accesses) {
        if (access.cell < 0) continue;
        const auto cell = static_cast<std::size_t>(access.cell);
        size += static_cast<std::size_t>(*held_[cell].rbegin() - low_of(cell) + 1);
      }
    }
    return size;
  }

  StepTables tables() const {
    StepTables tables;
    for (std::size_t c = 0; c < values_.size(); ++c) {
      const int low = low_of(c);
      const int highest = *held_[c].rbegin();
      tables.variables.push_back({static_cast<std::uint16_t>(highest - low + 1),
                                  static_cast<std::uint16_t>(code_.initial[c] - low)});
    }
    tables.variables.push_back({1, 0});  // for steps without an access
    for (std::size_t t = 0; t < found_.size(); ++t) tables.threads.push_back(thread(t, tables));
    return tables;
  }

 private:
  // The local states of a thread in which it has a step, numbered breadth first, by increasing
  // values, so that equal code has equal tables.
  std::vector<int> order(std::size_t t) const {
    const Found& found = found_[t];
    std::vector<int> order;
    std::vector<bool> reached(found.locals.size(), false);
    const auto reach = [&](int local) {
      if (reached[local] || !steps(t, found.locals[local])) return;
      reached[local] = true;
      order.push_back(local);
    };
    reach(0);
    // The list grows meanwhile. NOLINTNEXTLINE(modernize-loop-convert)
    for (std::size_t i = 0; i < order.size(); ++i) {
      auto outcomes = found.outcomes[order[i]];
      std::sort(outcomes.begin(), outcomes.end(),
                [](const auto& a, const auto& b) { return a.value < b.value; });
      for (const auto& outcome : outcomes) reach(outcome.next);
    }
    return order;
  }

  // What was found takes so many bytes, with the nodes of hash tables and room to grow.
  std::size_t memory() const {
    return locals_ * (2 * sizeof(ThreadState) + sizeof(Access) + 80) + outcomes_ * 24;
  }
  bool give_up(std::string reason) {
    reason_ = std::move(reason);
    return false;
  }
  int low_of(std::size_t cell) const { return code_.variables[code_.variable_of[cell]].low; }
  bool steps(std::size_t t, const ThreadState& local) const {
    return local.at != ThreadState::kFailed && !machines_[t].ended(local);
  }

  int number(std::size_t t, const ThreadState& local) {
    Found& found = found_[t];
    const auto [entry, is_new] =
        found.numbers.emplace(local, static_cast<int>(found.locals.size()));
    if (is_new) {
      ++locals_;
      found.locals.push_back(local);
      found.accesses.push_back(steps(t, local) ? machines_[t].access(local) : Access{});
      found.outcomes.emplace_back();
    }
    return entry->second;
  }

  // Takes the step of a local state for the values that it has not been taken for.
  bool extend(std::size_t t, std::size_t l) {
    if (!steps(t, found_[t].locals[l])) return false;
    const Access access = found_[t].accesses[l];
    const std::size_t first = found_[t].outcomes[l].size();
    for (std::size_t v = first;; ++v) {
      const std::size_t known = access.cell < 0 ? 1 : values_[access.cell].size();
      if (v == known || outcomes_ > kMaxOutcomes) return v > first;
      const int old = access.cell < 0 ? 0 : values_[access.cell][v];
      ThreadState local = found_[t].locals[l];
      Failure failure;
      const auto written = machines_[t].step(local, access, old, failure);
      if (written && held_[access.cell].insert(*written).second) {
        values_[access.cell].push_back(*written);
      }
      const int next = number(t, local);
      found_[t].outcomes[l].push_back({old, next, written.value_or(old)});
      ++outcomes_;
    }
  }

  StepTables::Thread thread(std::size_t t, const StepTables& tables) const {
    const Found& found = found_[t];
    const std::vector<int> order = this->order(t);
    std::vector<int> place(found.locals.size(), -1);
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<int>(i);
    StepTables::Thread thread;
    const auto end = static_cast<std::uint16_t>(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const int cell = found.accesses[order[i]].cell;
      const auto self = static_cast<std::uint16_t>(i);
      StepTables::LocalRow& local = thread.locals.emplace_back();
      local.variable = static_cast<std::uint16_t>(cell < 0 ? values_.size() : cell);
      const std::size_t count = tables.variables[local.variable].values;
      // A value that the variable never holds leads nowhere.
      for (std::size_t v = 0; v < count; ++v) {
        local.outcomes.push_back({self, static_cast<std::uint16_t>(v)});
      }
      const int low = cell < 0 ? 0 : low_of(static_cast<std::size_t>(cell));
      for (const auto& outcome : found.outcomes[order[i]]) {
        const ThreadState& next = found.locals[outcome.next];
        std::uint16_t to = end;
        if (next.at == ThreadState::kFailed) {
          to = static_cast<std::uint16_t>(end + 1);
          thread.may_fail = true;
        } else if (place[outcome.next] >= 0) {
          to = static_cast<std::uint16_t>(place[outcome.next]);
        }
        local.outcomes[outcome.value - low] = {to,
                                               static_cast<std::uint16_t>(outcome.written - low)};
      }
    }
    return thread;
  }

  const Code& code_;
  const std::vector<Machine>& machines_;
  const TableLimits limits_;
  std::vector<std::vector<int>> values_;  // by cell, in the order in which they were found
  std::vector<std::set<int>> held_;       // the same, sorted
  std::vector<Found> found_;
  std::size_t locals_ = 0;  // of all threads
  std::size_t outcomes_ = 0;
  std::size_t asked_ = 0;
  Limit stopped_by_ = Limit::none;
  std::string reason_;
};

// Why a program can have no tables at all; empty if it can.
std::string_view untabled(const Code& code) {
  if (code.waits()) return "its threads wait for each other";
  if (code.chooses()) return "its threads have several transitions";
  if (code.assumes()) return "it makes assumptions";
  if (!code.topology.is_flat()) return "its workgroups have several threads";
  if (!code.final.instructions.empty()) return "it says what memory holds at the end";
  return {};
}

}  // namespace

BoundedTables IdiomProgram::tables_within(const TableLimits& limits) const {
  if (const auto reason = untabled(*code_); !reason.empty()) return {{}, std::string(reason), {}};
  Enumeration enumeration(*code_, machines_, limits);
  if (enumeration.run()) return {enumeration.tables(), {}, {}};
  return {{}, enumeration.reason(), enumeration.stopped_by()};
}

std::optional<StepTables> IdiomProgram::step_tables() const { return tables_within({}).tables; }

std::string IdiomProgram::why_no_tables() const { return tables_within({}).why_none; }

}  // namespace headway::lang::idiom
