// Automata as programs that the checker takes and as what the oracle takes are the same, whatever
// their launches; and threads meet at barriers as docs/reference/semantics.md says.
#include "support/automata_program.hpp"

#include <doctest/doctest.h>

#include <map>

namespace headway::automata_program_test {
namespace {

using oracle::Launch;
using oracle::Level;
using oracle::Status;
using testing::Automata;
using testing::AutomataProgram;
using testing::AutomataShape;
using testing::below;
using testing::once_in;
using testing::Random;

Automata random_shape(Random& random) {
  const Launch launches[] = {{2, 1, 2}, {1, 2, 2}, {2, 2, 1}, {2, 1, 1}, {1, 1, 3}};
  AutomataShape shape;
  shape.launch = launches[below(random, 5)];
  shape.states = 2;
  shape.variables = 2;
  shape.failures = once_in(random, 4);
  shape.fair_choices = true;
  shape.barriers = !once_in(random, 4);
  return once_in(random, 4) ? beside_toggler(random, shape) : random_automata(random, shape);
}

}  // namespace

TEST_CASE("oracle/automata_program: the program is what the oracle takes, step for step") {
  using Words = std::vector<lang::Word>;
  using Numbers = std::vector<int>;
  Random random(51);
  int states = 0, waiting = 0, fair = 0;
  for (int i = 0; i < 600; ++i) {
    const Automata automata = random_shape(random);
    CAPTURE(to_string(automata));
    const AutomataProgram program(automata, /*padding=*/i % 3);
    const oracle::Behaviour behaviour = behaviour_of(automata);
    const Launch& launch = behaviour.launch;
    REQUIRE(program.topology() ==
            Topology(launch.workgroups, launch.subgroups, launch.subgroup_threads));
    std::map<Words, std::size_t> words_seen;
    std::map<std::pair<Numbers, Numbers>, std::size_t> numbers_seen;
    std::vector<std::tuple<Words, Numbers, Numbers>> found;
    const auto reach = [&](const Words& words, const Numbers& pcs, const Numbers& memory) {
      const auto [own, own_is_new] = words_seen.emplace(words, found.size());
      const auto [twin, twin_is_new] = numbers_seen.emplace(std::pair(pcs, memory), found.size());
      REQUIRE(own_is_new == twin_is_new);
      REQUIRE(own->second == twin->second);
      if (own_is_new) found.emplace_back(words, pcs, memory);
    };
    Words next(static_cast<std::size_t>(program.words()));
    program.initial(next.data());
    reach(next, behaviour.pcs, behaviour.memory);
    for (std::size_t s = 0; s < found.size() && s < 300; ++s, ++states) {
      const auto [words, pcs, memory] = found[s];
      const ThreadSet running = program.running(words.data());
      for (int t = 0; t < launch.threads(); ++t) {
        const Status status = behaviour.status(pcs, memory, t);
        REQUIRE(program.terminated(words.data()).contains(t) == (status == Status::ended));
        REQUIRE(program.blocked(words.data()).contains(t) == (status == Status::blocked));
        REQUIRE(program.failed(words.data()).contains(t) == (status == Status::failed));
        waiting += status == Status::blocked ? 1 : 0;
        if (!running.contains(t)) continue;
        const int choices = behaviour.choices(pcs, memory, t);
        REQUIRE(program.choices(words.data(), t) == choices);
        REQUIRE(program.chooses_fairly(words.data(), t) == behaviour.fair_choice(pcs, memory, t));
        fair += program.chooses_fairly(words.data(), t) ? 1 : 0;
        for (int choice = 0; choice < choices; ++choice) {
          Numbers next_pcs = pcs, next_memory = memory;
          behaviour.step(next_pcs, next_memory, t, choice);
          const bool ends = program.step(words.data(), {t, choice}, next.data());
          REQUIRE(ends == (behaviour.status(next_pcs, next_memory, t) == Status::ended));
          reach(next, next_pcs, next_memory);
        }
      }
    }
  }
  CHECK(states > 10'000);
  CHECK(waiting > 5000);
  CHECK(fair > 1000);
}

// Barriers by counting, with no stages: how often each thread has come to its barrier, and how
// often it has passed one.
TEST_CASE("oracle/automata_program: all of a group arrive at a barrier before one passes") {
  using Numbers = std::vector<int>;
  using Kind = testing::LocalState::Kind;
  Random random(52);
  int passes = 0, opened_by_an_end = 0;
  for (int i = 0; i < 3000; ++i) {
    const Automata automata = random_shape(random);
    if (automata.barriers.empty()) continue;
    CAPTURE(to_string(automata));
    const oracle::Behaviour behaviour = behaviour_of(automata);
    const Launch& launch = behaviour.launch;
    const auto count = static_cast<std::size_t>(launch.threads());
    Numbers pcs = behaviour.pcs, memory = behaviour.memory;
    std::vector<bool> has_arrived(count, false), may_pass(count, false);
    const auto at = [&](int t) -> const testing::LocalState& {
      return automata.threads[t][pcs[t]];
    };
    const auto is_barrier = [&](int t) { return at(t).kind == Kind::barrier; };
    for (int step = 0; step < 40; ++step) {  // a random walk
      std::vector<int> running;
      bool failed = false;
      for (int t = 0; t < launch.threads(); ++t) {
        const Status status = behaviour.status(pcs, memory, t);
        failed = failed || status == Status::failed;
        if (is_barrier(t)) {
          const bool waits = has_arrived[t] && !may_pass[t];
          REQUIRE(status == (waits ? Status::blocked : Status::running));
        }
        if (status == Status::running) running.push_back(t);
      }
      if (failed || running.empty()) break;
      const int t =
          running[static_cast<std::size_t>(below(random, static_cast<int>(running.size())))];
      const Numbers before = pcs;
      const bool arrives = is_barrier(t) && !has_arrived[t];
      const bool leaves = is_barrier(t) && has_arrived[t];
      behaviour.step(pcs, memory, t, below(random, behaviour.choices(pcs, memory, t)));
      for (int other = 0; other < launch.threads(); ++other) {
        if (other != t || arrives) REQUIRE(pcs[other] == before[other]);
      }
      if (arrives) has_arrived[t] = true;
      if (leaves) has_arrived[t] = may_pass[t] = false;
      passes += leaves ? 1 : 0;
      for (std::size_t b = 0; b < automata.barriers.size(); ++b) {
        const testing::Barrier& barrier = automata.barriers[b];
        int size = launch.threads();
        if (barrier.level == Level::workgroup) size = launch.subgroups * launch.subgroup_threads;
        if (barrier.level == Level::subgroup) size = launch.subgroup_threads;
        for (int first = 0; first < launch.threads(); first += size) {
          int waiting = 0, ended = 0;
          const auto waits_here = [&](int other) {
            return is_barrier(other) && at(other).barrier == static_cast<int>(b) &&
                   has_arrived[other] && !may_pass[other];
          };
          for (int other = first; other < first + size; ++other) {
            waiting += waits_here(other) ? 1 : 0;
            ended += at(other).kind == Kind::end ? 1 : 0;
          }
          if (waiting == 0 || waiting + (barrier.counts_ended ? ended : 0) < size) continue;
          for (int other = first; other < first + size; ++other) {
            if (waits_here(other)) may_pass[other] = true;
          }
          opened_by_an_end += at(t).kind == Kind::end ? 1 : 0;
        }
      }
    }
  }
  CHECK(passes > 1000);
  CHECK(opened_by_an_end > 20);
}

}  // namespace headway::automata_program_test
