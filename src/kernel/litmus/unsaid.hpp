// What of kernel IR terms of integers and addresses cannot say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace headway::kernel::litmus {

// Of each value why it is no integer or address that terms can say, and where; it is refused only
// when something hangs on it. Empty: it may be one.
struct Unsaid {
  std::string why;
  Place place;
};
std::vector<Unsaid> find_unsaid(const Function& function);

// What people call an operation that gives nothing that terms can say, "a real number"; empty: it
// may.
std::string_view refused_text(Op op);

}  // namespace headway::kernel::litmus
