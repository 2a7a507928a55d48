// Proofs of completeness: what headway writes is accepted, and nothing else.
#include "synth/sat/proof.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "base/file.hpp"
#include "support/errors.hpp"
#include "synth/sat/proof_check.hpp"
#include "synth/sat/proof_grounds.hpp"
#include "synth/sat/rup.hpp"

using namespace headway;
using namespace headway::synth;
using sat::ProofReport;
using testing::contains;
namespace fs = std::filesystem;

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const fs::path& path) {
  std::ifstream in(path);
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void write_lines(const fs::path& path, const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  write_file(path, text);
}

bool starts_with(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

// A folder of our own, gone at the end.
struct Folder {
  fs::path path;
  explicit Folder(const std::string& name)
      : path(fs::temp_directory_path() / (name + "-" + std::to_string(getpid()))) {
    fs::remove_all(path);
  }
  ~Folder() { fs::remove_all(path); }
};

// The proof of (2, 3), and a copy of it to spoil.
class Spoiled {
 public:
  Spoiled() : original_("headway-proof"), copy_("headway-spoiled-proof") {
    sat::write_proof({2, 3, 2, 2}, {}, original_.path);
    restore();
  }
  fs::path shape() const { return copy_.path / "shape-1-2"; }
  fs::path json() const { return copy_.path / "proof.json"; }

  // What the checker says of the copy after `change` to one of its files; the copy is whole again
  // then.
  ProofReport after(const fs::path& file, const std::function<void(Lines&)>& change) {
    Lines lines = lines_of(file);
    change(lines);
    write_lines(file, lines);
    return verdict();
  }
  ProofReport verdict() {
    sat::ProofCheckOptions options;
    options.drat_trim.clear();
    ProofReport report = sat::check_proof(copy_.path, options);
    restore();
    return report;
  }

 private:
  void restore() {
    fs::remove_all(copy_.path);
    fs::copy(original_.path, copy_.path, fs::copy_options::recursive);
  }
  Folder original_, copy_;
};

// Line numbers of clauses in formula.cnf are those in grounds.txt and one more.
std::size_t first_ground(const fs::path& shape, const char* start) {
  const Lines grounds = lines_of(shape / "grounds.txt");
  for (std::size_t line = 0; line < grounds.size(); ++line) {
    if (starts_with(grounds[line], start)) return line;
  }
  FAIL("no such ground: " << start);
  return 0;
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
}

void check_rejected(const ProofReport& report, std::string_view why) {
  CHECK_FALSE(report.accepted);
  CAPTURE(report.problem);
  CHECK(contains(report.problem, why));
}

}  // namespace

TEST_CASE("synth/sat/proof: what is written is accepted") {
  for (const bool effective : {false, true}) {
    for (const Bounds& bounds : {Bounds{1, 1, 1, 2}, Bounds{2, 2, 2, 2}, Bounds{2, 3, 2, 2},
                                 Bounds{2, 3, 3, 3}, Bounds{3, 3, 2, 2}, Bounds{3, 4, 2, 2}}) {
      const Folder folder("headway-proof");
      std::uint64_t found = 0;
      sat::ProofOptions options;
      options.found = [&](const Shape&, const Instructions&) { ++found; };
      const auto summary = sat::write_proof(bounds, {effective}, folder.path, options);
      CHECK(summary.complete);
      sat::ProofCheckOptions check;
      check.drat_trim.clear();
      const ProofReport report = sat::check_proof(folder.path, check);
      CHECK(report.problem == "");
      CHECK(report.accepted);
      CHECK(report.bounds == bounds);
      CHECK(report.tests == found);
      CHECK(report.shapes == summary.shapes.size());
      CHECK_FALSE(report.drat_trim_ran);
      CHECK(contains(report.to_string(), "not checked by an external tool"));
    }
  }
}

TEST_CASE("synth/sat/proof: what is written of threads that meet is accepted, and no other claim") {
  Bounds bounds{2, 4, 1, 2};
  SUBCASE("in one workgroup") {
    bounds.placement = Topology::placed({{2}});
    bounds.barriers.workgroup = true;
  }
  SUBCASE("where threads that have ended count") {
    bounds.placement = Topology::placed({{2}});
    bounds.barriers = {.workgroup = true, .ended_count = true};
  }
  SUBCASE("in subgroups") {
    bounds.threads = 3;
    bounds.placement = Topology::placed({{2, 1}});
    bounds.barriers = {.workgroup = true, .subgroup = true};
  }
  const Folder folder("headway-proof");
  CHECK(sat::write_proof(bounds, {}, folder.path).complete);
  sat::ProofCheckOptions check;
  check.drat_trim.clear();
  const ProofReport report = sat::check_proof(folder.path, check);
  CHECK(report.problem == "");
  CHECK(report.accepted);
  CHECK(report.bounds == bounds);
  CHECK(contains(report.to_string(), "placed as " + bounds.placement->placement()));
  // It is none of a space where there are fewer barriers, or where others are waited for.
  const std::string json = read_file(folder.path / "proof.json");
  using Change = std::pair<std::string, std::string>;
  const std::string group = bounds.barriers.subgroup ? "subgroups" : "workgroups";
  const std::string flag = "\"barriers_of_" + group + "\": ";
  for (const auto& [from, to] :
       {Change(flag + "true", flag + "false"), Change("[\n        2", "[\n        3"),
        Change("\"version\": 2", "\"version\": 1")}) {
    const std::size_t at = json.find(from);
    REQUIRE(at != std::string::npos);
    write_file(folder.path / "proof.json", json.substr(0, at) + to + json.substr(at + from.size()));
    CHECK_FALSE(sat::check_proof(folder.path, check).accepted);
  }
}

TEST_CASE("synth/sat/proof: a stopped proof claims nothing") {
  const Folder folder("headway-proof");
  const std::atomic<bool> now{true};
  sat::ProofOptions options;
  options.stop = &now;
  CHECK_FALSE(sat::write_proof({2, 2, 2, 2}, {}, folder.path, options).complete);
  check_rejected(sat::check_proof(folder.path), "proof.json");

  sat::write_proof({2, 2, 2, 2}, {}, folder.path);
  sat::ProofCheckOptions check;
  check.stop = &now;
  CHECK(sat::check_proof(folder.path, check).stopped);
}

TEST_CASE("synth/sat/proof: a changed clause is rejected") {
  Spoiled proof;
  const Lines formula = lines_of(proof.shape() / "formula.cnf");
  const std::size_t test = first_ground(proof.shape(), "test") + 1;
  // A clause that would exclude a litmus test, whatever its ground.
  for (const char* ground :
       {"choice", "numbering", "influence", "never-taken", "always-taken", "stuck", "no-cycle"}) {
    CAPTURE(ground);
    const std::size_t at = first_ground(proof.shape(), ground) + 1;
    check_rejected(
        proof.after(proof.shape() / "formula.cnf", [&](Lines& l) { l[at] = formula[test]; }),
        "is no ground for clause");
    check_rejected(proof.after(proof.shape() / "formula.cnf", [&](Lines& l) { l[at] = "0"; }),
                   "is no ground for clause");
  }
  // One literal less in a clause about programs excludes more of them.
  const std::size_t at = first_ground(proof.shape(), "stuck") + 1;
  const std::string literal = formula[at].substr(0, formula[at].find(' ') + 1);
  check_rejected(
      proof.after(proof.shape() / "formula.cnf", [&](Lines& l) { l[at].erase(0, literal.size()); }),
      "is no ground for clause");
  check_rejected(proof.after(proof.shape() / "formula.cnf", [](Lines& l) { l[5] = "999999 0"; }),
                 "formula.cnf:6: a literal is out of range");
  check_rejected(proof.after(proof.shape() / "formula.cnf", [](Lines& l) { l[5] = "1 x"; }),
                 "formula.cnf:6: expected literals");
  check_rejected(proof.after(proof.shape() / "formula.cnf", [](Lines& l) { l.pop_back(); }),
                 "formula.cnf");
}

TEST_CASE("synth/sat/proof: a changed ground is rejected") {
  Spoiled proof;
  const auto change = [&](const char* from, const std::string& to) {
    const std::size_t at = first_ground(proof.shape(), from);
    return proof.after(proof.shape() / "grounds.txt", [&](Lines& lines) { lines[at] = to; });
  };
  check_rejected(change("stuck", "no-cycle"), "is no ground");
  check_rejected(change("no-cycle", "stuck"), "is no ground");
  check_rejected(change("stuck", "choice 0"), "is no ground");
  check_rejected(change("stuck", "test"), "does not exclude exactly");
  check_rejected(change("test", "stuck"), "is no ground");
  check_rejected(change("never-taken 1", "always-taken 1"), "is no ground");
  check_rejected(change("never-taken 1", "never-taken 0"), "is no ground");
  check_rejected(change("never-taken 1", "never-taken 17"), "is no ground");
  check_rejected(change("never-taken 1", "never-taken"), "is no ground");
  check_rejected(change("stuck", "because"), "is no ground");
  // Ineffective stores are no reason when they were not required.
  check_rejected(change("stuck", "no-change 0"), "is no ground");
  check_rejected(
      proof.after(proof.shape() / "grounds.txt", [](Lines& lines) { lines.push_back("stuck"); }),
      "there is no clause for this ground");
}

TEST_CASE("synth/sat/proof: a changed test list is rejected") {
  Spoiled proof;
  const fs::path tests = proof.shape() / "tests.txt";
  check_rejected(proof.after(tests, [](Lines& l) { l.pop_back(); }), "expected another test");
  check_rejected(proof.after(tests, [](Lines& l) { l.push_back(l[0]); }), "no clause excludes");
  check_rejected(proof.after(tests, [](Lines& l) { std::swap(l[0], l[1]); }),
                 "does not exclude exactly");
  check_rejected(proof.after(tests, [](Lines& l) { l[0] = "0,0,x,0"; }), "expected a small number");

  // A test that is dropped with all that is said of it is missing from the refutation.
  const auto drop = [&](Lines& formula) {
    formula.pop_back();
    Lines grounds = lines_of(proof.shape() / "grounds.txt");
    grounds.pop_back();
    write_lines(proof.shape() / "grounds.txt", grounds);
    Lines listed = lines_of(tests);
    const std::size_t count = listed.size();
    listed.pop_back();
    write_lines(tests, listed);
    replace(formula[0], " " + std::to_string(grounds.size() + 1),
            " " + std::to_string(grounds.size()));
    Lines json = lines_of(proof.json());
    for (std::string& line : json) {
      if (contains(line, "\"tests\": " + std::to_string(count))) {
        replace(line, std::to_string(count), std::to_string(count - 1));
        break;
      }
    }
    write_lines(proof.json(), json);
  };
  check_rejected(proof.after(proof.shape() / "formula.cnf", drop), "proof.drat");

  // A program that is no litmus test does not get in, nor does a test get in twice.
  const auto add = [&](const std::string& test, const std::string& clause) {
    return [&, test, clause](Lines& formula) {
      Lines grounds = lines_of(proof.shape() / "grounds.txt");
      grounds.emplace_back("test");
      write_lines(proof.shape() / "grounds.txt", grounds);
      Lines listed = lines_of(tests);
      listed.push_back(test.empty() ? listed.back() : test);
      write_lines(tests, listed);
      replace(formula[0], " " + std::to_string(grounds.size() - 1),
              " " + std::to_string(grounds.size()));
      formula.push_back(clause.empty() ? formula.back() : clause);
    };
  };
  check_rejected(proof.after(proof.shape() / "formula.cnf", add("", "")), "is listed before");
  std::string variables[3];
  for (const std::string& line : lines_of(proof.shape() / "variables.txt")) {
    const std::string variable = line.substr(0, line.find(' '));
    if (contains(line, " choice 0 location=0 check=0 jump=1 exchange=1")) variables[0] = variable;
    if (contains(line, " choice 1 location=0 check=0 jump=2 exchange=none"))
      variables[1] = variable;
    if (contains(line, " choice 2 location=0 check=0 jump=0 exchange=none"))
      variables[2] = variable;
  }
  check_rejected(
      proof.after(proof.shape() / "formula.cnf",
                  add("0,0,1,1 0,0,2,- 0,0,0,-",
                      "-" + variables[0] + " -" + variables[1] + " -" + variables[2] + " 0")),
      "this is no litmus test");
}

TEST_CASE("synth/sat/proof: a changed refutation is rejected") {
  Spoiled proof;
  const fs::path drat = proof.shape() / "proof.drat";
  check_rejected(proof.after(drat, [](Lines& l) { l.clear(); }), "without a contradiction");
  check_rejected(proof.after(drat, [](Lines& l) { l.resize(l.size() / 4); }),
                 "without a contradiction");
  check_rejected(proof.after(drat, [](Lines& l) { l = {"0"}; }), "does not follow");
  check_rejected(proof.after(drat, [](Lines& l) { l.insert(l.begin(), "1 0"); }),
                 "proof.drat:1: the lemma does not follow");
  check_rejected(proof.after(drat, [](Lines& l) { l[0] = "nonsense"; }), "expected literals");
}

TEST_CASE("synth/sat/proof: changed claims are rejected") {
  Spoiled proof;
  const auto change = [&](const std::string& from, const std::string& to) {
    return proof.after(proof.json(), [&](Lines& lines) {
      for (std::string& line : lines) {
        if (contains(line, from)) {
          replace(line, from, to);
          return;
        }
      }
      FAIL("nothing to change");
    });
  };
  check_rejected(change("\"threads\": 2", "\"threads\": 3"), "proof.json: expected");
  check_rejected(change("\"instructions\": 3", "\"instructions\": 4"), "proof.json: expected");
  check_rejected(change("\"locations\": 2", "\"locations\": 3"), "shape-1-2");
  check_rejected(change("\"values\": 2", "\"values\": 3"), "shape-1-2");
  check_rejected(change("\"effective_stores\": false", "\"effective_stores\": true"), "tests.txt");
  check_rejected(change("\"tests\": ", "\"tests\": 1"), "proof.json");
  check_rejected(change("\"version\": 1", "\"version\": 2"), "version 1");
  check_rejected(change("{", "["), "proof.json");

  check_rejected(proof.after(proof.shape() / "variables.txt",
                             [](Lines& lines) {
                               replace(lines[0], "check=0", "check=1");
                               replace(lines[1], "check=0", "check=1");
                             }),
                 "shape-1-2");
  check_rejected(proof.after(proof.shape() / "variables.txt", [](Lines& l) { l.pop_back(); }),
                 "a variable has no meaning");
  check_rejected(proof.after(proof.shape() / "variables.txt", [](Lines& l) { l.push_back(l[0]); }),
                 "expected the meaning of a new variable");
  for (const char* name :
       {"variables.txt", "formula.cnf", "grounds.txt", "tests.txt", "proof.drat"}) {
    fs::remove(proof.shape() / name);
    check_rejected(proof.verdict(), name);
  }
  CHECK(proof.verdict().accepted);
}

TEST_CASE("synth/sat/proof: drat-trim is asked where it is installed") {
  const Folder folder("headway-proof"), tools("headway-tools it's");
  sat::write_proof({2, 2, 2, 2}, {}, folder.path);
  const auto with = [&](const std::string& answer) {
    const fs::path tool = tools.path / "drat-trim";
    write_file(tool, "#!/bin/sh\ntest -f \"$1\" && test -f \"$2\" && echo '" + answer + "'\n");
    fs::permissions(tool, fs::perms::owner_all);
    sat::ProofCheckOptions options;
    options.drat_trim = tool;
    return sat::check_proof(folder.path, options);
  };
  const ProofReport verified = with("s VERIFIED");
  CHECK(verified.accepted);
  CHECK(verified.drat_trim_ran);
  CHECK(contains(verified.to_string(), "drat-trim accepts"));
  check_rejected(with("s NOT VERIFIED"), "drat-trim does not accept");
  sat::ProofCheckOptions missing;
  missing.drat_trim = tools.path / "missing";
  CHECK_FALSE(sat::check_proof(folder.path, missing).drat_trim_ran);
}

TEST_CASE("synth/sat/proof: lemmas follow by unit propagation or are refused") {
  sat::RupChecker checker(3);
  checker.add_axiom({1, 2});
  checker.add_axiom({1, -2});
  checker.add_axiom({-1, 3});
  CHECK_FALSE(checker.add_lemma({2}));
  CHECK_FALSE(checker.add_lemma({}));
  CHECK_FALSE(checker.add_lemma({-3}));
  CHECK(checker.add_lemma({3, 2}));
  CHECK(checker.add_lemma({1}));
  CHECK(checker.add_lemma({3}));
  CHECK_FALSE(checker.refuted());
  checker.add_axiom({-3, -1});
  CHECK(checker.refuted());
}

TEST_CASE("synth/sat/proof: a removed clause implies nothing any more") {
  sat::RupChecker checker(3);
  checker.add_axiom({1, 2, 3});
  checker.add_axiom({-1, 2});
  CHECK(checker.add_lemma({2, 3}));
  checker.remove({3, 2});
  checker.remove({2, 1, 3});
  checker.remove({1, 3});  // is not there
  CHECK_FALSE(checker.add_lemma({2, 3}));
}

// The ways a ground can be wrong that a spoiled proof does not show, on formulas made by hand.
TEST_CASE("synth/sat/proof: grounds are judged by the definition") {
  sat::GroundChecker checker({2, 2, 2, 2}, {1, 1}, {});
  CHECK(checker.define("1 term 0 location=0"));
  CHECK(checker.define("2 term 1 location=0"));
  CHECK(checker.define("3 term 1 branch"));
  CHECK(checker.define("4 term 0 jump=0"));
  CHECK(checker.define("5 term 1 jump=0"));
  CHECK_FALSE(checker.define("5 term 1 jump=1"));
  CHECK_FALSE(checker.define("0 term 1 jump=1"));
  CHECK_FALSE(checker.define("6 term 2 jump=1"));
  CHECK_FALSE(checker.define("6 term 1 jmp=1"));
  CHECK_FALSE(checker.define("6 term 1 jump=x"));
  CHECK_FALSE(checker.define("6 thing 1 jump=1"));

  CHECK(checker.holds("numbering 0", {1}));
  CHECK_FALSE(checker.holds("numbering 1", {2}));
  CHECK(checker.holds("numbering 1", {-1, 2, 1}));  // excludes nothing
  CHECK(checker.holds("choice 1", {3, -3}));
  CHECK_FALSE(checker.holds("choice 0", {3, -3}));
  CHECK(checker.holds("no-cycle", {4, 5}));
  CHECK_FALSE(checker.holds("no-cycle", {5}));
  // Both branch, and on different locations.
  CHECK(checker.holds("influence 1", {2, -3, -1}));
  CHECK_FALSE(checker.holds("influence 1", {-2, -3, -1}));
}
