#include "every/uniform_steps.hpp"

#include <algorithm>

namespace headway::every {

using UniformStage = CountedPlace::Stage;

CountedPlace UniformSteps::place(int kind, UniformStage stage,
                                 const lang::idiom::ThreadState& local) const {
  CountedPlace place{stage, kind, local.at, {}, {}};
  for (std::size_t r = 0; r < program(kind).registers.size(); ++r) {
    place.registers.push_back({true, local.registers[r], -1, {}, {}});
  }
  return place;
}

CountedPlace UniformSteps::ended() { return {UniformStage::ended, 0, 0, {}, {}}; }

CountedPlace UniformSteps::fresh(int kind) const {
  return place(kind, UniformStage::fresh, start_of(family_.code, family_.thread_of[kind]));
}

CountedMemory UniformSteps::initial() const {
  return {{family_.code.initial.begin(), family_.code.initial.end()}, {}};
}

bool UniformSteps::is_place(const CountedPlace& place) const {
  if (place.stage == UniformStage::ended) return place.key() == ended().key();
  if (place.kind < 0 || place.kind >= family_.kinds() || !place.shares.empty()) return false;
  const lang::idiom::ThreadCode& code = program(place.kind);
  const auto is_value = [](const Content& content) {
    return content.key() == Content{true, static_cast<int>(content.number), -1, {}, {}}.key();
  };
  return place.at >= 0 && place.at + 1 < static_cast<int>(code.instructions.size()) &&
         lang::idiom::is_stop(code.instructions[place.at].kind) &&
         place.registers.size() == code.registers.size() &&
         std::all_of(place.registers.begin(), place.registers.end(), is_value);
}

bool UniformSteps::is_memory(const CountedMemory& memory) const {
  if (memory.cells.size() != family_.code.initial.size() || !memory.counters.empty()) return false;
  for (std::size_t cell = 0; cell < memory.cells.size(); ++cell) {
    const auto& variable = family_.code.variables[family_.code.variable_of[cell]];
    if (memory.cells[cell] < variable.low || memory.cells[cell] > variable.high) return false;
  }
  return true;
}

std::vector<Effect> UniformSteps::effects(
    const std::vector<std::pair<const CountedPlace*, Count>>& places, std::size_t mover,
    const CountedMemory& memory) const {
  const CountedPlace& from = *places[mover].first;
  lang::idiom::ThreadState local;
  local.at = from.at;
  for (std::size_t r = 0; r < from.registers.size(); ++r) {
    local.registers[r] = static_cast<int>(from.registers[r].number);
  }
  std::vector<int> content(memory.cells.begin(), memory.cells.end());
  const StepEnd end = take_step(family_.code, family_.thread_of[from.kind], local, content);
  std::vector<Effect> effects(1);
  Effect& effect = effects.front();
  effect.fails = end == StepEnd::fails;
  if (effect.fails) return effects;
  effect.memory.cells.assign(content.begin(), content.end());
  effect.place = end == StepEnd::ends ? ended() : place(from.kind, UniformStage::running, local);
  return effects;
}

}  // namespace headway::every
