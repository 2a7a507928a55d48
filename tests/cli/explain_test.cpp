// headway explain, and the witnesses of headway check, from outside.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file.hpp"
#include "base/text/csv.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::read_file;
using headway::testing::check_here;
using headway::testing::check_refused;
using headway::testing::CommandOptions;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::in;
using headway::testing::input;
using headway::testing::source_dir;
using headway::testing::TemporaryFolder;
using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

namespace {

const std::string kConsumerLast =
    "locations m;\nthread 0 { m = 1; }\nthread 1 { while (Load(m) == 0); }\n";

CommandResult explain(const Arguments& arguments,
                      const CommandOptions& options = in(source_dir())) {
  Arguments all = {"explain"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return headway::testing::headway(all, options);
}

// The same for the files of litmus/.
CommandResult check_litmus(Arguments arguments) {
  const auto& files = headway::testing::litmus_files();
  arguments.insert(arguments.end(), files.begin(), files.end());
  return check_here(arguments);
}

std::map<std::string, std::string> files_in(const std::filesystem::path& folder) {
  std::map<std::string, std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    CHECK(entry.is_regular_file());
    result[entry.path().filename().string()] = read_file(entry.path());
  }
  return result;
}

}  // namespace

TEST_CASE("cli/explain: a failing test and a passing one are both fine") {
  const CommandResult fails = explain({"litmus/spin-mutex.litmus", "--model", "HSA"});
  CHECK(fails.status == 0);
  CHECK(fails.err.empty());
  CHECK(fails.out.starts_with("spin-mutex under HSA, weakly fair: fail, there is a fair "));
  CHECK(explain({"litmus/spin-mutex.litmus", "-m", "HSA", "-f", "weak"}).out == fails.out);
  const CommandResult passes =
      explain({"litmus/spin-mutex.litmus", "--model", "OBE", "--fairness", "strong"});
  CHECK(passes.status == 0);
  CHECK(passes.err.empty());
  CHECK(passes.out.starts_with("spin-mutex under OBE, strongly fair: pass, every fair "));
}

TEST_CASE("cli/explain: models by name and with parameters and by path") {
  const std::string test = "litmus/spin-mutex.litmus";
  CHECK(explain({test, "-m", "OBE-k(k=1)"}).out.starts_with("spin-mutex under OBE-k(k=1), weakly"));
  CHECK(explain({test, "-m", "models/events/lobe.yaml"})
            .out.starts_with("spin-mutex under LOBE-events, weakly fair: pass"));
  const TemporaryFolder folder;
  const auto mine = folder.write("m.yaml", "name: mine\nparams: {k: 0}\nfair: highest(k, alive)");
  const CommandResult result = explain({test, "-m", mine.string() + "(k=1)"});
  CHECK(result.out.starts_with("spin-mutex under mine(k=1), weakly fair: fail"));
  CHECK(contains(result.out, "mine(k=1): F = highest(k, alive)\n"));
}

TEST_CASE("cli/explain: who waits blocked all the time is not called starved") {
  const CommandResult result = explain(
      {"-", "-m", "fair"},
      input(
          "locations x;\nworkgroup 0 {\n  thread 0 { while (Load(x) == 0); barrier(workgroup); }\n"
          "  thread 1 { barrier(workgroup); x = 1; }\n}\n"));
  CHECK(contains(result.out, "Thread 0 loops for ever on its own."));
  CHECK_FALSE(contains(result.out, "starved"));
}

TEST_CASE("cli/explain: standard input is a file like all others") {
  const CommandResult result =
      explain({"-", "-m", "OBE", "--format", "json"}, input(kConsumerLast));
  CHECK(result.status == 0);
  const Json json = Json::parse(result.out);
  CHECK(json["test"] == "stdin");
  CHECK(json["file"] == "<stdin>");
  CHECK(json["verdict"] == "fail");
  CHECK(json["witness"]["starved"] == Json{0});
  const CommandResult wrong =
      explain({"-", "-m", "OBE"}, input("locations m;\nthread 0 { x = 1; }"));
  CHECK(wrong.status == 2);
  CHECK(contains(wrong.err, "<stdin>:2:12: "));
}

TEST_CASE("cli/explain: what is wrong is refused with status 2") {
  const std::string test = "litmus/spin-mutex.litmus";
  check_refused(explain({}), "TEST");
  check_refused(explain({test, "--threads", "any"}), "expected --model");
  check_refused(explain({"--model", "HSA"}), "TEST");
  check_refused(explain({test, "-m", "HSB"}), "unknown model 'HSB'");
  check_refused(explain({test, "-m", "none.yaml"}), "none.yaml: cannot open");
  check_refused(explain({test, "-m", "HSA", "-f", "both"}), "--fairness");
  check_refused(explain({test, "-m", "HSA", "--format", "dot"}), "--format");
  check_refused(explain({test, "-m", "HSA", "--max-states", "0"}), "--max-states");
  check_refused(explain({test, "-m", "HSA", "--format", "csv", test}), "one TEST");
  check_refused(explain({"litmus/none.litmus", "-m", "HSA"}), "litmus/none.litmus: cannot open");
  check_refused(explain({"litmus", "-m", "HSA"}), "litmus: cannot");
  check_refused(explain({"LICENSE", "-m", "HSA"}), "LICENSE:1:1: ");
}

TEST_CASE("cli/explain: a limit makes the verdict unknown and the status 3") {
  for (const char* model : {"OBE", "models/events/obe.yaml"}) {
    const CommandResult result =
        explain({"litmus/spin-mutex.litmus", "-m", model, "--max-states", "7"});
    CHECK(result.status == 3);
    CHECK(contains(result.out, ", weakly fair: unknown\n"));
    CHECK(result.err ==
          "litmus/spin-mutex.litmus: more than 7 states; a higher --max-states may decide it\n");
    const CommandResult json =
        explain({"litmus/spin-mutex.litmus", "-m", model, "--max-states", "7", "--format", "json"});
    CHECK(json.status == 3);
    CHECK(Json::parse(json.out)["verdict"] == "unknown");
  }
  CHECK(explain({"litmus/spin-mutex.litmus", "-m", "HSA", "--max-states", "8"}).status == 0);
}

TEST_CASE("cli/explain: colours are for terminals and not when NO_COLOR is set") {
  CommandOptions options = in(source_dir());
  const Arguments arguments = {"litmus/spin-mutex.litmus", "-m", "HSA"};
  CHECK_FALSE(contains(explain(arguments, options).out, "\033"));
  options.terminal = true;
  options.environment["TERM"] = "xterm";
  CHECK(contains(explain(arguments, options).out, "\033[31mfail\033[0m"));
  options.environment["NO_COLOR"] = "1";
  CHECK_FALSE(contains(explain(arguments, options).out, "\033"));
}

TEST_CASE("cli/explain: the verdicts are those of check") {
  const auto rows = headway::parse_csv(check_litmus({"--format", "csv"}).out, "csv");
  REQUIRE(rows.size() > 100);
  std::set<std::string> seen;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const CommandResult result = explain({"litmus/" + rows[r][0] + ".litmus", "-m", rows[r][1],
                                          "-f", rows[r][2], "--format", "json"});
    REQUIRE(result.status == 0);
    const Json json = Json::parse(result.out);
    CHECK(json["test"] == rows[r][0]);
    CHECK(json["model"] == rows[r][1]);
    CHECK(json["fairness"] == rows[r][2]);
    CHECK(json["verdict"] == rows[r][3]);
    CHECK(json.contains("witness") == (rows[r][3] == "fail"));
    CHECK(json.contains("broken_cycles") == (rows[r][3] == "pass"));
    seen.insert(rows[r][3]);
  }
  CHECK(seen == std::set<std::string>{"fail", "pass"});
}

// Witnesses -------------------------------------------------------------------------------------

TEST_CASE("cli/explain: check writes a witness for every failing verdict") {
  for (const std::string format : {"csv", "json"}) {
    const TemporaryFolder folder;
    const auto witnesses = folder.path() / "new" / "folder";
    const CommandResult result =
        check_litmus({"--witness", witnesses.string(), "--format", format});
    CHECK(result.status == 0);
    std::map<std::string, std::string> expected;
    const bool json = format == "json";
    const auto rows = headway::parse_csv(check_litmus({"--format", "csv"}).out, "csv");
    for (std::size_t r = 1; r < rows.size(); ++r) {
      if (rows[r][3] != "fail") continue;
      const CommandResult single = explain({"litmus/" + rows[r][0] + ".litmus", "-m", rows[r][1],
                                            "-f", rows[r][2], "--format", json ? "json" : "text"});
      expected[rows[r][0] + "." + rows[r][1] + "." + rows[r][2] + (json ? ".json" : ".txt")] =
          single.out;
    }
    CHECK(files_in(witnesses) == expected);
    CHECK(contains(result.err, std::to_string(expected.size()) + " witnesses written to " +
                                   witnesses.string() + "\n"));
  }
}

TEST_CASE("cli/explain: only verdicts that were asked for get a witness") {
  const TemporaryFolder folder;
  const CommandResult result =
      check_here({"litmus/spin-mutex.litmus", "--model", "HSA", "--model", "OBE", "--fairness",
                  "strong", "--witness", folder.path().string()});
  CHECK(result.status == 0);
  CHECK(contains(result.err, "1 witness written to "));
  const auto files = files_in(folder.path());
  REQUIRE(files.size() == 1);
  CHECK(files.begin()->first == "spin-mutex.HSA.strong.txt");
  const TemporaryFolder none;
  const auto unused = none.path() / "none";
  const CommandResult passes =
      check_here({"litmus/spin-mutex.litmus", "--model", "OBE", "--witness", unused.string()});
  CHECK(contains(passes.err, "0 witnesses written to "));
}

TEST_CASE("cli/explain: witnesses of odd names have safe names of their own") {
  const TemporaryFolder tests;
  const std::vector<std::string> names = {"../evil",
                                          "..",
                                          ".",
                                          ".hidden",
                                          "a/b",
                                          "a b",
                                          "a_b",
                                          "x",
                                          "x",
                                          "x-2",
                                          "x",
                                          "-",
                                          "*?$`",
                                          "\xc3\xa4",
                                          "C:\\x",
                                          "a:b",
                                          std::string(300, 'y'),
                                          std::string(299, 'y') + "z"};
  std::string number = "10";
  for (const std::string& name : names) {
    tests.write("t" + number + ".litmus", "litmus \"" + name + "\"\n" + kConsumerLast);
    number = std::to_string(std::stoi(number) + 1);
  }
  // Two tests and two models whose names could be cut at another dot.
  tests.write("u1.litmus", "litmus t\n" + kConsumerLast);
  tests.write("u2.litmus", "litmus t.a\n" + kConsumerLast);
  const TemporaryFolder models;
  const auto first = models.write("first.yaml", "name: a.b\nfair: {}\n");
  const auto second = models.write("second.yaml", "name: b\nfair: {}\n");
  const auto third = models.write("third.yaml", "name: a_b\nfair: {}\n");
  const auto fourth =
      models.write("fourth.yaml", "name: " + std::string(400, 'm') + "\nfair: {}\n");
  const TemporaryFolder folder;
  const auto witnesses = folder.path() / "w";
  const CommandResult result = check_here(
      {tests.path().string(), "--witness", witnesses.string(), "--format", "json", "-m",
       first.string(), "-m", second.string(), "-m", third.string(), "-m", fourth.string()});
  CAPTURE(result.err);
  CHECK(result.status == 0);
  const auto files = files_in(witnesses);
  CHECK(files.size() == (names.size() + 2) * 4 * 2);
  CHECK(contains(result.err, std::to_string(files.size()) + " witnesses written"));
  std::multiset<std::string> found;
  for (const auto& [name, content] : files) {
    CHECK(std::all_of(name.begin(), name.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 ||
             std::string_view("-+._=()").find(static_cast<char>(c)) != std::string_view::npos;
    }));
    CHECK_FALSE(name.starts_with("."));
    const Json json = Json::parse(content);
    if (json["model"] == "b" && json["fairness"] == "weak") found.insert(json["test"]);
  }
  std::multiset<std::string> expected(names.begin(), names.end());
  expected.insert("t");
  expected.insert("t.a");
  CHECK(found == expected);
  // Nothing was written outside.
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  // The same names in every run.
  const auto again = folder.path() / "again";
  check_here({tests.path().string(), "--witness", again.string(), "--format", "json", "-j", "1",
              "-m", first.string(), "-m", second.string(), "-m", third.string(), "-m",
              fourth.string()});
  CHECK(files_in(again) == files);
}

TEST_CASE("cli/explain: a folder that cannot be written to is an error") {
  const TemporaryFolder folder;
  const auto file = folder.write("file", "");
  const CommandResult result = check_here({"litmus/spin-mutex.litmus", "--witness", file.string()});
  CHECK(result.status == 2);
  CHECK(contains(result.err, file.string()));
  CHECK(contains(result.err, "cannot create"));
}

TEST_CASE("cli/explain: what is unknown has no witness") {
  const TemporaryFolder folder;
  const auto witnesses = folder.path() / "w";
  const CommandResult result = check_here(
      {"litmus/spin-mutex.litmus", "--max-states", "3", "--witness", witnesses.string()});
  CHECK(result.status == 3);
  CHECK(contains(result.err, "0 witnesses written"));
  CHECK_FALSE(std::filesystem::exists(witnesses));
}

TEST_CASE("cli/explain: without a model, one under which the test need not end") {
  const auto title = [](const CommandResult& result) {
    return result.out.substr(0, result.out.find(':'));
  };
  // The last of the six, and what the language's own text promises.
  CHECK(title(explain({"litmus/spin-mutex.litmus"})) == "spin-mutex under HSA, weakly fair");
#ifdef HEADWAY_KERNELS
  CHECK(title(explain({"litmus/kernels/spin-wait.cu"})) == "follow under CUDA, weakly fair");
#endif
  const TemporaryFolder folder;
  const auto ends = folder.write("a.litmus", "locations m;\nthread 0 { m = 1; }\n").string();
  CHECK(title(explain({ends})) == "a under unfair, weakly fair");
  CHECK(contains(explain({"litmus/spin-mutex.litmus", "--threads", "any"}).err,
                 "--threads any: expected --model"));
}

TEST_CASE("cli/explain: several tests, and what cannot be read costs no other its explanation") {
  const std::string one = "litmus/spin-mutex.litmus", other = "litmus/chain-3.litmus";
  const CommandResult both = explain({one, "none.litmus", other, "-m", "HSA"});
  CHECK(both.status == 2);
  CHECK(contains(both.err, "none.litmus: cannot open"));
  CHECK(both.out == explain({one, "-m", "HSA"}).out + "\n" + explain({other, "-m", "HSA"}).out);
  const Json list = Json::parse(explain({one, other, "-m", "HSA", "--format", "json"}).out);
  REQUIRE(list.size() == 2);
  CHECK(list[0] == Json::parse(explain({one, "-m", "HSA", "--format", "json"}).out));
  CHECK(list[1] == Json::parse(explain({other, "-m", "HSA", "--format", "json"}).out));
}
