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

// The same where threads are in groups.
Dialect opencl_in_groups(const Groups& groups) {
  Dialect dialect = kOpenCl;
  dialect.cell = "t.memory[{}]";
  dialect.group_cell = "t.group_memory[{}]";
  dialect.group_load = "LOAD_LOCAL({})";
  if (!groups.locations.empty()) {
    dialect.fence = "mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);";
  }
  dialect.violated = "atomic_or(t.finished, VIOLATED);";
  dialect.id = "t.{}";
  dialect.parameters = "const struct Thread t";
  dialect.arguments = "t";
  dialect.parameter = "int {}";
  dialect.function_void = "void {}({}) {{";
  dialect.function_value = "int {}({}) {{";
  dialect.temporary = "const int {} = {};";
  dialect.array = "int {}[{}] = {{0}};";
  dialect.cases_begin = "{} {{";
  dialect.case_label = "case {}:";
  dialect.default_label = "default:";
  dialect.case_separator = " ";
  dialect.workgroup_barrier = "barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);";
  dialect.subgroup_barrier = "sub_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);";
  // Of the first extension of subgroups alone, which has neither a ballot nor a shuffle.
  dialect.operations = {
      "int subgroup_all(const struct Thread t, bool e) { return sub_group_all(e) ? 1 : 0; }\n",
      "int subgroup_any(const struct Thread t, bool e) { return sub_group_any(e) ? 1 : 0; }\n",
      R"(int subgroup_ballot(const struct Thread t, bool e) {
  return sub_group_reduce_add(e ? 1 << t.lane : 0);
}
)",
      R"(int subgroup_broadcast(const struct Thread t, int value, int lane) {
  return sub_group_broadcast(value, (uint)lane);
}
)",
      R"(int subgroup_shuffle(const struct Thread t, int value, int lane) {
  int asked = 0;
  for (uint l = 0u; l < SUBGROUP_SIZE; ++l) {
    const int its = sub_group_broadcast(value, l);
    if (l == (uint)lane) asked = its;
  }
  return asked;
}
)",
      R"(int subgroup_elect(const struct Thread t) { return sub_group_reduce_min(t.lane) == t.lane; }
)"};
  return dialect;
}

constexpr std::string_view kSubgroups = R"(#if defined(cl_khr_subgroups)
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#elif !defined(__opencl_c_subgroups)
#error "this device has no subgroups"
#endif
)";

// Barriers and operations are for all work-items of a subgroup, so that the program has to have the
// subgroups of the device. Whether it has is asked in front of the runs.
constexpr std::string_view kFindSubgroups =
    R"(  if (get_num_sub_groups() != WORKGROUP_SIZE / SUBGROUP_SIZE ||
      get_sub_group_size() != SUBGROUP_SIZE) {
    atomic_or(finished, MISPLACED);
  }
  if ((atomic_or(finished, 0u) & PROBE) != 0u) return;
  const uint lid = get_sub_group_id() * SUBGROUP_SIZE + get_sub_group_local_id();
)";

constexpr std::string_view kLoadLocal = R"(#if __OPENCL_C_VERSION__ >= 200
#define LOAD_LOCAL(word)                                                             \
  atomic_load_explicit((volatile __local atomic_uint*)&(word), memory_order_relaxed, \
                       memory_scope_work_group)
#else
#define LOAD_LOCAL(word) (word)
#endif

)";

std::string opencl_of_groups(const Kernel& kernel) {
  const Groups& groups = *kernel.groups;
  const Dialect dialect = opencl_in_groups(groups);
  const bool placed = groups.needs_subgroups();
  std::vector<std::string> usage = {
      fmt::format("Enqueue {} work-items in workgroups of {}, with the memory and a word",
                  kernel.threads(), groups.workgroup_size()),
      "that is 0; the word counts the work-items that finish."};
  if (placed) {
    for (std::string& line : placement(groups, true)) usage.push_back(std::move(line));
    usage.emplace_back(
        "REQUIRED_SUBGROUPS can be defined where cl_intel_required_subgroup_size is.");
  }
  std::string text = comment(kernel, "//", usage);
  if (placed) text += "\n" + std::string(kSubgroups);
  text +=
      fmt::format("\n#ifndef INSTANCES\n#define INSTANCES {}u\n#endif\n", kernel.launch.instances);
  text += constants(kernel, dialect);
  if (placed) text += subgroup_constants(dialect);
  text += R"(
struct Thread {
  volatile __global uint* memory;        // of the instance
  volatile __local uint* group_memory;   // of the workgroup
  volatile __global uint* finished;
  int tid, gid, lid, sid, lane;
};

)";
  if (!groups.locations.empty() && kernel.options.loads == Loads::relaxed) text += kLoadLocal;
  text += functions(kernel, dialect);
  if (placed) {
    text += R"(
#ifdef REQUIRED_SUBGROUPS
__attribute__((intel_reqd_sub_group_size(SUBGROUP_SIZE)))
#endif)";
  }
  text += R"(
__attribute__((reqd_work_group_size(WORKGROUP_SIZE, 1, 1))) __kernel void litmus(
    volatile __global uint* memory, volatile __global uint* finished) {
  const uint group = get_group_id(0);
)";
  text += find_place(kernel, dialect);
  text += placed ? std::string(kFindSubgroups) : "  const uint lid = get_local_id(0);\n";
  if (!groups.locations.empty()) {
    text += "  volatile __local uint group_memory[GROUP_LOCATIONS];\n  if (lid == 0u) {\n";
    for (std::size_t w = 0; w < groups.initial.size(); ++w) {
      text += fmt::format("    group_memory[{}] = {}u;\n", w, groups.initial[w]);
    }
    text += "  }\n  barrier(CLK_LOCAL_MEM_FENCE);\n";
  }
  text += "  struct Thread t;\n  t.memory = memory + instance * LOCATIONS;\n";
  text += fmt::format("  t.group_memory = {};\n", groups.locations.empty() ? "0" : "group_memory");
  text += R"(  t.finished = finished;
  t.tid = (int)(group_id * WORKGROUP_SIZE + lid);
  t.gid = (int)group_id;
  t.lid = (int)lid;
  t.sid = (int)(lid / SUBGROUP_SIZE);
  t.lane = (int)(lid % SUBGROUP_SIZE);
)";
  return text + kernel.body->call_blocks(kernel, dialect) + "  atomic_inc(finished);\n}\n";
}

}  // namespace

std::string emit_opencl(const Kernel& kernel) {
  if (kernel.groups) return opencl_of_groups(kernel);
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
