// What an engine of synthesis does: given a cube of the space, every well-formed test in it.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "synth/space/bounds.hpp"

namespace headway::synth {

struct Requirements {
  // Every exchanging instruction changes memory in at least one reachable state (the optional
  // sixth constraint).
  bool effective_stores = false;
};

// Called with the code of each test found, canonical and once each; returning false ends the
// search of the cube.
using Found = std::function<bool(const Instructions& code)>;

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  // Finds every well-formed test of `cube`, in any order. False when it ended early because `stop`
  // became true or `found` said so. An engine is used by one core at a time.
  virtual bool enumerate(const Cube& cube, const Found& found, const std::atomic<bool>& stop) = 0;
};

}  // namespace headway::synth
