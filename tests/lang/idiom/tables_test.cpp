// The step tables of programs of the idiom language, against the programs themselves.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lang/idiom/library.hpp"
#include "lang/idiom/program.hpp"
#include "lang/idiom/source.hpp"
#include "languages/languages.hpp"
#include "support/random_idioms.hpp"
#include "support/step_for_step.hpp"

using namespace headway;
using lang::StepTables;
using lang::Word;
using lang::idiom::IdiomProgram;
using testing::Stage;

namespace {

// Step tables taken at their word. A state is the local states of the threads, and behind them what
// the variables hold.
class TableRun {
 public:
  using State = std::vector<std::uint16_t>;

  explicit TableRun(const StepTables& tables) : tables_(tables) {}

  State initial() const {
    State state;
    for (const auto& thread : tables_.threads) state.push_back(thread.initial);
    for (const auto& variable : tables_.variables) state.push_back(variable.initial);
    return state;
  }
  Stage stage(const State& state, int thread) const {
    const StepTables::Thread& own = tables_.threads[thread];
    if (state[thread] < own.end()) return Stage::running;
    if (state[thread] == own.end()) return Stage::ended;
    REQUIRE(own.may_fail);
    REQUIRE(state[thread] == own.failed());
    return Stage::failed;
  }
  State after(const State& state, int thread) const {
    const StepTables::LocalRow& local = tables_.threads[thread].locals[state[thread]];
    const std::uint16_t held = value(state, local.variable);
    const StepTables::Outcome& outcome = local.outcomes[held];
    State next = state;
    next[thread] = outcome.next;
    next[tables_.threads.size() + local.variable] = outcome.value;
    return next;
  }
  std::uint16_t value(const State& state, int variable) const {
    return state[tables_.threads.size() + static_cast<std::size_t>(variable)];
  }

 private:
  const StepTables& tables_;
};

// What must hold of tables by themselves.
void check_shape(const StepTables& tables) {
  for (const auto& variable : tables.variables) REQUIRE(variable.initial < variable.values);
  for (const auto& thread : tables.threads) {
    REQUIRE(!thread.locals.empty());
    REQUIRE(thread.initial < thread.end());
    bool fails = false;
    for (const auto& local : thread.locals) {
      REQUIRE(local.variable < tables.variables.size());
      REQUIRE(local.outcomes.size() == tables.variables[local.variable].values);
      for (const auto& outcome : local.outcomes) {
        REQUIRE(outcome.value < local.outcomes.size());
        REQUIRE(outcome.next <= (thread.may_fail ? thread.failed() : thread.end()));
        fails = fails || outcome.next == thread.failed();
      }
    }
    REQUIRE(thread.may_fail == fails);
  }
}

// The code of one thread alone, to compare it with that of another one.
std::string key_of(const lang::idiom::Code& code, std::size_t thread) {
  lang::idiom::Code alone = code;
  alone.threads = {code.threads[thread]};
  return code_key(alone);
}

struct Tally {
  std::size_t programs = 0, states = 0, ended = 0, failed = 0, equal = 0, too_large = 0;
};

void compare(const lang::Test& test, std::size_t most_states, Tally& tally) {
  const auto code = lang::idiom::find_code(test);
  REQUIRE(code);
  const IdiomProgram program(code);
  const auto tables = program.step_tables();
  REQUIRE(tables);
  CHECK(program.why_no_tables().empty());
  check_shape(*tables);
  const int cells = static_cast<int>(code->initial.size());
  REQUIRE(tables->variables.size() == static_cast<std::size_t>(cells) + 1);
  CHECK(tables->variables.back().values == 1);

  for (std::size_t a = 0; a < tables->threads.size(); ++a) {
    for (std::size_t b = a + 1; b < tables->threads.size(); ++b) {
      if (key_of(*code, a) != key_of(*code, b)) continue;
      CHECK(tables->threads[a] == tables->threads[b]);
      ++tally.equal;
    }
  }

  TableRun run(*tables);
  const auto states = testing::step_for_step(
      program, run, false, most_states,
      [&](const std::vector<Word>& words, const TableRun::State& state) {
        for (int cell = 0; cell < cells; ++cell) {
          const int low = code->variables[code->variable_of[cell]].low;
          REQUIRE(program.value(words.data(), cell) == low + run.value(state, cell));
        }
        tally.ended += program.terminated(words.data()).size() == program.threads() ? 1 : 0;
        tally.failed += program.failed(words.data()).empty() ? 0 : 1;
      });
  ++tally.programs;
  tally.states += states.value_or(0);
  tally.too_large += states ? 0 : 1;
}

std::optional<std::string> why_none(const std::string& text) {
  const lang::Test test = lang::parse(text, "f");
  const auto program = lang::make_program(test);
  if (program->step_tables()) {
    CHECK(program->why_no_tables().empty());
    return std::nullopt;
  }
  return program->why_no_tables();
}

}  // namespace

TEST_CASE("lang/idiom/tables: the tables of the library are its programs, step for step") {
  Tally tally;
  for (const auto& idiom : lang::idiom::library()) {
    CAPTURE(idiom.name);
    for (const int threads : {2, 3}) {
      compare(lang::idiom::member(idiom, threads), 10'000, tally);
    }
  }
  CHECK(tally.programs >= 48);
  CHECK(tally.states > 10'000);
  CHECK(tally.ended > 50);
  CHECK(tally.equal > 40);
  CHECK(tally.too_large < 10);
}

TEST_CASE("lang/idiom/tables: the tables of random programs are the programs, step for step") {
  testing::Random random(11);
  Tally tally;
  for (int i = 0; i < 600; ++i) {
    const int threads = i % 4 == 0 ? 3 : 2;
    const std::string text = testing::random_idiom(random, threads);
    CAPTURE(text);
    compare(lang::parse(text, "random"), 1000, tally);
  }
  CHECK(tally.states > 10'000);
  CHECK(tally.ended > 300);
  CHECK(tally.failed > 100);
  CHECK(tally.equal > 50);
  CHECK(tally.too_large < 40);
}

TEST_CASE("lang/idiom/tables: tables hold what can be held, not what is declared") {
  const lang::Test test = lang::parse(
      "shared int(-9..9) x = -2; thread 0 { int(-9..9) r = load(x); store(x, 1); }", "f");
  const auto tables = lang::make_program(test)->step_tables();
  REQUIRE(tables);
  CHECK(tables->variables[0].initial == 7);  // counted from -9
  CHECK(tables->variables[0].values == 11);  // up to 1
  REQUIRE(tables->threads[0].locals.size() == 2);
  const auto& first = tables->threads[0].locals[0];
  CHECK(first.outcomes[7] == StepTables::Outcome{1, 7});
  CHECK(first.outcomes[8] == StepTables::Outcome{0, 8});  // x is never -1
  CHECK(tables->threads[0].locals[1].outcomes[7] == StepTables::Outcome{2, 10});
}

TEST_CASE("lang/idiom/tables: a program that is too large has none, and says why") {
  const auto counting = [](int rounds) {
    return fmt::format(
        "shared bool x; thread 0 {{ load(x); }}\n"
        "thread 1 {{ int(0..30000) i; for (i = 0; i < {}; i++) load(x); }}",
        rounds);
  };
  CHECK(!why_none(counting(19'900)));
  CHECK(why_none(counting(20'100)) == "thread 1 has more than 20000 local states");

  // 60000 values, each of which every load may read.
  std::string loads = "shared int(0..59999) x; thread 0 {\n";
  for (int i = 0; i < 34; ++i) loads += "load(x);\n";
  CHECK(why_none(loads + "while (fetch_add(x, 1) < 59998);\n}") ==
        "its threads have more than 2000000 local steps");

  // Two values, but all those between them take room.
  const auto holes = [](int rounds) {
    return fmt::format(
        "shared int(0..59999) x; thread 0 {{\n"
        "store(x, 59999); int(0..200) i; for (i = 0; i < {}; i++) load(x); }}",
        rounds);
  };
  CHECK(!why_none(holes(100)));
  CHECK(why_none(holes(150)) == "its tables would have more than 8000000 entries");
}
