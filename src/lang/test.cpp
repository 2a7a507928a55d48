#include "lang/test.hpp"

namespace headway::lang {

std::string to_string(Fairness fairness) { return fairness == Fairness::weak ? "weak" : "strong"; }

int Test::instruction_count() const {
  int count = 0;
  for (const Thread& thread : threads) count += thread.length();
  return count;
}

bool is_store(const Instruction& instruction, int index) {
  return instruction.exchanges && instruction.jump == index + 1;
}

}  // namespace headway::lang
