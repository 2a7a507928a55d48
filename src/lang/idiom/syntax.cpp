#include "lang/idiom/syntax.hpp"

#include <algorithm>

namespace headway::lang::idiom {

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
