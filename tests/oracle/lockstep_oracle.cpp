#include "oracle/lockstep_oracle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

namespace headway::oracle::lockstep {
namespace {

using StatementKind = Statement::Kind;

// As text ----------------------------------------------------------------------------------------

std::string text_of(const Value& value) {
  if (value.kind == Value::Kind::lane) return "lane";
  return fmt::format("{}{}", value.kind == Value::Kind::reg ? "r" : "", value.number);
}

std::string condition_text(const Statement& s) {
  const std::string left = s.reads == Statement::Reads::nothing ? text_of(s.value)
                           : s.reads == Statement::Reads::load
                               ? fmt::format("load(x{})", s.variable)
                               : fmt::format("exch(x{}, {})", s.variable, text_of(s.value));
  return left + " == " + text_of(s.other);
}

std::string text_of(const std::vector<Statement>& list, int depth) {
  std::string text;
  for (const Statement& s : list) {
    text += std::string(static_cast<std::size_t>(2 * depth), ' ');
    const std::string body = " {\n" + text_of(s.body, depth + 1) +
                             std::string(static_cast<std::size_t>(2 * depth), ' ') + "}";
    switch (s.kind) {
      case StatementKind::set:
        text += fmt::format("r{} = {};\n", s.target, text_of(s.value));
        break;
      case StatementKind::load:
        text += fmt::format("r{} = load(x{});\n", s.target, s.variable);
        break;
      case StatementKind::store:
        text += fmt::format("store(x{}, {});\n", s.variable, text_of(s.value));
        break;
      case StatementKind::exchange:
        text += fmt::format("r{} = exch(x{}, {});\n", s.target, s.variable, text_of(s.value));
        break;
      case StatementKind::fetch_add:
        text += fmt::format("r{} = fetch_add(x{}, {});\n", s.target, s.variable, text_of(s.value));
        break;
      case StatementKind::choose:
        text += fmt::format("r{} = choose(0..1);\n", s.target);
        break;
      case StatementKind::await:
        text += fmt::format("await(load(x{}) == {});\n", s.variable, text_of(s.value));
        break;
      case StatementKind::barrier:
        text += fmt::format("barrier({}{});\n", s.grid ? "grid" : "workgroup",
                            s.or_ended ? " or ended" : "");
        break;
      case StatementKind::operation: {
        const bool asks = s.name == "broadcast" || s.name == "shuffle";
        text += fmt::format("r{} = {}({}{});\n", s.target, s.name,
                            s.name == "elect" ? "" : text_of(s.value),
                            asks ? ", " + text_of(s.other) : "");
        break;
      }
      case StatementKind::branch:
        text += "if (" + condition_text(s) + ")" + body;
        if (!s.otherwise.empty()) {
          text += " else {\n" + text_of(s.otherwise, depth + 1) +
                  std::string(static_cast<std::size_t>(2 * depth), ' ') + "}";
        }
        text += "\n";
        break;
      case StatementKind::loop:
        text += "while (" + condition_text(s) + ")" + body + "\n";
        break;
      case StatementKind::do_loop:
        text += "do" + body + " while (" + condition_text(s) + ");\n";
        break;
      case StatementKind::break_:
        text += "break;\n";
        break;
      case StatementKind::continue_:
        text += "continue;\n";
        break;
      case StatementKind::return_:
        text += "return;\n";
        break;
      case StatementKind::assertion:
        text += "assert(" + condition_text(s) + ");\n";
        break;
    }
  }
  return text;
}

// The flow of control ----------------------------------------------------------------------------

constexpr int kEnd = 0;

// A place in the program: in front of a statement, or of a part of one.
struct Place {
  enum class Part { whole, head, read, decide, end };
  Part part = Part::end;
  const Statement* statement = nullptr;
  int next = kEnd;   // where it goes on; of a decision when the condition holds
  int other = kEnd;  // and when it does not
};

class Flow {
 public:
  explicit Flow(const Program& program) {
    places_.emplace_back();
    start_ = list(program.body, kEnd, kEnd, kEnd);
    for (std::size_t p = 0; p < places_.size(); ++p) points_.push_back(point(static_cast<int>(p)));
  }

  int start() const { return start_; }
  const Place& at(int place) const { return places_[static_cast<std::size_t>(place)]; }
  // Nothing where it is the end.
  std::optional<int> reconvergence(int place) const {
    return points_[static_cast<std::size_t>(place)];
  }

 private:
  int add(Place place) {
    places_.push_back(place);
    return static_cast<int>(places_.size()) - 1;
  }

  int list(const std::vector<Statement>& statements, int next, int out, int again) {
    for (auto s = statements.rbegin(); s != statements.rend(); ++s) {
      next = statement(*s, next, out, again);
    }
    return next;
  }

  // The access of a condition, and then what follows from it.
  int condition(const Statement& s, int holds, int fails) {
    const int decide = add({Place::Part::decide, &s, holds, fails});
    if (s.reads == Statement::Reads::nothing) return decide;
    return add({Place::Part::read, &s, decide, kEnd});
  }

  int statement(const Statement& s, int next, int out, int again) {
    switch (s.kind) {
      case StatementKind::branch: {
        const int body = list(s.body, next, out, again);
        return condition(s, body, list(s.otherwise, next, out, again));
      }
      case StatementKind::loop: {
        const int head = add({Place::Part::head, &s, kEnd, kEnd});
        const int body = list(s.body, head, next, head);
        const int test = condition(s, body, next);
        places_[static_cast<std::size_t>(head)].next = test;
        return head;
      }
      case StatementKind::do_loop: {
        const int head = add({Place::Part::head, &s, kEnd, kEnd});
        const int test = condition(s, head, next);
        const int body = list(s.body, test, next, test);
        places_[static_cast<std::size_t>(head)].next = body;
        return head;
      }
      case StatementKind::break_:
        return out;
      case StatementKind::continue_:
        return again;
      case StatementKind::return_:
        return kEnd;
      default:
        return add({Place::Part::whole, &s, next, kEnd});
    }
  }

  // Whether there is a way from one place to another that does not pass a third one.
  bool reaches(int from, int to, int without) const {
    std::set<int> seen;
    std::vector<int> open = {from};
    while (!open.empty()) {
      const int place = open.back();
      open.pop_back();
      if (place == without || !seen.insert(place).second) continue;
      if (place == to) return true;
      if (at(place).part == Place::Part::end) continue;
      open.push_back(at(place).next);
      if (at(place).part == Place::Part::decide) open.push_back(at(place).other);
    }
    return false;
  }

  bool dominates(int place, int from) const { return !reaches(from, kEnd, place); }

  // The post-dominator that all others of this place are post-dominators of, too.
  std::optional<int> point(int place) const {
    std::vector<int> all;
    for (int p = 1; p < static_cast<int>(places_.size()); ++p) {
      if (p != place && dominates(p, place)) all.push_back(p);
    }
    for (const int p : all) {
      if (std::all_of(all.begin(), all.end(),
                      [&](int other) { return other == p || dominates(other, p); })) {
        return p;
      }
    }
    return std::nullopt;
  }

  std::vector<Place> places_;
  std::vector<std::optional<int>> points_;
  int start_ = kEnd;
};

// States -----------------------------------------------------------------------------------------

using Lanes = std::set<int>;

// Lanes that have parted from those that run.
struct Parted {
  int point = kEnd;  // kEnd: they do not come together again
  Lanes waiting;     // at the point
  Lanes pending;     // to go on at `place` when those that run are at the point
  int place = kEnd;
};

enum class Phase { runs, waits, passes };  // the last two at a barrier

struct Subgroup {
  bool failed = false;
  Phase phase = Phase::runs;
  Lanes active;
  int place = kEnd;
  std::vector<Parted> parted;
  std::vector<std::vector<int>> registers;  // by lane; the last one is what a condition has read
};

std::vector<int> pack(const std::vector<Subgroup>& all) {
  std::vector<int> numbers;
  const auto put = [&](const Lanes& lanes) {
    numbers.push_back(static_cast<int>(lanes.size()));
    numbers.insert(numbers.end(), lanes.begin(), lanes.end());
  };
  for (const Subgroup& s : all) {
    numbers.insert(numbers.end(), {s.failed ? 1 : 0, static_cast<int>(s.phase), s.place,
                                   static_cast<int>(s.parted.size())});
    put(s.active);
    for (const Parted& parted : s.parted) {
      numbers.insert(numbers.end(), {parted.point, parted.place});
      put(parted.waiting);
      put(parted.pending);
    }
    for (const auto& registers : s.registers) {
      numbers.insert(numbers.end(), registers.begin(), registers.end());
    }
  }
  return numbers;
}

class Interpreter {
 public:
  explicit Interpreter(const Program& program) : program_(program), flow_(program) {}

  int subgroups() const { return program_.workgroups * program_.subgroups; }

  std::vector<int> initial() {
    std::vector<Subgroup> all;
    for (int g = 0; g < subgroups(); ++g) {
      Subgroup s;
      for (int lane = 0; lane < program_.lanes; ++lane) s.active.insert(lane);
      s.registers.assign(static_cast<std::size_t>(program_.lanes),
                         std::vector<int>(kRegisters + 1, 0));
      s.place = flow_.start();
      Subgroup first = s;
      std::set<int> passed;
      run(s, passed);
      // What has no access ends, or goes wrong, by a step. It stands in front of all that it has.
      const bool over = s.failed || s.active.empty();
      all.push_back(over ? first : s);
    }
    return pack(all);
  }

  Status status(const std::vector<int>& pcs, const std::vector<int>& memory, int g) const {
    const Subgroup s = unpack(pcs)[static_cast<std::size_t>(g)];
    if (s.failed) return Status::failed;
    if (s.active.empty()) return Status::ended;
    if (s.phase == Phase::waits) return Status::blocked;
    const Place& place = flow_.at(s.place);
    if (place.part == Place::Part::whole && place.statement->kind == StatementKind::await) {
      for (const int lane : s.active) {
        const int held = memory[static_cast<std::size_t>(place.statement->variable)];
        if (held != value(s, lane, place.statement->value)) return Status::blocked;
      }
    }
    return Status::running;
  }

  int choices(const std::vector<int>& pcs, int g) const {
    const Subgroup s = unpack(pcs)[static_cast<std::size_t>(g)];
    const Place& place = flow_.at(s.place);
    if (place.part == Place::Part::decide && disagree(s, place)) return 2;
    if (place.part == Place::Part::whole && place.statement->kind == StatementKind::choose) {
      return 1 << s.active.size();
    }
    return 1;
  }

  void step(std::vector<int>& pcs, std::vector<int>& memory, int g, int choice) {
    std::vector<Subgroup> all = unpack(pcs);
    Subgroup& s = all[static_cast<std::size_t>(g)];
    std::set<int> passed;
    const Place place = flow_.at(s.place);
    if (place.part == Place::Part::decide && disagree(s, place)) {
      const auto [holds, fails] = sides(s, place);
      const Lanes& first = choice == 0 ? holds : fails;
      const Lanes& second = choice == 0 ? fails : holds;
      s.parted.push_back({flow_.reconvergence(s.place).value_or(kEnd),
                          {},
                          second,
                          choice == 0 ? place.other : place.next});
      s.active = first;
      s.place = choice == 0 ? place.next : place.other;
    } else if (s.phase == Phase::passes) {
      s.phase = Phase::runs;
      s.place = place.next;
    } else if (place.part == Place::Part::read) {
      for (const int lane : s.active) read(s, lane, *place.statement, memory);
      s.place = place.next;
    } else if (place.part == Place::Part::whole && place.statement->kind != StatementKind::set &&
               place.statement->kind != StatementKind::assertion) {
      if (place.statement->kind == StatementKind::barrier) {
        s.phase = Phase::waits;
        open_barriers(all);
        pcs = pack(all);
        return;
      }
      perform(s, *place.statement, memory, choice);
      s.place = place.next;
    }
    if (!s.failed) run(s, passed);
    open_barriers(all);
    pcs = pack(all);
  }

 private:
  std::vector<Subgroup> unpack(const std::vector<int>& numbers) const {
    std::vector<Subgroup> all;
    std::size_t at = 0;
    const auto get = [&] { return numbers[at++]; };
    const auto lanes = [&] {
      Lanes result;
      for (int left = get(); left > 0; --left) result.insert(get());
      return result;
    };
    for (int g = 0; g < subgroups(); ++g) {
      Subgroup s;
      s.failed = get() != 0;
      s.phase = static_cast<Phase>(get());
      s.place = get();
      int parted = get();
      s.active = lanes();
      for (; parted > 0; --parted) {
        Parted p;
        p.point = get();
        p.place = get();
        p.waiting = lanes();
        p.pending = lanes();
        s.parted.push_back(p);
      }
      for (int lane = 0; lane < program_.lanes; ++lane) {
        auto& registers = s.registers.emplace_back();
        for (int r = 0; r <= kRegisters; ++r) registers.push_back(get());
      }
      all.push_back(s);
    }
    return all;
  }

  static int value(const Subgroup& s, int lane, const Value& value) {
    if (value.kind == Value::Kind::lane) return lane;
    if (value.kind == Value::Kind::number) return value.number;
    return s.registers[static_cast<std::size_t>(lane)][static_cast<std::size_t>(value.number)];
  }

  static int& reg(Subgroup& s, int lane, int number) {
    return s.registers[static_cast<std::size_t>(lane)][static_cast<std::size_t>(number)];
  }

  static bool holds(const Subgroup& s, int lane, const Statement& c) {
    const Value left =
        c.reads == Statement::Reads::nothing ? c.value : Value{Value::Kind::reg, kRegisters};
    return value(s, lane, left) == value(s, lane, c.other);
  }

  static std::pair<Lanes, Lanes> sides(const Subgroup& s, const Place& place) {
    std::pair<Lanes, Lanes> result;
    for (const int lane : s.active) {
      (holds(s, lane, *place.statement) ? result.first : result.second).insert(lane);
    }
    return result;
  }

  static bool barriers_count_ended(const std::vector<Statement>& list) {
    return std::any_of(list.begin(), list.end(), [](const Statement& s) {
      return (s.kind == StatementKind::barrier && s.or_ended) || barriers_count_ended(s.body) ||
             barriers_count_ended(s.otherwise);
    });
  }

  // Whether somebody has to choose which side goes on, and can tell which one it is: nobody has
  // where one side has nothing to do.
  bool disagree(const Subgroup& s, const Place& place) const {
    const auto [holds, fails] = sides(s, place);
    if (holds.empty() || fails.empty() || place.next == place.other) return false;
    if (const auto point = flow_.reconvergence(s.place)) {
      return place.next != *point && place.other != *point;
    }
    return barriers_count_ended(program_.body) || (place.next != kEnd && place.other != kEnd);
  }

  static void read(Subgroup& s, int lane, const Statement& c, std::vector<int>& memory) {
    int& cell = memory[static_cast<std::size_t>(c.variable)];
    const int old = cell;
    if (c.reads == Statement::Reads::exchange) cell = value(s, lane, c.value) % 3;
    reg(s, lane, kRegisters) = old;
  }

  void perform(Subgroup& s, const Statement& statement, std::vector<int>& memory, int choice) {
    if (statement.kind == StatementKind::operation) return operate(s, statement);
    for (const int lane : s.active) {
      int& cell = memory[static_cast<std::size_t>(statement.variable)];
      const int old = cell;
      const int with = value(s, lane, statement.value);
      switch (statement.kind) {
        case StatementKind::store:
          cell = with % 3;
          break;
        case StatementKind::load:
          reg(s, lane, statement.target) = old;
          break;
        case StatementKind::exchange:
          cell = with % 3;
          reg(s, lane, statement.target) = old;
          break;
        case StatementKind::fetch_add:
          cell = (old + with) % 3;
          reg(s, lane, statement.target) = old;
          break;
        case StatementKind::choose:
          reg(s, lane, statement.target) = choice % 2;
          choice /= 2;
          break;
        default:  // an await, which holds
          break;
      }
    }
  }

  static void operate(Subgroup& s, const Statement& statement) {
    std::map<int, int> brought, got;
    for (const int lane : s.active) brought[lane] = value(s, lane, statement.value);
    int all = 1, any = 0, ballot = 0;
    for (const auto& [lane, operand] : brought) {
      all = all != 0 && operand != 0 ? 1 : 0;
      any = any != 0 || operand != 0 ? 1 : 0;
      if (operand != 0) ballot += 1 << lane;
    }
    for (const int lane : s.active) {
      if (statement.name == "all") got[lane] = all;
      if (statement.name == "any") got[lane] = any;
      if (statement.name == "ballot") got[lane] = ballot % 4;
      if (statement.name == "elect") got[lane] = lane == *s.active.begin() ? 1 : 0;
      if (statement.name == "broadcast" || statement.name == "shuffle") {
        const int asked = value(s, lane, statement.other);
        if (s.active.count(asked) == 0) {
          s.failed = true;
          return;
        }
        got[lane] = brought[asked] % 4;
      }
    }
    for (const auto& [lane, result] : got) reg(s, lane, statement.target) = result;
  }

  // Goes on with those that are active, and with others when all of them are where they have to
  // be, up to the next access or choice, or to a loop that has been passed.
  void run(Subgroup& s, std::set<int>& passed) const {
    for (;;) {
      if (s.active.empty()) {
        if (s.parted.empty()) {
          s.place = kEnd;
          return;
        }
        Parted& last = s.parted.back();
        if (!last.pending.empty()) {
          s.active = last.pending;
          s.place = last.place;
          last.pending.clear();
          last.place = kEnd;
        } else {
          s.active = last.waiting;
          s.place = last.point;
          s.parted.pop_back();
        }
        continue;
      }
      if (s.place == kEnd) {  // they have ended
        s.active.clear();
        continue;
      }
      if (!s.parted.empty() && s.parted.back().point == s.place) {
        s.parted.back().waiting.insert(s.active.begin(), s.active.end());
        s.active.clear();
        continue;
      }
      const Place& place = flow_.at(s.place);
      if (place.part == Place::Part::head) {
        if (!passed.insert(s.place).second) return;
        s.place = place.next;
      } else if (place.part == Place::Part::decide) {
        if (disagree(s, place)) return;
        decide(s, place);
      } else if (place.part == Place::Part::whole && place.statement->kind == StatementKind::set) {
        for (const int lane : s.active) {
          reg(s, lane, place.statement->target) = value(s, lane, place.statement->value) % 4;
        }
        s.place = place.next;
      } else if (place.part == Place::Part::whole &&
                 place.statement->kind == StatementKind::assertion) {
        for (const int lane : s.active) {
          if (!holds(s, lane, *place.statement)) s.failed = true;
        }
        if (s.failed) return;
        s.place = place.next;
      } else {
        return;
      }
    }
  }

  // A branch at which nobody has to choose.
  void decide(Subgroup& s, const Place& place) const {
    const auto [holds, fails] = sides(s, place);
    if (fails.empty() || place.next == place.other) {
      s.place = place.next;
    } else if (holds.empty()) {
      s.place = place.other;
    } else {
      // At the end they have ended.
      const int point = flow_.reconvergence(s.place).value_or(kEnd);
      const bool first = place.next == point;
      if (point != kEnd) s.parted.push_back({point, first ? holds : fails, {}, kEnd});
      s.active = first ? fails : holds;
      s.place = first ? place.other : place.next;
    }
  }

  // Lets all go on that wait at barriers to which everybody has come.
  void open_barriers(std::vector<Subgroup>& all) const {
    for (std::size_t g = 0; g < all.size(); ++g) {
      if (all[g].phase != Phase::waits) continue;
      const Statement* barrier = flow_.at(all[g].place).statement;
      const auto workgroup = [&](std::size_t of) {
        return of / static_cast<std::size_t>(program_.subgroups);
      };
      std::vector<Subgroup*> group;
      bool complete = true;
      for (std::size_t other = 0; other < all.size(); ++other) {
        if (!barrier->grid && workgroup(other) != workgroup(g)) continue;
        Subgroup& s = all[other];
        group.push_back(&s);
        std::size_t inactive = 0;
        for (const Parted& parted : s.parted) {
          inactive += parted.waiting.size() + parted.pending.size();
        }
        const bool waits = s.phase == Phase::waits && flow_.at(s.place).statement == barrier;
        const std::size_t arrived = waits ? s.active.size() : 0;
        const std::size_t running = waits ? 0 : s.active.size();
        const std::size_t ended =
            static_cast<std::size_t>(program_.lanes) - inactive - s.active.size();
        complete = complete && !s.failed && running == 0 && inactive == 0 &&
                   (barrier->or_ended || ended == 0) &&
                   arrived + ended == static_cast<std::size_t>(program_.lanes);
      }
      for (Subgroup* s : group) {
        if (complete && s->phase == Phase::waits) s->phase = Phase::passes;
      }
    }
  }

  const Program& program_;
  const Flow flow_;
};

}  // namespace

std::string text_of(const Program& program) {
  std::string text = fmt::format(
      "idiom random\n{} workgroups of {} threads, subgroups of {};\nexecution: lockstep;\n"
      "shared wrap int(0..2) x0, x1;\nthreads {{\n  wrap int(0..3) r0, r1;\n",
      program.workgroups, program.subgroups * program.lanes, program.lanes);
  return text + text_of(program.body, 1) + "}\n";
}

Behaviour behaviour_of(const Program& program) {
  const auto interpreter = std::make_shared<Interpreter>(program);
  Behaviour result;
  result.launch = Launch(program.workgroups, program.subgroups, 1);
  result.pcs = interpreter->initial();
  result.memory.assign(kVariables, 0);
  using Numbers = Behaviour::Numbers;
  result.status = [interpreter](const Numbers& pcs, const Numbers& memory, int subgroup) {
    return interpreter->status(pcs, memory, subgroup);
  };
  result.choices = [interpreter](const Numbers& pcs, const Numbers&, int subgroup) {
    return interpreter->choices(pcs, subgroup);
  };
  result.step = [interpreter](Numbers& pcs, Numbers& memory, int subgroup, int choice) {
    interpreter->step(pcs, memory, subgroup, choice);
  };
  return result;
}

}  // namespace headway::oracle::lockstep
