// All litmus tests of a size: each once, up to names of locations and the order of threads.
#include "consistency/distinguish/tests.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "consistency/litmus/parse.hpp"

using namespace headway::consistency;
using Kind = Statement::Kind;

namespace {

const std::vector<std::string>& languages() {
  static const std::vector<std::string> names = {"C", "OPENCL", "PTX", "VULKAN"};
  return names;
}

std::size_t count(const TestSpace& space, int statements) {
  std::size_t tests = 0;
  for_each_test(space, statements, [&](const TestCode&) {
    ++tests;
    return true;
  });
  return tests;
}

}  // namespace

TEST_CASE("consistency/distinguish/tests: all are there, and each once") {
  // Of C: six accesses and four fences. One statement: 10. Two in one thread: a fence first and
  // anything (4 * 10), an access and a fence (6 * 4), or one of either location (6 * 6 * 2); two in
  // two threads: pairs of fences without order (10), a fence and an access in no order (4 * 6),
  // and two accesses without order, of one or of two locations (21 * 2).
  CHECK(count({"C", false}, 1) == 10);
  CHECK(count({"C", false}, 2) == (4 * 10 + 6 * 4 + 6 * 6 * 2) + (10 + 4 * 6 + 21 * 2));
  // Loops that wait are three accesses more.
  CHECK(count({"C", true}, 1) == 13);
}

TEST_CASE("consistency/distinguish/tests: each can be read, and no two are the same") {
  for (const std::string& language : languages()) {
    const TestSpace space{language, true};
    std::set<std::string> texts;
    for (int size = 1; size <= 2; ++size) {
      for_each_test(space, size, [&](const TestCode& code) {
        for (int p = 0; p < placements(language); ++p) {
          const std::string text = test_text(space, code, p, "t", {});
          CAPTURE(text);
          const Program program = litmus::parse("f", text);
          CHECK(program.language == language);
          CHECK(program.threads.size() == code.size());
          // One thread is alone wherever it is.
          if (code.size() > 1 || p == 0) CHECK(texts.insert(text).second);
        }
        return true;
      });
    }
  }
}

TEST_CASE("consistency/distinguish/tests: the condition is the state that is named") {
  const TestCode code = {{{Kind::store, 0, 0}, {Kind::load, 1, 0}}, {{Kind::await, 0, 0}}};
  const std::string text = test_text({"C", true}, code, 0, "t", "0:r0=1; x=1;");
  CHECK(text ==
        "C t\n{}\nP0 (atomic_int* x) {\n  atomic_store_explicit(x, 1, memory_order_relaxed);\n"
        "  int r0 = atomic_load_explicit(x, memory_order_acquire);\n}\nP1 (atomic_int* x) {\n"
        "  while (atomic_load_explicit(x, memory_order_relaxed) == 0) {}\n}\n"
        "exists (0:r0=1 /\\ x=1)\n");
}
