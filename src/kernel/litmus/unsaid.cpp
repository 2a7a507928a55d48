#include "kernel/litmus/unsaid.hpp"

#include "kernel/litmus/integers.hpp"

namespace headway::kernel::litmus {
namespace {

// Why what an instruction gives cannot be said, whatever its operands are; empty: it may be.
std::string_view unsaid(const Function& function, const Instruction& i) {
  if (const std::string_view refused = refused_text(i.op); !refused.empty()) return refused;
  if (class_of(i.op) == OpClass::reinterpretation) {
    const bool is_number = i.op == Op::bitcast && !i.type.is_pointer() &&
                           !function.values[i.operands[0]].type.is_pointer();
    return is_number ? "" : "an address that is a number";
  }
  if (class_of(i.op) != OpClass::value) return {};
  switch (as_value(i.op)) {
    case ValueOp::select:
    case ValueOp::phi:
    case ValueOp::offset:
      return {};
    case ValueOp::builtin:
      return i.builtin == Builtin::active_mask ? "the mask of active threads" : "";
    case ValueOp::math:
      return function_term(i.math, 32, Term::constant(0), Term::constant(0))
                 ? ""
                 : "a function of numbers";
    case ValueOp::unknown:
      break;
  }
  return "a value that may be any";
}

}  // namespace

std::string_view refused_text(Op op) {
  switch (class_of(op)) {
    case OpClass::real:
    case OpClass::real_comparison:
    case OpClass::real_conversion:
      return "a real number";
    case OpClass::meeting:
      return "an operation of a subgroup";
    case OpClass::call:
      return "a function that is not here";
    case OpClass::annotation:
      return "an annotation";
    case OpClass::asynchronous:
      return "an asynchronous copy";
    case OpClass::bulk:
      return "a copy of memory";
    case OpClass::arithmetic:
    case OpClass::division:
    case OpClass::shift:
    case OpClass::equality:
    case OpClass::unsigned_order:
    case OpClass::signed_order:
    case OpClass::resizing:
    case OpClass::reinterpretation:
    case OpClass::value:
    case OpClass::plain:
    case OpClass::atomic:
    case OpClass::lifetime:
    case OpClass::fence:
    case OpClass::claim:
    case OpClass::end:
      break;
  }
  return {};
}

std::vector<Unsaid> find_unsaid(const Function& function) {
  std::vector<Unsaid> result(function.values.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.code) {
        if (i.result == kNone || !result[i.result].why.empty()) continue;
        Unsaid found{std::string(unsaid(function, i)), i.place};
        // Memory and conditions of phis say for themselves what they hang on.
        for (std::size_t n = 0; is_value(i.op) && found.why.empty() && n < i.operands.size(); ++n) {
          found = result[i.operands[n]];
        }
        if (found.why.empty()) continue;
        result[i.result] = std::move(found);
        changed = true;
      }
    }
  }
  return result;
}

}  // namespace headway::kernel::litmus
