// headway check for CUDA programs with a host side: run as a whole, a verdict a property.
#pragma once

#include <string>
#include <vector>

#include "cli/kernels.hpp"
#include "cli/outcome.hpp"

namespace headway::cli {

struct ProgramArguments {
  std::vector<std::string> files;
  std::vector<std::string> models;  // under which launches that wait have to end; CUDA where none
  std::string format;
  KernelArguments kernels;
};

// Whether a file is a CUDA program with a function main.
bool has_main(const std::filesystem::path& file, const CompilerArguments& arguments);

// Whether it is to be run as a whole: unless a kernel is named or a launch described.
bool is_whole_program(const std::filesystem::path& file, const KernelArguments& arguments);

// The paths that are CUDA programs with a host side, to be run as a whole: those that have a
// function main, unless a kernel is named or a launch described; with `all` every file, and those
// in folders that have one.
std::vector<std::string> whole_programs(const std::vector<std::string>& paths, bool all,
                                        const KernelArguments& arguments);

// Throws Error where some of the paths, beside `programs`, are none and have none in them.
void require_apart(const std::vector<std::string>& programs, const std::vector<std::string>& paths,
                   const KernelArguments& arguments);

// Says of `files`, where they are not among the paths themselves, which are programs of which
// kernels alone are looked at.
void note_programs_below(const std::vector<std::string>& paths,
                         const std::vector<std::filesystem::path>& files,
                         const KernelArguments& arguments);

Outcome check_programs(const ProgramArguments& arguments);

// What goes wrong in a program, for headway explain: of a launch that need not end, an execution.
struct ProgramExplanation {
  std::string text;
  std::vector<std::string> remarks;  // to be said beside it
  Outcome outcome;
};
ProgramExplanation explain_program(const std::string& file, const std::vector<std::string>& models,
                                   const KernelArguments& kernels);

}  // namespace headway::cli
