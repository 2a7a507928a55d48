#include "checker/boundary.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "base/file.hpp"
#include "lang/axb/program.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/axb.hpp"
#include "support/files.hpp"

using namespace headway;
using checker::Boundary;
using checker::find_boundary;
using checker::ModelVerdict;
using checker::Verdict;
using models::Fairness;
using models::ModelOrder;
using models::Reading;
using models::Scope;

namespace {

using Key = std::pair<std::size_t, Fairness>;
using Group = std::set<Key>;

Key key(const Reading& reading) { return {reading.model, reading.fairness}; }

std::set<Group> groups(const std::vector<std::vector<Reading>>& found) {
  std::set<Group> result;
  for (const auto& readings : found) {
    Group group;
    for (const Reading& reading : readings) group.insert(key(reading));
    CHECK(group.size() == readings.size());
    CHECK(result.insert(group).second);
  }
  return result;
}

// The readings with `verdict` that none of their kind is below (weakest) or above (strongest), each
// with those equal to it.
std::set<Group> extremes(const std::vector<ModelVerdict>& verdicts, const ModelOrder& order,
                         Verdict verdict, bool weakest) {
  std::vector<Reading> candidates;
  for (std::size_t m = 0; m < verdicts.size(); ++m) {
    if (verdicts[m].weak == verdict) candidates.push_back({m, Fairness::weak});
    if (verdicts[m].strong == verdict) candidates.push_back({m, Fairness::strong});
  }
  const auto at_most = [&](const Reading& a, const Reading& b) {
    return weakest ? order.at_most(a, b) : order.at_most(b, a);
  };
  std::set<Group> result;
  for (const Reading& reading : candidates) {
    bool extreme = true;
    Group equals;
    for (const Reading& other : candidates) {
      const bool down = at_most(other, reading), up = at_most(reading, other);
      if (down && !up) extreme = false;
      if (down && up) equals.insert(key(other));
    }
    if (extreme) result.insert(equals);
  }
  return result;
}

// Compares, and checks that the boundary tells all verdicts: what passes is what lies above a
// weakest one, what fails what lies below a strongest one.
void compare(const std::vector<ModelVerdict>& verdicts, const ModelOrder& order) {
  const Boundary boundary = find_boundary(verdicts, order);
  CHECK(groups(boundary.weakest_sufficient) == extremes(verdicts, order, Verdict::pass, true));
  CHECK(groups(boundary.strongest_insufficient) == extremes(verdicts, order, Verdict::fail, false));
  for (std::size_t m = 0; m < verdicts.size(); ++m) {
    for (Fairness fairness : models::kFairnesses) {
      const Reading reading{m, fairness};
      const auto among = [&](const auto& found, bool above) {
        return std::any_of(found.begin(), found.end(), [&](const auto& group) {
          return above ? order.at_most(group.front(), reading)
                       : order.at_most(reading, group.front());
        });
      };
      const Verdict verdict = verdicts[m].of(fairness);
      if (verdict == Verdict::pass) CHECK(among(boundary.weakest_sufficient, true));
      if (verdict == Verdict::fail) CHECK(among(boundary.strongest_insufficient, false));
      if (verdict == Verdict::fail) CHECK_FALSE(among(boundary.weakest_sufficient, true));
    }
  }
}

}  // namespace

TEST_CASE(
    "checker/boundary: the published tests have the boundaries found by trying all readings") {
  const auto models = models::Library().all();
  const ModelOrder order(models, 2, Scope::recurring);
  checker::Checker checker;
  std::set<std::size_t> sizes;
  for (const lang::Test& test : testing::published_tests()) {
    const lang::axb::AxbProgram program(testing::axb_code(test));
    const auto verdicts = checker.check(program, models).verdicts;
    CAPTURE(test.name);
    compare(verdicts, order);
    sizes.insert(find_boundary(verdicts, order).weakest_sufficient.size());
  }
  // Tests that nothing makes terminate, that one model does, and that several do.
  CHECK(sizes.count(1) == 1);
  CHECK(sizes.count(2) == 1);
}

TEST_CASE("checker/boundary: tests of litmus/ too") {
  const auto models = models::Library().all();
  checker::Checker checker;
  for (const auto& entry : std::filesystem::directory_iterator(testing::source_dir() / "litmus")) {
    if (entry.path().extension() != ".litmus") continue;
    const lang::Test test = lang::parse(read_file(entry.path()), entry.path().string());
    const ModelOrder order(models, test.thread_count(), Scope::recurring);
    CAPTURE(test.name);
    compare(checker.check(lang::axb::AxbProgram(testing::axb_code(test)), models).verdicts, order);
  }
}

TEST_CASE("checker/boundary: every combination of verdicts that the order allows") {
  const auto models = models::Library().standard();
  const ModelOrder order(models, 3, Scope::recurring);
  int allowed = 0;
  for (unsigned bits = 0; bits < 1u << 12; ++bits) {
    std::vector<ModelVerdict> verdicts(models.size());
    const auto passes = [&](const Reading& reading) {
      const auto bit = reading.model * 2 + (reading.fairness == Fairness::weak ? 0 : 1);
      return (bits >> bit & 1) != 0;
    };
    bool sound = true;
    for (std::size_t a = 0; a < models.size(); ++a) {
      for (Fairness f : models::kFairnesses) {
        const bool pass = passes({a, f});
        (f == Fairness::weak ? verdicts[a].weak : verdicts[a].strong) =
            pass ? Verdict::pass : Verdict::fail;
        for (std::size_t b = 0; b < models.size(); ++b) {
          for (Fairness g : models::kFairnesses) {
            if (pass && !passes({b, g}) && order.at_most(Reading{a, f}, Reading{b, g})) {
              sound = false;
            }
          }
        }
      }
    }
    if (!sound) continue;
    ++allowed;
    compare(verdicts, order);
  }
  CHECK(allowed > 20);
}

TEST_CASE("checker/boundary: what is unknown is on neither side") {
  const auto models = models::Library().standard();
  const ModelOrder order(models, 2, Scope::recurring);
  std::vector<ModelVerdict> verdicts(models.size());
  CHECK(find_boundary(verdicts, order).weakest_sufficient.empty());
  CHECK(find_boundary(verdicts, order).strongest_insufficient.empty());
  verdicts[5] = {Verdict::unknown, Verdict::pass};
  verdicts[0] = {Verdict::fail, Verdict::unknown};
  CHECK(groups(find_boundary(verdicts, order).weakest_sufficient) ==
        std::set<Group>{{{5, Fairness::strong}}});
  CHECK(groups(find_boundary(verdicts, order).strongest_insufficient) ==
        std::set<Group>{{{0, Fairness::weak}}});
}

TEST_CASE("checker/boundary: equal readings stand together") {
  models::Library library;
  const std::vector<models::ModelPtr> models = {library.named("HSA+OBE"), library.named("fair"),
                                                library.named("LOBE"), library.named("OBE-k(k=2)"),
                                                library.named("unfair")};
  const ModelOrder order(models, 2, Scope::recurring);
  const std::vector<ModelVerdict> verdicts = {{Verdict::fail, Verdict::fail},
                                              {Verdict::pass, Verdict::pass},
                                              {Verdict::fail, Verdict::fail},
                                              {Verdict::pass, Verdict::pass},
                                              {Verdict::fail, Verdict::fail}};
  const Boundary boundary = find_boundary(verdicts, order);
  CHECK(groups(boundary.weakest_sufficient) ==
        std::set<Group>{{{1, Fairness::weak}, {3, Fairness::weak}}});
  CHECK(groups(boundary.strongest_insufficient) ==
        std::set<Group>{{{0, Fairness::strong}, {2, Fairness::strong}}});
}
