#include "emit/groups_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "emit/helpers.hpp"
#include "emit/source_writer.hpp"
#include "emit/text.hpp"
#include "emit/uniformity.hpp"
#include "lang/idiom/parser.hpp"

namespace headway::emit {
namespace {

using lang::idiom::Block;
using lang::idiom::Code;
using lang::idiom::Constants;
using lang::idiom::Expression;
using lang::idiom::Statement;
using lang::idiom::Syntax;
using StatementKind = Statement::Kind;

Syntax read(const Code& code) {
  Scanner scanner(code.source, "");
  return lang::idiom::parse(scanner, code.source, "");
}

template <class See>
void each_statement(const std::vector<Statement>& list, const See& see) {
  for (const Statement& statement : list) {
    see(statement);
    each_statement(statement.body, see);
    each_statement(statement.otherwise, see);
  }
}

template <class See>
void each_statement(const Syntax& syntax, const See& see) {
  for (const auto& function : syntax.functions) each_statement(function.block.body, see);
  for (const Block& block : syntax.blocks) each_statement(block.body, see);
}

int count_accesses(const Expression& e) {
  int count = e.kind == Expression::Kind::access ? 1 : 0;
  for (const Expression& operand : e.operands) count += count_accesses(operand);
  return count;
}

// Whether a case goes on in the next one.
bool falls_through(const Statement& s) {
  bool is_open = false;
  for (const Statement& part : s.body) {
    const StatementKind kind = part.kind;
    const bool is_label = kind == StatementKind::case_ || kind == StatementKind::default_;
    if (is_label && is_open) return true;
    is_open = !is_label && kind != StatementKind::break_ && kind != StatementKind::continue_ &&
              kind != StatementKind::return_ && kind != StatementKind::jump;
  }
  return false;
}

bool wraps(const Syntax& syntax) {
  const auto any = [](const Block& block) {
    return std::any_of(block.registers.begin(), block.registers.end(),
                       [](const auto& declared) { return declared.range.wraps; });
  };
  return std::any_of(syntax.blocks.begin(), syntax.blocks.end(), any) ||
         std::any_of(syntax.functions.begin(), syntax.functions.end(),
                     [&](const auto& function) {
                       return any(function.block) || (function.range && function.range->wraps);
                     }) ||
         std::any_of(syntax.variables.begin(), syntax.variables.end(),
                     [](const auto& variable) { return variable.range.wraps; });
}

// C++ for the host, over a copy of the memory of an instance.
constexpr Dialect host_dialect() {
  Dialect dialect = {};
  dialect.number = "{}u";
  dialect.signed_number = "{}";
  dialect.select = "{} ? {} : {}";
  dialect.cell = "memory[{}]";
  dialect.load = dialect.load_rmw = "{}";
  dialect.to_word = "unsigned({})";
  dialect.to_signed = "int({})";
  dialect.remainder = "{} % {}";
  dialect.shift_count = "{}";
  dialect.reg = "int {} = 0;";
  dialect.temporary = "const int {} = {};";
  dialect.unless = "if (!({})) {}";
  dialect.violated = "return false;";
  return dialect;
}

class SourceBody final : public Body {
 public:
  explicit SourceBody(std::shared_ptr<const Code> code)
      : code_(std::move(code)), syntax_(read(*code_)), constants_(syntax_, code_->n) {}
  SourceBody(const SourceBody&) = delete;  // its parts know each other
  SourceBody& operator=(const SourceBody&) = delete;

  const Syntax& syntax() const { return syntax_; }
  const Constants& constants() const { return constants_; }
  // Of the kernel, by variable.
  std::vector<std::string> names;

  std::string functions(const Kernel& kernel, const Dialect& dialect) const override {
    const SourceProgram program = this->program(kernel);
    std::string text = helpers(*code_, kernel, dialect);
    if (wraps(syntax_)) text += write_wrapping(dialect) + "\n";
    for (std::size_t f = 0; f < syntax_.functions.size(); ++f) {
      text += write_function(program, dialect, f) + "\n";
    }
    bool first = true;
    for (std::size_t b = 0; b < syntax_.blocks.size(); ++b) {
      if (is_empty(b)) continue;
      text += (first ? "" : "\n") + write_block(program, dialect, b);
      first = false;
    }
    return text;
  }

  std::string call_blocks(const Kernel&, const Dialect& dialect) const override {
    std::string text;
    for (std::size_t b = 0; b < syntax_.blocks.size(); ++b) {
      if (is_empty(b)) continue;
      const auto [first, last] = threads_of(syntax_.blocks[b], constants_);
      const std::string call = fmt::format("block_{}({});", b, dialect.arguments);
      const bool all = first == 0 && last == constants_.topology().threads() - 1;
      if (all) return indented(1, call);
      const auto number = [&](int value) { return write(dialect.signed_number, value); };
      const std::string tid = write(dialect.id, "tid");
      const std::string condition =
          first == last ? fmt::format("{} == {}", tid, number(first))
                        : fmt::format("{0} >= {1} && {0} <= {2}", tid, number(first), number(last));
      text += indented(1, fmt::format("if ({}) {{ {} }}", condition, call));
    }
    return text;
  }

  std::string final_holds(const Kernel& kernel) const override {
    return "bool final_holds([[maybe_unused]] const unsigned* memory) {\n" +
           write_final(program(kernel), host_dialect()) + "  return true;\n}\n";
  }

 private:
  SourceProgram program(const Kernel& kernel) const {
    return {syntax_, constants_, *code_, kernel, names};
  }
  bool is_empty(std::size_t block) const {
    const auto [first, last] = threads_of(syntax_.blocks[block], constants_);
    return first > last;
  }

  std::shared_ptr<const Code> code_;
  Syntax syntax_;
  Constants constants_;
};

void require_awaits(const Syntax& syntax, const Kernel& kernel) {
  each_statement(syntax, [&](const Statement& s) {
    if (s.kind != StatementKind::await) return;
    if (!kernel.options.spin) {
      throw Error(fmt::format(
          "{} cannot be exported: {} gives its place up while it waits, and a loop does not; "
          "--await spin writes a loop, which needs the promises of one",
          kernel.name, s.source.text));
    }
    if (count_accesses(*s.expression) > 1) {
      throw Error(fmt::format("{} cannot be exported: {} looks at several words at once",
                              kernel.name, s.source.text));
    }
  });
}

}  // namespace

void lower_groups(const std::shared_ptr<const Code>& code, Kernel& kernel) {
  const auto body = std::make_shared<SourceBody>(code);
  const Syntax& syntax = body->syntax();
  require_awaits(syntax, kernel);
  Groups& groups = kernel.groups.emplace();
  groups.topology = code->topology;
  Meetings meetings = find_meetings(syntax, body->constants());
  groups.barriers = std::move(meetings.barriers);
  groups.operations = std::move(meetings.operations);
  groups.has_final = syntax.final.has_value();
  each_statement(syntax, [&](const Statement& s) {
    groups.has_labels = groups.has_labels || s.kind == StatementKind::label;
    groups.falls_through =
        groups.falls_through || (s.kind == StatementKind::switch_ && falls_through(s));
  });
  for (const auto& variable : code->variables) {
    auto& locations = variable.per_workgroup ? groups.locations : kernel.locations;
    auto& initial = variable.per_workgroup ? groups.initial : kernel.initial;
    const int first = static_cast<int>(initial.size());
    locations.push_back(
        {identifier("LOC_", variable.name, variable.first_cell), first, variable.is_array});
    body->names.push_back(locations.back().name);
    for (int i = 0; i < variable.size; ++i) {
      initial.push_back(static_cast<std::uint32_t>(code->initial[variable.first_cell + i]));
    }
  }
  // A buffer has at least one word.
  if (kernel.initial.empty()) {
    kernel.locations.push_back({"LOC_0", 0, false});
    kernel.initial.push_back(0);
  }
  kernel.body = body;
}

}  // namespace headway::emit
