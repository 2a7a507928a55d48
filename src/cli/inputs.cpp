#include "cli/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/program_path.hpp"
#include "base/text/scanner.hpp"

namespace headway::cli {

lang::Sizes parse_sizes(const std::string& text) {
  Scanner scanner(text, "--threads");
  lang::Sizes sizes;
  do {
    const int fewest = scanner.integer("number of threads", 1, kMaxThreads);
    const bool range = scanner.accept("..") || scanner.accept("-");
    sizes.add(fewest, range ? scanner.integer("number of threads", fewest, kMaxThreads) : fewest);
  } while (scanner.accept(","));
  if (scanner.peek().kind != Token::Kind::end) {
    scanner.fail(scanner.peek(), "expected numbers of threads or ranges such as 2..6 or 2,4,8");
  }
  return sizes;
}

Topology parse_launch(const std::string& text) {
  std::vector<int> sizes;
  for (std::size_t at = 0;;) {
    int size = 0;
    const char* const end = text.data() + text.size();
    const auto [next, error] = std::from_chars(text.data() + at, end, size);
    if (error != std::errc() || size < 1 || size > kMaxThreads) break;
    sizes.push_back(size);
    at = static_cast<std::size_t>(next - text.data());
    if (at == text.size()) {
      int threads = 1;
      for (const int each : sizes) threads *= each;
      if (sizes.size() > 3 || threads > kMaxThreads) break;
      sizes.resize(std::max<std::size_t>(sizes.size(), 2), 1);
      if (sizes.size() == 2) sizes.insert(sizes.begin() + 1, 1);
      return {sizes[0], sizes[1], sizes[2]};
    }
    if (text[at++] != 'x') break;
  }
  throw Error(
      fmt::format("'{}' is no launch; expected workgroups, subgroups of each and threads of "
                  "each, at most {} in all: 2x4 or 2x2x4",
                  text, kMaxThreads));
}

void require_no_tests(const std::filesystem::path& folder) {
  std::vector<Error> none;
  if (std::filesystem::exists(folder) && !std::filesystem::is_directory(folder)) {
    throw Error({folder.string(), 0, 0}, "not a folder; expected a new or an empty one");
  }
  if (std::filesystem::exists(folder) && !find_tests({folder.string()}, none).empty()) {
    throw Error({folder.string(), 0, 0},
                "there are tests in this folder; expected a new or an empty one");
  }
}

void require_folder_of(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (file == "-" || folder.empty() || std::filesystem::is_directory(folder)) return;
  throw Error({file, 0, 0}, "there is no folder " + folder.string());
}

std::vector<models::ModelPtr> find_models(models::Library& library,
                                          const std::vector<std::string>& names) {
  if (names.empty()) return library.standard();
  std::vector<models::ModelPtr> models;
  for (const std::string& name : names) {
    for (models::ModelPtr& model : library.find_all(name)) {
      const bool known = std::any_of(models.begin(), models.end(), [&](const auto& other) {
        return other->name() == model->name();
      });
      if (!known) models.push_back(std::move(model));
    }
  }
  return models;
}

std::string own_path() { return program_path().string(); }

}  // namespace headway::cli
