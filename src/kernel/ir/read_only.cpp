#include "kernel/ir/read_only.hpp"

#include <algorithm>

#include "kernel/ir/bases.hpp"

namespace headway::kernel {
namespace {

template <typename T>
bool meet(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::any_of(a, [&](T one) { return std::ranges::binary_search(b, one); });
}

}  // namespace

std::optional<Place> read_of_written(const Function& function,
                                     const std::vector<ReadOnlyRead>& reads) {
  if (reads.empty()) return {};
  const std::vector<Bases> bases = find_bases(function);
  Bases written;
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (!writes_memory(i.op)) continue;
      const auto at = static_cast<std::size_t>(row_of(i.op).writes);
      written.add(bases[i.operands[at]]);
    }
  }
  for (const ReadOnlyRead& read : reads) {
    const Bases& of = bases[read.pointer];
    if (meet(of.parameters, written.parameters) || meet(of.objects, written.objects)) {
      return read.place;
    }
  }
  return {};
}

}  // namespace headway::kernel
