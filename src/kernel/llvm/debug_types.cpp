#include "kernel/llvm/debug_types.hpp"

#include <algorithm>
#include <bit>

namespace headway::kernel::llvm {
namespace {

// DWARF 5, table 7.3.
enum Tag : std::uint16_t {
  kArray = 0x01,
  kClass = 0x02,
  kEnumeration = 0x04,
  kMember = 0x0d,
  kPointer = 0x0f,
  kReference = 0x10,
  kStructure = 0x13,
  kTypedef = 0x16,
  kUnion = 0x17,
  kInheritance = 0x1c,
  kBasic = 0x24,
  kConst = 0x26,
  kVolatile = 0x35,
  kRestrict = 0x37,
  kRvalueReference = 0x42,
  kAtomic = 0x47,
};

// Where LLVM keeps what a node says, among its operands (DebugInfoMetadata.h).
constexpr std::size_t kTypeOfSubprogram = 4, kTypesOfSubroutine = 3, kBaseOfDerived = 3,
                      kElementsOfComposite = 4;

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
  Pointee pointed_to(LLVMMetadataRef type) const {
    type = plain(type);
    if (type == nullptr) return {};
    const std::uint16_t tag = api().GetDINodeTag(type);
    if (tag != kPointer && tag != kReference && tag != kRvalueReference) return {};
    LLVMMetadataRef element = plain(operand(type, kBaseOfDerived));
    if (element == nullptr) return {};
    return {api().DITypeGetSizeInBits(element) / 8, alignment(element, 0)};
  }
  // At least so many bytes; what is not known is 1.
  int alignment(LLVMMetadataRef type, int depth) const {
    constexpr int most_depth = 8;
    type = plain(type);
    if (type == nullptr || depth == most_depth) return 1;
    if (const std::uint32_t said = api().DITypeGetAlignInBits(type); said >= 8) {
      return static_cast<int>(said / 8);
    }
    const auto whole = static_cast<int>(api().DITypeGetSizeInBits(type) / 8);
    switch (api().GetDINodeTag(type)) {
      case kBasic:
      case kEnumeration:
      case kPointer:
      case kReference:
      case kRvalueReference:
        return std::has_single_bit(static_cast<unsigned>(whole)) ? whole : 1;
      case kArray: {
        // Vectors of OpenCL are aligned as a whole.
        const bool is_vector = (api().DITypeGetFlags(type) & LLVMDIFlagVector) != 0;
        if (is_vector) return std::has_single_bit(static_cast<unsigned>(whole)) ? whole : 1;
        return alignment(operand(type, kBaseOfDerived), depth + 1);
      }
      case kMember:
      case kInheritance:
        return alignment(operand(type, kBaseOfDerived), depth + 1);
      case kStructure:
      case kClass:
      case kUnion: {
        int most = 1;
        for (LLVMMetadataRef part : operands(operand(type, kElementsOfComposite))) {
          const std::uint16_t tag = part == nullptr ? 0 : api().GetDINodeTag(part);
          if (tag == kMember || tag == kInheritance)
            most = std::max(most, alignment(part, depth + 1));
        }
        return most;
      }
      default:  // of the many kinds of types, those above say how they are aligned
        return 1;
    }
  }

 private:
  LLVMContextRef context_;
};

}  // namespace

std::vector<Pointee> pointed_to(const Context& context, LLVMValueRef function) {
  const Types types(context);
  LLVMMetadataRef type = types.operand(api().GetSubprogram(function), kTypeOfSubprogram);
  // What the function gives comes first.
  const std::vector<LLVMMetadataRef> all = types.operands(types.operand(type, kTypesOfSubroutine));
  if (all.size() != api().CountParams(function) + 1) return {};
  std::vector<Pointee> result;
  result.reserve(all.size() - 1);
  for (std::size_t i = 1; i < all.size(); ++i) result.push_back(types.pointed_to(all[i]));
  return result;
}

}  // namespace headway::kernel::llvm
