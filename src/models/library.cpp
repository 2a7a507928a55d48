#include "models/library.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.hpp"
#include "base/text/scanner.hpp"
#include "models/embedded.hpp"

namespace headway::models {
namespace {

// A specification taken apart: "OBE-k(k=3)".
struct Specification {
  std::string name;
  Expression::Parameters arguments;
};

Specification parse_specification(const std::string& text) {
  Specification result;
  const std::size_t open = text.find('(');
  result.name = text.substr(0, open);
  while (result.name.ends_with(' ')) result.name.pop_back();
  if (open == std::string::npos) return result;
  try {
    Scanner scanner(std::string_view(text).substr(open + 1), "");
    do {
      const Token name = scanner.next();
      if (!name.is_identifier()) {
        scanner.fail(name, "expected a parameter, found " + shown(name));
      }
      scanner.expect("=");
      const int sign = scanner.accept("-") ? -1 : 1;
      const int value = sign * scanner.integer("parameter value", 0, kMaxParameter);
      if (!result.arguments.emplace(name.text, value).second) {
        scanner.fail(name, fmt::format("parameter '{}' is given twice", name.text));
      }
    } while (scanner.accept(","));
    scanner.expect(")");
    if (scanner.peek().kind != Token::Kind::end) {
      scanner.fail(scanner.peek(), "expected nothing behind ')'");
    }
  } catch (const Error& error) {
    throw Error(fmt::format("model '{}': {}", text, error.what()));
  }
  return result;
}

bool is_path(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.ends_with(".yaml") ||
         name.ends_with(".yml");
}

}  // namespace

Library::Library() {
  for (const EmbeddedFile& file : embedded_models()) {
    files_.push_back(parse_model_file(file.content, std::string(file.name)));
  }
  assert(files_.size() >= kStandardModels);
}

ModelPtr Library::named(const std::string& specification) const {
  const Specification wanted = parse_specification(specification);
  std::string names;
  for (const ModelFile& file : files_) {
    if (file.name == wanted.name) return instantiate(file, wanted.arguments);
    names += (names.empty() ? "" : ", ") + file.name;
  }
  throw Error(fmt::format("unknown model '{}'; expected {} or the path of a model file",
                          wanted.name, names));
}

ModelPtr Library::find(const std::string& specification) {
  const Specification wanted = parse_specification(specification);
  if (!is_path(wanted.name)) return named(specification);
  ModelFile file = parse_model_file(read_file(wanted.name), wanted.name);
  ModelPtr model = instantiate(file, wanted.arguments);
  const auto same = std::find_if(files_.begin(), files_.end(),
                                 [&](const ModelFile& other) { return other.name == file.name; });
  if (same == files_.end()) {
    files_.push_back(std::move(file));
  } else if (same->content != file.content) {
    throw Error({wanted.name, 0, 0}, fmt::format("another model is already called {}; expected a "
                                                 "name of its own",
                                                 file.name));
  }
  return model;
}

std::vector<ModelPtr> Library::all() const {
  std::vector<ModelPtr> models;
  for (const ModelFile& file : files_) models.push_back(instantiate(file));
  return models;
}

std::vector<ModelPtr> Library::standard() const {
  std::vector<ModelPtr> models;
  for (std::size_t i = 0; i < kStandardModels; ++i) models.push_back(instantiate(files_[i]));
  return models;
}

}  // namespace headway::models
