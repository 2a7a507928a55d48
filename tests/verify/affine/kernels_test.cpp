// Kernels with known answers, by sets of integers alone: tests/data/verify/affine.cu.
#include <doctest/doctest.h>

#include <map>

#include "support/apart.hpp"
#include "support/named_kernels.hpp"

namespace headway {
namespace {

using Sizes = std::array<std::optional<std::uint32_t>, 3>;

// Of a kernel, by the middle of its name.
verify::Options options_of(const std::string& name) {
  static const std::map<std::string, std::pair<Sizes, Sizes>> sizes = {
      {"gemm_any", {{16, 16, 1}, {64, 64, 1}}}, {"gemm_tiles", {{32, 16, 1}, {8, 8, 1}}},
      {"stencil", {{16, 16, 1}, {64, 64, 1}}},  {"transpose", {{32, 8, 1}, {64, 64, 1}}},
      {"layernorm", {{256, 1, 1}, {64, 1, 1}}}, {"softmax", {{128, 1, 1}, {64, 1, 1}}},
      {"bgemm", {{16, 16, 1}, {64, 64, 8}}},    {"conv", {{16, 4, 1}, {16, 64, 1}}},
      {"lu", {{16, 1, 1}, {1, 1, 1}}},          {"wavefront", {{16, 1, 1}, {128, 1, 1}}}};
  verify::Options options;
  for (const auto& [part, of] : sizes) {
    if (name.find("_" + part) == std::string::npos) continue;
    options.launch.block = of.first;
    options.launch.grid = of.second;
  }
  return options;
}

}  // namespace

TEST_CASE("verify/affine: right kernels are apart, and their broken twins are not") {
  const auto module = testing::kernels_of("affine.cu");
  int right = 0, broken = 0;
  for (const kernel::Function& f : module->functions) {
    INFO(f.name);
    CHECK(f.unsupported.empty());
    const bool is_right = f.name.starts_with("ok_");
    CHECK(testing::all_apart(*module, f, options_of(f.name)) == is_right);
    ++(is_right ? right : broken);
  }
  CHECK(right >= 14);
  CHECK(broken >= right);
}

}  // namespace headway
