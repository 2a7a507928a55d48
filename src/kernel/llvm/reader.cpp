#include "kernel/llvm/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include "base/error.hpp"
#include "kernel/ir/symbol_name.hpp"
#include "kernel/ir/unwaited_copy.hpp"
#include "kernel/llvm/bindings.hpp"
#include "kernel/llvm/components.hpp"
#include "kernel/llvm/constructors.hpp"
#include "kernel/llvm/context.hpp"
#include "kernel/llvm/debug_types.hpp"
#include "kernel/llvm/function_reader.hpp"
#include "kernel/llvm/inline_limit.hpp"
#include "kernel/llvm/parse.hpp"
#include "kernel/llvm/pointer_calls.hpp"
#include "kernel/llvm/postconditions.hpp"
#include "kernel/llvm/scopes.hpp"
#include "kernel/llvm/unset.hpp"

namespace headway::kernel::llvm {
namespace {

// Passes take for granted what this looks at.
void verify(LLVMModuleRef module, const std::string& path) {
  char* message = nullptr;
  const bool broken = api().VerifyModule(module, LLVMReturnStatusAction, &message) != 0;
  const std::string said = message == nullptr ? "" : message;
  api().DisposeMessage(message);
  if (!broken) return;
  throw Error({path, 0, 0}, "no valid module of LLVM 19: " + first_line(said));
}

// Calling conventions, by LLVM's numbers.
constexpr unsigned kSpirKernel = 76;
constexpr unsigned kPtxKernel = 71;

// Nodes of a function, and words with their values.
std::vector<LLVMValueRef> nvvm_annotations(LLVMModuleRef module) {
  constexpr const char* name = "nvvm.annotations";
  std::vector<LLVMValueRef> nodes(api().GetNamedMetadataNumOperands(module, name));
  if (!nodes.empty()) api().GetNamedMetadataOperands(module, name, nodes.data());
  return nodes;
}

std::string_view metadata_text(LLVMValueRef operand) {
  unsigned length = 0;
  const char* text = operand == nullptr ? nullptr : api().GetMDString(operand, &length);
  return text == nullptr ? std::string_view() : std::string_view(text, length);
}

// Symbols of the kernels of a module, or `main` of a host program.
std::set<std::string> kernel_symbols(LLVMModuleRef module, Target target) {
  std::set<std::string> result;
  for (LLVMValueRef f = api().GetFirstFunction(module); f != nullptr;
       f = api().GetNextFunction(f)) {
    if (api().IsDeclaration(f)) continue;
    const unsigned convention = api().GetFunctionCallConv(f);
    const std::string name = name_of(f);
    const bool is_main = target == Target::host && name == "main";
    if (convention == kSpirKernel || convention == kPtxKernel || is_main) result.insert(name);
  }
  for (LLVMValueRef node : nvvm_annotations(module)) {
    std::vector<LLVMValueRef> operands(api().GetMDNodeNumOperands(node));
    if (operands.empty()) continue;
    api().GetMDNodeOperands(node, operands.data());
    if (operands.front() == nullptr || api().IsAFunction(operands.front()) == nullptr) continue;
    for (std::size_t i = 1; i + 1 < operands.size(); i += 2) {
      if (metadata_text(operands[i]) == "kernel") result.insert(name_of(operands.front()));
    }
  }
  return result;
}

// The size of a workgroup that OpenCL's reqd_work_group_size asks for.
void read_group_size(LLVMModuleRef module, LLVMValueRef function, Function& into) {
  constexpr std::string_view name = "reqd_work_group_size";
  LLVMContextRef context = api().GetModuleContext(module);
  LLVMValueRef node = api().GetMetadata(
      function,
      api().GetMDKindIDInContext(context, name.data(), static_cast<unsigned>(name.size())));
  if (node == nullptr) return;
  std::vector<LLVMValueRef> operands(api().GetMDNodeNumOperands(node));
  if (operands.size() != 3) return;
  api().GetMDNodeOperands(node, operands.data());
  for (std::size_t i = 0; i < 3; ++i) {
    into.group_size[i] = static_cast<std::uint32_t>(api().ConstIntGetZExtValue(operands[i]));
  }
}

// How many threads a workgroup has at most, by __launch_bounds__.
void read_launch_bounds(LLVMModuleRef module, LLVMValueRef function, Function& into) {
  std::uint64_t most = 1;
  bool any = false;
  for (LLVMValueRef node : nvvm_annotations(module)) {
    std::vector<LLVMValueRef> operands(api().GetMDNodeNumOperands(node));
    if (operands.empty()) continue;
    api().GetMDNodeOperands(node, operands.data());
    if (operands.front() != function) continue;
    for (std::size_t i = 1; i + 1 < operands.size(); i += 2) {
      if (!metadata_text(operands[i]).starts_with("maxntid")) continue;
      any = true;
      most *= api().ConstIntGetZExtValue(operands[i + 1]);
    }
  }
  if (any) into.most_threads = static_cast<std::uint32_t>(most);
}

// Inlines everything into the kernels, and promotes scalars to registers. Nothing else: stronger
// passes take what is undefined for impossible, and delete it (kernels.md). Returns the kernels
// that would be too large. `is_foreign`: another compiler has made the module.
std::set<std::string> prepare(LLVMModuleRef module, const std::set<std::string>& kernels,
                              Target target, bool is_foreign, const std::string& path) {
  LLVMContextRef context = api().GetModuleContext(module);
  constexpr unsigned whole = static_cast<unsigned>(LLVMAttributeFunctionIndex);
  for (LLVMValueRef f = api().GetFirstFunction(module); f != nullptr;
       f = api().GetNextFunction(f)) {
    if (api().IsDeclaration(f)) continue;
    for (const std::string_view name : {"noinline", "optnone"}) {
      api().RemoveEnumAttributeAtIndex(f, whole, attribute_kind(name));
    }
    // A kernel of OpenCL may call another one, as any function.
    if (!kernels.contains(name_of(f)) || api().GetFunctionCallConv(f) == kSpirKernel) {
      api().AddAttributeAtIndex(
          f, whole, api().CreateEnumAttribute(context, attribute_kind("alwaysinline"), 0));
    }
  }
  LLVMPassBuilderOptionsRef options = api().CreatePassBuilderOptions();
  LLVMErrorRef error = nullptr;
  if (target == Target::host) {
    // Nothing throws that goes on: what would is a call that is refused when it is reached.
    error = api().RunPasses(module, "function(lower-invoke)", nullptr, options);
    if (error == nullptr) run_constructors(module);
  }
  if (error == nullptr) mark_scopes(module);
  if (error == nullptr && !is_foreign) part_components(module);
  if (error == nullptr) mark_unset(module);
  // Again, as pointers to functions become known when they are in registers; those that stay open
  // are compared with what they may be.
  constexpr const char* inlining =
      "always-inline,function(mem2reg),always-inline,function(mem2reg),always-inline,"
      "function(mem2reg)";
  if (error == nullptr && api().GetNamedFunction(module, "__headway_ensures") != nullptr) {
    error = api().RunPasses(module, "function(mem2reg)", nullptr, options);
    if (error == nullptr) move_postconditions(module);
  }
  std::set<std::string> too_large = keep_from_growing(module, kernels);
  if (error == nullptr) error = api().RunPasses(module, inlining, nullptr, options);
  if (error == nullptr && resolve_pointer_calls(module, kernels)) {
    too_large.merge(keep_from_growing(module, kernels));
    error = api().RunPasses(module, inlining, nullptr, options);
  }
  api().DisposePassBuilderOptions(options);
  if (error == nullptr) return too_large;
  char* message = api().GetErrorMessage(error);
  const std::string said = message;
  api().DisposeErrorMessage(message);
  throw Error({path, 0, 0}, "LLVM could not inline its functions: " + said);
}

// What could not be inlined into a host program, as it calls itself.
void add_called(std::vector<LLVMValueRef>& functions) {
  for (std::size_t next = 0; next < functions.size(); ++next) {
    for_each_instruction(functions[next], [&](LLVMValueRef i) {
      LLVMValueRef callee = called_body(i);
      if (callee == nullptr) return;
      if (std::find(functions.begin(), functions.end(), callee) == functions.end())
        functions.push_back(callee);
    });
  }
}

Function read_function(Context& context, LLVMValueRef source, bool too_large) {
  Function result;
  result.symbol = name_of(source);
  result.name = demangled(result.symbol);
  LLVMMetadataRef subprogram = api().GetSubprogram(source);
  if (subprogram != nullptr) {
    result.place = {context.file(api().DIScopeGetFile(subprogram)),
                    static_cast<int>(api().DISubprogramGetLine(subprogram)), 0};
  }
  read_group_size(context.source(), source, result);
  read_launch_bounds(context.source(), source, result);
  FunctionReader reader(context, result);
  std::optional<Place> wrong;
  try {
    if (too_large) {
      throw Unsupported(
          fmt::format("code of more than {} instructions, with that of the functions that it calls",
                      kMostInlined));
    }
    reader.read(source);
    if (context.target() == Target::spir) wrong = unwaited_copy(result);
    if (wrong) throw Unsupported("an asynchronous copy that nothing waits for (wait_group_events)");
    wrong = read_of_written(result, reader.read_only());
    if (wrong) throw Unsupported("a read by __ldg() of what the kernel writes");
  } catch (const Unsupported& what) {
    const Place at = wrong ? *wrong : reader.place();
    result.blocks.clear();
    result.locals.clear();
    result.values.clear();
    result.arguments.clear();
    result.unsupported = what.what();
    result.place = at.line > 0 ? at : result.place;
  }
  return result;
}

}  // namespace

Module read_module(std::string_view text, const std::string& path, const ReadOptions& options) {
  const OwnedContext context = make_context();
  const OwnedModule source = parse(context, text, path);
  verify(source.get(), path);
  // Which values variables have is then said by calls, which can be read.
  api().SetIsNewDbgInfoFormat(source.get(), 0);
  Module result;
  result.path = path;
  Context shared(source.get(), result, options.headers, options.is_foreign);
  result.volatile_is_atomic = shared.target() != Target::spir;
  result.atomics_by_space = shared.target() == Target::spir;
  result.causality = shared.target() == Target::nvptx && !options.fences_of_cpp;
  const std::set<std::string> kernels = kernel_symbols(source.get(), shared.target());
  if (shared.target() == Target::host) read_bindings(source.get(), result);
  const std::set<std::string> too_large =
      prepare(source.get(), kernels, shared.target(), options.is_foreign, path);
  std::vector<LLVMValueRef> functions;
  for (LLVMValueRef f = api().GetFirstFunction(source.get()); f != nullptr;
       f = api().GetNextFunction(f)) {
    if (kernels.contains(name_of(f))) functions.push_back(f);
  }
  if (shared.target() == Target::host) add_called(functions);
  for (LLVMValueRef f : functions) {
    result.functions.push_back(read_function(shared, f, too_large.contains(name_of(f))));
  }
  // Variables that no kernel names can be reached all the same, by the address that the host asks
  // for.
  for (LLVMValueRef g = api().GetFirstGlobal(source.get());
       g != nullptr && shared.target() == Target::nvptx; g = api().GetNextGlobal(g)) {
    const bool is_of_code = name_of(g).starts_with("__const.");  // what variables are set to
    if (is_of_code || name_of(g).starts_with("llvm.") || api().IsDeclaration(g)) continue;
    try {
      shared.object(g);
    } catch (const Unsupported&) {  // who asks for it will be told
    }
  }
  for (Object& object : result.objects) {
    LLVMValueRef global = api().GetNamedGlobal(source.get(), object.symbol.c_str());
    if (global != nullptr) object.type = source_type(shared, global);
  }
  // Constructors of variables run before main; here they would not.
  const bool constructs = api().GetNamedGlobal(source.get(), "llvm.global_ctors") != nullptr;
  if (constructs && shared.target() != Target::host) {
    for (Function& function : result.functions) {
      if (function.unsupported.empty()) function.unsupported = "a constructor of a global variable";
    }
  }
  return result;
}

}  // namespace headway::kernel::llvm
