#include "checker/behaviour.hpp"

#include <algorithm>

namespace headway::checker {

// Why bisimilar programs have the same verdicts under every model.
//
// From each state each living thread has exactly one step, so the LTS is deterministic, and the
// threads with a step are those alive: bisimilar states agree on who has terminated, and steps
// between bisimilar states on whether the thread terminates by them. A model is an automaton over
// exactly these events, whatever it remembers. So when s and s' are bisimilar states of two
// programs, (s, m) and (s', m) are bisimilar in the products with the model, they have the same
// history and the same F, and it is enough to compare a product P with its quotient Q: that they
// have fair cycles together. Let [s] be the state of Q that stands for s.
//
// Weak: whether an infinite execution is weakly fair depends on its threads and on F along it, and
// P and Q have the same executions in these terms.
//
// Strong: the criterion is a strongly connected set C of states with a transition that no step of a
// thread in F leaves. For such a C of P, [C] is one of Q: a step of t in F from [s] leads to where
// t leads from s, which is in C. For such a C of Q, take the states of P that stand for states of
// C, with the steps of P among them, and of that graph a strongly connected component B without a
// way out. Each state in it has a step within the graph, because its class has one within C, so B
// has a transition. No step of a thread in F leaves the graph, because none leaves C, and so none
// leaves B.
//
// The quotient is found by Moore's refinement (1956): states are split by who is alive and by the
// blocks that their steps lead to until nothing splits. As the LTS is deterministic, numbering the
// blocks in breadth-first order makes bisimilar programs equal.
std::optional<Behaviour> BehaviourFinder::find(const lang::Program& program,
                                               const CheckOptions& options) {
  const Lts* lts = explorer_.explore(program, {false, options.max_states, options.stop});
  if (lts == nullptr) return std::nullopt;
  const auto threads = static_cast<std::size_t>(lts->threads());
  const std::size_t states = lts->states();
  std::vector<std::uint32_t> block(states, 0), refined(states);
  std::vector<std::uint64_t> row(threads + 1);
  for (std::size_t blocks = 0;;) {
    table_.clear(threads + 1);
    keys_.clear();
    for (StateId state = 0; state < states; ++state) {
      row[threads] = block[state];
      for (std::size_t t = 0; t < threads; ++t) {
        const StateId next = lts->successor(state, static_cast<int>(t));
        row[t] = next == kNoState ? 0 : block[next] + 1;
      }
      refined[state] = table_.find_or_add(row.data(), keys_);
    }
    block.swap(refined);
    if (table_.size() == blocks) break;
    blocks = table_.size();
    if (options.stop != nullptr && *options.stop) return std::nullopt;
  }

  // The latest keys_ hold the rows of the blocks; state 0 is in block 0, and the blocks of the
  // keys are numbered as those of `block`, because the last round split nothing.
  std::vector<std::uint32_t> number(table_.size(), 0), order = {block[0]};
  number[block[0]] = 1;
  Behaviour behaviour = {static_cast<std::uint32_t>(threads)};
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::uint64_t* const steps = keys_.data() + order[at] * (threads + 1);
    for (std::size_t t = 0; t < threads; ++t) {
      if (steps[t] == 0) {
        behaviour.push_back(0);
        continue;
      }
      const std::size_t next = steps[t] - 1;
      if (number[next] == 0) {
        order.push_back(static_cast<std::uint32_t>(next));
        number[next] = static_cast<std::uint32_t>(order.size());
      }
      behaviour.push_back(number[next]);
    }
  }
  return behaviour;
}

}  // namespace headway::checker
