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
