// OpenCL C from 1.2 on, whose atomics are relaxed; a fence orders them. Atomic loads came with 2.0,
// and those for a whole device became optional in 3.0; elsewhere a volatile word is read.
#include <fmt/format.h>

#include "emit/emit.hpp"

namespace headway::emit {
namespace {

constexpr Dialect kOpenCl = {
    .number = "{}u",
    .constant = "#define {} {}",
    .value = "const uint {} = {};",
    .condition = "const bool {} = {};",
    .pc = "uint pc = 0u;",
    .loop = "while (true) {",
    .choice = "switch ({}) {{",
    .case_begin = "case {}:",
    .case_end = "  break;",
    .default_begin = "default:",
    .default_end = "",
    .select = "{} ? {} : {}",
    .cell = "memory[{}]",
    .load = "LOAD({})",
    .load_rmw = "atomic_or(&{}, 0u)",
    .exchange = "atomic_xchg(&{}, {})",
    .store = "atomic_xchg(&{}, {});",
    .fence = "mem_fence(CLK_GLOBAL_MEM_FENCE);",
    .watch = "",
    .finish = "atomic_inc(finished);",
    .function =
        "void thread_{}(volatile __global uint* memory, volatile __global uint* finished) {{",
    .call = "thread_{}(own, finished);",
    .signed_number = "{}",
    .to_word = "(uint)({})",
    .to_signed = "(int)({})",
    .remainder = "{} % {}",
    .shift_count = "{}",
    .reg = "int {} = 0;",
    .unless = "if (!({})) {}",
    .violated = "atomic_or(finished, VIOLATED);",
    .add = "atomic_add(&{}, {})",
    .subtract = "atomic_sub(&{}, {})",
    .minimum = "atomic_min(&{}, {})",
    .maximum = "atomic_max(&{}, {})",
    .bit_and = "atomic_and(&{}, {})",
    .bit_or = "atomic_or(&{}, {})",
    .bit_xor = "atomic_xor(&{}, {})",
    .compare_exchange = "atomic_cmpxchg(&{}, {}, {})",
    .load_helper = R"(#if defined(__opencl_c_atomic_scope_device) || __OPENCL_C_VERSION__ == 200
#define LOAD(word)                                                                    \
  atomic_load_explicit((volatile __global atomic_uint*)&(word), memory_order_relaxed, \
                       memory_scope_device)
#else
#define LOAD(word) (word)
#endif
)",
};

}  // namespace

std::string emit_opencl(const Kernel& kernel) {
  std::string text = comment(
      kernel, "//",
      {fmt::format("Enqueue {} work-items in workgroups of one, with the memory and a word that",
                   kernel.launch.workgroups()),
       "is 0; the word counts the workgroups that finish."});
  text +=
      fmt::format("\n#ifndef INSTANCES\n#define INSTANCES {}u\n#endif\n", kernel.launch.instances);
  text += constants(kernel, kOpenCl) + "\n" + functions(kernel, kOpenCl);
  text += R"(
__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void litmus(
    volatile __global uint* memory, volatile __global uint* finished) {
  const uint group = get_group_id(0);
)";
  text += find_place(kernel, kOpenCl);
  text += "  volatile __global uint* own = memory + instance * LOCATIONS;\n";
  text += call_thread(kernel, kOpenCl);
  return text + "}\n";
}

}  // namespace headway::emit
