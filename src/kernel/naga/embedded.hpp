// The files of naga's package that the program carries, and what runs them.
#pragma once

#include <string>
#include <vector>

namespace headway::kernel::naga {

struct EmbeddedFile {
  std::string name;
  std::string content;
};
// In this order: compile.js, naga.js, and the module of WebAssembly as gzip and base64 leave it.
// None where headway was built without the package.
const std::vector<EmbeddedFile>& embedded_files();

}  // namespace headway::kernel::naga
