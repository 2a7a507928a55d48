#include "oracle/readings_oracle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace headway::oracle::readings {
namespace {

using lockstep::Program;
using lockstep::Statement;
using lockstep::Value;
using Kind = Statement::Kind;

// The flow of control ----------------------------------------------------------------------------

enum class Class { local, access, vote, label, branch };

// Of a block, in front of its branch: a statement, or the access of a condition.
struct Instruction {
  Class what = Class::local;
  const Statement* statement = nullptr;
  bool condition = false;  // reads what the condition of the statement reads
};

struct Block {
  std::vector<Instruction> instructions;
  std::vector<int> loops;  // around it, from the outside in
  const Statement* decides = nullptr;
  int then = -1, otherwise = -1;  // -1: the end
};

class Graph {
 public:
  explicit Graph(const Program& program) {
    const int last = list(program.body, add({}), {});
    if (last >= 0) blocks_[last].then = blocks_[last].otherwise = -1;
  }
  const Block& at(int block) const { return blocks_[block]; }
  int header(int loop) const { return headers_[loop]; }

 private:
  struct Around {
    std::vector<int> loops;
    int merge = -1, next = -1;  // of the innermost loop
  };

  int add(const Around& around) {
    blocks_.push_back({{}, around.loops, nullptr, -1, -1});
    return static_cast<int>(blocks_.size()) - 1;
  }
  void jump(int from, int to) { blocks_[from].then = blocks_[from].otherwise = to; }
  void decide(int block, const Statement& s, int then, int otherwise) {
    if (s.reads != Statement::Reads::nothing) {
      blocks_[block].instructions.push_back({Class::access, &s, true});
    }
    blocks_[block].decides = &s;
    blocks_[block].then = then;
    blocks_[block].otherwise = otherwise;
  }

  // Returns the block that goes on behind the statements; -1 where none does.
  int list(const std::vector<Statement>& statements, int block, const Around& around) {
    for (const Statement& s : statements) {
      switch (s.kind) {
        case Kind::branch: {
          const int then = add(around);
          const int merge = add(around);
          const int otherwise = s.otherwise.empty() ? merge : add(around);
          decide(block, s, then, otherwise);
          if (const int end = list(s.body, then, around); end >= 0) jump(end, merge);
          if (!s.otherwise.empty()) {
            if (const int end = list(s.otherwise, otherwise, around); end >= 0) jump(end, merge);
          }
          block = merge;
          break;
        }
        case Kind::loop:
        case Kind::do_loop: {
          const int loop = static_cast<int>(headers_.size());
          headers_.push_back(-1);
          const int merge = add(around);
          Around inside = around;
          inside.loops.push_back(loop);
          const int header = headers_[loop] = add(inside);
          inside.next = add(inside);
          inside.merge = merge;
          jump(block, header);
          if (s.kind == Kind::loop) {
            const int body = add(inside);
            decide(header, s, body, merge);
            if (const int end = list(s.body, body, inside); end >= 0) jump(end, inside.next);
            jump(inside.next, header);
          } else {
            if (const int end = list(s.body, header, inside); end >= 0) jump(end, inside.next);
            decide(inside.next, s, header, merge);
          }
          block = merge;
          break;
        }
        case Kind::break_:
          jump(block, around.merge);
          return -1;
        case Kind::continue_:
          jump(block, around.next);
          return -1;
        case Kind::return_:
          jump(block, -1);
          return -1;
        case Kind::set:
          blocks_[block].instructions.push_back({Class::local, &s});
          break;
        case Kind::operation:
          blocks_[block].instructions.push_back({Class::vote, &s});
          break;
        case Kind::load:
        case Kind::store:
        case Kind::exchange:
        case Kind::fetch_add:
        case Kind::choose:
          blocks_[block].instructions.push_back({Class::access, &s});
          break;
        default:
          throw std::logic_error("no statement of this oracle");
      }
    }
    return block;
  }

  std::vector<Block> blocks_;
  std::vector<int> headers_;
};

// Threads ----------------------------------------------------------------------------------------

// A block, and the rounds of the loops around it.
using Dynamic = std::pair<int, std::vector<int>>;

struct Thread {
  bool ended = false;
  Dynamic block;
  int pc = 0;  // 0: the label; the last one: the branch
  bool open = false;
  std::vector<int> registers = {0, 0};
  int read = 0;  // by the condition

  friend auto operator<=>(const Thread&, const Thread&) = default;
};

struct State {
  std::vector<Thread> threads;
  std::vector<int> memory = {0, 0};
  std::set<std::pair<int, Dynamic>> closed;  // by subgroup
  std::map<int, std::set<int>> side;         // that runs, by subgroup
  friend auto operator<=>(const State&, const State&) = default;
};

enum class How { independent, synchronous, collective };

class Execution {
 public:
  Execution(const Program& program, Reading reading)
      : program_(program), graph_(program), reading_(reading) {}

  Results run(std::size_t most) {
    State first;
    first.threads.resize(
        static_cast<std::size_t>(program_.workgroups * program_.subgroups * program_.lanes));
    std::set<State> seen{first};
    std::vector<State> open{first};
    Results results;
    results.all = true;
    while (!open.empty()) {
      const State state = open.back();
      open.pop_back();
      next_.clear();
      steps(state);
      const bool ended = std::all_of(state.threads.begin(), state.threads.end(),
                                     [](const Thread& t) { return t.ended; });
      if (ended) {
        results.memories.insert(fmt::format("x0={} x1={}", state.memory[0], state.memory[1]));
      } else if (next_.empty() && !dropped_) {
        results.stuck = true;
      }
      for (State& next : next_) {
        if (seen.size() >= most) {
          results.all = false;
        } else if (seen.insert(next).second) {
          open.push_back(std::move(next));
        }
      }
    }
    return results;
  }

 private:
  How how(Class what) const {
    const bool cm = reading_ == Reading::cm || reading_ == Reading::mr;
    switch (what) {
      case Class::vote:
        return How::collective;
      case Class::label:
      case Class::branch:
        return cm || reading_ == Reading::sm || reading_ == Reading::scf ? How::collective
                                                                         : How::independent;
      case Class::access:
        return cm ? How::collective : reading_ == Reading::sm ? How::synchronous : How::independent;
      case Class::local:
        break;
    }
    return How::independent;
  }

  Class what(const Thread& t) const {
    const Block& block = graph_.at(t.block.first);
    if (t.pc == 0) return Class::label;
    const auto place = static_cast<std::size_t>(t.pc) - 1;
    if (place == block.instructions.size()) return Class::branch;
    return block.instructions[place].what;
  }

  int subgroup(int thread) const { return thread / program_.lanes; }
  int lane(int thread) const { return thread % program_.lanes; }

  // Where a way from a block to another one leads; nothing where that is the end.
  std::optional<Dynamic> after(const Dynamic& from, int to) const {
    if (to < 0) return std::nullopt;
    const Block &here = graph_.at(from.first), &there = graph_.at(to);
    Dynamic result{to, {}};
    for (std::size_t i = 0; i < there.loops.size(); ++i) {
      const bool shared = i < here.loops.size() && here.loops[i] == there.loops[i];
      int round = shared ? from.second[i] : 0;
      // Whoever comes to the header from inside has gone round.
      if (shared && to == graph_.header(there.loops[i])) ++round;
      result.second.push_back(round);
    }
    return result;
  }

  std::vector<std::optional<Dynamic>> children(const Dynamic& from) const {
    const Block& block = graph_.at(from.first);
    std::vector<std::optional<Dynamic>> result{after(from, block.then)};
    if (block.otherwise != block.then) result.push_back(after(from, block.otherwise));
    return result;
  }

  // Whether rounds have been that a block cannot have any more: those of a loop around both are
  // greater.
  bool is_past(const Dynamic& at, const Dynamic& block) const {
    const auto &own = graph_.at(at.first).loops, &its = graph_.at(block.first).loops;
    for (std::size_t i = 0; i < own.size() && i < its.size() && own[i] == its[i]; ++i) {
      if (at.second[i] != block.second[i]) return at.second[i] > block.second[i];
    }
    return false;
  }
  // Of loops that are not around `block` it makes no difference which round it is.
  Dynamic without_others(Dynamic at, const Dynamic& block) const {
    const auto &own = graph_.at(at.first).loops, &its = graph_.at(block.first).loops;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (i >= its.size() || own[i] != its[i]) at.second[i] = 0;
    }
    return at;
  }

  // Whether some way, and whether every way, leads from a block to another one.
  std::pair<bool, bool> ways(const Dynamic& from, const Dynamic& to) const {
    bool some = false, every = true;
    std::set<Dynamic> seen;
    std::vector<Dynamic> open{from};
    while (!open.empty()) {
      const Dynamic at = open.back();
      open.pop_back();
      for (const auto& child : children(at)) {
        if (!child) {
          every = false;
        } else if (*child == to) {
          some = true;
        } else if (is_past(*child, to)) {
          every = false;
        } else if (const Dynamic next = without_others(*child, to); seen.insert(next).second) {
          open.push_back(next);
        }
      }
    }
    return {some, some && every};
  }

  std::set<int> active(const State& state, int subgroup, const Dynamic& block) const {
    std::set<int> result;
    for (int t = subgroup * program_.lanes; t < (subgroup + 1) * program_.lanes; ++t) {
      if (!state.threads[t].ended && state.threads[t].block == block) result.insert(t);
    }
    return result;
  }

  // Those that may come; with `have_to`, those that have to.
  std::set<int> unknown(const State& state, int subgroup, const Dynamic& block,
                        bool have_to = false) const {
    std::set<int> result;
    for (int t = subgroup * program_.lanes; t < (subgroup + 1) * program_.lanes; ++t) {
      const Thread& thread = state.threads[t];
      if (thread.ended || thread.block == block) continue;
      const auto [some, every] = ways(thread.block, block);
      if (have_to ? every : some) result.insert(t);
    }
    return result;
  }

  bool all_at_it(const State& state, int thread) const {
    const Thread& own = state.threads[thread];
    const std::set<int> here = active(state, subgroup(thread), own.block);
    const bool speculates = reading_ == Reading::spec && what(own) == Class::vote;
    return unknown(state, subgroup(thread), own.block, speculates).empty() &&
           std::all_of(here.begin(), here.end(),
                       [&](int other) { return state.threads[other].pc == own.pc; });
  }

  // Steps ----------------------------------------------------------------------------------------

  void steps(const State& state) {
    dropped_ = false;
    for (int t = 0; t < static_cast<int>(state.threads.size()); ++t) {
      const Thread& own = state.threads[t];
      if (own.ended) continue;
      const How meets = how(what(own));
      if (meets == How::independent) {
        alone(state, t);
      } else if (meets == How::synchronous && own.open) {
        alone(state, t);
      } else if (all_at_it(state, t)) {
        const std::set<int> here = active(state, subgroup(t), own.block);
        if (*here.begin() != t) continue;  // once
        if (meets == How::synchronous) {
          State next = state;
          for (const int other : here) next.threads[other].open = true;
          next_.push_back(std::move(next));
        } else if (may_run(state, here)) {
          together(state, here);
        }
      }
    }
  }

  // Where one side runs: until it can no more.
  bool may_run(const State& state, const std::set<int>& here) const {
    if (reading_ != Reading::mr) return true;
    const int group = subgroup(*here.begin());
    const auto side = state.side.find(group);
    if (side == state.side.end()) return true;
    const auto is_of_side = [&](int t) { return side->second.count(t) > 0; };
    if (std::any_of(here.begin(), here.end(), is_of_side)) return true;
    return std::none_of(side->second.begin(), side->second.end(),
                        [&](int t) { return !state.threads[t].ended && all_at_it(state, t); });
  }

  void alone(const State& state, int thread) {
    take(state, {thread}, {thread}, [&](State next) {
      next.threads[thread].open = false;
      next_.push_back(std::move(next));
    });
  }

  void together(const State& state, const std::set<int>& members) {
    State begun = state;
    if (reading_ == Reading::mr) begun.side[subgroup(*members.begin())] = members;
    std::vector<int> order(members.begin(), members.end());
    const bool vote = what(state.threads[order.front()]) == Class::vote;
    do {
      take(begun, order, members, [&](State next) { next_.push_back(std::move(next)); });
    } while (!vote && reading_ != Reading::mr && std::next_permutation(order.begin(), order.end()));
  }

  // Takes the instruction that threads stand at, one after another, and hands on all that may come.
  template <class Then>
  void take(const State& state, std::vector<int> order, const std::set<int>& members,
            const Then& then) {
    const int first = order.front();
    const Class kind = what(state.threads[first]);
    if (kind == Class::vote) {
      State next = state;
      vote(next, members);
      for (const int t : members) ++next.threads[t].pc;
      return then(std::move(next));
    }
    order.erase(order.begin());
    const auto rest = [&](State next) {
      if (order.empty()) return then(std::move(next));
      take(next, order, members, then);
    };
    State next = state;
    Thread& own = next.threads[first];
    if (kind == Class::branch) {
      const Block& block = graph_.at(own.block.first);
      const bool holds = block.decides == nullptr || this->holds(own, lane(first), *block.decides);
      const auto child = after(own.block, holds ? block.then : block.otherwise);
      own.pc = 0;
      own.ended = !child;
      own.block = child.value_or(Dynamic{0, {}});
      if (!child) own = Thread{true, {0, {}}, 0, false, {0, 0}, 0};
      if (child && next.closed.count({subgroup(first), *child}) > 0) {
        dropped_ = true;
        return;
      }
      return rest(std::move(next));
    }
    if (kind == Class::label) {
      ++own.pc;
      return rest(std::move(next));
    }
    const Instruction& in =
        graph_.at(own.block.first).instructions[static_cast<std::size_t>(own.pc) - 1];
    ++own.pc;
    const bool chooses = in.statement->kind == Kind::choose && !in.condition;
    for (int choice = 0; choice < (chooses ? 2 : 1); ++choice) {
      State taken = next;
      perform(taken, first, in, choice);
      rest(std::move(taken));
    }
  }

  int value(const Thread& thread, int lane, const Value& v) const {
    if (v.kind == Value::Kind::number) return v.number;
    return v.kind == Value::Kind::reg ? thread.registers[v.number] : lane;
  }

  bool holds(const Thread& thread, int lane, const Statement& s) const {
    const bool reads = s.reads != Statement::Reads::nothing;
    return (reads ? thread.read : value(thread, lane, s.value)) == value(thread, lane, s.other);
  }

  void perform(State& state, int thread, const Instruction& in, int choice) const {
    const Statement& s = *in.statement;
    Thread& own = state.threads[thread];
    int& cell = state.memory[s.variable];
    const int operand = value(own, lane(thread), s.value);
    const int old = cell;
    if (in.condition) {
      own.read = old;
      if (s.reads == Statement::Reads::exchange) cell = operand % 3;
      return;
    }
    int result = old;
    if (s.kind == Kind::set) result = operand;
    if (s.kind == Kind::choose) result = choice;
    if (s.kind == Kind::store || s.kind == Kind::exchange) cell = operand % 3;
    if (s.kind == Kind::fetch_add) cell = (old + operand) % 3;
    if (s.kind != Kind::store) own.registers[s.target] = result % 4;
  }

  void vote(State& state, const std::set<int>& members) const {
    const Thread& one = state.threads[*members.begin()];
    const Statement& s =
        *graph_.at(one.block.first).instructions[static_cast<std::size_t>(one.pc) - 1].statement;
    int all = 1, any = 0, ballot = 0;
    for (const int t : members) {
      const bool holds = value(state.threads[t], lane(t), s.value) != 0;
      all = all != 0 && holds ? 1 : 0;
      any = any != 0 || holds ? 1 : 0;
      ballot |= holds ? 1 << lane(t) : 0;
    }
    const int group = subgroup(*members.begin());
    if (reading_ == Reading::spec && !unknown(state, group, one.block).empty()) {
      state.closed.insert({group, one.block});
    }
    for (const int t : members) {
      const int elected = t == *members.begin() ? 1 : 0;
      state.threads[t].registers[s.target] = s.name == "all"      ? all
                                             : s.name == "any"    ? any
                                             : s.name == "ballot" ? ballot
                                                                  : elected;
    }
  }

  const Program& program_;
  const Graph graph_;
  const Reading reading_;
  std::vector<State> next_;
  bool dropped_ = false;
};

}  // namespace

Results results_of(const Program& program, Reading reading, std::size_t most_states) {
  return Execution(program, reading).run(most_states);
}

}  // namespace headway::oracle::readings
