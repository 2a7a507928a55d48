#include "verify/kernel_files.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "kernel/test/sources.hpp"

namespace headway::verify {

namespace fs = std::filesystem;

std::vector<fs::path> kernel_files(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    if (!fs::exists(path)) throw Error({path, 0, 0}, "no such file or folder");
    if (!fs::is_directory(path)) {
      if (!kernel::source_kind(path)) {
        throw Error({path, 0, 0},
                    "expected a kernel: a .cu, .cl, .ll, .bc, .spv, .comp or .hlsl file");
      }
      files.emplace_back(path);
      continue;
    }
    const std::size_t before = files.size();
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.is_regular_file() && kernel::source_kind(entry.path())) {
        files.push_back(entry.path());
      }
    }
    if (files.size() == before) throw Error({path, 0, 0}, "there are no kernels in this folder");
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

kernel::Module read_kernels(const fs::path& file, kernel::Compiler& compiler,
                            const kernel::CompileOptions& options) {
  return kernel::read_source(file, kernel::Side::device, options, compiler);
}

namespace {

// "64", "[8,8]", "(8,8)" as sizes.
void take_sizes(const std::string& text, std::array<std::optional<std::uint32_t>, 3>& sizes) {
  static const std::regex number("[0-9]+");
  std::size_t at = 0;
  std::array<std::optional<std::uint32_t>, 3> found{1, 1, 1};
  for (auto m = std::sregex_iterator(text.begin(), text.end(), number);
       m != std::sregex_iterator() && at < 3; ++m) {
    found[at++] = static_cast<std::uint32_t>(std::stoul(m->str()));
  }
  if (at > 0) sizes = found;
}

}  // namespace

void read_launch(const fs::path& file, Launch& launch) {
  if (!kernel::is_text(file)) return;
  std::istringstream lines(read_file(file.string()));
  static const std::regex word(R"(--(blockDim|gridDim|local_size|num_groups|global_size)=(\S+))");
  std::array<std::optional<std::uint32_t>, 3> global{};
  bool has_global = false;
  int count = 0;
  for (std::string line; std::getline(lines, line) && count < 10; ++count) {
    if (line.rfind("//", 0) != 0) continue;
    for (auto m = std::sregex_iterator(line.begin(), line.end(), word); m != std::sregex_iterator();
         ++m) {
      const std::string name = (*m)[1], sizes = (*m)[2];
      if (name == "blockDim" || name == "local_size") take_sizes(sizes, launch.block);
      if (name == "gridDim" || name == "num_groups") take_sizes(sizes, launch.grid);
      if (name == "global_size") {
        take_sizes(sizes, global);
        has_global = true;
      }
    }
  }
  if (!has_global) return;
  for (std::size_t d = 0; d < 3; ++d) {
    if (launch.block[d] && global[d] && *launch.block[d] > 0) {
      launch.grid[d] = std::max<std::uint32_t>(1, *global[d] / *launch.block[d]);
    }
  }
}

}  // namespace headway::verify
