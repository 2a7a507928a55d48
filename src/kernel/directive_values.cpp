#include "kernel/directive_values.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cstdlib>

#include "base/text/names.hpp"

namespace headway::kernel {
namespace {

constexpr std::uint32_t kMaxExtent = 0x7fffffff;
constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 40;

Number read_number(DirectiveText& text) {
  const std::size_t begin = text.at();
  const std::string word = text.word("+-.");
  Number number;
  const bool negative = word.starts_with('-');
  const std::string digits = negative || word.starts_with('+') ? word.substr(1) : word;
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  std::uint64_t magnitude = 0;
  const char* first = digits.data() + (hex ? 2 : 0);
  const char* last = digits.data() + digits.size();
  const auto [end, problem] = std::from_chars(first, last, magnitude, hex ? 16 : 10);
  if (problem == std::errc() && end == last && first != last) {
    if (negative && magnitude > std::uint64_t{1} << 63) {
      text.refuse_at(begin, fmt::format("the number {} is too small for 64 bits", shortened(word)));
    }
    number.integer = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
    number.real = negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
    return number;
  }
  number.is_real = true;
  char* stop = nullptr;
  number.real = std::strtod(word.c_str(), &stop);
  const bool begins_well =
      !digits.empty() && (digits[0] == '.' || (digits[0] >= '0' && digits[0] <= '9'));
  const std::string_view rest = stop;
  if (!begins_well || hex || problem == std::errc::result_out_of_range ||
      (!rest.empty() && rest != "f")) {
    text.refuse_at(begin, fmt::format("expected a number, found '{}'", shortened(word)));
  }
  return number;
}

std::int64_t read_integer(DirectiveText& text) {
  const std::size_t begin = text.at();
  const Number number = read_number(text);
  if (number.is_real) text.fail_at(begin, "expected an integer");
  return number.integer;
}

// What may follow "unknown".
UnknownValue read_unknown(DirectiveText& text) {
  UnknownValue unknown;
  if (!text.accept('(')) return unknown;
  const std::size_t begin = text.at();
  const std::string range = text.until(')');
  const std::size_t dots = range.find("..");
  if (dots == std::string::npos) text.fail_at(begin, "expected a range LOW..HIGH");
  DirectiveText low(std::string_view(range).substr(0, dots), text.place(begin), text.line());
  DirectiveText high(std::string_view(range).substr(dots + 2), text.place(begin + dots + 2),
                     text.line());
  unknown.low = read_integer(low);
  low.expect_end();
  unknown.high = read_integer(high);
  high.expect_end();
  if (*unknown.low > *unknown.high) {
    text.refuse_at(begin, fmt::format("the range {} is empty", shortened(range)));
  }
  text.expect(')');
  return unknown;
}

std::string read_name(DirectiveText& text) {
  const std::size_t begin = text.at();
  std::string name = text.word(".");
  if (name.empty() || name[0] == '.' || (name[0] >= '0' && name[0] <= '9')) {
    text.fail_at(begin, "expected the name of a parameter");
  }
  return name;
}

// A number, or an expression without blanks, as these part directives.
void read_count(DirectiveText& text, Buffer& buffer) {
  const SourcePosition where = text.place(text.at());
  DirectiveText ahead = text;
  const std::string formula = ahead.until_any_of(":, \t");
  if (formula.find_first_not_of("0123456789") == std::string::npos) {
    buffer.elements = text.integer("a number of elements", 0, kMaxElements);
    return;
  }
  const bool begins_well = formula.front() == '(' || formula.front() == '_' ||
                           std::isalnum(static_cast<unsigned char>(formula.front())) != 0;
  if (!begins_well) {
    text.fail("expected a number of elements, {VALUE, ...} or an expression such as n*4");
  }
  buffer.count = Formula{formula, where};
  text = ahead;
}

void read_values(DirectiveText& text, Buffer& buffer) {
  buffer.contents = Buffer::Contents::values;
  if (text.accept('}')) return;
  do {
    if (buffer.values.size() == kMaxBufferValues) {
      text.refuse_at(text.at(), fmt::format("more than {} values", kMaxBufferValues));
    }
    buffer.values.push_back(read_number(text));
  } while (text.accept(','));
  text.expect('}');
}

// Both parsers of options want a whole text.
template <class Value>
Value whole(std::string_view text, const SourcePosition& where, Value (*read)(DirectiveText&)) {
  DirectiveText directive(text, where, where.line > 0 ? text : std::string_view());
  Value value = read(directive);
  directive.expect_end();
  return value;
}

}  // namespace

Extent read_extent(DirectiveText& text) {
  Extent extent = {1, 1, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    extent[i] = static_cast<std::uint32_t>(text.integer("a size", 1, kMaxExtent));
    if (!text.accept(',')) break;
    if (i == 2) text.fail("expected three sizes at most: X,Y,Z");
  }
  return extent;
}

Argument read_argument(DirectiveText& text) {
  Argument argument;
  argument.where = text.place(text.at());
  argument.name = read_name(text);
  text.expect('=');
  if (text.accept_word("unknown")) {
    argument.unknown = read_unknown(text);
  } else if (text.accept_word("true") || text.accept_word("false") || text.accept_word("null")) {
    const bool yes = text.last_word() == "true";
    argument.value = Number{false, yes ? 1 : 0, yes ? 1.0 : 0.0};
  } else {
    argument.value = read_number(text);
  }
  return argument;
}

std::pair<std::string, double> read_specialization(DirectiveText& text) {
  // A name is one of WGSL's, whose overrides need no number.
  std::string id =
      text.starts_with_letter()
          ? text.word("")
          : std::to_string(text.integer("the number of a specialization constant", 0, 0xffffffff));
  text.expect('=');
  if (text.accept_word("true")) return {id, 1};
  if (text.accept_word("false")) return {id, 0};
  return {id, read_number(text).real};
}

Buffer read_buffer(DirectiveText& text) {
  Buffer buffer;
  buffer.where = text.place(text.at());
  buffer.name = read_name(text);
  text.expect('=');
  if (text.accept('{')) {
    read_values(text, buffer);
    buffer.elements = buffer.values.size();
    return buffer;
  }
  // "in=:zero" is as large as needed.
  const bool is_sized = !text.accept(':');
  if (is_sized) {
    read_count(text, buffer);
    if (!text.accept(':')) return buffer;
  }
  const std::size_t begin = text.at();
  if (text.accept_word("zero")) {
    buffer.contents = Buffer::Contents::zero;
  } else if (text.accept_word("iota")) {
    buffer.contents = Buffer::Contents::iota;
  } else if (text.accept_word("unknown")) {
    buffer.unknown = read_unknown(text);
  } else if (is_sized && text.accept('{')) {
    read_values(text, buffer);
    if (!buffer.count && buffer.values.size() > buffer.elements) {
      text.refuse_at(
          begin, fmt::format("{} values for {} elements", buffer.values.size(), buffer.elements));
    }
  } else {
    text.fail(is_sized ? "expected zero, iota, unknown, unknown(LOW..HIGH) or {VALUE, ...}"
                       : "expected zero, iota, unknown or unknown(LOW..HIGH)");
  }
  return buffer;
}

Extent parse_extent(std::string_view text, const SourcePosition& where) {
  return whole<Extent>(text, where, read_extent);
}

Argument parse_argument(std::string_view text, const SourcePosition& where) {
  return whole<Argument>(text, where, read_argument);
}

Buffer parse_buffer(std::string_view text, const SourcePosition& where) {
  return whole<Buffer>(text, where, read_buffer);
}

std::pair<std::string, double> parse_specialization(std::string_view text,
                                                    const SourcePosition& where) {
  return whole<std::pair<std::string, double>>(text, where, read_specialization);
}

}  // namespace headway::kernel
