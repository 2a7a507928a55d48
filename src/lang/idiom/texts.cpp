#include "lang/idiom/texts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headway::lang::idiom {

std::string registers_text(const ThreadCode& thread, const ThreadState& local) {
  std::string text;
  for (std::size_t r = 0; r < thread.registers.size(); ++r) {
    const std::string& name = thread.registers[r].name;
    if ((thread.live[local.at] >> r & 1) == 0 || name.empty()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, local.registers[r]);
  }
  return text;
}

namespace {

// Of a variable of which each workgroup has its own, "x@1".
std::string instance_name(const SharedVariable& variable, int instance) {
  return variable.instances > 1 ? fmt::format("{}@{}", variable.name, instance) : variable.name;
}

}  // namespace

std::string memory_text(const Code& code, const Memory& memory) {
  std::string text;
  for (const SharedVariable& variable : code.variables) {
    for (int instance = 0; instance < variable.instances; ++instance) {
      std::string values;
      for (int i = 0; i < variable.size; ++i) {
        const int cell = variable.first_cell + instance * variable.size + i;
        const bool row = variable.columns > 0 && i > 0 && i % variable.columns == 0;
        values += fmt::format("{}{}", row ? "},{" : i > 0 ? "," : "", memory.value(cell));
      }
      if (variable.columns > 0) values = fmt::format("{{{}}}", values);
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", instance_name(variable, instance),
                          variable.is_array ? "{" + values + "}" : values);
    }
  }
  return text;
}

std::string own_effect(Instruction::Kind kind) {
  switch (kind) {
    case Instruction::Kind::meet:
      return "comes by";
    case Instruction::Kind::receive:
      return "goes on";
    case Instruction::Kind::await:
      return "passes";
    case Instruction::Kind::arrive:
      return "arrives at the barrier";
    case Instruction::Kind::pass:
      return "passes the barrier";
    default:
      break;
  }
  return "computes";
}

std::string without_semicolon(std::string statement) {
  if (statement.ends_with(';')) statement.pop_back();
  return statement;
}

std::string change_text(const Code& code, const Instruction& in, const LanesTaken& taken,
                        int lane) {
  using Kind = Instruction::Kind;
  std::string own;
  const auto add = [&](const std::string& part) { own += (own.empty() ? "" : ", ") + part; };
  for (const LanesTaken::Change& change : taken.changes) {
    if (change.lane != lane) continue;
    if (change.access.cell >= 0) {
      const std::string name = code.cell_name(change.access.cell);
      if (in.access != AccessKind::store) add(fmt::format("reads {} = {}", name, change.old));
      if (change.written) add(fmt::format("writes {} = {}", name, *change.written));
      if (in.access == AccessKind::weak_cas && change.choice == 1) add("fails spuriously");
    } else if (in.kind == Kind::choice) {
      add(fmt::format("chooses {}", in.low + change.choice));
    } else if (in.kind == Kind::meet) {
      if (taken.failure.kind == Failure::Kind::none) add(fmt::format("gets {}", change.result));
    } else if (change.access.failure.kind == Failure::Kind::none) {
      add(own_effect(in.kind));
    }
  }
  return own;
}

std::string failure_text(const Code& code, const ThreadCode& thread, const Failure& failure,
                         int source) {
  const std::string what = to_string(failure, code, thread);
  if (failure.source == source) return "ERROR: " + what;
  const SourceLine& where = thread.sources[failure.source];
  return fmt::format("ERROR in line {}, {}: {}", where.line, without_semicolon(where.text), what);
}

}  // namespace headway::lang::idiom
