#include "lang/idiom/tangle_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "lang/idiom/limits.hpp"
#include "lang/idiom/lockstep.hpp"
#include "lang/idiom/texts.hpp"

namespace headway::lang::idiom {
namespace {

using InstructionKind = Instruction::Kind;

// Whether runs may turn out to be none, or rounds to be too far apart: where labels wait, threads
// are one round apart at most.
bool may_drop_runs(const ReadingRules& rules) {
  return !rules.waits_at_labels() && rules.votes != Meets::anywhere;
}

Field field_for(const RegisterRange& range, FieldAllotter& fields) {
  return fields.allot(static_cast<std::uint64_t>(std::int64_t{range.high} - range.low));
}

}  // namespace

TangleProgram::TangleProgram(std::shared_ptr<const Code> code, bool wide)
    : Program(rules_of(*code->reading).as_one() ? of_subgroups(code->topology) : code->topology,
              Abilities{.block = true,
                        .choose = true,
                        .choose_fairly = code->chooses_fairly(),
                        .fail = true,
                        .end_others = true,
                        .drop = may_drop_runs(rules_of(*code->reading))},
              1),
      code_(std::move(code)),
      as_one_(rules_of(*code_->reading).as_one()),
      wide_(wide) {
  FieldAllotter fields(threads());
  const int count = code_->topology.threads() / lanes();
  subgroups_.reserve(static_cast<std::size_t>(count));
  for (int g = 0; g < count; ++g) {
    subgroups_.emplace_back(*code_, g * lanes(), wide_);
    packed_.push_back(allot(subgroups_.back(), fields));
  }
  cells_ = allot_cells(*code_, fields);
  over_ = fields.allot(static_cast<Word>(Ending::beyond) + 1);
  failed_ = fields.allot(static_cast<Word>(threads()));
  set_words(fields.words());
}

TangleProgram::Packed TangleProgram::allot(const Tangled& subgroup, FieldAllotter& fields) const {
  Packed packed;
  const Flow& flow = subgroup.flow();
  for (int l = 0; l < subgroup.size(); ++l) {
    const ThreadCode& thread = subgroup.thread(l);
    Lane& lane = packed.lanes.emplace_back();
    lane.at = fields.allot(thread.instructions.size());
    for (int loop = 0; loop < flow.loops(); ++loop) {
      lane.rounds.push_back(fields.allot(flow.is_counted(loop) ? Tangled::kMostRounds : 0));
    }
    std::uint32_t live = 0;
    for (const std::uint32_t here : thread.live) live |= here;
    for (std::size_t r = 0; r < thread.registers.size(); ++r) {
      if ((live >> r & 1) == 0) continue;
      const RegisterRange& range = thread.registers[r];
      lane.registers.push_back({field_for(range, fields), range.low, static_cast<int>(r)});
    }
    if (!subgroup.rules().guesses) continue;
    for (const int vote : subgroup.votes()) {
      const Instruction& in = thread.instructions[vote];
      Guess& guess = lane.guesses.emplace_back();
      guess.range = thread.registers[in.target];
      if (in.from >= 0) guess.lanes = thread.registers[in.from];
      guess.made = fields.allot(1);
      guess.operand = field_for(guess.range, fields);
      guess.from = field_for(guess.lanes, fields);
      guess.result = field_for(guess.range, fields);
    }
  }
  if (subgroup.rules().one_side) {
    packed.side = fields.allot(ThreadSet::first(subgroup.size()).bits());
  }
  if (subgroup.rules().votes != Meets::speculating) return packed;
  for (const int vote : subgroup.votes()) {
    const int block = flow.block(vote);
    if (std::find(packed.closing.begin(), packed.closing.end(), block) != packed.closing.end()) {
      continue;
    }
    packed.closing.push_back(block);
    const int rounds = flow.around(block).empty() ? 1 : Tangled::kMostRoundsClosed + 1;
    packed.closed.push_back(fields.allot((Word{1} << rounds) - 1));
  }
  return packed;
}

void TangleProgram::put(Word* state, int subgroup, const Tangles& tangles) const {
  const Packed& packed = packed_[subgroup];
  for (std::size_t l = 0; l < packed.lanes.size(); ++l) {
    const Lane& lane = packed.lanes[l];
    const ThreadState& own = tangles.lanes[l];
    const ThreadCode& thread = subgroups_[subgroup].thread(static_cast<int>(l));
    const bool failed = own.at == ThreadState::kFailed;
    lane.at.set(state, failed ? thread.instructions.size() : static_cast<Word>(own.at));
    for (std::size_t i = 0; i < lane.rounds.size(); ++i) {
      lane.rounds[i].set(state, failed ? 0 : static_cast<Word>(tangles.rounds[l][i]));
    }
    for (const PackedValue& value : lane.registers) {
      value.field.set(state,
                      failed ? 0 : static_cast<Word>(own.registers[value.index] - value.low));
    }
    for (std::size_t v = 0; v < lane.guesses.size(); ++v) {
      const Guess& guess = lane.guesses[v];
      const Tangles::Guess& made = tangles.guesses[v][l];
      guess.made.set(state, made.made ? 1 : 0);
      guess.operand.set(state, made.made ? static_cast<Word>(made.operand - guess.range.low) : 0);
      guess.from.set(state, made.made ? static_cast<Word>(made.from - guess.lanes.low) : 0);
      guess.result.set(state, made.made ? static_cast<Word>(made.result - guess.range.low) : 0);
    }
  }
  packed.side.set(state, tangles.side.bits());
  for (std::size_t c = 0; c < packed.closing.size(); ++c) {
    const auto& around = subgroups_[subgroup].flow().around(packed.closing[c]);
    Word bits = 0;
    for (const DynamicBlock& block : tangles.closed) {
      if (block.block != packed.closing[c]) continue;
      bits |= Word{1} << (around.empty() ? 0 : block.rounds[around.front()]);
    }
    packed.closed[c].set(state, bits);
  }
}

Tangles TangleProgram::tangles(const Word* state, int subgroup) const {
  const Packed& packed = packed_[subgroup];
  const Tangled& own = subgroups_[subgroup];
  Tangles result;
  if (own.rules().guesses) {
    result.guesses.assign(own.votes().size(), std::vector<Tangles::Guess>(packed.lanes.size()));
  }
  for (std::size_t l = 0; l < packed.lanes.size(); ++l) {
    const Lane& lane = packed.lanes[l];
    const ThreadCode& thread = own.thread(static_cast<int>(l));
    ThreadState& local = result.lanes.emplace_back();
    const Word at = lane.at.get(state);
    local.at = at == thread.instructions.size() ? ThreadState::kFailed : static_cast<int>(at);
    for (std::size_t r = 0; r < thread.registers.size(); ++r) {
      local.registers[r] = thread.registers[r].low;
    }
    for (const PackedValue& value : lane.registers) {
      local.registers[value.index] = value.get(state);
    }
    auto& rounds = result.rounds.emplace_back();
    for (const Field& field : lane.rounds) rounds.push_back(static_cast<int>(field.get(state)));
    for (std::size_t v = 0; v < lane.guesses.size(); ++v) {
      const Guess& guess = lane.guesses[v];
      if (guess.made.get(state) == 0) continue;
      result.guesses[v][l] = {true, guess.range.low + static_cast<int>(guess.operand.get(state)),
                              guess.lanes.low + static_cast<int>(guess.from.get(state)),
                              guess.range.low + static_cast<int>(guess.result.get(state))};
    }
  }
  result.side = ThreadSet::of_bits(packed.side.get(state));
  for (std::size_t c = 0; c < packed.closing.size(); ++c) {
    const auto& around = own.flow().around(packed.closing[c]);
    const Word bits = packed.closed[c].get(state);
    for (int round = 0; round <= Tangled::kMostRoundsClosed; ++round) {
      if ((bits >> round & 1) == 0) continue;
      DynamicBlock& block = result.closed.emplace_back();
      block = {packed.closing[c], std::vector<int>(static_cast<std::size_t>(own.flow().loops()))};
      if (!around.empty()) block.rounds[around.front()] = round;
    }
  }
  return result;
}

void TangleProgram::initial(Word* state) const {
  std::fill(state, state + words(), 0);
  for (const PackedValue& cell : cells_) {
    cell.set(state, code_->initial[cell.index]);
  }
  for (std::size_t g = 0; g < subgroups_.size(); ++g) {
    put(state, static_cast<int>(g), subgroups_[g].start());
  }
}

ThreadSet TangleProgram::terminated(const Word* state) const {
  if (is_over(state)) return ThreadSet::first(threads());
  ThreadSet result = ThreadSet::first(threads());
  for (std::size_t g = 0; g < packed_.size(); ++g) {
    for (int lane = 0; lane < lanes(); ++lane) {
      const Word end = subgroups_[g].thread(lane).instructions.size() - 1;
      if (packed_[g].lanes[lane].at.get(state) == end) continue;
      result -= ThreadSet::single(thread_of(static_cast<int>(g), lane));
    }
  }
  return result - failed(state);
}

ThreadSet TangleProgram::failed(const Word* state) const {
  ThreadSet result;
  if (const Word last = failed_.get(state); last > 0) {
    result |= ThreadSet::single(static_cast<int>(last) - 1);
  }
  for (std::size_t g = 0; g < packed_.size(); ++g) {
    for (int lane = 0; lane < lanes(); ++lane) {
      const Word at = packed_[g].lanes[lane].at.get(state);
      if (at < subgroups_[g].thread(lane).instructions.size()) continue;
      result |= ThreadSet::single(thread_of(static_cast<int>(g), lane));
    }
  }
  return result;
}

ThreadSet TangleProgram::blocked(const Word* state) const {
  if (is_over(state) || !failed(state).empty()) return {};
  ThreadSet running;
  for (std::size_t g = 0; g < subgroups_.size(); ++g) {
    const int subgroup = static_cast<int>(g);
    for (const int lane : subgroups_[g].running(tangles(state, subgroup))) {
      running |= ThreadSet::single(thread_of(subgroup, lane));
    }
  }
  return ThreadSet::first(threads()) - terminated(state) - running;
}

Program::Ending TangleProgram::ending(const Word* state) const {
  return is_over(state) ? static_cast<Ending>(over_.get(state) - 1) : Ending::real;
}

std::unique_ptr<Program> TangleProgram::wider() const {
  if (wide_) return nullptr;
  return std::make_unique<TangleProgram>(code_, true);
}

// Steps ------------------------------------------------------------------------------------------

void TangleProgram::take_once(const Word* state, int thread, Word* next, Choices& choices,
                              Taken& taken) const {
  std::copy(state, state + words(), next);
  taken.subgroup = subgroup_of(thread);
  const Tangled& subgroup = subgroups_[taken.subgroup];
  taken.before = tangles(state, taken.subgroup);
  taken.lane = thread - taken.subgroup * lanes();
  if (as_one_) {
    ThreadSet sides = subgroup.next_sides(taken.before);
    for (int others = choices.pick(sides.size()); others > 0; --others) {
      sides -= ThreadSet::single(sides.min());
    }
    taken.lane = sides.min();
  }
  taken.after = taken.before;
  taken.lanes = {};
  CellsView memory(cells_, next, next);
  subgroup.step(taken.after, taken.lane, memory, choices, taken.lanes);
  Tangles& after = taken.after;
  // Whether what goes wrong belongs to an execution is not known while it may be left out.
  const bool failed = taken.lanes.failed_lane >= 0;
  after.beyond = after.beyond || (failed && subgroup.may_be_dropped(after));
  if (failed && !after.beyond) {
    // What fails writes nothing.
    std::copy(state, state + words(), next);
    Tangles failed = taken.before;
    failed.lanes[taken.lanes.failed_lane].at = ThreadState::kFailed;
    put(next, taken.subgroup, failed);
  } else if (failed || after.over || after.dropped || after.beyond) {
    Word notes = noted(state, threads()).bits();
    std::fill(next, next + words(), 0);
    note(next, ThreadSet::of_bits(notes));
    for (const PackedValue& cell : cells_) cell.field.set(next, cell.field.get(state));
    const Ending how = after.beyond    ? Ending::beyond
                       : after.dropped ? Ending::dropped
                                       : Ending::real;
    over_.set(next, static_cast<Word>(how) + 1);
  } else {
    put(next, taken.subgroup, after);
    if (goes_wrong_at_end(next)) failed_.set(next, static_cast<Word>(thread) + 1);
  }
}

int TangleProgram::take(const Word* state, Step step, Word* next, Taken& taken, bool count) const {
  Choices choices;
  int taken_so_far = 0;
  do {
    take_once(state, step.thread, next, choices, taken);
    if (!count && taken_so_far == step.choice) break;
    ++taken_so_far;
    if (taken_so_far > kMaxLockstepChoices) {
      throw Undecided(
          fmt::format("unsupported: more than {} ways to go on by one step", kMaxLockstepChoices));
    }
  } while (choices.next());
  return taken_so_far;
}

int TangleProgram::choices(const Word* state, int thread) const {
  std::vector<Word> next(static_cast<std::size_t>(words()));
  Taken taken;
  return take(state, {thread, 0}, next.data(), taken, true);
}

// How far apart threads are is no choice that is made fairly.
bool TangleProgram::chooses_fairly(const Word* state, int thread) const {
  if (wide_) return false;
  const int subgroup = subgroup_of(thread);
  const Tangles own = tangles(state, subgroup);
  const int lane = as_one_ ? subgroups_[subgroup].next_sides(own).min() : thread % lanes();
  return subgroups_[subgroup].thread(lane).instructions[own.lanes[lane].at].fair;
}

bool TangleProgram::step(const Word* state, Step step, Word* next) const {
  assert(running(state).contains(step.thread));
  Taken taken;
  take(state, step, next, taken, false);
  if (!failed(next).empty()) return false;
  return terminated(next) != terminated(state);
}

// What the final block says of the memory that the last thread to end leaves.
bool TangleProgram::goes_wrong_at_end(const Word* state) const {
  if (code_->final.instructions.empty() || terminated(state) != ThreadSet::first(threads())) {
    return false;
  }
  const Failure failure = Machine(*code_, code_->final).judge(CellsView(cells_, state));
  return failure.kind != Failure::Kind::none;
}

// For people -------------------------------------------------------------------------------------

std::string TangleProgram::describe_memory(const Word* state) const {
  return memory_text(*code_, CellsView(cells_, state));
}

StepText TangleProgram::describe_step(const Word* state, Step step) const {
  std::vector<Word> next(static_cast<std::size_t>(words()));
  Taken taken;
  take(state, step, next.data(), taken, false);
  const Tangled& subgroup = subgroups_[taken.subgroup];
  const Instruction& in =
      subgroup.thread(taken.lane).instructions[taken.before.lanes[taken.lane].at];
  StepText text;
  if (in.source >= 0) {
    text.line = subgroup.thread(taken.lane).sources[in.source].line;
    text.statement = subgroup.thread(taken.lane).sources[in.source].text;
  }
  const bool ends = taken.after.over || taken.after.dropped || taken.after.beyond;
  const bool failed = taken.lanes.failed_lane >= 0;
  const ThreadSet members = subgroup.together(taken.before, taken.lane);
  text.effect = by_lane(members.size() > 1 || as_one_, members, [&](int lane) {
    std::string own = change_text(*code_, in, taken.lanes, lane);
    const ThreadCode& thread = subgroup.thread(lane);
    if (failed && lane == taken.lanes.failed_lane) {
      own +=
          (own.empty() ? "" : ", ") + failure_text(*code_, thread, taken.lanes.failure, in.source);
    }
    if (failed || ends) return own;
    const std::string now = registers_text(thread, taken.after.lanes[lane]);
    if (!now.empty() && now != registers_text(thread, taken.before.lanes[lane])) {
      own += (own.empty() ? "then " : ", then ") + now;
    }
    return own;
  });
  if (taken.after.over) text.effect += ", what is assumed does not hold";
  if (taken.after.dropped) text.effect += ", and the reading leaves the execution out";
  if (taken.after.beyond) text.effect += ", and threads are too many rounds apart";
  if (!failed && failed_.get(next.data()) > 0) {
    const Failure failure = Machine(*code_, code_->final).judge(CellsView(cells_, next.data()));
    const SourceLine& source = code_->final.sources[failure.source];
    text.effect +=
        fmt::format(", ERROR in line {}, {} at the end: {}", source.line,
                    without_semicolon(source.text), to_string(failure, *code_, code_->final));
  } else if (failed && !members.contains(taken.lanes.failed_lane)) {
    const ThreadCode& thread = subgroup.thread(taken.lanes.failed_lane);
    text.effect +=
        (text.effect.empty() ? "" : ", ") + failure_text(*code_, thread, taken.lanes.failure, -1);
  }
  return text;
}

std::string TangleProgram::describe_thread(const Word* state, int thread) const {
  if (failed(state).contains(thread)) return "ERROR";
  if (terminated(state).contains(thread)) return "END";
  const int subgroup = subgroup_of(thread);
  const Tangled& own = subgroups_[subgroup];
  const Tangles where = tangles(state, subgroup);
  const auto lane_text = [&](int lane) {
    const ThreadCode& code = own.thread(lane);
    const Instruction& in = code.instructions[where.lanes[lane].at];
    std::string text = "END";
    if (in.kind != InstructionKind::end) {
      text = in.source >= 0 ? code.sources[in.source].text : "start";
    }
    const ThreadSet awaited = own.awaited(where, lane);
    if (!awaited.empty() && in.kind != InstructionKind::end) {
      text = fmt::format("waits at {} (line {}) for {}", text,
                         in.source >= 0 ? code.sources[in.source].line : 0, lanes_text(awaited));
    }
    const std::string registers = registers_text(code, where.lanes[lane]);
    return registers.empty() ? text : text + " [" + registers + "]";
  };
  if (as_one_) return by_lane(true, ThreadSet::first(lanes()), lane_text);
  return lane_text(thread % lanes());
}

}  // namespace headway::lang::idiom
