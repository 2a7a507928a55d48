// Templates of kernels that a compiler leaves out.
#include "kernel/test/templates.hpp"

#include <doctest/doctest.h>

using namespace headway::kernel;

namespace {

// Of a module with kernels of these names.
std::vector<std::string> left_out(const char* text, const std::vector<std::string>& names) {
  Module module;
  for (const std::string& name : names) module.functions.emplace_back().name = name;
  return without_instance(text, module);
}

}  // namespace

TEST_CASE("kernel/test/templates: those without an instance are named, once") {
  using Names = std::vector<std::string>;
  CHECK(left_out("template <class T> __global__ void fill(T* a) {}", {}) == Names{"fill"});
  CHECK(left_out("template <class T> __global__ void fill(T* a) {}", {"fill<int>"}).empty());
  CHECK(left_out("template <class T> __global__ void fill(T* a) {}\n"
                 "template __global__ void fill<int>(int* a);",
                 {"fill<int>"})
            .empty());
  CHECK(left_out("namespace n { template <int N>\nstatic __global__ __launch_bounds__(N) void\n"
                 "tail(int* a); template <int N> __global__ void tail(int* a) {} }",
                 {}) == Names{"tail"});
  CHECK(left_out("template <int N> __global__ void tail(int*) {}", {"n::tail<(int)3>"}).empty());
  CHECK(left_out("__global__ void plain(int* a) {} /* template <int N> __global__ void f(); */"
                 "const char* s = \"template <int N> __global__ void g();\"; // template"
                 "\n__global__ void other() {}",
                 {"plain"})
            .empty());
  CHECK(left_out("template <int N> __device__ int twice() { return 2 * N; }"
                 "__global__ void k(int* a) {}",
                 {})
            .empty());
  CHECK(left_out("template <> __global__ void k<int>(int* a) {}", {}).empty());
}
