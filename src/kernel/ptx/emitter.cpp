#include "kernel/ptx/emitter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "kernel/ir/arithmetic.hpp"

namespace headway::kernel::ptx {

Emitter::Emitter(const Module& module, Builder& builder, const Text& text,
                 std::vector<Before> before, SharedAddresses& shared)
    : module_(module),
      builder_(builder),
      text_(text),
      before_(std::move(before)),
      registers_(builder, text.registers),
      shared_(&shared) {
  for (std::uint32_t reg = 0; reg < before_.size(); ++reg) {
    if (!before_[reg].written || before_[reg].value == kNone) continue;
    registers_.write(reg, cast(before_[reg].value, text_.registers[reg].type));
  }
}

Emitter::Emitter(const Module& module, Builder& builder, const Text& text, ModuleContext& context,
                 std::vector<Held> given)
    : module_(module),
      builder_(builder),
      text_(text),
      registers_(builder, text.registers),
      context_(&context),
      held_(std::move(given)) {}

void Emitter::refuse(const std::string& why) const {
  throw Refused(fmt::format("'{}': {}", at_->instruction(), why));
}

void Emitter::run() {
  if (text_.statements.size() > kMostStatements) {
    throw Refused(fmt::format("more than {} instructions of assembly", kMostStatements));
  }
  statements();
  registers_.finish();
}

void Emitter::statements() {
  for (const std::string& name : text_.labels) {
    labels_.push_back(builder_.block(name));
    registers_.open(labels_.back());
  }
  // What no jump behind a label leads back to is known from there on.
  const auto& all = text_.statements;
  std::vector<std::size_t> last_jump(text_.labels.size());
  for (std::size_t s = 0; s < all.size(); ++s) {
    for (const Operand& one : all[s].operands) {
      if (one.kind == Operand::Kind::label) last_jump[one.number] = s;
    }
  }
  for (std::size_t s = 0; s < all.size(); ++s) {
    statement(all[s]);
    const std::optional<std::uint32_t> label = all[s].label;
    if (label && last_jump[*label] <= s) registers_.closed(labels_[*label]);
  }
}

void Emitter::jump_to(BlockId target) {
  if (builder_.here() != unreached_) registers_.edge(builder_.here(), target);
  builder_.jump(target);
}

void Emitter::act() {
  // Comparisons and conversions take them as they take other reals.
  const bool has_own = row_->action == Action::compare || row_->action == Action::convert;
  if (is_of_halves() && !has_own) return halves();
  switch (row_->action) {
    case Action::load:
      return load();
    case Action::store:
      return store();
    case Action::load_parameter:
      return load_parameter();
    case Action::store_parameter:
      return store_parameter();
    case Action::update:
      return update();
    case Action::fence:
      return fence();
    case Action::nothing:
      return;
    case Action::barrier:
      return barrier();
    case Action::barrier_reduce:
      return barrier_reduce();
    case Action::begin_barrier:
      return begin_barrier();
    case Action::end_barrier:
      return end_barrier();
    case Action::arrive:
      return arrive();
    case Action::test_phase:
      return test_phase();
    case Action::copy:
      return copy();
    case Action::commit:
      return commit();
    case Action::wait:
      return wait();
    case Action::warp_barrier:
      return warp_barrier();
    case Action::shuffle:
      return shuffle();
    case Action::vote:
      return vote();
    case Action::match:
      return match();
    case Action::reduce:
      return reduce();
    case Action::active_mask:
      return active_mask();
    case Action::branch:
      return branch();
    case Action::call:
      return call();
    case Action::ret:
      return ret();
    case Action::exit:
      return exit();
    case Action::trap:
      return trap();
    case Action::move:
      return move();
    case Action::binary:
      return binary();
    case Action::carry:
      return carry();
    case Action::carry_product:
      return carry_product();
    case Action::divide:
      return divide();
    case Action::minimum:
      return minimum();
    case Action::multiply:
      return multiply();
    case Action::multiply_add:
      return multiply_add();
    case Action::shift:
      return shift();
    case Action::unary:
      return unary();
    case Action::fuse:
      return fuse();
    case Action::function:
      return function();
    case Action::count_bits:
      return count_bits();
    case Action::find_bit:
      return find_bit();
    case Action::mask_bits:
      return mask_bits();
    case Action::reciprocal:
      return reciprocal();
    case Action::approximate:
      return approximate();
    case Action::difference:
      return difference();
    case Action::lookup:
      return lookup();
    case Action::permute:
      return permute();
    case Action::funnel:
      return funnel();
    case Action::dot:
      return dot();
    case Action::product_of_24:
      return product_of_24();
    case Action::is_zero:
      return is_zero();
    case Action::choose_by_sign:
      return choose_by_sign();
    case Action::copy_sign:
      return copy_sign();
    case Action::elect:
      return elect();
    case Action::compare:
      return compare();
    case Action::choose:
      return choose();
    case Action::convert:
      return convert();
    case Action::convert_address:
      return convert_address();
    case Action::extract_field:
      return extract_field();
    case Action::insert_field:
      return insert_field();
  }
}

void Emitter::statement(const Statement& one) {
  at_ = &one;
  if (context_ != nullptr) builder_.at(context_->place(one));
  if (one.label) {
    carry_.reset();
    jump_to(labels_[*one.label]);
    return builder_.at(labels_[*one.label]);
  }
  row_ = &row_of(one);
  if (one.guard) return guarded();
  act();
}

void Emitter::guarded() {
  Operand condition;
  condition.kind = Operand::Kind::reg;
  condition.number = at_->guard->reg;
  condition.negated = at_->guard->negated;
  const ValueId runs = value(condition, Type::integer(1));
  const BlockId then = builder_.block("guarded");
  const BlockId behind = builder_.block("behind");
  registers_.edge(builder_.here(), then);
  registers_.edge(builder_.here(), behind);
  builder_.branch(runs, then, behind);
  builder_.at(then);
  act();
  carry_.reset();  // it may be that of the statement, or the one before it
  jump_to(behind);
  builder_.at(behind);
}

// What stands behind a jump or the end of a thread is reached by labels alone.
void Emitter::go_on_unreached() {
  unreached_ = builder_.block("unreached");
  builder_.at(unreached_);
}

void Emitter::branch() {
  if (operand(0).kind != Operand::Kind::label) {
    refuse(fmt::format("'{}' is no label within its braces or around them", operand(0).name));
  }
  jump_to(labels_[operand(0).number]);
  go_on_unreached();
}

void Emitter::exit() {
  Instruction made;
  made.op = Op::ret;
  builder_.emit(std::move(made));
  go_on_unreached();
}

void Emitter::require(ValueId holds, const char* what) {
  Instruction made;
  made.op = Op::claim;
  made.claim = Claim::assertion;
  made.operands = {holds};
  made.name = what;
  builder_.emit(std::move(made));
}

void Emitter::trap() { require(builder_.integer(1, 0), "trap"); }

bool Emitter::has(std::string_view modifier) const {
  return std::find(at_->words.begin() + 1, at_->words.end(), modifier) != at_->words.end();
}

Emitter::DataType Emitter::first_type() const {
  for (const std::string& word : at_->words) {
    if (const auto type = type_named(word)) return {*type, word.front() == 's'};
  }
  return {};
}

Emitter::DataType Emitter::type() const {
  for (auto word = at_->words.rbegin(); word != at_->words.rend(); ++word) {
    if (const auto type = type_named(*word)) return {*type, word->front() == 's'};
  }
  return {};
}

ValueId Emitter::cast(ValueId value, Type type) {
  const Type from = builder_.type(value);
  if (from == type) return value;
  if (from.bits != type.bits) {
    refuse(fmt::format("a register of {} bits; expected one of {}", from.bits, type.bits));
  }
  if (from.is_pointer()) value = builder_.convert(Op::pointer_to_int, value, Type::integer(64));
  return builder_.convert(Op::bitcast, value, type);
}

bool Emitter::is_literal(const Operand& of) const {
  return of.kind == Operand::Kind::reg && of.number < before_.size() && before_[of.number].literal;
}

// Inputs keep their value, which may be a pointer.
ValueId Emitter::held(std::uint32_t reg) {
  if (reg >= before_.size() || before_[reg].written) return registers_.read(reg);
  if (before_[reg].value == kNone) {
    refuse(fmt::format("'{}' is another name of an output", text_.registers[reg].name));
  }
  return before_[reg].value;
}

ValueId Emitter::of_register(const Operand& of, Type type) {
  ValueId value = held(of.number);
  if (is_literal(of)) {
    if (!builder_.known(value) || !type.is_integer()) refuse("a number that is not known");
    value = builder_.resize(value, type.bits, true);
  }
  value = cast(value, type);
  return of.negated ? builder_.binary(Op::bit_xor, value, builder_.integer(1, 1)) : value;
}

ValueId Emitter::real(const Operand& of, Type type) {
  const bool is_single = of.kind == Operand::Kind::single;
  if (type.bits == (is_single ? 32 : 64)) return builder_.constant(type, of.bits);
  if (!type.is_real()) refuse("a real where an integer is expected");
  const double number =
      is_single ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(of.bits)))
                : std::bit_cast<double>(of.bits);
  return builder_.constant(type, from_double(number, type.bits));
}

ValueId Emitter::value(const Operand& of, Type type) {
  switch (of.kind) {
    case Operand::Kind::reg:
      return of_register(of, type);
    case Operand::Kind::special:
      return cast(special(of), type);
    case Operand::Kind::integer:
      if (!type.is_integer()) refuse("an integer where a real is expected");
      return builder_.integer(type.bits, of.bits);
    case Operand::Kind::single:
    case Operand::Kind::real:
      return real(of, type);
    case Operand::Kind::name:
    case Operand::Kind::variable:
      if (const auto place = place_of(of)) return number_of(*place, of, type);
      refuse(fmt::format("'{}' is no register that is declared", of.name));
    case Operand::Kind::label:
      refuse(fmt::format("'{}' is no register that is declared", of.name));
    case Operand::Kind::sink:
    case Operand::Kind::address:
    case Operand::Kind::vector:
    case Operand::Kind::pair:
    case Operand::Kind::list:
      break;
  }
  refuse("an operand that is not modelled; expected a register or a number");
}

std::optional<std::uint64_t> Emitter::known(std::size_t index, Type type) {
  const Operand& of = operand(index);
  if (const auto number = builder_.known(value(of, type))) return number;
  return of.kind == Operand::Kind::reg && !is_literal(of) ? only_number(of.number) : std::nullopt;
}

// What a register holds that is written once, with a number: also where a loop is around, whose
// registers are known when it has ended.
std::optional<std::uint64_t> Emitter::only_number(std::uint32_t reg) {
  if (writes_.empty()) find_writes();
  const auto& [count, by] = writes_[reg];
  if (count != 1 || by->words.front() != "mov" || by->guard || by->operands.size() != 2) return {};
  const Operand& from = by->operands[1];
  if (from.kind != Operand::Kind::integer) return {};
  return builder_.known(builder_.integer(text_.registers[reg].type.bits, from.bits));
}

// Too many rather than too few: what is in front is taken for written.
void Emitter::find_writes() {
  writes_.resize(text_.registers.size());
  const auto write = [&](const Operand& to, const Statement& by) {
    if (to.kind == Operand::Kind::reg) {
      ++writes_[to.number].count;
      writes_[to.number].by = &by;
    }
  };
  for (const Statement& one : text_.statements) {
    if (one.operands.empty()) continue;
    write(one.operands.front(), one);
    if (one.operands.front().kind == Operand::Kind::address) continue;
    for (const Operand& part : one.operands.front().parts) write(part, one);
  }
}

ValueId Emitter::emit(Instruction made) {
  made.result = builder_.forward(made.type);
  return builder_.emit(std::move(made));
}

ValueId Emitter::truth(ValueId value) {
  return builder_.binary(Op::ne, value, builder_.constant(builder_.type(value), 0));
}

ValueId Emitter::math(Math function, Type type, std::vector<ValueId> operands) {
  Instruction made;
  made.op = Op::math;
  made.math = function;
  made.type = type;
  made.operands = std::move(operands);
  return emit(std::move(made));
}

ValueId Emitter::unknown(Type type) { return builder_.operation(Op::unknown, type, {}); }

// Those of lanes up to, or from, that of the thread.
ValueId Emitter::lane_mask(std::string_view which) {
  const ValueId own =
      builder_.binary(Op::shl, builder_.integer(32, 1), builder_.builtin(Builtin::lane));
  if (which == "eq") return own;
  const ValueId below = builder_.binary(Op::sub, own, builder_.integer(32, 1));
  const ValueId all = builder_.integer(32, 0xffffffff);
  if (which == "lt") return below;
  if (which == "ge") return builder_.binary(Op::bit_xor, below, all);
  const ValueId up_to = builder_.binary(Op::bit_or, below, own);
  if (which == "le") return up_to;
  if (which == "gt") return builder_.binary(Op::bit_xor, up_to, all);
  refuse(fmt::format("the register '%lanemask_{}' is not modelled", which));
}

ValueId Emitter::special(const Operand& of) {
  struct OfThread {
    std::string_view name;
    Builtin builtin;
  };
  static constexpr std::array<OfThread, 4> dimensions = {{{"%tid.", Builtin::thread_id},
                                                          {"%ntid.", Builtin::group_size},
                                                          {"%ctaid.", Builtin::group_id},
                                                          {"%nctaid.", Builtin::groups}}};
  for (const auto& [name, which] : dimensions) {
    if (!of.name.starts_with(name) || of.name.size() != name.size() + 1) continue;
    const auto dimension = std::string_view("xyz").find(of.name.back());
    if (dimension != std::string_view::npos)
      return builder_.builtin(which, static_cast<int>(dimension));
  }
  if (of.name == "WARP_SZ") return builder_.builtin(Builtin::subgroup_size);
  if (of.name == "%laneid") return builder_.builtin(Builtin::lane);
  constexpr std::string_view mask_prefix = "%lanemask_";
  if (of.name.starts_with(mask_prefix)) {
    return lane_mask(std::string_view(of.name).substr(mask_prefix.size()));
  }
  // Which place or time it is, nobody knows.
  for (const std::string_view name : {"%warpid", "%nwarpid", "%smid", "%nsmid", "%clock",
                                      "%clock_hi", "%globaltimer_lo", "%globaltimer_hi"}) {
    if (of.name == name) return unknown(Type::integer(32));
  }
  for (const std::string_view name : {"%clock64", "%globaltimer", "%gridid"}) {
    if (of.name == name) return unknown(Type::integer(64));
  }
  if (context_ != nullptr && (of.name == "%envreg1" || of.name == "%envreg2")) {
    return workspace_half(of.name == "%envreg1");
  }
  refuse(fmt::format("the register '{}' is not modelled", of.name));
}

void Emitter::give(const Operand& to, ValueId value) {
  if (to.kind == Operand::Kind::sink) return;
  if (to.kind != Operand::Kind::reg || to.negated) {
    refuse("expected a register in front of the other operands");
  }
  if (to.number < before_.size() && !before_[to.number].written) {
    refuse(fmt::format("'{}' is written, and is no output", text_.registers[to.number].name));
  }
  const ValueId result = saturated(flushed(value));
  registers_.write(to.number, cast(result, text_.registers[to.number].type));
}

// Registers may be wider than what is given to them (PTX ISA, "Operand Size Exceeding
// Instruction-Type Size").
void Emitter::give_extended(const Operand& to, ValueId value, bool is_signed) {
  const Type type = builder_.type(value);
  if (to.kind != Operand::Kind::reg || !type.is_integer()) return give(to, value);
  const int bits = text_.registers[to.number].type.bits;
  give(to, bits > type.bits ? builder_.resize(value, bits, is_signed) : value);
}

// A variable that is elsewhere than the instruction says.
void Emitter::check_space(ValueId pointer, bool shared, bool global) {
  const std::optional<Space> space = space_of(module_, builder_, pointer);
  if (!space) return;
  if (shared && *space != Space::workgroup) refuse("its address is not one of shared memory");
  if (global && *space != Space::global) refuse("its address is not one of global memory");
}

ValueId Emitter::address(const Operand& of, bool shared, bool global) {
  if (context_ != nullptr) return module_address(of, shared, global);
  if (has("local") || has("const")) refuse("addresses of this space are not modelled");
  if (of.kind != Operand::Kind::address) refuse("expected an address in brackets");
  const Operand& base = of.parts.front();
  if (base.kind != Operand::Kind::reg) refuse("an address that is no register is not modelled");
  const ValueId at = held(base.number);
  const Type type = builder_.type(at);
  if (is_literal(base) || (type.bits != 64 && !(shared && type.bits == 32))) {
    refuse(fmt::format("an address of {} bits", type.bits));
  }
  std::optional<ValueId> pointer = pointer_of(builder_, at, shared, *shared_);
  if (!pointer && shared) {
    refuse(
        "an address of shared memory that does not lead back to __cvta_generic_to_shared() or "
        "cvta.to.shared");
  }
  if (!pointer && pointer_of(builder_, at, true, *shared_)) {
    refuse("an address of shared memory; expected a generic one, or '.shared'");
  }
  if (!pointer) pointer = builder_.convert(Op::int_to_pointer, at, Type::pointer());
  check_space(*pointer, shared, global);
  if (of.parts.size() > 1) {
    if (!is_literal(of.parts[1])) refuse("an address of two registers");
    pointer = builder_.offset(*pointer, value(of.parts[1], Type::integer(64)));
  }
  return builder_.offset(*pointer, static_cast<std::int64_t>(of.bits));
}

}  // namespace headway::kernel::ptx
