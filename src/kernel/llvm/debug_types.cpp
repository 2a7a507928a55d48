#include "kernel/llvm/debug_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

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
                      kElementsOfComposite = 4, kVariableOfExpression = 0, kTypeOfVariable = 3;

// Attachments of debug information are of this kind (FixedMetadataKinds.def).
constexpr unsigned kDebugKind = 0;

// Of what our headers add to make a type of CUDA; the source has no name for it.
constexpr std::string_view kHidden = "__hw_";

class Types {
 public:
  explicit Types(Context& context)
      : reader_(context), context_(api().GetModuleContext(context.source())) {}

  LLVMMetadataRef operand(LLVMMetadataRef node, std::size_t number) const {
    const std::vector<LLVMMetadataRef> all = operands(node);
    return number < all.size() ? all[number] : nullptr;
  }
  std::vector<LLVMMetadataRef> operands(LLVMMetadataRef node) const {
    const std::vector<LLVMValueRef> values = values_of(node);
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
  Pointee pointed_to(LLVMMetadataRef type) {
    type = plain(type);
    if (type == nullptr) return {};
    const std::uint16_t tag = api().GetDINodeTag(type);
    if (tag == kStructure || tag == kClass || tag == kUnion) return {0, 1, source_type(type)};
    if (tag != kPointer && tag != kReference && tag != kRvalueReference) return {};
    LLVMMetadataRef element = plain(operand(type, kBaseOfDerived));
    if (element == nullptr) return {};
    return {api().DITypeGetSizeInBits(element) / 8, alignment(element, 0), source_type(element)};
  }
  // Of the module; it is added where it is new.
  std::uint32_t source_type(LLVMMetadataRef type) {
    type = plain(type);
    if (type == nullptr) return kNone;
    if (const auto known = reader_.source_types().find(type);
        known != reader_.source_types().end()) {
      return known->second;
    }
    SourceType made;
    made.bytes = api().DITypeGetSizeInBits(type) / 8;
    switch (api().GetDINodeTag(type)) {
      case kStructure:
      case kClass:
      case kUnion:
        made.members = members(type);
        if (made.members.empty()) made.bytes = 0;  // nothing to be accessed
        break;
      case kArray:
        return reader_.source_types()[type] = array(type);
      default:  // scalars, of whatever kind
        break;
    }
    return reader_.source_types()[type] = add(std::move(made));
  }
  std::uint32_t type_of_variable(LLVMValueRef global) {
    std::size_t count = 0;
    LLVMValueMetadataEntry* entries = api().GlobalCopyAllMetadata(global, &count);
    LLVMMetadataRef expression = nullptr;
    for (unsigned i = 0; i < count && expression == nullptr; ++i) {
      if (api().ValueMetadataEntriesGetKind(entries, i) == kDebugKind) {
        expression = api().ValueMetadataEntriesGetMetadata(entries, i);
      }
    }
    if (entries != nullptr) api().DisposeValueMetadataEntries(entries);
    return source_type(operand(operand(expression, kVariableOfExpression), kTypeOfVariable));
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
  // The operands of a node as values, of which constants are themselves.
  std::vector<LLVMValueRef> values_of(LLVMMetadataRef node) const {
    if (node == nullptr) return {};
    LLVMValueRef value = api().MetadataAsValue(context_, node);
    std::vector<LLVMValueRef> values(api().GetMDNodeNumOperands(value));
    if (!values.empty()) api().GetMDNodeOperands(value, values.data());
    return values;
  }
  std::uint32_t add(SourceType type) {
    reader_.module().types.push_back(std::move(type));
    return static_cast<std::uint32_t>(reader_.module().types.size() - 1);
  }
  // Bit fields have no name here: they share what is accessed.
  std::vector<SourceType::Member> members(LLVMMetadataRef type) {
    std::vector<SourceType::Member> result;
    for (LLVMMetadataRef part : operands(operand(type, kElementsOfComposite))) {
      const std::uint16_t tag = part == nullptr ? 0 : api().GetDINodeTag(part);
      constexpr unsigned elsewhere = LLVMDIFlagStaticMember | LLVMDIFlagBitField;
      if ((tag != kMember && tag != kInheritance) || (api().DITypeGetFlags(part) & elsewhere) != 0)
        continue;
      const std::uint32_t of = source_type(operand(part, kBaseOfDerived));
      if (of == kNone) continue;
      std::size_t length = 0;
      const char* text = tag == kMember ? api().DITypeGetName(part, &length) : nullptr;
      const std::string_view name(text == nullptr ? "" : text, length);
      result.push_back({std::string(name.starts_with(kHidden) ? "" : name),
                        api().DITypeGetOffsetInBits(part) / 8, of});
    }
    return result;
  }
  // Of several dimensions, an array of arrays. Vectors have members, as people write them.
  std::uint32_t array(LLVMMetadataRef type) {
    std::uint32_t element = source_type(operand(type, kBaseOfDerived));
    if (element == kNone) return kNone;
    const std::vector<std::uint64_t> counts = extents(operand(type, kElementsOfComposite));
    if ((api().DITypeGetFlags(type) & LLVMDIFlagVector) != 0 && counts.size() == 1) {
      SourceType vector{api().DITypeGetSizeInBits(type) / 8, {}, {}, 0};
      for (std::uint64_t i = 0; i < counts[0]; ++i) {
        const std::string name =
            counts[0] <= 4 ? std::string(1, "xyzw"[i]) : fmt::format("s{:x}", i);
        vector.members.push_back({name, i * reader_.module().types[element].bytes, element});
      }
      return add(std::move(vector));
    }
    for (auto count = counts.rbegin(); count != counts.rend(); ++count) {
      const std::uint64_t bytes = *count * reader_.module().types[element].bytes;
      element = add({bytes, {}, element, *count});
    }
    return element;
  }
  // How many elements each dimension has; 0 where the source does not say it.
  std::vector<std::uint64_t> extents(LLVMMetadataRef dimensions) const {
    std::vector<std::uint64_t> result;
    for (LLVMMetadataRef dimension : operands(dimensions)) {
      const std::vector<LLVMValueRef> says = values_of(dimension);
      LLVMValueRef number = says.empty() ? nullptr : says[0];
      const bool is_known = number != nullptr && api().IsAConstantInt(number) != nullptr;
      const std::uint64_t count = is_known ? api().ConstIntGetZExtValue(number) : 0;
      result.push_back(count >> 62 == 0 ? count : 0);  // -1: as many as there are
    }
    return result;
  }

  Context& reader_;
  LLVMContextRef context_;
};

}  // namespace

std::vector<Pointee> pointed_to(Context& context, LLVMValueRef function) {
  Types types(context);
  LLVMMetadataRef type = types.operand(api().GetSubprogram(function), kTypeOfSubprogram);
  // What the function gives comes first.
  const std::vector<LLVMMetadataRef> all = types.operands(types.operand(type, kTypesOfSubroutine));
  if (all.size() != api().CountParams(function) + 1) return {};
  std::vector<Pointee> result;
  result.reserve(all.size() - 1);
  for (std::size_t i = 1; i < all.size(); ++i) result.push_back(types.pointed_to(all[i]));
  return result;
}

std::uint32_t source_type(Context& context, LLVMValueRef global) {
  return Types(context).type_of_variable(global);
}

}  // namespace headway::kernel::llvm
