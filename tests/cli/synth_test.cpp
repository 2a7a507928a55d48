#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;
using headway::testing::contains;

namespace {

headway::testing::CommandResult run_synth(const std::vector<std::string>& arguments) {
  return headway::testing::headway(arguments);
}

}  // namespace

TEST_CASE("cli/synth: counts of the published bounds with both engines") {
  for (const std::string engine : {"explicit", "sat", "auto"}) {
    CHECK(run_synth({"synth", "-k", "2", "--count", "--engine", engine}).out == "8\n");
    CHECK(run_synth({"synth", "-k", "3", "--count", "--engine", engine}).out == "176\n");
    CHECK(run_synth({"synth", "-k", "2..3", "--count", "--engine", engine}).out == "184\n");
    CHECK(run_synth(
              {"synth", "-k", "3", "--require", "effective-stores", "--count", "--engine", engine})
              .out == "162\n");
    CHECK(run_synth({"synth", "-k", "3", "--minimal", "--count", "--engine", engine}).out ==
          "17\n");
  }
}

TEST_CASE("cli/synth: both engines and any number of cores write the same bytes") {
  const auto explicit_run = run_synth({"synth", "-k", "4", "--engine", "explicit", "-j", "1"});
  CHECK(explicit_run.status == 0);
  CHECK(run_synth({"synth", "-k", "4", "--engine", "explicit", "-j", "3"}).out == explicit_run.out);
  CHECK(run_synth({"synth", "-k", "4", "--engine", "sat", "-j", "2"}).out == explicit_run.out);
}

TEST_CASE("cli/synth: each form of output can be read again and holds the same tests") {
  const headway::testing::TemporaryFolder folder;
  const std::string base = folder.path().string();
  for (const std::string name : {"tests", "tests.yaml", "tests.jsonl"}) {
    CHECK(run_synth({"synth", "-k", "3", "--out", base + "/" + name}).status == 0);
  }
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.path() / "tests")) {
    names.insert(entry.path().stem().string());
  }
  CHECK(names.size() == 176);
  const std::string merged = run_synth({"merge", base + "/tests.jsonl"}).out;
  CHECK(run_synth({"merge", base + "/tests.yaml"}).out == merged);
  CHECK(run_synth({"merge", base + "/tests"}).out == merged);
  CHECK(run_synth({"synth", "-k", "3"}).out == merged);
  const auto checked = run_synth({"check", base + "/tests", "--format", "csv"});
  CHECK(checked.status == 0);
  CHECK(std::count(checked.out.begin(), checked.out.end(), '\n') == 1 + 176 * 12);
}

TEST_CASE("cli/synth: shards merge to the bytes of one run") {
  const headway::testing::TemporaryFolder folder;
  std::vector<std::string> merge = {"merge"};
  for (const std::string shard : {"1", "2", "3", "4"}) {
    merge.push_back((folder.path() / (shard + ".jsonl")).string());
    CHECK(run_synth({"synth", "-n", "3", "-k", "4", "--shard", shard + "/4", "--out", merge.back()})
              .status == 0);
  }
  CHECK(run_synth(merge).out == run_synth({"synth", "-n", "3", "-k", "4"}).out);
}

TEST_CASE("cli/merge: parts of tests that are missing, there twice or of another run are refused") {
  const headway::testing::TemporaryFolder folder;
  const auto part = [&](const std::string& name, std::vector<std::string> arguments) {
    const std::string out = (folder.path() / name).string();
    arguments.insert(arguments.begin(), {"synth", "--out", out});
    CHECK(run_synth(arguments).status == 0);
    return out;
  };
  for (const std::string ending : {".jsonl", ".yaml", "-folder"}) {
    CAPTURE(ending);
    const std::string a = part("a" + ending, {"-k", "3", "--shard", "1/3"});
    const std::string b = part("b" + ending, {"-k", "3", "--shard", "2/3"});
    const std::string c = part("c" + ending, {"-k", "3", "--shard", "3/3"});
    const std::string other =
        part("other" + ending, {"--placement", "2|1", "-k", "3", "--shard", "3/3"});
    const std::string minimal =
        part("minimal" + ending, {"-k", "3", "--minimal", "--shard", "3/3"});
    const std::string whole = part("whole" + ending, {"-k", "2"});
    CHECK(run_synth({"merge", c, a, b}).out == run_synth({"synth", "-k", "3"}).out);
    const auto refused = [](const std::vector<std::string>& arguments, const std::string& why) {
      const auto result = run_synth(arguments);
      CHECK(result.status == 2);
      CHECK(result.out.empty());
      CHECK(contains(result.err, why));
    };
    refused({"merge", a, b}, "part 3/3 is missing");
    refused({"merge", a, b, b}, "part 2 is there twice");
    refused({"merge", a, b, other}, "this is not of the run that");
    refused({"merge", a, b, minimal}, "this is not of the run that");
    refused({"merge", a, b, c, whole}, "expected a part that was made with --shard");
    // A part is a suite as well, also one without tests.
    CHECK(run_synth({"suite", "verdicts", a}).status == 0);
  }
  // What is cut off.
  const std::string text = run_synth({"synth", "-k", "3", "--shard", "1/1"}).out;
  const auto cut = folder.write("cut.jsonl", text.substr(0, text.rfind("#")));
  CHECK(contains(run_synth({"merge", cut.string()}).err, "this part is cut off"));
  // Parts that stop at the first size with tests may stop at different ones.
  CHECK(contains(
      run_synth({"synth", "-k", "2..3", "--shard", "1/2", "--distinguishes", "HSA", "OBE"}).err,
      "expected one number of --instructions beside --shard"));
}

TEST_CASE("cli/synth: --minimal reads a model for each level as one") {
  const auto count = [](const std::string& models) {
    return run_synth({"synth", "--placement", "2|1", "-k", "3", "--count", "--minimal=" + models})
        .out;
  };
  CHECK(count("workgroup=OBE,thread=HSA") == "0\n");
  CHECK(count("workgroup=OBE;thread=HSA") == "1\n");
  CHECK(count("workgroup=OBE,thread=HSA;workgroup=HSA,thread=OBE") == "0\n");
  CHECK(run_synth({"synth", "-k", "3", "--count", "--minimal=HSA,OBE"}).out ==
        run_synth({"synth", "-k", "3", "--count", "--minimal=HSA;OBE"}).out);
}

TEST_CASE("cli/synth: of a range those sizes count in which each thread has an instruction") {
  CHECK(run_synth({"synth", "-n", "3", "-k", "1..4", "--count"}).out ==
        run_synth({"synth", "-n", "3", "-k", "3..4", "--count"}).out);
  CHECK(run_synth({"synth", "-n", "3", "-k", "1..2", "--count"}).status == 2);
  for (const char* placement : {"2|x", "2x2|1", "x", "2|y"}) {
    CHECK(run_synth({"synth", "--placement", placement, "-k", "3"}).status == 2);
  }
}

TEST_CASE("cli/synth: a proof says what it cannot record") {
  const headway::testing::TemporaryFolder folder;
  const std::string proof = (folder.path() / "proof").string();
  const auto refusal = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"synth", "--proof", proof});
    return run_synth(arguments).err;
  };
  CHECK(contains(refusal({"-k", "3", "--symmetric", "all"}), "expected no --symmetric beside it"));
  CHECK(contains(refusal({"--groups", "2", "--group-size", "2", "-k", "3"}),
                 "expected no --groups with several placements beside it"));
  CHECK(contains(refusal({"-k", "2..3", "--limit", "1"}),
                 "expected no --limit or range of --instructions beside it"));
  fs::create_directory(folder.path() / "empty");
  CHECK(run_synth({"check-proof", (folder.path() / "empty").string()}).status == 2);
}

TEST_CASE("cli/export: tests that are refused for one reason are told of five times at most") {
  const headway::testing::TemporaryFolder folder;
  const std::string suite = (folder.path() / "suite").string();
  CHECK(run_synth({"synth", "--placement", "2|1", "-k", "3", "--out", suite}).status == 0);
  const auto refused =
      run_synth({"export", suite, "-t", "cuda", "-o", (folder.path() / "out").string()});
  CHECK(refused.status == 2);
  std::size_t told = 0;
  for (std::size_t at = 0; (at = refused.err.find("cannot be exported", at)) != std::string::npos;
       ++at) {
    ++told;
  }
  CHECK(told == 5);
  CHECK(contains(refused.err, "and 55 more as "));
}

TEST_CASE("cli/synth: a name that looks like one of a file makes no folder") {
  const headway::testing::TemporaryFolder folder;
  const std::string out = (folder.path() / "x.txt").string();
  CHECK(
      contains(run_synth({"synth", "-k", "2", "--out", out}).err, "expected the name of a folder"));
  const auto test = folder.write("t.litmus", "locations x; thread 0 { x = 1; }\n");
  CHECK(contains(
      run_synth({"export", test.string(), "-t", "opencl", "-o", (folder.path() / "x.cl").string()})
          .err,
      "expected the name of a folder"));
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("cli/merge: tests that begin with other values in memory are no copies") {
  const headway::testing::TemporaryFolder folder;
  const std::string rest = "; thread 0 { x = 1; } thread 1 { while (Load(x) == 0); }\n";
  folder.write("a.litmus", "litmus a locations x" + rest);
  folder.write("b.litmus", "litmus b locations x = 1" + rest);
  folder.write("c.litmus", "litmus c locations x" + rest);
  const auto merged = run_synth({"merge", folder.path().string()});
  CHECK(contains(merged.out, "\"test\":\"a\""));
  CHECK(contains(merged.out, "\"test\":\"b\""));
  CHECK_FALSE(contains(merged.out, "\"test\":\"c\""));
}

TEST_CASE("cli/synth: a checkpoint is of the models and not of their names") {
  const headway::testing::TemporaryFolder folder;
  const auto synth = [&](const std::string& fair) {
    const auto model =
        folder.write("m.yaml", "name: m\nfair: |\n  " + fair + "\n  | (started & alive)\n");
    return run_synth({"synth", "-k", "3", "--count", "--pass", model.string() + ":weak",
                      "--checkpoint", (folder.path() / "checkpoint").string()});
  };
  const auto first = synth("alive");
  CHECK(first.status == 0);
  CHECK(synth("alive").out == first.out);
  CHECK(contains(synth("started & alive").err, "this checkpoint belongs to another request"));
}

TEST_CASE("cli/synth: killed at any moment and begun again it writes the bytes of one run") {
  const headway::testing::TemporaryFolder folder;
  const std::string whole = run_synth({"synth", "-k", "4"}).out;
  const std::string command =
      headway::testing::headway_binary().string() + " synth -k 4 -j 2 --checkpoint " +
      (folder.path() / "checkpoint").string() + " --out " + (folder.path() / "out.jsonl").string();
  int killed = 0;
  for (const std::string seconds : {"0.01", "0.02", "0.03", "0.05", "0.02", "0.04"}) {
    const auto result = headway::testing::run_program(
        {"timeout", "-s", "KILL", seconds, "sh", "-c", "exec " + command}, {});
    if (result.status == 0) break;
    ++killed;
    // What has its name is whole; what is under way has another.
    if (fs::exists(folder.path() / "out.jsonl")) {
      CHECK(headway::read_file(folder.path() / "out.jsonl") == whole);
    }
  }
  CHECK(killed > 0);
  CHECK(headway::testing::run_program({"sh", "-c", command}, {}).status == 0);
  CHECK(headway::read_file(folder.path() / "out.jsonl") == whole);
}

TEST_CASE("cli/synth: files of a folder are named fit for it, and no older tests join them") {
  const headway::testing::TemporaryFolder folder;
  const std::string text = " locations x; thread 0 { x = 1; } thread 1 { while (Load(x) == 0); }\n";
  folder.write("a.litmus", "litmus \"../escaped\"" + text);
  folder.write("b.litmus", "litmus \"/tmp/absolute\" locations x; thread 0 { x = 2; }\n");
  const std::string out = (folder.path() / "out/in").string();
  CHECK(run_synth({"merge", folder.path().string(), "-o", out}).status == 0);
  CHECK_FALSE(fs::exists(folder.path() / "out/escaped.litmus"));
  CHECK(fs::exists(folder.path() / "out/in/_.._escaped.litmus"));
  CHECK(fs::exists(folder.path() / "out/in/_tmp_absolute.litmus"));
  const auto again = run_synth({"merge", folder.path().string(), "-o", out});
  CHECK(again.status == 2);
  CHECK(contains(again.err, "there are tests in this folder; expected a new or an empty one"));
  CHECK(run_synth({"synth", "-k", "2", "-o", out}).status == 2);
  CHECK(run_synth({"synth", "-k", "2", "-o", ""}).status == 2);
}

TEST_CASE("cli/synth: a model alone stands for both readings, as it does in tests") {
  const auto both = run_synth({"synth", "-k", "3", "--count", "--pass", "HSA", "--fail", "OBE"});
  const auto apart = run_synth({"synth", "-k", "3", "--count", "--pass", "HSA:weak", "--pass",
                                "HSA:strong", "--fail", "OBE:weak", "--fail", "OBE:strong"});
  CHECK(both.status == 0);
  CHECK(both.out == apart.out);
  const auto found = run_synth({"distinguish", "--pass", "obe", "--fail", "HSA"});
  CHECK(contains(found.out, "  pass OBE;\n  fail HSA;\n"));
}

TEST_CASE("cli/synth: bad requests are refused and leave nothing behind") {
  const headway::testing::TemporaryFolder folder;
  const std::string out = (folder.path() / "out.jsonl").string();
  const auto refused = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"synth", "--out", out});
    const auto result = run_synth(arguments);
    CAPTURE(arguments.back());
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(result.err.starts_with("headway: ") == (result.err.find("Try") != std::string::npos));
    CHECK(result.err.size() > 20);
    CHECK(fs::is_empty(folder.path()));
  };
  refused({"-k", "0"});
  refused({"-k", "-3"});
  refused({"-k", "1000"});
  refused({"-k", "99999999999999999999"});
  refused({"-k", "five"});
  refused({"-k", "5..2"});
  refused({"-n", "4", "-k", "3"});
  refused({"-k", "3", "--values", "1"});
  refused({"-k", "3", "--locations", "0"});
  refused({"-k", "3", "--shard", "0/3"});
  refused({"-k", "3", "--shard", "4/3"});
  refused({"-k", "3", "--pass", "nobody:weak"});
  refused({"-k", "3", "--minimal=nobody"});
  refused({"-k", "3", "--checkpoint", "/nonexistent/folder/checkpoint"});
}

TEST_CASE("cli/synth: an output that cannot be written is an error at once") {
  CHECK(run_synth({"synth", "-k", "3", "--out", "/proc/nothing/out.jsonl"}).status == 2);
  CHECK(run_synth({"synth", "-k", "3", "--out", "/proc/nothing"}).status == 2);
  const auto full = headway::testing::run_program(
      {"sh", "-c", headway::testing::headway_binary().string() + " synth -k 3 > /dev/full"}, {});
  CHECK(full.status == 2);
  CHECK(full.err.find("No space left") != std::string::npos);
}

TEST_CASE("cli/synth: a proof is accepted and a changed one is not") {
  const headway::testing::TemporaryFolder folder;
  const std::string proof = (folder.path() / "proof").string();
  CHECK(run_synth({"synth", "-k", "2", "--proof", proof, "--count"}).out == "8\n");
  const auto accepted = run_synth({"check-proof", proof});
  CHECK(accepted.status == 0);
  CHECK(accepted.out.starts_with("accepted\n"));
  std::string text = headway::read_file(proof + "/proof.json");
  text[text.find("\"instructions\": 2") + 16] = '3';
  headway::write_file(proof + "/proof.json", text);
  CHECK(run_synth({"check-proof", proof}).status == 1);
}

TEST_CASE("cli/distinguish: a smallest test comes with what it was asked for") {
  const auto found = run_synth({"distinguish", "--pass", "LOBE:weak", "--fail", "HSA+OBE:strong"});
  CHECK(found.status == 0);
  const headway::testing::TemporaryFolder folder;
  const auto path = folder.write("found.litmus", found.out);
  CHECK(run_synth({"check", path.string()}).status == 0);
  CHECK(run_synth({"distinguish", "--pass", "HSA:weak", "--fail", "LOBE:weak"}).status == 1);
  CHECK(run_synth({"distinguish", "--pass", "HSA:weak"}).status == 2);
  const auto all = run_synth({"distinguish", "--all", "--format", "csv"});
  CHECK(all.status == 0);
  CHECK(std::count(all.out.begin(), all.out.end(), '\n') == 1 + 11 * 10);
}

TEST_CASE("cli/distinguish: what the order rules out is said of every size") {
  const auto none = run_synth({"distinguish", "--pass", "HSA:weak", "--fail", "fair:weak"});
  CHECK(none.status == 1);
  CHECK(none.err ==
        "no litmus test of up to 3 threads tells these models apart, of whatever size: what passes "
        "under the one passes under the other\n");
  const auto larger = run_synth({"distinguish", "--pass", "LOBE:weak", "--fail", "HSA+OBE:strong",
                                 "--max-instructions", "2"});
  CHECK(contains(larger.err, "no litmus test within 3 threads, 2 instructions"));
}

TEST_CASE("cli/distinguish: --model names the models of files") {
  const headway::testing::TemporaryFolder folder;
  const auto mine = folder.write("mine.yaml", "name: mine\nfair: started & alive\n");
  const auto found = run_synth(
      {"distinguish", "--model", mine.string(), "--pass", "mine:weak", "--fail", "HSA:weak"});
  CHECK(found.status == 0);
  CHECK(contains(found.out, "pass mine:weak;"));
}

TEST_CASE("cli/reduce: says when a test is minimal and otherwise shows programs that parse") {
  const auto mutex =
      run_synth({"reduce", (headway::testing::source_dir() / "litmus/spin-mutex.litmus").string()});
  CHECK(mutex.status == 0);
  const auto from = mutex.out.find("litmus spin-mutex-reduced");
  REQUIRE(from != std::string::npos);
  const auto pc = run_synth(
      {"reduce",
       (headway::testing::source_dir() / "litmus/producer-consumer-increasing.litmus").string()});
  CHECK(pc.out.find("is minimal") != std::string::npos);
}

TEST_CASE("cli/synth: transition systems can be bounded, as they were for Alloy") {
  const auto count = [](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"synth", "-k", "3", "--count"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return std::stoi(run_synth(arguments).out);
  };
  CHECK(count({"--max-lts-states", "1000", "--max-actions", "1000"}) == 176);
  const int few_states = count({"--max-lts-states", "6"}), few = count({"--max-actions", "8"});
  CHECK(few_states > 0);
  CHECK(few_states < 176);
  CHECK(few > 0);
  CHECK(few < 176);
  CHECK(count({"--max-lts-states", "6", "--max-actions", "8"}) <= std::min(few_states, few));
  CHECK(run_synth({"synth", "-k", "3", "--max-actions", "0"}).status == 2);
}
