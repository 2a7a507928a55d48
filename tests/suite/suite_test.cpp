#include "suite/suite.hpp"

#include <doctest/doctest.h>

#include <set>

#include "lang/axb/canonical.hpp"
#include "suite/documents.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/flags.hpp"

using namespace headway;
using suite::load_suite;
using suite::Suite;
using testing::contains;
using testing::kDown;
using testing::kUp;
using testing::TemporaryFolder;

namespace {

std::vector<std::string> names(const Suite& suite) {
  std::vector<std::string> result;
  for (const lang::Test& test : suite.tests) result.push_back(test.name);
  return result;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("suite/suite: a folder is its tests, sorted by path, each named by its file") {
  const TemporaryFolder folder;
  folder.write("b.litmus", kUp);
  folder.write("a/z.txt", "THREAD0\natomic_store(0,1)\n\nTHREAD1\natomic_chk_branch(0,0,0)\n");
  folder.write("c.litmus", "litmus named\n" + kDown);
  folder.write("notes.md", "not a test");
  folder.write("CMakeLists.txt", "add_subdirectory(a)\n");
  folder.write("empty.txt", "");
  folder.write("a/binary.txt", std::string("\x7f\0\xff", 3));
  std::vector<Error> errors;
  const Suite suite = load_suite(folder.path().string(), errors);
  CHECK(errors.empty());
  CHECK(names(suite) == Names{"z", "b", "named"});
  CHECK(suite.file(0) == (folder.path() / "a/z.txt").string());
  CHECK(suite.renamed.empty());
}

TEST_CASE("suite/suite: a file that cannot be read is named and the rest is not lost") {
  const TemporaryFolder folder;
  folder.write("a.litmus", kUp);
  folder.write("bad.litmus", "locations f; thread 0 { f = ; }\n");
  folder.write("c.litmus", kDown);
  std::filesystem::create_symlink("nowhere", folder.path() / "lost.litmus");
  std::vector<Error> errors;
  const Suite suite = load_suite(folder.path().string(), errors);
  CHECK(names(suite) == Names{"a", "c"});
  REQUIRE(errors.size() == 2);
  CHECK(contains(errors[0].diagnostic(), "bad.litmus:1:29: "));
  CHECK(contains(errors[1].diagnostic(), "lost.litmus: cannot open"));
}

TEST_CASE("suite/suite: a second test of one name gets a number that no other name has") {
  const TemporaryFolder folder;
  folder.write("1.litmus", "litmus same\n" + kUp);
  folder.write("2.litmus", "litmus same\n" + kDown);
  folder.write("3.litmus", "litmus same-2\n" + kDown);
  folder.write("4.litmus", "litmus same\n" + kUp);
  std::vector<Error> errors;
  const Suite suite = load_suite(folder.path().string(), errors);
  CHECK(errors.empty());
  CHECK(names(suite) == Names{"same", "same-3", "same-2", "same-4"});
  REQUIRE(suite.renamed.size() == 2);
  CHECK(suite.renamed[0].test == 1);
  CHECK(suite.renamed[0].declared == "same");
  CHECK(suite.renamed[1].test == 3);
}

TEST_CASE("suite/suite: an empty stream is a suite of no tests, an empty folder is refused") {
  const TemporaryFolder folder;
  std::vector<Error> errors;
  CHECK(load_suite(folder.write("none.jsonl", "").string(), errors).tests.empty());
  CHECK(errors.empty());
  std::filesystem::create_directory(folder.path() / "empty");
  CHECK(load_suite((folder.path() / "empty").string(), errors).tests.empty());
  REQUIRE(errors.size() == 1);
  CHECK(contains(errors[0].diagnostic(), "empty: no tests in this folder"));
  load_suite((folder.path() / "absent").string(), errors);
  REQUIRE(errors.size() == 2);
  CHECK(contains(errors[1].diagnostic(), "absent: cannot open"));
}

TEST_CASE("suite/suite: streams of documents of either kind are read back as they were") {
  const TemporaryFolder folder;
  std::string json, yaml;
  for (const lang::Test& test : testing::published_tests()) {
    json += suite::json_line(test);
    yaml += suite::yaml_document(test);
  }
  for (const std::string& path :
       {folder.write("all.jsonl", json).string(), folder.write("all.yaml", yaml).string()}) {
    CAPTURE(path);
    std::vector<Error> errors;
    const Suite suite = load_suite(path, errors);
    CHECK(errors.empty());
    REQUIRE(suite.tests.size() == testing::published_tests().size());
    for (std::size_t t = 0; t < suite.tests.size(); ++t) {
      CHECK(suite.tests[t].name == testing::published_tests()[t].name);
      CHECK(lang::program_key(suite.tests[t]) == lang::program_key(testing::published_tests()[t]));
      CHECK(suite.file(t) == path);
    }
  }
}

TEST_CASE("suite/suite: a document that cannot be read is named by its line and the rest is kept") {
  const TemporaryFolder folder;
  const lang::Test test = testing::published_tests().front();
  const std::string good = suite::json_line(test);
  std::vector<Error> errors;
  const auto path =
      folder.write("mixed.jsonl", good + "{\"litmus\": 3}\n" + "{\"litmus\": \"locations\"}\n" +
                                      "nonsense\n" + good);
  CHECK(load_suite(path.string(), errors).tests.size() == 2);
  REQUIRE(errors.size() == 3);
  CHECK(contains(errors[0].diagnostic(),
                 "mixed.jsonl:2: expected a JSON object with a field \"litmus\""));
  CHECK(contains(errors[1].diagnostic(), "mixed.jsonl:3: litmus:1:10: expected"));
  CHECK(contains(errors[2].diagnostic(), "mixed.jsonl:4: "));

  errors.clear();
  const auto yaml =
      folder.write("mixed.yaml", suite::yaml_document(test) + "litmus: |\n  nothing\n" +
                                     suite::yaml_document(test));
  CHECK(load_suite(yaml.string(), errors).tests.size() == 2);
  CHECK(errors.size() == 1);
  errors.clear();
  CHECK(load_suite(folder.write("x.yaml", "name: x\n").string(), errors).tests.empty());
  REQUIRE(errors.size() == 1);
  CHECK(contains(errors[0].diagnostic(), "x.yaml:1: expected JSON objects, one a line, or YAML"));
}
