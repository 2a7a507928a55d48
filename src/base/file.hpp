// Whole files in and out. Reading reports what is wrong as an Error; writing goes to a temporary
// name beside the target and is renamed, so that a reader never sees half a file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace headway {

inline constexpr std::size_t kMaxInputBytes = std::size_t{64} << 20;

// The content of a regular file or a pipe of at most kMaxInputBytes; "-" reads standard input.
std::string read_file(const std::filesystem::path& path);

// Replaces `path` by `content`, creating its folder when needed.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace headway
