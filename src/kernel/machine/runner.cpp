#include "kernel/machine/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace headway::kernel {

std::size_t ThreadState::hash() const {
  std::size_t result = mixed(std::size_t{block} << 32 | index, static_cast<std::uint64_t>(status));
  for (const Cell& cell : live) result = mixed(result, cell);
  return result;
}

bool Script::advance() {
  while (!choices.empty()) {
    if (++choices.back().taken < choices.back().of) return true;
    choices.pop_back();
  }
  return false;
}

Machine::Machine(const Code& code, const Launch& launch, smt::Context& terms, smt::Solver* solver,
                 const MachineOptions& options)
    : code_(code),
      launch_(launch),
      terms_(terms),
      solver_(solver),
      options_(options),
      runner_(std::make_unique<Runner>(*this)) {}

Machine::~Machine() = default;

MachineState Machine::initial(Script& script) { return runner_->initial(script); }

void Machine::step(MachineState& state, int thread, Script& script) {
  runner_->step(state, thread, script);
}

std::optional<Machine::Touch> Machine::touch(const MachineState& state, int thread) const {
  return runner_->touch(state, thread);
}

Machine::Runner::Runner(Machine& machine)
    : machine_(machine),
      code_(machine.code_),
      function_(machine.code_.function()),
      launch_(machine.launch_),
      terms_(machine.terms_),
      contacts_(code_, launch_),
      registers_(function_.values.size()),
      beside_(machine.options_.beside) {
  for (std::size_t v = 0; v < registers_.size(); ++v) {
    const Value& value = function_.values[v];
    const auto id = static_cast<ValueId>(v);
    switch (value.kind) {
      case Value::Kind::constant:
        registers_[v] = Cell::of(value.bits);
        break;
      case Value::Kind::address:
        addresses_.push_back(id);
        break;
      case Value::Kind::argument:
        registers_[v] = launch_.arguments[value.bits];
        if (launch_.has_own(static_cast<std::uint32_t>(value.bits))) own_arguments_.push_back(id);
        break;
      case Value::Kind::undefined:
        unset_.push_back(id);
        break;
      case Value::Kind::instruction:
        registers_[v] = Cell::undefined();
        break;
    }
  }
}

// Whether it is not sure that data lead here with which `also` holds: a solver gave no answer, or a
// function was taken for any.
bool Machine::Runner::is_doubtful(smt::Term also) const {
  std::vector<smt::Term> facts = state_->path;
  facts.push_back(guard_);
  facts.push_back(also);
  return machine_.doubts(facts);
}

void Machine::Runner::fail(FaultKind kind, std::string detail, bool possible) {
  if (together_ > 0 && kind == FaultKind::limit) throw Apart();
  state_->fault =
      Fault{kind, thread_, number_, -1, 0, std::move(detail), possible || is_doubtful()};
  throw Stopped();
}

void Machine::Runner::fail_at(FaultKind kind, std::string detail, const Access& other,
                              bool possible) {
  state_->fault = Fault{kind,
                        thread_,
                        number_,
                        static_cast<int>(other.thread),
                        other.instruction,
                        std::move(detail),
                        possible || is_doubtful()};
  throw Stopped();
}

void Machine::Runner::begin(MachineState& state, Script& script, std::size_t at) {
  state_ = &state;
  script_ = &script;
  script_at_ = at;
  guard_ = terms_.truth(true);
  undo_ = nullptr;
  together_ = 0;
  by_agent_ = false;
  noted_.clear();
}

MachineState Machine::Runner::initial(Script& script, std::size_t at) {
  MachineState state;
  state.memory = launch_.memory;
  state.path = machine_.options_.path;
  state.unknowns = machine_.options_.unknowns;
  if (machine_.options_.races) {
    const MachineOptions& options = machine_.options_;
    state.order.emplace(
        launch_.places(),
        HappensBefore::Options{code_.splits_memory(), code_.has_wide_scopes(), options.count_benign,
                               code_.plain_scope(), options.strong_atomics,
                               launch_.module->atomics_by_space, launch_.module->causality,
                               code_.copies_beside()});
  }
  auto start = std::make_shared<ThreadState>();
  start->block = kNone;  // before everything
  state.threads.assign(static_cast<std::size_t>(launch_.threads()), start);
  begin(state, script, at);
  std::vector<int> all(static_cast<std::size_t>(launch_.threads()));
  std::iota(all.begin(), all.end(), 0);
  try {
    for (const int t : all) {
      take_up(t);
      run_thread(t);
    }
    run_all(meet_all(all));
  } catch (const Stopped&) {
  } catch (const Exited&) {
  }
  return state;
}

void Machine::Runner::step(MachineState& state, int thread, Script& script) {
  if (state.fault) return;
  begin(state, script);
  try {
    go_on(thread);
  } catch (const Stopped&) {
  }
}

void Machine::Runner::take_up(int thread) {
  thread_ = thread;
  for (const ValueId id : addresses_) {
    const Value& value = function_.values[id];
    registers_[id] = Cell::pointer(launch_.instance(value.object, thread), value.bits);
  }
  for (const ValueId id : own_arguments_) {
    const auto parameter = static_cast<std::uint32_t>(function_.values[id].bits);
    registers_[id] = Cell::pointer(launch_.own_argument(parameter, thread), 0);
  }
  if (!unset_.empty()) {
    const auto t = static_cast<std::size_t>(thread);
    if (unset_cells_.size() <= t) unset_cells_.resize(t + 1);
    if (unset_cells_[t].empty()) {
      for (const ValueId id : unset_) unset_cells_[t].push_back(unset(id, thread));
    }
    for (std::size_t i = 0; i < unset_.size(); ++i) registers_[unset_[i]] = unset_cells_[t][i];
  }
  const ThreadState& local = *state_->threads[static_cast<std::size_t>(thread)];
  if (local.block == kNone) return;
  const std::vector<ValueId>& live = code_.live(local.block, local.index);
  for (std::size_t i = 0; i < live.size(); ++i) registers_[live[i]] = local.live[i];
  if (local.live.size() > live.size()) {
    give(code_.at(local.block, local.index), local.live.back());
  }
}

void Machine::Runner::go_on(int thread) {
  const ThreadState& local = *state_->threads[static_cast<std::size_t>(thread)];
  if (local.status == Status::ready) {
    const Instruction& at = code_.at(local.block, local.index);
    if (meets(at.op)) {  // a step of its own: it arrives
      thread_ = thread;
      number_ = code_.number(local.block, local.index);
      auto arrived = std::make_shared<ThreadState>(local);
      arrived->status = Status::waiting;
      state_->threads[static_cast<std::size_t>(thread)] = std::move(arrived);
      meet(thread);
      return;
    }
  }
  take_up(thread);
  run_thread(thread);
  run_all(meet(thread));
}

// Those that were let go on, and whom they let go on in turn: they may do so for ever, so those who
// are left go on in steps of their own, as all do where passing is a step.
void Machine::Runner::run_all(std::vector<int> threads) {
  constexpr int most_rounds = 1024;
  for (int round = machine_.options_.steps_at_barriers ? most_rounds : 0; !threads.empty();
       ++round) {
    if (round == most_rounds) return;
    for (const int t : threads) {
      take_up(t);
      run_thread(t);
    }
    threads = meet_all(threads);
  }
}

// From where the registers at hand belong.
void Machine::Runner::run_thread(int thread) {
  const ThreadStatePtr local = state_->threads[static_cast<std::size_t>(thread)];
  steps_ = changes_ = 0;
  snapshot_ = {};
  BlockId from = kNone;
  const bool starts = local->block == kNone;
  const BlockId block = starts ? 0 : local->block;
  std::uint32_t index = local->index;
  if (!starts) {
    // What it has parked before: done when it met others, to be done now otherwise.
    number_ = code_.number(block, index);
    if (local->status == Status::ready) access(code_.at(block, index));
    if (machine_.watcher_ != nullptr) machine_.watcher_->done(thread, number_, registers_);
    ++index;
  }
  if (run(block, index, kNone, from) == End::ended) {
    auto ended = std::make_shared<ThreadState>();
    ended->status = Status::ended;
    const auto [first, count] = launch_.own(thread);
    for (Instance own = first; own < first + count; ++own) state_->memory.clear(own);
    state_->threads[static_cast<std::size_t>(thread)] = std::move(ended);
  }
}

void Machine::Runner::park(int thread, BlockId block, std::uint32_t index, Status status) {
  auto local = std::make_shared<ThreadState>();
  local->block = block;
  local->index = index;
  local->status = status;
  for (const ValueId id : code_.live(block, index)) local->live.push_back(registers_[id]);
  state_->threads[static_cast<std::size_t>(thread)] = std::move(local);
}

// Until it parks, ends, or comes to `stop`, where `from` is the block that it comes from.
Machine::Runner::End Machine::Runner::run(BlockId block, std::uint32_t index, BlockId stop,
                                          BlockId& from) {
  for (;;) {
    const std::vector<Instruction>& code = function_.blocks[block].code;
    for (; index < code.size(); ++index) {
      const Instruction& instruction = code[index];
      number_ = code_.number(block, index);
      if (code_.parks(block, index)) {
        if (together_ > 0) throw Apart();
        const bool waits = meets(instruction.op) && !machine_.options_.steps_at_barriers;
        park(thread_, block, index, waits ? Status::waiting : Status::ready);
        return End::parked;
      }
      if (++steps_ > machine_.options_.local_steps) {
        fail(FaultKind::limit, "a loop that takes too many steps to follow");
      }
      if (++ticks_ % 4096 == 0 && machine_.options_.stop.seen() != Limit::none) {
        fail(FaultKind::limit, "stopped");
      }
      if (is_end(instruction.op)) break;
      if (instruction.op != Op::phi) perform(instruction);
      if (machine_.watcher_ != nullptr) machine_.watcher_->done(thread_, number_, registers_);
    }
    const Instruction& end = code.back();
    if (end.op == Op::ret) {
      if (together_ > 0) throw Apart();
      if (!end.operands.empty()) returned_ = reg(end.operands[0]);
      return End::ended;
    }
    if (end.op == Op::trap || end.op == Op::unreachable) {
      fail(FaultKind::assertion, end.op == Op::trap
                                     ? "the program stops itself"
                                     : "what is said never to be reached is reached");
    }
    const BlockId next = next_block(end, block, stop, from);
    if (next == stop) return End::joined;
    if (next <= block) watch_loop(next);
    block = next;
    index = 0;
  }
}

// The block that follows, entered unless it is `stop`; `from` is the one that leads there.
BlockId Machine::Runner::next_block(const Instruction& end, BlockId block, BlockId stop,
                                    BlockId& from) {
  from = block;
  BlockId next = end.targets.front();
  if (end.op == Op::branch) {
    const Cell condition = reg(end.operands[0]);
    if (condition.is_bits()) {
      next = end.targets[condition.bits != 0 ? 0 : 1];
    } else if (condition.kind == Cell::Kind::term) {
      const smt::Term holds = terms_.nonzero(condition.term());
      require_value(holds, "a branch");
      if (both_ways(end, block, holds, next)) {
        // Both ways have been taken up to `next`, whose phis have their values.
        from = kNone;
        if (machine_.watcher_ != nullptr) {
          for (const BlockId target : end.targets) machine_.watcher_->went(thread_, block, target);
        }
        return next;
      }
      next = end.targets[decide(holds) ? 0 : 1];
    } else {
      fail(FaultKind::uninitialized, "a branch depends on a value that was never set");
    }
  } else if (end.op == Op::choose) {
    const Cell value = reg(end.operands[0]);
    if (!value.is_bits() && value.kind != Cell::Kind::term) {
      fail(FaultKind::uninitialized, "a branch depends on a value that was never set");
    }
    if (!value.is_bits()) require_value(value.term(), "a branch");
    for (std::size_t i = 0; i < end.cases.size(); ++i) {
      const bool is_it =
          value.is_bits()
              ? value.bits == end.cases[i]
              : decide(terms_.equal(value.term(),
                                    terms_.constant(end.cases[i], bits(end.operands[0]))));
      if (is_it) {
        next = end.targets[i + 1];
        break;
      }
    }
  }
  if (next != stop) enter(next, block);
  if (machine_.watcher_ != nullptr) machine_.watcher_->went(thread_, block, next);
  return next;
}

void Machine::Runner::enter(BlockId block, BlockId from) {
  const std::vector<Instruction>& code = function_.blocks[block].code;
  if (code.front().op != Op::phi) return;
  // All at once: a phi may be an operand of another one.
  std::vector<std::pair<ValueId, Cell>> values;
  for (std::uint32_t n = 0; code[n].op == Op::phi; ++n) {
    const Instruction& phi = code[n];
    if (!code_.is_needed(code_.number(block, n))) continue;
    for (std::size_t i = 0; i < phi.targets.size(); ++i) {
      if (phi.targets[i] == from) values.emplace_back(phi.result, reg(phi.operands[i]));
    }
  }
  for (const auto& [id, cell] : values) registers_[id] = cell;
}

void Machine::Runner::watch_loop(BlockId block) {
  if (together_ > 0) return;
  if (machine_.host_ != nullptr) look_back(block);
  const auto is_as_before = [&] {
    const std::vector<Memory::PagePtr> own = own_pages();
    return std::equal(own.begin(), own.end(), snapshot_.own.begin(), snapshot_.own.end(),
                      [](const Memory::PagePtr& a, const Memory::PagePtr& b) {
                        static const Page none;
                        return (a ? *a : none) == (b ? *b : none);
                      });
  };
  if (snapshot_.block != kNone && block == snapshot_.block && changes_ == snapshot_.changes &&
      snapshot_.registers == registers_ && is_as_before()) {
    if (!snapshot_.loads.empty()) {
      for (const std::uint32_t load : snapshot_.loads) machine_.spins_.push_back(load);
      fail(FaultKind::limit, "a loop that waits by plain loads");
    }
    fail(FaultKind::loop, "a loop that never ends, and waits for no other thread");
  }
  if (steps_ < snapshot_.at + snapshot_.span) return;
  snapshot_.block = block;
  snapshot_.at = steps_;
  snapshot_.changes = changes_;
  snapshot_.span *= 2;
  snapshot_.registers = registers_;
  snapshot_.own = own_pages();
  snapshot_.loads.clear();
}

std::vector<Memory::PagePtr> Machine::Runner::own_pages() const {
  std::vector<Memory::PagePtr> result;
  const auto [first, count] = launch_.own(thread_);
  for (Instance own = first; own < first + count; ++own) {
    const std::vector<Memory::PagePtr>& pages = state_->memory.pages(own);
    result.insert(result.end(), pages.begin(), pages.end());
  }
  return result;
}

// The scope of a local variable, which begins or ends with nothing in it.
void Machine::Runner::enter_scope(Instance object, bool ends) {
  drop(object, 0, launch_.objects[object].bytes);
  const bool before = state_->memory.is_dead(object);
  if (before == ends) return;
  state_->memory.set_dead(object, ends);
  if (undo_ != nullptr) undo_->push_back({object, 0, 0, {}, before});
}

void Machine::Runner::perform(const Instruction& i) {
  if (!code_.is_needed(number_)) {
    if (i.op == Op::load || i.op == Op::store) access(i);
    return;
  }
  switch (class_of(i.op)) {
    case OpClass::arithmetic:
    case OpClass::division:
    case OpClass::shift:
    case OpClass::equality:
    case OpClass::unsigned_order:
    case OpClass::signed_order:
      return give(i, integer(i.op, function_.values[i.operands[0]].type, reg(i.operands[0]),
                             reg(i.operands[1])));
    case OpClass::real:
    case OpClass::real_comparison:
      return give(i,
                  real(i, reg(i.operands[0]), i.op == Op::fneg ? Cell::of(0) : reg(i.operands[1])));
    case OpClass::resizing:
    case OpClass::real_conversion:
    case OpClass::reinterpretation:
      return give(i, converted_cell(i, reg(i.operands[0])));
    case OpClass::value:
      return give(i, value(i));
    case OpClass::plain:
    case OpClass::atomic:
      return access(i);
    case OpClass::bulk:
      return i.op == Op::copy ? copy(i) : fill(i);
    case OpClass::lifetime: {
      const Cell pointer = reg(i.operands[0]);
      if (pointer.kind == Cell::Kind::pointer)
        enter_scope(pointer.object, i.op == Op::end_lifetime);
      return;
    }
    case OpClass::fence:
      if (state_->order && together_ > 0) throw Apart();  // on this way alone it orders something
      if (state_->order) state_->order->fence(thread_, i.order, i.scope, i.memory);
      return;
    case OpClass::claim:
      return claim(i);
    case OpClass::annotation:
      return give(i, Cell::undefined());
    case OpClass::call:
      if (machine_.host_ == nullptr) fail(FaultKind::unsupported, "a call of '" + i.name + "'");
      if (together_ > 0) throw Apart();
      return give(i, call(i));
    case OpClass::asynchronous:
      return asynchronous(i);
    case OpClass::meeting:  // where the thread parks
    case OpClass::end:      // where a block is left
      assert(false);
  }
}

Cell Machine::Runner::value(const Instruction& i) {
  switch (as_value(i.op)) {
    case ValueOp::select: {
      const Cell condition = reg(i.operands[0]);
      const Cell a = reg(i.operands[1]);
      const Cell b = reg(i.operands[2]);
      if (condition.is_bits()) return condition.bits != 0 ? a : b;
      if (condition.kind != Cell::Kind::term) return Cell::undefined();
      const smt::Term holds = terms_.nonzero(condition.term());
      const auto is_number = [](const Cell& cell) {
        return cell.is_bits() || cell.kind == Cell::Kind::term;
      };
      if (a == b || (is_number(a) && is_number(b))) return chosen(holds, a, b, i.type.bits);
      return decide(holds) ? a : b;
    }
    case ValueOp::offset:
      return moved(reg(i.operands[0]), reg(i.operands[1]));
    case ValueOp::math: {
      std::array<Cell, 3> operands;
      assert(i.operands.size() <= operands.size());
      for (std::size_t k = 0; k < i.operands.size(); ++k) operands[k] = reg(i.operands[k]);
      return math(i, operands);
    }
    case ValueOp::builtin:
      return builtin(i);
    case ValueOp::unknown:
      return drawn("unknown", i.type.bits, smt::mask_of(i.type.bits));
    case ValueOp::phi:  // where a block is entered
      break;
  }
  std::abort();  // there are no others
}

void Machine::Runner::claim(const Instruction& i) {
  const Cell condition = reg(i.operands[0]);
  const bool fails = condition.is_bits() && condition.bits == 0;
  const bool is_open = condition.kind == Cell::Kind::term;
  const smt::Term holds = is_open ? terms_.nonzero(condition.term()) : terms_.truth(!fails);
  switch (i.claim) {
    case Claim::shown:
      return require_shown(condition, "what is printed");
    case Claim::within:
      // An index that nobody has set is an address that nobody has: the access says so.
      if (fails) fail(FaultKind::bounds, i.name + " is beyond its end");
      if (is_open && !hangs_on_unset(holds)) {
        fail_where(terms_.negation(holds), FaultKind::bounds,
                   i.name + " is beyond its end for some data");
      }
      return;
    case Claim::assertion:
      if (fails) fail(FaultKind::assertion, i.name.empty() ? "an assertion does not hold" : i.name);
      if (is_open) {
        require_value(holds, "an assertion");
        fail_where(terms_.negation(holds), FaultKind::assertion,
                   "an assertion does not hold for some data");
      } else if (!condition.is_bits()) {
        fail(FaultKind::uninitialized, "an assertion depends on a value that was never set");
      }
      return;
    case Claim::assumption:
    case Claim::precondition: {
      if (fails) fail(FaultKind::excluded, "an assumption that does not hold");
      const std::vector<smt::Term>& path = state_->path;
      if (!is_open || std::binary_search(path.begin(), path.end(), holds)) return;
      if (together_ > 0) {
        // What the way says anyway excludes nothing.
        if (feasible(terms_.negation(holds)) == smt::Answer::unsat) return;
        throw Apart();
      }
      if (feasible(holds) == smt::Answer::unsat) {
        fail(FaultKind::excluded, "an assumption that does not hold");
      }
      if (machine_.host_ != nullptr && excludes(holds)) ++machine_.host_->assumptions;
      return assume(holds);
    }
    case Claim::postcondition:  // these are for `verify`
    case Claim::invariant:
    case Claim::global_invariant:
    case Claim::function_invariant:
    case Claim::barrier_invariant:
      return;
  }
}

}  // namespace headway::kernel
