// Instructions that access memory, order it, or wait for a block.
#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "kernel/ir/premises.hpp"
#include "kernel/ptx/emitter.hpp"

namespace headway::kernel::ptx {

Order Emitter::order(Order otherwise) const {
  if (has("relaxed")) return Order::relaxed;
  if (has("acquire")) return Order::acquire;
  if (has("release")) return Order::release;
  if (has("acq_rel")) return Order::acquire_release;
  if (has("sc")) return Order::seq_cst;
  return otherwise;
}

Scope Emitter::scope(Scope otherwise) const {
  if (has("cta")) return Scope::workgroup;
  if (has("gpu") || has("gl")) return Scope::device;
  if (has("sys")) return Scope::system;
  return otherwise;
}

// Of loads and stores: a scope goes with an order, and the other way round.
void Emitter::require_scope() {
  const bool is_strong = has("relaxed") || has("acquire") || has("release");
  if (has("mmio") && !(has("relaxed") && has("sys"))) refuse("expected .mmio.relaxed.sys");
  // A policy for caches, which is a hint, is an operand more.
  const std::size_t expected = has("L2::cache_hint") ? 3 : 2;
  if (operands() != expected) refuse(fmt::format("expected {} operands", expected));
  const bool has_scope = has("cta") || has("gpu") || has("sys");
  if (is_strong && !has_scope) refuse("an order without a scope; expected .cta, .gpu or .sys");
  if (has_scope && !is_strong) refuse("a scope without an order; expected .relaxed or another one");
  if (has("nc") && (is_strong || has("volatile"))) refuse("'.nc' with an order");
}

Instruction Emitter::access(Op op, Type type, ValueId at) {
  touches_memory_ = true;
  Instruction made;
  made.op = op;
  made.type = type;
  made.operands = {at};
  made.order = order(Order::relaxed);
  made.scope = scope(Scope::device);
  return made;
}

void Emitter::each_part(const Operand& data,
                        const std::function<void(std::size_t, const Operand&)>& act) {
  const std::size_t parts = has("v4") ? 4 : has("v2") ? 2 : 1;
  // A register may stand in braces by itself.
  const bool is_vector = data.kind == Operand::Kind::vector;
  if ((is_vector ? data.parts.size() : 1) != parts) {
    refuse(fmt::format("expected {} register{}", parts, parts == 1 ? "" : "s in braces"));
  }
  if (!is_vector) return act(0, data);
  const bool is_ordered = has("relaxed") || has("acquire") || has("release") || has("volatile");
  if (parts == 1 || !is_ordered) {
    for (std::size_t i = 0; i < parts; ++i) act(i, data.parts[i]);
    return;
  }
  // A vector is as many accesses, in no order (PTX ISA, "Vector Data-types" of the memory
  // consistency model).
  if (has("acquire") || has("release")) refuse("a vector with an order is not modelled");
  in_any_order(parts, [&](std::size_t part) { act(part, data.parts[part]); });
}

// A block for each set of parts that are done, from which any other one may be next.
void Emitter::in_any_order(std::size_t parts, const std::function<void(std::size_t)>& act) {
  add_premise(builder_.function(), kVectors);
  std::vector<BlockId> done = {builder_.here()};
  for (std::size_t set = 1; set < std::size_t{1} << parts; ++set) {
    done.push_back(builder_.block("order"));
  }
  for (std::size_t set = 0; set + 1 < done.size(); ++set) {
    builder_.at(done[set]);
    Instruction choice;
    choice.op = Op::choose;
    std::vector<std::size_t> left;
    for (std::size_t part = 0; part < parts; ++part) {
      if ((set >> part & 1) != 0) continue;
      if (!left.empty()) choice.cases.push_back(part);
      left.push_back(part);
      choice.targets.push_back(builder_.block("next"));
      registers_.edge(done[set], choice.targets.back());
    }
    const std::vector<BlockId> ways = choice.targets;
    if (left.size() > 1) {
      choice.operands = {unknown(Type::integer(2))};
      builder_.emit(std::move(choice));
    } else {
      builder_.jump(ways.front());
    }
    for (std::size_t i = 0; i < left.size(); ++i) {
      builder_.at(ways[i]);
      act(left[i]);
      jump_to(done[set | std::size_t{1} << left[i]]);
    }
  }
  builder_.at(done.back());
}

void Emitter::load() {
  require_scope();
  const ValueId from = address(operand(1));
  each_part(operand(0), [&](std::size_t part, const Operand& to) { load_part(from, part, to); });
}

void Emitter::load_part(ValueId from, std::size_t part, const Operand& to) {
  const auto [of, is_signed] = type();
  const auto bytes = static_cast<std::uint32_t>(of.bytes());
  const std::uint32_t whole = bytes * (has("v4") ? 4U : has("v2") ? 2U : 1U);
  const ValueId at = builder_.offset(from, static_cast<std::int64_t>(part * bytes));
  if (has("relaxed") || has("acquire")) {
    return give_extended(to, emit(access(Op::atomic_load, of, at)), is_signed);
  }
  touches_memory_ = true;
  give_extended(to, builder_.load(at, of, has("volatile"), align_at(whole, part * bytes)),
                is_signed);
}

void Emitter::store() {
  require_scope();
  const ValueId to = address(operand(0));
  each_part(operand(1), [&](std::size_t part, const Operand& from) { store_part(to, part, from); });
}

void Emitter::store_part(ValueId to, std::size_t part, const Operand& from) {
  const Type of = type().type;
  const auto bytes = static_cast<std::uint32_t>(of.bytes());
  const std::uint32_t whole = bytes * (has("v4") ? 4U : has("v2") ? 2U : 1U);
  const ValueId at = builder_.offset(to, static_cast<std::int64_t>(part * bytes));
  Type held = of;  // registers may be wider
  if (from.kind == Operand::Kind::reg && of.is_integer()) {
    const int bits = text_.registers[from.number].type.bits;
    if (bits > of.bits && !is_literal(from)) held = Type::integer(bits);
  }
  const ValueId stored =
      of.is_integer() ? builder_.resize(value(from, held), of.bits, false) : value(from, of);
  if (has("relaxed") || has("release")) {
    Instruction made = access(Op::atomic_store, of, at);
    made.operands.push_back(stored);
    builder_.emit(std::move(made));
    return;
  }
  touches_memory_ = true;
  builder_.store(at, stored, has("volatile"), align_at(whole, part * bytes), part > 0);
}

// atom d, [a], b; atom.cas d, [a], compare, value; red [a], b.
void Emitter::update() {
  const bool gives = row_->opcode == "atom";
  const auto [of, is_signed] = type();
  const bool is_untyped = at_->words.back().starts_with('b');
  if (of.is_real() && !has("add")) refuse("of reals .add is modelled alone");
  if (of.bits == 16 && !has("cas")) refuse("of 16 bits .cas is modelled alone");
  if ((has("inc") || has("dec")) && at_->words.back() != "u32") refuse("expected .u32");
  if (is_untyped && (has("add") || has("min") || has("max"))) {
    refuse("a type of bits; expected one of numbers");
  }
  const std::size_t expected =
      (gives ? 3 : 2) + (has("cas") ? 1 : 0) + (has("L2::cache_hint") ? 1 : 0);
  if (operands() != expected) refuse(fmt::format("expected {} operands", expected));
  const std::size_t at = gives ? 1 : 0;
  Instruction made =
      access(has("cas") ? Op::atomic_compare : Op::atomic_update, of, address(operand(at)));
  made.operands.push_back(value(at + 1, of));
  if (has("cas")) {
    made.operands.push_back(value(at + 2, of));
    made.otherwise = acquires(made.order) ? Order::acquire : Order::relaxed;
  } else {
    const std::array<std::pair<std::string_view, Update>, 9> updates = {
        {{"add", of.is_real() ? Update::fadd : Update::add},
         {"min", is_signed ? Update::smin : Update::umin},
         {"max", is_signed ? Update::smax : Update::umax},
         {"and", Update::bit_and},
         {"or", Update::bit_or},
         {"xor", Update::bit_xor},
         {"inc", Update::wrap_inc},
         {"dec", Update::wrap_dec},
         {"exch", Update::exchange}}};
    for (const auto& [word, update] : updates) {
      if (has(word)) made.update = update;
    }
  }
  const ValueId old = emit(std::move(made));
  if (gives) give(operand(0), old);
}

// membar is fence.sc (PTX ISA, "membar/fence").
void Emitter::fence() {
  touches_memory_ = true;
  Instruction made;
  made.op = Op::fence;
  made.order = order(row_->opcode == "membar" ? Order::seq_cst : Order::acquire_release);
  made.scope = scope(Scope::system);
  builder_.emit(std::move(made));
}

// Number 0 without a count of threads is __syncthreads().
bool Emitter::is_of_block(std::size_t number, std::size_t most) {
  const auto which = known(number, Type::integer(32));
  if (which && *which >= kBarriers) {
    refuse(fmt::format("barrier {}; expected one of 0 to {}", *which, kBarriers - 1));
  }
  return which && *which == 0 && operands() < most;
}

void Emitter::barrier() {
  touches_memory_ = true;
  Instruction made;
  made.op = Op::barrier;
  made.scope = Scope::workgroup;
  made.order = Order::acquire_release;
  made.arrives = has("arrive");
  if (made.arrives || !is_of_block(0, 2)) {
    made.op = Op::numbered_barrier;
    made.aligned = at_->words.front() == "bar" || has("aligned");
    made.operands = {builder_.barrier(value(0, Type::integer(32)))};
    if (operands() > 1) {
      made.operands.push_back(builder_.resize(value(1, Type::integer(32)), 64, false));
    }
  }
  builder_.emit(std::move(made));
}

void Emitter::barrier_reduce() {
  touches_memory_ = true;
  if (!is_of_block(1, 4))
    refuse("a reduction at a barrier that has a number or a count of its own");
  if (has("popc") != has("u32")) refuse("expected .popc.u32, .and.pred or .or.pred");
  Instruction made;
  made.op = Op::barrier_reduce;
  made.scope = Scope::workgroup;
  made.order = Order::acquire_release;
  made.type = Type::integer(32);
  made.subgroup = has("popc") ? Subgroup::count : has("and") ? Subgroup::all : Subgroup::any;
  made.operands = {value(2, Type::integer(1))};
  const ValueId result = emit(std::move(made));
  give(operand(0), has("popc") ? result : truth(result));
}

void Emitter::warp_barrier() {
  touches_memory_ = true;
  Instruction made;
  made.op = Op::barrier;
  made.scope = Scope::subgroup;
  made.order = Order::acquire_release;
  made.operands = {builder_.resize(value(0, Type::integer(32)), 64, false)};
  builder_.emit(std::move(made));
}

}  // namespace headway::kernel::ptx
