// What the operations on integers, reals and comparisons of kernel IR give for known operands: the
// one place where they are computed. Integers are zero-extended from their width, reals are their
// representation (IEEE 754; halves are computed as floats and rounded).
#pragma once

#include <cstdint>
#include <optional>

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

constexpr std::uint64_t low_bits(std::uint64_t value, int bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}
constexpr std::int64_t sign_extended(std::uint64_t value, int bits) {
  return bits >= 64 ? static_cast<std::int64_t>(value)
                    : static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

double to_double(std::uint64_t representation, int bits);
std::uint64_t from_double(double value, int bits);

// Of two integers, comparisons among them; `bits` is the width of the operands.
// Nothing where the operation is an error: division by zero, INT_MIN / -1, shifts by `bits` or
// more.
std::optional<std::uint64_t> integer_result(Op op, int bits, std::uint64_t a, std::uint64_t b);

// Of the class `real`; fneg does not look at b.
std::uint64_t real_result(Op op, int bits, std::uint64_t a, std::uint64_t b);
bool real_comparison(Compare compare, int bits, std::uint64_t a, std::uint64_t b);

// Of all conversions; a pointer is null plus a number. Nothing where a real does not fit the
// integer. `saturates`: as Instruction says.
std::optional<std::uint64_t> converted(Op op, Type from, Type to, std::uint64_t a,
                                       bool saturates = false);

// As std::fmin and std::fmax, which leave open whether -0 is smaller than 0; on NVIDIA devices it
// is (PTX ISA, min and max).
double smaller(double x, double y);
double larger(double x, double y);

// The new value of an atomic update. `bits` of the memory; of fadd to fmax those of a real.
std::uint64_t updated(Update update, int bits, std::uint64_t old, std::uint64_t operand);

// Who computes functions of reals. A device may be off by a few units in the last place where it
// is not said to round correctly (CUDA C++ Programming Guide, "Mathematical Functions"; OpenCL C
// 3.0, 7.4), so that there alone is known what texts say of zeros, infinities, NaN and of
// arguments that a function is not defined for. A host's C library gives what this machine's does.
enum class ComputedBy : std::uint8_t { device, host };
// Whether the result is rounded correctly everywhere.
bool is_exact(Math math);

// Of a function whose operands are known; nothing for Math::opaque, and where a device may give
// one result or another. `type` is that of the operands.
std::optional<std::uint64_t> math_result(Math math, Type type, Type result, std::uint64_t a,
                                         std::uint64_t b, std::uint64_t c, ComputedBy by);

}  // namespace headway::kernel
