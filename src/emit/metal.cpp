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

}  // namespace

std::string emit_metal(const Kernel& kernel) {
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
