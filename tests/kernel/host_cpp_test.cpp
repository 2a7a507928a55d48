// Host programs of CUDA as C++ has them: variables that are constructed, functions that call
// themselves, virtual ones, exceptions that are not thrown, and what they take of the library.
#include <doctest/doctest.h>

#include "kernel/clang/compile.hpp"
#include "kernel/machine/host.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"

using namespace headway::kernel;

namespace {

// The kinds of fault that a program has, "complete", or why it is not.
std::string fate_of(const std::string& text) {
  Compiler& compiler = headway::testing::shared_compiler();
  const headway::testing::TemporaryFolder folder;
  const std::string head =
      "#include <assert.h>\n"
      "__global__ void inc(int* a, int by) { a[threadIdx.x] += by; }\n";
  const ReadProgram read = read_program(folder.write("program.cu", head + text), {}, compiler);
  HostOptions options;
  options.explore.all_faults = true;
  const HostResult result = run_host_program(*read.host, *read.device, options);
  if (result.obstacle) return result.obstacle->fault.detail;
  std::string kinds;
  for (const HostFault& fault : result.faults) {
    kinds += (kinds.empty() ? "" : ",") + std::string(to_string(fault.fault.kind));
  }
  return kinds.empty() ? result.complete ? "complete" : "open" : kinds;
}

}  // namespace

TEST_CASE("kernel/host_cpp: global variables are constructed before main and destroyed behind it") {
  const std::string text = R"(
    #include <vector>
    struct Twice { int n; Twice(int k) : n(2 * k) {} };
    Twice twice(4);
    std::vector<int> ones(3, 1);
    int sum = twice.n + (int)ones.size();
    struct Owner { int* p = nullptr; ~Owner() { cudaFree(p); } } owner;
    int main() {
      assert(twice.n == 8 && ones[2] == 1 && sum == 11);
      cudaMalloc(&owner.p, 4);)";
  CHECK(fate_of(text + "}") == "complete");
  CHECK(fate_of(text + "cudaFree(owner.p); }") == "freed");
  CHECK(fate_of("int first = 7; int second = first; int main() { assert(second != 7); }") ==
        "assertion");
}

TEST_CASE("kernel/host_cpp: functions that call themselves") {
  const std::string text = R"(
    int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    void sort(int* a, int from, int to) {
      if (from >= to) return;
      int last = from;
      for (int i = from; i < to; i++) {
        if (a[i] < a[to]) { int t = a[i]; a[i] = a[last]; a[last++] = t; }
      }
      int t = a[to]; a[to] = a[last]; a[last] = t;
      sort(a, from, last - 1);
      sort(a, last + 1, to);
    }
    void down(int* d, int n) { if (n > 0) { inc<<<1, n>>>(d, 1); down(d, n - 1); } }
    int depth(int n) { int x = rand() % 2; return n == 0 || x ? 0 : 1 + depth(n - 1); }
    int* local(int n) { int x[1] = {n}; return n > 0 ? local(n - 1) : x; }
    int main() {)";
  CHECK(fate_of(text + R"(
      int h[5] = {0}, *d; cudaMalloc(&d, 20); cudaMemcpy(d, h, 20, cudaMemcpyHostToDevice);
      down(d, 5); cudaMemcpy(h, d, 20, cudaMemcpyDeviceToHost); cudaFree(d);
      assert(h[0] == 5 && h[4] == 1); sort(h, 0, 4); assert(h[0] == 1 && h[4] == 5);
      assert(fib(10) == 55); assert(depth(3) <= 3); })") == "complete");
  CHECK(fate_of(text + "assert(depth(3) != 2); }") == "assertion");
  CHECK(fate_of(text + "assert(fib(6) != 8); }") == "assertion");
  CHECK(fate_of(text + "int h[4] = {4, 3, 2, 1}; sort(h, 0, 4); }") == "bounds");
  CHECK(fate_of(text + "return *local(2); }") == "freed");
  CHECK(fate_of("int endless(int n) { return endless(n + 1); } int main() { return endless(0); }")
            .starts_with("more than 200 calls"));
  CHECK(fate_of("#include <stdlib.h>\nvoid leave(int n) { if (n == 0) exit(0); leave(n - 1); }"
                "int main() { leave(3); assert(0); }") == "complete");
}

TEST_CASE("kernel/host_cpp: virtual functions, functions in variables, and lambdas") {
  CHECK(fate_of(R"(
    #include <functional>
    #include <memory>
    #include <vector>
    struct Shape { virtual int area() const = 0; virtual ~Shape() {} };
    struct Square : Shape { int a; Square(int a) : a(a) {} int area() const override { return a * a; } };
    struct Line : Shape { int area() const override { return 0; } };
    int main() {
      std::vector<std::unique_ptr<Shape>> shapes;
      shapes.push_back(std::make_unique<Square>(3));
      shapes.emplace_back(new Line);
      int sum = 0;
      for (const auto& s : shapes) sum += s->area();
      assert(sum == 9);
      std::function<int(int)> f = [&](int x) { return x + sum; };
      const std::function<int(int)> g = f;
      f = [](int x) { return -x; };
      assert(g(1) == 10 && f(1) == -1);
    })") == "complete");
}

TEST_CASE("kernel/host_cpp: exceptions are run past, and refused where one is thrown") {
  const auto with = [](const std::string& n) {
    return fate_of(R"(
    #include <stdexcept>
    #include <iostream>
    #include <string>
    void check(cudaError_t e, const char* what) {
      if (e != cudaSuccess) throw std::runtime_error(std::string(what) + cudaGetErrorString(e));
    }
    int main() {
      try {
        int h[4] = {0}, *d;
        check(cudaMalloc(&d, sizeof h), "malloc");
        if ()" + n +
                   R"( > 4) throw std::invalid_argument("n");
        cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
        inc<<<1, )" +
                   n + R"(>>>(d, 1);
        check(cudaFree(d), "free");
      } catch (const std::exception& e) {
        std::cerr << e.what() << std::endl;
      }
    })");
  };
  CHECK(with("4") == "complete");
  CHECK(with("5").find("__cxa_") != std::string::npos);
}

TEST_CASE("kernel/host_cpp: strings, arrays, maps and tuples are those of C++") {
  CHECK(fate_of(R"(
    #include <algorithm>
    #include <array>
    #include <map>
    #include <set>
    #include <sstream>
    #include <stack>
    #include <string>
    #include <tuple>
    int main(int argc, char** argv) {
      std::string s = "warp", t(s);
      t += "size"; s.push_back('s');
      assert(t == "warpsize" && s == "warps" && s != t && s < t && t.find("siz") == 4);
      assert(t.substr(4) == std::string("size") && (s + "1" + 'x').size() == 7 && t.rfind('p') == 3);
      assert(std::to_string(-120) + std::to_string(7u) == "-1207" && std::stoi("42") == 42);
      std::ostringstream out; out << "n=" << 3 << ' ' << s; assert(out.str() == "n=3 warps");
      assert(argc == 1 && argv[argc] == nullptr && !std::string(argv[0]).empty());
      std::array<int, 3> a{3, 1, 2}; std::sort(a.begin(), a.end()); assert(a[0] == 1 && a.back() == 3);
      std::map<std::string, int> m{{"b", 2}}; m["a"] = 1; m["b"] += 5;
      assert(m.size() == 2 && m.begin()->first == "a" && m["b"] == 7 && m.count("c") == 0);
      std::set<int> u{2, 1, 2}; assert(u.size() == 2 && *u.begin() == 1);
      std::queue<int> q; q.push(1); q.push(2); q.pop(); assert(q.front() == 2);
      auto [x, y] = std::make_tuple(1, 2.5); assert(x == 1 && y == 2.5);
      char b[16]; assert(snprintf(b, 16, "%d-%s_%03u%%", -5, "ab", 7u) == 10);
      assert(std::string("-5-ab_007%") == b && sprintf(b, "%4x|%c", 255, 'z') == 6);
      assert(std::string("  ff|z") == b);
      int* d; cudaMalloc(&d, 4); cudaMemset(d, 0, 4); inc<<<1, 1>>>(d, 1); cudaFree(d);
    })") == "complete");
  CHECK(fate_of("#include <string>\nint main() { std::string s = \"ab\"; return s.c_str()[3]; }") ==
        "bounds");
  CHECK(fate_of("int main() { char b[4]; sprintf(b, \"%d\", 1234); }") == "bounds");
}

TEST_CASE("kernel/host_cpp: files may be there or not, and random numbers are any of their range") {
  const std::string text = R"(
    #include <cstdio>
    #include <fstream>
    #include <random>
    int main() {
      std::mt19937 engine(1); std::uniform_int_distribution<int> die(1, 6);
      int n = die(engine); assert(n >= 1 && n <= 6);
      FILE* f = fopen("in", "r");
      int h[3] = {0};
      if (f) { fread(h, sizeof(int), 3, f); fclose(f); }
      std::ifstream in("in2"); int x = 1; if (in) in >> x;)";
  CHECK(fate_of(text + "assert(f || h[2] == 0); }") == "complete");
  CHECK(fate_of(text + "assert(n != 6); }") == "assertion");
  CHECK(fate_of(text + "assert(f); }") == "assertion");
  CHECK(fate_of(text + "assert(h[2] == 0); }") == "assertion");
  CHECK(fate_of(text + "assert(x == 1); }") == "assertion");
}

TEST_CASE("kernel/host_cpp: a program that wants arguments is not said to be right without any") {
  const std::string text =
      "int main(int argc, char** argv) { if (argc < 2) return 1; int* d; cudaMalloc(&d, 4);"
      "inc<<<1, 2>>>(d, 1); }";
  CHECK(fate_of(text) == "the program is run without arguments, and launches no kernel");
}

TEST_CASE("kernel/host_cpp: managed variables are one thing on both sides") {
  const std::string text =
      "__managed__ int total = 2; __global__ void add() { atomicAdd(&total, 1); }"
      "int main() { total++; add<<<2, 2>>>();";
  CHECK(fate_of(text + "cudaDeviceSynchronize(); assert(total == 7); }") == "complete");
  CHECK(fate_of(text + "assert(total == 7); }") == "race");
}

TEST_CASE("kernel/host_cpp: what depends on a fetch from a texture is possible, not violated") {
  Compiler& compiler = headway::testing::shared_compiler();
  const headway::testing::TemporaryFolder folder;
  const ReadProgram read = read_program(folder.write("program.cu", R"(
    texture<int, 1, cudaReadModeElementType> t;
    __global__ void k(int* o) { o[threadIdx.x] = tex1Dfetch(t, threadIdx.x); }
    int main() {
      int h[2] = {1, 2}, *d, *o; cudaMalloc(&d, 8); cudaMalloc(&o, 8);
      cudaMemcpy(d, h, 8, cudaMemcpyHostToDevice); cudaBindTexture(0, t, d, 8);
      k<<<1, 2>>>(o); cudaMemcpy(h, o, 8, cudaMemcpyDeviceToHost); assert(h[1] == 2);
    })"),
                                        {}, compiler);
  const HostResult result = run_host_program(*read.host, *read.device, HostOptions{});
  REQUIRE(result.faults.size() == 1);
  CHECK(result.faults.front().fault.kind == FaultKind::assertion);
  CHECK(result.faults.front().fault.possible);
}

TEST_CASE("kernel/host_cpp: the same computed twice is equal within a tolerance, if it is finite") {
  const std::string text = R"(
    __global__ void sum(const float* a, float* s) { *s = a[0] * a[1] + a[2] / 3; }
    int main() {
      float h[3], s, *d, *o; cudaMalloc(&d, 12); cudaMalloc(&o, 4);
      for (int i = 0; i < 3; i++) h[i] = FLOAT;
      cudaMemcpy(d, h, 12, cudaMemcpyHostToDevice); sum<<<1, 1>>>(d, o);
      cudaMemcpy(&s, o, 4, cudaMemcpyDeviceToHost);
      float t = h[0] * h[1] + h[2] / 3;)";
  const std::string drawn = "#define FLOAT rand() / (float)RAND_MAX\n" + text;
  const std::string any = "#define FLOAT nondet_float()\n" + text;
  CHECK(fate_of(drawn + "assert(fabs(s - t) < 1e-6 && s == t && !(s != t)); }") == "complete");
  CHECK(fate_of(drawn + "float e = 0; e = fmaxf(e, fabsf(s - t)); assert(e == 0); }") ==
        "complete");
  CHECK(fate_of(any + "assert(!(fabs(s - t) > 1e-6)); }") == "complete");
  CHECK(fate_of(any + "float e = 0; e += fabsf(s - t); assert(!(e > 0)); }") == "complete");
  CHECK(fate_of(any + "assert(fabs(s - t) < 1e-6); }") == "assertion");
  CHECK(fate_of(any + "assert(s == t); }") == "assertion");
  CHECK(fate_of(drawn + "assert(s == h[0] * h[1]); }") == "assertion");
}

TEST_CASE("kernel/host_cpp: boxes, arrays for textures, and random numbers on the device") {
  CHECK(fate_of(R"(
    #include <curand.h>
    __global__ void k(cudaPitchedPtr p) {
      char* row = (char*)p.ptr + (threadIdx.z * p.ysize + threadIdx.y) * p.pitch;
      ((int*)row)[threadIdx.x] = 100 * threadIdx.z + 10 * threadIdx.y + threadIdx.x;
    }
    int main() {
      cudaExtent e = make_cudaExtent(2 * sizeof(int), 2, 2); cudaPitchedPtr p; int h[8];
      cudaMalloc3D(&p, e);
      k<<<1, dim3(2, 2, 2)>>>(p);
      cudaMemcpy3DParms c = {0};
      c.srcPtr = p; c.dstPtr = make_cudaPitchedPtr(h, 8, 2, 2); c.extent = e;
      c.kind = cudaMemcpyDeviceToHost;
      cudaMemcpy3D(&c); cudaFree(p.ptr);
      assert(h[7] == 111 && h[4] == 100);
      cudaArray_t a; cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
      cudaMallocArray(&a, &d, 2, 2); cudaMemcpyToArray(a, 0, 0, h, 16, cudaMemcpyHostToDevice);
      cudaFreeArray(a);
      curandGenerator_t g; float* u, f; cudaMalloc(&u, 4);
      curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT); curandGenerateUniform(g, u, 1);
      cudaMemcpy(&f, u, 4, cudaMemcpyDeviceToHost); cudaFree(u);
      assert(f > 0 && f <= 1);
    })") == "complete");
}
