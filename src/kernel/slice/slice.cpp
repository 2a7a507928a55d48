#include "kernel/slice/slice.hpp"

#include <fmt/format.h>

#include "kernel/slice/registers.hpp"
#include "kernel/slice/structure.hpp"
#include "lang/test.hpp"

namespace headway::kernel::slice {
namespace {

// "shared int(0..3) ready[3], next;", those of a type on one line.
std::string declarations(const Expressions& expressions, const Observed& observed) {
  std::string result;
  std::string last;
  for (const SharedVariable& of : expressions.variables()) {
    const bool shared = observed.sections()[of.section].owner == Section::Owner::launch;
    std::string text = of.name;
    if (of.is_array()) text += fmt::format("[{}]", of.count);
    bool same = true, zero = true;
    std::string list;
    for (const std::optional<std::int64_t>& value : of.initial) {
      // Of cells that nobody reads before they are written any value will do.
      const std::int64_t number =
          value.value_or(of.seen.low <= 0 && of.seen.high >= 0 ? 0 : of.seen.low);
      list += fmt::format("{}{}", list.empty() ? "" : ", ", number);
      zero = zero && number == 0;
      same = same && value == of.initial.front();
    }
    if (!zero && !of.is_array()) text += " = " + list;
    if (!zero && of.is_array()) {
      text += same && of.initial.front() ? fmt::format(" = {}", *of.initial.front())
                                         : " = {" + list + "}";
    }
    const std::string head =
        (shared ? "shared " : "workgroup ") + expressions.type(of.seen, of.name) + " ";
    if (head == last) {
      result.replace(result.rfind(';'), 2, ", " + text + ";\n");
    } else {
      result += head + text + ";\n";
    }
    last = head;
  }
  return result;
}

std::string launch_text(const Launch& launch) {
  const Topology topology = launch.topology();
  const int groups = topology.workgroups();
  if (launch.group_threads() == 1) return fmt::format("N = {};\n", groups);
  std::string result = fmt::format("{} workgroup{} of {} threads", groups, groups == 1 ? "" : "s",
                                   launch.group_threads());
  const int lanes = topology.group_threads(Level::subgroup);
  if (lanes != launch.group_threads()) result += fmt::format(", subgroups of {}", lanes);
  return result + ";\n";
}

// What an idiom has not.
void refuse_strangers(const Function& function) {
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      const char* what = i.op == Op::numbered_barrier ? "a barrier with a number"
                         : i.op == Op::async_copy || i.op == Op::wait_events ||
                                 class_of(i.op) == OpClass::asynchronous
                             ? "an asynchronous copy"
                             : nullptr;
      if (what == nullptr) continue;
      throw lang::Undecided(fmt::format("unsupported: line {}: {}", i.place.line, what));
    }
  }
}

std::string written(const Machine& machine, const Observed& observed, const Options& options,
                    bool ways_out) {
  const Code& code = machine.code();
  const Relevant relevant = find_relevant(code, observed, options.waits, ways_out);
  Expressions expressions(code, machine.launch(), observed, relevant);
  choose_registers(code, relevant, expressions);
  Statements body = structured(code, relevant, expressions);
  make_readable(body);
  const std::vector<Register> registers = expressions.registers();
  declare_registers(body, registers);
  std::string result = "// " + options.comment + "\nidiom " + options.name + "\n";
  result += launch_text(machine.launch()) +
            (expressions.variables().empty() && expressions.constants().empty() ? "" : "\n");
  for (const auto& [name, value] : expressions.constants()) {
    result += fmt::format("const {} = {};\n", name, value);
  }
  result += declarations(expressions, observed);
  return result + "\nthreads {\n" + print(body, registers, 1) + "}\n";
}

}  // namespace

std::string make_slice(Machine& machine, const Options& options) {
  refuse_strangers(machine.code().function());
  Observed observed(machine.code(), machine.launch());
  machine.show(&observed);
  ExploreOptions explore_options = options.explore;
  explore_options.reduce = false;
  const Exploration found = explore(machine, explore_options);
  machine.show(nullptr);
  if (!found.complete || !found.faults.empty()) {
    throw lang::Undecided(
        fmt::format("unknown: all of its executions have to be seen, and there are more than {} "
                    "states; a smaller "
                    "launch may do",
                    found.states));
  }
  try {
    return written(machine, observed, options, true);
  } catch (const lang::Undecided&) {
    return written(machine, observed, options, false);
  }
}

}  // namespace headway::kernel::slice
