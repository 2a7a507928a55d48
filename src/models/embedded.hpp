// The files of models/ as they were when headway was built (cmake/embed_models.cmake).
#pragma once

#include <string_view>
#include <vector>

namespace headway::models {

struct EmbeddedFile {
  std::string_view name;
  std::string_view content;
};

// The paper's six models first, then the families.
const std::vector<EmbeddedFile>& embedded_models();

}  // namespace headway::models
