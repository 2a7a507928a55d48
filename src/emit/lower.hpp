// From a test to a kernel, whatever language the test is written in.
#pragma once

#include "emit/kernel.hpp"
#include "lang/test.hpp"

namespace headway::emit {

// Throws headway::Error for a program with an operation that not all targets have: fetch_min or
// fetch_max of a variable with negative values; and for a language that is not exported at all.
Kernel lower(const lang::Test& test, Mapping mapping, int instances);

}  // namespace headway::emit
