#include "emit/helpers.hpp"

#include <fmt/format.h>

#include <set>

#include "emit/text.hpp"

namespace headway::emit {
namespace {

using lang::idiom::AccessKind;
using lang::idiom::Code;
using lang::idiom::Instruction;
using lang::idiom::ThreadCode;

// Makes a count of finished threads larger than any can be.
constexpr std::uint32_t kViolated = 1U << 31;

bool computes(AccessKind access) {
  switch (access) {
    case AccessKind::fetch_add:
    case AccessKind::fetch_sub:
    case AccessKind::fetch_and:
    case AccessKind::fetch_or:
    case AccessKind::fetch_xor:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string helpers(const Code& code, const Kernel& kernel, const Dialect& dialect) {
  std::set<AccessKind> accesses, of_groups;
  bool asserts = false;
  for (const ThreadCode& thread : code.threads) {
    for (const Instruction& instruction : thread.instructions) {
      asserts = asserts || instruction.kind == Instruction::Kind::assertion;
      if (instruction.kind != Instruction::Kind::access) continue;
      const bool of_group = code.variables[instruction.variable].per_workgroup;
      (of_group ? of_groups : accesses).insert(instruction.access);
    }
  }
  std::string text;
  const auto add = [&](bool used, std::string_view helper) {
    if (used && !helper.empty()) text += std::string(helper) + "\n";
  };
  const auto called = [&](const std::set<AccessKind>& from, AccessKind access) {
    return from.count(access) > 0;
  };
  const auto anywhere = [&](AccessKind access) {
    return called(accesses, access) || called(of_groups, access);
  };
  const bool apart = !dialect.group_compare_helper.empty();
  const bool weak = dialect.weak_compare.empty();  // then it is the strong one
  const auto compares = [&](const std::set<AccessKind>& from) {
    return called(from, AccessKind::cas) || (weak && called(from, AccessKind::weak_cas));
  };
  add(compares(accesses) || (!apart && compares(of_groups)), dialect.compare_exchange_helper);
  add(compares(of_groups), dialect.group_compare_helper);
  add(kernel.groups && anywhere(AccessKind::weak_cas), dialect.weak_compare_helper);
  add(anywhere(AccessKind::fetch_min), dialect.minimum_helper);
  add(anywhere(AccessKind::fetch_max), dialect.maximum_helper);
  if (kernel.groups && kernel.groups->needs_subgroups()) add(true, dialect.operation_helper);
  for (int o = 0; kernel.groups && o < kOperations; ++o) {
    add(kernel.groups->operates(static_cast<OperationUse::Kind>(o)), dialect.operations[o]);
  }
  if (asserts && dialect.violated_helper.empty()) {
    text += write(dialect.constant, "VIOLATED", write(dialect.number, kViolated)) + "\n\n";
  }
  add(asserts, dialect.violated_helper);
  return text;
}

std::string write_wrapping(const Dialect& dialect) {
  const std::string parameters =
      fmt::format("{}, {}, {}", write(dialect.parameter, "value"), write(dialect.parameter, "low"),
                  write(dialect.parameter, "count"));
  const std::string zero = write(dialect.signed_number, 0);
  return write(dialect.function_value, "wrapped", parameters) + "\n" +
         indented(1, write(dialect.temporary, "behind",
                           "(value - low) - (value - low) / count * count")) +
         indented(1, fmt::format("return low + {};", "(" +
                                                         write(dialect.select, "behind < " + zero,
                                                               "behind + count", "behind") +
                                                         ")")) +
         "}\n";
}

std::string_view operation(const Dialect& dialect, AccessKind access) {
  switch (access) {
    case AccessKind::exch:
      return dialect.exchange;
    case AccessKind::fetch_add:
      return dialect.add;
    case AccessKind::fetch_sub:
      return dialect.subtract;
    case AccessKind::fetch_min:
      return dialect.minimum;
    case AccessKind::fetch_max:
      return dialect.maximum;
    case AccessKind::fetch_and:
      return dialect.bit_and;
    case AccessKind::fetch_or:
      return dialect.bit_or;
    case AccessKind::fetch_xor:
      return dialect.bit_xor;
    default:
      return {};
  }
}

void require_operations(const Code& code, const std::string& name) {
  for (const ThreadCode& thread : code.threads) {
    for (const Instruction& instruction : thread.instructions) {
      const auto refuse = [&](const std::string& why) {
        throw Error(fmt::format("{} cannot be exported: {}", name, why));
      };
      if (instruction.kind == Instruction::Kind::choice) {
        refuse("devices make no choices; expected no choose(..)");
      }
      if (instruction.kind != Instruction::Kind::access) continue;
      const auto& variable = code.variables[instruction.variable];
      const AccessKind access = instruction.access;
      const bool compares = access == AccessKind::fetch_min || access == AccessKind::fetch_max;
      if (compares && variable.low < 0) {
        refuse(fmt::format("{} of {}, which can be negative", to_string(access), variable.name));
      }
      if (variable.wraps && computes(access)) {
        refuse(fmt::format("{} of {}, which wraps at other numbers than those of a device",
                           to_string(access), variable.name));
      }
    }
  }
}

}  // namespace headway::emit
