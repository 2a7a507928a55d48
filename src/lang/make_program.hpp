// The program behind a test, in whatever language it is written.
#pragma once

#include <memory>

#include "lang/program.hpp"
#include "lang/test.hpp"

namespace headway::lang {

// `test` must outlive the program.
std::unique_ptr<Program> make_program(const Test& test);

}  // namespace headway::lang
