// Which accesses of a launch happen before which: who knows of the last accesses of every place,
// threads, atomic cells and fences. Vector clocks say the same (FastTrack: Flanagan and Freund,
// PLDI 2009), but have to be renumbered before equal states are equal. Scopes count: an acquire
// sees a release only where each includes the other's thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "kernel/ir/instruction.hpp"
#include "kernel/machine/known.hpp"
#include "kernel/machine/value.hpp"

namespace headway::kernel {

struct Access {
  std::uint32_t thread = 0;
  std::uint32_t instruction = 0;  // its number in the code, for messages
  bool writes = false, is_atomic = false;
  std::uint8_t width = 0;  // of an atomic access, in bytes
  // Of a write: what it wrote is not what is there now, or it stands for other accesses, too.
  bool mixed = false;
  Scope scope = Scope::system;  // as of Instruction
  smt::Term guard{1};           // when it takes place
  std::uint32_t number = 0;     // of one that was made: its name, up to the next normalize()
};

// Where threads stand in a launch.
struct Places {
  int threads = 1;
  int group_threads = 1;
  int subgroup_threads = 32;
  // What copies beside a thread stands where that does, and is numbered behind all threads.
  int agent(int thread) const { return threads + thread; }
  bool is_agent(int thread) const { return thread >= threads; }
  int thread_of(int thread) const { return is_agent(thread) ? thread - threads : thread; }
  int workgroup(int thread) const { return thread_of(thread) / group_threads; }
  int subgroup(int thread) const {
    return workgroup(thread) * 4096 + thread_of(thread) % group_threads / subgroup_threads;
  }
  bool in_scope(Scope scope, int a, int b) const {
    return scope >= Scope::device || (scope == Scope::workgroup && workgroup(a) == workgroup(b)) ||
           (scope == Scope::subgroup && subgroup(a) == subgroup(b)) || a == b;
  }
};

// Older groups of copies are told apart no more; nobody waits for all but so many.
inline constexpr std::uint64_t kMostCopyGroups = 63;

class HappensBefore {
 public:
  struct Options {
    bool split = false;  // workgroup and global memory apart, as OpenCL's barriers can ask for
    bool wide = false;   // all atomic accesses and fences have the scope of the device, or more
    bool count_benign = false;
    Scope plain = Scope::system;  // the narrowest of plain accesses
    bool strong = false;  // atomic accesses count as releasing and acquiring, for all threads
    // Atomic accesses order memory of the kind that they are in alone, unless fences of both kinds
    // or sequentially consistent accesses are on both sides, as in OpenCL C.
    bool by_space = false;
    // As in PTX: fences that are sequentially consistent come one after the other, and each one
    // synchronizes with those behind it; and an atomic write comes before what follows a read that
    // observes it, as do the atomic accesses of that place that came before the write.
    bool causality = false;
    bool agents = false;  // threads may have copies beside them
  };
  HappensBefore(const Places& places, const Options& options);

  // The accesses of a place that one more of `bytes` at `at` is not ordered behind and that it
  // conflicts with, then notes the access. Two writes of the same value do not conflict, unless
  // `count_benign`: `same_bytes` says which bytes a write of up to eight leaves as they are.
  std::vector<Access> access(Instance object, bool is_local, std::uint64_t at, std::uint64_t bytes,
                             const Access& made, std::uint64_t same_bytes);
  // The same, and notes nothing.
  std::vector<Access> conflicts(Instance object, std::uint64_t at, std::uint64_t bytes,
                                const Access& made, std::uint64_t same_bytes) const;
  // Of `numbers`, accesses of a place that conflict with the last one there: what they wrote, if
  // they took place, is what is there now, as data show that nobody here knows of.
  void keep_written(Instance object, std::uint64_t at, std::uint64_t bytes,
                    const std::vector<std::uint32_t>& numbers);
  void forget(Instance object);  // accesses of an object that is new again

  // Atomic accesses of a place and fences, with the orders that they have.
  // `memory` as in Instruction::memory; by space, the kind of memory that the place is in.
  void load(Instance object, std::uint64_t at, int thread, Order order, Scope scope,
            int memory = 3);
  void store(Instance object, std::uint64_t at, int thread, Order order, Scope scope, bool updates,
             int memory = 3);
  void fence(int thread, Order order, Scope scope, int memory);
  // A plain access writes a place: who reads it observes nobody from now on, and acquires nothing.
  void overwrite(Instance object, std::uint64_t at, std::uint64_t bytes);
  // All of `threads` meet; `memory` as in Instruction::memory. With `hands_on`, as in Vulkan, what
  // was released in front of it is acquired behind it, as if each read what each other one wrote.
  void barrier(const std::vector<int>& threads, int memory, bool hands_on);

  // All of `threads` come to the barrier at a place, where they wait for nobody.
  void arrive(const std::vector<int>& threads, Instance barrier, std::uint64_t at);
  // All of `threads` have waited there, and go on behind those who arrived.
  void leave(const std::vector<int>& threads, Instance barrier, std::uint64_t at);

  // A thread starts a copy beside it, which comes behind what the thread has done: what its agent
  // accesses between the two belongs to it, and is known to nobody until the thread waits.
  std::size_t begin_copy(int thread);
  void end_copy(int thread, std::size_t from);
  // The same of a workgroup, of which any thread may be the one that starts it; with the number of
  // an event, by which all of them wait. Events are numbered from 1 on by the first of the threads.
  std::size_t begin_copy(const std::vector<int>& threads);
  void end_copy(int first, std::size_t from, std::uint64_t event);
  std::uint64_t new_event(int first) const;
  void wait_copies(const std::vector<int>& threads, std::uint64_t event);
  // What a thread has started and is in no group is a group, the latest; it waits for all but so
  // many of these.
  void commit_copies(int thread);
  void wait_copies(int thread, std::uint64_t latest);

  // Drops accesses that all of `alive` are ordered behind, and what nobody can learn from.
  void normalize(const std::vector<bool>& alive);
  // Tells threads apart, where it is not their numbers alone that do: equal for those that may
  // change places. `threads` does that without what this knows.
  std::vector<std::uint64_t> colors(const std::vector<std::uint64_t>& threads) const;
  // Thread t becomes thread to[t]. Wide scopes, or of the same workgroup.
  void rename(const std::vector<int>& to);
  // Equal for equal states, after normalize().
  void append_key(std::vector<std::uint64_t>& key) const;

 private:
  // An access that was made; places say of which it is one of the last.
  struct Made {
    Access access;
    bool is_local = false;
    bool released = false;  // whether somebody else may know of it
  };
  // What a release has published, or what a thread keeps of it for a fence to come.
  struct Released {
    enum class Role : std::uint8_t {
      cell,     // for whoever acquires from the atomic cell at `owner`, `at`
      fenced,   // by a fence of the thread `owner`: what a later relaxed store publishes
      pending,  // seen by a relaxed load of the thread `owner`: what a later acquire fence takes
      // By causality, fences that come before what the thread `owner` does from now on, and what
      // writes and reads of the cell hand on of such: who sees a write comes behind it, and who
      // writes behind all that came before, however relaxed they are.
      fences,
      written,
      read,
      // By causality, what whoever reads the cell comes behind.
      observed,
      // What copies beside the thread `owner` have accessed that it has not waited for. `at`: how
      // many groups began since, 0: it is in none yet.
      copied,
      // The same of a workgroup whose first thread is `owner`, by the event `at`.
      group_copied,
    };
    // By space: who takes memory of both kinds.
    enum class Both : std::uint8_t { nobody, fences, seq_cst };
    Role role = Role::cell;
    Scope scope = Scope::system;
    std::uint32_t owner = 0;
    std::uint64_t at = 0;
    int thread = 0;  // whose release; always 0 where scopes are wide
    Known known;
    std::uint8_t memory = 3;  // of a fence: that it orders; else, by space: that the cell is in
    Both both = Both::nobody;
    bool is_of_thread() const {
      return role == Role::fenced || role == Role::pending || role == Role::fences ||
             role == Role::copied || role == Role::group_copied;
    }
    auto place() const { return std::tuple(role, owner, at); }
    auto order() const { return std::tuple(role, owner, at, thread, memory, both, scope); }
  };
  struct Last {
    std::uint32_t made = 0;
    bool mixed = false;  // Access::mixed, here
    friend bool operator==(const Last&, const Last&) = default;
  };
  struct Place {
    std::uint32_t bytes = 0;
    std::vector<Last> last;  // by thread; of one thread as they were made
  };
  using Shadow = std::map<std::uint64_t, Place>;  // by where they begin; none overlap

  // Whether an access can be ordered with those of a thread.
  bool reaches(const Access& access, int thread) const {
    return access.is_atomic ||
           places_.in_scope(access.scope, static_cast<int>(access.thread), thread);
  }
  bool is_ordered(const Made& before, std::uint32_t number, int thread) const {
    return (static_cast<int>(before.access.thread) == thread && !places_.is_agent(thread)) ||
           (reaches(before.access, thread) &&
            known_[static_cast<std::size_t>(thread)].contains(number));
  }
  bool is_behind(const Access& made, const Last& before) const;
  // Whether one of the last accesses of a place races with one that is made there.
  bool conflicts(const Last& before, const Access& made, bool same_value) const;
  // Those of the kinds of memory that are ordered.
  Known of_memory(const Known& known, int memory) const;
  bool orders(const Made& made, int memory) const {
    return !options_.split || (memory >> (made.is_local ? 0 : 1) & 1) != 0;
  }
  Known release(const std::vector<bool>& threads, Known known, int memory);
  Known release(int thread, int memory);
  void take(int thread, Scope scope, const Released& released, int memory,
            Released::Both takes_both);
  void hand_on(Released::Role from, std::uint32_t owner, std::uint64_t at, Released::Role to,
               std::uint32_t new_owner, std::uint64_t new_at);
  std::vector<Released> of(Released::Role role, std::uint32_t owner, std::uint64_t at) const;
  void erase(Released::Role role, std::uint32_t owner, std::uint64_t at);
  void observe(Instance object, std::uint64_t at, int thread, Scope scope);
  void be_observed(Instance object, std::uint64_t at, int thread, Scope scope);
  void add(Released made);
  std::vector<Released> take_copies(int thread);
  Known copied_since(int thread, std::size_t from);
  Shadow& writable(Instance object);
  static void split_at(Shadow& shadow, std::uint64_t at);
  std::vector<std::uint32_t> knowing() const;
  void sort_last(const std::vector<std::uint32_t>& by);
  void drop_settled(const std::vector<bool>& alive);
  std::vector<std::uint32_t> canonical() const;
  void compact();

  Places places_;
  Options options_;
  std::vector<Made> made_;
  std::vector<Known> known_;        // by thread, of others' accesses; its own are all known
  std::vector<Released> released_;  // sorted by order(), which differs
  std::vector<std::shared_ptr<Shadow>> shadows_;  // by object
};

}  // namespace headway::kernel
