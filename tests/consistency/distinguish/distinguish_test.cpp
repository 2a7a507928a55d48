// The smallest tests that tell memory models apart: those that the field knows.
#include "consistency/distinguish/distinguish.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <optional>
#include <string>

#include "consistency/litmus/parse.hpp"
#include "consistency/models.hpp"
#include "consistency/outcomes.hpp"
#include "models/library.hpp"

using namespace headway;
using namespace headway::consistency;

namespace {

struct Models {
  cat::Model first, second;
};

Distinguished told_apart(const Models& models, const std::string& language, int most,
                         const char* progress = nullptr) {
  models::Library library;
  DistinguishQuestion question;
  question.first = &models.first;
  question.second = &models.second;
  question.space = {language, progress != nullptr};
  question.most_statements = most;
  if (progress != nullptr) question.progress = library.find(progress);
  return distinguish(question);
}

Models models_of(const char* first, const char* second) {
  return {find_model(first), find_model(second)};
}

cat::Model written(const std::string& text) { return {cat::parse("f", text, {}), "f"}; }

bool allows(const cat::Model& model, const std::string& text) {
  return outcomes(litmus::parse("f", text), model).positive > 0;
}

}  // namespace

TEST_CASE("consistency/distinguish: a test that is found holds under one model and not the other") {
  // Reads of one location that disagree with the order of its writes need three statements.
  const Models models = {written("\"m\"\nacyclic po | rf | co | fr as sc\n"),
                         written("\"m\"\nacyclic po-loc | rf | co as writes\n")};
  const Distinguished found = told_apart(models, "C", 3);
  CHECK_FALSE(found.only_first);
  REQUIRE(found.only_second);
  CHECK(found.only_second->statements == 2);
  CHECK(allows(models.second, found.only_second->text));
  CHECK_FALSE(allows(models.first, found.only_second->text));
  CHECK(found.statements == 3);
  CHECK(found.cut.empty());
}

TEST_CASE(
    "consistency/distinguish: PTX lets weak reads disagree, and nothing that is in one line") {
  const Models models = models_of("sc", "ptx6");
  const Distinguished found = told_apart(models, "PTX", 3);
  CHECK_FALSE(found.only_first);
  REQUIRE(found.only_second);
  CHECK(allows(models.second, found.only_second->text));
  CHECK_FALSE(allows(models.first, found.only_second->text));
}

TEST_CASE("consistency/distinguish: three statements of C do not tell TSO from RC11") {
  const Distinguished found = told_apart(models_of("tso", "rc11"), "C", 3);
  CHECK_FALSE(found.only_first);
  CHECK_FALSE(found.only_second);
  CHECK(found.statements == 3);
  CHECK(found.tests > 2000);
}

TEST_CASE(
    "consistency/distinguish: a model is not told from itself, nor PTX from PTX with proxies") {
  const Distinguished same = told_apart(models_of("vulkan", "vulkan"), "VULKAN", 2);
  CHECK_FALSE(same.only_first);
  CHECK_FALSE(same.only_second);
  const Distinguished ptx = told_apart(models_of("ptx6", "ptx"), "PTX", 2);
  CHECK_FALSE(ptx.only_first);
  CHECK_FALSE(ptx.only_second);
}

TEST_CASE("consistency/distinguish: models may differ in whether tests end, and in nothing else") {
  // Without coherence of reads a loop may see what was overwritten, for ever.
  const Models models = {written("\"m\"\nacyclic po | rf | co | fr as sc\n"),
                         written("\"m\"\nacyclic po | rf as causal\n")};
  const Distinguished found = told_apart(models, "C", 2, "fair");
  REQUIRE(found.only_second);
  CHECK_FALSE(found.only_first);
}

TEST_CASE("consistency/distinguish: an end of the time is said") {
  const Models models = models_of("sc", "tso");
  DistinguishQuestion question;
  question.first = &models.first;
  question.second = &models.second;
  question.space = {"C", false};
  const std::atomic<bool> stop = true;
  question.signs = StopSigns(&stop, std::nullopt);
  const Distinguished found = distinguish(question);
  CHECK(found.cut == "interrupted");
  CHECK(found.statements == 0);
}

TEST_CASE("consistency/distinguish: writes of a location are in order under sc in every language") {
  const cat::Model sc = find_model("sc");
  CHECK_FALSE(
      allows(sc, "PTX t\n{}\n P0@cta 0,gpu 0 ;\n st.weak x, 1 ;\n st.weak x, 2 ;\nexists (x=1)\n"));
  CHECK_FALSE(allows(sc,
                     "VULKAN t\n{}\n P0@sg 0,wg 0,qf 0 ;\n st.sc0 x, 1 ;\n st.sc0 x, 2 ;\nexists "
                     "(x=1)\n"));
}
