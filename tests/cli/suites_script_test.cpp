// The suites of litmus/suite, which scripts/suites writes. HEADWAY_UPDATE_GOLDEN=1 writes them
// anew.
#include <doctest/doctest.h>

#include <algorithm>
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
                                            {"fingerprint", 5},
                                            {"scoped/fingerprint", 8},
                                            {"scoped/CUDA", 2},
                                            {"scoped/CUDA-cooperative", 3},
                                            {"scoped/SYCL-concurrent", 3},
                                            {"scoped/SYCL-parallel", 2}});
}

namespace {

using headway::oracle::Model;
using headway::oracle::ScopedModel;

// The models that expectations name, by the oracle: those of workgroups, pairs for workgroups and
// threads, and what texts promise as such a pair.
std::vector<ScopedModel> named_models() {
  const std::vector<Model> flat = headway::oracle::set_models();
  std::vector<ScopedModel> result(flat.begin(), flat.end());
  const auto pair = [&](const std::string& name, const Model& workgroup, const Model& thread) {
    ScopedModel model;
    model.name = name;
    model.workgroup = workgroup.form;
    model.thread = thread.form;
    result.push_back(model);
  };
  for (const Model& workgroup : flat) {
    for (const Model& thread : flat) {
      std::string name = workgroup.name == "fair" ? "" : "workgroup=" + workgroup.name;
      if (thread.name != "fair") name += (name.empty() ? "thread=" : ",thread=") + thread.name;
      pair(name.empty() ? "workgroup=fair" : name, workgroup, thread);
    }
  }
  const Model& obe = flat[2];
  const Model& fair = flat[5];
  pair("CUDA", obe, fair);
  pair("SYCL-parallel", obe, obe);
  pair("SYCL-concurrent", fair, fair);
  return result;
}

}  // namespace

TEST_CASE("cli/suites_script: every expectation in litmus/suite is what the definition says") {
  const auto models = named_models();
  for (const auto& file : files_below(source_dir() / "litmus/suite")) {
    const auto& name = file.first;
    const auto& text = file.second;
    if (name.starts_with("scoped/CUDA-cooperative")) continue;  // no model of the oracle
    const headway::lang::Test test = headway::lang::parse(text, name);
    CAPTURE(name);
    CHECK(fs::path(name).stem() == test.name);
    int said = 0;
    for (const auto& model : models) {
      const bool named =
          std::any_of(test.expectations.begin(), test.expectations.end(),
                      [&](const auto& expectation) { return expectation.model == model.name; });
      if (!named) continue;
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
    const bool claims = name.starts_with("scoped/") && !name.starts_with("scoped/fingerprint");
    CHECK(said == (claims ? 2 : name.starts_with("scoped/") ? 72 : 12));
  }
}
