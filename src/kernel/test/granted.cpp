#include "kernel/test/granted.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace headway::kernel {

std::vector<std::string> granted(const Runnable& run) {
  const Function& function = *run.launch.function;
  const Module& module = *run.module;
  std::set<std::string> variables;
  std::map<std::uint32_t, std::uint32_t> alignments;  // of parameters
  std::uint32_t number = 0;
  bool volatile_as_atomic = false;
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      const bool is_needed = run.code->is_needed(number++);
      if (!is_memory(i.op)) continue;
      volatile_as_atomic =
          volatile_as_atomic || (module.volatile_is_atomic && i.is_volatile && !is_atomic(i.op) &&
                                 !run.code->is_private(i.operands[0]));
      const auto bytes = static_cast<std::uint32_t>(i.type.bytes());
      for (const std::uint32_t p : run.code->bases(i.operands[0]).parameters) {
        alignments[p] = std::max({alignments[p], i.align, is_atomic(i.op) ? bytes : 1});
      }
      if (i.op == Op::copy) {
        for (const std::uint32_t p : run.code->bases(i.operands[1]).parameters)
          alignments[p] = std::max(alignments[p], i.align_from);
      }
      if (!reads_memory(i.op) || !is_needed) continue;
      for (const ObjectId id : run.code->bases(read_address(i)).objects) {
        if (id >= kFirstLocal) continue;
        const Object& object = module.objects[id];
        const bool is_variable = object.space == Space::global || object.space == Space::constant;
        const Fill fill = run.launch.objects[run.launch.instance(id, 0)].fill;
        if (is_variable && !object.read_only && !object.is_function && fill != Fill::unknown)
          variables.insert(object.name);
      }
    }
  }
  std::vector<std::string> result;
  if (volatile_as_atomic) {
    result.emplace_back("volatile accesses are relaxed atomic ones (for verify they are plain)");
  }
  if (!variables.empty()) {
    result.push_back(fmt::format("{} as initialized", fmt::join(variables, ", ")));
  }
  for (const auto& [p, align] : alignments) {
    const Parameter& of = function.parameters[p];
    if (of.by_value > 0 || module.language() == Language::shader) continue;
    // What points to a struct points to where one may be.
    const std::uint64_t known = std::max<std::uint64_t>(static_cast<std::uint64_t>(of.align),
                                                        of.element_bytes & (~of.element_bytes + 1));
    if (align > known) {
      result.push_back(fmt::format("{} begins at a multiple of {} bytes", of.name, align));
    }
  }
  if (run.machine->trusts_data()) {
    result.emplace_back("unknown data lead nowhere beyond buffers whose sizes nobody gives");
  }
  return result;
}

}  // namespace headway::kernel
