#include "kernel/spirv/tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <memory>
#include <optional>
#include <spirv/unified1/spirv.hpp11>

#include "base/error.hpp"
#include "kernel/spirv/mend.hpp"
#include "kernel/spirv/owned.hpp"

namespace headway::kernel::spirv {
namespace {

struct TextCloser {
  void operator()(spv_text_t* text) const { spvTextDestroy(text); }
};

constexpr std::uint32_t kMagicNumber = 0x07230203;
constexpr std::uint32_t kSwappedMagic = 0x03022307;

// The version that a text says in a comment, as disassemblers write it: "; Version: 1.3".
std::optional<spv_target_env> version_of(std::string_view text) {
  constexpr std::string_view mark = "; Version: 1.";
  constexpr spv_target_env versions[] = {
      SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3,
      SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6};
  const auto at = text.find(mark);
  if (at == std::string_view::npos || at + mark.size() >= text.size()) return {};
  const int minor = text[at + mark.size()] - '0';
  if (minor < 0 || minor > 6) return {};
  return versions[minor];
}

// Compilers that put clamps of their own around indices, by the number that a module has of its
// generator (SPIR-V's registry), or by the line that disassemblers write: "; Generator: ...".
bool clamps_indices(std::string_view text) {
  constexpr std::string_view mark = "; Generator: ";
  const auto at = text.find(mark);
  if (at == std::string_view::npos) return false;
  const std::string_view line = text.substr(at, text.find('\n', at) - at);
  constexpr std::string_view names[] = {"Tint", "naga", "Naga", "Unknown(23)", "Unknown(28)"};
  return std::any_of(std::begin(names), std::end(names), [&](std::string_view name) {
    return line.find(name) != std::string_view::npos;
  });
}
bool clamps_indices(std::uint32_t generator) {
  constexpr std::uint32_t tint = 23, naga = 28;
  return generator >> 16 == tint || generator >> 16 == naga;
}

// The lines at which instructions begin: each "Op..." that is no part of a string or comment.
std::vector<int> instruction_lines(std::string_view text) {
  std::vector<int> lines;
  int line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (c == ';') {
      while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
    } else if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') ++i;
        if (i < text.size() && text[i] == '\n') ++line;
      }
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      if (text.substr(i).starts_with("Op") && i + 2 < text.size() &&
          std::isupper(static_cast<unsigned char>(text[i + 2])) != 0) {
        lines.push_back(line);
      }
      while (i + 1 < text.size() && std::isspace(static_cast<unsigned char>(text[i + 1])) == 0 &&
             text[i + 1] != ';') {
        ++i;
      }
    }
  }
  return lines;
}

ExtendedSet set_of(spv_ext_inst_type_t type) {
  switch (type) {
    case SPV_EXT_INST_TYPE_GLSL_STD_450:
      return ExtendedSet::glsl;
    case SPV_EXT_INST_TYPE_OPENCL_STD:
      return ExtendedSet::opencl;
    case SPV_EXT_INST_TYPE_NONSEMANTIC_SHADER_DEBUGINFO_100:
      return ExtendedSet::debug;
    default:
      return ExtendedSet::other;
  }
}

spv_result_t take_header(void* user, spv_endianness_t, std::uint32_t, std::uint32_t version,
                         std::uint32_t, std::uint32_t, std::uint32_t) {
  static_cast<Words*>(user)->version = version;
  return SPV_SUCCESS;
}

spv_result_t take_instruction(void* user, const spv_parsed_instruction_t* parsed) {
  Words& into = *static_cast<Words*>(user);
  RawInstruction made;
  made.op = parsed->opcode;
  made.type = parsed->type_id;
  made.result = parsed->result_id;
  if (parsed->opcode == static_cast<std::uint16_t>(spv::Op::OpExtInst)) {
    made.set = set_of(parsed->ext_inst_type);
  }
  const std::uint32_t head = 1U + (made.type != 0 ? 1U : 0U) + (made.result != 0 ? 1U : 0U);
  made.begin = static_cast<std::uint32_t>(into.words.size());
  made.first = made.begin + head;
  made.count = parsed->num_words - head;
  into.words.insert(into.words.end(), parsed->words, parsed->words + parsed->num_words);
  into.instructions.push_back(made);
  return SPV_SUCCESS;
}

// Puts "Unknown" in place of a source language that this version of SPIRV-Tools has not heard of,
// which means nothing. False where the message is about something else.
bool forget_language(std::string& text, const spv_diagnostic_t* diagnostic) {
  if (diagnostic == nullptr || diagnostic->error == nullptr || !diagnostic->isTextSource ||
      !std::string_view(diagnostic->error).starts_with("Invalid source language")) {
    return false;
  }
  const std::size_t begin = diagnostic->position.index;
  if (begin >= text.size()) return false;
  const std::size_t end = std::min(text.find_first_of(" \t\r\n;", begin), text.size());
  constexpr std::string_view unknown = "Unknown";
  if (text.substr(begin, end - begin) == unknown) return false;
  text.replace(begin, end - begin, unknown);
  return true;
}

std::vector<std::uint32_t> assembled(std::string text, const std::string& path,
                                     spv_target_env version) {
  const ContextPtr context = tools_context(version);
  spv_binary binary = nullptr;
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t result = spvTextToBinaryWithOptions(
      context.get(), text.data(), text.size(), SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS,
      &binary, &diagnostic);
  const BinaryPtr owned(binary);
  const DiagnosticPtr message(diagnostic);
  if (result != SPV_SUCCESS && forget_language(text, diagnostic)) {
    return assembled(std::move(text), path, version);
  }
  if (result != SPV_SUCCESS || binary == nullptr) {
    SourcePosition where{path, 0, 0};
    if (diagnostic != nullptr && diagnostic->isTextSource) {
      where.line = static_cast<int>(diagnostic->position.line) + 1;
      where.column = static_cast<int>(diagnostic->position.column) + 1;
    }
    throw Error(where, "SPIR-V text: " + first_line(diagnostic));
  }
  return {binary->code, binary->code + binary->wordCount};
}

// With the names that the module has, as spirv-dis writes it; empty where that fails.
std::string disassembled(const std::vector<std::uint32_t>& code) {
  const ContextPtr context = tools_context();
  spv_text text = nullptr;
  spv_diagnostic diagnostic = nullptr;
  spvBinaryToText(context.get(), code.data(), code.size(),
                  SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES,
                  &text, &diagnostic);
  const DiagnosticPtr message(diagnostic);
  const std::unique_ptr<spv_text_t, TextCloser> owned(text);
  return text == nullptr ? std::string() : std::string(text->str, text->length);
}

// Whether a module says where in a source its instructions come from.
bool has_lines(const Words& words) {
  return std::any_of(words.instructions.begin(), words.instructions.end(), [](const auto& one) {
    return static_cast<spv::Op>(one.op) == spv::Op::OpLine || one.set == ExtendedSet::debug;
  });
}

// The module as it is read: as it is, or where it is not valid without what means nothing. `flaw`
// is what was wrong, if that was more than words for debuggers.
Code valid(Code code, const std::string& path, Rules rules, std::string& flaw) {
  const std::string first = flaw_of(code.words, rules);
  if (first.empty()) return code;
  code = without_debuggers(code);
  if (flaw_of(code.words, rules).empty()) return code;
  code = mended(std::move(code));
  if (!flaw_of(code.words, rules).empty())
    throw Error({path, 0, 0}, "no valid SPIR-V module: " + first);
  flaw = first;
  return code;
}

}  // namespace

bool is_binary(std::string_view content) {
  if (content.size() < 4) return false;
  std::uint32_t magic = 0;
  std::memcpy(&magic, content.data(), 4);
  return magic == kMagicNumber || magic == kSwappedMagic;
}

Words read_words(std::string_view content, const std::string& path, Rules rules) {
  std::vector<std::uint32_t> code;
  Words result;
  result.is_text = !is_binary(content);
  if (result.is_text) {
    if (content.empty()) throw Error({path, 0, 0}, "an empty file; expected SPIR-V");
    if (content.find('\0') != std::string_view::npos) {
      throw Error({path, 0, 0}, "no SPIR-V: neither its magic number nor its text");
    }
    result.clamps_indices = clamps_indices(content);
    const auto version = version_of(content);
    const std::string text(content);
    code = assembled(text, path, version.value_or(SPV_ENV_UNIVERSAL_1_6));
    // Old modules have what newer versions have not.
    if (!version && !flaw_of(code).empty()) {
      const auto older = assembled(text, path, SPV_ENV_UNIVERSAL_1_3);
      if (flaw_of(older).empty()) code = older;
    }
  } else {
    if (content.size() % 4 != 0) {
      throw Error(
          {path, 0, 0},
          fmt::format("a truncated SPIR-V module: {} bytes are no whole words", content.size()));
    }
    code.resize(content.size() / 4);
    std::memcpy(code.data(), content.data(), content.size());
    constexpr std::size_t generator = 2;  // of the words of the header
    result.clamps_indices = code.size() > generator && clamps_indices(code[generator]);
  }
  const ContextPtr context = tools_context();
  Code read = code_of(std::move(code));
  const std::size_t instructions = read.origins.size();
  read = valid(std::move(read), path, rules, result.flaw);
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t parsed =
      spvBinaryParse(context.get(), &result, read.words.data(), read.words.size(), take_header,
                     take_instruction, &diagnostic);
  const DiagnosticPtr message(diagnostic);
  if (parsed != SPV_SUCCESS) {
    throw Error({path, 0, 0}, "no SPIR-V module: " + first_line(diagnostic));
  }
  if (!result.is_text && !has_lines(result)) result.listing = disassembled(read.words);
  // Of a text the instructions are those that were read, of a listing those that are left.
  const std::vector<int> lines =
      instruction_lines(result.is_text ? content : std::string_view(result.listing));
  const std::size_t listed = result.is_text ? instructions : result.instructions.size();
  if (lines.size() != listed || read.origins.size() != result.instructions.size()) {
    result.listing.clear();
    return result;
  }
  for (std::size_t i = 0; i < result.instructions.size(); ++i) {
    const std::size_t at = result.is_text ? read.origins[i] : i;
    if (at < lines.size()) result.instructions[i].line = lines[at];
  }
  return result;
}

std::string text_of(const Words& words, const RawInstruction& of) {
  std::vector<std::uint32_t> code = {kMagicNumber, words.version, 0, 0x3fffff, 0};
  const std::uint32_t count = of.first - of.begin + of.count;
  code.insert(code.end(), words.words.begin() + of.begin, words.words.begin() + of.begin + count);
  const ContextPtr context = tools_context();
  spv_text text = nullptr;
  spv_diagnostic diagnostic = nullptr;
  spvBinaryToText(context.get(), code.data(), code.size(), SPV_BINARY_TO_TEXT_OPTION_NO_HEADER,
                  &text, &diagnostic);
  const DiagnosticPtr message(diagnostic);
  const std::unique_ptr<spv_text_t, TextCloser> owned(text);
  if (text == nullptr) return fmt::format("operation {}", of.op);
  std::string result(text->str, text->length);
  while (!result.empty() && std::isspace(static_cast<unsigned char>(result.back())) != 0) {
    result.pop_back();
  }
  return result.substr(0, 100);
}

}  // namespace headway::kernel::spirv
