// headway verify says of each kernel in litmus/kernels what the file expects.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "base/file.hpp"
#include "base/text/csv.hpp"
#include "kernel/directives.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/command.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace headway {

TEST_CASE("verify/library: right kernels are verified, broken ones violated as expected") {
  const fs::path folder = testing::source_dir() / "litmus/kernels";
  const testing::CommandResult made =
      testing::headway({"verify", folder.string(), "--format", "csv"});
  CHECK(made.status == 3);  // what is expected is fine; whether some end is unknown
  std::map<std::string, std::map<std::string, std::set<std::string>>> answers;  // by file, verdict
  for (const auto& row : parse_csv(made.out, "csv")) {
    answers[fs::path(row.at(0)).filename()][row.at(3)].insert(row.at(2));
  }
  int files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!kernel::is_kernel_file(entry.path())) continue;
    ++files;
    const std::string name = entry.path().filename();
    const auto all = kernel::parse_directives(read_file(entry.path()), name);
    REQUIRE(all.launches.size() == 1);
    bool verified = false;
    std::set<std::string> violated;
    for (const auto& outcome : all.launches[0].outcomes) {
      using Outcome = kernel::ExpectedOutcome::Outcome;
      verified = verified || outcome.outcome == Outcome::verified;
      if (outcome.outcome == Outcome::violated) violated.insert(to_string(*outcome.property));
    }
    auto& is = answers[name];
    // Whether all executions end is for the directives that name a model.
    is["unknown"].erase("termination");
    CAPTURE(name);
    CHECK(violated == is["violated"]);
    CHECK(violated.empty() == (name.find("-broken") == std::string::npos));
    CHECK(verified == violated.empty());
    const bool only = !is["verified"].empty() && is["possible"].empty() && is["unknown"].empty() &&
                      is["unsupported"].empty();
    if (verified) CHECK(only);
  }
  CHECK(files > 70);
}

}  // namespace headway
