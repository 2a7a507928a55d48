// A test of AXB instructions in groups of equal shape as a program of the idiom language, which
// targets are written from: step by step the same.
#pragma once

#include <string>

#include "lang/axb/code.hpp"
#include "lang/test.hpp"

namespace headway::emit {

// Where all threads of a group come to the same barriers and no branch passes one, barriers stand
// where all of the group come by together, as OpenCL, Vulkan and WebGPU ask for; else threads meet
// at barriers that have names. Throws headway::Error where groups are not of one shape.
lang::Test as_idiom(const lang::axb::Code& code, const std::string& name);

}  // namespace headway::emit
