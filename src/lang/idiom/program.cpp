#include "lang/idiom/program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/graph/scc_search.hpp"
#include "lang/awaited.hpp"
#include "lang/idiom/interchangeable.hpp"
#include "lang/idiom/subgroup_operation.hpp"
#include "lang/idiom/texts.hpp"

namespace headway::lang::idiom {

using FailureKind = Failure::Kind;

// Shared memory in a state.
namespace {

// By instruction, whether it is an arrival that its thread can come back to from barrier to barrier
// alone.
std::vector<bool> recurring_arrivals(const ThreadCode& thread) {
  using Kind = Instruction::Kind;
  std::vector<std::vector<std::uint32_t>> successors(thread.instructions.size());
  for (std::size_t i = 0; i < thread.instructions.size(); ++i) {
    const Instruction& in = thread.instructions[i];
    if (in.kind == Kind::access || in.kind == Kind::await || in.kind == Kind::choice ||
        in.kind == Kind::end) {
      continue;
    }
    if (in.kind != Kind::jump) successors[i].push_back(static_cast<std::uint32_t>(i + 1));
    if (in.kind == Kind::jump || in.kind == Kind::branch) {
      successors[i].push_back(static_cast<std::uint32_t>(in.target));
    }
  }
  const StrongComponents components = strong_components(successors);
  std::vector<int> members(components.count, 0);
  for (const std::uint32_t c : components.of) ++members[c];
  std::vector<bool> result(thread.instructions.size(), false);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = thread.instructions[i].kind == Kind::arrive && members[components.of[i]] > 1;
  }
  return result;
}

}  // namespace

IdiomProgram::IdiomProgram(std::shared_ptr<const Code> code)
    : Program(code->topology,
              Abilities{.block = code->waits(),
                        .choose = code->chooses(),
                        .choose_fairly = code->chooses_fairly(),
                        .fail = true,
                        .end_others = code->assumes()},
              1),
      code_(std::move(code)) {
  ends_release_ = std::any_of(code_->barriers.begin(), code_->barriers.end(),
                              [](const Barrier& barrier) { return barrier.counts_ended; });
  FieldAllotter fields(threads());
  for (const ThreadCode& from : code_->threads) {
    machines_.emplace_back(*code_, from);
    Thread thread;
    thread.stop_of.assign(from.instructions.size(), -1);
    std::uint32_t live = 0;
    for (std::size_t i = 0; i < from.instructions.size(); ++i) {
      if (!is_stop(from.instructions[i].kind)) continue;
      thread.stop_of[i] = static_cast<int>(thread.stops.size());
      thread.stops.push_back(static_cast<int>(i));
      thread.at_stop.push_back(&from.instructions[i]);
      live |= from.live[i];
    }
    thread.end = thread.stops.size() - 1;
    thread.at_stop.push_back(nullptr);
    thread.at = fields.allot(thread.stops.size());
    if (!code_->barriers.empty()) thread.recurs = recurring_arrivals(from);
    for (std::size_t r = 0; r < from.registers.size(); ++r) {
      if ((live >> r & 1) == 0) continue;
      const RegisterRange& range = from.registers[r];
      thread.registers.push_back({fields.allot(static_cast<std::uint64_t>(range.high) - range.low),
                                  range.low, static_cast<int>(r)});
    }
    thread.places = places_of(*code_, from);
    highest_ += thread.places.back().height;
    threads_.push_back(std::move(thread));
  }
  cells_ = allot_cells(*code_, fields);
  set_words(fields.words());
}

void IdiomProgram::put(Word* state, int thread, const ThreadState& local) const {
  const Thread& own = threads_[thread];
  const Word at = local.at == ThreadState::kFailed ? own.stops.size()
                                                   : static_cast<Word>(own.stop_of[local.at]);
  own.at.set(state, at);
  for (const PackedValue& value : own.registers) {
    value.set(state, local.registers[value.index]);
  }
}

ThreadState IdiomProgram::local(const Word* state, int thread) const {
  const Thread& own = threads_[thread];
  const ThreadCode& code = code_->threads[thread];
  ThreadState local;
  const Word at = own.at.get(state);
  local.at = at == own.stops.size() ? ThreadState::kFailed : own.stops[at];
  for (std::size_t r = 0; r < code.registers.size(); ++r) {
    local.registers[r] = code.registers[r].low;
  }
  for (const PackedValue& value : own.registers) {
    local.registers[value.index] = value.get(state);
  }
  return local;
}

void IdiomProgram::initial(Word* state) const {
  std::fill(state, state + words(), 0);
  for (const PackedValue& cell : cells_) {
    cell.set(state, code_->initial[cell.index]);
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

ThreadSet IdiomProgram::blocked(const Word* state) const {
  ThreadSet result;
  if (!may_block()) return result;
  for (int t = 0; t < threads(); ++t) {
    const Instruction* in = instruction(state, t);
    if (in == nullptr) continue;
    bool blocked = in->kind == Instruction::Kind::wait || in->kind == Instruction::Kind::gather;
    if (in->kind == Instruction::Kind::await) {
      Failure failure;
      blocked = !machines_[t].holds(local(state, t), CellsView(cells_, state), failure);
    }
    if (blocked) result |= ThreadSet::single(t);
  }
  return result;
}

// Operations of subgroups
// --------------------------------------------------------------------------

// What goes wrong when a thread has come to where it stands, while others of its subgroup wait for
// it: they come to one operation together, or nobody says what becomes of them.
Failure IdiomProgram::missed(const Word* state, int thread) const {
  const Instruction& own = *instruction(state, thread);
  const bool gathers = own.kind == Instruction::Kind::gather;
  if (!gathers && own.kind != Instruction::Kind::wait && own.kind != Instruction::Kind::end) {
    return {};
  }
  for (int t = 0; t < threads(); ++t) {
    if (t == thread || group(Scope::subgroup, t) != group(Scope::subgroup, thread)) continue;
    const Instruction& other = *instruction(state, t);
    const bool waits_here =
        other.kind == Instruction::Kind::gather && other.operation != own.operation;
    const bool elsewhere = gathers && other.kind == Instruction::Kind::wait;
    if (!waits_here && !elsewhere) continue;
    const int operation = waits_here ? other.operation : own.operation;
    return {Failure::Kind::rendezvous, 0, operation, own.source < 0 ? 0 : own.source};
  }
  return {};
}

// The operation at which all threads of a subgroup wait that have not ended, for whoever has come
// last. Puts them behind it; where one of them asks a lane that takes no part that is what it
// gives.
Failure IdiomProgram::gather(Word* state, int thread) const {
  const Instruction& own = *instruction(state, thread);
  if (own.kind != Instruction::Kind::gather) return {};
  const int lanes = topology().subgroup_threads();
  std::vector<int> members;
  std::vector<Contribution> brought;
  for (int t = thread - thread % lanes;
       t < threads() && group(Scope::subgroup, t) == group(Scope::subgroup, thread); ++t) {
    const Instruction& in = *instruction(state, t);
    if (in.kind == Instruction::Kind::end) continue;
    if (in.kind != Instruction::Kind::gather || in.operation != own.operation) return {};
    const ThreadState local = this->local(state, t);
    members.push_back(t);
    brought.push_back(
        {t % lanes, local.registers[in.target], in.from < 0 ? 0 : local.registers[in.from]});
  }
  Failure failure;
  const std::vector<int> results = operate(code_->operations[own.operation], brought, failure);
  failure.source = own.source;
  if (failure.kind != FailureKind::none) return failure;
  for (std::size_t m = 0; m < members.size(); ++m) {
    const Instruction& in = *instruction(state, members[m]);
    ThreadState local = this->local(state, members[m]);
    local.registers[in.target] = results[m];
    ++local.at;
    machines_[members[m]].forget(local);
    put(state, members[m], local);
  }
  return {};
}

// What becomes of operations when a thread has come to where it stands.
Failure IdiomProgram::meet(Word* state, int thread) const {
  const Failure failure = missed(state, thread);
  return failure.kind != FailureKind::none ? failure : gather(state, thread);
}

// The execution is not considered any further.
void IdiomProgram::end_all(Word* state) const {
  for (int t = 0; t < threads(); ++t) {
    ThreadState local;
    local.at = threads_[t].stops.back();
    machines_[t].forget(local);
    put(state, t, local);
  }
}

// The step of a thread, whose local state it changes.
IdiomProgram::Taken IdiomProgram::take(const Word* state, Step step) const {
  const int thread = step.thread;
  const Machine& machine = machines_[thread];
  const Instruction& in = *instruction(state, thread);
  Taken taken{local(state, thread), {}, 0, {}, {}};
  taken.access = machine.access(taken.own);
  if (in.kind == Instruction::Kind::await) {
    machine.holds(taken.own, CellsView(cells_, state), taken.access.failure);
  }
  taken.old = taken.access.cell < 0 ? 0 : value(state, taken.access.cell);
  taken.written = machine.step(taken.own, taken.access, taken.old, taken.failure, step.choice);
  return taken;
}

int IdiomProgram::choices(const Word* state, int thread) const {
  if (!may_choose()) return 1;
  const ThreadState own = local(state, thread);
  const Access access = machines_[thread].access(own);
  return machines_[thread].choices(own, access, access.cell < 0 ? 0 : value(state, access.cell));
}

bool IdiomProgram::chooses_fairly(const Word* state, int thread) const {
  const Instruction* in = instruction(state, thread);
  return in != nullptr && in->fair;
}

// What the final block says of the memory of a state.
Failure IdiomProgram::judge(const Word* state) const {
  return Machine(*code_, code_->final).judge(CellsView(cells_, state));
}

bool IdiomProgram::step(const Word* state, Step step, Word* next) const {
  const int thread = step.thread;
  assert(running(state).contains(thread));
  std::copy(state, state + words(), next);
  Taken taken = take(state, step);
  if (taken.written) {
    const PackedValue& cell = cells_[taken.access.cell];
    cell.set(next, *taken.written);
  }
  if (taken.own.at == ThreadState::kOver) {
    end_all(next);
    return true;
  }
  put(next, thread, taken.own);
  if (taken.own.at == ThreadState::kFailed) return false;
  if (!code_->operations.empty() && meet(next, thread).kind != FailureKind::none) {
    taken.own.at = ThreadState::kFailed;
    put(next, thread, taken.own);
    return false;
  }
  const Instruction& in = code_->threads[thread].instructions[taken.own.at];
  if (in.kind == Instruction::Kind::wait) {
    const int own = group(code_->barriers[in.barrier].scope, thread);
    if (all_wait(next, in.barrier, own)) release(next, in.barrier, own);
  }
  if (in.kind != Instruction::Kind::end) return false;
  if (ends_release_) release_without(next, thread);
  const bool all = terminated(next) == ThreadSet::first(threads());
  if (!all || code_->final.instructions.empty()) return true;
  if (judge(next).kind == FailureKind::none) return true;
  taken.own.at = ThreadState::kFailed;
  put(next, thread, taken.own);
  return false;
}

// Heights and effects ----------------------------------------------------------------------------

int IdiomProgram::height(const Word* state) const {
  int height = 0;
  for (const Thread& thread : threads_) height += thread.places[thread.at.get(state)].height;
  return height;
}

Effects IdiomProgram::effects(const Word* state, int thread) const {
  const Place& place = threads_[thread].places[threads_[thread].at.get(state)];
  Effects result{place.first_read, place.read, false, place.climbs};
  const Instruction& in = *instruction(state, thread);
  if (in.kind != Instruction::Kind::access) return result;
  // Where it fails before it touches anything there is no cell.
  const int cell = machines_[thread].access(local(state, thread)).cell;
  if (cell < 0) return result;
  result.first = cell;
  result.count = 1;
  result.changes = in.access != AccessKind::load;
  return result;
}

// Symmetry ---------------------------------------------------------------------------------------

std::optional<Interchangeable> IdiomProgram::interchangeable() const {
  Interchangeable result;
  result.kind = kinds_of(*code_);
  const bool of_workgroups =
      std::any_of(code_->variables.begin(), code_->variables.end(),
                  [](const SharedVariable& variable) { return variable.per_workgroup; });
  for (int t = 0; t < threads(); ++t) {
    std::vector<Field>& fields = result.of_thread.emplace_back();
    fields.push_back(threads_[t].at);
    for (const PackedValue& value : threads_[t].registers) fields.push_back(value.field);
  }
  for (int w = 0; of_workgroups && w < topology().workgroups(); ++w) {
    std::vector<Field>& fields = result.of_workgroup.emplace_back();
    for (const SharedVariable& variable : code_->variables) {
      if (!variable.per_workgroup) continue;
      for (int i = 0; i < variable.size; ++i) {
        const int cell = variable.first_cell + w * variable.size + i;
        fields.push_back(cells_[static_cast<std::size_t>(cell)].field);
      }
    }
  }
  return result;
}

// For people -------------------------------------------------------------------------------------

StepText IdiomProgram::describe_step(const Word* state, Step step) const {
  const int thread = step.thread;
  const ThreadCode& code = code_->threads[thread];
  StepText text;
  const Instruction& in = *instruction(state, thread);
  const std::string before = registers_text(code, local(state, thread));
  if (in.source >= 0) {
    text.line = code.sources[in.source].line;
    text.statement = code.sources[in.source].text;
  }
  const Taken taken = take(state, step);
  const auto add = [&](const std::string& part) {
    text.effect += (text.effect.empty() ? "" : ", ") + part;
  };
  if (taken.access.cell >= 0) {
    const std::string name = code_->cell_name(taken.access.cell);
    if (in.access != AccessKind::store) add(fmt::format("reads {} = {}", name, taken.old));
    if (taken.written) add(fmt::format("writes {} = {}", name, *taken.written));
    if (in.access == AccessKind::weak_cas && step.choice == 1) add("fails spuriously");
  } else if (in.kind == Instruction::Kind::choice) {
    add(fmt::format("chooses {}", in.low + step.choice));
  } else if (taken.access.failure.kind == FailureKind::none) {
    add(own_effect(in.kind));
  }
  const Failure& failure = taken.failure;
  if (failure.kind != FailureKind::none) {
    const SourceLine& source = code.sources[failure.source];
    const std::string what = to_string(failure, *code_, code);
    // Local computation behind the access may fail in another statement.
    add(failure.source == in.source ? "ERROR: " + what
                                    : fmt::format("ERROR in line {}, {}: {}", source.line,
                                                  without_semicolon(source.text), what));
  } else if (taken.own.at == ThreadState::kOver) {
    add("what is assumed does not hold");
  } else if (const std::string after = registers_text(code, taken.own);
             !after.empty() && after != before) {
    add("then " + after);
  }
  if (failure.kind == FailureKind::none) add_others(state, step, text);
  return text;
}

// What goes wrong behind the thread's own step: an operation of its subgroup, or the memory that
// the last thread to end leaves.
void IdiomProgram::add_others(const Word* state, Step step, StepText& text) const {
  if (code_->final.instructions.empty() && code_->operations.empty()) return;
  std::vector<Word> next(static_cast<std::size_t>(words()));
  this->step(state, step, next.data());
  if (!failed(next.data()).contains(step.thread)) return;
  const Taken taken = take(state, step);
  std::copy(state, state + words(), next.data());
  put(next.data(), step.thread, taken.own);
  if (const Failure failure = meet(next.data(), step.thread); failure.kind != FailureKind::none) {
    text.effect += ", ERROR: " + to_string(failure, *code_, code_->threads[step.thread]);
    return;
  }
  this->step(state, step, next.data());
  const Failure failure = judge(next.data());
  const SourceLine& source = code_->final.sources[failure.source];
  text.effect +=
      fmt::format(", ERROR in line {}, {} at the end: {}", source.line,
                  without_semicolon(source.text), to_string(failure, *code_, code_->final));
}

std::string IdiomProgram::describe_memory(const Word* state) const {
  return memory_text(*code_, CellsView(cells_, state));
}

// Whom a thread at a barrier or at an operation of its subgroup waits for.
std::string IdiomProgram::awaited_text(const Word* state, int thread) const {
  Awaited awaited;
  if (instruction(state, thread)->kind == Instruction::Kind::gather) {
    for (int t = 0; t < threads(); ++t) {
      const Instruction* in = instruction(state, t);
      // Whoever comes to another operation or ends makes the program go wrong at once.
      const bool comes = in == nullptr || (in->kind != Instruction::Kind::gather &&
                                           in->kind != Instruction::Kind::end);
      if (comes && group(Scope::subgroup, t) == group(Scope::subgroup, thread)) {
        awaited.coming |= ThreadSet::single(t);
      }
    }
    return awaited.to_string();
  }
  const int barrier = instruction(state, thread)->barrier;
  const Scope scope = code_->barriers[barrier].scope;
  for (int t = 0; t < threads(); ++t) {
    if (group(scope, t) != group(scope, thread)) continue;
    const Instruction* in = instruction(state, t);
    if (in == nullptr || in->kind == Instruction::Kind::end) {
      if (!code_->barriers[barrier].counts_ended) awaited.ended |= ThreadSet::single(t);
    } else if (in->kind != Instruction::Kind::wait) {
      awaited.coming |= ThreadSet::single(t);
    } else if (in->barrier != barrier) {
      awaited.elsewhere |= ThreadSet::single(t);
    }
  }
  return awaited.to_string();
}

std::string IdiomProgram::describe_thread(const Word* state, int thread) const {
  const ThreadCode& code = code_->threads[thread];
  const ThreadState own = local(state, thread);
  if (own.at == ThreadState::kFailed) return "ERROR";
  if (machines_[thread].ended(own)) return "END";
  const Instruction& in = code.instructions[own.at];
  std::string text = in.source >= 0 ? code.sources[in.source].text : "start";
  if (blocked(state).contains(thread)) {
    const bool for_threads = in.kind != Instruction::Kind::await;
    text = fmt::format("waits at {} (line {}){}", text, code.sources[in.source].line,
                       for_threads ? awaited_text(state, thread) : "");
  } else if (in.kind == Instruction::Kind::pass || in.kind == Instruction::Kind::receive) {
    text = "passes " + text;
  }
  const std::string registers = registers_text(code, own);
  return registers.empty() ? text : text + " [" + registers + "]";
}

}  // namespace headway::lang::idiom
