// The order between models against all histories counted out one by one, and against verdicts.
#include "models/order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/file.hpp"
#include "checker/check.hpp"
#include "lang/axb/program.hpp"
#include "languages/languages.hpp"
#include "models/hasse.hpp"
#include "models/histories.hpp"
#include "models/library.hpp"
#include "oracle/oracle.hpp"
#include "support/axb.hpp"
#include "support/files.hpp"
#include "support/models.hpp"

using namespace headway;
using models::Event;
using models::Fairness;
using models::Hasse;
using models::Histories;
using models::History;
using models::ModelOrder;
using models::ModelPtr;
using models::Reading;
using models::Relation;
using models::Scope;
using testing::event_models;

namespace {

enum Standard : std::size_t { kUnfair, kHsa, kObe, kHsaObe, kLobe, kFair };

ModelOrder standard_order(int threads, Scope scope) {
  return {models::Library().standard(), threads, scope};
}

// F that comes and goes, in and out of step with the history.
std::vector<ModelPtr> changing_models() {
  const testing::TemporaryFolder folder;
  models::Library library;
  const auto load = [&](const std::string& name, const std::string& initial,
                        const std::string& on_step) {
    const auto path = folder.write(name + ".yaml", "name: " + name + "\ninitial: \"" + initial +
                                                       "\"\non_step: \"" + on_step +
                                                       "\"\non_terminate: F - {tid}\n");
    return library.find(path.string());
  };
  return {load("once", "all", "F - {tid}"),
          load("stepper", "{}", "{tid}"),
          load("others", "all", "alive - {tid}"),
          load("toggling", "{}", "(F - {tid}) | ({tid} - F)"),
          load("widening", "{}", "F | ({count(F)} & alive)"),
          load("exchangers", "{}", "F | exchanges")};
}

// Histories counted out -------------------------------------------------------------------------

std::vector<History> all_histories(int threads) {
  std::vector<History> result = {{}};
  for (int t = 0; t < threads; ++t) {
    const ThreadSet self = ThreadSet::single(t);
    for (std::size_t h = 0, before = result.size(); h < before; ++h) {
      const History old = result[h];
      result.push_back({old.started | self, old.terminated});
      result.push_back({old.started | self, old.terminated | self});
    }
  }
  return result;
}

// A thread that has started and is alive may go on for ever, and nothing else may.
bool recurs(const History& history) { return !(history.started - history.terminated).empty(); }

// F of each standard model as the oracle has it.
std::vector<std::function<ThreadSet(int, const History&)>> standard_functions() {
  std::vector<std::function<ThreadSet(int, const History&)>> result;
  for (const oracle::Model& model : oracle::set_models()) {
    const auto form = std::get<oracle::SetForm>(model.form);
    result.emplace_back([form](int threads, const History& history) {
      oracle::History h;
      h.threads = threads;
      for (int t : history.started) h.started.insert(t);
      for (int t : history.terminated) h.terminated.insert(t);
      ThreadSet fair;
      for (int t : form(h)) fair |= ThreadSet::single(t);
      return fair;
    });
  }
  return result;
}

// What separates two functions of the history: whether anything does, and with how few events. An
// event for every thread that has started is enough, its last step where it has terminated.
struct Separated {
  bool any = false;
  int events = 0;
};

template <class More, class Less>
Separated separated(int threads, Scope scope, const More& more, const Less& less) {
  Separated result;
  for (const History& history : all_histories(threads)) {
    if (scope == Scope::recurring && !recurs(history)) continue;
    if (less(threads, history).includes(more(threads, history))) continue;
    const int events = history.started.size();
    result.events = result.any ? std::min(result.events, events) : events;
    result.any = true;
  }
  return result;
}

// F of `model` after `events`, and the history.
std::pair<ThreadSet, History> run(const models::Model& model, int threads,
                                  const std::vector<Event>& events) {
  ThreadSet fair = model.initial(threads);
  History history;
  for (const Event& event : events) {
    REQUIRE(history.alive(threads).contains(event.thread));
    history = models::after(history, event);
    fair = model.next(threads, fair, event, history);
  }
  return {fair, history};
}

Relation relation(bool a_at_most_b, bool b_at_most_a) {
  if (a_at_most_b) return b_at_most_a ? Relation::equal : Relation::below;
  return b_at_most_a ? Relation::above : Relation::incomparable;
}

// A joint automaton of models, node by node, with the length of a shortest path to each.
struct JointAutomaton {
  using Node = std::pair<std::uint64_t, std::vector<std::uint32_t>>;  // history, all F
  std::map<Node, int> distance;
  std::map<Node, std::set<Node>> next;

  JointAutomaton(int threads, const std::vector<ModelPtr>& models) {
    std::vector<std::pair<Node, History>> queue;
    const auto reach = [&](const History& history, std::vector<std::uint32_t> fair, int steps) {
      const Node node{std::uint64_t{history.started.bits()} << 32 | history.terminated.bits(),
                      std::move(fair)};
      if (distance.emplace(node, steps).second) queue.emplace_back(node, history);
      return node;
    };
    std::vector<std::uint32_t> first;
    for (const ModelPtr& model : models) first.push_back(model->initial(threads).bits());
    reach({}, first, 0);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const auto [node, history] = queue[head];
      for (int thread : history.alive(threads)) {
        for (const bool terminates : {true, false}) {
          for (const models::Instruction& instruction : models::kInstructions) {
            const Event event{thread, terminates, instruction};
            const History after = models::after(history, event);
            std::vector<std::uint32_t> fair;
            for (std::size_t m = 0; m < models.size(); ++m) {
              const ThreadSet before = ThreadSet::of_bits(node.second[m]);
              fair.push_back(models[m]->next(threads, before, event, after).bits());
            }
            next[node].insert(reach(after, fair, distance[node] + 1));
          }
        }
      }
    }
  }

  bool recurs(const Node& node) const {
    std::set<Node> seen;
    std::vector<Node> queue = {node};
    while (!queue.empty()) {
      const Node here = queue.back();
      queue.pop_back();
      const auto found = next.find(here);
      if (found == next.end()) continue;
      for (const Node& to : found->second) {
        if (to == node) return true;
        if (seen.insert(to).second) queue.push_back(to);
      }
    }
    return false;
  }
};

std::vector<Reading> readings(const ModelOrder& order) {
  std::vector<Reading> result;
  for (std::size_t m = 0; m < order.models().size(); ++m) {
    for (Fairness fairness : models::kFairnesses) result.push_back({m, fairness});
  }
  return result;
}

std::string name(const ModelOrder& order, const Reading& reading) {
  return order.models()[reading.model]->name() + ":" + to_string(reading.fairness);
}

constexpr Scope kScopes[] = {Scope::recurring, Scope::all};

}  // namespace

// Histories -------------------------------------------------------------------------------------

TEST_CASE("models/order: N threads have 3 to the N histories") {
  const auto standard = models::Library().standard();
  const auto events = event_models();
  std::vector<const models::Model*> all;
  for (const ModelPtr& model : standard) all.push_back(model.get());
  for (const ModelPtr& model : events) all.push_back(model.get());
  std::size_t count = 3;
  for (int threads = 1; threads <= 8; ++threads, count *= 3) {
    CHECK(Histories(threads, {}).size() == count);
    // The event forms remember no more than the history tells.
    CHECK(Histories(threads, all).size() == count);
  }
  CHECK(Histories(models::kMaxOrderThreads, {all.front()}).size() == 59049);
}

TEST_CASE("models/order: every history is reached by a shortest path") {
  for (int threads = 1; threads <= 4; ++threads) {
    const auto standard = models::Library().standard();
    std::vector<const models::Model*> models;
    for (const ModelPtr& model : standard) models.push_back(model.get());
    const Histories histories(threads, models);
    const auto functions = standard_functions();
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (std::size_t h = 0; h < histories.size(); ++h) {
      const History history = histories.history(h);
      seen.emplace(history.started.bits(), history.terminated.bits());
      REQUIRE(history.started.includes(history.terminated));
      REQUIRE(histories.path(h).size() == static_cast<std::size_t>(history.started.size()));
      REQUIRE(histories.recurs(h) == recurs(history));
      for (std::size_t m = 0; m < models.size(); ++m) {
        REQUIRE(histories.fair(h, m) == functions[m](threads, history));
        const auto [fair, reached] = run(*models[m], threads, histories.path(h));
        REQUIRE(fair == histories.fair(h, m));
        REQUIRE(reached == history);
      }
    }
    CHECK(seen.size() == histories.size());
  }
}

TEST_CASE("models/order: histories of models that remember F are those of their automaton") {
  int recurring = 0, transient = 0;
  for (const ModelPtr& model : changing_models()) {
    for (int threads = 1; threads <= 3; ++threads) {
      const Histories histories(threads, {model.get()});
      const JointAutomaton automaton(threads, {model});
      CAPTURE(model->name());
      CHECK(histories.size() == automaton.distance.size());
      for (std::size_t h = 0; h < histories.size(); ++h) {
        const History history = histories.history(h);
        const JointAutomaton::Node node{
            std::uint64_t{history.started.bits()} << 32 | history.terminated.bits(),
            {static_cast<std::uint32_t>(histories.fair(h, 0).bits())}};
        REQUIRE(automaton.distance.count(node) == 1);
        REQUIRE(histories.path(h).size() == static_cast<std::size_t>(automaton.distance.at(node)));
        REQUIRE(run(*model, threads, histories.path(h)).first == histories.fair(h, 0));
        REQUIRE(histories.recurs(h) == automaton.recurs(node));
        ++(histories.recurs(h) ? recurring : transient);
      }
    }
  }
  CHECK(recurring > 50);
  CHECK(transient > 50);
}

TEST_CASE("models/order: events in words") {
  CHECK(models::describe_events({}) == "nothing has happened yet");
  CHECK(models::describe_events({{1, false}, {0, true}}) ==
        "thread 1 steps; thread 0 steps and terminates");
}

// Relations -------------------------------------------------------------------------------------

TEST_CASE("models/order: unfair is below all and fair above all") {
  for (int threads = 2; threads <= 4; ++threads) {
    for (const Scope scope : kScopes) {
      const ModelOrder order = standard_order(threads, scope);
      for (std::size_t m = kHsa; m <= kFair; ++m) {
        CHECK(order.relation(kUnfair, m) == Relation::below);
        CHECK(order.relation(m, kUnfair) == Relation::above);
      }
      for (std::size_t m = kUnfair; m <= kLobe; ++m) {
        CHECK(order.relation(kFair, m) == Relation::above);
        CHECK(order.relation(m, kFair) == Relation::below);
      }
      for (std::size_t m = kUnfair; m <= kFair; ++m) {
        CHECK(order.relation(m, m) == Relation::equal);
      }
    }
  }
}

TEST_CASE("models/order: OBE and HSA are incomparable and both below HSA+OBE") {
  for (int threads = 2; threads <= 4; ++threads) {
    for (const Scope scope : kScopes) {
      const ModelOrder order = standard_order(threads, scope);
      CHECK(order.relation(kObe, kHsa) == Relation::incomparable);
      CHECK(order.relation(kHsa, kObe) == Relation::incomparable);
      CHECK(order.relation(kObe, kHsaObe) == Relation::below);
      CHECK(order.relation(kHsa, kHsaObe) == Relation::below);
      CHECK(order.relation(kObe, kLobe) == Relation::below);
    }
  }
}

TEST_CASE(
    "models/order: where a thread recurs LOBE is HSA+OBE for two threads and above it from "
    "three on") {
  CHECK(standard_order(1, Scope::recurring).relation(kHsaObe, kLobe) == Relation::equal);
  CHECK(standard_order(2, Scope::recurring).relation(kHsaObe, kLobe) == Relation::equal);
  for (int threads = 3; threads <= 5; ++threads) {
    CHECK(standard_order(threads, Scope::recurring).relation(kHsaObe, kLobe) == Relation::below);
    CHECK(standard_order(threads, Scope::recurring).relation(kHsa, kLobe) == Relation::below);
  }
}

// Before any thread has started, HSA+OBE guarantees the lowest one and LOBE none.
TEST_CASE(
    "models/order: over all histories HSA+OBE is above LOBE for two threads and incomparable "
    "from three on") {
  CHECK(standard_order(2, Scope::all).relation(kHsaObe, kLobe) == Relation::above);
  for (int threads = 3; threads <= 5; ++threads) {
    CHECK(standard_order(threads, Scope::all).relation(kHsaObe, kLobe) == Relation::incomparable);
  }
}

TEST_CASE("models/order: relations and separating histories are those found by counting") {
  const auto functions = standard_functions();
  int separations = 0;
  for (int threads = 1; threads <= 5; ++threads) {
    for (const Scope scope : kScopes) {
      const ModelOrder order = standard_order(threads, scope);
      REQUIRE(order.models().size() == functions.size());
      for (std::size_t a = 0; a < functions.size(); ++a) {
        for (std::size_t b = 0; b < functions.size(); ++b) {
          const Separated up = separated(threads, scope, functions[a], functions[b]);
          const Separated down = separated(threads, scope, functions[b], functions[a]);
          CAPTURE(threads);
          CAPTURE(order.models()[a]->name());
          CAPTURE(order.models()[b]->name());
          CHECK(order.relation(a, b) == relation(!up.any, !down.any));
          CHECK(order.at_most(a, b) == !up.any);
          const auto& separation = order.separation(a, b);
          REQUIRE(separation.has_value() == up.any);
          if (!separation) continue;
          ++separations;
          CHECK(static_cast<int>(separation->path.size()) == up.events);
          const auto [more, history] = run(*order.models()[a], threads, separation->path);
          CHECK(more == separation->more.threads);
          CHECK(more == functions[a](threads, history));
          CHECK(separation->less.threads == functions[b](threads, history));
          CHECK_FALSE(separation->less.threads.includes(separation->more.threads));
          if (scope == Scope::recurring) CHECK(recurs(history));
        }
      }
    }
  }
  CHECK(separations > 100);
}

TEST_CASE("models/order: models that remember F are compared on their joint automaton") {
  models::Library library;
  std::vector<ModelPtr> all = changing_models();
  for (const char* model : {"HSA", "OBE", "fair"}) all.push_back(library.find(model));
  std::map<Relation, int> relations;
  for (int threads = 1; threads <= 3; ++threads) {
    for (const Scope scope : kScopes) {
      const ModelOrder order(all, threads, scope);
      for (std::size_t a = 0; a < all.size(); ++a) {
        for (std::size_t b = 0; b < all.size(); ++b) {
          if (all[a]->history_determined() && all[b]->history_determined()) continue;
          const JointAutomaton automaton(threads, {all[a], all[b]});
          std::optional<int> shortest;
          for (const auto& [node, distance] : automaton.distance) {
            if (scope == Scope::recurring && !automaton.recurs(node)) continue;
            if ((node.second[0] & ~node.second[1]) == 0) continue;
            shortest = std::min(shortest.value_or(distance), distance);
          }
          CAPTURE(all[a]->name());
          CAPTURE(all[b]->name());
          const auto& separation = order.separation(a, b);
          REQUIRE(separation.has_value() == shortest.has_value());
          ++relations[order.relation(a, b)];
          if (!separation) continue;
          CHECK(static_cast<int>(separation->path.size()) == *shortest);
          CHECK(run(*all[a], threads, separation->path).first == separation->more.threads);
          CHECK(run(*all[b], threads, separation->path).first == separation->less.threads);
          CHECK_FALSE(separation->less.threads.includes(separation->more.threads));
        }
      }
    }
  }
  for (const Relation found :
       {Relation::equal, Relation::below, Relation::above, Relation::incomparable}) {
    CHECK(relations[found] > 0);
  }
}

TEST_CASE("models/order: the families end in the models that they generalize") {
  models::Library library;
  for (int threads = 1; threads <= 4; ++threads) {
    for (const Scope scope : kScopes) {
      const auto compare = [&](const std::string& a, const std::string& b) {
        const ModelOrder order({library.find(a), library.find(b)}, threads, scope);
        return order.relation(0, 1);
      };
      const auto with = [](const std::string& family, int k) {
        return family + "(k=" + std::to_string(k) + ")";
      };
      CHECK(compare(with("OBE-k", 0), "OBE") == Relation::equal);
      CHECK(compare(with("OBE-k", -5), "OBE") == Relation::equal);
      CHECK(compare(with("HSA-k", 1), "HSA") == Relation::equal);
      CHECK(compare(with("HSA-k", 0), "unfair") == Relation::equal);
      for (const int k : {threads, threads + 1, 1000}) {
        CHECK(compare(with("OBE-k", k), "fair") == Relation::equal);
        CHECK(compare(with("HSA-k", k), "fair") == Relation::equal);
      }
      for (int k = 0; k < threads; ++k) {
        CHECK(compare(with("HSA-k", k), with("HSA-k", k + 1)) == Relation::below);
        const Relation wider = compare(with("OBE-k", k), with("OBE-k", k + 1));
        // A single place is free only while nobody has started, or after everybody has
        // terminated; neither recurs.
        const bool same = k == 0 && scope == Scope::recurring;
        CHECK(wider == (same ? Relation::equal : Relation::below));
      }
    }
  }
}

TEST_CASE("models/order: the event form of every built-in model is equal to its set form") {
  const auto sets = models::Library().standard();
  const auto events = event_models();
  REQUIRE(sets.size() == events.size());
  for (std::size_t m = 0; m < sets.size(); ++m) {
    CHECK(events[m]->name() == sets[m]->name() + "-events");
    for (int threads = 1; threads <= 4; ++threads) {
      for (const Scope scope : kScopes) {
        const ModelOrder order({sets[m], events[m]}, threads, scope);
        CAPTURE(sets[m]->name());
        CHECK(order.relation(0, 1) == Relation::equal);
        for (Fairness fairness : models::kFairnesses) {
          CHECK(order.equal(Reading{0, fairness}, Reading{1, fairness}));
        }
      }
    }
  }
}

// One by one, without the automaton: every sequence of five events of three threads.
TEST_CASE("models/order: event forms and set forms agree after every sequence of events") {
  const int threads = 3;
  const auto sets = models::Library().standard();
  const auto events = event_models();
  int sequences = 0;
  for (std::size_t m = 0; m < sets.size(); ++m) {
    const std::function<void(const History&, ThreadSet, int)> follow =
        [&](const History& history, ThreadSet fair, int left) {
          ++sequences;
          REQUIRE(fair == sets[m]->fair(threads, history));
          if (left == 0) return;
          for (int thread : history.alive(threads)) {
            for (const bool terminates : {false, true}) {
              const Event event{thread, terminates};
              const History after = models::after(history, event);
              follow(after, events[m]->next(threads, fair, event, after), left - 1);
            }
          }
        };
    follow({}, events[m]->initial(threads), 5);
  }
  CHECK(sequences > 10000);
}

// Readings --------------------------------------------------------------------------------------

TEST_CASE("models/order: a weak reading is below the strong one and the same for unfair") {
  for (int threads = 1; threads <= 4; ++threads) {
    for (const Scope scope : kScopes) {
      const ModelOrder order = standard_order(threads, scope);
      for (std::size_t m = kUnfair; m <= kFair; ++m) {
        const Reading weak{m, Fairness::weak}, strong{m, Fairness::strong};
        CHECK(order.at_most(weak, strong));
        CHECK(order.equal(weak, strong) == (m == kUnfair));
        CHECK(order.below(weak, strong) == (m != kUnfair));
        CHECK(order.equal(weak, weak));
        CHECK_FALSE(order.below(strong, strong));
      }
    }
  }
}

TEST_CASE("models/order: readings are ordered as models are and weak before strong") {
  for (int threads = 2; threads <= 4; ++threads) {
    const ModelOrder order = standard_order(threads, Scope::recurring);
    for (const Reading& a : readings(order)) {
      for (const Reading& b : readings(order)) {
        const bool promises = a.model != kUnfair;
        const bool asks_more = a.fairness == Fairness::strong && b.fairness == Fairness::weak;
        CAPTURE(name(order, a));
        CAPTURE(name(order, b));
        CHECK(order.at_most(a, b) == (order.at_most(a.model, b.model) && !(promises && asks_more)));
        CHECK(order.equal(a, b) == (order.at_most(a, b) && order.at_most(b, a)));
        CHECK(order.below(a, b) == (order.at_most(a, b) && !order.at_most(b, a)));
        for (const Reading& c : readings(order)) {
          if (order.at_most(a, b) && order.at_most(b, c)) CHECK(order.at_most(a, c));
        }
      }
    }
  }
}

// A diagram is right when its edges, followed upwards, give back the order, and none can be spared.
TEST_CASE("models/order: the Hasse diagram is the transitive reduction of the order") {
  models::Library library;
  std::vector<ModelPtr> all = library.all();
  for (const ModelPtr& model : event_models()) all.push_back(model);
  for (const ModelPtr& model : changing_models()) all.push_back(model);
  for (int threads = 1; threads <= 3; ++threads) {
    for (const Scope scope : kScopes) {
      const ModelOrder order(all, threads, scope);
      const Hasse hasse = models::hasse_diagram(order);
      const std::size_t size = hasse.nodes.size();
      std::map<std::pair<std::size_t, Fairness>, std::size_t> node_of;
      for (std::size_t n = 0; n < size; ++n) {
        for (const Reading& reading : hasse.nodes[n]) {
          CHECK(node_of.emplace(std::pair(reading.model, reading.fairness), n).second);
        }
      }
      CHECK(node_of.size() == 2 * all.size());
      const auto closure = [&](const auto& edges) {
        std::vector<std::vector<bool>> reaches(size, std::vector<bool>(size));
        for (const auto& [lower, upper] : edges) reaches[lower][upper] = true;
        for (std::size_t k = 0; k < size; ++k) {
          for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) {
              if (reaches[i][k] && reaches[k][j]) reaches[i][j] = true;
            }
          }
        }
        return reaches;
      };
      const auto reaches = closure(hasse.edges);
      for (const Reading& a : readings(order)) {
        for (const Reading& b : readings(order)) {
          const std::size_t lower = node_of.at({a.model, a.fairness});
          const std::size_t upper = node_of.at({b.model, b.fairness});
          REQUIRE(order.equal(a, b) == (lower == upper));
          REQUIRE(order.below(a, b) == reaches[lower][upper]);
          if (order.below(a, b)) REQUIRE(lower < upper);
        }
      }
      for (std::size_t e = 0; e < hasse.edges.size(); ++e) {
        auto fewer = hasse.edges;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(e));
        REQUIRE(closure(fewer) != reaches);
      }
    }
  }
}

// Soundness -------------------------------------------------------------------------------------

TEST_CASE("models/order: no test passes under a lower reading and fails under a higher one") {
  models::Library library;
  std::vector<ModelPtr> all = library.all();
  for (const char* name : {"OBE-k(k=0)", "OBE-k(k=1)", "HSA-k(k=3)", "OBE-k(k=3)"}) {
    all.push_back(library.find(name));
  }
  for (const ModelPtr& model : event_models()) all.push_back(model);
  for (const ModelPtr& model : changing_models()) all.push_back(model);
  std::vector<lang::Test> tests = testing::published_tests();
  for (const auto& entry : std::filesystem::directory_iterator(testing::source_dir() / "litmus")) {
    if (entry.path().extension() != ".litmus") continue;
    tests.push_back(lang::parse(read_file(entry.path()), entry.path().string()));
  }
  const ModelOrder orders[] = {{all, 2, Scope::recurring}, {all, 3, Scope::recurring}};
  const ModelOrder over_all_histories[] = {{all, 2, Scope::all}, {all, 3, Scope::all}};
  checker::Checker checker;
  int both_pass = 0, both_fail = 0, only_higher = 0, unrelated = 0;
  for (const lang::Test& test : tests) {
    REQUIRE(test.thread_count() <= 3);
    const ModelOrder& order = orders[test.thread_count() - 2];
    const lang::axb::AxbProgram program(testing::axb_code(test));
    const auto verdicts = checker.check(program, all).verdicts;
    const auto passes = [&](const Reading& reading) {
      return verdicts[reading.model].of(reading.fairness) == checker::Verdict::pass;
    };
    for (const Reading& a : readings(order)) {
      for (const Reading& b : readings(order)) {
        const bool at_most = order.at_most(a, b);
        if (passes(a) && !passes(b)) {
          if (at_most) {
            FAIL_CHECK(test.name << " passes " << name(order, a) << " and fails "
                                 << name(order, b));
          }
          ++unrelated;
        } else if (at_most) {
          ++(passes(a) ? both_pass : passes(b) ? only_higher : both_fail);
        }
        // Fewer histories to compare on can only relate more.
        if (over_all_histories[test.thread_count() - 2].at_most(a, b)) REQUIRE(at_most);
      }
    }
  }
  CHECK(tests.size() >= 184 + 10);
  CHECK(both_pass > 1000);
  CHECK(both_fail > 1000);
  CHECK(only_higher > 1000);
  CHECK(unrelated > 1000);
}
