// Branches that unknown data decide, taken both ways at once.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "kernel/machine/runner.hpp"

namespace headway::kernel {

// Takes both ways of a branch that unknown data decide, up to where they come together, and joins
// what they did: values become choices between values. Not where a way parks, ends or fails to
// come together soon; then nothing has happened.
bool Machine::Runner::both_ways(const Instruction& end, BlockId block, smt::Term condition,
                                BlockId& next) {
  const BlockId join = code_.joins(block);
  if (join == kNone || together_ >= 8) return false;
  // One way is no choice at all: found out before a way is taken that may be long.
  if (feasible(condition) == smt::Answer::unsat ||
      feasible(terms_.negation(condition)) == smt::Answer::unsat) {
    return false;
  }
  constexpr std::uint64_t most_steps = 20'000;
  const smt::Term guard = guard_;
  const std::vector<Cell> registers = registers_;
  const std::size_t noted = noted_.size();
  const auto choices = script_->choices;
  const std::size_t script_at = script_at_;
  const std::uint64_t steps = steps_;
  const std::uint64_t limit = machine_.options_.local_steps;
  std::vector<Undo>* outer = undo_;
  std::vector<Undo> undo;
  struct Way {
    std::map<std::pair<Instance, std::uint64_t>, std::pair<int, Cell>> written;
    std::vector<std::pair<ValueId, Cell>> values;  // that are needed behind the join
    std::map<Instance, bool> dead;                 // of variables whose scopes began or ended
  } ways[2];
  const auto take_back = [&] {
    undo_ = nullptr;
    for (std::size_t i = undo.size(); i-- > 0;) {
      if (undo[i].dead) state_->memory.set_dead(undo[i].object, *undo[i].dead);
      state_->memory.erase(undo[i].object, undo[i].at, undo[i].bytes);
      for (const Memory::Piece& piece : undo[i].before) {
        state_->memory.write(undo[i].object, piece.at, piece.bytes, piece.cell);
      }
    }
    undo.clear();
    undo_ = outer;
  };
  if (together_++ == 0) decisions_ = 0;
  bool fits = true;
  try {
    for (int w = 0; w < 2; ++w) {
      guard_ = terms_.conjunction(guard, w == 0 ? condition : terms_.negation(condition));
      registers_ = registers;
      undo_ = &undo;
      machine_.options_.local_steps = steps_ + most_steps;
      const BlockId target = end.targets[static_cast<std::size_t>(w)];
      BlockId from = block;
      if (target != join) {
        enter(target, block);
        if (run(target, 0, join, from) != End::joined) throw Apart();
      }
      // Phis that a nested branch has given values are given.
      const std::vector<Instruction>& joined = function_.blocks[join].code;
      for (std::uint32_t n = 0; joined[n].op == Op::phi; ++n) {
        const Instruction& phi = joined[n];
        if (!code_.is_needed(code_.number(join, n))) continue;
        Cell value = reg(phi.result);
        for (std::size_t i = 0; from != kNone && i < phi.targets.size(); ++i) {
          if (phi.targets[i] == from) value = reg(phi.operands[i]);
        }
        ways[w].values.emplace_back(phi.result, value);
      }
      // A loop that is left for the join has given its own registers other values meanwhile.
      for (const ValueId id : code_.live_into(join)) {
        const bool is_phi = std::ranges::any_of(
            joined, [&](const Instruction& i) { return i.op == Op::phi && i.result == id; });
        if (!is_phi) ways[w].values.emplace_back(id, registers_[id]);
      }
      for (const Undo& one : undo) {
        if (one.dead) ways[w].dead[one.object] = state_->memory.is_dead(one.object);
        for (const Memory::Piece& piece : state_->memory.pieces(one.object, one.at, one.bytes)) {
          if (piece.at < one.at ||
              piece.at + static_cast<unsigned>(piece.bytes) > one.at + one.bytes)
            continue;
          ways[w].written[{one.object, piece.at}] = {piece.bytes, piece.cell};
        }
      }
      take_back();
    }
  } catch (const Apart&) {
    fits = false;
  } catch (const Stopped&) {
    take_back();
    --together_;
    machine_.options_.local_steps = limit;
    throw;
  }
  machine_.options_.local_steps = limit;
  // What both have written in the same widths, in scopes that are open or closed on both.
  for (int w = 0; fits && w < 2; ++w) {
    for (const auto& [object, dead] : ways[w].dead) {
      const auto other = ways[1 - w].dead.find(object);
      const bool is_dead =
          other != ways[1 - w].dead.end() ? other->second : state_->memory.is_dead(object);
      fits = fits && is_dead == dead;
    }
    for (const auto& [place, what] : ways[w].written) {
      const auto other = ways[1 - w].written.lower_bound({place.first, place.second});
      const bool same = other != ways[1 - w].written.end() && other->first == place;
      if (same && other->second.first != what.first) fits = false;
      if (!same && other != ways[1 - w].written.end() && other->first.first == place.first &&
          other->first.second < place.second + static_cast<unsigned>(what.first)) {
        fits = false;
      }
    }
  }
  if (!fits) {
    take_back();
    --together_;
    registers_ = registers;
    guard_ = guard;
    noted_.resize(noted);
    script_->choices = choices;
    script_at_ = script_at;
    steps_ = steps;
    return false;
  }
  --together_;
  guard_ = guard;
  undo_ = outer;
  registers_ = registers;
  try {
    std::map<std::pair<Instance, std::uint64_t>, int> places;
    for (const Way& way : ways) {
      for (const auto& [place, what] : way.written) places[place] = what.first;
    }
    std::vector<std::pair<ValueId, Cell>> values;
    for (std::size_t i = 0; i < ways[0].values.size(); ++i) {
      const auto& [id, value] = ways[0].values[i];
      values.emplace_back(id, chosen(condition, value, ways[1].values[i].second, bits(id)));
    }
    std::vector<std::pair<std::pair<Instance, std::uint64_t>, Cell>> merged;
    for (const auto& [place, width] : places) {
      Cell cells[2];
      for (int w = 0; w < 2; ++w) {
        const auto found = ways[w].written.find(place);
        cells[w] = found != ways[w].written.end() ? found->second.second
                                                  : read(place.first, place.second, width);
      }
      merged.emplace_back(place, chosen(condition, cells[0], cells[1], width * 8));
    }
    for (const auto& [object, dead] : ways[0].dead) enter_scope(object, dead);
    for (const auto& [place, cell] : merged) {
      isolate(place.first, place.second, static_cast<std::uint64_t>(places[place]));
      put(place.first, place.second, places[place], cell);
    }
    for (const auto& [id, cell] : values) registers_[id] = cell;
  } catch (const Apart&) {  // pointers to different objects
    registers_ = registers;
    noted_.resize(noted);
    script_->choices = choices;
    script_at_ = script_at;
    steps_ = steps;
    return false;
  }
  if (together_ == 0) {
    for (const Noted& one : noted_) {
      state_->order->access(one.object, one.is_local, one.at, one.bytes, one.made, one.same_bytes);
      state_->order->keep_written(one.object, one.at, one.bytes, one.same);
    }
    noted_.clear();
  }
  // What follows is as if the join had been entered.
  next = join;
  return true;
}

}  // namespace headway::kernel
