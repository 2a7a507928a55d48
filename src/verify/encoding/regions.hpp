// What pointers of a function may point to: regions, found without regard to flow. Different
// pointer arguments are taken for pointers to different buffers, as GPUVerify takes them; pointers
// that come from memory or from integers may point to any global memory: kUnknownRegion.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernel/ir/ir.hpp"
#include "kernel/test/launch_spec.hpp"

namespace headway::verify {

inline constexpr int kNullRegion = 0;
inline constexpr int kUnknownRegion = 1;

struct Region {
  std::string name;
  kernel::Space space = kernel::Space::global;
  const kernel::Object* object = nullptr;       // null: of an argument
  bool by_value = false;                        // an argument passed by value: one for each thread
  bool written = false;                         // by this function, in any way
  bool may_be_null = false;                     // of an argument that is compared with null
  std::optional<kernel::StatedSize> size = {};  // of an argument, where that is stated
  bool shared() const {
    return !by_value && space != kernel::Space::local && space != kernel::Space::host;
  }
  bool of_group() const { return space == kernel::Space::workgroup; }
  bool is_constant() const {
    return space == kernel::Space::constant || (object != nullptr && object->read_only);
  }
};

struct Regions {
  std::vector<Region> all;
  std::vector<std::set<int>> of_value;  // of values that are pointers
  // Whether something that may be written through pointers that nobody knows may be this region.
  bool unknown_written = false;
  bool constant(int region) const {
    const Region& r = all[static_cast<std::size_t>(region)];
    if (region <= kUnknownRegion || r.written) return false;
    return !unknown_written || !r.shared() || r.space == kernel::Space::constant;
  }
};

// What pointers that come from memory of a thread's own may point to: what is stored there as a
// pointer, if nothing else gets there, or anything.
enum class Kept : std::uint8_t { as_stored, anything };
Regions regions_of(const kernel::Module& module, const kernel::Function& function,
                   Kept kept = Kept::anything);

// Whether an instruction reads or writes memory at the address operands[0] (copies: also
// operands[1]).
struct Touch {
  bool reads = false, writes = false, atomic = false;
};
Touch touch_of(const kernel::Instruction& instruction);

}  // namespace headway::verify
