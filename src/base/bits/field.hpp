// Fields of bits in the words of a state. A field lies within one word, so that reading and writing
// it are constant time.
#pragma once

#include <bit>
#include <cstdint>

namespace headway {

struct Field {
  std::uint16_t word = 0;
  std::uint16_t shift = 0;
  std::uint64_t mask = 0;  // 0 for a field without bits, which holds 0

  std::uint64_t get(const std::uint64_t* words) const { return words[word] >> shift & mask; }
  void set(std::uint64_t* words, std::uint64_t value) const {
    words[word] = (words[word] & ~(mask << shift)) | value << shift;
  }
};

// Gives out fields one after another.
class FieldAllotter {
 public:
  // The first `reserved` bits are somebody else's.
  explicit FieldAllotter(int reserved = 0) : used_(reserved) {}

  // A field that holds 0 .. highest.
  Field allot(std::uint64_t highest) {
    const int bits = std::bit_width(highest);
    if (bits == 0) return {};
    if (used_ % 64 + bits > 64) used_ += 64 - used_ % 64;
    const Field field{static_cast<std::uint16_t>(used_ / 64),
                      static_cast<std::uint16_t>(used_ % 64),
                      bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1};
    used_ += bits;
    return field;
  }
  // How many words the fields take, at least 1.
  int words() const { return used_ <= 64 ? 1 : (used_ + 63) / 64; }

 private:
  int used_;  // bits
};

}  // namespace headway
