#include "verify/uniform_barriers.hpp"

#include <algorithm>

#include "kernel/ir/divergence.hpp"
#include "kernel/machine/machine.hpp"
#include "verify/encoding/regions.hpp"

namespace headway::verify {

namespace {

using kernel::Instruction;
using kernel::Op;
using Source = kernel::Divergence::Source;

bool is_of_grid(const Instruction& i) {
  return i.op == Op::barrier && i.scope >= kernel::Scope::device;
}

// Anything but barriers of workgroups by which one thread's write may come in front of another
// one's read.
bool may_order(const Instruction& i) {
  const bool atomic = kernel::is_atomic(i.op);
  return i.op == Op::fence || i.op == Op::subgroup || i.op == Op::numbered_barrier ||
         i.is_volatile ||
         (atomic && (i.order != kernel::Order::relaxed ||
                     (i.otherwise && *i.otherwise != kernel::Order::relaxed))) ||
         (i.op == Op::barrier && i.scope != kernel::Scope::workgroup);
}

class Code {
 public:
  explicit Code(const kernel::Code& code) : code_(code) {
    for (const kernel::Block& block : code.function().blocks) {
      for (const Instruction& i : block.code) {
        if (touch_of(i).writes) written_.add(code.bases(i.operands[0]));
        orders_ = orders_ || may_order(i);
      }
    }
  }

  bool is_uniform(bool of_grid) const {
    const kernel::Function& function = code_.function();
    const kernel::Divergence divergence(function,
                                        [&](const Instruction& i) { return source(i, of_grid); });
    for (kernel::BlockId b = 0; b < function.blocks.size(); ++b) {
      if (!divergence.parts(b)) continue;
      const auto& code = function.blocks[b].code;
      // Those that meet by masks or by numbers may stand anywhere.
      const auto counts = [&](const Instruction& i) {
        return kernel::meets(i.op) && (!of_grid || is_of_grid(i)) &&
               !kernel::meets_by_mask(code_.module(), i) && i.op != Op::numbered_barrier;
      };
      if (std::any_of(code.begin(), code.end(), counts)) return false;
    }
    return true;
  }

 private:
  Source source(const Instruction& i, bool of_grid) const {
    if (i.op == Op::load && reads_the_same(i, of_grid)) return Source::as_operands;
    return source_of(i, of_grid ? kernel::Together::grid : kernel::Together::workgroup);
  }

  // Whether all who read one place between two barriers read the same. Who wrote it between two
  // such reads is ordered with both, if nothing races, which takes more than barriers of the
  // workgroup.
  bool reads_the_same(const Instruction& load, bool of_grid) const {
    const kernel::Bases& from = code_.bases(load.operands[0]);
    if (load.is_volatile || from.any || code_.is_private(load.operands[0])) return false;
    const kernel::Function& function = code_.function();
    const auto is_apart = [of_grid](kernel::Space space) {  // one for each that are to meet
      return space == kernel::Space::local || (of_grid && space == kernel::Space::workgroup);
    };
    for (const kernel::ObjectId id : from.objects) {
      if (is_apart(code_.module().object(function, id).space)) return false;
    }
    for (const std::uint32_t p : from.parameters) {
      if (function.parameters[p].by_value > 0 || is_apart(function.parameters[p].space))
        return false;
    }
    const auto meet = [](const auto& a, const auto& b) {
      return std::any_of(a.begin(), a.end(),
                         [&](auto one) { return std::binary_search(b.begin(), b.end(), one); });
    };
    const bool written = written_.any || meet(from.parameters, written_.parameters) ||
                         meet(from.objects, written_.objects);
    return !written || !orders_;
  }

  const kernel::Code& code_;
  kernel::Bases written_;
  bool orders_ = false;
};

}  // namespace

bool has_uniform_barriers(const kernel::Code& code) {
  bool any = false, of_grid = false;
  for (const kernel::Block& block : code.function().blocks) {
    any = any || std::any_of(block.code.begin(), block.code.end(),
                             [](const Instruction& i) { return kernel::meets(i.op); });
    of_grid = of_grid || std::any_of(block.code.begin(), block.code.end(), is_of_grid);
  }
  if (!any) return true;
  if (code.function().blocks.size() > kernel::Divergence::kMostBlocks) return false;
  const Code of(code);
  return of.is_uniform(false) && (!of_grid || of.is_uniform(true));
}

}  // namespace headway::verify
