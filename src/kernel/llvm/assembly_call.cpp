// Inline assembly. What it is in LLVM's terms, a template and constraints, is taken apart here;
// what it says is PTX, which kernel/ptx knows.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "kernel/ir/premises.hpp"
#include "kernel/llvm/function_reader.hpp"
#include "kernel/ptx/inline_assembly.hpp"

namespace headway::kernel::llvm {
namespace {

std::string text_by(const char* (*get)(LLVMValueRef, std::size_t*), LLVMValueRef assembly) {
  std::size_t length = 0;
  const char* text = get(assembly, &length);
  return text == nullptr ? std::string() : std::string(text, length);
}

std::vector<std::string> constraints_of(LLVMValueRef assembly) {
  std::vector<std::string> all;
  std::string text = text_by(api().GetInlineAsmConstraintString, assembly);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    all.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

// "$0" for what the source has as "%0", "$$" for "$", and "${:uid}" for a number of its own, which
// need not differ: labels are looked for within one text.
std::string without_template(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      result += text[i];
    } else if (text.compare(i, 2, "$$") == 0) {
      result += '$';
      ++i;
    } else if (text.compare(i, 7, "${:uid}") == 0) {
      result += '0';
      i += 6;
    } else if (text.compare(i, 2, "${") == 0) {
      throw Unsupported("inline assembly with a modifier of an operand: " + text.substr(i, 8));
    } else {
      result += '%';
    }
  }
  return result;
}

// Of a register that a constraint asks for.
std::optional<Type> register_type(std::string_view constraint) {
  constexpr std::pair<std::string_view, Type> types[] = {
      {"h", Type::integer(16)}, {"r", Type::integer(32)}, {"l", Type::integer(64)},
      {"f", Type::real(32)},    {"d", Type::real(64)},    {"b", Type::integer(1)}};
  for (const auto& [letter, type] : types) {
    if (letter == constraint) return type;
  }
  return {};
}

// The beginning of the first instruction, for a text of which nothing is known.
std::string first_word(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\n{;");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_first_of(" \t\n;", begin) - begin);
}

}  // namespace

// The operands of the template, in its order. What a constraint has as a number is the operand with
// that number at first.
std::vector<ptx::InlineOperand> Call::assembly_operands(LLVMValueRef assembly, bool is_empty) {
  std::vector<ptx::InlineOperand> all;
  const std::vector<Leaf> results = reader_.context_.leaves(api().TypeOf(call_));
  std::size_t outputs = 0;
  unsigned inputs = 0;
  const auto refuse = [](const std::string& constraint) {
    throw Unsupported(fmt::format("inline assembly with the constraint '{}'", constraint));
  };
  for (const std::string& constraint : constraints_of(assembly)) {
    if (constraint.starts_with('~')) continue;
    ptx::InlineOperand made;
    made.written = constraint.starts_with('=');
    const std::size_t letter = constraint.find_first_not_of("=&");
    const std::string kind =
        letter == std::string::npos ? std::string() : constraint.substr(letter);
    if (kind.find('*') != std::string::npos) refuse(constraint);
    // An empty text takes what it is given.
    const std::optional<Type> asked = is_empty ? std::nullopt : register_type(kind);
    if (made.written) {
      if (outputs >= results.size()) refuse(constraint);
      const Type result = results[outputs++].type;
      made.type = asked ? *asked : result;
      if (made.type.bits != result.bits || (!is_empty && !asked)) refuse(constraint);
      all.push_back(made);
      continue;
    }
    made.value = argument(inputs++);
    const Type given = builder().type(made.value);
    if (kind.find_first_not_of("0123456789") == std::string::npos && !kind.empty()) {
      const std::size_t same = std::stoul(kind.substr(0, 4));
      if (same >= all.size() || !all[same].written) refuse(constraint);
      all[same].value = std::exchange(made.value, kNone);
      made.type = all[same].type;
    } else if (kind == "n" || kind == "i") {
      made.literal = true;
      made.type = given;
    } else {
      made.type = asked ? *asked : given;
      if (!is_empty && !asked) refuse(constraint);
    }
    if (made.type.bits != given.bits) {
      throw Unsupported(
          fmt::format("inline assembly: an operand of {} bits for the constraint '{}'",
                      int{given.bits}, constraint));
    }
    all.push_back(made);
  }
  return all;
}

Parts Call::read_assembly(LLVMValueRef assembly) {
  const std::string text = text_by(api().GetInlineAsmAsmString, assembly);
  const bool is_empty = text.find_first_not_of(" \t\n;") == std::string::npos;
  if (!is_empty && reader_.context_.target() != Target::nvptx) {
    throw Unsupported("inline assembly: " + first_word(text));
  }
  const BlockId before = builder().here();
  ptx::InlineResult result;
  try {
    result = ptx::emit_inline(reader_.context_.module(), builder(), without_template(text),
                              assembly_operands(assembly, is_empty), reader_.shared_addresses_);
  } catch (const ptx::Refused& refused) {
    throw Unsupported(refused.what());
  }
  if (builder().here() != before) {
    reader_.ends_[api().GetInstructionParent(call_)] = builder().here();
  }
  const std::vector<std::string> constraints = constraints_of(assembly);
  const bool clobbers =
      std::find(constraints.begin(), constraints.end(), "~{memory}") != constraints.end();
  if (result.touches_memory && !(clobbers && api().GetInlineAsmHasSideEffects(assembly))) {
    add_premise(builder().function(), kAssembly);
  }
  // As LLVM has them: pointers may be among them.
  const std::vector<Leaf> leaves = reader_.context_.leaves(api().TypeOf(call_));
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Op op = leaves[i].type.is_pointer() ? Op::int_to_pointer : Op::bitcast;
    result.values[i] = builder().convert(op, result.values[i], leaves[i].type);
  }
  return result.values;
}

}  // namespace headway::kernel::llvm
