#include "lang/axb/program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/bits/group_set.hpp"
#include "lang/awaited.hpp"
#include "lang/axb/printer.hpp"
#include "lang/axb/texts.hpp"

namespace headway::lang::axb {

AxbProgram::AxbProgram(const Code& code) : AxbProgram(code, code.has_barriers()) {}

AxbProgram::AxbProgram(const Code& code, bool has_barriers)
    : Program(code.topology(), {.block = has_barriers, .instructions = !has_barriers}, 1),
      code_(&code),
      has_barriers_(has_barriers) {
  FieldAllotter fields(threads());
  counters_.reserve(code.threads.size());
  memory_.reserve(code.locations.size());
  operations_.reserve(code.instruction_count());
  std::size_t first = 0;
  for (const Thread& thread : code.threads) {
    const auto barriers = has_barriers ? static_cast<std::size_t>(std::count_if(
                                             thread.instructions.begin(), thread.instructions.end(),
                                             [](const Instruction& i) { return i.is_barrier(); }))
                                       : 0;
    const std::size_t length = static_cast<std::size_t>(thread.length()) + 2 * barriers;
    counters_.push_back({fields.allot(length), length, 2 * barriers, first});
    first += length;
  }
  const auto highest_value = static_cast<unsigned>(code.values - 1);
  for (std::size_t l = 0; l < code.locations.size(); ++l)
    memory_.push_back(fields.allot(highest_value));
  for (const Thread& thread : code.threads) add_operations(thread);
  set_words(fields.words());
}

void AxbProgram::add_operations(const Thread& thread) {
  // Where the local states of an instruction begin.
  const auto local = [&](int index) {
    if (!has_barriers_) return index;
    const auto end = thread.instructions.begin() + index;
    return index +
           2 * static_cast<int>(std::count_if(thread.instructions.begin(), end,
                                              [](const Instruction& i) { return i.is_barrier(); }));
  };
  for (int index = 0; index < thread.length(); ++index) {
    const Instruction& i = thread.instructions[index];
    Operation operation;
    operation.index = static_cast<std::uint8_t>(index);
    operation.jump = static_cast<std::uint16_t>(local(i.jump));
    if (i.is_barrier()) {
      operation.level = level_of(i.barrier);
      for (const auto kind :
           {Operation::Kind::arrive, Operation::Kind::wait, Operation::Kind::pass}) {
        operation.kind = kind;
        operations_.push_back(operation);
      }
      continue;
    }
    operation.check_value = i.check_value;
    operation.exchanges = i.exchanges;
    operation.exchange_value = i.exchange_value;
    operation.memory = memory_[i.location];
    operations_.push_back(operation);
  }
}

void AxbProgram::initial(Word* state) const {
  std::fill(state, state + words(), 0);
  for (std::size_t l = 0; l < memory_.size(); ++l) {
    memory_[l].set(state, code_->locations[l].initial);
  }
}

ThreadSet AxbProgram::terminated(const Word* state) const {
  ThreadSet result;
  for (int t = 0; t < threads(); ++t) {
    if (counters_[t].at.get(state) == counters_[t].length) result |= ThreadSet::single(t);
  }
  return result;
}

ThreadSet AxbProgram::blocked(const Word* state) const {
  ThreadSet result;
  if (!has_barriers_) return result;
  for (int t = 0; t < threads(); ++t) {
    const Operation* at = operation(state, t);
    if (at != nullptr && at->kind == Operation::Kind::wait) result |= ThreadSet::single(t);
  }
  return result;
}

ThreadSet AxbProgram::complete(const Word* state, Level level, int thread) const {
  const ThreadSet threads = group_around(topology(), level, thread);
  for (const int t : threads) {
    const Operation* at = operation(state, t);
    const bool waits = at != nullptr && at->kind == Operation::Kind::wait && at->level == level;
    if (!waits && !(at == nullptr && code_->ended_count)) return {};
  }
  return threads;
}

// Lets the group of a thread through that has arrived or ended, if that completes it.
void AxbProgram::release(Word* state, Level level, int thread) const {
  for (const int t : complete(state, level, thread)) {
    if (operation(state, t) != nullptr) {
      counters_[t].at.set(state, counters_[t].at.get(state) + 1);
    }
  }
}

bool AxbProgram::step(const Word* state, Step step, Word* next) const {
  const Counter& counter = counters_[step.thread];
  const Word at = counter.at.get(state);
  assert(at < counter.length);
  const Operation& operation = operations_[counter.first + at];
  std::copy(state, state + words(), next);
  if (operation.kind != Operation::Kind::access) return step_at_barrier(operation, step, next);
  const Word old = operation.memory.get(state);
  if (operation.exchanges) operation.memory.set(next, operation.exchange_value);
  return go_to(old == operation.check_value ? operation.jump : at + 1, step, next);
}

bool AxbProgram::go_to(Word local, Step step, Word* next) const {
  const Counter& counter = counters_[step.thread];
  counter.at.set(next, local);
  const bool ends = local == counter.length;
  if (ends && has_barriers_ && code_->ended_count) {
    for (const Level level : {Level::subgroup, Level::workgroup}) {
      release(next, level, step.thread);
    }
  }
  return ends;
}

bool AxbProgram::step_at_barrier(const Operation& operation, Step step, Word* next) const {
  assert(operation.kind != Operation::Kind::wait);
  if (operation.kind == Operation::Kind::pass) return go_to(operation.jump, step, next);
  const Counter& counter = counters_[step.thread];
  counter.at.set(next, counter.at.get(next) + 1);
  release(next, operation.level, step.thread);
  return false;
}

models::Instruction AxbProgram::next_instruction(const Word* state, int thread) const {
  using Access = models::Instruction::Access;
  const int at = pc(state, thread);
  const Instruction& instruction = code_->threads[thread].instructions[at];
  if (is_store(instruction, at)) return {Access::store, false};
  return {instruction.exchanges ? Access::exchange : Access::load, instruction.jump <= at};
}

std::optional<StepTables> AxbProgram::step_tables() const {
  if (!code_->is_flat()) return std::nullopt;
  StepTables tables;
  for (const Location& location : code_->locations) {
    tables.variables.push_back(
        {static_cast<std::uint16_t>(location.initial + 1), location.initial});
  }
  for (const Thread& thread : code_->threads) {
    for (const Instruction& i : thread.instructions) {
      std::uint16_t& values = tables.variables[i.location].values;
      if (i.exchanges) values = std::max<std::uint16_t>(values, i.exchange_value + 1);
    }
  }
  for (const Thread& thread : code_->threads) {
    StepTables::Thread& locals = tables.threads.emplace_back();
    for (const Instruction& i : thread.instructions) {
      StepTables::LocalRow& local = locals.locals.emplace_back();
      local.variable = i.location;
      const auto following = static_cast<std::uint16_t>(locals.locals.size());
      for (std::uint16_t old = 0; old < tables.variables[i.location].values; ++old) {
        local.outcomes.push_back({old == i.check_value ? std::uint16_t{i.jump} : following,
                                  i.exchanges ? std::uint16_t{i.exchange_value} : old});
      }
    }
  }
  return tables;
}

StepText AxbProgram::describe_step(const Word* state, Step step) const {
  using Kind = Operation::Kind;
  const Thread& code = code_->threads[step.thread];
  const Operation& at = *operation(state, step.thread);
  const Instruction& instruction = code.instructions[at.index];
  StepText text;
  text.statement = statement(step.thread, at.index);
  if (!code.sources.empty()) text.line = code.sources[at.index].line;
  if (at.kind != Kind::access) {
    text.effect = at.kind == Kind::arrive ? "arrives at the barrier" : "passes the barrier";
    return text;
  }
  text.effect = access_text(*code_, instruction, at.index, value(state, instruction.location));
  return text;
}

std::string AxbProgram::describe_memory(const Word* state) const {
  return memory_text(*code_, memory_, state);
}

std::string AxbProgram::statement(int thread, int index) const {
  const Thread& code = code_->threads[thread];
  if (!code.sources.empty()) return code.sources[index].text;
  return print_statement(*code_, code.instructions[index], index, code.length());
}

// Whom a thread that waits at a barrier waits for: " for thread 1, and for thread 2, which has
// ended".
std::string AxbProgram::awaited_text(const Word* state, int thread) const {
  const Level level = operation(state, thread)->level;
  Awaited awaited;
  for (const int t : group_around(topology(), level, thread)) {
    const Operation* at = operation(state, t);
    const ThreadSet self = ThreadSet::single(t);
    if (at == nullptr) {
      if (!code_->ended_count) awaited.ended |= self;
    } else if (at->kind != Operation::Kind::wait) {
      awaited.coming |= self;
    } else if (at->level != level) {
      awaited.elsewhere |= self;
    }
  }
  return awaited.to_string();
}

std::string AxbProgram::describe_thread(const Word* state, int thread) const {
  const Operation* at = operation(state, thread);
  if (at == nullptr) return "END";
  std::string text = statement(thread, at->index);
  if (at->kind == Operation::Kind::pass) return "passes " + text;
  if (at->kind != Operation::Kind::wait) return text;
  const Thread& code = code_->threads[thread];
  const std::string line =
      code.sources.empty() ? "" : fmt::format(" (line {})", code.sources[at->index].line);
  return fmt::format("waits at {}{}{}", text, line, awaited_text(state, thread));
}

}  // namespace headway::lang::axb
