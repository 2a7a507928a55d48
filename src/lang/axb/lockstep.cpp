#include "lang/axb/lockstep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/bits/group_set.hpp"
#include "lang/awaited.hpp"
#include "lang/axb/printer.hpp"
#include "lang/axb/texts.hpp"
#include "lang/lane_texts.hpp"

namespace headway::lang::axb {

LockstepProgram::LockstepProgram(const Code& code)
    : Program(code.topology(), {.block = code.has_barriers(), .choose = true}, 1), code_(&code) {
  FieldAllotter fields(threads());
  flows_.reserve(code.threads.size());
  packed_.reserve(code.threads.size());
  memory_.reserve(code.locations.size());
  for (const Thread& thread : code.threads) {
    flows_.emplace_back(thread.instructions, code.ended_count);
    const auto lanes = static_cast<std::size_t>(thread.lanes);
    const auto length = static_cast<Word>(thread.length());
    Packed& packed = packed_.emplace_back();
    packed.phase = fields.allot(static_cast<Word>(Phase::passing));
    for (std::size_t p = 0; p + 1 < lanes; ++p) packed.points.push_back(fields.allot(length));
    for (std::size_t l = 0; l < lanes; ++l) {
      packed.roles.push_back(fields.allot(Parted::highest_role(thread.lanes)));
      packed.at.push_back(fields.allot(length));
    }
  }
  const auto highest_value = static_cast<Word>(code.values - 1);
  for (std::size_t l = 0; l < code.locations.size(); ++l) {
    memory_.push_back(fields.allot(highest_value));
  }
  set_words(fields.words());
}

void LockstepProgram::put(Word* state, int subgroup, const Lanes& lanes) const {
  const Packed& packed = packed_[static_cast<std::size_t>(subgroup)];
  for (std::size_t p = 0; p < packed.points.size(); ++p) {
    const int point = p < lanes.partings.size() ? lanes.partings[p].point : kNowhere;
    packed.points[p].set(state, static_cast<Word>(point + 1));
  }
  for (std::size_t l = 0; l < packed.roles.size(); ++l) {
    packed.roles[l].set(state, lanes.role(static_cast<int>(l)));
    packed.at[l].set(state, lanes.at[l]);
  }
}

Lanes LockstepProgram::lanes(const Word* state, int subgroup) const {
  const Packed& packed = packed_[static_cast<std::size_t>(subgroup)];
  Lanes result;
  result.set_roles(static_cast<int>(packed.roles.size()),
                   [&](int lane) { return packed.roles[lane].get(state); });
  for (const Field& at : packed.at) {
    result.at.push_back(static_cast<std::uint8_t>(at.get(state)));
  }
  for (std::size_t p = 0; p < result.partings.size(); ++p) {
    result.partings[p].point = static_cast<int>(packed.points[p].get(state)) - 1;
  }
  return result;
}

void LockstepProgram::initial(Word* state) const {
  std::fill(state, state + words(), 0);
  for (std::size_t l = 0; l < memory_.size(); ++l) {
    memory_[l].set(state, code_->locations[l].initial);
  }
  for (int g = 0; g < threads(); ++g) put(state, g, Flow::start(code_->threads[g].lanes));
}

ThreadSet LockstepProgram::terminated(const Word* state) const {
  ThreadSet result;
  for (int g = 0; g < threads(); ++g) {
    const auto& roles = packed_[static_cast<std::size_t>(g)].roles;
    const bool ended = std::all_of(roles.begin(), roles.end(), [&](const Field& role) {
      return role.get(state) == Parted::kEnded;
    });
    if (ended) result |= ThreadSet::single(g);
  }
  return result;
}

ThreadSet LockstepProgram::blocked(const Word* state) const {
  ThreadSet result;
  for (int g = 0; g < threads(); ++g) {
    if (phase(state, g) == Phase::waiting) result |= ThreadSet::single(g);
  }
  return result;
}

int LockstepProgram::choices(const Word* state, int subgroup) const {
  return lanes(state, subgroup).is_choosing() ? 2 : 1;
}

const Instruction* LockstepProgram::instruction(const Lanes& lanes, int subgroup) const {
  if (lanes.ended() || lanes.is_choosing()) return nullptr;
  return &code_->threads[subgroup].instructions[static_cast<std::size_t>(lanes.place())];
}

bool LockstepProgram::step(const Word* state, Step step, Word* next) const {
  const int subgroup = step.thread;
  const auto index = static_cast<std::size_t>(subgroup);
  std::copy(state, state + words(), next);
  Lanes own = lanes(state, subgroup);
  const Instruction* in = instruction(own, subgroup);
  if (in == nullptr) {
    flows_[index].choose(own, step.choice);
  } else if (in->is_barrier() && phase(state, subgroup) == Phase::before) {
    // The active lanes are there together, which is all that one of their subgroup waits for.
    const bool alone = level_of(in->barrier) == Level::subgroup;
    packed_[index].phase.set(next, static_cast<Word>(alone ? Phase::passing : Phase::waiting));
  } else if (in->is_barrier()) {
    packed_[index].phase.set(next, static_cast<Word>(Phase::before));
    flows_[index].go_on(own, {});
  } else {
    const int old = in->is_access() ? value(state, in->location) : 0;
    if (in->exchanges) memory_[in->location].set(next, in->exchange_value);
    flows_[index].go_on(own, jumping(*in, own.active, old));
  }
  put(next, subgroup, own);
  if (may_block()) release(next);
  return own.ended();
}

// Whether a subgroup waits at the barrier of a level, or has ended where that counts. A lane that
// is not active does not wait.
bool LockstepProgram::waits(const Word* state, int subgroup, Level level) const {
  const Lanes own = lanes(state, subgroup);
  if (own.ended()) return code_->ended_count;
  const Instruction* in = instruction(own, subgroup);
  const bool here = phase(state, subgroup) == Phase::waiting && level_of(in->barrier) == level;
  return here && own.partings.empty() && (code_->ended_count || own.are_together());
}

// Lets those pass whose barrier is complete.
void LockstepProgram::release(Word* state) const {
  for (int w = 0; w < topology().workgroups(); ++w) {
    const ThreadSet group = threads_of(topology(), Level::workgroup, w);
    bool all = true;
    for (const int g : group) all = all && waits(state, g, Level::workgroup);
    if (!all) continue;
    for (const int g : group& blocked(state)) {
      packed_[static_cast<std::size_t>(g)].phase.set(state, static_cast<Word>(Phase::passing));
    }
  }
}

// Texts for people -------------------------------------------------------------------------------

std::string LockstepProgram::statement(const Lanes& lanes, int subgroup) const {
  const Thread& thread = code_->threads[subgroup];
  const int at = lanes.place();
  if (!thread.sources.empty()) return thread.sources[static_cast<std::size_t>(at)].text;
  return print_statement(*code_, *instruction(lanes, subgroup), at, thread.length());
}

StepText LockstepProgram::describe_step(const Word* state, Step step) const {
  const Lanes own = lanes(state, step.thread);
  const Instruction* in = instruction(own, step.thread);
  StepText text;
  if (in == nullptr) {
    Lanes after = own;
    flows_[step.thread].choose(after, step.choice);
    text.effect = "chooses the side of " + lanes_text(after.active & own.active);
    return text;
  }
  const Thread& thread = code_->threads[step.thread];
  const int at = own.place();
  text.statement = statement(own, step.thread);
  if (!thread.sources.empty()) text.line = thread.sources[static_cast<std::size_t>(at)].line;
  if (in->is_barrier()) {
    const bool arrives = phase(state, step.thread) == Phase::before;
    text.effect = arrives ? "arrives at the barrier" : "passes the barrier";
    return text;
  }
  if (in->asks_lane) {
    const ThreadSet jump = jumping(*in, own.active, 0);
    text.effect = by_lane(thread.lanes > 1, own.active, [&](int lane) {
      return std::string(jump.contains(lane) ? "jumps" : "goes on");
    });
    return text;
  }
  text.effect = by_lane(thread.lanes > 1, own.active, [&](int lane) {
    const bool first = lane == own.active.min();
    const int old = in->exchanges && !first ? in->exchange_value : value(state, in->location);
    return access_text(*code_, *in, at, old);
  });
  return text;
}

std::string LockstepProgram::describe_memory(const Word* state) const {
  return memory_text(*code_, memory_, state);
}

// Whom a subgroup at a barrier waits for. Threads are numbered through the launch.
std::string LockstepProgram::awaited_text(const Word* state, int subgroup, Level level) const {
  Awaited awaited;
  for (const int g : group_around(topology(), level, subgroup)) {
    const Lanes own = lanes(state, g);
    const Instruction* in = instruction(own, g);
    ThreadSet parted;
    for (const Lanes::Parting& parting : own.partings) parted |= parting.waiting | parting.pending;
    for (int lane = 0; lane < own.size(); ++lane) {
      const ThreadSet self = ThreadSet::single(first_lane(*code_, g) + lane);
      if (parted.contains(lane)) {
        awaited.inactive |= self;
      } else if (!own.active.contains(lane)) {
        if (!code_->ended_count) awaited.ended |= self;
      } else if (phase(state, g) != Phase::waiting) {
        awaited.coming |= self;
      } else if (level_of(in->barrier) != level) {
        awaited.elsewhere |= self;
      }
    }
  }
  return awaited.to_string();
}

std::string LockstepProgram::describe_thread(const Word* state, int subgroup) const {
  const Lanes own = lanes(state, subgroup);
  if (own.ended()) return "END";
  const Thread& thread = code_->threads[subgroup];
  const auto place_text = [&](int at) {
    if (at == thread.length()) return std::string("at the end");
    if (!thread.sources.empty()) {
      return fmt::format("at line {}", thread.sources[static_cast<std::size_t>(at)].line);
    }
    return fmt::format("at L{}", at);
  };
  std::string text;
  const Instruction* in = instruction(own, subgroup);
  if (in == nullptr) {
    text = by_lane(true, own.active, [&](int lane) {
      return "goes on " + place_text(own.at[static_cast<std::size_t>(lane)]);
    });
  } else {
    text = statement(own, subgroup);
    if (phase(state, subgroup) == Phase::passing) text = "passes " + text;
    if (phase(state, subgroup) == Phase::waiting) {
      text =
          fmt::format("waits at {}{}{}", text,
                      thread.sources.empty() ? "" : " (" + place_text(own.place()).substr(3) + ")",
                      awaited_text(state, subgroup, level_of(in->barrier)));
    }
    if (own.active.size() < own.size()) text = lanes_text(own.active) + ": " + text;
  }
  for (auto parting = own.partings.rbegin(); parting != own.partings.rend(); ++parting) {
    for (const ThreadSet lanes : {parting->pending, parting->waiting}) {
      if (lanes.empty()) continue;
      text += fmt::format(", {} {} {}", lanes_text(lanes), lanes.size() == 1 ? "waits" : "wait",
                          place_text(own.at[static_cast<std::size_t>(lanes.min())]));
    }
  }
  return text;
}

}  // namespace headway::lang::axb
