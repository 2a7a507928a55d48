// What the units that read a module share: the module on both sides, objects by global variable,
// types taken apart, and places.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernel/ir/ir.hpp"
#include "kernel/llvm/api.hpp"

namespace headway::kernel::llvm {

enum class Target { nvptx, spir, host };

// What is not understood.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A scalar of a type: what it is and where it lies in memory.
struct Leaf {
  Type type;
  std::uint64_t at = 0;  // bytes
};

class Context {
 public:
  Context(LLVMModuleRef source, Module& module, std::string headers, bool is_foreign);

  LLVMModuleRef source() const { return source_; }
  Module& module() { return module_; }
  Target target() const { return target_; }
  bool is_foreign() const { return is_foreign_; }
  LLVMTargetDataRef layout() const { return layout_; }

  Space space(unsigned address_space) const;
  std::uint64_t bytes(LLVMTypeRef type) const;
  // The scalars of a type, in order. Throws Unsupported for a type that has no such parts.
  std::vector<Leaf> leaves(LLVMTypeRef type) const;
  Type scalar(LLVMTypeRef type) const;

  // The object of a global variable or function, made when first asked for.
  ObjectId object(LLVMValueRef global);

  // Of a location in the source, looking out of headers of our own.
  Place place(LLVMMetadataRef location);
  int file(LLVMMetadataRef file);

  // Types of the source in the module, by their debug information.
  std::map<LLVMMetadataRef, std::uint32_t>& source_types() { return source_types_; }

 private:
  void initialize(std::vector<std::uint8_t>& bytes, std::vector<Object::Pointer>& pointers,
                  LLVMValueRef value, std::uint64_t at);
  bool is_header(int file) const;
  bool is_launch_sized(LLVMValueRef global) const;

  LLVMModuleRef source_;
  Module& module_;
  std::string headers_;
  const bool is_foreign_;
  Target target_;
  LLVMTargetDataRef layout_;
  std::map<LLVMValueRef, ObjectId> objects_;
  std::optional<ObjectId> launch_sized_;
  std::map<LLVMMetadataRef, int> files_;
  std::map<LLVMMetadataRef, std::uint32_t> source_types_;
};

// Calls `act` with each instruction of a function, in their order; it takes none away.
template <typename Act>
void for_each_instruction(LLVMValueRef function, const Act& act) {
  for (LLVMBasicBlockRef b = api().GetFirstBasicBlock(function); b != nullptr;
       b = api().GetNextBasicBlock(b)) {
    for (LLVMValueRef i = api().GetFirstInstruction(b); i != nullptr;
         i = api().GetNextInstruction(i)) {
      act(i);
    }
  }
}

// The operation of an instruction or of an expression of constants; nothing of other values.
std::optional<LLVMOpcode> opcode_of(LLVMValueRef value);

// The function that an instruction calls, where that is known and has a body; or null.
LLVMValueRef called_body(LLVMValueRef instruction);

// The number of an attribute, such as "alwaysinline".
unsigned attribute_kind(std::string_view name);

std::string name_of(LLVMValueRef value);
std::string text_of(LLVMValueRef value);

}  // namespace headway::kernel::llvm
