#include "lang/idiom/texts.hpp"

#include <fmt/format.h>

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

}  // namespace headway::lang::idiom
