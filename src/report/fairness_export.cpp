#include "report/fairness_export.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/text/names.hpp"
#include "report/lts.hpp"

namespace headway::report {
namespace {

using checker::LabelledGraph;
using models::Fairness;

// What is owed in each node: threads that are guaranteed and have a step.
std::vector<ThreadSet> owed_sets(const LabelledGraph& graph) {
  std::vector<ThreadSet> owed(graph.nodes.size());
  for (const auto& edge : graph.edges) {
    const ThreadSet self = ThreadSet::single(edge.label.thread);
    owed[edge.from] |= self & graph.nodes[edge.from].fair.threads;
  }
  return owed;
}

// "0&!1": the proposition of this thread and no other; -1: of none.
std::string proposition(int thread, int threads) {
  std::string text;
  for (int t = 0; t < threads; ++t) {
    text += fmt::format("{}{}{}", t > 0 ? "&" : "", t == thread ? "" : "!", t);
  }
  return text;
}

class HoaWriter {
 public:
  HoaWriter(const LabelledGraph& graph, Fairness fairness)
      : graph_(graph), weak_(fairness == Fairness::weak), threads_(graph.topology.threads()) {
    owed_ = owed_sets(graph);
    if (weak_) return;
    for (std::size_t n = 0; n < owed_.size(); ++n) {
      for (const int t : owed_[n]) pairs_.emplace(std::pair(n, t), pairs_.size());
    }
  }

  std::string text(const std::string& name) const {
    std::string text = "HOA: v1\n";
    text += fmt::format("name: \"{}\"\nStates: {}\nStart: 0\nAP: {}", name, graph_.nodes.size(),
                        threads_);
    for (int t = 0; t < threads_; ++t) text += fmt::format(" \"step{}\"", t);
    text += "\n" + acceptance() + "properties: trans-labels explicit-labels trans-acc\n--BODY--\n";
    std::size_t next = 0;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      text += fmt::format("State: {}\n", n);
      const std::size_t first = next;
      for (; next < graph_.edges.size() && graph_.edges[next].from == n; ++next) {
        const auto& edge = graph_.edges[next];
        text += fmt::format("[{}] {}{}\n", proposition(edge.label.thread, threads_), edge.to,
                            marks(n, edge.label.thread));
      }
      // Nobody can step, and somebody waits: such an execution counts as one that never ends.
      const auto& node = graph_.nodes[n];
      if (next == first && !node.history.blocked.empty() && node.failed.empty()) {
        text += fmt::format("[{}] {}{}\n", proposition(-1, threads_), n, marks(n, -1));
      }
    }
    return text + "--END--\n";
  }

 private:
  std::string acceptance() const {
    std::string text;
    if (weak_) {
      for (int t = 0; t < threads_; ++t) text += fmt::format("{}Inf({})", t > 0 ? "&" : "", t);
      return fmt::format("acc-name: generalized-Buchi {0}\nAcceptance: {0} {1}\n", threads_, text);
    }
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      text += fmt::format("{}(Fin({})|Inf({}))", p > 0 ? "&" : "", 2 * p, 2 * p + 1);
    }
    return fmt::format("acc-name: Streett {}\nAcceptance: {} {}\n", pairs_.size(),
                       2 * pairs_.size(), text.empty() ? "t" : text);
  }

  // The acceptance sets of a step of `thread` from `node`; " {0 2}".
  std::string marks(std::size_t node, int thread) const {
    std::vector<std::size_t> sets;
    for (int t = 0; t < threads_; ++t) {
      if (weak_) {
        if (t == thread || !owed_[node].contains(t)) sets.push_back(static_cast<std::size_t>(t));
      } else if (owed_[node].contains(t)) {
        const std::size_t pair = pairs_.at({node, t});
        sets.push_back(2 * pair);
        if (t == thread) sets.push_back(2 * pair + 1);
      }
    }
    return sets.empty() ? "" : fmt::format(" {{{}}}", fmt::join(sets, " "));
  }

  const LabelledGraph& graph_;
  const bool weak_;
  const int threads_;
  std::vector<ThreadSet> owed_;
  std::map<std::pair<std::size_t, int>, std::size_t> pairs_;  // of the Streett condition
};

std::string either(const std::set<std::string>& labels) {
  std::string text;
  for (const std::string& label : labels) {
    text += fmt::format("{}\"{}\"", text.empty() ? "" : " or ", label);
  }
  return labels.empty() ? "false" : text;
}

}  // namespace

std::string fair_executions_hoa(const LabelledGraph& graph, Fairness fairness,
                                const std::string& name) {
  return HoaWriter(graph, fairness).text(printable(name));
}

std::string fails_mcl(const LabelledGraph& graph, Fairness fairness, const std::string& name) {
  std::string title = printable(name);  // which must not end the comment
  for (std::size_t at = 0; (at = title.find("*)", at)) != std::string::npos;) {
    title.insert(at + 1, " ");
  }
  std::string text = fmt::format(
      "(* {}, {} fairness: TRUE exactly if the test fails.\n"
      "   It is about the transition system that 'headway lts --model' writes of it:\n"
      "   bcg_io test.aut test.bcg; bcg_open test.bcg evaluator5 test.mcl *)\n\n",
      title, to_string(fairness));
  if (fairness == Fairness::weak) {
    // Each thread steps, or is not guaranteed, again and again.
    text += "< true* > < ";
    for (int t = 0; t < graph.topology.threads(); ++t) {
      std::set<std::string> labels;
      for (const auto& edge : graph.edges) {
        if (edge.label.thread == t || !edge.label.fair.threads.contains(t)) {
          labels.insert(lts_label(edge.label, graph));
        }
      }
      text += fmt::format("{}\n  true* . ( {} )", t > 0 ? " ." : "", either(labels));
    }
    return text + "\n> @\n";
  }
  // Some states that guaranteed steps do not leave, and in which one can go on for ever.
  std::set<std::string> guaranteed;
  for (const auto& edge : graph.edges) {
    if (edge.label.fair.threads.contains(edge.label.thread)) {
      guaranteed.insert(lts_label(edge.label, graph));
    }
  }
  return text +
         fmt::format("< true* > nu X . (\n  < true > X and\n  [ {} ] X\n)\n", either(guaranteed));
}

}  // namespace headway::report
