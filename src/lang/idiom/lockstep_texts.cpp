// What people read of programs whose subgroups run in lockstep.
#include <fmt/format.h>

#include <algorithm>

#include "lang/awaited.hpp"
#include "lang/idiom/lockstep.hpp"
#include "lang/idiom/reconvergence.hpp"
#include "lang/idiom/texts.hpp"

namespace headway::lang::idiom {
namespace {

using InstructionKind = Instruction::Kind;

}  // namespace

std::string LockstepProgram::describe_memory(const Word* state) const {
  return memory_text(*code_, CellsView(cells_, state));
}

StepText LockstepProgram::describe_step(const Word* state, Step step) const {
  const Subgroup& subgroup = subgroups_[step.thread];
  const Lanes before = lanes(state, step.thread);
  const Instruction& in = *subgroup.instruction(before);
  StepText text;
  if (in.source >= 0) {
    text.line = subgroup.thread().sources[in.source].line;
    text.statement = subgroup.thread().sources[in.source].text;
  }
  std::vector<Word> next(static_cast<std::size_t>(words()));
  const LanesTaken taken = take(state, step, next.data());
  const Lanes after = lanes(next.data(), step.thread);
  if (in.kind == InstructionKind::branch) {
    text.effect = "chooses the side of " + lanes_text(subgroup.side(before, step.choice));
  }
  const auto lane_text = [&](int lane) {
    std::string own = change_text(*code_, in, taken, lane);
    const auto add = [&](const std::string& part) { own += (own.empty() ? "" : ", ") + part; };
    if (taken.failure.kind != Failure::Kind::none) {
      const ThreadCode& failing = subgroup.thread(lane);
      if (lane == taken.failed_lane) add(failure_text(*code_, failing, taken.failure, in.source));
      return own;
    }
    if (taken.over) return own;
    const std::string now = registers_text(subgroup.thread(lane), after.lanes[lane]);
    const bool differs = now != registers_text(subgroup.thread(lane), before.lanes[lane]);
    if (!now.empty() && differs) add("then " + now);
    return own;
  };
  const std::string changes = by_lane(subgroup.size() > 1, before.active, lane_text);
  if (!changes.empty()) text.effect += (text.effect.empty() ? "" : "; ") + changes;
  if (taken.over) text.effect += ", what is assumed does not hold";
  if (taken.failure.kind == Failure::Kind::none && !code_->final.instructions.empty()) {
    this->step(state, step, next.data());
    if (!failed(next.data()).empty()) {
      const Failure failure = Machine(*code_, code_->final).judge(CellsView(cells_, next.data()));
      const SourceLine& source = code_->final.sources[failure.source];
      text.effect +=
          fmt::format(", ERROR in line {}, {} at the end: {}", source.line,
                      without_semicolon(source.text), to_string(failure, *code_, code_->final));
    }
  }
  return text;
}

// Whom a subgroup at a barrier waits for. Threads are numbered through the grid, as elsewhere.
std::string LockstepProgram::awaited_text(const Word* state, int subgroup) const {
  const int barrier = subgroups_[subgroup].instruction(lanes(state, subgroup))->barrier;
  const Barrier& which = code_->barriers[barrier];
  const int count = which.scope == Scope::grid ? threads() : topology().subgroups();
  const int first = subgroup / count * count;
  Awaited awaited;
  for (int g = first; g < first + count; ++g) {
    const Lanes own = lanes(state, g);
    const Instruction* in = subgroups_[g].instruction(own);
    ThreadSet parted;
    for (const Lanes::Parting& parting : own.partings) parted |= parting.waiting | parting.pending;
    for (int lane = 0; lane < subgroups_[g].size(); ++lane) {
      const ThreadSet thread = ThreadSet::single(g * subgroups_[g].size() + lane);
      if (parted.contains(lane)) {
        awaited.inactive |= thread;
      } else if (!own.active.contains(lane)) {
        if (!which.counts_ended) awaited.ended |= thread;
      } else if (in->kind != InstructionKind::wait) {
        awaited.coming |= thread;
      } else if (in->barrier != barrier) {
        awaited.elsewhere |= thread;
      }
    }
  }
  return awaited.to_string();
}

std::string LockstepProgram::describe_thread(const Word* state, int subgroup) const {
  const Subgroup& own = subgroups_[subgroup];
  const Lanes where = lanes(state, subgroup);
  if (where.failed) return "ERROR";
  if (where.ended()) return "END";
  const Instruction& in = *own.instruction(where);
  const ThreadCode& thread = own.thread();
  std::string text = in.source >= 0 ? thread.sources[in.source].text : "start";
  if (blocked(state).contains(subgroup)) {
    const bool at_barrier = in.kind == InstructionKind::wait;
    text = fmt::format("waits at {} (line {}){}", text, thread.sources[in.source].line,
                       at_barrier ? awaited_text(state, subgroup) : "");
  } else if (in.kind == InstructionKind::pass) {
    text = "passes " + text;
  }
  if (where.active.size() < own.size()) text = lanes_text(where.active) + ": " + text;
  const std::string registers = by_lane(own.size() > 1, where.active, [&](int lane) {
    return registers_text(own.thread(lane), where.lanes[lane]);
  });
  if (!registers.empty()) text += " [" + registers + "]";
  for (auto parting = where.partings.rbegin(); parting != where.partings.rend(); ++parting) {
    for (const ThreadSet lanes : {parting->pending, parting->waiting}) {
      if (lanes.empty()) continue;
      const int at = where.lanes[lanes.min()].at;
      const int source = thread.instructions[at].source;
      const std::string place = thread.instructions[at].kind == InstructionKind::end || source < 0
                                    ? "in front of the end"
                                    : fmt::format("at line {}", thread.sources[source].line);
      text +=
          fmt::format(", {} {} {}", lanes_text(lanes), lanes.size() == 1 ? "waits" : "wait", place);
    }
  }
  return text;
}

}  // namespace headway::lang::idiom
