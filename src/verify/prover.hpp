// Questions to solvers about one kernel: a small portfolio within limits, with known answers kept.
// Houdini (Flanagan and Leino) on the candidates of Conditions: what remains is the largest set
// that holds at base and step of every loop, whatever the order.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "smt/solver.hpp"
#include "verify/encoding/conditions.hpp"
#include "verify/encoding/options.hpp"

namespace headway::verify {

class Prover {
 public:
  using Clock = std::chrono::steady_clock;
  Prover(smt::Context& context, const Options& options, Clock::time_point deadline,
         std::string label);

  // Whether `goal` follows from `facts`: unsat, it does; sat, there is a counterexample, model().
  // With `guess`, and sizes that are open, something like a counterexample ends the search: it is
  // model(), and the answer is unknown.
  smt::Answer refute(const std::vector<Term>& facts, Term goal, bool guess = false);
  const smt::Model& model() const { return model_; }
  bool guessed() const { return guessed_; }
  // First by what is known of any product, as where sizes are open.
  void prefer_laws() { laws_first_ = true; }
  bool over() const;
  Clock::time_point deadline() const { return deadline_; }
  // Goes on until then; what had no answer in time may be asked again.
  void go_on_until(Clock::time_point deadline);
  std::size_t questions() const { return questions_; }

 private:
  struct Member {
    smt::Engine engine;
    std::unique_ptr<smt::Solver> solver;
  };
  // Who is asked, in this order.
  std::vector<Member*> panel(const std::vector<Term>& question);
  void dump(const std::vector<Term>& question);

  smt::Context& c_;
  const Options& options_;
  Clock::time_point deadline_;
  std::string label_;
  std::vector<Member> solvers_;
  std::map<std::vector<Term>, smt::Answer> known_;
  smt::Model model_;
  bool guessed_ = false, open_sizes_ = false, laws_first_ = false;
  std::size_t questions_ = 0, dumped_ = 0;
};

// What candidates for invariants say of the loops that they are about.
enum class Invariants { unknown, hold };  // `hold`: those that are alive

// What is known where an item stands.
std::vector<Term> facts_before(const smt::Context& context, const Conditions& all, std::size_t item,
                               Invariants invariants = Invariants::hold);

// Candidates that others have refuted meanwhile. Safe to use from several cores.
class Refuted {
 public:
  explicit Refuted(std::size_t candidates) : is_(candidates) {}
  void add(std::size_t candidate) { is_[candidate] = true; }
  bool has(std::size_t candidate) const { return is_[candidate]; }

 private:
  std::vector<std::atomic<bool>> is_;
};

// Drops candidates until those alive hold. What the author wrote and does not hold comes back, with
// whether a counterexample was found (or only time ran out).
struct Dropped {
  std::size_t candidate = 0;
  bool refuted = false;
};
std::vector<Dropped> houdini(smt::Context& context, Conditions& all, Prover& prover,
                             const Refuted* refuted = nullptr);

// Checks with what became of them.
struct Outcome {
  std::size_t check = 0;
  smt::Answer answer = smt::Answer::unknown;  // sat: a counterexample, `model`
  smt::Model model;
};
// Only those that are not shown; at most `most` of each property, and none of those settled.
std::vector<Outcome> failed_checks(smt::Context& context, const Conditions& all, Prover& prover,
                                   std::size_t most, const std::set<Property>& settled = {});

}  // namespace headway::verify
