// Programs of the idiom language as programs whose memory is asked about, so that one file is asked
// both whether it ends where memory is sequentially consistent, by the checker, and under a memory
// model, by execution graphs.
//
// Accesses are those of the text, in the order of the text, with its strengths. What goes wrong (an
// assertion, an index, a value that leaves its range) ends a thread as an error. A wait for one
// load is a loop until it holds.
#pragma once

#include <string>

#include "consistency/program.hpp"
#include "lang/idiom/syntax.hpp"
#include "lang/test.hpp"

namespace headway::consistency::idiom {

// Whether a test is one of this language.
bool is_idiom(const lang::Test& test);
// What such a test was compiled from.
const lang::idiom::Syntax& syntax_of(const lang::Test& test);

// The program of a test in the words of a language of litmus tests: "C", "OPENCL", "PTX" or
// "VULKAN". Throws headway::Error with the place in `file` of what is not read here.
Program translate(const lang::Test& test, const std::string& file, const std::string& language);

}  // namespace headway::consistency::idiom
