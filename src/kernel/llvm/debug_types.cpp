#include "kernel/llvm/debug_types.hpp"

namespace headway::kernel::llvm {
namespace {

// DWARF 5, table 7.3.
enum Tag : std::uint16_t {
  kPointer = 0x0f,
  kReference = 0x10,
  kTypedef = 0x16,
  kConst = 0x26,
  kVolatile = 0x35,
  kRestrict = 0x37,
  kRvalueReference = 0x42,
  kAtomic = 0x47,
};

// Where LLVM keeps what a node says, among its operands (DebugInfoMetadata.h).
constexpr std::size_t kTypeOfSubprogram = 4, kTypesOfSubroutine = 3, kBaseOfDerived = 3;

class Types {
 public:
  explicit Types(const Context& context) : context_(api().GetModuleContext(context.source())) {}

  LLVMMetadataRef operand(LLVMMetadataRef node, std::size_t number) const {
    const std::vector<LLVMMetadataRef> all = operands(node);
    return number < all.size() ? all[number] : nullptr;
  }
  std::vector<LLVMMetadataRef> operands(LLVMMetadataRef node) const {
    if (node == nullptr) return {};
    LLVMValueRef value = api().MetadataAsValue(context_, node);
    std::vector<LLVMValueRef> values(api().GetMDNodeNumOperands(value));
    if (!values.empty()) api().GetMDNodeOperands(value, values.data());
    std::vector<LLVMMetadataRef> result;
    result.reserve(values.size());
    for (LLVMValueRef of : values) {
      result.push_back(of == nullptr ? nullptr : api().ValueAsMetadata(of));
    }
    return result;
  }
  // Without names and qualifiers.
  LLVMMetadataRef plain(LLVMMetadataRef type) const {
    while (type != nullptr) {
      const std::uint16_t tag = api().GetDINodeTag(type);
      if (tag != kTypedef && tag != kConst && tag != kVolatile && tag != kRestrict &&
          tag != kAtomic)
        break;
      type = operand(type, kBaseOfDerived);
    }
    return type;
  }
  std::uint64_t pointed_to(LLVMMetadataRef type) const {
    type = plain(type);
    if (type == nullptr) return 0;
    const std::uint16_t tag = api().GetDINodeTag(type);
    if (tag != kPointer && tag != kReference && tag != kRvalueReference) return 0;
    LLVMMetadataRef element = plain(operand(type, kBaseOfDerived));
    return element == nullptr ? 0 : api().DITypeGetSizeInBits(element) / 8;
  }

 private:
  LLVMContextRef context_;
};

}  // namespace

std::vector<std::uint64_t> pointed_to(const Context& context, LLVMValueRef function) {
  const Types types(context);
  LLVMMetadataRef type = types.operand(api().GetSubprogram(function), kTypeOfSubprogram);
  // What the function gives comes first.
  const std::vector<LLVMMetadataRef> all = types.operands(types.operand(type, kTypesOfSubroutine));
  if (all.size() != api().CountParams(function) + 1) return {};
  std::vector<std::uint64_t> result;
  result.reserve(all.size() - 1);
  for (std::size_t i = 1; i < all.size(); ++i) result.push_back(types.pointed_to(all[i]));
  return result;
}

}  // namespace headway::kernel::llvm
