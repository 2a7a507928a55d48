// When two tests are the same test: the same threads in the same order, up to what their
// locations are called (semantics of litmus tests, section "well-formed tests" in docs).
#pragma once

#include <cstdint>
#include <string>

#include "lang/test.hpp"

namespace headway::lang {

// The same program with its locations numbered by first use (thread 0's first instruction first)
// and named x, y, z, x3, x4, ...; locations that no instruction uses are gone. Name, comment and
// expectations stay. A program of the idiom language stays as it is.
Test canonical(const Test& test);

// Some bytes that are equal exactly for tests that are equal up to the names and order of
// locations, their own name, comments and expectations. Stable across machines and versions.
std::string program_key(const Test& test);

// A hash of program_key(), to name tests by.
std::uint64_t identity(const Test& test);

// The name of location `index` in canonical form.
std::string canonical_location_name(int index);

}  // namespace headway::lang
