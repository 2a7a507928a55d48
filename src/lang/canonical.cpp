#include "lang/canonical.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "lang/idiom/code.hpp"

namespace headway::lang {

std::string canonical_location_name(int index) {
  constexpr std::string_view letters = "xyz";
  if (index < static_cast<int>(letters.size())) return std::string(1, letters[index]);
  return "x" + std::to_string(index);
}

Test canonical(const Test& test) {
  if (!test.is_axb()) return test;
  Test result = test;
  result.locations.clear();
  std::vector<int> number(test.locations.size(), -1);
  int values = 2;
  const auto use = [&](int value) { values = std::max(values, value + 1); };
  for (Thread& thread : result.threads) {
    for (Instruction& instruction : thread.instructions) {
      int& known = number[instruction.location];
      if (known < 0) {
        known = static_cast<int>(result.locations.size());
        const std::uint8_t initial = test.locations[instruction.location].initial;
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

std::string program_key(const Test& test) {
  if (!test.is_axb()) return idiom::code_key(*test.program);
  const Test same = canonical(test);
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

std::uint64_t identity(const Test& test) { return stable_hash(program_key(test)); }

}  // namespace headway::lang
