// Whether two accesses of two threads can meet, by sets of integers: a point of such a set is a
// pair of threads with the rounds in which they are, that access a byte in common and that no
// barrier keeps apart. Where the set is empty there is no race. Where it is not, nothing is said:
// more was taken for possible than is.
#pragma once

#include <map>

#include "verify/affine/intervals.hpp"
#include "verify/affine/isl_sets.hpp"
#include "verify/affine/values.hpp"

namespace headway::verify::affine {

class Question;

class Conflicts {
 public:
  Conflicts(const kernel::Module& module, const kernel::Function& function, const Flow& flow,
            const Options& options, const Learned& learned,
            std::chrono::steady_clock::time_point until);

  // Whether it may be of memory that several threads access.
  bool is_shared(const kernel::Instruction& access) const;
  // The object that an access is of, where that is known.
  std::optional<int> region_of(const kernel::Instruction& access);
  // Whether no two threads conflict, one at `first`, the other at `second`, provided that all
  // threads of a workgroup come to all barriers together.
  bool are_apart(const kernel::Instruction& first, const kernel::Instruction& second);

 private:
  struct Place {
    const kernel::Instruction* access = nullptr;
    BlockId block = 0;
    int region = 0;
    Number offset;
    Formula guards;
  };
  // Of one workgroup, in an interval and where in it, or of two.
  struct Meeting;

  const Place* place_of(const kernel::Instruction& access);
  Meeting meeting_of(const Interval& interval, const Arrival& first, const Arrival& second) const;
  void relate_rounds(const Meeting& meeting, Question& question);
  bool meet_within_group(const Place& first, const Place& second);
  bool may_meet(const Place& first, const Place& second, const Meeting& meeting);

  Values values_;
  std::vector<Interval> intervals_[2];  // of global memory, of workgroups
  std::map<const kernel::Instruction*, BlockId> home_;
  std::map<const kernel::Instruction*, std::optional<Place>> places_;
  IslSets sets_;
};

}  // namespace headway::verify::affine
