#include "kernel/slice/statements.hpp"

#include <algorithm>
#include <utility>

namespace headway::kernel::slice {
namespace {

using Kind = Statement::Kind;

bool is_just(const Statements& statements, Kind kind) {
  return statements.size() == 1 && statements.front().kind == kind;
}

bool ends_apart(const Statements& statements) {
  if (statements.empty()) return false;
  const Kind last = statements.back().kind;
  return last == Kind::leave || last == Kind::again || last == Kind::stop || last == Kind::jump;
}

// Whether a `continue` of the loop around is among them.
bool goes_again(const Statements& statements) {
  return std::any_of(statements.begin(), statements.end(), [](const Statement& one) {
    if (one.kind == Kind::again) return true;
    return one.kind == Kind::branch && (goes_again(one.body) || goes_again(one.otherwise));
  });
}

void shape_branch(Statement& one) {
  if (one.body.empty() && !one.otherwise.empty()) {
    one.text = negated(one.text);
    one.body.swap(one.otherwise);
  }
}

void shape_loop(Statement& loop) {
  if (!loop.text.text.empty() || loop.body.empty()) return;
  // while (1) { if (c) break; ... }
  if (Statement& first = loop.body.front(); first.kind == Kind::branch) {
    const bool leaves = is_just(first.body, Kind::leave);
    const bool stays = is_just(first.otherwise, Kind::leave);
    if (leaves || stays) {
      loop.text = leaves ? negated(first.text) : first.text;
      Statements rest = std::move(leaves ? first.otherwise : first.body);
      rest.insert(rest.end(), std::make_move_iterator(loop.body.begin() + 1),
                  std::make_move_iterator(loop.body.end()));
      loop.body = std::move(rest);
      return;
    }
  }
  // while (1) { ... if (c) break; }
  Statement& last = loop.body.back();
  if (last.kind != Kind::branch || !last.otherwise.empty() || !is_just(last.body, Kind::leave)) {
    return;
  }
  const Text condition = negated(last.text);
  loop.body.pop_back();
  if (goes_again(loop.body)) {
    loop.body.push_back(
        {Kind::branch, negated(condition), -1, {{Kind::leave, {}, -1, {}, {}}}, {}});
    return;
  }
  loop.kind = Kind::do_loop;
  loop.text = condition;
}

void collect(const Statement& one, std::set<int>& found) {
  found.insert(one.text.registers.begin(), one.text.registers.end());
  if (one.target >= 0) found.insert(one.target);
  for (const Statement& inner : one.body) collect(inner, found);
  for (const Statement& inner : one.otherwise) collect(inner, found);
}

bool mentions(const Statement& one, int reg) {
  std::set<int> found;
  collect(one, found);
  return found.contains(reg);
}

// Whether the register was declared in the list, of which some statements mention it. In a loop
// only where it is set first, as it would keep its value from one turn to the next otherwise.
bool declare(Statements& list, int reg, bool in_loop, bool is_array) {
  std::vector<std::size_t> where;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (mentions(list[i], reg)) where.push_back(i);
  }
  if (where.empty()) return false;
  Statement& first = list[where.front()];
  const bool inner =
      where.size() == 1 && !first.text.registers.contains(reg) && first.target != reg;
  if (inner && !is_array) {
    const bool loops = first.kind == Kind::loop || first.kind == Kind::do_loop;
    const bool in_body = std::any_of(first.body.begin(), first.body.end(),
                                     [&](const Statement& one) { return mentions(one, reg); });
    const bool in_other = std::any_of(first.otherwise.begin(), first.otherwise.end(),
                                      [&](const Statement& one) { return mentions(one, reg); });
    if (in_body && !in_other && declare(first.body, reg, loops, is_array)) return true;
    if (in_other && !in_body && declare(first.otherwise, reg, loops, is_array)) return true;
  }
  if (first.kind == Kind::assign && first.target == reg && !first.text.registers.contains(reg) &&
      !is_array) {
    first.kind = Kind::declare;
    return true;
  }
  if (in_loop) return false;
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(where.front()),
              Statement{Kind::declare, {}, reg, {}, {}});
  return true;
}

class Printer {
 public:
  Printer(const std::vector<Register>& registers, int indentation)
      : registers_(registers), indentation_(indentation) {}

  std::string take() { return std::move(out_); }

  void list(const Statements& all) {
    for (const Statement& one : all) statement(one);
  }

 private:
  void line(const std::string& text) {
    out_ += std::string(static_cast<std::size_t>(indentation_) * 2, ' ') + text + "\n";
  }
  // "head {", the body, and what comes behind it on the line of the brace.
  void block(const std::string& head, const Statements& body, const std::string& behind = "}") {
    line(head + " {");
    ++indentation_;
    list(body);
    --indentation_;
    line(behind);
  }
  void assignment(const Statement& one) {
    const Register& to = registers_[static_cast<std::size_t>(one.target)];
    for (const char* sign : {" + ", " - "}) {
      const std::string step = to.name + sign + "1";
      if (one.text.text == step) return line(to.name + (sign[1] == '+' ? "++;" : "--;"));
    }
    line(to.name + " = " + one.text.text + ";");
  }

  void statement(const Statement& one) {
    switch (one.kind) {
      case Kind::plain:
        return line(one.text.text + ";");
      case Kind::assign:
        return assignment(one);
      case Kind::declare: {
        const Register& to = registers_[static_cast<std::size_t>(one.target)];
        const std::string& value = one.text.text.empty() ? to.lowest : one.text.text;
        return line(to.type + " " + to.name + (value.empty() ? "" : " = " + value) + ";");
      }
      case Kind::branch:
        if (one.body.empty() && one.otherwise.empty()) {
          return line("if (" + one.text.text + ");");
        }
        if (one.otherwise.empty()) return block("if (" + one.text.text + ")", one.body);
        block("if (" + one.text.text + ")", one.body, "} else {");
        ++indentation_;
        list(one.otherwise);
        --indentation_;
        return line("}");
      case Kind::loop: {
        const std::string head =
            "while (" + (one.text.text.empty() ? std::string("1") : one.text.text) + ")";
        if (one.body.empty()) return line(head + ";");
        return block(head, one.body);
      }
      case Kind::do_loop:
        return block("do", one.body, "} while (" + one.text.text + ");");
      case Kind::leave:
        return line("break;");
      case Kind::again:
        return line("continue;");
      case Kind::stop:
        return line("return;");
      case Kind::label:
        return line(one.text.text + ":");
      case Kind::jump:
        return line("goto " + one.text.text + ";");
    }
  }

  const std::vector<Register>& registers_;
  int indentation_;
  std::string out_;
};

}  // namespace

Text negated(const Text& condition) {
  Text result = condition;
  if (!condition.negated.empty()) {
    result.text = condition.negated;
    result.negated = condition.text;
    return result;
  }
  result.text = "!" + condition.in(kUnary);
  result.strength = kUnary;
  result.negated = condition.strength >= kUnary ? condition.text : "";
  return result;
}

void make_readable(Statements& statements) {
  for (std::size_t i = 0; i < statements.size(); ++i) {
    Statement& one = statements[i];
    make_readable(one.body);
    make_readable(one.otherwise);
    if (one.kind == Kind::loop) shape_loop(one);
    if (one.kind != Kind::branch) continue;
    shape_branch(one);
    if (one.body.empty() && one.otherwise.empty() && !one.text.has_access) {
      statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(i--));
      continue;
    }
    // What comes behind an arm that goes elsewhere needs no `else`.
    if (ends_apart(one.otherwise) && !ends_apart(one.body)) {
      one.text = negated(one.text);
      one.body.swap(one.otherwise);
    }
    if (!ends_apart(one.body) || one.otherwise.empty()) continue;
    const Statements rest = std::move(one.otherwise);
    one.otherwise.clear();
    statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.begin(),
                      rest.end());
  }
}

void declare_registers(Statements& statements, const std::vector<Register>& registers) {
  for (std::size_t r = registers.size(); r-- > 0;) {
    declare(statements, static_cast<int>(r), false, registers[r].is_array);
  }
}

std::string print(const Statements& statements, const std::vector<Register>& registers,
                  int indentation) {
  Printer printer(registers, indentation);
  printer.list(statements);
  return printer.take();
}

}  // namespace headway::kernel::slice
