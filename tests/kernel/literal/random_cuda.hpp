// Random CUDA kernels of two or three short threads: atomics of all orders, scopes and widths,
// orders of compare-and-exchange that fails, plain and volatile accesses, fences, barriers,
// operations of warps with masks, arrays that the launch sizes, values that nobody sets, branches,
// loops, waits, indices, assertions and divisions.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/test/kernel_tests.hpp"

namespace headway::testing {

class RandomCuda {
 public:
  explicit RandomCuda(unsigned seed) : random_(seed) {}

  // `k7(int* a, int* f, int* o, int n)`: buffers of four, four and eight elements; `o` is for
  // results of threads.
  std::string kernel(int number);
  // What a file of them begins with.
  static std::string header();
  // Bytes that launches add to the memory of workgroups.
  static constexpr std::uint64_t kWorkgroupBytes = 16;

 private:
  // What only some kernels have.
  enum class Feature { warps, widths, unset, launch_sized };

  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  bool one_in(int times) { return pick(times) == 0; }
  std::string number(int below) { return std::to_string(pick(below)); }
  std::string one_of(std::initializer_list<const char*> all);
  bool has(Feature feature) const;

  std::string flag();
  std::string value();
  std::string index();
  std::string scope();
  std::string order(bool loads, bool stores);
  std::string compare_exchange(const std::string& type, const std::string& place,
                               const std::string& expected, const std::string& desired);
  std::string atomic();
  std::string plain();
  std::string mask();
  std::string warps();
  std::string widths();
  std::string unset();
  std::string launch_sized();
  std::string statement();
  std::string guarded();
  std::string fences();
  std::string passing();

  std::mt19937 random_;
  std::vector<Feature> features_;
};

// A file of so many of them, and what one of its kernels is there.
kernel::ReadKernels random_cuda_file(unsigned seed, int count);
std::string source_of(const kernel::ReadKernels& read, const kernel::Function& function);

// So many, of files of few: a launch has the variables of all of its file.
void for_each_random_cuda(
    unsigned seed, int count,
    const std::function<void(const kernel::ReadKernels&, const kernel::Function&)>& look);

}  // namespace headway::testing
