// Where headway's own headers stay between runs, with what clang has made of them.
#pragma once

#include <filesystem>
#include <string>

namespace headway::kernel {

// A folder of the user's cache that has the headers of this headway, for this clang alone, made at
// the first use: within what HEADWAY_CACHE names in the environment, or else XDG_CACHE_HOME/headway
// or ~/.cache/headway. Others there that have not changed for a month are removed. Empty where
// there is none: where HEADWAY_CACHE is empty, no folder can be made, or what is there is not the
// user's.
std::filesystem::path kept_headers(const std::string& clang);

}  // namespace headway::kernel
