// What is known of the order of accesses, as far as the key says by which states are told apart.
#include "kernel/machine/happens_before.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "support/random_tests.hpp"

using namespace headway;
using namespace headway::kernel;
using testing::below;
using testing::Random;

namespace {

constexpr int kThreads = 3;
constexpr Places kPlaces = {kThreads, 2, 1};

// Something that a thread does, or a barrier of all.
struct Act {
  enum Kind { plain, load, store, update, fence, barrier };
  int kind = plain;
  int thread = 0;
  Instance object = 0;
  std::uint64_t at = 0, bytes = 4;
  bool writes = false;
  std::uint64_t same_bytes = 0;
  Order order = Order::relaxed;
  Scope scope = Scope::system;
};

Act random_act(Random& random) {
  Act act;
  act.kind = below(random, 12) == 0 ? Act::barrier : below(random, 5);
  act.thread = below(random, kThreads);
  act.object = static_cast<Instance>(below(random, 2));
  act.at = below(random, 2) * 4U;
  act.bytes = act.kind == Act::plain && act.at == 0 && below(random, 4) == 0 ? 8 : 4;
  act.writes = below(random, 2) == 0;
  act.same_bytes = act.writes && below(random, 3) == 0 ? 0xf : 0;
  act.order = static_cast<Order>(below(random, 5));
  act.scope = below(random, 2) == 0 ? Scope::workgroup : Scope::system;
  return act;
}

using Conflict = std::tuple<std::uint32_t, std::uint32_t, bool, bool, bool, Scope>;

// The accesses that it races with, in some order.
std::vector<Conflict> take(HappensBefore& order, const Act& act) {
  std::vector<Conflict> result;
  if (act.kind == Act::barrier) {
    order.barrier({0, 1, 2}, 3, false);
  } else if (act.kind == Act::fence) {
    order.fence(act.thread, act.order, act.scope, 3);
  } else {
    Access made;
    made.thread = static_cast<std::uint32_t>(act.thread);
    made.instruction = static_cast<std::uint32_t>(act.kind);
    made.is_atomic = act.kind != Act::plain;
    made.writes = act.kind == Act::plain ? act.writes : act.kind != Act::load;
    made.scope = act.scope;
    for (const Access& other :
         order.access(act.object, false, act.at, act.bytes, made, act.same_bytes)) {
      result.emplace_back(other.thread, other.instruction, other.writes, other.is_atomic,
                          other.mixed, other.scope);
    }
    if (act.kind == Act::load || act.kind == Act::update) {
      order.load(act.object, act.at, act.thread, act.order, act.scope);
    }
    if (act.kind == Act::store || act.kind == Act::update) {
      order.store(act.object, act.at, act.thread, act.order, act.scope, act.kind == Act::update);
    }
  }
  order.normalize(std::vector<bool>(kThreads, true));
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

TEST_CASE("kernel/happens_before: what has one key races with the same accesses from then on") {
  Random random(7);
  for (const bool wide : {false, true}) {
    std::map<std::vector<std::uint64_t>, HappensBefore> known;
    int equal = 0;
    for (int round = 0; round < 20'000; ++round) {
      HappensBefore::Options options;
      options.wide = wide;
      HappensBefore order(kPlaces, options);
      for (int left = 1 + below(random, 6); left > 0; --left) take(order, random_act(random));
      std::vector<std::uint64_t> key;
      order.append_key(key);
      const auto [entry, is_new] = known.emplace(key, order);
      if (is_new) continue;
      ++equal;
      HappensBefore other = entry->second;
      for (int left = 6; left > 0; --left) {
        const Act act = random_act(random);
        const auto here = take(order, act), there = take(other, act);
        if (here != there) FAIL("round " << round);
      }
    }
    CHECK(equal > 1000);
  }
}

TEST_CASE("kernel/happens_before: a thread does not race with itself") {
  Random random(11);
  int of_others = 0;
  for (int round = 0; round < 20'000; ++round) {
    HappensBefore alone(kPlaces, {}), together(kPlaces, {});
    for (int left = 8; left > 0; --left) {
      Act act = random_act(random);
      const std::vector<Conflict> conflicts = take(together, act);
      for (const Conflict& conflict : conflicts) {
        if (std::get<0>(conflict) == static_cast<std::uint32_t>(act.thread)) {
          FAIL("round " << round);
        }
      }
      of_others += conflicts.empty() ? 0 : 1;
      act.thread = 1;
      if (!take(alone, act).empty()) FAIL("round " << round);
    }
  }
  CHECK(of_others > 1000);
}
