#include "consistency/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

namespace headway::consistency {
namespace {

using Kind = Instruction::Kind;

Number apply(Term::Kind kind, Number a, Number b) {
  // Numbers wrap around, as those of machines do.
  const auto wrapped = [](std::uint64_t bits) { return static_cast<Number>(bits); };
  const auto x = static_cast<std::uint64_t>(a);
  const auto y = static_cast<std::uint64_t>(b);
  switch (kind) {
    case Term::Kind::add:
      return wrapped(x + y);
    case Term::Kind::subtract:
      return wrapped(x - y);
    case Term::Kind::multiply:
      return wrapped(x * y);
    case Term::Kind::bit_and:
      return a & b;
    case Term::Kind::bit_or:
      return a | b;
    case Term::Kind::bit_xor:
      return a ^ b;
    case Term::Kind::minimum:
      return std::min(a, b);
    case Term::Kind::maximum:
      return std::max(a, b);
    case Term::Kind::unsigned_minimum:
      return wrapped(std::min(x, y));
    case Term::Kind::unsigned_maximum:
      return wrapped(std::max(x, y));
    case Term::Kind::equal:
      return a == b ? 1 : 0;
    case Term::Kind::differs:
      return a != b ? 1 : 0;
    case Term::Kind::less:
      return a < b ? 1 : 0;
    case Term::Kind::at_most:
      return a <= b ? 1 : 0;
    case Term::Kind::logical_and:
      return a != 0 && b != 0 ? 1 : 0;
    case Term::Kind::logical_or:
      return a != 0 || b != 0 ? 1 : 0;
    case Term::Kind::divide:
      return a / b;
    case Term::Kind::remainder:
      return a % b;
    case Term::Kind::shift_left:
      return wrapped(x << (y & 63U));
    case Term::Kind::shift_right:
      return a >> (y & 63U);
    case Term::Kind::constant:
    case Term::Kind::of_register:
    case Term::Kind::conditional:
    case Term::Kind::negation:
      break;
  }
  return 0;
}

// A way through the code of a thread, as it is gone.
class Walk {
 public:
  Walk(const Thread& thread, const Program& program, const Values& values,
       const std::set<int>& left, const TraceLimits& limits, Traces& result)
      : thread_(thread),
        program_(program),
        values_(values),
        left_(left),
        limits_(limits),
        result_(result) {
    trace_.registers = thread.initial;
    sources_.resize(thread.registers.size());
    find_live();
    is_head_.resize(thread.code.size() + 1);
    for (std::size_t at = 0; at < thread.code.size(); ++at) {
      const Instruction& instruction = thread.code[at];
      const bool jumps = instruction.kind == Kind::branch || instruction.kind == Kind::jump;
      if (jumps && instruction.to <= at) is_head_[instruction.to] = true;
    }
  }

  void go(std::size_t at) {
    if (!is_head_[at]) return step(at);
    if (passes_ >= limits_.passes) {
      result_.cut =
          fmt::format("{} begins rounds of loops more than {} times", thread_.name, limits_.passes);
      return;
    }
    // The same registers again at the head of a loop, with nothing written since: a round of a
    // wait.
    auto key = std::pair(at, trace_.registers);
    for (std::size_t r = 0; r < key.second.size(); ++r) {
      if (!live_[at][r]) key.second[r] = 0;
    }
    const auto [known, is_new] = heads_.emplace(key, trace_.events.size());
    if (!is_new) {
      if (result_.waiting.size() < limits_.traces) {
        result_.waiting.push_back(trace_);
        result_.waiting.back().round = known->second;
        take_for_reads(result_.waiting.back());
      }
      return;
    }
    const auto [begin, is_first] = begin_.try_emplace(at, 0);
    const std::size_t before = std::exchange(begin->second, trace_.events.size());
    ++passes_;
    step(at);
    --passes_;
    begin->second = before;
    if (is_first) begin_.erase(begin);
    heads_.erase(key);
  }

 private:
  // What a register held, and where that came from.
  struct Before {
    std::size_t target;
    Number value;
    EventSet from;
  };

  // What the thread does alone, up to the next access or the head of a loop, and what is behind.
  void step(std::size_t at) {
    std::vector<Before> before;
    const EventSet control = control_;
    while (const std::optional<std::size_t> next = local_step(at, before)) {
      if (is_head_[*next]) {
        go(*next);
        break;
      }
      at = *next;
    }
    control_ = control;
    for (; !before.empty(); before.pop_back()) {
      trace_.registers[before.back().target] = before.back().value;
      sources_[before.back().target] = before.back().from;
    }
  }

  // Where the thread goes on, if the instruction is its own business and no way back; otherwise all
  // that is behind has been gone through.
  std::optional<std::size_t> local_step(std::size_t at, std::vector<Before>& before) {
    if (result_.traces.size() >= limits_.traces) {
      result_.cut =
          fmt::format("{} has more than {} ways through its code", thread_.name, limits_.traces);
      return std::nullopt;
    }
    if (at == thread_.code.size()) {
      result_.traces.push_back(trace_);
      return std::nullopt;
    }
    // Two events an instruction at most, and those of other threads come on top.
    if (trace_.events.size() + 2 > static_cast<std::size_t>(kMaxEvents)) {
      result_.cut = fmt::format("{} has more than {} events", thread_.name, kMaxEvents);
      return std::nullopt;
    }
    const Instruction& instruction = thread_.code[at];
    const auto jumped = [&](std::size_t to) -> std::optional<std::size_t> {
      if (to > at) return to;
      jump_back(to);
      return std::nullopt;
    };
    switch (instruction.kind) {
      case Kind::load:
      case Kind::update:
      case Kind::exchange:
      case Kind::compare_exchange:
        for (const Number value : values_[static_cast<std::size_t>(location_of(instruction))]) {
          read(at, value);
        }
        return std::nullopt;
      case Kind::store:
        event(at, {.of = &instruction,
                   .writes = true,
                   .location = location_of(instruction),
                   .written = value_of(instruction.value, trace_.registers),
                   .data = sources(instruction.value),
                   .address = sources(instruction.index)});
        return std::nullopt;
      case Kind::fence:
        event(at, {.of = &instruction});
        return std::nullopt;
      case Kind::barrier:
        event(at, {.of = &instruction,
                   .barrier_id = value_of(instruction.barrier_id, trace_.registers)});
        return std::nullopt;
      case Kind::assign: {
        const auto target = static_cast<std::size_t>(instruction.target);
        const EventSet from = sources(instruction.value);
        before.push_back({target, trace_.registers[target], sources_[target]});
        trace_.registers[target] = value_of(instruction.value, trace_.registers);
        sources_[target] = from;
        return at + 1;
      }
      case Kind::branch:
        control_ |= sources(instruction.value);
        return jumped(value_of(instruction.value, trace_.registers) != 0 ? instruction.to : at + 1);
      case Kind::jump:
        return jumped(instruction.to);
      case Kind::error:
        if (value_of(instruction.value, trace_.registers) == 0) return at + 1;
        result_.wrong.push_back(trace_);
        result_.wrong.back().error = &instruction;
        return std::nullopt;
    }
    return std::nullopt;
  }

  // In front of an element whose index is out of bounds the program goes wrong.
  int location_of(const Instruction& instruction) const {
    if (instruction.elements == 1) return instruction.location;
    const Number index = value_of(instruction.index, trace_.registers);
    assert(index >= 0 && index < instruction.elements);
    return instruction.location + static_cast<int>(index);
  }

  // The reads that a term depends on.
  EventSet sources(const Term& term) const {
    if (term.kind == Term::Kind::of_register) {
      return sources_[static_cast<std::size_t>(term.number)];
    }
    EventSet result = 0;
    for (const Term& operand : term.operands) result |= sources(operand);
    return result;
  }

  void push(LocalEvent event) {
    event.control = control_;
    trace_.events.push_back(event);
    if (!event.writes) return;
    result_.written[static_cast<std::size_t>(event.location)].insert(event.written);
    const auto writes = std::count_if(trace_.events.begin(), trace_.events.end(),
                                      [](const LocalEvent& each) { return each.writes; });
    result_.most_writes = std::max(result_.most_writes, static_cast<std::size_t>(writes));
  }

  void event(std::size_t at, const LocalEvent& event) {
    push(event);
    auto heads = std::move(heads_);
    if (!event.writes && event.of->kind != Kind::barrier) {
      heads_ = heads;
    } else {
      heads_.clear();
    }
    go(at + 1);
    heads_ = std::move(heads);
    trace_.events.pop_back();
  }

  void assign(std::size_t at, Number value, EventSet from) {
    const auto target = static_cast<std::size_t>(thread_.code[at].target);
    const Number before = std::exchange(trace_.registers[target], value);
    const EventSet before_from = std::exchange(sources_[target], from);
    go(at + 1);
    trace_.registers[target] = before;
    sources_[target] = before_from;
  }

  // What an instruction writes that has read `old`; nothing where it does not write.
  std::optional<Number> written(const Instruction& instruction, Number old) const {
    switch (instruction.kind) {
      case Kind::update:
        return wrapped(instruction, apply(instruction.update, old,
                                          value_of(instruction.value, trace_.registers)));
      case Kind::exchange:
        return value_of(instruction.value, trace_.registers);
      case Kind::compare_exchange:
        if (old != value_of(instruction.expected, trace_.registers)) return std::nullopt;
        return value_of(instruction.value, trace_.registers);
      case Kind::load:
      case Kind::store:
      case Kind::fence:
      case Kind::barrier:
      case Kind::assign:
      case Kind::branch:
      case Kind::jump:
      case Kind::error:
        break;
    }
    return std::nullopt;
  }
  static Number wrapped(const Instruction& instruction, Number value) {
    if (instruction.modulus == 0) return value;
    const Number over = (value - instruction.lowest) % instruction.modulus;
    return instruction.lowest + (over < 0 ? over + instruction.modulus : over);
  }

  void read(std::size_t at, Number value) {
    const Instruction& instruction = thread_.code[at];
    const std::optional<Number> writes = written(instruction, value);
    const EventSet self = single(static_cast<int>(trace_.events.size()));
    LocalEvent event{.of = &instruction,
                     .reads = true,
                     .location = location_of(instruction),
                     .read = value,
                     .address = sources(instruction.index)};
    event.failed = instruction.kind == Kind::compare_exchange && !writes;
    const EventSet of_value = sources(instruction.value) | sources(instruction.expected);
    std::size_t pushed = 1;
    if (writes && program_.one_event_updates) {
      event.writes = true;
      event.written = *writes;
      event.data = of_value;
    }
    push(event);
    if (writes && !program_.one_event_updates) {
      LocalEvent write{.of = &instruction,
                       .writes = true,
                       .location = event.location,
                       .written = *writes,
                       .second = true,
                       .address = event.address};
      write.data = of_value;
      if (instruction.kind == Kind::update) write.data |= self;
      push(write);
      if (instruction.kind == Kind::compare_exchange) trace_.events.back().control |= self;
      pushed = 2;
    }
    auto heads = heads_;
    if (writes && !leaves(event.location, value, *writes)) heads_.clear();
    if (instruction.target >= 0) {
      assign(at, value, self);
    } else {
      go(at + 1);
    }
    heads_ = std::move(heads);
    trace_.events.resize(trace_.events.size() - pushed);
  }

  void jump_back(std::size_t to) {
    if (!writes_since(to)) return go(to);
    if (rounds_[to] >= limits_.rounds) {
      result_.cut = fmt::format("a loop of {} that writes was left after {} rounds", thread_.name,
                                limits_.rounds);
      return;
    }
    ++rounds_[to];
    go(to);
    --rounds_[to];
  }

  // Whether the round of a loop that ends here has written. A jump into a loop from behind, whose
  // head was never come to, ends none.
  bool writes_since(std::size_t head) const {
    const auto begin = begin_.find(head);
    if (begin == begin_.end()) return false;
    const auto first = static_cast<std::ptrdiff_t>(begin->second);
    return std::any_of(
        trace_.events.begin() + first, trace_.events.end(), [&](const LocalEvent& event) {
          return (event.writes && !is_left(event)) || event.of->kind == Kind::barrier;
        });
  }

  // Whether a write puts what its update has found there, at a location where that may be left out.
  bool leaves(int location, Number found, Number put) const {
    return found == put && left_.contains(location);
  }
  bool is_left(const LocalEvent& event) const {
    if (!event.second) return event.reads && leaves(event.location, event.read, event.written);
    const LocalEvent& read = *(&event - 1);
    return leaves(event.location, read.read, event.written);
  }
  // Makes reads of the updates of the last round of a wait, all of which leave what they find.
  void take_for_reads(Trace& trace) const {
    for (std::size_t e = trace.round; e < trace.events.size(); ++e) {
      LocalEvent& event = trace.events[e];
      if (!event.writes) continue;
      if (!event.second) {
        event.writes = false;
        continue;
      }
      trace.events.erase(trace.events.begin() + static_cast<std::ptrdiff_t>(e));
      const auto moved = [&](EventSet from) {
        const EventSet before = first_events(static_cast<int>(e));
        return (from & before) | (from >> 1 & ~before);
      };
      for (std::size_t later = e--; later < trace.events.size(); ++later) {
        trace.events[later].data = moved(trace.events[later].data);
        trace.events[later].address = moved(trace.events[later].address);
        trace.events[later].control = moved(trace.events[later].control);
      }
    }
  }

  static void add_registers(const Term& term, std::vector<bool>& to) {
    if (term.kind == Term::Kind::of_register) to[static_cast<std::size_t>(term.number)] = true;
    for (const Term& operand : term.operands) add_registers(operand, to);
  }
  void add_registers(const Proposition& of, std::vector<bool>& to) const {
    const bool own = of.kind == Proposition::Kind::compares_register &&
                     &program_.threads[static_cast<std::size_t>(of.thread)] == &thread_;
    if (own) to[static_cast<std::size_t>(of.which)] = true;
    for (const Proposition& operand : of.operands) add_registers(operand, to);
  }
  // The registers that may still be read in front of each instruction, and behind the last one
  // those of the condition: the least solution, from back to front.
  void find_live() {
    live_.assign(thread_.code.size() + 1, std::vector<bool>(thread_.registers.size()));
    add_registers(program_.condition, live_.back());
    add_registers(program_.filter, live_.back());
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t at = thread_.code.size(); at-- > 0;) {
        const Instruction& of = thread_.code[at];
        std::vector<bool> live = live_[of.kind == Kind::jump ? of.to : at + 1];
        if (of.kind == Kind::branch) {
          for (std::size_t r = 0; r < live.size(); ++r) live[r] = live[r] || live_[of.to][r];
        }
        if (of.target >= 0) live[static_cast<std::size_t>(of.target)] = false;
        for (const Term* term : {&of.value, &of.expected, &of.index, &of.barrier_id}) {
          add_registers(*term, live);
        }
        changed = changed || live != live_[at];
        live_[at] = std::move(live);
      }
    }
  }

  const Thread& thread_;
  const Program& program_;
  const Values& values_;
  const std::set<int>& left_;  // locations
  const TraceLimits& limits_;
  Traces& result_;
  Trace trace_;
  std::vector<EventSet> sources_;  // of registers
  EventSet control_ = 0;
  std::vector<bool> is_head_;            // of a loop, by instruction
  std::vector<std::vector<bool>> live_;  // registers, by instruction
  // The heads of loops that were come to since the last write, with what the registers held.
  // Each with how many events there were.
  std::map<std::pair<std::size_t, std::vector<Number>>, std::size_t> heads_;
  std::size_t passes_ = 0;                    // of heads, on this way
  std::map<std::size_t, int> rounds_;         // that wrote, by head
  std::map<std::size_t, std::size_t> begin_;  // of the round of a loop, in events
};

}  // namespace

Number value_of(const Term& term, const std::vector<Number>& registers) {
  if (term.kind == Term::Kind::constant) return term.number;
  if (term.kind == Term::Kind::of_register) {
    return registers[static_cast<std::size_t>(term.number)];
  }
  const Number a = value_of(term.operands[0], registers);
  if (term.kind == Term::Kind::negation) return a == 0 ? 1 : 0;
  if (term.kind == Term::Kind::conditional) {
    return value_of(term.operands[a != 0 ? 1 : 2], registers);
  }
  return apply(term.kind, a, value_of(term.operands[1], registers));
}

Traces traces_of(const Thread& thread, const Program& program, const Values& values,
                 const std::set<int>& left, const TraceLimits& limits) {
  Traces result;
  result.written.resize(program.locations.size());
  Walk(thread, program, values, left, limits, result).go(0);
  return result;
}

}  // namespace headway::consistency
