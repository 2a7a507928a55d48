// What functions of modules have that assembly has not: variables, parameters, calls.
#include <fmt/format.h>

#include <utility>

#include "kernel/ir/control_flow.hpp"
#include "kernel/ir/premises.hpp"
#include "kernel/ptx/emitter.hpp"

namespace headway::kernel::ptx {
namespace {

constexpr Type kAddress = Type::integer(64);

// Whether a way leads to a block. Compilers put labels of debug information behind the last
// instruction, to which nothing goes.
bool is_reached(const Function& function, BlockId block) {
  return block == 0 || reached_from(successors(function), 0)[block];
}

}  // namespace

void Emitter::run_function(BlockId returns) {
  returns_ = returns;
  context_->count(text_.statements.size());
  hold_variables();
  statements();
  if (builder_.here() != unreached_ && is_reached(builder_.function(), builder_.here())) {
    throw Refused("a function that goes on behind its last instruction; expected 'ret' or 'exit'");
  }
  builder_.operation(Op::unreachable, {}, {});
  registers_.finish();
}

// Those of the function's own. Variables of threads are new ones each time that it is called.
void Emitter::hold_variables() {
  for (std::size_t v = held_.size(); v < text_.variables.size(); ++v) {
    const Variable& one = text_.variables[v];
    Held made;
    made.space = one.space;
    if (!one.space || *one.space == Space::local) {
      if (!one.initial.empty()) {
        throw Refused(fmt::format("the variable '{}', which has an initializer", one.name));
      }
      Object object;
      object.name = one.name;
      object.space = Space::local;
      object.bytes = one.bytes();
      object.align = one.align;
      made.pointer = builder_.address(builder_.local(std::move(object)));
    }
    held_.push_back(made);
  }
}

std::optional<Held> Emitter::place_of(const Operand& name) {
  if (context_ == nullptr) return {};
  if (name.kind == Operand::Kind::variable) {
    Held& held = held_[name.number];
    if (held.pointer == kNone && held.value == kNone) {
      held.pointer = builder_.address(context_->variable(text_.variables[name.number]));
    }
    return held;
  }
  const auto object = context_->variable(name.name);
  if (!object) return {};
  return Held{builder_.address(*object), kNone, context_->space(*object)};
}

ValueId Emitter::marked(Op op, ValueId value, Addresses of) {
  const Type type = op == Op::pointer_to_int ? kAddress : Type::pointer();
  const ValueId made = builder_.operation(op, type, {value});
  context_->addresses()[made] = of;
  return made;
}

// The address as a number: mov.u64 %rd1, variable.
ValueId Emitter::number_of(const Held& variable, const Operand& of, Type type) {
  if (!variable.space && variable.pointer == kNone) {
    refuse(fmt::format("the address of the parameter '{}'", of.name));
  }
  if (!type.is_integer() || (type.bits != 64 && type.bits != 32)) {
    refuse("an address; expected 32 or 64 bits");
  }
  const ValueId at = builder_.offset(variable.pointer, static_cast<std::int64_t>(of.bits));
  // Parameters that are passed by value are memory of the thread.
  const Addresses space = addresses_of(variable.space.value_or(Space::local));
  return builder_.resize(marked(Op::pointer_to_int, at, space), type.bits, false);
}

ValueId Emitter::module_address(const Operand& of, bool shared, bool global) {
  return module_address(of, shared         ? Addresses::shared
                            : global       ? Addresses::global
                            : has("local") ? Addresses::local
                            : has("const") ? Addresses::constant
                                           : Addresses::generic);
}

ValueId Emitter::module_address(const Operand& of, Addresses wanted) {
  if (of.kind != Operand::Kind::address) refuse("expected an address in brackets");
  if (of.parts.size() > 1) refuse("an address of two registers");
  const Operand& base = of.parts.front();
  const auto by = static_cast<std::int64_t>(of.bits);
  if (base.kind == Operand::Kind::name || base.kind == Operand::Kind::variable) {
    const auto place = place_of(base);
    if (!place)
      refuse(fmt::format("'{}' is no register, and no variable, that is declared", base.name));
    if (!place->space) refuse(fmt::format("the parameter '{}'; expected '.param'", base.name));
    const Addresses here = addresses_of(*place->space);
    if (here != wanted && !(here == Addresses::global && wanted == Addresses::generic)) {
      refuse(fmt::format("the variable '{}' is in another kind of memory", base.name));
    }
    return builder_.offset(place->pointer, by);
  }
  if (base.kind != Operand::Kind::reg) refuse("an address that is no register is not modelled");
  ValueId at = held(base.number);
  const Type type = builder_.type(at);
  if (!type.is_integer() ||
      (type.bits != 64 && !(wanted == Addresses::shared && type.bits == 32))) {
    refuse(fmt::format("an address of {} bits", type.bits));
  }
  if (builder_.known(at)) refuse("an address that is a known number");
  if (builder_.value(at).kind == Value::Kind::undefined) {
    refuse(fmt::format("the register '{}', which nothing has written",
                       text_.registers[base.number].name));
  }
  return builder_.offset(marked(Op::int_to_pointer, at, wanted), by);
}

void Emitter::convert_module_address() {
  if (type().type.bits != 64) refuse("expected .u64");
  const Addresses space = is_shared()     ? Addresses::shared
                          : has("global") ? Addresses::global
                          : has("const")  ? Addresses::constant
                                          : Addresses::local;  // or of a parameter
  const bool to = has("to");
  const ValueId at = value(1, kAddress);
  const Addresses from = to ? (space == Addresses::global ? space : Addresses::generic) : space;
  const ValueId pointer = marked(Op::int_to_pointer, at, from);
  give(operand(0), marked(Op::pointer_to_int, pointer, to ? space : Addresses::generic));
}

// Of a parameter that is memory: of a call, of a function that is called, or passed by value.
ValueId Emitter::parameter_place(const Operand& of) {
  if (of.kind != Operand::Kind::address || of.parts.size() > 1 ||
      of.parts.front().kind != Operand::Kind::variable) {
    refuse("expected the name of a parameter in brackets");
  }
  const Held& variable = held_[of.parts.front().number];
  if (variable.space || variable.pointer == kNone) {
    refuse(fmt::format("'{}' is no parameter that this may name", of.parts.front().name));
  }
  return builder_.offset(variable.pointer, static_cast<std::int64_t>(of.bits));
}

void Emitter::load_parameter() {
  if (context_ == nullptr) refuse("parameters are those of functions of modules");
  const DataType typed = type();
  const Type of = typed.type;
  const bool is_signed = typed.is_signed;
  const Operand& from = operand(1);
  const bool is_name = from.kind == Operand::Kind::address && from.parts.size() == 1 &&
                       from.parts.front().kind == Operand::Kind::variable;
  if (is_name && held_[from.parts.front().number].value != kNone) {
    const ValueId whole = held_[from.parts.front().number].value;
    if (from.bits != 0 || has("v2") || has("v4") || builder_.type(whole).bits != of.bits) {
      refuse("a part of a parameter");
    }
    return give_extended(operand(0), cast(whole, of), is_signed);
  }
  const bool by_address = from.kind == Operand::Kind::address && from.parts.size() == 1 &&
                          from.parts.front().kind == Operand::Kind::reg;
  const ValueId at = by_address ? module_address(from, Addresses::local) : parameter_place(from);
  const auto bytes = static_cast<std::int64_t>(of.bytes());
  each_part(operand(0), [&](std::size_t part, const Operand& to) {
    const ValueId place = builder_.offset(at, static_cast<std::int64_t>(part) * bytes);
    give_extended(to, builder_.load(place, of, false), is_signed);
  });
}

void Emitter::store_parameter() {
  if (context_ == nullptr) refuse("parameters are those of functions of modules");
  const ValueId at = parameter_place(operand(0));
  each_part(operand(1), [&](std::size_t part, const Operand& from) { store_part(at, part, from); });
}

// call (result), name, (arguments): what is called stands in its place.
void Emitter::call() {
  if (context_ == nullptr) refuse("a call in inline assembly");
  carry_.reset();  // which functions need not keep
  std::size_t next = operand(0).kind == Operand::Kind::list ? 1 : 0;
  const std::size_t results = next == 1 ? operand(0).parts.size() : 0;
  if (next >= operands() || operand(next).kind != Operand::Kind::name) {
    refuse("a call of what is no function that is named");
  }
  const std::string& name = operand(next++).name;
  const bool has_list = next < operands() && operand(next).kind == Operand::Kind::list;
  const std::size_t given = has_list ? operand(next++).parts.size() : 0;
  if (next < operands()) refuse("a call with a prototype");
  if (call_known(name)) return;
  const FunctionText* callee = context_->function(name);
  if (callee == nullptr || callee->is_entry) {
    refuse(fmt::format("'{}' is no function of this file", name));
  }
  if (results != callee->results || given != callee->parameters) {
    refuse(fmt::format("'{}' with {} result{} and {} argument{}; expected {} and {}", name, results,
                       results == 1 ? "" : "s", given, given == 1 ? "" : "s", callee->results,
                       callee->parameters));
  }
  std::vector<Held> passed;
  const auto pass = [&](const std::vector<Operand>& parts) {
    for (const Operand& one : parts) {
      const Variable& wanted = callee->body.variables[passed.size()];
      if (one.kind != Operand::Kind::variable || held_[one.number].space ||
          held_[one.number].pointer == kNone ||
          text_.variables[one.number].bytes() != wanted.bytes()) {
        refuse(fmt::format("an argument of '{}'; expected a variable of .param of {} bytes", name,
                           wanted.bytes()));
      }
      passed.push_back(held_[one.number]);
    }
  };
  if (results > 0) pass(operand(0).parts);
  if (given > 0) pass(operand(operands() - 1).parts);
  if (!context_->active().insert(callee).second) {
    refuse(fmt::format("recursion: the function '{}' calls itself", name));
  }
  const BlockId before = builder_.here();
  const BlockId behind = builder_.block("behind");
  const Place place = builder_.place();
  const bool reached = before != unreached_;
  Emitter inner(module_, builder_, callee->body, *context_, std::move(passed));
  inner.run_function(behind);
  context_->active().erase(callee);
  builder_.at(place);
  builder_.at(behind);
  if (reached) registers_.edge(before, behind);
}

// Of the address of the memory that a cooperative launch comes with, by which grids meet: two
// words, zeros at first.
ValueId Emitter::workspace_half(bool high) {
  add_premise(builder_.function(), kCooperative);
  const ValueId at = builder_.address(context_->workspace());
  const ValueId whole = marked(Op::pointer_to_int, at, Addresses::global);
  const ValueId half = builder_.resize(
      high ? builder_.binary(Op::lshr, whole, builder_.integer(64, 32)) : whole, 32, false);
  halves_[half] = {whole, high};
  return half;
}

// Both halves together: the address that they are of.
std::optional<ValueId> Emitter::joined_halves(ValueId low, ValueId high) const {
  const auto a = halves_.find(low), b = halves_.find(high);
  if (a == halves_.end() || b == halves_.end() || a->second.high || !b->second.high) return {};
  return a->second.whole;
}

// Functions of the CUDA runtime that a compiler calls by itself.
bool Emitter::call_known(const std::string& name) {
  if (context_->function(name) != nullptr) return false;
  if (name == "vprintf") {  // how much was printed is not known
    const Operand& result = operand(0);
    if (result.kind != Operand::Kind::list || result.parts.size() != 1 ||
        result.parts[0].kind != Operand::Kind::variable ||
        held_[result.parts[0].number].pointer == kNone) {
      refuse("expected a variable of .param for the result of 'vprintf'");
    }
    builder_.store(held_[result.parts[0].number].pointer, unknown(Type::integer(32)));
    return true;
  }
  if (name != "__assertfail") return false;
  require(builder_.integer(1, 0), "assert");
  return true;
}

void Emitter::ret() {
  if (context_ == nullptr) refuse("a return from inline assembly");
  if (returns_ == kNone) return exit();
  builder_.jump(returns_);
  go_on_unreached();
}

}  // namespace headway::kernel::ptx
