#include "fuzz/ptx_properties.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "kernel/ir/builder.hpp"
#include "kernel/ir/tidy.hpp"
#include "kernel/ir/well_formed.hpp"
#include "kernel/ptx/inline_assembly.hpp"
#include "kernel/ptx/parser.hpp"
#include "kernel/ptx/reader.hpp"

namespace headway::fuzz {
namespace {

void require_of_ptx(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

void check_places(std::string_view text) {
  const auto lines = static_cast<int>(1 + std::count(text.begin(), text.end(), '\n'));
  try {
    const kernel::ptx::Text parsed = kernel::ptx::parse(text, "fuzz.ptx");
    for (const kernel::ptx::Statement& one : parsed.statements) {
      require_of_ptx(one.line >= 1 && one.line <= lines, "a statement has a line");
      require_of_ptx(one.label ? *one.label < parsed.labels.size() : !one.words.empty(),
                     "a statement is a label or an instruction");
    }
  } catch (const Error& error) {
    require_of_ptx(error.where().line >= 1 && error.where().line <= lines, "an error has a line");
  }
}

// As a module: of which the text may be a kernel's body, too.
void check_module(const std::string& text) {
  const auto lines = static_cast<int>(1 + std::count(text.begin(), text.end(), '\n'));
  try {
    const kernel::Module module = kernel::ptx::read_module(text, "fuzz.ptx", false);
    for (const kernel::Function& function : module.functions) {
      if (!function.unsupported.empty()) continue;
      const auto wrong = kernel::objection(module, function);
      if (wrong) throw std::logic_error(*wrong);
    }
  } catch (const Error& error) {
    require_of_ptx(error.where().line <= lines, "an error has a line");
  }
}

}  // namespace

bool check_ptx(std::string_view text) {
  check_places(text);
  check_module(std::string(text));
  check_module(".version 8.0\n.visible .entry k(.param .u64 a, .param .u32 n)\n{\n" +
               std::string(text) + "\nret;\n}\n");
  using kernel::Type;
  kernel::Module module;
  kernel::Function function;
  kernel::Builder builder(function);
  // Outputs, an input that goes into one of them, others, a pointer and a number.
  std::vector<kernel::ptx::InlineOperand> operands = {
      {Type::integer(32), kernel::kNone, true, false},
      {Type::integer(64), kernel::kNone, true, false},
      {Type::real(32), kernel::kNone, true, false}};
  const auto argument = [&](Type type) {
    kernel::Parameter made;
    made.type = type;
    function.parameters.push_back(made);
    function.arguments.push_back(builder.argument(type, function.arguments.size(), "a"));
    return function.arguments.back();
  };
  operands[0].value = argument(Type::integer(32));
  for (const Type type : {Type::integer(32), Type::integer(64), Type::pointer()}) {
    operands.push_back(
        {type.is_pointer() ? Type::integer(64) : type, argument(type), false, false});
  }
  operands.push_back({Type::integer(32), builder.integer(32, 4), false, true});
  builder.at(builder.block("entry"));
  try {
    kernel::ptx::SharedAddresses shared;
    kernel::ptx::emit_inline(module, builder, text, operands, shared);
  } catch (const kernel::ptx::Refused& refused) {
    require_of_ptx(std::string_view(refused.what()).size() < 2 * text.size() + 1000,
                   "a message is short");
    return false;
  }
  builder.operation(kernel::Op::ret, {}, {});
  kernel::order_blocks(function);
  const auto wrong = kernel::objection(module, function);
  if (wrong) throw std::logic_error(*wrong);
  return true;
}

}  // namespace headway::fuzz
