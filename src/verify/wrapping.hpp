// Which results of integer arithmetic wrap around, of numbers with sign and without. Kernel IR does
// not say which of both a number is, so it is told by what is done with it: numbers that are added
// or compared with each other are of one kind; and comparisons, divisions, shifts to the right and
// conversions to more bits say of which. Where nothing is said, or both, it is open.
// Cost: linear in the function; a few terms for each operation.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/ir/ir.hpp"
#include "smt/term.hpp"

namespace headway::verify {

struct Signs {
  enum class Kind : std::uint8_t { none, with, without, open };
  std::vector<std::uint32_t> group;  // by value: numbers of one kind
  std::vector<Kind> of;              // by group; none: no use says anything, so it is open, too
  Kind kind(kernel::ValueId value) const { return of[group[value]]; }
};
Signs signs_of(const kernel::Function& function);

// Additions, subtractions, products, shifts to the left, and conversions to fewer bits, of which
// `b` is not looked at.
bool may_wrap(kernel::Op op);

// Of operands of `bits` bits and a result of `width` bits. Shifts by too much do not wrap.
bool wraps(kernel::Op op, bool with_sign, int bits, int width, std::uint64_t a, std::uint64_t b);

// Whether it does, of whichever kind the result may be.
bool may_have_wrapped(const Signs& signs, const kernel::Instruction& i, int bits, std::uint64_t a,
                      std::uint64_t b);

// That it does not, as a condition on terms; true where ranges say so.
smt::Term fits(smt::Context& context, kernel::Op op, bool with_sign, int width, smt::Term a,
               smt::Term b);

}  // namespace headway::verify
