#include "kernel/glslang/compile.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "kernel/compiler_process.hpp"

namespace headway::kernel::glslang {
namespace {

namespace fs = std::filesystem;

std::string find_glslang() {
  if (std::string named = named_program("HEADWAY_GLSLANG"); !named.empty()) return named;
  for (const char* name : {"glslangValidator", "glslang"}) {
    if (std::string found = find_program(name); !found.empty()) return found;
  }
  throw Error(
      "shaders are compiled with glslangValidator, which is not here (Debian: glslang-tools); "
      "HEADWAY_GLSLANG can name it");
}

std::string text_line(const fs::path& file, int number) {
  try {
    return line_of(read_file(file), number);
  } catch (const Error&) {
    return {};
  }
}

// "ERROR: name:12: 'x' : undeclared identifier", the first of them.
Error shader_error(const std::string& output, int status, const fs::path& file,
                   const fs::path& input, bool is_hlsl) {
  constexpr std::string_view mark = "ERROR: ";
  const std::string note =
      is_hlsl ? " (glslang reads HLSL in part; DXC's modules can be given)" : "";
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(mark)) continue;
    line.erase(0, mark.size());
    const std::string name = input.string() + ":";
    if (line.starts_with(name)) {
      char* end = nullptr;
      const long number = std::strtol(line.c_str() + name.size(), &end, 10);
      std::string text = end;
      if (text.starts_with(":")) text.erase(0, text.find_first_not_of(": "));
      return Error({file.string(), static_cast<int>(number), 0}, text + note,
                   text_line(file, static_cast<int>(number)));
    }
    return Error({file.string(), 0, 0}, fmt::format("glslang: {}{}", line, note));
  }
  return Error(
      fmt::format("{}: glslangValidator failed with status {}{}", file.string(), status, note));
}

// Runs glslang with `words` behind what all calls have; its output.
Finished run(const fs::path& file, bool is_hlsl, std::vector<std::string> words,
             const Options& options) {
  std::vector<std::string> command = {find_glslang(), "--quiet", "-S", "comp"};
  if (is_hlsl) command.emplace_back("-D");
  command.insert(command.end(), words.begin(), words.end());
  for (const std::string& flag : options.flags) {
    if (flag.starts_with("-D") || flag.starts_with("-U") || flag.starts_with("-I")) {
      command.push_back(flag);
    }
  }
  const fs::path& input = options.input.empty() ? file : options.input;
  // Where what it includes lies.
  if (input != file) {
    command.push_back("-I" + (file.has_parent_path() ? file.parent_path().string() : "."));
  }
  command.push_back(input.string());
  Finished finished = run_compiler(command, "glslang", file, options.limit, options.interrupted);
  if (finished.status != 0) {
    throw shader_error(finished.output + finished.complaint, finished.status, file, input, is_hlsl);
  }
  return finished;
}

std::string compiled(const fs::path& file, bool is_hlsl, std::vector<std::string> words,
                     const Options& options) {
  const MemoryFile output;
  words.insert(words.end(), {"-g", "-V", "-o", output.name()});
  const Finished finished = run(file, is_hlsl, std::move(words), options);
  // Such as InterlockedCompareStore: a module without it is another program.
  const std::string said = finished.output + finished.complaint;
  if (const std::size_t at = said.find("Missing functionality"); at != std::string::npos) {
    throw Error({file.string(), 0, 0},
                fmt::format("glslang leaves something out of it ({}); expected a module of DXC's",
                            said.substr(at, said.find('\n', at) - at)));
  }
  return output.content();
}

// What glslang says of uniforms outside of blocks, and of what has no binding.
bool is_of_opengl(std::string_view message) {
  return message.find("not allowed when using GLSL for Vulkan") != std::string_view::npos ||
         message.find("requires layout(binding=X)") != std::string_view::npos;
}

}  // namespace

Glsl compile_glsl(const fs::path& file, const Options& options) {
  const std::vector<std::string> words = {"--target-env", "vulkan1.3"};
  try {
    return {compiled(file, false, words, options), false};
  } catch (const Error& error) {
    if (!is_of_opengl(error.what())) throw;
  }
  std::vector<std::string> relaxed = {"-R", "--auto-map-bindings", "--auto-map-locations"};
  relaxed.insert(relaxed.end(), words.begin(), words.end());
  return {compiled(file, false, std::move(relaxed), options), true};
}

Hlsl compile_hlsl(const fs::path& file, const Options& options) {
  const std::string text = run(file, true, {"-E"}, options).output;
  const std::vector<std::string> names = entry_points(text);
  if (names.empty()) {
    throw Error({file.string(), 0, 0},
                "there is no entry point; expected a function with [numthreads(X, Y, Z)]");
  }
  Hlsl result;
  result.qualified = qualified(text, file);
  result.modules.reserve(names.size());
  for (const std::string& name : names) {
    // For newer targets glslang 12 writes decorations that these do not have.
    result.modules.push_back(
        compiled(file, true, {"-e", name, "--target-env", "vulkan1.1", "-Od"}, options));
  }
  return result;
}

}  // namespace headway::kernel::glslang
