// What functions of a module share while they are read: variables, functions, lines of the source,
// and which numbers are addresses.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "kernel/ir/ir.hpp"
#include "kernel/ptx/instructions.hpp"
#include "kernel/ptx/pointers.hpp"
#include "kernel/ptx/syntax.hpp"

namespace headway::kernel::ptx {

// Instructions of a kernel, with those of the functions that it calls.
inline constexpr std::size_t kMostOfKernel = 16384;

class ModuleContext {
 public:
  // Both must outlive the context. The first of the module's files is that of the PTX.
  ModuleContext(const ModuleText& text, Module& module);

  // With a body, if there is one.
  const FunctionText* function(std::string_view name) const;
  // The object of a variable of the module; of one of a function, which is there once, too. Throws
  // Refused for one of another file.
  std::optional<ObjectId> variable(std::string_view name);
  ObjectId variable(const Variable& of);
  Space space(ObjectId object) const { return module_.objects[object].space; }

  // What a cooperative launch gives its grid to meet by.
  ObjectId workspace();

  Place place(const Statement& statement);

  // Of the kernel at hand.
  AddressSpaces& addresses() { return addresses_; }
  std::set<const FunctionText*>& active() { return active_; }
  // Throws Refused where there are too many.
  void count(std::size_t statements);
  void begin_kernel();

 private:
  ObjectId made(const Variable& of);

  const ModuleText& text_;
  Module& module_;
  std::map<std::string, const FunctionText*, std::less<>> functions_;
  std::map<std::string, const Variable*, std::less<>> variables_;
  std::map<const Variable*, ObjectId> objects_;
  std::optional<ObjectId> launch_sized_, workspace_;
  std::map<int, int> files_;  // from numbers of `.file` to those of the module
  AddressSpaces addresses_;
  std::set<const FunctionText*> active_;
  std::size_t statements_ = 0;
};

}  // namespace headway::kernel::ptx
