// WGSL, in which all atomics are relaxed and nothing orders accesses to different locations. What
// runs in a browser cannot be stopped from outside: browsers and drivers that end a kernel take the
// device away, and after a few times for good. So these threads give up by themselves.
#include <fmt/format.h>

#include "emit/emit.hpp"

namespace headway::emit {
namespace {

constexpr Dialect kWgsl = {
    .number = "{}u",
    .constant = "const {} = {};",
    .value = "let {} = {};",
    .condition = "let {} = {};",
    .pc = "var pc = 0u;",
    .loop = "loop {",
    .choice = "switch {} {{",
    .case_begin = "case {}: {{",
    .case_end = "}",
    .default_begin = "default: {",
    .default_end = "}",
    .select = "select({2}, {1}, {0})",
    .cell = "memory[base + {}]",
    .load = "atomicLoad(&{})",
    .load_rmw = "atomicOr(&{}, 0u)",
    .exchange = "atomicExchange(&{}, {})",
    .store = "atomicStore(&{}, {});",
    .fence = "",
    .watch = "if gives_up() { return; }",
    .finish = "atomicAdd(&finished, 1u);",
    .function = "fn thread_{}(base: u32) {{",
    .call = "thread_{}(base);",
    .signed_number = "{}i",
    .to_word = "bitcast<u32>({})",
    .to_signed = "bitcast<i32>({})",
    .remainder = "{} % {}",
    .shift_count = "bitcast<u32>({})",
    .reg = "var {} = 0i;",
    .unless = "if !({}) {{ {} }}",
    .violated = "atomicOr(&finished, VIOLATED);",
    .add = "atomicAdd(&{}, {})",
    .subtract = "atomicSub(&{}, {})",
    .minimum = "atomicMin(&{}, {})",
    .maximum = "atomicMax(&{}, {})",
    .bit_and = "atomicAnd(&{}, {})",
    .bit_or = "atomicOr(&{}, {})",
    .bit_xor = "atomicXor(&{}, {})",
    .compare_exchange = "compare_exchange(base + {3}, {1}, {2})",
    .compare_exchange_helper =
        R"(fn compare_exchange(word: u32, expected: u32, value: u32) -> u32 {
  loop {
    let result = atomicCompareExchangeWeak(&memory[word], expected, value);
    if result.exchanged || result.old_value != expected { return result.old_value; }
  }
}
)",
};

}  // namespace

std::string emit_webgpu(const Kernel& kernel) {
  std::string text =
      comment(kernel, "//",
              {fmt::format("Dispatch {} workgroups with the memory and two words that are 0;",
                           kernel.launch.workgroups()),
               "one counts the workgroups that finish, the other becomes 1 when a thread",
               "gives up because it has made STEP_LIMIT steps. Then all others give up."});
  text += fmt::format("\noverride INSTANCES: u32 = {}u;\n", kernel.launch.instances);
  text += "override STEP_LIMIT: u32 = 4294967295u;\n";
  text += constants(kernel, kWgsl);
  text += R"(
@group(0) @binding(0) var<storage, read_write> memory: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> finished: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> gave_up: atomic<u32>;

var<private> steps: u32;

fn gives_up() -> bool {
  steps++;
  if steps == STEP_LIMIT {
    atomicStore(&gave_up, 1u);
    return true;
  }
  return steps % 1024u == 0u && atomicLoad(&gave_up) != 0u;
}

)";
  text += functions(kernel, kWgsl);
  text += R"(
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>) {
  let group = workgroup_id.x;
)";
  text += find_place(kernel, kWgsl);
  text += "  let base = instance * LOCATIONS;\n";
  text += call_thread(kernel, kWgsl);
  return text + "}\n";
}

}  // namespace headway::emit
