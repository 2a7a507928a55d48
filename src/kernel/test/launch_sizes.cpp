#include "kernel/test/launch_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "kernel/ir/premises.hpp"

namespace headway::kernel {
namespace {

std::string text(const Size3& size) { return fmt::format("{},{},{}", size[0], size[1], size[2]); }

Size3 default_block(const Function& function) {
  const std::uint32_t threads =
      function.most_threads > 0 ? std::min(kFew, function.most_threads) : kFew;
  if (threads == kFew && has_rows_of_threads(function)) return {kFew / 2, 2, 1};
  return {threads, 1, 1};
}

// As the file launches it, as far as that is small enough to be explored.
Size3 default_grid(const Function& function, const std::optional<UsualLaunch>& usual,
                   std::uint64_t threads) {
  constexpr std::uint64_t most = 2048;  // threads
  Size3 grid = {2, has_rows_of_groups(function) ? 2U : 1U, 1};
  if (!usual) return grid;
  for (std::size_t d = 0; d < 3; ++d) {
    if (usual->grid[d]) grid[d] = *usual->grid[d];
  }
  if (volume(grid) * threads > most) {
    for (std::uint32_t& size : grid) size = std::min(size, 2U);
  }
  return grid;
}

}  // namespace

std::optional<UsualLaunch> usual_launch(const Function& function, const LaunchSizes& said) {
  const UsualLaunch& usual = function.usual;
  if (said.block || !said.as_usual || !usual.block) return {};
  // A launch that fails.
  if (volume(*usual.block) > size_limits(Language::cuda).threads) return {};
  if (function.most_threads > 0 && volume(*usual.block) > function.most_threads) return {};
  return usual;
}

void set_sizes(Launch& launch, const LaunchSizes& said, std::vector<std::string>& notes) {
  const Module& module = *launch.module;
  const Function& function = *launch.function;
  const bool fixed = function.group_size[0] > 0;
  const std::optional<UsualLaunch> usual = usual_launch(function, said);
  launch.block = said.block.value_or(
      fixed   ? Size3{function.group_size[0], function.group_size[1], function.group_size[2]}
      : usual ? *usual->block
              : default_block(function));
  launch.grid = said.grid.value_or(default_grid(function, usual, volume(launch.block)));
  if (fixed && said.block &&
      !std::equal(said.block->begin(), said.block->end(), function.group_size)) {
    throw Error(fmt::format(
        "workgroups of {} threads, but '{}' has a {} of {},{},{}; expected that{}",
        text(*said.block), function.name, module.is_shader ? "local size" : "reqd_work_group_size",
        function.group_size[0], function.group_size[1], function.group_size[2],
        module.is_shader ? ", or --spec where a specialization constant gives it" : ""));
  }
  if (function.most_threads > 0 && volume(launch.block) > function.most_threads) {
    throw Error(fmt::format(
        "workgroups of {} threads, but '{}' has a __launch_bounds__ of {}; expected no more",
        text(launch.block), function.name, function.most_threads));
  }
  launch.subgroup = said.subgroup.value_or(32);
  launch.workgroup_bytes = said.workgroup_bytes;
  if (said.workgroup_bytes == 0 && usual) launch.workgroup_bytes = usual->workgroup_bytes;
  if (!said.grid) notes.push_back("grid " + text(launch.grid));
  const bool says_size = fixed && module.is_shader;
  if (!said.block && !says_size) notes.push_back("block " + text(launch.block));
  if (usual && usual->line > 0 && !fixed) {
    notes.back() += fmt::format(" (as in line {})", usual->line);
  }
  if (volume(launch.grid) == 0 || volume(launch.block) == 0) throw Error("a launch of no threads");
  const std::uint32_t most = size_limits(module.language()).threads;
  if (volume(launch.block) > most) {
    throw Error(
        fmt::format("a block of {} threads; expected at most {}", volume(launch.block), most));
  }
}

}  // namespace headway::kernel
