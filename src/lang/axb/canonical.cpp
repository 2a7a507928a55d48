#include "lang/axb/canonical.hpp"

#include <algorithm>

namespace headway::lang::axb {

std::string canonical_location_name(int index) {
  constexpr std::string_view letters = "xyz";
  if (index < static_cast<int>(letters.size())) return std::string(1, letters[index]);
  return "x" + std::to_string(index);
}

Code canonical(const Code& code) {
  Code result = code;
  result.locations.clear();
  std::vector<int> number(code.locations.size(), -1);
  int values = 2;
  const auto use = [&](int value) { values = std::max(values, value + 1); };
  for (Thread& thread : result.threads) {
    for (Instruction& instruction : thread.instructions) {
      int& known = number[instruction.location];
      if (known < 0) {
        known = static_cast<int>(result.locations.size());
        const std::uint8_t initial = code.locations[instruction.location].initial;
        result.locations.push_back({canonical_location_name(known), initial});
        use(initial);
      }
      instruction.location = static_cast<std::uint8_t>(known);
      use(instruction.check_value);
      use(instruction.exchange_value);
    }
    thread.sources.clear();
  }
  result.values = values;
  return result;
}

std::string code_key(const Code& code) {
  const Code same = canonical(code);
  std::string bytes;
  const auto put = [&](int number) { bytes.push_back(static_cast<char>(number)); };
  put(same.thread_count());
  for (const Thread& thread : same.threads) {
    put(thread.length());
    for (const Instruction& i : thread.instructions) {
      for (int field : {+i.location, +i.check_value, +i.jump, +i.exchanges, +i.exchange_value}) {
        put(field);
      }
    }
  }
  for (const Location& location : same.locations) put(location.initial);
  return bytes;
}

}  // namespace headway::lang::axb
