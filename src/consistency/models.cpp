#include "consistency/models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text/suggestion.hpp"

namespace headway::consistency {
namespace fs = std::filesystem;

namespace {

std::string name_of(const EmbeddedModel& model) {
  return fs::path(std::string(model.path)).stem().string();
}

cat::Model of_file(const fs::path& path) {
  const cat::Include beside = [folder = path.parent_path()](const std::string& name) {
    const fs::path file = folder / name;
    return cat::Syntax::File{file.string(), read_file(file)};
  };
  return {cat::parse(path.string(), read_file(path), beside), path.stem().string()};
}

}  // namespace

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const EmbeddedModel& model : embedded_models()) names.push_back(name_of(model));
  return names;
}

cat::Model find_model(const std::string& specification) {
  if (specification.find('/') != std::string::npos || specification.ends_with(".cat")) {
    return of_file(specification);
  }
  for (const EmbeddedModel& model : embedded_models()) {
    if (name_of(model) != specification) continue;
    const cat::Include none = [](const std::string& name) -> cat::Syntax::File {
      throw Error(fmt::format("there is no file '{}' here", name));
    };
    return {cat::parse(std::string(model.path), std::string(model.text), none), specification};
  }
  const std::vector<std::string> names = model_names();
  throw Error(fmt::format("unknown memory model '{}'; expected {} or a file, FILE.cat{}",
                          specification, fmt::join(names, ", "),
                          did_you_mean(specification, names)));
}

}  // namespace headway::consistency
