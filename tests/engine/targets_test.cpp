// Targets: their files, and what nobody says of a program there.
#include "engine/targets.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "languages/languages.hpp"
#include "support/errors.hpp"

using namespace headway;
using testing::complaint_of;

namespace {

constexpr const char* kTarget =
    "name: mine\nsubgroups: cm\nworkgroup: OBE\nsubgroup: fair\nthread: unfair\nsource: here\n";

std::string complaint_about(const std::string& text) {
  return complaint_of([&] { engine::read_target(text, "t.yaml"); });
}

const engine::Target& named(const std::vector<engine::Target>& all, const std::string& name) {
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const engine::Target& target) { return target.name == name; });
  REQUIRE(found != all.end());
  return *found;
}

std::string complaint_on(const std::string& target, const std::string& statements, int threads) {
  const lang::Test test =
      lang::parse("idiom t\n1 workgroup of " + std::to_string(threads) +
                      " threads;\nshared bool x;\nthreads {\n" + statements + "\n}\n",
                  "f");
  return complaint_of([&] { engine::on_target(test, named(engine::targets(), target)); });
}

}  // namespace

TEST_CASE("engine/targets: a file says how subgroups run and what is promised") {
  const engine::Target target = engine::read_target(kTarget, "t.yaml");
  CHECK(target.name == "mine");
  CHECK(target.reading == lang::SubgroupReading::cm);
  CHECK(target.model == "workgroup=OBE,subgroup=fair,thread=unfair");
  CHECK_FALSE(target.uniform_votes);
}

TEST_CASE("engine/targets: those that come with headway can be read") {
  const std::vector<engine::Target> all = engine::targets();
  CHECK(all.size() == 11);
  for (const engine::Target& target : all) {
    CAPTURE(target.name);
    CHECK_FALSE(target.summary.empty());
    CHECK_FALSE(target.source.empty());
  }
}

TEST_CASE("engine/targets: what is wrong in a file is told with its place") {
  const std::string text = kTarget;
  CHECK(complaint_about(text + "sizes: 32\n") ==
        "7:1: unknown field 'sizes'; expected one of name, summary, subgroups, votes, workgroup, "
        "subgroup, thread, size, barrier, source; did you mean 'size'?");
  CHECK(complaint_about(text + "size: many\n") ==
        "7:7: expected the threads of a subgroup, 1 to 128");
  CHECK(complaint_about(text + "votes: uniforn\n") ==
        "7:8: expected uniform or anywhere, found 'uniforn'; did you mean 'uniform'?");
  CHECK(complaint_about(text + "name: twice\n") == "7:1: 'name' is given twice");
  CHECK(complaint_about(text.substr(0, text.find("source"))) ==
        "1:1: the target has no 'source'; expected 'source: ...'");
}

TEST_CASE("engine/targets: who votes where not all come by is said by some targets alone") {
  CHECK(complaint_on("vulkan", "any(1);\nif (lane == 0) any(1);", 2) ==
        "0:0: unsupported: line 6, any(1);: nobody says who takes part on vulkan where not all "
        "threads "
        "of the subgroup come by");
  CHECK(complaint_on("vulkan", "any(1);\nif (lane == 0) store(x, 1);\nany(1);", 2) == "no error");
  CHECK(complaint_on("vulkan-maximal", "if (lane == 0) any(1);", 2) == "no error");
}

TEST_CASE("engine/targets: subgroups have no more threads than there are in one") {
  CHECK(complaint_on("amd-wave32", "store(x, 1);", 33) ==
        "0:0: unsupported: subgroups of 33 threads; amd-wave32 has 32");
  CHECK(complaint_on("amd-wave64", "store(x, 1);", 33) == "no error");
}
