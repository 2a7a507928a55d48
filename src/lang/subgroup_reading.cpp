#include "lang/subgroup_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.hpp"
#include "base/text/suggestion.hpp"

namespace headway::lang {
namespace {

using Reading = SubgroupReading;

// Branches are as labels: who waits for a label waits for all that may still branch to it.
constexpr std::array<ReadingRules, 10> kReadings = {{
    {Reading::its, "its", "threads are independent; votes meet all threads that have not ended",
     Meets::anywhere, Meets::alone, Meets::alone},
    {Reading::cm, "cm", "votes, branches, labels and accesses are one step of all threads",
     Meets::together, Meets::together, Meets::together},
    {Reading::sm, "sm", "votes, branches and labels are one step of all; accesses wait for all",
     Meets::together, Meets::together, Meets::in_turn},
    {Reading::scf, "scf", "votes, branches and labels are one step of all threads", Meets::together,
     Meets::together, Meets::alone},
    {Reading::sso, "sso", "votes are one step of all threads that can still come to them",
     Meets::together, Meets::alone, Meets::alone},
    {Reading::spec, "spec", "votes do not wait for threads that need not come to them",
     Meets::speculating, Meets::alone, Meets::alone},
    {Reading::symb, "symb", "votes are guessed, and what was guessed has to come true",
     Meets::alone, Meets::alone, Meets::alone, true},
    {Reading::mr, "mr", "as cm, and one side of a branch runs until it waits or has ended",
     Meets::together, Meets::together, Meets::together, false, true},
    {Reading::lock, "lock", "lockstep, with sides that meet where all ways to the end pass",
     Meets::together, Meets::together, Meets::together, false, false, true},
    {Reading::cfg, "cfg", "as lock, on the control flow that compilers see", Meets::together,
     Meets::together, Meets::together, false, false, true, true},
}};

}  // namespace

std::span<const ReadingRules> subgroup_readings() { return kReadings; }

const ReadingRules& rules_of(SubgroupReading reading) {
  return kReadings[static_cast<std::size_t>(reading)];
}

SubgroupReading subgroup_reading_named(const std::string& name) {
  std::vector<std::string> names;
  names.reserve(kReadings.size());
  std::string all;
  for (const ReadingRules& rules : kReadings) {
    if (rules.name == name) return rules.reading;
    names.emplace_back(rules.name);
    all += (all.empty() ? "" : ", ") + names.back();
  }
  throw Error(fmt::format("'{}' is no reading of subgroups; expected one of {}{}", name, all,
                          did_you_mean(name, names)));
}

}  // namespace headway::lang
