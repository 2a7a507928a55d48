// Tests that are the same up to the order of siblings: of threads within their group, and of groups
// of one shape within theirs. Verdicts do not tell them apart where models of these levels do not
// look at ids.
#pragma once

#include <span>
#include <vector>

#include "models/model.hpp"
#include "synth/space/bounds.hpp"

namespace headway::synth {

enum class Symmetric {
  none,
  thread,  // threads within the innermost groups
  all,     // groups of each level, too
};

// Whether no order of siblings makes of a program one that comes before it in output.
bool comes_first(const Bounds& bounds, const Shape& shape, std::span<const axb::Instruction> code,
                 Symmetric symmetric);

// Throws headway::Error where one of `models` looks at ids at a level whose order is to make no
// difference in a launch.
void require_no_ids(const std::vector<models::ModelPtr>& models, const Topology& launch,
                    Symmetric symmetric);

}  // namespace headway::synth
