// What models allow, of tests that the field knows.
#include "consistency/outcomes.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "consistency/litmus/parse.hpp"
#include "consistency/models.hpp"
#include "support/errors.hpp"

using namespace headway;
using namespace headway::consistency;

namespace {

Outcomes ask(const std::string& text, const std::string& model) {
  const Program program = litmus::parse("f", text);
  return outcomes(program, find_model(model));
}

std::string store(const std::string& place, int value, const std::string& order) {
  return fmt::format("atomic_store_explicit({}, {}, memory_order_{});", place, value, order);
}
std::string load(const std::string& target, const std::string& place, const std::string& order) {
  return fmt::format("int {} = atomic_load_explicit({}, memory_order_{});", target, place, order);
}
std::string fence(const std::string& order) {
  return fmt::format("atomic_thread_fence(memory_order_{});", order);
}

// Threads of C over atomic x, y, z.
std::string c_test(const std::vector<std::string>& threads, const std::string& condition) {
  std::string text = "C t\n{}\n";
  for (std::size_t t = 0; t < threads.size(); ++t) {
    text +=
        fmt::format("P{} (atomic_int* x, atomic_int* y, atomic_int* z) {{ {} }}\n", t, threads[t]);
  }
  return text + condition + "\n";
}

struct Row {
  std::string name, text;
  std::string allowed_by;  // models, with blanks between them
};

}  // namespace

TEST_CASE("consistency/outcomes: what sc, tso and rc11 allow of tests that the field knows") {
  const std::string rlx = "relaxed", acq = "acquire", rel = "release", sc = "seq_cst";
  const auto sb = [&](const std::string& w, const std::string& r, const std::string& between) {
    return c_test({store("x", 1, w) + between + load("a", "y", r),
                   store("y", 1, w) + between + load("a", "x", r)},
                  "exists (0:a=0 /\\ 1:a=0)");
  };
  const auto mp = [&](const std::string& w, const std::string& r) {
    return c_test({store("x", 1, rlx) + store("y", 1, w), load("a", "y", r) + load("b", "x", rlx)},
                  "exists (1:a=1 /\\ 1:b=0)");
  };
  const auto iriw = [&](const std::string& w, const std::string& r) {
    return c_test({store("x", 1, w), store("y", 1, w), load("a", "x", r) + load("b", "y", r),
                   load("a", "y", r) + load("b", "x", r)},
                  "exists (2:a=1 /\\ 2:b=0 /\\ 3:a=1 /\\ 3:b=0)");
  };
  const std::vector<Row> rows = {
      {"SB", sb(rlx, rlx, ""), "tso rc11"},
      {"SB+ra", sb(rel, acq, ""), "tso rc11"},
      {"SB+sc", sb(sc, sc, ""), ""},
      {"SB+fences", sb(rlx, rlx, fence(sc)), ""},
      {"SB+acq_rel fences", sb(rlx, rlx, fence("acq_rel")), "tso rc11"},
      {"MP", mp(rlx, rlx), "rc11"},
      {"MP+ra", mp(rel, acq), ""},
      {"MP+rel alone", mp(rel, rlx), "rc11"},
      {"MP+acq alone", mp(rlx, acq), "rc11"},
      {"MP+fences",
       c_test({store("x", 1, rlx) + fence(rel) + store("y", 1, rlx),
               load("a", "y", rlx) + fence(acq) + load("b", "x", rlx)},
              "exists (1:a=1 /\\ 1:b=0)"),
       ""},
      {"LB",
       c_test({load("a", "y", rlx) + store("x", 1, rlx), load("a", "x", rlx) + store("y", 1, rlx)},
              "exists (0:a=1 /\\ 1:a=1)"),
       ""},
      {"2+2W",
       c_test({store("x", 1, rlx) + store("y", 2, rlx), store("y", 1, rlx) + store("x", 2, rlx)},
              "exists (x=1 /\\ y=1)"),
       "rc11"},
      {"2+2W+sc",
       c_test({store("x", 1, sc) + store("y", 2, sc), store("y", 1, sc) + store("x", 2, sc)},
              "exists (x=1 /\\ y=1)"),
       ""},
      {"IRIW", iriw(rlx, rlx), "rc11"},
      {"IRIW+ra", iriw(rel, acq), "rc11"},
      {"IRIW+sc", iriw(sc, sc), ""},
      {"CoRR",
       c_test({store("x", 1, rlx), load("a", "x", rlx) + load("b", "x", rlx)},
              "exists (1:a=1 /\\ 1:b=0)"),
       ""},
      {"WRC+ra",
       c_test({store("x", 1, rlx), load("a", "x", rlx) + store("y", 1, rel),
               load("a", "y", acq) + load("b", "x", rlx)},
              "exists (1:a=1 /\\ 2:a=1 /\\ 2:b=0)"),
       ""},
      {"WRC",
       c_test({store("x", 1, rlx), load("a", "x", rlx) + store("y", 1, rlx),
               load("a", "y", acq) + load("b", "x", rlx)},
              "exists (1:a=1 /\\ 2:a=1 /\\ 2:b=0)"),
       "rc11"},
      {"release sequence",
       c_test({store("x", 1, rlx) + store("y", 1, rel),
               "atomic_fetch_add_explicit(y, 1, memory_order_relaxed);",
               load("a", "y", acq) + load("b", "x", rlx)},
              "exists (2:a=2 /\\ 2:b=0)"),
       ""},
      {"broken release sequence",
       c_test({store("x", 1, rlx) + store("y", 1, rel), store("y", 2, rlx),
               load("a", "y", acq) + load("b", "x", rlx)},
              "exists (2:a=2 /\\ 2:b=0)"),
       "sc tso rc11"},
      {"two updates take turns",
       c_test({"atomic_fetch_add(x, 1);", "atomic_fetch_add_explicit(x, 1, memory_order_relaxed);"},
              "exists (x=1)"),
       ""}};
  for (const Row& row : rows) {
    for (const char* model : {"sc", "tso", "rc11"}) {
      CAPTURE(row.name);
      CAPTURE(model);
      const Outcomes found = ask(row.text, model);
      CHECK(found.cut.empty());
      const std::string padded = " " + row.allowed_by + " ";
      CHECK((found.positive > 0) == (padded.find(fmt::format(" {} ", model)) != std::string::npos));
    }
  }
}

TEST_CASE("consistency/outcomes: a plain access that synchronization does not order is a race") {
  const auto mp = [](const char* order_of_store, const char* guard) {
    return fmt::format(
        "C mp\n{{}}\nP0 (int* x, atomic_int* y) {{ *x = 1; "
        "atomic_store_explicit(y, 1, memory_order_{}); }}\n"
        "P1 (int* x, atomic_int* y) {{ int b = 1; "
        "int a = atomic_load_explicit(y, memory_order_acquire); {} b = *x; }}\n"
        "exists (1:a=1 /\\ 1:b=0)\n",
        order_of_store, guard);
  };
  CHECK(ask(mp("release", "if (a == 1)"), "rc11").flagged.empty());
  CHECK(ask(mp("relaxed", "if (a == 1)"), "rc11").flagged.contains("race"));
  CHECK(ask(mp("release", ""), "rc11").flagged.contains("race"));
}

TEST_CASE("consistency/outcomes: loops that wait are left when what they wait for is there") {
  const std::string waits =
      "C waits\n{}\nP0 (int* x, atomic_int* y) { *x = 1; "
      "atomic_store_explicit(y, 1, memory_order_release); }\n"
      "P1 (int* x, atomic_int* y) { "
      "while (atomic_load_explicit(y, memory_order_acquire) == 0) {} int a = *x; }\n"
      "forall (1:a=1)\n";
  const Outcomes found = ask(waits, "rc11");
  CHECK(found.cut.empty());
  CHECK(found.observation() == "Always");
  CHECK(found.flagged.empty());
  const auto spins = [](const char* update) {
    return fmt::format(
        "C spins\n{{}}\nP0 (atomic_int* l) {{ int a = 1; while (a) {{ "
        "a = {}_explicit(l, 1, memory_order_acquire); }} }}\n"
        "P1 (atomic_int* l) {{ atomic_store_explicit(l, 0, memory_order_release); }}\n"
        "forall (0:a=0)\n",
        update);
  };
  // Rounds that leave what they find are left out, too.
  const Outcomes exchanges = ask(spins("atomic_exchange"), "rc11");
  CHECK(exchanges.cut.empty());
  CHECK(exchanges.observation() == "Always");
  // A loop that writes something else is left after some rounds, and says so; what was found still
  // counts.
  const std::string adds = spins("atomic_fetch_add");
  const Outcomes cut = ask(adds, "rc11");
  CHECK(cut.cut == "a loop of P0 that writes was left after 3 rounds");
  CHECK(cut.positive > 0);
  CHECK_FALSE(cut.decides(litmus::parse("f", adds)));
}

TEST_CASE("consistency/outcomes: threads that wait for each other in turn come to their ends") {
  const std::string turns =
      "C turns\n{}\nP0 (atomic_int* x, atomic_int* y) { atomic_store(x, 1); "
      "while (atomic_load(y) == 0) {} atomic_store(x, 2); }\n"
      "P1 (atomic_int* x, atomic_int* y) { while (atomic_load(x) == 0) {} atomic_store(y, 1); "
      "while (atomic_load(x) == 1) {} }\nforall (x=2 /\\ y=1)\n";
  for (const char* model : {"sc", "tso", "rc11"}) {
    const Outcomes found = ask(turns, model);
    CHECK(found.cut.empty());
    CHECK(found.positive > 0);
    CHECK(found.negative == 0);
  }
}

TEST_CASE("consistency/outcomes: PTX knows scopes, and orders no writes that race") {
  const auto mp = [](const char* scope, int block) {
    return fmt::format(
        "PTX mp\n{{ x=0; y=0; }}\n P0@cta 0,gpu 0 | P1@cta {},gpu 0 ;\n"
        " st.weak x, 1 | LC: ;\n st.release.{} y, 1 | ld.acquire.{} r0, y ;\n"
        " | bne r0, 1, LC ;\n | ld.weak r1, x ;\nexists (1:r1 == 0)\n",
        block, scope, scope);
  };
  CHECK(ask(mp("gpu", 1), "ptx6").positive == 0);
  CHECK(ask(mp("cta", 0), "ptx6").positive == 0);
  CHECK(ask(mp("cta", 1), "ptx6").positive > 0);
  CHECK(ask(mp("cta", 1), "ptx6").flagged.contains("race"));
  CHECK(ask(mp("gpu", 1), "ptx6").flagged.empty());
  const auto sb = [](const char* fence) {
    return fmt::format(
        "PTX sb\n{{ x=0; y=0; }}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
        " st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;\n {} | {} ;\n"
        " ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\nexists (0:r0 == 0 /\\ 1:r0 == 0)\n",
        fence, fence);
  };
  CHECK(ask(sb("fence.sc.gpu"), "ptx6").positive == 0);
  CHECK(ask(sb("fence.sc.cta"), "ptx6").positive > 0);
  CHECK(ask(sb("fence.acq_rel.gpu"), "ptx6").positive > 0);
  // Updates of different scopes need not see each other.
  const auto both_add = [](const char* scope) {
    return fmt::format(
        "PTX add\n{{ x=0; }}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
        " atom.relaxed.{}.add r0, x, 1 | atom.relaxed.{}.add r0, x, 1 ;\nexists (x == 1)\n",
        scope, scope);
  };
  CHECK(ask(both_add("gpu"), "ptx6").positive == 0);
  CHECK(ask(both_add("cta"), "ptx6").positive > 0);
  const auto meets = [](int other) {
    return fmt::format(
        "PTX bar\n{{ x=0; }}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
        " st.weak x, 1 | bar.cta.sync {} ;\n bar.cta.sync 0 | ld.weak r0, x ;\n"
        "exists (1:r0 == 0)\n",
        other);
  };
  CHECK(ask(meets(0), "ptx6").negative > 0);
  CHECK(ask(meets(0), "ptx6").positive == 0);
  CHECK(ask(meets(1), "ptx6").states.empty());  // nobody comes to the barrier of the other one
}

TEST_CASE("consistency/outcomes: more events than fit are refused") {
  std::string many = "C many\n{}\nP0 (atomic_int* x) {";
  for (int i = 0; i < 70; ++i) many += " atomic_store(x, 1);";
  const Outcomes found = ask(many + " }\nexists (x=1)\n", "sc");
  CHECK(found.cut == "P0 has more than 64 events");
  CHECK_FALSE(found.decides(litmus::parse("f", many + " }\nexists (x=1)\n")));
}
