#include "lang/idiom/readings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headway::lang::idiom {
namespace {

using StatementKind = Statement::Kind;

// Why a statement cannot be had where threads meet in dynamic blocks; empty where it can.
std::string why_not(const ReadingRules& rules, StatementKind kind) {
  switch (kind) {
    case StatementKind::switch_:
      return "which is not structured enough for dynamic blocks; expected 'if'";
    case StatementKind::jump:
      return "which is not structured enough for dynamic blocks; expected a loop";
    case StatementKind::barrier:
    case StatementKind::await:
      return "and no text says how it meets the dynamic blocks around it";
    case StatementKind::loop:
    case StatementKind::do_loop:
      if (rules.guesses) return "as what is guessed in it has no end; expected no loop";
      break;
    default:
      break;
  }
  return {};
}

class Refusal {
 public:
  explicit Refusal(const Syntax& syntax)
      : syntax_(syntax), rules_(rules_of(*syntax.reading)), votes_(!syntax.operations.empty()) {}

  void check(const std::vector<Statement>& statements, int loops) const {
    for (const Statement& s : statements) check(s, loops);
  }

 private:
  void check(const Statement& s, int loops) const {
    // With independent threads all is as ever, but that votes meet anywhere.
    const bool independent = rules_.votes == Meets::anywhere;
    const bool waits = s.kind == StatementKind::barrier || s.kind == StatementKind::await;
    const std::string why = independent && !(waits && votes_) ? "" : why_not(rules_, s.kind);
    if (!why.empty()) {
      syntax_.fail(s.offset, fmt::format("not modelled with --subgroups {}: '{}', {}", rules_.name,
                                         s.source.text, why));
    }
    const bool is_loop = s.kind == StatementKind::loop || s.kind == StatementKind::do_loop;
    const int inside = loops + (is_loop ? 1 : 0);
    if (s.expression) check(*s.expression, inside);
    for (const auto* list : {&s.indices, &s.values}) {
      for (const Expression& e : *list) check(e, inside);
    }
    check(s.body, inside);
    check(s.otherwise, inside);
  }

  void check(const Expression& e, int loops) const {
    const bool orders = rules_.accesses == Meets::together || rules_.one_side;
    if (e.fair && orders) {
      syntax_.fail(e.offset, fmt::format("not modelled with --subgroups {}: a fair choice, where "
                                         "threads choose together",
                                         rules_.name));
    }
    if (e.kind == Expression::Kind::subgroup && loops > 1 && rules_.votes == Meets::speculating) {
      syntax_.fail(e.offset, fmt::format("not modelled with --subgroups {}: an operation of the "
                                         "subgroup in a loop inside of a loop",
                                         rules_.name));
    }
    if (e.kind == Expression::Kind::call && loops > 0) check_call(e, loops);
    for (const Expression& operand : e.operands) check(operand, loops);
  }

  // A function stands where it is called.
  void check_call(const Expression& e, int loops) const {
    check(syntax_.functions[static_cast<std::size_t>(e.index)].block.body, loops);
  }

  const Syntax& syntax_;
  const ReadingRules& rules_;
  const bool votes_;
};

}  // namespace

void refuse_for_reading(const Syntax& syntax) {
  if (rules_of(*syntax.reading).in_lockstep) return;
  const Refusal refusal(syntax);
  for (const Block& block : syntax.blocks) refusal.check(block.body, 0);
  for (const Function& function : syntax.functions) refusal.check(function.block.body, 0);
}

}  // namespace headway::lang::idiom
