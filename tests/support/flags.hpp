// The two smallest tests.
#pragma once

#include <string>

namespace headway::testing {

// A thread raises a flag and another waits for it, the one with the higher id or the lower.
inline const std::string kUp =
    "locations f;\nthread 0 { f = 1; }\nthread 1 { while (Load(f) == 0); }\n";
inline const std::string kDown =
    "locations f;\nthread 0 { while (Load(f) == 0); }\nthread 1 { f = 1; }\n";

}  // namespace headway::testing
