// headway run on C++ threads, from outside: what is kept, and what is killed.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/file.hpp"
#include "base/process.hpp"
#include "support/campaigns.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"

namespace fs = std::filesystem;
using headway::Process;
using headway::campaign::read_results;
using headway::campaign::Results;
using headway::campaign::RunOutcome;
using headway::testing::CommandOptions;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::error_of;
using headway::testing::kAlways;
using headway::testing::kNever;
using headway::testing::outcomes;
using headway::testing::TemporaryFolder;
using Words = std::vector<std::string>;
using Outcomes = std::vector<RunOutcome>;
using namespace std::chrono_literals;

namespace {

constexpr auto kPatience = 120s;

int parent_of(int id) {
  std::ifstream file("/proc/" + std::to_string(id) + "/stat");
  std::string text;
  std::getline(file, text);
  std::istringstream behind_name(text.substr(text.rfind(')') + 1));
  std::string state;
  int parent = 0;
  behind_name >> state >> parent;
  return parent;
}

// A suite of two tests and a place for what becomes of them.
struct Bench {
  TemporaryFolder folder;
  fs::path suite = folder.path() / "suite";
  fs::path temporary = folder.path() / "temporary";
  std::string out = (folder.path() / "results.json").string();
  std::string iterations = "2";

  // Tests run in the order of the names of their files.
  Bench(const std::string& first, const std::string& second) {
    folder.write("suite/1.litmus", first);
    if (!second.empty()) folder.write("suite/2.litmus", second);
    fs::create_directories(temporary);
  }

  Words words(const std::string& timeout, const Words& more = {}) const {
    Words all = {"run",       suite.string(), "-t", "cpp", "--iterations",
                 iterations,  "--instances",  "2",  "-o",  out,
                 "--timeout", timeout};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  CommandResult run(const std::string& timeout, const Words& more = {}) const {
    CommandOptions options;
    options.environment["CXX"] = HEADWAY_CXX;
    options.environment["TMPDIR"] = temporary.string();
    return headway::testing::headway(words(timeout, more), options);
  }
  // The same, in a process that does not wait.
  Words background(const std::string& timeout) const {
    Words all = {"env", std::string("CXX=") + HEADWAY_CXX, "TMPDIR=" + temporary.string(),
                 headway::testing::headway_binary().string()};
    const Words words = this->words(timeout);
    all.insert(all.end(), words.begin(), words.end());
    return all;
  }

  // The processes of compiled tests.
  std::vector<int> children() const {
    std::vector<int> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      std::ifstream file(entry.path() / "cmdline");
      std::string program;
      std::getline(file, program, '\0');
      if (program.starts_with(temporary.string()) && program.ends_with("/litmus")) {
        found.push_back(std::stoi(entry.path().filename()));
      }
    }
    return found;
  }
  // Waits until there are as many; false when that does not come.
  bool wait_for_children(std::size_t count) const {
    for (const auto deadline = Process::Clock::now() + kPatience; children().size() != count;) {
      if (Process::Clock::now() > deadline) return false;
      std::this_thread::sleep_for(5ms);
    }
    return true;
  }
  bool wait_for_results(std::size_t count) const {
    for (const auto deadline = Process::Clock::now() + kPatience;;) {
      if (fs::exists(out) && read_results(out).runs.size() == count) return true;
      if (Process::Clock::now() > deadline) return false;
      std::this_thread::sleep_for(5ms);
    }
  }
};

}  // namespace

TEST_CASE("cli/run: a test that cannot terminate is killed and reported, and the others go on") {
  const Bench bench(kNever, kAlways);
  const CommandResult result = bench.run("1s", {"--mapping", "plain,chunked"});
  CAPTURE(result.err);
  CHECK(result.status == 0);
  CHECK(result.out ==
        "test    plain     chunked\n"
        "never   hang 2/2  hang 2/2\n"
        "always  pass      pass\n");
  CHECK(contains(result.err, "2 passed, 2 hung; written to " + bench.out));
  const Results results = read_results(bench.out);
  CHECK(results.complete());
  CHECK(results.device.target == "cpp");
  CHECK_FALSE(results.device.name.empty());
  CHECK_FALSE(results.device.driver.empty());
  CHECK(results.mappings == Words{"plain", "chunked"});
  CHECK(results.instances == 2);
  CHECK(results.iterations == 2);
  CHECK(results.timeout == 1000);
  for (const char* mapping : {"plain", "chunked"}) {
    CHECK(outcomes(results, "never", mapping) == Outcomes(2, RunOutcome::timed_out));
    CHECK(outcomes(results, "always", mapping) == Outcomes(2, RunOutcome::terminated));
  }
  for (const auto& runs : results.runs) {
    for (const auto& run : runs.runs) {
      CHECK((run.outcome == RunOutcome::terminated) == (run.milliseconds < 1000));
    }
  }
  CHECK(bench.children().empty());
  CHECK(fs::is_empty(bench.temporary));

  // Again: nothing is left to do, and the formats say the same.
  const std::string before = headway::read_file(bench.out);
  const CommandResult again = bench.run("1s", {"--mapping", "plain,chunked", "--format", "csv"});
  CHECK(again.status == 0);
  CHECK(contains(again.err, "4 of 4 done already"));
  CHECK(
      again.out.starts_with("test,mapping,terminated,timed_out,device_lost,crashed,error\n"
                            "never,plain,0,2,0,0,0\nalways,plain,2,0,0,0,0\n"));
  CHECK(bench.run("1s", {"--mapping", "plain,chunked", "--format", "json"}).out == before);
  CHECK(headway::read_file(bench.out) == before);

  // What is another campaign is refused, and the file is left alone.
  const auto refused = [&](const CommandResult& other, const std::string& why) {
    CAPTURE(other.err);
    CHECK(other.status == 2);
    CHECK(contains(other.err, "results of another campaign: " + why));
    CHECK(headway::read_file(bench.out) == before);
  };
  refused(bench.run("2s", {"--mapping", "plain,chunked"}), "the time limit");
  refused(bench.run("1s", {"--mapping", "plain"}), "the mapping");
  bench.folder.write("suite/3.litmus", kAlways);
  refused(bench.run("1s", {"--mapping", "plain,chunked"}), "the suite");
}

TEST_CASE("cli/run: killing the runner loses no finished test and leaves no process behind") {
  const Bench bench(kAlways, kNever);
  {
    Process runner(bench.background("1s"));
    REQUIRE(bench.wait_for_results(1));
    REQUIRE(bench.wait_for_children(1));
    runner.kill();
  }
  CHECK(bench.wait_for_children(0));
  const Results before = read_results(bench.out);
  CHECK_FALSE(before.complete());
  REQUIRE(before.runs.size() == 1);
  CHECK(outcomes(before, "always", "plain") == Outcomes(2, RunOutcome::terminated));

  const CommandResult result = bench.run("1s");
  CHECK(result.status == 0);
  CHECK(contains(result.err, "1 of 2 done already"));
  const Results after = read_results(bench.out);
  CHECK(after.complete());
  CHECK(after.runs.front() == before.runs.front());
  CHECK(after.started == before.started);
  CHECK(outcomes(after, "never", "plain") == Outcomes(2, RunOutcome::timed_out));
}

TEST_CASE("cli/run: killing the child loses its run, and says so") {
  Bench bench(kNever, kAlways);
  bench.iterations = "1";
  Process runner(bench.background("10min"));
  REQUIRE(bench.wait_for_children(1));
  // It may not have begun its run: a moment, which a slow machine may take for too short.
  std::this_thread::sleep_for(300ms);
  ::kill(bench.children().at(0), SIGKILL);
  std::string output;
  while (runner.wait(Process::Clock::now() + kPatience) == Process::Event::line) {
    output += runner.line() + "\n";
  }
  CHECK(runner.status() == 2);
  CHECK(contains(output, "never   error\nalways  pass\n"));
  CHECK(contains(runner.complaint(), "never, plain: "));
  const Results results = read_results(bench.out);
  CHECK(results.complete());
  CHECK(outcomes(results, "always", "plain") == Outcomes{RunOutcome::terminated});
  const std::vector<RunOutcome> never = outcomes(results, "never", "plain");
  REQUIRE(never.size() == 1);
  CHECK((never[0] == RunOutcome::crashed || never[0] == RunOutcome::error));
}

TEST_CASE("cli/run: an interruption ends the campaign and keeps the file") {
  const Bench bench(kNever, kAlways);
  Process runner(bench.background("10min"));
  REQUIRE(bench.wait_for_children(1));
  ::kill(parent_of(bench.children().at(0)), SIGINT);
  while (runner.wait(Process::Clock::now() + kPatience) == Process::Event::line) continue;
  CHECK(runner.status() == 130);
  CHECK(bench.children().empty());
  CHECK(fs::is_empty(bench.temporary));
  CHECK(read_results(bench.out).runs.empty());
  CHECK(contains(runner.complaint(), "0 passed, 0 hung"));
}

TEST_CASE("cli/run: a test that cannot be compiled is an error, not a hang") {
  const Bench bench(kAlways, "");
  CommandOptions options;
  const std::string compiler =
      bench.folder
          .write("compiler",
                 "#!/bin/sh\n"
                 "case $1 in --version) echo Broken 1.2; exit;; esac\n"
                 "test -e \"$0.repaired\" || { echo no such thing >&2; exit 4; }\n"
                 "exec " HEADWAY_CXX " \"$@\"\n")
          .string();
  fs::permissions(compiler, fs::perms::owner_all);
  options.environment["CXX"] = compiler;
  const CommandResult result = headway::testing::headway(bench.words("10s"), options);
  CHECK(result.status == 2);
  CHECK(contains(result.out, "always  error"));
  CHECK(
      contains(result.err, "always, plain: error: " + compiler + ": exit status 4\nno such thing"));
  CHECK(outcomes(read_results(bench.out), "always", "plain") == Outcomes{RunOutcome::error});
  CHECK(read_results(bench.out).device.driver == "Broken 1.2");

  // What could not be run is tried again.
  bench.folder.write("compiler.repaired", "");
  const CommandResult again = headway::testing::headway(bench.words("10s"), options);
  CHECK(again.status == 0);
  CHECK(outcomes(read_results(bench.out), "always", "plain") ==
        Outcomes(2, RunOutcome::terminated));
}

TEST_CASE("cli/run: what a compiler that is ended leaves in the temporary folder goes with it") {
  const Bench bench(kAlways, "");
  CommandOptions options;
  const std::string compiler = bench.folder
                                   .write("compiler",
                                          "#!/bin/sh\n"
                                          "case $1 in --version) echo Slow 1.2; exit;; esac\n"
                                          "touch \"$TMPDIR/half.s\"\n"
                                          "exit 4\n")
                                   .string();
  fs::permissions(compiler, fs::perms::owner_all);
  options.environment["CXX"] = compiler;
  options.environment["TMPDIR"] = bench.temporary.string();
  CHECK(headway::testing::headway(bench.words("10s"), options).status == 2);
  CHECK(fs::is_empty(bench.temporary));
}

// Out of the bounds of an array, it would write to what follows it in memory.
constexpr const char* kWrong =
    "idiom wrong\nshared bool a[2];\nthread 0 { int(0..2) i = 2; store(a[i], 1); }\n"
    "thread 1 { store(a[0], 1); }\n";

TEST_CASE("cli/run: what goes wrong does not run unless it is forced") {
  const Bench bench(kWrong, kAlways);
  const CommandResult refused = bench.run("10s");
  CAPTURE(refused.err);
  CHECK(refused.status == 2);
  CHECK(contains(refused.err, "1.litmus: wrong goes wrong: step 1, thread 0, line 3"));
  CHECK(contains(refused.err, "'headway explain --model fair' shows how"));
  CHECK(contains(refused.err, "--force"));
  const Results results = read_results(bench.out);
  REQUIRE(results.tests.size() == 1);
  CHECK(outcomes(results, "always", "plain") == Outcomes(2, RunOutcome::terminated));

  const Bench alone(kWrong, "");
  const CommandResult nothing = alone.run("10s");
  CHECK(nothing.status == 2);
  CHECK(contains(nothing.err, "no test is left"));
  CHECK_FALSE(fs::exists(alone.out));
  const CommandResult forced = alone.run("10s", {"--force"});
  CHECK(outcomes(read_results(alone.out), "wrong", "plain").size() > 0);
  CHECK_FALSE(contains(forced.err, "goes wrong"));
}

TEST_CASE("cli/run: how threads look at memory is recorded") {
  const Bench bench(kNever, "");
  const CommandResult result = bench.run("500ms", {"--loads", "rmw"});
  CAPTURE(result.err);
  CHECK(result.status == 0);
  CHECK(read_results(bench.out).written == "rmw loads");
  const CommandResult other = bench.run("500ms");
  CHECK(other.status == 2);
  CHECK(
      contains(other.err, "the way of writing programs is rmw loads there and relaxed loads here"));
}

TEST_CASE("cli/run: bad usage is refused before anything runs") {
  const Bench bench(kAlways, "");
  const auto refused = [&](const Words& words, const std::string& why) {
    const CommandResult result = headway::testing::headway(words);
    CAPTURE(result.err);
    CHECK(result.status == 2);
    CHECK(contains(result.err, why));
    CHECK_FALSE(fs::exists(bench.out));
  };
  const std::string suite = bench.suite.string();
  refused({"run", suite, "-t", "cpp"}, "--out is required");
  refused({"run", suite, "-t", "metal", "-o", bench.out}, "metal");
  refused(bench.words("5s", {"--cooperative"}), "--cooperative is for the target cuda");
  refused(bench.words("5s", {"--loads", "eager"}), "eager");
  refused(bench.words("5 parsecs"), "expected a time");
  refused(bench.words("0"), "expected a time");
  refused(bench.words("25min", {"--mapping", "zigzag"}), "zigzag");
  refused(bench.words("1s", {"--device", "abacus"}), "no device has 'abacus' in its name");
  refused(
      {"run", suite, "-t", "cpp", "--mapping", "chunked", "--instances", "40000", "-o", bench.out},
      "always: 40000 instances of 2 workgroups are more than 65535");
  refused({"run", "/no/such/suite", "-t", "cpp", "-o", bench.out}, "/no/such/suite");
  refused({"run", suite, "-t", "cpp", "-o", "/dev/null/results.json"}, "/dev/null/results.json");
  const TemporaryFolder empty;
  refused({"run", empty.path().string(), "-t", "cpp", "-o", bench.out}, "no test");
  bench.folder.write("suite/2.litmus", "thread 0 { }");
  refused(bench.words("1s"), "2.litmus:1:");
}

TEST_CASE("cli/run: damaged results are refused and left alone") {
  const Bench bench(kAlways, "");
  CHECK(bench.run("10s").status == 0);
  std::string text = headway::read_file(bench.out);
  const std::string half = text.substr(0, text.size() / 2);
  headway::write_file(bench.out, half);
  const CommandResult result = bench.run("10s");
  CHECK(result.status == 2);
  CHECK(contains(result.err, bench.out));
  CHECK(headway::read_file(bench.out) == half);
}

TEST_CASE("cli/run: folders of runs that were killed are removed, and those in use are not") {
  const Bench bench(kAlways, "");
  const auto old = fs::file_time_type::clock::now() - 1h;
  for (const char* name : {"headway-run-killed", "headway-run-used", "another"}) {
    fs::create_directories(bench.temporary / name);
    std::ofstream(bench.temporary / name / "litmus.cpp") << "int main() {}\n";
    fs::last_write_time(bench.temporary / name, old);
  }
  fs::create_directories(bench.temporary / "headway-run-young");
  const int used = ::open((bench.temporary / "headway-run-used").c_str(), O_DIRECTORY | O_CLOEXEC);
  REQUIRE(::flock(used, LOCK_EX) == 0);
  CHECK(bench.run("30s").status == 0);
  ::close(used);
  CHECK_FALSE(fs::exists(bench.temporary / "headway-run-killed"));
  CHECK(fs::exists(bench.temporary / "headway-run-used/litmus.cpp"));
  CHECK(fs::exists(bench.temporary / "headway-run-young"));
  CHECK(fs::exists(bench.temporary / "another/litmus.cpp"));
}
