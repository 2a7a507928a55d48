// OpenCL C 1.2, whose atomics are relaxed; a fence orders them.
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
    .load = "atomic_or(&memory[{}], 0u)",
    .exchange = "atomic_xchg(&memory[{}], {})",
    .store = "atomic_xchg(&memory[{}], {});",
    .fence = "mem_fence(CLK_GLOBAL_MEM_FENCE);",
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
    .add = "atomic_add(&memory[{}], {})",
    .subtract = "atomic_sub(&memory[{}], {})",
    .minimum = "atomic_min(&memory[{}], {})",
    .maximum = "atomic_max(&memory[{}], {})",
    .bit_and = "atomic_and(&memory[{}], {})",
    .bit_or = "atomic_or(&memory[{}], {})",
    .bit_xor = "atomic_xor(&memory[{}], {})",
    .compare_exchange = "atomic_cmpxchg(&memory[{}], {}, {})",
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
