#include "synth/reduction.hpp"

#include <doctest/doctest.h>

#include <set>

#include "lang/axb/canonical.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/axb.hpp"
#include "support/files.hpp"
#include "synth/synthesize.hpp"

using namespace headway;
namespace axb = lang::axb;
using synth::Reduction;
using synth::ReductionKind;

namespace {

axb::Code parse(const std::string& text) { return testing::axb_code(lang::parse(text, "test")); }

// Everything that a test reduces to, by the definition and without stopping early.
void close(const axb::Code& test, std::set<std::string>& seen, std::vector<axb::Code>& all) {
  for (const Reduction& reduction : synth::reductions(test)) {
    axb::Code next = synth::apply(test, reduction);
    if (!seen.insert(axb::code_key(next)).second) continue;
    all.push_back(next);
    close(next, seen, all);
  }
}

std::size_t count_minimal(const synth::Bounds& bounds,
                          const std::vector<models::ModelPtr>& models) {
  synth::Request request;
  request.bounds = {bounds};
  request.minimal_for = models;
  return synth::synthesize(request, {}, [](const synth::Batch&) {}).tests;
}

}  // namespace

TEST_CASE("synth/reduction: removing an instruction moves the targets behind it") {
  const axb::Code test = parse(
      "locations m; thread 0 { A: m = 1; if (Load(m) == 0) goto A; B: m = 0;"
      " if (Load(m) == 1) goto B; if (Load(m) == 1) goto END; }");
  const axb::Code reduced = synth::apply(test, {ReductionKind::remove_instruction, 0, 1});
  CHECK(reduced == parse("locations m; thread 0 { m = 1; B: m = 0; if (Load(m) == 1) goto B;"
                         " if (Load(m) == 1) goto END; }"));
}

TEST_CASE("synth/reduction: an exchange becomes a check or a store") {
  const axb::Code test = parse("locations m; thread 0 { while (Exch(m, 1) == 1); }");
  CHECK(synth::apply(test, {ReductionKind::drop_exchange, 0, 0}) ==
        parse("locations m; thread 0 { while (Load(m) == 1); }"));
  CHECK(synth::apply(test, {ReductionKind::make_store, 0, 0}) ==
        parse("locations m; thread 0 { m = 1; }"));
}

TEST_CASE("synth/reduction: two threads and the last instruction of a thread stay") {
  const axb::Code two = parse("locations m; thread 0 { m = 1; } thread 1 { m = 1; }");
  CHECK(synth::reductions(two).empty());
  const axb::Code three =
      parse("locations m; thread 0 { m = 1; } thread 1 { m = 1; } thread 2 { m = 1; }");
  CHECK(synth::reductions(three).size() == 3);
}

TEST_CASE("synth/reduction: the minimal tests of the published bounds are as many as published") {
  const auto models = models::Library().standard();
  CHECK(count_minimal({2, 2, 2, 2}, models) == 4);
  CHECK(count_minimal({2, 3, 2, 2}, models) == 17);
}

TEST_CASE("synth/reduction: minimality is what the definition says on every published test") {
  const auto models = models::Library().standard();
  synth::Minimality minimality(models);
  int minimal = 0;
  for (const lang::Test& published : testing::published_tests()) {
    CAPTURE(published.name);
    const axb::Code& test = testing::axb_code(published);
    std::set<std::string> seen;
    std::vector<axb::Code> all;
    close(test, seen, all);
    bool same = false;
    std::size_t fewest = ~std::size_t{0};
    for (const axb::Code& reduced : all) {
      if (minimality.verdicts(reduced) != minimality.verdicts(test)) continue;
      same = true;
      fewest = std::min(fewest, static_cast<std::size_t>(reduced.instruction_count()));
    }
    CHECK(minimality.is_minimal(test) == !same);
    const auto smallest = minimality.smallest(test);
    CHECK(smallest.empty() == !same);
    for (const auto& reduced : smallest) {
      axb::Code replayed = test;
      for (const Reduction& step : reduced.steps) replayed = synth::apply(replayed, step);
      CHECK(replayed == reduced.test);
      CHECK(static_cast<std::size_t>(replayed.instruction_count()) == fewest);
      CHECK(minimality.verdicts(replayed) == minimality.verdicts(test));
    }
    minimal += same ? 0 : 1;
  }
  CHECK(minimal == 21);
}
