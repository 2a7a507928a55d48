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

Outcome check_programs(const ProgramArguments& arguments);

}  // namespace headway::cli
