#include "verify/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/ir/idle_barriers.hpp"
#include "verify/encoding/flow.hpp"
#include "verify/encoding/regions.hpp"
#include "verify/trial_memory.hpp"
#include "verify/watcher.hpp"
#include "verify/wrapping.hpp"

namespace headway::verify {

using kernel::AccessOp;
using kernel::Annotation;
using kernel::BlockId;
using kernel::Builtin;
using kernel::Claim;
using kernel::EndOp;
using kernel::Instruction;
using kernel::kNone;
using kernel::Op;
using kernel::OpClass;
using kernel::Order;
using kernel::Space;
using kernel::Value;
using kernel::ValueId;
using kernel::ValueOp;

namespace {

using Clock = std::chrono::steady_clock;

// Numbers of what fields of arguments point to, behind those of regions.
constexpr int kFields = 1'000'000;

enum class Stands : std::uint8_t { runs, waits, ended };

struct Runner {
  std::vector<TrialValue> registers;
  BlockId block = 0, from = kNone;
  std::size_t index = 0;
  Stands stands = Stands::runs;
};

class Trial {
 public:
  Trial(const kernel::Module& module, const kernel::Function& function, const TrialLaunch& launch,
        Clock::time_point until)
      : module_(module), f_(function), launch_(launch), until_(until) {}

  TrialResult run() {
    if (launch_.watcher != nullptr) launch_.watcher->begins(launch_);
    try {
      prepare();
      while (round()) {
      }
      result_.complete = true;
    } catch (const LeftTrial&) {
    }
    if (excluded_) result_.faults.clear();
    if (launch_.watcher != nullptr) launch_.watcher->ends(launch_, result_);
    return std::move(result_);
  }

 private:
  std::uint32_t group_threads() const {
    return launch_.block[0] * launch_.block[1] * launch_.block[2];
  }
  std::size_t group_of(std::size_t thread) const { return thread / group_threads(); }

  void prepare() {
    const std::size_t threads = launch_.groups.size() * group_threads();
    if (threads * f_.values.size() > 6'000'000) throw LeftTrial();
    memory_ = std::make_unique<TrialMemory>(launch_, threads, group_threads());
    memory_->keeps_last = is_annotated(f_);
    memory_->on_race = [this](std::size_t one, const Instruction* first, std::size_t other,
                              const Instruction* second,
                              bool of_group) { race(one, first, other, second, of_group); };
    // Objects of each kind, in the order of regions_of: those of the module and of the function,
    // then arguments.
    for (const kernel::Object& o : module_.objects) objects_.push_back(&o);
    for (const kernel::Object& o : f_.locals) objects_.push_back(&o);
    std::vector<TrialValue> start(f_.values.size());
    for (ValueId id = 0; id < f_.values.size(); ++id) {
      const Value& v = f_.value(id);
      if (v.kind == Value::Kind::constant) start[id].bits = v.bits;
    }
    threads_.assign(threads, Runner{start, 0, kNone, 0, Stands::runs});
    for (std::size_t t = 0; t < threads; ++t) {
      for (ValueId id = 0; id < f_.values.size(); ++id) {
        const Value& v = f_.value(id);
        TrialValue& held = threads_[t].registers[id];
        if (v.kind == Value::Kind::address) {
          const std::size_t o = v.object < kernel::kFirstLocal
                                    ? v.object
                                    : module_.objects.size() + v.object - kernel::kFirstLocal;
          held.bits = address_of_object(o, t) + v.bits;
        } else if (v.kind == Value::Kind::argument) {
          held.bits = argument(v.bits, t);
        }
      }
    }
  }

  std::uint64_t address_of_object(std::size_t o, std::size_t thread) {
    const kernel::Object& object = *objects_[o];
    const int region = static_cast<int>(o) + 2;
    switch (object.space) {
      case Space::workgroup:
        return memory_->base({region, group_of(thread), Owner::group, nullptr});
      case Space::local:
        return memory_->base({region, thread, Owner::thread, nullptr});
      default:
        return memory_->base({region, 0, Owner::all,
                              object.read_only && object.initial ? &*object.initial : nullptr});
    }
  }

  std::uint64_t argument(std::uint64_t parameter, std::size_t thread) {
    const kernel::Parameter& p = f_.parameters[parameter];
    const int region = static_cast<int>(objects_.size() + 2 + parameter);
    if (p.by_value > 0) return memory_->base({region, thread, Owner::thread_copy, nullptr});
    if (!p.type.is_pointer()) {
      return kernel::low_bits(launch_.arguments.at(parameter), p.type.bits);
    }
    if (p.space == Space::workgroup) {
      return memory_->base({region, group_of(thread), Owner::group, nullptr});
    }
    return memory_->base({region, 0, Owner::all, nullptr});
  }

  // Every thread as far as it gets; then those that wait. False when all have ended.
  bool round() {
    constexpr int most_idle = 16;  // times that all who run wait for memory that nobody changes
    bool runs = true;
    for (int idle = 0; runs; ++idle) {
      runs = false;
      const std::uint64_t before = memory_->changes();
      for (std::size_t t = 0; t < threads_.size(); ++t) {
        const bool waits = threads_[t].stands != Stands::runs || go_on(t);
        if (!waits || memory_->changes() != before) idle = -1;
        runs = runs || threads_[t].stands == Stands::runs;
      }
      if (Clock::now() >= until_ || (runs && idle == most_idle)) throw LeftTrial();
    }
    bool any = false;
    for (std::size_t g = 0; g < launch_.groups.size(); ++g) any = meet(g) || any;
    return any;
  }

  const Instruction& at(const Runner& r) const { return f_.blocks[r.block].code[r.index]; }

  bool meet(std::size_t group) {
    const std::size_t first = group * group_threads(), end = first + group_threads();
    std::size_t waits = end, ended = end;
    for (std::size_t t = first; t < end; ++t) {
      if (threads_[t].stands == Stands::waits) {
        if (waits == end) waits = t;
        if (&at(threads_[t]) != &at(threads_[waits])) {
          if (is_subgroup_barrier(at(threads_[t])) || is_subgroup_barrier(at(threads_[waits])))
            throw LeftTrial();
          diverge(waits, t);
        }
      } else if (ended == end) {
        ended = t;
      }
    }
    if (waits == end) return false;
    const Instruction& i = at(threads_[waits]);
    if (is_subgroup_barrier(i)) {
      if (ended != end) throw LeftTrial();
      memory_->subgroup_barrier(group);
    } else {
      if (ended != end) diverge(waits, ended);
      if (i.op == Op::barrier && i.scope >= kernel::Scope::device) {
        meet_grid(i);
        return true;
      }
      memory_->barrier(group, i.memory);
    }
    if (i.op == Op::barrier_reduce) reduce(i, first, end);
    for (std::size_t t = first; t < end; ++t) pass(t);
    return true;
  }

  void pass(std::size_t t) {
    Runner& r = threads_[t];
    if (launch_.watcher != nullptr) launch_.watcher->passes(t, at(r));
    r.stands = Stands::runs;
    ++r.index;
  }

  // All groups have to come.
  void meet_grid(const Instruction& i) {
    const std::uint64_t groups = std::uint64_t{launch_.grid[0]} * launch_.grid[1] * launch_.grid[2];
    if (launch_.groups.size() != groups) throw LeftTrial();
    for (const Runner& r : threads_) {
      if (r.stands != Stands::waits || &at(r) != &i) throw LeftTrial();
    }
    memory_->grid_barrier();
    for (std::size_t t = 0; t < threads_.size(); ++t) pass(t);
  }

  void reduce(const Instruction& i, std::size_t first, std::size_t end) {
    using kernel::Subgroup;
    const bool votes = i.subgroup == Subgroup::all || i.subgroup == Subgroup::any;
    if (!votes && i.subgroup != Subgroup::count) throw LeftTrial();
    std::uint64_t count = 0;
    for (std::size_t t = first; t < end; ++t) count += bits(i.operands[0], t) & 1;
    const std::uint64_t given = !votes                        ? count
                                : i.subgroup == Subgroup::all ? (count == end - first ? 1U : 0U)
                                                              : (count > 0 ? 1U : 0U);
    for (std::size_t t = first; t < end; ++t) threads_[t].registers[i.result] = {given, true};
  }

  // ---- Faults
  std::string thread_text(std::size_t thread) const {
    const auto parts = [](std::uint64_t n, const Size& size) {
      return fmt::format("({},{},{})", n % size[0], n / size[0] % size[1], n / size[0] / size[1]);
    };
    return fmt::format("thread {} of workgroup {}", parts(thread % group_threads(), launch_.block),
                       parts(launch_.groups[group_of(thread)], launch_.grid));
  }

  void fault(Property property, int line, std::string detail, std::vector<Side> sides) {
    const bool known = std::any_of(result_.faults.begin(), result_.faults.end(),
                                   [&](const TrialFault& f) { return f.property == property; });
    if (known) return;
    result_.faults.push_back({property, line, std::move(detail), std::move(sides), wrapped_});
  }

  void race(std::size_t one, const Instruction* first, std::size_t other, const Instruction* second,
            bool of_group) {
    const auto act = [](const Instruction* i) {
      const Touch touch = touch_of(*i);
      return touch.atomic ? "an atomic access" : touch.writes ? "a write" : "a read";
    };
    const kernel::Scope together =
        group_of(one) == group_of(other) ? kernel::Scope::workgroup : kernel::Scope::device;
    fault(Property::race, second->place.line,
          fmt::format("race: {} at line {} by {} and {} at line {} by {}{}", act(second),
                      second->place.line, thread_text(other), act(first), first->place.line,
                      thread_text(one),
                      kernel::idle_barrier_text(f_, *first, *second, of_group, together)),
          {{thread_text(one), first->place.line, act(first)},
           {thread_text(other), second->place.line, act(second)}});
  }

  [[noreturn]] void diverge(std::size_t waits, std::size_t other) {
    const Runner& r = threads_[other];
    const std::string where = r.stands == Stands::ended
                                  ? std::string("has ended")
                                  : fmt::format("waits at line {}", at(r).place.line);
    const int line = at(threads_[waits]).place.line;
    fault(Property::divergence, line,
          fmt::format("divergence: {} waits at the barrier at line {}, {} {}", thread_text(waits),
                      line, thread_text(other), where),
          {{thread_text(waits), line, "waits"},
           {thread_text(other), r.stands == Stands::ended ? 0 : at(r).place.line, where}});
    throw LeftTrial();
  }

  // ---- Instructions
  TrialValue held(ValueId id, std::size_t thread) const { return threads_[thread].registers[id]; }
  std::uint64_t bits(ValueId id, std::size_t thread) const {
    const TrialValue h = held(id, thread);
    if (!h.known) throw LeftTrial();
    return h.bits;
  }

  void jump(std::size_t t, BlockId to) {
    Runner& r = threads_[t];
    r.from = r.block;
    r.block = to;
    r.index = 0;
    const auto& code = f_.blocks[to].code;
    moved_.clear();
    for (const Instruction& i : code) {
      if (i.op != Op::phi) break;
      for (std::size_t k = 0; k < i.targets.size(); ++k) {
        if (i.targets[k] == r.from) moved_.emplace_back(i.result, r.registers[i.operands[k]]);
      }
      ++r.index;
    }
    for (const auto& [id, value] : moved_) r.registers[id] = value;
    if (launch_.watcher != nullptr) launch_.watcher->jumps(t, r.from, to, r.registers);
  }

  // Leaves the block; whether the thread goes on.
  bool leave(const Instruction& i, std::size_t t) {
    switch (kernel::as_end(i.op)) {
      case EndOp::ret:
        threads_[t].stands = Stands::ended;
        return false;
      case EndOp::jump:
        jump(t, i.targets[0]);
        return true;
      case EndOp::branch:
        jump(t, i.targets[(bits(i.operands[0], t) & 1) != 0 ? 0 : 1]);
        return true;
      case EndOp::choose: {
        const auto at = std::find(i.cases.begin(), i.cases.end(), bits(i.operands[0], t));
        const auto way = at == i.cases.end() ? 0 : at - i.cases.begin() + 1;
        jump(t, i.targets[static_cast<std::size_t>(way)]);
        return true;
      }
      case EndOp::trap:
        fault(
            Property::assertion, i.place.line,
            fmt::format("assertion: {} stops the program at line {}", thread_text(t), i.place.line),
            {{thread_text(t), i.place.line, "stops"}});
        throw LeftTrial();
      case EndOp::unreachable:
        break;
    }
    throw LeftTrial();
  }

  // A thread that waits for another one by spinning must let it run: whether it seems to do so.
  bool go_on(std::size_t t) {
    constexpr int many = 64;
    int looks = 0;  // at memory, atomically, in a row and without a change
    std::uint64_t changes = memory_->changes();
    Runner& r = threads_[t];
    for (int steps = 0; steps < 100'000; ++steps) {
      if (++ticks_ % 4096 == 0 && Clock::now() >= until_) throw LeftTrial();
      const Instruction& i = at(r);
      if (kernel::is_barrier(i.op) && i.op != Op::numbered_barrier) {
        r.stands = Stands::waits;
        return true;
      }
      if (kernel::is_end(i.op)) {
        if (!leave(i, t)) return false;
        continue;
      }
      if (i.op == Op::claim) {
        claim(i, t);
      } else {
        perform(i, t);
      }
      ++r.index;
      looks = std::exchange(changes, memory_->changes()) != memory_->changes() ? 0
              : touch_of(i).atomic || i.is_volatile                            ? looks + 1
                                                                               : looks;
      if (looks == many) return true;
    }
    return false;
  }

  void claim(const Instruction& i, std::size_t t) {
    const TrialValue h = held(i.operands[0], t);
    if (!h.known || (h.bits & 1) != 0) return;
    const bool own = i.claim == Claim::precondition && is_own_precondition(i, threads_[t].block);
    if (i.claim == Claim::assumption || own) {
      excluded_ = true;
      throw LeftTrial();
    }
    const bool counts = i.claim == Claim::assertion || i.claim == Claim::precondition ||
                        i.claim == Claim::invariant || i.claim == Claim::global_invariant ||
                        i.claim == Claim::barrier_invariant;
    if (!counts) return;
    fault(Property::assertion, i.place.line,
          fmt::format("assertion: what is claimed at line {} does not hold for {}", i.place.line,
                      thread_text(t)),
          {{thread_text(t), i.place.line, "claims what does not hold"}});
  }
  void give(const Instruction& i, std::size_t t, TrialValue value) {
    if (i.result != kNone) threads_[t].registers[i.result] = value;
  }

  void perform(const Instruction& i, std::size_t t) {
    TrialValue a, b, c;
    if (!i.operands.empty()) a = held(i.operands[0], t);
    if (i.operands.size() > 1) b = held(i.operands[1], t);
    if (i.operands.size() > 2) c = held(i.operands[2], t);
    const bool known = a.known && b.known && c.known;
    const auto type = [&](std::size_t k) { return f_.value(i.operands[k]).type; };
    if (may_wrap(i.op) && !wrapped_)
      wrapped_ = may_have_wrapped(signs_, i, type(0).bits, a.bits, b.bits);
    switch (kernel::class_of(i.op)) {
      case OpClass::arithmetic:
      case OpClass::division:
      case OpClass::shift:
      case OpClass::equality:
      case OpClass::unsigned_order:
      case OpClass::signed_order: {
        const auto value = kernel::integer_result(i.op, type(0).bits, a.bits, b.bits);
        return give(i, t, value ? TrialValue{*value, known} : TrialValue{0, false});
      }
      case OpClass::real:
        return give(i, t, {kernel::real_result(i.op, type(0).bits, a.bits, b.bits), known});
      case OpClass::real_comparison:
        return give(
            i, t,
            {known ? kernel::real_comparison(i.compare, type(0).bits, a.bits, b.bits) : 0U, known});
      case OpClass::resizing:
      case OpClass::real_conversion:
      case OpClass::reinterpretation: {
        if (i.op == Op::bitcast && type(0).is_pointer()) return give(i, t, a);
        const auto value = kernel::converted(i.op, type(0), i.type, a.bits, i.saturates);
        return give(i, t, value ? TrialValue{*value, known} : TrialValue{0, false});
      }
      case OpClass::value:
        return give(i, t, value(i, t, a, b, c));
      case OpClass::annotation:
        return give(i, t, annotation(i, t));
      case OpClass::plain:
      case OpClass::atomic:
        return access(i, t);
      case OpClass::bulk:
        if (!known || c.bits > 65536) throw LeftTrial();
        for (std::uint64_t k = 0; k < c.bits; ++k) {
          const std::uint64_t byte =
              i.op == Op::copy ? memory_->read(t, i, b.bits + k, 1, false) : b.bits;
          memory_->write(t, i, a.bits + k, 1, byte, false);
        }
        return;
      case OpClass::fence:
        return memory_->synchronize(t, true, true);
      case OpClass::lifetime:
        return;
      case OpClass::meeting:  // of subgroups, and of some threads
        if (i.op == Op::async_copy) return async_copy(i, t);
        if (i.op == Op::wait_events) return memory_->wait(t);
        break;
      case OpClass::asynchronous:  // of a thread
      case OpClass::call:
        break;
      case OpClass::claim:  // elsewhere
      case OpClass::end:
        assert(false);
    }
    throw LeftTrial();
  }

  TrialValue value(const Instruction& i, std::size_t t, TrialValue a, TrialValue b, TrialValue c) {
    const bool known = a.known && b.known && c.known;
    const auto type = [&](std::size_t k) { return f_.value(i.operands[k]).type; };
    switch (kernel::as_value(i.op)) {
      case ValueOp::select:
        if (!a.known) return {0, false};
        return (a.bits & 1) != 0 ? b : c;
      case ValueOp::offset:
        return {a.bits + static_cast<std::uint64_t>(kernel::sign_extended(b.bits, type(1).bits)),
                known};
      case ValueOp::builtin:
        return {builtin(i, t), true};
      case ValueOp::unknown:
        return {kernel::low_bits(launch_.unknown(unknowns_++), i.type.bits), true};
      case ValueOp::math: {
        if (!known) return {0, false};
        const auto value = kernel::math_result(i.math, type(0), i.type, a.bits, b.bits, c.bits,
                                               kernel::ComputedBy::device);
        if (!value) return {0, false};
        return {kernel::low_bits(*value, i.type.bits), true};
      }
      case ValueOp::phi:  // where a block is entered
        break;
    }
    throw LeftTrial();
  }

  std::uint64_t builtin(const Instruction& i, std::size_t t) const {
    const std::uint64_t lane = t % group_threads();
    const auto part = [&](std::uint64_t n, const Size& size) {
      return i.dimension == 0   ? n % size[0]
             : i.dimension == 1 ? n / size[0] % size[1]
                                : n / size[0] / size[1];
    };
    switch (i.builtin) {
      case Builtin::thread_id:
        return part(lane, launch_.block);
      case Builtin::group_id:
        return part(launch_.groups[group_of(t)], launch_.grid);
      case Builtin::group_size:
        return launch_.block[i.dimension];
      case Builtin::groups:
        return launch_.grid[i.dimension];
      case Builtin::cooperative:
        return 1;
      case Builtin::lane:
        return lane % launch_.subgroup;
      case Builtin::subgroup_id:
        return lane / launch_.subgroup;
      case Builtin::subgroup_size:
        return launch_.subgroup;
      case Builtin::subgroups:
        return (group_threads() + launch_.subgroup - 1) / launch_.subgroup;
      case Builtin::active_mask:
        break;
    }
    throw LeftTrial();
  }

  // What is said of another thread is not known here.
  TrialValue annotation(const Instruction& i, std::size_t t) const {
    if (i.annotation == Annotation::enabled) return {1, true};
    const TrialValue of = i.operands.empty() ? TrialValue{0, false} : held(i.operands[0], t);
    if (!of.known) return {0, false};
    if (i.annotation == Annotation::pointer_offset) return {TrialMemory::offset(of.bits), true};
    return memory_->said(t, i.annotation, of.bits);
  }

  void access(const Instruction& i, std::size_t t) {
    const std::uint64_t address = bits(i.operands[0], t);
    const auto bytes = static_cast<unsigned>(i.type.bytes());
    if (launch_.watcher != nullptr) {
      const TrialValue stored = i.op == Op::store ? held(i.operands[1], t) : TrialValue{0, false};
      launch_.watcher->accesses(t, i, memory_->object(address).region, TrialMemory::offset(address),
                                stored);
    }
    switch (kernel::as_access(i.op)) {
      case AccessOp::load:
        // A pointer in an argument passed by value goes to a buffer of its own.
        if (i.type.is_pointer() && memory_->object(address).kind == Owner::thread_copy) {
          const int field = memory_->object(address).region * 4096 + kFields +
                            static_cast<int>(TrialMemory::offset(address) % 4096);
          give(i, t, {memory_->base({field, 0, Owner::all, nullptr}), true});
          return;
        }
        give(i, t,
             {kernel::low_bits(memory_->read(t, i, address, bytes, false), i.type.bits), true});
        return;
      case AccessOp::store: {
        const TrialValue value = held(i.operands[1], t);
        if (!value.known) throw LeftTrial();
        memory_->write(t, i, address, bytes, value.bits, false);
        return;
      }
      case AccessOp::atomic_load:
        give(i, t, {memory_->read(t, i, address, bytes, true), true});
        memory_->synchronize(t, i.order != Order::relaxed, false);
        return;
      case AccessOp::atomic_store:
      case AccessOp::atomic_update:
      case AccessOp::atomic_compare:
        break;
    }
    const std::uint64_t old = memory_->peek(address, bytes), value = bits(i.operands[1], t);
    const bool writes = i.op != Op::atomic_compare || old == value;
    std::uint64_t made = i.op == Op::atomic_compare ? bits(i.operands[2], t) : value;
    if (i.op == Op::atomic_update) made = kernel::updated(i.update, i.type.bits, old, value);
    const Order order = !writes && i.otherwise ? *i.otherwise : i.order;  // relaxed: by fences
    if (order != Order::relaxed) memory_->synchronize(t, i.op != Op::atomic_store, writes);
    if (writes) memory_->write(t, i, address, bytes, made, true);
    if (!writes) memory_->read(t, i, address, bytes, true);
    if (i.op != Op::atomic_store) give(i, t, {old, true});
  }

  void async_copy(const Instruction& i, std::size_t t) {
    const std::uint64_t to = bits(i.operands[0], t), from = bits(i.operands[1], t),
                        elements = bits(i.operands[2], t), stride = bits(i.operands[3], t);
    if (elements * i.bytes > 65536) throw LeftTrial();
    give(i, t, {1, true});
    // The first thread that comes starts it for all of its workgroup.
    std::uint32_t& mine = copies_[{&i, t}];
    std::uint32_t& done = copies_[{&i, threads_.size() + group_of(t)}];
    if (++mine <= done) return;
    ++done;
    for (std::uint64_t e = 0; e < elements; ++e) {
      for (std::uint64_t k = 0; k < i.bytes; ++k) {
        const std::uint64_t r = from + e * (i.kind == 1 ? stride : 1) * i.bytes + k;
        const std::uint64_t w = to + e * (i.kind == 2 ? stride : 1) * i.bytes + k;
        memory_->copy_async(t, i, w, r);
      }
    }
  }

  const kernel::Module& module_;
  const kernel::Function& f_;
  const TrialLaunch& launch_;
  Clock::time_point until_;
  std::unique_ptr<TrialMemory> memory_;
  std::vector<const kernel::Object*> objects_;
  std::vector<Runner> threads_;
  std::vector<std::pair<ValueId, TrialValue>> moved_;
  std::uint32_t unknowns_ = 0;
  std::uint64_t ticks_ = 0;  // instructions, to look at the clock now and then
  std::map<std::pair<const Instruction*, std::size_t>, std::uint32_t> copies_;
  const Signs signs_ = signs_of(f_);
  bool excluded_ = false, wrapped_ = false;
  TrialResult result_;
};

}  // namespace

TrialResult try_launch(const kernel::Module& module, const kernel::Function& function,
                       const TrialLaunch& launch, std::chrono::steady_clock::time_point until) {
  return Trial(module, function, launch, until).run();
}

}  // namespace headway::verify
