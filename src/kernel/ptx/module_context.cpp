#include "kernel/ptx/module_context.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/ir/symbol_name.hpp"

namespace headway::kernel::ptx {

ModuleContext::ModuleContext(const ModuleText& text, Module& module)
    : text_(text), module_(module) {
  for (const FunctionText& one : text.functions) {
    const FunctionText*& known = functions_[one.name];
    if (known == nullptr || !known->has_body) known = &one;
  }
  for (const Variable& one : text.variables) {
    const Variable*& known = variables_[one.name];
    if (known == nullptr || known->is_external) known = &one;
  }
}

const FunctionText* ModuleContext::function(std::string_view name) const {
  const auto found = functions_.find(name);
  return found != functions_.end() && found->second->has_body ? found->second : nullptr;
}

std::optional<ObjectId> ModuleContext::variable(std::string_view name) {
  const auto found = variables_.find(name);
  if (found == variables_.end()) return {};
  return variable(*found->second);
}

ObjectId ModuleContext::variable(const Variable& of) {
  const auto known = objects_.find(&of);
  if (known != objects_.end()) return known->second;
  const ObjectId object = made(of);
  objects_[&of] = object;
  return object;
}

ObjectId ModuleContext::made(const Variable& of) {
  const bool launch_sized = of.is_external && of.space == Space::workgroup;
  if (of.is_external && !launch_sized) {
    throw Refused(fmt::format("the variable '{}', which is in another file", of.name));
  }
  const std::string name = demangled(of.name);
  if (launch_sized && launch_sized_) {
    // They all begin where the memory begins that a launch adds: they are one.
    Object& one = module_.objects[*launch_sized_];
    one.name += "/" + name;
    one.align = std::max(one.align, of.align);
    return *launch_sized_;
  }
  if (of.elements == 0 && !launch_sized) {
    throw Refused(fmt::format("the variable '{}', which has no size", of.name));
  }
  const auto id = static_cast<ObjectId>(module_.objects.size());
  module_.objects.emplace_back();
  Object object;
  object.symbol = of.name;
  object.name = name;
  object.space = *of.space;
  object.bytes = of.bytes();
  object.align = of.align;
  object.launch_sized = launch_sized;
  if (of.space == Space::global || of.space == Space::constant) {
    object.initial = of.initial;
    object.initial->resize(object.bytes);
  } else if (!of.initial.empty()) {
    throw Refused(
        fmt::format("the variable '{}', which is shared and has an initializer", of.name));
  }
  if (launch_sized) launch_sized_ = id;
  objects_[&of] = id;  // as initializers may come back to it
  for (const Variable::Address& one : of.addresses) {
    const std::optional<ObjectId> to = variable(one.name);
    if (!to || space(*to) != Space::global) {
      throw Refused(
          fmt::format("the variable '{}', whose initializer names '{}'; expected a "
                      "variable in global memory",
                      of.name, one.name));
    }
    object.pointers.push_back({one.at, *to, one.offset});
  }
  module_.objects[id] = std::move(object);
  return id;
}

ObjectId ModuleContext::workspace() {
  if (workspace_) return *workspace_;
  constexpr std::uint32_t bytes = 8;
  workspace_ = static_cast<ObjectId>(module_.objects.size());
  Object object;
  object.name = "workspace of the grid";
  object.space = Space::global;
  object.bytes = bytes;
  object.align = bytes;
  object.initial.emplace(bytes);
  module_.objects.push_back(std::move(object));
  return *workspace_;
}

Place ModuleContext::place(const Statement& statement) {
  const Location& at = statement.source;
  const auto named = at.line > 0 ? text_.files.find(at.file) : text_.files.end();
  if (named == text_.files.end()) return {0, statement.line, 0};
  const auto [found, is_new] = files_.try_emplace(at.file, 0);
  if (is_new) {
    const auto known = std::find(module_.files.begin(), module_.files.end(), named->second);
    found->second = static_cast<int>(known - module_.files.begin());
    if (known == module_.files.end()) module_.files.push_back(named->second);
  }
  return {found->second, at.line, at.column};
}

void ModuleContext::count(std::size_t statements) {
  statements_ += statements;
  if (statements_ > kMostOfKernel) {
    throw Refused(
        fmt::format("code of more than {} instructions, with that of the functions that it calls",
                    kMostOfKernel));
  }
}

void ModuleContext::begin_kernel() {
  addresses_ = {};
  active_.clear();
  statements_ = 0;
}

}  // namespace headway::kernel::ptx
