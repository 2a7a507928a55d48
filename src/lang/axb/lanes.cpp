#include "lang/axb/lanes.hpp"

#include <algorithm>
#include <cassert>

namespace headway::lang::axb {
namespace {

// The places from which the end can be reached without going through the place `without`. Where no
// way leads to the end, what goes on for ever leads past everything, and counts as one.
std::vector<bool> reaching_end(const std::vector<Instruction>& instructions, int without,
                               const std::vector<bool>& endless) {
  const auto end = instructions.size();
  std::vector<bool> reaches = endless;
  reaches[end] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = end; i-- > 0;) {
      if (reaches[i] || static_cast<int>(i) == without) continue;
      if (!reaches[i + 1] && !reaches[instructions[i].jump]) continue;
      reaches[i] = changed = true;
    }
  }
  return reaches;
}

// Of the active lanes, those that stand where the lowest one does.
ThreadSet with_lowest(const Lanes& lanes) {
  ThreadSet same;
  for (const int lane : lanes.active) {
    if (lanes.at[lane] == lanes.place()) same |= ThreadSet::single(lane);
  }
  return same;
}

}  // namespace

bool Lanes::is_choosing() const { return with_lowest(*this) != active; }

ThreadSet jumping(const Instruction& instruction, ThreadSet active, int old) {
  assert(!instruction.is_barrier());
  ThreadSet result;
  for (const int lane : active) {
    const int seen = instruction.asks_lane                           ? lane
                     : instruction.exchanges && lane != active.min() ? instruction.exchange_value
                                                                     : old;
    if (seen == instruction.check_value) result |= ThreadSet::single(lane);
  }
  return result;
}

// A place is passed by all ways to the end if there is none without it. Of those places, the
// nearest is the one from which all others are still to be passed. Programs are short, so each
// place is left out in turn.
Flow::Flow(const std::vector<Instruction>& instructions, bool ended_count)
    : instructions_(instructions), ended_count_(ended_count) {
  const auto length = instructions.size();
  std::vector<bool> endless = reaching_end(instructions, kNowhere, std::vector<bool>(length + 1));
  endless.flip();
  std::vector<std::vector<bool>> without;  // by place that is left out
  without.reserve(length);
  for (std::size_t place = 0; place < length; ++place) {
    without.push_back(reaching_end(instructions, static_cast<int>(place), endless));
  }
  points_.assign(length, kNowhere);
  for (std::size_t i = 0; i < length; ++i) {
    if (endless[i]) continue;
    const auto passes = [&](std::size_t place, std::size_t from) {
      return place != from && !without[place][from];
    };
    for (std::size_t place = 0; place < length; ++place) {
      if (!passes(place, i)) continue;
      const int so_far = points_[i];
      if (so_far == kNowhere || passes(static_cast<std::size_t>(so_far), place)) {
        points_[i] = static_cast<int>(place);
      }
    }
  }
}

Lanes Flow::start(int lanes) {
  Lanes state;
  state.at.resize(static_cast<std::size_t>(lanes));
  state.active = ThreadSet::first(lanes);
  return state;
}

void Flow::go_on(Lanes& lanes, ThreadSet jumping) const {
  assert(!lanes.is_choosing());
  const int branch = lanes.place();
  const int next = branch + 1;
  const int target = instructions_[static_cast<std::size_t>(branch)].jump;
  for (const int lane : lanes.active) {
    lanes.at[lane] = static_cast<std::uint8_t>(jumping.contains(lane) ? target : next);
  }
  if (!jumping.empty() && jumping != lanes.active && target != next) {
    const ThreadSet falling = lanes.active - jumping;
    const int end = static_cast<int>(instructions_.size());
    const int met = point(branch);
    if (met != kNowhere && (target == met || next == met)) {
      const ThreadSet waiting = target == met ? jumping : falling;
      lanes.active -= waiting;
      lanes.partings.push_back({met, waiting, {}});
      lanes.tidy();
    } else if (!ended_count_ && (target == end || next == end)) {
      lanes.active -= target == end ? jumping : falling;
    } else {
      lanes.partings.push_back({met, {}, {}});
      return;
    }
  }
  settle(lanes);
}

void Flow::choose(Lanes& lanes, int choice) const {
  assert(lanes.is_choosing());
  const ThreadSet lowest = with_lowest(lanes);
  const ThreadSet first = choice == 0 ? lowest : lanes.active - lowest;
  lanes.partings.back().pending = lanes.active - first;
  lanes.active = first;
  lanes.tidy();
  settle(lanes);
}

// Sees to it that lanes are active that have something to do, if there are any.
void Flow::settle(Lanes& lanes) const {
  const int end = static_cast<int>(instructions_.size());
  while (lanes.pick_active()) {
    const int at = lanes.place();
    if (lanes.wait_at(at)) continue;
    if (at != end) return;
    lanes.active = {};
  }
}

}  // namespace headway::lang::axb
