// What SPIR-V's operations on values give, part by part: of arithmetic, GLSL.std.450 and
// OpenCL.std. Constants are computed, everything else becomes instructions of the builder.
#pragma once

#include <optional>

#include "kernel/spirv/context.hpp"

namespace headway::kernel::spirv {

class Values {
 public:
  // In HLSL of a number and what is none the number is the lesser one and the greater one. In
  // shaders what is left of a division is any value where an operand is negative (Vulkan's
  // "Precision of core SPIR-V instructions", GLSL 4.60, 5.9; HLSL: where their signs differ).
  Values(Builder& builder, SourceLanguage language, bool is_shader)
      : builder_(builder),
        language_(language),
        leaves_rests_open_(is_shader && language == SourceLanguage::any) {}

  // Of an operation whose operands are all values. `result` are the types of its parts. Nothing
  // where the operation is none of these. Throws Unsupported.
  std::optional<Parts> operation(spv::Op op, const std::vector<Type>& result,
                                 const std::vector<Parts>& operands);
  // Of an instruction of an extended set.
  std::optional<Parts> glsl(std::uint32_t instruction, const std::vector<Type>& result,
                            const std::vector<Parts>& operands);
  std::optional<Parts> opencl(std::uint32_t instruction, const std::vector<Type>& result,
                              const std::vector<Parts>& operands);

  ValueId math(Math math, Type type, std::initializer_list<ValueId> operands);
  ValueId compare(Compare compare, ValueId a, ValueId b);
  ValueId bitcast(ValueId value, Type to);
  // Bits of several parts taken for others.
  Parts bitcast(const Parts& from, const std::vector<Type>& to);
  // Unknown, but a function of all operands, of which there is one at least.
  ValueId opaque_of(Type type, const Parts& operands, std::uint32_t which);

 private:
  ValueId shifted(Op op, ValueId value, ValueId by);
  ValueId rest_of_positive(ValueId a, ValueId b);
  ValueId modulo(ValueId a, ValueId b);
  ValueId real_modulo(ValueId a, ValueId b);
  ValueId field_shift(Op op, ValueId value, ValueId by);
  ValueId is_field(int bits, ValueId offset, ValueId count);
  ValueId extracted(ValueId base, ValueId offset, ValueId count, bool is_signed);
  ValueId inserted(ValueId base, ValueId insert, ValueId offset, ValueId count);
  Parts wide_product(const Parts& a, const Parts& b, bool is_signed);
  ValueId dot(const Parts& a, const Parts& b);
  ValueId real(Type type, double value);
  ValueId find_high(ValueId value, bool is_signed);
  ValueId mad(ValueId x, ValueId y, ValueId z, std::uint32_t instruction);
  ValueId chosen(Math which, ValueId x, ValueId y, std::uint32_t instruction);
  ValueId where(ValueId defined, ValueId value, std::uint32_t instruction);
  ValueId opaque(Type type, const std::vector<ValueId>& operands, std::uint32_t which);

  Builder& builder_;
  const SourceLanguage language_;
  const bool leaves_rests_open_;
};

}  // namespace headway::kernel::spirv
