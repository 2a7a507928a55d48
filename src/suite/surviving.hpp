// What a suite leaves of the lattice of models when it runs on a machine: the claims that none of
// its tests refutes by passing under them and never ending there.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/library.hpp"
#include "suite/machine.hpp"
#include "suite/matrix.hpp"

namespace headway::suite {

// The standard models for all levels that the launches of `tests` have.
std::vector<models::ModelPtr> claims_about(const models::Library& library,
                                           std::span<const lang::Test> tests);

// For each of `machines` the readings that survive, but for those that another one implies.
// `matrix` has the verdicts of `tests`.
std::vector<std::vector<std::string>> surviving(const VerdictMatrix& matrix,
                                                std::span<const lang::Test> tests,
                                                std::span<const Machine> machines);

}  // namespace headway::suite
