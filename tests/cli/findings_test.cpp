// --format junit and sarif, and parts of verdicts that are joined.
#include <doctest/doctest.h>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::check;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

constexpr const char* kUnmet =
    "litmus unmet\nlocations f;\nthread 0 { f = 1; }\nthread 1 { while (Load(f) == 0); }\n"
    "expect { fail HSA:weak; }\n";

CommandResult run_plainly(std::vector<std::string> arguments) {
  return headway::testing::headway(std::move(arguments));
}

}  // namespace

TEST_CASE("cli/findings: check names what is not met, with its place, and keeps its exit status") {
  const TemporaryFolder folder;
  const std::string unmet = folder.write("un&met.litmus", kUnmet).string();
  const std::string broken =
      folder.write("broken.litmus", "litmus b\nlocations f;\nthread").string();
  const std::string fine =
      folder.write("fine.litmus", "locations f;\nthread 0 { f = 1; }\n").string();

  const CommandResult junit = check({"--format", "junit", unmet, fine});
  CHECK(junit.status == 1);
  CHECK(contains(junit.out, "tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\""));
  CHECK(contains(junit.out, "un&amp;met.litmus"));
  CHECK(contains(junit.out, "<failure message=\"expected HSA:weak to fail; it passes\""));
  CHECK(contains(junit.out, "name=\"fine\" time=\"0.0"));
  CHECK(check({"--format", "junit", fine}).status == 0);

  const CommandResult sarif = check({"--format", "sarif", unmet, broken});
  CHECK(sarif.status == 2);
  CHECK(contains(sarif.out, "\"version\": \"2.1.0\""));
  CHECK(contains(sarif.out, "\"ruleId\": \"expectation\""));
  CHECK(contains(sarif.out, "un%26met.litmus"));
  CHECK(contains(sarif.out, "\"startLine\": 5"));
  CHECK(contains(sarif.out, "\"ruleId\": \"input\""));

  const CommandResult open = check({"--format", "junit", "--max-states", "1", fine});
  CHECK(open.status == 3);
  CHECK(contains(open.out, "skipped=\"1\""));
}

TEST_CASE("cli/findings: suites that differ and readings that are refuted are failures") {
  const std::string litmus = (headway::testing::source_dir() / "litmus").string();
  const CommandResult same = run_plainly({"suite", "diff", litmus + "/spin-mutex.litmus",
                                          litmus + "/spin-mutex.litmus", "--format", "junit"});
  CHECK(same.status == 0);
  CHECK(contains(same.out, "failures=\"0\""));
  const CommandResult differ = run_plainly({"suite", "diff", litmus + "/spin-mutex.litmus",
                                            litmus + "/chain-3.litmus", "--format", "sarif"});
  CHECK(differ.status == 1);
  CHECK(contains(differ.out, "\"ruleId\": \"only_a\""));
  CHECK(contains(differ.out, "\"ruleId\": \"only_b\""));
  const std::string published =
      (headway::testing::source_dir() / "tests" / "data" / "published").string();
  const CommandResult conform =
      run_plainly({"conform", published + "/devices/2t_2i/a620.csv", "--suite",
                   published + "/tests/2t_2i", "-m", "HSA", "--format", "junit"});
  CHECK(conform.status == 0);
  CHECK(contains(conform.out, "classname=\"a620\" name=\"HSA:weak\""));
}

TEST_CASE("cli/findings: parts of verdicts join to what one run writes, and nothing else does") {
  const std::string suite =
      (headway::testing::source_dir() / "litmus" / "suite" / "fingerprint").string();
  const auto verdicts = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"suite", "verdicts", suite, "--format", "csv"};
    words.insert(words.end(), more.begin(), more.end());
    return run_plainly(words);
  };
  const std::string whole = verdicts({}).out;
  const TemporaryFolder folder;
  std::vector<std::string> parts;
  // More parts than tests: some are empty.
  for (int part = 7; part >= 1; --part) {
    const CommandResult made = verdicts({"--shard", std::to_string(part) + "/7"});
    CHECK(made.status == 0);
    parts.push_back(folder.write("part" + std::to_string(part), made.out).string());
  }
  std::vector<std::string> words = {"merge"};
  words.insert(words.end(), parts.begin(), parts.end());
  const CommandResult merged = run_plainly(words);
  CHECK(merged.status == 0);
  CHECK(merged.out == whole);

  headway::testing::check_refused(run_plainly({"merge", parts[0], parts[1]}),
                                  "part 1/7 is missing");
  headway::testing::check_refused(run_plainly({"merge", parts[0], parts[0]}), "is there twice");
  const std::string other =
      folder.write("other", verdicts({"-m", "OBE", "--shard", "1/7"}).out).string();
  headway::testing::check_refused(run_plainly({"merge", parts[0], other}),
                                  "this is not of the run");
  const std::string text = verdicts({"--shard", "1/7"}).out;
  const std::string cut = folder.write("cut", text.substr(0, text.size() - 9)).string();
  headway::testing::check_refused(run_plainly({"merge", cut}), "cut off");
  headway::testing::check_refused(verdicts({"--shard", "0/7"}), "expected I/N");
  headway::testing::check_refused(run_plainly({"suite", "verdicts", suite, "--shard", "1/7"}),
                                  "--shard goes with --format csv");
}

#ifdef HEADWAY_KERNELS
TEST_CASE("cli/findings: parts of proofs join to what one run writes") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "kernels");
  const auto kernel = [&](const std::string& name, const std::string& body) {
    folder.write("kernels/" + name + ".cl",
                 "__kernel void " + name + "(__global int* a) {\n  " + body + "\n}\n");
  };
  kernel("apart", "a[get_global_id(0)] = 1;");
  kernel("empty", "");
  kernel("races", "a[0] = get_global_id(0);");
  const auto verify = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"verify", (folder.path() / "kernels").string(), "--format",
                                      "csv"};
    words.insert(words.end(), more.begin(), more.end());
    return run_plainly(words);
  };
  const CommandResult whole = verify({});
  REQUIRE(whole.status == 1);
  CHECK(contains(whole.out, "apart,race,verified"));
  CHECK(contains(whole.out, "races,race,violated"));
  for (const int parts : {1, 2, 5}) {
    std::vector<std::string> words = {"merge"};
    for (int part = parts; part >= 1; --part) {
      const std::string name = std::to_string(part) + "/" + std::to_string(parts);
      const CommandResult made = verify({"--shard", name});
      CHECK(made.status <= 1);
      words.push_back(
          folder.write("part" + std::to_string(parts) + std::to_string(part), made.out).string());
    }
    const CommandResult merged = run_plainly(words);
    CHECK(merged.status == 0);
    CHECK(merged.out == whole.out);
  }
  const std::string one = folder.write("one", verify({"--shard", "1/2"}).out).string();
  headway::testing::check_refused(run_plainly({"merge", one}), "part 2/2 is missing");
  // Of other kernels, of other options.
  const std::string options =
      folder.write("options", verify({"--shard", "2/2", "--timeout", "7"}).out).string();
  headway::testing::check_refused(run_plainly({"merge", one, options}), "this is not of the run");
  kernel("empty", "a[get_global_id(0)] = 2;");
  const std::string later = folder.write("later", verify({"--shard", "2/2"}).out).string();
  headway::testing::check_refused(run_plainly({"merge", one, later}), "this is not of the run");
  headway::testing::check_refused(run_plainly({"verify", folder.path().string(), "--shard", "1/2"}),
                                  "--shard goes with --format csv");
}
#endif

TEST_CASE("cli/findings: columns of SARIF count UTF-16 code units") {
  const TemporaryFolder folder;
  // "ä" is one unit and two bytes, the face two units and four bytes.
  const std::string wide =
      folder
          .write("wide.litmus",
                 "litmus b\nlocations f;\nthread 0 { /* \xc3\xa4\xf0\x9f\x98\x80 */ ? }\n")
          .string();
  CHECK(contains(check({wide}).err, ":3:25:"));
  CHECK(contains(check({"--format", "sarif", wide}).out, "\"startColumn\": 22"));
}
