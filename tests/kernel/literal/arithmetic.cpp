#include "kernel/literal/arithmetic.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace headway::testing::literal {

using kernel::Op;
using kernel::Update;

std::uint64_t cut(std::uint64_t bits, int width) {
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

__int128 as_signed(std::uint64_t bits, int width) {
  __int128 result = cut(bits, width);
  if (result >> (width - 1) & 1) result -= static_cast<__int128>(1) << width;
  return result;
}

std::optional<std::uint64_t> computed(Op op, int width, std::uint64_t a, std::uint64_t b) {
  const __int128 sa = as_signed(a, width);
  const __int128 sb = as_signed(b, width);
  const unsigned __int128 ua = cut(a, width);
  const unsigned __int128 ub = cut(b, width);
  const auto low = [&](auto wide) { return cut(static_cast<std::uint64_t>(wide), width); };
  const bool divides = op == Op::udiv || op == Op::urem || op == Op::sdiv || op == Op::srem;
  if (divides && ub == 0) return {};
  const bool shifts = op == Op::shl || op == Op::lshr || op == Op::ashr;
  if (shifts && ub >= static_cast<unsigned>(width)) {
    throw std::runtime_error("a shift beyond the width");
  }
  switch (op) {
    case Op::add:
      return low(ua + ub);
    case Op::sub:
      return low(ua - ub);
    case Op::mul:
      return low(ua * ub);
    case Op::udiv:
      return low(ua / ub);
    case Op::urem:
      return low(ua % ub);
    case Op::sdiv:
      return low(sa / sb);
    case Op::srem:
      return low(sa % sb);
    case Op::shl:
      return low(ua << ub);
    case Op::lshr:
      return low(ua >> ub);
    case Op::ashr:
      return low(sa >> static_cast<int>(ub));
    case Op::bit_and:
      return low(ua & ub);
    case Op::bit_or:
      return low(ua | ub);
    case Op::bit_xor:
      return low(ua ^ ub);
    case Op::eq:
      return ua == ub;
    case Op::ne:
      return ua != ub;
    case Op::ult:
      return ua < ub;
    case Op::ule:
      return ua <= ub;
    case Op::ugt:
      return ua > ub;
    case Op::uge:
      return ua >= ub;
    case Op::slt:
      return sa < sb;
    case Op::sle:
      return sa <= sb;
    case Op::sgt:
      return sa > sb;
    case Op::sge:
      return sa >= sb;
    default:
      throw std::runtime_error("operation " + std::to_string(static_cast<int>(op)));
  }
}

std::uint64_t updated(Update what, int width, std::uint64_t old, std::uint64_t by) {
  switch (what) {
    case Update::exchange:
      return by;
    case Update::add:
      return cut(old + by, width);
    case Update::sub:
      return cut(old - by, width);
    case Update::bit_and:
      return old & by;
    case Update::bit_or:
      return old | by;
    case Update::bit_xor:
      return old ^ by;
    case Update::smin:
      return as_signed(by, width) < as_signed(old, width) ? by : old;
    case Update::smax:
      return as_signed(by, width) > as_signed(old, width) ? by : old;
    case Update::umin:
      return std::min(old, by);
    case Update::umax:
      return std::max(old, by);
    case Update::wrap_inc:
      return old >= by ? 0 : old + 1;
    case Update::wrap_dec:
      return old == 0 || old > by ? by : old - 1;
    default:
      throw std::runtime_error("an update that is not known");
  }
}

}  // namespace headway::testing::literal
