// Checks certificates of answers for every N. It shares with the search for them how a family is
// read (every/family.hpp) and what a step is, and nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "every/promise.hpp"

namespace headway::every {

// What is wrong with a certificate; nothing when it shows what it claims. Linear in the steps of
// its nodes, times the rounds. Throws headway::Error for a text that is none. With `readings` it is
// about all of these, instead of the one that it claims.
std::optional<std::string> objection_to(const std::string& certificate,
                                        std::vector<Reading> readings = {});

}  // namespace headway::every
