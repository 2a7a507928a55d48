#include "lang/axb/code.hpp"

#include <algorithm>

namespace headway::lang::axb {

int Code::instruction_count() const {
  int count = 0;
  for (const Thread& thread : threads) count += thread.length();
  return count;
}

void derive_values(Code& code) {
  code.values = 2;
  const auto use = [&](int value) { code.values = std::max(code.values, value + 1); };
  for (const Location& location : code.locations) use(location.initial);
  for (const Thread& thread : code.threads) {
    for (const Instruction& i : thread.instructions) use(i.check_value), use(i.exchange_value);
  }
}

}  // namespace headway::lang::axb
