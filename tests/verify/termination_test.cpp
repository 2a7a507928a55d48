// Loops that are said to end do so, whatever their bound; loops that may go on are not said to end.
#include "verify/termination.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <optional>

#include "kernel/test/kernel_tests.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"
#include "support/solvers.hpp"
#include "verify/encoding/encoder.hpp"
#include "verify/encoding/flow.hpp"
#include "verify/prover.hpp"
#include "verify/verify.hpp"

namespace headway {
namespace {

std::shared_ptr<const kernel::Module> loops_of(const std::string& text) {
  kernel::Compiler& compiler = headway::testing::shared_compiler();
  const testing::TemporaryFolder folder;
  return kernel::read_kernels(folder.write("loops.cu", text), kernel::Side::device, {}, compiler)
      .module;
}

verify::Report answer_of(const kernel::Module& module, const kernel::Function& function) {
  verify::Options options;
  options.launch.block = {4, 1, 1};
  options.launch.grid = {2, 1, 1};
  options.trials = false;
  return verify::verify(module, function, options);
}

bool ends(const verify::Report& report) {
  return std::any_of(report.findings.begin(), report.findings.end(), [](const auto& one) {
    return one.property == verify::Property::termination &&
           one.verdict == verify::Verdict::verified;
  });
}

// `for (unsigned char i = first; i CMP n; i = i OP by)` with n unknown, in C and as what it does.
struct Shape {
  const char* text;
  std::function<bool(int, int)> goes_on;
};
struct Step {
  const char* text;
  std::function<int(int, int)> next;
};

}  // namespace

TEST_CASE("verify/termination: of 320 loops over bytes, none is said to end that goes on") {
  const Shape shapes[] = {{"i < n", [](int i, int n) { return i < n; }},
                          {"i > n", [](int i, int n) { return i > n; }},
                          {"i != n", [](int i, int n) { return i != n; }},
                          {"i <= n", [](int i, int n) { return i <= n; }},
                          {"i < n && i != 7", [](int i, int n) { return i < n && i != 7; }}};
  const Step steps[] = {{"+", [](int i, int by) { return (i + by) & 255; }},
                        {"-", [](int i, int by) { return (i - by) & 255; }},
                        {"*", [](int i, int by) { return (i * by) & 255; }},
                        {">>", [](int i, int by) { return i >> by; }},
                        {"|", [](int i, int by) { return i | by; }},
                        {"&", [](int i, int by) { return i & by; }},
                        {"^", [](int i, int by) { return i ^ by; }},
                        {"%", [](int i, int by) { return i % by; }}};
  const int firsts[] = {0, 1, 100, 255}, bys[] = {1, 3};
  std::string text;
  std::vector<bool> truth;
  for (const Shape& shape : shapes) {
    for (const Step& step : steps) {
      for (const int first : firsts) {
        for (const int by : bys) {
          text += fmt::format(
              "__global__ void k{}(unsigned char n) {{ unsigned char i = {};"
              " while ({}) i = (unsigned char)(i {} {}); }}\n",
              truth.size(), first, shape.text, step.text, by);
          bool all_end = true;
          for (int n = 0; n < 256; ++n) {
            int i = first, rounds = 0;
            while (shape.goes_on(i, n) && ++rounds <= 256) i = step.next(i, by);
            all_end = all_end && rounds <= 256;
          }
          truth.push_back(all_end);
        }
      }
    }
  }
  const auto module = loops_of(text);
  REQUIRE(module->functions.size() == truth.size());
  int that_end = 0, shown = 0;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    const bool said = ends(answer_of(*module, module->functions[k]));
    INFO("kernel ", k);
    CHECK_FALSE((said && !truth[k]));
    that_end += truth[k] ? 1 : 0;
    shown += said ? 1 : 0;
  }
  MESSAGE("of ", truth.size(), " loops ", that_end, " end, ", shown, " are shown to");
  CHECK(shown > 60);
}

// Loops over signed bytes with an access in each round, which is an error in front of the array.
TEST_CASE("verify/termination: of 72 loops with accesses, those end that go on in no array") {
  const Shape shapes[] = {{"i < n", [](int i, int n) { return i < n; }},
                          {"i <= n", [](int i, int n) { return i <= n; }},
                          {"i != n", [](int i, int n) { return i != n; }}};
  const Step steps[] = {{"i + 3", [](int i, int) { return i + 3; }},
                        {"i + 64", [](int i, int) { return i + 64; }},
                        {"i - 5", [](int i, int) { return i - 5; }},
                        {"i * 2 + 1", [](int i, int) { return i * 2 + 1; }}};
  // What is accessed, if anything: the number of the element.
  struct Access {
    const char* text;
    std::function<std::optional<int>(int)> element;
  };
  const Access accesses[] = {
      {"a[i] = 0;", [](int i) { return std::optional(i); }},
      {"a[i + 200] = 0;", [](int i) { return std::optional(i + 200); }},
      {"a[i - 100] = 0;", [](int i) { return std::optional(i - 100); }},
      {"a[i & 31] = 0;", [](int i) { return std::optional(i & 31); }},
      {"if (i > 5) a[i] = 0;", [](int i) { return i > 5 ? std::optional(i) : std::nullopt; }},
      {"if (i < 0) a[i] = 0;", [](int i) { return i < 0 ? std::optional(i) : std::nullopt; }}};
  std::string text;
  std::vector<bool> truth, is_lost;
  for (const Shape& shape : shapes) {
    for (const Step& step : steps) {
      for (const Access& access : accesses) {
        text += fmt::format(
            "__global__ void k{}(char* a, signed char n) {{ signed char i = 0;"
            " while ({}) {{ {} i = (signed char)({}); }} }}\n",
            truth.size(), shape.text, access.text, step.text);
        bool all_end = true, any_lost = false;
        for (int n = -128; n < 128; ++n) {
          int i = 0, rounds = 0;
          bool is_error = false;
          while (!is_error && shape.goes_on(i, n) && ++rounds <= 256) {
            const std::optional<int> element = access.element(i);
            is_error = element && *element < 0;
            i = static_cast<signed char>(step.next(i, 0));
          }
          all_end = all_end && rounds <= 256;
          any_lost = any_lost || is_error;
        }
        truth.push_back(all_end);
        is_lost.push_back(any_lost);
      }
    }
  }
  const auto module = loops_of(text);
  REQUIRE(module->functions.size() == truth.size());
  int by_accesses = 0;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    const verify::Report report = answer_of(*module, module->functions[k]);
    const bool said = ends(report), assumed = !report.assumed.empty();
    INFO(text.substr(text.find(fmt::format("k{}(", k)), 120));
    CHECK_FALSE((said && !truth[k]));
    // It is said where it hangs on what is no end.
    if (said && !is_lost[k]) CHECK_FALSE(assumed);
    by_accesses += said && assumed ? 1 : 0;
  }
  MESSAGE("of ", truth.size(), " loops ", by_accesses, " end by their accesses");
  CHECK(by_accesses > 4);
}

TEST_CASE("verify/termination: what wraps around in front of an array is no round") {
  const auto module = loops_of(R"(
    __global__ void strided(float* y, int n) {
      for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = 2 * y[i];
    }
    __global__ void tile(int* out, int n) {
      __shared__ int s[64];
      for (int i = threadIdx.x; i < n; i += 64) s[i] = i;
      out[0] = s[0];
    }
    __global__ void later(int* a, int n) {
      for (int i = threadIdx.x; i < n; i += 64)
        if (i >= 0) a[i] = 0;
    }
    __global__ void past(int* a, int n) {
      for (int i = threadIdx.x; i != n; i += 2) a[i] = i;
    }
    __global__ void past_too(int* a, int n, int m) {
      for (int i = threadIdx.x; i != n && m > 0; i += 2) a[i] = i;
    }
    __global__ void natural(int* a, unsigned n) {
      for (unsigned i = threadIdx.x; i < n; i += 64) a[i] = 0;
    })");
  const std::map<std::string, std::string> expected = {
      {"strided", "accesses in the loop in line 3 stay within their arrays, so that it ends"},
      {"tile", "accesses in the loop in line 8 stay within their arrays, so that it ends"},
      {"later", ""},
      {"past", ""},
      {"past_too", ""},
      {"natural", ""}};
  for (const kernel::Function& function : module->functions) {
    CAPTURE(function.name);
    const verify::Report report = answer_of(*module, function);
    const std::string& premise = expected.at(function.name);
    CHECK(ends(report) == !premise.empty());
    CHECK(report.assumed ==
          (premise.empty() ? std::vector<std::string>() : std::vector<std::string>{premise}));
  }
}

TEST_CASE(
    "verify/termination: counters, halves, nests, barriers end, waiting and wrapping may not") {
  const auto module = loops_of(R"(
    __global__ void ok_counter(float* a, int n) { for (int i = threadIdx.x; i < n; i++) a[i] = i; }
    __global__ void ok_halves(int n) { for (int d = n; d > 0; d >>= 1) __syncthreads(); }
    __global__ void ok_nest(int n, int m) {
      for (int i = 0; i < n; i++) { int j = m; while (j > i) j -= 1; }
    }
    __global__ void ok_data(const int* p, int n) { for (int i = 0; i < n; i++) if (p[i] == 3) break; }
    __global__ void ok_pointers(const float* q, int n) { for (const float* e = q + n; q < e; q++); }
    __global__ void ok_either(const int* a, int n, int m) {
      int i = 0, j = 0;
      while (i < n && j < m) if (a[i] < a[j]) i++; else j++;
    }
    __global__ void ok_merge(const int* a, int n, int m) {
      int i = 0, j = 0;
      while (i < n || j < m) if (j >= m || (i < n && a[i] < a[j])) i++; else j++;
    }
    __global__ void ok_strided_pointers(const float* a, int n) {
      for (const float* p = a + threadIdx.x; p < a + n; p += blockDim.x);
    }
    __global__ void ok_both_ends(const int* a, int n) {
      int i = 0, j = n - 1;
      while (i < j) if (a[i] > 0) i++; else if (a[j] < 0) j--; else { i++; j--; }
    }
    __global__ void ok_search(const int* a, unsigned char n, int x) {
      unsigned char lo = 0, hi = n;
      while (lo < hi) {
        unsigned char mid = lo + (hi - lo) / 2;
        if (a[mid] < x) lo = mid + 1; else hi = mid;
      }
    }
    __global__ void search_stays(const int* a, unsigned char n, int x) {
      unsigned char lo = 0, hi = n;
      while (lo < hi) {
        unsigned char mid = lo + (hi - lo) / 2;
        if (a[mid] < x) lo = mid; else hi = mid;
      }
    }
    __global__ void search_wraps(const int* a, unsigned char n, int x) {
      unsigned char lo = 0, hi = n;
      while (lo < hi) {
        unsigned char mid = (unsigned char)(lo + hi) / 2;
        if (a[mid] < x) lo = mid + 1; else hi = mid;
      }
    }
    __global__ void pointers_stay(const float* q, int n, const int* a) {
      int i = 0;
      for (const float* e = q + n; q < e; i++) if (a[i & 7]) q++;
    }
    __global__ void neither(const int* a, int n, int m) {
      int i = 0, j = 0;
      while (i < n && j < m) if (a[i] < a[j]) i++; else if (a[i] > a[j]) j++;
    }
    __global__ void apart(int n, int m) { int i = 0, j = 0; while (i < n || j < m) { i++; j--; } }
    __global__ void flees(int n) { for (int i = 0; i != n; i++) n++; }
    __global__ void waits(volatile int* flag) { while (*flag == 0); }
    __global__ void locks(int* lock) { while (atomicCAS(lock, 0, 1)); atomicExch(lock, 0); }
    __global__ void wraps(unsigned n) { for (unsigned i = 0; i < n; i += 64); }
    __global__ void doubles(int n) { for (int d = 1; d < n; d *= 2); }
    __global__ void for_ever(int n) { int i = 0; while (true) i++; }
    __global__ void outer(int n) { int j = 0; while (j < n) { for (int i = 0; i < n; i++); } }
    __global__ void diverges(int n) {
      for (int i = threadIdx.x; i < n; i++) __syncthreads();
    }
  )");
  for (const kernel::Function& function : module->functions) {
    INFO(function.name);
    const verify::Report report = answer_of(*module, function);
    // That a sum of two distances falls takes integers.
    const bool sums = function.name == "ok_either" || function.name == "ok_merge";
    const bool expected = function.name.starts_with("ok_") && (!sums || testing::has_cvc5());
    CHECK(ends(report) == expected);
    CHECK(report.rankings.empty() == !expected);
    CHECK(report.may_go_on.empty() == expected);
  }
}

TEST_CASE("verify/termination: a loop that is not shown to end is named, with what it waits for") {
  const auto module = loops_of(R"(__global__ void waits(volatile int* flag) {
      while (*flag == 0);
    }
    __global__ void wraps(int n) {
      for (int i = 0; i < n; i += 64);
    }
    __global__ void shared(int* a) {
      __shared__ int again;
      do { __syncthreads(); again = a[0]; __syncthreads(); } while (again);
    }
    __global__ void parts(int n) {
      for (int i = threadIdx.x; i < n; i++) __syncthreads();
    })");
  const std::map<std::string, std::string> expected = {
      {"waits",
       "line 2: nothing is known to grow or shrink in every round; it waits for memory that "
       "others write, at line 2"},
      {"wraps", "line 5: nothing is known to grow or shrink in every round; i may wrap around"},
      {"shared",
       "line 9: nothing is known to grow or shrink in every round; it waits for memory that "
       "others write, at line 9"},
      {"parts", "divergence is not excluded"}};
  for (const kernel::Function& function : module->functions) {
    const verify::Report report = answer_of(*module, function);
    INFO(function.name, ": ", report.may_go_on.empty() ? "" : report.may_go_on.front());
    REQUIRE(!report.may_go_on.empty());
    CHECK(report.may_go_on.front() == expected.at(function.name));
  }
}

TEST_CASE("verify/termination: a loop that ends whatever holds in it needs no invariant") {
  const auto module = loops_of(
      "__global__ void counts(int* a, int n) { for (int i = 0; i < n; ++i) a[i] = i; }\n"
      "__global__ void waits(volatile int* a) { while (*a == 0) { } }\n");
  for (const kernel::Function& function : module->functions) {
    CAPTURE(function.name);
    verify::Options options;
    options.launch.block = {4, 1, 1};
    options.launch.grid = {2, 1, 1};
    const auto flow = verify::flow_of(function);
    REQUIRE(flow);
    smt::Context context;
    const verify::Encoding encoding =
        verify::encode(context, *module, function, *flow, options, {});
    verify::Prover prover(context, options, verify::Prover::Clock::now() + std::chrono::minutes(1),
                          "ends");
    verify::Rankings known;
    rank_loops(context, *module, function, *flow, encoding, verify::Invariants::unknown, prover,
               known);
    CHECK(known.shown.size() == (function.name == "counts" ? 1 : 0));
    CHECK(known.open.size() == (function.name == "counts" ? 0 : 1));
    // What is shown is not asked about again.
    const std::size_t asked = prover.questions();
    rank_loops(context, *module, function, *flow, encoding, verify::Invariants::hold, prover,
               known);
    if (function.name == "counts") CHECK(prover.questions() == asked);
  }
}

}  // namespace headway
