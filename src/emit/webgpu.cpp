// WGSL, in which all atomics are relaxed and nothing orders accesses to different locations. What
// runs in a browser cannot be stopped from outside: browsers and drivers that end a kernel take the
// device away, and after a few times for good. So these threads give up by themselves.
#include <fmt/format.h>

#include "emit/emit.hpp"
#include "emit/text.hpp"

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
  var old = expected;
  loop {
    let result = atomicCompareExchangeWeak(&memory[word], expected, value);
    old = result.old_value;
    if result.exchanged || old != expected { break; }
  }
  return old;
}
)",
};

// The same where threads are in groups. A thread that gives up leaves all of its loops and goes on
// to its end, so that the others of its workgroup do not wait for it at a barrier; what it does on
// the way does not count. Ids are parameters, as WGSL knows of those alone that they are uniform.
constexpr Dialect wgsl_in_groups() {
  Dialect dialect = kWgsl;
  dialect.group_cell = "group_memory[{}]";
  dialect.watch = "if gives_up() { break; }";
  dialect.violated = "if !stopped && atomicLoad(&gave_up) == 0u { atomicOr(&finished, VIOLATED); }";
  dialect.group_compare = "group_compare_exchange({3}, {1}, {2})";
  dialect.group_compare_helper =
      R"(fn group_compare_exchange(word: u32, expected: u32, value: u32) -> u32 {
  var old = expected;
  loop {
    let result = atomicCompareExchangeWeak(&group_memory[word], expected, value);
    old = result.old_value;
    if result.exchanged || old != expected { break; }
  }
  return old;
}
)";
  dialect.weak_compare = "atomicCompareExchangeWeak(&{}, {}, {}).exchanged";
  dialect.id = "{}";
  dialect.parameters = "tid: i32, gid: i32, lid: i32, sid: i32, lane: i32";
  dialect.arguments = "tid, gid, lid, sid, lane";
  dialect.parameter = "{}: i32";
  dialect.function_void = "fn {}({}) {{";
  dialect.function_value = "fn {}({}) -> i32 {{";
  dialect.temporary = "let {} = {};";
  dialect.array = "var {}: array<i32, {}>;";
  dialect.cases_begin = "case {}: {{";
  dialect.case_label = "{}";
  dialect.default_label = "default";
  dialect.case_separator = ", ";
  dialect.workgroup_barrier = "storageBarrier(); workgroupBarrier();";
  dialect.together = "together();";
  // What an operation gives is that of the threads that are active.
  dialect.operation_helper = R"(fn ones(bits: vec4<u32>) -> u32 {
  let counts = countOneBits(bits);
  return counts.x + counts.y + counts.z + counts.w;
}

fn together() {
  if ones(subgroupBallot(true)) != SUBGROUP_SIZE && !stopped && atomicLoad(&gave_up) == 0u {
    atomicOr(&finished, MISPLACED);
  }
}
)";
  dialect.operations = {
      R"(fn subgroup_all(tid: i32, gid: i32, lid: i32, sid: i32, lane: i32, e: bool) -> i32 {
  return select(0i, 1i, subgroupAll(e));
}
)",
      R"(fn subgroup_any(tid: i32, gid: i32, lid: i32, sid: i32, lane: i32, e: bool) -> i32 {
  return select(0i, 1i, subgroupAny(e));
}
)",
      R"(fn subgroup_ballot(tid: i32, gid: i32, lid: i32, sid: i32, lane: i32, e: bool) -> i32 {
  return bitcast<i32>(subgroupBallot(e).x);
}
)",
      // The lane of subgroupBroadcast would have to be a constant here.
      R"(fn subgroup_broadcast(tid: i32, gid: i32, lid: i32, sid: i32, lane: i32, value: i32,
                      asked: i32) -> i32 {
  return subgroupShuffle(value, bitcast<u32>(asked));
}
)",
      R"(fn subgroup_shuffle(tid: i32, gid: i32, lid: i32, sid: i32, lane: i32, value: i32,
                    asked: i32) -> i32 {
  return subgroupShuffle(value, bitcast<u32>(asked));
}
)",
      R"(fn subgroup_elect(tid: i32, gid: i32, lid: i32, sid: i32, lane: i32) -> i32 {
  return select(0i, 1i, subgroupElect());
}
)"};
  return dialect;
}

// As in GLSL: subgroups of the program are those of the device, or the first lanes of them. Not all
// browsers know the id of a subgroup, so that its threads agree on one. PROBE is an override here,
// as barriers have to stand where the compiler sees that all threads come by.
std::string wgsl_subgroups(const Groups& groups) {
  const bool fill = groups.fill_subgroups();
  std::string text = R"(  let subgroup = local_index / subgroup_size;
)";
  text += fmt::format("  let used = subgroupBallot({});\n",
                      fill ? "true" : "subgroup_lane < SUBGROUP_SIZE");
  text += R"(  if subgroup_lane != local_index % subgroup_size ||
      subgroupBroadcastFirst(subgroup) != subgroup || ones(used) != SUBGROUP_SIZE ||
      LOCAL_SIZE / subgroup_size != WORKGROUP_SIZE / SUBGROUP_SIZE {
    atomicOr(&finished, MISPLACED);
  }
)";
  text += "  if PROBE { return; }\n";
  if (!fill) text += "  if subgroup_lane >= SUBGROUP_SIZE { return; }\n";
  return text + "  let local_id = subgroup * SUBGROUP_SIZE + subgroup_lane;\n";
}

std::string wgsl_of_groups(const Kernel& kernel) {
  const Groups& groups = *kernel.groups;
  const bool placed = groups.needs_subgroups();
  std::vector<std::string> usage = {
      fmt::format("Dispatch {} workgroups with the memory and two words that are 0;",
                  kernel.launch.workgroups()),
      "one counts the threads that finish, the other becomes 1 when a thread gives up",
      "because it has been STEP_LIMIT times round a loop. Then all others give up."};
  if (placed) {
    usage.push_back(fmt::format("LOCAL_SIZE is {} times the size of the device's subgroups, which",
                                groups.topology.subgroups()));
    usage.push_back(fmt::format("need to have {} {} threads. A launch with PROBE asks whether they",
                                groups.fill_subgroups() ? "exactly" : "at least",
                                groups.topology.subgroup_threads()));
    usage.push_back(
        fmt::format("are right, and runs nothing; if not it adds {} to the first", kMisplaced));
    usage.emplace_back(
        "word, as does an operation that not all threads of a subgroup take part in.");
  }
  std::string text = comment(kernel, "//", usage);
  if (placed) text += "\ndiagnostic(off, subgroup_uniformity);\nenable subgroups;\n";
  text += fmt::format("\noverride INSTANCES: u32 = {}u;\n", kernel.launch.instances);
  text += "override STEP_LIMIT: u32 = 4294967295u;\n";
  text += constants(kernel, kWgsl);
  if (placed) {
    text += fmt::format("override LOCAL_SIZE: u32 = {}u;\noverride PROBE: bool = false;\n",
                        groups.workgroup_size());
    text += write(kWgsl.constant, "MISPLACED", write(kWgsl.number, kMisplaced)) + "\n";
  }
  text += R"(
@group(0) @binding(0) var<storage, read_write> memory: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> finished: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> gave_up: atomic<u32>;
)";
  if (!groups.locations.empty()) {
    text += "var<workgroup> group_memory: array<atomic<u32>, GROUP_LOCATIONS>;\n";
  }
  text += R"(
var<private> base: u32;
var<private> steps: u32;
var<private> stopped: bool;

fn gives_up() -> bool {
  if stopped { return true; }
  steps++;
  if steps == STEP_LIMIT {
    atomicStore(&gave_up, 1u);
    stopped = true;
  } else if steps % 1024u == 0u && atomicLoad(&gave_up) != 0u {
    stopped = true;
  }
  return stopped;
}

)";
  text += functions(kernel, wgsl_in_groups());
  text += placed ? R"(
@compute @workgroup_size(LOCAL_SIZE)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>,
        @builtin(local_invocation_index) local_index: u32,
        @builtin(subgroup_invocation_id) subgroup_lane: u32,
        @builtin(subgroup_size) subgroup_size: u32) {
  let group = workgroup_id.x;
)"
                 : R"(
@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>,
        @builtin(local_invocation_index) local_id: u32) {
  let group = workgroup_id.x;
)";
  text += find_place(kernel, kWgsl);
  if (placed) text += wgsl_subgroups(groups);
  if (!groups.locations.empty()) {
    text += "  if local_id == 0u {\n";
    for (std::size_t w = 0; w < groups.initial.size(); ++w) {
      text += fmt::format("    atomicStore(&group_memory[{}], {}u);\n", w, groups.initial[w]);
    }
    text += "  }\n  workgroupBarrier();\n";
  }
  text += R"(  base = instance * LOCATIONS;
  let gid = i32(group_id);
  let lid = i32(local_id);
  let sid = i32(local_id / SUBGROUP_SIZE);
  let lane = i32(local_id % SUBGROUP_SIZE);
  let tid = i32(group_id * WORKGROUP_SIZE + local_id);
)";
  text += kernel.body->call_blocks(kernel, wgsl_in_groups());
  // A page binds all buffers, so the shader has to name them.
  text += "  _ = &memory;\n  _ = &gave_up;\n";
  return text + "  if !stopped { atomicAdd(&finished, 1u); }\n}\n";
}

}  // namespace

std::string emit_webgpu(const Kernel& kernel) {
  if (kernel.groups) return wgsl_of_groups(kernel);
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
