#include "every/space.hpp"

namespace headway::every {

Space::Space(const Uniform& family) : family_(family) {
  number(family.code.initial);
  for (int kind = 0; kind < family.kinds(); ++kind) {
    starts_.push_back(number(kind, start_of(family.code, family.thread_of[kind])));
  }
}

std::vector<int> Space::key(int kind, const lang::idiom::ThreadState& local) const {
  std::vector<int> key = {kind, local.at};
  const std::size_t registers = family_.code.threads[family_.thread_of[kind]].registers.size();
  key.insert(key.end(), local.registers.begin(), local.registers.begin() + registers);
  return key;
}

int Space::number(int kind, const lang::idiom::ThreadState& local) {
  const auto [entry, is_new] = place_numbers_.emplace(key(kind, local), places());
  if (is_new) places_.push_back({kind, local});
  return entry->second;
}

int Space::number(const std::vector<int>& memory) {
  const auto [entry, is_new] = memory_numbers_.emplace(memory, static_cast<int>(memories_.size()));
  if (is_new) memories_.push_back(&entry->first);
  return entry->second;
}

Move Space::move(int place, int memory) {
  const std::uint64_t key = static_cast<std::uint64_t>(place) << 32 | static_cast<unsigned>(memory);
  const auto found = moves_.find(key);
  if (found != moves_.end()) return found->second;
  const int kind = places_[place].kind;
  lang::idiom::ThreadState local = places_[place].local;
  std::vector<int> content = *memories_[memory];
  Move move;
  const StepEnd end = take_step(family_.code, family_.thread_of[kind], local, content);
  if (end != StepEnd::fails) {
    move.memory = number(content);
    move.to = end == StepEnd::ends ? kEnded : number(kind, local);
  }
  moves_.emplace(key, move);
  return move;
}

}  // namespace headway::every
