#include "suite/duplicates.hpp"

#include <doctest/doctest.h>

#include <map>

#include "checker/behaviour.hpp"
#include "lang/axb/canonical.hpp"
#include "lang/axb/program.hpp"
#include "languages/languages.hpp"
#include "support/axb.hpp"
#include "support/files.hpp"
#include "support/random_tests.hpp"
#include "support/synthesized.hpp"

using namespace headway;
using suite::Groups;

TEST_CASE("suite/duplicates: copies with other names of locations are the same program") {
  testing::Random random(3);
  std::vector<lang::Test> tests = testing::published_tests();
  const std::size_t originals = tests.size();
  for (std::size_t t = 0; t < originals; ++t) {
    tests.push_back(testing::with_shuffled_locations(tests[t], random));
  }
  const Groups groups = suite::same_programs(tests);
  CHECK(groups.count == originals);
  for (std::size_t t = 0; t < originals; ++t) {
    CHECK(groups.group_of[t] == t);
    CHECK(groups.group_of[originals + t] == t);
  }
  std::vector<std::size_t> first(originals);
  for (std::size_t t = 0; t < originals; ++t) first[t] = t;
  CHECK(groups.representatives() == first);
}

TEST_CASE("suite/duplicates: groups of behaviours are those of equal behaviours") {
  const auto& tests = testing::synthesized_tests(2, 4);
  const Groups groups = suite::same_behaviours(tests);
  std::map<checker::Behaviour, std::uint32_t> expected;
  checker::BehaviourFinder finder;
  for (std::size_t t = 0; t < tests.size(); ++t) {
    const auto next = static_cast<std::uint32_t>(expected.size());
    const auto behaviour = finder.find(lang::axb::AxbProgram(testing::axb_code(tests[t]))).value();
    CHECK(groups.group_of[t] == expected.try_emplace(behaviour, next).first->second);
  }
  CHECK(groups.count == expected.size());
  CHECK(groups.count < suite::same_programs(tests).count);
}

TEST_CASE("suite/duplicates: a test beyond a limit is with the same programs only") {
  std::vector<lang::Test> tests = testing::synthesized_tests(2, 3);
  tests.push_back(tests.front());
  suite::BehaviourOptions options;
  options.max_states = 1;
  const Groups groups = suite::same_behaviours(tests, options);
  CHECK(groups.count == tests.size() - 1);
  CHECK(groups.group_of.back() == 0);
  const std::atomic<bool> stop{true};
  options.max_states = 1000;
  options.stop = &stop;
  CHECK(suite::same_behaviours(tests, options).count == tests.size() - 1);
  CHECK(suite::same_behaviours({}).count == 0);
}

// One thread with a choice, in workgroups of two threads or alone in its own.
TEST_CASE("suite/duplicates: choices that are fair and other launches are told apart") {
  const auto chooser = [](const std::string& choice) {
    return lang::parse("shared bool x;\nthread 0 { bool r; while (r == 0) r = " + choice +
                           "(0..1); }\nthread 1 { store(x, 1); }",
                       "f");
  };
  const auto launch = [](const std::string& launch) {
    return lang::parse("N = 2;\n" + launch + ";\nshared bool x;\nthreads { store(x, 1); }", "f");
  };
  const std::vector<lang::Test> tests = {
      chooser("choose"),
      chooser("fair choose"),
      chooser("fair choose"),
      launch("4 workgroups of 1 thread"),
      launch("2 workgroups of 2 threads"),
      launch("1 workgroup of 4 threads"),
      launch("1 workgroup of 4 threads, subgroups of 2"),
      launch("2 workgroups of 2 threads"),
  };
  CHECK(suite::same_programs(tests).group_of == std::vector<std::uint32_t>{0, 1, 1, 2, 3, 4, 5, 3});
  CHECK(suite::same_behaviours(tests).group_of ==
        std::vector<std::uint32_t>{0, 1, 1, 2, 3, 4, 5, 3});
}
