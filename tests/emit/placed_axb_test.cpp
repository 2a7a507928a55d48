// Tests of AXB instructions in groups, as programs of the idiom language.
#include "emit/placed_axb.hpp"

#include <doctest/doctest.h>

#include "checker/check.hpp"
#include "emit/emit.hpp"
#include "emit/lower.hpp"
#include "lang/axb/source.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/errors.hpp"
#include "support/placed.hpp"
#include "synth/synthesize.hpp"

using namespace headway;
using testing::placed;
namespace axb = lang::axb;

namespace {

// One in so many of the tests within bounds, and all that have barriers.
std::vector<axb::Code> some_tests(const synth::Bounds& bounds, std::size_t every) {
  synth::Request request;
  request.bounds = {bounds};
  std::vector<axb::Code> result;
  std::size_t number = 0;
  synth::synthesize(request, {}, [&](const synth::Batch& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      axb::Code code = synth::to_code(*batch.bounds, *batch.shape, batch.code(i));
      if (code.has_barriers() || number++ % every == 0) result.push_back(std::move(code));
    }
  });
  return result;
}

}  // namespace

TEST_CASE("emit/placed_axb: a test and its program have the same verdicts under all models") {
  const synth::Bounds::Barriers workgroup{.workgroup = true};
  const synth::Bounds::Barriers both{.workgroup = true, .subgroup = true};
  std::size_t structured = 0, others = 0;
  for (const synth::Bounds& bounds :
       {placed({{2}}, 4, workgroup, 1),
        placed({{2}}, 4, {.workgroup = true, .ended_count = true}, 1),
        placed({{2}, {2}}, 4, workgroup, 1), placed({{1, 1}}, 4, workgroup, 1),
        placed({{2, 2}}, 4, both, 1), placed({{3}}, 4, workgroup, 1)}) {
    const auto models = models::Library().standard(bounds.topology());
    for (const axb::Code& code : some_tests(bounds, 23)) {
      const lang::Test test = axb::make_test(code, "a test");
      const lang::Test idiom = emit::as_idiom(code, test.name);
      (is_structured(code) ? structured : others) += code.has_barriers() ? 1 : 0;
      const auto by_axb = checker::Checker().check(*lang::make_program(test), models).verdicts;
      const auto by_idiom = checker::Checker().check(*lang::make_program(idiom), models).verdicts;
      if (by_axb == by_idiom) continue;
      CAPTURE(lang::print(test));
      CAPTURE(lang::print(idiom));
      CHECK(by_axb == by_idiom);
    }
  }
  CHECK(structured > 20);
  CHECK(others > 20);
}

TEST_CASE("emit/placed_axb: what is structured is written for targets with uniform barriers") {
  std::size_t written = 0;
  for (const synth::Bounds& bounds :
       {placed({{2}}, 4, {.workgroup = true, .structured = true}, 1),
        placed({{2}, {2}}, 5, {.workgroup = true, .structured = true}, 1)}) {
    for (const axb::Code& code : some_tests(bounds, 400)) {
      const lang::Test test = axb::make_test(code, "a test");
      // GLSL and WGSL have no goto, and behind a label nobody knows who comes by together.
      const std::string idiom = lang::print(emit::as_idiom(code, test.name));
      const bool jumps =
          idiom.find("goto") != std::string::npos || idiom.find("return") != std::string::npos;
      if (jumps) continue;
      ++written;
      for (const emit::Target target :
           {emit::Target::cuda, emit::Target::opencl, emit::Target::metal, emit::Target::vulkan,
            emit::Target::webgpu}) {
        CAPTURE(lang::print(test));
        CHECK_NOTHROW(emit::emit(emit::lower(test, emit::Mapping::plain, 1), target));
      }
    }
  }
  CHECK(written > 10);
}

TEST_CASE("emit/placed_axb: locations keep their names, and the size is that of the test") {
  const auto exported = [](const std::string& location) {
    const lang::Test test =
        lang::parse("litmus t locations " + location + ", flag; workgroup 0 { thread 0 { " +
                        location + " = 1; } thread 1 { while (Load(flag) == 1); } }",
                    "f");
    return emit::emit(emit::lower(test, emit::Mapping::plain, 1), emit::Target::cuda);
  };
  const std::string text = exported("go");
  CHECK(text.starts_with("// t: 1 workgroup of 2 threads, 2 instructions\n"));
  CHECK(text.find("store(go, 1)") != std::string::npos);
  CHECK(text.find("LOC_flag") != std::string::npos);
  // Words that the idiom language has, or that the program defines.
  for (const char* taken : {"lane", "load", "barrier", "T0_1", "tid"}) {
    CAPTURE(taken);
    CHECK(exported(taken).find("LOC_x0") != std::string::npos);
  }
}

TEST_CASE("emit/placed_axb: a barrier in the way is said before a label") {
  const lang::Test test = lang::parse(
      "litmus t locations x; workgroup 0 { thread 0 { if (Load(x) == 0) goto M; "
      "barrier(workgroup); M: x = 1; } thread 1 { if (Load(x) == 0) goto M; barrier(workgroup); "
      "M: x = 1; } }",
      "f");
  const auto complaint = [&](emit::Target target) {
    return testing::complaint_of(
        [&] { emit::emit(emit::lower(test, emit::Mapping::plain, 1), target); });
  };
  for (const emit::Target target :
       {emit::Target::vulkan, emit::Target::metal, emit::Target::webgpu, emit::Target::opencl}) {
    CHECK(complaint(target).find("what a barrier does that not all threads") != std::string::npos);
  }
}

TEST_CASE("emit/placed_axb: groups of several shapes are refused") {
  axb::Code code;
  code.locations = {{"x", 0}};
  code.threads.resize(3);
  for (axb::Thread& thread : code.threads) thread.instructions.push_back({0, 0, 1, true, 1});
  place(code, Topology::placed({{2}, {1}}));
  CHECK(testing::complaint_of([&] { emit::as_idiom(code, "uneven"); }) ==
        "0:0: uneven cannot be exported: its groups are not of one shape (2|1), and devices launch "
        "equal ones");
}
