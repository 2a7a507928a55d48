// What `verify` says of a kernel: findings, and what they rely on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verify/encoding/conditions.hpp"
#include "verify/encoding/options.hpp"
#include "verify/suspect.hpp"

namespace headway::verify {

// `conditional`: verified where Finding::condition holds, and not known elsewhere.
enum class Verdict { verified, violated, conditional, possible, unknown, unsupported };
std::string_view name_of(Verdict verdict);
// In the order verified, conditional, unknown, possible, unsupported, violated.
bool is_worse(Verdict one, Verdict other);

struct Finding {
  Property property = Property::race;
  Verdict verdict = Verdict::verified;
  int line = 0;
  std::string detail;
  std::vector<Side> sides;  // of a counterexample, where there is one
  // Where arithmetic wraps around in all executions with this error, as "the 32-bit product at
  // line 7"; empty where that is not shown.
  std::vector<std::string> overflow = {};
  // What was left out of a proof: then it is verified but for this.
  std::vector<std::string> but_for = {};
  std::string condition = {};  // as "n is 0 to 4096"; where it is conditional
  // Unknown because no execution that was looked at fulfils what is assumed.
  bool about_nothing = false;
};
// "verified but for a, b"
std::string status_of(const Finding& finding);

struct RuleCount {
  std::string rule;
  int made = 0, held = 0;
};

// Seconds; what is left of Report::seconds goes into runs.
struct Stages {
  double front_end = 0;  // of all kernels of the file: compiling and reading it
  double encoding = 0, houdini = 0, checks = 0;
};

struct Report {
  std::string file, kernel;
  std::string covers;                   // sizes and arguments, in words
  std::vector<Finding> findings;        // one for each property that was looked at
  std::vector<std::string> assumed;     // __requires and __assume that verdicts rely on
  std::vector<std::string> premises;    // what is taken for granted (kernel/ir/premises.hpp)
  std::vector<std::string> invariants;  // of loops, that were found
  std::vector<std::string> rankings;    // what makes loops end; of all, or there is none
  std::vector<std::string> may_go_on;   // why that is not shown, of which loops
  bool counter_may_wrap = false;        // of one of these
  bool all_tried = true;                // to show that; else there was no time
  std::vector<RuleCount> rules;
  std::vector<EngineCount> engines;  // of candidates, one after the other
  std::vector<Suspect> suspects;
  double seconds = 0;  // without the front end
  Stages stages;
  std::size_t questions = 0;

  // Of executions that end: that they all do may be unknown beside it (may_go_on).
  Verdict worst() const;
  // Whether all but termination is verified.
  bool is_proved() const;
};

}  // namespace headway::verify
