// Caps that a run of few threads suggests. They decide how much is proved and never what is true.
#pragma once

#include <vector>

#include "every/space.hpp"

namespace headway::every {

// By place: where not all of a few threads can stand at once, one more than can, and 0 elsewhere.
// Explores at most so many states, and does with those.
std::vector<int> observed_caps(Space& space, std::size_t most_states);

}  // namespace headway::every
