// Random kernels with barrier invariants, right and wrong ones: what a run refutes is not verified.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <random>
#include <set>

#include "base/file.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/budget.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"
#include "verify/trial.hpp"
#include "verify/verify.hpp"

namespace headway {
namespace {

class RandomClaims {
 public:
  explicit RandomClaims(unsigned seed) : random_(seed) {}

  std::string kernel(int number) {
    written_.clear();
    tidy_ = below(4) != 0;
    std::string text = fmt::format(
        "__global__ void k{}(int* a, const int* b, int n) {{\n  __shared__ int s[16];\n"
        "  int t = threadIdx.x, x = 0;\n",
        number);
    const int count = 2 + below(3);
    for (int k = 0; k < count; ++k) {
      if (below(5) == 0) {
        text += "  for (int k = 0; k < n; k++) {\n  " + phase() + "  __syncthreads();\n  }\n";
        written_.clear();
      } else {
        text += phase();
      }
    }
    const bool by_thread = tidy_ && below(3) != 0;
    return text + fmt::format("  a[blockIdx.x * 16 + ({} & 15)] = x;\n}}\n", by_thread ? "t" : "x");
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  std::string one_of(std::initializer_list<const char*> texts) {
    return texts.begin()[below(static_cast<int>(texts.size()))];
  }

  std::string value() {
    return one_of({"t", "t + 1", "3 - t", "2 * t", "t ^ 1", "5", "(int)blockIdx.x", "b[t]",
                   "b[t] & 3", "x", "(x & 3) + t"});
  }
  // Threads of a tidy kernel touch what is theirs: only claims are wrong.
  std::string index() {
    if (tidy_) return "t";
    return one_of({"t", "t", "t", "t ^ 1", "t + 4", "2 * t", "0", "t / 2"});
  }
  std::string thread() { return one_of({"t", "t ^ 1", "t + 1", "0", "3 - t", "x"}); }
  std::string guard() {
    return below(4) == 0 ? one_of({"if (t < 3) ", "if (t == 0) ", "if (n > 1) ", "if (x > 1) "})
                         : "";
  }
  std::string claim() {
    if (!written_.empty() && below(8) != 0) return written_;
    const std::string at = fmt::format("s[({}) & 15]", index());
    return at + one_of({" == ", " >= ", " <= "}) + value();
  }

  // What threads do between two barriers.
  std::string phase() {
    std::string text;
    const int writes = below(3);
    for (int k = 0; k < writes; ++k) {
      const std::string at = index(), what = value(), when = guard();
      text += fmt::format("  {}s[({}) & 15] = {};\n", when, at, what);
      if (when.empty()) written_ = fmt::format("s[({}) & 15] == {}", at, what);
    }
    if (below(2) == 0) text += fmt::format("  x = s[({}) & 15];\n", index());
    if (below(5) == 0 && (!tidy_ || !written_.empty())) {
      text += fmt::format("  __assert({});\n", claim());
    }
    if (below(2) == 0 && (!tidy_ || !written_.empty())) {
      text += fmt::format("  __barrier_invariant({}, {}, {});\n", claim(), thread(), thread());
    }
    text += "  __syncthreads();\n";
    // What another thread wrote, and a claim about it.
    if (below(2) == 0) {
      text += fmt::format("  x = s[({}) & 15];\n", thread());
      if (below(2) == 0)
        text += fmt::format("  __assert(x {} {});\n", one_of({">=", "!=", "<="}),
                            one_of({"0", "9", "t", "3 - t", "t ^ 1"}));
      text += "  __syncthreads();\n";
    }
    return text;
  }

  std::mt19937 random_;
  bool tidy_ = false;
  std::string written_;  // the last claim that may hold
};

std::set<verify::Property> faults(const kernel::Module& module, const kernel::Function& f) {
  std::set<verify::Property> found;
  for (const std::uint64_t n : {0U, 1U, 3U}) {
    for (const unsigned data : {0U, 1U, 5U}) {
      verify::TrialLaunch launch;
      launch.block = {4, 1, 1};
      launch.grid = {2, 1, 1};
      launch.groups = {0, 1};
      launch.arguments = {0, 0, n};
      launch.content = [data](int region, std::uint64_t at) {
        const std::uint64_t place = at / 4 + static_cast<std::uint64_t>(region);
        return at % 4 == 0 ? static_cast<std::uint8_t>(place * data % 7) : std::uint8_t{0};
      };
      launch.unknown = [](std::uint32_t) { return std::uint64_t{0}; };
      for (const verify::TrialFault& one :
           verify::try_launch(module, f, launch,
                              std::chrono::steady_clock::now() + std::chrono::seconds(5))
               .faults) {
        found.insert(one.property);
      }
    }
  }
  return found;
}

struct Count {
  int wrong = 0, verified = 0, helped = 0;
};

// Of kernels from one seed.
Count hold_against_runs(unsigned seed, int kernels) {
  RandomClaims claims(seed);
  std::string text;
  for (int k = 0; k < kernels; ++k) text += claims.kernel(k);
  const testing::TemporaryFolder folder;
  folder.write("random.cu", text);
  kernel::Compiler& compiler = headway::testing::shared_compiler();
  const auto module = kernel::read_kernels((folder.path() / "random.cu").string(),
                                           kernel::Side::device, {}, compiler)
                          .module;
  Count count;
  for (const kernel::Function& f : module->functions) {
    verify::Options options;
    options.launch.block = {4, 1, 1};
    options.launch.grid = {2, 1, 1};
    options.trials = false;
    options.query_limit = std::chrono::milliseconds(300);
    options.kernel_limit = std::chrono::milliseconds(1500);
    const std::set<verify::Property> found = faults(*module, f);
    const verify::Report report = verify::verify(*module, f, options);
    const std::size_t at = text.find(" " + f.name + "(");
    const std::string code = text.substr(at, text.find("\n}", at) - at);
    count.wrong += found.empty() ? 0 : 1;
    if (report.worst() == verify::Verdict::verified) {
      ++count.verified;
      count.helped += code.find("__barrier_invariant") != std::string::npos ? 1 : 0;
    }
    INFO("seed ", seed, ", ", f.name, ": ", code);
    for (const verify::Finding& one : report.findings) {
      CHECK_FALSE((found.contains(one.property) && one.verdict == verify::Verdict::verified));
    }
  }
  return count;
}

// HEADWAY_CLAIMS=20 makes 20 times as many.
TEST_CASE("verify/barrier_claims: no kernel is verified whose claims or races a run shows") {
  constexpr int kKernels = 90;
  const int times = testing::wished("HEADWAY_CLAIMS", testing::budget(1));
  for (int k = 0; k < times; ++k) {
    const Count count = hold_against_runs(static_cast<unsigned>(11 + k), kKernels);
    MESSAGE(count.verified, " verified, ", count.helped, " of them with claims, ", count.wrong,
            " wrong of ", kKernels);
    CHECK(count.wrong > kKernels / 4);
    CHECK(count.verified > 4);
    CHECK(count.helped > 1);
  }
}

}  // namespace
}  // namespace headway
