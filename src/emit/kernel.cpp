#include "emit/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "emit/idiom_kernel.hpp"
#include "emit/text.hpp"
#include "lang/idiom/code.hpp"
#include "lang/printer.hpp"

namespace headway::emit {
namespace {

std::string plural(int count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void require_operations(const lang::Test& test) {
  using Instruction = lang::idiom::Instruction;
  for (const auto& thread : test.program->threads) {
    for (const Instruction& instruction : thread.instructions) {
      const bool compares = instruction.kind == Instruction::Kind::access &&
                            (instruction.access == lang::idiom::AccessKind::fetch_min ||
                             instruction.access == lang::idiom::AccessKind::fetch_max);
      const auto& variable = test.program->variables[instruction.variable];
      if (!compares || variable.low >= 0) continue;
      throw Error(fmt::format("{} cannot be exported: {} of {}, which can be negative", test.name,
                              to_string(instruction.access), variable.name));
    }
  }
}

Step lower(const lang::Test& test, const lang::Thread& thread, int index) {
  const lang::Instruction& i = thread.instructions[index];
  Step step;
  step.text = lang::print_statement(test, i, index, thread.length());
  step.access.location = i.location;
  step.access.value = i.exchange_value;
  step.check = i.check_value;
  step.equal = i.jump;
  step.otherwise = index + 1;
  step.access.kind = is_store(i, index) ? Access::Kind::store
                     : i.exchanges      ? Access::Kind::exchange
                                        : Access::Kind::load;
  return step;
}

// "LOC_flag", or "LOC_flag[2]" of an array
std::string word_name(const Kernel& kernel, std::size_t word) {
  if (kernel.code == nullptr) return kernel.locations[word].name;
  const int v = kernel.code->variable_of[word];
  const auto& variable = kernel.code->variables[v];
  const std::string& name = kernel.locations[v].name;
  if (!variable.is_array) return name;
  return fmt::format("{}[{}]", name, static_cast<int>(word) - variable.first_cell);
}

std::string body(const Kernel& kernel, const Dialect& dialect, const Step& step) {
  const std::string& location = kernel.locations[step.access.location].name;
  const auto number = [&](auto value) { return write(dialect.number, value); };
  const std::string next = number(step.otherwise);
  if (step.access.kind == Access::Kind::store) {
    return indented(4, write(dialect.store, location, number(step.access.value))) +
           indented(4, fmt::format("pc = {};", next));
  }
  const std::string found = step.access.kind == Access::Kind::load
                                ? write(dialect.load, location)
                                : write(dialect.exchange, location, number(step.access.value));
  const std::string equal = fmt::format("{} == {}", found, number(step.check));
  return indented(4,
                  fmt::format("pc = {};", write(dialect.select, equal, number(step.equal), next)));
}

}  // namespace

Kernel lower(const lang::Test& test, Mapping mapping, int instances) {
  Kernel kernel;
  kernel.name = printable(test.name.empty() ? "a test" : test.name);
  for (const lang::Thread& thread : test.threads) {
    auto& steps = kernel.steps.emplace_back();
    for (int i = 0; i < thread.length(); ++i) steps.push_back(lower(test, thread, i));
  }
  const auto locate = [&](const std::string& name, int first) {
    kernel.locations.push_back({identifier("LOC_", name, first), first});
  };
  for (const lang::Location& location : test.locations) {
    locate(location.name, static_cast<int>(kernel.initial.size()));
    kernel.initial.push_back(location.initial);
  }
  if (!test.is_axb()) {
    kernel.code = test.program;
    require_operations(test);
    for (const auto& variable : kernel.code->variables) locate(variable.name, variable.first_cell);
    for (const int value : kernel.code->initial) {
      kernel.initial.push_back(static_cast<std::uint32_t>(value));
    }
  }
  kernel.instructions = test.instruction_count();
  kernel.launch = make_launch(test.thread_count(), mapping, instances);
  return kernel;
}

std::vector<std::uint32_t> initial_memory(const Kernel& kernel) {
  std::vector<std::uint32_t> memory;
  for (int m = 0; m < kernel.launch.instances; ++m) {
    memory.insert(memory.end(), kernel.initial.begin(), kernel.initial.end());
  }
  return memory;
}

std::vector<std::string> heading(const Kernel& kernel) {
  const Launch& launch = kernel.launch;
  const int first_ones = launch.threads - 1;
  const std::string instances = plural(launch.instances, "instance");
  const std::string chunked =
      fmt::format("thread i of instance m is workgroup {} * i + m.", launch.instances);
  std::vector<std::string> lines = {fmt::format("{}: {}, {}", kernel.name,
                                                plural(launch.threads, "thread"),
                                                plural(kernel.instructions, "instruction"))};
  switch (launch.mapping) {
    case Mapping::plain:
      lines.emplace_back("Plain mapping: thread i is workgroup i.");
      break;
    case Mapping::round_robin:
      lines.push_back(fmt::format("Round-robin mapping of {}:", instances));
      lines.push_back(
          fmt::format("thread i of instance m is workgroup {} * m + i.", launch.threads));
      break;
    case Mapping::chunked:
      lines.push_back(fmt::format("Chunked mapping of {}:", instances));
      lines.push_back(chunked);
      break;
    case Mapping::hybrid:
      lines.push_back(fmt::format("Hybrid mapping of {}:", instances));
      if (launch.threads <= 2) {
        lines.push_back(chunked);
        break;
      }
      lines.push_back(
          fmt::format("thread i < {0} of instance m is workgroup {0} * m + i,", first_ones));
      lines.push_back(
          fmt::format("thread {} is workgroup {} + m.", first_ones, first_ones * launch.instances));
      break;
  }
  std::string initially;
  for (std::size_t w = 0; w < kernel.initial.size(); ++w) {
    if (kernel.initial[w] == 0) continue;
    initially += fmt::format("{} {} = {}", initially.empty() ? ", but" : ",", word_name(kernel, w),
                             static_cast<std::int32_t>(kernel.initial[w]));
  }
  lines.push_back(fmt::format("Memory is {} an instance, at first 0{}.",
                              plural(static_cast<int>(kernel.initial.size()), "word"), initially));
  return lines;
}

std::string comment(const Kernel& kernel, std::string_view mark,
                    const std::vector<std::string>& more) {
  std::string text;
  const auto add = [&](const std::string& line) {
    text += line.empty() ? fmt::format("{}\n", mark) : fmt::format("{} {}\n", mark, line);
  };
  for (const std::string& line : heading(kernel)) add(line);
  add("");
  for (const std::string& line : more) add(line);
  return text;
}

std::string constants(const Kernel& kernel, const Dialect& dialect) {
  const auto constant = [&](const std::string& name, auto number) {
    return write(dialect.constant, name, write(dialect.number, number)) + "\n";
  };
  std::string text = constant("THREADS", kernel.launch.threads);
  text += constant("LOCATIONS", kernel.initial.size());
  for (const Location& location : kernel.locations) text += constant(location.name, location.first);
  return text;
}

std::string functions(const Kernel& kernel, const Dialect& dialect) {
  if (kernel.code != nullptr) return idiom_functions(*kernel.code, kernel, dialect);
  const auto number = [&](auto value) { return write(dialect.number, value); };
  std::string text;
  for (std::size_t t = 0; t < kernel.steps.size(); ++t) {
    const std::vector<Step>& steps = kernel.steps[t];
    if (t > 0) text += "\n";
    text += indented(0, write(dialect.function, t));
    text += indented(1, std::string(dialect.pc));
    text += indented(1, std::string(dialect.loop));
    text += indented(2, write(dialect.choice, "pc"));
    for (std::size_t s = 0; s < steps.size(); ++s) {
      text += indented(3, write(dialect.case_begin, number(s)) + "  // " + steps[s].text);
      text += body(kernel, dialect, steps[s]);
      text += indented(3, std::string(dialect.case_end));
    }
    text += indented(3, std::string(dialect.default_begin) + "  // END");
    if (!dialect.finish.empty()) text += indented(4, std::string(dialect.finish));
    text += indented(4, "return;");
    if (!dialect.default_end.empty()) text += indented(3, std::string(dialect.default_end));
    text += indented(2, "}");
    if (!dialect.fence.empty()) text += indented(2, std::string(dialect.fence));
    text += indented(1, "}") + indented(0, "}");
  }
  return text;
}

std::string find_place(const Kernel& kernel, const Dialect& dialect) {
  const auto value = [&](const std::string& name, const std::string& expression) {
    return indented(1, write(dialect.value, name, expression));
  };
  const Launch& launch = kernel.launch;
  if (launch.mapping == Mapping::plain || launch.mapping == Mapping::round_robin) {
    return value("thread_id", "group % THREADS") + value("instance", "group / THREADS");
  }
  // Hybrid is chunked when there is but one thread in front of the last.
  if (launch.mapping == Mapping::chunked || launch.threads <= 2) {
    return value("thread_id", "group / INSTANCES") + value("instance", "group % INSTANCES");
  }
  const std::string one = write(dialect.number, 1);
  return value("first_ones", "THREADS - " + one) +
         indented(1, write(dialect.condition, "is_last", "group >= first_ones * INSTANCES")) +
         value("thread_id", write(dialect.select, "is_last", "first_ones", "group % first_ones")) +
         value("instance", write(dialect.select, "is_last", "group - first_ones * INSTANCES",
                                 "group / first_ones"));
}

std::string call_thread(const Kernel& kernel, const Dialect& dialect) {
  std::string text = indented(1, write(dialect.choice, "thread_id"));
  for (int t = 0; t < kernel.launch.threads; ++t) {
    text += indented(2, write(dialect.case_begin, write(dialect.number, t)));
    text += indented(3, write(dialect.call, t));
    text += indented(2, std::string(dialect.case_end));
  }
  if (!dialect.default_end.empty()) {  // then there has to be one
    text += indented(2, std::string(dialect.default_begin)) +
            indented(2, std::string(dialect.default_end));
  }
  return text + indented(1, "}");
}

}  // namespace headway::emit
