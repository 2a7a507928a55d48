#include "lang/test.hpp"

#include <fmt/format.h>

#include <tuple>

#include "lang/idiom/code.hpp"

namespace headway::lang {

std::string to_string(Fairness fairness) { return fairness == Fairness::weak ? "weak" : "strong"; }

int Test::thread_count() const {
  return static_cast<int>(is_axb() ? threads.size() : program->threads.size());
}

int Test::instruction_count() const {
  if (!is_axb()) return program->accesses();
  int count = 0;
  for (const Thread& thread : threads) count += thread.length();
  return count;
}

bool operator==(const Test& a, const Test& b) {
  const auto fields = [](const Test& test) {
    return std::tie(test.name, test.comment, test.locations, test.values, test.threads,
                    test.expectations, test.expects_error);
  };
  if (fields(a) != fields(b) || a.is_axb() != b.is_axb()) return false;
  return a.is_axb() || a.program->source == b.program->source;
}

void require_axb(const Test& test, const std::string& what) {
  if (test.is_axb()) return;
  throw Error(
      fmt::format("{} is a program of the idiom language; {} for AXB tests only", test.name, what));
}

bool is_store(const Instruction& instruction, int index) {
  return instruction.exchanges && instruction.jump == index + 1;
}

}  // namespace headway::lang
