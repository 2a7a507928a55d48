// headway check of programs under memory models, from outside.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::check;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::in;
using headway::testing::source_dir;
using headway::testing::TemporaryFolder;
using Json = nlohmann::json;

namespace {

CommandResult asked(const std::vector<std::string>& arguments) {
  return headway::testing::headway(arguments, in(source_dir()));
}

// Verdicts by test and model, weakly fair.
using Verdicts = std::map<std::pair<std::string, std::string>, std::string>;

}  // namespace

TEST_CASE("cli/check --memory sc: idioms have the verdicts of the checker") {
  // With two threads; of three the graphs of some take minutes.
  Verdicts expected;
  const std::vector<std::string> names = {"cas-lock",
                                          "chained-scan",
                                          "chained-scan-acquired",
                                          "counter-barrier",
                                          "decoupled-fallback",
                                          "decoupled-look-back",
                                          "exchange-lock",
                                          "mcs-lock",
                                          "decoupled-look-back-acquired",
                                          "reader-writer-lock",
                                          "producer-consumer-down",
                                          "producer-consumer-two-way",
                                          "sequence-lock",
                                          "producer-consumer-up",
                                          "ticket-lock",
                                          "ttas-lock"};
  std::vector<std::string> files;
  for (const std::string& name : names) files.push_back("litmus/idioms/" + name + ".litmus");
  std::vector<std::string> by_checker = {"check", "--threads", "2",   "--fairness",
                                         "weak",  "--format",  "json"};
  std::vector<std::string> by_graphs = {"check", "--threads", "2",   "--memory",
                                        "sc",    "--format",  "json"};
  by_checker.insert(by_checker.end(), files.begin(), files.end());
  by_graphs.insert(by_graphs.end(), files.begin(), files.end());
  for (const Json& test : Json::parse(asked(by_checker).out)) {
    for (const Json& one : test.at("verdicts")) {
      expected[{test.at("test"), one.at("model")}] = one.at("verdict");
    }
  }
  const CommandResult graphs = asked(by_graphs);
  CHECK(graphs.status == 0);
  std::size_t compared = 0;
  for (const Json& test : Json::parse(graphs.out)) {
    for (const Json& one : test.at("progress")) {
      const auto key = std::pair<std::string, std::string>(test.at("test"), one.at("model"));
      CAPTURE(key.first);
      CAPTURE(key.second);
      REQUIRE(expected.contains(key));
      CHECK(one.at("verdict") == expected.at(key));
      ++compared;
    }
  }
  CHECK(compared == 6 * names.size());
}

TEST_CASE("cli/check --memory: exit status 1 where a program goes wrong or races") {
  const CommandResult races = asked({"check", "examples/memory/unlock.litmus", "--memory", "rc11"});
  CHECK(races.status == 1);
  CHECK(contains(races.out, "race"));
  const CommandResult wrong =
      asked({"check", "litmus/idioms/ticket-lock.litmus", "--threads", "2", "--memory", "rc11"});
  CHECK(wrong.status == 1);
  CHECK(contains(wrong.err,
                 "ticket-lock-2 under rc11 goes wrong: line 12, "
                 "assert(exch(busy, 1) == 0);: the assertion does not hold"));
  const CommandResult sizes =
      asked({"check", "examples/memory/lock.litmus", "--memory", "rc11", "--threads", "2"});
  CHECK(sizes.status == 2);
}

TEST_CASE("cli/check --memory: barriers and lockstep of AXB tests are refused with their place") {
  const auto complaint = [](const std::string& text) {
    const CommandResult result = headway::testing::headway({"check", "-", "--memory", "rc11"},
                                                           headway::testing::input(text));
    CHECK(result.status == 2);
    return result.err;
  };
  CHECK(contains(complaint("locations x;\nworkgroup 0 {\n  thread 0 {\n    barrier(workgroup);\n"
                           "    x = 1;\n  }\n  thread 1 { barrier(workgroup); }\n}\n"),
                 ":4:1: a barrier is not read with --memory"));
  CHECK(contains(complaint("locations m;\nthreads 0..1 { while (Exch(m, 1) == 1); m = 0; }\n"),
                 "threads in lockstep are not read with --memory"));
}

TEST_CASE("cli/check --memory: AXB tests are of the strongest atomics, and say so") {
  // Where accesses are sequentially consistent, as all models have them, a test ends as without.
  const std::vector<std::string> files = {"litmus/spin-mutex.litmus",
                                          "litmus/producer-consumer-increasing.litmus"};
  for (const char* model : {"sc", "rc11", "ptx6", "opencl"}) {
    const bool spins = std::string_view(model) != "ptx6";  // exchanges of PTX write in each round
    for (const std::string& file : files) {
      if (!spins && file == files.front()) continue;
      const Json plain =
          Json::parse(asked({"check", file, "--fairness", "weak", "--format", "json"}).out);
      const CommandResult under = asked({"check", file, "--memory", model, "--format", "json"});
      CHECK(contains(under.err, "count as the strongest atomics"));
      std::map<std::string, std::string> expected, found;
      for (const Json& one : plain.at(0).at("verdicts")) {
        expected[one.at("model")] = one.at("verdict");
      }
      const Json answers = Json::parse(under.out);
      for (const Json& one : answers.at(0).at("progress")) {
        found[one.at("model")] = one.at("verdict");
      }
      CAPTURE(file);
      CAPTURE(model);
      CHECK(found == expected);
    }
  }
}

TEST_CASE("cli/check --memory: a litmus test of another language than the model's is refused") {
  const TemporaryFolder folder;
  const std::string file = folder
                               .write("spin.litmus",
                                      "C spin\n{}\n"
                                      "P0 (atomic_int* m) { atomic_exchange_explicit(m, 1, "
                                      "memory_order_seq_cst); }\n"
                                      "P1 (atomic_int* m) { while (atomic_load_explicit(m, "
                                      "memory_order_seq_cst) != 2) {} }\n"
                                      "~exists (m=1)\n")
                               .string();
  for (const char* model : {"vulkan", "opencl", "ptx", "ptx6"}) {
    CAPTURE(model);
    for (const char* command : {"check", "repair"}) {
      const CommandResult result =
          headway::testing::headway({command, file, "--memory", model, "-m", "fair"});
      CHECK(result.status == 2);
      CHECK(contains(result.err, "is a test of C, and the model"));
    }
  }
  for (const char* model : {"rc11", "c11", "tso", "sc"}) {
    CAPTURE(model);
    CHECK(contains(check({file, "--memory", model, "-m", "fair"}).out, "fail"));
  }
  // The others have their answers.
  const CommandResult both = check({file, "--memory", "vulkan", "--memory", "rc11", "-m", "fair"});
  CHECK(both.status == 2);
  CHECK(contains(both.out, "rc11"));
}

TEST_CASE("cli/check --memory: a condition about no execution at all is said to be so") {
  const TemporaryFolder folder;
  const auto answer = [&](const char* barrier) {
    const std::string text = std::string(
                                 "PTX barriers\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
                                 " st.weak x, 1 | bar.cta.sync ") +
                             barrier + " ;\n bar.cta.sync 0 | ld.weak r0, x ;\nforall (1:r0=1)\n";
    return check({folder.write("barriers.litmus", text).string(), "--memory", "ptx"});
  };
  const CommandResult apart = answer("1"), together = answer("0");
  CHECK(contains(apart.err, "under ptx no execution of 'barriers' comes to its end"));
  CHECK(contains(together.out, "Always 1 0"));
  CHECK(together.err.empty());
}

TEST_CASE("cli/check --memory rc11: an update reads from nothing that is behind it") {
  const TemporaryFolder folder;
  const std::string file =
      folder
          .write("update.litmus",
                 "C update\n{}\n"
                 "P0 (atomic_int* x) { int r1 = atomic_fetch_add_explicit(x, 1, "
                 "memory_order_relaxed); }\n"
                 "P1 (atomic_int* x) { atomic_store_explicit(x, 2, "
                 "memory_order_relaxed); }\n"
                 "exists (0:r1=2 /\\ x=2)\n")
          .string();
  for (const char* model : {"rc11", "c11", "tso", "sc"}) {
    CAPTURE(model);
    CHECK(contains(check({file, "--memory", model}).out, "Never 0 2"));
  }
}

TEST_CASE("cli/check --memory: CSV has the verdicts of the table, a row a progress model") {
  const TemporaryFolder folder;
  const std::string wrong =
      folder
          .write("wrong.litmus",
                 "idiom wrong\nshared bool x, y;\n"
                 "thread 0 { store(x, 1, relaxed); store(y, 1, relaxed); }\n"
                 "thread 1 { if (load(y, relaxed)) assert(load(x, relaxed)); }\n")
          .string();
  const std::string waits =
      folder
          .write("waits.litmus",
                 "idiom waits\nshared bool x;\nthread 0 { while (!load(x)); }\n"
                 "thread 1 { store(x, 0); }\n")
          .string();
  const CommandResult broken =
      check({wrong, "--memory", "ptx", "--memory", "sc", "-m", "OBE", "--format", "csv"});
  CAPTURE(broken.err);
  CHECK(broken.status == 1);
  CHECK(contains(broken.out, "wrong," + wrong + ",ptx,OBE,error,,,,,"));
  CHECK(contains(broken.out, "wrong," + wrong + ",sc,OBE,pass,,,,,"));
  CHECK_FALSE(contains(broken.out, "holds"));
  const CommandResult endless = check({waits, "--memory", "sc", "--format", "csv"});
  CHECK(contains(endless.out, ",sc,fair,fail,,,,,"));
  CHECK_FALSE(contains(endless.out, "holds"));
  const auto json = Json::parse(check({waits, "--memory", "sc", "--format", "json"}).out);
  REQUIRE(!json.empty());
  CHECK(json[0]["verdict"].is_null());
  CHECK(check({waits, "--memory", "sc", "--format", "herd", "-m", "OBE"}).status == 2);
}

TEST_CASE("cli/check --memory: what was cut is not said to be always, or never") {
  const TemporaryFolder folder;
  const std::string file =
      folder
          .write("cut.litmus",
                 "C cut\n{ x=0; y=0; }\nP0(atomic_int* x, atomic_int* y) {\n"
                 "  while (atomic_load_explicit(y, memory_order_relaxed) == 0) {\n"
                 "    atomic_fetch_add_explicit(x, 1, memory_order_relaxed);\n  }\n}\n"
                 "P1(atomic_int* y) {\n  atomic_store_explicit(y, 1, memory_order_relaxed);\n}\n"
                 "exists (x=0 \\/ x=1 \\/ x=2 \\/ x=3)\n")
          .string();
  const CommandResult found = check({file});
  CHECK(found.status == 0);
  CHECK(contains(found.out, "Unknown 4 0"));
  CHECK(contains(found.err, "not all executions of 'cut' were looked at"));
  CHECK(contains(check({file, "--format", "herd"}).out, "Observation cut Unknown 4 0"));
  CHECK(contains(check({file, "--format", "csv"}).out, "holds,Unknown,4,0,,"));
}

TEST_CASE("cli/check --memory c11: a constant may be its own reason, unless a model forbids it") {
  const TemporaryFolder folder;
  const std::string file =
      folder
          .write("air.litmus",
                 "C air\n{ x=0; y=0; }\nP0(atomic_int* x, atomic_int* y) {\n"
                 "  int r0 = atomic_load_explicit(x, memory_order_relaxed);\n"
                 "  if (r0 == 1) { atomic_store_explicit(y, 1, memory_order_relaxed); }\n}\n"
                 "P1(atomic_int* x, atomic_int* y) {\n"
                 "  int r1 = atomic_load_explicit(y, memory_order_relaxed);\n"
                 "  if (r1 == 1) { atomic_store_explicit(x, 1, memory_order_relaxed); }\n}\n"
                 "exists (0:r0=1 /\\ 1:r1=1)\n")
          .string();
  const CommandResult found = check({file, "--memory", "c11", "--memory", "rc11", "--memory", "sc",
                                     "--memory", "tso", "--format", "csv"});
  CHECK(contains(found.out, ",c11,,holds,Sometimes,1,1,,"));
  for (const char* model : {"rc11", "sc", "tso"}) {
    CHECK(contains(found.out, std::string(",") + model + ",,does not hold,Never,0,1,,"));
  }
}

TEST_CASE("cli/check --memory: a loop that no value leads to is none where values have a reason") {
  const TemporaryFolder folder;
  const std::string file =
      folder
          .write("loop.litmus",
                 "C loop\n{ x=0; y=0; z=0; }\nP0(atomic_int* x, atomic_int* y) {\n"
                 "  while (atomic_load_explicit(x, memory_order_relaxed) == 2) {\n"
                 "    atomic_fetch_add_explicit(y, 1, memory_order_relaxed);\n  }\n}\n"
                 "P1(atomic_int* x, atomic_int* z) {\n"
                 "  int r = atomic_load_explicit(z, memory_order_relaxed);\n"
                 "  if (r == 7) { atomic_store_explicit(x, 2, memory_order_relaxed); }\n}\n"
                 "exists (y=1)\n")
          .string();
  const CommandResult found =
      check({file, "--memory", "rc11", "--memory", "sc", "--format", "csv"});
  CHECK(found.status == 0);
  CHECK(contains(found.out, ",rc11,,does not hold,Never,0,1,,"));
}

TEST_CASE("cli/check --memory: what a file expects is said not to be looked at") {
  const TemporaryFolder folder;
  const std::string file = folder
                               .write("expects.litmus",
                                      "locations x;\nthread 0 { while (Load(x) == 0); }\n"
                                      "thread 1 { x = 1; }\nexpect { pass OBE; }\n")
                               .string();
  const CommandResult plain = asked({"check", file});
  CHECK(plain.status == 1);
  const CommandResult under = asked({"check", file, "--memory", "sc", "-m", "OBE"});
  CHECK(under.status == 0);
  CHECK(contains(under.err, "what it expects is of"));
  CHECK(asked({"check", file, "--memory", "sc", "--fairness", "strong"}).status == 2);
}
