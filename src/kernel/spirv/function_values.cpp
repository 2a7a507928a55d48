// Values of an entry point: constants, composites, arithmetic, and functions of extended sets.
#include <fmt/format.h>
#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "kernel/spirv/function_reader.hpp"

namespace headway::kernel::spirv {
namespace {

// What a function of an extended set is called in the language that it comes from.
std::string extended_name(const Words& words, const RawInstruction& instruction) {
  std::istringstream text(text_of(words, instruction));
  std::string word;
  while (text >> word && word != "OpExtInst") {
  }
  text >> word >> word >> word;  // behind the type and the set
  if (!word.empty()) {
    word.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(word.front())));
  }
  return word;
}

}  // namespace

Parts FunctionReader::parts(Id id) {
  const auto found = frame_->values.find(id);
  if (found != frame_->values.end()) return found->second;
  if (context_.is_constant(id)) {
    Parts all;
    for (const Context::Scalar& one : context_.constant(id)) {
      all.push_back(one.bits ? builder_.constant(one.type, *one.bits)
                             : builder_.undefined(one.type));
    }
    return all;
  }
  const RawInstruction& made = context_.definition(id);
  if (made.type != 0 && context_.is_pointer(made.type)) {
    const Pointer to = pointer(id);
    if (to.root == Pointer::Root::memory) return {to.address};
    throw Unsupported("a pointer to uniform data or inputs as a value");
  }
  throw Unsupported(fmt::format("%{} used before it is computed", id));
}

ValueId FunctionReader::single(Id id) {
  const Parts all = parts(id);
  if (all.size() != 1) throw Unsupported(fmt::format("%{}, which has several parts", id));
  return all.front();
}

ValueId FunctionReader::element(const Parts& vector, ValueId index) {
  if (const auto known = builder_.known(index)) {
    if (*known >= vector.size()) throw Unsupported("an element beyond the end of a vector");
    return vector[*known];
  }
  // Beyond the end it is any value.
  ValueId result = values_.opaque_of(builder_.type(vector.front()), {index},
                                     static_cast<std::uint32_t>(spv::Op::OpVectorExtractDynamic));
  const int bits = builder_.type(index).bits;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    const ValueId is_it = builder_.binary(Op::eq, index, builder_.integer(bits, i));
    result = builder_.select(is_it, vector[i], result);
  }
  return result;
}

Parts FunctionReader::changed(const Parts& vector, ValueId index, ValueId value) {
  Parts all = vector;
  const int bits = builder_.type(index).bits;
  const auto of = [&](std::size_t i) { return builder_.integer(bits, i); };
  const ValueId is_within = builder_.binary(Op::ult, index, of(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ValueId any =
        values_.opaque_of(builder_.type(all[i]), {index, all[i]},
                          static_cast<std::uint32_t>(spv::Op::OpVectorInsertDynamic));
    const ValueId is_it = builder_.binary(Op::eq, index, of(i));
    all[i] = builder_.select(is_it, value, builder_.select(is_within, all[i], any));
  }
  return all;
}

void FunctionReader::read_composite(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  switch (static_cast<spv::Op>(instruction.op)) {
    case spv::Op::OpCompositeConstruct: {
      Parts all;
      for (const Id part : of) {
        const Parts more = parts(part);
        if (all.size() + more.size() > Context::kMaxParts) {
          throw Unsupported(fmt::format("a value of more than {} parts", Context::kMaxParts));
        }
        all.insert(all.end(), more.begin(), more.end());
      }
      return give(instruction, std::move(all));
    }
    case spv::Op::OpCompositeExtract: {
      const Parts whole = parts(of[0]);
      const auto chosen = context_.range(context_.definition(of[0]).type, of.subspan(1));
      const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(chosen.first);
      return give(instruction, {begin, begin + static_cast<std::ptrdiff_t>(chosen.count)});
    }
    case spv::Op::OpCompositeInsert: {
      Parts whole = parts(of[1]);
      const Parts object = parts(of[0]);
      const auto chosen = context_.range(instruction.type, of.subspan(2));
      std::copy(object.begin(), object.end(),
                whole.begin() + static_cast<std::ptrdiff_t>(chosen.first));
      return give(instruction, std::move(whole));
    }
    case spv::Op::OpVectorShuffle: {
      Parts from = parts(of[0]);
      const Parts more = parts(of[1]);
      from.insert(from.end(), more.begin(), more.end());
      const Type type = context_.types(instruction.type).front();
      Parts all;
      for (const std::uint32_t index : of.subspan(2)) {
        all.push_back(index < from.size() ? from[index] : builder_.undefined(type));
      }
      return give(instruction, std::move(all));
    }
    case spv::Op::OpVectorExtractDynamic:
      return give(instruction, {element(parts(of[0]), single(of[1]))});
    default:
      return give(instruction, changed(parts(of[0]), single(of[2]), single(of[1])));
  }
}

// Columns follow each other.
Parts FunctionReader::read_matrix(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const Parts a = parts(of[0]);
  const Parts b = of.size() > 1 ? parts(of[1]) : Parts();
  const auto shape = [&](Id id) {  // rows, columns
    const Id type = context_.definition(id).type;
    return std::pair(context_.length(context_.part(type, 0)), context_.length(type));
  };
  const auto sum = [&](std::size_t count, const auto& term) {
    ValueId result = term(0);
    for (std::size_t i = 1; i < count; ++i) result = builder_.binary(Op::fadd, result, term(i));
    return result;
  };
  const auto times = [&](ValueId x, ValueId y) { return builder_.binary(Op::fmul, x, y); };
  Parts all;
  switch (static_cast<spv::Op>(instruction.op)) {
    case spv::Op::OpTranspose: {
      const auto [rows, columns] = shape(of[0]);
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) all.push_back(a[c * rows + r]);
      }
      return all;
    }
    case spv::Op::OpMatrixTimesVector: {
      const auto [rows, columns] = shape(of[0]);
      for (std::size_t r = 0; r < rows; ++r) {
        all.push_back(
            sum(columns, [&, rows = rows](std::size_t c) { return times(a[c * rows + r], b[c]); }));
      }
      return all;
    }
    case spv::Op::OpVectorTimesMatrix: {
      const auto [rows, columns] = shape(of[1]);
      for (std::size_t c = 0; c < columns; ++c) {
        all.push_back(
            sum(rows, [&, rows = rows](std::size_t r) { return times(a[r], b[c * rows + r]); }));
      }
      return all;
    }
    case spv::Op::OpMatrixTimesMatrix: {
      const auto [rows, inner] = shape(of[0]);
      const auto [inner_rows, columns] = shape(of[1]);
      for (std::size_t c = 0; c < columns; ++c) {
        for (std::size_t r = 0; r < rows; ++r) {
          all.push_back(sum(inner, [&, rows = rows, inner_rows = inner_rows](std::size_t i) {
            return times(a[i * rows + r], b[c * inner_rows + i]);
          }));
        }
      }
      return all;
    }
    default:  // the outer product
      for (const ValueId column : b) {
        for (const ValueId row : a) all.push_back(times(row, column));
      }
      return all;
  }
}

// Functions of GLSL that give two values: the second goes to memory, or both into a struct.
bool FunctionReader::read_two_results(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const std::uint32_t which = of[1];
  const bool splits = which == GLSLstd450Modf || which == GLSLstd450ModfStruct;
  const bool scales = which == GLSLstd450Frexp || which == GLSLstd450FrexpStruct;
  if (!splits && !scales) return false;
  const bool to_memory = which == GLSLstd450Modf || which == GLSLstd450Frexp;
  const Parts from = parts(of[2]);
  const std::vector<Type> types = context_.types(
      to_memory ? context_.pointee(context_.definition(of[3]).type) : instruction.type);
  Parts first, second;
  for (const ValueId value : from) {
    const Type type = builder_.type(value);
    if (splits) {
      second.push_back(values_.math(Math::trunc, type, {value}));
      first.push_back(builder_.binary(Op::fsub, value, second.back()));
    } else {
      first.push_back(values_.opaque_of(type, {value}, GLSLstd450Frexp * 64));
      second.push_back(values_.opaque_of(types.back(), {value}, GLSLstd450Frexp * 64 + 1));
    }
  }
  if (to_memory) {
    const Pointer to = pointer(of[3]);
    stored(to, second, manner_of(to, {}, true));
  } else {
    first.insert(first.end(), second.begin(), second.end());
  }
  give(instruction, std::move(first));
  return true;
}

bool FunctionReader::read_extended(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const std::uint32_t which = of[1];
  const std::vector<Type> types = context_.types(instruction.type);
  if (instruction.set == ExtendedSet::glsl && read_two_results(instruction)) return true;
  std::vector<Parts> operands;
  for (const Id operand : of.subspan(2)) operands.push_back(parts(operand));
  std::optional<Parts> made = instruction.set == ExtendedSet::glsl
                                  ? values_.glsl(which, types, operands)
                                  : values_.opencl(which, types, operands);
  if (!made || made->size() != types.size()) {
    throw Unsupported(fmt::format("the function {} of {}",
                                  extended_name(context_.words(), instruction),
                                  literal(context_.operands(of[0]))));
  }
  give(instruction, std::move(*made));
  return true;
}

// Of integers: of vectors, or of four bytes in a word. Low bits of the sum, which is then added to
// a third operand and saturates.
bool FunctionReader::read_dot(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const auto op = static_cast<spv::Op>(instruction.op);
  const bool adds =
      op == spv::Op::OpSDotAccSat || op == spv::Op::OpUDotAccSat || op == spv::Op::OpSUDotAccSat;
  const bool is_signed = op != spv::Op::OpUDot && op != spv::Op::OpUDotAccSat;
  const bool has_signed_second = op == spv::Op::OpSDot || op == spv::Op::OpSDotAccSat;
  const Type type = context_.scalar(instruction.type);
  Parts a = parts(of[0]), b = parts(of[1]);
  if (of.size() > (adds ? 3U : 2U)) {
    const std::vector<Type> bytes(4, Type::integer(8));
    a = values_.bitcast(a, bytes);
    b = values_.bitcast(b, bytes);
  }
  ValueId sum = builder_.integer(type.bits, 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const ValueId product = builder_.binary(Op::mul, builder_.resize(a[i], type.bits, is_signed),
                                            builder_.resize(b[i], type.bits, has_signed_second));
    sum = builder_.binary(Op::add, sum, product);
  }
  if (adds) {
    sum = values_.math(is_signed ? Math::sadd_sat : Math::uadd_sat, type, {sum, single(of[2])});
  }
  give(instruction, {sum});
  return true;
}

bool FunctionReader::read_value(const RawInstruction& instruction) {
  if (instruction.type == 0 || instruction.result == 0) return false;
  const auto of = context_.words().operands(instruction);
  const auto op = static_cast<spv::Op>(instruction.op);
  switch (op) {
    case spv::Op::OpExtInst:
      return read_extended(instruction);
    case spv::Op::OpUndef:
      return true;  // a constant
    case spv::Op::OpCompositeConstruct:
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpCompositeInsert:
    case spv::Op::OpVectorShuffle:
    case spv::Op::OpVectorExtractDynamic:
    case spv::Op::OpVectorInsertDynamic:
      read_composite(instruction);
      return true;
    case spv::Op::OpTranspose:
    case spv::Op::OpMatrixTimesVector:
    case spv::Op::OpVectorTimesMatrix:
    case spv::Op::OpMatrixTimesMatrix:
    case spv::Op::OpOuterProduct:
      give(instruction, read_matrix(instruction));
      return true;
    case spv::Op::OpSDot:
    case spv::Op::OpUDot:
    case spv::Op::OpSUDot:
    case spv::Op::OpSDotAccSat:
    case spv::Op::OpUDotAccSat:
    case spv::Op::OpSUDotAccSat:
      return read_dot(instruction);
    default:
      break;
  }
  // What has operands that are no values is none of what follows.
  if (context_.op(instruction.type) == spv::Op::OpTypeVoid) return false;
  std::vector<Parts> operands;
  for (const Id operand : of) operands.push_back(parts(operand));
  std::optional<Parts> made = values_.operation(op, context_.types(instruction.type), operands);
  if (!made) return false;
  give(instruction, std::move(*made));
  return true;
}

}  // namespace headway::kernel::spirv
