// Barriers of programs of independent threads.
//
// The step that completes a group, an arrival or an end, puts all threads of the group behind their
// wait at once. So a thread that has been let through stays so, whatever the others do next.
#include <algorithm>

#include "lang/idiom/program.hpp"

namespace headway::lang::idiom {

// The threads of a group have consecutive ids.
int IdiomProgram::group_size(Scope scope) const {
  return scope == Scope::subgroup    ? topology().group_threads(Level::subgroup)
         : scope == Scope::workgroup ? topology().group_threads(Level::workgroup)
                                     : threads();
}

int IdiomProgram::group(Scope scope, int thread) const { return thread / group_size(scope); }

bool IdiomProgram::all_wait(const Word* state, int barrier, int group) const {
  const Barrier& which = code_->barriers[barrier];
  const int size = group_size(which.scope);
  for (int t = group * size; t < (group + 1) * size; ++t) {
    const Instruction* in = instruction(state, t);
    const bool waits =
        in != nullptr && in->kind == Instruction::Kind::wait && in->barrier == barrier;
    const bool ended = in != nullptr && in->kind == Instruction::Kind::end;
    if (!waits && !(ended && which.counts_ended)) return false;
  }
  return true;
}

void IdiomProgram::release(Word* state, int barrier, int group) const {
  const int size = group_size(code_->barriers[barrier].scope);
  for (int t = group * size; t < (group + 1) * size; ++t) {
    const Instruction* in = instruction(state, t);
    if (in->kind != Instruction::Kind::wait) continue;
    ThreadState own = local(state, t);
    ++own.at;
    put(state, t, own);
  }
}

// Lets those pass who waited only for a thread that has ended.
void IdiomProgram::release_without(Word* state, int thread) const {
  for (int t = 0; t < threads(); ++t) {
    const Instruction* in = instruction(state, t);
    if (in == nullptr || in->kind != Instruction::Kind::wait) continue;
    const Scope scope = code_->barriers[in->barrier].scope;
    if (group(scope, t) != group(scope, thread)) continue;
    if (all_wait(state, in->barrier, group(scope, t))) release(state, in->barrier, group(scope, t));
  }
}

bool IdiomProgram::jammed(const Word* state) const {
  if (code_->barriers.empty() || may_end_others()) return false;
  // As a rule the threads that wait do so at one barrier, and none has ended before.
  int waited_at = -1;
  bool several = false, ended = false;
  for (int t = 0; t < threads(); ++t) {
    const Instruction* in = instruction(state, t);
    if (in == nullptr) return false;
    ended = ended || in->kind == Instruction::Kind::end;
    if (in->kind != Instruction::Kind::wait) continue;
    several = several || (waited_at >= 0 && waited_at != in->barrier);
    waited_at = in->barrier;
  }
  if (waited_at < 0 || (!several && !ended)) return false;
  for (const Scope scope : {Scope::subgroup, Scope::workgroup, Scope::grid}) {
    for (int first = 0; first < threads(); first += group_size(scope)) {
      if (jammed_group(state, group_size(scope), first)) return true;
    }
  }
  return false;
}

// Whether somebody waits at a barrier of a group of so many threads, from the first one on, for a
// thread that has ended, or that waits at another barrier of this group or of one around it.
bool IdiomProgram::jammed_group(const Word* state, int size, int first) const {
  int waited_at = -1;
  bool several = false, ended = false, waits = false, waits_for_ended = false;
  for (int t = first; t < first + size; ++t) {
    const Instruction& in = *instruction(state, t);
    ended = ended || in.kind == Instruction::Kind::end;
    if (in.kind != Instruction::Kind::wait) continue;
    const Barrier& barrier = code_->barriers[in.barrier];
    const int meeting = group_size(barrier.scope);
    if (meeting < size) continue;
    several = several || (waited_at >= 0 && waited_at != in.barrier);
    waited_at = in.barrier;
    if (meeting > size) continue;
    waits = true;
    waits_for_ended = waits_for_ended || !barrier.counts_ended;
  }
  return (waits && several) || (waits_for_ended && ended);
}

Program::Barriers IdiomProgram::barriers() const {
  Barriers result;
  // Where threads come to an operation of their subgroup, an arrival can go wrong.
  if (!code_->operations.empty()) return result;
  result.alone = !code_->awaits() && !may_end_others();
  for (const Barrier& barrier : code_->barriers) {
    result.widest = std::max(result.widest, group_size(barrier.scope));
  }
  return result;
}

ThreadSet IdiomProgram::settle(Word* state, ThreadSet threads, Silent silent) const {
  const auto at_barrier = [&](int thread) {
    const Instruction* in = instruction(state, thread);
    return in != nullptr &&
           (in->kind == Instruction::Kind::pass || in->kind == Instruction::Kind::arrive);
  };
  ThreadSet stepped;
  for (bool changes = true; changes;) {
    changes = false;
    for (const int t : threads) {
      while (at_barrier(t) && take_silent_step(state, t, silent)) {
        changes = true;
        stepped |= ThreadSet::single(t);
      }
    }
  }
  return stepped;
}

// Whether a thread at an arrival comes back to it by passing barriers alone, with the registers
// that it has now: a loop that counts does not. Where it takes too long to tell, it counts as one
// that does, as any arrival may.
bool IdiomProgram::comes_back(int thread, const ThreadState& arrival) const {
  constexpr int most = 64;
  const std::vector<Instruction>& instructions = code_->threads[thread].instructions;
  ThreadState own = arrival;
  for (int passed = 0; passed < most; ++passed) {
    own.at += 2;  // behind the wait
    Failure failure;
    machines_[thread].step(own, {}, 0, failure);
    if (own.at < 0 || instructions[own.at].kind != Instruction::Kind::arrive) return false;
    if (own == arrival) return true;
  }
  return true;
}

// Takes the step of a thread if it is silent.
bool IdiomProgram::take_silent_step(Word* state, int thread, Silent silent) const {
  const Instruction* in = instruction(state, thread);
  if (in->kind == Instruction::Kind::pass) {
    ThreadState own = local(state, thread);
    Failure failure;
    machines_[thread].step(own, {}, 0, failure);
    if (own.at < 0) return false;
    const Instruction::Kind next = code_->threads[thread].instructions[own.at].kind;
    const bool ends = next == Instruction::Kind::end;
    if (ends && (silent != Silent::ends || !code_->final.instructions.empty())) return false;
    if (next == Instruction::Kind::await) return false;
    put(state, thread, own);
    if (ends && ends_release_) release_without(state, thread);
    return true;
  }
  assert(in->kind == Instruction::Kind::arrive);
  if (silent < Silent::arrivals) return false;
  ThreadState own = local(state, thread);
  if (threads_[thread].recurs[own.at] && comes_back(thread, own)) return false;
  ++own.at;
  put(state, thread, own);
  const int barrier = in->barrier, meeting = group(code_->barriers[barrier].scope, thread);
  if (all_wait(state, barrier, meeting)) release(state, barrier, meeting);
  return true;
}

}  // namespace headway::lang::idiom
