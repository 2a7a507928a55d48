#include "lang/axb/program.hpp"

#include <doctest/doctest.h>

#include "languages/languages.hpp"
#include "support/axb.hpp"
#include "support/files.hpp"
#include "support/random_tests.hpp"

using namespace headway::lang;
using namespace headway::lang::axb;
using headway::ThreadSet;
using headway::testing::axb_code;
using headway::testing::below;
using headway::testing::Random;
using headway::testing::random_test;

namespace {

// A state as the definition of AXB sees it.
struct Plain {
  std::vector<int> pcs;
  std::vector<int> memory;
};

Plain plain_initial(const Code& code) {
  Plain state;
  state.pcs.assign(code.threads.size(), 0);
  for (const Location& location : code.locations) state.memory.push_back(location.initial);
  return state;
}

void plain_step(const Code& code, Plain& state, int thread) {
  int& pc = state.pcs[thread];
  const Instruction& i = code.threads[thread].instructions[pc];
  const int old = state.memory[i.location];
  if (i.exchanges) state.memory[i.location] = i.exchange_value;
  pc = old == i.check_value ? i.jump : pc + 1;
}

ThreadSet plain_terminated(const Code& code, const Plain& state) {
  ThreadSet result;
  for (int t = 0; t < code.thread_count(); ++t) {
    if (state.pcs[t] == code.threads[t].length()) result |= ThreadSet::single(t);
  }
  return result;
}

std::string plain_memory(const Code& code, const Plain& state) {
  std::string text;
  for (std::size_t l = 0; l < code.locations.size(); ++l) {
    text += (l > 0 ? " " : "") + code.locations[l].name + "=" + std::to_string(state.memory[l]);
  }
  return text;
}

Word callers_bits(const Program& program) { return ThreadSet::first(program.threads()).bits(); }

// Walks at random through `code` and compares every state with its plain counterpart.
void check_walk(const Code& code, Random& random, int steps) {
  const AxbProgram program(code);
  REQUIRE(program.threads() == code.thread_count());
  REQUIRE(program.words() >= 1);
  const auto words = static_cast<std::size_t>(program.words());
  std::vector<Word> state(words, ~Word{0});
  std::vector<Word> next(words, ~Word{0});
  program.initial(state.data());
  Plain plain = plain_initial(code);
  for (int i = 0; i < steps; ++i) {
    REQUIRE((state[0] & callers_bits(program)) == 0);
    REQUIRE(program.terminated(state.data()) == plain_terminated(code, plain));
    if (i % 16 == 0) REQUIRE(program.describe_memory(state.data()) == plain_memory(code, plain));
    const ThreadSet alive = ThreadSet::first(program.threads()) - program.terminated(state.data());
    if (alive.empty()) break;
    int thread = below(random, program.threads());
    while (!alive.contains(thread)) thread = (thread + 1) % program.threads();
    plain_step(code, plain, thread);
    const bool ends = program.step(state.data(), thread, next.data());
    REQUIRE(ends == (plain.pcs[thread] == code.threads[thread].length()));
    state.swap(next);
  }
  REQUIRE(program.describe_memory(state.data()) == plain_memory(code, plain));
  REQUIRE(program.terminated(state.data()) == plain_terminated(code, plain));
}

// With as many threads, locations and values as asked for, so that states take several words.
Code wide_code(Random& random, int threads, int locations, int values, int length) {
  Code code;
  code.values = values;
  for (int l = 0; l < locations; ++l) {
    code.locations.push_back(
        {"l" + std::to_string(l), static_cast<std::uint8_t>(below(random, values))});
  }
  for (int t = 0; t < threads; ++t) {
    Thread thread;
    for (int i = 0; i < length; ++i) {
      const auto any = [&](int bound) { return static_cast<std::uint8_t>(below(random, bound)); };
      thread.instructions.push_back({any(locations), any(values), any(length + 1), i % 3 != 0, 0});
      if (i % 3 != 0) thread.instructions.back().exchange_value = any(values);
    }
    code.threads.push_back(std::move(thread));
  }
  return code;
}

}  // namespace

TEST_CASE("lang/axb/program: random tests step as AXB is defined") {
  Random random(11);
  for (int i = 0; i < 500; ++i) check_walk(axb_code(random_test(random)), random, 200);
}

TEST_CASE("lang/axb/program: states of many words step as AXB is defined") {
  Random random(12);
  for (const int threads : {1, 2, 7, 31, 32, 63, 64}) {
    for (const int locations : {1, 8, 33, 64}) {
      for (const int values : {2, 3, 200, 256}) {
        for (const int length : {1, 3, 250}) {
          CAPTURE(threads);
          CAPTURE(locations);
          CAPTURE(values);
          CAPTURE(length);
          check_walk(wide_code(random, threads, locations, values, length), random, 60);
        }
      }
    }
  }
}

TEST_CASE("lang/axb/program: a small test takes one word and the largest seventeen") {
  Random random(13);
  for (const Test& test : headway::testing::published_tests())
    CHECK(AxbProgram(axb_code(test)).words() == 1);
  // 64 bits of the caller, 64 counters and 64 locations of 8 bits each.
  const Code largest = wide_code(random, 64, 64, 256, 250);
  CHECK(AxbProgram(largest).words() == 17);
}

TEST_CASE("lang/axb/program: the caller's bits travel along and change nothing") {
  Random random(14);
  for (int i = 0; i < 200; ++i) {
    const Test test = random_test(random);
    const AxbProgram program(axb_code(test));
    const auto words = static_cast<std::size_t>(program.words());
    std::vector<Word> clean(words);
    std::vector<Word> marked(words);
    std::vector<Word> clean_next(words);
    std::vector<Word> marked_next(words);
    program.initial(clean.data());
    marked = clean;
    marked[0] |= callers_bits(program);
    CHECK(program.terminated(clean.data()) == program.terminated(marked.data()));
    for (int t = 0; t < program.threads(); ++t) {
      CHECK(program.step(clean.data(), t, clean_next.data()) ==
            program.step(marked.data(), t, marked_next.data()));
      CHECK((marked_next[0] & callers_bits(program)) == callers_bits(program));
      marked_next[0] &= ~callers_bits(program);
      CHECK(marked_next == clean_next);
    }
  }
}

TEST_CASE("lang/axb/program: steps are described by what they read and write") {
  const Test test = parse(
      "locations m, f = 2;\n"
      "thread 0 {\n"
      "  m  =  1;\n"
      "  while (Load(f) == 2);\n"
      "}\n"
      "thread 1 {\n"
      "  if (Exch(m, 3) == 0) goto END;\n"
      "  AXB(f, 0, 2, true, 1);\n"
      "}\n",
      "f");
  const AxbProgram program(axb_code(test));
  REQUIRE(program.words() == 1);
  Word state = 0;
  Word next = 0;
  program.initial(&state);
  CHECK(program.describe_memory(&state) == "m=0 f=2");
  CHECK(program.describe_thread(&state, 0) == "m = 1;");

  const StepText store = program.describe_step(&state, 0);
  CHECK(store.line == 3);
  CHECK(store.statement == "m = 1;");
  CHECK(store.effect == "writes m = 1");

  program.step(&state, 0, &next);
  const StepText load = program.describe_step(&next, 0);
  CHECK(load.line == 4);
  CHECK(load.statement == "while (Load(f) == 2);");
  CHECK(load.effect == "reads f = 2");

  const StepText exchange = program.describe_step(&next, 1);
  CHECK(exchange.effect == "reads m = 1, writes m = 3");
  program.step(&next, 1, &state);
  // A store whatever its check value is.
  CHECK(program.describe_step(&state, 1).effect == "writes f = 1");
  CHECK(program.step(&state, 1, &next));
  CHECK(program.describe_thread(&next, 1) == "END");
  CHECK(program.describe_memory(&next) == "m=3 f=1");
}

TEST_CASE("lang/axb/program: a test that was made and not read is described in its own words") {
  Code code =
      axb_code(parse("locations m; thread 0 { m = 1; if (Load(m) == 1) goto END; m = 0; }", "f"));
  code.threads[0].sources.clear();
  const AxbProgram program(code);
  Word state = 0;
  Word next = 0;
  program.initial(&state);
  CHECK(program.describe_step(&state, 0).line == 0);
  CHECK(program.describe_step(&state, 0).statement == "m = 1;");
  program.step(&state, 0, &next);
  CHECK(program.describe_thread(&next, 0) == "if (Load(m) == 1) goto END;");
  CHECK(program.describe_step(&next, 0).effect == "reads m = 1");
}
