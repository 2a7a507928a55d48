#include "cli/inputs.hpp"

#include <fmt/format.h>

#include "base/program_path.hpp"

namespace headway::cli {

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

void require_folder_name(const std::string& folder, const std::vector<std::string>& files,
                         const std::string& expected) {
  if (std::filesystem::is_directory(folder)) return;
  for (const std::string& ending : files) {
    if (folder.ends_with(ending)) throw Error({folder, 0, 0}, expected);
  }
}

std::string own_path() { return program_path().string(); }

}  // namespace headway::cli
