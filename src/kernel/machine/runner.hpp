// How the machine takes steps: one thread at a time, its registers at hand.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "kernel/machine/contacts.hpp"
#include "kernel/machine/host.hpp"
#include "kernel/machine/kept.hpp"
#include "kernel/machine/machine.hpp"

namespace headway::kernel {

class Machine::Runner {
 public:
  explicit Runner(Machine& machine);

  // From the choice with the number `at` of the script on.
  MachineState initial(Script& script, std::size_t at = 0);
  void step(MachineState& state, int thread, Script& script);
  std::optional<Touch> touch(const MachineState& state, int thread);

 private:
  struct Stopped {};  // by a fault, which is in the state
  struct Exited {};   // by the program itself
  struct Apart {};    // the two ways of a branch cannot be taken together
  enum class End { parked, ended, joined };

  // Control (runner.cpp).
  void begin(MachineState& state, Script& script, std::size_t at = 0);
  void take_up(int thread);  // makes its registers those at hand
  void go_on(int thread);    // runs it from where it is, and whom it lets go on
  void run_all(std::vector<int> threads);
  void run_thread(int thread);
  End run(BlockId block, std::uint32_t index, BlockId stop, BlockId& from);
  void perform(const Instruction& instruction);
  Cell value(const Instruction& instruction);
  void claim(const Instruction& instruction);
  BlockId next_block(const Instruction& end, BlockId block, BlockId stop, BlockId& from);
  void enter(BlockId block, BlockId from);
  bool both_ways(const Instruction& end, BlockId block, smt::Term condition, BlockId& next);
  void park(int thread, BlockId block, std::uint32_t index, Status status);
  void watch_loop(BlockId block);
  std::vector<Memory::PagePtr> own_pages() const;
  void look_back(BlockId block);
  bool excludes(smt::Term assumption);
  Progressed progressed() const;
  bool is_doubtful(smt::Term also = smt::Term{1}) const;
  [[noreturn]] void fail(FaultKind kind, std::string detail, bool possible = false);
  // Fails for the data for which `wrong` holds, and goes on for the others.
  void fail_where(smt::Term wrong, FaultKind kind, const std::string& detail);
  [[noreturn]] void fail_at(FaultKind kind, std::string detail, const Access& other, bool possible);

  // Threads that meet (meeting.cpp).
  std::vector<int> meet_all(const std::vector<int>& threads);
  bool wait_for_good(std::vector<int> threads);
  std::vector<int> meet(int thread);
  std::vector<int> members(int thread, const Instruction& at);
  const Instruction& instruction_of(int thread) const;
  bool waits_with(int other, int thread);
  std::uint64_t mask_of(int thread);
  void fail_at_ended(int thread);
  void check_masks(const std::vector<int>& threads);
  std::vector<int> meet_group(int thread, const Instruction& at);
  void give_results(const std::vector<int>& all, const Instruction& at);
  Cell broadcast(const Instruction& at, const std::vector<int>& all, const std::vector<Cell>& of);
  Cell subgroup_result(const Instruction& at, int thread, const std::vector<int>& threads,
                       const std::vector<Cell>& values);
  void release(int thread, std::optional<Cell> given);
  Cell operand_of(int thread, const Instruction& at, std::size_t operand);

  // Barriers by their numbers (numbered_barriers.cpp).
  std::vector<int> meet_numbered(int thread, const Instruction& at);
  bool subgroup_comes(int thread, const Instruction& at);
  bool comes_with(int other, int thread);
  NumberedBarrier barrier_of(int thread);
  std::vector<int> waiting_at(const NumberedBarrier& barrier);
  std::uint64_t arrived_at(const NumberedBarrier& barrier);
  void require_phase(const NumberedBarrier& barrier, const std::vector<int>& threads);
  void complete(const NumberedBarrier& barrier, const std::vector<int>& waiting);

  // Unknown data (decide.cpp).
  bool decide(smt::Term condition);
  smt::Answer feasible(smt::Term condition);
  smt::Answer solved(smt::Term condition);
  std::optional<std::uint64_t> in_model(smt::Term term);
  void assume(smt::Term condition);
  static constexpr std::string_view kAbsentLane = "?lane ";  // number of the shuffle, the lane
  void fail_at_absent_lane(smt::Term term);
  std::optional<smt::Term> hangs_on_unset(smt::Term term);
  void require_lanes(const Cell& written, Instance object);
  void require_value(smt::Term term, std::string_view what);
  std::optional<Space> unwritten_space(smt::Term leaf) const;
  bool comes_from_nothing(smt::Term term);
  void require_result(Instance object, const Cell& cell);
  void require_shown(const Cell& cell, std::string_view what);
  Cell unset(ValueId id, int thread);
  Cell unset(std::string_view why, int bits);
  Cell unset_shift(int bits);
  Cell drawn(std::string_view what, int bits, std::uint64_t high);
  std::uint64_t concrete(const Cell& cell, int bits, std::string_view what);

  // Operations on registers (operations.cpp).
  smt::Term term(const Cell& cell, int bits);
  Cell simplified(smt::Term term);
  Cell integer(Op op, Type type, const Cell& a, const Cell& b);
  Cell on_pointers(Op op, const Cell& a, const Cell& b);
  std::optional<Cell> low_bits_of(const Cell& pointer, std::uint64_t mask);
  Cell converted_cell(const Instruction& instruction, const Cell& a);
  Cell math(const Instruction& instruction, std::array<Cell, 3> operands);
  Cell moved(const Cell& pointer, const Cell& bytes);
  Cell chosen(smt::Term condition, const Cell& a, const Cell& b, int bits);
  Cell builtin(const Instruction& instruction);
  Cell updated_cell(Update update, Type type, const Cell& old, const Cell& operand);

  // Operations on reals (reals.cpp).
  Cell real(const Instruction& instruction, const Cell& a, const Cell& b);
  double magnitude(smt::Term term, int bits);
  static std::string conversion_name(Op op, int from, int to);
  Cell applied(const std::string& name, int bits, std::vector<smt::Term> operands,
               const Computed& by);
  std::optional<Cell> lifted(const Cell& cell, int bits, const std::function<Cell(const Cell&)>& of,
                             int result_bits);

  // Memory (access.cpp).
  void access(const Instruction& instruction);
  Address address(const Cell& pointer);
  void check(const Address& address, std::uint64_t bytes, bool writes);
  void check_length(const ObjectInfo& info, smt::Term at, std::uint64_t bytes, bool writes);
  void check_alignment(const Address& address, std::uint32_t align, bool writes);
  bool may_race(Instance object, const Instruction& i, bool writes) const;
  void note(Instance object, std::uint64_t at, std::uint64_t bytes, const Instruction& i,
            bool writes, std::uint64_t same_bytes = 0, smt::Term differs = smt::Term{1});
  smt::Term difference(const Cell& before, const Cell& after, int bytes);
  std::uint64_t same_bytes(const Cell& before, const Cell& after, int bytes);
  Cell read(Instance object, std::uint64_t at, int bytes);
  Cell initial_cell(Instance object, std::uint64_t at, int bytes);
  Cell byte_of(const Memory::Piece& piece, std::uint64_t at);
  Cell joined(const std::vector<Cell>& bytes);
  void write(Instance object, std::uint64_t at, int bytes, const Cell& cell);
  void isolate(Instance object, std::uint64_t at, std::uint64_t bytes);
  void put(Instance object, std::uint64_t at, int bytes, const Cell& cell);
  void drop(Instance object, std::uint64_t at, std::uint64_t bytes);
  void enter_scope(Instance object, bool ends);
  void atomic(const Instruction& instruction, Instance object, std::uint64_t at);
  void at_each_place(const Address& to, int bytes, const std::function<void(std::uint64_t)>& act);
  bool is_shared(Instance object) const;

  // Copies (copies.cpp).
  void asynchronous(const Instruction& instruction);
  void thread_copy(const Instruction& instruction);
  void require_same(const std::vector<int>& threads, const std::vector<Cell>& given);
  void group_copy(const std::vector<int>& threads, const Instruction& at);
  void wait_events(const std::vector<int>& threads, const Instruction& at);
  void copy(const Instruction& instruction);
  void fill(const Instruction& instruction);
  void transfer(const Instruction& at, const Cell& to, const Cell& from, std::uint64_t bytes);
  void fill_memory(const Instruction& at, const Cell& to, const Cell& value, std::uint64_t bytes);

  // Calls of host programs (host_calls.cpp, host_functions.cpp, host_launches.cpp).
  Cell call(const Instruction& instruction);
  void print(const Instruction& instruction);
  std::string text_at(const Cell& pointer);
  bool fails();
  std::optional<Cell> failure_of_call(const Instruction& call);
  void take_for_granted(const std::string& phrase);
  bool is_used(ValueId value) const;
  bool is_asked_for_null(const Instruction& call) const;
  void reset_device();
  Cell call_function(const Function& function, const Instruction& instruction);
  Instance allocate(std::string name, Space space, std::uint64_t bytes, Fill fill);
  std::uint32_t choose(std::uint32_t alternatives);
  void copy_memory(const Cell& to, const Cell& from, std::uint64_t bytes);
  void device_copy(const Cell& to, const Cell& from, std::uint64_t bytes, const Cell& kind);
  Instance device_variable(const Cell& symbol);
  Size3 size_of(const Cell& xy, const Cell& z);

  // Streams of host programs (host_streams.cpp).
  void note_beside(const Beside& beside, Instance object, std::uint64_t at, std::uint64_t bytes,
                   const Instruction& instruction, bool writes, std::uint64_t changed);
  void check_beside(const Address& to, std::uint64_t bytes, bool writes);
  void require_idle(Instance object, const char* what);
  void run_task(Streams::Handle stream, const std::function<void()>& act);
  void run_copy(Streams::Handle stream, bool is_async, const Cell& to, const Cell& from,
                const std::function<void()>& act);
  Streams::Handle stream_of(const Cell& cell);
  Streams::Handle event_of(const Cell& cell);
  bool is_done(const Streams::Tasks& tasks);
  std::optional<Cell> order(const Instruction& instruction);

  // Launches of host programs (host_launches.cpp).
  std::optional<Cell> launch_call(const Instruction& instruction);
  const Function& kernel_of(const Cell& stub);
  Cell launch_kernel(const Instruction& instruction, const Function& function,
                     const HostWorld::Configuration& made, bool cooperative);
  using Failure = std::pair<std::string, Cell>;  // why, and the error
  std::optional<Failure> failure_of(const Function& function, const HostWorld::Configuration& made,
                                    bool cooperative);
  void run_kernel(const Function& function, const HostWorld::Configuration& made,
                  const Cell& arguments, bool cooperative);
  std::optional<KnownLaunch> explore_kernel(const Launch&, const HostWorld::Configuration&,
                                            Streams::Handle stream);

  Cell& reg(ValueId id) { return registers_[id]; }
  void give(const Instruction& instruction, const Cell& cell) {
    if (instruction.result != kNone) registers_[instruction.result] = cell;
  }
  int bits(ValueId id) const { return function_.values[id].type.bits; }

  Machine& machine_;
  const Code& code_;
  const Function& function_;
  const Launch& launch_;
  smt::Context& terms_;
  Contacts contacts_;

  MachineState* state_ = nullptr;
  Script* script_ = nullptr;
  std::size_t script_at_ = 0;
  int thread_ = 0;
  std::uint32_t number_ = 0;  // of the instruction at hand
  std::vector<Cell> registers_;
  Cell returned_ = Cell::undefined();
  std::vector<ValueId> addresses_, own_arguments_, unset_;
  std::vector<std::vector<Cell>> unset_cells_;             // by thread, as unset_
  std::unordered_map<std::uint32_t, double> magnitudes_;   // of terms
  std::unordered_map<std::uint32_t, Instance> unwritten_;  // of variables for bytes: the object
  smt::Term guard_{1};                                     // of the ways that are taken together

  std::vector<Undo>* undo_ = nullptr;
  const Beside* beside_ = nullptr;
  bool by_agent_ = false;             // what is accessed, beside the thread at hand
  bool copies_ = false;               // a call that may touch either side's memory
  int together_ = 0, decisions_ = 0;  // branches that are being taken both ways; meanwhile
  std::vector<Noted> noted_;
  std::uint64_t ticks_ = 0;  // instructions of all threads, to look at the clock now and then

  // To see a loop that never ends: Brent's way (BIT, 1980). Changes are of memory that is not the
  // thread's own: that is compared.
  std::uint64_t steps_ = 0, changes_ = 0;
  Snapshot snapshot_;
};

}  // namespace headway::kernel
