// headway devices, and campaigns over the fingerprint suite on what there is of OpenCL and Vulkan:
// PoCL and lavapipe where there is no GPU.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "support/campaigns.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"

using headway::campaign::is_hang;
using headway::campaign::read_results;
using headway::campaign::Results;
using headway::campaign::RunOutcome;
using headway::testing::CommandOptions;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::kAlways;
using headway::testing::kNever;
using headway::testing::outcomes;
using headway::testing::source_dir;
using headway::testing::TemporaryFolder;
using Words = std::vector<std::string>;
using Outcomes = std::vector<RunOutcome>;

namespace {

// Whether tests can be run on a target here. Drivers that compile code as they run are nothing for
// a sanitizer.
bool usable(const std::string& target) {
#ifdef HEADWAY_SANITIZED
  return target == "cpp";
#else
  const CommandResult list = headway::testing::headway({"devices", "--format", "csv"});
  const bool there = contains(list.out, "\n" + target + ",") && !contains(list.err, target + ":");
  if (!there) MESSAGE("skipped: " << list.err);
  return there;
#endif
}

CommandResult run(const std::string& suite, const std::string& target, const std::string& out,
                  const Words& more) {
  const TemporaryFolder cache;
  CommandOptions options;
  options.environment["POCL_CACHE_DIR"] = cache.path().string();
  options.environment["CXX"] = HEADWAY_CXX;
  Words words = {"run", suite, "-t", target, "--iterations", "1", "--instances", "4", "-o", out};
  words.insert(words.end(), more.begin(), more.end());
  return headway::testing::headway(words, options);
}

void kills_what_cannot_terminate(const std::string& target) {
  if (!usable(target)) return;
  const TemporaryFolder folder;
  folder.write("suite/1.litmus", kNever);
  folder.write("suite/2.litmus", kAlways);
  const std::string out = (folder.path() / "results.json").string();
  const CommandResult result = run((folder.path() / "suite").string(), target, out,
                                   {"--mapping", "chunked", "--timeout", "2s"});
  CAPTURE(result.err);
  CHECK(result.status == 0);
  const Results results = read_results(out);
  CHECK(outcomes(results, "never", "chunked") == Outcomes{RunOutcome::timed_out});
  CHECK(outcomes(results, "always", "chunked") == Outcomes{RunOutcome::terminated});
}

// `operations` asserts what each operation gives; headway check holds it to that, too. The
// assertion of `violated` does not hold, so it runs only when forced; then that is an error and no
// hang.
void runs_programs(const std::string& target) {
  if (!usable(target)) return;
  const std::string suite = (source_dir() / "tests/data/programs").string();
  CHECK(headway::testing::headway({"check", suite}).status == 0);
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "results.json").string();
  const CommandResult result =
      run(suite, target, out, {"--mapping", "round-robin", "--timeout", "8s", "--force"});
  CAPTURE(result.err);
  const Results results = read_results(out);
  CHECK(outcomes(results, "operations", "round-robin") == Outcomes{RunOutcome::terminated});
  CHECK(outcomes(results, "violated", "round-robin") == Outcomes{RunOutcome::error});
}

// Programs of groups assert what they compute, and all of these end where workgroups that have
// started go on. What a target cannot say is left out.
void runs_groups(const std::string& target, std::size_t tests, const std::string& mappings) {
  if (!usable(target)) return;
  const TemporaryFolder folder;
  for (const char* name : {"litmus/scoped/leader-barrier", "litmus/scoped/mp-groupid-drawn",
                           "tests/data/groups/plain-code", "tests/data/groups/subgroups"}) {
    const std::filesystem::path path(name);
    folder.write("suite/" + path.filename().string() + ".litmus",
                 headway::read_file((source_dir() / (path.string() + ".litmus")).string()));
  }
  const std::string out = (folder.path() / "results.json").string();
  const CommandResult result = run((folder.path() / "suite").string(), target, out,
                                   {"--mapping", mappings, "--timeout", "20s"});
  CAPTURE(result.err);
  CHECK(result.status == (tests < 4 ? 2 : 0));
  const Results results = read_results(out);
  CHECK(results.complete());
  CHECK(results.tests.size() == tests);
  for (const auto& runs : results.runs) {
    CHECK(runs.runs.front().outcome == RunOutcome::terminated);
  }
}

// Runs some tests of the fingerprint suite, each once.
Results runs_some(const std::string& target, const std::string& suite, const std::string& timeout) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "results.json").string();
  const CommandResult result =
      run(suite, target, out, {"--mapping", "plain,round-robin", "--timeout", timeout});
  CAPTURE(result.err);
  CHECK(result.status == 0);
  Results results = read_results(out);
  CHECK(results.complete());
  CHECK(results.device.target == target);
  CHECK_FALSE(results.device.name.empty());
  CHECK_FALSE(results.device.driver.empty());
  for (const auto& runs : results.runs) REQUIRE(runs.runs.size() == 1);
  return results;
}

// What a device does with most of these tests is its own affair, and changes with the number of its
// cores, so these have little time. But a test that passes even under weak OBE, and hangs, would be
// our fault.
void runs_the_fingerprint(const std::string& target) {
  if (!usable(target)) return;
  const TemporaryFolder folder;
  const std::filesystem::path passes = "fingerprint-4-2t_3i-simplified-mutex.litmus";
  for (const auto& entry :
       std::filesystem::directory_iterator(source_dir() / "litmus/suite/fingerprint")) {
    const auto name = entry.path().filename();
    if (name.extension() != ".litmus" || name == passes) continue;
    folder.write("others/" + name.string(), headway::read_file(entry.path()));
  }
  const Results others = runs_some(target, (folder.path() / "others").string(), "500ms");
  CHECK(others.tests.size() == 4);
  for (const auto& runs : others.runs) {
    CAPTURE(others.tests[runs.test].name);
    const RunOutcome outcome = runs.runs[0].outcome;
    CHECK((outcome == RunOutcome::terminated || is_hang(outcome)));
  }
  const Results mutex =
      runs_some(target, (source_dir() / "litmus/suite/fingerprint" / passes).string(), "20s");
  CHECK(mutex.tests.size() == 1);
  for (const auto& runs : mutex.runs) CHECK(runs.runs[0].outcome == RunOutcome::terminated);
}

// What an operation of a subgroup gives is asserted by the tests of these names.
void runs_operations(const std::string& target, const Words& names) {
  if (!usable(target)) return;
  const TemporaryFolder folder;
  for (const std::string& name : names) {
    folder.write("suite/" + name + ".litmus",
                 headway::read_file(source_dir() / "tests/data/groups" / (name + ".litmus")));
  }
  const std::string out = (folder.path() / "results.json").string();
  const CommandResult result = run((folder.path() / "suite").string(), target, out,
                                   {"--mapping", "plain", "--timeout", "20s"});
  CAPTURE(result.err);
  CHECK(result.status == 0);
  const Results results = read_results(out);
  CHECK(results.complete());
  CHECK(results.tests.size() == names.size());
  for (const auto& runs : results.runs) {
    CHECK(runs.runs.front().outcome == RunOutcome::terminated);
  }
}

}  // namespace

TEST_CASE("cli/devices: the processor is always there") {
  const CommandResult table = headway::testing::headway({"devices"});
  CHECK(table.status == 0);
  CHECK(table.out.starts_with("target  kind  device"));
  CHECK(contains(table.out, "\ncpp     CPU   "));
  const CommandResult csv = headway::testing::headway({"devices", "--format", "csv"});
  CHECK(csv.out.starts_with("target,kind,device,driver\ncpp,CPU,"));
  const CommandResult json = headway::testing::headway({"devices", "--format", "json"});
  const auto document = nlohmann::json::parse(json.out);
  REQUIRE(document.size() == 4);
  CHECK(document[0]["target"] == "cpp");
  CHECK(document[0]["devices"][0]["kind"] == "CPU");
}

TEST_CASE("cli/devices: what lacks a program is said") {
  CommandOptions options;
  options.environment["PATH"] = "/nowhere";
  options.environment["CXX"] = std::nullopt;
  const CommandResult result = headway::testing::headway({"devices"}, options);
  CHECK(result.status == 0);
  CHECK(contains(result.err, "cpp: no C++ compiler"));
  CHECK(contains(result.err, "cuda: no NVIDIA driver"));
  const TemporaryFolder folder;
  const std::string test = folder.write("always.litmus", kAlways).string();
  const CommandResult refused = headway::testing::headway(
      {"run", test, "-t", "cpp", "-o", (folder.path() / "results.json").string()}, options);
  CHECK(refused.status == 2);
  CHECK(contains(refused.err, "cpp: no C++ compiler"));
}

// Without an NVIDIA GPU this is as far as CUDA goes: a driver and a compiler that only seem to be
// there. What the compiler makes says which GPUs it may see, and does as the programs do.
TEST_CASE("cli/devices: CUDA programs are compiled and run on the chosen GPU") {
  const TemporaryFolder folder;
  const auto script = [&](const std::string& name, const std::string& text) {
    const auto path = folder.write("bin/" + name, "#!/bin/sh\n" + text);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path.string();
  };
  script("nvidia-smi", "echo 'Small GPU, 1.2.3'; echo 'Large GPU, 1.2.3'\n");
  script("nvcc",
         "for out; do :; done\n"
         "test -s \"$3\" || exit 1\n"
         "cp \"${0%/*}/program\" \"$out\"\n");
  script("program",
         "echo device: $CUDA_VISIBLE_DEVICES; echo runs: $1; sleep 0.1\n"
         "echo run 1: terminated in 0.004000 s\n"
         "echo the launch timed out >&2; exit 3\n");
  CommandOptions options;
  options.environment["PATH"] = (folder.path() / "bin").string() + ":/usr/bin:/bin";
  const std::string test = folder.write("always.litmus", kAlways).string();
  const std::string out = (folder.path() / "results.json").string();
  const Words run = {"run", test, "-t", "cuda", "--iterations", "3", "-o", out};
  Words on_large = run;
  on_large.insert(on_large.end(), {"--device", "large"});
  const CommandResult result = headway::testing::headway(on_large, options);
  CAPTURE(result.err);
  CHECK(result.status == 0);
  const Results results = read_results(out);
  CHECK(results.device.name == "Large GPU");
  CHECK(results.device.driver == "NVIDIA 1.2.3");
  // Each child makes one run, and loses the device in the next.
  REQUIRE(outcomes(results, "always", "plain") ==
          Outcomes{RunOutcome::terminated, RunOutcome::device_lost, RunOutcome::terminated});
  CHECK(results.runs[0].runs[0].milliseconds == 4);
  CHECK(results.runs[0].runs[1].message == "the launch timed out");
  CHECK(contains(result.out, "always  hang 1/3"));
}

TEST_CASE("cli/devices: what cannot terminate is killed on OpenCL") {
  kills_what_cannot_terminate("opencl");
}

TEST_CASE("cli/devices: what cannot terminate is killed on Vulkan") {
  kills_what_cannot_terminate("vulkan");
}

TEST_CASE("cli/devices: programs with registers compute on C++ threads what headway computes") {
  runs_programs("cpp");
}

TEST_CASE("cli/devices: programs with registers compute on OpenCL what headway computes") {
  runs_programs("opencl");
}

TEST_CASE("cli/devices: programs with registers compute on Vulkan what headway computes") {
  runs_programs("vulkan");
}

TEST_CASE("cli/devices: programs of groups on C++ threads") { runs_groups("cpp", 4, "chunked"); }

// Their subgroups are up to the device.
TEST_CASE("cli/devices: programs of groups on OpenCL") {
  runs_groups("opencl", 3, "plain,chunked");
}

TEST_CASE("cli/devices: programs of groups on Vulkan") { runs_groups("vulkan", 3, "chunked"); }

TEST_CASE("cli/devices: operations of subgroups on C++ threads") {
  runs_operations("cpp", {"operations", "operations-apart"});
}

TEST_CASE("cli/devices: operations of subgroups on Vulkan") {
  runs_operations("vulkan", {"operations"});
}

TEST_CASE("cli/devices: subgroups that a device does not have are an error") {
  if (!usable("vulkan")) return;
  const TemporaryFolder folder;
  // Sizes are powers of two, and memory of a workgroup leaves no lane over.
  const std::string test = folder
                               .write("odd.litmus",
                                      "idiom odd\n1 workgroup of 3 threads;\nworkgroup bool x;\n"
                                      "threads { any(load(x)); }\n")
                               .string();
  const std::string out = (folder.path() / "results.json").string();
  const CommandResult result = run(test, "vulkan", out, {});
  CHECK(result.status == 2);
  CHECK(contains(result.err, "expected subgroups of exactly 3 threads, 1 in a workgroup"));
  CHECK(read_results(out).runs.front().runs.front().outcome == RunOutcome::error);
}

TEST_CASE("cli/devices: the fingerprint suite on C++ threads") { runs_the_fingerprint("cpp"); }

TEST_CASE("cli/devices: the fingerprint suite on OpenCL") { runs_the_fingerprint("opencl"); }

TEST_CASE("cli/devices: the fingerprint suite on Vulkan") { runs_the_fingerprint("vulkan"); }
