#include "checker/labelled_graph.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/file.hpp"
#include "lang/axb/program.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/axb.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/models.hpp"

using namespace headway;
using checker::CheckOptions;
using checker::event_view;
using checker::Label;
using checker::LabelledGraph;
using checker::reduce;
using checker::step_view;
using lang::Test;
using models::Fairness;
using models::ModelPtr;
using testing::event_models;
using testing::litmus;

namespace {

ModelPtr event_model(const std::string& initial, const std::string& on_step) {
  const testing::TemporaryFolder folder;
  const auto path = folder.write("m.yaml", "name: m\ninitial: \"" + initial + "\"\non_step: \"" +
                                               on_step + "\"\non_terminate: F - {tid}\n");
  return models::Library().find(path.string());
}

// A few small graphs of every kind.
std::vector<LabelledGraph> small_graphs() {
  std::vector<Test> tests = {litmus("spin-mutex"), litmus("middle-thread"), litmus("chain-3"),
                             litmus("mutex-held-first")};
  for (const Test& test : testing::published_tests()) {
    if (test.instruction_count() == 2 || tests.size() < 20) tests.push_back(test);
  }
  std::vector<ModelPtr> models = models::Library().standard();
  models.push_back(event_model("all", "alive - {tid}"));
  models.push_back(nullptr);
  std::vector<LabelledGraph> graphs;
  for (const Test& test : tests) {
    const lang::axb::AxbProgram program(testing::axb_code(test));
    for (const ModelPtr& model : models) {
      graphs.push_back(*step_view(program, model.get(), Fairness::weak, {}));
      graphs.push_back(*event_view(program, model.get(), {}));
    }
  }
  return graphs;
}

using Edges = std::vector<std::vector<std::pair<Label, std::uint32_t>>>;  // by source

Edges edges_of(const LabelledGraph& graph) {
  Edges result(graph.nodes.size());
  for (const auto& edge : graph.edges) result[edge.from].emplace_back(edge.label, edge.to);
  return result;
}

// The largest bisimulation between two graphs: all pairs, less those of which one side has a
// transition that the other cannot answer, until there is none.
std::vector<std::vector<bool>> bisimilar(const LabelledGraph& left, const LabelledGraph& right) {
  const Edges a = edges_of(left), b = edges_of(right);
  std::vector<std::vector<bool>> related(a.size(), std::vector<bool>(b.size(), true));
  const auto answered = [&](std::size_t p, std::size_t q) {
    for (const auto& [label, to] : a[p]) {
      if (std::none_of(b[q].begin(), b[q].end(), [&, l = label, t = to](const auto& other) {
            return other.first == l && related[t][other.second];
          })) {
        return false;
      }
    }
    for (const auto& [label, to] : b[q]) {
      if (std::none_of(a[p].begin(), a[p].end(), [&, l = label, t = to](const auto& other) {
            return other.first == l && related[other.second][t];
          })) {
        return false;
      }
    }
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t p = 0; p < a.size(); ++p) {
      for (std::size_t q = 0; q < b.size(); ++q) {
        if (!related[p][q] || answered(p, q)) continue;
        related[p][q] = false;
        changed = true;
      }
    }
  }
  return related;
}

bool same(const LabelledGraph& a, const LabelledGraph& b) {
  return a.has_model == b.has_model && a.edges == b.edges &&
         std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(),
                    [](const auto& x, const auto& y) {
                      return x.state == y.state && x.history == y.history && x.fair == y.fair &&
                             x.on_fair_cycle == y.on_fair_cycle;
                    });
}

std::size_t marked(const LabelledGraph& graph) {
  return static_cast<std::size_t>(std::count_if(graph.nodes.begin(), graph.nodes.end(),
                                                [](const auto& n) { return n.on_fair_cycle; }));
}

// The nodes on fair cycles, by the definitions of docs/reference/semantics.md.
std::vector<bool> on_fair_cycles(const LabelledGraph& graph, int threads, Fairness fairness) {
  const std::size_t size = graph.nodes.size();
  const Edges edges = edges_of(graph);
  std::vector<bool> kept(size, true);
  for (;;) {
    std::vector<std::vector<bool>> reaches(size, std::vector<bool>(size));
    for (std::size_t s = 0; s < size; ++s) {
      std::vector<std::size_t> queue = {s};
      while (kept[s] && !queue.empty()) {
        const std::size_t here = queue.back();
        queue.pop_back();
        for (const auto& [label, to] : edges[here]) {
          if (!kept[to] || reaches[s][to]) continue;
          reaches[s][to] = true;
          queue.push_back(to);
        }
      }
    }
    const auto together = [&](std::size_t p, std::size_t q) {
      return reaches[p][q] && reaches[q][p];
    };
    std::vector<bool> result(size);
    bool dropped = false;
    for (std::size_t s = 0; s < size; ++s) {
      if (!kept[s]) continue;
      if (fairness == Fairness::strong) {
        const auto leaves = [&](const auto& edge) {
          return edge.first.fair.threads.contains(edge.first.thread) && !together(s, edge.second);
        };
        result[s] = reaches[s][s] && std::none_of(edges[s].begin(), edges[s].end(), leaves);
        continue;
      }
      bool fair = reaches[s][s];
      for (int thread = 0; thread < threads; ++thread) {
        bool steps = false, absent = false;
        for (std::size_t q = 0; q < size; ++q) {
          if (!together(s, q)) continue;
          absent = absent || !graph.nodes[q].fair.threads.contains(thread);
          for (const auto& [label, to] : edges[q]) {
            steps = steps || (label.thread == thread && together(q, to));
          }
        }
        fair = fair && (steps || absent);
      }
      result[s] = fair;
    }
    if (fairness == Fairness::weak) return result;
    for (std::size_t s = 0; s < size; ++s) {
      dropped = dropped || kept[s] != result[s];
      kept[s] = result[s];
    }
    if (!dropped) return result;
  }
}

}  // namespace

TEST_CASE("checker/labelled_graph: the spin mutex has the published sizes after reduction") {
  const std::map<std::string, std::pair<std::size_t, std::size_t>> sizes = {
      {"HSA", {17, 24}},  {"OBE", {23, 34}},    {"HSA+OBE", {19, 28}},
      {"LOBE", {20, 29}}, {"unfair", {17, 24}}, {"fair", {17, 24}}};
  const Test test = litmus("spin-mutex");
  const lang::axb::AxbProgram program(testing::axb_code(test));
  std::vector<ModelPtr> models = models::Library().standard();
  for (const ModelPtr& model : event_models()) models.push_back(model);
  std::size_t compared = 0;
  for (const ModelPtr& model : models) {
    const std::string base = model->name().substr(0, model->name().find("-events"));
    const LabelledGraph graph = *event_view(program, model.get(), {});
    const LabelledGraph reduced = reduce(graph);
    CAPTURE(model->name());
    CHECK(reduced.nodes.size() == sizes.at(base).first);
    CHECK(reduced.edges.size() == sizes.at(base).second);
    CHECK(graph.nodes.size() >= reduced.nodes.size());
    CHECK(graph.has_model);
    CHECK(reduced.has_model);
    ++compared;
  }
  CHECK(compared == 2 * sizes.size());
}

TEST_CASE("checker/labelled_graph: set form and event form have the same event view") {
  const auto sets = models::Library().standard();
  const auto events = event_models();
  for (const Test& test : testing::published_tests()) {
    if (test.instruction_count() > 2 && test.name.back() != '7') continue;
    const lang::axb::AxbProgram program(testing::axb_code(test));
    for (std::size_t m = 0; m < sets.size(); ++m) {
      const LabelledGraph set = reduce(*event_view(program, sets[m].get(), {}));
      const LabelledGraph event = reduce(*event_view(program, events[m].get(), {}));
      CAPTURE(test.name);
      CAPTURE(sets[m]->name());
      CHECK(set.nodes.size() == event.nodes.size());
      CHECK(set.edges.size() == event.edges.size());
      CHECK(bisimilar(set, event)[0][0]);
    }
  }
}

TEST_CASE("checker/labelled_graph: a reduced graph is bisimilar and has no two bisimilar nodes") {
  std::size_t shrunk = 0, compared = 0;
  for (const LabelledGraph& graph : small_graphs()) {
    if (graph.nodes.size() > 60) continue;
    const LabelledGraph reduced = reduce(graph);
    REQUIRE(bisimilar(graph, reduced)[0][0]);
    const auto related = bisimilar(reduced, reduced);
    for (std::size_t p = 0; p < reduced.nodes.size(); ++p) {
      for (std::size_t q = 0; q < reduced.nodes.size(); ++q) REQUIRE(related[p][q] == (p == q));
    }
    // Every node that is left can be reached, and no transition is there twice.
    std::set<std::uint32_t> reached = {0};
    std::vector<std::uint32_t> queue = {0};
    const Edges edges = edges_of(reduced);
    while (!queue.empty()) {
      const std::uint32_t here = queue.back();
      queue.pop_back();
      for (const auto& [label, to] : edges[here]) {
        if (reached.insert(to).second) queue.push_back(to);
      }
    }
    REQUIRE(reached.size() == reduced.nodes.size());
    REQUIRE(std::is_sorted(reduced.edges.begin(), reduced.edges.end()));
    REQUIRE(std::adjacent_find(reduced.edges.begin(), reduced.edges.end()) == reduced.edges.end());
    REQUIRE(same(reduce(reduced), reduced));
    shrunk += reduced.nodes.size() < graph.nodes.size() ? 1 : 0;
    ++compared;
  }
  CHECK(compared > 200);
  CHECK(shrunk > 50);
}

TEST_CASE("checker/labelled_graph: a node of a reduced graph is the first that it stands for") {
  for (const LabelledGraph& graph : small_graphs()) {
    if (graph.nodes.size() > 40) continue;
    const LabelledGraph reduced = reduce(graph);
    const auto related = bisimilar(graph, reduced);
    std::size_t last = 0;
    for (std::size_t q = 0; q < reduced.nodes.size(); ++q) {
      std::size_t first = 0;
      while (!related[first][q]) ++first;
      REQUIRE(reduced.nodes[q].state == graph.nodes[first].state);
      REQUIRE(reduced.nodes[q].fair == graph.nodes[first].fair);
      REQUIRE(first >= last);
      last = first;
      bool marked = false;
      for (std::size_t p = 0; p < graph.nodes.size(); ++p) {
        marked = marked || (related[p][q] && graph.nodes[p].on_fair_cycle);
      }
      REQUIRE(reduced.nodes[q].on_fair_cycle == marked);
    }
  }
}

TEST_CASE("checker/labelled_graph: two alike nodes and a loop reduce to one") {
  LabelledGraph graph;
  graph.nodes.resize(4);
  graph.nodes[3].on_fair_cycle = true;
  const Label step{Label::Kind::step, 0, {}};
  const Label other{Label::Kind::step, 1, {}};
  graph.edges = {{0, step, 1}, {0, step, 2}, {1, other, 3}, {2, other, 1}, {3, other, 2}};
  const LabelledGraph reduced = reduce(graph);
  CHECK(reduced.nodes.size() == 2);
  CHECK(reduced.edges == std::vector<LabelledGraph::Edge>{{0, step, 1}, {1, other, 1}});
  CHECK_FALSE(reduced.nodes[0].on_fair_cycle);
  CHECK(reduced.nodes[1].on_fair_cycle);
}

TEST_CASE("checker/labelled_graph: marked nodes coincide with verdicts") {
  std::vector<ModelPtr> models = models::Library().all();
  for (const ModelPtr& model : event_models()) models.push_back(model);
  models.push_back(event_model("all", "alive - {tid}"));
  models.push_back(event_model("{}", "(F - {tid}) | ({tid} - F)"));
  checker::Checker checker;
  int fails = 0, passes = 0;
  for (const Test& test : testing::published_tests()) {
    const lang::axb::AxbProgram program(testing::axb_code(test));
    const auto verdicts = checker.check(program, models).verdicts;
    for (std::size_t m = 0; m < models.size(); ++m) {
      for (Fairness fairness : models::kFairnesses) {
        const LabelledGraph graph = *step_view(program, models[m].get(), fairness, {});
        const bool fail = verdicts[m].of(fairness) == checker::Verdict::fail;
        CAPTURE(test.name);
        CAPTURE(models[m]->name());
        REQUIRE((marked(graph) > 0) == fail);
        REQUIRE((marked(reduce(graph)) > 0) == fail);
        ++(fail ? fails : passes);
      }
    }
  }
  CHECK(fails > 1000);
  CHECK(passes > 1000);
}

TEST_CASE("checker/labelled_graph: exactly the nodes on fair cycles are marked") {
  std::vector<ModelPtr> models = models::Library().standard();
  models.push_back(event_model("all", "alive - {tid}"));
  std::size_t some = 0;
  for (const Test& test : testing::published_tests()) {
    const lang::axb::AxbProgram program(testing::axb_code(test));
    for (const ModelPtr& model : models) {
      for (Fairness fairness : models::kFairnesses) {
        const LabelledGraph graph = *step_view(program, model.get(), fairness, {});
        const auto expected = on_fair_cycles(graph, test.thread_count(), fairness);
        CAPTURE(test.name);
        CAPTURE(model->name());
        for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
          REQUIRE(graph.nodes[n].on_fair_cycle == expected[n]);
        }
        some += marked(graph) > 0 && marked(graph) < graph.nodes.size() ? 1 : 0;
      }
    }
  }
  CHECK(some > 1000);
}

TEST_CASE("checker/labelled_graph: without a model there is no history and no fair set") {
  for (const Test& test : testing::published_tests()) {
    const lang::axb::AxbProgram program(testing::axb_code(test));
    const LabelledGraph steps = *step_view(program, nullptr, Fairness::weak, {});
    const LabelledGraph events = *event_view(program, nullptr, {});
    std::set<std::vector<lang::Word>> states;
    for (const LabelledGraph* graph : {&steps, &events}) {
      CHECK_FALSE(graph->has_model);
      CHECK(marked(*graph) == 0);
      for (const auto& node : graph->nodes) {
        REQUIRE(node.history.started.empty());
        REQUIRE(node.fair.empty());
      }
      for (const auto& edge : graph->edges) REQUIRE(edge.label.fair.empty());
    }
    // No two nodes have the same program state, so the history tells none apart.
    for (const auto& node : steps.nodes) states.insert(node.state);
    CHECK(states.size() == steps.nodes.size());
    CHECK(std::is_sorted(steps.edges.begin(), steps.edges.end()));
  }
}

TEST_CASE("checker/labelled_graph: a step view is the transition system with its fair sets") {
  for (const Test& test : testing::published_tests()) {
    const lang::axb::AxbProgram program(testing::axb_code(test));
    for (const ModelPtr& model : models::Library().standard()) {
      const LabelledGraph graph = *step_view(program, model.get(), Fairness::weak, {});
      checker::Explorer explorer;
      checker::ExploreOptions options;
      options.track_started = model->looks_at_started();
      const checker::Lts& lts = *explorer.explore(program, options);
      REQUIRE(graph.nodes.size() == lts.states());
      REQUIRE(graph.edges.size() == lts.transitions());
      for (const auto& edge : graph.edges) {
        REQUIRE(lts.successor(edge.from, edge.label.thread) == edge.to);
        REQUIRE(edge.label.kind == Label::Kind::step);
        REQUIRE(edge.label.fair == graph.nodes[edge.from].fair);
      }
      for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
        REQUIRE(graph.nodes[n].history == lts.history(n));
        REQUIRE(graph.nodes[n].fair.threads == model->fair(program.threads(), lts.history(n)));
        REQUIRE(program.terminated(graph.nodes[n].state.data()) ==
                graph.nodes[n].history.terminated);
      }
    }
  }
}

// A thread's last step leaves it alive; only its Terminate ends it. AllDone and exit end the whole.
TEST_CASE(
    "checker/labelled_graph: an event view terminates threads one by one and then the whole") {
  for (const Test& test : testing::published_tests()) {
    const lang::axb::AxbProgram program(testing::axb_code(test));
    for (const ModelPtr& model : models::Library().standard()) {
      const LabelledGraph graph = *event_view(program, model.get(), {});
      const Edges edges = edges_of(graph);
      const ThreadSet all = ThreadSet::first(program.threads());
      std::map<Label::Kind, int> kinds;
      for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const auto& node = graph.nodes[n];
        REQUIRE_FALSE(node.on_fair_cycle);
        if (edges[n].size() == 1 && edges[n][0].first.thread < 0) {
          REQUIRE(node.history.terminated == all);
        }
        for (const auto& [label, to] : edges[n]) {
          const auto& target = graph.nodes[to];
          ++kinds[label.kind];
          if (label.kind == Label::Kind::step) {
            REQUIRE_FALSE(program.terminated(node.state.data()).contains(label.thread));
            REQUIRE(label.fair == node.fair);
            REQUIRE(target.history.terminated == node.history.terminated);
            REQUIRE(target.fair.threads == model->fair(program.threads(), target.history));
          } else if (label.kind == Label::Kind::terminate) {
            REQUIRE(program.terminated(node.state.data()).contains(label.thread));
            REQUIRE(target.history.terminated ==
                    (node.history.terminated | ThreadSet::single(label.thread)));
            REQUIRE(target.state == node.state);
            REQUIRE(target.fair.threads == model->fair(program.threads(), target.history));
            REQUIRE(label.fair.empty());
          } else {
            REQUIRE(edges[n].size() == 1);
            REQUIRE(target.fair.empty());
            REQUIRE(edges[to].size() == (label.kind == Label::Kind::all_done ? 1 : 0));
          }
        }
      }
      REQUIRE(kinds[Label::Kind::all_done] >= 1);
      REQUIRE(kinds[Label::Kind::exit] == kinds[Label::Kind::all_done]);
    }
  }
}

TEST_CASE("checker/labelled_graph: limits and stops") {
  const Test test = litmus("spin-mutex");
  const lang::axb::AxbProgram program(testing::axb_code(test));
  std::vector<ModelPtr> models = models::Library().standard();
  models.push_back(event_model("all", "alive - {tid}"));
  models.push_back(nullptr);
  for (const ModelPtr& model : models) {
    const std::size_t steps = step_view(program, model.get(), Fairness::weak, {})->nodes.size();
    const std::size_t events = event_view(program, model.get(), {})->nodes.size();
    CHECK(step_view(program, model.get(), Fairness::weak, {steps, nullptr}));
    CHECK_FALSE(step_view(program, model.get(), Fairness::strong, {steps - 1, nullptr}));
    CHECK(event_view(program, model.get(), {events, nullptr}));
    CHECK_FALSE(event_view(program, model.get(), {events - 1, nullptr}));
  }
  const std::atomic<bool> stop{true};
  CHECK_FALSE(event_view(program, nullptr, {1000, &stop}));
}

namespace {

class GuaranteesAll final : public models::Model {
 public:
  explicit GuaranteesAll(bool remembers) : Model("all", "", "all"), remembers_(remembers) {}
  bool history_determined() const override { return !remembers_; }
  ThreadSet fair(const headway::Topology& topology, const models::History&) const override {
    return ThreadSet::first(topology.threads());
  }

 private:
  bool remembers_;
};

}  // namespace

TEST_CASE("checker/labelled_graph: a model must not guarantee anything to a terminated thread") {
  const Test test = litmus("spin-mutex");
  const lang::axb::AxbProgram program(testing::axb_code(test));
  for (const bool remembers : {false, true}) {
    const GuaranteesAll model(remembers);
    const auto steps = testing::error_of([&] { step_view(program, &model, Fairness::weak, {}); });
    REQUIRE(steps);
    CHECK(testing::contains(steps->what(), "expected only threads that are alive"));
    const auto events = testing::error_of([&] { event_view(program, &model, {}); });
    REQUIRE(events);
    CHECK(testing::contains(events->what(), "expected only threads that are alive"));
  }
}

TEST_CASE(
    "checker/labelled_graph: of groups a step and the end behind it are one of the step view") {
  const std::string events = (testing::source_dir() / "models/events").string();
  const std::vector<std::string> names = {
      "CUDA", "HSA", "workgroup=HSA+OBE,thread=LOBE",
      "workgroup=" + events + "/obe.yaml,thread=" + events + "/hsa_obe.yaml"};
  std::size_t pairs = 0, ends = 0;
  for (const char* name : {"mp-groupid-drawn", "producer-consumer-of-subgroups",
                           "subgroup-lock-done-lockstep", "grid-barrier-blocked"}) {
    const auto path = testing::source_dir() / "litmus/scoped" / (name + std::string(".litmus"));
    const auto program = lang::make_program(lang::parse(read_file(path), path.string()));
    for (const std::string& model_name : names) {
      const ModelPtr model = models::Library().find(model_name);
      const LabelledGraph one = *step_view(*program, model.get(), Fairness::weak, {});
      const LabelledGraph two = *event_view(*program, model.get(), {});
      const Edges steps = edges_of(one), halves = edges_of(two);
      const auto half = [&](std::uint32_t node, Label::Kind kind, int thread) {
        for (const auto& [label, to] : halves[node]) {
          if (label.kind == kind && label.thread == thread) return std::optional(to);
        }
        return std::optional<std::uint32_t>();
      };
      CAPTURE(name);
      CAPTURE(model_name);
      std::set<std::pair<std::uint32_t, std::uint32_t>> seen = {{0, 0}};
      std::vector<std::pair<std::uint32_t, std::uint32_t>> queue = {{0, 0}};
      while (!queue.empty()) {
        const auto [p, q] = queue.back();
        queue.pop_back();
        const bool over = one.nodes[p].history.alive(program->threads()).empty();
        if (!over) REQUIRE(one.nodes[p].fair == two.nodes[q].fair);
        for (const auto& [label, to] : steps[p]) {
          std::uint32_t next = half(q, Label::Kind::step, label.thread).value();
          if (one.nodes[to].history.terminated.contains(label.thread)) {
            next = half(next, Label::Kind::terminate, label.thread).value();
            ++ends;
          }
          if (seen.emplace(to, next).second) queue.emplace_back(to, next);
        }
      }
      pairs += seen.size();
    }
  }
  CHECK(pairs > 1000);
  CHECK(ends > 1000);
}
