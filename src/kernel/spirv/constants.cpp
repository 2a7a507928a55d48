// Constants, specialized, and composites taken apart.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/spirv/context.hpp"
#include "kernel/spirv/values.hpp"

namespace headway::kernel::spirv {

Context::Range Context::range(Id type, std::span<const std::uint32_t> indices) {
  Range result{0, 0, type};
  for (const std::uint32_t index : indices) {
    if (index >= length(result.type)) throw Unsupported("an index beyond the end of a composite");
    if (op(result.type) == spv::Op::OpTypeStruct) {
      for (std::uint32_t m = 0; m < index; ++m) result.first += types(part(result.type, m)).size();
    } else {
      result.first += index * types(part(result.type, 0)).size();
    }
    result.type = part(result.type, index);
  }
  result.count = types(result.type).size();
  return result;
}

bool Context::is_constant(Id id) const {
  switch (op(id)) {
    case spv::Op::OpUndef:
    case spv::Op::OpConstantTrue:
    case spv::Op::OpConstantFalse:
    case spv::Op::OpConstant:
    case spv::Op::OpConstantComposite:
    case spv::Op::OpConstantNull:
    case spv::Op::OpConstantSampler:
    case spv::Op::OpSpecConstantTrue:
    case spv::Op::OpSpecConstantFalse:
    case spv::Op::OpSpecConstant:
    case spv::Op::OpSpecConstantComposite:
    case spv::Op::OpSpecConstantOp:
      return true;
    default:
      return false;
  }
}

const std::vector<Context::Scalar>& Context::constant(Id id) {
  const auto found = constants_.find(id);
  if (found != constants_.end()) return found->second;
  constexpr int max_constants = 400;
  if (++depth_ > max_constants) {
    depth_ = 0;
    throw Unsupported("constants that are nested too deeply");
  }
  std::vector<Scalar> made = made_constant(id);
  --depth_;
  return constants_[id] = std::move(made);
}

std::optional<std::uint64_t> Context::number(Id id) {
  if (!is_constant(id)) return {};
  const std::vector<Scalar>& scalars = constant(id);
  if (scalars.size() != 1) return {};
  return scalars.front().bits;
}

bool Context::has_specialization(std::uint32_t spec_id) const {
  for (const auto& [place, literal_value] : decorations_) {
    if (place.second == spv::Decoration::SpecId && literal_value == spec_id) return true;
  }
  return false;
}

std::vector<std::string> Context::defaults() const {
  std::vector<std::string> result;
  for (const auto& [place, spec_id] : decorations_) {
    const auto& [id, which] = place;
    const auto looked_at = constants_.find(id);
    if (which != spv::Decoration::SpecId || specialization_.contains(spec_id) ||
        looked_at == constants_.end()) {
      continue;
    }
    const Scalar& value = looked_at->second.front();
    const std::string text = value.type.is_real()
                                 ? fmt::format("{}", to_double(*value.bits, value.type.bits))
                                 : fmt::format("{}", *value.bits);
    result.push_back(fmt::format("specialization constant {} is {}, its default", spec_id, text));
  }
  return result;
}

std::uint64_t Context::known(Id id, const char* what) {
  if (const auto value = number(id)) return *value;
  throw Unsupported(fmt::format("{} that is no constant", what));
}

// The default of a specialization constant. Where a workgroup is as large as one says, glslang
// writes it again, without a name and as 1; the default is that of the constant that is declared.
std::uint64_t Context::default_of(Id id) const {
  const auto own = [&](Id constant) {
    const auto of = operands(constant);
    return of.size() > 1 ? of[0] | std::uint64_t{of[1]} << 32 : of[0];
  };
  const auto spec_id = decoration(id, spv::Decoration::SpecId);
  std::set<std::uint64_t> declared;
  for (const auto& [place, other] : decorations_) {
    if (place.second != spv::Decoration::SpecId || spec_id != other) continue;
    if (op(place.first) != spv::Op::OpSpecConstant) continue;
    if (own(place.first) != 1 || !name(place.first).empty()) declared.insert(own(place.first));
  }
  if (declared.empty()) return own(id);
  if (declared.size() > 1) {
    throw Unsupported(fmt::format(
        "specialization constant {0} with several defaults; --spec {0}=N says which", *spec_id));
  }
  return *declared.begin();
}

std::vector<Context::Scalar> Context::made_constant(Id id) {
  const RawInstruction& instruction = definition(id);
  const auto of = operands(id);
  std::vector<Scalar> result;
  // What `--spec` says of it.
  const auto given = [&]() -> std::optional<double> {
    const auto spec_id = decoration(id, spv::Decoration::SpecId);
    if (!spec_id) return {};
    const auto found = specialization_.find(*spec_id);
    if (found == specialization_.end()) return {};
    return found->second;
  };
  const auto op = static_cast<spv::Op>(instruction.op);
  switch (op) {
    case spv::Op::OpConstantTrue:
    case spv::Op::OpConstantFalse:
      return {{Type::integer(1), op == spv::Op::OpConstantTrue ? 1U : 0U}};
    case spv::Op::OpConstantSampler:  // a number that nobody looks at
      return {{scalar(instruction.type), 0}};
    case spv::Op::OpSpecConstantTrue:
    case spv::Op::OpSpecConstantFalse: {
      const bool value = op == spv::Op::OpSpecConstantTrue;
      return {{Type::integer(1), given().value_or(value ? 1 : 0) != 0 ? 1U : 0U}};
    }
    case spv::Op::OpConstant:
    case spv::Op::OpSpecConstant: {
      const Type type = scalar(instruction.type);
      const bool is_open = op == spv::Op::OpSpecConstant && !given();
      std::uint64_t bits = of[0];
      if (of.size() > 1) bits |= std::uint64_t{of[1]} << 32;
      if (is_open) bits = default_of(id);
      if (const auto other = op == spv::Op::OpSpecConstant ? given() : std::nullopt) {
        bits = type.is_real() ? from_double(*other, type.bits)
               : *other < 0   ? static_cast<std::uint64_t>(static_cast<std::int64_t>(*other))
                              : static_cast<std::uint64_t>(*other);
      }
      return {{type, low_bits(bits, type.bits)}};
    }
    case spv::Op::OpConstantNull:
    case spv::Op::OpUndef:
      for (const Type& type : types(instruction.type)) {
        result.push_back(
            {type, op == spv::Op::OpUndef ? std::nullopt : std::optional<std::uint64_t>(0)});
      }
      return result;
    case spv::Op::OpConstantComposite:
    case spv::Op::OpSpecConstantComposite:
      for (const Id part : of) {
        const std::vector<Scalar> more = constant(part);
        if (result.size() + more.size() > kMaxParts) {
          throw Unsupported(fmt::format("a constant of more than {} parts", kMaxParts));
        }
        result.insert(result.end(), more.begin(), more.end());
      }
      return result;
    case spv::Op::OpSpecConstantOp:
      break;
    default:
      throw Unsupported("a constant: " + text_of(words_, instruction));
  }
  Function scratch;
  Builder builder(scratch);
  builder.at(builder.block());
  const auto parts = [&](Id operand) {
    Parts all;
    for (const Scalar& one : constant(operand)) {
      all.push_back(one.bits ? builder.constant(one.type, *one.bits) : builder.undefined(one.type));
    }
    return all;
  };
  const auto what = static_cast<spv::Op>(of[0]);
  Parts made;
  if (what == spv::Op::OpCompositeExtract) {
    const Parts whole = parts(of[1]);
    const Range chosen = range(definition(of[1]).type, of.subspan(2));
    const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(chosen.first);
    made.assign(begin, begin + static_cast<std::ptrdiff_t>(chosen.count));
  } else if (what == spv::Op::OpCompositeInsert) {
    made = parts(of[2]);
    const Parts object = parts(of[1]);
    const Range chosen = range(instruction.type, of.subspan(3));
    std::copy(object.begin(), object.end(),
              made.begin() + static_cast<std::ptrdiff_t>(chosen.first));
  } else if (what == spv::Op::OpVectorShuffle) {
    Parts all = parts(of[1]);
    const Parts more = parts(of[2]);
    all.insert(all.end(), more.begin(), more.end());
    for (const std::uint32_t index : of.subspan(3)) {
      made.push_back(index < all.size() ? all[index]
                                        : builder.undefined(types(instruction.type).front()));
    }
  } else {
    std::vector<Parts> operands;
    for (const Id operand : of.subspan(1)) operands.push_back(parts(operand));
    auto computed =
        Values(builder, language_, is_shader_).operation(what, types(instruction.type), operands);
    if (!computed) throw Unsupported("a constant: " + text_of(words_, instruction));
    made = std::move(*computed);
  }
  for (const ValueId part : made) {
    if (!builder.known(part) && builder.value(part).kind != Value::Kind::undefined) {
      throw Unsupported("a constant that cannot be computed: " + text_of(words_, instruction));
    }
    result.push_back({builder.type(part), builder.known(part)});
  }
  return result;
}

}  // namespace headway::kernel::spirv
