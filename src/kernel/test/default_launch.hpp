// What is taken where nobody says anything of a launch. Most integers are sizes, and of all sizes
// there are too many to be looked at one after the other; those around the launch's own show what
// goes wrong. Where that is still too much, or the launch is too small for what the kernel does, an
// answer about less, or about another launch, is worth more than none, as long as it says so.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernel/test/analysis.hpp"
#include "kernel/test/launch_spec.hpp"

namespace headway::kernel {

struct DefaultLaunch {
  LaunchSpec spec;                             // with what was taken
  Analysis analysis;                           // of that
  std::vector<std::string> integers;           // that were taken: "n = unknown(0..8)", "n = 8"
  std::vector<std::string> iota;               // buffers that were taken to hold 0, 1, 2 and so on
  bool chose_block = false;                    // another one than the default
  std::shared_ptr<const DefaultLaunch> doubt;  // one in which something may go wrong; or null

  // All that was taken, as answers say it: "n = 8", "data = iota".
  std::vector<std::string> taken() const;
  // What goes wrong, or may: "possible race: ... (for n = 8, block 8,8,1)"; or empty.
  std::string what_is_wrong() const;
};

// Analyses a launch, of which `spec` is what somebody said.
// - An integer that nobody gives has a small range. Nothing is taken for integers where something
//   is assumed of parameters, as the two may contradict each other.
// - Where nothing at all was said, and there is no answer within a part of `seconds` (0: any), one
//   value for each integer, numbers in buffers, and smaller workgroups are tried in turn, as long
//   as all lines are reached.
// - Where its file launches a kernel with workgroups of a constant size, these are taken; smaller
//   ones where that is too much, and then what goes wrong is possible.
// - A kernel with launch bounds is looked at with as many threads as these say, where that is an
//   answer within that part.
// - Where nobody said how large workgroups are, and the default is too small to fill a subgroup or
//   a tile, larger ones are. What goes wrong in a subgroup, and not before, is a doubt. Where none
//   is an answer, and threads of one of them meet wrongly, that one is: what goes wrong in it is
//   possible.
DefaultLaunch analyse_with_defaults(const std::shared_ptr<const Module>& module,
                                    const Function& function, const LaunchSpec& spec,
                                    const std::shared_ptr<const SourceText>& text,
                                    const AnalysisOptions& options, double seconds);

// Whether threads of workgroups as large as `block`, which nobody asked for, would read of a tile
// what none of them writes, as far as that shows within parts of `seconds`; and the size that the
// kernel seems to be made for, where that is found.
struct Filling {
  bool is_lacking = false;
  std::optional<Size3> block;
};
Filling filling_block(const std::shared_ptr<const Module>& module, const Function& function,
                      const LaunchSpec& spec, const std::shared_ptr<const SourceText>& text,
                      const AnalysisOptions& options, const Size3& block, double seconds);

}  // namespace headway::kernel
