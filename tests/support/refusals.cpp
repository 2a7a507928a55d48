#include "support/refusals.hpp"

#include <doctest/doctest.h>

#include "languages/languages.hpp"
#include "support/errors.hpp"

namespace headway::testing {

void expect_refusals(const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) {
    CAPTURE(refusal.text.substr(0, 200));
    const auto error = error_of([&] { lang::parse(refusal.text, "f"); });
    REQUIRE(error);
    CHECK(error->where().to_string() == "f:" + refusal.place);
    CHECK_MESSAGE(contains(error->what(), refusal.gist), std::string(error->what()));
  }
}

}  // namespace headway::testing
