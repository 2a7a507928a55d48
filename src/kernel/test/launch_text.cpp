#include "kernel/test/launch_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "base/error.hpp"

namespace headway::kernel {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

template <typename T>
std::optional<T> whole(std::string_view text) {
  text = trimmed(text);
  int base = 10;
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
    base = 16;
  }
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

std::optional<double> number(std::string_view text) {
  if (const auto integer = whole<std::int64_t>(text)) return static_cast<double>(*integer);
  const std::string copy(trimmed(text));
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (copy.empty() || end != copy.c_str() + copy.size()) return {};
  return value;
}

std::pair<std::string, std::string_view> named(std::string_view text, std::string_view example) {
  const auto equals = text.find('=');
  const std::string_view name = trimmed(text.substr(0, equals));
  if (equals == std::string_view::npos || name.empty()) {
    throw Error(fmt::format("expected {}, found '{}'", example, text));
  }
  return {std::string(name), trimmed(text.substr(equals + 1))};
}

// "unknown", "unknown(0..3)".
std::optional<std::optional<std::pair<std::int64_t, std::int64_t>>> unknown(std::string_view text) {
  if (!text.starts_with("unknown")) return {};
  text.remove_prefix(7);
  if (text.empty()) return std::optional<std::pair<std::int64_t, std::int64_t>>();
  const auto dots = text.find("..");
  if (text.front() != '(' || text.back() != ')' || dots == std::string_view::npos) return {};
  const auto low = whole<std::int64_t>(text.substr(1, dots - 1));
  const auto high = whole<std::int64_t>(text.substr(dots + 2, text.size() - dots - 3));
  if (!low || !high || *low > *high || *low < 0) return {};
  return std::pair(*low, *high);
}

}  // namespace

Size3 parse_dimensions(std::string_view text) {
  Size3 result = {1, 1, 1};
  std::size_t dimension = 0;
  std::string_view rest = text;
  for (;;) {
    const auto end = rest.find_first_of(",x");
    const auto size = whole<std::uint32_t>(rest.substr(0, end));
    if (!size || *size == 0 || dimension == 3) {
      throw Error(
          fmt::format("expected one to three sizes, such as 64 or 8,8,1, found '{}'", text));
    }
    result[dimension++] = *size;
    if (end == std::string_view::npos) return result;
    rest.remove_prefix(end + 1);
  }
}

std::pair<std::string, ArgumentSpec> parse_argument(std::string_view text) {
  const auto [name, value] = named(text, "a value for a parameter, such as n=4");
  ArgumentSpec result;
  if (const auto range = unknown(value)) {
    result.unknown = true;
    result.range = *range;
  } else if (const auto given = number(value)) {
    result.value = *given;
    result.integer = whole<std::int64_t>(value).value_or(static_cast<std::int64_t>(*given));
  } else {
    throw Error(fmt::format("expected a number, unknown, or unknown(0..3) for '{}', found '{}'",
                            name, value));
  }
  return {name, result};
}

std::pair<std::string, BufferSpec> parse_buffer(std::string_view text) {
  const auto [name, value] = named(text, "a buffer, such as in=64:zero");
  BufferSpec result;
  std::string_view content = value;
  const auto colon = value.find(':');
  const auto elements = whole<std::uint64_t>(value.substr(0, colon));
  if (elements) {
    if (*elements == 0 || *elements > (std::uint64_t{1} << 28)) {
      throw Error(fmt::format("expected 1 to {} elements of '{}', found {}", std::uint64_t{1} << 28,
                              name, *elements));
    }
    result.elements = *elements;
    if (colon == std::string_view::npos) return {name, result};
    content = trimmed(value.substr(colon + 1));
  }
  if (content == "zero" || content == "zeros") {
    result.content = BufferSpec::Content::zero;
  } else if (const auto range = unknown(content)) {
    result.range = *range;
  } else if (content.starts_with('{') && content.ends_with('}')) {
    result.content = BufferSpec::Content::values;
    std::string_view rest = content.substr(1, content.size() - 2);
    while (!trimmed(rest).empty()) {
      const auto comma = rest.find(',');
      const auto one = number(rest.substr(0, comma));
      if (!one) throw Error(fmt::format("expected numbers in '{}' of '{}'", content, name));
      result.values.push_back(*one);
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
    if (result.elements > 0 && result.values.size() > result.elements) {
      throw Error(fmt::format("{} values for the {} elements of '{}'", result.values.size(),
                              result.elements, name));
    }
    if (result.elements == 0) result.elements = result.values.size();
  } else {
    throw Error(fmt::format(
        "expected zero, unknown, unknown(0..3) or {{1,2,3}} for '{}', found '{}'", name, content));
  }
  return {name, result};
}

}  // namespace headway::kernel
