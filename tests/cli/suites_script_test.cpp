// The suites of litmus/suite, which scripts/suites writes. HEADWAY_UPDATE_GOLDEN=1 writes them
// anew.
#include <doctest/doctest.h>

#include <map>

#include "base/file.hpp"
#include "languages/languages.hpp"
#include "oracle/oracle.hpp"
#include "support/command.hpp"
#include "support/files.hpp"

using headway::testing::source_dir;
namespace fs = std::filesystem;

namespace {

// The litmus files below a folder, by their path in it.
std::map<std::string, std::string> files_below(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".litmus") continue;
    files[entry.path().lexically_relative(folder).string()] = headway::read_file(entry.path());
  }
  return files;
}

void generate(const fs::path& folder) {
  headway::testing::CommandOptions options;
  options.environment["HEADWAY"] = headway::testing::headway_binary().string();
  const auto result = headway::testing::run_program(
      {(source_dir() / "scripts/suites").string(), folder.string()}, options);
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
}

}  // namespace

TEST_CASE("cli/suites_script: litmus/suite is what scripts/suites writes, byte for byte") {
  if (headway::testing::updating_golden()) generate(source_dir() / "litmus/suite");
  const headway::testing::TemporaryFolder folder;
  generate(folder.path());
  const auto written = files_below(folder.path());
  const auto shipped = files_below(source_dir() / "litmus/suite");
  std::map<std::string, int> count;
  for (const auto& file : shipped) {
    const auto& name = file.first;
    const auto& text = file.second;
    CAPTURE(name);
    ++count[fs::path(name).parent_path().string()];
    CHECK(written.contains(name));
    if (written.contains(name)) CHECK(written.at(name) == text);
  }
  CHECK(written.size() == shipped.size());
  CHECK(count == std::map<std::string, int>{{"minimal/2t_2i", 4},
                                            {"minimal/2t_3i", 17},
                                            {"minimal/2t_4i", 166},
                                            {"minimal/3t_3i", 3},
                                            {"minimal/3t_4i", 166},
                                            {"fingerprint", 5}});
}

TEST_CASE("cli/suites_script: every expectation in litmus/suite is what the definition says") {
  const auto models = headway::oracle::set_models();
  for (const auto& file : files_below(source_dir() / "litmus/suite")) {
    const auto& name = file.first;
    const auto& text = file.second;
    const headway::lang::Test test = headway::lang::parse(text, name);
    CAPTURE(name);
    CHECK(fs::path(name).stem() == test.name);
    int said = 0;
    for (const auto& model : models) {
      const auto lts = headway::oracle::explore(test, model);
      REQUIRE(lts);
      for (const auto& expectation : test.expectations) {
        if (expectation.model != model.name) continue;
        for (const auto fairness : headway::models::kFairnesses) {
          if (expectation.fairness && *expectation.fairness != fairness) continue;
          CHECK(headway::oracle::passes(*lts, fairness) == expectation.passes);
          ++said;
        }
      }
    }
    CHECK(said == 12);
  }
}
