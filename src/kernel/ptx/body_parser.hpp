// Statements between braces, or in inline assembly -> syntax.hpp. Linear in the text, up to limits
// on braces and registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/ptx/lexer.hpp"
#include "kernel/ptx/syntax.hpp"

namespace headway::kernel::ptx {

class BodyParser {
 public:
  // `before`, `variables`: what is there before the text, by name; `variables`: of a function of a
  // module, whose texts have directives that assembly has not. The lexer must outlive the parser.
  BodyParser(Lexer& lexer, std::vector<Register> before);
  BodyParser(Lexer& lexer, std::vector<Variable> variables);

  // Up to the end of the text.
  Text parse_all();
  // Behind '{', up to the '}' that closes it.
  Text parse_function();

 private:
  // Names between two braces, and the operands that name labels which may yet come.
  struct Wanted {
    std::size_t statement, operand;
  };
  struct Braces {
    std::map<std::string, std::uint32_t, std::less<>> registers, labels, variables;
    std::vector<Wanted> wanted;
  };

  void statement();
  void operands(Statement& made);
  Guard guard();
  void label(const Token& name);
  void directive(const Token& name);
  void location();
  void skip_list();
  Location in_own_file(const Location& inner) const;
  void registers();
  void declare(Register made, const Token& at);
  void declare(Variable made, const Token& at);
  std::optional<std::uint32_t> find(std::string_view name) const;
  std::optional<std::uint32_t> find_variable(std::string_view name) const;
  void close_scope();
  Operand operand(std::size_t number);
  Operand simple(std::size_t number);
  Operand negated();
  Operand vector(std::size_t number);
  Operand list(std::size_t number);
  Operand named(const Token& first, std::size_t number);
  Operand address(std::size_t number);

  Lexer& lexer_;
  const bool is_of_module_;
  Text result_;
  Location source_;
  std::map<Location, Location> callers_;  // of lines that are inlined
  std::vector<Braces> scopes_;
  std::vector<std::size_t> names_;  // of the operands of the statement at hand
};

}  // namespace headway::kernel::ptx
