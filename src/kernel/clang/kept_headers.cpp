#include "kernel/clang/kept_headers.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "base/bits/hash.hpp"
#include "base/process.hpp"
#include "base/scratch_folder.hpp"
#include "base/text/key.hpp"
#include "kernel/clang/headers.hpp"

namespace headway::kernel {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNew = "headway-new-";

fs::path cache_place() {
  const auto named = [](const char* variable) -> fs::path {
    const char* value = std::getenv(variable);
    return value != nullptr ? value : "";
  };
  if (std::getenv("HEADWAY_CACHE") != nullptr) {
    const fs::path given = named("HEADWAY_CACHE");
    return given.empty() ? given : fs::absolute(given);
  }
  if (const fs::path caches = named("XDG_CACHE_HOME"); caches.is_absolute()) {
    return caches / "headway";
  }
  const fs::path home = named("HOME");
  return home.is_absolute() ? home / ".cache" / "headway" : fs::path();
}

// That nobody else can write to.
bool is_own(const fs::path& folder) {
  struct stat status = {};
  return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

void remove_old(const fs::path& place) {
  constexpr std::chrono::hours old{24 * 30};
  constexpr std::size_t digits = 16;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(place, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool is_ours = name.size() == digits &&
                         name.find_first_not_of("0123456789abcdef") == std::string::npos &&
                         is_own(entry.path());
    const auto changed = fs::last_write_time(entry.path(), ignored);
    if (is_ours && !ignored && changed + old < fs::file_time_type::clock::now()) {
      fs::remove_all(entry.path(), ignored);
    }
  }
}

}  // namespace

fs::path kept_headers(const std::string& clang) {
  try {
    const fs::path place = cache_place();
    const fs::path program = find_program(clang);
    if (place.empty() || program.empty()) return {};
    // Another clang may not understand what this one has made.
    Key version;
    version.texts(program.string())
        .numbers(fs::file_size(program), fs::last_write_time(program).time_since_epoch().count());
    version.list(all_headers(),
                 [&](const EmbeddedHeader& header) { version.texts(header.name, header.content); });
    const fs::path folder = place / fmt::format("{:016x}", stable_hash(version.text()));
    if (!fs::is_directory(folder)) {
      fs::create_directories(place);
      const ScratchFolder made(place, kNew);
      write_headers(made.path());
      remove_old(place);
      std::error_code faster;  // another process
      fs::rename(made.path(), folder, faster);
    }
    return is_own(folder) ? folder : fs::path();
  } catch (const std::exception&) {  // a folder for this run alone will do
    return {};
  }
}

}  // namespace headway::kernel
