// Variables and accesses of an entry point.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernel/spirv/function_reader.hpp"

namespace headway::kernel::spirv {

void FunctionReader::make_private(Id variable) {
  const RawInstruction& made = context_.definition(variable);
  Pointer result;
  result.type = context_.pointee(made.type);
  result.storage = spv::StorageClass::Private;
  result.is_whole = true;
  result.address = local_variable(made, context_.name(variable));
  variables_[variable] = result;
}

ValueId FunctionReader::local_variable(const RawInstruction& instruction, std::string name) {
  const Id type = context_.pointee(instruction.type);
  Object object;
  object.name = name.empty() ? fmt::format("%{}", instruction.result) : std::move(name);
  object.space = Space::local;
  object.bytes = context_.bytes(type);
  object.align = std::max(1, context_.alignment(type));
  object.line = builder_.place().line;
  const ValueId address = builder_.address(builder_.local(std::move(object)));
  builder_.operation(Op::begin_lifetime, {}, {address});
  const auto of = context_.words().operands(instruction);
  if (of.size() > 1) {
    Pointer to;
    to.address = address;
    to.type = type;
    stored(to, parts(of[1]), {});
  }
  return address;
}

Pointer FunctionReader::made_variable(Id id) {
  const RawInstruction& made = context_.definition(id);
  const auto of = context_.words().operands(made);
  Pointer result;
  result.type = context_.pointee(made.type);
  result.storage = context_.storage(made.type);
  result.is_whole = true;
  result.variable = id;
  result.name = context_.name(id);
  result.is_coherent = context_.decoration(id, spv::Decoration::Coherent).has_value();
  result.is_volatile = context_.decoration(id, spv::Decoration::Volatile).has_value();
  const spv::Op shape = context_.op(result.type);
  const bool is_array = shape == spv::Op::OpTypeArray || shape == spv::Op::OpTypeRuntimeArray;
  const auto module_object = [&](Space space) {
    Object object;
    object.name = result.name.empty() ? fmt::format("%{}", id) : result.name;
    object.symbol = fmt::format("%{}", id);
    object.space = space;
    object.bytes = context_.bytes(result.type);
    if (object.bytes > (std::uint64_t{1} << 30)) throw Unsupported("a variable above 1 GiB");
    object.align = std::max(1, context_.alignment(result.type));
    if (of.size() > 1) {
      if (!context_.is_constant(of[1])) throw Unsupported("an initializer that is no constant");
      std::vector<std::uint8_t> content(object.bytes);
      const std::vector<Leaf> leaves = context_.op(of[1]) == spv::Op::OpConstantNull
                                           ? std::vector<Leaf>()
                                           : context_.leaves(result.type);
      for (std::size_t i = 0; i < leaves.size(); ++i) {
        const auto bits = context_.constant(of[1])[i].bits;
        if (!bits) throw Unsupported("an initializer that is undefined in part");
        for (int b = 0; b < leaves[i].type.bytes(); ++b) {
          content[leaves[i].at + static_cast<unsigned>(b)] =
              static_cast<std::uint8_t>(*bits >> (8 * b));
        }
      }
      object.initial = std::move(content);
    }
    object.read_only = space == Space::constant && object.initial.has_value();
    context_.module().objects.push_back(std::move(object));
    result.address = builder_.address(static_cast<ObjectId>(context_.module().objects.size() - 1));
  };
  switch (result.storage) {
    case spv::StorageClass::Input:
      result.root = Pointer::Root::input;
      return result;
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::Uniform: {
      if (is_array) {
        result.root = Pointer::Root::descriptors;
        return result;
      }
      if (result.storage == spv::StorageClass::StorageBuffer ||
          context_.decoration(result.type, spv::Decoration::BufferBlock)) {
        result.address = buffer(id, 0);
        return result;
      }
      [[fallthrough]];
    }
    case spv::StorageClass::PushConstant:
      if (result.name.empty()) result.name = context_.name(result.type);
      result.root = Pointer::Root::block;
      return result;
    case spv::StorageClass::Workgroup:
      if (context_.decoration(id, spv::Decoration::Aliased)) {
        throw Unsupported("workgroup variables that share their memory (Aliased)");
      }
      module_object(Space::workgroup);
      return result;
    case spv::StorageClass::CrossWorkgroup:
      module_object(Space::global);
      return result;
    case spv::StorageClass::UniformConstant:
      if (context_.is_shader()) {  // an image or a sampler
        result.root = Pointer::Root::descriptors;
        return result;
      }
      module_object(Space::constant);
      return result;
    case spv::StorageClass::PhysicalStorageBuffer:
      throw Unsupported("physical storage buffers");
    default:
      throw Unsupported("the variable '" + context_.name(id) + "' of an unknown storage class");
  }
}

namespace {

// Of what has no memory: which image, or sampler, it is.
bool is_handle(spv::Op type) {
  return type == spv::Op::OpTypeImage || type == spv::Op::OpTypeSampler ||
         type == spv::Op::OpTypeSampledImage;
}

}  // namespace

Pointer FunctionReader::pointer(Id id) {
  const auto own = frame_->pointers.find(id);
  if (own != frame_->pointers.end()) return own->second;
  const RawInstruction& made = context_.definition(id);
  if (made.type == 0 || !context_.is_pointer(made.type)) {
    throw Unsupported(fmt::format("%{}, which is no pointer", id));
  }
  const spv::StorageClass storage = context_.storage(made.type);
  const bool is_global = static_cast<spv::Op>(made.op) == spv::Op::OpVariable &&
                         storage != spv::StorageClass::Function;
  if (is_global) {
    const auto found = variables_.find(id);
    if (found != variables_.end()) return found->second;
    return variables_[id] = made_variable(id);
  }
  if (storage == spv::StorageClass::PhysicalStorageBuffer) {
    throw Unsupported("physical storage buffers");
  }
  Pointer result;
  result.type = context_.pointee(made.type);
  result.storage = storage;
  result.address = single(id);
  return result;
}

// A block, or a part of it, as memory.
Pointer FunctionReader::materialized(const Pointer& from) {
  Pointer result = from;
  result.root = Pointer::Root::memory;
  result.is_coherent = true;  // as nobody writes it
  result.address =
      builder_.offset(buffer(from.variable, 0), static_cast<std::int64_t>(from.offset));
  return result;
}

Pointer FunctionReader::part_of(Pointer from, Id index_id) {
  const ValueId index = single(index_id);
  const bool is_whole = std::exchange(from.is_whole, false);
  const auto known = builder_.known(index);
  const spv::Op shape = context_.op(from.type);
  if (from.root == Pointer::Root::descriptors) {
    if (!known) throw Unsupported("a descriptor that is chosen at run time");
    if (const Id chosen = context_.part(from.type, 0);
        context_.op(chosen) != spv::Op::OpTypeStruct) {
      from.offset = *known + 1;  // an image or a sampler
      from.type = chosen;
      return from;
    }
    from.root = Pointer::Root::memory;
    from.address = buffer(from.variable, *known);
    from.type = context_.part(from.type, 0);
    return from;
  }
  if (from.root == Pointer::Root::input || from.index != kNone) {
    if (from.index != kNone || shape != spv::Op::OpTypeVector) {
      throw Unsupported("a part of an input that is no vector");
    }
    from.index = index;
    from.type = context_.part(from.type, 0);
    return from;
  }
  if (shape == spv::Op::OpTypeStruct) {
    if (!known) throw Unsupported("a member that is chosen at run time");
    const auto member = static_cast<std::uint32_t>(*known);
    const std::uint64_t at = context_.part_at(from.type, member, from.layout);
    const auto declared = [&](spv::Decoration how) {
      return context_.decoration(from.type, member, how).has_value();
    };
    from.is_coherent = from.is_coherent || declared(spv::Decoration::Coherent);
    from.is_volatile = from.is_volatile || declared(spv::Decoration::Volatile);
    if (from.root == Pointer::Root::block) {
      from.offset += at;
      const std::string name = context_.member_name(from.type, member);
      const bool is_top = from.type == context_.pointee(context_.definition(from.variable).type);
      from.name = is_top ? name : from.name + "." + name;
    } else {
      from.address = builder_.offset(from.address, static_cast<std::int64_t>(at));
    }
    from.layout = context_.part_layout(from.type, member, from.layout);
    from.type = context_.part(from.type, member);
    return from;
  }
  if (from.root == Pointer::Root::block) {
    if (shape == spv::Op::OpTypeVector) {
      from.index = index;
      from.whole = from.type;
      from.type = context_.part(from.type, 0);
      return from;
    }
    from = materialized(from);
  }
  if (shape == spv::Op::OpTypeVector) {
    from.vector = from.address;
    from.vector_layout = from.layout;
    from.whole = from.type;
    from.component = index;
  }
  const ValueId wide = builder_.resize(index, 64, true);
  const ValueId bytes =
      builder_.binary(Op::mul, wide, builder_.integer(64, context_.stride(from.type, from.layout)));
  from.address = builder_.offset(from.address, bytes);
  if (!is_whole && shape != spv::Op::OpTypeRuntimeArray) {
    from.within.emplace_back(index, context_.length(from.type));
  }
  const Id type = context_.part(from.type, 0);
  from.layout = context_.part_layout(from.type, 0, from.layout);
  from.type = type;
  return from;
}

Pointer FunctionReader::chained(Pointer from, std::span<const std::uint32_t> indices) {
  for (const Id index : indices) from = part_of(std::move(from), index);
  return from;
}

void FunctionReader::claim_within(const Pointer& at) {
  for (const auto& [index, length] : at.within) builder_.within(index, length);
}

Parts FunctionReader::loaded(const Pointer& from, const Manner& manner) {
  claim_within(from);
  switch (from.root) {
    case Pointer::Root::input:
      return input(from);
    case Pointer::Root::block: {
      if (from.index == kNone) return loaded_block(from);
      // One component of a vector.
      Pointer whole = from;
      whole.index = kNone;
      whole.type = from.whole;
      return {element(loaded_block(whole), from.index)};
    }
    case Pointer::Root::descriptors: {  // an image or a sampler: which one it is
      const std::uint64_t place = place_of(from.variable);
      std::string& name = image_names_[{place, from.offset}] = context_.name(from.variable);
      if (from.offset > 0) name += fmt::format("_{}", from.offset - 1);
      return {builder_.integer(64, place), builder_.integer(64, from.offset),
              builder_.integer(1, from.is_coherent), builder_.integer(1, from.is_volatile)};
    }
    case Pointer::Root::handle:
      if (handles_[from.offset].empty())
        throw Unsupported("an image that is used before it is set");
      return handles_[from.offset];
    case Pointer::Root::memory:
      break;
  }
  Parts all;
  for (const Leaf& leaf : context_.leaves(from.type, from.layout)) {
    if (leaf.type.is_pointer()) require_own(from);
    Instruction made;
    made.op = Op::load;
    made.type = leaf.type;
    made.operands = {builder_.offset(from.address, static_cast<std::int64_t>(leaf.at))};
    made.is_volatile = manner.is_volatile;
    made.scope = manner.scope;
    made.result = builder_.forward(leaf.type);
    all.push_back(builder_.emit(std::move(made)));
  }
  return all;
}

// Whether pointers lie where a pointer of this type goes, in eight bytes that are four.
bool FunctionReader::has_bytes_of_pointers(Id pointer_type) {
  return context_.has_short_pointers() && context_.holds_pointers(context_.pointee(pointer_type));
}

// Memory that holds a pointer must be a variable of the module where addresses have 32 bits: the
// host lays out its own memory with four bytes for each.
void FunctionReader::require_own(const Pointer& at) const {
  if (!context_.has_short_pointers()) return;
  switch (at.storage) {
    case spv::StorageClass::Function:
    case spv::StorageClass::Private:
    case spv::StorageClass::Workgroup:
      return;
    default:
      throw Unsupported("a pointer of 32 bits in memory that the host may lay out");
  }
}

void FunctionReader::stored(const Pointer& to, const Parts& values, const Manner& manner) {
  if (to.root != Pointer::Root::memory) throw Unsupported("a store to something that is no memory");
  claim_within(to);
  const std::vector<Leaf> leaves = context_.leaves(to.type, to.layout);
  if (leaves.size() != values.size()) throw Unsupported("a store of a value of another type");
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].type.is_pointer()) require_own(to);
    Instruction made;
    made.op = Op::store;
    made.type = leaves[i].type;
    made.operands = {builder_.offset(to.address, static_cast<std::int64_t>(leaves[i].at)),
                     values[i]};
    made.is_volatile = manner.is_volatile;
    made.scope = manner.scope;
    made.is_further_part = i > 0;
    builder_.emit(std::move(made));
  }
}

// In WGSL a write of a component may access all of its vector ("Component Reference from Vector
// Memory View"): it is read, changed and written as a whole.
void FunctionReader::store_component(const Pointer& to, ValueId value, const Manner& manner) {
  claim_within(to);
  Pointer whole = to;
  whole.within.clear();
  whole.address = to.vector;
  whole.layout = to.vector_layout;
  whole.type = to.whole;
  whole.vector = whole.component = kNone;
  stored(whole, changed(loaded(whole, manner), to.component, value), manner);
}

// Vulkan's memory model says of each access whether others are ordered with it (NonPrivatePointer).
// In GLSL and HLSL what reaches other workgroups is declared: coherent, globallycoherent; volatile
// counts as such.
FunctionReader::Manner FunctionReader::manner_of(const Pointer& at,
                                                 std::span<const std::uint32_t> operands,
                                                 bool stores) {
  const std::uint32_t mask = operands.empty() ? 0 : operands[0];
  const auto has = [&](spv::MemoryAccessMask bit) {
    return (mask & static_cast<std::uint32_t>(bit)) != 0;
  };
  Declared how;
  how.is_volatile = has(spv::MemoryAccessMask::Volatile);
  how.is_shared = has(spv::MemoryAccessMask::NonPrivatePointer);
  if (context_.is_vulkan() && how.is_shared) how.known_to = made_known_in(operands, stores);
  return manner(at, how, stores);
}

FunctionReader::Manner FunctionReader::manner(const Pointer& at, const Declared& how, bool stores) {
  Manner result;
  result.is_volatile = at.is_volatile || how.is_volatile;
  const bool is_shared = at.root == Pointer::Root::memory &&
                         at.storage != spv::StorageClass::Function &&
                         at.storage != spv::StorageClass::Private;
  if (!is_shared) return result;
  if (!context_.is_vulkan()) {
    const bool is_buffer = at.storage == spv::StorageClass::StorageBuffer ||
                           at.storage == spv::StorageClass::Uniform ||
                           at.storage == spv::StorageClass::Image;
    if (context_.is_shader() && is_buffer && !at.is_coherent && !result.is_volatile) {
      result.scope = Scope::workgroup;
    }
    return result;
  }
  if (!how.is_shared) {
    result.scope = Scope::thread;
    return result;
  }
  if (how.known_to == Scope::thread) {
    (stores ? unavailable_store_ : invisible_load_) = true;
  } else if (how.known_to <
             (at.storage == spv::StorageClass::Workgroup ? Scope::workgroup : Scope::device)) {
    narrow_ = true;
    result.scope = how.known_to;
  }
  return result;
}

// To whom a store makes what it writes available, and a load makes visible what it reads.
Scope FunctionReader::made_known_in(std::span<const std::uint32_t> operands, bool stores) {
  const auto has = [&](spv::MemoryAccessMask bit) {
    return (operands[0] & static_cast<std::uint32_t>(bit)) != 0;
  };
  const auto wanted = stores ? spv::MemoryAccessMask::MakePointerAvailable
                             : spv::MemoryAccessMask::MakePointerVisible;
  if (!has(wanted)) return Scope::thread;
  // Behind the mask: an alignment, and these two scopes, in this order.
  std::size_t at = has(spv::MemoryAccessMask::Aligned) ? 2 : 1;
  if (!stores && has(spv::MemoryAccessMask::MakePointerAvailable)) ++at;
  return scope_of(operands[at]);
}

// A release that makes all available that it is behind, and an acquire that makes it visible, reach
// further than accesses that do so for their subgroup or workgroup.
void FunctionReader::settle_availability() {
  if (release_ && unavailable_store_) {
    builder_.at(*release_);
    throw Unsupported("a release that makes nothing available, beside stores that do not either");
  }
  if (acquire_ && invisible_load_) {
    builder_.at(*acquire_);
    throw Unsupported("an acquire that makes nothing visible, beside loads that do not either");
  }
  if (!narrow_) return;
  if (!release_ && !acquire_) {
    for (Block& block : builder_.function().blocks) {
      for (Instruction& i : block.code) {
        if ((i.op == Op::load || i.op == Op::store) && i.scope > Scope::thread) {
          i.scope = Scope::system;
        }
      }
    }
  } else if (makes_available_ || makes_visible_) {
    builder_.at(release_ ? *release_ : *acquire_);
    throw Unsupported(
        "a release or acquire that makes nothing available or visible, beside others that do, and "
        "accesses that do so for their workgroup or subgroup");
  }
}

// A variable stands for one image, wherever it is set.
void FunctionReader::set_handle(const Pointer& of, const Parts& values) {
  Parts& known = handles_[of.offset];
  if (!known.empty() && known != values) {
    throw Unsupported("a variable that stands for several images");
  }
  known = values;
}

void FunctionReader::read_load(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const Pointer from = pointer(of[0]);
  const Manner manner = manner_of(from, of.subspan(1), false);
  const bool by_component = context_.op(from.type) == spv::Op::OpTypeVector &&
                            from.root == Pointer::Root::memory && context_.has_apart_components();
  Parts all = by_component ? loaded_components(instruction, from, manner) : loaded(from, manner);
  if (context_.is_pointer(instruction.type) && all.size() == 1) {
    Pointer to;
    to.address = all.front();
    to.type = context_.pointee(instruction.type);
    to.storage = context_.storage(instruction.type);
    frame_->pointers[instruction.result] = to;
  }
  give(instruction, std::move(all));
}

void FunctionReader::read_store(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const Pointer to = pointer(of[0]);
  if (to.root == Pointer::Root::handle) return set_handle(to, parts(of[1]));
  const Manner manner = manner_of(to, of.subspan(2), true);
  const bool is_own =
      to.storage == spv::StorageClass::Function || to.storage == spv::StorageClass::Private;
  if (context_.language() == SourceLanguage::wgsl && to.vector != kNone && !is_own) {
    return store_component(to, single(of[1]), manner);
  }
  stored(to, parts(of[1]), manner);
}

bool FunctionReader::read_memory(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const auto chain = [&](std::size_t first_index) {
    const Pointer from = pointer(of[0]);
    Pointer to = from;
    if (first_index == 2) {
      // The first index goes from element to element of what the pointer points into.
      const ValueId index = builder_.resize(single(of[1]), 64, true);
      const Id pointer_type = context_.definition(of[0]).type;
      const auto given = context_.decoration(pointer_type, spv::Decoration::ArrayStride);
      const std::uint64_t own = context_.bytes(from.type, from.layout);
      const auto unit = static_cast<std::uint64_t>(std::max(1, context_.alignment(from.type)));
      const std::uint64_t stride = given && *given > 0 ? *given : (own + unit - 1) / unit * unit;
      if (from.root != Pointer::Root::memory) throw Unsupported("a pointer into uniform data");
      to.address = builder_.offset(from.address,
                                   builder_.binary(Op::mul, index, builder_.integer(64, stride)));
    }
    to = chained(std::move(to), of.subspan(first_index));
    frame_->pointers[instruction.result] = to;
    if (to.root == Pointer::Root::memory) give(instruction, {to.address});
    return true;
  };
  switch (static_cast<spv::Op>(instruction.op)) {
    case spv::Op::OpVariable: {
      Pointer made;
      made.type = context_.pointee(instruction.type);
      if (context_.is_shader() && is_handle(context_.op(made.type))) {
        made.root = Pointer::Root::handle;
        made.offset = handles_.size();
        handles_.emplace_back();
        frame_->pointers[instruction.result] = made;
        return true;
      }
      made.storage = spv::StorageClass::Function;
      made.is_whole = true;
      made.address = local_variable(instruction, context_.name(instruction.result));
      frame_->pointers[instruction.result] = made;
      give(instruction, {made.address});
      return true;
    }
    case spv::Op::OpLoad:
      read_load(instruction);
      return true;
    case spv::Op::OpStore:
      read_store(instruction);
      return true;
    case spv::Op::OpCopyMemory: {
      const Pointer to = pointer(of[0]);
      const Pointer from = pointer(of[1]);
      const Manner written = manner_of(to, of.subspan(2), true);
      const Parts values = loaded(from, manner_of(from, of.subspan(2), false));
      stored(to, values, written);
      return true;
    }
    case spv::Op::OpCopyMemorySized: {
      if (context_.is_vulkan()) return false;
      for (const Id end : {of[0], of[1]}) {
        if (has_bytes_of_pointers(context_.definition(end).type)) {
          throw Unsupported("a copy of the bytes of a pointer of 32 bits");
        }
      }
      Instruction made;
      made.op = Op::copy;
      made.operands = {single(of[0]), single(of[1]), builder_.resize(single(of[2]), 64, false)};
      builder_.emit(std::move(made));
      return true;
    }
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      return chain(1);
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain:
      return chain(2);
    case spv::Op::OpArrayLength:
      read_array_length(instruction);
      return true;
    case spv::Op::OpCopyObject:
      if (!context_.is_pointer(instruction.type)) return false;
      frame_->pointers[instruction.result] = pointer(of[0]);
      if (pointer(of[0]).root == Pointer::Root::memory) give(instruction, parts(of[0]));
      return true;
    case spv::Op::OpGenericCastToPtr:
    case spv::Op::OpPtrCastToGeneric:
      give(instruction, parts(of[0]));
      return true;
    case spv::Op::OpBitcast: {
      // Of pointers: the same place, taken for something else.
      if (!context_.is_pointer(instruction.type) ||
          !context_.is_pointer(context_.definition(of[0]).type)) {
        return false;
      }
      const Id before = context_.definition(of[0]).type;
      if ((has_bytes_of_pointers(instruction.type) || has_bytes_of_pointers(before)) &&
          context_.pointee(instruction.type) != context_.pointee(before) &&
          context_.is_used(instruction.result)) {
        throw Unsupported("a pointer of 32 bits whose memory is taken for something else");
      }
      give(instruction, parts(of[0]));
      return true;
    }
    case spv::Op::OpPtrDiff: {
      const Pointer a = pointer(of[0]);
      const ValueId to = builder_.convert(Op::pointer_to_int, single(of[0]), Type::integer(64));
      const ValueId from = builder_.convert(Op::pointer_to_int, single(of[1]), Type::integer(64));
      const auto given =
          context_.decoration(context_.definition(of[0]).type, spv::Decoration::ArrayStride);
      const std::uint64_t stride =
          given && *given > 0 ? *given : std::max<std::uint64_t>(1, context_.bytes(a.type));
      const ValueId bytes = builder_.binary(Op::sub, to, from);
      const ValueId count = builder_.binary(Op::sdiv, bytes, builder_.integer(64, stride));
      give(instruction, {builder_.resize(count, context_.scalar(instruction.type).bits, true)});
      return true;
    }
    case spv::Op::OpLifetimeStart:
    case spv::Op::OpLifetimeStop: {
      const bool begins = static_cast<spv::Op>(instruction.op) == spv::Op::OpLifetimeStart;
      builder_.operation(begins ? Op::begin_lifetime : Op::end_lifetime, {}, {single(of[0])});
      return true;
    }
    default:
      return false;
  }
}

}  // namespace headway::kernel::spirv
