// headway check --threads any, and headway check-certificate.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/file.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::check;
using headway::testing::check_here;
using headway::testing::check_refused;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::TemporaryFolder;

TEST_CASE("cli/every: CSV has a row a reading, and the exit status is 0 where none is open") {
  const CommandResult result = check_here(
      {"--threads", "any", "--format", "csv", "-m", "OBE", "litmus/idioms/exchange-lock.litmus"});
  CHECK(result.status == 0);
  CHECK(result.out ==
        "family,model,fairness,answer,n\n"
        "exchange-lock,OBE,weak,pass,1\n"
        "exchange-lock,OBE,strong,pass,1\n");
}

TEST_CASE("cli/every: what is open is told with its reason, and is exit status 3") {
  const CommandResult result =
      check_here({"--threads", "any", "-m", "fair", "litmus/idioms/mcs-lock.litmus"});
  CHECK(result.status == 3);
  CHECK(contains(result.out, "unknown, pass to"));
  CHECK(contains(result.err, "mcs-lock.litmus:7:19: the range of tail depends on N"));
}

TEST_CASE("cli/every: what threads counted and in a row lack is told with its place") {
  const CommandResult result =
      check_here({"--threads", "any", "-m", "unfair", "litmus/idioms/lock-free-stack.litmus"});
  CHECK(result.status == 3);
  CHECK(contains(result.err, "lock-free-stack.litmus:18: threads in a row: the assertion may not"));
  CHECK(contains(result.err, "lock-free-stack.litmus:15:26: expected tid % c"));
}

TEST_CASE("cli/every: explain tells the proof in words") {
  const auto explain = [](const std::string& idiom, const std::string& model) {
    return headway::testing::headway(
        {"explain", "--threads", "any", "-m", model, "litmus/idioms/" + idiom + ".litmus"},
        headway::testing::in(headway::testing::source_dir()));
  };
  CommandResult result = explain("ticket-lock", "OBE");
  CHECK(result.status == 0);
  CHECK(contains(result.out, "serving: passed from p to p + 1"));
  CHECK(contains(result.out, "OBE promises steps to all threads that have started"));
  result = explain("counter-barrier", "fair");
  CHECK(contains(result.out, "arrived is the shares of all threads"));
  CHECK(contains(result.out, "who has not started"));
  result = explain("counter-barrier", "OBE");
  CHECK(contains(result.out, "More threads need not start"));
  result = explain("try-locks", "fair");
  CHECK(contains(result.out, "More threads can come first"));
  result = explain("mcs-lock", "OBE");
  CHECK(result.status == 3);
  CHECK(contains(result.out, "Nothing is known beyond the N that were run."));
}

TEST_CASE("cli/every: residency for every N, where it follows") {
  const auto residency = [](const std::string& idiom) {
    return headway::testing::headway(
        {"residency", "--threads", "any", "--format", "csv", "litmus/idioms/" + idiom + ".litmus"},
        headway::testing::in(headway::testing::source_dir()));
  };
  CHECK(residency("ticket-lock").out ==
        "family,fairness,resident,from\nticket-lock,weak,0,2\nticket-lock,strong,0,2\n");
  CHECK(contains(residency("counter-barrier").out, "counter-barrier,weak,some,2"));
  CHECK(contains(residency("try-locks").out, "try-locks,weak,never,2"));
  CHECK(residency("mcs-lock").status == 3);
}

TEST_CASE("cli/every: JSON") {
  const CommandResult result =
      check_here({"--threads", "any", "--format", "json", "-m", "HSA", "--fairness", "weak",
                  "litmus/idioms/exchange-lock.litmus"});
  CHECK(result.status == 0);
  CHECK(contains(result.out, "\"answer\": \"fail from\""));
  CHECK(contains(result.out, "\"safe\": true"));
}

TEST_CASE("cli/every: certificates are written, accepted, and rejected when one is changed") {
  const TemporaryFolder folder;
  const std::string path = folder.path().string();
  const CommandResult result =
      check_here({"--threads", "any", "-m", "OBE", "-m", "HSA", "--certificate", path,
                  "litmus/idioms/exchange-lock.litmus"});
  CHECK(result.status == 0);
  CHECK(contains(result.err, "5 certificates written to"));
  const CommandResult accepted = headway::testing::headway({"check-certificate", path});
  CHECK(accepted.status == 0);
  CHECK(contains(accepted.out, "accepted exchange-lock.OBE.weak.json, OBE:weak: pass for every N"));
  CHECK(contains(accepted.out, "accepted exchange-lock.HSA.weak.json, HSA:weak: fail from N = 2"));
  std::string text = headway::read_file(folder.path() / "exchange-lock.OBE.weak.json");
  const std::size_t model = text.find("\"OBE\"");
  REQUIRE(model != std::string::npos);
  text.replace(model, 5, "\"HSA\"");
  const auto changed = folder.write("changed.json", text);
  const CommandResult rejected = headway::testing::headway({"check-certificate", changed.string()});
  CHECK(rejected.status == 1);
  CHECK(contains(rejected.out, "rejected changed.json"));
}

TEST_CASE("cli/every: what does not go together is refused") {
  check_refused(check_here({"--threads", "any", "-m", "OBE-k", "litmus/idioms/cas-lock.litmus"}),
                "'OBE-k' is not decided for every N");
  check_refused(check_here({"--certificate", "c", "litmus/idioms/cas-lock.litmus"}),
                "--certificate goes with --threads any");
  check_refused(check_here({"--threads", "any", "--witness", "w", "litmus/spin-mutex.litmus"}),
                "do not go with --threads any");
  check_refused(check_here({"--threads", "any", "litmus/spin-mutex.litmus"}),
                "expected a family of the idiom language");
}

TEST_CASE("cli/every: a family that goes wrong is exit status 1") {
  const CommandResult result =
      check({"--threads", "any", "-m", "fair", "-"},
            headway::testing::input("idiom broken\nN = 2;\nshared bool x;\n"
                                    "threads { assert(exch(x, 1) == 0); }\n"));
  CHECK(result.status == 1);
  CHECK(contains(result.out, "goes wrong from 2"));
  CHECK(contains(result.out, "error from 2"));
}

TEST_CASE("cli/every: report writes a page of all families of a folder, open ones included") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "every.html").string();
  for (const char* name : {"exchange-lock", "mcs-lock"}) {
    const std::string file = fmt::format("litmus/idioms/{}.litmus", name);
    headway::write_file(folder.path() / "suite" / (std::string(name) + ".litmus"),
                        headway::read_file(headway::testing::source_dir() / file));
  }
  headway::write_file(folder.path() / "suite" / "other.litmus",
                      "locations f;\nthread 0 { f = 1; }\nthread 1 { while (Load(f) == 0); }\n");
  const CommandResult result =
      headway::testing::headway({"report", "--threads", "any", "-m", "OBE",
                                 (folder.path() / "suite").string(), "--title", "All N", "-o", out},
                                {});
  CHECK(result.status == 2);  // one file is no family, and says so
  CHECK(contains(result.err, "2 families written to " + out));
  const std::string page = headway::read_file(out);
  CHECK(contains(page, "<title>All N</title>"));
  CHECK(contains(page, "<td class=\"pass\">pass</td>"));
  CHECK(contains(page, "<td class=\"open\">unknown, pass to 5</td>"));
  CHECK(contains(page, "other.litmus"));
}

TEST_CASE("cli/every: a report for every N has neither devices nor an engine") {
  const CommandResult result = headway::testing::headway(
      {"report", "--threads", "any", "--engine", "none", "litmus/idioms", "-o", "-"},
      headway::testing::in(headway::testing::source_dir()));
  CHECK(result.status == 2);
  CHECK(contains(result.err, "--devices and --engine do not go with --threads any"));
}
