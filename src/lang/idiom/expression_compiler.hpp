// The part of the compiler that turns expressions into nodes, and what they do on the way into
// instructions.
#pragma once

#include "lang/idiom/code.hpp"
#include "lang/idiom/constants.hpp"

namespace headway::lang::idiom {

class ExpressionCompiler {
 protected:
  // The registers behind a name.
  struct Array {
    int first = 0;
    int size = 1, row = 1;
  };

  ExpressionCompiler(const Syntax& syntax, const Constants& constants, const Code& code, int id)
      : syntax_(syntax), constants_(constants), code_(code), id_(id) {}
  ~ExpressionCompiler() = default;

  int here() const;
  int emit(Instruction::Kind kind, int value = -1, int target = -1);
  void point(const std::vector<int>& jumps, int target);
  // Makes the registers of a name, with `prefix` in front of it.
  void declare(const Register& r, const std::string& prefix);

  int add(Node node);
  int number(std::int64_t value);
  int id(Id id) const;
  // A register of the compiler's own. What one statement needs, the next may use again.
  int temporary(int low, int high, std::size_t offset);

  // The expression with its accesses performed, from left to right, by instructions that are
  // emitted here; what is left of it is a node.
  int pure(const Expression& e);
  // Goes on behind here when the expression holds; the jumps returned are taken when it does not.
  std::vector<int> unless(const Expression& e);
  // The place in an array of one or two dimensions; of two, each index has bounds of its own.
  int flat_index(const std::vector<Expression>& indices, int size, int row);
  void choice(const Expression& e, int target);
  void access(const Expression& e, int target);
  // Performs a call. Gives the register that holds its value, -1 where it has none.
  virtual int call(const Expression& e) = 0;

  const Syntax& syntax_;
  const Constants& constants_;
  const Code& code_;
  const int id_;
  ThreadCode thread_;
  int source_ = -1;
  std::uint32_t taken_ = 0;    // registers of the compiler's own in this statement
  std::vector<Array> arrays_;  // by register of the block
  Element element_;            // whose initial value this is
  bool at_once_ = false;       // whether all loads are one access here

 private:
  int register_node(int reg);
  // Refuses too many ways for the lanes of a subgroup in lockstep to choose together.
  void limit_choices(std::int64_t each, std::size_t offset) const;
  // An operation of the subgroup. Gives the register that holds its value.
  int operation(const Expression& e);
  // The values that an operand of one may have.
  std::pair<int, int> range_of(const Expression& e) const;
  // A load in the condition of an await, where all of them are one step.
  int load(const Expression& e);
  int flat_index(const std::vector<int>& nodes, int size, int row);
  // a && b, where the accesses of b happen only when a holds.
  int short_circuit(const Expression& e);
};

}  // namespace headway::lang::idiom
