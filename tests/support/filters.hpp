// Random filters of synthesis, and what they are compared with: enumeration, and the checker.
#pragma once

#include <random>
#include <vector>

#include "synth/space/bounds.hpp"
#include "synth/space/filter.hpp"

namespace headway::testing {

// Some filters, with at least one of each kind.
std::vector<synth::Filter> some_filters(std::mt19937& random,
                                        const std::vector<models::ModelPtr>& models);

// Whether the checker says of a program what the filters want.
bool satisfies(const synth::Bounds& bounds, const synth::Shape& shape,
               const synth::Instructions& code, const std::vector<synth::Filter>& filters);

// All litmus tests of a shape.
std::vector<synth::Instructions> litmus_tests(const synth::Bounds& bounds,
                                              const synth::Shape& shape);

}  // namespace headway::testing
