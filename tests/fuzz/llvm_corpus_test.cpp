// What the fuzz target of LLVM's assembly is seeded with, and cuts and changes of it, without a
// fuzzer.
#include <doctest/doctest.h>

#include <filesystem>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "fuzz/llvm_properties.hpp"
#include "support/files.hpp"

TEST_CASE("fuzz/llvm_corpus: modules hold their properties, with lines changed too") {
  std::mt19937 random(1);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(headway::testing::source_dir() /
                                                               "tests/fuzz/corpus/llvm")) {
    CAPTURE(entry.path().string());
    std::istringstream text(headway::read_file(entry.path()));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    const auto joined = [](const std::vector<std::string>& all) {
      std::string result;
      for (const std::string& line : all) result += line + "\n";
      return result;
    };
    CHECK_NOTHROW(headway::fuzz::check_llvm(joined(lines)));
    ++files;
    for (int i = 0; i < 60; ++i) {
      std::vector<std::string> changed = lines;
      for (int k = 0; k < 2; ++k) {
        const std::size_t at = random() % lines.size();
        // A line goes, comes twice, or takes the value of another one.
        if (random() % 3 == 0) changed[at].clear();
        if (random() % 3 == 0) changed[at] = changed[random() % lines.size()];
        const std::size_t value = changed[at].rfind('%');
        const std::string& other = lines[random() % lines.size()];
        const std::size_t with = other.find('%');
        if (value != std::string::npos && with != std::string::npos) {
          changed[at].resize(value);
          changed[at] += other.substr(with, other.find_first_of(" ,)", with) - with);
        }
      }
      const std::string content = joined(changed);
      CAPTURE(content);
      CHECK_NOTHROW(headway::fuzz::check_llvm(content));
    }
  }
  CHECK(files > 3);
}
