#include "cli/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/scanner.hpp"

namespace headway::cli {

lang::Sizes parse_sizes(const std::string& text) {
  Scanner scanner(text, "--threads");
  lang::Sizes sizes;
  sizes.fewest = scanner.integer("number of threads", 1, kMaxThreads);
  sizes.most = sizes.fewest;
  if (scanner.accept("..")) {
    sizes.most = scanner.integer("number of threads", sizes.fewest, kMaxThreads);
  }
  if (scanner.peek().kind != Token::Kind::end) {
    scanner.fail(scanner.peek(), "expected a number of threads or a range such as 2..6");
  }
  return sizes;
}

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
