#include "kernel/glslang/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace headway::kernel::glslang {
namespace {

constexpr std::string_view kBlankSpace = " \t\r";

std::string_view stripped(std::string_view line) {
  const std::size_t first = line.find_first_not_of(kBlankSpace);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(kBlankSpace) - first + 1);
}

// "include" of "#  include <x>"; empty for what is no directive.
std::string_view directive_name(std::string_view line) {
  line = stripped(line);
  if (!line.starts_with('#')) return {};
  line = stripped(line.substr(1));
  return line.substr(0, line.find_first_of(" \t\"<"));
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

bool continues_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::optional<std::string> glsl_as_read(const std::string& text) {
  std::vector<std::string> lines = split_lines(text);
  bool changed = false, includes = false, extends = false;
  std::optional<std::size_t> version;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (!version && stripped(lines[k]) == "#[compute]") {
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
    if ((at > 0 && continues_word(result[at - 1])) ||
        (end < result.size() && continues_word(result[end]))) {
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
