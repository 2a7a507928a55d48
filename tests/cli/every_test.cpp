// headway check --threads any, and headway check-certificate.
#include <doctest/doctest.h>

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
