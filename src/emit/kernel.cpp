#include "emit/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "lang/printer.hpp"

namespace headway::emit {
namespace {

template <class... Arguments>
std::string write(std::string_view format, const Arguments&... arguments) {
  return fmt::format(fmt::runtime(format), arguments...);
}

std::string plural(int count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// The name of a location behind a prefix, so that it is no keyword; its number where underscores
// would make it a reserved name.
std::string identifier(const lang::Location& location, int index) {
  const std::string& name = location.name;
  const bool plain = !name.empty() && name.front() != '_' && name.back() != '_' &&
                     name.find("__") == std::string::npos &&
                     std::all_of(name.begin(), name.end(), [](unsigned char c) {
                       return c < 0x80 && (std::isalnum(c) != 0 || c == '_');
                     });
  return plain ? "LOC_" + name : fmt::format("LOC_{}", index);
}

// A name as a comment of one line may hold it in every target.
std::string printable(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f || c == '\\'; },
      '_');
  return name;
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

std::string indented(int depth, const std::string& line) {
  return std::string(2 * static_cast<std::size_t>(depth), ' ') + line + "\n";
}

std::string body(const Kernel& kernel, const Dialect& dialect, const Step& step) {
  const std::string& location = kernel.locations[step.access.location];
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

int Kernel::steps() const {
  int count = 0;
  for (const auto& thread : threads) count += static_cast<int>(thread.size());
  return count;
}

Kernel lower(const lang::Test& test, Mapping mapping, int instances) {
  lang::require_axb(test, "export is");
  Kernel kernel;
  kernel.name = printable(test.name.empty() ? "a test" : test.name);
  for (const lang::Thread& thread : test.threads) {
    auto& steps = kernel.threads.emplace_back();
    for (int i = 0; i < thread.length(); ++i) steps.push_back(lower(test, thread, i));
  }
  for (const lang::Location& location : test.locations) {
    kernel.locations.push_back(identifier(location, static_cast<int>(kernel.locations.size())));
    kernel.initial.push_back(location.initial);
  }
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
                                                plural(kernel.steps(), "instruction"))};
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
  for (std::size_t l = 0; l < kernel.locations.size(); ++l) {
    if (kernel.initial[l] == 0) continue;
    initially += fmt::format("{} {} = {}", initially.empty() ? ", but" : ",", kernel.locations[l],
                             kernel.initial[l]);
  }
  lines.push_back(fmt::format("Memory is {} an instance, at first 0{}.",
                              plural(static_cast<int>(kernel.locations.size()), "word"),
                              initially));
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
  text += constant("LOCATIONS", kernel.locations.size());
  for (std::size_t l = 0; l < kernel.locations.size(); ++l) {
    text += constant(kernel.locations[l], l);
  }
  return text;
}

std::string functions(const Kernel& kernel, const Dialect& dialect) {
  const auto number = [&](auto value) { return write(dialect.number, value); };
  std::string text;
  for (std::size_t t = 0; t < kernel.threads.size(); ++t) {
    const std::vector<Step>& steps = kernel.threads[t];
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
  for (std::size_t t = 0; t < kernel.threads.size(); ++t) {
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
