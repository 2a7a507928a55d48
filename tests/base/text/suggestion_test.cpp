#include "base/text/suggestion.hpp"

#include <doctest/doctest.h>

using headway::closest;
using headway::did_you_mean;

TEST_CASE("base/text/suggestion: the word that takes the fewest edits is meant") {
  const std::vector<std::string> words = {"check", "check-proof", "explain", "export"};
  CHECK(closest("chekc", words) == "check");
  CHECK(closest("chck", words) == "check");
  CHECK(closest("CHECK", words) == "check");
  CHECK(closest("check-prof", words) == "check-proof");
  CHECK(closest("expor", words) == "export");
  CHECK(closest("", words).empty());
  CHECK(closest("run", words).empty());
  CHECK(closest("x", {"y"}).empty());  // nothing is left of it
  CHECK(closest("k", {"km"}) == "km");
}

TEST_CASE("base/text/suggestion: a swap of neighbours is one edit, of others two") {
  CHECK(closest("ab", {"ba"}) == "ba");
  CHECK(closest("abc", {"cba"}).empty());
}

TEST_CASE("base/text/suggestion: a suggestion is the end of a sentence") {
  CHECK(did_you_mean("obe", {"HSA", "OBE"}) == "; did you mean 'OBE'?");
  CHECK(did_you_mean("nonsense", {"HSA", "OBE"}).empty());
}
