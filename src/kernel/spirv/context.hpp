// What the units that read a module share: its ids, types and how they lie in memory, constants
// with their specialization, and places. Types and constants are looked at when they are used.
#pragma once

#include <map>
#include <optional>
#include <spirv/unified1/spirv.hpp11>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "kernel/ir/builder.hpp"
#include "kernel/spirv/source_language.hpp"
#include "kernel/spirv/specialization.hpp"
#include "kernel/spirv/tools.hpp"

namespace headway::kernel::spirv {

using Parts = std::vector<ValueId>;

// What is not understood.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A scalar of a type: what it is and where it lies in memory.
struct Leaf {
  Type type;
  std::uint64_t at = 0;  // bytes
};

// How the matrices in a type lie, and the vectors that are columns of one.
struct Layout {
  std::uint32_t matrix_stride = 0;  // 0: one column behind the other
  bool row_major = false;
  std::uint32_t component_stride = 0;  // of a column of a matrix by rows; 0: its components
  friend bool operator==(const Layout&, const Layout&) = default;
};

class Context {
 public:
  // More than this and a value is taken for nothing that synchronizes.
  static constexpr std::size_t kMaxParts = 4096;

  Context(Words words, Module& module, const Specialization& specialization,
          SourceLanguage language);

  const Words& words() const { return words_; }
  Module& module() { return module_; }
  bool is_vulkan() const { return memory_model_ == spv::MemoryModel::Vulkan; }
  bool is_shader() const { return is_shader_; }
  SourceLanguage language() const { return language_; }
  bool is_hlsl() const { return language_ == SourceLanguage::hlsl; }
  // Whether it was GLSL or HLSL, where a component of a vector is a place of its own.
  bool has_apart_components() const;
  // Whether addresses have 32 bits. A pointer takes 8 bytes of memory all the same; who could see
  // that is refused (holds_pointers).
  bool has_short_pointers() const { return has_short_pointers_; }
  // A capability or extension that is not understood; empty where there is none.
  const std::string& foreign() const { return foreign_; }

  // Ids. `definition` throws Unsupported for one that is not there.
  const RawInstruction& definition(Id id) const;
  spv::Op op(Id id) const { return static_cast<spv::Op>(definition(id).op); }
  std::span<const std::uint32_t> operands(Id id) const { return words_.operands(definition(id)); }
  std::string name(Id id) const;
  std::string member_name(Id type, std::uint32_t member) const;
  // The first literal of a decoration; 0 where it has none.
  std::optional<std::uint32_t> decoration(Id id, spv::Decoration which) const;
  std::optional<std::uint32_t> decoration(Id type, std::uint32_t member,
                                          spv::Decoration which) const;

  // Types.
  Type scalar(Id type) const;
  bool is_scalar(Id type) const;
  bool is_pointer(Id type) const { return op(type) == spv::Op::OpTypePointer; }
  Id pointee(Id pointer_type) const { return operands(pointer_type)[1]; }
  spv::StorageClass storage(Id pointer_type) const {
    return static_cast<spv::StorageClass>(operands(pointer_type)[0]);
  }
  std::vector<Leaf> leaves(Id type, const Layout& layout = {});
  std::vector<Type> types(Id type);  // of the leaves
  std::uint64_t bytes(Id type, const Layout& layout = {});
  int alignment(Id type);
  // How many parts a composite has, the type of one, and where it lies in memory. An array that is
  // sized at run time has no parts.
  std::uint64_t length(Id type);
  Id part(Id type, std::uint64_t index) const;
  std::uint64_t part_at(Id type, std::uint64_t index, const Layout& layout);
  Layout part_layout(Id type, std::uint64_t index, const Layout& layout) const;
  std::uint64_t stride(Id type, const Layout& layout);  // of arrays, vectors and matrices
  bool has_runtime_array(Id type) const;
  // Whether a value of a type has a pointer in it, or what is as large as one.
  bool holds_pointers(Id type);
  // Whether an id is used for anything but lifetimes, names and decorations.
  bool is_used(Id id);
  // The scalars that indices choose among those of a composite.
  struct Range {
    std::size_t first = 0, count = 0;
    Id type = 0;
  };
  Range range(Id type, std::span<const std::uint32_t> indices);

  // The scalars of a constant; nothing for one that is undefined.
  struct Scalar {
    Type type;
    std::optional<std::uint64_t> bits;
  };
  bool is_constant(Id id) const;
  const std::vector<Scalar>& constant(Id id);
  std::optional<std::uint64_t> number(Id id);
  bool has_specialization(std::uint32_t spec_id) const;
  // Of the specialization constants that were looked at and have their default, that they do.
  std::vector<std::string> defaults() const;
  std::uint64_t known(Id id, const char* what);  // throws Unsupported where it is not

  // Places. An instruction without one keeps the last.
  int file(Id string);
  int text_file();

 private:
  void read_annotations();
  void read_capability(const RawInstruction& instruction);
  std::vector<std::pair<spv::Decoration, std::uint32_t>> decorations_of(Id id) const;
  void measure(Id type, const Layout& layout, std::uint64_t at, std::vector<Leaf>& into, int depth);
  std::vector<Scalar> made_constant(Id id);
  std::uint64_t default_of(Id id) const;

  Words words_;
  Module& module_;
  const Specialization& specialization_;
  const SourceLanguage language_;
  spv::MemoryModel memory_model_ = spv::MemoryModel::GLSL450;
  bool is_shader_ = false;
  bool has_short_pointers_ = false;
  bool is_of_glsl_ = false;  // or HLSL, as the module says
  std::string foreign_;
  std::unordered_map<Id, std::uint32_t> definitions_;
  std::unordered_map<Id, std::string> names_;
  std::map<std::pair<Id, std::uint32_t>, std::string> member_names_;
  std::map<std::pair<Id, spv::Decoration>, std::uint32_t> decorations_;
  std::map<std::tuple<Id, std::uint32_t, spv::Decoration>, std::uint32_t> member_decorations_;
  std::unordered_map<Id, std::vector<Scalar>> constants_;
  std::unordered_map<Id, int> files_;
  std::unordered_map<Id, bool> holds_pointers_;
  std::unordered_set<Id> used_;  // is_used(); empty as long as nobody has asked
  int text_file_ = -1;
  int depth_ = 0;
};

}  // namespace headway::kernel::spirv
