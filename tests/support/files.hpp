// Files of the project, for tests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lang/test.hpp"

namespace headway::testing {

// The root of the project's sources.
std::filesystem::path source_dir();

// The files of litmus/ itself, "litmus/chain-3.litmus" and so on, sorted; not the suites in it.
const std::vector<std::string>& litmus_files();

// The test in litmus/NAME.litmus.
lang::Test litmus(const std::string& name);

// The tests published with the OOPSLA 2021 paper that tests/data/published holds, each named by
// its file's stem.
const std::vector<lang::Test>& published_tests();

// A verdict of the published tables; `fails` is what CADP decided.
struct PublishedVerdict {
  std::string test;
  std::string model;
  models::Fairness fairness;
  bool passes;
};
const std::vector<PublishedVerdict>& published_verdicts();

// An empty folder of its own for a test, removed when the object goes.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  // Writes a file in the folder and returns its path.
  std::filesystem::path write(const std::string& name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

}  // namespace headway::testing
