// Launches of groups on the command line.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/command.hpp"
#include "support/files.hpp"

namespace headway::testing {
namespace {

const std::string kScoped = std::string(HEADWAY_SOURCE_DIR) + "/litmus/scoped/";

}  // namespace

TEST_CASE("cli/scopes: the library of launches of groups has the verdicts it says") {
  CHECK(headway({"check", kScoped}).status == 0);
  const std::string presets = "fair;CUDA;independent-threads;lockstep;SYCL-parallel;WebGPU";
  CHECK(headway({"check", "-m", presets, kScoped}).status == 0);
}

TEST_CASE("cli/scopes: in lockstep outputs speak of subgroups") {
  const std::string file = kScoped + "subgroup-lock-spin-lockstep.litmus";
  const CommandResult text = headway({"explain", "-m", "fair", file});
  CHECK(text.out.find("step  subgroup  line") != std::string::npos);
  CHECK(text.out.find("\nsubgroup 0  steps in the cycle") != std::string::npos);
  const auto json =
      nlohmann::json::parse(headway({"explain", "-m", "fair", "--format", "json", file}).out);
  CHECK(json["witness"]["cycle"][0].contains("subgroup"));
  const auto lts = nlohmann::json::parse(headway({"lts", "--format", "json", file}).out);
  CHECK(lts["states"][0].contains("subgroups"));
  CHECK(lts["transitions"][0].contains("subgroup"));
  const CommandResult remark =
      headway({"check", "-m", "thread=OBE", kScoped + "subgroup-lock-done-lockstep.litmus"});
  CHECK(remark.err.find("is a launch of 2 subgroups of 2 threads in lockstep") !=
        std::string::npos);
}

TEST_CASE("cli/scopes: several models in one option, and a remark where none is asked") {
  const CommandResult csv = headway({"check", "-m", "CUDA;workgroup=OBE,thread=unfair", "-m",
                                     "HSA,fair", "--format", "csv", kScoped + "mp-groupid.litmus"});
  CHECK(csv.status == 0);
  CHECK(csv.out.find("workgroup=OBE,thread=unfair") != std::string::npos);
  CHECK(csv.err.empty());
  const CommandResult one =
      headway({"check", "-m", "unfair", kScoped + "producer-consumer-in-group.litmus"});
  CHECK(
      one.err.find("remark: producer-consumer-in-group is a launch of 1 workgroup of 2 threads") !=
      std::string::npos);
}

TEST_CASE("cli/scopes: an explanation speaks of groups") {
  const CommandResult text = headway({"explain", "-m", "CUDA", kScoped + "mp-groupid.litmus"});
  CHECK(text.status == 0);
  CHECK(text.out.find("\nworkgroup 0  ") != std::string::npos);
  // Neighbours of whom the same is to be said share a line.
  CHECK(text.out.find("\neach of threads 0-1  ") != std::string::npos);
  CHECK(text.out.find("; for workgroups parallel says started & alive, and 0 is none of these\n") !=
        std::string::npos);
  const CommandResult json =
      headway({"explain", "-m", "CUDA", "--format", "json", kScoped + "mp-groupid.litmus"});
  const auto object = nlohmann::json::parse(json.out);
  CHECK(json.out.find("\"workgroups\"") != std::string::npos);
  CHECK_FALSE(object.empty());
}

TEST_CASE("cli/scopes: CSV has columns for the groups of a launch") {
  const std::string file = kScoped + "mp-groupid.litmus",
                    lockstep = kScoped + "leader-barrier-lockstep.litmus";
  const CommandResult check =
      headway({"check", "-f", "weak", "-m", "HSA", "--format", "csv", "--launch", file, lockstep});
  CHECK(check.out ==
        "test,model,fairness,verdict,workgroups,subgroups,threads,execution\n"
        "mp-groupid,HSA,weak,pass,2,1,2,independent\n"
        "leader-barrier-lockstep,HSA,weak,fail,2,1,2,lockstep\n");
  const TemporaryFolder folder;
  const std::string table = folder.write("table.csv", check.out).string();
  CHECK(headway({"check", "-m", "HSA", "--against", table, file, lockstep}).status == 0);

  const CommandResult explain = headway({"explain", "-m", "CUDA", "--format", "csv", file});
  CHECK(explain.out.starts_with("part,step,workgroup,subgroup,thread,line,"));
  CHECK(explain.out.find("\ncycle,1,1,,2,") != std::string::npos);
  CHECK(explain.out.find(",1,,2\n") != std::string::npos);  // guaranteed: workgroup 1, thread 2
  const CommandResult lanes = headway({"explain", "-m", "HSA", "--format", "csv", lockstep});
  CHECK(lanes.out.find("\ncycle,1,,0,,11,") != std::string::npos);

  const CommandResult lts =
      headway({"lts", "-m", "CUDA", "--format", "csv", "--view", "events", file});
  CHECK(lts.out.starts_with("from,to,event,workgroup,subgroup,thread,guaranteed_workgroups,"));
  CHECK(lts.out.find("\n0,1,step,0,,0,,,\n") != std::string::npos);
  CHECK(lts.out.find(",terminate,1,,3,,,\n") != std::string::npos);
}

TEST_CASE("cli/scopes: models are compared on a launch of groups") {
  const CommandResult text = headway(
      {"models", "compare", "--launch", "2x2", "workgroup=OBE,thread=unfair", "CUDA", "C++"});
  CHECK(text.status == 0);
  CHECK(text.out.find("for 2 workgroups of 2 threads") != std::string::npos);
  const CommandResult wrong = headway({"models", "compare", "--launch", "2x", "OBE", "HSA"});
  CHECK(wrong.status == 2);
  CHECK(wrong.err.find("'2x' is no launch; expected workgroups") != std::string::npos);
  const CommandResult large = headway({"models", "compare", "--launch", "4x4", "OBE", "HSA"});
  CHECK(large.status == 2);
  CHECK(large.err.find("has 16 threads; expected at most 10") != std::string::npos);
}

}  // namespace headway::testing
