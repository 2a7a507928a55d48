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
#include "kernel/directive_values.hpp"
#include "kernel/verify_directive.hpp"
#include "lang/expectation.hpp"

namespace headway::kernel {

// A condition on the arguments.
using Assumption = Formula;

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
  std::vector<std::string> flags;                // for the compiler
  std::map<std::string, double> specialization;  // "spec 0=64", "spec N=64"
  bool of_gpuverify = false;
};

inline constexpr std::size_t kMaxLaunches = 1000;

// The directives of a file; no launches where it has none. Throws headway::Error at its place.
Directives parse_directives(std::string_view text, const std::string& file);

}  // namespace headway::kernel
