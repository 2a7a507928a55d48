#include "emit/operators.hpp"

namespace headway::emit {

using lang::idiom::Operator;

std::string_view sign(Operator op) {
  switch (op) {
    case Operator::negate:
    case Operator::subtract:
      return "-";
    case Operator::complement:
      return "~";
    case Operator::logical_not:
      return "!";
    case Operator::multiply:
      return "*";
    case Operator::divide:
      return "/";
    case Operator::remainder:
      return "%";
    case Operator::add:
      return "+";
    case Operator::shift_left:
      return "<<";
    case Operator::shift_right:
      return ">>";
    case Operator::less:
      return "<";
    case Operator::less_equal:
      return "<=";
    case Operator::greater:
      return ">";
    case Operator::greater_equal:
      return ">=";
    case Operator::equal:
      return "==";
    case Operator::not_equal:
      return "!=";
    case Operator::bit_and:
      return "&";
    case Operator::bit_xor:
      return "^";
    case Operator::bit_or:
      return "|";
    case Operator::logical_and:
      return "&&";
    case Operator::logical_or:
      return "||";
  }
  return {};
}

bool is_truth(Operator op) {
  switch (op) {
    case Operator::logical_not:
    case Operator::less:
    case Operator::less_equal:
    case Operator::greater:
    case Operator::greater_equal:
    case Operator::equal:
    case Operator::not_equal:
    case Operator::logical_and:
    case Operator::logical_or:
      return true;
    default:
      return false;
  }
}

}  // namespace headway::emit
