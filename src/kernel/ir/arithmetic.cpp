#include "kernel/ir/arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cfenv>
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
      return from_double(std::fmin(to_double(old, bits), to_double(operand, bits)), bits);
    case Update::fmax:
      return from_double(std::fmax(to_double(old, bits), to_double(operand, bits)), bits);
  }
  return old;
}

namespace {

std::optional<double> real_function(Math math, double x, double y, double z) {
  switch (math) {
    case Math::sqrt:
      return std::sqrt(x);
    case Math::rsqrt:
      return 1.0 / std::sqrt(x);
    case Math::cbrt:
      return std::cbrt(x);
    case Math::exp:
      return std::exp(x);
    case Math::exp2:
      return std::exp2(x);
    case Math::exp10:
      return std::pow(10.0, x);
    case Math::expm1:
      return std::expm1(x);
    case Math::log:
      return std::log(x);
    case Math::log2:
      return std::log2(x);
    case Math::log10:
      return std::log10(x);
    case Math::log1p:
      return std::log1p(x);
    case Math::sin:
      return std::sin(x);
    case Math::cos:
      return std::cos(x);
    case Math::tan:
      return std::tan(x);
    case Math::asin:
      return std::asin(x);
    case Math::acos:
      return std::acos(x);
    case Math::atan:
      return std::atan(x);
    case Math::sinh:
      return std::sinh(x);
    case Math::cosh:
      return std::cosh(x);
    case Math::tanh:
      return std::tanh(x);
    case Math::asinh:
      return std::asinh(x);
    case Math::acosh:
      return std::acosh(x);
    case Math::atanh:
      return std::atanh(x);
    case Math::erf:
      return std::erf(x);
    case Math::erfc:
      return std::erfc(x);
    case Math::tgamma:
      return std::tgamma(x);
    case Math::fabs:
      return std::fabs(x);
    case Math::floor:
      return std::floor(x);
    case Math::ceil:
      return std::ceil(x);
    case Math::trunc:
      return std::trunc(x);
    case Math::round:
      return std::round(x);
    case Math::rint:
      return std::nearbyint(x);
    case Math::pow:
      return std::pow(x, y);
    case Math::atan2:
      return std::atan2(x, y);
    case Math::fmod:
      return std::fmod(x, y);
    case Math::remainder:
      return std::remainder(x, y);
    case Math::hypot:
      return std::hypot(x, y);
    case Math::fmin:
      return std::fmin(x, y);
    case Math::fmax:
      return std::fmax(x, y);
    case Math::fdim:
      return std::fdim(x, y);
    case Math::copysign:
      return std::copysign(x, y);
    case Math::fma:
      return std::fma(x, y, z);
    default:
      return std::nullopt;
  }
}

// Rounds in a direction as long as it lives. What is computed in between has to be volatile, so
// that a compiler leaves it there.
class RoundingMode {
 public:
  explicit RoundingMode(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~RoundingMode() { std::fesetround(before_); }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;

 private:
  int before_;
};

template <class T>
T rounded(Math math, T a, T b, T c) {
  constexpr int modes[] = {FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  const int which = static_cast<int>(math) - static_cast<int>(Math::add_rz);
  volatile T x = a, y = b, z = c;
  volatile T result = 0;
  const RoundingMode mode(modes[which % 3]);
  switch (which / 3) {
    case 0:
      result = x + y;
      break;
    case 1:
      result = x - y;
      break;
    case 2:
      result = x * y;
      break;
    case 3:
      result = x / y;
      break;
    case 4:
      result = std::sqrt(x);
      break;
    default:
      result = std::fma(x, y, z);
      break;
  }
  return result;
}

std::uint64_t reversed(std::uint64_t value, int bits, int unit) {
  std::uint64_t result = 0;
  const std::uint64_t mask = (std::uint64_t{1} << unit) - 1;
  for (int i = 0; i < bits; i += unit) result = result << unit | (value >> i & mask);
  return result;
}

std::uint64_t saturated(Math math, int bits, std::uint64_t a, std::uint64_t b) {
  // Exact in 128 bits, then brought into range.
  __extension__ using Wide = __int128;
  const bool is_signed = math == Math::sadd_sat || math == Math::ssub_sat;
  const Wide x = is_signed ? Wide{sign_extended(a, bits)} : Wide{a};
  const Wide y = is_signed ? Wide{sign_extended(b, bits)} : Wide{b};
  const Wide exact = math == Math::sadd_sat || math == Math::uadd_sat ? x + y : x - y;
  const Wide one = 1;
  const Wide least = is_signed ? -(one << (bits - 1)) : Wide{0};
  const Wide most = is_signed ? (one << (bits - 1)) - 1 : (one << bits) - 1;
  return low_bits(static_cast<std::uint64_t>(std::clamp(exact, least, most)), bits);
}

std::uint64_t integer_function(Math math, int bits, std::uint64_t a, std::uint64_t b,
                               std::uint64_t c) {
  __extension__ using Wide = __int128;
  __extension__ using UnsignedWide = unsigned __int128;
  const std::int64_t sa = sign_extended(a, bits);
  const std::int64_t sb = sign_extended(b, bits);
  switch (math) {
    case Math::popcount:
      return static_cast<std::uint64_t>(std::popcount(a));
    case Math::leading_zeros:
      return static_cast<std::uint64_t>(std::countl_zero(a) - (64 - bits));
    case Math::trailing_zeros:
      return static_cast<std::uint64_t>(a == 0 ? bits : std::countr_zero(a));
    case Math::reverse_bits:
      return reversed(a, bits, 1);
    case Math::swap_bytes:
      return reversed(a, bits, 8);
    case Math::smin:
      return sa < sb ? a : b;
    case Math::smax:
      return sa > sb ? a : b;
    case Math::umin:
      return std::min(a, b);
    case Math::umax:
      return std::max(a, b);
    case Math::abs:
      return sa < 0 ? low_bits(std::uint64_t{0} - a, bits) : a;
    case Math::mul_high_s:
      return low_bits(static_cast<std::uint64_t>((Wide{sa} * sb) >> bits), bits);
    case Math::mul_high_u:
      return low_bits(static_cast<std::uint64_t>((UnsignedWide{a} * b) >> bits), bits);
    case Math::funnel_left: {
      const auto by = static_cast<int>(c % static_cast<unsigned>(bits));
      return by == 0 ? a : low_bits(a << by | b >> (bits - by), bits);
    }
    case Math::funnel_right: {
      const auto by = static_cast<int>(c % static_cast<unsigned>(bits));
      return by == 0 ? b : low_bits(a << (bits - by) | b >> by, bits);
    }
    default:  // functions of reals are none of integers
      assert(math == Math::sadd_sat || math == Math::uadd_sat || math == Math::ssub_sat ||
             math == Math::usub_sat);
      return saturated(math, bits, a, b);
  }
}

}  // namespace

std::optional<std::uint64_t> math_result(Math math, Type type, Type result, std::uint64_t a,
                                         std::uint64_t b, std::uint64_t c) {
  if (math == Math::opaque) return std::nullopt;
  if (type.is_integer()) return integer_function(math, type.bits, a, b, c);
  const double x = to_double(a, type.bits);
  if (math >= Math::add_rz && math <= Math::fma_rd) {
    const double y = to_double(b, type.bits), z = to_double(c, type.bits);
    if (type.bits == 64) return from_double(rounded(math, x, y, z), 64);
    if (type.bits != 32) return std::nullopt;
    return from_double(
        rounded(math, static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)), 32);
  }
  switch (math) {
    case Math::is_nan:
      return std::isnan(x);
    case Math::is_inf:
      return std::isinf(x);
    case Math::is_finite:
      return std::isfinite(x);
    case Math::sign_bit:
      return std::signbit(x);
    case Math::ldexp:
      return from_double(std::ldexp(x, static_cast<int>(sign_extended(b, 32))), type.bits);
    case Math::fma:
      if (type.bits == 32) {
        return from_double(std::fma(static_cast<float>(x), static_cast<float>(to_double(b, 32)),
                                    static_cast<float>(to_double(c, 32))),
                           32);
      }
      [[fallthrough]];
    default:
      break;
  }
  const auto value = real_function(math, x, to_double(b, type.bits), to_double(c, type.bits));
  if (!value) return std::nullopt;
  return from_double(*value, result.bits);
}

}  // namespace headway::kernel
