#include "kernel/ir/arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace headway::kernel {
namespace {

// IEEE 754 halves.
double half_to_double(std::uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10) & 31;
  const double fraction = static_cast<double>(bits & 1023);
  const double sign = (bits >> 15) != 0 ? -1.0 : 1.0;
  if (exponent == 31) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  return exponent == 0 ? sign * std::ldexp(fraction, -24)
                       : sign * std::ldexp(1024 + fraction, exponent - 25);
}

std::uint64_t double_to_half(double value) {
  const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return sign | 0x7e00;
  const double size = std::fabs(value);
  if (size >= 65520) return sign | 0x7c00;
  if (size < std::ldexp(1.0, -14)) {  // subnormal; rounds to even as nearbyint does
    return sign | static_cast<std::uint64_t>(std::nearbyint(std::ldexp(size, 24)));
  }
  int exponent = 0;
  const double fraction = std::frexp(size, &exponent);  // in [0.5, 1)
  const auto rounded = static_cast<std::uint64_t>(std::nearbyint(std::ldexp(fraction, 11)));
  // A carry out of the fraction goes into the exponent, as it should.
  return sign | ((static_cast<std::uint64_t>(exponent + 13) << 10) + rounded);
}

}  // namespace

double to_double(std::uint64_t representation, int bits) {
  if (bits == 64) return std::bit_cast<double>(representation);
  if (bits == 32) return std::bit_cast<float>(static_cast<std::uint32_t>(representation));
  return half_to_double(representation);
}

std::uint64_t from_double(double value, int bits) {
  if (bits == 64) return std::bit_cast<std::uint64_t>(value);
  if (bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return double_to_half(value);
}

namespace {

bool compared(ComparisonOp op, int bits, std::uint64_t a, std::uint64_t b) {
  const std::int64_t sa = sign_extended(a, bits);
  const std::int64_t sb = sign_extended(b, bits);
  switch (op) {
    case ComparisonOp::eq:
      return a == b;
    case ComparisonOp::ne:
      return a != b;
    case ComparisonOp::ult:
      return a < b;
    case ComparisonOp::ule:
      return a <= b;
    case ComparisonOp::ugt:
      return a > b;
    case ComparisonOp::uge:
      return a >= b;
    case ComparisonOp::slt:
      return sa < sb;
    case ComparisonOp::sle:
      return sa <= sb;
    case ComparisonOp::sgt:
      return sa > sb;
    case ComparisonOp::sge:
      return sa >= sb;
  }
  std::abort();  // there are no others
}

}  // namespace

std::optional<std::uint64_t> integer_result(Op op, int bits, std::uint64_t a, std::uint64_t b) {
  if (is_comparison(op)) return compared(as_comparison(op), bits, a, b);
  const std::int64_t sa = sign_extended(a, bits);
  const std::int64_t sb = sign_extended(b, bits);
  const auto low = [&](std::uint64_t value) { return low_bits(value, bits); };
  const bool overflows = sb == -1 && a == low(std::uint64_t{1} << (bits - 1));
  switch (as_integer(op)) {
    case IntegerOp::add:
      return low(a + b);
    case IntegerOp::sub:
      return low(a - b);
    case IntegerOp::mul:
      return low(a * b);
    case IntegerOp::udiv:
      return b == 0 ? std::nullopt : std::optional(a / b);
    case IntegerOp::urem:
      return b == 0 ? std::nullopt : std::optional(a % b);
    case IntegerOp::sdiv:
      if (b == 0 || overflows) return std::nullopt;
      return low(static_cast<std::uint64_t>(sa / sb));
    case IntegerOp::srem:
      if (b == 0 || overflows) return std::nullopt;
      return low(static_cast<std::uint64_t>(sa % sb));
    case IntegerOp::shl:
      return b >= static_cast<unsigned>(bits) ? std::nullopt : std::optional(low(a << b));
    case IntegerOp::lshr:
      return b >= static_cast<unsigned>(bits) ? std::nullopt : std::optional(a >> b);
    case IntegerOp::ashr:
      if (b >= static_cast<unsigned>(bits)) return std::nullopt;
      return low(static_cast<std::uint64_t>(sa >> b));
    case IntegerOp::bit_and:
      return a & b;
    case IntegerOp::bit_or:
      return a | b;
    case IntegerOp::bit_xor:
      return a ^ b;
  }
  std::abort();  // there are no others
}

std::uint64_t real_result(Op op, int bits, std::uint64_t a, std::uint64_t b) {
  const double x = to_double(a, bits);
  const double y = to_double(b, bits);
  // Rounding a double's result of two floats once more gives the float's result.
  switch (as_real(op)) {
    case RealOp::fadd:
      return from_double(x + y, bits);
    case RealOp::fsub:
      return from_double(x - y, bits);
    case RealOp::fmul:
      return from_double(x * y, bits);
    case RealOp::fdiv:
      return from_double(x / y, bits);
    case RealOp::frem:
      return from_double(std::fmod(x, y), bits);
    case RealOp::fneg:
      return a ^ (std::uint64_t{1} << (bits - 1));
  }
  std::abort();  // there are no others
}

bool real_comparison(Compare compare, int bits, std::uint64_t a, std::uint64_t b) {
  const double x = to_double(a, bits);
  const double y = to_double(b, bits);
  const bool unordered = std::isnan(x) || std::isnan(y);
  switch (compare) {
    case Compare::never:
      return false;
    case Compare::oeq:
      return x == y;
    case Compare::ogt:
      return x > y;
    case Compare::oge:
      return x >= y;
    case Compare::olt:
      return x < y;
    case Compare::ole:
      return x <= y;
    case Compare::one:
      return !unordered && x != y;
    case Compare::ordered:
      return !unordered;
    case Compare::unordered:
      return unordered;
    case Compare::ueq:
      return unordered || x == y;
    case Compare::ugt:
      return unordered || x > y;
    case Compare::uge:
      return unordered || x >= y;
    case Compare::ult:
      return unordered || x < y;
    case Compare::ule:
      return unordered || x <= y;
    case Compare::une:
      return unordered || x != y;
    case Compare::always:
      return true;
  }
  return false;
}

std::optional<std::uint64_t> converted(Op op, Type from, Type to, std::uint64_t a, bool saturates) {
  // The nearest number there is; of what is no number 0, or the highest bit alone where either side
  // has 64 bits (PTX ISA, "cvt").
  const auto nearest = [&](std::uint64_t least,
                           std::uint64_t most) -> std::optional<std::uint64_t> {
    const double value = to_double(a, from.bits);
    if (!saturates) return std::nullopt;
    if (!std::isnan(value)) return value < 0 ? least : most;
    return from.bits == 64 || to.bits == 64 ? std::uint64_t{1} << (to.bits - 1) : 0;
  };
  const std::uint64_t all = low_bits(~std::uint64_t{0}, to.bits);
  switch (as_conversion(op)) {
    case ConversionOp::trunc:
      return low_bits(a, to.bits);
    case ConversionOp::zext:
    case ConversionOp::bitcast:
      return a;
    case ConversionOp::sext:
      return low_bits(static_cast<std::uint64_t>(sign_extended(a, from.bits)), to.bits);
    case ConversionOp::ftrunc:
    case ConversionOp::fext:
      return from_double(to_double(a, from.bits), to.bits);
    case ConversionOp::real_to_uint: {
      const double value = std::trunc(to_double(a, from.bits));
      if (!(value > -1.0 && value < std::ldexp(1.0, to.bits))) return nearest(0, all);
      return static_cast<std::uint64_t>(value);
    }
    case ConversionOp::real_to_sint: {
      const double value = std::trunc(to_double(a, from.bits));
      const double limit = std::ldexp(1.0, to.bits - 1);
      if (!(value >= -limit && value < limit)) return nearest(all - all / 2, all / 2);
      return low_bits(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), to.bits);
    }
    case ConversionOp::uint_to_real:
      // Through float where the result is one, as rounding twice may differ.
      if (to.bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(a));
      return from_double(static_cast<double>(a), to.bits);
    case ConversionOp::sint_to_real: {
      const std::int64_t value = sign_extended(a, from.bits);
      if (to.bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
      return from_double(static_cast<double>(value), to.bits);
    }
    case ConversionOp::pointer_to_int:
    case ConversionOp::int_to_pointer:  // null plus a number
      return low_bits(a, to.bits);
  }
  std::abort();  // there are no others
}

// Of what is no number and one that is, the number; also where that signals, unlike the C
// library's fmin().
double smaller(double x, double y) {
  if (std::isnan(x)) return y;
  if (std::isnan(y)) return x;
  if (x == 0 && y == 0) return std::signbit(x) ? x : y;
  return std::fmin(x, y);
}
double larger(double x, double y) {
  if (std::isnan(x)) return y;
  if (std::isnan(y)) return x;
  if (x == 0 && y == 0) return std::signbit(x) ? y : x;
  return std::fmax(x, y);
}

std::uint64_t updated(Update update, int bits, std::uint64_t old, std::uint64_t operand) {
  const std::int64_t signed_old = sign_extended(old, bits);
  const std::int64_t signed_operand = sign_extended(operand, bits);
  switch (update) {
    case Update::exchange:
      return operand;
    case Update::add:
      return low_bits(old + operand, bits);
    case Update::sub:
      return low_bits(old - operand, bits);
    case Update::bit_and:
      return old & operand;
    case Update::bit_or:
      return old | operand;
    case Update::bit_xor:
      return old ^ operand;
    case Update::bit_nand:
      return low_bits(~(old & operand), bits);
    case Update::smin:
      return signed_old < signed_operand ? old : operand;
    case Update::smax:
      return signed_old > signed_operand ? old : operand;
    case Update::umin:
      return std::min(old, operand);
    case Update::umax:
      return std::max(old, operand);
    case Update::wrap_inc:
      return old >= operand ? 0 : old + 1;
    case Update::wrap_dec:
      return old == 0 || old > operand ? operand : old - 1;
    case Update::mul:
      return low_bits(old * operand, bits);
    case Update::fmul:
      return real_result(Op::fmul, bits, old, operand);
    case Update::fadd:
      return real_result(Op::fadd, bits, old, operand);
    case Update::fsub:
      return real_result(Op::fsub, bits, old, operand);
    case Update::fmin:
      return from_double(smaller(to_double(old, bits), to_double(operand, bits)), bits);
    case Update::fmax:
      return from_double(larger(to_double(old, bits), to_double(operand, bits)), bits);
  }
  return old;
}

}  // namespace headway::kernel
