#include "kernel/literal/random_cuda.hpp"

#include <algorithm>

#include "kernel/clang/compile.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"

namespace headway::testing {
namespace {

// The pieces in the places of $. In a list in braces they are drawn one after the other, whatever
// the compiler, as arguments and operands are not.
std::string put(std::string_view pattern, std::initializer_list<std::string> pieces) {
  std::string text;
  auto piece = pieces.begin();
  for (const char c : pattern) {
    if (c == '$') {
      text += *piece++;
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string RandomCuda::header() {
  return "#include <cuda/atomic>\n"
         "#define OF(type, scope, x) cuda::atomic_ref<type, cuda::thread_scope_##scope>(x)\n"
         "#define AT(scope, x) OF(int, scope, x)\n"
         "#define ORDER(o) cuda::memory_order_##o\n"
         "__constant__ const int c[2] = {1, 2};\n"
         "extern __shared__ int d[];\n"
         "extern __shared__ short h[];\n";
}

std::string RandomCuda::one_of(std::initializer_list<const char*> all) {
  return all.begin()[pick(static_cast<int>(all.size()))];
}

bool RandomCuda::has(Feature feature) const {
  return std::find(features_.begin(), features_.end(), feature) != features_.end();
}

std::string RandomCuda::flag() { return put("f[$]", {number(2)}); }

std::string RandomCuda::value() {
  if (has(Feature::unset) && one_in(6)) return "u";
  switch (pick(7)) {
    case 0:
      return "r";
    case 1:
    case 2:
      return "threadIdx.x + 1";
    case 3:
      return "n";
    case 4:
      return "r + 1";
    default:
      return number(3);
  }
}

std::string RandomCuda::index() {
  switch (pick(12)) {
    case 0:
      return "threadIdx.x";
    case 1:
      return "blockIdx.x * 2 + threadIdx.x";
    case 2:
      return "r & 3";
    case 3:
      return one_in(4) ? "r" : "r & 1";
    case 4:
      return "(threadIdx.x + 1) % 3";
    default:
      return number(2);
  }
}

std::string RandomCuda::scope() { return one_in(3) ? "block" : "device"; }

std::string RandomCuda::order(bool loads, bool stores) {
  switch (pick(5)) {
    case 0:
      return "ORDER(relaxed)";
    case 1:
      return "ORDER(seq_cst)";
    case 2:
      return loads && stores ? "ORDER(acq_rel)" : loads ? "ORDER(acquire)" : "ORDER(release)";
    default:
      return loads && one_in(2) ? "ORDER(acquire)" : stores ? "ORDER(release)" : "ORDER(acquire)";
  }
}

// With one order, or with another one where it fails.
std::string RandomCuda::compare_exchange(const std::string& type, const std::string& place,
                                         const std::string& expected, const std::string& desired) {
  std::string orders = order(true, true);
  if (!one_in(4)) orders += ", " + order(true, false);
  return put(
      "{ $ e = $; OF($, $, $).compare_exchange_$(e, $, $); r = e; }",
      {type, expected, type, scope(), place, one_in(3) ? "weak" : "strong", desired, orders});
}

std::string RandomCuda::atomic() {
  switch (pick(16)) {
    case 0:
      return put("atomicAdd(&$, 1);", {flag()});
    case 1:
    case 12:
      return put("r = atomicAdd(&$, 1);", {flag()});
    case 2:
      return put("atomicExch(&$, $);", {flag(), value()});
    case 3:
      return put("r = atomicCAS(&$, $, $);", {flag(), number(2), value()});
    case 4:
      return put("atomicMax(&$, $);", {flag(), value()});
    case 5:
      return put("r = atomic$(&$, $);", {one_of({"Xor", "Sub"}), flag(), value()});
    case 6:
      return put("atomicAdd_block(&$, 1);", {flag()});
    case 7:
    case 8:
      return put("AT($, $).store($, $);", {scope(), flag(), value(), order(false, true)});
    case 9:
      return put("r = AT($, $).load($);", {scope(), flag(), order(true, false)});
    case 10:
      return put("r = AT($, $).fetch_add(1, $);", {scope(), flag(), order(true, true)});
    case 13:
    case 14: {
      const std::string place = flag();
      const std::string expected = number(2);
      return compare_exchange("int", place, expected, value());
    }
    default:
      return put("r = AT($, $).exchange($, $);", {scope(), flag(), value(), order(true, true)});
  }
}

std::string RandomCuda::plain() {
  switch (pick(10)) {
    case 0:
      return put("r = a[$];", {index()});
    case 1:
      return put("a[$] = $;", {index(), value()});
    case 2:
      return put("a[threadIdx.x & 1] = $;", {value()});
    case 3:
      return put("a[2] = $;", {number(2)});
    case 4:
      return put("s[threadIdx.x] = $;", {value()});
    case 5:
      return put("r = s[$];", {number(2)});
    case 6:
      return put("*(volatile int*)&$ = $;", {flag(), value()});
    case 7:
      return put("r = *(volatile int*)&$;", {flag()});
    case 8:
      return one_in(8) ? "((int*)c)[0] = 1;" : "r = c[n & 1];";
    default:
      return put("((char*)a)[8 + $] = $;", {number(3), number(2)});
  }
}

std::string RandomCuda::mask() {
  return one_of({"0xffffffff", "0xffffffff", "0xffffffff", "(1u << blockDim.x) - 1", "3", "3", "7",
                 "1", "6", "1u << threadIdx.x", "threadIdx.x < 2 ? 3 : 4",
                 "__ballot_sync(0xffffffff, threadIdx.x > 0)"});
}

// What the threads of a warp do together.
std::string RandomCuda::warps() {
  const auto distance = [&] {
    return one_in(8) ? one_of({"31", "32", "33", "-1"}) : one_of({"0", "1", "1", "2", "n"});
  };
  const auto width = [&] { return one_in(3) ? one_of({", 1", ", 2", ", 4", ", 32"}) : ""; };
  const auto holds = [&] { return one_of({"r > 0", "threadIdx.x > 0", "n == 1", "r == n"}); };
  std::string text;
  switch (pick(12)) {
    case 0:
      text = "__syncwarp();";
      break;
    case 1:
      text = put("__syncwarp($);", {mask()});
      break;
    case 2:
    case 3:
      text = put("s[threadIdx.x] = $; __syncwarp($); r = s[(threadIdx.x + 1) & 1];",
                 {value(), mask()});
      break;
    case 4:
      text = put("r = __shfl_sync($, $, $$);", {mask(), value(), distance(), width()});
      break;
    case 5:
    case 6:
      text = put("r = __shfl_$_sync($, $, $$);",
                 {one_of({"up", "down", "xor", "xor"}), mask(), value(), distance(), width()});
      break;
    case 7:
      text = put("r = __ballot_sync($, $);", {mask(), holds()});
      break;
    case 8:
      text = put("r = __$_sync($, $);", {one_of({"any", "all", "uni"}), mask(), holds()});
      break;
    case 9:
      text = put("r = __match_any_sync($, $);", {mask(), value()});
      break;
    case 10:
      text = put("{ int e; __match_all_sync($, $, &e); r = e; }", {mask(), value()});
      break;
    default:
      text = put("r = __reduce_$_sync($, (unsigned)($));",
                 {one_of({"add", "min", "max", "and", "or", "xor"}), mask(), value()});
  }
  switch (pick(8)) {
    case 2:
      return put("if ($) { $ } else { $ }", {holds(), text, text});
    case 0:
      return "if (threadIdx.x < 2) { " + text + " }";
    case 1:
      return put("if ($) { $ }", {holds(), text});
    default:
      return text;
  }
}

// Accesses of several widths to one word.
std::string RandomCuda::widths() {
  const std::string type = one_of({"char", "short", "short", "long long", "long long", "int"});
  const int most = type == "char" ? 8 : type == "short" ? 4 : type == "int" ? 2 : 1;
  const std::string place = put("(($*)f)[$]", {type, number(most)});
  switch (pick(12)) {
    case 0:
      return "atomicAdd((unsigned long long*)f, 1ull);";
    case 1:
      return put("r = (int)atomicExch((unsigned long long*)f, (unsigned long long)($));",
                 {value()});
    case 2:
      return put("r = atomicCAS((unsigned short*)f + $, (unsigned short)$, (unsigned short)($));",
                 {number(4), number(2), value()});
    case 3:
      return put("*(volatile $*)&$ = $;", {type, place, value()});
    case 4:
      return put("r = *(volatile $*)&$;", {type, place});
    case 5:
      return put("(($*)a)[$] = $;", {type, number(2), value()});
    case 6:
      return one_in(4) ? "atomicAdd((int*)((char*)f + 2), 1);" : put("r = (($*)a)[1];", {type});
    case 7:
      return put("OF($, $, $).store($, $);", {type, scope(), place, value(), order(false, true)});
    case 8:
      return put("r = OF($, $, $).load($);", {type, scope(), place, order(true, false)});
    case 9:
      return put("r = OF($, $, $).fetch_add(1, $);", {type, scope(), place, order(true, true)});
    case 10:
      return put("r = OF($, $, $).exchange($, $);",
                 {type, scope(), place, value(), order(true, true)});
    default: {
      const std::string expected = number(2);
      return compare_exchange(type, place, expected, value());
    }
  }
}

// Variables and memory that nobody has set, or not in all cases.
std::string RandomCuda::unset() {
  switch (pick(15)) {
    case 0:
      return put("if (n == $) u = $;", {number(2), value()});
    case 1:
      return put("if (r == $) u = $;", {number(2), value()});
    case 2:
      return put("u = $;", {value()});
    case 3:
      return "r = u;";
    case 4:
      return "r = r + u;";
    case 5:
      return one_of({"r = u & 0;", "r = u * 0;", "r = (u | 1) & 1;", "r = u ^ u;", "r = u & 1;"});
    case 6:
      return put("p[n & 1] = $;", {value()});
    case 7:
      return put("r = p[$];", {number(2)});
    case 8:
      return put("r = s[$];", {number(4)});
    case 9:
      return put("$ = u;", {one_of({"o[7]", "a[3]", "s[3]", "a[threadIdx.x]", "l[1]"})});
    case 10:
      return put("r = n == $ ? u : r;", {number(2)});
    case 11:
      return put("atomic$(&$, u);", {one_of({"Exch", "Add", "And", "Max"}), flag()});
    case 12:
      return put("{ int w; if (r == $) w = $; r = w; }", {number(2), value()});
    case 13:
      return put("r = atomicAdd(&s[$], 1);", {number(4)});
    default:
      return put("((char*)&u)[$] = $;", {number(4), number(2)});
  }
}

// Arrays that the launch sizes: they begin at one place.
std::string RandomCuda::launch_sized() {
  switch (pick(9)) {
    case 0:
    case 1:
      return put("d[threadIdx.x] = $;", {value()});
    case 2:
      return put("h[threadIdx.x] = $;", {value()});
    case 3:
      return put("h[$] = $;", {index(), value()});
    case 4:
      return put("r = d[$];", {index()});
    case 5:
      return put("r = h[$];", {index()});
    case 6:
      return put("r = atomicAdd(&d[$], 1);", {number(2)});
    case 7:
      return put("d[$] = 0; __syncthreads();", {number(2)});
    default:
      return put("AT($, d[$]).store($, $);", {scope(), number(2), value(), order(false, true)});
  }
}

std::string RandomCuda::statement() {
  if (!features_.empty() && one_in(2)) {
    switch (features_[static_cast<std::size_t>(pick(static_cast<int>(features_.size())))]) {
      case Feature::warps:
        return warps();
      case Feature::widths:
        return widths();
      case Feature::unset:
        return unset();
      case Feature::launch_sized:
        return launch_sized();
    }
  }
  switch (pick(11)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return atomic();
    case 4:
    case 5:
    case 6:
      return plain();
    case 7:
      return one_of({"__threadfence();", "__threadfence_block();"});
    case 8:
      return put("if (r == $) { $ }", {number(2), one_in(2) ? atomic() : plain()});
    case 9:
      return one_in(3) ? "assert(r < 3);" : "l[r & 1] = r + 1; r = l[n & 1];";
    default:
      return one_in(3) ? "r = 4 / (r + 1 - n);" : "r = r * 2 + n;";
  }
}

std::string RandomCuda::guarded() {
  switch (pick(15)) {
    case 0:
    case 1:
      return put("if (threadIdx.x == 0) { $ $ }\n", {statement(), statement()});
    case 3:
      return put("if (threadIdx.x == 1) { $ $ }\n", {statement(), statement()});
    case 5:
      return put("if (blockIdx.x == gridDim.x - 1) { $ }\n", {statement()});
    case 6:
      return one_in(4) ? "r = __syncthreads_count(r > 0);\n" : "__syncthreads();\n";
    case 7:
    case 8:
      return put("if (threadIdx.x == 1) { while (atomicAdd(&$, 0) == 0); $ }\n",
                 {flag(), statement()});
    case 9:
      return put("for (int i = 0; i < 2; ++i) { $ }\n", {statement()});
    case 10:
      return one_in(4) ? "if (r > 1) return;\n" : statement() + "\n";
    default:
      return statement() + "\n";
  }
}

std::string RandomCuda::fences() {
  std::string text;
  for (int i = pick(3); i > 0; --i) {
    switch (pick(6)) {
      case 0:
        text += "__threadfence_block(); ";
        break;
      case 1:
        text += "__threadfence_system(); ";
        break;
      case 2:
        text += plain() + " ";
        break;
      default:
        text += "__threadfence(); ";
    }
  }
  return text;
}

// One thread writes and tells another one, which looks at what was written.
std::string RandomCuda::passing() {
  const auto sets = [&]() -> std::string {
    switch (pick(4)) {
      case 0:
        return "atomicExch(&f[0], 1);";
      case 1:
        return compare_exchange("int", "f[0]", "0", "1");
      default:
        return put("AT($, f[0]).store(1, $);", {scope(), order(false, true)});
    }
  };
  const auto gets = [&]() -> std::string {
    switch (pick(4)) {
      case 0:
        return "r = atomicAdd(&f[0], 0);";
      case 1:
        return compare_exchange("int", "f[0]", number(2), "2");
      default:
        return put("r = AT($, f[0]).load($);", {scope(), order(true, false)});
    }
  };
  const bool groups = one_in(2);
  const std::string first = groups ? "blockIdx.x == 0 && threadIdx.x == 0" : "threadIdx.x == 0";
  const std::string second =
      groups ? "blockIdx.x == gridDim.x - 1 && threadIdx.x == 0" : "threadIdx.x == 1";
  std::string text =
      put("  if ($) { a[0] = 1; $$ }\n  if ($) { $ }\n", {first, fences(), sets(), second, gets()});
  if (one_in(4)) text += "  __syncthreads();\n";
  if (one_in(3)) text += "  " + guarded();
  return text +
         put("  if ($ && r == 1) { $$ }\n", {second, fences(), one_of({"a[0] = 2;", "r = a[0];"})});
}

std::string RandomCuda::kernel(int number) {
  features_.clear();
  for (const Feature feature :
       {Feature::warps, Feature::widths, Feature::unset, Feature::launch_sized}) {
    if (one_in(4)) features_.push_back(feature);
  }
  const bool sets = has(Feature::launch_sized) && one_in(2);
  const bool passes = one_in(2);
  std::string body = passes ? passing() : "";
  const int count = passes ? pick(2) : 2 + pick(4);
  for (int i = 0; i < count; ++i) body += "  " + guarded();
  std::string text =
      put("__global__ void k$(int* a, int* f, int* o, int n) {\n"
          "  __shared__ int s[4]; int r = 0; int l[2] = {0, 1};$\n",
          {std::to_string(number), has(Feature::unset) ? " int u; int p[2];" : ""});
  // Only where they are looked at, as each access more makes for many more orders.
  const bool looks = body.find("s[") != std::string::npos;
  if (looks) text += "  s[threadIdx.x] = 0;";
  if (sets) text += "  d[threadIdx.x] = 0;";
  if (looks || sets) text += " __syncthreads();\n";
  return text + body + "  o[blockIdx.x * blockDim.x + threadIdx.x] = r;\n}\n";
}

namespace {

kernel::ReadKernels file_of(RandomCuda& texts, int first, int count) {
  std::string text = RandomCuda::header();
  for (int i = first; i < first + count; ++i) text += texts.kernel(i);
  kernel::Compiler& compiler = shared_compiler();
  const TemporaryFolder folder;
  return kernel::read_kernels(folder.write("random.cu", text), kernel::Side::device, {}, compiler);
}

}  // namespace

kernel::ReadKernels random_cuda_file(unsigned seed, int count) {
  RandomCuda texts(seed);
  return file_of(texts, 0, count);
}

void for_each_random_cuda(
    unsigned seed, int count,
    const std::function<void(const kernel::ReadKernels&, const kernel::Function&)>& look) {
  constexpr int most = 50;
  RandomCuda texts(seed);
  for (int first = 0; first < count; first += most) {
    const kernel::ReadKernels read = file_of(texts, first, std::min(most, count - first));
    for (const kernel::Function& function : read.module->functions) look(read, function);
  }
}

std::string source_of(const kernel::ReadKernels& read, const kernel::Function& function) {
  std::string all;
  for (kernel::Place place = function.place;; ++place.line) {
    const std::string line(read.text->line(place));
    all += line + "\n";
    if (line == "}") return all;
  }
}

}  // namespace headway::testing
