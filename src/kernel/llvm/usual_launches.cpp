#include "kernel/llvm/usual_launches.hpp"

#include <array>
#include <optional>
#include <set>
#include <vector>

#include "kernel/llvm/bindings.hpp"
#include "kernel/llvm/context.hpp"
#include "kernel/llvm/parse.hpp"

namespace headway::kernel::llvm {
namespace {

std::optional<std::uint64_t> constant(LLVMValueRef value) {
  if (api().IsAConstantInt(value) == nullptr) return {};
  return api().ConstIntGetZExtValue(value);
}

// A dim3, which is passed as x and y in one word, and z in another one.
std::optional<std::array<std::uint32_t, 3>> size_of(LLVMValueRef xy, LLVMValueRef z) {
  const auto low = constant(xy), high = constant(z);
  if (!low || !high) return {};
  const std::array<std::uint32_t, 3> size = {static_cast<std::uint32_t>(*low),
                                             static_cast<std::uint32_t>(*low >> 32),
                                             static_cast<std::uint32_t>(*high)};
  if (size[0] == 0 || size[1] == 0 || size[2] == 0) return {};  // a launch that fails
  return size;
}

bool is_call(LLVMValueRef i) {
  const LLVMOpcode op = api().GetInstructionOpcode(i);
  return op == LLVMCall || op == LLVMInvoke;
}

bool is_push(LLVMValueRef i) {
  return is_call(i) && name_of(api().GetCalledValue(i)) == "__cudaPushCallConfiguration";
}

// The stub that is called for the sizes that `push` gives: the next one, whichever way is gone.
// Behind other sizes, as where an argument launches a kernel itself, that is not known.
std::string stub_behind(LLVMValueRef push, const std::map<std::string, std::string>& stubs) {
  std::string found;
  const auto goes_on = [&](LLVMValueRef i) {
    for (; i != nullptr; i = api().GetNextInstruction(i)) {
      if (is_push(i)) return false;
      if (!is_call(i)) continue;
      found = name_of(api().GetCalledValue(i));
      if (stubs.contains(found)) return false;
      found.clear();
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
  return {};
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
  std::map<std::string, UsualLaunch> result;
  for (LLVMValueRef f = api().GetFirstFunction(source.get()); f != nullptr;
       f = api().GetNextFunction(f)) {
    for_each_instruction(f, [&](LLVMValueRef i) {
      if (!is_push(i)) return;
      const auto operand = [&](unsigned k) { return api().GetOperand(i, k); };
      UsualLaunch made;
      made.grid = size_of(operand(0), operand(1));
      made.block = size_of(operand(2), operand(3));
      if (const auto bytes = constant(operand(4))) made.workgroup_bytes = *bytes;
      LLVMMetadataRef place = api().InstructionGetDebugLoc(i);
      if (place != nullptr) made.line = static_cast<int>(api().DILocationGetLine(place));
      const std::string stub = stub_behind(i, stubs);
      if (!made.block || made.line == 0 || stub.empty()) return;
      // Functions need not be in the order of the file.
      const auto [known, is_new] = result.emplace(stubs.at(stub), made);
      if (!is_new && made.line < known->second.line) known->second = made;
    });
  }
  return result;
}

}  // namespace headway::kernel::llvm
