// Which values and decisions are the same for all threads that come by together, of a grid or of a
// workgroup. Together: in the same round of all loops around. After Karrenberg and Hack's and
// LLVM's divergence analysis: a decision that differs makes what meets again behind it differ.
#pragma once

#include <vector>

#include "verify/encoding/flow.hpp"
#include "verify/encoding/regions.hpp"

namespace headway::verify {

enum class Uniform : std::uint8_t { no, group, grid };

struct Uniformity {
  std::vector<Uniform> value;      // by ValueId
  std::vector<Uniform> loop_exit;  // by loop: whether threads leave it in the same round
};

Uniformity uniformity_of(const kernel::Function& function, const Flow& flow,
                         const Regions& regions);

}  // namespace headway::verify
