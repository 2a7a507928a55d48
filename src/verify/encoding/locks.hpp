// Words by which threads keep each other out. Of a spin lock, 0 is free: whoever turns it into
// something else by an atomic operation that gives the 0 it found holds the lock, until it writes 0
// again. Of a ticket lock, whoever reads the number that it has drawn holds it, until it writes the
// next one. What is found here is about the code alone; that nobody gives a lock back who does not
// hold it, and that whoever does has published what it did, is checked (encoder_locks.cpp).
#pragma once

#include <map>
#include <vector>

#include "verify/encoding/flow.hpp"
#include "verify/encoding/regions.hpp"

namespace headway::verify {

struct Lock {
  int region = 0;
  int bytes = 0;  // of a word; of a spin lock, all places of the region are locks of their own
  // The narrowest scope that has all threads that compete for one.
  kernel::Scope scope = kernel::Scope::device;
  // What all that acquires and releases orders: bit 0 memory of the workgroup, bit 1 global memory.
  std::uint8_t memory = 3;
  // Of a ticket lock: the region from which numbers are drawn, and how far one is from the next.
  int numbers = -1;
  std::uint64_t step = 0;
  bool once = false;  // a spin lock that nobody gives back
  bool is_turn() const { return numbers >= 0; }
};

// Whether an atomic access leaves what it finds: a load, or a sum with 0.
bool only_reads(const kernel::Function& function, const kernel::Instruction& instruction);

// Whether an atomic access of a lock may take it.
bool may_take(const kernel::Function& function, const Lock& lock,
              const kernel::Instruction& instruction);

// Regions that are written by atomic operations of one width alone, some of which take locks and
// some of which give them back; and, before all of these, by plain stores. `one_group`: no two
// workgroups compete. `tickets`: regions that give other numbers each time, and how far apart.
std::vector<Lock> locks_of(const kernel::Function& function, const Flow& flow,
                           const Regions& regions, bool one_group,
                           const std::map<int, std::uint64_t>& tickets);

}  // namespace headway::verify
