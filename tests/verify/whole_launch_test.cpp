// Launches that are looked at whole: what is said of them, of what, and that a proof never says the
// opposite. HEADWAY_LAUNCHES=1000 looks at so many random kernels.
#include "verify/whole_launch.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <random>

#include "kernel/test/kernel_tests.hpp"
#include "support/budget.hpp"
#include "support/compiler.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "verify/verify.hpp"

namespace headway {
namespace {

std::shared_ptr<const kernel::Module> waiting_kernels(const std::string& text) {
  kernel::Compiler& compiler = headway::testing::shared_compiler();
  const testing::TemporaryFolder folder;
  return kernel::read_kernels(folder.write("waiting.cu", text), kernel::Side::device, {}, compiler)
      .module;
}

// As a file would state it.
verify::Options two_blocks(std::uint32_t threads) {
  verify::Options options;
  options.launch.grid = {2, 1, 1};
  options.launch.block = {threads, 1, 1};
  kernel::BufferSpec one;
  one.elements = 1;
  one.content = kernel::BufferSpec::Content::zero;
  options.stated.buffers["flag"] = one;
  return options;
}

const verify::Finding* finding(const verify::Report& report, verify::Property property) {
  for (const verify::Finding& one : report.findings) {
    if (one.property == property) return &one;
  }
  return nullptr;
}

std::string said(const verify::Report& report) {
  std::string text;
  for (const verify::Finding& one : report.findings) {
    text += fmt::format("{} {} {}\n", name_of(one.property), name_of(one.verdict), one.detail);
  }
  return text;
}

// One of each way in which looking at a launch could say too much.
constexpr const char* kKernels = R"(
  __device__ int ready;
  __device__ void positive(int n) { __requires(n > 0); }

  __global__ void right_message(int* data, int* flag) {
    if (blockIdx.x == 0) {
      data[threadIdx.x] = 1;
      __syncthreads();
      if (threadIdx.x == 0) { __threadfence(); atomicExch(flag, 1); }
    } else {
      if (threadIdx.x == 0) { while (atomicAdd(flag, 0) == 0); __threadfence(); }
      __syncthreads();
      data[threadIdx.x] += 1;
    }
  }
  __global__ void right_variable(int* data) {
    if (blockIdx.x == 0) {
      if (threadIdx.x == 0) { data[0] = 1; __threadfence(); atomicExch(&ready, 1); }
    } else if (threadIdx.x == 0) {
      while (atomicAdd(&ready, 0) == 0);
      __threadfence();
      data[0] += 1;
    }
  }
  __global__ void right_two_places(int* data, int* flag) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
      data[0] = 1;
      __threadfence();
      atomicExch(flag, 1);
      atomicAdd(&ready, 1);
    } else if (threadIdx.x == 0) {
      while (atomicAdd(flag, 0) == 0);
      __threadfence();
      data[0] += 1;
    }
  }
  __global__ void race_no_fence(int* data, int* flag) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
      data[0] = 1;
      atomicExch(flag, 1);
    } else if (threadIdx.x == 0) {
      while (atomicAdd(flag, 0) == 0);
      data[0] += 1;
    }
  }
  // The flag may be set at first, where nobody says that it is not.
  __global__ void race_set_at_first(int* data, int* other) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
      data[0] = 1;
      __threadfence();
      atomicExch(other, 1);
    } else if (threadIdx.x == 0) {
      while (atomicAdd(other, 0) == 0);
      __threadfence();
      data[0] += 1;
    }
  }
  // All come to the same barrier, one of them in another round.
  __global__ void open_rounds(int* data, int* flag, int n) {
    for (int i = 0; i < 2; i++) {
      if (i == (int)(threadIdx.x & 1)) __syncthreads();
    }
  }
  // A lock orders the reads that decide who comes to the barrier in which round.
  __global__ void open_under_lock(int* data, int* flag) {
    __shared__ int next, lock;
    if (threadIdx.x == 0) { next = 0; lock = 0; }
    __syncthreads();
    bool done = false;
    int mine = 0;
    while (!done) {
      if (atomicCAS(&lock, 0, 1) == 0) {
        __threadfence();
        mine = next;
        next = mine + 1;
        __threadfence();
        atomicExch(&lock, 0);
        done = true;
      }
    }
    for (int i = 0; i < 2; i++) {
      if (i == mine) __syncthreads();
    }
  }
  // Volatile accesses race.
  __global__ void open_volatile(int* data, volatile int* flag) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
      data[0] = 1;
      __threadfence();
      *flag = 1;
    } else if (threadIdx.x == 0) {
      while (*flag == 0);
      __threadfence();
      data[0] += 1;
    }
  }
  // Behind an error nobody looks.
  __global__ void open_behind_end(int* data, int* flag) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
      data[0] = 1;
      __threadfence();
      atomicExch(flag, 1);
    } else {
      while (atomicAdd(flag, 0) == 0);
      __threadfence();
      data[0] += 1;
      atomicAdd(flag + 1, 1);
    }
  }
  // What a function requires that it calls is a claim, and no assumption.
  __global__ void open_required(int* data, int* flag) {
    int drawn = atomicAdd(flag, 1);
    positive(drawn);
    data[drawn] = 1;
  }
)";

}  // namespace

TEST_CASE("verify/whole_launch: what waits is decided where all is seen, and not where more is") {
  const auto module = waiting_kernels(kKernels);
  REQUIRE(module->functions.size() == 10);
  for (const kernel::Function& function : module->functions) {
    verify::Options options = two_blocks(2);
    std::erase_if(options.stated.buffers, [&](const auto&) {
      return function.parameters.size() < 2 || function.parameters[1].name != "flag";
    });
    const verify::Report report = verify::verify(*module, function, options);
    const std::string text = said(report);
    INFO(function.name, ":\n", text);
    if (function.name.starts_with("right_")) {
      CHECK(report.worst() == verify::Verdict::verified);
      CHECK(testing::contains(finding(report, verify::Property::race)->detail,
                              "by all executions of this launch, with "));
    } else if (function.name.starts_with("race_")) {
      CHECK(finding(report, verify::Property::race)->verdict == verify::Verdict::violated);
    } else {
      CHECK(report.worst() != verify::Verdict::verified);
      CHECK_FALSE(testing::contains(text, "all executions"));
    }
  }
}

TEST_CASE("verify/whole_launch: an answer says what it is of") {
  const auto module = waiting_kernels(kKernels);
  std::map<std::string, std::string> details;
  for (const kernel::Function& function : module->functions) {
    if (!function.name.starts_with("right_")) continue;
    verify::Options options = two_blocks(1);
    if (function.name == "right_variable") options.stated.buffers.clear();
    const verify::Report report = verify::verify(*module, function, options);
    details[function.name] = finding(report, verify::Property::race)->detail;
  }
  CHECK(details["right_message"] ==
        "by all executions of this launch, with flag of 1 element 0 at first");
  CHECK(details["right_variable"] == "by all executions of this launch, with ready as initialized");
  CHECK(details["right_two_places"] ==
        "by all executions of this launch, with flag of 1 element 0 at first; ready as "
        "initialized; atomic accesses in one order for all threads");
  // Arguments, and what buffers hold.
  const auto drawn = waiting_kernels(
      "__global__ void draw(int* next, const int* items, int* out, int n, int m, int k) {\n"
      "  int mine = atomicAdd(next, 1);\n"
      "  if (mine < n && mine < m && k > 0) out[mine + items[0]] = mine;\n}\n");
  verify::Options options = two_blocks(1);
  options.stated.buffers.clear();
  options.stated.buffers["next"].range = {{0, 3}};
  options.stated.buffers["items"] = {
      4, kernel::BufferSpec::Content::values, {kernel::Number::of(1), kernel::Number::of(2)}, {}};
  options.stated.arguments["n"].integer = 5;
  options.stated.arguments["m"] = {true, false, 0, 0, {{1, 8}}};
  const auto whole =
      verify::look_at_whole_launch(*drawn, drawn->functions[0], options, true,
                                   std::chrono::steady_clock::now() + std::chrono::seconds(20));
  REQUIRE(whole);
  CHECK(whole->right);
  CHECK_FALSE(whole->known);
  CHECK(whole->of ==
        "all executions of this launch, with n = 5; m in 1..8; next in 0..3 at first; items of 4 "
        "elements as stated at first; atomic accesses in one order for all threads");
}

namespace {

// Whether it is open that all executions end.
bool end_is_open(const verify::Report& report) {
  const verify::Finding* ends = finding(report, verify::Property::termination);
  return ends != nullptr && ends->verdict == verify::Verdict::unknown;
}

}  // namespace

TEST_CASE("verify/whole_launch: what ends is verified, under a model where it waits") {
  const auto module = waiting_kernels(kKernels);
  for (const kernel::Function& function : module->functions) {
    if (function.name != "right_message") continue;
    verify::Options options = two_blocks(1);
    CHECK(end_is_open(verify::verify(*module, function, options)));
    options.models = "a model";
    options.not_ending = [](const auto&, const auto&, const auto&) {
      return std::optional(std::string());
    };
    const verify::Report report = verify::verify(*module, function, options);
    const verify::Finding* ends = finding(report, verify::Property::termination);
    REQUIRE(ends != nullptr);
    CHECK(ends->verdict == verify::Verdict::verified);
    CHECK(ends->detail ==
          "under a model, weakly fair, by all executions of this launch, with flag of 1 element 0 "
          "at first");
    CHECK(report.may_go_on.empty());
    // Not where a model is not decided, nor in lockstep, where threads may hold each other up.
    options.lockstep = true;
    CHECK(end_is_open(verify::verify(*module, function, options)));
    options.lockstep = false;
    options.not_ending = [](const auto&, const auto&, const auto&) {
      return std::optional<std::string>();
    };
    CHECK(end_is_open(verify::verify(*module, function, options)));
  }
  // A loop that no proof shows to end does so for the arguments of the launch.
  const auto wraps =
      waiting_kernels("__global__ void wraps(int n) { for (int i = 0; i != n; i += 64); }\n");
  verify::Options options = two_blocks(1);
  options.stated.buffers.clear();
  CHECK(end_is_open(verify::verify(*wraps, wraps->functions[0], options)));
  options.stated.arguments["n"].integer = 640;
  const verify::Report report = verify::verify(*wraps, wraps->functions[0], options);
  const verify::Finding* ends = finding(report, verify::Property::termination);
  REQUIRE(ends != nullptr);
  CHECK(ends->detail == "under every model, by all executions of this launch, with n = 640");
}

TEST_CASE("verify/whole_launch: sizes that are stated are looked at, with the arguments beside") {
  const auto module = waiting_kernels(
      "__global__ void add(const int* a, int* c, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) c[i] = a[i] + 1;\n}\n"
      "__global__ void before(const int* a, int* c, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i <= n) c[i] = a[i] + 1;\n}\n");
  for (const kernel::Function& function : module->functions) {
    const bool right = function.name == "add";
    for (const std::uint32_t threads : {4U, 512U}) {
      verify::Options options;
      options.launch.grid = {2, 1, 1};
      options.launch.block = {threads, 1, 1};
      options.bounds = true;
      options.stated.buffers["a"].elements = options.stated.buffers["c"].elements = 7;
      options.stated.arguments["n"].integer = 7;
      const auto of = [&] {
        return finding(verify::verify(*module, function, options), verify::Property::bounds)
            ->verdict;
      };
      INFO(function.name, " ", threads);
      CHECK(of() == (right ? verify::Verdict::verified : verify::Verdict::violated));
      // What is not stated may be anything.
      options.stated.arguments.clear();
      CHECK(of() == verify::Verdict::violated);
      options.arguments["n"] = 6;
      CHECK(of() == verify::Verdict::verified);
      options.bounds = false;
      CHECK(finding(verify::verify(*module, function, options), verify::Property::bounds) ==
            nullptr);
    }
  }
  CHECK(testing::contains(
      [&] {
        verify::Options options = two_blocks(4);
        options.stated.buffers.clear();
        options.bounds = true;
        options.stated.buffers["c"].elements = 7;
        options.stated.arguments["n"].integer = 7;
        return verify::verify(*module, module->functions[0], options).covers;
      }(),
      "for 2 workgroups of 4 threads, ends of c (7 elements) with n = 7, all arguments"));
}

// ---- Random kernels: blocks that hand something on by a flag, or by chance not.
namespace {

class FlagKernel {
 public:
  explicit FlagKernel(std::mt19937& random) : random_(random) {}

  std::string text(const std::string& name) {
    std::string code =
        fmt::format("__global__ void {}(int* data, int* flag, int* out, int n) {{\n", name);
    code += "  __shared__ int s[2];\n";
    if (chance(90)) code += "  s[threadIdx.x] = n;\n";
    if (chance(70)) code += "  __syncthreads();\n";
    code += chance(80) ? "  if (blockIdx.x == 0) {\n" : "  if (atomicAdd(out + 1, 1) < 2) {\n";
    code += side(true) + "  } else {\n" + side(false) + "  }\n";
    if (chance(20)) code += "  __syncthreads();\n  out[blockIdx.x + 4] = s[0];\n";
    return code + "}\n";
  }

 private:
  bool chance(int percent) { return static_cast<int>(random_() % 100) < percent; }
  std::string one_of(const std::vector<std::string>& all) { return all[random_() % all.size()]; }

  std::string fence() {
    return chance(90) ? chance(95) ? "__threadfence(); " : "__threadfence_block(); " : "";
  }
  std::string side(bool gives) {
    std::string code = chance(30) ? "    data[threadIdx.x] = n;\n    __syncthreads();\n" : "";
    const bool all = chance(10);
    code += all ? "    {\n" : "    if (threadIdx.x == 0) {\n";
    if (gives) {
      code += "      " + one_of({"data[0] = 1; ", "data[0] += 1; ", "data[n] = 2; ", ""}) + fence();
      code += one_of({"atomicExch(flag, 1);", "atomicExch(flag, 1);", "atomicAdd(flag, 1);",
                      chance(50) ? "flag[0] = 1;" : "atomicExch(flag, 1);"});
    } else {
      code += "      " +
              one_of({"while (atomicAdd(flag, 0) == 0); ", "while (atomicAdd(flag, 0) == 0); ",
                      "if (atomicAdd(flag, 0) != 0) ", "while (atomicCAS(flag, 1, 2) != 1); "});
      code += "{ " + fence() +
              one_of({"out[0] = data[0];", "data[0] += 1;", "data[1] = data[0];"}) + " }";
    }
    code += "\n    }\n";
    if (chance(40)) {
      code +=
          chance(95) ? "    __syncthreads();\n" : "    if (threadIdx.x == n) __syncthreads();\n";
      if (chance(50)) code += "    out[2] = data[0];\n";
    }
    return code;
  }

  std::mt19937& random_;
};

}  // namespace

TEST_CASE("verify/whole_launch: random kernels with flags, of which a proof never says otherwise") {
  const int count = testing::wished("HEADWAY_LAUNCHES", 40);
  std::mt19937 random(count == 40 ? 7 : 8);
  std::string text;
  for (int k = 0; k < count; ++k) text += FlagKernel(random).text(fmt::format("k{}", k));
  const auto module = waiting_kernels(text);
  REQUIRE(module->functions.size() == static_cast<std::size_t>(count));
  int decided = 0, faulty = 0, undecided = 0, proved = 0;
  for (const kernel::Function& function : module->functions) {
    verify::Options options = two_blocks(2);
    options.stated.buffers["out"] = {8, kernel::BufferSpec::Content::zero, {}, {}};
    options.stated.arguments["n"].integer = 1;
    options.query_limit = std::chrono::milliseconds(400);
    options.kernel_limit = std::chrono::seconds(6);
    const auto whole =
        verify::look_at_whole_launch(*module, function, options, true,
                                     std::chrono::steady_clock::now() + std::chrono::seconds(10));
    REQUIRE(whole);
    const auto faults = certain_faults(*whole, options);
    CHECK_FALSE((whole->right && !faults.empty()));
    verify::Options alone = options;
    alone.trials = false;
    const verify::Report proof = verify::verify(*module, function, alone);
    const verify::Report all = verify::verify(*module, function, options);
    INFO(kernel::print(*module, function), "proof:\n", said(proof), "all:\n", said(all));
    for (const auto& fault : faults) {
      for (const verify::Report* report : {&proof, &all}) {
        const verify::Finding* one = finding(*report, fault.first);
        const bool verified = one != nullptr && one->verdict == verify::Verdict::verified;
        INFO(fault.second.detail);
        CHECK_FALSE(verified);
      }
    }
    for (const verify::Finding& one : all.findings) {
      const bool by_whole = testing::contains(one.detail, "by all executions");
      CHECK_FALSE((by_whole && one.verdict != verify::Verdict::verified));
      CHECK_FALSE((by_whole && !whole->right));
    }
    (!faults.empty() ? faulty : whole->right ? decided : undecided) += 1;
    proved += proof.worst() == verify::Verdict::verified ? 1 : 0;
  }
  MESSAGE("right ", decided, ", faulty ", faulty, ", undecided ", undecided, "; proved ", proved);
  CHECK(decided > count / 5);
  CHECK(faulty > count / 5);
}

}  // namespace headway
