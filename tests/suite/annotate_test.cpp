#include "suite/annotate.hpp"

#include <doctest/doctest.h>

#include <set>

#include "lang/axb/canonical.hpp"
#include "lang/axb/printer.hpp"
#include "languages/languages.hpp"
#include "support/files.hpp"
#include "support/models.hpp"
#include "support/synthesized.hpp"

using namespace headway;
using checker::Verdict;
using suite::Annotator;
using testing::standard_models;

namespace {

struct Annotated {
  explicit Annotated(std::vector<lang::Test> of, const suite::DecideOptions& options = {})
      : tests(std::move(of)),
        matrix(suite::decide(tests, standard_models(), options)),
        order(standard_models(), tests),
        annotator(tests, matrix, order) {}
  std::vector<lang::Test> tests;
  suite::VerdictMatrix matrix;
  suite::SuiteOrder order;
  Annotator annotator;
};

}  // namespace

TEST_CASE("suite/annotate: expectations are all verdicts and nothing else") {
  const Annotated all(testing::synthesized_tests(3, 4));
  for (std::size_t t = 0; t < all.tests.size(); t += 7) {
    lang::Test test = all.annotator.annotated(t);
    test.name = "a-name";
    const lang::Test read = lang::parse(lang::print(test), "f");
    CHECK(read == test);
    CHECK(lang::program_key(read) == lang::program_key(all.tests[t]));
    std::set<std::pair<std::string, models::Fairness>> said;
    bool failing = false;  // passes come first
    for (const lang::Expectation& expectation : read.expectations) {
      CHECK_FALSE((failing && expectation.passes));
      failing = !expectation.passes;
      std::size_t m = 0;
      while (all.matrix.models()[m]->name() != expectation.model) ++m;
      for (const models::Fairness fairness : models::kFairnesses) {
        if (expectation.fairness && *expectation.fairness != fairness) continue;
        CHECK(said.emplace(expectation.model, fairness).second);
        CHECK((all.matrix.verdict(t, {m, fairness}) == Verdict::pass) == expectation.passes);
      }
    }
    CHECK(said.size() == 12);
  }
}

TEST_CASE("suite/annotate: the comment says where a test belongs") {
  const Annotated idioms({lang::parse(
      "litmus up // of mine\nlocations f; thread 0 { f = 1; } thread 1 { while (Load(f) == 0); }",
      "f")});
  CHECK(idioms.annotator.annotated(0).comment ==
        std::vector<std::string>{
            " Size: 2 threads, 2 instructions.", " Distinguishing test of HSA:weak.",
            " Published attribution: weak test of HSA.", " Idiom: producer-consumer-increasing."});
  CHECK(idioms.annotator.title(0) == "2t_2i-producer-consumer-increasing");
  CHECK(idioms.annotator.names() == std::vector<std::string>{"2t_2i-producer-consumer-increasing"});

  const Annotated loop(
      {lang::parse("locations f; thread 0 { L: if (Load(f) == 0) goto L; }", "f")});
  CHECK(loop.annotator.annotated(0).comment[0] == " Size: 1 thread, 1 instruction.");
  CHECK(loop.annotator.annotated(0).comment[1] == " Conformance test of none of these models.");
  CHECK(loop.annotator.title(0) == "1t_1i-no-model");
  const Annotated end({lang::parse("locations f; thread 0 { f = 1; }", "f")});
  CHECK(end.annotator.annotated(0).comment[1] == " Distinguishing test of unfair.");
}

TEST_CASE("suite/annotate: a test stays as it was written, and an earlier annotation goes") {
  const std::string text =
      "// Mine.\n// Idiom: of another day.\nlitmus up\n\nlocations flag;\n\n"
      "thread 0 {\n  flag = 1;\n}\n\nthread 1 {\n  while (Load(flag) == 0);\n}\n";
  const Annotated once({lang::parse(text, "f")});
  const lang::Test first = once.annotator.annotated(0);
  CHECK(first.comment.front() == " Mine.");
  CHECK(first.comment.size() == 5);
  CHECK(lang::print(first).find("while (Load(flag) == 0);") != std::string::npos);
  const Annotated twice({first});
  CHECK(twice.annotator.annotated(0) == first);
}

TEST_CASE("suite/annotate: names tell tests apart and count those of a kind") {
  const Annotated all(testing::synthesized_tests(3, 4));
  const std::vector<std::string> names = all.annotator.names();
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == all.tests.size());
  std::map<std::string, int> numbers;
  for (std::size_t t = 0; t < names.size(); ++t) {
    const std::string title = all.annotator.title(t);
    CHECK(names[t].starts_with(title));
    if (names[t] == title) continue;  // an idiom
    CHECK(std::stoi(names[t].substr(title.size() + 1)) == ++numbers[title]);
  }
  CHECK(numbers.contains("3t_4i-hsa.strong_obe.strong_lobe.weak"));
}

TEST_CASE("suite/annotate: what is not decided is not expected") {
  suite::DecideOptions options;
  options.max_states = 1;
  const Annotated open(testing::published_tests(), options);
  CHECK(open.annotator.annotated(0).expectations.empty());
  CHECK(open.annotator.annotated(0).comment[1] == " Not decided under every model.");
  CHECK(open.annotator.title(1) == "2t_2i-undecided");
}
