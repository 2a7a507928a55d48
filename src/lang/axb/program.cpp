#include "lang/axb/program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lang/axb/printer.hpp"

namespace headway::lang::axb {

AxbProgram::AxbProgram(const Code& code)
    : Program(code.thread_count(), {.instructions = true}, 1), code_(&code) {
  FieldAllotter fields(threads());
  counters_.reserve(code.threads.size());
  memory_.reserve(code.locations.size());
  operations_.reserve(code.instruction_count());
  std::size_t first = 0;
  for (const Thread& thread : code.threads) {
    const auto length = static_cast<unsigned>(thread.length());
    counters_.push_back({fields.allot(length), length, first});
    first += length;
  }
  const auto highest_value = static_cast<unsigned>(code.values - 1);
  for (std::size_t l = 0; l < code.locations.size(); ++l)
    memory_.push_back(fields.allot(highest_value));
  for (const Thread& thread : code.threads) {
    for (const Instruction& i : thread.instructions) {
      operations_.push_back(
          {memory_[i.location], i.check_value, i.jump, i.exchanges, i.exchange_value});
    }
  }
  set_words(fields.words());
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
    if (counters_[t].pc.get(state) == counters_[t].length) result |= ThreadSet::single(t);
  }
  return result;
}

bool AxbProgram::step(const Word* state, Step step, Word* next) const {
  const Counter& counter = counters_[step.thread];
  const Word pc = counter.pc.get(state);
  assert(pc < counter.length);
  const Operation& operation = operations_[counter.first + pc];
  const Word old = operation.memory.get(state);
  std::copy(state, state + words(), next);
  if (operation.exchanges) operation.memory.set(next, operation.exchange_value);
  const Word after = old == operation.check_value ? operation.jump : pc + 1;
  counter.pc.set(next, after);
  return after == counter.length;
}

models::Instruction AxbProgram::next_instruction(const Word* state, int thread) const {
  using Access = models::Instruction::Access;
  const int at = pc(state, thread);
  const Instruction& instruction = code_->threads[thread].instructions[at];
  if (is_store(instruction, at)) return {Access::store, false};
  return {instruction.exchanges ? Access::exchange : Access::load, instruction.jump <= at};
}

std::optional<StepTables> AxbProgram::step_tables() const {
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
  const int thread = step.thread;
  const Counter& counter = counters_[thread];
  const Word pc = counter.pc.get(state);
  const Thread& code = code_->threads[thread];
  const Instruction& instruction = code.instructions[pc];
  StepText text;
  text.statement = describe_thread(state, thread);
  if (!code.sources.empty()) text.line = code.sources[pc].line;
  const std::string& name = code_->locations[instruction.location].name;
  const Word old = memory_[instruction.location].get(state);
  const bool store = is_store(instruction, static_cast<int>(pc));
  if (!store) text.effect = fmt::format("reads {} = {}", name, old);
  if (instruction.exchanges) {
    text.effect +=
        fmt::format("{}writes {} = {}", store ? "" : ", ", name, instruction.exchange_value);
  }
  return text;
}

std::string AxbProgram::describe_memory(const Word* state) const {
  std::string text;
  for (std::size_t l = 0; l < memory_.size(); ++l) {
    text +=
        fmt::format("{}{}={}", l > 0 ? " " : "", code_->locations[l].name, memory_[l].get(state));
  }
  return text;
}

std::string AxbProgram::describe_thread(const Word* state, int thread) const {
  const Word pc = counters_[thread].pc.get(state);
  const Thread& code = code_->threads[thread];
  if (pc == counters_[thread].length) return "END";
  if (!code.sources.empty()) return code.sources[pc].text;
  return print_statement(*code_, code.instructions[pc], static_cast<int>(pc), code.length());
}

}  // namespace headway::lang::axb
