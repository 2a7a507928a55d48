// The answer for every N: runs of fixed N, thresholds, and proofs, each with a certificate that has
// been checked (docs/internals/every-n.md).
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "checker/check.hpp"
#include "every/certificate.hpp"

namespace headway::every {

// About one reading.
struct Answer {
  enum class Kind {
    pass,        // for every N
    fail_from,   // for every N from `n` on; passes below
    fail_at,     // for `n`; passes below, and nothing is known of more
    error_from,  // goes wrong, for every N from `n` on
    error_at,    // for `n`
    unknown      // passes up to `passes_to`, where that is not 0
  };
  Reading reading;
  Kind kind = Kind::unknown;
  int n = 0;
  int passes_to = 0;
  std::optional<Certificate> certificate;  // of all but what is unknown

  bool open() const {
    return kind == Kind::unknown || kind == Kind::fail_at || kind == Kind::error_at;
  }
  // "pass", "fail from 2", "unknown, pass to 6"
  std::string to_string() const;
};

struct FamilyAnswer {
  std::string name;
  std::string file;
  std::string text;
  int smallest = 1;  // what "every N" begins with
  std::vector<Answer> answers;
  // Whether nothing goes wrong for any N; else up to which N nothing does, and what goes wrong.
  bool safe = false;
  int safe_to = 0;
  std::optional<Certificate> safety;
  std::optional<checker::WrongRun> wrong;
  int wrong_from = 0;               // N
  bool wrong_from_then_on = false;  // or for this N alone
  std::optional<Error> refusal;     // why the family is not uniform
  std::vector<Error> reasons;       // why other proofs than of uniform families are missing
};

struct EveryOptions {
  int most_threads = 6;               // runs of fixed N
  std::size_t max_states = 200'000;   // of each
  std::size_t max_abstract = 40'000;  // nodes of an abstract graph
  const std::atomic<bool>* stop = nullptr;
};

// Throws headway::Error as read_family() does.
FamilyAnswer decide_every(std::string_view text, const std::string& file,
                          const std::vector<Reading>& readings, const EveryOptions& options = {});

}  // namespace headway::every
