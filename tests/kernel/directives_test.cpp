// What kernel files say of their launches.
#include "kernel/directives.hpp"

#include <doctest/doctest.h>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::SourcePosition;
using headway::kernel::Buffer;
using headway::kernel::Directives;
using headway::kernel::ExpectedOutcome;
using headway::kernel::Extent;
using headway::kernel::LaunchDirective;
using headway::kernel::parse_argument;
using headway::kernel::parse_buffer;
using headway::kernel::parse_directives;
using headway::kernel::parse_extent;
using headway::kernel::Property;
using headway::lang::Fairness;
using headway::testing::complaint_of;
using headway::testing::contains;
using headway::testing::error_of;
using Outcome = ExpectedOutcome::Outcome;

namespace {

std::string complaint(const std::string& text) {
  return complaint_of([&] { parse_directives(text, "a.cu"); });
}

}  // namespace

TEST_CASE("kernel/directives: the name of an instance of a template may hold blanks") {
  const Directives all = parse_directives(
      "// headway: kernel fill<float, 64> grid 2 block 4\n"
      "// headway: kernel sum<pair<int, unsigned int>, 2> grid 3\n",
      "a.cu");
  REQUIRE(all.launches.size() == 2);
  CHECK(all.launches[0].kernel == "fill<float, 64>");
  CHECK(all.launches[0].block == Extent{4, 1, 1});
  CHECK(all.launches[1].kernel == "sum<pair<int, unsigned int>, 2>");
  CHECK(all.launches[1].grid == Extent{3, 1, 1});
  CHECK(contains(complaint("// headway: kernel fill<float grid 2\n"), "without its '>'"));
}

TEST_CASE("kernel/directives: sizes, arguments and buffers of a launch") {
  const Directives all = parse_directives(
      "// headway: kernel scan grid 2,3 block 4 subgroup 2 shared 64 -DN=4 -I folder\n"
      "//headway:arg n=-4, f=1.5, p=null, flag=true, u=unknown, r=unknown(0..3)\r\n"
      "\t//  headway: buffer in=64:zero, out=8 buffer x={1,2.5,-3} buffer y=4:{0x10}\n"
      "// headway: buffer z=2:unknown(-1..1) assume n > 3 && f < 2\n"
      "int x; // headway: this is no directive\n",
      "a.cu");
  CHECK(all.flags == std::vector<std::string>{"-DN=4", "-I", "folder"});
  REQUIRE(all.launches.size() == 1);
  const LaunchDirective& launch = all.launches[0];
  CHECK(launch.kernel == "scan");
  CHECK_FALSE(launch.host_program);
  CHECK(launch.where.line == 1);
  CHECK(launch.where.column == 13);
  CHECK(launch.grid == Extent{2, 3, 1});
  CHECK(launch.block == Extent{4, 1, 1});
  CHECK(launch.subgroup == 2);
  CHECK(launch.shared == 64);
  REQUIRE(launch.arguments.size() == 6);
  CHECK(launch.arguments[0].name == "n");
  CHECK(launch.arguments[0].value->integer == -4);
  CHECK(launch.arguments[1].value->is_real);
  CHECK(launch.arguments[1].value->real == 1.5);
  CHECK(launch.arguments[2].value->integer == 0);
  CHECK(launch.arguments[3].value->integer == 1);
  CHECK_FALSE(launch.arguments[4].value);
  CHECK_FALSE(launch.arguments[4].unknown.low);
  CHECK(launch.arguments[5].unknown.high == 3);
  REQUIRE(launch.buffers.size() == 5);
  CHECK(launch.buffers[0].contents == Buffer::Contents::zero);
  CHECK(launch.buffers[0].elements == 64);
  CHECK(launch.buffers[1].contents == Buffer::Contents::unknown);
  CHECK(launch.buffers[2].elements == 3);
  CHECK(launch.buffers[2].values[1].real == 2.5);
  CHECK(launch.buffers[3].elements == 4);
  REQUIRE(launch.buffers[3].values.size() == 1);
  CHECK(launch.buffers[3].values[0].integer == 16);
  CHECK(launch.buffers[4].unknown.low == -1);
  REQUIRE(launch.assumptions.size() == 1);
  CHECK(launch.assumptions[0].text == "n > 3 && f < 2");
}

TEST_CASE("kernel/directives: the size of a buffer may be an expression") {
  const Directives all = parse_directives(
      "// headway: kernel a buffer in=n*4:zero, out=gridDim.x*(m+1) buffer x=2*n arg n=4 "
      "buffer y=n:{1,2}\n",
      "a.cu");
  REQUIRE(all.launches.size() == 1);
  const auto& buffers = all.launches[0].buffers;
  REQUIRE(buffers.size() == 4);
  CHECK(buffers[0].count->text == "n*4");
  CHECK(buffers[0].count->where.column == 32);
  CHECK(buffers[0].contents == Buffer::Contents::zero);
  CHECK(buffers[1].count->text == "gridDim.x*(m+1)");
  CHECK(buffers[2].count->text == "2*n");
  CHECK(buffers[3].values.size() == 2);
  CHECK_FALSE(parse_buffer("in=64").count);
  CHECK(contains(complaint("// headway: buffer in=*4\n"),
                 "1:23: expected a number of elements, {VALUE, ...} or an expression such as n*4, "
                 "found '*4'"));
  CHECK(contains(complaint("// headway: buffer in=\n"), "1:23: expected a number of elements"));
}

TEST_CASE("kernel/directives: expectations") {
  const Directives all = parse_directives(
      "// headway: kernel a expect pass OBE, fail HSA:weak, pass OBE-k(k=2)\n"
      "// headway: expect safe expect error race, violated, violated bounds, verified, race\n"
      "// headway: expect unknown, unsupported, error\n",
      "a.cu");
  REQUIRE(all.launches.size() == 1);
  const LaunchDirective& launch = all.launches[0];
  REQUIRE(launch.models.size() == 3);
  CHECK(launch.models[0].model == "OBE");
  CHECK(launch.models[0].passes);
  CHECK_FALSE(launch.models[0].fairness);
  CHECK(launch.models[1].fairness == Fairness::weak);
  CHECK_FALSE(launch.models[1].passes);
  CHECK(launch.models[2].model == "OBE-k(k=2)");
  CHECK(launch.models[1].where.column == 44);
  const std::vector<Outcome> outcomes = {Outcome::safe,     Outcome::error,       Outcome::violated,
                                         Outcome::violated, Outcome::verified,    Outcome::error,
                                         Outcome::unknown,  Outcome::unsupported, Outcome::error};
  REQUIRE(launch.outcomes.size() == outcomes.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    CHECK(launch.outcomes[i].outcome == outcomes[i]);
  CHECK(launch.outcomes[1].property == Property::race);
  CHECK_FALSE(launch.outcomes[2].property);
  CHECK(launch.outcomes[3].property == Property::bounds);
  CHECK(launch.outcomes[5].property == Property::race);
  CHECK(to_string(launch.outcomes[3].outcome) == "violated");
  CHECK(to_string(Property::termination) == "termination");
}

TEST_CASE("kernel/directives: what stands first holds for all launches unless given anew") {
  const Directives all = parse_directives(
      "// headway: block 4 arg n=1, m=2 expect pass OBE\n"
      "// headway: kernel a grid 2 arg n=3\n"
      "// headway: kernel b block 8 expect fail OBE\n"
      "// headway: main\n",
      "a.cu");
  REQUIRE(all.launches.size() == 3);
  CHECK(all.launches[0].block == Extent{4, 1, 1});
  CHECK(all.launches[0].grid == Extent{2, 1, 1});
  CHECK(all.launches[0].arguments[0].value->integer == 3);
  CHECK(all.launches[0].arguments[1].value->integer == 2);
  CHECK(all.launches[1].block == Extent{8, 1, 1});
  CHECK_FALSE(all.launches[1].grid);
  CHECK(all.launches[1].arguments[0].value->integer == 1);
  REQUIRE(all.launches[1].models.size() == 1);
  CHECK_FALSE(all.launches[1].models[0].passes);
  CHECK(all.launches[2].host_program);
  CHECK(all.launches[2].block == Extent{4, 1, 1});
}

TEST_CASE("kernel/directives: without a kernel it is one launch of each") {
  const Directives all = parse_directives("; headway: grid 2\n", "a.ll");
  REQUIRE(all.launches.size() == 1);
  CHECK(all.launches[0].kernel == "");
  CHECK(all.launches[0].grid == Extent{2, 1, 1});
  CHECK(parse_directives("", "a.cu").launches.empty());
  CHECK(parse_directives("int x;\n// a comment on headway: none\n", "a.cu").launches.empty());
  const Directives flags = parse_directives("// headway: -DN=3\n", "a.cu");
  CHECK(flags.launches.empty());
  CHECK(flags.flags == std::vector<std::string>{"-DN=3"});
}

TEST_CASE("kernel/directives: what verify is asked") {
  const Directives all = parse_directives(
      "// headway: verify --bounds\n"
      "// headway: kernel a grid 2 verify -m OBE --model=HSA --reads equal\n"
      "// headway: verify --lockstep\n"
      "// headway: kernel b verify --count-benign --reads=any\n",
      "a.cu");
  REQUIRE(all.launches.size() == 2);
  const auto& a = all.launches[0].verify;
  CHECK(a.bounds);
  CHECK(a.lockstep);
  CHECK(a.equal_reads);
  CHECK_FALSE(a.count_benign);
  REQUIRE(a.models.size() == 2);
  CHECK(a.models[0].name == "OBE");
  CHECK(a.models[0].where.column == 39);
  CHECK(a.models[1].name == "HSA");
  CHECK(all.launches[0].grid == Extent{2, 1, 1});
  const auto& b = all.launches[1].verify;
  CHECK(b.bounds);
  CHECK(b.count_benign);
  CHECK_FALSE(b.lockstep);
  CHECK_FALSE(b.equal_reads);
  CHECK(b.models.empty());
}

TEST_CASE("kernel/directives: errors have their place") {
  CHECK(contains(complaint("\n// headway: gird 2\n"),
                 "2:13: unknown directive 'gird'; expected one of kernel"));
  CHECK(contains(complaint("// headway: gird 2\n"), "did you mean 'grid'?"));
  CHECK(contains(complaint("// headway: grid 0\n"), "1:18: expected a size from 1 to 2147483647"));
  CHECK(contains(complaint("// headway: grid 1,2,3,4\n"), "three sizes at most"));
  CHECK(contains(complaint("// headway: grid x\n"), "1:18: expected a size, found 'x'"));
  CHECK(contains(complaint("// headway: grid 4x\n"), "1:18: expected a size, found '4x'"));
  CHECK(contains(complaint("// headway: grid 1 grid 2\n"), "1:20: grid is given twice"));
  CHECK(contains(complaint("// headway: subgroup 65\n"), "from 1 to 64"));
  CHECK(
      contains(complaint("// headway: kernel\n"), "expected the name of a kernel, found the end"));
  CHECK(contains(complaint("// headway: arg n\n"), "1:18: expected '=', found the end"));
  CHECK(contains(complaint("// headway: arg n=x\n"), "1:19: expected a number, found 'x'"));
  CHECK(contains(complaint("// headway: arg 3=x\n"), "expected the name of a parameter"));
  CHECK(contains(complaint("// headway: arg n=1, n=2\n"), "1:22: 'n' is given twice"));
  CHECK(contains(complaint("// headway: arg n=99999999999999999999\n"), "expected a number"));
  CHECK(contains(complaint("// headway: arg n=unknown(3..1)\n"), "the range 3..1 is empty"));
  CHECK(contains(complaint("// headway: arg n=unknown(3)\n"), "expected a range LOW..HIGH"));
  CHECK(contains(complaint("// headway: arg n=unknown(1..2\n"), "expected a ')'"));
  CHECK(contains(complaint("// headway: arg n=unknown(1..2x)\n"), "1:30: expected a number"));
  CHECK(contains(complaint("// headway: buffer b=4:one\n"), "1:24: expected zero, iota, unknown"));
  CHECK(
      contains(complaint("// headway: buffer b=:{1}\n"), "1:23: expected zero, iota, unknown or"));
  CHECK(contains(complaint("// headway: buffer b=:\n"), "expected zero, iota, unknown or"));
  CHECK(contains(complaint("// headway: buffer b=1:{1,2}\n"), "2 values for 1 elements"));
  CHECK(contains(complaint("// headway: buffer b={1,2\n"), "expected '}'"));
  CHECK(contains(complaint("// headway: buffer b={1,,2}\n"), "expected a number"));
  CHECK(contains(complaint("// headway: expect fine\n"), "1:20: expected one of pass, fail, safe"));
  CHECK(contains(complaint("// headway: expect pass\n"), "expected the name of a model"));
  CHECK(contains(complaint("// headway: expect violated raze\n"),
                 "1:29: expected one of assertion, race, divergence, bounds, null, alignment, "
                 "freed, uninitialized, constant, division, termination; did you mean 'race'?"));
  CHECK(contains(complaint("// headway: expect error hang\n"), "1:26: expected one of assertion"));
  CHECK(complaint("// headway: expect error grid 2 expect violated -DN=4\n") == "no error");
  CHECK(contains(complaint("// headway: expect pass HSA:week\n"), "expected weak or strong"));
  CHECK(contains(complaint("// headway: expect pass HSA, fail HSA:weak\n"),
                 "1:35: a second expectation for the model 'HSA'"));
  CHECK(contains(complaint("// headway: assume\n"), "expected a condition"));
  CHECK(contains(complaint("// headway: verify\n"), "1:19: expected options, of --bounds"));
  CHECK(
      contains(complaint("// headway: verify --timeout 5\n"),
               "1:20: expected one of --bounds, --count-benign, --lockstep, --reads, -m, --model, "
               "which say what verify is asked; found '--timeout'"));
  CHECK(contains(complaint("// headway: verify --bound\n"), "did you mean '--bounds'?"));
  CHECK(contains(complaint("// headway: verify -m\n"), "1:22: expected the name of a model"));
  CHECK(contains(complaint("// headway: verify -m --bounds\n"), "expected the name of a model"));
  CHECK(contains(complaint("// headway: verify --reads some\n"), "1:28: expected any or equal"));
  CHECK(contains(complaint("// headway: verify bounds grid 2\n"), "found 'bounds'"));
  CHECK(contains(complaint("// headway: ,\n"), "expected one of kernel"));
  const auto error = error_of([] { parse_directives("// headway: grid 0\n", "a.cu"); });
  REQUIRE(error);
  CHECK(contains(error->diagnostic(), "a.cu:1:18"));
  CHECK(contains(error->diagnostic(), "// headway: grid 0"));
}

TEST_CASE("kernel/directives: a word without an end does not bury its message") {
  const std::string word(3000, 'x'), digits(3000, '1'), zeros(3000, '0');
  for (const std::string& text :
       {"// headway: " + word + "\n", "// headway: grid " + word + "\n",
        "// headway: arg n=" + word + "\n", "// headway: arg n=-" + digits + "x\n",
        "// headway: arg " + word + "=1, " + word + "=1\n",
        "// headway: arg n=unknown(1" + zeros.substr(2990) + ".." + zeros + ")\n",
        "// headway: buffer b=4:" + word + "\n", "// headway: expect " + word + "\n",
        "// headway: expect pass " + word + ", fail " + word + "\n",
        "// headway: spec " + word + "=" + word + "\n", "// headway= grid " + word + "\n",
        "// headway: verify " + word + "\n"}) {
    const std::string message = complaint(text);
    CAPTURE(text.substr(0, 30));
    CHECK(message != "no error");
    CHECK(message.size() < 500);
  }
}

TEST_CASE("kernel/directives: what would be one in a comment of its own is missed by nobody") {
  for (const char* line : {"// headway kernel scan grid 2",
                           "/* headway: kernel scan grid 2 */",
                           "/* headway: grid 2",
                           " * headway: expect pass fair",
                           "int x; // headway: kernel scan grid 2",
                           "/// headway: kernel scan",
                           "//! headway kernel scan",
                           "# headway: grid 2 block 1",
                           "/* headway: gird 2 */",
                           " * headway: exepct safe",
                           "int x;  // headway: kernl scan",
                           "// Headway: expect safe",
                           "// HEADWAY: expect safe",
                           "// headway; expect safe",
                           "// headway : expect safe",
                           "// headway, expect safe",
                           "; headway expect safe",
                           "// headway exepct safe",
                           "// headway expect vreified",
                           "/* headway expect safe */",
                           "/* headway: expect vreified */",
                           "/* headway: grid x */"}) {
    CAPTURE(line);
    CHECK(contains(complaint(line), "did you mean '// headway: "));
  }
  CHECK(complaint("int x;\n  /* headway: kernel scan grid 2 */\n")
            .starts_with("2:6: a directive is a comment of its own; did you mean '// headway: "
                         "kernel scan grid 2'?"));
  for (const char* line : {"// headway decides whether this ends", "// see headway: it says more",
                           "// headway:", "/* headway - a tool */", "printf(\"headway: %d\", x);",
                           "// a headway kernel scan", "// headway expects that this ends",
                           "// headway's kernel scan", "// headway verify a.cu",
                           "printf(\"headway: block %d\", x);", "# headway is needed for this",
                           "// Headway, main author: nobody", "headway::kernel(scan);"}) {
    CAPTURE(line);
    CHECK(complaint(line) == "no error");
  }
}

TEST_CASE("kernel/directives: a launch of a kernel that is not there is an error") {
  const headway::testing::TemporaryFolder folder;
  const std::string file =
      folder
          .write("a.cu",
                 "// headway: kernel spin grid 2 expect error race\n"
                 "__global__ void spine(int* a) { while (atomicAdd(a, 0) == 0); }\n")
          .string();
  for (const char* command : {"check", "verify", "slice"}) {
    CAPTURE(command);
    const auto result = headway::testing::headway({command, file});
    CHECK(result.status == 2);
    CHECK(contains(result.err,
                   "a.cu:1:13: there is no kernel 'spin' in this file; did you mean 'spine'?"));
  }
}

TEST_CASE("kernel/directives: options have the text of directives") {
  CHECK(parse_extent("4") == Extent{4, 1, 1});
  CHECK(parse_extent("4,2,1") == Extent{4, 2, 1});
  CHECK(parse_argument("n=0xff").value->integer == 255);
  CHECK(parse_argument("n=18446744073709551615").value->integer == -1);
  CHECK(parse_argument("f=-.5e1").value->real == -5);
  CHECK(parse_argument("f=2.5f").value->real == 2.5);
  CHECK(parse_buffer("in=3:{1}").elements == 3);
  const SourcePosition option = {"--grid", 0, 0};
  CHECK(contains(complaint_of([&] { parse_extent("4,", option); }), "expected a size"));
  CHECK(
      contains(complaint_of([&] { parse_extent("4 4", option); }), "expected the end, found '4'"));
  CHECK(contains(complaint_of([&] { parse_argument("n=1.2.3", option); }), "expected a number"));
  CHECK(contains(complaint_of([&] { parse_argument("n=nan", option); }), "expected a number"));
  CHECK(contains(complaint_of([&] { parse_argument("n=-", option); }), "expected a number"));
  CHECK(contains(complaint_of([&] { parse_buffer("in", option); }), "expected '='"));
}

TEST_CASE("kernel/directives: the head of a test of GPUVerify") {
  const Directives pass = parse_directives(
      "//pass\n//--local_size=[8,4] --num_groups=2 --no-inline -DN=3 --warp-sync=32\n", "a.cl");
  REQUIRE(pass.launches.size() == 1);
  CHECK(pass.of_gpuverify);
  CHECK(pass.launches[0].block == Extent{8, 4, 1});
  CHECK(pass.launches[0].grid == Extent{2, 1, 1});
  CHECK(pass.launches[0].subgroup == 32);
  CHECK(pass.flags == std::vector<std::string>{"-DN=3"});
  REQUIRE(pass.launches[0].outcomes.size() == 1);
  CHECK(pass.launches[0].outcomes[0].outcome == Outcome::verified);

  const Directives fail =
      parse_directives("//xfail:BOOGIE_ERROR\n//--blockDim=64 --gridDim=[2,2]\n//a line\n", "a.cu");
  REQUIRE(fail.launches.size() == 1);
  CHECK(fail.launches[0].block == Extent{64, 1, 1});
  CHECK(fail.launches[0].outcomes[0].outcome == Outcome::violated);

  const Directives whole =
      parse_directives("//pass\n//--local_size=64 --global_size=256\n", "a.cl");
  CHECK(whole.launches[0].grid == Extent{4, 1, 1});
  CHECK(parse_directives("//xfail:BUGLE_ERROR\n//--blockDim=1\n", "a.cu")
            .launches[0]
            .outcomes.empty());
  CHECK(parse_directives("//pass\n__global__\n", "a.cu").launches.empty());
  CHECK(parse_directives("//pass\n//--blockDim=0 --gridDim=x\n", "a.cu").launches[0].block ==
        std::nullopt);
  // A directive of ours wins.
  const Directives ours = parse_directives("//pass\n//--blockDim=64\n// headway: grid 3\n", "a.cu");
  CHECK_FALSE(ours.of_gpuverify);
  CHECK(ours.launches[0].block == std::nullopt);
}
