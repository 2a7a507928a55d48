// The half of the parser that reads expressions, with the names that they may use and the limits
// that both halves keep.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <initializer_list>
#include <map>
#include <optional>

#include "base/text/scanner.hpp"
#include "lang/idiom/limits.hpp"
#include "lang/idiom/syntax.hpp"

namespace headway::lang::idiom {

// Words that are no names.
bool is_reserved(const Token& token);
// The access that a word names, if it does.
std::optional<AccessKind> access_kind(const Token& token);
// The same of an operation of a subgroup. Such words are names, too.
std::optional<SubgroupOperation> subgroup_operation(const Token& token);
// The operator that stands in front of the '=' of an assignment, if it may.
std::optional<Operator> assignment_operator(std::string_view sign);

class ExpressionParser {
 public:
  explicit ExpressionParser(Scanner& scanner) : scanner_(scanner) {}

 protected:
  Expression expression();
  // Numbers, constants and N only.
  Expression constant_expression();
  static Expression combine(Operator op, Expression a, Expression b, const Token& where);

  [[noreturn]] void refuse(const std::string& expected) const {
    scanner_.fail(scanner_.peek(),
                  fmt::format("expected {}, found {}", expected, shown(scanner_.peek())));
  }
  void limit(std::size_t count, int most, const std::string& what, const Token& where) const {
    if (count < static_cast<std::size_t>(most)) return;
    scanner_.fail(where, fmt::format("more than {} {}", most, what));
  }
  // Whether a call of `word` begins here, or `word` and one of those. Such words are names, too,
  // where something is called so.
  bool calls(std::string_view word) const { return begins(word, {"("}); }
  bool begins(std::string_view word, std::initializer_list<std::string_view> next) const;
  // "[4][N]", of an array; gives how many dimensions it has. And the same of an element of `what`.
  std::size_t sizes(std::optional<Expression>& size, std::optional<Expression>& columns);
  std::vector<Expression> indices(std::size_t dimensions, const Token& what, bool constant);
  // What is behind the '=' of an array: a list of values in braces, or one for all elements. Gives
  // whether it is a list.
  bool array_values(std::size_t dimensions, std::size_t most, bool constant,
                    std::vector<Expression>& values);
  // Warns of a cas where a truth value is expected. A loop until a cas has found 0 is no mistake:
  // then the old value does say whether it has failed.
  void check_condition(const Expression& condition);
  void check_loop_condition(const Expression& condition);
  // ", acquire, workgroup" behind the values of an access, or of a fence, in front of ")". Both may
  // be left out of an access; a fence has an order.
  Strength strength(std::optional<AccessKind> access, const Token& what);
  // Fails where N is said nowhere.
  void check_n(const Token& n) const;
  template <class Named>
  static int find(const std::vector<Named>& list, const Token& name) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].name == name.text) return static_cast<int>(i);
    }
    return -1;
  }

  // Counts how deep expressions and statements lie in each other.
  class Nesting {
   public:
    Nesting(ExpressionParser& parser, const Token& where) : parser_(parser) {
      if (++parser_.depth_ > kMaxDepth) {
        parser_.scanner_.fail(where,
                              fmt::format("more than {} levels inside each other", kMaxDepth));
      }
    }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    ExpressionParser& parser_;
  };

  Scanner& scanner_;
  Syntax syntax_;  // what is declared in it so far can be named
  std::map<std::string_view, int, std::less<>> registers_;  // that can be named here
  std::vector<std::size_t> dimensions_;  // of the registers of the block; 0 for no array
  bool at_once_ = false;                 // whether only loads are allowed, all of them one access
  bool has_thread_ = true;               // whether a thread computes this
  std::string_view function_;            // whose body this is
  bool value_ignored_ = false;           // by the statement that begins with what is read next
  std::optional<Token> n_named_, size_named_;  // where N and a size of the launch first are

 private:
  Expression binary(int least);
  Expression unary();
  Expression primary();
  void name(Expression& result, const Token& token);
  bool launch_name(Expression& result, const Token& token);
  bool element_name(Expression& result, const Token& token);
  void choice(Expression& result);
  void call(Expression& result, int function);
  void operation(Expression& result, SubgroupOperation operation);
  void hexadecimal(Expression& result);
  void access(Expression& result, AccessKind kind);
  void check_order(std::optional<AccessKind> access, MemoryOrder order, const Token& what) const;
  void depth_of(const Expression& expression, const Token& where) const;

  int operators_ = 0;
  int depth_ = 0;
  bool constants_only_ = false;
  std::size_t element_of_ = 0;  // dimensions of the array whose initial value this is
};

}  // namespace headway::lang::idiom
