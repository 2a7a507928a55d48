// What the constant expressions of a file are for one N: numbers, named constants, N and the sizes
// of the launch.
#pragma once

#include <utility>

#include "base/topology.hpp"
#include "lang/idiom/syntax.hpp"

namespace headway::lang::idiom {

// The element of an array whose initial value is computed.
struct Element {
  int row = 0, column = 0;
};

class Constants {
 public:
  // `syntax` must outlive this. Throws headway::Error for a launch that cannot be, and for a
  // constant that has no value.
  Constants(const Syntax& syntax, int n);

  int n() const { return n_; }
  const Topology& topology() const { return topology_; }

  std::int64_t value(const Expression& e, Element element = {}) const;
  // In low .. high; `role` names it in the message.
  int bounded(const Expression& e, const std::string& role, std::int64_t low, std::int64_t high,
              Element element = {}) const;
  std::pair<int, int> range(const Range& range) const;
  // The elements of the array that `of` declares, at most `most`: all, and those of a row.
  template <class Declared>
  std::pair<int, int> sizes(const Declared& of, int most) const {
    const std::string role = "the size of " + of.name;
    const int rows = bounded(*of.size, role, 1, most);
    const int columns = of.columns ? bounded(*of.columns, role, 1, most / rows) : 1;
    return {rows * columns, columns};
  }

 private:
  void launch(const Launch& launch);
  int size(Size size) const;

  const Syntax& syntax_;
  const int n_;
  Topology topology_;
  std::vector<std::int64_t> values_;
};

}  // namespace headway::lang::idiom
