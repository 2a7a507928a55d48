#include "lang/idiom/flow.hpp"

#include <algorithm>
#include <set>

namespace headway::lang::idiom {
namespace {

using InstructionKind = Instruction::Kind;

bool is_inside(const LoopRange& loop, int at) { return loop.head <= at && at < loop.end; }

// Where static blocks begin: behind branches and jumps, where these go, and where a loop, and what
// it does at the end of a round, begins.
std::vector<bool> beginnings(const ThreadCode& thread) {
  std::vector<bool> begins(thread.instructions.size(), false);
  begins[0] = true;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    const Instruction& in = thread.instructions[i];
    const bool parts = in.kind == InstructionKind::branch || in.kind == InstructionKind::jump;
    if (!parts) continue;
    begins[i + 1] = begins[in.target] = true;
  }
  for (const LoopRange& loop : thread.loops) begins[loop.head] = begins[loop.next] = true;
  begins.back() = true;
  return begins;
}

}  // namespace

Flow::Flow(const ThreadCode& thread, Counts counts) : thread_(thread) {
  const auto votes = [&](const LoopRange& loop) {
    return std::any_of(thread.instructions.begin() + loop.head,
                       thread.instructions.begin() + loop.end,
                       [](const Instruction& in) { return in.kind == InstructionKind::meet; });
  };
  for (const LoopRange& loop : thread.loops) {
    counted_.push_back(counts == Counts::all || (counts == Counts::with_votes && votes(loop)));
  }
  const std::vector<bool> begins = beginnings(thread);
  const int size = static_cast<int>(thread.instructions.size());
  block_.resize(thread.instructions.size());
  around_.resize(thread.instructions.size());
  for (int at = 0; at < size; ++at) {
    block_[at] = begins[at] ? at : block_[at - 1];
    // Loops are numbered from the outside in.
    for (int loop = 0; loop < loops(); ++loop) {
      if (is_inside(thread.loops[loop], at)) around_[at].push_back(loop);
    }
  }
  for (int at = 0; at < size; ++at) {
    auto& of_depth = reached_.emplace_back();
    for (std::size_t depth = 0; depth <= around_[at].size(); ++depth) {
      of_depth.push_back(reach(at, depth));
    }
  }
}

std::vector<int> Flow::next(int at) const {
  const Instruction& in = thread_.instructions[at];
  if (in.kind == InstructionKind::end) return {};
  if (in.kind == InstructionKind::jump) return {in.target};
  if (in.kind == InstructionKind::branch) return {at + 1, in.target};
  return {at + 1};
}

bool Flow::goes_round(int from, int to, int loop) const {
  return to == head(loop) && is_inside(thread_.loops[loop], from);
}

Flow::Reached Flow::reach(int at, std::size_t depth) const {
  Reached reached(thread_.instructions.size(), false);
  std::vector<int> open = {at};
  while (!open.empty()) {
    const int from = open.back();
    open.pop_back();
    for (const int to : next(from)) {
      const auto end = around_[at].begin() + static_cast<std::ptrdiff_t>(depth);
      const bool round = std::any_of(around_[at].begin(), end,
                                     [&](int loop) { return goes_round(from, to, loop); });
      if (round || reached[to]) continue;
      reached[to] = true;
      open.push_back(to);
    }
  }
  return reached;
}

int Flow::go(int from, int to, std::vector<int>& rounds) const {
  int round = -1;
  for (int loop = 0; loop < loops(); ++loop) {
    if (!is_inside(thread_.loops[loop], to)) rounds[loop] = 0;
    if (!goes_round(from, to, loop)) continue;
    round = loop;
    if (counted_[loop]) ++rounds[loop];
  }
  // Of the loops inside of that which it goes round, another round begins.
  for (int loop = 0; round >= 0 && loop < loops(); ++loop) {
    if (loop != round && is_inside(thread_.loops[round], head(loop))) rounds[loop] = 0;
  }
  return round;
}

bool Flow::may_go_round(int at, int loop) const {
  const auto& own = around_[at];
  const auto depth = std::find(own.begin(), own.end(), loop) - own.begin();
  return reached_[at][static_cast<std::size_t>(depth)][head(loop)];
}

bool Flow::may_come(int at, const std::vector<int>& rounds, const DynamicBlock& to) const {
  std::size_t depth = 0;
  for (const int loop : around_[at]) {
    if (!is_inside(thread_.loops[loop], to.block)) break;
    if (rounds[loop] > to.rounds[loop]) return false;
    if (rounds[loop] < to.rounds[loop]) return reached_[at][depth][head(loop)];
    ++depth;
  }
  return reached_[at][depth][to.block];
}

// Looks for a way past the block: to the end, or to a later round of a loop around it. Of loops of
// which one round is not as another the rounds are told apart.
bool Flow::must_come(int at, const std::vector<int>& rounds, const DynamicBlock& to) const {
  if (!may_come(at, rounds, to)) return false;
  const int end = static_cast<int>(thread_.instructions.size()) - 1;
  using Place = std::pair<int, std::vector<int>>;
  std::set<Place> seen{{at, rounds}};
  std::vector<Place> open{{at, rounds}};
  while (!open.empty()) {
    const auto [from, own] = open.back();
    open.pop_back();
    if (from == end) return false;
    for (const int next_at : next(from)) {
      std::vector<int> then = own;
      go(from, next_at, then);
      // Of loops that are not around it no round matters.
      for (int loop = 0; loop < loops(); ++loop) {
        if (!is_inside(thread_.loops[loop], to.block)) then[loop] = 0;
      }
      if (next_at == to.block && then == to.rounds) continue;
      if (next_at != end && !may_come(next_at, then, to)) return false;
      if (seen.emplace(next_at, then).second) open.emplace_back(next_at, then);
    }
  }
  return true;
}

int behind_vote(const ThreadCode& thread, int at) {
  const bool apart = thread.instructions[at + 1].kind == InstructionKind::gather;
  return at + (apart ? 3 : 1);
}

}  // namespace headway::lang::idiom
