// Statements of PTX -> instructions of kernel IR, at the place where the builder is. Where these
// come to several blocks, the builder is behind them in the end.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/ir/builder.hpp"
#include "kernel/ptx/addresses.hpp"
#include "kernel/ptx/instructions.hpp"
#include "kernel/ptx/module_context.hpp"
#include "kernel/ptx/registers.hpp"
#include "kernel/ptx/syntax.hpp"

namespace headway::kernel::ptx {

inline constexpr std::size_t kMostStatements = 4096;

// What a register that was there before holds: a value of its type, or a pointer; kNone where it
// is for the text to set.
struct Before {
  ValueId value = kNone;
  bool written = false;  // the text may
  bool literal = false;  // a number that stands in the text, of any width
};

// What a variable of a text is: memory, or the value of a parameter.
struct Held {
  ValueId pointer = kNone, value = kNone;
  std::optional<Space> space = {};  // of memory; none: of a parameter
};

class Emitter {
 public:
  // Of inline assembly.
  Emitter(const Module& module, Builder& builder, const Text& text, std::vector<Before> before,
          SharedAddresses& shared);
  // Of a function of a module. `given`: its results and parameters.
  Emitter(const Module& module, Builder& builder, const Text& text, ModuleContext& context,
          std::vector<Held> given);

  // Throws Refused.
  void run();
  // Of a function of a module; the builder is where it has ended, then, unless threads have.
  // `returns`: where it goes to in the end; kNone: threads end.
  void run_function(BlockId returns);
  // Of a register, where the builder is.
  ValueId result(std::uint32_t reg) { return registers_.read(reg); }
  // Whether memory is accessed, or threads meet.
  bool touches_memory() const { return touches_memory_; }

 private:
  struct DataType {
    Type type;
    bool is_signed = false;
  };

  [[noreturn]] void refuse(const std::string& why) const;
  void statements();
  void statement(const Statement& one);
  void act();
  void guarded();
  void jump_to(BlockId target);
  void go_on_unreached();

  // Operands and modifiers of the statement at hand.
  bool has(std::string_view modifier) const;
  bool is_shared() const { return has("shared") || has("shared::cta"); }
  // The types among the modifiers: the first and the last one.
  DataType first_type() const;
  DataType type() const;
  const Operand& operand(std::size_t index) const { return at_->operands[index]; }
  std::size_t operands() const { return at_->operands.size(); }
  ValueId value(const Operand& of, Type type);
  ValueId value(std::size_t index, Type type) { return flushed(value(operand(index), type)); }
  ValueId flushed(ValueId a);
  ValueId saturated(ValueId a);
  bool is_literal(const Operand& of) const;
  ValueId held(std::uint32_t reg);
  ValueId of_register(const Operand& of, Type type);
  ValueId special(const Operand& of);
  ValueId lane_mask(std::string_view which);
  ValueId real(const Operand& of, Type type);
  std::optional<std::uint64_t> known(std::size_t index, Type type);
  std::optional<std::uint64_t> only_number(std::uint32_t reg);
  void find_writes();
  ValueId cast(ValueId value, Type type);  // of the same width
  void give(const Operand& to, ValueId value);
  void give_extended(const Operand& to, ValueId value, bool is_signed);
  // Of the space that the statement names, or, where it names two, of one of them.
  ValueId address(const Operand& of) { return address(of, is_shared(), has("global")); }
  ValueId address(const Operand& of, bool shared, bool global);
  void check_space(ValueId pointer, bool shared, bool global);
  ValueId unknown(Type type);
  void require(ValueId holds, const char* what);  // else it is an error of that name
  ValueId emit(Instruction made);                 // one that gives something
  ValueId truth(ValueId value);
  ValueId math(Math function, Type type, std::vector<ValueId> operands);
  ValueId integer(Type type, std::uint64_t value) { return builder_.integer(type.bits, value); }

  // functions.cpp
  void hold_variables();
  std::optional<Held> place_of(const Operand& name);
  ValueId number_of(const Held& variable, const Operand& of, Type type);
  ValueId parameter_place(const Operand& of);
  void load_parameter();
  void store_parameter();
  ValueId module_address(const Operand& of, bool shared, bool global);
  ValueId module_address(const Operand& of, Addresses wanted);
  void convert_module_address();
  ValueId marked(Op op, ValueId value, Addresses of);
  ValueId workspace_half(bool high);
  std::optional<ValueId> joined_halves(ValueId low, ValueId high) const;
  void call();
  bool call_known(const std::string& name);
  void ret();

  // emitter.cpp
  void branch();
  void exit();
  void trap();

  // arithmetic.cpp
  void move();
  void pack(const Operand& from);
  void unpack(const Operand& to);
  void binary();
  void add_within_range();
  ValueId within(ValueId a, bool is_signed, int bits, bool to_signed);
  ValueId quotient(ValueId a, ValueId b, Type of);
  void divide();
  void minimum();
  void multiply();
  void multiply_add();
  ValueId product();
  void shift();
  void unary();
  void fuse();
  void function();
  std::optional<Math> rounded(Math toward_zero) const;
  void count_bits();
  void find_bit();
  void mask_bits();
  void reciprocal();
  void approximate();
  void compare();
  ValueId comparison(ValueId a, ValueId b);
  ValueId real_comparison(ValueId a, ValueId b);
  ValueId compared(Compare which, ValueId a, ValueId b);  // reals
  void choose();
  void convert();
  void convert_real();
  void convert_address();
  void extract_field();
  void insert_field();

  // halves.cpp
  bool is_of_halves() const;
  void halves();
  std::vector<ValueId> lanes(std::size_t index);
  void each_lane(const std::function<ValueId(const std::vector<ValueId>&)>& act);
  ValueId fused(const std::vector<ValueId>& halves);
  ValueId brain(ValueId single);
  void convert_pair();
  void convert_brain();

  // carries.cpp
  void carry();
  void carry_product();
  ValueId with_carry(Op op, ValueId a, ValueId b, bool takes);

  // words.cpp
  ValueId pair_of(ValueId low, ValueId high);
  void difference();
  void lookup();
  void permute();
  void funnel();
  void dot();
  void product_of_24();
  void is_zero();
  void choose_by_sign();
  void copy_sign();

  // memory.cpp
  Order order(Order otherwise) const;
  Scope scope(Scope otherwise) const;
  Instruction access(Op op, Type type, ValueId at);
  void require_scope();
  void load();
  void store();
  void load_part(ValueId from, std::size_t part, const Operand& to);
  void store_part(ValueId to, std::size_t part, const Operand& from);
  // Of the operands that are data: each part of a vector, `access` with its number.
  void each_part(const Operand& data, const std::function<void(std::size_t, const Operand&)>& act);
  void in_any_order(std::size_t parts, const std::function<void(std::size_t)>& act);
  void update();
  void fence();
  bool is_of_block(std::size_t number, std::size_t most);
  void barrier();
  void barrier_reduce();
  void warp_barrier();

  // phases.cpp
  ValueId arrivals(std::size_t index);
  ValueId expected(ValueId arrivals);
  ValueId parity(ValueId arrivals, ValueId expected);
  void begin_barrier(), end_barrier(), arrive(), test_phase();

  // copies.cpp
  void copy(), commit(), wait();

  // warp.cpp
  Instruction subgroup(Subgroup operation, Type type, std::initializer_list<ValueId> operands,
                       std::size_t mask_at);
  void shuffle(), shuffle_within(), vote(), match(), elect(), reduce(), active_mask();

  const Module& module_;
  Builder& builder_;
  const Text& text_;
  std::vector<Before> before_;
  Registers registers_;
  SharedAddresses* shared_ = nullptr;  // of inline assembly
  ModuleContext* context_ = nullptr;   // of a module
  std::vector<Held> held_;             // Text::variables
  struct Writes {
    int count = 0;
    const Statement* by = nullptr;  // the last one
  };
  struct Half {
    ValueId whole = kNone;
    bool high = false;
  };
  std::map<ValueId, Half> halves_;  // of an address, as 32 bits or with zeros above them
  std::vector<Writes> writes_;      // by registers; empty: not looked at
  BlockId returns_ = kNone;
  std::vector<BlockId> labels_;
  const Statement* at_ = nullptr;
  const Row* row_ = nullptr;
  BlockId unreached_ = kNone;     // the last block that nothing leads to
  std::optional<ValueId> carry_;  // of this block
  bool touches_memory_ = false;
};

}  // namespace headway::kernel::ptx
