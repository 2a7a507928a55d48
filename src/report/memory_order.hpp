// How the tests that tell two memory models apart look.
#pragma once

#include <string>

#include "consistency/distinguish/distinguish.hpp"

namespace headway::report {

struct MemoryOrder {
  std::string first, second;  // models
  std::string language;       // of the tests
  consistency::Distinguished found;
};

std::string memory_order_text(const MemoryOrder& order);
std::string memory_order_json(const MemoryOrder& order);

}  // namespace headway::report
