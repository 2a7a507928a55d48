// What a launch of a kernel is to be, as a person says it; the rest has defaults, which can be
// told.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernel/directives.hpp"
#include "kernel/machine/launch.hpp"
#include "kernel/test/launch_sizes.hpp"

namespace headway::kernel {

struct BufferSpec {
  enum class Content { zero, unknown, iota, values };
  std::uint64_t elements = 0;  // 0: as many as the kernel touches
  Content content = Content::unknown;
  std::vector<Number> values;                                  // the rest is zero
  std::optional<std::pair<std::int64_t, std::int64_t>> range;  // of unknown integers
  std::optional<Formula> count = {};  // in place of elements, of the arguments of the launch
  SourcePosition where = {};
  bool is_sized() const { return elements > 0 || count.has_value(); }
};

struct ArgumentSpec {
  bool unknown = false;
  bool is_real = false;                                        // as it is written
  double value = 0;                                            // of a real
  std::int64_t integer = 0;                                    // of an integer
  std::optional<std::pair<std::int64_t, std::int64_t>> range;  // of an unknown integer
  SourcePosition where = {};
};

struct LaunchSpec : LaunchSizes {
  std::vector<std::uint32_t> started;             // workgroups, as of Launch
  std::map<std::string, ArgumentSpec> arguments;  // by the name of the parameter
  std::map<std::string, BufferSpec> buffers;
  std::vector<Assumption> assumptions;  // about the arguments
};

void add_argument(LaunchSpec& spec, const Argument& argument);
void add_buffer(LaunchSpec& spec, const Buffer& buffer);
// What a directive says, with what `beside` says before it.
LaunchSpec with(const LaunchDirective& directive, const LaunchSpec& beside);

// Of "in=:iota" so many elements are 0, 1, 2 and so on; those behind them are zero.
inline constexpr std::uint64_t kIota = 4096;

// A buffer of a size that follows from arguments has from no to so many elements; in a launch where
// that is something else there is none.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 40;

// How large a buffer is said to be: in bytes, or so many elements, and no fewer bytes than `bytes`.
struct StatedSize {
  std::uint64_t bytes = 0, element_bytes = 1;
  std::optional<Formula> count;
};
// By parameter: that of the buffer that it points to, where it is said; those of prepare_launch().
std::vector<std::optional<StatedSize>> stated_sizes(const Module& module, const Function& function,
                                                    const LaunchSpec& spec);

// By parameter: what its buffer holds at first, in bytes behind which all is 0; nothing where
// nobody says it, or where it may be anything.
std::vector<std::optional<std::vector<std::uint8_t>>> stated_contents(const Module& module,
                                                                      const Function& function,
                                                                      const LaunchSpec& spec);

struct PreparedLaunch {
  Launch launch;                   // expanded
  std::vector<smt::Term> path;     // what is assumed of unknown arguments; sorted
  std::vector<std::string> notes;  // defaults that were taken: "grid 2,1,1", "in: unknown data"
};

// Throws headway::Error for a specification that does not fit the function. Unknown arguments are
// variables of `terms`.
PreparedLaunch prepare_launch(const Module& module, const Function& function,
                              const LaunchSpec& spec, smt::Context& terms);

}  // namespace headway::kernel
