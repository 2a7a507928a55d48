#include "kernel/test/sources.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <system_error>

#include "base/bits/sha256.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "kernel/clang/without_host.hpp"
#include "kernel/compiler_process.hpp"
#include "kernel/glslang/compile.hpp"
#include "kernel/glslang/source_text.hpp"
#include "kernel/ir/append.hpp"
#include "kernel/ir/premises.hpp"
#include "kernel/llvm/reader.hpp"
#include "kernel/llvm/usual_launches.hpp"
#include "kernel/naga/compile.hpp"
#include "kernel/ptx/reader.hpp"
#include "kernel/test/templates.hpp"

#ifdef HEADWAY_SPIRV
#include "kernel/spirv/hlsl.hpp"
#include "kernel/spirv/reader.hpp"
#include "kernel/spirv/wgsl.hpp"
#endif

namespace headway::kernel {

namespace {

using Launches = std::map<std::string, UsualLaunch>;

// Of the other side of a file of kernels. What cannot be read there is none.
Launches launches_of(const std::filesystem::path& file, CompileOptions options,
                     Compiler& compiler) {
  // Signed arithmetic of a size that wraps around is no launch that somebody means.
  options.flags.emplace_back("-fno-wrapv");
  // Functions are called where they are called in the text: what some say is left out.
  options.flags.insert(options.flags.end(), {"-Xclang", "-disable-llvm-passes"});
  try {
    return llvm::usual_launches(compiler.compile(file, Side::host, options), file.string());
  } catch (const Error&) {
    return {};
  }
}

// Puts names in the place of numbers of arguments, where both sides of the file pass the same.
void name_arguments(UsualLaunch& usual, const Function& function) {
  decltype(usual.arguments) named;
  // The host's side passes structures in several words.
  const bool are_same =
      std::ranges::all_of(function.parameters, [](const Parameter& p) { return p.by_value == 0; });
  if (!are_same) usual.grid_of = {};
  for (std::size_t k = 0; k < function.parameters.size(); ++k) {
    const Parameter& parameter = function.parameters[k];
    const std::string number = fmt::format("{{{}}}", k);
    const auto range = usual.arguments.find(std::to_string(k));
    if (are_same && range != usual.arguments.end() && parameter.type.is_integer()) {
      named.emplace(parameter.name, range->second);
    }
    for (std::string& text : usual.grid_of) {
      for (std::size_t at = 0; (at = text.find(number, at)) != std::string::npos;) {
        if (!parameter.type.is_integer() || parameter.type.bits != 32) {
          text.clear();
        } else {
          text.replace(at, number.size(), parameter.name);
        }
      }
    }
  }
  usual.arguments = std::move(named);
}

void take_usual(const Launches& launches, Module& module) {
  std::string sizes;
  for (Function& function : module.functions) {
    const auto found = launches.find(function.symbol);
    if (found == launches.end()) continue;
    UsualLaunch& usual = function.usual = found->second;
    name_arguments(usual, function);
    sizes += fmt::format("{} {} {} {} {} {} {}\n", function.symbol, usual.line, *usual.block,
                         usual.workgroup_bytes, usual.grid_of, usual.arguments, usual.has_others);
    for (const auto& size : usual.grid) sizes += fmt::format("{} ", size ? *size : 0);
  }
  if (!sizes.empty()) module.fingerprint = sha256(module.fingerprint + sizes);
}

Module read_kernels_of_cuda(const std::filesystem::path& file, const CompileOptions& options,
                            const llvm::ReadOptions& read, Compiler& compiler) {
  const std::string text = read_file(file);
  const bool launches = text.find("<<<") != std::string::npos;
  std::future<Launches> launched;
  if (launches) {
    launched = std::async(std::launch::async, [&] { return launches_of(file, options, compiler); });
  }
  const DeviceCode device = compile_device(compiler, file, options);
  Module result = llvm::read_module(device.module, file.string(), read);
  result.fingerprint = sha256(device.module);
  if (launches) {
    Launches found = launched.get();
    if (device.options.text) found = launches_of(file, device.options, compiler);
    take_usual(found, result);
  }
  if (!device.missing.empty()) {
    for (Function& function : result.functions) {
      add_premise(function, fmt::format("the file {}", device.missing));
    }
  }
  result.templates = without_instance(text, result);
  return result;
}

// What clang says itself of a text is said here of others.
std::string text_in_bytes(const std::filesystem::path& file) {
  std::string text = read_file(file);
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    throw Error({file.string(), 1, 1}, "UTF-16; expected a text file in UTF-8");
  }
  return text;
}

}  // namespace

bool reads_shaders() {
#ifdef HEADWAY_SPIRV
  return true;
#else
  return false;
#endif
}

#ifdef HEADWAY_SPIRV
namespace {

Module read_modules(const std::vector<std::string>& modules, const std::filesystem::path& file,
                    const spirv::ReadOptions& read) {
  Module result = spirv::read_module(modules.front(), file.string(), read);
  for (std::size_t m = 1; m < modules.size(); ++m) {
    append(result, spirv::read_module(modules[m], file.string(), read));
  }
  result.fingerprint = sha256(fmt::format("{}", fmt::join(modules, "")));
  return result;
}

// What glslang makes of HLSL, with what it leaves out.
Module read_hlsl(const std::filesystem::path& file, const glslang::Options& options,
                 const spirv::ReadOptions& read) {
  const glslang::Hlsl written = glslang::compile_hlsl(file, options);
  bool chooses = false;
  std::vector<std::string> modules;
  for (const std::string& one : written.modules) {
    const auto& [coherent, is_volatile, sized_in_bytes] = written.qualified;
    spirv::HlslModule made = spirv::as_hlsl(one, coherent, is_volatile, sized_in_bytes);
    if (!made.refused.empty()) throw Error({file.string(), 0, 0}, made.refused);
    modules.push_back(std::move(made.words));
    chooses = chooses || made.chooses;
  }
  Module result = read_modules(modules, file, read);
  if (chooses) {
    for (Function& function : result.functions) {
      add_premise(function,
                  "'?:', '&&' and '||' evaluate the side that they take, as HLSL 2021 has it");
    }
  }
  return result;
}

Module read_glsl(const std::filesystem::path& file, const glslang::Options& options,
                 const spirv::ReadOptions& read) {
  const glslang::Glsl written = glslang::compile_glsl(file, options);
  Module result = read_modules({written.words}, file, read);
  if (!written.is_of_opengl) return result;
  for (Function& function : result.functions) {
    add_premise(function, "a shader for OpenGL does what it does for Vulkan");
  }
  return result;
}

// Constants of SPIR-V have numbers alone.
spirv::Specialization numbered(const std::map<std::string, double>& given,
                               const std::filesystem::path& file) {
  spirv::Specialization result;
  for (const auto& [name, value] : given) {
    std::uint32_t id = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (error != std::errc() || end != name.data() + name.size()) {
      throw Error({file.string(), 0, 0},
                  fmt::format("there is no specialization constant '{}'; expected a number", name));
    }
    result.emplace(id, value);
  }
  return result;
}

Module read_wgsl(const std::filesystem::path& file, const CompileOptions& options) {
  naga::Options given;
  given.values = options.specialization;
  given.group_size = options.group_size;
  given.limit = options.time_left();
  given.interrupted = options.interrupted;
  const naga::Compiled compiled = naga::compile_wgsl(file, given);
  spirv::ReadOptions read;
  read.language = spirv::SourceLanguage::wgsl;
  Module result = read_modules(
      {spirv::as_wgsl(compiled.words, file.string(), {compiled.mark, compiled.elect})}, file, read);
  for (Function& function : result.functions) {
    // Loops without end are written so, and naga is called by us.
    function.unbounded_loops = 0;
    for (const std::string& premise : compiled.premises) add_premise(function, premise);
    const auto compares = [](const Instruction& i) { return i.op == Op::atomic_compare; };
    if (std::any_of(function.blocks.begin(), function.blocks.end(), [&](const Block& block) {
          return std::any_of(block.code.begin(), block.code.end(), compares);
        })) {
      add_premise(function, "atomicCompareExchangeWeak fails only where values differ");
    }
  }
  return result;
}

}  // namespace
#endif

Module read_source(const std::filesystem::path& file, Side side, const CompileOptions& options,
                   Compiler& compiler) {
  const auto kind = source_kind(file, options);
  if (kind == SourceKind::ptx) {
    const std::string code = text_in_bytes(file);
    if (side == Side::host) throw Error(file.string() + ": PTX has no host program");
    Module result = ptx::read_module(code, file.string(), options.fences_of_cpp);
    result.fingerprint = sha256(code);
    return result;
  }
  if (!kind || !is_shader(*kind)) {
    llvm::ReadOptions read;
    read.headers = std::string(kHeaderPlace);
    read.fences_of_cpp = options.fences_of_cpp;
    read.is_foreign = *kind == SourceKind::llvm_text || *kind == SourceKind::llvm_bitcode;
    if (side == Side::device && kind == SourceKind::cuda) {
      return read_kernels_of_cuda(file, options, read, compiler);
    }
    const std::string code = compiler.compile(file, side, options);
    Module result = llvm::read_module(code, file.string(), read);
    result.fingerprint = sha256(code);
    return result;
  }
  [[maybe_unused]] const std::string text =
      *kind == SourceKind::spirv ? read_file(file) : text_in_bytes(file);
  if (side == Side::host) throw Error(file.string() + ": a shader has no host program");
#ifdef HEADWAY_SPIRV
  if (*kind == SourceKind::wgsl) return read_wgsl(file, options);
  glslang::Options shader;
  shader.flags = options.flags;
  shader.limit = options.time_left();
  shader.interrupted = options.interrupted;
  // What glslang reads where that is not the file.
  std::optional<MemoryFile> typed;
  if (*kind != SourceKind::spirv) {
    const auto other = glslang::as_glslang_reads(text, *kind == SourceKind::hlsl);
    if (other || file == kStandardInput) shader.input = typed.emplace(other ? *other : text).name();
  }
  spirv::ReadOptions read;
  read.specialization = numbered(options.specialization, file);
  read.group_size = options.group_size;
  if (*kind == SourceKind::hlsl) read.language = spirv::SourceLanguage::hlsl;
  Module result = *kind == SourceKind::spirv  ? read_modules({text}, file, read)
                  : *kind == SourceKind::hlsl ? read_hlsl(file, shader, read)
                                              : read_glsl(file, shader, read);
  if (typed) std::replace(result.files.begin(), result.files.end(), typed->name(), file.string());
  return result;
#else
  throw Error({file.string(), 0, 0},
              "this headway was built without SPIRV-Tools; see CONTRIBUTING.md");
#endif
}

}  // namespace headway::kernel
