// Modules of SPIR-V become the kernel IR that they mean, or are refused with what is not
// understood.
#include <doctest/doctest.h>

#include "kernel/test/sources.hpp"

#ifdef HEADWAY_SPIRV
#include <cstring>

#include "kernel/ir/well_formed.hpp"
#include "kernel/spirv/reader.hpp"
#include "kernel/test/analysis.hpp"
#include "support/errors.hpp"
#include "support/spirv_modules.hpp"

using namespace headway::kernel;
using headway::testing::complaint_of;
using headway::testing::contains;
using headway::testing::faults_of;
using headway::testing::refusal_of;

namespace {

constexpr const char* kHead = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 2 1 1
OpName %buffer "buffer"
OpDecorate %words ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block BufferBlock
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
OpDecorate %id BuiltIn LocalInvocationId
%void = OpTypeVoid
%function = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%uint3 = OpTypeVector %uint 3
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%to_block = OpTypePointer Uniform %block
%to_uint = OpTypePointer Uniform %uint
%to_input = OpTypePointer Input %uint3
%to_shared = OpTypePointer Workgroup %uint
%buffer = OpVariable %to_block Uniform
%id = OpVariable %to_input Input
%shared = OpVariable %to_shared Workgroup
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c2 = OpConstant %uint 2
%c31 = OpConstant %uint 31
%c264 = OpConstant %uint 264
%c72 = OpConstant %uint 72
)";

// A shader that does `body` to %place, word 0 of its buffer, with %x, the id of its thread.
std::string shader(const std::string& body, const std::string& more = "",
                   const std::string& before = "") {
  return before + kHead + more +
         "%main = OpFunction %void None %function\n%start = OpLabel\n"
         "%ids = OpLoad %uint3 %id\n%x = OpCompositeExtract %uint %ids 0\n"
         "%place = OpAccessChain %to_uint %buffer %c0 %c0\n"
         "%own = OpAccessChain %to_uint %buffer %c0 %x\n" +
         body + "OpReturn\nOpFunctionEnd\n";
}

Module module_of(const std::string& text) { return spirv::read_module(text, "test.spvasm"); }

// The module of a text as words, each turned around if asked for.
std::string words_of(const std::vector<std::uint32_t>& words, bool swapped) {
  std::string result;
  for (std::uint32_t word : words) {
    if (swapped) word = __builtin_bswap32(word);
    char bytes[4];
    std::memcpy(bytes, &word, 4);
    result.append(bytes, 4);
  }
  return result;
}

// OpCapability Shader, OpMemoryModel Logical GLSL450, an empty compute shader "main" of 1,1,1.
const std::vector<std::uint32_t> kSmallest = {
    0x07230203, 0x00010000, 0, 5,          0,         0x00020011, 1,          0x0003000e, 0, 1,
    0x0005000f, 5,          1, 0x6e69616d, 0,         0x00060010, 1,          17,         1, 1,
    1,          0x00020013, 2, 0x00030021, 3,         2,          0x00050036, 2,          1, 0,
    3,          0x000200f8, 4, 0x000100fd, 0x00010038};

}  // namespace

TEST_CASE("kernel/spirv/reader: a barrier orders what its semantics name, and nothing else") {
  const auto text = [](const char* semantics) {
    return shader("OpStore %own %x\nOpControlBarrier %c2 %c2 " + std::string(semantics) +
                  "\n%y = OpBitwiseXor %uint %x %c1\n"
                  "%other = OpAccessChain %to_uint %buffer %c0 %y\n%v = OpLoad %uint %other\n");
  };
  CHECK(faults_of(text("%c72")) == "");       // AcquireRelease of UniformMemory
  CHECK(faults_of(text("%c264")) == "race");  // of WorkgroupMemory
  CHECK(faults_of(text("%c0")) == "race");
}

TEST_CASE("kernel/spirv/reader: plain accesses race, with each other and with atomic ones") {
  CHECK(faults_of(shader("OpStore %place %x\n")) == "race");
  CHECK(faults_of(shader("%v = OpAtomicIAdd %uint %place %c1 %c0 %x\n")) == "");
  CHECK(faults_of(shader(
            "%v = OpAtomicIAdd %uint %place %c1 %c0 %x\n%w = OpLoad %uint %place\n")) == "race");
  // The scope of a workgroup is not enough for two.
  const std::string narrow = shader("%v = OpAtomicIAdd %uint %place %c2 %c0 %x\n");
  CHECK(faults_of(narrow) == "");
  CHECK(faults_of(narrow, {2, 1, 1}) == "race");
}

TEST_CASE("kernel/spirv/reader: a release orders the memory that its semantics name") {
  // Thread 0 writes word 2 and raises the flag, thread 1 looks at it once.
  const auto text = [](const char* release, const char* acquire) {
    return shader(
        "%first = OpIEqual %bool %x %c0\n"
        "%data = OpAccessChain %to_uint %buffer %c0 %c2\n"
        "OpSelectionMerge %end None\nOpBranchConditional %first %then %else\n"
        "%then = OpLabel\nOpStore %data %c1\nOpAtomicStore %place %c1 " +
            std::string(release) +
            " %c1\nOpBranch %end\n"
            "%else = OpLabel\n%f = OpAtomicLoad %uint %place %c1 " +
            std::string(acquire) +
            "\n%raised = OpIEqual %bool %f %c1\nOpSelectionMerge %out None\n"
            "OpBranchConditional %raised %read %out\n%read = OpLabel\n%v = OpLoad %uint %data\n"
            "OpBranch %out\n%out = OpLabel\nOpBranch %end\n%end = OpLabel\n",
        "%release = OpConstant %uint 68\n%acquire = OpConstant %uint 66\n"
        "%release_shared = OpConstant %uint 260\n");
  };
  CHECK(faults_of(text("%release", "%acquire")) == "");
  CHECK(faults_of(text("%c0", "%acquire")) == "race");
  CHECK(faults_of(text("%release", "%c0")) == "race");
  CHECK(faults_of(text("%release_shared", "%acquire")) == "race");
}

TEST_CASE("kernel/spirv/reader: a compare and exchange orders as it succeeds, or as it does not") {
  // Thread 1 acquires the flag by an exchange that fails: only the second semantics count.
  const auto text = [](const char* unequal) {
    return shader(
        "%first = OpIEqual %bool %x %c0\n"
        "%data = OpAccessChain %to_uint %buffer %c0 %c2\n"
        "OpSelectionMerge %end None\nOpBranchConditional %first %then %else\n"
        "%then = OpLabel\nOpStore %data %c1\nOpAtomicStore %place %c1 %release %c1\n"
        "OpBranch %end\n"
        "%else = OpLabel\n%f = OpAtomicCompareExchange %uint %place %c1 %acquire " +
            std::string(unequal) +
            " %c31 %c31\n%raised = OpIEqual %bool %f %c1\nOpSelectionMerge %out None\n"
            "OpBranchConditional %raised %read %out\n%read = OpLabel\n%v = OpLoad %uint %data\n"
            "OpBranch %out\n%out = OpLabel\nOpBranch %end\n%end = OpLabel\n",
        "%release = OpConstant %uint 68\n%acquire = OpConstant %uint 66\n");
  };
  CHECK(faults_of(text("%acquire")) == "");
  CHECK(faults_of(text("%c0")) == "race");
}

TEST_CASE("kernel/spirv/reader: Vulkan's memory model orders accesses that are not private alone") {
  const auto text = [](const char* write, const char* read) {
    std::string all =
        shader("OpStore %own %x " + std::string(write) +
                   "\nOpControlBarrier %c2 %c2 %all\n%y = OpBitwiseXor %uint %x %c1\n"
                   "%other = OpAccessChain %to_uint %buffer %c0 %y\n%v = OpLoad %uint %other " +
                   read + "\n",
               "%all = OpConstant %uint 24648\n");  // with MakeAvailable and MakeVisible
    all.replace(all.find("OpMemoryModel Logical GLSL450"), 29,
                "OpCapability VulkanMemoryModelKHR\nOpExtension \"SPV_KHR_vulkan_memory_model\"\n"
                "OpMemoryModel Logical VulkanKHR");
    return all;
  };
  CHECK(faults_of(text("NonPrivatePointerKHR", "NonPrivatePointerKHR")) == "");
  CHECK(faults_of(text("", "NonPrivatePointerKHR")) == "race");
  CHECK(faults_of(text("NonPrivatePointerKHR", "")) == "race");
  std::string unavailable = text("NonPrivatePointerKHR", "NonPrivatePointerKHR");
  unavailable.replace(unavailable.find("24648"), 5, "72");
  CHECK(contains(refusal_of(unavailable), "makes nothing available"));
}

TEST_CASE("kernel/spirv/reader: operations on integers are exact") {
  // Each gives 31 of known operands; where not, a division by zero says so. Vulkan does not say
  // what the last one gives.
  const char* const negative = "OpSMod %uint %minus_one %thirtytwo";
  const char* const operations[] = {
      "OpBitFieldUExtract %uint %packed %c1 %five",
      "OpExtInst %uint %glsl FindUMsb %top",
      "OpExtInst %uint %glsl FindILsb %top",
      "OpExtInst %uint %glsl UClamp %top %c0 %c31",
      "OpExtInst %uint %glsl UMax %c1 %c31",
      "OpBitFieldInsert %uint %c1 %c31 %c0 %five",
      "OpUMod %uint %sixtythree %thirtytwo",
      "OpSMod %uint %sixtythree %thirtytwo",
      "OpBitReverse %uint %reversed",
      "OpShiftRightLogical %uint %sixtythree %c1",
      "OpBitCount %uint %reversed31",
      negative,
  };
  for (const char* operation : operations) {
    CAPTURE(operation);
    const std::string constants =
        "%packed = OpConstant %uint 4294967102\n%five = OpConstant %uint 5\n"
        "%top = OpConstant %uint 2147483648\n%sixtythree = OpConstant %uint 63\n"
        "%thirtytwo = OpConstant %uint 32\n%minus_one = OpConstant %uint 4294967295\n"
        "%reversed = OpConstant %uint 4160749568\n%reversed31 = OpConstant %uint 4294967294\n";
    std::string text = shader("%r = " + std::string(operation) +
                                  "\n%d = OpISub %uint %r %c31\n%z = OpIEqual %bool %d %c0\n"
                                  "%n = OpSelect %uint %z %c1 %c0\n%q = OpUDiv %uint %c1 %n\n"
                                  "OpStore %own %q\n",
                              constants);
    text.replace(text.find("OpMemoryModel"), 0, "%glsl = OpExtInstImport \"GLSL.std.450\"\n");
    CHECK((faults_of(text) == "") == (operation != negative));
  }
}

TEST_CASE("kernel/spirv/reader: variables of a thread become values, and calls the functions") {
  const std::string text = shader(
      "%sum = OpFunctionCall %uint %add %x %c1\nOpStore %own %sum\n",
      "%to_local = OpTypePointer Function %uint\n%adds = OpTypeFunction %uint %uint %uint\n");
  const std::string callee =
      "%add = OpFunction %uint None %adds\n%a = OpFunctionParameter %uint\n"
      "%b = OpFunctionParameter %uint\n%in = OpLabel\n%l = OpVariable %to_local Function\n"
      "OpStore %l %a\n%t = OpLoad %uint %l\n%s = OpIAdd %uint %t %b\nOpReturnValue %s\n"
      "OpFunctionEnd\n";
  const Module module = module_of(text + callee);
  const Function& function = module.functions.front();
  CHECK(function.unsupported == "");
  CHECK_FALSE(objection(module, function).has_value());
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) CHECK(i.op != Op::load);
  }
  CHECK(faults_of(text + callee) == "");
}

TEST_CASE("kernel/spirv/reader: operations of a subgroup need all of its threads") {
  const auto text = [](const std::string& body) {
    std::string all = shader(body, "%c3 = OpConstant %uint 3\n");
    all.replace(0, 0, "OpCapability GroupNonUniform\nOpCapability GroupNonUniformArithmetic\n");
    return all;
  };
  const std::string add = "%s = OpGroupNonUniformIAdd %uint %c3 Reduce %x\n";
  CHECK(refusal_of(text(add)) == "");
  CHECK(contains(refusal_of(text("%first = OpIEqual %bool %x %c0\nOpSelectionMerge %end None\n"
                                 "OpBranchConditional %first %then %else\n%then = OpLabel\n" +
                                 add +
                                 "OpBranch %end\n%else = OpLabel\n"
                                 "%t = OpGroupNonUniformIAdd %uint %c3 Reduce %x\n"
                                 "OpBranch %end\n%end = OpLabel\n")),
                 "only some of its threads"));
  // Who has ended is not waited for.
  CHECK(faults_of(text("%first = OpIEqual %bool %x %c0\nOpSelectionMerge %on None\n"
                       "OpBranchConditional %first %gone %on\n%gone = OpLabel\nOpReturn\n"
                       "%on = OpLabel\n" +
                       add)) == "");
}

TEST_CASE("kernel/spirv/reader: clusters, quads and rotations are of lanes in a row") {
  // Eight threads; in word x what each gets, and then a division by 0 where it is not `expected`.
  const auto text = [](const std::string& gives, const std::string& expected) {
    std::string all =
        shader(gives + "%e = OpIAdd %uint " + expected +
                   " %c0\n%same = OpIEqual %bool %s %e\n%one = OpSelect %uint %same %c1 %c0\n"
                   "%q = OpUDiv %uint %c1 %one\nOpStore %own %q\n",
               "%c3 = OpConstant %uint 3\n%c4 = OpConstant %uint 4\n%c7 = OpConstant %uint 7\n"
               "%c6 = OpConstant %uint 6\n%c22 = OpConstant %uint 22\n%c5 = OpConstant %uint 5\n");
    all.replace(all.find("LocalSize 2"), 11, "LocalSize 8");
    all.replace(0, 0,
                "OpCapability GroupNonUniform\nOpCapability GroupNonUniformArithmetic\n"
                "OpCapability GroupNonUniformClustered\nOpCapability GroupNonUniformQuad\n"
                "OpCapability GroupNonUniformRotateKHR\n");
    all.insert(all.find("OpMemoryModel"), "OpExtension \"SPV_KHR_subgroup_rotate\"\n");
    return all;
  };
  const std::string upper =
      "%up = OpUGreaterThan %bool %x %c3\n%half = OpSelect %uint %up %c4 %c0\n";
  CHECK(faults_of(text(upper + "%sum = OpSelect %uint %up %c22 %c6\n"
                               "%s = OpGroupNonUniformIAdd %uint %c3 ClusteredReduce %x %c4\n",
                       "%sum")) == "");
  CHECK(faults_of(text("%s = OpGroupNonUniformIAdd %uint %c3 ClusteredReduce %x %c1\n", "%x")) ==
        "");
  CHECK(faults_of(text("%s = OpGroupNonUniformIAdd %uint %c3 ClusteredReduce %x %c2\n", "%x")) ==
        "division");
  CHECK(faults_of(text("%y = OpBitwiseXor %uint %x %c2\n"
                       "%s = OpGroupNonUniformQuadSwap %uint %c3 %x %c1\n",
                       "%y")) == "");
  CHECK(faults_of(text(upper + "%y = OpIAdd %uint %half %c2\n"
                               "%s = OpGroupNonUniformQuadBroadcast %uint %c3 %x %c2\n",
                       "%y")) == "");
  CHECK(faults_of(text(upper + "%n = OpIAdd %uint %x %c3\n%m = OpBitwiseAnd %uint %n %c3\n"
                               "%y = OpIAdd %uint %half %m\n"
                               "%s = OpGroupNonUniformRotateKHR %uint %c3 %x %c3 %c4\n",
                       "%y")) == "");
  CHECK(contains(
      refusal_of(text("%s = OpGroupNonUniformIAdd %uint %c3 ClusteredReduce %x %c6\n", "%x")),
      "cluster"));
}

TEST_CASE("kernel/spirv/reader: decorations of a group are those of what is in it") {
  std::string text = shader("OpStore %own %x\n");
  const std::string plain = "OpDecorate %buffer DescriptorSet 0\nOpDecorate %buffer Binding 0\n";
  text.replace(text.find(plain), plain.size(),
               "OpDecorate %all DescriptorSet 0\nOpDecorate %all Binding 0\n"
               "%all = OpDecorationGroup\nOpGroupDecorate %all %buffer\n");
  CHECK(faults_of(text) == "");
}

TEST_CASE("kernel/spirv/reader: what clspv reflects names arguments and gives the launch's sizes") {
  // kernel void k(global uint* out, uint n) { atomic_store(&out[n + get_global_size(0)], 1); }, out
  // of 8 words.
  const std::string text = R"(OpCapability Shader
OpExtension "SPV_KHR_storage_buffer_storage_class"
OpExtension "SPV_KHR_non_semantic_info"
%clspv = OpExtInstImport "NonSemantic.ClspvReflection.5"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %k "k"
OpExecutionMode %k LocalSize 2 1 1
%k_name = OpString "k"
%out_name = OpString "out"
%n_name = OpString "n"
OpDecorate %words ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
OpMemberDecorate %pushed 0 Offset 0
OpMemberDecorate %pushed 1 Offset 16
OpMemberDecorate %pods 0 Offset 0
OpDecorate %pushed Block
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%uint3 = OpTypeVector %uint 3
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%to_block = OpTypePointer StorageBuffer %block
%to_uint = OpTypePointer StorageBuffer %uint
%pods = OpTypeStruct %uint
%pushed = OpTypeStruct %uint3 %pods
%to_pushed = OpTypePointer PushConstant %pushed
%to_constant = OpTypePointer PushConstant %uint
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c2 = OpConstant %uint 2
%c4 = OpConstant %uint 4
%c12 = OpConstant %uint 12
%c16 = OpConstant %uint 16
%buffer = OpVariable %to_block StorageBuffer
%constants = OpVariable %to_pushed PushConstant
%k = OpFunction %void None %function
%start = OpLabel
%size_place = OpAccessChain %to_constant %constants %c0 %c0
%size = OpLoad %uint %size_place
%n_place = OpAccessChain %to_constant %constants %c1 %c0
%n = OpLoad %uint %n_place
%at = OpIAdd %uint %n %size
%place = OpAccessChain %to_uint %buffer %c0 %at
OpAtomicStore %place %c1 %c0 %c1
OpReturn
OpFunctionEnd
%kernel = OpExtInst %void %clspv Kernel %k %k_name %c2 %c0 %k_name
%out_info = OpExtInst %void %clspv ArgumentInfo %out_name
%1 = OpExtInst %void %clspv ArgumentStorageBuffer %kernel %c0 %c0 %c0 %out_info
%n_info = OpExtInst %void %clspv ArgumentInfo %n_name
%2 = OpExtInst %void %clspv ArgumentPodPushConstant %kernel %c1 %c16 %c4 %n_info
%3 = OpExtInst %void %clspv PushConstantGlobalSize %c0 %c12
)";
  const auto module = std::make_shared<Module>(module_of(text));
  const Function& function = module->functions.front();
  REQUIRE(function.unsupported == "");
  REQUIRE(function.parameters.size() == 2);
  CHECK(function.parameters[0].name == "out");
  CHECK(function.parameters[1].name == "n");
  const auto faults = [&](std::int64_t n) {
    LaunchSpec spec;
    spec.grid = {3, 1, 1};
    spec.buffers["out"].elements = 8;
    spec.arguments["n"].integer = n;
    return analyse(module, function, spec, nullptr, AnalysisOptions()).exploration.faults.size();
  };
  CHECK(faults(1) == 0);  // word 1 + 3 * 2
  CHECK(faults(2) == 1);
}

TEST_CASE("kernel/spirv/reader: blocks know the loops that they stand in") {
  const Module module =
      module_of(shader("%first = OpIEqual %bool %x %c0\nOpBranch %head\n%head = OpLabel\n"
                       "OpLoopMerge %end %more None\nOpBranchConditional %first %leave %more\n"
                       "%leave = OpLabel\nOpStore %place %c1\nOpBranch %end\n"
                       "%more = OpLabel\nOpBranch %head\n%end = OpLabel\n"));
  const std::vector<Block>& blocks = module.functions.front().blocks;
  std::vector<BlockId> in, heads;
  for (BlockId b = 0; b < blocks.size(); ++b) {
    if (!blocks[b].loops.empty()) in.push_back(b);
    heads.insert(heads.end(), blocks[b].loops.begin(), blocks[b].loops.end());
  }
  REQUIRE(in.size() == 3);  // the head, `more`, and `leave`, from which none comes back
  CHECK(heads == std::vector<BlockId>(3, in.front()));
}

TEST_CASE("kernel/spirv/reader: what is no valid module is one clear line") {
  const auto complaint = [](const std::string& content) {
    return complaint_of([&] { spirv::read_module(content, "a.spv"); });
  };
  const std::string whole = words_of(kSmallest, false);
  CHECK(complaint(whole) == "no error");
  CHECK(complaint(words_of(kSmallest, true)) == "no error");
  CHECK(contains(complaint(""), "empty"));
  CHECK(contains(complaint(whole.substr(0, whole.size() - 3)), "truncated"));
  for (std::size_t length = 4; length < whole.size(); length += 4) {
    CHECK(complaint(whole.substr(0, length)) != "no error");
    CHECK(!contains(complaint(whole.substr(0, length)), "\n"));
  }
  std::vector<std::uint32_t> fragment = kSmallest;
  fragment[11] = 4;  // the stage
  fragment.erase(fragment.begin() + 15, fragment.begin() + 21);
  fragment.insert(fragment.begin() + 15, {0x00030010, 1, 7});
  CHECK(contains(complaint(words_of(fragment, false)), "a fragment shader"));
  CHECK(contains(complaint("OpCapability Shader\nOpCapability Linkage\n"
                           "OpMemoryModel Logical GLSL450\n"),
                 "no entry point"));
  CHECK(contains(complaint("OpCapability Nonsense\n"), "1:"));
}

TEST_CASE("kernel/spirv/reader: what is not understood is refused with its place") {
  const std::string recursion = shader("%r = OpFunctionCall %void %again\n") +
                                "%again = OpFunction %void None %function\n%l = OpLabel\n"
                                "%r2 = OpFunctionCall %void %again\nOpReturn\nOpFunctionEnd\n";
  CHECK(contains(refusal_of(recursion), "recursion"));
  CHECK(contains(refusal_of("OpCapability Sampled1D\nOpCapability Tessellation\n" + shader("")),
                 "Tessellation"));
  const Module extension = module_of(
      std::string(shader(""))
          .replace(shader("").find("OpMemoryModel"), 0, "OpExtension \"SPV_KHR_ray_query\"\n"));
  CHECK(contains(extension.functions.front().unsupported, "SPV_KHR_ray_query"));
  const Module barrier = module_of(shader("OpControlBarrier %c1 %c1 %c72\n"));
  CHECK(contains(barrier.functions.front().unsupported, "more than a workgroup"));
  CHECK(barrier.functions.front().place.line > 30);
}

TEST_CASE("kernel/spirv/reader: composites that multiply are refused in time") {
  // Each array holds sixteen of the last: taken apart, more than anything that is there.
  std::string types = "%a0 = OpTypeArray %uint %c16\n";
  for (int i = 1; i < 12; ++i) {
    types += "%a" + std::to_string(i) + " = OpTypeArray %a" + std::to_string(i - 1) + " %c16\n";
  }
  const std::string text =
      shader("%l = OpVariable %to_a Function\n%v = OpLoad %a11 %l\n",
             "%c16 = OpConstant %uint 16\n" + types + "%to_a = OpTypePointer Function %a11\n");
  std::string moved = text;
  // Variables come first in a function.
  const std::string variable = "%l = OpVariable %to_a Function\n";
  moved.erase(moved.find(variable), variable.size());
  moved.insert(moved.find("%ids = "), variable);
  CHECK(contains(refusal_of(moved), "too large"));
}
#endif
