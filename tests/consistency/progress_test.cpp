// Termination under memory and progress models at once: with sequentially consistent memory what
// the checker says, and otherwise what the field knows.
#include "consistency/progress.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <span>
#include <string>
#include <utility>

#include "checker/check.hpp"
#include "consistency/axb/translate.hpp"
#include "consistency/litmus/parse.hpp"
#include "consistency/models.hpp"
#include "lang/axb/program.hpp"
#include "models/library.hpp"
#include "support/budget.hpp"
#include "support/placed.hpp"
#include "synth/synthesize.hpp"

using namespace headway;
using namespace headway::consistency;
using Verdict = Termination::Verdict;

namespace {

Verdict ask(const std::string& text, const std::string& memory_model, const char* progress) {
  const Program program = litmus::parse("f", text);
  models::Library library;
  const auto found = termination(program, find_model(memory_model), {library.find(progress)});
  return found.verdicts.front();
}

}  // namespace

TEST_CASE("consistency/progress: with sequential consistency it is what the checker says") {
  models::Library library;
  const cat::Model sc = find_model("sc");
  OutcomeOptions options;
  options.traces.rounds = 1;  // what writes something else in each round is open whatever this is
  std::size_t number = 0, open = 0, passes = 0, fails = 0;
  for (const synth::Bounds& bounds :
       {synth::Bounds{2, 2, 2, 2}, synth::Bounds{2, 3, 2, 2}, synth::Bounds{3, 3, 2, 2},
        testing::placed({{2}, {1}}, 3), testing::placed({{1}, {2}}, 3)}) {
    const auto models = library.standard(bounds.topology());
    synth::Request request;
    request.bounds = {bounds};
    synth::synthesize(request, {}, [&](const synth::Batch& batch) {
      for (std::size_t i = 0; i < batch.size(); ++i) {
        if (number++ % testing::kShare != 0) continue;
        const lang::axb::Code code = synth::to_code(*batch.bounds, *batch.shape, batch.code(i));
        const auto expected = checker::Checker().check(lang::axb::AxbProgram(code), models);
        const Termination found =
            termination(axb::translate(code, "axb", "f", "C"), sc, models, options);
        for (std::size_t m = 0; m < models.size(); ++m) {
          const bool pass = expected.verdicts[m].weak == checker::Verdict::pass;
          if (found.verdicts[m] == Verdict::unknown) {
            ++open;
            continue;
          }
          (pass ? passes : fails) += 1;
          CHECK((found.verdicts[m] == Verdict::pass) == pass);
        }
      }
    });
  }
  // Open is a loop that writes something else than it finds, unless it fails.
  CHECK(open > 0);
  CHECK(passes > 400 / testing::kShare);
  CHECK(fails > 500 / testing::kShare);
}

// Two ranks meet: each resets its own end flag, tells the other one that it has started, and waits.
// The reset may become visible last, and wipes out what the other one has said.
TEST_CASE("consistency/progress: a start and an end barrier need their stores in order") {
  const auto meets = [](const char* order) {
    const auto rank = [&](const char* own, const char* other) {
      return fmt::format(
          "atomic_store_explicit(end{0}, 0, memory_order_relaxed); "
          "atomic_store_explicit(start{1}, 1, memory_order_{2}); "
          "while (atomic_load_explicit(start{0}, memory_order_acquire) == 0) {{}} "
          "atomic_store_explicit(end{1}, 1, memory_order_relaxed); "
          "while (atomic_load_explicit(end{0}, memory_order_relaxed) == 0) {{}}",
          own, other, order);
    };
    const char* parameters =
        "atomic_int* start0, atomic_int* start1, atomic_int* end0, atomic_int* end1";
    return fmt::format("C meets\n{{}}\nP0 ({}) {{ {} }}\nP1 ({}) {{ {} }}\nexists (start0=1)\n",
                       parameters, rank("0", "1"), parameters, rank("1", "0"));
  };
  CHECK(ask(meets("relaxed"), "sc", "fair") == Verdict::pass);
  CHECK(ask(meets("relaxed"), "rc11", "fair") == Verdict::fail);
  CHECK(ask(meets("release"), "rc11", "fair") == Verdict::pass);
  CHECK(ask(meets("release"), "rc11", "OBE") == Verdict::fail);
}

TEST_CASE("consistency/progress: a flag needs who sets it to start, and memory to show it") {
  const auto flag = [](const char* order) {
    return fmt::format(
        "C flag\n{{}}\nP0 (atomic_int* x) {{ atomic_store_explicit(x, 1, memory_order_{}); }}\n"
        "P1 (atomic_int* x) {{ while (atomic_load_explicit(x, memory_order_relaxed) == 0) {{}} "
        "}}\nexists (x=1)\n",
        order);
  };
  for (const char* memory_model : {"sc", "tso", "rc11"}) {
    CHECK(ask(flag("relaxed"), memory_model, "fair") == Verdict::pass);
    CHECK(ask(flag("relaxed"), memory_model, "HSA") == Verdict::pass);
    CHECK(ask(flag("relaxed"), memory_model, "OBE") == Verdict::fail);
    CHECK(ask(flag("relaxed"), memory_model, "unfair") == Verdict::fail);
  }
  // Store buffering with two flags: who sees the other one has not seen itself be last.
  const std::string dekker =
      "C dekker\n{}\n"
      "P0 (atomic_int* x, atomic_int* y) { atomic_store_explicit(x, 1, memory_order_relaxed); "
      "int a = atomic_load_explicit(y, memory_order_relaxed); "
      "if (a == 0) { while (atomic_load_explicit(y, memory_order_relaxed) == 0) {} } }\n"
      "P1 (atomic_int* x, atomic_int* y) { atomic_store_explicit(y, 1, memory_order_relaxed); "
      "int a = atomic_load_explicit(x, memory_order_relaxed); "
      "if (a == 0) { while (1) {} } }\nexists (x=1)\n";
  CHECK(ask(dekker, "sc", "fair") == Verdict::fail);  // P1 alone first
}

// A lock by exchanges: failed rounds leave what they find, and count as reads of the last write.
TEST_CASE("consistency/progress: locks that spin by exchanging") {
  const auto lock = [](const char* order, const std::string& unlock) {
    const std::string thread = fmt::format(
        "(atomic_int* m) {{ while (atomic_exchange_explicit(m, 1, memory_order_{})) {{}} {} }}\n",
        order, unlock);
    return "C lock\n{}\nP0 " + thread + "P1 " + thread + "exists (m=1)\n";
  };
  const std::string unlock = "atomic_store_explicit(m, 0, memory_order_release);";
  const std::pair<const char*, const char*> locks[] = {{"rc11", "acquire"}, {"sc", "acquire"},
                                                       {"tso", "acquire"},  {"c11", "acquire"},
                                                       {"rc11", "relaxed"}, {"rc11", "seq_cst"}};
  for (const auto& [memory_model, order] : std::span(locks).first(testing::kShare == 1 ? 6 : 1)) {
    const std::string place = std::string(memory_model) + " " + order;
    CAPTURE(place);
    CHECK(ask(lock(order, unlock), memory_model, "fair") == Verdict::pass);
    CHECK(ask(lock(order, unlock), memory_model, "OBE") == Verdict::pass);
    CHECK(ask(lock(order, unlock), memory_model, "unfair") == Verdict::fail);
    CHECK(ask(lock(order, ""), memory_model, "fair") == Verdict::fail);
  }
  // Who exchanges something else writes for ever.
  const std::string other =
      "C other\n{}\nP0 (atomic_int* m) { while (atomic_exchange(m, 1) != 5) {} }\n"
      "P1 (atomic_int* m) { while (atomic_exchange(m, 2) != 5) {} }\nexists (m=1)\n";
  CHECK(ask(other, "rc11", "fair") != Verdict::pass);
  // A plain access may see the chain in other ways.
  const std::string plain =
      "C plain\n{}\nP0 (atomic_int* m) { while (atomic_exchange(m, 1)) {} "
      "atomic_store(m, 0); }\nP1 (int* m) { int r = *m; }\nexists (m=0)\n";
  CHECK(ask(plain, "rc11", "fair") == Verdict::unknown);
}

TEST_CASE(
    "consistency/progress: spinning in OpenCL and Vulkan is decided where scopes take in all") {
  const auto opencl = [](const char* scope) {
    const std::string body = fmt::format(
        "(global atomic_int* m) {{ while (atomic_exchange_explicit(m, 1, memory_order_acquire, "
        "{0})) "
        "{{}} atomic_store_explicit(m, 0, memory_order_release, {0}); }}\n",
        scope);
    return "OPENCL lock\n{}\nP0@wg 0, dev 0 " + body + "P1@wg 1, dev 0 " + body + "exists (m=0)\n";
  };
  CHECK(ask(opencl("memory_scope_device"), "opencl", "fair") == Verdict::pass);
  CHECK(ask(opencl("memory_scope_device"), "opencl", "OBE") == Verdict::pass);
  CHECK(ask(opencl("memory_scope_device"), "opencl", "unfair") == Verdict::fail);
  CHECK(ask(opencl("memory_scope_work_group"), "opencl", "fair") == Verdict::unknown);
  const auto vulkan = [](const char* scope) {
    return fmt::format(
        "VULKAN lock\n{{ m=0; }}\n P0@sg 0,wg 0,qf 0 | P1@sg 0,wg 1,qf 0 ;\n"
        " A: rmw.atom.acq.{0}.sc0.semsc0 r0, m, 1 bne r0, 0, A st.atom.rel.{0}.sc0.semsc0 m, 0 |"
        " A: rmw.atom.acq.{0}.sc0.semsc0 r0, m, 1 bne r0, 0, A st.atom.rel.{0}.sc0.semsc0 m, 0 ;\n"
        "exists (m=0)\n",
        scope);
  };
  CHECK(ask(vulkan("dv"), "vulkan", "fair") == Verdict::pass);
  CHECK(ask(vulkan("dv"), "vulkan", "OBE") == Verdict::pass);
  CHECK(ask(vulkan("dv"), "vulkan", "HSA") == Verdict::fail);
  CHECK(ask(vulkan("wg"), "vulkan", "fair") == Verdict::unknown);
  // In PTX the write of an exchange does not depend on its read.
  const std::string ptx =
      "PTX lock\n{ m=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
      " A: atom.acquire.gpu.exch r0, m, 1 bne r0, 0, A st.release.gpu m, 0 |"
      " A: atom.acquire.gpu.exch r0, m, 1 bne r0, 0, A st.release.gpu m, 0 ;\nexists (m=0)\n";
  CHECK(ask(ptx, "ptx", "fair") == Verdict::unknown);
}

TEST_CASE("consistency/progress: what is not decided says so") {
  const Program bar =
      litmus::parse("f",
                    "PTX bar\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n bar.cta.sync 0 | "
                    "bar.cta.sync 0 ;\nexists (x == 0)\n");
  models::Library library;
  const auto found = termination(bar, find_model("ptx6"), {library.find("fair")});
  CHECK(found.verdicts.front() == Verdict::unknown);
  CHECK(found.cut == "whether it ends is not decided with barriers");
}
