#include "kernel/test/sources.hpp"

#include "base/bits/sha256.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "kernel/glslang/compile.hpp"
#include "kernel/llvm/reader.hpp"

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
  const auto kind = source_kind(file);
  if (!kind || !is_shader(*kind)) {
    llvm::ReadOptions read;
    read.headers = std::string(kHeaderPlace);
    const std::string code = compiler.compile(file, side, options);
    Module result = llvm::read_module(code, file.string(), read);
    result.fingerprint = sha256(code);
    return result;
  }
  if (side == Side::host) throw Error(file.string() + ": a shader has no host program");
#ifdef HEADWAY_SPIRV
  std::string words;
  if (*kind == SourceKind::spirv) {
    words = read_file(file);
  } else {
    glslang::Options shader;
    shader.flags = options.flags;
    shader.limit = options.limit;
    shader.interrupted = options.interrupted;
    words = glslang::compile(file, *kind == SourceKind::hlsl, shader);
  }
  Module result = spirv::read_module(words, file.string(), options.specialization);
  result.fingerprint = sha256(words);
  return result;
#else
  throw Error({file.string(), 0, 0},
              "this headway was built without SPIRV-Tools; see CONTRIBUTING.md");
#endif
}

}  // namespace headway::kernel
