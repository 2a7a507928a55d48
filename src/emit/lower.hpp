// From a test to a kernel, whatever language the test is written in.
#pragma once

#include "emit/kernel.hpp"
#include "lang/test.hpp"

namespace headway::emit {

// The launch of a test. Throws headway::Error when it has too many workgroups.
Launch launch_of(const lang::Test& test, Mapping mapping, int instances);

// Throws headway::Error for a program with an operation that no target has: fetch_min or fetch_max
// of a variable with negative values, a choice; and for a language that is not exported at all.
Kernel lower(const lang::Test& test, Mapping mapping, int instances, const Options& options = {});

}  // namespace headway::emit
