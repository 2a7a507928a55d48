#pragma once

#include <functional>
#include <string>

#include "kernel/ir/instruction.hpp"

namespace headway::kernel::litmus {

// The text of a line of the source.
using LineText = std::function<std::string(const Place&)>;

}  // namespace headway::kernel::litmus
