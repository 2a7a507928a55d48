#include "support/models.hpp"

#include "support/files.hpp"

namespace headway::testing {

std::vector<models::ModelPtr> event_models() {
  models::Library library;
  std::vector<models::ModelPtr> result;
  for (const char* file : {"unfair", "hsa", "obe", "hsa_obe", "lobe", "fair"}) {
    const auto path = source_dir() / "models/events" / (std::string(file) + ".yaml");
    result.push_back(library.find(path.string()));
  }
  return result;
}

}  // namespace headway::testing
