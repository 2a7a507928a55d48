// Our own CUDA and OpenCL headers as files that a compiler can read: in a folder that is gone with
// the object, or in one that stays.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/scratch_folder.hpp"

namespace headway::kernel {

// A file of src/kernel/headers, by its path in the sources.
struct EmbeddedHeader {
  std::string name;
  std::string content;
};
const std::vector<EmbeddedHeader>& embedded_headers();
// These, and those that programs include by habit, by their paths in a folder of headers.
std::vector<EmbeddedHeader> all_headers();
// Writes them. Throws headway::Error when that cannot be done.
void write_headers(const std::filesystem::path& folder);

class HeaderFolder {
 public:
  // Writes the headers, where they are not kept between runs for this clang (kept_headers.hpp).
  // Throws headway::Error when that cannot be done.
  HeaderFolder() : HeaderFolder(std::filesystem::path()) {}
  explicit HeaderFolder(std::filesystem::path kept);

  // Where such folders are made: in memory where the system has a folder for that, as to make 160
  // files on a disk may take longer than all else that a check does; among the temporary ones
  // elsewhere, or where the environment says where these are.
  static std::filesystem::path place();

  // Has the folders "cuda" and "opencl".
  const std::filesystem::path& path() const { return kept_.empty() ? scratch_.path() : kept_; }
  bool is_kept() const { return !kept_.empty(); }
  // For what a compiler writes.
  const std::filesystem::path& scratch() const { return scratch_.path(); }

 private:
  std::filesystem::path kept_;
  ScratchFolder scratch_;
};

}  // namespace headway::kernel
