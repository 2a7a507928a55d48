#include "kernel/llvm/context.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/ir/symbol_name.hpp"

namespace headway::kernel::llvm {

LLVMValueRef called_body(LLVMValueRef instruction) {
  if (api().GetInstructionOpcode(instruction) != LLVMCall) return nullptr;
  LLVMValueRef callee = api().GetCalledValue(instruction);
  return api().IsAFunction(callee) != nullptr && !api().IsDeclaration(callee) ? callee : nullptr;
}

std::optional<LLVMOpcode> opcode_of(LLVMValueRef value) {
  if (api().IsAInstruction(value) != nullptr) return api().GetInstructionOpcode(value);
  if (api().GetValueKind(value) == LLVMConstantExprValueKind) return api().GetConstOpcode(value);
  return {};
}

unsigned attribute_kind(std::string_view name) {
  return api().GetEnumAttributeKindForName(name.data(), name.size());
}

std::string name_of(LLVMValueRef value) {
  std::size_t length = 0;
  const char* name = api().GetValueName2(value, &length);
  return {name, length};
}

std::string text_of(LLVMValueRef value) {
  char* text = api().PrintValueToString(value);
  std::string result = text;
  api().DisposeMessage(text);
  const auto first = result.find_first_not_of(' ');
  return first == std::string::npos ? result : result.substr(first);
}

Context::Context(LLVMModuleRef source, Module& module, std::string headers, bool is_foreign)
    : source_(source),
      module_(module),
      headers_(std::move(headers)),
      is_foreign_(is_foreign),
      layout_(api().GetModuleDataLayout(source)) {
  const std::string triple = api().GetTarget(source);
  target_ = triple.starts_with("nvptx")  ? Target::nvptx
            : triple.starts_with("spir") ? Target::spir
                                         : Target::host;
}

Space Context::space(unsigned address_space) const {
  switch (target_) {
    case Target::nvptx:
      return address_space == 3   ? Space::workgroup
             : address_space == 4 ? Space::constant
             : address_space == 5 ? Space::local
                                  : Space::global;
    case Target::spir:
      return address_space == 3   ? Space::workgroup
             : address_space == 2 ? Space::constant
             : address_space == 0 ? Space::local
                                  : Space::global;
    case Target::host:
      break;
  }
  return Space::host;
}

std::uint64_t Context::bytes(LLVMTypeRef type) const { return api().ABISizeOfType(layout_, type); }

Type Context::scalar(LLVMTypeRef type) const {
  switch (api().GetTypeKind(type)) {
    case LLVMIntegerTypeKind: {
      const unsigned bits = api().GetIntTypeWidth(type);
      if (bits > 64) throw Unsupported(fmt::format("an integer of {} bits", bits));
      return Type::integer(static_cast<int>(bits));
    }
    case LLVMHalfTypeKind:
      return Type::real(16);
    case LLVMFloatTypeKind:
      return Type::real(32);
    case LLVMDoubleTypeKind:
      return Type::real(64);
    case LLVMPointerTypeKind:
      return Type::pointer();
    default:
      break;
  }
  char* text = api().PrintTypeToString(type);
  const std::string name = text;
  api().DisposeMessage(text);
  throw Unsupported(fmt::format("a value of type {}", name));
}

std::vector<Leaf> Context::leaves(LLVMTypeRef type) const {
  const auto repeated = [&](LLVMTypeRef element, std::uint64_t count, std::uint64_t stride) {
    const std::vector<Leaf> one = leaves(element);
    if (count * one.size() > 4096) throw Unsupported("a value of more than 4096 parts");
    std::vector<Leaf> result;
    for (std::uint64_t i = 0; i < count; ++i) {
      for (const Leaf& leaf : one) result.push_back({leaf.type, leaf.at + i * stride});
    }
    return result;
  };
  switch (api().GetTypeKind(type)) {
    case LLVMVoidTypeKind:
      return {};
    case LLVMVectorTypeKind: {
      LLVMTypeRef element = api().GetElementType(type);
      const std::uint64_t bits = api().SizeOfTypeInBits(layout_, element);
      // Of bits, a vector is no array of bytes; in registers that makes no difference.
      return repeated(element, api().GetVectorSize(type), bits % 8 == 0 ? bits / 8 : 1);
    }
    case LLVMArrayTypeKind:
      return repeated(api().GetElementType(type), api().GetArrayLength2(type),
                      bytes(api().GetElementType(type)));
    case LLVMStructTypeKind: {
      std::vector<Leaf> result;
      for (unsigned i = 0; i < api().CountStructElementTypes(type); ++i) {
        const std::uint64_t at = api().OffsetOfElement(layout_, type, i);
        for (const Leaf& leaf : leaves(api().StructGetTypeAtIndex(type, i))) {
          result.push_back({leaf.type, at + leaf.at});
        }
      }
      return result;
    }
    default:
      return {{scalar(type), 0}};
  }
}

void Context::initialize(std::vector<std::uint8_t>& into, std::vector<Object::Pointer>& pointers,
                         LLVMValueRef value, std::uint64_t at) {
  const auto write = [&](std::uint64_t bits, int count) {
    for (int i = 0; i < count; ++i) {
      into[at + static_cast<std::uint64_t>(i)] = static_cast<std::uint8_t>(bits >> (8 * i));
    }
  };
  LLVMTypeRef type = api().TypeOf(value);
  if (api().IsNull(value) || api().IsUndef(value)) return;
  switch (api().GetTypeKind(type)) {
    case LLVMIntegerTypeKind: {
      const Type scalar_type = scalar(type);
      if (api().IsAConstantInt(value) == nullptr) break;
      return write(api().ConstIntGetZExtValue(value), scalar_type.bytes());
    }
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: {
      const Type scalar_type = scalar(type);
      LLVMBool lossy = 0;
      return write(from_double(api().ConstRealGetDouble(value, &lossy), scalar_type.bits),
                   scalar_type.bytes());
    }
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: {
      const bool is_array = api().GetTypeKind(type) == LLVMArrayTypeKind;
      const std::uint64_t count =
          is_array ? api().GetArrayLength2(type) : api().GetVectorSize(type);
      if (is_array && api().IsConstantString(value)) {
        std::size_t length = 0;
        const char* text = api().GetAsString(value, &length);
        for (std::size_t i = 0; i < length; ++i) into[at + i] = static_cast<std::uint8_t>(text[i]);
        return;
      }
      const std::uint64_t stride = bytes(api().GetElementType(type));
      for (std::uint64_t i = 0; i < count; ++i) {
        initialize(into, pointers, api().GetAggregateElement(value, static_cast<unsigned>(i)),
                   at + i * stride);
      }
      return;
    }
    case LLVMStructTypeKind:
      for (unsigned i = 0; i < api().CountStructElementTypes(type); ++i) {
        initialize(into, pointers, api().GetAggregateElement(value, i),
                   at + api().OffsetOfElement(layout_, type, i));
      }
      return;
    case LLVMPointerTypeKind: {
      std::uint64_t offset = 0;
      LLVMValueRef base = value;
      while (api().GetValueKind(base) == LLVMConstantExprValueKind) {
        const LLVMOpcode opcode = api().GetConstOpcode(base);
        if (opcode != LLVMAddrSpaceCast && opcode != LLVMBitCast && opcode != LLVMGetElementPtr) {
          break;
        }
        if (opcode == LLVMGetElementPtr) {
          // Only whole steps over bytes and constant indices into the first level are common.
          const int indices = api().GetNumOperands(base) - 1;
          LLVMTypeRef element = api().GetGEPSourceElementType(base);
          for (int i = 0; i < indices; ++i) {
            LLVMValueRef index = api().GetOperand(base, static_cast<unsigned>(i + 1));
            const std::uint64_t n = api().ConstIntGetZExtValue(index);
            if (i == 0) {
              offset += n * bytes(element);
            } else if (api().GetTypeKind(element) == LLVMStructTypeKind) {
              offset += api().OffsetOfElement(layout_, element, static_cast<unsigned>(n));
              element = api().StructGetTypeAtIndex(element, static_cast<unsigned>(n));
            } else {
              element = api().GetElementType(element);
              offset += n * bytes(element);
            }
          }
        }
        base = api().GetOperand(base, 0);
      }
      if (api().IsAGlobalVariable(base) == nullptr && api().IsAFunction(base) == nullptr) break;
      pointers.push_back({at, object(base), offset});
      return;
    }
    default:
      break;
  }
  throw Unsupported("an initializer: " + text_of(value));
}

// Arrays `extern __shared__` all begin where the memory begins that a launch adds (CUDA C++
// Programming Guide, "__shared__"): they are one object, which has the names of all.
bool Context::is_launch_sized(LLVMValueRef global) const {
  return target_ == Target::nvptx && api().IsAGlobalVariable(global) != nullptr &&
         space(api().GetPointerAddressSpace(api().TypeOf(global))) == Space::workgroup &&
         api().GetInitializer(global) == nullptr;
}

ObjectId Context::object(LLVMValueRef global) {
  const auto [found, is_new] = objects_.try_emplace(global, module_.objects.size());
  if (!is_new) return found->second;
  if (is_launch_sized(global)) {
    if (launch_sized_) {
      Object& one = module_.objects[*launch_sized_];
      const std::string name = demangled(name_of(global));
      const auto has = fmt::format("/{}/", one.name).find(fmt::format("/{}/", name));
      if (has == std::string::npos) one.name += "/" + name;
      one.align = std::max(one.align, static_cast<int>(api().GetAlignment(global)));
      return found->second = *launch_sized_;
    }
    launch_sized_ = found->second;
  }
  const ObjectId id = found->second;
  module_.objects.emplace_back();
  Object made;
  made.symbol = name_of(global);
  made.name = demangled(made.symbol);
  if (made.name == made.symbol && target_ == Target::spir) {
    // OpenCL's workgroup variables are called "kernel.variable".
    const auto dot = made.name.find('.');
    if (dot != std::string::npos && dot > 0) made.name.erase(0, dot + 1);
  }
  LLVMTypeRef pointer = api().TypeOf(global);
  made.space = space(api().GetPointerAddressSpace(pointer));
  if (api().IsAFunction(global) != nullptr) {
    made.is_function = true;
    made.space = Space::host;
  } else {
    LLVMTypeRef type = api().GlobalGetValueType(global);
    made.bytes = bytes(type);
    made.align = static_cast<int>(api().GetAlignment(global));
    made.read_only = api().IsGlobalConstant(global) != 0;
    LLVMValueRef initializer = api().GetInitializer(global);
    made.launch_sized = is_launch_sized(global);
    if (made.bytes > (std::uint64_t{1} << 30))
      throw Unsupported("a variable above 1 GiB: " + made.name);
    const bool holds_something = initializer != nullptr && !api().IsUndef(initializer);
    if (holds_something && made.space != Space::workgroup) {
      std::vector<std::uint8_t> content(made.bytes);
      initialize(content, made.pointers, initializer, 0);
      made.initial = std::move(content);
    }
  }
  module_.objects[id] = std::move(made);
  return id;
}

int Context::file(LLVMMetadataRef file) {
  if (file == nullptr) return -1;
  const auto [found, is_new] = files_.try_emplace(file, -1);
  if (!is_new) return found->second;
  unsigned length = 0;
  const char* text = api().DIFileGetFilename(file, &length);
  std::string name(text, length);
  const char* folder = api().DIFileGetDirectory(file, &length);
  if (!name.starts_with('/') && !headers_.empty()) {
    const std::string whole = std::string(folder, length) + "/" + name;
    if (whole.starts_with(headers_)) name = whole;
  }
  for (std::size_t i = 0; i < module_.files.size(); ++i) {
    if (module_.files[i] == name) return found->second = static_cast<int>(i);
  }
  module_.files.push_back(std::move(name));
  return found->second = static_cast<int>(module_.files.size() - 1);
}

bool Context::is_header(int file) const {
  return file >= 0 && !headers_.empty() &&
         module_.files[static_cast<std::size_t>(file)].starts_with(headers_);
}

Place Context::place(LLVMMetadataRef location) {
  Place result;
  for (; location != nullptr; location = api().DILocationGetInlinedAt(location)) {
    LLVMMetadataRef scope = api().DILocationGetScope(location);
    const int in = scope == nullptr ? -1 : file(api().DIScopeGetFile(scope));
    result = {in, static_cast<int>(api().DILocationGetLine(location)),
              static_cast<int>(api().DILocationGetColumn(location))};
    if (!is_header(in)) break;
  }
  return result;
}

}  // namespace headway::kernel::llvm
