// The scopes of local variables: a pointer to one may outlive it (C17 6.2.4, C++20 [basic.life]).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

struct OutsideScope {
  Place place;
  std::string name;  // of the variable
};

// The first access that may be to a local variable whose scope has not begun, or has ended, with
// what a pointer may go to (bases.hpp). Where there is none, no execution has one.
std::optional<OutsideScope> access_outside_scope(const Function& function);

// All locals that may be accessed so, by their numbers.
std::vector<bool> locals_accessed_outside_scope(const Function& function);

// Of the function's locals, those whose scopes end before it does; by their numbers.
std::vector<bool> locals_with_scopes(const Function& function);

}  // namespace headway::kernel
