// Launches as people write them, on a command line or in a comment of a kernel file: "2,1,1",
// "n=4", "in=64:unknown(0..3)". Throw headway::Error without a place for what is not so.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "kernel/test/launch_spec.hpp"

namespace headway::kernel {

// One to three numbers, with commas: "64", "8,8", "2,2,2"; the others are 1.
Size3 parse_dimensions(std::string_view text);
// "n=4", "x=1.5", "n=unknown", "n=unknown(1..8)".
std::pair<std::string, ArgumentSpec> parse_argument(std::string_view text);
// "in=64", "in=64:zero", "in=unknown", "in=4:{1,2,3}", "in=64:unknown(0..3)"; without a number the
// buffer is as large as the kernel touches.
std::pair<std::string, BufferSpec> parse_buffer(std::string_view text);

}  // namespace headway::kernel
