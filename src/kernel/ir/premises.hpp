// What answers about a kernel take for granted because its language leaves it to the launch or the
// device: a phrase each, for the footer of verify and the notes of check.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// Of Function::premises, those that several readers know.
inline constexpr const char* kNoOffset = "launches have no global offset";
inline constexpr const char* kDimensions = "the work dimension is the last one that is above 1";
inline constexpr const char* kImages =
    "images are accessed within their ends, of at most 16384 texels, 2048 in three dimensions";
inline constexpr const char* kSurfaces = "accesses of surfaces do not race";
inline constexpr const char* kTextures =
    "what textures fetch from is there, and not written meanwhile";
inline constexpr const char* kNoOverlap = "buffers do not overlap";
inline constexpr const char* kAssembly =
    "compilers leave inline assembly, and accesses around it, in their order";
inline constexpr const char* kVectors =
    "parts of a vector are accessed one by one, in any order, as PTX has it";
inline constexpr const char* kCooperative = "launches are cooperative";

// Add a phrase that is not there yet.
void add_phrase(std::vector<std::string>& phrases, const std::string& phrase);
void add_premise(Function& function, const std::string& phrase);

// Those of the launch, then Function::premises, of threads in subgroups of so many, in lockstep or
// not.
std::vector<std::string> premises(const Module& module, const Function& function,
                                  std::uint32_t subgroup, bool lockstep = false);

// Whether a kernel has buffers of which the host may pass one as two, also in a struct, or a
// variable of the module as one. Those that are said to be `own` are memory of their own.
bool may_overlap(const Module& module, const Function& function,
                 const std::set<std::string>& own = {});

// Whether what a kernel does depends on how threads are divided into subgroups.
bool uses_subgroups(const Function& function);
// Whether a kernel asks where a thread, or a workgroup, is in a dimension, or how many there are.
bool looks_at_threads(const Function& function, std::size_t dimension);
bool looks_at_groups(const Function& function, std::size_t dimension);

// Whether threads of a workgroup, or workgroups, have rows for a kernel: it looks at y, and not at
// all three dimensions, as one does that only numbers them.
bool has_rows_of_threads(const Function& function);
bool has_rows_of_groups(const Function& function);

// How large launches may be. CUDA fixes it; elsewhere the device decides, and these are as large as
// any device has them.
struct SizeLimits {
  std::array<std::uint32_t, 3> block{}, grid{};
  std::uint32_t threads = 0;  // of a workgroup
};
SizeLimits size_limits(Language language);

}  // namespace headway::kernel
