#include "support/model_pairs.hpp"

#include <doctest/doctest.h>

#include <map>
#include <memory>

#include "base/bits/hash.hpp"
#include "support/files.hpp"

namespace headway::testing {

using oracle::History;
using oracle::Threads;

Pairs operator+(Pairs a, const Pairs& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Pairs standard_pairs() {
  Pairs pairs;
  const models::Library library;
  for (const oracle::Model& model : oracle::set_models()) {
    pairs.push_back({library.standard().at(pairs.size()), model});
    REQUIRE(pairs.back().fast->name() == model.name);
  }
  REQUIRE(pairs.size() == library.standard().size());
  return pairs;
}

Pairs family_pairs() {
  const auto lowest_of = [](int k, Threads set) {
    Threads result;
    while (k-- > 0 && !set.empty()) {
      result.insert(*set.begin());
      set.erase(set.begin());
    }
    return result;
  };
  const oracle::SetForm hsa_2 = [=](const History& h) { return lowest_of(2, h.ready()); };
  const oracle::SetForm obe_2 = [=](const History& h) {
    const Threads inside = oracle::intersect(h.started, h.alive());
    const int room = 2 - static_cast<int>(inside.size());
    return oracle::unite(inside, lowest_of(room, oracle::without(h.alive(), h.started)));
  };
  models::Library library;
  return {{library.find("HSA-k(k=2)"), {"HSA-k(k=2)", hsa_2}},
          {library.find("OBE-k(k=2)"), {"OBE-k(k=2)", obe_2}}};
}

Pairs event_pairs() {
  const std::map<std::string, std::string> files = {{"unfair", "unfair"}, {"HSA", "hsa"},
                                                    {"OBE", "obe"},       {"HSA+OBE", "hsa_obe"},
                                                    {"LOBE", "lobe"},     {"fair", "fair"}};
  Pairs pairs;
  models::Library library;
  for (const oracle::Model& model : oracle::event_models()) {
    const auto path = source_dir() / "models/events" / (files.at(model.name) + ".yaml");
    pairs.push_back({library.find(path.string()), model});
    REQUIRE(pairs.back().fast->name() == model.name + "-events");
  }
  return pairs;
}

Pairs changing_pairs() {
  using oracle::unite, oracle::without, oracle::intersect, oracle::lowest;
  const auto none = [](const History&) { return Threads{}; };
  const auto all = [](const History& h) { return h.all(); };
  const auto remove = [](const Threads& f, int tid, const History&) { return without(f, {tid}); };
  struct Entry {
    std::string name, initial, on_step, on_terminate;
    oracle::EventForm form;
  };
  const std::vector<Entry> entries = {
      {"once", "all", "F - {tid}", "F - {tid}", {all, remove, remove}},
      {"stepper",
       "{}",
       "{tid}",
       "F - {tid}",
       {none, [](const Threads&, int tid, const History&) { return Threads{tid}; }, remove}},
      {"others",
       "all",
       "alive - {tid}",
       "F - {tid}",
       {all, [](const Threads&, int tid, const History& h) { return without(h.alive(), {tid}); },
        remove}},
      {"rotating",
       "lowest(all)",
       "(F | {tid}) - lowest(F)",
       "F - {tid}",
       {[](const History& h) { return lowest(h.all()); },
        [](const Threads& f, int tid, const History&) {
          return without(unite(f, {tid}), lowest(f));
        },
        remove}},
      {"toggling",
       "{}",
       "(F - {tid}) | ({tid} - F)",
       "F - {tid}",
       {none,
        [](const Threads& f, int tid, const History&) {
          return unite(without(f, {tid}), without({tid}, f));
        },
        remove}},
      {"rested",
       "{}",
       "(started & alive) - {tid}",
       "(F - {tid}) | lowest(alive)",
       {none,
        [](const Threads&, int tid, const History& h) {
          return without(intersect(h.started, h.alive()), {tid});
        },
        [](const Threads& f, int tid, const History& h) {
          return unite(without(f, {tid}), lowest(h.alive()));
        }}},
  };
  const TemporaryFolder folder;
  models::Library library;
  Pairs pairs;
  for (const Entry& entry : entries) {
    const auto path =
        folder.write(entry.name + ".yaml",
                     "name: " + entry.name + "\ninitial: \"" + entry.initial + "\"\non_step: \"" +
                         entry.on_step + "\"\non_terminate: \"" + entry.on_terminate + "\"\n");
    pairs.push_back({library.find(path.string()), {entry.name, entry.form}});
  }
  return pairs;
}

namespace {

// Any function at all: the bits of a hash.
ThreadSet draw(std::uint64_t seed, int threads, const models::History& history,
               ThreadSet before = {}, int tid = 0, models::Instruction instruction = {}) {
  const unsigned step = static_cast<unsigned>(instruction.access) * 2 + (instruction.loops ? 1 : 0);
  const std::uint64_t words[] = {
      seed, history.started.bits(), history.terminated.bits(),
      std::uint64_t{before.bits()} << 8 | static_cast<unsigned>(tid) | std::uint64_t{step} << 56};
  return ThreadSet::of_bits(static_cast<std::uint32_t>(hash_words(words, 4) >> 7)) &
         history.alive(threads);
}

class RandomEventModel final : public models::Model {
 public:
  explicit RandomEventModel(std::uint64_t seed, bool looks_at_instructions = false)
      : Model("random events of " + std::to_string(seed), "", ""),
        seed_(seed),
        looks_(looks_at_instructions) {}
  bool looks_at_instructions() const override { return looks_; }
  bool history_determined() const override { return false; }
  ThreadSet fair(const Topology&, const models::History&) const override { return {}; }
  ThreadSet initial(const Topology& topology, const models::History&) const override {
    return draw(seed_, topology.threads(), {});
  }
  ThreadSet on_step(const Topology& topology, ThreadSet before, const models::Event& step,
                    const models::History& after) const override {
    return draw(seed_, topology.threads(), after, before, step.thread,
                looks_ ? step.instruction : models::Instruction());
  }
  ThreadSet on_terminate(const Topology& topology, ThreadSet before, int thread,
                         const models::History& after) const override {
    return draw(seed_ + 1, topology.threads(), after, before, thread);
  }

 private:
  std::uint64_t seed_;
  bool looks_;
};

ThreadSet bits(const Threads& set) {
  ThreadSet result;
  for (int t : set) result |= ThreadSet::single(t);
  return result;
}
Threads members(ThreadSet set) {
  Threads result;
  for (int t : set) result.insert(t);
  return result;
}

models::History packed(const History& h) { return {bits(h.started), bits(h.terminated)}; }

}  // namespace

RandomModel::RandomModel(std::vector<std::uint64_t> seeds)
    : Model("random of " + std::to_string(seeds.front()), "", ""), seeds_(std::move(seeds)) {}

ThreadSet RandomModel::fair(const Topology& topology, const models::History& history) const {
  const int threads = topology.threads();
  ThreadSet result;
  for (std::uint64_t seed : seeds_) result |= draw(seed, threads, history);
  return result;
}

Pairs random_pairs() {
  Pairs pairs;
  for (std::uint64_t seed : {11, 12, 13}) {
    const oracle::SetForm form = [=](const History& h) {
      return members(draw(seed, h.threads, packed(h)));
    };
    auto fast = std::make_shared<RandomModel>(std::vector<std::uint64_t>{seed});
    pairs.push_back({fast, {fast->name(), form}});
  }
  for (std::uint64_t seed : {21, 31, 41}) {
    const auto redraw = [](std::uint64_t number) {
      return [=](const Threads& f, int tid, const History& h) {
        return members(draw(number, h.threads, packed(h), bits(f), tid));
      };
    };
    const oracle::EventForm form = {
        [=](const History& h) { return members(draw(seed, h.threads, {})); }, redraw(seed),
        redraw(seed + 1)};
    auto fast = std::make_shared<RandomEventModel>(seed);
    pairs.push_back({fast, {fast->name(), form}});
  }
  return pairs;
}

namespace {

models::Instruction packed(const oracle::Instruction& instruction) {
  using Access = models::Instruction::Access;
  if (!instruction.writes) return {Access::load, instruction.back};
  if (instruction.goes_on) return {Access::store, false};
  return {Access::exchange, instruction.back};
}

}  // namespace

Pairs instruction_pairs() {
  using oracle::Instruction, oracle::unite, oracle::without, oracle::intersect;
  const auto none = [](const History&) { return Threads{}; };
  const auto all = [](const History& h) { return h.all(); };
  const auto remove = [](const Threads& f, int tid, const History&) { return without(f, {tid}); };
  struct Entry {
    std::string name, initial, on_step;
    oracle::EventForm form;
  };
  const std::vector<Entry> entries = {
      {"exchangers",
       "{}",
       "F | exchanges",
       {none,
        {},
        remove,
        [](const Threads& f, int tid, const History&, const Instruction& i) {
          return i.writes && !i.goes_on ? unite(f, {tid}) : f;
        }}},
      {"patient",
       "all",
       "if loops then F - {tid} else F | {tid}",
       {all,
        {},
        remove,
        [](const Threads& f, int tid, const History&, const Instruction& i) {
          return i.back ? without(f, {tid}) : unite(f, {tid});
        }}},
      {"no-readers",
       "all",
       "alive - loads",
       {all,
        {},
        remove,
        [](const Threads&, int tid, const History& h, const Instruction& i) {
          return i.writes ? h.alive() : without(h.alive(), {tid});
        }}},
      {"store-then-wait",
       "{}",
       "(F | stores) - (exchanges & F)",
       {none,
        {},
        remove,
        [](const Threads& f, int tid, const History&, const Instruction& i) {
          if (!i.writes) return f;
          if (i.goes_on) return unite(f, {tid});
          return without(f, {tid});
        }}},
  };
  const TemporaryFolder folder;
  models::Library library;
  Pairs pairs;
  for (const Entry& entry : entries) {
    const auto path =
        folder.write(entry.name + ".yaml", "name: " + entry.name + "\ninitial: \"" + entry.initial +
                                               "\"\non_step: \"" + entry.on_step +
                                               "\"\non_terminate: F - {tid}\n");
    pairs.push_back({library.find(path.string()), {entry.name, entry.form}});
  }
  for (const std::uint64_t seed : {51, 61}) {
    const oracle::EventForm form = {
        [=](const History& h) { return members(draw(seed, h.threads, {})); },
        {},
        [=](const Threads& f, int tid, const History& h) {
          return members(draw(seed + 1, h.threads, packed(h), bits(f), tid));
        },
        [=](const Threads& f, int tid, const History& h, const Instruction& i) {
          return members(draw(seed, h.threads, packed(h), bits(f), tid, packed(i)));
        }};
    const auto fast = std::make_shared<RandomEventModel>(seed, true);
    pairs.push_back({fast, {fast->name(), form}});
  }
  return pairs;
}

Pairs all_pairs() {
  return standard_pairs() + family_pairs() + event_pairs() + changing_pairs() + random_pairs();
}

}  // namespace headway::testing
