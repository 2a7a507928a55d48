// Whole files in and out. Reading reports what is wrong as an Error; writing goes to a temporary
// name beside the target and is renamed, so that a reader never sees half a file. What is no file,
// such as a device or a pipe, is written to and not replaced.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace headway {

inline constexpr std::size_t kMaxInputBytes = std::size_t{64} << 20;

// What messages call standard input. As a path it is standard input, too, which is kept: whoever
// reads it again, as this or as "-", gets the same text.
inline constexpr const char* kStandardInput = "<stdin>";

// The content of a regular file or a pipe of at most `most` bytes; "-" reads standard input. A pipe
// with a name is not waited for: somebody has to have it open.
std::string read_file(const std::filesystem::path& path, std::size_t most = kMaxInputBytes);

// What is below a folder and is no folder, sorted; of pipes and devices, which nobody means then,
// there is nothing. Links to folders are not followed. A folder that cannot be read becomes an
// Error in `errors`.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder,
                                               std::vector<Error>& errors);

// A file under construction: written without a name, or where the file system wants one under a
// temporary one, and gone with the object unless commit() has given the file its own.
class NewFile {
 public:
  // Creates the folder of `path` when needed.
  explicit NewFile(std::filesystem::path path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view text);
  // Renames to `path`, or to another name in the same folder.
  void commit();
  void commit_as(const std::filesystem::path& path);

 private:
  // Tries names beside the file's own until one is taken; none, with errno set, where that is not
  // for another's sake.
  void take_name(const std::function<bool(const char*)>& take);

  std::filesystem::path path_;
  std::string temporary_;  // empty while the file has no name
  int descriptor_ = -1;
  bool in_place_ = false;
};

// Replaces `path` by `content`, creating its folder when needed.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace headway
