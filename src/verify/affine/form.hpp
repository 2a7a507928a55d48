// Polynomials over integers whose values symbols stand for, and what values they may have. Numbers
// of the code are known modulo a power of two: a form has the value of its number, or one that
// differs by a multiple of 2^width.
#pragma once

#include <map>
#include <optional>
#include <vector>

namespace headway::verify::affine {

__extension__ using Wide = __int128;

// What is as far as this has no end on this side.
inline constexpr Wide kFar = Wide{1} << 100;

struct Range {
  Wide low = -kFar, high = kFar;
  bool within(const Range& other) const { return other.low <= low && high <= other.high; }
};
Range sum(const Range& a, const Range& b);
Range product(const Range& a, const Range& b);
Range hull(const Range& a, const Range& b);
Range overlap(const Range& a, const Range& b);

// What numbers of so many bits may be.
Range range_of(int width, bool with_sign);

Wide floor_divide(Wide a, Wide b);

// A sum of products, each of symbols in ascending order with a factor that is not 0.
struct Form {
  using Product = std::vector<int>;
  std::map<Product, Wide> parts;
  Wide constant = 0;

  Form() = default;
  explicit Form(Wide number) : constant(number) {}
  static Form of(int symbol);
  void add(const Product& product, Wide factor);
  bool is_constant() const { return parts.empty(); }
  auto operator<=>(const Form&) const = default;
};

Form operator+(Form a, const Form& b);
Form operator-(Form a, const Form& b);
Form operator*(Wide factor, const Form& a);
// Nothing where there are products of more than kMostFactors symbols, or too many.
std::optional<Form> product(const Form& a, const Form& b);

// An integer of the code: congruent to the form, modulo two to its width, and the form's value is
// in the range.
struct Number {
  Form form;
  Range range;
};

}  // namespace headway::verify::affine
