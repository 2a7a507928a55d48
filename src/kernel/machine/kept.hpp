// What the machine keeps while a thread runs: to go back, to note later, to see a loop that never
// ends; and barriers by their numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "kernel/machine/happens_before.hpp"
#include "kernel/machine/memory.hpp"

namespace headway::kernel {

// A barrier by its number: where it keeps who has come, and how many threads it counts.
struct NumberedBarrier {
  Instance object = kNone;
  std::uint64_t at = 0, count = 0;
};

// Where an access goes.
struct Address {
  Instance object = kNone;
  std::uint64_t at = 0;
  std::optional<smt::Term> moving;  // instead of `at`
};

// What was in memory before a way was taken.
struct Undo {
  Instance object;
  std::uint64_t at, bytes;
  std::vector<Memory::Piece> before;
  std::optional<bool> dead = {};  // of a whole object, whose scope began or ended
};

// What was accessed on ways that are taken together, to be noted when these have come together:
// until then they may have to be taken one by one.
struct Noted {
  Instance object;
  bool is_local;
  std::uint64_t at, bytes;
  Access made;
  std::uint64_t same_bytes;
  std::vector<std::uint32_t> same;  // as HappensBefore::keep_written() takes it
};

// A thread at the head of a loop.
struct Snapshot {
  BlockId block = kNone;
  std::uint64_t at = 0, changes = 0, span = 4096;
  std::vector<Cell> registers;
  std::vector<Memory::PagePtr> own;
  std::unordered_set<std::uint32_t> loads;
};

}  // namespace headway::kernel
