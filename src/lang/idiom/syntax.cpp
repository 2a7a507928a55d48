#include "lang/idiom/syntax.hpp"

#include <algorithm>

namespace headway::lang::idiom {

std::string_view to_string(AccessKind kind) {
  constexpr std::string_view names[] = {"load",      "store",     "exch",      "cas",
                                        "fetch_add", "fetch_sub", "fetch_min", "fetch_max",
                                        "fetch_and", "fetch_or",  "fetch_xor", "weak_cas"};
  return names[static_cast<std::size_t>(kind)];
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

bool has_access(const Expression& expression) {
  return expression.kind == Expression::Kind::access ||
         expression.kind == Expression::Kind::choice || expression.kind == Expression::Kind::call ||
         expression.kind == Expression::Kind::subgroup ||
         std::any_of(expression.operands.begin(), expression.operands.end(), has_access);
}

void Syntax::fail(std::size_t offset, const std::string& message) const {
  throw error_at(file, text, offset, message);
}

}  // namespace headway::lang::idiom
