// Sizes, arguments and buffers as directives and options give them. Plain values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "kernel/directive_text.hpp"

namespace headway::kernel {

// Sizes in x, y and z, at least 1 each.
using Extent = std::array<std::uint32_t, 3>;

struct Number {
  bool is_real = false;
  std::int64_t integer = 0;  // above 2^63: the same bits
  double real = 0;           // of an integer, too

  static Number of(std::int64_t integer) { return {false, integer, static_cast<double>(integer)}; }
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

// An expression over arguments and sizes of the launch, as it is written.
struct Formula {
  std::string text;
  SourcePosition where;
};

// "in=64", "in=n*4", "in=64:zero", "in={1,2,3}", "in=64:unknown(0..3)". What is not given is
// unknown.
struct Buffer {
  enum class Contents { zero, unknown, iota, values };
  std::string name;
  std::uint64_t elements = 0;    // of the type that the parameter points to
  std::optional<Formula> count;  // in their place
  Contents contents = Contents::unknown;
  std::vector<Number> values;  // as many as elements, or fewer: the others are zero
  UnknownValue unknown;
  SourcePosition where;
};

inline constexpr std::size_t kMaxBufferValues = 1 << 16;

// Each takes one from a directive. Throw headway::Error at its place.
Extent read_extent(DirectiveText& text);
Argument read_argument(DirectiveText& text);
Buffer read_buffer(DirectiveText& text);
// "0=64": the SpecId of a constant and what it is to be.
std::pair<std::string, double> read_specialization(DirectiveText& text);

// The parts of a directive alone. `where` is where the text stands: an option's name as its file,
// or a place, from which the places in errors are counted.
Extent parse_extent(std::string_view text, const SourcePosition& where = {});
Argument parse_argument(std::string_view text, const SourcePosition& where = {});
Buffer parse_buffer(std::string_view text, const SourcePosition& where = {});
std::pair<std::string, double> parse_specialization(std::string_view text,
                                                    const SourcePosition& where = {});

}  // namespace headway::kernel
