// Where the pointers of a function may go, as far as its code tells, without regard to flow.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// Objects that a pointer may go to, as far as the code tells: parameters, objects, or anything.
struct Bases {
  bool any = false;
  std::vector<std::uint32_t> parameters;  // sorted
  std::vector<ObjectId> objects;          // sorted

  bool add(const Bases& more);  // whether that changes this one
  bool empty() const { return !any && parameters.empty() && objects.empty(); }
};

// Of each value.
std::vector<Bases> find_bases(const Function& function);

}  // namespace headway::kernel
