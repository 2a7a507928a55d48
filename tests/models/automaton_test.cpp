#include "models/automaton.hpp"

#include <doctest/doctest.h>

#include <set>

#include "models/library.hpp"
#include "support/files.hpp"

using namespace headway;
using models::Automaton;
using models::Event;
using models::History;
using models::Model;
using models::tabulate;

namespace {

std::vector<models::ModelPtr> some_models() {
  models::Library library;
  std::vector<models::ModelPtr> models = library.all();
  models.push_back(library.find("OBE-k(k=1)"));
  models.push_back(library.find("HSA-k(k=3)"));
  for (const char* name : {"unfair", "hsa", "obe", "hsa_obe", "lobe", "fair"}) {
    const auto path = testing::source_dir() / "models/events" / (std::string(name) + ".yaml");
    models.push_back(library.find(path.string()));
  }
  return models;
}

// Runs the tables and the model side by side along every sequence of `left` events.
void walk(const Automaton& automaton, const Model& model, int threads, std::uint32_t node,
          const History& history, ThreadSet fair, int left) {
  REQUIRE(node < automaton.nodes.size());
  REQUIRE(automaton.nodes[node].fair == fair);
  REQUIRE(automaton.nodes[node].history.terminated == history.terminated);
  if (model.looks_at_started()) REQUIRE(automaton.nodes[node].history.started == history.started);
  if (left == 0) return;
  for (const int thread : history.alive(threads)) {
    for (const bool terminates : {false, true}) {
      const Event event{thread, terminates};
      const History next = models::after(history, event);
      const std::size_t at =
          (node * static_cast<std::size_t>(threads) + static_cast<std::size_t>(thread)) * 2 +
          (terminates ? 1 : 0);
      walk(automaton, model, threads, automaton.next.at(at), next,
           model.next(threads, fair, event, next), left - 1);
    }
  }
}

}  // namespace

TEST_CASE("models/automaton: the tables name the same F as the model after every few events") {
  for (const models::ModelPtr& model : some_models()) {
    for (int threads = 1; threads <= 3; ++threads) {
      CAPTURE(model->name());
      CAPTURE(threads);
      const Automaton automaton = tabulate(*model, threads);
      CHECK(automaton.next.size() ==
            automaton.nodes.size() * static_cast<std::size_t>(threads) * 2);
      walk(automaton, *model, threads, 0, {}, model->initial(threads), 5);
    }
  }
}

TEST_CASE("models/automaton: a node a history, of which some models see less") {
  models::Library library;
  CHECK(tabulate(*library.find("OBE"), 3).nodes.size() == 27);
  CHECK(tabulate(*library.find("HSA"), 3).nodes.size() == 8);
  CHECK(tabulate(*library.find("unfair"), 4).nodes.size() == 16);
  CHECK(tabulate(*library.find("LOBE"), 6).nodes.size() == 729);
}

TEST_CASE("models/automaton: no node comes twice and each can be reached") {
  for (const models::ModelPtr& model : some_models()) {
    CAPTURE(model->name());
    const Automaton automaton = tabulate(*model, 4);
    std::set<std::tuple<ThreadSet, ThreadSet, ThreadSet>> nodes;
    for (const Automaton::Node& node : automaton.nodes) {
      nodes.emplace(node.history.started, node.history.terminated, node.fair);
    }
    CHECK(nodes.size() == automaton.nodes.size());
    std::set<std::uint32_t> reached = {0};
    reached.insert(automaton.next.begin(), automaton.next.end());
    CHECK(reached.size() == automaton.nodes.size());
  }
}
