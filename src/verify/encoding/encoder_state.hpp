// The encoder's state, in parts: values (encoder_values.cpp), memory and logs (encoder_memory.cpp),
// operations of subgroups (encoder_subgroups.cpp), blocks and loops (encoder_loops.cpp). Nobody but
// these includes this header.
#pragma once

#include <array>
#include <functional>
#include <set>

#include "kernel/test/assumption.hpp"
#include "verify/encoding/encoder.hpp"

namespace headway::verify {

class Encoder {
 public:
  Encoder(smt::Context& context, const kernel::Module& module, const kernel::Function& function,
          const Flow& flow, const Options& options, const Learned& learned, Kept kept);
  // Throws NotUnrolled where loops are unrolled that cannot be, and Endless where tickets are drawn
  // in a loop that is not unrolled, with `tickets_in_loops`.
  Encoding encode(bool unrolling, bool tickets_in_loops);
  struct NotUnrolled {};
  struct Endless {};
  // Thrown where Kept::as_stored does not say what a pointer is.
  struct Strayed {};

 private:
  static constexpr long kMostRounds = 24;  // of loops that are unrolled
  using Instruction = kernel::Instruction;
  using ValueId = kernel::ValueId;
  using Op = kernel::Op;

  // Values.
  Term launch_variable(const std::string& name, int width, std::uint64_t low, std::uint64_t high);
  void set_up_launch();
  void set_up_values();
  Quantity operand(ValueId id, int thread);
  Term bits(ValueId id, int thread);
  std::vector<Target> targets(ValueId id, int thread);
  int width(ValueId id) const;
  Quantity number(Term term) const { return {term, {}}; }
  Term fresh(const char* hint, ValueId id);
  Quantity evaluate(const Instruction& i, int thread);
  Quantity value(const Instruction& i, int thread);
  Term integer(const Instruction& i, int thread);
  Term one_bit(const Instruction& i, int thread, Term a, Term b);
  void note_arithmetic(const Instruction& i);
  Term comparison(const Instruction& i, int thread);
  Term conversion(const Instruction& i, int thread);
  Term math(const Instruction& i, int thread);
  Term builtin(const Instruction& i, int thread);
  Term opaque(const std::string& name, const Instruction& i, int thread);
  Term linear_id(int thread);
  Term same_subgroup();
  Term address(const std::vector<Target>& targets, int thread);
  Term begin_of(int region, int thread);
  Quantity merged(const std::vector<std::pair<Term, Quantity>>& choices);

  // Memory.
  void access(const Instruction& i);
  struct Cell {
    Term value[2];
    std::array<std::vector<Target>, 2> pointer;  // where it is known to hold one
    bool untouched[2] = {false, false};          // nothing has been written there
  };
  using CellKey = std::tuple<int, std::uint64_t, std::uint64_t>;  // region, offset, bytes
  Quantity load(const Instruction& i, int thread);
  Term loaded(const Instruction& i, int thread, const Target& target);
  Term held(int region, std::uint64_t offset, std::uint64_t bytes, int thread);
  bool touched(int region, std::uint64_t offset, std::uint64_t bytes) const;
  std::vector<const std::pair<const CellKey, Cell>*> whole(int region, std::uint64_t bytes) const;
  std::optional<Quantity> kept_pointer(const Target& target, int thread);
  void store_private(const Target& target, std::uint64_t bytes, std::optional<Term> value,
                     const std::vector<Target>& pointer, int thread, Term when);
  void copy_private(const Instruction& i);
  void forget_private();
  bool matters(int region) const;
  void log_access(const Instruction& i, ValueId pointer, Access like, const Term* bytes,
                  std::optional<ValueId> value, int part);
  Term has_stated_arguments();
  // What names in conditions and sizes stand for, in the first thread.
  kernel::Named named();
  Term number_stated(const kernel::Formula& formula);
  void set_up_sizes();
  void note_extent(const Access& access, const Target& target, Term alive);
  void check_bounds(const Access& access, const Target& target, Term alive);
  void check_alignment(const Access& access, const Target& target, Term alive);
  void check_access(const Access& second);
  Term conflict(const Access& first, const Access& second);
  Term overlap(const Access& first, const Access& second);
  std::string describe(const Access& access) const;
  void async_copy(const Instruction& i);
  void wait_events(const Instruction& i);
  void thread_copy(const Instruction& i);
  void commit_copies();
  void wait_copies(const Instruction& i);
  bool is_waited_for(const Instruction& copy, kernel::BlockId in, int loop) const;
  void check_own(const Access& later);
  void set_apart(Access& access, Term ordered);
  void find_tickets();
  void draw(const Instruction& i, int thread, Term value);
  Term meet(const Instruction& i, const char* what);
  Term names(Term mask, int whom);
  void know_active(ValueId mask);
  void join_results(const Instruction& i, Quantity (&both)[2]);
  void barrier(const Instruction& i);
  bool is_of_all(const Instruction& i) const;

  // Locks (encoder_locks.cpp).
  void find_locks();
  bool is_lock(int region) const;
  const Lock* lock_of(const Instruction& i) const;
  std::vector<Held> held_at(int region, int thread) const;
  std::vector<Held> summarized_holds(int region, const std::string& name);
  Term excluded(const Access& first, const Access& second) const;
  void see_access(int thread, Term when);
  void fence(const Instruction& i);
  bool act(const Instruction& i);
  void lock_accessed(const Instruction& i);
  void spin(const Instruction& i, const Lock& lock);
  void turn(const Instruction& i, const Lock& lock);
  void take(const Instruction& i, int thread, Term taken, Term place);
  void give_back(const Lock& lock, int thread, Term when, std::optional<Term> place);
  void check_lock(const Instruction& i, const Lock& lock, Term fits, Term gives,
                  const std::function<Term(Term)>& is);
  void carry_holds(LoopState& state, const Loop& loop);

  // Views of memory, and barrier invariants (encoder_views.cpp).
  std::vector<const Instruction*> computation(ValueId of, kernel::BlockId at) const;
  kernel::BlockId block_of(const Instruction& i) const;
  void find_views();
  void see_store(const Access& access, int thread);
  Term view(int region, Term offset, int width, int thread);
  void barrier_invariant(const Instruction& i);
  void use_barrier_invariants();
  void use_barrier_invariant(const Instruction& claim, std::optional<Term> other, int thread);
  void clear(Term when, bool of_group, bool global);

  // Blocks and loops.
  void block(kernel::BlockId b);
  Term same_product(const Instruction& i, Term first, Term second);
  struct Cost {
    long instructions = 0, accesses = 0, writes = 0;
    long quiet = 0;  // accesses of memory that nobody writes there
    bool barrier = false;
    bool once = false;  // loops in it are come to once at most
  };
  std::optional<Term> folded(ValueId id, int root, const std::map<ValueId, Term>& known, int depth);
  std::optional<Cost> rounds(int loop, int root, std::map<ValueId, Term> known, int depth,
                             bool once);
  std::optional<Term> folded_join(const Instruction& phi, int root,
                                  const std::map<ValueId, Term>& known, int depth);
  std::set<int> disputed(int loop) const;
  std::optional<Cost> unrolls(int loop);
  // Who leaves a loop in one round, and what is then used behind it.
  struct WayOut {
    Term left[2];
    std::vector<Quantity> values[2];
  };
  std::vector<ValueId> used_behind(int loop) const;
  void join_rounds(int loop, const std::vector<ValueId>& used, const std::vector<WayOut>& ways,
                   const Term entered[2]);
  void unroll(int loop, bool once);
  bool in_unrolled(int loop, int within) const;
  void begin_loop(int loop);
  void enter(int loop);
  void leave(int loop);
  void claim(const Instruction& i);
  Quantity annotation(const Instruction& i, int thread);
  Term edge(kernel::BlockId from, kernel::BlockId to, int thread);
  Term live(int thread) const;
  void assume(Term term);
  void check(Property property, Term claim, const kernel::Place& place, std::string detail,
             const kernel::Place& other = {}, const Access* first = nullptr,
             const Access* second = nullptr);
  void add_check(Property property, Term claim, const kernel::Place& place, std::string detail,
                 const kernel::Place& other);
  void precondition(const Instruction& i);
  void suppose(Term holds, Term here, const kernel::Place& place, bool of_launch);
  void assume_stated();
  void learn(Term fact);
  void invariant(const kernel::Place& place, const std::string& text, const Term claims[2],
                 int loop);
  void finish_invariants();
  bool about_log(Term term) const;
  bool about_second(Term term) const;
  // A claim about some access in the log, for all that there are.
  Term over_log(Term term, const std::vector<Access>& log);

  smt::Context& c_;
  const kernel::Module& module_;
  const kernel::Function& f_;
  const Flow& flow_;
  const Options& options_;
  Learned learned_;
  const Kept kept_;
  Regions regions_;
  Uniformity uniformity_;
  Encoding result_;

  Term size_[3], groups_[3], tid_[2][3], gid_[2][3], same_group_;
  bool is_single_ = false;  // one thread in all
  std::vector<Quantity> values_[2];
  std::vector<Term> reached_[2];  // by block
  std::map<CellKey, Cell> cells_;
  std::set<int> private_written_;
  std::vector<std::pair<CellKey, Cell>> copied_;  // by the instruction at hand
  std::vector<Access> log_;
  std::vector<int> open_;  // loops that are being encoded
  kernel::BlockId at_ = 0;
  int site_ = 0;  // of the instruction at hand
  bool unrolling_ = false, tickets_in_loops_ = false;
  std::vector<const Instruction*> definitions_;  // by value
  std::vector<kernel::BlockId> defined_in_;      // the same
  std::vector<std::vector<int>> first_site_;     // by block and instruction
  std::map<int, int> version_;
  int next_version_ = 0;
  // Regions of which threads know what they wrote, and what that was, with the version.
  std::set<int> viewed_;
  std::vector<std::pair<Access, int>> seen_[2];
  std::vector<const Instruction*> barrier_claims_;  // since the last write
  Term event_[2];                                   // of the copy at hand
  // Regions whose atomic additions give each time another number, and by how much; what was given.
  std::map<int, std::uint64_t> tickets_;
  std::set<int> begun_;  // those of which plain stores say what the first one is
  struct Drawn {
    int thread, region;
    Term when, offset, value;
  };
  std::vector<Drawn> drawn_;
  std::vector<Lock> locks_;
  std::vector<Hold> holds_;
  std::map<int, Term> turn_places_;  // by region: the one place of turns, of numbers
  // What annotations speak of: some access in the log.
  struct Marker {
    int region;
    AccessKind kind;
    Term occurred, offset;
  };
  std::vector<Marker> markers_;
  struct Pending {
    kernel::Place place;
    std::string text;
    Term claims[2];
    int loop;
  };
  std::vector<Pending> invariants_;  // of a function: a loop of kNoLoop
};

}  // namespace headway::verify
