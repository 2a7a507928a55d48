// Sums of symbols with integer factors, and whether a list of them can all be zero or more. The
// symbols stand for integers such as N, an id or a number of threads. Fourier and Motzkin's
// elimination, with constants rounded down as the symbols are integers: what is said to be
// impossible is; the converse is not always said.
#pragma once

#include <cstdint>
#include <vector>

namespace headway::every {

struct Linear {
  std::int64_t constant = 0;
  std::vector<std::int64_t> factors;  // by symbol; those beyond the end are 0

  static Linear number(std::int64_t value) { return {value, {}}; }
  static Linear symbol(std::size_t which);

  std::int64_t factor(std::size_t symbol) const {
    return symbol < factors.size() ? factors[symbol] : 0;
  }
  bool is_number() const;
  bool is_number(std::int64_t value) const { return constant == value && is_number(); }

  friend Linear operator+(const Linear& a, const Linear& b) { return a.plus(b, 1); }
  friend Linear operator-(const Linear& a, const Linear& b) { return a.plus(b, -1); }
  friend Linear operator+(const Linear& a, std::int64_t b) { return a.plus(number(b), 1); }
  friend Linear operator*(std::int64_t by, const Linear& a) { return Linear().plus(a, by); }
  // Throws std::overflow_error where a factor is too large.
  Linear plus(const Linear& other, std::int64_t by) const;
};

// Each of them is zero or more.
using Facts = std::vector<Linear>;

bool impossible(Facts facts);
// Whether `facts` imply that `sum` is zero or more, or zero, or a certain number.
bool implies(const Facts& facts, const Linear& sum);
bool implies_zero(const Facts& facts, const Linear& sum);

}  // namespace headway::every
