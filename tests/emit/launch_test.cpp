// Which workgroup is which thread of which instance.
#include "emit/launch.hpp"

#include <doctest/doctest.h>

#include <set>

#include "support/errors.hpp"

using headway::emit::kMappings;
using headway::emit::kMaxWorkgroups;
using headway::emit::Launch;
using headway::emit::make_launch;
using headway::emit::Mapping;
using headway::emit::parse_mapping;
using headway::emit::Place;
using headway::testing::contains;
using headway::testing::error_of;

TEST_CASE("emit/launch: every workgroup is one thread of one instance, and the order is kept") {
  for (const Mapping mapping : kMappings) {
    for (int threads = 1; threads <= 5; ++threads) {
      for (int instances = 1; instances <= 6; ++instances) {
        const Launch launch = make_launch(threads, mapping, instances);
        CAPTURE(to_string(mapping));
        CAPTURE(threads);
        CAPTURE(instances);
        std::set<int> seen;
        for (int m = 0; m < launch.instances; ++m) {
          int before = -1;
          for (int t = 0; t < threads; ++t) {
            const int workgroup = launch.workgroup({t, m});
            CHECK(workgroup > before);
            before = workgroup;
            seen.insert(workgroup);
            CHECK(launch.place(workgroup) == Place{t, m});
          }
        }
        CHECK(static_cast<int>(seen.size()) == launch.workgroups());
        CHECK(*seen.begin() == 0);
        CHECK(*seen.rbegin() == launch.workgroups() - 1);
      }
    }
  }
}

TEST_CASE("emit/launch: the mappings are those of the literature") {
  // Three threads, four instances; thread i of instance m.
  const Launch plain = make_launch(3, Mapping::plain, 4);
  const Launch round_robin = make_launch(3, Mapping::round_robin, 4);
  const Launch chunked = make_launch(3, Mapping::chunked, 4);
  const Launch hybrid = make_launch(3, Mapping::hybrid, 4);
  CHECK(plain.instances == 1);
  for (int i = 0; i < 3; ++i) {
    CHECK(plain.workgroup({i, 0}) == i);
    for (int m = 0; m < 4; ++m) {
      CHECK(round_robin.workgroup({i, m}) == 3 * m + i);
      CHECK(chunked.workgroup({i, m}) == 4 * i + m);
      CHECK(hybrid.workgroup({i, m}) == (i < 2 ? 2 * m + i : 8 + m));
    }
  }
}

TEST_CASE("emit/launch: names and limits") {
  for (const Mapping mapping : kMappings) CHECK(parse_mapping(to_string(mapping)) == mapping);
  const auto unknown = error_of([] { parse_mapping("zigzag"); });
  REQUIRE(unknown);
  CHECK(contains(unknown->what(), "plain, round-robin, chunked or hybrid"));
  CHECK(make_launch(3, Mapping::chunked, kMaxWorkgroups / 3).workgroups() == kMaxWorkgroups);
  const auto many = [] { make_launch(3, Mapping::chunked, kMaxWorkgroups / 3 + 1); };
  CHECK(error_of(many));
  CHECK(error_of([] { make_launch(2, Mapping::plain, 0); }));
  CHECK_FALSE(error_of([] { make_launch(2, Mapping::plain, 1'000'000); }));
}
