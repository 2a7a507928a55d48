// Standard output of a handful of commands, byte for byte, as tests/golden holds it. After an
// intended change, run
//   HEADWAY_UPDATE_GOLDEN=1 ctest --preset release -R 'cli/golden|docs/'
// which writes the files (and the outputs in the documentation) anew, and read the diff.
// Nothing that differs from run to run belongs here, such as the seconds in the JSON of check.
#include <doctest/doctest.h>

#include <set>

#include "base/file.hpp"
#include "support/command.hpp"
#include "support/files.hpp"

using headway::testing::source_dir;

namespace {

struct Golden {
  std::string name;  // tests/golden/NAME.txt
  int status;
  // Run from the root of the sources; "litmus" at the end stands for the files of litmus/ itself.
  std::vector<std::string> arguments;
};

std::vector<std::string> exported(const std::string& target, const std::string& mapping) {
  const std::string test = mapping == "hybrid" ? "chain-3" : "philosophers-livelock";
  return {"export",      "litmus/" + test + ".litmus",
          "--target",    target,
          "--mapping",   mapping,
          "--instances", "8",
          "-o",          "-"};
}

const std::vector<Golden>& goldens() {
  static const std::vector<Golden> all = {
      {"check-one", 0, {"check", "litmus/spin-mutex.litmus"}},
      {"check-one-strong", 0, {"check", "litmus/philosophers-livelock.litmus"}},
      {"check-one-weak", 0, {"check", "--fairness", "weak", "litmus/chain-3.litmus"}},
      {"check-several", 0, {"check", "litmus"}},
      {"check-several-families",
       0,
       {"check", "--fairness", "strong", "--model", "HSA-k(k=1)", "--model", "HSA-k", "--model",
        "OBE-k(k=0)", "--model", "OBE-k(k=3)", "--model", "models/lobe.yaml", "litmus"}},
      {"check-csv", 0, {"check", "--format", "csv", "litmus"}},
      {"check-csv-published", 0, {"check", "--format", "csv", "tests/data/published/tests/2t_2i"}},
      {"check-csv-limit", 3, {"check", "--format", "csv", "--max-states", "20", "litmus"}},
      {"check-help", 0, {"check", "--help"}},
      {"export-cpp", 0, exported("cpp", "round-robin")},
      {"export-cuda", 0, exported("cuda", "chunked")},
      {"export-opencl", 0, exported("opencl", "hybrid")},
      {"export-vulkan", 0, exported("vulkan", "round-robin")},
      {"export-amber", 0, exported("amber", "plain")},
      {"export-metal", 0, exported("metal", "chunked")},
      {"export-webgpu", 0, exported("webgpu", "hybrid")},
      {"export-groups-cuda",
       0,
       {"export", "litmus/scoped/leader-barrier.litmus", "-t", "cuda", "-o", "-"}},
      {"export-groups-webgpu",
       0,
       {"export", "litmus/scoped/mp-groupid.litmus", "-t", "webgpu", "-o", "-"}},
  };
  return all;
}

std::filesystem::path file_of(const Golden& golden) {
  return source_dir() / "tests/golden" / (golden.name + ".txt");
}

}  // namespace

TEST_CASE("cli/golden: standard output is what tests/golden holds") {
  for (const Golden& golden : goldens()) {
    CAPTURE(golden.name);
    headway::testing::CommandOptions options;
    options.folder = source_dir();
    std::vector<std::string> arguments = golden.arguments;
    if (arguments.back() == "litmus") {
      arguments.pop_back();
      const auto& files = headway::testing::litmus_files();
      arguments.insert(arguments.end(), files.begin(), files.end());
    }
    const auto result = headway::testing::headway(arguments, options);
    CHECK(result.status == golden.status);
    if (headway::testing::updating_golden()) headway::write_file(file_of(golden), result.out);
    REQUIRE(std::filesystem::exists(file_of(golden)));
    CHECK(result.out == headway::read_file(file_of(golden)));
  }
}

TEST_CASE("cli/golden: every file of tests/golden belongs to a command") {
  std::set<std::filesystem::path> known;
  for (const Golden& golden : goldens()) known.insert(file_of(golden));
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "tests/golden")) {
    CAPTURE(entry.path().string());
    CHECK(known.count(entry.path()) == 1);
  }
}
