// Kernel files on the command line: the options that say what a launch is, and reading tests where
// a kernel file may stand for some.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "cli/inputs.hpp"

#ifdef HEADWAY_KERNELS
#include "kernel/test/kernel_tests.hpp"
#endif

namespace headway::cli {

// How files are compiled, whatever is asked of their kernels.
struct CompilerArguments {
  std::string language;  // of all that is read, an ending of names; empty: as the names end
  std::vector<std::string> defines, includes, included, specialization, flags;
  std::string standard;
  std::string compile_commands;  // a file or its folder
  std::string fences = "ptx";    // or "c++"
};

struct KernelArguments : CompilerArguments {
  std::vector<std::string> kernels;
  std::string grid, block;  // empty: what the file says, or a default
  int subgroup = 0;
  std::uint64_t workgroup_bytes = 0;
  std::vector<std::string> arguments, buffers, assumptions;
  bool count_benign = false;
  // Of the exploration of a launch.
  std::size_t max_states = 5'000'000;
  StopSigns stop;
  bool of_memory = false;  // as kernel::KernelOptions
  bool held = false;       // tests are held to what files expect of them
  bool proves = false;     // that a launch ends which is too large to be explored
  double seconds = 0;      // for each kernel, and for clang to compile a file; 0: any
};

// The group "Compiler" of a command's options.
void add_compiler_options(CLI::App& command, CompilerArguments& arguments);

// The groups "Kernels" and "Compiler" of a command's options.
void add_kernel_options(CLI::App& command, KernelArguments& arguments);

#ifdef HEADWAY_KERNELS
// What the options say, and the compiler of the whole program.
kernel::CompileOptions compile_options(const CompilerArguments& arguments);
kernel::KernelOptions kernel_options(const KernelArguments& arguments);
kernel::Compiler& kernel_compiler();
#endif

// Whether a file is of kernels, by the end of its name.
bool is_kernel_file(const std::filesystem::path& file);
// The same, or as the options say.
bool is_kernel_file(const std::filesystem::path& file, const CompilerArguments& arguments);
// The path itself, or where it stands for a kernel on standard input, what this is called.
std::filesystem::path input_path(const std::filesystem::path& path,
                                 const CompilerArguments& arguments);

// For a test of a file: what was asked for; where nothing was (0), that of a kernel, or 0 for any.
inline constexpr double kKernelSeconds = 30;
double seconds_for(const std::filesystem::path& file, const CompilerArguments& arguments,
                   double asked);

// Files that are asked about, and why others were not found.
struct Found {
  std::vector<std::filesystem::path> files;
  std::vector<Error> errors;
};

// As suite::find_tests(), with the kernel files below a folder.
Found find_tests_and_kernels(const std::vector<std::string>& paths,
                             const CompilerArguments& arguments);

// The files themselves, which have to be of kernels, and all kernel files below folders, in order.
// Where there are none, that becomes an Error in `errors`, and the others are still returned.
std::vector<std::filesystem::path> find_kernels(const std::vector<std::string>& paths,
                                                const CompilerArguments& arguments,
                                                std::vector<Error>& errors);
// What is to be said of standard input that is no litmus test, where its text looks like a kernel.
std::optional<Error> typed_kernel(const std::string& text);
// What is to be said of a path of find_kernels() that is no kernel.
Error no_kernel(const std::string& path);

// As suite::load_tests(), with kernels. Throws headway::Error also where headway was built without
// them.
std::vector<lang::Test> load_tests(const std::filesystem::path& path,
                                   const std::optional<lang::Sizes>& sizes,
                                   const lang::Languages& languages,
                                   const KernelArguments& kernels);
// The same, each handed to `take`, with how many there are, before the next kernel is looked at,
// until it returns false.
void load_tests(const std::filesystem::path& path, const std::optional<lang::Sizes>& sizes,
                const lang::Languages& languages, const KernelArguments& kernels,
                const std::function<bool(lang::Test test, std::size_t of)>& take);
// Whether a file of kernels was refused as it has none.
bool has_no_kernel(const Error& error);
// The one test of a file, or the kernel that is named.
lang::Test load_test(const std::filesystem::path& path, const std::optional<int>& threads,
                     const lang::Languages& languages, const KernelArguments& kernels);

}  // namespace headway::cli
