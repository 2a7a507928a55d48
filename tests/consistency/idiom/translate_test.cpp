// Programs of the idiom language under memory models: what litmus tests of herd's languages say
// that are written for the same, and what goes wrong in them.
#include "consistency/idiom/translate.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "consistency/litmus/parse.hpp"
#include "consistency/models.hpp"
#include "consistency/outcomes.hpp"
#include "consistency/progress.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/errors.hpp"

using namespace headway;
using namespace headway::consistency;
using headway::testing::complaint_of;
using headway::testing::contains;
using Verdict = Termination::Verdict;

namespace {

Program idiom_program(const std::string& text, const std::string& language) {
  return idiom::translate(lang::parse(text, "f.litmus"), "f.litmus", language);
}

// "error", the flag, or "fine".
std::string said(const Program& program, const std::string& model) {
  const Outcomes found = outcomes(program, find_model(model));
  CHECK(found.cut.empty());
  if (found.error) return "error";
  return found.flagged.empty() ? "fine" : found.flagged.begin()->first;
}
std::string said_of_litmus(const std::string& text, const std::string& model) {
  const Program program = litmus::parse("f", text);
  const Outcomes found = outcomes(program, find_model(model));
  CHECK(found.cut.empty());
  if (!found.holds(program)) return "error";
  return found.flagged.empty() ? "fine" : found.flagged.begin()->first;
}

// An order of the idiom language, and how a language of litmus tests writes it.
struct Written {
  std::string order, litmus;
};
struct Words {
  std::string language;
  std::vector<std::string> models;
  std::vector<Written> loads, stores, fences;
};

const std::vector<Words>& all_words() {
  static const std::vector<Words> words = {
      {"C",
       {"sc", "tso", "rc11", "c11"},
       {{"relaxed", "relaxed"}, {"acquire", "acquire"}, {"seq_cst", "seq_cst"}},
       {{"relaxed", "relaxed"}, {"release", "release"}, {"seq_cst", "seq_cst"}},
       {{"acquire", "acquire"},
        {"release", "release"},
        {"acq_rel", "acq_rel"},
        {"seq_cst", "seq_cst"}}},
      {"PTX",
       {"ptx6", "ptx"},
       {{"plain", "weak"},
        {"relaxed", "relaxed.gpu"},
        {"acquire", "acquire.gpu"},
        {"acquire, workgroup", "acquire.cta"},
        {"relaxed, system", "relaxed.sys"}},
       {{"plain", "weak"},
        {"relaxed", "relaxed.gpu"},
        {"release", "release.gpu"},
        {"release, workgroup", "release.cta"}},
       {{"acq_rel", "acq_rel.gpu"}, {"seq_cst", "sc.gpu"}, {"seq_cst, workgroup", "sc.cta"}}},
      {"VULKAN",
       {"vulkan"},
       {{"plain", "nonpriv.sc0"},
        {"relaxed", "atom.qf.sc0"},
        {"acquire", "atom.acq.qf.sc0.semsc0.semsc1.semvis"},
        {"acquire, workgroup", "atom.acq.wg.sc0.semsc0.semsc1.semvis"}},
       {{"plain", "nonpriv.sc0"},
        {"relaxed", "atom.qf.sc0"},
        {"release", "atom.rel.qf.sc0.semsc0.semsc1.semav"}},
       {{"acq_rel", "acq_rel.qf.semsc0.semsc1.semav.semvis"}}}};
  return words;
}

}  // namespace

TEST_CASE("consistency/idiom: two accesses and a fence mean what they mean in litmus tests") {
  // Message passing, store buffering and load buffering, with orders of the second accesses.
  std::size_t compared = 0;
  std::map<std::string, std::size_t> answers;
  for (const Words& words : all_words()) {
    const auto load = [&](const std::string& strength, int target, const std::string& location) {
      return words.language == "C"
                 ? fmt::format("int r{} = atomic_load_explicit({}, memory_order_{});", target,
                               location, strength)
                 : fmt::format("ld.{} r{}, {}", strength, target, location);
    };
    const auto store = [&](const std::string& strength, const std::string& location) {
      return words.language == "C"
                 ? fmt::format("atomic_store_explicit({}, 1, memory_order_{});", location, strength)
                 : fmt::format("st.{} {}, 1", strength, location);
    };
    const auto fence = [&](const std::string& strength) {
      return words.language == "C" ? fmt::format("atomic_thread_fence(memory_order_{});", strength)
             : words.language == "PTX" ? "fence." + strength
                                       : "membar." + strength;
    };
    const std::string place0 = words.language == "PTX"      ? "@cta 0,gpu 0"
                               : words.language == "VULKAN" ? "@sg 0,wg 0,qf 0"
                                                            : "";
    const std::string place1 = words.language == "PTX"      ? "@cta 1,gpu 0"
                               : words.language == "VULKAN" ? "@sg 0,wg 1,qf 0"
                                                            : "";
    const auto whole = [&](const std::vector<std::string>& first,
                           const std::vector<std::string>& second, const std::string& never) {
      std::string text = words.language + " t\n{}\n";
      if (words.language == "C") {
        text += fmt::format("P0 (atomic_int* x, atomic_int* y) {{\n  {}\n}}\n",
                            fmt::join(first, "\n  "));
        text += fmt::format("P1 (atomic_int* x, atomic_int* y) {{\n  {}\n}}\n",
                            fmt::join(second, "\n  "));
      } else {
        text += fmt::format(" P0{} | P1{} ;\n", place0, place1);
        for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
          text += fmt::format(" {} | {} ;\n", i < first.size() ? first[i] : "",
                              i < second.size() ? second[i] : "");
        }
      }
      return text + "~exists (" + never + ")\n";
    };
    const Written none = {"", ""};
    std::vector<Written> fences = words.fences;
    fences.push_back(none);
    const Written& relaxed_load = words.language == "C" ? words.loads[0] : words.loads[1];
    const Written& relaxed_store = words.language == "C" ? words.stores[0] : words.stores[1];
    for (const Written& writes : words.stores) {
      for (const Written& reads : words.loads) {
        for (const Written& between : fences) {
          const auto fenced = [&](std::vector<std::string> lines) {
            if (!between.order.empty()) lines.insert(lines.begin() + 1, fence(between.litmus));
            return lines;
          };
          const std::string put =
              between.order.empty() ? "" : fmt::format("fence({});", between.order);
          const std::string passing = fmt::format(
              "shared bool x, y;\nthread 0 {{ store(x, 1); {0} store(y, 1, {1}); }}\n"
              "thread 1 {{ bool a = load(y, {2}); {0} bool b = load(x); assert(!(a && !b)); }}\n",
              put, writes.order, reads.order);
          const std::string buffering = fmt::format(
              "shared bool x, y;\nshared bool a, b;\n"
              "thread 0 {{ store(x, 1, {1}); {0} bool r = load(y, {2}); store(a, r); }}\n"
              "thread 1 {{ store(y, 1, {1}); {0} bool r = load(x, {2}); store(b, r); }}\n"
              "final {{ assert(load(a) || load(b)); }}\n",
              put, writes.order, reads.order);
          const std::string passing_litmus =
              whole(fenced({store(relaxed_store.litmus, "x"), store(writes.litmus, "y")}),
                    fenced({load(reads.litmus, 0, "y"), load(relaxed_load.litmus, 1, "x")}),
                    "1:r0 = 1 /\\ 1:r1 = 0");
          const std::string buffering_litmus =
              whole(fenced({store(writes.litmus, "x"), load(reads.litmus, 0, "y")}),
                    fenced({store(writes.litmus, "y"), load(reads.litmus, 0, "x")}),
                    "0:r0 = 0 /\\ 1:r0 = 0");
          for (const std::string& model : words.models) {
            CAPTURE(model);
            CAPTURE(passing);
            const std::string one = said(idiom_program(passing, words.language), model);
            CHECK(one == said_of_litmus(passing_litmus, model));
            CAPTURE(buffering);
            const std::string other = said(idiom_program(buffering, words.language), model);
            CHECK(other == said_of_litmus(buffering_litmus, model));
            ++answers[one];
            ++answers[other];
            compared += 2;
          }
        }
      }
    }
  }
  CHECK(compared > 500);
  // None of the answers is that of all.
  CHECK(answers["fine"] > 50);
  CHECK(answers["error"] > 50);
  CHECK(answers["race"] > 20);
}

TEST_CASE("consistency/idiom: what goes wrong is told with its line") {
  const auto fault = [](const std::string& text) {
    const Outcomes found = outcomes(idiom_program(text, "C"), find_model("sc"));
    return found.error ? found.fault : std::string("fine");
  };
  CHECK(fault("shared bool x;\nthread 0 {\n assert(load(x)); }\nthread 1 { store(x, 1); }\n") ==
        "line 3, assert(load(x));: the assertion does not hold");
  CHECK(fault("shared int(0..1) x;\nthreads 0..1 { fetch_add(x, 1); }\n") ==
        "line 2, fetch_add(x, 1);: a value out of the range of x, 0 to 1");
  CHECK(fault("shared wrap int(0..1) x;\nthread 0 { fetch_add(x, 1); }\n"
              "thread 1 { fetch_add(x, 1); }\nfinal { assert(load(x) == 0); }") == "fine");
  CHECK(fault("shared int(0..2) i;\nshared bool a[2];\nthread 0 { store(i, 2); }\n"
              "thread 1 {\n int(0..2) r = load(i);\n store(a[r], 1); }\n") ==
        "line 6, store(a[r], 1);: an index out of bounds: a has 2 elements");
  // Not where it is not computed.
  CHECK(fault("shared int(0..2) i;\nshared bool a[2];\nthread 0 { store(i, 2); }\n"
              "thread 1 { int(0..2) r = load(i); if (r < 2) { store(a[r], 1); } }\n") == "fine");
  CHECK(fault("shared int(0..2) i;\nthread 0 { store(i, 2); }\n"
              "thread 1 { int(0..2) r = load(i); bool p[2]; bool q = r < 2 && p[r]; }\n") ==
        "fine");
  CHECK(fault("shared int(0..2) i;\nthread 0 { store(i, 2); }\nthread 1 {\n int(0..1) r = "
              "load(i); }\n") ==
        "line 4, int(0..1) r = load(i);: a value out of the range of r, "
        "0 to 1");
  CHECK(fault("shared bool x;\nthread 0 { store(x, 1); }\nfinal {\n assert(!load(x)); }\n") ==
        "line 4, assert(!load(x));: the assertion does not hold");
}

TEST_CASE("consistency/idiom: a wait is asked whether it ends") {
  models::Library library;
  const auto ends = [&](const std::string& text, const char* memory, const char* progress) {
    const Program program = idiom_program(text, "C");
    return termination(program, find_model(memory), {library.find(progress)}).verdicts.front();
  };
  const char* flag =
      "shared bool f;\nthread 0 { store(f, 1); }\nthread 1 { while (!load(f, acquire)); }\n";
  CHECK(ends(flag, "rc11", "HSA") == Verdict::pass);
  CHECK(ends(flag, "rc11", "OBE") == Verdict::fail);
  // A loop that is come to in its middle.
  const char* middle =
      "shared bool x;\nthread 0 { goto B; A: while (load(x)); B: if (exch(x, 1)) goto A; }\n";
  CHECK(ends(middle, "sc", "fair") == Verdict::pass);
  // What a rank clears may wipe out what the other has said, if nothing orders the two.
  const std::string ranks =
      "shared bool start[2], over[2];\nthreads 0..1 {{\n  store(over[tid], 0);\n"
      "  store(start[1 - tid], 1{});\n  while (!load(start[tid], acquire));\n"
      "  store(over[1 - tid], 1);\n  while (!load(over[tid]));\n}}\n";
  CHECK(ends(fmt::format(fmt::runtime(ranks), ""), "sc", "fair") == Verdict::pass);
  CHECK(ends(fmt::format(fmt::runtime(ranks), ""), "rc11", "fair") == Verdict::fail);
  CHECK(ends(fmt::format(fmt::runtime(ranks), ", release"), "rc11", "fair") == Verdict::pass);
}

TEST_CASE("consistency/idiom: what is not read is refused with its line") {
  const auto complaint = [](const std::string& text, const std::string& language = "C") {
    return complaint_of([&] { idiom_program(text, language); });
  };
  CHECK(contains(complaint("shared bool x;\nthread 0 {\n bool r = choose(0..1); }\n"),
                 "3:1: a choice is not read with --memory"));
  CHECK(contains(complaint("idiom t\n1 workgroup of 2 threads;\nshared bool x;\nthreads {\n"
                           " barrier(workgroup); }\n"),
                 "5:1: a barrier is not read with --memory"));
  CHECK(contains(complaint("shared bool x;\nthread 0 {\n bool r = weak_cas(x, 0, 1); }\n"),
                 "'weak_cas' chooses whether it fails"));
  CHECK(contains(complaint("shared bool x;\nthread 0 {\n await(load(x) == 1); }\n"),
                 "3:1: an await is not read"));
  CHECK(contains(complaint("shared bool x;\nthread 0 {\n store(x, 1, seq_cst); }\n", "PTX"),
                 "accesses of PTX have no order 'seq_cst'"));
  CHECK(contains(complaint("shared bool x;\nthread 0 {\n store(x, 1, release, workgroup); }\n"),
                 "memory models of C know no scope 'workgroup'"));
  CHECK(contains(complaint("shared int(0..4) x;\nthread 0 {\n int(0..4) r = load(x);\n"
                           " int(0..4) q = 4 / r; }\n"),
                 "4:1: expected a division by a number that is not 0 here"));
}
