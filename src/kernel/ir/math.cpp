// Functions of reals and of integers that kernel IR has as Op::math.
#include <algorithm>
#include <bit>
#include <cassert>
#include <cfenv>
#include <cmath>
#include <cstdlib>

#include "kernel/ir/arithmetic.hpp"

namespace headway::kernel {
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
      return smaller(x, y);
    case Math::fmax:
      return larger(x, y);
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

// Whether texts say what f(x) or f(x, y) is: what is undefined, and results that are no roundings
// of zeros and infinities, and of ones where the function is there 0 or 1 by definition.
bool is_special(Math math, double x, double y, double result) {
  if (std::isnan(result)) return true;
  if (result != 0 && std::fabs(result) != 1 && !std::isinf(result)) return false;
  const auto is_end = [](double of) { return of == 0 || !std::isfinite(of); };
  switch (math) {
    case Math::pow:
      return is_end(x) || is_end(y) || x == 1;
    case Math::atan2:
    case Math::hypot:
      return is_end(x) || is_end(y);
    case Math::log:
    case Math::log2:
    case Math::log10:
    case Math::acos:
    case Math::acosh:
      return is_end(x) || x == 1;
    default:
      return is_end(x);
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

bool is_exact(Math math) {
  switch (math) {
    case Math::rsqrt:
    case Math::cbrt:
    case Math::exp:
    case Math::exp2:
    case Math::exp10:
    case Math::expm1:
    case Math::log:
    case Math::log2:
    case Math::log10:
    case Math::log1p:
    case Math::sin:
    case Math::cos:
    case Math::tan:
    case Math::asin:
    case Math::acos:
    case Math::atan:
    case Math::sinh:
    case Math::cosh:
    case Math::tanh:
    case Math::asinh:
    case Math::acosh:
    case Math::atanh:
    case Math::erf:
    case Math::erfc:
    case Math::tgamma:
    case Math::lgamma:
    case Math::pow:
    case Math::atan2:
    case Math::hypot:
    case Math::opaque:
      return false;
    case Math::sqrt:
    case Math::fabs:
    case Math::floor:
    case Math::ceil:
    case Math::trunc:
    case Math::round:
    case Math::rint:
    case Math::fmod:
    case Math::remainder:
    case Math::fmin:
    case Math::fmax:
    case Math::fdim:
    case Math::copysign:
    case Math::ldexp:
    case Math::fma:
    case Math::add_rz:
    case Math::add_ru:
    case Math::add_rd:
    case Math::sub_rz:
    case Math::sub_ru:
    case Math::sub_rd:
    case Math::mul_rz:
    case Math::mul_ru:
    case Math::mul_rd:
    case Math::div_rz:
    case Math::div_ru:
    case Math::div_rd:
    case Math::sqrt_rz:
    case Math::sqrt_ru:
    case Math::sqrt_rd:
    case Math::fma_rz:
    case Math::fma_ru:
    case Math::fma_rd:
    case Math::is_nan:
    case Math::is_inf:
    case Math::is_finite:
    case Math::sign_bit:
    case Math::popcount:
    case Math::leading_zeros:
    case Math::trailing_zeros:
    case Math::reverse_bits:
    case Math::swap_bytes:
    case Math::smin:
    case Math::smax:
    case Math::umin:
    case Math::umax:
    case Math::abs:
    case Math::mul_high_s:
    case Math::mul_high_u:
    case Math::funnel_left:
    case Math::funnel_right:
    case Math::sadd_sat:
    case Math::uadd_sat:
    case Math::ssub_sat:
    case Math::usub_sat:
      return true;
  }
  std::abort();  // there are no others
}

std::optional<std::uint64_t> math_result(Math math, Type type, Type result, std::uint64_t a,
                                         std::uint64_t b, std::uint64_t c, ComputedBy by) {
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
  const double y = to_double(b, type.bits);
  const auto value = real_function(math, x, y, to_double(c, type.bits));
  if (!value || (by == ComputedBy::device && !is_exact(math) && !is_special(math, x, y, *value)))
    return std::nullopt;
  return from_double(*value, result.bits);
}

}  // namespace headway::kernel
