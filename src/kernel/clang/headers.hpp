// Our own CUDA and OpenCL headers as files that a compiler can read: in a folder of their own, gone
// with the object.
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

class HeaderFolder {
 public:
  // Writes the headers. Throws headway::Error when that cannot be done.
  HeaderFolder();

  // Where such folders are made: in memory where the system has a folder for that, as to make 160
  // files on a disk may take longer than all else that a check does; among the temporary ones
  // elsewhere, or where the environment says where these are.
  static std::filesystem::path place();

  // Has the folders "cuda" and "opencl". What a compiler writes can be put beside them.
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  ScratchFolder folder_;
};

}  // namespace headway::kernel
