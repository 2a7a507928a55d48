// Random CUDA kernels of two or three short threads: atomics of all orders and scopes, plain and
// volatile accesses, fences, barriers, branches, loops, waits, indices, assertions and divisions.
#pragma once

#include <random>
#include <string>

namespace headway::testing {

class RandomCuda {
 public:
  explicit RandomCuda(unsigned seed) : random_(seed) {}

  // `k7(int* a, int* f, int* o, int n)`: buffers of four, four and eight elements; `o` is for
  // results of threads.
  std::string kernel(int number);
  // What a file of them begins with.
  static std::string header();

 private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  std::string flag();
  std::string value();
  std::string index();
  std::string order(bool loads, bool stores);
  std::string atomic();
  std::string plain();
  std::string statement();
  std::string guarded();
  std::string fences();
  std::string passing();

  std::mt19937 random_;
};

}  // namespace headway::testing
