// Built-in variables, computed from where a thread stands.
#include <fmt/format.h>

#include "kernel/ir/premises.hpp"
#include "kernel/spirv/function_reader.hpp"

namespace headway::kernel::spirv {

ValueId FunctionReader::given(Builtin which, int dimension) {
  return builder_.builtin(which, dimension);
}

ValueId FunctionReader::group_size(int dimension) {
  const Function& function = builder_.function();
  if (function.group_size[0] > 0) return builder_.integer(32, function.group_size[dimension]);
  return given(Builtin::group_size, dimension);
}

ValueId FunctionReader::lane() { return given(Builtin::lane, 0); }

// 64 bits as a vector of 32 each, or as one integer.
Parts FunctionReader::mask_of(ValueId bits, std::size_t count) {
  if (count == 1) return {bits};
  const ValueId high = builder_.binary(Op::lshr, bits, builder_.integer(64, 32));
  Parts all = {builder_.resize(bits, 32, false), builder_.resize(high, 32, false)};
  while (all.size() < count) all.push_back(builder_.integer(32, 0));
  return all;
}

// A bit for each thread that a subgroup has room for.
ValueId FunctionReader::valid_lanes() {
  const ValueId size = builder_.resize(given(Builtin::subgroup_size, 0), 64, false);
  return builder_.binary(Op::lshr, builder_.integer(64, ~std::uint64_t{0}),
                         builder_.binary(Op::sub, builder_.integer(64, 64), size));
}

Parts FunctionReader::builtin(spv::BuiltIn which, const std::vector<Type>& types) {
  const int bits = types.front().bits;
  const auto wide = [&](ValueId value) { return builder_.resize(value, bits, false); };
  const auto add = [&](ValueId a, ValueId b) { return builder_.binary(Op::add, a, b); };
  const auto times = [&](ValueId a, ValueId b) { return builder_.binary(Op::mul, a, b); };
  const auto size = [&](int d) { return wide(group_size(d)); };
  const auto own = [&](int d) {
    // Of a group that is one thread wide there is nothing to ask.
    if (builder_.known(group_size(d)) == 1) return builder_.integer(bits, 0);
    return wide(given(Builtin::thread_id, d));
  };
  const auto group = [&](int d) { return wide(given(Builtin::group_id, d)); };
  const auto groups = [&](int d) { return wide(given(Builtin::groups, d)); };
  const auto each = [&](const auto& make) {
    Parts all;
    for (int d = 0; d < static_cast<int>(types.size()); ++d) all.push_back(make(d));
    return all;
  };
  const auto global = [&](int d) { return add(times(group(d), size(d)), own(d)); };
  const auto lane64 = [&] { return builder_.resize(lane(), 64, false); };
  const auto masked = [&](ValueId all) {
    return mask_of(builder_.binary(Op::bit_and, all, valid_lanes()), types.size());
  };
  const ValueId ones = builder_.integer(64, ~std::uint64_t{0});
  const ValueId one = builder_.integer(64, 1);
  switch (which) {
    case spv::BuiltIn::LocalInvocationId:
      return each(own);
    case spv::BuiltIn::GlobalInvocationId:
      if (!context_.is_shader()) add_premise(builder_.function(), kNoOffset);
      return each(global);
    case spv::BuiltIn::WorkgroupId:
      return each(group);
    case spv::BuiltIn::NumWorkgroups:
      return each(groups);
    case spv::BuiltIn::WorkgroupSize:
    case spv::BuiltIn::EnqueuedWorkgroupSize:
      return each(size);
    case spv::BuiltIn::GlobalSize:
      return each([&](int d) { return times(groups(d), size(d)); });
    case spv::BuiltIn::GlobalOffset:
      add_premise(builder_.function(), kNoOffset);
      return each([&](int) { return builder_.integer(bits, 0); });
    case spv::BuiltIn::WorkDim: {
      add_premise(builder_.function(), kDimensions);
      ValueId last = builder_.integer(bits, 1);
      for (int d = 1; d < 3; ++d) {
        const ValueId wide_enough =
            builder_.binary(Op::ugt, times(groups(d), size(d)), builder_.integer(bits, 1));
        last = builder_.select(wide_enough, builder_.integer(bits, static_cast<unsigned>(d) + 1),
                               last);
      }
      return {last};
    }
    case spv::BuiltIn::LocalInvocationIndex:
      return {add(times(add(times(own(2), size(1)), own(1)), size(0)), own(0))};
    case spv::BuiltIn::GlobalLinearId: {
      const auto all = [&](int d) { return times(groups(d), size(d)); };
      return {add(times(add(times(global(2), all(1)), global(1)), all(0)), global(0))};
    }
    case spv::BuiltIn::SubgroupSize:
    case spv::BuiltIn::SubgroupMaxSize:
      return {wide(given(Builtin::subgroup_size, 0))};
    case spv::BuiltIn::NumSubgroups:
    case spv::BuiltIn::NumEnqueuedSubgroups:
      return {wide(given(Builtin::subgroups, 0))};
    case spv::BuiltIn::SubgroupId:
      return {wide(given(Builtin::subgroup_id, 0))};
    case spv::BuiltIn::SubgroupLocalInvocationId:
      return {wide(lane())};
    case spv::BuiltIn::SubgroupEqMask:
      return masked(builder_.binary(Op::shl, one, lane64()));
    case spv::BuiltIn::SubgroupGeMask:
      return masked(builder_.binary(Op::shl, ones, lane64()));
    case spv::BuiltIn::SubgroupGtMask:
      return masked(builder_.binary(Op::shl, builder_.binary(Op::shl, ones, lane64()), one));
    case spv::BuiltIn::SubgroupLeMask: {
      const ValueId above = builder_.binary(Op::shl, builder_.binary(Op::shl, ones, lane64()), one);
      return masked(builder_.binary(Op::bit_xor, above, ones));
    }
    case spv::BuiltIn::SubgroupLtMask:
      return masked(builder_.binary(Op::bit_xor, builder_.binary(Op::shl, ones, lane64()), ones));
    default:
      throw Unsupported(fmt::format("the built-in variable {}", static_cast<std::uint32_t>(which)));
  }
}

Parts FunctionReader::input(const Pointer& from) {
  const auto which = context_.decoration(from.variable, spv::Decoration::BuiltIn);
  if (!which) throw Unsupported("an input that is no built-in variable");
  const Id whole = context_.pointee(context_.definition(from.variable).type);
  Parts all = builtin(static_cast<spv::BuiltIn>(*which), context_.types(whole));
  if (from.index == kNone) return all;
  return {element(all, from.index)};
}

}  // namespace headway::kernel::spirv
