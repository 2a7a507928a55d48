// A launch of a kernel as a program whose memory is asked about: its accesses and fences with their
// orders and scopes, in the words of a language of litmus tests, and the integers that decide what
// it does. Threads are numbered as in the launch.
//
// A launch has numbers for arguments here; of data that nobody gives one is looked at, and told.
#pragma once

#include <string>
#include <vector>

#include "consistency/program.hpp"
#include "kernel/litmus/line_text.hpp"
#include "kernel/machine/code.hpp"
#include "kernel/machine/launch.hpp"

namespace headway::kernel::litmus {

// `launch`, of the function of `code`, has been expanded. `language` is "C", "OPENCL", "PTX" or
// "VULKAN"; accesses that are sequentially consistent are in PTX what compilers make of them, a
// fence in front of one that acquires or releases. `notes` gets what was taken for granted. Throws
// headway::Error with a line, and no file, for what is not read here.
consistency::Program translate(const Code& code, const Launch& launch, const std::string& name,
                               const std::string& language, const LineText& line_text,
                               std::vector<std::string>& notes);

// The language of litmus tests in which a kernel of the module speaks of memory.
std::string language_of(const Module& module);

}  // namespace headway::kernel::litmus
