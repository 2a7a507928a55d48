#include "kernel/litmus/thread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "consistency/idiom/strengths.hpp"
#include "kernel/litmus/values.hpp"

namespace headway::kernel::litmus {
namespace {

using consistency::Tags;
using lang::idiom::AccessKind;
using lang::idiom::MemoryOrder;
using lang::idiom::MemoryScope;
using lang::idiom::Strength;

MemoryOrder order_of(Order order) {
  switch (order) {
    case Order::relaxed:
      return MemoryOrder::relaxed;
    case Order::acquire:
      return MemoryOrder::acquire;
    case Order::release:
      return MemoryOrder::release;
    case Order::acquire_release:
      return MemoryOrder::acq_rel;
    case Order::seq_cst:
      break;
  }
  return MemoryOrder::seq_cst;
}

// A scope in the words of the idiom language; nothing: of the thread alone.
std::optional<MemoryScope> scope_of(Scope scope) {
  switch (scope) {
    case Scope::thread:
      return std::nullopt;
    case Scope::subgroup:
      return MemoryScope::subgroup;
    case Scope::workgroup:
      return MemoryScope::workgroup;
    case Scope::device:
      return MemoryScope::device;
    case Scope::system:
      break;
  }
  return MemoryScope::system;
}

class ThreadTranslator : Values {
 public:
  ThreadTranslator(const ThreadContext& context, int thread, Cells& cells)
      : Values(context, thread), cells_(cells) {}

  // Throws headway::Error with a line.
  consistency::Thread run() {
    try {
      translate();
    } catch (const Error& error) {
      const int line = error.where().line;
      throw Error({"", line > 0 || at_ == nullptr ? line : at_->place.line, 0}, error.what());
    }
    return std::move(result_);
  }

 private:
  void translate() {
    const std::size_t blocks = function_.blocks.size();
    begins_.resize(blocks + 1);
    reached_.resize(blocks);
    reached_[0] = true;
    make_phis();
    for (BlockId b = 0; b < blocks; ++b) {
      begins_[b] = result_.code.size();
      if (reached_[b]) block(b);
    }
    begins_[blocks] = result_.code.size();
    for (const auto& [from, to] : jumps_) result_.code[from].to = begins_[to];
  }

  void fail(const std::string& fault) { fail_where(Term::constant(1), fault); }

  void block(BlockId b) {
    settle_phis(b);
    for (const Instruction& i : function_.blocks[b].code) {
      at_ = &i;
      if (is_end(i.op)) {
        end(b, i);
      } else if (i.op != Op::phi) {
        instruction(i);
      }
    }
    at_ = nullptr;
  }

  // Of a block that no loop comes back to, what all ways to it agree on is known.
  void settle_phis(BlockId b) {
    for (const Instruction& i : function_.blocks[b].code) {
      if (i.op != Op::phi) return;
      const auto found = incoming_.find(i.result);
      const bool loops =
          std::any_of(i.targets.begin(), i.targets.end(), [&](BlockId from) { return from >= b; });
      if (loops || found == incoming_.end()) continue;
      const Held& first = found->second.front();
      const bool agree =
          first.term.kind == Term::Kind::constant &&
          std::all_of(found->second.begin(), found->second.end(), [&](const Held& other) {
            return other.term.kind == Term::Kind::constant &&
                   other.term.number == first.term.number && other.object == first.object;
          });
      if (agree) held_[i.result] = first;
    }
  }

  // From the end of a block to another one, whose phis get their values.
  void go(BlockId from, BlockId to) {
    struct Copy {
      int target;
      Term value;
    };
    std::vector<Copy> copies;
    for (const Instruction& i : function_.blocks[to].code) {
      if (i.op != Op::phi) break;
      if (!context_.unsaid[i.result].why.empty()) continue;
      const auto which = std::find(i.targets.begin(), i.targets.end(), from) - i.targets.begin();
      Held& phi = held_[i.result];
      const Held value = held(i.operands[static_cast<std::size_t>(which)]);
      incoming_[i.result].push_back(value);
      if (phi.kind == Held::Kind::pointer) {
        if (phi.object == kUnset) phi.object = value.object;
        if (value.object != phi.object) refuse("an address of one object or another");
      }
      if (value.term.kind == Term::Kind::of_register && value.term.number == phi.term.number) {
        continue;
      }
      copies.push_back({static_cast<int>(phi.term.number), value.term});
    }
    // All at once: none may see what another one has set.
    const bool meets = std::any_of(copies.begin(), copies.end(), [&](const Copy& one) {
      return std::any_of(copies.begin(), copies.end(), [&](const Copy& other) {
        return one.value.kind == Term::Kind::of_register && one.value.number == other.target;
      });
    });
    if (meets) {
      for (Copy& copy : copies) {
        const int between = new_register("");
        assign(between, std::exchange(copy.value, Term::of_register(between)));
      }
    }
    for (Copy& copy : copies) assign(copy.target, std::move(copy.value));
    reach(from, to);
    jump(Made::Kind::jump, {}, to);
  }
  void reach(BlockId from, BlockId to) {
    if (to <= from && !reached_[to]) refuse("a jump into a loop");
    reached_[to] = true;
  }
  void jump(Made::Kind kind, Term condition, std::size_t to_block) {
    Made made{kind};
    made.value = std::move(condition);
    jumps_.emplace_back(emit(std::move(made)), to_block);
  }
  // Where a condition holds, to another block; then goes on here.
  void go_where(const Term& condition, BlockId from, BlockId to) {
    Made past{Made::Kind::branch};
    past.value = Term::negated(condition);
    const std::size_t branch = emit(std::move(past));
    go(from, to);
    result_.code[branch].to = result_.code.size();
  }

  void end(BlockId b, const Instruction& i) {
    switch (as_end(i.op)) {
      case EndOp::jump:
        return go(b, i.targets[0]);
      case EndOp::branch: {
        const Term condition = number(i.operands[0]);
        if (condition.kind == Term::Kind::constant) {
          return go(b, i.targets[condition.number != 0 ? 0 : 1]);
        }
        go_where(condition, b, i.targets[0]);
        return go(b, i.targets[1]);
      }
      case EndOp::choose: {
        const Term value = number(i.operands[0]);
        const int bits = function_.values[i.operands[0]].type.bits;
        for (std::size_t c = 0; c < i.cases.size(); ++c) {
          const Term is =
              made(Term::Kind::equal, value, Term::constant(number_of(i.cases[c], bits)));
          const bool known = is.kind == Term::Kind::constant;
          if (known && is.number == 0) continue;
          if (known) return go(b, i.targets[c + 1]);
          go_where(is, b, i.targets[c + 1]);
        }
        return go(b, i.targets[0]);
      }
      case EndOp::ret:
        return jump(Made::Kind::jump, {}, function_.blocks.size());
      case EndOp::trap:
        return fail("the program stops with an error");
      case EndOp::unreachable:
        return fail("a place that is not to be reached");
    }
  }

  void instruction(const Instruction& i) {
    switch (class_of(i.op)) {
      case OpClass::arithmetic:
      case OpClass::division:
      case OpClass::shift:
      case OpClass::equality:
      case OpClass::unsigned_order:
      case OpClass::signed_order:
      case OpClass::resizing:
      case OpClass::reinterpretation:
      case OpClass::value:
      case OpClass::real:
      case OpClass::real_comparison:
      case OpClass::real_conversion:
        // What cannot be said is refused where something hangs on it.
        if (context_.unsaid[i.result].why.empty()) compute(i);
        return;
      case OpClass::plain:
      case OpClass::atomic:
        return access(i);
      case OpClass::lifetime:
        return;
      case OpClass::fence:
        return fence(i);
      case OpClass::meeting:
        return meet(i);
      case OpClass::claim:
        return claim(i);
      case OpClass::bulk:
      case OpClass::asynchronous:
      case OpClass::annotation:
      case OpClass::call:
        break;
      case OpClass::end:
        return;
    }
    refuse(std::string(refused_text(i.op)));
  }

  // Memory.

  Strength strength_of(const Instruction& i, AccessKind kind) {
    if (!is_atomic(i.op)) {
      if (!is_atomic(*launch_.module, i)) return {MemoryOrder::plain};
      return {MemoryOrder::relaxed, MemoryScope::system};
    }
    const std::optional<MemoryScope> scope = scope_of(i.scope);
    if (!scope) refuse("an atomic access of the scope of its thread");
    Strength strength = {order_of(i.order), *scope};
    if (auto fence = consistency::idiom::split_seq_cst(context_.language, kind, strength)) {
      emit(std::move(*fence));
    }
    return strength;
  }

  void access(const Instruction& i) {
    const Held where = pointer(i.operands[0]);
    if (where.object == kNone) return fail("an access by a null pointer");
    const ObjectInfo& info = launch_.objects[where.object];
    const int bytes = i.type.bytes();
    if (!in_bounds(where, info, bytes)) return;
    const bool known = where.term.kind == Term::Kind::constant;
    if (known && i.op == Op::load && !context_.contacts.is_written(where.object)) {
      return read_at_first(i, where, bytes);
    }
    if (info.space == Space::local) refuse("an array, or a variable, of a thread's own in memory");
    if (i.type.is_pointer()) refuse("an address in memory");
    // Which of them are made available and visible, and to whom, is said by each for itself.
    if (launch_.module->is_shader && !is_atomic(*launch_.module, i)) {
      refuse("an access of a shader that is not atomic, to memory that is written,");
    }
    if (!known && info.growing) {
      refuse(
          fmt::format("an access to a place that is chosen in '{}', whose size nobody gives "
                      "(--buffer {}=...),",
                      info.name, info.name));
    }
    const AccessKind kind = kind_of(i.op);
    const Strength strength = strength_of(i, kind);
    Made access = made_access(i);
    consistency::idiom::tag(access, context_.language, kind, strength,
                            info.space == Space::workgroup);
    tag_failure(i, kind, strength, info, access);
    Cells::Use use{
        static_cast<std::size_t>(thread_), 0, where.object, std::nullopt, bytes, i.place.line};
    if (known) {
      use.at = static_cast<std::uint64_t>(where.term.number);
    } else {
      access.index = made(Term::Kind::divide, where.term, Term::constant(bytes));
    }
    const bool holds_nothing = info.fill == Fill::nothing && access.kind != Made::Kind::store;
    const bool used = i.result != kNone && (is_used(i.result) || holds_nothing);
    if (used) access.target = register_for(i.result);
    const int target = access.target;
    use.instruction = emit(std::move(access));
    cells_.add(use);
    if (!used) return;
    held_[i.result] = {Held::Kind::number, Term::of_register(target), kNone};
    if (!holds_nothing) return;
    fail_where(made(Term::Kind::equal, Term::of_register(target), Term::constant(kNothing)),
               fmt::format("a read of '{}' where nothing has been written", info.name));
  }

  static AccessKind kind_of(Op op) {
    switch (as_access(op)) {
      case AccessOp::load:
      case AccessOp::atomic_load:
        return AccessKind::load;
      case AccessOp::store:
      case AccessOp::atomic_store:
        return AccessKind::store;
      case AccessOp::atomic_update:
        return AccessKind::fetch_add;  // one is as strong as another
      case AccessOp::atomic_compare:
        break;
    }
    return AccessKind::cas;
  }

  // Where it may go wrong before it, that is told; false where it does for certain.
  bool in_bounds(const Held& where, const ObjectInfo& info, int bytes) {
    const Term width = Term::constant(bytes), zero = Term::constant(0);
    const Term last =
        Term::constant(info.growing ? INT64_MAX : static_cast<Number>(info.bytes) - bytes);
    const Term outside = made(Term::Kind::logical_or, made(Term::Kind::less, where.term, zero),
                              made(Term::Kind::less, last, where.term));
    const Term askew =
        made(Term::Kind::differs, made(Term::Kind::remainder, where.term, width), zero);
    fail_where(outside, fmt::format("an access out of the bounds of '{}'", info.name));
    fail_where(askew, fmt::format("an access of '{}' at a place that is no multiple of {} bytes",
                                  info.name, bytes));
    const auto holds = [](const Term& of) {
      return of.kind == Term::Kind::constant && of.number != 0;
    };
    return !holds(outside) && !holds(askew);
  }

  // Of what nobody writes.
  void read_at_first(const Instruction& i, const Held& where, int bytes) {
    const Content content =
        content_of(launch_, where.object, static_cast<std::uint64_t>(where.term.number), bytes);
    switch (content.kind) {
      case Content::Kind::number: {
        if (i.type.is_pointer()) refuse("an address in memory");
        const std::string& name = launch_.objects[where.object].name;
        if (content.is_taken)
          refuse(fmt::format("'{}', of which nobody says what it holds,", name));
        return give(i, Term::constant(content.number));
      }
      case Content::Kind::pointer:
        return give(i, content.object, Term::constant(content.number));
      case Content::Kind::nothing:
        break;
    }
    fail(fmt::format("a read of '{}' where nothing has been written",
                     launch_.objects[where.object].name));
    give(i, Term::constant(0));
  }

  bool is_used(ValueId id) const {
    for (const Block& block : function_.blocks) {
      for (const Instruction& i : block.code) {
        if (std::find(i.operands.begin(), i.operands.end(), id) != i.operands.end()) return true;
      }
    }
    return false;
  }

  // What is read is compared and written as numbers of their type.
  Made made_access(const Instruction& i) {
    Made access;
    switch (as_access(i.op)) {
      case AccessOp::load:
      case AccessOp::atomic_load:
        access.kind = Made::Kind::load;
        return access;
      case AccessOp::store:
      case AccessOp::atomic_store:
        access.kind = Made::Kind::store;
        access.value = number(i.operands[1]);
        return access;
      case AccessOp::atomic_compare:
        access.kind = Made::Kind::compare_exchange;
        access.expected = number(i.operands[1]);
        access.value = number(i.operands[2]);
        return access;
      case AccessOp::atomic_update:
        break;
    }
    access.kind = Made::Kind::update;
    access.value = number(i.operands[1]);
    switch (i.update) {
      case Update::exchange:
        access.kind = Made::Kind::exchange;
        return access;
      case Update::add:
        access.update = Term::Kind::add;
        break;
      case Update::sub:
        access.update = Term::Kind::subtract;
        break;
      case Update::bit_and:
        access.update = Term::Kind::bit_and;
        return access;
      case Update::bit_or:
        access.update = Term::Kind::bit_or;
        return access;
      case Update::bit_xor:
        access.update = Term::Kind::bit_xor;
        return access;
      case Update::smin:
        access.update = Term::Kind::minimum;
        return access;
      case Update::smax:
        access.update = Term::Kind::maximum;
        return access;
      case Update::umin:
        access.update = Term::Kind::unsigned_minimum;
        return access;
      case Update::umax:
        access.update = Term::Kind::unsigned_maximum;
        return access;
      case Update::bit_nand:
      case Update::wrap_inc:
      case Update::wrap_dec:
      case Update::mul:
      case Update::fadd:
      case Update::fsub:
      case Update::fmin:
      case Update::fmax:
      case Update::fmul:
        refuse("this atomic operation");
    }
    if (i.type.bits < 64) {
      access.lowest = -(Number{1} << (i.type.bits - 1));
      access.modulus = Number{1} << i.type.bits;
    }
    return access;
  }

  // Of a comparison that may fail with an order of its own.
  void tag_failure(const Instruction& i, AccessKind kind, Strength strength, const ObjectInfo& info,
                   Made& access) const {
    if (kind != AccessKind::cas || !i.otherwise || access.failed_tags.empty()) return;
    Made failed{Made::Kind::load};
    strength.order = order_of(*i.otherwise);
    consistency::idiom::tag(failed, context_.language, AccessKind::load, strength,
                            info.space == Space::workgroup);
    access.failed_tags = failed.tags;
  }

  // Kinds of memory that an instruction does not order are taken out of the words for both.
  void keep_ordered(const Instruction& i, Tags& tags) const {
    const auto drop = [&](const char* tag) {
      tags.erase(std::remove(tags.begin(), tags.end(), tag), tags.end());
    };
    const bool local = (i.memory & 1U) != 0, global = (i.memory & 2U) != 0;
    if (context_.language == "OPENCL" && !local) drop("LOCAL");
    if (context_.language == "OPENCL" && !global) drop("GLOBAL");
    if (context_.language == "VULKAN" && !local) drop("SEMSC1");
    if (context_.language == "VULKAN" && !global) drop("SEMSC0");
  }

  void fence(const Instruction& i) {
    const std::optional<MemoryScope> scope = scope_of(i.scope);
    if (!scope || i.order == Order::relaxed || i.memory == 0) return;
    Made fence{Made::Kind::fence};
    consistency::idiom::tag(fence, context_.language, std::nullopt, {order_of(i.order), *scope},
                            false);
    keep_ordered(i, fence.tags);
    emit(std::move(fence));
  }

  // A barrier of one thread is none.
  void meet(const Instruction& i) {
    if (i.op != Op::barrier || !i.operands.empty()) refuse(std::string(refused_text(i.op)));
    const int threads = i.scope == Scope::workgroup ? launch_.group_threads()
                        : i.scope == Scope::subgroup
                            ? std::min(launch_.group_threads(), launch_.subgroup)
                            : launch_.threads();
    if (threads == 1) return;
    if (i.scope != Scope::workgroup) refuse("a barrier of other threads than those of a workgroup");
    Made barrier{Made::Kind::barrier};
    barrier.barrier_id = Term::constant(0);
    if (context_.language == "PTX") {
      barrier.tags = {"BAR", "GEN", "CTA"};
      emit(std::move(barrier));
    } else if (context_.language == "OPENCL") {
      barrier.tags = {"GLOBAL", "LOCAL", "WG", "F", "BAR"};
      keep_ordered(i, barrier.tags);
      barrier.barrier_id = Term::constant(i.place.line);
      Made leaves = barrier;
      leaves.leaves = true;
      barrier.tags.emplace_back("EF");
      leaves.tags.emplace_back("XF");
      emit(std::move(barrier));
      emit(std::move(leaves));
    } else {
      refuse("a barrier");
    }
  }

  void claim(const Instruction& i) {
    switch (i.claim) {
      case Claim::assertion:
      case Claim::within:
        return fail_where(
            made(Term::Kind::equal, number(i.operands[0]), Term::constant(0)),
            i.claim == Claim::assertion ? "the assertion does not hold" : "an index out of bounds");
      case Claim::shown:
        return;
      case Claim::assumption:
      case Claim::precondition:
      case Claim::postcondition:
      case Claim::invariant:
      case Claim::global_invariant:
      case Claim::function_invariant:
      case Claim::barrier_invariant:
        break;
    }
    refuse("an assumption, or an invariant,");
  }

  Cells& cells_;
  std::vector<std::size_t> begins_;                         // by block
  std::vector<bool> reached_;                               // blocks
  std::map<ValueId, std::vector<Held>> incoming_;           // of phis, on the ways that are taken
  std::vector<std::pair<std::size_t, std::size_t>> jumps_;  // to which block, or the end
};

}  // namespace

consistency::Thread thread_of(const ThreadContext& context, int thread, Cells& cells) {
  return ThreadTranslator(context, thread, cells).run();
}

}  // namespace headway::kernel::litmus
