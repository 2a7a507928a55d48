// Errors that exist only where integer arithmetic wraps around (wrapping.hpp): the proof that
// failed is done again, with the arithmetic in front of each claim taken to fit. Where it is done
// then, every execution with such an error has a result that does not fit, in one of the places.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "verify/encoding/encoder.hpp"
#include "verify/prover.hpp"

namespace headway::verify {

struct Wrapped {
  std::string what;  // "product"
  int bits = 0;      // of the result
  int line = 0;
};
// "only where 32-bit arithmetic wraps around, in the product or the sum at line 7".
std::string text_of(const std::vector<Wrapped>& places);
// "the 32-bit product at line 7".
std::string text_of(const Wrapped& place);

// Of the properties of `failed` those of which this is shown until then, each with few places.
// `verified` are those that hold anyway.
std::map<Property, std::vector<Wrapped>> only_by_overflow(
    smt::Context& context, const kernel::Function& function, const Encoding& encoding,
    const Options& options, const std::set<Property>& failed, const std::set<Property>& verified,
    Prover::Clock::time_point until);

}  // namespace headway::verify
