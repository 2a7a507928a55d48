#include "lang/axb/canonical.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "lang/axb/printer.hpp"
#include "languages/languages.hpp"
#include "support/axb.hpp"
#include "support/files.hpp"
#include "support/random_tests.hpp"

using namespace headway::lang;
using namespace headway::lang::axb;
using headway::testing::axb_code;
using headway::testing::published_tests;
using headway::testing::Random;
using headway::testing::random_test;
using headway::testing::set_axb_code;
using headway::testing::with_shuffled_locations;

namespace {

// The same test with its program in canonical form.
Test canonical_test(const Test& test) {
  Test result = test;
  set_axb_code(result, canonical(axb_code(test)));
  return result;
}

// What identity() is about, as a text: the canonical program alone.
std::string program_text(const Test& test) { return print(make_test(canonical(axb_code(test)))); }

// Keys and identities are equal exactly where programs are.
void check_identities(const std::vector<Test>& tests) {
  std::map<std::string, std::uint64_t> identities;
  std::map<std::uint64_t, std::string> programs;
  std::map<std::string, std::string> keys, by_key;
  for (const Test& test : tests) {
    const std::string text = program_text(test);
    const std::uint64_t id = identity(test);
    CAPTURE(text.substr(0, 2000));
    CHECK(keys.emplace(text, program_key(test)).first->second == program_key(test));
    CHECK(by_key.emplace(program_key(test), text).first->second == text);
    CHECK(identities.emplace(text, id).first->second == id);
    CHECK(programs.emplace(id, text).first->second == text);
  }
}

}  // namespace

TEST_CASE("lang/axb/canonical: locations are numbered by first use and unused ones go") {
  const Test test = canonical_test(parse(
      "litmus a locations unused = 7, f, g = 2, m; "
      "thread 0 { while (Exch(m, 1) == 1); f = 1; } thread 1 { while (Load(g) == 2); m = 0; } "
      "expect { pass OBE; }",
      "f"));
  const Code& code = axb_code(test);
  CHECK(code.locations == std::vector<Location>{{"x", 0}, {"y", 0}, {"z", 2}});
  CHECK(code.threads[0].instructions[0].location == 0);
  CHECK(code.threads[0].instructions[1].location == 1);
  CHECK(code.threads[1].instructions[0].location == 2);
  CHECK(code.threads[1].instructions[1].location == 0);
  CHECK(code.values == 3);  // the 7 went with its location
  CHECK(test.name == "a");
  CHECK(test.expectations.size() == 1);
}

TEST_CASE("lang/axb/canonical: location names") {
  CHECK(canonical_location_name(0) == "x");
  CHECK(canonical_location_name(2) == "z");
  CHECK(canonical_location_name(3) == "x3");
  CHECK(canonical_location_name(63) == "x63");
}

TEST_CASE("lang/axb/canonical: random tests keep their form however their locations are called") {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    CAPTURE(i);
    const Test test = random_test(random);
    const Test form = canonical_test(test);
    CHECK(canonical_test(form) == form);
    CHECK(canonical_test(with_shuffled_locations(test, random)) == form);
    CHECK(identity(with_shuffled_locations(test, random)) == identity(test));
    CHECK(identity(form) == identity(test));
    CHECK(parse(print(form), "f") == form);  // it is a valid test
  }
}

TEST_CASE("lang/axb/canonical: what is not the program has no part in the identity") {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    const Test test = random_test(random);
    Code bare;
    bare.locations = axb_code(test).locations;
    bare.threads = axb_code(test).threads;
    bare.values = kMaxValues;
    CHECK(identity(make_test(bare)) == identity(test));
  }
}

TEST_CASE("lang/axb/canonical: no two published tests of a size are the same test") {
  std::set<std::uint64_t> identities;
  for (const Test& test : published_tests()) identities.insert(identity(test));
  CHECK(identities.size() == 184);
  check_identities(published_tests());
}

TEST_CASE("lang/axb/canonical: random identities are equal exactly where programs are") {
  Random random(5);
  std::vector<Test> tests;
  while (tests.size() < 2000) {
    const Test test = random_test(random);
    if (test.instruction_count() > 3) continue;  // small ones come again
    tests.push_back(test);
    tests.push_back(with_shuffled_locations(test, random));
  }
  check_identities(tests);
}

TEST_CASE("lang/axb/canonical: every field of an instruction has a part in the identity") {
  const Test test = parse("locations x, y; thread 0 { x = 1; y = 1; } thread 1 { x = 1; }", "f");
  std::vector<Code> changed(8, axb_code(test));
  changed[0].threads[0].instructions[1].location = 0;
  changed[1].threads[0].instructions[1].check_value = 1;
  changed[2].threads[0].instructions[1].jump = 0;
  changed[3].threads[0].instructions[1] = {1, 0, 2, false, 0};
  changed[4].threads[0].instructions[1].exchange_value = 0;
  changed[5].locations[1].initial = 1;
  std::swap(changed[6].threads[0], changed[6].threads[1]);
  changed[7].threads[1].instructions.push_back({0, 0, 2, true, 1});
  std::set<std::uint64_t> identities = {identity(test)};
  for (const Code& other : changed) identities.insert(identity(make_test(other)));
  CHECK(identities.size() == 9);
}

// Files and reports name tests by their identity: it must not change with a version.
TEST_CASE("lang/axb/canonical: the spin mutex has the identity that it always had") {
  const Test mutex = parse(
      "locations lock;"
      "thread 0 { while (Exch(lock, 1) == 1); lock = 0; }"
      "thread 1 { while (Exch(lock, 1) == 1); lock = 0; }",
      "f");
  CHECK(identity(mutex) == 0x9ed68e07350664cfULL);
}
