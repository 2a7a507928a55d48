// What operations on integers give as terms of solvers, for all engines alike; arithmetic.hpp gives
// the same as numbers. Operands are of one width, of at least one bit.
#pragma once

#include "kernel/ir/operations.hpp"
#include "smt/term.hpp"

namespace headway::kernel {

smt::Term compared(smt::Context& context, ComparisonOp op, smt::Term a, smt::Term b);

// Says nothing where the operation is not defined.
smt::Term integer_result(smt::Context& context, IntegerOp op, smt::Term a, smt::Term b);

// Whether the operation is defined: a divisor is not zero, the least number is not divided by -1,
// and a value is shifted by less than its width.
smt::Term is_defined(smt::Context& context, IntegerOp op, smt::Term a, smt::Term b);

}  // namespace headway::kernel
