// Integers of kernel IR as terms, which compute with numbers of 64 bits: an integer stands there
// with its sign, whatever its kernel takes it for, and one bit as 0 or 1. Terms of what is known
// are constants.
#pragma once

#include <cstdint>
#include <optional>

#include "consistency/program.hpp"
#include "kernel/ir/instruction.hpp"

namespace headway::kernel::litmus {

using consistency::Number;
using consistency::Term;

// How the lowest bits of a word stand in a term; 1 to 64 of them.
Number number_of(std::uint64_t word, int bits);

// Of two terms; constants are computed. What has no result, as division by 0, is to be told before.
Term made(Term::Kind kind, Term a, Term b);

// Arithmetic, division, shifts and comparisons of two integers of so many bits. Nothing for what
// terms cannot say: some operations on unsigned numbers of 64 bits, the order of single bits.
std::optional<Term> integer_term(Op op, int bits, const Term& a, const Term& b);

// Where such an operation goes wrong: division by 0, INT_MIN / -1, shifts by `bits` or more.
// Nothing: nowhere.
std::optional<Term> fault_term(Op op, int bits, const Term& a, const Term& b);

// trunc, zext and sext.
Term resized(Op op, int from, int to, const Term& a);

// Functions of integers: smin, smax, umin, umax, abs. Nothing for others.
std::optional<Term> function_term(Math math, int bits, const Term& a, const Term& b);

}  // namespace headway::kernel::litmus
