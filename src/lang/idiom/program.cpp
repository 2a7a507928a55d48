#include "lang/idiom/program.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headway::lang::idiom {

using FailureKind = Failure::Kind;

IdiomProgram::IdiomProgram(std::shared_ptr<const Code> code)
    : Program(static_cast<int>(code->threads.size()), {.fail = true}, 1), code_(std::move(code)) {
  FieldAllotter fields(threads());
  for (const ThreadCode& from : code_->threads) {
    machines_.emplace_back(*code_, from);
    Thread thread;
    thread.stop_of.assign(from.instructions.size(), -1);
    std::uint32_t live = 0;
    for (std::size_t i = 0; i < from.instructions.size(); ++i) {
      const Instruction::Kind kind = from.instructions[i].kind;
      const bool stop = kind == Instruction::Kind::access || kind == Instruction::Kind::head ||
                        kind == Instruction::Kind::end;
      if (!stop) continue;
      thread.stop_of[i] = static_cast<int>(thread.stops.size());
      thread.stops.push_back(static_cast<int>(i));
      live |= from.live[i];
    }
    thread.end = thread.stops.size() - 1;
    thread.at = fields.allot(thread.stops.size());
    for (std::size_t r = 0; r < from.registers.size(); ++r) {
      if ((live >> r & 1) == 0) continue;
      const RegisterRange& range = from.registers[r];
      thread.registers.push_back({fields.allot(static_cast<std::uint64_t>(range.high) - range.low),
                                  range.low, static_cast<int>(r)});
    }
    threads_.push_back(std::move(thread));
  }
  for (std::size_t cell = 0; cell < code_->initial.size(); ++cell) {
    const SharedVariable& variable = code_->variables[code_->variable_of[cell]];
    cells_.push_back({fields.allot(static_cast<std::uint64_t>(variable.high) - variable.low),
                      variable.low, static_cast<int>(cell)});
  }
  set_words(fields.words());
}

void IdiomProgram::put(Word* state, int thread, const Local& local) const {
  const Thread& own = threads_[thread];
  const Word at =
      local.at == Local::kFailed ? own.stops.size() : static_cast<Word>(own.stop_of[local.at]);
  own.at.set(state, at);
  for (const Value& value : own.registers) {
    value.field.set(state, static_cast<Word>(local.registers[value.index] - value.low));
  }
}

Local IdiomProgram::local(const Word* state, int thread) const {
  const Thread& own = threads_[thread];
  const ThreadCode& code = code_->threads[thread];
  Local local;
  const Word at = own.at.get(state);
  local.at = at == own.stops.size() ? Local::kFailed : own.stops[at];
  for (std::size_t r = 0; r < code.registers.size(); ++r) {
    local.registers[r] = code.registers[r].low;
  }
  for (const Value& value : own.registers) {
    local.registers[value.index] = value.low + static_cast<int>(value.field.get(state));
  }
  return local;
}

void IdiomProgram::initial(Word* state) const {
  std::fill(state, state + words(), 0);
  for (const Value& cell : cells_) {
    cell.field.set(state, static_cast<Word>(code_->initial[cell.index] - cell.low));
  }
  for (int t = 0; t < threads(); ++t) put(state, t, machines_[t].start());
}

ThreadSet IdiomProgram::terminated(const Word* state) const {
  ThreadSet result;
  for (int t = 0; t < threads(); ++t) {
    if (threads_[t].at.get(state) == threads_[t].end) result |= ThreadSet::single(t);
  }
  return result;
}

ThreadSet IdiomProgram::failed(const Word* state) const {
  ThreadSet result;
  for (int t = 0; t < threads(); ++t) {
    if (threads_[t].at.get(state) > threads_[t].end) result |= ThreadSet::single(t);
  }
  return result;
}

bool IdiomProgram::step(const Word* state, Step step, Word* next) const {
  const int thread = step.thread;
  assert(running(state).contains(thread));
  std::copy(state, state + words(), next);
  Local own = local(state, thread);
  const Machine& machine = machines_[thread];
  const Access access = machine.access(own);
  Failure failure;
  const auto written =
      machine.step(own, access, access.cell < 0 ? 0 : value(state, access.cell), failure);
  if (written) {
    const Value& cell = cells_[access.cell];
    cell.field.set(next, static_cast<Word>(*written - cell.low));
  }
  put(next, thread, own);
  return own.at != Local::kFailed && machine.ended(own);
}

// For people -------------------------------------------------------------------------------------

// The registers that matter and have names, "my=0 i=2".
std::string IdiomProgram::registers_text(const Local& local, int thread) const {
  const ThreadCode& code = code_->threads[thread];
  std::string text;
  for (int r = 0; r < code.visible; ++r) {
    if ((code.live[local.at] >> r & 1) == 0) continue;
    text +=
        fmt::format("{}{}={}", text.empty() ? "" : " ", code.registers[r].name, local.registers[r]);
  }
  return text;
}

StepText IdiomProgram::describe_step(const Word* state, Step step) const {
  const int thread = step.thread;
  const ThreadCode& code = code_->threads[thread];
  StepText text;
  Local own = local(state, thread);
  assert(own.at != Local::kFailed);
  const std::string before = registers_text(own, thread);
  const Instruction& in = code.instructions[own.at];
  if (in.source >= 0) {
    text.line = code.sources[in.source].line;
    text.statement = code.sources[in.source].text;
  }
  const Access access = machines_[thread].access(own);
  const int old = access.cell < 0 ? 0 : value(state, access.cell);
  Failure failure;
  const auto written = machines_[thread].step(own, access, old, failure);
  const auto add = [&](const std::string& part) {
    text.effect += (text.effect.empty() ? "" : ", ") + part;
  };
  if (access.cell < 0) {
    if (access.failure.kind == FailureKind::none) add("computes");
  } else {
    const std::string name = code_->cell_name(access.cell);
    if (in.access != AccessKind::store) add(fmt::format("reads {} = {}", name, old));
    if (written) add(fmt::format("writes {} = {}", name, *written));
  }
  if (failure.kind != FailureKind::none) {
    const SourceLine& source = code.sources[failure.source];
    const std::string what = to_string(failure, *code_, code);
    std::string statement = source.text;
    if (statement.ends_with(';')) statement.pop_back();
    // Local computation behind the access may fail in another statement.
    add(failure.source == in.source
            ? "ERROR: " + what
            : fmt::format("ERROR in line {}, {}: {}", source.line, statement, what));
  } else if (const std::string after = registers_text(own, thread);
             !after.empty() && after != before) {
    add("then " + after);
  }
  return text;
}

std::vector<VariableText> IdiomProgram::variable_texts() const {
  std::vector<VariableText> texts;
  for (const SharedVariable& variable : code_->variables) {
    VariableText& text = texts.emplace_back();
    text = {variable.name, variable.is_array, variable.low, {}};
    for (int i = 0; i < variable.size; ++i) {
      text.initial.push_back(code_->initial[variable.first_cell + i] - variable.low);
    }
  }
  return texts;
}

std::string IdiomProgram::describe_memory(const Word* state) const {
  std::string text;
  for (const SharedVariable& variable : code_->variables) {
    std::string values;
    for (int i = 0; i < variable.size; ++i) {
      values += fmt::format("{}{}", i > 0 ? "," : "", value(state, variable.first_cell + i));
    }
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", variable.name,
                        variable.is_array ? "{" + values + "}" : values);
  }
  return text;
}

std::string IdiomProgram::describe_thread(const Word* state, int thread) const {
  const ThreadCode& code = code_->threads[thread];
  const Local own = local(state, thread);
  if (own.at == Local::kFailed) return "ERROR";
  if (machines_[thread].ended(own)) return "END";
  const Instruction& in = code.instructions[own.at];
  std::string text = in.source >= 0 ? code.sources[in.source].text : "start";
  const std::string registers = registers_text(own, thread);
  return registers.empty() ? text : text + " [" + registers + "]";
}

}  // namespace headway::lang::idiom
