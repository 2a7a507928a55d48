#include "kernel/machine/one_order.hpp"

#include <set>

namespace headway::kernel {

bool is_in_one_order(const Launch& launch, const Code& code) {
  const Function& function = code.function();
  const Module& module = code.module();
  std::set<std::pair<bool, std::uint32_t>> places;
  bool strong = true, apart = false;
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      const bool is_atomic = kernel::is_atomic(i.op);
      const bool is_volatile =
          (i.op == Op::load || i.op == Op::store) && i.is_volatile && module.volatile_is_atomic;
      if (!is_atomic && !is_volatile) continue;
      if (code.is_private(i.operands[0])) continue;
      strong = strong && is_atomic && i.order == Order::seq_cst &&
               (!i.otherwise || *i.otherwise == Order::seq_cst) && i.scope >= Scope::device;
      const Bases& bases = code.bases(i.operands[0]);
      const auto bytes = static_cast<std::uint64_t>(i.type.bytes());
      apart = apart || bases.any;
      for (const std::uint32_t p : bases.parameters) {
        places.emplace(true, p);
        const Cell& to = launch.arguments[p];
        apart = apart || launch.has_own(p) || !to.is_pointer() ||
                launch.objects[to.object].growing || launch.objects[to.object].bytes != bytes;
      }
      for (const ObjectId o : bases.objects) {
        places.emplace(false, o);
        const Object& object = module.object(function, o);
        // Those of other workgroups are other places, and never seen by the same threads.
        apart = apart || object.launch_sized || object.bytes != bytes;
      }
    }
  }
  return strong || (!apart && places.size() <= 1);
}

}  // namespace headway::kernel
