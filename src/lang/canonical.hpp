// When two tests are the same test: the same threads in the same order, up to what their
// locations are called (semantics of litmus tests, section "well-formed tests" in docs).
#pragma once

#include <cstdint>
#include <string>

#include "lang/test.hpp"

namespace headway::lang {

// The same program with its locations numbered by first use (thread 0's first instruction first)
// and named x, y, z, x3, x4, ...; locations that no instruction uses are gone. Name, comment and
// expectations stay.
Test canonical(const Test& test);

// Equal for tests that are equal up to the names and order of locations, their own name, comments
// and expectations. Stable across machines and versions.
std::uint64_t identity(const Test& test);

// Whether two tests are the same program, for certain; identity() leaves a doubt of 1 in 2^64.
bool same_program(const Test& a, const Test& b);

// The name of location `index` in canonical form.
std::string canonical_location_name(int index);

}  // namespace headway::lang
