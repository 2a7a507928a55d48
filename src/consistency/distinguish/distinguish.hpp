// The smallest litmus tests that tell two memory models apart.
#pragma once

#include <optional>
#include <string>

#include "base/limits.hpp"
#include "consistency/cat/model.hpp"
#include "consistency/distinguish/tests.hpp"
#include "models/model.hpp"

namespace headway::consistency {

struct DistinguishQuestion {
  const cat::Model* first = nullptr;
  const cat::Model* second = nullptr;
  TestSpace space;
  int most_statements = 4;
  // A progress model, under which a test may end in one and not in the other; null: none.
  models::ModelPtr progress = nullptr;
  StopSigns signs = {};
};

struct DistinguishingTest {
  std::string text;  // in herd's format; its condition is what one allows and one forbids
  int statements = 0;
  bool by_progress = false;  // one ends, and one need not
};

struct Distinguished {
  // What the first allows and the second forbids, and the other way round.
  std::optional<DistinguishingTest> only_first, only_second;
  int statements = 0;     // up to which all tests were asked, or both were found
  std::size_t tests = 0;  // that were asked
  // Why there may be smaller ones, or any; empty: there is none up to that size.
  std::string cut;
};

// What is flagged, as races are, does not count: only final states, and whether tests end.
Distinguished distinguish(const DistinguishQuestion& question);

}  // namespace headway::consistency
