#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/file.hpp"
#include "base/text/csv.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/flags.hpp"

using headway::testing::CommandOptions;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::in;
using headway::testing::kDown;
using headway::testing::kUp;
using headway::testing::source_dir;
using headway::testing::suite;
using headway::testing::TemporaryFolder;
using Arguments = std::vector<std::string>;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::vector<std::vector<std::string>> csv(const std::string& text) {
  return headway::parse_csv(text, "output");
}

// A copy of the smallest published tests, which commands may write beside.
void copy_published(const fs::path& folder) {
  fs::copy(source_dir() / "tests/data/published/tests/2t_2i", folder);
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  if (!fs::exists(folder)) return names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

const Arguments kCommands = {"verdicts", "classify", "fingerprint", "idioms"};

}  // namespace

// verdicts ------------------------------------------------------------------------------------

TEST_CASE("cli/suite: verdicts are those of check, in every format") {
  const TemporaryFolder folder;
  copy_published(folder.path() / "tests");
  const std::string path = (folder.path() / "tests").string();
  const CommandResult checked = headway::testing::headway({"check", "--format", "csv", path});
  const CommandResult table = suite({"verdicts", path, "--format", "csv"});
  CHECK(table.status == 0);
  CHECK(table.err.empty());
  CHECK(table.out == checked.out);
  const Json json = Json::parse(suite({"verdicts", path, "--format", "json"}).out);
  CHECK(json.size() == 8);
  CHECK(json[3]["test"] == "2t_2i_3");
  CHECK(json[3]["verdicts"].size() == 12);
  const CommandResult people = suite({"verdicts", path});
  CHECK(contains(people.out, "test     unfair  HSA     OBE     HSA+OBE  LOBE    fair\n"));
  CHECK(contains(people.out, "2t_2i_3  fail    pass    fail    pass     pass    pass\n"));
}

TEST_CASE("cli/suite: verdicts are kept beside the suite and used by every command") {
  const TemporaryFolder folder;
  copy_published(folder.path() / "tests");
  const fs::path kept = folder.path() / "tests/verdicts.json";
  CHECK(suite({"classify", "tests"}, in(folder.path())).status == 0);
  CHECK_FALSE(fs::exists(kept));  // only `verdicts` writes
  CHECK(suite({"verdicts", "tests"}, in(folder.path())).status == 0);
  CHECK_FALSE(fs::exists(kept));
  CHECK(suite({"verdicts", "tests", "--keep"}, in(folder.path())).err.empty());
  REQUIRE(fs::exists(kept));

  // A test that changed: its new verdicts count, and it is said that there are any.
  const std::string before = headway::read_file(kept);
  const std::string mirrored = headway::read_file(folder.path() / "tests/2t_2i_5.txt");
  headway::write_file(folder.path() / "tests/2t_2i_4.txt",
                      "THREAD0\natomic_store(0,1)\n"
                      "THREAD1\natomic_store(0,0)\n");
  for (const std::string& command : kCommands) {
    if (command == "idioms") continue;  // needs no verdicts
    CAPTURE(command);
    const CommandResult result = suite({command, "tests", "--format", "csv"}, in(folder.path()));
    CHECK(result.status == 0);
    CHECK(result.err ==
          "tests/verdicts.json: 1 of 8 tests are new or have changed and were "
          "decided\n");
    // `verdicts` has just kept the new one.
    headway::write_file(kept, before);
  }
  const auto rows = csv(suite({"verdicts", "tests", "--format", "csv"}, in(folder.path())).out);
  CHECK(rows.at(1 + 4 * 12) == Arguments{"2t_2i_4", "unfair", "weak", "pass"});
  CHECK(suite({"verdicts", "tests"}, in(folder.path())).err.empty());
}

TEST_CASE("cli/suite: a damaged file of verdicts is not trusted") {
  const TemporaryFolder folder;
  copy_published(folder.path() / "tests");
  const CommandResult right =
      suite({"verdicts", "tests", "--keep", "--format", "csv"}, in(folder.path()));
  std::string text = headway::read_file(folder.path() / "tests/verdicts.json");
  const std::size_t at = text.find("\": \"ff") + 4;
  text[at] = 'p';
  headway::write_file(folder.path() / "tests/verdicts.json", text);
  const CommandResult result = suite({"verdicts", "tests", "--format", "csv"}, in(folder.path()));
  CHECK(result.status == 0);
  CHECK(result.out == right.out);
  CHECK(result.err == "tests/verdicts.json: damaged or edited; everything is decided anew\n");
  CHECK(suite({"verdicts", "tests"}, in(folder.path())).err.empty());  // it was replaced
}

TEST_CASE("cli/suite: a model file that changed under its name is decided anew") {
  const TemporaryFolder folder;
  copy_published(folder.path() / "tests");
  folder.write("m.yaml", "name: mine\nfair: started & alive\n");
  const Arguments arguments = {"verdicts", "tests", "--keep", "--format", "csv", "-m", "m.yaml"};
  const CommandResult first = suite(arguments, in(folder.path()));
  folder.write("m.yaml", "name: mine\nfair: alive\n");
  const CommandResult second = suite(arguments, in(folder.path()));
  CHECK(first.out != second.out);
  CHECK(second.err == "tests/verdicts.json: mine has changed; its verdicts are decided anew\n");
  const CommandResult fair =
      suite({"verdicts", "tests", "--format", "csv", "-m", "fair"}, in(folder.path()));
  std::string as_fair = second.out;
  for (std::size_t at = as_fair.find(",mine,"); at != std::string::npos;
       at = as_fair.find(",mine,")) {
    as_fair.replace(at, 6, ",fair,");
  }
  CHECK(as_fair == fair.out);
}

TEST_CASE("cli/suite: verdicts that cannot be kept are printed all the same") {
  const TemporaryFolder folder;
  copy_published(folder.path() / "tests");
  const CommandResult right = suite({"verdicts", "tests", "--format", "csv"}, in(folder.path()));
  // A folder in the way is an obstacle for root as well, to whom every folder is writable.
  fs::create_directories(folder.path() / "tests/verdicts.json/x");
  const CommandResult result =
      suite({"verdicts", "tests", "--keep", "--format", "csv"}, in(folder.path()));
  CHECK(result.status == 0);
  CHECK(result.out == right.out);
  CHECK(contains(result.err, "warning: the verdicts are not kept: tests/verdicts.json: "));
  CHECK(names_in(folder.path() / "tests").size() == 9);  // no temporary file is left

  if (::geteuid() == 0) return;
  fs::remove_all(folder.path() / "tests/verdicts.json");
  fs::permissions(folder.path() / "tests", fs::perms::owner_read | fs::perms::owner_exec);
  const CommandResult unwritable = suite({"verdicts", "tests", "--keep"}, in(folder.path()));
  fs::permissions(folder.path() / "tests", fs::perms::owner_all);
  CHECK(unwritable.status == 0);
  CHECK(contains(unwritable.err, "warning: the verdicts are not kept"));
}

TEST_CASE(
    "cli/suite: verdicts of a stream stand beside its file, those of standard input nowhere") {
  const TemporaryFolder folder;
  CHECK(headway::testing::headway({"synth", "-k", "2", "--out", "all.jsonl"}, in(folder.path()))
            .status == 0);
  CHECK(suite({"verdicts", "all.jsonl", "--keep"}, in(folder.path())).status == 0);
  CHECK(names_in(folder.path()) == std::set<std::string>{"all.jsonl", "all.jsonl.verdicts.json"});
  CommandOptions piped = in(folder.path());
  piped.input = headway::read_file(folder.path() / "all.jsonl");
  CHECK(suite({"verdicts", "-", "--format", "csv"}, piped).out ==
        suite({"verdicts", "all.jsonl", "--format", "csv"}, in(folder.path())).out);
  CHECK(names_in(folder.path()).size() == 2);
}

// Any suite --------------------------------------------------------------------------------------

TEST_CASE("cli/suite: a suite of no tests and a suite of one are suites") {
  const TemporaryFolder folder;
  folder.write("none.jsonl", "");
  folder.write("one.litmus", kUp);
  for (const std::string& command : kCommands) {
    for (const std::string path : {"none.jsonl", "one.litmus"}) {
      for (const std::string format : {"table", "csv", "json"}) {
        CAPTURE(command);
        CAPTURE(path);
        CAPTURE(format);
        const CommandResult result = suite({command, path, "--format", format}, in(folder.path()));
        CHECK(result.status == 0);
        CHECK(result.err.empty());
        if (format == "json") CHECK(Json::accept(result.out));
        if (format == "csv") CHECK(csv(result.out).size() >= 1);
      }
    }
  }
  CHECK(suite({"verdicts", "none.jsonl", "--format", "json"}, in(folder.path())).out == "[]\n");
  CHECK(contains(suite({"fingerprint", "none.jsonl"}, in(folder.path())).out,
                 "0 tests separate 0 of 55 pairs of readings"));
  CHECK(contains(suite({"fingerprint", "one.litmus"}, in(folder.path())).out,
                 "1 test separates 24 of 55 pairs of readings"));
  CHECK(suite({"diff", "none.jsonl", "one.litmus"}, in(folder.path())).status == 1);
  CHECK(suite({"diff", "none.jsonl", "none.jsonl"}, in(folder.path())).status == 0);
  CHECK(suite({"conformance", "HSA", "none.jsonl", "-o", "out"}, in(folder.path())).status == 0);
  CHECK(names_in(folder.path() / "out").empty());
}

TEST_CASE("cli/suite: what is not there is an error, and nothing is kept beside it") {
  const TemporaryFolder folder;
  for (const std::string& command : kCommands) {
    const CommandResult result = suite({command, "nothing/here"}, in(folder.path()));
    CHECK(result.status == 2);
    CHECK(contains(result.err, "nothing/here: cannot open"));
    CHECK(result.out.empty());
  }
  for (const Arguments& arguments :
       {Arguments{"conformance", "HSA", "nothing", "-o", "out"},
        Arguments{"annotate", "nothing", "-o", "out"}, Arguments{"diff", "nothing", "nothing"}}) {
    const CommandResult result = suite(arguments, in(folder.path()));
    CHECK(result.status == 2);
    CHECK(contains(result.err, "nothing: cannot open"));
    CHECK(result.out.empty());
  }
  CHECK(names_in(folder.path()).empty());
}

TEST_CASE("cli/suite: a folder without tests is refused, as by check") {
  const TemporaryFolder folder;
  for (const std::string& command : kCommands) {
    const CommandResult result = suite({command, folder.path().string()});
    CHECK(result.status == 2);
    CHECK(contains(result.err, "no tests in this folder"));
  }
}

TEST_CASE("cli/suite: a file that cannot be read is named, and the others are used") {
  const TemporaryFolder folder;
  folder.write("tests/a.litmus", kUp);
  folder.write("tests/b.litmus", "locations f;\nthread 0 { f == 1; }\n");
  fs::create_symlink("nowhere", folder.path() / "tests/c.litmus");
  for (const std::string& command : kCommands) {
    CAPTURE(command);
    const CommandResult result = suite({command, "tests", "--format", "csv"}, in(folder.path()));
    CHECK(result.status == 2);
    CHECK(contains(result.err, "tests/b.litmus:2:14: "));
    CHECK(contains(result.err, "tests/c.litmus: cannot open"));
    CHECK(csv(result.out).size() > 1);
  }
}

TEST_CASE("cli/suite: of two tests with one name the second gets another, and that is said") {
  const TemporaryFolder folder;
  folder.write("tests/a.litmus", "litmus same\n" + kUp);
  folder.write("tests/b.litmus", "litmus same\n" + kDown);
  folder.write("tests/c.litmus", "litmus same\n" + kDown);
  const CommandResult result =
      suite({"verdicts", "tests", "--format", "csv", "-m", "HSA"}, in(folder.path()));
  CHECK(result.status == 0);
  CHECK(result.err ==
        "tests/b.litmus: another test is called same too; this one is called same-2 here, and "
        "so with 1 more\n");
  const auto rows = csv(result.out);
  CHECK(rows.at(1) == Arguments{"same", "HSA", "weak", "pass"});
  CHECK(rows.at(3) == Arguments{"same-2", "HSA", "weak", "fail"});
  CHECK(rows.at(5).front() == "same-3");
}

TEST_CASE("cli/suite: a limit makes verdicts unknown and the status 3") {
  for (const std::string command : {"verdicts", "classify", "fingerprint"}) {
    CAPTURE(command);
    Arguments arguments = {command, "tests/data/published/tests/2t_2i", "--max-states", "6"};
    const CommandResult result = suite(arguments, in(source_dir()));
    CHECK(result.status == 3);
    CHECK(contains(result.err, " of 8 tests are unknown under some model"));
  }
}

TEST_CASE("cli/suite: an interruption keeps what was decided") {
  const TemporaryFolder folder;
  folder.write("tests/a.litmus", kUp);
  std::string large = "locations m;\n";  // 9^10 states, as no two threads run the same code
  for (int t = 0; t < 10; ++t) {
    large += "thread " + std::to_string(t) +
             " { m = 1; m = 2; m = 3; m = 4; m = 5; m = 6; m = 7; m = " + std::to_string(8 + t) +
             "; }\n";
  }
  folder.write("tests/b.litmus", large);
  const std::string command =
      "exec " + headway::testing::headway_binary().string() +
      " suite verdicts tests --keep --format csv -m HSA --max-states 4000000000";
  // The signal must come when the first test is decided; on a busy machine that may take a while.
  for (const char* seconds : {"0.5", "1", "2", "4", "8", "16"}) {
    CommandOptions options = in(folder.path());
    const CommandResult result = headway::testing::run_program(
        {"timeout", "--foreground", "--preserve-status", "-s", "INT", seconds, "sh", "-c", command},
        options);
    CHECK(result.status == 130);
    if (result.out.empty()) continue;  // not yet
    CHECK(result.out == "test,model,fairness,verdict\na,HSA,weak,pass\na,HSA,strong,pass\n");
    CHECK(result.err == "interrupted: 1 of 2 tests decided\n");
    CHECK(fs::exists(folder.path() / "tests/verdicts.json"));
    fs::remove(folder.path() / "tests/b.litmus");
    CHECK(suite({"verdicts", "tests", "-m", "HSA", "--format", "csv"}, in(folder.path())).out ==
          result.out);
    return;
  }
  FAIL("the first test was never decided");
}

TEST_CASE("cli/suite: commands and options that are not there are refused") {
  CHECK(suite({}).status == 2);
  CHECK(suite({"verdict", "litmus"}).status == 2);
  CHECK(suite({"verdicts"}).status == 2);
  CHECK(suite({"classify", "litmus", "--attribution", "other"}).status == 2);
  CHECK(suite({"conformance", "HSA", "litmus"}).status == 2);  // no --out
  const CommandResult model =
      suite({"classify", "litmus/chain-3.litmus", "-m", "nothing"}, in(source_dir()));
  CHECK(model.status == 2);
  CHECK(contains(model.err, "unknown model 'nothing'"));
  for (const std::string command :
       {"verdicts", "classify", "conformance", "annotate", "fingerprint", "idioms", "diff"}) {
    const CommandResult help = suite({command, "--help"});
    CHECK(help.status == 0);
    CHECK(contains(help.out, "Example"));
    CHECK(contains(help.out, "headway suite " + command));
  }
}

// classify ---------------------------------------------------------------------------------------

TEST_CASE("cli/suite: the published attribution of the published tests") {
  const Arguments arguments = {
      "classify", "tests/data/published/tests", "--attribution", "published", "--format", "csv"};
  const CommandResult result = suite(arguments, in(source_dir()));
  CHECK(result.status == 0);
  CHECK(result.out ==
        "tests,model,distinguishing,conformance\n"
        "weak,HSA,43,43\nweak,OBE,10,10\nweak,LOBE,0,53\nweak,fair,37,90\n"
        "strong,HSA,88,88\nstrong,OBE,0,0\nstrong,LOBE,0,88\nstrong,fair,6,94\n");
  Arguments without = arguments;
  without.insert(without.end(), {"-m", "HSA", "-m", "fair"});
  const CommandResult refused = suite(without, in(source_dir()));
  CHECK(refused.status == 2);
  CHECK(contains(refused.err, "needs the model OBE"));
}

TEST_CASE("cli/suite: classes and signatures agree with each other") {
  const Arguments arguments = {"classify", "litmus/suite/minimal/3t_4i", "--format", "csv"};
  Arguments signatures = arguments, tests = arguments;
  signatures.insert(signatures.end(), {"--table", "signatures"});
  tests.insert(tests.end(), {"--table", "tests"});
  const auto classes = csv(suite(arguments, in(source_dir())).out);
  const auto by_signature = csv(suite(signatures, in(source_dir())).out);
  const auto by_test = csv(suite(tests, in(source_dir())).out);
  CHECK(by_test.size() == 1 + 166);
  REQUIRE(classes.size() == 1 + 11);
  std::map<std::string, std::size_t> conformance;
  for (std::size_t s = 1; s < by_signature.size(); ++s) {
    for (std::size_t m = 2; m < 8; ++m) {
      const std::string& word = by_signature[s][m];
      const std::size_t count = std::stoul(by_signature[s][1]);
      if (word == "pass") conformance[by_signature[0][m] + ":weak"] += count;
      if (word != "fail") conformance[by_signature[0][m] + ":strong"] += count;
    }
  }
  for (std::size_t r = 1; r < classes.size(); ++r) {
    CAPTURE(classes[r][0]);
    CHECK(std::stoul(classes[r][1]) == conformance[classes[r][0]]);
    std::size_t distinguishing = 0;
    for (std::size_t t = 1; t < by_test.size(); ++t) {
      const std::string readings = " " + by_test[t][3] + " ";
      distinguishing += contains(readings, " " + classes[r][0] + " ") ? 1 : 0;
    }
    CHECK(std::stoul(classes[r][2]) == distinguishing);
  }
}

TEST_CASE("cli/suite: duplicates are found, and counted once with --unique") {
  const TemporaryFolder folder;
  folder.write("tests/a.litmus", kUp);
  folder.write("tests/b.litmus",
               "locations other;\nthread 0 { other = 1; }\n"
               "thread 1 { while (Load(other) == 0); }\n");
  folder.write("tests/c.litmus",
               "locations f;\nthread 0 { f = 2; }\nthread 1 { while (Exch(f, 0) == 0); }\n");
  folder.write("tests/d.litmus", kDown);
  CHECK(suite({"classify", "tests", "--table", "duplicates", "--format", "csv"}, in(folder.path()))
            .out == "same,tests,names\nprogram,2,a b\nbehaviour,3,a b c\n");
  CHECK(contains(suite({"classify", "tests"}, in(folder.path())).out,
                 "4 tests, 2 signatures, 3 programs, 2 behaviours\n"));
  const CommandResult unique = suite({"classify", "tests", "--unique"}, in(folder.path()));
  CHECK(contains(unique.out, "2 tests, 2 signatures, 2 programs, 2 behaviours\n"));
  const auto tests =
      csv(suite({"classify", "tests", "--unique", "--table", "tests", "--format", "csv"},
                in(folder.path()))
              .out);
  REQUIRE(tests.size() == 3);
  CHECK(tests[1][0] == "a");
  CHECK(tests[2][0] == "d");
}

// conformance, annotate, fingerprint
// ---------------------------------------------------------------

TEST_CASE("cli/suite: a conformance suite holds the tests that pass, and they check") {
  const TemporaryFolder folder;
  for (const std::string reading : {"OBE", "OBE:weak", "OBE:strong", "HSA-k(k=2):strong"}) {
    CAPTURE(reading);
    const std::string out = (folder.path() / reading).string();
    const CommandResult result = suite(
        {"conformance", reading, "tests/data/published/tests/2t_3i", "-o", out}, in(source_dir()));
    CHECK(result.status == 0);
    const std::string model = reading.substr(0, reading.find(':'));
    const std::string fairness = reading.ends_with(":strong") ? "strong" : "weak";
    std::set<std::string> expected;
    for (const auto& row : csv(headway::testing::headway({"check", "--format", "csv", "-m", model,
                                                          "tests/data/published/tests/2t_3i"},
                                                         in(source_dir()))
                                   .out)) {
      if (row[2] == fairness && row[3] == "pass") expected.insert(row[0] + ".litmus");
    }
    CHECK(expected.size() > 5);
    CHECK(names_in(out) == expected);
    CHECK(result.err == std::to_string(expected.size()) + " tests written to " + out + "\n");
    const CommandResult checked = headway::testing::headway({"check", out});
    CHECK(checked.status == 0);
    const std::string text = headway::read_file(fs::path(out) / *expected.begin());
    CHECK(contains(text, "expect {\n  pass "));
    CHECK(contains(text, model));
  }
}

TEST_CASE("cli/suite: a conformance suite of a model file checks with that file") {
  const TemporaryFolder folder;
  folder.write("m.yaml", "name: mine\nfair: started & alive\n");
  folder.write("tests/a.litmus", kUp);
  folder.write("tests/b.litmus", "locations f;\nthread 0 { f = 1; }\n");
  CHECK(suite({"conformance", "m.yaml", "tests", "-o", "out"}, in(folder.path())).err ==
        "1 test written to out\n");
  CHECK(names_in(folder.path() / "out") == std::set<std::string>{"b.litmus"});
  CHECK(headway::testing::headway({"check", "out", "-m", "m.yaml"}, in(folder.path())).status == 0);
}

TEST_CASE("cli/suite: tests are written into a folder without tests only") {
  const TemporaryFolder folder;
  folder.write("tests/a.litmus", kUp);
  folder.write("file", "");
  for (const Arguments& command :
       {Arguments{"conformance", "HSA", "tests"}, Arguments{"annotate", "tests"},
        Arguments{"fingerprint", "tests"}}) {
    Arguments arguments = command;
    arguments.insert(arguments.end(), {"-o", "tests"});
    const CommandResult result = suite(arguments, in(folder.path()));
    CHECK(result.status == 2);
    CHECK(
        contains(result.err, "tests: there are tests in this folder; expected a new or an empty"));
    arguments.back() = "file";
    CHECK(contains(suite(arguments, in(folder.path())).err, "file: not a folder"));
    arguments.back() = "new-" + command[0] + "/deep";
    CHECK(suite(arguments, in(folder.path())).status == 0);
    CHECK(names_in(folder.path() / arguments.back()).size() == 1);
  }
  CHECK(names_in(folder.path() / "tests") == std::set<std::string>{"a.litmus"});
}

TEST_CASE("cli/suite: names that do not fit a file are made to, and stay apart") {
  const TemporaryFolder folder;
  folder.write("tests/a.litmus", "litmus \"../x/y\"\n" + kUp);
  folder.write("tests/b.litmus", "litmus \".._x y\"\n" + kUp);
  CHECK(suite({"conformance", "HSA", "tests", "-o", "out"}, in(folder.path())).status == 0);
  CHECK(names_in(folder.path() / "out") ==
        std::set<std::string>{"_.._x_y.litmus", "_.._x_y-2.litmus"});
  CHECK(headway::testing::headway({"check", "out"}, in(folder.path())).status == 0);
}

TEST_CASE("cli/suite: a fingerprint is written with its verdicts") {
  const TemporaryFolder folder;
  const CommandResult result = suite(
      {"fingerprint", "litmus/suite/minimal", "--format", "json", "-o", folder.path().string()},
      in(source_dir()));
  CHECK(result.status == 0);
  const Json json = Json::parse(result.out);
  CHECK(json["tests"].size() == 5);
  CHECK(json["separated"].size() == 55);
  CHECK(json["inseparable"].empty());
  CHECK(names_in(folder.path()).size() == 5);
  CHECK(headway::testing::headway({"check", folder.path().string()}).status == 0);
  const auto rows =
      csv(suite({"fingerprint", "litmus/suite/minimal", "--format", "csv"}, in(source_dir())).out);
  CHECK(rows.size() == 6);
}

// idioms, diff ---------------------------------------------------------------------------------

TEST_CASE("cli/suite: idioms are found by program, and missing ones named with a reason") {
  const CommandResult result = suite({"idioms", "tests/data/published/tests"}, in(source_dir()));
  CHECK(result.status == 0);
  CHECK(contains(result.out, "producer-consumer-decreasing       2t_2i_4\n"));
  CHECK(contains(result.out, "spin-mutex                         missing: larger than every test"));
  CHECK(contains(result.out, "missing: synthesis makes no such test (inter-thread influence)\n"));
  const auto rows = csv(suite({"idioms", "litmus", "--format", "csv"}, in(source_dir())).out);
  std::set<std::string> names;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (rows[r][0] == rows[r][1]) names.insert(rows[r][0]);
  }
  for (const std::string& file : headway::testing::litmus_files()) {
    CHECK(names.contains(fs::path(file).stem().string()));
  }
  CHECK(names.contains("ticket-lock-4"));  // of the library for every N

  const TemporaryFolder folder;
  folder.write("mine.litmus", kDown);
  const CommandResult mine = suite({"idioms", "tests/data/published/tests", "--idioms",
                                    folder.path().string(), "--format", "csv"},
                                   in(source_dir()));
  CHECK(mine.out == "idiom,test\nmine,2t_2i_4\n");
}

TEST_CASE("cli/suite: diff names what differs and its status says whether anything does") {
  const TemporaryFolder folder;
  folder.write("a/one.litmus", kUp);
  folder.write("a/two.litmus", kDown);
  folder.write("b/one.litmus",
               "locations g;\nthread 0 { g = 1; }\nthread 1 { while (Load(g) == 0); }");
  folder.write("b/two.litmus", "locations f;\nthread 0 { f = 1; }\nthread 1 { f = 0; }\n");
  const CommandResult same = suite({"diff", "a", "a"}, in(folder.path()));
  CHECK(same.status == 0);
  CHECK(same.out == "0 differences; 2 tests of A are in B as well, 0 of them renamed\n");
  const CommandResult result = suite({"diff", "a", "b", "--format", "csv"}, in(folder.path()));
  CHECK(result.status == 1);
  CHECK(result.out ==
        "difference,test in A,test in B,what\n"
        "changed,two,two,\"unfair:weak fail -> pass, unfair:strong fail -> pass, "
        "HSA:weak fail -> pass, HSA:strong fail -> pass, OBE:weak fail -> pass, "
        "OBE:strong fail -> pass, HSA+OBE:weak fail -> pass, HSA+OBE:strong fail -> pass, "
        "LOBE:weak fail -> pass, LOBE:strong fail -> pass\"\n");
  const Json json =
      Json::parse(suite({"diff", "a", "b", "--format", "json"}, in(folder.path())).out);
  CHECK(json["differences"].size() == 1);
  CHECK(json["in_both"] == 1);
}
