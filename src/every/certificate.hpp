// What an answer for every N rests on, as a value and as JSON (docs/internals/every-n.md,
// certificates). It holds the text of the family, so that it can be checked by itself.
#pragma once

#include <string>
#include <vector>

#include "every/counting.hpp"
#include "every/positions.hpp"
#include "every/proof.hpp"

namespace headway::every {

struct Certificate {
  enum class Claim {
    safe,  // nothing goes wrong, for every N
    pass,  // that, and every fair execution ends
    fail,  // of `n` threads some fair execution does not
    error  // of `n` threads something goes wrong
  };
  // Why what is claimed of n threads holds of more.
  enum class Newcomer {
    none,      // it is claimed of n threads alone
    idle,      // one more need not start
    restoring  // one more can come and go first, and leave memory as it was
  };

  std::string program;
  Claim claim = Claim::safe;
  Reading reading;  // of a pass and of a fail

  // safe, pass: by method B, or else by methods A or C
  std::optional<PositionGraph> row;
  std::optional<CountedGraph> counted;
  std::vector<Round> rounds;

  // fail, error
  int n = 0;
  Newcomer newcomer = Newcomer::none;
  std::vector<int> stem,
      cycle;  // the threads that step; the last of a stem goes wrong, of an error
};

std::string to_json(const Certificate& certificate);
// "OBE:weak: pass for every N", of one as JSON. Throws headway::Error for a text that is none.
std::string title_of(const std::string& certificate);

}  // namespace headway::every
