// A folder that is gone with the object. A process that ends otherwise leaves it to a signal's end
// (base/leftovers.hpp) or, where it was killed, to the next one that makes such a folder.
#pragma once

#include <filesystem>
#include <string_view>

namespace headway {

class ScratchFolder {
 public:
  // Makes a folder in `place` whose name begins with `name`, after the removal of those that
  // nobody uses any more. Throws headway::Error when that cannot be done.
  ScratchFolder(const std::filesystem::path& place, std::string_view name);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // held while the folder is in use
};

}  // namespace headway
