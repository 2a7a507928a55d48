// No argument of a built-in function is dropped. A parameter of a function in our headers that has
// no name is looked at by nobody: each such function is listed here, with the reason why what it
// does and gives is the same whatever the argument is. Parameters that have a name and are not used
// clang finds.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include "base/file.hpp"
#include "kernel/clang/headers.hpp"
#include "support/command.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace {

struct Reason {
  const char* reason;
  std::set<std::string> functions;  // "file function"
};

const std::vector<Reason>& reasons() {
  static const std::vector<Reason> all = {
      {"a hint, which changes neither values nor orders",
       {"cuda/device_functions.h __nanosleep", "cuda/device_functions.h __prefetch_global_l1",
        "cuda/device_functions.h __prefetch_global_l2", "cuda/device_functions.h __brkpt",
        "cuda/device_functions.h __prof_trigger", "cuda/nvvm.h __hw_nvvm",
        "cuda/cuda_runtime_api.h cudaMemPrefetchAsync", "cuda/cuda_runtime_api.h cudaMemAdvise",
        "cuda/cuda_runtime_api.h cudaFuncSetCacheConfig",
        "cuda/cuda_runtime_api.h cudaFuncSetSharedMemConfig",
        "cuda/cuda_runtime_api.h cudaDeviceSetCacheConfig",
        "cuda/cuda_runtime_api.h cudaThreadSetCacheConfig",
        "cuda/cuda_runtime_api.h cudaDeviceSetSharedMemConfig",
        "cuda/cuda_runtime_api.h cudaMallocHost", "cuda/omp.h omp_set_num_threads"}},
      {"the parameter is a kind of group, there for its type alone",
       {"cuda/cooperative_groups.h thread_group", "cuda/cooperative_groups.h tiled_partition",
        "cuda/cooperative_groups.h memcpy_async", "cuda/cooperative_groups.h wait"}},
      {"a call is refused", {"cuda/cuda/barrier arrive"}},
      {"it stands for the operator behind its operand",
       {"cuda/cuda/atomic operator++", "cuda/cuda/atomic operator--",
        "cuda/half_functions.h operator++", "cuda/half_functions.h operator--"}},
      {"what it gives is any value",
       {"cuda/device_functions.h __isGlobal",
        "cuda/device_functions.h __isShared",
        "cuda/device_functions.h __isConstant",
        "cuda/device_functions.h __isLocal",
        "cuda/curand.h curandCreateGenerator",
        "cuda/curand.h curandDestroyGenerator",
        "cuda/curand.h curandSetPseudoRandomGeneratorSeed",
        "cuda/curand.h curandSetGeneratorOffset",
        "cuda/curand.h curandGenerateNormal",
        "cuda/curand.h curandGenerateNormalDouble",
        "cuda/curand_kernel.h curand_init",
        "cuda/curand_kernel.h curand_log_normal",
        "cuda/curand_kernel.h curand_poisson",
        "cuda/curand_kernel.h skipahead",
        "cuda/curand_kernel.h skipahead_sequence",
        "cuda/random __hw_engine",
        "cuda/random seed",
        "cuda/random discard",
        "cuda/random minstd_rand",
        "cuda/random operator()",
        "cuda/random normal_distribution",
        "cuda/random bernoulli_distribution",
        "cuda/algorithm shuffle",
        "cuda/textures.h name",
        "cuda/textures.h surf##dimension##read",
        "cuda/c_library.h gettimeofday",
        "cuda/c_library.h clock_gettime",
        "cuda/c_library.h fscanf",
        "cuda/chrono duration",
        "cuda/chrono operator-",
        "cuda/chrono duration_cast",
        "cuda/string to_string",
        "cuda/cuda_runtime_api.h cudaEventElapsedTime",
        "cuda/iostream operator>>",
        "cuda/helper_cuda.h sdkGetTimerValue",
        "cuda/helper_cuda.h sdkGetAverageTimerValue"}},
      {"what goes to textures and surfaces is not kept",
       {"cuda/textures.h surf##dimension##write", "cuda/textures.h cudaMallocArray",
        "cuda/textures.h cudaCreateTextureObject", "cuda/textures.h cudaDestroyTextureObject",
        "cuda/textures.h cudaCreateSurfaceObject", "cuda/textures.h cudaDestroySurfaceObject",
        "cuda/textures.h cudaBindTexture", "cuda/textures.h cudaBindTexture2D",
        "cuda/textures.h cudaBindTextureToArray", "cuda/textures.h cudaBindSurfaceToArray",
        "cuda/textures.h cudaUnbindTexture"}},
      {"what is printed, or slept, is for nobody here to see",
       {"cuda/iostream sync_with_stdio", "cuda/iostream setf", "cuda/iostream unsetf",
        "cuda/iostream operator<<", "cuda/iostream put", "cuda/iostream write",
        "cuda/iostream setw", "cuda/iostream setprecision", "cuda/iostream setfill",
        "cuda/sstream operator<<", "cuda/fstream operator<<", "cuda/c_library.h sleep",
        "cuda/c_library.h usleep", "cuda/c_files.h fwrite", "cuda/helper_cuda.h sdkDeleteTimer",
        "cuda/helper_cuda.h sdkStartTimer", "cuda/helper_cuda.h sdkStopTimer",
        "cuda/helper_cuda.h sdkResetTimer"}},
      {"a file that may be there or not, and hold anything",
       {"cuda/c_files.h fopen", "cuda/c_files.h fseek", "cuda/c_files.h rewind",
        "cuda/c_files.h ftell", "cuda/c_files.h fread", "cuda/fstream __hw_file_stream",
        "cuda/fstream open", "cuda/iostream ignore", "cuda/iostream seekg",
        "cuda/helper_cuda.h sdkFindFilePath"}},
      {"there is one device, and a program is given no arguments",
       {"cuda/cuda_runtime_api.h cudaSetDevice", "cuda/cuda_runtime_api.h cudaSetDeviceFlags",
        "cuda/cuda_runtime_api.h cudaDeviceCanAccessPeer",
        "cuda/cuda_runtime_api.h cudaGetDeviceProperties",
        "cuda/cuda_runtime_api.h cudaChooseDevice",
        "cuda/cuda_runtime_api.h cudaDeviceGetAttribute",
        "cuda/cuda_runtime_api.h cudaDeviceSetLimit", "cuda/cuda_runtime_api.h cudaDeviceGetLimit",
        "cuda/helper_cuda.h findCudaDevice", "cuda/helper_cuda.h gpuDeviceInit",
        "cuda/helper_cuda.h checkCmdLineFlag", "cuda/helper_cuda.h getCmdLineArgumentInt",
        "cuda/helper_cuda.h getCmdLineArgumentFloat", "cuda/helper_cuda.h getCmdLineArgumentString",
        "cuda/getopt.h getopt", "cuda/getopt.h getopt_long"}},
      {"of what a kernel needs nothing is known but that it fits",
       {"cuda/cuda_runtime_api.h cudaOccupancyMaxActiveBlocksPerMultiprocessor",
        "cuda/cuda_runtime_api.h cudaOccupancyMaxPotentialBlockSize"}},
      {"a null pointer, there for its type alone",
       {"cuda/functional function", "cuda/memory unique_ptr", "cuda/memory operator=",
        "cuda/memory operator==", "cuda/memory operator!=", "cuda/memory shared_ptr"}},
      {"a text for people",
       {"cuda/nondeterminism.h __ESBMC_assert", "cuda/nondeterminism.h __CPROVER_assert",
        "cuda/nvvm.h __assertfail", "cuda/stdexcept __hw_told"}},
      {"the payload of what is no number is any",
       {"cuda/math_functions.h nanf", "cuda/math_functions.h nan"}},
      {"there for its type alone", {"cuda/cuda_runtime_api.h cudaGetSymbolSize"}},
      {"what is exact is not rounded", {"opencl/rounding.h __hw_to_##T"}},
      {"one number overflows nothing", {"cuda/annotations.h __add_noovfl"}},
      {"memory that there is already", {"cuda/c_library.h new", "cuda/c_library.h new[]"}},
  };
  return all;
}

// Without comments and texts, and with lines that go on joined.
std::string code_of(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (text.compare(i, 2, "/*") == 0) {
      i = text.find("*/", i) + 1;
      continue;
    } else if (text[i] == '"') {
      while (++i < text.size() && text[i] != '"') i += text[i] == '\\' ? 1 : 0;
      result += "\"\"";
      continue;
    } else if (text.compare(i, 2, "\\\n") == 0) {
      ++i;
      result += ' ';
      continue;
    }
    if (i < text.size()) result += text[i];
  }
  return result;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string trimmed(const std::string& text) {
  const auto from = text.find_first_not_of(" \n");
  if (from == std::string::npos) return {};
  return text.substr(from, text.find_last_not_of(" \n") + 1 - from);
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : list) {
    depth += c == '(' || c == '<' || c == '[' || c == '{' ? 1 : 0;
    depth -= c == ')' || c == '>' || c == ']' || c == '}' ? 1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// Of "const T& x = 1" it is true, of "const T&" and "unsigned" not.
bool has_name(std::string parameter) {
  parameter = trimmed(parameter.substr(0, parameter.find('=')));
  if (parameter.empty() || parameter == "void" || parameter == "...") return true;
  if (parameter.ends_with("...")) return false;
  while (parameter.ends_with("]")) parameter = trimmed(parameter.substr(0, parameter.rfind('[')));
  if (!is_word(parameter.back())) {
    // A pointer or a reference to a function, or to an array, has its name in parentheses.
    const auto open = parameter.find("(&");
    const auto star = parameter.find("(*");
    const auto at = std::min(open, star);
    return at != std::string::npos && is_word(parameter[at + 2]);
  }
  static const std::set<std::string> types = {"bool",     "char",   "short", "int",    "long",
                                              "unsigned", "signed", "float", "double", "size_t"};
  std::size_t begin = parameter.size();
  while (begin > 0 && is_word(parameter[begin - 1])) --begin;
  const std::string last = parameter.substr(begin), rest = trimmed(parameter.substr(0, begin));
  if (types.contains(last) || rest.empty()) return false;
  return rest != "const" && rest != "volatile" && rest != "typename" && !rest.ends_with("::");
}

// Where what stands in front of `end` begins without spaces and words behind a list of parameters.
std::size_t behind_parameters(const std::string& code, std::size_t end) {
  for (bool moved = true; moved;) {
    moved = false;
    while (end > 0 && std::isspace(static_cast<unsigned char>(code[end - 1])) != 0) --end;
    for (const std::string word : {"const", "volatile", "noexcept", "CV"}) {
      if (end < word.size() || code.compare(end - word.size(), word.size(), word) != 0) continue;
      end -= word.size();
      moved = true;
    }
  }
  return end;
}

// Where the bracket opens that is closed in front of `end`.
std::size_t opening(const std::string& code, std::size_t end, char open, char close) {
  int depth = 0;
  do {
    --end;
    depth += code[end] == close ? 1 : code[end] == open ? -1 : 0;
  } while (end > 0 && depth > 0);
  return end;
}

// The name that ends at `end`; without arguments of templates.
std::string name_before(const std::string& code, std::size_t& end) {
  while (end > 0 && code[end - 1] == ' ') --end;
  const bool is_operator = end > 10 && code.substr(end - 10, 8) == "operator";
  if (end > 0 && code[end - 1] == '>' && !is_operator) end = opening(code, end, '<', '>');
  std::size_t begin = end;
  if (begin > 1 && code.compare(begin - 2, 2, "()") == 0) begin -= 2;
  const std::string operators = "#+-*/=!&|^[]<>";
  while (begin > 0 &&
         (is_word(code[begin - 1]) || operators.find(code[begin - 1]) != std::string::npos))
    --begin;
  const std::string name = code.substr(begin, end - begin);
  end = begin;
  return name;
}

// "function" for each one with a parameter that has no name.
std::set<std::string> functions_that_drop(const std::string& code) {
  static const std::set<std::string> no_functions = {
      "if", "for", "while", "switch", "catch", "return", "constexpr", "__attribute__"};
  std::set<std::string> result;
  for (std::size_t open = code.find('{'); open != std::string::npos;
       open = code.find('{', open + 1)) {
    std::size_t end = behind_parameters(code, open);
    std::size_t begin = 0;
    std::string function;
    // Members that a constructor initializes stand between its parameters and its body.
    for (bool initializes = true; initializes && end > 0 && code[end - 1] == ')';) {
      begin = opening(code, end, '(', ')');
      std::size_t at = begin;
      function = name_before(code, at);
      while (at > 0 && std::isspace(static_cast<unsigned char>(code[at - 1])) != 0) --at;
      initializes = at > 1 && (code[at - 1] == ',' || (code[at - 1] == ':' && code[at - 2] != ':'));
      if (initializes) end = behind_parameters(code, at - 1);
    }
    if (function.empty() || end == 0 || code[end - 1] != ')' || no_functions.contains(function)) {
      continue;
    }
    std::vector<std::string> parameters = split(code.substr(begin + 1, end - begin - 2));
    if (function == "__hw_nvvm") {  // a type, two names, and the parameters
      const std::string last = trimmed(parameters.back());
      parameters = split(last.substr(1, last.size() - 2));
    }
    for (const std::string& one : parameters) {
      if (!has_name(one)) result.insert(function);
    }
  }
  return result;
}

}  // namespace

TEST_CASE("kernel/clang/arguments: parameters without a name are listed, with a reason") {
  std::set<std::string> listed;
  for (const Reason& one : reasons()) listed.insert(one.functions.begin(), one.functions.end());
  const fs::path folder = headway::testing::source_dir() / "src/kernel/headers";
  std::set<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    for (const std::string& function : functions_that_drop(code_of(headway::read_file(entry)))) {
      found.insert(entry.path().lexically_relative(folder).string() + " " + function);
    }
  }
  CHECK(found.size() > 50);
  for (const std::string& one : found) {
    INFO(one, " has a parameter that nothing looks at");
    CHECK(listed.contains(one));
  }
  for (const std::string& one : listed) {
    INFO(one, " is listed, and drops nothing");
    CHECK(found.contains(one));
  }
}

TEST_CASE("kernel/clang/arguments: a parameter that has a name is used") {
  const char* given = std::getenv("HEADWAY_CLANG");
  const std::string clang = given == nullptr ? "clang-19" : given;
  const headway::kernel::HeaderFolder headers;
  const auto complaints = [&](std::vector<std::string> command) {
    command.insert(command.begin(), clang);
    command.insert(command.end(), {"-fsyntax-only", "-Wunused-parameter"});
    const auto result = headway::testing::run_program(command, {});
    std::set<std::string> lines;
    std::istringstream text(result.err);
    for (std::string line; std::getline(text, line);) {
      const auto at = line.find("unused parameter");
      if (at != std::string::npos) lines.insert(line.substr(at));
    }
    INFO(result.err);
    CHECK(result.status == 0);
    return lines;
  };
  const headway::testing::TemporaryFolder folder;
  const std::string cuda = (headers.path() / "cuda").string();
  const std::string opencl = (headers.path() / "opencl").string();
  CHECK(complaints({"-x", "cuda", "--target=x86_64-unknown-linux-gnu", "-Xclang",
                    "-target-sdk-version=12.0", "-nocudainc", "-nocudalib", "-nostdinc++",
                    "--cuda-device-only", "--cuda-gpu-arch=sm_70", "-I", cuda, "-include",
                    cuda + "/headway_cuda.h",
                    folder
                        .write("all.cu",
                               "#include <cooperative_groups.h>\n#include <cuda/atomic>\n"
                               "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n")
                        .string()}) == std::set<std::string>{});
  // The offset of a launch is 0; the payload of what is no number is any.
  CHECK(complaints({"-x", "cl", "--target=spir64", "-cl-no-stdinc", "-cl-std=CL2.0", "-I", opencl,
                    "-D__HEADWAY_SUBGROUPS", "-D__HEADWAY_MATH", "-D__HEADWAY_DOUBLE",
                    "-D__HEADWAY_HALF", "-D__HEADWAY_INTEGER", "-D__HEADWAY_RELATIONAL",
                    "-D__HEADWAY_SHUFFLES", "-D__HEADWAY_GEOMETRY", "-D__HEADWAY_VLOAD", "-include",
                    opencl + "/headway_opencl.h", folder.write("all.cl", "").string()}) ==
        std::set<std::string>{"unused parameter 'd' [-Wunused-parameter]",
                              "unused parameter 'code' [-Wunused-parameter]"});
}
