// Values of a kernel as expressions of the idiom language. It computes with 64 bits and does not
// wrap around, so that what is seen of the operands has to show that the kernel does not either.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernel/slice/relevant.hpp"
#include "kernel/slice/statements.hpp"

namespace headway::kernel::slice {

// Cells that become a variable: those of a section that the accesses which are kept touch.
struct SharedVariable {
  std::string name;
  std::uint32_t section = 0;
  int bytes = 0;
  std::uint64_t from = 0, stride = 1, count = 1;
  Seen seen;
  std::vector<std::optional<std::int64_t>> initial;
  bool is_array() const { return count > 1; }
};

class Expressions {
 public:
  Expressions(const Code& code, const Launch& launch, const Observed& observed,
              const Relevant& relevant);

  // Throws lang::Undecided for what cannot be said.
  Text value(ValueId id);
  Text given(ValueId id);  // the same, though it is a register
  // The access with the number, "fetch_add(next, 1)".
  Text access(std::uint32_t number);
  Text place(std::uint32_t number);  // the cell alone, "next", of a thread's own array, too
  // The meeting of a subgroup that gives something, "any(x == 0)".
  Text subgroup(const Instruction& i);

  // A value that is kept in a register from now on.
  int make_register(ValueId id, const std::string& wanted);
  int register_of(ValueId id) const { return register_of_[id]; }
  void join_registers(int kept, int given_up);
  void name_registers();  // when all have been made

  const std::vector<SharedVariable>& variables() const { return variables_; }
  std::vector<Register> registers() const;
  const std::map<std::string, std::int64_t>& constants() const { return constants_; }
  std::string free_name(const std::string& wanted);
  std::string type(const Seen& seen, const std::string& of) const;
  bool names_all(std::uint32_t number) const { return observed_.names_all(number); }
  bool is_flat() const { return launch_.group_threads() == 1; }
  const Instruction& instruction(ValueId id) const { return code_.instruction(definition_[id]); }

  [[noreturn]] void refuse(const Instruction& at, const std::string& why) const;

 private:
  struct Sum {  // of an address: bytes, as factors of values
    std::int64_t constant = 0;
    std::vector<std::pair<ValueId, std::int64_t>> terms;
  };

  void find_variables();
  const Seen& seen(ValueId id, const Instruction& at) const;
  bool wraps(const Instruction& i, __int128 low, __int128 high) const;
  void require_exact(const Instruction& i) const;
  Text operation(const Instruction& i);
  Text integer(const Instruction& i);
  Text math(const Instruction& i);
  Text binary(const Instruction& i, const char* sign, int strength);
  Text comparison(const Instruction& i);
  Text builtin(const Instruction& i) const;
  Text choice(const Instruction& i);
  Text joined(const Text& a, const std::string& sign, const Text& b, int strength) const;
  Text number(std::int64_t value) const;
  Text index(const SharedVariable& of, ValueId pointer, const Instruction& at);
  void add(Sum& sum, ValueId id, std::int64_t factor) const;
  const SharedVariable& variable(std::uint32_t number) const;

  const Code& code_;
  const Function& function_;
  const Launch& launch_;
  const Observed& observed_;
  const Relevant& relevant_;
  std::vector<std::uint32_t> definition_;
  std::vector<SharedVariable> variables_;
  std::map<std::uint32_t, std::size_t> variable_of_;  // by instruction
  std::vector<int> register_of_;
  struct Slot {
    std::string name;
    Seen seen;
    bool given_up = false;
  };
  std::vector<Slot> slots_;
  std::map<std::string, std::int64_t> constants_;
  std::map<std::uint32_t, std::string> constant_of_;  // by parameter
  std::set<std::string> names_;
};

}  // namespace headway::kernel::slice
