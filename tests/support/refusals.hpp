// Tests that cannot be read.
#pragma once

#include <string>
#include <vector>

namespace headway::testing {

struct Refusal {
  std::string text;
  std::string place;  // line:column
  std::string gist;   // part of the message
};

// Checks that each text is refused as it says.
void expect_refusals(const std::vector<Refusal>& refusals);

}  // namespace headway::testing
