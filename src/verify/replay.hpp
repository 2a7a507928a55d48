// From a suspect to a violation: the launch that a solver's counterexample is about, run by the
// concrete engine with that launch's arguments and with several contents of buffers. What the
// engine finds without approximation is real; another error of the same property counts as well.
#pragma once

#include <optional>
#include <string>

#include "kernel/ir/ir.hpp"
#include "verify/encoding/options.hpp"
#include "verify/suspect.hpp"

namespace headway::verify {

struct Replayed {
  int line = 0;
  std::string detail;  // both threads, places, sizes and arguments
};

// Nothing where the engine does not find an error of the suspect's property in time.
std::optional<Replayed> replay(const kernel::Module& module, const kernel::Function& function,
                               const Suspect& suspect, const Options& options,
                               std::chrono::milliseconds limit);

}  // namespace headway::verify
