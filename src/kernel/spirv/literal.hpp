// What stands in the words of a module.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace headway::kernel::spirv {

using Id = std::uint32_t;

// A literal string that begins at a word.
inline std::string literal(std::span<const std::uint32_t> words) {
  std::string result;
  for (const std::uint32_t word : words) {
    for (int shift = 0; shift < 32; shift += 8) {
      const auto c = static_cast<char>(word >> shift & 0xff);
      if (c == '\0') return result;
      result += c;
    }
  }
  return result;
}

}  // namespace headway::kernel::spirv
