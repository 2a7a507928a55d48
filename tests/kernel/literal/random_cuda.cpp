#include "kernel/literal/random_cuda.hpp"

namespace headway::testing {

std::string RandomCuda::header() {
  return "#include <cuda/atomic>\n"
         "#define AT(scope, x) cuda::atomic_ref<int, cuda::thread_scope_##scope>(x)\n"
         "#define ORDER(o) cuda::memory_order_##o\n";
}

std::string RandomCuda::flag() { return "f[" + std::to_string(pick(2)) + "]"; }

std::string RandomCuda::value() {
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
      return std::to_string(pick(3));
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
      return pick(4) == 0 ? "r" : "r & 1";
    case 4:
      return "(threadIdx.x + 1) % 3";
    default:
      return std::to_string(pick(2));
  }
}

std::string RandomCuda::order(bool loads, bool stores) {
  switch (pick(5)) {
    case 0:
      return "ORDER(relaxed)";
    case 1:
      return "ORDER(seq_cst)";
    case 2:
      return loads && stores ? "ORDER(acq_rel)" : loads ? "ORDER(acquire)" : "ORDER(release)";
    default:
      return loads && pick(2) == 0 ? "ORDER(acquire)"
             : stores              ? "ORDER(release)"
                                   : "ORDER(acquire)";
  }
}

std::string RandomCuda::atomic() {
  const std::string scope = pick(3) == 0 ? "block" : "device";
  switch (pick(15)) {
    case 0:
      return "atomicAdd(&" + flag() + ", 1);";
    case 1:
    case 12:
      return "r = atomicAdd(&" + flag() + ", 1);";
    case 2:
      return "atomicExch(&" + flag() + ", " + value() + ");";
    case 3:
      return "r = atomicCAS(&" + flag() + ", " + std::to_string(pick(2)) + ", " + value() + ");";
    case 4:
      return "atomicMax(&" + flag() + ", " + value() + ");";
    case 5:
      return "r = atomic" + std::string(pick(2) == 0 ? "Xor" : "Sub") + "(&" + flag() + ", " +
             value() + ");";
    case 6:
      return "atomicAdd_block(&" + flag() + ", 1);";
    case 7:
    case 8:
      return "AT(" + scope + ", " + flag() + ").store(" + value() + ", " + order(false, true) +
             ");";
    case 9:
      return "r = AT(" + scope + ", " + flag() + ").load(" + order(true, false) + ");";
    case 10:
      return "r = AT(" + scope + ", " + flag() + ").fetch_add(1, " + order(true, true) + ");";
    case 13:
      return "{ int e = " + std::to_string(pick(2)) + "; AT(" + scope + ", " + flag() +
             ").compare_exchange_strong(e, " + value() + ", " + order(true, true) + ", " +
             order(true, false) + "); r = e; }";
    default:
      return "r = AT(" + scope + ", " + flag() + ").exchange(" + value() + ", " +
             order(true, true) + ");";
  }
}

std::string RandomCuda::plain() {
  switch (pick(9)) {
    case 0:
      return "r = a[" + index() + "];";
    case 1:
      return "a[" + index() + "] = " + value() + ";";
    case 2:
      return "a[threadIdx.x & 1] = " + value() + ";";
    case 3:
      return "a[2] = " + std::to_string(pick(2)) + ";";
    case 4:
      return "s[threadIdx.x] = " + value() + ";";
    case 5:
      return "r = s[" + std::to_string(pick(2)) + "];";
    case 6:
      return "*(volatile int*)&f[" + std::to_string(pick(2)) + "] = " + value() + ";";
    case 7:
      return "r = *(volatile int*)&f[" + std::to_string(pick(2)) + "];";
    default:
      return "((char*)a)[" + std::to_string(8 + pick(3)) + "] = " + std::to_string(pick(2)) + ";";
  }
}

std::string RandomCuda::statement() {
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
      return pick(2) == 0 ? "__threadfence();" : "__threadfence_block();";
    case 8:
      return "if (r == " + std::to_string(pick(2)) + ") { " + (pick(2) == 0 ? atomic() : plain()) +
             " }";
    case 9:
      return pick(3) == 0 ? "assert(r < 3);" : "l[r & 1] = r + 1; r = l[n & 1];";
    default:
      return pick(3) == 0 ? "r = 4 / (r + 1 - n);" : "r = r * 2 + n;";
  }
}

std::string RandomCuda::guarded() {
  switch (pick(15)) {
    case 0:
    case 1:
      return "if (threadIdx.x == 0) { " + statement() + " " + statement() + " }\n";
    case 3:
      return "if (threadIdx.x == 1) { " + statement() + " " + statement() + " }\n";
    case 5:
      return "if (blockIdx.x == gridDim.x - 1) { " + statement() + " }\n";
    case 6:
      return pick(4) == 0 ? "r = __syncthreads_count(r > 0);\n" : "__syncthreads();\n";
    case 7:
    case 8:
      return "if (threadIdx.x == 1) { while (atomicAdd(&" + flag() + ", 0) == 0); " + statement() +
             " }\n";
    case 9:
      return "for (int i = 0; i < 2; ++i) { " + statement() + " }\n";
    case 10:
      return pick(4) == 0 ? "if (r > 1) return;\n" : statement() + "\n";
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
  const std::string scope = pick(3) == 0 ? "block" : "device";
  const std::string sets = pick(3) == 0
                               ? "atomicExch(&f[0], 1);"
                               : "AT(" + scope + ", f[0]).store(1, " + order(false, true) + ");";
  const std::string gets = pick(3) == 0
                               ? "r = atomicAdd(&f[0], 0);"
                               : "r = AT(" + scope + ", f[0]).load(" + order(true, false) + ");";
  const bool groups = pick(2) == 0;
  const std::string first = groups ? "blockIdx.x == 0 && threadIdx.x == 0" : "threadIdx.x == 0";
  const std::string second =
      groups ? "blockIdx.x == gridDim.x - 1 && threadIdx.x == 1" : "threadIdx.x == 1";
  const std::string between = pick(4) == 0 ? "  __syncthreads();\n" : "";
  const std::string look = pick(2) == 0 ? "a[0] = 2;" : "r = a[0];";
  return "  if (" + first + ") { a[0] = 1; " + fences() + sets + " }\n  if (" + second + ") { " +
         gets + " }\n" + between + (pick(3) == 0 ? "  " + guarded() : "") + "  if (" + second +
         " && r == 1) { " + fences() + look + " }\n";
}

std::string RandomCuda::kernel(int number) {
  std::string text = "__global__ void k" + std::to_string(number) +
                     "(int* a, int* f, int* o, int n) {\n"
                     "  __shared__ int s[4]; int r = 0; int l[2] = {0, 1};\n";
  text += "  s[threadIdx.x] = 0; __syncthreads();\n";
  const bool passes = pick(2) == 0;
  if (passes) text += passing();
  const int count = passes ? pick(2) : 2 + pick(4);
  for (int i = 0; i < count; ++i) text += "  " + guarded();
  return text + "  o[blockIdx.x * blockDim.x + threadIdx.x] = r;\n}\n";
}

}  // namespace headway::testing
