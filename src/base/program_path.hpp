// The path of the running program, to start it again and to find what is installed beside it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace headway {

// What HEADWAY_PROGRAM says, which a launcher sets that starts the program by a loader of its own;
// empty where the system does not tell.
inline std::filesystem::path program_path() {
  if (const char* told = std::getenv("HEADWAY_PROGRAM"); told != nullptr && *told != '\0') {
    return told;
  }
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

}  // namespace headway
