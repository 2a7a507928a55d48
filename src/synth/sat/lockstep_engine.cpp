#include "synth/sat/lockstep_engine.hpp"

#include <algorithm>
#include <cadical.hpp>

#include "checker/lts/explore.hpp"
#include "lang/axb/lockstep.hpp"
#include "synth/sat/encoding.hpp"
#include "synth/space/well_formed.hpp"

namespace headway::synth::sat {

// The search of one shape. What was found in one cube is not found again, so cubes are searched
// once each.
class LockstepSearch {
 public:
  LockstepSearch(const Bounds& bounds, const Shape& shape, const Requirements& requirements)
      : space_(bounds, shape), encoding_(space_, requirements), requirements_(requirements) {
    solver_.set("quiet", 1);
    for (const Premise& premise : encoding_.premises()) add(premise.clause);
  }

  bool enumerate(const Instructions& first, const Found& found, const std::atomic<bool>& stop) {
    while (propose(first)) {
      if (stop) return false;
      const Instructions code = code_of_program();
      if (reject(to_code(space_.bounds, space_.shape, code))) continue;
      add(encoding_.excluding(program_));
      const bool wanted = !space_.bounds.barriers.structured ||
                          is_structured(to_code(space_.bounds, space_.shape, code));
      if (wanted && !found(code)) return false;
    }
    return true;
  }

 private:
  // What executions have shown of an instruction.
  struct Seen {
    bool reached = false;
    bool taken = false;
  };

  void add(const Clause& clause) {
    for (const int literal : clause) solver_.add(literal);
    solver_.add(0);
  }

  bool propose(const Instructions& first) {
    for (std::size_t at = 0; at < first.size(); ++at) {
      const int position = static_cast<int>(at);
      solver_.assume(encoding_.variable(position, space_.choice_of(position, first[at])));
    }
    constexpr int satisfiable = 10;
    if (solver_.solve() != satisfiable) return false;
    program_.clear();
    for (int position = 0; position < space_.size(); ++position) {
      int choice = 0;
      while (solver_.val(encoding_.variable(position, choice)) < 0) ++choice;
      program_.push_back(static_cast<std::uint16_t>(choice));
    }
    return true;
  }

  const axb::Instruction& chosen(int position) const {
    return space_.positions[position].choices[program_[position]];
  }

  Instructions code_of_program() const {
    Instructions code;
    code.reserve(program_.size());
    for (int position = 0; position < space_.size(); ++position) code.push_back(chosen(position));
    return code;
  }

  // Whether the proposed program is no litmus test; then all that are none for the same reason are
  // excluded.
  bool reject(const axb::Code& code) {
    const std::vector<Constraint> violated = violated_constraints(code);
    const bool is_test = std::all_of(violated.begin(), violated.end(), [&](Constraint constraint) {
      return constraint == Constraint::effective_stores && !requirements_.effective_stores;
    });
    if (is_test) return false;
    look(code);
    Box box;
    box.reserve(program_.size());
    for (int position = 0; position < space_.size(); ++position) {
      ChoiceSet& alike = box.emplace_back();
      for (const axb::Instruction& other : space_.positions[position].choices) {
        alike.push_back(is_alike(position, other) ? 1 : 0);
      }
    }
    add(encoding_.excluding(box));
    return true;
  }

  void look(const axb::Code& code) {
    seen_.assign(program_.size(), {});
    parted_.assign(space_.shape.size(), false);
    const axb::LockstepProgram program(code);
    checker::ExploreOptions options;
    options.track_started = false;
    const checker::Lts* lts = explorer_.explore(program, options);
    if (lts == nullptr) throw Error("too many states to say whether this is a litmus test");
    for (checker::StateId state = 0; state < lts->states(); ++state) {
      const lang::Word* const words = lts->words(state);
      for (int thread = 0; thread < space_.bounds.threads; ++thread) {
        const axb::Lanes lanes = program.lanes(words, thread);
        if (lanes.is_choosing() || !lanes.partings.empty()) parted_[thread] = true;
        if (lanes.ended()) continue;
        if (lanes.is_choosing()) continue;
        const axb::Instruction& i = code.threads[thread].instructions[lanes.place()];
        Seen& seen = seen_[space_.first[thread] + lanes.place()];
        seen.reached = true;
        if (i.is_barrier()) continue;
        const int old = i.is_access() ? program.value(words, i.location) : 0;
        const ThreadSet jumping = axb::jumping(i, lanes.active, old);
        seen.taken = seen.taken || !jumping.empty();
        if (!jumping.empty() && jumping != lanes.active) parted_[thread] = true;
      }
    }
  }

  // Whether executions are the same with another choice at a position, and so what is wrong.
  // Whether there are barriers makes a difference where these count who has ended.
  bool is_alike(int position, const axb::Instruction& other) const {
    const Position& at = space_.positions[position];
    const axb::Instruction& here = chosen(position);
    if (other == here) return true;
    if (space_.bounds.barriers.ended_count && other.is_barrier() != here.is_barrier()) return false;
    const bool same_way = other.jump == here.jump || !parted_[at.thread];
    if (!seen_[position].reached) return same_way;
    if (seen_[position].taken || at.is_store(here) || at.is_store(other)) return false;
    axb::Instruction there = other;
    there.jump = here.jump;
    return same_way && there == here;
  }

  const Space space_;
  const Encoding encoding_;
  const Requirements requirements_;
  CaDiCaL::Solver solver_;
  checker::Explorer explorer_;
  std::vector<std::uint16_t> program_;  // choices
  std::vector<Seen> seen_;              // by position
  std::vector<bool> parted_;            // by thread
};

LockstepEngine::LockstepEngine(const Bounds& bounds, const Requirements& requirements)
    : bounds_(bounds), requirements_(requirements) {}

LockstepEngine::~LockstepEngine() = default;

bool LockstepEngine::enumerate(const Cube& cube, const Found& found,
                               const std::atomic<bool>& stop) {
  auto& search = searches_[cube.shape];
  if (!search) search = std::make_unique<LockstepSearch>(bounds_, cube.shape, requirements_);
  return search->enumerate(cube.first, found, stop);
}

}  // namespace headway::synth::sat
