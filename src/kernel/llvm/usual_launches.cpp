#include "kernel/llvm/usual_launches.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/llvm/bindings.hpp"
#include "kernel/llvm/context.hpp"
#include "kernel/llvm/host_values.hpp"
#include "kernel/llvm/parse.hpp"

namespace headway::kernel::llvm {
namespace {

// What a call that sets sizes has for operands: of the grid and of workgroups, each x with y and z;
// bytes of memory of a workgroup.
constexpr unsigned kSizes = 5;

std::optional<std::uint64_t> constant(LLVMValueRef value) {
  if (api().IsAConstantInt(value) == nullptr) return {};
  return api().ConstIntGetZExtValue(value);
}

std::optional<std::array<std::uint32_t, 3>> size_of(const std::array<HostSize, 3>& sizes) {
  std::array<std::uint32_t, 3> result{};
  for (std::size_t d = 0; d < 3; ++d) {
    if (!sizes[d].number || *sizes[d].number == 0) return {};  // a launch that fails
    result[d] = *sizes[d].number;
  }
  return result;
}

bool is_call(LLVMValueRef i) {
  if (api().IsAInstruction(i) == nullptr) return false;
  const LLVMOpcode op = api().GetInstructionOpcode(i);
  return op == LLVMCall || op == LLVMInvoke;
}

bool is_push(LLVMValueRef i) {
  return is_call(i) && name_of(api().GetCalledValue(i)) == "__cudaPushCallConfiguration";
}

std::vector<LLVMValueRef> users_of(LLVMValueRef value) {
  std::vector<LLVMValueRef> result;
  for (LLVMUseRef use = api().GetFirstUse(value); use != nullptr; use = api().GetNextUse(use)) {
    result.push_back(api().GetUser(use));
  }
  return result;
}

LLVMValueRef function_of(LLVMValueRef instruction) {
  return api().GetBasicBlockParent(api().GetInstructionParent(instruction));
}

std::vector<LLVMValueRef> arguments_of(LLVMValueRef call) {
  std::vector<LLVMValueRef> result;
  for (unsigned k = 0; k < api().GetNumArgOperands(call); ++k) {
    result.push_back(api().GetOperand(call, k));
  }
  return result;
}

// What our headers say in place of the machine that a program runs on, and of whoever calls it, is
// not known here: sizes of a device, options of a command line, numbers of threads.
void forget_machine(LLVMModuleRef source, LLVMContextRef context) {
  const auto is_of_machine = [](LLVMValueRef global) {
    const char* section = api().GetSection(global);
    return section != nullptr && std::string_view(section).starts_with("headway.machine");
  };
  constexpr unsigned whole = static_cast<unsigned>(LLVMAttributeFunctionIndex);
  for (LLVMValueRef f = api().GetFirstFunction(source); f != nullptr;
       f = api().GetNextFunction(f)) {
    if (!is_of_machine(f)) continue;
    api().RemoveEnumAttributeAtIndex(f, whole, attribute_kind("alwaysinline"));
    api().AddAttributeAtIndex(f, whole,
                              api().CreateEnumAttribute(context, attribute_kind("noinline"), 0));
    api().SetLinkage(f, LLVMWeakAnyLinkage);  // another one may take its place
  }
  for (LLVMValueRef g = api().GetFirstGlobal(source); g != nullptr; g = api().GetNextGlobal(g)) {
    if (is_of_machine(g)) api().SetLinkage(g, LLVMWeakAnyLinkage);
  }
}

// The launches of a module. Each is a call that sets sizes, and behind it the call of a stub;
// passes join calls and take them apart, so each stub gets a call in front of it of a function of
// its own, which has sizes and arguments for operands, while they stand as they were written.
class Marked {
 public:
  Marked(LLVMModuleRef source, LLVMContextRef context) : source_(source), context_(context) {
    Module bound;
    read_bindings(source, bound);
    for (const Module::Binding& each : bound.kernels) {
      LLVMValueRef stub = api().GetNamedFunction(source, each.host.c_str());
      if (stub == nullptr) continue;
      add_attribute(stub, "noinline");
      stubs_.emplace(stub, each.device);
    }
  }

  bool empty() const { return stubs_.empty(); }

  // Before any pass.
  void mark() {
    std::map<LLVMValueRef, std::vector<LLVMValueRef>> pushes;  // by the call of a stub
    for (LLVMValueRef f = api().GetFirstFunction(source_); f != nullptr;
         f = api().GetNextFunction(f)) {
      for_each_instruction(f, [&](LLVMValueRef i) {
        if (!is_push(i)) return;
        for (LLVMValueRef call : stubs_behind(i)) pushes[call].push_back(i);
      });
    }
    for (const auto& [stub, kernel] : stubs_) {
      for (LLVMValueRef user : users_of(stub)) {
        const auto at = pushes.find(user);
        if (at != pushes.end() && at->second.size() == 1 && api().GetCalledValue(user) == stub) {
          mark(at->second.front(), user, kernel);
        } else if (!is_no_launch(user, stub)) {
          unseen_.insert(kernel);
        }
      }
    }
  }

  // After all passes: what `take` is called with is a kernel, and a call with the operands of
  // mark().
  template <typename Take>
  void for_each(const Take& take) {
    for (const auto& [name, kernel] : marks_) {
      LLVMValueRef function = api().GetNamedFunction(source_, name.c_str());
      if (function == nullptr) continue;  // nobody comes there
      for (LLVMValueRef user : users_of(function)) {
        if (is_call(user) && api().GetCalledValue(user) == function) {
          take(kernel, user);
        } else {
          unseen_.insert(kernel);
        }
      }
    }
  }

  // Whether there may be launches that for_each() does not see.
  bool has_unseen(const std::string& kernel) const { return unseen_.contains(kernel); }

 private:
  void add_attribute(LLVMValueRef function, std::string_view name) {
    api().AddAttributeAtIndex(function, static_cast<unsigned>(LLVMAttributeFunctionIndex),
                              api().CreateEnumAttribute(context_, attribute_kind(name), 0));
  }

  // The calls of stubs that are come to from `push` without other sizes between.
  std::vector<LLVMValueRef> stubs_behind(LLVMValueRef push) const {
    std::vector<LLVMValueRef> found;
    const auto goes_on = [&](LLVMValueRef i) {
      for (; i != nullptr; i = api().GetNextInstruction(i)) {
        if (is_push(i)) return false;
        if (!is_call(i) || !stubs_.contains(api().GetCalledValue(i))) continue;
        found.push_back(i);
        return false;
      }
      return true;
    };
    if (!goes_on(api().GetNextInstruction(push))) return found;
    std::vector<LLVMBasicBlockRef> open = {api().GetInstructionParent(push)};
    std::set<LLVMBasicBlockRef> seen(open.begin(), open.end());
    for (std::size_t next = 0; next < open.size(); ++next) {
      LLVMValueRef end = api().GetBasicBlockTerminator(open[next]);
      for (unsigned s = 0; s < api().GetNumSuccessors(end); ++s) {
        LLVMBasicBlockRef block = api().GetSuccessor(end, s);
        if (!seen.insert(block).second) continue;
        if (goes_on(api().GetFirstInstruction(block))) open.push_back(block);
      }
    }
    return found;
  }

  // Where the stub itself hands its kernel on, where kernels are told to the runtime, and where our
  // headers ask and say something about one.
  bool is_no_launch(LLVMValueRef user, LLVMValueRef stub) const {
    if (!is_call(user)) return api().IsAInstruction(user) != nullptr && function_of(user) == stub;
    if (function_of(user) == stub) return true;
    LLVMValueRef callee = api().GetCalledValue(user);
    const std::string name = name_of(callee);
    if (name == "__cudaRegisterFunction") return true;
    const bool is_ours =
        api().IsAFunction(callee) != nullptr && api().GetSubprogram(callee) == nullptr;
    return is_ours && (name.find("cudaFunc") != std::string::npos ||
                       name.find("cudaOccupancy") != std::string::npos);
  }

  void mark(LLVMValueRef push, LLVMValueRef call, const std::string& kernel) {
    std::vector<LLVMValueRef> operands;
    for (unsigned k = 0; k < kSizes; ++k) operands.push_back(api().GetOperand(push, k));
    const std::vector<LLVMValueRef> arguments = arguments_of(call);
    operands.insert(operands.end(), arguments.begin(), arguments.end());
    std::vector<LLVMTypeRef> types;
    types.reserve(operands.size());
    for (LLVMValueRef one : operands) types.push_back(api().TypeOf(one));
    LLVMTypeRef type = api().FunctionType(api().VoidTypeInContext(context_), types.data(),
                                          static_cast<unsigned>(types.size()), 0);
    LLVMValueRef function = api().AddFunction(source_, "headway.launch", type);
    add_attribute(function, "nounwind");
    LLVMBuilderRef builder = api().CreateBuilderInContext(context_);
    api().PositionBuilderBefore(builder, call);
    api().SetCurrentDebugLocation2(builder, api().InstructionGetDebugLoc(push));
    api().BuildCall2(builder, type, function, operands.data(),
                     static_cast<unsigned>(operands.size()), "");
    api().DisposeBuilder(builder);
    marks_.emplace(name_of(function), kernel);
  }

  LLVMModuleRef source_;
  LLVMContextRef context_;
  std::map<LLVMValueRef, std::string> stubs_;
  std::map<std::string, std::string> marks_;  // kernels, by the names of functions
  std::set<std::string> unseen_;
};

UsualLaunch launch_of(LLVMValueRef mark) {
  std::vector<LLVMValueRef> operands = arguments_of(mark);
  const std::vector<LLVMValueRef> arguments(operands.begin() + kSizes, operands.end());
  UsualLaunch result;
  result.block = size_of(host_sizes(operands[2], operands[3], arguments));
  const std::array<HostSize, 3> grid = host_sizes(operands[0], operands[1], arguments);
  for (std::size_t d = 0; d < 3; ++d) {
    if (grid[d].number != 0U) result.grid[d] = grid[d].number;
    result.grid_of[d] = grid[d].text;
  }
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (const auto range = host_range(arguments[k])) result.arguments[std::to_string(k)] = *range;
  }
  if (const auto bytes = constant(operands[4])) result.workgroup_bytes = *bytes;
  LLVMMetadataRef place = api().InstructionGetDebugLoc(mark);
  if (place != nullptr) result.line = static_cast<int>(api().DILocationGetLine(place));
  return result;
}

// Of two launches of a kernel: whether their sizes are other ones, so that a proof about the first
// one's says nothing of the second; nothing where that is not known.
std::optional<bool> have_other_sizes(const UsualLaunch& usual, const UsualLaunch& other) {
  std::optional<bool> result = false;
  const auto compare = [&](const auto& one, const auto& two) {
    if (result == true || one == two) return;
    result = one && two ? std::optional(true) : std::nullopt;
  };
  const auto bytes = [](const UsualLaunch& launch) {
    return launch.workgroup_bytes > 0 ? std::optional(launch.workgroup_bytes) : std::nullopt;
  };
  compare(bytes(usual), bytes(other));
  compare(usual.block, other.block);
  for (std::size_t d = 0; d < 3; ++d) compare(usual.grid[d], other.grid[d]);
  return result;
}

// Leaves in `launch` what `other`, of the same kernel, has in common with it.
void keep_common(const UsualLaunch& other, UsualLaunch& launch) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (launch.grid_of[d] != other.grid_of[d]) launch.grid_of[d].clear();
  }
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> both;
  for (const auto& [name, range] : launch.arguments) {
    const auto same = other.arguments.find(name);
    if (same == other.arguments.end()) continue;
    both[name] = {std::min(range.first, same->second.first),
                  std::max(range.second, same->second.second)};
  }
  launch.arguments = std::move(both);
}

}  // namespace

std::map<std::string, UsualLaunch> usual_launches(std::string_view host, const std::string& path) {
  const OwnedContext context = make_context();
  const OwnedModule source = parse(context, host, path);
  Marked marked(source.get(), context.get());
  if (marked.empty()) return {};
  marked.mark();
  // Sizes that are not set on all ways to the launch.
  if (api().VerifyModule(source.get(), LLVMReturnStatusAction, nullptr) != 0) return {};
  forget_machine(source.get(), context.get());
  // Sizes are in variables and in objects that functions make. Nothing is decided by what this
  // makes of the rest.
  LLVMPassBuilderOptionsRef options = api().CreatePassBuilderOptions();
  LLVMErrorRef error = api().RunPasses(source.get(), "default<O1>", nullptr, options);
  api().DisposePassBuilderOptions(options);
  if (error != nullptr) {
    api().DisposeErrorMessage(api().GetErrorMessage(error));
    return {};
  }
  std::map<std::string, std::vector<UsualLaunch>> all;
  marked.for_each([&](const std::string& kernel, LLVMValueRef mark) {
    all[kernel].push_back(launch_of(mark));
  });
  std::map<std::string, UsualLaunch> result;
  for (auto& [kernel, launches] : all) {
    // Functions need not be in the order of the file.
    std::ranges::stable_sort(launches, {}, &UsualLaunch::line);
    const auto usual = std::ranges::find_if(
        launches, [](const UsualLaunch& one) { return one.block && one.line > 0; });
    if (usual == launches.end()) continue;
    UsualLaunch made = *usual;
    for (const UsualLaunch& other : launches) {
      const std::optional<bool> others = have_other_sizes(*usual, other);
      made.has_others = made.has_others || others != false;
      if (others != true) keep_common(other, made);
    }
    if (marked.has_unseen(kernel)) {
      made.grid_of = {};
      made.arguments.clear();
    }
    result.emplace(kernel, std::move(made));
  }
  return result;
}

}  // namespace headway::kernel::llvm
