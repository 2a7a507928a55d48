// A kernel for two threads as conditions (conditions.hpp). Both run in one fixed schedule, each
// instruction first by the one, then by the other, under a predicate each. The first thread's
// accesses are logged, the second one's are checked against them: the threads are arbitrary, so
// every pair of accesses meets in one order or the other. docs/internals/verify-proofs.md says why
// this is right.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernel/ir/ir.hpp"
#include "smt/term.hpp"
#include "verify/encoding/conditions.hpp"
#include "verify/encoding/flow.hpp"
#include "verify/encoding/locks.hpp"
#include "verify/encoding/options.hpp"
#include "verify/encoding/regions.hpp"
#include "verify/encoding/uniformity.hpp"

namespace headway::verify {

// What cannot be encoded, and where.
struct Unsupported {
  std::string what;
  kernel::Place place;
};

// One of the places that a pointer may point to.
struct Target {
  Term condition;
  int region = 0;
  Term offset;  // 64 bits
};

struct Quantity {
  Term bits;                    // of integers and reals; of one bit: a boolean
  std::vector<Target> targets;  // of pointers
};

enum class AccessKind : std::uint8_t { read, write, atomic };

// Whether a lock is held, and what came before is seen; where it is.
struct Held {
  Term held, place;
};

struct Access {
  Term when;
  int region = 0;
  AccessKind kind = AccessKind::read;
  Term offset, bytes;  // 64 bits each
  std::uint32_t align = 1;
  std::optional<Term> value;
  bool atomic_writes = false;
  bool async = false;  // a copy that goes on until `event` has been waited for
  Term event;
  // Of a copy beside its thread: whether that has not waited for it yet, and whether it is not part
  // of a group.
  std::optional<Term> flies, is_loose;
  kernel::Scope scope = kernel::Scope::system;  // as of kernel::Instruction
  int site = -1;                                // the instruction
  const kernel::Instruction* made_by = nullptr;
  int summary_of = -1;      // what earlier rounds of this loop did
  std::vector<Held> locks;  // by Encoder's holds; none where locks order nothing
  kernel::Place place;
};

// What threads know of the lock that they took last by one instruction.
struct Hold {
  enum class Part : std::uint8_t { held, place, acquired, published };
  static constexpr Part kParts[] = {Part::held, Part::place, Part::acquired, Part::published};
  const Lock* lock = nullptr;
  int site = -1;           // the instruction
  Term held[2], place[2];  // of a ticket lock, its number
  // Whether what others did under it is seen; whether what was done since is in front of a release.
  Term acquired[2], published[2];
  Term* of(Part part) {
    Term* const all[] = {held, place, acquired, published};
    return all[static_cast<std::size_t>(part)];
  }
};

// A variable at the head of a loop, and what it is when the loop is entered and after a round.
struct Carried {
  kernel::ValueId value = kernel::kNone;  // of a phi; kNone: a cell of private memory
  Uniform uniform = Uniform::no;
  Term variable[2], entry[2], back[2];  // `variable` may be the other thread's
  Term own[2];                          // the variables behind `variable`
  bool selects = false;                 // which target a pointer has
  bool pointer = false;
  int region = 0;  // of a cell, with its place
  std::uint64_t at = 0, bytes = 0;
  int hold = -1;  // of what is held of a lock: which hold, and which part of it
  Hold::Part part = Hold::Part::held;
};

// A site in a loop: its access in the round at hand, and what stands for those of earlier rounds.
struct Site {
  int site = -1;
  int region = 0;
  AccessKind kind = AccessKind::read;
  Term occurred, offset;      // of the summary
  std::vector<Held> locks;    // of the summary
  std::optional<Term> value;  // of the summary
  Term bytes;
  // In the round at hand, of the first thread: under `when`, with these parts.
  std::vector<Access> now;
};

struct LoopState {
  int loop = 0;
  bool unrolled = false;  // gone through round by round: nothing else is set
  Term entered[2], present[2], active[2], active_own[2], back[2];
  Term any_present;
  Uniform uniform = Uniform::no;
  bool has_barrier = false;
  std::vector<Carried> carried;
  std::vector<Site> sites;
  std::vector<Access> log_base, log_head, log_step;
  // Terms from the first on are of the loop; variables up to the last are of its head.
  std::size_t first_variable = 0, last_variable = 0;
  std::vector<std::array<Term, 2>> exit_conditions;
  // From variables of the head to what they are when the loop is entered, after a round.
  smt::Substitution at_entry, at_step;
};

// An operation on integers whose result may have too few bits, by one thread, which is there under
// `when` and `active`. `item` comes next in Conditions::items.
struct Arithmetic {
  kernel::Op op = kernel::Op::add;
  kernel::ValueId result = kernel::kNone;
  kernel::Place place;
  Term a, b, when, active;  // b: of all but a conversion
  int width = 0;            // of the result
  std::size_t item = 0;
};

// That an access of the first thread is within its array; `item` comes next in Conditions::items.
struct Extent {
  Term within;
  std::size_t item = 0;
};

// What was learned from __requires about arguments and sizes, by the names of their variables
// ("arg.n", "size.x", "groups.x"): a second encoding knows it from the start.
struct Learned {
  std::map<std::string, std::uint64_t> equal;
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> range;
  friend bool operator==(const Learned&, const Learned&) = default;
};

// What is assumed, where a thread is there: `item` comes next in Conditions::items.
struct Supposition {
  Term holds, here;
  kernel::Place place;
  bool of_launch = false;  // holds from the start: __requires of the kernel, --assume
  std::size_t item = 0;
};

struct Encoding {
  Conditions conditions;
  std::vector<Supposition> suppositions;
  std::vector<LoopState> loops;        // by Flow::loops
  std::vector<Arithmetic> arithmetic;  // in the order of the code
  std::vector<Extent> extents;         // of accesses in loops
  Learned learned;
  std::vector<std::string> assumed;  // __requires and __assume that verdicts rely on
  // What checks of a property were left out for, in words.
  std::map<Property, std::set<std::string>> skipped;
  std::vector<std::pair<kernel::Place, std::string>> unchecked;  // claims that are left out
  // Leaves of interest to a replay.
  Term thread_id[2][3], group_id[2][3], sizes[3], groups[3], same_group;
  std::vector<std::pair<std::string, Term>> arguments;
  bool has_atomics = false;
  bool lockstep = false;
  Term same_subgroup;  // set where `lockstep` is
  // What threads read is known by what they wrote: nothing is shown where something may race.
  bool views = false;
};

// Throws Unsupported.
Encoding encode(smt::Context& context, const kernel::Module& module,
                const kernel::Function& function, const Flow& flow, const Options& options,
                const Learned& learned);

}  // namespace headway::verify
