#include "support/files.hpp"

#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "languages/languages.hpp"

namespace headway::testing {
namespace fs = std::filesystem;

fs::path source_dir() { return HEADWAY_SOURCE_DIR; }

const std::vector<std::string>& litmus_files() {
  static const std::vector<std::string> files = [] {
    std::vector<std::string> result;
    for (const auto& entry : fs::directory_iterator(source_dir() / "litmus")) {
      if (entry.path().extension() != ".litmus") continue;
      result.push_back("litmus/" + entry.path().filename().string());
    }
    std::sort(result.begin(), result.end());
    return result;
  }();
  return files;
}

lang::Test litmus(const std::string& name) {
  const fs::path path = source_dir() / "litmus" / (name + ".litmus");
  return lang::parse(read_file(path), path.string());
}

const std::vector<lang::Test>& published_tests() {
  static const std::vector<lang::Test> tests = [] {
    std::vector<fs::path> paths;
    for (const auto& entry :
         fs::recursive_directory_iterator(source_dir() / "tests/data/published/tests")) {
      if (entry.is_regular_file()) paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    std::vector<lang::Test> result;
    for (const fs::path& path : paths) {
      result.push_back(lang::parse(read_file(path), path.string()));
      result.back().name = path.stem().string();
    }
    return result;
  }();
  return tests;
}

const std::vector<PublishedVerdict>& published_verdicts() {
  static const std::vector<PublishedVerdict> verdicts = [] {
    std::vector<PublishedVerdict> result;
    for (const char* bound : {"2t_2i", "2t_3i"}) {
      std::ifstream file(source_dir() / "tests/data/published" /
                         ("verdicts_" + std::string(bound) + ".csv"));
      std::string line;
      std::getline(file, line);  // the heading
      while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::string test, model, fairness, verdict;
        std::getline(fields, test, ',');
        std::getline(fields, model, ',');
        std::getline(fields, fairness, ',');
        std::getline(fields, verdict, ',');
        result.push_back({test, model,
                          fairness == "weak" ? models::Fairness::weak : models::Fairness::strong,
                          verdict == "pass"});
      }
    }
    return result;
  }();
  return verdicts;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "headway-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw Error("cannot create a temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::write(const std::string& name, std::string_view content) const {
  const fs::path path = path_ / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

}  // namespace headway::testing
