#include "suite/verdict_store.hpp"

#include <doctest/doctest.h>

#include "base/file.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/models.hpp"

using namespace headway;
using checker::Verdict;
using suite::VerdictMatrix;
using suite::VerdictStore;
using testing::contains;
using testing::published_tests;
using testing::standard_models;
using testing::TemporaryFolder;

namespace {

models::ModelPtr model(const std::string& yaml) {
  return models::instantiate(models::parse_model_file(yaml, "m.yaml"));
}

bool same(const VerdictMatrix& a, const VerdictMatrix& b) {
  if (a.tests() != b.tests()) return false;
  for (std::size_t t = 0; t < a.tests(); ++t) {
    if (a.verdicts(t) != b.verdicts(t)) return false;
  }
  return true;
}

// A folder with the verdicts of the published tests.
struct Kept {
  Kept() {
    VerdictStore store;
    store.decide(published_tests(), standard_models());
    store.write(path);
  }
  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "verdicts.json";
};

}  // namespace

TEST_CASE("suite/verdict_store: what was decided is not decided again") {
  const Kept kept;
  VerdictStore store(kept.path);
  CHECK(store.notes().empty());
  const VerdictMatrix matrix = store.decide(published_tests(), standard_models());
  CHECK(store.decided() == 0);
  CHECK(store.notes().empty());
  CHECK(same(matrix, suite::decide(published_tests(), standard_models())));
}

TEST_CASE("suite/verdict_store: a verdict is used for the program and not for the name of a test") {
  const Kept kept;
  std::vector<lang::Test> tests = published_tests();
  std::swap(tests[0].source, tests[100].source);  // under each other's names
  tests[1].name = "renamed";
  VerdictStore store(kept.path);
  CHECK(same(store.decide(tests, standard_models()), suite::decide(tests, standard_models())));
  CHECK(store.decided() == 0);
}

TEST_CASE("suite/verdict_store: a test that changed is decided anew, and that is said") {
  const Kept kept;
  std::vector<lang::Test> tests = published_tests();
  tests[3] = lang::parse("locations a, b; thread 0 { a = 1; } thread 1 { b = 1; }", "new");
  VerdictStore store(kept.path);
  CHECK(same(store.decide(tests, standard_models()), suite::decide(tests, standard_models())));
  CHECK(store.decided() == 1);
  REQUIRE(store.notes().size() == 1);
  CHECK(contains(store.notes()[0], "1 of 184 tests are new or have changed"));

  // The next file no longer holds the test that went.
  store.write(kept.path);
  VerdictStore next(kept.path);
  next.decide(published_tests(), standard_models());
  CHECK(next.decided() == 1);
}

TEST_CASE("suite/verdict_store: a model that changed under its name is decided anew") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "v.json";
  const auto weak = model("name: mine\nfair: started & alive\n");
  const auto strong = model("name: mine\nfair: alive\n");
  VerdictStore first;
  first.decide(published_tests(), {weak, standard_models()[1]});
  first.write(path);

  VerdictStore store(path);
  const VerdictMatrix matrix = store.decide(published_tests(), {standard_models()[1], strong});
  CHECK(store.decided() == published_tests().size());
  REQUIRE(store.notes().size() == 1);
  CHECK(contains(store.notes()[0], "mine has changed"));
  CHECK(same(matrix, suite::decide(published_tests(), {standard_models()[1], strong})));

  // The history form and the event form of a model are not taken for each other either.
  const auto events = model("name: mine\ninitial: alive\non_step: alive\non_terminate: alive\n");
  CHECK(events->definition() != strong->definition());
}

TEST_CASE("suite/verdict_store: parameters are part of a model's rule") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "v.json";
  const models::Library library;
  const auto two = library.named("OBE-k(k=2)"), three = library.named("OBE-k(k=3)");
  VerdictStore first;
  first.decide(published_tests(), {two});
  first.write(path);
  VerdictStore store(path);
  store.decide(published_tests(), {three});
  CHECK(store.decided() == published_tests().size());
}

TEST_CASE("suite/verdict_store: so are those of the models that another one has for its levels") {
  const TemporaryFolder folder;
  const auto scoped = [&](const std::string& k) {
    const std::string file = "name: m\nscopes: {workgroup: 'OBE-k(k=" + k + ")'}\n";
    return models::Library().find(folder.write("m.yaml", file).string());
  };
  const auto path = folder.path() / "verdicts.json";
  VerdictStore first;
  first.decide(published_tests(), std::vector{scoped("1")});
  first.write(path);
  VerdictStore second(path);
  const VerdictMatrix matrix = second.decide(published_tests(), std::vector{scoped("2")});
  CHECK(second.decided() == published_tests().size());
  CHECK(same(matrix, suite::decide(published_tests(), std::vector{scoped("2")})));
}

TEST_CASE("suite/verdict_store: verdicts under other models stay beside new ones") {
  const Kept kept;
  const auto mine = model("name: mine\nfair: alive\n");
  VerdictStore store(kept.path);
  store.decide(published_tests(), {mine});
  CHECK(store.decided() == published_tests().size());
  CHECK(store.notes().empty());
  store.write(kept.path);
  VerdictStore both(kept.path);
  std::vector<models::ModelPtr> models = standard_models();
  models.insert(models.begin(), mine);
  CHECK(same(both.decide(published_tests(), models), suite::decide(published_tests(), models)));
  CHECK(both.decided() == 0);
}

TEST_CASE("suite/verdict_store: what a limit left unknown is decided when there is none") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "v.json";
  VerdictStore first;
  suite::DecideOptions limited;
  limited.max_states = 8;
  const std::size_t open = first.decide(published_tests(), standard_models(), limited).undecided();
  first.write(path);
  VerdictStore store(path);
  CHECK(store.decide(published_tests(), standard_models()).undecided() == 0);
  CHECK(store.decided() == open);
}

TEST_CASE("suite/verdict_store: a damaged, edited or foreign file is not trusted") {
  const Kept kept;
  const std::string content = read_file(kept.path);
  const auto edited = [&](const std::string& what, const std::string& with) {
    std::string text = content;
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), with);
  };
  const std::size_t verdict = content.find("\": \"ff") + 4;
  std::string flipped = content;
  flipped[verdict] = 'p';
  const std::string files[] = {content.substr(0, content.size() / 2),
                               "",
                               "[]",
                               "{}",
                               flipped,
                               edited("\"headway\": \"", "\"headway\": \"9"),
                               edited("started & alive", "started"),
                               edited("\"checksum\": \"", "\"checksum\": \"0")};
  for (const std::string& text : files) {
    write_file(kept.path, text);
    CAPTURE(text.substr(0, 200));
    VerdictStore store(kept.path);
    CHECK(store.notes().size() == 1);
    CHECK(same(store.decide(published_tests(), standard_models()),
               suite::decide(published_tests(), standard_models())));
    CHECK(store.decided() == published_tests().size());
  }
}

TEST_CASE("suite/verdict_store: the same verdicts are the same bytes, and no tests are fine") {
  const Kept kept, again;
  CHECK(read_file(kept.path) == read_file(again.path));
  VerdictStore store(kept.path);
  CHECK(store.decide({}, standard_models()).tests() == 0);
  store.write(kept.path);
  VerdictStore empty(kept.path);
  CHECK(empty.notes().empty());
  CHECK(empty.decide(published_tests(), standard_models()).tests() == published_tests().size());
}

TEST_CASE("suite/verdict_store: the file stands in a folder or beside a file") {
  const TemporaryFolder folder;
  CHECK(suite::verdict_path(folder.path().string()) == folder.path() / "verdicts.json");
  CHECK(suite::verdict_path("a/all.jsonl") == "a/all.jsonl.verdicts.json");
  CHECK(suite::verdict_path("-").empty());
}
