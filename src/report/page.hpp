// The files of src/report/page, and the library that lays graphs out, as they were when headway
// was built (cmake/embed.cmake).
#pragma once

#include <string_view>
#include <vector>

namespace headway::report {

struct EmbeddedFile {
  std::string_view name;
  std::string_view content;
};

// Scripts in the order in which they stand in the page.
const std::vector<EmbeddedFile>& embedded_page();

}  // namespace headway::report
