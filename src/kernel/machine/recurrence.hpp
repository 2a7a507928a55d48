// Loops of host programs that come again to where they have been. A state at the head of a loop
// that is a known one with other unknown values in the place of its own, constrained at least as
// much, goes on as that one does: it need not be looked at again. So loops end that wait for the
// right input. Whether they end whenever they run depends on whom one asks: here the environment is
// fair, a loop is fine as long as some input to come ends it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernel/ir/ir.hpp"
#include "kernel/machine/memory.hpp"
#include "kernel/machine/streams.hpp"
#include "smt/solver.hpp"

namespace headway::kernel {

// Who gives memory, and takes it back.
enum class Allocator : std::uint8_t {
  c,           // malloc
  single_new,  // new
  array_new,   // new[]
  device,      // cudaMalloc, cudaMallocManaged
  in_stream,   // cudaMallocAsync
  pinned,      // cudaMallocHost
};

// What host code has made, besides memory.
struct HostThings {
  Streams streams;
  std::map<Instance, Allocator> heap;  // to be freed
  std::set<Instance> managed;          // on both sides
  std::set<Instance> registered;       // of the host, and copied from and to at any time
  std::map<std::string, Instance> strings;
  std::uint64_t handles = 0;
  std::set<Streams::Handle> made_streams, made_events;  // and not destroyed
  Cell last_error = Cell::of(0);                        // of the runtime
  // A call that has failed without anybody asking for the error yet: where, and what.
  struct Unseen {
    int file = -1, line = 0;
    std::string what;
    friend bool operator==(const Unseen&, const Unseen&) = default;
  };
  std::optional<Unseen> unseen;
  // By the symbols of kernels: workgroup memory that the launch may add, where that was set, and
  // those of which the program has asked how many blocks fit.
  std::map<std::string, std::uint64_t> most_dynamic;
  std::set<std::string> fitted;
  friend bool operator==(const HostThings&, const HostThings&) = default;
};

// How much has happened on a way.
struct Progressed {
  std::size_t choices = 0;        // of its script
  std::uint32_t unknowns = 0;     // that were drawn
  std::uint64_t assumptions = 0;  // that may have excluded it
  std::uint64_t outcomes = 0;     // of kernels, one of several
  friend bool operator==(const Progressed&, const Progressed&) = default;
};

struct LoopState {
  BlockId head = kNone;
  std::uint32_t instruction = 0;  // that leads back there
  std::vector<Cell> registers;    // that the code from there on needs
  Memory memory;
  std::vector<ObjectInfo> objects;
  HostThings things;
  std::vector<smt::Term> path;
  Progressed progressed;
};

class Recurrence {
 public:
  // Both must outlive it; without a solver fewer states are recognized.
  Recurrence(smt::Context& terms, smt::Solver* solver, std::chrono::milliseconds query)
      : terms_(terms), solver_(solver), query_(query) {}

  // A way begins that is the last one up to the last one of so many choices.
  void begin(std::size_t choices);
  // Whether the state is known, and the way ends here. Else it is from now on.
  bool is_known(LoopState state);
  // Where a way ends that does not end at a known state. `excluded`: by an assumption.
  void end(bool excluded, const std::vector<smt::Term>& path, const Progressed& progressed);

  // Once all ways have been taken: a loop that is not shown to end, by its instruction. `certain`
  // where no input ends it.
  struct Endless {
    std::uint32_t instruction = 0;
    bool certain = false;
  };
  std::optional<Endless> endless();

 private:
  // The end of a way.
  struct Leaf {
    std::vector<smt::Term> path;
    Progressed progressed;
    bool excluded = false;
    std::uint32_t known = kNone;  // the state at which it ends
    std::uint32_t instruction = 0;
    smt::Substitution renamed;  // what stands for the unknowns of that state
  };
  using Facts = std::vector<smt::Term>;

  std::vector<bool> may_end() const;
  void find_ending();
  // Of a way from `state`, with more facts at its end: what must hold in the state for inputs to be
  // there that lead this way.
  void choose_inputs(std::uint32_t unknowns, Facts& facts);
  std::optional<Facts> wanted(const LoopState& state, Facts facts);
  bool all_end(const Leaf& leaf);

  smt::Context& terms_;
  smt::Solver* solver_;
  std::chrono::milliseconds query_;
  std::vector<LoopState> states_;
  std::map<BlockId, std::vector<std::uint32_t>> at_head_;
  std::vector<Leaf> leaves_;
  std::vector<std::vector<std::uint32_t>> behind_;  // by state: the ends of the ways through it
  std::vector<std::vector<Facts>> ending_;  // by state: where one of these holds some input ends it
  std::vector<std::uint32_t> trail_;        // states of the way at hand
  std::size_t taken_before_ = 0;            // choices that the way shares with the last one
  bool overflow_ = false;
};

// The unknown values that a term is made of, by when they were drawn; nothing where it depends on
// others, too, on memory that was not written or on functions of reals.
std::optional<std::vector<std::uint32_t>> drawn_in(const smt::Context& terms, smt::Term t);

// What stands for the unknowns of `known` in `state`, where all that `state` may be `known` may be,
// too.
std::optional<smt::Substitution> covered(smt::Context& terms, smt::Solver* solver,
                                         std::chrono::milliseconds query, const LoopState& state,
                                         const LoopState& known);

}  // namespace headway::kernel
