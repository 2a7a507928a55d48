#include "suite/idioms.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "lang/axb/canonical.hpp"
#include "lang/idiom/library.hpp"
#include "languages/languages.hpp"
#include "support/files.hpp"
#include "support/random_tests.hpp"

using namespace headway;
using suite::Idioms;

TEST_CASE("suite/idioms: those of litmus/ are known, each a program of its own") {
  const Idioms idioms;
  std::set<std::string> files;
  for (const std::string& file : testing::litmus_files()) {
    files.insert(std::filesystem::path(file).stem().string());
  }
  std::set<std::string> names;
  for (const lang::Test& idiom : idioms.all()) {
    names.insert(idiom.name);
    REQUIRE(idioms.recognize(idiom) != nullptr);
    CHECK(idioms.recognize(idiom)->name == idiom.name);
  }
  CHECK(names == files);
  CHECK(names.size() >= 14);
}

TEST_CASE("suite/idioms: names, order of locations, comments and expectations do not matter") {
  const Idioms idioms;
  testing::Random random(5);
  for (const lang::Test& idiom : idioms.all()) {
    lang::Test other = testing::with_shuffled_locations(idiom, random);
    other.name = "other";
    other.comment.clear();
    other.expectations.clear();
    REQUIRE(idioms.recognize(other) != nullptr);
    CHECK(idioms.recognize(other)->name == idiom.name);
  }
}

TEST_CASE("suite/idioms: another order of threads or another instruction is another test") {
  const Idioms idioms;
  const std::string up = "locations f; thread 0 { f = 1; } thread 1 { while (Load(f) == 0); }";
  const std::string down = "locations f; thread 0 { while (Load(f) == 0); } thread 1 { f = 1; }";
  const std::string neither = "locations f; thread 0 { f = 1; } thread 1 { while (Load(f) == 1); }";
  const std::string started_at_1 =
      "locations f = 1; thread 0 { f = 1; } thread 1 { while (Load(f) == 0); }";
  CHECK(idioms.recognize(lang::parse(up, "up"))->name == "producer-consumer-increasing");
  CHECK(idioms.recognize(lang::parse(down, "down"))->name == "producer-consumer-decreasing");
  CHECK(idioms.recognize(lang::parse(neither, "neither")) == nullptr);
  CHECK(idioms.recognize(lang::parse(started_at_1, "started")) == nullptr);
}

// Table 3 of the paper names five tests that it found to be idioms, four of them of the sizes that
// tests/data/published has.
TEST_CASE("suite/idioms: the published tests hold the idioms that the paper found in them") {
  const Idioms idioms;
  std::map<std::string, std::string> found;
  for (const lang::Test& test : testing::published_tests()) {
    if (const lang::Test* idiom = idioms.recognize(test)) found[idiom->name] = test.name;
  }
  CHECK(found.size() == 4);
  CHECK(found["producer-consumer-increasing"] == "2t_2i_5");
  CHECK(found["producer-consumer-decreasing"] == "2t_2i_4");
  CHECK(found["simplified-dining-philosophers"] == "2t_2i_0");
  CHECK(found["simplified-mutex"] == "2t_3i_22");
}

// What the published suite calls 2t_4i_67 and 2t_4i_66, which are larger than tests/data/published.
TEST_CASE(
    "suite/idioms: the bidirectional producer-consumers of Fig. 8 and Fig. 9 have their names") {
  const Idioms idioms;
  const auto name = [&](const std::string& text) {
    const lang::Test* idiom = idioms.recognize(lang::parse(text, "t"));
    return idiom == nullptr ? "none" : idiom->name;
  };
  CHECK(name("THREAD0\natomic_store(0,1)\natomic_chk_branch(0,1,1)\n"
             "THREAD1\natomic_chk_branch(0,0,0)\natomic_store(0,0)\n") ==
        "bidirectional-producer-consumer-1");
  CHECK(name("THREAD0\natomic_chk_branch(0,0,0)\natomic_store(0,0)\n"
             "THREAD1\natomic_store(0,1)\natomic_chk_branch(0,1,1)\n") ==
        "bidirectional-producer-consumer-2");
}

TEST_CASE("suite/idioms: members of the library for every N are idioms, too") {
  const Idioms idioms;
  const std::string text =
      "shared bool taken; threads { while (exch(taken, 1) == 1); store(taken, 0); }";
  for (const lang::idiom::LibraryIdiom& idiom : lang::idiom::library()) {
    const lang::Test member = lang::idiom::member(idiom, 3);
    REQUIRE(idioms.recognize(member) != nullptr);
    CHECK(idioms.recognize(member)->name == member.name);
    lang::Test renamed = member;
    renamed.name = "other";
    CHECK(idioms.recognize(renamed)->name == member.name);
  }
  CHECK(idioms.recognize(lang::parse("N = 3; " + text, "t")) == nullptr);
}

TEST_CASE("suite/idioms: of idioms that are the same program the first counts") {
  const lang::Test test = lang::parse(
      "litmus a locations f; thread 0 { f = 1; } thread 1 { while (Load(f) == 0); }", "a");
  lang::Test again = test;
  again.name = "b";
  const Idioms idioms({test, again});
  CHECK(idioms.recognize(again)->name == "a");
  CHECK(Idioms(std::vector<lang::Test>{}).recognize(test) == nullptr);
}
