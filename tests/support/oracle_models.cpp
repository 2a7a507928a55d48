#include "support/oracle_models.hpp"

#include <stdexcept>

#include "base/bits/hash.hpp"

namespace headway::testing {

using oracle::History;
using oracle::Threads;

std::vector<oracle::Model> both_forms() {
  std::vector<oracle::Model> models = oracle::set_models();
  for (oracle::Model& model : oracle::event_models()) {
    model.name += " by events";
    models.push_back(std::move(model));
  }
  return models;
}

oracle::Model arbitrary_model(const std::vector<int>& seeds) {
  const oracle::SetForm form = [seeds](const History& h) {
    std::uint64_t bits = 0;
    for (const int seed : seeds) {
      auto key = static_cast<std::uint64_t>(seed);
      for (const Threads* set : {&h.started, &h.terminated, &h.blocked}) {
        key = key * 67 + 50;
        for (const int t : *set) key = key * 67 + static_cast<std::uint64_t>(t) + 1;
      }
      bits |= mix(key);
    }
    Threads fair;
    for (const int t : h.alive()) {
      if ((bits >> t & 1) != 0) fair.insert(t);
    }
    return fair;
  };
  return {"arbitrary", form};
}

std::vector<oracle::Model> changing_models() {
  const auto none = [](const History&) { return Threads{}; };
  const auto all = [](const History& h) { return h.all(); };
  const auto remove = [](const Threads& f, int tid, const History&) {
    return oracle::without(f, {tid});
  };
  const oracle::EventForm once = {all, remove, remove};
  const oracle::EventForm others = {
      all,
      [](const Threads&, int tid, const History& h) { return oracle::without(h.alive(), {tid}); },
      remove};
  const oracle::EventForm toggling = {none,
                                      [](const Threads& f, int tid, const History&) {
                                        return f.count(tid) > 0 ? oracle::without(f, {tid})
                                                                : oracle::unite(f, {tid});
                                      },
                                      remove};
  const oracle::EventForm ready = {
      none,
      [](const Threads&, int tid, const History& h) { return oracle::without(h.ready(), {tid}); },
      remove};
  return {{"once", once}, {"others", others}, {"toggling", toggling}, {"ready others", ready}};
}

oracle::Model built_in(const std::string& name) {
  for (const oracle::Model& model : oracle::set_models()) {
    if (model.name == name) return model;
  }
  throw std::out_of_range("no model " + name);
}

oracle::ScopedModel built_in(const std::string& workgroup, const std::string& subgroup,
                             const std::string& thread) {
  return oracle::scoped(built_in(workgroup), built_in(subgroup), built_in(thread));
}

std::vector<Strengthening> strengthenings() {
  const std::pair<const char*, const char*> names[] = {
      {"unfair", "HSA"}, {"unfair", "OBE"}, {"HSA", "HSA+OBE"},  {"OBE", "HSA+OBE"},
      {"OBE", "LOBE"},   {"HSA", "LOBE"},   {"HSA+OBE", "LOBE"}, {"LOBE", "fair"}};
  std::vector<Strengthening> result;
  for (const auto& [less, more] : names) result.push_back({built_in(less), built_in(more)});
  for (const int seed : {1, 2, 3}) {
    result.push_back({arbitrary_model({seed}), arbitrary_model({seed, seed + 10})});
    result.push_back({arbitrary_model({seed, seed + 10}), built_in("fair")});
    result.push_back({built_in("unfair"), arbitrary_model({seed})});
  }
  return result;
}

}  // namespace headway::testing
