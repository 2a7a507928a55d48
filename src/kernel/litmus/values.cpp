#include "kernel/litmus/values.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace headway::kernel::litmus {

Values::Values(const ThreadContext& context, int thread)
    : context_(context),
      launch_(context.launch),
      function_(*context.launch.function),
      thread_(thread),
      held_(function_.values.size()) {}

void Values::refuse(const std::string& what) { throw Error(what + " is not read with --memory"); }

int Values::new_register(const std::string& name) {
  const auto number = static_cast<int>(result_.registers.size());
  result_.registers.push_back(name.empty() ? fmt::format("${}", number) : name);
  result_.initial.push_back(0);
  return number;
}

int Values::register_for(ValueId id) { return new_register(function_.values[id].name); }

void Values::make_phis() {
  for (const Block& block : function_.blocks) {
    for (const Instruction& i : block.code) {
      if (i.op != Op::phi || !context_.unsaid[i.result].why.empty()) continue;
      Held& held = held_[i.result];
      held.kind = i.type.is_pointer() ? Held::Kind::pointer : Held::Kind::number;
      held.term = Term::of_register(register_for(i.result));
      held.object = kUnset;
    }
  }
}

Held Values::held(ValueId id) const {
  const Value& value = function_.values[id];
  const Unsaid& why = context_.unsaid[id];
  if (!why.why.empty()) {
    throw Error({"", why.place.line, 0}, why.why + " is not read with --memory");
  }
  switch (value.kind) {
    case Value::Kind::constant:
      if (value.type.is_pointer()) {
        return {Held::Kind::pointer, Term::constant(static_cast<Number>(value.bits)), kNone};
      }
      return {Held::Kind::number, Term::constant(number_of(value.bits, value.type.bits)), kNone};
    case Value::Kind::address:
      return {Held::Kind::pointer, Term::constant(static_cast<Number>(value.bits)),
              launch_.instance(value.object, thread_)};
    case Value::Kind::argument:
      return argument(value);
    case Value::Kind::undefined:
      refuse("a value that nobody has set");
    case Value::Kind::instruction:
      break;
  }
  if (held_[id].kind == Held::Kind::nothing) refuse("a jump into a loop");
  return held_[id];
}

Held Values::argument(const Value& value) const {
  const auto parameter = static_cast<std::uint32_t>(value.bits);
  const Cell cell = launch_.argument(parameter, thread_);
  switch (cell.kind) {
    case Cell::Kind::bits:
      if (value.type.is_pointer()) break;
      return {Held::Kind::number, Term::constant(number_of(cell.bits, value.type.bits)), kNone};
    case Cell::Kind::pointer:
      return {Held::Kind::pointer, Term::constant(static_cast<Number>(cell.bits)), cell.object};
    case Cell::Kind::undefined:
    case Cell::Kind::term:
    case Cell::Kind::moving:
      break;
  }
  const std::string& name = function_.parameters[parameter].name;
  throw Error(
      fmt::format("the argument '{}' is not known; give it one number (--arg {}=...)", name, name));
}

Term Values::number(ValueId id) const {
  const Held of = held(id);
  if (of.kind != Held::Kind::number) refuse("an address that is a number");
  return of.term;
}

Held Values::pointer(ValueId id) const {
  Held of = held(id);
  if (of.kind != Held::Kind::pointer) refuse("a number that is an address");
  if (of.object == kUnset) refuse("an address that comes from later in a loop");
  return of;
}

// What an instruction gives: a constant is known wherever it is used.
void Values::give(const Instruction& i, Term term) {
  held_[i.result] = {Held::Kind::number, kept(i.result, std::move(term)), kNone};
}

void Values::give(const Instruction& i, Instance object, Term bytes) {
  held_[i.result] = {Held::Kind::pointer, kept(i.result, std::move(bytes)), object};
}

Term Values::kept(ValueId id, Term term) {
  if (term.kind == Term::Kind::constant || term.kind == Term::Kind::of_register) return term;
  const int target = register_for(id);
  assign(target, std::move(term));
  return Term::of_register(target);
}

std::size_t Values::emit(Made made) {
  if (at_ != nullptr) {
    made.line = at_->place.line;
    made.text = context_.line_text(at_->place);
  }
  result_.code.push_back(std::move(made));
  return result_.code.size() - 1;
}

void Values::assign(int target, Term value) {
  Made made{Made::Kind::assign};
  made.target = target;
  made.value = std::move(value);
  emit(std::move(made));
}

void Values::fail_where(Term condition, std::string fault) {
  if (condition.kind == Term::Kind::constant && condition.number == 0) return;
  Made made{Made::Kind::error};
  made.value = std::move(condition);
  made.fault = std::move(fault);
  emit(std::move(made));
}

void Values::compute(const Instruction& i) {
  if (class_of(i.op) == OpClass::value) return compute_value(i);
  const Type type = function_.values[i.operands[0]].type;
  if (class_of(i.op) == OpClass::reinterpretation) return give(i, number(i.operands[0]));
  if (class_of(i.op) == OpClass::resizing) {
    return give(i, resized(i.op, type.bits, i.type.bits, number(i.operands[0])));
  }
  if (type.is_pointer() && class_of(i.op) == OpClass::equality) return compare_pointers(i);
  if (type.is_pointer()) refuse("an order of addresses");
  const int bits = type.bits;
  const Term a = number(i.operands[0]), b = number(i.operands[1]);
  if (std::optional<Term> fault = fault_term(i.op, bits, a, b)) {
    fail_where(std::move(*fault),
               is_division(i.op) ? "a division by zero" : "a shift by too many bits");
  }
  std::optional<Term> result = integer_term(i.op, bits, a, b);
  if (!result) refuse("an operation on unsigned numbers of 64 bits, or an order of single bits,");
  give(i, std::move(*result));
}

void Values::compare_pointers(const Instruction& i) {
  const Held a = pointer(i.operands[0]), b = pointer(i.operands[1]);
  const Term::Kind kind = i.op == Op::eq ? Term::Kind::equal : Term::Kind::differs;
  if (a.object != b.object) return give(i, Term::constant(i.op == Op::eq ? 0 : 1));
  give(i, made(kind, a.term, b.term));
}

void Values::compute_value(const Instruction& i) {
  switch (as_value(i.op)) {
    case ValueOp::select:
      return select(i);
    case ValueOp::offset: {
      const Held from = pointer(i.operands[0]);
      return give(i, from.object, made(Term::Kind::add, from.term, number(i.operands[1])));
    }
    case ValueOp::builtin:
      return give(i, Term::constant(builtin(i)));
    case ValueOp::math: {
      const Term a = number(i.operands[0]);
      const Term b = i.operands.size() > 1 ? number(i.operands[1]) : a;
      std::optional<Term> result = function_term(i.math, i.type.bits, a, b);
      if (!result) refuse("a function of single bits");
      return give(i, std::move(*result));
    }
    case ValueOp::phi:
    case ValueOp::unknown:
      return;
  }
}

void Values::select(const Instruction& i) {
  const Term condition = number(i.operands[0]);
  if (condition.kind == Term::Kind::constant) {
    held_[i.result] = held(i.operands[condition.number != 0 ? 1 : 2]);
    return;
  }
  const Held yes = held(i.operands[1]), no = held(i.operands[2]);
  Term chosen = {Term::Kind::conditional, 0, {condition, yes.term, no.term}};
  if (!i.type.is_pointer()) return give(i, std::move(chosen));
  if (yes.object != no.object) refuse("an address of one object or another");
  give(i, yes.object, std::move(chosen));
}

Number Values::builtin(const Instruction& i) const {
  const std::optional<std::uint64_t> value = launch_.builtin(i, thread_);
  if (!value) refuse("the mask of active threads");
  return static_cast<Number>(*value);
}

}  // namespace headway::kernel::litmus
