// Which accesses of a launch happen before which: vector clocks of threads, fences and atomic
// cells, and the last accesses of every place (FastTrack: Flanagan and Freund, PLDI 2009). Scopes
// count: an acquire sees a release only where each includes the other's thread. Times are by
// thread; what they are makes no difference, only how they compare, so normalize() renumbers them:
// equal states then are equal.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernel/ir/instruction.hpp"
#include "kernel/machine/value.hpp"

namespace headway::kernel {

struct Access {
  std::uint32_t thread = 0;
  std::uint32_t time = 0;
  std::uint32_t instruction = 0;  // its number in the code, for messages
  bool writes = false, is_atomic = false;
  // Of a write: what it wrote is not what is there now, or it stands for other accesses, too.
  bool mixed = false;
  Scope scope = Scope::system;  // of an atomic access; of a plain one thread where it is private
  smt::Term guard{1};           // when it takes place
  // Whether nothing that others do is ordered with it.
  bool is_private() const { return !is_atomic && scope == Scope::thread; }
  friend bool operator==(const Access&, const Access&) = default;
  friend auto operator<=>(const Access&, const Access&) = default;
};

// Where threads stand in a launch.
struct Places {
  int threads = 1;
  int group_threads = 1;
  int subgroup_threads = 32;
  int workgroup(int thread) const { return thread / group_threads; }
  int subgroup(int thread) const {
    return workgroup(thread) * 4096 + thread % group_threads / subgroup_threads;
  }
  bool in_scope(Scope scope, int a, int b) const {
    return scope >= Scope::device || (scope == Scope::workgroup && workgroup(a) == workgroup(b)) ||
           (scope == Scope::subgroup && subgroup(a) == subgroup(b)) || a == b;
  }
};

class HappensBefore {
 public:
  // Times known, by thread.
  using Clock = std::vector<std::uint32_t>;
  using ClockPtr = std::shared_ptr<const Clock>;

  struct Options {
    bool split = false;  // workgroup and global memory apart, as OpenCL's barriers can ask for
    bool count_benign = false;
    bool strong = false;  // atomic accesses count as releasing and acquiring, for all threads
  };
  HappensBefore(const Places& places, const Options& options);

  bool ordered(const Access& before, int thread, bool is_local) const;

  // The accesses of a place that one more of `bytes` at `at` is not ordered behind and that it
  // conflicts with, then notes the access. Two writes of the same value do not conflict, unless
  // `count_benign`: `same_bytes` says which bytes a write of up to eight leaves as they are.
  std::vector<Access> access(Instance object, bool is_local, std::uint64_t at, std::uint64_t bytes,
                             Access made, std::uint64_t same_bytes);
  void forget(Instance object);  // accesses of an object that is new again

  // Atomic accesses of a place and fences, with the orders that they have.
  // `memory` as in Instruction::memory.
  void load(Instance object, std::uint64_t at, int thread, Order order, Scope scope,
            int memory = 3);
  void store(Instance object, std::uint64_t at, int thread, Order order, Scope scope, bool updates,
             int memory = 3);
  void fence(int thread, Order order, Scope scope, int memory);
  // All of `threads` meet; `memory` as in Instruction::memory.
  void barrier(const std::vector<int>& threads, int memory);

  std::uint32_t time(int thread, bool is_local) const {
    return threads_[thread].own[kind(is_local)];
  }
  // Times as low as they can be; accesses dropped that all of `alive` are ordered behind.
  void normalize(const std::vector<bool>& alive);
  // Equal for equal states, after normalize().
  void append_key(std::vector<std::uint64_t>& key) const;

 private:
  // clang's copies of arrays have a variable of a reserved name.
  struct Released {  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)
    int thread = 0;
    Scope scope = Scope::system;
    ClockPtr clock[2];
  };
  using ReleasedList = std::vector<Released>;
  struct Thread {  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)
    std::uint32_t own[2] = {1, 1};
    ClockPtr known[2];
    // What a later relaxed store publishes: of release fences the last one and those before it that
    // have a larger scope, which the last one has first.
    ReleasedList fenced;
    ReleasedList pending;  // what a later acquire fence takes over
  };
  struct Place {
    std::uint32_t bytes = 0;
    std::vector<Access> accesses;
  };
  using Shadow = std::map<std::uint64_t, Place>;  // by where they begin; none overlap

  int kind(bool is_local) const { return split_ && is_local ? 1 : 0; }
  int kinds() const { return split_ ? 2 : 1; }
  bool orders(int k, int memory) const { return !split_ || (memory >> (k == 1 ? 0 : 1) & 1) != 0; }
  std::uint32_t known(const Thread& of, int thread, int other, int kind) const {
    if (thread == other) return of.own[kind];
    return of.known[kind] ? (*of.known[kind])[static_cast<std::size_t>(other)] : 0;
  }
  ClockPtr snapshot(int thread, int kind) const;
  void join(int thread, int kind, const Clock& more);
  void take(int thread, Scope scope, const Released& released);
  bool teaches(int thread, const Released& released) const;
  void await_fence(int thread, const Released& released);
  static bool covers(const Released& later, const Released& earlier);
  static void insert(ReleasedList& list, Released made);
  Shadow& writable(Instance object);
  static void split_at(Shadow& shadow, std::uint64_t at);

  Places places_;
  bool split_, count_benign_, strong_;
  std::vector<Thread> threads_;
  std::map<std::pair<Instance, std::uint64_t>, ReleasedList> cells_;
  std::map<Instance, std::shared_ptr<Shadow>> shadows_;
  std::map<Instance, bool> is_local_;
};

}  // namespace headway::kernel
