// The format in which the paper's authors publish their tests.
#include <doctest/doctest.h>

#include "languages/languages.hpp"
#include "support/axb.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/refusals.hpp"
#include "support/texts.hpp"

using namespace headway::lang;
using namespace headway::lang::axb;
using headway::testing::axb_code;
using headway::testing::contains;
using headway::testing::error_of;
using headway::testing::expect_refusals;
using headway::testing::Refusal;
using headway::testing::repeated;

namespace {}  // namespace

TEST_CASE("lang/axb/published_parser: every instruction is the AXB it stands for") {
  const Test test = parse(
      "THREAD0\n"
      "atomic_store(1,2)\n"
      "atomic_exch_branch(0,1,2,0)\n"
      "atomic_chk_branch(3,1,END)\n"
      "\n\n"
      "THREAD1\n"
      "atomic_chk_branch(0,0,1)\n",
      "f");
  REQUIRE(test.thread_count() == 2);
  CHECK(axb_code(test).threads[0].instructions ==
        std::vector<Instruction>{{1, 0, 1, true, 2}, {0, 1, 0, true, 2}, {3, 1, 3, false, 0}});
  CHECK(axb_code(test).threads[1].instructions == std::vector<Instruction>{{0, 0, 1, false, 0}});
  CHECK(axb_code(test).locations == std::vector<Location>{{"x", 0}, {"y", 0}, {"z", 0}, {"x3", 0}});
  CHECK(axb_code(test).values == 3);
  CHECK(test.name.empty());
  CHECK(test.comment.empty());
  CHECK(test.expectations.empty());
}

TEST_CASE("lang/axb/published_parser: statements remember how and where they were written") {
  const Test test = parse("THREAD0\r\n  atomic_chk_branch( 0 , 1,\r\n END )\r\n", "f");
  CHECK(axb_code(test).threads[0].sources.at(0).line == 2);
  CHECK(axb_code(test).threads[0].sources.at(0).text == "atomic_chk_branch( 0 , 1, END )");
}

TEST_CASE("lang/axb/published_parser: a target is END or an index up to the length") {
  const Test test = parse(
      "THREAD0 atomic_chk_branch(0,0,2) atomic_chk_branch(0,0,END) "
      "THREAD1 atomic_chk_branch(0,0,0)",
      "f");
  CHECK(axb_code(test).threads[0].instructions[0].jump == 2);
  CHECK(axb_code(test).threads[0].instructions[1].jump == 2);
  CHECK(axb_code(test).threads[1].instructions[0].jump == 0);
}

TEST_CASE("lang/axb/published_parser: the limits themselves are allowed") {
  std::string text;
  for (int t = 0; t < headway::kMaxThreads; ++t) {
    text += "THREAD" + std::to_string(t) + "\n" +
            repeated(kMaxInstructions - 1, "atomic_store(63,255)\n") +
            "atomic_chk_branch(0,0,250)\n";
  }
  const Test test = parse(text, "f");
  CHECK(test.thread_count() == headway::kMaxThreads);
  CHECK(test.instruction_count() == headway::kMaxThreads * kMaxInstructions);
  CHECK(axb_code(test).locations.size() == kMaxLocations);
  CHECK(axb_code(test).values == kMaxValues);
  CHECK(axb_code(test).threads[31].instructions.back().jump == 250);
}

TEST_CASE("lang/axb/published_parser: what is wrong is refused where it stands") {
  std::string threads;
  for (int t = 0; t <= headway::kMaxThreads; ++t) {
    threads += "THREAD" + std::to_string(t) + " atomic_store(0,1)\n";
  }
  const std::vector<Refusal> refusals = {
      {"THREAD0\natomic_add(0,1)\n", "2:1", "unknown statement 'atomic_add'; expected"},
      {"THREAD0 atomic_store(0,1)\natomic_stor(0,1)\n", "2:1", "THREAD1"},
      {"THREAD0\n7\n", "2:1", "unknown statement '7'"},
      {"THREAD0\n", "1:1", "thread 0 is empty"},
      {"THREAD0\nTHREAD1\natomic_store(0,1)\n", "1:1", "thread 0 is empty"},
      {"THREAD0\natomic_store(0,1)\nTHREAD1\n", "3:1", "thread 1 is empty"},
      {"THREAD0\natomic_store(0,1)\nTHREAD2\natomic_store(0,1)", "3:1",
       "expected 'THREAD1', found 'THREAD2'"},
      {"THREAD0\natomic_store(0,1)\nTHREADS\n", "3:1", "expected 'THREAD1', found 'THREADS'"},
      {"THREAD0\natomic_store 0\n", "2:14", "expected '(', found '0'"},
      {"THREAD0\natomic_store(0)\n", "2:15", "expected ',', found ')'"},
      {"THREAD0\natomic_store(0,1\n", "3:1", "expected ')', found the end of the file"},
      {"THREAD0\natomic_store(0,1,2)\n", "2:17", "expected ')', found ','"},
      {"THREAD0\natomic_store(x,1)\n", "2:14", "expected location, a number from 0 to 63"},
      {"THREAD0\natomic_store(64,1)\n", "2:14", "location '64' is out of range; expected 0 to 63"},
      {"THREAD0\natomic_store(-1,1)\n", "2:14", "found '-'"},
      {"THREAD0\natomic_store(0,256)\n", "2:16", "value '256' is out of range; expected 0 to 255"},
      {"THREAD0\natomic_store(0,99999999999999999999)\n", "2:16", "is out of range"},
      {"THREAD0\natomic_chk_branch(0,1,2)\n", "2:23",
       "target '2' is out of range; the thread has 1"},
      {"THREAD0\natomic_chk_branch(0,1,-1)\n", "2:23",
       "expected an instruction index or END, found '-'"},
      {"THREAD0\natomic_chk_branch(0,1,end)\n", "2:23", "target 'end' is out of range"},
      {"THREAD0\natomic_chk_branch(0,1,)\n", "2:23",
       "expected an instruction index or END, found ')'"},
      {"THREAD0\natomic_chk_branch(0,1,4294967296)\n", "2:23", "target '4294967296'"},
      {"THREAD0\natomic_chk_branch(0,1", "2:22", "expected ',', found the end of the file"},
      {"THREAD0\natomic_exch_branch(0,1,END)\n", "2:24", "expected value, a number"},
      {"THREAD0\n" + repeated(kMaxInstructions + 1, "atomic_store(0,1)\n"), "252:1",
       "more than 250 instructions"},
      {threads, "65:1", "more than 64 threads"},
      {"THREAD0\natomic_store(0,1) /* never\nends", "2:19", "a comment that does not end"},
  };
  expect_refusals(refusals);
}

TEST_CASE("lang/axb/published_parser: a line of ten megabytes is refused at once and in short") {
  const std::string wide = "THREAD0 " + std::string(10'000'000, 'a') + " atomic_store(0,1)";
  const auto error = error_of([&] { parse(wide, "f"); });
  REQUIRE(error);
  CHECK(error->where().to_string() == "f:1:9");
  CHECK(error->diagnostic().size() < 500);
}

TEST_CASE("lang/axb/published_parser: all the published tests are well formed") {
  const auto& tests = headway::testing::published_tests();
  REQUIRE(tests.size() == 184);
  for (const Test& test : tests) {
    CAPTURE(test.name);
    CHECK(test.thread_count() == 2);
    CHECK(test.instruction_count() == (contains(test.name, "2i") ? 2 : 3));
    CHECK(axb_code(test).values == 2);
    CHECK(axb_code(test).locations.size() <= 2);
  }
}
