#include "support/random_affine.hpp"

#include <fmt/format.h>

#include <vector>

namespace headway::testing {
namespace {

class Writer {
 public:
  explicit Writer(std::mt19937& random) : random_(random) {}

  std::string kernel(const std::string& name) {
    text_ = fmt::format("__global__ void {}(int* a, int* b, const int* c, int n) {{\n", name);
    text_ += "  __shared__ int s[1024];\n  int x = threadIdx.x, y = threadIdx.y, r = 0;\n";
    text_ += "  int g = blockIdx.x, h = blockIdx.y, w = blockDim.x, v = blockDim.y;\n";
    names_ = {"x", "y"};
    statements(2 + pick(4), 3, true);
    return text_ + "}\n";
  }

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  bool one_in(int count) { return pick(count) == 0; }
  std::string number(int most) { return std::to_string(pick(most + 1)); }
  std::string name() {
    return names_[static_cast<std::size_t>(pick(static_cast<int>(names_.size())))];
  }

  // One number for each thread, of the workgroup or of the grid, as people write it, or nearly.
  std::string own(bool of_group) {
    const std::string row = one_in(6) ? number(5) : "w";
    switch (of_group ? pick(4) : 4 + pick(4)) {
      case 0:
        return fmt::format("x + {} * y", row);
      case 1:
        return fmt::format("v * x + y");
      case 2:
        return fmt::format("{} * x + y", 1 + pick(8));
      case 3:
        return fmt::format("x + {} * y", 1 + pick(8));
      case 4:
        return fmt::format("(h * v + y) * (w * gridDim.x) + g * {} + x", row);
      case 5:
        return "(h * v + y) * n + g * w + x";
      case 6:
        return fmt::format("(g * {0} + x) + {1} * (h * v + y)", row, 2 + pick(16));
      default:
        return "x + w * (y + v * (g + gridDim.x * h))";
    }
  }

  std::string term() {
    switch (pick(8)) {
      case 0:
        return fmt::format("{} * {}", 1 + pick(6), name());
      case 1:
        return fmt::format("({} + {}) / {}", name(), number(4), 1 + pick(4));
      case 2:
        return fmt::format("({} + {}) % {}", name(), number(4), 1 + pick(4));
      case 3:
        return fmt::format("({} >> {})", name(), number(2));
      case 4:
        return fmt::format("({} & {})", name(), number(7));
      case 5:
        return fmt::format("(unsigned char)({} * {})", name(), 32 * (1 + pick(5)));
      case 6:
        return fmt::format("({} ? {} : {})", condition(), name(), number(3));
      default:
        return name();
    }
  }

  std::string subscript(bool of_group) {
    std::string text = one_in(5) ? term() : own(of_group);
    for (const std::string& counter : counters_) {
      if (one_in(2)) text += fmt::format(" + {} * {}", one_in(2) ? "w * v" : number(9), counter);
    }
    if (one_in(3)) text += " + " + term();
    if (one_in(4)) text += " + " + number(3);
    // What is in the array of the workgroup, whatever it is.
    return of_group ? fmt::format("({}) & 1023", text) : text;
  }

  std::string condition() {
    const std::string left = one_in(2) ? name() : fmt::format("{} + {}", name(), number(3));
    switch (pick(7)) {
      case 0:
        return fmt::format("{} == {}", left, number(3));
      case 1:
        return fmt::format("{} != {}", left, number(3));
      case 2:
        return fmt::format("{} < n", left);
      case 3:
        return fmt::format("{} >= {}", left, number(3));
      case 4:
        return fmt::format("{} % {} == 0", left, 1 + pick(3));
      case 5:
        return "g * w + x < n && h * v + y < n";
      default:
        return fmt::format("{} < {} || {} > n", left, number(4), name());
    }
  }

  void access() {
    const bool of_group = !one_in(3);
    const std::string array = of_group ? "s" : one_in(4) ? "b" : "a";
    const std::string place = fmt::format("{}[{}]", array, subscript(of_group));
    text_ += one_in(2) ? fmt::format("  {} = x + 7 * y + 31 * g + 3;\n", place)
                       : fmt::format("  r += {};\n", place);
  }

  // `together`: whether all threads of a workgroup are here.
  void loop(int depth, bool together) {
    const std::string i = fmt::format("i{}", counter_++);
    const bool uniform = one_in(2);
    const std::string start = uniform ? number(2) : name();
    const std::string end = one_in(3) ? "n" : one_in(4) ? name() : std::to_string(1 + pick(9));
    const std::string step = one_in(3) ? "w" : std::to_string(1 + pick(3));
    if (one_in(6)) {
      text_ += fmt::format("  for (int {0} = {1}; {0} > 0; {0} >>= 1) {{\n", i, 1 + pick(8));
    } else if (one_in(6)) {
      text_ +=
          fmt::format("  for (int {0} = {1}; {0} >= {2}; {0} -= {3}) {{\n", i, end, start, step);
    } else {
      text_ += fmt::format("  for ({4} {0} = {1}; {0} < {2}; {0} += {3}) {{\n", i, start, end, step,
                           one_in(4) ? "unsigned" : "int");
    }
    names_.push_back(i);
    counters_.push_back(i);
    statements(1 + pick(3), depth - 1, together && uniform && end != "x" && end != "y");
    names_.pop_back();
    counters_.pop_back();
    text_ += "  }\n";
  }

  void statements(int count, int depth, bool together) {
    for (int k = 0; k < count; ++k) {
      const int kind = pick(10);
      if (kind < 2 && together) {
        text_ += "  __syncthreads();\n";
      } else if (kind < 4 && depth > 0) {
        loop(depth, together);
      } else if (kind < 5 && depth > 0) {
        const std::string when = condition();
        text_ += fmt::format("  if ({}) {{\n", when);
        statements(1 + pick(2), depth - 1, false);
        text_ += "  }\n";
      } else {
        access();
      }
    }
    if (together && one_in(2)) text_ += "  __syncthreads();\n";
  }

  std::mt19937& random_;
  std::string text_;
  std::vector<std::string> names_, counters_;
  int counter_ = 0;
};

}  // namespace

std::string random_affine_kernel(std::mt19937& random, const std::string& name) {
  return Writer(random).kernel(name);
}

}  // namespace headway::testing
