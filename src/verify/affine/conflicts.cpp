#include "verify/affine/conflicts.hpp"

#include <algorithm>

#include "verify/affine/question.hpp"

namespace headway::verify::affine {

using kernel::Instruction;

// Of one workgroup: which loops both are in the same round of, and how rounds are related to those
// of the barrier that both come from.
struct Conflicts::Meeting {
  bool within_group = false;
  std::set<int> together;
  // Of a side: the round of a loop is that of the barrier, the next one, one behind that, or 0.
  enum class Rounds : std::uint8_t { same, next, further, first };
  std::map<int, Rounds> rounds[2];  // by the loop
  auto operator<=>(const Meeting&) const = default;
};

Conflicts::Conflicts(const kernel::Module& module, const kernel::Function& function,
                     const Flow& flow, const Options& options, const Learned& learned,
                     std::chrono::steady_clock::time_point until)
    : values_(module, function, flow, options, learned),
      intervals_{intervals_of(function, flow, false), intervals_of(function, flow, true)},
      sets_(until) {
  for (const BlockId b : flow.order) {
    for (const Instruction& i : function.blocks[b].code) {
      if (kernel::is_access(i.op)) home_[&i] = b;
    }
  }
}

// Nothing where it may be in several objects, or anywhere.
const Conflicts::Place* Conflicts::place_of(const Instruction& access) {
  const auto home = home_.find(&access);
  if (home == home_.end()) return nullptr;  // a copy
  const auto [at, added] = places_.try_emplace(&access, std::nullopt);
  std::optional<Place>& place = at->second;
  if (!added) return place ? &*place : nullptr;
  const std::optional<int> region = region_of(access);
  if (!region) return nullptr;
  const std::optional<Number> offset = values_.offset(access.operands[0]);
  if (!offset) return nullptr;
  place = Place{&access, home->second, *region, *offset, values_.guards(home->second, access)};
  return &*place;
}

bool Conflicts::is_shared(const Instruction& access) const {
  const std::set<int>& to = values_.regions().of_value[access.operands[0]];
  return std::any_of(to.begin(), to.end(), [&](int region) {
    return values_.regions().all[static_cast<std::size_t>(region)].shared();
  });
}

std::optional<int> Conflicts::region_of(const Instruction& access) {
  const std::set<int>& to = values_.regions().of_value[access.operands[0]];
  return to.size() == 1 && *to.begin() > kUnknownRegion ? std::optional(*to.begin()) : std::nullopt;
}

bool Conflicts::are_apart(const Instruction& first, const Instruction& second) {
  const Place* const a = place_of(first);
  const Place* const b = place_of(second);
  if (a == nullptr || b == nullptr || a->region != b->region) return false;
  if (meet_within_group(*a, *b)) return false;
  return values_.regions().all[static_cast<std::size_t>(a->region)].of_group() ||
         !may_meet(*a, *b, {});
}

Conflicts::Meeting Conflicts::meeting_of(const Interval& interval, const Arrival& first,
                                         const Arrival& second) const {
  using Rounds = Meeting::Rounds;
  Meeting result;
  result.within_group = true;
  for (const auto& [arrival, t] : {std::pair(&first, 0), std::pair(&second, 1)}) {
    std::map<int, Rounds>& rounds = result.rounds[t];
    for (const int loop : arrival->first) rounds[loop] = Rounds::first;
    // Also of loops that have been left since: in which round that was.
    for (std::size_t k = 0; k < interval.loops.size(); ++k) {
      const int number = static_cast<int>(k);
      if (number > arrival->crossed) break;
      rounds[interval.loops[k]] = number < arrival->crossed ? Rounds::same
                                  : arrival->further        ? Rounds::further
                                                            : Rounds::next;
    }
  }
  const std::vector<Loop>& loops = values_.flow().loops;  // those around come first
  for (int loop = 0; loop < static_cast<int>(loops.size()); ++loop) {
    const int parent = loops[static_cast<std::size_t>(loop)].parent;
    const auto a = result.rounds[0].find(loop), b = result.rounds[1].find(loop);
    const bool equal = a != result.rounds[0].end() && b != result.rounds[1].end() &&
                       a->second == b->second && a->second != Rounds::further;
    if (equal && (parent == kNoLoop || result.together.contains(parent))) {
      result.together.insert(loop);
    }
  }
  return result;
}

// Mostly threads are apart whatever rounds they are in; else each way to meet is looked at.
bool Conflicts::meet_within_group(const Place& first, const Place& second) {
  Meeting any;
  any.within_group = true;
  if (!may_meet(first, second, any)) return false;
  const bool of_group = values_.regions().all[static_cast<std::size_t>(first.region)].of_group();
  std::set<Meeting> seen;
  for (const Interval& interval : intervals_[of_group ? 1 : 0]) {
    const auto a = interval.reached.find(first.access), b = interval.reached.find(second.access);
    if (a == interval.reached.end() || b == interval.reached.end()) continue;
    for (const Arrival& one : a->second) {
      for (const Arrival& other : b->second) {
        const Meeting meeting = meeting_of(interval, one, other);
        if (seen.insert(meeting).second && may_meet(first, second, meeting)) return true;
      }
    }
  }
  return false;
}

void Conflicts::relate_rounds(const Meeting& meeting, Question& question) {
  using Rounds = Meeting::Rounds;
  std::map<int, Form> starts;  // rounds of the barrier
  for (int t = 0; t < 2; ++t) {
    for (const auto& [loop, rounds] : meeting.rounds[t]) {
      const Form here = question.of(Form::of(values_.round(loop)), t);
      if (rounds == Rounds::first) {
        question.require_zero(here);
        continue;
      }
      const auto [at, added] = starts.try_emplace(loop);
      if (added) at->second = Form::of(question.fresh({0, kFar}));
      if (rounds == Rounds::same) question.require_zero(here - at->second);
      if (rounds == Rounds::next) question.require_zero(here - at->second - Form(1));
      if (rounds == Rounds::further) question.require_not_negative(here - at->second - Form(2));
    }
  }
}

bool Conflicts::may_meet(const Place& first, const Place& second, const Meeting& meeting) {
  const bool within = meeting.within_group;
  Question question(values_, sets_, [&](int id) {
    const Symbol& s = values_.symbol(id);
    if (!within) return s.uniform == Uniform::grid && s.loop == kNoLoop;
    return s.uniform != Uniform::no && (s.loop == kNoLoop || meeting.together.contains(s.loop));
  });
  std::vector<Form> differences;
  for (std::size_t d = 0; d < 3; ++d) {
    const int id = within ? values_.thread(d) : values_.group(d);
    if (values_.symbol(id).range.high == 0) continue;
    differences.push_back(question.of(Form::of(id), 0) - question.of(Form::of(id), 1));
  }
  if (differences.empty()) return false;
  question.require_other(differences);
  relate_rounds(meeting, question);
  for (const auto& [place, t] : {std::pair(&first, 0), std::pair(&second, 1)}) {
    question.require(place->guards, t);
    question.know(place->offset.form, t);
    for (std::size_t d = 0; d < 3; ++d) {
      question.know(Form::of(values_.thread(d)), t);
      question.know(Form::of(values_.group(d)), t);
    }
  }
  Form difference = question.of(first.offset.form, 0) - question.of(second.offset.form, 1);
  // Addresses have 64 bits.
  constexpr Wide near = Wide{1} << 62;
  const Range small{-near, near};
  if (!first.offset.range.within(small) || !second.offset.range.within(small)) {
    difference = difference - (Wide{1} << 64) * Form::of(question.fresh({}));
  }
  return !question.excludes(difference, -Wide{first.access->type.bytes()},
                            Wide{second.access->type.bytes()});
}

}  // namespace headway::verify::affine
