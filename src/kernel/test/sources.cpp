#include "kernel/test/sources.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/bits/sha256.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "kernel/compiler_process.hpp"
#include "kernel/glslang/compile.hpp"
#include "kernel/ir/append.hpp"
#include "kernel/llvm/reader.hpp"
#include "kernel/test/templates.hpp"

#ifdef HEADWAY_SPIRV
#include "kernel/spirv/reader.hpp"
#endif

namespace headway::kernel {

bool reads_shaders() {
#ifdef HEADWAY_SPIRV
  return true;
#else
  return false;
#endif
}

Module read_source(const std::filesystem::path& file, Side side, const CompileOptions& options,
                   Compiler& compiler) {
  const auto kind = source_kind(file, options);
  if (!kind || !is_shader(*kind)) {
    llvm::ReadOptions read;
    read.headers = std::string(kHeaderPlace);
    read.fences_of_cpp = options.fences_of_cpp;
    read.is_foreign = *kind == SourceKind::llvm_text || *kind == SourceKind::llvm_bitcode;
    const std::string code = compiler.compile(file, side, options);
    Module result = llvm::read_module(code, file.string(), read);
    result.fingerprint = sha256(code);
    if (side == Side::device && kind == SourceKind::cuda) {
      result.templates = without_instance(read_file(file), result);
    }
    return result;
  }
  if (side == Side::host) throw Error(file.string() + ": a shader has no host program");
#ifdef HEADWAY_SPIRV
  glslang::Options shader;
  shader.flags = options.flags;
  shader.limit = options.time_left();
  shader.interrupted = options.interrupted;
  std::optional<MemoryFile> typed;
  if (file == kStandardInput && *kind != SourceKind::spirv) {
    shader.input = typed.emplace(read_file(file)).name();
  }
  std::vector<std::string> modules;
  if (*kind == SourceKind::spirv) {
    modules = {read_file(file)};
  } else if (*kind == SourceKind::hlsl) {
    modules = glslang::compile_hlsl(file, shader);
  } else {
    modules = {glslang::compile_glsl(file, shader)};
  }
  spirv::ReadOptions read;
  read.specialization = options.specialization;
  read.group_size = options.group_size;
  read.is_hlsl = *kind == SourceKind::hlsl;
  Module result = spirv::read_module(modules.front(), file.string(), read);
  for (std::size_t m = 1; m < modules.size(); ++m) {
    append(result, spirv::read_module(modules[m], file.string(), read));
  }
  if (typed) std::replace(result.files.begin(), result.files.end(), typed->name(), file.string());
  result.fingerprint = sha256(fmt::format("{}", fmt::join(modules, "")));
  return result;
#else
  throw Error({file.string(), 0, 0},
              "this headway was built without SPIRV-Tools; see CONTRIBUTING.md");
#endif
}

}  // namespace headway::kernel
