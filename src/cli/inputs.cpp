#include "cli/inputs.hpp"

#include <algorithm>

namespace headway::cli {

std::vector<models::ModelPtr> find_models(models::Library& library,
                                          const std::vector<std::string>& names) {
  if (names.empty()) return library.standard();
  std::vector<models::ModelPtr> models;
  for (const std::string& name : names) {
    models::ModelPtr model = library.find(name);
    const bool known = std::any_of(models.begin(), models.end(), [&](const auto& other) {
      return other->name() == model->name();
    });
    if (!known) models.push_back(std::move(model));
  }
  return models;
}

std::string own_path() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

}  // namespace headway::cli
