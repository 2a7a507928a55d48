// The results of a campaign: the tests of a suite, run on one device under one or more mappings of
// threads to workgroups. A results file is JSON, docs/reference/conform.md describes it; it names
// the programs that were run by their hashes, and ends with a checksum over all that stands before
// it. A campaign that is not finished is a valid one with results missing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "suite/suite.hpp"

namespace headway::campaign {

inline constexpr std::size_t kMaxResultBytes = std::size_t{1} << 30;  // of a file
inline constexpr int kMaxIterations = 1'000'000;                      // and at least 1
inline constexpr int kMaxInstances = 1 << 24;                         // likewise

enum class RunOutcome {
  terminated,   // all threads of all instances
  timed_out,    // not all of them by the time limit; the run was ended
  device_lost,  // the device or its driver ended the run, as their watchdogs do with hung kernels
  crashed,      // the process that ran the test ended by itself: this says nothing of progress
  error         // the run did not come about, or its final memory was none that it could have
};
std::string to_string(RunOutcome outcome);

// Whether a run was under way and did not end by itself.
inline bool is_hang(RunOutcome outcome) {
  return outcome == RunOutcome::timed_out || outcome == RunOutcome::device_lost;
}

struct Run {
  RunOutcome outcome = RunOutcome::terminated;
  double milliseconds = 0;  // at least 0, kept to the microsecond
  std::string message;      // what went wrong, for people; most runs have none
  friend bool operator==(const Run&, const Run&) = default;
};

// The runs of a test under a mapping: at least one, at most as many as there are iterations, and
// fewer only where the runner gave up on the test.
struct TestRuns {
  std::size_t test = 0;     // of Results::tests
  std::size_t mapping = 0;  // of Results::mappings
  std::vector<Run> runs;
  friend bool operator==(const TestRuns&, const TestRuns&) = default;
};

struct Device {
  std::string name;    // as the target reports it: "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string driver;  // with its version; empty when the target does not say
  std::string target;  // "cpp", "cuda", "opencl", "vulkan" or "webgpu"
  std::map<std::string, std::string> details;  // whatever else describes the machine
  friend bool operator==(const Device&, const Device&) = default;
};

// A test as results name it.
struct TestIdentity {
  std::string name;
  std::string program;  // program_hash() of the test
  friend bool operator==(const TestIdentity&, const TestIdentity&) = default;
};

struct Results {
  std::string version;  // of headway
  std::string started;  // utc_now() at the beginning of the campaign
  Device device;
  std::string suite;                  // the path of the suite, as it was named
  std::vector<TestIdentity> tests;    // of the suite, in its order, names distinct
  std::vector<std::string> mappings;  // "plain", "round-robin", ..., at least one, distinct
  int instances = 1;                  // of a test that run at once
  int iterations = 1;                 // runs of a test under a mapping
  double timeout = 5000;              // of a run, in milliseconds, above 0
  // How programs were written, as emit::describe() says it; empty where a file does not tell, as
  // those before there was a choice.
  std::string written;
  std::vector<TestRuns> runs;  // each pair of test and mapping once at most

  // Whether every test has its runs under every mapping.
  bool complete() const { return runs.size() == tests.size() * mappings.size(); }
  friend bool operator==(const Results&, const Results&) = default;
};

// 16 hexadecimal digits that are equal for tests that are equal up to the names and order of
// locations, and for no others, but by chance.
std::string program_hash(const lang::Test& test);
// The same for a suite: for its programs in any order, whatever they are called.
std::string suite_hash(const std::vector<TestIdentity>& tests);
std::vector<TestIdentity> identify(const suite::Suite& suite);

// The time now, to the millisecond, as "2026-03-01T12:34:56.789Z".
std::string utc_now();

// The text of a results file.
std::string print_results(const Results& results);
// Replaces the file at `path` as a whole. Throws headway::Error.
void write_results(const std::string& path, const Results& results);

// Whether a text begins as a results file does.
bool is_results(std::string_view text);
// Reads what print_results() has written. Throws headway::Error about `file` for a text that is
// truncated, edited, of a version of the format that is not known, or not a results file at all.
Results parse_results(const std::string& text, const std::string& file);
Results read_results(const std::string& path);

// Why the campaign that `there` began is not the one that `wanted` is about: a sentence on the
// first of device, programs, mappings and options that differs. Nothing when it can be gone on
// with; when it began and what ran by then do not matter.
std::optional<std::string> difference(const Results& there, const Results& wanted);

// Of each test of `results` its index in `suite`: the test that is this program; of several the
// one with its name, or else the first. Throws headway::Error about `file`, with the first test
// whose program is not in the suite.
std::vector<std::size_t> locate(const Results& results, const suite::Suite& suite,
                                const std::string& file);

}  // namespace headway::campaign
