#include "cli/inputs.hpp"

#include <algorithm>
#include <cstring>

#include "base/file.hpp"
#include "lang/parser.hpp"

namespace headway::cli {
namespace fs = std::filesystem;

namespace {

bool is_test_file(const fs::path& path) {
  return path.extension() == ".litmus" || path.extension() == ".txt";
}

std::vector<fs::path> tests_below(const fs::path& folder) {
  std::vector<fs::path> found;
  const auto options = fs::directory_options::skip_permission_denied;
  for (const auto& entry : fs::recursive_directory_iterator(folder, options)) {
    if (is_test_file(entry.path()) && !entry.is_directory()) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::vector<fs::path> find_tests(const std::vector<std::string>& paths,
                                 std::vector<Error>& errors) {
  std::vector<fs::path> tests;
  for (const std::string& path : paths) {
    try {
      if (path != "-" && fs::is_directory(path)) {
        const std::vector<fs::path> found = tests_below(path);
        if (found.empty()) {
          throw Error({path, 0, 0},
                      "no tests in this folder; expected files that end in .litmus "
                      "or .txt");
        }
        tests.insert(tests.end(), found.begin(), found.end());
      } else {
        tests.emplace_back(path);
      }
    } catch (const fs::filesystem_error& error) {
      errors.emplace_back(SourcePosition{path, 0, 0}, error.code().message());
    } catch (const Error& error) {
      errors.push_back(error);
    }
  }
  return tests;
}

lang::Test load_test(const fs::path& path) {
  const bool standard_input = path == "-";
  lang::Test test = lang::parse(read_file(path), standard_input ? "<stdin>" : path.string());
  if (test.name.empty()) test.name = standard_input ? "stdin" : path.stem().string();
  return test;
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

}  // namespace headway::cli
