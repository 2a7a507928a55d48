// Modules that compilers ship although SPIRV-Tools finds fault with them: what means nothing is
// mended and said, everything else is refused as ever.
#include <doctest/doctest.h>

#include "kernel/test/sources.hpp"

#ifdef HEADWAY_SPIRV
#include "kernel/spirv/reader.hpp"
#include "support/errors.hpp"

using namespace headway::kernel;
using headway::testing::complaint_of;
using headway::testing::contains;

namespace {

// A shader that counts in a buffer of one word, with the declarations in front of it.
std::string counter(const std::string& declarations) {
  return declarations + R"(OpEntryPoint GLCompute %main "main" %buffer
OpExecutionMode %main LocalSize 2 1 1
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%block = OpTypeStruct %uint
%to_block = OpTypePointer StorageBuffer %block
%to_uint = OpTypePointer StorageBuffer %uint
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%buffer = OpVariable %to_block StorageBuffer
%main = OpFunction %void None %function
%start = OpLabel
%place = OpAccessChain %to_uint %buffer %c0
%old = OpAtomicIIncrement %uint %place %c1 %c0
OpReturn
OpFunctionEnd
)";
}

Module read(const std::string& text, const spirv::ReadOptions& options = {}) {
  return spirv::read_module(text, "test.spvasm", options);
}

// What is said of the module; "refused: ..." where its shader is not understood.
std::string said_of(const std::string& text) {
  const Module module = read(text);
  const Function& function = module.functions.front();
  if (!function.unsupported.empty()) return "refused: " + function.unsupported;
  std::string all;
  for (const std::string& phrase : function.premises) all += phrase;
  return all;
}

const std::string kShader = "; Version: 1.5\nOpCapability Shader\n";

}  // namespace

TEST_CASE("kernel/spirv/mend: sections in another order are read, and said") {
  CHECK(said_of(counter(kShader + "OpMemoryModel Logical GLSL450\n")) == "");
  const std::string late = counter(kShader +
                                   "OpMemoryModel Logical GLSL450\n"
                                   "%set = OpExtInstImport \"GLSL.std.450\"\n");
  CHECK(contains(said_of(late), "which is not valid SPIR-V"));
  CHECK(contains(said_of(late), "invalid layout section"));
  // Lines are those of the text all the same: the one of the function.
  CHECK(read(late).functions.front().place.line == 20);
}

TEST_CASE("kernel/spirv/mend: capabilities and extensions that are used are taken for declared") {
  const std::string vulkan = counter(kShader + "OpMemoryModel Logical Vulkan\n");
  CHECK(contains(said_of(vulkan), "VulkanMemoryModel"));
  // An extension that SPIR-V before 1.3 wants declared.
  std::string old = counter("; Version: 1.0\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n");
  old.erase(old.find(" %buffer"), 8);  // of the interface, which has no buffers there
  CHECK(contains(said_of(old), "SPV_KHR_storage_buffer_storage_class"));
}

TEST_CASE("kernel/spirv/mend: a source language that nobody has heard of means nothing") {
  const std::string text =
      counter(kShader + "OpMemoryModel Logical GLSL450\nOpSource Nothing_yet 7\n");
  // OpSource stands in front of the entry point here, too.
  CHECK(contains(said_of(text), "invalid layout section"));
}

TEST_CASE("kernel/spirv/mend: what has a meaning is refused with SPIRV-Tools' message") {
  // Whether it is a shader or a kernel is not for anyone to add.
  CHECK(contains(complaint_of([] {
                   read(
                       counter("; Version: 1.5\nOpCapability Matrix\n"
                               "OpMemoryModel Logical GLSL450\n"));
                 }),
                 "no valid SPIR-V module"));
  std::string twice = counter(kShader + "OpMemoryModel Logical GLSL450\n");
  twice.replace(twice.find("%place %c1"), 10, "%c1 %c1");
  CHECK(contains(complaint_of([&] { read(twice); }), "no valid SPIR-V module"));
}

TEST_CASE("kernel/spirv/mend: a size of workgroups that is asked for is given to its constants") {
  std::string text = counter(kShader + "OpMemoryModel Logical GLSL450\n");
  text.erase(text.find("OpExecutionMode"),
             std::string("OpExecutionMode %main LocalSize 2 1 1\n").size());
  text.insert(text.find("OpDecorate %block"),
              "OpDecorate %x SpecId 3\nOpDecorate %y SpecId 4\n"
              "OpDecorate %size BuiltIn WorkgroupSize\n");
  text.insert(text.find("%block = "),
              "%x = OpSpecConstant %uint 1\n%y = OpSpecConstant %uint 1\n%z = OpConstant %uint 1\n"
              "%uint3 = OpTypeVector %uint 3\n%size = OpSpecConstantComposite %uint3 %x %y %z\n");
  const auto size_of = [&](const spirv::ReadOptions& options) {
    const Module module = read(text, options);
    REQUIRE(module.functions.front().unsupported == "");
    const auto& size = module.functions.front().group_size;
    return std::to_string(size[0]) + "," + std::to_string(size[1]) + "," + std::to_string(size[2]);
  };
  spirv::ReadOptions asked;
  CHECK(size_of(asked) == "1,1,1");
  asked.group_size = {8, 2, 1};
  CHECK(size_of(asked) == "8,2,1");
  asked.specialization[4] = 5;  // who gives it by its number is heard first
  CHECK(size_of(asked) == "8,5,1");
}
#endif
