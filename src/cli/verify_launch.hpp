// What the command line of verify says of launches, for each kernel in its own dimensions and
// types.
#pragma once

#ifdef HEADWAY_KERNELS
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernel/directive_values.hpp"
#include "kernel/ir/ir.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "kernel/test/launch_spec.hpp"
#include "verify/encoding/options.hpp"
#include "verify/report.hpp"

namespace headway::cli {

// Of workgroups or the grid.
struct SaidSizes {
  std::array<std::optional<std::uint32_t>, 3> sizes{64, 1, 1};  // nothing: any
  std::size_t dimensions = 0;                                   // that were said
  bool any = false;  // the word alone: in each dimension that a kernel looks at
};
// "64", "8,8", or "any" in place of a number. Throws headway::Error.
SaidSizes parse_sizes(const std::string& text, const char* option);

// As a kernel is launched: where nobody says anything, 64 workgroups of 64 threads, in rows and
// columns where it looks at these. `any` alone says nothing of dimensions that it does not look at:
// there it has one thread, or workgroup.
verify::Launch launch_for(const kernel::Function& function, const SaidSizes& block,
                          const SaidSizes& grid);

// As the file of the kernel launches it, as far as that is constant, with the grid that the options
// have where somebody `says_grid`; and a sentence that says so.
void take_usual(const kernel::Function& function, bool says_grid, verify::Options& options);
std::string usual_note(const kernel::Function& function, const verify::Options& options);

// Of a kernel that has the workgroups of take_usual(): for all arguments, in half of the time where
// the launches of the file leave some out. What is not verified then is asked of the others alone,
// where nobody says what arguments are: the answer relies on that (Report::assumed) and `note` says
// so, with what is not so of all of them.
verify::Report verify_as_launched(const kernel::Module& module, const kernel::Function& function,
                                  const verify::Options& options, std::string& note);

// Why a kernel may be launched otherwise: it looks at a dimension that nobody has said, and in
// which the launch has one thread, or workgroup. A sentence for each.
std::vector<std::string> dimension_notes(const kernel::Function& function,
                                         const verify::Launch& launch, const SaidSizes& block,
                                         const SaidSizes& grid);

// Where nobody says how large workgroups are: has those of a kernel that reads of a tile what none
// of so many threads writes be as large as the tile seems to be made for, as far as that is found
// out in time, and says so: the name of the kernel and a sentence. Empty where all stays.
std::string fill_tiles(const kernel::ReadKernels& read, const kernel::Function& function,
                       verify::Options& options);

// NAME=NUMBER. Throws headway::Error.
kernel::Argument parse_given(const std::string& text);

// Those that a kernel has, as bits of its types. Throws headway::Error for what does not fit.
std::map<std::string, std::uint64_t> arguments_for(const kernel::Function& function,
                                                   const std::vector<kernel::Argument>& given);

// What --buffer says of other kernels of the files is not for this one.
void keep_own_buffers(kernel::LaunchSpec& stated, const kernel::Function& function);

// The names that --arg and --buffer may give, of the kernels that were read.
class KnownNames {
 public:
  void add(const kernel::Function& function);
  // Throws headway::Error for what no kernel has.
  void require(const std::vector<kernel::Argument>& arguments,
               const kernel::LaunchSpec& stated) const;

 private:
  void require(const std::string& option, const std::string& name,
               const std::set<std::string>& known, const std::set<std::string>& others,
               const char* expected) const;

  std::set<std::string> numbers_, pointers_;
};

}  // namespace headway::cli
#endif
