// Flags for the compiler of kernels: which of a user's are of use, and those that a
// compile_commands.json (clang's JSON compilation database) has for a file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headway::kernel {

// A user's flags without those that say what to write, how to optimize, or for which debugger:
// what is compiled is never optimized.
std::vector<std::string> usable_flags(const std::vector<std::string>& flags);

// Takes macros out of flags that are usable, to be defined behind headers of headway's own, in
// which a T or an N is another thing; what these ask for stays. Gives their definitions, a line
// each. Where a macro is undefined, nothing is taken out: the order counts.
std::string take_macros(std::vector<std::string>& flags);

// The words of a command line, as a POSIX shell would take them apart; nothing is expanded.
std::vector<std::string> shell_words(const std::string& command);

// What the commands of a compile_commands.json define, include and ask for as a standard for
// `file`, whatever compiler they are for; folders are made absolute. Throws headway::Error when it
// cannot be read or has nothing on the file.
std::vector<std::string> flags_for(const std::filesystem::path& compile_commands,
                                   const std::filesystem::path& file);

}  // namespace headway::kernel
