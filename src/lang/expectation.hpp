// What a test expects of models, and the expect { ... } block in which every language says it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/scanner.hpp"
#include "models/fairness.hpp"

namespace headway::lang {

using models::Fairness;

inline constexpr std::size_t kMaxExpectations = 1000;

// "This test passes (or fails) under that model"; no fairness means under both.
struct Expectation {
  std::string model;
  std::optional<Fairness> fairness;
  bool passes = false;
  SourcePosition where;
  std::string source_line;

  friend bool operator==(const Expectation& a, const Expectation& b) {
    return a.model == b.model && a.fairness == b.fairness && a.passes == b.passes;
  }
};

// Characters that names of tests and models may hold besides letters, digits and '_'.
inline constexpr std::string_view kNameCharacters = "+-.";

// Reads "{ pass OBE; fail HSA:weak; }" into `expectations`, which hold one a model and fairness
// at most; where `error` is given also "error;", which sets it.
void parse_expectations(Scanner& scanner, std::vector<Expectation>& expectations, bool* error);

// The model and the reading, as an expect block has them: "HSA:weak".
std::string to_string(const Expectation& expectation);

// Whether both say something about one model and fairness.
bool overlap(const Expectation& a, const Expectation& b);

}  // namespace headway::lang
