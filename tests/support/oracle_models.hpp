// Models as the oracle takes them, besides the built-in ones.
#pragma once

#include <string>
#include <vector>

#include "oracle/oracle.hpp"
#include "support/random_tests.hpp"

namespace headway::testing {

// The built-in models as sets, and then by events.
std::vector<oracle::Model> both_forms();

// F is whatever the history and the seeds make it, and more with more seeds.
oracle::Model arbitrary_model(const std::vector<int>& seeds);

// Models by events whose F gains and loses children with the steps of a cycle.
std::vector<oracle::Model> changing_models();

// One of the built-in models, as sets.
oracle::Model built_in(const std::string& name);
oracle::ScopedModel built_in(const std::string& workgroup, const std::string& subgroup,
                             const std::string& thread);

// Pairs of models as sets: what the first one guarantees, so does the second.
struct Strengthening {
  oracle::Model less, more;
};
std::vector<Strengthening> strengthenings();

}  // namespace headway::testing
