#include "synth/sat/box_program.hpp"

#include <algorithm>

namespace headway::synth::sat {

BoxProgram::BoxProgram(const Space& space)
    : space_(space), locations_(space.bounds.locations), values_(space.bounds.values) {
  for (const Position& position : space.positions) {
    if ((position.length + 1) * values_ > 64) {
      throw Error("these bounds are too large for the SAT engine");
    }
    box_.emplace_back(position.choices.size());
  }
  outcomes_.resize(box_.size() * locations_ * values_);
  barriers_.resize(box_.size());
}

void BoxProgram::add(int position, int choice) {
  const axb::Instruction& i = space_.positions[position].choices[choice];
  box_[position][choice] = 1;
  barriers_[position] |= bit_of(i.barrier);
  if (i.is_barrier()) return;
  for (int old = 0; old < values_; ++old) {
    const int next = old == i.check_value ? i.jump : space_.positions[position].index + 1;
    const int now = i.exchanges ? i.exchange_value : old;
    outcomes_[(position * locations_ + i.location) * values_ + old] |= Outcomes{1}
                                                                       << (next * values_ + now);
  }
}

void BoxProgram::reset(std::span<const std::uint16_t> program) {
  std::fill(outcomes_.begin(), outcomes_.end(), 0);
  std::fill(barriers_.begin(), barriers_.end(), Barriers{0});
  for (int position = 0; position < space_.size(); ++position) {
    std::fill(box_[position].begin(), box_[position].end(), 0);
    add(position, program[position]);
  }
}

bool BoxProgram::allow(int position, std::span<const int> choices) {
  const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(locations_) * values_;
  const auto begin = outcomes_.begin() + position * size;
  saved_position_ = position;
  saved_choices_ = box_[position];
  saved_barriers_ = barriers_[position];
  saved_outcomes_.assign(begin, begin + size);
  for (const int choice : choices) add(position, choice);
  return saved_barriers_ != barriers_[position] ||
         !std::equal(saved_outcomes_.begin(), saved_outcomes_.end(), begin);
}

void BoxProgram::undo() {
  box_[saved_position_] = saved_choices_;
  barriers_[saved_position_] = saved_barriers_;
  const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(locations_) * values_;
  std::copy(saved_outcomes_.begin(), saved_outcomes_.end(),
            outcomes_.begin() + saved_position_ * size);
}

}  // namespace headway::synth::sat
