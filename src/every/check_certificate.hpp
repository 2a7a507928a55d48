// Checks certificates of answers for every N. It shares with the search for them how a family is
// read (every/family.hpp), what a step is, and the form of certificates, and nothing else.
#pragma once

#include <optional>
#include <string>

#include "every/certificate.hpp"

namespace headway::every {

// What is wrong with a certificate; nothing when it shows what it claims. Linear in the steps of
// its nodes, times the rounds. Throws headway::Error when its program is wrong.
std::optional<std::string> objection_to(const Certificate& certificate);
// What is wrong with one that claims a pass under any of these readings.
std::optional<std::string> objection_to(const Certificate& certificate,
                                        const std::vector<Reading>& readings);

}  // namespace headway::every
