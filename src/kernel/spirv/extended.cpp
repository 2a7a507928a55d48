// The functions of GLSL.std.450 and OpenCL.std. Those of integers are exact; of reals, those that
// are rounded correctly. The rest is unknown but a function of its operands.
#include <fmt/format.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/OpenCL.std.h>

#include <map>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/spirv/values.hpp"

namespace headway::kernel::spirv {
namespace {

const std::map<std::uint32_t, Math>& glsl_functions() {
  static const std::map<std::uint32_t, Math> functions = {
      {GLSLstd450RoundEven, Math::rint},    {GLSLstd450Trunc, Math::trunc},
      {GLSLstd450FAbs, Math::fabs},         {GLSLstd450SAbs, Math::abs},
      {GLSLstd450Floor, Math::floor},       {GLSLstd450Ceil, Math::ceil},
      {GLSLstd450Sin, Math::sin},           {GLSLstd450Cos, Math::cos},
      {GLSLstd450Tan, Math::tan},           {GLSLstd450Asin, Math::asin},
      {GLSLstd450Acos, Math::acos},         {GLSLstd450Atan, Math::atan},
      {GLSLstd450Sinh, Math::sinh},         {GLSLstd450Cosh, Math::cosh},
      {GLSLstd450Tanh, Math::tanh},         {GLSLstd450Asinh, Math::asinh},
      {GLSLstd450Acosh, Math::acosh},       {GLSLstd450Atanh, Math::atanh},
      {GLSLstd450Exp, Math::exp},           {GLSLstd450Log, Math::log},
      {GLSLstd450Exp2, Math::exp2},         {GLSLstd450Log2, Math::log2},
      {GLSLstd450InverseSqrt, Math::rsqrt}, {GLSLstd450Atan2, Math::atan2},
      {GLSLstd450Pow, Math::pow},           {GLSLstd450NMin, Math::fmin},
      {GLSLstd450NMax, Math::fmax},         {GLSLstd450UMin, Math::umin},
      {GLSLstd450SMin, Math::smin},         {GLSLstd450UMax, Math::umax},
      {GLSLstd450SMax, Math::smax},         {GLSLstd450Ldexp, Math::ldexp}};
  return functions;
}

const std::map<std::uint32_t, Math>& opencl_functions() {
  static const std::map<std::uint32_t, Math> functions = {{OpenCLLIB::Acos, Math::acos},
                                                          {OpenCLLIB::Acosh, Math::acosh},
                                                          {OpenCLLIB::Asin, Math::asin},
                                                          {OpenCLLIB::Asinh, Math::asinh},
                                                          {OpenCLLIB::Atan, Math::atan},
                                                          {OpenCLLIB::Atan2, Math::atan2},
                                                          {OpenCLLIB::Atanh, Math::atanh},
                                                          {OpenCLLIB::Cbrt, Math::cbrt},
                                                          {OpenCLLIB::Ceil, Math::ceil},
                                                          {OpenCLLIB::Copysign, Math::copysign},
                                                          {OpenCLLIB::Cos, Math::cos},
                                                          {OpenCLLIB::Cosh, Math::cosh},
                                                          {OpenCLLIB::Erfc, Math::erfc},
                                                          {OpenCLLIB::Erf, Math::erf},
                                                          {OpenCLLIB::Exp, Math::exp},
                                                          {OpenCLLIB::Exp2, Math::exp2},
                                                          {OpenCLLIB::Exp10, Math::exp10},
                                                          {OpenCLLIB::Expm1, Math::expm1},
                                                          {OpenCLLIB::Fabs, Math::fabs},
                                                          {OpenCLLIB::Fdim, Math::fdim},
                                                          {OpenCLLIB::Floor, Math::floor},
                                                          {OpenCLLIB::Fma, Math::fma},
                                                          {OpenCLLIB::Fmax, Math::fmax},
                                                          {OpenCLLIB::Fmin, Math::fmin},
                                                          {OpenCLLIB::Fmod, Math::fmod},
                                                          {OpenCLLIB::Hypot, Math::hypot},
                                                          {OpenCLLIB::Ldexp, Math::ldexp},
                                                          {OpenCLLIB::Lgamma, Math::lgamma},
                                                          {OpenCLLIB::Log, Math::log},
                                                          {OpenCLLIB::Log2, Math::log2},
                                                          {OpenCLLIB::Log10, Math::log10},
                                                          {OpenCLLIB::Log1p, Math::log1p},
                                                          {OpenCLLIB::Pow, Math::pow},
                                                          {OpenCLLIB::Remainder, Math::remainder},
                                                          {OpenCLLIB::Rint, Math::rint},
                                                          {OpenCLLIB::Round, Math::round},
                                                          {OpenCLLIB::Rsqrt, Math::rsqrt},
                                                          {OpenCLLIB::Sin, Math::sin},
                                                          {OpenCLLIB::Sinh, Math::sinh},
                                                          {OpenCLLIB::Sqrt, Math::sqrt},
                                                          {OpenCLLIB::Tan, Math::tan},
                                                          {OpenCLLIB::Tanh, Math::tanh},
                                                          {OpenCLLIB::Tgamma, Math::tgamma},
                                                          {OpenCLLIB::Trunc, Math::trunc},
                                                          {OpenCLLIB::FMax_common, Math::fmax},
                                                          {OpenCLLIB::FMin_common, Math::fmin},
                                                          {OpenCLLIB::SAbs, Math::abs},
                                                          {OpenCLLIB::SAdd_sat, Math::sadd_sat},
                                                          {OpenCLLIB::UAdd_sat, Math::uadd_sat},
                                                          {OpenCLLIB::SSub_sat, Math::ssub_sat},
                                                          {OpenCLLIB::USub_sat, Math::usub_sat},
                                                          {OpenCLLIB::Clz, Math::leading_zeros},
                                                          {OpenCLLIB::Ctz, Math::trailing_zeros},
                                                          {OpenCLLIB::SMax, Math::smax},
                                                          {OpenCLLIB::UMax, Math::umax},
                                                          {OpenCLLIB::SMin, Math::smin},
                                                          {OpenCLLIB::UMin, Math::umin},
                                                          {OpenCLLIB::SMul_hi, Math::mul_high_s},
                                                          {OpenCLLIB::UMul_hi, Math::mul_high_u},
                                                          {OpenCLLIB::Popcount, Math::popcount}};
  return functions;
}

}  // namespace

// The highest bit that is 1, or that is not the sign; all ones where there is none.
ValueId Values::find_high(ValueId value, bool is_signed) {
  const Type type = builder_.type(value);
  const int bits = type.bits;
  if (is_signed) {
    const ValueId sign =
        builder_.binary(Op::ashr, value, builder_.integer(bits, static_cast<unsigned>(bits - 1)));
    value = builder_.binary(Op::bit_xor, value, sign);
  }
  const ValueId zeros = math(Math::leading_zeros, type, {value});
  return builder_.binary(Op::sub, builder_.integer(bits, static_cast<unsigned>(bits - 1)), zeros);
}

// A product and a sum, rounded once or twice: known where both are the same.
ValueId Values::mad(ValueId x, ValueId y, ValueId z, std::uint32_t instruction) {
  const Type type = builder_.type(x);
  const ValueId once = math(Math::fma, type, {x, y, z});
  const ValueId twice = builder_.binary(Op::fadd, builder_.binary(Op::fmul, x, y), z);
  const Type bits = Type::integer(type.bits);
  const ValueId same = builder_.binary(Op::eq, bitcast(once, bits), bitcast(twice, bits));
  const ValueId any = opaque(type, {opaque(type, {x, y}, instruction), z}, instruction);
  return builder_.select(same, once, any);
}

// The lesser or greater one, and of what is no number either; HLSL takes the number.
ValueId Values::chosen(Math which, ValueId x, ValueId y, std::uint32_t instruction) {
  const Type type = builder_.type(x);
  const ValueId found = math(which, type, {x, y});
  if (language_ == SourceLanguage::hlsl) return found;
  return builder_.select(compare(Compare::unordered, x, y), opaque(type, {x, y}, instruction),
                         found);
}

// A value that is any one but where it is defined.
ValueId Values::where(ValueId defined, ValueId value, std::uint32_t instruction) {
  if (const auto known = builder_.known(defined); known && *known != 0) return value;
  return builder_.select(defined, value, opaque(builder_.type(value), {value}, instruction));
}

std::optional<Parts> Values::glsl(std::uint32_t instruction, const std::vector<Type>& result,
                                  const std::vector<Parts>& operands) {
  if (operands.empty() || operands[0].empty()) return {};
  const Parts none;
  const Parts& a = operands[0];
  const Parts& b = operands.size() > 1 ? operands[1] : none;
  const Parts& c = operands.size() > 2 ? operands[2] : none;
  const Type type = builder_.type(a[0]);
  const auto each = [&](const auto& make) {
    Parts all;
    for (std::size_t i = 0; i < a.size(); ++i) all.push_back(make(i));
    return all;
  };
  const auto times = [&](ValueId x, ValueId y) { return builder_.binary(Op::fmul, x, y); };
  const auto minus = [&](ValueId x, ValueId y) { return builder_.binary(Op::fsub, x, y); };
  const auto plus = [&](ValueId x, ValueId y) { return builder_.binary(Op::fadd, x, y); };
  if (const auto found = glsl_functions().find(instruction); found != glsl_functions().end()) {
    return each([&](std::size_t i) {
      const Type own = builder_.type(a[i]);
      if (!is_exact(found->second)) {  // also of zeros (Vulkan, "Precision of Core SPIR-V")
        return operands.size() == 1 ? opaque(own, {a[i]}, instruction)
                                    : opaque(own, {a[i], b[i]}, instruction);
      }
      if (operands.size() == 1) return math(found->second, own, {a[i]});
      if (operands.size() == 2) {
        const ValueId value = math(found->second, own, {a[i], b[i]});
        return found->second == Math::ldexp  // too large to have a value
                   ? where(math(Math::is_finite, Type::integer(1), {value}), value, instruction)
                   : value;
      }
      return math(found->second, own, {a[i], b[i], c[i]});
    });
  }
  switch (instruction) {
    case GLSLstd450Round:  // at halves in either direction
      return each([&](std::size_t i) { return opaque(type, {a[i]}, instruction); });
    case GLSLstd450FSign:
      return each([&](std::size_t i) {
        const ValueId zero = real(type, 0);
        return builder_.select(
            compare(Compare::ogt, a[i], zero), real(type, 1),
            builder_.select(compare(Compare::olt, a[i], zero), real(type, -1), a[i]));
      });
    case GLSLstd450SSign:
      return each([&](std::size_t i) {
        const ValueId zero = builder_.integer(type.bits, 0);
        return builder_.select(
            builder_.binary(Op::sgt, a[i], zero), builder_.integer(type.bits, 1),
            builder_.select(builder_.binary(Op::slt, a[i], zero),
                            builder_.integer(type.bits, ~std::uint64_t{0}), zero));
      });
    case GLSLstd450Fract:
      return each([&](std::size_t i) { return minus(a[i], math(Math::floor, type, {a[i]})); });
    case GLSLstd450Radians:
    case GLSLstd450Degrees:
      return each([&](std::size_t i) { return opaque(type, {a[i]}, instruction); });
    case GLSLstd450Fma:  // as a product and a sum (Vulkan, "Precision of Core SPIR-V")
      return each([&](std::size_t i) { return mad(a[i], b[i], c[i], instruction); });
    case GLSLstd450FMin:
      return each([&](std::size_t i) { return chosen(Math::fmin, a[i], b[i], instruction); });
    case GLSLstd450FMax:
      return each([&](std::size_t i) { return chosen(Math::fmax, a[i], b[i], instruction); });
    case GLSLstd450FClamp:
      return each([&](std::size_t i) {
        return where(
            compare(Compare::ole, b[i], c[i]),
            chosen(Math::fmin, chosen(Math::fmax, a[i], b[i], instruction), c[i], instruction),
            instruction);
      });
    case GLSLstd450NClamp:
      return each([&](std::size_t i) {
        return where(compare(Compare::ole, b[i], c[i]),
                     math(Math::fmin, type, {math(Math::fmax, type, {a[i], b[i]}), c[i]}),
                     instruction);
      });
    case GLSLstd450UClamp:
      return each([&](std::size_t i) {
        return where(builder_.binary(Op::ule, b[i], c[i]),
                     math(Math::umin, type, {math(Math::umax, type, {a[i], b[i]}), c[i]}),
                     instruction);
      });
    case GLSLstd450SClamp:
      return each([&](std::size_t i) {
        return where(builder_.binary(Op::sle, b[i], c[i]),
                     math(Math::smin, type, {math(Math::smax, type, {a[i], b[i]}), c[i]}),
                     instruction);
      });
    case GLSLstd450FMix:
      return each([&](std::size_t i) {
        return plus(times(a[i], minus(real(type, 1), c[i])), times(b[i], c[i]));
      });
    case GLSLstd450Step:
      return each([&](std::size_t i) {
        return builder_.select(compare(Compare::olt, b[i], a[i]), real(type, 0), real(type, 1));
      });
    case GLSLstd450SmoothStep:
      return each([&](std::size_t i) {
        const ValueId share = builder_.binary(Op::fdiv, minus(c[i], a[i]), minus(b[i], a[i]));
        const ValueId t =
            math(Math::fmin, type, {math(Math::fmax, type, {share, real(type, 0)}), real(type, 1)});
        return where(compare(Compare::olt, a[i], b[i]),
                     times(times(t, t), minus(real(type, 3), times(real(type, 2), t))),
                     instruction);
      });
    case GLSLstd450Sqrt:  // as 1 / inversesqrt
      return each([&](std::size_t i) { return opaque(type, {a[i]}, instruction); });
    case GLSLstd450Length:
      return Parts{opaque(type, {dot(a, a)}, GLSLstd450Sqrt)};
    case GLSLstd450Distance: {
      const Parts between = each([&](std::size_t i) { return minus(a[i], b[i]); });
      return Parts{opaque(type, {dot(between, between)}, GLSLstd450Sqrt)};
    }
    case GLSLstd450Normalize: {
      const ValueId length = opaque(type, {dot(a, a)}, GLSLstd450Sqrt);
      return each([&](std::size_t i) { return builder_.binary(Op::fdiv, a[i], length); });
    }
    case GLSLstd450Cross: {
      const auto one = [&](std::size_t i, std::size_t j) {
        return minus(times(a[i], b[j]), times(a[j], b[i]));
      };
      return Parts{one(1, 2), one(2, 0), one(0, 1)};
    }
    case GLSLstd450FindILsb:
      return each([&](std::size_t i) {
        const Type own = builder_.type(a[i]);
        const ValueId is_zero = builder_.binary(Op::eq, a[i], builder_.integer(own.bits, 0));
        return builder_.select(is_zero, builder_.integer(own.bits, ~std::uint64_t{0}),
                               math(Math::trailing_zeros, own, {a[i]}));
      });
    case GLSLstd450FindUMsb:
    case GLSLstd450FindSMsb:
      return each(
          [&](std::size_t i) { return find_high(a[i], instruction == GLSLstd450FindSMsb); });
    case GLSLstd450PackDouble2x32:
    case GLSLstd450UnpackDouble2x32:
      return bitcast(a, result);
    case GLSLstd450Determinant:
    case GLSLstd450MatrixInverse:
    case GLSLstd450PackSnorm4x8:
    case GLSLstd450PackUnorm4x8:
    case GLSLstd450PackSnorm2x16:
    case GLSLstd450PackUnorm2x16:
    case GLSLstd450PackHalf2x16:
    case GLSLstd450UnpackSnorm2x16:
    case GLSLstd450UnpackUnorm2x16:
    case GLSLstd450UnpackHalf2x16:
    case GLSLstd450UnpackSnorm4x8:
    case GLSLstd450UnpackUnorm4x8:
    case GLSLstd450FaceForward:
    case GLSLstd450Reflect:
    case GLSLstd450Refract: {
      Parts from, all;
      for (const Parts& one : operands) from.insert(from.end(), one.begin(), one.end());
      for (std::size_t i = 0; i < result.size(); ++i) {
        all.push_back(opaque_of(result[i], from, instruction * 64 + static_cast<std::uint32_t>(i)));
      }
      return all;
    }
    default:
      return {};
  }
}

std::optional<Parts> Values::opencl(std::uint32_t instruction, const std::vector<Type>& result,
                                    const std::vector<Parts>& operands) {
  if (operands.empty() || operands[0].empty()) return {};
  const Parts none;
  const Parts& a = operands[0];
  const Parts& b = operands.size() > 1 ? operands[1] : none;
  const Parts& c = operands.size() > 2 ? operands[2] : none;
  const Type type = builder_.type(a[0]);
  const auto each = [&](const auto& make) {
    Parts all;
    for (std::size_t i = 0; i < a.size(); ++i) all.push_back(make(i));
    return all;
  };
  const auto found = opencl_functions().find(instruction);
  if (found != opencl_functions().end() && result.size() == a.size()) {
    return each([&](std::size_t i) {
      if (operands.size() == 1) return math(found->second, type, {a[i]});
      if (operands.size() == 2) return math(found->second, type, {a[i], b[b.size() == 1 ? 0 : i]});
      return math(found->second, type, {a[i], b[i], c[i]});
    });
  }
  // Of operands of more than 24 bits the product is any.
  const auto product = [&](std::size_t i, bool is_signed) {
    const ValueId eight = builder_.integer(type.bits, 8);
    const auto fits = [&](ValueId x) {
      const ValueId high = builder_.binary(Op::shl, x, eight);
      return builder_.binary(Op::eq, builder_.binary(is_signed ? Op::ashr : Op::lshr, high, eight),
                             x);
    };
    return builder_.select(builder_.binary(Op::bit_and, fits(a[i]), fits(b[i])),
                           builder_.binary(Op::mul, a[i], b[i]),
                           opaque(type, {a[i], b[i]}, instruction));
  };
  // Unknown, but a function of all of the operands.
  const auto of_all = [&] {
    Parts from = a, all;
    from.insert(from.end(), b.begin(), b.end());
    ValueId whole = from[0];
    for (std::size_t i = 1; i < from.size(); ++i) {
      whole = opaque(type, {whole, from[i]}, instruction);
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
      all.push_back(opaque(result[i], {whole}, instruction * 64 + static_cast<std::uint32_t>(i)));
    }
    return all;
  };
  switch (instruction) {
    case OpenCLLIB::Mad:
      return each([&](std::size_t i) { return mad(a[i], b[i], c[i], instruction); });
    case OpenCLLIB::FClamp:
      return each([&](std::size_t i) {
        return math(Math::fmin, type, {math(Math::fmax, type, {a[i], b[i]}), c[i]});
      });
    case OpenCLLIB::UAbs:
      return a;
    case OpenCLLIB::SAbs_diff:
    case OpenCLLIB::UAbs_diff: {
      const bool is_signed = instruction == OpenCLLIB::SAbs_diff;
      return each([&](std::size_t i) {
        return builder_.select(builder_.binary(is_signed ? Op::slt : Op::ult, a[i], b[i]),
                               builder_.binary(Op::sub, b[i], a[i]),
                               builder_.binary(Op::sub, a[i], b[i]));
      });
    }
    case OpenCLLIB::SHadd:
    case OpenCLLIB::UHadd:
    case OpenCLLIB::SRhadd:
    case OpenCLLIB::URhadd: {
      // The bits that both have, and half of those that one has; rounded up, the other way around.
      const bool is_signed = instruction == OpenCLLIB::SHadd || instruction == OpenCLLIB::SRhadd;
      const bool up = instruction == OpenCLLIB::SRhadd || instruction == OpenCLLIB::URhadd;
      return each([&](std::size_t i) {
        const ValueId half = builder_.binary(is_signed ? Op::ashr : Op::lshr,
                                             builder_.binary(Op::bit_xor, a[i], b[i]),
                                             builder_.integer(type.bits, 1));
        return up ? builder_.binary(Op::sub, builder_.binary(Op::bit_or, a[i], b[i]), half)
                  : builder_.binary(Op::add, builder_.binary(Op::bit_and, a[i], b[i]), half);
      });
    }
    case OpenCLLIB::SClamp:
    case OpenCLLIB::UClamp: {
      const bool is_signed = instruction == OpenCLLIB::SClamp;
      return each([&](std::size_t i) {
        const ValueId low = math(is_signed ? Math::smax : Math::umax, type, {a[i], b[i]});
        return math(is_signed ? Math::smin : Math::umin, type, {low, c[i]});
      });
    }
    case OpenCLLIB::SMad_hi:
    case OpenCLLIB::UMad_hi:
      return each([&](std::size_t i) {
        const Math high = instruction == OpenCLLIB::SMad_hi ? Math::mul_high_s : Math::mul_high_u;
        return builder_.binary(Op::add, math(high, type, {a[i], b[i]}), c[i]);
      });
    case OpenCLLIB::SMul24:
      return each([&](std::size_t i) { return product(i, true); });
    case OpenCLLIB::UMul24:
      return each([&](std::size_t i) { return product(i, false); });
    case OpenCLLIB::SMad24:
      return each([&](std::size_t i) { return builder_.binary(Op::add, product(i, true), c[i]); });
    case OpenCLLIB::UMad24:
      return each([&](std::size_t i) { return builder_.binary(Op::add, product(i, false), c[i]); });
    case OpenCLLIB::Rotate:
      return each([&](std::size_t i) { return math(Math::funnel_left, type, {a[i], a[i], b[i]}); });
    case OpenCLLIB::Bitselect:
      return each([&](std::size_t i) {
        const Type integer = Type::integer(type.bits);
        const ValueId x = bitcast(a[i], integer);
        const ValueId mask = bitcast(c[i], integer);
        const ValueId differing = builder_.binary(Op::bit_xor, x, bitcast(b[i], integer));
        return bitcast(
            builder_.binary(Op::bit_xor, x, builder_.binary(Op::bit_and, differing, mask)), type);
      });
    case OpenCLLIB::Select:
      return each([&](std::size_t i) {
        const int bits = builder_.type(c[i]).bits;
        // Of vectors the highest bit counts, of scalars any.
        const ValueId zero = builder_.integer(bits, 0);
        const ValueId holds = builder_.binary(a.size() > 1 ? Op::slt : Op::ne, c[i], zero);
        return builder_.select(holds, b[i], a[i]);
      });
    case OpenCLLIB::Length:
    case OpenCLLIB::Fast_length:
    case OpenCLLIB::Distance:
    case OpenCLLIB::Fast_distance:
    case OpenCLLIB::Normalize:
    case OpenCLLIB::Fast_normalize:
    case OpenCLLIB::Cross:
      return of_all();
    default:
      break;
  }
  // Of reals alone, one at a time: unknown, but a function of them.
  const bool simple = type.is_real() && result.size() == a.size() && operands.size() <= 2 &&
                      (b.empty() || (b.size() == a.size() && !builder_.type(b[0]).is_pointer()));
  if (!simple) return {};
  return each([&](std::size_t i) {
    return b.empty() ? opaque(result[i], {a[i]}, instruction)
                     : opaque(result[i], {a[i], b[i]}, instruction);
  });
}

}  // namespace headway::kernel::spirv
