// Metal, in which all atomics are relaxed.
#include <fmt/format.h>

#include "emit/emit.hpp"

namespace headway::emit {
namespace {

constexpr Dialect kMetal = {
    .number = "{}u",
    .constant = "constant uint {} = {};",
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
    .load = "atomic_load_explicit(&{}, memory_order_relaxed)",
    .load_rmw = "atomic_fetch_or_explicit(&{}, 0u, memory_order_relaxed)",
    .exchange = "atomic_exchange_explicit(&{}, {}, memory_order_relaxed)",
    .store = "atomic_store_explicit(&{}, {}, memory_order_relaxed);",
    .fence = "",
    .watch = "",
    .finish = "atomic_fetch_add_explicit(finished, 1u, memory_order_relaxed);",
    .function = "void thread_{}(device atomic_uint* memory, device atomic_uint* finished) {{",
    .call = "thread_{}(own, finished);",
    .signed_number = "{}",
    .to_word = "uint({})",
    .to_signed = "int({})",
    .remainder = "{} % {}",
    .shift_count = "{}",
    .reg = "int {} = 0;",
    .unless = "if (!({})) {}",
    .violated = "atomic_fetch_or_explicit(finished, VIOLATED, memory_order_relaxed);",
    .add = "atomic_fetch_add_explicit(&{}, {}, memory_order_relaxed)",
    .subtract = "atomic_fetch_sub_explicit(&{}, {}, memory_order_relaxed)",
    .minimum = "atomic_fetch_min_explicit(&{}, {}, memory_order_relaxed)",
    .maximum = "atomic_fetch_max_explicit(&{}, {}, memory_order_relaxed)",
    .bit_and = "atomic_fetch_and_explicit(&{}, {}, memory_order_relaxed)",
    .bit_or = "atomic_fetch_or_explicit(&{}, {}, memory_order_relaxed)",
    .bit_xor = "atomic_fetch_xor_explicit(&{}, {}, memory_order_relaxed)",
    .compare_exchange = "compare_exchange(&{}, {}, {})",
    .compare_exchange_helper =
        R"(uint compare_exchange(device atomic_uint* word, uint expected, uint value) {
  uint found = expected;
  while (!atomic_compare_exchange_weak_explicit(word, &found, value, memory_order_relaxed,
                                                memory_order_relaxed)) {
    if (found != expected) break;
  }
  return found;
}
)",
};

// The same where threads are in groups.
constexpr Dialect metal_in_groups() {
  Dialect dialect = kMetal;
  dialect.cell = "t.memory[{}]";
  dialect.group_cell = "t.group_memory[{}]";
  dialect.violated = "atomic_fetch_or_explicit(t.finished, VIOLATED, memory_order_relaxed);";
  // An overload of the helper for memory of the device.
  dialect.group_compare_helper =
      R"(uint compare_exchange(threadgroup atomic_uint* word, uint expected, uint value) {
  uint found = expected;
  while (!atomic_compare_exchange_weak_explicit(word, &found, value, memory_order_relaxed,
                                                memory_order_relaxed)) {
    if (found != expected) break;
  }
  return found;
}
)";
  dialect.weak_compare = "weak_compare_exchange(&{}, {}, {})";
  dialect.weak_compare_helper =
      R"(template <class Word>
bool weak_compare_exchange(Word word, uint expected, uint value) {
  return atomic_compare_exchange_weak_explicit(word, &expected, value, memory_order_relaxed,
                                               memory_order_relaxed);
}
)";
  dialect.id = "t.{}";
  dialect.parameters = "Thread t";
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
  dialect.workgroup_barrier =
      "threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);";
  dialect.subgroup_barrier =
      "simdgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);";
  dialect.together = "together(t);";
  // What an operation gives is that of the threads that are active.
  dialect.operation_helper = R"(void together(Thread t) {
  const uint there = popcount((ulong)(simd_vote::vote_t)simd_active_threads_mask());
  if (there != SUBGROUP_SIZE) {
    atomic_fetch_or_explicit(t.finished, MISPLACED, memory_order_relaxed);
  }
}
)";
  dialect.operations = {
      "int subgroup_all(Thread, bool e) { return simd_all(e) ? 1 : 0; }\n",
      "int subgroup_any(Thread, bool e) { return simd_any(e) ? 1 : 0; }\n",
      "int subgroup_ballot(Thread, bool e) { return int((simd_vote::vote_t)simd_ballot(e)); }\n",
      R"(int subgroup_broadcast(Thread, int value, int lane) {
  return simd_broadcast(value, ushort(lane));
}
)",
      R"(int subgroup_shuffle(Thread, int value, int lane) {
  return simd_shuffle(value, ushort(lane));
}
)",
      R"(int subgroup_elect(Thread) {
  simdgroup_barrier(mem_flags::mem_none);
  return simd_is_first() ? 1 : 0;
}
)"};
  return dialect;
}

// As in GLSL: subgroups of the program are those of the device, or the first lanes of them.
std::string metal_subgroups(const Groups& groups) {
  const bool fill = groups.fill_subgroups();
  std::string text = fmt::format("  const uint used = simd_sum({});\n",
                                 fill ? "1u" : "simd_lane < SUBGROUP_SIZE ? 1u : 0u");
  text += R"(  if (simd_groups != WORKGROUP_SIZE / SUBGROUP_SIZE || used != SUBGROUP_SIZE) {
    atomic_fetch_or_explicit(finished, MISPLACED, memory_order_relaxed);
  }
  if ((atomic_load_explicit(finished, memory_order_relaxed) & PROBE) != 0u) return;
)";
  if (!fill) text += "  if (simd_lane >= SUBGROUP_SIZE) return;\n";
  return text + "  const uint lid = simd_group * SUBGROUP_SIZE + simd_lane;\n";
}

std::string metal_of_groups(const Kernel& kernel) {
  const Groups& groups = *kernel.groups;
  const bool placed = groups.needs_subgroups();
  const std::string size = placed ? fmt::format("{} simdgroups", groups.topology.subgroups())
                                  : std::to_string(groups.workgroup_size());
  std::vector<std::string> usage = {
      "xcrun metal FILE -o litmus.metallib compiles it.",
      fmt::format("Dispatch {} threadgroups of {}, with the memory and a word that is 0;",
                  kernel.launch.workgroups(), size),
      "the word counts the threads that finish."};
  if (placed) {
    for (std::string& line : placement(groups, groups.fill_subgroups())) {
      usage.push_back(std::move(line));
    }
  }
  std::string text = comment(kernel, "//", usage);
  text += "\n#include <metal_stdlib>\n\nusing namespace metal;\n\n";
  text += fmt::format("constant uint INSTANCES = {}u;\n", kernel.launch.instances);
  text += constants(kernel, kMetal);
  if (placed) text += subgroup_constants(kMetal);
  text += R"(
struct Thread {
  device atomic_uint* memory;             // of the instance
  threadgroup atomic_uint* group_memory;  // of the workgroup
  device atomic_uint* finished;
  int tid, gid, lid, sid, lane;
};

)";
  text += functions(kernel, metal_in_groups());
  text += R"(
kernel void litmus(device atomic_uint* memory [[buffer(0)]],
                   device atomic_uint* finished [[buffer(1)]],
                   uint group [[threadgroup_position_in_grid]],
)";
  text += placed ? R"(                   uint simd_group [[simdgroup_index_in_threadgroup]],
                   uint simd_groups [[simdgroups_per_threadgroup]],
                   uint simd_lane [[thread_index_in_simdgroup]]) {
)"
                 : "                   uint lid [[thread_position_in_threadgroup]]) {\n";
  text += find_place(kernel, kMetal);
  if (placed) text += metal_subgroups(groups);
  if (!groups.locations.empty()) {
    text += "  threadgroup atomic_uint group_memory[GROUP_LOCATIONS];\n  if (lid == 0u) {\n";
    for (std::size_t w = 0; w < groups.initial.size(); ++w) {
      text +=
          fmt::format("    atomic_store_explicit(&group_memory[{}], {}u, memory_order_relaxed);\n",
                      w, groups.initial[w]);
    }
    text += "  }\n  threadgroup_barrier(mem_flags::mem_threadgroup);\n";
  }
  text += "  Thread t;\n  t.memory = memory + instance * LOCATIONS;\n";
  text += fmt::format("  t.group_memory = {};\n",
                      groups.locations.empty() ? "nullptr" : "group_memory");
  text += R"(  t.finished = finished;
  t.tid = int(group_id * WORKGROUP_SIZE + lid);
  t.gid = int(group_id);
  t.lid = int(lid);
  t.sid = int(lid / SUBGROUP_SIZE);
  t.lane = int(lid % SUBGROUP_SIZE);
)";
  return text + kernel.body->call_blocks(kernel, metal_in_groups()) +
         "  atomic_fetch_add_explicit(finished, 1u, memory_order_relaxed);\n}\n";
}

}  // namespace

std::string emit_metal(const Kernel& kernel) {
  if (kernel.groups) return metal_of_groups(kernel);
  std::string text = comment(
      kernel, "//",
      {"xcrun metal FILE -o litmus.metallib compiles it.",
       fmt::format("Dispatch {} threadgroups of one thread, with the memory and a word that is 0;",
                   kernel.launch.workgroups()),
       "the word counts the workgroups that finish."});
  text += "\n#include <metal_stdlib>\n\nusing namespace metal;\n\n";
  text += fmt::format("constant uint INSTANCES = {}u;\n", kernel.launch.instances);
  text += constants(kernel, kMetal) + "\n" + functions(kernel, kMetal);
  text += R"(
kernel void litmus(device atomic_uint* memory [[buffer(0)]],
                   device atomic_uint* finished [[buffer(1)]],
                   uint group [[threadgroup_position_in_grid]]) {
)";
  text += find_place(kernel, kMetal);
  text += "  device atomic_uint* own = memory + instance * LOCATIONS;\n";
  text += call_thread(kernel, kMetal);
  return text + "}\n";
}

}  // namespace headway::emit
