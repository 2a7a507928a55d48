// What people read of programs whose subgroups run in lockstep.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "lang/awaited.hpp"
#include "lang/idiom/lockstep.hpp"
#include "lang/idiom/reconvergence.hpp"
#include "lang/idiom/texts.hpp"

namespace headway::lang::idiom {
namespace {

using InstructionKind = Instruction::Kind;

// "lane 1", "lanes 0 2"
std::string lanes_text(ThreadSet lanes) {
  std::string text = lanes.size() == 1 ? "lane" : "lanes";
  for (const int lane : lanes) text += fmt::format(" {}", lane);
  return text;
}

// "lanes 0 2: reads x = 1; lane 1: reads x = 0", with what is said of each lane; of a subgroup of
// one, that alone.
std::string by_lane(const Subgroup& subgroup, ThreadSet lanes,
                    const std::function<std::string(int)>& says) {
  std::vector<std::pair<std::string, ThreadSet>> parts;
  for (const int lane : lanes) {
    const std::string text = says(lane);
    if (text.empty()) continue;
    const auto known =
        std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.first == text; });
    ThreadSet& with_it =
        known != parts.end() ? known->second : parts.emplace_back(text, ThreadSet()).second;
    with_it |= ThreadSet::single(lane);
  }
  std::string all;
  for (const auto& [text, with_it] : parts) {
    if (!all.empty()) all += "; ";
    if (subgroup.size() > 1) all += lanes_text(with_it) + ": ";
    all += text;
  }
  return all;
}

}  // namespace

std::string LockstepProgram::describe_memory(const Word* state) const {
  return memory_text(*code_, View(*this, state));
}

// Local computation behind the access may fail in another statement than `source`.
std::string LockstepProgram::failure_text(const LanesTaken& taken, int subgroup, int source) const {
  const ThreadCode& thread = subgroups_[subgroup].thread(taken.failed_lane);
  const std::string what = to_string(taken.failure, *code_, thread);
  if (taken.failure.source == source) return "ERROR: " + what;
  const SourceLine& where = thread.sources[taken.failure.source];
  return fmt::format("ERROR in line {}, {}: {}", where.line, without_semicolon(where.text), what);
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
  const auto change_text = [&](int lane) {
    std::string own;
    const auto add = [&](const std::string& part) { own += (own.empty() ? "" : ", ") + part; };
    for (const LanesTaken::Change& change : taken.changes) {
      if (change.lane != lane) continue;
      if (change.access.cell >= 0) {
        const std::string name = code_->cell_name(change.access.cell);
        if (in.access != AccessKind::store) add(fmt::format("reads {} = {}", name, change.old));
        if (change.written) add(fmt::format("writes {} = {}", name, *change.written));
        if (in.access == AccessKind::weak_cas && change.choice == 1) add("fails spuriously");
      } else if (in.kind == InstructionKind::choice) {
        add(fmt::format("chooses {}", in.low + change.choice));
      } else if (in.kind == InstructionKind::meet) {
        if (taken.failure.kind == Failure::Kind::none) add(fmt::format("gets {}", change.result));
      } else if (change.access.failure.kind == Failure::Kind::none) {
        add(own_effect(in.kind));
      }
    }
    if (taken.failure.kind != Failure::Kind::none) {
      if (lane == taken.failed_lane) add(failure_text(taken, step.thread, in.source));
      return own;
    }
    if (taken.over) return own;
    const std::string now = registers_text(subgroup.thread(lane), after.lanes[lane]);
    const bool differs = now != registers_text(subgroup.thread(lane), before.lanes[lane]);
    if (!now.empty() && differs) add("then " + now);
    return own;
  };
  const std::string changes = by_lane(subgroup, before.active, change_text);
  if (!changes.empty()) text.effect += (text.effect.empty() ? "" : "; ") + changes;
  if (taken.over) text.effect += ", what is assumed does not hold";
  if (taken.failure.kind == Failure::Kind::none && !code_->final.instructions.empty()) {
    this->step(state, step, next.data());
    if (!failed(next.data()).empty()) {
      const Failure failure = Machine(*code_, code_->final).judge(View(*this, next.data()));
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
  const std::string registers = by_lane(own, where.active, [&](int lane) {
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
