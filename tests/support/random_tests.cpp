#include "support/random_tests.hpp"

#include <algorithm>
#include <numeric>

#include "support/axb.hpp"

namespace headway::testing {
namespace {

using models::Fairness;

std::uint8_t byte(int number) { return static_cast<std::uint8_t>(number); }

// A small number, or once in a while the largest that is allowed.
int size(Random& random, int usual, int largest) {
  return once_in(random, 60) ? largest : 1 + below(random, usual);
}

std::string pick(Random& random, const std::vector<std::string>& from) {
  return from[below(random, static_cast<int>(from.size()))];
}

// The last instruction's jump to its own end is a jump to the next index too.
lang::axb::Instruction random_instruction(Random& random, const lang::axb::Code& code, int index,
                                          int length) {
  lang::axb::Instruction i;
  i.location = byte(below(random, static_cast<int>(code.locations.size())));
  i.check_value = byte(below(random, code.values));
  i.exchanges = once_in(random, 2);
  if (i.exchanges) i.exchange_value = byte(below(random, code.values));
  switch (below(random, 5)) {
    case 0:
      i.jump = byte(index);
      break;
    case 1:
      i.jump = byte(index + 1);
      if (i.exchanges && once_in(random, 2)) i.check_value = 0;  // a plain store
      break;
    case 2:
      i.jump = byte(length);
      break;
    default:
      i.jump = byte(below(random, length + 1));
      break;
  }
  return i;
}

std::vector<lang::Expectation> random_expectations(Random& random) {
  std::vector<std::string> models = {"unfair", "HSA", "OBE",        "HSA+OBE",   "LOBE",
                                     "fair",   "--",  "OBE-k(k=3)", "m.2(a=-1)", "a_b(x=0,y=12)"};
  std::shuffle(models.begin(), models.end(), random);
  models.resize(static_cast<std::size_t>(below(random, 6)));
  std::vector<lang::Expectation> result;
  for (const std::string& model : models) {
    const bool passes = once_in(random, 2);
    if (once_in(random, 2)) {
      result.push_back({model, std::nullopt, passes, {}, {}});
      continue;
    }
    for (Fairness fairness : models::kFairnesses) {
      if (once_in(random, 2)) result.push_back({model, fairness, once_in(random, 2), {}, {}});
    }
  }
  return result;
}

}  // namespace

int below(Random& random, int bound) {
  return static_cast<int>(random() % static_cast<unsigned>(bound));
}

bool once_in(Random& random, int times) { return below(random, times) == 0; }

lang::Test random_test(Random& random) {
  lang::Test test;
  if (once_in(random, 2)) {
    test.name = pick(random, {"spin", "2t_3i_40", "a-b+c.d", "two words", "a/*b*/ // c", "\xc3\xa4",
                              "litmus", "7", "-", "{;}"});
  }
  for (int line = below(random, 8) - 5; line > 0; --line) {
    test.comment.push_back(pick(random, {"", " words", "// and more", "\tindented", "/* x", " *"}));
  }
  lang::axb::Code code;
  code.values = size(random, 3, lang::axb::kMaxValues - 1) + 1;
  const int locations = size(random, 4, lang::axb::kMaxLocations);
  for (int l = 0; l < locations; ++l) {
    const std::string base = pick(random, {"m", "L", "END", "_", "x", "location", "Lock"});
    code.locations.push_back({base + std::to_string(l), byte(0)});
    if (once_in(random, 3)) code.locations.back().initial = byte(below(random, code.values));
  }
  const int threads = size(random, 4, kMaxThreads);
  for (int t = 0; t < threads; ++t) {
    lang::axb::Thread thread;
    const int length = size(random, 6, lang::axb::kMaxInstructions);
    for (int i = 0; i < length; ++i) {
      thread.instructions.push_back(random_instruction(random, code, i, length));
    }
    code.threads.push_back(std::move(thread));
  }
  set_axb_code(test, std::move(code));
  test.expectations = random_expectations(random);
  return test;
}

lang::Test with_shuffled_locations(const lang::Test& test, Random& random) {
  const lang::axb::Code& old = axb_code(test);
  lang::axb::Code code = old;
  std::vector<std::size_t> place(old.locations.size());  // by old index
  std::iota(place.begin(), place.end(), std::size_t{0});
  std::shuffle(place.begin(), place.end(), random);
  for (std::size_t l = 0; l < place.size(); ++l) {
    code.locations[place[l]] = {"new" + std::to_string(l), old.locations[l].initial};
  }
  for (lang::axb::Thread& thread : code.threads) {
    for (lang::axb::Instruction& i : thread.instructions)
      i.location = byte(static_cast<int>(place[i.location]));
  }
  lang::Test result = test;
  set_axb_code(result, std::move(code));
  return result;
}

}  // namespace headway::testing
