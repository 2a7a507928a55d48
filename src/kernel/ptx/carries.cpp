// Sums and differences of more words than one, with the carry in between (PTX ISA, "Extended
// Precision Arithmetic Instructions"). The carry is that of the instruction before, in the same
// block: elsewhere it is refused.
#include "kernel/ptx/emitter.hpp"

namespace headway::kernel::ptx {

// A sum, or a difference, whose carry is what is borrowed. `takes`: with the carry from before.
ValueId Emitter::with_carry(Op op, ValueId a, ValueId b, bool takes) {
  const Type of = builder_.type(a);
  const bool adds = op == Op::add;
  ValueId result = builder_.binary(op, a, b);
  ValueId over = adds ? builder_.binary(Op::ult, result, a) : builder_.binary(Op::ult, a, b);
  if (takes) {
    if (!carry_) {
      refuse("a carry that no instruction before it sets, without a label or a jump between them");
    }
    const ValueId before = builder_.resize(*carry_, of.bits, false);
    const ValueId all = builder_.binary(op, result, before);
    const ValueId again =
        adds ? builder_.binary(Op::ult, all, before) : builder_.binary(Op::ult, result, before);
    over = builder_.binary(Op::bit_or, over, again);
    result = all;
  }
  if (has("cc")) carry_ = over;
  return result;
}

// add.cc, addc, sub.cc, subc.
void Emitter::carry() {
  const Type of = type().type;
  const bool takes = row_->opcode == "addc" || row_->opcode == "subc";
  const ValueId a = value(1, of);
  give(operand(0), with_carry(row_->op, a, value(2, of), takes));
}

// mad.lo.cc, mad.hi.cc, madc: half of a product, and what is added to it.
void Emitter::carry_product() {
  const ValueId part = product();
  give(operand(0), with_carry(Op::add, part, value(3, type().type), row_->opcode == "madc"));
}

}  // namespace headway::kernel::ptx
