#include "kernel/machine/contacts.hpp"

namespace headway::kernel {

Contacts::Contacts(const Code& code, const Launch& launch)
    : same_scopes_(launch.module->atomics_by_space),
      wide_(code.has_wide_scopes()),
      kinds_(launch.objects.size()) {
  const auto for_each = [&](ValueId pointer, const auto& act) {
    const Bases& bases = code.bases(pointer);
    if (bases.any || bases.empty()) act(anywhere_);
    for (const std::uint32_t parameter : bases.parameters) {
      const Cell& argument = launch.arguments[parameter];
      if (launch.has_own(parameter)) {
        for (int t = 0; t < launch.threads(); ++t) {
          act(kinds_[launch.own_argument(parameter, t)]);
        }
      } else if (argument.is_pointer()) {
        act(kinds_[argument.object]);
      } else if (!argument.is_bits()) {
        act(anywhere_);
      }
    }
    for (const ObjectId object : bases.objects) {
      for (int t = 0; t < launch.threads(); t += launch.group_threads()) {
        const Instance instance = launch.instance(object, t);
        if (instance < kinds_.size()) act(kinds_[instance]);
      }
    }
  };
  const auto mark = [&](ValueId pointer, bool Kinds::*kind) {
    for_each(pointer, [&](Kinds& kinds) { kinds.*kind = true; });
  };
  for (const Block& block : code.function().blocks) {
    for (const Instruction& i : block.code) {
      const bool is_atomic = kernel::is_atomic(*launch.module, i);
      if (is_atomic) {
        const auto width = static_cast<unsigned>(i.type.bytes());
        for_each(i.operands[0], [&](Kinds& kinds) {
          kinds.atomic_widths |= width;
          kinds.atomic_scopes |= 1U << static_cast<unsigned>(i.scope);
        });
      }
      const ValueId written = written_address(i), read = read_address(i);
      if (written != kNone) mark(written, is_atomic ? &Kinds::atomic_writes : &Kinds::plain_writes);
      if (read != kNone && !is_atomic) mark(read, &Kinds::plain_reads);
    }
  }
}

}  // namespace headway::kernel
