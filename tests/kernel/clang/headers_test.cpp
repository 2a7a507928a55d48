// Every function that our headers offer is used once, and comes down to what the reader knows.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>
#include <sstream>

#include "kernel/clang/compile.hpp"
#include "kernel/llvm/reader.hpp"
#include "support/compiler.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::kernel::CompileOptions;
using headway::kernel::Compiler;
using headway::kernel::Module;
using headway::kernel::Op;
using headway::kernel::Side;
using headway::testing::complaint_of;
using headway::testing::TemporaryFolder;

namespace {

// Compiles one kernel a use, and checks that each is read, and calls nothing that is not known.
void check_uses(const std::string& name, const std::string& head, const std::string& parameters,
                const std::vector<std::string>& uses, const std::vector<std::string>& flags = {}) {
  std::string text = head;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    text += fmt::format("{} void use{}({}) {{ {}; }}\n",
                        name.ends_with(".cu") ? "extern \"C\" __global__" : "kernel", i, parameters,
                        uses[i]);
  }
  const TemporaryFolder folder;
  const auto file = folder.write(name, text);
  Compiler& compiler = headway::testing::shared_compiler();
  std::string bitcode;
  REQUIRE(complaint_of([&] {
            bitcode = compiler.compile(file, Side::device, {flags, {}});
          }) == "no error");
  const Module module = headway::kernel::llvm::read_module(
      bitcode, file.string(), {std::string(headway::kernel::kHeaderPlace)});
  CHECK(module.functions.size() == uses.size());
  for (const auto& function : module.functions) {
    CAPTURE(uses.at(static_cast<std::size_t>(std::stoi(function.name.substr(3)))));
    CHECK(function.unsupported == "");
    for (const auto& block : function.blocks) {
      for (const auto& instruction : block.code) {
        if (instruction.op == Op::external) CHECK(instruction.name == "printf");
      }
    }
  }
}

// The words of a list, each put into a use: "$" stands for the word.
void add(std::vector<std::string>& uses, const std::string& words, const std::string& use) {
  std::istringstream list(words);
  for (std::string word; list >> word;) {
    std::string made = use;
    for (std::size_t at = 0; (at = made.find('$', at)) != std::string::npos; at += word.size()) {
      made.replace(at, 1, word);
    }
    uses.push_back(made);
  }
}

}  // namespace

TEST_CASE("kernel/clang/headers: what CUDA's device has is read") {
  std::vector<std::string> uses = {
      "i[0] = threadIdx.x + blockIdx.y * blockDim.z + gridDim.x + warpSize",
      "dim3 b = blockDim; uint3 t = threadIdx; dim3 e(1, 2); i[0] = b.x + t.y + e.z",
      "__syncthreads(); __syncwarp(); __syncwarp(3); __barrier_sync(0)",
      "i[0] = __syncthreads_count(i[1]) + __syncthreads_and(i[1]) + __syncthreads_or(i[1])",
      "__threadfence(); __threadfence_block(); __threadfence_system()",
      "l[0] = clock() + clock64() + __smid(); __nanosleep(3); __prof_trigger(1); __brkpt()",
      "if (i[0]) __trap()",
      "i[0] = __all(i[1]) + __any(i[1]) + __ballot(i[1]) + __activemask()",
      "i[0] = __all_sync(~0u, i[1]) + __any_sync(~0u, i[1]) + __uni_sync(~0u, i[1])",
      "u[0] = __ballot_sync(~0u, i[1]) + __match_any_sync(~0u, i[1]) + "
      "__match_any_sync(~0u, l[1])",
      "int all; u[0] = __match_all_sync(~0u, f[1], &all) + all",
      "i[0] = atomicCAS(i, 1, 2) + atomicCAS_block(i, 1, 2) + atomicCAS_system(i, 1, 2)",
      "ull[0] = atomicCAS(ull, 1ull, 2ull)",
      "f[0] = atomicAdd(f, 1.0f) + atomicExch(f, 2.0f)",
      "d[0] = atomicAdd(d, 1.0)",
      "unsigned short s = 0; u[0] = atomicCAS((unsigned short *)u, s, s)",
      "u[0] = atomicInc(u, 3) + atomicDec(u, 3) + atomicInc_block(u, 3)",
      "sincosf(f[0], f + 1, f + 2); sincos(d[0], d + 1, d + 2); sincospif(f[0], f, f + 1)",
      "f[0] = modff(f[0], f + 1) + frexpf(f[0], i) + remquof(f[0], f[1], i)",
      "d[0] = modf(d[0], d + 1) + frexp(d[0], i) + remquo(d[0], d[1], i) + ldexp(d[0], 3)",
      "f[0] = fmaf(f[0], f[1], f[2]) + fma(f[0], f[1], f[2]) + ldexpf(f[0], 3) + scalbnf(f[0], 1)",
      "f[0] = norm3df(1, f[0], 2) + norm4df(1, 2, f[0], 3) + rnorm3df(f[0], 1, 2) + jnf(2, f[0])",
      "i[0] = isnan(f[0]) + isinf(d[0]) + isfinite(f[0]) + signbit(d[0]) + isnormal(f[0])",
      "i[0] = min(i[0], 3) + max(u[0], 3u) + min(l[0], l[1]) + max(i[0], u[0]) + abs(i[1])",
      "f[0] = min(f[0], f[1]) + max(f[0], 1.0) + fabsf(f[0]) + abs(f[1]) + saturate(f[2])",
      "i[0] = __mulhi(i[0], i[1]) + __mul24(i[0], i[1]) + __sad(i[0], i[1], u[0])",
      "u[0] = __umulhi(u[0], u[1]) + __umul24(u[0], u[1]) + __usad(u[0], u[1], u[2])",
      "ull[0] = __umul64hi(ull[0], ull[1]); l[0] = __mul64hi(l[0], l[1])",
      "i[0] = __clz(i[0]) + __clzll(l[0]) + __ffs(i[0]) + __ffsll(l[0]) + __popc(u[0])",
      "i[0] = __popcll(ull[0]) + __brev(u[0]) + __byte_perm(u[0], u[1], 0x3210)",
      "ull[0] = __brevll(ull[1])",
      "i[0] = __hadd(i[0], i[1]) + __rhadd(i[0], i[1]) + __uhadd(u[0], u[1]) + __urhadd(u[0], 1)",
      "u[0] = __funnelshift_l(1, u[0], 3) + __funnelshift_lc(1, u[0], 3)",
      "u[0] = __funnelshift_r(1, u[0], 3) + __funnelshift_rc(1, u[0], u[1])",
      "i[0] = __dp4a(i[0], i[1], i[2]) + __dp4a(u[0], u[1], u[2])",
      "f[0] = __int_as_float(i[0]) + __uint_as_float(u[0]); i[0] = __float_as_int(f[0])",
      "d[0] = __longlong_as_double(l[0]) + __hiloint2double(1, 2); l[0] = __double_as_longlong(*d)",
      "i[0] = __double2hiint(d[0]) + __double2loint(d[0]); f[0] = __frsqrt_rn(f[1])",
      "d[0] = __int2double_rn(i[0]) + __uint2double_rn(u[0])",
      "i[0] = lrintf(f[0]) + lroundf(f[0]) + llrint(d[0]) + llround(d[0]) + ilogbf(f[0])",
      "printf(\"%d %f\\n\", i[0], f[0]); assert(i[0] == 1)",
      "int a[4]; memset(a, 0, sizeof a); memcpy(i, a, sizeof a)",
      "char4 c = make_char4(1, 2, 3, 4); double2 v = make_double2(1, 2); d[0] = v.x + c.y",
      "curandState s; curand_init(1, 2, 3, &s); f[0] = curand_uniform(&s) + curand_normal(&s)",
      "curandState s; u[0] = curand(&s) + curand4(&s).x; d[0] = curand_uniform_double(&s)",
      "__half h = __float2half(f[0]); h = h * h + __hfma(h, h, h); f[0] = __half2float(hsqrt(h))",
      "half2 h = __float2half2_rn(1.0f); h = __hadd2(h, h); f[0] = __low2float(h)",
      "atomicAdd((__half *)f, __float2half(1.0f))",
      "f[0] = tex2D(picture, 1.0f, f[1]) + tex1Dfetch(line, i[0]).w + tex2D<float>(ull[0], 1, 2)",
      "float x; surf2Dread(&x, plane, 4, 5); surf2Dwrite(x, plane, 4, 5); f[0] = x",
      "cg::this_grid().sync(); cg::this_thread_block().sync(); cg::sync(cg::this_thread_block())",
      "u[0] = cg::this_grid().thread_rank() + cg::this_thread_block().size()",
      "auto t = cg::tiled_partition<4>(cg::this_thread_block()); t.sync(); i[0] = t.any(i[1]) + "
      "t.all(i[2]) + t.shfl(i[3], 0) + t.shfl_up(i[3], 1) + t.shfl_down(i[3], 1) + "
      "t.shfl_xor(i[3], 1) + t.ballot(i[4]) + t.thread_rank() + t.meta_group_rank()",
      "auto t = cg::tiled_partition<4>(cg::this_thread_block()); i[0] = cg::reduce(t, i[0], "
      "cg::plus<int>()) + cg::inclusive_scan(t, i[1]) + cg::exclusive_scan(t, i[2])",
      "auto c = cg::coalesced_threads(); i[0] = c.thread_rank() + c.size() + c.ballot(i[0])",
      "cg::thread_group g = cg::tiled_partition(cg::this_thread_block(), 8); g.sync(); "
      "u[0] = g.size() + g.thread_rank()",
      "cuda::atomic_ref<int, cuda::thread_scope_device> r(i[0]); r.fetch_add(1, "
      "cuda::memory_order_relaxed); r.store(2); r++; r -= 3; i[1] = r.load() + r.exchange(4)",
      "cuda::atomic_ref<unsigned long long> r(ull[0]); unsigned long long e = 1; "
      "while (!r.compare_exchange_weak(e, 2, cuda::memory_order_acq_rel)) e = 1",
      "cuda::atomic_ref<float> r(f[0]); r.fetch_add(1.0f); r.fetch_max(2.0f)",
      "__shared__ cuda::atomic<int, cuda::thread_scope_block> a; a.store(1, "
      "cuda::std::memory_order_release); a.fetch_min(3); i[0] = a",
      "cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_block)",
      "float4 v = make_float4(f[0]); v = v * 2.0f + v / v - (-v); v += v; f[0] = dot(v, v)",
      "float3 v = cross(make_float3(f[0]), make_float3(1, 2, 3)); v = normalize(lerp(v, v, 0.5f)); "
      "f[0] = length(clamp(v, 0.0f, 1.0f))",
      "int2 v = make_int2(i[0]) + make_int2(1, 2); i[0] = min(v, v).x + max(v, v).y"};
  add(uses, "add min max", "i[0] = __reduce_$_sync(~0u, i[1]); u[0] = __reduce_$_sync(~0u, u[1])");
  add(uses, "and or xor", "u[0] = __reduce_$_sync(~0u, u[1])");
  for (const std::string type : {"i", "u", "l", "ull", "f", "d"}) {
    add(uses, "__shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync",
        fmt::format("{0}[0] = $(~0u, {0}[1], 1) + $(~0u, {0}[1], 1, 4)", type));
    add(uses, "__shfl __shfl_up __shfl_down __shfl_xor",
        fmt::format("{0}[0] = $({0}[1], 1)", type));
    add(uses, "__ldca __ldcg __ldcs __ldlu __ldcv", fmt::format("{0}[0] = $({0} + 1)", type));
    // What it reads may not be written.
    uses.push_back(
        fmt::format("if (__ldg({0} + 1) > 0) {1}[0] = 1", type, type == "i" ? "f" : "i"));
    add(uses, "__stwb __stcg __stcs __stwt", fmt::format("$({0}, {0}[1])", type));
  }
  for (const std::string type : {"i", "u", "l", "ull"}) {
    add(uses,
        "atomicAdd atomicSub atomicExch atomicMin atomicMax atomicAnd atomicOr atomicXor "
        "atomicAdd_block atomicMax_system",
        fmt::format("{0}[0] = $({0}, {0}[1])", type));
  }
  add(uses,
      "sqrt cbrt exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh "
      "tanh asinh acosh atanh erf erfc tgamma lgamma fabs floor ceil trunc round rint nearbyint "
      "erfinv erfcinv erfcx normcdf normcdfinv logb j0 j1 y0 y1 cyl_bessel_i0 rsqrt rcbrt sinpi "
      "cospi",
      "f[0] = $f(f[1]); d[0] = $(d[1])");
  add(uses, "sqrt exp log sin cos tan floor fabs rsqrt", "f[0] = $(f[1])");
  add(uses, "pow atan2 fmod remainder hypot fmin fmax fdim copysign nextafter rhypot",
      "f[0] = $f(f[1], f[2]); d[0] = $(d[1], d[2]); f[3] = $(f[4], f[5])");
  add(uses, "__sinf __cosf __tanf __expf __exp10f __logf __log2f __log10f __saturatef",
      "f[0] = $(f[1])");
  add(uses, "__powf __fdividef fdividef", "f[0] = $(f[1], f[2])");
  add(uses, "rn rz ru rd",
      "f[0] = __fadd_$(f[0], f[1]) + __fsub_$(f[0], f[1]) + __fmul_$(f[0], f[1]) + "
      "__fdiv_$(f[0], f[1]) + __frcp_$(f[0]) + __fsqrt_$(f[0]) + __fmaf_$(f[0], f[1], f[2])");
  add(uses, "rn rz ru rd",
      "d[0] = __dadd_$(d[0], d[1]) + __dmul_$(d[0], d[1]) + __ddiv_$(d[0], d[1]) + "
      "__dsqrt_$(d[0]) + __fma_$(d[0], d[1], d[2]) + __ll2double_$(l[0])");
  add(uses, "rn rz ru rd",
      "i[0] = __float2int_$(f[0]) + __float2uint_$(f[0]) + __double2int_$(d[0]); l[0] = "
      "__float2ll_$(f[0]) + __double2ll_$(d[0]); f[0] = __int2float_$(i[0]) + "
      "__uint2float_$(u[0]) + __double2float_$(d[0])");
  check_uses("uses.cu",
             "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"
             "#include <cuda/atomic>\n#include <cuda_fp16.h>\n#include <curand_kernel.h>\n"
             "#include <helper_math.h>\n"
             "namespace cg = cooperative_groups;\n"
             "texture<float, 2, cudaReadModeElementType> picture;\n"
             "texture<uchar4, 1, cudaReadModeNormalizedFloat> line;\nsurface<void, 2> plane;\n",
             "int *i, unsigned *u, long long *l, unsigned long long *ull, float *f, double *d",
             uses);
}

TEST_CASE("kernel/clang/headers: what kernels say of themselves is read, in both languages") {
  std::vector<std::string> uses = {
      "__requires(n == 4); __global_requires(n > 3); __ensures(i[0] == 1)",
      "for (int j = 0; __invariant(j >= 0), __global_invariant(j <= n), j < n; j++) i[j] = j",
      "__function_wide_invariant(__implies(__write(i), __write_offset_bytes(i) / 4 == n))",
      "__assert(__no_read(i)); __assert(__no_write(i) & __read_implies(i, n == 1))",
      "__assert(__write_implies(i, __write_offset(i) == n) | __read_offset_bytes(i) == 4)",
      "__assert(__uniform_int(n) & __uniform_bool(n == 3) & __distinct_int(n))",
      "__assert(__all(n == 1) | __exclusive(n == 2) | __distinct_bool(n > 1))",
      "__assert(__enabled() & __same_group & __dominator_enabled()); __assume(__other_int(n) == 1)",
      "__assert(__other_bool(n > 1)); __assert(__ptr_base(i) == __ptr_base(i))",
      "__assert(__ptr_offset_bytes(i) == 0); __assert(__is_pow2(n) | __mod_pow2(n, 8) == 1)",
      "__assert(__add_noovfl(n, 2)); n = __add_noovfl_int(n, 1) + __ite(n > 1, 2, 3) + __add(n, 1)",
      "__reads_from(i); __writes_to(i)",
      "__candidate_invariant(n == 1); __function_wide_candidate_invariant(n == 3)",
      "__assert(__old_int(n) == n); __assert(unknown_of(n) == unknown_too(n, 1))",
      "__barrier_invariant(n > 0, n, n + 1); __unsafe_assert(n); __global_assert(n == 1)",
      "assert(n == 1); n = nondet_int() + nondet_uint() + (int)nondet_float()"};
  const std::string head =
      "DECLARE_UF_UNARY(unknown_of, int, int)\nDECLARE_UF_BINARY(unknown_too, int, int, int)\n"
      "__axiom(1 == 1)\n";
  check_uses("claims.cl", head, "global int *i, int n", uses);
  uses.push_back("__ESBMC_assume(n > 1); __ESBMC_assert(n > 0, \"positive\")");
  uses.push_back("__VERIFIER_assume(n > 1); n = nondet_bool() + nondet_ulong() + nondet_char()");
  check_uses("claims.cu", head, "int *i, int n", uses);
}

TEST_CASE("kernel/clang/headers: what OpenCL C has is read") {
  std::vector<std::string> uses = {
      "i[0] = get_global_id(0) + get_local_id(1) + get_group_id(2) + get_global_id(3)",
      "i[0] = get_local_size(0) + get_num_groups(1) + get_global_size(2) + get_local_size(5)",
      "i[0] = get_global_offset(0) + get_work_dim()",
      "for (int d = 0; d < 3; d++) i[d] = get_global_id(d)",
      "barrier(CLK_LOCAL_MEM_FENCE); barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
      "mem_fence(CLK_GLOBAL_MEM_FENCE); read_mem_fence(CLK_LOCAL_MEM_FENCE); write_mem_fence(3)",
      "printf(\"%d\\n\", i[0]); prefetch(i, 4)",
      "event_t e = async_work_group_copy(w, i, 16, 0); wait_group_events(1, &e)",
      "event_t e = async_work_group_strided_copy(i, w, 16, 2, 0); wait_group_events(1, &e)",
      "i[0] = as_int(f[0]) + as_int4(f4[0]).x; f[0] = as_float(i[0])",
      "f[0] = convert_float(i[0]) + convert_float4_rte(i4[0]).x; i4[0] = convert_int4(f4[0])",
      "i[0] = convert_int_rte(f[0]) + convert_int_rtp(f[0]) + convert_uchar_sat(i[0]) + "
      "convert_char_sat_rtz(f[0]) + convert_ushort_sat(l[0])",
      "i4[0] = convert_int4_sat(f4[0]) + convert_int4_rtn(f4[0]); uchar4 x = "
      "convert_uchar4_sat_rte(f4[1]); i[0] = x.x",
      "f[0] = fract(f[0], f + 1) + modf(f[0], f + 1) + frexp(f[0], i) + sincos(f[1], f + 2)",
      "f4[0] = frexp(f4[0], i4) + fract(f4[0], f4 + 1)",
      "f[0] = remquo(f[0], f[1], i) + lgamma_r(f[0], i) + nan(3u) + ldexp(f[0], 2)",
      "f[0] = pown(f[0], 2) + rootn(f[0], 3) + mad(f[0], f[1], f[2]) + fma(f[0], f[1], f[2])",
      "f[0] = mix(f[0], f[1], 0.5f) + clamp(f[0], 0.0f, 1.0f) + smoothstep(0.0f, 1.0f, f[0])",
      "f4[0] = mix(f4[0], f4[1], 0.5f) + clamp(f4[0], 0.0f, 1.0f) + step(0.5f, f4[0])",
      "f[0] = step(0.5f, f[0]) + sign(f[0]) + degrees(f[0]) + radians(f[0])",
      "i[0] = clamp(i[0], 0, 4) + min(i[0], 3) + max(i[1], i[2]); i4[0] = max(i4[0], 3)",
      "i[0] = abs(i[0]) + abs_diff(i[0], i[1]) + clz(i[0]) + ctz(i[0]) + popcount(i[0])",
      "i[0] = mul24(i[0], 3) + mad24(i[0], 2, 1) + mad_hi(i[0], 2, 3) + mad_sat(i[0], 2, 3)",
      "i4[0] = popcount(i4[0]) + clz(i4[1]) + mul_hi(i4[0], i4[1]) + mad_sat(i4[0], i4[1], i4[2])",
      "l[0] = mul_hi(l[0], l[1]) + upsample(i[0], 3u) + mad_sat(l[0], l[1], l[2])",
      "i[0] = isnan(f[0]) + isinf(f[0]) + isfinite(f[0]) + isnormal(f[0]) + signbit(f[0])",
      "i[0] = isordered(f[0], f[1]) + isunordered(f[0], f[1]) + islessgreater(f[0], f[1])",
      "i4[0] = isnan(f4[0]) + isless(f4[0], f4[1]) + signbit(f4[0])",
      "i[0] = any(f4[0] < f4[1]) + all(i4[0] == i4[1]) + any(i[0])",
      "i[0] = select(1, 2, i[0]) + bitselect(1, 2, 3); f4[0] = select(f4[1], f4[2], i4[0])",
      "f4[0] = shuffle(f4[0], (uint4)(3, 2, 1, 0))",
      "f[0] = dot(f4[0], f4[1]) + length(f4[0]) + distance(f4[0], f4[1]) + fast_length(f4[1])",
      "f4[0] = cross(f4[0], f4[1]) + normalize(f4[2]) + fast_normalize(f4[3])",
      "f[0] = atomic_xchg(f, 1.0f); i[0] = atomic_cmpxchg(i, 1, 2) + atom_cmpxchg(w, 1, 2)",
      "vstore4(vload4(0, f), 1, f); vstore3(vload3(0, c), 1, f); vstore16(vload16(0, f), 1, f)",
      "vstore2(vload2(0, i), 1, w); f[0] = read_imagef(picture, sampler, (float2)(f[0], 1)).x",
      "write_imagef(picture, (int2)(0, 1), f4[0]); i[0] = get_image_width(picture)"};
  for (const std::string array : {"i", "w", "l"}) {
    const std::string one = array == "l" ? "1L" : "1";
    add(uses, "add sub xchg and or xor min max",
        fmt::format("{0}[0] = atomic_$({0}, {1}) + atom_$({0}, {1})", array, one));
    add(uses, "inc dec", fmt::format("{0}[0] = atomic_$({0}) + atom_$({0})", array));
  }
  const std::string unary =
      "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 "
      "log10 log1p sqrt rsqrt cbrt erf erfc tgamma lgamma fabs floor ceil trunc rint round sinpi "
      "cospi tanpi asinpi acospi atanpi logb";
  add(uses, unary, "f[0] = $(f[1]); f4[0] = $(f4[1])");
  add(uses, "sin cos tan exp exp2 exp10 log log2 log10 sqrt rsqrt recip",
      "f[0] = native_$(f[1]) + half_$(f[1]); f4[0] = native_$(f4[1])");
  add(uses, "divide powr", "f[0] = native_$(f[1], f[2]) + half_$(f[1], f[2])");
  const std::string binary =
      "pow powr atan2 atan2pi fmod remainder hypot fmin fmax fdim copysign nextafter maxmag minmag "
      "max min";
  add(uses, binary, "f[0] = $(f[1], f[2]); f4[0] = $(f4[1], f4[2])");
  add(uses, "hadd rhadd add_sat sub_sat rotate mul_hi abs_diff max min",
      "i[0] = $(i[1], i[2]); i4[0] = as_int4($(i4[1], i4[2])); uchar x = $((uchar)i[1], (uchar)3)");
  add(uses, "isequal isnotequal isgreater isgreaterequal isless islessequal",
      "i[0] = $(f[0], f[1]); i4[0] = $(f4[0], f4[1])");
  const std::string parameters =
      "global int *i, local int *w, global float *f, global float4 *f4, global int4 *i4, "
      "global long *l, constant float *c, read_only image2d_t picture, sampler_t sampler";
  check_uses("uses.cl", "", parameters, uses, {"-cl-std=CL1.2"});
  uses.push_back("i[0] = ilogb(f[0]); int *p = i; *p = 3; atomic_add(p, 1)");
  check_uses("uses.cl", "", parameters, uses, {"-cl-std=CL2.0"});
  check_uses("uses.cl", "", parameters, uses, {"-cl-std=CL3.0"});

  std::vector<std::string> doubles = {
      "d[0] = convert_double(i[0]) + as_double(l[0]); d2[0] = convert_double2(i2[0])",
      "i[0] = convert_int_sat(d[0]) + convert_int_rte(d[0]) + isnan(d[0]) + (int)signbit(d[0])",
      "d[0] = fract(d[0], d + 1) + frexp(d[0], i) + dot(d2[0], d2[1]) + pown(d[0], 2)",
      "d2[0] = vload2(0, d); vstore2(d2[0], 1, d); d2[1] = select(d2[0], d2[1], l2[0])"};
  add(doubles, unary, "d[0] = $(d[1]); d2[0] = $(d2[1])");
  add(doubles, binary, "d[0] = $(d[1], d[2]); d2[0] = $(d2[1], d2[2])");
  check_uses("doubles.cl", "",
             "global double *d, global double2 *d2, global int *i, "
             "global int2 *i2, global long *l, global long2 *l2",
             doubles);
  check_uses("halves.cl", "", "global half *h, global float *f, global float4 *f4",
             {"f[0] = vload_half(0, h); f4[0] = vload_half4(1, h)",
              "vstore_half(f[0], 1, h); vstore_half4_rte(f4[0], 1, h)",
              "h[0] = h[1] * h[2] + sin(h[3]) + fmax(h[0], h[1])"});
}

TEST_CASE("kernel/clang/headers: atomics and collectives of OpenCL 2.0 are read") {
  std::vector<std::string> uses = {
      "i[0] = get_local_linear_id() + get_global_linear_id() + get_enqueued_local_size(0)",
      "work_group_barrier(CLK_LOCAL_MEM_FENCE); work_group_barrier(CLK_GLOBAL_MEM_FENCE, "
      "memory_scope_device)",
      "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)",
      "atomic_init(a, 1); atomic_init(b, 2)",
      "i[0] = atomic_flag_test_and_set(g); atomic_flag_clear(g)",
      "i[0] = atomic_flag_test_and_set_explicit(g, memory_order_acquire); "
      "atomic_flag_clear_explicit(g, memory_order_release, memory_scope_work_group)",
      "i[0] = get_sub_group_size() + get_max_sub_group_size() + get_num_sub_groups() + "
      "get_sub_group_id() + get_sub_group_local_id()",
      "sub_group_barrier(CLK_LOCAL_MEM_FENCE); i[0] = sub_group_all(i[0]) + sub_group_any(i[0])",
      "i[0] = sub_group_elect() + sub_group_ballot(i[0]).x + sub_group_broadcast(i[1], 0)",
      "i[0] = sub_group_shuffle(i[0], 1) + sub_group_shuffle_xor(i[0], 1) + "
      "sub_group_shuffle_up(i[0], 1) + sub_group_shuffle_down(i[0], 1)",
      "i[0] = work_group_all(i[0]) + work_group_any(i[0]) + work_group_broadcast(i[1], 0)",
      "int e = 0; i[0] = atomic_compare_exchange_strong(a, &e, 1) + "
      "atomic_compare_exchange_weak(a, &e, 1)",
      "int e = 0; i[0] = atomic_compare_exchange_strong_explicit(a, &e, 1, memory_order_acq_rel, "
      "memory_order_relaxed); i[1] = atomic_compare_exchange_weak_explicit(a, &e, 1, "
      "memory_order_acquire, memory_order_relaxed, memory_scope_work_group)"};
  for (const std::string at : {"a", "b", "c", "w"}) {
    uses.push_back(
        fmt::format("i[0] = atomic_load({0}) + atomic_load_explicit({0}, memory_order_acquire) + "
                    "atomic_load_explicit({0}, memory_order_relaxed, memory_scope_device)",
                    at));
    uses.push_back(
        fmt::format("atomic_store({0}, 1); atomic_store_explicit({0}, 1, memory_order_release); "
                    "atomic_store_explicit({0}, 1, memory_order_release, memory_scope_work_group)",
                    at));
    add(uses, "exchange fetch_add fetch_sub fetch_min fetch_max",
        fmt::format("i[0] = atomic_$({0}, 1) + atomic_$_explicit({0}, 1, memory_order_relaxed) + "
                    "atomic_$_explicit({0}, 1, memory_order_acq_rel, memory_scope_device)",
                    at));
  }
  add(uses, "fetch_and fetch_or fetch_xor", "i[0] = atomic_$(a, 1) + atomic_$(b, 1)");
  for (const std::string type : {"i", "l", "f"}) {
    add(uses, "add min max",
        fmt::format("{0}[0] = sub_group_reduce_$({0}[1]) + sub_group_scan_inclusive_$({0}[1]) + "
                    "sub_group_scan_exclusive_$({0}[1]) + work_group_reduce_$({0}[2]) + "
                    "work_group_scan_inclusive_$({0}[2]) + work_group_scan_exclusive_$({0}[2])",
                    type));
  }
  check_uses("atomics.cl", "",
             "global int *i, global long *l, global float *f, global atomic_int *a, "
             "global atomic_uint *b, global atomic_float *c, local atomic_long *w, "
             "global atomic_flag *g",
             uses);
}

TEST_CASE("kernel/clang/headers: the headers that programs include are there") {
  const TemporaryFolder folder;
  std::string text;
  for (const char* name : {"cuda.h",
                           "cuda_runtime.h",
                           "cuda_runtime_api.h",
                           "device_launch_parameters.h",
                           "device_functions.h",
                           "math_functions.h",
                           "vector_types.h",
                           "vector_functions.h",
                           "sm_20_intrinsics.h",
                           "sm_atomic_functions.h",
                           "cuda_fp16.h",
                           "call_kernel.h",
                           "cooperative_groups.h",
                           "cooperative_groups/reduce.h",
                           "cuda/atomic",
                           "cuda/std/atomic",
                           "curand_kernel.h",
                           "curand.h",
                           "helper_cuda.h",
                           "helper_math.h",
                           "cutil.h",
                           "cutil_inline.h",
                           "cutil_math.h",
                           "texture_fetch_functions.h",
                           "stdio.h",
                           "stdlib.h",
                           "string.h",
                           "math.h",
                           "assert.h",
                           "time.h",
                           "sys/time.h",
                           "stdint.h",
                           "stddef.h",
                           "limits.h",
                           "float.h",
                           "ctype.h",
                           "stdbool.h",
                           "unistd.h",
                           "iostream",
                           "iomanip",
                           "cstdio",
                           "cstdlib",
                           "cstring",
                           "cmath",
                           "cassert",
                           "cstdint",
                           "climits",
                           "cfloat",
                           "ctime"}) {
    text += fmt::format("#include <{}>\n", name);
  }
  const auto file = folder.write("a.cu", text + "int main() { return 0; }\n");
  Compiler& compiler = headway::testing::shared_compiler();
  CHECK(complaint_of([&] { compiler.compile_both(file); }) == "no error");
}

TEST_CASE("kernel/clang/headers: of libcu++ there is what there is of the standard library") {
  const char* names[] = {"algorithm", "array",       "cassert", "climits",          "cmath",
                         "complex",   "cstddef",     "cstdint", "functional",       "limits",
                         "numeric",   "type_traits", "tuple",   "initializer_list", "iterator"};
  std::string head = "#include <cstdint>\n#include <cstdarg>\n";
  for (const char* name : names) {
    // Each by itself, too.
    const std::string one = fmt::format("#include <cuda/std/{}>\n", name);
    check_uses("one.cu", one, "int* o", {"*o = sizeof(std::uint32_t)"});
    head += one;
  }
  check_uses("all.cu", head, "int* o",
             {"cuda::std::array<int, 4> a{1, 2, 3, 4}; *o = a[threadIdx.x % 4]",
              "cuda::std::uint64_t a = cuda::std::numeric_limits<int>::max(); *o = a >> 8",
              "auto t = cuda::std::make_tuple(1, 2.0f); *o = cuda::std::get<0>(t)",
              "static_assert(cuda::std::is_same<int, int>::value, \"\"); *o = sizeof(va_list)",
              "*o = cuda::std::max(1, cuda::std::min(*o, 7))",
              "*o = cuda::std::sqrt(float(*o)); assert(*o > 0)"});
}

TEST_CASE("kernel/clang/headers: a host program calls what is known of it, and no more") {
  const TemporaryFolder folder;
  const auto file = folder.write("a.cu", R"(
#include <assert.h>
#include <call_kernel.h>
#include <stdio.h>
#include <stdlib.h>
__constant__ int c[4];
__device__ int v;
__global__ void k(int *p, int n, float f) { p[n] = c[0] + v; }
__global__ void none() {}
int main(int argc, char **argv) {
  int *d, *h = (int *)malloc(64), *m, *pinned;
  cudaMalloc((void **)&d, 64); cudaMalloc(&d, 64); cudaMallocManaged(&m, 64);
  cudaMallocHost(&pinned, 64); cudaHostAlloc((void **)&pinned, 64, cudaHostAllocDefault);
  cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice); cudaMemset(d, 0, 64);
  cudaMemcpyToSymbol(c, h, 16); cudaMemcpyFromSymbol(h, v, 4, 0, cudaMemcpyDeviceToHost);
  cudaStream_t s; cudaStreamCreate(&s); cudaMemcpyAsync(d, h, 64, cudaMemcpyDefault, s);
  cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e, s); cudaStreamWaitEvent(s, e, 0);
  k<<<dim3(2, 2), 4, 16, s>>>(d, 1, 2.0f); none<<<1, 1>>>();
  ESBMC_verify_kernel(k, 1, 4, d, 2, 1.5f); ESBMC_verify_kernel_with_three_args(k, 1, 2, NULL, 0, 0);
  ESBMC_verify_kernel(none, 1, 1);
  void *args[] = {&d}; cudaLaunchCooperativeKernel((void *)none, 1, 1, args, 0, 0);
  cudaDeviceSynchronize(); cudaThreadSynchronize(); cudaStreamSynchronize(s);
  float t; cudaEventElapsedTime(&t, e, e); cudaEventDestroy(e); cudaStreamDestroy(s);
  cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); int count; cudaGetDeviceCount(&count);
  printf("%s %d\n", cudaGetErrorString(cudaGetLastError()), p.warpSize + count + rand());
  assert(h[0] == 1); __ESBMC_assume(nondet_int() > 1); __ESBMC_assert(nondet_bool(), "text");
  cudaFree(d); cudaFreeHost(pinned); free(h); cudaDeviceReset(); exit(0);
}
)");
  Compiler& compiler = headway::testing::shared_compiler();
  const auto host = compiler.compile(file, Side::host);
  const Module module = headway::kernel::llvm::read_module(
      host, file.string(), {std::string(headway::kernel::kHeaderPlace)});
  std::set<std::string> called;
  for (const auto& function : module.functions) {
    if (function.name != "main") continue;
    CHECK(function.unsupported == "");
    for (const auto& block : function.blocks) {
      for (const auto& instruction : block.code) {
        if (instruction.op == Op::external) called.insert(instruction.name);
      }
    }
  }
  CHECK(called.count("cudaMalloc") == 1);
  CHECK(called.count("cudaMemcpyToSymbol") == 1);
  for (const std::string& name : called) {
    CAPTURE(name);
    CHECK((name.starts_with("cuda") || name.starts_with("__cuda") || name.starts_with("headway_") ||
           name == "malloc" || name == "free" || name == "printf" || name == "rand" ||
           name == "exit"));
  }
}
