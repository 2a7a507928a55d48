#include "synth/sat/shape_search.hpp"

#include <algorithm>
#include <cadical.hpp>
#include <cassert>
#include <chrono>
#include <numeric>

namespace headway::synth::sat {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

ShapeSearch::ShapeSearch(const Bounds& bounds, const Shape& shape, const Requirements& requirements,
                         const std::vector<Filter>& filters)
    : space_(bounds, shape),
      box_(space_),
      lts_(box_),
      encoding_(space_, requirements),
      requirements_(requirements),
      solver_(std::make_unique<CaDiCaL::Solver>()),
      program_(space_.size()) {
  for (std::size_t f = 0; f < filters.size(); ++f) verdicts_.emplace_back(box_, filters, f);
  solver_->set("quiet", 1);
  for (const Premise& premise : encoding_.premises()) add(premise.clause);
  int variables = encoding_.variables();
  for (const BoxVerdict& verdict : verdicts_) {
    Clause& some = has_cycle_.emplace_back();
    for (std::size_t c = 0; c < verdict.cycles().size(); ++c) some.push_back(++variables);
    if (!some.empty()) add(some);
  }
}

ShapeSearch::~ShapeSearch() = default;

void ShapeSearch::add(const Clause& clause) {
  for (const int literal : clause) solver_->add(literal);
  solver_->add(0);
}

bool ShapeSearch::propose(const Program& first) {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t at = 0; at < first.size(); ++at) {
    solver_->assume(encoding_.variable(static_cast<int>(at), first[at]));
  }
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

Instructions ShapeSearch::code_of(const Program& program) const {
  Instructions code;
  for (int position = 0; position < space_.size(); ++position) {
    code.push_back(space_.positions[position].choices[program[position]]);
  }
  return code;
}

bool ShapeSearch::enumerate(const Found& found, const std::atomic<bool>& stop) {
  for (const axb::Instruction& first : space_.positions[0].choices) {
    if (!enumerate({first}, found, stop)) return false;
  }
  return true;
}

bool ShapeSearch::advance(std::uint64_t effort, const Found& found, const std::atomic<bool>& stop) {
  for (; effort > 0 && !stop; --effort) {
    if (!propose({})) return true;
    if (reject()) continue;
    ++statistics_.found;
    add(encoding_.excluding(program_));
    if (!found(code_of(program_))) return false;
  }
  return false;
}

// First instructions that are done with are ruled out for good, so that the solver can forget the
// clauses that excluded their tests one by one; without that they make every later proposal slower.
bool ShapeSearch::enumerate(const Instructions& first, const Found& found,
                            const std::atomic<bool>& stop) {
  Program choices;
  for (std::size_t at = 0; at < first.size(); ++at) {
    const int choice = space_.choice_of(static_cast<int>(at), first[at]);
    choices.push_back(static_cast<std::uint16_t>(choice));
  }
  assert(parts_.empty() || parts_.begin()->first.size() == choices.size());
  Part& part = parts_[choices];
  for (const Program& program : part.found) {
    if (stop || !found(code_of(program))) return false;
  }
  while (!part.done) {
    if (stop) return false;
    if (!propose(choices)) {
      part.done = true;
      Clause others;
      for (std::size_t at = 0; at < choices.size(); ++at) {
        others.push_back(-encoding_.variable(static_cast<int>(at), choices[at]));
      }
      add(others);
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

bool ShapeSearch::refutes(const Reason& reason) {
  return reason.filter < 0 ? lts_.refutes(reason) : verdicts_[reason.filter].refutes(reason.steps);
}

// Makes a clause of every reason why the proposed program is not wanted; false if there is none.
bool ShapeSearch::reject() {
  std::vector<Reason> reasons;
  box_.reset(program_);
  const auto consider = [&](const Reason& reason) {
    if (refutes(reason)) reasons.push_back(reason);
  };
  for (int position = 0; position < space_.size(); ++position) {
    const Position& at = space_.positions[position];
    const axb::Instruction& i = at.choices[program_[position]];
    if (!at.is_store(i)) {
      consider({Constraint::all_branches_possible, position, true, -1, {}});
      consider({Constraint::all_branches_possible, position, false, -1, {}});
    }
    if (requirements_.effective_stores && i.exchanges) {
      consider({Constraint::effective_stores, position, false, -1, {}});
    }
  }
  consider({Constraint::possible_termination, -1, false, -1, {}});
  consider({Constraint::non_termination_cycle, -1, false, -1, {}});
  for (std::size_t filter = 0; filter < verdicts_.size(); ++filter) {
    Reason verdict;
    verdict.filter = static_cast<int>(filter);
    if (has_cycle_[filter].empty()) consider(verdict);
    for (std::size_t c = 0; c < has_cycle_[filter].size(); ++c) {
      if (solver_->val(has_cycle_[filter][c]) < 0) continue;
      verdict.steps = verdicts_[filter].cycles()[c];
      consider(verdict);
    }
  }
  for (const Reason& reason : reasons) explain(reason);
  return !reasons.empty();
}

// Adds choices to a position if `reason` still refutes the box then. An instruction that can do
// nothing new needs no new look, except the one that the reason is about.
bool ShapeSearch::widen(const Reason& reason, int position, std::span<const int> choices) {
  if (position == reason.position) {
    for (const int choice : choices) {
      if (!lts_.concerns(reason, choice)) return false;
    }
  }
  const bool is_new = box_.allow(position, choices);
  if ((!is_new && position != reason.position) || refutes(reason)) return true;
  box_.undo();
  return false;
}

// Widens the one program to a box as large as is quickly found: whole instructions first, then
// single choices. The order matters for the size of the box only.
void ShapeSearch::explain(const Reason& reason) {
  box_.reset(program_);
  std::vector<int> all;
  for (int position = 0; position < space_.size(); ++position) {
    all.resize(space_.positions[position].choices.size());
    std::iota(all.begin(), all.end(), 0);
    widen(reason, position, all);
  }
  for (int position = 0; position < space_.size(); ++position) {
    const int choices = static_cast<int>(space_.positions[position].choices.size());
    for (int choice = 0; choice < choices; ++choice) {
      if (!box_.box()[position][choice]) widen(reason, position, {&choice, 1});
    }
  }
  Clause clause = encoding_.excluding(box_.box());
  if (!reason.steps.empty()) {
    const auto& cycles = verdicts_[reason.filter].cycles();
    const auto at = std::find(cycles.begin(), cycles.end(), reason.steps) - cycles.begin();
    clause.push_back(-has_cycle_[reason.filter][at]);
  }
  add(clause);
  ++statistics_.rejections;
  if (keep_) rejections_.push_back({std::move(clause), Ground::reason, reason.position, reason});
}

}  // namespace headway::synth::sat
