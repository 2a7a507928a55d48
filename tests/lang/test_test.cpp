#include "lang/test.hpp"

#include <doctest/doctest.h>

#include "lang/axb/source.hpp"
#include "languages/languages.hpp"

using namespace headway::lang;

TEST_CASE("lang/test: equality looks at the program and not at its file") {
  axb::Code code;
  code.locations = {{"m", 0}};
  code.threads = {{{{0, 0, 1, true, 1}}, {}}};
  Test a = axb::make_test(code);
  a.expectations = {{"OBE", Fairness::weak, true, {}, {}}};
  axb::Code read = code;
  read.threads[0].sources = {{7, "m = 1;"}};
  Test b = a;
  b.source = axb::make_test(read).source;
  b.expectations[0].where = {"file", 1, 2};
  b.expectations[0].source_line = "pass OBE:weak;";
  CHECK(a == b);
  CHECK(a.instruction_count() == 1);

  std::vector<axb::Code> codes(4, code);
  codes[0].locations[0].initial = 1;
  codes[1].values = 3;
  codes[2].threads[0].instructions[0].check_value = 1;
  codes[3].threads.push_back(code.threads[0]);
  std::vector<Test> others(8, a);
  others[0].name = "n";
  others[1].comment = {""};
  others[2].expectations[0].fairness = std::nullopt;
  others[3].expectations[0].passes = false;
  for (std::size_t c = 0; c < codes.size(); ++c) {
    others[4 + c].source = axb::make_test(codes[c]).source;
  }
  for (const Test& other : others) CHECK_FALSE(a == other);
}

TEST_CASE("lang/test: tests of different languages are different") {
  const Test axb = parse("litmus a locations m; thread 0 { m = 1; }", "f");
  const Test idiom = parse("idiom a shared bool m; thread 0 { store(m, 1); }", "f");
  CHECK(axb.name == idiom.name);
  CHECK_FALSE(axb == idiom);
  CHECK_FALSE(idiom == axb);
  CHECK(program_key(axb) != program_key(idiom));
}
