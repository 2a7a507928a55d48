#include "verify/affine/form.hpp"

#include <algorithm>

namespace headway::verify::affine {

namespace {

constexpr std::size_t kMostFactors = 4, kMostParts = 48;

Wide bounded(Wide number) { return std::clamp(number, -kFar, kFar); }

bool is_far(Wide number) { return number <= -kFar || number >= kFar; }

// What has no end stays so.
Wide sum_of_ends(Wide a, Wide b) { return is_far(a) ? a : is_far(b) ? b : bounded(a + b); }

Wide product_of_ends(Wide a, Wide b) {
  Wide result = 0;
  if (!__builtin_mul_overflow(a, b, &result)) return bounded(result);
  return (a < 0) == (b < 0) ? kFar : -kFar;
}

}  // namespace

Range sum(const Range& a, const Range& b) {
  return {sum_of_ends(a.low, b.low), sum_of_ends(a.high, b.high)};
}

Range product(const Range& a, const Range& b) {
  const auto ends = {product_of_ends(a.low, b.low), product_of_ends(a.low, b.high),
                     product_of_ends(a.high, b.low), product_of_ends(a.high, b.high)};
  return {std::min(ends), std::max(ends)};
}

Range hull(const Range& a, const Range& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Range overlap(const Range& a, const Range& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

Range range_of(int width, bool with_sign) {
  const Wide half = Wide{1} << (width - 1);
  return with_sign ? Range{-half, half - 1} : Range{0, 2 * half - 1};
}

Wide floor_divide(Wide a, Wide b) {
  const Wide quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Form Form::of(int symbol) {
  Form result;
  result.parts[{symbol}] = 1;
  return result;
}

void Form::add(const Product& product, Wide factor) {
  if (product.empty()) {
    constant += factor;
    return;
  }
  const auto [at, added] = parts.try_emplace(product, factor);
  if (!added) at->second += factor;
  if (at->second == 0) parts.erase(at);
}

Form operator+(Form a, const Form& b) {
  for (const auto& [product, factor] : b.parts) a.add(product, factor);
  a.constant += b.constant;
  return a;
}

Form operator-(Form a, const Form& b) { return std::move(a) + Wide{-1} * b; }

Form operator*(Wide factor, const Form& a) {
  Form result;
  if (factor == 0) return result;
  for (const auto& [product, by] : a.parts) result.parts[product] = factor * by;
  result.constant = factor * a.constant;
  return result;
}

std::optional<Form> product(const Form& a, const Form& b) {
  Form result;
  const auto times = [&result](const Form::Product& p, Wide f, const Form::Product& q, Wide g) {
    Form::Product all = p;
    all.insert(all.end(), q.begin(), q.end());
    std::sort(all.begin(), all.end());
    result.add(all, f * g);
    return all.size() <= kMostFactors && result.parts.size() <= kMostParts;
  };
  for (const auto& [p, f] : a.parts) {
    for (const auto& [q, g] : b.parts) {
      if (!times(p, f, q, g)) return std::nullopt;
    }
    if (b.constant != 0) result.add(p, f * b.constant);
  }
  for (const auto& [q, g] : b.parts) {
    if (a.constant != 0) result.add(q, a.constant * g);
  }
  result.constant += a.constant * b.constant;
  return result;
}

}  // namespace headway::verify::affine
