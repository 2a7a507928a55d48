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
    if (!annotate()) return std::move(result_);
    result_.states = lts_->states();
    FairCycles cycles;
    cycles.prepare(*lts_);
    std::vector<FairCycles::StateSet> components;
    const bool fails = fairness_ == Fairness::weak ? cycles.has_weak(*fair_, &components)
                                                   : cycles.has_strong(*fair_, &components);
    result_.verdict = fails ? Verdict::fail : Verdict::pass;
    if (fails) {
      show_witness(components);
    } else if (fairness_ == Fairness::weak) {
      break_weakly(cycles.components());
    } else {
      break_strongly();
    }
    return std::move(result_);
  }

 private:
  bool annotate() {
    const std::size_t most =
        std::min(options_.max_states, options_.max_memory / lts_bytes_a_state(program_));
    ExploreOptions explore{model_.looks_at_started(), most, options_.stop, options_.deadline, true};
    lts_ = explorer_.explore(program_, explore);
    if (auto way = explorer_.way_to_failure()) {
      result_.verdict = Verdict::error;
      result_.states = explorer_.explored_states();
      result_.replay = replay(program_, model_, fairness_, {*way, {}});
      result_.error = std::move(*way);
      return false;
    }
    if (lts_ == nullptr) return false;
    if (model_.history_determined()) {
      own_.annotate(*lts_, model_);
      fair_ = &own_;
      return true;
    }
    if (!product_.build(*lts_, model_, most)) return false;
    lts_ = &product_.lts();
    fair_ = &product_.fair_sets();
    return true;
  }

  void show_witness(const std::vector<FairCycles::StateSet>& components) {
    result_.witness = fairness_ == Fairness::weak ? find_weak_witness(*lts_, *fair_, components)
                                                  : find_strong_witness(*lts_, *fair_, components);
    result_.replay = replay(program_, model_, fairness_, result_.witness->lasso);
    if (result_.replay.objection) {
      throw std::logic_error("a witness does not replay: " + *result_.replay.objection);
    }
  }

  void break_weakly(const Components& components) {
    for (std::size_t c = 0; c < components.size(); ++c) {
      const auto states = components.states(c);
      ThreadSet always = ThreadSet::first(lts_->threads());
      for (StateId state : states) always &= fair_->fair(*lts_, state);
      BrokenCycle broken;
      broken.states = states.size();
      broken.steps = components.steps(c);
      broken.breakers = always - components.steps(c);
      broken.example = {moment(states.front()), broken.breakers.min()};
      add(broken, states.front());
    }
    sort();
  }

  // The rounds of FairCycles::has_strong(), this time for the record.
  void break_strongly() {
    Components components;
    std::vector<bool> kept;
    components.compute(*lts_);
    for (int round = 1; components.size() > 0; ++round) {
      kept.assign(lts_->states(), false);
      for (std::size_t c = 0; c < components.size(); ++c) {
        BrokenCycle broken;
        broken.round = round;
        broken.states = components.states(c).size();
        broken.steps = components.steps(c);
        StateId first = kNoState;
        for (StateId state : components.states(c)) {
          const ThreadSet out = fair_->fair(*lts_, state) & components.leaving(state);
          kept[state] = out.empty();
          broken.remaining += out.empty() ? 1 : 0;
          if (out.empty()) continue;
          broken.breakers |= out;
          if (first == kNoState) {
            first = state;
            broken.example = {moment(state), out.min()};
          }
        }
        add(broken, components.states(c).front());
      }
      components.compute(*lts_, kept);
    }
    sort();
  }

  void add(BrokenCycle broken, StateId first) {
    order_.emplace_back(std::pair(broken.round, first), order_.size());
    unsorted_.push_back(std::move(broken));
  }

  void sort() {
    std::sort(order_.begin(), order_.end());
    for (const auto& [key, index] : order_) result_.broken.push_back(std::move(unsorted_[index]));
  }

  Moment moment(StateId state) const {
    Moment moment;
    moment.state.assign(lts_->words(state), lts_->words(state) + program_.words());
    moment.state[0] &= ~lang::Word{ThreadSet::first(program_.threads()).bits()};
    moment.history = lts_->history(state);
    moment.fair = fair_->fair(*lts_, state);
    return moment;
  }

  const lang::Program& program_;
  const models::Model& model_;
  const Fairness fairness_;
  const CheckOptions options_;
  Explorer explorer_;
  FairSets own_;
  FairProduct product_;
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
