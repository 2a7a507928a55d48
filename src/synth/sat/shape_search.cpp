#include "synth/sat/shape_search.hpp"

#include <cadical.hpp>
#include <chrono>
#include <numeric>

namespace headway::synth::sat {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

ShapeSearch::ShapeSearch(const Bounds& bounds, const Shape& shape, const Requirements& requirements)
    : space_(bounds, shape),
      lts_(space_),
      encoding_(space_, requirements),
      requirements_(requirements),
      solver_(std::make_unique<CaDiCaL::Solver>()),
      program_(space_.size()),
      parts_(space_.positions[0].choices.size()) {
  solver_->set("quiet", 1);
  for (const Premise& premise : encoding_.premises()) add(premise.clause);
}

ShapeSearch::~ShapeSearch() = default;

void ShapeSearch::add(const Clause& clause) {
  for (const int literal : clause) solver_->add(literal);
  solver_->add(0);
}

bool ShapeSearch::propose(int first) {
  const auto start = std::chrono::steady_clock::now();
  solver_->assume(encoding_.variable(0, first));
  const bool found = solver_->solve() == 10;
  if (found) {
    ++statistics_.proposals;
    for (int position = 0; position < space_.size(); ++position) {
      int choice = 0;
      while (solver_->val(encoding_.variable(position, choice)) < 0) ++choice;
      program_[position] = static_cast<std::uint16_t>(choice);
    }
  }
  statistics_.solving_seconds += seconds_since(start);
  return found;
}

Code ShapeSearch::code_of(const Program& program) const {
  Code code;
  for (int position = 0; position < space_.size(); ++position) {
    code.push_back(space_.positions[position].choices[program[position]]);
  }
  return code;
}

bool ShapeSearch::enumerate(const Found& found, const std::atomic<bool>& stop) {
  for (const lang::Instruction& first : space_.positions[0].choices) {
    if (!enumerate(first, found, stop)) return false;
  }
  return true;
}

// A first instruction that is done with is ruled out for good, so that the solver can forget the
// clauses that excluded its tests one by one; without that they make every later proposal slower.
bool ShapeSearch::enumerate(const lang::Instruction& first, const Found& found,
                            const std::atomic<bool>& stop) {
  const int choice = space_.choice_of(0, first);
  Part& part = parts_[choice];
  for (const Program& program : part.found) {
    if (stop || !found(code_of(program))) return false;
  }
  while (!part.done) {
    if (stop) return false;
    if (!propose(choice)) {
      part.done = true;
      add({-encoding_.variable(0, choice)});
      break;
    }
    const auto start = std::chrono::steady_clock::now();
    const bool rejected = reject();
    statistics_.explaining_seconds += seconds_since(start);
    if (rejected) continue;
    ++statistics_.found;
    add(encoding_.excluding(program_));
    part.found.push_back(program_);
    if (!found(code_of(program_))) return false;
  }
  return true;
}

// Makes a clause of every reason why the proposed program is no litmus test; false if there is
// none.
bool ShapeSearch::reject() {
  std::vector<Reason> reasons;
  lts_.reset(program_);
  const auto consider = [&](const Reason& reason) {
    if (lts_.refutes(reason)) reasons.push_back(reason);
  };
  for (int position = 0; position < space_.size(); ++position) {
    const Position& at = space_.positions[position];
    const lang::Instruction& i = at.choices[program_[position]];
    if (!at.is_store(i)) {
      consider({Constraint::all_branches_possible, position, true});
      consider({Constraint::all_branches_possible, position, false});
    }
    if (requirements_.effective_stores && i.exchanges) {
      consider({Constraint::effective_stores, position});
    }
  }
  consider({Constraint::possible_termination});
  consider({Constraint::non_termination_cycle});
  for (const Reason& reason : reasons) widen(reason);
  return !reasons.empty();
}

// Widens the one program to a box as large as is quickly found: whole instructions first, then
// single choices. The order matters for the size of the box only.
void ShapeSearch::widen(const Reason& reason) {
  lts_.reset(program_);
  std::vector<int> all;
  for (int position = 0; position < space_.size(); ++position) {
    all.resize(space_.positions[position].choices.size());
    std::iota(all.begin(), all.end(), 0);
    lts_.widen(reason, position, all);
  }
  for (int position = 0; position < space_.size(); ++position) {
    const int choices = static_cast<int>(space_.positions[position].choices.size());
    for (int choice = 0; choice < choices; ++choice) {
      if (!lts_.box()[position][choice]) lts_.widen(reason, position, {&choice, 1});
    }
  }
  Clause clause = encoding_.excluding(lts_.box());
  add(clause);
  ++statistics_.rejections;
  if (keep_) rejections_.push_back({std::move(clause), Ground::reason, reason.position, reason});
}

}  // namespace headway::synth::sat
