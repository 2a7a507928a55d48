#include "lang/idiom/expression_parser.hpp"

#include <algorithm>
#include <array>

namespace headway::lang::idiom {
namespace {

using Kind = Expression::Kind;

constexpr std::array<std::string_view, 34> kReserved = {
    "idiom",  "N",         "tid",       "const",     "shared",    "thread",   "threads",
    "expect", "pass",      "fail",      "error",     "int",       "bool",     "if",
    "else",   "while",     "do",        "for",       "break",     "continue", "goto",
    "return", "assert",    "true",      "false",     "load",      "store",    "exch",
    "cas",    "fetch_add", "fetch_sub", "fetch_min", "fetch_max", "END"};
constexpr std::array<AccessKind, 11> kAccesses = {
    AccessKind::load,      AccessKind::store,     AccessKind::exch,      AccessKind::cas,
    AccessKind::fetch_add, AccessKind::fetch_sub, AccessKind::fetch_min, AccessKind::fetch_max,
    AccessKind::fetch_and, AccessKind::fetch_or,  AccessKind::fetch_xor};

struct BinaryOperator {
  std::string_view text;
  Operator op;
  int strength;
};
constexpr std::array<BinaryOperator, 18> kBinary = {{{"||", Operator::logical_or, 1},
                                                     {"&&", Operator::logical_and, 2},
                                                     {"|", Operator::bit_or, 3},
                                                     {"^", Operator::bit_xor, 4},
                                                     {"&", Operator::bit_and, 5},
                                                     {"==", Operator::equal, 6},
                                                     {"!=", Operator::not_equal, 6},
                                                     {"<", Operator::less, 7},
                                                     {"<=", Operator::less_equal, 7},
                                                     {">", Operator::greater, 7},
                                                     {">=", Operator::greater_equal, 7},
                                                     {"<<", Operator::shift_left, 8},
                                                     {">>", Operator::shift_right, 8},
                                                     {"+", Operator::add, 9},
                                                     {"-", Operator::subtract, 9},
                                                     {"*", Operator::multiply, 10},
                                                     {"/", Operator::divide, 10},
                                                     {"%", Operator::remainder, 10}}};

const BinaryOperator* binary_operator(std::string_view text) {
  const auto found = std::find_if(kBinary.begin(), kBinary.end(),
                                  [&](const auto& known) { return known.text == text; });
  return found == kBinary.end() ? nullptr : &*found;
}

}  // namespace

std::optional<AccessKind> access_kind(const Token& token) {
  for (const AccessKind kind : kAccesses) {
    if (token.is(to_string(kind))) return kind;
  }
  return std::nullopt;
}

bool is_reserved(const Token& token) {
  return std::find(kReserved.begin(), kReserved.end(), token.text) != kReserved.end() ||
         access_kind(token);
}

std::optional<Operator> assignment_operator(std::string_view sign) {
  const BinaryOperator* op = binary_operator(sign);
  const bool compares = op == nullptr || op->strength == 7;  // <= is no assignment
  return compares ? std::nullopt : std::optional(op->op);
}

Expression ExpressionParser::combine(Operator op, Expression a, Expression b, const Token& where) {
  Expression result;
  result.kind = Kind::binary;
  result.op = op;
  result.offset = where.offset;
  result.operands.push_back(std::move(a));
  result.operands.push_back(std::move(b));
  return result;
}

Expression ExpressionParser::constant_expression() {
  const bool before = constants_only_;
  constants_only_ = true;
  Expression result = expression();
  constants_only_ = before;
  return result;
}

Expression ExpressionParser::expression() {
  const Token first = scanner_.peek();
  const Nesting nesting(*this, first);
  Expression condition = binary(1);
  if (!scanner_.accept("?")) return condition;
  Expression result;
  result.kind = Kind::conditional;
  result.offset = first.offset;
  result.operands.push_back(std::move(condition));
  const auto part = [&] {
    const Token token = scanner_.peek();
    result.operands.push_back(expression());
    if (has_access(result.operands.back())) {
      scanner_.fail(token, "an access behind '?' or ':'; expected an if statement");
    }
  };
  part();
  scanner_.expect(":");
  part();
  return result;
}

Expression ExpressionParser::binary(int least) {
  Expression left = unary();
  for (;;) {
    const Token sign = scanner_.peek();
    const BinaryOperator* op =
        sign.kind == Token::Kind::punctuation ? binary_operator(sign.text) : nullptr;
    if (op == nullptr || op->strength < least) return left;
    scanner_.next();
    left = combine(op->op, std::move(left), binary(op->strength + 1), sign);
    if (++operators_ > kMaxStatements * 10) scanner_.fail(sign, "the file has too many operators");
    depth_of(left, sign);
  }
}

// Long chains of operators are deep trees as well.
void ExpressionParser::depth_of(const Expression& expression, const Token& where) const {
  int depth = 0;
  for (const Expression* e = &expression; !e->operands.empty(); e = &e->operands.front()) ++depth;
  if (depth > kMaxDepth) scanner_.fail(where, fmt::format("more than {} operators", kMaxDepth));
}

Expression ExpressionParser::unary() {
  const Token sign = scanner_.peek();
  const Nesting nesting(*this, sign);
  Expression result;
  result.kind = Kind::unary;
  result.offset = sign.offset;
  if (scanner_.accept("-")) {
    result.op = Operator::negate;
  } else if (scanner_.accept("~")) {
    result.op = Operator::complement;
  } else if (scanner_.accept("!")) {
    result.op = Operator::logical_not;
  } else {
    return primary();
  }
  result.operands.push_back(unary());
  return result;
}

Expression ExpressionParser::primary() {
  const Token token = scanner_.peek();
  Expression result;
  result.offset = token.offset;
  if (token.is_number()) {
    result.number = scanner_.integer("number", 0, kMaxNumber);
    return result;
  }
  if (scanner_.accept("(")) {
    result = expression();
    scanner_.expect(")");
    return result;
  }
  if (token.is("true") || token.is("false")) {
    result.number = scanner_.next().is("true") ? 1 : 0;
  } else if (token.is("N")) {
    scanner_.next();
    result.kind = Kind::thread_count;
  } else if (token.is_identifier()) {
    name(result, token);
  } else {
    refuse("a value");
  }
  return result;
}

void ExpressionParser::name(Expression& result, const Token& token) {
  if (const int constant = find(syntax_.constants, token); constant >= 0) {
    scanner_.next();
    result.kind = Kind::constant;
    result.index = constant;
    return;
  }
  if (constants_only_) refuse("a number, a constant or N");
  if (token.is("tid")) {
    scanner_.next();
    result.kind = Kind::thread_id;
    return;
  }
  if (const auto kind = access_kind(token)) return access(result, *kind);
  if (const auto found = registers_.find(token.text); found != registers_.end()) {
    scanner_.next();
    result.kind = Kind::reg;
    result.index = found->second;
    return;
  }
  if (find(syntax_.variables, token) >= 0) {
    scanner_.fail(token, fmt::format("{} is shared; expected 'load({})' or another access, each "
                                     "of which is a step",
                                     shown(token), token.text));
  }
  if (is_reserved(token)) refuse("a value");
  scanner_.fail(token, fmt::format("unknown name {}; expected a register declared in front of "
                                   "it, a constant, an access such as 'load(x)', N or tid",
                                   shown(token)));
}

void ExpressionParser::access(Expression& result, AccessKind kind) {
  const Token what = scanner_.next();
  result.kind = Kind::access;
  result.access = kind;
  scanner_.expect("(");
  const Token name = scanner_.next();
  result.index = name.kind == Token::Kind::word ? find(syntax_.variables, name) : -1;
  if (result.index < 0) {
    scanner_.fail(name,
                  fmt::format("expected the name of a shared variable, found {}", shown(name)));
  }
  const bool is_array = syntax_.variables[result.index].size.has_value();
  if (is_array) {
    scanner_.expect("[", fmt::format("{} is an array", name.text));
    result.indexed = true;
    result.operands.push_back(expression());
    scanner_.expect("]");
  } else if (scanner_.peek().is("[")) {
    scanner_.fail(scanner_.peek(), fmt::format("{} is not an array", shown(name)));
  }
  const int wanted = operands_of(kind);
  for (int i = 0; i < wanted; ++i) {
    scanner_.expect(",", fmt::format("{} takes {}", what.text,
                                     wanted == 1 ? "a value" : "the old value and the new one"));
    result.operands.push_back(expression());
  }
  scanner_.expect(")", wanted == 0 ? "a load takes no value" : "");
}

}  // namespace headway::lang::idiom
