// headway check, from outside.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/texts.hpp"

#ifdef HEADWAY_KERNELS
#include "support/shaders.hpp"
#endif

using headway::testing::check;
using headway::testing::check_here;
using headway::testing::CommandOptions;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::in;
using headway::testing::input;
using headway::testing::lines_of;
using headway::testing::source_dir;
using headway::testing::TemporaryFolder;
using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

namespace {

// The consumer has the higher id: passes HSA, HSA+OBE, LOBE and fair, fails unfair and OBE.
const std::string kProducerConsumer =
    "locations m;\nthread 0 { m = 1; }\nthread 1 { while (Load(m) == 0); }\n";

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

// The arguments, and behind them the files of litmus/.
Arguments with_litmus(Arguments arguments) {
  const auto& files = headway::testing::litmus_files();
  arguments.insert(arguments.end(), files.begin(), files.end());
  return arguments;
}

// The folder, or what is in it but shaders in WGSL where these are not read.
[[maybe_unused]] std::vector<std::string> litmus() {
#ifdef HEADWAY_KERNELS
  if (!headway::testing::compiles_wgsl()) {
    std::vector<std::string> files;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(headway::testing::source_dir() / "litmus")) {
      const std::string ending = entry.path().extension();
      if (ending == ".litmus" || ending == ".cu" || ending == ".cl" || ending == ".comp") {
        files.push_back(entry.path().string());
      }
    }
    return files;
  }
#endif
  return {"litmus"};
}

}  // namespace

// Exit statuses -------------------------------------------------------------------------------

TEST_CASE("cli/check: all litmus tests meet their expectations") {
#ifdef HEADWAY_SANITIZED
  const CommandResult result = check_here({"litmus/scoped", "litmus/suite/fingerprint"});
#else
  const CommandResult result = check_here(litmus());
#endif
  CHECK(result.status == 0);
  [[maybe_unused]] int warned = 0;  // where kernels are left out, nobody asks
  for (const std::string& line : lines_of(result.err)) {
    CAPTURE(line);
    const bool quotes = line.starts_with("  ");
    // Of kernels and shaders only broken ones are warned of.
    const bool warns = line.starts_with("warning: ") && contains(line, "-broken.");
    // Notes of kernels say on what their verdicts rest, and nothing else here.
    const bool rests = line.starts_with("note: ") && contains(line, ": taken for granted: ");
    CHECK((line.starts_with("remark: ") || quotes || warns || rests));
    warned += warns ? 1 : 0;
  }
  CHECK_FALSE(contains(result.err, "unsupported"));
#if defined(HEADWAY_KERNELS) && !defined(HEADWAY_SANITIZED)
  CHECK(warned >= 3);
#endif
}

TEST_CASE("cli/check: an expectation that is not met is shown and makes the status 1") {
  const TemporaryFolder folder;
  folder.write("pc.litmus", kProducerConsumer + "expect {\n  pass HSA, OBE:weak;\n}\n");
  const CommandResult result = check({"pc.litmus"}, in(folder.path()));
  CHECK(result.status == 1);
  CHECK(contains(result.out, "HSA+OBE"));  // the verdicts are shown nevertheless
  CHECK(result.err ==
        "pc.litmus:5:13: expected OBE:weak to pass; it fails\n"
        "    pass HSA, OBE:weak;\n"
        "              ^\n");
}

TEST_CASE("cli/check: an expectation without a fairness is about both") {
  const CommandResult both =
      check({"-"}, input(kProducerConsumer + "expect { pass OBE; fail fair; }"));
  CHECK(both.status == 1);
  CHECK(contains(both.err, "<stdin>:4:15: expected OBE:weak to pass; it fails"));
  CHECK(contains(both.err, "<stdin>:4:15: expected OBE:strong to pass; it fails"));
  CHECK(contains(both.err, "<stdin>:4:25: expected fair:weak to fail; it passes"));
  CHECK(contains(both.err, "<stdin>:4:25: expected fair:strong to fail; it passes"));
}

TEST_CASE("cli/check: only expectations about what was asked for are looked at") {
  const auto options = input(kProducerConsumer + "expect { pass OBE:weak; fail OBE-k(k=2); }");
  CHECK(check({"-"}, options).status == 1);
  // OBE-k too, without being a column of the table.
  CHECK(count(check({"-"}, options).err, ": expected ") == 3);
  CHECK(check({"--model", "HSA", "-"}, options).status == 0);
  CHECK(check({"--fairness", "strong", "--model", "OBE", "-"}, options).status == 0);
  CHECK(check({"--model", "OBE-k(k=2)", "-"}, options).status == 1);
}

TEST_CASE("cli/check: an expectation about an unknown model is bad input where it stands") {
  const CommandResult result = check({"-"}, input(kProducerConsumer + "expect { pass HSA, OEB; }"));
  CHECK(result.status == 2);
  CHECK(contains(result.err, "<stdin>:4:20: unknown model 'OEB'; expected unfair, HSA, OBE"));
  CHECK(contains(result.err, "\n  expect { pass HSA, OEB; }\n                     ^\n"));
  CHECK(contains(result.out, "HSA+OBE"));
}

TEST_CASE("cli/check: an expectation may be about a model of one's own and one for each level") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("mine.yaml", "name: mine\nfair: started & alive\n").string();
  const std::string scoped = "\"workgroup=OBE,thread=unfair\"";
  const std::string text = kProducerConsumer + "expect { pass mine; fail " + scoped + ":weak; }";
  const CommandResult met =
      check({"-m", file, "-m", "workgroup=OBE,thread=unfair", "-"}, input(text));
  CHECK(met.status == 1);
  CHECK(contains(met.err, "<stdin>:4:15: expected mine:weak to pass; it fails"));
  CHECK_FALSE(contains(met.err, "thread=unfair to"));
  const CommandResult unknown = check({"-"}, input(text));
  CHECK(unknown.status == 2);
  CHECK(contains(unknown.err, "lockstep or the name in a model file that is given with --model\n"));
  const CommandResult path = check({"-"}, input(kProducerConsumer + "expect { fail mine.yaml; }"));
  CHECK(path.status == 2);
  CHECK(contains(path.err, "<stdin>:4:15: 'mine.yaml' is a file; expected the name of a model"));
  const CommandResult bare =
      check({"-"}, input(kProducerConsumer + "expect { pass workgroup=OBE; }"));
  CHECK(bare.status == 2);
  CHECK(contains(bare.err, "<stdin>:4:15: a model for each level stands in quotes here"));
}

TEST_CASE("cli/check: a limit makes verdicts unknown and says how far it came and exits with 3") {
  const CommandResult result = check_here(
      {"--max-states", "5", "--format", "csv", "--model", "OBE", "litmus/spin-mutex.litmus"});
  CHECK(result.status == 3);
  CHECK(result.out ==
        "test,model,fairness,verdict\n"
        "spin-mutex,OBE,weak,unknown\n"
        "spin-mutex,OBE,strong,unknown\n");
  CHECK(contains(result.err, "litmus/spin-mutex.litmus: unknown: stopped at 5 states and "));
  CHECK(contains(result.err, "a higher --max-states may decide it"));
  // Exactly as many as there are is enough.
  CHECK(check_here({"--max-states", "12", "litmus/spin-mutex.litmus"}).status == 0);
}

TEST_CASE("cli/check: small tests are decided although a large one is not") {
  const TemporaryFolder folder;
  folder.write("small.litmus", "locations m; thread 0 { m = 1; } expect { pass unfair; }");
  folder.write("large.litmus", kProducerConsumer);
  const CommandResult result =
      check({"--max-states", "2", "--model", "fair", "--format", "csv", "."}, in(folder.path()));
  CHECK(result.status == 3);
  CHECK(contains(result.out, "small,fair,weak,pass"));
  CHECK(contains(result.out, "large,fair,weak,unknown"));
}

TEST_CASE("cli/check: good files are decided although others are bad") {
  const TemporaryFolder folder;
  folder.write("a.litmus", kProducerConsumer);
  folder.write("b.litmus", "locations m;\nthread 0 { m++; }\n");
  folder.write("c.txt", "THREAD0\natomic_store(0,1)\natomic_chk_branch(0,0,0)\n");
  folder.write("d.litmus", "");
  folder.write("notes.md", "not a test");
  const CommandResult result = check({"--format", "csv", "--model", "HSA", "."}, in(folder.path()));
  CHECK(result.status == 2);
  CHECK(result.out ==
        "test,model,fairness,verdict\n"
        "a,HSA,weak,pass\na,HSA,strong,pass\n"
        "c,HSA,weak,pass\nc,HSA,strong,pass\n");
  CHECK(contains(result.err, "b.litmus:2:13: expected '=', found '++'"));
  CHECK(contains(result.err, "\n  thread 0 { m++; }\n              ^\n"));
  CHECK(contains(result.err, "d.litmus:1:1: the file is empty"));
  CHECK_FALSE(contains(result.err, "notes.md"));
}

TEST_CASE("cli/check: bad input outweighs a limit and a limit what is not met") {
  const TemporaryFolder folder;
  folder.write("unmet.litmus", "locations m; thread 0 { m = 1; } expect { fail fair; }");
  CHECK(check({"."}, in(folder.path())).status == 1);
  folder.write("large.litmus", kProducerConsumer);
  CHECK(check({"--max-states", "3", "."}, in(folder.path())).status == 3);
  folder.write("bad.litmus", "?");
  CHECK(check({"--max-states", "3", "."}, in(folder.path())).status == 2);
}

// What is read --------------------------------------------------------------------------------

TEST_CASE("cli/check: a folder stands for the tests in it and below it in order") {
  const TemporaryFolder folder;
  for (const char* name : {"z.litmus", "a/b/c.txt", "a/a.litmus", "a/x.cpp", "m"}) {
    folder.write(name, kProducerConsumer);
  }
  const CommandResult result =
      check({"--format", "csv", "--fairness", "weak", "--model", "fair", "m", ".", "z.litmus"},
            in(folder.path()));
  CHECK(result.status == 0);
  CHECK(result.out ==
        "test,model,fairness,verdict\n"
        "m,fair,weak,pass\n"
        "a,fair,weak,pass\n"
        "c,fair,weak,pass\n"
        "z,fair,weak,pass\n"
        "z,fair,weak,pass\n");
}

TEST_CASE("cli/check: a test that declares a name is called by it and others by their file") {
  const TemporaryFolder folder;
  folder.write("other.file.litmus", kProducerConsumer);
  folder.write("declared.litmus", "litmus \"a, b\" " + kProducerConsumer);
  const CommandResult result = check({"--format", "csv", "--fairness", "weak", "--model", "fair",
                                      "other.file.litmus", "declared.litmus"},
                                     in(folder.path()));
  CHECK(result.out ==
        "test,model,fairness,verdict\nother.file,fair,weak,pass\n\"a, b\",fair,weak,pass\n");
}

TEST_CASE("cli/check: standard input is a file like all others") {
  CommandOptions options = input(kProducerConsumer);
  options.folder = source_dir();
  const CommandResult result = check(
      {"--format", "csv", "--fairness", "weak", "--model", "HSA", "litmus/chain-3.litmus", "-"},
      options);
  CHECK(result.status == 0);
  CHECK(result.out == "test,model,fairness,verdict\nchain-3,HSA,weak,pass\nstdin,HSA,weak,pass\n");
  const CommandResult bad = check({"-"}, input("locations m;\n?"));
  CHECK(bad.status == 2);
  CHECK(contains(bad.err, "<stdin>:2:1: "));
  CHECK(contains(check({"-"}, input("")).err, "<stdin>:1:1: the file is empty"));
}

TEST_CASE("cli/check: a folder without tests is bad input and others are decided") {
  const TemporaryFolder folder;
  folder.write("empty/readme.md", "");
  folder.write("full/a.litmus", kProducerConsumer);
  const CommandResult alone = check({"empty"}, in(folder.path()));
  CHECK(alone.status == 2);
  CHECK(alone.out.empty());
  CHECK(alone.err ==
        "empty: no tests in this folder; expected files that end in .litmus or .txt, or kernels\n");
#ifdef HEADWAY_KERNELS
  // A kernel gets what it gets by itself, also where it says no launch.
  folder.write("silent/k.cl", "kernel void k(global int* a) { a[0] = 1; }\n");
  const CommandResult silent = check({"silent"}, in(folder.path()));
  CHECK(silent.status == check({"silent/k.cl"}, in(folder.path())).status);
  CHECK(contains(silent.err, "(to say so or otherwise:)\n    // headway: kernel k grid 2"));
#endif
  const CommandResult both =
      check({"--format", "csv", "--model", "fair", "empty", "full"}, in(folder.path()));
  CHECK(both.status == 2);
  CHECK(contains(both.out, "a,fair,weak,pass"));
}

#ifdef HEADWAY_KERNELS
TEST_CASE("cli/check: notes of several files name them, and say once what is so of several") {
  const TemporaryFolder folder;
  const std::string kernel =
      "// headway: grid 1 block 2 buffer a=2\n"
      "kernel void k(global int* a) { a[get_global_id(0)] = 1; }\n";
  folder.write("a.cl", kernel);
  folder.write("b.cl", kernel);
  folder.write("c.cl", "kernel void other(global int* a) { if (get_global_id(0) == 0) *a = 1; }\n");
  const CommandResult result = check({"a.cl", "b.cl", "c.cl"}, in(folder.path()));
  CHECK(contains(result.err, "note: kernel k of a.cl and 2 more: taken for granted: "));
  CHECK(contains(result.err, "note: kernel other of c.cl: 2 workgroups of 4 threads"));
  CHECK(contains(check({"a.cl"}, in(folder.path())).err, "note: kernel k: taken for granted: "));
}
#endif

TEST_CASE("cli/check: files that are not there are named") {
  const TemporaryFolder folder;
  const CommandResult missing = check({"absent.litmus"}, in(folder.path()));
  CHECK(missing.status == 2);
  CHECK(missing.err == "absent.litmus: cannot open: No such file or directory\n");

  // One that is found in its folder but has gone when it is read.
  folder.write("a.litmus", kProducerConsumer);
  std::filesystem::create_symlink("gone", folder.path() / "b.litmus");
  const CommandResult vanished =
      check({"--format", "csv", "--model", "fair", "."}, in(folder.path()));
  CHECK(vanished.status == 2);
  CHECK(contains(vanished.out, "a,fair,strong,pass"));
  CHECK(vanished.err == "./b.litmus: cannot open: No such file or directory\n");
}

// Models --------------------------------------------------------------------------------------

TEST_CASE("cli/check: models are named or have parameters or are files") {
  const TemporaryFolder folder;
  folder.write("mine.yaml", "name: mine\nparams: {n: 0}\nfair: alive & from({n})\n");
  folder.write("pc.litmus", kProducerConsumer + "expect { fail mine; }");
  const CommandResult result = check(
      {"--format", "csv", "--fairness", "weak", "--model", "LOBE", "--model", "HSA-k", "--model",
       "OBE-k(k=0)", "-m", "mine.yaml", "-m", "./mine.yaml(n=1)", "-m", "LOBE", "pc.litmus"},
      in(folder.path()));
  CHECK(result.out ==
        "test,model,fairness,verdict\n"
        "pc,LOBE,weak,pass\n"  // once, although it is named twice
        "pc,HSA-k(k=2),weak,pass\n"
        "pc,OBE-k(k=0),weak,fail\n"
        "pc,mine(n=0),weak,pass\n"
        "pc,mine(n=1),weak,fail\n");
  CHECK(result.status == 1);
  CHECK(contains(result.err, "expected mine:weak to fail; it passes"));
}

TEST_CASE("cli/check: models that are not known are refused before anything is decided") {
  const TemporaryFolder folder;
  folder.write("bad.yaml", "name: bad\nfair: alive & strated\n");
  folder.write("pc.litmus", kProducerConsumer);
  const std::pair<const char*, const char*> models[] = {
      {"OEB", "unknown model 'OEB'; expected unfair, HSA, OBE, HSA+OBE, LOBE, fair"},
      {"oeb", "or the path of a model file; did you mean 'OBE'?"},
      {"OBE-k(j=1)", "model OBE-k has no parameter 'j'; expected k"},
      {"OBE(k=1)", "model OBE has no parameter 'k'; expected none"},
      {"OBE-k(k=1", "expected ')', found the end of the file"},
      {"OBE-k(k=1001)", "expected a value from -1000 to 1000, found '1001'"},
      {"absent.yaml", "absent.yaml: cannot open: No such file or directory"},
      {"bad.yaml", "bad.yaml:2:15: "},
  };
  for (const auto& row : models) {
    const auto& model = row.first;
    const auto& gist = row.second;
    CAPTURE(std::string(model));
    const CommandResult result = check({"--model", model, "pc.litmus"}, in(folder.path()));
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK_MESSAGE(contains(result.err, gist), result.err);
  }
}

// Output --------------------------------------------------------------------------------------

TEST_CASE("cli/check: CSV has a heading and a row a test and model and fairness") {
  const CommandResult result = check_here(with_litmus({"--format", "csv"}));
  const std::vector<std::string> lines = lines_of(result.out);
  CHECK(lines.at(0) == "test,model,fairness,verdict");
  CHECK(static_cast<int>(lines.size()) ==
        1 + static_cast<int>(headway::testing::litmus_files().size()) * 6 * 2);
  CHECK(std::all_of(lines.begin() + 1, lines.end(), [](const std::string& line) {
    return std::count(line.begin(), line.end(), ',') == 3 &&
           (line.ends_with(",pass") || line.ends_with(",fail"));
  }));
}

TEST_CASE("cli/check: JSON holds what it promises") {
  const CommandResult result =
      check_here({"--format", "json", "litmus/spin-mutex.litmus", "litmus/chain-3.litmus"});
  CHECK(result.status == 0);
  const Json tests = Json::parse(result.out);
  REQUIRE(tests.size() == 2);
  const Json& mutex = tests[0];
  CHECK(mutex.at("test") == "spin-mutex");
  CHECK(mutex.at("file") == "litmus/spin-mutex.litmus");
  CHECK(mutex.at("threads") == 2);
  CHECK(mutex.at("instructions") == 4);
  CHECK(mutex.at("states") == 12);
  CHECK(mutex.at("transitions").get<int>() > 12);
  CHECK(mutex.at("complete") == true);
  CHECK(mutex.at("seconds").get<double>() >= 0);
  CHECK(mutex.at("seconds").get<double>() < 60);
  REQUIRE(mutex.at("verdicts").size() == 12);
  const Json obe_weak = {{"model", "OBE"}, {"fairness", "weak"}, {"verdict", "pass"}};
  CHECK(mutex.at("verdicts")[4] == obe_weak);
  CHECK(mutex.at("weakest_sufficient") == Json::array({"OBE:weak"}));
  CHECK(mutex.at("strongest_insufficient") == Json::array({"HSA:strong"}));
  CHECK(tests[1].at("weakest_sufficient") == Json::array({"HSA:weak"}));
}

TEST_CASE("cli/check: JSON and CSV stay whole when nothing could be decided") {
  const Json nowhere = Json::parse(check({"--format", "json", "/nowhere"}).out);
  CHECK(nowhere.size() == 1);
  CHECK(nowhere.at(0).at("file") == "/nowhere");
  CHECK(check({"--format", "csv", "/nowhere"}).out == "test,model,fairness,verdict\n");
  CHECK(check({"/nowhere"}).out.empty());
  const Json undecided = Json::parse(
      check({"--format", "json", "--max-states", "1", "-"}, input(kProducerConsumer)).out);
  CHECK(undecided.at(0).at("complete") == false);
  CHECK(undecided.at(0).at("verdicts").at(0).at("verdict") == "unknown");
}

TEST_CASE(
    "cli/check: files may have names of any bytes, of which tests are called what is printable") {
  const TemporaryFolder folder;
  folder.write("\xff\xc3\xa4\n\".litmus", kProducerConsumer);
  const CommandResult result = check({"--format", "json", "."}, in(folder.path()));
  CHECK(result.status == 0);
  CHECK(contains(Json::parse(result.out).at(0).at("test").get<std::string>(),
                 "\\xff\xc3\xa4\\x0a\""));
}

TEST_CASE("cli/check: one test is shown with its models down and several with a line each") {
  const CommandResult one = check_here({"litmus/spin-mutex.litmus"});
  const std::vector<std::string> lines = lines_of(one.out);
  CHECK(lines.at(0) == "spin-mutex");
  CHECK(std::count(lines.begin(), lines.end(), "OBE      pass  pass") == 1);
  CHECK(contains(one.out, "weakest that suffice   OBE:weak\n"));

  const CommandResult several =
      check_here({"litmus/spin-mutex.litmus", "litmus/strong-only.litmus"});
  const std::vector<std::string> rows = lines_of(several.out);
  CHECK(rows.at(0) == "test         unfair  HSA   OBE   HSA+OBE  LOBE  fair");
  CHECK(rows.at(1) == "spin-mutex   fail    fail  pass  pass     pass  pass");
  CHECK(rows.at(2) == "strong-only  fail    fail  fail  fail     fail  strong");
}

TEST_CASE("cli/check: output does not depend on the number of jobs") {
  const auto with_jobs = [](const std::string& jobs) {
    return check_here(
               with_litmus({"--jobs", jobs, "--format", "csv", "tests/data/published/tests"}))
        .out;
  };
  const std::string alone = with_jobs("1");
  CHECK(count(alone, "\n") ==
        1 + (static_cast<int>(headway::testing::litmus_files().size()) + 184) * 12);
  CHECK(with_jobs("2") == alone);
  CHECK(with_jobs("7") == alone);
}

TEST_CASE("cli/check: colours are for terminals and not when NO_COLOR is set") {
  CommandOptions options = in(source_dir());
  options.environment["TERM"] = "xterm-256color";
  const Arguments arguments = {"litmus/spin-mutex.litmus"};
  const std::string plain = check(arguments, options).out;
  CHECK_FALSE(contains(plain, "\033"));

  options.terminal = true;
  const std::string coloured = check(arguments, options).out;
  CHECK(contains(coloured, "\033[32mpass\033[0m"));

  options.environment["NO_COLOR"] = "1";
  CHECK(check(arguments, options).out == plain);
  options.environment["NO_COLOR"] = "";  // as if it were not set
  CHECK(check(arguments, options).out == coloured);
  options.environment["TERM"] = "dumb";
  CHECK(check(arguments, options).out == plain);
  options.environment["TERM"] = std::nullopt;
  CHECK(check(arguments, options).out == plain);
}

TEST_CASE("cli/check: output that cannot be written is an error") {
  const std::string command =
      headway::testing::headway_binary().string() + " check litmus/spin-mutex.litmus";
  const CommandResult result =
      headway::testing::run_program({"sh", "-c", command + " > /dev/full"}, in(source_dir()));
  CHECK(result.status == 2);
  CHECK(contains(result.err, "cannot write the output"));
}

// Tables of verdicts --------------------------------------------------------------------------

TEST_CASE("cli/check: all published verdicts are reproduced") {
  const CommandResult result = check_here(
      {"--format", "csv", "--against", "tests/data/published/verdicts_2t_2i.csv", "--against",
       "tests/data/published/verdicts_2t_3i.csv", "tests/data/published/tests"});
  CHECK(result.status == 0);
  CHECK(result.err == "1840 rows compared, 0 different\n");
}

TEST_CASE("cli/check: a row that differs is shown where it stands") {
  const TemporaryFolder folder;
  folder.write("pc.litmus", kProducerConsumer);
  folder.write("table.csv",
               "test,model,fairness,verdict\n"
               "pc,HSA,weak,pass\n"
               "pc,OBE,weak,pass\n"
               "\n"
               "other,HSA,strong,fail\n"
               "pc,my model,weak,fail\n");
  const CommandResult result = check({"--against", "table.csv", "pc.litmus"}, in(folder.path()));
  CHECK(result.status == 1);
  CHECK(contains(result.err, "table.csv:3: pc,OBE,weak: expected pass, decided fail\n"));
  CHECK(contains(result.err, "1 of 3 rows is about tests that were not decided, such as other\n"));
  CHECK(contains(result.err, "2 rows compared, 1 different\n"));  // my model is not in the run
  const CommandResult asked =
      check({"--against", "table.csv", "--model", "HSA", "--fairness", "weak", "pc.litmus"},
            in(folder.path()));
  CHECK(asked.status == 0);
  CHECK(asked.err == "1 row compared, 0 different\n");
}

TEST_CASE("cli/check: a table that says nothing about the run is not met") {
  const TemporaryFolder folder;
  folder.write("pc.litmus", kProducerConsumer);
  folder.write("table.csv", "test,model,fairness,verdict\npc,my model,weak,fail\n");
  const CommandResult result = check({"--against", "table.csv", "pc.litmus"}, in(folder.path()));
  CHECK(result.status == 1);
  CHECK(result.err == "0 rows compared, 0 different\n");

  const std::string published = (source_dir() / "tests/data/published/verdicts_2t_3i.csv").string();
  const CommandResult others = check({"--against", published, "pc.litmus"}, in(folder.path()));
  CHECK(others.status == 1);
  CHECK(others.err ==
        "1760 of 1760 rows are about tests that were not decided, such as 2t_3i_0\n"
        "0 rows compared, 0 different\n");
}

TEST_CASE("cli/check: what is odd about a test is remarked upon") {
  const TemporaryFolder folder;
  folder.write("ends.litmus", "locations m, n;\nthread 0 { m = 1; }\nthread 1 { m = 0; }\n");
  const CommandResult axb = check({"ends.litmus"}, in(folder.path()));
  CHECK(axb.status == 0);
  CHECK(contains(axb.err, "warning: ends.litmus:1:14: location 'n' is never used\n"));
  CHECK(contains(axb.err, "remark: ends passes under unfair: it ends whatever threads run"));
  folder.write("i.litmus", "N = 2;\nshared bool x, y;\nthreads { int(0..3) i; load(x); }\n");
  const CommandResult idiom = check({"i.litmus"}, in(folder.path()));
  CHECK(contains(idiom.err, "warning: i.litmus:2:16: variable 'y' is never used\n"));
  CHECK(contains(idiom.err, "warning: i.litmus:3:21: variable 'i' is never used\n"));
  CHECK_FALSE(contains(idiom.err, "'x' is never"));
  folder.write("pc.litmus", kProducerConsumer);
  CHECK(check({"pc.litmus"}, in(folder.path())).err.empty());
  // Three of those models are named that speak past a launch.
  folder.write(
      "one.litmus",
      "locations x;\nworkgroup 0 {\n  thread 0 { while (Load(x) == 0); }\n  thread 1 { x = "
      "1; }\n}\n");
  const std::string past =
      check({"one.litmus", "-m", "workgroup=*,thread=*"}, in(folder.path())).err;
  CHECK(contains(past, "no model is asked, and all is guaranteed: "));
  CHECK(contains(past, " and 27 more\n"));
}

TEST_CASE("cli/check: a limit of time may have a unit") {
  for (const char* limit : {"30", "30s", "30000ms", "0.5min"}) {
    CAPTURE(limit);
    CHECK(check({"--timeout", limit, "-"}, input(kProducerConsumer)).status == 0);
  }
}

TEST_CASE("cli/check: several errors of a file are named at once, and are objects in JSON") {
  const TemporaryFolder folder;
  folder.write("a.litmus",
               "locations m;\nthread 0 {\n  m = 1\n  n = 2;\n  while (CAS(m, 0, 1) == 1);\n}\n"
               "thread 1 { while (Load(m) == 0) ; m = 300; }\n");
  folder.write("b.litmus",
               "N = 2;\nshared bool x;\nthreads {\n  int(0..z) i;\n  i = 1;\n  if (y) { x = 1; "
               "store(x, 1) }\n  store(q, 1);\n}\n");
  const CommandResult people = check({"a.litmus", "b.litmus"}, in(folder.path()));
  CHECK(people.status == 2);
  for (const char* part :
       {"a.litmus:3:8: expected ';', found 'n'\n", "a.litmus:5:10: expected 'Load(m)' or",
        "the idiom language has cas, fetch_add and more", "a.litmus:7:39: value '300' is out",
        "b.litmus:4:10: ", "b.litmus:6:"}) {
    CAPTURE(part);
    CHECK(contains(people.err, part));
  }
  const Json errors = Json::parse(check({"a.litmus", "--format", "json"}, in(folder.path())).out);
  REQUIRE(errors.size() == 4);  // n is no location
  CHECK(errors[0].at("file") == "a.litmus");
  CHECK(errors[0].at("line") == 3);
  CHECK(errors[0].at("column") == 8);
  CHECK(errors[0].at("error") == "expected ';', found 'n'");
}

TEST_CASE("cli/check: an unknown verdict differs from every row but the status says limit") {
  const TemporaryFolder folder;
  folder.write("pc.litmus", kProducerConsumer);
  folder.write("table.csv", "test,model,fairness,verdict\npc,HSA,weak,pass\n");
  const CommandResult result =
      check({"--max-states", "3", "--against", "table.csv", "pc.litmus"}, in(folder.path()));
  CHECK(result.status == 3);
  CHECK(contains(result.err, "table.csv:2: pc,HSA,weak: expected pass, decided unknown"));
}

TEST_CASE("cli/check: the CSV it writes is a table it agrees with") {
  const TemporaryFolder folder;
  folder.write("expected.csv", check_here(with_litmus({"--format", "csv"})).out);
  const CommandResult result = check_here(
      with_litmus({"--format", "csv", "--against", (folder.path() / "expected.csv").string()}));
  CHECK(result.status == 0);
  CHECK(result.err == std::to_string(headway::testing::litmus_files().size() * 12) +
                          " rows compared, 0 different\n");
}

TEST_CASE("cli/check: tables that are not tables of verdicts are refused") {
  const TemporaryFolder folder;
  folder.write("pc.litmus", kProducerConsumer);
  const std::string heading = "test,model,fairness,verdict\n";
  const std::pair<std::string, std::string> tables[] = {
      {"", "table.csv:1: expected the heading test,model,fairness,verdict"},
      {"name,model,fairness,verdict\n", "table.csv:1: expected the heading"},
      {"test,model,fairness\n", "table.csv:1: expected the heading"},
      {heading + "pc,HSA,weak\n", "table.csv:2: expected 4 fields, found 3"},
      {heading + "pc,HSA,weak,pass,\n", "table.csv:2: expected 4 fields, found 5"},
      {heading + "\npc,HSA,weekly,pass\n", "table.csv:3: expected weak or strong, found 'weekly'"},
      {heading + "pc,HSA,weak,passes\n", "table.csv:2: expected pass or fail, found 'passes'"},
      {heading + "\"pc,HSA,weak,pass\n", "table.csv:2:1: a quote that does not end"},
  };
  for (const auto& row : tables) {
    const auto& table = row.first;
    const auto& gist = row.second;
    CAPTURE(table);
    folder.write("table.csv", table);
    const CommandResult result = check({"--against", "table.csv", "pc.litmus"}, in(folder.path()));
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK_MESSAGE(contains(result.err, gist), result.err);
  }
  const CommandResult missing = check({"--against", "absent.csv", "pc.litmus"}, in(folder.path()));
  CHECK(missing.status == 2);
  CHECK(missing.err == "absent.csv: cannot open: No such file or directory\n");
}

TEST_CASE("cli/check: tables may have Windows line ends and quoted fields") {
  const TemporaryFolder folder;
  folder.write("pc.litmus", kProducerConsumer);
  folder.write("table.csv", "test,model,fairness,verdict\r\n\"pc\",HSA,weak,\"pass\"\r\n");
  const CommandResult result = check({"--against", "table.csv", "pc.litmus"}, in(folder.path()));
  CHECK(result.status == 0);
  CHECK(result.err == "1 row compared, 0 different\n");
}
