// The same kernel in CUDA C++ and with inline assembly has the same verdicts, for every form by
// which threads synchronize; and one that lacks an order or a scope has that of its twin, which
// lacks it too.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/texts.hpp"

using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::lines_of;
using headway::testing::TemporaryFolder;

namespace {

constexpr const char* kBegin = R"(#include <cuda/atomic>
#define REF(scope, p) cuda::atomic_ref<unsigned, cuda::thread_scope_##scope>(*(p))
#define FENCE(order, scope) cuda::atomic_thread_fence(cuda::memory_order_##order, cuda::thread_scope_##scope)
#define ORDER(order) cuda::memory_order_##order
#define LD(text) ({ unsigned v; asm volatile(text : "=r"(v) : "l"(p) : "memory"); v; })
#define ST(text) asm volatile(text :: "l"(p), "r"(1) : "memory")
#define PTX(text) asm volatile(text ::: "memory")
)";

// One way to write or to read a flag `p`, in C++ and in PTX, and whether who sees it written sees
// what was written before.
struct Form {
  const char* cpp;
  const char* ptx;
  bool orders;
};

const std::vector<Form> kStores = {
    {"REF(device, p).store(1, ORDER(release))", "ST(\"st.release.gpu.u32 [%0], %1;\")", true},
    {"REF(system, p).store(1, ORDER(release))", "ST(\"st.release.sys.global.b32 [%0], %1;\")",
     true},
    {"REF(block, p).store(1, ORDER(release))", "ST(\"st.release.cta.u32 [%0], %1;\")", false},
    {"REF(device, p).store(1, ORDER(relaxed))", "ST(\"st.relaxed.gpu.u32 [%0], %1;\")", false},
    {"*(volatile unsigned*)p = 1", "ST(\"st.volatile.global.u32 [%0], %1;\")", false},
    {"__threadfence(); *(volatile unsigned*)p = 1",
     "PTX(\"membar.gl;\"); ST(\"st.volatile.u32 [%0], %1;\")", true},
    {"__threadfence_block(); *(volatile unsigned*)p = 1",
     "PTX(\"membar.cta;\"); ST(\"st.volatile.u32 [%0], %1;\")", false},
    {"__threadfence(); REF(device, p).store(1, ORDER(relaxed))",
     "PTX(\"fence.sc.gpu;\"); ST(\"st.relaxed.gpu.u32 [%0], %1;\")", true},
    {"FENCE(acq_rel, device); REF(device, p).store(1, ORDER(relaxed))",
     "ST(\"fence.acq_rel.gpu; st.relaxed.gpu.u32 [%0], %1;\")", true},
    {"FENCE(release, device); REF(device, p).store(1, ORDER(relaxed))",
     "ST(\"fence.release.gpu; st.relaxed.gpu.u32 [%0], %1;\")", true},
    {"FENCE(acquire, device); REF(device, p).store(1, ORDER(relaxed))",
     "ST(\"fence.acquire.gpu; st.relaxed.gpu.u32 [%0], %1;\")", false},
    {"atomicAdd(p, 1)", "ST(\"red.add.u32 [%0], %1;\")", false},
    {"REF(device, p).fetch_add(1, ORDER(release))",
     "ST(\"red.release.gpu.global.add.u32 [%0], %1;\")", true},
    {"REF(block, p).fetch_or(1, ORDER(release))", "ST(\"red.release.cta.or.b32 [%0], %1;\")",
     false},
    {"REF(system, p).exchange(1, ORDER(acq_rel))",
     "ST(\"{ .reg .b32 old; atom.acq_rel.sys.exch.b32 old, [%0], %1; }\")", true},
    {"REF(system, p).store(1, ORDER(relaxed))", "ST(\"st.mmio.relaxed.sys.global.u32 [%0], %1;\")",
     false},
    {"*p = 1", "ST(\"st.u32 [%0], %1;\")", false},
    {"*p = 1", "ST(\"st.weak.global.wt.u32 [%0], %1;\")", false}};

const std::vector<Form> kLoads = {
    {"REF(device, p).load(ORDER(acquire))", "LD(\"ld.acquire.gpu.u32 %0, [%1];\")", true},
    {"REF(system, p).load(ORDER(acquire))", "LD(\"ld.global.acquire.sys.b32 {%0}, [%1];\")", true},
    {"REF(block, p).load(ORDER(acquire))", "LD(\"ld.acquire.cta.u32 %0, [%1];\")", false},
    {"REF(device, p).load(ORDER(relaxed))",
     "LD(\"ld.relaxed.gpu.global.L1::no_allocate.u32 %0, [%1];\")", false},
    {"*(volatile unsigned*)p", "LD(\"ld.volatile.global.u32 %0, [%1];\")", false},
    {"({ unsigned v = REF(device, p).load(ORDER(relaxed)); FENCE(acq_rel, device); v; })",
     "LD(\"ld.relaxed.gpu.u32 %0, [%1]; fence.acq_rel.gpu;\")", true},
    {"({ unsigned v = *(volatile unsigned*)p; __threadfence(); v; })",
     "LD(\"ld.volatile.u32 %0, [%1]; membar.gl;\")", true},
    {"({ unsigned v = *(volatile unsigned*)p; __threadfence_system(); v; })",
     "LD(\"ld.volatile.u32 %0, [%1]; membar.sys;\")", true},
    {"({ unsigned v = *(volatile unsigned*)p; __threadfence_block(); v; })",
     "LD(\"ld.volatile.u32 %0, [%1]; fence.sc.cta;\")", false},
    {"atomicAdd(p, 0)", "LD(\"atom.add.u32 %0, [%1], 0;\")", false},
    {"REF(device, p).fetch_or(0, ORDER(acquire))",
     "LD(\"atom.acquire.gpu.global.or.b32 %0, [%1], 0;\")", true},
    {"REF(block, p).fetch_or(0, ORDER(acquire))", "LD(\"atom.acquire.cta.or.b32 %0, [%1], 0;\")",
     false},
    {"atomicCAS(p, 1, 1)", "LD(\"atom.cas.b32 %0, [%1], 1, 1;\")", false},
    {"({ unsigned e = 1; REF(device, p).compare_exchange_strong(e, 1, ORDER(acq_rel)); e; })",
     "LD(\"atom.acq_rel.gpu.cas.b32 %0, [%1], 1, 1;\")", true}};

// All with one, and one with all: the others say no more.
bool has_kernel(std::size_t store, std::size_t load) {
  return store == 0 || load == 0 || store == load;
}

// A kernel for each way to write a flag behind some data and each to read it before these.
std::string flags(bool ptx) {
  std::string text = kBegin;
  for (std::size_t s = 0; s < kStores.size(); ++s) {
    for (std::size_t l = 0; l < kLoads.size(); ++l) {
      if (!has_kernel(s, l)) continue;
      text += fmt::format(
          "__global__ void k{}_{}(int* data, unsigned* p, int* out) {{\n"
          "  if (blockIdx.x == 0) {{ data[0] = 7; {}; }}\n"
          "  else {{ while ({} == 0) {{}} out[0] = data[0]; }} }}\n",
          s, l, ptx ? kStores[s].ptx : kStores[s].cpp, ptx ? kLoads[l].ptx : kLoads[l].cpp);
    }
  }
  return text;
}

// What verify says of properties: "file,kernel,property,verdict,line". Which execution it shows is
// a matter of time.
std::string without_details(const std::string& csv) {
  std::string result;
  for (const std::string& line : lines_of(csv)) {
    std::size_t end = 0;
    for (int commas = 0; end < line.size() && commas < 5; ++end) commas += line[end] == ',' ? 1 : 0;
    result += line.substr(0, end) + "\n";
  }
  return result;
}

// What both say, which is the same.
std::string same(const std::string& command, const std::string& cpp, const std::string& ptx,
                 const std::string& block = "1") {
  const TemporaryFolder folder;  // one, as its name is part of what is said
  const auto answer = [&](const std::string& text) {
    std::vector<std::string> arguments = {command, folder.write("a.cu", text).string()};
    arguments.insert(arguments.end(), {"--grid", "2", "--block", block, "--format", "csv"});
    if (command == "check") arguments.insert(arguments.end(), {"--models", "all"});
    return headway::testing::headway(arguments);
  };
  const CommandResult one = answer(cpp);
  const CommandResult other = answer(ptx);
  CAPTURE(one.err);
  CAPTURE(other.err);
  CHECK(one.status == other.status);
  if (command == "verify") {
    CHECK(without_details(one.out) == without_details(other.out));
  } else {
    CHECK(one.out == other.out);
  }
  CHECK(!one.out.empty());
  CHECK(!contains(one.err + other.err, "unsupported"));
  return other.out;
}

}  // namespace

TEST_CASE("kernel/ptx/twins: a flag orders what its form in C++ orders") {
  const std::string out = same("check", flags(false), flags(true));
  int kernels = 0;
  for (std::size_t s = 0; s < kStores.size(); ++s) {
    for (std::size_t l = 0; l < kLoads.size(); ++l) {
      if (!has_kernel(s, l)) continue;
      const std::string name = fmt::format("k{}_{}", s, l);
      CAPTURE(name);
      const bool orders = kStores[s].orders && kLoads[l].orders;
      CHECK(contains(out, name + (orders ? ",HSA,weak,pass" : ",HSA,weak,error")));
      CHECK(contains(out, name + (orders ? ",OBE,weak,fail" : ",OBE,weak,error")));
      ++kernels;
    }
  }
  CHECK(kernels == 44);
  const std::string proofs = same("verify", flags(false), flags(true));
  CHECK(contains(proofs, "k2_0,race,violated"));
}

TEST_CASE("kernel/ptx/twins: a lock keeps threads apart as its form in C++ does") {
  const Form take[] = {
      {"REF(device, p).exchange(1, ORDER(acquire))",
       "LD(\"atom.acquire.gpu.exch.b32 %0, [%1], 1;\")", true},
      {"({ unsigned v = atomicCAS(p, 0, 1); __threadfence(); v; })",
       "LD(\"atom.cas.b32 %0, [%1], 0, 1; membar.gl;\")", true},
      {"({ unsigned e = 0; REF(device, p).compare_exchange_strong(e, 1, ORDER(acquire)); e; })",
       "LD(\"atom.global.acquire.gpu.cas.b32 %0, [%1], 0, 1;\")", true},
      {"atomicCAS(p, 0, 1)", "LD(\"atom.relaxed.gpu.cas.b32 %0, [%1], 0, 1;\")", false},
      {"REF(block, p).exchange(1, ORDER(acquire))",
       "LD(\"atom.acquire.cta.exch.b32 %0, [%1], 1;\")", false}};
  const Form give[] = {
      {"REF(device, p).store(0, ORDER(release))", "ST0(\"st.release.gpu.u32 [%0], 0;\")", true},
      {"__threadfence(); atomicExch(p, 0)",
       "PTX(\"membar.gl;\"); LD(\"atom.exch.b32 %0, [%1], 0;\")", true},
      {"atomicExch(p, 0)", "LD(\"atom.exch.b32 %0, [%1], 0;\")", false}};
  const auto text = [&](bool ptx) {
    std::string all =
        std::string(kBegin) + "#define ST0(text) asm volatile(text :: \"l\"(p) : \"memory\")\n";
    for (std::size_t t = 0; t < std::size(take); ++t) {
      for (std::size_t g = 0; g < std::size(give); ++g) {
        all += fmt::format(
            "__global__ void k{}_{}(int* data, unsigned* p) {{\n"
            "  while ({} != 0) {{}} data[0] = data[0] + 1; {}; }}\n",
            t, g, ptx ? take[t].ptx : take[t].cpp, ptx ? give[g].ptx : give[g].cpp);
      }
    }
    return all;
  };
  const std::string out = same("check", text(false), text(true));
  for (std::size_t t = 0; t < std::size(take); ++t) {
    for (std::size_t g = 0; g < std::size(give); ++g) {
      const bool orders = take[t].orders && give[g].orders;
      CHECK(contains(out, fmt::format("k{}_{},OBE,weak,{}", t, g, orders ? "pass" : "error")) ==
            true);
    }
  }
  const std::string proofs = same("verify", text(false), text(true));
  CHECK(contains(proofs, "k0_0,race,verified"));
  CHECK(contains(proofs, "k0_2,race,violated"));
}

TEST_CASE("kernel/ptx/twins: barriers are those of the block and of the warp") {
  const std::pair<const char*, const char*> rows[] = {
      {"__syncthreads()", "PTX(\"bar.sync 0;\")"},
      {"__syncthreads()", "PTX(\"barrier.sync 0;\")"},
      {"__syncthreads()", "PTX(\"barrier.cta.sync.aligned 0;\")"},
      {"if (threadIdx.x < 2) __syncthreads()", "if (threadIdx.x < 2) PTX(\"bar.sync 0;\")"},
      {"__syncthreads_or(1)",
       "PTX(\"{ .reg .pred p; setp.eq.u32 p, 1, 1; bar.red.or.pred p, 0, p; }\")"},
      {"__syncwarp()", "PTX(\"bar.warp.sync 0xf;\")"},
      {"__syncwarp(1)", "PTX(\"bar.warp.sync 1;\")"},
      {"", "PTX(\"\")"}};
  const auto text = [&](bool ptx) {
    std::string all = kBegin;
    for (std::size_t i = 0; i < std::size(rows); ++i) {
      all += fmt::format(
          "__global__ void k{}(int* a) {{ __shared__ int s[4]; s[threadIdx.x] = 1;\n"
          "  {}; a[threadIdx.x + 4 * blockIdx.x] = s[3 - threadIdx.x]; }}\n",
          i, ptx ? rows[i].second : rows[i].first);
    }
    return all;
  };
  const std::string out = same("check", text(false), text(true), "4");
  for (const int i : {0, 1, 2, 4, 5}) CHECK(contains(out, fmt::format("k{},fair,weak,pass", i)));
  for (const int i : {3, 6, 7}) CHECK(contains(out, fmt::format("k{},fair,weak,error", i)));
  const std::string proofs = same("verify", text(false), text(true), "4");
  CHECK(contains(proofs, "k0,race,verified"));
  CHECK(contains(proofs, "k7,race,violated"));
}

TEST_CASE("kernel/ptx/twins: hints for caches make no access one that others may wait for") {
  const auto kernel = [](const char* store, const char* load) {
    return fmt::format(
        "__global__ void k(unsigned* f) {{\n  if (blockIdx.x == 0) {{ {} }}\n  else {{ unsigned v; "
        "do {{ {} }} while (v == 0); }}\n}}\n",
        store, load);
  };
  const std::string assembly =
      kernel("asm volatile(\"st.global.wt.u32 [%0], 1;\" :: \"l\"(f) : \"memory\");",
             "asm volatile(\"ld.global.cv.u32 %0, [%1];\" : \"=r\"(v) : \"l\"(f) : \"memory\");");
  const TemporaryFolder folder;
  for (const std::string& text : {kernel("__stwt(f, 1u);", "v = __ldcv(f);"), assembly}) {
    const CommandResult result =
        headway::testing::check({folder.write("a.cu", text).string(), "--grid", "2", "--block", "1",
                                 "-m", "fair", "--format", "csv"});
    CHECK(contains(result.out, "k,fair,weak,error"));
    CHECK(contains(headway::testing::unfolded(result.err), "race: line 3"));
  }
}

TEST_CASE("kernel/ptx/twins: two values that are stored together need not be seen together") {
  const auto text = [](const std::string& stored, const std::string& loaded) {
    return "__global__ void k(unsigned long long* p) { unsigned f, v;\n"
           "  if (blockIdx.x == 0) asm volatile(\"st.relaxed.gpu.v2.u32 [%0], " +
           stored +
           ";\" :: \"l\"(p) : \"memory\");\n"
           "  else { asm volatile(\"ld.relaxed.gpu.v2.u32 " +
           loaded +
           ", [%2];\" : \"=r\"(f), \"=r\"(v) : \"l\"(p) : \"memory\");\n"
           "    assert(f != 1 || v == 7); } }\n";
  };
  const auto answer = [](const std::string& text) {
    const TemporaryFolder folder;
    return headway::testing::check({folder.write("a.cu", text).string(), "--grid", "2", "--block",
                                    "1", "--buffer", "p=1:zero", "-m", "fair", "--format", "csv"});
  };
  for (const auto& [stored, loaded] :
       {std::pair{"{1, 7}", "{%0, %1}"}, std::pair{"{7, 1}", "{%1, %0}"}}) {
    const CommandResult result = answer(text(stored, loaded));
    CAPTURE(result.err);
    CHECK(contains(result.out, "k,fair,weak,error"));
    CHECK(contains(result.err, "assertion"));
    CHECK(contains(headway::testing::unfolded(result.err),
                   "parts of a vector are accessed one by one"));
  }
  const std::string four =
      "__global__ void k(uint4* p) { unsigned a, b, c, d;\n"
      "  if (blockIdx.x == 0) asm volatile(\"st.volatile.v4.u32 [%0], {1, 2, 3, 4};\" :: \"l\"(p)"
      " : \"memory\");\n"
      "  else { asm volatile(\"ld.volatile.v4.u32 {%0, %1, %2, %3}, [%4];\"\n"
      "      : \"=r\"(a), \"=r\"(b), \"=r\"(c), \"=r\"(d) : \"l\"(p) : \"memory\");\n"
      "    assert(";
  CHECK(contains(answer(four + "d != 4 || a == 1); } }\n").out, "k,fair,weak,error"));
  CHECK(contains(answer(four + "a != 1 || d == 4); } }\n").out, "k,fair,weak,error"));
  CHECK(contains(answer(four + "a == 0 || a == 1); } }\n").out, "k,fair,weak,pass"));
  // In one word they are.
  const std::string whole =
      "__global__ void k(unsigned long long* p) { unsigned f, v;\n"
      "  if (blockIdx.x == 0) asm volatile(\"{ .reg .b64 x; mov.b64 x, {1, 7};\\n"
      "    st.relaxed.gpu.b64 [%0], x; }\" :: \"l\"(p) : \"memory\");\n"
      "  else { asm volatile(\"{ .reg .b64 x; ld.relaxed.gpu.b64 x, [%2]; mov.b64 {%0, %1}, x; "
      "}\"\n"
      "      : \"=r\"(f), \"=r\"(v) : \"l\"(p) : \"memory\");\n"
      "    assert(f != 1 || v == 7); } }\n";
  CHECK(contains(answer(whole).out, "k,fair,weak,pass"));
}
