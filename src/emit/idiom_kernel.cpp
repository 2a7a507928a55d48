#include "emit/idiom_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "emit/groups_kernel.hpp"
#include "emit/helpers.hpp"
#include "emit/operators.hpp"
#include "emit/text.hpp"
#include "lang/idiom/code.hpp"

namespace headway::emit {
namespace {

using lang::idiom::AccessKind;
using lang::idiom::Code;
using lang::idiom::Instruction;
using lang::idiom::Node;
using lang::idiom::Operator;
using lang::idiom::ThreadCode;
using Kind = Instruction::Kind;

bool is_condition(const Node& node) {
  return (node.kind == Node::Kind::unary || node.kind == Node::Kind::binary) && is_truth(node.op);
}

// The code of one thread.
class ThreadFunction {
 public:
  ThreadFunction(const ThreadCode& thread, const Kernel& kernel, const Dialect& dialect)
      : thread_(thread), kernel_(kernel), dialect_(dialect) {
    std::set<std::string> names;
    for (std::size_t r = 0; r < thread.registers.size(); ++r) {
      const int index = static_cast<int>(r);
      const std::string name = identifier("r_", thread.registers[r].name, index);
      registers_.push_back(names.insert(name).second ? name : fmt::format("r_{}", index));
    }
    number_cases();
  }

  std::string text(std::size_t number) const {
    std::string text = indented(0, write(dialect_.function, number));
    text += indented(1, std::string(dialect_.pc));
    for (const std::string& name : registers_) text += indented(1, write(dialect_.reg, name));
    text += indented(1, std::string(dialect_.loop));
    text += indented(2, write(dialect_.choice, "pc"));
    int source = -1;  // of the case before
    for (const int place : cases_) {
      const Instruction& instruction = thread_.instructions[place];
      std::string begin = write(dialect_.case_begin, word(number_[place]));
      if (instruction.source >= 0 && instruction.source != source) {
        begin += "  // " + printable(thread_.sources[instruction.source].text);
      }
      source = instruction.source;
      text += indented(3, begin) + body(place) + indented(3, std::string(dialect_.case_end));
    }
    text += indented(3, std::string(dialect_.default_begin) + "  // END");
    if (!dialect_.finish.empty()) text += indented(4, std::string(dialect_.finish));
    text += indented(4, "return;");
    if (!dialect_.default_end.empty()) text += indented(3, std::string(dialect_.default_end));
    text += indented(2, "}");
    if (!dialect_.watch.empty()) text += indented(2, std::string(dialect_.watch));
    return text + indented(1, "}") + indented(0, "}");
  }

 private:
  // Cases -----------------------------------------------------------------------------------------

  bool does_nothing(int place) const {
    const Kind kind = thread_.instructions[place].kind;
    return kind == Kind::head || kind == Kind::jump;
  }

  // Where execution gets to from here without doing anything: an instruction that does something,
  // or this one again, in a loop that does nothing.
  int resolve(int place) const {
    int at = place;
    for (std::size_t steps = 0; does_nothing(at); ++steps) {
      if (steps > thread_.instructions.size()) return place;
      const Instruction& instruction = thread_.instructions[at];
      at = instruction.kind == Kind::jump ? instruction.target : at + 1;
    }
    return at;
  }

  void number_cases() {
    const int end = static_cast<int>(thread_.instructions.size()) - 1;
    number_.assign(thread_.instructions.size(), -1);
    const auto add = [&](int place) {
      number_[place] = static_cast<int>(cases_.size());
      cases_.push_back(place);
    };
    const auto first = std::find_if(
        thread_.instructions.begin(), thread_.instructions.end(),
        [&](const Instruction& i) { return i.kind != Kind::head && i.kind != Kind::jump; });
    // The program counter starts at 0.
    if (resolve(0) != static_cast<int>(first - thread_.instructions.begin()) ||
        does_nothing(resolve(0))) {
      add(0);
    }
    for (int place = 0; place < end; ++place) {
      if (number_[place] < 0 && (!does_nothing(place) || resolve(place) == place)) add(place);
    }
    number_[end] = static_cast<int>(cases_.size());
  }

  std::string word(std::int64_t value) const { return write(dialect_.number, value); }
  std::string place(int target) const { return word(number_[resolve(target)]); }
  std::string go(int target) const { return indented(4, fmt::format("pc = {};", place(target))); }

  std::string body(int at) const {
    const Instruction& i = thread_.instructions[at];
    switch (i.kind) {
      case Kind::assign:
        return indented(4, fmt::format("{} = {};", registers_[i.target], number(i.value))) +
               go(at + 1);
      case Kind::branch:
        return indented(4, fmt::format("pc = {};", write(dialect_.select, truth(i.value),
                                                         place(at + 1), place(i.target))));
      case Kind::assertion:
        return indented(4, write(dialect_.unless, truth(i.value), dialect_.violated)) + go(at + 1);
      case Kind::access:
        return access(i) + fence() + go(at + 1);
      case Kind::jump:
        return go(i.target);
      default:
        break;
    }
    return go(at + 1);
  }

  // Accesses --------------------------------------------------------------------------------------

  std::string fence() const {
    return dialect_.fence.empty() ? "" : indented(4, std::string(dialect_.fence));
  }

  std::string access(const Instruction& i) const {
    std::string where = kernel_.locations[i.variable].name;
    if (i.index >= 0) where += " + " + as_word(i.index);
    if (i.access == AccessKind::store)
      return indented(4, write(dialect_.store, write(dialect_.cell, where), as_word(i.value)));
    const std::string found = read(i, where);
    if (i.target < 0) return indented(4, found + ";");
    return indented(
        4, fmt::format("{} = {};", registers_[i.target], write(dialect_.to_signed, found)));
  }

  std::string read(const Instruction& i, const std::string& where) const {
    const std::string cell = write(dialect_.cell, where);
    const auto with_value = [&](std::string_view format) {
      return write(format, cell, as_word(i.value));
    };
    switch (i.access) {
      case AccessKind::load:
        return load(kernel_, dialect_, cell);
      case AccessKind::cas:
        return write(dialect_.compare_exchange, cell, as_word(i.value), as_word(i.second), where);
      case AccessKind::exch:
        return with_value(dialect_.exchange);
      case AccessKind::fetch_add:
        return with_value(dialect_.add);
      case AccessKind::fetch_sub:
        return with_value(dialect_.subtract);
      case AccessKind::fetch_min:
        return with_value(dialect_.minimum);
      case AccessKind::fetch_max:
        return with_value(dialect_.maximum);
      case AccessKind::fetch_and:
        return with_value(dialect_.bit_and);
      case AccessKind::fetch_or:
        return with_value(dialect_.bit_or);
      case AccessKind::fetch_xor:
        return with_value(dialect_.bit_xor);
      case AccessKind::store:
      case AccessKind::weak_cas:
        break;
    }
    return {};
  }

  // Expressions -----------------------------------------------------------------------------------
  // Parentheses are around all but the outermost operation: languages differ in what binds closer.

  std::string as_word(int n) const {
    const Node& node = thread_.nodes[n];
    if (node.kind == Node::Kind::number && node.number >= 0) return word(node.number);
    return write(dialect_.to_word, number(n));
  }

  // As a signed number.
  std::string number(int n) const {
    const Node& node = thread_.nodes[n];
    if (is_condition(node)) return choose(n, literal(1), literal(0));
    switch (node.kind) {
      case Node::Kind::number:
        return literal(node.number);
      case Node::Kind::reg:
        return registers_[node.number];
      case Node::Kind::conditional:
        return choose(node.a, number_part(node.b), number_part(node.c));
      case Node::Kind::unary:
        return fmt::format("{}{}", sign(node.op), number_part(node.a));
      default:
        break;
    }
    std::string right = number_part(node.b);
    if (node.op == Operator::remainder) {
      return write(dialect_.remainder, number_part(node.a), right);
    }
    if (node.op == Operator::shift_left || node.op == Operator::shift_right) {
      right = write(dialect_.shift_count, right);
    }
    return fmt::format("{} {} {}", number_part(node.a), sign(node.op), right);
  }
  std::string number_part(int n) const {
    const Node& node = thread_.nodes[n];
    const bool plain =
        node.kind == Node::Kind::reg || (node.kind == Node::Kind::number && node.number >= 0);
    return plain ? number(n) : "(" + number(n) + ")";
  }
  std::string literal(std::int64_t value) const {
    return value < 0 ? "-" + write(dialect_.signed_number, -value)
                     : write(dialect_.signed_number, value);
  }
  std::string choose(int condition, const std::string& yes, const std::string& no) const {
    return write(dialect_.select, truth(condition), yes, no);
  }

  // As a condition.
  std::string truth(int n) const {
    const Node& node = thread_.nodes[n];
    if (!is_condition(node)) return fmt::format("{} != {}", number_part(n), literal(0));
    if (node.op == Operator::logical_not) return fmt::format("!({})", truth(node.a));
    if (node.op == Operator::logical_and || node.op == Operator::logical_or) {
      return fmt::format("({}) {} ({})", truth(node.a), sign(node.op), truth(node.b));
    }
    return fmt::format("{} {} {}", number_part(node.a), sign(node.op), number_part(node.b));
  }

  const ThreadCode& thread_;
  const Kernel& kernel_;
  const Dialect& dialect_;
  std::vector<std::string> registers_;
  std::vector<int> cases_;   // instructions that have one, in order
  std::vector<int> number_;  // by instruction, of its case; -1: it has none
};

// Whether ThreadFunction knows what to make of it.
bool has_case(const Instruction& instruction) {
  switch (instruction.kind) {
    case Kind::assign:
    case Kind::branch:
    case Kind::jump:
    case Kind::assertion:
    case Kind::access:
    case Kind::head:
    case Kind::end:
      return true;
    default:
      return false;
  }
}

// Refuses what no target can say.
void require_sayable(const Code& code, const std::string& name) {
  const char* reason = code.lockstep
                           ? "its subgroups run in lockstep, which no target promises; expected "
                             "'execution: independent;', which lets a device run them as it does"
                       : code.assumes() ? "it makes assumptions"
                                        : nullptr;
  if (reason != nullptr) throw Error(fmt::format("{} cannot be exported: {}", name, reason));
}

// Whether a loop around a switch would change the program, or cannot say it: threads of a subgroup
// would take turns in it, and a barrier would stand in as many places as there are threads.
bool needs_groups(const Code& code) {
  if (!code.topology.is_flat() || code.waits() || code.chooses()) return true;
  if (!code.final.instructions.empty()) return true;
  for (const auto& variable : code.variables) {
    if (variable.per_workgroup || variable.wraps || variable.columns > 0) return true;
  }
  for (const ThreadCode& thread : code.threads) {
    for (const auto& range : thread.registers) {
      if (range.wraps || range.name.ends_with(']')) return true;
    }
    if (!std::all_of(thread.instructions.begin(), thread.instructions.end(), has_case)) return true;
  }
  return false;
}

class IdiomBody final : public Body {
 public:
  explicit IdiomBody(std::shared_ptr<const Code> code) : code_(std::move(code)) {}

  std::string functions(const Kernel& kernel, const Dialect& dialect) const override {
    std::string text = helpers(*code_, kernel, dialect);
    for (std::size_t t = 0; t < code_->threads.size(); ++t) {
      if (t > 0) text += "\n";
      text += ThreadFunction(code_->threads[t], kernel, dialect).text(t);
    }
    return text;
  }

 private:
  std::shared_ptr<const Code> code_;
};

}  // namespace

void lower(const std::shared_ptr<const Code>& code, Kernel& kernel) {
  require_operations(*code, kernel.name);
  require_sayable(*code, kernel.name);
  if (needs_groups(*code)) return lower_groups(code, kernel);
  kernel.body = std::make_shared<const IdiomBody>(code);
  for (const auto& variable : code->variables) {
    kernel.locations.push_back({identifier("LOC_", variable.name, variable.first_cell),
                                variable.first_cell, variable.is_array});
  }
  for (const int value : code->initial) {
    kernel.initial.push_back(static_cast<std::uint32_t>(value));
  }
}

}  // namespace headway::emit
