// What a kernel file says of its launches, in comments that begin "// headway:" and in the options
// of commands, which have the same text: sizes, arguments, buffers, expectations. A file without
// such comments may have the head of a test of GPUVerify, whose sizes are read. Plain values.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "kernel/verify_directive.hpp"
#include "lang/expectation.hpp"

namespace headway::kernel {

// Sizes in x, y and z, at least 1 each.
using Extent = std::array<std::uint32_t, 3>;

struct Number {
  bool is_real = false;
  std::int64_t integer = 0;  // above 2^63: the same bits
  double real = 0;           // of an integer, too
  friend bool operator==(const Number&, const Number&) = default;
};

// "unknown", or "unknown(0..3)" with both ends.
struct UnknownValue {
  std::optional<std::int64_t> low, high;
  friend bool operator==(const UnknownValue&, const UnknownValue&) = default;
};

// "n=4", "n=unknown", "n=unknown(0..3)".
struct Argument {
  std::string name;
  std::optional<Number> value;  // none: unknown
  UnknownValue unknown;
  SourcePosition where;
};

// "in=64", "in=64:zero", "in={1,2,3}", "in=64:unknown(0..3)". What is not given is unknown.
struct Buffer {
  enum class Contents { zero, unknown, values };
  std::string name;
  std::uint64_t elements = 0;  // of the type that the parameter points to
  Contents contents = Contents::unknown;
  std::vector<Number> values;  // as many as elements, or fewer: the others are zero
  UnknownValue unknown;
  SourcePosition where;
};

// A condition on the arguments, as it is written.
struct Assumption {
  std::string text;
  SourcePosition where;
};

// What can go wrong, as expectations and results name it.
enum class Property {
  assertion,
  race,
  divergence,
  bounds,
  null,
  alignment,
  freed,
  uninitialized,
  constant,
  division,
  termination
};
std::string to_string(Property property);

// "expect safe" and so on; expectations about models are lang::Expectation.
struct ExpectedOutcome {
  enum class Outcome { safe, error, verified, violated, unknown, unsupported };
  Outcome outcome = Outcome::safe;
  std::optional<Property> property;  // of an error or violation; none: whichever
  SourcePosition where;
  std::string source_line;
};
std::string to_string(ExpectedOutcome::Outcome outcome);

struct LaunchDirective {
  std::string kernel;         // empty: each kernel of the file
  bool host_program = false;  // "main": its host program is run instead
  std::optional<Extent> grid, block;
  std::optional<std::uint32_t> subgroup;
  bool lockstep = false;                // its threads execute each instruction together
  std::optional<std::uint64_t> shared;  // bytes of workgroup memory beyond what is declared
  std::vector<Argument> arguments;
  std::vector<Buffer> buffers;
  std::vector<Assumption> assumptions;
  std::vector<lang::Expectation> models;
  std::vector<ExpectedOutcome> outcomes;
  VerifyDirective verify;
  SourcePosition where;
};

struct Directives {
  std::vector<LaunchDirective> launches;
  std::vector<std::string> flags;                  // for the compiler
  std::map<std::uint32_t, double> specialization;  // "spec 0=64": of SPIR-V's constants
  bool of_gpuverify = false;
};

inline constexpr std::size_t kMaxLaunches = 1000;
inline constexpr std::size_t kMaxBufferValues = 1 << 16;

// The directives of a file; no launches where it has none. Throws headway::Error at its place.
Directives parse_directives(std::string_view text, const std::string& file);

// The parts of a directive alone. `where` is where the text stands: an option's name as its file,
// or a place, from which the places in errors are counted.
Extent parse_extent(std::string_view text, const SourcePosition& where = {});
Argument parse_argument(std::string_view text, const SourcePosition& where = {});
Buffer parse_buffer(std::string_view text, const SourcePosition& where = {});
// "0=64": the SpecId of a constant and what it is to be.
std::pair<std::uint32_t, double> parse_specialization(std::string_view text,
                                                      const SourcePosition& where = {});

}  // namespace headway::kernel
