#include "kernel/llvm/usual_launches.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernel/llvm/bindings.hpp"
#include "kernel/llvm/context.hpp"
#include "kernel/llvm/host_values.hpp"
#include "kernel/llvm/parse.hpp"

namespace headway::kernel::llvm {
namespace {

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
  const LLVMOpcode op = api().GetInstructionOpcode(i);
  return op == LLVMCall || op == LLVMInvoke;
}

bool is_push(LLVMValueRef i) {
  return is_call(i) && name_of(api().GetCalledValue(i)) == "__cudaPushCallConfiguration";
}

// The call of a stub for the sizes that `push` gives: the next one, whichever way is gone.
// Behind other sizes, as where an argument launches a kernel itself, that is not known.
LLVMValueRef stub_behind(LLVMValueRef push, const std::map<std::string, std::string>& stubs) {
  LLVMValueRef found = nullptr;
  const auto goes_on = [&](LLVMValueRef i) {
    for (; i != nullptr; i = api().GetNextInstruction(i)) {
      if (is_push(i)) return false;
      if (!is_call(i)) continue;
      if (!stubs.contains(name_of(api().GetCalledValue(i)))) continue;
      found = i;
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
      if (goes_on(api().GetFirstInstruction(block))) {
        open.push_back(block);
      } else {
        return found;
      }
    }
  }
  return nullptr;
}

std::vector<LLVMValueRef> arguments_of(LLVMValueRef call) {
  std::vector<LLVMValueRef> result;
  for (unsigned k = 0; k < api().GetNumArgOperands(call); ++k) {
    result.push_back(api().GetOperand(call, k));
  }
  return result;
}

// What one launch says of the grid and the arguments.
void take_facts(const std::array<HostSize, 3>& grid, const std::vector<LLVMValueRef>& arguments,
                UsualLaunch& launch) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (grid[d].number != 0U) launch.grid[d] = grid[d].number;
    launch.grid_of[d] = grid[d].text;
  }
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (const auto range = host_range(arguments[k])) launch.arguments[std::to_string(k)] = *range;
  }
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
  Module bound;
  read_bindings(source.get(), bound);
  std::map<std::string, std::string> stubs;
  constexpr unsigned whole = static_cast<unsigned>(LLVMAttributeFunctionIndex);
  LLVMAttributeRef stays = api().CreateEnumAttribute(context.get(), attribute_kind("noinline"), 0);
  for (const Module::Binding& each : bound.kernels) {
    LLVMValueRef stub = api().GetNamedFunction(source.get(), each.host.c_str());
    if (stub == nullptr) continue;
    api().AddAttributeAtIndex(stub, whole, stays);
    stubs.emplace(each.host, each.device);
  }
  if (stubs.empty()) return {};
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
  for (LLVMValueRef f = api().GetFirstFunction(source.get()); f != nullptr;
       f = api().GetNextFunction(f)) {
    for_each_instruction(f, [&](LLVMValueRef i) {
      if (!is_push(i)) return;
      const auto operand = [&](unsigned k) { return api().GetOperand(i, k); };
      LLVMValueRef call = stub_behind(i, stubs);
      if (call == nullptr) return;
      const std::vector<LLVMValueRef> arguments = arguments_of(call);
      UsualLaunch made;
      made.block = size_of(host_sizes(operand(2), operand(3), arguments));
      take_facts(host_sizes(operand(0), operand(1), arguments), arguments, made);
      if (const auto bytes = constant(operand(4))) made.workgroup_bytes = *bytes;
      LLVMMetadataRef place = api().InstructionGetDebugLoc(i);
      if (place != nullptr) made.line = static_cast<int>(api().DILocationGetLine(place));
      all[stubs.at(name_of(api().GetCalledValue(call)))].push_back(std::move(made));
    });
  }
  std::map<std::string, UsualLaunch> result;
  for (auto& [kernel, launches] : all) {
    // Functions need not be in the order of the file.
    std::ranges::sort(launches, {}, &UsualLaunch::line);
    const auto usual = std::ranges::find_if(
        launches, [](const UsualLaunch& one) { return one.block && one.line > 0; });
    if (usual == launches.end()) continue;
    UsualLaunch made = *usual;
    for (const UsualLaunch& other : launches) keep_common(other, made);
    result.emplace(kernel, std::move(made));
  }
  return result;
}

}  // namespace headway::kernel::llvm
