#include "kernel/llvm/inline_limit.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "kernel/llvm/api.hpp"
#include "kernel/llvm/context.hpp"

namespace headway::kernel::llvm {
namespace {

struct Code {
  std::uint64_t own = 0;              // instructions
  std::vector<LLVMValueRef> callees;  // of each call, that have a body
  std::optional<std::uint64_t> inlined;
  bool entered = false;
};

Code code_of(LLVMValueRef function) {
  Code code;
  for_each_instruction(function, [&](LLVMValueRef i) {
    ++code.own;
    if (LLVMValueRef callee = called_body(i); callee != nullptr) code.callees.push_back(callee);
  });
  return code;
}

// Sums stay where they would pass the limit.
std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return std::min(a + b, kMostInlined + 1); }

class Sizes {
 public:
  Code& of(LLVMValueRef function) {
    const auto found = codes_.find(function);
    return found != codes_.end() ? found->second
                                 : codes_.emplace(function, code_of(function)).first->second;
  }

  // Those of `function` and of all that it calls. A call of one that is being looked at is
  // recursive, and stays.
  void settle(LLVMValueRef function) {
    std::vector<LLVMValueRef> stack{function};
    while (!stack.empty()) {
      LLVMValueRef here = stack.back();
      Code& code = of(here);
      const bool again = code.entered;
      code.entered = true;
      if (!again) {
        for (LLVMValueRef callee : code.callees) {
          if (!of(callee).entered) stack.push_back(callee);
        }
        continue;
      }
      stack.pop_back();
      if (code.inlined) continue;
      std::uint64_t all = code.own;
      for (LLVMValueRef callee : code.callees) all = sum(all, of(callee).inlined.value_or(0));
      code.inlined = all;
    }
  }

  // A function and all that it calls.
  std::set<LLVMValueRef> reached_from(LLVMValueRef function) {
    std::set<LLVMValueRef> seen{function};
    std::vector<LLVMValueRef> stack{function};
    while (!stack.empty()) {
      const Code& code = of(stack.back());
      stack.pop_back();
      for (LLVMValueRef callee : code.callees) {
        if (seen.insert(callee).second) stack.push_back(callee);
      }
    }
    return seen;
  }

 private:
  std::map<LLVMValueRef, Code> codes_;
};

}  // namespace

std::set<std::string> keep_from_growing(LLVMModuleRef module,
                                        const std::set<std::string>& kernels) {
  std::vector<LLVMValueRef> functions;
  std::set<LLVMValueRef> called;
  Sizes sizes;
  for (LLVMValueRef f = api().GetFirstFunction(module); f != nullptr;
       f = api().GetNextFunction(f)) {
    if (api().IsDeclaration(f)) continue;
    functions.push_back(f);
    called.insert(sizes.of(f).callees.begin(), sizes.of(f).callees.end());
  }
  std::set<std::string> result;
  std::set<LLVMValueRef> fit, grow;
  for (LLVMValueRef f : functions) {
    if (!kernels.contains(name_of(f)) && called.contains(f)) continue;
    sizes.settle(f);
    // LLVM makes functions on the way that have in them what they call.
    const std::set<LLVMValueRef> reached = sizes.reached_from(f);
    std::uint64_t made = 0;
    for (LLVMValueRef one : reached) made = sum(made, *sizes.of(one).inlined);
    const bool fits = made <= kMostInlined;
    (fits ? fit : grow).insert(reached.begin(), reached.end());
    if (!fits && kernels.contains(name_of(f))) result.insert(name_of(f));
  }
  for (LLVMValueRef f : grow) {
    if (fit.contains(f)) continue;
    api().RemoveEnumAttributeAtIndex(f, static_cast<unsigned>(LLVMAttributeFunctionIndex),
                                     attribute_kind("alwaysinline"));
  }
  return result;
}

}  // namespace headway::kernel::llvm
