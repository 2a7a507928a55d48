#include "kernel/ptx/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "kernel/ir/builder.hpp"
#include "kernel/ir/idle_branches.hpp"
#include "kernel/ir/symbol_name.hpp"
#include "kernel/ir/tidy.hpp"
#include "kernel/ptx/emitter.hpp"
#include "kernel/ptx/module_context.hpp"
#include "kernel/ptx/parser.hpp"
#include "kernel/ptx/pointers.hpp"

namespace headway::kernel::ptx {
namespace {

// "param_0" of what compilers call "_Z4scanPKiPi_param_0".
std::string parameter_name(const FunctionText& function, const std::string& name) {
  const bool is_made = name.starts_with(function.name + "_param_");
  return is_made ? name.substr(function.name.size() + 1) : name;
}

std::vector<Held> read_parameters(const FunctionText& text, Builder& builder) {
  std::vector<Held> all;
  Function& into = builder.function();
  for (std::size_t p = 0; p < text.parameters; ++p) {
    const Variable& one = text.body.variables[p];
    Parameter made;
    made.name = parameter_name(text, one.name);
    made.type = one.type;
    if (one.is_array || one.elements != 1) {
      if (one.bytes() == 0) throw Refused(fmt::format("the parameter '{}' of no size", one.name));
      made.type = Type::pointer();
      made.by_value = one.bytes();
      made.align = one.align;
      made.space = Space::local;
    }
    const bool by_value = made.by_value > 0;
    const ValueId value = builder.argument(made.type, into.parameters.size(), made.name);
    into.parameters.push_back(std::move(made));
    into.arguments.push_back(value);
    all.push_back(by_value ? Held{value, kNone, {}} : Held{kNone, value, {}});
  }
  return all;
}

// Parameters of 64 bits that nothing uses: most are pointers.
void point_unused(Function& function) {
  std::vector<bool> used(function.values.size());
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      for (const ValueId operand : i.operands) used[operand] = true;
    }
  }
  for (std::size_t p = 0; p < function.parameters.size(); ++p) {
    Type& type = function.parameters[p].type;
    if (used[function.arguments[p]] || type != Type::integer(64)) continue;
    type = Type::pointer();
    function.values[function.arguments[p]].type = type;
  }
}

Function read_function(const Module& module, ModuleContext& context, const FunctionText& text) {
  Function result;
  result.name = demangled(text.name);
  result.symbol = text.name;
  const Statement* first = text.body.statements.empty() ? nullptr : &text.body.statements.front();
  result.place = first != nullptr ? context.place(*first) : Place{0, text.line, 0};
  std::copy(text.group_size.begin(), text.group_size.end(), result.group_size);
  result.most_threads = text.most_threads;
  if (text.most_threads > 0) result.usual.block = {text.most_threads, 1, 1};
  context.begin_kernel();
  context.active().insert(&text);
  Builder builder(result);
  Place at = result.place;
  try {
    if (!text.refused.empty()) throw Refused(text.refused);
    builder.at(result.place);
    builder.at(builder.block("entry"));
    Emitter(module, builder, text.body, context, read_parameters(text, builder))
        .run_function(kNone);
    order_blocks(result);
    // What functions are passed goes by way of memory: whether it is an address shows behind it.
    promote_locals(result, Unwritten::stays_memory);
    find_pointers(module, result, context.addresses(), at);
    point_unused(result);
    fold_addresses(result);
    fold_constants(result);
    drop_idle_branches(result);
  } catch (const Refused& what) {
    Function refused;
    refused.name = result.name;
    refused.symbol = result.symbol;
    std::copy_n(result.group_size, 3, refused.group_size);
    refused.most_threads = result.most_threads;
    refused.unsupported = what.what();
    refused.place = result.blocks.empty() ? result.place : builder.place();
    if (at.line > 0 && at.line != result.place.line) refused.place = at;
    return refused;
  }
  return result;
}

// Instances of templates of a library have names of several lines.
constexpr std::size_t kLongName = 60;

// "DeviceScanKernel" of "cub::detail::scan::DeviceScanKernel<int const*, ...>".
std::string short_name(const std::string& name) {
  const std::string before = name.substr(0, name.find('<'));
  const std::size_t last = before.rfind("::");
  return last == std::string::npos ? before : before.substr(last + 2);
}

// Gives those with long names short ones; those of the same name are numbered.
void shorten_names(std::vector<Function>& functions) {
  std::set<std::string> taken;
  for (const Function& one : functions) {
    if (one.name.size() <= kLongName) taken.insert(one.name);
  }
  for (Function& one : functions) {
    if (one.name.size() <= kLongName) continue;
    const std::string name = short_name(one.name);
    std::string made = name;
    for (int number = 2; !taken.insert(made).second; ++number)
      made = fmt::format("{}.{}", name, number);
    one.name = made;
  }
}

}  // namespace

Module read_module(std::string_view text, const std::string& path, bool fences_of_cpp) {
  const ModuleText parsed = parse_module(text, path);
  Module result;
  result.path = path;
  result.files = {path};
  result.causality = !fences_of_cpp;
  ModuleContext context(parsed, result);
  for (const FunctionText& one : parsed.functions) {
    if (!one.is_entry || !one.has_body) continue;
    result.functions.push_back(read_function(result, context, one));
  }
  shorten_names(result.functions);
  if (result.functions.empty()) {
    throw Error({path, 0, 0}, "no kernel; expected an '.entry' with a body");
  }
  return result;
}

}  // namespace headway::kernel::ptx
