#include "verify/affine/intervals.hpp"

#include <algorithm>
#include <tuple>

#include "kernel/ir/ir.hpp"

namespace headway::verify::affine {

using kernel::Instruction;

namespace {

// Whether it orders such memory for all of a workgroup that come to it.
bool orders(const Instruction& i, bool of_group) {
  if (!kernel::is_barrier(i.op)) return false;
  const bool whole = i.op == kernel::Op::barrier_reduce || i.scope >= kernel::Scope::workgroup;
  return whole && (i.memory & (of_group ? 1 : 2)) != 0;
}

// The outermost first.
std::vector<int> loops_around(const Flow& flow, BlockId block) {
  std::vector<int> loops;
  for (int l = flow.loop[block]; l != kNoLoop; l = flow.loops[static_cast<std::size_t>(l)].parent) {
    loops.insert(loops.begin(), l);
  }
  return loops;
}

class Search {
 public:
  Search(const kernel::Function& function, const Flow& flow, bool of_group, Interval& interval)
      : f_(function), flow_(flow), of_group_(of_group), interval_(interval) {
    for (const BlockId b : flow.order) {
      const bool orders_there =
          std::any_of(function.blocks[b].code.begin(), function.blocks[b].code.end(),
                      [&](const Instruction& i) { return orders(i, of_group); });
      for (const int loop : loops_around(flow, b)) {
        if (orders_there) with_barrier_.insert(loop);
      }
    }
  }

  // From behind the instruction with this number on.
  void run(BlockId block, std::size_t first) {
    go_on(block, first, {});
    while (!open_.empty()) {
      const auto [at, arrival] = open_.back();
      open_.pop_back();
      go_on(at, 0, arrival);
    }
  }

 private:
  void go_on(BlockId block, std::size_t first, const Arrival& arrival) {
    const std::vector<Instruction>& code = f_.blocks[block].code;
    for (std::size_t k = first; k < code.size(); ++k) {
      if (orders(code[k], of_group_)) return;
      if (kernel::is_access(code[k].op)) interval_.reached[&code[k]].insert(arrival);
    }
    for (const BlockId to : flow_.after[block]) {
      const Arrival next = after(block, to, arrival);
      if (seen_.emplace(to, next).second) open_.emplace_back(to, next);
    }
  }

  Arrival after(BlockId from, BlockId to, Arrival arrival) const {
    // Of loops that have been left, those with barriers count: few ways lead through these.
    std::erase_if(arrival.first, [&](int loop) {
      return !flow_.in_loop(to, loop) && !with_barrier_.contains(loop);
    });
    const int loop = flow_.loop[to];
    if (loop == kNoLoop || flow_.loops[static_cast<std::size_t>(loop)].head != to) return arrival;
    if (!flow_.in_loop(from, loop)) {
      arrival.first.insert(loop);
      return arrival;
    }
    arrival.first.erase(loop);
    const auto around = std::find(interval_.loops.begin(), interval_.loops.end(), loop);
    if (around == interval_.loops.end()) return arrival;
    const int which = static_cast<int>(around - interval_.loops.begin());
    if (which < arrival.crossed) {
      arrival.crossed = which;
      arrival.further = false;
    } else if (which == arrival.crossed) {
      arrival.further = true;
    }
    return arrival;
  }

  const kernel::Function& f_;
  const Flow& flow_;
  const bool of_group_;
  Interval& interval_;
  std::set<int> with_barrier_;
  std::set<std::pair<BlockId, Arrival>> seen_;
  std::vector<std::pair<BlockId, Arrival>> open_;
};

}  // namespace

std::vector<Interval> intervals_of(const kernel::Function& function, const Flow& flow,
                                   bool of_group) {
  std::vector<Interval> result(1);
  Search(function, flow, of_group, result.front()).run(0, 0);
  for (const BlockId b : flow.order) {
    const std::vector<Instruction>& code = function.blocks[b].code;
    for (std::size_t k = 0; k < code.size(); ++k) {
      if (!orders(code[k], of_group)) continue;
      result.push_back({loops_around(flow, b), {}});
      Search(function, flow, of_group, result.back()).run(b, k + 1);
    }
  }
  return result;
}

}  // namespace headway::verify::affine
