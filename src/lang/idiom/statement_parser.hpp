// The part of the parser that reads the statements of thread blocks.
#pragma once

#include <functional>

#include "base/text/several_errors.hpp"
#include "lang/idiom/expression_parser.hpp"

namespace headway::lang::idiom {

class StatementParser : protected ExpressionParser {
 protected:
  using ExpressionParser::ExpressionParser;

  // A name that nothing has yet; `role` says of what.
  Token new_name(const std::string& role);
  Range range();
  // The rest of `block`, with both braces.
  void statements_of(Block& block);
  // "int(0..3) f(bool a) { ... }", "void f() { ... }"
  void function();
  // The same where only assertions about memory may stand.
  void assertions_of(Block& block);

  std::vector<Error> errors_;  // of statements, so far

 private:
  struct Label {
    int index = 0;
    bool defined = false;
  };

  std::vector<Statement> statements();
  void go_on(bool declares);
  std::vector<Statement> body();
  void finish(Statement& statement, const Token& first);
  void statement(std::vector<Statement>& list);
  bool keyword_statement(Statement& result);
  bool begins_declaration() const;
  void end_of(Statement& statement, const Token& first);
  void condition(Statement& statement);
  void declaration(std::vector<Statement>& list);
  bool simple(std::vector<Statement>& list);
  Expression changed(const Expression& target, const Token& sign) const;
  Expression assigned(const Expression& target);
  void branch(Statement& result);
  void loop_body(Statement& result);
  void while_loop(Statement& result);
  void do_loop(Statement& result);
  void for_loop(std::vector<Statement>& list);
  void switch_statement(Statement& result);
  void case_label(Statement& result);
  void await(Statement& result);
  void barrier(Statement& result);
  void fence(Statement& result);
  int barrier_index(const Barrier& barrier, const Token& where);
  int label_index(const Token& name);
  void jump(Statement& result);
  void label(Statement& result);

  Block block_;                                            // the one being read
  Token open_;                                             // the brace that was opened last
  std::map<std::string_view, Label, std::less<>> labels_;  // of the block
  std::vector<Token> jumps_;                               // labels that the block jumps to
  int statements_ = 0;                                     // of the block
  bool gives_value_ = false;                               // whether the function does
  int loops_ = 0;
  int switches_ = 0;
  int breakable_ = 0;                   // loops and switches
  std::vector<std::string_view> lost_;  // names in declarations that are wrong
};

}  // namespace headway::lang::idiom
