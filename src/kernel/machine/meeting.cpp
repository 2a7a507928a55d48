// Threads that meet: at barriers, and for operations of their subgroup.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <set>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/machine/runner.hpp"

namespace headway::kernel {
namespace {

const std::vector<int>& nobody() {
  static const std::vector<int> none;
  return none;
}

bool is_of_grid(const Instruction& i) { return i.op == Op::barrier && i.scope >= Scope::device; }

// Whether it is a barrier that all of a workgroup, or of the grid, have to come to.
bool is_of_group(const Instruction& i) {
  if (i.op == Op::async_copy || i.op == Op::wait_events) return true;
  return is_barrier(i.op) && i.scope != Scope::subgroup && i.op != Op::numbered_barrier;
}

// Whether two operations have the same qualifiers, in the words of the PTX ISA.
bool are_alike(const Function& function, const Instruction& a, const Instruction& b) {
  const auto has_type_of = [&](ValueId x, ValueId y) {
    return function.values[x].type == function.values[y].type;
  };
  return a.op == b.op && a.scope == b.scope && a.memory == b.memory && a.subgroup == b.subgroup &&
         a.kind == b.kind && a.cluster == b.cluster && a.type == b.type &&
         (a.op == Op::barrier ||
          (a.operands.size() == b.operands.size() &&
           std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(), has_type_of)));
}

}  // namespace

std::optional<std::size_t> mask_operand(const Instruction& at) {
  if (at.op != Op::subgroup && at.op != Op::barrier && at.op != Op::barrier_reduce) return {};
  // Operands in front of it: the mask comes last.
  const std::size_t plain = at.op != Op::subgroup            ? 0
                            : at.subgroup == Subgroup::elect ? 0
                            : is_shuffle(at.subgroup)        ? 3
                                                             : 1;
  return at.operands.size() > plain ? std::optional(plain) : std::nullopt;
}

bool meets_by_mask(const Module& module, const Instruction& i) {
  if (module.language() != Language::cuda || i.partial) return false;
  if (i.op == Op::barrier) return i.scope == Scope::subgroup;
  return i.op == Op::subgroup && mask_operand(i);
}

const Instruction& Machine::Runner::instruction_of(int thread) const {
  const ThreadState& local = *state_->threads[static_cast<std::size_t>(thread)];
  return code_.at(local.block, local.index);
}

// Whether a thread waits where another one does. In CUDA that may be elsewhere: bar.warp.sync,
// shfl.sync and their like wait for all that the mask names to come to one with the same qualifiers
// and the same mask (PTX ISA), as on the two sides of a branch (CUDA C++ programming guide,
// "Independent thread scheduling").
bool Machine::Runner::waits_with(int other, int thread) {
  const ThreadState& there = *state_->threads[static_cast<std::size_t>(other)];
  const ThreadState& here = *state_->threads[static_cast<std::size_t>(thread)];
  if (there.status != Status::waiting) return false;
  if (there.block == here.block && there.index == here.index) return true;
  const Instruction& a = instruction_of(other);
  const Instruction& b = instruction_of(thread);
  const Module& module = *launch_.module;
  return meets_by_mask(module, a) && meets_by_mask(module, b) && are_alike(function_, a, b) &&
         mask_of(other) == mask_of(thread);
}

// The threads of its subgroup that a thread names where it waits.
std::uint64_t Machine::Runner::mask_of(int thread) {
  const Instruction& at = instruction_of(thread);
  const std::uint64_t lanes = low_bits(~std::uint64_t{0}, launch_.subgroup);
  const std::optional<std::size_t> place = mask_operand(at);
  if (!place) return lanes;
  const Cell cell = operand_of(thread, at, *place);
  if (!cell.is_bits()) {
    thread_ = thread;
    fail(FaultKind::unsupported, "a mask of threads that depends on unknown data");
  }
  return cell.bits & lanes;
}

// An operand of the instruction at which a thread has parked.
Cell Machine::Runner::operand_of(int thread, const Instruction& at, std::size_t operand) {
  const ValueId id = at.operands[operand];
  const Value& value = function_.values[id];
  if (value.kind == Value::Kind::constant) return Cell::of(value.bits);
  if (value.kind == Value::Kind::argument) {
    return launch_.argument(static_cast<std::uint32_t>(value.bits), thread);
  }
  if (value.kind == Value::Kind::undefined) return unset(id, thread);
  if (value.kind == Value::Kind::address) {
    return Cell::pointer(launch_.instance(value.object, thread), value.bits);
  }
  const ThreadState& local = *state_->threads[static_cast<std::size_t>(thread)];
  const std::vector<ValueId>& live = code_.live(local.block, local.index);
  const auto found = std::lower_bound(live.begin(), live.end(), id);
  return local.live[static_cast<std::size_t>(found - live.begin())];
}

// The threads that have to come by for `thread`, which waits: all of the group of its barrier, or
// those of its subgroup that its mask names, or that have not ended where there is none.
std::vector<int> Machine::Runner::members(int thread, const Instruction& at) {
  const int group_threads = launch_.group_threads();
  const int first = thread / group_threads * group_threads;
  std::vector<int> result;
  if (is_of_group(at)) {
    const bool grid = is_of_grid(at);
    const int from = grid ? 0 : first;
    const int to = grid ? launch_.threads() : first + group_threads;
    for (int t = from; t < to; ++t) result.push_back(t);
    return result;
  }
  const std::uint64_t mask = mask_of(thread);
  const int begin = first + (thread - first) / launch_.subgroup * launch_.subgroup;
  const int end = std::min(begin + launch_.subgroup, first + group_threads);
  for (int t = begin; t < end; ++t) {
    const bool named = (mask >> (t - begin) & 1) != 0;
    const bool ended = state_->threads[static_cast<std::size_t>(t)]->status == Status::ended;
    if (named && !ended) result.push_back(t);
  }
  if ((mask >> (thread - begin) & 1) == 0) {
    thread_ = thread;
    fail(FaultKind::divergence, "a thread at an operation whose mask does not name it");
  }
  return result;
}

// All threads that meet have to name the same ones.
void Machine::Runner::check_masks(const std::vector<int>& threads) {
  for (const int t : threads) {
    if (mask_of(t) == mask_of(threads.front())) continue;
    thread_ = t;
    const ThreadState& local = *state_->threads[static_cast<std::size_t>(t)];
    number_ = code_.number(local.block, local.index);
    Access other;
    other.thread = static_cast<std::uint32_t>(threads.front());
    other.instruction = number_;
    fail_at(FaultKind::divergence, "threads meet that give different masks", other, false);
  }
}

// Lets those go on whom the steps of `threads` complete, and returns them. Subgroups meet first:
// while one can go on, its threads are on their way to the barrier at which others wait.
std::vector<int> Machine::Runner::meet_all(const std::vector<int>& threads) {
  std::vector<int> result;
  const auto meet_where = [&](auto&& wanted) {
    for (const int t : threads) {
      if (!wanted(*state_->threads[static_cast<std::size_t>(t)])) continue;
      const std::vector<int> let = meet(t);
      result.insert(result.end(), let.begin(), let.end());
    }
  };
  const auto is_at_group = [&](const ThreadState& local) {
    return is_of_group(code_.at(local.block, local.index));
  };
  meet_where([&](const ThreadState& local) {
    return local.status == Status::waiting && !is_at_group(local);
  });
  meet_where([&](const ThreadState& local) {
    return local.status == Status::waiting && is_at_group(local);
  });
  meet_where([](const ThreadState& local) { return local.status == Status::ended; });
  return result;
}

// Whether no thread of a subgroup goes on of these, of those that they wait for, and so on: all
// wait or have ended, and at no operation all are that it names. A barrier of the workgroup waits
// for all of them, and one with a number for those of the subgroup.
bool Machine::Runner::wait_for_good(std::vector<int> threads) {
  std::set<int> seen(threads.begin(), threads.end());
  while (!threads.empty()) {
    const ThreadState& local = *state_->threads[static_cast<std::size_t>(threads.back())];
    const int thread = threads.back();
    threads.pop_back();
    if (local.status == Status::ended) continue;
    if (local.status != Status::waiting) return false;
    const Instruction& at = code_.at(local.block, local.index);
    if (is_of_group(at) || at.op == Op::numbered_barrier) continue;
    bool all_here = true;
    for (const int t : members(thread, at)) {
      all_here = all_here && waits_with(t, thread);
      if (seen.insert(t).second) threads.push_back(t);
    }
    if (all_here) return false;
  }
  return true;
}

// Lets those go on whom the step of `thread` completes, and returns them.
std::vector<int> Machine::Runner::meet(int thread) {
  const ThreadState& local = *state_->threads[static_cast<std::size_t>(thread)];
  if (local.status == Status::ended) {
    // Those that count without the ended ones.
    const int group_threads = launch_.group_threads();
    const int first = thread / group_threads * group_threads;
    std::vector<int> let;
    for (const bool of_group : {false, true}) {
      for (int t = first; t < first + group_threads; ++t) {
        const ThreadState& other = *state_->threads[static_cast<std::size_t>(t)];
        if (other.status != Status::waiting || is_of_group(instruction_of(t)) != of_group) continue;
        const std::vector<int> more = meet(t);
        let.insert(let.end(), more.begin(), more.end());
      }
    }
    return let;
  }
  if (local.status != Status::waiting) return nobody();
  const Instruction& at = code_.at(local.block, local.index);
  if (is_of_group(at)) return meet_group(thread, at);
  if (at.op == Op::numbered_barrier) return meet_numbered(thread, at);
  std::vector<int> all = members(thread, at);
  for (const int t : all) {
    const ThreadState& other = *state_->threads[static_cast<std::size_t>(t)];
    if (waits_with(t, thread)) continue;
    if (machine_.options_.steps_at_barriers || !wait_for_good(all)) return nobody();
    thread_ = thread;
    if (at.partial) {
      fail(FaultKind::unsupported,
           "an operation of a subgroup that not all of its threads come to");
    }
    number_ = code_.number(local.block, local.index);
    Access elsewhere;
    elsewhere.thread = static_cast<std::uint32_t>(t);
    elsewhere.instruction = code_.number(other.block, other.index);
    fail_at(FaultKind::divergence, "threads of a subgroup wait at different places for each other",
            elsewhere, false);
  }
  if (launch_.module->is_wgsl && !machine_.options_.steps_at_barriers) fail_at_ended(thread);
  check_masks(all);
  if (state_->order && at.op == Op::barrier) {
    state_->order->barrier(all, at.memory, launch_.module->is_shader);
  }
  give_results(all, at);
  return all;
}

// WGSL has operations of subgroups where all threads of a subgroup come to them.
void Machine::Runner::fail_at_ended(int thread) {
  const int group_threads = launch_.group_threads();
  const int first = thread / group_threads * group_threads;
  const int begin = first + (thread - first) / launch_.subgroup * launch_.subgroup;
  const int end = std::min(begin + launch_.subgroup, first + group_threads);
  for (int t = begin; t < end; ++t) {
    if (state_->threads[static_cast<std::size_t>(t)]->status != Status::ended) continue;
    const ThreadState& local = *state_->threads[static_cast<std::size_t>(thread)];
    number_ = code_.number(local.block, local.index);
    state_->fault = Fault{FaultKind::divergence,
                          thread,
                          number_,
                          t,
                          number_,
                          "an operation of a subgroup that a thread waits at when another "
                          "thread of it has ended",
                          is_doubtful()};
    throw Stopped();
  }
}

std::vector<int> Machine::Runner::meet_group(int thread, const Instruction& at) {
  if (is_of_grid(at) && !launch_.cooperative) {
    thread_ = thread;
    number_ = code_.number(state_->threads[static_cast<std::size_t>(thread)]->block,
                           state_->threads[static_cast<std::size_t>(thread)]->index);
    fail(FaultKind::divergence, "a barrier of the grid in a launch that is not cooperative");
  }
  // Workgroups that have not started come to it later.
  if (is_of_grid(at) && !launch_.started.empty()) return nobody();
  const ThreadState& local = *state_->threads[static_cast<std::size_t>(thread)];
  const std::vector<int> all = members(thread, at);
  std::vector<int> here;
  int elsewhere = -1;
  int ended = -1;
  for (const int t : all) {
    const ThreadState& other = *state_->threads[static_cast<std::size_t>(t)];
    if (other.status == Status::ended) {
      ended = t;
    } else if (other.status != Status::waiting) {
      return nobody();
    } else if (other.block == local.block && other.index == local.index) {
      here.push_back(t);
    } else {
      elsewhere = t;
    }
  }
  thread_ = thread;
  number_ = code_.number(local.block, local.index);
  if (elsewhere >= 0) {
    if (machine_.options_.steps_at_barriers) return nobody();
    const ThreadState& other = *state_->threads[static_cast<std::size_t>(elsewhere)];
    Access there;
    there.thread = static_cast<std::uint32_t>(elsewhere);
    there.instruction = code_.number(other.block, other.index);
    fail_at(FaultKind::divergence, "threads of a workgroup wait at different barriers", there,
            false);
  }
  if (ended >= 0 && !machine_.options_.steps_at_barriers) {
    state_->fault = Fault{FaultKind::divergence,
                          thread,
                          number_,
                          ended,
                          number_,
                          "a barrier that a thread waits at when another one has ended",
                          is_doubtful()};
    throw Stopped();
  }
  if (at.op == Op::async_copy) {
    group_copy(here, at);
  } else if (at.op == Op::wait_events) {
    wait_events(here, at);
  } else {
    if (state_->order) state_->order->barrier(here, at.memory, launch_.module->is_shader);
    give_results(here, at);
  }
  return here;
}

void Machine::Runner::release(int thread, std::optional<Cell> given) {
  auto local = std::make_shared<ThreadState>(*state_->threads[static_cast<std::size_t>(thread)]);
  local->status = Status::released;
  if (given) local->live.push_back(*given);
  state_->threads[static_cast<std::size_t>(thread)] = std::move(local);
}

void Machine::Runner::give_results(const std::vector<int>& threads, const Instruction& at) {
  if (at.op == Op::barrier) {
    for (const int t : threads) release(t, {});
    return;
  }
  std::vector<Cell> values;
  values.reserve(threads.size());
  for (const int t : threads) {
    values.push_back(at.operands.empty() ? Cell::of(0) : operand_of(t, instruction_of(t), 0));
  }
  if (at.op == Op::barrier_reduce && !is_scan(at.subgroup)) {
    const Cell result = at.subgroup == Subgroup::shuffle
                            ? broadcast(at, threads, values)
                            : subgroup_result(at, threads.front(), threads, values);
    for (const int t : threads) release(t, result);
    return;
  }
  std::vector<Cell> results;
  results.reserve(threads.size());
  for (const int t : threads) {
    results.push_back(subgroup_result(instruction_of(t), t, threads, values));
  }
  for (std::size_t i = 0; i < threads.size(); ++i) release(threads[i], results[i]);
}

// The value of one thread of a workgroup, for all.
Cell Machine::Runner::broadcast(const Instruction& at, const std::vector<int>& threads,
                                const std::vector<Cell>& values) {
  const Cell from = operand_of(threads.front(), at, 1);
  for (const int t : threads) {
    const Cell other = operand_of(t, at, 1);
    if (other.is_bits() && from.is_bits() && other.bits != from.bits) {
      thread_ = t;
      Access first;
      first.thread = static_cast<std::uint32_t>(threads.front());
      first.instruction = number_;
      fail_at(FaultKind::divergence, "threads of a workgroup name different threads to a broadcast",
              first, false);
    }
    if (!other.is_bits() || other.bits != from.bits) {
      fail(FaultKind::unsupported, "a broadcast from a thread that depends on unknown data");
    }
  }
  return from.bits < values.size() ? values[from.bits] : Cell::undefined();
}

Cell Machine::Runner::subgroup_result(const Instruction& at, int thread,
                                      const std::vector<int>& threads,
                                      const std::vector<Cell>& values) {
  thread_ = thread;
  const auto size = launch_.subgroup;
  const int lane = thread % launch_.group_threads() % size;
  const int base = thread - lane;
  const auto value_of = [&](int of) -> std::optional<Cell> {
    const auto found = std::find(threads.begin(), threads.end(), base + of);
    if (found == threads.end()) return {};
    return values[static_cast<std::size_t>(found - threads.begin())];
  };
  const int width = at.type.bits;
  const auto own = *value_of(lane);
  switch (at.subgroup) {
    case Subgroup::shuffle:
    case Subgroup::shuffle_up:
    case Subgroup::shuffle_down:
    case Subgroup::shuffle_xor: {
      const Cell by_cell = operand_of(thread, at, 1);
      const Cell width_cell = operand_of(thread, at, 2);
      if (!by_cell.is_bits() || !width_cell.is_bits()) {
        fail(FaultKind::unsupported, "a shuffle whose lane depends on unknown data");
      }
      if (!std::has_single_bit(width_cell.bits)) {
        fail(FaultKind::unsupported, "a shuffle whose width is no power of two");
      }
      const auto by = static_cast<int>(static_cast<std::int32_t>(by_cell.bits));
      const int section = std::clamp(static_cast<int>(width_cell.bits), 1, size);
      const int start = lane / section * section;
      int from = lane;
      if (at.subgroup == Subgroup::shuffle)
        from = start + static_cast<int>(static_cast<unsigned>(by) % static_cast<unsigned>(section));
      if (at.subgroup == Subgroup::shuffle_up) from = lane - by >= start ? lane - by : lane;
      if (at.subgroup == Subgroup::shuffle_down)
        from = lane + by < start + section ? lane + by : lane;
      if (at.subgroup == Subgroup::shuffle_xor)
        from = (lane ^ by) < start + section ? lane ^ by : lane;
      if (const auto value = value_of(from)) return *value;
      // The value of a thread that does not take part is none: an error, when it gets anywhere.
      const ThreadState& local = *state_->threads[static_cast<std::size_t>(thread)];
      return Cell::of(
          terms_.variable(fmt::format("{}{} {} {}", kAbsentLane,
                                      code_.number(local.block, local.index), from, width),
                          width));
    }
    case Subgroup::broadcast_first:
      return values.front();
    case Subgroup::elect:
      return Cell::of(threads.front() == thread ? 1U : 0U);
    case Subgroup::ballot: {
      smt::Term sum = terms_.constant(0, width);
      for (std::size_t i = 0; i < threads.size(); ++i) {
        if (values[i].kind == Cell::Kind::undefined) return values[i];
        const smt::Term bit = terms_.zext(term(values[i], 1), width);
        sum = terms_.bit_or(
            sum, terms_.shl(bit, terms_.constant(static_cast<unsigned>(threads[i] - base), width)));
      }
      return simplified(sum);
    }
    case Subgroup::all:
    case Subgroup::any: {
      const bool all = at.subgroup == Subgroup::all;
      smt::Term sum = terms_.constant(all ? 1 : 0, 1);
      for (const Cell& value : values) {
        if (value.kind == Cell::Kind::undefined) return value;
        sum = all ? terms_.bit_and(sum, term(value, 1)) : terms_.bit_or(sum, term(value, 1));
      }
      return simplified(terms_.zext(sum, width));
    }
    case Subgroup::count: {
      smt::Term sum = terms_.constant(0, width);
      for (const Cell& value : values) {
        if (value.kind == Cell::Kind::undefined) return value;
        sum = terms_.add(sum, terms_.zext(term(value, 1), width));
      }
      return simplified(sum);
    }
    case Subgroup::all_equal:
    case Subgroup::match_any: {
      const int bits_of_value = bits(at.operands[0]);
      smt::Term same = terms_.truth(true);
      smt::Term mask = terms_.constant(0, width);
      for (std::size_t i = 0; i < threads.size(); ++i) {
        if (values[i].kind == Cell::Kind::undefined || values[i].is_pointer()) {
          fail(FaultKind::unsupported, "a comparison in a subgroup that is not between numbers");
        }
        const smt::Term equal =
            terms_.equal(term(values[i], bits_of_value), term(own, bits_of_value));
        same = terms_.conjunction(same, equal);
        if (at.subgroup == Subgroup::match_any) {
          const smt::Term bit = terms_.bits_of(equal, width);
          mask = terms_.bit_or(
              mask,
              terms_.shl(bit, terms_.constant(static_cast<unsigned>(threads[i] - base), width)));
        }
      }
      return simplified(at.subgroup == Subgroup::match_any ? mask : terms_.bits_of(same, width));
    }
    case Subgroup::reduce:
    case Subgroup::inclusive_scan:
    case Subgroup::exclusive_scan: {
      std::optional<Cell> sum;
      for (std::size_t i = 0; i < threads.size(); ++i) {
        if (at.subgroup == Subgroup::exclusive_scan && threads[i] >= thread) break;
        if (at.subgroup == Subgroup::inclusive_scan && threads[i] > thread) break;
        if (at.cluster > 0 && (threads[i] - base) / at.cluster != lane / at.cluster) continue;
        sum = sum ? updated_cell(at.update, at.type, *sum, values[i]) : values[i];
      }
      if (sum) return *sum;
      switch (at.update) {  // the first thread of an exclusive scan: the neutral element
        case Update::bit_and:
        case Update::umin:
          return Cell::of(smt::mask_of(width));
        case Update::smin:
          return Cell::of(smt::mask_of(width - 1));
        case Update::smax:
          return Cell::of(std::uint64_t{1} << (width - 1));
        case Update::fmin:
        case Update::fmax: {
          const double infinite = std::numeric_limits<double>::infinity();
          return Cell::of(from_double(at.update == Update::fmin ? infinite : -infinite, width));
        }
        case Update::mul:
          return Cell::of(1);
        case Update::fmul:
          return Cell::of(from_double(1, width));
        case Update::add:
        case Update::fadd:
        case Update::bit_or:
        case Update::bit_xor:
        case Update::umax:
          return Cell::of(0);
        case Update::exchange:  // no reductions
        case Update::sub:
        case Update::fsub:
        case Update::bit_nand:
        case Update::wrap_inc:
        case Update::wrap_dec:
          fail(FaultKind::unsupported, "a scan by an operation that has no neutral element");
      }
    }
  }
  return Cell::undefined();
}

}  // namespace headway::kernel
