// Readings of subgroups and targets, from outside.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/texts.hpp"

using headway::testing::check_here;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::lines_of;
using Json = nlohmann::json;

namespace {

const std::string kLock = "litmus/scoped/subgroup-lock-spin.litmus";

}  // namespace

TEST_CASE("cli/targets: each reading has rows of its own, with its name") {
  const CommandResult result = check_here({kLock, "--subgroups", "its,cm", "--subgroups", "mr",
                                           "--fairness", "weak", "--format", "csv"});
  CHECK(result.status == 0);
  CHECK(
      lines_of(result.out) ==
      std::vector<std::string>{
          "test,subgroup_reading,model,fairness,verdict",
          "subgroup-lock-spin,its,thread=unfair,weak,fail", "subgroup-lock-spin,its,fair,weak,pass",
          "subgroup-lock-spin,cm,thread=unfair,weak,fail", "subgroup-lock-spin,cm,fair,weak,fail",
          "subgroup-lock-spin,mr,thread=unfair,weak,fail", "subgroup-lock-spin,mr,fair,weak,fail"});
  const CommandResult json = check_here({kLock, "--subgroups", "sso", "--format", "json"});
  const Json tests = Json::parse(json.out);
  CHECK(tests.at(0).at("subgroup_reading") == "sso");
  CHECK(tests.at(0).at("execution") == "sso");
}

TEST_CASE("cli/targets: without a reading tables have no column for one") {
  const CommandResult result = check_here({kLock, "--format", "csv", "--fairness", "weak"});
  CHECK(lines_of(result.out).front() == "test,model,fairness,verdict");
}

TEST_CASE("cli/targets: what is not there is told with what may be meant") {
  CHECK(contains(check_here({kLock, "--subgroups", "ssso"}).err, "did you mean 'sso'?"));
  CHECK(check_here({kLock, "--subgroups", "ssso"}).status == 2);
  CHECK(contains(check_here({kLock, "--target", "cud"}).err, "did you mean 'cuda'?"));
  CHECK(contains(check_here({kLock, "--target", "cuda", "--model", "fair"}).err,
                 "expected no --subgroups, --model"));
  CHECK(contains(check_here({"litmus/spin-mutex.litmus", "--subgroups", "cm"}).err,
                 "expected a program of the idiom language"));
}

TEST_CASE("cli/targets: a target is a row, in every format") {
  const CommandResult csv = check_here({kLock, "--target", "cuda,amd-wave32", "--format", "csv"});
  CHECK(csv.status == 0);
  CHECK(lines_of(csv.out) ==
        std::vector<std::string>{
            "test,target,subgroup_reading,model,outcome",
            "subgroup-lock-spin,cuda,its,\"workgroup=OBE,subgroup=fair,thread=fair\",ends",
            "subgroup-lock-spin,amd-wave32,cfg,\"workgroup=OBE,subgroup=fair,thread=unfair\",may "
            "hang"});
  const Json rows =
      Json::parse(check_here({kLock, "--target", "cuda-pre-volta", "--format", "json"}).out);
  CHECK(rows.at(0).at("outcome") == "may hang");
  CHECK(rows.at(0).at("target") == "cuda-pre-volta");
}
