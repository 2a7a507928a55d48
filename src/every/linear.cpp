#include "every/linear.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace headway::every {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 40;
constexpr std::size_t kMostFacts = 400;

std::int64_t small(__int128 value) {
  if (value > kLargest || value < -kLargest) throw std::overflow_error("a factor is too large");
  return static_cast<std::int64_t>(value);
}

// Divides by what all factors have in common. Integers: the constant is rounded down.
void reduce(Linear& fact) {
  std::int64_t common = 0;
  for (const std::int64_t f : fact.factors) common = std::gcd(common, f);
  if (common <= 1) return;
  for (std::int64_t& f : fact.factors) f /= common;
  const std::int64_t rest = (fact.constant % common + common) % common;
  fact.constant = (fact.constant - rest) / common;
}

// Drops what holds in any case and what another one implies; false where one cannot hold.
bool tidy(Facts& facts) {
  for (Linear& fact : facts) {
    reduce(fact);
    while (!fact.factors.empty() && fact.factors.back() == 0) fact.factors.pop_back();
    if (fact.factors.empty() && fact.constant < 0) return false;
  }
  std::sort(facts.begin(), facts.end(), [](const Linear& a, const Linear& b) {
    return a.factors != b.factors ? a.factors < b.factors : a.constant < b.constant;
  });
  facts.erase(std::unique(facts.begin(), facts.end(),
                          [](const Linear& a, const Linear& b) { return a.factors == b.factors; }),
              facts.end());
  facts.erase(std::remove_if(facts.begin(), facts.end(),
                             [](const Linear& fact) { return fact.factors.empty(); }),
              facts.end());
  return true;
}

// The symbol whose elimination makes the fewest facts.
std::size_t best_symbol(const Facts& facts) {
  std::size_t best = 0, symbols = 0;
  for (const Linear& fact : facts) symbols = std::max(symbols, fact.factors.size());
  std::int64_t least = -1;
  for (std::size_t s = 0; s < symbols; ++s) {
    std::int64_t up = 0, down = 0;
    for (const Linear& fact : facts) {
      up += fact.factor(s) > 0;
      down += fact.factor(s) < 0;
    }
    if (up + down == 0) continue;
    const std::int64_t made = up * down - up - down;
    if (least == -1 || made < least) best = s;
    least = least == -1 ? made : std::min(least, made);
    if (up == 0 || down == 0) return s;
  }
  return best;
}

}  // namespace

Linear Linear::symbol(std::size_t which) {
  Linear result;
  result.factors.resize(which + 1, 0);
  result.factors[which] = 1;
  return result;
}

bool Linear::is_number() const {
  return std::all_of(factors.begin(), factors.end(), [](std::int64_t f) { return f == 0; });
}

Linear Linear::plus(const Linear& other, std::int64_t by) const {
  Linear result = *this;
  if (result.factors.size() < other.factors.size()) result.factors.resize(other.factors.size(), 0);
  result.constant = small(__int128{constant} + __int128{other.constant} * by);
  for (std::size_t s = 0; s < other.factors.size(); ++s) {
    result.factors[s] = small(__int128{result.factors[s]} + __int128{other.factors[s]} * by);
  }
  return result;
}

bool impossible(Facts facts) {
  try {
    while (true) {
      if (!tidy(facts)) return true;
      if (facts.empty() || facts.size() > kMostFacts) return false;
      const std::size_t symbol = best_symbol(facts);
      Facts next;
      for (const Linear& low : facts) {
        if (low.factor(symbol) == 0) next.push_back(low);
        if (low.factor(symbol) <= 0) continue;
        for (const Linear& high : facts) {
          if (high.factor(symbol) >= 0) continue;
          next.push_back((-high.factor(symbol) * low).plus(high, low.factor(symbol)));
        }
      }
      facts = std::move(next);
    }
  } catch (const std::overflow_error&) {
    return false;
  }
}

bool implies(const Facts& facts, const Linear& sum) {
  if (sum.is_number()) return sum.constant >= 0 || impossible(facts);
  Facts against = facts;
  against.push_back(-1 * sum + -1);
  return impossible(std::move(against));
}

bool implies_zero(const Facts& facts, const Linear& sum) {
  return implies(facts, sum) && implies(facts, -1 * sum);
}

}  // namespace headway::every
