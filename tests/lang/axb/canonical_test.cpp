#include "lang/axb/canonical.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "lang/axb/printer.hpp"
#include "languages/languages.hpp"
#include "support/axb.hpp"
#include "support/budget.hpp"
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

// The program that a key was made of, in canonical form.
Code read(const std::string& key) {
  std::size_t at = 0;
  const auto take = [&] { return static_cast<std::uint8_t>(key.at(at++)); };
  Code code;
  code.threads.resize(take());
  for (Thread& thread : code.threads) {
    thread.instructions.resize(take());
    for (Instruction& i : thread.instructions) {
      i.location = take();
      i.check_value = take();
      i.jump = take();
      i.exchanges = take() != 0;
      i.exchange_value = take();
    }
  }
  while (at < key.size()) {
    code.locations.push_back(
        {canonical_location_name(static_cast<int>(code.locations.size())), take()});
  }
  derive_values(code);
  return code;
}

// Whether one program is the other with other locations, by pairing these up one by one.
bool same_but_for_locations(const Code& a, const Code& b) {
  if (a.thread_count() != b.thread_count()) return false;
  std::map<int, int> to, from;
  for (std::size_t t = 0; t < a.threads.size(); ++t) {
    if (a.threads[t].length() != b.threads[t].length()) return false;
    for (int i = 0; i < a.threads[t].length(); ++i) {
      Instruction x = a.threads[t].instructions[i], y = b.threads[t].instructions[i];
      if (a.locations[x.location].initial != b.locations[y.location].initial) return false;
      if (to.emplace(x.location, y.location).first->second != y.location) return false;
      if (from.emplace(y.location, x.location).first->second != x.location) return false;
      x.location = y.location = 0;
      if (!(x == y)) return false;
    }
  }
  return true;
}

// What can be read off a key was put there by no other program, up to its locations; and other
// locations give the same key.
struct Failures {
  std::size_t programs = 0, misread = 0, unequal = 0;
  std::size_t made = 0;  // of which `programs` were looked at
};
void check_key(const Code& code, Failures& failures) {
  const std::string key = code_key(code);
  ++failures.programs;
  if (!same_but_for_locations(read(key), code)) ++failures.misread;
  Code renamed = code;
  std::reverse(renamed.locations.begin(), renamed.locations.end());
  renamed.locations.insert(renamed.locations.begin(), {"unused", 7});
  for (Thread& thread : renamed.threads) {
    for (Instruction& i : thread.instructions) {
      i.location = static_cast<std::uint8_t>(code.locations.size() - i.location);
    }
  }
  if (code_key(renamed) != key) ++failures.unequal;
}

// All programs of two locations that hold 0 or 1, and the first of them 1 at first.
void check_all(const std::vector<int>& shape, Failures& failures) {
  // Campaigns look at all programs of four instructions.
  const int length_of_all = std::accumulate(shape.begin(), shape.end(), 0);
  const std::size_t share = length_of_all < 4 || headway::testing::is_campaign() ? 1 : 16;
  Code code;
  code.locations = {{"x", 1}, {"y", 0}};
  for (const int length : shape) code.threads.push_back({std::vector<Instruction>(length), {}});
  const auto choose = [&](const auto& self, std::size_t t, std::size_t i) -> void {
    if (t == shape.size()) {
      if (failures.made++ % share == 0) check_key(code, failures);
      return;
    }
    const std::size_t length = code.threads[t].instructions.size();
    const std::size_t next_t = i + 1 == length ? t + 1 : t, next_i = i + 1 == length ? 0 : i + 1;
    Instruction& own = code.threads[t].instructions[i];
    for (int location : {0, 1}) {
      for (int check : {0, 1}) {
        for (std::size_t jump = 0; jump <= length; ++jump) {
          for (const int exchange : {-1, 0, 1}) {
            own = {static_cast<std::uint8_t>(location), static_cast<std::uint8_t>(check),
                   static_cast<std::uint8_t>(jump), exchange >= 0,
                   static_cast<std::uint8_t>(std::max(exchange, 0))};
            self(self, next_t, next_i);
          }
        }
      }
    }
  };
  choose(choose, 0, 0);
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

TEST_CASE("lang/axb/canonical: all programs up to four instructions can be read off their keys") {
  Failures failures;
  for (const auto& shape : std::vector<std::vector<int>>{{1, 1},
                                                         {1, 2},
                                                         {2, 1},
                                                         {1, 1, 1},
                                                         {2, 2},
                                                         {1, 3},
                                                         {3, 1},
                                                         {1, 1, 2},
                                                         {1, 2, 1},
                                                         {2, 1, 1}}) {
    check_all(shape, failures);
  }
  // A thread of one instruction can be 24, one of two 36 * 36, one of three 48 * 48 * 48.
  CHECK(failures.made == 9'304'128);
  CHECK(failures.programs > 9'304'128 / 17);
  CHECK(failures.misread == 0);
  CHECK(failures.unequal == 0);
}

TEST_CASE("lang/axb/canonical: large programs can be read off their keys") {
  Random random(43);
  const auto below = [&](int bound) {
    return static_cast<std::uint8_t>(random() % static_cast<unsigned>(bound));
  };
  Failures failures;
  for (int round = 0; round < 200'000; ++round) {
    Code code;
    for (int l = 1 + below(4); l > 0; --l) code.locations.push_back({"l", below(4)});
    for (int t = 1 + below(4); t > 0; --t) {
      Thread& thread = code.threads.emplace_back();
      const int length = 1 + below(4);
      for (int i = 0; i < length; ++i) {
        const bool exchanges = below(2) == 1;
        thread.instructions.push_back({below(static_cast<int>(code.locations.size())), below(4),
                                       below(length + 1), exchanges,
                                       exchanges ? below(4) : std::uint8_t{0}});
      }
    }
    check_key(code, failures);
  }
  CHECK(failures.programs == 200'000);
  CHECK(failures.misread == 0);
  CHECK(failures.unequal == 0);
}

// Their initial values were once written among their instructions, and read like some of these.
TEST_CASE("lang/axb/canonical: an initial value is not taken for an instruction's field") {
  const Test one = parse(
      "locations x, y; thread 0 { A: if (Load(x) == 0) goto END; B: if (Load(y) == 0) goto A;"
      " if (Load(y) == 0) goto B; } thread 1 { x = 1; }",
      "f");
  const Test other = parse(
      "locations x, y; thread 0 { A: if (Load(x) == 0) goto END; B: if (Load(x) == 1) goto A;"
      " if (Load(y) == 0) goto B; } thread 1 { x = 1; }",
      "f");
  CHECK(program_key(one) != program_key(other));
  CHECK(identity(one) != identity(other));
}
