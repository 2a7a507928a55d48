// Reduction steps between programs, and the minimality that they define
// (docs/reference/synthesis.md): a test is minimal for a set of models when no program that it
// reduces to, in one step or more, has the same verdicts under all of them, weak and strong.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checker/check.hpp"
#include "lang/axb/code.hpp"

namespace headway::synth {

namespace axb = lang::axb;

enum class ReductionKind {
  remove_thread,
  remove_instruction,
  drop_exchange,
  make_store,
  split_group,
  remove_lane,
};

struct Reduction {
  ReductionKind kind;
  int thread;           // of split_group: the first one of the second half
  int instruction = 0;  // of remove_lane the lane; not for remove_thread and split_group
};

// The steps that `test` allows. A thread is only removed while more than two remain, an
// instruction only while its thread has another. A group is split in two of its kind between two
// of its children: a workgroup between subgroups where one has several, a subgroup between threads,
// and between threads a workgroup where none has several subgroups. A lane is removed, while its
// subgroup has another, where no branch asks for it; the last but one where no branch asks for any.
std::vector<Reduction> reductions(const axb::Code& test);

// The program after a step.
axb::Code apply(const axb::Code& test, const Reduction& reduction);

// "remove thread 2", "drop the exchange of 'while (Exch(m, 1) == 1);' (thread 0, instruction 0)"
std::string describe(const axb::Code& test, const Reduction& reduction);

// The verdicts of a test under a list of models, weak and strong each.
using VerdictVector = std::vector<checker::ModelVerdict>;

// Decides minimality. Remembers the verdicts of so many programs that it meets; one a core.
class Minimality {
 public:
  explicit Minimality(std::vector<models::ModelPtr> models, std::size_t remembered = 200'000)
      : models_(std::move(models)), remembered_(remembered) {}

  // Valid until the next call. Throws headway::Error when a program has more than
  // checker::kDefaultMaxStates states.
  const VerdictVector& verdicts(const axb::Code& test);
  bool is_minimal(const axb::Code& test);

  // The smallest programs (fewest threads, then fewest instructions, then fewest exchanges, then
  // most groups) that
  // `test` reduces to with the same verdicts, each with a shortest sequence of steps to it; empty
  // when it is minimal.
  struct Reduced {
    axb::Code test;
    std::vector<Reduction> steps;
  };
  std::vector<Reduced> smallest(const axb::Code& test);

 private:
  std::vector<models::ModelPtr> models_;
  std::size_t remembered_;
  checker::Checker checker_;
  std::map<std::string, VerdictVector> known_;  // by axb::code_key()
};

}  // namespace headway::synth
