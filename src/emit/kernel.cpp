#include "emit/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "emit/text.hpp"

namespace headway::emit {
namespace {

std::string plural(int count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// "LOC_flag", or "LOC_flag[2]" of an array
std::string word_name(const Kernel& kernel, std::size_t word) {
  const int number = static_cast<int>(word);
  const auto behind = std::find_if(kernel.locations.begin(), kernel.locations.end(),
                                   [&](const Location& other) { return other.first > number; });
  assert(behind != kernel.locations.begin());
  const Location& location = *(behind - 1);
  if (!location.is_array) return location.name;
  return fmt::format("{}[{}]", location.name, number - location.first);
}

}  // namespace

bool Groups::uses(BarrierUse::Scope scope) const {
  return std::any_of(barriers.begin(), barriers.end(), [&](const BarrierUse& barrier) {
    return barrier.places > 0 && barrier.scope == scope;
  });
}

bool Groups::operates() const {
  return topology.subgroup_threads() > 1 &&
         std::any_of(operations.begin(), operations.end(),
                     [](const OperationUse& use) { return !use.place.empty(); });
}

bool Groups::operates(OperationUse::Kind kind) const {
  return topology.subgroup_threads() > 1 &&
         std::any_of(operations.begin(), operations.end(), [&](const OperationUse& use) {
           return use.kind == kind && !use.place.empty();
         });
}

bool Groups::needs_subgroups() const {
  return topology.subgroups() > 1 || uses(BarrierUse::Scope::subgroup) || operates();
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
  const int first_ones = launch.groups - 1;
  const std::string instances = plural(launch.instances, "instance");
  const std::string one = kernel.groups ? "workgroup" : "thread";
  const std::string chunked =
      fmt::format("{} i of instance m is workgroup {} * i + m.", one, launch.instances);
  std::vector<std::string> lines = {fmt::format(
      "{}: {}, {}", kernel.name,
      kernel.groups ? kernel.groups->topology.to_string() : plural(launch.groups, "thread"),
      plural(kernel.instructions, "instruction"))};
  switch (launch.mapping) {
    case Mapping::plain:
      lines.emplace_back(kernel.groups ? "Plain mapping: one instance."
                                       : "Plain mapping: thread i is workgroup i.");
      break;
    case Mapping::round_robin:
      lines.push_back(fmt::format("Round-robin mapping of {}:", instances));
      lines.push_back(
          fmt::format("{} i of instance m is workgroup {} * m + i.", one, launch.groups));
      break;
    case Mapping::chunked:
      lines.push_back(fmt::format("Chunked mapping of {}:", instances));
      lines.push_back(chunked);
      break;
    case Mapping::hybrid:
      lines.push_back(fmt::format("Hybrid mapping of {}:", instances));
      if (launch.groups <= 2) {
        lines.push_back(chunked);
        break;
      }
      lines.push_back(
          fmt::format("{1} i < {0} of instance m is workgroup {0} * m + i,", first_ones, one));
      lines.push_back(fmt::format("{} {} is workgroup {} + m.", one, first_ones,
                                  first_ones * launch.instances));
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

std::string subgroup_constants(const Dialect& dialect) {
  return write(dialect.constant, "MISPLACED", write(dialect.number, kMisplaced)) + "\n" +
         write(dialect.constant, "PROBE", write(dialect.number, kProbe)) + "\n";
}

std::vector<std::string> placement(const Groups& groups, bool exactly) {
  return {fmt::format("The device's subgroups need to have {} {} threads. A launch where the word "
                      "is {}",
                      exactly ? "exactly" : "at least", groups.topology.subgroup_threads(), kProbe),
          fmt::format("asks whether they are right, and runs nothing; if not it adds {}, as",
                      kMisplaced),
          "does an operation in a run that not all threads of a subgroup take part in."};
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
  std::string text = constant(kernel.groups ? "GROUPS" : "THREADS", kernel.launch.groups);
  text += constant("LOCATIONS", kernel.initial.size());
  for (const Location& location : kernel.locations) text += constant(location.name, location.first);
  if (!kernel.groups) return text;
  const Groups& groups = *kernel.groups;
  text += constant("WORKGROUP_SIZE", groups.workgroup_size());
  text += constant("SUBGROUP_SIZE", groups.topology.subgroup_threads());
  if (groups.locations.empty()) return text;
  text += constant("GROUP_LOCATIONS", groups.initial.size());
  for (const Location& location : groups.locations) text += constant(location.name, location.first);
  return text;
}

std::string load(const Kernel& kernel, const Dialect& dialect, const std::string& cell,
                 bool group) {
  if (kernel.options.loads == Loads::read_modify_write) return write(dialect.load_rmw, cell);
  return write(group && !dialect.group_load.empty() ? dialect.group_load : dialect.load, cell);
}

std::string load_helper(const Kernel& kernel, const Dialect& dialect) {
  const bool called = kernel.options.loads == Loads::relaxed && !dialect.load_helper.empty();
  return called ? std::string(dialect.load_helper) + "\n" : std::string();
}

std::string functions(const Kernel& kernel, const Dialect& dialect) {
  return load_helper(kernel, dialect) + kernel.body->functions(kernel, dialect);
}

std::string find_place(const Kernel& kernel, const Dialect& dialect) {
  const auto value = [&](const std::string& name, const std::string& expression) {
    return indented(1, write(dialect.value, name, expression));
  };
  const Launch& launch = kernel.launch;
  const std::string id = kernel.groups ? "group_id" : "thread_id";
  const std::string all = kernel.groups ? "GROUPS" : "THREADS";
  if (launch.mapping == Mapping::plain || launch.mapping == Mapping::round_robin) {
    return value(id, "group % " + all) + value("instance", "group / " + all);
  }
  // Hybrid is chunked when there is but one in front of the last.
  if (launch.mapping == Mapping::chunked || launch.groups <= 2) {
    return value(id, "group / INSTANCES") + value("instance", "group % INSTANCES");
  }
  const std::string one = write(dialect.number, 1);
  return value("first_ones", all + " - " + one) +
         indented(1, write(dialect.condition, "is_last", "group >= first_ones * INSTANCES")) +
         value(id, write(dialect.select, "is_last", "first_ones", "group % first_ones")) +
         value("instance", write(dialect.select, "is_last", "group - first_ones * INSTANCES",
                                 "group / first_ones"));
}

std::string call_thread(const Kernel& kernel, const Dialect& dialect) {
  std::string text = indented(1, write(dialect.choice, "thread_id"));
  for (int t = 0; t < kernel.launch.groups; ++t) {
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
