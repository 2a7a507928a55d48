// What reading a shader costs: a module of about a thousand instructions, as words and as text.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "kernel/spirv/reader.hpp"
#include "kernel/spirv/tools.hpp"

namespace headway {
namespace {

// Each of its steps loads, computes, stores and branches: a block of eight instructions.
std::string shader_text(int steps) {
  std::string text = R"(; Version: 1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 4 1 1
OpDecorate %words ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%to_block = OpTypePointer StorageBuffer %block
%to_uint = OpTypePointer StorageBuffer %uint
%to_local = OpTypePointer Function %uint
%buffer = OpVariable %to_block StorageBuffer
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%main = OpFunction %void None %function
%start = OpLabel
%sum = OpVariable %to_local Function
OpStore %sum %c0
)";
  for (int i = 0; i < steps; ++i) {
    const std::string n = std::to_string(i);
    text += "%s" + n + " = OpLoad %uint %sum\n%p" + n + " = OpAccessChain %to_uint %buffer %c0 %s" +
            n + "\n%v" + n + " = OpLoad %uint %p" + n + "\n%t" + n + " = OpIAdd %uint %s" + n +
            " %v" + n + "\nOpStore %sum %t" + n + "\n%b" + n + " = OpULessThan %bool %t" + n +
            " %c1\nOpSelectionMerge %m" + n + " None\nOpBranchConditional %b" + n + " %i" + n +
            " %m" + n + "\n%i" + n + " = OpLabel\nOpStore %p" + n + " %c1\nOpBranch %m" + n +
            "\n%m" + n + " = OpLabel\n";
  }
  return text + "OpReturn\nOpFunctionEnd\n";
}

std::string shader_words(const std::string& text) {
  const kernel::spirv::Words read = kernel::spirv::read_words(text, "bench.spvasm");
  std::vector<std::uint32_t> all = {0x07230203, read.version, 0, 100'000, 0};
  all.insert(all.end(), read.words.begin(), read.words.end());
  std::string result(all.size() * 4, '\0');
  std::memcpy(result.data(), all.data(), result.size());
  return result;
}

constexpr int kSteps = 80;  // 985 instructions

void read_shader(benchmark::State& state, bool as_words) {
  const std::string text = shader_text(kSteps);
  const std::string content = as_words ? shader_words(text) : text;
  for (auto _ : state) {
    const kernel::Module module = kernel::spirv::read_module(content, "bench.spv");
    if (!module.functions.front().unsupported.empty()) state.SkipWithError("not understood");
    benchmark::DoNotOptimize(module.functions.size());
  }
}
BENCHMARK_CAPTURE(read_shader, words, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_shader, text, false)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headway

BENCHMARK_MAIN();
