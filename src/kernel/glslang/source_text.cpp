#include "kernel/glslang/source_text.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "base/text/words.hpp"

namespace headway::kernel::glslang {
namespace {

// "include" of "#  include <x>"; empty for what is no directive.
std::string_view directive_name(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with('#')) return {};
  line = trimmed(line.substr(1));
  return line.substr(0, line.find_first_of(" \t\"<"));
}

std::optional<std::string> glsl_as_read(const std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  bool changed = false, includes = false, extends = false;
  std::optional<std::size_t> version;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (!version && trimmed(lines[k]) == "#[compute]") {
      lines[k].clear();
      changed = true;
    }
    const std::string_view directive = directive_name(lines[k]);
    if (directive == "version" && !version) version = k;
    includes = includes || directive == "include";
    extends = extends || (directive == "extension" &&
                          lines[k].find("GL_GOOGLE_include_directive") != std::string::npos);
  }
  if (includes && !extends && version) {
    lines[*version] +=
        fmt::format("\n#extension GL_GOOGLE_include_directive : enable\n#line {}", *version + 2);
    changed = true;
  }
  if (!changed) return std::nullopt;
  return fmt::format("{}", fmt::join(lines, "\n"));
}

// Columns stay, too.
std::optional<std::string> hlsl_as_read(const std::string& text) {
  constexpr std::string_view word = "unsigned", type = "int", read = "uint";
  std::string result = text;
  bool changed = false;
  for (std::size_t at = 0; (at = result.find(word, at)) != std::string::npos; at += word.size()) {
    const std::size_t second = result.find_first_not_of(" \t", at + word.size());
    if (second == std::string::npos || second == at + word.size()) continue;
    if (result.compare(second, type.size(), type) != 0) continue;
    const std::size_t end = second + type.size();
    if ((at > 0 && is_word_character(result[at - 1])) ||
        (end < result.size() && is_word_character(result[end]))) {
      continue;
    }
    result.replace(at, end - at, std::string(read) + std::string(end - at - read.size(), ' '));
    changed = true;
  }
  if (!changed) return std::nullopt;
  return result;
}

}  // namespace

std::optional<std::string> as_glslang_reads(const std::string& text, bool is_hlsl) {
  return is_hlsl ? hlsl_as_read(text) : glsl_as_read(text);
}

}  // namespace headway::kernel::glslang
