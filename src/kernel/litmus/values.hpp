// The integers and addresses of a thread of a launch: what is known stands for itself, the rest is
// in registers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "consistency/program.hpp"
#include "kernel/litmus/integers.hpp"
#include "kernel/litmus/line_text.hpp"
#include "kernel/litmus/unsaid.hpp"
#include "kernel/machine/contacts.hpp"
#include "kernel/machine/launch.hpp"

namespace headway::kernel::litmus {

using Made = consistency::Instruction;

// What all threads of a launch share.
struct ThreadContext {
  const Launch& launch;
  const std::string& language;
  const LineText& line_text;
  Contacts contacts;           // of an object that nobody writes what it holds at first is known
  std::vector<Unsaid> unsaid;  // by value
};

// What a value is in a thread.
struct Held {
  enum class Kind { nothing, number, pointer };
  Kind kind = Kind::nothing;
  Term term;                // of a pointer the bytes from its object on
  Instance object = kNone;  // of null: none
};

class Values {
 public:
  Values(const ThreadContext& context, int thread);

 protected:
  // Throws headway::Error without a place: what is refused stands at the instruction that is
  // translated.
  [[noreturn]] static void refuse(const std::string& what);

  int new_register(const std::string& name);
  int register_for(ValueId id);
  // A register for each phi, which is set on the ways to it.
  void make_phis();

  Held held(ValueId id) const;
  Term number(ValueId id) const;
  Held pointer(ValueId id) const;
  // What an instruction gives.
  void give(const Instruction& i, Term term);
  void give(const Instruction& i, Instance object, Term bytes);
  // Of an instruction whose result is all that it does, and is said.
  void compute(const Instruction& i);

  // The number of the instruction among those of the thread.
  std::size_t emit(Made made);
  void assign(int target, Term value);
  void fail_where(Term condition, std::string fault);

  // The object of a phi of addresses, before one of its ways is taken.
  static constexpr Instance kUnset = kNone - 1;

  const ThreadContext& context_;
  const Launch& launch_;
  const Function& function_;
  const int thread_;
  std::vector<Held> held_;  // by value, of instructions
  consistency::Thread result_;
  const Instruction* at_ = nullptr;  // that is translated

 private:
  Held argument(const Value& value) const;
  Term kept(ValueId id, Term term);
  void compare_pointers(const Instruction& i);
  void compute_value(const Instruction& i);
  void select(const Instruction& i);
  Number builtin(const Instruction& i) const;
};

}  // namespace headway::kernel::litmus
