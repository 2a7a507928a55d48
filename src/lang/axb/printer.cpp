#include "lang/axb/printer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace headway::lang::axb {
namespace {

std::string target_name(int target, int length) {
  return target == length ? "END" : fmt::format("L{}", target);
}

std::string quoted_if_needed(const std::string& name) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '+' || c == '.';
  });
  return plain ? name : '"' + name + '"';
}

// A statement can say everything about a store but a check value, and nothing about a plain read.
bool needs_raw_form(const Instruction& i, int index) {
  return i.is_access() && i.jump == index + 1 && (!i.exchanges || i.check_value != 0);
}

// The groups around the threads of a program, as blocks: of workgroups where it is placed, and of
// subgroups where one has several.
class Groups {
 public:
  explicit Groups(const Code& code) : topology_(code.topology()) {
    if (!code.placement) return;
    levels_.push_back(Level::workgroup);
    if (topology_.has(Level::subgroup)) levels_.push_back(Level::subgroup);
    indent_ = std::string(2 * levels_.size(), ' ');
  }

  const std::string& indent() const { return indent_; }
  // What stands in front of a thread and behind it.
  std::string begin(int thread) const {
    std::string text = "\n";
    if (is_within(thread)) text.clear();
    for (std::size_t depth = 0; depth < levels_.size(); ++depth) {
      const int group = topology_.group_of(levels_[depth], thread);
      if (topology_.first_thread(levels_[depth], group) != thread) continue;
      text += fmt::format("{:{}}{} {} {{\n", "", 2 * depth, to_string(levels_[depth]), group);
    }
    return text;
  }
  std::string end(int thread) const {
    std::string text;
    for (std::size_t depth = levels_.size(); depth-- > 0;) {
      const int group = topology_.group_of(levels_[depth], thread);
      if (topology_.first_thread(levels_[depth], group + 1) != thread + 1) continue;
      text += fmt::format("{:{}}}}\n", "", 2 * depth);
    }
    return text;
  }

 private:
  // Whether there are threads of the same workgroup in front of a thread.
  bool is_within(int thread) const {
    if (levels_.empty()) return false;
    const int group = topology_.group_of(Level::workgroup, thread);
    return topology_.first_thread(Level::workgroup, group) != thread;
  }

  Topology topology_;
  std::vector<Level> levels_;
  std::string indent_;
};

constexpr std::size_t kWidest = 100;  // characters of a line of expectations

std::string print_expectations(const Test& test) {
  std::string text = "\nexpect {\n";
  for (std::size_t i = 0; i < test.expectations.size();) {
    const bool passes = test.expectations[i].passes;
    std::string line = passes ? "  pass" : "  fail";
    const char* separator = " ";
    for (; i < test.expectations.size() && test.expectations[i].passes == passes; ++i) {
      const std::string next = to_string(test.expectations[i]);
      if (line.size() + next.size() > kWidest && *separator == ',') {
        text += line + ",\n";
        line = "      ";
        separator = " ";
      }
      line += separator + next;
      separator = ", ";
    }
    text += line + ";\n";
  }
  return text + "}\n";
}

}  // namespace

std::string print_statement(const Code& code, const Instruction& i, int index, int length) {
  if (i.is_barrier()) {
    return fmt::format("barrier({}{});", to_string(level_of(i.barrier)),
                       code.ended_count ? " or ended" : "");
  }
  if (i.asks_lane) {
    if (i.jump == index) return fmt::format("while (lane == {});", i.check_value);
    return fmt::format("if (lane == {}) goto {};", i.check_value, target_name(i.jump, length));
  }
  const std::string& location = code.locations[i.location].name;
  if (needs_raw_form(i, index)) {
    const std::string target = i.jump == length ? "END" : std::to_string(i.jump);
    return fmt::format("AXB({}, {}, {}, {}, {});", location, i.check_value, target, i.exchanges,
                       i.exchange_value);
  }
  if (is_store(i, index)) return fmt::format("{} = {};", location, i.exchange_value);
  const std::string read = i.exchanges ? fmt::format("Exch({}, {})", location, i.exchange_value)
                                       : fmt::format("Load({})", location);
  if (i.jump == index) return fmt::format("while ({} == {});", read, i.check_value);
  return fmt::format("if ({} == {}) goto {};", read, i.check_value, target_name(i.jump, length));
}

std::string print_litmus(const Test& test, const Code& code) {
  std::string text;
  for (const std::string& line : test.comment) text += "//" + line + "\n";
  if (!test.name.empty()) text += "litmus " + quoted_if_needed(test.name) + "\n";
  if (!text.empty()) text += "\n";
  int used = 2;
  const auto use = [&](int value) { used = std::max(used, value + 1); };
  for (const Location& location : code.locations) use(location.initial);
  for (const Thread& thread : code.threads) {
    for (const Instruction& i : thread.instructions) {
      if (i.is_access()) use(i.check_value), use(i.exchange_value);
    }
  }
  if (used != code.values) text += fmt::format("values {};\n", code.values);
  text += "locations ";
  for (std::size_t l = 0; l < code.locations.size(); ++l) {
    text += (l > 0 ? ", " : "") + code.locations[l].name;
    if (code.locations[l].initial != 0) text += fmt::format(" = {}", code.locations[l].initial);
  }
  text += ";\n";
  const Groups groups(code);
  int first = 0;  // lane
  for (int t = 0; t < code.thread_count(); ++t) {
    const Thread& thread = code.threads[t];
    const std::string& indent = groups.indent();
    std::set<int> labelled;
    for (int i = 0; i < thread.length(); ++i) {
      const int jump = thread.instructions[i].jump;
      if (jump != i && jump != i + 1) labelled.insert(jump);
    }
    const std::string who = thread.lanes == 1
                                ? fmt::format("thread {}", first)
                                : fmt::format("threads {}..{}", first, first + thread.lanes - 1);
    first += thread.lanes;
    text += groups.begin(t) + fmt::format("{}{} {{\n", indent, who);
    for (int i = 0; i < thread.length(); ++i) {
      const std::string label = labelled.contains(i) ? fmt::format("L{}: ", i) : "";
      text += fmt::format("{}  {}{}\n", indent, label,
                          print_statement(code, thread.instructions[i], i, thread.length()));
    }
    text += indent + "}\n" + groups.end(t);
  }
  if (!test.expectations.empty()) text += print_expectations(test);
  return text;
}

std::string print_published(const Code& code) {
  std::string text;
  for (int t = 0; t < code.thread_count(); ++t) {
    const Thread& thread = code.threads[t];
    text += fmt::format("THREAD{}\n", t);
    for (int index = 0; index < thread.length(); ++index) {
      const Instruction& i = thread.instructions[index];
      const std::string target =
          i.jump == thread.length() ? std::string("END") : std::to_string(i.jump);
      if (is_store(i, index) && i.check_value == 0) {
        text += fmt::format("atomic_store({},{})\n", i.location, i.exchange_value);
      } else if (i.exchanges) {
        text += fmt::format("atomic_exch_branch({},{},{},{})\n", i.location, i.check_value,
                            i.exchange_value, target);
      } else {
        text += fmt::format("atomic_chk_branch({},{},{})\n", i.location, i.check_value, target);
      }
    }
    text += "\n\n";
  }
  return text;
}

}  // namespace headway::lang::axb
