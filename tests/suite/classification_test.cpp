#include "suite/classification.hpp"

#include <doctest/doctest.h>

#include <map>

#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/models.hpp"
#include "support/synthesized.hpp"

using namespace headway;
using checker::Verdict;
using models::Fairness;
using suite::PublishedAttribution;
using suite::SuiteOrder;
using suite::VerdictMatrix;
using testing::standard_models;

namespace {

// What is strictly below each model, for three threads, from docs/reference/models.md.
const std::map<std::string, std::vector<std::string>> kBelow = {
    {"unfair", {}},
    {"HSA", {"unfair"}},
    {"OBE", {"unfair"}},
    {"HSA+OBE", {"unfair", "HSA", "OBE"}},
    {"LOBE", {"unfair", "HSA", "OBE", "HSA+OBE"}},
    {"fair", {"unfair", "HSA", "OBE", "HSA+OBE", "LOBE"}}};

using Verdicts = std::map<std::string, bool>;  // by "HSA:weak"; unfair by both

Verdicts by_name(const suite::Signature& signature, const std::vector<models::ModelPtr>& models) {
  Verdicts result;
  for (std::size_t m = 0; m < models.size(); ++m) {
    for (const Fairness fairness : models::kFairnesses) {
      result[models[m]->name() + ":" + to_string(fairness)] =
          signature[m].of(fairness) == Verdict::pass;
    }
  }
  return result;
}

// The definition of a distinguishing test, by the table above: a reading is strictly weaker when
// its model is strictly below and its fairness not stronger, or its model is the same and its
// fairness is weaker.
bool distinguishes(const Verdicts& verdicts, const std::string& model, Fairness fairness) {
  const auto passes = [&](const std::string& of, Fairness read) {
    return verdicts.at(of + ":" + to_string(read));
  };
  if (!passes(model, fairness)) return false;
  for (const std::string& below : kBelow.at(model)) {
    if (passes(below, Fairness::weak)) return false;
    if (fairness == Fairness::strong && passes(below, Fairness::strong)) return false;
  }
  return fairness == Fairness::weak || !passes(model, Fairness::weak);
}

}  // namespace

TEST_CASE("suite/classification: classes are what the definition says, test by test") {
  for (const auto& [threads, instructions] : {std::pair(3, 3), std::pair(3, 4)}) {
    const auto& tests = testing::synthesized_tests(threads, instructions);
    const VerdictMatrix matrix = suite::decide(tests, standard_models());
    const SuiteOrder order(standard_models(), tests);
    const suite::Classification classes = suite::classify(matrix, order);
    CHECK(classes.undecided == 0);
    std::vector<std::size_t> conformance(order.readings().size()), distinguishing(conformance);
    for (std::size_t t = 0; t < tests.size(); ++t) {
      const Verdicts verdicts = by_name(matrix.verdicts(t), matrix.models());
      for (std::size_t r = 0; r < order.readings().size(); ++r) {
        const models::Reading& reading = order.readings()[r];
        const std::string model = matrix.models()[reading.model]->name();
        const bool conforms = verdicts.at(model + ":" + to_string(reading.fairness));
        const bool tells = distinguishes(verdicts, model, reading.fairness);
        CHECK(classes.conforms[matrix.signature_of(t)][r] == conforms);
        CHECK(classes.distinguishes[matrix.signature_of(t)][r] == tells);
        conformance[r] += conforms ? 1 : 0;
        distinguishing[r] += tells ? 1 : 0;
      }
    }
    CHECK(classes.conformance == conformance);
    CHECK(classes.distinguishing == distinguishing);
  }
}

// The count of the paper from the published verdicts alone, without a checker: what follows for
// its table 4 and figure 10 from the tests of two threads and two or three instructions.
TEST_CASE("suite/classification: the published attribution gives the published numbers") {
  std::map<std::string, Verdicts> published;
  for (const auto& row : testing::published_verdicts()) {
    published[row.test][row.model + ":" + to_string(row.fairness)] = row.passes;
  }
  REQUIRE(published.size() == 184);
  std::map<std::string, std::size_t> expected;  // "weak HSA"
  for (const auto& [test, verdicts] : published) {
    const std::string kind = verdicts.at("fair:weak") ? "weak" : "strong";
    for (const std::string model : {"HSA", "OBE", "LOBE", "fair"}) {
      if (!verdicts.at(model + ":" + kind)) continue;
      ++expected[kind + " " + model];
      break;
    }
  }

  const VerdictMatrix matrix = suite::decide(testing::published_tests(), standard_models());
  const auto table = PublishedAttribution(matrix.models()).count(matrix);
  std::size_t tests = 0;
  for (const auto& [kind, side] : {std::pair("weak", table.weak), {"strong", table.strong}}) {
    std::size_t sum = 0;
    for (std::size_t m = 0; m < 4; ++m) {
      CHECK(side.distinguishing[m] ==
            expected[std::string(kind) + " " + PublishedAttribution::kModels[m]]);
      sum += side.distinguishing[m];
    }
    CHECK(side.tests == sum);
    CHECK(side.unattributed == 0);
    CHECK(side.conformance[0] == side.distinguishing[0]);
    CHECK(side.conformance[1] == side.distinguishing[1]);
    CHECK(side.conformance[2] == sum - side.distinguishing[3]);
    CHECK(side.conformance[3] == sum);
    tests += side.tests;
  }
  CHECK(tests == 184);
  // As numbers, so that a slip in both counts at once does not go unseen.
  using Row = std::array<std::size_t, 4>;
  CHECK(table.weak.distinguishing == Row{43, 10, 0, 37});
  CHECK(table.weak.conformance == Row{43, 10, 53, 90});
  CHECK(table.strong.distinguishing == Row{88, 0, 0, 6});
  CHECK(table.strong.conformance == Row{88, 0, 88, 94});
}

// Table 4 of the paper is about 483 tests, of which these are a part, and so no larger anywhere.
TEST_CASE("suite/classification: no published number is smaller than that of a part of its tests") {
  const VerdictMatrix matrix = suite::decide(testing::published_tests(), standard_models());
  const auto table = PublishedAttribution(matrix.models()).count(matrix);
  constexpr std::array<std::size_t, 4> weak = {90, 12, 20, 201}, strong = {94, 0, 16, 50};
  for (std::size_t m = 0; m < 4; ++m) {
    CHECK(table.weak.distinguishing[m] <= weak[m]);
    CHECK(table.strong.distinguishing[m] <= strong[m]);
  }
}

TEST_CASE("suite/classification: an attribution needs its models, and a place for every test") {
  auto models = standard_models();
  models.erase(models.begin() + 4);
  CHECK_FALSE(PublishedAttribution::applies(models));
  const auto error = testing::error_of([&] { const PublishedAttribution attribution(models); });
  REQUIRE(error);
  CHECK(testing::contains(error->what(), "needs the model LOBE"));

  CHECK(PublishedAttribution::applies(standard_models()));
  const PublishedAttribution attribution(standard_models());
  const auto nowhere = attribution.place(suite::Signature(6, {Verdict::fail, Verdict::fail}));
  CHECK(nowhere.kind == Fairness::strong);
  CHECK_FALSE(nowhere.model);
  suite::Signature only_hsa_obe(6, {Verdict::fail, Verdict::fail});
  only_hsa_obe[3] = only_hsa_obe[4] = only_hsa_obe[5] = {Verdict::pass, Verdict::pass};
  const auto place = attribution.place(only_hsa_obe);
  CHECK(place.kind == Fairness::weak);
  CHECK(place.model == 2);  // LOBE, the first that takes part
}

TEST_CASE("suite/classification: signatures come with their numbers and a smallest test") {
  const auto& tests = testing::synthesized_tests(3, 4);
  const VerdictMatrix matrix = suite::decide(tests, standard_models());
  const SuiteOrder order(standard_models(), tests);
  const auto classes = suite::signature_classes(matrix, order, tests);
  CHECK(classes.size() == matrix.signatures().size());
  std::size_t sum = 0, last = 12;
  for (const auto& its : classes) {
    sum += its.tests;
    std::size_t count = 0, first = tests.size();
    for (std::size_t t = 0; t < tests.size(); ++t) {
      if (matrix.signature_of(t) != its.signature) continue;
      ++count;
      CHECK_FALSE(suite::smaller(tests[t], tests[its.smallest]));
      if (first == tests.size() && !suite::smaller(tests[its.smallest], tests[t])) first = t;
    }
    CHECK(count == its.tests);
    CHECK(first == its.smallest);
    const std::string text = suite::to_string(matrix.signatures()[its.signature]);
    const auto passing = static_cast<std::size_t>(std::count(text.begin(), text.end(), 'p'));
    CHECK(passing <= last);
    last = passing;
  }
  CHECK(sum == tests.size());
}

TEST_CASE("suite/classification: tests that are not decided are in no class") {
  VerdictMatrix matrix(standard_models());
  suite::Signature open(6, {Verdict::pass, Verdict::pass});
  open[2] = {};
  matrix.add(open);
  matrix.add(suite::Signature(6, {Verdict::pass, Verdict::pass}));
  const suite::Classification classes = suite::classify(matrix, SuiteOrder(standard_models(), {}));
  CHECK(classes.undecided == 1);
  CHECK(classes.conformance == std::vector<std::size_t>(11, 1));
  CHECK(PublishedAttribution(standard_models()).count(matrix).undecided == 1);

  const VerdictMatrix empty(standard_models());
  CHECK(suite::classify(empty, SuiteOrder(standard_models(), {})).conformance ==
        std::vector<std::size_t>(11, 0));
  CHECK(suite::signature_classes(empty, SuiteOrder(standard_models(), {}), {}).empty());
}
