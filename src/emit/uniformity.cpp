#include "emit/uniformity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace headway::emit {
namespace {

using lang::idiom::Block;
using lang::idiom::Constants;
using lang::idiom::Expression;
using lang::idiom::Id;
using lang::idiom::Operator;
using lang::idiom::Scope;
using lang::idiom::Statement;
using lang::idiom::SubgroupOperation;
using lang::idiom::Syntax;
using ExpressionKind = Expression::Kind;
using StatementKind = Statement::Kind;

// What differs among the threads of a group of one scope, as a fixed point: at first nothing but
// ids does, and each pass over the program finds more.
class Divergence {
 public:
  Divergence(const Syntax& syntax, const Constants& constants, Scope scope)
      : syntax_(syntax), constants_(constants), scope_(scope) {
    const Topology& topology = constants.topology();
    group_size_ = scope == Scope::grid        ? topology.threads()
                  : scope == Scope::workgroup ? topology.group_threads(Level::workgroup)
                                              : topology.group_threads(Level::subgroup);
  }

  // Marks the barriers of this scope that stand where threads come by apart, and for subgroups the
  // operations.
  void run(std::vector<bool>& apart, std::vector<bool>& operations) {
    operations_ = &operations;
    if (group_size_ == 1) return;  // a thread is always together with itself
    std::size_t known = 0;
    do {
      known = facts();
      for (std::size_t f = 0; f < syntax_.functions.size(); ++f) {
        current_ = &syntax_.functions[f].block;
        pass(apart, functions_apart_.contains(f));
        if (left_) functions_left_.insert(f);
      }
      for (const Block& block : syntax_.blocks) {
        const auto [first, last] = threads_of(block, constants_);
        if (first > last) continue;
        current_ = &block;
        pass(apart, first % group_size_ != 0 || (last + 1) % group_size_ != 0);
      }
    } while (facts() != known);
  }

 private:
  using Register = std::pair<const Block*, int>;

  std::size_t facts() const {
    return registers_.size() + ragged_.size() + functions_apart_.size() + values_.size() +
           functions_left_.size();
  }

  void pass(std::vector<bool>& apart, bool from_the_start) {
    barriers_ = &apart;
    apart_ = from_the_start || !current_->labels.empty();
    left_ = false;
    around_.clear();
    statements(current_->body);
  }

  void statements(const std::vector<Statement>& list) {
    for (const Statement& statement : list) walk(statement);
  }

  // The statements where whether they are reached differs, if `differs`.
  void under(bool differs, const std::vector<Statement>& list) {
    const bool before = apart_;
    apart_ = apart_ || differs;
    statements(list);
    apart_ = before || left_;
  }

  void walk(const Statement& s) {
    switch (s.kind) {
      case StatementKind::block:
        return statements(s.body);
      case StatementKind::assign: {
        bool differs = differs_now(*s.expression);
        for (const Expression& index : s.indices) differs = differs_now(index) || differs;
        if (differs || apart_) registers_.insert({current_, s.index});
        return;
      }
      case StatementKind::fill: {
        bool differs = apart_;
        for (const Expression& value : s.values) differs = differs_now(value) || differs;
        if (differs) registers_.insert({current_, s.index});
        return;
      }
      case StatementKind::branch: {
        const bool differs = differs_now(*s.expression);
        under(differs, s.body);
        under(differs, s.otherwise);
        return;
      }
      case StatementKind::loop:
      case StatementKind::do_loop:
        return loop(s);
      case StatementKind::switch_: {
        const bool differs = differs_now(*s.expression);
        around_.push_back(&s);
        under(differs || ragged_.contains(&s), s.body);
        around_.pop_back();
        return;
      }
      case StatementKind::break_:
        if (apart_ && !around_.empty()) ragged_.insert(around_.back());
        return;
      case StatementKind::continue_:
        // Of the loop around a switch, too.
        for (auto it = around_.rbegin(); apart_ && it != around_.rend(); ++it) {
          ragged_.insert(*it);
          if ((*it)->kind != StatementKind::switch_) break;
        }
        return;
      case StatementKind::return_:
        if (s.expression && (differs_now(*s.expression) || apart_)) values_.insert(current_);
        if (apart_) leave();
        return;
      case StatementKind::barrier:
        if (syntax_.barriers[s.index].scope == scope_ && apart_) (*barriers_)[s.index] = true;
        return;
      default:
        if (s.expression) differs_now(*s.expression);
        return;
    }
  }

  void loop(const Statement& s) {
    around_.push_back(&s);
    const bool before = apart_;
    apart_ = apart_ || ragged_.contains(&s);
    // A condition that differs ends the loop at different times.
    if (s.expression && differs_now(*s.expression)) ragged_.insert(&s);
    statements(s.body);
    statements(s.otherwise);
    if (s.kind == StatementKind::do_loop) differs_now(*s.expression);
    around_.pop_back();
    apart_ = before || left_;
  }

  // Some threads of the group end here, or leave the function, and others do not.
  void leave() {
    left_ = true;
    ragged_.insert(around_.begin(), around_.end());
  }

  // Whether the value of an expression may differ; notes what it calls on the way.
  bool differs_now(const Expression& e) {
    switch (e.kind) {
      case ExpressionKind::number:
      case ExpressionKind::constant:
      case ExpressionKind::thread_count:
      case ExpressionKind::size:
      case ExpressionKind::row:
      case ExpressionKind::column:
        return false;
      case ExpressionKind::thread_id:
        return true;
      case ExpressionKind::id:
        return !(e.id == Id::gid && scope_ != Scope::grid) &&
               !(e.id == Id::sid && scope_ == Scope::subgroup);
      case ExpressionKind::call:
        return call(e);
      case ExpressionKind::subgroup:
        return operation(e);
      default:
        break;
    }
    const bool shortcut = e.kind == ExpressionKind::binary &&
                          (e.op == Operator::logical_and || e.op == Operator::logical_or);
    const bool before = apart_;
    bool differs = e.kind != ExpressionKind::unary && e.kind != ExpressionKind::binary &&
                   e.kind != ExpressionKind::conditional && e.kind != ExpressionKind::reg;
    if (e.kind == ExpressionKind::reg) differs = registers_.contains({current_, e.index});
    for (const Expression& operand : e.operands) {
      differs = differs_now(operand) || differs;
      if (shortcut) apart_ = apart_ || differs;
    }
    apart_ = before || left_;
    return differs;
  }

  // What it gives is the same for all of a subgroup that come by together, but for the last two.
  bool operation(const Expression& e) {
    bool asked_differs = false;
    for (const Expression& operand : e.operands) asked_differs = differs_now(operand);
    if (scope_ == Scope::subgroup && apart_) (*operations_)[e.index] = true;
    const bool one_subgroup = group_size_ == constants_.topology().subgroup_threads();
    const SubgroupOperation which = syntax_.operations[e.index];
    return apart_ || !one_subgroup || which == SubgroupOperation::elect ||
           (which == SubgroupOperation::shuffle && asked_differs);
  }

  bool call(const Expression& e) {
    const auto f = static_cast<std::size_t>(e.index);
    const Block* called = &syntax_.functions[f].block;
    for (std::size_t a = 0; a < e.operands.size(); ++a) {
      if (differs_now(e.operands[a])) registers_.insert({called, static_cast<int>(a)});
    }
    if (apart_) functions_apart_.insert(f);
    return apart_ || values_.contains(called) || functions_left_.contains(f);
  }

  const Syntax& syntax_;
  const Constants& constants_;
  Scope scope_;
  int group_size_ = 1;
  const Block* current_ = nullptr;
  std::vector<bool>* barriers_ = nullptr;
  std::vector<bool>* operations_ = nullptr;
  bool apart_ = false;                    // here
  bool left_ = false;                     // some have returned in front of here
  std::vector<const Statement*> around_;  // loops and switches
  // What was found so far.
  std::set<Register> registers_;
  std::set<const Statement*> ragged_;
  std::set<std::size_t> functions_apart_, functions_left_;
  std::set<const Block*> values_;
};

void place_operations(const Expression& e, const Statement& statement, Meetings& found) {
  if (e.kind == ExpressionKind::subgroup) {
    found.operations[e.index].place =
        fmt::format("line {}, {}", statement.source.line, statement.source.text);
  }
  for (const Expression& operand : e.operands) place_operations(operand, statement, found);
}

void find_places(const std::vector<Statement>& list, Meetings& found) {
  for (const Statement& statement : list) {
    if (statement.kind == StatementKind::barrier) ++found.barriers[statement.index].places;
    if (statement.expression) place_operations(*statement.expression, statement, found);
    for (const Expression& e : statement.indices) place_operations(e, statement, found);
    for (const Expression& e : statement.values) place_operations(e, statement, found);
    find_places(statement.body, found);
    find_places(statement.otherwise, found);
  }
}

OperationUse::Kind kind_of(SubgroupOperation operation) {
  switch (operation) {
    case SubgroupOperation::all:
      return OperationUse::Kind::all;
    case SubgroupOperation::any:
      return OperationUse::Kind::any;
    case SubgroupOperation::ballot:
      return OperationUse::Kind::ballot;
    case SubgroupOperation::broadcast:
      return OperationUse::Kind::broadcast;
    case SubgroupOperation::shuffle:
      return OperationUse::Kind::shuffle;
    case SubgroupOperation::elect:
      break;
  }
  return OperationUse::Kind::elect;
}

bool has_meeting_in(const Expression& e, const Syntax& syntax) {
  const auto meets = [&](const Statement& statement) { return has_meeting(statement, syntax); };
  if (e.kind == ExpressionKind::subgroup) return true;
  if (e.kind == ExpressionKind::call) {
    const auto& body = syntax.functions[e.index].block.body;
    if (std::any_of(body.begin(), body.end(), meets)) return true;
  }
  return std::any_of(e.operands.begin(), e.operands.end(),
                     [&](const Expression& operand) { return has_meeting_in(operand, syntax); });
}

}  // namespace

bool has_meeting(const Statement& s, const Syntax& syntax) {
  const auto meets = [&](const Statement& statement) { return has_meeting(statement, syntax); };
  const auto in = [&](const Expression& e) { return has_meeting_in(e, syntax); };
  return s.kind == StatementKind::barrier ||
         (s.expression && has_meeting_in(*s.expression, syntax)) ||
         std::any_of(s.indices.begin(), s.indices.end(), in) ||
         std::any_of(s.values.begin(), s.values.end(), in) ||
         std::any_of(s.body.begin(), s.body.end(), meets) ||
         std::any_of(s.otherwise.begin(), s.otherwise.end(), meets);
}

std::pair<int, int> threads_of(const Block& block, const Constants& constants) {
  if (block.all) return {0, constants.topology().threads() - 1};
  return {static_cast<int>(constants.value(block.first)),
          static_cast<int>(constants.value(block.last))};
}

Meetings find_meetings(const Syntax& syntax, const Constants& constants) {
  Meetings found = {std::vector<BarrierUse>(syntax.barriers.size()),
                    std::vector<OperationUse>(syntax.operations.size())};
  std::vector<bool> apart(found.barriers.size(), false);
  std::vector<bool> operations_apart(found.operations.size(), false);
  for (const Scope scope : {Scope::subgroup, Scope::workgroup, Scope::grid}) {
    Divergence(syntax, constants, scope).run(apart, operations_apart);
  }
  for (std::size_t b = 0; b < apart.size(); ++b) {
    const Scope scope = syntax.barriers[b].scope;
    BarrierUse& barrier = found.barriers[b];
    barrier.scope = scope == Scope::subgroup    ? BarrierUse::Scope::subgroup
                    : scope == Scope::workgroup ? BarrierUse::Scope::workgroup
                                                : BarrierUse::Scope::grid;
    barrier.counts_ended = syntax.barriers[b].counts_ended;
    barrier.uniform = !apart[b];
  }
  for (std::size_t o = 0; o < operations_apart.size(); ++o) {
    found.operations[o].kind = kind_of(syntax.operations[o]);
    found.operations[o].uniform = !operations_apart[o];
  }
  for (const auto& function : syntax.functions) find_places(function.block.body, found);
  for (const Block& block : syntax.blocks) {
    const auto [first, last] = threads_of(block, constants);
    if (first <= last) find_places(block.body, found);
  }
  return found;
}

}  // namespace headway::emit
