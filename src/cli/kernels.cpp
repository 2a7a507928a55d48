#include "cli/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <system_error>

#include "base/file.hpp"
#include "cli/console.hpp"
#include "cli/kernel_proof.hpp"
#include "cli/mistakes.hpp"
#include "cli/options.hpp"

#ifdef HEADWAY_KERNELS
#include "kernel/directives.hpp"
#endif

namespace headway::cli {
namespace {

// Endings of names, with cuda, as clang calls it.
const Choices kLanguages = {"cu",  "cuda",   "cl",   "ll",   "bc",   "ptx",
                            "spv", "spvasm", "comp", "glsl", "hlsl", "wgsl"};

// What most kernels of a language have in them, and hardly a litmus test.
struct Mark {
  const char* text;
  const char* language;
};
constexpr Mark kMarks[] = {
    {"__global__", "cu"},       {"__kernel", "cl"},      {"kernel void", "cl"},
    {"#version", "comp"},       {"numthreads", "hlsl"},  {"@workgroup_size", "wgsl"},
    {"OpEntryPoint", "spvasm"}, {"target triple", "ll"}, {".visible .entry", "ptx"}};

const Mark* mark_in(const std::string& text) {
  const auto* mark = std::find_if(std::begin(kMarks), std::end(kMarks), [&](const Mark& one) {
    return text.find(one.text) != std::string::npos;
  });
  return mark == std::end(kMarks) ? nullptr : mark;
}

// A file that is no litmus test may be a kernel by another name.
std::optional<Error> misnamed_kernel(const std::filesystem::path& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return std::nullopt;
  const std::string text = read_file(path);
  const Mark* mark = mark_in(text);
  if (mark == nullptr) return std::nullopt;
  if (std::string_view(mark->text) == "#version" && text.find("local_size") == std::string::npos) {
    return Error({path.string(), 0, 0},
                 "this looks like a shader of GLSL that is no compute shader, which has "
                 "'local_size_x'; no others are read");
  }
  return Error({path.string(), 0, 0},
               fmt::format("this looks like a kernel, as it says '{}'; expected a name "
                           "that ends in .{}, or -x {}",
                           mark->text, mark->language, mark->language));
}

// Runs `read`, which reads litmus tests of `path`. Kernels come to standard input, and in files of
// any name, as often.
template <class Read>
auto with_advice(const std::filesystem::path& path, const Read& read) {
  const bool typed = path == "-";
  // What is called a test is none, and documents quote kernels.
  if (path.extension() == ".litmus" || path.extension() == ".md") return read();
  const std::string text = typed ? read_file(kStandardInput) : std::string();
  try {
    return read();
  } catch (const Error&) {
    const std::optional<Error> kernel = typed ? typed_kernel(text) : misnamed_kernel(path);
    if (kernel) throw *kernel;
    throw;
  }
}

void take_litmus(const std::filesystem::path& path, const std::optional<lang::Sizes>& sizes,
                 const lang::Languages& languages,
                 const std::function<bool(lang::Test test, std::size_t of)>& take) {
  std::vector<lang::Test> tests =
      with_advice(path, [&] { return suite::load_tests(path, sizes, languages); });
  for (lang::Test& test : tests) {
    if (!take(std::move(test), tests.size())) return;
  }
}

// What is below a folder has names of its own.
void require_name(const std::string& folder, const CompilerArguments& arguments) {
  if (arguments.language.empty()) return;
  throw Error({folder, 0, 0}, "is a folder; -x goes with files and with -");
}

}  // namespace

void add_kernel_options(CLI::App& command, KernelArguments& arguments) {
  constexpr const char* group =
      "Kernels (.cu, .cl, .ll, .bc, .ptx, .spv, .spvasm, .comp, .glsl, .hlsl, .compute, .wgsl)";
  const auto several = [&](const char* name, std::vector<std::string>& values, const char* text) {
    command.add_option(name, values, text)->group(group);
  };
  several("--kernel", arguments.kernels, "A kernel by its name; may be repeated [all]");
  command.add_option("--grid,--groups", arguments.grid, "Workgroups, X,Y,Z [2]")->group(group);
  command.add_option("--block", arguments.block, "Threads of each workgroup, X,Y,Z [4]")
      ->group(group);
  command.add_option("--subgroup", arguments.subgroup, "Threads of each subgroup [32]")
      ->check(CLI::Range(1, 64))
      ->group(group);
  command
      .add_option("--shared", arguments.workgroup_bytes,
                  "Bytes of workgroup memory that the launch sizes")
      ->group(group);
  several(
      "--arg", arguments.arguments,
      "A parameter's value, such as n=4 or n=unknown(1..8) [unknown; to explore a launch, from 0 "
      "to its threads]");
  several("--buffer", arguments.buffers,
          "What a pointer goes to, such as in=64:zero, in=n*4, in=4:{1,2,3} or in=64:unknown(0..3) "
          "[unknown data, zeros where there are atomics]");
  several("--assume", arguments.assumptions,
          "A condition on integer arguments and sizes, such as 'n > 0 && n <= 2 * gridDim.x'");
  command
      .add_flag("--count-benign", arguments.count_benign,
                "Take two writes of the same value for a race, too")
      ->group(group);
  add_compiler_options(command, arguments);
}

void add_compiler_options(CLI::App& command, CompilerArguments& arguments) {
  constexpr const char* group = "Compiler (of kernels)";
  const auto several = [&](const char* name, std::vector<std::string>& values, const char* text,
                           const char* type) {
    command.add_option(name, values, text)->type_name(type)->group(group);
  };
  command
      .add_option("-x", arguments.language,
                  "The language of what is read, whatever its name ends in, or of a kernel on "
                  "standard input")
      ->type_name("LANGUAGE")
      ->check(one_of(kLanguages))
      ->group(group);
  several("-D", arguments.defines, "A macro", "NAME[=VALUE]");
  several("-I", arguments.includes, "A folder of headers", "FOLDER");
  several("--include", arguments.included, "A file to be read first; -include FILE is the same",
          "FILE");
  command
      .add_option("--std", arguments.standard,
                  "The language of the source, such as c++17 or CL2.0; -std=c++17 is the same")
      ->type_name("LANGUAGE")
      ->group(group);
  several("--compiler-flag,--flag", arguments.flags,
          "Another flag for clang, as --flag=-fms-extensions; those for optimization, as -O2, may "
          "stand for themselves and change nothing",
          "FLAG");
  command
      .add_option("--compile-commands", arguments.compile_commands,
                  "A compile_commands.json, or its folder, to take flags from")
      ->type_name("FILE")
      ->group(group);
  several("--spec", arguments.specialization,
          "A specialization constant of SPIR-V, such as 0=64, or an override of WGSL, N=64",
          "ID=NUMBER");
  add_choice_option(command, "--fences", arguments.fences, {"ptx", "c++"},
                    "How fences of CUDA synchronize: in PTX's order of all that are sequentially "
                    "consistent, or by C++'s rules alone (ptx, c++)")
      ->group(group);
}

#ifdef HEADWAY_KERNELS

bool is_kernel_file(const std::filesystem::path& file) { return kernel::is_kernel_file(file); }

kernel::CompileOptions compile_options(const CompilerArguments& arguments) {
  kernel::CompileOptions options;
  for (const std::string& text : arguments.specialization) {
    const auto given = kernel::parse_specialization(text, {"--spec", 0, 0});
    if (!options.specialization.insert(given).second) {
      throw Error(fmt::format("--spec {}: the constant {} is given twice", text, given.first));
    }
  }
  for (const std::string& text : arguments.defines) options.flags.push_back("-D" + text);
  for (const std::string& text : arguments.includes) options.flags.push_back("-I" + text);
  for (const std::string& text : arguments.included) {
    options.flags.insert(options.flags.end(), {"-include", text});
  }
  if (!arguments.standard.empty()) {
    const bool is_opencl =
        arguments.standard.starts_with("CL") || arguments.standard.starts_with("cl");
    options.flags.push_back((is_opencl ? "-cl-std=" : "-std=") + arguments.standard);
  }
  options.flags.insert(options.flags.end(), arguments.flags.begin(), arguments.flags.end());
  options.compile_commands = arguments.compile_commands;
  options.interrupted = &Interrupt::flag();
  options.fences_of_cpp = arguments.fences == "c++";
  if (!arguments.language.empty()) {
    const std::string ending = arguments.language == "cuda" ? "cu" : arguments.language;
    options.language = kernel::source_kind("input." + ending);
  }
  return options;
}

kernel::KernelOptions kernel_options(const KernelArguments& arguments) {
  kernel::KernelOptions options;
  options.kernels = arguments.kernels;
  if (!arguments.grid.empty())
    options.launch.grid = kernel::parse_extent(arguments.grid, {"--grid", 0, 0});
  if (!arguments.block.empty())
    options.launch.block = kernel::parse_extent(arguments.block, {"--block", 0, 0});
  if (arguments.subgroup > 0) options.launch.subgroup = arguments.subgroup;
  options.launch.workgroup_bytes = arguments.workgroup_bytes;
  for (const std::string& text : arguments.arguments) {
    kernel::add_argument(options.launch, kernel::parse_argument(text, {"--arg " + text, 0, 0}));
  }
  for (const std::string& text : arguments.buffers) {
    kernel::add_buffer(options.launch, kernel::parse_buffer(text, {"--buffer " + text, 0, 0}));
  }
  for (const std::string& text : arguments.assumptions) {
    options.launch.assumptions.push_back({text, {"--assume", 0, 0}});
  }
  options.compile = compile_options(arguments);
  options.compile.group_size = options.launch.block;
  if (arguments.seconds > 0) options.compile.deadline = StopSigns::after(arguments.seconds);
  options.analysis.count_benign = arguments.count_benign;
  options.analysis.explore.max_states = arguments.max_states;
  options.analysis.explore.stop = arguments.stop;
  options.seconds = arguments.seconds;
  options.held = arguments.held;
  if (arguments.proves) options.proof_of_end = proof_of_end;
  options.of_memory = arguments.of_memory;
  return options;
}

// It keeps the headers where clang finds them.
kernel::Compiler& kernel_compiler() {
  static kernel::Compiler one({}, true);
  return one;
}

bool has_no_kernel(const Error& error) {
  return dynamic_cast<const kernel::NoKernel*>(&error) != nullptr;
}

void load_tests(const std::filesystem::path& path, const std::optional<lang::Sizes>& sizes,
                const lang::Languages& languages, const KernelArguments& kernels,
                const std::function<bool(lang::Test test, std::size_t of)>& take) {
  if (!is_kernel_file(path, kernels)) {
    take_litmus(path, sizes, languages, take);
    return;
  }
  if (sizes) {
    throw Error({path.string(), 0, 0},
                "a kernel has the threads of its launch; give --grid and --block, not --threads");
  }
  kernel::read_kernel_tests(input_path(path, kernels), kernel_options(kernels), kernel_compiler(),
                            take);
}

#else

bool is_kernel_file(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  for (const char* known : {".cu", ".cl", ".ll", ".bc", ".ptx", ".spv", ".spvasm", ".comp", ".glsl",
                            ".hlsl", ".compute", ".wgsl"}) {
    if (ending == known) return true;
  }
  return false;
}

bool has_no_kernel(const Error&) { return false; }

void load_tests(const std::filesystem::path& path, const std::optional<lang::Sizes>& sizes,
                const lang::Languages& languages, const KernelArguments& kernels,
                const std::function<bool(lang::Test test, std::size_t of)>& take) {
  if (is_kernel_file(path, kernels)) {
    throw Error({path.string(), 0, 0},
                "this headway was built without kernels; see CONTRIBUTING.md");
  }
  take_litmus(path, sizes, languages, take);
}

#endif

std::vector<lang::Test> load_tests(const std::filesystem::path& path,
                                   const std::optional<lang::Sizes>& sizes,
                                   const lang::Languages& languages,
                                   const KernelArguments& kernels) {
  std::vector<lang::Test> tests;
  load_tests(path, sizes, languages, kernels, [&](lang::Test test, std::size_t of) {
    tests.reserve(of);
    tests.push_back(std::move(test));
    return true;
  });
  return tests;
}

bool is_kernel_file(const std::filesystem::path& file, const CompilerArguments& arguments) {
  return !arguments.language.empty() || is_kernel_file(file);
}

std::filesystem::path input_path(const std::filesystem::path& path,
                                 const CompilerArguments& arguments) {
  return path == "-" && !arguments.language.empty() ? kStandardInput : path;
}

double seconds_for(const std::filesystem::path& file, const CompilerArguments& arguments,
                   double asked) {
  return asked > 0 || !is_kernel_file(file, arguments) ? asked : kKernelSeconds;
}

std::optional<Error> typed_kernel(const std::string& text) {
  const Mark* mark = mark_in(text);
  if (mark == nullptr) return std::nullopt;
  return Error({kStandardInput, 0, 0},
               fmt::format("expected a litmus test, found '{}'; of a kernel -x says the "
                           "language, as -x {}",
                           mark->text, mark->language));
}

Error no_kernel(const std::string& path) {
  const bool typed = path == "-";
  return {
      {typed ? kStandardInput : path, 0, 0},
      typed
          ? "expected -x with the language of the kernel, as -x cu"
          : "expected a kernel: a .cu, .cl, .ptx, .ll or .bc file, or a shader; of other names -x "
            "says the language"};
}

std::vector<std::filesystem::path> find_kernels(const std::vector<std::string>& paths,
                                                const CompilerArguments& arguments,
                                                std::vector<Error>& errors) {
  namespace fs = std::filesystem;
  std::vector<fs::path> result;
  for (const std::string& path : paths) {
    std::error_code none;
    const SourcePosition place{path, 0, 0};
    if (path != "-" && !fs::exists(path, none)) {
      errors.emplace_back(place, "no such file or folder");
    } else if (fs::is_directory(path, none)) {
      require_name(path, arguments);
      std::vector<fs::path> below = files_below(path, errors);
      std::erase_if(below, [](const fs::path& file) { return !is_kernel_file(file); });
      if (below.empty()) errors.emplace_back(place, "there are no kernels in this folder");
      result.insert(result.end(), below.begin(), below.end());
    } else if (!is_kernel_file(path, arguments)) {
      errors.push_back(no_kernel(path));
    } else {
      result.push_back(input_path(path, arguments));
    }
  }
  return result;
}

Found find_tests_and_kernels(const std::vector<std::string>& paths,
                             const CompilerArguments& arguments) {
  namespace fs = std::filesystem;
  Found found;
  auto& [result, errors] = found;
  for (const std::string& path : paths) {
    std::error_code none;
    if (path == "-" || !fs::is_directory(path, none)) {
      result.push_back(input_path(path, arguments));
      continue;
    }
    require_name(path, arguments);
    std::vector<fs::path> kernels;
    const std::size_t before = result.size();
    const std::size_t known = errors.size();
    for (const fs::path& file : files_below(path, errors)) {
      if (is_kernel_file(file)) {
        kernels.push_back(file);
      } else if (suite::is_test_file(file)) {
        result.push_back(file);
      }
    }
    result.insert(result.end(), kernels.begin(), kernels.end());
    if (result.size() == before && errors.size() == known) {
      errors.emplace_back(SourcePosition{path, 0, 0},
                          "no tests in this folder; expected files that end in .litmus or .txt, or "
                          "kernels");
    }
  }
  return found;
}

lang::Test load_test(const std::filesystem::path& path, const std::optional<int>& threads,
                     const lang::Languages& languages, const KernelArguments& kernels) {
  if (!is_kernel_file(path, kernels)) {
    return with_advice(path, [&] { return suite::load_test(path, threads, languages); });
  }
  std::vector<lang::Test> tests = load_tests(path, {}, languages, kernels);
  if (tests.size() > 1) {
    std::string names;
    for (const lang::Test& test : tests) names += (names.empty() ? "" : ", ") + test.name;
    throw Error({path.string(), 0, 0},
                fmt::format("{} kernels: {}; expected one, by --kernel", tests.size(), names));
  }
  return std::move(tests.front());
}

}  // namespace headway::cli
