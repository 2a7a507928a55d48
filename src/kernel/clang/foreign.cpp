#include "kernel/clang/foreign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <sstream>
#include <string_view>

namespace headway::kernel {
namespace {

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// What begins the names of intrinsics that our header has. Those that it lacks nevertheless are
// refused by their true names when they are read.
constexpr std::string_view kBeginnings[] = {"read.ptx.",  "barrier",    "bar.",        "membar.",
                                            "vote.",      "activemask", "match.any",   "shfl.sync",
                                            "redux.sync", "atomic.",    "ldg.global.", "nanosleep"};

// One line of a module for NVPTX.
std::string with_our_intrinsics(std::string line) {
  constexpr std::string_view intrinsic = "@llvm.nvvm.";
  for (std::size_t at = 0; (at = line.find(intrinsic, at)) != std::string::npos; ++at) {
    const std::string_view name = std::string_view(line).substr(at + intrinsic.size());
    if (std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                    [&](std::string_view beginning) { return name.starts_with(beginning); })) {
      line.replace(at, intrinsic.size(), "@__headway_nvvm.");
    }
  }
  const bool update = has(line, " = atomicrmw ") || has(line, " = cmpxchg ");
  for (std::size_t at = 0; update && (at = line.find(" seq_cst", at)) != std::string::npos;) {
    line.replace(at, std::string_view(" seq_cst").size(), " monotonic");
  }
  return line;
}

// 2 for 2.0 and later.
int opencl_version(const std::string& text) {
  std::smatch found;
  static const std::regex node(R"(!opencl\.ocl\.version = !\{!(\d+))");
  if (!std::regex_search(text, found, node)) return 1;
  const std::regex version(fmt::format(R"(!{} = !\{{i32 (\d+))", found.str(1)));
  return std::regex_search(text, found, version) ? std::stoi(found.str(1)) : 1;
}

}  // namespace

std::optional<ForeignModule> foreign_module(std::string assembly) {
  ForeignModule result;
  const bool cuda = has(assembly, "!nvvm.annotations = ") || has(assembly, " ptx_kernel ");
  if (cuda) {
    result.triple = "nvptx64-nvidia-cuda";
    const bool calls = has(assembly, "@llvm.nvvm.") || has(assembly, "@__assertfail(");
    if (calls) result.header = "cuda/nvvm.h";
  } else if (has(assembly, " spir_kernel ")) {
    result.triple = has(assembly, "\"e-p:32:32") ? "spir" : "spir64";
    if (std::regex_search(assembly, std::regex(R"(\ndeclare [^\n]*@_Z)"))) {
      result.header = "opencl/builtins.h";
      result.flags = {opencl_version(assembly) >= 2 ? "-cl-std=CL2.0" : "-cl-std=CL1.2"};
      if (has(assembly, "convert_")) result.flags.emplace_back("-D__HEADWAY_CONVERT");
    }
  } else {
    return std::nullopt;
  }
  std::istringstream lines(std::move(assembly));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("target triple = "))
      line = fmt::format("target triple = \"{}\"", result.triple);
    result.text += cuda ? with_our_intrinsics(std::move(line)) : line;
    result.text += '\n';
  }
  return result;
}

}  // namespace headway::kernel
