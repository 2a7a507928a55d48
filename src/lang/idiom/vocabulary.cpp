#include "lang/idiom/vocabulary.hpp"

#include <cstddef>

namespace headway::lang::idiom {

std::string_view to_string(AccessKind kind) {
  constexpr std::string_view names[] = {"load",      "store",     "exch",      "cas",
                                        "fetch_add", "fetch_sub", "fetch_min", "fetch_max",
                                        "fetch_and", "fetch_or",  "fetch_xor", "weak_cas"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view to_string(MemoryOrder order) {
  constexpr std::string_view names[] = {"plain",   "relaxed", "acquire",
                                        "release", "acq_rel", "seq_cst"};
  return names[static_cast<std::size_t>(order)];
}

std::string_view to_string(MemoryScope scope) {
  constexpr std::string_view names[] = {"subgroup", "workgroup", "device", "system"};
  return names[static_cast<std::size_t>(scope)];
}

std::string_view to_string(Size size) {
  constexpr std::string_view names[] = {"WORKGROUPS", "WORKGROUP_SIZE", "SUBGROUP_SIZE", "THREADS"};
  return names[static_cast<std::size_t>(size)];
}

std::string_view to_string(Id id) {
  constexpr std::string_view names[] = {"gid", "lid", "sid", "lane"};
  return names[static_cast<std::size_t>(id)];
}

std::string_view to_string(Scope scope) {
  constexpr std::string_view names[] = {"subgroup", "workgroup", "grid"};
  return names[static_cast<std::size_t>(scope)];
}

std::string_view to_string(SubgroupOperation operation) {
  constexpr std::string_view names[] = {"all", "any", "ballot", "broadcast", "shuffle", "elect"};
  return names[static_cast<std::size_t>(operation)];
}

int operands_of(SubgroupOperation operation) {
  if (operation == SubgroupOperation::elect) return 0;
  const bool names_lane =
      operation == SubgroupOperation::broadcast || operation == SubgroupOperation::shuffle;
  return names_lane ? 2 : 1;
}

int operands_of(AccessKind kind) {
  if (kind == AccessKind::load) return 0;
  return kind == AccessKind::cas || kind == AccessKind::weak_cas ? 2 : 1;
}

}  // namespace headway::lang::idiom
