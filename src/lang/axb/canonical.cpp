#include "lang/axb/canonical.hpp"

#include <algorithm>
#include <array>
#include <cassert>

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
      if (!instruction.is_access()) continue;
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

// Read from the front: how many threads there are, of each how many instructions and their fields,
// five bytes each; what is left are the initial values, by number of the location. So a key is that
// of one program in canonical form. Everything fits its byte (code.hpp). In front of a program that
// is not flat stands a 0, which is no number of threads, and how it is placed; a barrier and a
// branch on the lane have a field that is no location.
std::string code_key(const Code& code) {
  assert(code.locations.size() <= kMaxLocations && code.threads.size() <= kMaxThreads);
  constexpr std::uint8_t unused = 0xff;
  std::array<std::uint8_t, kMaxLocations> number;
  number.fill(unused);
  std::string bytes, initial;
  bytes.reserve(std::size_t{96});
  const auto put = [&](std::uint8_t byte) { bytes.push_back(static_cast<char>(byte)); };
  if (!code.is_flat()) {
    put(0);
    bytes += code.topology().placement();
    put(static_cast<std::uint8_t>((code.ended_count ? 1 : 0) + (code.in_lockstep() ? 2 : 0)));
  }
  put(static_cast<std::uint8_t>(code.threads.size()));
  for (const Thread& thread : code.threads) {
    assert(thread.length() <= kMaxInstructions);
    put(static_cast<std::uint8_t>(thread.length()));
    for (const Instruction& i : thread.instructions) {
      if (i.is_barrier()) {
        for (const std::uint8_t field : {unused, static_cast<std::uint8_t>(i.barrier)}) put(field);
        continue;
      }
      if (i.asks_lane) {
        for (const std::uint8_t field : {unused, std::uint8_t{0}, i.check_value, i.jump}) {
          put(field);
        }
        continue;
      }
      std::uint8_t& known = number[i.location];
      if (known == unused) {
        known = static_cast<std::uint8_t>(initial.size());
        initial.push_back(static_cast<char>(code.locations[i.location].initial));
      }
      for (const std::uint8_t field : {known, i.check_value, i.jump,
                                       static_cast<std::uint8_t>(i.exchanges), i.exchange_value}) {
        put(field);
      }
    }
  }
  return bytes + initial;
}

}  // namespace headway::lang::axb
