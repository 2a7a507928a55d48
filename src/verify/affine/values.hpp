// What integers of a kernel are, as forms over symbols: ids and sizes of the launch, arguments,
// rounds of loops, quotients, and values of which nothing is known. A symbol stands for what its
// value is in one thread at one moment; a form says of a value what it is while that is the last
// one that its instruction gave. 32-bit arithmetic may wrap around: where ranges do not exclude it,
// a quotient by 2^32 says how often it did.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "kernel/ir/ir.hpp"
#include "verify/affine/form.hpp"
#include "verify/encoding/encoder.hpp"

namespace headway::verify::affine {

// A condition on integers. What is not of this kind is left out, so that more holds than does:
// `all` of nothing says nothing. `any` of nothing holds never.
struct Formula {
  enum class Kind : std::uint8_t { not_negative, zero, all, any };
  Kind kind = Kind::all;
  Form form;
  std::vector<Formula> parts;

  bool says_nothing() const { return kind == Kind::all && parts.empty(); }
};
Formula not_negative(Form form);
Formula is_zero(Form form);
Formula all_of(std::vector<Formula> parts);
Formula any_of(std::vector<Formula> parts);

struct Symbol {
  Range range;
  // Threads that come by together, in the same round of all loops around `loop`, have the same.
  Uniform uniform = Uniform::no;
  int loop = kNoLoop;
  // What else is known of it where its value was computed.
  Formula fact;
};

class Values {
 public:
  Values(const kernel::Module& module, const kernel::Function& function, const Flow& flow,
         const Options& options, const Learned& learned);

  const kernel::Function& function() const { return f_; }
  const Flow& flow() const { return flow_; }
  const Regions& regions() const { return regions_; }
  const Symbol& symbol(int id) const { return symbols_[static_cast<std::size_t>(id)]; }

  // Of a dimension; of a loop: in which round it is, the first one is 0.
  int thread(std::size_t dimension) const { return thread_[dimension]; }
  int group(std::size_t dimension) const { return group_[dimension]; }
  int round(int loop);

  // Where a pointer goes to, in bytes from the begin of the only region that it may go to.
  std::optional<Number> offset(kernel::ValueId pointer);
  // What holds where an instruction is executed: branches that lead to it, and what is assumed.
  Formula guards(BlockId block, const kernel::Instruction& instruction);

 private:
  using ValueId = kernel::ValueId;
  using Instruction = kernel::Instruction;

  int add(Symbol symbol);
  void set_up_launch(const Options& options, const Learned& learned);
  Range range_of_form(const Form& form) const;
  // A form without sums that are too large, of a number of so many bits; nothing where there are.
  std::optional<Number> settled(const Form& form, int width, std::optional<Range> range = {}) const;
  Number as(const Number& number, int width, bool with_sign);
  int quotient(const Form& form, Wide divisor, Wide least);
  std::optional<Number> divided(const Number& number, Wide divisor);

  int width(ValueId id) const { return f_.value(id).type.bits; }
  Number number(ValueId id);
  Number unknown(ValueId id);
  std::optional<Number> computed(const Instruction& i);
  std::optional<Number> resized(const Instruction& i);
  std::optional<Number> value(const Instruction& i);
  std::optional<Number> arithmetic(const Instruction& i);
  std::optional<Number> masked(const Instruction& i, const Number& a, Wide mask);
  std::optional<Number> builtin(const Instruction& i);
  std::optional<Number> bounded_by_operands(const Instruction& i);
  Number chosen(ValueId id, std::vector<std::pair<Formula, Number>> choices);

  // Loops (values_loops.cpp).
  bool is_outside(ValueId id, int loop) const;
  bool is_fixed(ValueId id, int loop, int depth) const;
  std::optional<Number> step(ValueId back, ValueId phi, int loop, int depth);
  std::optional<Number> counted(const Instruction& phi);
  struct Turn {
    Number first, step;
    int loop;
  };
  std::optional<Turn> turn_of(const Instruction& phi);
  struct Bound {
    bool with_sign;
    Range range;
  };
  std::optional<Bound> bound_of(const Instruction& phi, const Turn& turn);
  std::optional<Bound> bound_by(const Instruction& comparison, bool stays, const Instruction& phi,
                                const Turn& turn);

  // Conditions (guards.cpp).
  Formula condition(ValueId id, bool holds, int depth = 0);
  Formula compared(const Instruction& i, bool holds);
  Formula told(const Form& form) const;
  void assume_ranges();
  void narrow(const Formula& formula);
  bool is_assumed(const Instruction& i, BlockId block) const;
  Formula way(BlockId from, BlockId to, int depth);
  Formula arrival(BlockId from, BlockId to, int depth);
  std::optional<Number> joined(const Instruction& phi);

  const kernel::Module& module_;
  const kernel::Function& f_;
  const Flow& flow_;
  const Options& options_;
  Regions regions_;
  Uniformity uniformity_;
  std::vector<const Instruction*> made_by_;
  std::vector<BlockId> home_;
  std::vector<Symbol> symbols_;
  std::array<int, 3> thread_{}, group_{};
  std::array<Number, 3> size_, groups_;
  std::vector<Number> arguments_;
  std::map<int, int> rounds_;
  std::map<ValueId, Number> known_;
  std::map<ValueId, int> unknown_;
  std::set<ValueId> open_;
  std::map<std::tuple<Form, Wide, Wide>, int> quotients_;
};

}  // namespace headway::verify::affine
