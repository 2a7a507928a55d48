// Runs compiled threads of the idiom language, a step at a time. A step is one shared access (or an
// await, an arrival at a barrier, a pass) and the local computation behind it, up to the next one;
// a computation that comes back to a loop or label that it has passed since its step began ends
// there, so that it cannot run for ever.
#pragma once

#include <array>
#include <optional>

#include "lang/idiom/code.hpp"
#include "lang/idiom/limits.hpp"

namespace headway::lang::idiom {

// What went wrong in a step.
struct Failure {
  enum class Kind : std::uint8_t {
    none,
    assertion,
    division,        // by zero
    shift,           // by less than 0 or more than 62
    overflow,        // of 64 bits
    index,           // `value` is out of the bounds of variable `place`
    dimension,       // `value` is no index of `place` elements
    absent,          // lane `value` takes no part in an operation of its subgroup
    rendezvous,      // not all threads of the subgroup come to operation `place`
    register_range,  // `value` is out of the range of register `place`
    variable_range   // `value` is out of the range of variable `place`
  };
  Kind kind = Kind::none;
  std::int64_t value = 0;
  int place = 0;
  int source = 0;  // in ThreadCode::sources, of the statement
};

// In words: the kind alone, and with what is in the other fields.
std::string to_string(Failure::Kind kind);
std::string to_string(const Failure& failure, const Code& code, const ThreadCode& thread);

// `a op b`, or `op a`, into `result`.
Failure::Kind apply(Operator op, std::int64_t a, std::int64_t b, std::int64_t& result);

// Where a thread stands between two steps: in front of an access, an await or a barrier, at one, at
// a place that it has come back to, or at its end. The registers that do not matter there hold
// their lowest value.
struct ThreadState {
  int at = 0;  // instruction; kFailed when a step has gone wrong, kOver behind a false assumption
  std::array<int, kMaxRegisters> registers{};

  static constexpr int kFailed = -1;
  static constexpr int kOver = -2;
  friend bool operator==(const ThreadState&, const ThreadState&) = default;
};

// Shared memory, for conditions that read several cells at once.
class Memory {
 public:
  virtual int value(int cell) const = 0;

 protected:
  ~Memory() = default;
};

// What the next step of a thread does to shared memory.
struct Access {
  int cell = -1;  // -1: nothing, or the step fails before it gets there
  Failure failure;
};

// Whether a thread can stand at such an instruction.
bool is_stop(Instruction::Kind kind);

class Machine {
 public:
  // Both must outlive the machine.
  Machine(const Code& code, const ThreadCode& thread) : code_(code), thread_(thread) {}

  // Where the thread starts: its computation up to the first access belongs to no step, unless it
  // ends or fails there, which then is a step.
  ThreadState start() const;
  bool ended(const ThreadState& local) const {
    return local.at == static_cast<int>(thread_.instructions.size()) - 1;
  }
  // The cell that the next step of a thread that has not ended or failed will access.
  Access access(const ThreadState& local) const;
  // Whether the thread, which stands at an await, may go on; what goes wrong lets it go on, too.
  bool holds(const ThreadState& local, const Memory& memory, Failure& failure) const;
  // How many transitions the thread has, where `old` is what the cell of its access holds.
  int choices(const ThreadState& local, const Access& access, int old) const;
  // The first of the assertions of this code that does not hold, which is all that it has.
  Failure judge(const Memory& memory) const;
  // Takes the step that `access` is about, where `old` is what the cell holds. Returns what is
  // written, if anything is; a step that fails writes nothing.
  std::optional<int> step(ThreadState& local, const Access& access, int old, Failure& failure,
                          int choice = 0) const;

  // The parts of a step, for who runs several threads together. The first is what it does before it
  // computes; then the thread stands behind its instruction.
  std::optional<int> perform(ThreadState& local, const Access& access, int old, Failure& failure,
                             int choice = 0) const;
  // Performs one instruction that is no stop, and goes on to the next one.
  void compute(ThreadState& local, Failure& failure) const;
  // Gives the registers that do not matter where the thread stands their lowest value.
  void forget(ThreadState& local) const;
  std::int64_t value_of(int node, const ThreadState& local, Failure& failure) const {
    return value(node, local, failure);
  }
  // The registers as the thread finds them in front of its first instruction.
  ThreadState before() const;
  // Puts a value into a register, or fails.
  bool set(ThreadState& local, int reg, std::int64_t value, Failure& failure) const;

 private:
  // `memory` is what loads read; where there are none it may be null.
  std::int64_t value(int node, const ThreadState& local, Failure& failure,
                     const Memory* memory = nullptr) const;
  int cell(int variable, std::int64_t index, Failure& failure) const;
  void run(ThreadState& local, Failure& failure) const;
  // What a thread has for an operation of its subgroup.
  void bring(ThreadState& local, const Instruction& in, Failure& failure) const;
  void assign(ThreadState& local, const Instruction& in, Failure& failure) const;

  const Code& code_;
  const ThreadCode& thread_;
};

}  // namespace headway::lang::idiom
