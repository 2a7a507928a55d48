// When two tests are the same test: the same threads in the same order, up to what their
// locations are called (semantics of litmus tests, section "well-formed tests" in docs).
#pragma once

#include <string>

#include "lang/axb/code.hpp"

namespace headway::lang::axb {

// The same program with its locations numbered by first use (thread 0's first instruction first)
// and named x, y, z, x3, x4, ...; locations that no instruction uses are gone.
Code canonical(const Code& code);

// Some bytes that are equal exactly for programs that are equal up to the names and order of
// locations. Stable across machines and versions. The code keeps to the limits of axb/code.hpp.
std::string code_key(const Code& code);

// The name of location `index` in canonical form.
std::string canonical_location_name(int index);

}  // namespace headway::lang::axb
