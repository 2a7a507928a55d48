// What litmus files of all languages share: names of registers and locations, the initial state,
// and the condition.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "consistency/litmus/choice.hpp"
#include "consistency/litmus/cursor.hpp"

namespace headway::consistency::litmus {

// What a name of memory means.
struct Address {
  int location = 0;
  int alias = -1;          // as in Instruction
  std::string proxy = {};  // by which it is come to, in PTX; empty: any
};

// A program while its file is read.
class Builder {
 public:
  explicit Builder(Program& program) : program_(program) {}

  Program& program() { return program_; }
  // The number of a location, a new one if need be.
  int location(const std::string& name);
  bool is_location(const std::string& name) const;
  // The same of a name that may be one more of a location.
  Address address(const std::string& name);
  // The thread "P1", or "1"; -1 if that is no name of a thread.
  static int thread_number(std::string_view name);
  // The number of a register of a thread, a new one if need be.
  int register_of(int thread, const std::string& name);
  // -1: there is none of this name.
  int find_register(int thread, const std::string& name) const;

  // What could stand in an instruction instead; its text is told once it is read.
  void choice(Choice choice) { choices_.push_back(std::move(choice)); }
  // Tells the choices that stand behind `begin`, and of which that is not known, their instruction.
  void name_choices(std::size_t begin, int line, const std::string& instruction);
  std::vector<Choice>& choices() { return choices_; }

  // "{ x = 0; 1:r0 = 1; }" behind which the cursor stands then.
  void initial_state(Cursor& cursor);
  // Sets of registers what the initial state says, once the threads are known.
  void finish(Cursor& cursor);
  // "filter (...)", "locations [...]", "exists (...)": all that stands behind the threads.
  void conditions(Cursor& cursor);

 private:
  void alias(Cursor& cursor, const std::string& name, std::size_t offset);
  Proposition proposition(Cursor& cursor);
  Proposition conjunction(Cursor& cursor);
  Proposition literal(Cursor& cursor);
  struct Operand {
    Proposition compares;  // what it is compared as, unless it is a number
    bool is_number = false;
    Number number = 0;
  };
  Operand operand(Cursor& cursor);

  struct InitialRegister {
    std::size_t offset;
    int thread;
    std::string name;
    Number value;
  };

  Program& program_;
  std::vector<InitialRegister> initial_;
  std::map<std::string, Address> aliases_;
  std::vector<Choice> choices_;
  int depth_ = 0;
};

// Characters of names of registers and locations beside letters, digits and '_'.
inline constexpr std::string_view kInNames = "%$.";

// Reads the threads of a file, between its initial state and its condition.
void parse_c(Cursor& cursor, Builder& builder);
void parse_ptx(Cursor& cursor, Builder& builder);
void parse_vulkan(Cursor& cursor, Builder& builder);

}  // namespace headway::consistency::litmus
