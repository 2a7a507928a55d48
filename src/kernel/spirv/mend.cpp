#include "kernel/spirv/mend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <set>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>

#include "kernel/spirv/literal.hpp"
#include "kernel/spirv/owned.hpp"

namespace headway::kernel::spirv {
namespace {

constexpr std::size_t kHeader = 5;     // words
constexpr int kMostDeclarations = 32;  // that are added to a module

spv::Op op_of(std::span<const std::uint32_t> instruction) {
  return static_cast<spv::Op>(instruction[0] & 0xffff);
}

// The section of a module that an instruction in front of all functions belongs to (SPIR-V 1.6,
// 2.4, "Logical Layout of a Module").
int section_of(spv::Op op) {
  switch (op) {
    case spv::Op::OpCapability:
      return 0;
    case spv::Op::OpExtension:
      return 1;
    case spv::Op::OpExtInstImport:
      return 2;
    case spv::Op::OpMemoryModel:
      return 3;
    case spv::Op::OpEntryPoint:
      return 4;
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
      return 5;
    case spv::Op::OpString:
    case spv::Op::OpSourceExtension:
    case spv::Op::OpSource:
    case spv::Op::OpSourceContinued:
      return 6;
    case spv::Op::OpName:
    case spv::Op::OpMemberName:
      return 7;
    case spv::Op::OpModuleProcessed:
      return 8;
    case spv::Op::OpDecorate:
    case spv::Op::OpMemberDecorate:
    case spv::Op::OpDecorationGroup:
    case spv::Op::OpGroupDecorate:
    case spv::Op::OpGroupMemberDecorate:
    case spv::Op::OpDecorateId:
    case spv::Op::OpDecorateString:
    case spv::Op::OpMemberDecorateString:
      return 9;
    default:
      return 10;  // types, constants and variables, in the order in which they use each other
  }
}

Code in_order(const Code& code) {
  const auto instructions = instructions_of(code.words);
  if (instructions.empty()) return code;
  const auto functions =
      std::find_if(instructions.begin(), instructions.end(),
                   [](const auto& one) { return op_of(one) == spv::Op::OpFunction; });
  std::vector<std::size_t> order(instructions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.begin() + (functions - instructions.begin()),
                   [&](std::size_t a, std::size_t b) {
                     return section_of(op_of(instructions[a])) < section_of(op_of(instructions[b]));
                   });
  Code result;
  result.words.assign(code.words.begin(), code.words.begin() + kHeader);
  for (const std::size_t at : order) {
    const auto of = instructions[at];
    result.words.insert(result.words.end(), of.begin(), of.end());
    result.origins.push_back(code.origins[at]);
  }
  return result;
}

// A declaration in words; null where there is none of that name.
BinaryPtr declaration_words(const std::string& declaration) {
  const ContextPtr context = tools_context();
  spv_binary binary = nullptr;
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t result =
      spvTextToBinary(context.get(), declaration.data(), declaration.size(), &binary, &diagnostic);
  const DiagnosticPtr message(diagnostic);
  BinaryPtr made(binary);
  if (result != SPV_SUCCESS || binary == nullptr || binary->wordCount <= kHeader) made.reset();
  return made;
}

// What a message may miss: of its words, from where it says that something is required, those that
// are capabilities or extensions. Whether a module is a shader's or a kernel's is what it means,
// so that is not added.
std::vector<std::string> missing_declarations(const std::string& flaw) {
  const auto required = flaw.find("requir");
  if (required == std::string::npos) return {};
  std::vector<std::string> result;
  const auto look_at = [&](std::string_view text) {
    const auto is_part = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    for (auto at = text.begin(); at != text.end();) {
      at = std::find_if(at, text.end(), is_part);
      const auto end = std::find_if_not(at, text.end(), is_part);
      const std::string word(at, end);
      at = end;
      if (word.starts_with("SPV_")) {
        result.push_back(fmt::format("OpExtension \"{}\"\n", word));
      } else if (!word.empty() && std::isupper(static_cast<unsigned char>(word.front())) &&
                 word != "Shader" && word != "Kernel") {
        result.push_back(fmt::format("OpCapability {}\n", word));
      }
    }
  };
  look_at(std::string_view(flaw).substr(required));
  look_at(std::string_view(flaw).substr(0, required));
  return result;
}

// In front of all others; in_order() puts it where it belongs.
void declare(Code& code, const spv_binary_t& declaration) {
  code.words.insert(code.words.begin() + kHeader, declaration.code + kHeader,
                    declaration.code + declaration.wordCount);
  code.origins.insert(code.origins.begin(), Code::kAdded);
}

}  // namespace

std::vector<std::span<const std::uint32_t>> instructions_of(
    const std::vector<std::uint32_t>& words) {
  std::vector<std::span<const std::uint32_t>> result;
  for (std::size_t at = kHeader; at < words.size();) {
    const std::size_t count = words[at] >> 16;
    if (count == 0 || count > words.size() - at) return {};
    result.push_back(std::span(words).subspan(at, count));
    at += count;
  }
  return result;
}

Code code_of(std::vector<std::uint32_t> words) {
  Code code{std::move(words), {}};
  if (const auto instructions = instructions_of(code.words); !instructions.empty()) {
    code.origins.resize(instructions.size());
    std::iota(code.origins.begin(), code.origins.end(), std::uint32_t{0});
  }
  return code;
}

std::string flaw_of(const std::vector<std::uint32_t>& words, Rules rules) {
  const ContextPtr context = tools_context();
  const OptionsPtr options = validator_options();
  spvValidatorOptionsSetBeforeHlslLegalization(options.get(), rules == Rules::hlsl);
  spvValidatorOptionsSetSkipBlockLayout(options.get(), rules == Rules::hlsl);
  spv_const_binary_t binary{words.data(), words.size()};
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t valid =
      spvValidateWithOptions(context.get(), options.get(), &binary, &diagnostic);
  const DiagnosticPtr message(diagnostic);
  return valid == SPV_SUCCESS ? std::string() : first_line(diagnostic);
}

Code without_debuggers(const Code& code) {
  const auto instructions = instructions_of(code.words);
  if (instructions.empty()) return code;
  std::set<Id> sets;
  Code result;
  result.words.assign(code.words.begin(), code.words.begin() + kHeader);
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const auto of = instructions[i];
    if (op_of(of) == spv::Op::OpExtInstImport && of.size() > 2) {
      const std::string name = literal(of.subspan(2));
      if (name.find("DebugInfo") != std::string::npos && !name.starts_with("NonSemantic.")) {
        sets.insert(of[1]);
      }
    }
    if (op_of(of) == spv::Op::OpExtInst && of.size() > 3 && sets.contains(of[3])) continue;
    result.words.insert(result.words.end(), of.begin(), of.end());
    result.origins.push_back(code.origins[i]);
  }
  return result;
}

Code mended(Code code) {
  code = in_order(code);
  std::set<std::string> added;
  for (int i = 0; i < kMostDeclarations; ++i) {
    BinaryPtr made;
    for (const std::string& missing : missing_declarations(flaw_of(code.words))) {
      if (made || added.contains(missing)) continue;
      made = declaration_words(missing);
      if (made) added.insert(missing);
    }
    if (!made) break;
    declare(code, *made);
    code = in_order(code);
  }
  return code;
}

}  // namespace headway::kernel::spirv
