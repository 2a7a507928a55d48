// What sets of integers say of a whole kernel.
#pragma once

#include <chrono>
#include <vector>

#include "verify/affine/conflicts.hpp"

namespace headway::testing {

// Whether no two accesses of a kernel conflict, of which one writes.
inline bool all_apart(const kernel::Module& module, const kernel::Function& function,
                      const verify::Options& options) {
  const auto flow = verify::flow_of(function);
  verify::affine::Conflicts conflicts(module, function, *flow, options, {},
                                      std::chrono::steady_clock::now() + std::chrono::hours(1));
  std::vector<const kernel::Instruction*> accesses;
  for (const kernel::Block& block : function.blocks) {
    for (const kernel::Instruction& i : block.code) {
      const bool plain = i.op == kernel::Op::load || i.op == kernel::Op::store;
      if (plain && conflicts.is_shared(i)) accesses.push_back(&i);
    }
  }
  for (std::size_t k = 0; k < accesses.size(); ++k) {
    for (std::size_t l = 0; l <= k; ++l) {
      const bool reads = accesses[k]->op == kernel::Op::load && accesses[l]->op == kernel::Op::load;
      if (reads || conflicts.region_of(*accesses[k]) != conflicts.region_of(*accesses[l])) continue;
      if (!conflicts.are_apart(*accesses[k], *accesses[l])) return false;
    }
  }
  return true;
}

}  // namespace headway::testing
