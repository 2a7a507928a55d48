// The places where the threads of a uniform family stand, the contents of its memory, and the steps
// between them, numbered as they are met. Not thread-safe: steps are kept when they are first
// taken.
#pragma once

#include <unordered_map>
#include <vector>

#include "base/bits/hash.hpp"
#include "every/family.hpp"

namespace headway::every {

struct NumbersHash {
  std::size_t operator()(const std::vector<int>& numbers) const {
    std::uint64_t hash = mix(numbers.size());
    for (const int n : numbers) hash = mix(hash ^ static_cast<std::uint32_t>(n));
    return hash;
  }
};

// A thread of a kind at a place in its program, with its registers.
struct Place {
  int kind = 0;
  lang::idiom::ThreadState local;
};

inline constexpr int kEnded = -1;
inline constexpr int kFailed = -2;
inline constexpr int kFresh = -3;  // of a special that has not started

// A step: the place that it leads to, kEnded or kFailed, and the memory.
struct Move {
  int to = kFailed;
  int memory = 0;
};

class Space {
 public:
  explicit Space(const Uniform& family);

  const Uniform& family() const { return family_; }
  int places() const { return static_cast<int>(places_.size()); }
  const Place& place(int number) const { return places_[number]; }
  const std::vector<int>& memory(int number) const { return *memories_[number]; }
  int kind(int place) const { return places_[place].kind; }
  int memories() const { return static_cast<int>(memories_.size()); }
  // Kind, instruction and registers of a place.
  std::vector<int> key_of(int place) const { return key(kind(place), places_[place].local); }
  // Where a thread of a kind stands before its first step.
  int start(int kind) const { return starts_[kind]; }
  int initial_memory() const { return 0; }
  Move move(int place, int memory);

 private:
  int number(int kind, const lang::idiom::ThreadState& local);
  int number(const std::vector<int>& memory);
  std::vector<int> key(int kind, const lang::idiom::ThreadState& local) const;

  const Uniform& family_;
  std::vector<Place> places_;
  std::unordered_map<std::vector<int>, int, NumbersHash> place_numbers_;
  std::unordered_map<std::vector<int>, int, NumbersHash> memory_numbers_;
  std::vector<const std::vector<int>*> memories_;  // the keys of the table, which stay
  std::unordered_map<std::uint64_t, Move> moves_;
  std::vector<int> starts_;
};

}  // namespace headway::every
