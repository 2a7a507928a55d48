#include "verify/private_access.hpp"

#include <algorithm>

#include "kernel/machine/code.hpp"

namespace headway::verify {

const kernel::Instruction* private_access(const kernel::Module& module,
                                          const kernel::Function& function) {
  const auto is_private = [](const kernel::Instruction& i) {
    const bool plain = i.op == kernel::Op::load || i.op == kernel::Op::store;
    return plain && i.scope < kernel::Scope::workgroup;
  };
  bool any = false;
  for (const kernel::Block& block : function.blocks) {
    any = any || std::any_of(block.code.begin(), block.code.end(), is_private);
  }
  if (!any) return nullptr;
  const kernel::Code code(module, function);
  kernel::Bases written;
  for (const kernel::Block& block : function.blocks) {
    for (const kernel::Instruction& i : block.code) {
      if (kernel::writes_memory(i.op)) written.add(code.bases(written_address(i)));
    }
  }
  const auto meet = [](const auto& a, const auto& b) {
    return std::any_of(a.begin(), a.end(),
                       [&](auto one) { return std::binary_search(b.begin(), b.end(), one); });
  };
  for (const kernel::Block& block : function.blocks) {
    for (const kernel::Instruction& i : block.code) {
      if (!is_private(i)) continue;
      const kernel::Bases& of = code.bases(i.operands[0]);
      if (i.op == kernel::Op::store || of.any || written.any ||
          meet(of.parameters, written.parameters) || meet(of.objects, written.objects)) {
        return &i;
      }
    }
  }
  return nullptr;
}

}  // namespace headway::verify
