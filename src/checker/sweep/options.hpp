// What a sweep (checker/sweep/sweep.hpp) is asked to do, and what it answers.
#pragma once

#include <cstddef>
#include <vector>

#include "base/limits.hpp"
#include "checker/lts/verdict.hpp"

namespace headway {
class Progress;
}

namespace headway::checker {

// States of programs may take so many words.
inline constexpr int kMaxSweepWords = 128;

struct SweepOptions {
  // The readings to decide; the others stay unknown.
  bool weak = true;
  bool strong = true;
  // Whether steps that only lead where other steps lead, too, are left out.
  bool sleep_sets = true;
  // Whether to stop once every reading is known to fail.
  bool stop_early = true;
  std::size_t max_states = ~std::size_t{0};
  std::size_t max_memory = ~std::size_t{0};  // bytes, approximately
  StopSigns signs;
  Progress* progress = nullptr;  // counts states
};

struct SweepResult {
  std::vector<ModelVerdict> verdicts;  // one a model; a fail that was found counts at any limit
  bool gone_wrong = false;             // a thread can fail; the verdicts are all error
  Limit stopped_by = Limit::none;
  std::size_t states = 0;  // explored, and steps computed from them
  std::size_t transitions = 0;
  int heights = 0;         // how many heights were swept
  std::size_t memory = 0;  // most that was held at a time, bytes
};

}  // namespace headway::checker
