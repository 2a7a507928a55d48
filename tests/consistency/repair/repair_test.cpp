// The weakest orders of litmus tests: those that the field knows, and those that are left when
// every choice is tried.
#include "consistency/repair/repair.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "consistency/litmus/parse.hpp"
#include "consistency/models.hpp"
#include "consistency/outcomes.hpp"
#include "consistency/repair/points.hpp"
#include "models/library.hpp"

using namespace headway;
using namespace headway::consistency;
using headway::testing::all_points;
using litmus::Choice;
using litmus::parse;

namespace {

Repair repaired(const std::string& text, const std::vector<std::string>& memory,
                const std::vector<std::string>& progress = {}) {
  std::vector<cat::Model> models;
  for (const std::string& name : memory) models.push_back(find_model(name));
  RepairQuestion question{
      text,
      [](const std::string& of, std::vector<Choice>* choices) { return parse("f", of, choices); },
      {},
      {},
      {}};
  for (const cat::Model& model : models) question.memory.push_back(&model);
  models::Library library;
  for (const std::string& name : progress) question.progress.push_back(library.find(name));
  return repair(question);
}

// The options of each answer, as "relaxed release ...".
std::set<std::string> answers(const Repair& repair) {
  std::set<std::string> result;
  for (const RepairAnswer& answer : repair.answers) {
    std::string text;
    for (std::size_t c = 0; c < answer.point.size(); ++c) {
      const std::string& name = repair.choices[c].options[answer.point[c]].name;
      text += (text.empty() ? "" : " ") + (name.empty() ? "none" : name);
    }
    result.insert(text);
  }
  return result;
}
using Set = std::set<std::string>;

// Message passing in C, with these orders of the store and the load of the flag.
std::string passing(const std::string& store, const std::string& load) {
  return "C mp\n{}\nP0 (int* x, atomic_int* f) {\n  *x = 1;\n  atomic_store_explicit(f, 1, "
         "memory_order_" +
         store +
         ");\n}\nP1 (int* x, atomic_int* f) {\n  int a = atomic_load_explicit(f, memory_order_" +
         load + ");\n  if (a == 1) { int b = *x; }\n}\nforall (1:a = 0 \\/ 1:b = 1)\n";
}

constexpr const char* kPtxPassing =
    "PTX mp\n{}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | ld.relaxed.cta r0, f ;\n"
    " st.relaxed.cta f, 1 | bne r0, 1, END ;\n | ld.weak r1, x ;\n | END: ;\n"
    "~exists (1:r0 = 1 /\\ 1:r1 = 0)\n";

constexpr const char* kVulkanPassing =
    "VULKAN mp\n{}\n P0@sg 0,wg 0,qf 0 | P1@sg 0,wg 1,qf 0 ;\n st.nonpriv.sc0 x, 1 | "
    "ld.atom.wg.sc0 r0, f ;\n st.atom.wg.sc0 f, 1 | bne r0, 1, END ;\n | ld.nonpriv.sc0 r1, x ;\n "
    "| END: ;\n~exists (1:r0 = 1 /\\ 1:r1 = 0)\n";

constexpr const char* kDekker =
    "C sb\n{}\nP0 (atomic_int* x, atomic_int* y) {\n  *x = 1;\n  int a = *y;\n}\n"
    "P1 (atomic_int* x, atomic_int* y) {\n  atomic_store(y, 1);\n  int b = atomic_load(x);\n}\n"
    "~exists (0:a = 0 /\\ 1:b = 0)\n";

constexpr const char* kFences =
    "C sb\n{}\nP0 (atomic_int* x, atomic_int* y) {\n  atomic_store_explicit(x, 1, "
    "memory_order_relaxed);\n  atomic_thread_fence(memory_order_seq_cst);\n  int a = "
    "atomic_load_explicit(y, memory_order_relaxed);\n}\n"
    "P1 (atomic_int* x, atomic_int* y) {\n  int c = atomic_exchange_explicit(y, 1, "
    "memory_order_acq_rel);\n  int b = atomic_load_explicit(x, memory_order_acquire);\n}\n"
    "~exists (0:a = 0 /\\ 1:b = 0)\n";

constexpr const char* kOpenClPassing =
    "OPENCL mp\n{ [x]=0; [f]=0; }\nP0@wg 0, dev 0 (global int* x, global atomic_int* f) {\n  *x = "
    "1;\n  atomic_store_explicit(f, 1, memory_order_relaxed, memory_scope_work_group);\n}\n"
    "P1@wg 1, dev 0 (global int* x, global atomic_int* f) {\n  int a = atomic_load_explicit(f, "
    "memory_order_acquire, memory_scope_work_group);\n  if (a == 1) { int b = *x; }\n}\n"
    "forall (1:a = 0 \\/ 1:b = 1)\n";

const std::vector<std::pair<std::string, std::string>>& small_tests() {
  static const std::vector<std::pair<std::string, std::string>> tests = {
      {"rc11", passing("relaxed", "relaxed")},
      {"c11", passing("seq_cst", "acquire")},
      {"ptx6", kPtxPassing},
      {"ptx", kPtxPassing},
      {"vulkan", kVulkanPassing},
      {"rc11", kDekker},
      {"c11", kDekker},
      {"rc11", kFences},
      {"c11", kFences},
      {"tso", kDekker},
      {"opencl", kOpenClPassing},
      {"sc", kDekker}};
  return tests;
}

// Whether the test of a text keeps its condition and has no flags.
bool is_kept(const std::string& text, const cat::Model& model) {
  const Program program = parse("f", text);
  const Outcomes found = outcomes(program, model);
  REQUIRE(found.cut.empty());
  return found.holds(program) && found.flagged.empty();
}

}  // namespace

TEST_CASE("consistency/repair: a message needs a release and an acquire, and no more") {
  for (const char* written : {"relaxed", "seq_cst"}) {
    const Repair found = repaired(passing(written, written), {"rc11"});
    CHECK(answers(found) == Set{"release acquire"});
    CHECK(found.as_written.has_value() == (std::string(written) == "relaxed"));
    CHECK(found.cut.empty());
    REQUIRE(found.answers.front().weakenings.size() == 2);
    for (const Weakening& weakening : found.answers.front().weakenings) {
      REQUIRE(weakening.breach);
      CHECK(weakening.breach->what == "race");
    }
    CHECK(found.answers.front().text == passing("release", "acquire"));
  }
  CHECK(answers(repaired(kPtxPassing, {"ptx6"})) == Set{"release gpu acquire gpu"});
}

TEST_CASE("consistency/repair: store buffering needs sequential consistency, fences or accesses") {
  CHECK(answers(repaired(kDekker, {"rc11"})) == Set{"seq_cst seq_cst seq_cst seq_cst"});
  CHECK(answers(repaired(kDekker, {"sc"})) == Set{"relaxed relaxed relaxed relaxed"});
}

TEST_CASE("consistency/repair: what no order mends is said, with an execution") {
  const Repair found = repaired(
      "C race\n{}\nP0 (int* x) { *x = 1; }\nP1 (int* x, atomic_int* y) {\n  *x = 2;\n  *y = 1;\n}\n"
      "forall (y = 1)\n",
      {"rc11"});
  CHECK(found.answers.empty());
  REQUIRE(found.as_strong);
  CHECK(found.as_strong->what == "race");
}

TEST_CASE("consistency/repair: an end under a progress model is asked as well") {
  const std::string ranks =
      "C ranks\n{ end = 0; start = 0; }\nP0 (atomic_int* start, atomic_int* end) {\n"
      "  atomic_store_explicit(end, 0, memory_order_relaxed);\n"
      "  atomic_store_explicit(start, 1, memory_order_relaxed);\n"
      "  while (atomic_load_explicit(end, memory_order_relaxed) == 0) {}\n}\n"
      "P1 (atomic_int* start, atomic_int* end) {\n"
      "  while (atomic_load_explicit(start, memory_order_relaxed) == 0) {}\n"
      "  atomic_store_explicit(end, 1, memory_order_relaxed);\n}\nexists (end = 1)\n";
  const Repair found = repaired(ranks, {"rc11"}, {"fair"});
  CHECK(answers(found) == Set{"relaxed release relaxed acquire relaxed"});
  REQUIRE(found.as_written);
  CHECK(found.as_written->what == "waits for ever under fair");
  CHECK(answers(repaired(ranks, {"sc"}, {"fair"})) ==
        Set{"relaxed relaxed relaxed relaxed relaxed"});
  // Nothing makes it end where who has not started is owed nothing.
  CHECK(repaired(ranks, {"rc11"}, {"OBE"}).as_strong);
}

TEST_CASE("consistency/repair: all memory models that are named have to agree") {
  CHECK(answers(repaired(passing("relaxed", "relaxed"), {"sc", "rc11"})) == Set{"release acquire"});
}

TEST_CASE(
    "consistency/repair: the answers are the weakest of all choices, and stronger is no worse") {
  for (const auto& test : small_tests()) {
    const std::string &memory = test.first, &text = test.second;
    CAPTURE(memory);
    CAPTURE(text);
    const cat::Model model = find_model(memory);
    const Repair found = repaired(text, {memory});
    REQUIRE(found.cut.empty());
    std::vector<Choice> choices;
    parse("f", text, &choices);
    const std::vector<Point> points = all_points(choices);
    std::vector<Point> kept;
    for (const Point& point : points) {
      if (is_kept(litmus::with_options(text, choices, point), model)) kept.push_back(point);
    }
    std::set<Point> weakest, answered;
    for (const Point& point : kept) {
      const bool is_weakest = std::none_of(kept.begin(), kept.end(), [&](const Point& other) {
        return other != point && at_most(choices, other, point);
      });
      if (is_weakest) weakest.insert(point);
    }
    for (const RepairAnswer& answer : found.answers) answered.insert(answer.point);
    CHECK(answered == weakest);
    // All above one of them is kept, which is what the search relies on.
    const std::set<Point> all_kept(kept.begin(), kept.end());
    for (const Point& point : points) {
      const bool is_above = std::any_of(weakest.begin(), weakest.end(), [&](const Point& weak) {
        return at_most(choices, weak, point);
      });
      CHECK(all_kept.contains(point) == is_above);
    }
  }
}

TEST_CASE("consistency/repair: every choice can be written, and read again") {
  for (const auto& [memory, text] : small_tests()) {
    std::vector<Choice> choices;
    parse("f", text, &choices);
    REQUIRE_FALSE(choices.empty());
    Point point;
    for (const Choice& choice : choices) point.push_back(choice.written.value());
    CHECK(litmus::with_options(text, choices, point) == text);
    for (std::size_t c = 0; c < choices.size(); ++c) {
      for (std::size_t o = 0; o < choices[c].options.size(); ++o) {
        Point other = point;
        other[c] = o;
        const std::string changed = litmus::with_options(text, choices, other);
        CAPTURE(changed);
        std::vector<Choice> again;
        parse("f", changed, &again);
        // A fence that is left out is none any more.
        if (again.size() != choices.size()) continue;
        CHECK(again[c].options[again[c].written.value()].name == choices[c].options[o].name);
      }
    }
  }
}
