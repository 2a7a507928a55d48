#include "checker/lts/components.hpp"

#include <cassert>

namespace headway::checker {
namespace {

// What SccSearch walks through, and where it leaves the number of each state's component.
class KeptStates {
 public:
  KeptStates(const Lts& lts, const StopSigns& signs, const std::vector<bool>& kept,
             const std::vector<ThreadSet>& refused, std::vector<std::uint32_t>& component)
      : lts_(lts), signs_(signs), kept_(kept), refused_(refused), component_(component) {}

  std::uint32_t next(std::uint32_t state, int& cursor) {
    const auto transitions = lts_.from(state);
    while (static_cast<std::size_t>(cursor) < transitions.size()) {
      const auto [target, step] = transitions[cursor++];
      if (!refused_.empty() && refused_[state].contains(step.thread)) continue;
      if (kept_.empty() || kept_[target]) return target;
    }
    return SccSearch::kNone;
  }

  bool component(std::span<const std::uint32_t> members) {
    for (const std::uint32_t member : members) component_[member] = count_;
    if (++count_ % 4096 == 0) stopped_ = signs_.seen() != Limit::none;
    return !stopped_;
  }

  std::uint32_t count() const { return count_; }
  bool stopped() const { return stopped_; }

 private:
  const Lts& lts_;
  const StopSigns& signs_;
  const std::vector<bool>& kept_;
  const std::vector<ThreadSet>& refused_;
  std::vector<std::uint32_t>& component_;
  std::uint32_t count_ = 0;
  bool stopped_ = false;
};

}  // namespace

// kNoState when it was stopped. Numbers are given as components are completed: steps lead to
// components of the same number or a smaller one.
std::size_t Components::number_components(const Lts& lts, const StopSigns& signs,
                                          const std::vector<bool>& kept) {
  component_.resize(lts.states());
  search_.clear(lts.states());
  KeptStates walk(lts, signs, kept, refused_, component_);
  for (StateId state = 0; state < lts.states(); ++state) {
    if (search_.visited(state) || (!kept.empty() && !kept[state])) continue;
    if (!search_.visit(state, walk) || walk.stopped()) return kNoState;
  }
  return walk.count();
}

// Refuses the fair choices that a component has made with a transition that leaves it. Whether
// there were any.
bool Components::refuse_choices(const Lts& lts) {
  bool any = false;
  for (StateId state = 0; state < lts.states(); ++state) {
    if (lts.fair_choices(state).empty()) continue;
    ThreadSet stay, leave;
    for (const auto& [target, step] : lts.from(state)) {
      const bool inside = component_[target] == component_[state] && component_[state] != kNoState;
      (inside ? stay : leave) |= ThreadSet::single(step.thread);
    }
    const ThreadSet now = lts.fair_choices(state) & leave;
    any = any || !(now & stay & (ThreadSet::first(lts.threads()) - refused_[state])).empty();
    refused_[state] |= now;
  }
  return any;
}

bool Components::compute(const Lts& lts, const StopSigns& signs, const std::vector<bool>& kept) {
  const std::size_t states = lts.states();
  refused_.clear();
  if (lts.has_fair_choices()) {
    refused_.resize(states);
    component_.assign(states, kNoState);  // of those that are not kept
  }
  std::size_t all = number_components(lts, signs, kept);
  while (all != kNoState && lts.has_fair_choices() && refuse_choices(lts)) {
    all = number_components(lts, signs, kept);
  }
  steps_.clear();
  if (all == kNoState) return false;

  // Which threads step inside each component, and how many states it has.
  const auto is_kept = [&](StateId state) { return kept.empty() || kept[state]; };
  steps_.assign(all, {});
  begin_.assign(all + 1, 0);
  leaving_.resize(states);
  for (StateId state = 0; state < states; ++state) {
    if (!is_kept(state)) continue;
    ThreadSet stay, leave;
    for (const Transition& transition : lts.from(state)) {
      const StateId target = transition.target;
      const bool refused = !refused_.empty() && refused_[state].contains(transition.step.thread);
      assert(refused || !is_kept(target) || component_[target] <= component_[state]);
      const bool inside = !refused && is_kept(target) && component_[target] == component_[state];
      (inside ? stay : leave) |= ThreadSet::single(transition.step.thread);
    }
    leaving_[state] = leave - stay;
    steps_[component_[state]] |= stay;
    ++begin_[component_[state]];
  }

  // Keep the components that contain a transition, and lay their states out one after another.
  renumbered_.resize(all);
  std::size_t cyclic = 0;
  std::size_t placed = 0;
  for (std::size_t c = 0; c < all; ++c) {
    if (steps_[c].empty()) {
      renumbered_[c] = kNoState;
      continue;
    }
    renumbered_[c] = static_cast<std::uint32_t>(cyclic);
    const std::size_t count = begin_[c];
    steps_[cyclic] = steps_[c];
    begin_[cyclic++] = placed;
    placed += count;
  }
  steps_.resize(cyclic);
  begin_.resize(cyclic + 1);
  begin_[cyclic] = placed;
  states_.resize(placed);
  for (StateId state = 0; state < states; ++state) {
    component_[state] = is_kept(state) ? renumbered_[component_[state]] : kNoState;
    if (component_[state] != kNoState) states_[begin_[component_[state]]++] = state;
  }
  for (std::size_t c = cyclic; c > 0; --c) begin_[c] = begin_[c - 1];  // undo the shift
  begin_[0] = 0;
  assert(begin_[cyclic] == placed);
  return true;
}

}  // namespace headway::checker
