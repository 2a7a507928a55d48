// What other tools are told of fairness, judged here as they would: nothing of this file but the
// verdicts comes from the checker.
#include "report/fairness_export.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "checker/check.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "report/lts.hpp"
#include "support/budget.hpp"
#include "support/files.hpp"
#include "support/texts.hpp"

using namespace headway;
using checker::Verdict;
using models::Fairness;

namespace {

struct MarkedEdge {
  int from, to;
  std::set<int> marks;
};

// Streett conditions: a cycle that has the first mark of a pair has the second one, too. Whether
// some cycle among `edges`, all of them reachable, meets all.
bool has_accepting_cycle(int states, std::vector<MarkedEdge> edges,
                         const std::vector<std::pair<int, int>>& pairs) {
  // Components by reachability there and back, which is slow and plain.
  std::vector<std::vector<bool>> reach(states, std::vector<bool>(states, false));
  for (const MarkedEdge& edge : edges) reach[edge.from][edge.to] = true;
  for (int k = 0; k < states; ++k) {
    for (int i = 0; i < states; ++i) {
      if (!reach[i][k]) continue;
      for (int j = 0; j < states; ++j) reach[i][j] = reach[i][j] || reach[k][j];
    }
  }
  for (int s = 0; s < states; ++s) {
    if (!reach[s][s]) continue;
    std::vector<MarkedEdge> inside;
    std::set<int> seen;
    for (const MarkedEdge& edge : edges) {
      if (!reach[s][edge.from] || !reach[edge.from][s] || !reach[edge.to][s]) continue;
      if (!reach[s][edge.to]) continue;
      inside.push_back(edge);
      seen.insert(edge.marks.begin(), edge.marks.end());
    }
    std::set<int> banned;
    for (const auto& [fin, inf] : pairs) {
      if (seen.contains(fin) && !seen.contains(inf)) banned.insert(fin);
    }
    if (banned.empty()) return true;
    std::vector<MarkedEdge> rest;
    for (const MarkedEdge& edge : inside) {
      const bool bad = std::any_of(edge.marks.begin(), edge.marks.end(),
                                   [&](int mark) { return banned.contains(mark); });
      if (!bad) rest.push_back(edge);
    }
    if (has_accepting_cycle(states, rest, pairs)) return true;
  }
  return false;
}

// Whether an automaton in HOA accepts anything. Its states are all reachable.
bool accepts_something(const std::string& hoa) {
  std::istringstream lines(hoa);
  int states = 0, from = -1;
  std::vector<std::pair<int, int>> pairs;
  std::vector<MarkedEdge> edges;
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (line.starts_with("States: ")) states = std::stoi(line.substr(8));
    if (line.starts_with("State: ")) from = std::stoi(line.substr(7));
    if (line.starts_with("Acceptance: ")) {
      const std::string text = line;
      const std::regex streett(R"(\(Fin\((\d+)\)\|Inf\((\d+)\)\))"), buchi(R"(Inf\((\d+)\))");
      for (std::sregex_iterator i(text.begin(), text.end(), streett), end; i != end; ++i) {
        pairs.emplace_back(std::stoi((*i)[1]), std::stoi((*i)[2]));
      }
      if (!pairs.empty() || text.find("Inf") == std::string::npos) continue;
      for (std::sregex_iterator i(text.begin(), text.end(), buchi), end; i != end; ++i) {
        pairs.emplace_back(-1, std::stoi((*i)[1]));  // every edge has the mark -1
      }
    }
    if (std::regex_match(line, found, std::regex(R"(\[[^\]]*\] (\d+)(?: \{([\d ]*)\})?)"))) {
      MarkedEdge edge{from, std::stoi(found[1]), {-1}};
      std::istringstream marks(found[2].str());
      for (int mark = 0; marks >> mark;) edge.marks.insert(mark);
      edges.push_back(edge);
    }
  }
  return has_accepting_cycle(states, edges, pairs);
}

std::set<std::string> labels_in(const std::string& text) {
  std::set<std::string> labels;
  const std::regex label("\"([^\"]*)\"");
  for (std::sregex_iterator i(text.begin(), text.end(), label), end; i != end; ++i) {
    labels.insert((*i)[1]);
  }
  return labels;
}

// Whether the formula holds of the system in .aut.
bool holds(const std::string& mcl, const std::string& aut) {
  struct Edge {
    int from;
    std::string label;
    int to;
  };
  std::vector<Edge> edges;
  std::istringstream lines(aut);
  int states = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_match(line, found, std::regex(R"(des \(0, \d+, (\d+)\))"))) {
      states = std::stoi(found[1]);
    } else if (std::regex_match(line, found, std::regex("\\((\\d+), \"([^\"]*)\", (\\d+)\\)"))) {
      edges.push_back({std::stoi(found[1]), found[2], std::stoi(found[3])});
    }
  }
  const std::string formula = mcl.substr(mcl.find("*)\n"));
  if (formula.find("nu X") != std::string::npos) {
    const std::set<std::string> guaranteed = labels_in(formula);
    std::vector<bool> in(states, true);
    for (bool changed = true; changed;) {
      changed = false;
      for (int s = 0; s < states; ++s) {
        bool some = false, all = true;
        for (const Edge& edge : edges) {
          if (edge.from != s) continue;
          some = some || in[edge.to];
          all = all && (in[edge.to] || !guaranteed.contains(edge.label));
        }
        if (in[s] && !(some && all)) in[s] = false, changed = true;
      }
    }
    return std::find(in.begin(), in.end(), true) != in.end();
  }
  std::vector<MarkedEdge> marked;
  for (const Edge& edge : edges) marked.push_back({edge.from, edge.to, {-1}});
  std::vector<std::pair<int, int>> pairs;
  std::istringstream parts(formula);
  for (std::string line; std::getline(parts, line);) {
    if (line.find("true* . (") == std::string::npos) continue;
    const std::set<std::string> labels = labels_in(line);
    const int mark = static_cast<int>(pairs.size());
    pairs.emplace_back(-1, mark);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (labels.contains(edges[e].label)) marked[e].marks.insert(mark);
    }
  }
  return has_accepting_cycle(states, marked, pairs);
}

// Compares for all standard models; returns how many tests fail.
int compare(const lang::Test& test, bool with_mcl) {
  const auto models = models::Library().standard();
  const auto program = lang::make_program(test);
  checker::Checker checker;
  const auto verdicts = checker.check(*program, models).verdicts;
  int failing = 0;
  for (std::size_t m = 0; m < models.size(); ++m) {
    for (const Fairness fairness : models::kFairnesses) {
      CAPTURE(test.name);
      CAPTURE(models[m]->name());
      CAPTURE(to_string(fairness));
      const bool fails = verdicts[m].of(fairness) == Verdict::fail;
      failing += fails;
      const auto graph = checker::step_view(*program, models[m].get(), fairness, {});
      REQUIRE(graph);
      CHECK(accepts_something(report::fair_executions_hoa(*graph, fairness, "t")) == fails);
      if (!with_mcl) continue;
      CHECK(holds(report::fails_mcl(*graph, fairness, "t"), report::lts_aut(*graph)) == fails);
    }
  }
  return failing;
}

}  // namespace

TEST_CASE("report/fairness_export: automata and formulas say what the checker decides") {
  // Campaigns ask for all of them.
  const int share = testing::is_campaign() ? 1 : 4;
  int failing = 0, tests = 0;
  for (const lang::Test& test : testing::published_tests()) {
    if (tests++ % share != 0) continue;
    failing += compare(test, true);
  }
  // Of 184 tests with twelve verdicts each.
  CHECK(failing > 600 / share);
  CHECK(failing < (184 * 12 - 200) / share);
  compare(
      lang::parse("locations x; thread 0 { x = 1; } thread 1 { while (Load(x) == 0); } thread 2 "
                  "{ while (Exch(x, 0) == 0); }",
                  "three"),
      true);
}

TEST_CASE("report/fairness_export: a name does not end the comment of a formula") {
  const lang::Test test = lang::parse("locations x; thread 0 { x = 1; }", "t");
  const auto program = lang::make_program(test);
  const auto fair = models::Library().named("fair");
  const auto graph = checker::step_view(*program, fair.get(), Fairness::weak, {});
  REQUIRE(graph);
  const std::string mcl = report::fails_mcl(*graph, Fairness::weak, "a *) b");
  CHECK(mcl.find("*)") == mcl.rfind("*)"));
  CHECK(mcl.starts_with("(* a * ) b, weak fairness"));
}

TEST_CASE("report/fairness_export: nobody being able to step counts as never ending") {
  CHECK(compare(lang::parse("shared bool x, y; thread 0 { await(load(x)); store(y, 1); } "
                            "thread 1 { await(load(y)); store(x, 1); }",
                            "stuck"),
                false) == 12);
  CHECK(compare(lang::parse("shared bool x; thread 0 { await(load(x)); } thread 1 { store(x, 1); }",
                            "waits"),
                false) == 0);
  compare(lang::parse("shared bool x; thread 0 { while (choose(0..1) == 0) load(x); } "
                      "thread 1 { store(x, 1); }",
                      "chooses"),
          false);
}
