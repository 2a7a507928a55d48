#include "checker/explain.hpp"

#include <algorithm>
#include <stdexcept>

namespace headway::checker {
namespace {

class Explainer {
 public:
  Explainer(const lang::Program& program, const models::Model& model, Fairness fairness,
            const CheckOptions& options)
      : program_(program), model_(model), fairness_(fairness), options_(options) {}

  Explanation run() {
    const std::size_t most =
        std::min(options_.max_states, options_.max_memory / lts_bytes_a_state(program_));
    const bool explored =
        analysis_.explore(program_, {model_.looks_at_started(), most, options_.signs(), true});
    if (auto way = analysis_.way_to_failure()) {
      result_.verdict = Verdict::error;
      result_.states = analysis_.states();
      result_.replay = replay(program_, model_, fairness_, {*way, {}});
      result_.error = std::move(*way);
      return std::move(result_);
    }
    if (!explored) return std::move(result_);
    const auto view = analysis_.under(model_, most);
    if (!view) return std::move(result_);
    lts_ = &view->lts();
    fair_ = &view->fair();
    result_.states = lts_->states();
    std::vector<StateIds> components;
    const Verdict verdict = view->verdict(fairness_, &components);
    const bool shown = verdict == Verdict::fail      ? show_witness(components)
                       : verdict != Verdict::pass    ? false
                       : fairness_ == Fairness::weak ? break_weakly(view->components())
                                                     : break_strongly();
    if (shown) result_.verdict = verdict;
    return std::move(result_);
  }

 private:
  // This and the next two return false when they were stopped.
  bool show_witness(const std::vector<StateIds>& components) {
    if (!lts_->stuck().empty()) {
      result_.witness = find_stuck_witness(*lts_);
    } else if (fairness_ == Fairness::weak) {
      result_.witness = find_weak_witness(*lts_, *fair_, components, options_.signs());
    } else {
      result_.witness = find_strong_witness(*lts_, *fair_, components, options_.signs());
    }
    if (!result_.witness) return false;
    result_.replay = replay(program_, model_, fairness_, result_.witness->lasso);
    if (result_.replay.objection) {
      throw std::logic_error("a witness does not replay: " + *result_.replay.objection);
    }
    return true;
  }

  bool break_weakly(const Components& components) {
    for (std::size_t c = 0; c < components.size(); ++c) {
      const auto states = components.states(c);
      GroupSet always = fair_->owed(*lts_, states.front());
      for (StateId state : states) always &= fair_->owed(*lts_, state);
      BrokenCycle broken;
      broken.states = states.size();
      broken.steps = components.steps(c);
      broken.breakers = always - groups_of(lts_->topology(), components.steps(c));
      broken.example = way_out(states.front(), broken.breakers);
      add(broken, states.front());
    }
    sort();
    return true;
  }

  // The rounds of FairCycles::strong(), this time for the record.
  bool break_strongly() {
    Components components;
    std::vector<bool> kept;
    if (!components.compute(*lts_, options_.signs())) return false;
    for (int round = 1; components.size() > 0; ++round) {
      kept.assign(lts_->states(), false);
      for (std::size_t c = 0; c < components.size(); ++c) {
        BrokenCycle broken;
        broken.round = round;
        broken.states = components.states(c).size();
        broken.steps = components.steps(c);
        StateId first = kNoState;
        for (StateId state : components.states(c)) {
          const GroupSet out = fair_->owed(*lts_, state) -
                               groups_of(lts_->topology(), components.staying(*lts_, state));
          kept[state] = out.empty();
          broken.remaining += out.empty() ? 1 : 0;
          if (out.empty()) continue;
          broken.breakers |= out;
          if (first == kNoState) {
            first = state;
            broken.example = way_out(state, out);
          }
        }
        add(broken, components.states(c).front());
      }
      if (!components.compute(*lts_, options_.signs(), kept)) return false;
    }
    sort();
    return true;
  }

  void add(BrokenCycle broken, StateId first) {
    order_.emplace_back(std::pair(broken.round, first), order_.size());
    unsorted_.push_back(std::move(broken));
  }

  void sort() {
    std::sort(order_.begin(), order_.end());
    for (const auto& [key, index] : order_) result_.broken.push_back(std::move(unsorted_[index]));
  }

  // A guaranteed step from `state` of the outermost of some groups.
  WayOut way_out(StateId state, const GroupSet& groups) const {
    const Topology& topology = lts_->topology();
    WayOut out;
    out.from = moment(state);
    for (const Level level : kLevels) {
      if (!topology.has(level) || groups.at(topology, level).empty()) continue;
      const int group = groups.at(topology, level).min();
      out.group.at(topology, level) = ThreadSet::single(group);
      const ThreadSet running = lts_->history(state).ready(lts_->threads());
      out.thread = (threads_of(topology, level, group) & running).min();
      break;
    }
    return out;
  }

  Moment moment(StateId state) const {
    Moment moment;
    moment.state.assign(lts_->words(state), lts_->words(state) + program_.words());
    lang::Program::forget(moment.state.data(), program_.threads());
    moment.history = lts_->history(state);
    moment.selected = fair_->fair(*lts_, state);
    return moment;
  }

  const lang::Program& program_;
  const models::Model& model_;
  const Fairness fairness_;
  const CheckOptions options_;
  Analysis analysis_;
  const Lts* lts_ = nullptr;
  const FairSets* fair_ = nullptr;
  Explanation result_;
  std::vector<BrokenCycle> unsorted_;
  std::vector<std::pair<std::pair<int, StateId>, std::size_t>> order_;  // round and first state
};

}  // namespace

Explanation explain(const lang::Program& program, const models::Model& model, Fairness fairness,
                    const CheckOptions& options) {
  return Explainer(program, model, fairness, options).run();
}

}  // namespace headway::checker
