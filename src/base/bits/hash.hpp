// Two hashes: a fast one for tables in memory, a stable one for names that outlive the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace headway {

// Mixes one word well enough for a power-of-two table. Not stable across versions.
// The finalizer of MurmurHash3 (Austin Appleby).
inline std::uint64_t mix(std::uint64_t word) {
  word ^= word >> 33;
  word *= 0xff51afd7ed558ccdULL;
  word ^= word >> 33;
  word *= 0xc4ceb9fe1a85ec53ULL;
  return word ^ word >> 33;
}

inline std::uint64_t hash_words(const std::uint64_t* words, std::size_t count) {
  std::uint64_t hash = mix(words[0]);
  for (std::size_t i = 1; i < count; ++i) hash = mix(hash ^ words[i]) + i;
  return hash;
}

// FNV-1a, 64 bits: the same on every machine and in every version of headway.
constexpr std::uint64_t stable_hash(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace headway
