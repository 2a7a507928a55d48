#include "checker/lts/analysis.hpp"

namespace headway::checker {

bool Analysis::explore(const lang::Program& program, const ExploreOptions& options) {
  signs_ = options.signs;
  prepared_ = false;
  program_ = &program;
  lts_ = explorer_.explore(program, options);
  stopped_by_ = explorer_.stopped_by();
  return lts_ != nullptr;
}

std::optional<Analysis::View> Analysis::under(const models::Model& model, std::size_t max_states) {
  assert(lts_ != nullptr);
  View view;
  bool complete = true;
  if (model.history_determined()) {
    fair_.annotate(*lts_, model);
    complete = prepared_ || cycles_.prepare(*lts_, signs_);
    prepared_ = complete;
    view.lts_ = lts_;
    view.fair_ = &fair_;
    view.cycles_ = &cycles_;
  } else {
    complete = product_.build(*program_, *lts_, model, max_states, signs_);
    if (complete) complete = product_cycles_.prepare(product_.lts(), signs_);
    view.lts_ = &product_.lts();
    view.fair_ = &product_.fair_sets();
    view.cycles_ = &product_cycles_;
  }
  if (complete) return view;
  stopped_by_ = signs_.seen() != Limit::none ? signs_.seen() : Limit::states;
  return std::nullopt;
}

Verdict Analysis::View::verdict(models::Fairness fairness, std::vector<StateIds>* all) const {
  if (!lts_->stuck().empty() && all == nullptr) return Verdict::fail;
  const FairCycles::Answer answer = fairness == models::Fairness::weak
                                        ? cycles_->weak(*fair_, all)
                                        : cycles_->strong(*fair_, all);
  if (answer == FairCycles::Answer::stopped) return Verdict::unknown;
  const bool fails = answer == FairCycles::Answer::yes || !lts_->stuck().empty();
  return fails ? Verdict::fail : Verdict::pass;
}

}  // namespace headway::checker
