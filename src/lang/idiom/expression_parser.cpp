#include "lang/idiom/expression_parser.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace headway::lang::idiom {
namespace {

using Kind = Expression::Kind;

constexpr std::array<std::string_view, 34> kReserved = {
    "idiom",  "N",         "tid",       "const",     "shared",    "thread",   "threads",
    "expect", "pass",      "fail",      "error",     "int",       "bool",     "if",
    "else",   "while",     "do",        "for",       "break",     "continue", "goto",
    "return", "assert",    "true",      "false",     "load",      "store",    "exch",
    "cas",    "fetch_add", "fetch_sub", "fetch_min", "fetch_max", "END"};
constexpr std::array<Id, 4> kIds = {Id::gid, Id::lid, Id::sid, Id::lane};
constexpr std::array<Size, 4> kSizes = {Size::workgroups, Size::workgroup_size, Size::subgroup_size,
                                        Size::threads};
constexpr std::array<AccessKind, 12> kAccesses = {
    AccessKind::load,      AccessKind::store,     AccessKind::exch,      AccessKind::cas,
    AccessKind::fetch_add, AccessKind::fetch_sub, AccessKind::fetch_min, AccessKind::fetch_max,
    AccessKind::fetch_and, AccessKind::fetch_or,  AccessKind::fetch_xor, AccessKind::weak_cas};

constexpr std::array<SubgroupOperation, 6> kOperations = {
    SubgroupOperation::all,       SubgroupOperation::any,     SubgroupOperation::ballot,
    SubgroupOperation::broadcast, SubgroupOperation::shuffle, SubgroupOperation::elect};

constexpr std::array<MemoryOrder, 6> kOrders = {MemoryOrder::plain,   MemoryOrder::relaxed,
                                                MemoryOrder::acquire, MemoryOrder::release,
                                                MemoryOrder::acq_rel, MemoryOrder::seq_cst};
constexpr std::array<MemoryScope, 4> kScopes = {MemoryScope::subgroup, MemoryScope::workgroup,
                                                MemoryScope::device, MemoryScope::system};

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

std::optional<SubgroupOperation> subgroup_operation(const Token& token) {
  for (const SubgroupOperation operation : kOperations) {
    if (token.is(to_string(operation))) return operation;
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
  if (token.text.starts_with("0x") || token.text.starts_with("0X")) {
    hexadecimal(result);
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
    if (!n_named_) n_named_ = token;
    check_n(token);
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
  if (constants_only_) {
    if (element_name(result, token) || launch_name(result, token)) return;
    refuse("a number, a constant or N");
  }
  if (token.is("tid") && !has_thread_) refuse("a value that memory alone decides");
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
    result.operands = indices(dimensions_[result.index], token, true);
    return;
  }
  if (find(syntax_.variables, token) >= 0) {
    scanner_.fail(token, fmt::format("{} is shared; expected 'load({})' or another access, each "
                                     "of which is a step",
                                     shown(token), token.text));
  }
  if (const int function = find(syntax_.functions, token); function >= 0) {
    return call(result, function);
  }
  if (!function_.empty() && calls(function_)) {
    scanner_.fail(token, fmt::format("{} calls itself; expected a loop", shown(token)));
  }
  if (begins("fair", {"choose", "weak_cas"})) {
    scanner_.next();
    result.fair = true;
    if (const auto kind = access_kind(scanner_.peek())) return access(result, *kind);
  }
  if (calls("choose")) return choice(result);
  if (const auto kind = subgroup_operation(token); kind && calls(token.text)) {
    return operation(result, *kind);
  }
  if (element_name(result, token) || launch_name(result, token)) return;
  if (is_reserved(token)) refuse("a value");
  scanner_.fail(token, fmt::format("unknown name {}; expected a register declared in front of "
                                   "it, a constant, an access such as 'load(x)', N or tid",
                                   shown(token)));
}

// The ids and sizes that only launches of several threads a workgroup need. What a file declares
// itself comes before them.
bool ExpressionParser::launch_name(Expression& result, const Token& token) {
  for (const Size size : kSizes) {
    if (!token.is(to_string(size))) continue;
    if (!syntax_.launch && !size_named_) size_named_ = token;
    result.kind = Kind::size;
    result.size = size;
  }
  for (const Id id : kIds) {
    if (constants_only_ || !has_thread_ || !token.is(to_string(id))) continue;
    result.kind = Kind::id;
    result.id = id;
  }
  if (result.kind == Kind::number) return false;
  scanner_.next();
  return true;
}

// The place of the element whose initial value this is.
bool ExpressionParser::element_name(Expression& result, const Token& token) {
  const bool row = token.is("i") && element_of_ > 0;
  if (!row && !(token.is("j") && element_of_ > 1)) return false;
  scanner_.next();
  result.kind = row ? Kind::row : Kind::column;
  return true;
}

void ExpressionParser::call(Expression& result, int function) {
  const Token what = scanner_.next();
  const Function& called = syntax_.functions[function];
  const bool ignored = value_ignored_;
  value_ignored_ = false;
  if (at_once_) scanner_.fail(what, "a call here; expected loads and what is computed of them");
  if (!called.range && !ignored) {
    scanner_.fail(what,
                  fmt::format("{} has no value; expected a function that has one, or '{}(...);' "
                              "as a statement",
                              shown(what), called.name));
  }
  result.kind = Kind::call;
  result.index = function;
  scanner_.expect("(");
  for (std::size_t i = 0; i < called.parameters; ++i) {
    if (i > 0)
      scanner_.expect(",", fmt::format("{} takes {} values", called.name, called.parameters));
    result.operands.push_back(expression());
  }
  scanner_.expect(")", fmt::format("{} takes {} value{}", called.name, called.parameters,
                                   called.parameters == 1 ? "" : "s"));
}

// "any(e)", "broadcast(e, 0)"
void ExpressionParser::operation(Expression& result, SubgroupOperation operation) {
  const Token what = scanner_.next();
  if (at_once_) {
    scanner_.fail(what, fmt::format("{} is a step of its own; expected loads and what is computed "
                                    "of them",
                                    shown(what)));
  }
  result.kind = Kind::subgroup;
  limit(syntax_.operations.size(), kMaxOperations, "operations of subgroups", what);
  result.index = static_cast<int>(syntax_.operations.size());
  syntax_.operations.push_back(operation);
  scanner_.expect("(");
  const int wanted = operands_of(operation);
  if (wanted > 0) result.operands.push_back(expression());
  if (wanted > 1) {
    scanner_.expect(",",
                    fmt::format("{} takes a value and the lane whose value it gives", what.text));
    result.operands.push_back(operation == SubgroupOperation::broadcast ? constant_expression()
                                                                        : expression());
  }
  scanner_.expect(")");
}

// "choose(0..2)"
void ExpressionParser::choice(Expression& result) {
  const Token what = scanner_.next();
  if (at_once_) scanner_.fail(what, "a choice is a step of its own; expected none here");
  result.kind = Kind::choice;
  scanner_.expect("(");
  result.operands.push_back(constant_expression());
  scanner_.expect("..", "'choose(0..2)' is one of the numbers from 0 to 2");
  result.operands.push_back(constant_expression());
  scanner_.expect(")");
}

void ExpressionParser::hexadecimal(Expression& result) {
  const Token token = scanner_.next();
  const std::string_view digits = token.text.substr(2);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), result.number, 16);
  if (digits.empty() || end != digits.data() + digits.size() || error != std::errc() ||
      result.number < 0 || result.number > kMaxNumber) {
    scanner_.fail(token, fmt::format("expected a hexadecimal number from 0 to {:#x}, found {}",
                                     kMaxNumber, shown(token)));
  }
}

bool ExpressionParser::begins(std::string_view word,
                              std::initializer_list<std::string_view> next) const {
  if (!scanner_.peek().is(word)) return false;
  Scanner ahead = scanner_;
  ahead.next();
  return std::any_of(next.begin(), next.end(),
                     [&](std::string_view text) { return ahead.peek().is(text); });
}

std::size_t ExpressionParser::sizes(std::optional<Expression>& size,
                                    std::optional<Expression>& columns) {
  std::size_t dimensions = 0;
  while (dimensions < 2 && scanner_.accept("[")) {
    (++dimensions == 1 ? size : columns) = constant_expression();
    scanner_.expect("]");
  }
  return dimensions;
}

// Those of registers hold no access, as they may be computed more than once.
std::vector<Expression> ExpressionParser::indices(std::size_t dimensions, const Token& what,
                                                  bool constant) {
  std::vector<Expression> indices;
  for (std::size_t d = 0; d < dimensions; ++d) {
    scanner_.expect("[", fmt::format("{} is an array{}", what.text,
                                     dimensions > 1 ? " of two dimensions" : ""));
    const Token first = scanner_.peek();
    indices.push_back(expression());
    if (constant && has_access(indices.back())) {
      scanner_.fail(first,
                    "an access in the index of a register; expected a register that holds "
                    "its value");
    }
    scanner_.expect("]");
  }
  if (scanner_.peek().is("[")) {
    scanner_.fail(scanner_.peek(), fmt::format("{} is not an array{}", shown(what),
                                               dimensions > 0 ? " of more dimensions" : ""));
  }
  return indices;
}

bool ExpressionParser::array_values(std::size_t dimensions, std::size_t most, bool constant,
                                    std::vector<Expression>& values) {
  const auto value = [&] {
    element_of_ = dimensions;
    const Token first = scanner_.peek();
    values.push_back(constant ? constant_expression() : expression());
    if (has_access(values.back())) {
      scanner_.fail(first,
                    "an access in the value of an array; expected a register that holds "
                    "its value");
    }
    element_of_ = 0;
  };
  if (!scanner_.accept("{")) {
    value();
    return false;
  }
  do {
    limit(values.size(), static_cast<int>(most), "values", scanner_.peek());
    value();
  } while (scanner_.accept(","));
  scanner_.expect("}");
  return true;
}

void ExpressionParser::check_condition(const Expression& condition) {
  const bool logical = condition.op == Operator::logical_not ||
                       condition.op == Operator::logical_and ||
                       condition.op == Operator::logical_or;
  if (condition.kind == Kind::access && condition.access == AccessKind::cas) {
    syntax_.warnings.push_back(
        error_at(syntax_.file, syntax_.text, condition.offset,
                 "cas returns the old value, not whether it has succeeded; compare it, as in "
                 "'cas(x, 0, 1) == 0'"));
  } else if ((condition.kind == Kind::unary || condition.kind == Kind::binary) && logical) {
    for (const Expression& operand : condition.operands) check_condition(operand);
  }
}

void ExpressionParser::check_loop_condition(const Expression& condition) {
  if (condition.kind == Kind::access && condition.access == AccessKind::cas) {
    const Expression& old = condition.operands[condition.operands.size() - 2];
    if (old.kind == Kind::number && old.number == 0) return;
  }
  check_condition(condition);
}

void ExpressionParser::check_n(const Token& n) const {
  if (!syntax_.launch || !syntax_.sizes.empty()) return;
  scanner_.fail(n, "what N is is said nowhere; expected 'N = 2..4;' at the top of the file");
}

void ExpressionParser::access(Expression& result, AccessKind kind) {
  const Token what = scanner_.next();
  result.kind = Kind::access;
  result.access = kind;
  if (at_once_ && kind != AccessKind::load) {
    scanner_.fail(what, has_thread_ ? fmt::format("the condition of an await changes nothing; "
                                                  "expected loads, found {}",
                                                  shown(what))
                                    : fmt::format("expected a load, found {}", shown(what)));
  }
  scanner_.expect("(");
  const Token name = scanner_.next();
  result.index = name.kind == Token::Kind::word ? find(syntax_.variables, name) : -1;
  if (result.index < 0) {
    scanner_.fail(name,
                  fmt::format("expected the name of a shared variable, found {}", shown(name)));
  }
  const Variable& variable = syntax_.variables[result.index];
  if (variable.per_workgroup && !has_thread_) {
    scanner_.fail(
        name,
        fmt::format("each workgroup has a {} of its own; expected a shared variable", shown(name)));
  }
  result.indexed = variable.size.has_value();
  result.has_column = variable.columns.has_value();
  result.operands = indices(result.has_column ? 2 : result.indexed ? 1 : 0, name, false);
  const int wanted = operands_of(kind);
  for (int i = 0; i < wanted; ++i) {
    scanner_.expect(",", fmt::format("{} takes {}", what.text,
                                     wanted == 1 ? "a value" : "the old value and the new one"));
    result.operands.push_back(expression());
  }
  result.strength = strength(kind, what);
  scanner_.expect(")", wanted == 0 ? "a load takes no value" : "");
  syntax_.strengths.back().end = scanner_.last_end();
}

// Orders and scopes are names, too, as no name can stand where they do.
Strength ExpressionParser::strength(std::optional<AccessKind> access, const Token& what) {
  StrengthPlace place;
  place.access = access;
  place.begin = what.offset;
  const auto take = [&](const auto& words, auto& written, std::size_t& begin, std::size_t& end) {
    begin = end = scanner_.last_end();
    Scanner ahead = scanner_;
    // Of a fence the order stands first, and has no comma.
    const bool first = !access && &begin == &place.order_begin;
    if (!first && !ahead.accept(",")) return false;
    if (first) begin = ahead.peek().offset;
    const Token word = ahead.next();
    for (const auto one : words) {
      if (!word.is(to_string(one))) continue;
      written = one;
      end = ahead.last_end();
      scanner_ = ahead;
      return true;
    }
    return false;
  };
  const bool has_order = take(kOrders, place.written.order, place.order_begin, place.order_end);
  if (!access && !has_order) refuse("an order: acquire, release, acq_rel or seq_cst");
  check_order(access, place.written.order, what);
  take(kScopes, place.written.scope, place.scope_begin, place.scope_end);
  if (scanner_.peek().is(",")) {
    scanner_.next();
    refuse(
        "an order (plain, relaxed, acquire, release, acq_rel, seq_cst) or a scope behind it "
        "(subgroup, workgroup, device, system)");
  }
  syntax_.strengths.push_back(place);
  return place.written;
}

// What reads can acquire, and what writes can release.
void ExpressionParser::check_order(std::optional<AccessKind> access, MemoryOrder order,
                                   const Token& what) const {
  const bool loads = access == AccessKind::load, stores = access == AccessKind::store;
  const bool updates = access && !loads && !stores;
  const auto refuse_for = [&](std::string_view expected) {
    scanner_.fail(what, fmt::format("{} has no order '{}'; expected {}", shown(what),
                                    to_string(order), expected));
  };
  switch (order) {
    case MemoryOrder::plain:
      if (!access) refuse_for("acquire, release, acq_rel or seq_cst");
      if (updates) refuse_for("relaxed, acquire, release, acq_rel or seq_cst");
      return;
    case MemoryOrder::relaxed:
      if (!access) refuse_for("acquire, release, acq_rel or seq_cst");
      return;
    case MemoryOrder::acquire:
      if (stores) refuse_for("plain, relaxed, release or seq_cst");
      return;
    case MemoryOrder::release:
      if (loads) refuse_for("plain, relaxed, acquire or seq_cst");
      return;
    case MemoryOrder::acq_rel:
      if (stores) refuse_for("plain, relaxed, release or seq_cst");
      if (loads) refuse_for("plain, relaxed, acquire or seq_cst");
      return;
    case MemoryOrder::seq_cst:
      return;
  }
}

}  // namespace headway::lang::idiom
