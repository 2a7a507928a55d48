// Symmetry of programs that say which of their threads may change places
// (lang/interchangeable.hpp): threads within their group, and groups as wholes. Of the states that
// such exchanges lead to one is the sorted one, which stands for all
// (docs/internals/exploration.md, symmetry among groups).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/bits/group_set.hpp"
#include "lang/program.hpp"
#include "models/model.hpp"

namespace headway::checker {

// The place that each thread has gone to.
using Places = std::array<std::uint8_t, kMaxThreads>;

// Threads that are the same up to exchanges that leave a state as it is, by thread.
struct Alike {
  std::array<std::uint8_t, kMaxThreads> first;  // the first one of them all
  std::array<std::uint8_t, kMaxThreads> twin;   // the first one that is beside it in its group
};

class Symmetry {
 public:
  // At which levels the children of a group may change places: where no model looks at ids.
  using Levels = std::array<bool, kLevels.size()>;

  // Threads that start differently do not change places, so that the initial state is sorted.
  Symmetry(const lang::Program& program, const lang::Interchangeable& interchangeable,
           const Levels& levels);

  // Whether there is anything to exchange.
  bool exists() const { return exists_; }
  // Sets of threads, each of which may come to the place of each other one; of two or more.
  std::vector<ThreadSet> orbits() const;

  // Sorts `state`, with the threads noted in it as started; fills `places` when it is given.
  void sort(lang::Word* state, Places* places = nullptr) const;

  // Of a sorted state, threads whose steps lead wherever the steps of any thread lead, up to
  // exchanges: of threads that are in the same local state the first, and of groups the same. Fills
  // `alike` when it is given.
  ThreadSet representatives(const lang::Word* state, Alike* alike = nullptr) const;

 private:
  using Values = std::vector<std::uint64_t>;
  struct Scratch {
    Values of_thread, of_workgroup;              // `stride_` words each
    std::array<std::uint8_t, kMaxThreads> from;  // the thread that is at a place now
  };

  // A field of a state, and where it is in the words that what is in a group is packed into.
  struct Part {
    Field field;
    std::uint16_t word = 0, shift = 0;
  };

  static std::vector<Part> pack(const std::vector<Field>& fields, int reserved,
                                std::size_t& stride);
  static void write(const std::vector<Part>& parts, const std::uint64_t* value, lang::Word* state);
  void exchangeable(Level level, int a, int b);
  void join(int thread, int other);
  void read(const lang::Word* state, Scratch& scratch) const;
  // How what is in two groups of the same kind compares, where the threads are now.
  int compare(const Scratch& scratch, Level level, int a, int b) const;
  bool same_kind(Level level, int a, int b) const;
  void exchange(Scratch& scratch, Level level, int a, int b) const;

  const Topology topology_;
  std::vector<std::vector<Part>> parts_of_thread_, parts_of_workgroup_;
  // By level and group, the sibling of the same kind next to it in front of it; -1 where there is
  // none. Empty where groups do not change places.
  std::array<std::vector<int>, kLevels.size()> previous_;
  std::vector<int> kind_;       // by thread, finer than what the program says
  std::vector<int> of_memory_;  // by workgroup: the first with the same memory at first
  std::size_t thread_stride_ = 0, workgroup_stride_ = 0;
  bool exists_ = false;
  std::vector<int> orbit_;  // by thread: the first of its orbit
};

}  // namespace headway::checker
