// GLSL for Vulkan.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "emit/emit.hpp"

namespace headway::emit {
namespace {

// GLSL 4.50 has atomic loads by an extension of the language, which no device has to know of: in
// SPIR-V they have always been there. Its % is undefined for negative numbers.
constexpr Dialect kGlsl = {
    .number = "{}u",
    .constant = "const uint {} = {};",
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
    .cell = "memory[base + {}]",
    .load = "atomicLoad({}, gl_ScopeDevice, 0, 0)",
    .load_rmw = "atomicOr({}, 0u)",
    .exchange = "atomicExchange({}, {})",
    .store = "atomicExchange({}, {});",
    .fence = "memoryBarrierBuffer();",
    .watch = "",
    .finish = "atomicAdd(finished, 1u);",
    .function = "void thread_{}(uint base) {{",
    .call = "thread_{}(base);",
    .signed_number = "{}",
    .to_word = "uint({})",
    .to_signed = "int({})",
    .remainder = "{0} - {0} / {1} * {1}",
    .shift_count = "{}",
    .reg = "int {} = 0;",
    .unless = "if (!({})) {}",
    .violated = "atomicOr(finished, VIOLATED);",
    .add = "atomicAdd({}, {})",
    .subtract = "atomicAdd({}, -{})",
    .minimum = "atomicMin({}, {})",
    .maximum = "atomicMax({}, {})",
    .bit_and = "atomicAnd({}, {})",
    .bit_or = "atomicOr({}, {})",
    .bit_xor = "atomicXor({}, {})",
    .compare_exchange = "atomicCompSwap({}, {}, {})",
};

// What an operation gives is that of the threads that are active, and nothing says that those who
// have come by together still are.
constexpr std::string_view kTogether = R"(void together() {
  const uint there = subgroupBallotBitCount(subgroupBallot(true));
  if (there != SUBGROUP_SIZE) atomicOr(finished, MISPLACED);
}
)";

constexpr std::array<std::string_view, kOperations> kOperationsOfGlsl = {
    "int subgroup_all(bool e) { return subgroupAll(e) ? 1 : 0; }\n",
    "int subgroup_any(bool e) { return subgroupAny(e) ? 1 : 0; }\n",
    "int subgroup_ballot(bool e) { return int(subgroupBallot(e).x); }\n",
    // The lane has to be a constant where it is used.
    "#define subgroup_broadcast(value, lane) subgroupBroadcast(value, uint(lane))\n",
    "int subgroup_shuffle(int value, int lane) { return subgroupShuffle(value, uint(lane)); }\n",
    R"(int subgroup_elect() {
  subgroupBarrier();
  return subgroupElect() ? 1 : 0;
}
)"};

// The same where threads are in groups.
Dialect glsl_in_groups(const Groups& groups) {
  Dialect dialect = kGlsl;
  dialect.group_cell = "group_memory[{}]";
  dialect.group_load = "atomicLoad({}, gl_ScopeWorkgroup, 0, 0)";
  if (!groups.locations.empty()) dialect.fence = "memoryBarrier();";
  dialect.id = "{}";
  dialect.parameter = "int {}";
  dialect.function_void = "void {}({}) {{";
  dialect.function_value = "int {}({}) {{";
  dialect.temporary = "const int {} = {};";
  dialect.array = "int {}[{}];";
  dialect.cases_begin = "{} {{";
  dialect.case_label = "case {}:";
  dialect.default_label = "default:";
  dialect.case_separator = " ";
  dialect.workgroup_barrier = "barrier();";
  dialect.subgroup_barrier = "subgroupBarrier();";
  dialect.leaves_loops = true;
  dialect.together = "together();";
  dialect.operation_helper = kTogether;
  dialect.operations = kOperationsOfGlsl;
  return dialect;
}

std::string version(const Kernel& kernel) {
  std::string text = "#version 450\n";
  const auto require = [&](bool needed, std::string_view extension) {
    if (needed) text += fmt::format("#extension GL_KHR_{} : require\n", extension);
  };
  require(kernel.options.loads == Loads::relaxed, "memory_scope_semantics");
  if (!kernel.groups || !kernel.groups->needs_subgroups()) return text;
  const Groups& groups = *kernel.groups;
  require(true, "shader_subgroup_basic");
  require(true, "shader_subgroup_ballot");
  require(groups.operates(OperationUse::Kind::all) || groups.operates(OperationUse::Kind::any),
          "shader_subgroup_vote");
  require(groups.operates(OperationUse::Kind::shuffle), "shader_subgroup_shuffle");
  return text;
}

// Subgroups of the program are those of the device, or the first lanes of them. Whether they are is
// asked in front of the runs, as a thread that finds out too late leaves others that wait for it.
std::string find_subgroups(const Groups& groups) {
  const bool fill = groups.fill_subgroups();
  std::string text = fmt::format("  const uvec4 used = subgroupBallot({});\n",
                                 fill ? "true" : "gl_SubgroupInvocationID < SUBGROUP_SIZE");
  text += R"(  if (gl_NumSubgroups != WORKGROUP_SIZE / SUBGROUP_SIZE ||
      subgroupBallotBitCount(used) != SUBGROUP_SIZE) {
    atomicOr(finished, MISPLACED);
  }
  if ((atomicOr(finished, 0u) & PROBE) != 0u) return;
)";
  if (!fill) text += "  if (gl_SubgroupInvocationID >= SUBGROUP_SIZE) return;\n";
  return text;
}

// A thread whose loop the driver has left for it ends at once, and says so.
std::string grouped_shader(const Kernel& kernel) {
  const Groups& groups = *kernel.groups;
  const Dialect dialect = glsl_in_groups(groups);
  const bool placed = groups.needs_subgroups();
  std::string text = fmt::format("layout(local_size_x = {}{}) in;\n\n", groups.workgroup_size(),
                                 placed ? ", local_size_x_id = 1" : "");
  text +=
      fmt::format("layout(constant_id = 0) const uint INSTANCES = {}u;\n", kernel.launch.instances);
  text += constants(kernel, dialect);
  text += fmt::format("const uint CUT_SHORT = {}u;\n", kCutShort);
  if (placed) text += subgroup_constants(dialect);
  text += R"(
layout(std430, set = 0, binding = 0) coherent buffer Memory { uint memory[]; };
layout(std430, set = 0, binding = 1) coherent buffer Finished { uint finished; };
)";
  if (!groups.locations.empty()) text += "shared uint group_memory[GROUP_LOCATIONS];\n";
  text += R"(
uint base;
int tid, gid, lid, sid, lane;
bool cut_short = false;

)";
  text += functions(kernel, dialect);
  text += R"(
void main() {
  const uint group = gl_WorkGroupID.x;
)";
  text += find_place(kernel, dialect);
  if (!groups.locations.empty()) {
    text += "  if (gl_LocalInvocationIndex == 0u) {\n";
    for (std::size_t w = 0; w < groups.initial.size(); ++w) {
      text += fmt::format("    group_memory[{}] = {}u;\n", w, groups.initial[w]);
    }
    text += "  }\n  memoryBarrierShared();\n  barrier();\n";
  }
  if (placed) text += find_subgroups(groups);
  text += "  base = instance * LOCATIONS;\n  gid = int(group_id);\n";
  text += placed ? "  lid = int(gl_SubgroupID * SUBGROUP_SIZE + gl_SubgroupInvocationID);\n"
                 : "  lid = int(gl_LocalInvocationIndex);\n";
  text += R"(  sid = lid / int(SUBGROUP_SIZE);
  lane = lid % int(SUBGROUP_SIZE);
  tid = gid * int(WORKGROUP_SIZE) + lid;
)";
  text += kernel.body->call_blocks(kernel, dialect);
  return text + R"(  if (cut_short) {
    atomicOr(finished, CUT_SHORT);
  } else {
    atomicAdd(finished, 1u);
  }
}
)";
}

std::string shader(const Kernel& kernel) {
  if (kernel.groups) return grouped_shader(kernel);
  std::string text = "layout(local_size_x = 1) in;\n\n";
  text +=
      fmt::format("layout(constant_id = 0) const uint INSTANCES = {}u;\n", kernel.launch.instances);
  text += constants(kernel, kGlsl);
  text += R"(
layout(std430, set = 0, binding = 0) coherent buffer Memory { uint memory[]; };
layout(std430, set = 0, binding = 1) coherent buffer Finished { uint finished; };

)";
  text += functions(kernel, kGlsl);
  text += R"(
void main() {
  const uint group = gl_WorkGroupID.x;
)";
  text += find_place(kernel, kGlsl);
  text += "  const uint base = instance * LOCATIONS;\n";
  text += call_thread(kernel, kGlsl);
  return text + "}\n";
}

std::string memory_buffer(const Kernel& kernel) {
  const std::vector<std::uint32_t> words = initial_memory(kernel);
  if (std::all_of(words.begin(), words.end(), [](std::uint32_t word) { return word == 0; })) {
    return fmt::format("BUFFER memory DATA_TYPE uint32 SIZE {} FILL 0\n", words.size());
  }
  std::string text = "BUFFER memory DATA_TYPE uint32 DATA";
  for (std::size_t w = 0; w < words.size(); ++w) {
    text += fmt::format("{}{}", w % kernel.initial.size() == 0 ? "\n  " : " ", words[w]);
  }
  return text + "\nEND\n";
}

std::vector<std::string> usage(const Kernel& kernel) {
  const bool placed = kernel.groups && kernel.groups->needs_subgroups();
  std::vector<std::string> lines = {
      fmt::format("glslangValidator -V {}FILE -o litmus.spv compiles it.",
                  placed ? "--target-env vulkan1.1 " : ""),
      fmt::format("Dispatch {} workgroups with the memory and a word that is 0;",
                  kernel.launch.workgroups()),
      fmt::format("the word counts the {} that finish.", kernel.groups ? "threads" : "workgroups")};
  if (!placed) return lines;
  const Groups& groups = *kernel.groups;
  for (std::string& line : placement(groups, groups.fill_subgroups()))
    lines.push_back(std::move(line));
  lines.push_back(fmt::format("Specialization constant 1 is the size of a workgroup: {} subgroups.",
                              groups.topology.subgroups()));
  return lines;
}

}  // namespace

std::string emit_vulkan(const Kernel& kernel) {
  return std::string(version(kernel)) + "\n" + comment(kernel, "//", usage(kernel)) + "\n" +
         shader(kernel);
}

std::string emit_amber(const Kernel& kernel) {
  std::string text = "#!amber\n\n" + comment(kernel, "#",
                                             {"amber FILE runs it. It passes when all workgroups "
                                              "finish within five seconds."});
  text += "\nSET ENGINE_DATA fence_timeout_ms 5000\n\nSHADER compute litmus GLSL\n";
  text += version(kernel);
  text += shader(kernel);
  text += "END\n\n" + memory_buffer(kernel);
  text += fmt::format(R"(BUFFER finished DATA_TYPE uint32 SIZE 1 FILL 0

PIPELINE compute pipeline
  ATTACH litmus
  BIND BUFFER memory AS storage DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER finished AS storage DESCRIPTOR_SET 0 BINDING 1
END

RUN pipeline {0} 1 1
EXPECT finished IDX 0 EQ {1}
)",
                      kernel.launch.workgroups(), kernel.threads());
  return text;
}

}  // namespace headway::emit
