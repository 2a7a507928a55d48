// What of PTX is not modelled is refused with its line and the instruction, and no modifier is
// dropped.
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::TemporaryFolder;

TEST_CASE("kernel/ptx/refusals: what is not modelled is named") {
  const std::pair<const char*, const char*> rows[] = {
      {R"("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(i), "l"(p))",
       "does not lead back to __cvta_generic_to_shared()"},
      {R"("cp.async.cg.shared.global [%0], [%1], 4;" :: "r"(i), "l"(p))",
       "expected a copy of 16 bytes"},
      {R"("cp.async.ca.shared.global [%0], [%1], 5;" :: "r"(i), "l"(p))",
       "expected a copy of 4, 8 or 16 bytes"},
      {R"("cp.async.ca.shared.global [%0], [%1];" :: "r"(i), "l"(p))", "with 2 operands"},
      {R"("cp.async.wait_group %0;" :: "r"(i))", "a number of groups that is not known"},
      {R"("cp.async.mbarrier.arrive.b64 [%0];" :: "r"(i))", "is not modelled"},
      {R"("mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 1;" :: "r"(i))",
       "does not lead back to __cvta_generic_to_shared()"},
      {R"("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4;" :: "r"(i))",
       "the modifier '.expect_tx'"},
      {R"("mbarrier.arrive.shared.b64 _, [%0], 33;" :: "r"(i))",
       "a number of arrivals at a time that is no constant from 1 to 32"},
      {R"("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" :: "r"(i))",
       "the modifier '.cluster'"},
      {R"("mbarrier.complete_tx.shared.b64 [%0], 4;" :: "r"(i))", "is not modelled"},
      {R"("cp.async.bulk.wait_group.read 0;" ::)",
       "'cp.async.bulk.wait_group.read' is not modelled"},
      {R"("barrier.cluster.arrive;" ::)", "'barrier.cluster.arrive' is not modelled"},
      {R"("fence.proxy.alias;" ::)", "'fence.proxy.alias' is not modelled: the modifier '.proxy'"},
      {R"("ld.mmio.relaxed.gpu.u32 %0, [%1];" : "=r"(i) : "l"(p))", "expected .mmio.relaxed.sys"},
      {R"("ld.acquire.cluster.u32 %0, [%1];" : "=r"(i) : "l"(p))", "the modifier '.cluster'"},
      {R"("ld.shared::cluster.u32 %0, [%1];" : "=r"(i) : "r"(i))",
       "the modifier '.shared::cluster'"},
      {R"("ld.L2::cache_hint.u32 %0, [%1];" : "=r"(i) : "l"(p))", "expected 3 operands"},
      {R"("ld.u32 %0, [%1], %2;" : "=r"(i) : "l"(p), "l"(p))", "expected 2 operands"},
      {R"("atom.exch.b16 h, [%0], h;" :: "l"(p))", "of 16 bits .cas is modelled alone"},
      {R"("atom.min.f32 f, [%0], f;" :: "l"(p))", "of reals .add is modelled alone"},
      {R"("ld.acquire.u32 %0, [%1];" : "=r"(i) : "l"(p))", "an order without a scope"},
      {R"("ld.gpu.u32 %0, [%1];" : "=r"(i) : "l"(p))", "a scope without an order"},
      {R"("ld.release.gpu.u32 %0, [%1];" : "=r"(i) : "l"(p))", "the modifier '.release'"},
      {R"("st.acquire.gpu.u32 [%1], %0;" :: "r"(i), "l"(p))", "the modifier '.acquire'"},
      {R"("ld.acquire.relaxed.gpu.u32 %0, [%1];" : "=r"(i) : "l"(p))", "the modifier '.relaxed'"},
      {R"("ld %0, [%1];" : "=r"(i) : "l"(p))", "'ld' lacks a modifier; expected one of b8, b16"},
      {R"("ld.nc.relaxed.gpu.u32 %0, [%1];" : "=r"(i) : "l"(p))", "'.nc' with an order"},
      {R"("ld.acquire.gpu.v2.u32 {%0, %0}, [%1];" : "=r"(i) : "l"(p))",
       "a vector with an order is not modelled"},
      {R"("atom.add.noftz.f16 h, [%0], h;" :: "l"(p))", "the modifier '.noftz'"},
      {R"("atom.add.b32 %0, [%1], 1;" : "=r"(i) : "l"(p))", "a type of bits"},
      {R"("atom.cas.b32 %0, [%1], 1;" : "=r"(i) : "l"(p))", "expected 4 operands"},
      {R"("bar.sync 16;" ::)", "'bar.sync': barrier 16; expected one of 0 to 15"},
      {R"("bar.arrive 0;" ::)", "'bar.arrive' with 1 operands; expected 2"},
      {R"("{ .reg .pred p; bar.red.or.pred p, 1, p; }" ::)",
       "'bar.red.or.pred': a reduction at a barrier that has a number or a count of its own"},
      {R"("mov.u32 %0, %%clusterid.x;" : "=r"(i))", "the register '%clusterid.x'"},
      {R"("mov.u32 %0, x;" : "=r"(i))", "'x' is no register that is declared"},
      {R"("mov.u64 %0, %1;" : "=r"(i) : "l"(p))", "a register of 64 bits; expected one of 32"},
      {R"("mov.u32 %0, 1;" :: "r"(i))", "'%0' is written, and is no output"},
      {R"("ld.shared.u32 %0, [%1];" : "=r"(i) : "l"(p))",
       "does not lead back to __cvta_generic_to_shared()"},
      {R"("ld.shared.u32 %0, [%1];" : "=r"(i) : "r"(i))",
       "does not lead back to __cvta_generic_to_shared()"},
      {R"("ld.u32 %0, [%1];" : "=r"(i) : "r"(i))", "an address of 32 bits"},
      {R"("ld.shared.u32 %0, [%1];" : "=r"(i) : "l"((size_t)s))",
       "does not lead back to __cvta_generic_to_shared()"},
      {R"("ld.u32 %0, [%1];" : "=r"(i) : "l"(__cvta_generic_to_shared(s)))",
       "an address of shared memory; expected a generic one, or '.shared'"},
      {R"("cvta.to.shared.u64 %0, %1;" : "=l"(p) : "l"(__cvta_generic_to_shared(s)))",
       "an address of shared memory; expected a generic one"},
      {R"("cvta.to.shared.u64 %0, %1;" : "=l"(p) : "l"(p))", "is not one of shared memory"},
      {R"("ld.global.u32 %0, [%1];" : "=r"(i) : "l"(s))", "is not one of global memory"},
      {R"("bra NOWHERE;" ::)", "'NOWHERE' is no label"},
      {R"("mov.u32 %0, 1" : "=r"(i))", "its line 1: expected ',' or ';'"},
      {R"("mov.u32 %0, 1;\n.global .u32 x;" : "=r"(i))", "its line 2: the directive '.global'"},
      {R"("cvt.rz.f32.u32 %0, %1;" : "=f"(f) : "r"(i))", "a rounding other than '.rn'"},
      {R"("min.NaN.f32 %0, %0, %0;" : "+f"(f))", "the modifier '.NaN'"},
      {R"("add.sat.u32 %0, %0, %0;" : "+r"(i))", "saturation of other integers than s32"},
      {R"("ld.local.u32 %0, [%1];" : "=r"(i) : "l"(p))", "of this space are not modelled"},
      {R"("ret;" ::)", "a return from inline assembly"}};
  for (const auto& row : rows) {
    CAPTURE(row.first);
    const TemporaryFolder folder;
    const std::string text = std::string(
                                 "__global__ void k(unsigned* p, int i, float f) {\n"
                                 "  __shared__ unsigned s[1]; s[0] = 1;\n  asm volatile(") +
                             row.first + ");\n  p[0] = i + f + s[0]; }\n";
    const CommandResult result = headway::testing::check(
        {"--format", "csv", "-m", "fair", folder.write("a.cu", text).string()});
    CAPTURE(result.err);
    CHECK(result.status == 3);
    CHECK(contains(result.err, "unsupported: line 3: "));
    CHECK(contains(result.err, row.second));
  }
}

TEST_CASE("kernel/ptx/refusals: assembly that compilers may move is taken for granted to stay") {
  const auto notes = [](const std::string& assembly) {
    const TemporaryFolder folder;
    const std::string text =
        "__global__ void k(unsigned* p) { unsigned v = 0; " + assembly + " }\n";
    return headway::testing::check({"-m", "fair", folder.write("a.cu", text).string()}).err;
  };
  const std::string granted = "compilers leave inline assembly";
  CHECK(contains(notes("asm volatile(\"st.release.gpu.u32 [%0], 1;\" :: \"l\"(p));"), granted));
  CHECK(contains(notes("asm(\"ld.volatile.u32 %0, [%1];\" : \"=r\"(v) : \"l\"(p) : \"memory\");"),
                 granted));
  CHECK(!contains(notes("asm volatile(\"st.release.gpu.u32 [%0], 1;\" :: \"l\"(p) : \"memory\");"),
                  granted));
  CHECK(!contains(notes("asm(\"mov.u32 %0, 1;\" : \"=r\"(v));"), granted));
}
