// The axioms of sequential consistency and of total store order against machines that run
// programs step by step: interleaved, and with a buffer of stores a thread.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <random>
#include <set>

#include "consistency/models.hpp"
#include "consistency/outcomes.hpp"
#include "support/budget.hpp"

using namespace headway;
using namespace headway::consistency;
using Kind = Instruction::Kind;

namespace {

// Straight code of loads, stores, updates and fences over two locations; each read has a register
// of its own, and the condition speaks of all of them and of memory.
Program random_program(std::mt19937& random, bool one_event_updates) {
  Program program;
  program.language = "C";
  program.name = "random";
  program.one_event_updates = one_event_updates;
  program.locations = {{"x"}, {"y"}};
  const std::size_t threads = 2 + random() % 2;
  for (std::size_t t = 0; t < threads; ++t) {
    Thread thread;
    thread.name = "P" + std::to_string(t);
    const std::size_t length = 1 + random() % (threads == 2 ? 3 : 2);
    for (std::size_t i = 0; i < length; ++i) {
      Instruction instruction;
      instruction.location = static_cast<int>(random() % 2);
      instruction.value = Term::constant(static_cast<Number>(1 + random() % 2));
      switch (random() % 8) {
        case 0:
        case 1:
        case 2:
          instruction.kind = Kind::store;
          break;
        case 3:
          instruction.kind = random() % 2 == 0 ? Kind::update : Kind::exchange;
          break;
        case 4:
          instruction.kind = Kind::compare_exchange;
          instruction.expected = Term::constant(static_cast<Number>(random() % 2));
          break;
        case 5:
          instruction.kind = Kind::fence;
          instruction.tags = {"F", "SC"};
          break;
        default:
          instruction.kind = Kind::load;
          break;
      }
      if (instruction.kind != Kind::store && instruction.kind != Kind::fence) {
        instruction.target = static_cast<int>(thread.registers.size());
        thread.registers.push_back("r" + std::to_string(instruction.target));
        thread.initial.push_back(0);
      }
      thread.code.push_back(std::move(instruction));
    }
    program.threads.push_back(std::move(thread));
  }
  const auto observe = [&](Proposition::Kind kind, int thread, int which) {
    Proposition both;
    both.kind = Proposition::Kind::both;
    Proposition of;
    of.kind = kind;
    of.thread = thread;
    of.which = which;
    both.operands = {std::move(program.condition), std::move(of)};
    program.condition = std::move(both);
  };
  for (std::size_t t = 0; t < threads; ++t) {
    for (std::size_t r = 0; r < program.threads[t].registers.size(); ++r) {
      observe(Proposition::Kind::compares_register, static_cast<int>(t), static_cast<int>(r));
    }
  }
  observe(Proposition::Kind::compares_location, 0, 0);
  observe(Proposition::Kind::compares_location, 0, 1);
  return program;
}

struct State {
  std::vector<std::size_t> at;
  std::vector<std::vector<Number>> registers;
  std::vector<Number> memory;
  std::vector<std::deque<std::pair<int, Number>>> buffers;

  friend auto operator<=>(const State&, const State&) = default;
};

// The final states of a machine whose threads store into buffers, or at once.
class Machine {
 public:
  Machine(const Program& program, bool buffers) : program_(program), buffers_(buffers) {
    State state;
    state.at.resize(program.threads.size());
    state.buffers.resize(program.threads.size());
    for (const Thread& thread : program.threads) state.registers.push_back(thread.initial);
    for (const auto& location : program.locations) state.memory.push_back(location.initial);
    visit(state);
  }

  const std::set<std::string>& finals() const { return finals_; }

 private:
  void visit(const State& state) {
    if (!seen_.insert(state).second) return;
    bool done = true;
    for (std::size_t t = 0; t < state.at.size(); ++t) {
      if (!state.buffers[t].empty()) {
        done = false;
        State next = state;
        const auto [location, value] = next.buffers[t].front();
        next.buffers[t].pop_front();
        next.memory[static_cast<std::size_t>(location)] = value;
        visit(next);
      }
      if (state.at[t] == program_.threads[t].code.size()) continue;
      done = false;
      step(state, t);
    }
    if (done) note(state);
  }

  void step(const State& state, std::size_t t) {
    const Instruction& of = program_.threads[t].code[state.at[t]];
    State next = state;
    ++next.at[t];
    const auto location = static_cast<std::size_t>(of.location);
    const auto& buffer = state.buffers[t];
    switch (of.kind) {
      case Kind::store:
        if (buffers_) {
          next.buffers[t].emplace_back(of.location, of.value.number);
        } else {
          next.memory[location] = of.value.number;
        }
        return visit(next);
      case Kind::load:
        next.registers[t][static_cast<std::size_t>(of.target)] = seen(state, t, of.location);
        return visit(next);
      case Kind::fence:
        if (buffer.empty()) visit(next);
        return;
      case Kind::update:
      case Kind::exchange:
      case Kind::compare_exchange: {
        const Number found = seen(state, t, of.location);
        if (of.kind == Kind::compare_exchange && found != of.expected.number) {
          next.registers[t][static_cast<std::size_t>(of.target)] = found;
          return visit(next);  // as a load
        }
        if (!buffer.empty()) return;
        const Number old = state.memory[location];
        next.registers[t][static_cast<std::size_t>(of.target)] = old;
        if (of.kind == Kind::update) next.memory[location] = old + of.value.number;
        if (of.kind == Kind::exchange) next.memory[location] = of.value.number;
        if (of.kind == Kind::compare_exchange && old == of.expected.number) {
          next.memory[location] = of.value.number;
        }
        return visit(next);
      }
      case Kind::barrier:
      case Kind::error:
      case Kind::assign:
      case Kind::branch:
      case Kind::jump:
        FAIL("no such instruction is made here");
    }
  }

  // The last store of a thread that is still in its buffer, or else memory.
  static Number seen(const State& state, std::size_t t, int location) {
    const auto& buffer = state.buffers[t];
    const auto own = std::find_if(buffer.rbegin(), buffer.rend(),
                                  [&](const auto& store) { return store.first == location; });
    return own != buffer.rend() ? own->second : state.memory[static_cast<std::size_t>(location)];
  }

  // As Outcomes::states has it.
  void note(const State& state) {
    std::string text;
    for (std::size_t t = 0; t < state.registers.size(); ++t) {
      for (std::size_t r = 0; r < state.registers[t].size(); ++r) {
        text += std::to_string(t) + ":r" + std::to_string(r) + "=" +
                std::to_string(state.registers[t][r]) + "; ";
      }
    }
    text += "x=" + std::to_string(state.memory[0]) + "; y=" + std::to_string(state.memory[1]) + ";";
    finals_.insert(text);
  }

  const Program& program_;
  bool buffers_;
  std::set<State> seen_;
  std::set<std::string> finals_;
};

void compare(const char* model_name, bool buffers, unsigned seed) {
  std::mt19937 random(seed);
  const cat::Model model = find_model(model_name);
  std::size_t differ_from_interleaved = 0;
  for (int round = 0; round < testing::budget(400); ++round) {
    const Program program = random_program(random, round % 2 == 0);
    std::set<std::string> found;
    const Outcomes outcomes = consistency::outcomes(program, model);
    CHECK(outcomes.cut.empty());
    for (const auto& state : outcomes.states) found.insert(state.first);
    const std::set<std::string> expected = Machine(program, buffers).finals();
    CHECK(found == expected);
    differ_from_interleaved += Machine(program, false).finals() != expected ? 1 : 0;
  }
  CHECK((differ_from_interleaved > 0) == buffers);
}

}  // namespace

TEST_CASE("consistency/machines: sequential consistency is what interleaving does") {
  compare("sc", false, 1);
}

// A comparison that fails is a load here; on x86 it is a locked instruction all the same.
TEST_CASE("consistency/machines: total store order is what buffers of stores do") {
  compare("tso", true, 2);
}
