#include "checker/behaviour.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace headway::checker {

// Why bisimilar programs have the same verdicts under every model.
//
// Bisimilar states have steps of the same threads to bisimilar states, the same threads waiting and
// the same threads failed; so they agree on who is running, and on who has ended: everybody else.
// A step ends its thread from both or from neither. A model is an automaton over exactly these
// events, whatever it remembers. So when s and s' are bisimilar states of two programs, (s, m) and
// (s', m) are bisimilar in the products with the model, they have the same history, F and
// obligations, and it is enough to compare a product P with its quotient Q: that they have failed
// states, stuck states and fair cycles together. Of the first two that is plain. Let [s] be the
// state of Q that stands for s.
//
// A model sees the groups of a launch, too, so its shape is part of a behaviour. A fair choice is
// one of a state and not of its class: programs that make any have none.
//
// Weak: whether an infinite execution is weakly fair depends on its threads and on the obligations
// along it, and P and Q have the same executions in these terms.
//
// Strong: the criterion is a strongly connected set C of states with a transition, such that from
// each state of C each thread that is owed a step there has one to a state of C. For such a C of P,
// [C] is one of Q: a step of t from s to a state of C is one from [s] to [C]. For such a C of Q,
// take the states of P that stand for states of C, with the steps of P among them, and of that
// graph a strongly connected component B without a way out. From each state in it each step of [s]
// within C, of an owed thread or not, is there as a step of s in the graph, because s is bisimilar
// to [s]; and as no step of the graph leaves B, it stays in B. There is at least one, so B has a
// transition.
namespace {

// A state of the quotient.
struct Class {
  StateId state = kNoState;  // the first that it stands for
  ThreadSet blocked, failed;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // thread, class; sorted, distinct

  bool deterministic() const {
    return std::adjacent_find(edges.begin(), edges.end(), [](const auto& a, const auto& b) {
             return a.first == b.first;
           }) == edges.end();
  }
};

std::vector<Class> quotient(const Lts& lts, const std::vector<std::uint32_t>& classes,
                            std::size_t count) {
  std::vector<Class> result(count);
  for (StateId state = 0; state < lts.states(); ++state) {
    Class& own = result[classes[state]];
    if (own.state != kNoState) continue;
    own.state = state;
    own.blocked = lts.history(state).blocked;
    for (const Transition& transition : lts.from(state)) {
      own.edges.emplace_back(transition.step.thread, classes[transition.target]);
    }
    std::sort(own.edges.begin(), own.edges.end());
    own.edges.erase(std::unique(own.edges.begin(), own.edges.end()), own.edges.end());
  }
  return result;
}

// The classes in an order that does not depend on how they are numbered. A deterministic quotient
// has that of a breadth-first search, lower threads first; in general classes are ranked by what
// tells them apart, round for round: nothing in a quotient is bisimilar, so every tie is broken.
std::vector<std::uint32_t> canonical_order(const std::vector<Class>& classes) {
  std::vector<std::uint32_t> order;
  if (std::all_of(classes.begin(), classes.end(),
                  [](const Class& own) { return own.deterministic(); })) {
    std::vector<bool> seen(classes.size());
    order.push_back(0);  // state 0 is in class 0
    seen[0] = true;
    // The list grows meanwhile. NOLINTNEXTLINE(modernize-loop-convert)
    for (std::size_t at = 0; at < order.size(); ++at) {
      for (const auto& [thread, target] : classes[order[at]].edges) {
        if (!seen[target]) order.push_back(target);
        seen[target] = true;
      }
    }
    return order;
  }
  using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  using Key = std::tuple<std::uint32_t, ThreadSet, ThreadSet, Edges>;
  std::vector<std::uint32_t> rank(classes.size(), 0);
  for (std::size_t ranks = 0; ranks < classes.size();) {
    std::map<Key, std::vector<std::uint32_t>> members;
    for (std::uint32_t c = 0; c < classes.size(); ++c) {
      Edges edges = classes[c].edges;
      for (auto& [thread, target] : edges) target = rank[target];
      std::sort(edges.begin(), edges.end());
      edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
      members[{rank[c], classes[c].blocked, classes[c].failed, std::move(edges)}].push_back(c);
    }
    assert(members.size() > ranks);
    ranks = members.size();
    std::uint32_t next = 0;
    for (const auto& [key, equal] : members) {
      for (const std::uint32_t c : equal) rank[c] = next;
      ++next;
    }
  }
  order.resize(classes.size());
  for (std::uint32_t c = 0; c < classes.size(); ++c) order[rank[c]] = c;
  return order;
}

void put(Behaviour& behaviour, ThreadSet threads) {
  behaviour.push_back(static_cast<std::uint32_t>(threads.bits()));
  behaviour.push_back(static_cast<std::uint32_t>(threads.bits() >> 32));
}

// The number of threads, of classes, and of the initial class; for each class, from 1, for each
// thread where its steps lead, lowest first and 0 behind the last. Then who waits or has failed,
// where somebody does; and of a launch that is not flat, behind a 0, which is no class, its shape.
// So all of it can be read off, and is equal only where all of it is.
Behaviour encode(const std::vector<Class>& classes, const Topology& launch) {
  const int threads = launch.threads();
  const std::vector<std::uint32_t> order = canonical_order(classes);
  std::vector<std::uint32_t> number(classes.size());
  for (std::uint32_t place = 0; place < order.size(); ++place) number[order[place]] = place + 1;
  Behaviour behaviour = {static_cast<std::uint32_t>(threads),
                         static_cast<std::uint32_t>(classes.size()), number[0]};
  for (const std::uint32_t c : order) {
    auto edges = classes[c].edges;
    for (auto& [thread, target] : edges) target = number[target];
    std::sort(edges.begin(), edges.end());
    auto edge = edges.begin();
    for (std::uint32_t thread = 0; thread < static_cast<std::uint32_t>(threads); ++thread) {
      for (; edge != edges.end() && edge->first == thread; ++edge) {
        behaviour.push_back(edge->second);
      }
      behaviour.push_back(0);
    }
  }
  for (const std::uint32_t c : order) {
    if (classes[c].blocked.empty() && classes[c].failed.empty()) continue;
    behaviour.push_back(number[c]);
    put(behaviour, classes[c].blocked);
    put(behaviour, classes[c].failed);
  }
  if (!launch.is_flat()) {
    behaviour.push_back(0);
    for (int thread = 0; thread < launch.threads(); ++thread) {
      behaviour.push_back(static_cast<std::uint32_t>(launch.group_of(Level::workgroup, thread)));
      behaviour.push_back(static_cast<std::uint32_t>(launch.group_of(Level::subgroup, thread)));
    }
  }
  return behaviour;
}

}  // namespace

std::optional<Behaviour> BehaviourFinder::find(const lang::Program& program,
                                               const CheckOptions& options) {
  if (!analysis_.explore(program, {false, options.max_states, options.signs()})) return {};
  const Lts& lts = analysis_.lts();
  for (StateId state = 0; state < lts.states(); ++state) {
    if (!lts.fair_choices(state).empty()) return {};
  }
  // At first states are told apart by who waits and who has failed.
  std::map<std::pair<ThreadSet, ThreadSet>, std::uint32_t> kinds;
  const auto kind = [&](StateId state, ThreadSet failed) {
    const auto next = static_cast<std::uint32_t>(kinds.size());
    return kinds.try_emplace({lts.history(state).blocked, failed}, next).first->second;
  };
  classes_.assign(lts.states(), kind(0, {}));
  if (program.may_block()) {
    for (StateId state = 0; state < lts.states(); ++state) classes_[state] = kind(state, {});
  }
  for (const StateId state : lts.failed()) {
    classes_[state] = kind(state, program.failed(lts.words(state)));
  }
  const auto edges = [&](StateId state, const auto& edge) {
    for (const Transition& transition : lts.from(state)) {
      edge(transition.step.thread, transition.target);
    }
  };
  const auto count = bisimulation_.refine(edges, classes_, options.signs());
  if (!count) return std::nullopt;
  std::vector<Class> classes = quotient(lts, classes_, *count);
  for (const StateId state : lts.failed()) {
    classes[classes_[state]].failed = program.failed(lts.words(state));
  }
  return encode(classes, program.topology());
}

}  // namespace headway::checker
