// Kernels of OpenCL as translators of LLVM write them: addresses of 32 bits, pointers and events in
// variables, images.
#include <doctest/doctest.h>

#include "kernel/test/sources.hpp"

#ifdef HEADWAY_SPIRV
#include "kernel/spirv/reader.hpp"
#include "support/errors.hpp"
#include "support/spirv_modules.hpp"

using namespace headway::kernel;
using headway::testing::contains;
using headway::testing::refusal_of;

namespace {

// A kernel of a buffer %data and a pointer into workgroup memory %near.
std::string kernel(const std::string& body, const std::string& more = "",
                   const std::string& capabilities = "") {
  return "; Version: 1.0\nOpCapability Addresses\nOpCapability Linkage\nOpCapability Kernel\n"
         "OpCapability GenericPointer\n" +
         capabilities + R"(OpMemoryModel Physical32 OpenCL
OpEntryPoint Kernel %main "main" %ids
OpDecorate %ids BuiltIn LocalInvocationId
OpDecorate %ids Constant
OpDecorate %ids LinkageAttributes "__spirv_BuiltInLocalInvocationId" Import
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%uchar = OpTypeInt 8 0
%uint3 = OpTypeVector %uint 3
%to_input = OpTypePointer Input %uint3
%to_far = OpTypePointer CrossWorkgroup %uint
%to_near = OpTypePointer Workgroup %uint
%to_any = OpTypePointer Generic %uint
%kept = OpTypePointer Function %to_far
%bytes = OpTypePointer Function %uchar
%words = OpTypePointer Function %uint
%function = OpTypeFunction %void %to_far %to_near
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c2 = OpConstant %uint 2
%c4 = OpConstant %uint 4
%c8 = OpConstant %uint 8
%c528 = OpConstant %uint 528
%ids = OpVariable %to_input Input
)" + more +
         R"(%main = OpFunction %void None %function
%data = OpFunctionParameter %to_far
%near = OpFunctionParameter %to_near
%start = OpLabel
)" + body +
         "OpReturn\nOpFunctionEnd\n";
}

// With %x, the id of the thread, and the address of the buffer in a variable.
std::string with_kept(const std::string& body, const std::string& more = "") {
  return kernel("%v = OpVariable %kept Function\n" + body +
                    "%i = OpLoad %uint3 %ids\n%x = OpCompositeExtract %uint %i 0\n"
                    "OpStore %v %data\n%p = OpLoad %to_far %v\n" +
                    "%own = OpInBoundsPtrAccessChain %to_far %p %x\nOpStore %own %x\n",
                more);
}

// The faults of a workgroup of two threads.
std::string faults_of_two(const std::string& text) {
  return headway::testing::faults_of(text, {1, 1, 1}, Size3{2, 1, 1});
}

}  // namespace

TEST_CASE("kernel/spirv/opencl: a variable of the kernel holds a pointer of 32 bits") {
  CHECK(faults_of_two(with_kept("")) == "");
  // Of one place instead of one a thread.
  std::string race = with_kept("");
  race.replace(race.find("%p %x"), 5, "%p %c1");
  CHECK(faults_of_two(race) == "race");
}

TEST_CASE("kernel/spirv/opencl: nobody sees that a pointer of 32 bits takes eight bytes") {
  // For its lifetime it may be taken for bytes.
  CHECK(refusal_of(with_kept("%b = OpBitcast %bytes %v\nOpLifetimeStart %b 4\n")) == "");
  CHECK(contains(refusal_of(with_kept("%b = OpBitcast %words %v\nOpStore %b %c1\n")),
                 "taken for something else"));
  CHECK(contains(refusal_of(with_kept("%w = OpVariable %kept Function\n"
                                      "OpCopyMemorySized %w %v %c4\n")),
                 "the bytes of a pointer"));
  // The host lays out its own memory.
  const std::string host = kernel("%p = OpLoad %to_far %table\nOpStore %p %c1\n",
                                  "%to_table = OpTypePointer CrossWorkgroup %to_far\n"
                                  "%nothing = OpConstantNull %to_far\n"
                                  "%table = OpVariable %to_table CrossWorkgroup %nothing\n");
  CHECK(contains(refusal_of(host), "the host may lay out"));
}

TEST_CASE("kernel/spirv/opencl: a pointer of 32 bits is a number, and null is 0") {
  const auto comparing = [](const std::string& which) {
    return kernel(
        "%i = OpLoad %uint3 %ids\n%x = OpCompositeExtract %uint %i 0\n"
        "%a = OpConvertPtrToU %uint " +
            which + "\n%b = OpConvertPtrToU %uint %null\n" +
            "%is = OpIEqual %bool %a %b\n%at = OpSelect %uint %is %x %c0\n"
            "%own = OpInBoundsPtrAccessChain %to_far %data %at\nOpStore %own %x\n",
        "%null = OpConstantNull %to_far\n");
  };
  CHECK(faults_of_two(comparing("%null")) == "");
  // How much of an address lies in its low half is nothing that a run knows.
  CHECK(faults_of_two(comparing("%data")) == "obstacle: a part of an address");
}

TEST_CASE("kernel/spirv/opencl: an asynchronous copy races until it is waited for") {
  const auto copying = [](const std::string& before, const std::string& behind) {
    return kernel(
        "%e = OpVariable %to_event Function\n"
        "%g = OpGroupAsyncCopy %event %c2 %near %data %c8 %c1 %none\nOpStore %e %g\n"
        "%any = OpPtrCastToGeneric %to_any_event %e\n" +
            before + "%read = OpLoad %uint %near\n" + behind,
        "%event = OpTypeEvent\n%none = OpConstantNull %event\n"
        "%to_event = OpTypePointer Function %event\n"
        "%to_any_event = OpTypePointer Generic %event\n");
  };
  const std::string wait = "OpGroupWaitEvents %c2 %c1 %any\n";
  const auto kinds = [&](const std::string& text) {
    const Module module = spirv::read_module(text, "test.spvasm");
    REQUIRE(module.functions.front().unsupported == "");
    std::vector<Op> result;
    for (const Block& block : module.functions.front().blocks) {
      for (const Instruction& i : block.code) {
        if (i.op == Op::async_copy || i.op == Op::wait_events || i.op == Op::load) {
          result.push_back(i.op);
        }
      }
    }
    return result;
  };
  CHECK(kinds(copying(wait, "")) == std::vector<Op>{Op::async_copy, Op::wait_events, Op::load});
  CHECK(kinds(copying("", wait)) == std::vector<Op>{Op::async_copy, Op::load, Op::wait_events});
  const Module module = spirv::read_module(copying(wait, ""), "test.spvasm");
  for (const Block& block : module.functions.front().blocks) {
    for (const Instruction& i : block.code) {
      if (i.op != Op::async_copy) continue;
      CHECK(i.bytes == 4);
      CHECK(i.kind == 0);
    }
  }
}

TEST_CASE("kernel/spirv/opencl: texels of images race, and samples may be anything") {
  const auto writing = [](const std::string& where) {
    std::string text = kernel(
        "%i = OpLoad %uint3 %ids\n%x = OpCompositeExtract %uint %i 0\n"
        "%at = OpCompositeConstruct %uint2 " +
            where +
            " %c0\n%color = OpCompositeConstruct %uint4 %x %x %x %x\n"
            "OpImageWrite %image %at %color\n",
        "%uint2 = OpTypeVector %uint 2\n%uint4 = OpTypeVector %uint 4\n"
        "%picture = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly\n"
        "%with_image = OpTypeFunction %void %picture\n",
        "OpCapability ImageBasic\n");
    const std::string old_head =
        "%main = OpFunction %void None %function\n"
        "%data = OpFunctionParameter %to_far\n"
        "%near = OpFunctionParameter %to_near\n";
    text.replace(text.find(old_head), old_head.size(),
                 "%main = OpFunction %void None %with_image\n"
                 "%image = OpFunctionParameter %picture\n");
    return text;
  };
  CHECK(faults_of_two(writing("%x")) == "");
  CHECK(faults_of_two(writing("%c1")) == "race");
}
#endif
