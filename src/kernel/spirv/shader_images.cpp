// Images of shaders: their sizes, which come with the launch, and storage images, which are memory,
// texel by texel. What is sampled or fetched may be anything. The value of an image is which one it
// is, a place (place_of) and an index, and how its variable is declared.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/ir/premises.hpp"
#include "kernel/spirv/function_reader.hpp"

namespace headway::kernel::spirv {
namespace {

constexpr std::uint64_t kLongestSide = 32768;      // texels, at most
constexpr std::uint64_t kMostTexels = 0x7fffffff;  // of buffers of texels
constexpr const char* kSizes =
    "images have 1 to 32768 texels a side, and the levels that they are asked for";
constexpr std::uint64_t kTexelBytes = 16;  // four components of 32 bits, at most
constexpr std::uint64_t kFaces = 6;        // of a cube

// How many components a texel has, and whether it holds what is written as it is: 32 or 64 bits
// each, integers or reals. Others are rounded.
struct Texel {
  std::size_t components = 4;
  bool is_exact = false;
};
Texel texel_of(spv::ImageFormat format) {
  switch (format) {
    case spv::ImageFormat::R32f:
    case spv::ImageFormat::R32i:
    case spv::ImageFormat::R32ui:
    case spv::ImageFormat::R64i:
    case spv::ImageFormat::R64ui:
      return {1, true};
    case spv::ImageFormat::Rg32f:
    case spv::ImageFormat::Rg32i:
    case spv::ImageFormat::Rg32ui:
      return {2, true};
    case spv::ImageFormat::Rgba32f:
    case spv::ImageFormat::Rgba32i:
    case spv::ImageFormat::Rgba32ui:
      return {4, true};
    case spv::ImageFormat::R16f:
    case spv::ImageFormat::R16:
    case spv::ImageFormat::R8:
    case spv::ImageFormat::R16Snorm:
    case spv::ImageFormat::R8Snorm:
    case spv::ImageFormat::R16i:
    case spv::ImageFormat::R8i:
    case spv::ImageFormat::R16ui:
    case spv::ImageFormat::R8ui:
      return {1, false};
    case spv::ImageFormat::Rg16f:
    case spv::ImageFormat::Rg16:
    case spv::ImageFormat::Rg8:
    case spv::ImageFormat::Rg16Snorm:
    case spv::ImageFormat::Rg8Snorm:
    case spv::ImageFormat::Rg16i:
    case spv::ImageFormat::Rg8i:
    case spv::ImageFormat::Rg16ui:
    case spv::ImageFormat::Rg8ui:
      return {2, false};
    case spv::ImageFormat::R11fG11fB10f:
      return {3, false};
    case spv::ImageFormat::Unknown:
    case spv::ImageFormat::Rgba16f:
    case spv::ImageFormat::Rgba8:
    case spv::ImageFormat::Rgba8Snorm:
    case spv::ImageFormat::Rgba16:
    case spv::ImageFormat::Rgb10A2:
    case spv::ImageFormat::Rgba16Snorm:
    case spv::ImageFormat::Rgba16i:
    case spv::ImageFormat::Rgba8i:
    case spv::ImageFormat::Rgba16ui:
    case spv::ImageFormat::Rgba8ui:
    case spv::ImageFormat::Rgb10a2ui:
    case spv::ImageFormat::Max:
      break;
  }
  return {4, false};
}

}  // namespace

FunctionReader::ImageType FunctionReader::image_type(Id type) const {
  if (context_.op(type) == spv::Op::OpTypeSampledImage) type = context_.operands(type)[0];
  const auto of = context_.operands(type);
  constexpr std::size_t words = 7;
  if (context_.op(type) != spv::Op::OpTypeImage || of.size() < words) {
    throw Unsupported("an access of an image that is none");
  }
  ImageType result;
  result.dim = static_cast<spv::Dim>(of[1]);
  result.is_array = of[3] != 0;
  result.has_samples = of[4] != 0;
  result.format = static_cast<spv::ImageFormat>(of[6]);
  return result;
}

std::uint64_t FunctionReader::most_texels(Id type) const {
  const bool is_image =
      context_.op(type) == spv::Op::OpTypeImage || context_.op(type) == spv::Op::OpTypeSampledImage;
  return is_image && image_type(type).dim == spv::Dim::Buffer ? kMostTexels : kLongestSide;
}

// A size of an image, or how many levels or samples it has: of a known image and level it comes
// with the launch, otherwise it is a function of both. `from`: the image and the level, where one
// is named; `part` counts the scalars of what is asked for.
ValueId FunctionReader::image_word(spv::Op op, const Parts& from, Type type, std::uint32_t part) {
  const std::uint32_t which = static_cast<std::uint32_t>(op) * 64 + part;
  std::vector<std::uint64_t> key = {which};
  for (const ValueId value : from) {
    const auto known = builder_.known(value);
    if (!known) return values_.opaque_of(type, from, which);
    key.push_back(*known);
  }
  const auto [found, is_new] = image_words_.try_emplace(key, kNone);
  if (!is_new) return found->second;
  std::string name = image_names_.at({key[1], key[2]});
  if (op == spv::Op::OpImageQueryLevels) {
    name += ".levels";
  } else if (op == spv::Op::OpImageQuerySamples) {
    name += ".samples";
  } else {
    name += key.size() > 3 && key[3] > 0 ? fmt::format(".level{}", key[3]) : std::string(".size");
    name += fmt::format(".{}", "xyzw"[part % 4]);
  }
  Function& into = builder_.function();
  Parameter made;
  made.name = free_name(name, "image");
  made.type = type;
  const ValueId value = builder_.argument(type, into.parameters.size(), made.name);
  into.parameters.push_back(std::move(made));
  into.arguments.push_back(value);
  return found->second = value;
}

// The same, within what images have.
ValueId FunctionReader::image_size(spv::Op op, const Parts& from, Type type, std::uint32_t part,
                                   std::uint64_t most) {
  add_premise(builder_.function(), kSizes);
  const ValueId found = image_word(op, from, type, part);
  const ValueId one = builder_.integer(type.bits, 1);
  const ValueId fits = builder_.binary(Op::ult, builder_.binary(Op::sub, found, one),
                                       builder_.integer(type.bits, most));
  return builder_.select(fits, found, one);
}

namespace {

// The value of an image, but how a variable declares it.
Parts which_image(const Parts& image) {
  constexpr std::size_t parts = 4;
  if (image.size() != parts) throw Unsupported("an image that is none");
  return {image[0], image[1]};
}

}  // namespace

Parts FunctionReader::image_query(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const Id type = context_.definition(of[0]).type;
  Parts from = which_image(parts(of[0]));
  if (of.size() > 1) from.push_back(single(of[1]));
  Parts all;
  for (const Type& part : context_.types(instruction.type)) {
    all.push_back(image_size(static_cast<spv::Op>(instruction.op), from, part,
                             static_cast<std::uint32_t>(all.size()), most_texels(type)));
  }
  return all;
}

// The variable that an image comes from; 0: a parameter of a function, which may be any.
Id FunctionReader::image_variable(Id image) const {
  while (context_.op(image) == spv::Op::OpLoad || context_.op(image) == spv::Op::OpAccessChain) {
    image = context_.operands(image)[0];
  }
  const bool is_variable =
      context_.op(image) == spv::Op::OpVariable &&
      context_.storage(context_.definition(image).type) == spv::StorageClass::UniformConstant;
  return is_variable ? image : 0;
}

// Which storage images a module writes to, and of which it asks for the size: what is beyond that
// is not accessed then.
void FunctionReader::find_storage_images() {
  const auto put = [&](Id image, Places& to) {
    if (const Id variable = image_variable(image)) {
      to.some.insert(place_of(variable));
    } else {
      to.all = true;
    }
  };
  for (const RawInstruction& one : context_.words().instructions) {
    const auto of = context_.words().operands(one);
    switch (static_cast<spv::Op>(one.op)) {
      case spv::Op::OpImageRead:
        has_storage_images_ = true;
        break;
      case spv::Op::OpImageWrite:
      case spv::Op::OpImageTexelPointer:
        has_storage_images_ = true;
        put(of[0], written_images_);
        break;
      case spv::Op::OpImageQuerySize:
        put(of[0], sized_images_);
        break;
      default:
        break;
    }
  }
}

// How people call its texels: "image(3, 0).x", and by coordinates alone where they have one
// component, or ones that nobody sees.
std::uint32_t FunctionReader::texel_names(const Type& component, std::size_t components,
                                          std::size_t coordinates) {
  std::vector<SourceType>& types = context_.module().types;
  const auto put = [&](SourceType type) {
    types.push_back(std::move(type));
    return static_cast<std::uint32_t>(types.size() - 1);
  };
  SourceType scalar, texel, image;
  scalar.bytes = static_cast<std::uint64_t>(component.bytes());
  const std::uint32_t of_scalar = put(scalar);
  texel.bytes = kTexelBytes;
  for (std::size_t i = 0; i < components; ++i) {
    texel.members.push_back(
        {components > 1 ? std::string(1, "xyzw"[i]) : "", i * scalar.bytes, of_scalar});
  }
  image.element = put(std::move(texel));
  image.dimensions = static_cast<int>(coordinates);
  image.count = coordinates > 1 ? kLongestSide : kMostTexels;
  image.bytes = kTexelBytes;
  for (std::size_t d = 0; d < coordinates; ++d) image.bytes *= image.count;
  return put(std::move(image));
}

// Memory for a storage image: 16 bytes a texel, in rows of the longest side that there is.
ValueId FunctionReader::image_memory(std::uint64_t place, std::uint64_t index, Id type,
                                     std::size_t coordinates) {
  const auto [found, is_new] = texels_.try_emplace({place, index}, kNone);
  if (!is_new) return found->second;
  Function& into = builder_.function();
  Parameter made;
  made.name = free_name(image_names_.at({place, index}), "image");
  made.type = Type::pointer();
  made.align = static_cast<int>(kTexelBytes);
  made.element_type = texel_names(context_.scalar(context_.operands(type)[0]),
                                  texel_of(image_type(type).format).components, coordinates);
  const ValueId value = builder_.argument(made.type, into.parameters.size(), made.name);
  into.parameters.push_back(std::move(made));
  into.arguments.push_back(value);
  return found->second = value;
}

// Where a texel is, and whether it is in its image at all: what is beyond is not written, and gives
// any value (Vulkan, "Texel Output Coordinate Validation" and "Texel Replacement"; WGSL,
// textureStore).
Pointer FunctionReader::texel(const Parts& image, Id type, const Parts& coordinates) {
  const ImageType is = image_type(type);
  if (is.has_samples) throw Unsupported("a storage image of several samples");
  if (is.dim == spv::Dim::SubpassData) throw Unsupported("an attachment as an image");
  const Parts which = which_image(image);
  const auto place = builder_.known(which[0]), index = builder_.known(which[1]);
  if (!place || !index) throw Unsupported("a storage image that is chosen at run time");
  add_premise(builder_.function(), kSizes);
  Pointer at;
  at.storage = spv::StorageClass::Image;
  at.is_coherent = builder_.known(image[2]) == 1U;
  at.is_volatile = builder_.known(image[3]) == 1U;
  at.inside = builder_.integer(1, 1);
  const bool is_sized = sized_images_.contains(*place);
  const std::uint64_t most = most_texels(type);
  ValueId linear = builder_.integer(64, 0);
  for (std::size_t d = coordinates.size(); d-- > 0;) {
    const ValueId wide = builder_.resize(coordinates[d], 64, true);
    const bool is_face = is.dim == spv::Dim::Cube && d == 2;
    ValueId end = builder_.integer(64, is_face && !is.is_array ? kFaces : most);
    if (is_sized && (!is_face || is.is_array)) {
      const ValueId size = image_size(spv::Op::OpImageQuerySize, which_image(image),
                                      Type::integer(32), static_cast<std::uint32_t>(d), most);
      end = builder_.resize(size, 64, false);
      // An array of cubes says how many cubes it has.
      if (is_face) end = builder_.binary(Op::mul, end, builder_.integer(64, kFaces));
    }
    const ValueId fits = builder_.binary(Op::ult, wide, end);
    at.inside = builder_.binary(Op::bit_and, at.inside, fits);
    linear = builder_.binary(
        Op::add, builder_.binary(Op::mul, linear, builder_.integer(64, kLongestSide)), wide);
  }
  at.address = builder_.offset(image_memory(*place, *index, type, coordinates.size()),
                               builder_.binary(Op::mul, linear, builder_.integer(64, kTexelBytes)));
  return at;
}

// Accesses memory where it is there, which gives values of these types; any values elsewhere.
Parts FunctionReader::where_inside(const Pointer& at, const std::vector<Type>& types,
                                   const std::function<Parts()>& access) {
  if (at.inside == kNone || builder_.known(at.inside) == 1U) return access();
  Parts elsewhere;
  for (const Type& type : types) elsewhere.push_back(builder_.operation(Op::unknown, type, {}));
  const BlockId before = builder_.here(), inside = builder_.block(), after = builder_.block();
  builder_.branch(at.inside, inside, after);
  builder_.at(inside);
  const Parts there = access();
  builder_.jump(after);
  builder_.at(after);
  Parts all;
  for (std::size_t i = 0; i < types.size(); ++i) {
    all.push_back(builder_.forward(types[i]));
    builder_.phi(after, all.back(), {{inside, there[i]}, {before, elsewhere[i]}});
  }
  return all;
}

// Vulkan's memory model says of each access of a texel what it says of one of a pointer.
FunctionReader::Manner FunctionReader::manner_of_texel(const Pointer& at,
                                                       std::span<const std::uint32_t> operands,
                                                       bool stores) {
  const std::uint32_t mask = operands.empty() ? 0 : operands[0];
  const auto has = [&](spv::ImageOperandsMask bit) {
    return (mask & static_cast<std::uint32_t>(bit)) != 0;
  };
  const auto known = static_cast<std::uint32_t>(
      spv::ImageOperandsMask::MakeTexelAvailable | spv::ImageOperandsMask::MakeTexelVisible |
      spv::ImageOperandsMask::NonPrivateTexel | spv::ImageOperandsMask::VolatileTexel |
      spv::ImageOperandsMask::SignExtend | spv::ImageOperandsMask::ZeroExtend |
      spv::ImageOperandsMask::Nontemporal);
  if ((mask & ~known) != 0) throw Unsupported("an operand of an access of a texel");
  Declared how;
  how.is_volatile = has(spv::ImageOperandsMask::VolatileTexel);
  how.is_shared = has(spv::ImageOperandsMask::NonPrivateTexel);
  // A store has the one, a load the other: the only operand that there is.
  if (has(stores ? spv::ImageOperandsMask::MakeTexelAvailable
                 : spv::ImageOperandsMask::MakeTexelVisible)) {
    how.known_to = scope_of(operands[1]);
  }
  return manner(at, how, stores);
}

// A load of a component of a texel; a store but for what is stored.
Instruction FunctionReader::access_of(const Pointer& texel, std::size_t component, Type type,
                                      const Manner& manner) {
  Instruction made;
  made.op = Op::load;
  made.type = type;
  made.operands = {
      builder_.offset(texel.address, static_cast<std::int64_t>(component) * type.bytes())};
  made.is_volatile = manner.is_volatile;
  made.scope = manner.scope;
  made.result = builder_.forward(type);
  return made;
}

void FunctionReader::read_texel(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const Id type = context_.definition(of[0]).type;
  const Pointer at = texel(parts(of[0]), type, parts(of[1]));
  const Manner manner = manner_of_texel(at, of.subspan(2), false);
  const std::vector<Type> types = context_.types(instruction.type);
  const Texel has = texel_of(image_type(type).format);
  // What nobody writes is the same for all, whatever bits it has.
  const auto place = builder_.known(parts(of[0])[0]);
  const bool is_kept = has.is_exact || (place && !written_images_.contains(*place));
  // Elsewhere the first component stands for the texel.
  const std::size_t count = std::min(types.size(), is_kept ? has.components : 1);
  const std::vector<Type> loads(types.begin(), types.begin() + static_cast<std::ptrdiff_t>(count));
  const Parts there = where_inside(at, loads, [&] {
    Parts all;
    for (const Type& one : loads) {
      all.push_back(builder_.emit(access_of(at, all.size(), one, manner)));
    }
    return all;
  });
  Parts all;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i >= has.components) {  // what the format does not have
      const std::uint64_t one = types[i].is_real() ? from_double(1, types[i].bits) : 1;
      all.push_back(builder_.constant(types[i], i == 3 ? one : 0));
    } else if (is_kept) {
      all.push_back(there[i]);
    } else {
      all.push_back(builder_.operation(Op::unknown, types[i], {}));
    }
  }
  give(instruction, std::move(all));
}

void FunctionReader::write_texel(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const Id type = context_.definition(of[0]).type;
  const Pointer at = texel(parts(of[0]), type, parts(of[1]));
  const Manner manner = manner_of_texel(at, of.subspan(3), true);
  Parts values = parts(of[2]);
  // All of them, as two writes of one value are no race.
  values.resize(std::min(values.size(), texel_of(image_type(type).format).components));
  where_inside(at, {}, [&] {
    for (std::size_t i = 0; i < values.size(); ++i) {
      Instruction made = access_of(at, i, builder_.type(values[i]), manner);
      made.op = Op::store;
      made.result = kNone;
      made.operands.push_back(values[i]);
      made.is_further_part = i > 0;
      builder_.emit(std::move(made));
    }
    return Parts();
  });
}

// A place for atomic accesses, which where_inside is about, too.
void FunctionReader::point_to_texel(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const Pointer image = pointer(of[0]);
  Pointer at = texel(loaded(image, {}), image.type, parts(of[1]));
  at.type = context_.pointee(instruction.type);
  give(instruction, {at.address});
  frame_->pointers[instruction.result] = std::move(at);
}

bool FunctionReader::read_shader_image(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  switch (static_cast<spv::Op>(instruction.op)) {
    case spv::Op::OpSampledImage:
    case spv::Op::OpImage:
      give(instruction, parts(of[0]));
      return true;
    case spv::Op::OpImageSampleExplicitLod:
    case spv::Op::OpImageSampleDrefExplicitLod:
    case spv::Op::OpImageSampleProjExplicitLod:
    case spv::Op::OpImageSampleProjDrefExplicitLod:
    case spv::Op::OpImageFetch:
    case spv::Op::OpImageGather:
    case spv::Op::OpImageDrefGather: {
      if (has_storage_images_) add_premise(builder_.function(), kTextures);
      Parts all;
      for (const Type& type : context_.types(instruction.type)) {
        all.push_back(builder_.operation(Op::unknown, type, {}));
      }
      give(instruction, std::move(all));
      return true;
    }
    case spv::Op::OpImageQuerySize:
    case spv::Op::OpImageQuerySizeLod:
    case spv::Op::OpImageQueryLevels:
    case spv::Op::OpImageQuerySamples:
      give(instruction, image_query(instruction));
      return true;
    case spv::Op::OpImageRead:
      read_texel(instruction);
      return true;
    case spv::Op::OpImageWrite:
      write_texel(instruction);
      return true;
    case spv::Op::OpImageTexelPointer:
      point_to_texel(instruction);
      return true;
    default:
      return false;
  }
}

}  // namespace headway::kernel::spirv
