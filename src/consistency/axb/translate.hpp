// Tests of AXB instructions as programs whose memory is asked about. An exchange branch says
// nothing of orders and scopes, so it is the strongest atomic access that a language has, of the
// widest scope.
#pragma once

#include <string>

#include "consistency/program.hpp"
#include "lang/axb/code.hpp"

namespace headway::consistency::axb {

// In the words of a language of litmus tests: "C", "OPENCL", "PTX" or "VULKAN". Throws
// headway::Error with the place in `file` of what is not read here: barriers and lockstep.
Program translate(const lang::axb::Code& code, const std::string& name, const std::string& file,
                  const std::string& language);

}  // namespace headway::consistency::axb
