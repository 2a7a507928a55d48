#include <doctest/doctest.h>

#include "base/file.hpp"
#include "base/text/csv.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::CommandOptions;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::in;
using headway::testing::suite;
using headway::testing::TemporaryFolder;
using Arguments = std::vector<std::string>;
namespace fs = std::filesystem;

// A quarter of what synthesis makes of two threads and five instructions: the tests of two threads
// and three instructions again and again, under names of their own.
TEST_CASE("cli/suite_large: a suite of 100,000 tests is classified like a small one") {
  constexpr std::size_t copies = 569;
  const TemporaryFolder folder;
  const Arguments synthesize = {"synth", "-k", "3"};
  const std::string once = headway::testing::headway(synthesize).out;
  folder.write("once.jsonl", once);
  {
    headway::NewFile file(folder.path() / "many.jsonl");
    for (std::size_t copy = 0; copy < copies; ++copy) file.write(once);
    file.commit();
  }
  const Arguments classify = {"classify", "--format", "csv"};
  Arguments small = classify, large = classify;
  small.emplace_back("once.jsonl");
  large.emplace_back("many.jsonl");
  const auto few = headway::parse_csv(suite(small, in(folder.path())).out, "output");
  const CommandResult result = suite(large, in(folder.path()));
  CHECK(result.status == 0);
  CHECK(contains(result.err, "many.jsonl: another test is called "));
  CHECK(contains(result.err, "and so with 99967 more\n"));
  const auto many = headway::parse_csv(result.out, "output");
  REQUIRE(many.size() == few.size());
  for (std::size_t r = 1; r < few.size(); ++r) {
    CAPTURE(few[r][0]);
    for (const std::size_t column : {1, 2}) {
      CHECK(std::stoul(many[r][column]) == copies * std::stoul(few[r][column]));
    }
  }
  large.emplace_back("--unique");
  small.emplace_back("--unique");
  CHECK(suite(large, in(folder.path())).out == suite(small, in(folder.path())).out);
  CHECK(suite({"fingerprint", "many.jsonl", "--format", "csv"}, in(folder.path())).out ==
        suite({"fingerprint", "once.jsonl", "--format", "csv"}, in(folder.path())).out);
}
